//! Questions about attributes of streams, and queries of streams.

#![allow(non_snake_case)] // fields of the API are so called
use super::graph_scenes::*;
use super::{Answers, Question};
use cuda_suite::raw::{allocate, context, current, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "stream-attribute-each", devices: 1, ask: each },
    Question { name: "stream-attribute-policy", devices: 1, ask: policy },
    Question { name: "stream-attribute-priority", devices: 1, ask: priority },
    Question { name: "stream-attribute-window", devices: 1, ask: window },
    Question { name: "stream-attribute-window-limit", devices: 1, ask: window_limit },
    Question { name: "stream-attribute-owner-places", devices: 1, ask: owner_places },
    Question { name: "stream-attribute-domains", devices: 1, ask: domains },
    Question { name: "stream-attribute-copies", devices: 1, ask: copies },
    Question { name: "stream-attribute-default-streams", devices: 1, ask: of_default_streams },
    Question { name: "stream-attribute-copies-from-legacy", devices: 1, ask: copies_from_legacy },
    Question { name: "stream-attribute-copies-to-legacy", devices: 1, ask: copies_to_legacy },
    Question { name: "stream-attribute-null-read", devices: 1, ask: null_read },
    Question { name: "stream-attribute-null-written", devices: 1, ask: null_written },
    Question { name: "stream-attribute-owners", devices: 1, ask: owners },
    Question { name: "stream-attribute-destroyed", devices: 1, ask: destroyed },
    Question { name: "stream-attribute-destroyed-id", devices: 1, ask: destroyed_id },
    Question { name: "stream-attribute-destroyed-status", devices: 1, ask: destroyed_status },
    Question { name: "stream-attribute-destroyed-capture", devices: 1, ask: destroyed_capture },
    Question { name: "stream-attribute-context-gone", devices: 1, ask: context_gone },
];

const NONE: CUlaunchAttributeValue = CUlaunchAttributeValue { pad: [0; 64] };

fn get(on: CUstream, id: u32, value: &mut CUlaunchAttributeValue) -> CUresult {
    code!(cuStreamGetAttribute(on, CUlaunchAttributeID_enum(id), value))
}

fn set(on: CUstream, id: u32, value: &CUlaunchAttributeValue) -> CUresult {
    code!(cuStreamSetAttribute(on, CUlaunchAttributeID_enum(id), value))
}

fn first_word(value: &CUlaunchAttributeValue) -> u32 {
    // SAFETY: all bytes are there.
    unsafe { value.sharedMemCarveout }
}

fn each(answers: &mut Answers) {
    let on = begun();
    let mut list = Vec::new();
    for id in 0..=18 {
        let mut value = CUlaunchAttributeValue { pad: [0x55; 64] };
        let got = get(on, id, &mut value);
        let word = if got.is_success() { first_word(&value) } else { 0 };
        list.push(format!(
            "{}.{word}.{}",
            got.0,
            set(on, id, if got.is_success() { &value } else { &NONE }).0
        ));
    }
    answers.value(list.join(","));
}

fn policy(answers: &mut Answers) {
    let on = begun();
    let read = |answers: &mut Answers| {
        let mut value = NONE;
        let code = get(on, 3, &mut value);
        answers.given(code, first_word(&value));
    };
    read(answers);
    for policy in [1, 2, 3, 4, 0, 5] {
        let value = CUlaunchAttributeValue { syncPolicy: CUsynchronizationPolicy_enum(policy) };
        answers.code(set(on, 3, &value));
        read(answers);
    }
}

fn priority(answers: &mut Answers) {
    let on = begun();
    let mut urgent = null_mut();
    answers.must(code!(cuStreamCreateWithPriority(&raw mut urgent, 1, -1)));
    let read = |answers: &mut Answers, on| {
        let (mut value, mut priority) = (NONE, 77);
        let code = get(on, 8, &mut value);
        let other = code!(cuStreamGetPriority(on, &raw mut priority));
        answers.given(code, first_word(&value).cast_signed());
        answers.given(other, priority);
    };
    read(answers, on);
    for priority in [-1, -100, 100] {
        answers.code(set(on, 8, &CUlaunchAttributeValue { priority }));
        read(answers, on);
    }
    read(answers, urgent);
}

