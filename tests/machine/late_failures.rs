//! Calls that fail after their work: the new object is released, and the hook runs with the thread's state restored.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_rt::array::MipmappedArray;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{
    AccessSize, MemAttach, MemPool, MemPoolOptions, MemorySource, MulticastObject, PhysicalMemory,
    PhysicalMemoryOptions, PitchedBuf, RegisterFlags, RegisteredBuf, ShareableHandleTypes, VirtualMemory,
};
use cuda_rt::module::{JitOptions, Library, Linker};
use cuda_rt::stream::StreamFlags;
use cuda_rt::surface::SurfObject;
use cuda_rt::{
    Array, Context, Device, DeviceBuf, Error, Event, ManagedBuf, Module, PinnedBuf, Stream, TexObject, TexRef,
};
use cuda_sim::{Config, FaultRule};
use cuda_suite::raw::machine;
use cuda_sys::{CUresult, Symbol};
use std::cell::RefCell;

const PTX: &str =
    ".version 6.4 .target sm_50 .address_size 64 .global .texref t; .visible .entry k() { ret; }";

thread_local! {
    /// The errors that the hook got, and the context that was current then.
    static TOLD: RefCell<Vec<(Option<Code>, bool)>> = const { RefCell::new(Vec::new()) };
}

fn note(error: &Error) {
    let is_any_current = !cuda_suite::raw::current().is_null();
    TOLD.with_borrow_mut(|told| told.push((error.code(), is_any_current)));
}

/// A function that makes an object, the call that makes it, and the call that releases it.
type Case<'a> = (Symbol, Symbol, Box<dyn Fn() -> Result<(), Error> + 'a>);

macro_rules! case {
    ($making:ident, $ending:ident, $made:expr) => {
        (Symbol::$making, Symbol::$ending, Box::new(|| $made.map(drop).map_err(Error::from)))
    };
}

/// The next call fails with a failure of earlier work, after its own.
fn late(call: Symbol) -> FaultRule {
    FaultRule::new(call, CUresult::CUDA_ERROR_LAUNCH_TIMEOUT).times(1).after_work()
}

