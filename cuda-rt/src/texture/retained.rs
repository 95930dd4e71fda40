//! The arrays and memory behind textures and surfaces, kept alive as long as kernels may use them.

use super::memory::{LinearMemory, Owner, PitchedMemory};
use crate::array::{Array, MipmappedArray};
use crate::context::Context;
use crate::error::Result;
use crate::handle::{DriverHandle, Owned, Releasing};
use crate::peer::PeerAccessLease;
use core::mem::ManuallyDrop;
use cuda_sys::Symbol;

/// The sampled array or memory, and the peer access that sampling needs. The last value destroys the resource as soon as no
/// kernel can use it:
///
/// - Destroying an array waits for kernels of its own context, and freeing memory is in the order of its home stream, with which
///   launches are ordered.
/// - For kernels of another context, dropping this value waits.
#[derive(Debug)]
pub(crate) struct RetainedResource(Owned<RetainedHandle>);

#[derive(Debug)]
pub(crate) struct RetainedHandle {
    /// `None` if leaked, because a kernel of another context may still sample it.
    resource: Option<Resource>,
    reach: Option<PeerAccessLease>,
}

/// The sampled array or memory.
#[derive(Debug, Clone)]
pub(crate) enum Resource {
    Array(Array),
    Mipmapped(MipmappedArray),
    Memory(#[expect(dead_code, reason = "kept alive")] Owner),
}

impl RetainedResource {
    fn new(resource: Resource, reach: Option<PeerAccessLease>) -> RetainedResource {
        RetainedResource(Owned::new(RetainedHandle { resource: Some(resource), reach }))
    }

    /// Keeps an array alive that `context` samples.
    ///
    /// # Errors
    ///
    /// The context can never access the array (see [`PeerAccessLease::to_array`]), or the array has no memory. `what` names the
    /// object that samples it.
    pub(crate) fn array(context: &Context, array: &Array, what: &'static str) -> Result<RetainedResource> {
        array.usable()?;
        let reach = PeerAccessLease::to_array(context, array.context(), what)?;
        Ok(RetainedResource::new(Resource::Array(array.clone()), reach))
    }

    /// Keeps a mipmapped array alive that `context` samples.
    pub(crate) fn mipmapped(
        context: &Context,
        array: &MipmappedArray,
        what: &'static str,
    ) -> Result<RetainedResource> {
        array.usable()?;
        let reach = PeerAccessLease::to_array(context, array.context(), what)?;
        Ok(RetainedResource::new(Resource::Mipmapped(array.clone()), reach))
    }

    /// Checks that kernels have access now. The driver does not check texture objects with levels, and crashes.
    ///
    /// # Errors
    ///
    /// Same as [`PeerAccessLease::demand_access`].
    pub(crate) fn demand_access(&self) -> Result<()> {
        self.0.reach.as_ref().map_or(Ok(()), PeerAccessLease::demand_access)
    }

    /// Runs `bind`, which makes an object of the resource. If the resource is a peer's, no other thread changes the access
    /// meanwhile.
    pub(crate) fn steadily<R>(&self, bind: impl FnOnce() -> R) -> R {
        if self.0.reach.is_some() { PeerAccessLease::steadily(bind) } else { bind() }
    }

    pub(crate) fn linear(context: &Context, memory: &LinearMemory) -> RetainedResource {
        let reach = PeerAccessLease::to_memory(context, &memory.context);
        RetainedResource::new(Resource::Memory(memory.owner.clone()), reach)
    }

    pub(crate) fn pitched(context: &Context, memory: &PitchedMemory) -> RetainedResource {
        let reach = PeerAccessLease::to_memory(context, &memory.context);
        RetainedResource::new(Resource::Memory(memory.owner.clone()), reach)
    }

    /// Releases the resource without waiting for kernels. No object was made of it, so no kernel can use it. May wait for
    /// copies between the two devices.
    pub(crate) fn release_unused(self) {
        if let Some(reach) = self.0.into_inner().reach {
            reach.release_unused();
        }
    }

    pub(crate) fn resource(&self) -> Option<&Resource> {
        self.0.resource.as_ref()
    }
}

impl DriverHandle for RetainedHandle {
    fn release_call(&self) -> Symbol {
        Symbol::cuCtxSynchronize
    }

    /// If the wait fails, a kernel of another context may still sample the resource, which is leaked.
    fn release(&mut self, _: Releasing) -> Result<()> {
        let released = self.reach.take().map_or(Ok(()), PeerAccessLease::release);
        if released.is_err() {
            let _leaked = ManuallyDrop::new(self.resource.take());
        }
        released
    }
}
