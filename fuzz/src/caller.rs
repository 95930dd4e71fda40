//! Calls of driver functions with arguments that the input of a target decides.
//!
//! Handles are live, destroyed, of another kind, null or random bits. Pointers to memory of the host are valid, since C cannot check
//! them: each points to a slot of [`Arena`], whose content is decided, too. Sizes of memory of the host are small enough for a slot.

use crate::interface::{Definition, Function, INTERFACE, Shape};
use crate::source::Source;
use cuda_sys::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::LazyLock;

/// The end of host addresses.
const HOST_END: u64 = 1 << 47;

/// Bytes of a slot. A copy of 64 slices of 128 rows of 64 bytes fits.
const SLOT: usize = 1 << 20;
const SLOTS: usize = 128;

/// Memory that pointers to the host point to. It is never freed, since queued work may use it.
struct Arena(Vec<u128>);

static ARENA: LazyLock<usize> = LazyLock::new(|| {
    let arena = Box::leak(Box::new(Arena(vec![0; SLOT * SLOTS / 16 + 64])));
    arena.0.as_mut_ptr().expose_provenance().next_multiple_of(128)
});

/// Elements of each array that an argument points to. Counts are no higher.
const ELEMENTS: usize = 8;

/// Types of numbers that are handles.
const NUMERIC_HANDLES: &[&str] = &[
    "CUdeviceptr",
    "CUtexObject",
    "CUsurfObject",
    "CUmemGenericAllocationHandle",
    "CUgraphConditionalHandle",
    "CUlogicalEndpointId",
];

/// Kernels with parameters, with variables of all kinds, one that never ends, one that faults, and one that never gets past a barrier.
pub const IMAGE: &CStr = c".version 9.0
.target sm_50
.address_size 64
.visible .global .align 8 .b64 variable = 7;
.visible .const .align 4 .b32 fixed[4] = { 1, 2, 3, 4 };
.visible .global .attribute(.managed) .align 8 .b64 managed;
.visible .global .texref texture;
.visible .global .surfref surface;
.visible .func (.reg .b32 out) callee(.reg .b32 in) { mov.b32 out, in; ret; }
.visible .entry nothing() { ret; }
.visible .entry put(.param .u64 to, .param .u32 value) {
    .reg .b64 %a<2>; .reg .b32 %r<2>; .shared .align 8 .b8 tile[64];
    ld.param.u64 %a0, [to]; ld.param.u32 %r0, [value]; st.shared.u32 [tile], %r0; bar.sync 0; st.global.u32 [%a0], %r0; ret; }
.visible .entry many(.param .align 16 .b8 all[96], .param .f32 more, .param .u8 last) {
    .reg .b32 %r<2>; ld.param.u32 %r0, [all+92]; ret; }
.visible .entry endless() { again: bra again; }
.visible .entry waiting() { .reg .pred %p; .reg .b32 %r<2>; mov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 0;
    again: @%p bra again; bar.sync 0; ret; }
.visible .entry fault() { trap; }
.visible .entry fetch(.param .u64 to, .param .u64 handle) {
    .reg .b64 %a<3>; .reg .b32 %r<5>; .reg .f32 %f<5>;
    ld.param.u64 %a0, [to]; ld.param.u64 %a1, [handle]; mov.f32 %f0, 0f3f000000;
    tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%a1, {%f0, %f0}]; st.global.u32 [%a0], %r0; ret; }
.visible .entry keep(.param .u64 handle) { .reg .b64 %a<3>; .reg .b32 %r<5>; ld.param.u64 %a1, [handle]; mov.u32 %r0, 0;
    sust.b.2d.b32.trap [%a1, {%r0, %r0}], %r0; ret; }
";

