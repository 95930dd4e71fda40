//! Green contexts, and resources of devices.

use super::Catalogue;
use crate::world::World;
use cuda_rt::green::{
    DevResource, GreenContext, SmGroup, SmGroupFlags, SmResource, SmSplit, SmSplitFlags, Workqueue,
    WorkqueueConfig, WorkqueueScope,
};
use cuda_rt::{Event, Stream};
use std::collections::HashSet;

fn all(world: &World) -> SmResource {
    world.near.sm_resource().unwrap()
}

/// Checks that the resource can still be split.
fn all_works(all: &mut SmResource, _: &World) {
    assert_eq!(all.split_off(1, 8, SmSplitFlags::DEFAULT).unwrap().groups.len(), 1);
}

fn split(world: &World) -> SmSplit {
    all(world).split_off(1, 8, SmSplitFlags::DEFAULT).unwrap()
}

fn green(world: &World) -> GreenContext {
    GreenContext::new(&all(world)).unwrap()
}

fn green_works(green: &mut GreenContext, world: &World) {
    let event = Event::new(green.context()).unwrap();
    event.record(&green.stream().unwrap()).unwrap().synchronize().unwrap();
    assert_eq!(green.device(), world.near);
}

fn stream(world: &World) -> Stream {
    green(world).stream().unwrap()
}

fn stream_works(stream: &mut Stream, _: &World) {
    stream.synchronize().unwrap();
}

fn config(world: &World) -> WorkqueueConfig {
    world.near.workqueue_config().unwrap()
}

fn queues(world: &World) -> Workqueue {
    green(world).workqueue().unwrap()
}

fn event(world: &World) -> (GreenContext, Event) {
    let green = green(world);
    let event = Event::new(green.context()).unwrap();
    (green, event)
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Device::sm_resource", |_, w| w.near.sm_resource())
        .refuses("Device::workqueue_config", |_, w| w.near.workqueue_config())
        .refuses("Context::sm_resource", |_, w| w.context.sm_resource())
        .refuses("Context::workqueue_config", |_, w| w.context.workqueue_config())
        .refuses("Context::workqueue", |_, w| w.context.workqueue())
        .answers(
            "SmGroup::{new, coscheduled, preferred_coscheduled, flags, locality_domain, count}",
            |_, _| {
                let group = SmGroup::new(8).coscheduled(4).preferred_coscheduled(8);
                group.flags(SmGroupFlags::BACKFILL).locality_domain(1).count()
            },
        );
    c.of(all, all_works)
        .refuses("SmResource::group_count", |all, _| all.group_count(8, SmSplitFlags::DEFAULT))
        .refuses("SmResource::split_by_count", |all, _| all.split_by_count(8, SmSplitFlags::DEFAULT))
        .refuses("SmResource::split_off", |all, _| all.split_off(1, 8, SmSplitFlags::DEFAULT))
        .refuses("SmResource::split", |all, _| all.split(&[SmGroup::new(8)]))
        .refuses("SmResource::discover_groups", |all, _| all.discover_groups(&[SmGroup::new(8)]))
        .refuses("GreenContext::new", |all, _| GreenContext::new(all))
        .refuses("GreenContext::with_resources", |all, _| {
            GreenContext::with_resources(&[DevResource::from(&*all)])
        })
        .answers("DevResource::device; DevResource: {Clone, Debug, Drop, From<SmResource>, From<&SmResource>}", |all, _| {
            let resources = [DevResource::from(all.clone()), DevResource::from(&*all)];
            format!("{:?} {:?}", resources.clone(), resources[0].device())
        })
        .answers(
            "SmResource::{device, count, min_partition_size, coscheduled_alignment}; SmResource: {Clone, Debug, Drop}",
            |all, _| {
                let sizes = (all.count(), all.min_partition_size(), all.coscheduled_alignment());
                (format!("{:?}", all.clone()), all.device(), sizes)
            },
        );
    c.of(split, |split, _| assert_eq!(split.groups.len(), 1))
        .answers("SmSplit: {Clone, Debug, Drop}", |split, _| format!("{:?}", split.clone()));
    c.of(green, green_works)
        .refuses("GreenContext::sm_resource", |g, _| g.sm_resource())
        .refuses("GreenContext::workqueue_config", |g, _| g.workqueue_config())
        .refuses("GreenContext::workqueue", |g, _| g.workqueue())
        .refuses("GreenContext::id", |g, _| g.id())
        .refuses("GreenContext::enter", |g, _| g.enter().map(drop))
        .refuses("GreenContext::synchronize", |g, _| g.synchronize())
        .refuses("GreenContext::stream", |g, _| g.stream())
        .refuses("GreenContext::stream_with_priority", |g, _| g.stream_with_priority(-1))
        .answers("GreenContext::{context, device, as_raw, as_raw_context}", |g, w| {
            (*g.context() == w.context, g.device(), g.as_raw().is_null(), g.as_raw_context().is_null())
        })
        .answers("GreenContext: {Debug, Hash, PartialEq}", |g, _| {
            (format!("{g:?}"), HashSet::from([g.clone()]).contains(g))
        })
        .consumes("GreenContext::close", |g, _| g.close())
        .drops("GreenContext: {Clone, Drop}");
    c.of(event, |(green, _), world| green_works(green, world))
        .refuses("GreenContext::record_event", |(green, event), _| green.record_event(event))
        .refuses("GreenContext::wait_event", |(green, event), _| green.wait_event(event));
    c.of(stream, stream_works)
        .refuses("Stream::sm_resource", |s, _| s.sm_resource())
        .answers("Stream::green_context", |s, _| s.green_context().is_some());
    c.of(config, |_, _| ())
        .answers(
            "WorkqueueConfig::{device, concurrency_limit, scope, with_concurrency_limit, with_scope}",
            |config, _| {
                let other = config.clone().with_concurrency_limit(3).with_scope(WorkqueueScope::AllContexts);
                (config.device(), other.concurrency_limit(), format!("{:?} {other:?}", config.scope()))
            },
        )
        .answers("WorkqueueConfig: {Clone, Debug, Drop}; DevResource: From<WorkqueueConfig>", |config, _| {
            format!("{:?}", DevResource::from(config.clone()))
        });
    c.of(queues, |_, _| ())
        .answers("Workqueue::device; Workqueue: {Clone, Debug}; DevResource: From<Workqueue>", |queues, _| {
            (queues.device(), format!("{:?}", DevResource::from(queues.clone())))
        })
        .drops("Workqueue: Drop");
}
