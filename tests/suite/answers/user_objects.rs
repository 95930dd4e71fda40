//! Questions about user objects: how often they are counted, and when and where they are destroyed.

use super::graph_scenes::*;
use super::{Answers, PTX, Question, synchronize};
use core::ffi::c_void;
use cuda_suite::code;
use cuda_suite::raw::{function, page_locked};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "user-object-arguments", devices: 1, ask: arguments },
    Question { name: "user-object-counts", devices: 1, ask: counts },
    Question { name: "user-object-refused", devices: 1, ask: refused },
    Question { name: "user-object-released-too-often", devices: 1, ask: released_too_often },
    Question { name: "user-object-released-again", devices: 1, ask: released_again },
    Question { name: "user-object-graphs", devices: 1, ask: graphs },
    Question { name: "user-object-moved-too-many", devices: 1, ask: moved_too_many },
    Question { name: "user-object-copies", devices: 1, ask: copies },
    Question { name: "user-object-in-flight", devices: 1, ask: in_flight },
    Question { name: "user-object-updates", devices: 1, ask: updates },
    Question { name: "user-object-order", devices: 1, ask: order },
    Question { name: "user-object-context-gone", devices: 1, ask: context_gone },
];

/// An object with a word that counts its ends.
fn object(answers: &mut Answers, count: u32) -> (CUuserObject, &'static AtomicU32) {
    let (word, mut object) = (counter(), null_mut());
    answers.must(code!(cuUserObjectCreate(&raw mut object, address(word), Some(count_up), count, 1)));
    (object, word)
}

/// How often a word was counted, when there was time to.
fn later(word: &AtomicU32) -> u32 {
    let start = std::time::Instant::now();
    while counted(word) == 0 && start.elapsed() < Duration::from_millis(500) {
        std::thread::sleep(Duration::from_millis(10));
    }
    counted(word)
}

/// cuUserObjectCreate: count 1 with flags 0, 1, 2; count 0; count 2147483647 and 2147483648; a null place; no function; a null pointer; with nothing current
fn arguments(answers: &mut Answers) {
    begun();
    let make = |object: *mut CUuserObject, data, destroy, count, flags| {
        code!(cuUserObjectCreate(object, data, destroy, count, flags))
    };
    let mut object = null_mut();
    let place = &raw mut object;
    let word = address(counter());
    answers.codes([
        make(place, word, Some(count_up), 1, 0),
        make(place, word, Some(count_up), 1, 1),
        make(place, word, Some(count_up), 1, 2),
        make(place, word, Some(count_up), 0, 1),
        make(place, word, Some(count_up), 0x7fff_ffff, 1),
        make(place, word, Some(count_up), 0x8000_0000, 1),
        make(null_mut(), word, Some(count_up), 1, 1),
        make(place, word, None, 1, 1),
        make(place, null_mut(), Some(count_up), 1, 1),
    ]);
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    answers.code(make(place, word, Some(count_up), 1, 1));
    answers.code(code!(cuUserObjectRelease(object, 1)));
}

