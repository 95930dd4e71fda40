//! Libraries: code of no context, in each context that uses it.

use crate::{is_since, typed};
use cuda_rt::context::{CacheConfig, ContextFlags};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::{FunctionAttribute, JitLog, JitOptions, Library, LibraryOptions, ParameterInfo};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Function, LaunchConfig, Module, Stream};
use cuda_suite::{context, device, invalid, skip};

const PTX: &str = ".version 6.4
.target sm_50
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry add(.param .u64 out, .param .u32 by) {
    .reg .b64 %a;
    .reg .b32 %r<3>;
    ld.param.u64 %a, [out];
    ld.param.u32 %r0, [by];
    ld.global.u32 %r1, [counter];
    add.u32 %r1, %r1, %r0;
    st.global.u32 [counter], %r1;
    st.global.u32 [%a], %r1;
    ret;
}
.entry hidden() { ret; }
.func helper() { ret; }
";
const MANAGED: &str = ".version 6.4
.target sm_50
.address_size 64
.visible .global .attribute(.managed) .align 8 .u32 numbers[4] = {5, 6, 7, 8};
.visible .global .align 4 .u32 plain = 6;
.visible .entry increment() {
    .reg .b32 %r;
    ld.global.u32 %r, [numbers];
    add.u32 %r, %r, 1;
    st.global.u32 [numbers], %r;
    ret;
}
";

/// Returns whether the driver has functions for libraries.
fn knows_libraries() -> bool {
    is_since(12, 0)
}

fn library() -> Library {
    context();
    Library::from_ptx(PTX).unwrap()
}

fn own() -> Context {
    Context::new(device(), ContextFlags::default()).unwrap()
}

/// Adds to the variable of the function's context; the sum.
fn add(function: &Function, by: u32) -> u32 {
    let stream = Stream::new(function.context()).unwrap();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let add = typed::<(DevicePtr<u32>, u32)>(function);
    // SAFETY: the kernel writes one word of `out`, which lives on the same stream.
    unsafe { add.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), by)) }.unwrap();
    out.to_vec().unwrap()[0]
}

#[test]
fn a_library_is_made_where_no_context_is_current() {
    cuda_suite::driver();
    std::thread::spawn(|| {
        let library = Library::from_ptx(PTX).unwrap();
        let kernel = library.kernel("add").unwrap();
        assert_eq!(kernel.name(), "add");
        assert_eq!(kernel.as_raw().is_some(), knows_libraries());
        assert_eq!(kernel.library().as_raw(), library.as_raw());
    })
    .join()
    .unwrap();
}

#[test]
fn missing_kernels_are_not_found() {
    let library = library();
    for missing in ["nope", "helper", "ADD", ""] {
        let error = match library.kernel(missing) {
            Ok(kernel) if !knows_libraries() => kernel.function(&context()).unwrap_err(),
            found => found.unwrap_err(),
        };
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        assert!(error.to_string().contains(&format!(": `{missing}`")), "{error}");
    }
    if knows_libraries() && is_since(12, 4) {
        let error = library.kernel("ADD").unwrap_err().to_string();
        assert!(error.contains(": `ADD`, but there is `add`"), "{error}");
        let error = library.kernel("nope").unwrap_err().to_string();
        assert!(error.contains(": `nope`, where the kernels are `") && error.contains("`add`"), "{error}");
    }
    let error = library.global::<u32>(&context(), "add").unwrap_err().to_string();
    assert!(error.ends_with(": `add`, which is the name of a kernel"), "{error}");
    library.kernel("hidden").unwrap().function(&context()).unwrap();
    let error = library.kernel("a\0b").unwrap_err();
    assert_eq!(error, invalid("the byte at position 1 is NUL"));
}

#[test]
fn mistakes_come_with_the_log() {
    cuda_suite::driver();
    let wrong = PTX.replace("ret;", "jump nowhere;");
    let error = match Library::from_ptx(&wrong) {
        Ok(library) if !knows_libraries() => library.module(&context()).unwrap_err(),
        made => made.unwrap_err(),
    };
    assert_eq!(error.code(), Some(Code::InvalidPtx));
    let log = error.context::<JitLog>().unwrap();
    assert!(log.error.contains("'jump'"), "{error}");
    let call = if knows_libraries() { "cuLibraryGetKernel" } else { "cuModuleLoadDataEx" };
    assert_eq!(error.call(), Some(call), "the driver takes anything, and tells when something is looked up");
    let error = Library::from_ptx("hello").unwrap_err();
    assert_eq!(error, invalid("does not begin `.version`"), "{error}");
}

