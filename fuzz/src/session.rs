//! A machine for one input, and the check that it works afterwards.

use cuda_sim::{Config, FreedPoolMemory, HandleReuse, Machine, MachineGuard, Profile, Schedule};
use cuda_sys::*;
use std::ffi::CStr;
use std::ptr::null_mut;

/// Writes 1000 plus the number of the thread to each word.
const KNOWN: &CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry known(.param .u64 to) {
        .reg .b64 %a<3>; .reg .b32 %r<3>;
        ld.param.u64 %a0, [to]; mov.u32 %r0, %tid.x; mul.wide.u32 %a1, %r0, 4; add.u64 %a2, %a0, %a1;
        add.u32 %r1, %r0, 1000; st.global.u32 [%a2], %r1; ret; }";

/// Calls a function of the driver.
#[macro_export]
macro_rules! code {
    ($call:expr) => {
        // SAFETY: pointers are of variables in scope, or of memory as large as is said.
        unsafe { $call }
    };
}

/// Calls a function of the driver, which must succeed.
#[macro_export]
macro_rules! call {
    ($call:expr) => {
        assert_eq!($crate::code!($call), cuda_sys::CUresult::CUDA_SUCCESS, stringify!($call))
    };
}

/// A machine that this thread is on.
#[derive(Debug)]
pub struct Session {
    machine: Machine,
    _entered: MachineGuard,
}

/// A configuration that the bits choose: few instructions for a kernel, little memory, one thread of the host in most cases.
pub fn config(bits: u32) -> Config {
    let profiles = [
        Profile::H200,
        Profile::H200,
        Profile::T4,
        Profile::A100,
        Profile::H200.without_unified_addressing(),
    ];
    Config {
        memory_bytes: 256 << 20,
        kernel_limit: Some(20_000),
        host_threads: if bits & 7 == 0 { 3 } else { 1 },
        vector_instructions: bits & 8 == 0,
        schedule: match bits >> 4 & 7 {
            0 => Schedule::Random((bits >> 24).into()),
            1 => Schedule::Lazy,
            _ => Schedule::Eager,
        },
        handles: if bits & 0x80 == 0 { HandleReuse::AtOnce } else { HandleReuse::Never },
        memcheck: bits & 0x700 == 0x100,
        racecheck: bits & 0x700 == 0x200,
        initcheck: bits & 0x700 == 0x300,
        synccheck: bits & 0x700 == 0x400,
        profiles: vec![profiles[(bits >> 11) as usize % 8 % profiles.len()].clone()],
        freed_pool_memory: if bits & 0x4000 == 0 { FreedPoolMemory::Faults } else { FreedPoolMemory::Mapped },
        ..Config::default()
    }
}

/// A number that depends on all bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash >> 32) as u32
}

impl Session {
    /// Begins with an initialised driver and a current context.
    pub fn begin(config: Config) -> Session {
        cuda_sim::install_once().expect("no other driver is in use");
        let machine = Machine::new(config);
        let session = Session { _entered: machine.enter(), machine };
        call!(cuInit(0));
        context();
        session
    }

    /// Checks that a known kernel runs in a new context, unless a sticky failure forbids that, and gives its result after a reset of
    /// the machine.
    pub fn finish(self) {
        let mut context = null_mut();
        let code = code!(cuCtxCreate_v2(&raw mut context, 0, 0));
        // Graphs that are still queued may write to memory that was freed, and is allocated again.
        let code = if code.is_success() { known(false) } else { code };
        assert!(code.is_success() || is_excused(code), "{code:?}");
        assert_eq!(cuda_sim::internal_errors(), 0, "the driver was itself in error");
        self.machine.reset();
        call!(cuInit(0));
        self::context();
        assert_eq!(known(true), CUresult::CUDA_SUCCESS);
    }
}

/// Returns whether a code is a sticky failure.
pub fn is_sticky(code: CUresult) -> bool {
    matches!(code.0, 214 | 700..=702 | 710 | 714..=720 | 721 | 801 | 999)
}

