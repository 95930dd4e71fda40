//! Questions about the settings of core dumps.

use super::{Answers, Question, device, fault, initialised};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "coredump-not-initialised", devices: 1, ask: not_initialised },
    Question { name: "coredump-no-context", devices: 1, ask: no_context },
    Question { name: "coredump-sizes", devices: 1, ask: sizes },
    Question { name: "coredump-size-arguments", devices: 1, ask: size_arguments },
    Question { name: "coredump-defaults", devices: 1, ask: defaults },
    Question { name: "coredump-flags", devices: 1, ask: flags },
    Question { name: "coredump-truth", devices: 1, ask: truth },
    Question { name: "coredump-text", devices: 1, ask: text },
    Question { name: "coredump-user-trigger", devices: 1, ask: user_trigger },
    Question { name: "coredump-new-context", devices: 1, ask: new_context },
    Question { name: "coredump-context-flags", devices: 1, ask: context_flags },
    Question { name: "coredump-fault", devices: 1, ask: after_fault },
];

const ENABLED: u32 = 1;
const TRIGGER_HOST: u32 = 2;
const LIGHTWEIGHT: u32 = 3;
const USER_TRIGGER: u32 = 4;
const FILE: u32 = 5;
const PIPE: u32 = 6;
const FLAGS: u32 = 7;

fn make_context(flags: u32) {
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, flags, device().as_raw()));
}

fn begun() {
    initialised();
    make_context(0);
}

/// The owner of the settings: the process, or the current context.
#[derive(Clone, Copy)]
enum Of {
    Process,
    Context,
}
use Of::{Context, Process};

fn get(of: Of, attribute: u32, value: &mut [u8], mut size: usize) -> CUresult {
    let (attribute, to) = (CUcoredumpSettings(attribute), value.as_mut_ptr().cast());
    match of {
        Process => code!(cuCoredumpGetAttributeGlobal(attribute, to, &raw mut size)),
        Context => code!(cuCoredumpGetAttribute(attribute, to, &raw mut size)),
    }
}

fn set(of: Of, attribute: u32, value: &[u8], mut size: usize) -> CUresult {
    let mut value = value.to_vec();
    let (attribute, from) = (CUcoredumpSettings(attribute), value.as_mut_ptr().cast());
    match of {
        Process => code!(cuCoredumpSetAttributeGlobal(attribute, from, &raw mut size)),
        Context => code!(cuCoredumpSetAttribute(attribute, from, &raw mut size)),
    }
}

fn byte(answers: &mut Answers, of: Of, attribute: u32) {
    let mut value = [9];
    let code = get(of, attribute, &mut value, 1);
    answers.given(code, value[0]);
}

fn word(answers: &mut Answers, of: Of) {
    let mut value = [9; 4];
    let code = get(of, FLAGS, &mut value, 4);
    answers.given(code, format!("{:#x}", u32::from_ne_bytes(value)));
}

/// The length of a text, and its last byte.
fn path(answers: &mut Answers, of: Of, attribute: u32) {
    let mut value = [b'?'; 1024];
    let code = get(of, attribute, &mut value, 1024);
    let length = value.iter().position(|byte| *byte == 0).unwrap_or(1024);
    let last = length.checked_sub(1).map_or('-', |last| char::from(value[last]));
    answers.given(code, format!("{length}/{last}"));
}

fn not_initialised(answers: &mut Answers) {
    byte(answers, Process, ENABLED);
    path(answers, Process, FILE);
    answers.codes([set(Process, ENABLED, &[0], 1), set(Context, ENABLED, &[0], 1)]);
    byte(answers, Context, ENABLED);
}

fn no_context(answers: &mut Answers) {
    initialised();
    byte(answers, Context, ENABLED);
    answers.codes([set(Context, ENABLED, &[0], 1), set(Process, ENABLED, &[0], 1)]);
}

fn sizes(answers: &mut Answers) {
    begun();
    for attribute in 0..9 {
        let attribute = CUcoredumpSettings(attribute);
        let (mut size, null) = (7, null_mut());
        let read = code!(cuCoredumpGetAttributeGlobal(attribute, null, &raw mut size));
        answers.given(read, size);
        answers.codes([
            code!(cuCoredumpGetAttribute(attribute, null, &raw mut size)),
            code!(cuCoredumpSetAttributeGlobal(attribute, null, &raw mut size)),
            code!(cuCoredumpSetAttribute(attribute, null, &raw mut size)),
        ]);
    }
}

fn size_arguments(answers: &mut Answers) {
    begun();
    let mut value = [0; 2048];
    for of in [Process, Context] {
        answers.codes([0, 1, 2, 4].map(|size| get(of, ENABLED, &mut value, size)));
        answers.codes([1, 4, 8].map(|size| get(of, FLAGS, &mut value, size)));
        answers.codes([0, 10, 2000].map(|size| get(of, FILE, &mut value, size)));
        answers.codes([0, 2, 4].map(|size| set(of, ENABLED, &[0; 8], size)));
        answers.codes([2, 8].map(|size| set(of, FLAGS, &[0; 8], size)));
    }
    let attribute = CUcoredumpSettings(ENABLED);
    answers.codes([
        code!(cuCoredumpGetAttributeGlobal(attribute, value.as_mut_ptr().cast(), null_mut())),
        code!(cuCoredumpSetAttributeGlobal(attribute, value.as_mut_ptr().cast(), null_mut())),
    ]);
}

