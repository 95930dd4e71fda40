//! Textures and surfaces: arrays, references and objects through the raw API, and reads by kernels.
//!
//! Expected values come from the formulas of the CUDA programming guide, computed here. Coordinates are chosen such
//! that the eight fraction bits of the hardware's weights hold them exactly, and products of two of them.

mod all_formats;
mod arrays;
mod blocks;
mod compiled;
mod copies;
mod formats;
mod levels;
mod model;
mod references;
mod sampling;
mod surfaces;
mod sweep;

use super::{Arg, Device};
use crate::alone;
use cuda_sys::*;
use std::ptr::null_mut;

/// Calls a driver function with the suite's context current, and gives its answer.
macro_rules! driver {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let context = cuda_suite::context();
        let entered = context.enter().unwrap();
        // SAFETY: the tests hand in live handles, or such as the driver must refuse, and pointers to live values.
        let answer = unsafe { cuda_sys::$name($($argument),*) };
        drop(entered);
        answer
    }};
}

/// The same, for calls that must succeed.
macro_rules! must {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let answer = driver!($name($($argument),*));
        assert!(answer.is_success(), "{}: {answer}", stringify!($name));
    }};
}
use {driver, must};

/// Returns whether this is the software driver: tests of behaviour that hardware leaves open run on it alone.
fn software() -> bool {
    matches!(cuda_suite::driver(), cuda_suite::Choice::Sim)
}

/// The number of an answer.
fn code(answer: CUresult) -> u32 {
    answer.0
}

/// A descriptor of an array; zeros are dimensions that there are not.
fn descriptor(
    size: [usize; 3],
    format: CUarray_format,
    channels: u32,
    flags: u32,
) -> CUDA_ARRAY3D_DESCRIPTOR {
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: size[0],
        Height: size[1],
        Depth: size[2],
        Format: format,
        NumChannels: channels,
        Flags: flags,
    }
}

fn channel_bytes(format: CUarray_format) -> usize {
    match format {
        CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8 | CUarray_format::CU_AD_FORMAT_SIGNED_INT8 => 1,
        CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32
        | CUarray_format::CU_AD_FORMAT_SIGNED_INT32
        | CUarray_format::CU_AD_FORMAT_FLOAT => 4,
        _ => 2,
    }
}

/// An array that is destroyed in the end.
struct Array {
    handle: CUarray,
    descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    owned: bool,
}

impl Array {
    fn new(descriptor: CUDA_ARRAY3D_DESCRIPTOR) -> Self {
        let mut handle = null_mut();
        must!(cuArray3DCreate_v2(&raw mut handle, &raw const descriptor));
        Self { handle, descriptor, owned: true }
    }

    /// An array with these bytes: rows without gaps.
    fn with(descriptor: CUDA_ARRAY3D_DESCRIPTOR, bytes: &[u8]) -> Self {
        let array = Self::new(descriptor);
        array.write(bytes);
        array
    }

    fn texel_bytes(&self) -> usize {
        channel_bytes(self.descriptor.Format) * self.descriptor.NumChannels as usize
    }

    /// Width in bytes, height, depth.
    fn extent(&self) -> [usize; 3] {
        let CUDA_ARRAY3D_DESCRIPTOR { Width: width, Height: height, Depth: depth, .. } = self.descriptor;
        [width * self.texel_bytes(), height.max(1), depth.max(1)]
    }

    fn copy(&self) -> CUDA_MEMCPY3D {
        let [width, height, depth] = self.extent();
        CUDA_MEMCPY3D {
            WidthInBytes: width,
            Height: height,
            Depth: depth,
            srcPitch: width,
            srcHeight: height,
            dstPitch: width,
            dstHeight: height,
            ..CUDA_MEMCPY3D::default()
        }
    }

    fn write(&self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.extent().iter().product::<usize>());
        let mut copy = self.copy();
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.srcHost = bytes.as_ptr().cast();
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.dstArray = self.handle;
        must!(cuMemcpy3D_v2(&raw const copy));
    }

    fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0_u8; self.extent().iter().product()];
        let mut copy = self.copy();
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.srcArray = self.handle;
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.dstHost = bytes.as_mut_ptr().cast();
        must!(cuMemcpy3D_v2(&raw const copy));
        bytes
    }

    fn resource(&self) -> CUDA_RESOURCE_DESC {
        let mut resource = CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_ARRAY, ..empty() };
        resource.res.array.hArray = self.handle;
        resource
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if self.owned {
            must!(cuArrayDestroy(self.handle));
        }
    }
}

