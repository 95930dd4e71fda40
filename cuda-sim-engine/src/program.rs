//! What a module offers once its PTX has been read: kernels, variables and references.

use std::fmt;

use crate::function::{Constant, Function};
use crate::observer::Site;
use crate::source::SourceLine;
use crate::texture::reference_address;

/// The device that a module is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Compute capability.
    pub compute_capability: (u32, u32),
    /// The newest PTX version that the driver knows.
    pub ptx_version: (u32, u32),
}

impl Target {
    /// The compute capability as one number: 90 for 9.0.
    pub fn number(&self) -> u32 {
        let (major, minor) = self.compute_capability;
        major.saturating_mul(10).saturating_add(minor)
    }
}

/// A PTX text and its name.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    /// The name in messages.
    pub name: &'t str,
    /// The text, which may end with a NUL.
    pub source: &'t [u8],
}

/// Why a source is refused; the driver model turns it into a result code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompileErrorKind {
    /// Not PTX at all (200).
    NotPtx,
    /// PTX with errors (218).
    Invalid,
    /// Texts that are right each, but do not go together (300).
    Unlinked,
    /// What the driver takes, and what cannot be done here.
    Lacking,
    /// PTX of a version that the driver is too old for (222).
    UnsupportedVersion,
}

/// A refusal and the log that the driver writes about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    /// The class.
    pub kind: CompileErrorKind,
    /// The error log, in the driver's words.
    pub log: String,
}

impl CompileError {
    /// As it is for a text that is a part of something: that is known to be PTX.
    pub fn of_part(mut self) -> CompileError {
        if self.kind == CompileErrorKind::NotPtx {
            self.kind = CompileErrorKind::Invalid;
        }
        self
    }

    /// As it is for an image that a linker has made: its texts compiled then, so the image was changed.
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

/// Where a parameter of a kernel lies in its parameter space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// An entry function.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// Size of the parameter space.
    pub param_bytes: u32,
    /// Bytes of shared memory that its variables, and those of the functions it calls, take.
    pub static_shared: u32,
    /// Bytes of local memory that each thread needs, without recursion.
    pub local_bytes: u32,
    /// Bytes of constant memory of the whole module.
    pub const_bytes: u32,
    /// `.maxntid`, if given.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`, if given.
    pub required_threads: Option<[u32; 3]>,
    /// `.reqnctapercluster`, if given.
    pub required_cluster: Option<[u32; 3]>,
    /// Whether it is only launched in clusters: `.explicitcluster`.
    pub explicit_cluster: bool,
    /// `.maxclusterrank`, if given.
    pub max_cluster_rank: Option<u32>,
    /// True if it, or a function that it may call, calls `malloc` or `free` of the driver.
    pub uses_heap: bool,
    /// An estimate of the registers that a thread would take on hardware, within `.maxnreg`.
    pub registers: u32,
    /// `.version` of the module.
    pub ptx_version: (u32, u32),
    /// Number of the `.target`: 90 for `sm_90`.
    pub target: u32,
    pub(super) function: usize,
    /// It and every function that it may call.
    pub(super) functions: Vec<usize>,
    /// Where the shared variables that it uses lie.
    pub(super) shared_offsets: Vec<(usize, u32)>,
    pub(super) shared_names: Vec<SharedName>,
    /// Where static shared memory ends, and dynamic shared memory begins.
    pub(super) shared_end: u32,
    pub(super) unsupported: Option<String>,
}

/// Where a variable lies in the shared memory of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedName {
    /// Its name.
    pub name: String,
    /// Its offset.
    pub offset: u64,
    /// Its size in bytes. `None` if it is dynamic: it ends with shared memory.
    pub size: Option<u64>,
}

impl Kernel {
    /// The offset where static shared memory ends, and dynamic shared memory begins.
    pub fn shared_end(&self) -> u32 {
        self.shared_end
    }

    /// Returns the shared variable that begins last at an offset or before it.
    pub fn shared_variable(&self, offset: u64) -> Option<&SharedName> {
        let before = self.shared_names.iter().filter(|variable| variable.offset <= offset);
        before.max_by_key(|variable| variable.offset)
    }

    /// What keeps the engine from running this kernel: a line for the log, or nothing.
    pub fn unsupported(&self) -> Option<&str> {
        self.unsupported.as_deref()
    }
}

/// The state space of a module variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobalSpace {
    /// `.global`
    Global,
    /// `.const`
    Constant,
}

/// Who may see a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// This module alone.
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

/// What the address in an initialiser refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelocationTarget {
    /// A variable, by its index in [`Program::globals`].
    Global(usize),
    /// A function; its address is one that only the engine understands.
    Function(usize),
}

/// An address inside the initial bytes of a variable, to be filled in once addresses are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// Where in the variable.
    pub offset: u64,
    /// How many bytes the value takes.
    pub size: u32,
    /// What the address is of.
    pub target: RelocationTarget,
    /// Added to that address.
    pub addend: i64,
    /// Which bits of the address are wanted (`mask()` in PTX), shifted down to bit 0; all of them normally.
    pub mask: u64,
}

/// A module variable in device memory.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its state space.
    pub space: GlobalSpace,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its linkage.
    pub linkage: Linkage,
    /// `.attribute(.managed)`
    pub managed: bool,
    /// Its first bytes; what is missing up to `size` is zero.
    pub initial: Vec<u8>,
    /// The addresses in it.
    pub relocations: Vec<Relocation>,
}

impl Global {
    /// Whether other texts may mean it by its name.
    pub fn is_shared(&self) -> bool {
        self.linkage != Linkage::Internal
    }
}

/// What a reference of a module refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// `.texref`
    Texture,
    /// `.surfref`
    Surface,
    /// `.samplerref`
    Sampler,
}

/// A texture or surface reference of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// What may be bound to it.
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
}

impl Program {
    /// All entry functions.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Has no kernel take more registers than that, as compilers do when they are asked to.
    pub fn limit_registers(&mut self, most: u32) {
        for kernel in &mut self.kernels {
            kernel.registers = kernel.registers.min(most.max(8));
        }
    }

    /// The variables that need device memory, in the order in which [`Launch::globals`](crate::Launch::globals) wants
    /// their addresses.
    pub fn globals(&self) -> &[Global] {
        &self.globals
    }

    /// The references, in the order of [`Textures::references`](crate::Textures::references).
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

    /// Returns the name of the function that a step is in.
    pub fn function_name(&self, site: Site) -> &str {
        self.functions.get(site.function).map_or("", |function| &function.name)
    }

    /// The information log: warnings, in the driver's words.
    pub fn info_log(&self) -> &str {
        &self.info
    }

    /// The first bytes of global `index`, given where every global was placed; the others are zero.
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

/// The address that stands for a function. It lies in no window and in no memory.
pub(super) fn function_address(index: usize) -> u64 {
    FUNCTIONS + ((index as u64) << 8)
}

/// The function that an address stands for.
pub(super) fn function_at(address: u64) -> Option<usize> {
    let distance = address.checked_sub(FUNCTIONS)?;
    (distance & 0xff == 0).then_some(usize::try_from(distance >> 8).ok()?)
}

/// The address of the first function.
const FUNCTIONS: u64 = 1 << 40;
