//! What this crate refuses by itself.

use crate::array::ArrayFormat;
use crate::memory::MemAccess;
use crate::module::JitOption;
use crate::module::mistaken::instead_of_field;

/// An argument that was refused before the driver saw it. Each names the value and the limit.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// # let buffer = cuda_rt::DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
/// use cuda_rt::InvalidArgument;
///
/// let error = buffer.slice(2..9).unwrap_err();
/// assert_eq!(error, InvalidArgument::OutOfBounds { start: 2, end: 9, len: 4 }.into());
/// assert_eq!(error.to_string(), "range 2..9 is not within a length of 4");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidArgument {
    /// A string for C holds a NUL byte.
    #[error("a NUL byte at position {position} of a string that is passed to C")]
    InteriorNul {
        /// Where the byte is.
        position: usize,
    },
    /// The text handed over as PTX is something else.
    #[error(
        "not PTX: the text must begin with `.version`, after white space and comments (looked at byte {position}){instead}"
    )]
    NotPtx {
        /// Where the first word was looked for.
        position: usize,
        /// What it seems to be, and what takes that, after a colon; empty if nothing is known.
        instead: &'static str,
    },
    /// An option was given raw that this crate itself gives, so that it would be there twice.
    #[error("option {option} cannot be given raw: it is this crate's, or has a method of its own")]
    JitOption {
        /// The option.
        option: JitOption,
    },
    /// An option of the compiler has a value at which the driver ends the process.
    #[error("option {option} is {value}, and has to be {bound}")]
    JitValue {
        /// The option.
        option: JitOption,
        /// Its value.
        value: usize,
        /// What it has to be.
        bound: Bound,
    },
    /// Two options of the compiler that a driver does not take together.
    #[error("options {first} and {second} cannot be combined: a driver takes one of them at a time")]
    JitCombination {
        /// One option.
        first: JitOption,
        /// The other.
        second: JitOption,
    },
    /// No block was to be larger than nothing, which drivers take for no limit at all.
    #[error("blocks of at most 0 threads: the limit has to be at least 1, and `None` is for no limit")]
    BlockSizeLimit,
    /// Code in binary form names bytes that it does not have, or a section that it does not have.
    #[error(
        "the image is not whole: {part} {index} ends at {end}, where there are {len} (it was cut or damaged: read all of the \
         file again)"
    )]
    ImageOutside {
        /// What lies outside: a table, a section, a segment, an entry, and so on.
        part: &'static str,
        /// Which one of them, counted from 0.
        index: usize,
        /// Where it ends, in bytes; in sections for the one with names.
        end: u64,
        /// How many bytes there are, in the image or in what the part is in; or how many sections.
        len: usize,
    },
    /// Code in binary form begins as nothing does that the driver could load.
    #[error(
        "the image is not what it was said to be: {what} should be {expected:#x}, and is {found:#x}{}",
        instead_of_field(what, *found)
    )]
    ImageField {
        /// What was looked at.
        what: &'static str,
        /// What it is.
        found: u64,
        /// What it has to be.
        expected: u64,
    },
    /// A size in bytes does not fit.
    #[error("{len} elements of {element_bytes} bytes are more than the address space holds")]
    SizeOverflow {
        /// The number of elements.
        len: usize,
        /// The size of one.
        element_bytes: usize,
    },
    /// A range is not inside the memory it was taken of.
    #[error("{}", out_of_bounds(*start, *end, *len))]
    OutOfBounds {
        /// The range's start, in elements.
        start: usize,
        /// The range's end, in elements.
        end: usize,
        /// The length, in elements.
        len: usize,
    },
    /// Source and destination of a copy differ in length.
    #[error("the source has {source_len} elements, the destination {destination_len}")]
    LengthMismatch {
        /// The source's length, in elements.
        source_len: usize,
        /// The destination's length, in elements.
        destination_len: usize,
    },
    /// A description of a structured copy, or of memory in rows, that does not fit together.
    #[error("{field} is {value}, and has to be {bound}")]
    Field {
        /// What does not fit.
        field: CopyField,
        /// What it is.
        value: usize,
        /// What it has to be.
        bound: Bound,
    },
    /// A copy that only has host memory, which the device has no part in.
    #[error("both sides of the copy are host memory")]
    HostOnly,
    /// Work on one stream was to use memory that lives on another.
    #[error("memory number {index} lives on another stream than the one that is to copy it")]
    OtherStream {
        /// Which one, counted from 0.
        index: usize,
    },
    /// A pointer attribute whose size this crate does not know, so that the driver could write beyond the answer.
    #[error("pointer attribute {number} cannot be asked for by this function")]
    PointerAttribute {
        /// The attribute's number.
        number: u32,
    },
    /// Memory was to begin at a multiple of something else than a power of two.
    #[error("an alignment of {alignment} bytes is not a power of two")]
    Alignment {
        /// What was asked for, in bytes.
        alignment: usize,
    },
    /// An argument of a kernel cannot be aligned so.
    #[error(
        "an argument aligned to {align} bytes: the alignment has to be a power of two, and at most {most}"
    )]
    ArgumentAlignment {
        /// The alignment, in bytes.
        align: usize,
        /// The limit, in bytes.
        most: usize,
    },
    /// Elements of device memory need a larger alignment than the driver gives.
    #[error("elements are aligned to {alignment} bytes, device memory to {limit}")]
    ElementAlignment {
        /// The alignment of the element type, in bytes.
        alignment: usize,
        /// The alignment of every allocation, in bytes.
        limit: usize,
    },
    /// Flags that demand something of the memory which a safe function cannot know.
    #[error("flags {flags:#x} are not for safe functions: they demand something of the memory")]
    UnsafeFlags {
        /// These flags.
        flags: u32,
    },
    /// The host was to access managed memory, where some device does not allow for that at all times.
    #[error(
        "managed memory that is not attached to the host: a device has no concurrent managed access, so the host may not \
         touch it"
    )]
    NotForHost,
    /// Memory that the host does not reach was to be used by it.
    #[error("the memory is not managed: the host does not reach it")]
    NotManaged,
    /// A default stream was to have managed memory alone.
    #[error("managed memory cannot be attached to a default stream alone")]
    DefaultStream,
    /// Something was asked about memory of no bytes.
    #[error("there are no bytes in the range, so nothing can be told of them")]
    NoBytes,
    /// Memory that other processes cannot be given.
    #[error("{memory} cannot be shared with other processes: it has to be of `cuMemAlloc`")]
    NotShareable {
        /// What it is.
        memory: &'static str,
    },
    /// The stream is being captured into a graph, which would record borrowed host memory.
    #[error(
        "the stream is capturing a graph: a copy from or to borrowed host memory would outlive the borrow"
    )]
    Capturing,
    /// A function was to be called by a stream that is being captured.
    #[error("the stream is capturing a graph: it would have the function called at each launch, or never")]
    HostFunctionInCapture,
    /// Objects of two contexts were used together where one is needed.
    #[error("{first} and {second} belong to different contexts")]
    DifferentContexts {
        /// One object.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// One launch goes to each device, and there were more.
    #[error("{launches} launches, of which each goes to another device, and there are {devices} devices")]
    MoreThanDevices {
        /// How many launches there were.
        launches: usize,
        /// How many devices there are.
        devices: u32,
    },
    /// Objects of two devices were used together where one is needed.
    #[error("{first} is of device {first_device}, {second} of device {second_device}")]
    DifferentDevices {
        /// One object.
        first: &'static str,
        /// Its device.
        first_device: i32,
        /// The other.
        second: &'static str,
        /// That one's device.
        second_device: i32,
    },
    /// Elements of memory have another size than those of an array.
    #[error(
        "elements of {element_bytes} bytes for an array whose elements, or blocks of them, have {array_bytes}"
    )]
    ElementSize {
        /// The size of an element, in bytes.
        element_bytes: usize,
        /// The size of an element of the array, or of a block of a block-compressed format, in bytes.
        array_bytes: usize,
    },
    /// An array was to be copied as a whole whose size in bytes this crate does not know.
    #[error("the size of elements of format {format} is not known: copy rows of bytes, or planes")]
    UnknownElementSize {
        /// The array's format.
        format: ArrayFormat,
    },
    /// An array was to be used that was made with `DEFERRED_MAPPING`, without anybody's saying that it has memory by now.
    #[error(
        "no memory is known to be mapped to the array, which was made with flags {flags:#x}: DEFERRED_MAPPING"
    )]
    ArrayNotMapped {
        /// The array's flags.
        flags: u32,
    },
    /// An array of packed video was to be used. Driver 580 takes other memory for that of such arrays, for that of other
    /// arrays even (measured).
    #[error("arrays of format {format} are not for safe functions: drivers take other memory for theirs")]
    PackedVideo {
        /// The array's format.
        format: ArrayFormat,
    },
    /// Something without any bytes has no place in memory.
    #[error("{what} has no bytes")]
    Empty {
        /// What it is.
        what: &'static str,
    },
    /// An offset, a size or an address is not a multiple of what it must be one of.
    #[error("{what} {value} is not a multiple of {unit}")]
    NotAMultiple {
        /// What it is.
        what: &'static str,
        /// The value.
        value: u64,
        /// What it must be a multiple of.
        unit: usize,
    },
    /// A part of a reservation is mapped already.
    #[error("bytes {start}..{end} overlap the mapping at {other_start}..{other_end}")]
    Mapped {
        /// Where the new mapping starts, in bytes.
        start: usize,
        /// Where it ends.
        end: usize,
        /// Where the other one starts.
        other_start: usize,
        /// Where it ends.
        other_end: usize,
    },
    /// Physical memory is mapped already, so that it would have two addresses.
    #[error("the physical memory is mapped already")]
    MappedElsewhere,
    /// A part of a reservation is not mapped.
    #[error("nothing is mapped at {at}, within {start}..{end}")]
    NotMapped {
        /// Where the range starts, in bytes.
        start: usize,
        /// Where it ends.
        end: usize,
        /// The first byte of it that is not mapped.
        at: usize,
    },
    /// A range must be that of whole mappings.
    #[error("bytes {start}..{end} cut the mapping at {other_start}..{other_end}")]
    PartOfMapping {
        /// Where the range starts, in bytes.
        start: usize,
        /// Where it ends.
        end: usize,
        /// Where the mapping starts.
        other_start: usize,
        /// Where it ends.
        other_end: usize,
    },
    /// The device of the home stream may not use mapped memory so.
    #[error("device {device} has no access {wanted} to the mapping at {at}")]
    NoAccess {
        /// The device.
        device: i32,
        /// What it would need.
        wanted: MemAccess,
        /// Where the mapping starts, in bytes.
        at: usize,
    },
    /// The current memory pool of a device is not known to this crate, so that nobody keeps it.
    #[error("the current memory pool of device {device} is none that this crate has made")]
    ForeignPool {
        /// The device.
        device: i32,
    },
    /// The current context was made by other code, so that nothing keeps it alive.
    #[error(
        "the current context {address:#x} was made by other code, and nothing keeps it alive: take it with its owner by the \
         unsafe `Context::from_raw_with_owner`"
    )]
    ForeignContext {
        /// The context's handle.
        address: usize,
    },
    /// An array that surfaces cannot be made of.
    #[error(
        "an array with flags {flags:#x} has no surfaces: it has to be made with SURFACE_LDST, {needed:#x}"
    )]
    NotForSurfaces {
        /// Its flags.
        flags: u32,
        /// The flag that it lacks.
        needed: u32,
    },
    /// Memory for a texture begins between two places where textures can begin, and the caller would not add an offset.
    #[error("the memory begins {offset} bytes after a multiple of {alignment}, where textures begin")]
    TextureOffset {
        /// How far it is from there, in bytes.
        offset: usize,
        /// What the device demands, in bytes.
        alignment: usize,
    },
    /// Memory was to be read as texels that textures of plain memory do not have.
    #[error("memory has no texels of format {format} with {channels} channels")]
    TexelFormat {
        /// What a channel was to hold.
        format: ArrayFormat,
        /// Channels of a texel.
        channels: u32,
    },
    /// A texture reference was to take its binding for texels of another size, so that it could reach beyond it.
    #[error("texels of {bytes} bytes, while the reference is bound to {}", bound_texels(*bound))]
    TexelSize {
        /// Bytes of such a texel.
        bytes: usize,
        /// Bytes of a texel of what is bound, if they are known.
        bound: Option<usize>,
    },
    /// A kernel was to sample a texture reference that is not of its module.
    #[error(
        "a kernel samples the texture references of its own module, and the reference is not one of these"
    )]
    ForeignReference,
    /// A texture has three dimensions.
    #[error("a texture has no dimension {dimension}: there are 3, counted from 0")]
    TextureDimension {
        /// The one that was asked for.
        dimension: u32,
    },
    /// A view was to be made of memory.
    #[error("memory has no views: they are of arrays")]
    ViewOfMemory,
    /// A device does not sample arrays of the other one.
    #[error("device {device} does not reach arrays of device {peer}")]
    NoPeerArrays {
        /// The device that was to sample.
        device: i32,
        /// The device that the array is on.
        peer: i32,
    },
    /// Kernels of one device were to use something of another, to which they have no access.
    #[error("device {device} has no peer access to device {peer}: it has to be enabled first")]
    NoPeerAccess {
        /// The device whose kernels they are.
        device: i32,
        /// The other one.
        peer: i32,
    },
    /// Peer access was to be taken away from textures and surfaces that need it.
    #[error(
        "objects of the context that are made of the peer's arrays or memory, and references that are bound to such: {textures}"
    )]
    PeerInUse {
        /// How many of them there are.
        textures: usize,
    },
    /// The end event came before the start event.
    #[error("the end event completed {milliseconds} ms before the start event")]
    NegativeTime {
        /// How long before, in milliseconds.
        milliseconds: Milliseconds,
    },
    /// A function that the driver calls, as those of [`Stream::launch_host_function`](crate::Stream::launch_host_function),
    /// was going to call the driver.
    #[error("{call} cannot be called inside a function that the driver calls")]
    InsideCallback {
        /// The driver function.
        call: &'static str,
    },
    /// A guard was dropped before guards that were made after it.
    #[error("a context guard was dropped before {later} later guards of the same thread")]
    GuardOrder {
        /// How many later guards were still alive.
        later: usize,
    },
    /// A guard found another context current than the one it had made current.
    #[error("another context is current than the one that the guard had entered: it was left as it is")]
    ForeignContextCurrent,
}

