//! What textures and surfaces are made of, kept as long as kernels may use it.

use super::memory::{LinearMemory, Owner, PitchedMemory};
use crate::array::{Array, MipmappedArray};
use crate::context::Context;
use crate::error::{Result, report};
use crate::peer::Reach;
use crate::reaper::takes;
use core::mem::ManuallyDrop;

/// What is sampled, and the access that it takes. The last to go destroys it, as soon as no kernel can use it:
///
/// - Destroying an array waits for kernels of its own context (measured), and freeing memory is in the order of its home
///   stream, which launches are ordered with.
/// - For kernels of another context, dropping this waits.
#[derive(Debug)]
pub(crate) struct Kept {
    resource: Option<Resource>,
    reach: Option<Reach>,
}

/// What is sampled.
#[derive(Debug, Clone)]
pub(crate) enum Resource {
    Array(Array),
    Mipmapped(MipmappedArray),
    Memory(#[expect(dead_code, reason = "kept alive")] Owner),
}

impl Kept {
    /// An array that `context` is to sample.
    ///
    /// # Errors
    ///
    /// If it never can: see [`Reach::to_array`], or if nothing is to be had of it. `what` is what was to be made of it.
    pub(crate) fn array(context: &Context, array: &Array, what: &'static str) -> Result<Kept> {
        array.usable()?;
        let reach = Reach::to_array(context, array.context(), what)?;
        Ok(Kept { resource: Some(Resource::Array(array.clone())), reach })
    }

    /// The same for one with levels.
    pub(crate) fn mipmapped(context: &Context, array: &MipmappedArray, what: &'static str) -> Result<Kept> {
        array.usable()?;
        let reach = Reach::to_array(context, array.context(), what)?;
        Ok(Kept { resource: Some(Resource::Mipmapped(array.clone())), reach })
    }

    /// Whether kernels reach it now: the driver does not look at that for texture objects with levels, and crashes
    /// (measured).
    ///
    /// # Errors
    ///
    /// See [`Reach::demand_access`].
    pub(crate) fn demand_access(&self) -> Result<()> {
        self.reach.as_ref().map_or(Ok(()), Reach::demand_access)
    }

    /// Has the driver make something of it. If it is a peer's, nobody turns access on and off meanwhile.
    pub(crate) fn steadily<R>(&self, bind: impl FnOnce() -> R) -> R {
        if self.reach.is_some() { Reach::steadily(bind) } else { bind() }
    }

    pub(crate) fn linear(context: &Context, memory: &LinearMemory) -> Kept {
        let reach = Reach::to_memory(context, &memory.context);
        Kept { resource: Some(Resource::Memory(memory.owner.clone())), reach }
    }

    pub(crate) fn pitched(context: &Context, memory: &PitchedMemory) -> Kept {
        let reach = Reach::to_memory(context, &memory.context);
        Kept { resource: Some(Resource::Memory(memory.owner.clone())), reach }
    }

    /// Lets go of it without waiting: nothing was made of it, so that no kernel can use it.
    pub(crate) fn give_up(mut self) {
        if let Some(reach) = self.reach.take() {
            reach.give_up();
        }
    }

    /// Moves what is kept to a value of its own.
    pub(crate) fn take(&mut self) -> Kept {
        Kept { resource: self.resource.take(), reach: self.reach.take() }
    }

    pub(crate) fn resource(&self) -> Option<&Resource> {
        self.resource.as_ref()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.reach.is_some() && takes(|| self.take()) {
            return;
        }
        if let Some(Err(error)) = self.reach.take().map(Reach::release) {
            // A kernel may be sampling it: it stays for good.
            let _ = ManuallyDrop::new(self.resource.take());
            report(Err(error));
        }
    }
}