fn window(answers: &mut Answers) {
    let on = begun();
    let at = allocate(1 << 16);
    let pinned = super::memory::page_locked_bytes(4096, 0);
    let read = |answers: &mut Answers| {
        let mut value = CUlaunchAttributeValue { pad: [0; 64] };
        let code = get(on, 1, &mut value);
        // SAFETY: all bytes are there.
        let window = unsafe { value.accessPolicyWindow };
        answers.given(
            code,
            format_args!(
                "{},{},{},{},{}",
                window.base_ptr.is_null(),
                window.num_bytes,
                window.hitRatio * 100.0,
                window.hitProp.0,
                window.missProp.0
            ),
        );
    };
    read(answers);
    let window = |at: u64, bytes, ratio, hit, miss| CUlaunchAttributeValue {
        accessPolicyWindow: CUaccessPolicyWindow {
            base_ptr: std::ptr::with_exposed_provenance_mut(at as usize),
            num_bytes: bytes,
            hitRatio: ratio,
            hitProp: CUaccessProperty_enum(hit),
            missProp: CUaccessProperty_enum(miss),
        },
    };
    for value in [
        window(at, 4096, 1.0, 2, 1),
        window(at, 4096, 2.0, 2, 1),
        window(at, 4096, -1.0, 2, 1),
        window(at, 1 << 40, 1.0, 2, 1),
        window(at, 4096, 1.0, 7, 1),
        window(at, 4096, 1.0, 2, 2),
        window(0, 4096, 1.0, 2, 1),
        window(at, 0, 1.0, 2, 1),
        window(pinned, 4096, 1.0, 2, 1),
        window(at, 1 << 26, 1.0, 2, 1),
        window(0, 0, 0.0, 0, 0),
    ] {
        answers.code(set(on, 1, &value));
        read(answers);
    }
}

fn domains(answers: &mut Answers) {
    let on = begun();
    let read = |answers: &mut Answers, id| {
        let mut value = NONE;
        let code = get(on, id, &mut value);
        answers.given(code, first_word(&value));
    };
    read(answers, 10);
    read(answers, 9);
    for domain in [1, 2, 0] {
        answers.code(set(
            on,
            10,
            &CUlaunchAttributeValue { memSyncDomain: CUlaunchMemSyncDomain_enum(domain) },
        ));
        read(answers, 10);
    }
    for (default_, remote) in [(0, 1), (3, 3), (4, 0), (1, 0)] {
        let memSyncDomainMap = CUlaunchMemSyncDomainMap { default_, remote };
        answers.code(set(on, 9, &CUlaunchAttributeValue { memSyncDomainMap }));
        read(answers, 9);
    }
}

fn copies(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let other = stream(1);
    context(0);
    let foreign = stream(1);
    call!(cuCtxSetCurrent(own));
    let value = CUlaunchAttributeValue { syncPolicy: CUsynchronizationPolicy_enum(3) };
    answers.code(set(on, 3, &value));
    answers.code(set(on, 8, &CUlaunchAttributeValue { priority: -1 }));
    answers.code(code!(cuStreamCopyAttributes(other, on)));
    let mut read = NONE;
    let code = get(other, 3, &mut read);
    answers.given(code, first_word(&read));
    let code = get(other, 8, &mut read);
    answers.given(code, first_word(&read).cast_signed());
    answers.codes([
        code!(cuStreamCopyAttributes(on, on)),
        code!(cuStreamCopyAttributes(foreign, on)),
        code!(cuStreamCopyAttributes(on, foreign)),
        get(foreign, 3, &mut read),
        set(foreign, 3, &value),
    ]);
}

fn of_default_streams(answers: &mut Answers) {
    begun();
    let value = CUlaunchAttributeValue { syncPolicy: CUsynchronizationPolicy_enum(3) };
    for on in [null_mut(), handle(1), handle(2)] {
        answers.codes([get(on, 3, &mut { NONE }), set(on, 3, &value)]);
    }
}

fn copies_from_legacy(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamCopyAttributes(on, null_mut())));
}

fn copies_to_legacy(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamCopyAttributes(null_mut(), on)));
}

fn null_read(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamGetAttribute(on, CUlaunchAttributeID_enum(3), null_mut())));
}

fn null_written(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamSetAttribute(on, CUlaunchAttributeID_enum(3), std::ptr::null())));
}

