//! Green contexts of the resources of green contexts.

#![allow(clippy::unwrap_used)]

use cuda_rt::Device;
use cuda_rt::error::ErrorKind;
use cuda_rt::green::GreenContext;
use cuda_sim::Config;
use cuda_suite::raw::machine;

/// Each keeps the next one alive, and is dropped inside its drop.
#[test]
fn green_contexts_nest_up_to_a_limit() {
    let (_machine, _entered) = machine(Config::default());
    let mut green = GreenContext::new(&Device::get(0).unwrap().sm_resource().unwrap()).unwrap();
    for _ in 1..64 {
        green = GreenContext::new(&green.sm_resource().unwrap()).unwrap();
    }
    let error = GreenContext::new(&green.sm_resource().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("64 is the limit"), "{error}");
    drop(green);
}
