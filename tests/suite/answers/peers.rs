//! Questions about peer access.

use super::{
    Answers, DEVICE, DONE, NONE, PTX, Question, READ, READ_WRITE, access, capturing, default_pool, fault,
    initialised, location, while_running,
};
use cuda_sim::{Config, FaultRule, Machine, MachineGuard, Peers, Schedule};
use cuda_suite::raw::{allocate, context, function, read, stream, try_launch};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "peer-uninitialised", devices: 1, ask: uninitialised },
    Question { name: "peer-can", devices: 2, ask: can },
    Question { name: "peer-can-itself", devices: 1, ask: can_itself },
    Question { name: "peer-can-no-device", devices: 1, ask: can_no_device },
    Question { name: "peer-can-null", devices: 2, ask: can_null },
    Question { name: "peer-can-sticky", devices: 1, ask: can_sticky },
    Question { name: "peer-enable", devices: 2, ask: enable },
    Question { name: "peer-enable-again", devices: 2, ask: enable_again },
    Question { name: "peer-enable-flags", devices: 2, ask: enable_flags },
    Question { name: "peer-enable-flags-first", devices: 1, ask: enable_flags_first },
    Question { name: "peer-enable-itself", devices: 1, ask: enable_itself },
    Question { name: "peer-enable-same-device", devices: 1, ask: enable_same_device },
    Question { name: "peer-enable-null", devices: 1, ask: enable_null },
    Question { name: "peer-enable-destroyed", devices: 2, ask: enable_destroyed },
    Question { name: "peer-enable-from-destroyed", devices: 2, ask: enable_from_destroyed },
    Question { name: "peer-enable-no-current", devices: 2, ask: enable_no_current },
    Question { name: "peer-enable-sticky", devices: 2, ask: enable_sticky },
    Question { name: "peer-enable-second-context", devices: 2, ask: enable_second_context },
    Question { name: "peer-enable-both-ways", devices: 2, ask: enable_both_ways },
    Question { name: "peer-enable-primary", devices: 2, ask: enable_primary },
    Question { name: "peer-enable-released-primary", devices: 2, ask: enable_released_primary },
    Question { name: "peer-enable-reset-primary", devices: 2, ask: enable_reset_primary },
    Question { name: "peer-enable-after-recreation", devices: 2, ask: enable_after_recreation },
    Question { name: "peer-enable-before-allocation", devices: 2, ask: enable_before_allocation },
    Question { name: "peer-enable-running", devices: 2, ask: enable_running },
    Question { name: "peer-disable", devices: 2, ask: disable },
    Question { name: "peer-disable-never", devices: 2, ask: disable_never },
    Question { name: "peer-disable-itself", devices: 1, ask: disable_itself },
    Question { name: "peer-disable-same-device", devices: 1, ask: disable_same_device },
    Question { name: "peer-disable-other-direction", devices: 2, ask: disable_other_direction },
    Question { name: "peer-disable-null", devices: 1, ask: disable_null },
    Question { name: "peer-disable-destroyed", devices: 2, ask: disable_destroyed },
    Question { name: "peer-disable-from-destroyed", devices: 2, ask: disable_from_destroyed },
    Question { name: "peer-disable-no-current", devices: 2, ask: disable_no_current },
    Question { name: "peer-disable-sticky", devices: 2, ask: disable_sticky },
    Question { name: "peer-disable-then-read", devices: 2, ask: disable_then_read },
    Question { name: "peer-disable-enable", devices: 2, ask: disable_enable },
    Question { name: "peer-disable-running", devices: 2, ask: disable_running },
    Question { name: "peer-no-access", devices: 2, ask: no_access },
    Question { name: "peer-wrong-direction", devices: 2, ask: wrong_direction },
    Question { name: "peer-pool-enabled", devices: 2, ask: pool_enabled },
    Question { name: "peer-pool-granted", devices: 2, ask: pool_granted },
    Question { name: "peer-pool-access", devices: 2, ask: pool_access },
    Question { name: "peer-pool-refused", devices: 2, ask: pool_refused },
    Question { name: "peer-pool-running", devices: 2, ask: pool_running },
    Question { name: "peer-pool-sticky", devices: 2, ask: pool_sticky },
    Question { name: "peer-copying-disable", devices: 2, ask: copying_disable },
    Question { name: "peer-copying-disable-back", devices: 2, ask: copying_disable_back },
    Question { name: "peer-copying-other-context", devices: 2, ask: copying_other_context },
    Question { name: "peer-copying-enable", devices: 2, ask: copying_enable },
    Question { name: "peer-copying-pool-close", devices: 2, ask: copying_pool_close },
    Question { name: "peer-copying-pool-open", devices: 2, ask: copying_pool_open },
    Question { name: "peer-copying-pool-disable", devices: 2, ask: copying_pool_disable },
    Question { name: "peer-copying-destroy", devices: 2, ask: copying_destroy },
    Question { name: "peer-attributes", devices: 2, ask: attributes },
    Question { name: "peer-attribute-unknown", devices: 2, ask: attribute_unknown },
    Question { name: "peer-attribute-itself", devices: 1, ask: attribute_itself },
    Question { name: "peer-attribute-no-device", devices: 1, ask: attribute_no_device },
    Question { name: "peer-attribute-null", devices: 2, ask: attribute_null },
    Question { name: "peer-atomics", devices: 2, ask: atomics },
    Question { name: "peer-atomics-refused", devices: 2, ask: atomics_refused },
    Question { name: "host-atomics", devices: 1, ask: host_atomics },
    Question { name: "peer-unconnected", devices: 1, ask: unconnected },
    Question { name: "peer-too-many", devices: 1, ask: too_many },
    Question { name: "peer-deinitialised", devices: 1, ask: deinitialised },
    Question { name: "peer-capture-ask", devices: 2, ask: capture_ask },
    Question { name: "peer-capture-enable", devices: 2, ask: capture_enable },
    Question { name: "peer-capture-disable", devices: 2, ask: capture_disable },
    Question { name: "peer-capture-relaxed", devices: 2, ask: capture_relaxed },
    Question { name: "peer-capture-pool", devices: 2, ask: capture_pool },
];

