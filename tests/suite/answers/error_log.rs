//! Questions about the driver's log of refusals.

use super::{Answers, DONE, Question, device, fault, initialised};
use core::ffi::{CStr, c_char, c_void};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::Mutex;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "log-not-initialised", devices: 1, ask: not_initialised },
    Question { name: "log-current", devices: 1, ask: current },
    Question { name: "log-register", devices: 1, ask: register },
    Question { name: "log-empty", devices: 1, ask: empty },
    Question { name: "log-memory", devices: 1, ask: memory },
    Question { name: "log-beyond", devices: 1, ask: beyond },
    Question { name: "log-file", devices: 1, ask: file },
    Question { name: "log-function", devices: 1, ask: function },
    Question { name: "log-function-unregisters", devices: 1, ask: function_unregisters },
    Question { name: "log-without-context", devices: 1, ask: without_context },
    Question { name: "log-fault", devices: 1, ask: after_fault },
];

fn refuse() -> CUresult {
    let mut device = 0;
    code!(cuDeviceGet(&raw mut device, 99))
}

fn now() -> CUlogIterator {
    let mut iterator = 0;
    call!(cuLogsCurrent(&raw mut iterator, 0));
    iterator
}

/// Dumps into a buffer of so many bytes: the code, and how many bytes it has.
fn dump(answers: &mut Answers, iterator: *mut CUlogIterator, size: usize) -> String {
    // Hardware writes a line more than there is room for.
    let mut buffer = vec![0_u8; size + 1000];
    let mut size = size;
    let dumped = code!(cuLogsDumpToMemory(iterator, buffer.as_mut_ptr().cast(), &raw mut size, 0));
    answers.code(dumped);
    buffer.truncate(size);
    String::from_utf8(buffer).unwrap()
}

fn not_initialised(answers: &mut Answers) {
    let mut iterator = 7;
    answers.code(code!(cuLogsCurrent(&raw mut iterator, 0)));
    answers.value(iterator);
    answers.code(refuse());
    let text = dump(answers, null_mut(), 4096);
    answers.value(text.len());
    let mut handle = null_mut();
    answers.code(code!(cuLogsRegisterCallback(Some(note), null_mut(), &raw mut handle)));
    answers.code(code!(cuLogsUnregisterCallback(handle)));
}

fn current(answers: &mut Answers) {
    initialised();
    let mut iterator = 0;
    answers.codes([code!(cuLogsCurrent(null_mut(), 0)), code!(cuLogsCurrent(&raw mut iterator, 1))]);
}

fn register(answers: &mut Answers) {
    initialised();
    let mut handle = null_mut();
    answers.codes([
        code!(cuLogsRegisterCallback(None, null_mut(), &raw mut handle)),
        code!(cuLogsRegisterCallback(Some(note), null_mut(), null_mut())),
        code!(cuLogsUnregisterCallback(null_mut())),
    ]);
}

fn empty(answers: &mut Answers) {
    initialised();
    let mut iterator = now();
    for size in [0, 1, 4096] {
        let text = dump(answers, &raw mut iterator, size);
        answers.value(text.len());
    }
    answers.value(iterator == now());
}

fn memory(answers: &mut Answers) {
    initialised();
    let start = now();
    answers.code(refuse());
    let mut iterator = start;
    let text = dump(answers, &raw mut iterator, 20);
    answers.value(text.len());
    answers.value(iterator == start);
    let (mut size, mut buffer) = (100, [0_u8; 2000]);
    let place: *mut c_char = buffer.as_mut_ptr().cast();
    answers.codes([
        code!(cuLogsDumpToMemory(&raw mut iterator, null_mut(), &raw mut size, 0)),
        code!(cuLogsDumpToMemory(&raw mut iterator, place, null_mut(), 0)),
    ]);
    answers.value(size);
    size = 1000;
    answers.code(code!(cuLogsDumpToMemory(&raw mut iterator, place, &raw mut size, 1)));
    answers.value(iterator == now());
    answers.value(buffer[size]);
    let text = core::str::from_utf8(&buffer[..size]).unwrap();
    answers.value(text.contains("][CUDA][E] Returning 101 (CUDA_ERROR_INVALID_DEVICE) from cuDeviceGet\n"));
}

