//! Launches of graphs by several threads.

#![allow(unsafe_code, clippy::unwrap_used)]

use cuda_rt::context::ContextFlags;
use cuda_rt::graph::{AddNodes, Graph};
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_sim::Config;
use cuda_suite::raw::machine;

/// Two graphs name the same home stream by different handles, and two threads launch them on other streams.
fn launch_at_once(handles: impl FnOnce(&Context) -> [Stream; 2]) {
    let (machine, _entered) = machine(Config { streamcheck: true, ..Config::default() });
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let [home, again] = handles(&context);
    let mut numbers = DeviceBuf::<u32>::zeroed(&home, 64).unwrap();
    let mut others = DeviceBuf::<u32>::zeroed(&again, 64).unwrap();
    home.synchronize().unwrap();
    let (mut first, mut second) = (Graph::new(&context).unwrap(), Graph::new(&context).unwrap());
    first.fill(&[], numbers.as_slice_mut(), 1_u32).unwrap();
    let before = second.fill(&[], others.as_slice_mut(), 2_u32).unwrap();
    second.fill(&[before.any()], numbers.as_slice_mut(), 2_u32).unwrap();
    let mut graphs = [&mut first, &mut second].map(|graph| graph.instantiate(Default::default()).unwrap());
    std::thread::scope(|scope| {
        for graph in &mut graphs {
            let (context, machine) = (&context, &machine);
            scope.spawn(move || {
                let _entered = machine.enter();
                let stream = Stream::new(context).unwrap();
                (0..500).for_each(|_| graph.launch(&stream).unwrap());
                stream.synchronize().unwrap();
            });
        }
    });
    let reports = machine.take_reports();
    assert_eq!(reports.len(), 0, "{}", reports[0]);
}

#[test]
fn launches_know_a_foreign_handle_of_their_stream() {
    launch_at_once(|context| {
        let home = Stream::new(context).unwrap();
        // SAFETY: a live stream of the context, which its owner keeps.
        let again = unsafe { Stream::from_raw_with_owner(home.as_raw(), context, Box::new(home.clone())) };
        [home, again]
    });
}

#[test]
fn launches_know_that_legacy_streams_are_one() {
    launch_at_once(|context| [(); 2].map(|()| Stream::legacy(context)));
}
