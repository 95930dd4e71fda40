//! Decoding of mangled names of C++ functions.
//!
//! `mangled_names.tsv` has names that nvcc, NVRTC, g++ and clang gave to declarations, with the output of `c++filt`.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_ptx::mangle::{Builtin, Type, decode};
use proptest::prelude::*;

/// Names with constructs that are not decoded.
const UNDECODED: &[(&str, &str)] = &[
    ("argument of unspecified kind", "_Z2t9ITnDaLi3EEvv"),
    ("arithmetic on a template parameter", "_Z2n4ILi2EEvPAplT_Li1E_i"),
    ("array by value", "_Z1fIA3_fEvT_"),
    ("class local to a function", "_Z3t11IZ4use2vE3LocEvT_"),
    ("complex number", "_Z2n2Cd"),
    ("const member function", "_ZNK2Op1mEv"),
    ("constrained argument", "_Z2t8IiTnT_Li3EEvv"),
    ("constructor", "_ZN2OpC1Ei"),
    ("conversion operator", "_ZN2OpcviEv"),
    ("decltype", "_Z2n3IiEDTplfp_Li1EET_"),
    ("destructor", "_ZN2OpD1Ev"),
    ("enable_if", "_Z3n11IiENSt9enable_ifIXsrSt11is_integralIT_E5valueEvE4typeES2_"),
    ("floating-point argument", "_Z1fILf40490fdbEEvv"),
    ("floating-point argument with decimal digits", "_Z1fILf40000000EEvv"),
    ("function as argument", "_Z2n6IXadL_Z4instvEEEvv"),
    ("function by value", "_Z1fIFvvEEvT_"),
    ("lambda expression", "_Z3t11IZ4use2vEUliE_EvT_"),
    ("noexcept function", "_Z2n8PDoFvvE"),
    ("null pointer as argument", "_Z1fILDn0EEvv"),
    ("object as argument", "_Z2n5IXadL_Z2gxEEEvv"),
    ("operator", "_ZN2OpplEi"),
    ("pack of values within an expansion", "_Z4dimsIfJLi1ELi2ELi3EEEvPT_Dp3VecIS0_XT0_EE"),
    ("pointer to member", "_Z2n1MN1a1SEi"),
    ("standard stream by its short form", "_Z1fRSo"),
    ("variadic function", "_Z3n10PKcz"),
    ("variadic function as type", "_Z2n7PFvPKczE"),
    ("vector of the compiler", "_Z2n9Dv4_f"),
];

/// Texts that are not mangled names of a function.
const OTHERS: &[&str] = &[
    "",
    "_",
    "_Z",
    "_ZN",
    "scale",
    "Z5scalePf",
    "_Z5scale",
    "_Z7scalePf",
    "_Z5scalePfq",
    "_ZN4sims5tableE",
    "_Z05scalePf",
    "_Z5scalePfE",
    "_Z5scalePfS1_",
    "_Z5scalePfS00_",
    "_Z5scaleT_",
    "_Z3sumIfEvT0_",
    "_Z3sumIfEvDpT_",
    "_Z3sumIJfEEvT_",
    "_Z3sumILi3EEvT_",
    "_Z3sumIfEv3VecIXT_EE",
    "_Z3sumIT_Evv",
    "_Z5scalePRi",
    "_Z5scaleKVi",
    "_Z5scaleiv",
    "_Z99999999999999999999fi",
    "_Z4a-b i",
    "_Z2\u{e9}",
    "_ZN1fEi",
    "__nv_static_",
    "__nv_static_3__ab_",
    "__nv_static_99__ab__Z5scalePf",
    "_Z3sumILb2EEvv",
    "_Z3sumIfE",
    "_Z2\u{20ac}v",
];

fn table() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("mangled_names.tsv").lines().skip(1).map(|line| line.split_once('\t').unwrap())
}

fn param(name: &str, index: usize) -> Type {
    decode(name).unwrap_or_else(|| panic!("{name}")).params.swap_remove(index)
}

