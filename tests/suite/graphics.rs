//! Buffers and images of OpenGL, from the stand-in of cuda-sim. On hardware `interop/tests/gl.rs` does the same with OpenGL.

use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{CaptureMode, CaptureOptions, Graph};
use cuda_rt::graphics::gl::{GlDevices, devices};
use cuda_rt::graphics::{GraphicsResource, MapFlags, Mapping, RegisterFlags};
use cuda_rt::surface::SurfObject;
use cuda_rt::{Context, DeviceBuf, Error, Result, Stream};
use cuda_sim::graphics::{GlContext, GlImage};
use cuda_suite::{Choice, call, code, context, device, driver, skip};
use cuda_sys::*;

/// `GL_TEXTURE_2D`.
const TEXTURE_2D: u32 = 0x0DE1;

struct Scene {
    gl: GlContext,
    context: Context,
    stream: Stream,
}

/// Returns `None` on the machine's own driver, where OpenGL would be needed.
fn scene() -> Option<Scene> {
    if driver() == Choice::Real {
        return None;
    }
    let context = context();
    let gl = GlContext::new(0);
    gl.make_current();
    let stream = Stream::new(&context).unwrap();
    Some(Scene { gl, context, stream })
}

macro_rules! scene {
    () => {
        match scene() {
            Some(scene) => scene,
            None => skip!("needs OpenGL: see interop/tests/gl.rs"),
        }
    };
}

impl Scene {
    fn buffer(&self, bytes: &[u8]) -> (u32, GraphicsResource) {
        let name = self.gl.buffer(bytes);
        // SAFETY: the stand-in refuses to access what is mapped, and keeps what is registered.
        let resource = unsafe { GraphicsResource::gl_buffer(&self.context, name, RegisterFlags::default()) };
        (name, resource.unwrap())
    }

    fn image(&self, mipmapped: bool, flags: RegisterFlags) -> (u32, GraphicsResource) {
        let format = cuda_sys::CU_AD_FORMAT_UNSIGNED_INT8;
        let image = GlImage { width: 8, height: 4, format, channels: 1, mipmapped };
        let name = self.gl.image(&image, &core::array::from_fn::<u8, 32, _>(|index| index as u8));
        // SAFETY: as above.
        (name, unsafe { GraphicsResource::gl_image(&self.context, name, TEXTURE_2D, flags) }.unwrap())
    }
}

fn refused<T>(answer: Result<T>, code: Code) -> Error {
    let error = answer.err().unwrap();
    assert_eq!(error.code(), Some(code), "{error}");
    error
}

#[test]
fn mapped_buffer_is_read_and_written() {
    let scene = scene!();
    let (name, resource) = scene.buffer(&[1, 2, 3, 4, 5, 6, 7, 8]);
    for round in 0..3_u32 {
        let mut mapping = resource.map(&scene.stream).unwrap();
        let words = mapping.slice::<u32>(0).unwrap().to_vec().unwrap();
        assert_eq!(words.len(), 2);
        assert_eq!(scene.gl.read(name), None, "mapped");
        mapping.slice_mut::<u32>(0).unwrap().copy_from_host(&[round, words[0]]).unwrap();
        mapping.unmap().unwrap();
        let bytes = scene.gl.read(name).unwrap();
        assert_eq!(bytes[..4], round.to_ne_bytes());
        assert_eq!(bytes[4..], words[0].to_ne_bytes());
        assert!(scene.gl.write(name, &[9; 8]));
    }
    resource.close().unwrap();
    assert_eq!(scene.gl.read(name), Some(vec![9; 8]));
}

#[test]
fn unmap_orders_queued_work_before_gl() {
    let scene = scene!();
    let (name, resource) = scene.buffer(&[0; 4096]);
    let mut mapping = resource.map(&scene.stream).unwrap();
    mapping.slice_mut::<u8>(0).unwrap().fill(7).unwrap();
    drop(mapping);
    assert_eq!(scene.gl.read(name), Some(vec![7; 4096]));
}

