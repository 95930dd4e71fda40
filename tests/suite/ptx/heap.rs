//! `malloc` and `free` in kernels: memory of the heap that a context has for them (facts V1033 to V1036).

use super::{Arg, Device};
use crate::alone;
use cuda_rt::Context;
use cuda_rt::context::{ContextFlags, Limit};
use cuda_rt::error::Code;
use cuda_suite::{Choice, code, device, driver, skip};
use cuda_sys::*;

const HEADER: &str = "\
    .version 9.0\n.target sm_90\n.address_size 64\n\
    .extern .func (.param .b64 func_retval0) malloc (.param .b64 malloc_param_0);\n\
    .extern .func free (.param .b64 free_param_0);\n";

fn malloc(result: &str, size: &str) -> String {
    format!(
        "{{ .param .b64 p; .param .b64 q; st.param.b64 [p], {size}; call.uni (q), malloc, (p); ld.param.b64 {result}, [q]; }}\n"
    )
}

fn free(address: &str) -> String {
    format!("{{ .param .b64 p; st.param.b64 [p], {address}; call.uni free, (p); }}\n")
}

/// Kernels of one thread: `make` keeps an address, `put` and `get` use the memory there, `give` frees it.
fn kernels() -> String {
    let entry = |name: &str, body: &str| {
        format!(
            ".visible .entry {name}(.param .b64 out, .param .b64 n) {{ .reg .b64 %o, %n, %a; .reg .b32 %r;\n\
             ld.param.b64 %o, [out]; ld.param.b64 %n, [n]; {body} ret; }}\n"
        )
    };
    [
        HEADER.to_owned(),
        entry("make", &format!("{} st.global.b64 [%o], %a;", malloc("%a", "%n"))),
        entry("put", "ld.global.b64 %a, [%o]; st.b64 [%a+8], %n;"),
        entry("get", "ld.global.b64 %a, [%o]; ld.b64 %a, [%a+8]; st.global.b64 [%o+8], %a;"),
        entry("give", &format!("ld.global.b64 %a, [%o]; add.s64 %a, %a, %n; {}", free("%a"))),
    ]
    .concat()
}

fn own_context() -> Context {
    Context::new(device(), ContextFlags::default()).unwrap()
}

/// A module with the kernels in a context, and a buffer for the address of memory.
fn heap_device(context: &Context) -> (Device, usize) {
    let mut device = Device::in_context(context, &kernels());
    let kept = device.alloc_u64(&[0; 2]);
    (device, kept)
}

fn run(device: &mut Device, name: &str, kept: usize, number: u64) {
    device.run(name, [1; 3], [1; 3], &[Arg::Buffer(kept), Arg::U64(number)]);
}

/// The address that `malloc` returns.
fn made(device: &mut Device, kept: usize, size: u64) -> u64 {
    run(device, "make", kept, size);
    device.u64s(kept)[0]
}

#[test]
fn malloc_gives_memory_until_the_heap_is_full() {
    let context = own_context();
    assert_eq!(context.limit(Limit::MALLOC_HEAP_SIZE).unwrap(), 8 << 20);
    let (mut device, kept) = heap_device(&context);
    let sizes = [0, 1, 16, 24, 100, 1000, 4096];
    let mut blocks: Vec<(u64, u64)> =
        sizes.iter().map(|size| (made(&mut device, kept, *size), *size)).collect();
    assert!(blocks.iter().all(|(address, _)| *address != 0 && address % 16 == 0), "{blocks:x?}");
    blocks.sort_unstable();
    assert!(blocks.windows(2).all(|pair| pair[0].0 + pair[0].1.max(1) <= pair[1].0), "{blocks:x?}");
    assert_eq!((made(&mut device, kept, 8 << 20), made(&mut device, kept, 1 << 40)), (0, 0));
    assert_ne!(made(&mut device, kept, u64::MAX), 0);
    let large = [(); 3].map(|()| made(&mut device, kept, 4 << 20) != 0);
    assert_eq!(large, [true, false, false]);
}

