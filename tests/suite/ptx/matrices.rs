//! Matrices that a warp holds together: `mma`, `wmma`, and instructions that move matrices.
//!
//! All numbers are small integers, so that sums are exact in whatever order they are made.

use super::{Arg, Device, numbers};

/// The bits of a small integer in a format.
pub(super) fn encode(kind: &str, value: i32) -> u64 {
    match kind {
        "f16" => {
            // Integers up to 2048 have a half-precision number.
            if value == 0 {
                return 0;
            }
            let magnitude = value.unsigned_abs();
            let exponent = 31 - magnitude.leading_zeros();
            let fraction = (magnitude << 10 >> exponent) & 0x3ff;
            u64::from(u32::from(value < 0) << 15 | (exponent + 15) << 10 | fraction)
        }
        "bf16" => u64::from((value as f32).to_bits() >> 16),
        "tf32" | "f32" => u64::from((value as f32).to_bits()),
        "f64" => f64::from(value).to_bits(),
        // Powers of two and their halves more, as far as three bits of fraction go.
        "e4m3" | "e5m2" => {
            let (fraction, bias) = if kind == "e4m3" { (3, 7) } else { (2, 15) };
            if value == 0 {
                return 0;
            }
            let magnitude = value.unsigned_abs();
            let exponent = 31 - magnitude.leading_zeros();
            let low = (magnitude << fraction >> exponent) & ((1 << fraction) - 1);
            assert_eq!((low | 1 << fraction) << exponent >> fraction, magnitude, "no such number");
            u64::from(u32::from(value < 0) << 7 | (exponent + bias) << fraction | low)
        }
        "s32" => u64::from(value as u32),
        "s8" | "u8" => u64::from(value as u8),
        "s4" | "u4" => (value & 15) as u64,
        "b1" => (value & 1) as u64,
        _ => panic!("{kind}"),
    }
}

pub(super) fn bits(kind: &str) -> usize {
    match kind {
        "f64" => 64,
        "tf32" | "f32" | "s32" => 32,
        "f16" | "bf16" => 16,
        "s8" | "u8" | "e4m3" | "e5m2" => 8,
        "s4" | "u4" => 4,
        _ => 1,
    }
}

/// Numbers that a format can hold and whose sums stay exact.
pub(super) fn values(kind: &str, count: usize, seed: u64) -> Vec<i32> {
    let (low, range) = match kind {
        "u8" => (0, 256),
        "s8" => (-128, 256),
        "u4" => (0, 16),
        "s4" => (-8, 16),
        "b1" => (0, 2),
        "s32" => (-1000, 2000),
        "e4m3" | "e5m2" => (-4, 9),
        _ => (-8, 17),
    };
    numbers(count, seed).into_iter().map(|number| low + ((number >> 20) as i32).rem_euclid(range)).collect()
}

/// One kind of `mma`: the instruction, its shape and types, and how many registers each operand has.
struct Case {
    instruction: String,
    shape: [usize; 3],
    /// The types of `d`, `a`, `b` and `c`.
    kinds: [&'static str; 4],
    registers: [usize; 4],
    /// Selector of the lanes with metadata, if half of the elements of `a` are left out.
    selector: Option<usize>,
}

/// Sparse matrix: the stored elements, and their columns.
pub(super) struct SparseMatrix {
    pub(super) stored: Vec<i32>,
    columns: Vec<usize>,
    depth: usize,
}

impl SparseMatrix {
    /// Makes a matrix with as many elements in each group of columns as the format demands.
    pub(super) fn new(kind: &str, [rows, depth]: [usize; 2], seed: u64) -> Self {
        let (group, pair) = match bits(kind) {
            32 => (2, 1),
            4 => (8, 2),
            _ => (4, 1),
        };
        let mut columns = Vec::new();
        let choices = numbers(rows * depth / group, seed + 100);
        for (number, choice) in choices.iter().enumerate() {
            let start = number % (depth / group) * group;
            let pairs: &[[usize; 2]] = match group {
                2 => &[[0, 0], [1, 1]],
                _ => &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
            };
            let chosen = pairs[(choice >> 8) as usize % pairs.len()];
            for unit in &chosen[..group / pair / 2] {
                columns.extend((0..pair).map(|part| start + unit * pair + part));
            }
        }
        Self { stored: values(kind, rows * depth / 2, seed), columns, depth }
    }

