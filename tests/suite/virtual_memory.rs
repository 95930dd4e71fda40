//! Reserved addresses, physical memory, and mappings.
#![allow(unsafe_code)]

use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::Code;
use cuda_rt::memory::{
    AccessFlags, MemLocation, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory, VirtualMemoryOptions,
};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Stream};
use cuda_suite::{device, invalid, out_of_bounds, second_device, skip, stream};

const PLAIN: PhysicalMemoryOptions = PhysicalMemoryOptions::new();

/// The unit of mappings; `None` where there are none.
fn unit() -> Option<usize> {
    if device().attribute(DeviceAttribute::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED).unwrap_or(0) == 0 {
        return None;
    }
    match PhysicalMemory::granularity(device(), PLAIN) {
        Err(error) if error.code() == Some(Code::NotSupported) => None,
        unit => Some(unit.unwrap()),
    }
}

macro_rules! unit {
    () => {{
        let Some(unit) = unit() else { skip!("there is no virtual memory management here") };
        unit
    }};
}

fn physical(bytes: usize) -> PhysicalMemory {
    PhysicalMemory::new(device(), bytes, PLAIN).unwrap()
}

/// With `parts` of so many units mapped one after the other, and accessible.
fn mapped(stream: &Stream, reserved: usize, parts: &[usize]) -> VirtualMemory {
    let unit = PhysicalMemory::granularity(device(), PLAIN).unwrap();
    let mut memory = VirtualMemory::reserve(stream, reserved * unit).unwrap();
    for part in parts {
        let start = memory.mapped_bytes();
        memory.map(start, &physical(part * unit)).unwrap();
    }
    let end = memory.mapped_bytes();
    memory.set_access(..end, &[device()], AccessFlags::READ_WRITE).unwrap();
    memory
}

#[test]
fn a_buffer_grows_in_place() {
    let unit = unit!();
    let stream = stream();
    let mut memory = VirtualMemory::reserve(&stream, 64 * unit).unwrap();
    let address = memory.ptr();
    for round in 1..6_usize {
        let start = memory.mapped_bytes();
        memory.map(start, &physical(unit)).unwrap();
        memory.set_access(start..start + unit, &[device()], AccessFlags::READ_WRITE).unwrap();
        assert_eq!((memory.ptr(), memory.mapped_bytes()), (address, round * unit));
        memory
            .slice_mut::<u8>(start..start + unit)
            .unwrap()
            .copy_from_host(&vec![round as u8; unit])
            .unwrap();
    }
    // All elements are still there, and can be used as one range.
    let all = memory.slice::<u8>(..5 * unit).unwrap().to_vec().unwrap();
    for (round, part) in all.chunks(unit).enumerate() {
        assert!(part.iter().all(|byte| usize::from(*byte) == round + 1));
    }
    // Copies over the seams.
    let mut copy = DeviceBuf::<u8>::zeroed(&stream, 2 * unit).unwrap();
    copy.copy_from_device(memory.slice(unit / 2..5 * unit / 2).unwrap()).unwrap();
    assert_eq!(copy.to_vec().unwrap(), all[unit / 2..5 * unit / 2]);
    let mut middle = memory.slice_bytes_mut::<u64>(2 * unit - 8..2 * unit + 8).unwrap();
    middle.copy_from_host(&[1, 2]).unwrap();
    assert_eq!(middle.as_slice().to_vec().unwrap(), [1, 2]);
    memory.close().unwrap();
}

