//! The addresses of functions, asked for by name and release.

#![allow(unsafe_code)]

use super::{Answer, Call, address_of, put, put_if_wanted, twins};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_sys::{
    CUdriverProcAddress_flags_enum as Flags, CUdriverProcAddressQueryResult as Status, CUresult,
    DriverVersion, Symbol, cuuint64_t,
};

/// What is asked for.
struct Question<'name> {
    /// Without the number of the version.
    name: &'name CStr,
    /// The release that the program was written for.
    release: DriverVersion,
    per_thread: bool,
}

impl<'name> Question<'name> {
    /// # Safety
    ///
    /// `name` is null or a C string.
    unsafe fn new(
        call: &Call<'_>,
        name: *const c_char,
        release: c_int,
        flags: cuuint64_t,
    ) -> Answer<Question<'name>> {
        let legacy = u64::from(Flags::CU_GET_PROC_ADDRESS_LEGACY_STREAM.0);
        let per_thread = u64::from(Flags::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0);
        let release = DriverVersion(release);
        // A release beyond the driver's own is refused (measured).
        // Both flags at once are taken (measured).
        let known_flags = flags & !(legacy | per_thread) == 0;
        if name.is_null() || !known_flags || release > call.state.config.driver_version {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: not null, so a C string.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(Question { name, release, per_thread: flags & per_thread != 0 })
    }

    /// The function's newest version of the release. First versions that none of the releases that are
    /// simulated needs do not exist here, and count as versions that do not suffice.
    fn find(&self, driver: DriverVersion) -> Result<NonNull<c_void>, Status> {
        let name = self.name.to_str().unwrap_or_default();
        let versions = Symbol::all().filter(|symbol| base(symbol.name()) == name && symbol.since() <= driver);
        if versions.clone().next().is_none() {
            return Err(Status::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
        }
        let fitting = versions.filter(|symbol| symbol.since() <= self.release);
        let newest = fitting.max_by_key(|symbol| symbol.since());
        let symbol = newest.ok_or(Status::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)?;
        let twin = self.per_thread.then(|| twins::of(symbol, self.release)).flatten();
        Ok(twin.unwrap_or_else(|| address_of(symbol)))
    }
}

/// `cuMemAlloc` of `cuMemAlloc_v2`.
fn base(name: &str) -> &str {
    match name.rsplit_once("_v") {
        Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// The first version of the function, which answers `NOT_FOUND` for what it does not find.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn first(
    call: &mut Call<'_>,
    name: *const c_char,
    to: *mut *mut c_void,
    release: c_int,
    flags: cuuint64_t,
) -> Answer {
    // SAFETY: the program's promise.
    let found = unsafe { Question::new(call, name, release, flags) }?.find(call.state.config.driver_version);
    // Where nothing is found, nothing is written (measured).
    let address = found.map_err(|_| CUresult::CUDA_ERROR_NOT_FOUND)?;
    // SAFETY: the program's promise.
    unsafe { put(to, address.as_ptr()) }
}

/// What is not found is a null pointer and a status; the answer is success all the same (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn with_status(
    call: &mut Call<'_>,
    name: *const c_char,
    to: *mut *mut c_void,
    release: c_int,
    flags: cuuint64_t,
    status: *mut Status,
) -> Answer {
    // SAFETY: the program's promise.
    let found = unsafe { Question::new(call, name, release, flags) }?.find(call.state.config.driver_version);
    // SAFETY: the program's promise.
    unsafe { put(to, found.map_or(null_mut(), NonNull::as_ptr)) }?;
    // SAFETY: the program's promise; it may be left out.
    unsafe { put_if_wanted(status, found.err().unwrap_or(Status::CU_GET_PROC_ADDRESS_SUCCESS)) };
    Ok(())
}
