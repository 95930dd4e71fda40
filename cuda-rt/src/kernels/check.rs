//! Checks of declared types when the program is compiled.
//!
//! The macro writes a constant for each parameter and each variable, in which these functions compare the Rust type with the
//! declaration in PTX. A panic in a constant is an error of the compiler, at the tokens that the macro chose.

use crate::launch::{ArgumentKind, KernelArg};

/// A parameter, as PTX declares it.
#[doc(hidden)]
#[derive(Debug)]
pub struct PtxParameter {
    /// Kernel, parameter, and declaration.
    pub place: &'static str,
    /// Rust type in the form of the program.
    pub given: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Kind of value by the type in PTX.
    pub class: PtxClass,
    /// Alignment of the memory behind the pointer. 1 if it is not declared.
    pub pointee_align: usize,
}

/// The kind of value that a type of PTX has.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PtxClass {
    /// `.u32`, `.s32` and the like.
    Integer,
    /// `.f32` and the like.
    Float,
    /// `.b32` and the like, and arrays.
    Bits,
}

/// A variable, as PTX declares it.
#[doc(hidden)]
#[derive(Debug)]
pub struct PtxVariable {
    /// The variable.
    pub place: &'static str,
    /// The Rust type as the program writes it.
    pub given: &'static str,
    /// The size in bytes.
    pub size: usize,
    /// The alignment in bytes.
    pub align: usize,
}

/// Compares the type of a parameter. `T` is the type of the argument, `LEN` the room for the text of an error.
#[doc(hidden)]
#[track_caller]
pub const fn parameter<T: KernelArg, const LEN: usize>(ptx: &PtxParameter) {
    let (size, align) = (size_of::<T>(), align_of::<T>());
    let text = Text::<LEN>::new(ptx.place);
    if size != ptx.size {
        text.add(", of ")
            .number(ptx.size)
            .add(bytes(ptx.size))
            .add("; `")
            .add(ptx.given)
            .add("` has ")
            .number(size)
            .fail();
    }
    let differs = match (T::KIND, ptx.class) {
        (ArgumentKind::Integer, PtxClass::Float) => Some((", a floating-point number; `", "` is an integer")),
        (ArgumentKind::Address(_), PtxClass::Float) => {
            Some((", a floating-point number; `", "` is an address"))
        }
        (ArgumentKind::Float, PtxClass::Integer) => Some((", an integer; `", "` is a floating-point number")),
        _ => None,
    };
    if let Some((takes, is)) = differs {
        text.add(takes).add(ptx.given).add(is).fail();
    }
    if let ArgumentKind::Address(aligned) = T::KIND {
        if aligned != 0 && ptx.pointee_align > aligned {
            let text =
                text.add(", and the kernel takes the address to be a multiple of ").number(ptx.pointee_align);
            text.add("; the memory of `").add(ptx.given).add("` is aligned to ").number(aligned).fail();
        }
        return;
    }
    // In C, the size of a type is a multiple of its alignment.
    let fits = align == ptx.align || T::KIND.is_numbers() && size.is_multiple_of(ptx.align);
    if !fits {
        let text = text
            .add(", aligned to ")
            .number(ptx.align)
            .add("; `")
            .add(ptx.given)
            .add("` is aligned to ")
            .number(align);
        if align < ptx.align {
            text.add(": write `#[repr(C, align(").number(ptx.align).add("))]`").fail();
        }
        text.add(": write `.param .align ").number(align).add(" ..` in the PTX, or correct the type").fail();
    }
}

/// Compares the type of a variable. `LEN` is the room for the text of an error.
#[doc(hidden)]
#[track_caller]
pub const fn variable<T, const LEN: usize>(ptx: &PtxVariable) {
    let (size, align) = (size_of::<T>(), align_of::<T>());
    let text = Text::<LEN>::new(ptx.place).add(" has ").number(ptx.size).add(bytes(ptx.size));
    if size != ptx.size {
        text.add("; `").add(ptx.given).add("` has ").number(size).fail();
    }
    if align > ptx.align {
        text.add(", aligned to ")
            .number(ptx.align)
            .add("; `")
            .add(ptx.given)
            .add("` is aligned to ")
            .number(align)
            .fail();
    }
}

/// Refuses a type that may hold an address, as a parameter of a `safe fn`.
#[doc(hidden)]
#[track_caller]
#[allow(clippy::panic)] // while the program is compiled
pub const fn without_address<T: KernelArg>(text: &'static str) {
    if T::HAS_ADDRESSES {
        panic!("{}", text);
    }
}

const fn bytes(number: usize) -> &'static str {
    if number == 1 { " byte" } else { " bytes" }
}

/// Text that is made at compile time. A part that does not fit is left out.
#[derive(Clone, Copy)]
struct Text<const LEN: usize> {
    bytes: [u8; LEN],
    len: usize,
}

impl<const LEN: usize> Text<LEN> {
    const fn new(text: &str) -> Self {
        Text { bytes: [0; LEN], len: 0 }.add(text)
    }

    const fn add(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        // A part of a text could end inside a character.
        if self.len + text.len() <= self.bytes.len() {
            let mut at = 0;
            while at < text.len() {
                self.bytes[self.len + at] = text[at];
                at += 1;
            }
            self.len += text.len();
        }
        self
    }

    const fn number(self, number: usize) -> Self {
        let text = if number < 10 { self } else { self.number(number / 10) };
        const DIGITS: &str = "0123456789";
        let (_, from) = DIGITS.split_at(number % 10);
        let (digit, _) = from.split_at(1);
        text.add(digit)
    }

    /// Ends the compilation with the text.
    #[track_caller]
    #[allow(clippy::panic)] // while the program is compiled
    const fn fail(self) -> ! {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the type differs from its declaration in PTX"),
        }
    }
}