fn beyond(answers: &mut Answers) {
    initialised();
    let wanted = now() + 1000;
    let mut iterator = wanted;
    for is_empty in [true, false] {
        if !is_empty {
            answers.code(refuse());
        }
        let text = dump(answers, &raw mut iterator, 4096);
        answers.value(text.len());
        answers.code(code!(cuLogsDumpToFile(&raw mut iterator, c"/dev/null".as_ptr(), 0)));
        answers.value(iterator == wanted);
    }
}

fn file(answers: &mut Answers) {
    initialised();
    let write = |path: *const c_char| code!(cuLogsDumpToFile(null_mut(), path, 0));
    answers.codes([
        write(core::ptr::null()),
        write(c"".as_ptr()),
        write(c"there/is/none".as_ptr()),
        write(c"/".as_ptr()),
        code!(cuLogsDumpToFile(null_mut(), c"/dev/null".as_ptr(), 1)),
    ]);
}

/// The entries that log functions have received: the number of each function, and its text.
static HEARD: Mutex<Vec<(usize, String)>> = Mutex::new(Vec::new());

fn heard() -> Vec<(usize, String)> {
    core::mem::take(&mut HEARD.lock().unwrap())
}

/// Notes the last message of a failure.
unsafe extern "C" fn note(data: *mut c_void, _: CUlogLevel, message: *mut c_char, length: usize) {
    // SAFETY: the driver gives a C string.
    let text = unsafe { CStr::from_ptr(message) }.to_str().unwrap();
    if text.starts_with("Returning 101 ") && text.len() == length {
        HEARD.lock().unwrap().push((data.addr(), format!("{:?}", std::thread::current().id())));
    }
}

fn function(answers: &mut Answers) {
    initialised();
    let (mut first, mut second) = (null_mut(), null_mut());
    let data = |number| core::ptr::without_provenance_mut(number);
    answers.code(code!(cuLogsRegisterCallback(Some(note), data(1), &raw mut first)));
    answers.code(code!(cuLogsRegisterCallback(Some(note), data(2), &raw mut second)));
    answers.code(refuse());
    let own = format!("{:?}", std::thread::current().id());
    for (number, thread) in heard() {
        answers.value(number);
        answers.value(thread == own);
    }
    answers.code(code!(cuLogsUnregisterCallback(first)));
    answers.code(refuse());
    heard().into_iter().for_each(|(number, _)| answers.value(number));
    answers.code(code!(cuLogsUnregisterCallback(second)));
    answers.code(refuse());
    answers.value(heard().len());
}

/// The handle of the function below, and what it was answered.
static OWN: Mutex<(usize, Vec<CUresult>)> = Mutex::new((0, Vec::new()));

unsafe extern "C" fn unregister(_: *mut c_void, _: CUlogLevel, _: *mut c_char, _: usize) {
    let own = OWN.lock().unwrap().0;
    if own != 0 {
        let (mut context, handle) = (null_mut(), core::ptr::without_provenance_mut(own));
        let answers = [code!(cuCtxGetCurrent(&raw mut context)), code!(cuLogsUnregisterCallback(handle))];
        OWN.lock().unwrap().1.extend(answers);
    }
}

fn function_unregisters(answers: &mut Answers) {
    initialised();
    let mut handle = null_mut();
    call!(cuLogsRegisterCallback(Some(unregister), null_mut(), &raw mut handle));
    OWN.lock().unwrap().0 = handle.addr();
    answers.code(refuse());
    for code in OWN.lock().unwrap().1.drain(..) {
        answers.code(code);
    }
    answers.code(refuse());
    answers.value(OWN.lock().unwrap().1.len());
}

fn without_context(answers: &mut Answers) {
    initialised();
    let mut iterator = now();
    answers.code(code!(cuCtxSynchronize()));
    let text = dump(answers, &raw mut iterator, 4096);
    for line in text.lines() {
        answers.value(line.rsplit(']').next().unwrap().trim().replace(' ', "_"));
    }
}

fn after_fault(answers: &mut Answers) {
    initialised();
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, 0, device().as_raw()));
    let mut iterator = now();
    fault();
    answers.code(code!(cuCtxSynchronize()));
    let text = dump(answers, &raw mut iterator, 4096);
    for line in text.lines() {
        answers.value(line.rsplit(']').next().unwrap().trim().replace(' ', "_"));
    }
    let mut handle = null_mut();
    assert_eq!(DONE, code!(cuLogsCurrent(&raw mut iterator, 0)));
    answers.code(code!(cuLogsRegisterCallback(Some(note), null_mut(), &raw mut handle)));
    answers.code(code!(cuLogsUnregisterCallback(handle)));
}
