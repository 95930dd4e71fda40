//! Addresses of functions by name and release.

#![allow(unsafe_code)]

use super::address_of;
use crate::collections::SmallMap;
use crate::driver::entry_points::{stubs, unbound_exports};
use crate::driver::{Answer, Call, put, put_if_wanted};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{NonNull, null_mut};
use cuda_sys::{
    CUdriverProcAddress_flags_enum as Flags, CUdriverProcAddressQueryResult as Status, CUresult,
    DriverVersion, Symbol, cuuint64_t,
};
use std::sync::LazyLock;

/// Query for an address.
struct AddressQuery<'name> {
    /// Name without the version number.
    name: &'name CStr,
    /// Release for which the program was written.
    release: DriverVersion,
    per_thread: bool,
}

impl<'name> AddressQuery<'name> {
    /// # Safety
    ///
    /// `name` is null or a C string.
    unsafe fn new(
        call: &Call<'_>,
        name: *const c_char,
        release: c_int,
        flags: cuuint64_t,
    ) -> Answer<AddressQuery<'name>> {
        let legacy = u64::from(Flags::CU_GET_PROC_ADDRESS_LEGACY_STREAM.0);
        let per_thread = u64::from(Flags::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0);
        let release = DriverVersion(release);
        // Both flags at once are valid (measured).
        let known_flags = flags & !(legacy | per_thread) == 0;
        // Drivers from 13.0 on refuse a release beyond their own. Older drivers, at least up to 12.5, return the newest
        // version that they have (conformance fact P21).
        let driver = call.state.config.driver_version;
        let beyond = driver >= DriverVersion::new(13, 0) && release > driver;
        if name.is_null() || !known_flags || beyond {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: not null, so a C string.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(AddressQuery { name, release, per_thread: flags & per_thread != 0 })
    }

    /// Returns the function's newest version of the release, or the per-thread twin of that version. Six drivers from
    /// 11.4 to 13.0 answer in this way for every name (conformance fact P22).
    fn find(&self, driver: DriverVersion) -> Result<NonNull<c_void>, Status> {
        let versions = VERSIONS.get(self.name.to_str().unwrap_or_default()).map_or(&[][..], Vec::as_slice);
        let mut there = versions.iter().filter(|version| version.since <= driver).peekable();
        if there.peek().is_none() {
            return Err(Status::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
        }
        // If a function has twins, a query for the per-thread default stream finds only the twins, from their release
        // on.
        let twins = self.per_thread && versions.iter().any(|version| version.twin.is_some());
        let functions = there.filter(|version| !twins || version.twin.is_some()).map(|version| {
            let twin = version.twin.as_ref().filter(|_| twins);
            let introduced = twin.map_or(version.introduced, |twin| twin.since);
            (version.introduced, introduced, version, twin)
        });
        let fitting = functions.filter(|(_, introduced, ..)| self.has(*introduced));
        let newest = fitting.max_by_key(|(introduced, ..)| *introduced);
        let (.., version, twin) = newest.ok_or(Status::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)?;
        Ok(twin.map_or_else(|| (version.address)(), |twin| (twin.address)()))
    }

    /// Returns whether the requested release includes a given one. Negative numbers count as the greatest (conformance
    /// fact P21).
    fn has(&self, since: DriverVersion) -> bool {
        since.0.cast_unsigned() <= self.release.0.cast_unsigned()
    }
}

/// One version of a function.
struct Version {
    /// First driver for this system that has it.
    since: DriverVersion,
    /// Release that it belongs to.
    introduced: DriverVersion,
    address: Address,
    twin: Option<Twin>,
}

/// Per-thread twin of the version.
struct Twin {
    since: DriverVersion,
    address: Address,
}

type Address = Box<dyn Fn() -> NonNull<c_void> + Send + Sync>;

/// Versions of each function, by its name without a version.
static VERSIONS: LazyLock<SmallMap<&'static str, Vec<Version>>> = LazyLock::new(|| {
    let mut versions: SmallMap<&'static str, Vec<Version>> = SmallMap::default();
    let address = |symbol| -> Address { Box::new(move || address_of(symbol)) };
    let twins: Vec<Symbol> = Symbol::all().filter_map(Symbol::per_thread_twin).collect();
    for symbol in Symbol::all().filter(|symbol| symbol.is_on_this_system() && !twins.contains(symbol)) {
        let since = symbol.since();
        // Drivers for Linux have had it later than drivers for Windows, and report the older release (conformance fact
        // P22).
        let introduced = if symbol == Symbol::cuDeviceGetLuid { DriverVersion::new(10, 0) } else { since };
        let twin = symbol.per_thread_twin().map(|twin| Twin { since: twin.since(), address: address(twin) });
        let version = Version { since, introduced, address: address(symbol), twin };
        versions.get_or_insert(symbol.base_name(), Vec::new()).push(version);
    }

    // Functions without bindings.
    let others: Vec<(&str, &'static CStr, DriverVersion)> = unbound_exports::askable()
        .filter_map(|(name, since)| Some((name.to_str().ok()?, name, since)))
        .filter(|(text, ..)| Symbol::from_name(text).is_none())
        .collect();
    let address = |name| -> Address {
        Box::new(move || unbound_exports::address_of(name).unwrap_or_else(stubs::nothing))
    };
    for &(text, name, since) in others.iter().filter(|(text, ..)| !text.ends_with("_ptsz")) {
        let twin = others.iter().find(|(twin, ..)| twin.strip_suffix("_ptsz") == Some(text));
        let twin = twin.map(|&(_, name, since)| Twin { since, address: address(name) });
        let base = text.rsplit_once("_v").map_or(text, |(base, _)| base);
        let version = Version { since, introduced: since, address: address(name), twin };
        versions.get_or_insert(base, Vec::new()).push(version);
    }
    versions
});

/// Implements the first version of the function, which returns `NOT_FOUND` for an unknown name.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn first(
    call: &mut Call<'_>,
    name: *const c_char,
    to: *mut *mut c_void,
    release: c_int,
    flags: cuuint64_t,
) -> Answer {
    // SAFETY: the program's promise.
    let found =
        unsafe { AddressQuery::new(call, name, release, flags) }?.find(call.state.config.driver_version);
    // For an unknown name, nothing is written (measured).
    let address = found.map_err(|_| CUresult::CUDA_ERROR_NOT_FOUND)?;
    // SAFETY: the program's promise.
    unsafe { put(to, address.as_ptr()) }
}

/// Implements the second version. For an unknown name, it writes a null pointer and a status, and returns success
/// (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn with_status(
    call: &mut Call<'_>,
    name: *const c_char,
    to: *mut *mut c_void,
    release: c_int,
    flags: cuuint64_t,
    status: *mut Status,
) -> Answer {
    // SAFETY: the program's promise.
    let found =
        unsafe { AddressQuery::new(call, name, release, flags) }?.find(call.state.config.driver_version);
    // SAFETY: the program's promise.
    unsafe { put(to, found.map_or(null_mut(), NonNull::as_ptr)) }?;
    // SAFETY: the program's promise; the parameter may be null.
    unsafe { put_if_wanted(status, found.err().unwrap_or(Status::CU_GET_PROC_ADDRESS_SUCCESS)) };
    Ok(())
}