/// A mipmapped array that is destroyed in the end.
struct Mipmapped(CUmipmappedArray);

impl Mipmapped {
    fn new(descriptor: CUDA_ARRAY3D_DESCRIPTOR, levels: u32) -> Self {
        let mut handle = null_mut();
        must!(cuMipmappedArrayCreate(&raw mut handle, &raw const descriptor, levels));
        Self(handle)
    }

    fn level(&self, level: u32) -> Array {
        let mut handle = null_mut();
        must!(cuMipmappedArrayGetLevel(&raw mut handle, self.0, level));
        let mut descriptor = CUDA_ARRAY3D_DESCRIPTOR::default();
        must!(cuArray3DGetDescriptor_v2(&raw mut descriptor, handle));
        Array { handle, descriptor, owned: false }
    }

    fn resource(&self) -> CUDA_RESOURCE_DESC {
        let kind = CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        let mut resource = CUDA_RESOURCE_DESC { resType: kind, ..empty() };
        resource.res.mipmap.hMipmappedArray = self.0;
        resource
    }
}

impl Drop for Mipmapped {
    fn drop(&mut self) {
        must!(cuMipmappedArrayDestroy(self.0));
    }
}

fn empty() -> CUDA_RESOURCE_DESC {
    CUDA_RESOURCE_DESC::default()
}

/// Linear memory as a resource.
fn linear(address: u64, bytes: usize, format: CUarray_format, channels: u32) -> CUDA_RESOURCE_DESC {
    let mut resource = CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_LINEAR, ..empty() };
    resource.res.linear = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
        devPtr: address,
        format,
        numChannels: channels,
        sizeInBytes: bytes,
    };
    resource
}

/// Rows of memory as a resource: width and height in texels, and the pitch.
fn pitched(address: u64, size: [usize; 3], format: CUarray_format, channels: u32) -> CUDA_RESOURCE_DESC {
    let mut resource = CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_PITCH2D, ..empty() };
    let [width, height, pitch] = size;
    resource.res.pitch2D = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
        devPtr: address,
        format,
        numChannels: channels,
        width,
        height,
        pitchInBytes: pitch,
    };
    resource
}

/// A texture descriptor with the same mode in all dimensions.
fn reading(mode: CUaddress_mode, filter: CUfilter_mode, flags: u32) -> CUDA_TEXTURE_DESC {
    CUDA_TEXTURE_DESC { addressMode: [mode; 3], filterMode: filter, flags, ..CUDA_TEXTURE_DESC::default() }
}

const WRAP: CUaddress_mode = CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP;
const CLAMP: CUaddress_mode = CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP;
const MIRROR: CUaddress_mode = CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR;
const BORDER: CUaddress_mode = CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER;
const POINT: CUfilter_mode = CUfilter_mode::CU_TR_FILTER_MODE_POINT;
const LINEAR: CUfilter_mode = CUfilter_mode::CU_TR_FILTER_MODE_LINEAR;
const FLOAT: CUarray_format = CUarray_format::CU_AD_FORMAT_FLOAT;

/// A texture object that is destroyed in the end.
struct Texture(CUtexObject);

impl Texture {
    fn new(resource: &CUDA_RESOURCE_DESC, texture: &CUDA_TEXTURE_DESC) -> Self {
        Self::viewed(resource, texture, None)
    }

    fn viewed(
        resource: &CUDA_RESOURCE_DESC,
        texture: &CUDA_TEXTURE_DESC,
        view: Option<&CUDA_RESOURCE_VIEW_DESC>,
    ) -> Self {
        let mut object = 0;
        let view = view.map_or(std::ptr::null(), std::ptr::from_ref);
        must!(cuTexObjectCreate(&raw mut object, resource, texture, view));
        Self(object)
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        must!(cuTexObjectDestroy(self.0));
    }
}

/// A surface object that is destroyed in the end.
struct Surface(CUsurfObject);

impl Surface {
    fn new(array: &Array) -> Self {
        let mut object = 0;
        let resource = array.resource();
        must!(cuSurfObjectCreate(&raw mut object, &raw const resource));
        Self(object)
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        must!(cuSurfObjectDestroy(self.0));
    }
}

/// A kernel whose threads each take eight words (`%r0` to `%r7`, and as numbers `%f0` to `%f7`), and give four
/// (`%x0` to `%x3`). The object is `%d0`; `t` and `s` are references.
struct Threads {
    device: Device,
}

