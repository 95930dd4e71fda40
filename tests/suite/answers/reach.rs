//! Questions about access to memory of each kind: by kernels, fills and copies of other contexts and devices, and in queries.

use super::memory::{attribute, managed, of_default_pool, page_locked_bytes, pages};
use super::pools::{self, NO_HANDLE};
use super::virtual_memory::{TWO, created, grant, mapped_at, properties, reserve};
use super::{
    Answers, DEVICE, DONE, HOST, NUMA_NODE, NUMA_NODE_CURRENT, Question, READ_WRITE, fill, initialised,
    kernel_copies, location,
};
use core::ffi::CStr;
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "reach-own", devices: 1, ask: own },
    Question { name: "reach-pageable", devices: 1, ask: pageable },
    Question { name: "reach-peer", devices: 2, ask: peer },
    Question { name: "reach-peer-small", devices: 2, ask: peer_small },
    Question { name: "reach-peer-other-context", devices: 2, ask: peer_other_context },
    Question { name: "reach-variable", devices: 1, ask: variable_of_other_context },
    Question { name: "reach-variable-peer", devices: 2, ask: variable_of_peer },
    Question { name: "reach-variable-peer-enabled", devices: 2, ask: variable_of_enabled_peer },
    Question { name: "reach-variable-peer-loaded-later", devices: 2, ask: variable_loaded_later },
    Question { name: "reach-variable-peer-work", devices: 2, ask: work_on_variable },
    Question { name: "reach-pointers", devices: 2, ask: pointers },
    Question { name: "reach-pointer-unknown", devices: 1, ask: unknown_pointers },
    Question { name: "reach-pointer-variable", devices: 2, ask: pointer_to_variable },
    Question { name: "reach-access-mapped", devices: 2, ask: access_to_mapped },
    Question { name: "reach-access-others", devices: 2, ask: access_to_others },
];

const VARIABLES: &CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .global .align 4 .u32 plain;
    .visible .global .attribute(.managed) .align 4 .u32 shared;";

/// A variable of a module that is loaded into the current context.
fn variable(name: &CStr) -> CUdeviceptr {
    let (mut module, mut address, mut bytes) = (null_mut(), 0, 0);
    call!(cuModuleLoadData(&raw mut module, VARIABLES.as_ptr().cast()));
    call!(cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, module, name.as_ptr()));
    assert_eq!(bytes, 4);
    address
}

/// The length of what is registered.
const LOCKED: usize = 1 << 16;

/// Returns pages of the process. Only the first ones are registered, in the current context, and not for others.
fn registered() -> CUdeviceptr {
    let pages = pages(64);
    call!(cuMemHostRegister_v2(pages, LOCKED, 0));
    pages.expose_provenance() as CUdeviceptr
}

/// Memory of a device at an address of its own, which a device may use.
fn mapped(device: CUdevice, user: Option<CUdevice>) -> CUdeviceptr {
    let place = CUmemAllocationProp { location: location(DEVICE, device), ..properties(NO_HANDLE) };
    let (code, handle) = created(TWO, &place);
    assert_eq!(code, DONE);
    let address = reserve(2);
    assert_eq!(mapped_at(address, TWO, 0, handle), DONE);
    if let Some(user) = user {
        assert_eq!(grant(address, TWO, READ_WRITE, user), DONE);
    }
    address
}

/// Makes values in a context of the second device. Returns the values, that context, and the
/// context of the first device, which is current.
fn with_peer<T>(make: impl FnOnce() -> T) -> (T, CUcontext, CUcontext) {
    initialised();
    let peer = context(1);
    let made = make();
    (made, peer, context(0))
}

fn enable(answers: &mut Answers, peer: CUcontext) {
    answers.code(code!(cuCtxEnablePeerAccess(peer, 0)));
}

/// Kernels of one context read what is of its own and of another context of the device.
fn own(answers: &mut Answers) {
    initialised();
    context(0);
    let others = [allocate(64), of_default_pool(64, stream(1))];
    context(0);
    let to = allocate(64);
    for from in [allocate(64), page_locked_bytes(64, 0), registered()].into_iter().chain(others) {
        kernel_copies(answers, to, from);
    }
}

fn pageable(answers: &mut Answers) {
    initialised();
    context(0);
    kernel_copies(answers, allocate(4), pages(1).expose_provenance() as CUdeviceptr);
}

/// Without peer access, and what comes of that of one context for the others of its device.
fn peer(answers: &mut Answers) {
    let make = || [page_locked_bytes(64, 0), registered(), managed(64, 1), variable(c"shared")];
    let (others, peer, _) = with_peer(|| (make(), allocate(64)));
    let to = allocate(64);
    for other in others.0 {
        kernel_copies(answers, to, other);
    }
    enable(answers, peer);
    context(0);
    kernel_copies(answers, allocate(64), others.1);
}

fn peer_small(answers: &mut Answers) {
    let (theirs, peer, _) = with_peer(|| allocate(4));
    enable(answers, peer);
    kernel_copies(answers, allocate(4), theirs);
}

/// Memory of a context of the peer to which there is no access.
fn peer_other_context(answers: &mut Answers) {
    let ((theirs, open), ..) = with_peer(|| {
        let theirs = allocate(64);
        (theirs, context(1))
    });
    enable(answers, open);
    kernel_copies(answers, allocate(4), theirs);
}

fn variable_of_other_context(answers: &mut Answers) {
    initialised();
    context(0);
    let other = variable(c"plain");
    context(0);
    kernel_copies(answers, allocate(4), other);
}

