//! Instructions, by opcode.

pub(crate) const VARIABLES: &[(u32, u32, &str)] = &[
    (1, 0, ".global .u32 global[16];"),
    (1, 0, ".const .u32 constant[16];"),
    (1, 0, ".shared .u32 shared[16];"),
];

pub(crate) const REGISTERS: &[(u32, u32, &str)] = &[
    (1, 0, ".reg .pred %pred<6>;"),
    (1, 0, ".reg .b8 %b8_<6>;"),
    (1, 0, ".reg .u8 %u8_<6>;"),
    (1, 0, ".reg .s8 %s8_<6>;"),
    (1, 0, ".reg .b16 %b16_<6>;"),
    (1, 0, ".reg .u16 %u16_<6>;"),
    (1, 0, ".reg .s16 %s16_<6>;"),
    (1, 0, ".reg .b32 %b32_<9>;"),
    (1, 0, ".reg .u32 %u32_<6>;"),
    (1, 0, ".reg .s32 %s32_<6>;"),
    (1, 0, ".reg .f32 %f32_<6>;"),
    (1, 0, ".reg .b64 %b64_<6>;"),
    (1, 0, ".reg .u64 %u64_<6>;"),
    (1, 0, ".reg .s64 %s64_<6>;"),
    (1, 0, ".reg .f64 %f64_<6>;"),
    (4, 2, ".reg .f16 %f16_<6>;"),
    (4, 2, ".reg .f16x2 %f16x2_<6>;"),
    (8, 3, ".reg .b128 %b128_<6>;"),
    (1, 0, ".local .u32 local[16];"),
];

const TYPES: [&str; 26] = [
    "", "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "b32", "u32", "s32", "f32", "f16x2",
    "bf16x2", "u16x2", "s16x2", "tf32", "b64", "u64", "s64", "f64", "b128", "e4m3x2", "f32x2",
];

/// The family of registers that suits a type.
fn register(scalar: &str) -> &str {
    match scalar {
        "bf16" => "b16_",
        "bf16x2" | "u16x2" | "s16x2" | "tf32" => "b32_",
        "e4m3x2" => "b16_",
        "f32x2" => "b64_",
        "" => "b32_",
        "pred" => "pred",
        "b8" => "b8_",
        "u8" => "u8_",
        "s8" => "s8_",
        "b16" => "b16_",
        "u16" => "u16_",
        "s16" => "s16_",
        "f16" => "f16_",
        "b32" => "b32_",
        "u32" => "u32_",
        "s32" => "s32_",
        "f32" => "f32_",
        "f16x2" => "f16x2_",
        "b64" => "b64_",
        "u64" => "u64_",
        "s64" => "s64_",
        "f64" => "f64_",
        "b128" => "b128_",
        other => panic!("{other}"),
    }
}

fn reg(scalar: &str, number: u32) -> String {
    format!("%{}{number}", register(scalar))
}

fn wider(scalar: &str) -> &str {
    match scalar {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        "s32" => "s64",
        "b16" => "b32",
        "b32" => "b64",
        "u8" => "u16",
        "s8" => "s16",
        other => other,
    }
}

/// An opcode with words, those that are empty left out.
fn words(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(".")
}

pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) forms: Vec<String>,
}

const ROUNDINGS: [&str; 11] = ["", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "rs"];
const SPECIALS: &[&str] = &[
    "%tid",
    "%tid.x",
    "%tid.w",
    "%ntid.y",
    "%ctaid.x",
    "%ctaid",
    "%nctaid.z",
    "%gridid",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%lanemask_eq",
    "%lanemask_lt",
    "%lanemask_le",
    "%lanemask_gt",
    "%lanemask_ge",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%pm0",
    "%pm0_64",
    "%envreg0",
    "%envreg31",
    "%total_smem_size",
    "%dynamic_smem_size",
    "%aggr_smem_size",
    "%clusterid.x",
    "%nclusterid.x",
    "%cluster_ctaid.x",
    "%cluster_nctaid.x",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%is_explicit_cluster",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%current_graph_exec",
    "WARP_SZ",
    "%pm7",
    "%pm8",
    "%envreg32",
    "%tid.r",
    "%clusterid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_end",
];

