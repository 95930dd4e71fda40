//! Cooperative launches on several devices by one call.

#![allow(unsafe_code)]

use crate::collections::IdSet;
use crate::driver::handles::Handle;
use crate::driver::operations::{OpId, SHORT, StreamId};
use crate::driver::queues::kernel_arguments::Arguments;
use crate::driver::queues::launch::{ClusterWish, KERNEL, KernelShape, plan_launch};
use crate::driver::queues::queue::Work;
use crate::driver::stream_order::OrderedStream;
use crate::driver::{Answer, Call, State};
use core::ffi::c_uint;
use core::ptr::null_mut;
use cuda_sys::{CUDA_LAUNCH_PARAMS, CUresult};

/// Launches one cooperative kernel on each device. Earlier work on any of the streams precedes all kernels, and later
/// work follows all kernels, unless the flags say otherwise.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn launch(
    call: &mut Call<'_>,
    list: *mut CUDA_LAUNCH_PARAMS,
    count: c_uint,
    flags: c_uint,
) -> Answer {
    let no_wait_before = cuda_sys::CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC;
    let no_wait_after = cuda_sys::CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
    let too_many = count as usize > call.state.devices.len();
    if list.is_null() || count == 0 || too_many || flags & !(no_wait_before | no_wait_after) != 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (mut planned, mut devices) = (Vec::new(), IdSet::new());
    for index in 0..count as usize {
        // SAFETY: within `count` elements.
        let place = unsafe { list.add(index) };
        // SAFETY: as above, and valid for a read.
        let launch = unsafe { place.read() };
        let on = call.state.stream(launch.hStream)?;
        let device = call.state.live_context(on.1)?.device;
        // These codes are measured.
        if !matches!(on.0, StreamId::Made(..)) {
            return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
        if !devices.insert(device) {
            return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
        }
        call.state.check_uncaptured(on)?;
        let shape = KernelShape {
            grid: [launch.gridDimX, launch.gridDimY, launch.gridDimZ],
            block: [launch.blockDimX, launch.blockDimY, launch.blockDimZ],
            shared_bytes: launch.sharedMemBytes,
            cooperative: true,
        };
        let (stream, cluster) = (Some(launch.hStream), ClusterWish::default());
        let arguments = Arguments::Lists { params: launch.kernelParams, extra: null_mut() };
        // SAFETY: the program's promise.
        let work = unsafe { plan_launch(call, launch.function, stream, (shape, cluster), arguments) }?;
        planned.push((on, work));
    }
    let mut launches = Vec::new();
    for (on, work) in planned {
        match call.state.begin_kernel(work, on.0) {
            Ok(running) => launches.push((on, running)),
            Err(code) => {
                launches.into_iter().for_each(|(_, running)| call.state.abandon_kernel(running));
                return Err(code);
            }
        }
    }
    let streams: Vec<_> = launches.iter().map(|(on, _)| *on).collect();
    if flags & no_wait_before == 0 {
        call.state.join_streams(&streams);
    }
    for (on, running) in launches {
        call.state.submit_work(on, KERNEL, Work::Kernel(Box::new(running)));
    }
    if flags & no_wait_after == 0 {
        call.state.join_streams(&streams);
    }
    Ok(())
}

impl State {
    /// Makes each of the streams wait for the work that is queued on the others.
    fn join_streams(&mut self, streams: &[(StreamId, Handle)]) {
        if let Some(order) = &self.order {
            let stream = |(id, context): &(StreamId, Handle)| OrderedStream {
                id: *id,
                context: *context,
                green: self.green_of(*id),
                blocking: self.is_blocking(*id),
            };
            let streams: Vec<OrderedStream> = streams.iter().map(stream).collect();
            order.join(&streams, self.present.get());
        }
        let last: Vec<(StreamId, OpId)> =
            streams.iter().filter_map(|(id, _)| Some((*id, self.queue.last_of(*id)?))).collect();
        for on in streams {
            for (_, op) in last.iter().filter(|(id, _)| *id != on.0) {
                self.submit(*on, Some(*op), SHORT, |_| Ok(()));
            }
        }
    }
}
