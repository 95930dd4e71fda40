//! Occupancy: the number of blocks of a kernel that a device runs at a time.

#![allow(unsafe_code)]

mod sizes;

use super::Function;
use crate::error::{Code, Error, OrDetail, Result};
use crate::list::CollectVec;
use core::ffi::c_int;
use cuda_sys::{CUoccupancy_flags_enum as C, CUoccupancyB2DSize, Symbol};

flags! {
    /// Flags of occupancy queries.
    ///
    /// ```
    /// use cuda_rt::module::OccupancyFlags;
    ///
    /// assert_eq!(OccupancyFlags::default(), OccupancyFlags::DEFAULT);
    /// ```
    #[doc(alias = "CUoccupancy_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct OccupancyFlags {
        /// No flag: blocks as the device would run them.
        #[doc(alias = "CU_OCCUPANCY_DEFAULT")]
        const DEFAULT = C::CU_OCCUPANCY_DEFAULT.0;
        /// Global memory cached in any case, on devices where caching takes room. The result is 0 if no block fits then.
        #[doc(alias = "CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE")]
        const DISABLE_CACHING_OVERRIDE = C::CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// Block size that keeps a device busy. Returned by [`Function::max_potential_block_size`].
///
/// ```
/// # let (context, stream, module) = cuda_doc::module()?;
/// use cuda_rt::LaunchConfig;
///
/// let nothing = module.function("nothing")?;
/// let best = nothing.max_potential_block_size(0, None)?;
/// let config = LaunchConfig::for_elements(1_000_000, best.block_size);
/// # let kernel = nothing.typed::<()>()?;
/// # // SAFETY: the kernel touches nothing.
/// # unsafe { kernel.launch(config, &stream, ()) }?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PotentialBlockSize {
    /// Smallest number of blocks that fills the device.
    pub min_grid_size: u32,
    /// Threads of a block with which the most threads run at a time; 0 if no block fits.
    pub block_size: u32,
}

