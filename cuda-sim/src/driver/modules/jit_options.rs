//! The options of loading and linking: buffers for the compiler's messages, and limits for the compiler.

#![allow(unsafe_code)]

use crate::driver::rules::since;
use crate::driver::{Answer, State};
use core::ffi::{CStr, c_char, c_uint, c_void};
use cuda_sys::{CUjit_cacheMode_enum as CacheMode, CUjit_option, CUjit_option_enum as Jit, CUresult};
use std::ffi::CString;
use std::time::Instant;

/// Buffers of a program for the compiler's messages.
#[derive(Default)]
pub(crate) struct Logs {
    info: Buffer,
    error: Buffer,
    /// Place for the compile time, and the start of the measurement.
    time: Slot,
    since: Option<Instant>,
    /// Limit of the registers of a thread.
    pub(crate) registers: Option<u32>,
    pub(crate) verbose: bool,
    /// Target of the compilation.
    target: Option<u32>,
    /// True for an option that makes the compiler fail: an obsolete option, or a number that is negative for the
    /// compiler.
    stumbles: bool,
    /// Variables that must be in memory of the host.
    symbols: Symbols,
}

/// Lists of symbols, as far as they are present.
#[derive(Default)]
struct Symbols {
    names: Vec<CString>,
}

/// Registers of all threads of a block together.
const REGISTERS: u32 = 1 << 16;
/// Least and greatest number of registers of a thread (measured).
const FEWEST_REGISTERS: u32 = 24;
const MOST_REGISTERS: u32 = 255;
/// Threads of a warp, and limit of the threads in a block.
const WARP: u32 = 32;
const MOST_THREADS: u32 = 1024;

/// Entry of the list of values, if there is one.
struct Slot(*mut *mut c_void);

// SAFETY: the program passes the pointer for use by the driver on any thread.
unsafe impl Send for Slot {}

impl Default for Slot {
    fn default() -> Self {
        Self(core::ptr::null_mut())
    }
}

/// Buffer, and the entry of the list of values with its size.
struct Buffer {
    given: bool,
    bytes: *mut c_char,
    size: usize,
    size_slot: *mut *mut c_void,
}

// SAFETY: the program passes the pointers for use by the driver on any thread.
unsafe impl Send for Buffer {}

impl Default for Buffer {
    fn default() -> Self {
        Self { given: false, bytes: core::ptr::null_mut(), size: 0, size_slot: core::ptr::null_mut() }
    }
}

impl Logs {
    /// Creates options without buffers, with a limit.
    pub(crate) fn with_registers(registers: Option<u32>) -> Logs {
        Logs { registers, ..Logs::default() }
    }

    fn limit_registers(&mut self, most: u32) {
        self.registers = Some(self.registers.map_or(most, |known| known.min(most)));
    }

