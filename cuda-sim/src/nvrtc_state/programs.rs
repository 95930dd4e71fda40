//! The programs of a machine.

use super::{Output, Source};
use crate::collections::{IdMap, SmallMap};
use std::ffi::CString;
use std::sync::Arc;

/// Programs of a machine.
pub(crate) struct Programs {
    pub(crate) programs: IdMap<usize, Program>,
    pub(crate) compiler: Arc<dyn Fn(&Source) -> Output + Send + Sync>,
}

impl Default for Programs {
    fn default() -> Programs {
        Programs { programs: IdMap::new(), compiler: Arc::new(Output::empty_kernels) }
    }
}

impl Programs {
    pub(crate) fn count(&self) -> usize {
        self.programs.len()
    }
}

pub(crate) struct Program {
    pub(crate) source: Source,
    pub(crate) output: Option<Compiled>,
}

/// Output as C texts.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) ptx: Vec<u8>,
    pub(crate) cubin: Vec<u8>,
    pub(crate) lto_ir: Vec<u8>,
    pub(crate) log: Vec<u8>,
    pub(crate) lowered: SmallMap<CString, CString>,
}
