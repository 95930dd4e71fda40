//! Features that only the software driver can show: drivers of other releases, other numbers of devices, and answers for missing
//! features.
//!
//! A process has one driver, so each case runs in a child, which is this program again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use cuda_rt::context::ContextFlags;
use cuda_rt::driver::DriverVersion;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessFlags, CachingPool, MemPool, MemPoolOptions, MemorySource, PhysicalMemory, PhysicalMemoryOptions,
    VirtualMemory,
};
use cuda_rt::module::{JitOptions, Library, Linker, ParameterInfo};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, Function, LaunchConfig, Module, Stream};
use cuda_sim::Config;
use cuda_suite::fatbin::{Packing, Piece, fat_binary};
use cuda_sys::{CUresult, Symbol, SymbolSet};
use std::collections::BTreeSet;
use std::process::Command;

const CASE: &str = "CUDA_SUITE_SIMULATOR";

/// Returns the standard output and the standard error of a case.
fn in_child(case: &str) -> (String, String) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&child.stdout), text(&child.stderr));
    assert!(child.status.success() && out.contains("case done"), "{case}: {out}\n{err}");
    (out, err)
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let case = std::env::var(CASE).unwrap();
    cuda_suite::fail_on_internal_errors();
    match case.split_once(' ') {
        Some(("version", number)) => old_driver(DriverVersion(number.parse().unwrap())),
        Some(("devices", count)) => devices(count.parse().unwrap()),
        _ => match &case[..] {
            "function" => missing_function(),
            "functions" => other_functions(),
            "instruction" => missing_instruction(),
            "cubin" => cubin(),
            "budget" => budget(),
            "largest" => largest(),
            other => panic!("{other}"),
        },
    }
    println!("case done");
}

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

/// Everything that has a newer and an older function behind it, on a driver of this release.
fn old_driver(version: DriverVersion) {
    let had = |major, minor| version >= DriverVersion::new(major, minor);
    cuda_sim::install(Config { driver_version: version, ..Config::default() }).unwrap();
    assert_eq!(cuda_rt::driver_version().unwrap(), version);
    let reports = cuda_suite::reports(|| {
        let device = Device::get(0).unwrap();
        assert_eq!(device.uuid().unwrap(), Device::get(0).unwrap().uuid().unwrap());
        let context = Context::new(device, ContextFlags::SCHED_SPIN).unwrap();
        assert!(context.flags().unwrap().contains(ContextFlags::SCHED_SPIN));
        assert_eq!(context.id().is_some(), had(12, 0));
        let stream = Stream::new(&context).unwrap();

        let (start, end) = (Event::new(&context).unwrap(), Event::new(&context).unwrap());
        start.record(&stream).unwrap();
        let mut buffer = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
        end.record(&stream).unwrap().synchronize().unwrap();
        assert!(end.milliseconds_since(&start).unwrap() >= 0.0);

        let put = Module::from_ptx(&context, PTX).unwrap().function("put").unwrap();
        let error = put.typed::<(DevicePtr<u32>, u64)>().unwrap_err();
        assert_eq!(error.to_string(), "kernel `put`: parameter 1 (the second) takes 4 bytes, `u64` has 8");
        let put = put.typed::<(DevicePtr<u32>, u32)>().unwrap();
        signatures(&context, version);
        // SAFETY: one thread writes the first of three elements, on the buffer's own stream.
        unsafe { put.launch(LaunchConfig::new(1, 1), &stream, (buffer.ptr(), 40)) }.unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [40, 2, 3]);
        buffer.fill_zero().unwrap();
        // Stream-ordered memory came with 11.2; before, memory is allocated plainly, and that is said.
        assert_eq!(buffer.is_plain(), !had(11, 2), "{buffer:?}");
        buffer.close().unwrap();
        match MemPool::new(device, MemPoolOptions::new()) {
            Ok(pool) => {
                assert!(had(11, 2));
                let buffer = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3], &pool).unwrap();
                assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
            }
            Err(error) => {
                assert!(!had(11, 2), "{error}");
                assert!(error.kind() == ErrorKind::FunctionMissing, "{error}");
                assert_eq!(MemPool::default_of(device).unwrap_err().kind(), ErrorKind::FunctionMissing);
            }
        }
        let shared = DeviceBuf::from_host_in(&stream, &[1_u32], MemorySource::Plain).unwrap();
        shared.ipc_handle().unwrap();
        // These work on all releases.
        let pool = CachingPool::new(&context);
        let buffer = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3], &pool).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
        drop(buffer);
        assert_eq!(pool.usage().held_blocks, 1);
        let unit = PhysicalMemory::granularity(device, PhysicalMemoryOptions::new()).unwrap();
        let mut memory = VirtualMemory::reserve(&stream, unit).unwrap();
        memory.map(0, &PhysicalMemory::new(device, unit, PhysicalMemoryOptions::new()).unwrap()).unwrap();
        memory.set_access(.., &[device], AccessFlags::READ_WRITE).unwrap();
        memory.slice_mut::<u32>(..2).unwrap().copy_from_host(&[4, 5]).unwrap();
        assert_eq!(memory.slice::<u32>(..2).unwrap().to_vec().unwrap(), [4, 5]);
    });
    assert!(reports.is_empty(), "{reports:?}");
}