#[test]
fn sizes_and_places_are_looked_at() {
    let unit = unit!();
    let stream = stream();
    let multiple =
        |what, value: usize| invalid(format!("{what}: {} is not a multiple of {unit}", value as u64));
    assert_eq!(PhysicalMemory::new(device(), unit + 1, PLAIN).unwrap_err(), multiple("size", unit + 1));
    assert_eq!(VirtualMemory::reserve(&stream, unit / 2).unwrap_err(), multiple("size", unit / 2));
    assert_eq!(
        PhysicalMemory::new(device(), 0, PLAIN).unwrap_err(),
        invalid("physical memory: it has 0 bytes")
    );
    assert_eq!(
        VirtualMemory::reserve(&stream, 0).unwrap_err(),
        invalid("range of addresses: it has 0 bytes")
    );
    let odd = VirtualMemoryOptions::new().alignment(3 * unit);
    let error = VirtualMemory::reserve_with(&stream, unit, odd).unwrap_err();
    assert_eq!(error, invalid(format!("alignment: {} bytes is not a power of two", 3 * unit)));

    let mut memory = VirtualMemory::reserve(&stream, 8 * unit).unwrap();
    let two = physical(2 * unit);
    assert_eq!(memory.map(unit + 4096, &two).unwrap_err(), multiple("offset", unit + 4096));
    let error = memory.map(7 * unit, &two).unwrap_err();
    assert_eq!(error, out_of_bounds(7 * unit, 9 * unit, 8 * unit));
    assert!(memory.map(usize::MAX / unit * unit, &two).is_err());
    memory.map(2 * unit, &two).unwrap();
    for start in [unit, 2 * unit, 3 * unit] {
        let error = memory.map(start, &physical(2 * unit)).unwrap_err();
        let expected = invalid(format!(
            "bytes {start}..{} overlap the mapping at {}..{};",
            start + 2 * unit,
            2 * unit,
            4 * unit
        ));
        assert_eq!(error, expected);
    }
    assert_eq!(memory.map(6 * unit, &two).unwrap_err(), invalid("the physical memory is mapped already;"));
    memory.map(0, &physical(2 * unit)).unwrap();
    memory.map(4 * unit, &physical(unit)).unwrap();
    let ranges: Vec<_> = memory.mappings().map(|(range, _)| range).collect();
    assert_eq!(ranges, [0..2 * unit, 2 * unit..4 * unit, 4 * unit..5 * unit]);
    assert!(memory.mappings().any(|(_, physical)| *physical == two));

    let cut = |start: usize, end: usize, other_start: usize, other_end: usize| {
        invalid(format!("bytes {start}..{end} cut the mapping at {other_start}..{other_end};"))
    };
    let read_write = AccessFlags::READ_WRITE;
    assert_eq!(
        memory.set_access(unit..4 * unit, &[device()], read_write).unwrap_err(),
        cut(unit, 4 * unit, 0, 2 * unit)
    );
    assert_eq!(memory.unmap(2 * unit..3 * unit).unwrap_err(), cut(2 * unit, 3 * unit, 2 * unit, 4 * unit));
    let error = memory.set_access(..6 * unit, &[device()], read_write).unwrap_err();
    assert_eq!(error, invalid(format!("byte {} of 0..{} is not mapped;", 5 * unit, 6 * unit)));
    let error = memory.access(5 * unit, device()).unwrap_err();
    assert_eq!(error, invalid(format!("byte {} of {}..{} is not mapped;", 5 * unit, 5 * unit, 5 * unit + 1)));
    assert!(memory.access(usize::MAX, device()).is_err());
    memory.set_access(.., &[], read_write).unwrap_err();
    memory.set_access(..0, &[device()], read_write).unwrap();
    memory.set_access(..5 * unit, &[], read_write).unwrap();
    memory.unmap(2 * unit..4 * unit).unwrap();
    memory.map(6 * unit, &two).unwrap();
    memory.unmap(..).unwrap();
    assert_eq!(memory.mapped_bytes(), 0);
}

