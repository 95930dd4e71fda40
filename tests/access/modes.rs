//! Launches with an access check: each way to launch, and each way to choose the mode.

use super::*;
use crate::reports::{told, with_reports};
use crate::rows::{foreign, host_address, managed, of_a_strange_pool, pool, unknown};
use cuda_rt::access::{AccessCheck, AccessError, MemoryKind, Parts};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::{Arg, ByValue};
use cuda_rt::launch::{KernelArg, LaunchAttributes, PackedArgs};
use cuda_rt::memory::{MemLocation, RegisterFlags, RegisteredBuf};
use cuda_rt::surface::{SurfHandle, SurfObject};
use cuda_rt::texture::{TexHandle, TextureDescriptor};
use cuda_rt::{PinnedBuf, TexObject};
use cuda_sys::Symbol;

use AccessCheck::{Checked, Relaxed, Strict};
use cuda_suite::invalid;

type Pointers = (DevicePtr<u32>, DevicePtr<u32>);

const ONE: LaunchConfig = LaunchConfig { grid: [1; 3], block: [1; 3], shared_bytes: 0 };
const CHECKS: [AccessCheck; 3] = [Relaxed, Checked, Strict];

/// A kernel that marks its first argument and leaves the other alone.
struct Marker {
    stream: Stream,
    to: DeviceBuf<u32>,
    kernel: Kernel<Pointers>,
}

impl Marker {
    fn new(context: &Context) -> Marker {
        Marker { stream: Stream::new(context).unwrap(), to: plain(context), kernel: kernel(context, "mark") }
    }

    /// Returns whether the kernel has run since the last question.
    fn has_run(&mut self) -> bool {
        self.stream.synchronize().unwrap();
        let ran = self.to.to_vec().unwrap()[0] == 1;
        self.to.fill_zero().unwrap();
        self.stream.context().synchronize().unwrap();
        ran
    }

    fn launch_checked(
        &mut self,
        check: AccessCheck,
        other: (DevicePtr<u32>, &dyn Memory),
    ) -> cuda_rt::Result<()> {
        let args = (Arg(self.to.ptr(), &self.to), Arg(other.0, other.1));
        // SAFETY: the kernel writes a word of a live buffer.
        let launched = unsafe { self.kernel.with(ONE).access_check(check).launch(&self.stream, args) };
        assert_eq!(self.has_run(), launched.is_ok(), "{check:?}");
        launched
    }
}

/// Launches the kernel on the stream with these arguments.
type Launch = fn(Kernel<Pointers>, &Stream, Pointers) -> cuda_rt::Result<()>;

/// Every way to launch a kernel with an access check.
// SAFETY (of all): the kernel writes a word of a live buffer, and leaves the other address alone.
#[allow(clippy::undocumented_unsafe_blocks)]
const LAUNCHES: [(&str, Launch); 12] = [
    ("launch", |kernel, stream, args| unsafe { kernel.launch(ONE, stream, args) }),
    ("attributes", |kernel, stream, args| unsafe {
        kernel.with(ONE).attributes(&LaunchAttributes::new().priority(0)).launch(stream, args)
    }),
    ("no attributes", |kernel, stream, args| unsafe {
        kernel.with(ONE).attributes(&LaunchAttributes::new()).launch(stream, args)
    }),
    ("attributes, cooperative", |kernel, stream, args| unsafe {
        let attributes = LaunchAttributes::new().priority(0);
        kernel.with(ONE).attributes(&attributes).cooperative().launch(stream, args)
    }),
    ("cooperative", |kernel, stream, args| unsafe { kernel.with(ONE).cooperative().launch(stream, args) }),
    ("timed", |kernel, stream, args| unsafe { kernel.with(ONE).timed(stream, args) }.map(drop)),
    ("builder", |kernel, stream, args| unsafe { kernel.with(ONE).launch(stream, args) }),
    ("timed, with attributes", |kernel, stream, args| {
        let attributes = LaunchAttributes::new().priority(0);
        unsafe { kernel.with(ONE).attributes(&attributes).timed(stream, args) }.map(drop)
    }),
    ("packed", |kernel, stream, args| {
        let mut packed = PackedArgs::new();
        packed.push(9_u8);
        packed.clear();
        packed.push(args.0);
        packed.push(args.1);
        let launch = kernel.function().with(ONE).access_check(kernel.access_check());
        unsafe { launch.launch(stream, &packed) }
    }),
    ("access_check", |kernel, stream, args| {
        // The policy of the kernel itself does not matter.
        let check = kernel.access_check();
        let other = if check == Strict { Relaxed } else { Strict };
        unsafe { kernel.with_access_check(other).with(ONE).access_check(check).launch(stream, args) }
    }),
    ("a clone", |kernel, stream, args| unsafe { kernel.clone().launch(ONE, stream, args) }),
    ("typed anew", |kernel, stream, args| {
        let again = unsafe { kernel.function().typed_unchecked::<Pointers>() };
        unsafe { again.with_access_check(kernel.access_check()).launch(ONE, stream, args) }
    }),
];