impl Function {
    /// Returns the number of blocks of `block_size` threads that a multiprocessor runs at a time. Wraps
    /// `cuOccupancyMaxActiveBlocksPerMultiprocessor`.
    ///
    /// Each block has `dynamic_shared_bytes` bytes of dynamic shared memory. The result is 0 if no block fits.
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the block has no threads.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// let threads = context.device().max_threads_per_multiprocessor()? as u32;
    /// assert_eq!(nothing.max_active_blocks_per_multiprocessor(1024, 0)?, threads / 1024);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyMaxActiveBlocksPerMultiprocessor")]
    pub fn max_active_blocks_per_multiprocessor(
        &self,
        block_size: u32,
        dynamic_shared_bytes: usize,
    ) -> Result<u32> {
        let _bound = self.context().bind(Symbol::cuOccupancyMaxActiveBlocksPerMultiprocessor)?;
        let (mut blocks, size, dynamic) = (0, number(block_size), sizes::MOST.min(dynamic_shared_bytes));
        // SAFETY: `blocks` is valid for a write; the module keeps the function live.
        unsafe {
            check!(cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, self.raw, size, dynamic,))
        }
        .or_detail(&[Code::InvalidValue], &|| describe_blocks(block_size, dynamic_shared_bytes))?;
        Ok(count(blocks))
    }

    /// Returns the number of blocks that a multiprocessor runs at a time, with flags. Wraps
    /// `cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags`.
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the block has no threads, or the driver does not know the flags.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::OccupancyFlags;
    ///
    /// let nothing = module.function("nothing")?;
    /// let flags = OccupancyFlags::DISABLE_CACHING_OVERRIDE;
    /// assert!(nothing.max_active_blocks_per_multiprocessor_with_flags(128, 0, flags)? > 1);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags")]
    pub fn max_active_blocks_per_multiprocessor_with_flags(
        &self,
        block_size: u32,
        dynamic_shared_bytes: usize,
        flags: OccupancyFlags,
    ) -> Result<u32> {
        let _bound = self.context().bind(Symbol::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)?;
        let (mut blocks, size, dynamic) = (0, number(block_size), sizes::MOST.min(dynamic_shared_bytes));
        // SAFETY: `blocks` is valid for a write; the module keeps the function live; the flags may be any number.
        unsafe {
            check!(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                &raw mut blocks,
                self.raw,
                size,
                dynamic,
                flags.bits(),
            ))
        }
        .or_detail(&[Code::InvalidValue], &|| {
            let blocks = describe_blocks(block_size, dynamic_shared_bytes);
            format!("{blocks}, flags {:#x}", flags.bits())
        })?;
        Ok(count(blocks))
    }

    /// Returns the block size with which the most threads of this kernel run at a time. Wraps `cuOccupancyMaxPotentialBlockSize`.
    ///
    /// Each block has `dynamic_shared_bytes` bytes of dynamic shared memory. No block has more threads than the limit. With
    /// `None`, only the kernel's own limit holds.
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the limit is 0, which drivers treat as no limit.
    /// - An earlier failure.
    #[doc(alias = "cuOccupancyMaxPotentialBlockSize")]
    pub fn max_potential_block_size(
        &self,
        dynamic_shared_bytes: usize,
        block_size_limit: Option<u32>,
    ) -> Result<PotentialBlockSize> {
        let limit = as_limit(block_size_limit)?;
        let _bound = self.context().bind(Symbol::cuOccupancyMaxPotentialBlockSize)?;
        let (mut grid, mut block) = (0, 0);
        let dynamic = sizes::MOST.min(dynamic_shared_bytes);
        // SAFETY: both are valid for a write; the module keeps the function live; no callback is passed.
        unsafe {
            check!(cuOccupancyMaxPotentialBlockSize(
                &raw mut grid,
                &raw mut block,
                self.raw,
                None,
                dynamic,
                limit,
            ))
        }
        .or_detail(&[Code::InvalidValue], &|| describe_search(dynamic_shared_bytes, block_size_limit))?;
        Ok(PotentialBlockSize { min_grid_size: count(grid), block_size: count(block) })
    }

    /// Returns the block size with which the most threads of this kernel run at a time, with flags. Wraps
    /// `cuOccupancyMaxPotentialBlockSizeWithFlags`.
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the limit is 0.
    /// - [`Code::InvalidValue`]: the driver does not know the flags.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::OccupancyFlags;
    ///
    /// let nothing = module.function("nothing")?;
    /// let best = nothing.max_potential_block_size_with_flags(0, Some(100), OccupancyFlags::DEFAULT)?;
    /// assert!(best.block_size <= 100);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyMaxPotentialBlockSizeWithFlags")]
    pub fn max_potential_block_size_with_flags(
        &self,
        dynamic_shared_bytes: usize,
        block_size_limit: Option<u32>,
        flags: OccupancyFlags,
    ) -> Result<PotentialBlockSize> {
        self.potential(None, dynamic_shared_bytes, block_size_limit, flags)
    }

    /// Returns the best block size of a kernel whose dynamic shared memory depends on the block size. Wraps
    /// `cuOccupancyMaxPotentialBlockSizeWithFlags`.
    ///
    /// `dynamic_shared_bytes` returns the amount for a number of threads. It is called before the driver, once for every number
    /// of threads from 1 to the largest possible one. So the closure may do anything, and a panic in it reaches the caller.
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the limit is 0. The closure is not called then.
    /// - [`Code::InvalidValue`]: the driver does not know the flags.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::OccupancyFlags;
    ///
    /// let nothing = module.function("nothing")?;
    /// // A kilobyte for each thread: 48 threads use all that a kernel may use without a raised limit.
    /// let bytes = |threads: u32| 1024 * threads as usize;
    /// let best = nothing.max_potential_block_size_variable(bytes, None, OccupancyFlags::DEFAULT)?;
    /// assert_eq!(best.block_size, 32);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuOccupancyMaxPotentialBlockSize", "CUoccupancyB2DSize"))]
    pub fn max_potential_block_size_variable(
        &self,
        dynamic_shared_bytes: impl FnMut(u32) -> usize,
        block_size_limit: Option<u32>,
        flags: OccupancyFlags,
    ) -> Result<PotentialBlockSize> {
        as_limit(block_size_limit)?;
        let most = u32::try_from(self.max_threads_per_block()?).unwrap_or(0);
        let most = block_size_limit.map_or(most, |limit| most.min(limit));
        let sizes: Vec<usize> = (1..=most).map(dynamic_shared_bytes).collect_vec();
        sizes::with(&sizes, |size| self.potential(size, 0, block_size_limit, flags))
    }

    fn potential(
        &self,
        size: CUoccupancyB2DSize,
        dynamic_shared_bytes: usize,
        block_size_limit: Option<u32>,
        flags: OccupancyFlags,
    ) -> Result<PotentialBlockSize> {
        let limit = as_limit(block_size_limit)?;
        let _bound = self.context().bind(Symbol::cuOccupancyMaxPotentialBlockSizeWithFlags)?;
        let (mut grid, mut block) = (0, 0);
        let dynamic = sizes::MOST.min(dynamic_shared_bytes);
        // SAFETY: both are valid for a write; the module keeps the function live. The callback, if there is one, accepts any
        // number, and makes no calls. The flags may be any number.
        unsafe {
            check!(cuOccupancyMaxPotentialBlockSizeWithFlags(
                &raw mut grid,
                &raw mut block,
                self.raw,
                size,
                dynamic,
                limit,
                flags.bits(),
            ))
        }
        .or_detail(&[Code::InvalidValue], &|| {
            let search = describe_search(dynamic_shared_bytes, block_size_limit);
            format!("{search}, flags {:#x}", flags.bits())
        })?;
        Ok(PotentialBlockSize { min_grid_size: count(grid), block_size: count(block) })
    }

    /// Returns the dynamic shared memory that each block can have if `blocks` blocks fit on a multiprocessor, in bytes. Wraps
    /// `cuOccupancyAvailableDynamicSMemPerBlock`.
    ///
    /// Each block has `block_size` threads. On `cuda-sim` the number of registers is an estimate. If registers limit the kernel,
    /// the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: so many blocks do not fit.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// let one = nothing.available_dynamic_shared_memory_per_block(1, 256)?;
    /// let eight = nothing.available_dynamic_shared_memory_per_block(8, 256)?;
    /// assert!(one > eight);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyAvailableDynamicSMemPerBlock")]
    pub fn available_dynamic_shared_memory_per_block(&self, blocks: u32, block_size: u32) -> Result<usize> {
        let _bound = self.context().bind(Symbol::cuOccupancyAvailableDynamicSMemPerBlock)?;
        let (mut bytes, blocks_number, size) = (0, number(blocks), number(block_size));
        // SAFETY: `bytes` is valid for a write; the module keeps the function live.
        unsafe {
            check!(cuOccupancyAvailableDynamicSMemPerBlock(&raw mut bytes, self.raw, blocks_number, size))
        }
        .or_detail(&[Code::InvalidValue], &|| format!("{blocks} blocks of {block_size} threads at a time"))?;
        Ok(bytes)
    }
}