#[test]
fn object_of_a_late_failure_is_released() {
    let (machine, _entered) = machine(Config::default());
    cuda_rt::handle::set_drop_hook(note);
    let device = Device::get(0).unwrap();
    let context = Context::new(device, ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let plane = || ArrayDescriptor::plane(16, 16, ArrayFormat::FLOAT, 1);
    let surface = || plane().surface();
    let array = Array::new(&stream, surface()).unwrap();
    let unit = PhysicalMemory::granularity(device, PhysicalMemoryOptions::new()).unwrap();
    let cases: Vec<Case<'_>> = vec![
        case!(cuCtxCreate_v4, cuCtxDestroy_v2, Context::new(device, ContextFlags::default())),
        case!(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRelease_v2, Context::primary(device)),
        case!(cuStreamCreate, cuStreamDestroy_v2, Stream::new(&context)),
        case!(
            cuStreamCreateWithPriority,
            cuStreamDestroy_v2,
            Stream::with_priority(&context, StreamFlags::NON_BLOCKING, 0)
        ),
        case!(cuEventCreate, cuEventDestroy_v2, Event::new(&context)),
        case!(cuModuleLoadDataEx, cuModuleUnload, Module::from_ptx(&context, PTX)),
        case!(cuLinkCreate_v2, cuLinkDestroy, Linker::new(&context, &JitOptions::new())),
        case!(cuLibraryLoadData, cuLibraryUnload, Library::from_ptx(PTX)),
        case!(cuTexRefCreate, cuTexRefDestroy, TexRef::new(&context)),
        case!(cuTexObjectCreate, cuTexObjectDestroy, TexObject::new(&context, &array, &Default::default())),
        case!(cuSurfObjectCreate, cuSurfObjectDestroy, SurfObject::new(&context, &array)),
        case!(cuArray3DCreate_v2, cuArrayDestroy, Array::new(&stream, surface())),
        case!(cuArrayCreate_v2, cuArrayDestroy, Array::new(&stream, plane())),
        case!(cuMipmappedArrayCreate, cuMipmappedArrayDestroy, MipmappedArray::new(&stream, plane(), 2)),
        case!(cuMemHostAlloc, cuMemFreeHost, PinnedBuf::<u8>::zeroed(&context, 100)),
        case!(
            cuMemHostRegister_v2,
            cuMemHostUnregister,
            RegisteredBuf::new(&context, vec![0_u8; 1 << 16], RegisterFlags::empty())
        ),
        case!(cuMemAllocManaged, cuMemFree_v2, ManagedBuf::<u8>::zeroed(&stream, 100, MemAttach::Global)),
        case!(cuMemAllocPitch_v2, cuMemFree_v2, PitchedBuf::<u8>::uninit(&stream, 16, 16, AccessSize::Four)),
        case!(cuMemAllocAsync, cuMemFreeAsync, DeviceBuf::<u8>::uninit(&stream, 100)),
        case!(cuMemAlloc_v2, cuMemFree_v2, DeviceBuf::<u8>::uninit_in(&stream, 100, MemorySource::Plain)),
        case!(cuMemPoolCreate, cuMemPoolDestroy, MemPool::new(device, MemPoolOptions::new())),
        case!(cuMemCreate, cuMemRelease, PhysicalMemory::new(device, unit, PhysicalMemoryOptions::new())),
        case!(cuMemAddressReserve, cuMemAddressFree, VirtualMemory::reserve(&stream, unit)),
    ];
    for (making, ending, make) in &cases {
        let before = machine.live();
        machine.inject(late(*making));
        assert_eq!(make().unwrap_err().code(), Some(Code::LaunchTimeout), "{making}");
        machine.clear_faults();
        assert_eq!(machine.live(), before, "{making}");
        assert!(cuda_suite::raw::current().is_null(), "{making}");
        assert_eq!(TOLD.take(), [], "{making}");
        // If its release fails, the hook runs after the thread's state is restored.
        machine.inject(late(*making));
        machine.inject(FaultRule::new(*ending, CUresult::CUDA_ERROR_INVALID_DEVICE).times(2));
        assert_eq!(make().unwrap_err().code(), Some(Code::LaunchTimeout), "{making}");
        machine.clear_faults();
        let told = TOLD.take();
        assert!(
            !told.is_empty() && told.iter().all(|(_, is_any_current)| !is_any_current),
            "{making}: {told:?}"
        );
    }
}

#[test]
fn device_of_a_late_failure_is_in_its_object() {
    const PLAIN: ShareableHandleTypes = ShareableHandleTypes::NONE;
    let (machine, _entered) = machine(Config::default());
    let devices = Device::all().unwrap();
    let unit = MulticastObject::granularity(2, PLAIN).unwrap();
    let object = MulticastObject::new(2, unit, PLAIN).unwrap();
    object.add_device(devices[0]).unwrap();
    machine.inject(late(Symbol::cuMulticastAddDevice));
    assert_eq!(object.add_device(devices[1]).unwrap_err().code(), Some(Code::LaunchTimeout));
    let memory = PhysicalMemory::new(devices[1], unit, PhysicalMemoryOptions::new()).unwrap();
    object.bind(devices[1], 0, &memory, 0, unit).unwrap();
    // A device that is added again after its failure counts once.
    let object = MulticastObject::new(2, unit, PLAIN).unwrap();
    machine
        .inject(FaultRule::new(Symbol::cuMulticastAddDevice, CUresult::CUDA_ERROR_LAUNCH_TIMEOUT).times(1));
    assert!(object.add_device(devices[0]).is_err());
    object.add_device(devices[0]).unwrap();
    let early = object.bind(devices[0], 0, &memory, 0, unit).unwrap_err();
    assert!(early.to_string().contains("1 of 2 devices are added"), "{early}");
}
