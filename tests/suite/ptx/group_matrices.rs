//! `wgmma`: products of four warps, with one or two matrices in shared memory.
//!
//! All numbers are small integers, so that sums are exact in whatever order they are made.

use super::matrices::{SparseMatrix, bits, encode, values};
use super::{Arg, Device};
use cuda_rt::error::Code;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, LaunchConfig, Module};

/// Bytes of the image of shared memory: `a` in the first half, `b` in the second.
const IMAGE: usize = 40 << 10;

/// Place of a matrix in shared memory. `b` is stored by columns, so that both matrices have lines along the depth.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Bytes in which addresses are permuted: 0, 32, 64 or 128.
    swizzle: usize,
    /// True if elements of different lines are adjacent.
    is_transposed: bool,
    /// Bytes.
    start: usize,
    leading: usize,
    stride: usize,
    /// Row of the permutation in which its pattern begins.
    base: usize,
}

impl Layout {
    /// Returns the address of an element, as the descriptors of the PTX manual define it.
    fn address(&self, kind: &str, line: usize, depth: usize) -> usize {
        let Self { swizzle, is_transposed, start, leading, stride, base } = *self;
        let offset = match (swizzle, is_transposed) {
            (0, false) => {
                let byte = depth * bits(kind) / 8;
                line % 8 * 16 + line / 8 * stride + byte / 16 * leading + byte % 16
            }
            (0, true) => line / 8 * stride + line % 8 * 2 + depth % 8 * 16 + depth / 8 * leading,
            (span, false) => line % 8 * span + line / 8 * stride + depth * bits(kind) / 8,
            (span, true) => {
                let byte = 2 * line;
                byte / span * leading + byte % span + depth % 8 * span + depth / 8 * stride
            }
        };
        let address = start + offset;
        let row = match swizzle {
            0 => 0,
            span => (address / 128 + 8 - base) % (span / 16),
        };
        address ^ row << 4
    }

    fn descriptor(&self) -> u64 {
        let mode = match self.swizzle {
            0 => 0,
            128 => 1,
            64 => 2,
            _ => 3,
        };
        (self.start >> 4 | self.leading >> 4 << 16 | self.stride >> 4 << 32 | self.base << 49) as u64
            | mode << 62
    }
}