#[test]
fn the_table_of_modes() {
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let (own, far) = (pooled(&two.near), plain(&two.far));
    let pinned = PinnedBuf::<u32>::zeroed(&two.near, 1).unwrap();
    // Cases with the expected outcome in each mode.
    let arguments = [
        ("own", own.ptr(), [true, true, true]),
        ("accessible", pinned.device_ptr().unwrap(), [true, true, false]),
        ("inaccessible", far.ptr(), [true, false, false]),
        ("unverified", DevicePtr::from_raw(0x10), [true, true, false]),
        ("null", DevicePtr::null(), [true, true, true]),
    ];
    for (way, launch) in LAUNCHES {
        for (what, pointer, passes) in arguments {
            for (check, passes) in CHECKS.into_iter().zip(passes) {
                let kernel = marker.kernel.clone().with_access_check(check);
                let args = (marker.to.ptr(), pointer);
                let launched = with_reports(|_| {}, || launch(kernel, &marker.stream, args));
                assert_eq!(launched.is_ok(), passes, "{way}, {what}, {check:?}: {launched:?}");
                assert_eq!(marker.has_run(), passes, "{way}, {what}, {check:?}");
                if let Err(error) = launched {
                    assert_eq!(error.kind(), ErrorKind::AccessDenied, "{error}");
                    let error = error.context::<AccessError>().unwrap();
                    assert_eq!((error.parameter, error.check), (1, check));
                    assert_eq!((&*error.kernel, error.launch), ("mark", device(0)));
                }
            }
        }
    }
}

#[test]
#[allow(deprecated)]
fn launches_on_several_devices() {
    use cuda_rt::launch::{MultiDeviceFlags, launch_cooperative_multi_device};
    let two = Two::alike();
    let mut markers = [&two.near, &two.far].map(Marker::new);
    let (near, far) = (pooled(&two.near), pooled(&two.far));
    for (check, swapped) in CHECKS.map(|check| EITHER.map(|swapped| (check, swapped))).concat() {
        let kernels = [0, 1].map(|number| markers[number].kernel.clone().with_access_check(check));
        let others = if swapped { [far.ptr(), near.ptr()] } else { [near.ptr(), far.ptr()] };
        let list = [0, 1].map(|number| {
            (&kernels[number], &markers[number].stream, (markers[number].to.ptr(), others[number]))
        });
        // SAFETY: the kernel writes a word of a live buffer.
        let launched = unsafe { launch_cooperative_multi_device(ONE, &list, MultiDeviceFlags::empty()) };
        let passes = check == Relaxed || !swapped;
        let refused = launched.map_err(|error| error.kind()).err();
        assert_eq!(refused, (!passes).then_some(ErrorKind::AccessDenied), "{check:?} {swapped}");
        assert_eq!(markers.each_mut().map(Marker::has_run), [passes; 2]);
    }
}

