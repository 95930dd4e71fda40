//! Functions that copy blocks and arrays. They turn the description of the program into a plan, and execute it.

#![allow(unsafe_code)]

use crate::driver::copies::linear_copy::{DEFAULT_STREAM, NO_CONTEXTS};
use crate::driver::copies::peer_way::Way;
use crate::driver::copies::pitched_copy::{Block, CopySide, Plan};
use crate::driver::handles::Handle;
use crate::driver::operations::{StreamId, duration};
use crate::driver::{Answer, Call, State};
use core::ffi::c_void;
use core::ptr::{null_mut, with_exposed_provenance_mut};
use cuda_sys::{
    CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, CUarray, CUcontext, CUdevice, CUdeviceptr,
    CUmemorytype_enum as MemoryType, CUresult, CUstream,
};

/// Returns the sides and the size of a copy of three dimensions. Two structures have the same members.
macro_rules! sides_3d {
    ($given:expr) => {{
        let given = $given;
        // Levels are arrays of their own. The numbers of levels are ignored (measured).
        let from = CopySide {
            kind: given.srcMemoryType,
            host: given.srcHost.expose_provenance() as u64,
            device: given.srcDevice,
            array: given.srcArray,
            at: [given.srcXInBytes as u64, given.srcY as u64, given.srcZ as u64],
            pitch: given.srcPitch as u64,
            height: given.srcHeight as u64,
        };
        let to = CopySide {
            kind: given.dstMemoryType,
            host: given.dstHost.expose_provenance() as u64,
            device: given.dstDevice,
            array: given.dstArray,
            at: [given.dstXInBytes as u64, given.dstY as u64, given.dstZ as u64],
            pitch: given.dstPitch as u64,
            height: given.dstHeight as u64,
        };
        let block = Block {
            width: given.WidthInBytes as u64,
            height: given.Height as u64,
            depth: given.Depth as u64,
        };
        (to, from, block)
    }};
}

/// Queues a copy. Waits for it if the program may reuse its memory after the call.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn copy(
    call: &mut Call<'_>,
    to: &CopySide,
    from: &CopySide,
    block: Block,
    how: (CUstream, bool),
) -> Answer {
    // SAFETY: the caller's promise.
    unsafe { copy_between(call, to, from, block, NO_CONTEXTS, how) }
}

/// Queues a copy with the named contexts of its sides.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn copy_between(
    call: &mut Call<'_>,
    to: &CopySide,
    from: &CopySide,
    block: Block,
    contexts: (CUcontext, CUcontext),
    (stream, synchronous): (CUstream, bool),
) -> Answer {
    let (on_stream, context) = call.state.stream(stream)?;
    let devices = call.state.devices_of(contexts, context)?;
    if call.state.is_captured((on_stream, context))? {
        return append_copy(call, (on_stream, context), (to, from, block), devices);
    }
    let Some(mut plan) = call.state.plan_copy(to, from, block, devices)? else { return Ok(()) };
    let (to_pageable, from_pageable) = plan.pageable_ends();
    let is_managed =
        |side: &CopySide| side.kind == MemoryType::CU_MEMORYTYPE_HOST && call.state.is_managed(side.host);
    let synchronous = synchronous || is_managed(to) || is_managed(from);
    let is_awaited = !plan.is_on_devices(call.state) || plan.always_waits(call.state, context);
    let waits = (to_pageable || synchronous && is_awaited) && !plan.ends_nowhere();
    if from_pageable && !waits && !call.state.is_free(on_stream, context) {
        // SAFETY: the program's promise.
        unsafe { plan.stage(call.state) }?;
    }
    let way = call.state.way_of_plan(&plan, context);
    let op = call.state.submit_memory_work((on_stream, context), duration(plan.bytes()), move |state| {
        state.check_way(&way)?;
        // SAFETY: the program's promise: memory of the host is valid until the call returns, or was staged; what is
        // page-locked, until the copy is done.
        unsafe { state.run_copy(&mut plan) }
    });
    if waits {
        call.wait_for_latest(op);
    }
    Ok(())
}

