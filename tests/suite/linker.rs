//! The linker of the safe layer: texts that need each other, refusals, and messages.

use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::{JitFallback, JitInput, JitLog, JitOptions, Linked, Linker};
use cuda_rt::{DeviceBuf, DevicePtr, Error, LaunchConfig, Module};
use cuda_suite::{context, invalid, stream};

const HEAD: &str = ".version 6.4\n.target sm_50\n.address_size 64\n";

/// A kernel that puts what `f` returns.
const CALLS: &str = ".extern .func (.param .b32 r) f();
    .visible .entry put(.param .u64 out) {
        .reg .b64 %a; .reg .b32 %v;
        ld.param.u64 %a, [out];
        { .param .b32 r; call.uni (r), f; ld.param.b32 %v, [r]; }
        st.global.u32 [%a], %v; ret; }";

/// A kernel that puts what the variable `g` holds.
const READS: &str = ".extern .global .align 4 .u32 g;
    .visible .entry put(.param .u64 out) {
        .reg .b64 %a; .reg .b32 %v;
        ld.param.u64 %a, [out]; ld.global.u32 %v, [g]; st.global.u32 [%a], %v; ret; }";

fn function(linkage: &str, value: u32) -> String {
    format!(
        "{linkage} .func (.param .b32 r) f() {{ .reg .b32 %v; mov.u32 %v, {value}; st.param.b32 [r], %v; ret; }}"
    )
}

fn kernel(linkage: &str, value: u32) -> String {
    format!(
        "{linkage} .entry put(.param .u64 out) {{ .reg .b64 %a; .reg .b32 %v;
        ld.param.u64 %a, [out]; mov.u32 %v, {value}; st.global.u32 [%a], %v; ret; }}"
    )
}

fn variable(linkage: &str, rest: &str) -> String {
    format!("{linkage} .global .align 4 {rest};")
}

/// Links texts that begin with the same lines, called `0`, `1` and so on.
fn link(texts: &[&str]) -> Result<Linked, Error> {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    for (number, text) in texts.iter().enumerate() {
        linker.add_ptx(&number.to_string(), format!("{HEAD}{text}\n"))?;
    }
    linker.complete()
}

/// Returns the word that the kernel `put` writes.
fn put(module: &Module) -> u32 {
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let kernel = crate::typed::<(DevicePtr<u32>,)>(&module.function("put").unwrap());
    // SAFETY: one thread writes the one element of `out`, which lives on the stream.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(),)) }.unwrap();
    out.to_vec().unwrap()[0]
}

fn linked_puts(texts: &[&str], value: u32) {
    let linked = link(texts).unwrap_or_else(|error| panic!("{texts:?}: {error}"));
    let module = linked.load(&context()).unwrap();
    // The module does not need its inputs any more.
    linked.close().unwrap();
    assert_eq!(put(&module), value, "{texts:?}");
}

#[track_caller]
fn refused(texts: &[&str], call: &str, words: &str) {
    let Err(error) = link(texts) else { panic!("{texts:?}: linked") };
    assert_eq!((error.kind(), error.call()), (ErrorKind::Compilation, Some(call)), "{texts:?}: {error}");
    let log = error.context::<JitLog>().unwrap();
    // The second, once something was refused in the process before (measured).
    assert!(matches!(error.code(), Some(Code::InvalidSource | Code::Unknown(_))), "{texts:?}: {error}");
    if crate::is_since(13, 0) && !crate::is_since(13, 1) {
        assert_eq!(&*log.error, words, "{texts:?}");
    }
}

const ADD: &str = "cuLinkAddData_v2";
const COMPLETE: &str = "cuLinkComplete";

#[test]
fn functions_of_other_texts_are_called() {
    linked_puts(&[CALLS, &function(".visible", 7)], 7);
    linked_puts(&[&function(".visible", 7), CALLS], 7);
    let through = ".extern .func (.param .b32 r) g();
        .visible .func (.param .b32 r) f() { .reg .b32 %v;
        { .param .b32 q; call.uni (q), g; ld.param.b32 %v, [q]; } add.u32 %v, %v, 1; st.param.b32 [r], %v; ret; }";
    linked_puts(&[CALLS, through, &function(".visible", 7).replace(" f()", " g()")], 8);
    // And back.
    let calls = format!("{CALLS}\n{}", function(".visible", 3).replace(" f()", " g()"));
    linked_puts(&[&calls, through], 4);
    let alias = format!(
        "{}\n.visible .func (.param .b32 r) f();\n.alias f, real;",
        function(".visible", 9).replace(" f()", " real()")
    );
    linked_puts(&[CALLS, &alias], 9);
}

