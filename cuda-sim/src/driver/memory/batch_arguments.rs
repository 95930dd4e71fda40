//! Lists of the program, and common arguments of functions for many ranges.

#![allow(unsafe_code)]

use crate::driver::Answer;
use cuda_sys::CUresult;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Copies a list of the program, which may be empty. Refuses a count of elements for which there is no memory, because no
/// program has a list of so many.
///
/// # Safety
///
/// `list` is null, or valid for reads of `count` elements, if there is memory for so many.
pub(crate) unsafe fn list<T: Copy>(list: *const T, count: usize) -> Answer<Vec<T>> {
    let mut copy = Vec::new();
    if count == 0 {
        return Ok(copy);
    }
    if list.is_null() || copy.try_reserve_exact(count).is_err() {
        return Err(INVALID);
    }
    // SAFETY: not null, and no more than `isize::MAX` bytes, for which memory was reserved; the caller's promise.
    copy.extend_from_slice(unsafe { core::slice::from_raw_parts(list, count) });
    Ok(copy)
}

/// Copies a list of the program, which must not be empty.
///
/// # Safety
///
/// As for [`list`].
pub(crate) unsafe fn full_list<T: Copy>(given: *const T, count: usize) -> Answer<Vec<T>> {
    if count == 0 {
        return Err(INVALID);
    }
    // SAFETY: the caller's promise.
    unsafe { list(given, count) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_begin_with_the_first_and_go_on() {
        assert_eq!(groups(&[0, 2], 4), Ok(vec![0, 0, 1, 1]));
        assert_eq!(groups(&[0], 2), Ok(vec![0, 0]));
        for wrong in [&[][..], &[1], &[0, 0], &[0, 2, 1], &[0, 4]] {
            assert_eq!(groups(wrong, 4), Err(INVALID), "{wrong:?}");
        }
    }
}
