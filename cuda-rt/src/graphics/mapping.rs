//! Mapped resources.

#![allow(unsafe_code)]

use super::GraphicsResource;
use crate::array::{Array, MipmappedArray};
use crate::context::{different_contexts, release_in};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing};
use crate::list::CollectVec;
use crate::memory::{DevicePtr, DeviceSlice, DeviceSliceMut, OrderedOwner, wait_for_other_devices};
use crate::stream::Stream;
use bytemuck::AnyBitPattern;
use core::ffi::c_uint;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUgraphicsResource, Symbol};
use std::sync::Arc;

const MAP: Symbol = Symbol::cuGraphicsMapResources;
const UNMAP: Symbol = Symbol::cuGraphicsUnmapResources;
const GET_POINTER: Symbol = Symbol::cuGraphicsResourceGetMappedPointer_v2;
const GET_MIPMAPPED: Symbol = Symbol::cuGraphicsResourceGetMappedMipmappedArray;

/// Resources that CUDA uses between two points in the order of a stream.
///
/// Dropping the mapping unmaps the resources: the graphics library may use them again. Arrays of the mapping keep it alive.
/// Earlier work of the stream is done before the graphics library uses the resources again. Work on other streams must be ordered
/// before the unmapping, for instance by [`Stream::wait_stream`].
///
/// A resource of GL needs its [GL context](GraphicsResource#gl-contexts) when it is mapped and when it is unmapped. If unmapping
/// fails, the resources may stay mapped, and cannot be mapped again.
///
/// # Blocking
///
/// Mapping does not wait for the device. Unmapping waits for the stream only if copies of this crate from or to other
/// devices may be running. If the mapping has the last handle to a resource, dropping it also unregisters the resource,
/// which [waits](GraphicsResource#blocking).
pub struct Mapping(Arc<Owned<Mapped>>);

struct Mapped {
    resources: Box<[GraphicsResource]>,
    stream: Stream,
}

/// The driver takes a mutable array, and does not promise to leave it unchanged.
fn handles(resources: &[GraphicsResource]) -> Vec<CUgraphicsResource> {
    resources.iter().map(GraphicsResource::as_raw).collect_vec()
}

impl Mapping {
    /// Maps resources for work on `stream`: all of them, or none. Wraps `cuGraphicsMapResources`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no resources, a resource belongs to another
    ///   context than the stream, or a resource is an EGL image.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::AlreadyMapped`]: a resource is mapped, or is named twice.
    /// - [`Code::InvalidGraphicsContext`]: no [GL context](GraphicsResource#gl-contexts) is current.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsMapResources", "cudaGraphicsMapResources"))]
    pub fn new(resources: &[GraphicsResource], stream: &Stream) -> Result<Mapping> {
        if resources.is_empty() {
            return Err(Error::invalid_for(
                MAP,
                format_args!("0 resources are fewer than 1; name a resource"),
            ));
        }
        let is_elsewhere =
            |(_, resource): &(usize, &GraphicsResource)| resource.context() != stream.context();
        if let Some((index, resource)) = resources.iter().enumerate().find(is_elsewhere) {
            let named = format!("resource {index}");
            let objects = [(&*named, resource.context()), ("the stream", stream.context())];
            return Err(different_contexts(MAP, objects));
        }
        if let Some(index) = resources.iter().position(|resource| resource.0.is_always_mapped) {
            return Err(Error::invalid_for(
                MAP,
                format_args!("resource {index} is an EGL image, which is always mapped; use `egl_frame`"),
            ));
        }
        stream.refuse_capture(MAP)?;
        let mut raw = handles(resources);
        let count = raw.len() as c_uint;
        let bound = stream.context().bind(MAP)?;
        // SAFETY: the resources and the stream are live, and of one context. The array has `count` elements.
        let mapped = unsafe { check!(cuGraphicsMapResources(count, raw.as_mut_ptr(), stream.raw())) };
        drop(bound);
        if let Err(error) = mapped {
            // These leave all as they were (fact V981). Other failures may be of earlier work.
            if !matches!(error.code(), Some(Code::AlreadyMapped | Code::InvalidGraphicsContext)) {
                resources.iter().for_each(|resource| resource.note_leftover(true));
            }
            return Err(error);
        }
        let mapped = Mapped { resources: resources.into(), stream: stream.clone() };
        Ok(Mapping(Arc::new(Owned::new(mapped))))
    }