#[test]
fn views_need_memory_access_and_whole_elements() {
    let unit = unit!();
    let stream = stream();
    let mut memory = VirtualMemory::reserve(&stream, 8 * unit).unwrap();
    memory.map(0, &physical(unit)).unwrap();
    memory.map(2 * unit, &physical(unit)).unwrap();
    let own = device().as_raw();
    let no_access =
        |wanted, at| invalid(format!("device {own} has no access {wanted} to the mapping at {at};"));
    assert_eq!(memory.access(0, device()).unwrap(), AccessFlags::NONE);
    assert_eq!(memory.slice::<u8>(..8).unwrap_err(), no_access(AccessFlags::READ, 0));
    memory.set_access(..unit, &[device()], AccessFlags::READ_WRITE).unwrap();
    assert_eq!(memory.access(unit - 1, device()).unwrap(), AccessFlags::READ_WRITE);
    assert_eq!(memory.access(2 * unit, device()).unwrap(), AccessFlags::NONE);
    memory.slice_bytes_mut::<u32>(..8).unwrap().copy_from_host(&[1, 2]).unwrap();
    memory.set_access(..unit, &[device()], AccessFlags::READ).unwrap();
    assert_eq!(memory.slice_bytes_mut::<u32>(..8).unwrap_err(), no_access(AccessFlags::READ_WRITE, 0));
    assert_eq!(memory.slice_bytes::<u32>(..8).unwrap().to_vec().unwrap(), [1, 2]);
    memory.set_access(..unit, &[device()], AccessFlags::NONE).unwrap();
    assert_eq!(memory.slice_bytes::<u32>(..8).unwrap_err(), no_access(AccessFlags::READ, 0));
    memory.set_access(..unit, &[device()], AccessFlags::READ_WRITE).unwrap();
    assert_eq!(memory.slice_bytes::<u32>(..8).unwrap().to_vec().unwrap(), [1, 2]);

    let error = memory.slice::<u8>(unit - 4..2 * unit + 4).unwrap_err();
    assert_eq!(error, invalid(format!("byte {unit} of {}..{} is not mapped;", unit - 4, 2 * unit + 4)));
    let error = memory.slice::<u8>(..9 * unit).unwrap_err();
    assert_eq!(error, out_of_bounds(0, 9 * unit, 8 * unit));
    let error = memory.slice_bytes::<u32>(2..10).unwrap_err();
    let value = memory.ptr().as_raw() + 2;
    assert_eq!(error, invalid(format!("address: {value} is not a multiple of 4")));
    let error = memory.slice_bytes::<u32>(..10).unwrap_err();
    assert_eq!(error, invalid("length: 10 is not a multiple of 4"));
    assert_eq!(memory.slice_bytes::<u32>(8..8).unwrap().to_vec().unwrap(), [0_u32; 0]);
    assert_eq!(memory.slice_bytes::<[u32; 0]>(8..16).unwrap().len(), 0);
}

#[test]
fn views_of_addresses_count_elements() {
    let unit = unit!();
    let mut memory = VirtualMemory::reserve(&stream(), 2 * unit).unwrap();
    memory.map(0, &physical(unit)).unwrap();
    memory.set_access(..unit, &[device()], AccessFlags::READ_WRITE).unwrap();
    memory.slice_mut::<u32>(..4).unwrap().copy_from_host(&[1, 2, 3, 4]).unwrap();
    assert_eq!(memory.slice::<u32>(2..4).unwrap().to_vec().unwrap(), [3, 4]);
    assert_eq!(memory.slice::<u32>(2..).unwrap_err(), {
        let (start, end) = (8, 2 * unit);
        invalid(format!("byte {unit} of {start}..{end} is not mapped;"))
    });
    assert_eq!(memory.slice::<u64>(1..2).unwrap().ptr().as_raw(), memory.ptr().as_raw() + 8);
    // The last that fits, and one more.
    let most = 2 * unit / 12;
    let out = |start, end| out_of_bounds(start, end, most);
    assert!(memory.slice::<[u32; 3]>(..unit / 12).is_ok());
    assert_eq!(memory.slice::<[u32; 3]>(..most + 1).unwrap_err(), out(0, most + 1));
    assert_eq!(
        memory.slice::<[u32; 3]>(usize::MAX - 1..usize::MAX).unwrap_err(),
        out(usize::MAX - 1, usize::MAX)
    );
    assert_eq!(memory.slice::<[u32; 0]>(..).unwrap().len(), 0);
}

