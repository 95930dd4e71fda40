//! Questions about contexts and devices.

use super::{Answers, PTX, Question, capturing, fault, initialised};
use cuda_suite::raw::{context, function, page_locked, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "primary-state", devices: 1, ask: primary_state },
    Question { name: "primary-flags", devices: 1, ask: primary_flags },
    Question { name: "primary-flags-refused", devices: 1, ask: primary_flags_refused },
    Question { name: "primary-reset", devices: 1, ask: primary_reset },
    Question { name: "primary-reset-inactive", devices: 1, ask: primary_reset_inactive },
    Question { name: "primary-no-device", devices: 1, ask: primary_no_device },
    Question { name: "primary-sticky", devices: 1, ask: primary_sticky },
    Question { name: "context-create-refused", devices: 1, ask: create_refused },
    Question { name: "context-create-no-parameters", devices: 1, ask: create_no_parameters },
    Question { name: "device-luid", devices: 1, ask: luid },
    Question { name: "context-affinity-supported", devices: 1, ask: affinity_supported },
    Question { name: "context-affinity", devices: 1, ask: affinity },
    Question { name: "context-create-affinity", devices: 1, ask: create_affinity },
    Question { name: "context-limits", devices: 1, ask: limits },
    Question { name: "context-limits-refused", devices: 1, ask: limits_refused },
    Question { name: "context-cache-config", devices: 1, ask: cache_config },
    Question { name: "context-shared-config", devices: 1, ask: shared_config },
    Question { name: "context-flags", devices: 1, ask: flags },
    Question { name: "context-priorities", devices: 1, ask: priorities },
    Question { name: "context-version", devices: 1, ask: version },
    Question { name: "context-no-current", devices: 1, ask: no_current },
    Question { name: "context-destroyed-device", devices: 1, ask: |answers| destroyed_current(answers, 0) },
    Question { name: "context-destroyed-flags", devices: 1, ask: |answers| destroyed_current(answers, 1) },
    Question {
        name: "context-destroyed-set-flags",
        devices: 1,
        ask: |answers| destroyed_current(answers, 2),
    },
    Question { name: "context-destroyed-id", devices: 1, ask: |answers| destroyed_current(answers, 3) },
    Question { name: "context-destroyed-version", devices: 1, ask: |answers| destroyed_current(answers, 4) },
    Question { name: "context-destroyed-limit", devices: 1, ask: |answers| destroyed_current(answers, 5) },
    Question {
        name: "context-destroyed-set-limit",
        devices: 1,
        ask: |answers| destroyed_current(answers, 6),
    },
    Question {
        name: "context-destroyed-cache-config",
        devices: 1,
        ask: |answers| destroyed_current(answers, 7),
    },
    Question {
        name: "context-destroyed-set-cache-config",
        devices: 1,
        ask: |answers| destroyed_current(answers, 8),
    },
    Question {
        name: "context-destroyed-shared-config",
        devices: 1,
        ask: |answers| destroyed_current(answers, 9),
    },
    Question {
        name: "context-destroyed-set-shared-config",
        devices: 1,
        ask: |answers| destroyed_current(answers, 10),
    },
    Question {
        name: "context-destroyed-priorities",
        devices: 1,
        ask: |answers| destroyed_current(answers, 11),
    },
    Question {
        name: "context-destroyed-affinity",
        devices: 1,
        ask: |answers| destroyed_current(answers, 12),
    },
    Question {
        name: "context-destroyed-reset-l2",
        devices: 1,
        ask: |answers| destroyed_current(answers, 13),
    },
    Question {
        name: "context-destroyed-synchronize",
        devices: 1,
        ask: |answers| destroyed_current(answers, 14),
    },
    Question { name: "context-reset-current", devices: 1, ask: reset_current },
    Question { name: "context-sticky", devices: 1, ask: sticky },
    Question { name: "context-sticky-handle", devices: 1, ask: sticky_handle },
    Question { name: "context-sticky-stack", devices: 1, ask: sticky_stack },
    Question { name: "context-event-idle", devices: 1, ask: event_idle },
    Question { name: "context-event-busy", devices: 1, ask: event_busy },
    Question { name: "context-event-wait", devices: 1, ask: event_wait },
    Question { name: "context-event-null", devices: 1, ask: event_null },
    Question { name: "context-event-foreign", devices: 2, ask: event_foreign },
    Question { name: "context-event-no-current", devices: 1, ask: event_no_current },
    Question { name: "context-capture-ask", devices: 1, ask: capture_ask },
    Question { name: "context-capture-limit", devices: 1, ask: capture_limit },
    Question { name: "context-capture-flags", devices: 1, ask: capture_flags },
    Question { name: "context-capture-record", devices: 1, ask: capture_record },
    Question { name: "context-capture-wait", devices: 1, ask: capture_wait },
];