fn owners(answers: &mut Answers) {
    let on = begun();
    let own = current();
    let other = context(0);
    let foreign = stream(1);
    call!(cuCtxSetCurrent(own));
    let ask = |answers: &mut Answers, on: CUstream| {
        let (mut context, mut again, mut green, mut device, mut id) =
            (null_mut(), null_mut(), null_mut(), 77, 0);
        let codes = [
            code!(cuStreamGetCtx(on, &raw mut context)),
            code!(cuStreamGetCtx_v2(on, &raw mut again, &raw mut green)),
            code!(cuStreamGetDevice(on, &raw mut device)),
            code!(cuStreamGetId(on, &raw mut id)),
        ];
        let name = |context: CUcontext| match context {
            context if context.is_null() => "null",
            context if context == own => "own",
            context if context == other => "other",
            _ => "else",
        };
        let codes = codes.map(|code| code.0.to_string()).join(".");
        answers.value(format_args!("{codes},{},{},{},{device}", name(context), name(again), green.is_null()));
    };
    for on in [on, null_mut(), handle(1), handle(2), foreign] {
        ask(answers, on);
    }
    let ids = [on, foreign, null_mut(), handle(1), handle(2)].map(|on| {
        let mut id = 0;
        let _ = code!(cuStreamGetId(on, &raw mut id));
        id
    });
    answers.value(ids[0] != ids[1]);
    answers.value(ids[2] == ids[3]);
    answers.value(ids[4] != ids[2]);
    let elsewhere = elsewhere(|| {
        let mut id = 0;
        let _ = code!(cuStreamGetId(handle(2), &raw mut id));
        id
    });
    answers.value(elsewhere != ids[4]);
    answers.code(code!(cuStreamGetCtx(on, null_mut())));
    answers.code(code!(cuStreamGetCtx_v2(on, null_mut(), null_mut())));
    answers.code(code!(cuStreamGetId(on, null_mut())));
    let mut below = null_mut();
    while code!(cuCtxPopCurrent_v2(&raw mut below)).is_success() {}
    for on in [on, null_mut(), handle(2)] {
        ask(answers, on);
    }
}

fn destroyed(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.code(code!(cuStreamGetCtx(on, &mut null_mut())));
}

fn destroyed_id(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.code(code!(cuStreamGetId(on, &mut 0)));
}

fn destroyed_status(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.code(code!(cuStreamIsCapturing(on, &mut CUstreamCaptureStatus_enum(0))));
}

fn destroyed_capture(answers: &mut Answers) {
    let on = begun();
    answers.code(code!(cuStreamDestroy_v2(on)));
    answers.code(begin(on, 2));
}

fn context_gone(answers: &mut Answers) {
    let on = begun();
    let gone = current();
    context(0);
    let graph = new_graph(answers);
    empty(answers, graph, &[]);
    let exec = instantiate(answers, graph);
    answers.code(code!(cuCtxDestroy_v2(gone)));
    answers.codes([
        code!(cuStreamGetCtx(on, &mut null_mut())),
        code!(cuStreamIsCapturing(on, &mut CUstreamCaptureStatus_enum(0))),
        code!(cuGraphLaunch(exec, on)),
    ]);
}

fn window_limit(answers: &mut Answers) {
    let on = begun();
    let at = allocate(1 << 16);
    let mut most = 0;
    answers.must(code!(cuDeviceGetAttribute(&raw mut most, CUdevice_attribute_enum(109), 0)));
    let most = usize::try_from(most).unwrap();
    for (bytes, ratio) in [(most, 1.0), (most + 1, 1.0), (4096, 0.0), (4096, 0.5)] {
        let accessPolicyWindow = CUaccessPolicyWindow {
            base_ptr: std::ptr::with_exposed_provenance_mut(at as usize),
            num_bytes: bytes,
            hitRatio: ratio,
            hitProp: CUaccessProperty_enum(2),
            missProp: CUaccessProperty_enum(0),
        };
        answers.code(set(on, 1, &CUlaunchAttributeValue { accessPolicyWindow }));
    }
}

fn owner_places(answers: &mut Answers) {
    let on = begun();
    answers.codes([
        code!(cuStreamGetCtx_v2(on, &mut null_mut(), null_mut())),
        code!(cuStreamGetCtx_v2(on, null_mut(), &mut null_mut())),
    ]);
}
