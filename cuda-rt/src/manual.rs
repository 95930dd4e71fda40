//! The manual, a chapter for each subject.
//!
//! The modules have documentation and no items. Their programs run as tests.

pub mod quick_start {
    #![doc = include_str!("../docs/manual/quick-start.md")]
}

pub mod memory {
    #![doc = include_str!("../docs/manual/memory.md")]
}

pub mod streams {
    #![doc = include_str!("../docs/manual/streams.md")]
}

pub mod kernels {
    #![doc = include_str!("../docs/manual/kernels.md")]
}

pub mod textures {
    #![doc = include_str!("../docs/manual/textures.md")]
}

pub mod several_devices {
    #![doc = include_str!("../docs/manual/several-devices.md")]
}

pub mod graphs_and_async {
    #![doc = include_str!("../docs/manual/graphs-and-async.md")]
}

pub mod errors {
    #![doc = include_str!("../docs/manual/errors.md")]
}

pub mod testing {
    #![doc = include_str!("../docs/manual/testing.md")]
}

pub mod run_time_compilation {
    #![doc = include_str!("../docs/manual/run-time-compilation.md")]
}

pub mod interoperation {
    #![doc = include_str!("../docs/manual/interoperation.md")]
}

pub mod performance {
    #![doc = include_str!("../docs/manual/performance.md")]
}

pub mod troubleshooting {
    #![doc = include_str!("../docs/manual/troubleshooting.md")]
}

pub mod safety {
    #![doc = include_str!("../docs/manual/safety.md")]
}
