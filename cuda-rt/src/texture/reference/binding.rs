//! Bindings of texture references.

#![allow(unsafe_code)]

use super::TexRef;
use crate::array::{Array, ArrayDescriptor, ArrayFormat, MipmappedArray};
use crate::context::retry_once;
use crate::error::{Code, Error, ErrorKind, Limit, OrDetail, Result};
use crate::handle::ensure_not_in_host_function;
use crate::memory::DevicePtr;
use crate::texture::binding_slot::{Binding, Target, Texels};
use crate::texture::limit::{explain_line, explain_rows};
use crate::texture::texel::plain_bytes;
use crate::texture::{LinearMemory, PitchedMemory, RetainedResource, TextureOffset};
use core::cell::Cell;
use core::ptr::null_mut;
use cuda_sys::Symbol;
use cuda_sys::{CU_TRSA_OVERRIDE_FORMAT, CUDA_ARRAY_DESCRIPTOR, CUarray_format};

impl TexRef {
    /// Binds an array, and keeps it alive. The format of the texels is that of the array. Wraps `cuTexRefSetArray` with
    /// `CU_TRSA_OVERRIDE_FORMAT`.
    ///
    /// The array may belong to another device, if the context has [peer access](crate::peer) to it; the access stays enabled. A
    /// buffer is no array, and the compiler refuses it:
    ///
    /// ```compile_fail,E0308
    /// # fn example(line: cuda_rt::texture::TexRef, samples: cuda_rt::DeviceBuf<f32>) -> cuda_rt::Result<()> {
    /// line.set_array(&samples)?; // `set_linear` binds buffers
    /// # Ok(()) }
    /// ```
    ///
    /// # Blocking
    ///
    /// Does not wait for kernels: running kernels keep the binding of their launch. If the call drops the previous binding, that
    /// may wait: see [`TexRef`].
    ///
    /// # Errors
    ///
    /// - [`Code::PeerAccessNotEnabled`]: the array belongs to another device, and the context has no access to it.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the array belongs to another context of the same device,
    ///   or to a device whose arrays are not accessible.
    /// - The same kind: the array has a [format](crate::array::ArrayFormat) that safe functions refuse, or no memory is
    ///   known to be [mapped](Array::assume_mapped) to it.
    /// - An earlier failure. The reference then keeps the object alive that the driver reports as bound.
    #[doc(alias("cuTexRefSetArray", "CU_TRSA_OVERRIDE_FORMAT", "cudaBindTextureToArray"))]
    pub fn set_array(&self, array: &Array) -> Result<()> {
        let binding =
            Binding::array(array, RetainedResource::array(self.context(), array, "the texture reference")?);
        self.bind(
            binding,
            Symbol::cuTexRefSetArray,
            &|| {
                // SAFETY: both are live; the binding keeps the array as long as it is bound.
                unsafe { check!(cuTexRefSetArray(self.raw, array.as_raw(), CU_TRSA_OVERRIDE_FORMAT)) }
            },
            &|| self.bound_array(),
        )
        .or_detail(&[Code::PeerAccessNotEnabled], &|| {
            self.context().device().describe_access(array.context().device())
        })
    }

