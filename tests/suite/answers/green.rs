//! Questions about green contexts and resources of devices.

#![allow(non_snake_case)] // fields of the API are so called
use super::{Answers, PTX, Question, device, initialised, while_running_on};
use cuda_suite::raw::{allocate, current, function, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "green-resource-types", devices: 1, ask: resource_types },
    Question { name: "green-resource-arguments", devices: 1, ask: resource_arguments },
    Question { name: "green-resource-values", devices: 1, ask: resource_values },
    Question { name: "green-split-counts", devices: 1, ask: split_counts },
    Question { name: "green-split-pairs", devices: 1, ask: split_pairs },
    Question { name: "green-split-arguments", devices: 1, ask: split_arguments },
    Question { name: "green-split-parts", devices: 1, ask: split_parts },
    Question { name: "green-description", devices: 1, ask: description },
    Question { name: "green-create", devices: 1, ask: create_arguments },
    Question { name: "green-primary-state", devices: 1, ask: primary_state },
    Question { name: "green-primary-refused", devices: 1, ask: primary_refused },
    Question { name: "green-as-context", devices: 1, ask: as_context },
    Question { name: "green-ids", devices: 1, ask: ids },
    Question { name: "green-streams", devices: 1, ask: streams },
    Question { name: "green-stream-owners", devices: 1, ask: stream_owners },
    Question { name: "green-default-streams", devices: 1, ask: default_streams },
    Question { name: "green-stream-attributes", devices: 1, ask: stream_attributes },
    Question { name: "green-calls", devices: 1, ask: calls },
    Question { name: "green-objects", devices: 1, ask: objects },
    Question { name: "green-multiprocessors", devices: 1, ask: multiprocessors },
    Question { name: "green-occupancy", devices: 1, ask: occupancy },
    Question { name: "green-cooperative", devices: 1, ask: cooperative },
    Question { name: "green-events", devices: 1, ask: events },
    Question { name: "green-waits", devices: 1, ask: waits },
    Question { name: "green-destroy-waits", devices: 1, ask: destroy_waits },
    Question { name: "green-capture-refusals", devices: 1, ask: capture_refusals },
    Question { name: "green-capture-allowed", devices: 1, ask: capture_allowed },
    Question { name: "green-capture-destroyed", devices: 1, ask: capture_destroyed },
    Question { name: "green-graph", devices: 1, ask: graph },
    Question { name: "green-stale-stream", devices: 1, ask: stale_stream },
    Question { name: "green-destroyed-null", devices: 1, ask: |answers| destroyed(answers, 0) },
    Question { name: "green-destroyed-primary", devices: 1, ask: |answers| destroyed(answers, 1) },
    Question { name: "green-destroyed-twice", devices: 1, ask: |answers| destroyed(answers, 2) },
    Question { name: "green-destroyed-record", devices: 1, ask: |answers| destroyed(answers, 3) },
    Question { name: "green-destroyed-wait", devices: 1, ask: |answers| destroyed(answers, 4) },
    Question { name: "green-destroyed-stream", devices: 1, ask: |answers| destroyed(answers, 5) },
    Question { name: "green-destroyed-resource", devices: 1, ask: |answers| destroyed(answers, 6) },
    Question { name: "green-destroyed-context-resource", devices: 1, ask: |answers| destroyed(answers, 7) },
    Question { name: "green-destroyed-id", devices: 1, ask: |answers| destroyed(answers, 8) },
    Question { name: "green-destroyed-context-id", devices: 1, ask: |answers| destroyed(answers, 9) },
    Question { name: "green-destroyed-context", devices: 1, ask: |answers| destroyed(answers, 10) },
    Question { name: "green-stale-current", devices: 1, ask: stale_current },
];

const SM: CUdevResourceType = CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM;
/// Multiprocessors that no device has more of.
const MOST: usize = 512;

/// Each block notes its multiprocessor for a while, so that all that there are have one; and the number that there are.
const REPORT: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry report(.param .u64 to, .param .u64 count) {
        .reg .b64 %at, %start, %now, %offset; .reg .b32 %number; .reg .pred %p;
        ld.param.u64 %at, [to]; mov.u32 %number, %smid; mul.wide.u32 %offset, %number, 4; add.u64 %at, %at, %offset;
        st.global.u32 [%at], 1;
        ld.param.u64 %at, [count]; mov.u32 %number, %nsmid; st.global.u32 [%at], %number;
        mov.u64 %start, %clock64;
        again: mov.u64 %now, %clock64; sub.u64 %now, %now, %start; setp.lt.u64 %p, %now, 20000; @%p bra again;
        ret; }";

fn primary() -> CUcontext {
    initialised();
    let mut context = null_mut();
    call!(cuDevicePrimaryCtxRetain(&raw mut context, device().as_raw()));
    call!(cuCtxSetCurrent(context));
    context
}

fn all() -> CUdevResource {
    let mut resource = CUdevResource::default();
    call!(cuDeviceGetDevResource(device().as_raw(), &raw mut resource, SM));
    resource
}

/// Parts of a split: the answer, how many there are, and the rest.
struct Parts {
    code: CUresult,
    groups: Vec<CUdevResource>,
    rest: CUdevResource,
}

