//! Questions about launches.

use super::{Answers, PTX, Question, initialised, synchronize};
use cuda_suite::code;
use cuda_suite::raw::{allocate, context, function, stream};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "launch-several-devices", devices: 1, ask: several_devices },
    Question { name: "flush-rdma-writes", devices: 1, ask: flush_writes },
];

fn flush_writes(answers: &mut Answers) {
    initialised();
    let flushed = |target: u32, scope: u32| {
        let target = CUflushGPUDirectRDMAWritesTarget_enum(target);
        code!(cuFlushGPUDirectRDMAWrites(target, CUflushGPUDirectRDMAWritesScope_enum(scope)))
    };
    answers.code(flushed(0, 100));
    context(0);
    answers.codes(
        [(0, 100), (0, 200), (0, 0), (0, 300), (1, 100)].map(|(target, scope)| flushed(target, scope)),
    );
}

/// Cooperative launches by one call, on the first device alone.
fn several_devices(answers: &mut Answers) {
    initialised();
    context(0);
    let (to, from) = (allocate(4), allocate(4));
    let mut arguments = [to, from];
    let [first, second] = &mut arguments;
    let mut parameters = [(&raw mut *first).cast(), (&raw mut *second).cast()];
    let usual = CUDA_LAUNCH_PARAMS {
        function: function(PTX, c"copy"),
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: stream(1),
        kernelParams: parameters.as_mut_ptr(),
    };
    let launched = |mut list: Vec<CUDA_LAUNCH_PARAMS>, count: u32, flags: u32| {
        code!(cuLaunchCooperativeKernelMultiDevice(list.as_mut_ptr(), count, flags))
    };
    for flags in 0..5 {
        answers.code(launched(vec![usual], 1, flags));
    }
    answers.code(launched(vec![usual], 0, 0));
    answers.code(code!(cuLaunchCooperativeKernelMultiDevice(null_mut(), 1, 0)));
    answers.code(launched(vec![usual, usual], 2, 0));
    answers.code(launched(vec![usual, CUDA_LAUNCH_PARAMS { hStream: stream(1), ..usual }], 2, 0));
    // The legacy stream, the stream of the thread.
    for number in [0_usize, 1, 2] {
        let default = std::ptr::without_provenance_mut(number);
        answers.code(launched(vec![CUDA_LAUNCH_PARAMS { hStream: default, ..usual }], 1, 0));
    }
    answers.code(launched(vec![CUDA_LAUNCH_PARAMS { gridDimX: 1 << 20, ..usual }], 1, 0));
    answers.code(launched(vec![CUDA_LAUNCH_PARAMS { gridDimX: 0, ..usual }], 1, 0));
    answers.code(launched(vec![CUDA_LAUNCH_PARAMS { function: null_mut(), ..usual }], 1, 0));
    answers.code(launched(vec![CUDA_LAUNCH_PARAMS { kernelParams: null_mut(), ..usual }], 1, 0));
    answers.code(synchronize());
}
