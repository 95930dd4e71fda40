//! Shared by the tests: skips.

/// Says why a test cannot run here, on a line that starts with `SKIP`.
#[allow(clippy::print_stdout)]
pub fn note_skip(reason: &str) {
    println!("SKIP {}: {reason}", std::thread::current().name().unwrap_or("?"));
}

/// Returns from the test with the reason why it cannot run here.
#[macro_export]
macro_rules! skip {
    ($($reason:tt)+) => {{
        $crate::note_skip(&format!($($reason)+));
        return;
    }};
}
