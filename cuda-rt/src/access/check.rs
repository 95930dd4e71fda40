//! Checks of the memory of a launch's arguments, before the launch.

use super::AccessCheck;
use super::decide::Access;
use super::error::AccessError;
use super::origin::{AccessFacts, QueryPolicy};
use super::unverified::tell;
use super::{MemoryKind, MemoryOrigin, MemoryOwner, Viewpoint};
use crate::error::{Error, Result};
use crate::memory::DevicePtr;
use crate::module::Function;

use core::cell::Cell;
use cuda_sys::{CUstream, Symbol};

/// Memory that an argument of a launch names.
#[derive(Debug)]
pub struct AccessProbe<'a> {
    /// The number of the parameter, from 0.
    pub(crate) parameter: usize,
    /// The type of the argument.
    pub(crate) name: &'static str,
    pub(crate) origin: &'a MemoryOrigin<'a>,
    /// True if the argument names the owner of the memory.
    pub(crate) is_owned: bool,
}

/// Function that calls a visitor with all memory that arguments name.
pub(crate) type AccessProbes<'a> = dyn Fn(&mut dyn FnMut(AccessProbe<'_>)) + 'a;

/// Checks the memory of arguments before `call`. `arguments` passes all memory that the arguments name to its visitor.
///
/// Memory that bare addresses name must stay allocated meanwhile.
pub(crate) fn check_access(
    function: &Function,
    check: AccessCheck,
    (stream, is_capturing): (CUstream, Option<bool>),
    call: Symbol,
    arguments: &AccessProbes<'_>,
) -> Result<()> {
    let context = function.context();
    let mut refused: Option<Error> = None;
    let mut unverified: Vec<AccessError> = Vec::new();
    let is_captured = Cell::new(is_capturing);
    let by = QueryPolicy::Launch(stream, &is_captured);
    arguments(&mut |probe| {
        if probe.origin.is_own(context.into()) || refused.is_some() {
            return;
        }
        let outcome = match check {
            AccessCheck::Relaxed => texture(context.into(), probe.origin),
            _ => probe.origin.seen_from(context.into(), by).map(Some),
        };
        let finding = match outcome {
            Ok(None) => return,
            Ok(Some(finding)) => finding,
            Err(error) => {
                refused = Some(error);
                return;
            }
        };
        let is_refused = match (check, finding.access) {
            (AccessCheck::Strict, access) => !finding.is_own || access != Access::Accessible,
            (_, access) => access == Access::Inaccessible,
        };
        let error = || {
            let AccessProbe { parameter, name, .. } = probe;
            AccessError::new(function, parameter, name, check, finding)
        };
        if is_refused {
            refused = Some(error().into_error());
        } else if finding.access == Access::Unverified {
            unverified.push(error());
        }
    });
    match refused {
        Some(error) => Err(error.before(call)),
        None => {
            // Called with nothing locked, because these run a hook.
            unverified.iter().for_each(tell);
            Ok(())
        }
    }
}

/// Returns the origin of memory from its address alone.
pub(crate) fn origin_of_address(pointer: DevicePtr<()>) -> MemoryOrigin<'static> {
    MemoryOrigin::by_address(MemoryOwner::Unknown, pointer.as_raw())
}

/// Refuses textures and surfaces of another context: kernels cannot use them, whatever access exists.
fn texture(place: Viewpoint<'_>, origin: &MemoryOrigin<'_>) -> Result<Option<AccessFacts>> {
    match origin.kind() {
        Some(MemoryKind::Texture) => origin.seen_from(place, QueryPolicy::Record).map(Some),
        _ => Ok(None),
    }
}
