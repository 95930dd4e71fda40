#![allow(clippy::unwrap_used, clippy::panic)]

use super::types::{Scalar, Space};
use super::{Entry, ParseError, declarations, entries, parse};
use crate::ast::{Constant, Initial, Item, Linkage, Location, Operand, Pointer, Pragma, Statement, Variable};
use crate::lexer::{Lexer, TokenKind};
use proptest::prelude::*;

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

fn message(source: &str) -> String {
    match parse(source, (9, 0)) {
        Ok(_) => String::new(),
        Err(ParseError::NotPtx(d) | ParseError::Invalid(d) | ParseError::UnsupportedVersion(d)) => {
            format!("{}: {}", d.line.unwrap(), d.text)
        }
    }
}

fn body_message(body: &str) -> String {
    message(&format!("{HEAD}.entry k() {{ {body} }}"))
}

#[test]
fn module_head_errors_are_classified() {
    assert!(matches!(parse("hello world", (9, 0)), Err(ParseError::NotPtx(_))));
    assert!(matches!(parse("", (9, 0)), Err(ParseError::NotPtx(_))));
    assert!(matches!(parse(".version 99.0\n.target sm_50", (9, 0)), Err(ParseError::UnsupportedVersion(_))));
    assert_eq!(
        message("// comment\n.version 9.5\n"),
        "2: Unsupported .version 9.5; current version is '9.0'"
    );
    assert!(message(".version 6.4\n.address_size 64\n").starts_with("2: Missing .target directive"));
    assert_eq!(message(".version 6.4\n.target sm_73\n"), "2: Unsupported .target 'sm_73'");
    assert_eq!(message(".version 6.4\n.target sm_50, debug\n"), "");
}

#[test]
fn syntax_error_names_token_and_line() {
    assert_eq!(body_message("bra L0\n L1: ret;"), "5: Parsing error near 'L1': syntax error");
    assert_eq!(body_message("mov.u64 %rd1, gv-4;"), "4: Parsing error near '-': syntax error");
    assert_eq!(body_message("ret; /* no end"), "4: Parsing error near '': unexpected EOF while scanning");
    assert_eq!(
        message(&format!("{HEAD}.global .u32 a\n.visible .entry k() {{ ret; }}")),
        "5: Parsing error near '.visible': syntax error"
    );
    assert_eq!(body_message("mov.s32 %r1, 7 / 0;"), "4: Constant expression has division by zero");
}

