//! Options in the driver's form.

#![allow(unsafe_code)]

use super::options::{Address, Value};
use super::{JitLog, JitOption, JitOptions};
use crate::error::{Code, Error, ErrorKind, Limit, Result};
use crate::list::CollectVec;
use crate::text::c_string;
use core::ffi::{c_char, c_uint, c_void};
use core::ptr::{null_mut, without_provenance_mut};
use core::time::Duration;
use cuda_sys::CUjit_option;
use std::ffi::CString;

/// The lists of options and values for one driver call, and all that they point to: buffers for messages, and names.
///
/// The driver writes to the buffers and to the list of values during the call. It keeps using the arguments of `cuLinkCreate` as
/// long as the link state exists, so this value must be dropped after the link state. It may be moved meanwhile: everything is on
/// the heap.
pub(crate) struct JitArguments {
    options: Vec<CUjit_option>,
    /// One value for each option.
    values: Vec<*mut c_void>,
    error: Vec<u8>,
    info: Vec<u8>,
    /// Names to which the values point, beside the buffers.
    _names: Vec<CString>,
    _lists: Vec<Vec<*const c_char>>,
    _addresses: Vec<*mut c_void>,
    /// The options as given, for errors.
    given: JitOptions,
}

// SAFETY: the pointers point to memory that this value owns, or memory that the caller has promised for any thread.
unsafe impl Send for JitArguments {}
// SAFETY: a shared value is only read; the driver writes through pointers that need `&mut`.
unsafe impl Sync for JitArguments {}

/// Largest number of threads of a block that the driver accepts. No device has so many.
const MOST_THREADS: usize = i32::MAX as usize;

/// Number of options that this crate sets in every call.
const OWN: usize = 4;

impl JitArguments {
    const FIRST: usize = 16 << 10;
    const GROWN: usize = 1 << 20;

    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - A name contains a NUL byte.
    /// - A raw option is one that this crate sets itself.
    /// - The number of threads is 0 or far too large. The driver divides by it, and 0 ends the process.
    /// - The number of registers is 0.
    /// - A number of threads is combined with a target.
    pub(crate) fn new(options: &JitOptions) -> Result<JitArguments> {
        // There is no second chance: the code that a call loads is in the driver's cache then, which yields no messages
        // (measured).
        let room = if options.is_verbose() { Self::GROWN } else { Self::FIRST };
        Self::with_room(options, room)
    }

