//! Settings of core dumps, and functions of the program that are notified of core dumps.
//!
//! The driver makes no core dumps. A failure of a kernel is reported as usual, and the functions are never called. A
//! user trigger creates no pipe. Environment variables are not read.
//!
//! The settings are as measured. Registrations of functions were introduced in CUDA 13.2. They are as documented, and
//! not measured.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, check_out, put, put_if_wanted};
use core::ffi::{CStr, c_uint, c_void};
use cuda_sys::{
    CUCoredumpGenerationFlags as GenerationFlags, CUcoredumpCallbackHandle, CUcoredumpSettings,
    CUcoredumpSettings_enum as Attribute, CUcoredumpStatusCallback, CUctx_flags_enum as ContextFlags,
    CUresult,
};
use std::time::{SystemTime, UNIX_EPOCH};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Size of a text in bytes, with its NUL.
const TEXT: usize = 1024;

/// Flags that the attribute for lightweight core dumps sets (measured): one bit less than the flags with that name.
const LIGHTWEIGHT: c_uint = 0x2f;
const SKIP_ABORT: c_uint = GenerationFlags::CU_COREDUMP_SKIP_ABORT.0.cast_unsigned();

/// Settings of the process, or of a context.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    /// Byte that was set. Any value but 0 means true.
    is_enabled: u8,
    has_user_trigger: u8,
    file: Vec<u8>,
    pipe: Vec<u8>,
    flags: c_uint,
}

const USER: c_uint = ContextFlags::CU_CTX_USER_COREDUMP_ENABLE.0;
const ENABLE: c_uint = ContextFlags::CU_CTX_COREDUMP_ENABLE.0;

/// Returns the flags that a context reports (measured).
pub(crate) fn effective_flags(flags: c_uint) -> c_uint {
    if flags & USER == 0 { flags } else { flags & !USER | ENABLE }
}

impl Settings {
    /// Returns the settings of a new context: those of the process, changed by its flags.
    pub(crate) fn of_context(&mut self, flags: c_uint) -> Settings {
        if flags & USER != 0 {
            // This is the trigger of the process (measured).
            self.has_user_trigger = 1;
            if self.pipe.is_empty() {
                self.pipe = expand(b"corepipe_%h_%p");
            }
        }
        let enables = flags & (USER | ENABLE) != 0;
        Settings { is_enabled: if enables { 1 } else { self.is_enabled }, ..self.clone() }
    }

    fn bytes(&self, attribute: CUcoredumpSettings) -> Vec<u8> {
        match attribute {
            Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION => vec![self.is_enabled],
            Attribute::CU_COREDUMP_TRIGGER_HOST => vec![u8::from(self.flags & SKIP_ABORT == 0)],
            Attribute::CU_COREDUMP_LIGHTWEIGHT => vec![u8::from(self.flags & LIGHTWEIGHT == LIGHTWEIGHT)],
            Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER => vec![self.has_user_trigger],
            Attribute::CU_COREDUMP_FILE => self.file.clone(),
            Attribute::CU_COREDUMP_PIPE => self.pipe.clone(),
            _ => self.flags.to_ne_bytes().to_vec(),
        }
    }

    /// Changes a value. Texts are stored as they will be read.
    fn set(&mut self, attribute: CUcoredumpSettings, bytes: &[u8]) -> Answer {
        let first = bytes.first().copied().unwrap_or(0);
        match attribute {
            Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION => self.is_enabled = first,
            Attribute::CU_COREDUMP_TRIGGER_HOST if first == 0 => self.flags |= SKIP_ABORT,
            Attribute::CU_COREDUMP_TRIGGER_HOST => self.flags &= !SKIP_ABORT,
            Attribute::CU_COREDUMP_LIGHTWEIGHT if first == 0 => self.flags &= !LIGHTWEIGHT,
            Attribute::CU_COREDUMP_LIGHTWEIGHT => self.flags |= LIGHTWEIGHT,
            Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER => self.has_user_trigger = first,
            Attribute::CU_COREDUMP_FILE => self.file = bytes[..bytes.len().min(TEXT - 1)].to_vec(),
            Attribute::CU_COREDUMP_PIPE if self.has_user_trigger != 0 => {
                return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
            }
            Attribute::CU_COREDUMP_PIPE => self.pipe = bytes[..bytes.len().min(TEXT - 1)].to_vec(),
            _ => self.flags = c_uint::from_ne_bytes(bytes.try_into().unwrap_or_default()),
        }
        Ok(())
    }
}

/// Expands the host name, the process id and the time in a path (measured).
fn expand(path: &[u8]) -> Vec<u8> {
    let mut expanded = Vec::new();
    let mut rest = path;
    while let [first, tail @ ..] = rest {
        let (value, used) = match (first, tail.first()) {
            (b'%', Some(b'h')) => (host(), 2),
            (b'%', Some(b'p')) => (std::process::id().to_string(), 2),
            (b'%', Some(b't')) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                (now.as_secs().to_string(), 2)
            }
            _ => {
                expanded.push(*first);
                (String::new(), 1)
            }
        };
        expanded.extend(value.bytes());
        rest = &rest[used..];
    }
    expanded
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim_end().to_owned()
}

/// Owner of the settings of a function.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Process,
    CurrentContext,
}

impl Owner {
    fn settings<'state>(self, call: &'state mut Call<'_>) -> Answer<&'state mut Settings> {
        match self {
            Owner::Process => Ok(&mut call.state.coredumps),
            Owner::CurrentContext => {
                let context = call.state.contexts.get_mut(call.context);
                context.map(|context| &mut context.coredumps).ok_or(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED)
            }
        }
    }
}

