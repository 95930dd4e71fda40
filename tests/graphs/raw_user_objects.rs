//! User objects: when their destructors run, and how often.

use crate::raw_nodes::{fill, graph};
use crate::raw_setup::instantiate;
use core::ffi::c_void;
use cuda_sim::{Config, Schedule};
use cuda_suite::raw::{allocate, context, machine, stream};
use cuda_suite::{Choice, call, code, driver, skip};
use cuda_sys::{
    CUresult, CUuserObject, cuGraphDestroy, cuGraphExecDestroy, cuGraphLaunch, cuGraphRetainUserObject,
    cuStreamSynchronize, cuUserObjectCreate, cuUserObjectRelease,
};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

unsafe extern "C" fn count(word: *mut c_void) {
    // SAFETY: a word that is never freed.
    let word = unsafe { &*word.cast::<AtomicU32>() };
    word.fetch_add(1, Ordering::SeqCst);
}

/// An object with a word that counts its ends.
fn object() -> (CUuserObject, &'static AtomicU32) {
    let word: &'static AtomicU32 = Box::leak(Box::default());
    let (mut object, data) = (null_mut(), std::ptr::from_ref(word).cast_mut().cast());
    call!(cuUserObjectCreate(&raw mut object, data, Some(count), 1, 1));
    (object, word)
}

#[test]
fn object_of_a_launch_ends_once_on_every_schedule() {
    if driver() == Choice::Real {
        skip!("it is about the software driver");
    }
    if !crate::raw_setup::is_since(11, 4) {
        skip!("the functions are newer than the driver");
    }
    let schedules = [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..10).map(Schedule::Random));
    for schedule in schedules {
        let (_machine, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let (object, word) = object();
        let graph = graph();
        fill(graph, &[], allocate(64), 1);
        call!(cuGraphRetainUserObject(graph, object, 1, 1));
        let (executable, on) = (instantiate(graph), stream(1));
        call!(cuGraphLaunch(executable, on));
        call!(cuGraphExecDestroy(executable));
        call!(cuGraphDestroy(graph));
        call!(cuStreamSynchronize(on));
        while word.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        assert_eq!(word.load(Ordering::SeqCst), 1, "{schedule:?}");
    }
}

#[test]
fn object_that_is_gone_is_refused() {
    if driver() == Choice::Real {
        skip!("it is about the software driver");
    }
    if !crate::raw_setup::is_since(11, 3) {
        skip!("the functions are newer than the driver");
    }
    let (_machine, _entered) = machine(Config::default());
    let (object, word) = object();
    call!(cuUserObjectRelease(object, 1));
    assert_eq!(word.load(Ordering::SeqCst), 1, "destroyed before the call returns");
    assert_eq!(code!(cuUserObjectRelease(object, 1)), CUresult::CUDA_ERROR_INVALID_VALUE);
}
