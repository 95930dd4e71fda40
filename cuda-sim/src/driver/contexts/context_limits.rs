//! The limits of contexts.

#![allow(unsafe_code)]

use crate::driver::rules::since;
use crate::driver::{Answer, Call, put};
use cuda_sim_engine::Output;
use cuda_sys::{CUlimit, CUlimit_enum as Limit, CUresult};
use std::sync::Arc;

/// Checks that a limit exists and that the device supports it.
fn check_limit(call: &Call<'_>, limit: CUlimit) -> Answer {
    let device = call.state.live_context(call.context)?.device;
    call.state.require(since::LIMITS, limit.0)?;
    match call.state.profile(device).limits.iter().find(|(known, _)| *known == limit.0) {
        Some((_, Some(_))) => Ok(()),
        Some((_, None)) => Err(CUresult::CUDA_ERROR_UNSUPPORTED_LIMIT),
        None => Err(call.state.lacking(since::LIMITS, limit.0, "limit")),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_limit(call: &mut Call<'_>, value: *mut usize, limit: CUlimit) -> Answer {
    check_limit(call, limit)?;
    let known = call.state.live_context(call.context)?.limits.get(&limit.0).copied().unwrap_or(0);
    // SAFETY: the program's promise.
    unsafe { put(value, known as usize) }
}

/// Returns the effective value of a limit: rounded, raised to a minimum, or refused. All numbers are those of an H200
/// (measured).
fn effective_limit(limit: CUlimit, value: usize) -> Answer<usize> {
    const PERSISTING_L2_UNIT: usize = 3_932_160;
    let refused = Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    match limit {
        Limit::CU_LIMIT_STACK_SIZE if value > MOST_STACK => refused,
        Limit::CU_LIMIT_STACK_SIZE => Ok(value.max(1).next_multiple_of(16)),
        Limit::CU_LIMIT_PRINTF_FIFO_SIZE => Ok(value.clamp(512 << 10, 2 << 30)),
        Limit::CU_LIMIT_MALLOC_HEAP_SIZE => {
            Ok(value.clamp(4 << 20, usize::try_from(MOST_HEAP).unwrap_or(usize::MAX)))
        }
        Limit::CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT => Ok(value.clamp(32, 599_186)),
        Limit::CU_LIMIT_MAX_L2_FETCH_GRANULARITY if value > 128 => refused,
        Limit::CU_LIMIT_PERSISTING_L2_CACHE_SIZE if value > 10 * PERSISTING_L2_UNIT => refused,
        Limit::CU_LIMIT_PERSISTING_L2_CACHE_SIZE => Ok(value.next_multiple_of(PERSISTING_L2_UNIT)),
        Limit::CU_LIMIT_SHMEM_SIZE | Limit::CU_LIMIT_CIG_ENABLED => Err(CUresult::CUDA_ERROR_NOT_PERMITTED),
        _ => Ok(value),
    }
}

/// Largest heap of `malloc` on an H200 in bytes (conformance fact V1041).
const MOST_HEAP: u64 = 17_681_179_680;
/// Largest stack of a thread in bytes.
const MOST_STACK: usize = 523_712;

pub(crate) fn set_limit(call: &mut Call<'_>, limit: CUlimit, value: usize) -> Answer {
    check_limit(call, limit)?;
    let value = effective_limit(limit, value)?;
    // The size of the heap cannot change once it exists (conformance fact V1036).
    if limit == Limit::CU_LIMIT_MALLOC_HEAP_SIZE && call.state.heap.malloc_heap_of(call.context).is_some() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if let Some(context) = call.state.contexts.get_mut(call.context) {
        context.limits.insert(limit.0, value as u64);
        if limit == Limit::CU_LIMIT_PRINTF_FIFO_SIZE {
            call.state.printed.append(&mut context.output.take());
            context.output = Arc::new(Output::new(value));
        }
    }
    Ok(())
}
