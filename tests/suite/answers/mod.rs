//! The driver's answers about contexts, peer access and memory, question by question: the rows of
//! `conformance/answers.tsv`, asked of whichever driver this runs on, in processes of their own.

mod advice;
mod array_memory;
mod asking;
mod capture_records;
mod capture_refusals;
mod captures;
mod checkpoint;
mod contexts;
mod copies;
mod coredump;
mod dma_bufs;
mod error_log;
mod external;
mod graph_conditionals;
mod graph_edges;
mod graph_executables;
mod graph_loops;
mod graph_memory;
mod graph_nodes;
mod graph_scenes;
mod graph_updates;
mod graphics;
mod green;
mod host_functions;
mod image_arrays;
mod images;
mod ipc;
mod launches;
mod located_pools;
mod managed;
mod memory;
mod memory_operations;
mod multicast;
mod node_params;
mod peers;
mod pool_places;
mod pools;
mod reach;
mod stream_attributes;
mod tensor_maps;
mod texture_objects;
mod texture_references;
mod user_objects;
mod virtual_access;
mod virtual_handles;
mod virtual_memory;

use core::fmt::Display;
use cuda_suite::raw::{function, page_locked, stream, try_launch};
use cuda_suite::{Choice, call, code, device, driver, host_page, note_skip, second_device, skip};
use cuda_sys::{
    CUdevice, CUdeviceptr, CUmemAccess_flags, CUmemAccess_flags_enum, CUmemAccessDesc, CUmemLocation,
    CUmemLocation_st__bindgen_ty_1, CUmemLocationType_enum, CUmemoryPool, CUresult, CUstream,
    CUstreamCaptureMode_enum, cuCtxSynchronize, cuDeviceGetDefaultMemPool, cuInit, cuMemcpyDtoH_v2,
    cuMemsetD32_v2, cuStreamBeginCapture_v2, cuStreamEndCapture,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

/// A question, by the name that it has in the table.
struct Question {
    name: &'static str,
    /// The number of devices that it needs. Two devices must have peer access.
    devices: u32,
    ask: fn(&mut Answers),
}

/// The answers to a question: codes in the order of the calls, and other values after `=`.
#[derive(Default)]
struct Answers(Vec<String>);

impl Answers {
    /// Adds a code. Returns whether it is success.
    fn code(&mut self, code: CUresult) -> bool {
        self.0.push(code.0.to_string());
        code.is_success()
    }

    fn codes<const N: usize>(&mut self, codes: [CUresult; N]) {
        for code in codes {
            self.code(code);
        }
    }

    /// A call that prepares a question: it is no answer, unless it failed.
    fn must(&mut self, code: CUresult) {
        if !code.is_success() {
            self.0.push(format!("=setup/{}", code.0));
        }
    }

    fn value(&mut self, value: impl Display) {
        self.0.push(format!("={value}"));
    }

    /// Adds the code of a call, and its value if it succeeded.
    fn given(&mut self, code: CUresult, value: impl Display) {
        if self.code(code) {
            self.value(value);
        }
    }

    /// A word of memory, copied to the host.
    fn word(&mut self, address: CUdeviceptr) {
        let mut value = 0_u32;
        let code = code!(cuMemcpyDtoH_v2((&raw mut value).cast(), address, 4));
        self.given(code, value);
    }
}

const DONE: CUresult = CUresult::CUDA_SUCCESS;

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }
    .visible .entry late(.param .u64 go, .param .u64 to) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go]; ld.param.u64 %b, [to];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again;
        st.global.u32 [%b], %r; ret; }
    .visible .entry wrong() { .reg .b64 %a; mov.u64 %a, 16; st.global.u64 [%a], %a; ret; }";

fn initialised() {
    call!(cuInit(0));
}

/// Ends the process's use of the driver.
fn fault() {
    assert_eq!(try_launch(function(PTX, c"wrong"), 1, null_mut(), &[]), DONE);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn synchronize() -> CUresult {
    code!(cuCtxSynchronize())
}

fn fill(address: CUdeviceptr, value: u32) -> CUresult {
    code!(cuMemsetD32_v2(address, value, 1))
}

/// A kernel of the current context copies a word: launch, and wait.
fn kernel_copies(answers: &mut Answers, to: CUdeviceptr, from: CUdeviceptr) {
    answers.codes([try_launch(function(PTX, c"copy"), 1, null_mut(), &[to, from]), synchronize()]);
}

/// Returns a location from its kind and its number.
fn location(kind: u32, id: i32) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType_enum(kind),
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id },
    }
}

const DEVICE: u32 = 1;
const HOST: u32 = 2;
const NUMA_NODE: u32 = 3;
const NUMA_NODE_CURRENT: u32 = 4;

fn access(location: CUmemLocation, flags: CUmemAccess_flags) -> CUmemAccessDesc {
    CUmemAccessDesc { location, flags }
}

const READ_WRITE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
const READ: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READ;
const NONE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;

