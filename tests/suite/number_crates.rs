//! Numbers of other crates: arguments of kernels whose types are aligned more strictly, and elements of buffers.

use crate::typed;
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::{KernelArg, PackedArgs};
use cuda_rt::{DeviceBuf, DevicePtr, Function, LaunchConfig, Module};
use cuda_suite::{context, stream};
use glam::{IVec2, Mat4, UVec4, Vec2, Vec3, Vec4};
use half::{bf16, f16};
use num_complex::Complex;

/// Kernels that take a byte before the numbers, and copy the numbers to `out`.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
// (char n, float2 v, float2 *out)
.visible .entry two(.param .u8 n, .param .align 8 .b8 v[8], .param .u64 out) {
    .reg .b64 %out; .reg .b32 %x, %y;
    ld.param.u64 %out, [out]; ld.param.v2.u32 {%x, %y}, [v]; st.global.v2.u32 [%out], {%x, %y}; ret; }
// (char n, float3 v, float3 *out)
.visible .entry three(.param .u8 n, .param .align 4 .b8 v[12], .param .u64 out) {
    .reg .b64 %out; .reg .b32 %x;
    ld.param.u64 %out, [out]; ld.param.u32 %x, [v]; st.global.u32 [%out], %x;
    ld.param.u32 %x, [v+4]; st.global.u32 [%out+4], %x; ld.param.u32 %x, [v+8]; st.global.u32 [%out+8], %x; ret; }
// (char n, float4 v, float4 *out)
.visible .entry four(.param .u8 n, .param .align 16 .b8 v[16], .param .u64 out) {
    .reg .b64 %out; .reg .b32 %x, %y, %z, %w;
    ld.param.u64 %out, [out]; ld.param.v4.u32 {%x, %y, %z, %w}, [v]; st.global.v4.u32 [%out], {%x, %y, %z, %w}; ret; }
// (char n, struct { float4 column[4]; } v, float4 *out)
.visible .entry matrix(.param .u8 n, .param .align 16 .b8 v[64], .param .u64 out) {
    .reg .b64 %out; .reg .b32 %x, %y, %z, %w;
    ld.param.u64 %out, [out];
    ld.param.v4.u32 {%x, %y, %z, %w}, [v]; st.global.v4.u32 [%out], {%x, %y, %z, %w};
    ld.param.v4.u32 {%x, %y, %z, %w}, [v+16]; st.global.v4.u32 [%out+16], {%x, %y, %z, %w};
    ld.param.v4.u32 {%x, %y, %z, %w}, [v+32]; st.global.v4.u32 [%out+32], {%x, %y, %z, %w};
    ld.param.v4.u32 {%x, %y, %z, %w}, [v+48]; st.global.v4.u32 [%out+48], {%x, %y, %z, %w}; ret; }
// (char n, __half2 v, __half2 *out)
.visible .entry halves(.param .u8 n, .param .align 4 .b8 v[4], .param .u64 out) {
    .reg .b64 %out; .reg .b32 %x; ld.param.u64 %out, [out]; ld.param.u32 %x, [v]; st.global.u32 [%out], %x; ret; }
// (char n, __half v, __half *out)
.visible .entry half(.param .u8 n, .param .align 2 .b8 v[2], .param .u64 out) {
    .reg .b64 %out; .reg .b16 %x; ld.param.u64 %out, [out]; ld.param.u16 %x, [v]; st.global.u16 [%out], %x; ret; }
";

fn function(name: &str) -> Function {
    Module::from_ptx(&context(), PTX).unwrap().function(name).unwrap()
}

/// Launches the kernel with the numbers. Returns what it wrote to a buffer of such numbers.
fn copied<T>(name: &str, numbers: T) -> T
where
    T: KernelArg + cuda_rt::bytemuck::NoUninit + cuda_rt::bytemuck::AnyBitPattern,
{
    let stream = stream();
    let kernel = typed::<(u8, T, DevicePtr<T>)>(&function(name));
    let out = DeviceBuf::<T>::zeroed(&stream, 1).unwrap();
    // SAFETY: one thread writes the element of `out`, which lives on the same stream.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (1, numbers, out.ptr())) }.unwrap();
    out.to_vec().unwrap()[0]
}

#[test]
fn halves_are_arguments_and_elements() {
    assert_eq!(copied("half", f16::from_f32(1.5)), f16::from_f32(1.5));
    assert_eq!(copied("half", bf16::from_f32(-2.0)), bf16::from_f32(-2.0));
    let pair = [f16::from_f32(0.25), f16::from_f32(3.0)];
    assert_eq!(copied("halves", pair), pair);
}

#[test]
fn vectors_are_arguments_and_elements() {
    assert_eq!(copied("two", Vec2::new(1.0, 2.0)), Vec2::new(1.0, 2.0));
    assert_eq!(copied("two", IVec2::new(-1, 2)), IVec2::new(-1, 2));
    assert_eq!(copied("three", Vec3::new(1.0, 2.0, 3.0)), Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(copied("four", Vec4::new(1.0, 2.0, 3.0, 4.0)), Vec4::new(1.0, 2.0, 3.0, 4.0));
    assert_eq!(copied("four", UVec4::new(1, 2, 3, 4)), UVec4::new(1, 2, 3, 4));
    let matrix = Mat4::from_cols_array(&core::array::from_fn(|index| index as f32));
    assert_eq!(copied("matrix", matrix), matrix);
}

#[test]
fn complex_numbers_are_arguments_and_elements() {
    assert_eq!(copied("two", Complex::new(1.0_f32, 2.0)), Complex::new(1.0, 2.0));
    assert_eq!(copied("four", Complex::new(1.0_f64, 2.0)), Complex::new(1.0, 2.0));
}

#[test]
fn arrays_are_arguments_of_vector_types() {
    assert_eq!(copied("two", [1.0_f32, 2.0]), [1.0, 2.0]);
    assert_eq!(copied("two", [1_u8, 2, 3, 4, 5, 6, 7, 8]), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(copied("four", [1.0_f64, 2.0]), [1.0, 2.0]);
}

/// A structure of the size of a `float2`, and of another alignment.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Pair {
    x: Vec2,
}

#[test]
fn structures_and_packed_arguments_need_the_alignment() {
    let two = function("two");
    let error = two.typed::<(u8, Pair, DevicePtr<Vec2>)>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let pair = Pair { x: Vec2::ZERO };
    assert!(error.to_string().contains("needs `#[repr(C, align(8))]`"), "{error} {}", pair.x);
    let mut arguments = PackedArgs::new();
    arguments.push(1_u8);
    arguments.push(Vec2::ZERO);
    arguments.push(DevicePtr::<Vec2>::null());
    assert_eq!(arguments.check(&two).unwrap_err().kind(), ErrorKind::TypeMismatch);
}
