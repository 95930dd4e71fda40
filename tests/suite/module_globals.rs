//! Variables of modules.

#![allow(unsafe_code)] // launches, and pointers of the host

use crate::busy::Busy;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::Global;
use cuda_rt::module::{GlobalMismatch, NameHint};
use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
use cuda_rt::{Module, Stream};
use cuda_suite::{context, invalid, not_for_host, out_of_bounds, stream};

const TEXT: &str = ".version 6.4\n.target sm_50\n.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .global .align 2 .b8 odd[3] = {1, 2, 3};
.visible .const .align 4 .b8 table[16];
.visible .const .align 8 .b8 pair[8];
.visible .global .align 16 .b8 big[4096];
.visible .entry k(.param .u64 out, .param .u32 at) {
    .reg .b64 %a, %t, %i; .reg .b32 %r, %n;
    ld.param.u64 %a, [out];
    ld.param.u32 %n, [at];
    mov.u64 %t, table;
    mul.wide.u32 %i, %n, 4;
    add.u64 %t, %t, %i;
    ld.const.u32 %r, [%t];
    st.global.u32 [%a], %r;
    ld.global.u32 %r, [counter];
    add.u32 %r, %r, 1;
    st.global.u32 [counter], %r;
    ret; }
.visible .global .texref picture;
";

fn module() -> Module {
    Module::from_ptx(&context(), TEXT).unwrap()
}

fn entry(module: &Module, stream: &Stream, at: u32) -> u32 {
    let kernel = crate::typed::<(DevicePtr<u32>, u32)>(&module.function("k").unwrap());
    let out = DeviceBuf::<u32>::zeroed(stream, 1).unwrap();
    // SAFETY: the kernel writes one number, of those in the table.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), stream, (out.ptr(), at)) }.unwrap();
    out.to_vec().unwrap()[0]
}

#[test]
fn constants_are_filled_before_kernels_use_them() {
    let (module, stream) = (module(), stream());
    let table = module.global::<u32>("table").unwrap();
    assert_eq!((table.len(), table.size_bytes(), table.is_empty(), table.name()), (4, 16, false, "table"));
    table.copy_from_host(&stream, &[10, 11, 12, 13]).unwrap();
    assert_eq!(entry(&module, &stream, 2), 12);
    table.slice(2..).unwrap().fill(&stream, 99).unwrap();
    assert_eq!(entry(&module, &stream, 2), 99);
    let numbers = DeviceBuf::from_host(&stream, &[1, 2, 3, 4]).unwrap();
    table.copy_from_device(numbers.as_slice()).unwrap();
    assert_eq!(entry(&module, &stream, 3), 4);
    // Other views of the same memory.
    assert_eq!(module.global::<[u16; 2]>("table").unwrap().to_vec(&stream).unwrap()[1], [2, 0]);
    assert_eq!(module.global::<f64>("pair").unwrap().to_vec(&stream).unwrap(), [0.0]);
}

#[test]
fn variables_are_read_and_written() {
    let (module, stream) = (module(), stream());
    let counter = module.global::<u32>("counter").unwrap();
    entry(&module, &stream, 0);
    let mut one = [0];
    counter.copy_to_host(&stream, &mut one).unwrap();
    assert_eq!(one, [8]);
    counter.fill(&stream, 100).unwrap();
    entry(&module, &stream, 0);
    assert_eq!(counter.to_vec(&stream).unwrap(), [101]);
    let mut copy = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    counter.copy_to_device(copy.as_slice_mut()).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [101]);
    // Two modules have two variables.
    let other = self::module().global::<u32>("counter").unwrap();
    assert_ne!(other.ptr(), counter.ptr());
    assert_eq!(other.to_vec(&stream).unwrap(), [7]);
}

#[test]
fn sizes_and_alignments_are_compared() {
    let module = module();
    let error = module.global::<u32>("odd").unwrap_err();
    let mismatch = GlobalMismatch::Size { bytes: 3, element: "u32", element_bytes: 4 };
    assert_eq!((error.kind(), error.context()), (ErrorKind::TypeMismatch, Some(&mismatch)));
    assert_eq!(error.to_string(), "variable `odd`: 3 bytes are no whole number of `u32`, which has 4");
    assert!(module.global::<u64>("counter").is_err());
    assert!(module.global::<()>("counter").is_err(), "elements of no size");
    assert_eq!(module.global::<[u8; 3]>("odd").unwrap().len(), 1);
    assert_eq!(module.global::<u128>("big").unwrap().len(), 256);
    let table = module.global::<u32>("table").unwrap();
    assert_eq!(table.slice(3..5).unwrap_err(), out_of_bounds(3, 5, 4));
    let empty = table.slice(4..).unwrap();
    assert!(empty.is_empty());
    assert_eq!(empty.to_vec(&stream()).unwrap(), [0_u32; 0]);
    // Behind the variable there may be other memory, about which the driver must not be asked.
    assert!(!empty.is_managed().unwrap());
    assert_eq!(empty.ptr(), table.ptr());
    let error = table.copy_from_host(&stream(), &[1, 2]).unwrap_err();
    assert_eq!(error, invalid("the source has 2 elements, the destination 4;"));
}

