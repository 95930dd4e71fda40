//! The functions as data: names and releases.

use super::Version;
use core::ffi::CStr;
use core::fmt;

macro_rules! symbols {
    ($([since $since:literal $(until $until:literal)? $(, $deprecated:ident)?]
        fn $name:ident($($arguments:tt)*) -> $result:ty;)*) => {
        /// Function of NVRTC.
        ///
        /// ```
        /// use cuda_sys::nvrtc::{Symbol, Version};
        ///
        /// let symbol = Symbol::nvrtcGetNVVM;
        /// assert_eq!(symbol.name(), "nvrtcGetNVVM");
        /// assert_eq!(symbol.since(), Version::new(11, 4));
        /// assert_eq!(symbol.until(), Some(Version::new(13, 0)));
        /// assert_eq!(Symbol::from_name("nvrtcGetNVVM"), Some(symbol));
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
            // With its NUL, for the loader. `name` omits the NUL.
            name: concat!(stringify!($name), "\0"),
            since: Version::from_number($since),
            until: first(&[$(Version::from_number($until))?]),
            deprecated: !concat!("" $(, stringify!($deprecated))?).is_empty(),
        },)*];

        impl Symbol {
            /// Number of functions.
            pub const COUNT: usize = [$(Symbol::$name,)*].len();
        }
    };
}
crate::for_each_nvrtc_function!(symbols);

struct Facts {
    name: &'static str,
    since: Version,
    until: Option<Version>,
    deprecated: bool,
}

const fn first(versions: &[Version]) -> Option<Version> {
    if let [version, ..] = versions { Some(*version) } else { None }
}

impl Symbol {
    /// Returns all functions, in the header's order.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::{Symbol, Version};
    /// let new = Symbol::all().filter(|symbol| symbol.since() >= Version::new(13, 0));
    /// for symbol in new {
    ///     println!("{symbol} is not in NVRTC before CUDA {}", symbol.since());
    /// }
    /// assert_eq!(Symbol::all().len(), Symbol::COUNT);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = Symbol> + Clone {
        ALL.iter().copied()
    }

    /// Returns the function with this exact exported name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::Symbol;
    /// assert_eq!(Symbol::from_name("nvrtcGetPTX"), Some(Symbol::nvrtcGetPTX));
    /// assert_eq!(Symbol::from_name("nvrtcGetNothing"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Symbol> {
        Self::all().find(|symbol| symbol.name() == name)
    }

    fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// Returns the exported name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::Symbol;
    /// assert_eq!(Symbol::nvrtcGetPTX.name(), "nvrtcGetPTX");
    /// ```
    pub fn name(self) -> &'static str {
        let name = self.facts().name;
        &name[..name.len() - 1]
    }

    /// Returns the exported name as a C string.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::Symbol;
    /// assert_eq!(Symbol::nvrtcGetPTX.c_name(), c"nvrtcGetPTX");
    /// ```
    pub fn c_name(self) -> &'static CStr {
        CStr::from_bytes_with_nul(self.facts().name.as_bytes()).unwrap_or_default()
    }

    /// Returns the release that introduced the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::{Symbol, Version};
    /// assert_eq!(Symbol::nvrtcGetLTOIR.since(), Version::new(12, 0));
    /// ```
    pub fn since(self) -> Version {
        self.facts().since
    }

    /// Returns the release that removed the function, if one did.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::{Symbol, Version};
    /// assert_eq!(Symbol::nvrtcGetLTOIR.until(), None);
    /// assert_eq!(Symbol::nvrtcGetNVVM.until(), Some(Version::new(13, 0))); // 12.9 had it last
    /// ```
    pub fn until(self) -> Option<Version> {
        self.facts().until
    }

    /// Returns whether NVRTC's header marks the function as deprecated, or did so before it was removed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::Symbol;
    /// assert!(Symbol::nvrtcGetNVVM.is_deprecated());
    /// assert!(!Symbol::nvrtcGetLTOIR.is_deprecated());
    /// ```
    pub fn is_deprecated(self) -> bool {
        self.facts().deprecated
    }

    /// Returns whether NVRTC of the given release has the function. Releases newer than these bindings are assumed to
    /// have removed nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::{Symbol, Version};
    /// assert!(!Symbol::nvrtcGetNVVM.is_in(Version::new(11, 2)));
    /// assert!(Symbol::nvrtcGetNVVM.is_in(Version::new(12, 9)));
    /// assert!(!Symbol::nvrtcGetNVVM.is_in(Version::new(13, 0)));
    /// ```
    pub fn is_in(self, release: Version) -> bool {
        self.since() <= release && self.until().is_none_or(|until| release < until)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
