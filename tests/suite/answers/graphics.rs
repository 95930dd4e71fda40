//! Questions about resources of graphics libraries, on a thread without an OpenGL context.

use super::{Answers, Question, capturing, capturing_stream, device, fault, initialised};
use cuda_suite::raw::stream;
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "graphics-not-initialised", devices: 1, ask: not_initialised },
    Question { name: "graphics-no-context", devices: 1, ask: no_context },
    Question { name: "graphics-map-arguments", devices: 1, ask: map_arguments },
    Question { name: "graphics-unmap-arguments", devices: 1, ask: unmap_arguments },
    Question { name: "graphics-no-resource", devices: 1, ask: no_resource },
    Question { name: "graphics-gl-devices", devices: 1, ask: gl_devices },
    Question { name: "graphics-gl-buffer", devices: 1, ask: gl_buffer },
    Question { name: "graphics-gl-buffer-arguments", devices: 1, ask: gl_buffer_arguments },
    Question { name: "graphics-gl-image", devices: 1, ask: gl_image },
    Question { name: "graphics-gl-image-arguments", devices: 1, ask: gl_image_arguments },
    Question { name: "graphics-capture-arguments", devices: 1, ask: capture_arguments },
    Question { name: "graphics-capture-register", devices: 1, ask: capture_register },
    Question { name: "graphics-fault-gl-devices", devices: 1, ask: fault_gl_devices },
    Question { name: "graphics-fault-register", devices: 1, ask: fault_register },
    Question { name: "graphics-per-thread-stream", devices: 1, ask: per_thread_stream },
];

fn begun() {
    initialised();
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, 0, device().as_raw()));
}

fn map(count: u32, resources: *mut CUgraphicsResource, stream: CUstream) -> CUresult {
    code!(cuGraphicsMapResources(count, resources, stream))
}

fn unmap(count: u32, resources: *mut CUgraphicsResource, stream: CUstream) -> CUresult {
    code!(cuGraphicsUnmapResources(count, resources, stream))
}

fn gl_device(count: *mut u32, list: u32) -> CUresult {
    let mut devices = [0; 4];
    code!(cuGLGetDevices_v2(count, devices.as_mut_ptr(), 4, CUGLDeviceList_enum(list)))
}

fn buffer(resource: *mut CUgraphicsResource, name: u32, flags: u32) -> CUresult {
    code!(cuGraphicsGLRegisterBuffer(resource, name, flags))
}

fn image(resource: *mut CUgraphicsResource, name: u32, target: u32, flags: u32) -> CUresult {
    code!(cuGraphicsGLRegisterImage(resource, name, target, flags))
}

const TEXTURE_2D: u32 = 0x0DE1;

/// Calls with a null resource.
fn with_null(answers: &mut Answers) {
    let (mut address, mut bytes) = (0, 0);
    answers.codes([
        code!(cuGraphicsUnregisterResource(null_mut())),
        code!(cuGraphicsResourceGetMappedPointer_v2(&raw mut address, &raw mut bytes, null_mut())),
        code!(cuGraphicsResourceSetMapFlags_v2(null_mut(), 0)),
    ]);
}

fn not_initialised(answers: &mut Answers) {
    let (mut count, mut resource, mut address, mut bytes) = (0, null_mut(), 0, 0);
    answers.codes([
        gl_device(&raw mut count, 1),
        buffer(&raw mut resource, 1, 0),
        map(0, null_mut(), null_mut()),
        code!(cuGraphicsUnregisterResource(null_mut())),
        code!(cuGraphicsResourceGetMappedPointer_v2(&raw mut address, &raw mut bytes, null_mut())),
    ]);
}

fn no_context(answers: &mut Answers) {
    initialised();
    let (mut count, mut resource) = (0, null_mut());
    answers.codes([
        gl_device(&raw mut count, 1),
        buffer(&raw mut resource, 1, 0),
        image(&raw mut resource, 1, TEXTURE_2D, 0),
        map(0, null_mut(), null_mut()),
    ]);
    with_null(answers);
}