    /// Binds a mipmapped array, and keeps it alive. Wraps `cuTexRefSetMipmappedArray` with `CU_TRSA_OVERRIDE_FORMAT`.
    ///
    /// [`set_mipmap_level_clamp`](TexRef::set_mipmap_level_clamp) selects the levels that are read. By default, only the largest
    /// level is read. Without [`NORMALIZED_COORDINATES`](crate::texture::TextureFlags::NORMALIZED_COORDINATES), only the largest
    /// level is read in any case.
    ///
    /// # Blocking
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Errors
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat, MipmappedArray};
    /// use cuda_rt::texture::TextureFlags;
    ///
    /// let image = module.tex_ref("image")?;
    /// let levels = MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1), 4)?;
    /// image.set_mipmapped_array(&levels)?;
    /// image.set_flags(TextureFlags::NORMALIZED_COORDINATES)?;
    /// image.set_mipmap_level_clamp([0.0, 3.0])?;
    /// assert_eq!(image.mipmapped_array()?, Some(levels));
    /// assert_eq!(image.array()?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTexRefSetMipmappedArray")]
    pub fn set_mipmapped_array(&self, array: &MipmappedArray) -> Result<()> {
        let kept = RetainedResource::mipmapped(self.context(), array, "the texture reference")?;
        self.bind(
            Binding::mipmapped(array, kept),
            Symbol::cuTexRefSetMipmappedArray,
            &|| {
                let (array, flags) = (array.as_raw(), CU_TRSA_OVERRIDE_FORMAT);
                // SAFETY: both are live; the binding keeps the array as long as it is bound.
                unsafe { check!(cuTexRefSetMipmappedArray(self.raw, array, flags)) }
            },
            &|| self.bound_mipmapped_array(),
        )
        .or_detail(&[Code::PeerAccessNotEnabled], &|| {
            self.context().device().describe_access(array.context().device())
        })
    }

    /// Binds memory as a line of texels, which kernels fetch by integer coordinates, and keeps it alive. Wraps
    /// `cuTexRefSetFormat` and `cuTexRefSetAddress`.
    ///
    /// Returns the offset of the memory in the texture, in bytes. If the offset is not 0, the kernel must
    /// [add](TextureOffset::Allowed) it to its coordinates, in texels. Address modes, filters and normalised coordinates have no
    /// effect.
    ///
    /// The memory may belong to another context. Access to it is not checked: a kernel without access fails with
    /// [`Code::IllegalAddress`].
    ///
    /// # Blocking
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the address is not a multiple of the texture alignment of
    ///   the device, and an offset is not allowed.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the format is not one of the first eight
    ///   [formats](ArrayFormat), or there are not 1, 2 or 4 channels.
    /// - The same kind: the size is not a multiple of the texel size, or there are no bytes.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are more texels than the device
    ///   [allows](crate::Device::texture_1d_linear_max_width). Drivers before CUDA 11.1 cannot be queried: there the code is
    ///   [`Code::InvalidValue`].
    /// - An earlier failure. The reference then keeps the object alive that the driver reports as bound.
    #[doc(alias("cuTexRefSetAddress", "cuTexRefSetAddress_v2", "tex1Dfetch"))]
    pub fn set_linear(
        &self,
        memory: impl Into<LinearMemory>,
        format: ArrayFormat,
        channels: u32,
        offset: TextureOffset,
    ) -> Result<usize> {
        let memory = memory.into();
        let (texel, bytes) = (plain_bytes(format, channels)?, memory.size_bytes());
        whole("size of the memory", bytes, texel)?;
        let texels = bytes / texel;
        // Done before any change. Older drivers cannot be queried.
        match self.context().device().texture_1d_linear_max_width(format, channels) {
            Ok(most) if texels > most => {
                return Err(Error::beyond("texture", "width", texels, Limit::AtMost(most)));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::FunctionMissing => {}
            Err(error) => return Err(error),
        }
        let start = self.start(memory.address, offset)?;
        let kept = RetainedResource::linear(self.context(), &memory);
        let binding = Binding::memory(start, Some(kept), Texels::AtMost(bytes));
        let before = Cell::new(None);
        self.bind(
            binding,
            Symbol::cuTexRefSetAddress_v2,
            &|| {
                before.set(Some((self.bound_memory()?, self.told_format()?)));
                self.put_format(format, channels)?;
                self.put_address(memory.address, bytes, offset)
            },
            &|| {
                let found = self.bound_memory();
                if let Some((bound, (format, channels))) = before.get()
                    && (found != Ok(Some(Target::Memory(start))) || bound == Some(Target::Memory(start)))
                {
                    // The previous binding may still be bound, and must not be read with larger texels. The first failure is
                    // returned.
                    let _ = retry_once(|| self.put_format(format, channels));
                }
                found
            },
        )
        .map_err(|error| explain_line(error, self.context().device(), (format, channels), texels))
    }

    /// Binds memory as rows of texels, which kernels sample in two dimensions, and keeps it alive. Wraps `cuTexRefSetAddress2D`.
    ///
    /// Access to memory of another context is not checked: see [`set_linear`](TexRef::set_linear).
    ///
    /// # Blocking
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`], with the broken limit: the address or the pitch does not have the alignment that the device
    ///   requires.
    /// - The same code: the pitch is larger than the device allows, or there are more or longer rows than it allows.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the format is not one of the first eight
    ///   [formats](ArrayFormat), or there are not 1, 2 or 4 channels.
    /// - The same kind: the row length is not a multiple of the texel size, or there are no bytes.
    /// - An earlier failure. The reference then keeps the object alive that the driver reports as bound.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::array::ArrayFormat;
    /// use cuda_rt::memory::{AccessSize, PitchedBuf};
    /// use std::sync::Arc;
    ///
    /// let image = module.tex_ref("image")?;
    /// let pixels = Arc::new(PitchedBuf::<[u8; 4]>::uninit(&stream, 100, 50, AccessSize::Four)?);
    /// image.set_pitched(pixels.clone(), ArrayFormat::UNSIGNED_INT8, 4)?;
    /// assert_eq!(image.format()?, (ArrayFormat::UNSIGNED_INT8, 4));
    /// assert_eq!(image.address()?, Some(pixels.ptr().cast()));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuTexRefSetAddress2D", "cuTexRefSetAddress2D_v2", "cuTexRefSetAddress2D_v3"))]
    pub fn set_pitched(
        &self,
        memory: impl Into<PitchedMemory>,
        format: ArrayFormat,
        channels: u32,
    ) -> Result<()> {
        let memory = memory.into();
        let texel = plain_bytes(format, channels)?;
        whole("length of a row", memory.row_bytes(), texel)?;
        if memory.height() == 0 {
            return Err(Error::empty("texture memory"));
        }
        let (width, height, pitch) = (memory.row_bytes() / texel, memory.height(), memory.pitch());
        let descriptor = ArrayDescriptor::plane(width, height, format, channels);
        // Done before the record of access is locked, because other threads hold its lock during driver calls.
        ensure_not_in_host_function(Symbol::cuTexRefSetAddress2D_v3)?;
        let kept = RetainedResource::pitched(self.context(), &memory);
        self.bind_rows(memory.address, &descriptor, pitch, Some(kept))
    }

    /// Binds an address as a line of texels of the reference's [format](TexRef::set_format). Drops the previous binding. Wraps
    /// `cuTexRefSetAddress`.
    ///
    /// Returns the offset of the address in the texture, in bytes.
    ///
    /// # Blocking
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the address is not a multiple of the texture alignment of
    ///   the device, and an offset is not allowed.
    /// - [`Code::InvalidValue`]: there are more texels than the device allows. The driver does not check that there is
    ///   memory.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// Kernels of the context can read `bytes` bytes at `address`, and at least one texel of the reference's present
    /// format. This holds until another binding is made or the module is unloaded, and until kernels that were launched
    /// before have ended. The reference does not keep the memory alive.
    /// The address 0 is not an empty binding: kernels fault on it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::ArrayFormat;
    /// use cuda_rt::texture::TextureOffset;
    ///
    /// let samples = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0])?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref line;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let line = module.tex_ref("line")?;
    /// line.set_format(ArrayFormat::FLOAT, 1)?;
    /// // SAFETY: the buffer was made before the module's handles, so it is dropped after them.
    /// let offset = unsafe { line.set_address(samples.ptr(), samples.size_bytes(), TextureOffset::Refused) }?;
    /// assert_eq!(offset, 0);
    /// assert_eq!(line.address()?, Some(samples.ptr().cast()));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuTexRefSetAddress", "cuTexRefSetAddress_v2"))]
    pub unsafe fn set_address<T>(
        &self,
        address: DevicePtr<T>,
        bytes: usize,
        offset: TextureOffset,
    ) -> Result<usize> {
        let start = self.start(address.as_raw(), offset)?;
        let binding = Binding::memory(start, None, Texels::AtMost(bytes));
        self.bind(
            binding,
            Symbol::cuTexRefSetAddress_v2,
            &|| self.put_address(address.as_raw(), bytes, offset),
            &|| self.bound_memory(),
        )
    }

    /// Binds an address as rows of texels, each beginning `pitch` bytes after the previous one. Drops the previous binding. Wraps
    /// `cuTexRefSetAddress2D`.
    ///
    /// The descriptor has the texels of a row as its width, the number of rows as its height, the format and the channels. Its
    /// other fields are ignored.
    ///
    /// # Blocking
    ///
    /// Same as [`set_array`](TexRef::set_array).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`], with the broken limit if it is known: the address or the pitch does not have the alignment that the
    ///   device requires.
    /// - The same code: the pitch is less than a row, or larger than the device allows.
    /// - The same code: there are more or longer rows than the device allows. The driver does not check that there is memory.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// Same as for [`set_address`](TexRef::set_address). The readable bytes are those of all rows of the descriptor. Each row begins
    /// `pitch` bytes after the previous one.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
    ///
    /// let pixels = DeviceBuf::<f32>::zeroed(&stream, 64)?;
    /// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let image = module.tex_ref("image")?;
    /// let shape = ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1);
    /// // SAFETY: 8 rows of 32 bytes; the buffer was made before the module's handles, so it is dropped after them.
    /// unsafe { image.set_address_2d(pixels.ptr(), &shape, 32) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuTexRefSetAddress2D", "cuTexRefSetAddress2D_v2", "cuTexRefSetAddress2D_v3"))]
    pub unsafe fn set_address_2d<T>(
        &self,
        address: DevicePtr<T>,
        descriptor: &ArrayDescriptor,
        pitch: usize,
    ) -> Result<()> {
        self.bind_rows(address.as_raw(), descriptor, pitch, None)
    }

    /// Binds an object by the function `call`, with the context current. Drops the previous binding after all locks are released.
    fn bind<R>(
        &self,
        new: Binding,
        name: Symbol,
        call: &dyn Fn() -> Result<R>,
        ask: &dyn Fn() -> Result<Option<Target>>,
    ) -> Result<R> {
        let bound = match self.context().bind(name) {
            Ok(bound) => bound,
            Err(error) => {
                new.release_unused();
                return Err(error);
            }
        };
        let (outcome, unbound) = self.slot.bind(new, call, ask);
        drop(bound);
        unbound.release();
        outcome
    }

    fn bind_rows(
        &self,
        address: u64,
        descriptor: &ArrayDescriptor,
        pitch: usize,
        kept: Option<RetainedResource>,
    ) -> Result<()> {
        let ArrayDescriptor { width, height, format, channels, .. } = *descriptor;
        let raw = CUDA_ARRAY_DESCRIPTOR {
            Width: width,
            Height: height,
            Format: CUarray_format(format.0),
            NumChannels: channels,
        };
        // With larger texels the driver reads beyond the rows (measured).
        let texels = Texels::Bytes(plain_bytes(format, channels).ok());
        self.bind(
            Binding::memory(address, kept, texels),
            Symbol::cuTexRefSetAddress2D_v3,
            &|| {
                // SAFETY: the reference is live, and the descriptor valid for a read. The rows are in memory that is kept alive
                // as long as they are bound, or for whose life the caller is responsible.
                unsafe { check!(cuTexRefSetAddress2D_v3(self.raw, &raw const raw, address, pitch)) }
            },
            &|| self.bound_memory(),
        )
        .map_err(|error| explain_rows(error, self.context().device(), address, [width, height, pitch]))
    }

    fn put_address(&self, address: u64, bytes: usize, offset: TextureOffset) -> Result<usize> {
        let mut beyond = 0;
        let told = match offset {
            TextureOffset::Allowed => &raw mut beyond,
            // Without a place for the offset, the driver refuses an offset, too (measured).
            TextureOffset::Refused => null_mut(),
        };
        // SAFETY: the reference is live; the offset is valid for a write, or not requested. The memory is kept alive as long as
        // it is bound, or the caller is responsible for its life.
        unsafe { check!(cuTexRefSetAddress_v2(told, self.raw, address, bytes)) }?;
        Ok(beyond)
    }
}

/// Refuses memory that does not consist of at least one whole texel: the driver might read beyond its end.
fn whole(what: &'static str, bytes: usize, texel: usize) -> Result<()> {
    if bytes == 0 {
        return Err(Error::empty("texture memory"));
    }
    if !bytes.is_multiple_of(texel) {
        return Err(Error::not_a_multiple(what, bytes as u64, texel));
    }
    Ok(())
}
