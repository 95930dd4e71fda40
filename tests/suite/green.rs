//! Green contexts: parts of a device, their streams, and the work on them.
#![allow(unsafe_code)]

use crate::busy::Busy;
use crate::{is_since, typed};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{CaptureOptions, Graph};
use cuda_rt::green::{
    DevResource, GreenContext, SmGroup, SmGroupFlags, SmResource, SmSplit, SmSplitFlags, WorkqueueScope,
};
use cuda_rt::stream::{StreamFlags, StreamInfo, expect_foreign_captures};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, Function, LaunchConfig, Module, Stream};
use cuda_suite::{Choice, context, device, driver, reports, second_device, skip};
use cuda_sys::CUstreamCaptureMode_enum;
use std::collections::BTreeSet;
use std::ptr::null_mut;
use std::sync::mpsc::channel;

/// Ends the test where green contexts and their streams are missing.
macro_rules! need_green_contexts {
    () => {
        if !is_since(12, 5) {
            skip!("this driver has no streams of green contexts");
        }
    };
}

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry report(.param .u64 counts) {
        .reg .b64 %at, %offset; .reg .b32 %number, %old;
        ld.param.u64 %at, [counts];
        mov.u32 %number, %smid;
        mul.wide.u32 %offset, %number, 4;
        add.u64 %at, %at, %offset;
        atom.global.add.u32 %old, [%at], 1;
        ret; }
    .visible .entry count(.param .u64 to) {
        .reg .b64 %at; .reg .b32 %count;
        ld.param.u64 %at, [to];
        mov.u32 %count, %nsmid;
        st.global.u32 [%at], %count;
        ret; }";

/// Multiprocessors that no device has more of.
const MOST: usize = 512;

fn all() -> SmResource {
    device().sm_resource().unwrap()
}

/// Groups of the least size.
fn split(groups: u32) -> SmSplit {
    all().split_off(groups, 1, SmSplitFlags::DEFAULT).unwrap()
}

/// A green context of the least size.
fn green() -> GreenContext {
    GreenContext::new(&split(1).groups[0]).unwrap()
}

fn function(name: &str) -> Function {
    Module::from_ptx(&context(), PTX).unwrap().function(name).unwrap()
}

/// The multiprocessors that run a kernel with more blocks than there are.
fn used(stream: &Stream) -> BTreeSet<usize> {
    let counts = DeviceBuf::<u32>::zeroed(stream, MOST).unwrap();
    let report = typed::<(DevicePtr<u32>,)>(&function("report"));
    // SAFETY: there are as many counts as a device can have multiprocessors.
    unsafe { report.launch(LaunchConfig::new(4 * MOST as u32, 256), stream, (counts.ptr(),)) }.unwrap();
    let counts = counts.to_vec().unwrap();
    counts.iter().enumerate().filter(|(_, count)| **count != 0).map(|(number, _)| number).collect()
}

#[test]
fn older_drivers_are_refused_with_the_release() {
    match device().sm_resource() {
        Err(error) => {
            assert!(!is_since(12, 4), "{error}");
            assert_eq!(error.kind(), ErrorKind::FunctionMissing);
            assert!(error.to_string().contains("12.4"), "{error}");
        }
        Ok(all) => match GreenContext::new(&all).unwrap().stream() {
            Err(error) => {
                assert!(!is_since(12, 5), "{error}");
                assert_eq!(error.kind(), ErrorKind::FunctionMissing);
                assert!(error.to_string().contains("12.5"), "{error}");
            }
            Ok(stream) => assert!(stream.green_context().is_some()),
        },
    }
}

