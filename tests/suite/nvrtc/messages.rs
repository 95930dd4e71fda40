//! Messages for programs that do not compile, and for missing names.

use super::{needs_compiler, program, with};
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::Code as DriverCode;
use cuda_rt::error::ErrorKind;
use cuda_rt::nvrtc::{self, CallError, Code, CompileOptions, Target};
use cuda_suite::{context, invalid};

const TARGET: Target = Target::ptx(ComputeCapability::new(8, 0));

#[test]
fn an_error_comes_with_the_whole_log() {
    needs_compiler!();
    let source =
        format!("{}__global__ void k() {{ int unused; undeclared = 1; }}\n", "// a line\n".repeat(40));
    let error = program(&source).name("broken.cu").compile_for(&context()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("nvrtcCompileProgram: NVRTC_ERROR_COMPILATION (6: the source text does not compile"),
        "{text}"
    );
    assert!(text.contains("\nbroken.cu(41): error: identifier \"undeclared\" is undefined"), "{text}");
    assert!(text.ends_with("1 error detected in the compilation of \"broken.cu\"."), "{text}");
    assert!(text.contains("\"unused\" was declared but never referenced"), "warnings too: {text}");
    assert_eq!((error.code(), error.is_sticky()), (None, false));
    assert_eq!(error.context::<CallError>().unwrap().code, Code::Compilation);
    assert_eq!(format!("{error:?}"), format!("Compilation({error})"));
    // Long logs too.
    let many: String = (0..40).map(|n| format!("__device__ int x{n} = undeclared{n};\n")).collect();
    let error = program(&many).compile(TARGET).unwrap_err().to_string();
    assert!(error.contains("undeclared0") && error.contains("undeclared39"), "{error}");
}

#[test]
fn unknown_options_and_a_raw_target_are_refused() {
    needs_compiler!();
    let error = with("", CompileOptions::new().raw("--no-such-option")).compile(TARGET).unwrap_err();
    assert_eq!(error.context::<CallError>().unwrap().code, Code::InvalidOption);
    assert!(error.to_string().contains("unrecognized option --no-such-option"), "{error}");
    let error = program("").compile(Target::ptx(ComputeCapability::new(99, 9))).unwrap_err();
    assert!(error.to_string().contains("invalid value for --gpu-architecture"), "{error}");
    let error = with("", CompileOptions::new().raw("-arch=sm_80")).compile(TARGET).unwrap_err();
    assert_eq!(error, invalid("option: -arch=sm_80 cannot be given raw;"));
}

#[test]
fn name_expressions_need_declared_names() {
    needs_compiler!();
    let error = program("").name_expression("nothing<int>").compile(TARGET).unwrap_err();
    assert!(error.to_string().contains("identifier \"nothing\" is undefined"), "{error}");
    let source = "__constant__ float weights[4]; __device__ int counter; __global__ void k() { counter = weights[0]; }";
    let program =
        program(source).name_expression("&weights").name_expression("&counter").name_expression("k");
    let compiled = program.compile(TARGET).unwrap();
    assert_eq!(compiled.lowered_name("&weights"), Some("weights"));
    assert_eq!(compiled.lowered_name("&counter"), Some("counter"));
    assert_eq!(compiled.lowered_name("k"), Some("_Z1kv"));
    assert_eq!(compiled.kernels(), ["_Z1kv".into()]);
}

#[test]
fn a_mangled_name_is_pointed_out() {
    needs_compiler!();
    let source = "namespace geometry { __global__ void scale(float *x, int n) {} __device__ int helper() { return 1; } }\n\
                  extern \"C\" __global__ void plain() {}";
    let module = program(source).compile_and_load(&context()).unwrap();
    let error = module.function("scale").unwrap_err();
    assert_eq!(error.code(), Some(DriverCode::NotFound));
    assert_eq!(
        error.to_string(),
        "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500: named symbol not found): `scale`. C++ mangles names, and \
         `_ZN8geometry5scaleEPfi` may be the one: add `scale` to the program by `Program::name_expression`, or declare the \
         kernel extern \"C\", or look `_ZN8geometry5scaleEPfi` up"
    );
    let error = module.function("helper").unwrap_err().to_string();
    assert!(error.contains(": look one of these up. A __device__ function is not a kernel"), "{error}");
    assert!(module.function("_ZN8geometry5scaleEPfi").is_ok());
    assert!(module.function("plain").is_ok());
    let error = program("__device__ int f() { return 1; }")
        .compile_and_load(&context())
        .unwrap()
        .function("f")
        .unwrap_err();
    assert!(error.to_string().contains("There is no kernel in the program"), "{error}");
}

#[test]
fn overloads_are_told_apart_by_a_cast() {
    let version = needs_compiler!();
    let source = "__global__ void add(float *x, int n) {}\n__global__ void add(double *x, int n) {}\n\
                  template <class T> __global__ void mul(T *x) {}";
    let module = program(source).name_expression("mul<int>").name_expression("mul<float>");
    let module = module.compile_and_load(&context()).unwrap();
    let text = module.function("add").unwrap_err().to_string();
    assert!(text.contains("several that it may be: `_Z3addPfi`, `_Z3addPdi`. Look one"), "{text}");
    let text = module.function("mul").unwrap_err().to_string();
    assert!(text.contains("several that it may be") && text.contains("`mul<float>`"), "{text}");
    assert!(module.function("mul<float>").is_ok());
    assert!(module.function("_Z3addPdi").is_ok());
    if version < nvrtc::Version::new(13, 0) {
        return;
    }
    let cast = "(void (*)(float *, int))add";
    let module = program(source).name_expression(cast).compile_and_load(&context()).unwrap();
    assert_eq!(module.compiled().lowered_name(cast), Some("_Z3addPfi"));
    assert_eq!(module.function(cast).unwrap().name(), cast);
}

#[test]
fn host_headers_are_missing() {
    needs_compiler!();
    for header in ["stdio.h", "math.h", "vector", "iostream"] {
        let source = format!("#include <{header}>\nextern \"C\" __global__ void k() {{}}");
        let error =
            program(&source).compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap_err().to_string();
        assert!(error.contains(header), "{error}");
    }
    let source = "extern \"C\" __global__ void k(float *x) {
        assert(x); *x = sqrtf(*x) + fminf(x[1], threadIdx.x); printf(\"%f\", *x); }";
    program(source).compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap();
}

#[test]
fn lto_ir_needs_nvrtc_12_and_cannot_be_loaded() {
    let version = needs_compiler!();
    let supported = nvrtc::supported_architectures().unwrap();
    assert!(supported.is_sorted() && supported.contains(&ComputeCapability::new(8, 0)), "{supported:?}");
    assert_eq!(nvrtc::version().unwrap(), version);
    if version >= nvrtc::Version::new(12, 0) {
        let compiled = program("extern \"C\" __global__ void k() {}")
            .compile(Target::lto_ir(ComputeCapability::new(8, 0)))
            .unwrap();
        assert!(!compiled.lto_ir().unwrap().is_empty());
        assert_eq!(compiled.load(&context()).map(drop), invalid("cannot be loaded before it is linked;"));
        return;
    }
    let error = program("").compile(Target::lto_ir(ComputeCapability::new(8, 0))).unwrap_err();
    let is_option = error.context().is_some_and(|call: &CallError| call.code == Code::InvalidOption);
    assert!(is_option || error.kind() == ErrorKind::FunctionMissing, "{error}");
}
