//! Buffers and images of OpenGL on a machine with a GPU: registered, mapped, written by kernels, and read back by OpenGL.

#![allow(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]

use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graphics::gl::{GlDevices, devices};
use cuda_rt::graphics::{GraphicsResource, MapFlags, Mapping, RegisterFlags};
use cuda_rt::surface::{SurfHandle, SurfObject};
use cuda_rt::{Context, DevicePtr, Function, LaunchConfig, Module, Result, Stream};
use glow::HasContext;
use interop::skip;
use khronos_egl as egl;
use std::ffi::c_void;
use std::ptr::null_mut;

const PTX: &str = ".version 6.4
    .target sm_50
    .address_size 64
    .visible .entry numbers(.param .u64 out) {
        .reg .b64 %a<3>;
        .reg .b32 %i;
        ld.param.u64 %a0, [out];
        mov.u32 %i, %tid.x;
        mul.wide.u32 %a1, %i, 4;
        add.u64 %a2, %a0, %a1;
        st.global.u32 [%a2], %i;
        ret;
    }
    .visible .entry paint(.param .u64 surface) {
        .reg .b64 %s;
        .reg .b32 %i, %x, %v;
        ld.param.u64 %s, [surface];
        mov.u32 %i, %tid.x;
        shl.b32 %x, %i, 2;
        mov.u32 %v, 0x11223344;
        sust.b.2d.b32.trap [%s, {%x, 0}], {%v};
        ret;
    }";

type Egl = egl::DynamicInstance<egl::EGL1_5>;

struct Scene {
    egl: Egl,
    display: egl::Display,
    gl_context: egl::Context,
    gl: glow::Context,
    context: Context,
    stream: Stream,
}

/// Makes a context of OpenGL without a window, on the first device that CUDA has too, and makes it current.
fn gl_context(egl: &Egl) -> std::result::Result<(egl::Display, egl::Context), String> {
    const PLATFORM_DEVICE: egl::Enum = 0x313F;
    const CUDA_DEVICE: egl::Int = 0x323A;
    type QueryDevices = extern "system" fn(egl::Int, *mut *mut c_void, *mut egl::Int) -> egl::Boolean;
    type QueryAttribute = extern "system" fn(*mut c_void, egl::Int, *mut egl::Attrib) -> egl::Boolean;
    let function = |name| egl.get_proc_address(name).ok_or_else(|| format!("no {name}"));
    // SAFETY: functions of these names have these signatures.
    let query: QueryDevices = unsafe { std::mem::transmute(function("eglQueryDevicesEXT")?) };
    // SAFETY: as above.
    let attribute: QueryAttribute = unsafe { std::mem::transmute(function("eglQueryDeviceAttribEXT")?) };
    let (mut found, mut count) = ([null_mut(); 16], 0);
    query(16, found.as_mut_ptr(), &raw mut count);
    let is_cuda = |device: &&*mut c_void| attribute(**device, CUDA_DEVICE, &mut 0) == egl::TRUE;
    let device = *found.iter().take(count as usize).find(is_cuda).ok_or("no EGL device of CUDA")?;
    let failed = |error: egl::Error| error.to_string();
    // SAFETY: the device is one of EGL.
    let display = unsafe { egl.get_platform_display(PLATFORM_DEVICE, device, &[egl::ATTRIB_NONE]) };
    let display = display.map_err(failed)?;
    egl.initialize(display).map_err(failed)?;
    let wanted = [egl::SURFACE_TYPE, egl::PBUFFER_BIT, egl::RENDERABLE_TYPE, egl::OPENGL_BIT, egl::NONE];
    let config = egl.choose_first_config(display, &wanted).map_err(failed)?.ok_or("no configuration")?;
    egl.bind_api(egl::OPENGL_API).map_err(failed)?;
    let context = egl.create_context(display, config, None, &[egl::NONE]).map_err(failed)?;
    egl.make_current(display, None, None, Some(context)).map_err(failed)?;
    Ok((display, context))
}

impl Scene {
    fn new() -> std::result::Result<Scene, String> {
        // SAFETY: the library of this name is EGL.
        let egl = unsafe { Egl::load_required() }.map_err(|error| error.to_string())?;
        let (display, gl_context) = gl_context(&egl)?;
        let load =
            |name: &str| egl.get_proc_address(name).map_or(null_mut(), |function| function as *mut c_void);
        // SAFETY: the context is current, and has the functions.
        let gl = unsafe { glow::Context::from_loader_function(|name| load(name).cast_const()) };
        let device =
            *devices(GlDevices::All).map_err(|error| error.to_string())?.first().ok_or("no device")?;
        let context = Context::primary(device).map_err(|error| error.to_string())?;
        let stream = Stream::new(&context).map_err(|error| error.to_string())?;
        Ok(Scene { egl, display, gl_context, gl, context, stream })
    }

