//! Modules: messages of the compiler, and lookups.

use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::SignatureMismatch;
use cuda_rt::module::{FunctionAttribute, JitLog};
use cuda_rt::{DevicePtr, Error, Module};
use cuda_suite::{context, invalid};

const HEAD: &str = ".version 6.4\n.target sm_50\n.address_size 64\n";

fn ptx(body: &str) -> String {
    format!("{HEAD}{body}\n")
}

fn load(body: &str) -> Result<Module, Error> {
    Module::from_ptx(&context(), ptx(body))
}

#[test]
fn a_compile_error_comes_with_the_line() {
    let error = load(".visible .entry k() { bogus.u32 %r1, %r2; ret; }").unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidPtx));
    let text = error.to_string();
    assert!(text.starts_with("cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218: "), "{text}");
    assert!(text.contains("line 4; error   : Not a name of any known instruction: 'bogus'"), "{text}");
    let log = error.context::<JitLog>().unwrap();
    assert!(log.error.contains("ptxas fatal   : Ptx assembly aborted due to errors"), "{}", log.error);
}

/// Conformance fact P16.
#[test]
fn no_log_ends_with_a_line_break() {
    if !crate::is_since(13, 0) || crate::is_since(13, 1) {
        cuda_suite::skip!("the messages are those of the compiler of 13.0");
    }
    for (source, log) in [
        (
            ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func missing_fn();\n\
             .visible .entry k() { call.uni missing_fn; ret; }\n",
            "ptxas fatal   : Unresolved extern function 'missing_fn'",
        ),
        (
            ".version 99.9\n.target sm_90\n.address_size 64\n",
            "ptxas application ptx input, line 1; fatal   : Unsupported .version 99.9; current version is '9.0'",
        ),
        (
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { bogus.u32 %r1; ret; }\n",
            "ptxas application ptx input, line 4; error   : Not a name of any known instruction: 'bogus'\n\
             ptxas application ptx input, line 4; error   : Unknown symbol '%r1'\n\
             ptxas fatal   : Ptx assembly aborted due to errors",
        ),
    ] {
        let error = Module::from_ptx(&context(), source).unwrap_err();
        assert_eq!(&*error.context::<JitLog>().unwrap().error, log);
    }
}

#[test]
fn every_kind_of_refusal_has_its_code() {
    if !crate::is_since(12, 8) {
        cuda_suite::skip!("the texts are in versions of the language that the driver does not know");
    }
    let too_new = ".version 99.0\n.target sm_75\n.address_size 64\n";
    let cases = [
        (too_new.to_owned(), Code::UnsupportedPtxVersion, "Unsupported .version 99.0"),
        (ptx(".visible .entry k() { mov.u32 %nowhere, 1; ret; }"), Code::InvalidPtx, "%nowhere"),
        (ptx(".visible .entry k() { bra NOWHERE; ret; }"), Code::InvalidPtx, "NOWHERE"),
        (ptx(".visible .entry k() { ret; } .visible .entry k() { ret; }"), Code::InvalidPtx, "'k'"),
        (ptx(".visible .entry k() { ret; "), Code::InvalidPtx, "syntax error"),
        (
            ".version 6.4\n.address_size 64\n.visible .entry k() { ret; }\n".to_owned(),
            Code::InvalidPtx,
            ".target",
        ),
        (".version 8.6\n.target sm_100\n.address_size 64\n".to_owned(), Code::InvalidPtx, ""),
        (
            ptx(".extern .func missing();\n.visible .entry k() { call.uni missing; ret; }"),
            Code::InvalidPtx,
            "missing",
        ),
    ];
    for (source, code, words) in cases {
        let error = Module::from_ptx(&context(), &source).unwrap_err();
        assert_eq!(error.code(), Some(code), "{source}\n{error}");
        assert!(error.to_string().contains(words), "{words} is not in {error}");
    }
}

#[test]
fn text_other_than_ptx_is_refused_before_the_driver() {
    let not_ptx: [&[u8]; 5] =
        [b"", b"hello", b"\x7fELF\x02\x01\x01\0", b"\x50\xed\x55\xba\x01\0\0\0", b".target sm_50"];
    for image in not_ptx {
        let error = Module::from_ptx(&context(), image).unwrap_err();
        assert_eq!(error, invalid("does not begin `.version`"), "{error}");
    }
    let error = Module::from_ptx(&context(), ".version 6.4\n\0.target sm_50").unwrap_err();
    assert_eq!(error, invalid("the byte at position 13 is NUL"));
}

#[test]
fn text_may_begin_with_comments_and_end_with_nul() {
    let source = format!("// from a compiler\n/* and */ {HEAD}.visible .entry k() {{ ret; }}\n\0");
    let module = Module::from_ptx(&context(), source).unwrap();
    module.function("k").unwrap();
    assert_eq!(&*module.jit_log().error, "");
}