/// Product of a shape and some types.
#[derive(Debug, Clone, Copy)]
struct Case {
    columns: usize,
    /// Types of `d`, `a` and `b`.
    kinds: [&'static str; 3],
    /// Layout of `a`, or `None` for registers.
    a: Option<Layout>,
    b: Layout,
    /// True if `d` is added.
    adds: bool,
    /// Factors of `a` and `b`, 1 or -1.
    signs: [i32; 2],
    saturates: bool,
    /// Number in addition to `d` before the product.
    start: i32,
    /// Selector of the lanes with metadata, if half of the elements of `a` are left out.
    selector: Option<usize>,
}

impl Case {
    fn new(columns: usize, kinds: [&'static str; 3], a: Option<Layout>, b: Layout) -> Self {
        Self { columns, kinds, a, b, adds: true, signs: [1, 1], saturates: false, start: 0, selector: None }
    }

    /// Returns the number of stored elements in a row of `a`.
    fn width(&self) -> usize {
        256 / bits(self.kinds[1])
    }

    fn depth(&self) -> usize {
        self.width() * if self.selector.is_some() { 2 } else { 1 }
    }

    /// Returns the row and column of element `i` of a thread in `d`.
    fn sum(thread: usize, i: usize) -> [usize; 2] {
        let lane = thread % 32;
        [thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2]
    }

    /// Returns the row and column of element `i` of a thread in `a`.
    fn left(&self, thread: usize, i: usize) -> [usize; 2] {
        let per = 32 / bits(self.kinds[1]);
        let (lane, register) = (thread % 32, i / per);
        let row = thread / 32 * 16 + lane / 4 + register % 2 * 8;
        [row, lane % 4 * per + i % per + register / 2 * 4 * per]
    }

    fn instruction(&self) -> String {
        let [d, a, b] = self.kinds;
        let is_integer = d == "s32";
        let count = self.columns / 2 * bits(d) / 32;
        let list = |name: &str, count: usize| {
            let names: Vec<String> = (0..count).map(|number| format!("%{name}{number}")).collect();
            format!("{{{}}}", names.join(", "))
        };
        let left = if self.a.is_some() { "%da".into() } else { list("a", 4) };
        let mut rest = String::new();
        if !is_integer {
            rest += &format!(", {}, {}", self.signs[0], self.signs[1]);
        }
        if matches!(a, "f16" | "bf16") {
            if let Some(layout) = self.a {
                rest += &format!(", {}", u8::from(layout.is_transposed));
            }
            rest += &format!(", {}", u8::from(self.b.is_transposed));
        }
        let suffix = match (a, self.saturates) {
            ("b1", _) => ".and.popc",
            (_, true) => ".satfinite",
            _ => "",
        };
        let (sparse, metadata) = match self.selector {
            Some(selector) => (".sp", format!("%e, {selector}, ")),
            None => ("", String::new()),
        };
        format!(
            "wgmma.mma_async{sparse}.sync.aligned.m64n{}k{}.{d}.{a}.{b}{suffix} {}, {left}, %db, {metadata}%adds{rest};",
            self.columns,
            self.depth(),
            list("d", count)
        )
    }

    fn run(&self, image: &[u32], left: &[u32], sums: &[u32], metadata: &[u32]) -> Result<Vec<u32>, Error> {
        let count = sums.len() / 128;
        let register = if self.kinds[0] == "f32" { "f32" } else { "b32" };
        let mut body = format!(
            ".reg .b32 %r<8>, %e; .reg .b64 %x<8>; .reg .pred %adds, %p; .reg .b64 %da, %db;\n\
             .reg .{register} %d<{count}>; .reg .b32 %a<4>; .shared .align 1024 .b8 tile[{IMAGE}];\n\
             ld.param.b64 %x0, [image]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile;\n\
             FILL: cvt.u64.u32 %x1, %r1; add.s64 %x1, %x0, %x1; ld.global.b32 %r3, [%x1];\n\
             add.u32 %r4, %r2, %r1; st.shared.b32 [%r4], %r3; add.u32 %r1, %r1, 512;\n\
             setp.lt.u32 %p, %r1, {IMAGE}; @%p bra FILL;\n\
             fence.proxy.async; bar.sync 0;\n\
             ld.param.b64 %da, [da]; ld.param.b64 %db, [db]; shr.u32 %r2, %r2, 4; cvt.u64.u32 %x2, %r2;\n\
             add.s64 %da, %da, %x2; add.s64 %db, %db, %x2;\n\
             ld.param.b32 %r5, [adds]; setp.ne.u32 %adds, %r5, 0;\n\
             ld.param.b64 %x3, [left]; mul.wide.u32 %x4, %r0, 16; add.s64 %x3, %x3, %x4;\n\
             ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%x3];\n\
             ld.param.b64 %x3, [metadata]; mul.wide.u32 %x4, %r0, 4; add.s64 %x3, %x3, %x4; ld.global.b32 %e, [%x3];\n\
             ld.param.b64 %x5, [sums]; mul.wide.u32 %x4, %r0, {}; add.s64 %x5, %x5, %x4;\n",
            4 * count
        );
        for number in 0..count {
            body += &format!("ld.global.b32 %d{number}, [%x5+{}];\n", 4 * number);
        }
        body += "wgmma.fence.sync.aligned;\n";
        body += &self.instruction();
        body += "\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n";
        for number in 0..count {
            body += &format!("st.global.b32 [%x5+{}], %d{number};\n", 4 * number);
        }
        body += "ret;";
        let params = ".param .b64 sums, .param .b64 left, .param .b64 image, .param .b64 da, .param .b64 db, \
                      .param .b64 metadata, .param .b32 adds";
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k({params})\n{{\n{body}\n}}\n"
        );
        let mut device = Device::new(&text);
        let buffers = [sums, left, image, metadata].map(|values| device.alloc_u32(values));
        let [sums, left, image, metadata] = buffers.map(Arg::Buffer);
        let descriptors = [self.a.unwrap_or(self.b), self.b].map(|layout| Arg::U64(layout.descriptor()));
        let [da, db] = descriptors;
        let adds = Arg::U32(self.adds.into());
        device.try_run("k", [1, 1, 1], [128, 1, 1], 0, &[sums, left, image, da, db, metadata, adds])?;
        Ok(device.u32s(buffers[0]))
    }