pub(crate) fn families() -> Vec<Family> {
    let mut families = Vec::new();
    let mut add = |name: &str, forms: Vec<String>| families.push(Family { name: name.to_owned(), forms });
    // Arithmetic.
    for (opcode, count) in [
        ("add", 3),
        ("sub", 3),
        ("mul", 3),
        ("mad", 4),
        ("fma", 4),
        ("div", 3),
        ("rem", 3),
        ("min", 3),
        ("max", 3),
        ("abs", 2),
        ("neg", 2),
        ("sad", 4),
        ("mul24", 3),
        ("mad24", 4),
        ("addc", 3),
        ("subc", 3),
        ("madc", 4),
    ] {
        let mut forms = Vec::new();
        for part in ["", "lo", "hi", "wide", "cc", "lo.cc", "hi.cc"] {
            for rounding in ["", "rn", "rz", "rm", "rp", "rni", "rna"] {
                for flags in [
                    "",
                    "ftz",
                    "sat",
                    "ftz.sat",
                    "approx",
                    "approx.ftz",
                    "full",
                    "full.ftz",
                    "NaN",
                    "ftz.NaN",
                    "relu",
                    "xorsign.abs",
                    "NaN.xorsign.abs",
                    "ftz.NaN.xorsign.abs",
                    "ftz.relu",
                    "noftz",
                ] {
                    for scalar in TYPES {
                        let d = if part == "wide" { wider(scalar) } else { scalar };
                        let mut operands = vec![reg(d, 0), reg(scalar, 1), reg(scalar, 2), reg(d, 3)];
                        operands.truncate(count);
                        forms.push(format!(
                            "{} {};",
                            words(&[opcode, part, rounding, flags, scalar]),
                            operands.join(", ")
                        ));
                    }
                }
            }
        }
        add(opcode, forms);
    }
    for opcode in ["rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"] {
        let mut forms = Vec::new();
        for rounding in ["", "rn", "rz", "rm", "rp", "rni", "rna"] {
            for flags in
                ["", "ftz", "approx", "approx.ftz", "full", "full.ftz", "sat", "approx.sat", "approx.ftz.sat"]
            {
                for scalar in TYPES {
                    forms.push(format!(
                        "{} {}, {};",
                        words(&[opcode, rounding, flags, scalar]),
                        reg(scalar, 0),
                        reg(scalar, 1)
                    ));
                }
            }
        }
        add(opcode, forms);
    }
    {
        let mut forms = Vec::new();
        for scalar in TYPES {
            for flags in ["", "ftz", "sat"] {
                forms.push(format!(
                    "{} {}, {}, {};",
                    words(&["copysign", flags, scalar]),
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2)
                ));
                for test in ["", "finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
                    forms.push(format!(
                        "{} %pred0, {};",
                        words(&["testp", test, flags, scalar]),
                        reg(scalar, 1)
                    ));
                }
            }
        }
        add("copysign", forms);
    }
    // Logic and bits.
    {
        let mut forms = Vec::new();
        for scalar in TYPES {
            let r = |number| reg(scalar, number);
            for flags in ["", "sat", "ftz", "rn", "wrap", "clamp", "lo", "cc"] {
                for opcode in ["and", "or", "xor"] {
                    forms.push(format!("{} {}, {}, {};", words(&[opcode, flags, scalar]), r(0), r(1), r(2)));
                }
                for opcode in ["not", "cnot"] {
                    forms.push(format!("{} {}, {};", words(&[opcode, flags, scalar]), r(0), r(1)));
                }
                for opcode in ["shl", "shr"] {
                    forms.push(format!("{} {}, {}, %u32_2;", words(&[opcode, flags, scalar]), r(0), r(1)));
                }
                for direction in ["l", "r", ""] {
                    forms.push(format!(
                        "{} {}, {}, {}, %u32_2;",
                        words(&["shf", direction, flags, scalar]),
                        r(0),
                        r(1),
                        r(2)
                    ));
                }
                forms.push(format!(
                    "{} {}, {}, {}, {}, 0x3f;",
                    words(&["lop3", flags, scalar]),
                    r(0),
                    r(1),
                    r(2),
                    r(3)
                ));
                for opcode in ["popc", "clz"] {
                    forms.push(format!("{} %u32_0, {};", words(&[opcode, flags, scalar]), r(1)));
                }
                for opcode in ["bfind", "bfind.shiftamt"] {
                    forms.push(format!("{} %u32_0, {};", words(&[opcode, flags, scalar]), r(1)));
                }
                forms.push(format!("{} {}, {};", words(&["brev", flags, scalar]), r(0), r(1)));
                forms.push(format!("{} {}, {}, %u32_1, %u32_2;", words(&["bfe", flags, scalar]), r(0), r(1)));
                forms.push(format!(
                    "{} {}, {}, {}, %u32_1, %u32_2;",
                    words(&["bfi", flags, scalar]),
                    r(0),
                    r(1),
                    r(2)
                ));
                for mode in ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
                    forms.push(format!(
                        "{} {}, {}, {}, {};",
                        words(&["prmt", flags, scalar, mode]),
                        r(0),
                        r(1),
                        r(2),
                        r(3)
                    ));
                }
                for opcode in ["bmsk", "szext"] {
                    forms.push(format!("{} {}, {}, %u32_2;", words(&[opcode, flags, scalar]), r(0), r(1)));
                }
                for second in ["u32", "s32", "b32", "u16"] {
                    forms.push(format!(
                        "{} %s32_0, {}, {}, %s32_3;",
                        words(&["dp4a", flags, scalar, second]),
                        r(1),
                        reg(second, 2)
                    ));
                    forms.push(format!(
                        "{} %s32_0, {}, {}, %s32_3;",
                        words(&["dp2a", "lo", flags, scalar, second]),
                        r(1),
                        reg(second, 2)
                    ));
                    forms.push(format!(
                        "{} %s32_0, {}, {}, %s32_3;",
                        words(&["dp2a", flags, scalar, second]),
                        r(1),
                        reg(second, 2)
                    ));
                }
            }
        }
        add("logic", forms);
    }
    // Comparisons.
    const COMPARES: [&str; 20] = [
        "", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
        "geu", "num", "nan", "xx",
    ];
    {
        let (mut setp, mut set, mut selp) = (Vec::new(), Vec::new(), Vec::new());
        for compare in &COMPARES[..19] {
            for flags in ["", "ftz", "sat", "rn"] {
                for combine in ["", "and", "or", "xor"] {
                    let last = if combine.is_empty() { "" } else { ", %pred3" };
                    for scalar in TYPES {
                        for results in ["%pred0", "%pred0|%pred1"] {
                            setp.push(format!(
                                "{} {results}, {}, {}{last};",
                                words(&["setp", compare, combine, flags, scalar]),
                                reg(scalar, 1),
                                reg(scalar, 2)
                            ));
                        }
                        if flags == "rn" || combine == "or" {
                            continue;
                        }
                        for result in TYPES {
                            set.push(format!(
                                "{} {}, {}, {}{last};",
                                words(&["set", compare, combine, flags, result, scalar]),
                                reg(result, 0),
                                reg(scalar, 1),
                                reg(scalar, 2)
                            ));
                        }
                    }
                }
            }
        }
        for flags in ["", "ftz", "sat", "rn", "eq", "v2", "global"] {
            for scalar in TYPES {
                selp.push(format!(
                    "{} {}, {}, {}, %pred1;",
                    words(&["selp", flags, scalar]),
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2)
                ));
                for second in TYPES {
                    selp.push(format!(
                        "{} {}, {}, {}, {};",
                        words(&["slct", flags, scalar, second]),
                        reg(scalar, 0),
                        reg(scalar, 1),
                        reg(scalar, 2),
                        reg(second, 3)
                    ));
                }
            }
        }
        add("setp", setp);
        add("set", set);
        add("selp", selp);
    }
    // Conversions.
    {
        let mut forms = Vec::new();
        for rounding in ROUNDINGS {
            for flags in ["", "ftz", "sat", "ftz.sat", "relu", "satfinite", "relu.satfinite", "ftz.relu"] {
                for to in TYPES {
                    for from in TYPES {
                        forms.push(format!(
                            "{} {}, {};",
                            words(&["cvt", rounding, flags, to, from]),
                            reg(to, 0),
                            reg(from, 1)
                        ));
                    }
                }
            }
        }
        add("cvt", forms);
        let mut forms = Vec::new();
        for rounding in ["", "rn", "rz", "rni", "rna"] {
            for flags in ["", "ftz", "relu", "satfinite", "satfinite.relu", "sat"] {
                for to in
                    ["f16x2", "bf16x2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "tf32"]
                {
                    for from in ["f32", "f16x2", "e4m3x2", "e5m2x2", "bf16x2"] {
                        for (d, a) in [
                            ("%b32_0", "%f32_1, %f32_2"),
                            ("%b16_0", "%f32_1, %f32_2"),
                            ("%b32_0", "%b16_1"),
                            ("%b16_0", "%b32_1"),
                            ("%b32_0", "%f32_1"),
                            ("%f16x2_0", "%f32_1, %f32_2"),
                            ("%f32_0", "%f32_1, %f32_2"),
                            ("%b8_0", "%f32_1, %f32_2"),
                        ] {
                            forms.push(format!("{} {d}, {a};", words(&["cvt", rounding, flags, to, from])));
                        }
                    }
                }
            }
        }
        for rounding in ["", "rn", "rz"] {
            for word in ["pack", "pack.sat"] {
                for to in TYPES {
                    for from in TYPES {
                        for tail in ["", ", %b32_3"] {
                            for third in ["", "b32"] {
                                if rounding == "rz" {
                                    continue;
                                }
                                forms.push(format!(
                                    "{} {}, {}, {}{tail};",
                                    words(&["cvt", word, rounding, to, from, third]),
                                    reg(to, 0),
                                    reg(from, 1),
                                    reg(from, 2)
                                ));
                            }
                        }
                    }
                }
            }
        }
        add("cvt_pairs", forms);
    }
    // Special registers as operands of everything.
    {
        let mut forms = Vec::new();
        for special in SPECIALS {
            for scalar in &TYPES[1..] {
                forms.push(format!("mov.{scalar} {}, {special};", reg(scalar, 0)));
                for opcode in [
                    "add", "sub", "mul", "mul.lo", "min", "and", "or", "xor", "shl", "shr", "div", "rem",
                    "setp.eq", "addc", "mul24.lo", "div.rn", "add.cc", "sub.cc", "subc", "copysign",
                ] {
                    let d = if opcode == "setp.eq" { "%pred0".to_owned() } else { reg(scalar, 0) };
                    forms.push(format!("{opcode}.{scalar} {d}, {special}, {};", reg(scalar, 2)));
                    forms.push(format!("{opcode}.{scalar} {d}, {}, {special};", reg(scalar, 1)));
                }
                for opcode in [
                    "abs",
                    "neg",
                    "not",
                    "cnot",
                    "popc",
                    "clz",
                    "bfind",
                    "brev",
                    "rcp.rn",
                    "sqrt.rn",
                    "ex2.approx",
                    "testp.finite",
                ] {
                    let d = match opcode {
                        "popc" | "clz" | "bfind" => "%u32_0".to_owned(),
                        "testp.finite" => "%pred0".to_owned(),
                        _ => reg(scalar, 0),
                    };
                    forms.push(format!("{opcode}.{scalar} {d}, {special};"));
                }
                for opcode in [
                    "mad.lo",
                    "mad.hi",
                    "sad",
                    "fma.rn",
                    "mad.rn",
                    "mad24.lo",
                    "prmt",
                    "shf.l.wrap",
                    "bfe",
                    "madc.lo",
                    "mad.lo.cc",
                ] {
                    for position in 1..4 {
                        let operands: Vec<String> =
                            (0..4)
                                .map(|index| {
                                    if index == position { (*special).to_owned() } else { reg(scalar, index) }
                                })
                                .collect();
                        forms.push(format!("{opcode}.{scalar} {};", operands.join(", ")));
                    }
                }
                for to in &TYPES[1..24] {
                    for rounding in ["", "rn", "rni", "sat"] {
                        forms.push(format!(
                            "{} {}, {special};",
                            words(&["cvt", rounding, to, scalar]),
                            reg(to, 0)
                        ));
                    }
                    forms.push(format!(
                        "set.eq.{to}.{scalar} {}, {special}, {};",
                        reg(to, 0),
                        reg(scalar, 1)
                    ));
                    forms.push(format!(
                        "slct.{scalar}.{to} {}, {special}, {}, {};",
                        reg(scalar, 0),
                        reg(scalar, 1),
                        reg(to, 2)
                    ));
                    forms.push(format!(
                        "slct.{scalar}.{to} {}, {}, {}, {special};",
                        reg(scalar, 0),
                        reg(scalar, 1),
                        reg(scalar, 2)
                    ));
                }
                forms.push(format!(
                    "selp.{scalar} {}, {special}, {}, %pred1;",
                    reg(scalar, 0),
                    reg(scalar, 1)
                ));
                forms.push(format!(
                    "selp.{scalar} {}, {}, {}, {special};",
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2)
                ));
                forms.push(format!(
                    "mul.wide.{scalar} {}, {special}, {};",
                    reg(wider(scalar), 0),
                    reg(scalar, 1)
                ));
                forms.push(format!(
                    "mad.wide.{scalar} {}, {special}, {}, {};",
                    reg(wider(scalar), 0),
                    reg(scalar, 1),
                    reg(wider(scalar), 1)
                ));
                forms.push(format!(
                    "mad.wide.{scalar} {}, {}, {}, {special};",
                    reg(wider(scalar), 0),
                    reg(scalar, 1),
                    reg(scalar, 1)
                ));
                forms.push(format!("ld.global.{scalar} {}, [{special}];", reg(scalar, 0)));
                forms.push(format!("st.global.{scalar} [%u64_1], {special};"));
                forms.push(format!("st.shared.{scalar} [shared], {special};"));
                forms.push(format!("st.shared.{scalar} [{special}], {};", reg(scalar, 0)));
                forms.push(format!("atom.global.add.{scalar} {}, [%u64_1], {special};", reg(scalar, 0)));
                forms.push(format!("atom.global.exch.{scalar} {}, [%u64_1], {special};", reg(scalar, 0)));
                forms.push(format!("red.global.add.{scalar} [%u64_1], {special};"));
                forms.push(format!("mov.{scalar} {{{}, {}}}, {special};", reg(scalar, 0), reg(scalar, 1)));
                forms.push(format!("mov.{scalar} {}, {{{special}, {special}}};", reg(scalar, 0)));
                forms.push(format!(
                    "mov.v4.{scalar} {{{}, {}, {}, {}}}, {special};",
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2),
                    reg(scalar, 3)
                ));
                forms.push(format!("mov.v2.{scalar} {{{}, {}}}, {special};", reg(scalar, 0), reg(scalar, 1)));
                forms.push(format!("mov.{scalar} {special}, {};", reg(scalar, 0)));
                forms.push(format!("cvta.global.{scalar} {}, {special};", reg(scalar, 0)));
                forms.push(format!("shfl.sync.idx.{scalar} {}, {special}, 0, 31, -1;", reg(scalar, 0)));
                forms.push(format!(
                    "shfl.sync.idx.{scalar} {}, {}, {special}, 31, -1;",
                    reg(scalar, 0),
                    reg(scalar, 1)
                ));
                forms.push(format!("redux.sync.add.{scalar} {}, {special}, -1;", reg(scalar, 0)));
                forms.push(format!("match.any.sync.{scalar} %b32_0, {special}, -1;"));
                forms.push(format!("dp4a.{scalar}.u32 %u32_0, {special}, %u32_1, %u32_2;"));
                forms.push(format!(
                    "lop3.{scalar} {}, {special}, {}, {}, 0x3f;",
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2)
                ));
                forms.push(format!("vadd.u32.u32.u32 %u32_0, {special}, %u32_1;"));
                forms.push(format!(
                    "bfi.{scalar} {}, {special}, {}, %u32_1, %u32_2;",
                    reg(scalar, 0),
                    reg(scalar, 1)
                ));
                forms.push(format!(
                    "bfi.{scalar} {}, {}, {}, %u32_1, {special};",
                    reg(scalar, 0),
                    reg(scalar, 1),
                    reg(scalar, 2)
                ));
            }
            for text in [
                "bar.sync $;",
                "bar.sync 0, $;",
                "nanosleep.u32 $;",
                "vote.sync.ballot.b32 %b32_0, %pred1, $;",
                "bar.warp.sync $;",
                "@$ mov.u32 %u32_0, 1;",
                "setp.eq.u32 $, %u32_0, %u32_1;",
                "isspacep.global %pred0, $;",
                "prefetch.global.L1 [$];",
                "brx.idx $, HERE;",
                "call ($), foo, (%u32_1);",
                "bra $;",
                "not.pred %pred0, $;",
                "mov.pred %pred0, $;",
                "and.pred %pred0, %pred1, $;",
                "selp.u32 %u32_0, %u32_1, %u32_2, !$;",
                "vote.sync.all.pred %pred0, $, -1;",
                "activemask.b32 $;",
            ] {
                forms.push(text.replace('$', special));
            }
        }
        forms.sort();
        forms.dedup();
        add("specials", forms);
    }
    // Every register type and constant in the place of every operand.
    {
        let mut forms = Vec::new();
        let mut operands: Vec<String> = TYPES[1..24].iter().map(|scalar| reg(scalar, 4)).collect();
        operands.sort();
        operands.dedup();
        for constant in [
            "0",
            "1",
            "-1",
            "65535",
            "65536",
            "-32769",
            "4294967295",
            "4294967296",
            "-2147483649",
            "18446744073709551615",
            "18446744073709551616",
            "1.0",
            "-1.5",
            "1e400",
            "0f3f800000",
            "0d3ff0000000000000",
            "0x10",
            "017",
            "0b11",
            "1U",
            "0x1ffffffff",
            "1+2",
            "3*4",
            "(1)",
            "!1",
            "~1",
            "1.0+2.0",
            "global",
            "global+4",
            "shared",
            "local",
            "constant",
            "param",
            "k",
            "HERE",
            "_",
            "nowhere",
            "!%pred4",
            "-%s32_4",
            "{%u32_4, %u32_5}",
            "[%u64_4]",
            "%u32_4+4",
            "%pred4|%pred5",
            "WARP_SZ",
            "%u32_4.x",
        ] {
            operands.push(constant.to_owned());
        }
        for (form, count) in [
            ("add.u16", "www"),
            ("add.s32", "iii"),
            ("add.u64", "lll"),
            ("add.f32", "fff"),
            ("add.f64", "ddd"),
            ("add.f16", "hhh"),
            ("add.f16x2", "HHH"),
            ("add.bf16", "www"),
            ("mul.wide.u16", "iww"),
            ("mul.wide.s32", "lii"),
            ("mad.lo.u32", "iiii"),
            ("mad.wide.u32", "liil"),
            ("fma.rn.f32", "ffff"),
            ("fma.rn.f64", "dddd"),
            ("div.rn.f32", "fff"),
            ("min.u16", "www"),
            ("max.s64", "lll"),
            ("neg.s16", "ww"),
            ("abs.f32", "ff"),
            ("rcp.rn.f64", "dd"),
            ("sqrt.approx.f32", "ff"),
            ("sin.approx.f32", "ff"),
            ("and.b16", "www"),
            ("or.b32", "iii"),
            ("xor.b64", "lll"),
            ("and.pred", "ppp"),
            ("not.pred", "pp"),
            ("not.b32", "ii"),
            ("cnot.b64", "ll"),
            ("shl.b16", "wwi"),
            ("shl.b32", "iii"),
            ("shr.u64", "lli"),
            ("shr.s16", "wwi"),
            ("shf.l.wrap.b32", "iiii"),
            ("lop3.b32", "iiiii"),
            ("popc.b64", "il"),
            ("clz.b32", "ii"),
            ("bfind.s64", "il"),
            ("brev.b64", "ll"),
            ("bfe.u32", "iiii"),
            ("bfe.s64", "llii"),
            ("bfi.b32", "iiiii"),
            ("bfi.b64", "lllii"),
            ("prmt.b32", "iiii"),
            ("dp4a.u32.u32", "iiii"),
            ("setp.eq.u32", "pii"),
            ("setp.lt.s16", "pww"),
            ("setp.gt.f32", "pff"),
            ("setp.ne.b64", "pll"),
            ("setp.eq.and.u32", "piip"),
            ("setp.le.f64", "pdd"),
            ("setp.eq.f16", "phh"),
            ("set.eq.u32.u32", "iii"),
            ("set.lt.f32.s32", "fii"),
            ("set.eq.u32.f64", "idd"),
            ("selp.b16", "wwwp"),
            ("selp.u32", "iiip"),
            ("selp.f64", "dddp"),
            ("slct.u32.s32", "iiii"),
            ("slct.f32.f32", "ffff"),
            ("slct.b64.s32", "llli"),
            ("mov.u16", "ww"),
            ("mov.u32", "ii"),
            ("mov.b32", "ii"),
            ("mov.b64", "ll"),
            ("mov.f32", "ff"),
            ("mov.f64", "dd"),
            ("mov.pred", "pp"),
            ("mov.b16", "ww"),
            ("mov.s64", "ll"),
            ("mov.b128", "BB"),
            ("cvt.u32.u16", "iw"),
            ("cvt.u16.u32", "wi"),
            ("cvt.u8.u32", "wi"),
            ("cvt.u32.u8", "iw"),
            ("cvt.s64.s32", "li"),
            ("cvt.u32.u64", "il"),
            ("cvt.rn.f32.u32", "fi"),
            ("cvt.rn.f32.f64", "fd"),
            ("cvt.f64.f32", "df"),
            ("cvt.rzi.s32.f32", "if"),
            ("cvt.rni.f32.f32", "ff"),
            ("cvt.f32.f16", "fh"),
            ("cvt.rn.f16.f32", "hf"),
            ("cvt.rn.bf16.f32", "wf"),
            ("cvt.rn.f16x2.f32", "iff"),
            ("cvt.rzi.u64.f64", "ld"),
            ("cvt.sat.u8.s32", "wi"),
            ("cvt.rn.tf32.f32", "if"),
            ("cvt.u16.u8", "ww"),
            ("cvt.s8.s16", "ww"),
            ("cvt.rn.f64.u64", "dl"),
            ("cvta.global.u64", "ll"),
            ("cvta.to.shared.u64", "ll"),
            ("isspacep.global", "pl"),
            ("nanosleep.u32", "i"),
            ("bar.sync", "ii"),
            ("bar.arrive", "ii"),
            ("bar.red.popc.u32", "iip"),
            ("shfl.sync.idx.b32", "iiiii"),
            ("vote.sync.ballot.b32", "ipi"),
            ("vote.sync.all.pred", "ppi"),
            ("match.any.sync.b32", "iii"),
            ("match.all.sync.b64", "ili"),
            ("redux.sync.add.u32", "iii"),
            ("activemask.b32", "i"),
            ("add.cc.u32", "iii"),
            ("addc.u32", "iii"),
            ("madc.lo.u32", "iiii"),
            ("sad.u16", "wwww"),
            ("mul24.lo.u32", "iii"),
            ("copysign.f32", "fff"),
            ("testp.finite.f64", "pd"),
            ("tanh.approx.f32", "ff"),
            ("ex2.approx.f16", "hh"),
            ("bmsk.clamp.b32", "iii"),
            ("szext.wrap.u32", "iii"),
            ("fns.b32", "iiii"),
            ("vadd.u32.u32.u32", "iii"),
            ("mapa.u64", "lli"),
            ("getctarank.u64", "il"),
            ("elect.sync", "ii"),
            ("stacksave.u64", "l"),
            ("alloca.u64", "ll"),
        ] {
            let natural: Vec<String> = count
                .chars()
                .enumerate()
                .map(|(index, kind)| {
                    let name = match kind {
                        'w' => "b16_",
                        'i' => "b32_",
                        'l' => "b64_",
                        'f' => "f32_",
                        'd' => "f64_",
                        'h' => "f16_",
                        'H' => "f16x2_",
                        'p' => "pred",
                        _ => "b128_",
                    };
                    format!("%{name}{index}")
                })
                .collect();
            forms.push(format!("{form} {};", natural.join(", ")));
            forms.push(format!("{form} {};", natural[1..].join(", ")));
            forms.push(format!("{form} {}, {};", natural.join(", "), natural[0]));
            for place in 0..natural.len() {
                for operand in &operands {
                    let mut given = natural.clone();
                    given[place] = operand.clone();
                    forms.push(format!("{form} {};", given.join(", ")));
                }
            }
        }
        add("operands", forms);
    }
    // Memory.
    {
        let spaces = [
            "",
            "const",
            "global",
            "local",
            "param",
            "shared",
            "shared::cta",
            "shared::cluster",
            "param::entry",
            "param::func",
        ];
        let at = |space: &str| match space {
            "const" => "[constant]",
            "local" => "[local]",
            "shared" | "shared::cta" => "[shared]",
            "param" | "param::entry" => "[param]",
            _ => "[%u64_1]",
        };
        let orders = [
            "",
            "weak",
            "volatile",
            "relaxed.cta",
            "relaxed.cluster",
            "relaxed.gpu",
            "relaxed.sys",
            "relaxed",
            "acquire.gpu",
            "acquire.cta",
            "acquire",
            "release.gpu",
            "release.sys",
            "mmio.relaxed.sys",
            "mmio",
            "relaxed.gl",
            "volatile.gpu",
            "sc.gpu",
        ];
        let caches = [
            "",
            "ca",
            "cg",
            "cs",
            "lu",
            "cv",
            "wb",
            "wt",
            "nc",
            "L1::evict_last",
            "L1::no_allocate",
            "L2::128B",
            "L2::256B",
            "nc.L1::evict_first",
            "L2::cache_hint",
            "ca.nc",
        ];
        let (mut ld, mut st) = (Vec::new(), Vec::new());
        for space in spaces {
            for order in orders {
                for cache in caches {
                    for vector in ["", "v2", "v4", "v8"] {
                        for scalar in [
                            "", "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32",
                            "f32", "f16x2", "bf16", "b64", "u64", "s64", "f64", "b128",
                        ] {
                            if !vector.is_empty()
                                && !["b8", "u16", "b32", "f32", "b64", "f64", "b128"].contains(&scalar)
                            {
                                continue;
                            }
                            if !order.is_empty()
                                && !cache.is_empty()
                                && !["b32", "u8", "b64"].contains(&scalar)
                            {
                                continue;
                            }
                            let value = match vector {
                                "" => reg(scalar, 0),
                                vector => {
                                    let count: u32 = vector[1..].parse().unwrap();
                                    format!(
                                        "{{{}}}",
                                        (0..count)
                                            .map(|index| reg(scalar, index % 6))
                                            .collect::<Vec<_>>()
                                            .join(", ")
                                    )
                                }
                            };
                            let hint = if cache == "L2::cache_hint" { ", %b64_5" } else { "" };
                            ld.push(format!(
                                "{} {value}, {}{hint};",
                                words(&["ld", order, space, cache, vector, scalar]),
                                at(space)
                            ));
                            st.push(format!(
                                "{} {}, {value}{hint};",
                                words(&["st", order, space, cache, vector, scalar]),
                                at(space)
                            ));
                            if order.is_empty() {
                                ld.push(format!(
                                    "{} {value}, {}{hint};",
                                    words(&["ldu", space, cache, vector, scalar]),
                                    at(space)
                                ));
                            }
                        }
                    }
                }
            }
        }
        add("ld", ld);
        add("st", st);
        let mut elements = Vec::new();
        for element in [
            "global[0]",
            "global[1+1]",
            "global[-1]",
            "global[%u32_1]",
            "global[%s32_1+4]",
            "global[%b64_1+-4]",
            "global[%u16_1]",
            "global[%f32_1]",
            "global[%f64_1+1]",
            "global[%pred1]",
            "global[%laneid]",
            "global[nowhere]",
            "global[HERE]",
            "global[k]",
            "global[1][1]",
            "[global+%u32_1]",
            "constant[%u32_1]",
            "shared[%u32_1]",
            "shared[2]",
            "local[%b64_1]",
            "local[2]",
            "param[0]",
            "%u64_1[0]",
            "%u64_1[%f32_1]",
            "%tid[0]",
            "k[1]",
            "HERE[1]",
            "nowhere[1]",
            "nowhere[%nowhere]",
        ] {
            for form in [
                "ld.global.u32 %u32_0, X;",
                "ld.const.f32 %f32_0, X;",
                "ld.shared.u32 %u32_0, X;",
                "ld.local.u32 %u32_0, X;",
                "ld.param.u64 %u64_0, X;",
                "ld.u32 %u32_0, X;",
                "ld.volatile.global.u32 %u32_0, X;",
                "ld.global.v2.u32 {%u32_0, %u32_3}, X;",
                "st.global.u32 X, %u32_0;",
                "st.const.u32 X, %u32_0;",
                "st.shared.u32 X, %u32_0;",
                "st.local.v2.u32 X, {%u32_0, %u32_3};",
                "st.u32 X, %u32_0;",
                "st.global.u32 [global], X;",
                "mov.u64 %u64_0, X;",
                "mov.u64 X, %u64_0;",
                "mov.f64 %f64_0, X;",
                "mov.pred %pred0, X;",
                "cvta.global.u64 %u64_0, X;",
                "cvta.to.shared.u64 %u64_0, X;",
                "isspacep.global %pred0, X;",
                "atom.global.add.u32 %u32_0, X, %u32_3;",
                "red.shared.add.u32 X, %u32_3;",
                "prefetch.global.L1 X;",
                "add.u64 %u64_0, X, %u64_3;",
                "add.f32 %f32_0, X, %f32_3;",
                "add.u32 X, %u32_0, %u32_3;",
                "setp.eq.u32 %pred0, X, %u32_3;",
                "selp.b32 %b32_0, %b32_1, X, %pred0;",
                "cvt.u64.u32 %u64_0, X;",
                "bra X;",
            ] {
                elements.push(form.replace('X', element));
            }
        }
        add("element", elements);
        let (mut atom, mut red) = (Vec::new(), Vec::new());
        for order in ["", "relaxed", "acquire", "release", "acq_rel", "sc", "weak", "volatile"] {
            for scope in ["", "cta", "cluster", "gpu", "sys", "gl"] {
                for space in spaces {
                    for operation in
                        ["", "add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "sub"]
                    {
                        for flags in ["", "noftz", "L2::cache_hint", "ftz"] {
                            for scalar in TYPES {
                                if (!order.is_empty() || !scope.is_empty())
                                    && (space == "param::entry"
                                        || space == "local"
                                        || (flags == "ftz")
                                        || scalar.starts_with("u16x"))
                                {
                                    continue;
                                }
                                let third = if operation == "cas" {
                                    format!(", {}", reg(scalar, 3))
                                } else {
                                    String::new()
                                };
                                let hint = if flags == "L2::cache_hint" { ", %b64_5" } else { "" };
                                atom.push(format!(
                                    "{} {}, {}, {}{third}{hint};",
                                    words(&["atom", order, scope, space, operation, flags, scalar]),
                                    reg(scalar, 0),
                                    at(space),
                                    reg(scalar, 1)
                                ));
                                red.push(format!(
                                    "{} {}, {}{hint};",
                                    words(&["red", order, scope, space, operation, flags, scalar]),
                                    at(space),
                                    reg(scalar, 1)
                                ));
                            }
                        }
                    }
                }
            }
        }
        add("atom", atom);
        add("red", red);
        let mut vectors = Vec::new();
        for order in ["", "relaxed.gpu", "acq_rel.cta", "release.sys"] {
            for space in ["", "global", "shared"] {
                for operation in ["add", "min", "max", "exch"] {
                    for flags in ["", "noftz"] {
                        for vector in ["v2", "v4", "v8"] {
                            for scalar in TYPES {
                                let count: u32 = vector[1..].parse().unwrap();
                                let list = |from: u32| {
                                    format!(
                                        "{{{}}}",
                                        (0..count)
                                            .map(|index| reg(scalar, (from + index) % 6))
                                            .collect::<Vec<_>>()
                                            .join(", ")
                                    )
                                };
                                vectors.push(format!(
                                    "{} {}, {}, {};",
                                    words(&["atom", order, space, operation, flags, vector, scalar]),
                                    list(0),
                                    at(space),
                                    list(1)
                                ));
                                vectors.push(format!(
                                    "{} {}, {};",
                                    words(&["red", order, space, operation, flags, vector, scalar]),
                                    at(space),
                                    list(1)
                                ));
                            }
                        }
                    }
                }
            }
        }
        add("atom_vectors", vectors);
        let mut others = Vec::new();
        for space in spaces {
            for level in ["", "L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"] {
                for opcode in ["prefetch", "prefetchu", "applypriority", "discard"] {
                    others.push(format!("{} {};", words(&[opcode, space, level]), at(space)));
                    others.push(format!("{} {}, 128;", words(&[opcode, space, level]), at(space)));
                    others.push(format!("{} {}, 64;", words(&[opcode, space, level]), at(space)));
                }
                for to in ["", "to"] {
                    for scalar in ["", "u32", "u64", "b64", "s64", "u16"] {
                        others.push(format!(
                            "{} {}, {};",
                            words(&["cvta", to, space, scalar]),
                            reg(scalar, 0),
                            reg(scalar, 1)
                        ));
                        others.push(format!("{} %b64_0, global;", words(&["cvta", to, space, scalar])));
                        others.push(format!("{} %b64_0, shared;", words(&["cvta", to, space, scalar])));
                        others.push(format!("{} %b64_0, param;", words(&["cvta", to, space, scalar])));
                    }
                }
                others.push(format!("{} %pred0, %u64_1;", words(&["isspacep", space])));
                others.push(format!("{} %pred0, %u32_1;", words(&["isspacep", space])));
                for scalar in ["", "u32", "u64"] {
                    others.push(format!(
                        "{} {}, {}, %u32_1;",
                        words(&["mapa", space, scalar]),
                        reg(scalar, 0),
                        reg(scalar, 1)
                    ));
                    others.push(format!(
                        "{} %u32_0, {};",
                        words(&["getctarank", space, scalar]),
                        reg(scalar, 1)
                    ));
                }
            }
        }
        add("addresses", others);
    }
    // Threads together, control.
    {
        let mut forms = Vec::new();
        for opcode in ["bar", "barrier"] {
            for middle in ["", "cta"] {
                for action in [
                    "",
                    "sync",
                    "arrive",
                    "red",
                    "red.popc",
                    "red.and",
                    "red.or",
                    "warp.sync",
                    "cluster.arrive",
                    "cluster.wait",
                    "red.xor",
                ] {
                    for aligned in ["", "aligned", "acquire", "release", "relaxed"] {
                        for scalar in ["", "u32", "pred", "b32", "s32"] {
                            for operands in [
                                "",
                                "0",
                                "%u32_0",
                                "0, 64",
                                "0, %u32_1",
                                "%u32_0, 0, %pred1",
                                "%u32_0, 0, 64, %pred1",
                                "%pred0, 0, %pred1",
                                "%pred0, %u32_1, %u32_2, !%pred1",
                                "16",
                                "0, 33",
                                "-1",
                                "0, 64, 1",
                                "0xffffffff",
                            ] {
                                forms.push(format!(
                                    "{} {operands};",
                                    words(&[opcode, middle, action, aligned, scalar])
                                ));
                            }
                        }
                    }
                }
            }
        }
        for sync in ["", "sync"] {
            for mode in ["", "up", "down", "bfly", "idx", "all"] {
                for scalar in ["", "b32", "u32", "s32", "f32", "b64", "b16", "pred", "f16x2"] {
                    for d in ["%0", "%0|%pred1", "_|%pred1"] {
                        for tail in [
                            ", %2, %u32_3, %u32_4",
                            ", %2, %u32_3, %u32_4, -1",
                            ", %2, 0, 31, %u32_5",
                            ", %2, 0, 31",
                            ", %2, 0, 32, -1",
                            ", %2, 0",
                        ] {
                            forms.push(format!(
                                "{} {}{};",
                                words(&["shfl", sync, mode, scalar]),
                                d.replace("%0", &reg(scalar, 0)),
                                tail.replace("%2", &reg(scalar, 2))
                            ));
                        }
                    }
                }
            }
        }
        for sync in ["", "sync"] {
            for mode in ["", "all", "any", "uni", "ballot", "none"] {
                for scalar in ["", "pred", "b32", "u32", "b64"] {
                    for d in ["%pred0", "%b32_0", "%u32_0", "%b64_0"] {
                        for tail in [", %pred1", ", %pred1, -1", ", !%pred1, %u32_1", ", 1", ", %u32_1, -1"] {
                            forms.push(format!("{} {d}{tail};", words(&["vote", mode, sync, scalar])));
                            forms.push(format!("{} {d}{tail};", words(&["vote", sync, mode, scalar])));
                        }
                    }
                }
            }
        }
        for mode in ["", "any", "all"] {
            for sync in ["", "sync"] {
                for scalar in ["", "b32", "u32", "b64", "b16", "f32"] {
                    for d in ["%b32_0", "%b32_0|%pred1", "%b64_0"] {
                        for mask in ["", ", -1", ", %u32_1", ", %u64_1"] {
                            forms.push(format!(
                                "{} {d}, {}{mask};",
                                words(&["match", mode, sync, scalar]),
                                reg(scalar, 1)
                            ));
                        }
                    }
                }
            }
        }
        for sync in ["", "sync"] {
            for operation in ["", "add", "min", "max", "and", "or", "xor", "inc"] {
                for flags in ["", "abs", "NaN"] {
                    for scalar in ["", "u32", "s32", "b32", "u64", "f32", "f16"] {
                        for mask in ["", ", -1", ", %u32_1"] {
                            forms.push(format!(
                                "{} {}, {}{mask};",
                                words(&["redux", sync, operation, flags, scalar]),
                                reg(scalar, 0),
                                reg(scalar, 1)
                            ));
                        }
                    }
                }
            }
        }
        for text in [
            "activemask.b32 %b32_0;",
            "activemask.u32 %u32_0;",
            "activemask %b32_0;",
            "activemask.b64 %b64_0;",
            "elect.sync %b32_0|%pred0, -1;",
            "elect.sync _|%pred0, %u32_1;",
            "elect.sync %b32_0, -1;",
            "elect %b32_0|%pred0, -1;",
        ] {
            forms.push(text.to_owned());
        }
        for opcode in ["bra", "ret", "exit", "trap", "brkpt", "call", "brx"] {
            for flag in ["", "uni", "sync", "idx"] {
                for operand in ["", "HERE", "%u32_0", "k", "nowhere", "1", "HERE, HERE"] {
                    forms.push(format!("{} {operand};", words(&[opcode, flag])));
                    forms.push(format!("@%pred0 {} {operand};", words(&[opcode, flag])));
                }
            }
        }
        for scalar in ["", "u32", "s32", "u64"] {
            for operand in ["", "0", "%u32_0", "%u64_0", "1000", "-1"] {
                forms.push(format!("{} {operand};", words(&["nanosleep", scalar])));
            }
        }
        for operand in ["", "0", "7", "15", "16", "%u32_0"] {
            for mask in ["", "mask"] {
                forms.push(format!("{} {operand};", words(&["pmevent", mask])));
            }
        }
        for opcode in ["membar", "fence"] {
            for order in [
                "",
                "sc",
                "acq_rel",
                "acquire",
                "release",
                "relaxed",
                "proxy",
                "mbarrier_init",
                "mbarrier_init.release",
                "proxy.alias",
                "proxy.async",
                "proxy.async.global",
                "proxy.async.shared::cta",
                "proxy.async.shared::cluster",
                "proxy.tensormap",
                "proxy.tensormap::generic.release",
                "proxy.tensormap::generic.acquire",
                "proxy.async::generic.acquire",
                "acquire.sync_restrict::shared::cluster",
                "release.sync_restrict::shared::cta",
            ] {
                for scope in ["", "cta", "cluster", "gpu", "sys", "gl"] {
                    forms.push(format!("{};", words(&[opcode, order, scope])));
                    forms.push(format!("{} [%u64_0], 128;", words(&[opcode, order, scope])));
                }
            }
        }
        for action in ["", "launch_dependents", "wait", "both"] {
            forms.push(format!("{};", words(&["griddepcontrol", action])));
        }
        for spaces in
            ["global.shared::cta", "global.shared", "shared::cta.global", "global.global", "global", ""]
        {
            for order in ["tensormap::generic.release", "tensormap::generic.acquire", "release", ""] {
                for scope in ["", "cta", "cluster", "gpu", "sys", "gl"] {
                    for threads in ["sync.aligned", "aligned.sync", "sync", ""] {
                        let opcode = words(&["tensormap.cp_fenceproxy", spaces, order, scope, threads]);
                        for operands in [
                            "[%u64_0], [%u64_1], 128",
                            "[global], [shared], 128",
                            "[%u64_0], [%u64_1], 64",
                            "[%u64_0], [%u64_1]",
                            "[shared], [global], 128",
                            "%u64_0, [%u64_1], 128",
                        ] {
                            forms.push(format!("{opcode} {operands};"));
                        }
                    }
                }
            }
        }
        add("together", forms);
    }
    // Vectors and moves.
    {
        let mut forms = Vec::new();
        for vector in ["", "v2", "v4", "v8"] {
            for scalar in TYPES {
                for count in 1..5u32 {
                    for other in TYPES {
                        let list = |scalar: &str, from: u32| {
                            format!(
                                "{{{}}}",
                                (0..count)
                                    .map(|index| reg(scalar, (from + index) % 6))
                                    .collect::<Vec<_>>()
                                    .join(", ")
                            )
                        };
                        forms.push(format!(
                            "{} {}, {};",
                            words(&["mov", vector, scalar]),
                            list(other, 0),
                            reg(scalar, 1)
                        ));
                        forms.push(format!(
                            "{} {}, {};",
                            words(&["mov", vector, scalar]),
                            reg(scalar, 0),
                            list(other, 1)
                        ));
                        forms.push(format!(
                            "{} {}, {};",
                            words(&["mov", vector, scalar]),
                            list(scalar, 0),
                            list(other, 1)
                        ));
                    }
                }
            }
        }
        for flags in ["rn", "sat", "ftz", "global", "eq", "volatile", "cc", "wide"] {
            for scalar in TYPES {
                forms.push(format!(
                    "{} {}, {};",
                    words(&["mov", flags, scalar]),
                    reg(scalar, 0),
                    reg(scalar, 1)
                ));
            }
        }
        add("mov", forms);
    }
    // Video.
    {
        let mut forms = Vec::new();
        for opcode in ["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset", "vmad"] {
            for to in ["", "u32", "s32", "u16"] {
                for (first, second) in [
                    ("u32", "u32"),
                    ("s32", "u32"),
                    ("s32", "s32"),
                    ("u32", ""),
                    ("u8", "u32"),
                    ("u64", "u64"),
                ] {
                    for sat in ["", "sat", "clamp", "wrap", "eq", "lt", "shr7", "po", "shr15.sat"] {
                        for last in ["", "add", "min", "max"] {
                            for (d, a, b, c) in [
                                ("", "", "", ""),
                                (".b0", "", "", ""),
                                ("", ".b3", ".h1", ""),
                                (".h1", ".b0", ".b1", ""),
                                ("", ".b4", "", ""),
                                ("", "", "", ".b0"),
                            ] {
                                let third = if last.is_empty() && d.is_empty() && opcode != "vmad" {
                                    String::new()
                                } else {
                                    format!(", %u32_3{c}")
                                };
                                forms.push(format!(
                                    "{} %u32_0{d}, %u32_1{a}, %u32_2{b}{third};",
                                    words(&[opcode, to, first, second, sat, last])
                                ));
                            }
                        }
                    }
                }
            }
        }
        for opcode in [
            "vadd2",
            "vsub2",
            "vavrg2",
            "vabsdiff2",
            "vmin2",
            "vmax2",
            "vset2",
            "vadd4",
            "vsub4",
            "vavrg4",
            "vabsdiff4",
            "vmin4",
            "vmax4",
            "vset4",
        ] {
            for to in ["", "u32", "s32", "u16"] {
                for (first, second) in [("u32", "u32"), ("s32", "u32"), ("s32", "")] {
                    for sat in ["", "sat", "eq", "add", "sat.add", "lt.add"] {
                        for (d, a, b, c) in [
                            ("", "", "", true),
                            (".h0", "", "", true),
                            ("", ".h10", ".h32", true),
                            (".b10", ".b7654", "", true),
                            ("", "", "", false),
                        ] {
                            forms.push(format!(
                                "{} %u32_0{d}, %u32_1{a}, %u32_2{b}{};",
                                words(&[opcode, to, first, second, sat]),
                                if c { ", %u32_3" } else { "" }
                            ));
                        }
                    }
                }
            }
        }
        add("video", forms);
    }
    // Products of matrices, also sparse ones.
    {
        let mut forms = Vec::new();
        let list = |scalar: &str, count: usize| {
            let registers: Vec<String> = (0..count as u32).map(|number| reg(scalar, number)).collect();
            format!("{{{}}}", registers.join(", "))
        };
        for (factor, bits) in [
            ("f16", 16),
            ("bf16", 16),
            ("tf32", 32),
            ("f64", 64),
            ("s8", 8),
            ("u4", 4),
            ("b1", 1),
            ("e4m3", 8),
        ] {
            for depth in [4, 8, 16, 32, 64, 128, 256] {
                for sum in ["f32", "f16", "s32"] {
                    for (variant, has_metadata) in
                        [("", false), ("sp", true), ("sp::ordered_metadata", true), ("sp", false)]
                    {
                        for saturate in ["", "satfinite"] {
                            for selector in if has_metadata { -1..5 } else { 0..1 } {
                                let (d, c) = match sum {
                                    "f16" => (list("b32", 2), list("b32", 2)),
                                    sum => (list(sum, 4), list(sum, 4)),
                                };
                                let registers = |rows: usize| (rows * depth * bits / 1024).clamp(1, 4);
                                let a = list("b32", registers(if has_metadata { 8 } else { 16 }));
                                let b = list("b32", registers(8));
                                let metadata = if has_metadata {
                                    format!(", %b32_5, {selector}")
                                } else {
                                    String::new()
                                };
                                let shape = format!("m16n8k{depth}");
                                let product = if bits == 1 { "and.popc" } else { "" };
                                forms.push(format!(
                                    "{} {d}, {a}, {b}, {c}{metadata};",
                                    words(&[
                                        "mma", variant, "sync", "aligned", &shape, "row", "col", saturate,
                                        sum, factor, factor, sum, product
                                    ])
                                ));
                            }
                        }
                    }
                }
            }
        }
        add("matrices", forms);
    }
    families
}