#[test]
fn functions_are_found_by_name() {
    let module = load(".func f() { ret; }\n.visible .entry k() { call.uni f; ret; }").unwrap();
    let function = module.function("k").unwrap();
    assert_eq!(function.name(), "k");
    assert_eq!(function.context(), &context());
    assert_eq!(function.module().as_raw(), module.as_raw());
    for missing in ["nope", "f", "K", ""] {
        let error = module.function(missing).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        let expected = if missing.is_empty() { Code::InvalidValue } else { Code::NotFound };
        assert_eq!(error.code(), Some(expected), "{missing}");
        // The error shows the name, also if it differs only in case.
        assert!(error.to_string().contains(&format!(": `{missing}`")), "{error}");
    }
    assert_eq!(module.function("a\0b").unwrap_err(), invalid("the byte at position 1 is NUL"));
}

#[test]
fn a_function_keeps_its_module() {
    let function = load(".visible .entry k() { ret; }").unwrap().function("k").unwrap();
    assert_eq!(function.attribute(FunctionAttribute::SHARED_SIZE_BYTES).unwrap(), 0);
    crate::typed::<()>(&function);
}

#[test]
fn functions_report_their_resources() {
    let module = load(
        ".visible .entry k() .maxntid 128, 1, 1 { .shared .align 4 .b8 tile[1024]; .reg .b32 %r;\n\
         mov.u32 %r, tile; st.shared.u32 [%r], %r; ret; }",
    );
    let function = module.unwrap().function("k").unwrap();
    let attribute = |attribute| function.attribute(attribute).unwrap();
    assert_eq!(attribute(FunctionAttribute::SHARED_SIZE_BYTES), 1024);
    assert_eq!(attribute(FunctionAttribute::MAX_THREADS_PER_BLOCK), 128);
    assert_eq!(attribute(FunctionAttribute::PTX_VERSION), 50);
    assert!(attribute(FunctionAttribute::NUM_REGS) > 0);
    assert!(attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES) >= 48 * 1024 - 1024);
    let error = function.attribute(FunctionAttribute(99)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with(": attribute FunctionAttribute(99)"), "{error}");
    let dynamic = FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES;
    function.set_max_dynamic_shared_bytes(64 << 10).unwrap();
    assert_eq!(attribute(dynamic), 64 << 10);
    let error = function.set_max_dynamic_shared_bytes(3_000_000_000).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(
        error.to_string().contains("3000000000 bytes of dynamic shared memory besides 1024 declared"),
        "{error}"
    );
}

fn with_shared_memory(bytes: u64) -> String {
    format!(
        ".visible .entry k() {{ .shared .align 4 .b8 tile[{bytes}]; .reg .b32 %r;\n\
         mov.u32 %r, tile; st.shared.u32 [%r], %r; ret; }}"
    )
}

/// Conformance fact V1185.
#[test]
fn too_much_declared_shared_memory_is_refused() {
    let most = context().device().max_shared_memory_per_block_optin().unwrap() as u64;
    load(&with_shared_memory(most)).unwrap();
    let error = load(&with_shared_memory(most + 1)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidPtx));
    let log = format!(
        "ptxas error   : Entry function 'k' uses too much shared data ({:#x} bytes, {most:#x} max)",
        most + 1
    );
    assert_eq!(*error.context::<JitLog>().unwrap().error, log);
    load(&format!(".shared .align 4 .b8 unused[{}]; .visible .entry k() {{ ret; }}", most + 1)).unwrap();
}

#[test]
fn kernel_gets_all_shared_memory_it_declares() {
    let most = context().device().max_shared_memory_per_block_optin().unwrap();
    if most < 65536 {
        cuda_suite::skip!("a block has {most} bytes of shared memory here");
    }
    let function = load(&with_shared_memory(65536)).unwrap().function("k").unwrap();
    assert_eq!(function.attribute(FunctionAttribute::SHARED_SIZE_BYTES).unwrap(), 65536);
    let dynamic = FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES;
    assert_eq!(function.attribute(dynamic).unwrap(), most - 65536);
}

#[test]
fn argument_types_are_compared_with_the_kernel() {
    let module =
        load(".visible .entry k(.param .u64 data, .param .f32 x, .param .align 8 .b8 s[24]) { ret; }");
    let function = module.unwrap().function("k").unwrap();
    function.typed::<(DevicePtr<u8>, f32, [f64; 3])>().unwrap();
    function.typed::<(u64, u32, [u64; 3])>().unwrap();
    let count = |error: Error, given| {
        assert_eq!(error.context(), Some(&SignatureMismatch::Count { kernel: 3, given }));
        let text = format!("kernel `k`: it takes 3 parameters, the argument types give {given}");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::TypeMismatch, text));
    };
    count(function.typed::<()>().unwrap_err(), 0);
    count(function.typed::<(DevicePtr<u8>, f32)>().unwrap_err(), 2);
    count(function.typed::<(DevicePtr<u8>, f32, [u8; 24], u8)>().unwrap_err(), 4);
    let error = function.typed::<(DevicePtr<u8>, f64, [u8; 24])>().unwrap_err();
    assert_eq!(error.to_string(), "kernel `k`: parameter 1 (the second) takes 4 bytes, `f64` has 8");
}

#[test]
fn modules_are_unloaded_when_the_last_handle_goes() {
    let module = load(".visible .entry k() { ret; }").unwrap();
    let other = module.clone();
    module.close().unwrap();
    let function = other.function("k").unwrap();
    drop(other);
    crate::typed::<()>(&function);
}
