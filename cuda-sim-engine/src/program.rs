//! A compiled module: kernels, variables and references.

use std::fmt;

use crate::function::{Constant, Function};
use crate::observer::Site;
use crate::source::SourceLine;
use crate::texture::reference_address;

/// Device that a module is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Compute capability.
    pub compute_capability: (u32, u32),
    /// Newest PTX version that the driver supports.
    pub ptx_version: (u32, u32),
    /// Largest size in bytes of the shared variables of a kernel.
    pub shared_bytes: u32,
}

impl Target {
    /// Returns the compute capability as one number: 90 for 9.0.
    pub fn number(&self) -> u32 {
        let (major, minor) = self.compute_capability;
        major.saturating_mul(10).saturating_add(minor)
    }
}

/// PTX text and its name.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    /// Name in messages.
    pub name: &'t str,
    /// Text, which may end with a NUL.
    pub source: &'t [u8],
}

/// Reason why a source is refused. The driver model turns it into a result code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompileErrorKind {
    /// Source that is not PTX (200).
    NotPtx,
    /// PTX with errors (218).
    Invalid,
    /// Valid texts that conflict with each other (300).
    Unlinked,
    /// Source that the driver accepts and the engine does not support.
    Lacking,
    /// PTX version that is newer than the driver (222).
    UnsupportedVersion,
}

/// Refusal and the log that the driver writes about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    /// The class.
    pub kind: CompileErrorKind,
    /// Error log, in the driver's words.
    pub log: String,
}

impl CompileError {
    /// Converts the error for a text that is part of another image, which is already known to be PTX.
    pub fn of_part(mut self) -> CompileError {
        if self.kind == CompileErrorKind::NotPtx {
            self.kind = CompileErrorKind::Invalid;
        }
        self
    }

    /// Converts the error for an image of a linker. Its texts compiled at link time, so the image was changed since.
    pub fn of_image(mut self) -> CompileError {
        if matches!(self.kind, CompileErrorKind::Invalid | CompileErrorKind::Unlinked) {
            self.kind = CompileErrorKind::NotPtx;
        }
        self
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.log)
    }
}

impl std::error::Error for CompileError {}

/// Layout of a parameter in the parameter space of its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// Entry function.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Parameters, in order.
    pub params: Vec<Param>,
    /// Size of the parameter space.
    pub param_bytes: u32,
    /// Static shared memory of the kernel and of the functions it calls, in bytes.
    pub static_shared: u32,
    /// Local memory of each thread in bytes, in the layout of `ptxas`, without recursion.
    pub local_bytes: u32,
    /// Constant memory of the whole module in bytes.
    pub const_bytes: u32,
    /// `.maxntid`, if given.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`, if given.
    pub required_threads: Option<[u32; 3]>,
    /// `.reqnctapercluster`, if given.
    pub required_cluster: Option<[u32; 3]>,
    /// True if the grid of a launch counts clusters, and not blocks: `.blocksareclusters`.
    pub blocks_are_clusters: bool,
    /// True if the kernel can only be launched in clusters: `.explicitcluster`.
    pub explicit_cluster: bool,
    /// `.maxclusterrank`, if given.
    pub max_cluster_rank: Option<u32>,
    /// True if the kernel, or a function that it may call, calls the driver's `malloc` or `free`.
    pub uses_heap: bool,
    /// True if the kernel, or a function that it may call, launches kernels.
    pub launches: bool,
    /// Estimate of the registers of a thread on hardware, within `.maxnreg`.
    pub registers: u32,
    /// `.version` of the module.
    pub ptx_version: (u32, u32),
    /// Number of the `.target`: 90 for `sm_90`.
    pub target: u32,
    /// Index of the text that defines the kernel.
    pub text: usize,
    pub(super) function: usize,
    /// The kernel and every function that it may call.
    pub(super) functions: Vec<usize>,
    /// Offsets of the shared variables that it uses.
    pub(super) shared_offsets: Vec<(usize, u32)>,
    pub(super) shared_names: Vec<SharedName>,
    /// End of static shared memory, and start of dynamic shared memory.
    pub(super) shared_end: u32,
    pub(super) unsupported: Option<String>,
}

