//! Batches of copies: one driver call queues many copies as one operation of a stream. The copies of a batch have no
//! order. The schedules `lazy` and `random`, which detect forgotten waits, run them in another order than the list.

#![allow(unsafe_code)]

use crate::config::Schedule;
use crate::console::say;
use crate::driver::copies::linear_copy::NO_CONTEXTS;
use crate::driver::copies::pitched_copy::{Block, CopySide, Plan};
use crate::driver::copies::pitched_entry_points::{bytes, line};
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::{full_list, groups};
use crate::driver::operations::{StreamId, duration};
use crate::driver::{Answer, Call, State, put_if_wanted};
use core::ffi::c_ulonglong;
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_MEMCPY3D_BATCH_OP, CUdeviceptr, CUextent3D, CUmemLocation, CUmemLocationType_enum as LocationType,
    CUmemcpy3DOperand, CUmemcpy3DOperandType_enum as OperandType, CUmemcpyAttributes,
    CUmemcpyFlags_enum as Flags, CUmemcpySrcAccessOrder, CUmemcpySrcAccessOrder_enum as Order,
    CUmemorytype_enum as MemoryType, CUresult, CUstream,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Code of a failure, and the index of the copy that failed, if the failure belongs to a copy.
struct Failure(CUresult, Option<usize>);

impl From<CUresult> for Failure {
    fn from(code: CUresult) -> Failure {
        Failure(code, None)
    }
}

/// Checks a hint. Hints have no effect, but must name an existing location (measured).
fn check_hint(state: &State, hint: &CUmemLocation) -> Answer {
    // SAFETY: every type of location has a number there, used or not.
    let id = unsafe { hint.__bindgen_anon_1.id };
    match hint.type_ {
        LocationType::CU_MEM_LOCATION_TYPE_DEVICE => state.device(id).map(drop).map_err(|_| INVALID),
        LocationType::CU_MEM_LOCATION_TYPE_NONE
        | LocationType::CU_MEM_LOCATION_TYPE_HOST
        | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA
        | LocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Ok(()),
        _ => Err(INVALID),
    }
}

/// Checks the order and the flags of a copy.
fn check_manner(order: CUmemcpySrcAccessOrder, flags: u32) -> Answer {
    let known = [
        Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
        Order::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
        Order::CU_MEMCPY_SRC_ACCESS_ORDER_ANY,
    ];
    let has_others = flags & !Flags::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE.0 != 0;
    if known.contains(&order) && !has_others { Ok(()) } else { Err(INVALID) }
}

/// Queues copies that have passed all checks. Waits for them if a pageable source must be read in stream order,
/// or another source during the call (measured). Reads all other pageable sources before it returns.
///
/// # Safety
///
/// Memory of the program is valid, as the driver API demands: pageable sources until the call returns, all other memory
/// until the copies are done.
unsafe fn submit(
    call: &mut Call<'_>,
    (on_stream, context): (StreamId, Handle),
    copies: Vec<(Plan, CUmemcpySrcAccessOrder)>,
) -> Answer {
    let is_free = call.state.is_free(on_stream, context);
    let mut waits = false;
    let mut plans = Vec::with_capacity(copies.len());
    for (mut plan, order) in copies {
        let (_, from_pageable) = plan.pageable_ends();
        let in_order = order == Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        let during_call = order == Order::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
        if from_pageable && !in_order && !is_free {
            // SAFETY: the caller's promise.
            unsafe { plan.stage(call.state) }?;
        }
        waits |= if from_pageable { in_order } else { during_call };
        plans.push(plan);
    }
    let bytes = plans.iter().map(Plan::bytes).fold(0, usize::saturating_add);
    let op = call.state.submit_memory_work((on_stream, context), duration(bytes), move |state| {
        match state.config.schedule {
            Schedule::Eager | Schedule::Replay(_) => {}
            Schedule::Lazy => plans.reverse(),
            Schedule::Random(_) => {
                for last in (1..plans.len()).rev() {
                    plans.swap(last, (state.chance() % (last as u64 + 1)) as usize);
                }
            }
        }
        // SAFETY: the caller's promise: memory of the program is valid until this is done, or was staged.
        plans.iter_mut().try_for_each(|plan| unsafe { state.run_copy(plan) })
    });
    if waits {
        call.wait_for_latest(op);
    }
    Ok(())
}

/// Lists of a call.
struct Lists {
    to: *const CUdeviceptr,
    from: *const CUdeviceptr,
    sizes: *const usize,
    count: usize,
    attributes: *const CUmemcpyAttributes,
    starts: *const usize,
    attribute_count: usize,
}

