//! The kernels, with their arguments and their data. `native.c` has the same data.

use crate::clock::Clock;
use cuda_rt::bytemuck::{AnyBitPattern, NoUninit, cast_slice};
use cuda_rt::launch::KernelArgs;
use cuda_rt::{DeviceBuf, Kernel, LaunchConfig, Module, Stream};

const WORDS: usize = 1 << 20;
const THREADS: u32 = 16_384;
const ROUNDS: u32 = 1000;
const SIDE: usize = 256;
const BODIES: usize = 2048;
const OPTIONS: usize = 1 << 17;
/// Points of a Fourier transform, keys that are sorted together.
const GROUP: usize = 1024;
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

macro_rules! ptx {
    ($name:literal) => {
        include_str!(concat!("../../tests/kernels/", $name, ".ptx"))
    };
}

/// The comparison of the result with the result of the C program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Total {
    /// A checksum of the words, which must be equal.
    Words,
    /// The sum of the magnitudes of the numbers. C has no fused or approximate operations, so the last bits differ.
    Magnitudes,
}

impl Total {
    /// The largest difference to the total of the C program, as a fraction of it.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Total::Words => 0.0,
            Total::Magnitudes => 1e-5,
        }
    }

    fn of(self, bytes: &[u8]) -> f64 {
        let words = bytes.as_chunks::<4>().0;
        match self {
            Total::Words => {
                let next =
                    |sum: u32, word: &[u8; 4]| sum.wrapping_mul(31).wrapping_add(u32::from_le_bytes(*word));
                words.iter().fold(0, next).into()
            }
            Total::Magnitudes => words.iter().map(|word| f64::from(f32::from_le_bytes(*word).abs())).sum(),
        }
    }
}

/// Launches a kernel and waits. Returns the nanoseconds that this took by a clock that the argument makes.
type Launch = Box<dyn Fn(fn() -> Clock) -> f64>;

/// A kernel with its arguments.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) total: Total,
    /// The total of the result of the first launch.
    pub(crate) result: f64,
    /// Launches, waits, and returns the nanoseconds that this took by a clock that the argument makes.
    pub(crate) launch: Launch,
}

fn buffer<T: NoUninit>(stream: &Stream, elements: impl Iterator<Item = T>) -> DeviceBuf<T> {
    DeviceBuf::from_host(stream, &elements.collect::<Vec<T>>()).unwrap()
}

