//! Kernel arguments: many arguments, structures, pointers into memory, by address and in one piece.

use crate::{is_since, typed};
use cuda_rt::bytemuck::{NoUninit, Pod, Zeroable};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::{ByValue, KernelArg, LaunchAttributes, PackedArgs, SignatureMismatch};
use cuda_rt::{DeviceBuf, DevicePtr, Function, LaunchConfig, Module};
use cuda_suite::{context, invalid, skip, stream};
use std::fmt::Write;

/// A kernel that takes `count` numbers, and writes the sum of each times its place, from 1.
fn weighted(count: usize) -> Function {
    let (mut parameters, mut sum) = (String::new(), String::new());
    for number in 1..=count {
        write!(parameters, ", .param .u32 p{number}").unwrap();
        write!(sum, "ld.param.u32 %value, [p{number}]; mad.lo.u32 %sum, %value, {number}, %sum;\n    ")
            .unwrap();
    }
    let ptx = format!(
        ".version 6.4 .target sm_50 .address_size 64
    .visible .entry weighted(.param .u64 out{parameters}) {{
    .reg .b64 %out; .reg .b32 %sum, %value;
    mov.u32 %sum, 0;
    {sum}
    ld.param.u64 %out, [out];
    st.global.u32 [%out], %sum;
    ret;
    }}"
    );
    Module::from_ptx(&context(), ptx).unwrap().function("weighted").unwrap()
}

/// One thread.
const ONE: LaunchConfig = LaunchConfig::new(1, 1);

