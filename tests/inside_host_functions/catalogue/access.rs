//! Access of viewpoints to memory.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::access::{
    Access, AccessCheck, AccessError, ForeignMemory, Memory, MemoryCapabilities, MemoryKind, MemoryOrigin,
    MemoryOwner, Parts, Viewpoint, access, can_access, default_access_check, memory_kind, recorded_access,
    set_default_access_check, set_unverified_hook,
};
use cuda_rt::memory::{
    AccessSize, MemAttach, MemorySource, PhysicalMemory, PhysicalMemoryOptions, PitchedBuf, RegisterFlags,
    RegisteredBuf, VirtualMemory,
};
use cuda_rt::module::{Global, LibraryManaged};
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::TextureDescriptor;
use cuda_rt::{DeviceBuf, DevicePtr, ManagedBuf, PinnedBuf, Stream, TexObject};

/// Plain memory of the other device.
fn far(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host_in(&world.far_stream, &NUMBERS, MemorySource::Plain).unwrap()
}

fn far_holds(buffer: &mut DeviceBuf<u32>, world: &World) {
    assert_eq!(buffer.to_vec().unwrap(), NUMBERS);
    assert_eq!(access(&world.context, buffer).unwrap(), Access::Accessible);
    assert_eq!(recorded_access(&world.context, buffer).unwrap(), Access::Accessible);
}

/// A buffer from a pool that is open to the other device.
fn of_pool(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host_in(&world.stream, &NUMBERS, &world.pool).unwrap()
}

fn pool_is_open(buffer: &mut DeviceBuf<u32>, world: &World) {
    assert_eq!(access(&world.peer, buffer).unwrap(), Access::Accessible);
    assert_eq!(recorded_access(&world.peer, buffer).unwrap(), Access::Accessible);
}

/// The error of a refused launch.
fn error(world: &World) -> AccessError {
    let kernel = world.function.typed::<(DevicePtr<u32>, u32)>().unwrap();
    let other = cuda_rt::Context::new(world.far, cuda_rt::context::ContextFlags::default()).unwrap();
    let stream = Stream::new(&other).unwrap();
    let buffer = DeviceBuf::<u32>::zeroed_in(&stream, 4, MemorySource::Plain).unwrap();
    let args = (cuda_rt::launch::Arg(buffer.ptr(), &buffer), 7);
    let config = cuda_rt::LaunchConfig::new(1, 1);
    // SAFETY: it is refused.
    let error = unsafe { kernel.with(config).access_check(AccessCheck::Strict).launch(&world.stream, args) }
        .unwrap_err();
    error.context::<AccessError>().unwrap().clone()
}

/// One of each type that has memory.
type Owners = (
    (PitchedBuf<u32>, RegisteredBuf<Vec<u32>>, PinnedBuf<u32>, ManagedBuf<u32>, VirtualMemory),
    (Global<u32>, LibraryManaged<u32>, TexObject, SurfObject),
);

fn owners(w: &World) -> Owners {
    let unit = PhysicalMemory::granularity(w.near, PhysicalMemoryOptions::new()).unwrap();
    let how = TextureDescriptor::default();
    (
        (
            PitchedBuf::uninit(&w.stream, 4, 4, AccessSize::Four).unwrap(),
            RegisteredBuf::new(&w.context, vec![0; 2000], RegisterFlags::empty()).unwrap(),
            PinnedBuf::zeroed(&w.context, 4).unwrap(),
            ManagedBuf::zeroed(&w.stream, 4, MemAttach::Global).unwrap(),
            VirtualMemory::reserve(&w.stream, unit).unwrap(),
        ),
        (
            w.module.global("counter").unwrap(),
            w.library.managed("shared").unwrap(),
            TexObject::new(&w.context, &w.array, &how).unwrap(),
            SurfObject::new(&w.context, &w.array).unwrap(),
        ),
    )
}

fn count(memory: &dyn Memory) -> usize {
    let mut count = 0;
    memory.visit_origins(&mut |_| count += 1);
    count
}

