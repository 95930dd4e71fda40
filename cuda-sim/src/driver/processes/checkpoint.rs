//! Checkpoints of this process. Other processes have drivers of their own, which this one cannot access.
//!
//! All memory is host memory, so a checkpoint moves nothing. A lock waits for all queued work, and blocks calls.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::memory::batch_arguments;
use crate::driver::operations::OpId;
use crate::driver::processes::fork;
use crate::driver::rules::Needs;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_int;
use cuda_sys::{
    CUcheckpointCheckpointArgs, CUcheckpointLockArgs, CUcheckpointOperationHandle, CUcheckpointRestoreArgs,
    CUcheckpointUnlockArgs, CUprocessState, CUprocessState_enum as ProcessState, CUresult, CUuuid,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

impl State {
    /// Returns whether a call waits for the end of a lock. This applies to all calls that may change state (measured).
    pub(crate) fn is_locked_for(&self, needs: Needs) -> bool {
        self.process_state != ProcessState::CU_PROCESS_STATE_RUNNING && needs.reports_sticky()
    }
}

/// Refuses processes other than this one.
fn check_process(call: &Call<'_>, process: c_int) -> Answer {
    if u32::try_from(process) == Ok(std::process::id()) {
        return if call.state.initialized && !fork::is_child() {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_NOT_INITIALIZED)
        };
    }
    let is_there = process > 0 && std::path::Path::new(&format!("/proc/{process}")).exists();
    // Other processes do not use this driver.
    Err(if is_there { CUresult::CUDA_ERROR_NOT_INITIALIZED } else { CUresult::CUDA_ERROR_OPERATING_SYSTEM })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn state(call: &mut Call<'_>, process: c_int, to: *mut CUprocessState) -> Answer {
    check_out(to)?;
    check_process(call, process)?;
    // SAFETY: the program's promise.
    unsafe { put(to, call.state.process_state) }
}

/// Returns that there is no restore thread.
pub(crate) fn restore_thread(call: &mut Call<'_>, process: c_int, to: *mut c_int) -> Answer {
    check_out(to)?;
    check_process(call, process)?;
    say("the thread that restores a process is not simulated");
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

fn change(call: &mut Call<'_>, from: CUprocessState, to: CUprocessState) -> Answer {
    if call.state.process_state != from {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    call.state.process_state = to;
    Ok(())
}

/// Locks the process. The time limit is ignored, because work never exceeds it.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn lock(call: &mut Call<'_>, process: c_int, args: *mut CUcheckpointLockArgs) -> Answer {
    check_process(call, process)?;
    if !args.is_null() {
        // SAFETY: not null, so valid for a read.
        let CUcheckpointLockArgs { reserved0, reserved1, .. } = unsafe { args.read() };
        if reserved0 != 0 || reserved1 != [0; 7] {
            return Err(INVALID);
        }
    }
    change(call, ProcessState::CU_PROCESS_STATE_RUNNING, ProcessState::CU_PROCESS_STATE_LOCKED)?;
    let State { contexts, queue, .. } = &*call.state;
    let ops: Vec<OpId> = contexts.iter().flat_map(|(context, _)| queue.of_context(context)).collect();
    call.wait_for(ops);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn checkpoint(
    call: &mut Call<'_>,
    process: c_int,
    args: *mut CUcheckpointCheckpointArgs,
) -> Answer {
    check_process(call, process)?;
    if !args.is_null() {
        // SAFETY: not null, so valid for a read.
        let CUcheckpointCheckpointArgs { customStorageInfo_out, reserved } = unsafe { args.read() };
        if reserved.iter().any(|byte| *byte != 0) {
            return Err(INVALID);
        }
        if !customStorageInfo_out.is_null() {
            // As documented, a process cannot copy its own memory.
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
    }
    if call.state.process_state == ProcessState::CU_PROCESS_STATE_LOCKED {
        if call.state.is_beyond_checkpoints {
            // This holds even if the managed memory has been freed (measured).
            return Err(CUresult::CUDA_ERROR_UNKNOWN);
        }
        if !call.state.heap.managed.is_empty() {
            call.state.is_beyond_checkpoints = true;
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
    }
    change(call, ProcessState::CU_PROCESS_STATE_LOCKED, ProcessState::CU_PROCESS_STATE_CHECKPOINTED)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn restore(
    call: &mut Call<'_>,
    process: c_int,
    args: *mut CUcheckpointRestoreArgs,
) -> Answer {
    check_process(call, process)?;
    if call.state.process_state != ProcessState::CU_PROCESS_STATE_CHECKPOINTED {
        return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
    }
    if !args.is_null() {
        // SAFETY: not null, so valid for a read.
        let CUcheckpointRestoreArgs { gpuPairs, gpuPairsCount, customStorageInfo_out, .. } =
            unsafe { args.read() };
        if !customStorageInfo_out.is_null() {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let is_known =
            |uuid: CUuuid| call.state.devices.iter().any(|device| device.uuid().bytes == uuid.bytes);
        let pairs = if gpuPairsCount == 0 {
            Vec::new()
        } else {
            // SAFETY: the program's promise: so many pairs are valid for reads.
            unsafe { batch_arguments::full_list(gpuPairs, gpuPairsCount as usize) }?
        };
        for pair in pairs {
            if !is_known(pair.oldUuid) || !is_known(pair.newUuid) {
                return Err(INVALID);
            }
            if pair.oldUuid.bytes != pair.newUuid.bytes {
                say("moves of a process to other devices are not simulated");
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
        }
    }
    change(call, ProcessState::CU_PROCESS_STATE_CHECKPOINTED, ProcessState::CU_PROCESS_STATE_LOCKED)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn unlock(
    call: &mut Call<'_>,
    process: c_int,
    args: *mut CUcheckpointUnlockArgs,
) -> Answer {
    check_process(call, process)?;
    // SAFETY: if it is not null, it is valid for a read.
    if !args.is_null() && unsafe { args.read() }.reserved != [0; 8] {
        return Err(INVALID);
    }
    change(call, ProcessState::CU_PROCESS_STATE_LOCKED, ProcessState::CU_PROCESS_STATE_RUNNING)
}

/// Returns at once, because no operation is pending.
pub(crate) fn complete(_: &mut Call<'_>, _: CUcheckpointOperationHandle) -> Answer {
    Err(INVALID)
}