fn try_split(input: &CUdevResource, least: u32, flags: u32, most: u32) -> Parts {
    let mut groups = vec![CUdevResource::default(); MOST];
    let (mut count, mut rest) = (most, CUdevResource::default());
    let to = groups.as_mut_ptr();
    let code = code!(cuDevSmResourceSplitByCount(to, &raw mut count, input, &raw mut rest, flags, least));
    groups.truncate(if code.is_success() { count as usize } else { 0 });
    Parts { code, groups, rest }
}

/// Parts of 16 multiprocessors.
fn split() -> Parts {
    try_split(&all(), 16, 0, 3)
}

fn sm(resource: &CUdevResource) -> CUdevSmResource {
    // SAFETY: numbers, which may have any value.
    unsafe { resource.__bindgen_anon_1.sm }
}

fn shown(resource: &CUdevResource) -> String {
    let sm = sm(resource);
    let (least, alignment) = (sm.minSmPartitionSize, sm.smCoscheduledAlignment);
    format!("{}/{}/{least}/{alignment}", resource.type_.0, sm.smCount)
}

fn describe(resources: &[CUdevResource]) -> (CUresult, CUdevResourceDesc) {
    let (mut list, mut description) = (resources.to_vec(), null_mut());
    let count = list.len() as u32;
    (code!(cuDevResourceGenerateDesc(&raw mut description, list.as_mut_ptr(), count)), description)
}

fn create(description: CUdevResourceDesc, flags: u32) -> (CUresult, CUgreenCtx) {
    let mut green = null_mut();
    (code!(cuGreenCtxCreate(&raw mut green, description, device().as_raw(), flags)), green)
}

fn green_of(resources: &[CUdevResource]) -> CUgreenCtx {
    create(describe(resources).1, 1).1
}

/// A green context of 16 multiprocessors.
fn green() -> CUgreenCtx {
    green_of(&split().groups[..1])
}

fn destroy(green: CUgreenCtx) -> CUresult {
    code!(cuGreenCtxDestroy(green))
}

fn own(green: CUgreenCtx) -> CUdevResource {
    let mut resource = CUdevResource::default();
    call!(cuGreenCtxGetDevResource(green, &raw mut resource, SM));
    resource
}

fn context_of(green: CUgreenCtx) -> CUcontext {
    let mut context = null_mut();
    call!(cuCtxFromGreenCtx(&raw mut context, green));
    context
}

fn try_stream(green: CUgreenCtx, flags: u32, priority: i32) -> (CUresult, CUstream) {
    let mut stream = null_mut();
    (code!(cuGreenCtxStreamCreate(&raw mut stream, green, flags, priority)), stream)
}

fn stream_of(green: CUgreenCtx) -> CUstream {
    try_stream(green, 1, 0).1
}

fn event() -> CUevent {
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    event
}

fn is_active() -> bool {
    let (mut flags, mut active) = (0, 0);
    call!(cuDevicePrimaryCtxGetState(device().as_raw(), &raw mut flags, &raw mut active));
    active != 0
}

fn release() -> CUresult {
    code!(cuDevicePrimaryCtxRelease_v2(device().as_raw()))
}

fn push(context: CUcontext) -> CUresult {
    code!(cuCtxPushCurrent_v2(context))
}

fn pop() -> CUresult {
    code!(cuCtxPopCurrent_v2(&mut null_mut()))
}

/// With a green context current.
fn inside<R>(green: CUgreenCtx, work: impl FnOnce() -> R) -> R {
    assert!(push(context_of(green)).is_success());
    let result = work();
    assert!(pop().is_success());
    result
}

fn resource_types(answers: &mut Answers) {
    let primary = primary();
    let green = green();
    let mut to = CUdevResource::default();
    for kind in [0, 1, 2, 1000, 10000].map(CUdevResourceType) {
        answers.codes([
            code!(cuDeviceGetDevResource(device().as_raw(), &raw mut to, kind)),
            code!(cuCtxGetDevResource(primary, &raw mut to, kind)),
            code!(cuGreenCtxGetDevResource(green, &raw mut to, kind)),
        ]);
    }
}

fn resource_arguments(answers: &mut Answers) {
    initialised();
    let mut to = CUdevResource::default();
    answers.codes([
        code!(cuDeviceGetDevResource(99, &raw mut to, SM)),
        code!(cuDeviceGetDevResource(-1, &raw mut to, SM)),
        code!(cuDeviceGetDevResource(device().as_raw(), null_mut(), SM)),
        code!(cuCtxGetDevResource(null_mut(), &raw mut to, SM)),
    ]);
    let primary = primary();
    let green = green();
    answers.codes([
        code!(cuCtxGetDevResource(null_mut(), &raw mut to, SM)),
        code!(cuCtxGetDevResource(primary, null_mut(), SM)),
        code!(cuCtxGetDevResource(green.cast(), &raw mut to, SM)),
        code!(cuGreenCtxGetDevResource(null_mut(), &raw mut to, SM)),
        code!(cuGreenCtxGetDevResource(primary.cast(), &raw mut to, SM)),
        code!(cuGreenCtxGetDevResource(green, null_mut(), SM)),
    ]);
    let null = inside(green, || code!(cuCtxGetDevResource(null_mut(), &raw mut to, SM)));
    answers.codes([null, code!(cuCtxGetDevResource(context_of(green), &raw mut to, SM))]);
}