/// A context of the second device with a word that holds 42, and one of the first, which is current.
fn pair() -> (CUcontext, CUcontext, CUdeviceptr) {
    initialised();
    let peer = context(1);
    let theirs = allocate(4);
    call!(cuMemsetD32_v2(theirs, 42, 1));
    call!(cuCtxSynchronize());
    (context(0), peer, theirs)
}

/// A kernel of the current context reads a word: launch, wait, and what it read.
fn reads(answers: &mut Answers, from: CUdeviceptr) {
    let (ours, copy) = (allocate(4), function(PTX, c"copy"));
    answers.code(try_launch(copy, 1, null_mut(), &[ours, from]));
    if answers.code(code!(cuCtxSynchronize())) {
        answers.value(read(ours));
    }
}

/// On a thread that has never had a context.
fn without_context(work: impl FnOnce() -> CUresult + Send) -> CUresult {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// A context's handle, which is not bound to a thread.
#[derive(Clone, Copy)]
struct Shared(CUcontext);
// SAFETY: a handle is a name.
unsafe impl Send for Shared {}
impl Shared {
    fn get(&self) -> CUcontext {
        self.0
    }
}

fn primary(device: CUdevice) -> CUcontext {
    let mut primary = null_mut();
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, device));
    primary
}

fn can_access(answers: &mut Answers, device: CUdevice, peer: CUdevice) {
    let mut can = -1;
    if answers.code(code!(cuDeviceCanAccessPeer(&raw mut can, device, peer))) {
        answers.value(can);
    }
}

fn p2p(answers: &mut Answers, attribute: u32, from: CUdevice, to: CUdevice) {
    let mut value = -1;
    let attribute = CUdevice_P2PAttribute_enum(attribute);
    if answers.code(code!(cuDeviceGetP2PAttribute(&raw mut value, attribute, from, to))) {
        answers.value(value);
    }
}