#[test]
fn addresses_of_functions_of_other_texts_are_known() {
    let through = |setting: &str, table: &str| {
        format!(
            ".extern .func (.param .b32 r) f();\n{table}
            .visible .entry put(.param .u64 out) {{ .reg .b64 %a, %p; .reg .b32 %v;
            ld.param.u64 %a, [out]; {setting}
            {{ .param .b32 r; P: .callprototype (.param .b32 _) _ (); call (r), %p, P; ld.param.b32 %v, [r]; }}
            st.global.u32 [%a], %v; ret; }}"
        )
    };
    linked_puts(&[&through("mov.u64 %p, f;", ""), &function(".visible", 7)], 7);
    let table = ".global .u64 table[1] = {f};";
    linked_puts(&[&through("ld.global.u64 %p, [table];", table), &function(".visible", 7)], 7);
}

#[test]
fn weak_functions_give_way() {
    let [weak, other, strong] = [function(".weak", 7), function(".weak", 8), function(".visible", 9)];
    linked_puts(&[CALLS, &weak, &strong], 9);
    linked_puts(&[CALLS, &strong, &weak], 9);
    linked_puts(&[CALLS, &weak, &other], 7);
    let own = CALLS.replace(".extern .func (.param .b32 r) f();", &weak);
    linked_puts(&[&own, &strong], 9);
    linked_puts(&[&own, &other], 7);
    let internal = CALLS.replace(".extern .func (.param .b32 r) f();", &function("", 5));
    linked_puts(&[&internal, &strong], 5);
    linked_puts(&[&internal, &function("", 6), &strong], 5);
    linked_puts(&[&kernel(".visible", 1), &kernel(".weak", 2)], 1);
    linked_puts(&[&kernel(".weak", 2), &kernel(".visible", 1)], 1);
    linked_puts(&[&kernel(".weak", 1), &kernel(".weak", 2)], 1);
}

#[test]
fn variables_of_other_texts_are_read() {
    linked_puts(&[READS, &variable(".visible", ".u32 g = 7")], 7);
    linked_puts(&[&variable(".visible", ".u32 g = 7"), READS], 7);
    linked_puts(&[READS, &variable(".weak", ".u32 g = 7"), &variable(".visible", ".u32 g = 8")], 8);
    linked_puts(&[READS, &variable(".visible", ".u32 g = 8"), &variable(".weak", ".u32 g = 7")], 8);
    linked_puts(&[READS, &variable(".weak", ".u32 g = 7"), &variable(".weak", ".u32 g = 8")], 7);
    linked_puts(&[READS, &variable(".common", ".u32 g"), &variable(".visible", ".u32 g = 8")], 8);
    linked_puts(&[READS, &variable(".visible", ".u32 g = 8"), &variable(".common", ".u32 g")], 8);
    linked_puts(&[READS, &variable(".weak", ".u32 g = 8"), &variable(".common", ".u32 g")], 8);
    linked_puts(&[READS, &variable(".common", ".u32 g"), &variable(".common", ".u32 g[4]")], 0);
    linked_puts(&[READS, &variable(".visible", ".f32 g = 0f40e00000")], 0x40e0_0000);
    let unsized_one = READS.replace(".u32 g;", ".u32 g[];");
    linked_puts(&[&unsized_one, &variable(".visible", ".u32 g[2] = {7, 8}")], 7);
    let constant = READS.replace(".extern .global", ".extern .const").replace("ld.global", "ld.const");
    linked_puts(&[&constant, ".visible .const .align 4 .u32 g = 7;"], 7);
    // A definition without a linkage directive belongs to its text alone.
    let own = READS.replace(".extern .global .align 4 .u32 g;", ".global .align 4 .u32 g = 3;");
    linked_puts(&[&own, &variable("", ".u32 g = 4")], 3);
    linked_puts(&[&variable(".visible", ".u32 g = 4"), &own], 3);
    let pointer = ".extern .global .align 4 .u32 g[];
        .visible .global .u64 p = generic(g) + 4;
        .visible .entry put(.param .u64 out) { .reg .b64 %a, %p; .reg .b32 %v;
        ld.param.u64 %a, [out]; ld.global.u64 %p, [p]; ld.u32 %v, [%p]; st.global.u32 [%a], %v; ret; }";
    linked_puts(&[pointer, &variable(".visible", ".u32 g[2] = {7, 8}")], 8);
}