#[test]
fn physical_memory_outlives_its_mapping() {
    let unit = unit!();
    let stream = stream();
    let first = physical(unit);
    let mut memory = VirtualMemory::reserve(&stream, 4 * unit).unwrap();
    memory.map(0, &first).unwrap();
    memory.set_access(..unit, &[device()], AccessFlags::READ_WRITE).unwrap();
    memory.slice_bytes_mut::<u64>(..8).unwrap().copy_from_host(&[7]).unwrap();
    assert_eq!(memory.map(unit, &first).unwrap_err(), invalid("the physical memory is mapped already;"));
    memory.unmap(..unit).unwrap();
    // The same memory at another address.
    memory.map(3 * unit, &first).unwrap();
    memory.set_access(3 * unit.., &[device()], AccessFlags::READ_WRITE).unwrap();
    assert_eq!(memory.slice_bytes::<u64>(3 * unit..3 * unit + 8).unwrap().to_vec().unwrap(), [7]);
    drop(memory);
    let mut other = VirtualMemory::reserve(&stream, unit).unwrap();
    other.map(0, &first).unwrap();
    // The mapping keeps the memory.
    first.close().unwrap();
    other.set_access(.., &[device()], AccessFlags::READ_WRITE).unwrap();
    assert_eq!(other.slice_bytes::<u64>(..8).unwrap().to_vec().unwrap(), [7]);
    // In any order, and elsewhere.
    std::thread::spawn(move || other.close().unwrap()).join().unwrap();
}

#[test]
fn host_memory_has_access_by_host_and_device() {
    let unit = unit!();
    if !device().host_numa_virtual_memory_management_supported().unwrap_or(false) {
        skip!("the host has no memory for reserved addresses");
    }
    let (stream, node) = (stream(), MemLocation::host_numa(0));
    let (none, both) = (AccessFlags::NONE, AccessFlags::READ_WRITE);
    let physical = PhysicalMemory::new_at(node, unit, PLAIN).unwrap();
    let properties = physical.properties().unwrap();
    assert_eq!((properties.device, properties.location), (None, Some(node)));
    let mut memory = VirtualMemory::reserve(&stream, 2 * unit).unwrap();
    memory.map(0, &physical).unwrap();
    memory.map(unit, &self::physical(unit)).unwrap();
    assert_eq!((memory.access(0, device()).unwrap(), memory.host_access(0).unwrap()), (none, none));
    // SAFETY: no copy goes beyond the first unit.
    unsafe { memory.set_host_access(..unit, true) }.unwrap();
    assert_eq!((memory.access(0, device()).unwrap(), memory.host_access(8).unwrap()), (none, both));
    assert!(memory.slice::<u32>(..4).is_err(), "the device has no access");
    memory.set_access(.., &Device::all().unwrap(), both).unwrap();
    memory.slice_bytes_mut::<u32>(unit - 8..unit).unwrap().copy_from_host(&[1, 2]).unwrap();
    stream.synchronize().unwrap();
    let word =
        |offset: usize| std::ptr::with_exposed_provenance_mut::<u32>(memory.ptr().as_raw() as usize + offset);
    // SAFETY: mapped memory to which the host has access, and which no work uses.
    assert_eq!(unsafe { word(unit - 4).read() }, 2);
    // SAFETY: as above.
    unsafe { word(0).write(9) };
    assert_eq!(memory.slice::<u32>(..1).unwrap().to_vec().unwrap(), [9]);
    memory.slice_mut::<u8>(unit - 4..unit + 4).unwrap().fill(7).unwrap();
    // SAFETY: access ends.
    unsafe { memory.set_host_access(..unit, false) }.unwrap();
    assert_eq!((memory.access(0, device()).unwrap(), memory.host_access(0).unwrap()), (both, none));
    assert_eq!(memory.slice::<u32>(..1).unwrap().to_vec().unwrap(), [9]);
    // Memory of devices is not for the host.
    // SAFETY: no copy follows.
    let error = unsafe { memory.set_host_access(.., true) }.unwrap_err();
    assert_eq!(error.code(), Some(Code::NotSupported));
    // SAFETY: as above.
    unsafe { memory.set_host_access(..0, true) }.unwrap();
    // SAFETY: as above.
    unsafe { memory.set_host_access(.., false) }.unwrap();
    // SAFETY: as above.
    assert!(unsafe { memory.set_host_access(..unit / 2, true) }.is_err());
    assert!(memory.host_access(2 * unit).is_err());
    let tiles = PhysicalMemory::new_at(node, unit, PLAIN.tile_pool(true)).unwrap_err();
    assert_eq!(tiles, invalid("physical memory: location NUMA node 0 of the host has no tile pools;"));
    let nowhere = PhysicalMemory::new_at(MemLocation::other(99, 1), unit, PLAIN).unwrap_err();
    let text = " of location 1 of type 99, handle types 0x0";
    assert!(nowhere.to_string().ends_with(text), "{nowhere}");
    assert_eq!(
        PhysicalMemory::new_at(node, 0, PLAIN).unwrap_err(),
        invalid("physical memory: it has 0 bytes")
    );
    memory.close().unwrap();
}

