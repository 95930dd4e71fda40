//! What a call was asked for when the driver refused it. Only looked at after it was.

use super::{Code, Error, Result};
use crate::device::DeviceAttribute;
use crate::module::FunctionAttribute;
use core::fmt;

/// What a refused call was asked for, and the limit if there is one. The driver itself gives only a code.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Detail, Device, Error};
///
/// match Device::get(99) {
///     Err(Error::Refused { detail, .. }) => {
///         assert_eq!(detail, Detail::Device { ordinal: 99, count: Some(2) });
///         assert_eq!(detail.to_string(), "device 99, where there are 2");
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// A device of this number.
    Device {
        /// The number.
        ordinal: u32,
        /// How many devices there are, if the driver told.
        count: Option<u32>,
    },
    /// A property of a device.
    DeviceAttribute(DeviceAttribute),
    /// A property of a kernel.
    FunctionAttribute(FunctionAttribute),
    /// A property of a kernel, set to a value.
    FunctionAttributeValue(FunctionAttribute, i64),
    /// A new object with flags.
    Flags(u32),
    /// Device memory.
    Memory {
        /// How much, in bytes.
        bytes: usize,
        /// How much of the device's memory is free, in bytes, if the driver told.
        free: Option<usize>,
    },
    /// A mark in a stream of another context than the event's.
    EventOfAnotherContext,
    /// The time between two events.
    Time,
}

/// Follows the driver's error in a message.
impl fmt::Display for Detail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Device { ordinal, count: Some(count) } => {
                write!(formatter, "device {ordinal}, where there are {count}")
            }
            Detail::Device { ordinal, count: None } => write!(formatter, "device {ordinal}"),
            Detail::DeviceAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::FunctionAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::FunctionAttributeValue(attribute, value) => {
                write!(formatter, "attribute {attribute}, value {value}")
            }
            Detail::Flags(flags) => write!(formatter, "flags {flags:#x}"),
            Detail::Memory { bytes, free: Some(free) } => {
                write!(formatter, "{bytes} bytes, where {free} are free")
            }
            Detail::Memory { bytes, free: None } => write!(formatter, "{bytes} bytes"),
            Detail::EventOfAnotherContext => {
                formatter.write_str("the event and the stream belong to different contexts")
            }
            Detail::Time => {
                formatter.write_str("both events must have been recorded, take times, and be of one device")
            }
        }
    }
}

/// Says in the error of a refused call what it was asked for.
pub(crate) trait Detailed {
    /// Adds the detail if the driver answered `code`: other codes have nothing to do with it.
    fn detailed(self, code: Code, detail: impl FnOnce() -> Detail) -> Self;
}

impl<T> Detailed for Result<T> {
    #[inline]
    fn detailed(self, code: Code, detail: impl FnOnce() -> Detail) -> Self {
        self.map_err(|error| match error {
            Error::Driver(source) if source.code == code => Error::Refused { source, detail: detail() },
            other => other,
        })
    }
}
