//! The syntax tree of a module. Every name is borrowed from the source.

use crate::types::{Scalar, Space};

/// A whole text.
#[derive(Debug, Default)]
pub struct Module<'s> {
    /// `.version`
    pub version: (u32, u32),
    /// The line of `.version`.
    pub version_line: u32,
    /// Every word of every `.target`, with its line.
    pub targets: Vec<(&'s str, u32)>,
    /// `.address_size`, with its line.
    pub address_size: Option<(u32, u32)>,
    /// Everything else, in order.
    pub items: Vec<Item<'s>>,
    /// `.file`: the numbers and the names of source files.
    pub files: Vec<(u64, &'s str)>,
    /// `.pragma` outside of the bodies of functions.
    pub pragmas: Vec<Pragma<'s>>,
    /// `.loc`, in the order of the text. At the head of a function body, an entry of file 0 ends the location of an earlier
    /// function.
    pub locations: Vec<Location>,
}

/// A place in a source file that the following lines of PTX came from: `.loc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The line of PTX.
    pub ptx_line: u32,
    /// The number of the source file. 0 if no source file is known.
    pub file: u32,
    /// The line in the source file.
    pub line: u32,
}

/// `.pragma "a", "b";`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pragma<'s> {
    /// The texts without their quotation marks.
    pub texts: Vec<&'s str>,
    /// The line.
    pub line: u32,
}

/// One thing at module scope.
#[derive(Debug)]
pub enum Item<'s> {
    /// A variable.
    Variable(Variable<'s>),
    /// A kernel or a device function.
    Function(Function<'s>),
    /// `.alias name, target;`
    Alias {
        /// The new name.
        name: &'s str,
        /// The function that it stands for.
        target: &'s str,
        /// The line.
        line: u32,
    },
    /// `.file`, `.section`, `.pragma`: directives that are no declarations.
    Ignored,
}

/// Linking directive of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    /// None: the name is known in its module only.
    #[default]
    Internal,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
    /// `.extern`: defined in another module.
    Extern,
}

impl Linkage {
    /// Returns the linkage that a directive, given without its dot, stands for; other words stand for none.
    pub(crate) fn from_word(word: &str) -> Self {
        match word {
            "visible" => Self::Visible,
            "weak" => Self::Weak,
            "common" => Self::Common,
            "extern" => Self::Extern,
            _ => Self::Internal,
        }
    }
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableType {
    /// A fundamental type.
    Scalar(Scalar),
    /// `.texref`
    Texture,
    /// `.surfref`
    Surface,
    /// `.samplerref`
    Sampler,
}

impl VariableType {
    /// Returns whether the type is opaque: a reference to a texture, a surface or a sampler. As a parameter of a kernel, it has a size
    /// that only the compiler of PTX knows.
    pub fn is_opaque(self) -> bool {
        !matches!(self, Self::Scalar(_))
    }

    /// Returns the type of an element in memory. References to textures, surfaces and samplers are handles of 64 bits.
    pub fn scalar(self) -> Scalar {
        match self {
            Self::Scalar(scalar) => scalar,
            Self::Texture | Self::Surface | Self::Sampler => Scalar::B64,
        }
    }
}

/// The memory that a pointer parameter points to: `.ptr .global .align 16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointer {
    /// The state space, or `None` for generic addresses.
    pub space: Option<Space>,
    /// The alignment of the memory in bytes.
    pub align: Option<u32>,
}

/// A declared variable, register or parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable<'s> {
    /// The linking directive.
    pub linkage: Linkage,
    /// The state space. The banks of constant memory before PTX 2.2 (`.const[3]`) are one space.
    pub space: Space,
    /// `.align`, in bytes.
    pub align: Option<u64>,
    /// The number of components: 1, 2, 4 or 8.
    pub vector: u32,
    /// The type of a component.
    pub kind: VariableType,
    /// The name.
    pub name: &'s str,
    /// Array dimensions, outermost first; `None` for `[]`.
    pub dimensions: Vec<Option<u64>>,
    /// `name<count>`: registers or variables `name0` to `name(count-1)`.
    pub range: Option<u32>,
    /// The initial value.
    pub initial: Option<Initial<'s>>,
    /// True if `.attribute(.managed)` is there.
    pub managed: bool,
    /// `.ptr`, of a parameter.
    pub pointer: Option<Pointer>,
    /// The line of the name.
    pub line: u32,
}

impl Variable<'_> {
    /// Returns the size in bytes, or `None` if it is 2^64 or more. Dimensions without a number count as 0.
    pub fn size(&self) -> Option<u64> {
        let element = u64::from(self.kind.scalar().bytes()).checked_mul(u64::from(self.vector))?;
        self.dimensions.iter().try_fold(element, |size, dimension| size.checked_mul(dimension.unwrap_or(0)))
    }

    /// Returns the alignment in bytes: `.align`, else the size of an element.
    pub fn alignment(&self) -> u64 {
        let natural = u64::from(self.kind.scalar().bytes()) * u64::from(self.vector);
        self.align.unwrap_or(natural).max(1)
    }
}