fn state(answers: &mut Answers) {
    let (mut flags, mut active) = (99, 99);
    if answers.code(code!(cuDevicePrimaryCtxGetState(0, &raw mut flags, &raw mut active))) {
        answers.value(format_args!("{flags}/{active}"));
    }
}

fn retain() -> CUcontext {
    let mut primary = null_mut();
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
    primary
}

fn current_flags(answers: &mut Answers) {
    let mut flags = 99;
    if answers.code(code!(cuCtxGetFlags(&raw mut flags))) {
        answers.value(flags);
    }
}

fn primary_state(answers: &mut Answers) {
    initialised();
    state(answers);
    retain();
    retain();
    state(answers);
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
    state(answers);
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
    state(answers);
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
}

fn primary_flags(answers: &mut Answers) {
    initialised();
    answers.code(code!(cuDevicePrimaryCtxSetFlags_v2(0, 4)));
    state(answers);
    let primary = retain();
    call!(cuCtxSetCurrent(primary));
    current_flags(answers);
    answers.code(code!(cuDevicePrimaryCtxSetFlags_v2(0, 1)));
    state(answers);
    current_flags(answers);
    answers.code(code!(cuCtxSetFlags(2)));
    state(answers);
    current_flags(answers);
    call!(cuDevicePrimaryCtxRelease_v2(0));
    state(answers);
}

fn primary_flags_refused(answers: &mut Answers) {
    initialised();
    for flags in [3, 0x100, 0xffff, 0x7f] {
        answers.code(code!(cuDevicePrimaryCtxSetFlags_v2(0, flags)));
    }
    state(answers);
}

fn primary_reset(answers: &mut Answers) {
    initialised();
    let primary = retain();
    call!(cuCtxSetCurrent(primary));
    answers.code(code!(cuDevicePrimaryCtxReset_v2(0)));
    state(answers);
    current_flags(answers);
    answers.value(if retain() == primary { "same" } else { "another" });
    current_flags(answers);
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
    state(answers);
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
    state(answers);
}

fn primary_reset_inactive(answers: &mut Answers) {
    initialised();
    answers.code(code!(cuDevicePrimaryCtxReset_v2(0)));
    call!(cuDevicePrimaryCtxSetFlags_v2(0, 4));
    answers.code(code!(cuDevicePrimaryCtxReset_v2(0)));
    state(answers);
}

fn primary_no_device(answers: &mut Answers) {
    initialised();
    let (mut primary, mut flags, mut active) = (null_mut(), 0, 0);
    answers.code(code!(cuDevicePrimaryCtxRetain(&raw mut primary, 99)));
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(99)));
    answers.code(code!(cuDevicePrimaryCtxSetFlags_v2(99, 0)));
    answers.code(code!(cuDevicePrimaryCtxGetState(99, &raw mut flags, &raw mut active)));
    answers.code(code!(cuDevicePrimaryCtxReset_v2(99)));
    answers.code(code!(cuDevicePrimaryCtxGetState(0, null_mut(), &raw mut active)));
    answers.code(code!(cuDevicePrimaryCtxGetState(0, &raw mut flags, null_mut())));
}

fn primary_sticky(answers: &mut Answers) {
    initialised();
    call!(cuCtxSetCurrent(retain()));
    fault();
    let mut primary = null_mut();
    state(answers);
    answers.code(code!(cuDevicePrimaryCtxSetFlags_v2(0, 4)));
    answers.code(code!(cuDevicePrimaryCtxRetain(&raw mut primary, 0)));
    answers.code(code!(cuDevicePrimaryCtxRelease_v2(0)));
    state(answers);
}