#[test]
fn groups_and_remainder_are_all_multiprocessors() {
    need_green_contexts!();
    let all = all();
    assert_eq!(all.count(), device().multiprocessor_count().unwrap().cast_unsigned());
    assert_eq!(all.device(), device());
    assert_eq!(context().sm_resource().unwrap().count(), all.count());
    for flags in [SmSplitFlags::DEFAULT, SmSplitFlags::IGNORE_SM_COSCHEDULING] {
        for least in [0, 1, 2, 3, 8, 9, 16, all.count() / 2, all.count()] {
            let split = all.split_by_count(least, flags).unwrap();
            assert_eq!(split.groups.len(), all.group_count(least, flags).unwrap() as usize);
            let size = split.groups[0].count();
            assert!(size >= least && split.groups.iter().all(|group| group.count() == size), "{split:?}");
            let rest = split.remainder.map_or(0, |rest| rest.count());
            assert_eq!(split.groups.len() as u32 * size + rest, all.count());
        }
    }
    let split = all.split_off(1, 8, SmSplitFlags::DEFAULT).unwrap();
    assert_eq!(
        (split.groups.len(), split.groups[0].count() + split.remainder.unwrap().count()),
        (1, all.count())
    );
}

#[test]
fn impossible_splits_are_refused_with_the_reason() {
    need_green_contexts!();
    let all = all();
    let too_many = all.split_by_count(all.count() + 1, SmSplitFlags::DEFAULT).unwrap_err();
    assert_eq!(too_many.code(), Some(Code::InvalidResourceConfiguration));
    assert!(too_many.to_string().contains(&format!("of {} multiprocessors", all.count())), "{too_many}");
    let both = SmSplitFlags::IGNORE_SM_COSCHEDULING | SmSplitFlags::MAX_POTENTIAL_CLUSTER_SIZE;
    assert_eq!(all.group_count(8, both).unwrap_err().code(), Some(Code::InvalidValue));
    assert_eq!(all.split_off(0, 8, SmSplitFlags::DEFAULT).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn part_is_split_by_way_of_a_green_context() {
    need_green_contexts!();
    let part = &all().split_off(1, 16, SmSplitFlags::DEFAULT).unwrap().groups[0];
    let error = part.split_by_count(1, SmSplitFlags::DEFAULT).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidResourceConfiguration), "{error}");
    assert_eq!((part.min_partition_size(), part.coscheduled_alignment()), (0, 0));
    let own = GreenContext::new(part).unwrap().sm_resource().unwrap();
    assert_eq!(own.count(), part.count());
    assert!(own.min_partition_size() > 0 && own.coscheduled_alignment() > 0, "{own:?}");
    let halves = own.split_by_count(own.min_partition_size(), SmSplitFlags::DEFAULT).unwrap();
    assert!(halves.groups.len() >= 2, "{halves:?}");
    // A part of a part works without a handle to its green context.
    drop(own);
    let small = GreenContext::new(&halves.groups[1]).unwrap();
    assert!(used(&small.stream().unwrap()).len() <= halves.groups[1].count() as usize);
}

#[test]
fn kernels_run_on_the_multiprocessors_of_their_part() {
    need_green_contexts!();
    let split = split(2);
    let [first, second] = [0, 1].map(|index: usize| GreenContext::new(&split.groups[index]).unwrap());
    let rest = GreenContext::new(split.remainder.as_ref().unwrap()).unwrap();
    let of = |green: &GreenContext| used(&green.stream().unwrap());
    let sets = [of(&first), of(&second), of(&rest)];
    for (index, set) in sets.iter().enumerate() {
        let others = sets.iter().enumerate().filter(|(other, _)| *other != index);
        assert!(!set.is_empty() && others.clone().all(|(_, other)| set.is_disjoint(other)), "{sets:?}");
    }
    assert!(sets[0].len() <= split.groups[0].count() as usize);
    let of_primary = used(&Stream::new(&context()).unwrap());
    assert!(of_primary.len() > sets[0].len() && of_primary.len() <= all().count() as usize);
    // The register has the number of the device in each part.
    let stream = first.stream().unwrap();
    let count = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let kernel = typed::<(DevicePtr<u32>,)>(&function("count"));
    // SAFETY: one thread writes a word.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (count.ptr(),)) }.unwrap();
    assert!(count.to_vec().unwrap()[0] >= all().count());
}

