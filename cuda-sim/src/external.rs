//! A stand-in for semaphores of other APIs, such as Vulkan.
//!
//! A test creates them in place of the other API, exports them to CUDA functions, and signals or reads them. Memory
//! needs no stand-in: as on hardware, memory of `cuMemCreate` can be imported through its file descriptor.
//!
//! ```
//! # #[cfg(target_os = "linux")] {
//! use cuda_sim::external::Semaphore;
//! use cuda_sys::*;
//! use std::os::fd::IntoRawFd;
//!
//! cuda_sim::install_once().unwrap();
//! let theirs = Semaphore::timeline(0).unwrap();
//!
//! let (mut context, mut semaphore) = (std::ptr::null_mut(), std::ptr::null_mut());
//! // SAFETY: all members may be zero.
//! let mut handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = unsafe { std::mem::zeroed() };
//! handle.type_ = CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
//! handle.handle.fd = theirs.export().unwrap().into_raw_fd();
//! // SAFETY: all members may be zero.
//! let mut params: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = unsafe { std::mem::zeroed() };
//! params.params.fence.value = 5;
//! // SAFETY: all pointers are valid. The driver takes the descriptor.
//! let codes = unsafe {
//!     [
//!         cuInit(0),
//!         cuCtxCreate_v2(&mut context, 0, 0),
//!         cuImportExternalSemaphore(&mut semaphore, &handle),
//!         cuSignalExternalSemaphoresAsync(&semaphore, &params, 1, std::ptr::null_mut()),
//!     ]
//! };
//! assert_eq!(codes, [CUresult::CUDA_SUCCESS; 4]);
//! assert!(theirs.wait(5));
//! # }
//! ```
//!
//! # Differences from other APIs
//!
//! - Semaphores are not bound to a device. No queue of the other API signals them or waits for them.
//! - The type of the handle must be that of the semaphore.
//! - They exist on Linux only.

use crate::driver::{Machine, SharedSemaphore};
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Semaphore of another API. Clones refer to the same semaphore.
#[derive(Clone)]
pub struct Semaphore(Arc<SharedSemaphore>);

impl Semaphore {
    fn new(is_binary: bool) -> Option<Semaphore> {
        SharedSemaphore::new(is_binary).map(|shared| Semaphore(Arc::new(shared)))
    }

    /// Creates a semaphore that is not signalled. Returns `None` if the system has no such semaphores.
    #[must_use]
    pub fn binary() -> Option<Semaphore> {
        Semaphore::new(true)
    }

    /// Creates a timeline semaphore with a number. Returns `None` if the system has no such semaphores.
    #[must_use]
    pub fn timeline(value: u64) -> Option<Semaphore> {
        let semaphore = Semaphore::new(false)?;
        semaphore.signal(value);
        Some(semaphore)
    }

    /// Returns a new file descriptor for CUDA to import. Returns `None` if the system has none left.
    #[cfg(unix)]
    #[must_use]
    pub fn export(&self) -> Option<OwnedFd> {
        self.0.export()
    }

    /// Returns the number of a timeline semaphore. For a binary semaphore, returns 1 if it is signalled, else 0.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.0.value()
    }

    /// Sets a timeline semaphore to `value`, or signals a binary one, as the other API does.
    pub fn signal(&self, value: u64) {
        self.0.signal(value);
    }

    /// Waits until a timeline semaphore is at least `value`, or a binary one is signalled. A binary semaphore is then
    /// reset. Work that is queued on the thread's machine progresses meanwhile. Returns false if no queued work signals
    /// the semaphore.
    #[must_use]
    pub fn wait(&self, value: u64) -> bool {
        let machine = Machine::current();
        loop {
            if self.0.take(value) {
                return true;
            }
            if !machine.do_signals(&self.0) {
                return self.0.take(value);
            }
        }
    }
}

impl core::fmt::Debug for Semaphore {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Semaphore").field("value", &self.value()).finish_non_exhaustive()
    }
}
