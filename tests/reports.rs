//! Reports of the software driver: each mistake is reported with its place, and programs without mistakes cause no report.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use cuda_sim::{Config, Report, ReportKind, Schedule};
use cuda_suite::call;
use cuda_suite::mistakes;
use cuda_suite::raw::machine;
use cuda_sys::{
    CUdeviceptr, CUresult, Symbol, cuCtxSynchronize, cuEventCreate, cuEventRecord, cuLaunchKernel,
    cuMemAllocAsync, cuMemsetD32_v2, cuMemsetD32Async, cuStreamWaitEvent,
};
use std::ffi::CStr;
use std::ptr::null_mut;

const OK: CUresult = CUresult::CUDA_SUCCESS;

/// The line of the source of the kernels that has a text.
fn line_of(text: &str) -> u32 {
    let source = include_str!("kernels/mistakes.cu");
    let index = source.lines().position(|line| line.contains(text));
    1 + index.unwrap_or_else(|| panic!("no line has {text}")) as u32
}

/// The answer and the reports of a program on a new machine.
fn reports_of(name: &str, config: Config) -> (CUresult, Vec<Report>) {
    let (machine, entered) = machine(config);
    let code = mistakes::run(name);
    let reports = machine.take_reports();
    drop(entered);
    (code, reports)
}

fn memcheck() -> Config {
    Config { memcheck: true, ..Config::default() }
}

