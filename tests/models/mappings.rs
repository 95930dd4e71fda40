//! Mapped memory beside a model of it, unit by unit: refusals, visibility, and contents.

use crate::{cases, machine, told};
use cuda_rt::error::ErrorKind;
use cuda_rt::memory::{AccessFlags, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory};
use cuda_rt::{Context, Device, DeviceBuf, Error, Stream};
use cuda_sim::{Config, Schedule};
use cuda_suite::invalid;
use proptest::prelude::*;

/// Units of addresses.
const ROOM: usize = 8;
/// Pieces of memory, of one or two units.
const PIECES: usize = 4;

#[derive(Debug, Clone)]
enum Step {
    Map(usize, usize),
    Unmap(usize, usize),
    Access(usize, usize, AccessFlags),
    /// The first bytes of each unit of a range.
    Write(usize, usize, u8),
    Read(usize, usize),
    Move(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let place = 0..=ROOM;
    let access = prop_oneof![
        4 => Just(AccessFlags::READ_WRITE),
        1 => Just(AccessFlags::READ),
        1 => Just(AccessFlags::NONE),
    ];
    prop_oneof![
        6 => (place.clone(), 0..PIECES).prop_map(|(at, piece)| Step::Map(at, piece)),
        3 => (place.clone(), place.clone()).prop_map(|(from, to)| Step::Unmap(from, to)),
        5 => (place.clone(), place.clone(), access).prop_map(|(from, to, access)| Step::Access(from, to, access)),
        5 => (place.clone(), place.clone(), any::<u8>()).prop_map(|(from, to, value)| Step::Write(from, to, value)),
        5 => (place.clone(), place).prop_map(|(from, to)| Step::Read(from, to)),
        2 => (0..2_usize).prop_map(Step::Move),
    ]
}

/// The mapping of a unit: the piece, the index of the unit in it, and the access.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Unit {
    piece: usize,
    part: usize,
    access: AccessFlags,
}

struct Model {
    units: [Option<Unit>; ROOM],
    /// The first byte of each unit of each piece.
    contents: [[u8; 2]; PIECES],
}

const fn len_of(piece: usize) -> usize {
    1 + piece % 2
}

impl Model {
    fn is_mapped(&self, piece: usize) -> bool {
        self.units.iter().flatten().any(|unit| unit.piece == piece)
    }

    /// Returns whether an edge is inside a mapping.
    fn is_cut(&self, edge: usize) -> bool {
        edge > 0 && edge < ROOM && matches!(self.units[edge], Some(Unit { part: 1, .. }))
    }

    fn is_whole(&self, from: usize, to: usize) -> bool {
        from <= to && !self.is_cut(from) && !self.is_cut(to)
    }
}