fn resource_values(answers: &mut Answers) {
    primary();
    let parts = split();
    let pairs = try_split(&all(), 2, 1, 1);
    let mut of_context = CUdevResource::default();
    call!(cuCtxGetDevResource(current(), &raw mut of_context, SM));
    for resource in [all(), of_context, parts.groups[0], parts.rest, pairs.groups[0]] {
        answers.value(shown(&resource));
    }
    let lists: [&[CUdevResource]; 5] = [
        &parts.groups[..1],
        &parts.groups[..2],
        &[parts.rest],
        &pairs.groups,
        &[parts.groups[0], parts.rest],
    ];
    for list in lists {
        answers.value(shown(&own(green_of(list))));
    }
}

/// Splits into groups of each least size. Answers with the number of groups, their size, and the rest.
fn split_into(answers: &mut Answers, flags: u32, sizes: &[u32]) {
    initialised();
    for least in sizes {
        let parts = try_split(&all(), *least, flags, MOST as u32);
        let (mut possible, null) = (0, null_mut());
        let asked = code!(cuDevSmResourceSplitByCount(null, &raw mut possible, &all(), null, flags, *least));
        let (count, rest) = (parts.groups.len(), sm(&parts.rest).smCount);
        let size = parts.groups.first().map_or(0, |group| sm(group).smCount);
        let same = possible as usize == count;
        answers.value(format_args!("{}.{}.{same}/{count}x{size}+{rest}", asked.0, parts.code.0));
    }
}

fn split_counts(answers: &mut Answers) {
    split_into(answers, 0, &[0, 1, 8, 9, 16, 17, 24, 32, 44, 64, 66, 100, 130, 132, 133]);
}

fn split_pairs(answers: &mut Answers) {
    split_into(answers, 1, &[0, 1, 2, 3, 7, 9, 16, 18, 20, 44, 66, 67, 131, 133]);
}

fn split_arguments(answers: &mut Answers) {
    initialised();
    let (all, none) = (all(), CUdevResource::default());
    let (mut groups, mut rest, mut count) = ([none; 8], none, 2);
    let to = groups.as_mut_ptr();
    let (rest, count) = (&raw mut rest, &raw mut count);
    answers.codes([
        code!(cuDevSmResourceSplitByCount(to, count, &raw const all, null_mut(), 0, 16)),
        code!(cuDevSmResourceSplitByCount(to, null_mut(), &raw const all, rest, 0, 16)),
        code!(cuDevSmResourceSplitByCount(to, count, null(), rest, 0, 16)),
        code!(cuDevSmResourceSplitByCount(to, count, &raw const none, rest, 0, 16)),
    ]);
    let queues = CUdevResource { type_: CUdevResourceType(1000), ..all };
    let mut changed = all;
    changed.__bindgen_anon_1.sm = CUdevSmResource { smCount: 16, ..sm(&all) };
    answers.codes([
        code!(cuDevSmResourceSplitByCount(to, count, &raw const queues, rest, 0, 16)),
        code!(cuDevSmResourceSplitByCount(to, count, &raw const changed, rest, 0, 8)),
    ]);
    for (flags, most) in [(0, 0), (3, 2), (4, 2)] {
        answers.code(try_split(&all, 16, flags, most).code);
    }
}

fn split_parts(answers: &mut Answers) {
    primary();
    let parts = split();
    let green = green_of(&parts.groups[..1]);
    let mut of_context = CUdevResource::default();
    call!(cuCtxGetDevResource(current(), &raw mut of_context, SM));
    for input in [parts.groups[0], parts.rest, own(green), of_context] {
        let again = try_split(&input, 8, 0, 2);
        answers.given(again.code, again.groups.len());
    }
    // It is split again when its green context is gone.
    let resource = own(green);
    answers.code(destroy(green));
    let again = try_split(&resource, 8, 0, 2);
    answers.given(again.code, again.groups.len());
    answers.value(shown(&own(green_of(&again.groups[1..]))));
}

fn description(answers: &mut Answers) {
    initialised();
    let (all, parts) = (all(), split());
    let other = split();
    let none = CUdevResource::default();
    let queues = CUdevResource { type_: CUdevResourceType(1000), ..none };
    let mut changed = parts.groups[0];
    changed.__bindgen_anon_1.sm = CUdevSmResource { smCount: 4, ..sm(&changed) };
    let lists: [&[CUdevResource]; 10] = [
        &[all],
        &parts.groups[..1],
        &parts.groups[..2],
        &[parts.groups[0], parts.rest],
        &[parts.groups[0], other.groups[1]],
        &[all, parts.groups[0]],
        &[none],
        &[queues],
        &[queues, parts.groups[0]],
        &[changed],
    ];
    for list in lists {
        answers.code(describe(list).0);
    }
    let (mut to, mut one) = (null_mut(), parts.groups[0]);
    answers.codes([
        code!(cuDevResourceGenerateDesc(null_mut(), &raw mut one, 1)),
        code!(cuDevResourceGenerateDesc(&raw mut to, null_mut(), 1)),
    ]);
    answers.value(describe(&[one]).1 == describe(&[one]).1);
}