const TEXTS: &[&CStr] = &[
    c"put",
    c"nothing",
    c"many",
    c"endless",
    c"waiting",
    c"fault",
    c"fetch",
    c"keep",
    c"variable",
    c"fixed",
    c"managed",
    c"texture",
    c"surface",
    c"callee",
    c"",
    c"no such name",
    c"cuInit",
    c"0000:00:00.0",
    c"0000:1b:00.0",
    c"\xff\xfe\x80",
    c"%s%n%d",
];

/// Starts of the names of functions that may free managed memory or ranges of addresses.
const FREEING: &[&str] =
    &["cuMemFree", "cuMemAddressFree", "cuMemUnmap", "cuMemPoolDestroy", "cuModuleUnload", "cuLibraryUnload", "cuCtxDestroy",
      "cuCtxDetach", "cuDevicePrimaryCtx", "cuGraph"];

/// First address of memory that the host cannot access.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 48;

extern "C" fn callback() -> usize {
    0
}

thread_local! {
    static CALLS_INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// A function of the program that calls the driver. A function of the log that makes a call which fails is called again inside, as
/// on hardware, so that this one does nothing in the end.
extern "C" fn calling() -> usize {
    if CALLS_INSIDE.get() < 3 {
        CALLS_INSIDE.set(CALLS_INSIDE.get() + 1);
        let mut memory = 0;
        let _ = crate::code!(cuCtxSynchronize());
        let _ = crate::code!(cuMemAlloc_v2(&raw mut memory, 16));
        let _ = crate::code!(cuCtxDestroy_v2(null_mut()));
        CALLS_INSIDE.set(CALLS_INSIDE.get() - 1);
    }
    0
}

/// The sizes that arguments may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sizes {
    Small,
    Any,
}

/// Makes calls.
#[derive(Debug)]
pub struct Caller<'a> {
    source: Source<'a>,
    /// Values that the driver has given out, by the names of their types.
    known: HashMap<&'static str, Vec<u64>>,
    /// Places that the call may write handles to.
    outputs: Vec<(usize, &'static str)>,
    slot: usize,
    sizes: Sizes,
    /// True if addresses may be any bits, because the driver does not take them for addresses of the host.
    is_any_address: bool,
    depth: u32,
    trace: bool,
}

/// The first letters of functions whose sizes may be anything. None uses memory of the host of these sizes.
const ANY_SIZES: &[&str] = &[
    "cuMemAlloc_",
    "cuMemAllocAsync",
    "cuMemAllocFromPool",
    "cuMemAllocPitch",
    "cuMemAllocManaged",
    "cuMemAllocHost",
    "cuMemHostAlloc",
    "cuMemAddress",
    "cuMemCreate",
    "cuMemMap",
    "cuMemUnmap",
    "cuMemSetAccess",
    "cuMemset",
    "cuMemAdvise",
    "cuMemPrefetchAsync",
    "cuMemGetAddressRange",
    "cuMemFree",
    "cuMemRelease",
    "cuMemGetAllocation",
    "cuMemPoolTrim",
    "cuMemPoolCreate",
    "cuArray",
    "cuMipmapped",
    "cuTex",
    "cuSurf",
    "cuOccupancy",
    "cuCtxSetLimit",
    "cuFunc",
    "cuKernel",
    "cuMulticast",
    "cuGraphAddMemset",
    "cuGraphAddMemAlloc",
    "cuGraphAddMemFree",
    "cuGraphMemset",
    "cuGraphExecMemset",
    "cuGreen",
    "cuStreamAttach",
    "cuLogicalEndpoint",
    "cuLaunchGrid",
    "cuParamSet",
    "cuPointerGet",
    "cuDevice",
    "cuEvent",
    "cuGraphInstantiate",
    "cuGraphNode",
    "cuStreamWriteValue",
];

impl<'a> Caller<'a> {
    /// Makes some objects of each kind.
    pub fn new(source: Source<'a>) -> Self {
        let trace = std::env::var_os("TRACE").is_some();
        let mut caller = Self {
            source,
            known: HashMap::new(),
            outputs: Vec::new(),
            slot: 0,
            sizes: Sizes::Small,
            is_any_address: false,
            depth: 0,
            trace,
        };
        caller.make_objects();
        caller
    }