fn create_refused(answers: &mut Answers) {
    initialised();
    let mut made = null_mut();
    let made = &raw mut made;
    answers.code(code!(cuCtxCreate_v2(made, 0, 99)));
    answers.code(code!(cuCtxCreate_v2(made, 3, 0)));
    answers.code(code!(cuCtxCreate_v2(null_mut(), 0, 0)));
    answers.code(code!(cuCtxCreate_v4(made, null_mut(), 0, 99)));
    answers.code(code!(cuCtxCreate_v4(made, null_mut(), 3, 0)));
    answers.code(code!(cuCtxCreate_v4(made, null_mut(), 0x100, 0)));
    let mut current = null_mut();
    call!(cuCtxGetCurrent(&raw mut current));
    answers.value(if current.is_null() { "nothing" } else { "something" });
}

fn create_no_parameters(answers: &mut Answers) {
    initialised();
    let mut made = null_mut();
    let made = &raw mut made;
    answers.code(code!(cuCtxCreate_v3(made, null_mut(), 0, 0, 0)));
    let mut parameters = CUctxCreateParams::default();
    answers.code(code!(cuCtxCreate_v4(made, &raw mut parameters, 0, 0)));
    answers.code(code!(cuCtxCreate_v3(made, null_mut(), 1, 0, 0)));
    parameters.numExecAffinityParams = 1;
    answers.code(code!(cuCtxCreate_v4(made, &raw mut parameters, 0, 0)));
}

fn luid(answers: &mut Answers) {
    initialised();
    let (mut bytes, mut mask) = ([0; 8], 0);
    let (luid, mask) = (bytes.as_mut_ptr(), &raw mut mask);
    answers.codes([
        code!(cuDeviceGetLuid(luid, mask, 0)),
        code!(cuDeviceGetLuid(luid, mask, 99)),
        code!(cuDeviceGetLuid(null_mut(), mask, 0)),
        code!(cuDeviceGetLuid(luid, null_mut(), 0)),
        code!(cuDeviceGetLuid(null_mut(), null_mut(), 99)),
    ]);
}

fn affinity_supported(answers: &mut Answers) {
    initialised();
    for (kind, device) in [(0, 0), (1, 0), (0, 99)] {
        let mut supported = 99;
        let kind = CUexecAffinityType_enum(kind);
        if answers.code(code!(cuDeviceGetExecAffinitySupport(&raw mut supported, kind, device))) {
            answers.value(supported);
        }
    }
    answers.code(code!(cuDeviceGetExecAffinitySupport(null_mut(), CUexecAffinityType_enum(0), 0)));
}

fn processors(count: u32) -> CUexecAffinityParam {
    CUexecAffinityParam {
        type_: CUexecAffinityType_enum::CU_EXEC_AFFINITY_TYPE_SM_COUNT,
        param: CUexecAffinityParam_st__bindgen_ty_1 { smCount: CUexecAffinitySmCount { val: count } },
    }
}

fn asked_affinity(answers: &mut Answers, kind: u32) {
    let mut affinity = processors(99);
    let kind = CUexecAffinityType_enum(kind);
    if answers.code(code!(cuCtxGetExecAffinity(&raw mut affinity, kind))) {
        // SAFETY: the only member that there is.
        answers.value(unsafe { affinity.param.smCount.val });
    }
}

fn affinity(answers: &mut Answers) {
    initialised();
    asked_affinity(answers, 0);
    context(0);
    asked_affinity(answers, 0);
    asked_affinity(answers, 1);
}

fn create_affinity(answers: &mut Answers) {
    initialised();
    let mut made = null_mut();
    let made = &raw mut made;
    for count in [1, 0, 9999] {
        let mut affinity = processors(count);
        if answers.code(code!(cuCtxCreate_v3(made, &raw mut affinity, 1, 0, 0))) {
            asked_affinity(answers, 0);
        }
    }
    let mut affinity = processors(1);
    let mut parameters = CUctxCreateParams {
        execAffinityParams: &raw mut affinity,
        numExecAffinityParams: 1,
        ..CUctxCreateParams::default()
    };
    answers.code(code!(cuCtxCreate_v4(made, &raw mut parameters, 0, 0)));
    let mut unknown = processors(1);
    unknown.type_ = CUexecAffinityType_enum(1);
    answers.code(code!(cuCtxCreate_v3(made, &raw mut unknown, 1, 0, 0)));
}