fn defaults(answers: &mut Answers) {
    begun();
    for of in [Process, Context] {
        for attribute in [ENABLED, TRIGGER_HOST, LIGHTWEIGHT, USER_TRIGGER] {
            byte(answers, of, attribute);
        }
        path(answers, of, FILE);
        path(answers, of, PIPE);
        word(answers, of);
    }
}

/// Sets attributes that the flags follow, and flags that the attributes follow.
fn flags(answers: &mut Answers) {
    begun();
    for of in [Process, Context] {
        for (attribute, value) in [(TRIGGER_HOST, 0), (LIGHTWEIGHT, 1), (TRIGGER_HOST, 1), (LIGHTWEIGHT, 0)] {
            answers.code(set(of, attribute, &[value], 1));
            word(answers, of);
        }
        for flags in [0x2f_u32, 0x10, 0x200, u32::MAX, 0] {
            answers.code(set(of, FLAGS, &flags.to_ne_bytes(), 4));
            word(answers, of);
            byte(answers, of, TRIGGER_HOST);
            byte(answers, of, LIGHTWEIGHT);
        }
    }
}

fn truth(answers: &mut Answers) {
    begun();
    for value in [1, 2, 0] {
        answers.code(set(Process, ENABLED, &[value], 1));
        byte(answers, Process, ENABLED);
        byte(answers, Context, ENABLED);
    }
    answers.codes([set(Process, 0, &[0], 1), set(Process, 8, &[0; 4], 4)]);
}

fn text(answers: &mut Answers) {
    begun();
    let with_nul = |length: usize| [vec![b'a'; length], vec![0]].concat();
    for (of, length) in [(Process, 3), (Process, 1023), (Process, 1024), (Context, 1023), (Context, 1024)] {
        answers.code(set(of, FILE, &with_nul(length), length + 1));
        path(answers, of, FILE);
    }
    answers.code(set(Process, FILE, b"ab\0cd\0", 6));
    path(answers, Process, FILE);
    answers.code(set(Process, FILE, b"\0", 1));
    path(answers, Process, FILE);
    answers.codes([set(Context, PIPE, b"p\0", 2), set(Process, FILE, b"%p\0", 3)]);
    let mut value = [0; 1024];
    answers.code(get(Process, FILE, &mut value, 1024));
    let own = std::process::id().to_string();
    answers.value(value.starts_with(own.as_bytes()) && value[own.len()] == 0);
    answers.code(set(Context, FILE, b"%p\0", 3));
    path(answers, Context, FILE);
}

fn user_trigger(answers: &mut Answers) {
    begun();
    let pipe = std::env::temp_dir().join(format!("corepipe_{}\0", std::process::id()));
    let pipe = pipe.to_str().unwrap();
    answers.codes([
        set(Process, PIPE, pipe.as_bytes(), pipe.len()),
        set(Context, USER_TRIGGER, &[1], 1),
        set(Process, USER_TRIGGER, &[1], 1),
        set(Process, PIPE, b"other\0", 6),
    ]);
    byte(answers, Process, USER_TRIGGER);
    answers.codes([set(Process, USER_TRIGGER, &[0], 1), set(Process, PIPE, b"\0", 1)]);
    let _ = std::fs::remove_file(pipe.trim_end_matches('\0'));
}

fn new_context(answers: &mut Answers) {
    begun();
    answers.codes([
        set(Process, ENABLED, &[1], 1),
        set(Process, FILE, b"none\0", 5),
        set(Process, FLAGS, &0x13f_u32.to_ne_bytes(), 4),
    ]);
    byte(answers, Context, ENABLED);
    make_context(0);
    byte(answers, Context, ENABLED);
    path(answers, Context, FILE);
    word(answers, Context);
    answers.code(set(Context, ENABLED, &[0], 1));
    byte(answers, Process, ENABLED);
}

fn context_flags(answers: &mut Answers) {
    initialised();
    for flags in [0x20, 0x40] {
        make_context(flags);
        byte(answers, Context, ENABLED);
        byte(answers, Process, ENABLED);
        byte(answers, Process, USER_TRIGGER);
        let mut flags = 0;
        answers.code(code!(cuCtxGetFlags(&raw mut flags)));
        answers.value(flags);
    }
    let mut value = [0; 1024];
    answers.code(get(Process, PIPE, &mut value, 1024));
    let own = format!("_{}\0", std::process::id());
    answers.value(value.windows(own.len()).any(|part| part == own.as_bytes()));
    let path = core::ffi::CStr::from_bytes_until_nul(&value).unwrap().to_str().unwrap();
    let _ = std::fs::remove_file(path);
}

fn after_fault(answers: &mut Answers) {
    begun();
    fault();
    byte(answers, Context, ENABLED);
    answers.code(set(Context, ENABLED, &[0], 1));
    byte(answers, Process, ENABLED);
    answers.code(set(Process, ENABLED, &[0], 1));
}