/// Adds a node for a copy on a stream that is being captured.
pub(crate) fn append_copy(
    call: &mut Call<'_>,
    (on_stream, context): (StreamId, Handle),
    (to, from, block): (&CopySide, &CopySide, Block),
    devices: (CUdevice, CUdevice),
) -> Answer {
    // A copy of no bytes adds no node.
    if let Some(plan) = call.state.plan_copy(to, from, block, devices)? {
        let params = NodeCopy(described(to, from, block));
        let work = CopyWork { params, context, plan: Some(plan), way: Way::default() };
        call.state.append(on_stream, work);
    }
    Ok(())
}

/// Copy as the program passed it to a node.
#[derive(Clone, Copy)]
pub(crate) struct NodeCopy(pub(crate) CUDA_MEMCPY3D);

// SAFETY: the program passes the pointers for use by the driver on any thread.
unsafe impl Send for NodeCopy {}

/// Checked copy, which can be executed several times.
#[derive(Clone)]
pub(crate) struct CopyWork {
    pub(crate) params: NodeCopy,
    pub(crate) context: Handle,
    /// Plan, or `None` if there is nothing to do.
    pub(crate) plan: Option<Plan>,
    /// Way of the copy. The instantiation determines it.
    pub(crate) way: Way,
}

impl CopyWork {
    /// Returns the virtual time of the copy.
    pub(crate) fn duration(&self) -> u64 {
        duration(self.bytes())
    }

    /// Returns the number of copied bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.plan.as_ref().map_or(0, Plan::bytes)
    }

    /// Returns whether a node of an executable can make the other copy in place of this one. Both must copy one row
    /// between the same kinds of memory.
    pub(crate) fn can_become(&self, other: &CopyWork) -> bool {
        let (Some(old), Some(new)) = (&self.plan, &other.plan) else { return false };
        old.is_row() && new.is_row() && old.has_kinds_of(new)
    }
    /// Executes the copy.
    ///
    /// # Safety
    ///
    /// Memory of the host that the copy names is valid, as the driver API demands of the program.
    pub(crate) unsafe fn run(&mut self, state: &mut State) -> Answer {
        match &mut self.plan {
            Some(plan) => {
                state.check_way(&self.way)?;
                // SAFETY: the caller's promise.
                unsafe { state.run_copy(plan) }
            }
            None => Ok(()),
        }
    }
}

/// Checks a copy of a node in a context.
pub(crate) fn plan_node_copy(
    call: &mut Call<'_>,
    given: &CUDA_MEMCPY3D,
    context: Handle,
) -> Answer<CopyWork> {
    call.state.plans_nodes = true;
    let (to, from, block) = sides_3d!(given);
    let is_empty = block.width == 0 || block.height == 0 || block.depth == 0;
    let is_low = |side: &CopySide| side.height != 0 && side.height < block.height;
    // Other copies accept these (measured).
    if is_empty || is_low(&to) || is_low(&from) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let devices = call.state.devices_of(NO_CONTEXTS, context)?;
    let plan = call.state.plan_copy(&to, &from, block, devices);
    let plan = plan.map_err(|code| match code {
        CUresult::CUDA_ERROR_INVALID_HANDLE => CUresult::CUDA_ERROR_INVALID_VALUE,
        code => code,
    })?;
    Ok(CopyWork { params: NodeCopy(*given), context, plan, way: Way::default() })
}

