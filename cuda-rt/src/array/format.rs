//! What the channels of an array's elements hold.

use core::fmt;
use cuda_sys::CUarray_format_enum as C;

/// What a channel of an array's elements holds: any number that some driver knows.
///
/// ```
/// use cuda_rt::array::ArrayFormat;
///
/// assert_eq!(ArrayFormat::HALF.to_string(), "HALF");
/// assert_eq!(ArrayFormat::HALF.channel_bytes(), Some(2));
/// assert_eq!(ArrayFormat(999).to_string(), "ArrayFormat(999)");
/// ```
#[doc(alias = "CUarray_format")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayFormat(pub u32);

impl fmt::Display for ArrayFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(format, _)| format == self) {
            Some((_, name)) => formatter.pad(name),
            None => write!(formatter, "ArrayFormat({})", self.0),
        }
    }
}

impl fmt::Debug for ArrayFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

macro_rules! formats {
    ($($name:ident = $constant:ident $c_name:literal $bytes:literal, $meaning:literal;)*) => {
        impl ArrayFormat {
            $(
                #[doc = $meaning]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self(C::$constant.0);
            )*

            /// Bytes of a channel. `None` for numbers without a name here.
            ///
            /// # Examples
            ///
            /// See [`ArrayFormat`].
            pub fn channel_bytes(self) -> Option<usize> {
                match self {
                    $(ArrayFormat::$name => Some($bytes),)*
                    _ => None,
                }
            }
        }

        static NAMES: &[(ArrayFormat, &str)] = &[$((ArrayFormat::$name, stringify!($name)),)*];
    };
}
formats! {
    UNSIGNED_INT8 = CU_AD_FORMAT_UNSIGNED_INT8 "CU_AD_FORMAT_UNSIGNED_INT8" 1, "Bytes without a sign.";
    UNSIGNED_INT16 = CU_AD_FORMAT_UNSIGNED_INT16 "CU_AD_FORMAT_UNSIGNED_INT16" 2, "16 bits without a sign.";
    UNSIGNED_INT32 = CU_AD_FORMAT_UNSIGNED_INT32 "CU_AD_FORMAT_UNSIGNED_INT32" 4, "32 bits without a sign.";
    SIGNED_INT8 = CU_AD_FORMAT_SIGNED_INT8 "CU_AD_FORMAT_SIGNED_INT8" 1, "Bytes with a sign.";
    SIGNED_INT16 = CU_AD_FORMAT_SIGNED_INT16 "CU_AD_FORMAT_SIGNED_INT16" 2, "16 bits with a sign.";
    SIGNED_INT32 = CU_AD_FORMAT_SIGNED_INT32 "CU_AD_FORMAT_SIGNED_INT32" 4, "32 bits with a sign.";
    HALF = CU_AD_FORMAT_HALF "CU_AD_FORMAT_HALF" 2, "Floating-point numbers of 16 bits.";
    FLOAT = CU_AD_FORMAT_FLOAT "CU_AD_FORMAT_FLOAT" 4, "Floating-point numbers of 32 bits.";
}
