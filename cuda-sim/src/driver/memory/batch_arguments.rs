//! Common arguments of functions for many ranges.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::operations::StreamId;
use crate::driver::{Answer, Call};
use cuda_sys::{CUresult, CUstream};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Copies a list of the program, which must not be empty.
///
/// # Safety
///
/// `list` is null, or valid for reads of `count` elements.
pub(crate) unsafe fn list<T: Copy>(list: *const T, count: usize) -> Answer<Vec<T>> {
    if list.is_null() || count == 0 {
        return Err(INVALID);
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(list, count) }.to_vec())
}

/// Returns which element of a second list applies to each of `count` elements. `starts` says from which element on each
/// applies: the first from 0 on, and the others in ascending order.
pub(crate) fn groups(starts: &[usize], count: usize) -> Answer<Vec<usize>> {
    let rises = starts.is_sorted_by(|first, second| first < second);
    if starts.first() != Some(&0) || !rises || starts.last().is_none_or(|last| *last >= count) {
        return Err(INVALID);
    }
    Ok((0..count).map(|index| starts.partition_point(|start| *start <= index) - 1).collect())
}

/// Returns a stream on which batches may be queued: any stream except the legacy stream, in all forms of its handle
/// (measured).
pub(crate) fn stream_of(call: &Call<'_>, stream: CUstream) -> Answer<(StreamId, Handle)> {
    match call.state.stream(stream)? {
        (StreamId::Legacy(_), _) => Err(INVALID),
        // A capture continues after a refused batch (measured).
        (on_stream, _) if call.state.captures.of_stream(on_stream).is_some() => {
            Err(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
        }
        on => Ok(on),
    }
}