#[test]
fn shared_memory_and_references_go_together() {
    let uses = |declaration: &str, name: &str| {
        format!(
            "{declaration}\n.visible .entry {name}(.param .u64 out) {{ .reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [out];
            mov.u32 %v, 5; st.shared.u32 [s], %v; ld.shared.u32 %v, [s]; st.global.u32 [%a], %v; ret; }}"
        )
    };
    let internal = ".shared .align 4 .b8 s[16];";
    linked_puts(&[&uses(internal, "put"), &uses(internal, "other")], 5);
    let (needed, given) = (".extern .shared .align 4 .b8 s[16];", ".visible .shared .align 4 .b8 s[16];");
    linked_puts(&[&uses(needed, "put"), given], 5);
    let weak = ".weak .shared .align 4 .b8 s[16];";
    linked_puts(&[&uses(weak, "put"), &uses(weak, "other")], 5);
    let text = kernel(".visible", 6);
    linked_puts(&[&format!(".extern .global .texref t;\n{text}"), ".visible .global .texref t;"], 6);
    linked_puts(&[&format!(".global .texref t;\n{text}"), ".global .texref t;"], 6);
}

#[test]
fn missing_definitions_are_named() {
    refused(&[CALLS], COMPLETE, "error   : Undefined reference to 'f' in '0'");
    refused(&[CALLS, &function("", 7)], COMPLETE, "error   : Undefined reference to 'f' in '0'");
    refused(&[&function("", 7), READS], COMPLETE, "error   : Undefined reference to 'g' in '1'");
    // A missing variable is an error of each text that declares it.
    let declares = format!(".extern .global .align 4 .u32 g;\n{}", kernel(".visible", 3));
    refused(&[&declares], COMPLETE, "error   : Undefined reference to 'g' in '0'");
    // A function is not, unless a kernel reaches it.
    linked_puts(&[&format!(".extern .func nobody();\n{}", kernel(".visible", 3))], 3);
    linked_puts(
        &[&format!(
            ".extern .func nobody();\n.visible .func idle() {{ call.uni nobody; ret; }}\n{}",
            kernel(".visible", 3)
        )],
        3,
    );
    let two = |first: &str, second: &str, name: &str| {
        format!(
            ".extern .func {first}();\n.extern .func {second}();
            .visible .entry {name}() {{ call.uni {first}; call.uni {second}; ret; }}"
        )
    };
    refused(
        &[&two("b", "a", "put"), &two("c", "d", "other")],
        COMPLETE,
        "error   : Undefined reference to 'b' in '0'\nerror   : Undefined reference to 'a' in '0'\n\
         error   : Undefined reference to 'c' in '1'\nerror   : Undefined reference to 'd' in '1'",
    );
}

