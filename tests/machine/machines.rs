//! Features of the software driver alone: own machines, schedules, reused handles, and machines with other connections or with
//! missing features.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::cell::{Cell, RefCell};
use core::ffi::c_void;
use cuda_sim::{Config, FaultRule, HandleReuse, Machine, MachineGuard, PeerLink, Peers, Profile, Schedule};
use cuda_suite::raw::{
    allocate, characters, context, launch, machine, page_locked, read, stream, try_launch,
};
use cuda_suite::{call, code, not_for_host};
use cuda_sys::*;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

const OK: CUresult = CUresult::CUDA_SUCCESS;

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }
    .visible .entry triple(.param .u64 at) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [at]; ld.global.u32 %r, [%a]; mul.lo.u32 %r, %r, 3; add.u32 %r, %r, 1;
        st.global.u32 [%a], %r; ret; }
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }
    .visible .entry count(.param .u64 go, .param .u64 to) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r; .reg .b32 %n; .reg .pred %p;
        ld.param.u64 %a, [go]; ld.param.u64 %b, [to]; mov.u32 %n, 0;
        again: add.u32 %n, %n, 1; ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again;
        st.global.u32 [%b], %n; ret; }
    .visible .entry stop() { trap; }";

fn function(name: &core::ffi::CStr) -> CUfunction {
    cuda_suite::raw::function(PTX, name)
}

/// A kernel waits for one that is behind a long wait of another stream. The turns of the wait do not count against it.
#[test]
fn long_waits_keep_their_turns() {
    let (_machine, _entered) = machine(Config::default());
    let _context = context(0);
    let (words, address) = page_locked(3);
    let (waiting, counting) = (stream(1), stream(1));
    call!(cuStreamWaitValue32_v2(waiting, address, 1, 1));
    launch(function(c"put"), waiting, &[address + 4, 1]);
    // Hundreds of attempts of the wait.
    thread::sleep(std::time::Duration::from_millis(500));
    words[0].store(1, Ordering::Release);
    launch(function(c"count"), counting, &[address + 4, address + 8]);
    call!(cuStreamSynchronize(counting));
    // A turn of the kernel is about 130,000 iterations.
    let iterations = words[2].load(Ordering::Acquire);
    assert!(iterations < 100 << 17, "{iterations}");
}

#[test]
fn a_failure_stays_on_its_machine() {
    let (first, entered) = machine(Config::default());
    context(0);
    launch(function(c"stop"), null_mut(), &[]);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_FAILED);
    let other = std::thread::spawn(|| {
        let (_, _entered) = machine(Config::default());
        context(0);
        let at = allocate(4);
        launch(function(c"put"), null_mut(), &[at, 7]);
        read(at)
    });
    assert_eq!(other.join().unwrap(), 7);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_FAILED);
    first.reset();
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_NOT_INITIALIZED);
    call!(cuInit(0));
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_INVALID_CONTEXT, "the stack is empty");
    context(0);
    call!(cuCtxSynchronize());
    drop(entered);
    assert_ne!(Machine::current(), first);
}