/// Describes blocks for errors.
#[cold]
pub(crate) fn describe_blocks(threads: u32, dynamic: usize) -> String {
    format!("blocks of {threads} threads with {dynamic} bytes of dynamic shared memory")
}

/// Describes the blocks among which the best size is searched, for errors.
#[cold]
fn describe_search(dynamic: usize, limit: Option<u32>) -> String {
    match limit {
        Some(threads) => {
            format!("blocks of at most {threads} threads with {dynamic} bytes of dynamic shared memory")
        }
        None => format!("blocks with {dynamic} bytes of dynamic shared memory"),
    }
}

/// Returns a limit in the driver's form, in which 0 means no limit.
fn as_limit(limit: Option<u32>) -> Result<c_int> {
    match limit {
        Some(0) => {
            let text = "a limit of 0 threads is not at least 1, and drivers take it for no limit; use `None` for no limit";
            Err(Error::invalid("block size", format_args!("{text}")))
        }
        limit => Ok(number(limit.unwrap_or(0))),
    }
}

/// A number that does not fit exceeds every device.
fn number(value: u32) -> c_int {
    c_int::try_from(value).unwrap_or(c_int::MAX)
}

/// Converts a count of the driver, which is not negative.
pub(crate) fn count(value: c_int) -> u32 {
    u32::try_from(value).unwrap_or(0)
}
