//! Fills with a value.

#![allow(unsafe_code)]

use super::view::DeviceSliceMut;
use crate::error::Result;
use crate::list::CollectVec;
use crate::stream::Stream;
use bytemuck::NoUninit;
use cuda_sys::{CUdeviceptr, CUstream, Symbol};

impl<T: NoUninit> DeviceSliceMut<'_, T> {
    /// Sets all elements to a value. Does not wait.
    ///
    /// Wraps `cuMemsetD8Async`, `cuMemsetD16Async` or `cuMemsetD32Async`, chosen by the bytes of the value. A value that none of
    /// them can repeat is set in parts, with one call of `cuMemsetD2D8Async` or a similar function for each part.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured. The graph would not
    ///   keep the memory alive.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    ///
    /// let mut numbers = DeviceBuf::<f64>::zeroed(&stream, 3)?;
    /// numbers.slice_mut(1..)?.fill(2.5)?;
    /// assert_eq!(numbers.to_vec()?, [0.0, 2.5, 2.5]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias(
        "cuMemsetD8",
        "cuMemsetD16",
        "cuMemsetD32",
        "cuMemsetD8Async",
        "cuMemsetD16Async",
        "cuMemsetD32Async"
    ))]
    pub fn fill(&mut self, value: T) -> Result<()> {
        let rows = Rows { address: self.ptr().as_raw(), pitch: 0, width: self.len(), height: 1 };
        // SAFETY: the memory is allocated, lives on the stream, and is borrowed mutably.
        unsafe { fill(self.stream(), rows, bytemuck::bytes_of(&value)) }
    }
}

/// Elements in rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) address: CUdeviceptr,
    /// Bytes from row to row.
    pub(crate) pitch: usize,
    /// Elements of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A value that the driver sets in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Byte(u8),
    Half(u16),
    Word(u32),
}

impl Unit {
    fn size(self) -> usize {
        match self {
            Unit::Byte(_) => 1,
            Unit::Half(_) => 2,
            Unit::Word(_) => 4,
        }
    }

    /// Returns the units of a value: the largest that are possible at an address that is a multiple of `align`.
    fn all_of(value: &[u8], align: u64) -> Vec<Unit> {
        let whole = |size: usize| value.len().is_multiple_of(size) && align.is_multiple_of(size as u64);
        if whole(4) {
            let (words, _) = value.as_chunks::<4>();
            words.iter().map(|word| Unit::Word(u32::from_ne_bytes(*word))).collect_vec()
        } else if whole(2) {
            let (halves, _) = value.as_chunks::<2>();
            halves.iter().map(|half| Unit::Half(u16::from_ne_bytes(*half))).collect_vec()
        } else {
            value.iter().copied().map(Unit::Byte).collect_vec()
        }
    }

    /// Returns the function that [`row`](Unit::row) or [`rows`](Unit::rows) calls.
    fn call(self, is_row: bool) -> Symbol {
        match (self, is_row) {
            (Unit::Byte(_), true) => Symbol::cuMemsetD8Async,
            (Unit::Byte(_), false) => Symbol::cuMemsetD2D8Async,
            (Unit::Half(_), true) => Symbol::cuMemsetD16Async,
            (Unit::Half(_), false) => Symbol::cuMemsetD2D16Async,
            (Unit::Word(_), true) => Symbol::cuMemsetD32Async,
            (Unit::Word(_), false) => Symbol::cuMemsetD2D32Async,
        }
    }

    /// Queues a fill of a row.
    ///
    /// # Safety
    ///
    /// `count` units at `address` may be written on the stream, whose context is current.
    unsafe fn row(self, address: CUdeviceptr, count: usize, stream: CUstream) -> Result<()> {
        match self {
            // SAFETY: the caller's promise.
            Unit::Byte(value) => unsafe { inline_check!(cuMemsetD8Async(address, value, count, stream)) },
            // SAFETY: as above.
            Unit::Half(value) => unsafe { inline_check!(cuMemsetD16Async(address, value, count, stream)) },
            // SAFETY: as above.
            Unit::Word(value) => unsafe { inline_check!(cuMemsetD32Async(address, value, count, stream)) },
        }
    }