    fn check(&self) {
        let [d, a, b] = self.kinds;
        let (columns, depth) = (self.columns, self.depth());
        let sparse = self.selector.map(|selector| (SparseMatrix::new(a, [64, depth], 1), selector));
        let left = sparse.as_ref().map_or_else(|| values(a, 64 * depth, 1), |(matrix, _)| matrix.whole());
        let right = values(b, columns * depth, 2);
        let sums: Vec<i32> = values(d, 64 * columns, 3).into_iter().map(|sum| self.start + sum).collect();
        let mut image = vec![0_u8; IMAGE];
        let mut store = |layout: &Layout, kind: &str, lines: usize, values: &[i32]| {
            let width = values.len() / lines;
            for line in 0..lines {
                for index in 0..width {
                    let at = layout.address(kind, line, index);
                    let bits = encode(kind, values[line * width + index]);
                    match kind {
                        "b1" => image[at] |= (bits as u8) << (index % 8),
                        "tf32" => image[at..at + 4].copy_from_slice(&(bits as u32).to_le_bytes()),
                        "f16" | "bf16" => image[at..at + 2].copy_from_slice(&(bits as u16).to_le_bytes()),
                        _ => image[at] = bits as u8,
                    }
                }
            }
        };
        let stored = sparse.as_ref().map_or(&left, |(matrix, _)| &matrix.stored);
        let metadata = (0..4).flat_map(|warp| match &sparse {
            Some((matrix, selector)) => matrix.metadata(a, 16 * warp, *selector),
            None => vec![0; 32],
        });
        let metadata: Vec<u32> = metadata.collect();
        if let Some(layout) = &self.a {
            store(layout, a, 64, stored);
        }
        store(&self.b, b, columns, &right);
        let image: Vec<u32> =
            image.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let pack =
            |kind: &str, registers: usize, place: &dyn Fn(usize, usize) -> [usize; 2], matrix: &[i32]| {
                let per = 32 / bits(kind);
                let width = matrix.len() / 64;
                let mut words = Vec::new();
                for thread in 0..128 {
                    for register in 0..registers {
                        words.push((0..per).fold(0, |word, part| {
                            let [row, column] = place(thread, register * per + part);
                            word | (encode(kind, matrix[row * width + column]) as u32) << (part * bits(kind))
                        }));
                    }
                }
                words
            };
        let count = columns / 2 * bits(d) / 32;
        let found = self.run(
            &image,
            &pack(a, 4, &|thread, i| self.left(thread, i), stored),
            &pack(d, count, &Self::sum, &sums),
            &metadata,
        );
        let found = found.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let mut expected = vec![0; 64 * columns];
        let sign = self.signs[0] * self.signs[1];
        for row in 0..64 {
            for column in 0..columns {
                let products = (0..depth).map(|index| {
                    let (a, b) = (left[row * depth + index], right[column * depth + index]);
                    sign * a * b
                });
                let start = if self.adds { sums[row * columns + column] } else { 0 };
                let (sum, overflows) = start.overflowing_add(products.sum::<i32>());
                expected[row * columns + column] = if overflows && self.saturates { i32::MAX } else { sum };
            }
        }
        assert_eq!(found, pack(d, count, &Self::sum, &expected), "{self:?}");
    }
}

/// Layout of lines without permutation, one after another.
fn plain(start: usize) -> Layout {
    Layout { swizzle: 0, is_transposed: false, start, leading: 128, stride: 256, base: 0 }
}

/// Start of `b`.
const B: usize = IMAGE / 2;

/// Layouts of a matrix of some lines, whose elements have some bytes.
fn layouts(lines: usize, start: usize, is_transposed: bool) -> Vec<Layout> {
    let mut found = Vec::new();
    let layout =
        |swizzle, leading, stride| Layout { swizzle, is_transposed, start, leading, stride, base: 0 };
    for swizzle in [0, 32, 64, 128] {
        let atom = 8 * swizzle.max(16);
        if is_transposed {
            let across = (2 * lines).div_ceil(swizzle.max(16));
            let (first, second) = (layout(swizzle, atom, across * atom), layout(swizzle, 2 * atom, atom));
            // Without permutation, the two distances have the opposite meaning.
            let swapped =
                |layout: Layout| Layout { leading: layout.stride, stride: layout.leading, ..layout };
            found.extend([first, second].map(|layout| if swizzle == 0 { swapped(layout) } else { layout }));
        } else if swizzle == 0 {
            found.extend([layout(0, 128, 256), layout(0, lines / 8 * 128, 128)]);
        } else {
            // The leading distance has no meaning.
            found.push(layout(swizzle, 16, atom));
            found.push(Layout { start: start + 384, base: 3, ..layout(swizzle, 16, atom) });
            // The second part of the depth of an atom.
            if swizzle > 32 {
                found.push(Layout { start: start + 32, ..layout(swizzle, 48, atom) });
            }
        }
    }
    found
}

#[test]
fn group_products_of_every_type() {
    let kinds = [
        ["f32", "f16", "f16"],
        ["f16", "f16", "f16"],
        ["f32", "bf16", "bf16"],
        ["f32", "tf32", "tf32"],
        ["f32", "e4m3", "e5m2"],
        ["f16", "e5m2", "e4m3"],
        ["s32", "s8", "s8"],
        ["s32", "u8", "s8"],
        ["s32", "b1", "b1"],
    ];
    for kinds in kinds {
        for columns in [8, 24, 64, 256] {
            Case::new(columns, kinds, Some(plain(0)), plain(B)).check();
            Case::new(columns, kinds, None, plain(B)).check();
        }
    }
}

#[test]
fn group_products_of_every_layout() {
    for is_transposed in [false, true] {
        for columns in [8, 40, 128] {
            for b in layouts(columns, B, is_transposed) {
                Case::new(columns, ["f32", "f16", "f16"], None, b).check();
            }
        }
        for a in layouts(64, 0, is_transposed) {
            Case::new(16, ["f32", "bf16", "bf16"], Some(a), plain(B)).check();
        }
    }
    for kind in ["s8", "tf32", "b1"] {
        let d = if kind == "tf32" { "f32" } else { "s32" };
        for b in layouts(32, B, false) {
            Case::new(32, [d, kind, kind], None, b).check();
        }
    }
}

#[test]
fn group_products_with_signs_and_without_sums() {
    for a in [None, Some(plain(0))] {
        for signs in [[1, -1], [-1, 1], [-1, -1]] {
            for adds in [false, true] {
                let case = Case::new(16, ["f32", "f16", "f16"], a, plain(B));
                Case { signs, adds, ..case }.check();
            }
        }
    }
    for saturates in [false, true] {
        let case = Case::new(16, ["s32", "u8", "u8"], None, plain(B));
        Case { saturates, start: i32::MAX - 1000, ..case }.check();
        Case { adds: false, saturates, ..case }.check();
    }
}

#[test]
fn group_products_of_sparse_matrices() {
    let kinds: [([&str; 3], usize); 9] = [
        (["f32", "f16", "f16"], 2),
        (["f16", "f16", "f16"], 2),
        (["f32", "bf16", "bf16"], 2),
        (["f32", "tf32", "tf32"], 2),
        (["f32", "e4m3", "e5m2"], 1),
        (["f16", "e5m2", "e4m3"], 1),
        (["s32", "s8", "s8"], 1),
        (["s32", "u8", "s8"], 1),
        (["s32", "u8", "u8"], 1),
    ];
    let b = Layout { leading: 128, stride: 512, ..plain(B) };
    for (kinds, selectors) in kinds {
        for selector in (0..selectors).map(Some) {
            for columns in [8, 24, 128] {
                for a in [Some(plain(0)), None] {
                    Case { selector, ..Case::new(columns, kinds, a, b) }.check();
                }
            }
        }
    }
    let kinds = ["f32", "f16", "f16"];
    for a in layouts(64, 0, false).into_iter().chain(layouts(64, 0, true)) {
        Case { selector: Some(1), signs: [-1, 1], adds: false, ..Case::new(16, kinds, Some(a), b) }.check();
    }
}

#[test]
fn matrix_outside_of_shared_memory_is_a_fault() {
    crate::alone("ptx::group_matrices::matrix_outside_of_shared_memory_is_a_fault", || {
        let case = Case::new(8, ["f32", "f16", "f16"], None, plain(B + IMAGE));
        let error = case.run(&[0; IMAGE / 4], &[0; 512], &[0; 512], &[0; 128]).unwrap_err();
        assert_eq!(error.code(), Some(Code::IllegalAddress), "{error}");
    });
}

/// Stages of the pipeline.
const STAGES: u32 = 12;

/// Four warps multiply by a matrix that a fifth warp writes for every stage. One thread of the four warps releases the memory when
/// it has waited for the product. The blocks of a cluster write other numbers.
fn pipeline(context: &Context, cluster: Option<[u32; 3]>) {
    let mut device = Device::in_context(
        context,
        ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .b64 out)\n{\n\
         .reg .b32 %r<12>; .reg .b64 %x<4>; .reg .pred %p; .reg .f32 %d<4>; .reg .b32 %a; .reg .b16 %h; .reg .f32 %f;\n\
         .shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 full; .shared .align 8 .b64 empty;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 0; setp.ne.u32 %p, %r0, 0; @%p bra READY;\n\
         mbarrier.init.shared.b64 [full], 32; mbarrier.init.shared.b64 [empty], 1;\n\
         READY: bar.sync 0; setp.ge.u32 %p, %r0, 128; @%p bra PRODUCE;\n\
         mov.u32 %r3, tile; and.b32 %r3, %r3, 0x3ffff; shr.u32 %r3, %r3, 4; cvt.u64.u32 %x0, %r3;\n\
         or.b64 %x0, %x0, 0x1000080000; mov.b32 %a, 0x3c003c00;\n\
         mov.f32 %d0, 0f00000000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;\n\
         CONSUME: and.b32 %r4, %r2, 1;\n\
         FULL: mbarrier.try_wait.parity.shared.b64 %p, [full], %r4; @!%p bra FULL;\n\
         wgmma.fence.sync.aligned;\n\
         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a, %a, %a, %a}, %x0, 1, 1, 1, 0;\n\
         wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n\
         setp.ne.u32 %p, %r0, 0; @%p bra KEPT; mbarrier.arrive.shared.b64 _, [empty];\n\
         KEPT: add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 12; @%p bra CONSUME;\n\
         ld.param.b64 %x1, [out]; mad.lo.u32 %r5, %r1, 128, %r0; mul.wide.u32 %x2, %r5, 16; add.s64 %x1, %x1, %x2;\n\
         st.global.v4.f32 [%x1], {%d0, %d1, %d2, %d3}; bra DONE;\n\
         PRODUCE: setp.eq.u32 %p, %r2, 0; @%p bra FREE; sub.u32 %r4, %r2, 1; and.b32 %r4, %r4, 1;\n\
         EMPTY: mbarrier.try_wait.parity.shared.b64 %p, [empty], %r4; @!%p bra EMPTY;\n\
         FREE: shl.b32 %r5, %r2, 1; add.u32 %r5, %r5, %r1; add.u32 %r5, %r5, 1; cvt.rn.f32.u32 %f, %r5; cvt.rn.f16.f32 %h, %f;\n\
         mov.b32 %r6, {%h, %h}; sub.u32 %r7, %r0, 128; shl.b32 %r7, %r7, 3; mov.u32 %r8, tile; add.u32 %r8, %r8, %r7;\n\
         st.shared.v2.b32 [%r8], {%r6, %r6}; fence.proxy.async; mbarrier.arrive.shared.b64 _, [full];\n\
         add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 12; @%p bra PRODUCE;\n\
         DONE: ret;\n}\n",
    );
    let out = device.alloc_f32(&[0.0; 2 * 128 * 4]);
    device.run_in_clusters("k", [2, 1, 1], cluster, 160, out);
    let found = device.f32s(out);
    for block in 0..2 {
        let expected = (0..STAGES).map(|stage| 16 * (2 * stage + block + 1)).sum::<u32>() as f32;
        let numbers = &found[block as usize * 512..][..512];
        assert_eq!(numbers, [expected; 512], "block {block}, clusters of {cluster:?}");
    }
}