#[test]
fn conflicting_inputs_are_refused_when_added() {
    let twice =
        |name, first| format!("error   : Multiple definition of '{name}' in '2', first defined in '{first}'");
    refused(&[CALLS, &function(".visible", 7), &function(".visible", 8)], ADD, &twice("f", 1));
    refused(&[READS, &variable(".visible", ".u32 g"), &variable(".visible", ".u32 g")], ADD, &twice("g", 0));
    let twice = "error   : Multiple definition of 'put' in '1', first defined in '0'";
    refused(&[&kernel(".visible", 1), &kernel(".visible", 2)], ADD, twice);

    // Without an earlier definition, the message names the text itself.
    let prototype = "error   : Prototype doesn't match for 'f' in '1', first defined in '1'";
    let takes = |param: &str| function(".visible", 7).replace("f()", &format!("f({param})"));
    refused(&[CALLS, &takes(".param .b32 x")], ADD, prototype);
    let passes = CALLS.replace("f();", "f(.param .u32 x);").replace(
        "{ .param .b32 r; call.uni (r), f;",
        "{ .param .b32 r; .param .b32 x; st.param.b32 [x], 1; call.uni (r), f, (x);",
    );
    refused(&[&passes, &takes(".param .b64 x")], ADD, prototype);
    refused(&[&passes, &takes(".param .f32 x")], ADD, prototype);
    linked_puts(&[&passes, &takes(".param .s32 x")], 7);
    refused(&[CALLS, ".visible .func f() { ret; }"], ADD, prototype);

    let differs = |what| format!("error   : {what} doesn't match for 'g' in '1', first specified in '0'");
    refused(&[READS, &variable(".visible", ".u64 g = 7")], ADD, &differs("Size"));
    refused(&[READS, ".visible .const .align 4 .u32 g = 7;"], ADD, &differs("Memory space"));
    let space = "error   : Memory space doesn't match for 'f' in '1', first specified in '0'";
    refused(&[CALLS, ".visible .global .align 4 .u32 f = 3;"], ADD, space);
    refused(
        &[READS, ".visible .global .attribute(.managed) .align 4 .u32 g = 7;"],
        ADD,
        &differs("Managed attribute"),
    );
    let global = "error   : Function 'f' not declared __global__ in all source files";
    let calls = ".extern .func f();\n.visible .entry put() { call.uni f; ret; }";
    refused(&[calls, ".visible .entry f() { ret; }"], ADD, global);
}

#[test]
fn a_text_that_does_not_compile_is_left_out() {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    let wrong = format!("{HEAD}{}", function(".visible", 8).replace("mov", "bogus"));
    let error = linker.add_ptx("wrong", wrong).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidPtx));
    assert!(error.to_string().contains("Not a name of any known instruction: 'bogus'"), "{error}");
    let right = format!("{HEAD}{}", function(".visible", 7));
    linker.add_ptx("right", right).unwrap().add_ptx("calls", format!("{HEAD}{CALLS}")).unwrap();
    // Earlier messages stay.
    assert!(linker.jit_log().error.contains("bogus"));
    let linked = linker.complete().unwrap();
    assert!(linked.jit_log().error.contains("bogus"));
    assert_eq!(put(&linked.load(&context()).unwrap()), 7);
}

/// Drivers keep one log for all inputs: conformance fact V340.
#[test]
fn an_error_is_of_one_input() {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    let add = |linker: &mut Linker, name: &str, wrong: &str| {
        let text = format!("{HEAD}{}", function(".visible", 7).replace("ret;", &format!("{wrong};")));
        let Err(error) = linker.add_ptx(name, text) else { panic!("{name} was taken") };
        error
    };
    let first = add(&mut linker, "first", "bogus").to_string();
    assert!(first.starts_with("linking `first`: cuLinkAddData_v2: ") && first.contains("'bogus'"), "{first}");
    let error = add(&mut linker, "second", "nonsense");
    let second = error.to_string();
    assert!(second.starts_with("linking `second`: ") && second.contains("'nonsense'"), "{second}");
    assert!(!second.contains("bogus"), "{second}");
    let log = error.context::<JitLog>().unwrap();
    assert!(!log.error.contains("bogus"), "{log:?}");
    // An error of the whole link names no input.
    linker.add_ptx("calls", format!("{HEAD}{CALLS}")).unwrap();
    let error = linker.complete().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compilation);
    assert!(error.to_string().starts_with("cuLinkComplete: "), "{error}");
}

#[test]
fn input_for_newer_device_names_the_target() {
    let ComputeCapability { major, minor } = context().device().compute_capability().unwrap();
    if !crate::is_since(12, 8) || major >= 10 {
        cuda_suite::skip!(
            "the driver does not know the version of the text, or the device is as new as that"
        );
    }
    let text = ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n";
    let error =
        Linker::new(&context(), &JitOptions::new()).unwrap().add_ptx("new", text).unwrap_err().to_string();
    assert!(
        error.contains(&format!("sm_{major}{minor}; compile for compute_{major}{minor} or older")),
        "{error}"
    );
}

