//! Adds up numbers on a device. Numbers go up in chunks, on a stream of their own, from page-locked memory.

#![allow(unsafe_code)] // the launch

use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, PinnedBuf, Result, Stream};

/// The kernel `sum`: each thread adds its number to the total.
pub const PTX: &str = "
    .version 6.4
    .target sm_50
    .address_size 64
    .visible .entry sum(.param .u64 numbers, .param .u32 count, .param .u64 total) {
        .reg .b64 %at, %offset, %total, %value;
        .reg .b32 %i, %block, %threads, %count, %number;
        .reg .pred %outside;
        ld.param.u32 %count, [count];
        mov.u32 %block, %ctaid.x;
        mov.u32 %threads, %ntid.x;
        mov.u32 %i, %tid.x;
        mad.lo.u32 %i, %block, %threads, %i;
        setp.ge.u32 %outside, %i, %count;
        @%outside ret;
        ld.param.u64 %at, [numbers];
        ld.param.u64 %total, [total];
        mul.wide.u32 %offset, %i, 4;
        add.u64 %at, %at, %offset;
        ld.global.u32 %number, [%at];
        cvt.u64.u32 %value, %number;
        red.global.add.u64 [%total], %value;
        ret;
    }";

/// The kernel with its argument types: numbers, their count, the total.
pub type SumKernel = Kernel<(DevicePtr<u32>, u32, DevicePtr<u64>)>;

/// The most numbers of one upload.
pub const CHUNK: u32 = 1 << 20;

/// The kernel and the streams that add up numbers on a device.
#[derive(Debug)]
pub struct DeviceSum {
    uploads: Stream,
    work: Stream,
    kernel: SumKernel,
}

impl DeviceSum {
    /// Loads the kernel, and creates the streams.
    ///
    /// # Errors
    ///
    /// A failure of the driver.
    pub fn new(context: &Context) -> Result<DeviceSum> {
        Ok(DeviceSum {
            uploads: Stream::new(context)?,
            work: Stream::new(context)?,
            kernel: Module::from_ptx(context, PTX)?.function("sum")?.typed()?,
        })
    }

    /// Returns the sum of the numbers. Waits for the device.
    ///
    /// # Errors
    ///
    /// A failure of the driver.
    pub fn sum(&self, numbers: &[u32]) -> Result<u64> {
        let total = DeviceBuf::<u64>::zeroed(&self.work, 1)?;
        for chunk in numbers.chunks(CHUNK as usize) {
            self.add(chunk, &total)?;
        }
        Ok(total.to_vec()?[0])
    }

    /// Adds up to [`CHUNK`] numbers to the total.
    fn add(&self, chunk: &[u32], total: &DeviceBuf<u64>) -> Result<()> {
        let staging = PinnedBuf::from_slice(self.uploads.context(), chunk)?;
        let mut numbers = DeviceBuf::<u32>::uninit(&self.uploads, chunk.len())?;
        let upload = numbers.copy_from_pinned(staging)?;

        // The kernel comes after the upload, and the release of `numbers` after the kernel.
        let input = numbers.use_on(&self.work)?;
        let config = LaunchConfig::for_elements(chunk.len(), 64);
        let arguments = (input.ptr(), chunk.len() as u32, total.ptr());
        // SAFETY: the kernel reads as many numbers as `numbers` has, which the guard orders, and writes the one of `total`, which
        // lives on this stream.
        unsafe { self.kernel.launch(config, &self.work, arguments) }?;
        input.close()?;

        upload.wait()?;
        Ok(())
    }
}