#[test]
fn memory_is_free_when_one_warp_has_waited() {
    let both = |context: &Context| {
        [None, Some([2, 1, 1])].into_iter().for_each(|cluster| pipeline(context, cluster))
    };
    both(&cuda_suite::context());
    if cuda_suite::driver() == cuda_suite::Choice::Sim {
        for seed in 0..20 {
            let schedule = cuda_sim::Schedule::Random(seed);
            let machine = cuda_sim::Machine::new(cuda_sim::Config { schedule, ..Default::default() });
            let _entered = machine.enter();
            let device = cuda_rt::Device::get(0).unwrap();
            both(&Context::new(device, Default::default()).unwrap());
        }
    }
}

/// One warp arrives last, and writes a matrix before that. The product of all warps uses what it wrote.
#[test]
fn a_product_begins_when_all_four_warps_have_arrived() {
    let text = ".version 8.0 .target sm_90a .address_size 64
        .shared .align 1024 .b8 space[4096];
        .visible .entry multiply(.param .u64 out, .param .u32 last) {
            .reg .pred %is; .reg .b32 %t, %warp, %lane, %last, %base, %at, %b, %ones, %zero; .reg .b64 %o, %p, %da, %db;
            .reg .f32 %f<4>;
            ld.param.u64 %o, [out]; ld.param.u32 %last, [last];
            mov.u32 %t, %tid.x; shr.u32 %warp, %t, 5; and.b32 %lane, %t, 31;
            mov.u32 %base, space; mov.u32 %ones, 0x3c003c00; mov.u32 %zero, 0;
            shl.b32 %at, %t, 4; add.u32 %at, %at, %base;
            st.shared.v4.b32 [%at], {%ones, %ones, %ones, %ones};
            shl.b32 %b, %lane, 3; add.u32 %b, %b, %base;
            st.shared.v2.b32 [%b+2048], {%zero, %zero};
            fence.proxy.async.shared::cta;
            bar.sync 0;
            setp.ne.u32 %is, %warp, %last;
            @%is bra GO;
            nanosleep.u32 20000;
            st.shared.v2.b32 [%b+2048], {%ones, %ones};
            fence.proxy.async.shared::cta;
        GO:
            cvt.u64.u32 %da, %base; shr.u64 %da, %da, 4; and.b64 %da, %da, 0x3fff; or.b64 %da, %da, 0x0000001000080000;
            add.u64 %db, %da, 128;
            mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %da, %db, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            mul.wide.u32 %p, %t, 4; add.u64 %p, %p, %o; st.global.f32 [%p], %f0;
            ret; }";
    let context = cuda_suite::context();
    let module = Module::from_ptx(&context, text).unwrap();
    let kernel = crate::typed::<(DevicePtr<f32>, u32)>(&module.function("multiply").unwrap());
    let stream = cuda_suite::stream();
    for last in 0..4 {
        let out = DeviceBuf::<f32>::zeroed(&stream, 128).unwrap();
        // SAFETY: each thread writes one of the 128 numbers.
        unsafe { kernel.with(LaunchConfig::new(1, 128)).launch(&stream, (out.ptr(), last)) }.unwrap();
        assert_eq!(out.to_vec().unwrap(), [16.0; 128], "warp {last} arrives last");
    }
}