/// Conformance fact V1084.
#[test]
fn element_is_whole_operand() {
    for (text, near) in [
        ("ld.global.u32 %r1, gv[%r1-1];", "-"),
        ("ld.global.u32 %r1, gv[1+%r1];", "%r1"),
        ("ld.global.u32 %r1, gv[-%r1];", "%r1"),
        ("ld.global.u32 %r1, gv[%r1+%r2];", "%r2"),
        ("ld.global.u32 %r1, gv[%tid.x];", ".x"),
        ("ld.global.u32 %r1, gv[_];", "_"),
        ("ld.global.u32 %r1, gv[];", "]"),
        ("ld.global.u32 %r1, gv[1][2];", "["),
        ("ld.global.u32 %r1, gv[1]+4;", "+"),
        ("ld.global.u32 %r1, [gv[1]];", "["),
        ("ld.global.u32 %r1, [gv+%r1];", "%r1"),
        ("ld.global.v2.u32 {%r1, %r2[0]}, [gv];", "["),
        ("neg.s32 %r1, -%r2[0];", "["),
        ("setp.eq.u32 %p1[0]|%p2, %r1, %r2;", "|"),
        ("@%p1[0] ret;", "["),
        ("call fn[0];", "["),
        ("call (%r1), fn, (gv[1]);", "["),
    ] {
        assert_eq!(body_message(text), format!("4: Parsing error near '{near}': syntax error"), "{text}");
    }
    for text in ["gv[1.0]", "gv[%r1+1.0]", "[gv+1.0]"] {
        let found = body_message(&format!("ld.global.u32 %r1, {text};"));
        assert_eq!(found, "4: Integer constant expression expected", "{text}");
    }
    let index = |text: &str| {
        let source = format!("{HEAD}.entry k() {{ ld.global.u32 %r, {text}; }}");
        let module = parse(&source, (9, 0)).unwrap();
        let [Item::Function(function)] = &module.items[..] else { panic!("one function") };
        let Some([Statement::Instruction(instruction)]) = function.body.as_deref() else { panic!("one") };
        let Some(Operand::Element { name: "gv", index }) = instruction.operands.get(1) else {
            panic!("no element")
        };
        match **index {
            Operand::Name { name, addend } => (name.to_owned(), addend),
            Operand::Constant(Constant::Integer { bits, .. }) => (String::new(), bits.cast_signed()),
            _ => panic!("no index"),
        }
    };
    for (text, name, addend) in [
        ("gv[1+1]", "", 2),
        ("gv[-1]", "", -1),
        ("gv[WARP_SZ]", "", 32),
        ("gv[%r1]", "%r1", 0),
        ("gv[%r1+-1]", "%r1", -1),
        ("gv[%r1+1+2*3]", "%r1", 7),
    ] {
        assert_eq!(index(text), (name.to_owned(), addend), "{text}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert!(body_message(&"{".repeat(100_000)).contains("memory exhausted"));
    assert!(body_message(&format!("mov.u32 %r, {}1;", "(".repeat(100_000))).contains("memory exhausted"));
    assert!(body_message(&format!("mov.u32 %r, {}1;", "-".repeat(100_000))).contains("memory exhausted"));
    assert!(body_message(&format!("mov.u32 %r, {};", "[".repeat(100_000))).contains("memory exhausted"));
    assert!(message(&format!("{HEAD}.global .u32 a = {}", "{".repeat(100_000))).contains("memory exhausted"));
}

fn constant(expression: &str) -> Constant {
    let source = format!("{HEAD}.entry k() {{ mov.u32 %r, {expression}; }}");
    let module = parse(&source, (9, 0)).unwrap();
    let Some(Item::Function(function)) = module.items.first() else { panic!("no function") };
    let Some(Statement::Instruction(instruction)) = function.body.as_ref().and_then(|body| body.first())
    else {
        panic!("no instruction")
    };
    let Some(Operand::Constant(constant)) = instruction.operands.get(1) else { panic!("no constant") };
    *constant
}

#[test]
fn constant_expressions_are_evaluated() {
    let signed = |value: i64| Constant::Integer { bits: value.cast_unsigned(), signed: true };
    let unsigned = |bits: u64| Constant::Integer { bits, signed: false };
    assert_eq!(constant("5 + 3 * 2"), signed(11));
    assert_eq!(constant("(5 + 3) * 2"), signed(16));
    assert_eq!(constant("-7 / 2"), signed(-3));
    assert_eq!(constant("-7 % 2"), unsigned(1));
    assert_eq!(constant("(-3 % -1) / 2"), unsigned(0x7fff_ffff_ffff_fffe));
    assert_eq!(constant("(1 ? -1 : 0U) > 0"), signed(0));
    assert_eq!(constant("1 ? 2 : 3"), signed(2));
    assert_eq!(constant("0 || 0 ? 2 : 3"), signed(3));
    assert_eq!(constant("5 & 3 | 4 ^ 2"), signed(7));
    assert_eq!(constant("-1 > 0U"), signed(1));
    assert_eq!(constant("-1 > 0"), signed(0));
    assert_eq!(constant("0xffffffffffffffff"), unsigned(u64::MAX));
    assert_eq!(constant("(.s64) 0xffffffffffffffff >> 4"), signed(-1));
    assert_eq!(constant("010"), signed(8));
    assert_eq!(constant("0b101U"), unsigned(5));
    assert_eq!(constant("1 << 64"), signed(1));
    assert_eq!(constant("-1 >> 65"), signed(-1));
    assert_eq!(constant("3U >> 65"), unsigned(1));
    assert_eq!(constant("!5"), signed(0));
    assert_eq!(constant("~5"), unsigned(u64::MAX - 5));
    assert_eq!(constant("~0 / 2"), unsigned(u64::MAX / 2));
    assert_eq!(constant("WARP_SZ - 1"), signed(31));
    assert_eq!(constant("0f3f800000"), Constant::Single(0x3f80_0000));
    assert_eq!(constant("0D3FF0000000000000"), Constant::Double(1.0));
    assert_eq!(constant("1.5e3"), Constant::Double(1500.0));
    assert_eq!(constant("-2.5"), Constant::Double(-2.5));
    assert_eq!(constant("1.0 + 2.0"), Constant::Double(3.0));
}

/// Every construct of the language for which the parser has a rule, once.
const WHOLE_SYNTAX: &str = r#"
// leading comment
.version 8.6 /* block
comment */
.target sm_90a, texmode_independent
.address_size 64
.file 1 "kernel.cu", 123, 456
.pragma "nounroll";
.visible .global .align 16 .v4 .f32 table[2][2] = {{ {1.0, 2.0}, {0f3f800000, 0d3ff0000000000000} }};
.weak .const .align 8 .b8 bytes[] = {1, 0xff(table), 0xff00(generic(table)+8), 3};
.extern .shared .align 16 .b8 dynamic[];
.common .global .u64 pointer = generic(table) + 4, other = table;
.global .attribute(.managed) .u32 managed;
.global .texref tex0; .global .surfref surf0;
.global .samplerref samp = { addr_mode_0 = clamp_to_edge, filter_mode = linear };
.global .align 1 .b8 _ZZ4name$str[3] = {104, 105};
.section .debug_str { info: .b8 1, 2
.b32 .debug_abbrev
.b64 a+4 }
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 arguments);
.func (.reg .u32 %result) helper (.reg .u32 %a, .reg .pred %p) .noreturn;
.visible .func (.param .align 16 .b8 out[16]) device(.param .b64 a, .param .align 4 .b8 b[12])
{
	st.param.v2.b32 [out+0], {%r1, _};
	ret;
}
.alias other_name, device;
.visible .entry kernel(
	.param .u64 .ptr .global .align 16 first,
	.param .align 8 .b8 second[24]
)
.maxntid 128, 1, 1
.minnctapersm 2 .maxnreg 64 .reqnctapercluster 1, 1, 1
.pragma "unroll";
{
	.reg .pred %p<10>;
	.reg .b32 %r<4>, lone;
	.reg .v4 .f32 vector;
	.local .align 8 .b8 __local_depot0[64];
	.shared .f32 tile[16][17];
	.loc 1 5 3
	.loc 1 7 1, function_name $L__info_string0+3, inlined_at 1 5 3
	.pragma "used_bytes_mask 15";
prototype_0: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[8]);
targets_0: .branchtargets A, B;
calls_0: .calltargets device;
	@%p1 bra A;
	@!%p1 bra.uni B;
A:	{ .reg .b32 %temp; mov.b32 {%temp, _}, %rd1; }
B:
	mov.u32 %r1, %tid.x;
	add.f32 vector.x, vector.y, 1.5;
	setp.eq.and.u32 %p1|%p2, %r1, WARP_SZ, !%p3;
	ld.global.L1::no_allocate.L2::128B.v4.f32 vector, [%rd1+-16];
	ld.shared.b32 %r1, tile[4];
	tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex0, samp, {%f5, %f6}];
	cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1, %r2}], [%r3];
	call.uni (%r1), helper, (%r2, 5), prototype_0;
	call (retval), %rd1, (p0, p1), prototype_0;
	call device;
	brx.idx %r1, targets_0;
	mov.u64 %rd1, table+8;
	neg.s32 %r1, -%r2;
	@%p1 trap;
	ret;
}
@@DWARF .section ignored "line"
"#;

