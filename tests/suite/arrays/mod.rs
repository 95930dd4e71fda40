//! Arrays through the safe API: creation, copies, queries and destruction.

mod construct;
mod ends;
mod formats;
mod mapping;
mod queries;
mod refusals;
mod round_trips;

use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::error::Code;
use cuda_rt::{DeviceBuf, Result, Stream};

/// Returns whether arrays of the format are for hardware that encodes and decodes video.
fn is_video(format: ArrayFormat) -> bool {
    format.channel_bytes().or(format.block_bytes()).is_none() && format != ArrayFormat::UNORM_INT_101010_2
}

/// Returns a descriptor of each shape with these sizes.
fn shapes(size: [usize; 3], format: ArrayFormat, channels: u32) -> [ArrayDescriptor; 7] {
    let [width, height, depth] = size;
    [
        ArrayDescriptor::line(width, format, channels),
        ArrayDescriptor::plane(width, height, format, channels),
        ArrayDescriptor::volume(width, height, depth, format, channels),
        ArrayDescriptor::layered_line(width, depth, format, channels),
        ArrayDescriptor::layered_plane(width, height, depth, format, channels),
        ArrayDescriptor::cubemap(width, format, channels),
        ArrayDescriptor::layered_cubemap(width, depth, format, channels),
    ]
}

/// Returns the size of an element, or of a block, in bytes, and the number of them.
fn units(descriptor: &ArrayDescriptor) -> (usize, usize) {
    let unit = descriptor.format.block_bytes().or(descriptor.element_bytes()).unwrap();
    let [width, rows, slices] = descriptor.copy_size().unwrap();
    (unit, width / unit * rows * slices)
}

/// Returns bytes that differ from their neighbours. Another seed gives other bytes.
fn bytes(count: usize, seed: usize) -> Vec<u8> {
    (0..count).map(|index| ((index * 167 + index / 251 + seed * 59) % 256) as u8).collect()
}

/// Calls a function whose const parameter is the size of an element in bytes.
macro_rules! of_size {
    ($size:expr, $function:ident($($argument:expr),*)) => {
        match $size {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            4 => $function::<4>($($argument),*),
            8 => $function::<8>($($argument),*),
            16 => $function::<16>($($argument),*),
            other => panic!("elements of {other} bytes"),
        }
    };
}
use of_size;

/// Writes elements of `N` bytes and reads them back, by all functions that copy a whole array from
/// or to other memory.
fn round_trip<const N: usize>(array: &Array, elements: &[u8])
where
    [u8; N]: cuda_rt::bytemuck::Pod,
{
    let elements: &[[u8; N]] = cuda_rt::bytemuck::cast_slice(elements);
    let others = vec![[0x5a_u8; N]; elements.len()];
    array.copy_all_from_host(elements).unwrap();
    assert!(array.to_vec::<[u8; N]>().unwrap() == elements, "{array:?}: host to host");
    let mut on_device = DeviceBuf::from_host(array.stream(), &others).unwrap();
    array.copy_all_to_device(on_device.as_slice_mut()).unwrap();
    array.copy_all_from_host(&others).unwrap();
    assert!(on_device.to_vec().unwrap() == elements, "{array:?}: host to device");
    // Memory on another stream.
    on_device.move_to(&cuda_suite::stream()).unwrap();
    array.copy_all_from_device(on_device.as_slice()).unwrap();
    let mut back = others;
    array.copy_all_to_host(&mut back).unwrap();
    assert!(back == elements, "{array:?}: device to host");
}
