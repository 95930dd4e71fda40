//! The types: what bindgen makes of the header, without the functions.

use std::path::Path;
use std::{env, fs};

/// One exported function as the header declares it.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) result: String,
}

/// The header declares functions behind `cuuint64_t` and `size_t` only: two empty-handed stubs
/// stand in for the C library, so that the result depends on no system's headers.
const STUBS: [(&str, &str); 3] = [
    ("stdlib.h", "#include <stddef.h>\n"),
    ("stddef.h", "#ifndef STUB_STDDEF\n#define STUB_STDDEF\ntypedef __SIZE_TYPE__ size_t;\n#endif\n"),
    ("stdint.h", "typedef __UINT32_TYPE__ uint32_t;\ntypedef __UINT64_TYPE__ uint64_t;\n"),
];

pub(crate) fn bindgen(headers: &Path) -> String {
    let builder = hermetic("wrapper.h", headers)
        // Both, or a spurious CU_LAUNCH_ATTRIBUTE_MAX appears.
        .clang_args(["-D__CUDA_API_VERSION_INTERNAL", "-D__CUDA_API_VERSION_INTERNAL_ODR"])
        .allowlist_function("cu[A-Z].*")
        .blocklist_function(".*_pt[sd][sz]")
        .allowlist_type("^(CU|cu|cl_).*")
        .allowlist_var("^CU.*")
        .bitfield_enum(".*[Ff]lags(_enum)?$")
        .must_use_type("cudaError_enum")
        .no_debug("cudaError_enum"); // written by hand: it prints the code's name
    builder.generate().expect("bindgen reads cuda.h").to_string()
}

/// What holds for every header: it is read on its own, and the same Rust comes out everywhere.
pub(crate) fn hermetic(wrapper: &str, headers: &Path) -> bindgen::Builder {
    let stubs = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("stubs");
    fs::create_dir_all(&stubs).expect("OUT_DIR is writable");
    for (name, text) in STUBS {
        fs::write(stubs.join(name), text).expect("OUT_DIR is writable");
    }
    bindgen::Builder::default()
        .header(wrapper)
        .clang_args(["-nostdinc", "-std=c11"])
        .clang_args(["-isystem", &stubs.to_string_lossy(), "-I", &headers.to_string_lossy()])
        // A number that this header does not name must stay a value: Rust enums would be undefined behaviour.
        .default_enum_style(bindgen::EnumVariation::NewType { is_bitfield: false, is_global: false })
        .use_core()
        .generate_comments(false)
        .derive_default(true)
        .impl_debug(true) // structures that hold a union cannot derive it
        .layout_tests(true)
        .merge_extern_blocks(true)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .rust_target(bindgen::RustTarget::stable(88, 0).unwrap_or_else(|_| panic!("bindgen knows Rust 1.88")))
        .formatter(bindgen::Formatter::None)
}

/// Takes the extern block out: the functions become a table, see `functions.rs`.
pub(crate) fn split(raw: &str) -> (String, Vec<Declaration>) {
    let raw = super::rustfmt(raw);
    let start = raw.find("unsafe extern \"C\" {").expect("bindgen emits one extern block");
    let end = start + raw[start..].find("\n}\n").expect("the block ends") + 3;
    let block = &raw[start..end];
    assert!(!raw[end..].contains("\nunsafe extern \"C\" {"), "merge_extern_blocks leaves one block");

    let one_line = block.split_whitespace().collect::<Vec<_>>().join(" ");
    let declarations = one_line
        .split("pub fn ")
        .skip(1)
        .map(|text| {
            let (name, rest) = text.split_once('(').expect("a function has arguments");
            let (arguments, result) = rest.rsplit_once(") -> ").expect("a function has a result");
            let (result, _) = result.split_once(';').expect("a declaration ends");
            let arguments = arguments.trim().trim_end_matches(',').replace("::core::ffi::", "");
            let result = result.replace("::core::ffi::", "");
            Declaration { name: name.to_owned(), arguments, result }
        })
        .collect();
    (format!("{}{}", &raw[..start], &raw[end..]), declarations)
}

pub(crate) fn file(types: &str, release: u32) -> String {
    format!(
        "// Generated from the interface of CUDA {}.{} by `cargo build --features regenerate`. Do not edit.\n\n{types}",
        release / 1000,
        release % 1000 / 10
    )
}