/// count 1, cuUserObjectRetain of 2, cuUserObjectRelease of 1, of 2: how often it was destroyed after each, when the call returns, and later; on which thread: whether it is the caller's
fn counts(answers: &mut Answers) {
    begun();
    static THREAD: std::sync::Mutex<Option<std::thread::ThreadId>> = std::sync::Mutex::new(None);
    unsafe extern "C" fn note(word: *mut c_void) {
        *THREAD.lock().unwrap() = Some(std::thread::current().id());
        // SAFETY: as of the other function.
        unsafe { count_up(word) };
    }
    let (word, mut object) = (counter(), null_mut());
    answers.code(code!(cuUserObjectCreate(&raw mut object, address(word), Some(note), 1, 1)));
    answers.code(code!(cuUserObjectRetain(object, 2)));
    answers.value(counted(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(counted(word));
    answers.code(code!(cuUserObjectRelease(object, 2)));
    answers.value(counted(word));
    answers.value(later(word));
    let thread = *THREAD.lock().unwrap();
    answers.value(thread == Some(std::thread::current().id()));
}

/// of a count of 2: cuUserObjectRetain of 0, of 0x80000000; cuUserObjectRelease of 0; null objects: retain, release, cuGraphRetainUserObject
fn refused(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 2);
    let graph = new_graph(answers);
    answers.codes([
        code!(cuUserObjectRetain(object, 0)),
        code!(cuUserObjectRetain(object, 0x8000_0000)),
        code!(cuUserObjectRelease(object, 0)),
        code!(cuUserObjectRetain(null_mut(), 1)),
        code!(cuUserObjectRelease(null_mut(), 1)),
        code!(cuGraphRetainUserObject(graph, null_mut(), 1, 0)),
        code!(cuGraphRetainUserObject(null_mut(), object, 1, 0)),
        code!(cuGraphRetainUserObject(graph, object, 0, 0)),
        code!(cuGraphRetainUserObject(graph, object, 1, 2)),
        code!(cuGraphReleaseUserObject(graph, object, 1)),
        code!(cuGraphReleaseUserObject(null_mut(), object, 1)),
        code!(cuGraphReleaseUserObject(graph, null_mut(), 1)),
    ]);
    answers.value(counted(word));
}

/// of a count of 1: cuUserObjectRelease of 2; how often it was destroyed
fn released_too_often(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuUserObjectRelease(object, 2)));
    answers.value(later(word));
}

/// cuUserObjectRelease of an object that was destroyed
fn released_again(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
}

/// cuGraphRetainUserObject of a count of 1 with flag 0, release of the caller's: destroyed; cuGraphDestroy: destroyed; with the flag to move: release by the graph of 1: destroyed; moving more than the caller has
fn graphs(answers: &mut Answers) {
    begun();
    let (first, word) = object(answers, 1);
    let graph = new_graph(answers);
    answers.code(code!(cuGraphRetainUserObject(graph, first, 1, 0)));
    answers.code(code!(cuUserObjectRelease(first, 1)));
    answers.value(counted(word));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(later(word));
    let (second, word) = object(answers, 1);
    let graph = new_graph(answers);
    answers.code(code!(cuGraphRetainUserObject(graph, second, 1, 1)));
    answers.value(counted(word));
    answers.code(code!(cuGraphReleaseUserObject(graph, second, 1)));
    answers.value(later(word));
    let (third, word) = object(answers, 2);
    answers.code(code!(cuGraphRetainUserObject(graph, third, 2, 1)));
    answers.code(code!(cuGraphReleaseUserObject(graph, third, 3)));
    answers.value(later(word));
    answers.code(code!(cuGraphReleaseUserObject(graph, third, 1)));
    answers.value(counted(word));
    answers.code(code!(cuGraphReleaseUserObject(graph, third, 1)));
    answers.value(later(word));
}

/// cuGraphRetainUserObject that moves 2 of a count of 1: the code; how often it was destroyed after cuGraphDestroy
fn moved_too_many(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    let graph = new_graph(answers);
    answers.code(code!(cuGraphRetainUserObject(graph, object, 2, 1)));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(later(word));
}

/// of a graph that holds an object: an instance, cuGraphDestroy: destroyed; cuGraphExecDestroy: destroyed; with a clone: cuGraphDestroy of the original: destroyed, of the clone: destroyed; as a child: cuGraphDestroy of the child's original, of the outer graph
fn copies(answers: &mut Answers) {
    begun();
    for kind in 0..3 {
        let (object, word) = object(answers, 1);
        let graph = new_graph(answers);
        empty(answers, graph, &[]);
        answers.code(code!(cuGraphRetainUserObject(graph, object, 1, 1)));
        let (mut exec, mut second) = (null_mut(), null_mut());
        match kind {
            0 => answers.must(try_instantiate(&mut exec, graph, 0)),
            1 => answers.must(code!(cuGraphClone(&raw mut second, graph))),
            _ => {
                second = new_graph(answers);
                child(answers, second, &[], graph);
            }
        }
        answers.code(code!(cuGraphDestroy(graph)));
        answers.value(later(word));
        answers.code(if kind == 0 { code!(cuGraphExecDestroy(exec)) } else { code!(cuGraphDestroy(second)) });
        answers.value(later(word));
    }
}

