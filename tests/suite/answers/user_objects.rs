//! Questions about user objects: their reference counts, and when and on which thread they are destroyed.

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
    Question { name: "user-object-not-held", devices: 1, ask: not_held },
    Question { name: "user-object-counts-copied", devices: 1, ask: counts_copied },
    Question { name: "user-object-child-destroyed", devices: 1, ask: child_destroyed },
    Question { name: "user-object-threads", devices: 1, ask: threads },
    Question { name: "user-object-destructor-calls", devices: 1, ask: destructor_calls },
    Question { name: "user-object-context-gone", devices: 1, ask: context_gone },
];

/// Creates a user object, and a word that counts how often the object is destroyed.
fn object(answers: &mut Answers, count: u32) -> (CUuserObject, &'static AtomicU32) {
    let (word, mut object) = (counter(), null_mut());
    answers.must(code!(cuUserObjectCreate(&raw mut object, address(word), Some(count_up), count, 1)));
    (object, word)
}

/// Returns the count of a word. While the count is 0, waits up to 500 ms.
fn later(word: &AtomicU32) -> u32 {
    let start = std::time::Instant::now();
    while counted(word) == 0 && start.elapsed() < Duration::from_millis(500) {
        std::thread::sleep(Duration::from_millis(10));
    }
    counted(word)
}

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

fn counts(answers: &mut Answers) {
    begun();
    static THREAD: std::sync::Mutex<Option<std::thread::ThreadId>> = std::sync::Mutex::new(None);
    unsafe extern "C" fn note(word: *mut c_void) {
        *THREAD.lock().unwrap() = Some(std::thread::current().id());
        // SAFETY: `word` is a word of `counter`, which is never freed.
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

fn released_too_often(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuUserObjectRelease(object, 2)));
    answers.value(later(word));
}

fn released_again(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
}

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

fn moved_too_many(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    let graph = new_graph(answers);
    answers.code(code!(cuGraphRetainUserObject(graph, object, 2, 1)));
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(later(word));
}

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

fn order(answers: &mut Answers) {
    static ORDER: std::sync::Mutex<Vec<usize>> = std::sync::Mutex::new(Vec::new());
    static CODES: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    unsafe extern "C" fn note(number: *mut c_void) {
        ORDER.lock().unwrap().push(number.addr());
    }
    unsafe extern "C" fn asks(_: *mut c_void) {
        let codes = [
            code!(cuCtxSynchronize()),
            code!(cuGraphCreate(&mut null_mut(), 0)),
            code!(cuMemAlloc_v2(&mut 0, 64)),
        ];
        CODES.lock().unwrap().extend(codes.map(|code| code.0.to_string()));
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
    answers.value(CODES.lock().unwrap().join(","));
}

fn context_gone(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    answers.code(code!(cuCtxDestroy_v2(cuda_suite::raw::current())));
    answers.value(later(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
}

fn not_held(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    let graph = new_graph(answers);
    answers.code(code!(cuGraphReleaseUserObject(graph, object, 1)));
    answers.value(later(word));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    answers.value(later(word));
}

fn counts_copied(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 2);
    let (graph, mut clone) = (new_graph(answers), null_mut());
    answers.code(code!(cuGraphRetainUserObject(graph, object, 2, 1)));
    answers.code(code!(cuGraphClone(&raw mut clone, graph)));
    answers.code(code!(cuGraphDestroy(graph)));
    for _ in 0..2 {
        answers.code(code!(cuGraphReleaseUserObject(clone, object, 1)));
        answers.value(later(word));
    }
    answers.code(code!(cuGraphDestroy(clone)));
    answers.value(later(word));
}

fn child_destroyed(answers: &mut Answers) {
    begun();
    let (object, word) = object(answers, 1);
    let (graph, outer) = (new_graph(answers), new_graph(answers));
    empty(answers, graph, &[]);
    answers.code(code!(cuGraphRetainUserObject(graph, object, 1, 1)));
    let node = child(answers, outer, &[], graph);
    answers.code(code!(cuGraphDestroy(graph)));
    answers.value(later(word));
    answers.code(code!(cuGraphDestroyNode(node)));
    answers.value(later(word));
}

fn threads(answers: &mut Answers) {
    use std::sync::Mutex;
    static THREAD: Mutex<Option<std::thread::ThreadId>> = Mutex::new(None);
    unsafe extern "C" fn note(word: *mut c_void) {
        *THREAD.lock().unwrap() = Some(std::thread::current().id());
        // SAFETY: `word` is a word of `counter`, which is never freed.
        unsafe { count_up(word) };
    }
    let on = begun();
    let (words, go) = page_locked(1);
    let hold = function(PTX, c"hold");
    for kind in 0..3 {
        let (word, mut object) = (counter(), null_mut());
        answers.must(code!(cuUserObjectCreate(&raw mut object, address(word), Some(note), 1, 1)));
        let graph = new_graph(answers);
        kernel(answers, graph, &[], hold, &[go]);
        answers.must(code!(cuGraphRetainUserObject(graph, object, 1, 1)));
        let exec = if kind > 0 { instantiate(answers, graph) } else { null_mut() };
        if kind == 2 {
            answers.must(code!(cuGraphLaunch(exec, on)));
        }
        answers.code(code!(cuGraphDestroy(graph)));
        if kind > 0 {
            answers.code(code!(cuGraphExecDestroy(exec)));
        }
        if kind == 2 {
            words[0].store(1, Ordering::Release);
            answers.code(code!(cuStreamSynchronize(on)));
        }
        if kind < 2 {
            answers.value(counted(word));
        }
        answers.value(later(word));
        answers.value(THREAD.lock().unwrap().take() == Some(std::thread::current().id()));
    }
}

fn destructor_calls(answers: &mut Answers) {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;
    static CODES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static HANDLES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    unsafe extern "C" fn asks(_: *mut c_void) {
        let [on, event, exec] = HANDLES.each_ref().map(|handle| handle.load(Ordering::SeqCst));
        let codes = [
            code!(cuCtxGetCurrent(&mut null_mut())),
            code!(cuDeviceGetCount(&mut 0)),
            code!(cuDeviceGetAttribute(&mut 0, CUdevice_attribute_enum(1), 0)),
            code!(cuStreamQuery(handle(on))),
            code!(cuEventQuery(handle(event))),
            code!(cuGraphLaunch(handle(exec), handle(on))),
            code!(cuGetErrorName(CUresult(0), &mut std::ptr::null())),
            code!(cuStreamGetId(handle(on), &mut 0)),
            code!(cuEventRecord(handle(event), handle(on))),
        ];
        CODES.lock().unwrap().extend(codes.map(|code| code.0.to_string()));
    }
    let on = begun();
    let event = event(answers, 2);
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    for (place, at) in HANDLES.iter().zip([on.addr(), event.addr(), exec.addr()]) {
        place.store(at, Ordering::SeqCst);
    }
    let mut object = null_mut();
    answers.must(code!(cuUserObjectCreate(&raw mut object, null_mut(), Some(asks), 1, 1)));
    answers.code(code!(cuUserObjectRelease(object, 1)));
    std::thread::sleep(Duration::from_millis(200));
    answers.value(CODES.lock().unwrap().join(","));
}