/// The only report of a program.
fn report_of(name: &str, config: Config, code: CUresult) -> Report {
    let (found, mut reports) = reports_of(name, config);
    assert_eq!(found, code);
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

#[test]
fn store_past_the_end_is_reported() {
    let report = report_of("past-the-end", memcheck(), OK);
    let base = report.memory.as_ref().unwrap().base;
    let ptx_line = report.place.as_ref().unwrap().ptx_line;
    let line = line_of("out[i] = i;");
    assert_eq!(
        report.to_string(),
        format!(
            "out of bounds: store of 4 bytes at {:#x}\n  \
             at mistakes.cu:{line} (PTX line {ptx_line}) in kernel `fill`, block (1, 0, 0), thread (122, 0, 0)\n  \
             and 5 more threads at this instruction\n  \
             right after 1000 bytes of device memory at {base:#x}, made by cuMemAlloc_v2 (call 3)",
            base + 1000
        )
    );
    assert_eq!(
        report.to_json(),
        format!(
            "{{\"kind\":\"out-of-bounds\",\"summary\":\"out of bounds: store of 4 bytes at {0:#x}\",\"kernel\":\"fill\",\
             \"ptx_line\":{ptx_line},\"file\":\"mistakes.cu\",\"line\":{line},\"block\":[1,0,0],\"thread\":[122,0,0],\
             \"address\":\"{0:#x}\",\"size\":4,\"memory\":{{\"what\":\"device memory\",\"base\":\"{base:#x}\",\"size\":1000,\
             \"made_by\":{{\"function\":\"cuMemAlloc_v2\",\"number\":3}}}},\"threads\":6,\"notes\":[\"right after 1000 \
             bytes of device memory at {base:#x}, made by cuMemAlloc_v2 (call 3)\"]}}",
            base + 1000
        )
    );
}

#[test]
fn access_within_a_page_is_silent_without_memcheck() {
    for name in ["past-the-end", "freed"] {
        assert_eq!(reports_of(name, Config::default()), (OK, Vec::new()), "{name}");
    }
}

#[test]
fn store_into_the_neighbour_is_reported() {
    let ptx = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry put(.param .u64 to, .param .u32 value) {
            .reg .b64 %a;
            .reg .b32 %r;
            ld.param.u64 %a, [to];
            ld.param.u32 %r, [value];
            st.global.u32 [%a], %r;
            ret;
        }";
    let plain = || cuda_suite::raw::allocate(4096);
    let pooled = || {
        let mut address = 0;
        cuda_suite::call!(cuMemAllocAsync(&raw mut address, 4096, null_mut()));
        address
    };
    let kinds: [(&str, &dyn Fn() -> CUdeviceptr); 2] = [("device memory", &plain), ("pool memory", &pooled)];
    for (name, allocate) in kinds {
        for config in [memcheck(), Config::default()] {
            let memcheck = config.memcheck;
            let (machine, _entered) = machine(config);
            cuda_suite::raw::context(0);
            let put = cuda_suite::raw::function(ptx, c"put");
            let [first, second] = [allocate(), allocate()];
            assert_eq!(second, first + if memcheck { 4096 + 512 } else { 4096 });
            cuda_suite::raw::launch(put, null_mut(), &[first + 4092, 1]);
            cuda_suite::raw::launch(put, null_mut(), &[first + 4096, 1]);
            assert_eq!(cuda_suite::code!(cuCtxSynchronize()), OK);
            let reports = machine.take_reports();
            assert_eq!(reports.len(), usize::from(memcheck), "{reports:?}");
            if let [report] = &*reports {
                let note = format!("right after 4096 bytes of {name} at {first:#x}, made by ");
                assert_eq!(report.kind, ReportKind::OutOfBounds);
                assert!(report.notes[0].starts_with(&note), "{report}");
            }
        }
    }
}

/// The reports of kernels `k` with a load of 16 bytes after a pragma, which read 12 bytes of memory that begin with 8
/// written ones. The thread 1 of the second kernel writes the last bytes of the load.
fn reports_of_load(pragma: &str) -> Vec<Report> {
    let (machine, _entered) = machine(all_checks());
    cuda_suite::raw::context(0);
    let load = format!("{pragma} ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%a];");
    let ptx = format!(
        ".version 9.0 .target sm_90 .address_size 64
        .visible .entry k(.param .u64 in, .param .u64 out) {{
            .reg .b64 %a, %b; .reg .b32 %r<4>; ld.param.u64 %a, [in]; ld.param.u64 %b, [out];
            {load} st.global.u32 [%b], %r0; ret;
        }}
        .visible .entry both(.param .u64 in) {{
            .reg .b64 %a; .reg .b32 %r<4>; .reg .pred %p; ld.param.u64 %a, [in]; mov.u32 %r0, %tid.x;
            setp.eq.u32 %p, %r0, 1; @%p st.global.u32 [%a+12], %r0; @%p ret; {load} ret;
        }}"
    );
    let ptx = std::ffi::CString::new(ptx).unwrap();
    let [input, output, both] = [12, 4, 16].map(cuda_suite::raw::allocate);
    call!(cuMemsetD32_v2(input, 3, 2));
    cuda_suite::raw::launch(cuda_suite::raw::function(&ptx, c"k"), null_mut(), &[input, output]);
    assert_eq!((cuda_suite::raw::read(output), cuda_suite::code!(cuCtxSynchronize())), (3, OK));
    call!(cuMemsetD32_v2(both, 3, 4));
    let code = cuda_suite::raw::try_launch(cuda_suite::raw::function(&ptx, c"both"), 2, null_mut(), &[both]);
    assert_eq!((code, cuda_suite::code!(cuCtxSynchronize())), (OK, OK));
    machine.take_reports()
}

#[test]
fn unused_bytes_of_load_are_not_reported() {
    let bounds = "out of bounds: load of";
    let unwritten = "uninitialized memory: load of";
    let cases = [
        // Bytes that are written, inside of the allocation, and not in the race.
        ("0xff", vec![]),
        ("0x3", vec![]),
        // Bytes that were never written.
        ("0xfff", vec![format!("{unwritten} 12 bytes at 0x")]),
        ("0xf0f", vec![format!("{unwritten} 4 bytes at 0x")]),
        // Bytes after the end of the allocation, which the other kernel writes.
        ("0xf00f", vec![format!("{bounds} 4 bytes at 0x"), "data race: load of 4 bytes at 0x".to_owned()]),
    ];
    for (mask, expected) in cases {
        let reports = reports_of_load(&format!(".pragma \"used_bytes_mask {mask}\";"));
        let found: Vec<_> = reports.iter().map(|report| shape_of(report)[0].clone()).collect();
        assert_eq!(found, expected, "{mask}");
        assert!(reports.iter().all(|report| report.threads == 1), "{mask}: {reports:?}");
    }
    let found: Vec<_> = reports_of_load("").iter().map(|report| shape_of(report)[0].clone()).collect();
    assert_eq!(
        found,
        [
            format!("{bounds} 16 bytes at 0x"),
            format!("{unwritten} 16 bytes at 0x"),
            "data race: load of 16 bytes at 0x".to_owned()
        ]
    );
}

#[test]
fn each_used_part_of_word_races_with_a_later_store() {
    for (byte, expected) in [(0, 1), (1, 0), (2, 1)] {
        let (machine, _entered) = machine(all_checks());
        cuda_suite::raw::context(0);
        let ptx = format!(
            ".version 9.0 .target sm_90 .address_size 64
            .visible .entry k(.param .u64 in) {{
                .reg .b64 %a; .reg .b32 %r<2>; .reg .pred %p<2>; ld.param.u64 %a, [in]; mov.u32 %r0, %tid.x;
                setp.eq.u32 %p0, %r0, 32; setp.ne.u32 %p1, %r0, 0; @%p0 st.global.u8 [%a+{byte}], %r0; @%p1 ret;
                .pragma \"used_bytes_mask 0xd\"; ld.global.u32 %r1, [%a]; ret;
            }}"
        );
        let function = cuda_suite::raw::function(&std::ffi::CString::new(ptx).unwrap(), c"k");
        let word = cuda_suite::raw::allocate(4);
        call!(cuMemsetD32_v2(word, 3, 1));
        assert_eq!(cuda_suite::raw::try_launch(function, 33, null_mut(), &[word]), OK);
        assert_eq!(cuda_suite::code!(cuCtxSynchronize()), OK);
        assert_eq!(machine.take_reports().len(), expected, "byte {byte}");
    }
}

#[test]
fn fault_is_reported_in_any_case() {
    for config in [Config::default(), memcheck()] {
        let memcheck = config.memcheck;
        let (code, reports) = reports_of("far-past-the-end", config);
        assert_eq!(code, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        let fault = reports.last().unwrap();
        assert_eq!((fault.kind, reports.len()), (ReportKind::OutOfBounds, 1 + usize::from(memcheck)));
        assert!(
            fault.summary.starts_with("illegal address, out of bounds: store of 4 bytes at 0x"),
            "{fault}"
        );
        assert_eq!(
            fault.place.as_ref().unwrap().source,
            Some(("mistakes.cu".to_owned(), line_of("out[i] = i;")))
        );
        assert!(fault.notes[0].contains(" bytes past the end of 1000 bytes of device memory at "), "{fault}");
    }
    let report = report_of("null", Config::default(), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!((report.memory, report.notes), (None, vec!["the pointer is null".to_owned()]));
}

#[test]
fn store_past_shared_memory_is_reported() {
    let report = report_of("past-shared", memcheck(), OK);
    assert_eq!((report.kind, report.threads), (ReportKind::OutOfBounds, 1));
    assert!(report.summary.starts_with("out of bounds: store of 4 bytes at 0x"), "{report}");
    let place = report.place.unwrap();
    let (source, line) = place.source.unwrap();
    assert_eq!(
        (&*source, line, place.thread),
        ("mistakes.cu", line_of("tile[i + 1] = data[i];"), [63, 0, 0])
    );
    assert_eq!(report.notes[0], "right after variable `_ZZ5shiftE4tile`");
}

#[test]
fn load_past_local_memory_is_reported() {
    let report = report_of("past-local", Config::default(), CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION);
    let line = line_of("*out = words[index];");
    assert_eq!((report.kind, report.size), (ReportKind::OutOfBounds, Some(4)));
    assert_eq!(report.place.as_ref().unwrap().source, Some(("mistakes.cu".to_owned(), line)));
    assert!(report.summary.ends_with(" of shared or local memory"), "{report}");
}

#[test]
fn use_of_freed_memory_names_the_free() {
    let report = report_of("freed", memcheck(), OK);
    assert_eq!((report.kind, report.threads), (ReportKind::UseAfterFree, 64));
    let freed_by = report.memory.unwrap().freed_by.unwrap();
    assert_eq!(freed_by.to_string(), "cuMemFree_v2 (call 5)");
}

#[test]
fn backtraces_name_the_functions_of_the_program() {
    let report = report_of("freed", Config { backtraces: true, ..memcheck() }, OK);
    let calls: Vec<String> = report.backtraces.iter().map(|(call, _)| call.to_string()).collect();
    assert_eq!(calls, ["cuMemAlloc_v2 (call 3)", "cuMemFree_v2 (call 5)"]);
    for (call, frames) in &report.backtraces {
        assert!(frames.iter().any(|frame| frame.contains("mistakes::freed")), "{call}: {frames:?}");
        assert!(!frames.iter().any(|frame| frame.starts_with("cuda_sim::")), "{call}: {frames:?}");
    }
}

/// The exploration calls the scenario, so that its functions are below those of the program on the stack.
#[test]
fn backtraces_in_explorations_name_the_program() {
    let scenario = || {
        assert_eq!(mistakes::run("freed"), OK);
        let [report] = &cuda_sim::Machine::current().take_reports()[..] else { panic!("not one report") };
        assert_eq!(report.backtraces.len(), 2);
        for (call, frames) in &report.backtraces {
            assert!(frames.iter().any(|frame| frame.contains("mistakes::freed")), "{call}: {frames:?}");
            assert!(!frames.iter().any(|frame| frame.starts_with("cuda_sim::")), "{call}: {frames:?}");
        }
        Ok::<_, String>(())
    };
    let config = Config { backtraces: true, ..memcheck() };
    let explored = cuda_sim::explore::Exploration::new(scenario).config(config).seeds(1).run();
    assert!(explored.is_ok(), "{explored}");
}

#[test]
fn misaligned_access_is_reported() {
    let report = report_of("misaligned", Config::default(), CUresult::CUDA_ERROR_MISALIGNED_ADDRESS);
    assert_eq!(report.kind, ReportKind::Misaligned);
    assert!(report.summary.starts_with("misaligned address: store of 4 bytes at 0x"), "{report}");
    assert_eq!(report.notes[0], "the address is not a multiple of 4");
    assert!(report.notes[1].starts_with("2 bytes into 64 bytes of device memory at "), "{report}");
}

/// All checks.
fn all_checks() -> Config {
    Config { initcheck: true, racecheck: true, streamcheck: true, synccheck: true, ..memcheck() }
}

#[test]
fn programs_without_mistakes_have_no_reports() {
    let first = mistakes::PROGRAMS.iter().position(|program| program.name == "inside").unwrap();
    let clean = mistakes::PROGRAMS[first..].iter().map(|program| program.name);
    for name in clean.chain(["leak"]) {
        assert_eq!(reports_of(name, all_checks()), (OK, Vec::new()), "{name}");
    }
}

/// The lines of a report, without addresses and PTX lines.
fn shape_of(report: &Report) -> Vec<String> {
    let plain = |line: &str| {
        let words = line.split(' ').map(|word| match word.trim_end_matches([',', ')']) {
            hex if hex.starts_with("0x") => word.replace(hex, "0x"),
            _ => word.to_owned(),
        });
        let line = words.collect::<Vec<_>>().join(" ");
        match line
            .split_once(" (PTX line ")
            .and_then(|(before, rest)| Some((before, rest.split_once(')')?.1)))
        {
            Some((before, after)) => format!("{before}{after}"),
            None => line,
        }
    };
    report.to_string().lines().map(plain).collect()
}

/// The only report of a program that succeeds under all checks.
fn shape(name: &str) -> Vec<String> {
    shape_of(&report_of(name, all_checks(), OK))
}

#[test]
fn read_of_unwritten_memory_is_reported() {
    let (_, reports) = reports_of("unwritten", all_checks());
    let kinds: Vec<_> = reports.iter().map(|report| (report.kind, report.threads)).collect();
    assert_eq!(kinds, [(ReportKind::Uninitialized, 32)]);
    assert_eq!(
        shape_of(&reports[0]),
        [
            "uninitialized memory: load of 4 bytes at 0x".to_owned(),
            format!(
                "  at mistakes.cu:{} in function `{}`, called by kernel `sum_pairs`, block (0, 0, 0), thread (16, 0, 0)",
                line_of("return in[i];"),
                reports[0].place.as_ref().unwrap().function.as_ref().unwrap()
            ),
            "  and 31 more threads at this instruction".to_owned(),
            "  128 bytes into 256 bytes of device memory at 0x, made by cuMemAlloc_v2 (call 3)".to_owned(),
        ]
    );
    assert_eq!(reports_of("unwritten", memcheck()), (OK, Vec::new()), "the check is off");
}

#[test]
fn copy_of_unwritten_memory_is_reported() {
    assert_eq!(
        shape("copied-unwritten"),
        [
            "uninitialized memory: copy of 64 bytes at 0x to the host",
            "  by cuMemcpyDtoH_v2 (call 5)",
            "  32 of 64 bytes were never written, the first at 0x",
            "  at the start of 64 bytes of device memory at 0x, made by cuMemAlloc_v2 (call 3)",
        ]
    );
}

#[test]
fn missing_barrier_is_a_race() {
    let shape = shape("no-barrier");
    let (store, load) = (line_of("tile[i] = data[i];"), line_of("data[i] = tile[63 - i];"));
    assert_eq!(shape[0], "data race: store of 4 bytes at 0x of shared memory");
    assert!(
        shape[1].starts_with(&format!("  at mistakes.cu:{store} in kernel `reverse_unsynchronized`, ")),
        "{shape:?}"
    );
    assert_eq!(shape[2], "  and 63 more pairs at this instruction");
    assert!(
        shape[3].starts_with(&format!("  with the load at mistakes.cu:{load}, block (0, 0, 0), thread ")),
        "{shape:?}"
    );
    assert_eq!(shape[4], "  no barrier is between the two");
    assert_eq!(shape[5], "  128 bytes into variable `_ZZ22reverse_unsynchronizedE4tile`");
}

#[test]
fn blocks_that_write_one_word_race() {
    let (_, reports) = reports_of("no-atomic", all_checks());
    assert!(!reports.is_empty() && reports.iter().all(|report| report.kind == ReportKind::Race));
    let line = line_of("*total += 1;");
    for report in &reports {
        assert_eq!(report.place.as_ref().unwrap().source, Some(("mistakes.cu".to_owned(), line)));
        assert!(
            report.to_string().contains("neither a barrier nor an atomic operation orders the two"),
            "{report}"
        );
    }
}

#[test]
fn barrier_without_ended_threads_is_reported() {
    let shape = shape("left-early");
    assert_eq!(shape[0], "barrier: 40 threads of the block wait, and 24 have ended before it");
    assert!(shape[1].starts_with("  at mistakes.cu:"), "{shape:?}");
    assert!(shape[2].starts_with("  thread (40, 0, 0) ended at mistakes.cu:"), "{shape:?}");
    assert_eq!(reports_of("left-early", memcheck()), (OK, Vec::new()), "the check is off");
}

#[test]
fn barriers_at_two_places_are_reported() {
    let shape = shape("two-barriers");
    assert_eq!(shape[0], "barrier: threads of the block wait at different barrier instructions");
    assert!(shape[2].starts_with("  32 threads at mistakes.cu:"), "{shape:?}");
}

#[test]
fn deadlock_names_where_all_threads_are() {
    let ptx = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry k() {
            .reg .pred %p;
            .reg .b32 %r;
            mov.u32 %r, %tid.x;
            setp.lt.u32 %p, %r, 32;
            @%p bra OTHER;
            bar.sync 0;
            ret;
        OTHER:
            setp.eq.u32 %p, %r, 0;
            @%p ret;
            bar.sync 1;
            ret;
        }";
    let (machine, _entered) = machine(Config::default());
    cuda_suite::raw::context(0);
    let kernel = cuda_suite::raw::function(ptx, c"k");
    assert_eq!(cuda_suite::raw::try_launch(kernel, 96, null_mut(), &[]), OK);
    assert_eq!(cuda_suite::code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_TIMEOUT);
    let report = &machine.take_reports()[0];
    assert_eq!(report.kind, ReportKind::Barrier);
    assert_eq!(report.summary, "deadlock: no thread of the block can go on; hardware hangs");
    assert_eq!(
        report.notes,
        [
            "it waits at barrier 1, with 30 other threads",
            "64 threads at barrier 0 at PTX line 8",
            "1 thread ended"
        ]
    );
}

#[test]
fn faults_of_shared_memory_and_copies_are_told_truly() {
    let of_other_block = "shared memory of another block, which this instruction does not reach";
    let cases = [
        ("ld.shared.u64 %d, [tile+4];", ["misaligned address: load of 8 bytes at 0x404"].as_slice()),
        (
            "add.u64 %a, %a, 8; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%a], 16, [gate];",
            &["misaligned address 0x"] as &[&str],
        ),
        (
            "mov.u32 %r, 0x10400; cp.async.cg.shared.global [%r], [%a], 16;",
            &["address outside of the shared or local window"],
        ),
        (
            "mapa.shared::cluster.u32 %r, gate, 1; mbarrier.inval.shared.b64 [%r];",
            &["illegal instruction, ", of_other_block],
        ),
        (
            "mapa.shared::cluster.u32 %r, tile, 1; ld.shared.u32 %r, [%r];",
            &["illegal instruction, ", of_other_block],
        ),
    ];
    for (body, expected) in cases {
        let ptx = format!(
            ".version 8.0 .target sm_90 .address_size 64
            .visible .entry k(.param .u64 out) .reqnctapercluster 2, 1, 1 {{
                .shared .align 16 .b8 tile[64]; .shared .align 8 .b64 gate;
                .reg .b64 %a, %d; .reg .b32 %r; .reg .pred %p;
                ld.param.u64 %a, [out]; mov.u32 %r, %cluster_ctarank; setp.ne.u32 %p, %r, 0; @%p ret;
                mbarrier.init.shared.b64 [gate], 1;
                {body}
                ret;
            }}\0"
        );
        let (machine, _entered) = machine(Config::default());
        cuda_suite::raw::context(0);
        let ptx = CStr::from_bytes_with_nul(ptx.as_bytes()).unwrap();
        let mut memory = cuda_suite::raw::allocate(4096);
        let function = cuda_suite::raw::function(ptx, c"k");
        let mut argument = (&raw mut memory).cast();
        let (stream, extra) = (null_mut(), null_mut());
        call!(cuLaunchKernel(function, 2, 1, 1, 1, 1, 1, 0, stream, &raw mut argument, extra));
        assert!(!cuda_suite::code!(cuCtxSynchronize()).is_success());
        let reports = machine.take_reports();
        assert_eq!(reports.len(), 1, "{body}");
        let text = reports[0].to_string();
        assert!(expected.iter().all(|part| text.contains(part)), "{body}: {text}");
        assert!(!text.contains("null pointer"), "{body}: {text}");
    }
}

#[test]
fn fault_of_another_cause_is_reported() {
    let ptx = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry traps() {
            trap;
            ret;
        }
        .visible .entry endless() {
        again:
            bra again;
        }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reports.json");
    let place = |kernel: &str, line: u32| {
        format!("\n  at PTX line {line} in kernel `{kernel}`, block (0, 0, 0), thread (0, 0, 0)")
    };
    let limit = "time limit reached: 1000 instructions, and no block has ended";
    for (kernel, code, text) in [
        (c"traps", CUresult::CUDA_ERROR_LAUNCH_FAILED, format!("trap{}", place("traps", 3))),
        (c"endless", CUresult::CUDA_ERROR_LAUNCH_TIMEOUT, format!("{limit}{}", place("endless", 8))),
    ] {
        // Reports are appended.
        let _ = std::fs::remove_file(&path);
        let config = Config { kernel_limit: Some(1000), reports: Some(path.clone()), ..Config::default() };
        let (machine, _entered) = machine(config);
        cuda_suite::raw::context(0);
        cuda_suite::raw::launch(cuda_suite::raw::function(ptx, kernel), null_mut(), &[]);
        assert_eq!(cuda_suite::code!(cuCtxSynchronize()), code);
        let reports = machine.take_reports();
        assert_eq!((reports.len(), reports[0].kind), (1, ReportKind::Fault), "{reports:?}");
        assert_eq!(reports[0].to_string(), text);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{}\n", reports[0].to_json()));
    }
}

#[test]
fn live_objects_name_the_calls_that_made_them() {
    let (machine, _entered) = machine(Config::default());
    assert_eq!(mistakes::run("leak"), OK);
    let live = machine.live();
    assert_eq!((live.contexts, live.streams, live.device_allocations), (1, 1, 1));
    let objects: Vec<String> = machine.live_objects().iter().map(ToString::to_string).collect();
    assert_eq!(
        objects[..2],
        ["context, made by cuCtxCreate_v2 (call 2)", "stream, made by cuStreamCreate (call 3)"]
    );
    assert!(objects[2].starts_with("device allocation of 64 bytes at 0x"), "{objects:?}");
    assert!(objects[2].ends_with(", made by cuMemAlloc_v2 (call 4)") && objects.len() == 3, "{objects:?}");
}

#[test]
fn reports_are_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reports.json");
    let (_, reports) = reports_of("freed", Config { reports: Some(path.clone()), ..memcheck() });
    assert_eq!(std::fs::read_to_string(path).unwrap(), format!("{}\n", reports[0].to_json()));
}

/// The lines of reports that name the operations and the memory. Which access of a kernel races first is chance.
fn operations(shapes: &[Vec<String>]) -> Vec<&[String]> {
    shapes.iter().map(|shape| &shape[2..]).collect()
}

/// The reports of a program under a schedule, without addresses and PTX lines.
fn shapes_under(name: &str, schedule: Schedule) -> Vec<Vec<String>> {
    let config = Config { streamcheck: true, schedule, ..Config::default() };
    let (_, reports) = reports_of(name, config);
    reports.iter().map(shape_of).collect()
}

#[test]
fn stream_race_is_found_under_every_schedule() {
    let races = [
        "unordered-streams",
        "wrong-stream-awaited",
        "event-too-early",
        "copy-beside-kernel",
        "default-stream-ignored",
        "fill-beside-copy",
        "page-locked-reused",
        "host-copy-too-early",
        "allocated-elsewhere",
        "freed-elsewhere",
        "freed-by-host",
        "graph-branches",
    ];
    let ordered = [
        "event-between",
        "stream-awaited",
        "same-stream",
        "blocking-streams",
        "halves",
        "page-locked-reused-later",
        "host-copy-later",
        "allocated-before",
        "freed-after",
        "freed-by-host-later",
        "graph-edge",
    ];
    let schedules = [Schedule::Lazy, Schedule::Random(1), Schedule::Random(2), Schedule::Random(3)];
    for name in races {
        let eager = shapes_under(name, Schedule::Eager);
        let kinds = eager.iter().filter(|shape| shape[0].starts_with("data race between streams: ")).count();
        assert!(kinds > 0, "{name}: {eager:?}");
        for schedule in schedules {
            let mut found = shapes_under(name, schedule);
            found.retain(|shape| shape[0].starts_with("data race between streams: "));
            assert_eq!(operations(&found), operations(&eager), "{name} under {schedule:?}");
        }
    }
    for name in ordered {
        for schedule in schedules {
            assert_eq!(shapes_under(name, schedule), Vec::<Vec<String>>::new(), "{name} under {schedule:?}");
        }
    }
}

#[test]
fn stream_race_with_queued_work_is_found() {
    let (machine, _entered) =
        machine(Config { streamcheck: true, schedule: Schedule::Lazy, ..Config::default() });
    cuda_suite::raw::context(0);
    let data = cuda_suite::raw::allocate(64);
    let [first, second] = [(); 2].map(|()| cuda_suite::raw::stream(1));
    cuda_suite::call!(cuMemsetD32Async(data, 1, 16, first));
    cuda_suite::call!(cuMemsetD32Async(data + 32, 2, 8, second));
    let reports: Vec<Vec<String>> = machine.take_reports().iter().map(shape_of).collect();
    assert_eq!(
        reports,
        [[
            "data race between streams: write of 32 bytes at 0x",
            "  by cuMemsetD32Async (call 7) on stream 0x",
            "  with the write by cuMemsetD32Async (call 6) on stream 0x",
            "  no stream, event or synchronisation orders the two",
            "  32 bytes into 64 bytes of device memory at 0x, made by cuMemAlloc_v2 (call 3)",
        ]]
    );
    cuda_suite::call!(cuCtxSynchronize());
    assert_eq!(machine.take_reports(), []);
}

#[test]
fn long_queue_has_no_false_races() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let config = Config { streamcheck: true, schedule, ..Config::default() };
        let (machine, _entered) = machine(config);
        cuda_suite::raw::context(0);
        let data = cuda_suite::raw::allocate(64);
        let streams = [(); 2].map(|()| cuda_suite::raw::stream(1));
        let mut event = null_mut();
        cuda_suite::call!(cuEventCreate(&raw mut event, 0));
        for round in 0..8_000 {
            let stream = streams[round % 2];
            cuda_suite::call!(cuMemsetD32Async(data, 1, 16, stream));
            cuda_suite::call!(cuEventRecord(event, stream));
            cuda_suite::call!(cuStreamWaitEvent(streams[1 - round % 2], event, 0));
        }
        assert_eq!(machine.take_reports(), [], "{schedule:?}");
        for stream in streams {
            cuda_suite::call!(cuMemsetD32Async(data, 1, 16, stream));
        }
        cuda_suite::call!(cuCtxSynchronize());
        assert_eq!(machine.take_reports().len(), 1, "{schedule:?}");
    }
}

