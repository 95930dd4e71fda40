//! Questions about arrays that are sampled: when they are gone, when they are another context's, while work runs, and while
//! streams are captured.

use super::images::*;
use super::{Answers, Question, initialised, synchronize, while_running, while_running_on};
use cuda_suite::raw::{context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "array-gone-texture-object", devices: 1, ask: |answers| gone(answers, Use::Texture) },
    Question {
        name: "array-gone-texture-reference",
        devices: 1,
        ask: |answers| gone(answers, Use::Reference),
    },
    Question { name: "array-gone-surface-object", devices: 1, ask: |answers| gone(answers, Use::Surface) },
    Question {
        name: "array-gone-surface-reference",
        devices: 1,
        ask: |answers| gone(answers, Use::SurfaceReference),
    },
    Question { name: "array-gone-levels", devices: 1, ask: levels_gone },
    Question { name: "array-gone-named", devices: 1, ask: gone_named },
    Question { name: "array-gone-surface-made", devices: 1, ask: gone_surface_made },
    Question { name: "array-gone-levels-named", devices: 1, ask: gone_levels_named },
    Question { name: "array-gone-levels-object", devices: 1, ask: gone_levels_object },
    Question { name: "array-context-gone", devices: 1, ask: context_gone },
    Question { name: "array-level-destroyed", devices: 1, ask: level_destroyed },
    Question { name: "array-other-context", devices: 1, ask: other_context },
    Question { name: "array-other-context-levels", devices: 1, ask: other_context_levels },
    Question { name: "array-peer", devices: 2, ask: peer },
    Question { name: "array-peer-levels-object", devices: 2, ask: peer_levels_object },
    Question { name: "array-peer-disabled", devices: 2, ask: |answers| peer_lost(answers, false) },
    Question { name: "array-peer-context-gone", devices: 2, ask: |answers| peer_lost(answers, true) },
    Question { name: "array-peer-memory", devices: 2, ask: peer_memory },
    Question { name: "array-destroy-running", devices: 1, ask: destroy_running },
    Question { name: "array-destroy-running-peer", devices: 2, ask: destroy_running_peer },
    Question { name: "array-context-destroy-running", devices: 1, ask: context_destroy_running },
    Question { name: "array-capture-global", devices: 1, ask: |answers| captured_calls(answers, 0) },
    Question { name: "array-capture-relaxed", devices: 1, ask: |answers| captured_calls(answers, 2) },
    Question { name: "array-capture-launch", devices: 1, ask: captured_launch },
    Question { name: "array-capture-synchronize", devices: 1, ask: captured_synchronize },
];

#[derive(Clone, Copy)]
enum Use {
    Texture,
    Reference,
    Surface,
    SurfaceReference,
}

fn gone(answers: &mut Answers, used: Use) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, STORES);
    let (kernel, object) = match used {
        Use::Texture => (c"plane", Some(texture_of(array))),
        Use::Surface => (c"load", Some(surface_of(array))),
        Use::Reference => {
            answers.code(bind(kernels.texture, array));
            (c"bound_plane", None)
        }
        Use::SurfaceReference => {
            answers.code(bind_surface(kernels.surface, array));
            (c"bound_load", None)
        }
    };
    let object: Vec<u64> = object.into_iter().collect();
    kernels.find(answers, kernel, &object);
    answers.code(destroy_array(array));
    kernels.find(answers, kernel, &object);
}

fn levels_gone(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let pyramid = levels(3.0);
    let (code, object) = texture(&of_levels(pyramid));
    answers.code(code);
    kernels.find(answers, c"plane", &[object]);
    answers.code(code!(cuMipmappedArrayDestroy(pyramid)));
    are_known(answers, object);
    kernels.find(answers, c"plane", &[object]);
}

fn gone_named(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, STORES);
    answers.code(destroy_array(array));
    answers.codes([
        texture(&of_array(array)).0,
        bind(kernels.texture, array),
        bind_surface(kernels.surface, array),
    ]);
}

fn gone_surface_made(answers: &mut Answers) {
    initialised();
    context(0);
    let array = array(3.0, STORES);
    answers.code(destroy_array(array));
    answers.code(surface(&of_array(array)).0);
}

fn gone_levels_named(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let pyramid = levels(3.0);
    answers.code(code!(cuMipmappedArrayDestroy(pyramid)));
    answers.code(bind_levels(kernels.texture, pyramid));
    let mut level = null_mut();
    answers.codes([
        code!(cuMipmappedArrayGetLevel(&raw mut level, pyramid, 0)),
        code!(cuMipmappedArrayDestroy(pyramid)),
    ]);
}

fn gone_levels_object(answers: &mut Answers) {
    initialised();
    context(0);
    let pyramid = levels(3.0);
    answers.code(code!(cuMipmappedArrayDestroy(pyramid)));
    answers.code(texture(&of_levels(pyramid)).0);
}

