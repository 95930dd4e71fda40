//! Options for the driver's compiler and linker.

#![allow(unsafe_code)]

use super::{JitCacheMode, JitFallback, JitOption, JitTarget};
use core::ffi::c_void;
use core::fmt;

/// Options for the driver's compiler and linker: a builder. An option that is not set has the driver's default. If an option is
/// set twice, the last value holds. But each call of [`referenced_kernel`](JitOptions::referenced_kernel),
/// [`referenced_variable`](JitOptions::referenced_variable) or [`global_symbol`](JitOptions::global_symbol) adds
/// another name.
///
/// Buffers for messages are not options: they always exist, and their content is in [`JitLog`](super::JitLog), also on success.
///
/// If a driver does not know an option, or refuses its value, it refuses to load the code. The error is
/// [`Compilation`](crate::error::ErrorKind::Compilation), and names the options.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Module;
/// use cuda_rt::module::JitOptions;
///
/// let options = JitOptions::new().max_registers(32).log_verbose(true).wall_time(true);
/// assert_eq!(options.to_string(), "MAX_REGISTERS = 32, LOG_VERBOSE = 1, WALL_TIME");
/// let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// let module = Module::from_ptx_with(&context, ptx, &options)?;
/// println!("{}", module.jit_log().info);
/// assert!(module.jit_log().wall_time.is_some());
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct JitOptions {
    /// Each option once.
    pub(super) values: Vec<(JitOption, Value)>,
    pub(super) symbols: Vec<(Box<str>, Address)>,
    pub(super) kernels: Vec<Box<str>>,
    pub(super) variables: Vec<Box<str>>,
}

/// Value of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// No value: the option alone counts, or the driver writes its value.
    None,
    Number(u32),
    /// A value of the caller.
    Address(Address),
}

impl Value {
    /// Returns the number in the driver's form.
    pub(super) fn number(self) -> usize {
        match self {
            Value::None => 0,
            Value::Number(number) => number as usize,
            Value::Address(Address(value)) => value.addr(),
        }
    }
}

/// An address that the caller has passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Address(pub(super) *mut c_void);