#[test]
fn text_other_than_ptx_is_refused_before_the_linker() {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    let not_ptx: [&[u8]; 4] = [b"", b"hello", b"\x7fELF\x02\x01\x01\0", b"\x50\xed\x55\xba\x01\0\0\0"];
    for text in not_ptx {
        let error = linker.add_ptx("no", text).unwrap_err();
        assert_eq!(error, invalid("does not begin `.version`"), "{error}");
    }
    let error = linker.add_ptx("a\0b", HEAD).unwrap_err();
    assert_eq!(error, invalid("the byte at position 1 is NUL"));
    // Nothing was added, and nothing is linked.
    let linked = linker.complete().unwrap();
    let module = linked.load(&context()).unwrap();
    assert_eq!(module.function("put").unwrap_err().code(), Some(Code::NotFound));
}

/// As measured: the archive is refused, and the link goes on.
#[test]
fn an_archive_without_object_files_is_refused() {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    // SAFETY: an archive, though one without members.
    let refused = unsafe { linker.add_data(JitInput::LIBRARY, "empty", b"!<arch>\n") };
    assert_eq!(refused.map(drop).unwrap_err().code(), Some(Code::InvalidImage));
    linker.add_ptx("kernel", format!("{HEAD}{}\n", kernel(".visible", 3))).unwrap();
    assert_eq!(put(&linker.complete().unwrap().load(&context()).unwrap()), 3);
}

#[test]
fn options_hold_for_all_that_is_added() {
    let options = JitOptions::new().max_registers(32).optimization_level(3).log_verbose(true).wall_time(true);
    let mut linker = Linker::new(&context(), &options).unwrap();
    linker.add_ptx("kernel", format!("{HEAD}{CALLS}")).unwrap();
    linker.add_ptx("function", format!("{HEAD}{}", function(".visible", 7))).unwrap();
    let linked = linker.complete().unwrap();
    assert_eq!(&*linked.jit_log().error, "");
    assert!(linked.jit_log().wall_time.is_some());
    assert_eq!(put(&linked.load(&context()).unwrap()), 7);

    // Not for linking.
    let error = Linker::new(&context(), &JitOptions::new().fallback(JitFallback::PREFER_PTX)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with("with FALLBACK_STRATEGY = PREFER_PTX"), "{error}");
}

#[test]
fn linked_image_moves_to_other_contexts_and_threads() {
    let linked = link(&[CALLS, &function(".visible", 7)]).unwrap();
    let other = cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::empty()).unwrap();
    let image = linked.image().to_vec();
    let module = std::thread::spawn(move || linked.load(&other).unwrap()).join().unwrap();
    module.function("put").unwrap();
    assert!(!image.is_empty());
}

#[test]
fn files_that_are_not_there_are_named() {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    // SAFETY: nothing is read.
    let error = unsafe { linker.add_file(JitInput::PTX, "/nowhere/at all.ptx") }.unwrap_err();
    assert_eq!(error.code(), Some(Code::FileNotFound));
    assert!(error.to_string().ends_with(": `/nowhere/at all.ptx`"), "{error}");
    let path = std::env::temp_dir().join(format!("cuda-rt-linker-{}.ptx", std::process::id()));
    std::fs::write(&path, format!("{HEAD}{}", kernel(".visible", 4))).unwrap();
    // SAFETY: the file is what was written just now.
    unsafe { linker.add_file(JitInput::PTX, &path) }.unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(put(&linker.complete().unwrap().load(&context()).unwrap()), 4);
}

