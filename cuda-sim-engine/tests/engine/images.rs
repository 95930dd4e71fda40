//! Texture and surface instructions that the driver's compiler accepts, and its messages about the others, as read off
//! ptxas 13.0. This file also binds references, for tests that run any program.

use std::sync::Arc;

use super::{Program, TARGET};
use cuda_sim_engine::{AddressMode, Filter, Format, Image, Level, Resource, Shape, Texture, Textures};
use cuda_sim_engine::{CompileErrorKind, ReferenceKind};

/// Binds every reference to an image of four by four texels at `base`, with two levels.
pub(super) fn bound(program: &Program, base: u64) -> Arc<Textures> {
    let level = |address, edge: u32| Level {
        address,
        size: [edge, edge, 1],
        row: u64::from(edge) * 4,
        slice: u64::from(edge * edge) * 4,
    };
    let (first, second) = (level(base, 4), level(base + 64, 2));
    let image = |levels: Vec<Level>| Image {
        format: Format::Float,
        channels: 1,
        codec: None,
        shape: Shape::Array(2),
        levels,
    };
    let texture = Texture {
        image: image(vec![first, second]),
        addresses: [AddressMode::Mirror, AddressMode::Border, AddressMode::Wrap],
        filter: Filter::Linear,
        level_filter: Filter::Linear,
        bias: 0.0,
        level_range: [0.0, 4.0],
        anisotropy: 0,
        border: [1.0; 4],
        reads_integers: false,
        mipmapped: false,
        normalized: true,
        srgb: false,
    };
    let references = program.references().iter().map(|reference| match reference.kind {
        ReferenceKind::Texture => Some(Resource::Texture(texture.clone())),
        ReferenceKind::Surface => Some(Resource::Surface(image(vec![first]))),
        ReferenceKind::Sampler => None,
    });
    Arc::new(Textures { references: references.collect(), objects: Arc::default() })
}

fn source(body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n\
         .global .texref t; .global .surfref s; .visible .entry k(.param .u64 a, .param .texref pt, .param .surfref ps) {{ \
         .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %d<8>; .reg .b16 %h<9>; .reg .f16 %e<9>; .reg .pred %p, %q; \
         .reg .v4 .f32 %vf; .reg .v2 .f32 %v2; {body} ret; }}\n"
    )
}

/// Returns the message of the log about an instruction, without its common prefix.
fn complaint(body: &str) -> String {
    let error = Program::compile(source(body).as_bytes(), &TARGET).unwrap_err();
    assert_eq!(error.kind, CompileErrorKind::Invalid);
    let lines = error.log.lines().filter(|line| !line.contains("aborted"));
    let lines: Vec<_> =
        lines.map(|line| line.split_once("error   : ").map_or(line, |(_, text)| text)).collect();
    lines.join("|")
}

#[test]
fn fuzzed_kernel_runs() {
    let text = include_str!("images.ptx");
    let program = Program::compile(text.as_bytes(), &TARGET).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.kernels()[0].unsupported(), None);
    let base = 1 << 48;
    let launch = cuda_sim_engine::Launch {
        grid: [1, 1, 1],
        block: [40, 1, 1],
        dynamic_shared: 0,
        params: vec![0; 24],
        globals: Vec::new(),
        textures: bound(&program, base),
        output: Arc::new(cuda_sim_engine::Output::new(0)),
        malloc_heap: None,
        children: None,
        limit: u64::MAX,
        at_once: 1,
        multiprocessors: super::device::MULTIPROCESSORS,
        timing: super::device::TIMING,
        workers: 1,
        vectors: true,
        cluster: Some([1; 3]),
        workspace: 0,
        order: None,
        injected: None,
        counter: None,
        observer: None,
    };
    let program = Arc::new(program);
    let mut buffers = [(base, vec![0x3f80_0000_3f80_0000_u64; 256])];
    let outcome = super::device::with_memory(&mut buffers, |memory| {
        super::launch_to_end(&program, &program.kernels()[0].name, launch, memory)
    });
    assert_eq!(outcome, Ok(()));
}