#[test]
fn groups_of_one_split_make_one_green_context() {
    need_green_contexts!();
    let split = split(2);
    let list = [DevResource::from(&split.groups[0]), DevResource::from(&split.groups[1])];
    let green = GreenContext::with_resources(&list).unwrap();
    let sum = split.groups[0].count() + split.groups[1].count();
    assert_eq!(green.sm_resource().unwrap().count(), sum);
    assert!(used(&green.stream().unwrap()).len() <= sum as usize);
}

#[test]
fn parts_of_a_green_context_are_of_one_split() {
    need_green_contexts!();
    let (all, split) = (all(), split(2));
    let other = all.split_off(1, 1, SmSplitFlags::DEFAULT).unwrap();
    let [first, second] = [0, 1].map(|index: usize| DevResource::from(&split.groups[index]));
    let count = split.groups[0].count();
    let refused = |list: &[DevResource], reason: &str| {
        let error = GreenContext::with_resources(list).unwrap_err();
        let of = (error.kind(), error.call());
        assert_eq!(of, (ErrorKind::InvalidArgument, Some("cuDevResourceGenerateDesc")), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    };
    let twice = [first.clone(), second, first.clone()];
    refused(
        &twice,
        &format!("resource 0 of {count} multiprocessors and resource 2 of {count} are the same part"),
    );
    let mixed = "are not parts of one split";
    refused(&[first.clone(), other.groups[0].clone().into()], mixed);
    refused(&[first.clone(), all.clone().into()], mixed);
    refused(&[all.clone().into(), all.into()], mixed);
    // The remainder is a part of its split.
    let list = [first.clone(), split.remainder.unwrap().into()];
    assert!(GreenContext::with_resources(&list).unwrap().sm_resource().unwrap().count() > count);
    assert_eq!(GreenContext::with_resources(&[first]).unwrap().sm_resource().unwrap().count(), count);
}

#[test]
fn green_streams_share_the_primary_context() {
    need_green_contexts!();
    let (primary, green, other) = (context(), green(), green());
    assert_eq!((green.context(), green.device()), (&primary, device()));
    let (stream, other) = (green.stream().unwrap(), other.stream().unwrap());
    assert_eq!((stream.context(), stream.flags().unwrap()), (&primary, StreamFlags::NON_BLOCKING));
    assert_eq!(
        (stream.green_context(), Stream::new(&primary).unwrap().green_context()),
        (Some(&green), None)
    );
    let home = Stream::new(&primary).unwrap();
    let mut numbers = DeviceBuf::from_host(&home, &[1_u32, 2, 3]).unwrap();
    stream.wait_stream(&home).unwrap();
    let event = Event::new(&primary).unwrap();
    event.record(&stream).unwrap();
    other.wait_event(&event).unwrap();
    home.wait_stream(&other).unwrap();
    let copy = DeviceBuf::from_host(&other, &numbers.to_vec().unwrap()).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [1, 2, 3]);
    let (mut graph, ()) =
        Graph::capture(&primary, CaptureOptions::new(), |capture| capture.fill(&mut numbers, 7)).unwrap();
    graph.instantiate(Default::default()).unwrap().launch(&stream).unwrap();
    stream.synchronize().unwrap();
    home.wait_stream(&stream).unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [7; 3]);
}

#[test]
fn green_stream_priorities_stay_within_the_range() {
    need_green_contexts!();
    let green = green();
    let range = context().stream_priority_range().unwrap();
    for (asked, given) in
        [(0, 0), (*range.start(), *range.start()), (-1000, *range.start()), (1000, *range.end())]
    {
        assert_eq!(green.stream_with_priority(asked).unwrap().priority().unwrap(), given);
    }
}