/// Returns the description of a copy of three dimensions, in the form of the driver API.
fn described(to: &CopySide, from: &CopySide, block: Block) -> CUDA_MEMCPY3D {
    let host = |side: &CopySide| match side.kind {
        MemoryType::CU_MEMORYTYPE_HOST => with_exposed_provenance_mut(side.host as usize),
        _ => null_mut(),
    };
    let device = |side: &CopySide| match side.kind {
        MemoryType::CU_MEMORYTYPE_DEVICE | MemoryType::CU_MEMORYTYPE_UNIFIED => side.device,
        _ => 0,
    };
    CUDA_MEMCPY3D {
        srcXInBytes: from.at[0] as usize,
        srcY: from.at[1] as usize,
        srcZ: from.at[2] as usize,
        srcLOD: 0,
        srcMemoryType: from.kind,
        srcHost: host(from),
        srcDevice: device(from),
        srcArray: from.array,
        reserved0: null_mut(),
        srcPitch: from.pitch as usize,
        srcHeight: from.height as usize,
        dstXInBytes: to.at[0] as usize,
        dstY: to.at[1] as usize,
        dstZ: to.at[2] as usize,
        dstLOD: 0,
        dstMemoryType: to.kind,
        dstHost: host(to),
        dstDevice: device(to),
        dstArray: to.array,
        reserved1: null_mut(),
        dstPitch: to.pitch as usize,
        dstHeight: to.height as usize,
        WidthInBytes: block.width as usize,
        Height: block.height as usize,
        Depth: block.depth as usize,
    }
}