/// Returns whether the driver may refuse a new context or the known kernel: after a failure, without memory, or during a capture.
fn is_excused(code: CUresult) -> bool {
    is_sticky(code) || code == CUresult::CUDA_ERROR_OUT_OF_MEMORY || (900..=908).contains(&code.0)
}

fn context() -> CUcontext {
    let mut context = null_mut();
    call!(cuCtxCreate_v2(&raw mut context, 0, 0));
    context
}

/// Runs the known kernel in the current context. Checks its result if `checks`.
fn known(checks: bool) -> CUresult {
    let run = || -> Result<(), CUresult> {
        let ok = |code: CUresult| if code.is_success() { Ok(()) } else { Err(code) };
        let (mut module, mut function, mut memory) = (null_mut(), null_mut(), 0);
        ok(code!(cuModuleLoadData(&raw mut module, KNOWN.as_ptr().cast())))?;
        ok(code!(cuModuleGetFunction(&raw mut function, module, c"known".as_ptr())))?;
        ok(code!(cuMemAlloc_v2(&raw mut memory, 256)))?;
        let mut params = [(&raw mut memory).cast()];
        ok(code!(cuLaunchKernel(
            function,
            1,
            1,
            1,
            64,
            1,
            1,
            0,
            null_mut(),
            params.as_mut_ptr(),
            null_mut()
        )))?;
        ok(code!(cuCtxSynchronize()))?;
        let mut words = [0_u32; 64];
        ok(code!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), memory, 256)))?;
        assert!(!checks || words == std::array::from_fn(|index| 1000 + index as u32), "{words:?}");
        ok(code!(cuMemFree_v2(memory)))?;
        ok(code!(cuModuleUnload(module)))
    };
    run().err().unwrap_or(CUresult::CUDA_SUCCESS)
}

/// Loads an image, launches each of its kernels with few threads, and waits.
///
/// # Safety
///
/// The image is as large as it says.
pub unsafe fn run_image(image: &[u8]) {
    let mut module = null_mut();
    let mut log = [0_u8; 2000];
    let mut options =
        [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(log.len())];
    let code = code!(cuModuleLoadDataEx(
        &raw mut module,
        image.as_ptr().cast(),
        2,
        options.as_mut_ptr(),
        values.as_mut_ptr()
    ));
    if code.is_success() {
        run_module(module);
        let _ = code!(cuModuleUnload(module));
    }
}

/// Launches each kernel of a module with few threads, and waits.
pub fn run_module(module: CUmodule) {
    let mut count = 0;
    call!(cuModuleGetFunctionCount(&raw mut count, module));
    let mut functions = vec![null_mut(); (count as usize).min(8)];
    call!(cuModuleEnumerateFunctions(functions.as_mut_ptr(), functions.len() as u32, module));
    let mut memory = 0;
    if !code!(cuMemAlloc_v2(&raw mut memory, 1 << 16)).is_success() {
        return;
    }
    for function in functions {
        let mut params: Vec<Vec<u64>> = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            if !code!(cuFuncGetParamInfo(function, params.len(), &raw mut offset, &raw mut size)).is_success()
            {
                break;
            }
            let number = params.len() as u64;
            let value = if number % 3 == 2 { 5 } else { memory + 4096 * (number % 8) };
            params.push(vec![value; size.div_ceil(8).max(1)]);
        }
        let mut places: Vec<_> = params.iter_mut().map(|param| param.as_mut_ptr().cast()).collect();
        let code = code!(cuLaunchKernel(
            function,
            2,
            1,
            1,
            40,
            1,
            1,
            64,
            null_mut(),
            places.as_mut_ptr(),
            null_mut()
        ));
        if is_sticky(code) || is_sticky(code!(cuCtxSynchronize())) {
            return;
        }
    }
    let _ = code!(cuMemFree_v2(memory));
}
