//! The functions of the driver and the types of their arguments, as the sources of the crates declare them.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr::NonNull;
use std::sync::LazyLock;

/// A declared type.
#[derive(Debug)]
pub enum Definition {
    Alias(String),
    /// Fields with their types, and the alignment that the declaration demands.
    Struct(Vec<(String, String)>, usize),
    Union(Vec<(String, String)>),
    /// A pointer to it is a handle.
    Opaque,
    FunctionPointer,
}

/// A function of the driver.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// Names and types.
    pub parameters: Vec<(String, String)>,
    pub address: NonNull<c_void>,
}

// SAFETY: the address is of a function.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// All that is declared.
#[derive(Debug)]
pub struct Interface {
    pub functions: Vec<Function>,
    pub types: HashMap<String, Definition>,
}

/// Functions that are not called, with reasons.
const LEFT_OUT: &[(&str, &str)] = &[
    ("cuCheckpoint", "locks the driver of the process"),
    ("cuIpcOpen", "takes a large argument by value"),
    ("cuImportExternal", "takes over a file descriptor, which may be any"),
    ("cuMemImportFromShareableHandle", "takes over a file descriptor, which may be any"),
    ("cuMemPoolImportFromShareableHandle", "takes over a file descriptor, which may be any"),
    ("cuMulticastImport", "takes over a file descriptor, which may be any"),
    ("cuMemExportToShareableHandle", "opens file descriptors"),
    ("cuMemPoolExportToShareableHandle", "opens file descriptors"),
    ("cuMemGetHandleForAddressRange", "opens file descriptors"),
    ("cuLogicalEndpointImport", "takes over a file descriptor, which may be any"),
    ("cuLogicalEndpointExport", "opens file descriptors"),
    ("cuGraphDebugDotPrint", "writes a file"),
    ("cuLogsDumpToFile", "writes a file"),
    ("cuStreamWaitValue", "waits for ever, as on hardware"),
    ("cuGetProcAddress", "takes any name"),
];

/// The declarations of the crates.
pub static INTERFACE: LazyLock<Interface> = LazyLock::new(|| Interface {
    functions: functions(include_str!("../../cuda-sim/src/driver/entry_points/table.rs")),
    types: types(include_str!("../../cuda-sys/src/generated/types.rs")),
});

fn functions(table: &str) -> Vec<Function> {
    cuda_sim::install_once().expect("no other driver is in use");
    let mut found = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("    cu") && line.contains(") => ")) {
        let Some((name, rest)) = line.trim().split_once('(') else { continue };
        let Some((parameters, _)) = rest.split_once(") => ") else { continue };
        if LEFT_OUT.iter().any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        let parameters = parameters.split(", ").filter_map(|parameter| parameter.split_once(": "));
        let parameters = parameters.map(|(name, of)| (name.to_owned(), of.to_owned())).collect();
        let c_name = Box::leak(CString::new(name).expect("a name").into_boxed_c_str());
        if let Some(address) = cuda_sim::resolve(c_name) {
            found.push(Function { name: name.to_owned(), parameters, address });
        }
    }
    assert!(found.len() > 400, "the table has another form: {}", found.len());
    found
}

fn types(source: &str) -> HashMap<String, Definition> {
    let source = source.replace("::core::ffi::", "");
    let mut found = HashMap::new();
    let mut alignment = 1;
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("#[repr(align(") {
            alignment = rest.trim_end_matches(")]").parse().unwrap_or(1);
        } else if let Some((name, is)) = line.strip_prefix("pub type ").and_then(|rest| rest.split_once(" ="))
        {
            let is = is.trim().trim_end_matches(';');
            let definition = if is.is_empty() || is.contains("Option<") {
                Definition::FunctionPointer
            } else {
                Definition::Alias(is.to_owned())
            };
            found.insert(name.to_owned(), definition);
        } else if let Some(rest) = line.strip_prefix("pub use self::") {
            if let Some((is, name)) = rest.trim_end_matches(';').split_once(" as ") {
                found.insert(name.to_owned(), Definition::Alias(is.to_owned()));
            }
        } else if let Some((name, is)) =
            line.strip_prefix("pub struct ").and_then(|rest| rest.split_once("(pub "))
        {
            found.insert(name.to_owned(), Definition::Alias(is.trim_end_matches(");").to_owned()));
        } else if let Some((kind, name)) = line.strip_prefix("pub ").and_then(|rest| rest.split_once(' '))
            && matches!(kind, "struct" | "union")
        {
            let name = name.trim_end_matches(" {").to_owned();
            let body: String = lines.by_ref().take_while(|line| *line != "}").collect();
            let mut fields = Vec::new();
            let mut depth = 0;
            for field in body.split(|character| {
                depth += i32::from(character == '[') - i32::from(character == ']');
                character == ',' && depth == 0
            }) {
                if let Some((name, of)) = field.trim().trim_start_matches("pub ").split_once(": ") {
                    fields.push((name.to_owned(), of.trim().to_owned()));
                }
            }
            let definition = match kind {
                _ if fields.first().is_some_and(|(name, _)| name == "_unused") => Definition::Opaque,
                "struct" => Definition::Struct(fields, alignment),
                _ => Definition::Union(fields),
            };
            found.insert(name, definition);
            alignment = 1;
        }
    }
    found
}

