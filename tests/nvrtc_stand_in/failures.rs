//! Failures of each call of NVRTC in turn.

use crate::{context, program, stand_in};
use cuda_rt::Error;
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code as DriverCode, ErrorKind, PyCudaClass};
use cuda_rt::nvrtc::{CallError, Code, CompileLog, CompileOptions, Output, Program, Target};
use cuda_sim::nvrtc::NvrtcFault;
use cuda_suite::reports;
use cuda_sys::nvrtc::nvrtcResult;

const TARGETS: [Target; 3] = [
    Target::ptx(ComputeCapability::new(8, 0)),
    Target::cubin(ComputeCapability::new(8, 0)),
    Target::lto_ir(ComputeCapability::new(8, 0)),
];

/// The call of NVRTC that failed, and its code.
fn failed(error: &Error) -> Option<(&'static str, Code)> {
    let failed = error.context::<CallError>()?;
    assert_eq!(error.call(), Some(failed.call));
    Some((failed.call, failed.code))
}

#[test]
fn every_call_fails_and_no_program_is_left() {
    for target in TARGETS {
        let program = program();
        stand_in::begin(None);
        program.compile(target).unwrap();
        let (calls, left) = stand_in::end();
        assert_eq!((calls[0], calls.last(), left), ("nvrtcCreateProgram", Some(&"nvrtcDestroyProgram"), 0));
        assert!(calls.len() > 8, "{calls:?}");
        for (nth, call) in calls.iter().enumerate() {
            for code in Code::ALL.iter().map(|code| code.as_raw()).chain([nvrtcResult(9999)]) {
                // The crate destroys the object of a call that fails after its work.
                let is_creation = *call == "nvrtcCreateProgram";
                let fault = stand_in::nth(nth, code);
                stand_in::begin(if is_creation { fault.map(NvrtcFault::after_work) } else { fault });
                let mut outcome = None;
                let told = reports(|| outcome = Some(program.compile(target)));
                let (_, left) = stand_in::end();
                assert_eq!(left, usize::from(*call == "nvrtcDestroyProgram"), "{call}");
                let expected = (*call, Code::new(code).unwrap());
                match outcome.unwrap() {
                    Err(error) => {
                        assert_eq!(failed(&error), Some(expected), "{error}");
                        assert!(error.to_string().starts_with(&format!("{call}: ")), "{error}");
                        assert_eq!(told, Vec::<String>::new());
                    }
                    Ok(_) if *call == "nvrtcDestroyProgram" => {
                        assert_eq!(told, [format!("{}: {}", expected.0, expected.1)])
                    }
                    // The PTX beside machine code is for messages only.
                    Ok(compiled) => {
                        assert!(
                            call.starts_with("nvrtcGetPTX") && target.output() == Output::Cubin,
                            "{call}"
                        );
                        assert!(compiled.kernels().is_empty());
                    }
                }
            }
        }
    }
}

#[test]
fn failed_query_of_architectures_names_the_call() {
    stand_in::install();
    let context = context();
    for (nth, call) in ["nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs"].into_iter().enumerate() {
        let code = nvrtcResult::NVRTC_ERROR_OUT_OF_MEMORY;
        stand_in::begin(stand_in::nth(nth, code));
        let error = cuda_rt::nvrtc::supported_architectures().unwrap_err();
        assert_eq!(failed(&error), Some((call, Code::OutOfMemory)));
        assert_eq!(error.kind(), ErrorKind::Driver);
        stand_in::begin(stand_in::nth(nth, code));
        let error = Target::for_context(&context).unwrap_err();
        assert_eq!(error.to_string(), format!("{call}: NVRTC_ERROR_OUT_OF_MEMORY (1: out of memory)"));
        assert_eq!(failed(&error), Some((call, Code::OutOfMemory)));
        stand_in::end();
    }
    let supported = [(7, 5), (8, 0), (9, 0), (12, 0)].map(ComputeCapability::from);
    assert_eq!(cuda_rt::nvrtc::supported_architectures().unwrap(), supported);
}