    pub fn source(&mut self) -> &mut Source<'a> {
        &mut self.source
    }

    fn learn(&mut self, kind: &'static str, value: u64) {
        let known = self.known.entry(kind).or_default();
        if value != 0 && !known.contains(&value) {
            if known.len() >= 24 {
                known.remove(0);
            }
            known.push(value);
        }
    }

    fn make_objects(&mut self) {
        macro_rules! make {
            ($kind:ident, $function:ident($($argument:expr),*)) => {{
                let mut handle = cuda_null::<$kind>();
                let _ = crate::code!($function(&raw mut handle, $($argument),*));
                self.learn(kind_of(stringify!($kind)), handle_bits(handle));
                handle
            }};
        }
        let mut context = null_mut();
        let _ = crate::code!(cuCtxGetCurrent(&raw mut context));
        self.learn(kind_of("CUcontext"), handle_bits(context));
        let module = make!(CUmodule, cuModuleLoadData(IMAGE.as_ptr().cast()));
        for name in [c"put", c"nothing", c"many", c"endless", c"fault", c"fetch"] {
            make!(CUfunction, cuModuleGetFunction(module, name.as_ptr()));
        }
        let library = make!(
            CUlibrary,
            cuLibraryLoadData(IMAGE.as_ptr().cast(), null_mut(), null_mut(), 0, null_mut(), null_mut(), 0)
        );
        make!(CUkernel, cuLibraryGetKernel(library, c"put".as_ptr()));
        make!(CUtexref, cuModuleGetTexRef(module, c"texture".as_ptr()));
        make!(CUsurfref, cuModuleGetSurfRef(module, c"surface".as_ptr()));
        let stream = make!(CUstream, cuStreamCreate(0));
        make!(CUstream, cuStreamCreate(1));
        make!(CUevent, cuEventCreate(0));
        make!(CUevent, cuEventCreate(2));
        let memory = make!(CUdeviceptr, cuMemAlloc_v2(1 << 16));
        make!(CUdeviceptr, cuMemAllocAsync(4096, stream));
        make!(CUdeviceptr, cuMemAllocManaged(4096, 1));
        make!(CUmemoryPool, cuDeviceGetDefaultMemPool(0));
        let plane = CUDA_ARRAY3D_DESCRIPTOR {
            Width: 16,
            Height: 8,
            Depth: 0,
            Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
            NumChannels: 1,
            Flags: 2,
        };
        let array = make!(CUarray, cuArray3DCreate_v2(&raw const plane));
        make!(CUmipmappedArray, cuMipmappedArrayCreate(&raw const plane, 3));
        let graph = make!(CUgraph, cuGraphCreate(0));
        let node = make!(CUgraphNode, cuGraphAddEmptyNode(graph, std::ptr::null(), 0));
        let fill =
            CUDA_MEMSET_NODE_PARAMS { dst: memory, pitch: 0, value: 1, elementSize: 4, width: 16, height: 1 };
        make!(CUgraphNode, cuGraphAddMemsetNode(graph, &raw const node, 1, &raw const fill, context));
        make!(CUgraphExec, cuGraphInstantiateWithFlags(graph, 0));
        // SAFETY: zero is a value of all fields.
        let mut described: CUDA_RESOURCE_DESC = unsafe { std::mem::zeroed() };
        described.res.array = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_1 { hArray: array };
        // SAFETY: zero is a value of all fields.
        let texture: CUDA_TEXTURE_DESC = unsafe { std::mem::zeroed() };
        make!(CUtexObject, cuTexObjectCreate(&raw const described, &raw const texture, std::ptr::null()));
        make!(CUsurfObject, cuSurfObjectCreate(&raw const described));
        make!(CUlinkState, cuLinkCreate_v2_at());
    }

    /// Makes one call of a function, and returns its answer.
    pub fn call(&mut self, function: &'static Function) -> CUresult {
        self.outputs.clear();
        self.sizes = Sizes::Small;
        self.is_any_address = !function.name.contains("emcpy") && !function.name.starts_with("cuGraph");
        if ANY_SIZES.iter().any(|start| function.name.starts_with(start)) && self.source.byte() & 1 == 1 {
            self.sizes = Sizes::Any;
        }
        let mut numbers = [0_u64; 18];
        let mut floats = [0_f32; 4];
        let (mut number, mut float) = (0, 0);
        for (name, of) in &function.parameters {
            if matches!(INTERFACE.shape(of), Shape::Float) {
                floats[float] = f32::from_bits(self.float());
                float += 1;
                continue;
            }
            let mut bytes = [0; 8];
            let (size, _) = INTERFACE.layout(of);
            assert!(size <= 8, "{}: {of} is passed in memory", function.name);
            self.fill(of, name, &mut bytes[..size]);
            numbers[number] = u64::from_ne_bytes(bytes);
            number += 1;
        }
        let before: Vec<(usize, &'static str, u64)> =
            self.outputs.iter().map(|(at, kind)| (*at, *kind, read(*at, kind))).collect();
        if self.trace {
            eprintln!("{}{:x?}", function.name, &numbers[..number]);
        }
        let code = invoke(function, floats, numbers);
        if self.trace {
            eprintln!("    {code:?}");
        }
        for (at, kind, before) in before {
            let after = read(at, kind);
            if after != before && code.is_success() {
                self.learn(kind, after);
            }
        }
        if code.is_success() && FREEING.iter().any(|start| function.name.starts_with(start)) {
            // The memory may have been managed. Copies take its address for one of the host from now on.
            let known = self.known.entry("CUdeviceptr").or_default();
            known.retain(|address| *address >= FIRST_DEVICE_ADDRESS);
        }
        code
    }

    /// A slot of memory of the host.
    fn slot(&mut self) -> usize {
        self.slot = (self.slot + 1) % SLOTS;
        *ARENA + self.slot * SLOT
    }

    fn float(&mut self) -> u32 {
        match self.source.byte() & 7 {
            0 => 0,
            1 => 1_f32.to_bits(),
            2 => f32::NAN.to_bits(),
            3 => f32::NEG_INFINITY.to_bits(),
            4 => 1e30_f32.to_bits(),
            _ => self.source.word(),
        }
    }

    fn any_number(&mut self) -> u64 {
        match self.source.byte() & 7 {
            0 => u64::MAX,
            1 => 1 << (self.source.byte() & 63),
            2 => (1_u64 << (self.source.byte() & 63)).wrapping_sub(1),
            3 => (1_u64 << (self.source.byte() & 63)).wrapping_add(self.source.byte().into()),
            4 => u64::MAX - u64::from(self.source.byte()),
            5 => u64::from(self.source.byte()) << 16,
            _ => self.source.long(),
        }
    }

    fn small(&mut self) -> u64 {
        self.source.pick(&[0, 1, 2, 3, 4, 8, 12, 16, 32, 60, 64])
    }

    /// A handle of a kind.
    fn handle(&mut self, kind: &'static str) -> u64 {
        let choice = self.source.byte();
        let own = self.known.get(kind).map(Vec::as_slice).unwrap_or_default();
        let one = own.get((choice as usize >> 3) % own.len().max(1)).copied().unwrap_or(0);
        if kind == "CUdeviceptr" {
            let offset = match choice & 3 {
                0 => u64::from(self.source.byte()) * 4,
                1 if self.is_any_address => self.source.long(),
                _ => 0,
            };
            return match self.source.byte() & 31 {
                0 => 0,
                1 => self.slot() as u64,
                2 => self.any_number() | HOST_END,
                3 | 4 if self.is_any_address => self.any_number(),
                _ if offset > 1 << 32 => one.wrapping_add(offset) | HOST_END,
                _ if one == 0 => 0,
                _ => one + offset.min(1024),
            };
        }
        match choice & 7 {
            0 => match self.source.byte() % 6 {
                0 => 0,
                1 => self.source.pick(&[1, 2]),
                2 => self.source.long(),
                3 => one.wrapping_add(self.source.pick(&[1, 8, 64, 65536])),
                _ => {
                    let mut kinds: Vec<&'static str> = self.known.keys().copied().collect();
                    kinds.sort_unstable();
                    let kind = self.source.pick(&kinds);
                    let others = self.known[kind].clone();
                    if others.is_empty() { 0 } else { self.source.pick(&others) }
                }
            },
            1 if kind == "CUstream_st" => self.source.pick(&[0, 1, 2]),
            _ => one,
        }
    }

    fn text(&mut self) -> u64 {
        let slot = self.slot();
        let chosen = self.source.byte();
        let bytes = match TEXTS.get(usize::from(chosen)) {
            Some(text) => text.to_bytes_with_nul().to_vec(),
            None if chosen < 250 => TEXTS[usize::from(chosen) % TEXTS.len()].to_bytes_with_nul().to_vec(),
            None => {
                let len = usize::from(self.source.byte());
                let mut bytes: Vec<u8> =
                    self.source.take(len).iter().copied().filter(|byte| *byte != 0).collect();
                bytes.push(0);
                bytes
            }
        };
        write_bytes(slot, &bytes);
        slot as u64
    }

    fn image(&mut self) -> u64 {
        let slot = self.slot();
        let text = IMAGE.to_bytes_with_nul();
        let cut = if self.source.byte() & 7 == 0 { self.source.below(text.len()) } else { text.len() - 1 };
        write_bytes(slot, &text[..cut]);
        write_bytes(slot + cut, &[0]);
        slot as u64
    }

    /// A number for a parameter or field.
    fn number(&mut self, name: &str, of: &str, size: usize) -> u64 {
        let lower = name.to_lowercase();
        let is_count = ["num", "nb", "count", "rank", "len"].iter().any(|start| lower.starts_with(start))
            || lower.contains("count")
            || lower.contains("rank")
            || lower.contains("numbytes");
        if is_count && of != "CUdevice" {
            return self.source.below(ELEMENTS + 1) as u64;
        }
        if lower.starts_with("griddim") || lower.starts_with("grid_") {
            return self.source.pick(&[1, 1, 1, 2, 3, 0, u64::MAX]);
        }
        if lower.starts_with("blockdim") || matches!(name, "x" | "y" | "z") {
            return self.source.pick(&[1, 1, 32, 2, 33, 0, 1024, 1025, u64::MAX]);
        }
        if of == "CUdevice" || lower.ends_with("device") || lower.starts_with("dev") || name == "ordinal" {
            return match self.source.byte() {
                choice @ 0..220 => u64::from(choice & 1),
                220..240 => self.source.pick(&[2, u64::MAX, 63, 64]),
                _ => self.any_number(),
            };
        }
        if of == "usize" {
            return if self.sizes == Sizes::Any && self.source.byte() & 1 == 1 {
                self.any_number()
            } else {
                self.small()
            };
        }
        match self.source.byte() {
            choice @ 0..150 => u64::from(choice % 16),
            choice @ 150..200 => 1 << (choice % 32),
            200..240 => self.source.byte().into(),
            _ if size < 8 || self.sizes == Sizes::Any => self.any_number(),
            _ => self.small(),
        }
    }

    fn fill(&mut self, of: &'static str, name: &str, to: &mut [u8]) {
        let put = |to: &mut [u8], value: u64| {
            let len = to.len();
            to.copy_from_slice(&value.to_ne_bytes()[..len]);
        };
        if let Some(kind) = NUMERIC_HANDLES.iter().find(|kind| **kind == of) {
            let value = self.handle(kind);
            return put(to, value);
        }
        match INTERFACE.shape(of) {
            Shape::Number(size) => {
                let value = self.number(name, of, size);
                put(to, value);
            }
            Shape::Float => {
                let value = self.float();
                put(to, value.into());
            }
            Shape::Void => put(to, 0),
            Shape::Pointer { to: pointee, is_const } => {
                let value = self.pointer(pointee, name, is_const);
                put(to, value);
            }
            Shape::Array { of, len } => {
                let (size, _) = INTERFACE.layout(of);
                for index in 0..len {
                    self.fill(of, name, &mut to[index * size..][..size]);
                }
            }
            Shape::Defined { definition: Definition::FunctionPointer, .. } => {
                let value = match self.source.byte() & 15 {
                    0 => 0,
                    1..4 => (calling as extern "C" fn() -> usize) as usize,
                    _ => (callback as extern "C" fn() -> usize) as usize,
                };
                put(to, value as u64);
            }
            Shape::Defined { name, definition: Definition::Struct(fields, _) } => {
                self.structure(name, fields, to)
            }
            Shape::Defined { name, definition: Definition::Union(fields) } => {
                self.union(name, fields, None, to)
            }
            Shape::Defined { .. } => {}
        }
    }

    fn structure(&mut self, name: &'static str, fields: &'static [(String, String)], to: &mut [u8]) {
        // Copies of memory of the host are small, those of other memory may be of any size.
        let is_copy = fields.iter().any(|(name, _)| name == "srcMemoryType");
        let outer = self.sizes;
        let on_device = is_copy && self.source.byte() & 1 == 1;
        if is_copy {
            self.sizes = if on_device { Sizes::Any } else { Sizes::Small };
        }
        let mut at = 0;
        let mut first = 0;
        for (index, (field, of)) in fields.iter().enumerate() {
            let (size, alignment) = INTERFACE.layout(of);
            at = usize::next_multiple_of(at, alignment);
            let place = &mut to[at..at + size];
            match INTERFACE.shape(of) {
                Shape::Defined { name: union, definition: Definition::Union(variants) } => {
                    self.union(union, variants, Some(first), place)
                }
                _ if is_copy && field.ends_with("MemoryType") => {
                    let types = if on_device { [2, 3, 2, 3, 0, 77] } else { [1, 2, 3, 4, 1, 4] };
                    let chosen: u32 = self.source.pick(&types);
                    place.copy_from_slice(&chosen.to_ne_bytes());
                }
                // Endless loops of graphs are endless on hardware, too.
                _ if name == "CUDA_CONDITIONAL_NODE_PARAMS" && field == "type_" => {
                    let chosen: u32 = self.source.pick(&[0, 2, 0, 2, 3, 77]);
                    place.copy_from_slice(&chosen.to_ne_bytes());
                }
                _ => self.fill(of, field, place),
            }
            if index == 0 && size == 4 {
                first = u32::from_ne_bytes(std::array::from_fn(|index| place[index]));
                // Most are one of those that there are.
                if name.starts_with("CUgraphNodeParams") && first > 16 && self.source.byte() & 7 != 0 {
                    first %= 14;
                    place.copy_from_slice(&first.to_ne_bytes());
                }
            }
            at += size;
        }
        self.sizes = outer;
    }

    /// A variant of a union. In unions with pointers to memory of the host, it is the variant that the first field names.
    fn union(
        &mut self,
        name: &str,
        variants: &'static [(String, String)],
        first: Option<u32>,
        to: &mut [u8],
    ) {
        let named = |wanted: &str| variants.iter().find(|(name, _)| name == wanted);
        let chosen = if name.starts_with("CUgraphNodeParams") {
            let names = [
                "kernel",
                "memcpy",
                "memset",
                "host",
                "graph",
                "",
                "eventWait",
                "eventRecord",
                "extSemSignal",
                "extSemWait",
                "alloc",
                "free",
                "memOp",
                "conditional",
            ];
            first.and_then(|first| names.get(first as usize)).and_then(|name| named(name))
        } else if name.starts_with("CUmemcpy3DOperand") {
            match first {
                Some(1) => named("ptr"),
                Some(2) => named("array"),
                _ => None,
            }
        } else if name.starts_with("CUstreamBatchMemOpParams") {
            let name = self.source.pick(&["writeValue", "flushRemoteWrites", "memoryBarrier", "writeValue"]);
            named(name)
        } else {
            let index = self.source.below(variants.len());
            variants.get(index)
        };
        to.fill(0);
        let Some((variant, of)) = chosen else { return };
        let (size, _) = INTERFACE.layout(of);
        self.fill(of, variant, &mut to[..size]);
        if name.starts_with("CUstreamBatchMemOpParams") {
            let operation: u32 = match variant.as_str() {
                "writeValue" => self.source.pick(&[2, 5, 2, 5, 99]),
                "flushRemoteWrites" => 3,
                _ => 6,
            };
            to[..4].copy_from_slice(&operation.to_ne_bytes());
        }
    }

    fn pointer(&mut self, to: &'static str, name: &str, is_const: bool) -> u64 {
        let shape = INTERFACE.shape(to);
        if let Shape::Defined { name, definition: Definition::Opaque } = shape {
            return self.handle(name);
        }
        if self.depth > 2 || name == "nextResource" {
            return 0;
        }
        if self.source.byte() & 31 == 31 {
            return 0;
        }
        match shape {
            Shape::Void
                if matches!(name, "image" | "code" | "fatCubin" | "data") && is_const
                    || name == "fatCubin" =>
            {
                return self.image();
            }
            // The size of an input of the linker ends no text.
            Shape::Void if name == "data" && self.source.byte() & 1 == 1 => return self.image(),
            Shape::Void if name == "p" || name == "ptr" || name == "addr" => {
                let known = self.known.get("host").cloned().unwrap_or_default();
                if !known.is_empty() && self.source.byte() & 3 != 0 {
                    return self.source.pick(&known);
                }
                return self.slot() as u64;
            }
            Shape::Void => {
                let slot = self.slot();
                for index in 0..4 {
                    let value = self.number("value", "c_uint", 4);
                    write_bytes(slot + 8 * index, &value.to_ne_bytes());
                }
                return slot as u64;
            }
            Shape::Number(1) if is_const => return self.text(),
            _ => {}
        }
        let slot = self.slot();
        if let Shape::Pointer { to: inner, .. } = shape
            && matches!(INTERFACE.shape(inner), Shape::Void)
        {
            return self.pointers(slot, name);
        }
        self.depth += 1;
        let (size, _) = INTERFACE.layout(to);
        // The first elements differ; the others are as the last of these.
        let decided = if is_const || size <= 8 { 3 } else { 1 };
        let mut element = vec![0; size];
        for index in 0..ELEMENTS {
            if index < decided {
                self.fill(to, name, &mut element);
            }
            write_bytes(slot + size * index, &element);
        }
        self.depth -= 1;
        let kind = match INTERFACE.shape(to) {
            Shape::Pointer { to, .. } => match INTERFACE.shape(to) {
                Shape::Defined { name, definition: Definition::Opaque } => Some(name),
                _ => None,
            },
            _ => NUMERIC_HANDLES.iter().find(|kind| **kind == to).copied(),
        };
        if let (Some(kind), false) = (kind, is_const) {
            for index in 0..ELEMENTS {
                self.outputs.push((slot + size * index, kind));
            }
        }
        slot as u64
    }

    /// Pointers to pointers: arguments of kernels, options, and places for addresses of memory.
    fn pointers(&mut self, slot: usize, name: &str) -> u64 {
        if name == "extra" {
            if self.source.byte() & 7 != 0 {
                return 0;
            }
            let (buffer, size) = (self.slot(), self.slot());
            let bytes: u64 = self.source.pick(&[0, 4, 8, 12, 16, 104, 105, 4096]);
            write_bytes(size, &bytes.to_ne_bytes());
            let mut words = [1, buffer as u64, 2, size as u64, 0];
            if self.source.byte() & 15 == 0 {
                words[2] = 1;
            }
            for (index, word) in words.iter().enumerate() {
                write_bytes(slot + 8 * index, &word.to_ne_bytes());
            }
            return slot as u64;
        }
        if name == "pp" {
            self.outputs.push((slot, "host"));
        }
        // Values of parameters are addresses, or other handles.
        let target = self.slot();
        for index in 0..32 {
            write_bytes(slot + 8 * index, &(target as u64 + 128 * index as u64).to_ne_bytes());
            if index < 3 {
                let kind = self.source.pick(&["CUdeviceptr", "CUtexObject", "CUsurfObject"]);
                let value = self.handle(kind);
                write_bytes(target + 128 * index, &value.to_ne_bytes());
            }
        }
        slot as u64
    }

    /// Frees page-locked memory, which would outlive the machine.
    pub fn free_host_memory(&mut self) {
        for pointer in self.known.remove("host").unwrap_or_default() {
            let _ = crate::code!(cuMemFreeHost(std::ptr::with_exposed_provenance_mut(pointer as usize)));
        }
    }
}

