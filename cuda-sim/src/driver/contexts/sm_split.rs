//! Splits of multiprocessors.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::contexts::dev_resource::{Grain, Multiprocessors, PAIR, WRONG_CONFIGURATION};
use crate::driver::{Answer, Call, put, put_if_wanted};
use core::ffi::c_uint;
use cuda_sys::{
    CU_DEV_SM_RESOURCE_GROUP_PARAMS, CUdevResource, CUdevSmResourceGroup_flags as GroupFlags,
    CUdevSmResourceSplitByCount_flags as Flags, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Reads the resource to split. A part of a split can be split only after a context is made of it (measured).
///
/// # Safety
///
/// `input` is null or valid for a read.
unsafe fn read(input: *const CUdevResource) -> Answer<Multiprocessors> {
    if input.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let input = Multiprocessors::read(&unsafe { input.read() })?;
    if input.is_part { Err(WRONG_CONFIGURATION) } else { Ok(input) }
}

/// Returns the number of groups of a size. A group of one unit lies within a unit of the device. An H100 therefore has
/// one group less than its 132 multiprocessors permit (measured). Other devices are not measured.
fn group_count(count: u32, size: u32, unit: u32) -> u32 {
    const H100: u32 = 132;
    let most = count / size;
    if count == H100 && size == unit && unit != PAIR { most - 1 } else { most }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn split_by_count(
    call: &mut Call<'_>,
    result: *mut CUdevResource,
    groups: *mut c_uint,
    input: *const CUdevResource,
    remainder: *mut CUdevResource,
    flags: c_uint,
    least: c_uint,
) -> Answer {
    let ignores_units = Flags::CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING.0;
    let largest = Flags::CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE.0;
    // The two flags exclude each other. Other flags are ignored (measured).
    if groups.is_null() || flags & (ignores_units | largest) == ignores_units | largest {
        return Err(INVALID);
    }
    // SAFETY: the program's promise.
    let input = unsafe { read(input) }?;
    let count = input.numbers.len() as u32;
    if least > count {
        return Err(WRONG_CONFIGURATION);
    }
    let grain = if flags & ignores_units != 0 { Grain::Pair } else { input.grain };
    let whole = call.state.multiprocessor_unit(input.device);
    let unit = if grain == Grain::Pair { PAIR } else { whole };
    // The size of the last group need not be a multiple (measured).
    let size = least.max(unit).next_multiple_of(unit).min(count);
    let possible = group_count(count, size, unit);
    if result.is_null() {
        // SAFETY: the program's promise.
        return unsafe { put(groups, possible) };
    }
    // SAFETY: not null, so valid for a read.
    let wanted = match unsafe { groups.read() } {
        0 => return Err(INVALID),
        wanted => wanted.min(possible),
    };
    let mut numbers = input.numbers.chunks(size as usize);
    for (index, group) in numbers.by_ref().take(wanted as usize).enumerate() {
        let group = input.part(group.to_vec(), grain, 0).shown(whole);
        let place = result.wrapping_add(index);
        // SAFETY: the program's promise: as many places as groups are wanted.
        unsafe { place.write(group) };
    }
    // SAFETY: the program's promise.
    unsafe { put(groups, wanted) }?;
    let left = input.part(numbers.flatten().copied().collect(), Grain::Pair, 0);
    // SAFETY: the program's promise; the parameter may be null.
    unsafe { put_if_wanted(remainder, left.shown(whole)) };
    Ok(())
}

/// Splits as documented. Not measured.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn split(
    call: &mut Call<'_>,
    result: *mut CUdevResource,
    count: c_uint,
    input: *const CUdevResource,
    remainder: *mut CUdevResource,
    flags: c_uint,
    groups: *mut CU_DEV_SM_RESOURCE_GROUP_PARAMS,
) -> Answer {
    /// Largest number of multiprocessors that are asked to run clusters together.
    const MOST_TOGETHER: u32 = 32;
    if flags != 0 || groups.is_null() || count == 0 {
        return Err(INVALID);
    }
    // SAFETY: the program's promise.
    let input = unsafe { read(input) }?;
    // SAFETY: the program's promise: so many groups, which the function writes to.
    let groups = unsafe { core::slice::from_raw_parts_mut(groups, count as usize) };
    let whole = call.state.multiprocessor_unit(input.device);
    let most = if whole == PAIR { PAIR } else { MOST_TOGETHER };
    let mut left = input.numbers.clone();
    let mut made = Vec::new();
    for group in groups.iter_mut() {
        if group.flags & !GroupFlags::CU_DEV_SM_RESOURCE_GROUP_BACKFILL.0 != 0 {
            say("groups of multiprocessors of a locality domain are not simulated");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let unit = if group.coscheduledSmCount == 0 { whole } else { group.coscheduledSmCount };
        let fills = group.flags & GroupFlags::CU_DEV_SM_RESOURCE_GROUP_BACKFILL.0 != 0;
        let asked = group.smCount;
        let is_multiple = unit % PAIR == 0 && asked % PAIR == 0 && (fills || asked % unit == 0);
        if unit > most || !is_multiple || asked as usize > input.numbers.len() {
            return Err(WRONG_CONFIGURATION);
        }
        let available = left.len() as u32;
        let available = if fills { available / PAIR * PAIR } else { available / unit * unit };
        let size = if asked == 0 { available } else { asked };
        // Without a place for the groups, the call asks for their sizes.
        if size > available || size < unit && !result.is_null() {
            return Err(WRONG_CONFIGURATION);
        }
        group.smCount = size;
        let rest = left.split_off(size as usize);
        let grain = if unit == whole { Grain::Unit } else { Grain::Pair };
        made.push(input.part(core::mem::replace(&mut left, rest), grain, group.flags));
    }
    if !result.is_null() {
        for (index, group) in made.iter().enumerate() {
            let place = result.wrapping_add(index);
            // SAFETY: the program's promise: a place for each group.
            unsafe { place.write(group.shown(whole)) };
        }
    }
    let left = input.part(left, Grain::Pair, 0);
    // SAFETY: the program's promise; the parameter may be null.
    unsafe { put_if_wanted(remainder, left.shown(whole)) };
    Ok(())
}