#[test]
fn stream_race_names_both_operations() {
    let shape = shape("unordered-streams");
    let (load, store) = (line_of("return in[i];"), line_of("out[i] = i;"));
    assert_eq!(shape[0], "data race between streams: load of 256 bytes at 0x");
    assert!(shape[1].starts_with(&format!("  at mistakes.cu:{load} in function ")), "{shape:?}");
    assert_eq!(shape[2], "  by cuLaunchKernel (call 16) on stream 0x");
    assert_eq!(
        shape[3],
        format!(
            "  with the store at mistakes.cu:{store} in kernel `fill`, by cuLaunchKernel (call 15) on stream 0x"
        )
    );
    assert_eq!(shape[4], "  no stream, event or synchronisation orders the two");
    assert_eq!(
        shape[5],
        "  at the start of 256 bytes of device memory at 0x, made by cuMemAlloc_v2 (call 7)"
    );
}

#[test]
fn destruction_of_a_used_pool_is_reported() {
    for (name, state) in [("pool-in-use", "in use"), ("pool-being-freed", "being freed")] {
        let report = report_of(name, memcheck(), OK);
        let memory = report.memory.clone().unwrap();
        let calls = [report.call, memory.made_by, memory.freed_by].map(|call| call.map(|call| call.function));
        let freed = (name == "pool-being-freed").then_some(Symbol::cuMemFreeAsync);
        assert_eq!(calls, [Some(Symbol::cuMemPoolDestroy), Some(Symbol::cuMemAllocFromPoolAsync), freed]);
        assert_eq!((report.kind, memory.size), (ReportKind::PoolInUse, 256));
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("pool in use: destruction of pool 0x"), "{text}");
        assert!(lines[0].ends_with(&format!(" with 256 bytes {state}")), "{text}");
        assert!(lines[1].starts_with("  by cuMemPoolDestroy (call "), "{text}");
        assert_eq!(lines[2], format!("  its first allocation is {memory}"));
        assert!(report.to_json().starts_with("{\"kind\":\"pool-in-use\","), "{}", report.to_json());
        assert_eq!(reports_of(name, Config::default()), (OK, Vec::new()), "the check is off");
    }
    assert_eq!(reports_of("pool-freed", all_checks()), (OK, Vec::new()));
}

