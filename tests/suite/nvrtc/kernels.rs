//! Kernels that are compiled, loaded and run.

#![allow(unsafe_code)]

use super::{needs_compiler, program, with};
use cuda_rt::device::ComputeCapability;
use cuda_rt::launch::KernelArg;
use cuda_rt::nvrtc::{CompileOptions, CppStandard, Output, Program, SourceModule, Target};
use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
use cuda_suite::{context, stream};

/// Returns the word that a kernel of one thread writes.
fn written(module: &SourceModule, name: &str) -> i32 {
    let stream = stream();
    let out = DeviceBuf::<i32>::zeroed(&stream, 1).unwrap();
    let kernel = crate::typed::<(DevicePtr<i32>,)>(&module.function(name).unwrap());
    // SAFETY: one thread writes the element of `out`, which lives on the same stream.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(),)) }.unwrap();
    out.to_vec().unwrap()[0]
}

fn ran(program: &Program) -> i32 {
    written(&program.compile_and_load(&context()).unwrap(), "k")
}

const K: &str = "extern \"C\" __global__ void k(int *x) { *x = VALUE; }";

#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Line {
    kind: i8,
    slope: f32,
    offset: f64,
    len: i32,
}

#[test]
fn template_takes_structure_and_device_function() {
    needs_compiler!();
    let program = program(
        "struct Line { char kind; float slope; double offset; int len; };
         template <typename T> __device__ __noinline__ T at(const Line &line, T x) { return line.slope * x + line.offset; }
         namespace a { template <typename T> __global__ void draw(T *out, Line line) {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < line.len) out[i] = at<T>(line, (T)i) + line.kind;
         } }",
    );
    let program = program.name_expression("a::draw<float>").name_expression("a::draw<double>");
    let module = program.compile_and_load(&context()).unwrap();
    assert_eq!(module.compiled().target().output(), Output::Ptx);
    let stream = stream();
    let line = Line { kind: -1, slope: 0.5, offset: 11.0, len: 5 };
    let floats = DeviceBuf::from_host(&stream, &[0.0_f32; 6]).unwrap();
    let doubles = DeviceBuf::from_host(&stream, &[0.0_f64; 6]).unwrap();
    let config = LaunchConfig::for_elements(6, 4);
    let kernel = crate::typed::<(DevicePtr<f32>, Line)>(&module.function("a::draw<float>").unwrap());
    // SAFETY: the kernel writes `len` of the elements of `floats`, which lives on the same stream.
    unsafe { kernel.launch(config, &stream, (floats.ptr(), line)) }.unwrap();
    let kernel = crate::typed::<(DevicePtr<f64>, Line)>(&module.function("a::draw<double>").unwrap());
    // SAFETY: as above, of `doubles`.
    unsafe { kernel.launch(config, &stream, (doubles.ptr(), line)) }.unwrap();
    assert_eq!(floats.to_vec().unwrap(), [10.0, 10.5, 11.0, 11.5, 12.0, 0.0]);
    assert_eq!(doubles.to_vec().unwrap(), [10.0, 10.5, 11.0, 11.5, 12.0, 0.0]);
    assert!(module.function("at").is_err(), "a __device__ function is no kernel");
}

#[test]
fn the_name_of_a_structure_of_another_size_is_told() {
    needs_compiler!();
    let module = program("struct Pair { double a, b; }; extern \"C\" __global__ void k(int n, Pair pair) {}");
    let function = module.compile_and_load(&context()).unwrap().function("k").unwrap();
    let error = function.typed::<(i32, Line)>().unwrap_err().to_string();
    assert!(
        error.starts_with("kernel `k`: parameter 1 (the second) takes 16 bytes, `")
            && error.ends_with("Line` has 24"),
        "{error}"
    );
}

#[test]
fn headers_and_macros_come_along() {
    needs_compiler!();
    assert_eq!(ran(&with(K, CompileOptions::new().define("VALUE", "42"))), 42);
    let defined = CompileOptions::new().define("VALUE", "1").undefine("VALUE").define("VALUE", "6 * 7");
    assert_eq!(ran(&with(K, defined)), 42);
    let headers = program(&format!("#include \"outer.h\"\n{K}"))
        .header("outer.h", "#include <inner/inner.h>\n")
        .header("inner/inner.h", "#define VALUE 43\n");
    assert_eq!(ran(&headers), 43);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("value.h"), "#define VALUE 44\n").unwrap();
    let source = format!("#include <value.h>\n{K}");
    let options = CompileOptions::new().include_dir(folder.path());
    assert_eq!(ran(&with(&source, options.clone())), 44);
    // Headers of the program come first.
    assert_eq!(ran(&with(&source, options).header("value.h", "#define VALUE 45\n")), 45);
    let beside =
        program(&format!("#include \"value.h\"\n{K}")).name(folder.path().join("k.cu").display().to_string());
    assert_eq!(ran(&beside), 44);
}

