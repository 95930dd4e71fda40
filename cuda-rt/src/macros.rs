//! Macros that several modules use: calls of driver functions, and open sets of numbers.

/// Calls the driver function, and names it in the error. Inside a callback, the function is not called.
///
/// For use inside an `unsafe` block whose SAFETY comment covers the call.
macro_rules! check {
    ($function:ident($($argument:expr),* $(,)?)) => {
        match $crate::handle::driver_for(cuda_sys::Symbol::$function) {
            Ok(driver) => {
                $crate::error::from_rare_call(cuda_sys::Symbol::$function, (driver.$function)($($argument),*))
            }
            Err(error) => Err(error),
        }
    };
}

/// Does the same as [`check!`], with the checks before the call inlined. For launches, copies and other frequent calls, and for
/// functions of graphics libraries, which only the functions of `cuda_sys` reach.
macro_rules! inline_check {
    ($function:ident($($argument:expr),* $(,)?)) => {
        if $crate::handle::is_inside() {
            Err($crate::error::Error::inside_host_function(cuda_sys::Symbol::$function))
        } else {
            $crate::error::from_call(cuda_sys::Symbol::$function, cuda_sys::$function($($argument),*))
        }
    };
}

/// Calls a driver function that polls, and returns whether the work is done.
///
/// For use like [`inline_check!`].
macro_rules! poll {
    ($function:ident($($argument:expr),* $(,)?)) => {
        if $crate::handle::is_inside() {
            Err($crate::error::Error::inside_host_function(cuda_sys::Symbol::$function))
        } else {
            $crate::error::from_poll(cuda_sys::Symbol::$function, cuda_sys::$function($($argument),*))
        }
    };
}

/// Formats a text, like the macro of the standard library, which inlines about 30 lines of LLVM IR into each caller.
macro_rules! format {
    ($($part:tt)*) => { $crate::text::format(format_args!($($part)*)) };
}

/// Declares a set of flags: a structure with a `u32`, and the methods and operators of `bitflags`.
macro_rules! flags {
    ($(#[$about:meta])* pub struct $type:ident { $($flags:tt)* }) => {
        $(#[$about])*
        pub struct $type(u32);

        // The form with `impl` makes less code for each type. The other form makes, for example, a parser of text, and takes longer
        // to compile than the rest.
        bitflags::bitflags! {
            impl $type: u32 { $($flags)* }
        }

        /// Writes the names, and in hexadecimal the bits without one.
        impl core::fmt::Debug for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let flag = |index: usize| {
                    <$type as bitflags::Flags>::FLAGS.get(index).map(|flag| (flag.name(), flag.value().bits()))
                };
                $crate::text::write_flags(formatter, stringify!($type), self.bits(), &flag)
            }
        }
    };
}

/// Implements `all`, `Display` and `Debug` for an open set of numbers with names. Generated code calls it once for
/// each type.
macro_rules! numbers {
    ($type:ident: $($name:ident)*) => {
        impl $type {
            const NAMES: &[(u32, &str)] = &[$(($type::$name.0, stringify!($name)),)*];

            /// Returns every number that CUDA 13.5 names, once each.
            pub fn all() -> impl ExactSizeIterator<Item = $type> + Clone {
                Self::NAMES.iter().map(|(number, _)| $type(*number))
            }
        }

        /// Writes the C name without its prefix, or the type and the number.
        impl core::fmt::Display for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::macros::write_number(formatter, self.0, Self::NAMES, stringify!($type))
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, formatter)
            }
        }
    };
}

/// Calls a macro with all tuples of arguments: a type and a name for each.
macro_rules! for_tuples {
    ($macro:ident) => {
        $macro! {
            ()
            (A a)
            (A a B b)
            (A a B b C c)
            (A a B b C c D d)
            (A a B b C c D d E e)
            (A a B b C c D d E e F f)
            (A a B b C c D d E e F f G g)
            (A a B b C c D d E e F f G g H h)
            (A a B b C c D d E e F f G g H h I i)
            (A a B b C c D d E e F f G g H h I i J j)
            (A a B b C c D d E e F f G g H h I i J j K k)
            (A a B b C c D d E e F f G g H h I i J j K k L l)
            (A a B b C c D d E e F f G g H h I i J j K k L l M m)
            (A a B b C c D d E e F f G g H h I i J j K k L l M m N n)
            (A a B b C c D d E e F f G g H h I i J j K k L l M m N n O o)
            (A a B b C c D d E e F f G g H h I i J j K k L l M m N n O o P p)
        }
    };
}

/// Converts the number of an attribute to the result of its method.
macro_rules! attribute_value {
    (bool $value:expr) => {
        $value.map(|value| value != 0)
    };
    (i32 $value:expr) => {
        $value
    };
}

/// Implements a method for each attribute, which returns the driver's number. Generated code calls the macro.
macro_rules! attribute_methods {
    ($asked:ident $receiver:tt $this:ident: $(#$about:tt #$alias:tt $method:ident -> $answer:ident = $of:ident::$attribute:ident;)*) => {
        /// Methods that each return the driver's number for one attribute, or whether the number is not 0.
        #[doc = concat!("Each fails as [`", stringify!($asked), "::attribute`] does: with")]
        /// [`Code::InvalidValue`](crate::error::Code::InvalidValue) if the driver does not know the attribute.
        #[allow(clippy::missing_errors_doc)]
        impl $asked {
            $(
                #$about
                #$alias
                pub fn $method $receiver -> Result<$answer> {
                    attribute_value!($answer $this.attribute($of::$attribute))
                }
            )*
        }
    };
}

/// Writes the name of a number, or the number with its type if it has no name.
pub(crate) fn write_number(
    formatter: &mut core::fmt::Formatter<'_>,
    number: u32,
    names: &[(u32, &str)],
    of: &str,
) -> core::fmt::Result {
    match names.iter().find(|(known, _)| *known == number) {
        Some((_, name)) => formatter.pad(name),
        None => write!(formatter, "{of}({number})"),
    }
}
