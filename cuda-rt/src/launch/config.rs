//! Shapes of launches.

use super::Kernel;
use crate::error::Result;
use crate::module::Function;

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
    /// Dynamic shared memory of each block, in bytes: see [`with_shared_bytes`](LaunchConfig::with_shared_bytes).
    #[doc(alias("sharedMemBytes", "shared"))]
    pub shared_bytes: u32,
}

impl LaunchConfig {
    /// Returns a shape of `blocks` blocks of `threads` threads, along x, without dynamic shared memory.
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

    /// Returns a shape with a thread for each of `elements`, in blocks of `threads`, along x.
    ///
    /// The last block may have threads without an element, so the kernel must compare its index.
    ///
    /// Without elements or without threads there are no blocks, which the driver refuses to launch. It also refuses more
    /// than 2³¹-1 blocks along x. A number of blocks that does not fit becomes `u32::MAX`.
    /// [`Function::config_for_elements`] lets the driver choose the number of threads.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// assert_eq!(LaunchConfig::for_elements(257, 256).grid, [2, 1, 1]);
    /// ```
    pub const fn for_elements(elements: usize, threads: u32) -> Self {
        Self::for_elements_3d([elements, 1, 1], [threads, 1, 1])
    }

    /// Returns a shape with a thread for each element of a plane, in blocks of `block` threads, along x and y.
    ///
    /// Same as [`for_elements`](LaunchConfig::for_elements) along each axis. The driver refuses more than 65535 blocks along y.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// // Width and height of a picture.
    /// let config = LaunchConfig::for_elements_2d([1920, 1080], [32, 8]);
    /// assert_eq!((config.grid, config.block), ([60, 135, 1], [32, 8, 1]));
    /// ```
    pub const fn for_elements_2d(elements: [usize; 2], block: [u32; 2]) -> Self {
        Self::for_elements_3d([elements[0], elements[1], 1], [block[0], block[1], 1])
    }

    /// Returns a shape with a thread for each element of a volume, in blocks of `block` threads, along x, y and z.
    ///
    /// Same as [`for_elements`](LaunchConfig::for_elements) along each axis. The driver refuses more than 65535 blocks along
    /// y or z, and blocks of more than 64 threads along z.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_rt::LaunchConfig;
    /// let config = LaunchConfig::for_elements_3d([100, 100, 10], [8, 8, 4]);
    /// assert_eq!((config.grid, config.block), ([13, 13, 3], [8, 8, 4]));
    /// ```
    pub const fn for_elements_3d(elements: [usize; 3], block: [u32; 3]) -> Self {
        let grid = [
            blocks_for(elements[0], block[0]),
            blocks_for(elements[1], block[1]),
            blocks_for(elements[2], block[2]),
        ];
        Self { grid, block, shared_bytes: 0 }
    }

    /// Sets the dimensions of the grid.
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

    /// Sets the dimensions of the blocks.
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

    /// Sets the bytes of dynamic shared memory of each block: `extern __shared__` in CUDA C. Memory that the kernel declares is
    /// not included.
    ///
    /// Every device has 48 KiB (49152 bytes) for a block, declared and dynamic together. For more, call
    /// [`set_max_dynamic_shared_bytes`](crate::Function::set_max_dynamic_shared_bytes) before the launch, up to the limit of the
    /// device. Otherwise the launch is refused.
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

/// Returns the number of blocks of `threads` threads with a thread for each of `elements`. A number that does not fit stays too
/// large.
const fn blocks_for(elements: usize, threads: u32) -> u32 {
    if threads == 0 {
        return 0;
    }
    let blocks = elements.div_ceil(threads as usize);
    if blocks > u32::MAX as usize { u32::MAX } else { blocks as u32 }
}

impl Function {
    /// Returns a shape with a thread for each of `elements` along x, in blocks of the size that keeps the device busiest.
    ///
    /// Each call queries the size by [`max_potential_block_size`](Function::max_potential_block_size), without dynamic shared
    /// memory and without a limit. The rest is [`LaunchConfig::for_elements`]: the last block may have threads without an
    /// element, and without elements there are no blocks.
    ///
    /// - The driver does not report a block size that the kernel requires (`.reqntid` in PTX). It refuses to launch such a kernel
    ///   with other blocks, so use [`LaunchConfig::for_elements`] with the required size.
    /// - If the kernel uses dynamic shared memory, call [`max_potential_block_size`](Function::max_potential_block_size) with its
    ///   bytes, and use [`LaunchConfig::for_elements`].
    /// - If no block fits on the device, the shape has no threads. The driver refuses to launch it.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// let config = nothing.config_for_elements(1_000_000)?;
    /// assert!(config.grid[0] * config.block[0] >= 1_000_000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "occupancy")]
    pub fn config_for_elements(&self, elements: usize) -> Result<LaunchConfig> {
        let best = self.max_potential_block_size(0, None)?;
        Ok(LaunchConfig::for_elements(elements, best.block_size))
    }
}

impl<A> Kernel<A> {
    /// Returns a shape with a thread for each of `elements` along x, in blocks of the size that keeps the device busiest.
    ///
    /// Same as [`Function::config_for_elements`]. It explains kernels with a required block size or dynamic shared memory.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry square(.param .u64 data, .param .u32 len) {
    /// #         .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %a<3>;
    /// #         ld.param.u64 %a0, [data]; ld.param.u32 %r0, [len];
    /// #         mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
    /// #         setp.ge.u32 %p, %r1, %r0; @%p ret;
    /// #         mul.wide.u32 %a1, %r1, 4; add.u64 %a2, %a0, %a1;
    /// #         ld.global.u32 %r4, [%a2]; mul.lo.u32 %r4, %r4, %r4; st.global.u32 [%a2], %r4; ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::{DeviceBuf, DevicePtr};
    ///
    /// // __global__ void square(unsigned *data, unsigned len)
    /// let square = module.function("square")?.typed::<(DevicePtr<u32>, u32)>()?;
    /// let data = DeviceBuf::from_host(&stream, &[7_u32; 3000])?;
    /// let config = square.config_for_elements(data.len())?;
    /// // SAFETY: the kernel changes the `len` elements of `data`, which lives on the same stream.
    /// unsafe { square.launch(config, &stream, (data.ptr(), 3000)) }?;
    /// assert_eq!(data.to_vec()?, [49; 3000]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "occupancy")]
    pub fn config_for_elements(&self, elements: usize) -> Result<LaunchConfig> {
        self.function().config_for_elements(elements)
    }
}