#[test]
fn whole_syntax_is_parsed() {
    let module = parse(WHOLE_SYNTAX, (9, 0)).unwrap();
    assert_eq!(module.version, (8, 6));
    assert_eq!(module.address_size, Some((64, 6)));
    assert_eq!(module.files, [(1, "kernel.cu")]);
    let locations: Vec<_> = module.locations.iter().map(|location| (location.file, location.line)).collect();
    assert_eq!(locations, [(1, 5), (1, 7)]);
    let head = ".version 6.4 .target sm_50\n.entry a() {\n.loc 2 9 1\nret; }\n.entry b() { ret; }";
    let found = parse(head, (9, 0)).unwrap().locations;
    let location = |ptx_line, file, line| Location { ptx_line, file, line };
    assert_eq!(found, [location(3, 2, 9), location(5, 0, 0)]);
    let kernel = module
        .items
        .iter()
        .find_map(|item| match item {
            Item::Function(function) if function.name == "kernel" => Some(function),
            _ => None,
        })
        .unwrap();
    assert_eq!(kernel.limits.max_threads, Some([128, 1, 1]));
    assert_eq!(kernel.limits.max_registers, Some(64));
    assert_eq!(kernel.params.len(), 2);
    let mnemonics: Vec<_> = kernel
        .body
        .iter()
        .flatten()
        .filter_map(|statement| match statement {
            Statement::Instruction(instruction) => Some(instruction.opcode),
            _ => None,
        })
        .collect();
    assert_eq!(mnemonics.len(), 17);
    let texts: Vec<_> = module.pragmas.iter().map(|pragma| &*pragma.texts).collect();
    assert_eq!(texts, [["nounroll"], ["unroll"]]);
    assert!(kernel.body.iter().flatten().any(|statement| matches!(
        statement,
        Statement::Pragma(Pragma { texts, line: 43 }) if *texts == ["used_bytes_mask 15"]
    )));
    assert!(module.items.iter().any(|item| matches!(
        item,
        Item::Variable(variable) if variable.name == "bytes"
            && matches!(variable.initial, Some(Initial::List(ref list)) if list.len() == 4)
    )));
}