/// What a description of a copy says: a side, or the block that is copied, and the name of a field.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::{CopyDestination, CopySource, DeviceBuf, Memcpy3D};
///
/// let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 100)?;
/// let rows = [0_u8; 64];
/// let to = CopyDestination::device(buffer.as_slice_mut()).pitch(10);
/// let error = Memcpy3D::plane(to, CopySource::host(&rows), 16, 4).copy().unwrap_err();
/// assert_eq!(error.to_string(), "destination pitch is 10, and has to be at least 16");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyField {
    /// `source`, `destination` or `block`.
    pub side: &'static str,
    /// The field: `pitch`, `height`, `x`, `end` and so on.
    pub name: &'static str,
}

impl core::fmt::Display for CopyField {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "{} {}", self.side, self.name)
    }
}

/// What a number has to be.
///
/// ```
/// use cuda_rt::error::Bound;
///
/// assert_eq!(Bound::MultipleOf(4).to_string(), "a multiple of 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// This or more.
    AtLeast(usize),
    /// This or less.
    AtMost(usize),
    /// This times a whole number.
    MultipleOf(usize),
}

impl core::fmt::Display for Bound {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Bound::AtLeast(limit) => write!(formatter, "at least {limit}"),
            Bound::AtMost(limit) => write!(formatter, "at most {limit}"),
            Bound::MultipleOf(limit) => write!(formatter, "a multiple of {limit}"),
        }
    }
}