/// A kernel that launches another, which the driver's compiler knows nothing of: the device runtime does.
#[test]
fn kernels_launch_kernels() {
    let places = ["/usr/local/cuda/lib64", "/usr/local/cuda-13.0/lib64", "/usr/lib/x86_64-linux-gnu"];
    let library = places.map(|place| std::path::Path::new(place).join("libcudadevrt.a"));
    let Some(library) = library.into_iter().find(|path| path.exists()) else {
        cuda_suite::skip!("the device runtime's library is not here");
    };
    let text = ".version 8.0\n.target sm_75\n.address_size 64
        .extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(
            .param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
        .extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
        .visible .entry child(.param .u64 out, .param .u32 v) {
            .reg .b64 %a; .reg .b32 %v;
            ld.param.u64 %a, [out]; ld.param.u32 %v, [v]; st.global.u32 [%a], %v; ret; }
        .visible .entry put(.param .u64 out) {
            .reg .b64 %a, %f, %b; .reg .b32 %v, %one; .reg .pred %p;
            ld.param.u64 %a, [out]; mov.u64 %f, child; mov.u32 %one, 1;
            { .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;
              st.param.b64 [f], %f; st.param.b32 [s], 0;
              st.param.b32 [g], %one; st.param.b32 [g+4], %one; st.param.b32 [g+8], %one;
              st.param.b32 [b], %one; st.param.b32 [b+4], %one; st.param.b32 [b+8], %one;
              call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %b, [r]; }
            setp.eq.u64 %p, %b, 0;
            @%p bra NONE;
            st.u64 [%b], %a; mov.u32 %v, 77; st.u32 [%b+8], %v;
            { .param .b64 b; .param .b64 s; .param .b32 r; st.param.b64 [b], %b; st.param.b64 [s], 0;
              call.uni (r), __cudaCDP2LaunchDeviceV2, (b, s); ld.param.b32 %v, [r]; }
            NONE: ret; }";
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("kernels", text).unwrap();
    // SAFETY: the library is NVIDIA's.
    match unsafe { linker.add_file(JitInput::LIBRARY, &library) } {
        Err(error) if error.code() == Some(Code::NotSupported) => {
            cuda_suite::skip!("this driver cannot link libraries");
        }
        added => drop(added.unwrap()),
    }
    assert_eq!(put(&linker.complete().unwrap().load(&context()).unwrap()), 77);
    // Without it.
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("kernels", text).unwrap();
    let error = linker.complete().unwrap_err();
    assert!(error.to_string().contains("__cudaCDP2LaunchDeviceV2"), "{error}");
}

/// PTX as it is in a file, without a NUL, in front of memory that must not be read.
#[cfg(unix)]
#[test]
fn ptx_without_a_nul_is_read_no_further() {
    let page = 1 << 16;
    let text = format!("{HEAD}{}", kernel(".visible", 7));
    // SAFETY: new memory, wherever there is room.
    let memory = unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        libc::mmap(std::ptr::null_mut(), 2 * page, access, kind, -1, 0)
    };
    assert_ne!(memory, libc::MAP_FAILED);
    // SAFETY: the second half of the memory.
    let forbidden = unsafe { memory.byte_add(page) };
    // SAFETY: memory of this test.
    assert_eq!(unsafe { libc::mprotect(forbidden, page, libc::PROT_NONE) }, 0);
    // SAFETY: the end of the first half.
    let place = unsafe { memory.cast::<u8>().add(page - text.len()) };
    // SAFETY: so many bytes, which nothing else uses.
    let data = unsafe { std::slice::from_raw_parts_mut(place, text.len()) };
    data.copy_from_slice(text.as_bytes());
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    // SAFETY: the text above.
    unsafe { linker.add_data(JitInput::PTX, "a text", &*data) }.unwrap();
    linker.complete().unwrap();
    // SAFETY: what was made above, which nothing uses any more.
    assert_eq!(unsafe { libc::munmap(memory, 2 * page) }, 0);
    // Text that is no PTX is refused before the driver reads it.
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    // SAFETY: it never reaches the driver.
    let error = unsafe { linker.add_data(JitInput::PTX, "no text", b"__global__ void f() {}") }.unwrap_err();
    assert_eq!(error, invalid("does not begin `.version`"), "{error}");
}

/// The device runtime's library, or what cuda-sim takes for it.
pub(crate) fn device_runtime(linker: &mut Linker) -> bool {
    if cuda_suite::driver() == cuda_suite::Choice::Sim {
        let library = b"!<arch>\ncuda_device_runtime.o/\n\x7fELF";
        // SAFETY: the software driver runs nothing of it.
        unsafe { linker.add_data(JitInput::LIBRARY, "library", library) }.unwrap();
        return true;
    }
    let places = ["/usr/local/cuda/lib64", "/usr/local/cuda-13.0/lib64", "/usr/lib/x86_64-linux-gnu"];
    let library = places.map(|place| std::path::Path::new(place).join("libcudadevrt.a"));
    let Some(library) = library.into_iter().find(|path| path.exists()) else { return false };
    // SAFETY: the library is NVIDIA's.
    unsafe { linker.add_file(JitInput::LIBRARY, &library) }.unwrap();
    true
}

