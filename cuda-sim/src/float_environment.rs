//! The floating-point environment of a thread: the program's own, and the default, in which the driver computes.
//!
//! The register of a processor selects the rounding, whether subnormal numbers are zeros, and which operations raise
//! signals. `gcc -Ofast`, `fesetround` and `feenableexcept` change it. A device does not see the register. Rust
//! assumes its default everywhere.
//!
//! On processors other than those of x86-64 and aarch64, nothing is changed.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::marker::PhantomData;

/// The registers of the environment. Assembly accesses them, because the functions of the standard library are
/// deprecated. For the compiler, the assembly that writes them may also write all memory. So the compiler cannot move
/// operations on values that are loaded later, such as those of kernels, before it.
#[cfg(target_arch = "x86_64")]
mod registers {
    use core::arch::asm;

    /// MXCSR.
    pub(super) type Registers = u32;

    /// All exceptions are masked.
    pub(super) const DEFAULT: Registers = 0x1f80;
    /// Exceptions that have occurred.
    const STICKY: Registers = 0x3f;

    pub(super) fn is_default(registers: Registers) -> bool {
        registers & !STICKY == DEFAULT
    }

    pub(super) fn read() -> Registers {
        let mut registers: Registers = 0;
        // SAFETY: the instruction writes four bytes, to a place that is valid for them.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut registers, options(nostack, preserves_flags)) };
        registers
    }

    /// # Safety
    ///
    /// No operation on floating-point numbers follows in Rust, unless the registers are the default.
    pub(super) unsafe fn write(registers: Registers) {
        // SAFETY: the instruction reads four bytes, from a place that is valid for them. No reserved bit is set, because
        // the value was read from the register, or is the default. The caller promises the rest.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const registers, options(nostack)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use core::arch::asm;

    /// FPCR, and above it FPSR, which has the exceptions that have occurred.
    pub(super) type Registers = u64;

    pub(super) const DEFAULT: Registers = 0;

    pub(super) fn is_default(registers: Registers) -> bool {
        registers as u32 == 0
    }

    pub(super) fn read() -> Registers {
        let (control, status): (u64, u64);
        // SAFETY: the instruction reads a register that every thread may read.
        unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nomem, nostack, preserves_flags)) };
        // SAFETY: as above.
        unsafe { asm!("mrs {}, fpsr", out(reg) status, options(nomem, nostack, preserves_flags)) };
        control & 0xffff_ffff | status << 32
    }

    /// # Safety
    ///
    /// No operation on floating-point numbers follows in Rust, unless the registers are the default.
    pub(super) unsafe fn write(registers: Registers) {
        // SAFETY: the value was read from the register, or is the default. The caller promises the rest.
        unsafe { asm!("msr fpcr, {}", in(reg) registers & 0xffff_ffff, options(nostack)) };
        // SAFETY: as above.
        unsafe { asm!("msr fpsr, {}", in(reg) registers >> 32, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod registers {
    pub(super) type Registers = ();

    pub(super) const DEFAULT: Registers = ();

    pub(super) fn is_default((): Registers) -> bool {
        true
    }

    pub(super) fn read() -> Registers {}

    /// # Safety
    ///
    /// None is needed.
    pub(super) unsafe fn write((): Registers) {}
}

use registers::Registers;

thread_local! {
    /// The registers of the program, while the driver has this thread.
    static PROGRAM: Cell<Registers> = const { Cell::new(registers::DEFAULT) };
}

/// Sets the default, except the exceptions that have occurred. Returns the registers before.
#[inline]
fn enter() -> Registers {
    let program = registers::read();
    if !registers::is_default(program) {
        // SAFETY: the default.
        unsafe { registers::write(registers::DEFAULT) };
    }
    program
}

/// Sets the registers of the program, with the exceptions that had occurred.
#[inline]
fn leave(program: Registers) {
    if registers::read() != program {
        // SAFETY: the callers return to the program, or call it, without such an operation in between.
        unsafe { registers::write(program) };
    }
}

/// Guard of a thread that has the default environment. The drop restores the environment of the program.
#[must_use = "the thread gets the program's environment when this is dropped"]
pub(crate) struct DefaultEnvironment {
    /// The registers of the program on the outside, if this guard is nested.
    outside: Registers,
    /// Makes the guard belong to its thread.
    thread: PhantomData<*const ()>,
}

impl DefaultEnvironment {
    #[inline]
    pub(crate) fn enter() -> DefaultEnvironment {
        DefaultEnvironment { outside: PROGRAM.replace(enter()), thread: PhantomData }
    }
}

impl Drop for DefaultEnvironment {
    #[inline]
    fn drop(&mut self) {
        leave(PROGRAM.replace(self.outside));
    }
}

/// Calls the program in its own environment, which it may change. A [`DefaultEnvironment`] must exist on this thread.
pub(crate) fn in_program<R>(work: impl FnOnce() -> R) -> R {
    leave(PROGRAM.get());
    let result = work();
    PROGRAM.set(enter());
    result
}
