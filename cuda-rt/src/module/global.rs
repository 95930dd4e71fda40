//! Variables of modules.

#![allow(unsafe_code)]

use super::Module;
use super::symbol_lookup::named;
use crate::context::Context;
use crate::device::DeviceAttribute;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{DevicePtr, DeviceSlice, DeviceSliceMut, PointerAttribute};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Bound, RangeBounds};
use cuda_sys::{CUdeviceptr, Symbol};
use std::sync::Arc;

/// A variable of loaded code, as elements: `__device__`, `__constant__` and `__managed__` in C++, `.global` and `.const` in PTX.
///
/// A `Global` is a handle. Clones, and other handles of the same name, refer to the same memory, and all keep the code loaded.
///
/// Every handle can read and write, with any type and on any stream of the context: the variable is shared, as in C. Therefore
/// reading needs a type for which all bytes are valid, and the variable cannot be borrowed. Copies from and to host slices wait.
/// Copies from and to device memory do not. The program must order accesses of several streams and of kernels.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .const .align 4 .f32 factors[2];
///     .visible .entry second(.param .u64 out) {
///         .reg .b64 %out; .reg .f32 %f;
///         ld.param.u64 %out, [out];
///         ld.const.f32 %f, [factors+4];
///         st.global.f32 [%out], %f;
///         ret;
///     }
/// ")?;
/// let factors = module.global::<f32>("factors")?;
/// factors.copy_from_host(&stream, &[0.5, 2.0])?; // constants are filled before kernels use them
///
/// let out = DeviceBuf::<f32>::zeroed(&stream, 1)?;
/// let second = module.function("second")?.typed::<(DevicePtr<f32>,)>()?;
/// // SAFETY: the kernel writes one float.
/// unsafe { second.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(),)) }?;
/// assert_eq!(out.to_vec()?, [2.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct Global<T> {
    address: CUdeviceptr,
    len: usize,
    name: Arc<str>,
    context: Context,
    /// Keeps the variable's memory alive.
    code: Arc<dyn Send + Sync>,
    _elements: PhantomData<T>,
}

/// Reason why a variable does not hold elements of the requested type.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # use cuda_rt::Module;
/// let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .b8 table[6];";
/// let error = Module::from_ptx(&context, ptx)?.global::<u32>("table").unwrap_err();
/// assert_eq!(error.to_string(), "variable `table`: 6 bytes are no whole number of `u32`, which has 4");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobalMismatch {
    /// A size that is no whole number of elements.
    Size {
        /// The variable's size, in bytes.
        bytes: usize,
        /// The type of the elements.
        element: &'static str,
        /// Size of an element, in bytes.
        element_bytes: usize,
    },
    /// An address that is not aligned for the elements.
    Alignment {
        /// Address of the variable.
        address: u64,
        /// The type of the elements.
        element: &'static str,
        /// Required alignment, in bytes.
        alignment: usize,
    },
}

impl GlobalMismatch {
    /// Returns the error of the variable `name`.
    #[cold]
    pub(crate) fn into_error(self, name: &str) -> Error {
        let error =
            Error::about(ErrorKind::TypeMismatch, format_args!("variable `{name}`"), format_args!("{self}"));
        error.with_context(self)
    }
}

impl fmt::Display for GlobalMismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlobalMismatch::Size { bytes, element, element_bytes } => write!(
                formatter,
                "{bytes} bytes are no whole number of `{element}`, which has {element_bytes}"
            ),
            GlobalMismatch::Alignment { address, element, alignment } => write!(
                formatter,
                "it begins at {address:#x}, and `{element}` at multiples of {alignment} bytes"
            ),
        }
    }
}

impl Module {
    /// Returns the variable `name`, as elements: one, or an array of them. Wraps `cuModuleGetGlobal`.
    ///
    /// The name is the name in PTX. Variables in a namespace of C++ and static variables of a function have mangled
    /// names. With `-rdc=true`, nvcc also changes the names of static variables outside functions.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound): the module has no such variable. Link-time optimisation may
    ///   remove variables that no kernel uses. If the name is a kernel's, the error says so.
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch): the variable's size is no whole number of elements,
    ///   or its address is not aligned for them.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the name contains a NUL.
    /// - An earlier failure.
    #[doc(alias("cuModuleGetGlobal", "get_global", "cudaGetSymbolAddress", "cudaGetSymbolSize"))]
    pub fn global<T>(&self, name: &str) -> Result<Global<T>> {
        let c_name = crate::text::c_string(name)?;
        let _bound = self.context().bind(Symbol::cuModuleGetGlobal_v2)?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: both are valid for a write, the module is live, the name is a C string.
        let found = unsafe {
            check!(cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, self.as_raw(), c_name.as_ptr()))
        };
        named(found, name, || self.hint_for_variable(name))?;
        // SAFETY: the driver's answer, of a module that is kept alive.
        unsafe { Global::new(address, bytes, name, self.context(), self.0.clone()) }
    }
}