    fn with_room(given: &JitOptions, room: usize) -> Result<JitArguments> {
        let (mut error, mut info) = (vec![0; room], vec![0; room]);
        let mut names = Vec::new();
        let mut list = |texts: &[&str]| -> Result<Vec<*const c_char>> {
            let mut pointers = Vec::new();
            for text in texts {
                let name = c_string(*text)?;
                pointers.push(name.as_ptr());
                names.push(name);
            }
            Ok(pointers)
        };
        let mut symbols = list(&given.symbols.iter().map(|(name, _)| &**name).collect_vec())?;
        let mut kernels = list(&given.kernels.iter().map(|name| &**name).collect_vec())?;
        let mut variables = list(&given.variables.iter().map(|name| &**name).collect_vec())?;
        let mut addresses = given.symbols.iter().map(|(_, Address(address))| *address).collect_vec();

        let number = |number: usize| without_provenance_mut::<c_void>(number);
        // The following code relies on the order of the first four.
        let mut pairs = vec![
            (JitOption::ERROR_LOG_BUFFER, error.as_mut_ptr().cast()),
            (JitOption::ERROR_LOG_BUFFER_SIZE_BYTES, number(room)),
            (JitOption::INFO_LOG_BUFFER, info.as_mut_ptr().cast()),
            (JitOption::INFO_LOG_BUFFER_SIZE_BYTES, number(room)),
        ];
        debug_assert_eq!(pairs.len(), OWN);
        let is_set = |wanted| given.values.iter().any(|(option, _)| *option == wanted);
        if is_set(JitOption::TARGET) && is_set(JitOption::THREADS_PER_BLOCK) {
            let (first, second) = (JitOption::TARGET, JitOption::THREADS_PER_BLOCK);
            return Err(refused(
                first,
                format_args!("it cannot be combined with {second}: a driver takes one of them at a time"),
            ));
        }
        for (option, value) in &given.values {
            if matches!(value, Value::Address(_)) && is_own(*option) {
                let text = "it cannot be given raw: this crate gives it, or has a method for it";
                return Err(refused(*option, format_args!("{text}")));
            }
            // The driver refuses 0 registers, and divides by 0 threads.
            let counts = matches!(*option, JitOption::THREADS_PER_BLOCK | JitOption::MAX_REGISTERS);
            if counts && value.number() == 0 {
                return Err(beyond(*option, value.number(), Limit::AtLeast(1)));
            }
            // The driver rounds the number up to whole warps, and would overflow to 0, by which it divides.
            if *option == JitOption::MAX_THREADS_PER_BLOCK && value.number() > MOST_THREADS {
                return Err(beyond(*option, value.number(), Limit::AtMost(MOST_THREADS)));
            }
            let value = match *value {
                // Not a number means no time: the driver has not written one yet.
                Value::None if *option == JitOption::WALL_TIME => number(f32::NAN.to_bits() as usize),
                Value::None => null_mut(),
                Value::Number(value) => number(value as usize),
                Value::Address(Address(value)) => value,
            };
            pairs.push((*option, value));
        }
        if !symbols.is_empty() {
            pairs.push((JitOption::GLOBAL_SYMBOL_NAMES, symbols.as_mut_ptr().cast()));
            pairs.push((JitOption::GLOBAL_SYMBOL_ADDRESSES, addresses.as_mut_ptr().cast()));
            pairs.push((JitOption::GLOBAL_SYMBOL_COUNT, number(symbols.len())));
        }
        if !kernels.is_empty() {
            pairs.push((JitOption::REFERENCED_KERNEL_NAMES, kernels.as_mut_ptr().cast()));
            pairs.push((JitOption::REFERENCED_KERNEL_COUNT, number(kernels.len())));
        }
        if !variables.is_empty() {
            pairs.push((JitOption::REFERENCED_VARIABLE_NAMES, variables.as_mut_ptr().cast()));
            pairs.push((JitOption::REFERENCED_VARIABLE_COUNT, number(variables.len())));
        }
        let (options, values) =
            pairs.into_iter().map(|(option, value)| (CUjit_option(option.0), value)).unzip();
        Ok(JitArguments {
            options,
            values,
            error,
            info,
            _names: names,
            _lists: vec![symbols, kernels, variables],
            _addresses: addresses,
            given: given.clone(),
        })
    }

    /// Returns the number of options, which is the number of values.
    pub(crate) fn count(&self) -> c_uint {
        // There are fewer than there are known options, plus raw ones.
        c_uint::try_from(self.options.len()).unwrap_or(c_uint::MAX)
    }

    /// Returns the list of options.
    pub(crate) fn options(&mut self) -> *mut CUjit_option {
        self.options.as_mut_ptr()
    }

    /// Returns the list of values, which the driver writes to. Numbers are passed in place of pointers.
    pub(crate) fn values(&mut self) -> *mut *mut c_void {
        self.values.as_mut_ptr()
    }

    /// Enlarges the buffers if messages did not fit. Returns whether another call is useful. Must not be called while a link
    /// state uses these arguments.
    pub(crate) fn grow(&mut self) -> bool {
        let full = |buffer: &[u8]| text(buffer).len() + 2 >= buffer.len();
        if self.error.len() >= Self::GROWN || !(full(&self.error) || full(&self.info)) {
            return false;
        }
        // The driver has accepted these options before.
        Self::with_room(&self.given, Self::GROWN).map(|grown| *self = grown).is_ok()
    }

    /// Returns the messages of the driver.
    pub(crate) fn log(&self) -> JitLog {
        let string = |buffer| String::from_utf8_lossy(text(buffer)).trim_end().into();
        // A number has the lower half of its place. The upper half is undefined.
        let number = |wanted: JitOption| {
            let at = self.options.iter().skip(OWN).position(|option| option.0 == wanted.0)?;
            self.values.get(OWN + at).map(|value| (value.addr() & 0xffff_ffff) as u32)
        };
        let milliseconds = number(JitOption::WALL_TIME).map(f32::from_bits);
        JitLog {
            error: string(&self.error),
            info: string(&self.info),
            wall_time: milliseconds
                .and_then(|time| Duration::try_from_secs_f64(f64::from(time) / 1000.0).ok()),
            threads_per_block: number(JitOption::THREADS_PER_BLOCK),
        }
    }