fn uninitialised(answers: &mut Answers) {
    let mut value = 0;
    answers.code(code!(cuDeviceCanAccessPeer(&raw mut value, 0, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(null_mut(), 0)));
    answers.code(code!(cuCtxDisablePeerAccess(null_mut())));
    answers.code(code!(cuDeviceGetP2PAttribute(&raw mut value, CUdevice_P2PAttribute_enum(1), 0, 0)));
    let (mut capability, operation) = (0, CUatomicOperation_enum(0));
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(&raw mut capability, &raw const operation, 1, 0, 0)));
}

fn can(answers: &mut Answers) {
    initialised();
    can_access(answers, 0, 1);
    can_access(answers, 1, 0);
}

fn can_itself(answers: &mut Answers) {
    initialised();
    can_access(answers, 0, 0);
}

fn can_no_device(answers: &mut Answers) {
    initialised();
    can_access(answers, 0, 99);
    can_access(answers, 99, 0);
    can_access(answers, 0, -1);
}

fn can_null(answers: &mut Answers) {
    initialised();
    answers.code(code!(cuDeviceCanAccessPeer(null_mut(), 0, 1)));
}

fn can_sticky(answers: &mut Answers) {
    initialised();
    context(0);
    fault();
    can_access(answers, 0, 0);
    p2p(answers, 1, 0, 0);
}

fn enable(answers: &mut Answers) {
    let (_, peer, theirs) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    reads(answers, theirs);
}

fn enable_again(answers: &mut Answers) {
    let (_, peer, theirs) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    reads(answers, theirs);
}

fn enable_flags(answers: &mut Answers) {
    let (_, peer, _) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 1)));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 1)));
}

fn enable_flags_first(answers: &mut Answers) {
    initialised();
    let gone = context(0);
    call!(cuCtxDestroy_v2(gone));
    let own = context(0);
    answers.code(code!(cuCtxEnablePeerAccess(own, 1)));
    answers.code(code!(cuCtxEnablePeerAccess(null_mut(), 1)));
    answers.code(without_context(|| code!(cuCtxEnablePeerAccess(null_mut(), 1))));
}

fn enable_itself(answers: &mut Answers) {
    initialised();
    let own = context(0);
    answers.code(code!(cuCtxEnablePeerAccess(own, 0)));
}

fn enable_same_device(answers: &mut Answers) {
    initialised();
    let other = context(0);
    context(0);
    answers.code(code!(cuCtxEnablePeerAccess(other, 0)));
}

fn enable_null(answers: &mut Answers) {
    initialised();
    context(0);
    answers.code(code!(cuCtxEnablePeerAccess(null_mut(), 0)));
}

fn enable_destroyed(answers: &mut Answers) {
    let (_, peer, _) = pair();
    call!(cuCtxDestroy_v2(peer));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
}

fn enable_from_destroyed(answers: &mut Answers) {
    let (own, peer, _) = pair();
    let own = Shared(own);
    std::thread::scope(|scope| scope.spawn(move || call!(cuCtxDestroy_v2(own.get()))).join().unwrap());
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
}

fn enable_no_current(answers: &mut Answers) {
    let (_, peer, _) = pair();
    let peer = Shared(peer);
    answers.code(without_context(move || code!(cuCtxEnablePeerAccess(peer.get(), 0))));
}

fn enable_sticky(answers: &mut Answers) {
    let (_, peer, _) = pair();
    fault();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(null_mut(), 0)));
}

