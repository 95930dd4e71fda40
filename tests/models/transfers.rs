//! Copies with host memory of every kind, on several streams: each reader sees the same bytes as in a program without streams.

use crate::{cases, machine, told};
use cuda_rt::memory::{AlignedBuf, MemAttach, PendingCopy, RegisterFlags, RegisteredBuf};
use cuda_rt::{
    Context, Device, DeviceBuf, DeviceSlice, DeviceSliceMut, ManagedBuf, PinnedBuf, Result, Stream,
};
use cuda_sim::{Config, Schedule};
use proptest::prelude::*;
use proptest::sample::Index;
use std::ops::Range;

const LEN: usize = 24;
const STREAMS: usize = 3;

/// Memory of the device, and what it has to hold.
enum Memory {
    Device(DeviceBuf<u8>),
    Managed(ManagedBuf<u8>),
}

impl Memory {
    fn slice(&self, range: Range<usize>) -> Result<DeviceSlice<'_, u8>> {
        match self {
            Memory::Device(buffer) => buffer.slice(range),
            Memory::Managed(buffer) => buffer.slice(range),
        }
    }

    fn slice_mut(&mut self, range: Range<usize>) -> Result<DeviceSliceMut<'_, u8>> {
        match self {
            Memory::Device(buffer) => buffer.slice_mut(range),
            Memory::Managed(buffer) => buffer.slice_mut(range),
        }
    }
}

/// Copies that are on their way, and what the host memory has to hold then.
enum Way {
    Pinned(PendingCopy<PinnedBuf<u8>>, Vec<u8>),
    Registered(PendingCopy<RegisteredBuf<AlignedBuf<u8>>>, Vec<u8>),
}

impl Way {
    fn arrive(self) -> Result<()> {
        match self {
            Way::Pinned(pending, expected) => assert_eq!(pending.wait()?[..], expected),
            Way::Registered(pending, expected) => assert_eq!(pending.wait()?.unregister()?[..], expected),
        }
        Ok(())
    }
}

/// One copy of a scope.
#[derive(Debug, Clone)]
struct Part {
    memory: Index,
    at: usize,
    up: bool,
    locked: bool,
    value: u8,
}

#[derive(Debug, Clone)]
enum Step {
    Device(usize, u8),
    Managed(usize, u8),
    Zero(Index, usize),
    Up(Index, usize, u8, bool),
    Down(Index, usize, bool),
    Arrive(Index),
    Forget(Index),
    Copy(Index, Index, usize),
    Host(Index, u8),
    Attach(Index, usize),
    Scope(usize, Vec<Part>),
    Drop(Index),
}

fn step() -> impl Strategy<Value = Step> {
    let (index, at, on) = (any::<Index>, || 0..LEN, || 0..STREAMS);
    let part = (any::<Index>(), at(), any::<bool>(), any::<bool>(), any::<u8>())
        .prop_map(|(memory, at, up, locked, value)| Part { memory, at, up, locked, value });
    prop_oneof![
        2 => (on(), any::<u8>()).prop_map(|(on, value)| Step::Device(on, value)),
        2 => (on(), any::<u8>()).prop_map(|(on, value)| Step::Managed(on, value)),
        1 => (index(), at()).prop_map(|(memory, at)| Step::Zero(memory, at)),
        3 => (index(), at(), any::<u8>(), any::<bool>())
            .prop_map(|(memory, at, value, owned)| Step::Up(memory, at, value, owned)),
        3 => (index(), at(), any::<bool>()).prop_map(|(memory, at, owned)| Step::Down(memory, at, owned)),
        3 => index().prop_map(Step::Arrive),
        1 => index().prop_map(Step::Forget),
        3 => (index(), index(), at()).prop_map(|(to, from, at)| Step::Copy(to, from, at)),
        2 => (index(), any::<u8>()).prop_map(|(memory, value)| Step::Host(memory, value)),
        1 => (index(), on()).prop_map(|(memory, on)| Step::Attach(memory, on)),
        4 => (on(), prop::collection::vec(part, 1..5)).prop_map(|(on, parts)| Step::Scope(on, parts)),
        1 => index().prop_map(Step::Drop),
    ]
}

struct World {
    context: Context,
    streams: Vec<Stream>,
    memory: Vec<(Memory, Vec<u8>)>,
    ways: Vec<Way>,
}