#[test]
fn taken() {
    let bodies = [
        "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,%f4];",
        "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3},[t,{%r4}];",
        "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5,%f5,%f5}];",
        "tex.2d.v4.f32.f32 %vf,[t,%v2];",
        "tex.3d.v4.f32.f32 %vf,[t,%vf];",
        "tex.a1d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%r4,%f5}];",
        "tex.a2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{0,%f5,%f6,0f00000000}];",
        "tex.cube.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5,%f6,%f6}];",
        "tex.acube.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%r4,%f5,%f6,%f6}];",
        "tex.base.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5}];",
        "tex.level.2d.v4.f32.s32 {%f0,%f1,%f2,%f3},[t,{%r4,%r5}],%r6;",
        "tex.grad.3d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5,%f6,%f6}],{%f6,%f7,%f7,%f7},{%f8,%f9,%f9,%f9};",
        "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}|%p,[t,{%f4,%f5}];",
        "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5}],{%r1,%r2};",
        "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[%d0,{%f4,1.0}];",
        "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[pt,{%f4,%f5}];",
        "mov.u64 %d0,pt; mov.u64 %d1,t; mov.u64 %d2,s; cvta.global.u64 %d3,t;",
        "tex.2d.v4.f32.f32 {%r0,_,_,%f3},[t,{%r4,%r5}];",
        "tex.2d.v4.f16.f32 {%e0,%e1,%e2,%e3},[t,{%f4,%f5}];",
        "tex.2d.v2.f16x2.f32 {%r0,%r1},[t,{%f4,%f5}];",
        "tld4.b.acube.v4.u32.f32 {%r0,%r1,%r2,%r3},[t,{%r4,%f5,%f6,%f6}];",
        "tld4.r.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[t,{%f4,%f5}],{1,2};",
        "txq.width.b32 %r0,[t]; txq.height.b32 %r0,[%d0]; txq.level.depth.b32 %f0,[t],3;",
        "suld.b.2d.b8.trap %h0,[s,{%r4,%r5}]; suld.b.2d.b8.trap %d0,[s,{%r4,%r5}];",
        "suld.b.2d.cg.b32.trap %f0,[ps,{%r4,%r5}]; suld.b.1d.b32.zero %r0,[%d0,%r4];",
        "suld.b.2d.v4.b8.clamp {%h0,%h1,%h2,%h3},[s,{%r4,%r5}];",
        "sust.b.2d.cs.b32.trap [s,{%r4,4}],0f3f800000; sust.b.2d.b8.trap [s,{%r4,%r5}],%r0;",
        "sust.p.2d.v2.b32.clamp [s,{%r4,%r5}],{%r0,%r1}; sust.p.a2d.b32.zero [s,{%r4,%r5,%r6,%r6}],%r0;",
        "sured.b.add.3d.u32.clamp [s,{%r4,%r5,%r6,%r6}],%r0; sured.b.min.2d.s64.trap [s,{%r4,%r5}],%d1;",
        "sured.p.max.2d.b64.trap [s,{%r4,%r5}],%d1; sured.p.and.2d.b32.trap [s,{%r4,%r5}],%r1;",
        "istypep.texref %p,%d0; istypep.surfref %p,%d0;",
    ];
    for body in bodies {
        let program = Program::compile(source(body).as_bytes(), &TARGET)
            .unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_eq!(program.kernels()[0].unsupported(), None, "{body}");
    }
}

