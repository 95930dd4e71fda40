//! What a call was asked for when the driver refused it. Only looked at after it was.

use super::{Code, Error, Result};
use crate::array::{ArrayFlags, ArrayFormat};
use crate::context::Limit;
use crate::device::{Device, DeviceAttribute};
use crate::memory::{MemAccess, MemPoolAttribute, PointerAttribute, ShareableHandleTypes};
use crate::memory::{MemLocation, RangeAttribute};
use crate::module::FunctionAttribute;
use crate::peer::P2pAttribute;
use crate::texture::ViewFormat;
use core::fmt;
use cuda_sys::DriverVersion;

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
    /// An attribute of a launch that the driver is too old for.
    LaunchAttribute {
        /// Its number in C.
        number: u32,
        /// The release that brought it.
        since: DriverVersion,
    },
    /// Dynamic shared memory of a kernel.
    DynamicSharedMemory {
        /// How much, in bytes.
        dynamic: u32,
        /// What the kernel declares besides, in bytes, if the driver told.
        declared: Option<i32>,
        /// What the device has for a block in all, in bytes, if the driver told.
        device: Option<i32>,
    },
    /// Blocks of a kernel, on a multiprocessor.
    Blocks {
        /// Threads of a block.
        threads: u32,
        /// Dynamic shared memory of a block, in bytes.
        dynamic: usize,
    },
    /// So many blocks of a kernel at a time, on a multiprocessor.
    BlocksAtOnce {
        /// How many.
        blocks: u32,
        /// Threads of a block.
        threads: u32,
    },
    /// Clusters of blocks: how many along x, y and z.
    Cluster([u32; 3]),
    /// A new object with flags.
    Flags(u32),
    /// Device memory.
    Memory {
        /// How much, in bytes.
        bytes: usize,
        /// How much of the device's memory is free, in bytes, if the driver told.
        free: Option<usize>,
    },
    /// An array, as it was to be.
    Array {
        /// Width, height and depth, in elements. What does not fit is the largest that does.
        size: [u32; 3],
        /// What a channel was to hold.
        format: ArrayFormat,
        /// Channels of an element.
        channels: u32,
        /// The flags.
        flags: u32,
    },
    /// Something that only arrays with a flag have.
    ArrayWithout {
        /// The flag.
        needed: ArrayFlags,
        /// The array's flags.
        flags: ArrayFlags,
    },
    /// Something of a level or a plane that only whole arrays have.
    PartOfArray,
    /// A plane of an array.
    Plane {
        /// Which one, counted from 0.
        index: u32,
        /// The array's format.
        format: ArrayFormat,
        /// How many planes it has, if that is known.
        planes: Option<u32>,
    },
    /// A texture of elements in memory without rows.
    Elements {
        /// What a channel was to hold.
        format: ArrayFormat,
        /// Channels of an element.
        channels: u32,
    },
    /// A texture of a line of texels in memory.
    Line {
        /// How much memory, in bytes.
        bytes: usize,
        /// What a channel was to hold.
        format: ArrayFormat,
        /// Channels of a texel.
        channels: u32,
    },
    /// A texture of rows of texels in memory.
    Rows {
        /// Bytes of a row that are texels.
        row_bytes: u32,
        /// How many rows.
        rows: u32,
        /// Bytes from one row to the next.
        pitch: u32,
        /// What a channel was to hold.
        format: ArrayFormat,
        /// Channels of a texel.
        channels: u32,
    },
    /// A view of an array.
    View {
        /// What its texels were to hold.
        format: ViewFormat,
        /// Width, height and depth, in texels.
        size: [u32; 3],
    },
    /// An attribute of an address.
    PointerAttribute(PointerAttribute),
    /// Memory of the host.
    HostMemory {
        /// Where it begins.
        address: usize,
        /// How much, in bytes.
        bytes: usize,
    },
    /// A place for memory.
    Location(MemLocation),
    /// A property of managed memory.
    RangeAttribute(RangeAttribute),
    /// A new memory pool.
    MemPool {
        /// How its memory is to be shared with other processes.
        handle_types: ShareableHandleTypes,
        /// How much it may have at most, in bytes; 0 if there is no such limit.
        max_bytes: usize,
    },
    /// A property of a memory pool.
    MemPoolAttribute(MemPoolAttribute),
    /// A property of a memory pool, set to a value.
    MemPoolAttributeValue(MemPoolAttribute, u64),
    /// Access of a device to memory.
    Access {
        /// The device.
        device: Device,
        /// What it is to be allowed.
        access: MemAccess,
    },
    /// Memory in a form that other processes can take.
    Shareable(ShareableHandleTypes),
    /// A limit of a context.
    Limit(Limit),
    /// A limit of a context, set to a value.
    LimitValue(Limit, usize),
    /// A setting of a context, as a number.
    Setting(u32),
    /// A context on so many multiprocessors.
    Multiprocessors(u32),
    /// A property of a pair of devices.
    P2pAttribute(P2pAttribute),
    /// Something between two devices.
    Peers {
        /// That whose kernels are meant.
        device: Device,
        /// That whose memory is meant.
        peer: Device,
    },
    /// A texture that is larger than the device allows, or not aligned as it demands.
    TextureLimit {
        /// What it says about that.
        limit: DeviceAttribute,
        /// The texture's, in texels, rows, or bytes.
        value: u64,
        /// The device's.
        device: u64,
    },
    /// An array that is none, on any device.
    ArrayRule {
        /// What does not hold of it.
        rule: &'static str,
        /// What it has instead.
        value: usize,
    },
    /// A mode of a texture that the driver does not have.
    TextureMode {
        /// Which one.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// A line of texels in memory that is longer than the device allows.
    TextureWidth {
        /// The line's, in texels.
        texels: usize,
        /// The most that the device takes of such texels.
        most: usize,
    },
    /// A mark in a stream of another context than the event's.
    EventOfAnotherContext,
    /// An event that a launch was to record by one of its attributes.
    LaunchEvent,
    /// The time between two events.
    Time,
    /// An event, to be shared with other processes.
    EventForProcesses,
    /// A handle of this process itself, to be opened.
    HandleOfThisProcess,
    /// A handle of another process, to be opened, which another context may have open.
    HandleInAnotherContext,
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
                write!(formatter, "attribute {attribute}, value {value}")?;
                let named = FunctionAttribute::all().any(|known| known == *attribute);
                if named && !attribute.is_settable() {
                    formatter.write_str(": it can only be read")
                } else {
                    Ok(())
                }
            }
            Detail::LaunchAttribute { number, since } => {
                write!(formatter, "launch attribute {number} needs CUDA {since}")
            }
            Detail::DynamicSharedMemory { dynamic, declared, device } => {
                write!(formatter, "{dynamic} bytes of dynamic shared memory")?;
                if let Some(declared) = declared.filter(|declared| *declared != 0) {
                    write!(formatter, " besides {declared} declared")?;
                }
                match device {
                    Some(device) => write!(formatter, ", where the device has {device} for a block"),
                    None => Ok(()),
                }
            }
            Detail::Blocks { threads, dynamic } => {
                write!(formatter, "blocks of {threads} threads with {dynamic} bytes of dynamic shared memory")
            }
            Detail::BlocksAtOnce { blocks, threads } => {
                write!(formatter, "{blocks} blocks of {threads} threads at a time")
            }
            Detail::Cluster([x, y, z]) => write!(formatter, "clusters of {x} x {y} x {z} blocks"),
            Detail::Flags(flags) => write!(formatter, "flags {flags:#x}"),
            Detail::Memory { bytes, free: Some(free) } => {
                write!(formatter, "{bytes} bytes, where {free} are free")
            }
            Detail::Memory { bytes, free: None } => write!(formatter, "{bytes} bytes"),
            Detail::Array { size, format, channels, flags } => {
                for (index, extent) in size.iter().enumerate() {
                    let separator = if index == 0 { "" } else { " x " };
                    let more = if *extent == u32::MAX { " or more" } else { "" };
                    write!(formatter, "{separator}{extent}{more}")?;
                }
                write!(formatter, " elements of {channels} channels, format {format}, flags {flags:#x}")
            }
            Detail::ArrayWithout { needed, flags } => write!(
                formatter,
                "the array must be made with flags {:#x}, and has {:#x}",
                needed.bits(),
                flags.bits()
            ),
            Detail::PartOfArray => formatter.write_str("a level or a plane, where a whole array is meant"),
            Detail::Plane { index, format, planes: Some(planes) } => {
                write!(formatter, "plane {index} of format {format}, which has {planes}")
            }
            Detail::Plane { index, format, planes: None } => {
                write!(formatter, "plane {index} of format {format}")
            }
            Detail::Elements { format, channels } => {
                write!(formatter, "elements of {channels} channels, format {format}")
            }
            Detail::Line { bytes, format, channels } => {
                write!(formatter, "{bytes} bytes as texels of {channels} channels, format {format}")
            }
            Detail::Rows { row_bytes, rows, pitch, format, channels } => write!(
                formatter,
                "{rows} rows of {row_bytes} bytes, {pitch} bytes apart, as texels of {channels} channels, format {format}"
            ),
            Detail::View { format, size: [width, height, depth] } => {
                write!(formatter, "a view of {width} x {height} x {depth} texels, format {format}")
            }
            Detail::PointerAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::HostMemory { address, bytes } => {
                write!(formatter, "{bytes} bytes of host memory at {address:#x}")
            }
            Detail::Location(location) => write!(formatter, "location {location}"),
            Detail::RangeAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::MemPool { handle_types, max_bytes } => {
                write!(formatter, "handle types {:#x}, at most {max_bytes} bytes", handle_types.bits())
            }
            Detail::MemPoolAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::MemPoolAttributeValue(attribute, value) => {
                write!(formatter, "attribute {attribute}, value {value}")
            }
            Detail::Access { device, access } => {
                write!(formatter, "access {access} for device {}", device.as_raw())
            }
            Detail::Shareable(types) => write!(formatter, "handle types {:#x}", types.bits()),
            Detail::Limit(limit) => write!(formatter, "limit {limit}"),
            Detail::LimitValue(limit, value) => write!(formatter, "limit {limit}, value {value}"),
            Detail::Setting(number) => write!(formatter, "setting {number}"),
            Detail::Multiprocessors(count) => write!(formatter, "{count} multiprocessors"),
            Detail::P2pAttribute(attribute) => write!(formatter, "attribute {attribute}"),
            Detail::Peers { device, peer } => {
                write!(formatter, "from device {} to the memory of device {}", device.as_raw(), peer.as_raw())
            }
            Detail::TextureLimit {
                limit: limit @ (DeviceAttribute::TEXTURE_ALIGNMENT | DeviceAttribute::TEXTURE_PITCH_ALIGNMENT),
                value,
                device,
            } => write!(formatter, "{value} is no multiple of {limit}, which is {device}"),
            Detail::TextureLimit { limit, value, device } => {
                write!(formatter, "{value}, where {limit} is {device}")
            }
            Detail::ArrayRule { rule, value } => write!(formatter, "{rule}, not {value}"),
            Detail::TextureMode { what, number } => write!(formatter, "{what} {number}"),
            Detail::TextureWidth { texels, most } => {
                write!(formatter, "a line of {texels} texels, where the device takes {most}")
            }
            Detail::EventOfAnotherContext => formatter.write_str("the event belongs to another context"),
            Detail::LaunchEvent => formatter
                .write_str("an event of a launch must be made with DISABLE_TIMING, and without INTERPROCESS"),
            Detail::EventForProcesses => formatter.write_str("the event must be made with INTERPROCESS"),
            Detail::HandleOfThisProcess => {
                formatter.write_str("a handle is for other processes than its own")
            }
            Detail::HandleInAnotherContext => {
                formatter.write_str("in each process one context of a device may open what is of one device")
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
