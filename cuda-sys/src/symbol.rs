//! The functions as data: names, chapters, releases, versions.

use crate::DriverVersion;
use core::ffi::CStr;
use core::fmt;

/// Header of a function, and the feature that binds it.
///
/// ```
/// use cuda_sys::{Symbol, SymbolSet};
///
/// assert_eq!(Symbol::cuMemcpy.set(), SymbolSet::Driver);
/// assert_eq!(Symbol::cuMemcpy_ptds.set(), SymbolSet::PerThread);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolSet {
    /// `cuda.h` and `cudaProfiler.h`: always bound, in the slots of [`Table`](crate::Table).
    Driver,
    /// Per-thread versions of functions of `cuda.h`: bound with the feature `ptds`.
    PerThread,
    /// `cudaGL.h`, with two per-thread versions: bound with the feature `gl`.
    Gl,
    /// `cudaEGL.h`: bound with the feature `egl`.
    Egl,
    /// `cudaVDPAU.h`: bound with the feature `vdpau`.
    Vdpau,
}

/// Context that a function needs.
///
/// ```
/// use cuda_sys::{CallClass, Symbol};
///
/// assert_eq!(Symbol::cuDeviceGetCount.call_class(), CallClass::NoContext);
/// assert_eq!(Symbol::cuMemAlloc_v2.call_class(), CallClass::CurrentContext);
/// assert_eq!(Symbol::cuEventSynchronize.call_class(), CallClass::Handle);
/// ```
///
/// # Driver notes
///
/// The class was measured with driver 580 (conformance facts P23 and P24) for functions that a test could call without
/// harm. These are functions of memory, streams, events, modules, launches, graphs, pools and textures. For all other functions it is
/// as documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallClass {
    /// No context. Most of these functions need `cuInit`.
    NoContext,
    /// A current context of the calling thread. Without one, the function returns `CUDA_ERROR_INVALID_CONTEXT`.
    CurrentContext,
    /// No current context. A handle or an address among the arguments names the object, which has a context or needs
    /// none. A null stream, and the other handles of default streams, need a current context.
    Handle,
}

macro_rules! symbols {
    (
        $([$chapter:ident: $title:literal])*
        $($name:ident: $set:ident, $of:ident, $since:expr, $class:ident, $deprecated:literal, $here:expr, $next:expr,
            $twin:expr;)*
    ) => {
        /// Function of the driver API with its properties: a symbol that the driver's library exports.
        ///
        /// The list has the functions of all features, whether or not the features are on: first those of
        /// [`Table`](crate::Table), in its order. Versions that were superseded in CUDA 11.0 or earlier are missing.
        ///
        /// ```
        /// use cuda_sys::{DriverVersion, Symbol};
        ///
        /// let symbol = Symbol::cuMemAllocAsync;
        /// assert_eq!(symbol.name(), "cuMemAllocAsync");
        /// assert_eq!(symbol.since(), DriverVersion::new(11, 2));
        /// assert_eq!(symbol.chapter(), "Stream Ordered Memory Allocator");
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
            // With its NUL, for the loader. `name` omits the NUL.
            name: concat!(stringify!($name), "\0"),
            chapter: Chapter::$of,
            since: DriverVersion($since),
            set: SymbolSet::$set,
            class: CallClass::$class,
            deprecated: $deprecated,
            here: $here,
            next: $next,
            twin: $twin,
        },)*];

        /// Chapter of NVIDIA's documentation.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Chapter {
            $($chapter,)*
        }

        static CHAPTERS: &[(&str, &str)] = &[$((stringify!($chapter), $title),)*];

        impl Symbol {
            /// Number of functions.
            pub const COUNT: usize = [$(Symbol::$name,)*].len();
        }
    };
}

include!("generated/symbols.rs");

struct Facts {
    name: &'static str,
    chapter: Chapter,
    since: DriverVersion,
    set: SymbolSet,
    class: CallClass,
    deprecated: bool,
    here: bool,
    next: Option<Symbol>,
    twin: Option<Symbol>,
}

impl Symbol {
    /// Returns all functions: those of `cuda.h` in the header's order, then the others.
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

    /// Returns the function with this exact exported name.
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

    /// Returns the exported name.
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

    /// Returns the exported name as a C string.
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