    /// Returns the resources, in the order in which they were named.
    pub fn resources(&self) -> &[GraphicsResource] {
        &self.0.resources
    }

    /// Returns the stream in whose order the resources are mapped and unmapped.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    fn resource(&self, index: usize) -> Result<&GraphicsResource> {
        let len = self.0.resources.len();
        let outside = || Error::out_of_bounds("mapping", index, index.saturating_add(1), len);
        self.0.resources.get(index).ok_or_else(outside)
    }

    /// Returns the address and the number of bytes of a buffer.
    fn memory(&self, index: usize) -> Result<(u64, usize)> {
        let resource = self.resource(index)?;
        let _bound = resource.context().bind(GET_POINTER)?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: both are valid for writes; the resource is live.
        unsafe {
            check!(cuGraphicsResourceGetMappedPointer_v2(&raw mut address, &raw mut bytes, resource.as_raw()))
        }
        .or_detail(&[Code::NotMappedAsPointer], &|| format!("resource {index} is an image; use `array`"))?;
        Ok((address, bytes))
    }

    /// Returns the address and the number of elements of a buffer.
    fn elements<T>(&self, index: usize) -> Result<(DevicePtr<T>, usize)> {
        let (address, bytes) = self.memory(index)?;
        if size_of::<T>() == 0 || bytes % size_of::<T>() != 0 || address % align_of::<T>() as u64 != 0 {
            return Err(Error::invalid_for(
                GET_POINTER,
                format_args!(
                    "{bytes} bytes at {address:#x} are no whole number of elements of {} bytes, aligned to {}; use another type",
                    size_of::<T>(),
                    align_of::<T>()
                ),
            ));
        }
        Ok((DevicePtr::from_raw(address), bytes / size_of::<T>()))
    }

    /// Returns the memory of a buffer, for reading. `index` is the index of the resource. Wraps
    /// `cuGraphicsResourceGetMappedPointer`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there is no such resource.
    /// - The same kind: the size of the buffer is not a multiple of the element size, the element size is 0, or the
    ///   address is not aligned for the elements.
    /// - [`Code::NotMappedAsPointer`]: the resource is an image.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsResourceGetMappedPointer", "cudaGraphicsResourceGetMappedPointer"))]
    pub fn slice<T: AnyBitPattern>(&self, index: usize) -> Result<DeviceSlice<'_, T>> {
        let (ptr, len) = self.elements(index)?;
        // SAFETY: the elements stay mapped as long as the view, and are unmapped in the order of the stream. No other code
        // writes to them meanwhile: the code that registered the resource has promised it, and `slice_mut` borrows the
        // mapping.
        Ok(unsafe { DeviceSlice::from_raw_parts(ptr, len, self.stream()) })
    }

    /// Returns the memory of a buffer, for writing. `index` is the index of the resource. Wraps
    /// `cuGraphicsResourceGetMappedPointer`.
    ///
    /// # Errors
    ///
    /// Same as [`slice`](Self::slice).
    #[doc(alias("cuGraphicsResourceGetMappedPointer", "cudaGraphicsResourceGetMappedPointer"))]
    pub fn slice_mut<T: AnyBitPattern>(&mut self, index: usize) -> Result<DeviceSliceMut<'_, T>> {
        let (ptr, len) = self.elements(index)?;
        // SAFETY: as for `slice`; the mapping is borrowed mutably.
        Ok(unsafe { DeviceSliceMut::from_raw_parts(ptr, len, self.stream()) })
    }

    /// Keeps the mapping as long as an array. The end of the mapping comes in the order of the array's stream.
    fn owner(&self) -> OrderedOwner {
        let mapped = Arc::clone(&self.0);
        OrderedOwner::new(move || Owned::close_last(mapped))
    }

    /// Returns a part of an image. `index` is the index of the resource, `layer` of the layer or face of a cube, and `level` of
    /// the level. The array keeps the mapping alive. Wraps `cuGraphicsSubResourceGetMappedArray` and `cuArray3DGetDescriptor`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there is no such resource.
    /// - [`Code::NotMappedAsArray`]: the resource is a buffer.
    /// - [`Code::InvalidValue`]: the image has no such layer or level.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsSubResourceGetMappedArray", "cudaGraphicsSubResourceGetMappedArray"))]
    pub fn array(&self, index: usize, layer: u32, level: u32) -> Result<Array> {
        let resource = self.resource(index)?;
        let bound = resource.context().bind(Symbol::cuGraphicsSubResourceGetMappedArray)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the resource is live.
        unsafe { check!(cuGraphicsSubResourceGetMappedArray(&raw mut raw, resource.as_raw(), layer, level)) }
            .or_detail(&[Code::InvalidValue], &|| format!("layer {layer}, level {level}"))
            .or_detail(&[Code::NotMappedAsArray], &|| format!("resource {index} is a buffer; use `slice`"))?;
        drop(bound);
        // SAFETY: the array is live as long as the mapping, and of the stream's context. The code that registered the
        // resource has promised that there are no other users. Arrays of one image are used in the order of the stream.
        unsafe { Array::from_raw_with_owner(raw, self.stream(), Box::new(self.owner())) }
    }

    /// Returns all levels of an image. `index` is the index of the resource. The mipmapped array keeps the mapping alive. Wraps
    /// `cuGraphicsResourceGetMappedMipmappedArray`, and queries the size and the number of levels by `cuMipmappedArrayGetLevel`
    /// and `cuArray3DGetDescriptor`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there is no such resource.
    /// - [`Code::NotMappedAsArray`]: the resource is a buffer.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsResourceGetMappedMipmappedArray", "cudaGraphicsResourceGetMappedMipmappedArray"))]
    pub fn mipmapped_array(&self, index: usize) -> Result<MipmappedArray> {
        let resource = self.resource(index)?;
        let bound = resource.context().bind(GET_MIPMAPPED)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the resource is live.
        unsafe { check!(cuGraphicsResourceGetMappedMipmappedArray(&raw mut raw, resource.as_raw())) }
            .or_detail(&[Code::NotMappedAsArray], &|| format!("resource {index} is a buffer; use `slice`"))?;
        drop(bound);
        // SAFETY: as for `array`.
        unsafe { MipmappedArray::described_with_owner(raw, self.stream(), Box::new(self.owner())) }
    }

    /// Unmaps the resources if no array keeps the mapping alive, and returns the driver's answer. A drop can report a failure
    /// only to the [hook](crate::handle::set_drop_hook). Wraps `cuGraphicsUnmapResources`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`Mapping`](Mapping#blocking).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidGraphicsContext`]: no [GL context](GraphicsResource#gl-contexts) is current.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsUnmapResources", "cudaGraphicsUnmapResources"))]
    pub fn unmap(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

impl DriverHandle for Mapped {
    fn release_call(&self) -> Symbol {
        UNMAP
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let stream = &self.stream;
        let unmapped = release_in(stream.context(), stream.frees_by(), UNMAP, &mut |errors| {
            // The call would end the capture.
            if stream.takes_part_in_capture(UNMAP)? {
                return Err(Error::capturing(UNMAP, stream.raw()));
            }
            wait_for_other_devices(stream, UNMAP, errors)?;
            let mut raw = handles(&self.resources);
            // SAFETY: the resources and the stream are live. The array has as many elements.
            unsafe { check!(cuGraphicsUnmapResources(raw.len() as c_uint, raw.as_mut_ptr(), stream.raw())) }
        });
        self.resources.iter().for_each(|resource| resource.note_leftover(unmapped.is_err()));
        unmapped
    }
}

impl fmt::Debug for Mapping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Mapping")
            .field("resources", &self.0.resources)
            .field("stream", &self.0.stream)
            .finish()
    }
}
