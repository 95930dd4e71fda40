//! Sequences of calls of all functions, with handles that are live, destroyed, of another kind, null or random bits.

#![no_main]

use cuda_fuzz::caller::Caller;
use cuda_fuzz::interface::INTERFACE;
use cuda_fuzz::session::{self, Session};
use cuda_fuzz::source::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut source = Source::new(data);
    let session = Session::begin(session::config(source.word()));
    let mut caller = Caller::new(source);
    for _ in 0..64 {
        if caller.source().is_empty() {
            break;
        }
        let index = caller.source().below(INTERFACE.functions.len());
        let _ = caller.call(&INTERFACE.functions[index]);
    }
    caller.free_host_memory();
    session.finish();
});
