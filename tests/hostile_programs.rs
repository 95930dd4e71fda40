//! Programs that exceed all limits: each gets an error with a name, and the driver works afterwards.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use core::ffi::c_void;
use cuda_sim::{Config, Machine, MachineGuard, Schedule};
use cuda_suite::fatbin::Header;
use cuda_suite::raw::{allocate, context, function, launch, machine, read, stream};
use cuda_suite::{call, code};
use cuda_sys::CUresult as Code;
use cuda_sys::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A machine whose kernels execute few instructions, and a context.
fn limited() -> (Machine, MachineGuard) {
    let entered = machine(Config { kernel_limit: Some(100_000), memory_bytes: 1 << 30, ..Config::default() });
    context(0);
    entered
}

/// Checks that a kernel gives its result.
fn check_usable() {
    let known = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry put(.param .u64 to, .param .u32 value) {
            .reg .b64 %a; .reg .b32 %r;
            ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";
    let at = allocate(4);
    launch(function(known, c"put"), null_mut(), &[at, 77]);
    assert_eq!(read(at), 77);
    call!(cuMemFree_v2(at));
}

/// Checks that the failure stays in its context, and that the driver works after a reset.
fn check_failed(machine: &Machine, wanted: Code) {
    assert_eq!(code!(cuCtxSynchronize()), wanted);
    let mut at = 0;
    assert_eq!(code!(cuMemAlloc_v2(&raw mut at, 4)), wanted, "the failure is sticky");
    machine.reset();
    call!(cuInit(0));
    context(0);
    check_usable();
}

fn load(text: &str) -> Result<CUmodule, Code> {
    let mut module = null_mut();
    let text = CString::new(text).unwrap();
    match code!(cuModuleLoadData(&raw mut module, text.as_ptr().cast())) {
        Code::CUDA_SUCCESS => Ok(module),
        code => Err(code),
    }
}

/// Loads the kernel `k`.
fn kernel(text: &str) -> CUfunction {
    let mut function = null_mut();
    let module = load(&format!("{HEAD}{text}")).unwrap();
    call!(cuModuleGetFunction(&raw mut function, module, c"k".as_ptr()));
    function
}

fn start(function: CUfunction, grid: [u32; 3], threads: u32, params: &mut [*mut c_void]) -> Code {
    let [x, y, z] = grid;
    code!(cuLaunchKernel(function, x, y, z, threads, 1, 1, 0, null_mut(), params.as_mut_ptr(), null_mut()))
}

#[test]
fn endless_kernels_end_with_a_timeout() {
    let most = [i32::MAX as u32, 65535, 65535];
    let kernels: [(&str, [u32; 3], u32); 7] = [
        ("again: bra again;", [1; 3], 1),
        // All blocks of the largest grid.
        ("again: bra again;", most, 1024),
        ("again: bar.sync 0; bra again;", [4, 1, 1], 256),
        // One warp never gets to the barrier.
        ("mov.u32 %r0, %tid.x; setp.lt.u32 %p, %r0, 32; again: @%p bra again; bar.sync 0; ret;", [1; 3], 64),
        (
            "again: ld.volatile.global.u32 %r0, [%a]; setp.eq.u32 %p, %r0, 0; @%p bra again; ret;",
            [2, 1, 1],
            32,
        ),
        ("again: atom.global.cas.b32 %r0, [%a], 1, 2; bra again;", [1; 3], 32),
        ("again: nanosleep.u32 1000000; bra again;", [1; 3], 32),
    ];
    for (body, grid, threads) in kernels {
        let (machine, _entered) = limited();
        let mut at = allocate(4);
        call!(cuMemsetD32_v2(at, 0, 1));
        let function = kernel(&format!(
            ".visible .entry k(.param .u64 at) {{ .reg .b64 %a; .reg .b32 %r<2>; .reg .pred %p; ld.param.u64 %a, [at]; {body} }}"
        ));
        assert_eq!(start(function, grid, threads, &mut [(&raw mut at).cast()]), Code::CUDA_SUCCESS, "{body}");
        assert_eq!(code!(cuCtxSynchronize()), Code::CUDA_ERROR_LAUNCH_TIMEOUT, "{body}");
        check_failed(&machine, Code::CUDA_ERROR_LAUNCH_TIMEOUT);
    }
}

#[test]
fn endless_recursion_ends_with_an_error() {
    let kernels = [
        ".func f() { call f; ret; } .visible .entry k() { call f; ret; }",
        ".func g(); .func f() { call g; ret; } .func g() { call f; ret; } .visible .entry k() { call f; ret; }",
        ".func f() { .reg .b64 %a; P: .callprototype _ (); mov.u64 %a, f; call %a, (), P; ret; }
            .visible .entry k() { call f; ret; }",
        ".func f() { .local .align 8 .b8 depot[65536]; .reg .b64 %a; mov.u64 %a, depot; st.local.u64 [%a], %a; call f; ret; }
            .visible .entry k() { call f; ret; }",
    ];
    for text in kernels {
        let (machine, _entered) = limited();
        assert_eq!(start(kernel(text), [1; 3], 32, &mut []), Code::CUDA_SUCCESS, "{text}");
        check_failed(&machine, Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    }
}

#[test]
fn deep_chains_of_calls_end() {
    let (machine, _entered) = limited();
    let mut text = ".func f0() { ret; }\n".to_owned();
    for index in 1..9_000 {
        text += &format!(".func f{index}() {{ call f{}; ret; }}\n", index - 1);
    }
    let started =
        start(kernel(&format!("{text}.visible .entry k() {{ call f8999; ret; }}")), [1; 3], 32, &mut []);
    assert_eq!(started, Code::CUDA_SUCCESS);
    check_failed(&machine, Code::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn too_large_variables_are_refused() {
    let (_, _entered) = limited();
    let largest = 1_u64 << 62;
    let texts = [
        format!(".global .b8 a[{largest}]; .visible .entry k() {{ ret; }}"),
        ".global .b8 a[9223372036854775808]; .visible .entry k() { ret; }".to_owned(),
        ".global .b64 a[4294967296][4294967296]; .visible .entry k() { ret; }".to_owned(),
        format!(".const .b8 a[{largest}]; .visible .entry k() {{ ret; }}"),
        format!(".visible .entry k(.param .b8 a[{largest}]) {{ ret; }}"),
        format!(".visible .entry k() {{ .shared .b8 a[{largest}]; .reg .b32 %r; mov.u32 %r, a; ret; }}"),
        format!(".global .b8 a[{largest}] = {{ 1 }}; .visible .entry k() {{ ret; }}"),
        (0..8).map(|index| format!(".global .b8 a{index}[{largest}];\n")).collect(),
        ".global .align 9223372036854775808 .b8 a[1]; .visible .entry k() { ret; }".to_owned(),
    ];
    for text in texts {
        assert_eq!(load(&format!("{HEAD}{text}")), Err(Code::CUDA_ERROR_INVALID_PTX), "{text}");
    }
    let local = format!(
        ".visible .entry k() {{ .local .b8 a[{largest}]; .reg .b64 %a; mov.u64 %a, a; st.u8 [%a], 0; ret; }}"
    );
    assert_eq!(start(kernel(&local), [1; 3], 32, &mut []), Code::CUDA_ERROR_NOT_SUPPORTED);
    // A kernel with 4294967295 registers uses one.
    let registers = ".visible .entry k() { .reg .b32 %r<4294967295>; mov.u32 %r4294967294, 1; ret; }";
    assert!(load(&format!("{HEAD}{registers}")).is_ok());
    check_usable();
}

#[test]
fn self_referential_initialisers_are_refused() {
    let (_, _entered) = limited();
    for text in
        [".global .u64 a = a;", ".global .u64 a[2] = { 1, a };", ".global .u64 a = b; .global .u64 b = a;"]
    {
        assert_eq!(
            load(&format!("{HEAD}{text} .visible .entry k() {{ ret; }}")),
            Err(Code::CUDA_ERROR_INVALID_PTX)
        );
    }
    check_usable();
}

#[test]
fn images_that_promise_too_much_are_refused() {
    let (_, _entered) = limited();
    let fat_binary = |flags: u64, plain_bytes: u64, content: &[u8]| {
        let packed_bytes = content.len() as u32;
        Header { version: [0, 6], target: 50, flags, packed_bytes, plain_bytes }.fat_binary(content)
    };
    let (lz4, zstd) = (0x2000, 0x8000);
    // A frame with a window of exabytes, one with that size, and one of the size that is promised and no block.
    let frames: [&[u8]; 3] = [
        &[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00],
        &[0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x01, 0x00, 0x00],
        &[0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x00, 0x00, 0x00, 0x40, 0x03, 0x00, 0x00],
    ];
    for plain in [u64::MAX, 1 << 60, 1 << 30, 1 << 29] {
        for content in [b"\x1fa\x01\x00\xff\xff\xff\xff".as_slice(), b"\x40text", b"\xf0"] {
            let image = fat_binary(lz4, plain, content);
            let mut module = null_mut();
            let answer = code!(cuModuleLoadData(&raw mut module, image.as_ptr().cast()));
            assert_eq!(answer, Code::CUDA_ERROR_UNKNOWN, "{plain:#x}");
        }
        for content in frames {
            let image = fat_binary(zstd, plain, content);
            let mut module = null_mut();
            let answer = code!(cuModuleLoadData(&raw mut module, image.as_ptr().cast()));
            assert_eq!(answer, Code::CUDA_ERROR_UNKNOWN, "{plain:#x}");
        }
    }
    check_usable();
}

#[test]
fn sizes_beyond_all_memory_are_refused() {
    let (_, _entered) = limited();
    let (mut at, mut pitch, mut host, mut array) = (0, 0, null_mut(), null_mut());
    for bytes in [usize::MAX, usize::MAX - 511, 1 << 63, 1 << 62, 1 << 48] {
        assert_eq!(code!(cuMemAlloc_v2(&raw mut at, bytes)), Code::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(code!(cuMemAllocManaged(&raw mut at, bytes, 1)), Code::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(code!(cuMemHostAlloc(&raw mut host, bytes, 0)), Code::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(code!(cuMemAllocAsync(&raw mut at, bytes, null_mut())), Code::CUDA_ERROR_OUT_OF_MEMORY);
        assert!(!code!(cuMemAllocPitch_v2(&raw mut at, &raw mut pitch, bytes, bytes, 16)).is_success());
        assert!(
            !code!(cuMemAddressReserve(&raw mut at, bytes & !0x1f_ffff, 0, 0, 0)).is_success()
                || bytes == 1 << 48
        );
        let described = CUDA_ARRAY3D_DESCRIPTOR {
            Width: bytes,
            Height: bytes,
            Depth: bytes,
            Format: CUarray_format_enum::CU_AD_FORMAT_FLOAT,
            NumChannels: 4,
            Flags: 0,
        };
        assert!(!code!(cuArray3DCreate_v2(&raw mut array, &raw const described)).is_success());
    }
    check_usable();
}

/// Adds a graph inside the innermost one, and returns it.
type Nest = fn(CUgraph) -> Result<CUgraph, Code>;

fn copied_child(outer: CUgraph) -> Result<CUgraph, Code> {
    let (mut empty, mut node, mut inner) = (null_mut(), null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut empty, 0));
    let added = code!(cuGraphAddChildGraphNode(&raw mut node, outer, null(), 0, empty));
    call!(cuGraphDestroy(empty));
    if !added.is_success() {
        return Err(added);
    }
    call!(cuGraphChildGraphNodeGetGraph(node, &raw mut inner));
    Ok(inner)
}

fn conditional_body(outer: CUgraph) -> Result<CUgraph, Code> {
    add_conditional(outer, CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_IF, 1)
}

fn add_conditional(outer: CUgraph, kind: CUgraphConditionalNodeType, size: u32) -> Result<CUgraph, Code> {
    let (mut handle, mut node, mut context) = (0, null_mut(), null_mut());
    call!(cuCtxGetCurrent(&raw mut context));
    call!(cuGraphConditionalHandleCreate(&raw mut handle, outer, context, 1, 1));
    // SAFETY: zero is a value of all fields.
    let mut params: CUgraphNodeParams = unsafe { core::mem::zeroed() };
    params.type_ = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.__bindgen_anon_1.conditional =
        CUDA_CONDITIONAL_NODE_PARAMS { handle, type_: kind, size, phGraph_out: null_mut(), ctx: context };
    match code!(cuGraphAddNode_v2(&raw mut node, outer, null(), null(), 0, &raw mut params)) {
        Code::CUDA_SUCCESS => {
            // SAFETY: the variant of the type that was given.
            let given = unsafe { params.__bindgen_anon_1.conditional };
            // SAFETY: the driver has written where as many graphs are as were asked for.
            Ok(unsafe { given.phGraph_out.read() })
        }
        code => Err(code),
    }
}

/// Runs work on a thread with a quarter of the usual stack. A driver that follows nested graphs by recursion overflows it.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

/// Copies a graph, writes it as text, and launches the copy. Then destroys all of it.
fn use_copy(graph: CUgraph, at: u64) {
    let (mut copy, mut executable) = (null_mut(), null_mut());
    call!(cuGraphClone(&raw mut copy, graph));
    let path = std::env::temp_dir().join(format!("cuda-suite-nested-{}.dot", std::process::id()));
    let text = CString::new(path.to_str().unwrap()).unwrap();
    call!(cuGraphDebugDotPrint(copy, text.as_ptr(), 0));
    let drawn = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(drawn.matches("subgraph").count(), 1023);
    assert_eq!(drawn.matches('{').count(), drawn.matches('}').count());
    call!(cuMemsetD32_v2(at, 0, 1));
    call!(cuGraphInstantiateWithFlags(&raw mut executable, copy, 0));
    call!(cuGraphDestroy(copy));
    call!(cuGraphLaunch(executable, null_mut()));
    call!(cuCtxSynchronize());
    assert_eq!(read(at), 5);
    call!(cuGraphExecDestroy(executable));
}

#[test]
fn graphs_that_nest_too_deep_are_refused() {
    for (add, can_be_copied) in [(copied_child as Nest, true), (conditional_body, false)] {
        on_small_stack(move || {
            let (_, _entered) = limited();
            let (mut outermost, mut outer, mut context) = (null_mut(), null_mut(), null_mut());
            call!(cuCtxGetCurrent(&raw mut context));
            call!(cuGraphCreate(&raw mut outermost, 0));
            let innermost = (1..1024).fold(outermost, |inner, _| add(inner).unwrap());
            // The deepest graph works.
            let (mut node, mut executable, at) = (null_mut(), null_mut(), allocate(4));
            let fill =
                CUDA_MEMSET_NODE_PARAMS { dst: at, pitch: 0, value: 5, elementSize: 4, width: 1, height: 1 };
            call!(cuGraphAddMemsetNode(&raw mut node, innermost, null(), 0, &raw const fill, context));
            call!(cuGraphInstantiateWithFlags(&raw mut executable, outermost, 0));
            call!(cuGraphLaunch(executable, null_mut()));
            call!(cuCtxSynchronize());
            assert_eq!(read(at), 5);
            // An update changes the deepest node.
            let fill = CUDA_MEMSET_NODE_PARAMS { value: 6, ..fill };
            call!(cuGraphMemsetNodeSetParams(node, &raw const fill));
            call!(cuGraphExecUpdate_v2(executable, outermost, null_mut()));
            call!(cuGraphLaunch(executable, null_mut()));
            call!(cuCtxSynchronize());
            assert_eq!(read(at), 6);
            let fill = CUDA_MEMSET_NODE_PARAMS { value: 5, ..fill };
            call!(cuGraphMemsetNodeSetParams(node, &raw const fill));
            if can_be_copied {
                use_copy(outermost, at);
            }
            // A graph inside the innermost one, and the graph inside another.
            assert_eq!(add(innermost), Err(Code::CUDA_ERROR_NOT_SUPPORTED));
            call!(cuGraphCreate(&raw mut outer, 0));
            let added = code!(cuGraphAddChildGraphNode(&raw mut node, outer, null(), 0, outermost));
            assert_eq!(added, Code::CUDA_ERROR_NOT_SUPPORTED);
            call!(cuGraphExecDestroy(executable));
            call!(cuGraphDestroy(outermost));
            check_usable();
        });
    }
}

#[test]
fn null_lists_with_a_length_are_refused() {
    let (_, _entered) = limited();
    let function = kernel(".visible .entry k() { ret; }");
    // SAFETY: zero is a value of all fields.
    let zero: CUlaunchConfig = unsafe { core::mem::zeroed() };
    let (one, most) = (1, u32::MAX);
    let config = CUlaunchConfig {
        gridDimX: one,
        gridDimY: one,
        gridDimZ: one,
        blockDimX: one,
        blockDimY: one,
        blockDimZ: one,
        numAttrs: most,
        ..zero
    };
    let mut count = 0;
    let answers = [
        code!(cuLaunchKernelEx(&raw const config, function, null_mut(), null_mut())),
        code!(cuOccupancyMaxActiveClusters(&raw mut count, function, &raw const config)),
        code!(cuOccupancyMaxPotentialClusterSize(&raw mut count, function, &raw const config)),
    ];
    assert_eq!(answers, [Code::CUDA_ERROR_INVALID_VALUE; 3]);
    check_usable();
}

#[test]
fn null_places_for_answers_are_refused() {
    let (_, _entered) = limited();
    let (mut first, mut second) = (null_mut(), null_mut());
    for event in [&mut first, &mut second] {
        call!(cuEventCreate(event, 0));
        call!(cuEventRecord(*event, null_mut()));
    }
    let answers = [
        code!(cuCtxGetCurrent(null_mut())),
        code!(cuStreamGetGreenCtx(stream(0), null_mut())),
        code!(cuEventElapsedTime_v2(null_mut(), first, second)),
    ];
    let (value, handle) = (Code::CUDA_ERROR_INVALID_VALUE, Code::CUDA_ERROR_INVALID_HANDLE);
    assert_eq!(answers, [value, value, handle]);
    assert_eq!(cuda_sim::internal_errors(), 0);
    check_usable();
}

#[test]
fn too_many_graphs_in_a_node_are_refused() {
    let (_, _entered) = limited();
    let mut graph = null_mut();
    call!(cuGraphCreate(&raw mut graph, 0));
    for size in [u32::MAX, 1 << 30] {
        let added = add_conditional(graph, CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_SWITCH, size);
        assert_eq!(added, Err(Code::CUDA_ERROR_OUT_OF_MEMORY));
    }
    check_usable();
}

/// Uses the object with some bits as its handle.
type Use = fn(u64) -> Code;

#[test]
fn handles_of_no_live_object_are_refused() {
    let (_, _entered) = limited();
    fn pointer<T>(bits: u64) -> *mut T {
        core::ptr::without_provenance_mut(bits as usize)
    }
    let uses: [Use; 14] = [
        |bits| code!(cuCtxSetCurrent(pointer(bits))),
        |bits| code!(cuCtxDestroy_v2(pointer(bits))),
        |bits| code!(cuStreamSynchronize(pointer(bits))),
        |bits| code!(cuStreamDestroy_v2(pointer(bits))),
        |bits| code!(cuEventRecord(pointer(bits), null_mut())),
        |bits| code!(cuEventDestroy_v2(pointer(bits))),
        |bits| code!(cuModuleUnload(pointer(bits))),
        |bits| start(pointer(bits), [1; 3], 1, &mut []),
        |bits| code!(cuLibraryUnload(pointer(bits))),
        |bits| code!(cuArrayDestroy(pointer(bits))),
        |bits| code!(cuMemPoolDestroy(pointer(bits))),
        |bits| code!(cuGraphDestroy(pointer(bits))),
        |bits| code!(cuGraphDestroyNode(pointer(bits))),
        |bits| code!(cuGraphLaunch(pointer(bits), null_mut())),
    ];
    // A linker and its like are used by none of these functions.
    let (mut linker, mut texture) = (null_mut(), null_mut());
    call!(cuLinkCreate_v2(0, null_mut(), null_mut(), &raw mut linker));
    call!(cuTexRefCreate(&raw mut texture));
    let (mut graph, mut executable) = (null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut graph, 0));
    call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
    let gone = stream(0);
    let bits =
        [linker.addr(), texture.addr(), gone.addr(), graph.addr(), executable.addr()].map(|bits| bits as u64);
    call!(cuStreamDestroy_v2(gone));
    call!(cuGraphExecDestroy(executable));
    call!(cuGraphDestroy(graph));
    for bits in
        bits.into_iter().chain([3, 4096, 0xdead_beef, bits[0] + 1, bits[2] + 64 * 9999, 1 << 63, u64::MAX])
    {
        for (number, make_use) in uses.iter().enumerate() {
            assert!(!make_use(bits).is_success(), "use {number} of {bits:#x}");
        }
    }
    call!(cuTexRefDestroy(texture));
    call!(cuLinkDestroy(linker));
    check_usable();
}

#[test]
fn chains_across_streams_are_no_trouble() {
    for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random(1)] {
        let (_, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let streams: Vec<CUstream> = (0..1000).map(|_| stream(1)).collect();
        let at = allocate(4 * 1000);
        for round in 0..3 {
            for (index, pair) in streams.windows(2).enumerate() {
                let mut event = null_mut();
                call!(cuEventCreate(&raw mut event, 2));
                call!(cuMemsetD32Async(at + 4 * index as u64, round, 1, pair[0]));
                call!(cuEventRecord(event, pair[0]));
                call!(cuStreamWaitEvent(pair[1], event, 0));
                call!(cuEventDestroy_v2(event));
            }
        }
        call!(cuStreamSynchronize(streams[999]));
        assert_eq!(read(at), 2);
    }
}