fn limits(answers: &mut Answers) {
    initialised();
    context(0);
    for limit in 0..11 {
        let mut value = 0;
        if answers.code(code!(cuCtxGetLimit(&raw mut value, CUlimit_enum(limit)))) {
            answers.value(value);
        }
    }
}

fn limits_refused(answers: &mut Answers) {
    initialised();
    context(0);
    let mut value = 0;
    answers.code(code!(cuCtxGetLimit(&raw mut value, CUlimit_enum(99))));
    answers.code(code!(cuCtxSetLimit(CUlimit_enum(99), 1)));
    answers.code(code!(cuCtxGetLimit(null_mut(), CUlimit_enum(0))));
    answers.code(code!(cuCtxSetLimit(CUlimit_enum(3), 1)));
    answers.code(code!(cuCtxSetLimit(CUlimit_enum(0), 1 << 40)));
    answers.code(code!(cuCtxSetLimit(CUlimit_enum(5), 129)));
}

fn cache_config(answers: &mut Answers) {
    initialised();
    context(0);
    let shown = |answers: &mut Answers| {
        let mut config = CUfunc_cache_enum(99);
        if answers.code(code!(cuCtxGetCacheConfig(&raw mut config))) {
            answers.value(config.0);
        }
    };
    shown(answers);
    for config in [1, 2, 3, 0, 4, 99] {
        answers.code(code!(cuCtxSetCacheConfig(CUfunc_cache_enum(config))));
        shown(answers);
    }
    answers.code(code!(cuCtxGetCacheConfig(null_mut())));
}

fn shared_config(answers: &mut Answers) {
    initialised();
    context(0);
    let shown = |answers: &mut Answers| {
        let mut config = CUsharedconfig_enum(99);
        if answers.code(code!(cuCtxGetSharedMemConfig(&raw mut config))) {
            answers.value(config.0);
        }
    };
    shown(answers);
    for config in [1, 2, 0, 3] {
        answers.code(code!(cuCtxSetSharedMemConfig(CUsharedconfig_enum(config))));
        shown(answers);
    }
}

fn flags(answers: &mut Answers) {
    initialised();
    for made_with in [0, 1, 2, 4, 8, 16, 0x20, 0x80, 0x1c] {
        let mut made = null_mut();
        if answers.code(code!(cuCtxCreate_v2(&raw mut made, made_with, 0))) {
            current_flags(answers);
            call!(cuCtxDestroy_v2(made));
        }
    }
    context(0);
    for set in [4, 0, 0x80, 3, 0x100] {
        answers.code(code!(cuCtxSetFlags(set)));
        current_flags(answers);
    }
}

fn priorities(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut least, mut greatest) = (99, 99);
    answers.code(code!(cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest)));
    answers.value(format_args!("{least}/{greatest}"));
    answers.code(code!(cuCtxGetStreamPriorityRange(null_mut(), &raw mut greatest)));
    answers.code(code!(cuCtxGetStreamPriorityRange(null_mut(), null_mut())));
}

fn version(answers: &mut Answers) {
    initialised();
    let mut version = 0;
    answers.code(code!(cuCtxGetApiVersion(null_mut(), &raw mut version)));
    let gone = context(0);
    // Made before the end of the other, so that it cannot get that one's handle.
    context(0);
    call!(cuCtxDestroy_v2(gone));
    if answers.code(code!(cuCtxGetApiVersion(null_mut(), &raw mut version))) {
        answers.value(version);
    }
    answers.code(code!(cuCtxGetApiVersion(gone, &raw mut version)));
}

type Function = fn() -> CUresult;

