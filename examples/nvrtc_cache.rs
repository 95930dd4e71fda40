//! How long it takes to have CUDA C++ compiled: the first time in a process, the next times, and out of the cache on
//! disk.
//!
//! ```text
//! cargo run --release --example nvrtc_cache -- [INCLUDE_DIR]
//! ```
//!
//! It needs no GPU. `CUDA_SYS_NVRTC_LIBRARY` chooses the compiler. If the folder with the toolkit's headers is given, a
//! program that includes `cuda_fp16.h` is measured as well.

#![allow(clippy::print_stdout)]

use cuda_rt::device::ComputeCapability;
use cuda_rt::nvrtc::{self, Cache, CacheOutcome, CompileOptions, Compiled, Program, Target};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A kernel that sums blocks, through shared memory.
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

const TARGET: Target = Target::ptx(ComputeCapability::new(8, 0));

/// Set in a process that only looks for a program: the folder of the cache.
const CHILD: &str = "NVRTC_CACHE_CHILD";

/// A program that no compiler has seen before: NVRTC may remember others.
fn program(number: usize, cache: &Cache) -> Program {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Program::new(format!("{SOURCE}\n// {number} {now:?}\n__device__ int number = {};", now.subsec_nanos()))
        .name_expression("sums<float, 256>")
        .cache(cache.clone())
}

fn timed(program: &Program, target: Target) -> cuda_rt::Result<(Duration, Compiled)> {
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
    let include_dir = std::env::args_os().nth(1);
    if let (Some(include_dir), Some(folder)) = (&include_dir, std::env::var_os(CHILD)) {
        nvrtc::version()?;
        println!("{}", found(&with_header(include_dir, Cache::in_folder(folder)))?.as_secs_f64());
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("nvrtc-cache-{}", std::process::id()));
    let measured = measure(&folder, include_dir.as_deref());
    // There is no folder if the cache was not used.
    let removed = if folder.exists() { std::fs::remove_dir_all(folder) } else { Ok(()) };
    measured.and(removed.map_err(Into::into))
}

fn measure(folder: &Path, include_dir: Option<&OsStr>) -> Result<(), Box<dyn std::error::Error>> {
    let cache = Cache::in_folder(folder);
    if cache.folder().is_none() {
        return Err("CUDA_RT_NVRTC_CACHE_DISABLE is set".into());
    }

    let start = Instant::now();
    let version = nvrtc::version()?;
    let opened = start.elapsed();
    println!("NVRTC of CUDA {version}, median:");
    show("opening the library", vec![opened]);
    let (cold, _) = timed(&program(0, &Cache::off()), TARGET)?;
    show("PTX, first in the process", vec![cold]);

    for (name, target) in [("PTX", TARGET), ("machine code", Target::cubin(ComputeCapability::new(8, 0)))] {
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
    if let Some(include_dir) = include_dir {
        let (uncached, kept) = (with_header(include_dir, Cache::off()), with_header(include_dir, cache));
        show("cuda_fp16.h, compiled, no cache", vec![timed(&uncached, TARGET)?.0]);
        show("cuda_fp16.h, compiled and stored", vec![timed(&kept, TARGET)?.0]);
        let first = (0..TIMES).map(|_| first_look(include_dir, folder)).collect::<Result<_, _>>()?;
        show("cuda_fp16.h, first in the process", first);
        let found = (0..TIMES).map(|_| found(&kept)).collect::<Result<_, _>>()?;
        show("cuda_fp16.h, found in the cache", found);
    }
    Ok(())
}

/// A program that includes headers of the toolkit.
fn with_header(include_dir: &OsStr, cache: Cache) -> Program {
    const SOURCE: &str = "#include <cuda_fp16.h>
        extern \"C\" __global__ void twice(__half *x) { x[threadIdx.x] = __hadd(x[threadIdx.x], x[threadIdx.x]); }";
    Program::new(SOURCE).options(CompileOptions::new().include_dir(include_dir)).cache(cache)
}

/// How long it takes to find a program.
fn found(program: &Program) -> Result<Duration, Box<dyn std::error::Error>> {
    let (time, compiled) = timed(program, TARGET)?;
    match compiled.cache_outcome() {
        CacheOutcome::Found => Ok(time),
        other => Err(format!("the cache did not work: {other}").into()),
    }
}

/// The same, in a process of its own.
fn first_look(include_dir: &OsStr, folder: &Path) -> Result<Duration, Box<dyn std::error::Error>> {
    let mut child = Command::new(std::env::current_exe()?);
    let output = child.arg(include_dir).env(CHILD, folder).stderr(Stdio::inherit()).output()?;
    let seconds: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(Duration::from_secs_f64(seconds))
}