#[test]
fn several_buffers_map_at_once_or_not_at_all() {
    let scene = scene!();
    let (_, first) = scene.buffer(&[1; 4]);
    let (_, second) = scene.buffer(&[2; 8]);
    let both = [first.clone(), second.clone()];
    let mapping = Mapping::new(&both, &scene.stream).unwrap();
    assert_eq!(mapping.resources(), both);
    assert_eq!(mapping.stream(), &scene.stream);
    assert_eq!(mapping.slice::<u8>(0).unwrap().to_vec().unwrap(), [1; 4]);
    assert_eq!(mapping.slice::<u8>(1).unwrap().to_vec().unwrap(), [2; 8]);
    let error = mapping.slice::<u8>(2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    refused(second.map(&scene.stream), Code::AlreadyMapped);
    mapping.unmap().unwrap();

    let mapping = second.map(&scene.stream).unwrap();
    refused(Mapping::new(&both, &scene.stream), Code::AlreadyMapped);
    first.map(&scene.stream).unwrap().unmap().unwrap();
    mapping.unmap().unwrap();
    refused(Mapping::new(&[first.clone(), first.clone()], &scene.stream), Code::AlreadyMapped);
    first.map(&scene.stream).unwrap().unmap().unwrap();
    let error = Mapping::new(&[], &scene.stream).unwrap_err();
    assert!(error.to_string().contains("0 resources"), "{error}");
}

#[test]
fn mapping_of_another_context_is_refused() {
    let scene = scene!();
    let (_, resource) = scene.buffer(&[1; 4]);
    let other = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    let error = resource.map(&other).unwrap_err();
    assert!(error.to_string().contains("resource 0 and the stream belong to different contexts"), "{error}");
}

#[test]
fn elements_must_fill_the_buffer() {
    let scene = scene!();
    let (_, resource) = scene.buffer(&[1; 6]);
    let mapping = resource.map(&scene.stream).unwrap();
    let error = mapping.slice::<u32>(0).unwrap_err();
    assert!(error.to_string().contains("6 bytes"), "{error}");
    assert_eq!(mapping.slice::<u16>(0).unwrap().len(), 3);
    assert!(mapping.slice::<()>(0).is_err());
}

#[test]
fn image_is_mapped_as_an_array() {
    let scene = scene!();
    let (name, resource) = scene.image(false, RegisterFlags::SURFACE_LDST);
    let mapping = resource.map(&scene.stream).unwrap();
    let array = mapping.array(0, 0, 0).unwrap();
    let expected = ArrayDescriptor::plane(8, 4, ArrayFormat::UNSIGNED_INT8, 1).surface();
    assert_eq!(array.descriptor(), expected);
    assert_eq!(array.to_vec::<u8>().unwrap(), (0..32).collect::<Vec<u8>>());
    refused(mapping.array(0, 0, 1), Code::InvalidValue);
    refused(mapping.array(0, 1, 0), Code::InvalidValue);
    let error = refused(mapping.slice::<u8>(0), Code::NotMappedAsPointer);
    assert!(error.to_string().contains("image"), "{error}");
    let object = SurfObject::new(&scene.context, &array).unwrap();
    array.copy_all_from_host(&[5_u8; 32]).unwrap();
    drop((mapping, array));
    assert_eq!(scene.gl.read(name), None, "the object keeps the mapping");
    drop(object);
    assert_eq!(scene.gl.read(name), Some(vec![5; 32]));
}

#[test]
fn image_without_the_flag_takes_no_surface() {
    let scene = scene!();
    let (_, resource) = scene.image(false, RegisterFlags::TEXTURE_GATHER);
    let array = resource.map(&scene.stream).unwrap().array(0, 0, 0).unwrap();
    assert_eq!(array.descriptor().flags, ArrayFlags::TEXTURE_GATHER);
    assert_eq!(SurfObject::new(&scene.context, &array).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn image_with_levels_has_all_of_them() {
    let scene = scene!();
    let (name, resource) = scene.image(true, RegisterFlags::default());
    let mapping = resource.map(&scene.stream).unwrap();
    let image = mapping.mipmapped_array(0).unwrap();
    assert_eq!((image.levels(), image.descriptor().width, image.descriptor().height), (4, 8, 4));
    let small = image.level(3).unwrap();
    assert_eq!((small.descriptor().width, small.descriptor().height), (1, 1));
    assert_eq!(mapping.array(0, 0, 2).unwrap().descriptor().width, 2);
    drop((mapping, image));
    assert_eq!(scene.gl.read(name), None, "the level keeps the mapping");
    drop(small);
    assert!(scene.gl.read(name).is_some());
    let (_, buffer) = scene.buffer(&[0; 4]);
    let mapping = buffer.map(&scene.stream).unwrap();
    refused(mapping.mipmapped_array(0), Code::NotMappedAsArray);
    refused(mapping.array(0, 0, 0), Code::NotMappedAsArray);
}

#[test]
fn map_flags_are_set_between_mappings() {
    let scene = scene!();
    let (_, resource) = scene.buffer(&[0; 4]);
    resource.set_map_flags(MapFlags::READ_ONLY).unwrap();
    let error =
        refused(resource.set_map_flags(MapFlags::READ_ONLY | MapFlags::WRITE_DISCARD), Code::InvalidValue);
    assert!(error.to_string().contains("0x3"), "{error}");
    let mapping = resource.map(&scene.stream).unwrap();
    refused(resource.set_map_flags(MapFlags::default()), Code::AlreadyMapped);
    mapping.unmap().unwrap();
    resource.set_map_flags(MapFlags::WRITE_DISCARD).unwrap();
}

#[test]
fn registering_a_missing_object_is_refused() {
    let scene = scene!();
    let register = |name, flags: RegisterFlags| {
        // SAFETY: nothing is mapped.
        unsafe { GraphicsResource::gl_buffer(&scene.context, name, flags) }
    };
    refused(register(0, RegisterFlags::default()), Code::InvalidValue);
    refused(register(u32::MAX, RegisterFlags::default()), Code::InvalidHandle);
    let empty = scene.gl.buffer(&[]);
    refused(register(empty, RegisterFlags::default()), Code::OutOfMemory);
    let (buffer, _kept) = scene.buffer(&[0; 4]);
    let error = refused(register(buffer, RegisterFlags::SURFACE_LDST), Code::InvalidValue);
    assert!(error.to_string().contains(&format!("buffer {buffer}, flags 0x4")), "{error}");
    let image = |name, target, flags: RegisterFlags| {
        // SAFETY: nothing is mapped.
        unsafe { GraphicsResource::gl_image(&scene.context, name, target, flags) }
    };
    refused(image(buffer, TEXTURE_2D, RegisterFlags::default()), Code::InvalidHandle);
    refused(image(0, TEXTURE_2D, RegisterFlags::default()), Code::InvalidValue);
    refused(image(buffer, 0, RegisterFlags::default()), Code::InvalidValue);
}

#[test]
fn deleted_buffer_stays_while_registered() {
    let scene = scene!();
    let (name, resource) = scene.buffer(&[3; 4]);
    scene.gl.delete(name);
    assert_eq!(scene.gl.read(name), None);
    let mapping = resource.map(&scene.stream).unwrap();
    assert_eq!(mapping.slice::<u8>(0).unwrap().to_vec().unwrap(), [3; 4]);
}

#[test]
fn calls_without_a_gl_context_are_refused() {
    let scene = scene!();
    assert_eq!(devices(GlDevices::All).unwrap(), [scene.context.device()]);
    assert_eq!(devices(GlDevices::CurrentFrame).unwrap(), devices(GlDevices::NextFrame).unwrap());
    let ((name, resource), (_, other)) = (scene.buffer(&[3; 4]), scene.buffer(&[0; 4]));
    let mut mapping = resource.map(&scene.stream).unwrap();
    mapping.slice_mut::<u8>(0).unwrap().copy_from_host(&[4; 4]).unwrap();
    GlContext::release_current();
    refused(devices(GlDevices::All), Code::InvalidGraphicsContext);
    // SAFETY: nothing is mapped by it.
    let again = unsafe { GraphicsResource::gl_buffer(&scene.context, name, RegisterFlags::default()) };
    refused(again, Code::InvalidGraphicsContext);
    refused(mapping.unmap(), Code::InvalidGraphicsContext);
    refused(other.map(&scene.stream), Code::InvalidGraphicsContext);
    scene.gl.make_current();
    assert_eq!(scene.gl.read(name), Some(vec![4; 4]), "unmapped all the same");
    refused(resource.map(&scene.stream), Code::AlreadyMapped);
    refused(resource.close(), Code::AlreadyMapped);
    other.map(&scene.stream).unwrap().unmap().unwrap();
    GlContext::release_current();
    refused(other.close(), Code::InvalidGraphicsContext);
}

#[test]
fn resource_lives_as_long_as_its_mapping() {
    let scene = scene!();
    let (name, resource) = scene.buffer(&[3; 4]);
    let kept = resource.clone();
    resource.close().unwrap(); // not the last handle
    let mapping = kept.map(&scene.stream).unwrap();
    drop(kept);
    assert_eq!(mapping.slice::<u8>(0).unwrap().to_vec().unwrap(), [3; 4]);
    mapping.unmap().unwrap();
    assert!(scene.gl.read(name).is_some());
}

#[test]
fn mapping_on_a_captured_stream_is_refused() {
    let scene = scene!();
    let (_, resource) = scene.buffer(&[3; 4]);
    let mapping = resource.map(&scene.stream).unwrap();
    let mut graph = std::ptr::null_mut();
    let mode = cuda_sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
    assert_eq!(code!(cuda_sys::cuStreamBeginCapture_v2(scene.stream.as_raw(), mode)), CUresult::CUDA_SUCCESS);
    for error in [resource.map(&scene.stream).map(drop), mapping.unmap()].map(Result::unwrap_err) {
        assert_eq!(error.kind(), ErrorKind::StreamCapturing, "{error}");
    }
    let ended = code!(cuda_sys::cuStreamEndCapture(scene.stream.as_raw(), &raw mut graph));
    assert_eq!(ended, CUresult::CUDA_SUCCESS, "the capture goes on");
    resource.close().unwrap(); // unmaps what the refusal has left mapped
}

/// The answers of `conformance/facts.tsv`, V981.
#[test]
fn raw_calls_answer_as_hardware() {
    let scene = scene!();
    let ((_, first), (_, second)) = (scene.buffer(&[1; 4]), scene.buffer(&[2; 4]));
    let (a, b) = (first.as_raw(), second.as_raw());
    let stream = scene.stream.as_raw();
    let map_on = |mut resources: Vec<CUgraphicsResource>, stream: CUstream| {
        code!(cuda_sys::cuGraphicsMapResources(resources.len() as u32, resources.as_mut_ptr(), stream)).0
    };
    let map = |resources: &[CUgraphicsResource]| map_on(resources.to_vec(), stream);
    let unmap = |resources: &[CUgraphicsResource]| {
        let mut resources = resources.to_vec();
        code!(cuda_sys::cuGraphicsUnmapResources(resources.len() as u32, resources.as_mut_ptr(), stream)).0
    };
    let pointer = |resource| {
        code!(cuda_sys::cuGraphicsResourceGetMappedPointer_v2(
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            resource
        ))
        .0
    };
    assert_eq!([map(&[a, a]), pointer(a), unmap(&[a])], [208, 211, 211]);
    assert_eq!([map(&[a]), map(&[b, a]), pointer(b), pointer(a)], [0, 208, 211, 0]);
    assert_eq!([unmap(&[b, a]), unmap(&[a, b]), pointer(a)], [211, 211, 0]);
    assert_eq!(
        [unmap(&[a, a]), pointer(a), map(&[a, std::ptr::null_mut()]), pointer(a)],
        [211, 211, 400, 211]
    );
    let set_flags = |flags| code!(cuda_sys::cuGraphicsResourceSetMapFlags_v2(a, flags)).0;
    assert_eq!(
        [set_flags(2), set_flags(3), map(&[a]), set_flags(0), set_flags(3), unmap(&[a])],
        [0, 1, 0, 208, 1, 0]
    );
    assert_eq!([map_on(vec![a], std::ptr::null_mut()), unmap(&[a])], [0, 0], "no context is current");
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let entered = other.enter().unwrap();
    assert_eq!(map_on(vec![a], std::ptr::null_mut()), 400, "the null stream of another context");
    assert_eq!([map(&[a]), unmap(&[a])], [0, 0], "the stream names the context");
    drop(entered);
}

#[test]
fn egl_and_vdpau_are_not_simulated() {
    use cuda_rt::graphics::egl::{EglConsumer, EglProducer};
    use std::ptr::null_mut;
    let scene = scene!();
    let (context, flags) = (&scene.context, RegisterFlags::default());
    // SAFETY: a null image is refused.
    let image = unsafe { GraphicsResource::egl_image(context, null_mut(), flags) };
    // SAFETY: a null stream is refused.
    let consumer = unsafe { EglConsumer::connect(context, null_mut(), None) };
    // SAFETY: as above.
    let producer = unsafe { EglProducer::connect(context, null_mut(), 1, 1) };
    // SAFETY: the software driver does not use the surface.
    let video = unsafe { GraphicsResource::vdpau_video_surface(context, 0, flags) };
    // SAFETY: as above.
    let output = unsafe { GraphicsResource::vdpau_output_surface(context, 0, flags) };
    refused(consumer, Code::NotSupported);
    refused(producer, Code::NotSupported);
    for answer in [image, video, output] {
        refused(answer, Code::NotSupported);
    }
}

#[test]
fn mapping_that_ends_in_a_capture_spares_the_capture() {
    let scene = scene!();
    let (_, resource) = scene.buffer(&[0; 4]);
    let mapping = resource.map(&scene.stream).unwrap();
    drop(resource);
    let mut graph = std::ptr::null_mut();
    let relaxed = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
    call!(cuStreamBeginCapture_v2(scene.stream.as_raw(), relaxed));
    drop(mapping);
    call!(cuStreamEndCapture(scene.stream.as_raw(), &raw mut graph));
    call!(cuGraphDestroy(graph));
}

#[test]
fn resource_with_a_failed_map_spares_captures() {
    let scene = scene!();
    let (name, resource) = scene.buffer(&[0; 4]);
    let mut memory = DeviceBuf::<u32>::zeroed(&scene.stream, 4).unwrap();
    let options = CaptureOptions::new();
    let lost = Graph::capture(&scene.context, options.mode(CaptureMode::ThreadLocal), |_| {
        refused(resource.map(&scene.stream), Code::StreamCaptureUnsupported);
        Ok(())
    });
    refused(lost, Code::StreamCaptureInvalidated);
    let captured = Graph::capture(&scene.context, options.mode(CaptureMode::Relaxed), |capture| {
        capture.fill(&mut memory, 1)?;
        drop(resource);
        capture.fill(&mut memory, 2)
    });
    captured.unwrap();
    assert_eq!(scene.gl.read(name), Some(vec![0; 4]), "the buffer is not mapped");
}

#[test]
fn last_array_of_a_mapping_tells_of_a_failed_unmap() {
    let scene = scene!();
    for mipmapped in [false, true] {
        let (_, resource) = scene.image(mipmapped, RegisterFlags::default());
        let mapping = resource.map(&scene.stream).unwrap();
        let close: Box<dyn FnOnce() -> Result<()>> = if mipmapped {
            let array = mapping.mipmapped_array(0).unwrap();
            Box::new(|| array.close())
        } else {
            let array = mapping.array(0, 0, 0).unwrap();
            Box::new(|| array.close())
        };
        drop(mapping);
        GlContext::release_current();
        refused(close(), Code::InvalidGraphicsContext);
        scene.gl.make_current();
        // The unmap has returned it, although it failed.
        refused(resource.map(&scene.stream), Code::AlreadyMapped);
        refused(resource.close(), Code::AlreadyMapped);
    }
}