/// The parameters of kernels, however they were loaded.
fn signatures(context: &Context, version: DriverVersion) {
    let is_told = |function: &Function| {
        let parameters = function.parameters().unwrap();
        assert_eq!(parameters, [(0, 8), (8, 4)].map(|(offset, size)| ParameterInfo { offset, size }));
        assert_eq!(function.parameter_count().unwrap(), 2);
    };
    is_told(&Library::from_ptx(PTX).unwrap().kernel("put").unwrap().function(context).unwrap());
    let mut linker = Linker::new(context, &JitOptions::new()).unwrap();
    linker.add_ptx("put.ptx", PTX).unwrap();
    is_told(&linker.complete().unwrap().load(context).unwrap().function("put").unwrap());
    // The newest of the texts that fit counts.
    let other = PTX.replace(".param .u32 value", ".param .u64 value");
    let piece = |target, text| Piece { text, target, packing: Packing::Plain };
    let fat = fat_binary(&[piece(50, &other), piece(90, PTX), piece(120, &other)]);
    // SAFETY: it is whole.
    is_told(&unsafe { Module::from_fatbin(context, &fat) }.unwrap().function("put").unwrap());
    // SAFETY: it is whole.
    let library = unsafe { Library::from_image(&fat) }.unwrap();
    is_told(&library.kernel("put").unwrap().function(context).unwrap());
    let fat = fat_binary(&[Piece { packing: Packing::Lz4, ..piece(50, PTX) }]);
    // SAFETY: it is whole.
    let packed = unsafe { Module::from_fatbin(context, &fat) }.unwrap().function("put").unwrap();
    if version >= DriverVersion::new(12, 4) {
        return is_told(&packed);
    }
    let error = packed.typed::<(DevicePtr<u32>, u32)>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    let text = format!(
        "cuFuncGetParamInfo needs a driver for CUDA 12.4 or newer; the loaded one is for CUDA {version}: the parameters of \
         `put` are not known: the code in its fat binary is compressed; `Function::typed_unchecked` gives it types without a \
         check"
    );
    assert_eq!(error.to_string(), text);
}

#[test]
fn the_safe_layer_runs_on_drivers_of_every_age() {
    for version in [11000, 11020, 11040, 12000, 12030, 12040, 12080, 13000, 13050] {
        let (_, err) = in_child(&format!("version {version}"));
        assert_eq!(err, "", "{version}");
    }
}

