//! Registers: their number in a kernel, and its effect on launches. Through the raw API: the crate names the options differently.

use cuda_suite::raw::{allocate, try_launch};
use cuda_suite::{call, code, context};
use cuda_sys::*;
use std::ffi::{CString, c_void};
use std::ptr::null_mut;

const DONE: CUresult = CUresult::CUDA_SUCCESS;

/// A kernel that holds 120 values at a time.
fn hungry(directives: &str) -> CString {
    let mut text = format!(
        ".version 7.0 .target sm_70 .address_size 64 .visible .entry k(.param .u64 p) {directives} {{\n\
         .reg .u32 %r<120>; .reg .u64 %d; ld.param.u64 %d, [p];\n"
    );
    for index in 0..120 {
        text += &format!("ld.volatile.global.u32 %r{index}, [%d+{}];\n", 4 * index);
    }
    for index in 0..120 {
        text += &format!("st.volatile.global.u32 [%d+{}], %r{};\n", 4 * index, 119 - index);
    }
    CString::new(text + "ret; }").unwrap()
}

fn load(text: &CString, option: Option<(CUjit_option, usize)>) -> CUfunction {
    let (mut module, mut function) = (null_mut(), null_mut());
    let (mut key, mut value) = match option {
        Some((key, value)) => (key, std::ptr::without_provenance_mut::<c_void>(value)),
        None => (CUjit_option_enum::CU_JIT_MAX_REGISTERS, null_mut()),
    };
    let count = u32::from(option.is_some());
    let image = text.as_ptr().cast();
    call!(cuModuleLoadDataEx(&raw mut module, image, count, &raw mut key, &raw mut value));
    call!(cuModuleGetFunction(&raw mut function, module, c"k".as_ptr()));
    function
}

/// The registers of a thread, and the threads of a block.
fn attributes(function: CUfunction) -> [i32; 2] {
    [
        CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS,
        CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    ]
    .map(|attribute| {
        let mut value = 0;
        call!(cuFuncGetAttribute(&raw mut value, attribute, function));
        value
    })
}

fn launch(function: CUfunction, threads: u32) -> CUresult {
    let memory = allocate(480);
    call!(cuMemsetD32_v2(memory, 1, 120));
    let answer = try_launch(function, threads, null_mut(), &[memory]);
    call!(cuMemFree_v2(memory));
    answer
}

fn blocks_at_once(function: CUfunction, threads: i32) -> i32 {
    let mut blocks = 0;
    call!(cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, function, threads, 0));
    blocks
}

#[test]
fn too_many_registers_leave_room_for_fewer_threads() {
    let context = context();
    let _entered = context.enter().unwrap();
    let function = load(&hungry(""), None);
    let [registers, threads] = attributes(function);
    assert!((120..=128).contains(&registers), "{registers}");
    assert_eq!(threads, 512);
    assert_eq!([256, 512, 1024].map(|threads| blocks_at_once(function, threads)), [2, 1, 0]);
    assert_eq!(
        [512, 1024].map(|threads| launch(function, threads)),
        [DONE, CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES]
    );
}

#[test]
fn compiler_respects_the_register_limit() {
    let context = context();
    let _entered = context.enter().unwrap();
    let given = Some((CUjit_option_enum::CU_JIT_MAX_REGISTERS, 38));
    let many = Some((CUjit_option_enum::CU_JIT_THREADS_PER_BLOCK, 1024));
    for (directives, option, expected) in
        [("", given, [38, 1024]), ("", many, [64, 1024]), (".maxnreg 38", None, [38, 1024])]
    {
        let function = load(&hungry(directives), option);
        assert_eq!(attributes(function), expected, "{directives} {option:?}");
        assert!(blocks_at_once(function, 1024) >= 1);
        assert_eq!(launch(function, 1024), DONE);
    }
}

#[test]
fn linkers_pass_the_registers_on() {
    let context = context();
    let _entered = context.enter().unwrap();
    let text = hungry("");
    let mut key = CUjit_option_enum::CU_JIT_MAX_REGISTERS;
    let mut value = std::ptr::without_provenance_mut::<c_void>(38);
    let (mut linker, mut image, mut size) = (null_mut(), null_mut(), 0);
    call!(cuLinkCreate_v2(1, &raw mut key, &raw mut value, &raw mut linker));
    let bytes = text.as_bytes_with_nul();
    let data = bytes.as_ptr().cast_mut().cast();
    let kind = CUjitInputType_enum::CU_JIT_INPUT_PTX;
    let (none, nothing) = (null_mut(), null_mut());
    call!(cuLinkAddData_v2(linker, kind, data, bytes.len(), c"k".as_ptr(), 0, none, nothing));
    call!(cuLinkComplete(linker, &raw mut image, &raw mut size));
    let (mut module, mut function) = (null_mut(), null_mut());
    call!(cuModuleLoadData(&raw mut module, image));
    call!(cuLinkDestroy(linker));
    call!(cuModuleGetFunction(&raw mut function, module, c"k".as_ptr()));
    assert_eq!(attributes(function), [38, 1024]);
}

#[test]
fn the_time_of_compiling_is_written() {
    let context = context();
    let _entered = context.enter().unwrap();
    let mut module = null_mut();
    let mut key = CUjit_option_enum::CU_JIT_WALL_TIME;
    let mut value = std::ptr::without_provenance_mut::<c_void>(0xdead_beef);
    let text = hungry("");
    call!(cuModuleLoadDataEx(&raw mut module, text.as_ptr().cast(), 1, &raw mut key, &raw mut value));
    let milliseconds = f32::from_bits(value.addr() as u32);
    assert!((0.0..1e6).contains(&milliseconds), "{milliseconds}");
}

/// Banks have one width: what is wished for changes nothing.
#[test]
fn width_of_shared_memory_banks_is_fixed() {
    let context = context();
    let _entered = context.enter().unwrap();
    let function = load(&hungry(""), None);
    for wish in [0, 1, 2, 3, 7] {
        let expected = if wish < 3 { DONE } else { CUresult::CUDA_ERROR_INVALID_VALUE };
        assert_eq!(code!(cuCtxSetSharedMemConfig(CUsharedconfig_enum(wish))), expected, "{wish}");
        assert_eq!(code!(cuFuncSetSharedMemConfig(function, CUsharedconfig_enum(wish))), expected, "{wish}");
        let mut found = CUsharedconfig_enum(9);
        call!(cuCtxGetSharedMemConfig(&raw mut found));
        assert_eq!(found, CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    }
}

#[test]
fn times_of_two_contexts_are_not_compared() {
    let event = || {
        let mut event = null_mut();
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuEventRecord(event, null_mut()));
        call!(cuEventSynchronize(event));
        event
    };
    let context = context();
    let _entered = context.enter().unwrap();
    let first = event();
    let mut other = null_mut();
    call!(cuCtxCreate_v2(&raw mut other, 0, cuda_suite::device().as_raw()));
    let second = event();
    let mut time = 0.0;
    assert_eq!(code!(cuEventElapsedTime(&raw mut time, first, second)), CUresult::CUDA_ERROR_INVALID_HANDLE);
    call!(cuCtxDestroy_v2(other));
}
