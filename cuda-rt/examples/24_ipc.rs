//! Shares device memory and an event between two processes. The program starts itself as the second process, and sends it two handles
//! through a pipe.
//!
//! ```text
//! cargo run --release --example 24_ipc
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::event::EventFlags;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, Device, DeviceBuf, Event, Stream};
use std::io::{Read, Write};
use std::process::{Command, Stdio};

const LEN: usize = 4;
const SECOND: &str = "second-process";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let simulated = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)?;
    if std::env::args().nth(1).as_deref() == Some(SECOND) {
        return second();
    }
    if let Some(reason) = simulated {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let device = Device::get(0)?;
    if !device.ipc_event_supported()? {
        println!("this device shares no events");
        return Ok(());
    }
    let context = Context::primary(device)?;
    let stream = Stream::new(&context)?;
    // Memory of a pool has no such handle.
    let numbers = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3, 4], MemorySource::Plain)?;
    let written = Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
    written.record(&stream)?;

    let mut child = Command::new(std::env::current_exe()?)
        .arg(SECOND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut pipe = child.stdin.take().ok_or("the pipe is missing")?;
    pipe.write_all(numbers.ipc_handle()?.as_bytes())?;
    pipe.write_all(written.ipc_handle()?.as_bytes())?;
    // This process keeps the memory and the event, and does not use them until the second process has ended.
    let output = child.wait_with_output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Err(format!("the second process ended with {}", output.status).into());
    }
    println!("first process: {:?}", numbers.to_vec()?);
    Ok(())
}

fn second() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let (mut memory, mut event) = ([0; IpcMemHandle::SIZE], [0; IpcEventHandle::SIZE]);
    std::io::stdin().read_exact(&mut memory)?;
    std::io::stdin().read_exact(&mut event)?;

    // SAFETY: the first process keeps the event until this process has ended.
    let written = unsafe { Event::from_ipc_handle(&context, &IpcEventHandle::from_bytes(event)) }?;
    stream.wait_event(&written)?;
    let memory = IpcMemHandle::from_bytes(memory);
    // SAFETY: the first process keeps the memory of LEN elements, and does not use it until this process has ended.
    let mut numbers = unsafe { DeviceBuf::<u32>::from_ipc_handle(&stream, &memory, LEN) }?;
    println!("second process: {:?}", numbers.to_vec()?);
    numbers.slice_mut(2..)?.copy_from_host(&[30, 40])?;
    Ok(())
}