#[test]
fn fills_stop_where_the_host_got_access_last() {
    let unit = unit!();
    if !device().host_numa_virtual_memory_management_supported().unwrap_or(false) {
        skip!("the host has no memory for reserved addresses");
    }
    let (stream, devices) = (stream(), Device::all().unwrap());
    let on_host = || PhysicalMemory::new_at(MemLocation::host_numa(0), unit, PLAIN).unwrap();
    for (host_first, expected) in [(false, Some(Code::InvalidValue)), (true, None)] {
        let mut memory = VirtualMemory::reserve(&stream, 3 * unit).unwrap();
        memory.map(0, &physical(unit)).unwrap();
        memory.map(unit, &on_host()).unwrap();
        memory.map(2 * unit, &on_host()).unwrap();
        if !host_first {
            memory.set_access(.., &devices, AccessFlags::READ_WRITE).unwrap();
        }
        // SAFETY: no copy goes over a border.
        unsafe { memory.set_host_access(unit..2 * unit, true) }.unwrap();
        // SAFETY: as above.
        unsafe { memory.set_host_access(2 * unit.., true) }.unwrap();
        // If the devices have the access already, the call changes nothing.
        memory.set_access(.., &devices, AccessFlags::READ_WRITE).unwrap();
        for border in [unit, 2 * unit] {
            let filled = memory.slice_mut::<u8>(border - 4..border + 4).unwrap().fill(7);
            let code = filled.err().and_then(|error| error.code());
            assert_eq!(code, expected, "border at {border}");
            memory.slice_mut::<u8>(border - 4..border).unwrap().fill(7).unwrap();
            memory.slice_mut::<u8>(border..border + 4).unwrap().fill(7).unwrap();
        }
    }
}

#[test]
fn views_of_memory_of_the_host_need_all_devices() {
    let unit = unit!();
    if !device().host_numa_virtual_memory_management_supported().unwrap_or(false) {
        skip!("the host has no memory for reserved addresses");
    }
    let devices = Device::all().unwrap();
    if devices.len() < 2 {
        skip!("there are no two devices");
    }
    let (stream, read, both) = (stream(), AccessFlags::READ, AccessFlags::READ_WRITE);
    let mut memory = VirtualMemory::reserve(&stream, 2 * unit).unwrap();
    memory.map(0, &physical(unit)).unwrap();
    memory.map(unit, &PhysicalMemory::new_at(MemLocation::host_numa(0), unit, PLAIN).unwrap()).unwrap();
    memory.set_access(.., &[device()], both).unwrap();
    memory.slice::<u32>(..4).unwrap();
    let error = memory.slice_bytes::<u32>(unit - 4..unit + 4).unwrap_err();
    assert_eq!(error, invalid("memory of the host needs the access of all devices, by `set_access`"));
    memory.set_access(unit.., &devices, read).unwrap();
    memory.set_access(unit.., &[device()], both).unwrap();
    memory.slice_bytes::<u32>(unit - 4..unit + 4).unwrap();
    assert!(memory.slice_bytes_mut::<u32>(unit - 4..unit + 4).is_err());
    memory.set_access(unit.., &devices, both).unwrap();
    memory.slice_bytes_mut::<u32>(unit - 4..unit + 4).unwrap();
    // Copies between devices.
    let far = Stream::new(&Context::primary(devices[1]).unwrap()).unwrap();
    memory.slice_bytes_mut::<u32>(unit..unit + 8).unwrap().copy_from_host(&[1, 2]).unwrap();
    let mut copy = DeviceBuf::<u32>::zeroed(&far, 2).unwrap();
    copy.copy_from_device(memory.slice_bytes(unit..unit + 8).unwrap()).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [1, 2]);
}