#[test]
fn sixteen_arguments_come_in_their_order() {
    type Args = (DevicePtr<u32>, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32, u32);
    let (kernel, stream) = (typed::<Args>(&weighted(15)), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let args = (out.ptr(), 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47);
    // SAFETY: one thread writes the one element of `out`.
    unsafe { kernel.launch(ONE, &stream, args) }.unwrap();
    let expected: u32 = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
        .into_iter()
        .zip(1..)
        .map(|(value, place)| value * place)
        .sum();
    assert_eq!(out.to_vec().unwrap(), [expected]);
}

#[test]
fn more_arguments_come_in_one_piece() {
    let (function, stream) = (weighted(40), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let mut arguments = PackedArgs::new();
    for round in 0..2 {
        arguments.clear();
        arguments.push(out.ptr());
        for number in 0..40_u32 {
            arguments.push(number + round);
        }
        assert_eq!((arguments.size_bytes(), arguments.parameters().len()), (168, 41));
        // SAFETY: the kernel takes a pointer and 40 numbers, and one thread writes the one element of `out`.
        unsafe { function.with(ONE).launch(&stream, &arguments) }.unwrap();
        let expected: u32 = (1..=40).map(|place| place * (place - 1 + round)).sum();
        assert_eq!(out.to_vec().unwrap(), [expected]);
    }
}

#[test]
fn packed_arguments_go_with_every_kind_of_launch() {
    let (function, stream) = (weighted(3), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let mut arguments = PackedArgs::new();
    arguments.push(out.ptr());
    [5_u32, 7, 11].into_iter().for_each(|number| arguments.push(number));
    let expected = 5 + 2 * 7 + 3 * 11;
    // SAFETY: the kernel takes a pointer and three numbers, and one thread writes the one element of `out`.
    unsafe { function.with(ONE).cooperative().launch(&stream, &arguments) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [expected]);
    if !is_since(12, 0) {
        skip!("this driver has no attributes of launches");
    }
    let attributes = LaunchAttributes::new().priority(0);
    for launch in [function.with(ONE), function.with(ONE).cooperative()] {
        let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
        arguments.clear();
        arguments.push(out.ptr());
        [5_u32, 7, 11].into_iter().for_each(|number| arguments.push(number));
        // SAFETY: as above.
        let time = unsafe { launch.attributes(&attributes).timed(&stream, &arguments) }.unwrap();
        time.wait().unwrap();
        assert_eq!(out.to_vec().unwrap(), [expected]);
    }
}

#[test]
fn list_of_addresses_is_passed_as_in_c() {
    let (function, stream) = (weighted(2), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let (mut address, mut numbers) = (out.ptr(), [10_u32, 100]);
    let [first, second] = &mut numbers;
    let mut list = [(&raw mut address).cast(), (&raw mut *first).cast(), (&raw mut *second).cast()];
    // SAFETY: the kernel takes a pointer and two numbers, and one thread writes the one element of `out`.
    unsafe { function.launch_raw(ONE, &stream, list.as_mut_ptr()) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [210]);
}

#[test]
fn too_many_bytes_are_refused() {
    let (function, stream) = (weighted(2), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let mut arguments = PackedArgs::new();
    arguments.push(out.ptr());
    arguments.push(10_u32);
    // SAFETY: one thread writes the one element of `out`; the missing number may be any (fact V959).
    unsafe { function.with(ONE).launch(&stream, &arguments) }.unwrap();
    assert_eq!((out.to_vec().unwrap()[0] - 10) % 2, 0);
    arguments.push(100_u32);
    arguments.push(1_u8);
    // SAFETY: nothing is launched.
    let refused = unsafe { function.with(ONE).launch(&stream, &arguments) }.unwrap_err();
    assert_eq!(refused.code(), Some(Code::LaunchOutOfResources));
    let text = refused.to_string();
    let expected = ": the arguments have 17 bytes, and the kernel's parameters 16: `PackedArgs::check` tells";
    assert!(text.contains(expected), "{text}");
    assert!(arguments.check(&function).is_err());
}

/// The driver would read an argument for each parameter, also past the end of the list.
#[test]
fn cooperative_packed_arguments_must_be_complete() {
    let (function, stream) = (weighted(2), stream());
    let mut arguments = PackedArgs::new();
    arguments.push(DevicePtr::<u32>::null());
    arguments.push(10_u32);
    // SAFETY: nothing is launched.
    let refused = unsafe { function.with(ONE).cooperative().launch(&stream, &arguments) }.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::TypeMismatch);
    stream.synchronize().unwrap();
}

#[test]
fn packed_arguments_are_compared_with_the_kernel() {
    let function = weighted(2);
    let mismatch = |arguments: &PackedArgs| {
        let error = arguments.check(&function).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TypeMismatch);
        *error.context::<SignatureMismatch>().unwrap()
    };
    let mut arguments = PackedArgs::new();
    arguments.push(DevicePtr::<u32>::null());
    arguments.push(1_u32);
    assert_eq!(mismatch(&arguments), SignatureMismatch::Count { kernel: 3, given: 2 });
    arguments.push(1_u16);
    assert!(matches!(mismatch(&arguments), SignatureMismatch::Size { index: 2, kernel: 4, given: 2, .. }));
    arguments.clear();
    arguments.push(DevicePtr::<u32>::null());
    arguments.push(1_u32);
    arguments.push(1_i32);
    arguments.check(&function).unwrap();
}

/// The argument of `vector`: aligned as CUDA C's `float4` is.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Float4([f32; 4]);
// SAFETY: four floats, and nothing between or behind them.
unsafe impl NoUninit for Float4 {}

/// With a byte of padding behind the first member, and three behind the last.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Padded {
    first: u8,
    second: u16,
    third: u32,
    last: u8,
}

/// `out[i]` is the sum of the members, and a `bool` of its own.
const STRUCTURES: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry structures(.param .u8 flag, .param .align 16 .b8 vector[16], .param .align 4 .b8 padded[12],
        .param .u64 out) {
    .reg .b64 %out; .reg .b32 %a, %b; .reg .f32 %x, %y;
    ld.param.u64 %out, [out];
    ld.param.f32 %x, [vector]; ld.param.f32 %y, [vector+4]; add.f32 %x, %x, %y;
    ld.param.f32 %y, [vector+8]; add.f32 %x, %x, %y; ld.param.f32 %y, [vector+12]; add.f32 %x, %x, %y;
    cvt.rzi.u32.f32 %a, %x; st.global.u32 [%out], %a;
    ld.param.u8 %a, [padded]; ld.param.u16 %b, [padded+2]; add.u32 %a, %a, %b;
    ld.param.u32 %b, [padded+4]; add.u32 %a, %a, %b; ld.param.u8 %b, [padded+8]; add.u32 %a, %a, %b;
    st.global.u32 [%out+4], %a;
    ld.param.u8 %a, [flag]; st.global.u32 [%out+8], %a;
    ret; }";

#[test]
fn structures_go_by_value_with_their_padding() {
    type Args = (bool, ByValue<Float4>, Padded, DevicePtr<u32>);
    let stream = stream();
    let function = Module::from_ptx(&context(), STRUCTURES).unwrap().function("structures").unwrap();
    let kernel = typed::<Args>(&function);
    let out = DeviceBuf::<u32>::zeroed(&stream, 3).unwrap();
    let vector = Float4([1.0, 2.0, 3.0, 4.0]);
    let padded = Padded { first: 200, second: 60_000, third: 1_000_000, last: 5 };
    // SAFETY: one thread writes the three elements of `out`.
    unsafe { kernel.launch(ONE, &stream, (true, ByValue(vector), padded, out.ptr())) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [10, 1_060_205, 1]);

    let mut arguments = PackedArgs::new();
    arguments.push(false);
    arguments.push(ByValue(vector));
    arguments.push(padded);
    arguments.push(out.ptr());
    assert_eq!(arguments.size_bytes(), 16 + 16 + 16 + 8);
    arguments.check(&function).unwrap();
    // SAFETY: as above.
    unsafe { function.with(ONE).launch(&stream, &arguments) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [10, 1_060_205, 0]);
}

/// `struct { int length; float *data; }`
#[derive(Clone, Copy)]
#[repr(C)]
struct Row {
    length: i32,
    padding: i32,
    data: DevicePtr<f32>,
}
// SAFETY: all fields are numbers, which may be 0.
unsafe impl Zeroable for Row {}
// SAFETY: numbers of any value, and nothing between them.
unsafe impl Pod for Row {}

/// Each block doubles the row of its number.
const DOUBLE_ROWS: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry double_rows(.param .u64 rows) {
    .reg .b64 %row, %data, %offset; .reg .b32 %i, %length, %step; .reg .f32 %x; .reg .pred %p;
    ld.param.u64 %row, [rows];
    mov.u32 %i, %ctaid.x; mul.wide.u32 %offset, %i, 16; add.u64 %row, %row, %offset;
    ld.global.u32 %length, [%row]; ld.global.u64 %data, [%row+8];
    mov.u32 %i, %tid.x; mov.u32 %step, %ntid.x;
    next:
    setp.ge.s32 %p, %i, %length; @%p bra done;
    mul.wide.u32 %offset, %i, 4; add.u64 %offset, %offset, %data;
    ld.global.f32 %x, [%offset]; add.f32 %x, %x, %x; st.global.f32 [%offset], %x;
    add.u32 %i, %i, %step; bra next;
    done: ret; }";

#[test]
fn structures_in_device_memory_point_to_device_memory() {
    let stream = stream();
    let function = Module::from_ptx(&context(), DOUBLE_ROWS).unwrap().function("double_rows").unwrap();
    let double = typed::<(DevicePtr<Row>,)>(&function);
    // One allocation for the data of both, and one for both structures.
    let data = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0, 0.0, 5.0]).unwrap();
    let row = |start, length| Row { length, padding: 0, data: data.ptr().add(start) };
    let rows = DeviceBuf::from_host(&stream, &[row(0, 3), row(3, 2)]).unwrap();
    // SAFETY: each block changes the numbers of one row, which do not overlap, and live on this stream.
    unsafe { double.launch(LaunchConfig::new(2, 2), &stream, (rows.ptr(),)) }.unwrap();
    assert_eq!(data.to_vec().unwrap(), [2.0, 4.0, 6.0, 0.0, 10.0]);
    // The second alone.
    // SAFETY: as above.
    unsafe { double.launch(LaunchConfig::new(1, 32), &stream, (rows.slice(1..).unwrap().ptr(),)) }.unwrap();
    assert_eq!(data.to_vec().unwrap(), [2.0, 4.0, 6.0, 0.0, 20.0]);
    let read = rows.to_vec().unwrap();
    assert_eq!(read[1].data, data.ptr().add(3));
}