fn bound_texels(bound: Option<usize>) -> String {
    match bound {
        Some(bytes) => format!("texels of {bytes}"),
        None => "something else".to_owned(),
    }
}

fn out_of_bounds(start: usize, end: usize, len: usize) -> String {
    if end < start {
        format!("a range from {start} cannot end before, at {end}")
    } else if end > len {
        format!("range {start}..{end} is not within a length of {len}")
    } else {
        // An end beyond the largest number.
        format!("range {start}..={end} is not within a length of {len}")
    }
}

/// A time in milliseconds that can be compared for equality: its bits are kept.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// # let (start, end) = (cuda_rt::Event::new(&context)?, cuda_rt::Event::new(&context)?);
/// # start.record(&stream)?;
/// # end.record(&stream)?.synchronize()?;
/// let error = start.elapsed_since(&end).unwrap_err();
/// assert!(error.to_string().ends_with(" ms before the start event"), "{error}");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Milliseconds(u32);

impl Milliseconds {
    pub(crate) fn new(milliseconds: f32) -> Self {
        Self(milliseconds.to_bits())
    }

    /// The time.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// # let (start, end) = (cuda_rt::Event::new(&context)?, cuda_rt::Event::new(&context)?);
    /// # start.record(&stream)?;
    /// # end.record(&stream)?.synchronize()?;
    /// use cuda_rt::{Error, InvalidArgument};
    ///
    /// match start.elapsed_since(&end) {
    ///     Err(Error::Invalid(InvalidArgument::NegativeTime { milliseconds })) => {
    ///         assert!(milliseconds.get() > 0.0); // the wrong way round
    ///     }
    ///     other => panic!("{other:?}"),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn get(self) -> f32 {
        f32::from_bits(self.0)
    }
}

impl core::fmt::Display for Milliseconds {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.get().fmt(formatter)
    }
}