/// Functions on the current context, by the last words of the names of their questions.
const FUNCTIONS: &[(&str, Function)] = &[
    ("device", || {
        let mut device = 0;
        code!(cuCtxGetDevice(&raw mut device))
    }),
    ("flags", || {
        let mut flags = 0;
        code!(cuCtxGetFlags(&raw mut flags))
    }),
    ("set-flags", || code!(cuCtxSetFlags(0))),
    ("id", || {
        let mut id = 0;
        code!(cuCtxGetId(null_mut(), &raw mut id))
    }),
    ("version", || {
        let mut version = 0;
        code!(cuCtxGetApiVersion(null_mut(), &raw mut version))
    }),
    ("limit", || {
        let mut value = 0;
        code!(cuCtxGetLimit(&raw mut value, CUlimit_enum(0)))
    }),
    ("set-limit", || code!(cuCtxSetLimit(CUlimit_enum(0), 1024))),
    ("cache-config", || {
        let mut config = CUfunc_cache_enum(0);
        code!(cuCtxGetCacheConfig(&raw mut config))
    }),
    ("set-cache-config", || code!(cuCtxSetCacheConfig(CUfunc_cache_enum(0)))),
    ("shared-config", || {
        let mut config = CUsharedconfig_enum(0);
        code!(cuCtxGetSharedMemConfig(&raw mut config))
    }),
    ("set-shared-config", || code!(cuCtxSetSharedMemConfig(CUsharedconfig_enum(0)))),
    ("priorities", || {
        let (mut least, mut greatest) = (0, 0);
        code!(cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest))
    }),
    ("affinity", || {
        let mut affinity = processors(0);
        code!(cuCtxGetExecAffinity(&raw mut affinity, CUexecAffinityType_enum(0)))
    }),
    ("reset-l2", || code!(cuCtxResetPersistingL2Cache())),
    ("synchronize", || code!(cuCtxSynchronize())),
];

/// Adds the current answers of functions on contexts.
fn all(answers: &mut Answers) {
    for (_, function) in FUNCTIONS {
        answers.code(function());
    }
}

fn no_current(answers: &mut Answers) {
    initialised();
    all(answers);
}

/// The current context was destroyed by another thread.
fn destroyed_current(answers: &mut Answers, function: usize) {
    initialised();
    let own = context(0).expose_provenance();
    let destroy = || call!(cuCtxDestroy_v2(std::ptr::with_exposed_provenance_mut(own)));
    std::thread::scope(|scope| scope.spawn(destroy).join().unwrap());
    answers.code(FUNCTIONS[function].1());
}

/// The current context is a primary one that was reset.
fn reset_current(answers: &mut Answers) {
    initialised();
    call!(cuCtxSetCurrent(retain()));
    call!(cuDevicePrimaryCtxReset_v2(0));
    // Setting flags would crash as it does in a context that was destroyed.
    for (name, function) in FUNCTIONS {
        if *name != "set-flags" {
            answers.code(function());
        }
    }
}

fn sticky(answers: &mut Answers) {
    initialised();
    context(0);
    fault();
    all(answers);
}

fn sticky_handle(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let other = context(0);
    call!(cuCtxSetCurrent(own));
    fault();
    let (mut id, mut version) = (0, 0);
    for asked in [own, other] {
        answers.code(code!(cuCtxGetId(asked, &raw mut id)));
        answers.code(code!(cuCtxGetApiVersion(asked, &raw mut version)));
    }
    answers.code(code!(cuCtxRecordEvent(own, null_mut())));
}

fn sticky_stack(answers: &mut Answers) {
    initialised();
    let own = context(0);
    fault();
    let mut popped = null_mut();
    answers.code(code!(cuCtxPushCurrent_v2(own)));
    answers.code(code!(cuCtxPopCurrent_v2(&raw mut popped)));
    answers.value(popped == own);
    answers.code(code!(cuCtxPopCurrent_v2(&raw mut popped)));
    answers.value(popped == own);
    answers.code(code!(cuCtxPopCurrent_v2(&raw mut popped)));
    answers.code(code!(cuCtxSetCurrent(own)));
    answers.code(code!(cuCtxGetCurrent(&raw mut popped)));
    answers.value(popped == own);
    answers.code(code!(cuCtxDestroy_v2(own)));
    answers.code(code!(cuCtxGetCurrent(&raw mut popped)));
    answers.value(popped.is_null());
}

fn event() -> CUevent {
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    event
}

fn event_idle(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let mark = event();
    answers.code(code!(cuCtxRecordEvent(own, mark)));
    answers.code(code!(cuEventSynchronize(mark)));
    answers.code(code!(cuEventQuery(mark)));
    answers.code(code!(cuCtxWaitEvent(own, mark)));
    answers.code(code!(cuCtxSynchronize()));
}

