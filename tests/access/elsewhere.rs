//! Memory that is not in the table: mapped memory, variables, and memory on another device than its stream.

use super::*;
use crate::rows::{foreign, pool};
use cuda_rt::access::{ForeignMemory, MemoryKind, memory_kind};
use cuda_rt::error::ErrorKind;
use cuda_rt::memory::{
    AccessFlags, MemPool, PhysicalMemory, PhysicalMemoryOptions, PitchedBuf, VirtualMemory,
};
use cuda_rt::module::Library;
use cuda_rt::{ManagedBuf, PinnedBuf};

use Access::{Accessible, Inaccessible, Unverified};

const PLAIN: PhysicalMemoryOptions = PhysicalMemoryOptions::new();

/// Memory of a device at addresses of a context, in so many mappings, which no device has access to.
fn mapped(context: &Context, owner: u32, mappings: usize) -> (VirtualMemory, usize) {
    let unit = PhysicalMemory::granularity(device(owner), PLAIN).unwrap();
    let stream = Stream::new(context).unwrap();
    let mut memory = VirtualMemory::reserve(&stream, (mappings + 1) * unit).unwrap();
    for number in 0..mappings {
        memory.map(number * unit, &PhysicalMemory::new(device(owner), unit, PLAIN).unwrap()).unwrap();
    }
    (memory, unit)
}

fn word(memory: &VirtualMemory, offset: usize) -> DevicePtr<u32> {
    DevicePtr::from_raw(memory.ptr().as_raw() + offset as u64)
}

#[test]
fn mapped_memory_has_access_of_its_own() {
    for owner in [0, 1] {
        let two = Two::alike();
        let (mut memory, unit) = mapped(&two.near, owner, 1);
        assert_eq!(memory_kind(&memory).unwrap(), Some(MemoryKind::Mapped));
        for (places, expected) in [
            (vec![], [Inaccessible, Inaccessible]),
            (vec![device(0)], [Accessible, Inaccessible]),
            (vec![device(0), device(1)], [Accessible, Accessible]),
        ] {
            memory.set_access(..unit, &places, AccessFlags::READ_WRITE).unwrap();
            let found = [&two.near, &two.far].map(|context| access(context, &memory).unwrap());
            assert_eq!(found, expected, "{places:?} of memory of {owner}");
            // Mapped memory belongs to no context.
            assert_eq!([own(0), own(1)].map(|context| access(&context, &memory).unwrap()), expected);
            assert_eq!(recorded_access(&two.near, &memory).unwrap(), expected[0]);
            assert_eq!(access(Viewpoint::Host, &memory).unwrap(), Unverified);
        }
        let _access = two.near.peer_access(&two.far).unwrap();
        memory.set_access(..unit, &[device(0)], AccessFlags::NONE).unwrap();
        assert_eq!(access(&two.near, &memory).unwrap(), Inaccessible, "peer access is something else");
        assert_eq!(seen_by_kernel(&two.far, word(&memory, 0)), Ok(0));
        assert_eq!(seen_by_kernel(&two.near, word(&memory, 0)), OUT_OF_REACH);
    }
}

#[test]
fn range_of_several_mappings_needs_access_to_each() {
    let two = Two::alike();
    let (mut memory, unit) = mapped(&two.near, 0, 3);
    let both = [device(0), device(1)];
    memory.set_access(..3 * unit, &both, AccessFlags::READ_WRITE).unwrap();
    let found =
        |memory: &VirtualMemory| [&two.near, &two.far].map(|context| access(context, memory).unwrap());
    assert_eq!(found(&memory), [Accessible; 2], "what is not mapped is no memory");
    memory.set_access(2 * unit.., &[], AccessFlags::NONE).unwrap_err();
    memory.set_access(2 * unit..3 * unit, &[device(1)], AccessFlags::NONE).unwrap();
    assert_eq!(found(&memory), [Accessible, Inaccessible]);
    memory.set_access(unit..2 * unit, &[device(0)], AccessFlags::NONE).unwrap();
    assert_eq!(found(&memory), [Inaccessible; 2]);
    memory.unmap(unit..2 * unit).unwrap();
    assert_eq!(found(&memory), [Accessible, Inaccessible]);
    assert_eq!(seen_by_kernel(&two.far, word(&memory, 0)), Ok(0));
    assert_eq!(seen_by_kernel(&two.far, word(&memory, 2 * unit)), OUT_OF_REACH);
}