fn create_arguments(answers: &mut Answers) {
    primary();
    let description = describe(&split().groups[..1]).1;
    for flags in 0..5 {
        answers.code(create(description, flags).0);
    }
    let mut to = null_mut();
    answers.codes([
        code!(cuGreenCtxCreate(&raw mut to, description, 99, 1)),
        code!(cuGreenCtxCreate(null_mut(), description, device().as_raw(), 1)),
    ]);
    let (code, whole) = create(null_mut(), 1);
    answers.code(code);
    answers.value(sm(&own(whole)).smCount == sm(&all()).smCount);
    answers.value(create(description, 1).1 != create(description, 1).1);
}

fn primary_state(answers: &mut Answers) {
    initialised();
    answers.value(is_active());
    let first = green();
    answers.value(is_active());
    answers.code(destroy(first));
    answers.value(is_active());
    primary();
    let second = green();
    answers.code(release());
    answers.value(is_active());
    answers.code(destroy(second));
    answers.value(is_active());
    answers.code(release());
}

fn primary_refused(answers: &mut Answers) {
    initialised();
    let green = green();
    answers.codes([
        release(),
        code!(cuDevicePrimaryCtxReset_v2(device().as_raw())),
        code!(cuDevicePrimaryCtxSetFlags_v2(device().as_raw(), 4)),
    ]);
    answers.value(is_active());
    answers.code(code!(cuStreamSynchronize(stream_of(green))));
}

fn as_context(answers: &mut Answers) {
    let primary = primary();
    let (green, event) = (green(), event());
    let early: CUcontext = green.cast();
    answers.codes([
        push(early),
        code!(cuCtxSetCurrent(early)),
        code!(cuCtxGetId(early, &mut 0)),
        code!(cuCtxRecordEvent(early, event)),
        code!(cuCtxWaitEvent(early, event)),
        code!(cuCtxSynchronize_v2(early)),
    ]);
    let mut context = null_mut();
    answers.codes([
        code!(cuCtxFromGreenCtx(null_mut(), green)),
        code!(cuCtxFromGreenCtx(&raw mut context, null_mut())),
        code!(cuCtxFromGreenCtx(&raw mut context, primary.cast())),
        code!(cuCtxFromGreenCtx(&raw mut context, green)),
    ]);
    answers.value(context == early);
    answers.value(context_of(green) == context);
    answers.codes([
        code!(cuCtxRecordEvent(context, event)),
        code!(cuCtxWaitEvent(context, event)),
        push(context),
        pop(),
        code!(cuCtxDestroy_v2(context)),
        destroy(green),
    ]);
}

fn ids(answers: &mut Answers) {
    initialised();
    answers.code(code!(cuGreenCtxGetId(null_mut(), &mut 0)));
    let primary = primary();
    let green = green();
    let context = context_of(green);
    answers.codes([
        code!(cuGreenCtxGetId(null_mut(), &mut 0)),
        code!(cuGreenCtxGetId(primary.cast(), &mut 0)),
        code!(cuGreenCtxGetId(green, null_mut())),
    ]);
    let [mut own, mut as_context, mut of_primary, mut of_null, mut null_as_context] = [0; 5];
    call!(cuGreenCtxGetId(green, &raw mut own));
    call!(cuCtxGetId(context, &raw mut as_context));
    call!(cuCtxGetId(primary, &raw mut of_primary));
    inside(green, || {
        answers.codes([
            code!(cuGreenCtxGetId(null_mut(), &raw mut of_null)),
            code!(cuCtxGetId(null_mut(), &raw mut null_as_context)),
        ]);
    });
    answers.value(own == as_context && own == of_null && own == null_as_context);
    answers.value(own != of_primary);
}

fn streams(answers: &mut Answers) {
    let primary = primary();
    let green = green();
    for flags in 0..4 {
        answers.code(try_stream(green, flags, 0).0);
    }
    for priority in [-100, -1, 0, 100] {
        let mut given = 77;
        let (code, stream) = try_stream(green, 1, priority);
        call!(cuStreamGetPriority(stream, &raw mut given));
        answers.given(code, given);
    }
    answers.codes([
        try_stream(null_mut(), 1, 0).0,
        try_stream(primary.cast(), 1, 0).0,
        code!(cuGreenCtxStreamCreate(null_mut(), green, 1, 0)),
        code!(cuStreamDestroy_v2(stream_of(green))),
    ]);
}

/// The contexts, the flags and the priority of a stream.
fn facts(on: CUstream, green: CUgreenCtx, primary: CUcontext) -> String {
    let (mut context, mut again, mut its, mut same) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut flags, mut priority) = (77, 77);
    let codes = [
        code!(cuStreamGetCtx(on, &raw mut context)),
        code!(cuStreamGetCtx_v2(on, &raw mut again, &raw mut its)),
        code!(cuStreamGetGreenCtx(on, &raw mut same)),
        code!(cuStreamGetFlags(on, &raw mut flags)),
        code!(cuStreamGetPriority(on, &raw mut priority)),
        code!(cuStreamGetId(on, &mut 0)),
        code!(cuStreamSynchronize(on)),
    ];
    let codes = codes.map(|code| code.0.to_string()).join(".");
    let name = |context: CUcontext| match context {
        context if context.is_null() => "null",
        context if context == primary => "primary",
        context if context == green.cast() => "green",
        _ => "else",
    };
    format!(
        "{codes}/{}/{}/{}/{}/{flags}/{priority}",
        name(context),
        name(again),
        name(its.cast()),
        its == same
    )
}

