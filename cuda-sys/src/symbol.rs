//! The functions as data: names, groups, releases.

use crate::DriverVersion;
use core::ffi::CStr;
use core::fmt;

macro_rules! symbols {
    ($([$group:ident since $since:literal] fn $name:ident($($arguments:tt)*) -> CUresult;)*) => {
        /// One function of the driver API.
        ///
        /// ```
        /// use cuda_sys::{DriverVersion, Symbol};
        ///
        /// let symbol = Symbol::cuMemAllocAsync;
        /// assert_eq!(symbol.name(), "cuMemAllocAsync");
        /// assert_eq!(symbol.since(), DriverVersion::new(11, 2));
        /// assert_eq!(symbol.group(), "CUDA_MALLOC_ASYNC");
        /// assert_eq!(Symbol::from_name("cuMemAllocAsync"), Some(symbol));
        /// assert_eq!(Symbol::all().len(), Symbol::COUNT);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(non_camel_case_types, missing_docs)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Symbol {
            $($name,)*
        }

        static ALL: &[Symbol] = &[$(Symbol::$name,)*];

        static FACTS: [Facts; Symbol::COUNT] = [$(Facts {
            // With its NUL: what the loader wants. `name` leaves the NUL out.
            name: concat!(stringify!($name), "\0"),
            group: stringify!($group),
            since: DriverVersion($since),
        },)*];

        impl Symbol {
            /// How many there are.
            pub const COUNT: usize = [$(Symbol::$name,)*].len();
        }
    };
}
crate::for_each_function!(symbols);

struct Facts {
    name: &'static str,
    group: &'static str,
    since: DriverVersion,
}

impl Symbol {
    /// All functions, in the header's order.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::{DriverVersion, Symbol};
    /// let new = Symbol::all().filter(|symbol| symbol.since() >= DriverVersion::new(13, 0));
    /// for symbol in new {
    ///     println!("{symbol} is not in drivers before CUDA {}", symbol.since());
    /// }
    /// assert_eq!(Symbol::all().len(), Symbol::COUNT);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = Symbol> + Clone {
        ALL.iter().copied()
    }

    /// The function with this exact exported name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::from_name("cuMemAlloc_v2"), Some(Symbol::cuMemAlloc_v2));
    /// assert_eq!(Symbol::from_name("cuMemAlloc_v999"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Symbol> {
        Self::all().find(|symbol| symbol.name() == name)
    }

    fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// The exported name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemAlloc_v2.name(), "cuMemAlloc_v2");
    /// ```
    pub fn name(self) -> &'static str {
        let name = self.facts().name;
        &name[..name.len() - 1]
    }

    /// The exported name as C has it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemAlloc_v2.c_name(), c"cuMemAlloc_v2");
    /// ```
    pub fn c_name(self) -> &'static CStr {
        CStr::from_bytes_with_nul(self.facts().name.as_bytes()).unwrap_or_default()
    }

    /// The documentation group that describes the function, `CUDA_MEM` for example.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// let siblings = Symbol::all().filter(|symbol| symbol.group() == Symbol::cuMemAlloc_v2.group());
    /// assert!(siblings.clone().any(|symbol| symbol == Symbol::cuMemFree_v2));
    /// ```
    pub fn group(self) -> &'static str {
        self.facts().group
    }

    /// The release whose driver first exported the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::{DriverVersion, Symbol};
    /// assert_eq!(Symbol::cuCtxCreate_v4.since(), DriverVersion::new(12, 5));
    /// ```
    pub fn since(self) -> DriverVersion {
        self.facts().since
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