#[test]
fn addresses_without_memory_are_unverified() {
    let two = Two::alike();
    let (memory, _) = mapped(&two.near, 0, 0);
    for place in [Viewpoint::Host, (&two.near).into(), (&two.far).into()] {
        assert_eq!(access(place, &memory).unwrap(), Unverified);
    }
}

#[test]
fn views_of_mapped_memory() {
    let two = Two::alike();
    let (mut memory, unit) = mapped(&two.near, 0, 1);
    memory.set_access(..unit, &[device(0)], AccessFlags::READ_WRITE).unwrap();
    let places = [Viewpoint::Host, (&two.near).into(), (&two.far).into()];
    let view = memory.slice_bytes::<u32>(..unit).unwrap();
    assert_eq!(places.map(|place| look(place, &view)), places.map(|place| look(place, &memory)));
    // Said to be another context's, it is known not to be.
    let strange = foreign(&two.far, word(&memory, 0));
    assert_eq!(strange.kind(), MemoryKind::Mapped);
    assert_eq!(look(&two.near, &strange), Accessible);
}

#[test]
fn managed_variables() {
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .attribute(.managed) .align 4 .u32 n = 7;";
    for (near, concurrent) in EITHER.map(|first| EITHER.map(|second| (first, second))).concat() {
        let two = Two::new(vec![
            h200(&[(MANAGED_MEMORY, i32::from(near))]),
            h200(&[(CONCURRENT_MANAGED_ACCESS, i32::from(concurrent))]),
        ]);
        let variable = Module::from_ptx(&two.far, ptx).unwrap().global::<u32>("n").unwrap();
        assert_eq!(memory_kind(&variable).unwrap(), Some(MemoryKind::Managed));
        assert_eq!(look(&two.far, &variable), Accessible);
        assert_eq!(look(&two.near, &variable), when(near));
        assert_eq!(look(&own(1), &variable), Accessible);
        assert_eq!(look(Viewpoint::Host, &variable), when(concurrent));
        if near {
            assert_eq!(seen_by_kernel(&two.near, variable.ptr()), Ok(7));
        }
    }
}

#[test]
fn managed_variables_of_libraries() {
    let two = Two::alike();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .attribute(.managed) .align 4 .u32 n = 7;";
    let library = Library::from_ptx(ptx).unwrap();
    let variable = library.managed::<u32>("n").unwrap();
    assert_eq!(memory_kind(&variable).unwrap(), Some(MemoryKind::Managed));
    let places = [Viewpoint::Host, (&two.near).into(), (&two.far).into()];
    assert_eq!(places.map(|place| look(place, &variable)), [Accessible; 3]);
    assert_eq!(seen_by_kernel(&two.far, variable.ptr()), Ok(7));
}

#[test]
fn variable_by_its_address_is_unverified_with_access() {
    let two = Two::alike();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 n = 7;";
    let variable = Module::from_ptx(&two.far, ptx).unwrap().global::<u32>("n").unwrap();
    assert_eq!(memory_kind(&variable).unwrap(), Some(MemoryKind::Variable));
    assert_eq!(look(&two.near, &variable), Inaccessible);
    // The address alone looks like plain memory, which is inaccessible without peer access.
    let address = foreign(&two.far, variable.ptr());
    assert_eq!(look(&two.near, &address), Inaccessible);
    let _access = two.near.peer_access(&two.far).unwrap();
    assert_eq!(look(&two.near, &address), Unverified);
    assert_eq!(look(&two.near, &variable), Inaccessible);
}

