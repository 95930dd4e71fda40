//! What a reference is bound to: one record for all handles to it.

use super::retained::{Resource, RetainedResource};
use crate::array::{Array, MipmappedArray};
use crate::error::{Error, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is bound, by the names that the driver has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Array(usize),
    Mipmapped(usize),
    /// Memory, by its address as the driver tells it: what lies before a place where textures begin is left out.
    Memory(u64),
}

/// Something that is bound, or may be.
#[derive(Debug)]
pub(crate) struct Binding {
    target: Target,
    /// `None` for addresses, which nobody keeps.
    kept: Option<RetainedResource>,
    texels: Texels,
}

/// Which texels a reference may take its binding for, without reaching beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texels {
    /// Those of so many bytes; of no size at all if that is not known.
    Bytes(Option<usize>),
    /// Those of so many bytes at most, of which there are then fewer: the driver goes by the bytes of the line, but the first
    /// texel can always be read.
    AtMost(usize),
    /// Any: the caller has promised it.
    Any,
}

impl Binding {
    pub(crate) fn array(array: &Array, kept: RetainedResource) -> Binding {
        let texels = Texels::Bytes(array.descriptor().element_bytes());
        Binding { target: Target::Array(array.as_raw().addr()), kept: Some(kept), texels }
    }

    pub(crate) fn mipmapped(array: &MipmappedArray, kept: RetainedResource) -> Binding {
        let texels = Texels::Bytes(array.descriptor().element_bytes());
        Binding { target: Target::Mipmapped(array.as_raw().addr()), kept: Some(kept), texels }
    }

    pub(crate) fn memory(start: u64, kept: Option<RetainedResource>, texels: Texels) -> Binding {
        Binding { target: Target::Memory(start), kept, texels }
    }

    /// Lets go of what was never bound, without waiting for kernels.
    pub(crate) fn give_up(self) {
        if let Some(kept) = self.kept {
            kept.give_up();
        }
    }

    fn resource_of(&self, target: Target) -> Option<&Resource> {
        self.kept.as_ref().filter(|_| self.target == target)?.resource()
    }
}

/// What is not bound any more, or never was.
#[derive(Debug)]
#[must_use]
pub(crate) struct Unbound {
    before: Vec<Binding>,
    refused: Option<Binding>,
}

impl Unbound {
    /// To be called when nothing is locked and the thread is as it was: it may wait, run the hook, and run code of the
    /// program.
    pub(crate) fn release(self) {
        if let Some(refused) = self.refused {
            refused.give_up();
        }
        drop(self.before);
    }
}

/// What a reference is bound to, as far as this crate knows. Several only if it could not be told which of them.
///
/// The driver is called under the lock, so that the record tells the truth. A slot does not hold its module: that holds it,
/// and drops it after it was unloaded.
#[derive(Debug, Default)]
pub(crate) struct BindingSlot(Mutex<Vec<Binding>>);

/// Refuses texels of so many bytes, which could reach beyond what is bound.
#[cold]
fn wrong_size(bytes: usize, bound: Option<usize>) -> Error {
    let text = match bound {
        Some(bound) => {
            format!("texels of {bytes} bytes differ from those bound, of {bound} bytes; bind memory again")
        }
        None => {
            format!("texels of {bytes} bytes differ from those bound, of unknown size; bind memory again")
        }
    };
    Error::invalid("texture reference", format_args!("{text}"))
}

impl BindingSlot {
    fn lock(&self) -> MutexGuard<'_, Vec<Binding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `call` bind something. If it fails it may have done so nevertheless, since it may tell of an earlier failure:
    /// then `ask` says what is bound now, of the same kind. What may be bound is kept.
    pub(crate) fn bind<R>(
        &self,
        new: Binding,
        call: impl FnOnce() -> Result<R>,
        ask: impl FnOnce() -> Result<Option<Target>>,
    ) -> (Result<R>, Unbound) {
        let mut bindings = self.lock();
        let outcome = match &new.kept {
            Some(kept) => kept.steadily(call),
            None => call(),
        };
        let is_bound = match &outcome {
            Ok(_) => Some(true),
            Err(_) => match ask() {
                Ok(None) => Some(false),
                Ok(Some(found)) => {
                    let is_old = bindings.iter().any(|old| old.target == found);
                    // Memory may have been bound at the same address before.
                    (is_old != (new.target == found)).then_some(!is_old)
                }
                Err(_) => None,
            },
        };
        let mut unbound = Unbound { before: Vec::new(), refused: None };
        match is_bound {
            Some(true) => unbound.before = core::mem::replace(&mut *bindings, vec![new]),
            Some(false) => unbound.refused = Some(new),
            None => bindings.push(new),
        }
        (outcome, unbound)
    }

    /// Returns the array that is bound, as `ask` tells. `None` for one that this crate has not bound.
    pub(crate) fn array(&self, ask: impl FnOnce() -> Result<Option<Target>>) -> Result<Option<Array>> {
        let bindings = self.lock();
        let Some(target) = ask()? else { return Ok(None) };
        Ok(bindings.iter().find_map(|binding| match binding.resource_of(target) {
            Some(Resource::Array(array)) => Some(array.clone()),
            _ => None,
        }))
    }

    /// Does the same for an array with levels.
    pub(crate) fn mipmapped_array(
        &self,
        ask: impl FnOnce() -> Result<Option<Target>>,
    ) -> Result<Option<MipmappedArray>> {
        let bindings = self.lock();
        let Some(target) = ask()? else { return Ok(None) };
        Ok(bindings.iter().find_map(|binding| match binding.resource_of(target) {
            Some(Resource::Mipmapped(array)) => Some(array.clone()),
            _ => None,
        }))
    }

    /// Has `call` change what texels are taken for, unless they would reach beyond what is bound.
    pub(crate) fn retype(&self, texel_bytes: usize, call: impl FnOnce() -> Result<()>) -> Result<()> {
        let bindings = self.lock();
        for binding in &*bindings {
            match binding.texels {
                Texels::Bytes(bound) if bound != Some(texel_bytes) => {
                    return Err(wrong_size(texel_bytes, bound));
                }
                Texels::AtMost(bytes) if texel_bytes > bytes => {
                    return Err(wrong_size(texel_bytes, Some(bytes)));
                }
                Texels::Bytes(_) | Texels::AtMost(_) | Texels::Any => {}
            }
        }
        call()
    }
}
