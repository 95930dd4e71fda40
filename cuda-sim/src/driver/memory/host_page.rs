//! The size of the pages in which the host maps memory.

#![allow(unsafe_code)]

/// Returns the size of a page of the host, in bytes. Systems on aarch64 have pages of 4, 16 or 64 KiB.
#[cfg(target_os = "linux")]
pub(crate) fn host_page() -> u64 {
    use core::ffi::{c_int, c_long};

    const PAGE_SIZE: c_int = 30;
    // A function of the C library, declared here because this crate needs nothing else of `libc`.
    unsafe extern "C" {
        fn sysconf(name: c_int) -> c_long;
    }
    // SAFETY: the function accepts any number.
    let size = unsafe { sysconf(PAGE_SIZE) };
    u64::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(SMALLEST)
}

/// Returns the size of a page of the host, in bytes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn host_page() -> u64 {
    SMALLEST
}

/// Unit of the page sizes of all hosts.
const SMALLEST: u64 = 4096;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

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
