//! Fills of one row or of several rows, and allocation of memory in rows.

#![allow(unsafe_code)]

use crate::driver::copies::pitched_entry_points::SYNCHRONOUS;
use crate::driver::handles::Handle;
use crate::driver::memory::device_memory;
use crate::driver::memory::heap::Kind;
use crate::driver::operations::duration;
use crate::driver::{Answer, Call, State, put};
use core::ffi::{c_uchar, c_uint, c_ushort};
use cuda_sys::{CUdevice, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUresult, CUstream};

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn alloc_pitch(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    pitch: *mut usize,
    width: usize,
    height: usize,
    element: c_uint,
) -> Answer {
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    if to.is_null() || pitch.is_null() || width == 0 || height == 0 {
        return Err(invalid);
    }
    if !matches!(element, 4 | 8 | 16) {
        // The driver writes 0 to both outputs (measured).
        // SAFETY: the program's promise.
        unsafe { put(to, 0) }?;
        // SAFETY: the program's promise.
        unsafe { put(pitch, 0) }?;
        return Err(invalid);
    }
    // Each row keeps the alignment that textures need.
    let device = call.state.live_context(call.context)?.device;
    let align = call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).max(1) as usize;
    let row = width.checked_next_multiple_of(align).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    // Driver 580 does not check for this overflow, and allocates too little
    // (conformance fact V1192).
    let bytes = row.checked_mul(height).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    // SAFETY: the program's promise.
    unsafe { device_memory::alloc(call, to, bytes) }?;
    // SAFETY: the program's promise.
    unsafe { put(pitch, row) }
}

impl State {
    /// Checks that a fill may access memory of another device. For plain memory, the context itself needs peer access
    /// to the context of the memory. Access of other contexts of its device does not count. Fills never access
    /// variables of modules there (both measured). Access to pools belongs to devices.
    pub(crate) fn check_fillable(&self, context: Handle, start: CUdeviceptr) -> Answer<CUdevice> {
        self.check_fillable_by_node(context, start)?;
        let own = self.live_context(context)?;
        if !self.has_peer_access(context, start) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(own.device)
    }

    /// Checks the same for a node of a graph, which needs no peer access (conformance fact V1176).
    fn check_fillable_by_node(&self, context: Handle, start: CUdeviceptr) -> Answer {
        let own = self.live_context(context)?.device;
        match self.heap.holding(start, 1) {
            Some(memory) if memory.kind == Kind::Variable && memory.device != own => {
                Err(CUresult::CUDA_ERROR_INVALID_VALUE)
            }
            _ => Ok(()),
        }
    }

    /// Returns whether a context has the peer access that memory needs. Only plain memory of
    /// another device needs peer access.
    fn has_peer_access(&self, context: Handle, start: CUdeviceptr) -> bool {
        let Some(own) = self.contexts.get(context) else { return true };
        self.heap.holding(start, 1).is_none_or(|memory| {
            memory.kind != Kind::Plain || memory.device == own.device || own.peers.contains(memory.context)
        })
    }
}

/// Checked fill of rows.
#[derive(Debug, Clone, Copy)]
struct Rows<const N: usize> {
    start: CUdeviceptr,
    pitch: u64,
    element: [u8; N],
    /// Elements of a row.
    width: usize,
    height: u64,
    /// Bytes from the start of the first row to the end of the last row.
    extent: u64,
}

/// Checked fill, which can be executed several times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FillWork {
    pub(crate) start: CUdeviceptr,
    /// Bytes from row to row; unused with a single row.
    pub(crate) pitch: usize,
    pub(crate) value: c_uint,
    pub(crate) element_size: c_uint,
    /// Elements of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) context: Handle,
    /// Context of device memory. `None` for memory with a host address, the heap of `malloc`, and
    /// graph memory that is not mapped yet.
    owner: Option<Handle>,
    device: CUdevice,
    extent: u64,
    host_memory: Option<u64>,
}

impl FillWork {
    /// Returns whether a node of an executable can do the other fill in place of this one. Both
    /// must have one row, or the same element size, width and height. Their memory must be of one
    /// context. Memory without an owner counts as memory of every context.
    pub(crate) fn can_become(&self, other: &FillWork) -> bool {
        let is_line = self.height <= 1 && other.height <= 1;
        let shape = |fill: &FillWork| (fill.element_size, fill.width, fill.height);
        let is_reached = self.owner.is_none() || other.owner.is_none() || self.owner == other.owner;
        is_reached && (is_line || shape(self) == shape(other))
    }

    /// Returns the virtual time of the fill.
    pub(crate) fn duration(&self) -> u64 {
        let row = self.width.saturating_mul(self.element_size as usize);
        duration(self.height.saturating_mul(row))
    }

