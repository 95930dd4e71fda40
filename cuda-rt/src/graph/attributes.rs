//! Attributes of kernel nodes.

#![allow(unsafe_code)]

use super::Graph;
use super::node::Node;
use super::nodes::KernelNode;
use super::source::lock;
use crate::error::{Code, Error, OrDetail, Result};
use crate::launch::{AccessPolicyWindow, AccessProperty, LaunchAttributes, MemSyncDomain};
use crate::memory::DevicePtr;
use crate::module::ClusterSchedulingPolicy;
use cuda_sys::{CUlaunchAttributeID_enum as Id, CUlaunchAttributeValue, Symbol};

/// Attributes of a kernel node, as the driver reports them. A field is `None` if the driver or the device does not know the
/// attribute.
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
/// use cuda_rt::graph::{AddNodes, Graph};
///
/// let nothing = module.function("nothing")?.typed::<()>()?;
/// let mut graph = Graph::new(&context)?;
/// // SAFETY: the kernel touches nothing.
/// let node = unsafe { graph.kernel(&[], &nothing, LaunchConfig::new(1, 1), ()) }?;
/// assert_eq!(graph.kernel_attributes(node)?.cooperative, Some(false));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUkernelNodeAttrValue", "CUkernelNodeAttrID"))]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct KernelNodeAttributes {
    /// Memory that should stay in the level-2 cache, or leave it soon.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW")]
    pub access_policy_window: Option<AccessPolicyWindow>,
    /// True if all blocks run at the same time.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_COOPERATIVE")]
    pub cooperative: Option<bool>,
    /// Number of blocks of a cluster, along x, y and z. All 0 if there are no clusters.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION")]
    pub cluster_dimension: Option<[u32; 3]>,
    /// Policy that assigns the blocks of a cluster to multiprocessors.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE")]
    pub cluster_scheduling: Option<ClusterSchedulingPolicy>,
    /// Priority. Lower numbers go first.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PRIORITY")]
    pub priority: Option<i32>,
    /// Domains of the device for [`MemSyncDomain::DEFAULT`] and [`MemSyncDomain::REMOTE`], in this order.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP")]
    pub mem_sync_domain_map: Option<(u8, u8)>,
    /// Domain of the kernel. Its fences wait for the writes of kernels of this domain.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN")]
    pub mem_sync_domain: Option<MemSyncDomain>,
    /// Preferred number of blocks of a cluster.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION")]
    pub preferred_cluster_dimension: Option<[u32; 3]>,
    /// Preferred share of shared memory in the level-1 cache, in percent.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")]
    pub preferred_shared_memory_carveout: Option<u32>,
}

/// Stores the value of one attribute: each reads another field of the union.
type Note = fn(&mut KernelNodeAttributes, CUlaunchAttributeValue);