/// Returns the size of an attribute's value in bytes.
fn size_of_value(call: &Call<'_>, owner: Owner, attribute: CUcoredumpSettings) -> Answer<usize> {
    call.state.require(since::COREDUMP_ATTRIBUTES, attribute.0)?;
    match attribute {
        Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER | Attribute::CU_COREDUMP_PIPE
            if owner == Owner::CurrentContext =>
        {
            Err(INVALID)
        }
        Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION
        | Attribute::CU_COREDUMP_TRIGGER_HOST
        | Attribute::CU_COREDUMP_LIGHTWEIGHT
        | Attribute::CU_COREDUMP_ENABLE_USER_TRIGGER => Ok(1),
        Attribute::CU_COREDUMP_FILE | Attribute::CU_COREDUMP_PIPE => Ok(TEXT),
        Attribute::CU_COREDUMP_GENERATION_FLAGS => Ok(4),
        _ => Err(INVALID),
    }
}

/// # Safety
///
/// As the driver API demands.
unsafe fn get_of(
    call: &mut Call<'_>,
    owner: Owner,
    attribute: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> Answer {
    check_out(size)?;
    let whole = size_of_value(call, owner, attribute)?;
    if value.is_null() {
        // SAFETY: the program's promise.
        return unsafe { put(size, whole) };
    }
    // SAFETY: not null, so valid for a read.
    let room = unsafe { size.read() };
    let mut bytes = owner.settings(call)?.bytes(attribute);
    if whole == TEXT {
        bytes.push(0);
        bytes.truncate(room);
    } else if room != whole {
        return Err(INVALID);
    }
    // SAFETY: the program's promise: so many bytes are valid for writes.
    unsafe { bytes.as_ptr().copy_to_nonoverlapping(value.cast(), bytes.len()) };
    Ok(())
}

/// Sets an attribute. Without a value, returns the size of the value (measured).
///
/// # Safety
///
/// As the driver API demands.
unsafe fn set_of(
    call: &mut Call<'_>,
    owner: Owner,
    attribute: CUcoredumpSettings,
    value: *mut c_void,
    size: *mut usize,
) -> Answer {
    check_out(size)?;
    let whole = size_of_value(call, owner, attribute)?;
    if value.is_null() {
        // SAFETY: the program's promise.
        return unsafe { put(size, whole) };
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { size.read() };
    if given > whole || whole != TEXT && given != whole {
        return Err(INVALID);
    }
    // SAFETY: the program's promise: so many bytes are valid for reads.
    let bytes = unsafe { core::slice::from_raw_parts(value.cast::<u8>(), given) };
    if owner == Owner::Process
        && attribute == Attribute::CU_COREDUMP_ENABLE_ON_EXCEPTION
        && bytes != [0]
        && !call.state.initialized
    {
        // Hardware crashes here (measured).
        return Err(CUresult::CUDA_ERROR_NOT_INITIALIZED);
    }
    // Hardware reads a text without a NUL beyond its size.
    let text = CStr::from_bytes_until_nul(bytes).map_or(bytes, CStr::to_bytes);
    match owner {
        _ if whole != TEXT => owner.settings(call)?.set(attribute, bytes),
        // Contexts store texts unchanged (measured).
        Owner::CurrentContext => owner.settings(call)?.set(attribute, text),
        Owner::Process => owner.settings(call)?.set(attribute, &expand(text)),
    }
}

macro_rules! functions {
    ($($name:ident: $work:ident of $owner:ident;)*) => {
        $(
            /// # Safety
            ///
            /// As the driver API demands.
            pub(crate) unsafe fn $name(
                call: &mut Call<'_>,
                attribute: CUcoredumpSettings,
                value: *mut c_void,
                size: *mut usize,
            ) -> Answer {
                // SAFETY: the program's promise.
                unsafe { $work(call, Owner::$owner, attribute, value, size) }
            }
        )*
    };
}

functions! {
    get: get_of of CurrentContext;
    get_global: get_of of Process;
    set: set_of of CurrentContext;
    set_global: set_of of Process;
}

/// Time at which a function is called. Not measured.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    Start,
    Complete,
}

/// Registers a function. It is not measured whether hardware requires a function or a place for the handle.
///
/// # Safety
///
/// As the driver API demands.
unsafe fn register(
    call: &mut Call<'_>,
    moment: Moment,
    function: CUcoredumpStatusCallback,
    to: *mut CUcoredumpCallbackHandle,
) -> Answer {
    function.ok_or(INVALID)?;
    let handle = call.state.coredump_functions.insert(moment);
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(to, handle.pointer()) };
    Ok(())
}

/// Ends a registration. It is not measured whether hardware refuses a handle of the other moment, or an ended one.
fn deregister(call: &mut Call<'_>, moment: Moment, handle: CUcoredumpCallbackHandle) -> Answer {
    let handle = Handle::of(handle);
    call.state.coredump_functions.get(handle).filter(|known| **known == moment).ok_or(INVALID)?;
    call.state.coredump_functions.remove(handle);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register_start(
    call: &mut Call<'_>,
    function: CUcoredumpStatusCallback,
    _: *mut c_void,
    to: *mut CUcoredumpCallbackHandle,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { register(call, Moment::Start, function, to) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register_complete(
    call: &mut Call<'_>,
    function: CUcoredumpStatusCallback,
    _: *mut c_void,
    to: *mut CUcoredumpCallbackHandle,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { register(call, Moment::Complete, function, to) }
}

pub(crate) fn deregister_start(call: &mut Call<'_>, handle: CUcoredumpCallbackHandle) -> Answer {
    deregister(call, Moment::Start, handle)
}

pub(crate) fn deregister_complete(call: &mut Call<'_>, handle: CUcoredumpCallbackHandle) -> Answer {
    deregister(call, Moment::Complete, handle)
}
