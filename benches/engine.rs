//! How fast the software driver runs kernels, beside C that does the same work on one core.
//!
//! ```text
//! cargo bench --bench engine
//! cargo bench --bench engine -- saxpy 5     # one kernel, five rounds
//! ```
//!
//! Each time is the best of many; the variants and the C program take turns, so that a busy machine slows down all of
//! them. Instructions are those of the PTX source, counted for each thread that takes part: the number of instructions
//! of every basic block, read off the source, times the number of threads that enter it, which the kernel's work
//! determines. The C program is `benches/engine.c`, compiled by `cc -O2 -ffp-contract=off` when this runs.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, unsafe_code)]

use cuda_rt::bytemuck::{AnyBitPattern, NoUninit};
use cuda_rt::launch::KernelArgs;
use cuda_rt::{Context, Device, DeviceBuf, Kernel, LaunchConfig, Module, Stream};
use cuda_sim::Machine;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

const WORDS: usize = 1 << 20;
const THREADS: u32 = 16_384;
const ROUNDS: u64 = 1000;
const SIDE: u64 = 256;
const LIMIT: i32 = 256;
/// Blocks of 16 times 16 threads that cover a square.
const TILES: LaunchConfig =
    LaunchConfig { grid: [SIDE as u32 / 16, SIDE as u32 / 16, 1], block: [16, 16, 1], shared_bytes: 0 };

/// A multiplication and an addition in one, again and again, four to a turn as NVIDIA's compiler would unroll it.
const FMA_LOOP: &str = "
.version 9.0
.target sm_75
.address_size 64
.visible .entry fma_loop(.param .u64 out, .param .f32 a, .param .f32 b, .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<7>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [out];
    ld.param.f32 %f1, [a];
    ld.param.f32 %f2, [b];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    cvt.rn.f32.s32 %f3, %r5;
AGAIN:
    fma.rn.f32 %f3, %f3, %f1, %f2;
    fma.rn.f32 %f3, %f3, %f1, %f2;
    fma.rn.f32 %f3, %f3, %f1, %f2;
    fma.rn.f32 %f3, %f3, %f1, %f2;
    add.s32 %r1, %r1, -4;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.f32 [%rd4], %f3;
    ret;
}
";

/// How many instructions each basic block of a kernel has, in the order of the source.
fn blocks(ptx: &str, kernel: &str) -> Vec<u64> {
    let body = &ptx[ptx.find(&format!(".entry {kernel}(")).unwrap()..];
    let body = &body[body.find('{').unwrap() + 1..];
    let mut counts = vec![0];
    for line in body.lines().map(str::trim) {
        if line == "}" {
            break;
        } else if line.ends_with(':') {
            counts.push(0);
        } else if line.ends_with(';') && !line.starts_with('.') {
            *counts.last_mut().unwrap() += 1;
            if line.contains("bra") {
                counts.push(0);
            }
        }
    }
    // A label after a branch begins the block that the branch had begun.
    counts.retain(|&count| count != 0);
    counts
}

/// The instructions of all threads: how many threads enter each block, times its length.
fn executed<const N: usize>(ptx: &str, kernel: &str, threads: [u64; N]) -> u64 {
    let blocks = blocks(ptx, kernel);
    assert_eq!(blocks.len(), N, "{kernel}: {blocks:?}");
    blocks.iter().zip(threads).map(|(length, threads)| length * threads).sum()
}

/// A kernel with its arguments.
struct Case {
    name: &'static str,
    instructions: u64,
    /// The sum of the words of the result of the first launch.
    sum: u32,
    /// Launches, waits, and returns the nanoseconds that this took.
    launch: Box<dyn Fn() -> f64>,
}

fn words<T: NoUninit + AnyBitPattern>(buffer: &DeviceBuf<T>) -> Vec<u32> {
    cuda_rt::bytemuck::cast_slice(&buffer.to_vec().unwrap()).to_vec()
}

fn buffer<T: NoUninit>(stream: &Stream, elements: impl Iterator<Item = T>) -> DeviceBuf<T> {
    DeviceBuf::from_host(stream, &elements.collect::<Vec<T>>()).unwrap()
}

/// What a kernel is launched with, and `keep`: what its arguments point into.
struct Work<A, K> {
    config: LaunchConfig,
    args: A,
    keep: K,
}