#[test]
fn memory_can_be_mapped_at_two_addresses() {
    let unit = unit!();
    let stream = stream();
    let memory = physical(unit);
    let mut ring = VirtualMemory::reserve(&stream, 2 * unit).unwrap();
    ring.map(0, &memory).unwrap();
    // SAFETY: all views are of this one range, one after the other on one stream.
    unsafe { ring.map_again(unit, &memory) }.unwrap();
    ring.set_access(.., &[device()], AccessFlags::READ_WRITE).unwrap();
    ring.slice_mut::<u8>(unit - 2..unit + 2).unwrap().copy_from_host(&[1, 2, 3, 4]).unwrap();
    assert_eq!(ring.slice::<u8>(..2).unwrap().to_vec().unwrap(), [3, 4]);
    ring.unmap(..unit).unwrap();
    assert_eq!(ring.map(0, &memory).unwrap_err(), invalid("the physical memory is mapped already;"));
    // SAFETY: the mapping above, which is not used meanwhile.
    let again = unsafe { PhysicalMemory::mapped_at(ring.ptr().add(unit + 5), unit) }.unwrap();
    assert_eq!(again, memory);
    ring.unmap(..).unwrap();
    ring.map(0, &again).unwrap();
    // SAFETY: nothing is mapped there, and the driver says so.
    assert!(unsafe { PhysicalMemory::mapped_at(DevicePtr::<u8>::from_raw(0x10), unit) }.is_err());
}

#[test]
fn unmapping_waits_for_queued_work() {
    let unit = unit!();
    let stream = stream();
    let ones = DeviceBuf::from_host(&stream, &vec![1_u8; unit]).unwrap();
    for round in 0..5 {
        let mut memory = mapped(&stream, 2, &[1]);
        let other = cuda_suite::stream();
        memory.slice_mut::<u8>(..unit).unwrap().copy_from_device(ones.as_slice()).unwrap();
        let mut copy = DeviceBuf::<u8>::zeroed(&other, unit).unwrap();
        copy.copy_from_device(memory.slice(..unit).unwrap()).unwrap();
        match round {
            0 => memory.unmap(..).unwrap(),
            1 => memory.set_access(..unit, &[device()], AccessFlags::NONE).unwrap(),
            2 => memory.close().unwrap(),
            3 => {
                memory.move_to(&other).unwrap();
                memory.slice_mut::<u8>(..unit).unwrap().copy_from_device(copy.as_slice()).unwrap();
                drop(memory);
            }
            _ => drop(memory),
        }
        assert_eq!(copy.to_vec().unwrap(), vec![1; unit]);
    }
}

#[test]
fn addresses_are_chosen() {
    let unit = unit!();
    let stream = stream();
    let aligned = VirtualMemoryOptions::new().alignment(8 * unit);
    let memory = VirtualMemory::reserve_with(&stream, unit, aligned).unwrap();
    assert_eq!(memory.ptr().as_raw() % (8 * unit) as u64, 0);
    let at = memory.ptr();
    let elsewhere = VirtualMemory::reserve_with(&stream, unit, VirtualMemoryOptions::new().at(at)).unwrap();
    assert_ne!(elsewhere.ptr(), at, "that is taken");
    assert_eq!((memory.size_bytes(), memory.mapped_bytes()), (unit, 0));
    assert_eq!(memory.stream(), &stream);
    let error = VirtualMemory::reserve(&stream, 1 << 50).unwrap_err();
    assert_eq!(error.code(), Some(Code::OutOfMemory));
    let error = PhysicalMemory::new(device(), 1 << 50, PLAIN).unwrap_err();
    assert!(error.to_string().ends_with(&format!(": {} bytes of {}", 1_u64 << 50, device())), "{error}");
}

