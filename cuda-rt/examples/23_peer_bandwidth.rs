//! Measures copies from each device to each device: bandwidth and latency, by events. Peer access is enabled where the devices support
//! it. On `cuda-sim` the figures are those of its virtual time.
//!
//! ```text
//! CUDA_SIM=devices=4 cargo run --release --example 23_peer_bandwidth
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Event, Result, Stream};

/// Returns the mean time of `times` copies of `bytes` bytes each, in microseconds.
fn time(from: &Stream, to: &Stream, bytes: usize, times: u8) -> Result<f32> {
    let source = DeviceBuf::<u8>::zeroed(from, bytes)?;
    let mut target = DeviceBuf::<u8>::zeroed(to, bytes)?;
    target.copy_from_device(source.as_slice())?;
    let (begin, end) = (Event::new(to.context())?, Event::new(to.context())?);
    begin.record(to)?;
    for _ in 0..times {
        target.copy_from_device(source.as_slice())?;
    }
    end.record(to)?.synchronize()?;
    Ok(1000.0 * end.milliseconds_since(&begin)? / f32::from(times))
}

fn print(title: &str, rows: &[Vec<f32>]) {
    let heads: String = (0..rows.len()).map(|to| format!("{:>10}", format!("to {to}"))).collect();
    println!("{title}\n        {heads}");
    for (from, row) in rows.iter().enumerate() {
        let cells: String = row.iter().map(|value| format!("{value:>10.1}")).collect();
        println!("  from {from}{cells}");
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut large_mib = 256_u16;
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
        println!("these figures are those of the simulator, not of hardware");
        large_mib = 4;
    }
    let contexts: Vec<Context> = Device::all()?.into_iter().map(Context::primary).collect::<Result<_>>()?;
    let streams: Vec<Stream> = contexts.iter().map(Stream::new).collect::<Result<_>>()?;
    let mut guards = Vec::new();
    for from in &contexts {
        for to in &contexts {
            if from != to && from.device().can_access_peer(to.device())? {
                guards.push(from.peer_access(to)?);
            }
        }
    }
    println!("devices: {}, pairs with peer access: {}", contexts.len(), guards.len());
    let (mut bandwidths, mut latencies) = (Vec::new(), Vec::new());
    for from in &streams {
        let (mut bandwidth, mut latency) = (Vec::new(), Vec::new());
        for to in &streams {
            let microseconds = time(from, to, usize::from(large_mib) << 20, 5)?;
            bandwidth.push(f32::from(large_mib) * 1.048_576 * 1000.0 / microseconds);
            latency.push(time(from, to, 4, 100)?);
        }
        bandwidths.push(bandwidth);
        latencies.push(latency);
    }
    print(&format!("bandwidth of copies of {large_mib} MiB, GB/s"), &bandwidths);
    print("time of a copy of 4 bytes, us", &latencies);
    Ok(())
}