/// The queried attributes.
const ASKED: [(Id, Note); 9] = [
    (Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, |to, value| {
        // SAFETY: an attribute with this number has this value.
        let window = unsafe { value.accessPolicyWindow };
        to.access_policy_window = Some(AccessPolicyWindow {
            base: DevicePtr::from_raw(window.base_ptr.addr() as u64),
            bytes: window.num_bytes,
            hit_ratio: window.hitRatio,
            hit: AccessProperty(window.hitProp.0),
            miss: AccessProperty(window.missProp.0),
        });
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, |to, value| {
        // SAFETY: as above.
        to.cooperative = Some(unsafe { value.cooperative } != 0);
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, |to, value| {
        // SAFETY: as above.
        let size = unsafe { value.clusterDim };
        to.cluster_dimension = Some([size.x, size.y, size.z]);
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, |to, value| {
        // SAFETY: as above.
        let policy = unsafe { value.clusterSchedulingPolicyPreference };
        to.cluster_scheduling = Some(ClusterSchedulingPolicy(policy.0));
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_PRIORITY, |to, value| {
        // SAFETY: as above.
        to.priority = Some(unsafe { value.priority });
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, |to, value| {
        // SAFETY: as above.
        let map = unsafe { value.memSyncDomainMap };
        to.mem_sync_domain_map = Some((map.default_, map.remote));
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, |to, value| {
        // SAFETY: as above.
        let domain = unsafe { value.memSyncDomain };
        to.mem_sync_domain = Some(MemSyncDomain(domain.0));
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, |to, value| {
        // SAFETY: as above.
        let size = unsafe { value.preferredClusterDim };
        to.preferred_cluster_dimension = Some([size.x, size.y, size.z]);
    }),
    (Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, |to, value| {
        // SAFETY: as above.
        to.preferred_shared_memory_carveout = Some(unsafe { value.sharedMemCarveout });
    }),
];

impl Graph {
    /// Returns the attributes of a kernel node. Queries each attribute that [`KernelNodeAttributes`] has. Wraps
    /// `cuGraphKernelNodeGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was removed.
    /// - An earlier failure.
    #[doc(alias = "cuGraphKernelNodeGetAttribute")]
    pub fn kernel_attributes(&mut self, node: Node<KernelNode>) -> Result<KernelNodeAttributes> {
        let _bound = self.context().bind(Symbol::cuGraphKernelNodeGetAttribute)?;
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node.any())?;
        let mut attributes = KernelNodeAttributes::default();
        for (id, note) in ASKED {
            let mut value = CUlaunchAttributeValue::default();
            // SAFETY: the node is a live kernel node, its graph is locked, and `value` is valid for a write.
            match unsafe { check!(cuGraphKernelNodeGetAttribute(raw, id, &raw mut value)) } {
                Ok(()) => note(&mut attributes, value),
                // The driver or the device does not know the attribute.
                Err(error) if matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(attributes)
    }

    /// Sets attributes of a kernel node, one after the other. Wraps `cuGraphKernelNodeSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was removed.
    /// - The same kind: an attribute has an event, which only launches can have.
    /// - The driver's refusal.
    ///
    /// If an attribute is refused, the attributes before it are set.
    ///
    /// # Safety
    ///
    /// The kernel is correct with the attributes: see *Safety* of [`Launch::launch`](crate::launch::Launch::launch).
    #[doc(alias = "cuGraphKernelNodeSetAttribute")]
    pub unsafe fn set_kernel_attributes(
        &mut self,
        node: Node<KernelNode>,
        attributes: &LaunchAttributes<'_>,
    ) -> Result<()> {
        const WITH_EVENTS: [Id; 2] =
            [Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT];
        let _bound = self.context().bind(Symbol::cuGraphKernelNodeSetAttribute)?;
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node.any())?;
        for attribute in attributes.list() {
            let (id, value) = (attribute.id, &raw const attribute.value);
            if WITH_EVENTS.contains(&id) {
                let text = "attributes with events belong to launches; add an event node after the kernel";
                return Err(Error::invalid("kernel node", format_args!("{text}")));
            }
            // SAFETY: the node is a live kernel node, its graph is locked, and the value is that of the attribute.
            unsafe { check!(cuGraphKernelNodeSetAttribute(raw, id, value)) }
                .or_detail(&[Code::InvalidValue, Code::NotSupported], &|| format!("attribute {}", id.0))?;
        }
        Ok(())
    }

    /// Copies all attributes of a kernel node to another one. Wraps `cuGraphKernelNodeCopyAttributes`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a node belongs to another graph, or was removed.
    /// - The driver's refusal.
    ///
    /// # Safety
    ///
    /// Same as [`set_kernel_attributes`](Graph::set_kernel_attributes).
    #[doc(alias = "cuGraphKernelNodeCopyAttributes")]
    pub unsafe fn copy_kernel_attributes(
        &mut self,
        to: Node<KernelNode>,
        from: Node<KernelNode>,
    ) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuGraphKernelNodeCopyAttributes)?;
        let source = lock(self.source());
        source.raw()?;
        let (to, from) = (source.nodes.raw(to.any())?, source.nodes.raw(from.any())?);
        // SAFETY: both are live kernel nodes, and their graph is locked.
        unsafe { check!(cuGraphKernelNodeCopyAttributes(to, from)) }
    }
}