    /// Checks that the device may access the memory, when an executable is created.
    pub(crate) fn check_access(&self, state: &State) -> Answer {
        state.check_reach(self.device, self.start, self.extent, true)
    }

    /// Executes the fill.
    pub(crate) fn run(&self, state: &mut State) -> Answer {
        state.check_still_open(self.device, self.start, self.extent, true)?;
        // All rows are in one allocation.
        if state.host_memory_at(self.start) != self.host_memory {
            return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        let value = self.value.to_ne_bytes();
        for row in 0..self.height as u64 {
            let start = self.start + row * self.pitch as u64;
            match self.element_size {
                1 => fill_now(state, start, (self.value as u8).to_ne_bytes(), self.width)?,
                2 => fill_now(state, start, (self.value as u16).to_ne_bytes(), self.width)?,
                _ => fill_now(state, start, value, self.width)?,
            }
        }
        Ok(())
    }
}

/// Returns the element of a fill as a number.
fn number_of<const N: usize>(element: [u8; N]) -> c_uint {
    match *element.as_slice() {
        [byte] => byte.into(),
        [low, high] => u16::from_ne_bytes([low, high]).into(),
        [a, b, c, d] => c_uint::from_ne_bytes([a, b, c, d]),
        _ => 0,
    }
}

impl Call<'_> {
    /// Checks a fill of a context, for a node of a graph.
    pub(crate) fn plan_fill_work(
        &mut self,
        context: Handle,
        (start, pitch): (CUdeviceptr, usize),
        (value, element_size): (c_uint, c_uint),
        (width, height): (usize, usize),
    ) -> Answer<FillWork> {
        let device = self.state.live_context(context)?.device;
        self.state.plans_nodes = true;
        let size = (width, height);
        let extent = match element_size {
            1 => self.plan_fill(context, start, pitch, [0; 1], size.0, size.1)?.map(|rows| rows.extent),
            2 => self.plan_fill(context, start, pitch, [0; 2], size.0, size.1)?.map(|rows| rows.extent),
            4 => self.plan_fill(context, start, pitch, [0; 4], size.0, size.1)?.map(|rows| rows.extent),
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        };
        // A node must fill something (measured).
        let extent = extent.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        self.state.check_fillable_by_node(context, start)?;
        self.state.check_reach(device, start, extent, true)?;
        let found = self.state.heap.holding(start, 1);
        let owner = found.filter(|found| !found.kind.has_host_address()).map(|found| found.context);
        let host_memory = self.state.host_memory_at(start);
        Ok(FillWork {
            start,
            pitch,
            value,
            element_size,
            width,
            height,
            context,
            owner,
            device,
            extent,
            host_memory,
        })
    }

    /// Checks a fill. Returns `None` if there is nothing to do.
    fn plan_fill<const N: usize>(
        &self,
        context: Handle,
        start: CUdeviceptr,
        pitch: usize,
        element: [u8; N],
        width: usize,
        height: usize,
    ) -> Answer<Option<Rows<N>>> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        if width == 0 || height == 0 {
            return Ok(None);
        }
        let row = width.checked_mul(N).ok_or(invalid)?;
        let (size, pitch, height) = (N as u64, pitch as u64, height as u64);
        if !start.is_multiple_of(size) || (height > 1 && (pitch < row as u64 || !pitch.is_multiple_of(size)))
        {
            return Err(invalid);
        }
        let extent = pitch.checked_mul(height - 1).and_then(|rows| rows.checked_add(row as u64));
        let extent = extent.ok_or(invalid)?;
        // The API forbids access to the heap of `malloc` in kernels. Fills of it work
        // (conformance fact V1035).
        if !self.state.heap.is_of_malloc_heap(context, start, extent) {
            self.state.check_writable(start, extent)?;
        }
        // A fill must not cross a border into a mapping whose last access setting was for the host.
        // It may begin in such a mapping (conformance facts V1059 and V1068).
        if self.state.heap.ranges.goes_on_in_host_access(start, extent) {
            return Err(invalid);
        }
        Ok(Some(Rows { start, pitch, element, width, height, extent }))
    }

    fn fill_row<const N: usize>(
        &mut self,
        start: CUdeviceptr,
        element: [u8; N],
        count: usize,
        how: (CUstream, bool),
    ) -> Answer {
        self.fill_rows(start, 0, element, (count, 1), how)
    }

    fn fill_rows<const N: usize>(
        &mut self,
        start: CUdeviceptr,
        pitch: usize,
        element: [u8; N],
        (width, height): (usize, usize),
        (stream, synchronous): (CUstream, bool),
    ) -> Answer {
        let on = self.state.stream(stream)?;
        let Some(rows) = self.plan_fill(on.1, start, pitch, element, width, height)? else { return Ok(()) };
        let device = self.state.check_fillable(on.1, start)?;
        self.state.check_reach(device, start, rows.extent, true)?;
        if self.state.is_captured(on)? {
            let (value, size) = ((number_of(element), N as c_uint), (width, height));
            let work = self.plan_fill_work(on.1, (start, pitch), value, size)?;
            self.state.append(on.0, work);
            return Ok(());
        }
        let time = duration((rows.height as usize).saturating_mul(width * N));
        let host_memory = self.state.host_memory_at(start);
        let is_awaited = host_memory.is_some() || self.state.always_waits(on.1, start);
        let op = self.state.submit_memory_work(on, time, move |state| {
            state.check_still_open(device, rows.start, rows.extent, true)?;
            if !state.has_peer_access(on.1, rows.start) {
                return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
            }
            // All rows are in one allocation.
            if state.host_memory_at(rows.start) != host_memory {
                return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
            }
            for row in 0..rows.height {
                fill_now(state, rows.start + row * rows.pitch, rows.element, rows.width)?;
            }
            Ok(())
        });
        if op.is_some() && self.state.order.is_some() {
            let len = (rows.width as u64).saturating_mul(N as u64);
            for row in 0..rows.height {
                self.state.note_queued_use(op, rows.start + row * rows.pitch, len, true);
            }
        }
        if synchronous && is_awaited {
            self.wait_for_latest(op);
        }
        Ok(())
    }
}