#[test]
fn program_that_does_not_compile_has_the_log() {
    stand_in::begin(None);
    let error = program().name_expression("nonsense").compile(TARGETS[0]);
    assert!(error.is_ok(), "only the source is looked at: {error:?}");
    let source = Program::new("nonsense").cache(cuda_rt::nvrtc::Cache::off());
    let error = source.compile(TARGETS[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nvrtcCompileProgram: NVRTC_ERROR_COMPILATION (6: the source text does not compile; the program's log says why), \
         with options `--gpu-architecture=compute_80`\nprogram.cu(1): error: nonsense"
    );
    assert_eq!(error.pycuda_class(), PyCudaClass::CompileError);
    let error =
        program().options(CompileOptions::new().raw("--no-such-option=3")).compile(TARGETS[0]).unwrap_err();
    assert!(
        error.to_string().ends_with(
            ", with options `--gpu-architecture=compute_80 --no-such-option=3`\n\
             nvrtc: error: unrecognized option --no-such-option=3 found"
        ),
        "{error}"
    );
    let options: [Box<str>; 2] = ["--gpu-architecture=compute_80".into(), "--no-such-option=3".into()];
    assert_eq!(error.kind(), ErrorKind::Compilation);
    assert_eq!(*error.context::<CompileLog>().unwrap().options, options);
    assert_eq!(stand_in::end().1, 0);
    // Getting the log of a failure fails: the failure itself is returned.
    for nth in 2..4 {
        stand_in::begin(stand_in::nth(nth, nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR));
        let error = source.compile(TARGETS[0]).unwrap_err();
        assert_eq!(failed(&error), Some(("nvrtcCompileProgram", Code::Compilation)));
        assert_eq!(&*error.context::<CompileLog>().unwrap().log, "");
        assert_eq!(stand_in::end().1, 0);
    }
}

#[test]
fn warnings_are_there_on_success() {
    stand_in::begin(None);
    let compiled = program().compile(TARGETS[0]).unwrap();
    assert_eq!(compiled.log(), "program.cu(1): warning: a stand-in compiled this");
    assert_eq!(compiled.compiler(), cuda_rt::nvrtc::version().unwrap());
    assert_eq!(compiled.lowered_name("shaped<float>"), Some("_Z6shapedv13"));
    assert_eq!(compiled.lowered_name("shaped<int>"), None);
    assert!(
        format!("{compiled:?}").starts_with("Compiled { target: compute_80, compiler: Version { major: 13")
    );
}

#[test]
fn texts_with_a_nul_are_refused() {
    let refused = |program: Program| {
        stand_in::begin(None);
        let error = program.compile(TARGETS[0]).unwrap_err();
        assert_eq!(stand_in::end(), (vec![], 0), "NVRTC is not asked");
        error.to_string()
    };
    assert_eq!(refused(Program::new("a\0b")), "source: the byte at position 1 is NUL; remove it");
    assert_eq!(refused(program().name("\0")), "program's name: the byte at position 0 is NUL; remove it");
    assert_eq!(
        refused(program().header("a\0", "")),
        "header's name: the byte at position 1 is NUL; remove it"
    );
    assert_eq!(refused(program().header("a", "bc\0")), "header: the byte at position 2 is NUL; remove it");
    assert_eq!(
        refused(program().name_expression("\0")),
        "name expression: the byte at position 0 is NUL; remove it"
    );
    let options = CompileOptions::new().include_dir("a\0");
    assert_eq!(
        refused(program().options(options)),
        "include directory: the byte at position 16 is NUL; remove it"
    );
    let options = CompileOptions::new().raw("\0");
    assert_eq!(refused(program().options(options)), "option: the byte at position 0 is NUL; remove it");
}

#[test]
fn kernels_are_found_by_their_names_in_the_source() {
    let context = context();
    stand_in::begin(None);
    let program = program();
    let module = program.compile_and_load(&context).unwrap();
    assert_eq!(module.function("shaped<float>").unwrap().name(), "shaped<float>");
    assert_eq!(module.function("_Z6shapedv13").unwrap().name(), "_Z6shapedv13");
    assert_eq!(module.function("plain").unwrap().name(), "plain");
    let error = module.function("shaped<int>").unwrap_err();
    assert_eq!(error.code(), Some(DriverCode::NotFound));
    assert_eq!(
        error.to_string(),
        "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500: named symbol not found): `shaped<int>`. C++ mangles names, and \
         `_Z6shapedv13` may be the one: add `shaped<int>` to the program by `Program::name_expression`, or declare the kernel \
         extern \"C\", or look `_Z6shapedv13` up"
    );
    let error = module.function("other").unwrap_err().to_string();
    assert!(
        error
            .contains("`other`. The kernels are `_Z6shapedv13`, `plain`: look one of these up. A __device__"),
        "{error}"
    );
    assert_eq!(module.context(), &context, "it is a module");
    assert!(module.into_module().function("plain").is_ok());
}

#[test]
fn code_that_this_driver_cannot_load_is_refused() {
    let context = context();
    stand_in::begin(None);
    let error = program().compile(TARGETS[2]).unwrap().load(&context).unwrap_err();
    assert_eq!(
        error.to_string(),
        "LTO-IR: code for lto_80 cannot be loaded before it is linked; use `Linker`"
    );
    let none =
        Program::new("no machine code").cache(cuda_rt::nvrtc::Cache::off()).compile(TARGETS[1]).unwrap();
    let error = none.load(&context).unwrap_err();
    assert!(error.to_string().starts_with("image: not whole"), "{error}");
    // The software driver runs no machine code.
    let error = program().compile(TARGETS[1]).unwrap().load(&context).unwrap_err();
    assert_eq!(error.call(), Some("cuModuleLoadDataEx"), "{error}");
    assert!(error.code().is_some(), "{error}");
}

/// A library that does not tell its release.
#[test]
fn library_without_a_release_is_an_error() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failures::silent", "--ignored", "--nocapture"])
        .env("STAND_IN_IS_SILENT", "1")
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

#[test]
#[ignore = "runs in a child process"]
fn silent() {
    let program = program();
    stand_in::begin(None);
    let error = program.compile(TARGETS[0]).unwrap_err();
    assert_eq!(failed(&error), Some(("nvrtcVersion", Code::InvalidInput)));
    assert_eq!(cuda_rt::nvrtc::version().unwrap_err(), error);
    assert_eq!(stand_in::end().1, 0);
}