/// Launches a kernel for the first time. `keep` is what the arguments point into, and `result` finds the result in it.
fn case<A: KernelArgs + Copy + 'static, K: 'static, T: NoUninit + AnyBitPattern>(
    stream: &Stream,
    (name, ptx, total): (&'static str, &str, Total),
    (config, args, keep): (LaunchConfig, A, K),
    result: impl Fn(&K) -> &DeviceBuf<T>,
) -> Case {
    let function = Module::from_ptx(stream.context(), ptx).unwrap().function(name).unwrap();
    // SAFETY: the arguments below are those of the kernels.
    let kernel: Kernel<A> = unsafe { function.typed_unchecked() };
    let stream = stream.clone();
    let launch = move |clock: fn() -> Clock| {
        let clock = clock();
        // SAFETY: the buffers are as long as the kernels expect.
        unsafe { kernel.launch(config, &stream, args) }.unwrap();
        stream.synchronize().unwrap();
        clock.nanoseconds()
    };
    launch(Clock::wall);
    let result = total.of(cast_slice(&result(&keep).to_vec().unwrap()));
    let launch = Box::new(move |clock: fn() -> Clock| {
        let _keep = &keep;
        launch(clock)
    });
    Case { name, total, result, launch }
}

fn saxpy(stream: &Stream) -> Case {
    let x = buffer(stream, (0..WORDS).map(|i| (i % 1000) as f32 / 8.0));
    let y = buffer(stream, (0..WORDS).map(|i| (i % 777) as f32));
    let config = LaunchConfig::new(WORDS as u32 / 256, 256);
    let work = (config, (WORDS as i32, 2.5f32, x.ptr(), y.ptr()), (x, y));
    case(stream, ("saxpy", ptx!("saxpy"), Total::Words), work, |keep| &keep.1)
}

fn fma_loop(stream: &Stream) -> Case {
    let out = buffer(stream, (0..THREADS).map(|_| 0f32));
    let work = (LaunchConfig::new(THREADS / 256, 256), (out.ptr(), 0.5f32, 1.25f32, ROUNDS), out);
    case(stream, ("fma_loop", FMA_LOOP, Total::Magnitudes), work, |out| out)
}

fn mandelbrot(stream: &Stream) -> Case {
    let out = buffer(stream, (0..SIDE * SIDE).map(|_| 0i32));
    let work = (TILES, (out.ptr(), SIDE as i32, SIDE as i32, 256), out);
    case(stream, ("mandelbrot", ptx!("mandelbrot"), Total::Words), work, |out| out)
}

/// Elements of a matrix.
fn elements(first: usize) -> impl Iterator<Item = f32> {
    (first..first + SIDE * SIDE).map(|i| (i % 1000) as f32 / 8.0)
}

fn matmul_tiled(stream: &Stream) -> Case {
    let [a, b] = [0, SIDE * SIDE].map(|first| buffer(stream, elements(first)));
    let c = buffer(stream, (0..SIDE * SIDE).map(|_| 0f32));
    let work = (TILES, (a.ptr(), b.ptr(), c.ptr(), SIDE as i32), (a, b, c));
    case(stream, ("matmul_tiled", ptx!("matmul_tiled"), Total::Words), work, |keep| &keep.2)
}

fn sgemm(stream: &Stream) -> Case {
    let [a, b] = [0, SIDE * SIDE].map(|first| buffer(stream, elements(first)));
    let c = buffer(stream, (0..SIDE * SIDE).map(|_| 0f32));
    let side = SIDE as u32;
    let config = LaunchConfig { grid: [side / 64, side / 64, 1], block: [256, 1, 1], shared_bytes: 0 };
    let args = (a.ptr(), b.ptr(), c.ptr(), SIDE as i32, 0.5f32, 0.25f32);
    case(stream, ("sgemm", ptx!("sgemm"), Total::Magnitudes), (config, args, (a, b, c)), |keep| &keep.2)
}

fn reduce_int(stream: &Stream) -> Case {
    let input = buffer(stream, (0..WORDS).map(|i| (i % 1000) as i32 - 300));
    let out = buffer(stream, std::iter::once(0i32));
    let work = (LaunchConfig::new(128, 256), (input.ptr(), WORDS as i32, out.ptr()), (input, out));
    case(stream, ("reduce_int", ptx!("reduce"), Total::Words), work, |keep| &keep.1)
}

fn block_sum(stream: &Stream) -> Case {
    let input = buffer(stream, (0..WORDS).map(|i| (i % 1000) as i32 - 300));
    let out = buffer(stream, (0..WORDS / 512).map(|_| 0i32));
    let work = (LaunchConfig::new(WORDS as u32 / 512, 256), (input.ptr(), out.ptr()), (input, out));
    case(stream, ("block_sum", ptx!("block_sum"), Total::Words), work, |keep| &keep.1)
}

/// Words that look random: the same ones in every run.
fn noise(count: usize) -> impl Iterator<Item = u32> {
    (0..count as u32).map(|i| i.wrapping_mul(2_654_435_761)).map(|word| word ^ word >> 15)
}

fn histogram(stream: &Stream) -> Case {
    let data = buffer(stream, noise(WORDS).map(|word| (word >> 8) as u8));
    let counts = buffer(stream, (0..256).map(|_| 0u32));
    let work = (LaunchConfig::new(128, 256), (data.ptr(), WORDS as i32, counts.ptr()), (data, counts));
    case(stream, ("histogram", ptx!("histogram"), Total::Words), work, |keep| &keep.1)
}

fn sort(stream: &Stream) -> Case {
    let count = 128 * GROUP;
    let input = buffer(stream, noise(count));
    let out = buffer(stream, (0..count).map(|_| 0u32));
    let work = (LaunchConfig::new(128, 512), (input.ptr(), out.ptr()), (input, out));
    case(stream, ("sort", ptx!("sort"), Total::Words), work, |keep| &keep.1)
}

fn fft(stream: &Stream) -> Case {
    let count = 128 * GROUP;
    let input = buffer(stream, (0..2 * count).map(|i| (i % 1000) as f32 / 500.0 - 1.0));
    let roots = (0..GROUP / 2).map(|i| -std::f64::consts::TAU * i as f64 / GROUP as f64);
    let roots = buffer(stream, roots.flat_map(|angle| [angle.cos() as f32, angle.sin() as f32]));
    let out = buffer(stream, (0..2 * count).map(|_| 0f32));
    let args = (input.ptr(), roots.ptr(), out.ptr());
    let work = (LaunchConfig::new(128, 512), args, (input, roots, out));
    case(stream, ("fft", ptx!("fft"), Total::Words), work, |keep| &keep.2)
}

fn nbody(stream: &Stream) -> Case {
    let part = |i: usize, step: usize| (i * step % 1009) as f32 / 1009.0;
    let coordinates = move |i| [part(i, 17), part(i, 101), part(i, 503), part(i, 7) + 0.5];
    let bodies = buffer(stream, (0..BODIES).flat_map(coordinates));
    let out = buffer(stream, (0..4 * BODIES).map(|_| 0f32));
    let config =
        LaunchConfig { grid: [BODIES as u32 / 256, 1, 1], block: [256, 1, 1], shared_bytes: 256 * 16 };
    let work = (config, (bodies.ptr(), out.ptr(), BODIES as i32, 0.01f32), (bodies, out));
    case(stream, ("nbody", ptx!("nbody"), Total::Magnitudes), work, |keep| &keep.1)
}

fn black_scholes(stream: &Stream) -> Case {
    let part = |i: usize, step: usize| (i * step % 1009) as f32 / 1009.0;
    let prices = buffer(stream, (0..OPTIONS).map(|i| 5.0 + 25.0 * part(i, 17)));
    let strikes = buffer(stream, (0..OPTIONS).map(|i| 1.0 + 99.0 * part(i, 101)));
    let years = buffer(stream, (0..OPTIONS).map(|i| 0.25 + 9.75 * part(i, 503)));
    let [calls, puts] = [(); 2].map(|()| buffer(stream, (0..OPTIONS).map(|_| 0f32)));
    let args =
        (prices.ptr(), strikes.ptr(), years.ptr(), calls.ptr(), puts.ptr(), 0.02f32, 0.3f32, OPTIONS as i32);
    let work = (LaunchConfig::new(OPTIONS as u32 / 256, 256), args, (prices, strikes, years, calls, puts));
    case(stream, ("black_scholes", ptx!("black_scholes"), Total::Magnitudes), work, |keep| &keep.3)
}

/// A kernel that does nothing.
pub(crate) fn empty(stream: &Stream) -> Case {
    let ptx = ".version 9.0 .target sm_75 .address_size 64 .visible .entry empty(.param .u64 out) { ret; }";
    let out = buffer(stream, std::iter::once(0u32));
    let work = (LaunchConfig::new(1, 32), (out.ptr(),), out);
    case(stream, ("empty", ptx, Total::Words), work, |out| out)
}

/// Makes a case for a stream.
type Make = fn(&Stream) -> Case;

/// All kernels whose names `chosen` takes.
pub(crate) fn cases(stream: &Stream, chosen: impl Fn(&str) -> bool) -> Vec<Case> {
    let all: [(&str, Make); 12] = [
        ("saxpy", saxpy),
        ("fma_loop", fma_loop),
        ("mandelbrot", mandelbrot),
        ("matmul_tiled", matmul_tiled),
        ("sgemm", sgemm),
        ("reduce_int", reduce_int),
        ("block_sum", block_sum),
        ("histogram", histogram),
        ("sort", sort),
        ("fft", fft),
        ("nbody", nbody),
        ("black_scholes", black_scholes),
    ];
    all.into_iter().filter(|(name, _)| chosen(name)).map(|(_, make)| make(stream)).collect()
}
