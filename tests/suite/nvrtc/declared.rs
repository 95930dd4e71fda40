//! Kernels that `kernels!` declares in CUDA C++.

#![allow(unsafe_code)]

mod mistakes;

use super::needs_compiler;
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::KernelArg;
use cuda_rt::nvrtc::{Cache, CompileLog, CompileOptions, CppStandard, Program, Version};
use cuda_rt::texture::{TexHandle, TexRef};
use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
use cuda_suite::{context, stream};
use std::path::Path;
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Wind {
    direction: [f32; 3],
    strength: f32,
    weight: f64,
}

// SAFETY: all bits are values, and there is no padding.
unsafe impl bytemuck::Zeroable for Wind {}
// SAFETY: as above.
unsafe impl bytemuck::AnyBitPattern for Wind {}

#[derive(Clone, Copy, KernelArg)]
#[repr(u32)]
#[allow(dead_code)]
enum Mode {
    A,
    B,
}

#[derive(Clone, Copy, KernelArg)]
#[repr(transparent)]
struct Factor(f32);

#[derive(Clone, Copy, KernelArg)]
#[repr(transparent)]
struct IsStored(bool);

#[derive(Clone, Copy, KernelArg)]
#[repr(transparent)]
struct Holder(DevicePtr<f32>);

type Real = f32;

