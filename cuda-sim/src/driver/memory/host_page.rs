//! The size of the pages in which the host maps memory, and of all its memory.

#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
use core::ffi::{c_int, c_long};

/// Returns the size of a page of the host, in bytes. Systems on aarch64 have pages of 4, 16 or 64 KiB.
#[cfg(target_os = "linux")]
pub(crate) fn host_page() -> u64 {
    const PAGE_SIZE: c_int = 30;
    configured(PAGE_SIZE).filter(|size| size.is_power_of_two()).unwrap_or(SMALLEST)
}

/// Returns the size of the host's memory, in bytes. Returns the largest number if the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn host_bytes() -> u64 {
    const PAGES: c_int = 85;
    configured(PAGES).map_or(u64::MAX, |pages| pages.saturating_mul(host_page()))
}

/// Returns a property of the system.
#[cfg(target_os = "linux")]
fn configured(name: c_int) -> Option<u64> {
    // A function of the C library, declared here because this crate needs nothing else of `libc`.
    unsafe extern "C" {
        fn sysconf(name: c_int) -> c_long;
    }
    // SAFETY: the function accepts any number.
    let value = unsafe { sysconf(name) };
    u64::try_from(value).ok()
}

/// Returns the size of a page of the host, in bytes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn host_page() -> u64 {
    SMALLEST
}

/// Returns the largest number, because this system has no mapped memory of the host.
#[cfg(not(target_os = "linux"))]
pub(crate) fn host_bytes() -> u64 {
    u64::MAX
}

/// Unit of the page sizes of all hosts.
const SMALLEST: u64 = 4096;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn host_bytes_are_those_of_the_system() {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let kibibytes = total.and_then(|rest| rest.split_ascii_whitespace().next()?.parse::<u64>().ok());
        assert_eq!(kibibytes.map(|kibibytes| kibibytes << 10), Some(host_bytes()));
    }

    /// The auxiliary vector of the system has the same size.
    #[test]
    fn host_page_is_of_the_auxiliary_vector() {
        const PAGE_SIZE: usize = 6;
        let vector = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let words: Vec<usize> = vector.as_chunks().0.iter().map(|word| usize::from_ne_bytes(*word)).collect();
        let found = words.as_chunks().0.iter().find(|[key, _]| *key == PAGE_SIZE);
        assert_eq!(found.map(|[_, size]| *size as u64), Some(host_page()));
    }
}