#[test]
fn machines_do_not_know_each_others_objects() {
    let (_, _outer) = machine(Config::default());
    let (outer_context, outer_memory) = (context(0), allocate(4));
    {
        let (_, _inner) = machine(Config::default());
        let mut current = null_mut();
        call!(cuCtxGetCurrent(&raw mut current));
        assert!(current.is_null());
        assert_eq!(code!(cuCtxSetCurrent(outer_context)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
        assert_ne!(context(0), outer_context);
        assert_ne!(allocate(4), outer_memory);
        assert_eq!(code!(cuMemFree_v2(outer_memory)), CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let mut current = null_mut();
    call!(cuCtxGetCurrent(&raw mut current));
    assert_eq!(current, outer_context);
    call!(cuMemFree_v2(outer_memory));
}

#[test]
fn library_is_unloaded_without_a_later_module() {
    let recycled = Config { schedule: Schedule::Lazy, handles: HandleReuse::AtOnce, ..Config::default() };
    let (machine, _entered) = machine(recycled);
    let contexts = [(); 3].map(|()| context(0));
    let mut library = null_mut();
    call!(cuLibraryLoadData(
        &raw mut library,
        PTX.as_ptr().cast(),
        null_mut(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0,
    ));
    let [_, own, _] = contexts.map(|context| {
        let mut module: CUmodule = null_mut();
        call!(cuCtxSetCurrent(context));
        if context != contexts[2] {
            call!(cuLibraryGetModule(&raw mut module, library));
        }
        module.addr()
    });
    call!(cuCtxSetCurrent(contexts[0]));
    let (begin, begun) = channel::<()>();
    let (end, ended) = channel::<()>();
    // Unloading the library waits for this function, which waits for the other thread.
    extern "C" fn meet(channels: *mut c_void) {
        // SAFETY: the pointer is of the box below, which is given to this one call.
        let (begin, ended) = *unsafe { Box::from_raw(channels.cast::<(Sender<()>, Receiver<()>)>()) };
        begin.send(()).unwrap_or_default();
        let _ = ended.recv();
    }
    call!(cuLaunchHostFunc(stream(1), Some(meet), Box::into_raw(Box::new((begin, ended))).cast()));
    let contexts = contexts.map(|context| context.expose_provenance());
    let other = thread::spawn(move || {
        let _entered = machine.enter();
        begun.recv().unwrap();
        call!(cuCtxDestroy_v2(with_exposed_provenance_mut(contexts[1])));
        call!(cuCtxSetCurrent(with_exposed_provenance_mut(contexts[2])));
        let mut later: CUmodule = null_mut();
        call!(cuModuleLoadData(&raw mut later, PTX.as_ptr().cast()));
        drop(end);
        later.expose_provenance()
    });
    call!(cuLibraryUnload(library));
    let later = other.join().unwrap();
    assert_eq!(later, own, "the handle is used again");
    let mut function = null_mut();
    call!(cuModuleGetFunction(&raw mut function, with_exposed_provenance_mut(later), c"put".as_ptr()));
}

#[test]
fn page_locked_memory_outlives_its_machine() {
    let words = {
        let (machine, _entered) = machine(Config::default());
        context(0);
        let (words, _) = page_locked(4);
        machine.reset();
        words
    };
    words[3].store(5, Ordering::Relaxed);
    assert_eq!(words[3].load(Ordering::Relaxed), 5);
}

/// Text of an unused kernel, with a comment of so many bytes.
fn padded(bytes: usize) -> String {
    let text = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; } //";
    format!("{text}{}", "x".repeat(bytes))
}

/// Allocates and frees blocks, so that memory which was freed before has other content.
fn overwrite_freed_memory(bytes: usize) {
    let blocks: Vec<Vec<u8>> = (0..2000).map(|more| vec![b'!'; bytes + more % 32]).collect();
    drop(std::hint::black_box(blocks));
}

/// Ends a machine that has made a linked image. Returns the image before and after that.
fn image_across(end: fn(Machine, MachineGuard)) -> (Vec<u8>, Vec<u8>) {
    use cuda_rt::module::{JitOptions, Linker};
    use cuda_rt::{Context, Device};
    let (machine, entered) = machine(Config::default());
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let mut linker = Linker::new(&context, &JitOptions::new()).unwrap();
    linker.add_ptx("padded", &*padded(5000)).unwrap();
    let linked = linker.complete().unwrap();
    let image = linked.image();
    let before = image.to_vec();
    end(machine, entered);
    overwrite_freed_memory(before.len());
    (before, image.to_vec())
}

#[test]
fn linked_image_outlives_a_reset() {
    let (before, after) = image_across(|machine, _entered| machine.reset());
    assert!(before == after);
}

#[test]
fn linked_image_outlives_its_machine() {
    let (before, after) = image_across(|machine, entered| drop((entered, machine)));
    assert!(before == after);
}

#[test]
fn kernel_names_outlive_a_reset() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let text = std::ffi::CString::new(padded(0)).unwrap();
    let (mut library, mut kernel) = (null_mut(), null_mut());
    let (image, none, no_values) = (text.as_ptr().cast(), null_mut(), null_mut());
    call!(cuLibraryLoadData(&raw mut library, image, none, no_values, 0, null_mut(), null_mut(), 0));
    call!(cuLibraryGetKernel(&raw mut kernel, library, c"nothing".as_ptr()));
    let (mut of_function, mut of_kernel) = (null(), null());
    let function = cuda_suite::raw::function(&text, c"nothing");
    call!(cuFuncGetName(&raw mut of_function, function));
    call!(cuKernelGetName(&raw mut of_kernel, kernel));
    machine.reset();
    (0..4).for_each(|eighth| overwrite_freed_memory(8 * eighth));
    for name in [of_function, of_kernel] {
        // SAFETY: a C string, which is valid until the process ends.
        assert_eq!(unsafe { core::ffi::CStr::from_ptr(name) }, c"nothing");
    }
}

#[test]
fn lowered_name_outlives_its_program() {
    use cuda_sys::nvrtc::*;
    cuda_sim::nvrtc::install_once().unwrap();
    let (_machine, _entered) = machine(Config::default());
    let (mut program, mut name) = (null_mut(), null());
    let text = c"template<typename T> __global__ void k() {}";
    // SAFETY: C strings, no headers, and a place for a handle.
    let code = unsafe { nvrtcCreateProgram(&raw mut program, text.as_ptr(), null(), 0, null(), null()) };
    assert!(code.is_success());
    // SAFETY: a program and a C string.
    assert!(unsafe { nvrtcAddNameExpression(program, c"k<int>".as_ptr()) }.is_success());
    // SAFETY: a program without options.
    assert!(unsafe { nvrtcCompileProgram(program, 0, null()) }.is_success());
    // SAFETY: a program, a C string, and a place for a pointer.
    assert!(unsafe { nvrtcGetLoweredName(program, c"k<int>".as_ptr(), &raw mut name) }.is_success());
    // SAFETY: a C string, which is valid until the process ends.
    let read = || unsafe { core::ffi::CStr::from_ptr(name) }.to_owned();
    let before = read();
    // SAFETY: a program that is not used afterwards.
    assert!(unsafe { nvrtcDestroyProgram(&raw mut program) }.is_success());
    (0..4).for_each(|eighth| overwrite_freed_memory(8 * eighth));
    assert_eq!(read(), before);
}

/// Panics when it is dropped, so many times, each time with the rest of it.
struct PanicsWhenDropped(u32);

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        if self.0 > 0 {
            std::panic::panic_any(PanicsWhenDropped(self.0 - 1));
        }
    }
}

/// Compiles a program, and returns the answer.
fn compile_nothing() -> cuda_sys::nvrtc::nvrtcResult {
    use cuda_sys::nvrtc::*;
    cuda_sim::nvrtc::install_once().unwrap();
    let mut program = null_mut();
    // SAFETY: a C string, no headers, and a place for a handle.
    let code = unsafe { nvrtcCreateProgram(&raw mut program, c"".as_ptr(), null(), 0, null(), null()) };
    assert!(code.is_success());
    // SAFETY: a program without options.
    let code = unsafe { nvrtcCompileProgram(program, 0, null()) };
    // SAFETY: a program that is not used afterwards.
    assert!(unsafe { nvrtcDestroyProgram(&raw mut program) }.is_success());
    code
}

#[test]
fn compiler_panic_payload_is_not_dropped() {
    let (machine, _entered) = machine(Config::default());
    machine.compile_with(|_| std::panic::panic_any(PanicsWhenDropped(2)));
    assert_eq!(compile_nothing(), cuda_sys::nvrtc::nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);
}

#[test]
fn compiler_drop_panic_payload_is_not_dropped() {
    let (machine, _entered) = machine(Config::default());
    let owned = PanicsWhenDropped(2);
    machine.compile_with(move |source| {
        let _ = &owned;
        // The call drops this compiler, since no machine has it afterwards.
        Machine::current().compile_with(cuda_sim::nvrtc::Output::empty_kernels);
        cuda_sim::nvrtc::Output::empty_kernels(source)
    });
    assert_eq!(compile_nothing(), cuda_sys::nvrtc::nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR);
}

/// Runs `work` in another thread while this thread holds the lock of the standard error. Returns whether `work` ended.
#[cfg(unix)]
fn ends_under_the_error_lock(work: impl FnOnce() + Send + 'static) -> bool {
    let held = std::io::stderr().lock();
    let (done, is_done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    let ended = is_done.recv_timeout(std::time::Duration::from_secs(10)).is_ok();
    drop(held);
    ended
}

#[cfg(unix)]
#[test]
fn locked_standard_error_does_not_block_a_fault() {
    assert!(ends_under_the_error_lock(|| {
        let (machine, _entered) = machine(Config::default());
        context(0);
        launch(function(c"put"), null_mut(), &[16, 1]);
        assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        machine.reset();
    }));
}

#[cfg(unix)]
#[test]
fn locked_standard_error_does_not_block_a_refusal() {
    assert!(ends_under_the_error_lock(|| {
        let (machine, _entered) = machine(Config { memory_bytes: 1 << 20, ..Config::default() });
        context(0);
        let mut address = 0;
        let answer = code!(cuMemAlloc_v2(&raw mut address, 1 << 30));
        assert_eq!(answer, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        drop(machine);
    }));
}

#[cfg(unix)]
#[test]
fn registered_memory_is_free_after_the_machine() {
    const WORDS: usize = 4 << 20;
    let (machine, entered) = machine(Config { kernel_limit: None, ..Config::default() });
    context(0);
    let words: &mut [AtomicU32] = Vec::leak((0..WORDS).map(|_| AtomicU32::new(0)).collect());
    let memory: *mut c_void = words.as_mut_ptr().cast();
    let bytes = size_of_val(words);
    let mut at = 0;
    call!(cuMemHostRegister_v2(memory, bytes, 0));
    call!(cuMemHostGetDevicePointer_v2(&raw mut at, memory, 0));
    let spin = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry spin(.param .u64 at, .param .u64 end) {
            .reg .b64 %a; .reg .b64 %e; .reg .b32 %r; .reg .pred %p;
            ld.param.u64 %e, [end]; mov.u32 %r, 0;
            again: ld.param.u64 %a, [at]; add.u32 %r, %r, 1;
            next: st.volatile.global.u32 [%a], %r; add.u64 %a, %a, 4096;
            setp.lt.u64 %p, %a, %e; @%p bra next; bra again; }";
    launch(cuda_suite::raw::function(spin, c"spin"), stream(1), &[at, at + bytes as u64]);
    // The kernel is in the middle of a turn.
    std::thread::sleep(std::time::Duration::from_millis(50));
    drop((entered, machine));
    let places = || words.iter().step_by(1024);
    places().for_each(|place| place.store(0, Ordering::Relaxed));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let written = places().filter(|place| place.load(Ordering::Relaxed) != 0).count();
    assert_eq!(written, 0, "the kernel went on");
}

#[cfg(unix)]
#[test]
fn locked_machine_in_a_child_does_not_block() {
    let (machine, _entered) = machine(Config { kernel_limit: None, ..Config::default() });
    context(0);
    machine.record_calls();
    let (words, go) = page_locked(1);
    launch(function(c"hold"), stream(1), &[go]);
    let uses: [fn(&Machine); 6] = [
        |machine| _ = machine.live(),
        |machine| drop(machine.take_calls()),
        |machine| _ = machine.take_launch_counts(),
        |machine| machine.inject(FaultRule::any(CUresult::CUDA_ERROR_UNKNOWN)),
        Machine::reset,
        |machine| drop(Machine::clone(machine)),
    ];
    for (number, work) in uses.into_iter().enumerate() {
        for _ in 0..5 {
            // The background has the lock nearly all the time.
            std::thread::sleep(std::time::Duration::from_millis(3));
            // SAFETY: the child calls functions that are made for it, and ends.
            let child = unsafe { libc::fork() };
            if child == 0 {
                work(&machine);
                // SAFETY: the child ends here, without the parent's exit handlers.
                unsafe { libc::_exit(0) };
            }
            let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
            let mut status = 0;
            // SAFETY: `status` is valid for a write.
            while unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == 0 {
                if std::time::Instant::now() > until {
                    // SAFETY: a child that was not waited for.
                    unsafe { libc::kill(child, libc::SIGKILL) };
                }
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            assert_eq!(status, 0, "use {number}");
        }
    }
    words[0].store(1, Ordering::Release);
    call!(cuCtxSynchronize());
}

#[test]
fn block_size_function_can_use_the_machine() {
    static LIVE: AtomicU32 = AtomicU32::new(0);
    extern "C" fn no_memory(_: i32) -> usize {
        LIVE.store(Machine::current().live().contexts as u32, Ordering::Relaxed);
        0
    }
    extern "C" fn reset(_: i32) -> usize {
        Machine::current().reset();
        0
    }
    let (_, _entered) = machine(Config::default());
    context(0);
    let put = function(c"put");
    let best = |size: extern "C" fn(i32) -> usize| {
        let (mut grid, mut block) = (0, 0);
        let size: CUoccupancyB2DSize = Some(size);
        let code = code!(cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, put, size, 0, 0));
        (code, grid, block)
    };
    let (mut grid, mut block) = (0, 0);
    call!(cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, put, None, 0, 0));
    assert_eq!(best(no_memory), (OK, grid, block));
    assert_eq!(LIVE.load(Ordering::Relaxed), 1);
    assert_eq!(best(reset), (CUresult::CUDA_ERROR_DEINITIALIZED, 0, 0));
}

/// As conformance fact V519 says. Hardware crashes where the context is destroyed.
#[test]
fn block_size_function_can_call_the_driver() {
    thread_local! {
        static CODES: RefCell<Vec<Vec<CUresult>>> = const { RefCell::new(Vec::new()) };
        static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
        static PUT: Cell<CUfunction> = const { Cell::new(null_mut()) };
    }
    fn ask() -> CUresult {
        let (mut grid, mut block, size): (_, _, CUoccupancyB2DSize) = (0, 0, Some(calls));
        code!(cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, PUT.get(), size, 0, 0))
    }
    extern "C" fn calls(_: i32) -> usize {
        let (mut current, mut memory) = (null_mut(), 0);
        let mut codes = vec![code!(cuCtxGetCurrent(&raw mut current))];
        codes.push(code!(cuMemAlloc_v2(&raw mut memory, 4)));
        codes.push(try_launch(PUT.get(), 1, null_mut(), &[memory, 1]));
        codes.push(code!(cuCtxSynchronize()));
        codes.push(if IS_INSIDE.replace(true) { OK } else { ask() });
        codes.push(code!(cuMemFree_v2(memory)));
        codes.push(code!(cuCtxDestroy_v2(current)));
        CODES.with_borrow_mut(|all| all.push(codes));
        0
    }
    let (_, _entered) = machine(Config::default());
    let context = context(0);
    PUT.set(function(c"put"));
    assert_eq!(ask(), OK);
    let codes = CODES.take();
    assert!(codes.len() >= 2);
    for codes in codes {
        assert_eq!(codes, [OK, OK, OK, OK, OK, OK, CUresult::CUDA_ERROR_NOT_PERMITTED]);
    }
    call!(cuCtxDestroy_v2(context));
}

#[test]
fn machines_may_be_left_in_any_order() {
    let (first, first_entered) = machine(Config::default());
    let (second, second_entered) = machine(Config::default());
    drop(first_entered);
    assert_eq!(Machine::current(), second);
    drop(second_entered);
    assert!(Machine::current() != first && Machine::current() != second);
}

#[test]
fn a_call_that_waits_ends_when_the_machine_is_reset() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    let (_, go) = page_locked(1);
    launch(function(c"hold"), null_mut(), &[go]);
    let resetter = std::thread::spawn({
        let machine = machine.clone();
        move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            machine.reset();
        }
    });
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_DEINITIALIZED);
    resetter.join().unwrap();
}

