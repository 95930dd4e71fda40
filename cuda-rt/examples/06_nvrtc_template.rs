//! Compiles a template kernel from CUDA C++ when the program runs, and finds its instances by their names in C++. The kernel takes a
//! structure by value, and calls a `__device__` function.
//!
//! ```text
//! cargo run --release --features nvrtc --example 06_nvrtc_template
//! ```
//!
//! `CUDA_SYS_NVRTC_LIBRARY` names another NVRTC library than the system's. cuda-sim takes the PTX of NVRTC 11.8.

#![allow(clippy::print_stdout)]
#![allow(unsafe_code)] // a launch, and a promise about a structure

use cuda_rt::launch::KernelArg;
use cuda_rt::nvrtc::{self, Program};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Stream};

const SOURCE: &str = r#"
    struct Line { float slope; double offset; int len; };

    __device__ double at(const Line &line, int x) { return line.slope * x + line.offset; }

    template <typename T> __global__ void draw(T *out, Line line) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        if (x < line.len) out[x] = (T)at(line, x);
    }
"#;

/// The structure of the source, with the same padding.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct Line {
    slope: f32,
    offset: f64,
    len: i32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    println!("compiler: NVRTC of CUDA {}", nvrtc::version()?);
    let stream = Stream::new(&Context::primary(Device::get(0)?)?)?;

    // The compiler makes these instances of the template.
    let program = Program::new(SOURCE)
        .name("draw.cu")
        .name_expression("draw<float>")
        .name_expression("draw<long long>");
    let module = program.compile_and_load(stream.context())?;
    let compiled = module.compiled();
    println!("compiled for {}; {}", compiled.target(), compiled.cache_outcome());

    let line = Line { slope: 0.5, offset: 10.0, len: 6 };
    let floats = DeviceBuf::<f32>::zeroed(&stream, 6)?;
    let integers = DeviceBuf::<i64>::zeroed(&stream, 6)?;
    let (draw_floats, draw_integers) = (module.function("draw<float>")?, module.function("draw<long long>")?);
    for function in [&draw_floats, &draw_integers] {
        println!("{}", function.name());
    }
    let config = LaunchConfig::for_elements(6, 128);
    // SAFETY: the kernel writes `len` elements, which `floats` has, and lives on the same stream.
    unsafe { draw_floats.typed::<(DevicePtr<f32>, Line)>()?.launch(config, &stream, (floats.ptr(), line)) }?;
    // SAFETY: as above, of `integers`.
    unsafe {
        draw_integers.typed::<(DevicePtr<i64>, Line)>()?.launch(config, &stream, (integers.ptr(), line))
    }?;

    println!("{:?}\n{:?}", floats.to_vec()?, integers.to_vec()?);
    if floats.to_vec()? != [10.0, 10.5, 11.0, 11.5, 12.0, 12.5]
        || integers.to_vec()? != [10, 10, 11, 11, 12, 12]
    {
        return Err("these are not the numbers that were expected".into());
    }
    Ok(())
}
