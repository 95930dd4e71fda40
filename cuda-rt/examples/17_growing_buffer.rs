//! A buffer that grows without a copy: the program reserves addresses once, and maps memory as it needs more. The address of an
//! element never changes, so kernels can keep it.
//!
//! ```text
//! cargo run --release --example 17_growing_buffer
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::device::DeviceAttribute;
use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
use cuda_rt::{Context, Device, DeviceSliceMut, Result, Stream};

/// A list of numbers in device memory.
struct Growing {
    memory: VirtualMemory,
    /// The size of one mapping, in bytes.
    step: usize,
    len: usize,
}

impl Growing {
    /// Reserves addresses for `most_bytes` bytes, without memory.
    fn new(stream: &Stream, most_bytes: usize) -> Result<Growing> {
        let step =
            PhysicalMemory::recommended_granularity(stream.context().device(), PhysicalMemoryOptions::new())?;
        let memory = VirtualMemory::reserve(stream, most_bytes.next_multiple_of(step))?;
        Ok(Growing { memory, step, len: 0 })
    }

    /// Appends numbers.
    fn extend(&mut self, numbers: &[f32]) -> Result<()> {
        let (start, end) = (self.len, self.len + numbers.len());
        while self.memory.mapped_bytes() < end * size_of::<f32>() {
            self.grow()?;
        }
        self.memory.slice_mut::<f32>(start..end)?.copy_from_host(numbers)?;
        self.len += numbers.len();
        Ok(())
    }

    fn grow(&mut self) -> Result<()> {
        let device = self.memory.stream().context().device();
        let at = self.memory.mapped_bytes();
        self.memory.map(at, &PhysicalMemory::new(device, self.step, PhysicalMemoryOptions::new())?)?;
        self.memory.set_access(at..at + self.step, &[device], AccessFlags::READ_WRITE)
    }

    fn as_slice_mut(&mut self) -> Result<DeviceSliceMut<'_, f32>> {
        self.memory.slice_mut(..self.len)
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    if device.attribute(DeviceAttribute::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)? == 0 {
        println!("this device has no virtual memory management");
        return Ok(());
    }
    let stream = Stream::new(&Context::primary(device)?)?;
    let mut numbers = Growing::new(&stream, 1 << 30)?;
    let before = numbers.memory.ptr();
    let part: Vec<f32> = (0..500_000_u32).map(|number| number as f32).collect();
    for round in 1..=5 {
        numbers.extend(&part)?;
        println!(
            "{round}: {} numbers in {} MiB of {} MiB of addresses",
            numbers.len,
            numbers.memory.mapped_bytes() >> 20,
            numbers.memory.size_bytes() >> 20,
        );
    }
    assert_eq!(numbers.memory.ptr(), before);
    let all = numbers.as_slice_mut()?;
    let last = all.as_slice().slice(2_499_999..)?.to_vec()?;
    assert_eq!(last, [499_999.0]);
    println!("the last one is {last:?}");
    Ok(())
}