/// # Safety
///
/// As the driver API demands.
unsafe fn copy_lists(call: &mut Call<'_>, lists: &Lists, stream: CUstream) -> Result<(), Failure> {
    let on = call.state.stream_for_batch(stream)?;
    // SAFETY: the program's promise.
    let to = unsafe { full_list(lists.to, lists.count) }?;
    // SAFETY: the program's promise.
    let from = unsafe { full_list(lists.from, lists.count) }?;
    // SAFETY: the program's promise.
    let sizes = unsafe { full_list(lists.sizes, lists.count) }?;
    if lists.attribute_count > lists.count {
        return Err(INVALID.into());
    }
    // SAFETY: the program's promise.
    let attributes = unsafe { full_list(lists.attributes, lists.attribute_count) }?;
    // SAFETY: the program's promise.
    let groups = groups(&unsafe { full_list(lists.starts, lists.attribute_count) }?, lists.count)?;
    for given in &attributes {
        check_manner(given.srcAccessOrder, given.flags)?;
        check_hint(call.state, &given.srcLocHint)?;
        check_hint(call.state, &given.dstLocHint)?;
    }
    let devices = call.state.devices_of(NO_CONTEXTS, on.1)?;
    let mut copies = Vec::with_capacity(to.len());
    let ends = to.into_iter().zip(from).zip(sizes).zip(groups).enumerate();
    for (index, (((to, from), size), group)) in ends {
        let [to, from] = [to, from].map(|address| bytes(MemoryType::CU_MEMORYTYPE_UNIFIED, address));
        // A copy of no bytes is refused (measured).
        let plan = call.state.plan_copy(&to, &from, line(size), devices).and_then(|plan| plan.ok_or(INVALID));
        let plan = plan.map_err(|code| Failure(code, Some(index)))?;
        copies.push((plan, attributes[group].srcAccessOrder));
    }
    // SAFETY: the program's promise.
    Ok(unsafe { submit(call, on, copies) }?)
}

