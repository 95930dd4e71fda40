//! Texts that `kernels!` hands to the compiler of CUDA C++, and the errors of its answers.

mod made;

use crate::{cache, context, stand_in};
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::SignatureMismatch;
use cuda_rt::nvrtc::{Cache, CacheOutcome, CompileLog, CompileOptions, Program};
use cuda_sim::nvrtc::{Output, Source};
use cuda_sys::nvrtc::nvrtcResult;
use std::sync::{Arc, Mutex};

/// The code that fits the declarations of both structures.
const PTX: &str = ".version 8.0 .target sm_75 .address_size 64
    .const .align 4 .b8 factors[16];
    .visible .entry sum(.param .u64 x, .param .u64 out, .param .u32 n) { ret; }
    .visible .entry scale(.param .u64 x, .param .u32 n) { ret; }";

cuda_rt::kernels! {
    struct Sums from cuda(r#"
        template <class T> __global__ void sum(const T *x, T *out, unsigned n) {}
        __constant__ float factors[4];
    "#, options = CompileOptions::new().fast_math(true));
    extern {
        #[name = "sum<float>"]
        fn sum(x: &[f32],
            out: &mut [f32],
            n: u32);
        static factors: [f32; 4];
    }
}

cuda_rt::kernels! {
    struct Scales from cuda_file("declared/scale.cu", headers = ["declared/scale.cuh"]);
    extern { fn scale(x: &mut [f32], n: u32); }
}

cuda_rt::kernels! {
    struct OtherScales from cuda_file("declared/scale.cu", headers = ["declared/scale.cuh"]);
    extern { fn scale(x: &mut [f32], n: i32); }
}

made::made!(Made);

fn uncached(program: Program) -> Program {
    program.cache(Cache::off())
}

/// Lets the compiler answer with this code, and returns the sources that it gets.
fn answer(ptx: &'static str) -> Arc<Mutex<Vec<Source>>> {
    let sources = Arc::new(Mutex::new(Vec::new()));
    let kept = sources.clone();
    stand_in::install().compile_with(move |source: &Source| {
        kept.lock().unwrap().push(source.clone());
        Output::ptx(ptx).lowered("sum<float>", "sum").lowered("scale", "scale").lowered("&factors", "factors")
    });
    sources
}

/// Returns the line of this file that has a text, from 1.
fn line_of(text: &str) -> usize {
    include_str!("declared.rs").lines().position(|line| line.contains(text)).unwrap() + 1
}

#[test]
fn compiler_gets_text_assertions_and_settings() {
    let context = context();
    let sources = answer(PTX);
    let sums = Sums::load_with(&context, uncached).unwrap();
    assert_eq!((sums.sum.function().name(), sums.factors.len()), ("sum<float>", 4));
    let source = sources.lock().unwrap().pop().unwrap();
    assert_eq!(source.name_expressions, ["sum<float>", "&factors"]);
    assert!(source.options.iter().any(|option| option == "--use_fast_math"), "{:?}", source.options);
    assert_eq!((source.name.as_str(), source.headers.len()), ("program.cu", 0));
    let line = |text| format!("#line {} \"{}\"\n", line_of(text), file!());
    let (before, assertions) = source.text.split_once(Sums::SOURCE).unwrap();
    assert_eq!(before, line("struct Sums from"));
    for (place, assertion) in [
        ("fn sum(x: &[f32],", "kernel 'sum<float>': 3 parameters are declared; it takes another number"),
        ("fn sum(x: &[f32],", "parameter 1 'x' is declared as '&[f32]', 'const float *' in C++"),
        ("            out: &mut [f32],", "parameter 2 'out' is declared as '&mut [f32]', 'float *' in C++"),
        ("            n: u32);", "parameter 3 'n' is declared as 'u32', 'unsigned' in C++"),
        (
            "static factors: [f32; 4];",
            "variable 'factors' is declared as '[f32; 4]', 16 bytes of 'float', aligned to 4",
        ),
    ] {
        let (before, _) = assertions.split_once(assertion).unwrap();
        let (_, after) = before.rsplit_once("#line ").unwrap();
        assert_eq!(
            format!("#line {}", after.split_inclusive('\n').next().unwrap()),
            line(place),
            "{assertion}"
        );
    }
}

#[test]
fn declarations_of_macro_have_its_lines() {
    let sources = answer(PTX);
    Made::load_with(&context(), uncached).unwrap();
    let source = sources.lock().unwrap().pop().unwrap();
    let lines = include_str!("declared/made.rs").lines();
    let mut lines = (1..).zip(lines).filter(|(_, line)| line.contains("cuda(") || line.contains("n: u32"));
    let mut line = || {
        let (number, _) = lines.next().unwrap();
        format!("#line {number} \"{}\"\n", file!().replace("declared.rs", "declared/made.rs"))
    };
    assert!(source.text.starts_with(&line()), "{}", source.text);
    let (before, _) = source.text.split_once("parameter 2 'n'").unwrap();
    assert!(before.contains(&line()), "{before}");
}

#[test]
fn compiler_gets_file_and_headers_by_their_names() {
    let context = context();
    let sources = answer(PTX);
    let scales = Scales::load_with(&context, uncached).unwrap();
    assert_eq!(scales.scale.function().name(), "scale");
    let source = sources.lock().unwrap().pop().unwrap();
    assert_eq!(source.name, "scale.cu");
    assert_eq!(source.headers, [("declared/scale.cuh".to_owned(), "typedef float real;\n".to_owned())]);
    assert!(source.text.starts_with(Scales::SOURCE) && Scales::SOURCE.contains("__global__ void scale"));
}

#[test]
fn loaded_code_is_compared() {
    let context = context();
    for (ptx, mismatch) in [
        (
            ".version 8.0 .target sm_75 .visible .entry scale(.param .u64 x) { ret; }",
            SignatureMismatch::Count { kernel: 1, given: 2 },
        ),
        (
            ".version 8.0 .target sm_75 .visible .entry scale(.param .u64 x, .param .u64 n) { ret; }",
            SignatureMismatch::Size { index: 1, kernel: 8, given: 4, given_type: "u32" },
        ),
    ] {
        let _sources = answer(ptx);
        let error = Scales::load_with(&context, uncached).unwrap_err();
        assert_eq!((error.kind(), error.context()), (ErrorKind::TypeMismatch, Some(&mismatch)));
        assert!(error.to_string().starts_with("kernel `scale`: "), "{error}");
    }
    let _sources = answer(".version 8.0 .target sm_75");
    let error = Scales::load_with(&context, uncached).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn refusal_comes_with_the_log() {
    const LOG: &str = "src/main.rs(16): error: static assertion failed\n";
    let context = context();
    stand_in::install().compile_with(|_: &Source| Output::failure(nvrtcResult::NVRTC_ERROR_COMPILATION, LOG));
    let error = Sums::load_with(&context, uncached).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compilation);
    assert_eq!(&*error.context::<CompileLog>().unwrap().log, LOG.trim_end());
}

#[test]
fn cached_code_is_that_of_the_same_declarations() {
    let context = context();
    let folder = cache::folder();
    let sources = answer(PTX);
    let cached = |program: Program| program.cache(Cache::in_folder(folder.path()));
    for (outcome, compilations) in [(CacheOutcome::Stored, 1), (CacheOutcome::Found, 1)] {
        let scales = Scales::load_with(&context, cached).unwrap();
        assert_eq!(*scales.module().compiled().cache_outcome(), outcome);
        assert_eq!(sources.lock().unwrap().len(), compilations);
    }
    let other = OtherScales::load_with(&context, cached).unwrap();
    assert_eq!(*other.module().compiled().cache_outcome(), CacheOutcome::Stored);
    assert_eq!((sources.lock().unwrap().len(), other.scale.function().name()), (2, "scale"));
}

#[test]
fn program_can_be_changed_before_it_is_compiled() {
    let context = context();
    let sources = answer(PTX);
    let change = |program| uncached(program).name("other.cu").options(CompileOptions::new().debug(true));
    Sums::load_with(&context, change).unwrap();
    let source = sources.lock().unwrap().pop().unwrap();
    assert_eq!(source.name, "other.cu");
    assert!(source.options.contains(&"--device-debug".to_owned()), "{:?}", source.options);
    assert!(!source.options.contains(&"--use_fast_math".to_owned()), "{:?}", source.options);
}