#[test]
fn addresses_in_structures_and_arrays() {
    #[derive(Clone, Copy, KernelArg)]
    #[repr(C)]
    struct Views {
        data: DevicePtr<u32>,
        indices: DevicePtr<u32>,
    }
    /// The same arguments, without their owners.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    struct Silent(Views);
    // SAFETY: two pointers, as in C.
    unsafe impl KernelArg for Silent {}

    fn launches<T: KernelArg>(marker: &mut Marker, other: T) -> [bool; 3] {
        let kernel = kernel::<(DevicePtr<u32>, T)>(marker.stream.context(), "marks");
        CHECKS.map(|check| {
            let kernel = kernel.clone().with_access_check(check);
            // SAFETY: the kernel writes a word of a live buffer, and takes 16 bytes beside it.
            let launched = unsafe { kernel.launch(ONE, &marker.stream, (marker.to.ptr(), other)) };
            let mut packed = PackedArgs::new();
            packed.push(marker.to.ptr());
            packed.push(other);
            assert_eq!(marker.has_run(), launched.is_ok());
            // SAFETY: as above.
            let launch = kernel.function().with(ONE).access_check(check);
            // SAFETY: as above.
            let packed = unsafe { launch.launch(&marker.stream, &packed) };
            assert_eq!((packed.is_ok(), marker.has_run()), (launched.is_ok(), launched.is_ok()));
            if let Err(error) = launched {
                assert_eq!(error.kind(), ErrorKind::AccessDenied, "{error}");
                let error = error.context::<AccessError>().unwrap();
                assert_eq!((error.parameter, error.parameter_type), (1, std::any::type_name::<T>()));
            }
            packed.is_ok()
        })
    }
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let (own, far) = (pooled(&two.near), plain(&two.far));
    let (own, far) = (own.ptr(), far.ptr());
    let views = |data, indices| Views { data, indices };
    assert_eq!(launches(&mut marker, views(own, own)), [true; 3]);
    assert_eq!(launches(&mut marker, views(far, own)), [true, false, false]);
    assert_eq!(launches(&mut marker, views(own, far)), [true, false, false]);
    assert_eq!(launches(&mut marker, [own, own]), [true; 3]);
    assert_eq!(launches(&mut marker, [own, far]), [true, false, false]);
    assert_eq!(launches(&mut marker, [[far], [DevicePtr::null()]]), [true, false, false]);
    // The driver knows nothing of these.
    assert_eq!(launches(&mut marker, Silent(views(far, far))), [true; 3]);
    assert_eq!(launches(&mut marker, ByValue([far.as_raw(); 2])), [true; 3]);
}

/// As driver calls, with the functions' names.
fn calls_of(two: &Two, work: impl FnOnce() -> cuda_rt::Result<()>) -> Vec<Symbol> {
    let _ = two.machine.take_calls();
    work().unwrap();
    let calls = two.machine.take_calls().iter().map(|call| call.function).collect();
    two.near.synchronize().unwrap();
    calls
}

#[test]
fn relaxed_launches_ask_nothing() {
    let two = Two::alike();
    let marker = Marker::new(&two.near);
    let (own, far) = (pooled(&two.near), plain(&two.far));
    let Marker { stream, to, kernel } = &marker;
    assert_eq!(kernel.access_check(), Relaxed);
    two.machine.record_calls();
    let raw = || {
        let (mut first, mut second) = (to.ptr(), far.ptr());
        let mut list = [(&raw mut first).cast(), (&raw mut second).cast()];
        // SAFETY: the kernel writes a word of a live buffer; these are its parameters.
        unsafe { kernel.function().launch_raw(ONE, stream, list.as_mut_ptr()) }
    };
    let unchecked = calls_of(&two, raw);
    assert_eq!(unchecked.iter().filter(|call| **call == Symbol::cuLaunchKernel).count(), 1);
    // SAFETY: the kernel writes a word of a live buffer.
    let plainly = calls_of(&two, || unsafe { kernel.launch(ONE, stream, (to.ptr(), far.ptr())) });
    assert_eq!(plainly, unchecked);
    let args = (Arg(to.ptr(), to), Arg(far.ptr(), &far));
    // SAFETY: as above.
    let with_owners =
        calls_of(&two, || unsafe { kernel.with(ONE).access_check(Relaxed).launch(stream, args) });
    assert_eq!(with_owners, unchecked);
    // Other modes make no driver call either, if the named owners belong to the context.
    let args = (Arg(to.ptr(), to), Arg(own.ptr(), &own));
    for check in [Checked, Strict] {
        // SAFETY: as above.
        let own = calls_of(&two, || unsafe { kernel.with(ONE).access_check(check).launch(stream, args) });
        assert_eq!(own, unchecked);
    }
    // Without owners, the driver is asked for the owners of the addresses.
    let strict = kernel.clone().with_access_check(Strict);
    // SAFETY: as above.
    let asked = calls_of(&two, || unsafe { strict.launch(ONE, stream, (to.ptr(), own.ptr())) });
    assert_eq!(asked.iter().filter(|call| **call == Symbol::cuPointerGetAttributes).count(), 2);
    // Arguments without types are not checked.
    let mut list = [to.ptr(), far.ptr()];
    let list = list.each_mut().map(|address| std::ptr::from_mut(address).cast());
    let unlooked = calls_of(&two, || {
        // SAFETY: as above.
        unsafe { strict.function().launch_raw(ONE, stream, list.clone().as_mut_ptr()) }
    });
    assert_eq!(unlooked, unchecked);
}

