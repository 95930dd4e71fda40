//! Binding of a reference: one record for all handles to it.

use super::retained::{Resource, RetainedResource};
use crate::array::{Array, MipmappedArray};
use crate::error::{Error, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bound object, by the driver's name for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Array(usize),
    Mipmapped(usize),
    /// Memory, by its address as the driver reports it: the beginning of the texture, without an offset.
    Memory(u64),
}

/// Object that is bound, or may be.
#[derive(Debug)]
pub(crate) struct Binding {
    target: Target,
    /// `None` for raw addresses, whose memory this crate does not keep alive.
    kept: Option<RetainedResource>,
    texels: Texels,
}

/// Sizes of texels that a reference may use without reaching beyond its binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texels {
    /// Texels of this many bytes; of no size at all if it is unknown.
    Bytes(Option<usize>),
    /// Texels of at most this many bytes. Larger texels mean fewer of them: the driver uses the bytes of the line, but the first
    /// texel can always be read.
    AtMost(usize),
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

    /// Releases a binding that was never made, without waiting for kernels.
    pub(crate) fn release_unused(self) {
        if let Some(kept) = self.kept {
            kept.release_unused();
        }
    }

    fn resource_of(&self, target: Target) -> Option<&Resource> {
        self.kept.as_ref().filter(|_| self.target == target)?.resource()
    }
}

/// Binding that was replaced, or never made.
#[derive(Debug)]
#[must_use]
pub(crate) struct Unbound {
    before: Vec<Binding>,
    refused: Option<Binding>,
}

impl Unbound {
    /// Releases the binding. Must be called when nothing is locked and the state of the thread is restored: it may wait, run the
    /// hook, and run code of the program.
    pub(crate) fn release(self) {
        if let Some(refused) = self.refused {
            refused.release_unused();
        }
        drop(self.before);
    }
}

/// Binding of a reference, as far as this crate knows. Several entries only if it is unknown which of them is bound.
///
/// The driver is called under the lock, so that the record is right. A slot does not keep its module alive: the module owns the
/// slot, and drops it after it was unloaded.
#[derive(Debug, Default)]
pub(crate) struct BindingSlot(Mutex<Vec<Binding>>);

/// Refuses texels of this size, which could reach beyond the bound memory.
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

/// Refuses texels of this size, which are larger than the bound line of memory.
#[cold]
fn beyond_line(bytes: usize, line: usize) -> Error {
    Error::invalid(
        "texture reference",
        format_args!("texels of {bytes} bytes exceed the bound line of {line} bytes; bind memory again"),
    )
}

impl BindingSlot {
    fn lock(&self) -> MutexGuard<'_, Vec<Binding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `call`, which binds an object. If it fails, it may have bound the object nevertheless, because it may report an
    /// earlier failure: then `ask` queries the present binding of the same kind. Objects that may be bound are kept alive.
    pub(crate) fn bind<R>(
        &self,
        new: Binding,
        call: &dyn Fn() -> Result<R>,
        ask: &dyn Fn() -> Result<Option<Target>>,
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

    /// Returns the bound array, as `ask` reports it. `None` for an array that this crate has not bound.
    pub(crate) fn array(&self, ask: impl FnOnce() -> Result<Option<Target>>) -> Result<Option<Array>> {
        let bindings = self.lock();
        let Some(target) = ask()? else { return Ok(None) };
        Ok(bindings.iter().find_map(|binding| match binding.resource_of(target) {
            Some(Resource::Array(array)) => Some(array.clone()),
            _ => None,
        }))
    }

    /// Returns the bound mipmapped array, as `ask` reports it.
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

    /// Runs `call`, which changes the size of texels, unless texels would reach beyond the bound memory.
    pub(crate) fn retype(&self, texel_bytes: usize, call: impl FnOnce() -> Result<()>) -> Result<()> {
        let bindings = self.lock();
        for binding in &*bindings {
            match binding.texels {
                Texels::Bytes(bound) if bound != Some(texel_bytes) => {
                    return Err(wrong_size(texel_bytes, bound));
                }
                Texels::AtMost(bytes) if texel_bytes > bytes => {
                    return Err(beyond_line(texel_bytes, bytes));
                }
                Texels::Bytes(_) | Texels::AtMost(_) => {}
            }
        }
        call()
    }
}