/// The type behind all aliases.
#[derive(Debug)]
pub enum Shape<'a> {
    /// A number, with its size.
    Number(usize),
    Float,
    Void,
    Pointer {
        to: &'a str,
        is_const: bool,
    },
    Array {
        of: &'a str,
        len: usize,
    },
    Defined {
        name: &'a str,
        definition: &'a Definition,
    },
}

impl Interface {
    pub fn shape<'a>(&'a self, of: &'a str) -> Shape<'a> {
        if let Some(to) = of.strip_prefix("*mut ") {
            return Shape::Pointer { to, is_const: false };
        }
        if let Some(to) = of.strip_prefix("*const ") {
            return Shape::Pointer { to, is_const: true };
        }
        if let Some((of, len)) =
            of.strip_prefix('[').and_then(|inner| inner.trim_end_matches(']').rsplit_once("; "))
        {
            let len = len.trim_end_matches("usize").parse().expect("a length");
            return Shape::Array { of, len };
        }
        match of {
            "u8" | "i8" | "bool" | "c_char" | "c_uchar" | "c_schar" => return Shape::Number(1),
            "u16" | "i16" | "c_short" | "c_ushort" => return Shape::Number(2),
            "u32" | "i32" | "c_int" | "c_uint" => return Shape::Number(4),
            "u64" | "i64" | "c_long" | "c_ulong" | "c_longlong" | "c_ulonglong" | "usize" | "isize" => {
                return Shape::Number(8);
            }
            "f32" => return Shape::Float,
            "c_void" => return Shape::Void,
            _ => {}
        }
        // Enumerations that the generator does not read are numbers, too.
        let Some((name, definition)) = self.types.get_key_value(of) else { return Shape::Number(4) };
        match definition {
            Definition::Alias(is) => self.shape(is),
            definition => Shape::Defined { name, definition },
        }
    }

    /// Size and alignment.
    pub fn layout(&self, of: &str) -> (usize, usize) {
        match self.shape(of) {
            Shape::Number(size) => (size, size),
            Shape::Float => (4, 4),
            Shape::Void => (1, 1),
            Shape::Pointer { .. } | Shape::Defined { definition: Definition::FunctionPointer, .. } => (8, 8),
            Shape::Array { of, len } => {
                let (size, alignment) = self.layout(of);
                (size * len, alignment)
            }
            Shape::Defined { definition: Definition::Struct(fields, alignment), .. } => {
                let mut whole = (0_usize, *alignment);
                for (_, of) in fields {
                    let (size, alignment) = self.layout(of);
                    whole = (whole.0.next_multiple_of(alignment) + size, whole.1.max(alignment));
                }
                (whole.0.next_multiple_of(whole.1), whole.1)
            }
            Shape::Defined { definition: Definition::Union(fields), .. } => {
                let layouts: Vec<_> = fields.iter().map(|(_, of)| self.layout(of)).collect();
                let alignment = layouts.iter().map(|layout| layout.1).max().unwrap_or(1);
                let size = layouts.iter().map(|layout| layout.0).max().unwrap_or(0);
                (size.next_multiple_of(alignment), alignment)
            }
            Shape::Defined { .. } => (0, 1),
        }
    }
}