fn default_pool(device: CUdevice) -> CUmemoryPool {
    let mut pool = null_mut();
    call!(cuDeviceGetDefaultMemPool(&raw mut pool, device));
    pool
}

/// A call while a kernel runs on a stream: whether it waits for it, and its answer.
fn while_running_on(answers: &mut Answers, busy: CUstream, work: impl FnOnce() -> CUresult) {
    let (words, go) = page_locked(1);
    assert_eq!(try_launch(function(PTX, c"hold"), 1, busy, &[go]), DONE);
    let (returned, seen) = std::sync::mpsc::channel();
    let other = std::thread::spawn(move || {
        let early = seen.recv_timeout(asking::patience()).is_ok();
        words[0].store(1, Ordering::Release);
        early
    });
    let code = work();
    let _ = returned.send(());
    answers.value(if other.join().unwrap() { "returns" } else { "waits" });
    answers.codes([code, synchronize()]);
}

/// The same with a stream that is apart from all others.
fn while_running(answers: &mut Answers, work: impl FnOnce() -> CUresult) {
    while_running_on(answers, stream(1), work);
}

/// While this thread captures in the global mode: the answers, and what ending the capture gives.
fn capturing(answers: &mut Answers, work: impl FnOnce(&mut Answers)) {
    capturing_stream(answers, |answers, _| work(answers));
}

/// The same with the stream that is captured.
fn capturing_stream(answers: &mut Answers, work: impl FnOnce(&mut Answers, CUstream)) {
    let captured = stream(1);
    let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
    if !answers.code(code!(cuStreamBeginCapture_v2(captured, mode))) {
        return;
    }
    work(answers, captured);
    let mut graph = null_mut();
    answers.code(code!(cuStreamEndCapture(captured, &raw mut graph)));
}

fn questions() -> impl Iterator<Item = &'static Question> {
    let all = [
        contexts::QUESTIONS,
        peers::QUESTIONS,
        memory::QUESTIONS,
        copies::QUESTIONS,
        dma_bufs::QUESTIONS,
        managed::QUESTIONS,
        advice::QUESTIONS,
        pools::QUESTIONS,
        pool_places::QUESTIONS,
        located_pools::QUESTIONS,
        launches::QUESTIONS,
        virtual_memory::QUESTIONS,
        virtual_handles::QUESTIONS,
        multicast::QUESTIONS,
        virtual_access::QUESTIONS,
        ipc::QUESTIONS,
        reach::QUESTIONS,
        texture_objects::QUESTIONS,
        texture_references::QUESTIONS,
        image_arrays::QUESTIONS,
        array_memory::QUESTIONS,
        tensor_maps::QUESTIONS,
        checkpoint::QUESTIONS,
        coredump::QUESTIONS,
        error_log::QUESTIONS,
        host_functions::QUESTIONS,
        user_objects::QUESTIONS,
        stream_attributes::QUESTIONS,
        memory_operations::QUESTIONS,
        graph_conditionals::QUESTIONS,
        graph_loops::QUESTIONS,
        graph_memory::QUESTIONS,
        graph_updates::QUESTIONS,
        graph_executables::QUESTIONS,
        graph_edges::QUESTIONS,
        graph_nodes::QUESTIONS,
        node_params::QUESTIONS,
        external::QUESTIONS,
        graphics::QUESTIONS,
        green::QUESTIONS,
        capture_refusals::QUESTIONS,
        captures::QUESTIONS,
        capture_records::QUESTIONS,
    ];
    all.into_iter().flatten()
}

/// A line of the table.
struct Row {
    call: &'static str,
    situation: &'static str,
    documented: &'static str,
    hardware: &'static str,
    simulated: &'static str,
}

/// The table by the names of its rows, in its own order.
fn table() -> Vec<(&'static str, Row)> {
    let mut lines = include_str!("../../../conformance/answers.tsv").lines();
    assert_eq!(lines.next(), Some("name\tcall\tsituation\tdocumented\thardware\tcuda-sim"));
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, call, situation, documented, hardware, simulated] = cells[..] else {
            panic!("{} columns: {line}", cells.len())
        };
        (name, Row { call, situation, documented, hardware, simulated })
    };
    lines.map(row).collect()
}

/// A cell of the table for a device of this name: what is a device's own stands there by device. `None` if a value does
/// for other devices alone.
fn on_device(cell: &str, device: &str) -> Option<String> {
    let answer = |answer: &str| match answer.strip_prefix('=').filter(|values| values.contains(':')) {
        None => Some(answer.to_owned()),
        Some(values) => {
            let mut values = values.split('|').filter_map(|value| value.split_once(':'));
            values
                .find(|(known, _)| device.split(' ').any(|word| word == *known))
                .map(|(_, value)| format!("={value}"))
        }
    };
    Some(cell.split(' ').map(answer).collect::<Option<Vec<_>>>()?.join(" "))
}

/// Returns whether the machine's driver finds the library of OpenGL. If it does not, it answers 304 in place of 219.
fn has_opengl() -> bool {
    // SAFETY: its initialisers have no preconditions.
    unsafe { libloading::Library::new("libGL.so.1") }.is_ok()
}

