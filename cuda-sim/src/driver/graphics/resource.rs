//! Registered resources, and their mappings.
//!
//! A resource has memory of its own even while it is not mapped. A map copies the object's bytes there in stream order,
//! and an unmap copies them back. As on
//! hardware, GL does not see a change of this memory after the unmap.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::full_list;
use crate::driver::operations::{OpId, StreamId};
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::c_uint;
use cuda_sys::{
    CUarray, CUdeviceptr, CUgraphicsMapResourceFlags_enum as Flags, CUgraphicsResource, CUmipmappedArray,
    CUresult, CUstream,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NO_GL: CUresult = CUresult::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
const ALREADY_MAPPED: CUresult = CUresult::CUDA_ERROR_ALREADY_MAPPED;
const NOT_MAPPED: CUresult = CUresult::CUDA_ERROR_NOT_MAPPED;

/// Registered buffer or image.
pub(crate) struct Resource {
    context: Handle,
    /// Name of the object.
    object: u32,
    memory: Memory,
    is_mapped: bool,
    /// True if it was unmapped without GL. It cannot be mapped again (measured).
    is_stuck: bool,
    /// True if it was unregistered while mapped. A second unregistration crashes a driver (measured).
    is_ended: bool,
    /// Last map or unmap.
    op: Option<OpId>,
}

#[derive(Clone, Copy)]
pub(crate) enum Memory {
    Buffer { base: u64, size: u64 },
    Image { mipmapped: Handle },
}

#[derive(Clone, Copy)]
enum Direction {
    FromObject,
    ToObject,
}

impl Resource {
    pub(crate) fn new(context: Handle, object: u32, memory: Memory) -> Resource {
        Resource { context, object, memory, is_mapped: false, is_stuck: false, is_ended: false, op: None }
    }

    fn has_image(&self, image: Handle) -> bool {
        matches!(self.memory, Memory::Image { mipmapped } if mipmapped == image)
    }
}

impl State {
    /// Returns whether a mipmapped array is the memory of a registered image.
    pub(crate) fn is_of_graphics(&self, mipmapped: Handle) -> bool {
        self.graphics.resources.iter().any(|(_, resource)| resource.has_image(mipmapped))
    }

    /// Returns a registered resource, or one that was unregistered while mapped: it can still be
    /// unmapped (fact V981). Drivers crash on a released one.
    fn resource(&self, resource: CUgraphicsResource) -> Answer<&Resource> {
        self.graphics.resources.get(Handle::of(resource)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    fn mapped(&self, resource: CUgraphicsResource) -> Answer<&Resource> {
        let found = self.resource(resource)?;
        if found.is_mapped { Ok(found) } else { Err(NOT_MAPPED) }
    }

    /// Ends the resources of a context. The heap and the images own their memory.
    pub(crate) fn end_graphics_of_context(&mut self, context: Handle) {
        let gl = &mut self.graphics.gl;
        for (_, resource) in
            self.graphics.resources.iter().filter(|(_, resource)| resource.context == context)
        {
            if let (true, Some(object)) = (resource.is_mapped, gl.object_mut(resource.object)) {
                object.mappings -= 1;
            }
        }
        self.graphics.resources.retain(|resource| resource.context != context);
    }

    /// Returns the pieces of memory that hold the bytes of the object, in order.
    fn pieces(&self, memory: Memory) -> Vec<(*mut u8, usize)> {
        let image = |mipmapped: Handle| {
            let largest = *self.images.mipmapped.get(mipmapped)?.levels.first()?;
            let array = self.images.arrays.get(largest)?;
            let row = u64::from(array.level.size[0]) * u64::from(array.content.unit()?);
            let start = |index: u32| array.level.address + u64::from(index) * array.level.row;
            let rows = (0..array.level.size[1]).map(start);
            rows.map(|start| Some((self.heap.array_bytes(start, row)?, row as usize)))
                .collect::<Option<Vec<_>>>()
        };
        match memory {
            Memory::Buffer { base, size } => {
                self.heap.bytes_in_use(base, size).map(|place| (place, size as usize)).into_iter().collect()
            }
            Memory::Image { mipmapped } => image(mipmapped).unwrap_or_default(),
        }
    }

    /// Copies the bytes of the object to the memory of the resource, or back. Copies nothing if either no longer
    /// exists.
    fn copy_object(&mut self, resource: Handle, direction: Direction) {
        let Some(found) = self.graphics.resources.get(resource) else { return };
        let (name, memory) = (found.object, found.memory);
        let pieces = self.pieces(memory);
        let Some(object) = self.graphics.gl.object_mut(name) else { return };
        let mut left = object.bytes.as_mut_slice();
        for (place, len) in pieces {
            let Some((piece, others)) = left.split_at_mut_checked(len) else { return };
            left = others;
            match direction {
                // SAFETY: the heap has `len` bytes at the place, and the state is locked.
                Direction::FromObject => unsafe { place.copy_from_nonoverlapping(piece.as_ptr(), len) },
                // SAFETY: as above.
                Direction::ToObject => unsafe { place.copy_to_nonoverlapping(piece.as_mut_ptr(), len) },
            }
        }
    }

    /// Queues a copy after the last one of the resource.
    fn queue_copy(&mut self, on: (StreamId, Handle), resource: Handle, direction: Direction) {
        let Some(found) = self.graphics.resources.get(resource) else { return };
        let (name, last) = (found.object, found.op.filter(|op| self.queue.has(*op)));
        let op = self.submit(on, last, 0, move |state| {
            state.copy_object(resource, direction);
            Ok(())
        });
        let is_map = matches!(direction, Direction::FromObject);
        if let Some(found) = self.graphics.resources.get_mut(resource) {
            found.op = op;
            found.is_mapped = is_map;
        }
        let queue = &self.queue;
        if let Some(object) = self.graphics.gl.object_mut(name) {
            object.ops.retain(|op| queue.has(*op));
            object.ops.extend(op);
            object.mappings = if is_map { object.mappings + 1 } else { object.mappings.saturating_sub(1) };
        }
    }

    /// Returns the stream of a map or an unmap. Without a current context, the null stream belongs to the resource's
    /// context (measured).
    fn stream_for(&self, stream: CUstream, resource: CUgraphicsResource) -> Answer<(StreamId, Handle)> {
        let context = self.resource(resource)?.context;
        match self.stream(stream) {
            Err(CUresult::CUDA_ERROR_INVALID_CONTEXT) if stream.is_null() => {
                Ok((StreamId::Legacy(context), context))
            }
            answer => answer,
        }
    }
}

/// Returns the resources of a map or an unmap, and the stream.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn arguments(
    call: &mut Call<'_>,
    count: c_uint,
    resources: *mut CUgraphicsResource,
    stream: CUstream,
) -> Answer<(Vec<CUgraphicsResource>, (StreamId, Handle))> {
    // SAFETY: the program's promise.
    let resources = unsafe { full_list(resources, count as usize) }?;
    for resource in &resources {
        call.state.resource(*resource)?;
    }
    let on = call.state.stream_for(stream, *resources.first().ok_or(INVALID)?)?;
    if resources
        .iter()
        .any(|resource| call.state.resource(*resource).is_ok_and(|found| found.context != on.1))
    {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    call.state.check_uncaptured(on)?;
    call.state.check_unsafe()?;
    Ok((resources, on))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn map(
    call: &mut Call<'_>,
    count: c_uint,
    resources: *mut CUgraphicsResource,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let (resources, on) = unsafe { arguments(call, count, resources, stream) }?;
    for (index, resource) in resources.iter().enumerate() {
        if call.state.resource(*resource)?.is_mapped
            || resources.iter().take(index).any(|other| other == resource)
        {
            return Err(ALREADY_MAPPED);
        }
    }
    call.state.graphics.gl.current().ok_or(NO_GL)?;
    if resources.iter().any(|resource| call.state.resource(*resource).is_ok_and(|found| found.is_stuck)) {
        return Err(ALREADY_MAPPED);
    }
    for resource in resources {
        call.state.queue_copy(on, Handle::of(resource), Direction::FromObject);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn unmap(
    call: &mut Call<'_>,
    count: c_uint,
    resources: *mut CUgraphicsResource,
    stream: CUstream,
) -> Answer {
    // SAFETY: the program's promise.
    let (resources, on) = unsafe { arguments(call, count, resources, stream) }?;
    let has_gl = call.state.graphics.gl.current().is_some();
    for resource in &resources {
        call.state.mapped(*resource)?;
    }
    // A resource that occurs twice is already unmapped the second time. Without GL, all are unmapped (both measured).
    for resource in resources {
        call.state.mapped(resource)?;
        call.state.queue_copy(on, Handle::of(resource), Direction::ToObject);
        if let Some(found) = call.state.graphics.resources.get_mut(Handle::of(resource)) {
            found.is_stuck = !has_gl;
        }
    }
    if has_gl { Ok(()) } else { Err(NO_GL) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_pointer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    bytes: *mut usize,
    resource: CUgraphicsResource,
) -> Answer {
    let Memory::Buffer { base, size } = call.state.mapped(resource)?.memory else {
        return Err(CUresult::CUDA_ERROR_NOT_MAPPED_AS_POINTER);
    };
    // SAFETY: the program's promise. Both may be null (measured).
    unsafe { put_if_wanted(to, base) };
    // SAFETY: as above.
    unsafe { put_if_wanted(bytes, size as usize) };
    Ok(())
}

fn mapped_image(call: &Call<'_>, resource: CUgraphicsResource) -> Answer<Handle> {
    match call.state.mapped(resource)?.memory {
        Memory::Image { mipmapped } => Ok(mipmapped),
        Memory::Buffer { .. } => Err(CUresult::CUDA_ERROR_NOT_MAPPED_AS_ARRAY),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_array(
    call: &mut Call<'_>,
    to: *mut CUarray,
    resource: CUgraphicsResource,
    layer: c_uint,
    level: c_uint,
) -> Answer {
    let mipmapped = mapped_image(call, resource)?;
    let found = call.state.images.mipmapped.get(mipmapped).ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    let array = found.levels.get(level as usize).filter(|_| layer == 0).ok_or(INVALID)?;
    // SAFETY: the program's promise.
    unsafe { put(to, array.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_mipmapped(
    call: &mut Call<'_>,
    to: *mut CUmipmappedArray,
    resource: CUgraphicsResource,
) -> Answer {
    let mipmapped = mapped_image(call, resource)?;
    // SAFETY: the program's promise.
    unsafe { put(to, mipmapped.pointer()) }
}

/// Checks the flags of a map, which have no effect here. Unknown flags are `INVALID_VALUE`
/// even if the resource is mapped (measured).
pub(crate) fn set_map_flags(call: &mut Call<'_>, resource: CUgraphicsResource, flags: c_uint) -> Answer {
    let is_mapped = call.state.resource(resource)?.is_mapped;
    if flags > Flags::CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD.0 {
        return Err(INVALID);
    }
    if is_mapped { Err(ALREADY_MAPPED) } else { Ok(()) }
}

/// Unregisters a resource after all work of the context. The resource ends even if this fails because GL is missing, or
/// because the resource was unmapped without GL (measured).
pub(crate) fn unregister(call: &mut Call<'_>, resource: CUgraphicsResource) -> Answer {
    let found = call.state.graphics.resources.get_mut(Handle::of(resource)).filter(|found| !found.is_ended);
    let found = found.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if found.is_mapped {
        found.is_ended = true;
        return Err(ALREADY_MAPPED);
    }
    let (context, memory) = (found.context, found.memory);
    let answer = match call.state.graphics.gl.current() {
        Some(_) if found.is_stuck => Err(ALREADY_MAPPED),
        Some(_) => Ok(()),
        None => Err(NO_GL),
    };
    let ops = call.state.own_work(context);
    call.wait_then(ops, move |state| {
        if state.graphics.resources.remove(Handle::of(resource)).is_some() {
            match memory {
                Memory::Buffer { base, .. } => state.heap.free(base),
                Memory::Image { mipmapped } => state.remove_mipmapped(mipmapped),
            }
        }
        answer
    })
}