#[test]
fn kernel_and_stream_belong_together_in_every_mode() {
    let two = Two::alike();
    let (marker, elsewhere) = (Marker::new(&two.near), Stream::new(&two.far).unwrap());
    for (way, launch) in LAUNCHES {
        for check in CHECKS {
            let kernel = marker.kernel.clone().with_access_check(check);
            let error = launch(kernel, &elsewhere, (marker.to.ptr(), DevicePtr::from_raw(0x10))).unwrap_err();
            let (first, second) = ("the kernel", "the stream");
            assert_eq!(
                error,
                invalid(format!("{first} and {second} belong to different contexts;")),
                "{way} {check:?}"
            );
        }
    }
    // Another handle to the context is as good.
    // SAFETY: the context is live, and stays.
    let same =
        unsafe { Context::from_raw_with_owner(two.near.as_raw(), Box::new(two.near.clone())) }.unwrap();
    let stream = Stream::new(&same).unwrap();
    for check in CHECKS {
        let kernel = marker.kernel.clone().with_access_check(check);
        // SAFETY: the kernel writes a word of a live buffer.
        unsafe { kernel.launch(ONE, &stream, (marker.to.ptr(), marker.to.ptr())) }.unwrap();
    }
    stream.synchronize().unwrap();
}

#[test]
fn first_refused_memory_is_reported() {
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let far = plain(&two.far);
    let args = (Arg(marker.to.ptr(), &far), Arg(far.ptr(), &far));
    // SAFETY: the kernel writes a word of a live buffer.
    let error =
        unsafe { marker.kernel.with(ONE).access_check(Checked).launch(&marker.stream, args) }.unwrap_err();
    assert_eq!(error.context::<AccessError>().unwrap().parameter, 0, "{error}");
    assert!(!marker.has_run());
    // If an argument has several pieces, each is checked.
    let own = pooled(&two.near);
    let parts: [&dyn Memory; 3] = [&own, &None::<Vec<u8>>, &far];
    assert!(marker.launch_checked(Checked, (own.ptr(), &Parts(&parts))).is_err());
    marker.launch_checked(Strict, (own.ptr(), &Parts(&parts[..2]))).unwrap();
    // An empty buffer has no memory, so its context does not matter.
    let nothing = far.slice(4..).unwrap();
    marker.launch_checked(Strict, (nothing.ptr(), &nothing)).unwrap();
    marker.launch_checked(Strict, (far.ptr(), &Vec::<u8>::new())).unwrap();
}

fn refused(launched: cuda_rt::Result<()>) -> AccessError {
    launched.unwrap_err().context::<AccessError>().unwrap().clone()
}