/// An initial value.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial<'s> {
    /// A number.
    Constant(Constant),
    /// The address of a symbol.
    Address {
        /// The symbol.
        name: &'s str,
        /// The number of bytes added to the address.
        addend: i64,
        /// The bits of the address that are wanted; all of them normally.
        mask: u64,
    },
    /// The elements of an array: `{...}`.
    List(Vec<Initial<'s>>),
    /// The fields of a sampler or texture, which are not kept.
    Fields,
}

/// A literal or the value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// An integer of 64 bits.
    Integer {
        /// The bits.
        bits: u64,
        /// True if the type is `.s64` and not `.u64`.
        signed: bool,
    },
    /// `0fXXXXXXXX`: the bits of a number of single precision.
    Single(u32),
    /// `0dXXXXXXXXXXXXXXXX`, or a decimal number.
    Double(f64),
}

/// A kernel or device function, or the declaration of one.
#[derive(Debug)]
pub struct Function<'s> {
    /// The linking directive.
    pub linkage: Linkage,
    /// True if it is a kernel: `.entry`.
    pub entry: bool,
    /// The values that are returned.
    pub returns: Vec<Variable<'s>>,
    /// The name.
    pub name: &'s str,
    /// The parameters, in order.
    pub params: Vec<Variable<'s>>,
    /// The performance directives.
    pub limits: Limits,
    /// True if `.noreturn` is there.
    pub noreturn: bool,
    /// The statements, or `None` for a declaration.
    pub body: Option<Vec<Statement<'s>>>,
    /// The line of the name.
    pub line: u32,
}

/// Performance directives.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// `.maxntid`: the most threads of a block, per dimension.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`: the threads of a block, per dimension.
    pub required_threads: Option<[u32; 3]>,
    /// `.maxnreg`: the most registers of a thread.
    pub max_registers: Option<u32>,
    /// `.reqnctapercluster`: the blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// `.blocksareclusters`: the grid of a launch counts clusters, and not blocks.
    pub blocks_are_clusters: bool,
    /// `.explicitcluster`: every launch must have clusters.
    pub explicit_cluster: bool,
    /// `.maxclusterrank`: the most blocks of a cluster.
    pub max_cluster_rank: Option<u32>,
    /// The line of `.maxnctapersm`.
    pub max_blocks: Option<u32>,
    /// The first directive with a 0 that is not allowed, and its line.
    pub nothing: Option<(&'static str, u32)>,
}

/// One statement of a body.
#[derive(Debug)]
pub enum Statement<'s> {
    /// `name:`
    Label {
        /// The name.
        name: &'s str,
        /// The line.
        line: u32,
    },
    /// An instruction.
    Instruction(Instruction<'s>),
    /// A variable or register.
    Variable(Variable<'s>),
    /// Statements in braces.
    Block(Vec<Statement<'s>>),
    /// `.pragma`
    Pragma(Pragma<'s>),
    /// `name: .branchtargets a, b;` or `.calltargets`.
    Targets {
        /// The name of the table.
        name: Option<&'s str>,
        /// The labels or functions.
        targets: Vec<&'s str>,
        /// The line.
        line: u32,
    },
    /// `name: .callprototype (returns) _ (params);`
    Prototype {
        /// The name of the prototype.
        name: Option<&'s str>,
        /// The values that are returned.
        returns: Vec<Variable<'s>>,
        /// The parameters, in order.
        params: Vec<Variable<'s>>,
        /// The line.
        line: u32,
    },
}

/// An instruction.
#[derive(Debug)]
pub struct Instruction<'s> {
    /// The line.
    pub line: u32,
    /// The guard predicate and whether it is negated.
    pub guard: Option<(Operand<'s>, bool)>,
    /// The name up to the first dot.
    pub opcode: &'s str,
    /// The words after the dots, without their dots.
    pub modifiers: Vec<&'s str>,
    /// The operands, in order.
    pub operands: Vec<Operand<'s>>,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand<'s> {
    /// A register, variable, label or function, possibly with a number added (`sm+4`).
    Name {
        /// The name.
        name: &'s str,
        /// The number added, in bytes.
        addend: i64,
    },
    /// `array[3]`, `array[%r+1]`: an element.
    Element {
        /// The name of the array.
        name: &'s str,
        /// The index: a constant, or a name with a number added.
        index: Box<Operand<'s>>,
    },
    /// `%tid.x`, `vector.x`
    Component {
        /// The name of the vector.
        name: &'s str,
        /// The name of the component.
        component: &'s str,
    },
    /// A literal or constant expression.
    Constant(Constant),
    /// `!%p`
    Not(Box<Operand<'s>>),
    /// `-%r`
    Negative(Box<Operand<'s>>),
    /// `{a, b}`
    Vector(Vec<Operand<'s>>),
    /// `[...]`: an address, or a list of operands (textures, tensors).
    Address(Vec<Operand<'s>>),
    /// `a|b`
    Pair(Box<Operand<'s>>, Box<Operand<'s>>),
    /// `(a, b)` in a call.
    List(Vec<Operand<'s>>),
    /// `_`
    Sink,
}