#[test]
fn line_directive_renumbers_lines() {
    let source = format!("{HEAD}#line 50 \"x.h\"\n.entry k( {{ }}");
    assert_eq!(message(&source), "50: Parsing error near '{': syntax error");
}

#[test]
fn declarations_have_lines_of_text() {
    let source = format!(
        "{HEAD}# 12 \"k.cu\"\n.global .u32 a;\n#line 90 \"x.h\"\n.entry k() {{\n#line 70\nret;\n}}\n.func f() {{ }}\n"
    );
    let found = declarations(&source).unwrap();
    assert_eq!(
        (found.variables[0].line, found.entries[0].line, &found.functions[..]),
        (5, 7, &[("f", 11)][..])
    );
    assert_eq!(signatures(&source)[0].line, 90);
    let error = declarations(&format!("{source}.entry e(")).unwrap_err();
    assert_eq!(error.diagnostic().line, Some(12));
}

fn signatures(source: &str) -> Vec<Entry<'_>> {
    entries(source).collect::<Result<_, _>>().unwrap()
}

/// Returns the signatures of a text, read from its syntax tree.
fn parsed_signatures(source: &str) -> Option<Vec<Result<Entry<'_>, ParseError>>> {
    let module = parse(source, (9, 0)).ok()?;
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.entry => Some(function),
        _ => None,
    });
    Some(functions.map(|function| Entry::try_from(function).map_err(ParseError::Invalid)).collect())
}

#[test]
fn entry_parameters_have_types_and_layout() {
    let source = format!(
        "{HEAD}.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24], .param .f32 f,\n\
         .param .u16 h, .param .v2 .f32 v, .param .texref t, .param .u64 .ptr q) .maxntid 64 {{ ret; }}"
    );
    let [kernel] = &signatures(&source)[..] else { panic!("one kernel") };
    let layout: Vec<_> = kernel
        .params
        .iter()
        .map(|param| (param.name, param.kind.scalar(), param.array, param.size, param.align))
        .collect();
    assert_eq!(
        layout,
        [
            ("p", Scalar::U64, false, 8, 8),
            ("s", Scalar::B8, true, 24, 8),
            ("f", Scalar::F32, false, 4, 4),
            ("h", Scalar::U16, false, 2, 2),
            ("v", Scalar::F32, true, 8, 8),
            ("t", Scalar::B64, false, 8, 8),
            ("q", Scalar::U64, false, 8, 8),
        ]
    );
    let global = Pointer { space: Some(Space::Global), align: Some(16) };
    let pointers: Vec<_> = kernel.params.iter().filter_map(|param| param.pointer).collect();
    assert_eq!(pointers, [global, Pointer { space: None, align: None }]);
    assert_eq!((kernel.linkage, kernel.limits.max_threads), (Linkage::Visible, Some([64, 1, 1])));
}