/// The input of a thread.
type Input = [u32; 8];

impl Threads {
    fn new(body: &str) -> Self {
        let mut text = String::from(
            ".version 9.0\n.target sm_90\n.address_size 64\n.global .texref t; .global .surfref s;\n\
             .visible .entry k(.param .b64 object, .param .b64 in, .param .b64 out, .param .b32 count)\n{\n\
             .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b32 %x<4>; .reg .b64 %d<8>; .reg .pred %q<4>;\n\
             .reg .b32 %i<4>; .reg .b16 %h<8>; .reg .f32 %g<4>;\n\
             ld.param.b64 %d0, [object]; ld.param.b64 %d1, [in]; ld.param.b64 %d2, [out];\n\
             ld.param.b32 %i0, [count]; mov.u32 %i1, %tid.x; setp.ge.u32 %q0, %i1, %i0; @%q0 ret;\n\
             mul.wide.u32 %d3, %i1, 32; add.s64 %d1, %d1, %d3;\n\
             mul.wide.u32 %d3, %i1, 16; add.s64 %d2, %d2, %d3;\n",
        );
        for index in 0..8 {
            text += &format!("ld.global.b32 %r{index}, [%d1+{}]; mov.b32 %f{index}, %r{index};\n", 4 * index);
        }
        for index in 0..4 {
            text += &format!("mov.u32 %x{index}, 0xdead;\n");
        }
        text += body;
        text += "\nst.global.v4.b32 [%d2], {%x0, %x1, %x2, %x3};\nret;\n}\n";
        Self { device: Device::new(&text) }
    }

    /// A single instruction whose four results are `%x0` to `%x3`.
    fn sampling(instruction: &str, rest: &str) -> Self {
        Self::new(&format!("{instruction} {{%x0, %x1, %x2, %x3}}, {rest};"))
    }

    fn run(&mut self, object: u64, inputs: &[Input]) -> Vec<[u32; 4]> {
        assert!(inputs.len() <= 1024);
        let words: Vec<u32> = inputs.iter().flatten().copied().collect();
        let input = self.device.alloc_u32(&words);
        let output = self.device.alloc_u32(&vec![0; 4 * inputs.len()]);
        let count = Arg::U32(inputs.len() as u32);
        let args = [Arg::U64(object), Arg::Buffer(input), Arg::Buffer(output), count];
        let threads = (inputs.len() as u32).next_multiple_of(32);
        self.device.run("k", [1, 1, 1], [threads, 1, 1], &args);
        let words = self.device.u32s(output);
        words.as_chunks::<4>().0.iter().take(inputs.len()).copied().collect()
    }

    /// The first result as a number, for each of the coordinates.
    fn numbers(&mut self, object: u64, coordinates: &[[f32; 3]]) -> Vec<f32> {
        let inputs: Vec<Input> = coordinates
            .iter()
            .map(|[x, y, z]| [x.to_bits(), y.to_bits(), z.to_bits(), 0, 0, 0, 0, 0])
            .collect();
        self.run(object, &inputs).into_iter().map(|[x, ..]| f32::from_bits(x)).collect()
    }

    fn texture_reference(&self) -> CUtexref {
        let mut reference = null_mut();
        must!(cuModuleGetTexRef(&raw mut reference, self.device.module(), c"t".as_ptr()));
        reference
    }

    fn surface_reference(&self) -> CUsurfref {
        let mut reference = null_mut();
        must!(cuModuleGetSurfRef(&raw mut reference, self.device.module(), c"s".as_ptr()));
        reference
    }
}

/// The bytes of numbers.
fn float_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn word_bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A value for every texel that differs from its neighbours', a whole number below 256.
fn patterned(count: usize) -> Vec<f32> {
    (0..count).map(|index| ((index * 89 + index / 7 * 31) % 251) as f32).collect()
}

fn close(found: f32, expected: f64, what: &dyn std::fmt::Debug) {
    // Filters sum with less than single precision on some hardware.
    let tolerance = expected.abs().max(1.0) * 1e-5;
    assert!((f64::from(found) - expected).abs() <= tolerance, "{what:?}: {found} instead of {expected}");
}

/// The value of a model at these coordinates, as near as filtering has it.
fn sampled(found: f32, model: &model::Model<'_>, at: [f32; 3], what: &dyn std::fmt::Debug) {
    close(found, model.fetch(at), what);
}
