//! The Rust side: the layout of the compiled bindings.

use crate::facts::Fact;
use core::any::type_name;
use core::ffi::*;
use core::mem::offset_of;
use cuda_sys::*;

/// Returns every fact of the bindings.
pub(crate) fn facts() -> Vec<Fact> {
    let mut facts = Facts(Vec::new());
    STRUCTURES
        .iter()
        .chain(driver::ENUMERATIONS)
        .chain(egl::ENUMERATIONS)
        .chain(gl::ENUMERATIONS)
        .chain(ALIASES)
        .chain(CONSTANTS)
        .for_each(|add| add(&mut facts));
    by_hand(&mut facts);
    prototypes(&mut facts);
    facts.0
}

struct Facts(Vec<Fact>);

impl Facts {
    fn add(&mut self, kind: &'static str, name: &str, value: impl ToString) {
        self.0.push(Fact { kind, name: spelled(name), value: spelled(&value.to_string()) });
    }

    /// Adds a type as the bindings spell it, if the spelling and the type agree.
    fn add_type<Actual, Stated>(&mut self, kind: &'static str, name: &str, spelling: &str) {
        if type_name::<Actual>() == type_name::<Stated>() {
            self.add(kind, name, spelling);
        } else {
            self.add(kind, name, type_name::<Actual>());
        }
    }

    fn add_field<Whole, Actual, Stated>(
        &mut self,
        path: &str,
        offset: usize,
        spelling: &str,
        _: fn(*const Whole) -> *const Actual,
    ) {
        let last = path.rsplit('.').next().unwrap().trim();
        if last.starts_with("__bindgen_anon") {
            return; // without a name in C; its own fields are looked at
        }
        self.add("offset", path, offset);
        if is_part(spelling) {
            self.add("type", path, format!("{} bytes", size_of::<Actual>()));
        } else {
            self.add_type::<Actual, Stated>("type", path, spelling);
        }
    }
}

/// Returns whether a type is defined inside of another, so that it has no name of its own in C.
fn is_part(spelling: &str) -> bool {
    spelling.contains("__bindgen_ty_")
}

/// Returns tokens without the blanks that only a compiler's output contains.
fn spelled(tokens: &str) -> String {
    let mut text = String::new();
    let words = tokens.split_whitespace();
    for word in words {
        let joins = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let apart = text.chars().next_back().is_some_and(joins) && word.chars().next().is_some_and(joins);
        if apart || text.ends_with([',', ';']) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text.replace("mut*", "mut *").replace("const*", "const *").replace("*mut[", "*mut [")
}

type Add = fn(&mut Facts);

/// Asserts an offset that the generator knows.
macro_rules! assert_offset {
    (_, $type:ident, $($path:tt)+) => {};
    ($offset:literal, $type:ident, $($path:tt)+) => {
        let message = concat!("offset of ", stringify!($type), ".", stringify!($($path)+));
        assert!(offset_of!($type, $($path)+) == $offset, "{}", message);
    };
}

macro_rules! structures {
    ($($name:ident { $($($path:ident).+: $type:ty = $offset:tt;)* })*) => {
        // The assertion also holds for targets on which the tests cannot run.
        const _: () = {$($(
            assert_offset!($offset, $name, $($path).+);
        )*)*};

        static STRUCTURES: &[Add] = &[$(|facts| {
            facts.add("size", stringify!($name), size_of::<$name>());
            facts.add("align", stringify!($name), align_of::<$name>());
            $(
                facts.add_field::<$name, _, $type>(
                    concat!(stringify!($name), ".", stringify!($($path).+)),
                    offset_of!($name, $($path).+),
                    stringify!($type),
                    // SAFETY: never called.
                    |whole| unsafe { &raw const (*whole).$($path).+ },
                );
            )*
        },)*];
    };
}

macro_rules! enumerators {
    ($($name:ident { $($enumerator:ident)* })*) => {
        pub(super) static ENUMERATIONS: &[Add] = &[$(|facts| {
            let zero = $name(0);
            let sign = if type_name_of(&zero.0) == type_name::<c_uint>() { "unsigned" } else { "signed" };
            facts.add("alias", stringify!($name), format!("{} bytes {sign}", size_of_val(&zero)));
            $(
                // The associated constant and the constant with C's name are the same.
                assert_eq!($name::$enumerator, $enumerator);
                let name = concat!(stringify!($name), "::", stringify!($enumerator));
                facts.add("enumerator", name, $enumerator.0);
            )*
        },)*];
    };
}

fn type_name_of<T>(_: &T) -> &'static str {
    type_name::<T>()
}

macro_rules! aliases {
    ($($name:ident = $type:ty;)*) => {
        static ALIASES: &[Add] = &[$(|facts| {
            facts.add_type::<$name, $type>("alias", stringify!($name), stringify!($type));
        },)*];
    };
}

macro_rules! constants {
    ($($name:ident)*) => {
        static CONSTANTS: &[Add] = &[$(|facts| facts.add("constant", stringify!($name), $name),)*];
    };
}

// Written by the generator: all types and constants to check.
include!("subjects.rs");

mod driver {
    use super::*;
    include!("../../src/generated/enumerators.rs");
}

mod egl {
    use super::*;
    include!("../../src/generated/egl_enumerators.rs");
}

mod gl {
    use super::*;
    include!("../../src/generated/gl_enumerators.rs");
}

/// Adds the facts of items that are not generated.
fn by_hand(facts: &mut Facts) {
    for (name, value) in [
        ("CU_STREAM_LEGACY", CU_STREAM_LEGACY.addr()),
        ("CU_STREAM_PER_THREAD", CU_STREAM_PER_THREAD.addr()),
        ("CU_LAUNCH_PARAM_END", CU_LAUNCH_PARAM_END.addr()),
        ("CU_LAUNCH_PARAM_BUFFER_POINTER", CU_LAUNCH_PARAM_BUFFER_POINTER.addr()),
        ("CU_LAUNCH_PARAM_BUFFER_SIZE", CU_LAUNCH_PARAM_BUFFER_SIZE.addr()),
    ] {
        facts.add("constant", name, value);
    }
    facts.add("constant", "CU_DEVICE_CPU", CU_DEVICE_CPU);
    facts.add("constant", "CU_DEVICE_INVALID", CU_DEVICE_INVALID);
    let mode = CUoutput_mode_enum(0);
    facts.add("alias", "CUoutput_mode_enum", format!("{} bytes unsigned", size_of_val(&mode)));
    macro_rules! numbers {
        ($($name:ident)*) => { $(facts.add("constant", stringify!($name), $name.0);)* };
    }
    numbers! {
        CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE
        CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
        CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
        CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
        CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
        CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW
        CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_STREAM_ATTRIBUTE_PRIORITY
        CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN
        CU_OUT_KEY_VALUE_PAIR CU_OUT_CSV
    }
}

fn prototypes(facts: &mut Facts) {
    macro_rules! add {
        ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {$(
            // Compiles only if the function has the signature of the list.
            let _: unsafe fn($($type),*) -> CUresult = $name;
            let spelling: &[&str] = &[$(stringify!($type)),*];
            facts.add("prototype", stringify!($name), format!("({})", spelling.join(", ")));
        )*};
    }
    for_each_function!(add);
    for_each_per_thread_function!(add);
    for_each_gl_function!(add);
    for_each_egl_function!(add);
    for_each_vdpau_function!(add);
}