/// Launches a kernel for the first time; `result` reads what it computed, `count` counts the instructions.
fn case<A: KernelArgs + Copy + 'static, K: 'static>(
    stream: &Stream,
    (ptx, name): (&str, &'static str),
    work: Work<A, K>,
    result: impl Fn(&K) -> Vec<u32>,
    count: impl Fn(&[u32]) -> u64,
) -> Case {
    let function = Module::from_ptx(stream.context(), ptx).unwrap().function(name).unwrap();
    // SAFETY: the arguments below are those of the kernels.
    let kernel: Kernel<A> = unsafe { function.typed_unchecked() };
    let stream = stream.clone();
    let Work { config, args, keep } = work;
    let launch = move || {
        let start = Instant::now();
        // SAFETY: the buffers are as long as the kernels expect.
        unsafe { kernel.launch(config, &stream, args) }.unwrap();
        stream.synchronize().unwrap();
        start.elapsed().as_nanos() as f64
    };
    launch();
    let values = result(&keep);
    let sum = values.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word));
    let launch = Box::new(move || {
        let _keep = &keep;
        launch()
    });
    Case { name, instructions: count(&values), sum, launch }
}

fn saxpy(stream: &Stream) -> Case {
    let ptx = include_str!("../tests/kernels/saxpy.ptx");
    let x = buffer(stream, (0..WORDS).map(|i| (i % 1000) as f32 / 8.0));
    let y = buffer(stream, (0..WORDS).map(|i| (i % 777) as f32));
    let config = LaunchConfig::new(WORDS as u32 / 256, 256);
    let work = Work { config, args: (WORDS as i32, 2.5f32, x.ptr(), y.ptr()), keep: (x, y) };
    let n = WORDS as u64;
    case(stream, (ptx, "saxpy"), work, |keep| words(&keep.1), |_| executed(ptx, "saxpy", [n, n, n]))
}

fn fma_loop(stream: &Stream) -> Case {
    let out = buffer(stream, (0..THREADS).map(|_| 0f32));
    let config = LaunchConfig::new(THREADS / 256, 256);
    let work = Work { config, args: (out.ptr(), 0.5f32, 1.25f32, ROUNDS as u32), keep: out };
    let n = u64::from(THREADS);
    let count = |_: &[u32]| executed(FMA_LOOP, "fma_loop", [n, n * ROUNDS / 4, n]);
    case(stream, (FMA_LOOP, "fma_loop"), work, words, count)
}

fn mandelbrot(stream: &Stream) -> Case {
    let ptx = include_str!("../tests/kernels/mandelbrot.ptx");
    let out = buffer(stream, (0..SIDE * SIDE).map(|_| 0i32));

    let work = Work { config: TILES, args: (out.ptr(), SIDE as i32, SIDE as i32, LIMIT), keep: out };
    let n = SIDE * SIDE;
    let count = |steps: &[u32]| {
        // A point that leaves the circle tests that once more than it makes steps.
        let whole: u64 = steps.iter().map(|&steps| u64::from(steps)).sum();
        let left = steps.iter().filter(|&&steps| steps < LIMIT as u32).count() as u64;
        executed(ptx, "mandelbrot", [n, n, n, whole + left, whole, n, n])
    };
    case(stream, (ptx, "mandelbrot"), work, words, count)
}

fn matmul_tiled(stream: &Stream) -> Case {
    let ptx = include_str!("../tests/kernels/matmul_tiled.ptx");
    let n = SIDE * SIDE;
    let elements = |first: u64| (first..first + n).map(|i| (i % 1000) as f32 / 8.0);
    let (a, b) = (buffer(stream, elements(0)), buffer(stream, elements(n)));
    let c = buffer(stream, (0..n).map(|_| 0f32));

    let work = Work { config: TILES, args: (a.ptr(), b.ptr(), c.ptr(), SIDE as i32), keep: (a, b, c) };
    let count = |_: &[u32]| executed(ptx, "matmul_tiled", [n, n, n * SIDE / 16, n]);
    case(stream, (ptx, "matmul_tiled"), work, |keep| words(&keep.2), count)
}