    /// Returns whether code is compiled for the device of the context, and not for a named target.
    pub(crate) fn is_for_device(&self) -> bool {
        self.given.values.iter().all(|(option, _)| *option != JitOption::TARGET)
    }

    /// Returns the error of a call with these arguments, with the compiler's log. If the log is empty and the code says that an
    /// argument was refused, the error has the options.
    #[cold]
    pub(crate) fn failed(&self, error: Error) -> Error {
        self.failed_with(error, self.log(), None)
    }

    /// Returns the error of a call, with a part of the log, and for one of several inputs.
    #[cold]
    pub(crate) fn failed_with(&self, error: Error, log: JitLog, input: Option<&str>) -> Error {
        let Some(code) = error.unexplained_code() else { return error };
        let of_options = matches!(
            code,
            Code::InvalidValue | Code::NotSupported | Code::InvalidSource | Code::InvalidHandle
        );
        let error = if code.is_sticky() { error } else { error.with_kind(ErrorKind::Compilation) };
        // The driver accepted the options of a link before any input.
        if of_options && input.is_none() && self.options.len() > OWN && log.error.is_empty() {
            return error.with_detail(format_args!("with {}", self.given)).with_context(self.given.clone());
        }
        let error = match input {
            Some(input) => error.with_subject(format_args!("linking `{input}`")),
            None => error,
        };
        if code == Code::JitCompilerNotFound {
            let text = "the driver's PTX compiler, libnvidia-ptxjitcompiler on Linux, is not installed; install that of \
                        the driver's release, or load a cubin";
            return error.with_detail(format_args!("{text}")).with_context(log);
        }
        error.with_detail(format_args!("{}", log.appended())).with_context(log)
    }
}

#[cold]
fn refused(option: JitOption, text: core::fmt::Arguments<'_>) -> Error {
    Error::about(ErrorKind::InvalidArgument, format_args!("option {option}"), text)
}

#[cold]
fn beyond(option: JitOption, value: usize, limit: Limit) -> Error {
    refused(option, format_args!("{value} is {limit}"))
}

/// Returns whether an option is for buffers and lists that this file makes.
fn is_own(option: JitOption) -> bool {
    matches!(
        option,
        JitOption::ERROR_LOG_BUFFER
            | JitOption::ERROR_LOG_BUFFER_SIZE_BYTES
            | JitOption::INFO_LOG_BUFFER
            | JitOption::INFO_LOG_BUFFER_SIZE_BYTES
            | JitOption::GLOBAL_SYMBOL_NAMES
            | JitOption::GLOBAL_SYMBOL_ADDRESSES
            | JitOption::GLOBAL_SYMBOL_COUNT
            | JitOption::REFERENCED_KERNEL_NAMES
            | JitOption::REFERENCED_KERNEL_COUNT
            | JitOption::REFERENCED_VARIABLE_NAMES
            | JitOption::REFERENCED_VARIABLE_COUNT
    )
}

