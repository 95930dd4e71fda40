//! Guides for programmers who know another CUDA interface.
//!
//! The modules have documentation and no items.

pub mod c {
    #![doc = include_str!("../docs/coming-from/c.md")]
}

pub mod pycuda {
    #![doc = include_str!("../docs/coming-from/pycuda.md")]
}

pub mod cudarc {
    #![doc = include_str!("../docs/coming-from/cudarc.md")]
}

pub mod cust {
    #![doc = include_str!("../docs/coming-from/cust.md")]
}

pub mod warp {
    #![doc = include_str!("../docs/coming-from/warp.md")]
}
