//! Questions about checkpoints of the own process.

use super::{Answers, Question, device, initialised};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "checkpoint-not-initialised", devices: 1, ask: not_initialised },
    Question { name: "checkpoint-processes", devices: 1, ask: processes },
    Question { name: "checkpoint-running", devices: 1, ask: running },
    Question { name: "checkpoint-steps", devices: 1, ask: steps },
    Question { name: "checkpoint-asking", devices: 1, ask: asking },
    Question { name: "checkpoint-page-locked", devices: 1, ask: page_locked },
    Question { name: "checkpoint-managed", devices: 1, ask: managed },
    Question { name: "checkpoint-shared", devices: 1, ask: shared },
];

fn own() -> i32 {
    i32::try_from(std::process::id()).unwrap()
}

fn state(answers: &mut Answers) {
    let mut state = CUprocessState(9);
    let code = code!(cuCheckpointProcessGetState(own(), &raw mut state));
    answers.given(code, state.0);
}

fn lock() -> CUresult {
    code!(cuCheckpointProcessLock(own(), null_mut()))
}

fn checkpoint() -> CUresult {
    code!(cuCheckpointProcessCheckpoint(own(), null_mut()))
}

fn restore() -> CUresult {
    code!(cuCheckpointProcessRestore(own(), null_mut()))
}

fn unlock() -> CUresult {
    code!(cuCheckpointProcessUnlock(own(), null_mut()))
}

fn begun() {
    initialised();
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, 0, device().as_raw()));
}

fn not_initialised(answers: &mut Answers) {
    state(answers);
    let mut thread = 0;
    answers.codes([
        code!(cuCheckpointProcessGetRestoreThreadId(own(), &raw mut thread)),
        lock(),
        checkpoint(),
        restore(),
        unlock(),
    ]);
}

fn processes(answers: &mut Answers) {
    initialised();
    let mut state = CUprocessState(9);
    answers.codes([
        code!(cuCheckpointProcessGetState(own(), null_mut())),
        code!(cuCheckpointProcessGetRestoreThreadId(own(), null_mut())),
    ]);
    for process in [0, -1, i32::MAX, 1] {
        answers.codes([
            code!(cuCheckpointProcessGetState(process, &raw mut state)),
            code!(cuCheckpointProcessLock(process, null_mut())),
            code!(cuCheckpointProcessCheckpoint(process, null_mut())),
            code!(cuCheckpointProcessRestore(process, null_mut())),
            code!(cuCheckpointProcessUnlock(process, null_mut())),
        ]);
    }
}

fn running(answers: &mut Answers) {
    begun();
    answers.codes([checkpoint(), restore(), unlock()]);
    let mut arguments = CUcheckpointLockArgs { reserved0: 1, ..CUcheckpointLockArgs::default() };
    answers.code(code!(cuCheckpointProcessLock(own(), &raw mut arguments)));
    arguments.reserved0 = 0;
    arguments.reserved1[3] = 1;
    answers.code(code!(cuCheckpointProcessLock(own(), &raw mut arguments)));
    state(answers);
}

fn steps(answers: &mut Answers) {
    begun();
    answers.codes([lock(), lock(), restore()]);
    let mut arguments = CUcheckpointCheckpointArgs::default();
    arguments.reserved[3] = 1;
    answers.code(code!(cuCheckpointProcessCheckpoint(own(), &raw mut arguments)));
    state(answers);
    answers.codes([checkpoint(), checkpoint(), lock(), unlock()]);
    state(answers);
    let mut pair =
        CUcheckpointGpuPair { oldUuid: CUuuid { bytes: [5; 16] }, newUuid: CUuuid { bytes: [5; 16] } };
    let mut arguments =
        CUcheckpointRestoreArgs { gpuPairs: &raw mut pair, gpuPairsCount: 1, ..Default::default() };
    answers.code(code!(cuCheckpointProcessRestore(own(), &raw mut arguments)));
    answers.codes([restore(), restore()]);
    state(answers);
    let mut arguments = CUcheckpointUnlockArgs::default();
    arguments.reserved[0] = 1;
    answers.code(code!(cuCheckpointProcessUnlock(own(), &raw mut arguments)));
    answers.codes([unlock(), unlock()]);
    state(answers);
}

fn asking(answers: &mut Answers) {
    begun();
    answers.code(lock());
    let (mut context, mut number) = (null_mut(), 0);
    answers.codes([
        code!(cuCtxGetCurrent(&raw mut context)),
        code!(cuDeviceGetCount(&raw mut number)),
        code!(cuDriverGetVersion(&raw mut number)),
        unlock(),
    ]);
}

fn page_locked(answers: &mut Answers) {
    begun();
    let (mut allocated, mut registered) = (null_mut(), vec![7_u32; 1024]);
    call!(cuMemHostAlloc(&raw mut allocated, 64, 0));
    call!(cuMemHostRegister_v2(registered.as_mut_ptr().cast(), 4096, 0));
    let word = allocated.cast::<u32>();
    // SAFETY: the driver has made the memory, and gives it up at its end only.
    unsafe { word.write_volatile(7) };
    answers.codes([lock(), checkpoint(), restore(), unlock()]);
    // SAFETY: as above.
    answers.value(unsafe { word.read_volatile() });
    answers.value(registered[0]);
}

fn managed(answers: &mut Answers) {
    begun();
    let mut address = 0;
    call!(cuMemAllocManaged(&raw mut address, 64, 1));
    answers.codes([lock(), checkpoint()]);
    state(answers);
    answers.codes([restore(), unlock()]);
    call!(cuMemFree_v2(address));
    answers.codes([lock(), checkpoint(), restore(), unlock()]);
}

fn shared(answers: &mut Answers) {
    begun();
    let (mut address, mut handle) = (0, CUipcMemHandle::default());
    call!(cuMemAlloc_v2(&raw mut address, 64));
    call!(cuIpcGetMemHandle(&raw mut handle, address));
    answers.codes([lock(), checkpoint()]);
    state(answers);
    answers.codes([restore(), unlock()]);
    call!(cuMemFree_v2(address));
    answers.codes([lock(), checkpoint(), restore(), unlock()]);
}