/// Stream and mode of calls that name no stream.
pub(crate) const SYNCHRONOUS: (CUstream, bool) = (DEFAULT_STREAM, true);

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_2d(call: &mut Call<'_>, copy: *const CUDA_MEMCPY2D) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_2d(call, copy, SYNCHRONOUS) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn block_2d(call: &mut Call<'_>, copy: *const CUDA_MEMCPY2D, how: (CUstream, bool)) -> Answer {
    if copy.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { copy.read() };
    let from = CopySide {
        kind: given.srcMemoryType,
        host: given.srcHost.expose_provenance() as u64,
        device: given.srcDevice,
        array: given.srcArray,
        at: [given.srcXInBytes as u64, given.srcY as u64, 0],
        pitch: given.srcPitch as u64,
        height: 0,
    };
    let to = CopySide {
        kind: given.dstMemoryType,
        host: given.dstHost.expose_provenance() as u64,
        device: given.dstDevice,
        array: given.dstArray,
        at: [given.dstXInBytes as u64, given.dstY as u64, 0],
        pitch: given.dstPitch as u64,
        height: 0,
    };
    let block = Block { width: given.WidthInBytes as u64, height: given.Height as u64, depth: 1 };
    // SAFETY: the program's promise.
    unsafe { self::copy(call, &to, &from, block, how) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_2d_async(
    call: &mut Call<'_>,
    copy: *const CUDA_MEMCPY2D,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_2d(call, copy, (stream, false)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d(call: &mut Call<'_>, copy: *const CUDA_MEMCPY3D) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_3d(call, copy, SYNCHRONOUS) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn block_3d(call: &mut Call<'_>, copy: *const CUDA_MEMCPY3D, how: (CUstream, bool)) -> Answer {
    if copy.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let (to, from, block) = sides_3d!(unsafe { copy.read() });
    // SAFETY: the program's promise.
    unsafe { self::copy(call, &to, &from, block, how) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d_async(
    call: &mut Call<'_>,
    copy: *const CUDA_MEMCPY3D,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_3d(call, copy, (stream, false)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d_peer(call: &mut Call<'_>, copy: *const CUDA_MEMCPY3D_PEER) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_3d_peer(call, copy, SYNCHRONOUS) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn copy_3d_peer_async(
    call: &mut Call<'_>,
    copy: *const CUDA_MEMCPY3D_PEER,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { block_3d_peer(call, copy, (stream, false)) }
}

/// Copies a block between contexts. Like other copies between devices, it does not check that the
/// memory belongs to the named contexts.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn block_3d_peer(
    call: &mut Call<'_>,
    copy: *const CUDA_MEMCPY3D_PEER,
    how: (CUstream, bool),
) -> Answer {
    if copy.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { copy.read() };
    let (to, from, block) = sides_3d!(given);
    let contexts = (given.dstContext, given.srcContext);
    // Copies between contexts cannot be captured (measured).
    let on = call.state.stream(how.0)?;
    call.state.check_uncaptured(on)?;
    // SAFETY: the program's promise.
    unsafe { copy_between(call, &to, &from, block, contexts, how) }
}

/// Returns one side of a copy of consecutive bytes.
pub(crate) fn bytes(kind: MemoryType, address: u64) -> CopySide {
    CopySide { kind, host: address, device: address, array: null_mut(), at: [0; 3], pitch: 0, height: 0 }
}

/// Returns the first row of an array, from the byte `offset` on, as one side of a copy. Arrays of
/// every shape are allowed (measured).
fn array(call: &Call<'_>, array: CUarray, offset: usize) -> Answer<CopySide> {
    call.state.images.array(array)?;
    let described = bytes(MemoryType::CU_MEMORYTYPE_ARRAY, 0);
    Ok(CopySide { array, at: [offset as u64, 0, 0], ..described })
}

pub(crate) fn line(len: usize) -> Block {
    Block { width: len as u64, height: 1, depth: 1 }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn from_host(
    call: &mut Call<'_>,
    to: CUarray,
    offset: usize,
    from: *const c_void,
    len: usize,
    how: (CUstream, bool),
) -> Answer {
    let to = array(call, to, offset)?;
    let from = bytes(MemoryType::CU_MEMORYTYPE_HOST, from.expose_provenance() as u64);
    // SAFETY: the program's promise.
    unsafe { copy(call, &to, &from, line(len), how) }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn to_host(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUarray,
    offset: usize,
    len: usize,
    how: (CUstream, bool),
) -> Answer {
    let from = array(call, from, offset)?;
    let to = bytes(MemoryType::CU_MEMORYTYPE_HOST, to.expose_provenance() as u64);
    // SAFETY: the program's promise.
    unsafe { copy(call, &to, &from, line(len), how) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_to_array(
    call: &mut Call<'_>,
    to: CUarray,
    offset: usize,
    from: *const c_void,
    len: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { from_host(call, to, offset, from, len, SYNCHRONOUS) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn array_to_host(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUarray,
    offset: usize,
    len: usize,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { to_host(call, to, from, offset, len, SYNCHRONOUS) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn host_to_array_async(
    call: &mut Call<'_>,
    to: CUarray,
    offset: usize,
    from: *const c_void,
    len: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { from_host(call, to, offset, from, len, (stream, false)) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn array_to_host_async(
    call: &mut Call<'_>,
    to: *mut c_void,
    from: CUarray,
    offset: usize,
    len: usize,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { to_host(call, to, from, offset, len, (stream, false)) }
}

pub(crate) fn device_to_array(
    call: &mut Call<'_>,
    to: CUarray,
    offset: usize,
    from: CUdeviceptr,
    len: usize,
) -> Answer {
    let to = array(call, to, offset)?;
    let from = bytes(MemoryType::CU_MEMORYTYPE_DEVICE, from);
    // SAFETY: neither side is memory of the host.
    unsafe { copy(call, &to, &from, line(len), SYNCHRONOUS) }
}

pub(crate) fn array_to_device(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    from: CUarray,
    offset: usize,
    len: usize,
) -> Answer {
    let from = array(call, from, offset)?;
    let to = bytes(MemoryType::CU_MEMORYTYPE_DEVICE, to);
    // SAFETY: neither side is memory of the host.
    unsafe { copy(call, &to, &from, line(len), SYNCHRONOUS) }
}

pub(crate) fn array_to_array(
    call: &mut Call<'_>,
    to: CUarray,
    to_offset: usize,
    from: CUarray,
    from_offset: usize,
    len: usize,
) -> Answer {
    let (to, from) = (array(call, to, to_offset)?, array(call, from, from_offset)?);
    // SAFETY: neither side is memory of the host.
    unsafe { copy(call, &to, &from, line(len), SYNCHRONOUS) }
}