    /// Returns the matrix with its zeros.
    pub(super) fn whole(&self) -> Vec<i32> {
        let width = self.depth / 2;
        let mut whole = vec![0; 2 * self.stored.len()];
        for (index, (value, column)) in self.stored.iter().zip(&self.columns).enumerate() {
            whole[index / width * self.depth + column] = *value;
        }
        whole
    }

    /// Returns the metadata of each lane for some 16 rows, as measured (fact V1212). Lanes without metadata have wrong columns.
    pub(super) fn metadata(&self, kind: &str, first: usize, selector: usize) -> Vec<u32> {
        let width = self.depth / 2;
        let mut words = [0_u32; 32];
        let mut is_used = [false; 32];
        for row in 0..16 {
            for index in 0..width {
                let column = self.columns[(first + row) * width + index];
                let lanes = |bits: usize| selector * (width * bits / 16);
                let (lane, shift, code) = match bits(kind) {
                    32 => {
                        let code = [0b0100, 0b1110][column % 2];
                        (lanes(4) + index / 4, index % 4 * 4 + row / 8 * 16, code)
                    }
                    16 => (lanes(2) + index / 8, index % 8 * 2 + row / 8 * 16, column % 4),
                    8 => (lanes(2) + index / 16 * 2 + row / 8, index % 16 * 2, column % 4),
                    _ => (lanes(1) + index / 32 * 2 + row / 8, index % 32 / 2 * 2, column % 8 / 2),
                };
                let lane = row % 8 * 4 + lane;
                words[lane] |= (code as u32) << shift;
                is_used[lane] = true;
            }
        }
        words.iter().zip(is_used).map(|(word, is_used)| if is_used { *word } else { !word }).collect()
    }
}

impl Case {
    fn new(shape: [usize; 3], kinds: [&'static str; 4]) -> Self {
        let [m, n, k] = shape;
        let [d, a, b, c] = kinds;
        let count = |elements: usize, kind: &str| (elements / 32 / (32 / bits(kind)).max(1)).max(1);
        let suffix = if a == "b1" { ".xor.popc" } else { "" };
        Self {
            instruction: format!("mma.sync.aligned.m{m}n{n}k{k}.row.col.{d}.{a}.{b}.{c}{suffix}"),
            shape,
            kinds,
            registers: [count(m * n, d), count(m * k, a), count(k * n, b), count(m * n, c)],
            selector: None,
        }
    }

    fn sparse(shape: [usize; 3], kinds: [&'static str; 4], selector: usize) -> Self {
        let mut case = Self::new(shape, kinds);
        case.instruction = case.instruction.replace("mma.", "mma.sp::ordered_metadata.");
        case.registers[1] /= 2;
        case.selector = Some(selector);
        case
    }

    /// The place of element `i` of a lane in `a`, in the words of the PTX manual.
    fn left(&self, lane: usize, i: usize) -> [usize; 2] {
        let (group, thread) = (lane / 4, lane % 4);
        let [m, _, _] = self.shape;
        // Elements in a register, and how far apart the second half of the columns is.
        let per = (32 / bits(self.kinds[1])).max(1);
        let upper = |wanted: bool| if wanted { group + 8 } else { group };
        let register = i / per;
        match (m, per) {
            (8, _) => [group, thread * per + i],
            (_, 1) => [upper(i % 2 == 1), thread + i / 2 * 4],
            _ => [upper(register % 2 == 1), thread * per + i % per + if register >= 2 { 4 * per } else { 0 }],
        }
    }

    fn right(&self, lane: usize, i: usize) -> [usize; 2] {
        let (group, thread) = (lane / 4, lane % 4);
        let per = (32 / bits(self.kinds[2])).max(1);
        [thread * per + i % per + i / per * 4 * per, group]
    }

    fn sum(&self, lane: usize, i: usize) -> [usize; 2] {
        let row = if i < 2 { lane / 4 } else { lane / 4 + 8 };
        [row, lane % 4 * 2 + i % 2]
    }

    fn check(&self) {
        let [m, n, k] = self.shape;
        let sparse = self.selector.map(|selector| (SparseMatrix::new(self.kinds[1], [m, k], 1), selector));
        let a = sparse.as_ref().map_or_else(|| values(self.kinds[1], m * k, 1), |(matrix, _)| matrix.whole());
        let b = values(self.kinds[2], k * n, 2);
        let c = values(self.kinds[3], m * n, 3);
        let pack =
            |index: usize, place: &dyn Fn(usize, usize) -> [usize; 2], matrix: &[i32], width: usize| {
                let kind = self.kinds[index];
                let per = (32 / bits(kind)).max(1);
                let mut words = Vec::new();
                for lane in 0..32 {
                    for register in 0..self.registers[index] {
                        let mut value = 0;
                        for part in 0..per {
                            let [row, column] = place(lane, register * per + part);
                            value |= encode(kind, matrix[row * width + column]) << (part * bits(kind));
                        }
                        words.push(value);
                    }
                }
                words
            };
        let (stored, width) = sparse.as_ref().map_or((&a, k), |(matrix, _)| (&matrix.stored, k / 2));
        let left = pack(1, &|lane, i| self.left(lane, i), stored, width);
        let right = pack(2, &|lane, i| self.right(lane, i), &b, n);
        let sum = pack(3, &|lane, i| self.sum(lane, i), &c, n);
        let metadata = sparse.as_ref().map(|(matrix, selector)| matrix.metadata(self.kinds[1], 0, *selector));
        let found = self.run(&left, &right, &sum, &metadata.unwrap_or_default());
        let mut expected = vec![0; m * n];
        for row in 0..m {
            for column in 0..n {
                let products = (0..k).map(|index| {
                    let (a, b) = (a[row * k + index], b[index * n + column]);
                    if self.kinds[1] == "b1" { (a ^ b) & 1 } else { a * b }
                });
                expected[row * n + column] = c[row * n + column] + products.sum::<i32>();
            }
        }
        let wanted = pack(0, &|lane, i| self.sum(lane, i), &expected, n);
        assert_eq!(found, wanted, "{}", self.instruction);
    }

    /// One warp, every register a long in memory.
    fn run(&self, left: &[u64], right: &[u64], sum: &[u64], metadata: &[u32]) -> Vec<u64> {
        let mut body = String::from(
            ".reg .b64 %at<5>; .reg .b32 %lane, %e; .reg .b64 %x; mov.u32 %lane, %tid.x;\n\
             ld.param.b64 %at0, [d]; ld.param.b64 %at1, [a]; ld.param.b64 %at2, [b]; ld.param.b64 %at3, [c];\n",
        );
        if self.selector.is_some() {
            body += "ld.param.b64 %x, [e]; mul.wide.u32 %at4, %lane, 4; add.s64 %x, %x, %at4; ld.global.b32 %e, [%x];\n";
        }
        let mut lists = Vec::new();
        for (index, name) in ["d", "a", "b", "c"].into_iter().enumerate() {
            let kind = self.kinds[index];
            let memory = if kind == "f64" { "b64" } else { "b32" };
            let register = match kind {
                "f64" => "f64",
                "f32" => "f32",
                _ => "b32",
            };
            let count = self.registers[index];
            body += &format!(
                ".reg .{register} %{name}<{count}>; mul.wide.u32 %at4, %lane, {}; add.s64 %at{index}, %at{index}, %at4;\n",
                8 * count
            );
            let names: Vec<String> = (0..count).map(|number| format!("%{name}{number}")).collect();
            for (number, register) in names.iter().enumerate().filter(|_| index != 0) {
                body += &format!("ld.global.{memory} {register}, [%at{index}+{}];\n", 8 * number);
            }
            lists.push(format!("{{{}}}", names.join(", ")));
        }
        if let Some(selector) = self.selector {
            lists.push(format!("%e, {selector}"));
        }
        body += &format!("{} {};\n", self.instruction, lists.join(", "));
        let memory = if self.kinds[0] == "f64" { "b64" } else { "b32" };
        for number in 0..self.registers[0] {
            body += &format!("st.global.{memory} [%at0+{}], %d{number};\n", 8 * number);
        }
        body += "ret;";
        let params = ".param .b64 d, .param .b64 a, .param .b64 b, .param .b64 c, .param .b64 e";
        let mut device = Device::kernel(params, &body);
        let [d, a, b, c] = [vec![0; 32 * self.registers[0]], left.to_vec(), right.to_vec(), sum.to_vec()]
            .map(|values| device.alloc_u64(&values));
        let e = device.alloc_u32(if metadata.is_empty() { &[0] } else { metadata });
        device.run("k", [1, 1, 1], [32, 1, 1], &[d, a, b, c, e].map(Arg::Buffer));
        device.u64s(d)
    }
}

#[test]
fn products_of_floats() {
    for (shape, a, sums) in [
        ([16, 8, 8], "f16", &["f16", "f32"][..]),
        ([16, 8, 16], "f16", &["f16", "f32"]),
        ([16, 8, 8], "bf16", &["f32"]),
        ([16, 8, 16], "bf16", &["f32"]),
        ([16, 8, 4], "tf32", &["f32"]),
        ([16, 8, 8], "tf32", &["f32"]),
        ([8, 8, 4], "f64", &["f64"]),
        ([16, 8, 4], "f64", &["f64"]),
        ([16, 8, 8], "f64", &["f64"]),
        ([16, 8, 16], "f64", &["f64"]),
    ] {
        for sum in sums {
            Case::new(shape, [sum, a, a, sum]).check();
        }
    }
    for (a, b) in [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")] {
        Case::new([16, 8, 32], ["f32", a, b, "f32"]).check();
        Case::new([16, 8, 16], ["f32", a, b, "f32"]).check();
        Case::new([16, 8, 32], ["f16", a, b, "f16"]).check();
    }
}

#[test]
fn products_of_integers() {
    for (a, b) in [("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")] {
        for shape in [[8, 8, 16], [16, 8, 16], [16, 8, 32]] {
            Case::new(shape, ["s32", a, b, "s32"]).check();
        }
    }
    for (a, b) in [("s4", "s4"), ("s4", "u4"), ("u4", "s4"), ("u4", "u4")] {
        for shape in [[8, 8, 32], [16, 8, 32], [16, 8, 64]] {
            Case::new(shape, ["s32", a, b, "s32"]).check();
        }
    }
    for shape in [[8, 8, 128], [16, 8, 128], [16, 8, 256]] {
        Case::new(shape, ["s32", "b1", "b1", "s32"]).check();
    }
}

#[test]
fn products_of_sparse_matrices() {
    let cases: [(&str, &str, &[&str], usize, usize); 13] = [
        ("f16", "f16", &["f16", "f32"], 16, 4),
        ("f16", "f16", &["f16", "f32"], 32, 2),
        ("bf16", "bf16", &["f32"], 16, 4),
        ("bf16", "bf16", &["f32"], 32, 2),
        ("tf32", "tf32", &["f32"], 8, 4),
        ("tf32", "tf32", &["f32"], 16, 2),
        ("s8", "u8", &["s32"], 32, 2),
        ("u8", "s8", &["s32"], 64, 1),
        ("s8", "s8", &["s32"], 64, 1),
        ("s4", "u4", &["s32"], 64, 2),
        ("u4", "u4", &["s32"], 128, 1),
        ("e4m3", "e5m2", &["f32"], 64, 1),
        ("e5m2", "e5m2", &["f32"], 64, 1),
    ];
    for (a, b, sums, depth, selectors) in cases {
        for sum in sums {
            for selector in 0..selectors {
                Case::sparse([16, 8, depth], [sum, a, b, sum], selector).check();
            }
        }
    }
}

/// Four products at once, each by lanes `4 * q ..` and `16 + 4 * q ..`.
#[test]
fn products_by_quads() {
    for (a_layout, b_layout) in [("row", "col"), ("row", "row"), ("col", "col"), ("col", "row")] {
        for (d, c) in [("f32", "f32"), ("f16", "f16"), ("f32", "f16")] {
            let case = Case {
                instruction: format!("mma.sync.aligned.m8n8k4.{a_layout}.{b_layout}.{d}.f16.f16.{c}"),
                shape: [8, 8, 4],
                kinds: [d, "f16", "f16", c],
                registers: [if d == "f32" { 8 } else { 4 }, 2, 2, if c == "f32" { 8 } else { 4 }],
                selector: None,
            };
            let matrices: Vec<[Vec<i32>; 3]> =
                (0..4).map(|quad| [10, 20, 30].map(|seed| values("f16", 64, seed + quad))).collect();
            let upper = |lane: usize| if lane < 16 { 0 } else { 4 };
            let left = |lane: usize, i: usize| match a_layout {
                "row" => [lane % 4 + upper(lane), i],
                _ => [i % 4 + upper(lane), lane % 4],
            };
            let right = |lane: usize, i: usize| match b_layout {
                "row" => [lane % 4, i + upper(lane)],
                _ => [i, lane % 4 + upper(lane)],
            };
            let sum = |kind: &str, lane: usize, i: usize| match kind {
                "f16" => [lane % 4 + upper(lane), i],
                _ => [(lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1)],
            };
            let pack = |index: usize, element: &dyn Fn(usize, usize) -> i32| {
                let kind = case.kinds[index];
                let per = 32 / bits(kind);
                let mut words = Vec::new();
                for lane in 0..32 {
                    for register in 0..case.registers[index] {
                        words.push((0..per).fold(0, |word, part| {
                            word | encode(kind, element(lane, register * per + part)) << (part * bits(kind))
                        }));
                    }
                }
                words
            };
            let quad = |lane: usize| lane % 16 / 4;
            let factors = [
                pack(1, &|lane, i| {
                    let [row, column] = left(lane, i);
                    matrices[quad(lane)][0][row * 4 + column]
                }),
                pack(2, &|lane, i| {
                    let [row, column] = right(lane, i);
                    matrices[quad(lane)][1][row * 8 + column]
                }),
                pack(3, &|lane, i| {
                    let [row, column] = sum(c, lane, i);
                    matrices[quad(lane)][2][row * 8 + column]
                }),
            ];
            let expected = pack(0, &|lane, i| {
                let [row, column] = sum(d, lane, i);
                let [a, b, c] = &matrices[quad(lane)];
                c[row * 8 + column] + (0..4).map(|k| a[row * 4 + k] * b[k * 8 + column]).sum::<i32>()
            });
            assert_eq!(
                case.run(&factors[0], &factors[1], &factors[2], &[]),
                expected,
                "{}",
                case.instruction
            );
        }
    }
}

/// `wmma` through memory: what is loaded, multiplied and stored is a product, however the registers look.
struct Wmma {
    shape: [usize; 3],
    /// The types of `d`, the factors, and `c`.
    kinds: [&'static str; 4],
    layouts: [&'static str; 4],
    registers: [usize; 4],
}

fn store_matrix(kind: &str, matrix: &[i32], [rows, columns]: [usize; 2], layout: &str) -> Vec<u8> {
    let width = bits(kind);
    let mut bytes = vec![0u8; rows * columns * width / 8];
    for row in 0..rows {
        for column in 0..columns {
            let index = if layout == "row" { row * columns + column } else { column * rows + row };
            let value = encode(kind, matrix[row * columns + column]);
            for bit in 0..width {
                let at = index * width + bit;
                bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
            }
        }
    }
    bytes
}

impl Wmma {
    fn check(&self) {
        let [m, n, k] = self.shape;
        let [d_kind, a_kind, b_kind, c_kind] = self.kinds;
        let [d_layout, a_layout, b_layout, c_layout] = self.layouts;
        let (a, b) = (values(a_kind, m * k, 4), values(b_kind, k * n, 5));
        let c = values(c_kind, m * n, 6);
        let stride = |layout: &str, rows: usize, columns: usize| if layout == "row" { columns } else { rows };
        let mut body = String::from(".reg .b64 %at<4>; .reg .b32 %s;\n");
        let mut lists = Vec::new();
        for (index, name) in ["d", "a", "b", "c"].into_iter().enumerate() {
            let register = match self.kinds[index] {
                "f64" => "f64",
                "f32" => "f32",
                _ => "b32",
            };
            let count = self.registers[index];
            body += &format!("ld.param.b64 %at{index}, [{name}]; .reg .{register} %{name}<{count}>;\n");
            let names: Vec<String> = (0..count).map(|number| format!("%{name}{number}")).collect();
            lists.push(format!("{{{}}}", names.join(", ")));
        }
        let shape = format!("m{m}n{n}k{k}");
        for (index, name, rows, columns) in [(1, "a", m, k), (2, "b", k, n), (3, "c", m, n)] {
            let (layout, kind) = (self.layouts[index], self.kinds[index]);
            body += &format!(
                "mov.u32 %s, {}; wmma.load.{name}.sync.aligned.{layout}.{shape}.global.{kind} {}, [%at{index}], %s;\n",
                stride(layout, rows, columns),
                lists[index]
            );
        }
        let operation = if a_kind == "b1" { "xor.popc." } else { "" };
        let types = match a_kind {
            "f16" => format!("{d_kind}.{c_kind}"),
            _ => format!("{d_kind}.{a_kind}.{b_kind}.{c_kind}"),
        };
        body += &format!(
            "wmma.mma.{operation}sync.aligned.{a_layout}.{b_layout}.{shape}.{types} {};\n\
             wmma.store.d.sync.aligned.{d_layout}.{shape}.global.{d_kind} [%at0], {};\nret;",
            lists.join(", "),
            lists[0]
        );
        let params = ".param .b64 d, .param .b64 a, .param .b64 b, .param .b64 c";
        let mut device = Device::kernel(params, &body);
        let zeros = store_matrix(d_kind, &vec![0; m * n], [m, n], d_layout);
        let buffers = [
            zeros,
            store_matrix(a_kind, &a, [m, k], a_layout),
            store_matrix(b_kind, &b, [k, n], b_layout),
            store_matrix(c_kind, &c, [m, n], c_layout),
        ]
        .map(|bytes| device.alloc(&bytes));
        device.run("k", [1, 1, 1], [32, 1, 1], &buffers.map(Arg::Buffer));
        let expected: Vec<i32> = (0..m * n)
            .map(|index| {
                let (row, column) = (index / n, index % n);
                let products = (0..k).map(|step| {
                    let (a, b) = (a[row * k + step], b[step * n + column]);
                    if a_kind == "b1" { (a ^ b) & 1 } else { a * b }
                });
                c[index] + products.sum::<i32>()
            })
            .collect();
        let wanted = store_matrix(d_kind, &expected, [m, n], d_layout);
        assert_eq!(device.bytes(buffers[0])[..wanted.len()], wanted[..], "{body}");
    }
}

#[test]
fn fragments_of_floats() {
    for shape in [[16, 16, 16], [8, 32, 16], [32, 8, 16]] {
        for (a_layout, b_layout) in [("row", "col"), ("row", "row"), ("col", "col"), ("col", "row")] {
            for (d, c) in [("f32", "f32"), ("f16", "f16"), ("f32", "f16"), ("f16", "f32")] {
                let registers = [if d == "f32" { 8 } else { 4 }, 8, 8, if c == "f32" { 8 } else { 4 }];
                let layouts = ["row", a_layout, b_layout, "col"];
                Wmma { shape, kinds: [d, "f16", "f16", c], layouts, registers }.check();
            }
            let [m, n, k] = shape;
            let registers = [8, m * k / 64, k * n / 64, 8];
            let layouts = ["col", a_layout, b_layout, "row"];
            Wmma { shape, kinds: ["f32", "bf16", "bf16", "f32"], layouts, registers }.check();
        }
    }
    for layouts in [["row", "row", "col", "row"], ["col", "col", "row", "col"]] {
        let kinds = ["f32", "tf32", "tf32", "f32"];
        Wmma { shape: [16, 16, 8], kinds, layouts, registers: [8, 4, 4, 8] }.check();
        Wmma { shape: [8, 8, 4], kinds: ["f64"; 4], layouts, registers: [2, 1, 1, 2] }.check();
    }
}

#[test]
fn fragments_of_integers() {
    for kind in ["s8", "u8"] {
        for shape in [[16, 16, 16], [8, 32, 16], [32, 8, 16]] {
            let [m, n, k] = shape;
            let registers = [8, m * k / 128, k * n / 128, 8];
            for layouts in [["row", "row", "col", "row"], ["col", "col", "row", "col"]] {
                Wmma { shape, kinds: ["s32", kind, kind, "s32"], layouts, registers }.check();
            }
        }
    }
    let layouts = ["row", "row", "col", "col"];
    for kind in ["s4", "u4"] {
        let kinds = ["s32", kind, kind, "s32"];
        Wmma { shape: [8, 8, 32], kinds, layouts, registers: [2, 1, 1, 2] }.check();
    }
    let kinds = ["s32", "b1", "b1", "s32"];
    Wmma { shape: [8, 8, 128], kinds, layouts, registers: [2, 1, 1, 2] }.check();
}

/// Runs a body in one warp; `%r0` is the lane, `tile` holds 512 16-bit numbers that count up, and the registers
/// `%r10` to `%r13` are the results.
fn moved(body: &str) -> Vec<u32> {
    let mut device = Device::kernel(
        ".param .b64 out",
        &format!(
            ".reg .b32 %r<20>; .reg .b64 %d<4>; .shared .align 16 .b8 tile[1024];\n\
             mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, 0; mad.lo.u32 %r3, %r0, 32, %r1;\n\
             mul.lo.u32 %r4, %r0, 1048592; add.u32 %r4, %r4, 65536;\n\
             .reg .pred %p; .reg .b32 %i; mov.u32 %i, 0;\n\
             FILL: st.shared.b32 [%r3], %r4; add.u32 %r3, %r3, 4; add.u32 %r4, %r4, 0x20002;\n\
             add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 8; @%p bra FILL; bar.warp.sync -1;\n\
             mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n{body}\n\
             ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 16; add.s64 %d0, %d0, %d1;\n\
             st.global.v4.b32 [%d0], {{%r10, %r11, %r12, %r13}}; ret;"
        ),
    );
    let out = device.alloc_u32(&[0; 128]);
    device.run("k", [1, 1, 1], [32, 1, 1], &[Arg::Buffer(out)]);
    device.u32s(out)
}

/// Two 16-bit numbers in a word.
fn pair(low: usize, high: usize) -> u32 {
    low as u32 | (high as u32) << 16
}

#[test]
fn matrices_from_shared_memory() {
    // Row `i` of the tile is at byte 16 * i; lane `i` names row 31 - i.
    let address = "sub.u32 %r5, 31, %r0; shl.b32 %r5, %r5, 4; add.u32 %r5, %r5, %r1;";
    let found = moved(&format!(
        "{address} ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r10, %r11, %r12, %r13}}, [%r5];"
    ));
    for lane in 0..32 {
        for matrix in 0..4 {
            let row = 31 - (8 * matrix + lane / 4);
            let column = lane % 4 * 2;
            assert_eq!(found[4 * lane + matrix], pair(8 * row + column, 8 * row + column + 1), "lane {lane}");
        }
    }
    let found =
        moved(&format!("{address} ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{%r10, %r11}}, [%r5];"));
    for lane in 0..32 {
        for matrix in 0..2 {
            let row = |part: usize| 31 - (8 * matrix + lane % 4 * 2 + part);
            assert_eq!(found[4 * lane + matrix], pair(8 * row(0) + lane / 4, 8 * row(1) + lane / 4));
        }
    }
}

#[test]
fn matrices_to_shared_memory() {
    for (suffix, transposed) in [("", false), (".trans", true)] {
        // Each lane stores its number twice over, and reads 16 bytes back.
        let found = moved(&format!(
            "shl.b32 %r5, %r0, 4; add.u32 %r5, %r5, %r1; mul.lo.u32 %r6, %r0, 0x20002; add.u32 %r6, %r6, 0x10000;\n\
             add.u32 %r7, %r6, 0x640064; add.u32 %r8, %r6, 0xc800c8; add.u32 %r9, %r6, 0x12c012c;\n\
             stmatrix.sync.aligned.m8n8.x4{suffix}.shared.b16 [%r5], {{%r6, %r7, %r8, %r9}}; bar.warp.sync -1;\n\
             ld.shared.v4.b32 {{%r10, %r11, %r12, %r13}}, [%r5];"
        ));
        for line in 0..32 {
            let (matrix, row) = (line / 8, line % 8);
            for word in 0..4 {
                let element = |column: usize| {
                    let (row, column) = if transposed { (column, row) } else { (row, column) };
                    100 * matrix + 2 * (row * 4 + column / 2) + column % 2
                };
                assert_eq!(
                    found[4 * line + word],
                    pair(element(2 * word), element(2 * word + 1)),
                    "{suffix}"
                );
            }
        }
    }
}

#[test]
fn transposed_registers() {
    let found = moved(
        "mul.lo.u32 %r6, %r0, 0x20002; add.u32 %r6, %r6, 0x10000; movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r6;",
    );
    for lane in 0..32 {
        let element = |part: usize| (lane % 4 * 2 + part) * 8 + lane / 4;
        assert_eq!(found[4 * lane], pair(element(0), element(1)), "lane {lane}");
    }
}