    /// Returns the name without a version, as C programs write it and as `cuGetProcAddress` expects it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemAlloc_v2.base_name(), "cuMemAlloc");
    /// assert_eq!(Symbol::cuMemcpy3D_v2_ptds.base_name(), "cuMemcpy3D");
    /// ```
    pub fn base_name(self) -> &'static str {
        let name = self.name();
        let name = name.strip_suffix("_ptds").or_else(|| name.strip_suffix("_ptsz")).unwrap_or(name);
        match name.rsplit_once("_v") {
            Some((base, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => base,
            _ => name,
        }
    }

    /// Returns the group of NVIDIA's documentation that describes the function, for example `CUDA_MEM`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// let siblings = Symbol::all().filter(|symbol| symbol.group() == Symbol::cuMemAlloc_v2.group());
    /// assert!(siblings.clone().any(|symbol| symbol == Symbol::cuMemFree_v2));
    /// ```
    pub fn group(self) -> &'static str {
        CHAPTERS[self.facts().chapter as usize].0
    }

    /// Returns the title of that group, which is a chapter of the documentation.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemAlloc_v2.chapter(), "Memory Management");
    /// ```
    pub fn chapter(self) -> &'static str {
        CHAPTERS[self.facts().chapter as usize].1
    }

    /// Returns the release whose driver first exported the function on the target system.
    ///
    /// The releases are those of NVIDIA's `cudaTypedefs.h`. They agree with the exports of eleven Linux drivers from
    /// 10.1 to 13.0. No Windows driver was examined.
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

    /// Returns whether any driver for the target system has the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert!(Symbol::cuMemAlloc_v2.is_on_this_system());
    /// assert_eq!(Symbol::cuWGLGetDevice.is_on_this_system(), cfg!(windows));
    /// ```
    pub fn is_on_this_system(self) -> bool {
        self.facts().here
    }

    /// Returns the header that declares the function, which determines the feature that binds it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::{Symbol, SymbolSet};
    /// assert_eq!(Symbol::cuGraphicsGLRegisterBuffer.set(), SymbolSet::Gl);
    /// ```
    pub fn set(self) -> SymbolSet {
        self.facts().set
    }

    /// Returns the context that the function needs.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::{CallClass, Symbol};
    /// assert_eq!(Symbol::cuCtxSynchronize.call_class(), CallClass::CurrentContext);
    /// ```
    pub fn call_class(self) -> CallClass {
        self.facts().class
    }

    /// Returns whether NVIDIA's headers mark the function as deprecated. Drivers still have such functions.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert!(Symbol::cuTexRefSetArray.is_deprecated());
    /// assert!(!Symbol::cuCtxCreate_v2.is_deprecated(), "older, and not marked");
    /// ```
    pub fn is_deprecated(self) -> bool {
        self.facts().deprecated
    }

    /// Returns the next version of the function, which replaces it in newer headers. Drivers keep both.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuCtxCreate_v2.superseded_by(), Some(Symbol::cuCtxCreate_v3));
    /// assert_eq!(Symbol::cuCtxCreate_v4.superseded_by(), None);
    /// ```
    pub fn superseded_by(self) -> Option<Symbol> {
        self.facts().next
    }

    /// Returns all bound versions of the function, oldest first.
    ///
    /// # Examples
    ///
    /// The newest version that a driver has:
    ///
    /// ```
    /// # use cuda_sys::{DriverVersion, Symbol};
    /// let driver = DriverVersion::new(12, 0);
    /// let newest = Symbol::cuCtxCreate_v2.versions().filter(|version| version.since() <= driver).last();
    /// assert_eq!(newest, Some(Symbol::cuCtxCreate_v3));
    /// ```
    pub fn versions(self) -> impl Iterator<Item = Symbol> + Clone {
        let mut oldest = self;
        while let Some(older) = Self::all().find(|symbol| symbol.superseded_by() == Some(oldest)) {
            oldest = older;
        }
        core::iter::successors(Some(oldest), |symbol| symbol.superseded_by())
    }

    /// Returns the per-thread version of the function, in which the null stream means the default stream of the calling
    /// thread.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemcpy.per_thread_twin(), Some(Symbol::cuMemcpy_ptds));
    /// assert_eq!(Symbol::cuStreamSynchronize.per_thread_twin(), Some(Symbol::cuStreamSynchronize_ptsz));
    /// assert_eq!(Symbol::cuInit.per_thread_twin(), None);
    /// ```
    pub fn per_thread_twin(self) -> Option<Symbol> {
        self.facts().twin
    }

    /// Returns the function whose [per-thread twin](Symbol::per_thread_twin) this one is.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::Symbol;
    /// assert_eq!(Symbol::cuMemcpy_ptds.twin_of(), Some(Symbol::cuMemcpy));
    /// assert_eq!(Symbol::cuMemcpy.twin_of(), None);
    /// ```
    pub fn twin_of(self) -> Option<Symbol> {
        Self::all().find(|symbol| symbol.per_thread_twin() == Some(self))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