#[test]
fn newer_text_is_refused_as_such() {
    if !is_since(12, 8) {
        skip!("the code is not that of older drivers");
    }
    context();
    let error = Library::from_ptx(".version 99.0\n.target sm_50\n.address_size 64\n").unwrap_err();
    assert_eq!(error.code(), Some(Code::UnsupportedPtxVersion), "{error}");
    assert!(error.to_string().contains("Unsupported .version 99.0"), "{error}");
}

#[test]
fn contexts_have_variables_of_their_own() {
    let kernel = library().kernel("add").unwrap();
    let (first, second) = (kernel.function(&own()).unwrap(), kernel.function(&own()).unwrap());
    assert_ne!(first.as_raw(), second.as_raw());
    assert_eq!((add(&first, 1), add(&first, 1), add(&second, 10)), (8, 9, 17));
}

#[test]
fn a_function_keeps_its_library_and_its_context() {
    let context = own();
    let id = context.id();
    let function = library().kernel("add").unwrap().function(&context).unwrap();
    drop(context);
    assert_eq!(add(&function, 3), 10);
    assert_eq!((function.context().id(), function.name()), (id, "add"));
}

#[test]
fn a_context_has_one_module_of_a_library() {
    let (library, context) = (library(), own());
    let module = library.module(&context).unwrap();
    let function = library.kernel("add").unwrap().function(&context).unwrap();
    assert_eq!(function.module().as_raw(), module.as_raw());
    assert_eq!(module.function("add").unwrap().as_raw(), function.as_raw());
    assert_eq!(library.module(&context).unwrap().as_raw(), module.as_raw());
    assert_ne!(library.module(&own()).unwrap().as_raw(), module.as_raw());
    assert_eq!(add(&function, 1), 8);
    // This drop does not unload it.
    module.close().unwrap();
    assert_eq!(add(&function, 1), 9);
}

#[test]
fn variables_stay_as_long_as_the_library() {
    let (library, context) = (library(), own());
    let kernel = library.kernel("add").unwrap();
    assert_eq!(add(&kernel.function(&context).unwrap(), 1), 8);
    // Older drivers have them as long as anything of the module is kept.
    let expected = if knows_libraries() { 9 } else { 8 };
    assert_eq!(add(&kernel.function(&context).unwrap(), 1), expected);
    let module = library.module(&context).unwrap();
    let sum = add(&kernel.function(&context).unwrap(), 1);
    assert_eq!(add(&kernel.function(&context).unwrap(), 1), sum + 1);
    drop(module);
}

#[test]
fn a_variable_is_copied_as_those_of_modules_are() {
    let (library, context) = (library(), own());
    let stream = Stream::new(&context).unwrap();
    let counter = library.global::<u32>(&context, "counter").unwrap();
    let function = library.kernel("add").unwrap().function(&context).unwrap();
    drop((library, context));
    assert_eq!(counter.to_vec(&stream).unwrap(), [7]);
    counter.copy_from_host(&stream, &[40]).unwrap();
    assert_eq!(add(&function, 2), 42);
    assert_eq!(counter.to_vec(&stream).unwrap(), [42]);
    let library = Library::from_ptx(PTX).unwrap();
    for missing in ["nope", ""] {
        let error = library.global::<u32>(&own(), missing).unwrap_err();
        assert!(error.kind() == ErrorKind::NotFound, "{error}");
    }
    let error = library.global::<u64>(&own(), "counter").unwrap_err();
    assert!(error.kind() == ErrorKind::TypeMismatch, "{error}");
}

#[test]
fn images_and_files_are_checked_before_the_driver() {
    context();
    let path = std::env::temp_dir().join(format!("cuda-rt-library-{}", std::process::id()));
    std::fs::write(&path, PTX).unwrap();
    // SAFETY: it is PTX.
    let library = unsafe { Library::from_file(&path) };
    std::fs::remove_file(&path).unwrap();
    assert_eq!(add(&library.unwrap().kernel("add").unwrap().function(&own()).unwrap(), 1), 8);
    // SAFETY: there is nothing there.
    let error = unsafe { Library::from_file(&path) }.unwrap_err();
    assert!(error.kind() == ErrorKind::File, "{error}");
    // SAFETY: it never reaches the driver.
    let error = unsafe { Library::from_image(b"\x7fELF") }.unwrap_err();
    assert_eq!(error, invalid("image: not whole: "), "{error}");
}

#[test]
fn a_library_outlives_its_contexts() {
    let library = library();
    let kernel = library.kernel("add").unwrap();
    for _ in 0..3 {
        let context = own();
        let function = kernel.function(&context).unwrap();
        assert_eq!(add(&function, 1), 8, "each begins with the first values");
        drop(function);
        // No other handle keeps it alive.
        context.close().unwrap();
    }
    library.close().unwrap();
    drop(kernel);
}

