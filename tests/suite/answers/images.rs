//! Helpers of the questions about textures and surfaces.

use super::{Answers, CUresult, synchronize};
use cuda_suite::raw::{allocate, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const FLOAT: CUarray_format = CUarray_format::CU_AD_FORMAT_FLOAT;
pub(super) const BYTES: CUarray_format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
pub(super) const STORES: u32 = CUDA_ARRAY3D_SURFACE_LDST;

const PTX: &core::ffi::CStr = c".version 7.8 .target sm_90 .address_size 64
    .global .texref t; .global .surfref s;
    .visible .entry line(.param .u64 out, .param .u64 object, .param .u32 at) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r; .reg .f32 %f<4>;
        ld.param.u64 %a, [out]; ld.param.u64 %b, [object]; ld.param.u32 %r, [at];
        tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%b, {%r}]; st.global.f32 [%a], %f0; ret; }
    .visible .entry plane(.param .u64 out, .param .u64 object) {
        .reg .b64 %a; .reg .b64 %b; .reg .f32 %f<5>;
        ld.param.u64 %a, [out]; ld.param.u64 %b, [object]; mov.f32 %f4, 0f3F000000;
        tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%b, {%f4, %f4}]; st.global.f32 [%a], %f0; ret; }
    .visible .entry bound_line(.param .u64 out, .param .u32 at) {
        .reg .b64 %a; .reg .b32 %r; .reg .f32 %f<4>;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [at];
        tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r}]; st.global.f32 [%a], %f0; ret; }
    .visible .entry bound_plane(.param .u64 out) {
        .reg .b64 %a; .reg .f32 %f<5>;
        ld.param.u64 %a, [out]; mov.f32 %f4, 0f3F000000;
        tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f4}]; st.global.f32 [%a], %f0; ret; }
    .visible .entry load(.param .u64 out, .param .u64 object) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r<2>;
        ld.param.u64 %a, [out]; ld.param.u64 %b, [object]; mov.u32 %r0, 0;
        suld.b.2d.b32.trap {%r1}, [%b, {%r0, %r0}]; st.global.u32 [%a], %r1; ret; }
    .visible .entry store(.param .u64 out, .param .u64 object) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r<2>;
        ld.param.u64 %a, [out]; ld.param.u64 %b, [object]; mov.u32 %r0, 0; mov.b32 %r1, 0f40E00000;
        sust.b.2d.b32.trap [%b, {%r0, %r0}], {%r1}; st.global.u32 [%a], %r1; ret; }
    .visible .entry bound_load(.param .u64 out) {
        .reg .b64 %a; .reg .b32 %r<2>;
        ld.param.u64 %a, [out]; mov.u32 %r0, 0;
        suld.b.2d.b32.zero {%r1}, [s, {%r0, %r0}]; st.global.u32 [%a], %r1; ret; }
    .visible .entry width(.param .u64 out, .param .u64 object) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r; .reg .f32 %f;
        ld.param.u64 %a, [out]; ld.param.u64 %b, [object];
        txq.width.b32 %r, [%b]; cvt.rn.f32.u32 %f, %r; st.global.f32 [%a], %f; ret; }";

/// Kernels of a context that read one texel, and the references of their module.
pub(super) struct Kernels {
    pub(super) module: CUmodule,
    pub(super) texture: CUtexref,
    pub(super) surface: CUsurfref,
    out: CUdeviceptr,
}

impl Kernels {
    /// In the current context. The texture reference reads points of numbers.
    pub(super) fn new() -> Self {
        let (mut module, mut texture, mut surface) = (null_mut(), null_mut(), null_mut());
        call!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast()));
        call!(cuModuleGetTexRef(&raw mut texture, module, c"t".as_ptr()));
        call!(cuModuleGetSurfRef(&raw mut surface, module, c"s".as_ptr()));
        Self { module, texture, surface, out: allocate(16) }
    }

    pub(super) fn launch(&self, name: &core::ffi::CStr, on: CUstream, params: &[u64]) -> CUresult {
        let mut function = null_mut();
        let found = code!(cuModuleGetFunction(&raw mut function, self.module, name.as_ptr()));
        if !found.is_success() {
            return found;
        }
        try_launch(function, 1, on, &[&[self.out], params].concat())
    }

    /// Adds the words that a kernel finds, or the answer of its launch or of waiting for it.
    pub(super) fn find(&self, answers: &mut Answers, name: &core::ffi::CStr, params: &[u64]) {
        let launched = self.launch(name, null_mut(), params);
        let done = synchronize();
        if !launched.is_success() || !done.is_success() {
            answers.value(format!("{}/{}", launched.0, done.0));
            return;
        }
        let mut value = 0.0_f32;
        call!(cuMemcpyDtoH_v2((&raw mut value).cast(), self.out, 4));
        answers.value(value);
    }
}

pub(super) fn described(size: [usize; 3], flags: u32) -> CUDA_ARRAY3D_DESCRIPTOR {
    let [width, height, depth] = size;
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: FLOAT,
        NumChannels: 1,
        Flags: flags,
    }
}

pub(super) fn array_of(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> CUarray {
    let mut array = null_mut();
    call!(cuArray3DCreate_v2(&raw mut array, descriptor));
    array
}

/// An array of 4 x 4 of this number.
pub(super) fn array(value: f32, flags: u32) -> CUarray {
    let array = array_of(&described([4, 4, 0], flags));
    fill_array(array, value);
    array
}

fn fill_array(array: CUarray, value: f32) {
    let texels = [value; 16];
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: texels.as_ptr().cast(),
        srcPitch: 16,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        dstArray: array,
        WidthInBytes: 16,
        Height: 4,
        ..CUDA_MEMCPY2D::default()
    };
    call!(cuMemcpy2D_v2(&raw const copy));
}

