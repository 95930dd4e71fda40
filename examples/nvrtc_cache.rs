//! How long it takes to have CUDA C++ compiled: the first time in a process, the next times, and out of the cache on
//! disk.
//!
//! `cargo run --release --example nvrtc_cache`. It needs no GPU. `CUDA_SYS_NVRTC_LIBRARY` chooses the compiler.

#![allow(clippy::print_stdout)]

use cuda_rt::nvrtc::{self, Cache, CacheOutcome, Compiled, Program, Target};
use std::time::{Duration, Instant};

/// A kernel of some use: sums of blocks, through shared memory.
const SOURCE: &str = r#"
    template <typename T, int BLOCK> __global__ void sums(const T *in, T *out, int len) {
        __shared__ T part[BLOCK];
        T sum = 0;
        for (int i = blockIdx.x * BLOCK + threadIdx.x; i < len; i += gridDim.x * BLOCK) sum += in[i];
        part[threadIdx.x] = sum;
        __syncthreads();
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0) out[blockIdx.x] = part[0];
    }
"#;

const TIMES: usize = 15;

/// A program that no compiler has seen before: NVRTC may remember others.
fn program(number: usize, cache: &Cache) -> Program {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Program::new(format!("{SOURCE}\n// {number} {now:?}\n__device__ int number = {};", now.subsec_nanos()))
        .name_expression("sums<float, 256>")
        .cache(cache.clone())
}

fn timed(program: &Program, target: Target) -> Result<(Duration, Compiled), nvrtc::Error> {
    let start = Instant::now();
    let compiled = program.compile(target)?;
    Ok((start.elapsed(), compiled))
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (least, middle, most) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!(
        "  {what:<34} {:>9.3} ms   (of {}: {:.3} to {:.3})",
        milliseconds(middle),
        times.len(),
        milliseconds(least),
        milliseconds(most)
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let cache = Cache::in_folder(folder.path());
    if cache.folder().is_none() {
        return Err("CUDA_RT_NVRTC_CACHE_DISABLE is set".into());
    }

    let start = Instant::now();
    let version = nvrtc::version()?;
    let opened = start.elapsed();
    println!("NVRTC of CUDA {version}, median:");
    show("opening the library", vec![opened]);
    let (cold, _) = timed(&program(0, &Cache::off()), Target::ptx((8, 0)))?;
    show("PTX, first in the process", vec![cold]);

    for (name, target) in [("PTX", Target::ptx((8, 0))), ("machine code", Target::cubin((8, 0)))] {
        let (mut warm, mut stored, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..TIMES {
            warm.push(timed(&program(number, &Cache::off()), target)?.0);
            let kept = program(number, &cache);
            let (time, first) = timed(&kept, target)?;
            stored.push(time);
            let (time, again) = timed(&kept, target)?;
            found.push(time);
            let outcomes = (first.cache_outcome(), again.cache_outcome());
            if outcomes != (&CacheOutcome::Stored, &CacheOutcome::Found) || first.ptx() != again.ptx() {
                return Err(format!("the cache did not work: {outcomes:?}").into());
            }
        }
        show(&format!("{name}, compiled, no cache"), warm);
        show(&format!("{name}, compiled and stored"), stored);
        show(&format!("{name}, found in the cache"), found);
    }
    Ok(())
}