/// Position of a variable in the shared memory of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedName {
    /// Its name.
    pub name: String,
    /// Its offset.
    pub offset: u64,
    /// Size in bytes. `None` for a dynamic variable, which ends with shared memory.
    pub size: Option<u64>,
}

impl Kernel {
    /// Returns the offset at which static shared memory ends and dynamic shared memory begins.
    pub fn shared_end(&self) -> u32 {
        self.shared_end
    }

    /// Returns the number of blocks along each axis of a launch with this grid.
    pub fn blocks_of(&self, grid: [u32; 3]) -> [u32; 3] {
        match self.required_cluster {
            Some(cluster) if self.blocks_are_clusters => {
                core::array::from_fn(|axis| grid[axis].saturating_mul(cluster[axis]))
            }
            _ => grid,
        }
    }

    /// Returns whether the kernel, or a function that it may call, names a variable in shared memory.
    pub fn uses_shared(&self) -> bool {
        !self.shared_offsets.is_empty()
    }

    /// Returns the last shared variable that begins at or before an offset.
    pub fn shared_variable(&self, offset: u64) -> Option<&SharedName> {
        let before = self.shared_names.iter().filter(|variable| variable.offset <= offset);
        before.max_by_key(|variable| variable.offset)
    }

    /// Returns why the engine cannot run this kernel, as a line for the log, or `None`.
    pub fn unsupported(&self) -> Option<&str> {
        self.unsupported.as_deref()
    }
}

/// Function of a text that is to be linked, and its own resources. The resources of the functions that it calls are not
/// included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFunction {
    /// Its name.
    pub name: String,
    /// Index in [`Program::kernels`], if it is a kernel.
    pub kernel: Option<usize>,
    /// Local memory of a call, in bytes, in the layout of `ptxas`.
    pub local_bytes: u32,
    /// Barriers of a block that it uses, as [`Program::barriers`] counts them.
    pub barriers: u32,
    /// Bytes of the variables in shared memory that it declares.
    pub static_shared: u32,
}

/// State space of a module variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobalSpace {
    /// `.global`
    Global,
    /// `.const`
    Constant,
}

/// Visibility of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// Visible in this module only.
    Internal,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
    /// `.extern`: defined by another module.
    Extern,
}

/// Target of an address in an initialiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelocationTarget {
    /// Variable, by its index in [`Program::globals`].
    Global(usize),
    /// Function. Only the engine understands its address.
    Function(usize),
}

/// Address in the initial bytes of a variable, to be filled in once addresses are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Offset in the variable.
    pub offset: u64,
    /// Size of the value in bytes.
    pub size: u32,
    /// Target of the address.
    pub target: RelocationTarget,
    /// Offset added to that address.
    pub addend: i64,
    /// Bits of the address that are used (`mask()` in PTX), shifted down to bit 0. Usually all bits.
    pub mask: u64,
}

/// Module variable in device memory.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// State space of the variable.
    pub space: GlobalSpace,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its linkage.
    pub linkage: Linkage,
    /// Index of the text that defines it.
    pub text: usize,
    /// `.attribute(.managed)`
    pub managed: bool,
    /// Initial bytes. The bytes after them, up to `size`, are zero.
    pub initial: Vec<u8>,
    /// Addresses in the initial bytes.
    pub relocations: Vec<Relocation>,
}

impl Global {
    /// Returns whether other texts can refer to the variable by name.
    pub fn is_shared(&self) -> bool {
        self.linkage != Linkage::Internal
    }
}

/// Kind of object that a reference of a module refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `.texref`
    Texture,
    /// `.surfref`
    Surface,
    /// `.samplerref`
    Sampler,
}

/// Texture or surface reference of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Kind of object that can be bound to it.
    pub kind: ReferenceKind,
}

/// A compiled module.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(super) kernels: Vec<Kernel>,
    pub(super) globals: Vec<Global>,
    pub(super) references: Vec<Reference>,
    pub(super) info: String,
    pub(super) functions: Vec<Function>,
    pub(super) parts: Vec<PartFunction>,
    pub(super) global_bytes: u64,
    pub(super) constant_bytes: u64,
}