#[test]
fn entries_skip_everything_but_heads() {
    let source = format!(
        "{HEAD}.global .b8 text[] = {{ 1, 2 }}; .func .entrylike() {{ }}\n\
         .weak .entry a() {{ /* }} */ .pragma \"}}\"; // }}\n {{ .entry }} nonsense ! }}\n\
         .extern .entry b(.param .u32 x);\n.section .debug {{ .b8 1 }}\n@@DWARF .entry \"}}\"\n\
         .file 1 \".entry c\"\n.entry d() {{ ret; }}"
    );
    let found: Vec<_> = signatures(&source)
        .iter()
        .map(|entry| (entry.name, entry.linkage, entry.defined, entry.line))
        .collect();
    assert_eq!(
        found,
        [("a", Linkage::Weak, true, 5), ("b", Linkage::Extern, false, 7), ("d", Linkage::Internal, true, 11)]
    );
}

#[test]
fn entry_of_old_version_has_parameters_of_body() {
    let source = ".version 1.3 .target sm_10 .entry k { .param .u32 a; .reg .u32 %r; .param .f64 b; exit; }";
    let [kernel] = &signatures(source)[..] else { panic!("one kernel") };
    let params: Vec<_> = kernel.params.iter().map(|param| (param.name, param.size)).collect();
    assert_eq!(params, [("a", 4), ("b", 8)]);
}

#[test]
fn entry_with_error_is_reported_in_place() {
    let source = format!(
        "{HEAD}.entry a(.param .u32) {{ }} .entry b(.reg .u32 r) {{ }}\n\
         .entry c(.param .align 3 .b8 x[4]) {{ }} .entry d(.param .b64 x[4611686018427387904]) {{ }} .entry e() {{ }}"
    );
    let messages: Vec<_> = entries(&source)
        .map(|entry| match entry {
            Ok(entry) => entry.name.to_owned(),
            Err(error) => error.to_string(),
        })
        .collect();
    let log = |line: u32, severity: &str, text: &str| {
        format!("ptxas application ptx input, line {line}; {severity}: {text}")
    };
    assert_eq!(
        messages,
        [
            log(4, "fatal   ", "Parsing error near ')': syntax error"),
            log(4, "error   ", "Entry parameter 'r' must have .param state space"),
            log(5, "error   ", "Alignment must be a power of two"),
            log(5, "error   ", "Size of parameter 'x' is too large"),
            "e".to_owned(),
        ]
    );
}

