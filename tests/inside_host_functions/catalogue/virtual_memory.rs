//! Reserved addresses, physical memory, and mappings.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::memory::{
    AccessFlags, FabricCopy, FabricOperand, KmtHandle, LogicalEndpoint, LogicalEndpointHandle,
    LogicalEndpointIds, LogicalEndpointOptions, MemLocation, MulticastObject, PhysicalMemory,
    PhysicalMemoryOptions, ShareableHandleTypes, VirtualMemory, VirtualMemoryOptions,
};
use cuda_rt::{DevicePtr, Stream};
use std::os::fd::{AsFd, OwnedFd};

const SHAREABLE: ShareableHandleTypes = ShareableHandleTypes::POSIX_FILE_DESCRIPTOR;

fn unit(world: &World) -> usize {
    PhysicalMemory::granularity(world.near, PhysicalMemoryOptions::new()).unwrap()
}

fn physical(world: &World) -> PhysicalMemory {
    let options = PhysicalMemoryOptions::new().handle_types(SHAREABLE);
    PhysicalMemory::new(world.near, unit(world), options).unwrap()
}

fn is_there(memory: &mut PhysicalMemory, world: &World) {
    assert_eq!(memory.properties().unwrap().device, Some(world.near));
    // It is mapped nowhere.
    VirtualMemory::reserve(&world.stream, unit(world)).unwrap().map(0, memory).unwrap();
}

/// Two units of addresses; the first one is mapped.
fn mapped(world: &World) -> VirtualMemory {
    let mut memory = VirtualMemory::reserve(&world.stream, 2 * unit(world)).unwrap();
    memory.map(0, &physical(world)).unwrap();
    memory.set_access(..unit(world), &[world.near], AccessFlags::READ_WRITE).unwrap();
    memory.slice_mut(..4).unwrap().copy_from_host(&NUMBERS).unwrap();
    memory
}

fn holds(memory: &mut VirtualMemory, world: &World) {
    assert_eq!((memory.stream(), memory.mapped_bytes()), (&world.stream, unit(world)));
    assert_eq!(memory.access(0, world.near).unwrap(), AccessFlags::READ_WRITE);
    assert_eq!(memory.slice::<u32>(..4).unwrap().to_vec().unwrap(), NUMBERS);
}

fn with_physical(world: &World) -> (VirtualMemory, PhysicalMemory) {
    (mapped(world), physical(world))
}

fn both((memory, physical): &mut (VirtualMemory, PhysicalMemory), world: &World) {
    holds(memory, world);
    is_there(physical, world);
}

const PLAIN: ShareableHandleTypes = ShareableHandleTypes::NONE;

/// Makes a multicast object of both devices, with memory of the near one.
fn multicast(world: &World) -> MulticastObject {
    let object = MulticastObject::new(2, unit(world), PLAIN).unwrap();
    for device in [world.near, world.far] {
        object.add_device(device).unwrap();
    }
    object.bind(world.near, 0, &physical(world), 0, unit(world)).unwrap();
    object
}

/// Memory of the far device can be bound, too.
fn binds(object: &mut MulticastObject, world: &World) {
    let memory = PhysicalMemory::new(world.far, unit(world), PhysicalMemoryOptions::new()).unwrap();
    object.bind(world.far, 0, &memory, 0, unit(world)).unwrap();
}

/// Memory of the far device, to be bound.
fn with_far(world: &World) -> (MulticastObject, PhysicalMemory) {
    let memory = PhysicalMemory::new(world.far, unit(world), PhysicalMemoryOptions::new()).unwrap();
    (multicast(world), memory)
}

fn ids(_: &World) -> LogicalEndpointIds {
    LogicalEndpointIds::reserve(2).unwrap()
}

/// The first number can have an endpoint.
fn create(ids: &mut LogicalEndpointIds, world: &World) {
    drop(ids.create(0, LogicalEndpointOptions::unicast(world.near, unit(world))).unwrap());
}

/// Makes an endpoint of both devices, with memory of the near one.
fn endpoint(world: &World) -> LogicalEndpoint {
    let options = LogicalEndpointOptions::multicast(2, unit(world));
    let endpoint = LogicalEndpointIds::reserve(1).unwrap().create(0, options).unwrap();
    for device in [world.near, world.far] {
        endpoint.add_device(device).unwrap();
    }
    endpoint.bind(world.near, 0, &physical(world), 0, unit(world)).unwrap();
    endpoint
}

/// Memory of the far device can be bound, too.
fn endpoint_binds(endpoint: &mut LogicalEndpoint, world: &World) {
    let memory = PhysicalMemory::new(world.far, unit(world), PhysicalMemoryOptions::new()).unwrap();
    endpoint.bind(world.far, 0, &memory, 0, unit(world)).unwrap();
}

fn endpoint_with_far(world: &World) -> (LogicalEndpoint, PhysicalMemory) {
    (endpoint(world), with_far(world).1)
}