fn reduce_int(stream: &Stream) -> Case {
    let ptx = include_str!("../tests/kernels/reduce.ptx");
    let input = buffer(stream, (0..WORDS).map(|i| (i % 1000) as i32 - 300));
    let out = buffer(stream, std::iter::once(0i32));
    let (groups, size) = (128u64, 256);
    let config = LaunchConfig::new(groups as u32, size as u32);
    let work = Work { config, args: (input.ptr(), WORDS as i32, out.ptr()), keep: (input, out) };
    let count = |_: &[u32]| {
        let (n, first_warps, leaders) = (groups * size, groups * 32, groups);
        let partial = groups * size / 32;
        let threads = [n, n, WORDS as u64, n, partial, n, first_warps, partial, first_warps, leaders, n];
        executed(ptx, "reduce_int", threads)
    };
    case(stream, (ptx, "reduce_int"), work, |keep| words(&keep.1), count)
}

/// The C program, if there is a compiler.
fn compile() -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine.c");
    let program = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/engine_c"));
    let compiled = Command::new("cc")
        .args(["-O2", "-ffp-contract=off", "-o"])
        .args([program.as_os_str(), source.as_ref()])
        .status()
        .is_ok_and(|status| status.success());
    compiled.then_some(program)
}

/// Runs the C program: nanoseconds and the sum of the result, by kernel.
fn run_c(program: &PathBuf) -> Vec<(f64, u32)> {
    let output = Command::new(program).arg("3").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let fields = text.lines().map(|line| line.split(' ').collect::<Vec<&str>>());
    fields.map(|fields| (fields[1].parse().unwrap(), fields[2].parse().unwrap())).collect()
}

/// The kernels on a machine of their own.
fn cases(config: cuda_sim::Config) -> (Machine, [Case; 5]) {
    let machine = Machine::new(config);
    let entered = machine.enter();
    // SAFETY: no flags, as the API demands.
    assert!(unsafe { cuda_sys::cuInit(0) }.is_success());
    let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
    let cases = [saxpy, fma_loop, mandelbrot, matmul_tiled, reduce_int].map(|case| case(&stream));
    drop(entered);
    (machine, cases)
}

fn main() {
    cuda_sim::install_once().unwrap();
    let one = cuda_sim::Config { host_threads: 1, ..cuda_sim::Config::default() };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // With vector instructions, without them, and with them on all processors.
    let machines = [
        cases(one.clone()),
        cases(cuda_sim::Config { vector_instructions: false, ..one.clone() }),
        cases(cuda_sim::Config { host_threads: threads, ..one }),
    ];
    let program = compile();
    if program.is_none() {
        println!("there is no C compiler: that column is left out");
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let rounds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(20);
    let chosen = |case: &Case| words.iter().all(|word| word.parse::<u32>().is_ok() || word == case.name);
    let mut best = [[f64::INFINITY; 4]; 5];
    for _ in 0..rounds {
        let native = program.as_ref().map(run_c);
        for (index, best) in best.iter_mut().enumerate() {
            if !chosen(&machines[0].1[index]) {
                continue;
            }
            for _ in 0..3 {
                for ((machine, cases), best) in machines.iter().zip(&mut *best) {
                    let entered = machine.enter();
                    *best = best.min((cases[index].launch)());
                    drop(entered);
                }
            }
            if let Some((time, sum)) = native.as_ref().map(|native| native[index]) {
                best[3] = best[3].min(time);
                for (_, cases) in &machines {
                    let case = &cases[index];
                    // The C program does not fuse.
                    assert!(
                        case.sum == sum || case.name == "fma_loop",
                        "{}: {} and {sum}",
                        case.name,
                        case.sum
                    );
                }
            }
        }
    }
    println!("best of {rounds} rounds; ns for each PTX instruction of each thread; ms for the launch");
    println!(
        "{:<13} {:>12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "kernel",
        "instructions",
        "vector",
        "baseline",
        "ms",
        "ms base",
        format!("ms, {threads} thr"),
        "cc -O2 ms",
        "ratio"
    );
    for (case, [wide, plain, parallel, native]) in
        machines[0].1.iter().zip(best).filter(|(case, _)| chosen(case))
    {
        let each = |time: f64| time / case.instructions as f64;
        print!("{:<13} {:>12} {:>9.3} {:>9.3}", case.name, case.instructions, each(wide), each(plain));
        print!(" {:>9.3} {:>9.3} {:>9.3}", wide / 1e6, plain / 1e6, parallel / 1e6);
        match program {
            Some(_) => println!(" {:>9.3} {:>7.1}", native / 1e6, wide / native),
            None => println!(" {:>9} {:>7}", "-", "-"),
        }
    }
    for (machine, cases) in machines {
        // What the cases hold belongs to the machine.
        let entered = machine.enter();
        drop(cases);
        drop(entered);
    }
}