/// Writes the sum of the words of a structure whose length is known when the text is made.
fn sum_of_words(words: usize) -> Function {
    let mut sum = String::new();
    for word in 0..words {
        write!(sum, "ld.param.u32 %r1, [info+{}]; add.u32 %r0, %r0, %r1; ", 4 * word).unwrap();
    }
    let ptx = format!(
        ".version 6.4 .target sm_50 .address_size 64
        .visible .entry sum(.param .u8 first, .param .align 8 .b8 info[{}], .param .u64 out) {{
        .reg .b64 %out; .reg .b32 %r<2>; mov.u32 %r0, 0; {sum}
        ld.param.u64 %out, [out]; st.global.u32 [%out], %r0; ret; }}",
        4 * words
    );
    Module::from_ptx(&context(), ptx).unwrap().function("sum").unwrap()
}

#[test]
fn bytes_of_a_size_known_at_run_time_are_arguments() {
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    for words in [1, 2, 3, 7, 100] {
        let function = sum_of_words(words);
        let info: Vec<u32> = (1..=words as u32).collect();
        let mut arguments = PackedArgs::new();
        arguments.push(9_u8);
        arguments.push_bytes(cuda_rt::bytemuck::cast_slice(&info), 8).unwrap();
        arguments.push(out.ptr());
        assert_eq!(arguments.size_bytes(), (8 + 4 * words).next_multiple_of(8) + 8);
        let (size, align) = (arguments.parameters()[1].size, arguments.parameters()[1].align);
        assert_eq!((size, align), (4 * words, 8));
        arguments.check(&function).unwrap();
        // SAFETY: the kernel takes a byte, so many words, and a pointer, and one thread writes the one element of `out`.
        unsafe { function.with(ONE).launch(&stream, &arguments) }.unwrap();
        assert_eq!(out.to_vec().unwrap(), [info.iter().sum::<u32>()]);
    }
}