#[test]
fn cooperative_launches_are_limited_to_the_part() {
    need_green_contexts!();
    let green = green();
    let stream = green.stream().unwrap();
    let kernel = function("report");
    let per_unit = kernel.max_active_blocks_per_multiprocessor(1024, 0).unwrap();
    let counts = DeviceBuf::<u32>::zeroed(&stream, MOST).unwrap();
    let count = green.sm_resource().unwrap().count();
    let launch = |blocks: u32, on: &Stream| {
        let kernel = typed::<(DevicePtr<u32>,)>(&kernel);
        let config = LaunchConfig::new(blocks, 1024);
        // SAFETY: there are as many counts as a device can have multiprocessors.
        unsafe { kernel.with(config).cooperative().launch(on, (counts.ptr(),)) }
    };
    launch(count * per_unit, &stream).unwrap();
    stream.synchronize().unwrap();
    let error = launch(count * per_unit + 1, &stream).unwrap_err();
    assert_eq!(error.code(), Some(Code::CooperativeLaunchTooLarge), "{error}");
    launch(count * per_unit + 1, &Stream::new(&context()).unwrap()).unwrap();
    context().synchronize().unwrap();
}

#[test]
fn resources_must_be_some_and_of_one_device() {
    need_green_contexts!();
    let error = GreenContext::with_resources(&[]).unwrap_err();
    assert_eq!((error.kind(), error.call()), (ErrorKind::InvalidArgument, Some("cuDevResourceGenerateDesc")));
    let Some(second) = second_device() else { skip!("needs two devices") };
    let both = [DevResource::from(all()), DevResource::from(second.sm_resource().unwrap())];
    let error = GreenContext::with_resources(&both).unwrap_err();
    assert!(error.to_string().contains("device 0 and of device 1"), "{error}");
}

#[test]
fn numbers_of_green_contexts_are_unique() {
    need_green_contexts!();
    let (first, second) = (green(), green());
    let Ok(id) = first.id() else {
        assert!(!is_since(12, 9));
        skip!("this driver does not number green contexts");
    };
    assert_eq!(id, first.clone().id().unwrap());
    assert_ne!(id, second.id().unwrap());
    assert_ne!(first, second);
    assert_ne!(first.context().id(), Some(id));
}

#[test]
fn entered_green_context_is_current_for_raw_calls() {
    need_green_contexts!();
    let green = green();
    let before = Context::current_raw().unwrap();
    {
        let _entered = green.enter().unwrap();
        assert_eq!(Context::current_raw().unwrap(), Some(green.as_raw_context()));
        assert_eq!(Context::current_device().unwrap(), device());
        let error = Context::current().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, and a context is current.
        assert!(unsafe { cuda_sys::cuStreamCreate(&raw mut raw, 0) }.is_success());
        // SAFETY: the stream is live.
        let info = unsafe { StreamInfo::of_raw(raw) }.unwrap();
        assert_eq!(info.green_context, Some(green.as_raw()));
        assert_eq!((info.context, info.device), (green.context().as_raw(), device()));
        // SAFETY: made above, and not used afterwards.
        assert!(unsafe { cuda_sys::cuStreamDestroy_v2(raw) }.is_success());
        // Calls of the safe layer use the context of their objects.
        let stream = Stream::new(&context()).unwrap();
        // SAFETY: the stream is live.
        assert_eq!(unsafe { StreamInfo::of_raw(stream.as_raw()) }.unwrap().green_context, None);
        let numbers = DeviceBuf::from_host(&green.stream().unwrap(), &[5_u8]).unwrap();
        assert_eq!(numbers.to_vec().unwrap(), [5]);
    }
    assert_eq!(Context::current_raw().unwrap(), before);
}

#[test]
fn forgotten_guard_leaves_a_handle_that_harms_nothing() {
    need_green_contexts!();
    std::thread::spawn(|| {
        let (primary, green) = (context(), green());
        let home = Stream::new(&primary).unwrap();
        let buffer = DeviceBuf::<u32>::zeroed(&home, 4).unwrap();
        let event = Event::new(&primary).unwrap();
        event.record(&home).unwrap();
        let _forgotten = std::mem::ManuallyDrop::new(green.enter().unwrap());
        let raw = green.as_raw_context();
        drop(green);
        assert_eq!(Context::current_raw().unwrap(), Some(raw));
        assert_eq!(Context::current_device().unwrap(), device());
        assert!(Context::current().is_err());
        assert!(!primary.is_current().unwrap());
        event.synchronize().unwrap();
        home.synchronize().unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [0; 4]);
        Stream::new(&primary).unwrap().close().unwrap();
        primary.synchronize().unwrap();
        drop((buffer, event));
        assert_eq!(Context::pop().unwrap(), raw);
    })
    .join()
    .unwrap();
}