    fn leave_gl(&self) {
        self.egl.make_current(self.display, None, None, None).unwrap();
    }

    fn enter_gl(&self) {
        self.egl.make_current(self.display, None, None, Some(self.gl_context)).unwrap();
    }

    fn function(&self, name: &str) -> Function {
        Module::from_ptx(&self.context, PTX).unwrap().function(name).unwrap()
    }

    fn buffer(&self, bytes: &[u8]) -> glow::Buffer {
        // SAFETY: the context is current.
        unsafe {
            let buffer = self.gl.create_buffer().unwrap();
            self.gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            self.gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::DYNAMIC_DRAW);
            buffer
        }
    }

    fn read(&self, buffer: glow::Buffer, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        // SAFETY: as above.
        unsafe {
            self.gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            self.gl.get_buffer_sub_data(glow::ARRAY_BUFFER, 0, &mut bytes);
        }
        bytes
    }

    fn register(&self, buffer: glow::Buffer) -> Result<GraphicsResource> {
        // SAFETY: OpenGL uses the buffer only while it is not mapped, and the test keeps it.
        unsafe { GraphicsResource::gl_buffer(&self.context, buffer.0.get(), RegisterFlags::default()) }
    }

    /// An image of 16 times 8 texels of four bytes.
    fn image(&self) -> glow::Texture {
        // SAFETY: the context is current.
        unsafe {
            let texture = self.gl.create_texture().unwrap();
            self.gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            self.gl.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RGBA8, 16, 8);
            texture
        }
    }
}

macro_rules! scene {
    () => {
        match Scene::new() {
            Ok(scene) => scene,
            Err(reason) => skip!("{reason}"),
        }
    };
}

fn refused<T>(answer: Result<T>, code: Code) {
    let error = answer.err().unwrap();
    assert_eq!(error.code(), Some(code), "{error}");
}

#[test]
fn kernel_writes_a_buffer_that_gl_reads() {
    let scene = scene!();
    let buffer = scene.buffer(&[0; 128]);
    let resource = scene.register(buffer).unwrap();
    let numbers = scene.function("numbers").typed::<(DevicePtr<u32>,)>().unwrap();
    for _ in 0..3 {
        let mut mapping = resource.map(&scene.stream).unwrap();
        let words = mapping.slice_mut::<u32>(0).unwrap();
        assert_eq!(words.len(), 32);
        // SAFETY: 32 threads write 32 words, on the stream of the mapping.
        unsafe { numbers.launch(LaunchConfig::new(1, 32), &scene.stream, (words.ptr(),)) }.unwrap();
        mapping.unmap().unwrap();
        let expected: Vec<u8> = (0..32_u32).flat_map(u32::to_ne_bytes).collect();
        assert_eq!(scene.read(buffer, 128), expected);
    }
    resource.close().unwrap();
}

#[test]
fn kernel_paints_an_image_that_gl_reads() {
    let scene = scene!();
    let texture = scene.image();
    // SAFETY: OpenGL uses the image only while it is not mapped, and the test keeps it.
    let resource = unsafe {
        let flags = RegisterFlags::SURFACE_LDST;
        GraphicsResource::gl_image(&scene.context, texture.0.get(), glow::TEXTURE_2D, flags)
    }
    .unwrap();
    let mapping = resource.map(&scene.stream).unwrap();
    refused(mapping.slice::<u8>(0), Code::NotMappedAsPointer);
    let array = mapping.array(0, 0, 0).unwrap();
    assert_eq!(array.descriptor(), ArrayDescriptor::plane(16, 8, ArrayFormat::UNSIGNED_INT8, 4).surface());
    let levels = mapping.mipmapped_array(0).unwrap();
    assert_eq!((levels.levels(), levels.descriptor().width), (1, 16));
    drop(levels);
    let object = SurfObject::new(&scene.context, &array).unwrap();
    let paint = scene.function("paint").typed::<(SurfHandle,)>().unwrap();
    // SAFETY: 16 threads write the first row, on the stream of the mapping.
    unsafe { paint.launch(LaunchConfig::new(1, 16), &scene.stream, (object.handle(),)) }.unwrap();
    drop((mapping, array, object));
    let mut texels = [0; 16 * 8 * 4];
    // SAFETY: the context is current, and the texels have room.
    unsafe {
        scene.gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        let to = glow::PixelPackData::Slice(Some(&mut texels));
        scene.gl.get_tex_image(glow::TEXTURE_2D, 0, glow::RGBA, glow::UNSIGNED_BYTE, to);
    }
    assert_eq!(texels[..4], 0x1122_3344_u32.to_ne_bytes());
    assert_eq!(texels[60..64], 0x1122_3344_u32.to_ne_bytes());
    resource.close().unwrap();
}