#[test]
fn each_thread_has_memory_of_its_own() {
    // A thread fills as many words as its number says with it, and adds them when all threads of the block have.
    let body = format!(
        ".reg .b64 %o, %n, %a, %b, %w; .reg .b32 %t, %i, %v, %s, %x, %y; .reg .pred %p;\n\
         ld.param.b64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %x, %ctaid.x; mov.u32 %y, %ntid.x;\n\
         mad.lo.u32 %t, %x, %y, %t; mul.wide.u32 %n, %t, 4; add.s64 %n, %n, 4; {}\n\
         mov.u32 %i, 0; mov.u64 %b, %a;\n\
         FILL: st.b32 [%b], %t; add.s64 %b, %b, 4; add.u32 %i, %i, 1; setp.le.u32 %p, %i, %t; @%p bra FILL;\n\
         bar.sync 0; mov.u32 %i, 0; mov.u64 %b, %a; mov.u32 %s, 0;\n\
         SUM: ld.b32 %v, [%b]; add.u32 %s, %s, %v; add.s64 %b, %b, 4; add.u32 %i, %i, 1; setp.le.u32 %p, %i, %t;\n\
         @%p bra SUM; {}\n\
         mul.wide.u32 %w, %t, 4; add.s64 %o, %o, %w; st.global.b32 [%o], %s; ret;",
        malloc("%a", "%n"),
        free("%a")
    );
    let mut device = Device::new(&format!("{HEADER}.visible .entry k(.param .b64 out) {{ {body} }}"));
    let out = device.alloc_u32(&[0; 256]);
    // The memory of one launch is there for the next.
    for _ in 0..3 {
        device.run("k", [4, 1, 1], [64, 1, 1], &[Arg::Buffer(out)]);
        let expected: Vec<u32> = (0..256).map(|thread| thread * (thread + 1)).collect();
        assert_eq!(device.u32s(out), expected);
    }
}

#[test]
fn malloc_memory_outlives_launch_and_module() {
    let context = own_context();
    let (mut first, kept) = heap_device(&context);
    let address = made(&mut first, kept, 64);
    run(&mut first, "put", kept, 77);
    drop(first);
    let (mut second, _) = heap_device(&context);
    let again = second.alloc_u64(&[address, 0]);
    run(&mut second, "get", again, 0);
    assert_eq!(second.u64s(again), [address, 77]);
}

#[test]
fn frees_of_no_block_do_nothing() {
    let context = own_context();
    let (mut device, kept) = heap_device(&context);
    let address = made(&mut device, kept, 64);
    run(&mut device, "put", kept, 78);
    // An address inside.
    run(&mut device, "give", kept, 16);
    let null = device.alloc_u64(&[0; 2]);
    run(&mut device, "give", null, 0);
    run(&mut device, "get", kept, 0);
    assert_eq!(device.u64s(kept), [address, 78]);
}

#[test]
fn kernels_of_another_module_free_memory() {
    let context = own_context();
    let (mut first, kept) = heap_device(&context);
    let address = made(&mut first, kept, 64);
    let mut second = Device::in_context(&context, &kernels());
    let again = second.alloc_u64(&[address, 0]);
    run(&mut second, "give", again, 0);
    // A store to the memory is not noticed.
    run(&mut second, "put", again, 79);
}