    /// Reads options. Options about machine code have no effect.
    ///
    /// # Safety
    ///
    /// `options` and `values` are valid for reads and writes of `count` elements.
    pub(crate) unsafe fn from_options(
        state: &State,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
    ) -> Answer<Logs> {
        let mut logs = Logs { since: Some(Instant::now()), ..Logs::default() };
        if count > 0 && (options.is_null() || values.is_null()) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let invalid = |is: bool| if is { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) };
        let (mut names, mut addresses, mut symbols, mut threads) =
            (Slot::default(), Slot::default(), None, false);
        for index in 0..count as usize {
            // SAFETY: within `count` elements.
            let option = unsafe { options.add(index) };
            // SAFETY: as above, and valid for a read.
            let option = unsafe { option.read() };
            // SAFETY: within `count` elements.
            let slot = unsafe { values.add(index) };
            // SAFETY: as above, and valid for a read.
            let value = unsafe { slot.read() };
            state.require(since::JIT_OPTIONS, option.0)?;
            // The list stores numbers as pointers. These numbers have 32 bits.
            let number = value.addr() as u32;
            match option {
                Jit::CU_JIT_INFO_LOG_BUFFER => {
                    (logs.info.given, logs.info.bytes) = (true, value.cast());
                }
                Jit::CU_JIT_ERROR_LOG_BUFFER => {
                    (logs.error.given, logs.error.bytes) = (true, value.cast());
                }
                Jit::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {
                    (logs.info.size, logs.info.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {
                    (logs.error.size, logs.error.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_LOG_VERBOSE => logs.verbose = number != 0,
                Jit::CU_JIT_WALL_TIME => logs.time = Slot(slot),
                Jit::CU_JIT_MAX_REGISTERS => {
                    invalid(number == 0)?;
                    logs.limit_registers(number.clamp(FEWEST_REGISTERS, MOST_REGISTERS));
                }
                Jit::CU_JIT_THREADS_PER_BLOCK => {
                    // NVIDIA's driver divides by the number, and ends the process (measured: SIGFPE).
                    invalid(number == 0)?;
                    let targeted = number.min(MOST_THREADS).next_multiple_of(WARP);
                    // The limit permits a block with this many threads (measured: 64 registers for 1024).
                    logs.limit_registers((REGISTERS / targeted) & !7);
                    // SAFETY: within `count` elements, and valid for a write.
                    unsafe { slot.write(core::ptr::without_provenance_mut(targeted as usize)) };
                    threads = true;
                }
                Jit::CU_JIT_TARGET => {
                    invalid(number != 0 && !is_target(number))?;
                    logs.target = Some(number);
                }
                Jit::CU_JIT_CACHE_MODE => invalid(number > CacheMode::CU_JIT_CACHE_OPTION_CA.0)?,
                Jit::CU_JIT_NEW_SM3X_OPT => logs.stumbles = true,
                Jit::CU_JIT_OPTIMIZATION_LEVEL | Jit::CU_JIT_MIN_CTA_PER_SM | Jit::CU_JIT_SPLIT_COMPILE => {
                    logs.stumbles |= (number as i32) < 0;
                }
                // NVIDIA's driver rounds the number up to whole warps, divides by the result, and ends the process
                // (measured: SIGFPE).
                Jit::CU_JIT_MAX_THREADS_PER_BLOCK => {
                    invalid(number.checked_next_multiple_of(WARP).is_none())?
                }
                Jit::CU_JIT_GLOBAL_SYMBOL_NAMES => names = Slot(value.cast()),
                Jit::CU_JIT_GLOBAL_SYMBOL_ADDRESSES => addresses = Slot(value.cast()),
                Jit::CU_JIT_GLOBAL_SYMBOL_COUNT => symbols = Some(number),
                Jit::CU_JIT_REFERENCED_KERNEL_NAMES | Jit::CU_JIT_REFERENCED_VARIABLE_NAMES => {
                    invalid(value.is_null())?;
                }
                other => invalid(other.0 >= Jit::CU_JIT_NUM_OPTIONS.0)?,
            }
        }
        // A buffer needs its size, and a size its buffer (measured).
        for buffer in [&logs.info, &logs.error] {
            let has_size = !buffer.size_slot.is_null();
            invalid((buffer.given || has_size) && (buffer.bytes.is_null() || !has_size))?;
        }
        // These options exclude each other (documented, and measured). Those options need each other (measured).
        invalid(threads && logs.target.is_some())?;
        let lists = !names.0.is_null() || !addresses.0.is_null();
        invalid(
            (lists || symbols.is_some()) && (names.0.is_null() || addresses.0.is_null() || symbols.is_none()),
        )?;
        for index in 0..symbols.unwrap_or_default() as usize {
            // SAFETY: the program's list has this many names.
            let name = unsafe { names.0.add(index) };
            // SAFETY: as above.
            let name: *const c_char = unsafe { name.read() }.cast();
            invalid(name.is_null())?;
            // SAFETY: the program passes a C string.
            logs.symbols.names.push(unsafe { CStr::from_ptr(name) }.to_owned());
        }
        Ok(logs)
    }

    /// Checks that text can be compiled for a device with these options.
    pub(crate) fn check_target(&self, device: u32) -> Answer {
        // Removes the bits that mark architectures with features of their own.
        let plain = |target: u32| target & 0xffff;
        match self.target {
            Some(0) => Err(CUresult::CUDA_ERROR_INVALID_IMAGE),
            Some(target) if plain(target) != device => Err(CUresult::CUDA_ERROR_INVALID_SOURCE),
            _ if self.stumbles => Err(CUresult::CUDA_ERROR_INVALID_PTX),
            _ => Ok(()),
        }
    }

    /// Checks that no variable of the code must be in memory of the host, which is refused (measured). Unknown names
    /// are ignored.
    pub(crate) fn check_symbols(&self, has: impl FnMut(&str) -> bool) -> Answer {
        let mut names = self.symbols.names.iter().filter_map(|name| name.to_str().ok());
        if names.any(has) { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
    }

    /// # Safety
    ///
    /// The buffers are valid for writes of their sizes, and their slots for a write.
    pub(crate) unsafe fn write(&mut self, info: &str, error: &str) {
        if !self.time.0.is_null() {
            let spent = self.since.map_or(0.0, |since| since.elapsed().as_secs_f32() * 1000.0);
            // Milliseconds, as the bits of a number in the lower half of a pointer. The other half does not change
            // (measured). SAFETY: the caller's promise: the place of a pointer has room for a number.
            unsafe { self.time.0.cast::<u32>().write(spent.to_bits()) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.info.write(info) };
        // SAFETY: the caller's promise.
        unsafe { self.error.write(error) };
    }
}

/// Returns whether a number is that of a target: 90, 0x1005a with features of its own, 0x20064 for a family. A driver
/// of CUDA 13.0 knew these, and did not know 20, 999 and 0x2005a (measured).
fn is_target(number: u32) -> bool {
    const PLAIN: [u32; 24] = [
        30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 107, 110, 120, 121,
    ];
    match (number >> 16, number & 0xffff) {
        (0, sm) => PLAIN.contains(&sm),
        (1, sm) => sm >= 90 && PLAIN.contains(&sm),
        (2, sm) => sm >= 100 && PLAIN.contains(&sm),
        _ => false,
    }
}

impl Buffer {
    /// Writes as much of a text as fits, and a NUL. The slot receives the text's length, or the buffer's size if the
    /// text was cut (measured).
    ///
    /// # Safety
    ///
    /// Same as [`Logs::write`].
    unsafe fn write(&mut self, text: &str) {
        let Some(room) = self.size.checked_sub(1).filter(|_| !self.bytes.is_null()) else { return };
        let used = text.len().min(room);
        // SAFETY: `used` is less than the buffer's size.
        unsafe { self.bytes.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), used) };
        // SAFETY: within the buffer.
        let end = unsafe { self.bytes.add(used) };
        // SAFETY: within the buffer.
        unsafe { end.write(0) };
        if !self.size_slot.is_null() {
            // If there is room for the NUL only, the length is 0 (measured).
            let filled = if room == 0 { 0 } else { text.len().min(self.size) };
            // SAFETY: the caller's promise.
            unsafe { self.size_slot.write(core::ptr::without_provenance_mut(filled)) };
        }
    }
}
