//! Access to memory, on machines of the software driver that are made for each question. The rows of Warp's decision
//! table have the numbers D-01 to D-32.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

mod capabilities;
mod elsewhere;
mod laws;
mod modes;
mod modes_of_the_process;
mod reports;
mod rows;
mod state;

use cuda_rt::access::{Access, Memory, Viewpoint, access, can_access, recorded_access};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::launch::KernelArgs;
use cuda_rt::memory::{AccessFlags, MemorySource};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, Stream};
use cuda_sim::{Config, Machine, MachineGuard, Peers, Profile};

const UNIFIED_ADDRESSING: u32 = 41;
const MANAGED_MEMORY: u32 = 83;
const HOST_NATIVE_ATOMICS: u32 = 86;
const PAGEABLE_MEMORY_ACCESS: u32 = 88;
const CONCURRENT_MANAGED_ACCESS: u32 = 89;
const DIRECT_MANAGED_ACCESS_FROM_HOST: u32 = 101;
const MEMORY_POOLS: u32 = 115;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }
    .visible .entry mark(.param .u64 to, .param .u64 other) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; mov.u32 %r, 1; st.global.u32 [%a], %r; ret; }
    .visible .entry marks(.param .u64 to, .param .align 8 .b8 others[16]) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; mov.u32 %r, 1; st.global.u32 [%a], %r; ret; }";

/// A machine with two contexts, one of each of the first two devices.
struct Two {
    near: Context,
    far: Context,
    machine: Machine,
    _entered: MachineGuard,
}

impl Two {
    fn new(profiles: Vec<Profile>) -> Two {
        Two::of(Config { profiles, ..Config::default() })
    }

    /// Two H200s.
    fn alike() -> Two {
        Two::of(Config::default())
    }

    fn apart() -> Two {
        Two::of(Config { peers: Peers::None, ..Config::default() })
    }

    fn of(config: Config) -> Two {
        let (machine, entered) = cuda_suite::raw::machine(Config { devices: 2, ..config });
        Two { near: own(0), far: own(1), machine, _entered: entered }
    }
}

fn device(number: u32) -> Device {
    Device::get(number).unwrap()
}

/// A context that is not the device's primary one.
fn own(number: u32) -> Context {
    Context::new(device(number), ContextFlags::default()).unwrap()
}

/// An H200 with these changed attributes.
fn h200(changes: &[(u32, i32)]) -> Profile {
    changes.iter().fold(Profile::H200, |profile, &(number, value)| profile.with_attribute(number, value))
}

fn buffer<'a>(context: &Context, source: impl Into<MemorySource<'a>>) -> DeviceBuf<u32> {
    let buffer = DeviceBuf::from_host_in(&Stream::new(context).unwrap(), &[7, 8, 9, 10], source).unwrap();
    context.synchronize().unwrap();
    buffer
}

/// Memory of `cuMemAlloc`.
fn plain(context: &Context) -> DeviceBuf<u32> {
    buffer(context, MemorySource::Plain)
}

/// Memory of the device's default pool.
fn pooled(context: &Context) -> DeviceBuf<u32> {
    buffer(context, MemorySource::Default)
}

fn kernel<A: KernelArgs>(context: &Context, name: &str) -> Kernel<A> {
    Module::from_ptx(context, PTX).unwrap().function(name).unwrap().typed().unwrap()
}

/// Returns the word that a kernel reads at an address. A failure of the kernel stays on the machine.
fn seen_by_kernel(context: &Context, from: DevicePtr<u32>) -> Result<u32, Code> {
    let to = plain(context);
    let stream = Stream::new(context).unwrap();
    let copy = kernel::<(DevicePtr<u32>, DevicePtr<u32>)>(context, "copy");
    // SAFETY: one word of a live buffer is written; the test is about reading memory without access.
    unsafe { copy.launch(LaunchConfig::new(1, 1), &stream, (to.ptr(), from)) }.unwrap();
    match context.synchronize() {
        Ok(()) => Ok(to.to_vec().unwrap()[0]),
        Err(error) => Err(error.code().unwrap()),
    }
}

const OUT_OF_REACH: Result<u32, Code> = Err(Code::IllegalAddress);

/// Queries access by every function, and asserts that the answers agree.
fn look<'a>(place: impl Into<Viewpoint<'a>>, memory: &(impl Memory + ?Sized)) -> Access {
    let place = place.into();
    let seen = access(place, memory).unwrap();
    assert_eq!(can_access(place, memory).unwrap(), seen == Access::Accessible);
    let recorded = recorded_access(place, memory).unwrap();
    assert!(recorded == seen || recorded == Access::Inaccessible, "{recorded:?} instead of {seen:?}");
    seen
}

fn when(condition: bool) -> Access {
    if condition { Access::Accessible } else { Access::Inaccessible }
}

/// Both values.
const EITHER: [bool; 2] = [false, true];

/// The access of a device to a pool that is open to it, or closed.
fn rights(open: bool) -> AccessFlags {
    if open { AccessFlags::READ_WRITE } else { AccessFlags::NONE }
}