// SAFETY: an address alone does nothing; the caller has promised that the driver can use it in any thread.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl JitOptions {
    /// Returns options without any setting: the driver compiles for the device of the context, with all optimisations.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::module::JitOptions::new().to_string(), "");
    /// ```
    pub fn new() -> JitOptions {
        JitOptions::default()
    }

    fn set(mut self, option: JitOption, value: Value) -> Self {
        match self.values.iter_mut().find(|(known, _)| *known == option) {
            Some((_, old)) => *old = value,
            None => self.values.push((option, value)),
        }
        self
    }

    fn unset(mut self, option: JitOption) -> Self {
        self.values.retain(|(known, _)| *known != option);
        self
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.values.iter().any(|(option, value)| *option == JitOption::LOG_VERBOSE && value.number() != 0)
    }

    /// Sets whether the driver measures the time of compiling and linking: [`JitLog::wall_time`](super::JitLog::wall_time). It is
    /// 0 for code that the driver finds in its cache.
    #[doc(alias = "CU_JIT_WALL_TIME")]
    pub fn wall_time(self, asked: bool) -> Self {
        match asked {
            true => self.set(JitOption::WALL_TIME, Value::None),
            false => self.unset(JitOption::WALL_TIME),
        }
    }

    /// Compiles for the device of the context, which is the default. Reverts [`target`](JitOptions::target).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::{JitOptions, JitTarget};
    ///
    /// let options = JitOptions::new().target(JitTarget::new(80)).target_from_context();
    /// assert_eq!(options.to_string(), "TARGET_FROM_CUCONTEXT");
    /// ```
    #[doc(alias = "CU_JIT_TARGET_FROM_CUCONTEXT")]
    pub fn target_from_context(self) -> Self {
        self.unset(JitOption::TARGET).set(JitOption::TARGET_FROM_CUCONTEXT, Value::None)
    }

    /// Compiles for a target. The loaded code must be able to run on the context's device.
    ///
    /// The option cannot be combined with [`threads_per_block`](JitOptions::threads_per_block): loading fails with
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::{JitOptions, JitTarget};
    ///
    /// let options = JitOptions::new().target(JitTarget::new(90).accelerated());
    /// assert_eq!(options.to_string(), "TARGET = sm_90a");
    /// ```
    #[doc(alias = "CU_JIT_TARGET")]
    pub fn target(self, target: JitTarget) -> Self {
        self.unset(JitOption::TARGET_FROM_CUCONTEXT).set(JitOption::TARGET, Value::Number(target.0))
    }

    /// Sets the code to use if there is no binary for exactly this device. The driver refuses it for linking.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::{JitFallback, JitOptions};
    ///
    /// let options = JitOptions::new().fallback(JitFallback::PREFER_BINARY);
    /// assert_eq!(options.to_string(), "FALLBACK_STRATEGY = PREFER_BINARY");
    /// ```
    #[doc(alias = "CU_JIT_FALLBACK_STRATEGY")]
    pub fn fallback(self, fallback: JitFallback) -> Self {
        self.set(JitOption::FALLBACK_STRATEGY, Value::Number(fallback.0))
    }

    /// Sets the caches for loads of global memory whose cache the code does not name: `-dlcm` of `ptxas`.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::{JitCacheMode, JitOptions};
    ///
    /// let options = JitOptions::new().cache_mode(JitCacheMode::CG);
    /// assert_eq!(options.to_string(), "CACHE_MODE = CG");
    /// ```
    #[doc(alias = "CU_JIT_CACHE_MODE")]
    pub fn cache_mode(self, mode: JitCacheMode) -> Self {
        self.set(JitOption::CACHE_MODE, Value::Number(mode.0))
    }

    /// Keeps kernels whose mangled names contain `name` when link-time optimisation removes others. `*` stands for any
    /// characters. Only for code of compilers before CUDA 12.0 (documented).
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::module::JitOptions::new().lto(true).referenced_kernel("add");
    /// assert_eq!(options.to_string(), "LTO = 1, REFERENCED_KERNEL_NAMES = add");
    /// ```
    #[doc(alias("CU_JIT_REFERENCED_KERNEL_NAMES", "CU_JIT_REFERENCED_KERNEL_COUNT"))]
    pub fn referenced_kernel(mut self, name: &str) -> Self {
        self.kernels.push(name.into());
        self
    }

    /// Keeps variables whose mangled names contain `name` when link-time optimisation removes others. `*` stands for any
    /// characters. Only for code of compilers before CUDA 12.0 (documented).
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::module::JitOptions::new().lto(true).referenced_variable("table");
    /// assert_eq!(options.to_string(), "LTO = 1, REFERENCED_VARIABLE_NAMES = table");
    /// ```
    #[doc(alias("CU_JIT_REFERENCED_VARIABLE_NAMES", "CU_JIT_REFERENCED_VARIABLE_COUNT"))]
    pub fn referenced_variable(mut self, name: &str) -> Self {
        self.variables.push(name.into());
        self
    }

    /// Removes variables that no kernel uses, with link-time optimisation of code of compilers before CUDA 12.0 (documented).
    ///
    /// # Safety
    ///
    /// Variables that the program looks up must be [named](JitOptions::referenced_variable): otherwise the lookup is undefined
    /// (documented).
    ///
    /// # Examples
    ///
    /// ```
    /// // SAFETY: the program looks no variable up.
    /// let options = unsafe { cuda_rt::module::JitOptions::new().lto(true).optimize_unused_device_variables(true) };
    /// assert_eq!(options.to_string(), "LTO = 1, OPTIMIZE_UNUSED_DEVICE_VARIABLES = 1");
    /// ```
    #[doc(alias = "CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES")]
    pub unsafe fn optimize_unused_device_variables(self, on: bool) -> Self {
        self.set(JitOption::OPTIMIZE_UNUSED_DEVICE_VARIABLES, Value::Number(on.into()))
    }

    /// Sets the host address of a variable that the code declares and does not define.
    ///
    /// # Driver notes
    ///
    /// Driver 580 refuses this option for code that has the variable.
    ///
    /// # Safety
    ///
    /// The address must be an address of memory of the variable's type. The device must be able to access the memory as long as
    /// the code exists that is loaded with these options. Every access to the memory must be valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::JitOptions;
    ///
    /// static COUNTER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    /// let address = (&raw const COUNTER).cast_mut().cast();
    /// // SAFETY: nothing is loaded with it.
    /// let options = unsafe { JitOptions::new().global_symbol("counter", address) };
    /// assert_eq!(options.to_string(), format!("GLOBAL_SYMBOL_NAMES = counter at {address:?}"));
    /// ```
    #[doc(alias(
        "CU_JIT_GLOBAL_SYMBOL_NAMES",
        "CU_JIT_GLOBAL_SYMBOL_ADDRESSES",
        "CU_JIT_GLOBAL_SYMBOL_COUNT"
    ))]
    pub unsafe fn global_symbol(mut self, name: &str, address: *mut c_void) -> Self {
        self.symbols.push((name.into(), Address(address)));
        self
    }

    /// Sets an option by its number, for options that this crate does not know. `value` is a pointer, or a number in place of a
    /// pointer: `core::ptr::without_provenance_mut(number)`.
    ///
    /// Loading with these options fails with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for two kinds of
    /// options. These are the four options of message buffers, which this crate sets, and options with lists that have a method
    /// here.
    ///
    /// # Safety
    ///
    /// The driver uses the value as the option requires. The target of a pointer must exist, have the right form, and be valid in
    /// any thread. This holds whenever code is loaded or linked with these options, and as long as the resulting code exists.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::{JitOption, JitOptions};
    ///
    /// // SAFETY: the value is a number, which the driver ignores.
    /// let options = unsafe { JitOptions::new().raw(JitOption::NEW_SM3X_OPT, core::ptr::without_provenance_mut(1)) };
    /// assert_eq!(options.to_string(), "NEW_SM3X_OPT = 0x1");
    /// ```
    pub unsafe fn raw(self, option: JitOption, value: *mut c_void) -> Self {
        self.set(option, Value::Address(Address(value)))
    }
}