/// An event of a context waits for work on all its streams.
fn event_busy(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let (words, go) = page_locked(1);
    let (busy, mark) = (stream(1), event());
    answers.code(try_launch(function(PTX, c"hold"), 1, busy, &[go]));
    answers.code(code!(cuCtxRecordEvent(own, mark)));
    answers.code(code!(cuEventQuery(mark)));
    words[0].store(1, Ordering::Release);
    answers.code(code!(cuEventSynchronize(mark)));
    answers.code(code!(cuStreamQuery(busy)));
}

/// Work on all streams waits, if it comes later.
fn event_wait(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let (words, go) = page_locked(1);
    let (busy, other, mark) = (stream(1), stream(1), event());
    answers.code(try_launch(function(PTX, c"hold"), 1, busy, &[go]));
    call!(cuEventRecord(mark, busy));
    answers.code(code!(cuCtxWaitEvent(own, mark)));
    let later = event();
    call!(cuEventRecord(later, other));
    answers.code(code!(cuEventQuery(later)));
    let newest = stream(1);
    call!(cuEventRecord(later, newest));
    answers.code(code!(cuEventQuery(later)));
    words[0].store(1, Ordering::Release);
    answers.code(code!(cuEventSynchronize(later)));
    answers.code(code!(cuCtxSynchronize()));
}

fn event_null(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let mark = event();
    answers.code(code!(cuCtxRecordEvent(null_mut(), mark)));
    answers.code(code!(cuCtxWaitEvent(null_mut(), mark)));
    answers.code(code!(cuCtxRecordEvent(own, null_mut())));
    answers.code(code!(cuCtxWaitEvent(own, null_mut())));
    let gone = context(0);
    call!(cuCtxDestroy_v2(gone));
    answers.code(code!(cuCtxRecordEvent(gone, mark)));
    answers.code(code!(cuCtxWaitEvent(gone, mark)));
}

fn event_foreign(answers: &mut Answers) {
    initialised();
    let other = context(1);
    let theirs = event();
    let (same_device, ours) = (context(0), event());
    let own = context(0);
    answers.code(code!(cuCtxRecordEvent(own, theirs)));
    answers.code(code!(cuCtxRecordEvent(own, ours)));
    answers.code(code!(cuCtxRecordEvent(other, theirs)));
    answers.code(code!(cuCtxWaitEvent(own, theirs)));
    answers.code(code!(cuCtxRecordEvent(same_device, ours)));
    answers.code(code!(cuCtxWaitEvent(own, ours)));
    answers.code(code!(cuCtxSynchronize()));
}

fn event_no_current(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let mark = event();
    let mut popped = null_mut();
    call!(cuCtxPopCurrent_v2(&raw mut popped));
    answers.code(code!(cuCtxRecordEvent(own, mark)));
    answers.code(code!(cuCtxWaitEvent(own, mark)));
    answers.code(code!(cuCtxRecordEvent(null_mut(), mark)));
}

fn capture_ask(answers: &mut Answers) {
    initialised();
    context(0);
    capturing(answers, |answers| {
        let (mut value, mut config) = (0, CUfunc_cache_enum(0));
        answers.code(code!(cuCtxGetLimit(&raw mut value, CUlimit_enum(0))));
        answers.code(code!(cuCtxGetCacheConfig(&raw mut config)));
    });
}

fn capture_limit(answers: &mut Answers) {
    initialised();
    context(0);
    capturing(answers, |answers| {
        answers.code(code!(cuCtxSetLimit(CUlimit_enum(0), 2048)));
    });
}

fn capture_flags(answers: &mut Answers) {
    initialised();
    context(0);
    capturing(answers, |answers| {
        answers.code(code!(cuCtxSetFlags(4)));
    });
}

fn capture_record(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let mark = event();
    capturing(answers, |answers| {
        answers.code(code!(cuCtxRecordEvent(own, mark)));
    });
}

fn capture_wait(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let mark = event();
    capturing(answers, |answers| {
        answers.code(code!(cuCtxWaitEvent(own, mark)));
    });
}
