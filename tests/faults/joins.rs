//! The calls that join two streams, and guards whose second join fails.

use crate::layer::{Fault, no_fault, record};
use crate::{failing, primary, symbols};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::{DeviceBuf, PinnedBuf, Stream};
use cuda_suite::reports;
use cuda_sys::Symbol;

/// Without queries of the current context and of the capture mode.
fn work(calls: Vec<Symbol>) -> Vec<Symbol> {
    let questions = [
        Symbol::cuCtxGetCurrent,
        Symbol::cuCtxPushCurrent_v2,
        Symbol::cuCtxPopCurrent_v2,
        Symbol::cuCtxGetId,
        Symbol::cuThreadExchangeStreamCaptureMode,
    ];
    calls.into_iter().filter(|call| !questions.contains(call)).collect()
}

const JOIN: [Symbol; 4] =
    [Symbol::cuEventCreate, Symbol::cuEventRecord, Symbol::cuStreamWaitEvent, Symbol::cuEventDestroy_v2];

#[test]
fn a_join_makes_the_calls_that_are_documented() {
    let context = primary();
    let (first, second) = (Stream::new(&context).unwrap(), Stream::new(&context).unwrap());
    let buffer = DeviceBuf::from_host(&first, &[1, 2, 3]).unwrap();
    let ((), calls) = record(no_fault, {
        let (first, second) = (first.clone(), second.clone());
        move || second.wait_stream(&first).unwrap()
    });
    assert_eq!(work(symbols(&calls)), JOIN);
    let ((), calls) = record(no_fault, {
        let first = first.clone();
        move || first.wait_stream(&first).unwrap()
    });
    assert_eq!(symbols(&calls), []);
    let (buffer, calls) = record(no_fault, {
        let second = second.clone();
        move || {
            buffer.use_on(&second).unwrap().close().unwrap();
            buffer
        }
    });
    assert_eq!(work(symbols(&calls)), [JOIN, JOIN].concat());
    // The memory's own stream.
    let (_, calls) = record(no_fault, move || {
        drop(buffer.use_on(&first).unwrap());
        (buffer, first)
    });
    assert_eq!(symbols(&calls), []);
}

#[test]
fn a_guard_that_cannot_order_waits() {
    let context = primary();
    let (home, other) = (Stream::new(&context).unwrap(), Stream::new(&context).unwrap());
    // Other code may capture them, so the crate asks the driver: for each before an order, and for one when its event is recorded.
    let _exposed = (home.as_raw(), other.as_raw());
    // Each call that the second order takes. The first order takes the same before.
    for (symbol, nth) in [
        (Symbol::cuStreamIsCapturing, 3),
        (Symbol::cuStreamIsCapturing, 4),
        (Symbol::cuEventCreate, 1),
        (Symbol::cuEventRecord, 1),
        (Symbol::cuStreamWaitEvent, 1),
    ] {
        let buffer = DeviceBuf::<u8>::uninit(&home, 3).unwrap();
        let told = reports(|| {
            let other = other.clone();
            let plan = failing(symbol, nth, Fault::Refused(Code::InvalidValue));
            let (_, calls) = record(plan, move || {
                drop(buffer.use_on(&other).unwrap());
                (buffer, other)
            });
            let waits = calls.iter().filter(|call| call.symbol == Symbol::cuStreamSynchronize).count();
            assert_eq!(waits, 1, "{symbol}: {calls:?}");
        });
        assert!(told.len() == 1 && told[0].contains(symbol.name()), "{told:?}");
    }
}

#[test]
fn a_check_that_fails_names_the_call_it_precedes() {
    let stream = Stream::new(&primary()).unwrap();
    let _exposed = stream.as_raw();
    let plan = failing(Symbol::cuStreamIsCapturing, 0, Fault::Refused(Code::IllegalAddress));
    let (failed, _) = record(plan, {
        let stream = stream.clone();
        move || DeviceBuf::<u8>::uninit(&stream, 3).map(drop)
    });
    let error = failed.unwrap_err();
    assert_eq!((error.kind(), error.prevented_call()), (ErrorKind::NotCalled, Some("cuMemAllocAsync")));
    let check = (Some("cuStreamIsCapturing"), Some(Code::IllegalAddress), true);
    assert_eq!((error.call(), error.code(), error.is_sticky()), check);
    assert_eq!(
        error.to_string(),
        "cuMemAllocAsync: not called, because the check before it failed: cuStreamIsCapturing: \
         CUDA_ERROR_ILLEGAL_ADDRESS (700: an illegal memory access was encountered)"
    );
    let plan = failing(Symbol::cuCtxGetCurrent, 0, Fault::Refused(Code::NotInitialized));
    let (failed, _) = record(plan, move || Stream::legacy(stream.context()).synchronize());
    let error = failed.unwrap_err();
    assert_eq!((error.kind(), error.prevented_call()), (ErrorKind::NotCalled, Some("cuStreamSynchronize")));
}

#[test]
fn one_failure_is_not_the_end_of_the_parameters() {
    type Args = (u64, u32, u32);
    let ptx = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry three(.param .u64 a, .param .u32 b, .param .u32 c) { ret; }";
    let three = cuda_rt::Module::from_ptx(&primary(), ptx).unwrap().function("three").unwrap();
    // The fourth query returns this code.
    for nth in 0..4 {
        let plan = failing(Symbol::cuFuncGetParamInfo, nth, Fault::Refused(Code::InvalidValue));
        let function = three.clone();
        let (typed, calls) = record(plan, move || function.typed::<Args>().map(drop));
        assert_eq!(typed, Ok(()), "question {nth}");
        let count = calls.iter().filter(|call| call.symbol == Symbol::cuFuncGetParamInfo).count();
        assert_eq!(count, 5 + usize::from(nth < 3), "question {nth}");
    }
    // All later queries return it, too.
    let plan =
        |_, called| (called == Symbol::cuFuncGetParamInfo).then_some(Fault::Refused(Code::InvalidValue));
    let (typed, _) = record(plan, move || three.typed::<Args>().map(drop));
    let text = typed.unwrap_err().to_string();
    assert_eq!(text, "kernel `three`: it takes 0 parameters, the argument types give 3");
}

#[test]
fn fresh_memory_is_not_seen_before_it_is_filled() {
    let stream = Stream::new(&primary()).unwrap();
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
    let pinned = PinnedBuf::<u32>::zeroed(stream.context(), 3).unwrap();
    let plan = |nth| failing(Symbol::cuEventSynchronize, nth, Fault::Late(Code::LaunchTimeout));
    let (outcome, _) = record(plan(0), move || {
        let outcome = device.to_pinned().unwrap().wait().map(drop).map_err(|failure| failure.into_buffer());
        (outcome, device)
    });
    let (failed, device) = outcome;
    assert!(failed.is_err_and(|buffer| buffer.is_none()), "nothing may be in it");
    // A buffer that was initialised before is returned.
    let (failed, _) = record(plan(0), move || {
        device.copy_to_pinned(pinned).unwrap().wait().map(drop).map_err(|failure| failure.into_buffer())
    });
    assert!(failed.is_err_and(|buffer| buffer.is_some()));
}
