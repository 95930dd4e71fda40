//! Overlaps copies and kernels: several tasks on one thread, each with a stream of its own.
//!
//! ```text
//! cargo run --release --example 12_async_overlap
//! ```
//!
//! Any executor can run the tasks. This example has a small executor of its own, built with the standard library.

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, PinnedBuf, Stream};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Poll, Wake, Waker};
use std::thread::Thread;

const PTX: &str = include_str!("vector_add.ptx");
const CHUNKS: usize = 8;
const LEN: usize = 100_003;

type Add = Kernel<(DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32)>;

/// Adds a chunk to itself. While this task waits for its copy or its kernel, the others go on.
async fn double(add: Add, chunk: usize) -> cuda_rt::Result<PinnedBuf<f32>> {
    let context = add.function().context();
    let stream = Stream::new(context)?;
    let numbers = PinnedBuf::from_fn(context, LEN, |i| (chunk * LEN + i) as f32)?;
    let mut input = DeviceBuf::<f32>::zeroed(&stream, LEN)?;
    let numbers = input.copy_from_pinned(numbers)?.await?;

    let output = DeviceBuf::<f32>::zeroed(&stream, LEN)?;
    let args = (input.ptr(), input.ptr(), output.ptr(), LEN as u32);
    // SAFETY: both buffers have LEN elements and live on this stream; the kernel compares its index with LEN, and writes only to
    // `output`.
    unsafe { add.launch(LaunchConfig::for_elements(LEN, 256), &stream, args) }?;
    stream.finished()?.await?;

    // The page-locked memory of the upload takes the result.
    Ok(output.copy_to_pinned(numbers)?.await?)
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs all tasks to their ends on this thread.
fn run_all<T>(tasks: Vec<Pin<Box<dyn Future<Output = T>>>>) -> Vec<T> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut task_context = std::task::Context::from_waker(&waker);
    let mut tasks: Vec<_> = tasks.into_iter().map(|task| (Some(task), None)).collect();
    while tasks.iter().any(|(task, _)| task.is_some()) {
        let mut progress = false;
        for (place, output) in &mut tasks {
            let Some(task) = place else { continue };
            if let Poll::Ready(value) = task.as_mut().poll(&mut task_context) {
                (*place, *output) = (None, Some(value));
                progress = true;
            }
        }
        if !progress {
            std::thread::park();
        }
    }
    tasks.into_iter().filter_map(|(_, output)| output).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let add: Add = Module::from_ptx(&context, PTX)?.function("vector_add")?.typed()?;

    let tasks = (0..CHUNKS).map(|chunk| Box::pin(double(add.clone(), chunk)) as Pin<Box<_>>).collect();
    for (chunk, doubled) in run_all(tasks).into_iter().enumerate() {
        let doubled: PinnedBuf<f32> = doubled?;
        let wrong = (0..LEN).find(|&i| doubled[i] != 2.0 * (chunk * LEN + i) as f32);
        if let Some(i) = wrong {
            return Err(format!("element {i} of chunk {chunk} is {}", doubled[i]).into());
        }
    }
    println!("{CHUNKS} chunks of {LEN} elements, all right");
    Ok(())
}