/// Options whose value is a number.
macro_rules! options {
    ($($(#[doc = $doc:literal])* $name:ident($parameter:ident: $type:ty) = $option:ident $c_name:literal, $call:literal;)*) => {
        impl JitOptions {
            $(
                $(#[doc = $doc])*
                ///
                /// # Examples
                ///
                /// ```
                #[doc = concat!("let options = cuda_rt::module::JitOptions::new().", $call, ";")]
                #[doc = concat!("assert!(options.to_string().starts_with(\"", stringify!($option), " = \"));")]
                /// ```
                #[doc(alias = $c_name)]
                pub fn $name(self, $parameter: $type) -> Self {
                    self.set(JitOption::$option, Value::Number($parameter.into()))
                }
            )*
        }
    };
}
options! {
    /// Sets the largest number of registers of a thread: 1 or more. Values that do not fit into registers go to local memory. If
    /// the code says `.maxnreg`, that value holds, unless it is [overridden](JitOptions::override_directive_values).
    ///
    /// 0 is refused with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument). For no limit, do not set the option.
    ///
    /// # Driver notes
    ///
    /// On `sm_90` compilers use 24 registers for smaller values.
    max_registers(registers: u32) = MAX_REGISTERS "CU_JIT_MAX_REGISTERS", "max_registers(32)";
    /// Sets the number of threads of a block for which the registers must suffice: 1 or more.
    ///
    /// [`JitLog::threads_per_block`](super::JitLog::threads_per_block) has the number that the compiler used: whole warps, and at
    /// most the possible number. The option cannot be combined with [`target`](JitOptions::target): loading fails with
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    threads_per_block(threads: u32) = THREADS_PER_BLOCK "CU_JIT_THREADS_PER_BLOCK", "threads_per_block(1024)";
    /// Sets the level of optimisation, from 0 to 4. The default is 4. Higher levels are the same as 4, and levels from 2 to the
    /// power of 31 on are refused.
    optimization_level(level: u32) = OPTIMIZATION_LEVEL "CU_JIT_OPTIMIZATION_LEVEL", "optimization_level(0)";
    /// Sets whether the compiler generates debug information: `-g`.
    debug_info(on: bool) = GENERATE_DEBUG_INFO "CU_JIT_GENERATE_DEBUG_INFO", "debug_info(true)";
    /// Sets whether the compiler writes messages about registers, memory and the like to [`JitLog::info`](super::JitLog::info).
    ///
    /// Code that the driver finds in its cache is not compiled, so there are no messages. `CUDA_CACHE_DISABLE=1` in the
    /// environment disables the cache. `cuda-sim` has no such cache.
    log_verbose(on: bool) = LOG_VERBOSE "CU_JIT_LOG_VERBOSE", "log_verbose(true)";
    /// Sets whether the compiler generates line information for profilers: `-lineinfo`.
    line_info(on: bool) = GENERATE_LINE_INFO "CU_JIT_GENERATE_LINE_INFO", "line_info(true)";
    /// Sets whether the linker optimises: `-dlto`. Only for code of compilers before CUDA 12.0 (documented).
    lto(on: bool) = LTO "CU_JIT_LTO", "lto(true)";
    /// Sets whether denormals are treated as zero: `-ftz`, with [`lto`](JitOptions::lto).
    ftz(on: bool) = FTZ "CU_JIT_FTZ", "ftz(true)";
    /// Sets whether divisions follow IEEE 754, which is the default: `-prec-div`, with [`lto`](JitOptions::lto).
    prec_div(on: bool) = PREC_DIV "CU_JIT_PREC_DIV", "prec_div(false)";
    /// Sets whether square roots follow IEEE 754, which is the default: `-prec-sqrt`, with [`lto`](JitOptions::lto).
    prec_sqrt(on: bool) = PREC_SQRT "CU_JIT_PREC_SQRT", "prec_sqrt(false)";
    /// Sets whether products and sums are contracted, which is the default: `-fma`, with [`lto`](JitOptions::lto).
    fma(on: bool) = FMA "CU_JIT_FMA", "fma(false)";
    /// Sets whether the code is position-independent. Without effect since CUDA 13 (documented).
    position_independent_code(on: bool) = POSITION_INDEPENDENT_CODE "CU_JIT_POSITION_INDEPENDENT_CODE", "position_independent_code(true)";
    /// Sets the smallest number of blocks that a multiprocessor should run at a time. Needs
    /// [`max_threads_per_block`](JitOptions::max_threads_per_block).
    ///
    /// Without effect if [`max_registers`](JitOptions::max_registers) or [`threads_per_block`](JitOptions::threads_per_block) is
    /// set. If the code says `.minnctapersm`, that value holds, unless it is [overridden](JitOptions::override_directive_values)
    /// (documented).
    min_cta_per_sm(blocks: u32) = MIN_CTA_PER_SM "CU_JIT_MIN_CTA_PER_SM", "min_cta_per_sm(2)";
    /// Sets the largest number of threads of a block: launches with more fail. More than `i32::MAX` is refused with
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument). If the code says `.maxntid`, that value holds, unless it is
    /// [overridden](JitOptions::override_directive_values) (documented).
    max_threads_per_block(threads: u32) = MAX_THREADS_PER_BLOCK "CU_JIT_MAX_THREADS_PER_BLOCK", "max_threads_per_block(256)";
    /// Sets whether numbers of registers and threads in these options override directives of the code.
    override_directive_values(on: bool) = OVERRIDE_DIRECTIVE_VALUES "CU_JIT_OVERRIDE_DIRECTIVE_VALUES", "override_directive_values(true)";
    /// Sets the number of host threads that may optimise at a time: 0 for the number of processors, 1 for one. The driver has no
    /// useful limit: with `i32::MAX`, loads did not end within 30 seconds on driver 580.
    split_compile(threads: u32) = SPLIT_COMPILE "CU_JIT_SPLIT_COMPILE", "split_compile(0)";
    /// Sets the number of host threads that may compile at a time: 0 for the number of processors, 1 for one. The environment
    /// variable `CUDA_BINARY_LOADER_THREAD_COUNT` overrides the option (documented).
    binary_loader_thread_count(threads: u32) = BINARY_LOADER_THREAD_COUNT "CU_JIT_BINARY_LOADER_THREAD_COUNT", "binary_loader_thread_count(2)";
}

/// Writes the options that are set, separated by commas.
impl fmt::Display for JitOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (option, value) in &self.values {
            write!(formatter, "{separator}{option}")?;
            separator = ", ";
            match (*option, *value) {
                (_, Value::None) => {}
                (JitOption::TARGET, Value::Number(target)) => write!(formatter, " = {}", JitTarget(target))?,
                (JitOption::FALLBACK_STRATEGY, Value::Number(number)) => {
                    write!(formatter, " = {}", JitFallback(number))?;
                }
                (JitOption::CACHE_MODE, Value::Number(mode)) => {
                    write!(formatter, " = {}", JitCacheMode(mode))?
                }
                (_, Value::Number(number)) => write!(formatter, " = {number}")?,
                (_, Value::Address(Address(value))) => write!(formatter, " = {:#x}", value.addr())?,
            }
        }
        for (name, Address(address)) in &self.symbols {
            write!(formatter, "{separator}GLOBAL_SYMBOL_NAMES = {name} at {address:?}")?;
            separator = ", ";
        }
        for (option, names) in
            [("REFERENCED_KERNEL_NAMES", &self.kernels), ("REFERENCED_VARIABLE_NAMES", &self.variables)]
        {
            for name in names {
                write!(formatter, "{separator}{option} = {name}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

impl fmt::Debug for JitOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "JitOptions({self})")
    }
}