#[test]
fn calls_do_not_know_malloc_memory() {
    let context = own_context();
    let (mut device, kept) = heap_device(&context);
    let address = made(&mut device, kept, 64);
    run(&mut device, "put", kept, 5);
    let _entered = context.enter().unwrap();
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let (mut word, mut size, mut base) = (0_u64, 0_usize, 0);
    let host = (&raw mut word).cast();
    let other = device.address(kept);
    let kind = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    assert_eq!(code!(cuPointerGetAttribute(host, kind, address)), invalid);
    let range = code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut size, address));
    assert_eq!(range, CUresult::CUDA_ERROR_NOT_FOUND);
    assert_eq!(code!(cuMemcpyDtoH_v2(host, address, 8)), invalid);
    assert_eq!(code!(cuMemcpyHtoD_v2(address, host, 8)), invalid);
    assert_eq!(code!(cuMemcpyDtoD_v2(other, address, 8)), invalid);
    assert_eq!(code!(cuMemFree_v2(address)), invalid);
    assert_eq!(code!(cuMemsetD32_v2(address + 8, 9, 2)), CUresult::CUDA_SUCCESS);
    context.synchronize().unwrap();
    run(&mut device, "get", kept, 0);
    assert_eq!(device.u64s(kept)[1], 9 << 32 | 9);
}

#[test]
fn the_size_of_the_heap_is_set_before_its_first_use() {
    crate::alone("ptx::heap::the_size_of_the_heap_is_set_before_its_first_use", || {
        let context = own_context();
        context.set_limit(Limit::MALLOC_HEAP_SIZE, 16 << 20).unwrap();
        let (mut device, kept) = heap_device(&context);
        context.set_limit(Limit::MALLOC_HEAP_SIZE, 64 << 20).unwrap();
        let free = || {
            let _entered = context.enter().unwrap();
            let (mut free, mut total) = (0, 0);
            assert_eq!(code!(cuMemGetInfo_v2(&raw mut free, &raw mut total)), CUresult::CUDA_SUCCESS);
            free
        };
        let before = free();
        assert_ne!(made(&mut device, kept, 40 << 20), 0);
        // On hardware other processes and tests also change the free memory.
        assert!(driver() == Choice::Real || before - free() >= 64 << 20);
        let refused = context.set_limit(Limit::MALLOC_HEAP_SIZE, 32 << 20).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        assert_eq!(context.limit(Limit::MALLOC_HEAP_SIZE).unwrap(), 64 << 20);
    });
}

#[test]
fn frees_where_no_memory_is_fault() {
    const NAME: &str = "ptx::heap::frees_where_no_memory_is_fault";
    for case in ["unmapped", "stack"] {
        crate::alone_as(NAME, case, || {
            let word = 0_u64;
            let address = if case == "stack" { (&raw const word).addr() as u64 } else { 0x4000 };
            let (mut device, kept) = heap_device(&own_context());
            let given = device.alloc_u64(&[address & !15, 0]);
            made(&mut device, kept, 64);
            let params = [device.address(given), 0];
            let failed = device.launch_with("give", [1; 3], [1; 3], 0, bytemuck::cast_slice(&params));
            assert_eq!(failed.unwrap_err().code(), Some(Code::IllegalAddress), "{case}");
        });
    }
}

#[test]
fn the_heap_is_not_larger_than_the_device_allows() {
    if !device().name().unwrap().contains("H200") {
        skip!("another device");
    }
    let context = own_context();
    for wanted in [18 << 30, 1 << 40] {
        context.set_limit(Limit::MALLOC_HEAP_SIZE, wanted).unwrap();
        assert_eq!(context.limit(Limit::MALLOC_HEAP_SIZE).unwrap(), 17_681_179_680);
    }
    for (wanted, given) in [(16 << 30, 16 << 30), (1, 4 << 20)] {
        context.set_limit(Limit::MALLOC_HEAP_SIZE, wanted).unwrap();
        assert_eq!(context.limit(Limit::MALLOC_HEAP_SIZE).unwrap(), given);
    }
}

#[test]
fn memory_freed_twice_is_a_fault() {
    alone("ptx::heap::memory_freed_twice_is_a_fault", || {
        let (mut device, kept) = heap_device(&own_context());
        made(&mut device, kept, 64);
        run(&mut device, "give", kept, 0);
        let params = [device.address(kept), 0];
        let failed = device.launch_with("give", [1; 3], [1; 3], 0, bytemuck::cast_slice(&params));
        assert_eq!(failed.unwrap_err().code(), Some(Code::LaunchFailed));
    });
}
