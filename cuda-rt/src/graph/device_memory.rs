//! Memory that a device has reserved for allocations of graphs.

#![allow(unsafe_code)]

use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::CUgraphMem_attribute_enum;

/// Attribute of the graph memory of a device: any number that some driver knows.
///
/// ```
/// use cuda_rt::graph::GraphMemAttribute;
///
/// assert_eq!(GraphMemAttribute::USED_MEM_HIGH.to_string(), "USED_MEM_HIGH");
/// ```
#[doc(alias = "CUgraphMem_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphMemAttribute(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/graph_mem_attribute.rs");

/// Graph memory of a device, reserved and in use, in bytes.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 4) { return Ok(()); }
/// let usage = context.device().graph_mem_usage()?;
/// assert!(usage.used <= usage.reserved);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphMemUsage {
    /// Bytes in use now.
    pub used: u64,
    /// Most bytes in use at a time, since the last reset.
    pub used_high: u64,
    /// Bytes reserved now.
    pub reserved: u64,
    /// Most bytes reserved at a time, since the last reset.
    pub reserved_high: u64,
}

/// A value that the driver reads and writes: a number of 8 bytes, as documented so far. The type has more room, because the
/// caller may name any attribute.
type Value = [u64; 8];

/// Graph memory: the memory that [`AddNodes::temporary`](crate::graph::AddNodes::temporary) allocates.
impl Device {
    /// Returns one count of the graph memory of the device, in bytes. Wraps `cuDeviceGetGraphMemAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    #[doc(alias = "cuDeviceGetGraphMemAttribute")]
    pub fn graph_mem_attribute(self, attribute: GraphMemAttribute) -> Result<u64> {
        let mut value: Value = [0; 8];
        let to = (&raw mut value).cast();
        // SAFETY: `to` has room for any number.
        unsafe { check!(cuDeviceGetGraphMemAttribute(self.as_raw(), number(attribute), to)) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
        // Numbers of 4 bytes are in the lowest bytes: hosts of CUDA are little-endian.
        Ok(value[0])
    }

    /// Sets one count of the graph memory of the device. Only the highest counts can be set, and only to 0. Wraps
    /// `cuDeviceSetGraphMemAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute, or refuses the value.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    #[doc(alias = "cuDeviceSetGraphMemAttribute")]
    pub fn set_graph_mem_attribute(self, attribute: GraphMemAttribute, value: u64) -> Result<()> {
        let mut given: Value = [value, 0, 0, 0, 0, 0, 0, 0];
        let from = (&raw mut given).cast();
        // SAFETY: `from` holds a number of any size.
        unsafe { check!(cuDeviceSetGraphMemAttribute(self.as_raw(), number(attribute), from)) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}, value {value}"))
    }

    /// Returns the reserved and used graph memory of the device. Makes four calls.
    ///
    /// # Errors
    ///
    /// Same as [`Device::graph_mem_attribute`].
    #[doc(alias = "cuDeviceGetGraphMemAttribute")]
    pub fn graph_mem_usage(self) -> Result<GraphMemUsage> {
        Ok(GraphMemUsage {
            used: self.graph_mem_attribute(GraphMemAttribute::USED_MEM_CURRENT)?,
            used_high: self.graph_mem_attribute(GraphMemAttribute::USED_MEM_HIGH)?,
            reserved: self.graph_mem_attribute(GraphMemAttribute::RESERVED_MEM_CURRENT)?,
            reserved_high: self.graph_mem_attribute(GraphMemAttribute::RESERVED_MEM_HIGH)?,
        })
    }

    /// Resets the highest counts of [`Device::graph_mem_usage`].
    ///
    /// # Errors
    ///
    /// Same as [`Device::set_graph_mem_attribute`].
    #[doc(alias = "cuDeviceSetGraphMemAttribute")]
    pub fn reset_graph_mem_high_marks(self) -> Result<()> {
        self.set_graph_mem_attribute(GraphMemAttribute::USED_MEM_HIGH, 0)?;
        self.set_graph_mem_attribute(GraphMemAttribute::RESERVED_MEM_HIGH, 0)
    }

    /// Returns unused graph memory of the device to the system. Wraps `cuDeviceGraphMemTrim`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 4) { return Ok(()); }
    /// let device = context.device();
    /// device.trim_graph_memory()?;
    /// assert_eq!(device.graph_mem_usage()?.used, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGraphMemTrim")]
    pub fn trim_graph_memory(self) -> Result<()> {
        // SAFETY: the driver checks the ordinal, and keeps memory in use.
        unsafe { check!(cuDeviceGraphMemTrim(self.as_raw())) }
    }
}

fn number(attribute: GraphMemAttribute) -> CUgraphMem_attribute_enum {
    CUgraphMem_attribute_enum(attribute.0)
}
