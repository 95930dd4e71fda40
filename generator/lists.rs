//! The functions: lists of C signatures, from which macros make code.

use super::docs;
use super::table::{Set, Table};
use super::types::Declaration;
use std::fmt::Write;

/// Set, the macro's name, and what it lists.
const LISTS: [(Set, &str, &str); 5] = [
    (Set::Driver, "for_each_function", "function of `cuda.h` and `cudaProfiler.h`"),
    (
        Set::PerThread,
        "for_each_per_thread_function",
        "second version of a function, in which the per-thread default stream stands for the null stream",
    ),
    (Set::Gl, "for_each_gl_function", "function of `cudaGL.h`"),
    (Set::Egl, "for_each_egl_function", "function of `cudaEGL.h`"),
    (Set::Vdpau, "for_each_vdpau_function", "function of `cudaVDPAU.h`"),
];

/// The declarations of a set, in the headers' order.
pub(crate) fn of<'a>(
    set: Set,
    table: &'a Table,
    declarations: &'a [Declaration],
) -> impl Iterator<Item = (&'a super::table::Row, &'a Declaration)> {
    let rows =
        declarations.iter().filter_map(|declaration| Some((table.row(&declaration.name)?, declaration)));
    rows.filter(move |(row, _)| row.set == set)
}

pub(crate) fn file(table: &Table, declarations: &[Declaration]) -> String {
    let mut text =
        String::from("/// The page of a chapter in NVIDIA's documentation.\nmacro_rules! page {\n");
    for (chapter, _) in &table.chapters {
        let _ = writeln!(text, "    ({chapter}) => {{ {:?} }};", docs::page(chapter));
    }
    text.push_str("}\npub(crate) use page;\n\n");
    for (set, name, what) in LISTS {
        let count = of(set, table, declarations).count();
        let _ = write!(text, "/// Calls the given macro with every {what}, {count} of them, in one list");
        text.push_str(match set {
            Set::Driver => {
                ":
/// `[CUDA_INITIALIZE since 2000] fn cuInit(Flags: c_uint) -> CUresult;` and so on.
///
/// The bracket holds the documentation group and the release that introduced the symbol, written
/// as `CUDA_VERSION` is; drivers for Linux may have it later, see `Symbol::since`. Types are named as in `cuda_sys` and `core::ffi`; import both.
/// Before it stand the two paragraphs that document the function of this name.
///
/// ```
/// macro_rules! count {
///     ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cuda_sys::for_each_function!(count), cuda_sys::Table::COUNT);
/// ```
"
            }
            _ => {
                ",
/// written as [`for_each_function`](crate::for_each_function) has them.
"
            }
        });
        let _ = write!(
            text,
            "#[macro_export]
macro_rules! {name} {{
    ($($callback:tt)+) => {{
        $($callback)+! {{
"
        );
        for (row, declaration) in of(set, table, declarations) {
            let (chapter, since, arguments) = (&row.chapter, row.since, &declaration.arguments);
            for paragraph in docs::paragraphs(row, table) {
                let _ = writeln!(text, "            /// {paragraph}");
            }
            let _ = writeln!(
                text,
                "            [{chapter} since {since}] fn {}({arguments}) -> CUresult;",
                row.symbol
            );
        }
        text.push_str("        }\n    };\n}\n\n");
    }
    text
}

/// The per-thread twins with the functions that they are twins of.
pub(crate) fn twins(table: &Table, declarations: &[Declaration]) -> String {
    let mut text = String::from(
        "/// Calls the given macro with every function that has a second version, in which the per-thread default
/// stream stands for the null stream: its name, the function's name, and the arguments of both.
macro_rules! for_each_per_thread_function {
    ($($callback:tt)+) => {
        $($callback)+! {
",
    );
    for (row, declaration) in of(Set::Driver, table, declarations) {
        let Some(twin) = table.twin(row) else { continue };
        let _ =
            writeln!(text, "            fn {} of {}({});", twin.symbol, row.symbol, declaration.arguments);
    }
    text.push_str("        }\n    };\n}\n\npub(crate) use for_each_per_thread_function;\n");
    text
}

/// Lists the functions that drivers export and the bindings lack.
pub(crate) fn others(table: &Table) -> String {
    let mut text = String::from(
        "/// Calls the given macro with the functions that drivers export and the bindings lack: versions that were
/// superseded in CUDA 11.0 or earlier, and undocumented ones. Each with its release, and whether a header declares it.
macro_rules! for_each_unbound_export {
    ($($callback:tt)+) => {
        $($callback)+! {
",
    );
    for row in table.rows.iter().filter(|row| matches!(row.set, Set::Old | Set::Undocumented)) {
        let documented = row.set == Set::Old;
        let _ = writeln!(text, "            {}, {}, {documented};", row.symbol, row.since);
    }
    text.push_str("        }\n    };\n}\n\npub(crate) use for_each_unbound_export;\n");
    text
}