/// The name under which handles of a type are known.
fn kind_of(of: &'static str) -> &'static str {
    if NUMERIC_HANDLES.contains(&of) {
        return of;
    }
    match INTERFACE.shape(of) {
        Shape::Pointer { to, .. } => to,
        _ => of,
    }
}

trait Bits {
    const NULL: Self;
    fn bits(self) -> u64;
}

impl<T> Bits for *mut T {
    const NULL: Self = null_mut();
    fn bits(self) -> u64 {
        self.addr() as u64
    }
}

impl Bits for u64 {
    const NULL: Self = 0;
    fn bits(self) -> u64 {
        self
    }
}

fn cuda_null<T: Bits>() -> T {
    T::NULL
}

fn handle_bits<T: Bits>(handle: T) -> u64 {
    handle.bits()
}

/// Creates a linker without options.
#[allow(non_snake_case)]
unsafe fn cuLinkCreate_v2_at(state: *mut CUlinkState) -> CUresult {
    // SAFETY: the place is valid, and there are no options.
    unsafe { cuLinkCreate_v2(0, null_mut(), null_mut(), state) }
}

fn write_bytes(at: usize, bytes: &[u8]) {
    let to: *mut u8 = std::ptr::with_exposed_provenance_mut(at);
    // SAFETY: inside a slot of the arena.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
}

fn read(at: usize, kind: &str) -> u64 {
    if kind == "CUlogicalEndpointId" {
        let from: *const u32 = std::ptr::with_exposed_provenance(at);
        // SAFETY: inside a slot of the arena.
        return unsafe { from.read_unaligned() }.into();
    }
    let from: *const u64 = std::ptr::with_exposed_provenance(at);
    // SAFETY: inside a slot of the arena.
    unsafe { from.read_unaligned() }
}

/// Calls a function with all numbers and floats. It reads as many as it has parameters of each.
fn invoke(function: &Function, floats: [f32; 4], n: [u64; 18]) -> CUresult {
    type Any = unsafe extern "C" fn(
        f32,
        f32,
        f32,
        f32,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
    ) -> CUresult;
    // SAFETY: numbers and floats are passed apart from each other on 64-bit Linux, and what is passed in addition is not read.
    let any: Any = unsafe { std::mem::transmute::<*mut c_void, Any>(function.address.as_ptr()) };
    let [f0, f1, f2, f3] = floats;
    // SAFETY: pointers are as the functions need them, see the head of this file.
    unsafe {
        any(
            f0, f1, f2, f3, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12],
            n[13], n[14], n[15], n[16], n[17],
        )
    }
}