#[test]
fn threads_may_ask_at_once() {
    let (library, context) = (library(), own());
    let module = library.module(&context).unwrap();
    let functions: Vec<_> = std::thread::scope(|scope| {
        let ask = || library.kernel("add").unwrap().function(&context).unwrap();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(functions.iter().all(|function| function.as_raw() == functions[0].as_raw()));
    drop((module, library));
    assert_eq!(add(&functions[7], 1), 8);
}

#[test]
fn a_new_module_for_each_thread_is_one_in_the_end() {
    let (library, context) = (library(), own());
    let barrier = std::sync::Barrier::new(4);
    let modules: Vec<Module> = std::thread::scope(|scope| {
        let ask = || {
            barrier.wait();
            library.module(&context).unwrap()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(modules.iter().all(|module| module.as_raw() == modules[0].as_raw()));
}

#[test]
fn kernels_are_listed() {
    let library = library();
    let listed = match library.kernels() {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        listed => listed.unwrap(),
    };
    let mut names: Vec<_> = listed.iter().map(|kernel| kernel.name().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["add", "hidden"]);
    let add_again = listed.iter().find(|kernel| kernel.name() == "add").unwrap();
    assert_eq!(add_again.as_raw(), library.kernel("add").unwrap().as_raw());
    drop(library);
    assert_eq!(add(&add_again.function(&own()).unwrap(), 1), 8);
    assert!(
        Library::from_ptx(".version 6.4 .target sm_50 .address_size 64")
            .unwrap()
            .kernels()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn properties_are_those_of_each_device() {
    let kernel = library().kernel("add").unwrap();
    for device in Device::all().unwrap() {
        let threads = match kernel.attribute(device, FunctionAttribute::MAX_THREADS_PER_BLOCK) {
            Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
            threads => threads.unwrap(),
        };
        let function = kernel.function(&Context::primary(device).unwrap()).unwrap();
        assert_eq!(function.attribute(FunctionAttribute::MAX_THREADS_PER_BLOCK).unwrap(), threads);
        let version = FunctionAttribute::BINARY_VERSION;
        assert_eq!(kernel.attribute(device, version), function.attribute(version));
        let error = kernel.attribute(device, FunctionAttribute(99)).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue));
        assert!(error.to_string().contains("FunctionAttribute(99)"), "{error}");
        kernel.set_cache_config(device, CacheConfig::PreferL1).unwrap();
        let error = kernel.set_cache_config(device, CacheConfig::Other(9)).unwrap_err();
        assert!(error.to_string().ends_with(&format!(": setting 9, {device}")), "{error}");
    }
}

#[test]
fn kernel_settings_apply_to_its_functions() {
    let dynamic = FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let carveout = FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT;
    let (kernel, device) = (library().kernel("add").unwrap(), device());
    let before = kernel.function(&own()).unwrap();
    let alone = kernel.function(&own()).unwrap();
    alone.set_shared_memory_carveout(Some(30)).unwrap();
    match kernel.set_max_dynamic_shared_bytes(device, 60 << 10) {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        set => set.unwrap(),
    }
    kernel.set_shared_memory_carveout(device, Some(60)).unwrap();
    let after = kernel.function(&own()).unwrap();
    for function in [&before, &after] {
        assert_eq!(function.attribute(dynamic).unwrap(), 60 << 10);
        assert_eq!(function.attribute(carveout).unwrap(), 60);
    }
    assert_eq!(alone.attribute(dynamic).unwrap(), 60 << 10);
    assert_eq!(alone.attribute(carveout).unwrap(), 30, "what was set of it alone stays");
    assert_eq!(kernel.attribute(device, carveout).unwrap(), 60);
    // Other users rely on their settings.
    kernel.set_max_dynamic_shared_bytes(device, 50 << 10).unwrap();
    assert_eq!(kernel.attribute(device, dynamic).unwrap(), 60 << 10);
    let error = kernel.set_max_dynamic_shared_bytes(device, u32::MAX).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("4294967295"), "{error}");
    assert!(kernel.set_shared_memory_carveout(device, Some(101)).is_err());
    // SAFETY: registers cannot be set.
    assert!(unsafe { kernel.set_attribute(device, FunctionAttribute::NUM_REGS, 1) }.is_err());
}

#[test]
fn older_drivers_name_missing_functions() {
    let library = library();
    if knows_libraries() {
        skip!("the driver has libraries");
    }
    let kernel = library.kernel("add").unwrap();
    let errors = [
        kernel.attribute(device(), FunctionAttribute::NUM_REGS).unwrap_err(),
        kernel.set_max_dynamic_shared_bytes(device(), 1).unwrap_err(),
        kernel.set_cache_config(device(), CacheConfig::PreferL1).unwrap_err(),
        library.managed::<u32>("counter").unwrap_err(),
        library.kernels().unwrap_err(),
        library.unified_function("add").unwrap_err(),
    ];
    for error in errors {
        assert!(error.kind() == ErrorKind::FunctionMissing, "{error}");
    }
}

#[test]
fn managed_variables_are_the_same_in_all_contexts() {
    context();
    let library = Library::from_ptx(MANAGED).unwrap();
    let numbers = match library.managed::<u32>("numbers") {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        Err(error) if error.code() == Some(Code::NotSupported) => skip!("{error}"),
        numbers => numbers.unwrap(),
    };
    assert_eq!((numbers.len(), numbers.is_empty()), (4, false));
    // SAFETY: the library is loaded, and no kernel runs.
    let read = |index: usize| unsafe { numbers.host_ptr().wrapping_add(index).read() };
    assert_eq!([0, 1, 2, 3].map(read), [5, 6, 7, 8]);
    let kernel = library.kernel("increment").unwrap();
    for expected in [6, 7] {
        let context = own();
        let stream = Stream::new(&context).unwrap();
        let increment = typed::<()>(&kernel.function(&context).unwrap());
        // SAFETY: the kernel touches the variable alone.
        unsafe { increment.launch(LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
        context.synchronize().unwrap();
        assert_eq!(read(0), expected);
    }
    drop(kernel);
    assert_eq!(read(0), 7, "the contexts are gone");
    for missing in ["plain", "nope", "", "increment"] {
        let error = library.managed::<u32>(missing).unwrap_err();
        assert!(error.kind() == ErrorKind::NotFound, "{error}");
    }
    assert_eq!(library.managed::<u64>("numbers").unwrap().len(), 2);
    let error = library.managed::<[u32; 3]>("numbers").unwrap_err();
    let text = "variable `numbers`: 16 bytes are no whole number of `[u32; 3]`, which has 12";
    assert_eq!(error.to_string(), text);
    assert!(library.managed::<()>("numbers").is_err());
    // Two libraries of one text have nothing in common.
    let other = Library::from_ptx(MANAGED).unwrap();
    assert_ne!(other.managed::<u32>("numbers").unwrap().ptr(), numbers.ptr());
}

#[test]
fn options_reach_the_compiler_and_the_driver() {
    context();
    let text = format!("{PTX} .visible .entry empty() {{ ret; }}");
    let jit = JitOptions::new().log_verbose(true).max_registers(32);
    let options = LibraryOptions::new().jit(jit).keep_image(true);
    let library = Library::from_ptx_with(text, &options).unwrap();
    let function = library.kernel("add").unwrap().function(&own()).unwrap();
    assert!(function.attribute(FunctionAttribute::NUM_REGS).unwrap() <= 32);
    drop(library);
    assert_eq!(add(&function, 1), 8);
}

#[test]
fn no_function_is_shared_with_the_host() {
    let library = library();
    match library.unified_function("add") {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        Err(error) => assert!(error.kind() == ErrorKind::NotFound, "{error}"),
        Ok(found) => panic!("{found:?}"),
    }
}

#[test]
fn references_stay_bound_after_the_last_module_handle() {
    use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    context();
    let text = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    let (library, context) = (Library::from_ptx(text).unwrap(), own());
    let stream = Stream::new(&context).unwrap();
    let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1)).unwrap();
    let raw = array.as_raw();
    let reference = library.module(&context).unwrap().tex_ref("image").unwrap();
    reference.set_array(&array).unwrap();
    drop((array, reference));
    if !knows_libraries() {
        skip!("the module is unloaded with what its references are bound to");
    }
    let again = library.module(&context).unwrap().tex_ref("image").unwrap();
    assert_eq!(again.array().unwrap().map(|array| array.as_raw()), Some(raw));
}

#[test]
fn kernel_parameters_are_those_of_its_function() {
    let library = library();
    let (kernel, context) = (library.kernel("add").unwrap(), own());
    let expected = [ParameterInfo { offset: 0, size: 8 }, ParameterInfo { offset: 8, size: 4 }];
    assert_eq!(kernel.parameters(&context).unwrap(), expected);
    assert_eq!(kernel.function(&context).unwrap().parameters().unwrap(), expected);
    assert_eq!(library.kernel("hidden").unwrap().parameters(&context).unwrap(), []);
}