fn add_endpoints(c: &mut Catalogue) {
    c.free()
        .answers("LogicalEndpointOptions::{unicast, multicast, shareable, counted_operations}", |_, w| {
            let options = LogicalEndpointOptions::unicast(w.near, 1).shareable(true);
            (options, LogicalEndpointOptions::multicast(2, 1).counted_operations(true))
        })
        .refuses("LogicalEndpointOptions::limits", |_, w| {
            LogicalEndpointOptions::unicast(w.near, 1 << 21).limits()
        })
        .refuses("LogicalEndpointIds::reserve", |_, _| LogicalEndpointIds::reserve(1));
    c.of(ids, create)
        .answers("LogicalEndpointIds::{first, count}; LogicalEndpointIds: {Clone, Debug}", |ids, _| {
            (format!("{:?}", ids.clone()), ids.first(), ids.count())
        })
        .refuses("LogicalEndpointIds::create", |ids, w| {
            ids.create(0, LogicalEndpointOptions::unicast(w.near, 1 << 21))
        })
        .refuses("LogicalEndpointIds::import", |ids, _| unsafe {
            ids.import(0, &LogicalEndpointHandle([0; 64]))
        })
        .refuses("LogicalEndpointIds::are_ready", |ids, _| ids.are_ready())
        .consumes("LogicalEndpointIds::close", |ids, _| ids.close())
        .drops("LogicalEndpointIds: Drop");
    c.of(endpoint, endpoint_binds)
        .answers("LogicalEndpoint::id; LogicalEndpoint: {Clone, Debug}", |endpoint, _| {
            (format!("{:?}", endpoint.clone()), endpoint.id())
        })
        .refuses("LogicalEndpoint::add_device", |endpoint, w| endpoint.add_device(w.near))
        .refuses("LogicalEndpoint::is_ready", |endpoint, _| endpoint.is_ready())
        // SAFETY: the driver is not called.
        .refuses("LogicalEndpoint::bind_address", |endpoint, w| unsafe {
            endpoint.bind_address(w.far, 0, DevicePtr::from_raw(0), 1 << 21)
        })
        // SAFETY: nothing uses the endpoint.
        .refuses("LogicalEndpoint::unbind", |endpoint, w| unsafe { endpoint.unbind(w.near, 0) })
        .refuses("LogicalEndpoint::export", |endpoint, _| endpoint.export())
        // SAFETY: the driver is not called.
        .refuses("Stream::copy_over_fabric", |endpoint, w| unsafe {
            let operand = FabricOperand::Endpoint(endpoint, 0);
            w.stream.copy_over_fabric(&[FabricCopy { source: operand, destination: operand, bytes: 0 }])
        })
        .consumes("LogicalEndpoint::close", |endpoint, _| endpoint.close())
        .drops("LogicalEndpoint: Drop");
    c.of(endpoint_with_far, |(endpoint, _), world| endpoint_binds(endpoint, world))
        .refuses("LogicalEndpoint::bind", |(endpoint, memory), w| {
            endpoint.bind(w.far, 0, memory, 0, 1 << 21)
        });
}