/// The cost of each check, on one thread of the host: `cargo test --test reports cost -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn cost_of_checks() {
    let matmul = std::ffi::CString::new(include_str!("kernels/matmul_tiled.ptx")).unwrap();
    let saxpy = std::ffi::CString::new(include_str!("kernels/saxpy.ptx")).unwrap();
    let none = Config { host_threads: 1, ..Config::default() };
    let configs = [
        ("none", none.clone()),
        ("memcheck", Config { memcheck: true, ..none.clone() }),
        ("initcheck", Config { initcheck: true, ..none.clone() }),
        ("racecheck", Config { racecheck: true, ..none.clone() }),
        ("streamcheck", Config { streamcheck: true, ..none.clone() }),
        ("synccheck", Config { synccheck: true, ..none.clone() }),
        ("all", Config { host_threads: 1, ..all_checks() }),
    ];
    for (name, config) in configs {
        let (machine, _entered) = machine(config);
        cuda_suite::raw::context(0);
        let (n, words) = (256_u64, 1 << 18);
        let [a, b, c] = [(); 3].map(|()| {
            let address = cuda_suite::raw::allocate(4 * words);
            cuda_suite::call!(cuMemsetD32_v2(address, 0, words));
            address
        });
        let time = |ptx: &core::ffi::CStr, name, grid: [u32; 2], block: [u32; 2], params: &[u64]| {
            let kernel = cuda_suite::raw::function(ptx, name);
            let mut places: Vec<*mut core::ffi::c_void> =
                params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast()).collect();
            let (places, [[x, y], [u, v]]) = (places.as_mut_ptr(), [grid, block]);
            let rounds = (0..3).map(|_| {
                let start = std::time::Instant::now();
                cuda_suite::call!(cuLaunchKernel(
                    kernel,
                    x,
                    y,
                    1,
                    u,
                    v,
                    1,
                    0,
                    null_mut(),
                    places,
                    null_mut()
                ));
                cuda_suite::call!(cuCtxSynchronize());
                start.elapsed()
            });
            rounds.min().unwrap().as_secs_f64() * 1e3
        };
        let matmul = time(&matmul, c"matmul_tiled", [16, 16], [16, 16], &[a, b, c, n]);
        let saxpy = time(&saxpy, c"saxpy", [1024, 1], [256, 1], &[words as u64, 0, a, b]);
        println!("{name}: matmul_tiled {matmul:.1} ms, saxpy {saxpy:.1} ms");
        assert_eq!(machine.take_reports(), []);
    }
}

