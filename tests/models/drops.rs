//! Objects that are dropped in any order, on any thread, under any context: nothing fails, and nothing is left.

use crate::{cases, machine, told};
use cuda_rt::context::ContextFlags;
use cuda_rt::peer::PeerAccessGuard;
use cuda_rt::{Context, Device, DeviceBuf, Event, Function, Module, Stream};
use cuda_sim::{Config, Machine, Schedule};
use proptest::prelude::*;

#[allow(dead_code)] // for what their ends do
enum Thing {
    Context(Context),
    Stream(Stream),
    Event(Event),
    Buffer(DeviceBuf<u32>),
    Module(Module),
    Function(Function),
    Access(PeerAccessGuard),
}

#[derive(Debug, Clone)]
enum Step {
    Context(u32, bool),
    Stream(prop::sample::Index),
    Legacy(prop::sample::Index),
    Event(prop::sample::Index),
    Buffer(prop::sample::Index),
    Copy(prop::sample::Index, prop::sample::Index),
    Module(prop::sample::Index),
    Function(prop::sample::Index),
    Access(prop::sample::Index, prop::sample::Index),
    Drop(prop::sample::Index),
    DropElsewhere(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        2 => (0_u32..2, any::<bool>()).prop_map(|(device, primary)| Step::Context(device, primary)),
        3 => index().prop_map(Step::Stream),
        1 => index().prop_map(Step::Legacy),
        3 => index().prop_map(Step::Event),
        4 => index().prop_map(Step::Buffer),
        3 => (index(), index()).prop_map(|(to, from)| Step::Copy(to, from)),
        1 => index().prop_map(Step::Module),
        1 => index().prop_map(Step::Function),
        1 => (index(), index()).prop_map(|(own, peer)| Step::Access(own, peer)),
        6 => index().prop_map(Step::Drop),
        3 => index().prop_map(Step::DropElsewhere),
    ]
}

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";

/// The objects of one kind, by number.
macro_rules! one_of {
    ($things:expr, $kind:ident, $which:expr) => {{
        let places: Vec<usize> = $things
            .iter()
            .enumerate()
            .filter(|(_, thing)| matches!(thing, Thing::$kind(_)))
            .map(|(place, _)| place)
            .collect();
        if places.is_empty() { None } else { Some(places[$which.index(places.len())]) }
    }};
}

fn make(things: &mut Vec<Thing>, step: &Step) -> cuda_rt::Result<()> {
    macro_rules! get {
        ($kind:ident, $which:expr) => {{
            let Some(place) = one_of!(things, $kind, $which) else { return Ok(()) };
            let Thing::$kind(thing) = &things[place] else { return Ok(()) };
            thing
        }};
    }
    let made = match step {
        Step::Context(device, true) => Thing::Context(Context::primary(Device::get(*device)?)?),
        Step::Context(device, false) => {
            Thing::Context(Context::new(Device::get(*device)?, ContextFlags::default())?)
        }
        Step::Stream(of) => Thing::Stream(Stream::new(get!(Context, of))?),
        Step::Legacy(of) => Thing::Stream(Stream::legacy(get!(Context, of))),
        Step::Event(of) => {
            let stream = get!(Stream, of);
            let event = Event::new(stream.context())?;
            event.record(stream)?;
            Thing::Event(event)
        }
        Step::Buffer(of) => Thing::Buffer(DeviceBuf::from_host(get!(Stream, of), &[1, 2, 3])?),
        Step::Copy(to, from) => {
            let source = get!(Buffer, from);
            let stream = get!(Stream, to);
            let mut copy = DeviceBuf::<u32>::zeroed(stream, 3)?;
            copy.copy_from_device(source.as_slice())?;
            Thing::Buffer(copy)
        }
        Step::Module(of) => Thing::Module(Module::from_ptx(get!(Context, of), PTX)?),
        Step::Function(of) => Thing::Function(get!(Module, of).function("nothing")?),
        Step::Access(own, peer) => {
            let (own, peer) = (get!(Context, own), get!(Context, peer));
            if own.device() == peer.device() {
                return Ok(());
            }
            Thing::Access(own.peer_access(peer)?)
        }
        Step::Drop(which) if !things.is_empty() => {
            drop(things.swap_remove(which.index(things.len())));
            return Ok(());
        }
        Step::DropElsewhere(which) if !things.is_empty() => {
            let thing = things.swap_remove(which.index(things.len()));
            let machine = Machine::current();
            let work = || {
                let _entered = machine.enter();
                drop(thing);
                assert_eq!(Context::current_raw().unwrap(), None);
                assert_eq!(told(), Vec::<cuda_rt::Error>::new());
            };
            std::thread::scope(|scope| scope.spawn(work).join().unwrap());
            return Ok(());
        }
        Step::Drop(_) | Step::DropElsewhere(_) => return Ok(()),
    };
    things.push(made);
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn nothing_is_left(
        schedule in prop_oneof![Just(Schedule::Eager), Just(Schedule::Lazy), any::<u64>().prop_map(Schedule::Random)],
        entered in any::<bool>(),
        steps in prop::collection::vec(step(), 1..60),
        order in any::<u64>(),
    ) {
        let (machine, _entered) = machine(Config { schedule, ..Config::default() });
        let mut things = vec![Thing::Context(Context::primary(Device::get(0).unwrap()).unwrap())];
        let other = entered.then(|| Context::new(Device::get(1).unwrap(), ContextFlags::default()).unwrap());
        let guard = other.as_ref().map(|other| other.enter().unwrap());
        let before = Context::current_raw().unwrap();
        for step in &steps {
            make(&mut things, step).unwrap();
            prop_assert_eq!(Context::current_raw().unwrap(), before);
        }
        // The rest, in an order of its own.
        let mut order = order | 1;
        while !things.is_empty() {
            order = order.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            drop(things.swap_remove((order >> 33) as usize % things.len()));
            prop_assert_eq!(Context::current_raw().unwrap(), before);
        }
        drop(guard);
        drop(other);
        prop_assert_eq!(told(), Vec::<cuda_rt::Error>::new());
        prop_assert!(machine.live().is_empty(), "{}", machine.live());
    }
}
