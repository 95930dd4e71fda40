//! How many threads.

/// The shape of a launch.
///
/// ```
/// use cuda_rt::LaunchConfig;
///
/// let config = LaunchConfig::for_elements(1000, 256);
/// assert_eq!((config.grid, config.block), ([4, 1, 1], [256, 1, 1]));
/// // Tuples become arrays.
/// assert_eq!(config, LaunchConfig { grid: (4, 1, 1).into(), block: (256, 1, 1).into(), shared_bytes: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaunchConfig {
    /// Blocks in the grid, along x, y and z.
    pub grid: [u32; 3],
    /// Threads in a block, along x, y and z.
    pub block: [u32; 3],
    /// Shared memory that each block gets besides what the kernel declares, in bytes: see
    /// [`with_shared_bytes`](LaunchConfig::with_shared_bytes).
    #[doc(alias("sharedMemBytes", "shared"))]
    pub shared_bytes: u32,
}

impl LaunchConfig {
    /// This many blocks of this many threads, along x, without further shared memory.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// let config = LaunchConfig::new(4, 256);
    /// assert_eq!((config.grid, config.block), ([4, 1, 1], [256, 1, 1]));
    /// ```
    pub const fn new(blocks: u32, threads: u32) -> Self {
        Self { grid: [blocks, 1, 1], block: [threads, 1, 1], shared_bytes: 0 }
    }

    /// A thread for each of `elements`, in blocks of `threads`; the last block may have some too many,
    /// so the kernel must compare its index.
    ///
    /// Without elements or without threads there are no blocks, which the driver refuses to launch, and
    /// so it refuses more than 2³¹-1 blocks. A number that does not fit becomes `u32::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// assert_eq!(LaunchConfig::for_elements(257, 256).grid, [2, 1, 1]);
    /// ```
    pub const fn for_elements(elements: usize, threads: u32) -> Self {
        let blocks = match elements.checked_div(threads as usize) {
            None => 0,
            Some(full) => full + (full * threads as usize != elements) as usize,
        };
        // Too many stay too many.
        let blocks = if blocks > u32::MAX as usize { u32::MAX } else { blocks as u32 };
        Self::new(blocks, threads)
    }

    /// The same with a grid of other dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// assert_eq!(LaunchConfig::new(1, 256).with_grid(4, 2, 1).grid, [4, 2, 1]);
    /// ```
    #[must_use]
    pub const fn with_grid(self, x: u32, y: u32, z: u32) -> Self {
        Self { grid: [x, y, z], ..self }
    }

    /// The same with blocks of other dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// assert_eq!(LaunchConfig::new(9, 1).with_block(16, 16, 1).block, [16, 16, 1]);
    /// ```
    #[must_use]
    pub const fn with_block(self, x: u32, y: u32, z: u32) -> Self {
        Self { block: [x, y, z], ..self }
    }

    /// The same with this many bytes of shared memory besides what the kernel declares: `extern __shared__` in CUDA C,
    /// dynamic shared memory.
    ///
    /// Every device has 48 KiB (49152 bytes) for a block, declared and dynamic together. For more, the kernel has to be
    /// allowed it before it is launched, by [`set_max_dynamic_shared_bytes`](crate::Function::set_max_dynamic_shared_bytes),
    /// up to what the device has: see there. Otherwise the launch is refused.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// assert_eq!(LaunchConfig::new(9, 256).with_shared_bytes(1024).shared_bytes, 1024);
    /// ```
    #[must_use]
    #[doc(alias("sharedMemBytes", "dynamic shared memory"))]
    pub const fn with_shared_bytes(self, bytes: u32) -> Self {
        Self { shared_bytes: bytes, ..self }
    }
}