fn stream_owners(answers: &mut Answers) {
    let primary = primary();
    let (green, plain) = (green(), stream(1));
    let on = stream_of(green);
    let mut made = null_mut();
    answers.value(facts(on, green, primary));
    inside(green, || {
        answers.value(facts(on, green, primary));
        answers.value(facts(plain, green, primary));
        answers.code(code!(cuStreamCreate(&raw mut made, 0)));
    });
    answers.value(facts(made, green, primary));
    call!(cuCtxSetCurrent(null_mut()));
    answers.value(facts(on, green, primary));
}

fn default_streams(answers: &mut Answers) {
    let primary = primary();
    let green = green();
    for on in [null_mut(), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD] {
        answers.value(inside(green, || facts(on, green, primary)));
    }
    answers.value(facts(null_mut(), green, primary));
}

fn stream_attributes(answers: &mut Answers) {
    primary();
    let (green, other, plain) = (green(), green(), stream(1));
    let [first, second, third] = [green, green, other].map(stream_of);
    for (to, from) in [(first, second), (first, third), (first, plain), (plain, first)] {
        answers.code(code!(cuStreamCopyAttributes(to, from)));
    }
}

/// Work of several kinds on a stream.
fn work(answers: &mut Answers, on: CUstream, kernel: CUfunction, (to, from): (u64, u64)) {
    let (mut address, mut word) = (0, 5_u32);
    answers.codes([
        try_launch(kernel, 1, on, &[to, from]),
        code!(cuMemcpyHtoDAsync_v2(to, (&raw mut word).cast(), 4, on)),
        code!(cuMemsetD32Async(to, 3, 1, on)),
        code!(cuMemAllocAsync(&raw mut address, 64, on)),
        code!(cuMemFreeAsync(address, on)),
        code!(cuStreamSynchronize(on)),
        code!(cuStreamQuery(on)),
    ]);
}

fn calls(answers: &mut Answers) {
    primary();
    let (green, plain) = (green(), stream(1));
    let (on, kernel, words) = (stream_of(green), function(PTX, c"copy"), (allocate(4), allocate(4)));
    work(answers, on, kernel, words);
    inside(green, || {
        work(answers, on, kernel, words);
        work(answers, plain, kernel, words);
        work(answers, null_mut(), kernel, words);
        answers.codes([
            try_launch(kernel, 1, CU_STREAM_PER_THREAD, &[words.0, words.1]),
            code!(cuStreamIsCapturing(CU_STREAM_PER_THREAD, &mut CUstreamCaptureStatus_enum(0))),
        ]);
    });
    call!(cuCtxSetCurrent(null_mut()));
    work(answers, on, kernel, words);
}

fn objects(answers: &mut Answers) {
    let primary = primary();
    let green = green();
    let (mut owner, mut device, mut flags, mut version, mut stack) = (null_mut::<CUctx_st>(), 77, 77, 0, 0);
    let kernel = function(PTX, c"copy");
    inside(green, || {
        let address = allocate(64);
        let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_CONTEXT;
        answers.code(code!(cuPointerGetAttribute((&raw mut owner).cast(), attribute, address)));
        answers.value(owner == primary);
        answers.codes([
            code!(cuCtxGetDevice(&raw mut device)),
            code!(cuCtxGetFlags(&raw mut flags)),
            code!(cuCtxGetApiVersion(current(), &raw mut version)),
        ]);
        answers.value(format_args!("{device}/{flags}/{version}"));
        let mut affinity = CUexecAffinityParam::default();
        answers.code(code!(cuCtxGetExecAffinity(
            &raw mut affinity,
            CUexecAffinityType_enum::CU_EXEC_AFFINITY_TYPE_SM_COUNT
        )));
        answers.codes([
            code!(cuCtxSetFlags(4)),
            code!(cuCtxSetLimit(CUlimit_enum::CU_LIMIT_STACK_SIZE, 2048)),
            code!(cuEventCreate(&mut null_mut(), 0)),
            code!(cuFuncGetAttribute(&mut 0, CUfunction_attribute(0), kernel)),
        ]);
    });
    call!(cuCtxGetFlags(&raw mut flags));
    call!(cuCtxGetLimit(&raw mut stack, CUlimit_enum::CU_LIMIT_STACK_SIZE));
    answers.value(format_args!("{flags}/{stack}"));
}

/// The multiprocessors that a kernel runs on, by their numbers, and the number of multiprocessors that it reads.
fn used(kernel: CUfunction, on: CUstream) -> (Vec<usize>, u32) {
    let (words, count) = (allocate(4 * MOST), allocate(4));
    call!(cuMemsetD32_v2(words, 0, MOST));
    let params = [words, count];
    let mut places = [(&raw const params[0]).cast_mut().cast(), (&raw const params[1]).cast_mut().cast()];
    call!(cuLaunchKernel(kernel, 2048, 1, 1, 1024, 1, 1, 0, on, places.as_mut_ptr(), null_mut()));
    call!(cuStreamSynchronize(on));
    let (mut seen, mut told) = (vec![0_u32; MOST], 0_u32);
    call!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), words, 4 * MOST));
    call!(cuMemcpyDtoH_v2((&raw mut told).cast(), count, 4));
    ((0..MOST).filter(|number| seen[*number] != 0).collect(), told)
}

