//! Linking of texts in PTX. Each text is compiled when it is added, and compared with those before. Names that are
//! missing at the end are refused. The result contains no machine code, but the texts themselves.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::modules::fat_binary::Refusal;
use crate::driver::modules::image_source::{self, Chosen, Source};
use crate::driver::modules::jit_options::Logs;
use crate::driver::modules::linked_image::LinkedImage;
use crate::driver::modules::module::{answer_to, target_of};
use crate::driver::modules::verbose_log;
use crate::driver::{Answer, Call, put, put_if_wanted};
use core::ffi::{CStr, c_char, c_uint, c_void};
use core::mem::ManuallyDrop;
use cuda_sim_engine::{CompileError, CompileErrorKind, Program, Text};
use cuda_sys::{
    CUdevice, CUjit_option, CUjit_option_enum as Jit, CUjitInputType, CUjitInputType_enum as Kind,
    CUlinkState, CUresult,
};
use std::sync::Arc;
use std::time::Instant;

/// Link in progress.
pub(crate) struct Linker {
    device: CUdevice,
    logs: Logs,
    /// Messages so far. The logs have all of them after each call (measured).
    info: String,
    error: String,
    inputs: Vec<Input>,
    /// True if the device runtime's library was added.
    has_device_runtime: bool,
    /// Code of a refused input that makes the whole link fail.
    failed: Option<CUresult>,
    /// True if completion was attempted. No call is valid after it (measured).
    ended: bool,
    /// Linked image, which only [`destroy`] frees. A program may read it on another thread while the machine is reset
    /// or ends.
    image: ManuallyDrop<Option<Arc<[u8]>>>,
}

/// Text that was added.
struct Input {
    name: String,
    text: Arc<[u8]>,
}

impl Linker {
    /// # Safety
    ///
    /// The logs' buffers match their description.
    unsafe fn say(&mut self, info: &str, error: &str) {
        for (all, more) in [(&mut self.info, info), (&mut self.error, error)] {
            if !all.is_empty() && !more.is_empty() {
                all.push('\n');
            }
            all.push_str(more.trim_end_matches('\n'));
        }
        // SAFETY: the caller's promise.
        unsafe { self.logs.write(&self.info, &self.error) };
    }

    /// Returns whether a text names a function of [`DEVICE_RUNTIME`], and the library was added.
    fn needs_device_runtime(&self) -> bool {
        let names = |text: &[u8]| {
            let has = |name: &str| text.windows(name.len()).any(|part| part == name.as_bytes());
            let has_either =
                |name: &str| ["cuda", "__cudaCDP2"].into_iter().any(|prefix| has(&format!("{prefix}{name}")));
            GRID_FUNCTIONS.into_iter().any(has) || DEVICE_FUNCTIONS.into_iter().any(has_either)
        };
        self.has_device_runtime && self.inputs.iter().any(|input| names(&input.text))
    }

    /// Limits the registers of a program as the link's options require.
    fn limit_registers(&self, program: &mut Program) {
        if let Some(most) = self.logs.registers {
            program.limit_registers(most);
        }
    }

