//! The one way from a driver function to a `Result`, and what open sets of numbers have in common.

/// Calls the driver function and names it in the error. Inside a callback it is not called.
///
/// To be used inside an `unsafe` block whose SAFETY comment covers the call.
macro_rules! check {
    ($function:ident($($argument:expr),* $(,)?)) => {
        if $crate::handle::is_inside() {
            Err($crate::error::Error::inside_host_function(cuda_sys::Symbol::$function))
        } else {
            $crate::error::from_call(cuda_sys::Symbol::$function, cuda_sys::$function($($argument),*))
        }
    };
}

/// Calls the driver function that polls: whether the work is done.
///
/// To be used as [`check!`] is.
macro_rules! poll {
    ($function:ident($($argument:expr),* $(,)?)) => {
        if $crate::handle::is_inside() {
            Err($crate::error::Error::inside_host_function(cuda_sys::Symbol::$function))
        } else {
            $crate::error::from_poll(cuda_sys::Symbol::$function, cuda_sys::$function($($argument),*))
        }
    };
}

/// An open set of numbers with names. To be used where `core::fmt` is known as `fmt`.
macro_rules! numbers {
    ($type:ident of $c:ident, $all:literal: $($name:ident = $constant:ident $c_name:literal, $meaning:literal;)*) => {
        impl $type {
            $(
                #[doc = $meaning]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self($c::$constant.0);
            )*

            #[doc = $all]
            ///
            /// # Examples
            ///
            #[doc = concat!("See [`", stringify!($type), "`].")]
            pub fn all() -> impl ExactSizeIterator<Item = $type> + Clone {
                [$($type::$name),*].into_iter()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $($type::$name => formatter.pad(stringify!($name)),)*
                    $type(number) => write!(formatter, concat!(stringify!($type), "({})"), number),
                }
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }
    };
}

/// Gives a macro all tuples of arguments: a type and a name for each.
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
