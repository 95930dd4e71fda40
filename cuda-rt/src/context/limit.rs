//! The limits of a context.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Code, OrDetail, Result};
use core::fmt;
use cuda_sys::{CUlimit_enum as C, CUlimit_enum, Symbol};

/// Something that a context has only so much of: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses the ones it does not know, and may know others: make those
/// with `Limit(number)`.
///
/// ```
/// use cuda_rt::Limit;
///
/// assert_eq!(Limit::STACK_SIZE.to_string(), "STACK_SIZE");
/// assert_eq!(Limit(99).to_string(), "Limit(99)");
/// ```
#[doc(alias = "CUlimit")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(pub u32);

macro_rules! limits {
    ($($name:ident = $constant:ident $c_name:literal, $meaning:literal;)*) => {
        impl Limit {
            $(
                #[doc = $meaning]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self(C::$constant.0);
            )*

            /// All that CUDA 13.5 names, once each.
            ///
            /// # Examples
            ///
            /// ```
            /// # cuda_sim::install_once();
            /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
            /// for limit in cuda_rt::Limit::all() {
            ///     match context.limit(limit) {
            ///         Ok(value) => println!("{limit}: {value}"),
            ///         Err(error) => println!("{error}"),
            ///     }
            /// }
            /// # Ok::<(), cuda_rt::Error>(())
            /// ```
            pub fn all() -> impl ExactSizeIterator<Item = Limit> + Clone {
                NAMES.iter().map(|(limit, _)| *limit)
            }
        }

        static NAMES: &[(Limit, &str)] = &[$((Limit::$name, stringify!($name)),)*];
    };
}
limits! {
    STACK_SIZE = CU_LIMIT_STACK_SIZE "CU_LIMIT_STACK_SIZE", "Bytes of stack for each thread of a kernel.";
    PRINTF_FIFO_SIZE = CU_LIMIT_PRINTF_FIFO_SIZE "CU_LIMIT_PRINTF_FIFO_SIZE", "Bytes for what kernels print. To be set before the first kernel that prints.";
    MALLOC_HEAP_SIZE = CU_LIMIT_MALLOC_HEAP_SIZE "CU_LIMIT_MALLOC_HEAP_SIZE", "Bytes for what kernels allocate. To be set before the first kernel that allocates.";
    DEV_RUNTIME_SYNC_DEPTH = CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH", "How deep kernels may be nested that wait for those they launch. Not supported from compute capability 9.0 on.";
    DEV_RUNTIME_PENDING_LAUNCH_COUNT = CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT "CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT", "How many launches by kernels may be pending.";
    MAX_L2_FETCH_GRANULARITY = CU_LIMIT_MAX_L2_FETCH_GRANULARITY "CU_LIMIT_MAX_L2_FETCH_GRANULARITY", "Bytes that the L2 cache fetches at once, 0 to 128: a hint.";
    PERSISTING_L2_CACHE_SIZE = CU_LIMIT_PERSISTING_L2_CACHE_SIZE "CU_LIMIT_PERSISTING_L2_CACHE_SIZE", "Bytes of the L2 cache that are set aside for data that is to stay there.";
    SHMEM_SIZE = CU_LIMIT_SHMEM_SIZE "CU_LIMIT_SHMEM_SIZE", "Bytes of shared memory for each block, as a graphics interface uses them. Cannot be set (measured).";
    CIG_ENABLED = CU_LIMIT_CIG_ENABLED "CU_LIMIT_CIG_ENABLED", "Whether the context shares the GPU with a graphics interface. Cannot be set (measured).";
    CIG_SHMEM_FALLBACK_ENABLED = CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED "CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED", "Whether kernels with too much shared memory for that run all the same.";
    PER_BLOCK_MEMORY_SIZE = CU_LIMIT_PER_BLOCK_MEMORY_SIZE "CU_LIMIT_PER_BLOCK_MEMORY_SIZE", "Bytes of memory for each block. Unknown to drivers before CUDA 13.4.";
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(limit, _)| limit == self) {
            Some((_, name)) => formatter.pad(name),
            None => write!(formatter, "Limit({})", self.0),
        }
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Context {
    /// The present value of a limit. Wraps `cuCtxGetLimit`.
    ///
    /// # Errors
    ///
    /// [`Code::UnsupportedLimit`] if the device does not have it, [`Code::InvalidValue`] if this driver does not know it,
    /// or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// assert!(context.limit(cuda_rt::Limit::STACK_SIZE)? >= 512);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetLimit")]
    pub fn limit(&self, limit: Limit) -> Result<usize> {
        let _bound = self.bind(Symbol::cuCtxGetLimit)?;
        let mut value = 0;
        // SAFETY: `value` is valid for a write, the limit may be any number, and this context is current.
        unsafe { check!(cuCtxGetLimit(&raw mut value, CUlimit_enum(limit.0))) }
            .or_detail(&[Code::UnsupportedLimit, Code::InvalidValue], &|| format!("limit {limit}"))?;
        Ok(value)
    }

    /// Asks for a value of a limit. The driver rounds it, and raises it to the least that there is:
    /// [`limit`](Context::limit) tells what became of it. Wraps `cuCtxSetLimit`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if the value is too large or this driver does not know the limit,
    /// [`Code::UnsupportedLimit`] if the device does not have it, [`Code::NotPermitted`] for those that cannot be set,
    /// [`Code::OutOfMemory`], or an earlier failure. While this thread, or in the global mode any, captures a graph,
    /// [`Code::StreamCaptureUnsupported`], and the capture is lost (measured).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::Limit;
    ///
    /// context.set_limit(Limit::STACK_SIZE, 2000)?;
    /// assert!(context.limit(Limit::STACK_SIZE)? >= 2000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetLimit")]
    pub fn set_limit(&self, limit: Limit, value: usize) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetLimit)?;
        // SAFETY: the limit may be any number, and this context is current.
        let set = unsafe { check!(cuCtxSetLimit(CUlimit_enum(limit.0), value)) };
        set.or_detail(&[Code::InvalidValue, Code::OutOfMemory, Code::NotPermitted], &|| {
            format!("limit {limit}, value {value}")
        })
        .or_detail(&[Code::UnsupportedLimit], &|| format!("limit {limit}"))
    }
}
