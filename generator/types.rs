//! The types that bindgen makes of the headers, without the functions.

use super::header::Headers;
use super::layout::Layout;
use super::table::Set;
use super::traits;
use std::path::Path;

/// One exported function as a header declares it.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) result: String,
    /// Its header was not read.
    pub(crate) by_hand: bool,
}

/// A header's types, and the functions that it declares.
pub(crate) struct Interface {
    pub(crate) types: String,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) declarations: Vec<Declaration>,
}

#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// `cuda.h`.
    Driver,
    /// The side header of a set, without what it includes.
    Side(Set),
}

/// Functions whose headers are often absent or of another system: every driver exports the profiler's, and the
/// one of WGL is Windows' own.
const BY_HAND: [(&str, &str); 4] = [
    (
        "cuProfilerInitialize",
        "configFile: *const c_char, outputFile: *const c_char, outputMode: CUoutput_mode",
    ),
    ("cuProfilerStart", ""),
    ("cuProfilerStop", ""),
    ("cuWGLGetDevice", "pDevice: *mut CUdevice, hGpu: HGPUNV"),
];

pub(crate) fn by_hand() -> impl Iterator<Item = Declaration> {
    BY_HAND.into_iter().map(|(name, arguments)| Declaration {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        result: "CUresult".to_owned(),
        by_hand: true,
    })
}

pub(crate) fn read(headers: &Headers, source: Source) -> Interface {
    let interface = split(&super::rustfmt(&bindgen(headers, source, None)));
    let other = interface.declarations.iter().find(|declaration| declaration.result != "CUresult");
    assert!(other.is_none(), "a function with another result: {other:?}");
    interface
}

/// Other systems that CUDA is for. Their compilers give enumerations and structures the same layout.
const TARGETS: [&str; 2] = ["aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu"];

/// Stops unless the bindings are the same for every system. Microsoft's compiler has signed enumerations, which are
/// passed and laid out alike: there nothing else may differ.
pub(crate) fn compare_targets(headers: &Headers, base: &Interface) {
    for target in TARGETS {
        let other = split(&super::rustfmt(&bindgen(headers, Source::Driver, Some(target))));
        assert!(other.types == base.types, "the bindings for {target} differ");
    }
    let target = "x86_64-pc-windows-msvc";
    let microsoft = split(&super::rustfmt(&bindgen(headers, Source::Driver, Some(target))));
    let (ours, theirs) = (unsigned(&base.types), unsigned(&microsoft.types));
    if let Some((our, their)) = ours.lines().zip(theirs.lines()).find(|(our, their)| our != their) {
        panic!("the bindings for {target} differ in more than the sign of enumerations: {our} / {their}");
    }
    assert!(ours.lines().count() == theirs.lines().count(), "the bindings for {target} differ in length");
}

/// The text without the sign of enumerations, and with one spelling of the numbers that have several.
fn unsigned(types: &str) -> String {
    types
        .replace("(pub ::core::ffi::c_int)", "(pub ::core::ffi::c_uint)")
        .replace("cuuint32_t = ::core::ffi::c_uint", "cuuint32_t = u32")
        .replace("cuuint64_t = ::core::ffi::c_ulonglong", "cuuint64_t = u64")
}

/// Returns settings for every header: it is read without the system's headers, so the Rust code is the same everywhere.
pub(crate) fn hermetic(folder: &Path) -> bindgen::Builder {
    bindgen::Builder::default()
        .clang_args(["-nostdinc", "-std=c11"])
        .clang_args(["-isystem", "generator/stubs/libc", "-isystem", "generator/stubs/graphics"])
        .clang_args(["-I", &folder.to_string_lossy()])
        // A number that this header does not name must stay a value: Rust enums would be undefined behaviour.
        .default_enum_style(bindgen::EnumVariation::NewType { is_bitfield: false, is_global: false })
        .use_core()
        .generate_comments(false)
        .disable_header_comment()
        .derive_default(true)
        .impl_debug(true) // structures that hold a union cannot derive it
        .layout_tests(true)
        .merge_extern_blocks(true)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .rust_target(bindgen::RustTarget::stable(88, 0).unwrap_or_else(|_| panic!("bindgen knows Rust 1.88")))
        .formatter(bindgen::Formatter::None)
}

fn bindgen(headers: &Headers, source: Source, target: Option<&str>) -> String {
    let builder = hermetic(&headers.folder)
        // Both, or a spurious CU_LAUNCH_ATTRIBUTE_MAX appears.
        .clang_args(["-D__CUDA_API_VERSION_INTERNAL", "-D__CUDA_API_VERSION_INTERNAL_ODR"])
        .bitfield_enum(".*[Ff]lags(_enum)?$")
        // Masks by another name.
        .bitfield_enum("CUmemAllocationHandleType_enum|CUatomicOperationCapability_enum")
        .must_use_type("cudaError_enum")
        .no_debug("cudaError_enum"); // written by hand: it prints the code's name
    let builder = match target {
        Some(target) => builder.clang_arg(format!("--target={target}")),
        None => builder,
    };
    let builder = match source {
        Source::Driver => builder
            .header("wrapper.h")
            .allowlist_function("cu[A-Z].*")
            .allowlist_type("^(CU|cu|cl_).*")
            .allowlist_var("^CU.*"),
        Source::Side(set) => {
            let (header, included) = match set {
                Set::Gl => ("cudaGL.h", "GL/gl.h"),
                Set::Egl => ("cudaEGL.h", "EGL/egl.*.h"),
                Set::Vdpau => ("cudaVDPAU.h", "vdpau/vdpau.h"),
                _ => panic!("{set:?} has no side header"),
            };
            // The header of VDPAU leaves it to the program to include what it needs.
            let before = if set == Set::Vdpau { "#include <cuda.h>\n#include <vdpau/vdpau.h>\n" } else { "" };
            builder
                .header_contents("side.h", &format!("{before}#include <{header}>\n"))
                .allowlist_recursively(false)
                .parse_callbacks(Box::new(FromCuda))
                .allowlist_file(format!(".*/{header}"))
                .allowlist_file(format!(".*/{included}"))
        }
    };
    builder.generate().expect("bindgen reads the headers").to_string()
}

/// The handles and numbers that side headers use from `cuda.h`.
#[derive(Debug)]
struct FromCuda;

impl bindgen::callbacks::ParseCallbacks for FromCuda {
    fn blocklisted_type_implements_trait(
        &self,
        _: &str,
        of: bindgen::callbacks::DeriveTrait,
    ) -> Option<bindgen::callbacks::ImplementsTrait> {
        // Handles are pointers, which have no default.
        let default = of == bindgen::callbacks::DeriveTrait::Default;
        Some(if default {
            bindgen::callbacks::ImplementsTrait::No
        } else {
            bindgen::callbacks::ImplementsTrait::Yes
        })
    }
}

/// Takes the extern block out: the functions become tables.
pub(crate) fn split(raw: &str) -> Interface {
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
            Declaration { name: name.to_owned(), arguments, result, by_hand: false }
        })
        .collect();
    let types = format!("{}{}", &raw[..start], &raw[end..]);
    // A tag has no outer name before it in C.
    let types = unsigned_macros(&types.replace("CUstreamBatchMemOpParams_union_CU", "CU"));
    let (types, layouts) = Layout::cut(&types);
    Interface { types: traits::listed(&types), layouts, declarations }
}

/// bindgen takes `~0u` for a negative number, which C does not.
fn unsigned_macros(types: &str) -> String {
    types.replace(
        "pub const CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY: i32 = -1;",
        "pub const CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY: u32 = 0xffff_ffff;",
    )
}
