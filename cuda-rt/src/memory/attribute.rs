//! Attributes of addresses.

#![allow(unsafe_code)]

use super::location::MemLocation;
use super::pointer::DevicePtr;
use super::view::DeviceSlice;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::list::CollectVec;
use core::ffi::{c_int, c_uint, c_void};
use cuda_sys::{
    CUdevice, CUmemorytype_enum as Type, CUpointer_attribute, CUpointer_attribute_enum as C, Symbol,
};
use std::collections::BTreeMap;

/// Attribute of an address: any number that some driver knows.
///
/// ```
/// use cuda_rt::memory::PointerAttribute;
///
/// assert_eq!(PointerAttribute::IS_MANAGED.to_string(), "IS_MANAGED");
/// assert_eq!(PointerAttribute(999).to_string(), "PointerAttribute(999)");
/// ```
#[doc(alias = "CUpointer_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointerAttribute(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/pointer_attribute.rs");

/// Room for one value. No attribute in use is larger. The upper bytes of smaller values stay 0, which is right because all hosts
/// of CUDA are little-endian.
type Value = u64;
const _: () = assert!(cfg!(target_endian = "little"));

/// Queries of bare addresses, and one setting. [`DeviceSlice`] has these methods except [`device`](DevicePtr::device). Its methods
/// are safe, because the memory of a slice cannot be freed.
///
/// # Driver notes
///
/// Driver 580 crashes if another thread frees the memory at the address during the query. It answers for addresses that it does
/// not know, and while other memory is freed.
impl<T> DevicePtr<T> {
    /// Returns an attribute as a number.
    ///
    /// Addresses, handles, sizes and flags all become numbers. Wraps `cuPointerGetAttribute`.
    ///
    /// The context is current during the query. The memory may belong to another context or device.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the address, or does not have the attribute for such memory
    ///   ([`HOST_POINTER`](PointerAttribute::HOST_POINTER) of plain device memory, for example).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the attribute is not in [`PointerAttribute::all`], so the
    ///   size of its value is unknown.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// No other thread frees the memory at the address during the call. There may be no memory.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::PointerAttribute;
    ///
    /// let numbers = DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// // SAFETY: the buffer stays.
    /// let bytes = unsafe { numbers.ptr().add(1).attribute(&context, PointerAttribute::RANGE_SIZE) }?;
    /// assert_eq!(bytes, 400);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuPointerGetAttribute")]
    pub unsafe fn attribute(self, context: &Context, attribute: PointerAttribute) -> Result<u64> {
        checked(attribute)?;
        let _bound = context.bind(Symbol::cuPointerGetAttribute)?;
        let mut value: Value = 0;
        let to = (&raw mut value).cast::<c_void>();
        // SAFETY: the attribute is one of those whose value fits; the caller's promise for the address.
        unsafe { check!(cuPointerGetAttribute(to, CUpointer_attribute(attribute.0), self.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
        Ok(value)
    }

    /// Returns several attributes by one call, in the order of `attributes`.
    ///
    /// A value that is unknown for the address is no failure, unlike in [`attribute`](DevicePtr::attribute): it is the driver's
    /// placeholder, 0 in most cases.
    ///
    /// Wraps `cuPointerGetAttributes`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know one of the attributes.
    /// - Otherwise the same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::memory::PointerAttribute;
    ///
    /// let wanted = [PointerAttribute::CONTEXT, PointerAttribute::MEMORY_TYPE];
    /// // SAFETY: there is no memory.
    /// let found = unsafe { DevicePtr::<u8>::from_raw(0x10).attributes_of(&context, &wanted) }?;
    /// assert_eq!(found, [0, 0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuPointerGetAttributes")]
    pub unsafe fn attributes_of(
        self,
        context: &Context,
        attributes: &[PointerAttribute],
    ) -> Result<Vec<u64>> {
        attributes.iter().try_for_each(|attribute| checked(*attribute))?;
        let count = c_uint::try_from(attributes.len())
            .map_err(|_| Error::size_overflow("list of attributes", attributes.len(), size_of::<Value>()))?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let _bound = context.bind(Symbol::cuPointerGetAttributes)?;
        let mut numbers: Vec<_> =
            attributes.iter().map(|attribute| CUpointer_attribute(attribute.0)).collect_vec();
        let mut values: Vec<Value> = vec![0; attributes.len()];
        let first = values.as_mut_ptr();
        let mut places: Vec<*mut c_void> =
            (0..attributes.len()).map(|index| first.wrapping_add(index).cast()).collect_vec();
        let (numbers, places) = (numbers.as_mut_ptr(), places.as_mut_ptr());
        // SAFETY: both lists have `count` entries, each place is valid for a write of a value that fits; the caller's promise for
        // the address.
        unsafe { check!(cuPointerGetAttributes(count, numbers, places, self.as_raw())) }?;
        Ok(values)
    }

    /// Returns all attributes that the driver has for the memory at this address.
    ///
    /// # Errors
    ///
    /// An earlier failure. Attributes that the driver does not have are left out.
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let numbers = cuda_rt::DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// // SAFETY: the buffer stays.
    /// for (attribute, value) in unsafe { numbers.ptr().attributes(&context) }? {
    ///     println!("{attribute}: {value:#x}");
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    // Inlined, so that only programs that call the method contain the code of the map.
    #[inline]
    pub unsafe fn attributes(self, context: &Context) -> Result<BTreeMap<PointerAttribute, u64>> {
        let mut known = BTreeMap::new();
        for attribute in PointerAttribute::all() {
            // SAFETY: the caller's promise.
            match unsafe { self.attribute(context, attribute) } {
                Ok(value) => known.insert(attribute, value),
                Err(error) if matches!(error.code(), Some(Code::InvalidValue | Code::NotSupported)) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
        }
        Ok(known)
    }

    /// Returns the location of the memory. Wraps `cuPointerGetAttribute`.
    ///
    /// The location of managed memory is the device that it was allocated on, wherever its pages are.
    ///
    /// # Errors
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemLocation;
    ///
    /// let numbers = DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// // SAFETY: the buffer stays.
    /// let location = unsafe { numbers.ptr().location(&context) }?;
    /// assert_eq!(location, MemLocation::device(context.device()));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("CU_POINTER_ATTRIBUTE_MEMORY_TYPE", "CUmemorytype"))]
    pub unsafe fn location(self, context: &Context) -> Result<MemLocation> {
        // SAFETY: the caller's promise.
        let kind = unsafe { self.attribute(context, PointerAttribute::MEMORY_TYPE) }?;
        if kind == u64::from(Type::CU_MEMORYTYPE_HOST.0) {
            return Ok(MemLocation::HOST);
        }
        // SAFETY: the caller's promise.
        unsafe { self.device(context) }.map(MemLocation::device)
    }

    /// Returns the device that the memory was allocated on.
    ///
    /// # Errors
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    pub unsafe fn device(self, context: &Context) -> Result<Device> {
        // An ordinal is a 32-bit number, with a sign.
        // SAFETY: the caller's promise.
        let ordinal = unsafe { self.attribute(context, PointerAttribute::DEVICE_ORDINAL) }? as u32;
        Ok(Device::from_handle(CUdevice::from_ne_bytes(ordinal.to_ne_bytes())))
    }

    /// Returns the start of the allocation that contains the address, and its size in bytes.
    ///
    /// For mapped memory, the range is that of one mapping. Wraps `cuMemGetAddressRange`.
    ///
    /// # Errors
    ///
    /// - [`Code::NotFound`]: the driver does not know the address.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let numbers = cuda_rt::DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// // SAFETY: the buffer stays.
    /// let range = unsafe { numbers.ptr().add(7).address_range(&context) }?;
    /// assert_eq!(range, (numbers.ptr().cast(), 400));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemGetAddressRange")]
    pub unsafe fn address_range(self, context: &Context) -> Result<(DevicePtr<u8>, usize)> {
        let _bound = context.bind(Symbol::cuMemGetAddressRange_v2)?;
        let (mut base, mut bytes) = (0, 0);
        let (to_base, to_bytes) = (&raw mut base, &raw mut bytes);
        // SAFETY: both are valid for a write; the caller's promise for the address.
        unsafe { check!(cuMemGetAddressRange_v2(to_base, to_bytes, self.as_raw())) }?;
        Ok((DevicePtr::from_raw(base), bytes))
    }

    /// Sets whether the driver always waits for synchronous operations on the allocation, also where it could return earlier.
    ///
    /// Wraps `cuPointerSetAttribute` with `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`, the only attribute that can be set.
    ///
    /// # Blocking
    ///
    /// If `on` is true, until earlier synchronous operations on the allocation are done.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the address.
    /// - [`Code::NotSupported`]: the memory is mapped memory of the host.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// Same as [`attribute`](DevicePtr::attribute).
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// let numbers = cuda_rt::DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// // SAFETY: the buffer stays.
    /// unsafe { numbers.ptr().set_sync_memops(&context, true) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuPointerSetAttribute")]
    pub unsafe fn set_sync_memops(self, context: &Context, on: bool) -> Result<()> {
        let _bound = context.bind(Symbol::cuPointerSetAttribute)?;
        let value = c_int::from(on);
        let (from, attribute) = ((&raw const value).cast(), C::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
        // SAFETY: the attribute is of the type of `value`, which is valid for a read; the caller's promise for
        // the address.
        unsafe { check!(cuPointerSetAttribute(from, attribute, self.as_raw())) }
            .or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
                format!("SYNC_MEMOPS of address {:#x}", self.as_raw())
            })
    }
}

/// Queries of the allocation that contains the slice. The context of the slice's home stream is current meanwhile.
impl<T> DeviceSlice<'_, T> {
    /// Returns an attribute as a number: see [`DevicePtr::attribute`]. Wraps `cuPointerGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty, so its address may be that of other
    ///   memory.
    /// - Same as [`DevicePtr::attribute`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::PointerAttribute;
    ///
    /// let numbers = DeviceBuf::<u32>::zeroed(&stream, 100)?;
    /// assert_eq!(numbers.slice(1..)?.attribute(PointerAttribute::RANGE_SIZE)?, 400);
    /// assert_eq!(numbers.as_slice().attribute(PointerAttribute::DEVICE_ORDINAL)?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuPointerGetAttribute")]
    pub fn attribute(&self, attribute: PointerAttribute) -> Result<u64> {
        let start = self.start(Symbol::cuPointerGetAttribute)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.attribute(self.stream().context(), attribute) }
    }

    /// Returns several attributes by one call: see [`DevicePtr::attributes_of`]. Wraps `cuPointerGetAttributes`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty.
    /// - Same as [`DevicePtr::attributes_of`].
    #[doc(alias = "cuPointerGetAttributes")]
    pub fn attributes_of(&self, attributes: &[PointerAttribute]) -> Result<Vec<u64>> {
        let start = self.start(Symbol::cuPointerGetAttributes)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.attributes_of(self.stream().context(), attributes) }
    }

