//! Programs with green contexts.

use crate::scenarios::{Done, Scenario, device, plain};
use cuda_rt::error::ErrorKind;
use cuda_rt::green::{DevResource, GreenContext, SmGroup, SmSplitFlags};
use cuda_rt::stream::StreamInfo;
use cuda_rt::{Context, DeviceBuf, Event};
use cuda_sim::Config;
use cuda_sys::DriverVersion;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("multiprocessors", multiprocessors),
    plain("green contexts", green_contexts),
    plain("streams of green contexts", streams),
    plain("events of green contexts", events),
    Scenario { config: newest, ..plain("groups of several sizes", groups) },
    Scenario { config: newest, ..plain("work queues", work_queues) },
];

fn newest(config: Config) -> Config {
    Config { driver_version: DriverVersion(13050), ..config }
}

fn multiprocessors() -> Done {
    let all = device()?.sm_resource()?;
    assert!(all.group_count(8, SmSplitFlags::DEFAULT)? > 1);
    let split = all.split_by_count(64, SmSplitFlags::DEFAULT)?;
    assert_eq!(split.groups.len(), 2);
    let context = Context::primary(device()?)?;
    assert_eq!(context.sm_resource()?.count(), all.count());
    context.close()
}

fn green_contexts() -> Done {
    let split = device()?.sm_resource()?.split_off(2, 16, SmSplitFlags::DEFAULT)?;
    let both = [DevResource::from(&split.groups[0]), DevResource::from(&split.groups[1])];
    let green = GreenContext::with_resources(&both)?;
    assert_eq!(green.sm_resource()?.count(), 32);
    green.id()?;
    let entered = green.enter()?;
    assert_eq!(Context::current_raw()?, Some(green.as_raw_context()));
    drop(entered);
    drop(GreenContext::new(&split.groups[0])?);
    green.close()
}

fn streams() -> Done {
    let green = GreenContext::new(&device()?.sm_resource()?)?;
    let (stream, other) = (green.stream()?, green.stream_with_priority(-1)?);
    let numbers = DeviceBuf::from_host(&stream, &[1_u32, 2, 3])?;
    other.wait_stream(&stream)?;
    assert_eq!(numbers.to_vec()?, [1, 2, 3]);
    drop(numbers);
    // SAFETY: the stream is live.
    assert!(unsafe { StreamInfo::of_raw(stream.as_raw()) }?.green_context.is_some());
    drop(green);
    stream.synchronize()?;
    stream.close()
}

fn events() -> Done {
    let green = GreenContext::new(&device()?.sm_resource()?)?;
    let stream = green.stream()?;
    let event = Event::new(green.context())?;
    green.record_event(&event)?;
    green.wait_event(&event)?;
    green.synchronize()?;
    event.synchronize()?;
    drop((event, green));
    stream.close()
}

/// For `CUDA_SIM=version=13.5`: the driver that the process has loaded decides which functions there are.
fn groups() -> Done {
    let all = device()?.sm_resource()?;
    let groups = [SmGroup::new(8), SmGroup::new(0)];
    let found = match all.discover_groups(&groups) {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => return Ok(()),
        found => found?,
    };
    let split = all.split(&groups)?;
    assert_eq!(split.groups[1].count(), found[1].count());
    let green = GreenContext::new(&split.groups[0])?;
    let stream = green.stream()?;
    assert_eq!(stream.sm_resource()?.count(), 8);
    drop(green);
    stream.close()
}

fn work_queues() -> Done {
    let context = Context::primary(device()?)?;
    let config = device()?.workqueue_config()?.with_concurrency_limit(2);
    let resources = [device()?.sm_resource()?.into(), config.into()];
    let green = GreenContext::with_resources(&resources)?;
    assert_eq!(green.workqueue_config()?.concurrency_limit(), 2);
    context.workqueue_config()?;
    let queues = [device()?.sm_resource()?.into(), green.workqueue()?.into(), context.workqueue()?.into()];
    drop(green);
    GreenContext::with_resources(&queues)?.close()
}