#[test]
fn work_is_done_after_its_green_context_is_gone() {
    need_green_contexts!();
    let (primary, green) = (context(), green());
    let home = Stream::new(&primary).unwrap();
    let buffer = DeviceBuf::<u32>::zeroed(&home, 1 << 16).unwrap();
    let (event, called) = (Event::new(&primary).unwrap(), channel());
    let stream = green.stream().unwrap();
    stream.wait_stream(&home).unwrap();
    let source = vec![3_u32; 1 << 16];
    let other = DeviceBuf::from_host(&stream, &source).unwrap();
    stream.launch_host_function(move || called.0.send(()).unwrap()).unwrap();
    event.record(&stream).unwrap();
    assert_eq!(reports(|| drop((stream, green))), [] as [String; 0]);
    event.synchronize().unwrap();
    called.1.recv().unwrap();
    // Memory keeps its stream alive, and the stream keeps the green context alive.
    assert_eq!(other.to_vec().unwrap(), source);
    let kept = other.stream().green_context().cloned().unwrap();
    drop(other);
    kept.close().unwrap();
    assert_eq!(buffer.to_vec().unwrap()[0], 0);
}

#[test]
fn events_of_a_green_context_cover_all_its_streams() {
    need_green_contexts!();
    crate::alone("green::events_of_a_green_context_cover_all_its_streams", || {
        let split = split(2);
        let [first, second] = [0, 1].map(|index: usize| GreenContext::new(&split.groups[index]).unwrap());
        let streams = [first.stream().unwrap(), first.stream().unwrap()];
        let [of_first, of_second, of_all] = [(); 3].map(|()| Event::new(first.context()).unwrap());
        // Loaded before, since loading may wait.
        let busy = Busy::new(&streams[1]);
        first.record_event(&of_first).unwrap();
        second.record_event(&of_second).unwrap();
        of_second.synchronize().unwrap();
        second.synchronize().unwrap();
        assert!(!of_first.is_done().unwrap());
        second.wait_event(&of_first).unwrap();
        let later = second.stream().unwrap();
        let done = Event::new(first.context()).unwrap();
        done.record(&later).unwrap();
        let apart = Stream::new(first.context()).unwrap();
        apart.synchronize().unwrap();
        assert!(!done.is_done().unwrap());
        first.context().record_event(&of_all).unwrap();
        assert!(!of_all.is_done().unwrap());
        drop(busy);
        first.synchronize().unwrap();
        assert!(of_first.is_done().unwrap());
        done.synchronize().unwrap();
        of_all.synchronize().unwrap();
        drop(streams);
    });
}

#[test]
fn event_of_another_context_is_not_recorded() {
    need_green_contexts!();
    let green = green();
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let event = Event::new(&other).unwrap();
    let error = green.record_event(&event).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle));
    assert!(error.to_string().contains("the event belongs to another context"), "{error}");
    green.wait_event(&event).unwrap();
}

#[test]
fn event_of_a_capture_is_not_awaited() {
    need_green_contexts!();
    crate::alone("green::event_of_a_capture_is_not_awaited", || {
        expect_foreign_captures();
        let (green, other) = (green(), green());
        let stream = green.stream().unwrap();
        let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
        for waiting in [&other, &green] {
            let event = Event::new(green.context()).unwrap();
            // SAFETY: the stream is live.
            assert!(unsafe { cuda_sys::cuStreamBeginCapture_v2(stream.as_raw(), mode) }.is_success());
            event.record(&stream).unwrap();
            let error = waiting.wait_event(&event).unwrap_err();
            assert_eq!(error.code(), Some(Code::CapturedEvent), "{error}");
            // The capture is lost, and the stream works again.
            let mut graph = null_mut();
            // SAFETY: the stream is live, and `graph` valid for a write.
            let ended = unsafe { cuda_sys::cuStreamEndCapture(stream.as_raw(), &raw mut graph) };
            assert_eq!((Code::new(ended), graph), (Some(Code::StreamCaptureInvalidated), null_mut()));
            event.record(&stream).unwrap();
            waiting.wait_event(&event).unwrap();
            waiting.synchronize().unwrap();
        }
    });
}

