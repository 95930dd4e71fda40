//! Compilers of several releases against drivers of several releases: `CUDA_NVRTC_LIBRARIES` lists the compilers, and
//! the software driver poses as the drivers.

#![allow(unsafe_code)]

use super::{is_taken, program};
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::Code as DriverCode;
use cuda_rt::nvrtc::{self, CallError, Code, Output, SourceModule, Target};
use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
use cuda_suite::{context, invalid, stream};
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "template <typename T> __device__ T twice(T x) { return x + x; }
                      template <typename T> __global__ void k(T *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }";

#[test]
fn every_compiler_with_every_driver() {
    let choice = cuda_suite::driver();
    let Some(libraries) = std::env::var("CUDA_NVRTC_LIBRARIES").ok().filter(|paths| !paths.is_empty()) else {
        cuda_suite::skip!("CUDA_NVRTC_LIBRARIES lists no libraries");
    };
    let releases: &[&str] = match choice {
        cuda_suite::Choice::Real => &["of the machine"],
        cuda_suite::Choice::Sim => &["11.4", "12.4", "13.0", "13.5"],
    };
    for path in libraries.split(':') {
        for release in releases {
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "nvrtc::libraries::child", "--ignored", "--nocapture"])
                .env("CUDA_SYS_NVRTC_LIBRARY", path)
                // Some builds look for their second library where the system does.
                .env("LD_LIBRARY_PATH", Path::new(path).parent().unwrap())
                .env("CUDA_SIM", format!("version={release}"))
                .output()
                .unwrap();
            let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
            assert!(child.status.success(), "{path} with a driver {release}:\n{out}\n{err}");
            let said = out.lines().find_map(|line| line.strip_prefix("came of it: ")).unwrap();
            cuda_suite::say(&format!("{path} with a driver {release}: {said}"));
        }
    }
}

/// Doubles two numbers.
fn runs(module: &SourceModule) {
    let stream = stream();
    let data = DeviceBuf::from_host(&stream, &[1.5_f32, -2.0]).unwrap();
    let kernel = crate::typed::<(DevicePtr<f32>,)>(&module.function("k<float>").unwrap());
    // SAFETY: 2 threads change the 2 elements of `data`, which lives on the same stream.
    unsafe { kernel.launch(LaunchConfig::new(1, 2), &stream, (data.ptr(),)) }.unwrap();
    assert_eq!(data.to_vec().unwrap(), [3.0, -4.0]);
}

/// Everything with the library that `CUDA_SYS_NVRTC_LIBRARY` names.
#[test]
#[ignore = "runs in a child process"]
#[allow(clippy::print_stdout)]
fn child() {
    let is_real = cuda_suite::driver() == cuda_suite::Choice::Real;
    let (compiler, driver) = (nvrtc::version().unwrap(), cuda_rt::driver_version().unwrap());
    let program = program(SOURCE).name_expression("k<float>");
    for (target, start) in [
        (Target::ptx(ComputeCapability::new(8, 0)), ".target sm_80"),
        (Target::cubin(ComputeCapability::new(8, 0)), "\u{7f}ELF"),
    ] {
        let compiled = program.compile(target).unwrap();
        let code = compiled.ptx().map(str::as_bytes).or(compiled.cubin()).unwrap();
        assert!(code.windows(start.len()).any(|window| window == start.as_bytes()), "{target}");
        assert_eq!(compiled.lowered_name("k<float>"), Some("_Z1kIfEvPT_"));
        assert_eq!(compiled.kernels(), ["_Z1kIfEvPT_".into()]);
        assert_eq!(compiled.log(), "");
    }
    let error = nvrtc::Program::new("nonsense")
        .cache(nvrtc::Cache::off())
        .compile(Target::ptx(ComputeCapability::new(8, 0)))
        .unwrap_err();
    assert_eq!(error.context::<CallError>().unwrap().code, Code::Compilation);

    let device = context().device().compute_capability().unwrap();
    let loaded = program.compile_and_load(&context());
    if is_taken(compiler) {
        let module = loaded.unwrap();
        let target = module.compiled().target();
        assert_eq!(target.output(), Output::Ptx);
        runs(&module);
        println!("\ncame of it: {target}, run");
        return;
    }
    // The driver is too old for PTX of this compiler.
    let known =
        nvrtc::supported_architectures().unwrap().into_iter().filter(|known| *known <= device).max().unwrap();
    let error = program.compile(Target::ptx(known)).unwrap().load(&context()).unwrap_err();
    assert_eq!(error.code(), Some(DriverCode::UnsupportedPtxVersion), "{error}");
    let error = Target::for_context_with_output(&context(), Output::Ptx).unwrap_err().to_string();
    assert!(error.contains(&compiler.to_string()) && error.contains(&driver.to_string()), "{error}");
    match loaded {
        Ok(module) if is_real => {
            assert_eq!(module.compiled().target(), Target::cubin(device));
            runs(&module);
            println!("\ncame of it: {}, run", Target::cubin(device));
        }
        Err(error) => {
            if error == invalid("takes neither PTX that is newer than it is nor machine code") {
                assert!(driver.major() < compiler.major);
            } else {
                assert!(!is_real && driver.major() == compiler.major);
                let target = Target::cubin(device);
                assert!(error.to_string().starts_with(&format!("machine code for {target}, ")), "{error}");
            }
            println!("\ncame of it: {}", error.to_string().replace('\n', " | "));
        }
        other => panic!("{other:?}"),
    }
}