fn multiprocessors(answers: &mut Answers) {
    primary();
    let (parts, kernel, plain) = (split(), function(REPORT, c"report"), stream(1));
    let [first, second] = [0, 1].map(|index: usize| green_of(&parts.groups[index..=index]));
    let rest = green_of(&[parts.rest]);
    let [of_first, of_second, of_rest] = [first, second, rest].map(|green| used(kernel, stream_of(green)).0);
    answers.value(format_args!("{}/{}/{}", of_first.len(), of_second.len(), of_rest.len()));
    answers.value(of_first.iter().all(|number| !of_second.contains(number) && !of_rest.contains(number)));
    let told = used(kernel, stream_of(first)).1 == sm(&all()).smCount;
    answers.value(told && used(kernel, plain).0.len() as u32 == sm(&all()).smCount);
    inside(first, || {
        answers.value(used(kernel, null_mut()).0 == of_first);
        answers.value(used(kernel, plain).0.len() as u32 == sm(&all()).smCount);
        let mut made = null_mut();
        call!(cuStreamCreate(&raw mut made, 1));
        answers.value(used(kernel, made).0 == of_first);
    });
}

fn occupancy(answers: &mut Answers) {
    primary();
    let (green, kernel) = (green(), function(PTX, c"copy"));
    let grid = || {
        let (mut grid, mut block) = (0, 0);
        call!(cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, kernel, None, 0, 0));
        grid
    };
    let (of_green, of_all) = (inside(green, grid), grid());
    answers.value(format_args!("{of_green}/{of_all}"));
    let size = CUlaunchAttribute {
        id: CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        pad: [0; 4],
        value: CUlaunchAttributeValue {
            clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1 { x: 2, y: 1, z: 1 },
        },
    };
    let clusters = |on: CUstream| {
        let (mut size, mut count) = (size, 0);
        let config = CUlaunchConfig {
            gridDimX: 1024,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1024,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: on,
            attrs: &raw mut size,
            numAttrs: 1,
        };
        call!(cuOccupancyMaxActiveClusters(&raw mut count, kernel, &raw const config));
        count
    };
    let of_stream = clusters(stream_of(green));
    answers.value(format_args!("{of_stream}/{}", inside(green, || clusters(null_mut()))));
    answers.value(clusters(stream(1)));
}

fn cooperative(answers: &mut Answers) {
    primary();
    let (green, kernel, plain) = (green(), function(PTX, c"copy"), stream(1));
    let (on, words, mut per_unit) = (stream_of(green), [allocate(4), allocate(4)], 0);
    call!(cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut per_unit, kernel, 1024, 0));
    let launch = |blocks: u32, on| {
        let mut places = [(&raw const words[0]).cast_mut().cast(), (&raw const words[1]).cast_mut().cast()];
        code!(cuLaunchCooperativeKernel(kernel, blocks, 1, 1, 1024, 1, 1, 0, on, places.as_mut_ptr()))
    };
    let most = 16 * per_unit.unsigned_abs();
    answers.codes([launch(most, on), launch(most + 1, on), launch(most + 1, plain)]);
}

fn events(answers: &mut Answers) {
    primary();
    let (green, own) = (green(), event());
    let mut other = null_mut();
    call!(cuCtxCreate_v2(&raw mut other, 0, device().as_raw()));
    let foreign = event();
    answers.codes([
        code!(cuGreenCtxRecordEvent(green, own)),
        code!(cuGreenCtxWaitEvent(green, own)),
        code!(cuGreenCtxRecordEvent(green, foreign)),
        code!(cuGreenCtxWaitEvent(green, foreign)),
        code!(cuGreenCtxRecordEvent(null_mut(), own)),
        code!(cuGreenCtxWaitEvent(null_mut(), own)),
        code!(cuGreenCtxRecordEvent(green, null_mut())),
        code!(cuGreenCtxWaitEvent(green, null_mut())),
        code!(cuEventRecord(own, stream_of(green))),
        code!(cuEventRecord(foreign, stream_of(green))),
    ]);
}

/// The context that is current has to be the primary one.
fn waits(answers: &mut Answers) {
    let primary = primary();
    let (first, second) = (green(), green());
    let on = stream_of(first);
    let (of_first, of_second, of_primary) = (event(), event(), event());
    while_running_on(answers, on, || code!(cuMemFree_v2(allocate(4))));
    while_running_on(answers, on, || inside(second, || code!(cuMemFree_v2(allocate(4)))));
    while_running_on(answers, on, || code!(cuCtxSynchronize()));
    while_running_on(answers, on, || inside(first, || code!(cuCtxSynchronize())));
    while_running_on(answers, on, || inside(second, || code!(cuCtxSynchronize())));
    while_running_on(answers, on, || {
        call!(cuGreenCtxRecordEvent(first, of_first));
        code!(cuEventSynchronize(of_first))
    });
    while_running_on(answers, on, || {
        call!(cuGreenCtxRecordEvent(second, of_second));
        code!(cuEventSynchronize(of_second))
    });
    while_running_on(answers, on, || {
        call!(cuCtxRecordEvent(primary, of_primary));
        code!(cuEventSynchronize(of_primary))
    });
    while_running_on(answers, on, || {
        call!(cuEventRecord(of_first, on));
        call!(cuGreenCtxWaitEvent(second, of_first));
        code!(cuStreamSynchronize(stream_of(first)))
    });
    while_running_on(answers, on, || {
        call!(cuEventRecord(of_first, on));
        call!(cuGreenCtxWaitEvent(second, of_first));
        call!(cuEventRecord(of_second, stream_of(second)));
        code!(cuEventSynchronize(of_second))
    });
    while_running_on(answers, on, || {
        call!(cuEventRecord(of_first, on));
        call!(cuCtxWaitEvent(primary, of_first));
        call!(cuEventRecord(of_second, stream_of(second)));
        code!(cuEventSynchronize(of_second))
    });
    let plain = stream(1);
    while_running_on(answers, plain, || inside(first, || code!(cuCtxSynchronize())));
}