impl World {
    fn do_step(&mut self, step: &Step) -> Result<()> {
        let World { context, streams, memory, ways } = self;
        macro_rules! any_of {
            ($all:expr, $which:expr) => {{
                if $all.is_empty() {
                    return Ok(());
                }
                $which.index($all.len())
            }};
        }
        match step {
            Step::Device(on, value) => {
                let buffer = DeviceBuf::from_host(&streams[*on], &[*value; LEN])?;
                memory.push((Memory::Device(buffer), vec![*value; LEN]));
            }
            Step::Managed(on, value) => {
                let buffer = ManagedBuf::from_host(&streams[*on], &[*value; LEN], MemAttach::Global)?;
                memory.push((Memory::Managed(buffer), vec![*value; LEN]));
            }
            Step::Zero(which, at) => {
                let place = any_of!(memory, which);
                let (buffer, model) = &mut memory[place];
                buffer.slice_mut(*at..LEN)?.fill_zero()?;
                model[*at..].fill(0);
            }
            Step::Up(which, at, value, pinned) => {
                let place = any_of!(memory, which);
                let (buffer, model) = &mut memory[place];
                let len = LEN - at;
                let expected = vec![*value; len];
                model[*at..].fill(*value);
                ways.push(if *pinned {
                    let host = PinnedBuf::from_slice(context, &expected)?;
                    Way::Pinned(buffer.slice_mut(*at..LEN)?.copy_from_pinned(host)?, expected)
                } else {
                    let mut host = AlignedBuf::zeroed(len)?;
                    host.fill(*value);
                    let host = RegisteredBuf::new(context, host, RegisterFlags::empty())?;
                    Way::Registered(buffer.slice_mut(*at..LEN)?.copy_from_pinned(host)?, expected)
                });
            }
            Step::Down(which, at, pinned) => {
                let place = any_of!(memory, which);
                let (buffer, model) = &memory[place];
                let expected = model[*at..].to_vec();
                ways.push(if *pinned {
                    let host = PinnedBuf::zeroed(context, LEN - at)?;
                    Way::Pinned(buffer.slice(*at..LEN)?.copy_to_pinned(host)?, expected)
                } else {
                    let host =
                        RegisteredBuf::new(context, AlignedBuf::zeroed(LEN - at)?, RegisterFlags::empty())?;
                    Way::Registered(buffer.slice(*at..LEN)?.copy_to_pinned(host)?, expected)
                });
            }
            Step::Arrive(which) => {
                let place = any_of!(ways, which);
                ways.swap_remove(place).arrive()?;
            }
            Step::Forget(which) => {
                let place = any_of!(ways, which);
                drop(ways.swap_remove(place));
            }
            Step::Copy(to, from, at) => {
                let (to, from) = (any_of!(memory, to), any_of!(memory, from));
                if to == from {
                    return Ok(());
                }
                let [(to, to_model), (from, from_model)] = memory.get_disjoint_mut([to, from]).unwrap();
                to.slice_mut(*at..LEN)?.copy_from_device(from.slice(0..LEN - at)?)?;
                to_model[*at..].copy_from_slice(&from_model[..LEN - at]);
            }
            Step::Host(which, value) => {
                let place = any_of!(memory, which);
                let (buffer, model) = &mut memory[place];
                if let Memory::Managed(buffer) = buffer {
                    assert_eq!(buffer.host()?, &model[..]);
                    let place = usize::from(*value) % LEN;
                    buffer.host_mut()?[place] = *value;
                    model[place] = *value;
                }
            }
            Step::Attach(which, on) => {
                let place = any_of!(memory, which);
                let (buffer, _) = &mut memory[place];
                if let Memory::Managed(buffer) = buffer {
                    buffer.attach(&streams[*on], MemAttach::Single)?;
                }
            }
            Step::Scope(on, parts) => {
                if memory.is_empty() {
                    return Ok(());
                }
                let mut locked = PinnedBuf::<u8>::zeroed(context, LEN * parts.len())?;
                let mut plain = vec![0; LEN * parts.len()];
                let mut places: Vec<_> = locked.chunks_mut(LEN).zip(plain.chunks_mut(LEN)).collect();
                let mut expected = Vec::new();
                streams[*on].scope(|scope| {
                    for (part, (locked, plain)) in parts.iter().zip(places.drain(..)) {
                        let which = part.memory.index(memory.len());
                        let (buffer, model) = &mut memory[which];
                        let host = &mut (if part.locked { locked } else { plain })[part.at..];
                        if part.up {
                            host.fill(part.value);
                            scope.copy_from_host(buffer.slice_mut(part.at..LEN)?, host)?;
                            model[part.at..].fill(part.value);
                        } else {
                            scope.copy_to_host(buffer.slice(part.at..LEN)?, host)?;
                        }
                        expected.push(model[part.at..].to_vec());
                    }
                    Ok(())
                })?;
                let places = locked.chunks(LEN).zip(plain.chunks(LEN));
                for ((part, (locked, plain)), expected) in parts.iter().zip(places).zip(expected) {
                    assert_eq!((if part.locked { locked } else { plain })[part.at..], expected, "{part:?}");
                }
            }
            Step::Drop(which) => {
                let place = any_of!(memory, which);
                drop(memory.swap_remove(place));
            }
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn copies_are_visible_in_program_order(
        seed in prop::option::of(any::<u64>()),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let schedule = seed.map_or(Schedule::Lazy, Schedule::Random);
        let (machine, _entered) = machine(Config { schedule, host_threads: 1, ..Config::default() });
        let before = machine.live();
        let context = Context::primary(Device::get(0).unwrap()).unwrap();
        let streams = (0..STREAMS).map(|_| Stream::new(&context).unwrap()).collect();
        let mut world = World { context, streams, memory: Vec::new(), ways: Vec::new() };
        for step in &steps {
            world.do_step(step).unwrap();
        }
        for way in world.ways.drain(..) {
            way.arrive().unwrap();
        }
        for (buffer, model) in &world.memory {
            prop_assert_eq!(&buffer.slice(0..LEN).unwrap().to_vec().unwrap(), model);
        }
        drop(world);
        prop_assert_eq!(told(), Vec::<cuda_rt::Error>::new());
        prop_assert_eq!(machine.live(), before);
    }
}