fn devices(count: u32) {
    cuda_sim::install(Config { devices: count, ..Config::default() }).unwrap();
    if count == 0 {
        assert_eq!(cuda_rt::init().unwrap_err().code(), Some(Code::NoDevice));
        assert_eq!(Device::count().unwrap_err().code(), Some(Code::NoDevice));
        return;
    }
    assert_eq!(Device::count().unwrap(), count);
    let uuids: std::collections::BTreeSet<_> =
        Device::all().unwrap().iter().map(|device| device.uuid().unwrap().to_string()).collect();
    assert_eq!(uuids.len(), count as usize);
    let last = Stream::new(&Context::primary(Device::get(count - 1).unwrap()).unwrap()).unwrap();
    assert_eq!(DeviceBuf::from_host(&last, &[7]).unwrap().to_vec().unwrap(), [7]);
    let error = Device::get(count).unwrap_err();
    assert!(error.to_string().ends_with(&format!("device {count}, where there are {count}")), "{error}");
}

#[test]
fn device_count_is_the_configured_number() {
    for count in [0, 1, 2, 16] {
        in_child(&format!("devices {count}"));
    }
}

fn missing_function() {
    cuda_sim::install(Config { driver_version: DriverVersion::new(13, 1), ..Config::default() }).unwrap();
    cuda_rt::init().unwrap();
    // SAFETY: a null stream is the default one.
    let answer = unsafe { cuda_sys::cuStreamEndCaptureToCig(core::ptr::null_mut()) };
    assert_eq!(answer, CUresult::CUDA_ERROR_NOT_SUPPORTED);
}

/// Functions of graphics libraries that are simulated. The others say that they are not.
const SIMULATED: [Symbol; 3] =
    [Symbol::cuGLGetDevices_v2, Symbol::cuGraphicsGLRegisterBuffer, Symbol::cuGraphicsGLRegisterImage];

/// Calls each function of a list with zeros, and returns it with its answer.
macro_rules! answers {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:tt] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {{
        use core::ffi::*;
        use cuda_sys::*;
        vec![$({
            // SAFETY: the types are numbers, pointers, and structures of both, so zeros are values of them.
            $(let $argument: $type = unsafe { core::mem::zeroed() };)*
            // SAFETY: the driver is not initialised, so it uses no argument.
            (Symbol::$name, unsafe { cuda_sys::$name($($argument),*) })
        }),*]
    }};
}

/// Calls the functions that the table of the driver does not have, before `cuInit`.
#[allow(non_snake_case)]
fn other_functions() {
    cuda_sim::install(Config { driver_version: DriverVersion::new(13, 5), ..Config::default() }).unwrap();
    let twins = cuda_sys::for_each_per_thread_function!(answers);
    assert!(twins.len() > 100);
    let mut answers = cuda_sys::for_each_gl_function!(answers);
    answers.extend(cuda_sys::for_each_egl_function!(answers));
    answers.extend(cuda_sys::for_each_vdpau_function!(answers));
    answers.retain(|(symbol, _)| symbol.is_on_this_system());
    for (symbol, code) in &answers {
        let is_simulated = SIMULATED.contains(symbol);
        let expected = if is_simulated {
            CUresult::CUDA_ERROR_NOT_INITIALIZED
        } else {
            CUresult::CUDA_ERROR_NOT_SUPPORTED
        };
        assert_eq!(*code, expected, "{symbol}");
    }
    for (symbol, code) in &twins {
        assert_eq!(*code, CUresult::CUDA_ERROR_NOT_INITIALIZED, "{symbol}");
    }
    let called: BTreeSet<&str> = answers.iter().chain(&twins).map(|(symbol, _)| symbol.name()).collect();
    let others =
        Symbol::all().filter(|symbol| symbol.set() != SymbolSet::Driver && symbol.is_on_this_system());
    assert_eq!(called, others.map(Symbol::name).collect());
}

#[test]
fn per_thread_and_graphics_functions_are_there() {
    let (_, err) = in_child("functions");
    let lacking = Symbol::all().filter(|symbol| {
        let is_of_graphics = matches!(symbol.set(), SymbolSet::Gl | SymbolSet::Egl | SymbolSet::Vdpau);
        is_of_graphics && symbol.is_on_this_system() && !SIMULATED.contains(symbol)
    });
    let expected: BTreeSet<String> = lacking
        .map(|symbol| format!("cuda-sim: {symbol} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"))
        .collect();
    assert_eq!(err.lines().map(str::to_owned).collect::<BTreeSet<_>>(), expected);
}

