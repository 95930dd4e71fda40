//! Memory, images and semaphores that Vulkan exports, on a machine with a GPU: written by one API and read by the other.

#![allow(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]

use ash::vk;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreSignal, SemaphoreWait,
};
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph};
use cuda_rt::surface::{SurfHandle, SurfObject};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, Stream};
use interop::skip;
use std::ffi::c_void;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const PTX: &str = ".version 6.4
    .target sm_50
    .address_size 64
    .visible .entry numbers(.param .u64 out, .param .u32 first) {
        .reg .b64 %a<3>;
        .reg .b32 %i, %f;
        ld.param.u64 %a0, [out];
        ld.param.u32 %f, [first];
        mov.u32 %i, %tid.x;
        mul.wide.u32 %a1, %i, 4;
        add.u64 %a2, %a0, %a1;
        add.u32 %f, %f, %i;
        st.global.u32 [%a2], %f;
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

const BYTES: u64 = 1 << 20;
const NO_FLAGS: ExternalMemoryFlags = ExternalMemoryFlags::empty();
const SECOND: Duration = Duration::from_secs(1);

/// A device of Vulkan, and the same one of CUDA. Objects of Vulkan are left to the end of the process.
struct Scene {
    _entry: ash::Entry,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    device: ash::Device,
    queue: vk::Queue,
    commands: vk::CommandPool,
    context: Context,
    stream: Stream,
    /// Loaded once: unloading a module would wait for semaphores that are signalled later.
    numbers: Kernel<(DevicePtr<u32>, u32)>,
    /// One test at a time: freeing memory would wait for semaphores of another test.
    _alone: MutexGuard<'static, ()>,
}

/// Memory of Vulkan, and the buffer or image that has it.
struct Bound<T> {
    object: T,
    memory: vk::DeviceMemory,
    bytes: u64,
}

type Text<T> = std::result::Result<T, String>;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Scene {
    fn new() -> Text<Scene> {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the library of this name is the loader of Vulkan.
        let entry = unsafe { ash::Entry::load() }.map_err(text)?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
        let create = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures are valid.
        let instance = unsafe { entry.create_instance(&create, None) }.map_err(text)?;
        let cuda = Device::get(0).map_err(text)?;
        let uuid = cuda.uuid().map_err(text)?;
        // SAFETY: the instance is live, here and below.
        let all = unsafe { instance.enumerate_physical_devices() }.map_err(text)?;
        let is_it = |physical: &vk::PhysicalDevice| {
            let mut id = vk::PhysicalDeviceIDProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut id);
            // SAFETY: as above.
            unsafe { instance.get_physical_device_properties2(*physical, &mut properties) };
            id.device_uuid == uuid.0
        };
        let physical = all.into_iter().find(is_it).ok_or("the device of CUDA is none of Vulkan")?;
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let extensions =
            [ash::khr::external_memory_fd::NAME.as_ptr(), ash::khr::external_semaphore_fd::NAME.as_ptr()];
        let mut timelines = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut timelines);
        // SAFETY: as above.
        let device = unsafe { instance.create_device(physical, &create, None) }.map_err(text)?;
        // SAFETY: the device has this queue.
        let queue = unsafe { device.get_device_queue(0, 0) };
        let create = vk::CommandPoolCreateInfo::default();
        // SAFETY: the device is live.
        let commands = unsafe { device.create_command_pool(&create, None) }.map_err(text)?;
        let context = Context::primary(cuda).map_err(text)?;
        let stream = Stream::new(&context).map_err(text)?;
        let numbers = Module::from_ptx(&context, PTX).and_then(|module| module.function("numbers"));
        let numbers = numbers.and_then(|function| function.typed()).map_err(text)?;
        Ok(Scene {
            _entry: entry,
            instance,
            physical,
            device,
            queue,
            commands,
            context,
            stream,
            numbers,
            _alone: alone,
        })
    }

    fn memory_type(&self, bits: u32, wanted: vk::MemoryPropertyFlags) -> u32 {
        let known = unsafe { self.instance.get_physical_device_memory_properties(self.physical) };
        let mut fitting = (0..known.memory_type_count).filter(|index| bits >> index & 1 == 1);
        fitting.find(|index| known.memory_types[*index as usize].property_flags.contains(wanted)).unwrap()
    }

    fn allocate(
        &self,
        needed: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
        dedicated: Option<vk::MemoryDedicatedAllocateInfo<'_>>,
    ) -> vk::DeviceMemory {
        let mut dedicated = dedicated;
        let mut exported = vk::ExportMemoryAllocateInfo::default()
            .handle_types(vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD);
        let mut create = vk::MemoryAllocateInfo::default()
            .allocation_size(needed.size)
            .memory_type_index(self.memory_type(needed.memory_type_bits, wanted));
        if wanted.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL) {
            create = create.push_next(&mut exported);
        }
        if let Some(dedicated) = &mut dedicated {
            create = create.push_next(dedicated);
        }
        unsafe { self.device.allocate_memory(&create, None) }.unwrap()
    }

    /// A buffer: of the device, to be exported, or of the host.
    fn buffer(&self, wanted: vk::MemoryPropertyFlags, is_dedicated: bool) -> Bound<vk::Buffer> {
        let mut exported = vk::ExternalMemoryBufferCreateInfo::default()
            .handle_types(vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD);
        let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let mut create = vk::BufferCreateInfo::default().size(BYTES).usage(usage);
        if wanted.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL) {
            create = create.push_next(&mut exported);
        }
        let object = unsafe { self.device.create_buffer(&create, None) }.unwrap();
        let needed = unsafe { self.device.get_buffer_memory_requirements(object) };
        let dedicated = vk::MemoryDedicatedAllocateInfo::default().buffer(object);
        let memory = self.allocate(needed, wanted, is_dedicated.then_some(dedicated));
        unsafe { self.device.bind_buffer_memory(object, memory, 0) }.unwrap();
        Bound { object, memory, bytes: needed.size }
    }

    fn exported_buffer(&self, is_dedicated: bool) -> Bound<vk::Buffer> {
        self.buffer(vk::MemoryPropertyFlags::DEVICE_LOCAL, is_dedicated)
    }

    /// An image of 64 by 32 texels of 4 bytes, with 3 levels, to be exported.
    fn image(&self) -> Bound<vk::Image> {
        let mut exported = vk::ExternalMemoryImageCreateInfo::default()
            .handle_types(vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD);
        let create = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R8G8B8A8_UNORM)
            .extent(vk::Extent3D { width: 64, height: 32, depth: 1 })
            .mip_levels(3)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(
                vk::ImageUsageFlags::TRANSFER_SRC
                    | vk::ImageUsageFlags::TRANSFER_DST
                    | vk::ImageUsageFlags::STORAGE,
            )
            .push_next(&mut exported);
        let object = unsafe { self.device.create_image(&create, None) }.unwrap();
        let needed = unsafe { self.device.get_image_memory_requirements(object) };
        let dedicated = vk::MemoryDedicatedAllocateInfo::default().image(object);
        let memory = self.allocate(needed, vk::MemoryPropertyFlags::DEVICE_LOCAL, Some(dedicated));
        unsafe { self.device.bind_image_memory(object, memory, 0) }.unwrap();
        Bound { object, memory, bytes: needed.size }
    }

    fn import<T>(&self, bound: &Bound<T>, flags: ExternalMemoryFlags) -> ExternalMemory {
        let loader = ash::khr::external_memory_fd::Device::new(&self.instance, &self.device);
        let get = vk::MemoryGetFdInfoKHR::default()
            .memory(bound.memory)
            .handle_type(vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD);
        let file = unsafe { loader.get_memory_fd(&get) }.unwrap();
        // SAFETY: Vulkan has made it for this call.
        let handle = ExternalMemoryHandle::OpaqueFd(unsafe { OwnedFd::from_raw_fd(file) });
        // SAFETY: memory of this size. The tests use it by one API after the other.
        unsafe { ExternalMemory::import(&self.context, handle, bound.bytes, flags) }.unwrap()
    }

    fn map(&self, memory: &ExternalMemory, len: usize) -> DeviceBuf<u32> {
        // SAFETY: the only mapping.
        unsafe { memory.buffer(&self.stream, 0, len) }.unwrap()
    }

    /// A semaphore, and the same one of CUDA.
    fn semaphore(&self, kind: vk::SemaphoreType) -> (vk::Semaphore, ExternalSemaphore) {
        let mut exported = vk::ExportSemaphoreCreateInfo::default()
            .handle_types(vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD);
        let mut kinds = vk::SemaphoreTypeCreateInfo::default().semaphore_type(kind);
        let create = vk::SemaphoreCreateInfo::default().push_next(&mut kinds).push_next(&mut exported);
        let theirs = unsafe { self.device.create_semaphore(&create, None) }.unwrap();
        let loader = ash::khr::external_semaphore_fd::Device::new(&self.instance, &self.device);
        let get = vk::SemaphoreGetFdInfoKHR::default()
            .semaphore(theirs)
            .handle_type(vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD);
        let file = unsafe { loader.get_semaphore_fd(&get) }.unwrap();
        // SAFETY: Vulkan has made it for this call.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let handle = match kind {
            vk::SemaphoreType::TIMELINE => ExternalSemaphoreHandle::TimelineFd(file),
            _ => ExternalSemaphoreHandle::OpaqueFd(file),
        };
        // SAFETY: a semaphore of this kind. The tests signal and wait in an order that Vulkan allows.
        (theirs, unsafe { ExternalSemaphore::import(&self.context, handle) }.unwrap())
    }

    fn value(&self, semaphore: vk::Semaphore) -> u64 {
        unsafe { self.device.get_semaphore_counter_value(semaphore) }.unwrap()
    }

    fn signal(&self, semaphore: vk::Semaphore, value: u64) {
        let signal = vk::SemaphoreSignalInfo::default().semaphore(semaphore).value(value);
        unsafe { self.device.signal_semaphore(&signal) }.unwrap();
    }

    fn wait(&self, semaphore: vk::Semaphore, value: u64) {
        let (semaphores, values) = ([semaphore], [value]);
        let wait = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        unsafe { self.device.wait_semaphores(&wait, 5 * SECOND.as_nanos() as u64) }.unwrap();
    }

    /// Submits commands, which wait for a semaphore and signal one.
    fn submit(
        &self,
        record: impl FnOnce(vk::CommandBuffer),
        wait: Option<vk::Semaphore>,
        signal: Option<vk::Semaphore>,
    ) {
        let create =
            vk::CommandBufferAllocateInfo::default().command_pool(self.commands).command_buffer_count(1);
        let buffers = unsafe { self.device.allocate_command_buffers(&create) }.unwrap();
        unsafe { self.device.begin_command_buffer(buffers[0], &vk::CommandBufferBeginInfo::default()) }
            .unwrap();
        record(buffers[0]);
        unsafe { self.device.end_command_buffer(buffers[0]) }.unwrap();
        let (waits, signals): (Vec<_>, Vec<_>) = (wait.into_iter().collect(), signal.into_iter().collect());
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; waits.len()];
        let submit = vk::SubmitInfo::default()
            .command_buffers(&buffers)
            .wait_semaphores(&waits)
            .wait_dst_stage_mask(&stages)
            .signal_semaphores(&signals);
        unsafe { self.device.queue_submit(self.queue, &[submit], vk::Fence::null()) }.unwrap();
    }

    fn finish(&self) {
        unsafe { self.device.queue_wait_idle(self.queue) }.unwrap();
    }

    fn fill(&self, buffer: vk::Buffer, word: u32) {
        self.submit(
            |commands| unsafe { self.device.cmd_fill_buffer(commands, buffer, 0, vk::WHOLE_SIZE, word) },
            None,
            None,
        );
        self.finish();
    }

    /// The first words of a buffer, as Vulkan reads them after `wait`.
    fn read(&self, buffer: vk::Buffer, len: usize, wait: Option<vk::Semaphore>) -> Vec<u32> {
        let host = self
            .buffer(vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT, false);
        let region = [vk::BufferCopy::default().size(4 * len as u64)];
        let copy = |commands| unsafe { self.device.cmd_copy_buffer(commands, buffer, host.object, &region) };
        self.submit(copy, wait, None);
        self.finish();
        self.host_words(&host, len)
    }

    fn host_words(&self, host: &Bound<vk::Buffer>, len: usize) -> Vec<u32> {
        let flags = vk::MemoryMapFlags::empty();
        let start: *mut c_void =
            unsafe { self.device.map_memory(host.memory, 0, vk::WHOLE_SIZE, flags) }.unwrap();
        unsafe { std::slice::from_raw_parts(start.cast::<u32>(), len) }.to_vec()
    }

    /// Writes numbers from `first` on, by a kernel.
    fn write(&self, buffer: &DeviceBuf<u32>, first: u32) {
        let config = LaunchConfig::new(1, buffer.len() as u32);
        // SAFETY: as many threads as words, on the stream of the buffer.
        unsafe { self.numbers.launch(config, &self.stream, (buffer.ptr(), first)) }.unwrap();
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

fn numbers(first: u32) -> Vec<u32> {
    (first..first + 32).collect()
}

#[test]
fn kernel_writes_a_buffer_that_vulkan_reads() {
    let scene = scene!();
    for (is_dedicated, flags) in [(false, NO_FLAGS), (true, ExternalMemoryFlags::DEDICATED)] {
        let theirs = scene.exported_buffer(is_dedicated);
        let memory = scene.import(&theirs, flags);
        let buffer = scene.map(&memory, 32);
        scene.write(&buffer, 7);
        scene.stream.synchronize().unwrap();
        assert_eq!(scene.read(theirs.object, 32, None), numbers(7));
        drop(memory);
        buffer.close().unwrap();
    }
}

#[test]
fn vulkan_writes_a_buffer_that_cuda_reads() {
    let scene = scene!();
    let theirs = scene.exported_buffer(false);
    let memory = scene.import(&theirs, NO_FLAGS);
    let mut buffer = scene.map(&memory, BYTES as usize / 4);
    for word in [0x0102_0304, 0x0506_0708] {
        scene.fill(theirs.object, word);
        assert!(buffer.to_vec().unwrap().iter().all(|found| *found == word));
        buffer.slice_mut(..1).unwrap().copy_from_host(&[word + 1]).unwrap();
        assert_eq!(scene.read(theirs.object, 2, None), [word + 1, word]);
    }
    // SAFETY: Vulkan does not use them any more.
    unsafe {
        scene.device.destroy_buffer(theirs.object, None);
        scene.device.free_memory(theirs.memory, None);
    }
    assert_eq!(buffer.slice(..2).unwrap().to_vec().unwrap(), [0x0506_0709, 0x0506_0708], "it stays");
}

#[test]
fn timeline_semaphore_orders_both_sides() {
    let scene = scene!();
    let (theirs, ours) = scene.semaphore(vk::SemaphoreType::TIMELINE);
    let shared = scene.exported_buffer(true);
    let buffer = scene.map(&scene.import(&shared, ExternalMemoryFlags::DEDICATED), 32);
    let stream = &scene.stream;
    for round in 0..3_u32 {
        let turn = u64::from(round) * 2;
        stream.wait_semaphores(&[SemaphoreWait::value(&ours, turn + 1)]).unwrap();
        scene.write(&buffer, round);
        stream.signal_semaphores(&[SemaphoreSignal::value(&ours, turn + 2)]).unwrap();
        assert!(!stream.is_done().unwrap(), "it waits for Vulkan");
        scene.signal(theirs, turn + 1);
        scene.wait(theirs, turn + 2);
        assert_eq!(scene.value(theirs), turn + 2);
        assert_eq!(scene.read(shared.object, 32, None), numbers(round));
    }
    stream.wait_semaphores(&[SemaphoreWait::value(&ours, 1)]).unwrap();
    stream.synchronize().unwrap();
    ours.close().unwrap();
}

#[test]
fn binary_semaphores_order_both_sides() {
    let scene = scene!();
    let ((their_first, first), (their_second, second)) =
        (scene.semaphore(vk::SemaphoreType::BINARY), scene.semaphore(vk::SemaphoreType::BINARY));
    let shared = scene.exported_buffer(false);
    let buffer = scene.map(&scene.import(&shared, NO_FLAGS), 32);
    for round in 0..3 {
        let fill = |commands| unsafe {
            scene.device.cmd_fill_buffer(commands, shared.object, 0, vk::WHOLE_SIZE, 9);
        };
        scene.submit(fill, None, Some(their_first));
        scene.stream.wait_semaphores(&[SemaphoreWait::binary(&first)]).unwrap();
        scene.write(&buffer, round);
        scene.stream.signal_semaphores(&[SemaphoreSignal::binary(&second)]).unwrap();
        assert_eq!(scene.read(shared.object, 33, Some(their_second)), [numbers(round), vec![9]].concat());
    }
}

#[test]
fn graphs_signal_and_wait_at_each_launch() {
    let scene = scene!();
    let (theirs, ours) = scene.semaphore(vk::SemaphoreType::TIMELINE);
    let shared = scene.exported_buffer(true);
    let mut buffer = scene.map(&scene.import(&shared, ExternalMemoryFlags::DEDICATED), 32);
    let (mut captured, ()) = Graph::capture(&scene.context, CaptureOptions::new(), |capture| {
        capture.wait_semaphores(&[SemaphoreWait::value(&ours, 1)])?;
        capture.fill(&mut buffer, 5_u32)?;
        capture.signal_semaphores(&[SemaphoreSignal::value(&ours, 2)])
    })
    .unwrap();
    let mut built = Graph::new(&scene.context).unwrap();
    let wait = built.semaphore_wait(&[], &[SemaphoreWait::value(&ours, 3)]).unwrap();
    built.semaphore_signal(&[wait.any()], &[SemaphoreSignal::value(&ours, 4)]).unwrap();
    drop(ours); // the graphs keep it
    let mut program = captured.instantiate(Default::default()).unwrap();
    program.launch(&scene.stream).unwrap();
    assert!(!scene.stream.is_done().unwrap());
    scene.signal(theirs, 1);
    scene.wait(theirs, 2);
    assert_eq!(scene.read(shared.object, 32, None), [5; 32]);
    let mut program = built.instantiate(Default::default()).unwrap();
    program.launch(&scene.stream).unwrap();
    scene.signal(theirs, 3);
    scene.wait(theirs, 4);
    scene.stream.synchronize().unwrap();
}

#[test]
fn dropped_semaphore_lives_until_its_wait_ends() {
    let scene = scene!();
    let (theirs, ours) = scene.semaphore(vk::SemaphoreType::TIMELINE);
    scene.stream.wait_semaphores(&[SemaphoreWait::value(&ours, 1)]).unwrap();
    ours.close().unwrap(); // does not wait
    assert!(!scene.stream.is_done().unwrap());
    scene.signal(theirs, 1);
    scene.stream.synchronize().unwrap();
}

#[test]
fn image_of_vulkan_is_read_and_painted() {
    let scene = scene!();
    let theirs = scene.image();
    let range = |base_mip_level, level_count| vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level,
        level_count,
        base_array_layer: 0,
        layer_count: 1,
    };
    let clear = |commands| {
        let barrier = vk::ImageMemoryBarrier::default()
            .image(theirs.object)
            .new_layout(vk::ImageLayout::GENERAL)
            .dst_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .subresource_range(range(0, 3));
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let none = vk::DependencyFlags::empty();
        unsafe { scene.device.cmd_pipeline_barrier(commands, all, all, none, &[], &[], &[barrier]) };
        for level in 0..3 {
            let color = vk::ClearColorValue { float32: [(level + 1) as f32 / 255.0, 0.0, 0.0, 1.0] };
            let (layout, ranges) = (vk::ImageLayout::GENERAL, [range(level, 1)]);
            unsafe { scene.device.cmd_clear_color_image(commands, theirs.object, layout, &color, &ranges) };
        }
    };
    scene.submit(clear, None, None);
    scene.finish();
    let memory = scene.import(&theirs, ExternalMemoryFlags::DEDICATED);
    let descriptor = ArrayDescriptor::plane(64, 32, ArrayFormat::UNSIGNED_INT8, 4).surface();
    // SAFETY: the form of the image, which Vulkan uses before and after.
    let image = unsafe { memory.mipmapped_array(&scene.stream, 0, descriptor, 3) }.unwrap();
    drop(memory);
    for level in 0..3 {
        let texels = image.level(level).unwrap().to_vec::<[u8; 4]>().unwrap();
        assert_eq!(texels.len(), (64 >> level) * (32 >> level));
        assert!(texels.iter().all(|texel| *texel == [level as u8 + 1, 0, 0, 255]), "level {level}");
    }
    let largest = image.level(0).unwrap();
    let object = SurfObject::new(&scene.context, &largest).unwrap();
    let kernel = Module::from_ptx(&scene.context, PTX).unwrap().function("paint").unwrap();
    let kernel = kernel.typed::<(SurfHandle,)>().unwrap();
    // SAFETY: 64 threads write the first row, on the stream of the image.
    unsafe { kernel.launch(LaunchConfig::new(1, 64), &scene.stream, (object.handle(),)) }.unwrap();
    scene.stream.synchronize().unwrap();
    let host =
        scene.buffer(vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT, false);
    let copy =
        |commands| {
            let layers = vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            };
            let region = vk::BufferImageCopy::default()
                .image_subresource(layers)
                .image_extent(vk::Extent3D { width: 64, height: 32, depth: 1 });
            let layout = vk::ImageLayout::GENERAL;
            unsafe {
                scene.device.cmd_copy_image_to_buffer(commands, theirs.object, layout, host.object, &[region])
            };
        };
    scene.submit(copy, None, None);
    scene.finish();
    let texels = scene.host_words(&host, 128);
    assert_eq!(texels[..64], [0x1122_3344; 64]);
    assert_eq!(texels[64..], [0xff00_0001; 64]);
}
