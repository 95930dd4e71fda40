//! The files that `cargo build --features regenerate` wrote, and the macros that turn their lists into code.
//! Nothing else here is edited by hand.

/// Makes constants of the enumerators, under their own names.
macro_rules! enumerators {
    ($($type:ident $names:tt)*) => { $(enumerators_of! { $type $names })* };
}

macro_rules! enumerators_of {
    ($type:ident { $($name:ident)* }) => { $(pub const $name: $type = $type::$name;)* };
}

/// Asserts the size and the alignment of each type. The layout test asserts the offsets of fields.
macro_rules! layouts {
    ($($type:ident: $size:literal, $align:literal;)*) => {
        const _: () = {$(
            assert!(size_of::<$type>() == $size && align_of::<$type>() == $align, stringify!($type));
        )*};
    };
}

/// Default values that are all zero, as the API asks.
macro_rules! zeroed {
    ($($type:ident)*) => {$(
        impl Default for $type {
            #[inline]
            fn default() -> Self {
                // SAFETY: zero is a value of every type of the API.
                unsafe { core::mem::zeroed() }
            }
        }
    )*};
}

/// Operators of masks.
macro_rules! masks {
    ($($type:ident)*) => {$(
        impl core::ops::BitOr for $type {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
        impl core::ops::BitOrAssign for $type {
            #[inline]
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }
        impl core::ops::BitAnd for $type {
            type Output = Self;
            #[inline]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }
        impl core::ops::BitAndAssign for $type {
            #[inline]
            fn bitand_assign(&mut self, other: Self) {
                self.0 &= other.0;
            }
        }
    )*};
}

/// The name is what can be printed of a union.
macro_rules! unions {
    ($($type:ident)*) => {$(
        impl core::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(concat!(stringify!($type), " { union }"))
            }
        }
    )*};
}

#[cfg(feature = "egl")]
mod egl_types;
mod functions;
#[cfg(feature = "gl")]
mod gl_types;
#[cfg(feature = "nvrtc")]
pub(crate) mod nvrtc;
pub(crate) mod types;
#[cfg(feature = "vdpau")]
mod vdpau_types;

pub mod enumerators {
    //! The enumerators under their own names, as C has them. The constants of their types are the same.
    //!
    //! ```
    //! use cuda_sys::*;
    //!
    //! assert_eq!(CUDA_ERROR_NOT_FOUND, CUresult::CUDA_ERROR_NOT_FOUND);
    //! ```

    use super::*;

    include!("enumerators.rs");
    #[cfg(feature = "egl")]
    include!("egl_enumerators.rs");
    #[cfg(feature = "gl")]
    include!("gl_enumerators.rs");
}

#[cfg(feature = "egl")]
pub use egl_types::*;
pub(crate) use functions::page;
#[cfg(feature = "gl")]
pub use gl_types::*;
pub use types::*;
#[cfg(feature = "vdpau")]
pub use vdpau_types::*;
