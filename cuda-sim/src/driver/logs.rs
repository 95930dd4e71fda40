//! The options of loading and linking: buffers for what the compiler says, and what it is to keep to.

#![allow(unsafe_code)]

use super::{Answer, State};
use crate::generated::since;
use core::ffi::{c_char, c_uint, c_void};
use cuda_sys::{CUjit_option, CUjit_option_enum as Jit, CUresult};

/// The buffers that a program gives for the compiler's messages.
#[derive(Default)]
pub(super) struct Logs {
    info: Buffer,
    error: Buffer,
    /// Where the time that compiling took goes.
    time: Slot,
    /// The most registers that a thread may have.
    pub(super) registers: Option<u32>,
    pub(super) verbose: bool,
}

/// Registers of all threads of a block, at most.
const REGISTERS: u32 = 1 << 16;

/// A place in the list of values, if there is one.
struct Slot(*mut *mut c_void);

// SAFETY: the pointer is the program's, which gives it to be used by the driver, in whatever thread.
unsafe impl Send for Slot {}

impl Default for Slot {
    fn default() -> Self {
        Self(core::ptr::null_mut())
    }
}

/// A buffer, and the place in the list of values where its size is.
struct Buffer {
    bytes: *mut c_char,
    size: usize,
    size_slot: *mut *mut c_void,
}

// SAFETY: the pointers are the program's, which gives them to be used by the driver, in whatever thread.
unsafe impl Send for Buffer {}

impl Default for Buffer {
    fn default() -> Self {
        Self { bytes: core::ptr::null_mut(), size: 0, size_slot: core::ptr::null_mut() }
    }
}

impl Logs {
    fn limit_registers(&mut self, most: u32) {
        self.registers = Some(self.registers.map_or(most, |known| known.min(most)));
    }

    /// Options about code that no compiler makes here have no effect.
    ///
    /// # Safety
    ///
    /// `options` and `values` are valid for reads and writes of `count` elements.
    pub(super) unsafe fn from_options(
        state: &State,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
    ) -> Answer<Logs> {
        let mut logs = Logs::default();
        if count > 0 && (options.is_null() || values.is_null()) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
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
            // Numbers travel in the pointers' place; these are of 32 bits.
            let number = value.addr() as u32;
            match option {
                Jit::CU_JIT_INFO_LOG_BUFFER => logs.info.bytes = value.cast(),
                Jit::CU_JIT_ERROR_LOG_BUFFER => logs.error.bytes = value.cast(),
                Jit::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {
                    (logs.info.size, logs.info.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {
                    (logs.error.size, logs.error.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_LOG_VERBOSE => logs.verbose = number != 0,
                Jit::CU_JIT_WALL_TIME => logs.time = Slot(slot),
                Jit::CU_JIT_MAX_REGISTERS if number > 0 => logs.limit_registers(number),
                // So that a block can have as many threads (measured: 64 registers for 1024).
                Jit::CU_JIT_THREADS_PER_BLOCK if number > 0 => {
                    logs.limit_registers((REGISTERS / number) & !7)
                }
                other if other.0 >= Jit::CU_JIT_NUM_OPTIONS.0 => {
                    return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
                }
                _ => {}
            }
        }
        Ok(logs)
    }

    /// # Safety
    ///
    /// The buffers are valid for writes of their sizes, and their slots for a write.
    pub(super) unsafe fn write(&mut self, info: &str, error: &str) {
        if !self.time.0.is_null() {
            // Milliseconds, as the bits of a number in a pointer's place: none pass here.
            // SAFETY: the caller's promise.
            unsafe { self.time.0.write(core::ptr::null_mut()) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.info.write(info) };
        // SAFETY: the caller's promise.
        unsafe { self.error.write(error) };
    }
}

impl Buffer {
    /// As much as fits, and a NUL; the slot gets the text's length, or the buffer's size if the text was cut
    /// (measured).
    ///
    /// # Safety
    ///
    /// See [`Logs::write`].
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
            // SAFETY: the caller's promise.
            unsafe { self.size_slot.write(core::ptr::without_provenance_mut(text.len().min(self.size))) };
        }
    }
}