fn context_gone(answers: &mut Answers) {
    initialised();
    let first = context(0);
    let array = array(3.0, STORES);
    let pyramid = levels(3.0);
    call!(cuCtxDestroy_v2(first));
    context(0);
    let kernels = Kernels::new();
    let mut descriptor = CUDA_ARRAY3D_DESCRIPTOR::default();
    answers.codes([
        texture(&of_array(array)).0,
        bind(kernels.texture, array),
        code!(cuArray3DGetDescriptor_v2(&raw mut descriptor, array)),
        destroy_array(array),
        code!(cuMipmappedArrayDestroy(pyramid)),
    ]);
}

fn level_destroyed(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let pyramid = levels(3.0);
    let first = level(pyramid);
    let object = texture_of(first);
    answers.codes([destroy_array(first), destroy_array(first)]);
    answers.value(if level(pyramid) == first { "same" } else { "another" });
    first_texel(answers, first);
    kernels.find(answers, c"plane", &[object]);
    answers.codes([texture(&of_array(first)).0, code!(cuMipmappedArrayDestroy(pyramid))]);
}

/// Objects that can be made of the arrays of another context.
fn of_another(answers: &mut Answers, kernels: &Kernels, array: CUarray, pyramid: CUmipmappedArray) {
    answers.codes([
        texture(&of_array(array)).0,
        texture(&of_array(level(pyramid))).0,
        surface(&of_array(array)).0,
        bind(kernels.texture, array),
        bind_levels(kernels.texture, pyramid),
        bind_surface(kernels.surface, array),
    ]);
    let mut descriptor = CUDA_ARRAY3D_DESCRIPTOR::default();
    answers.code(code!(cuArray3DGetDescriptor_v2(&raw mut descriptor, array)));
    first_texel(answers, array);
}

fn other_context(answers: &mut Answers) {
    initialised();
    let other = context(0);
    let (array, pyramid) = (array(3.0, STORES), levels(3.0));
    context(0);
    let kernels = Kernels::new();
    of_another(answers, &kernels, array, pyramid);
    answers.codes([code!(cuCtxEnablePeerAccess(other, 0)), destroy_array(array)]);
}

fn other_context_levels(answers: &mut Answers) {
    initialised();
    context(0);
    let pyramid = levels(3.0);
    context(0);
    let kernels = Kernels::new();
    let (code, object) = texture(&of_levels(pyramid));
    answers.code(code);
    kernels.find(answers, c"plane", &[object]);
}

fn peer(answers: &mut Answers) {
    initialised();
    let other = context(1);
    let (array, pyramid) = (array(3.0, STORES), levels(5.0));
    context(0);
    let kernels = Kernels::new();
    of_another(answers, &kernels, array, pyramid);
    answers.code(code!(cuCtxEnablePeerAccess(other, 0)));
    of_another(answers, &kernels, array, pyramid);
    kernels.find(answers, c"plane", &[texture_of(array)]);
    kernels.find(answers, c"plane", &[texture_of(level(pyramid))]);
    kernels.find(answers, c"plane", &[texture(&of_levels(pyramid)).1]);
    kernels.find(answers, c"bound_plane", &[]);
    kernels.find(answers, c"bound_load", &[]);
    kernels.find(answers, c"load", &[surface_of(array)]);
    kernels.find(answers, c"store", &[surface_of(array)]);
    first_texel(answers, array);
}

fn peer_levels_object(answers: &mut Answers) {
    initialised();
    context(1);
    let pyramid = levels(3.0);
    context(0);
    answers.code(texture(&of_levels(pyramid)).0);
}

fn peer_lost(answers: &mut Answers, destroyed: bool) {
    initialised();
    let other = context(1);
    let array = array(3.0, STORES);
    let own = context(0);
    let kernels = Kernels::new();
    call!(cuCtxEnablePeerAccess(other, 0));
    answers.code(bind(kernels.texture, array));
    kernels.find(answers, c"bound_plane", &[]);
    if destroyed {
        answers.code(code!(cuCtxDestroy_v2(other)));
    } else {
        answers.code(code!(cuCtxDisablePeerAccess(other)));
    }
    call!(cuCtxSetCurrent(own));
    kernels.find(answers, c"bound_plane", &[]);
}

fn peer_memory(answers: &mut Answers) {
    initialised();
    let other = context(1);
    let memory = numbers(3.0);
    context(0);
    let kernels = Kernels::new();
    let (code, object) = texture(&of_line(memory, 64, FLOAT, 1));
    answers.code(code);
    answers.codes([
        texture(&of_rows(memory, [16, 4, 64])).0,
        code!(cuTexRefSetAddress_v2(null_mut(), kernels.texture, memory, 64)),
    ]);
    answers.code(code!(cuCtxEnablePeerAccess(other, 0)));
    kernels.find(answers, c"line", &[object, 0]);
    kernels.find(answers, c"bound_line", &[0]);
    answers.code(code!(cuCtxDisablePeerAccess(other)));
    kernels.find(answers, c"line", &[object, 0]);
}