fn variable_of_peer(answers: &mut Answers) {
    let (theirs, ..) = with_peer(|| variable(c"plain"));
    kernel_copies(answers, allocate(4), theirs);
}

fn variable_of_enabled_peer(answers: &mut Answers) {
    let (theirs, peer, _) = with_peer(|| variable(c"plain"));
    enable(answers, peer);
    kernel_copies(answers, allocate(4), theirs);
}

fn variable_loaded_later(answers: &mut Answers) {
    let ((), peer, own) = with_peer(|| ());
    enable(answers, peer);
    call!(cuCtxSetCurrent(peer));
    let theirs = variable(c"plain");
    call!(cuCtxSetCurrent(own));
    kernel_copies(answers, allocate(4), theirs);
}

fn work_on_variable(answers: &mut Answers) {
    let (theirs, peer, _) = with_peer(|| variable(c"plain"));
    enable(answers, peer);
    answers.codes([code!(cuMemcpyDtoD_v2(allocate(4), theirs, 4)), fill(theirs, 1)]);
}

/// Several attributes of an address at once: managed or not, the type of memory, the pool, the context, the device, and the types
/// of handles.
fn attributes(address: CUdeviceptr, contexts: [CUcontext; 2]) -> (CUresult, String) {
    let mut wanted = [8, 2, 17, 1, 9, 14].map(CUpointer_attribute);
    let mut values = [0_u64; 6];
    let first = (&raw mut values).cast::<u64>();
    let mut places = [0, 1, 2, 3, 4, 5].map(|index| first.wrapping_add(index).cast());
    let code = code!(cuPointerGetAttributes(6, wanted.as_mut_ptr(), places.as_mut_ptr(), address));
    let [is_managed, kind, pool, context, ordinal, handles] = values;
    let context = match contexts.iter().position(|known| known.expose_provenance() as u64 == context) {
        _ if context == 0 => "none",
        Some(0) => "own",
        Some(_) => "peer",
        None => "other",
    };
    let ordinal = i64::from(ordinal as u32 as i32);
    (code, format!("{is_managed}/{kind}/{}/{context}/{ordinal}/{handles}", pool != 0))
}

/// Adds the attributes of an address, if they are the same with each context current and with none.
fn said(answers: &mut Answers, address: CUdeviceptr, contexts: [CUcontext; 2]) {
    let [own, peer] = contexts;
    let all = [own, peer, null_mut()].map(|current| {
        call!(cuCtxSetCurrent(current));
        attributes(address, contexts)
    });
    let [first, others @ ..] = &all;
    assert!(others.iter().all(|other| other == first), "{all:?}");
    call!(cuCtxSetCurrent(own));
    answers.given(first.0, &first.1);
}

/// Memory of every kind, of both devices, and memory of another context of the first device.
fn pointers(answers: &mut Answers) {
    let common = || {
        let of_pool = of_default_pool(64, stream(1));
        let registered = registered();
        [allocate(64), of_pool, page_locked_bytes(64, 0), registered, managed(64, 1), variable(c"plain")]
    };
    let (theirs, peer, own) = with_peer(common);
    let ours = common();
    let of_pool = pools::from(pools::made(&pools::properties(0, NO_HANDLE)), 64, stream(1));
    let more = [of_pool, ours[3] + 100, variable(c"shared"), mapped(0, Some(0))];
    let theirs = theirs.into_iter().chain([mapped(1, None)]);
    context(0);
    let others = [allocate(64), page_locked_bytes(64, 0)];
    for address in ours.into_iter().chain(more).chain(theirs).chain(others) {
        said(answers, address, [own, peer]);
    }
}

fn unknown_pointers(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let pageable = pages(1).expose_provenance() as CUdeviceptr;
    let (locked, plain) = (registered(), allocate(1 << 16));
    for address in [0, pageable, locked + 2 * LOCKED as CUdeviceptr, plain + (1 << 16)] {
        said(answers, address, [own, own]);
    }
}

/// One by one, beside those of plain memory; and whether they can be given to other processes.
fn pointer_to_variable(answers: &mut Answers) {
    let (theirs, peer, own) = with_peer(|| [allocate(4), variable(c"plain")]);
    for address in theirs {
        for number in [1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22] {
            attribute(answers, number, address);
        }
        call!(cuCtxSetCurrent(peer));
        let mut handle = CUipcMemHandle::default();
        answers.code(code!(cuIpcGetMemHandle(&raw mut handle, address)));
        call!(cuCtxSetCurrent(own));
    }
}

/// Adds the access of each location: the answer, and the value that was written over 77, even after a refusal.
fn places(answers: &mut Answers, address: CUdeviceptr) {
    for (kind, id) in
        [(DEVICE, 0), (DEVICE, 1), (DEVICE, 9), (HOST, 0), (NUMA_NODE, 0), (NUMA_NODE_CURRENT, 0), (0, 0)]
    {
        let (mut flags, place) = (77, location(kind, id));
        answers.code(code!(cuMemGetAccess(&raw mut flags, &raw const place, address)));
        answers.value(flags);
    }
}

fn access_to_mapped(answers: &mut Answers) {
    with_peer(|| ());
    for address in [mapped(0, Some(0)), mapped(0, None), mapped(1, Some(0))] {
        places(answers, address);
    }
}

fn access_to_others(answers: &mut Answers) {
    let (theirs, ..) = with_peer(|| [allocate(64), of_default_pool(64, stream(1))]);
    for address in theirs.into_iter().chain([0, 0x10000]) {
        places(answers, address);
    }
}