    /// Queues a fill of rows, `pitch` bytes from one to the next.
    ///
    /// # Safety
    ///
    /// `height` rows of `width` units at `address` may be written on the stream, whose context is current.
    unsafe fn rows(
        self,
        address: CUdeviceptr,
        pitch: usize,
        (width, height): (usize, usize),
        stream: CUstream,
    ) -> Result<()> {
        match self {
            // SAFETY: the caller's promise.
            Unit::Byte(value) => unsafe {
                inline_check!(cuMemsetD2D8Async(address, pitch, value, width, height, stream))
            },
            // SAFETY: as above.
            Unit::Half(value) => unsafe {
                inline_check!(cuMemsetD2D16Async(address, pitch, value, width, height, stream))
            },
            // SAFETY: as above.
            Unit::Word(value) => unsafe {
                inline_check!(cuMemsetD2D32Async(address, pitch, value, width, height, stream))
            },
        }
    }
}

/// Queues a fill with a value of any size.
///
/// # Safety
///
/// The rows may be written on the stream, and their elements have the size of the value.
pub(crate) unsafe fn fill(stream: &Stream, rows: Rows, value: &[u8]) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { fill_in_parts(stream, rows, value, &mut || Ok(())) }
}

/// Queues the same fill, and calls `note` after each driver call.
///
/// # Safety
///
/// Same as for [`fill`].
pub(crate) unsafe fn fill_in_parts(
    stream: &Stream,
    rows: Rows,
    value: &[u8],
    note: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    let Rows { address, pitch, width, height } = rows;
    if value.is_empty() || width == 0 || height == 0 {
        return Ok(());
    }
    let raw = stream.raw();
    // A power of two that divides the address and, if there are several rows, the pitch.
    let align = if height > 1 { address | pitch as u64 } else { address };
    let align = 1_u64 << align.trailing_zeros().min(2);
    let mut units = Unit::all_of(value, align);
    if let Some(first) = value.first()
        && value.iter().all(|byte| byte == first)
    {
        // One call for any size.
        units = vec![Unit::Byte(*first); value.len()];
    }
    let (Some(first), count) = (units.first().copied(), units.len()) else { return Ok(()) };
    let is_row = height == 1 && units.iter().all(|unit| *unit == first);
    // A graph of other code would use the address without keeping the memory alive.
    stream.refuse_capture(first.call(is_row))?;
    let _bound = stream.context().bind_inline(first.call(is_row))?;
    if units.iter().all(|unit| *unit == first) {
        let units = width.saturating_mul(count);
        if height == 1 {
            // SAFETY: the caller's promise: the row has as many units.
            unsafe { first.row(address, units, raw) }?;
        } else {
            // SAFETY: as above, of each row.
            unsafe { first.rows(address, pitch, (units, height), raw) }?;
        }
        return note();
    }
    // Each unit of the value by itself: the same unit of every element, so that the elements form the rows.
    for row in 0..height {
        let start = address.wrapping_add((row as u64).wrapping_mul(pitch as u64));
        for (index, unit) in units.iter().enumerate() {
            let at = start.wrapping_add((index * unit.size()) as u64);
            // SAFETY: the caller's promise: `width` elements of this size from `start` on. Each has the unit.
            unsafe { unit.rows(at, value.len(), (1, width), raw) }?;
            note()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn values_are_taken_apart() {
        assert_eq!(Unit::all_of(&[1; 3], 4), [Unit::Byte(1); 3]);
        assert_eq!(Unit::all_of(&[1, 1], 2), [Unit::Half(0x101)]);
        assert_eq!(Unit::all_of(&[1, 1], 1), [Unit::Byte(1); 2]);
        assert_eq!(Unit::all_of(&[0, 0, 0, 0, 1, 1, 1, 1], 4), [Unit::Word(0), Unit::Word(0x0101_0101)]);
        assert_eq!(Unit::all_of(&[0, 0, 0, 0, 1, 1, 1, 1], 2).len(), 4);
    }
}