fn enable_second_context(answers: &mut Answers) {
    initialised();
    let (first, second) = (context(1), context(1));
    context(0);
    answers.code(code!(cuCtxEnablePeerAccess(first, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(second, 0)));
    answers.code(code!(cuCtxEnablePeerAccess(second, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(first)));
    answers.code(code!(cuCtxDisablePeerAccess(second)));
}

fn enable_both_ways(answers: &mut Answers) {
    let (own, peer, theirs) = pair();
    let ours = allocate(4);
    call!(cuMemsetD32_v2(ours, 43, 1));
    call!(cuCtxSynchronize());
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    call!(cuCtxSetCurrent(peer));
    answers.code(code!(cuCtxEnablePeerAccess(own, 0)));
    reads(answers, ours);
    call!(cuCtxSetCurrent(own));
    reads(answers, theirs);
}

fn enable_primary(answers: &mut Answers) {
    initialised();
    let (own, peer) = (primary(0), primary(1));
    call!(cuCtxSetCurrent(peer));
    let theirs = allocate(4);
    call!(cuMemsetD32_v2(theirs, 42, 1));
    call!(cuCtxSynchronize());
    call!(cuCtxSetCurrent(own));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    reads(answers, theirs);
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

fn enable_released_primary(answers: &mut Answers) {
    initialised();
    let peer = primary(1);
    context(0);
    call!(cuDevicePrimaryCtxRelease_v2(1));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

/// Access that was given to a primary context before it was reset, and retained again under the same handle.
fn enable_reset_primary(answers: &mut Answers) {
    initialised();
    let peer = primary(1);
    context(0);
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuDevicePrimaryCtxReset_v2(1)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.value(if primary(1) == peer { "same" } else { "another" });
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
}

/// A context of the peer device is destroyed, and another one made, which may have its handle.
fn enable_after_recreation(answers: &mut Answers) {
    let (own, peer, _) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    call!(cuCtxDestroy_v2(peer));
    let again = context(1);
    call!(cuCtxSetCurrent(own));
    answers.code(code!(cuCtxDisablePeerAccess(again)));
    answers.code(code!(cuCtxEnablePeerAccess(again, 0)));
}

fn enable_before_allocation(answers: &mut Answers) {
    let (own, peer, _) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    call!(cuCtxSetCurrent(peer));
    let later = allocate(4);
    call!(cuMemsetD32_v2(later, 44, 1));
    let (mut rows, mut pitch) = (0, 0);
    call!(cuMemAllocPitch_v2(&raw mut rows, &raw mut pitch, 64, 4, 4));
    call!(cuMemsetD32_v2(rows, 45, 1));
    call!(cuCtxSynchronize());
    call!(cuCtxSetCurrent(own));
    reads(answers, later);
    reads(answers, rows);
}

fn enable_running(answers: &mut Answers) {
    let (_, peer, _) = pair();
    while_running(answers, || code!(cuCtxEnablePeerAccess(peer, 0)));
}

fn disable(answers: &mut Answers) {
    let (_, peer, _) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

fn disable_never(answers: &mut Answers) {
    let (_, peer, _) = pair();
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

fn disable_itself(answers: &mut Answers) {
    initialised();
    let own = context(0);
    answers.code(code!(cuCtxDisablePeerAccess(own)));
}

fn disable_same_device(answers: &mut Answers) {
    initialised();
    let other = context(0);
    context(0);
    answers.code(code!(cuCtxDisablePeerAccess(other)));
}

fn disable_other_direction(answers: &mut Answers) {
    let (own, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    call!(cuCtxSetCurrent(peer));
    answers.code(code!(cuCtxDisablePeerAccess(own)));
}

fn disable_null(answers: &mut Answers) {
    initialised();
    context(0);
    answers.code(code!(cuCtxDisablePeerAccess(null_mut())));
}

fn disable_destroyed(answers: &mut Answers) {
    let (_, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    call!(cuCtxDestroy_v2(peer));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

fn disable_from_destroyed(answers: &mut Answers) {
    let (own, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    let own = Shared(own);
    std::thread::scope(|scope| scope.spawn(move || call!(cuCtxDestroy_v2(own.get()))).join().unwrap());
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
}

fn disable_no_current(answers: &mut Answers) {
    let (_, peer, _) = pair();
    let peer = Shared(peer);
    answers.code(without_context(move || code!(cuCtxDisablePeerAccess(peer.get()))));
}

fn disable_sticky(answers: &mut Answers) {
    let (_, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    fault();
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.code(code!(cuCtxDisablePeerAccess(null_mut())));
}

fn disable_then_read(answers: &mut Answers) {
    let (_, peer, theirs) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    reads(answers, theirs);
}

fn disable_enable(answers: &mut Answers) {
    let (_, peer, theirs) = pair();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    reads(answers, theirs);
}

fn disable_running(answers: &mut Answers) {
    let (_, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    while_running(answers, || code!(cuCtxDisablePeerAccess(peer)));
}

fn no_access(answers: &mut Answers) {
    let (_, _, theirs) = pair();
    reads(answers, theirs);
}

fn wrong_direction(answers: &mut Answers) {
    let (own, peer, theirs) = pair();
    call!(cuCtxSetCurrent(peer));
    answers.code(code!(cuCtxEnablePeerAccess(own, 0)));
    call!(cuCtxSetCurrent(own));
    reads(answers, theirs);
}

/// A word of the second device's default pool that holds 77.
fn pooled() -> (CUcontext, CUcontext, CUdeviceptr) {
    let (own, peer, _) = pair();
    call!(cuCtxSetCurrent(peer));
    let mut theirs = 0;
    call!(cuMemAllocAsync(&raw mut theirs, 4, null_mut()));
    call!(cuMemsetD32_v2(theirs, 77, 1));
    call!(cuCtxSynchronize());
    call!(cuCtxSetCurrent(own));
    (own, peer, theirs)
}

fn grant(pool: CUmemoryPool, device: CUdevice, flags: CUmemAccess_flags) -> CUresult {
    let access = access(location(DEVICE, device), flags);
    code!(cuMemPoolSetAccess(pool, &raw const access, 1))
}

fn granted(answers: &mut Answers, pool: CUmemoryPool, device: CUdevice) {
    let (mut flags, mut place) = (NONE, location(DEVICE, device));
    if answers.code(code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place))) {
        answers.value(flags.0);
    }
}

fn pool_enabled(answers: &mut Answers) {
    let (_, peer, theirs) = pooled();
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    granted(answers, default_pool(1), 0);
    reads(answers, theirs);
}

fn pool_granted(answers: &mut Answers) {
    let (_, _, theirs) = pooled();
    answers.code(grant(default_pool(1), 0, READ_WRITE));
    reads(answers, theirs);
}

fn pool_access(answers: &mut Answers) {
    pooled();
    let pool = default_pool(1);
    granted(answers, pool, 0);
    answers.code(grant(pool, 0, READ_WRITE));
    answers.code(grant(pool, 0, READ_WRITE));
    granted(answers, pool, 0);
    answers.code(grant(pool, 0, NONE));
    granted(answers, pool, 0);
    answers.code(grant(pool, 0, NONE));
    granted(answers, pool, 1);
}

fn pool_refused(answers: &mut Answers) {
    pooled();
    let pool = default_pool(1);
    answers.code(grant(pool, 0, READ));
    answers.code(grant(pool, 99, READ_WRITE));
    answers.code(grant(pool, 1, NONE));
    answers.code(grant(pool, 1, READ_WRITE));
    answers.code(code!(cuMemPoolSetAccess(pool, null(), 1)));
    answers.code(code!(cuMemPoolSetAccess(pool, null(), 0)));
    answers.code(without_context(|| grant(default_pool(1), 0, READ_WRITE)));
}

fn pool_running(answers: &mut Answers) {
    pooled();
    while_running(answers, || grant(default_pool(1), 0, READ_WRITE));
    while_running(answers, || grant(default_pool(1), 0, NONE));
}

fn pool_sticky(answers: &mut Answers) {
    pooled();
    let pool = default_pool(1);
    fault();
    granted(answers, pool, 0);
    answers.code(grant(pool, 0, READ_WRITE));
}

/// With the software driver, a machine that does nothing before it is waited for.
fn lazily() -> Option<(Machine, MachineGuard)> {
    let on = cuda_suite::driver();
    (on == cuda_suite::Choice::Sim)
        .then(|| simulated(Config { schedule: Schedule::Lazy, ..Config::default() }))
}

/// Copies from memory of one context to that of another are queued: what `change` answers while they are on their way, and
/// what comes of them.
fn copying(
    answers: &mut Answers,
    (own, peer): (CUcontext, CUcontext),
    pooled: bool,
    change: impl FnOnce(&mut Answers),
) {
    const BYTES: usize = 64 << 20;
    // Long enough for the call on hardware; the software driver does them when they are waited for.
    let copies = if cuda_suite::driver() == cuda_suite::Choice::Real { 2000 } else { 2 };
    let memory = |of: CUcontext| {
        call!(cuCtxSetCurrent(of));
        if !pooled {
            return allocate(BYTES);
        }
        let mut address = 0;
        call!(cuMemAllocAsync(&raw mut address, BYTES, null_mut()));
        call!(cuCtxSynchronize());
        address
    };
    let (theirs, ours) = (memory(peer), memory(own));
    let on = stream(1);
    for _ in 0..copies {
        call!(cuMemcpyPeerAsync(ours, own, theirs, peer, BYTES, on));
    }
    change(answers);
    call!(cuCtxSetCurrent(own));
    answers.code(code!(cuStreamSynchronize(on)));
}

fn copying_disable(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    copying(answers, (own, peer), false, |answers| {
        answers.code(code!(cuCtxDisablePeerAccess(peer)));
    });
}

/// Both directions are on, and that from the owner is turned off.
fn copying_disable_back(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    call!(cuCtxSetCurrent(peer));
    call!(cuCtxEnablePeerAccess(own, 0));
    copying(answers, (own, peer), false, |answers| {
        call!(cuCtxSetCurrent(peer));
        answers.code(code!(cuCtxDisablePeerAccess(own)));
    });
}

/// Access is that of another context of the same device.
fn copying_other_context(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pair();
    let other = context(0);
    call!(cuCtxEnablePeerAccess(peer, 0));
    copying(answers, (own, peer), false, |answers| {
        call!(cuCtxSetCurrent(other));
        answers.code(code!(cuCtxDisablePeerAccess(peer)));
    });
}

fn copying_enable(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pair();
    copying(answers, (own, peer), false, |answers| {
        answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    });
}

fn copying_pool_close(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pooled();
    assert_eq!(grant(default_pool(1), 0, READ_WRITE), DONE);
    copying(answers, (own, peer), true, |answers| {
        answers.code(grant(default_pool(1), 0, NONE));
    });
}

fn copying_pool_open(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pooled();
    copying(answers, (own, peer), true, |answers| {
        answers.code(grant(default_pool(1), 0, READ_WRITE));
    });
}

/// The memory is of pools, and the access of plain memory is turned off.
fn copying_pool_disable(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pooled();
    assert_eq!(grant(default_pool(1), 0, READ_WRITE), DONE);
    call!(cuCtxEnablePeerAccess(peer, 0));
    copying(answers, (own, peer), true, |answers| {
        answers.code(code!(cuCtxDisablePeerAccess(peer)));
    });
}

/// Another context of the device, which alone had access, is destroyed.
fn copying_destroy(answers: &mut Answers) {
    let _machine = lazily();
    let (own, peer, _) = pair();
    let other = context(0);
    call!(cuCtxEnablePeerAccess(peer, 0));
    copying(answers, (own, peer), false, |answers| {
        answers.code(code!(cuCtxDestroy_v2(other)));
    });
}

fn attributes(answers: &mut Answers) {
    initialised();
    for attribute in 1..=5 {
        p2p(answers, attribute, 0, 1);
    }
}

fn attribute_unknown(answers: &mut Answers) {
    initialised();
    for attribute in [0, 6, 99] {
        p2p(answers, attribute, 0, 1);
    }
}

fn attribute_itself(answers: &mut Answers) {
    initialised();
    p2p(answers, 1, 0, 0);
    p2p(answers, 99, 0, 0);
}

fn attribute_no_device(answers: &mut Answers) {
    initialised();
    p2p(answers, 1, 0, 99);
    p2p(answers, 1, 99, 0);
}

fn attribute_null(answers: &mut Answers) {
    initialised();
    answers.code(code!(cuDeviceGetP2PAttribute(null_mut(), CUdevice_P2PAttribute_enum(1), 0, 1)));
}

fn atomics(answers: &mut Answers) {
    initialised();
    let operations: Vec<CUatomicOperation> = (0..13).map(CUatomicOperation_enum).collect();
    let mut capabilities = [99_u32; 13];
    let (to, of) = (capabilities.as_mut_ptr(), operations.as_ptr());
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, of, 13, 0, 1)));
    capabilities.iter().for_each(|capability| answers.value(capability));
}

fn atomics_refused(answers: &mut Answers) {
    initialised();
    let mut capability = 99;
    let to = &raw mut capability;
    let (known, unknown) = (CUatomicOperation_enum(0), CUatomicOperation_enum(13));
    let known = &raw const known;
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, known, 0, 0, 1)));
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(null_mut(), known, 1, 0, 1)));
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, null(), 1, 0, 1)));
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, &raw const unknown, 1, 0, 1)));
    answers.value(capability);
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, known, 1, 0, 0)));
    answers.code(code!(cuDeviceGetP2PAtomicCapabilities(to, known, 1, 0, 99)));
}

