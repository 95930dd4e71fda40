//! Refusals that several modules share: each names the call or the object, the value and the limit.

use super::{Error, ErrorKind, Result};
use crate::list::CollectVec;
use core::fmt;
use cuda_sys::{CUstream, Symbol};

/// Limit of a number. The text says how a number breaks the limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Limit {
    AtLeast(usize),
    AtMost(usize),
    MultipleOf(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::AtLeast(limit) => write!(formatter, "less than {limit}"),
            Limit::AtMost(limit) => write!(formatter, "more than {limit}"),
            Limit::MultipleOf(limit) => write!(formatter, "not a multiple of {limit}"),
        }
    }
}

fn describe_lengths(source_len: usize, destination_len: usize) -> String {
    format!(
        "the source has {source_len} elements, the destination {destination_len}; the lengths must be equal"
    )
}

fn describe_shape(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(usize::to_string).collect_vec();
    numbers.join(" x ")
}

impl Error {
    /// Refuses an argument of an object. `detail` reads `<value> <breaks> <limit>; <what to do>`.
    #[cold]
    pub(crate) fn invalid(object: &str, detail: fmt::Arguments<'_>) -> Error {
        Error::about(ErrorKind::InvalidArgument, format_args!("{object}"), detail)
    }

    /// Refuses an argument of a call, which is not made.
    #[cold]
    pub(crate) fn invalid_for(call: Symbol, detail: fmt::Arguments<'_>) -> Error {
        Error::refused(ErrorKind::InvalidArgument, call.name(), detail)
    }

    #[cold]
    pub(crate) fn inside_host_function(call: Symbol) -> Error {
        let text = "not called inside a host function, where the driver allows no calls; call it after the function returned";
        Error::refused(ErrorKind::InsideHostFunction, call.name(), format_args!("{text}"))
    }

    /// Refuses a call that borrows memory from the caller: a graph would use the memory at every launch.
    #[cold]
    pub(crate) fn capturing(call: Symbol, stream: CUstream) -> Error {
        let text =
            "is being captured, and the graph would outlive the memory of this call; end the capture first";
        let stream = stream.addr();
        Error::refused(ErrorKind::StreamCapturing, call.name(), format_args!("stream {stream:#x} {text}"))
    }

    /// Refuses to change a property that a graph relies on.
    #[cold]
    pub(crate) fn held_by_graph(object: &str, property: &str) -> Error {
        Error::about(
            ErrorKind::HeldByGraph,
            format_args!("{object}"),
            format_args!(
                "a graph, an executable graph or a launch of one holds it, and relies on {property}; drop them first"
            ),
        )
    }

    #[cold]
    pub(crate) fn context_lost() -> Error {
        let text =
            "other code has reset or destroyed it, with everything that was made in it; make new objects";
        Error::about(ErrorKind::ContextLost, format_args!("context"), format_args!("{text}"))
    }

    #[cold]
    pub(crate) fn host_memory(bytes: usize) -> Error {
        Error::about(
            ErrorKind::OutOfHostMemory,
            format_args!("host memory"),
            format_args!("{bytes} bytes could not be allocated"),
        )
    }

    /// Refuses a range. If `end` is within `len`, the range is inclusive, and `end` is the largest number.
    #[cold]
    pub(crate) fn out_of_bounds(object: &str, start: usize, end: usize, len: usize) -> Error {
        if end < start {
            Error::invalid(
                object,
                format_args!("range {start}..{end} ends before it starts, in a length of {len}"),
            )
        } else if end > len {
            Error::invalid(object, format_args!("range {start}..{end} exceeds the length {len}"))
        } else {
            Error::invalid(object, format_args!("range {start}..={end} exceeds the length {len}"))
        }
    }

    #[cold]
    pub(crate) fn length_mismatch(object: &str, source_len: usize, destination_len: usize) -> Error {
        Error::invalid(object, format_args!("{}", describe_lengths(source_len, destination_len)))
    }

    #[cold]
    pub(crate) fn length_mismatch_for(call: Symbol, source_len: usize, destination_len: usize) -> Error {
        Error::invalid_for(call, format_args!("{}", describe_lengths(source_len, destination_len)))
    }

    #[cold]
    pub(crate) fn size_overflow(object: &str, len: usize, element_bytes: usize) -> Error {
        Error::invalid(
            object,
            format_args!(
                "{len} elements of {element_bytes} bytes exceed the address space of 2^{} bytes",
                usize::BITS
            ),
        )
    }

    /// Refuses the product of the numbers of a shape.
    #[cold]
    pub(crate) fn shape_overflow(object: &str, shape: &[usize], element_bytes: usize) -> Error {
        let shape = describe_shape(shape);
        Error::invalid(
            object,
            format_args!(
                "{shape} elements of {element_bytes} bytes exceed the address space of 2^{} bytes",
                usize::BITS
            ),
        )
    }

    /// Refuses a shape in which the number with this index is 0.
    #[cold]
    pub(crate) fn empty_shape(object: &str, shape: &[usize], index: usize) -> Error {
        let shape = describe_shape(shape);
        Error::invalid(
            object,
            format_args!("dimension {index} (counted from 0) of shape {shape} is 0; each must be at least 1"),
        )
    }

    #[cold]
    pub(crate) fn empty(object: &str) -> Error {
        Error::invalid(object, format_args!("it has 0 bytes, and needs at least 1"))
    }

    #[cold]
    pub(crate) fn not_a_multiple(object: &str, value: u64, unit: usize) -> Error {
        Error::invalid(object, format_args!("{value} is not a multiple of {unit}"))
    }

    #[cold]
    pub(crate) fn not_a_power_of_two(object: &str, alignment: usize) -> Error {
        Error::invalid(object, format_args!("{alignment} bytes is not a power of two"))
    }

    /// Refuses a number: the `name` of a `part`, such as the pitch of a destination.
    #[cold]
    pub(crate) fn beyond(part: &str, name: &str, value: usize, limit: Limit) -> Error {
        Error::about(
            ErrorKind::InvalidArgument,
            format_args!("{part} {name}"),
            format_args!("{value} is {limit}"),
        )
    }

    /// Refuses objects of two contexts where one is needed. `context::different_contexts` also names the contexts.
    #[cold]
    pub(crate) fn different_contexts(call: Symbol, first: &str, second: &str) -> Error {
        Error::invalid_for(
            call,
            format_args!("{first} and {second} belong to different contexts; use objects of one context"),
        )
    }
}

/// Returns a list of equal elements. Returns an error if the host refuses the memory: the number is a driver's answer.
pub(crate) fn filled<T: Copy>(value: T, len: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::host_memory(len.saturating_mul(size_of::<T>())))?;
    list.resize(len, value);
    Ok(list)
}