/// an object of a graph whose executable is in flight, graph and executable destroyed meanwhile: destroyed; after the kernel ended and waiting: destroyed
fn in_flight(answers: &mut Answers) {
    let on = begun();
    let (words, go) = page_locked(1);
    let hold = function(PTX, c"hold");
    let (object, word) = object(answers, 1);
    let graph = new_graph(answers);
    kernel(answers, graph, &[], hold, &[go]);
    answers.code(code!(cuGraphRetainUserObject(graph, object, 1, 1)));
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphLaunch(exec, on)));
    answers.codes([code!(cuGraphExecDestroy(exec)), code!(cuGraphDestroy(graph))]);
    answers.value(later(word));
    words[0].store(1, Ordering::Release);
    answers.code(synchronize());
    answers.value(later(word));
}

/// an object of a graph that an executable is updated with: cuGraphExecUpdate_v2, cuGraphDestroy of the new graph: destroyed; cuGraphExecDestroy: destroyed; the object of the first graph after the update and its cuGraphDestroy
fn updates(answers: &mut Answers) {
    begun();
    let (first, old) = object(answers, 1);
    let (second, new) = object(answers, 1);
    let (graph, next) = (new_graph(answers), new_graph(answers));
    empty(answers, graph, &[]);
    empty(answers, next, &[]);
    answers.code(code!(cuGraphRetainUserObject(graph, first, 1, 1)));
    answers.code(code!(cuGraphRetainUserObject(next, second, 1, 1)));
    let exec = instantiate(answers, graph);
    answers.code(code!(cuGraphDestroy(graph)));
    let mut info = CUgraphExecUpdateResultInfo::default();
    answers.code(code!(cuGraphExecUpdate_v2(exec, next, &raw mut info)));
    answers.value(later(old));
    answers.code(code!(cuGraphDestroy(next)));
    answers.value(later(new));
    answers.code(code!(cuGraphExecDestroy(exec)));
    answers.value(format_args!("{},{}", later(old), later(new)));
}

/// three objects of one graph, in the order in which they are destroyed with it; driver calls in a destructor: cuCtxSynchronize, cuGraphCreate, cuMemAlloc
fn order(answers: &mut Answers) {
    static ORDER: std::sync::Mutex<Vec<usize>> = std::sync::Mutex::new(Vec::new());
    static CODES: std::sync::Mutex<Vec<u32>> = std::sync::Mutex::new(Vec::new());
    unsafe extern "C" fn note(number: *mut c_void) {
        ORDER.lock().unwrap().push(number.addr());
    }
    unsafe extern "C" fn asks(_: *mut c_void) {
        let codes = [
            code!(cuCtxSynchronize()),
            code!(cuGraphCreate(&mut null_mut(), 0)),
            code!(cuMemAlloc_v2(&mut 0, 64)),
        ];
        CODES.lock().unwrap().extend(codes.map(|code| code.0 as u32));
    }
    begun();
    let graph = new_graph(answers);
    for number in 1..=3 {
        let mut object = null_mut();
        answers.code(code!(cuUserObjectCreate(&raw mut object, handle(number), Some(note), 1, 1)));
        answers.code(code!(cuGraphRetainUserObject(graph, object, 1, 1)));
    }
    answers.code(code!(cuGraphDestroy(graph)));
    std::thread::sleep(Duration::from_millis(300));
    answers.value(ORDER.lock().unwrap().iter().map(usize::to_string).collect::<Vec<_>>().join(","));
    let mut object = null_mut();
    answers.code(code!(cuUserObjectCreate(&raw mut object, null_mut(), Some(asks), 1, 1)));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    std::thread::sleep(Duration::from_millis(300));
    answers.value(CODES.lock().unwrap().iter().map(u32::to_string).collect::<Vec<_>>().join(","));
}

/// an object whose context is destroyed: whether it is destroyed; its cuUserObjectRelease afterwards
fn context_gone(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuCtxDestroy_v2(cuda_suite::raw::current())));
    answers.value(later(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
}