fn host_atomics(answers: &mut Answers) {
    initialised();
    let operations: Vec<CUatomicOperation> = (0..13).map(CUatomicOperation_enum).collect();
    let mut capabilities = [99_u32; 13];
    let (to, of) = (capabilities.as_mut_ptr(), operations.as_ptr());
    answers.code(code!(cuDeviceGetHostAtomicCapabilities(to, of, 13, 0)));
    capabilities.iter().for_each(|capability| answers.value(capability));
    answers.code(code!(cuDeviceGetHostAtomicCapabilities(to, of, 0, 0)));
    answers.code(code!(cuDeviceGetHostAtomicCapabilities(to, of, 1, 99)));
}

/// The driver of a machine of the software driver: what the hardware at hand cannot show.
fn simulated(config: Config) -> (Machine, MachineGuard) {
    cuda_suite::raw::machine(config)
}

fn unconnected(answers: &mut Answers) {
    let (_, _entered) = simulated(Config { peers: Peers::None, ..Config::default() });
    can_access(answers, 0, 1);
    p2p(answers, 2, 0, 1);
    let peer = context(1);
    context(0);
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    answers.code(grant(default_pool(1), 0, READ_WRITE));
}

fn too_many(answers: &mut Answers) {
    let (_, _entered) = simulated(Config { devices: 4, max_peers: Some(2), ..Config::default() });
    let peers = [context(1), context(2), context(3)];
    context(0);
    for peer in peers {
        answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    }
    answers.code(code!(cuCtxDisablePeerAccess(peers[0])));
    answers.code(code!(cuCtxEnablePeerAccess(peers[2], 0)));
}