/// Returns the bytes before the first NUL. The buffers begin zeroed, so without a message the result is empty.
fn text(buffer: &[u8]) -> &[u8] {
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(buffer.len());
    &buffer[..end]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::module::{JitCacheMode, JitFallback, JitTarget};
    use crate::random::cases;

    /// Calls one method of the builder, chosen by a number.
    fn set(options: JitOptions, which: u8, value: u32) -> JitOptions {
        let on = value % 2 == 1;
        match which {
            0 => options.max_registers(value.max(1)),
            1 => options.threads_per_block(value.max(1)),
            2 => options.wall_time(on),
            3 => options.optimization_level(value),
            4 => options.target_from_context(),
            5 => options.target(JitTarget(value)),
            6 => options.fallback(JitFallback(value)),
            7 => options.debug_info(on),
            8 => options.log_verbose(on),
            9 => options.line_info(on),
            10 => options.cache_mode(JitCacheMode(value)),
            11 => options.lto(on).ftz(on).prec_div(on).prec_sqrt(on).fma(on),
            12 => options.referenced_kernel("kernel"),
            13 => options.referenced_variable("variable"),
            14 => options.position_independent_code(on),
            15 => options.min_cta_per_sm(value),
            16 => options.max_threads_per_block(value % (1 << 31)),
            17 => options.override_directive_values(on),
            18 => options.split_compile(value),
            19 => options.binary_loader_thread_count(value),
            // SAFETY: no code reads the address.
            20 => unsafe { options.global_symbol("symbol", null_mut()) },
            // SAFETY: no code looks variables up.
            21 => unsafe { options.optimize_unused_device_variables(on) },
            // SAFETY: no code reads the value.
            _ => unsafe { options.raw(JitOption(40 + value % 5), without_provenance_mut(value as usize)) },
        }
    }

    /// Each option has one value; the crate's own options come first.
    #[test]
    fn options_and_values_go_together() {
        cases(|random| {
            let calls = 0..random.within(0..40);
            let options = calls.fold(JitOptions::new(), |options, _| {
                set(options, random.within(0..23) as u8, random.next() as u32)
            });
            let is_set = |wanted| options.values.iter().any(|(option, _)| *option == wanted);
            if is_set(JitOption::TARGET) && is_set(JitOption::THREADS_PER_BLOCK) {
                assert!(JitArguments::new(&options).is_err());
                return;
            }
            let arguments = JitArguments::new(&options).unwrap();
            assert_eq!(arguments.options.len(), arguments.values.len());
            assert_eq!(arguments.count() as usize, arguments.options.len());
            let own: Vec<u32> = arguments.options.iter().take(OWN).map(|option| option.0).collect();
            assert_eq!(own, [5, 6, 3, 4]);
            let mut numbers: Vec<u32> = arguments.options.iter().map(|option| option.0).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), arguments.options.len());
            for (option, value) in &options.values {
                let at = arguments.options.iter().position(|known| known.0 == option.0).unwrap();
                let is_answer = *option == JitOption::WALL_TIME;
                assert!(is_answer || arguments.values[at].addr() == value.number());
            }
        });
    }

    #[test]
    fn what_would_be_there_twice_is_refused() {
        for option in JitOption::all() {
            // SAFETY: no code reads the value.
            let options = unsafe { JitOptions::new().raw(option, without_provenance_mut(1)) };
            assert_eq!(JitArguments::new(&options).is_err(), is_own(option), "{option}");
        }
        let error = JitArguments::new(&JitOptions::new().threads_per_block(0)).err().unwrap();
        assert_eq!(error.to_string(), "option THREADS_PER_BLOCK: 0 is less than 1");
        let error = JitArguments::new(&JitOptions::new().max_registers(0)).err().unwrap();
        assert_eq!(error.to_string(), "option MAX_REGISTERS: 0 is less than 1");
        let both = JitOptions::new().threads_per_block(64).target(JitTarget::new(90));
        let error = JitArguments::new(&both).err().unwrap().to_string();
        assert!(
            error.starts_with("option TARGET: it cannot be combined with THREADS_PER_BLOCK: "),
            "{error}"
        );
        assert!(JitArguments::new(&both.target_from_context()).is_ok());
        let error = JitArguments::new(&JitOptions::new().referenced_kernel("a\0b")).err().unwrap();
        assert_eq!(error.to_string(), "string for C: the byte at position 1 is NUL, after `a`; remove it");
    }

    #[test]
    fn what_the_driver_writes_is_read() {
        let options = JitOptions::new().wall_time(true).threads_per_block(100);
        let mut arguments = JitArguments::new(&options).unwrap();
        assert_eq!(arguments.log().threads_per_block, Some(100));
        arguments.error[..7].copy_from_slice(b"wrong\n\0");
        // The upper half is not written.
        let upper = 0xdead_beef_0000_0000_u64 as usize;
        arguments.values[OWN] = without_provenance_mut(upper | 2.5_f32.to_bits() as usize);
        arguments.values[OWN + 1] = without_provenance_mut(128);
        let log = arguments.log();
        assert_eq!((&*log.error, &*log.info), ("wrong", ""));
        assert_eq!((log.wall_time, log.threads_per_block), (Some(Duration::from_micros(2500)), Some(128)));
        arguments.values[OWN] = without_provenance_mut(f32::NAN.to_bits() as usize);
        assert_eq!(arguments.log().wall_time, None);
    }
}