cuda_rt::kernels! {
    /// Kernels of every kind.
    #[allow(dead_code)]
    struct Right from cuda_file("declared/kernels.cu", options = CompileOptions::new().fast_math(true),
        headers = [],);
    extern {
        #[name = "sum<float>"]
        #[block(1)]
        fn sum_f32(x: &[f32], out: &mut [Real], n: core::ffi::c_uint);
        #[name = "sum<double>"]
        fn sum_f64(x: DevicePtr<f64>, out: DevicePtr<f64>, n: u32);
        #[name = "sum<Real>"]
        #[cfg(any())]
        fn absent(x: i32);
        #[name = "sims::step"]
        fn step(wind: Wind, by: f32, is_stored: bool);
        #[name = "sims::step"]
        fn step_again(wind: Wind, by: f32, is_stored: IsStored);
        fn plain(#[reads] x: &[f32], y: &[[f32; 4]]);
        #[allow(clippy::too_many_arguments)]
        fn numbers(a: i8, b: i8, c: u8, d: i16, e: u16, f: i32, g: u32, h: i64, i: u64, j: isize, k: u64, l: f32, m: f64,
            n: bool, o: usize);
        #[name = "numbers"]
        #[allow(clippy::too_many_arguments)]
        fn numbers_again(a: u8, b: i8, c: u8, d: i16, e: u16, f: i32, g: u32, h: isize, i: usize, j: i64, k: usize, l: f32,
            m: f64, n: bool, o: u64);
        fn others(mode: u32, any: &mut [f32], opaque: DevicePtr<Wind>, seen: &mut [f32], pair: [f32; 2],
            table: DevicePtr<DevicePtr<f32>>, text: &[u8], texture: TexHandle);
        #[name = "others"]
        fn others_again(mode: i32, any: DevicePtr<()>, opaque: DevicePtr<()>, seen: DevicePtr<()>, pair: [i32; 2],
            table: DevicePtr<()>, text: DevicePtr<i8>, texture: u64);
        fn wrapped(mode: Mode, by: Factor, data: Holder, holder: Holder, handle: TexHandle);
        #[name = "sims::factors"]
        static factors: [f32; 4];
        #[name = "&sims::last"]
        static last: Wind;
        static total: f64;
    }
}

/// Does not use what a user's cache holds.
fn uncached(program: Program) -> Program {
    program.cache(Cache::off())
}

#[test]
fn declared_kernels_run() {
    needs_compiler!();
    let right = Right::load_with(&context(), |program| {
        uncached(program).header("kernels.cuh", include_str!("declared/kernels.cuh"))
    })
    .unwrap();
    let stream = stream();
    let x = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 4.0]).unwrap();
    let mut out = DeviceBuf::<f32>::zeroed(&stream, 1).unwrap();
    // SAFETY: one thread reads the 3 elements of `x` and writes that of `out`.
    unsafe { right.sum_f32(&x, &mut out, 3).launch_for(1, &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [7.0]);
    let wind = Wind { direction: [1.0, 2.0, 3.0], strength: 4.0, weight: 5.0 };
    // SAFETY: the kernel writes a variable, which this test alone uses.
    unsafe { right.step(wind, 0.5, true).launch(LaunchConfig::new(1, 1), &stream) }.unwrap();
    assert_eq!(right.last.to_vec(&stream).unwrap(), [Wind { strength: 2.0, ..wind }]);
    right.factors.copy_from_host(&stream, &[0.0, 10.0, 0.0, 0.0]).unwrap();
    let y = DeviceBuf::from_host(&stream, &[[0.0_f32, 0.0, 0.0, 3.0]]).unwrap();
    // SAFETY: one thread writes the element of `out`, although the declaration says that it reads it, and reads that of `y`.
    unsafe { right.plain(&out, &y).launch(LaunchConfig::new(1, 1), &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [30.0]);
    assert_eq!(right.total.len(), 1);
    assert_eq!(right.sum_f64.function().name(), "sum<double>");
    assert!(right.module().compiled().lowered_name("numbers").is_some());
    assert!(Right::SOURCE.starts_with("#include \"kernels.cuh\""));
}

cuda_rt::kernels! {
    struct Inline from cuda(r#"
        // The compiler counts the lines of the Rust file.
        extern "C" __global__ void place(int *line) { *line = __LINE__; }
    "#);
    extern {
        fn place(line: &mut [i32]);
    }
}

/// Returns the line on which this file has a text, from 1.
fn line_of(text: &str) -> i32 {
    let line = include_str!("declared.rs").lines().position(|line| line.contains(text)).unwrap();
    i32::try_from(line).unwrap() + 1
}

cuda_rt::kernels! {
    struct Safe from cuda(r#"
        __global__ void place(int *line, unsigned n) { if (blockIdx.x == 0 && threadIdx.x < n) line[threadIdx.x] = threadIdx.x; }
    "#);
    // SAFETY: a thread of the first block writes the element of its index, if that is less than `n`.
    unsafe extern {
        #[block(8)]
        #[dynamic_shared(65536)]
        safe fn place(line: &mut [i32], n: u32) where n <= line.len();
    }
}

#[test]
fn safe_kernel_is_launched_without_unsafe() {
    needs_compiler!();
    // SAFETY: the cache changes nothing in the text.
    let safe = unsafe { Safe::load_with(&context(), uncached) }.unwrap();
    let stream = stream();
    let mut line = DeviceBuf::<i32>::zeroed(&stream, 6).unwrap();
    safe.place(&mut line, 5).launch_for(5, &stream).unwrap();
    assert_eq!(line.to_vec().unwrap(), [0, 1, 2, 3, 4, 0]);
    assert_eq!(safe.place.function().max_dynamic_shared_size_bytes().unwrap(), 65_536);
    let refused = safe.place(&mut line, 7).launch_for(5, &stream).unwrap_err();
    assert!(refused.to_string().contains("`n <= line.len()` of kernel `place` does not hold"), "{refused}");
}

#[test]
fn lines_of_inline_text_are_those_of_the_file() {
    needs_compiler!();
    let inline = Inline::load_with(&context(), uncached).unwrap();
    assert_eq!(inline.module().compiled().log(), "", "the assertions give no warnings");
    let stream = stream();
    let mut line = DeviceBuf::<i32>::zeroed(&stream, 1).unwrap();
    // SAFETY: one thread writes the element of `line`.
    unsafe { inline.place(&mut line).launch(LaunchConfig::new(1, 1), &stream) }.unwrap();
    assert_eq!(line.to_vec().unwrap(), [line_of("*line = __LINE__")]);
}

#[test]
fn whole_text_can_be_extern_c() {
    needs_compiler!();
    Inline::load_with(&context(), |program| uncached(program).extern_c(true)).unwrap();
}

cuda_rt::kernels! {
    struct Absent from cuda("#line 70 \"other.cu\"");
    extern {
        fn absent(n: u32);
    }
}

#[test]
fn absent_kernel_is_told_with_its_line() {
    needs_compiler!();
    let error = Absent::load_with(&context(), uncached).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compilation);
    let told =
        format!("{}({}): error: identifier \"absent\" is undefined", file!(), line_of("fn absent(n: u32);"));
    assert!(error.to_string().contains(&told), "{told}\n{error}");
}

#[test]
fn texture_is_declared_if_the_compiler_has_it() {
    cuda_rt::kernels! {
        struct Old from cuda("
            namespace n { texture<float, 1> image; }
            __global__ void sample(float *out) { *out = tex1Dfetch(n::image, 2); }
        ");
        extern {
            fn sample(out: &mut [f32]);
            #[name = "n::image"]
            static image: TexRef;
        }
    }
    let version = needs_compiler!();
    match Old::load_with(&context(), uncached) {
        Ok(old) => assert!(version < Version::new(12, 0), "{old:?}"),
        Err(error) => assert!(version >= Version::new(12, 0), "{error}"),
    }
}

#[test]
fn old_standard_is_refused() {
    cuda_rt::kernels! {
        struct Old from cuda("__global__ void k() {}", options = CompileOptions::new().standard(CppStandard::Cpp03));
        extern { fn k(); }
    }
    needs_compiler!();
    let error = Old::load_with(&context(), uncached).unwrap_err().to_string();
    assert!(error.contains("the declarations in kernels! are compared in C++11 or newer"), "{error}");
    let change = |program| uncached(program).options(CompileOptions::new().standard(CppStandard::Cpp11));
    let new = Old::load_with(&context(), change).unwrap();
    assert_eq!(new.k.function().name(), "k");
}

/// Returns the lines and the texts of the failed assertions in a log.
fn failed(log: &str) -> Vec<(usize, String)> {
    let file = file!().replace(".rs", "/mistakes.rs(");
    let failed = |line: &str| {
        let (line, text) = line.strip_prefix(&file)?.split_once("): error: ")?;
        let text =
            text.strip_prefix("static assertion failed with \"").and_then(|text| text.strip_suffix('"'));
        Some((line.parse().unwrap(), text.unwrap_or("another error").to_owned()))
    };
    let mut failed: Vec<_> = log.lines().filter_map(failed).collect();
    failed.sort();
    failed
}

/// Returns the errors that comments of the file announce, those of the structure for overloads or all others.
fn announced(is_overload: bool) -> Vec<(usize, String)> {
    let mut place = 0;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(include_str!("declared/mistakes.rs").lines()) {
        match line.trim_start().strip_prefix("//~ ") {
            Some(text) if text.contains("(*)") == is_overload => found.push((place, text.to_owned())),
            Some(_) => {}
            None => place = number,
        }
    }
    found.sort();
    found
}

#[test]
fn each_mistake_is_told_with_its_line() {
    needs_compiler!();
    let error = mistakes::Mistakes::load_with(&context(), uncached).unwrap_err();
    let log = &error.context::<CompileLog>().unwrap().log;
    assert_eq!(failed(log), announced(false), "{log}");
    assert!(log.contains(&format!("{} errors detected", announced(false).len())), "{log}");
    // The compiler reports the types of C++.
    assert!(log.contains("[with cuda_rt_type=Wind, cuda_rt_bytes=24U, cuda_rt_align=8U]"), "{log}");
    assert!(log.contains("[with cuda_rt_type=unsigned int]") && log.contains("cuda_rt_takes=3U]"), "{log}");
    let error = mistakes::Overloads::load_with(&context(), uncached).unwrap_err();
    let log = &error.context::<CompileLog>().unwrap().log;
    assert_eq!(failed(log), announced(true), "{log}");
}

/// All of this with each compiler.
#[test]
fn every_compiler_compares_declarations() {
    let libraries = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
    if libraries.is_empty() || cuda_suite::driver() == cuda_suite::Choice::Real {
        cuda_suite::skip!(
            "CUDA_NVRTC_LIBRARIES lists no libraries, or the driver does not take the PTX of all"
        );
    }
    for path in libraries.split(':') {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["nvrtc::declared", "--skip", "every_compiler"])
            .env("CUDA_SYS_NVRTC_LIBRARY", path)
            .env("CUDA_NVRTC_LIBRARIES", "")
            .env("CUDA_SIM", "version=13.5")
            // Some builds look for their second library where the system does.
            .env("LD_LIBRARY_PATH", Path::new(path).parent().unwrap())
            .output()
            .unwrap();
        let out = String::from_utf8([child.stdout, child.stderr].concat()).unwrap();
        assert!(child.status.success() && out.contains(" passed; 0 failed"), "{path}:\n{out}");
        assert!(!out.contains("SKIP"), "{path}:\n{out}");
    }
}
