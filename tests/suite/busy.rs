//! A stream that is busy until the test ends its work.
#![allow(unsafe_code)]

use crate::typed;
use cuda_rt::{DevicePtr, LaunchConfig, Module, PinnedBuf, Stream};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs until the host sets the word, or for some ten seconds.
pub(crate) const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %at, %start, %now; .reg .b32 %seen; .reg .pred %p;
        ld.param.u64 %at, [go];
        mov.u64 %start, %clock64;
        again:
        ld.volatile.global.u32 %seen, [%at];
        setp.ne.u32 %p, %seen, 0; @%p bra done;
        mov.u64 %now, %clock64; sub.u64 %now, %now, %start;
        setp.lt.u64 %p, %now, 20000000000; @%p bra again;
        done: ret; }";

/// It goes when this is dropped, however the test ends.
///
/// For processes of their own: freeing page-locked memory, as other tests do, would wait for it.
pub(crate) struct Busy(ManuallyDrop<PinnedBuf<u32>>);

impl Busy {
    pub(crate) fn new(stream: &Stream) -> Busy {
        let context = stream.context();
        let module = Module::from_ptx(context, PTX).unwrap();
        let hold = typed::<(DevicePtr<u32>,)>(&module.function("hold").unwrap());
        // Neither is freed, because that would wait.
        let busy = Busy(ManuallyDrop::new(PinnedBuf::zeroed(context, 1).unwrap()));
        let hold = ManuallyDrop::new(hold);
        let at = busy.0.device_ptr().unwrap();
        // SAFETY: one thread reads a word of page-locked memory, which is never freed.
        unsafe { hold.launch(LaunchConfig::new(1, 1), stream, (at,)) }.unwrap();
        busy
    }

    pub(crate) fn go(&self) {
        let word = self.0.as_ptr().cast_mut();
        // SAFETY: aligned, never freed, and accessed atomically, or by the device.
        unsafe { AtomicU32::from_ptr(word) }.store(1, Ordering::Release);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.go();
    }
}
