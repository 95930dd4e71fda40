//! Launch attributes: settings of a launch besides its shape.

#![allow(unsafe_code)]

use super::attribute_set::KNOWN;
use super::{AccessPolicyWindow, LaunchAttributeSet, MemSyncDomain, PortableClusters, SharedMemoryMode};
use crate::error::Code;
use crate::event::{EVENT_OF_ANOTHER_CONTEXT, Event};
use crate::module::ClusterSchedulingPolicy;
use core::ffi::{c_int, c_void};
use core::fmt;
use core::ptr::with_exposed_provenance_mut;
use cuda_sys::{
    CUaccessPolicyWindow, CUaccessProperty_enum as CAccess, CUclusterSchedulingPolicy_enum as CScheduling,
    CUlaunchAttribute, CUlaunchAttributeID_enum as Id,
    CUlaunchAttributePortableClusterMode_enum as CPortable, CUlaunchAttributeValue,
    CUlaunchAttributeValue_union__bindgen_ty_1 as ClusterDim,
    CUlaunchAttributeValue_union__bindgen_ty_2 as ProgrammaticEvent,
    CUlaunchAttributeValue_union__bindgen_ty_3 as CompletionEvent,
    CUlaunchAttributeValue_union__bindgen_ty_4 as PreferredClusterDim, CUlaunchMemSyncDomain_enum as CDomain,
    CUlaunchMemSyncDomainMap, CUsharedMemoryMode_enum as CShared,
};

/// Attributes of a launch, for [`Launch::attributes`](super::Launch::attributes).
///
/// Each method sets one attribute, and replaces an earlier value. A driver that is too old for an attribute refuses it, with an
/// error that names the release. If several attributes contradict each other, the driver answers only
/// [`Code::InvalidValue`](crate::error::Code::InvalidValue).
///
/// [`Launch::cooperative`](super::Launch::cooperative) sets the attribute of cooperative launches. Attributes that only streams
/// or graphs have are not included. Most attributes of this type can also be set for kernel nodes, but none with an event:
/// see [`Graph::set_kernel_attributes`](crate::graph::Graph::set_kernel_attributes).
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
/// use cuda_rt::launch::LaunchAttributes;
///
/// let urgent = LaunchAttributes::new().priority(-1).preferred_shared_memory_carveout(50);
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// // SAFETY: the kernel touches nothing.
/// unsafe { nothing.with(LaunchConfig::new(4, 32)).attributes(&urgent).launch(&stream, ()) }?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUlaunchAttribute", "CUlaunchConfig"))]
#[derive(Clone, Default)]
pub struct LaunchAttributes<'event> {
    list: Vec<CUlaunchAttribute>,
    /// The events that the list names. They must exist when the kernel is launched.
    events: Vec<&'event Event>,
}

#[allow(clippy::non_send_fields_in_send_ty)] // see below
// SAFETY: the handles are of events that are borrowed as long as this value lives, which all threads may use; the addresses are
// numbers.
unsafe impl Send for LaunchAttributes<'_> {}
// SAFETY: as above, and nothing is changed through `&LaunchAttributes`.
unsafe impl Sync for LaunchAttributes<'_> {}

impl<'event> LaunchAttributes<'event> {
    /// Makes an empty list of attributes.
    pub const fn new() -> Self {
        LaunchAttributes { list: Vec::new(), events: Vec::new() }
    }

    /// Makes all blocks run at the same time.
    pub(super) fn cooperative(self) -> Self {
        self.set(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CUlaunchAttributeValue { cooperative: 1 })
    }

