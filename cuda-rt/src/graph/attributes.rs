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
use core::fmt;
use cuda_sys::{CUlaunchAttributeID_enum as Id, CUlaunchAttributeValue, Symbol};

/// Attributes of a kernel node, as the driver has them. Those that the driver does not know are absent.
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
/// assert_eq!(graph.kernel_attributes(node)?.cooperative(), Some(false));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUkernelNodeAttrValue", "CUkernelNodeAttrID"))]
#[derive(Clone)]
pub struct KernelNodeAttributes {
    values: Vec<(Id, CUlaunchAttributeValue)>,
}

/// The attributes that are asked for.
const ASKED: [Id; 9] = [
    Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
    Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
    Id::CU_LAUNCH_ATTRIBUTE_PRIORITY,
    Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
    Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
];

impl KernelNodeAttributes {
    fn value(&self, id: Id) -> Option<&CUlaunchAttributeValue> {
        self.values.iter().find(|(known, _)| *known == id).map(|(_, value)| value)
    }

    /// Returns which memory is to stay in the level-2 cache.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW")]
    pub fn access_policy_window(&self) -> Option<AccessPolicyWindow> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)?;
        // SAFETY: an attribute with this number has this value.
        let window = unsafe { value.accessPolicyWindow };
        Some(AccessPolicyWindow {
            base: DevicePtr::from_raw(window.base_ptr.addr() as u64),
            bytes: window.num_bytes,
            hit_ratio: window.hitRatio,
            hit: AccessProperty(window.hitProp.0),
            miss: AccessProperty(window.missProp.0),
        })
    }

    /// Returns whether all blocks run at the same time.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_COOPERATIVE")]
    pub fn cooperative(&self) -> Option<bool> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE)?;
        // SAFETY: an attribute with this number has this value.
        Some(unsafe { value.cooperative } != 0)
    }

    /// Returns how many blocks form a cluster, along x, y and z. All 0 if there are no clusters.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION")]
    pub fn cluster_dimension(&self) -> Option<[u32; 3]> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)?;
        // SAFETY: an attribute with this number has this value.
        let size = unsafe { value.clusterDim };
        Some([size.x, size.y, size.z])
    }

    /// Returns how many blocks form a cluster where there is room for that.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION")]
    pub fn preferred_cluster_dimension(&self) -> Option<[u32; 3]> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION)?;
        // SAFETY: an attribute with this number has this value.
        let size = unsafe { value.preferredClusterDim };
        Some([size.x, size.y, size.z])
    }

    /// Returns how the blocks of a cluster are to be spread.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE")]
    pub fn cluster_scheduling(&self) -> Option<ClusterSchedulingPolicy> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)?;
        // SAFETY: an attribute with this number has this value.
        Some(ClusterSchedulingPolicy(unsafe { value.clusterSchedulingPolicyPreference }.0))
    }

    /// Returns the priority. Lower numbers go first.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PRIORITY")]
    pub fn priority(&self) -> Option<i32> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_PRIORITY)?;
        // SAFETY: an attribute with this number has this value.
        Some(unsafe { value.priority })
    }

    /// Returns the domains that the default and the remote domain stand for.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP")]
    pub fn mem_sync_domain_map(&self) -> Option<(u8, u8)> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)?;
        // SAFETY: an attribute with this number has this value.
        let map = unsafe { value.memSyncDomainMap };
        Some((map.default_, map.remote))
    }

    /// Returns the domain of the kernels whose writes a fence of the kernel waits for.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN")]
    pub fn mem_sync_domain(&self) -> Option<MemSyncDomain> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN)?;
        // SAFETY: an attribute with this number has this value.
        Some(MemSyncDomain(unsafe { value.memSyncDomain }.0))
    }

    /// Returns the share of the level-1 cache that is wished for as shared memory, in percent.
    #[doc(alias = "CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")]
    pub fn preferred_shared_memory_carveout(&self) -> Option<u32> {
        let value = self.value(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)?;
        // SAFETY: an attribute with this number has this value.
        Some(unsafe { value.sharedMemCarveout })
    }
}

impl fmt::Debug for KernelNodeAttributes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.values.iter().map(|(id, _)| id)).finish()
    }
}

impl Graph {
    /// Returns the attributes of a kernel node. Asks for each attribute that CUDA 13.5 names. Wraps `cuGraphKernelNodeGetAttribute`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a node of another graph or a removed one, or an earlier failure.
    #[doc(alias = "cuGraphKernelNodeGetAttribute")]
    pub fn kernel_attributes(&mut self, node: Node<KernelNode>) -> Result<KernelNodeAttributes> {
        let _bound = self.context().bind(Symbol::cuGraphKernelNodeGetAttribute)?;
        let source = lock(self.source());
        source.raw()?;
        let raw = source.nodes.raw(node.any())?;
        let mut values = Vec::new();
        for id in ASKED {
            let mut value = CUlaunchAttributeValue::default();
            // SAFETY: the node is a live kernel node, its graph is locked, and `value` is valid for a write.
            match unsafe { check!(cuGraphKernelNodeGetAttribute(raw, id, &raw mut value)) } {
                Ok(()) => values.push((id, value)),
                // The driver or the device does not know the attribute.
                Err(error) if matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(KernelNodeAttributes { values })
    }

    /// Sets attributes of a kernel node, one after the other. Wraps `cuGraphKernelNodeSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a node of another graph or a removed one, and for attributes with events, which
    ///   only launches have.
    /// - The driver's refusal. The attributes before the refused one are set then.
    ///
    /// # Safety
    ///
    /// The kernel works with the attributes: see [`Launch::attributes`](crate::launch::Launch::attributes).
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

    /// Gives a kernel node all attributes of another one. Wraps `cuGraphKernelNodeCopyAttributes`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a node of another graph or a removed one, or the driver's refusal.
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