/// Returns whether an error is a refusal: the driver was not called.
fn is_ours<T>(outcome: &Result<T, Error>) -> bool {
    outcome.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidArgument)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn mappings_match_the_model(
        schedule in prop_oneof![
            1 => Just(Schedule::Eager),
            1 => Just(Schedule::Lazy),
            1 => any::<u64>().prop_map(Schedule::Random),
        ],
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (machine, _entered) = machine(Config { schedule, ..Config::default() });
        let device = Device::get(0).unwrap();
        let context = Context::primary(device).unwrap();
        let streams = [Stream::new(&context).unwrap(), Stream::new(&context).unwrap()];
        let options = PhysicalMemoryOptions::new();
        let unit = PhysicalMemory::granularity(device, options).unwrap();
        let mut memory = VirtualMemory::reserve(&streams[0], ROOM * unit).unwrap();
        // Written once by way of a mapping, so that all contents are known.
        let mut model = Model { units: [None; ROOM], contents: [[0; 2]; PIECES] };
        let pieces: Vec<PhysicalMemory> = (0..PIECES)
            .map(|piece| {
                let made = PhysicalMemory::new(device, len_of(piece) * unit, options).unwrap();
                memory.map(0, &made).unwrap();
                memory.set_access(..len_of(piece) * unit, &[device], AccessFlags::READ_WRITE).unwrap();
                for part in 0..len_of(piece) {
                    memory.slice_mut::<u8>(part * unit..part * unit + 16).unwrap().copy_from_host(&[0; 16]).unwrap();
                }
                memory.unmap(..).unwrap();
                made
            })
            .collect();
        let mut home = 0;
        for step in &steps {
            match *step {
                Step::Map(at, piece) => {
                    let end = at + len_of(piece);
                    let may = end <= ROOM
                        && model.units[at..end].iter().all(Option::is_none)
                        && !model.is_mapped(piece);
                    let mapped = memory.map(at * unit, &pieces[piece]);
                    prop_assert_eq!(mapped.is_ok(), may, "{:?}", mapped);
                    prop_assert!(may || is_ours(&mapped));
                    if may {
                        for part in 0..len_of(piece) {
                            model.units[at + part] = Some(Unit { piece, part, access: AccessFlags::NONE });
                        }
                    }
                }
                Step::Unmap(from, to) => {
                    let may = model.is_whole(from, to);
                    let unmapped = memory.unmap(from * unit..to * unit);
                    prop_assert_eq!(unmapped.is_ok(), may, "{:?}", unmapped);
                    prop_assert!(may || is_ours(&unmapped));
                    if may {
                        model.units[from..to].fill(None);
                    }
                }
                Step::Access(from, to, access) => {
                    let may = model.is_whole(from, to) && model.units[from..to].iter().all(Option::is_some);
                    let set = memory.set_access(from * unit..to * unit, &[device], access);
                    prop_assert_eq!(set.is_ok(), may, "{:?}", set);
                    prop_assert!(may || is_ours(&set));
                    if may {
                        model.units[from..to].iter_mut().flatten().for_each(|unit| unit.access = access);
                    }
                }
                Step::Write(from, to, value) => {
                    let seen = memory.slice_mut::<u8>(from * unit..to * unit);
                    let may = from <= to
                        && model.units[from..to].iter().all(|unit| {
                            unit.is_some_and(|unit| unit.access == AccessFlags::READ_WRITE)
                        });
                    prop_assert_eq!(seen.is_ok(), may, "{:?}", seen);
                    prop_assert!(may || is_ours(&seen));
                    if let Ok(mut seen) = seen {
                        let bytes = DeviceBuf::from_host(&streams[home], &[value; 16]).unwrap();
                        for place in 0..to - from {
                            // Does not wait.
                            let mut part = seen.slice_mut(place * unit..place * unit + 16).unwrap();
                            part.copy_from_device(bytes.as_slice()).unwrap();
                            let at = model.units[from + place].unwrap();
                            model.contents[at.piece][at.part] = value;
                        }
                    }
                }
                Step::Read(from, to) => {
                    let seen = memory.slice::<u8>(from * unit..to * unit);
                    let may = from <= to
                        && model.units[from..to].iter().all(|unit| {
                            unit.is_some_and(|unit| unit.access != AccessFlags::NONE)
                        });
                    prop_assert_eq!(seen.is_ok(), may, "{:?}", seen);
                    prop_assert!(may || is_ours(&seen));
                    if let Ok(seen) = seen {
                        for place in 0..to - from {
                            let found = seen.slice(place * unit..place * unit + 16).unwrap().to_vec().unwrap();
                            let at = model.units[from + place].unwrap();
                            prop_assert_eq!(found, [model.contents[at.piece][at.part]; 16]);
                        }
                    }
                }
                Step::Move(to) => {
                    memory.move_to(&streams[to]).unwrap();
                    home = to;
                }
            }
            let mapped = model.units.iter().flatten().count();
            prop_assert_eq!(memory.mapped_bytes(), mapped * unit);
            for (place, known) in model.units.iter().enumerate() {
                match known {
                    Some(known) => {
                        prop_assert_eq!(memory.access(place * unit + 5, device).unwrap(), known.access);
                    }
                    None => {
                        let refused = memory.access(place * unit + 5, device).unwrap_err();
                        let is_it = refused == invalid(" is not mapped;");
                        prop_assert!(is_it, "{}", refused);
                    }
                }
            }
        }
        drop((context, streams, pieces));
        drop(memory);
        prop_assert_eq!(told(), Vec::<Error>::new());
        prop_assert!(machine.live().is_empty(), "{}", machine.live());
    }
}
