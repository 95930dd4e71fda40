//! Several threads use one device at the same time. They share the context and the loaded kernels. Each thread has a stream of its own,
//! so no thread waits for the work of another.
//!
//! ```text
//! cargo run --release --example 15_threads
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Result, Stream};
use std::thread;

cuda_rt::kernels! {
    struct Kernels from ptx_file("vector_add.ptx");
    // SAFETY: if `i < n`, thread `i` reads element `i` of `a` and `b`, and writes element `i` of `sum`.
    unsafe extern {
        #[block(256)]
        safe fn vector_add(a: &[f32], b: &[f32], sum: &mut [f32], n: u32)
        where
            n <= a.len(),
            n <= b.len(),
            n <= sum.len();
    }
}

const THREADS: usize = 4;
const LEN: usize = 100_003;

/// Adds a vector to itself `rounds` times, on a stream of this thread. The context need not be current in the thread.
fn double(context: &Context, kernels: &Kernels, rounds: usize) -> Result<f32> {
    let stream = Stream::new(context)?;
    let mut numbers = DeviceBuf::from_host(&stream, &vec![1.0; LEN])?;
    for _ in 0..rounds {
        let mut doubled = DeviceBuf::<f32>::uninit(&stream, LEN)?;
        kernels.vector_add(&numbers, &numbers, &mut doubled, LEN as u32).launch_for(LEN, &stream)?;
        numbers = doubled;
    }
    // Waits for the stream of this thread.
    let numbers = numbers.to_vec()?;
    Ok(numbers.iter().sum::<f32>() / LEN as f32)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let kernels = Kernels::load(&context)?;
    let (context, kernels) = (&context, &kernels);
    let outcomes: Vec<Result<f32>> = thread::scope(|scope| {
        let threads: Vec<_> =
            (1..=THREADS).map(|rounds| scope.spawn(move || double(context, kernels, rounds))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    for (thread, mean) in outcomes.into_iter().enumerate() {
        println!("thread {thread}: the mean is {}", mean?);
    }
    Ok(())
}