/// The kind and the source line of each report, and whether the program has missed a failure.
fn found_in(program: &str) -> String {
    let (machine, entered) = machine(all_checks());
    let _ = mistakes::run(program);
    let (reports, unseen) = (machine.take_reports(), machine.unseen_failure());
    drop(entered);
    let found = |report: Report| {
        let line =
            report.place.and_then(|place| place.source).map_or("-".to_owned(), |(_, line)| line.to_string());
        format!("{}:{line}", report.kind.name())
    };
    let mut found: Vec<String> = reports.into_iter().map(found).collect();
    found.extend(unseen.map(|_| "unseen-failure".to_owned()));
    if found.is_empty() { "-".to_owned() } else { found.join(" ") }
}

/// The other columns are the answers of compute-sanitizer; `?` if it was not run.
#[test]
fn programs_are_reported_as_the_table_says() {
    let table = include_str!("../conformance/mistakes.tsv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let names: Vec<&str> = mistakes::PROGRAMS.iter().map(|program| program.name).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), names);
    let wrong: Vec<String> = rows
        .iter()
        .map(|row| (row[0], row[1], found_in(row[0])))
        .filter(|(_, expected, found)| expected != found)
        .map(|(name, _, found)| format!("{name}\t{found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.iter().all(|row| row.len() == 6));
}

/// A kernel of one thread that allocates 100 bytes and accesses them in a way.
fn malloc_report(body: &str) -> (CUresult, Vec<Report>) {
    let ptx = format!(
        ".version 9.0 .target sm_90 .address_size 64
        .extern .func (.param .b64 func_retval0) malloc (.param .b64 malloc_param_0);
        .extern .func free (.param .b64 free_param_0);
        .visible .entry k() {{
            .reg .b64 %a;
            .reg .b32 %r;
            .param .b64 p;
            .param .b64 q;
            st.param.b64 [p], 100;
            call.uni (q), malloc, (p);
            ld.param.b64 %a, [q];
            st.param.b64 [p], %a;
            {body}
            ret;
        }}"
    );
    let (machine, _entered) = machine(all_checks());
    cuda_suite::raw::context(0);
    let kernel = cuda_suite::raw::function(&std::ffi::CString::new(ptx).unwrap(), c"k");
    assert_eq!(cuda_suite::raw::try_launch(kernel, 1, null_mut(), &[]), OK);
    (cuda_suite::code!(cuCtxSynchronize()), machine.take_reports())
}

#[test]
fn misuse_of_malloc_memory_is_reported() {
    let notes = |body: &str| -> Vec<(ReportKind, String)> {
        let (code, reports) = malloc_report(body);
        assert_eq!(code, OK);
        reports.iter().map(|report| (report.kind, shape_of(report).pop().unwrap())).collect()
    };
    assert_eq!(notes("st.b32 [%a+96], 1; ld.b32 %r, [%a+96]; call.uni free, (p);"), []);
    let past = "  right after 100 bytes of memory of malloc in a kernel at 0x".to_owned();
    assert_eq!(notes("st.b32 [%a+100], 1;"), [(ReportKind::OutOfBounds, past)]);
    let freed = "  inside 100 bytes of memory of malloc in a kernel at 0x".to_owned();
    assert_eq!(notes("call.uni free, (p); st.b32 [%a+4], 1;"), [(ReportKind::UseAfterFree, freed)]);
    let unwritten = "  4 bytes into 100 bytes of memory of malloc in a kernel at 0x".to_owned();
    assert_eq!(notes("ld.b32 %r, [%a+4];"), [(ReportKind::Uninitialized, unwritten)]);
    let (code, _) = malloc_report("call.uni free, (p); call.uni free, (p);");
    assert_eq!(code, CUresult::CUDA_ERROR_LAUNCH_FAILED);
}

#[test]
fn blocks_of_a_cluster_that_wait_have_no_reports() {
    // The blocks hand words to each other, through shared memory and through device memory.
    let ptx = c".version 9.0 .target sm_90 .address_size 64
        .visible .entry k(.param .b64 out) .reqnctapercluster 2, 1, 1 {
            .reg .b64 %o, %a, %d;
            .reg .b32 %t, %b, %c, %r, %s, %v;
            .shared .b32 tile[64];
            ld.param.b64 %o, [out];
            mov.u32 %t, %tid.x;
            mov.u32 %b, %ctaid.x;
            mov.u32 %c, %cluster_ctarank;
            xor.b32 %c, %c, 1;
            mad.lo.u32 %r, %b, 64, %t;
            mul.wide.u32 %d, %r, 4;
            add.s64 %a, %o, %d;
            mov.u32 %s, tile;
            mad.lo.u32 %s, %t, 4, %s;
            mapa.shared::cluster.u32 %v, %s, %c;
            st.shared::cluster.b32 [%v], %r;
            st.global.b32 [%a], %r;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared.b32 %v, [%s];
            mul.wide.u32 %d, %v, 4;
            add.s64 %d, %o, %d;
            ld.global.b32 %r, [%d];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            st.global.b32 [%a], %r;
            ret;
        }";
    let (machine, _entered) = machine(all_checks());
    cuda_suite::raw::context(0);
    let kernel = cuda_suite::raw::function(ptx, c"k");
    let mut out = cuda_suite::raw::allocate(4 * 256);
    let mut params = [(&raw mut out).cast()];
    let params = params.as_mut_ptr();
    cuda_suite::call!(cuLaunchKernel(kernel, 4, 1, 1, 64, 1, 1, 0, null_mut(), params, null_mut()));
    assert_eq!(cuda_suite::code!(cuCtxSynchronize()), OK);
    assert_eq!(machine.take_reports(), Vec::new());
    let words = [0, 64, 128, 192].map(|first| cuda_suite::raw::read(out + 4 * first));
    assert_eq!(words, [64, 0, 192, 128]);
}