    /// Returns all attributes that the driver has for the memory.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty.
    /// - An earlier failure. Attributes that the driver does not have are left out.
    // Inlined, so that only programs that call the method contain the code of the map.
    #[inline]
    pub fn attributes(&self) -> Result<BTreeMap<PointerAttribute, u64>> {
        let start = self.start(Symbol::cuPointerGetAttribute)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.attributes(self.stream().context()) }
    }

    /// Returns the location of the memory: see [`DevicePtr::location`]. Wraps `cuPointerGetAttribute`.
    ///
    /// # Errors
    ///
    /// Same as [`attribute`](DeviceSlice::attribute).
    #[doc(alias("CU_POINTER_ATTRIBUTE_MEMORY_TYPE", "CUmemorytype"))]
    pub fn location(&self) -> Result<MemLocation> {
        let start = self.start(Symbol::cuPointerGetAttribute)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.location(self.stream().context()) }
    }

    /// Returns the start of the allocation that contains the slice, and its size in bytes: see [`DevicePtr::address_range`]. Wraps
    /// `cuMemGetAddressRange`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty.
    /// - Same as [`DevicePtr::address_range`].
    #[doc(alias = "cuMemGetAddressRange")]
    pub fn address_range(&self) -> Result<(DevicePtr<u8>, usize)> {
        let start = self.start(Symbol::cuMemGetAddressRange_v2)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.address_range(self.stream().context()) }
    }

    /// Sets whether the driver always waits for synchronous operations on the allocation: see [`DevicePtr::set_sync_memops`].
    /// Wraps `cuPointerSetAttribute`.
    ///
    /// # Blocking
    ///
    /// If `on` is true, until earlier synchronous operations on the allocation are done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty.
    /// - Same as [`DevicePtr::set_sync_memops`].
    #[doc(alias = "cuPointerSetAttribute")]
    pub fn set_sync_memops(&self, on: bool) -> Result<()> {
        let start = self.start(Symbol::cuPointerSetAttribute)?;
        // SAFETY: the memory of the slice is borrowed.
        unsafe { start.set_sync_memops(self.stream().context(), on) }
    }

    /// Returns the address of the first element. Refuses an empty slice.
    fn start(&self, call: Symbol) -> Result<DevicePtr<T>> {
        if self.is_empty() || size_of::<T>() == 0 {
            let text = "the slice is empty, so its address may be that of other memory";
            return Err(Error::invalid_for(call, format_args!("{text}")));
        }
        Ok(self.ptr())
    }
}

/// Refuses attributes whose size this crate does not know.
fn checked(attribute: PointerAttribute) -> Result<()> {
    if PointerAttribute::all().any(|known| known == attribute) {
        Ok(())
    } else {
        Err(Error::invalid(
            "pointer attribute",
            format_args!(
                "{} is not known to this crate, which would not know the size of the answer",
                attribute.0
            ),
        ))
    }
}