fn destroy_running(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let (array, another, pyramid) = (array(3.0, STORES), array(4.0, 0), levels(3.0));
    let (texture, surface) = (texture_of(array), surface_of(array));
    while_running(answers, || bind(kernels.texture, another));
    while_running(answers, || destroy_texture(texture));
    while_running(answers, || destroy_surface(surface));
    while_running(answers, || destroy_array(array));
    while_running(answers, || code!(cuMipmappedArrayDestroy(pyramid)));
}

fn destroy_running_peer(answers: &mut Answers) {
    initialised();
    let other = context(1);
    let array = array(3.0, STORES);
    context(0);
    call!(cuCtxEnablePeerAccess(other, 0));
    texture_of(array);
    while_running(answers, || destroy_array(array));
}

/// A context that has nothing to do with the kernel.
fn context_destroy_running(answers: &mut Answers) {
    initialised();
    let other = context(0);
    context(0);
    let busy = stream(1);
    while_running_on(answers, busy, || code!(cuCtxDestroy_v2(other)));
}

/// Each call while a stream is captured, and what ending that capture gives.
fn captured_calls(answers: &mut Answers, mode: u32) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let (array, spare, pyramid, memory) = (array(3.0, STORES), array(3.0, 0), levels(3.0), numbers(3.0));
    let (texture_object, surface_object) = (texture_of(array), surface_of(array));
    let captured = stream(1);
    let descriptor = described([4, 4, 0], 0);
    let mut capture = |call: &dyn Fn() -> CUresult| {
        if answers.code(code!(cuStreamBeginCapture_v2(captured, CUstreamCaptureMode(mode)))) {
            answers.code(call());
            let mut graph = null_mut();
            answers.code(code!(cuStreamEndCapture(captured, &raw mut graph)));
        }
    };
    let mut made = null_mut();
    let mut reference = null_mut();
    let mut of_module = null_mut();
    let (made, reference, of_module) = (&raw mut made, &raw mut reference, &raw mut of_module);
    capture(&|| texture(&of_array(array)).0);
    capture(&|| destroy_texture(texture_object));
    capture(&|| destroy_texture(0));
    capture(&|| surface(&of_array(array)).0);
    capture(&|| destroy_surface(surface_object));
    capture(&|| code!(cuArray3DCreate_v2(made, &raw const descriptor)));
    capture(&|| destroy_array(spare));
    capture(&|| code!(cuMipmappedArrayDestroy(pyramid)));
    capture(&|| code!(cuTexRefCreate(reference)));
    capture(&|| code!(cuModuleGetTexRef(of_module, kernels.module, c"t".as_ptr())));
    capture(&|| bind(kernels.texture, array));
    capture(&|| code!(cuTexRefSetAddress_v2(null_mut(), kernels.texture, memory, 64)));
    capture(&|| bind_surface(kernels.surface, array));
}

/// Kernels with an object, with a reference, and with neither, on a stream that is captured.
fn captured_launch(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, STORES);
    let object = texture_of(array);
    call!(cuTexRefSetArray(kernels.texture, array, CU_TRSA_OVERRIDE_FORMAT));
    let captured = stream(1);
    for (kernel, params) in [(c"plane", vec![object]), (c"bound_plane", vec![]), (c"load", vec![object])] {
        if answers.code(code!(cuStreamBeginCapture_v2(captured, CUstreamCaptureMode(2)))) {
            answers.code(kernels.launch(kernel, captured, &params));
            let mut graph = null_mut();
            answers.code(code!(cuStreamEndCapture(captured, &raw mut graph)));
        }
    }
}

/// In each mode: the context, from this thread and from another; another stream.
fn captured_synchronize(answers: &mut Answers) {
    initialised();
    let own = context(0) as usize;
    let (captured, other) = (stream(1), stream(1));
    let elsewhere = || {
        let thread = std::thread::spawn(move || {
            call!(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(own)));
            synchronize().0
        });
        CUresult(thread.join().unwrap())
    };
    for mode in [0, 1, 2] {
        for call in [&synchronize as &dyn Fn() -> CUresult, &elsewhere, &|| code!(cuStreamSynchronize(other))]
        {
            if answers.code(code!(cuStreamBeginCapture_v2(captured, CUstreamCaptureMode(mode)))) {
                answers.code(call());
                let mut graph = null_mut();
                answers.code(code!(cuStreamEndCapture(captured, &raw mut graph)));
            }
        }
    }
}