#[test]
fn lazy_machine_delays_work_until_a_wait() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (on, other) = (stream(1), stream(1));
    let (words, at) = page_locked(2);
    let put = function(c"put");
    launch(put, on, &[at, 1]);
    launch(put, other, &[at + 4, 2]);
    let seen = || [words[0].load(Ordering::Relaxed), words[1].load(Ordering::Relaxed)];
    assert_eq!(seen(), [0, 0]);
    call!(cuStreamSynchronize(other));
    assert_eq!(seen(), [0, 2], "only what was waited for");
    // The query returns that the work is not done, but lets it continue.
    assert_eq!(code!(cuStreamQuery(on)), CUresult::CUDA_ERROR_NOT_READY);
    let mut asked = 0;
    while code!(cuStreamQuery(on)) == CUresult::CUDA_ERROR_NOT_READY {
        asked += 1;
        assert!(asked < 100);
    }
    assert_eq!(seen(), [1, 2]);
}

#[test]
fn lazy_machine_shows_a_missing_wait() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let (_, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let on = stream(1);
        let (words, _) = page_locked(1);
        let at = allocate(4);
        launch(function(c"put"), on, &[at, 9]);
        let to: *mut c_void = words.as_ptr().cast_mut().cast();
        call!(cuMemcpyDtoHAsync_v2(to, at, 4, on));
        // The program reads too early.
        let early = words[0].load(Ordering::Relaxed);
        assert_eq!(early, if schedule == Schedule::Lazy { 0 } else { 9 });
        call!(cuStreamSynchronize(on));
        assert_eq!(words[0].load(Ordering::Relaxed), 9);
    }
}