#[test]
fn bytes_that_do_not_fit_the_kernel_are_named() {
    let function = sum_of_words(4);
    let error = |bytes: usize, align| {
        let mut arguments = PackedArgs::new();
        arguments.push(9_u8);
        arguments.push_bytes(&vec![0; bytes], align).unwrap();
        arguments.push(DevicePtr::<u32>::null());
        arguments.check(&function).unwrap_err().to_string()
    };
    assert_eq!(error(12, 8), "kernel `sum`: parameter 1 (the second) takes 16 bytes, `[u8]` has 12");
    assert_eq!(
        error(16, 4),
        "kernel `sum`: parameter 1 (the second) lies at byte 8, `[u8]` would lie at byte 4: it is aligned to 4, and has to \
         be aligned to 8"
    );
}

#[test]
fn alignments_of_bytes_are_limited_powers_of_two() {
    let mut arguments = PackedArgs::new();
    arguments.push(1_u8);
    for align in [0, 3, 12, (1 << 14) + 1, 1 << 15, 1 << 63, usize::MAX] {
        let error = arguments.push_bytes(&[1, 2], align).unwrap_err();
        assert_eq!(
            error,
            invalid(format!(
                "an alignment of {align} bytes is not allowed; it must be a power of two, and at most {}",
                1 << 14
            ))
        );
        assert!(error.to_string().ends_with("and at most 16384"), "{error}");
    }
    assert_eq!((arguments.size_bytes(), arguments.parameters().len()), (1, 1), "nothing was added");
    for power in 0..=14 {
        arguments.clear();
        arguments.push(1_u8);
        arguments.push_bytes(&[], 1 << power).unwrap();
        assert_eq!(arguments.size_bytes(), 1 << power);
    }
}