    /// Sets the number of blocks of a cluster, along x, y and z. Each number must divide that of the grid. From compute
    /// capability 9.0 on.
    ///
    /// # Examples
    ///
    /// ```
    /// let in_pairs = cuda_rt::launch::LaunchAttributes::new().cluster_dimension(2, 1, 1);
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION")]
    pub fn cluster_dimension(self, x: u32, y: u32, z: u32) -> Self {
        let value = CUlaunchAttributeValue { clusterDim: ClusterDim { x, y, z } };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value)
    }

    /// Sets the preferred number of blocks of a cluster, along x, y and z. Where there is no room for it,
    /// [`cluster_dimension`](LaunchAttributes::cluster_dimension) holds. That size must be set, too.
    ///
    /// Each preferred number must be a multiple of that of `cluster_dimension`, and must divide that of the grid.
    ///
    /// # Examples
    ///
    /// ```
    /// let fours = cuda_rt::launch::LaunchAttributes::new().cluster_dimension(2, 1, 1).preferred_cluster_dimension(4, 1, 1);
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION")]
    pub fn preferred_cluster_dimension(self, x: u32, y: u32, z: u32) -> Self {
        let value = CUlaunchAttributeValue { preferredClusterDim: PreferredClusterDim { x, y, z } };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, value)
    }

    /// Sets the preferred policy that assigns the blocks of a cluster to multiprocessors. [`ClusterSchedulingPolicy`] has an
    /// example.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE")]
    pub fn cluster_scheduling(self, policy: ClusterSchedulingPolicy) -> Self {
        let value = CUlaunchAttributeValue { clusterSchedulingPolicyPreference: CScheduling(policy.0) };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, value)
    }

    /// Sets whether clusters may be larger than the largest size that every device with clusters supports.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE")]
    pub fn portable_clusters(self, mode: PortableClusters) -> Self {
        let value = CUlaunchAttributeValue { portableClusterSizeMode: CPortable(mode.0) };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE, value)
    }

    /// Sets the limit of the shared memory of a block.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE")]
    pub fn shared_memory_mode(self, mode: SharedMemoryMode) -> Self {
        let value = CUlaunchAttributeValue { sharedMemoryMode: CShared(mode.0) };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE, value)
    }

    /// Sets the preferred size of shared memory for this launch, in percent of the largest size on a multiprocessor. The
    /// level-1 cache gets the rest. The launch is refused with more than 100 percent.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")]
    pub fn preferred_shared_memory_carveout(self, percent: u8) -> Self {
        let value = CUlaunchAttributeValue { sharedMemCarveout: percent.into() };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, value)
    }

    /// Sets the priority of this launch among others; lower numbers go first. The driver moves a priority outside the
    /// [range of the context](crate::Context::stream_priority_range) to the nearest end.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PRIORITY")]
    pub fn priority(self, priority: i32) -> Self {
        self.set(Id::CU_LAUNCH_ATTRIBUTE_PRIORITY, CUlaunchAttributeValue { priority })
    }

    /// Sets whether the kernel may begin before the previous kernel on the stream has ended. From compute capability 9.0 on.
    ///
    /// The kernel may begin as soon as each block of the previous kernel allows it (`griddepcontrol.launch_dependents`) or has
    /// ended. With `griddepcontrol.wait` the kernel itself waits for the end. The caller of
    /// [`Launch::launch`](super::Launch::launch) is responsible for the accesses of both kernels at the same time.
    ///
    /// # Examples
    ///
    /// ```
    /// let early = cuda_rt::launch::LaunchAttributes::new().programmatic_stream_serialization(true);
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION")]
    pub fn programmatic_stream_serialization(self, allowed: bool) -> Self {
        let value = CUlaunchAttributeValue { programmaticStreamSerializationAllowed: allowed.into() };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, value)
    }

    /// Records an event when each block has executed `griddepcontrol.launch_dependents`, or has ended. With `at_block_start`,
    /// records it when each block has begun. From compute capability 9.0 on.
    ///
    /// Work that waits for the event may begin before the kernel has ended. It may also begin only after the end.
    ///
    /// The event must be made with [`EventFlags::DISABLE_TIMING`](crate::event::EventFlags::DISABLE_TIMING), and without
    /// [`INTERPROCESS`](crate::event::EventFlags::INTERPROCESS).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::event::EventFlags;
    /// use cuda_rt::launch::LaunchAttributes;
    ///
    /// let begun = Event::with_flags(&context, EventFlags::DISABLE_TIMING)?;
    /// let attributes = LaunchAttributes::new().programmatic_event(&begun, true);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// The event must exist when the kernel is launched:
    ///
    /// ```compile_fail,E0505
    /// # use cuda_rt::Event;
    /// # use cuda_rt::launch::LaunchAttributes;
    /// fn gone(event: Event) {
    ///     let attributes = LaunchAttributes::new().programmatic_event(&event, true);
    ///     drop(event);
    ///     println!("{attributes:?}");
    /// }
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT")]
    pub fn programmatic_event(self, event: &'event Event, at_block_start: bool) -> Self {
        let start = c_int::from(at_block_start);
        let value = CUlaunchAttributeValue {
            programmaticEvent: ProgrammaticEvent { event: event.raw(), flags: 0, triggerAtBlockStart: start },
        };
        self.with_event(event).set(Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, value)
    }

    /// Records an event when all blocks have begun. The driver does not guarantee this order.
    ///
    /// Work that waits for the event may begin before the kernel has ended. It may also begin only after the end, or before all
    /// blocks have begun.
    ///
    /// Unlike [`programmatic_event`](LaunchAttributes::programmatic_event) with `at_block_start`, this attribute does not need
    /// compute capability 9.0. `griddepcontrol.wait` does not wait for this event.
    ///
    /// The event must be made with [`EventFlags::DISABLE_TIMING`](crate::event::EventFlags::DISABLE_TIMING), and without
    /// [`INTERPROCESS`](crate::event::EventFlags::INTERPROCESS).
    ///
    /// # Driver notes
    ///
    /// Driver 580 also refuses an event with [`BLOCKING_SYNC`](crate::event::EventFlags::BLOCKING_SYNC).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::event::EventFlags;
    /// use cuda_rt::launch::LaunchAttributes;
    ///
    /// let begun = Event::with_flags(&context, EventFlags::DISABLE_TIMING)?;
    /// let attributes = LaunchAttributes::new().launch_completion_event(&begun);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT")]
    pub fn launch_completion_event(self, event: &'event Event) -> Self {
        let value = CUlaunchAttributeValue {
            launchCompletionEvent: CompletionEvent { event: event.raw(), flags: 0 },
        };
        self.with_event(event).set(Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, value)
    }

    /// Maps the two logical domains of memory synchronisation to physical domains of the device.
    ///
    /// The logical domains are [`DEFAULT`](MemSyncDomain::DEFAULT) and [`REMOTE`](MemSyncDomain::REMOTE). A kernel selects one of
    /// them by [`mem_sync_domain`](LaunchAttributes::mem_sync_domain).
    ///
    /// Both physical domains must be less than [`mem_sync_domain_count`](crate::Device::mem_sync_domain_count).
    ///
    /// # Examples
    ///
    /// ```
    /// let attributes = cuda_rt::launch::LaunchAttributes::new().mem_sync_domain_map(0, 1);
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP")]
    pub fn mem_sync_domain_map(self, default: u8, remote: u8) -> Self {
        let map = CUlaunchMemSyncDomainMap { default_: default, remote };
        let value = CUlaunchAttributeValue { memSyncDomainMap: map };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, value)
    }

    /// Sets the logical domain of memory synchronisation of the kernel. Fences of the kernel wait only for the writes of
    /// kernels of the same domain.
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN")]
    pub fn mem_sync_domain(self, domain: MemSyncDomain) -> Self {
        let value = CUlaunchAttributeValue { memSyncDomain: CDomain(domain.0) };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, value)
    }

    /// Sets the memory that should stay in the level-2 cache, or leave it soon.
    ///
    /// For memory that should stay ([`PERSISTING`](super::AccessProperty::PERSISTING)), set a part of the cache aside first:
    /// [`Limit::PERSISTING_L2_CACHE_SIZE`](crate::context::Limit::PERSISTING_L2_CACHE_SIZE).
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW")]
    pub fn access_policy_window(self, window: AccessPolicyWindow) -> Self {
        let AccessPolicyWindow { base, bytes, hit_ratio, hit, miss } = window;
        let window = CUaccessPolicyWindow {
            base_ptr: with_exposed_provenance_mut::<c_void>(base.as_raw() as usize),
            num_bytes: bytes,
            hitRatio: hit_ratio,
            hitProp: CAccess(hit.0),
            missProp: CAccess(miss.0),
        };
        let value = CUlaunchAttributeValue { accessPolicyWindow: window };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, value)
    }

    /// Sets whether the driver should try to let the kernel use as much of the bandwidth of `NVLink` as possible. This is a hint: the
    /// driver assumes that all blocks cause the same traffic on `NVLink`.
    ///
    /// # Examples
    ///
    /// ```
    /// let attributes = cuda_rt::launch::LaunchAttributes::new().nvlink_util_centric_scheduling(true);
    /// ```
    #[must_use]
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING")]
    pub fn nvlink_util_centric_scheduling(self, wished: bool) -> Self {
        let value = CUlaunchAttributeValue { nvlinkUtilCentricScheduling: wished.into() };
        self.set(Id::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING, value)
    }

    /// Adds any attribute, in its form in C.
    ///
    /// # Safety
    ///
    /// - The value is valid for the number of the attribute. All its bytes are initialised as far as the driver reads them, and
    ///   reserved bytes are zero.
    /// - The objects that it names (events, memory, graph nodes) live until the last launch with it has returned. No other code
    ///   depends on values that the driver records or writes there.
    /// - The caller of [`Launch::launch`](super::Launch::launch) is responsible for how the attribute changes the launch. In
    ///   particular this concerns other work that the attribute lets run at the same time as the kernel.
    /// - The attribute is not `CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE`, to which the driver writes.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::sys;
    /// use cuda_rt::launch::LaunchAttributes;
    ///
    /// let raw = sys::CUlaunchAttribute {
    ///     id: sys::CU_LAUNCH_ATTRIBUTE_PRIORITY,
    ///     value: sys::CUlaunchAttributeValue { priority: -1 },
    ///     ..Default::default()
    /// };
    /// // SAFETY: a priority is a number.
    /// let attributes = unsafe { LaunchAttributes::new().raw(raw) };
    /// ```
    #[must_use]
    pub unsafe fn raw(self, attribute: CUlaunchAttribute) -> Self {
        self.set(attribute.id, attribute.value)
    }

    fn set(mut self, id: Id, value: CUlaunchAttributeValue) -> Self {
        let attribute = CUlaunchAttribute { id, value, ..CUlaunchAttribute::default() };
        match self.list.iter_mut().find(|attribute| attribute.id == id) {
            Some(place) => *place = attribute,
            None => self.list.push(attribute),
        }
        self
    }

    fn with_event(mut self, event: &'event Event) -> Self {
        self.events.push(event);
        self
    }

    /// Returns the events that a launch records.
    pub(super) fn events(&self) -> &[&'event Event] {
        &self.events
    }

    /// Returns the list in the driver's form.
    pub(crate) fn list(&self) -> &[CUlaunchAttribute] {
        &self.list
    }

    fn value(&self, id: Id) -> Option<&CUlaunchAttributeValue> {
        self.list.iter().find(|attribute| attribute.id == id).map(|attribute| &attribute.value)
    }

    /// Returns whether all blocks must run at the same time.
    pub(super) fn is_cooperative(&self) -> bool {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
        // SAFETY: an attribute with this number has this value.
        value.is_some_and(|value| unsafe { value.cooperative } != 0)
    }

    /// Returns the size of clusters, if it is set.
    pub(super) fn cluster(&self) -> Option<[u32; 3]> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)?;
        // SAFETY: an attribute with this number has this value.
        let ClusterDim { x, y, z } = unsafe { value.clusterDim };
        Some([x, y, z])
    }

    /// Returns the set of the attributes, if there are any.
    pub(super) fn set_of(&self) -> Option<LaunchAttributeSet> {
        let ids = self.list.iter().map(|attribute| attribute.id);
        (!self.list.is_empty()).then(|| LaunchAttributeSet::of(ids))
    }

    /// Returns the preferred share of shared memory in the level-1 cache, in percent.
    pub(super) fn carveout(&self) -> Option<u32> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)?;
        // SAFETY: an attribute with this number has this value.
        Some(unsafe { value.sharedMemCarveout })
    }

    /// Returns the reason why the driver may have refused the attributes of a launch with this code, if it is known.
    #[cold]
    pub(super) fn detail(&self, code: Code) -> Option<String> {
        let has_event = || {
            let events =
                [Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT];
            events.into_iter().any(|id| self.value(id).is_some())
        };
        match code {
            Code::InvalidValue => self.too_new(),
            Code::InvalidHandle if has_event() => Some(EVENT_OF_ANOTHER_CONTEXT.to_owned()),
            Code::NotSupported if has_event() => {
                let text = "an event of a launch must be made with DISABLE_TIMING, and without INTERPROCESS; \
                            `launch_completion_event` also refuses BLOCKING_SYNC";
                Some(text.to_owned())
            }
            _ => None,
        }
    }

    /// Returns the first attribute for which the driver is too old, with the release that introduced it.
    fn too_new(&self) -> Option<String> {
        let driver = crate::driver_version().ok()?;
        let mut known = self.list.iter().flat_map(|attribute| {
            KNOWN.iter().filter(|(id, ..)| *id == attribute.id).map(|(id, _, since)| (id.0, *since))
        });
        let (number, since) = known.find(|(_, since)| *since > driver)?;
        Some(format!("launch attribute {number} needs CUDA {since}, the driver is for CUDA {driver}"))
    }
}

impl fmt::Debug for LaunchAttributes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.list.iter().map(|attribute| attribute.id);
        formatter.debug_list().entries(ids).finish()
    }
}