/// No buffer lives on a stream of one device and in a pool of another: its stream says whose it is.
#[test]
fn pools_of_other_devices_than_the_streams() {
    let two = Two::alike();
    let pool = pool(1);
    for opened in EITHER {
        pool.set_access(device(0), rights(opened)).unwrap();
        let stream = Stream::new(&two.near).unwrap();
        let error = DeviceBuf::<u32>::zeroed_in(&stream, 4, &pool).unwrap_err();
        assert!(error.kind() == ErrorKind::InvalidArgument, "{error}");
    }
    // The current pool there is another one, too.
    pool.set_access(device(0), AccessFlags::NONE).unwrap();
    pool.make_current().unwrap();
    let memory = pooled(&two.far);
    MemPool::default_of(device(1)).unwrap().set_access(device(0), AccessFlags::READ_WRITE).unwrap();
    assert_eq!(look(&two.near, &memory), Inaccessible);
    pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap();
    assert_eq!(look(&two.near, &memory), Accessible);
    assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
}

#[test]
fn empty_buffer_has_no_memory() {
    let two = Two::alike();
    let (near, far) = (Stream::new(&two.near).unwrap(), Stream::new(&two.far).unwrap());
    let whole = plain(&two.far);
    let pinned = PinnedBuf::<u32>::zeroed(&two.far, 0).unwrap();
    let memory: [&dyn Memory; 10] = [
        &Vec::<u32>::new(),
        &[0_u32; 0],
        &vec![(); 9],
        &DeviceBuf::<u32>::zeroed(&far, 0).unwrap(),
        &whole.slice(2..2).unwrap(),
        &PitchedBuf::<u32>::uninit(&far, 0, 4, cuda_rt::memory::AccessSize::Four).unwrap(),
        &ManagedBuf::<u32>::zeroed(&far, 0, Default::default()).unwrap(),
        &pinned,
        &None::<ForeignMemory<'_>>,
        &DeviceBuf::<u32>::zeroed(&near, 0).unwrap(),
    ];
    for (number, memory) in memory.into_iter().enumerate() {
        for place in [Viewpoint::Host, (&two.near).into(), (&two.far).into()] {
            assert_eq!(look(place, memory), Accessible, "{number}");
        }
        assert_eq!(memory_kind(memory).unwrap(), None, "{number}");
    }
}

#[test]
fn kinds_of_several_pieces() {
    let two = Two::alike();
    let (plain, pooled) = (plain(&two.near), pooled(&two.near));
    assert_eq!(memory_kind(&(&plain, &plain)).unwrap(), Some(MemoryKind::Device));
    assert_eq!(memory_kind(&(&plain, Vec::<u8>::new())).unwrap(), Some(MemoryKind::Device));
    assert_eq!(memory_kind(&(&plain, &pooled)).unwrap(), None);
    assert_eq!(memory_kind(&(&plain, &pooled, &plain)).unwrap(), None);
}

/// There the record of access must not be waited for: who holds it may be waiting for the function.
#[test]
fn inside_functions_that_the_driver_calls() {
    let two = Two::alike();
    let pool = pool(1);
    let (near, far, stream) = (two.near.clone(), plain(&two.far), Stream::new(&two.near).unwrap());
    let (pooled, own, list) = (buffer(&two.far, &pool), plain(&two.near), vec![1_u32]);
    let (send, receive) = std::sync::mpsc::channel();
    let function = move || {
        let answers = [
            recorded_access(&near, &far),
            access(&near, &far),
            recorded_access(&near, &pooled),
            access(&near, &pooled),
            access(&near, &far.as_slice()),
            // The access of these is known without the record.
            access(&near, &own),
            access(Viewpoint::Host, &list),
            access(Viewpoint::Host, &far),
        ];
        send.send(answers).unwrap();
    };
    stream.launch_host_function(function).unwrap();
    stream.synchronize().unwrap();
    let answers = receive.recv().unwrap();
    for answer in &answers[..5] {
        assert_eq!(answer.as_ref().unwrap_err().kind(), ErrorKind::InsideHostFunction, "{answer:?}");
    }
    assert_eq!(answers[5..], [Ok(Accessible), Ok(Accessible), Ok(Inaccessible)]);
}