/// Blocks count themselves, wait for the grid twice, and store the count that they see.
#[test]
fn blocks_of_a_grid_wait_by_the_device_runtime() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64
        .extern .func (.param .b64 func_retval0) cudaCGGetIntrinsicHandle(.param .b32 p);
        .extern .func (.param .b32 func_retval0) cudaCGSynchronize(.param .b64 p, .param .b32 q);
        .visible .entry meet(.param .b64 out) {
            .reg .b64 %o, %h, %a; .reg .b32 %t, %b, %c, %s; .reg .pred %p;
            ld.param.b64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; setp.eq.u32 %p, %t, 0;
            { .param .b32 p; .param .b64 r; st.param.b32 [p], 1;
              call.uni (r), cudaCGGetIntrinsicHandle, (p); ld.param.b64 %h, [r]; }
            @%p red.global.add.u32 [%o], 1;
            { .param .b64 p; .param .b32 q; .param .b32 r; st.param.b64 [p], %h; st.param.b32 [q], 0;
              call.uni (r), cudaCGSynchronize, (p, q); ld.param.b32 %s, [r]; }
            ld.volatile.global.u32 %c, [%o]; mad.lo.u32 %c, %s, 100, %c;
            { .param .b64 p; .param .b32 q; .param .b32 r; st.param.b64 [p], %h; st.param.b32 [q], 0;
              call.uni (r), cudaCGSynchronize, (p, q); ld.param.b32 %s, [r]; }
            @%p red.global.add.u32 [%o], 1; mad.lo.u32 %c, %s, 100, %c;
            mul.wide.u32 %a, %b, 4; add.s64 %a, %a, %o; @%p st.global.b32 [%a+4], %c; ret; }";
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("kernels", text).unwrap();
    if !device_runtime(&mut linker) {
        cuda_suite::skip!("the device runtime's library is not here");
    }
    let module = linker.complete().unwrap().load(&context()).unwrap();
    let kernel = crate::typed::<(DevicePtr<u32>,)>(&module.function("meet").unwrap());
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 8).unwrap();
    // SAFETY: each block writes one of the words.
    unsafe { kernel.with(LaunchConfig::new(7, 70)).cooperative().launch(&stream, (out.ptr(),)) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [14, 7, 7, 7, 7, 7, 7, 7]);
    // Without the library.
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("kernels", text).unwrap();
    let error = linker.complete().unwrap_err();
    assert!(error.to_string().contains("cudaCG"), "{error}");
}

/// Some functions of the device runtime's library are not simulated. A function that no library defines is missing on every
/// driver.
#[test]
fn some_device_functions_in_software_are_refused() {
    if cuda_suite::driver() != cuda_suite::Choice::Sim {
        cuda_suite::skip!("hardware links the device runtime");
    }
    let expected = [
        ("cudaMemsetAsync", Code::NotSupported),
        ("__cudaCDP2MemsetAsync", Code::NotSupported),
        ("launch_elsewhere", Code::InvalidSource),
    ];
    for (name, code) in expected {
        let text = format!(
            ".version 8.0\n.target sm_75\n.address_size 64
            .extern .func (.param .b32 r) {name}(.param .b64 to, .param .b32 value, .param .b64 size, .param .b64 stream);
            .visible .entry launch() {{
                .reg .b64 %none; .reg .b32 %answer;
                mov.u64 %none, 0;
                {{ .param .b64 t, n, s; .param .b32 v, r; st.param.b64 [t], %none; st.param.b64 [n], %none;
                   st.param.b64 [s], %none; st.param.b32 [v], 0;
                   call.uni (r), {name}, (t, v, n, s); ld.param.b32 %answer, [r]; }}
                ret; }}"
        );
        let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
        linker.add_ptx("kernels", text).unwrap();
        assert!(device_runtime(&mut linker));
        let error = linker.complete().unwrap_err();
        assert_eq!(error.code(), Some(code), "{name}: {error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}