/// Questions about pages of the host, which had 4 KiB where they were answered.
const PAGES_OF_4_KIB: [&str; 5] =
    ["dma-buf", "dma-buf-context", "dma-buf-memory", "managed-advise-page", "managed-prefetch"];

/// Asks a driver with these devices. Returns the answers that differ from the table, and how many questions were asked.
fn differences(
    on: Choice,
    devices: u32,
    device: &str,
    configuration: &str,
    questions: impl Iterator<Item = &'static Question>,
) -> (Vec<String>, usize) {
    let printing = std::env::var_os("ANSWERS").is_some();
    let only_new = std::env::var_os("ANSWERS").is_some_and(|which| which == "new");
    let rows: BTreeMap<&str, Row> = table().into_iter().collect();
    let (mut asked, mut skipped) = (Vec::new(), 0);
    let lacks_opengl = on == Choice::Real && !has_opengl();
    for question in questions {
        let cell = rows.get(question.name).map(|row| match on {
            Choice::Real => row.hardware,
            Choice::Sim => row.simulated,
        });
        let expected =
            cell.filter(|cell| !["-", "?"].contains(cell)).and_then(|cell| on_device(cell, device));
        let is_known = expected.is_some() && only_new;
        let needs_opengl = expected.as_ref().is_some_and(|codes| codes.split(' ').any(|code| code == "219"));
        let lacks_library = lacks_opengl && needs_opengl;
        let other_pages = host_page() != 4096 && PAGES_OF_4_KIB.contains(&question.name);
        let is_out_of_place = question.devices > devices || lacks_library || other_pages;
        if is_out_of_place || expected.is_none() && !printing || is_known {
            skipped += 1;
            continue;
        }
        asked.push((question, expected.unwrap_or_default()));
    }
    if skipped > 0 {
        note_skip(
            "answers",
            &format!("{skipped} questions cannot be asked of this driver, or have no answer yet"),
        );
    }
    (asking::ask(&asked, on, configuration, printing), asked.len())
}

/// With `ANSWERS` set, everything is asked and printed in place of being compared: to fill the table in. With `ANSWERS=new`,
/// only what has no answer yet.
#[test]
#[allow(clippy::print_stdout)]
fn the_driver_answers_as_the_table_says() {
    let on = driver();
    let devices = if on == Choice::Sim || second_device().is_some() { 2 } else { 1 };
    // The software driver is as it is by default, whatever else the tests run on.
    let device = if on == Choice::Sim { "NVIDIA H200".to_owned() } else { device().name().unwrap() };
    let (wrong, asked) = differences(on, devices, &device, "", questions());
    println!("answers: {asked} questions asked, {} answered differently", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Only values that are a device's own change with the device. Contexts have such values.
#[test]
fn contexts_of_an_h100_answer_as_the_table_says() {
    if driver() == Choice::Real || std::env::var_os("ANSWERS").is_some() {
        skip!("the machine's devices are asked by another test");
    }
    let h100 = "NVIDIA H100 80GB HBM3";
    let (wrong, asked) = differences(Choice::Sim, 2, h100, "profile=h100", contexts::QUESTIONS.iter());
    assert!(asked > 20 && wrong.is_empty(), "{asked}: {wrong:#?}");
}

#[test]
fn values_by_device_are_told_from_others() {
    let cell = "0 =1/2 =H200:7|H100:5 =0x1 215";
    assert_eq!(on_device(cell, "NVIDIA H100 80GB HBM3").as_deref(), Some("0 =1/2 =5 =0x1 215"));
    assert_eq!(on_device(cell, "NVIDIA H200").as_deref(), Some("0 =1/2 =7 =0x1 215"));
    assert_eq!(on_device(cell, "NVIDIA GH200 480GB"), None, "it is another device");
    assert_eq!(on_device("0 =same", "Tesla T4").as_deref(), Some("0 =same"));
}

#[test]
fn every_row_is_a_question() {
    let questions: BTreeSet<&str> = questions().map(|question| question.name).collect();
    let table = table();
    let rows: BTreeSet<&str> = table.iter().map(|(name, _)| *name).collect();
    assert_eq!(rows.len(), table.len(), "a name is there twice");
    let without_row: Vec<_> = questions.difference(&rows).collect();
    let without_question: Vec<_> = rows.difference(&questions).collect();
    assert!(without_row.is_empty(), "no row in conformance/answers.tsv: {without_row:?}");
    assert!(without_question.is_empty(), "no question in tests/suite/answers: {without_question:?}");
    for (name, row) in table {
        let simulated = row.simulated != "-" && row.simulated != row.hardware;
        assert_ne!(row.simulated, "?", "{name}: the software driver is at hand");
        let explained = ["-", "?"].contains(&row.hardware) || row.situation.contains("cuda-sim");
        assert!(!simulated || explained, "{name}: cuda-sim differs, and the row does not say why");
        assert!(!row.call.is_empty() && !row.documented.is_empty());
    }
}