/// A refusal by these arguments' second, beginning with what it says after the parameter.
fn texts(marker: &mut Marker, check: AccessCheck, memory: &dyn Memory) -> String {
    let error = refused(marker.launch_checked(check, (DevicePtr::null(), memory)));
    let text = error.to_string();
    let begin = "launching `mark`: parameter 1 (the second, `DevicePtr<u32>`): ";
    text.strip_prefix(begin).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn refusals_name_a_way_to_get_access() {
    let two = Two::new(vec![Profile::H200, Profile::H200]);
    let marker = &mut Marker::new(&two.near);
    let look = "; `AccessCheck::Relaxed` does not check";
    let out = "is out of reach for kernels on device 0: ";
    let list = vec![1_u32];
    let far = plain(&two.far);
    let other = own(0);
    let module = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 n = 7;";
    let variable = |context: &Context| Module::from_ptx(context, module).unwrap().global::<u32>("n").unwrap();
    let pools = "open the pool (`MemPool::set_access`, `Context::enable_peer_access`) or copy it to device 0";
    let peers = "turn peer access on (`Context::enable_peer_access`) or copy it to device 0";
    let pool = pool(1);
    let inaccessible: [(&dyn Memory, String); 7] = [
        (
            &list,
            format!(
                "pageable host memory {out}page-lock it (`PinnedBuf`, `RegisteredBuf`) or copy it to device 0"
            ),
        ),
        (&far, format!("plain device memory of device 1 {out}{peers}")),
        (&pooled(&two.far), format!("memory of a pool of device 1 {out}{pools}")),
        (&buffer(&two.far, &pool), format!("memory of a pool of device 1 {out}{pools}")),
        (
            &plain(&other),
            format!(
                "plain device memory of another context of device 0 {out}copy it to memory of the kernel's context"
            ),
        ),
        (&variable(&two.far), format!("a variable of a module of device 1 {out}copy it to device 0")),
        (
            &variable(&other),
            format!(
                "a variable of a module of another context of device 0 {out}copy it to memory of the kernel's context"
            ),
        ),
    ];
    for (memory, text) in inaccessible {
        for check in [Checked, Strict] {
            assert_eq!(texts(marker, check, memory), format!("{text}{look}"));
        }
    }

    let unverified = "cannot be verified to be within reach of kernels on device 0: ";
    let strange = of_a_strange_pool(&two.far).1;
    let owner = "hand over its owner (`launch::Arg`) or copy it to device 0";
    let to_pool = "hand over the pool (`MemoryOrigin::of_pool`) or copy it to device 0";
    let cannot: [(&dyn Memory, String); 2] = [
        (&unknown(&two.far), format!("memory that the driver does not know of device 1 {unverified}{owner}")),
        (&foreign(&two.far, strange), format!("memory of a pool of device 1 {unverified}{to_pool}")),
    ];
    for (memory, text) in cannot {
        assert_eq!(texts(marker, Strict, memory), format!("{text}{look}"));
    }
    let launch = marker.kernel.clone().with_access_check(Strict);
    // SAFETY: the kernel writes a word of a live buffer.
    let bare = unsafe { launch.launch(ONE, &marker.stream, (marker.to.ptr(), DevicePtr::from_raw(0x10))) };
    assert_eq!(
        refused(bare).to_string(),
        format!(
            "launching `mark`: parameter 1 (the second, `DevicePtr<u32>`): memory that the driver does not know \
             {unverified}{owner}{look}"
        )
    );

    let within = "is within reach of kernels on device 0, but is not its own: copy it to device 0; `AccessCheck::Checked` \
                  lets it pass";
    let pinned = PinnedBuf::<u32>::zeroed(&two.near, 1).unwrap();
    let locked = RegisteredBuf::new(&two.near, vec![7_u32; 2048], RegisterFlags::default()).unwrap();
    let _access = two.near.peer_access(&two.far).unwrap();
    let accessible: [(&dyn Memory, &str); 5] = [
        (&pinned, "pinned memory"),
        (&locked, "registered host memory"),
        (&far, "plain device memory of device 1"),
        (&pooled(&two.far), "memory of a pool of device 1"),
        (&managed(&two.far), "managed memory of device 1"),
    ];
    for (memory, what) in accessible {
        assert_eq!(texts(marker, Strict, memory), format!("{what} {within}"));
        marker.launch_checked(Checked, (DevicePtr::null(), memory)).unwrap();
    }
}

#[test]
fn refusals_of_managed_memory() {
    let two = Two::new(vec![h200(&[(MANAGED_MEMORY, 0)]), Profile::H200]);
    let marker = &mut Marker::new(&two.near);
    assert_eq!(
        texts(marker, Checked, &managed(&two.far)),
        "managed memory of device 1 is out of reach for kernels on device 0: copy it to device 0; `AccessCheck::Relaxed` \
         does not check"
    );
}

#[test]
fn access_error_names_kernel_parameter_and_memory() {
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let far = pooled(&two.far);
    let whole = marker.launch_checked(Checked, (far.ptr(), &far)).unwrap_err();
    let error = whole.context::<AccessError>().unwrap();
    assert_eq!(&*error.kernel, "mark");
    assert_eq!((error.parameter, error.check, error.access), (1, Checked, Access::Inaccessible));
    assert_eq!(error.parameter_type, std::any::type_name::<DevicePtr<u32>>());
    assert_eq!((error.kind, error.location), (Some(MemoryKind::Pool), Some(MemLocation::device(device(1)))));
    assert_eq!(error.launch, device(0));
    assert_eq!(whole.kind(), ErrorKind::AccessDenied);
    assert_eq!(whole.to_string(), error.to_string());
    assert_eq!((whole.code(), whole.is_sticky()), (None, false));
    let error = refused(marker.launch_checked(Checked, (DevicePtr::null(), &vec![1])));
    assert_eq!((error.kind, error.location), (Some(MemoryKind::Pageable), Some(MemLocation::HOST)));
}

/// Memory of a pool of the device and managed memory of the device are like memory of the context. Memory of another context
/// of the device is not.
#[test]
fn memory_of_the_device_counts_as_own() {
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let other = own(0);
    let (pooled, plain) = (pooled(&other), plain(&other));
    marker.launch_checked(Strict, (pooled.ptr(), &pooled)).unwrap();
    marker.launch_checked(Strict, (pooled.ptr(), &pooled.as_slice())).unwrap();
    let strict = marker.kernel.clone().with_access_check(Strict);
    // SAFETY: the kernel writes a word of a live buffer.
    unsafe { strict.launch(ONE, &marker.stream, (marker.to.ptr(), pooled.ptr())) }.unwrap();
    assert!(marker.has_run());
    assert!(marker.launch_checked(Checked, (plain.ptr(), &plain)).is_err());
    let list = vec![1_u32];
    assert!(marker.launch_checked(Checked, (host_address(&list), &list)).is_err());
}

#[test]
fn textures_are_of_their_own_context() {
    let two = Two::alike();
    two.near.enable_peer_access(&two.far).unwrap();
    two.far.enable_peer_access(&two.near).unwrap();
    let (stream, to) = (Stream::new(&two.near).unwrap(), plain(&two.near));
    let sample = kernel::<(DevicePtr<u32>, TexHandle)>(&two.near, "mark");
    let store = kernel::<(DevicePtr<u32>, SurfHandle)>(&two.near, "mark");
    for (context, passes) in [(&two.near, true), (&two.far, false), (&own(0), false)] {
        let flags = ArrayFlags::SURFACE_LDST;
        let described = ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1).with_flags(flags);
        let array = Array::new(&Stream::new(context).unwrap(), described).unwrap();
        let texture = TexObject::new(context, &array, &TextureDescriptor::default()).unwrap();
        let surface = SurfObject::new(context, &array).unwrap();
        for check in CHECKS {
            let args = (Arg(to.ptr(), &to), Arg(texture.handle(), &texture));
            // SAFETY: the kernel writes a word of a live buffer, and samples nothing.
            let sampled = unsafe { sample.with(ONE).access_check(check).launch(&stream, args) };
            let args = (Arg(to.ptr(), &to), Arg(surface.handle(), &surface));
            // SAFETY: as above.
            let stored = unsafe { store.with(ONE).access_check(check).launch(&stream, args) };
            assert_eq!([sampled.is_ok(), stored.is_ok()], [passes; 2], "{check:?}");
            if passes {
                continue;
            }
            let owner = match context.device().as_raw() {
                0 => "another context of device 0".to_owned(),
                device => format!("device {device}"),
            };
            for (error, handle) in [(sampled, "TexHandle"), (stored, "SurfHandle")] {
                let error = refused(error);
                assert_eq!((error.check, error.access), (check, Access::Inaccessible));
                assert_eq!(
                    error.to_string(),
                    format!(
                        "launching `mark`: parameter 1 (the second, `{handle}`): a texture or surface of {owner} is out of \
                         reach for kernels on device 0: make it in the kernel's context"
                    )
                );
            }
        }
    }
    two.near.synchronize().unwrap();
}

/// An access check enables and disables access. After the launch, access must be as before.
#[test]
fn access_check_does_not_leave_access_on() {
    let two = Two::alike();
    let mut marker = Marker::new(&two.near);
    let far = plain(&two.far);
    for check in [Checked, Strict] {
        assert!(marker.launch_checked(check, (far.ptr(), &far)).is_err());
        assert!(!two.near.peer_access_state(&two.far).is_enabled().unwrap());
    }
    let _access = two.near.peer_access(&two.far).unwrap();
    marker.launch_checked(Checked, (far.ptr(), &far)).unwrap();
    assert!(two.near.peer_access_state(&two.far).is_enabled().unwrap());
    assert_eq!(told(|| marker.launch_checked(Checked, (far.ptr(), &far)).unwrap()), 0);
}