impl<T> Global<T> {
    /// Makes a handle to a variable of `bytes` bytes at an address of the context's device.
    ///
    /// # Safety
    ///
    /// The memory exists, and the context may read and write it, as long as `code` is not dropped. Dropping `code` waits for the
    /// work that was queued in the context.
    pub(crate) unsafe fn new(
        address: CUdeviceptr,
        bytes: usize,
        name: &str,
        context: &Context,
        code: Arc<dyn Send + Sync>,
    ) -> Result<Global<T>> {
        let (element, element_bytes) = (core::any::type_name::<T>(), size_of::<T>());
        let wrong = |mismatch: GlobalMismatch| mismatch.into_error(name);
        if element_bytes == 0 || !bytes.is_multiple_of(element_bytes) {
            return Err(wrong(GlobalMismatch::Size { bytes, element, element_bytes }));
        }
        let alignment = align_of::<T>();
        if !address.is_multiple_of(alignment as u64) {
            return Err(wrong(GlobalMismatch::Alignment { address, element, alignment }));
        }
        Ok(Global {
            address,
            len: bytes / element_bytes,
            name: name.into(),
            context: context.clone(),
            code,
            _elements: PhantomData,
        })
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements, as in an empty [part](Global::slice). Whole variables have elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Returns the name by which the variable was looked up.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the owner of the variable's memory.
    pub(crate) fn code(&self) -> &Arc<dyn Send + Sync> {
        &self.code
    }

    /// Returns the context of the variable.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the address of the first element, for kernels. The address stays the same, and is valid as long as the code is
    /// loaded.
    pub fn ptr(&self) -> DevicePtr<T> {
        DevicePtr::from_raw(self.address)
    }

    /// Returns a handle to a part of the elements.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 table[3] = {1, 2, 3};";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let table = module.global::<u32>("table")?;
    /// table.slice(1..2)?.copy_from_host(&stream, &[9])?;
    /// assert_eq!(table.to_vec(&stream)?, [1, 9, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Global<T>> {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => self.len,
        };
        if start > end || end > self.len {
            return Err(Error::out_of_bounds("variable", start, end, self.len));
        }
        // The address behind the variable may be an address of other memory, which another thread frees.
        let offset = if start == end { 0 } else { start };
        Ok(Global { address: self.ptr().add(offset).as_raw(), len: end - start, ..self.clone() })
    }

    /// Overwrites the elements with host memory of the same length, on a stream. Wraps `cuMemcpyHtoDAsync`.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the stream is done, including the copy. If another thread is unregistering the host
    /// memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - Same as [`DeviceSliceMut::copy_from_host`].
    #[doc(alias("cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cudaMemcpyToSymbol"))]
    pub fn copy_from_host(&self, stream: &Stream, elements: &[T]) -> Result<()>
    where
        T: NoUninit,
    {
        self.on_mut(stream)?.copy_from_host(elements)
    }

    /// Copies the elements to host memory of the same length, on a stream. Wraps `cuMemcpyDtoHAsync`.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the stream is done, including the copy. If another thread is unregistering the host
    /// memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - Same as [`DeviceSlice::copy_to_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 counter = 7;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let mut count = [0];
    /// module.global::<u32>("counter")?.copy_to_host(&stream, &mut count)?;
    /// assert_eq!(count, [7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync", "cudaMemcpyFromSymbol"))]
    pub fn copy_to_host(&self, stream: &Stream, elements: &mut [T]) -> Result<()>
    where
        T: AnyBitPattern,
    {
        self.on(stream)?.copy_to_host(elements)
    }

    /// Copies the elements to a vector of host memory, on a stream.
    ///
    /// # Blocking
    ///
    /// Same as [`Global::copy_to_host`].
    ///
    /// # Errors
    ///
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory).
    /// - Same as [`Global::copy_to_host`].
    #[doc(alias("cuMemcpyDtoH", "cuMemcpyDtoHAsync", "cudaMemcpyFromSymbol"))]
    pub fn to_vec(&self, stream: &Stream) -> Result<Vec<T>>
    where
        T: AnyBitPattern,
    {
        self.on(stream)?.to_vec()
    }

    /// Overwrites the elements with as many elements of device memory, on the home stream of that memory. Does not wait. Wraps
    /// `cuMemcpyDtoDAsync`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the memory belongs to another context, or the lengths
    ///   differ.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .const .align 4 .b8 table[8];";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let table = module.global::<u32>("table")?;
    /// let mut numbers = DeviceBuf::from_host(&stream, &[1, 2])?;
    /// table.copy_from_device(numbers.as_slice())?;
    /// numbers.fill_zero()?;
    /// table.copy_to_device(numbers.as_slice_mut())?;
    /// assert_eq!(numbers.to_vec()?, [1, 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync"))]
    pub fn copy_from_device(&self, source: DeviceSlice<'_, T>) -> Result<()>
    where
        T: Copy,
    {
        self.on_mut(source.stream())?.copy_from_device(source)
    }

    /// Copies the elements to as many elements of device memory, on the home stream of that memory. Does not wait. Wraps
    /// `cuMemcpyDtoDAsync`.
    ///
    /// # Errors
    ///
    /// Same as [`Global::copy_from_device`].
    #[doc(alias("cuMemcpyDtoD", "cuMemcpyDtoDAsync"))]
    pub fn copy_to_device(&self, mut destination: DeviceSliceMut<'_, T>) -> Result<()>
    where
        T: AnyBitPattern,
    {
        let stream = destination.stream();
        destination.copy_from_device(self.on(stream)?)
    }

    /// Sets all elements to a value, on a stream. Does not wait. Wraps `cuMemsetD32Async` and similar functions.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 counter = 7;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let counter = module.global::<u32>("counter")?;
    /// counter.fill(&stream, 0)?;
    /// assert_eq!(counter.to_vec(&stream)?, [0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemsetD8Async", "cuMemsetD16Async", "cuMemsetD32Async"))]
    pub fn fill(&self, stream: &Stream, value: T) -> Result<()>
    where
        T: NoUninit,
    {
        self.on_mut(stream)?.fill(value)
    }

    /// Returns whether the variable is managed: `__managed__` in C++, `.attribute(.managed)` in PTX. All devices and the host use
    /// a managed variable by the same address. Wraps `cuPointerGetAttribute`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "CU_POINTER_ATTRIBUTE_IS_MANAGED")]
    pub fn is_managed(&self) -> Result<bool> {
        // SAFETY: the variable keeps its module loaded.
        let is_managed = unsafe { self.ptr().attribute(&self.context, PointerAttribute::IS_MANAGED) }?;
        Ok(is_managed != 0)
    }

    /// Returns the address of a managed variable for the host. It is the address for kernels, as a pointer.
    ///
    /// Dereferencing the pointer is `unsafe`. No queued work may write to the variable meanwhile, or read it while the host
    /// writes, so wait for the streams first. Every byte that is written must be initialised, padding included, because
    /// the memory can be copied as bytes. The pointer is valid as long as the code is loaded.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the variable is not managed.
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied): the device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS). There, the host must not
    ///   access the variable while any work runs. Copy it instead.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .global .attribute(.managed) .align 4 .u32 progress = 3;";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// let progress = module.global::<u32>("progress")?;
    /// assert!(progress.is_managed()?);
    /// // SAFETY: the module is loaded, and no queued work writes to the variable.
    /// assert_eq!(unsafe { progress.host_ptr()?.read() }, 3);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "__managed__")]
    pub fn host_ptr(&self) -> Result<*mut T> {
        if !self.is_managed()? {
            return Err(Error::invalid(
                "variable",
                format_args!("`{}` is not managed, so the host does not reach it; copy it", self.name),
            ));
        }
        let concurrent = self.context.device().attribute(DeviceAttribute::CONCURRENT_MANAGED_ACCESS)?;
        if concurrent == 0 {
            return Err(Error::about(
                ErrorKind::AccessDenied,
                format_args!("variable"),
                format_args!(
                    "device {} has no concurrent managed access, so the host must not touch `{}`; copy it",
                    self.context.device().as_raw(),
                    self.name
                ),
            ));
        }
        Ok(core::ptr::with_exposed_provenance_mut(self.address as usize))
    }

    fn check(&self, stream: &Stream) -> Result<()> {
        if *stream.context() == self.context {
            return Ok(());
        }
        Err(Error::invalid(
            "variable",
            format_args!(
                "`{}` and the stream belong to different contexts; use a stream of its context",
                self.name
            ),
        ))
    }

    /// Returns a view of the elements, for one operation on a stream.
    fn on<'stream>(&'stream self, stream: &'stream Stream) -> Result<DeviceSlice<'stream, T>> {
        self.check(stream)?;
        // SAFETY: the memory exists and is aligned for as many elements. The stream is of its context, and dropping the code
        // waits for the work that is queued there. Other streams may write meanwhile: readers use types for which all bytes are
        // valid.
        Ok(unsafe { DeviceSlice::from_raw_parts(self.ptr(), self.len, stream) })
    }

    /// Returns a view of the elements, for one operation on a stream that writes.
    fn on_mut<'stream>(&'stream self, stream: &'stream Stream) -> Result<DeviceSliceMut<'stream, T>> {
        self.check(stream)?;
        // SAFETY: as above; the operation writes valid values.
        Ok(unsafe { DeviceSliceMut::from_raw_parts(self.ptr(), self.len, stream) })
    }
}

impl<T> Clone for Global<T> {
    fn clone(&self) -> Self {
        Global {
            address: self.address,
            len: self.len,
            name: self.name.clone(),
            context: self.context.clone(),
            code: self.code.clone(),
            _elements: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Global<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Global")
            .field("name", &self.name)
            .field("address", &format_args!("{:#x}", self.address))
            .field("len", &self.len)
            .finish()
    }
}