#[test]
fn a_source_can_be_put_into_extern_c() {
    needs_compiler!();
    let source = "__device__ int seven() { return 7; }\n__global__ void k(int *x) { *x = seven(); }";
    assert_eq!(ran(&program(source).extern_c(true)), 7);
    let error = program("\n__global__ void k() { wrong; }")
        .extern_c(true)
        .compile(Target::ptx(ComputeCapability::new(8, 0)))
        .unwrap_err();
    assert!(error.to_string().contains("program.cu(2): error"), "lines are what they were: {error}");
}

#[test]
fn options_have_their_effects() {
    needs_compiler!();
    let target = Target::ptx(ComputeCapability::new(8, 0));
    let source =
        "extern \"C\" __global__ void k(float *x) { x[0] = x[1] * x[2] + x[3]; x[4] = x[5] / x[6]; }";
    let ptx =
        |options: CompileOptions| with(source, options).compile(target).unwrap().ptx().unwrap().to_owned();
    assert!(ptx(CompileOptions::new()).contains("fma.rn.f32"));
    assert!(!ptx(CompileOptions::new().fused_multiply_add(false)).contains("fma.rn.f32 "));
    assert!(ptx(CompileOptions::new().fast_math(true)).contains("div.approx.ftz.f32"));
    assert!(ptx(CompileOptions::new().flush_to_zero(true)).contains("div.rn.ftz.f32"));
    assert!(ptx(CompileOptions::new().precise_division(false)).contains("div.full.f32"));
    // The number of registers matters for machine code.
    let registers = with(source, CompileOptions::new().max_registers(16))
        .compile(Target::cubin(ComputeCapability::new(8, 0)))
        .unwrap();
    assert!(registers.cubin().is_some_and(|code| !code.is_empty()));
    assert!(ptx(CompileOptions::new().line_info(true)).contains(".loc"));
    assert!(ptx(CompileOptions::new().debug(true)).contains(".target sm_80, debug"));
    assert!(!ptx(CompileOptions::new().relocatable(true)).is_empty());
    assert!(ptx(CompileOptions::new().raw("-D").raw("UNUSED=1")).contains(".entry k"));
    let source = "#if __cplusplus != 201402L\n#error\n#endif\nint f() { return 3; }\n\
                  extern \"C\" __global__ void k(float *x) { int unused; *x = sqrtf(f()); }";
    let options = CompileOptions::new().standard(CppStandard::Cpp14).default_device(true);
    let compiled = with(source, options.clone().precise_square_root(false)).compile(target).unwrap();
    assert!(compiled.log().contains("unused"), "{}", compiled.log());
    assert_eq!(with(source, options.no_warnings(true)).compile(target).unwrap().log(), "");
}

#[test]
fn integers_of_128_bits() {
    if needs_compiler!() < cuda_rt::nvrtc::Version::new(11, 5) {
        cuda_suite::skip!("the compiler has none");
    }
    let source = "extern \"C\" __global__ void k(int *x) { __int128 a = 1; a <<= 100; *x = (int)(a >> 98); }";
    assert_eq!(ran(&with(source, CompileOptions::new().device_int128(true))), 4);
}

#[test]
fn variables_are_found_by_their_names_in_the_source() {
    needs_compiler!();
    let source = "namespace a { __constant__ int weights[2]; static __device__ int sum; }
                  extern \"C\" __global__ void k(int *x) { a::sum = a::weights[0] + a::weights[1]; *x = a::sum; }";
    let program = program(source).name_expression("&a::weights").name_expression("&a::sum");
    let module = program.compile_and_load(&context()).unwrap();
    let (weights, sum) =
        (module.global::<i32>("a::weights").unwrap(), module.global::<i32>("&a::sum").unwrap());
    assert_eq!((weights.len(), sum.len()), (2, 1));
    weights.copy_from_host(&stream(), &[30, 12]).unwrap();
    assert_eq!(written(&module, "k"), 42);
    assert_eq!(sum.to_vec(&stream()).unwrap(), [42]);
    let error = module.global::<i32>("weights").unwrap_err();
    assert_eq!(error.code(), Some(cuda_rt::error::Code::NotFound));
}

#[test]
fn compiled_code_is_loaded_in_any_context() {
    needs_compiler!();
    let compiled = with(K, CompileOptions::new().define("VALUE", "3")).compile_for(&context()).unwrap();
    assert!(compiled.target().capability() <= context().device().compute_capability().unwrap());
    for _ in 0..2 {
        assert_eq!(written(&compiled.clone().load(&context()).unwrap(), "k"), 3);
    }
}