#[test]
fn a_context_may_end_before_its_addresses() {
    let unit = unit!();
    let first = physical(unit);
    let memory = {
        let own = Context::new(device(), cuda_rt::context::ContextFlags::default()).unwrap();
        let mut memory = VirtualMemory::reserve(&Stream::new(&own).unwrap(), unit).unwrap();
        memory.map(0, &first).unwrap();
        memory
    };
    drop(memory);
    let mut memory = mapped(&stream(), 1, &[]);
    memory.map(0, &first).unwrap();
}

#[test]
fn memory_of_another_device_is_mapped() {
    let unit = unit!();
    let Some(second) = second_device() else { skip!("there is one device only") };
    if !device().can_access_peer(second).unwrap() {
        skip!("the devices do not reach each other");
    }
    let there = PhysicalMemory::new(second, unit, PLAIN).unwrap();
    assert_eq!(there.properties().unwrap().device, Some(second));
    let mut memory = VirtualMemory::reserve(&stream(), 2 * unit).unwrap();
    memory.map(0, &there).unwrap();
    memory.map(unit, &physical(unit)).unwrap();
    memory.set_access(.., &[device(), second], AccessFlags::READ_WRITE).unwrap();
    assert_eq!(memory.access(0, second).unwrap(), AccessFlags::READ_WRITE);
    memory.slice_mut::<u8>(..8).unwrap().copy_from_host(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let mut copy =
        DeviceBuf::<u8>::zeroed(&Stream::new(&Context::primary(second).unwrap()).unwrap(), 8).unwrap();
    copy.copy_from_device(memory.slice(..8).unwrap()).unwrap();
    memory.set_access(.., &[second], AccessFlags::NONE).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(memory.slice::<u8>(..2).unwrap().to_vec().unwrap(), [1, 2]);
    let error = memory.set_access(.., &[Device::get(0).unwrap()], AccessFlags(9)).unwrap_err();
    let asked = format!(": access {} for device 0", AccessFlags(9));
    assert!(error.to_string().ends_with(&asked), "{error}");
    // The access after the refusal is not known.
    assert!(memory.slice::<u8>(..2).is_err());
}

#[cfg(unix)]
#[test]
fn physical_memory_is_shared_by_a_file() {
    use cuda_rt::memory::ShareableHandleTypes;
    use std::os::fd::AsFd;

    let unit = unit!();
    let options = PLAIN.handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let theirs = match PhysicalMemory::new(device(), unit, options) {
        Err(error) if matches!(error.code(), Some(Code::NotSupported | Code::NotPermitted)) => {
            skip!("memory cannot be shared here: {error}")
        }
        theirs => theirs.unwrap(),
    };
    let properties = theirs.properties().unwrap();
    assert_eq!(properties.handle_types, ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let stream = stream();
    let mut memory = VirtualMemory::reserve(&stream, 2 * unit).unwrap();
    memory.map(0, &theirs).unwrap();
    let file = theirs.export_fd().unwrap();
    // SAFETY: as much as was exported, and all views are of one range.
    let ours = unsafe { PhysicalMemory::import_fd(file.as_fd(), unit) }.unwrap();
    drop(file);
    assert_eq!(ours.properties().unwrap().device, Some(device()));
    memory.map(unit, &ours).unwrap();
    memory.set_access(.., &[device()], AccessFlags::READ_WRITE).unwrap();
    memory.slice_mut::<u8>(..4).unwrap().copy_from_host(&[1, 2, 3, 4]).unwrap();
    assert_eq!(memory.slice::<u8>(unit..unit + 4).unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
    let error = physical(unit).export_fd().unwrap_err();
    assert!(error.to_string().ends_with(": handle types 0x1"), "{error}");
    let null = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: the driver checks the file.
    assert!(unsafe { PhysicalMemory::import_fd(null.as_fd(), unit) }.is_err());
}