fn missing_instruction() {
    cuda_sim::install_once().unwrap();
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let ptx = ".version 9.0 .target sm_90 .address_size 64 .global .texref t;
        .visible .entry k() { .reg .b32 %r;
        txq.channel_order.b32 %r, [t]; ret; }";
    let kernel = Module::from_ptx(&context, ptx).unwrap().function("k").unwrap().typed::<()>().unwrap();
    let stream = Stream::new(&context).unwrap();
    // SAFETY: the kernel writes nothing.
    let error = unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap_err();
    assert_eq!(error.code(), Some(Code::NotSupported));
}

fn cubin() {
    cuda_sim::install_once().unwrap();
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let _entered = context.enter().unwrap();
    let mut module = std::ptr::null_mut();
    let mut image = [0_u8; 64];
    image[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
    image[0x12] = 190; // for CUDA
    image[0x30] = 90; // for compute capability 9.0
    // SAFETY: `module` is valid for a write; the image has the header of an ELF file, which names nothing beyond it.
    let code = unsafe { cuda_sys::cuModuleLoadData(&raw mut module, image.as_ptr().cast()) };
    assert_eq!(code, CUresult::CUDA_ERROR_NOT_SUPPORTED);
}

#[test]
fn missing_feature_is_named_on_standard_error() {
    for (case, said) in [
        ("function", "cuStreamEndCaptureToCig"),
        (
            "instruction",
            "ptxas application ptx input, line 3; error   : Instruction 'txq.channel_order.b32' is not supported",
        ),
        ("cubin", "machine code cannot run on the software driver"),
    ] {
        let (_, err) = in_child(case);
        assert!(err.starts_with("cuda-sim: ") && err.contains(said), "{case}: {err}");
        assert_eq!(err.lines().count(), 1, "{case}: {err}");
    }
}

/// More than the machine's budget of 4 GiB, and less than an H200 has.
fn budget() {
    cuda_sim::install_once().unwrap();
    let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
    let allocate = |bytes: usize, source: MemorySource<'_>| {
        DeviceBuf::<u8>::uninit_in(&stream, bytes, source).map(drop).unwrap_err().code()
    };
    // No device has so much.
    assert_eq!(allocate(1 << 50, MemorySource::Plain), Some(Code::OutOfMemory));
    // A failure for another reason than memory.
    let memory = cuda_sim::FaultRule::any(CUresult::CUDA_ERROR_OUT_OF_MEMORY).times(1);
    cuda_sim::Machine::current().inject(memory);
    assert_eq!(allocate(1, MemorySource::Plain), Some(Code::OutOfMemory));
    for source in [MemorySource::Plain, MemorySource::Default] {
        assert_eq!(allocate(5 << 30, source), Some(Code::OutOfMemory));
    }
}

#[test]
fn memory_beyond_the_budget_is_explained_once() {
    let (_, err) = in_child("budget");
    assert_eq!(
        err,
        "cuda-sim: cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY: 5368709120 bytes of device 0, where 4294967296 are free of the \
         simulated budget of 4294967296, and not of the 150109880320 that the device reports; Config::memory_bytes or \
         CUDA_SIM=memory=8G sets the budget\n"
    );
}

#[test]
fn directives_with_the_largest_numbers_are_harmless() {
    let (_, err) = in_child("largest");
    assert_eq!(err, "");
}

/// Hardware's driver ends the process with this: see the conformance fact V127.
fn largest() {
    cuda_sim::install_once().unwrap();
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry k() .maxntid 4294967295, 4294967295, 4294967295 { ret; }";
    let function = Module::from_ptx(&context, ptx).unwrap().function("k").unwrap();
    assert_eq!(function.max_threads_per_block(), Ok(1024));
}
