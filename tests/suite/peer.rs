//! Access to memory of another device, through the raw API.

use crate::alone;
use cuda_suite::raw::{allocate, context, function, launch, read};
use cuda_suite::{call, code, device, driver, second_device, skip};
use cuda_sys::*;
use std::ptr::null_mut;

/// Reads `theirs` and writes it to `ours`.
const COPY: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
.visible .entry copy(.param .u64 ours, .param .u64 theirs) {
    .reg .u64 %ours, %theirs;
    .reg .u32 %value;
    ld.param.u64 %ours, [ours];
    ld.param.u64 %theirs, [theirs];
    ld.global.u32 %value, [%theirs];
    st.global.u32 [%ours], %value;
    ret;
}";

const DONE: CUresult = CUresult::CUDA_SUCCESS;

/// Returns the word that a kernel of the current context reads at an address.
fn seen(theirs: CUdeviceptr) -> Result<u32, CUresult> {
    let ours = allocate(4);
    launch(function(COPY, c"copy"), null_mut(), &[ours, theirs]);
    match code!(cuCtxSynchronize()) {
        DONE => Ok(read(ours)),
        error => Err(error),
    }
}

/// Two contexts of the first device and one of the second with memory that holds 42.
struct Pair {
    first: CUcontext,
    other: CUcontext,
    peer: CUcontext,
    theirs: CUdeviceptr,
}

/// `None` where there are no two devices that reach each other.
fn pair() -> Option<Pair> {
    driver();
    cuda_rt::init().unwrap();
    let second = second_device()?;
    if !device().can_access_peer(second).unwrap() {
        return None;
    }
    let peer = context(second.as_raw());
    let theirs = allocate(4);
    call!(cuMemsetD32_v2(theirs, 42, 1));
    call!(cuCtxSynchronize());
    let other = context(device().as_raw());
    let first = context(device().as_raw());
    Some(Pair { first, other, peer, theirs })
}

impl Drop for Pair {
    fn drop(&mut self) {
        for context in [self.first, self.other, self.peer] {
            let _ = code!(cuCtxDestroy_v2(context));
        }
    }
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other"),
        }
    };
}

#[test]
fn kernels_access_memory_of_an_enabled_peer() {
    let pair = pair!();
    call!(cuCtxEnablePeerAccess(pair.peer, 0));
    assert_eq!(seen(pair.theirs), Ok(42));
    assert_eq!(code!(cuCtxEnablePeerAccess(pair.peer, 0)), CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
}

/// Access is mapped for the device, whichever of its contexts asked for it; giving it up is each context's own.
#[test]
fn kernels_use_peer_memory_of_a_sibling_context() {
    let pair = pair!();
    call!(cuCtxSetCurrent(pair.other));
    call!(cuCtxEnablePeerAccess(pair.peer, 0));
    call!(cuCtxSetCurrent(pair.first));
    assert_eq!(seen(pair.theirs), Ok(42));
    assert_eq!(code!(cuCtxDisablePeerAccess(pair.peer)), CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    // One of two contexts disables access.
    call!(cuCtxEnablePeerAccess(pair.peer, 0));
    call!(cuCtxSetCurrent(pair.other));
    call!(cuCtxDisablePeerAccess(pair.peer));
    assert_eq!(seen(pair.theirs), Ok(42));
}

/// Fills are checked against the current context's own access, unlike kernels.
#[test]
fn fills_need_the_contexts_own_access() {
    let pair = pair!();
    let fill = || code!(cuMemsetD32_v2(pair.theirs, 43, 1));
    assert_eq!(fill(), CUresult::CUDA_ERROR_INVALID_VALUE);
    call!(cuCtxSetCurrent(pair.other));
    call!(cuCtxEnablePeerAccess(pair.peer, 0));
    call!(cuCtxSetCurrent(pair.first));
    assert_eq!(fill(), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(seen(pair.theirs), Ok(42));
    call!(cuCtxEnablePeerAccess(pair.peer, 0));
    assert_eq!(fill(), DONE);
    assert_eq!(seen(pair.theirs), Ok(43));
}

#[test]
fn copies_need_no_access() {
    let pair = pair!();
    let ours = allocate(4);
    let mut value = 0u32;
    call!(cuMemcpyDtoD_v2(ours, pair.theirs, 4));
    call!(cuMemcpyDtoH_v2((&raw mut value).cast(), ours, 4));
    assert_eq!(value, 42);
    value = 0;
    call!(cuMemcpyDtoH_v2((&raw mut value).cast(), pair.theirs, 4));
    assert_eq!(value, 42);
    value = 7;
    call!(cuMemcpyHtoD_v2(pair.theirs, (&raw const value).cast(), 4));
    call!(cuMemcpyPeer(ours, pair.first, pair.theirs, pair.peer, 4));
    call!(cuMemcpyDtoH_v2((&raw mut value).cast(), ours, 4));
    assert_eq!(value, 7);
}

#[test]
fn without_access_a_kernel_faults() {
    fault("without_access_a_kernel_faults", |_| {});
}

#[test]
fn disabled_access_is_gone() {
    fault("disabled_access_is_gone", |pair| {
        call!(cuCtxEnablePeerAccess(pair.peer, 0));
        assert_eq!(seen(pair.theirs), Ok(42));
        call!(cuCtxDisablePeerAccess(pair.peer));
    });
}

#[test]
fn access_ends_with_the_context_that_asked_for_it() {
    fault("access_ends_with_the_context_that_asked_for_it", |pair| {
        call!(cuCtxSetCurrent(pair.other));
        call!(cuCtxEnablePeerAccess(pair.peer, 0));
        call!(cuCtxSetCurrent(pair.first));
        assert_eq!(seen(pair.theirs), Ok(42));
        call!(cuCtxDestroy_v2(pair.other));
    });
}

#[test]
fn access_goes_one_way() {
    fault("access_goes_one_way", |pair| {
        call!(cuCtxSetCurrent(pair.peer));
        call!(cuCtxEnablePeerAccess(pair.first, 0));
        call!(cuCtxSetCurrent(pair.first));
    });
}

/// After `before`, the first context's kernels do not reach the peer's memory.
fn fault(name: &str, before: fn(&Pair)) {
    drop(pair!());
    alone(&format!("peer::{name}"), || {
        let pair = pair().unwrap();
        before(&pair);
        assert_eq!(seen(pair.theirs), Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
    });
}