#[test]
fn green_context_keeps_the_primary_context() {
    need_green_contexts!();
    let Some(device) = (if driver() == Choice::Sim { Device::get(1).ok() } else { None }) else {
        skip!("needs a device whose primary context no other test holds");
    };
    let green = GreenContext::new(&device.sm_resource().unwrap()).unwrap();
    assert!(device.primary_context_state().unwrap().is_active);
    let stream = green.stream().unwrap();
    drop(green);
    // The driver refuses to reset the primary context under a green one.
    // SAFETY: the driver refuses it.
    let error = unsafe { device.reset_primary_context() }.unwrap_err();
    assert_eq!(error.code(), Some(Code::NotPermitted));
    stream.synchronize().unwrap();
    stream.close().unwrap();
}

#[test]
fn groups_of_several_sizes_are_split_off() {
    need_green_contexts!();
    let all = all();
    let rest = SmGroup::new(0).coscheduled(2).flags(SmGroupFlags::BACKFILL);
    let groups = [SmGroup::new(8).coscheduled(4), rest];
    let split = match all.split(&groups) {
        Err(error) if !is_since(13, 1) => {
            assert_eq!(error.kind(), ErrorKind::FunctionMissing);
            assert!(error.to_string().contains("13.1"), "{error}");
            skip!("this driver cannot split into groups of several sizes");
        }
        split => split.unwrap(),
    };
    assert_eq!(split.groups[0].count(), 8);
    let found = all.discover_groups(&groups).unwrap();
    assert_eq!(found[1].count(), split.groups[1].count());
    assert!(used(&GreenContext::new(&split.groups[0]).unwrap().stream().unwrap()).len() <= 8);
    let error = all.split(&[SmGroup::new(3)]).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidResourceConfiguration), "{error}");
    assert_eq!(all.split(&[]).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let stream = green().stream().unwrap();
    let own = stream.green_context().unwrap().sm_resource().unwrap();
    assert_eq!(stream.sm_resource().unwrap().count(), own.count());
}

#[test]
fn work_queues_are_configured() {
    need_green_contexts!();
    let config = match device().workqueue_config() {
        Err(error) if !is_since(13, 1) => {
            assert_eq!(error.code(), Some(Code::InvalidResourceType), "{error}");
            assert!(error.to_string().contains("since CUDA 13.1"), "{error}");
            skip!("this driver has no resources of work queues");
        }
        config => config.unwrap(),
    };
    assert_eq!(config.device(), device());
    assert_eq!(config.scope(), WorkqueueScope::AllContexts);
    // The driver knows no such scope.
    let unknown = config.clone().with_scope(WorkqueueScope::Other(77));
    let error = GreenContext::with_resources(&[all().into(), unknown.into()]).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue), "{error}");
    let config = config.with_concurrency_limit(2).with_scope(WorkqueueScope::GreenContextBalanced);
    let list = [DevResource::from(&split(1).groups[0]), config.into()];
    let green = GreenContext::with_resources(&list).unwrap();
    let own = green.workqueue_config().unwrap();
    assert_eq!((own.concurrency_limit(), own.scope()), (2, WorkqueueScope::GreenContextBalanced));
    let queues = green.workqueue().unwrap();
    drop(green);
    let next = GreenContext::with_resources(&[all().into(), queues.into()]).unwrap();
    assert!(next.stream().is_ok());
    assert!(context().workqueue().is_ok() && context().workqueue_config().is_ok());
}