/// Fills `count` elements of memory that was checked when the fill was queued.
fn fill_now<const N: usize>(state: &mut State, to: CUdeviceptr, element: [u8; N], count: usize) -> Answer {
    let len = (count as u64).saturating_mul(N as u64);
    state.note_use(to, len, true);
    let start = state.bytes(to, len).map_err(|_| CUresult::CUDA_ERROR_ILLEGAL_ADDRESS)?;
    let start = start.cast::<[u8; N]>();
    for index in 0..count {
        // SAFETY: `count` elements fit, as the check has shown.
        let element_at = unsafe { start.add(index) };
        // SAFETY: within the memory, which nothing else touches while the state is locked.
        unsafe { element_at.write(element) };
    }
    Ok(())
}

pub(crate) fn set8(call: &mut Call<'_>, to: CUdeviceptr, value: c_uchar, count: usize) -> Answer {
    call.fill_row(to, [value], count, SYNCHRONOUS)
}

pub(crate) fn set16(call: &mut Call<'_>, to: CUdeviceptr, value: c_ushort, count: usize) -> Answer {
    call.fill_row(to, value.to_ne_bytes(), count, SYNCHRONOUS)
}

pub(crate) fn set32(call: &mut Call<'_>, to: CUdeviceptr, value: c_uint, count: usize) -> Answer {
    call.fill_row(to, value.to_ne_bytes(), count, SYNCHRONOUS)
}

pub(crate) fn set8_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_uchar,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.fill_row(to, [value], count, (stream, false))
}

pub(crate) fn set16_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_ushort,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.fill_row(to, value.to_ne_bytes(), count, (stream, false))
}

pub(crate) fn set32_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    value: c_uint,
    count: usize,
    stream: CUstream,
) -> Answer {
    call.fill_row(to, value.to_ne_bytes(), count, (stream, false))
}

pub(crate) fn set8_rows(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
) -> Answer {
    call.fill_rows(to, pitch, [value], (width, height), SYNCHRONOUS)
}

pub(crate) fn set16_rows(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
) -> Answer {
    call.fill_rows(to, pitch, value.to_ne_bytes(), (width, height), SYNCHRONOUS)
}

pub(crate) fn set32_rows(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
) -> Answer {
    call.fill_rows(to, pitch, value.to_ne_bytes(), (width, height), SYNCHRONOUS)
}

pub(crate) fn set8_rows_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_uchar,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Answer {
    call.fill_rows(to, pitch, [value], (width, height), (stream, false))
}

pub(crate) fn set16_rows_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_ushort,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Answer {
    call.fill_rows(to, pitch, value.to_ne_bytes(), (width, height), (stream, false))
}

pub(crate) fn set32_rows_async(
    call: &mut Call<'_>,
    to: CUdeviceptr,
    pitch: usize,
    value: c_uint,
    width: usize,
    height: usize,
    stream: CUstream,
) -> Answer {
    call.fill_rows(to, pitch, value.to_ne_bytes(), (width, height), (stream, false))
}