pub(super) fn add(c: &mut Catalogue) {
    add_endpoints(c);
    c.of(multicast, binds)
        .answers(
            "MulticastObject::{as_raw, size_bytes, devices}; MulticastObject: {Clone, Debug, PartialEq}",
            |object, _| {
                assert!(object.clone() == *object);
                (format!("{object:?}"), object.as_raw(), object.size_bytes(), object.devices())
            },
        )
        .refuses("MulticastObject::add_device", |object, w| object.add_device(w.near))
        // SAFETY: nothing uses the object.
        .refuses("MulticastObject::unbind", |object, w| unsafe { object.unbind(w.near, 0) })
        // SAFETY: the driver is not called.
        .refuses("MulticastObject::bind_address", |object, w| unsafe {
            object.bind_address(w.far, 0, DevicePtr::from_raw(0), object.size_bytes())
        })
        .consumes("MulticastObject::close", |object, _| object.close())
        .drops("MulticastObject: Drop");
    c.of(with_far, |(object, _), world| binds(object, world))
        .refuses("MulticastObject::bind", |(object, memory), w| {
            object.bind(w.far, 0, memory, 0, object.size_bytes())
        });
    c.free()
        .refuses("MulticastObject::granularity", |_, _| MulticastObject::granularity(2, PLAIN))
        .refuses("MulticastObject::recommended_granularity", |_, _| {
            MulticastObject::recommended_granularity(2, PLAIN)
        })
        .refuses("MulticastObject::new", |_, _| MulticastObject::new(2, 1 << 21, PLAIN));
    c.free()
        .answers(
            "PhysicalMemoryOptions::{new, handle_types, compressible, gpu_direct_rdma_capable, tile_pool}",
            |_, _| {
                let options = PhysicalMemoryOptions::new().handle_types(SHAREABLE);
                options.compressible(true).gpu_direct_rdma_capable(true).tile_pool(false)
            },
        )
        .answers("VirtualMemoryOptions::{new, alignment, at}", |_, _| {
            VirtualMemoryOptions::new().alignment(1 << 21).at(DevicePtr::null())
        })
        .refuses("PhysicalMemory::granularity", |_, w| {
            PhysicalMemory::granularity(w.near, PhysicalMemoryOptions::new())
        })
        .refuses("PhysicalMemory::recommended_granularity", |_, w| {
            PhysicalMemory::recommended_granularity(w.near, PhysicalMemoryOptions::new())
        })
        .refuses("PhysicalMemory::new", |_, w| {
            PhysicalMemory::new(w.near, 2 << 20, PhysicalMemoryOptions::new())
        })
        .refuses("PhysicalMemory::new_at", |_, w| {
            PhysicalMemory::new_at(MemLocation::device(w.near), 2 << 20, PhysicalMemoryOptions::new())
        })
        .refuses("VirtualMemory::reserve", |_, w| VirtualMemory::reserve(&w.stream, 2 << 20))
        .refuses("VirtualMemory::reserve_with", |_, w| {
            VirtualMemory::reserve_with(&w.stream, 2 << 20, VirtualMemoryOptions::new())
        });
    c.of(physical, is_there)
        .answers("PhysicalMemory::{as_raw, size_bytes}", |p, _| (p.as_raw(), p.size_bytes()))
        .refuses("PhysicalMemory::properties", |p, _| p.properties())
        .refuses("PhysicalMemory::export_fd", |p, _| p.export_fd())
        .refuses("PhysicalMemory::export_win32_kmt", |p, _| p.export_win32_kmt())
        .answers("PhysicalMemory: {Clone, Debug, PartialEq}", |p, _| (p.clone() == *p, format!("{p:?}")))
        .consumes("PhysicalMemory::close", |p, _| p.close())
        .drops("PhysicalMemory: Drop");
    c.of(
        |w| {
            let memory = std::mem::ManuallyDrop::new(physical(w));
            (memory.as_raw(), memory.size_bytes())
        },
        |_, _| (),
    )
    // SAFETY: made for this call.
    .hands_over(
        "PhysicalMemory::from_raw",
        |(raw, bytes), _| unsafe { PhysicalMemory::from_raw(raw, bytes) },
        |mut memory, w| is_there(&mut memory, w),
    );
    c.of(|w| physical(w).export_fd().unwrap(), |_: &mut OwnedFd, _| ())
        // SAFETY: if it were not refused, it would be dropped at once.
        .refuses("PhysicalMemory::import_fd", |file, _| unsafe {
            PhysicalMemory::import_fd(file.as_fd(), 2 << 20)
        });
    c.of(|_| KmtHandle(64), |_, _| ())
        // SAFETY: as above.
        .refuses("PhysicalMemory::import_win32_kmt", |handle, _| unsafe {
            PhysicalMemory::import_win32_kmt(*handle, 2 << 20)
        });
    c.of(mapped, holds)
        // SAFETY: if it were not refused, it would be dropped at once.
        .refuses("PhysicalMemory::mapped_at", |m, _| unsafe {
            PhysicalMemory::mapped_at(m.ptr(), m.mapped_bytes())
        })
        .answers("VirtualMemory::{ptr, size_bytes, mapped_bytes, mappings, stream}", |m, _| {
            (m.ptr(), m.size_bytes(), m.mapped_bytes(), m.mappings().count(), m.stream().clone())
        })
        .answers(
            "VirtualMemory::{slice, slice_mut, slice_bytes, slice_bytes_mut}; VirtualMemory: Debug",
            |m, _| {
                let elements = m.slice::<u32>(..4).unwrap().len() + m.slice_mut::<u32>(..4).unwrap().len();
                let of_bytes = m.slice_bytes::<u32>(..16).unwrap().len();
                (elements + of_bytes + m.slice_bytes_mut::<u32>(..16).unwrap().len(), format!("{m:?}"))
            },
        )
        .refuses("VirtualMemory::move_to", |m, w| m.move_to(&Stream::legacy(&w.context)))
        .refuses("VirtualMemory::access", |m, w| m.access(0, w.near))
        .refuses("VirtualMemory::set_access", |m, w| {
            m.set_access(..2 << 20, &[w.near], AccessFlags::READ_WRITE)
        })
        .refuses("VirtualMemory::set_access that takes it away", |m, w| {
            m.set_access(..2 << 20, &[w.near], AccessFlags::NONE)
        })
        .refuses("VirtualMemory::host_access", |m, _| m.host_access(0))
        // SAFETY: no copy has a range with other memory.
        .refuses("VirtualMemory::set_host_access", |m, _| unsafe { m.set_host_access(..2 << 20, true) })
        .refuses("VirtualMemory::set_host_access that disables it", |m, _| {
            // SAFETY: access ends.
            unsafe { m.set_host_access(..2 << 20, false) }
        })
        .refuses("VirtualMemory::unmap", |m, _| m.unmap(..))
        .consumes("VirtualMemory::close", |m, _| m.close())
        .drops("VirtualMemory: Drop");
    c.of(with_physical, both)
        .refuses("VirtualMemory::map", |(memory, physical), _| memory.map(2 << 20, physical))
        // SAFETY: the memory is mapped nowhere else.
        .refuses("VirtualMemory::map_again", |(memory, physical), _| unsafe {
            memory.map_again(2 << 20, physical)
        });
}