#[test]
fn pageable_memory_is_read_during_the_call() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (on, at) = (stream(1), allocate(4));
    let mut value = 3_u32;
    call!(cuMemcpyHtoDAsync_v2(at, (&raw const value).cast(), 4, on));
    value += 1;
    let mut back = 0_u32;
    call!(cuMemcpyDtoHAsync_v2((&raw mut back).cast(), at, 4, on));
    assert_eq!((back, value), (3, 4), "and given when the call returns");
}

/// A program of two streams that wait for each other's events, and what it must compute.
fn correct_program(seed: u64) -> (u32, u32) {
    let mut numbers = seed | 1;
    let mut next = |below: u64| {
        numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (numbers >> 33) % below
    };
    let streams = [stream(1), stream(0)];
    let (put, triple, copy) = (function(c"put"), function(c"triple"), function(c"copy"));
    let memory = [allocate(4), allocate(4)];
    let mut expected = [0_u32; 2];
    for (at, (on, value)) in memory.iter().zip(streams.iter().zip([5, 6])) {
        launch(put, *on, &[*at, value]);
    }
    expected.copy_from_slice(&[5, 6]);
    for _ in 0..20 {
        let one = next(2) as usize;
        let other = 1 - one;
        match next(3) {
            0 => {
                launch(triple, streams[one], &[memory[one]]);
                expected[one] = expected[one].wrapping_mul(3).wrapping_add(1);
            }
            1 => {
                // Copies from the memory of the other stream, between two events.
                let mut events = [null_mut(), null_mut()];
                events.iter_mut().for_each(|event| call!(cuEventCreate(event, 0)));
                call!(cuEventRecord(events[0], streams[other]));
                call!(cuStreamWaitEvent(streams[one], events[0], 0));
                launch(copy, streams[one], &[memory[one], memory[other]]);
                call!(cuEventRecord(events[1], streams[one]));
                call!(cuStreamWaitEvent(streams[other], events[1], 0));
                events.iter().for_each(|event| call!(cuEventDestroy_v2(*event)));
                expected[one] = expected[other];
            }
            _ => {
                call!(cuMemsetD32Async(memory[one], 8, 1, streams[one]));
                expected[one] = 8;
            }
        }
    }
    for (on, (at, expected)) in streams.iter().zip(memory.iter().zip(expected)) {
        call!(cuStreamSynchronize(*on));
        assert_eq!(read(*at), expected, "program {seed}");
    }
    (expected[0], expected[1])
}

#[test]
fn correct_program_has_one_result_on_all_schedules() {
    for seed in 0..40 {
        let schedules = [Schedule::Eager, Schedule::Lazy, Schedule::Random(seed), Schedule::Random(!seed)];
        let results = schedules.map(|schedule| {
            let (_, _entered) = machine(Config { schedule, ..Config::default() });
            context(0);
            correct_program(seed)
        });
        assert!(results.iter().all(|result| *result == results[0]));
    }
}

#[test]
fn random_schedules_differ_and_repeat_by_seed() {
    // Two streams write the same word without an order.
    let race = |seed| {
        let (_, _entered) = machine(Config { schedule: Schedule::Random(seed), ..Config::default() });
        context(0);
        let (at, put) = (allocate(4), function(c"put"));
        for (on, value) in [stream(1), stream(1)].into_iter().zip([1, 2]) {
            launch(put, on, &[at, value]);
        }
        call!(cuCtxSynchronize());
        read(at)
    };
    let seen: Vec<u32> = (0..40).map(race).collect();
    assert!(seen.contains(&1) && seen.contains(&2), "{seen:?}");
    assert_eq!(seen, (0..40).map(race).collect::<Vec<_>>());
}

#[test]
fn the_legacy_stream_waits_and_is_waited_for() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let (_, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let (go, go_at) = page_locked(1);
        let (blocking, waiting, free) = (stream(0), stream(0), stream(1));
        let at = allocate(16);
        launch(function(c"hold"), blocking, &[go_at]);
        call!(cuMemsetD8Async(at, 1, 4, null_mut()));
        call!(cuMemsetD8Async(at + 4, 2, 4, waiting));
        call!(cuMemsetD8Async(at + 8, 3, 4, free));
        assert_eq!(code!(cuStreamQuery(waiting)), CUresult::CUDA_ERROR_NOT_READY);
        call!(cuStreamSynchronize(free));
        assert_eq!(code!(cuStreamQuery(null_mut())), CUresult::CUDA_ERROR_NOT_READY);
        go[0].store(1, Ordering::Release);
        call!(cuCtxSynchronize());
        assert_eq!(read(at), 0x0101_0101);
        assert_eq!(read(at + 4), 0x0202_0202);
        assert_eq!(read(at + 8), 0x0303_0303);
    }
}