#[test]
fn refused() {
    let cases = [
        ("tex.3d.v4.f32.f32 %vf,[t,{%f4,%f5,%f6}];", "Illegal vector size: 3"),
        (
            "tex.a2d.v4.f32.f32 %vf,[t,{%f4,%f5,%f6,%f6}];",
            "Array index in the 'tex' instruction has unexpected type. Expecting type .u32",
        ),
        ("tex.cube.v4.f32.s32 %vf,[t,{%r4,%r5,%r6,%r6}];", "Floating-point coordinates required"),
        ("tex.level.2d.v4.f32.s32 %vf,[t,{%r4,%r5}],%f6;", "Arguments mismatch for instruction 'tex.level'"),
        ("tex.2d.v2.f32.f32 {%f0,%f1},[t,{%f4,%f5}];", "Instruction 'tex.f32' requires .v4 type"),
        ("tex.2d.f32.f32 %f0,[t,{%f4,%f5}];", "Instruction 'tex.f32' requires .v4 type"),
        (
            "tex.2d.v4.f32.f32 %vf,[s,{%f4,%f5}];",
            "Argument 1 of instruction 'tex': .texref or .u64 register expected",
        ),
        (
            "tex.2d.v4.f32.f32 %vf,[a,{%f4,%f5}];",
            "Argument 1 of instruction 'tex': .texref or .u64 register expected",
        ),
        ("tex.2d.v4.f32.u32 %vf,[t,{%r4,%r4}];", "Integer coordinates require .s32 instruction type"),
        ("tex.v4.f32.f32 %vf,[t,{%f4,%f5}];", "Geometry modifier required for instruction 'tex'"),
        ("tex.2d.v4.f32.f32 %vf,[%r0,{%f4,%f5}];", "Arguments mismatch for instruction 'tex'"),
        ("tex.2d.v4.b32.f32 %vf,[t,{%f4,%f4}];", "Unexpected instruction types specified for 'tex'"),
        ("tex.2d.foo.v4.f32.f32 %vf,[t,{%f4,%f4}];", "Unknown modifier '.foo'"),
        ("tex.2d.ftz.v4.f32.f32 %vf,[t,{%f4,%f4}];", "Illegal modifier '.ftz' for instruction 'tex'"),
        ("tex.2d.1d.v4.f32.f32 %vf,[t,{%f4,%f4}];", "Multiple dimension modifiers specified"),
        ("tex.base.level.2d.v4.f32.f32 %vf,[t,{%f4,%f4}],%f5;", "Unknown modifier '.level'"),
        (
            "tex.cube.v4.f32.f32 %vf,[t,{%f4,%f4,%f4,%f4}],{1,2,3,3};",
            "Illegal modifier '.cube' for instruction 'tex'",
        ),
        ("tld4.2d.v4.f32.f32 %vf,[t,{%f4,%f5}];", "Component modifier required for instruction 'tld4'"),
        ("tld4.r.g.2d.v4.f32.f32 %vf,[t,{%f4,%f5}];", "Multiple component modifiers specified"),
        ("tld4.r.3d.v4.f32.f32 %vf,[t,%vf];", "Illegal modifier '.3d' for instruction 'tld4'"),
        ("tld4.r.2d.v4.f32.s32 %vf,[t,{%r4,%r5}];", "Unexpected instruction types specified for 'tld4'"),
        (
            "txq.force_unnormalized_coords.b32 %r0,[t];",
            "Argument 1 of instruction 'txq': .samplerref expected",
        ),
        ("txq.width.u32 %r0,[t];", "Unexpected instruction types specified for 'txq'"),
        ("txq.b32 %r0,[t];", "Query modifier required for instruction 'txq'"),
        ("txq.width.height.b32 %r0,[t];", "Multiple query modifiers specified"),
        ("txq.level.width.b32 %r0,[t];", "Arguments mismatch for instruction 'txq.level'"),
        ("txq.level.array_size.b32 %r0,[t],3;", "Illegal query modifier for instruction 'txq.level'"),
        ("txq.width.b32 %r0,[s];", "Argument 1 of instruction 'txq': .texref or .u64 register expected"),
        ("suq.width.b32 %r0,[t];", "Argument 1 of instruction 'suq': .surfref or .u64 register expected"),
        (
            "suld.b.2d.v4.b64.zero {%d0,%d1,%d2,%d3},[s,{%r4,%r5}];",
            "Vector type too large, exceeds 128 bit limit",
        ),
        ("suld.b.2d.f32.clamp %f0,[s,{%r4,%r5}];", "Unexpected instruction types specified for 'suld.b'"),
        ("suld.b.cube.b32.clamp %r0,[s,%vf];", "Illegal modifier '.cube' for instruction 'suld.b'"),
        ("suld.b.2d.b32 %r0,[s,{%r4,%r5}];", "Clamp modifier required for instruction 'suld.b'"),
        ("suld.2d.b32.trap %r0,[s,{%r4,%r5}];", "Not a name of any known instruction: 'suld'"),
        ("suld.b.2d.b32.trap.clamp %r0,[s,{%r4,%r5}];", "Multiple clamp modifiers specified"),
        (
            "suld.b.2d.v2.b32.trap %r0,[s,{%r4,%r5}];",
            "Result vector expected|Argument vector size mismatch for instruction 'suld.b'",
        ),
        ("suld.b.2d.b32.trap %r0,[s,{%f4,%f5}];", "Arguments mismatch for instruction 'suld.b'"),
        ("sust.p.2d.v4.f32.trap [s,{%r4,%r5}],%vf;", "Unexpected instruction types specified for 'sust.p'"),
        (
            "sured.b.add.2d.b32.trap [s,{%r4,%r5}],%r0;",
            "Incorrect type '.b32' for operation '.add' in instruction 'sured.b'",
        ),
        (
            "sured.b.and.2d.u64.trap [s,{%r4,%r5}],%d1;",
            "Incorrect type '.u64' for operation '.and' in instruction 'sured.b'",
        ),
        ("sured.b.or.2d.b64.trap [s,{%r4,%r5}],%d1;", "Unexpected instruction types specified for 'sured.b'"),
        (
            "sured.p.min.2d.u32.trap [s,{%r4,%r5}],%r0;",
            "Unexpected instruction types specified for 'sured.p'",
        ),
        (
            "sured.p.or.2d.b64.trap [s,{%r4,%r5}],%d1;",
            "Incorrect type '.b64' for operation '.or' in instruction 'sured.p'",
        ),
        (
            "sured.b.2d.u32.trap [s,{%r4,%r5}],%r0;",
            "Illegal operation '(null)' for instruction 'sured.b'|Reduction operation is required for instruction 'sured.b'",
        ),
        ("sured.b.add.min.2d.u32.trap [s,{%r4,%r5}],%r0;", "Multiple instruction post-operation flags set"),
        ("sured.b.add.a2d.u32.zero [s,%vf],%r0;", "Illegal modifier '.a2d' for instruction 'sured.b'"),
        ("istypep.texref %p,%r0;", "Arguments mismatch for instruction 'istypep'"),
        ("istypep %p,%d0;", "Unexpected instruction types specified for 'istypep'"),
        ("mov.b64 %d0,s;", "Indirect access to surface requires .u64 type"),
        ("ld.global.u32 %r0,[t];", "Illegal operand type to instruction 'ld'"),
        ("ld.param.u64 %d0,[pt];", "Illegal operand type to instruction 'ld'"),
    ];
    for (body, expected) in cases {
        assert_eq!(complaint(body), expected, "{body}");
    }
}