fn map_arguments(answers: &mut Answers) {
    begun();
    let mut none = [null_mut(); 2];
    let place = none.as_mut_ptr();
    let null = null_mut();
    answers.codes([
        map(0, null, null_mut()),
        map(0, place, null_mut()),
        map(1, null, null_mut()),
        map(1, place, null_mut()),
    ]);
}

fn unmap_arguments(answers: &mut Answers) {
    begun();
    let mut none = [null_mut(); 2];
    let place = none.as_mut_ptr();
    let null = null_mut();
    answers.codes([
        unmap(0, null, null_mut()),
        unmap(0, place, null_mut()),
        unmap(1, null, null_mut()),
        unmap(1, place, null_mut()),
    ]);
}

fn no_resource(answers: &mut Answers) {
    begun();
    with_null(answers);
    let (mut array, mut mipmapped) = (null_mut(), null_mut());
    answers.codes([
        code!(cuGraphicsSubResourceGetMappedArray(&raw mut array, null_mut(), 0, 0)),
        code!(cuGraphicsResourceGetMappedMipmappedArray(&raw mut mipmapped, null_mut())),
    ]);
}

fn gl_devices(answers: &mut Answers) {
    begun();
    let mut count = 77;
    for list in [1, 2, 9] {
        answers.code(gl_device(&raw mut count, list));
    }
    answers.value(count);
}

fn gl_buffer(answers: &mut Answers) {
    begun();
    let mut resource = null_mut();
    answers.code(buffer(&raw mut resource, 1, 0));
    answers.value(resource.is_null());
}

fn gl_buffer_arguments(answers: &mut Answers) {
    begun();
    let mut resource = null_mut();
    let place = &raw mut resource;
    answers.codes([buffer(place, 0, 0), buffer(null_mut(), 1, 0), buffer(place, 1, 99)]);
}

fn gl_image(answers: &mut Answers) {
    begun();
    let mut resource = null_mut();
    answers.code(image(&raw mut resource, 1, TEXTURE_2D, 0));
    answers.value(resource.is_null());
}

fn gl_image_arguments(answers: &mut Answers) {
    begun();
    let mut resource = null_mut();
    let place = &raw mut resource;
    answers.codes([image(place, 0, 0, 0), image(place, 1, TEXTURE_2D, 99)]);
}

fn capture_arguments(answers: &mut Answers) {
    begun();
    capturing_stream(answers, |answers, captured| {
        let mut none = [null_mut(); 2];
        let place = none.as_mut_ptr();
        answers.codes([map(0, null_mut(), captured), map(1, place, captured), map(0, place, null_mut())]);
    });
}

fn capture_register(answers: &mut Answers) {
    begun();
    capturing(answers, |answers| {
        let mut resource = null_mut();
        answers.code(buffer(&raw mut resource, 1, 0));
    });
    capturing(answers, |answers| {
        let mut count = 0;
        answers.code(gl_device(&raw mut count, 1));
    });
}

fn fault_gl_devices(answers: &mut Answers) {
    begun();
    fault();
    let mut count = 0;
    answers.code(gl_device(&raw mut count, 1));
}

fn fault_register(answers: &mut Answers) {
    begun();
    fault();
    let mut resource = null_mut();
    answers.codes([buffer(&raw mut resource, 1, 0), image(&raw mut resource, 1, TEXTURE_2D, 0)]);
}

fn per_thread_stream(answers: &mut Answers) {
    begun();
    let mut none = [null_mut(); 1];
    let place = none.as_mut_ptr();
    answers.codes([
        map(1, place, stream(0)),
        code!(cuGraphicsMapResources_ptsz(1, place, null_mut())),
        code!(cuGraphicsUnmapResources_ptsz(0, place, null_mut())),
    ]);
}