/// The first texel, copied to the host.
pub(super) fn first_texel(answers: &mut Answers, array: CUarray) {
    let mut value = 0.0_f32;
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        srcArray: array,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: (&raw mut value).cast(),
        WidthInBytes: 4,
        Height: 1,
        ..CUDA_MEMCPY2D::default()
    };
    let code = code!(cuMemcpy2D_v2(&raw const copy));
    answers.given(code, value);
}

/// Levels of 4 x 4, 2 x 2 and one, the first of this number.
pub(super) fn levels(value: f32) -> CUmipmappedArray {
    let mut mipmapped = null_mut();
    call!(cuMipmappedArrayCreate(&raw mut mipmapped, &described([4, 4, 0], 0), 3));
    fill_array(level(mipmapped), value);
    mipmapped
}

/// The first level.
pub(super) fn level(mipmapped: CUmipmappedArray) -> CUarray {
    let mut level = null_mut();
    call!(cuMipmappedArrayGetLevel(&raw mut level, mipmapped, 0));
    level
}

/// Memory of this number, a page of it.
pub(super) fn numbers(value: f32) -> CUdeviceptr {
    let memory = allocate(4096);
    call!(cuMemsetD32_v2(memory, value.to_bits(), 1024));
    assert!(synchronize().is_success());
    memory
}

fn of_type(kind: CUresourcetype) -> CUDA_RESOURCE_DESC {
    CUDA_RESOURCE_DESC { resType: kind, ..CUDA_RESOURCE_DESC::default() }
}

pub(super) fn of_array(array: CUarray) -> CUDA_RESOURCE_DESC {
    let mut resource = of_type(CUresourcetype::CU_RESOURCE_TYPE_ARRAY);
    resource.res.array.hArray = array;
    resource
}

pub(super) fn of_levels(mipmapped: CUmipmappedArray) -> CUDA_RESOURCE_DESC {
    let mut resource = of_type(CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
    resource.res.mipmap.hMipmappedArray = mipmapped;
    resource
}

pub(super) fn of_line(
    address: CUdeviceptr,
    bytes: usize,
    format: CUarray_format,
    channels: u32,
) -> CUDA_RESOURCE_DESC {
    let mut resource = of_type(CUresourcetype::CU_RESOURCE_TYPE_LINEAR);
    resource.res.linear.devPtr = address;
    resource.res.linear.format = format;
    resource.res.linear.numChannels = channels;
    resource.res.linear.sizeInBytes = bytes;
    resource
}

/// Rows of numbers: from where on, width, height, pitch.
pub(super) fn of_rows(address: CUdeviceptr, [width, height, pitch]: [usize; 3]) -> CUDA_RESOURCE_DESC {
    let mut resource = of_type(CUresourcetype::CU_RESOURCE_TYPE_PITCH2D);
    resource.res.pitch2D.devPtr = address;
    resource.res.pitch2D.format = FLOAT;
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    resource
}

/// A texture object that is read as this says, seen as that says.
pub(super) fn texture_as(
    resource: &CUDA_RESOURCE_DESC,
    reading: &CUDA_TEXTURE_DESC,
    view: Option<&CUDA_RESOURCE_VIEW_DESC>,
) -> (CUresult, CUtexObject) {
    let mut object = 77;
    let view = view.map_or(null(), std::ptr::from_ref);
    (code!(cuTexObjectCreate(&raw mut object, resource, reading, view)), object)
}

pub(super) fn texture(resource: &CUDA_RESOURCE_DESC) -> (CUresult, CUtexObject) {
    texture_as(resource, &CUDA_TEXTURE_DESC::default(), None)
}

pub(super) fn surface(resource: &CUDA_RESOURCE_DESC) -> (CUresult, CUsurfObject) {
    let mut object = 77;
    (code!(cuSurfObjectCreate(&raw mut object, resource)), object)
}

/// A texture object that there must be.
pub(super) fn texture_of(array: CUarray) -> CUtexObject {
    let (code, object) = texture(&of_array(array));
    assert!(code.is_success());
    object
}

/// A surface object that there must be.
pub(super) fn surface_of(array: CUarray) -> CUsurfObject {
    let (code, object) = surface(&of_array(array));
    assert!(code.is_success());
    object
}

/// Adds the answers to whether a texture object, and a surface object, of the current context have this number.
pub(super) fn are_known(answers: &mut Answers, number: u64) {
    let mut found = CUDA_RESOURCE_DESC::default();
    answers.codes([
        code!(cuTexObjectGetResourceDesc(&raw mut found, number)),
        code!(cuSurfObjectGetResourceDesc(&raw mut found, number)),
    ]);
}

pub(super) fn destroy_texture(object: CUtexObject) -> CUresult {
    code!(cuTexObjectDestroy(object))
}

pub(super) fn destroy_surface(object: CUsurfObject) -> CUresult {
    code!(cuSurfObjectDestroy(object))
}

pub(super) fn destroy_array(array: CUarray) -> CUresult {
    code!(cuArrayDestroy(array))
}

/// Binds an array with its own format.
pub(super) fn bind(reference: CUtexref, array: CUarray) -> CUresult {
    code!(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT))
}

pub(super) fn bind_surface(reference: CUsurfref, array: CUarray) -> CUresult {
    code!(cuSurfRefSetArray(reference, array, 0))
}

pub(super) fn bind_levels(reference: CUtexref, mipmapped: CUmipmappedArray) -> CUresult {
    code!(cuTexRefSetMipmappedArray(reference, mipmapped, CU_TRSA_OVERRIDE_FORMAT))
}