#[test]
fn several_buffers_map_at_once_or_not_at_all() {
    let scene = scene!();
    let [first, second] =
        [vec![1; 8], vec![2; 16]].map(|bytes| scene.register(scene.buffer(&bytes)).unwrap());
    let both = [first.clone(), second.clone()];
    let mapping = Mapping::new(&both, &scene.stream).unwrap();
    assert_eq!(mapping.slice::<u8>(0).unwrap().to_vec().unwrap(), [1; 8]);
    assert_eq!(mapping.slice::<u8>(1).unwrap().to_vec().unwrap(), [2; 16]);
    refused(first.map(&scene.stream), Code::AlreadyMapped);
    refused(first.set_map_flags(MapFlags::READ_ONLY), Code::AlreadyMapped);
    refused(mapping.array(0, 0, 0), Code::NotMappedAsArray);
    mapping.unmap().unwrap();
    refused(Mapping::new(&[first.clone(), first.clone()], &scene.stream), Code::AlreadyMapped);
    first.set_map_flags(MapFlags::READ_ONLY).unwrap();
    first.map(&scene.stream).unwrap().unmap().unwrap();
}

#[test]
fn calls_without_a_gl_context_are_refused() {
    let scene = scene!();
    let buffer = scene.buffer(&[3; 8]);
    let (resource, other) = (scene.register(buffer).unwrap(), scene.register(scene.buffer(&[0; 8])).unwrap());
    let mut mapping = resource.map(&scene.stream).unwrap();
    mapping.slice_mut::<u8>(0).unwrap().copy_from_host(&[4; 8]).unwrap();
    scene.leave_gl();
    refused(devices(GlDevices::All), Code::InvalidGraphicsContext);
    refused(mapping.unmap(), Code::InvalidGraphicsContext);
    refused(other.map(&scene.stream), Code::InvalidGraphicsContext);
    scene.enter_gl();
    assert_eq!(scene.read(buffer, 8), [4; 8], "unmapped all the same");
    refused(resource.map(&scene.stream), Code::AlreadyMapped);
    refused(resource.close(), Code::AlreadyMapped);
    other.map(&scene.stream).unwrap().unmap().unwrap();
    scene.leave_gl();
    refused(other.close(), Code::InvalidGraphicsContext);
}

#[test]
fn registering_what_gl_lacks_is_refused() {
    let scene = scene!();
    let register = |name, flags| {
        // SAFETY: nothing is mapped.
        unsafe { GraphicsResource::gl_buffer(&scene.context, name, flags) }
    };
    refused(register(0, RegisterFlags::default()), Code::InvalidValue);
    refused(register(999, RegisterFlags::default()), Code::InvalidHandle);
    refused(scene.register(scene.buffer(&[])), Code::OutOfMemory);
    let name = scene.buffer(&[0; 4]).0.get();
    refused(register(name, RegisterFlags::SURFACE_LDST), Code::InvalidValue);
    drop(register(name, RegisterFlags::WRITE_DISCARD).unwrap());
}

#[test]
fn egl_image_is_mapped_from_the_start() {
    const GL_TEXTURE_2D: egl::Enum = 0x30B1;
    let scene = scene!();
    let texture = scene.image();
    // SAFETY: OpenGL minifies by the only level.
    unsafe {
        scene.gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
    }
    // SAFETY: the name is that of a texture.
    let buffer = unsafe { egl::ClientBuffer::from_ptr(texture.0.get() as usize as *mut c_void) };
    let image = scene
        .egl
        .create_image(scene.display, scene.gl_context, GL_TEXTURE_2D, buffer, &[egl::ATTRIB_NONE])
        .unwrap();
    // SAFETY: the image is live, and nothing else uses it.
    let resource =
        unsafe { GraphicsResource::egl_image(&scene.context, image.as_ptr(), RegisterFlags::default()) }
            .unwrap();
    let frame = resource.egl_frame(0, 0).unwrap();
    assert_eq!((frame.width, frame.height, frame.planeCount, frame.numChannels), (16, 8, 1, 4));
    let refused = resource.map(&scene.stream).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument, "{refused}");
    resource.close().unwrap();
}
