//! Prints a table of all devices, and facts about each.
//!
//! ```text
//! cargo run --release --example 02_device_query          # the main facts
//! cargo run --release --example 02_device_query -- all   # every attribute
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, Result, driver_version};

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let all = std::env::args().nth(1).is_some_and(|argument| argument == "all");
    println!("CUDA {} bindings, driver for CUDA {}\n", cuda_rt::version::HEADER_VERSION, driver_version()?);

    println!(
        "          name                     capability  multiprocessors  memory, MiB    free, MiB  peers"
    );
    for device in Device::all()? {
        let memory = Context::primary(device)?.memory_info()?;
        let can_access = |peer: &Device| device.can_access_peer(*peer).unwrap_or(false);
        let peers: Vec<String> = Device::all()?
            .iter()
            .filter(|peer| can_access(peer))
            .map(|peer| peer.as_raw().to_string())
            .collect();
        println!(
            "{:<9} {:<24} {:>10}  {:>15}  {:>11}  {:>11}  {}",
            device.to_string(),
            device.name()?,
            device.compute_capability()?.to_string(),
            device.multiprocessor_count()?,
            memory.total >> 20,
            memory.free >> 20,
            if peers.is_empty() { "none".to_owned() } else { peers.join(", ") },
        );
    }
    for device in Device::all()? {
        println!("\n{device}");
        for (fact, value) in facts(device)? {
            println!("  {fact:<28} {value}");
        }
        if all {
            for (attribute, value) in device.attributes()? {
                println!("  {attribute:<58} {value}");
            }
        }
    }
    Ok(())
}

/// Returns the main facts with their units.
fn facts(device: Device) -> Result<Vec<(&'static str, String)>> {
    let kib = |bytes: i32| format!("{} KiB", bytes / 1024);
    let mhz = |khz: i32| format!("{} MHz", khz / 1000);
    let yes = |answer: bool| (if answer { "yes" } else { "no" }).to_owned();
    let three = |x: i32, y: i32, z: i32| format!("{x} x {y} x {z}");
    Ok(vec![
        ("UUID", device.uuid()?.to_string()),
        ("PCI bus id", device.pci_bus_id()?),
        ("compute mode", format!("{:?}", device.compute_mode()?)),
        ("clock", mhz(device.clock_rate()?)),
        ("memory clock", mhz(device.memory_clock_rate()?)),
        ("memory bus", format!("{} bits", device.global_memory_bus_width()?)),
        ("ECC", yes(device.ecc_enabled()?)),
        ("level-2 cache", kib(device.l2_cache_size()?)),
        ("warp", format!("{} threads", device.warp_size()?)),
        ("threads per block", device.max_threads_per_block()?.to_string()),
        ("threads per multiprocessor", device.max_threads_per_multiprocessor()?.to_string()),
        ("block", three(device.max_block_dim_x()?, device.max_block_dim_y()?, device.max_block_dim_z()?)),
        ("grid", three(device.max_grid_dim_x()?, device.max_grid_dim_y()?, device.max_grid_dim_z()?)),
        ("registers per block", device.max_registers_per_block()?.to_string()),
        ("shared memory per block", kib(device.max_shared_memory_per_block()?)),
        ("shared memory opt-in", kib(device.max_shared_memory_per_block_optin()?)),
        ("constant memory", kib(device.total_constant_memory()?)),
        ("copy engines", device.async_engine_count()?.to_string()),
        ("managed memory", yes(device.managed_memory()?)),
        ("memory pools", yes(device.memory_pools_supported()?)),
    ])
}