fn destroy_waits(answers: &mut Answers) {
    primary();
    let (first, second, third) = (green(), green(), green());
    let (event, words) = (event(), allocate(4));
    let on = stream_of(first);
    while_running_on(answers, on, || destroy(first));
    let on = stream_of(second);
    while_running_on(answers, on, || {
        call!(cuEventRecord(event, on));
        call!(cuGreenCtxDestroy(second));
        code!(cuEventSynchronize(event))
    });
    let on = stream_of(third);
    while_running_on(answers, on, || {
        call!(cuStreamDestroy_v2(on));
        call!(cuGreenCtxDestroy(third));
        code!(cuMemFree_v2(words))
    });
}

/// While a stream of a green context captures in the global mode: an answer, and what ending the capture gives.
fn capturing(answers: &mut Answers, green: CUgreenCtx, call: impl FnOnce(CUstream) -> CUresult) {
    let (on, mut graph) = (stream_of(green), null_mut());
    call!(cuStreamBeginCapture_v2(on, CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL));
    answers.codes([call(on), code!(cuStreamEndCapture(on, &raw mut graph))]);
}

fn capture_refusals(answers: &mut Answers) {
    let primary = primary();
    let (green, other, event) = (green(), green(), event());
    capturing(answers, green, |_| code!(cuGreenCtxRecordEvent(green, event)));
    capturing(answers, green, |_| code!(cuGreenCtxRecordEvent(other, event)));
    capturing(answers, green, |_| code!(cuGreenCtxWaitEvent(green, event)));
    capturing(answers, green, |_| code!(cuCtxRecordEvent(context_of(green), event)));
    capturing(answers, green, |_| code!(cuCtxRecordEvent(primary, event)));
    capturing(answers, green, |_| code!(cuCtxWaitEvent(primary, event)));
    capturing(answers, green, |_| code!(cuCtxSynchronize()));
    capturing(answers, green, |_| inside(green, || code!(cuCtxSynchronize())));
    capturing(answers, green, |_| inside(other, || code!(cuCtxSynchronize())));
    capturing(answers, green, |on| {
        call!(cuEventRecord(event, on));
        code!(cuGreenCtxWaitEvent(other, event))
    });
    let (plain, mut graph) = (stream(1), null_mut());
    call!(cuStreamBeginCapture_v2(plain, CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL));
    let event = self::event();
    answers.codes([
        code!(cuGreenCtxRecordEvent(green, event)),
        code!(cuGreenCtxWaitEvent(green, event)),
        code!(cuStreamEndCapture(plain, &raw mut graph)),
    ]);
}

fn capture_allowed(answers: &mut Answers) {
    let primary = primary();
    let (green, other, parts) = (green(), green(), split());
    let description = describe(&parts.groups[..1]).1;
    let mut to = CUdevResource::default();
    let mut made = null_mut();
    capturing(answers, green, |_| code!(cuDeviceGetDevResource(device().as_raw(), &raw mut to, SM)));
    capturing(answers, green, |_| code!(cuCtxGetDevResource(primary, &raw mut to, SM)));
    capturing(answers, green, |_| code!(cuGreenCtxGetDevResource(green, &raw mut to, SM)));
    capturing(answers, green, |_| split().code);
    capturing(answers, green, |_| describe(&parts.groups[..1]).0);
    capturing(answers, green, |_| {
        let (code, green) = create(description, 1);
        made = green;
        code
    });
    capturing(answers, green, |_| destroy(made));
    capturing(answers, green, |_| try_stream(other, 1, 0).0);
    capturing(answers, green, |_| code!(cuCtxFromGreenCtx(&mut null_mut(), other)));
    capturing(answers, green, |_| code!(cuGreenCtxGetId(other, &mut 0)));
    capturing(answers, green, |on| code!(cuStreamGetGreenCtx(on, &mut null_mut())));
}

fn capture_destroyed(answers: &mut Answers) {
    primary();
    let green = green();
    capturing(answers, green, |on| {
        call!(cuGreenCtxDestroy(green));
        code!(cuStreamIsCapturing(on, &mut CUstreamCaptureStatus_enum(0)))
    });
}

