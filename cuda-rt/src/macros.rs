//! The one way from a driver function to a `Result`.

/// Calls the driver function and names it in the error.
///
/// To be used inside an `unsafe` block whose SAFETY comment covers the call.
macro_rules! check {
    ($function:ident($($argument:expr),* $(,)?)) => {
        $crate::error::from_call(cuda_sys::Symbol::$function, cuda_sys::$function($($argument),*))
    };
}