impl Program {
    /// Returns all entry functions.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Limits the registers of every kernel to `most`, as a compiler option does.
    pub fn limit_registers(&mut self, most: u32) {
        for kernel in &mut self.kernels {
            kernel.registers = kernel.registers.min(most.max(8));
        }
    }

    /// Returns the variables that need device memory, in the order of their addresses in
    /// [`Launch::globals`](crate::Launch::globals).
    pub fn globals(&self) -> &[Global] {
        &self.globals
    }

    /// Returns the references, in the order of [`Textures::references`](crate::Textures::references).
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns whether a kernel, or a function that it may call, uses a texture or surface reference of the module.
    pub fn uses_references(&self, kernel: usize) -> bool {
        let Some(kernel) = self.kernels.get(kernel).filter(|_| !self.references.is_empty()) else {
            return false;
        };
        let addresses: Vec<u64> = (0..self.references.len()).map(reference_address).collect();
        let functions = kernel.functions.iter().filter_map(|index| self.functions.get(*index));
        let mut constants = functions.flat_map(|function| &function.constants);
        constants.any(|(_, constant)| matches!(constant, Constant::Bits(bits) if addresses.contains(bits)))
    }

    /// Returns the PTX line of a step, and the source line that it came from.
    pub fn lines(&self, site: Site) -> (u32, Option<SourceLine>) {
        self.functions.get(site.function).map_or((0, None), |function| function.lines(site.step))
    }

    /// Returns the name of the function that contains a step.
    pub fn function_name(&self, site: Site) -> &str {
        self.functions.get(site.function).map_or("", |function| &function.name)
    }

    /// Returns the information log: warnings, in the driver's words.
    pub fn info_log(&self) -> &str {
        &self.info
    }

    /// Returns the functions with bodies of a text that is to be linked, in the order in which `ptxas` compiles them.
    /// Other programs have none.
    pub fn parts(&self) -> &[PartFunction] {
        &self.parts
    }

    /// Returns the size in bytes of the `.global` variables, in the layout of `ptxas` and of the linker.
    pub fn global_bytes(&self) -> u64 {
        self.global_bytes
    }

    /// Returns the size in bytes of the `.const` variables, in the layout of `ptxas` and of the linker.
    pub fn constant_bytes(&self) -> u64 {
        self.constant_bytes
    }

    /// Returns the first bytes of global `index`, for the given addresses of all globals. The other bytes are zero.
    pub fn initial_bytes(&self, index: usize, addresses: &[u64]) -> Vec<u8> {
        let Some(global) = self.globals.get(index) else { return Vec::new() };
        let mut bytes = global.initial.clone();
        for relocation in &global.relocations {
            let address = match relocation.target {
                RelocationTarget::Global(target) => addresses.get(target).copied().unwrap_or(0),
                RelocationTarget::Function(target) => function_address(target),
            };
            let value = address.wrapping_add_signed(relocation.addend) & relocation.mask;
            let value = value.checked_shr(relocation.mask.trailing_zeros()).unwrap_or(0);
            let start = usize::try_from(relocation.offset).unwrap_or(usize::MAX);
            let end = start.saturating_add(relocation.size.min(8) as usize);
            if let Some(place) = bytes.get_mut(start..end) {
                place.copy_from_slice(&value.to_le_bytes()[..end - start]);
            }
        }
        bytes.truncate(usize::try_from(global.size).unwrap_or(0));
        bytes
    }
}

/// Returns the address that stands for a function. It is outside of all windows and all memory.
pub(super) fn function_address(index: usize) -> u64 {
    FUNCTIONS + ((index as u64) << 8)
}

/// Returns the function that an address stands for.
pub(super) fn function_at(address: u64) -> Option<usize> {
    let distance = address.checked_sub(FUNCTIONS)?;
    (distance & 0xff == 0).then_some(usize::try_from(distance >> 8).ok()?)
}

/// Address of the first function.
const FUNCTIONS: u64 = 1 << 40;
