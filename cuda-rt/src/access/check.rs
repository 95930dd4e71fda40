//! Looking at a launch's memory before it is launched.

use super::decide::Access;
use super::error::AccessError;
use super::origin::{AccessFacts, QueryPolicy};
use super::unverified::tell;
use super::{MemoryKind, MemoryOrigin, MemoryOwner, Viewpoint};
use crate::error::{Error, Result};
use crate::memory::DevicePtr;
use crate::module::Function;
use crate::module::function::access_check::AccessCheck;
use crate::stream::AsStream;
use core::cell::Cell;
use cuda_sys::Symbol;

/// What kernels that are looked up have from then on; and what those have that are looked up now.
///
/// Kernels that are there keep what they have. It is [`Relaxed`](AccessCheck::Relaxed) at first.
///
/// # Examples
///
/// ```standalone_crate
/// use cuda_rt::access::{AccessCheck, default_access_check, set_default_access_check};
///
/// let before = set_default_access_check(AccessCheck::Checked);
/// assert_eq!((before, default_access_check()), (AccessCheck::Relaxed, AccessCheck::Checked));
/// set_default_access_check(before);
/// ```
pub fn set_default_access_check(check: AccessCheck) -> AccessCheck {
    check.set_of_process()
}

/// What kernels have that are looked up now.
pub fn default_access_check() -> AccessCheck {
    AccessCheck::of_process()
}

/// One argument of a launch: which parameter it is for, its type, and where some of its memory comes from.
#[derive(Debug)]
pub struct Looked<'a> {
    pub(crate) parameter: usize,
    pub(crate) name: &'static str,
    pub(crate) origin: &'a MemoryOrigin<'a>,
}

/// Has arguments looked at before `call`: `arguments` calls what it is given with all the memory that they have.
///
/// The memory that is named by bare addresses stays allocated meanwhile.
pub(crate) fn look_at_launch(
    function: &Function,
    check: AccessCheck,
    stream: &impl AsStream,
    call: Symbol,
    arguments: impl FnOnce(&mut dyn FnMut(Looked<'_>)),
) -> Result<()> {
    let context = function.context();
    let mut refused: Option<Error> = None;
    let mut unverified: Vec<AccessError> = Vec::new();
    let is_captured = Cell::new(None);
    let by = QueryPolicy::Launch(stream.as_raw(), &is_captured);
    arguments(&mut |looked| {
        if refused.is_some() {
            return;
        }
        let outcome = match check {
            AccessCheck::Relaxed => texture(context.into(), looked.origin),
            _ => looked.origin.seen_from(context.into(), by).map(Some),
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
            let Looked { parameter, name, .. } = looked;
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
            // With nothing held, since they run a hook.
            unverified.iter().for_each(tell);
            Ok(())
        }
    }
}

/// An address without a word of whose it is.
pub(crate) fn bare(pointer: DevicePtr<()>) -> MemoryOrigin<'static> {
    MemoryOrigin::by_address(MemoryOwner::Unknown, pointer.as_raw())
}

/// Textures and surfaces of another context are of no use, and no way to have access to them is.
fn texture(place: Viewpoint<'_>, origin: &MemoryOrigin<'_>) -> Result<Option<AccessFacts>> {
    match origin.kind() {
        Some(MemoryKind::Texture) => origin.seen_from(place, QueryPolicy::Record).map(Some),
        _ => Ok(None),
    }
}