/// Splits a declaration into words and signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match rest.starts_with("(anonymous namespace)") {
            true => "(anonymous namespace)".len(),
            false => word.max(first.len_utf8()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Returns a declaration of `c++filt` in the form of this crate, except for spaces: `const` precedes a type that is not
/// a pointer.
fn normal_form(text: &str) -> String {
    let text = text.replace("decltype(nullptr)", "std::nullptr_t").replace(" restrict", " __restrict__");
    let text = text.replace("(, ", "("); // an empty pack before a parameter
    let mut out: Vec<&str> = Vec::new();
    for token in tokens(&text) {
        let mut place = out.len();
        let is_qualifier = |token: &str| matches!(token, "const" | "volatile" | "__restrict__");
        let of = out.iter().rposition(|token| !is_qualifier(token)).map_or("(", |index| out[index]);
        if matches!(token, "const" | "volatile") && !matches!(of, "*" | "(" | "<" | "," | ")") {
            let mut depth = 0;
            while place > 0 {
                match out[place - 1] {
                    ">" | ")" => depth += 1,
                    "<" | "(" if depth > 0 => depth -= 1,
                    "<" | "(" | "," if depth == 0 => break,
                    _ => {}
                }
                place -= 1;
            }
            place += usize::from(out[place] == "const");
        }
        out.insert(place, token);
    }
    out.join(" ")
}

#[test]
fn names_decode_to_the_text_of_cxxfilt() {
    let mut count = 0;
    for (name, expected) in table() {
        let decoded = decode(name).unwrap_or_else(|| panic!("{name} is not decoded"));
        let (ours, theirs) = (tokens(&decoded.to_string()).join(" "), normal_form(expected));
        // c++filt writes the result of a function template before its name.
        let result = theirs.strip_suffix(&ours).unwrap_or_else(|| panic!("{name}\n{ours}\n{theirs}"));
        let is_template = decoded.name != decoded.base;
        assert!(
            if is_template { result.ends_with(' ') } else { result.is_empty() },
            "{name}\n{ours}\n{theirs}"
        );
        assert!(decoded.name.starts_with(&decoded.base), "{name}");
        count += 1;
    }
    assert!(count >= 200, "{count} names");
}

#[test]
fn undecoded_constructs_are_none() {
    for (construct, name) in UNDECODED {
        assert_eq!(decode(name), None, "{construct}");
    }
    for name in OTHERS {
        assert_eq!(decode(name), None, "{name}");
    }
}

#[test]
fn base_lacks_only_the_arguments_of_the_function() {
    let base = |name| decode(name).map(|decoded| decoded.base);
    assert_eq!(base("_Z5scalePf").as_deref(), Some("scale"));
    assert_eq!(base("_ZN4sims3sumIfLi256EEEvPKT_").as_deref(), Some("sims::sum"));
    assert_eq!(base("_ZN4GridIfE5clearEi").as_deref(), Some("Grid<float>::clear"));
    assert_eq!(base("_ZN4GridIfE5clearIiEEvT_").as_deref(), Some("Grid<float>::clear"));
}

#[test]
fn parameter_types_have_their_structure() {
    let float = || Box::new(Type::Builtin(Builtin::Float));
    let pointer = param("_Z1fPKfPS_", 0);
    let Type::Pointer(of) = &pointer else { panic!("{pointer}") };
    assert!(of.is_const() && !pointer.is_const());
    assert_eq!(*of.unqualified(), *float());
    assert_eq!(param("_Z1fPf", 0), Type::Pointer(float()));
    assert_eq!(param("_Z1fRf", 0), Type::Reference(float()));
    assert_eq!(param("_Z1fOf", 0), Type::RvalueReference(float()));
    assert_eq!(param("_Z1fm", 0), Type::Builtin(Builtin::UnsignedLong));
    assert_eq!(param("_Z1fu6__bf16DF16b", 0), param("_Z1fu6__bf16DF16b", 1));
    let array = Type::Array { of: float(), len: Some(10) };
    assert_eq!(param("_Z1fPA10_f", 0), Type::Pointer(Box::new(array)));
    let function = Type::Function { returns: float(), params: Vec::new() };
    assert_eq!(param("_Z1fPFfvE", 0), Type::Pointer(Box::new(function)));
    assert_eq!(decode("_Z1fv").map(|decoded| decoded.params), Some(Vec::new()));
}

#[test]
fn references_of_references_collapse() {
    assert_eq!(param("_Z4refsIRiEvRT_RKS1_", 1).to_string(), "int &");
    assert_eq!(param("_Z4refsIOiEvOT_", 0).to_string(), "int &&");
    assert_eq!(param("_Z4refsIOiEvRT_", 0).to_string(), "int &");
}

#[test]
fn types_behind_template_parameters_are_dependent() {
    let (named, dependent) =
        (|name: &str| Type::Named(name.into()), |name: &str| Type::Dependent(name.into()));
    let name = "_Z1fIfLi4EEv1VIT_XT0_EENS2_4typeEPS3_N1n1SE1WIS3_E";
    assert_eq!(param(name, 0), named("V<float, 4>"));
    assert_eq!(param(name, 1), dependent("V<float, 4>::type"));
    assert_eq!(param(name, 2), Type::Pointer(Box::new(dependent("V<float, 4>::type"))));
    assert_eq!(param(name, 3), named("n::S"));
    assert_eq!(param(name, 4), named("W<V<float, 4>::type>"));
    assert_eq!(param("_Z1fI1AEvNT_5tableE", 0), dependent("A::table"));
    assert_eq!(param("_Z1fI1AEvNT_6rebindIfEEPS0_", 0), dependent("A::rebind<float>"));
    assert_eq!(param("_Z9containerI4SpanfEvT_IT0_E", 0), dependent("Span<float>"));
    assert_eq!(param("_Z4spanIfEv4SpanIT_E", 0), named("Span<float>"));
    assert_eq!(param("_ZN1VIfE5clearENS0_4NodeE", 0), named("V<float>::Node"));
}

#[test]
fn prefixes_of_static_functions_are_removed() {
    let text = |name| decode(name).map(|decoded| decoded.to_string());
    let name = "__nv_static_25__1ca2a4b4_4_k_cu_3398a441__ZN4sims9ns_staticEPNS_5StateE";
    assert_eq!(text(name).as_deref(), Some("sims::ns_static(sims::State *)"));
    let name = "_ZN34_INTERNAL_3aac4715_4_k_cu_3760eee94sims4stepENS0_5StateE";
    assert_eq!(text(name).as_deref(), Some("sims::step(sims::State)"));
    assert_eq!(text("_ZN4simsL4stepEi").as_deref(), Some("sims::step(int)"));
}

#[test]
fn unmarked_expansion_of_nvcc_is_read() {
    // nvcc writes `XT_E` where the ABI has `XspT_E`. c++filt shows the first value only.
    for (values, args, more) in [("Li1ELin2ELi3E", "1, -2, 3", "0, 1, -2, 3"), ("", "", "0")] {
        for mark in ["", "sp"] {
            let name = format!("_Z3seqIJ{values}EEv3SeqIJX{mark}T_EEES0_IJLi0EX{mark}T_EEE");
            let text = decode(&name).map(|decoded| decoded.to_string());
            assert_eq!(text, Some(format!("seq<{args}>(Seq<{args}>, Seq<{more}>)")));
        }
    }
}

#[test]
fn deep_types_up_to_the_limit_are_decoded() {
    assert!(decode(&format!("_Z1f{}i", "P".repeat(90))).is_some());
    let nested = format!("_Z1f{}i{}", "1AI".repeat(40), "E".repeat(40));
    assert!(decode(&nested).is_some());
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,60}", code in "_Z[NSTIJLXKPRAFDE0-9a-z_]{0,60}") {
        decode(&text);
        decode(&code);
    }

    #[test]
    fn no_change_of_a_name_panics(
        row in 0..200_usize,
        cuts in prop::collection::vec((0..200_usize, 0..3_usize, "[NSTIJLXKPRAFDE0-9a-z_]{0,3}"), 1..5),
    ) {
        let mut name = table().nth(row).unwrap().0.to_owned();
        for (start, length, text) in cuts {
            let start = start.min(name.len());
            name.replace_range(start..(start + length).min(name.len()), &text);
        }
        if let Some(decoded) = decode(&name) {
            prop_assert!(decoded.name.starts_with(&decoded.base));
            prop_assert!(decoded.to_string().len() < 1 << 20);
        }
    }

    #[test]
    fn name_of_generated_types_is_exact(codes in prop::collection::vec(0..6_usize, 1..40)) {
        // Each parameter but the first is a pointer to an earlier one, by its number.
        let (mut name, mut texts) = (String::from("_Z1fP1A"), vec![String::from("A *")]);
        for code in codes {
            let of = code * texts.len() / 6;
            let digit = |n: usize| std::char::from_digit(n as u32, 36).unwrap().to_ascii_uppercase();
            // `S_` is A, `S0_` is the first parameter.
            let index = if of < 36 { digit(of).to_string() } else { format!("1{}", digit(of - 36)) };
            name += &format!("PS{index}_");
            let text = format!("{}*", texts[of]);
            texts.push(text);
        }
        prop_assert_eq!(decode(&name).map(|decoded| decoded.to_string()), Some(format!("f({})", texts.join(", "))));
    }
}
