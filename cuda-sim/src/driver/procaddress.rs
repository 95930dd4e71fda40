//! The addresses of functions, asked for by name and release.

#![allow(unsafe_code)]

use super::{Answer, Call, address_of, others, put, put_if_wanted};
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
        // Both flags at once are taken (measured).
        let known_flags = flags & !(legacy | per_thread) == 0;
        // A release beyond the driver's own is refused by drivers from 13.0 on; older ones, up to 12.5 at least,
        // answer with what they have (measured: P21).
        let driver = call.state.config.driver_version;
        let beyond = driver >= DriverVersion::new(13, 0) && release > driver;
        if name.is_null() || !known_flags || beyond {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: not null, so a C string.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(Question { name, release, per_thread: flags & per_thread != 0 })
    }

    /// The function's newest version of the release, or that version's per-thread twin. Seven drivers from 11.4 to
    /// 13.0 answer like this for every name (measured: P22).
    fn find(&self, driver: DriverVersion) -> Result<NonNull<c_void>, Status> {
        let name = self.name.to_str().unwrap_or_default();
        let is_twin = |symbol: &str| symbol.ends_with("_ptds") || symbol.ends_with("_ptsz");
        let versions = || exported(driver).filter(|(symbol, _)| base(symbol) == name && !is_twin(symbol));
        if versions().next().is_none() {
            return Err(Status::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
        }
        let fitting = versions().filter(|(_, since)| self.has(*since));
        let (newest, _) = fitting
            .max_by_key(|(_, since)| *since)
            .ok_or(Status::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)?;
        let is_its_twin = |symbol: &str| {
            is_twin(symbol) && symbol.strip_prefix(newest).is_some_and(|suffix| suffix.len() == 5)
        };
        let twin = exported(driver).find(|(symbol, since)| is_its_twin(symbol) && self.has(*since));
        let symbol = twin.filter(|_| self.per_thread).map_or(newest, |(twin, _)| twin);
        address(symbol).ok_or(Status::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
    }

    /// Whether the release that was asked for has what came with another. Negative ones count as the greatest of all
    /// (measured: P21).
    fn has(&self, since: DriverVersion) -> bool {
        since.0.cast_unsigned() <= self.release.0.cast_unsigned()
    }
}

/// The names that a driver of this release exports, each with the release that introduced it.
fn exported(driver: DriverVersion) -> impl Iterator<Item = (&'static str, DriverVersion)> {
    let symbols = Symbol::all().filter(|symbol| symbol.is_on_this_system());
    let symbols = symbols.map(|symbol| (symbol.name(), symbol.since()));
    let others = others::askable().filter_map(|(name, since)| Some((name.to_str().ok()?, since)));
    let others = others.filter(|(name, _)| Symbol::from_name(name).is_none());
    symbols.chain(others).filter(move |(_, since)| *since <= driver)
}

fn address(name: &'static str) -> Option<NonNull<c_void>> {
    match Symbol::from_name(name) {
        Some(symbol) => Some(address_of(symbol)),
        None => others::askable()
            .find(|(other, _)| other.to_str() == Ok(name))
            .and_then(|(name, _)| others::address_of(name)),
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