/// As while the process ends.
fn deinitialised(answers: &mut Answers) {
    let (machine, _entered) = simulated(Config::default());
    let peer = context(1);
    context(0);
    let all = [
        Symbol::cuDeviceCanAccessPeer,
        Symbol::cuCtxEnablePeerAccess,
        Symbol::cuCtxDisablePeerAccess,
        Symbol::cuDeviceGetP2PAttribute,
    ];
    for symbol in all {
        machine.inject(FaultRule::new(symbol, CUresult::CUDA_ERROR_DEINITIALIZED));
    }
    can_access(answers, 0, 1);
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    answers.code(code!(cuCtxDisablePeerAccess(peer)));
    p2p(answers, 1, 0, 1);
}

fn capture_ask(answers: &mut Answers) {
    pair();
    capturing(answers, |answers| {
        can_access(answers, 0, 1);
        p2p(answers, 2, 0, 1);
    });
}

fn capture_enable(answers: &mut Answers) {
    let (_, peer, _) = pair();
    capturing(answers, |answers| {
        answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
    });
}

fn capture_disable(answers: &mut Answers) {
    let (_, peer, _) = pair();
    call!(cuCtxEnablePeerAccess(peer, 0));
    capturing(answers, |answers| {
        answers.code(code!(cuCtxDisablePeerAccess(peer)));
    });
}

fn capture_pool(answers: &mut Answers) {
    pooled();
    let pool = default_pool(1);
    capturing(answers, |answers| {
        granted(answers, pool, 0);
        answers.code(grant(pool, 0, READ_WRITE));
    });
}

fn capture_relaxed(answers: &mut Answers) {
    let (_, peer, _) = pair();
    capturing(answers, |answers| {
        let mut mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
        call!(cuThreadExchangeStreamCaptureMode(&raw mut mode));
        answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
        answers.code(code!(cuCtxDisablePeerAccess(peer)));
        answers.code(grant(default_pool(1), 0, READ_WRITE));
        call!(cuThreadExchangeStreamCaptureMode(&raw mut mode));
    });
}