fn graph(answers: &mut Answers) {
    let primary = primary();
    let (parts, kernel, plain) = (split(), function(REPORT, c"report"), stream(1));
    let [first, second] = [0, 1].map(|index: usize| green_of(&parts.groups[index..=index]));
    let (words, count) = (allocate(4 * MOST), allocate(4));
    let params = [words, count];
    let mut places = [(&raw const params[0]).cast_mut().cast(), (&raw const params[1]).cast_mut().cast()];
    let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
    let mut capture = |on: CUstream| {
        let (mut graph, mut executable, mut node) = (null_mut(), null_mut(), null_mut());
        call!(cuStreamBeginCapture_v2(on, mode));
        call!(cuLaunchKernel(kernel, 2048, 1, 1, 1024, 1, 1, 0, on, places.as_mut_ptr(), null_mut()));
        call!(cuStreamEndCapture(on, &raw mut graph));
        call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        call!(cuGraphGetNodes(graph, &raw mut node, &mut 1));
        let mut params = CUDA_KERNEL_NODE_PARAMS::default();
        call!(cuGraphKernelNodeGetParams_v2(node, &raw mut params));
        (executable, params.ctx)
    };
    let seen = |executable: CUgraphExec, on: CUstream| {
        call!(cuMemsetD32_v2(words, 0, MOST));
        call!(cuGraphLaunch(executable, on));
        call!(cuStreamSynchronize(on));
        let mut seen = vec![0_u32; MOST];
        call!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), words, 4 * MOST));
        seen.iter().filter(|word| **word != 0).count()
    };
    let (of_first, its) = capture(stream_of(first));
    answers.value(its == first.cast());
    answers.value(format_args!("{}/{}", seen(of_first, plain), seen(of_first, stream_of(second))));
    let (of_plain, its) = capture(plain);
    answers.value(its == primary);
    let on = stream_of(second);
    answers.value(seen(of_plain, on) as u32 == sm(&all()).smCount);
    // The stream and the green context of a launch may end before the executable.
    answers.codes([code!(cuStreamDestroy_v2(on)), destroy(second)]);
    answers.value(seen(of_plain, plain) as u32 == sm(&all()).smCount);
    answers.code(code!(cuGraphExecDestroy(of_plain)));
}

fn stale_stream(answers: &mut Answers) {
    primary();
    let (green, event, kernel) = (green(), event(), function(PTX, c"copy"));
    let (on, words, mut address) = (stream_of(green), [allocate(4), allocate(4)], 0);
    call!(cuMemAllocAsync(&raw mut address, 64, on));
    call!(cuEventRecord(event, on));
    call!(cuGreenCtxDestroy(green));
    answers.codes([
        code!(cuStreamSynchronize(on)),
        code!(cuStreamQuery(on)),
        try_launch(kernel, 1, on, &words),
        code!(cuEventRecord(event, on)),
        code!(cuStreamWaitEvent(on, event, 0)),
        code!(cuMemAllocAsync(&mut 0, 64, on)),
        code!(cuMemFreeAsync(address, on)),
        code!(cuStreamIsCapturing(on, &mut CUstreamCaptureStatus_enum(0))),
        code!(cuStreamGetCtx(on, &mut null_mut())),
        code!(cuStreamGetCtx_v2(on, &mut null_mut(), &mut null_mut())),
        code!(cuStreamGetGreenCtx(on, &mut null_mut())),
        code!(cuStreamDestroy_v2(on)),
        code!(cuEventSynchronize(event)),
        code!(cuEventQuery(event)),
        code!(cuMemFreeAsync(address, stream(1))),
    ]);
}

/// One call each, since the driver crashes in some.
fn destroyed(answers: &mut Answers, call: u32) {
    let primary = primary();
    let (green, event) = (green(), event());
    let context = context_of(green);
    let mut to = CUdevResource::default();
    answers.code(destroy(green));
    answers.code(match call {
        0 => destroy(null_mut()),
        1 => destroy(primary.cast()),
        2 => destroy(green),
        3 => code!(cuGreenCtxRecordEvent(green, event)),
        4 => code!(cuGreenCtxWaitEvent(green, event)),
        5 => try_stream(green, 1, 0).0,
        6 => code!(cuGreenCtxGetDevResource(green, &raw mut to, SM)),
        7 => code!(cuCtxGetDevResource(context, &raw mut to, SM)),
        8 => code!(cuGreenCtxGetId(green, &mut 0)),
        9 => code!(cuCtxGetId(context, &mut 0)),
        _ => code!(cuCtxFromGreenCtx(&mut null_mut(), green)),
    });
}

fn stale_current(answers: &mut Answers) {
    let primary = primary();
    let (green, event, plain, kernel) = (green(), event(), stream(1), function(PTX, c"copy"));
    let (words, mut address, mut device) = ([allocate(4), allocate(4)], 0, 77);
    call!(cuMemAllocAsync(&raw mut address, 64, plain));
    assert!(push(context_of(green)).is_success());
    answers.code(destroy(green));
    answers.value(current() == green.cast());
    answers.codes([
        code!(cuCtxGetDevice(&raw mut device)),
        code!(cuCtxGetId(null_mut(), &mut 0)),
        code!(cuStreamCreate(&mut null_mut(), 1)),
        code!(cuMemAlloc_v2(&mut 0, 64)),
        code!(cuEventCreate(&mut null_mut(), 0)),
        code!(cuCtxSynchronize()),
        code!(cuStreamSynchronize(null_mut())),
        try_launch(kernel, 1, plain, &words),
        code!(cuEventRecord(event, plain)),
        code!(cuStreamWaitEvent(plain, event, 0)),
        code!(cuStreamSynchronize(plain)),
        code!(cuMemFreeAsync(address, plain)),
        code!(cuEventDestroy_v2(event)),
        push(primary),
        code!(cuCtxSynchronize()),
        pop(),
        pop(),
    ]);
    answers.value(device == self::device().as_raw() && current() == primary);
}