#[test]
fn times_of_events_follow_the_work_between_them() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let (on, at) = (stream(1), allocate(64 << 20));
    let time = |bytes: usize| {
        let (mut start, mut end, mut milliseconds) = (null_mut(), null_mut(), 0.0);
        call!(cuEventCreate(&raw mut start, 0));
        call!(cuEventCreate(&raw mut end, 0));
        call!(cuEventRecord(start, on));
        call!(cuMemsetD8Async(at, 0, bytes, on));
        call!(cuEventRecord(end, on));
        call!(cuEventSynchronize(end));
        call!(cuEventElapsedTime(&raw mut milliseconds, start, end));
        milliseconds
    };
    assert!(time(64 << 20) > 10.0 * time(1 << 20));
    assert_eq!(time(1 << 20), time(1 << 20), "it is not the host's time");
}

extern "C" fn count(data: *mut c_void) {
    // SAFETY: the tests pass a counter that is never freed.
    unsafe { AtomicU32::from_ptr(data.cast()) }.fetch_add(1, Ordering::AcqRel);
}

extern "C" fn note(_: CUstream, status: CUresult, data: *mut c_void) {
    // SAFETY: as above.
    unsafe { AtomicU32::from_ptr(data.cast()) }.fetch_add(1 + status.0, Ordering::AcqRel);
}

extern "C" fn call_the_driver(data: *mut c_void) {
    let mut address = 0;
    // SAFETY: `address` is valid for a write.
    let code = unsafe { cuMemAlloc_v2(&raw mut address, 4) };
    // SAFETY: as above.
    unsafe { AtomicU32::from_ptr(data.cast()) }.store(code.0, Ordering::Release);
}

fn counter() -> (&'static AtomicU32, *mut c_void) {
    let counter: &'static AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
    (counter, counter.as_ptr().cast())
}

#[test]
fn callbacks_are_called_in_their_turn() {
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(3)] {
        let (_, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let (on, at, triple) = (stream(1), allocate(4), function(c"triple"));
        let (calls, data) = counter();
        call!(cuMemsetD32Async(at, 1, 1, on));
        for round in 1..=10 {
            launch(triple, on, &[at]);
            call!(cuLaunchHostFunc(on, Some(count), data));
            call!(cuStreamAddCallback(on, Some(note), data, 0));
            call!(cuStreamSynchronize(on));
            assert_eq!(calls.load(Ordering::Acquire), 2 * round);
        }
        assert_eq!(read(at), (0..10).fold(1, |value, _| value * 3 + 1));
        let (code, data) = counter();
        call!(cuLaunchHostFunc(on, Some(call_the_driver), data));
        call!(cuStreamSynchronize(on));
        assert_eq!(code.load(Ordering::Acquire), CUresult::CUDA_ERROR_NOT_PERMITTED.0);
    }
}

#[test]
fn after_sticky_error_only_callbacks_run() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let on = stream(1);
    let (go, go_at) = page_locked(1);
    launch(function(c"hold"), on, &[go_at]);
    launch(function(c"stop"), on, &[]);
    let ((told, told_data), (called, called_data)) = (counter(), counter());
    call!(cuStreamAddCallback(on, Some(note), told_data, 0));
    call!(cuLaunchHostFunc(on, Some(count), called_data));
    go[0].store(1, Ordering::Release);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_FAILED);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while told.load(Ordering::Acquire) == 0 && std::time::Instant::now() < until {
        std::thread::yield_now();
    }
    assert_eq!(told.load(Ordering::Acquire), 1 + CUresult::CUDA_ERROR_LAUNCH_FAILED.0);
    assert_eq!(called.load(Ordering::Acquire), 0);
}

#[test]
fn handles_are_reused_if_configured() {
    let remade = |handles| {
        let (_, _entered) = machine(Config { handles, ..Config::default() });
        context(0);
        let first = stream(1);
        call!(cuStreamDestroy_v2(first));
        assert_eq!(code!(cuStreamQuery(first)), CUresult::CUDA_ERROR_INVALID_HANDLE);
        let second = stream(1);
        let memory = allocate(4);
        call!(cuMemFree_v2(memory));
        ((first, memory), (second, allocate(4)))
    };
    let (first, second) = remade(HandleReuse::Never);
    assert!(first.0 != second.0 && first.1 != second.1);
    let (first, second) = remade(HandleReuse::AtOnce);
    assert_eq!(first, second);
}

#[test]
fn faults_come_when_they_are_ordered() {
    let (machine, _entered) = machine(Config::default());
    context(0);
    machine.record_calls();
    let failure = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
    machine.inject(FaultRule::new(Symbol::cuMemAlloc_v2, failure).skip(1).times(2));
    let mut address = 0;
    let codes = [(); 4].map(|()| code!(cuMemAlloc_v2(&raw mut address, 4)));
    assert_eq!(codes, [OK, failure, failure, OK]);
    assert_eq!(machine.take_calls().iter().map(|call| call.code).collect::<Vec<_>>(), codes);

    // The work is done, although the call returns the code.
    machine.inject(FaultRule::new(Symbol::cuMemFree_v2, failure).after_work().times(1));
    assert_eq!(code!(cuMemFree_v2(address)), failure);
    assert_eq!(code!(cuMemFree_v2(address)), CUresult::CUDA_ERROR_INVALID_VALUE);

    // The rule does not apply to calls of other threads.
    machine.inject(FaultRule::new(Symbol::cuInit, failure).on_this_thread());
    let other = {
        let machine = machine.clone();
        std::thread::spawn(move || {
            let _entered = machine.enter();
            code!(cuInit(0))
        })
    };
    assert_eq!(other.join().unwrap(), OK);
    assert_eq!(code!(cuInit(0)), failure);
    machine.clear_faults();
    call!(cuInit(0));
}