/// Writes the index of the copy that failed. Writes `usize::MAX` if no copy failed, or the failure belongs
/// to no copy (measured).
///
/// # Safety
///
/// `failed` is null or valid for a write.
unsafe fn answer(failed: *mut usize, outcome: Result<(), Failure>) -> Answer {
    let (answer, index) = match outcome {
        Ok(()) => (Ok(()), None),
        Err(Failure(code, index)) => (Err(code), index),
    };
    // SAFETY: the caller's promise.
    unsafe { put_if_wanted(failed, index.unwrap_or(usize::MAX)) };
    answer
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn copy_with_index(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    from: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attributes: *mut CUmemcpyAttributes,
    starts: *mut usize,
    attribute_count: usize,
    failed: *mut usize,
    stream: CUstream,
) -> Answer {
    let lists = Lists { to, from, sizes, count, attributes, starts, attribute_count };
    // SAFETY: the program's promise.
    let outcome = unsafe { copy_lists(call, &lists, stream) };
    // SAFETY: the program's promise.
    unsafe { answer(failed, outcome) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn copy(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    from: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attributes: *mut CUmemcpyAttributes,
    starts: *mut usize,
    attribute_count: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe {
        copy_with_index(call, to, from, sizes, count, attributes, starts, attribute_count, null_mut(), stream)
    }
}

/// Returns the stream of a single copy with attributes. Such copies are not simulated on streams that refuse batches,
/// because the driver's answers are not measured.
fn stream_of_one(call: &Call<'_>, stream: CUstream) -> Answer<(StreamId, Handle)> {
    call.state.stream_for_batch(stream).map_err(|code| match code {
        INVALID | CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED => {
            say("copies with attributes on the legacy stream and in captures are not simulated");
            CUresult::CUDA_ERROR_NOT_SUPPORTED
        }
        code => code,
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_one(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUdeviceptr,
    size: usize,
    attributes: *mut CUmemcpyAttributes,
    stream: CUstream,
) -> Answer {
    // The attributes apply from the first copy on.
    let first = 0;
    let (to, from, sizes, starts) = (&raw const to, &raw const from, &raw const size, &raw const first);
    let lists = Lists { to, from, sizes, count: 1, attributes, starts, attribute_count: 1 };
    stream_of_one(call, stream)?;
    // SAFETY: the lists have one element each; the rest is the program's promise.
    unsafe { copy_lists(call, &lists, stream) }.map_err(|Failure(code, _)| code)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_one_3d(
    call: &mut Call<'_>,
    op: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    stream_of_one(call, stream)?;
    // SAFETY: the program's promise.
    unsafe { copy_blocks(call, (1, op), flags, stream) }.map_err(|Failure(code, _)| code)
}

/// Returns the size in bytes of an element, or of a block, of an array (measured). A pointer has no element size of its
/// own.
fn element_of(call: &Call<'_>, operand: &CUmemcpy3DOperand) -> Answer<Option<u64>> {
    match operand.type_ {
        OperandType::CU_MEMCPY_OPERAND_TYPE_POINTER => Ok(None),
        OperandType::CU_MEMCPY_OPERAND_TYPE_ARRAY => {
            // SAFETY: the type determines the member.
            let array = call.state.images.array(unsafe { operand.op.array }.array)?;
            let Some(bytes) = array.content.unit() else {
                say("batches of copies of arrays in planes are not simulated");
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            };
            Ok(Some(u64::from(bytes)))
        }
        _ => Err(INVALID),
    }
}

/// Returns one side of a copy. The hints of `operand` are ignored (measured).
fn side(operand: &CUmemcpy3DOperand, element: u64, extent: CUextent3D) -> Answer<CopySide> {
    if operand.type_ == OperandType::CU_MEMCPY_OPERAND_TYPE_ARRAY {
        // SAFETY: the type determines the member.
        let given = unsafe { operand.op.array };
        let x = (given.offset.x as u64).checked_mul(element).ok_or(INVALID)?;
        let described = bytes(MemoryType::CU_MEMORYTYPE_ARRAY, 0);
        let at = [x, given.offset.y as u64, given.offset.z as u64];
        return Ok(CopySide { array: given.array, at, ..described });
    }
    // SAFETY: the type determines the member.
    let given = unsafe { operand.op.ptr };
    let fits = |given: usize, needed: usize| given == 0 || given >= needed;
    if !fits(given.rowLength, extent.width) || !fits(given.layerHeight, extent.height) {
        return Err(INVALID);
    }
    let pitch = (given.rowLength as u64).checked_mul(element).ok_or(INVALID)?;
    let described = bytes(MemoryType::CU_MEMORYTYPE_UNIFIED, given.ptr);
    Ok(CopySide { pitch, height: given.layerHeight as u64, ..described })
}

/// Returns the sides of a copy, and its size.
fn sides_3d(call: &Call<'_>, given: &CUDA_MEMCPY3D_BATCH_OP) -> Answer<(CopySide, CopySide, Block)> {
    check_manner(given.srcAccessOrder, given.flags)?;
    let extent = given.extent;
    if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
        return Err(INVALID);
    }
    let element = match (element_of(call, &given.dst)?, element_of(call, &given.src)?) {
        (Some(to), Some(from)) if to != from => return Err(INVALID),
        (to, from) => to.or(from).unwrap_or(1),
    };
    let to = side(&given.dst, element, extent)?;
    let from = side(&given.src, element, extent)?;
    let width = (extent.width as u64).checked_mul(element).ok_or(INVALID)?;
    Ok((to, from, Block { width, height: extent.height as u64, depth: extent.depth as u64 }))
}

/// # Safety
///
/// As the driver API demands.
unsafe fn copy_blocks(
    call: &mut Call<'_>,
    (count, ops): (usize, *const CUDA_MEMCPY3D_BATCH_OP),
    flags: c_ulonglong,
    stream: CUstream,
) -> Result<(), Failure> {
    let on = call.state.stream_for_batch(stream)?;
    if flags != 0 {
        return Err(INVALID.into());
    }
    let devices = call.state.devices_of(NO_CONTEXTS, on.1)?;
    let mut copies = Vec::new();
    // SAFETY: the program's promise.
    for (index, given) in unsafe { full_list(ops, count) }?.iter().enumerate() {
        let (to, from, block) = sides_3d(call, given).map_err(|code| Failure(code, Some(index)))?;
        // The index of a copy that exceeds its memory is not reported (measured).
        let plan = call.state.plan_copy(&to, &from, block, devices)?.ok_or(INVALID)?;
        copies.push((plan, given.srcAccessOrder));
    }
    // SAFETY: the program's promise.
    Ok(unsafe { submit(call, on, copies) }?)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d_with_index(
    call: &mut Call<'_>,
    count: usize,
    ops: *mut CUDA_MEMCPY3D_BATCH_OP,
    failed: *mut usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let outcome = unsafe { copy_blocks(call, (count, ops), flags, stream) };
    // SAFETY: the program's promise.
    unsafe { answer(failed, outcome) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d(
    call: &mut Call<'_>,
    count: usize,
    ops: *mut CUDA_MEMCPY3D_BATCH_OP,
    flags: c_ulonglong,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { copy_3d_with_index(call, count, ops, null_mut(), flags, stream) }
}