#[test]
fn declarations_are_those_of_tree() {
    let tree = parse(WHOLE_SYNTAX, (9, 0)).unwrap();
    let found = declarations(WHOLE_SYNTAX).unwrap();
    let (mut entries, mut functions, mut variables) = (Vec::new(), Vec::new(), Vec::new());
    for item in &tree.items {
        match item {
            Item::Function(function) if function.entry => entries.push(Entry::try_from(function).unwrap()),
            Item::Function(function) => functions.push((function.name, function.line)),
            Item::Variable(variable) => variables.push(Variable { initial: None, ..variable.clone() }),
            _ => {}
        }
    }
    assert_eq!(found.version, tree.version);
    assert_eq!(found.targets, tree.targets.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert_eq!(found.entries, entries);
    assert_eq!(found.functions, functions);
    assert_eq!(found.variables, variables);
    assert!(!entries.is_empty() && !functions.is_empty() && variables.len() > 1);
}

#[test]
fn banked_constants_are_declared() {
    let source = ".version 2.1\n.target sm_20\n.const[3] .align 4 .b8 factors[64];\n.const .f32 first, second;\n\
        .extern .const[10] .b32 buffer[];\n.entry k() { ld.const[10].b32 %r1, [buffer+4]; ret; }";
    let found = declarations(source).unwrap();
    let variables: Vec<_> =
        found.variables.iter().map(|found| (found.name, found.space, found.size(), found.line)).collect();
    let expected = [
        ("factors", Space::Constant, Some(64), 3),
        ("first", Space::Constant, Some(4), 4),
        ("second", Space::Constant, Some(4), 4),
        ("buffer", Space::Constant, Some(0), 5),
    ];
    assert_eq!(variables, expected);
    assert_eq!((found.variables[3].linkage, found.entries[0].name), (Linkage::Extern, "k"));
    // There are 11 banks, and none from PTX 2.2 on. Other spaces have none.
    for (version, declaration, near) in [
        ("2.1", ".const[11] .b32 a;", "11"),
        ("2.1", ".const[] .b32 a;", "]"),
        ("2.1", ".const[1 .b32 a;", ".b32"),
        ("2.1", ".global[1] .b32 a;", "["),
        ("2.2", ".const[1] .b32 a;", "["),
    ] {
        let source = format!(".version {version}\n.target sm_20\n{declaration}");
        let expected = format!("line 3; fatal   : Parsing error near '{near}': syntax error");
        let error = declarations(&source).unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
        assert_eq!(message(&source), format!("3: Parsing error near '{near}': syntax error"));
    }
}

#[test]
fn declarations_tell_first_error() {
    for (source, text) in [
        (".version 6.4\n.global .u32 a = 1", "line 2; fatal   : Parsing error near '': syntax error"),
        (".version 6.4\n.global a;", "line 2; fatal   : Parsing error near 'a': syntax error"),
        (
            ".version 6.4\n.entry k(.param .u65 a) { }",
            "line 2; fatal   : Parsing error near '.u65': syntax error",
        ),
        ("hello", "line 1; fatal   : Missing .version directive at start of file 'application ptx input'"),
    ] {
        let error = declarations(source).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn text_that_is_not_ptx_has_no_entries() {
    for source in ["", "hello", ".entry k() { }", "\u{7f}ELF"] {
        let mut found = entries(source);
        assert!(matches!(found.next(), Some(Err(ParseError::NotPtx(_)))), "{source}");
        assert!(found.next().is_none());
    }
}

#[test]
fn entries_of_whole_syntax_are_those_of_tree() {
    let found: Vec<_> = entries(WHOLE_SYNTAX).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(Some(found), parsed_signatures(WHOLE_SYNTAX));
}

/// Words of heads of kernels, and some words that do not belong there.
const WORDS: &[&str] = &[
    ".version", "8.0", "1.3", ".target", "sm_50", ".visible", ".weak", ".extern", ".entry", ".func", "k",
    "(", ")", "{", "}", "[", "]", ",", ";", "4", "0", ".param", ".reg", ".align", ".ptr", ".global", ".u32",
    ".b8", ".v2", ".pred", ".texref", ".maxntid", "ret", "mov.u32", "%r1", "//", "/*", "*/", "\"", "\n",
    "@@DWARF", "#", "=", "-", "1.5", "é", "\0",
];

/// A debug line hides the brace that would end the section, in both parsers.
#[test]
fn debug_line_in_a_section_hides_its_brace() {
    let head =
        ".version 8.6\n.target sm_50\n.address_size 64\n.section .debug_str { .b32 a @@DWARF .b64 b }\n";
    for end in ["", "}\n"] {
        let source = format!("{head}{end}.entry kernel() {{ ret; }}\n");
        let found: Vec<_> = entries(&source).collect();
        assert_eq!(found.len(), usize::from(!end.is_empty()));
        assert_eq!(parsed_signatures(&source).unwrap_or_default(), found);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let source = String::from_utf8_lossy(&bytes);
        let _ = parse(&source, (9, 0));
        prop_assert!(entries(&source).count() <= source.len() + 1);
        let _ = declarations(&source);
    }

    #[test]
    fn tokens_are_parts_of_text_in_order(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let source = words.concat();
        let mut lexer = Lexer::new(&source);
        let mut rest = &source[..];
        while let Ok(token) = lexer.next_token() {
            if token.kind == TokenKind::End {
                prop_assert_eq!(token.text, "");
                break;
            }
            prop_assert!(!token.text.is_empty());
            let at = rest.find(token.text);
            prop_assert!(at.is_some());
            rest = &rest[at.unwrap_or(0) + token.text.len()..];
        }
    }

    #[test]
    fn entries_agree_with_tree(words in prop::collection::vec(prop::sample::select(WORDS), 0..40), old in any::<bool>()) {
        let version = if old { "1.3" } else { "8.0" };
        let source = format!(".version {version} .target sm_10 .entry k {}", words.join(" "));
        let found: Vec<_> = entries(&source).collect();
        if let Some(parsed) = parsed_signatures(&source) {
            prop_assert_eq!(found, parsed);
        }
    }

    #[test]
    fn entries_of_changed_text_agree_with_tree(
        at in 0..WHOLE_SYNTAX.len(),
        length in 0..20usize,
        word in prop::sample::select(WORDS),
    ) {
        let (start, end) = (at, (at + length).min(WHOLE_SYNTAX.len()));
        let source = format!("{} {word} {}", &WHOLE_SYNTAX[..start], &WHOLE_SYNTAX[end..]);
        let found: Vec<_> = entries(&source).collect();
        if let Some(parsed) = parsed_signatures(&source) {
            prop_assert_eq!(found, parsed);
        }
    }
}

#[test]
fn lines_end_at_the_largest_number() {
    let text = ".version 6.4\n# 4294967295\n\n\n/*\n*/.target sm_50\n.entry k() {\n\n}\n";
    assert_eq!(entries(text).count(), 1);
    parse(text, (9, 0)).unwrap();
    declarations(text).unwrap();
}

#[test]
fn texts_end_at_the_next_quotation_mark() {
    // For ptxas, too, a backslash is no escape, and a text goes on over line breaks.
    let source = ".version 8.4\n.target sm_80\n.file 1 \"a\\\" .entry k(.param .b8 c[100]) { ret; } // \"\n\
        .file 2 \"b\n.entry of_text() { ret; } //\"\n.entry last(.param .u32 a) { .pragma \"{\n\"; ret; }\n.entry after() { ret; }";
    let found = declarations(source).unwrap();
    let entries: Vec<_> =
        found.entries.iter().map(|entry| (entry.name, entry.params.len(), entry.line)).collect();
    assert_eq!(entries, [("k", 1, 3), ("last", 1, 6), ("after", 0, 8)]);
}

#[test]
fn directives_before_the_space_belong_to_a_variable() {
    let source = ".version 8.4\n.target sm_80\n.extern .align 16 .shared .b8 dynamic[];\n\
        .visible .attribute(.managed) .align 8 .global .b8 managed[64];\n.v2 .global .f32 pair;\n\
        .pragma \"a\";\n.global .align 4 .b8 plain[4];\n.visible .entry k() { ret; }";
    let found = declarations(source).unwrap();
    let variables: Vec<_> = found
        .variables
        .iter()
        .map(|found| (found.name, found.linkage, found.alignment(), found.managed, found.size()))
        .collect();
    let expected = [
        ("dynamic", Linkage::Extern, 16, false, Some(0)),
        ("managed", Linkage::Visible, 8, true, Some(64)),
        ("pair", Linkage::Internal, 8, false, Some(8)),
        ("plain", Linkage::Internal, 4, false, Some(4)),
    ];
    assert_eq!(variables, expected);
    assert_eq!(found.entries[0].linkage, Linkage::Visible);
    // Directives of a function end with its body.
    let source = ".version 8.0\n.target sm_80\n.func .attribute(.unified(0x1, 0x2)) f() { ret; } .global .align 4 .b8 x[4];";
    assert_eq!(declarations(source).unwrap().variables[0].alignment(), 4);
}

#[test]
fn text_without_an_end_is_refused_where_it_begins() {
    let source = format!("{HEAD}.file 1 \"a.cu\n.visible .entry k() {{ ret; }}\n");
    assert_eq!(message(&source), "4: Parsing error near '\"': syntax error");
}

#[test]
fn old_kernels_have_parameters_in_nested_blocks() {
    let source = ".version 1.3\n.target sm_13\n.entry k { .param .u32 a; { .param .u64 b; } ret; }";
    let names = |entry: Entry<'_>| entry.params.iter().map(|param| param.name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(entries(source).next().unwrap().unwrap()), ["a", "b"]);
}