#[test]
fn access_follows_enabled_peer_access() {
    let (_, _entered) = machine(Config::default());
    let owner = context(0);
    let theirs = allocate(4);
    call!(cuMemsetD32_v2(theirs, 42, 1));
    context(1);
    let (ours, copy) = (allocate(4), function(c"copy"));
    call!(cuCtxEnablePeerAccess(owner, 0));
    assert_eq!(code!(cuCtxEnablePeerAccess(owner, 0)), CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    launch(copy, null_mut(), &[ours, theirs]);
    assert_eq!(read(ours), 42);
    call!(cuCtxDisablePeerAccess(owner));
    assert_eq!(code!(cuCtxDisablePeerAccess(owner)), CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    launch(copy, null_mut(), &[ours, theirs]);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn devices_are_connected_as_configured() {
    let can = |one, other| {
        let mut can = 9;
        call!(cuDeviceCanAccessPeer(&raw mut can, one, other));
        can
    };
    let attribute = |attribute, one, other| {
        let mut value = 9;
        call!(cuDeviceGetP2PAttribute(&raw mut value, CUdevice_P2PAttribute_enum(attribute), one, other));
        value
    };
    let islands = Peers::Islands(vec![vec![0, 1], vec![2, 3]]);
    let config = Config { devices: 4, peers: islands, peer_link: PeerLink::PCIE, ..Config::default() };
    let (_, entered) = machine(config);
    assert_eq!([can(0, 1), can(1, 0), can(0, 2), can(3, 2), can(0, 0)], [1, 1, 0, 1, 0]);
    // Rank, access, native atomics, arrays.
    assert_eq!([1, 2, 3, 4].map(|number| attribute(number, 0, 1)), [1, 1, 0, 1]);
    assert_eq!([2, 3, 4].map(|number| attribute(number, 1, 2)), [0, 0, 0]);
    let far = context(2);
    context(1);
    assert_eq!(code!(cuCtxEnablePeerAccess(far, 0)), CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    drop(entered);

    let (_, entered) = machine(Config { devices: 16, peers: Peers::None, ..Config::default() });
    assert!((1..16).all(|other| can(0, other) == 0));
    drop(entered);

    let (_, _entered) = machine(Config { devices: 16, max_peers: Some(8), ..Config::default() });
    let peers: Vec<CUcontext> = (1..16).map(context).collect();
    context(0);
    let codes: Vec<CUresult> = peers.iter().map(|peer| code!(cuCtxEnablePeerAccess(*peer, 0))).collect();
    assert!(codes[..8].iter().all(|code| *code == OK));
    assert!(codes[8..].iter().all(|code| *code == CUresult::CUDA_ERROR_TOO_MANY_PEERS));
    call!(cuCtxDisablePeerAccess(peers[3]));
    call!(cuCtxEnablePeerAccess(peers[14], 0));
}

#[test]
fn device_without_unified_addressing_tells_less() {
    let profiles = vec![Profile::H200.without_unified_addressing()];
    let (_, _entered) = machine(Config { profiles, ..Config::default() });
    let mut can = 9;
    call!(cuDeviceCanAccessPeer(&raw mut can, 0, 1));
    assert_eq!(can, 0);
    context(0);
    let (words, on_device) = page_locked(1);
    assert_ne!(on_device, words.as_ptr().addr() as u64);
    let at = allocate(4);
    let refused = code!(cuMemcpy(at, words.as_ptr().addr() as u64, 4));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
    // A kernel accesses the host's memory by its address on the device.
    launch(function(c"put"), null_mut(), &[on_device, 5]);
    call!(cuCtxSynchronize());
    assert_eq!(words[0].load(Ordering::Relaxed), 5);
    call!(cuMemcpyDtoD_v2(at, on_device, 4));
    assert_eq!(read(at), 5);
    launch(function(c"put"), null_mut(), &[words.as_ptr().addr() as u64, 6]);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

/// Devices that access all memory of the host.
fn reaching() -> [Profile; 4] {
    [Profile::H200.with_pageable_memory_access(), Profile::GH200, Profile::THOR, Profile::GB10]
}

#[test]
fn pageable_memory_access_follows_the_attribute() {
    let away = [Profile::H200, Profile::A100].map(|profile| (false, profile));
    for (reaches, profile) in reaching().map(|profile| (true, profile)).into_iter().chain(away) {
        let (_, _entered) = machine(Config { devices: 1, profiles: vec![profile], ..Config::default() });
        context(0);
        // The heap, where large and small blocks lie in different places, and the stack.
        let many: Vec<AtomicU32> = (0..1 << 20).map(AtomicU32::new).collect();
        let few = Box::new(AtomicU32::new(11));
        let own = AtomicU32::new(11);
        let places = [&many[11], &*few, &own];
        for (index, word) in places.into_iter().enumerate() {
            launch(function(c"triple"), null_mut(), &[word.as_ptr().expose_provenance() as u64]);
            let code = code!(cuCtxSynchronize());
            let wanted = if reaches { (OK, 34) } else { (CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, 11) };
            assert_eq!((code, word.load(Ordering::Relaxed)), wanted, "{index}");
            if !reaches {
                break;
            }
        }
    }
    // Memory that is not of the process is out of reach on every device.
    let profiles = vec![Profile::H200.with_pageable_memory_access()];
    let (_, _entered) = machine(Config { profiles, ..Config::default() });
    context(0);
    launch(function(c"put"), null_mut(), &[64, 1]);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn concurrent_managed_access_follows_the_attribute() {
    let attribute = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
    for profile in reaching().into_iter().chain([Profile::H200]) {
        let (_, _entered) = machine(Config { devices: 1, profiles: vec![profile], ..Config::default() });
        context(0);
        let mut allows = 0;
        call!(cuDeviceGetAttribute(&raw mut allows, attribute, 0));
        assert_eq!(allows, 1);
        let mut go = 0;
        call!(cuMemAllocManaged(&raw mut go, 8, 1));
        let words = std::ptr::with_exposed_provenance::<[AtomicU32; 2]>(go as usize);
        // SAFETY: two words, which are aligned and freed below.
        let words = unsafe { &*words };
        launch(function(c"hold"), null_mut(), &[go]);
        launch(function(c"triple"), null_mut(), &[go + 4]);
        // The first kernel waits for what the host writes, and the second reads it.
        assert_eq!(words[1].swap(4, Ordering::Relaxed), 0);
        words[0].store(1, Ordering::Release);
        call!(cuCtxSynchronize());
        assert_eq!(words[1].load(Ordering::Relaxed), 13);
        call!(cuMemFree_v2(go));
    }
}

#[test]
fn one_function_of_a_library_serves_every_context() {
    let (_, _entered) = machine(Config::default());
    let (mut library, mut kernel) = (null_mut(), null_mut());
    let (image, none) = (PTX.as_ptr().cast(), null_mut());
    call!(cuLibraryLoadData(&raw mut library, image, none, null_mut(), 0, null_mut(), null_mut(), 0));
    call!(cuLibraryGetKernel(&raw mut kernel, library, c"put".as_ptr()));
    let missing = code!(cuLibraryGetKernel(&raw mut kernel, library, c"nothing".as_ptr()));
    assert_eq!(missing, CUresult::CUDA_ERROR_NOT_FOUND);
    for device in [0, 1, 0] {
        context(device);
        let at = allocate(4);
        launch(kernel.cast(), null_mut(), &[at, 3]);
        assert_eq!(read(at), 3);
    }
    call!(cuLibraryUnload(library));
    let places: *mut *mut c_void = null_mut();
    let stale = code!(cuLaunchKernel(kernel.cast(), 1, 1, 1, 1, 1, 1, 0, null_mut(), places, null_mut()));
    assert_eq!(stale, CUresult::CUDA_ERROR_INVALID_HANDLE);
}

#[test]
fn cooperative_grids_must_fit() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let (put, at) = (function(c"put"), allocate(4));
    let params = [at, 8];
    let mut places: Vec<*mut c_void> =
        params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast()).collect();
    let mut with_blocks = |blocks| {
        code!(cuLaunchCooperativeKernel(put, blocks, 1, 1, 32, 1, 1, 0, null_mut(), places.as_mut_ptr()))
    };
    assert_eq!(with_blocks(132), OK);
    assert_eq!(with_blocks(1 << 20), CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    let mut config = CUlaunchConfig_st {
        gridDimX: 1 << 20,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: null_mut(),
        attrs: null_mut(),
        numAttrs: 0,
    };
    call!(cuLaunchKernelEx(&raw const config, put, places.as_mut_ptr(), null_mut()));
    let mut attribute = CUlaunchAttribute_st {
        id: CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        pad: [0; 4],
        value: CUlaunchAttributeValue_union { cooperative: 1 },
    };
    (config.attrs, config.numAttrs) = (&raw mut attribute, 1);
    let refused = code!(cuLaunchKernelEx(&raw const config, put, places.as_mut_ptr(), null_mut()));
    assert_eq!(refused, CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    assert_eq!(
        code!(cuLaunchKernelEx(null(), put, places.as_mut_ptr(), null_mut())),
        CUresult::CUDA_ERROR_INVALID_VALUE
    );
}

#[test]
fn work_without_a_wait_continues() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let (_, flag) = page_locked(1);
    let (words, gate) = page_locked(1);
    // The first stream waits for a word that the second one writes, which waits for the host.
    let (first, second) = (stream(1), stream(1));
    launch(function(c"hold"), first, &[flag]);
    launch(function(c"hold"), second, &[gate]);
    launch(function(c"put"), second, &[flag, 1]);
    let host = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(30));
        words[0].store(1, Ordering::Release);
    });
    call!(cuStreamSynchronize(first));
    host.join().unwrap();
}

/// One device that does not share managed memory with the host at all times is enough.
#[test]
fn host_uses_managed_memory_attached_to_it() {
    use cuda_rt::device::DeviceAttribute;
    use cuda_rt::error::Code;
    use cuda_rt::memory::MemAttach;
    use cuda_rt::{Context, Device, ManagedBuf, Stream};
    let concurrent = DeviceAttribute::CONCURRENT_MANAGED_ACCESS.0;
    let profiles = vec![Profile::H200, Profile::H200.with_attribute(concurrent, 0)];
    let (machine, _entered) = machine(Config { devices: 2, profiles, ..Config::default() });
    let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
    let refused = not_for_host();

    let mut global = ManagedBuf::from_host(&stream, &[1_u32, 2, 3], MemAttach::Global).unwrap();
    assert_eq!(global.host(), refused);
    assert_eq!(global.host_mut().map(|host| &*host), refused);
    global.attach(&stream, MemAttach::Host).unwrap();
    assert_eq!(global.host().unwrap(), [1, 2, 3]);
    global.attach(&stream, MemAttach::Single).unwrap();
    assert_eq!(global.host(), refused);
    // After this failure it is not known whether the memory was attached.
    let lost = FaultRule::new(Symbol::cuStreamAttachMemAsync, CUresult::CUDA_ERROR_UNKNOWN).times(1);
    machine.inject(lost.after_work());
    assert_eq!(global.attach(&stream, MemAttach::Host).unwrap_err().code(), Some(Code::UnknownError));
    assert_eq!(global.host(), refused);
    global.attach(&stream, MemAttach::Host).unwrap();
    assert_eq!(global.host().unwrap(), [1, 2, 3]);

    let mut own = ManagedBuf::<u32>::zeroed(&stream, 3, MemAttach::Host).unwrap();
    own.host_mut().unwrap()[1] = 5;
    assert_eq!(own.host().unwrap(), [0, 5, 0]);
    own.attach(&stream, MemAttach::Global).unwrap();
    assert_eq!(own.host(), refused);
    assert_eq!(own.to_vec().unwrap(), [0, 5, 0]);
}

#[test]
#[ignore = "runs in a process of its own"]
fn neighbour() {
    cuda_suite::neighbour::serve();
}

#[test]
fn imported_memory_needs_a_reachable_device() {
    let (memory, event) = cuda_suite::neighbour::handles("machines::neighbour");
    let memory = CUipcMemHandle { reserved: characters(memory.as_bytes()) };
    let event = CUipcEventHandle { reserved: characters(event.as_bytes()) };
    // Returns the answer of a device of a machine.
    let open = |config: Config, device: CUdevice| {
        let (machine, _entered) = machine(config);
        context(device);
        let (mut address, mut opened) = (0, null_mut());
        let codes = (
            code!(cuIpcOpenMemHandle_v2(&raw mut address, memory, 1)),
            code!(cuIpcOpenEventHandle(&raw mut opened, event)),
        );
        if codes.0.is_success() {
            let live = machine.live();
            assert_eq!((live.opened_allocations, live.opened_bytes, live.device_allocations), (1, 16, 0));
            let (mut free, mut total) = (0, 0);
            call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
            assert_eq!(free as u64, Config::default().memory_bytes, "it is in use elsewhere");
            assert_eq!(read(address), cuda_suite::neighbour::NUMBERS[0]);
            call!(cuIpcCloseMemHandle(address));
            assert_eq!(machine.live().opened_allocations, 0);
        }
        codes
    };
    let apart = Config { peers: Peers::None, ..Config::default() };
    assert_eq!(open(Config::default(), 0), (OK, OK));
    assert_eq!(open(Config::default(), 1), (OK, OK));
    assert_eq!(open(apart.clone(), 0), (OK, OK));
    let (failed, unreached) = (CUresult::CUDA_ERROR_MAP_FAILED, CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    assert_eq!(open(apart, 1), (failed, unreached));
    let few = Config { max_peers: Some(0), ..Config::default() };
    assert_eq!(open(few, 1), (CUresult::CUDA_ERROR_TOO_MANY_PEERS, OK));
    let supported = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED.0;
    let profiles = Config::default().profiles;
    let profiles = profiles.into_iter().map(|profile| profile.with_attribute(supported, 0)).collect();
    let none = CUresult::CUDA_ERROR_NOT_SUPPORTED;
    assert_eq!(open(Config { profiles, ..Config::default() }, 0), (none, none));
}

/// Calls that a thread makes in a destructor of POSIX.
#[cfg(unix)]
struct LastCalls {
    key: libc::pthread_key_t,
    rounds: AtomicU32,
    answers: std::sync::Mutex<Vec<CUresult>>,
}

#[cfg(unix)]
extern "C" fn make_last_calls(last: *mut c_void) {
    // SAFETY: the test's own, which waits for the thread.
    let calls = unsafe { &*last.cast::<LastCalls>() };
    // In the last of the four rounds of destructors, the standard library does not know the thread any more.
    if calls.rounds.fetch_add(1, Ordering::Relaxed) < 3 {
        // SAFETY: the key is there, and the calls outlive the thread.
        assert_eq!(unsafe { libc::pthread_setspecific(calls.key, last) }, 0);
        return;
    }
    let mut count = 0;
    let answers = [code!(cuDeviceGetCount(&raw mut count)), code!(cuStreamSynchronize(null_mut()))];
    calls.answers.lock().unwrap().extend(answers);
}

#[cfg(unix)]
#[test]
fn last_calls_of_a_thread_are_recorded() {
    let (machine, _entered) = machine(Config::default());
    let own = context(0) as usize;
    let mut key = 0;
    // SAFETY: `key` is valid for a write, and the function takes what is set below.
    assert_eq!(unsafe { libc::pthread_key_create(&raw mut key, Some(make_last_calls)) }, 0);
    machine.inject(FaultRule::new(Symbol::cuCtxDestroy_v2, CUresult::CUDA_ERROR_UNKNOWN));
    for is_known in [true, false] {
        let last = LastCalls { key, rounds: AtomicU32::new(0), answers: Vec::new().into() };
        let place = &raw const last as usize;
        machine.record_calls();
        let thread = std::thread::spawn({
            let machine = machine.clone();
            move || {
                let _entered = std::mem::ManuallyDrop::new(machine.enter());
                if is_known {
                    call!(cuCtxSetCurrent(own as CUcontext));
                }
                // SAFETY: the key is there, and the calls outlive the thread.
                assert_eq!(unsafe { libc::pthread_setspecific(key, place as *const c_void) }, 0);
            }
        });
        let id = thread.thread().id();
        thread.join().unwrap();
        let synchronized = if is_known { OK } else { CUresult::CUDA_ERROR_INVALID_CONTEXT };
        assert_eq!(last.answers.into_inner().unwrap(), [OK, synchronized]);
        let calls = machine.take_calls();
        assert_eq!(calls.len(), if is_known { 3 } else { 2 });
        assert!(calls.iter().all(|call| (call.thread == id) == is_known), "{id:?}: {calls:?}");
        call!(cuCtxSynchronize());
    }
    // SAFETY: no thread uses it any more.
    assert_eq!(unsafe { libc::pthread_key_delete(key) }, 0);
}

#[test]
fn changed_linked_image_is_invalid() {
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let caller = c".version 7.0 .target sm_70 .address_size 64 .extern .func f(); .visible .entry k() { call f; ret; }";
    let callee = c".version 7.0 .target sm_70 .address_size 64 .visible .func f() { ret; }";
    let mut linker = null_mut();
    call!(cuLinkCreate_v2(0, null_mut(), null_mut(), &raw mut linker));
    for text in [caller, callee] {
        let (data, size) = (text.as_ptr().cast_mut().cast(), text.count_bytes() + 1);
        let kind = CUjitInputType_enum::CU_JIT_INPUT_PTX;
        call!(cuLinkAddData_v2(linker, kind, data, size, null(), 0, null_mut(), null_mut()));
    }
    let (mut image, mut size) = (null_mut(), 0);
    call!(cuLinkComplete(linker, &raw mut image, &raw mut size));
    // SAFETY: the image, which lives as long as the linker.
    let image = unsafe { core::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec();
    call!(cuLinkDestroy(linker));
    let load = |image: &[u8]| {
        let mut module = null_mut();
        code!(cuModuleLoadData(&raw mut module, image.as_ptr().cast()))
    };
    assert_eq!(load(&image), OK);
    let text = String::from_utf8(image).unwrap();
    // No instruction, no such function, and no directive.
    for (from, to) in [("ret;", "rat;"), ("func f() {", "func g() {"), (".target", ".tarjet")] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        assert_eq!(load(changed.as_bytes()), CUresult::CUDA_ERROR_INVALID_IMAGE, "{from} to {to}");
    }
    assert_eq!(cuda_sim::internal_errors(), 0);
}

/// The last release waits for queued work. Handles of ended events may be those of new ones.
#[test]
fn contexts_with_work_end_like_others() {
    let (_machine, _entered) =
        machine(Config { schedule: Schedule::Lazy, handles: HandleReuse::AtOnce, ..Config::default() });
    let (mut primary, mut flags, mut active) = (null_mut(), 0, 0);
    call!(cuDevicePrimaryCtxSetFlags_v2(0, 4));
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
    call!(cuCtxSetCurrent(primary));
    call!(cuMemsetD32Async(allocate(64), 1, 16, stream(1)));
    let mut old = null_mut();
    call!(cuEventCreate(&raw mut old, 0));
    call!(cuDevicePrimaryCtxRelease_v2(0));
    call!(cuDevicePrimaryCtxGetState(0, &raw mut flags, &raw mut active));
    assert_eq!((flags, active), (0, 0));

    context(0);
    let (on, mut event) = (stream(1), null_mut());
    call!(cuEventCreate(&raw mut event, 0));
    assert_eq!(event, old, "the handle is used again");
    let (mut graph, mut node, mut executable) = (null_mut(), null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut graph, 0));
    call!(cuGraphAddEventRecordNode(&raw mut node, graph, null(), 0, event));
    call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    call!(cuEventDestroy_v2(event));
    assert_eq!(code!(cuGraphLaunch(executable, on)), OK, "only the event is gone");
}
