//! Questions about multicast objects. None is created.

use super::{Answers, Question, initialised};
use cuda_suite::code;
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "multicast-not-initialised", devices: 1, ask: not_initialised },
    Question { name: "multicast-granularity", devices: 1, ask: granularities },
];

/// The code, which depends on the device.
fn granularity(answers: &mut Answers, devices: u32, option: u32) {
    let properties = CUmulticastObjectProp { numDevices: devices, size: 1 << 21, ..Default::default() };
    let mut unit = 0;
    let option = CUmulticastGranularity_flags_enum(option);
    answers.value(code!(cuMulticastGetGranularity(&raw mut unit, &raw const properties, option)).0);
}

fn not_initialised(answers: &mut Answers) {
    granularity(answers, 2, 0);
}

fn granularities(answers: &mut Answers) {
    initialised();
    for (devices, option) in [(2, 0), (2, 1), (2, 2), (0, 0)] {
        granularity(answers, devices, option);
    }
    let option = CUmulticastGranularity_flags_enum(0);
    let (mut unit, properties) =
        (0, CUmulticastObjectProp { numDevices: 2, size: 1 << 21, ..Default::default() });
    answers.value(code!(cuMulticastGetGranularity(&raw mut unit, null(), option)).0);
    answers.value(code!(cuMulticastGetGranularity(null_mut(), &raw const properties, option)).0);
}
