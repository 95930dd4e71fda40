//! A kernel on one GPU reads memory of another. Peer access is disabled again at the end.
//!
//! ```text
//! cargo run --release --example 21_peer_access
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::peer::PoolGrant;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, LaunchConfig, Module, Stream};

const COPY: &str = "
    .version 6.4
    .target sm_50
    .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a<3>;
        .reg .b32 %r<2>;
        mov.u32 %r0, %tid.x;
        mul.wide.u32 %a2, %r0, 4;
        ld.param.u64 %a0, [to];
        ld.param.u64 %a1, [from];
        add.u64 %a0, %a0, %a2;
        add.u64 %a1, %a1, %a2;
        ld.global.u32 %r1, [%a1];
        st.global.u32 [%a0], %r1;
        ret;
    }";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let (Ok(first), Ok(second)) = (Device::get(0), Device::get(1)) else {
        println!("there are no two devices");
        return Ok(());
    };
    if !first.can_access_peer(second)? {
        println!("{first} does not reach {second}: {:?}", first.peer_capabilities(second)?);
        return Ok(());
    }
    let (consumer, owner) = (Context::primary(first)?, Context::primary(second)?);
    let theirs = DeviceBuf::from_host(&Stream::new(&owner)?, &[1_u32, 2, 3, 4])?;
    let ours = DeviceBuf::<u32>::zeroed(&Stream::new(&consumer)?, 4)?;

    // Access lasts until the guard is dropped. Other guards of the same pair keep it.
    let access = consumer.peer_access(&owner)?;
    if let PoolGrant::Refused(error) = access.pool() {
        println!("buffers come from pools, which are out of reach: {error}");
        return Ok(());
    }
    let module = Module::from_ptx(&consumer, COPY)?;
    let copy = module.function("copy")?.typed::<(DevicePtr<u32>, DevicePtr<u32>)>()?;
    // The kernel comes after what was queued on the other buffer's home stream.
    let written = Event::new(&owner)?;
    written.record(theirs.stream())?;
    ours.stream().wait_event(&written)?;
    // SAFETY: 4 threads read and write as many elements. The buffer of the other device is not written or freed before the kernel is done:
    // the line after the launch waits for the kernel.
    let launched = unsafe { copy.launch(LaunchConfig::new(1, 4), ours.stream(), (ours.ptr(), theirs.ptr())) };
    let done = launched.and_then(|()| ours.stream().synchronize());
    access.close()?;
    done?;

    println!("{first} read {:?} of {second}", ours.to_vec()?);
    assert_eq!(ours.to_vec()?, theirs.to_vec()?);
    Ok(())
}