/// Conformance fact V107.
#[test]
fn names_of_other_symbols_are_no_variables() {
    let module = module();
    for (name, code, hint) in [
        ("nope", Code::NotFound, NameHint::None),
        ("", Code::InvalidValue, NameHint::None),
        ("k", Code::InvalidValue, NameHint::Kernel),
        ("picture", Code::InvalidValue, NameHint::None),
    ] {
        let error = module.global::<u8>(name).unwrap_err();
        assert_eq!((error.kind(), error.context()), (ErrorKind::NotFound, Some(&hint)));
        assert_eq!(error.code(), Some(code), "{name}");
        let text = error.to_string();
        let end = format!(": `{name}`{hint}");
        assert!(text.starts_with("cuModuleGetGlobal_v2: ") && text.ends_with(&end), "{text}");
    }
    let text = module.global::<u8>("k").unwrap_err().to_string();
    assert!(text.ends_with(": `k`, which is the name of a kernel"), "{text}");
    let text = module.function("counter").unwrap_err().to_string();
    assert!(text.ends_with(": `counter`, which is the name of a variable"), "{text}");
    let text = module.tex_ref("k").unwrap_err().to_string();
    assert!(text.ends_with(": `k`, which is the name of a kernel"), "{text}");
    let text = module.surf_ref("counter").unwrap_err().to_string();
    assert!(text.ends_with(": `counter`, which is the name of a variable"), "{text}");
    assert_eq!(module.global::<u8>("a\0b").unwrap_err(), invalid("the byte at position 1 is NUL"));
}

#[test]
fn a_stream_of_another_context_is_refused() {
    let counter = module().global::<u32>("counter").unwrap();
    let other = cuda_rt::Context::new(context().device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let stream = Stream::new(&other).unwrap();
    let refusal = invalid("variable: `counter` and the stream belong to different contexts;");
    assert_eq!(counter.to_vec(&stream).unwrap_err(), refusal);
    assert_eq!(counter.fill(&stream, 1).unwrap_err(), refusal);
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    assert_eq!(counter.copy_from_device(numbers.as_slice()).unwrap_err(), refusal);
    assert_eq!(counter.copy_to_device(numbers.as_slice_mut()).unwrap_err(), refusal);
}

#[test]
fn a_variable_keeps_its_module_and_its_context() {
    let context =
        cuda_rt::Context::new(context().device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let module = Module::from_ptx(&context, TEXT).unwrap();
    let counter = module.global::<u32>("counter").unwrap();
    drop((module, context));
    let last = counter.clone();
    std::thread::spawn(move || drop(counter)).join().unwrap();
    assert_eq!(last.to_vec(&stream).unwrap(), [7]);
    drop(stream);
    std::thread::spawn(move || drop(last)).join().unwrap();
}

/// Queued work is done before the memory is freed.
#[test]
fn dropped_variable_waits_for_queued_work() {
    crate::alone("module_globals::dropped_variable_waits_for_queued_work", || {
        let stream = stream();
        // Loading waits for kernels that run, too.
        let big = module().global::<u32>("big").unwrap();
        let mut copy = DeviceBuf::<u32>::zeroed(&stream, 1024).unwrap();
        let busy = Busy::new(&stream);
        big.fill(&stream, 5).unwrap();
        big.copy_to_device(copy.as_slice_mut()).unwrap();
        let dropping = std::thread::spawn(move || drop(big));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!dropping.is_finished());
        busy.go();
        dropping.join().unwrap();
        assert_eq!(copy.to_vec().unwrap(), [5; 1024]);
    });
}

#[test]
fn managed_variables_are_the_hosts_too() {
    if context().device().attribute(DeviceAttribute::MANAGED_MEMORY).unwrap() == 0 {
        cuda_suite::skip!("the device has no managed memory");
    }
    let text = ".version 6.4\n.target sm_50\n.address_size 64
        .visible .global .attribute(.managed) .align 4 .u32 progress[2] = {3, 4};
        .visible .global .align 4 .u32 plain;
        .visible .entry k() { .reg .b32 %r;
            ld.global.u32 %r, [progress]; add.u32 %r, %r, 10; st.global.u32 [progress+4], %r; ret; }\n";
    let (module, stream) = (Module::from_ptx(&context(), text).unwrap(), stream());
    let progress: Global<u32> = module.global("progress").unwrap();
    assert!(progress.is_managed().unwrap());
    let plain = module.global::<u32>("plain").unwrap();
    assert!(!plain.is_managed().unwrap());
    assert_eq!(plain.host_ptr().unwrap_err(), invalid("is not managed, so the host does not reach it;"));
    progress.slice(..1).unwrap().copy_from_host(&stream, &[30]).unwrap();
    let kernel = crate::typed::<()>(&module.function("k").unwrap());
    // SAFETY: the kernel touches the variable alone.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
    assert_eq!(progress.to_vec(&stream).unwrap(), [30, 40]);
    match progress.host_ptr() {
        // SAFETY: there are two; the module is loaded, and the stream was waited for.
        Ok(host) => assert_eq!(unsafe { host.cast::<[u32; 2]>().read() }, [30, 40]),
        Err(error) => {
            assert_eq!(error, not_for_host())
        }
    }
}