    fn texts(&self) -> Vec<Text<'_>> {
        self.inputs.iter().map(|input| Text { name: &input.name, source: &input.text }).collect()
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn create(
    call: &mut Call<'_>,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    to: *mut CUlinkState,
) -> Answer {
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = call.state.live_context(call.context)?.device;
    // SAFETY: the program's promise, until the linker is destroyed.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the program's promise.
    if unsafe { list(options, count as usize) }?.contains(&Jit::CU_JIT_FALLBACK_STRATEGY) {
        // As documented, linking accepts only matching code.
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (info, error, inputs) = (String::new(), String::new(), Vec::new());
    let image = ManuallyDrop::new(None);
    let (has_device_runtime, failed, ended) = (false, None, false);
    let linker = Linker { device, logs, info, error, inputs, has_device_runtime, failed, ended, image };
    let handle = call.state.linkers.insert(linker);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn add_data(
    call: &mut Call<'_>,
    linker: CUlinkState,
    kind: CUjitInputType,
    data: *mut c_void,
    size: usize,
    name: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    let handle = find(call, linker)?;
    // No data has more bytes than a slice can have.
    if data.is_null() || size == 0 || size > isize::MAX as usize {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(call, count, options, values) }?;
    // SAFETY: not null; the program guarantees that the data of this kind is valid.
    let bytes = unsafe { image_source::of_kind(kind, data, size) };
    let name = if name.is_null() {
        String::new()
    } else {
        // SAFETY: not null, so a C string.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    };
    // SAFETY: the program's promise to `create`.
    unsafe { add(call, handle, kind, name, bytes) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn add_file(
    call: &mut Call<'_>,
    linker: CUlinkState,
    kind: CUjitInputType,
    path: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    let handle = find(call, linker)?;
    if path.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(call, count, options, values) }?;
    // SAFETY: not null, so a C string.
    let content = unsafe { image_source::read(path) }?;
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
    // SAFETY: the program's promise to `create`.
    unsafe { add(call, handle, kind, name, &content) }
}

fn find(call: &Call<'_>, linker: CUlinkState) -> Answer<Handle> {
    let handle = Handle::of(linker);
    call.state.linkers.get(handle).map(|_| handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

fn lacking(what: &str) -> CUresult {
    crate::console::say(&format!("linking {what} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"));
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// Checks the options of one input. Options of the whole link are not accepted here (documented for some, and
/// measured).
///
/// # Safety
///
/// Same as [`Logs::from_options`].
unsafe fn check_options(
    call: &Call<'_>,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    // SAFETY: the caller's promise.
    unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the caller's promise.
    let given = unsafe { list(options, count as usize) }?;
    let of_inputs = |option: &CUjit_option| {
        matches!(
            *option,
            Jit::CU_JIT_MAX_REGISTERS
                | Jit::CU_JIT_THREADS_PER_BLOCK
                | Jit::CU_JIT_OPTIMIZATION_LEVEL
                | Jit::CU_JIT_GENERATE_DEBUG_INFO
                | Jit::CU_JIT_LOG_VERBOSE
                | Jit::CU_JIT_GENERATE_LINE_INFO
                | Jit::CU_JIT_CACHE_MODE
                | Jit::CU_JIT_NEW_SM3X_OPT
                | Jit::CU_JIT_FAST_COMPILE
        ) || option.0 >= Jit::CU_JIT_POSITION_INDEPENDENT_CODE.0
    };
    if given.iter().all(of_inputs) { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}

/// First bytes of a library of object files.
const ARCHIVE: &[u8] = b"!<arch>\n";
/// First bytes of an object file.
const ELF: &[u8] = b"\x7fELF";

/// Functions of the device runtime's library, as a text that is linked in place of their machine code.
const DEVICE_RUNTIME: &str = include_str!("device_runtime.ptx");
/// Name of the object file that defines them.
const DEVICE_RUNTIME_OBJECT: &[u8] = b"cuda_device_runtime.o";
const GRID_FUNCTIONS: [&str; 2] = ["cudaCGSynchronize", "cudaCGGetIntrinsicHandle"];
/// The same, without the prefix of the name, which is `cuda` or `__cudaCDP2`.
const DEVICE_FUNCTIONS: [&str; 15] = [
    "GetParameterBufferV2",
    "LaunchDeviceV2",
    "StreamCreateWithFlags",
    "StreamDestroy",
    "StreamWaitEvent",
    "EventCreateWithFlags",
    "EventRecord",
    "EventDestroy",
    "PeekAtLastError",
    "GetLastError",
    "Malloc",
    "Free",
    "GetDevice",
    "GetDeviceCount",
    "RuntimeGetVersion",
];

/// Contents of an input.
enum Content {
    Text(Arc<[u8]>),
    /// Nothing for the device.
    Nothing,
    /// Library of object files. A link uses the functions that texts refer to. Their machine code is not linked here. A
    /// function that only they define stays unresolved, except those of [`DEVICE_RUNTIME`]. numba and PyCUDA add
    /// `libcudadevrt.a`.
    Library {
        is_device_runtime: bool,
    },
    /// Refused input, which may make the whole link fail.
    Wrong {
        code: CUresult,
        log: String,
        spoils: bool,
    },
}

/// Returns the contents of an input. Drivers ignore its kind if the first bytes are those of a text or a fat binary
/// (measured).
fn content(kind: CUjitInputType, bytes: &[u8], capability: u32) -> Answer<Content> {
    let wrong = |code, log: &str, spoils| Ok(Content::Wrong { code, log: log.to_owned(), spoils });
    let source = match kind {
        Kind::CU_JIT_INPUT_PTX | Kind::CU_JIT_INPUT_FATBINARY => Source::from_bytes(bytes)?,
        Kind::CU_JIT_INPUT_CUBIN => match Source::from_bytes(bytes)? {
            machine if machine.is_machine_code() => machine,
            _ => return wrong(CUresult::CUDA_ERROR_INVALID_IMAGE, "", true),
        },
        Kind::CU_JIT_INPUT_NVVM => {
            return wrong(CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "", true);
        }
        Kind::CU_JIT_INPUT_LIBRARY if bytes.starts_with(ARCHIVE) => {
            // A library without object files is refused (measured).
            let has = |part: &[u8]| bytes.windows(part.len()).any(|bytes| bytes == part);
            return if has(ELF) {
                Ok(Content::Library { is_device_runtime: has(DEVICE_RUNTIME_OBJECT) })
            } else {
                wrong(CUresult::CUDA_ERROR_INVALID_IMAGE, "", false)
            };
        }
        Kind(number) if number < Kind::CU_JIT_NUM_INPUT_TYPES.0 => {
            return Err(lacking("object files and libraries"));
        }
        _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    };
    match source.choose(capability) {
        Ok(Chosen::Text(text)) => Ok(Content::Text(text.into())),
        Ok(Chosen::Part(text)) => Ok(Content::Text(text.into())),
        Ok(Chosen::Linked(_)) => Err(lacking("what was linked")),
        Err(Refusal { code: CUresult::CUDA_ERROR_NOT_SUPPORTED, .. }) => {
            Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
        }
        Err(Refusal { code: CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU, .. }) if !source.is_machine_code() => {
            Ok(Content::Nothing)
        }
        Err(Refusal { code, log }) => wrong(code, log, source.is_machine_code()),
    }
}

/// # Safety
///
/// The logs' buffers match their description from the creation of the linker.
unsafe fn add(
    call: &mut Call<'_>,
    handle: Handle,
    kind: CUjitInputType,
    name: String,
    bytes: &[u8],
) -> Answer {
    let state = &mut *call.state;
    let linker = state.linkers.get(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if linker.ended {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    if let Some(code) = linker.failed {
        return Err(code);
    }
    let target = target_of(state, linker.device);
    let content = content(kind, bytes, target.number())?;
    let text: Arc<[u8]> = match &content {
        Content::Text(text) => text.split(|byte| *byte == 0).next().unwrap_or_default().into(),
        Content::Nothing | Content::Library { .. } | Content::Wrong { .. } => [].into(),
    };
    let begun = Instant::now();
    let compiled = Program::compile_part(&text, &target);
    let spent = begun.elapsed();
    let too_new = state.newer_ptx();
    let linker = state.linkers.get_mut(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let refusal = match (content, compiled) {
        (Content::Wrong { code, log, spoils }, _) => {
            linker.failed = Some(code).filter(|_| spoils);
            (code, log)
        }
        (Content::Library { is_device_runtime }, _) => {
            linker.has_device_runtime |= is_device_runtime;
            return Ok(());
        }
        (Content::Nothing, _) => {
            let info = format!(" No code for sm_{} in {name}; continuing.", target.number());
            // SAFETY: the caller's promise.
            unsafe { linker.say(&info, "") };
            return Ok(());
        }
        (Content::Text(_), Err(error)) if error.kind == CompileErrorKind::NotPtx => {
            let log = "error   : Binary format for key='0', ident='' is not recognized".to_owned();
            (CUresult::CUDA_ERROR_INVALID_IMAGE, log)
        }
        (Content::Text(_), Err(error)) => (answer_to(&error, too_new), error.log),
        (Content::Text(_), Ok(mut program)) => {
            linker.inputs.push(Input { name, text });
            linker.limit_registers(&mut program);
            let Err(error) = Program::fit(&linker.texts(), &target) else {
                let info = if linker.logs.verbose {
                    verbose_log::added(&program, &target, spent)
                } else {
                    String::new()
                };
                // SAFETY: the caller's promise.
                unsafe { linker.say(&info, "") };
                return Ok(());
            };
            let code = answer_to(&error, too_new);
            linker.failed = Some(code);
            (code, error.log)
        }
    };
    let (code, log) = refusal;
    // SAFETY: the caller's promise.
    unsafe { linker.say("", &log) };
    Err(code)
}

/// Returns the first function that a link lacks, if it lacks only functions of the device runtime's library, which
/// hardware finds there.
fn lacking_function(error: &CompileError) -> Option<&str> {
    let mut names = error.log.lines().filter_map(|line| line.split('\'').nth(1));
    let is_of_runtime = |name: &str| name.starts_with("cuda") || name.starts_with("__cudaCDP2");
    let is_lacking = error.kind == CompileErrorKind::Unlinked && names.clone().all(is_of_runtime);
    names.next().filter(|_| is_lacking)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn complete(
    call: &mut Call<'_>,
    linker: CUlinkState,
    to: *mut *mut c_void,
    size: *mut usize,
) -> Answer {
    let handle = find(call, linker)?;
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let state = &mut *call.state;
    let linker = state.linkers.get(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if linker.image.is_some() {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    if let Some(code) = linker.failed {
        return Err(code);
    }
    let target = target_of(state, linker.device);
    let needs_device_runtime = linker.needs_device_runtime();
    let too_new = state.newer_ptx();
    let linker = state.linkers.get_mut(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if needs_device_runtime {
        let (name, text) = ("libcudadevrt".to_owned(), DEVICE_RUNTIME.as_bytes().into());
        linker.inputs.push(Input { name, text });
    }
    let compiled = Program::compile_together(&linker.texts(), &target);
    linker.ended = true;
    let program = match compiled {
        Ok(mut program) => {
            linker.limit_registers(&mut program);
            program
        }
        Err(error) => {
            let code = match lacking_function(&error).filter(|_| linker.has_device_runtime) {
                Some(name) => lacking(&format!("`{name}` of the device runtime")),
                None => answer_to(&error, too_new),
            };
            linker.failed = Some(code);
            // SAFETY: the program's promise to `create`.
            unsafe { linker.say("", &error.log) };
            return Err(code);
        }
    };
    let info = if linker.logs.verbose { verbose_log::linked(&program, &target) } else { String::new() };
    // SAFETY: the program's promise to `create`.
    unsafe { linker.say(&info, "") };
    let texts = linker.inputs.iter().map(|input| &*input.text);
    let image: Arc<[u8]> = LinkedImage::write(target.number(), linker.logs.registers, texts).into();
    linker.image = ManuallyDrop::new(Some(Arc::clone(&image)));
    // SAFETY: the program's promise.
    unsafe { put(to, image.as_ptr().cast_mut().cast()) }?;
    // SAFETY: the program's promise; the size may be null.
    unsafe { put_if_wanted(size, image.len()) };
    Ok(())
}

pub(crate) fn destroy(call: &mut Call<'_>, linker: CUlinkState) -> Answer {
    let gone = call.state.linkers.remove(Handle::of(linker));
    gone.map(|linker| drop(ManuallyDrop::into_inner(linker.image))).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}