pub(super) fn add(c: &mut Catalogue) {
    c.of(far, far_holds)
        .refuses("access::access", |b, w| access(&w.context, &*b))
        .refuses("access::can_access", |b, w| can_access(&w.context, &*b))
        .refuses("access::recorded_access", |b, w| recorded_access(&w.context, &*b))
        .answers("access::access of one's own memory", |b, w| access(&w.peer, &*b).unwrap())
        .answers("access::memory_kind", |b, _| memory_kind(&*b).unwrap());
    c.of(of_pool, pool_is_open)
        .refuses("access::access of a pool", |b, w| access(&w.peer, &*b))
        .refuses("access::recorded_access of a pool", |b, w| recorded_access(&w.peer, &*b));
    c.free()
        .answers("access::{set_default_access_check, default_access_check}", |_, _| {
            set_default_access_check(set_default_access_check(AccessCheck::Strict));
            default_access_check()
        })
        .answers("access::set_unverified_hook", |_, _| set_unverified_hook(|_| ()).restore())
        .answers("Viewpoint::device; Viewpoint: {Display, From<&Context>}; MemoryKind: Display", |_, w| {
            (Viewpoint::from(&w.context).device(), Viewpoint::Host.to_string(), MemoryKind::Pool.to_string())
        })
        .refuses("Viewpoint::memory_capabilities", |_, w| Viewpoint::Device(&w.context).memory_capabilities())
        .answers(
            "Viewpoint::memory_capabilities of the host; MemoryCapabilities::atomics_in_pageable_memory",
            |_, _| {
                let capabilities: MemoryCapabilities = Viewpoint::Host.memory_capabilities().unwrap();
                capabilities.atomics_in_pageable_memory()
            },
        )
        .refuses("Viewpoint::usually_reaches", |_, w| Viewpoint::Device(&w.context).usually_reaches(&w.peer))
        // SAFETY: the buffer outlives the call.
        .refuses("ForeignMemory::on_device", |_, w| unsafe {
            ForeignMemory::on_device(&w.context, w.buffer.ptr()).map(drop)
        })
        .answers(
            "ForeignMemory::{on_host, page_locked, kind}; ForeignMemory: {Clone, Debug, Drop}",
            |_, _| {
                let memory = [ForeignMemory::on_host(), ForeignMemory::page_locked()];
                (memory[0].kind(), format!("{:?}", memory.clone()))
            },
        )
        .answers(
            "MemoryOrigin::{new, host, of_pool, kind, owner}; MemoryOrigin: {Clone, Debug, Drop}",
            |_, w| {
                let owner = MemoryOwner::Context(&w.context);
                // SAFETY: the buffer stays.
                let origin = unsafe { MemoryOrigin::new(MemoryKind::Device, owner, w.buffer.ptr()) };
                let others = format!(
                    "{:?}",
                    (MemoryOrigin::host(MemoryKind::Pageable), MemoryOrigin::of_pool(&w.pool))
                );
                (origin.clone().kind(), origin.owner().device(), others)
            },
        )
        .answers("MemoryOwner::device; Memory::visit_origins; Parts: {Debug, Memory}", |_, w| {
            let mut count = 0;
            let parts: [&dyn Memory; 2] = [&w.buffer, &w.array.as_raw().is_null().then_some(&NUMBERS[..])];
            Parts(&parts).visit_origins(&mut |_| count += 1);
            (count, format!("{:?}", Parts(&parts)))
        });
    c.of(owners, |_, _| ())
        .answers("{PitchedBuf, RegisteredBuf, PinnedBuf, $type, VirtualMemory}: Memory", |(o, _), _| {
            count(&o.0) + count(&o.1) + count(&o.2) + count(&o.3) + count(&o.4)
        })
        .answers("{Global, LibraryManaged, TexObject, SurfObject, ($($type,)*)}: Memory", |(_, o), _| {
            count(&(&o.0, &o.1)) + count(&o.2) + count(&o.3)
        })
        .answers("{DeviceBuf, ForeignMemory}: Memory", |_, w| {
            count(&w.buffer) + count(&ForeignMemory::on_host())
        });
    c.of(error, |_, _| ())
        .answers("AccessError: {Clone, Debug, Display, Error, PartialEq}", |e, _| {
            let source = core::error::Error::source(e).is_some();
            (e.clone() == *e, format!("{e} {e:?}"), source)
        })
        .drops("AccessError: Drop");
}
