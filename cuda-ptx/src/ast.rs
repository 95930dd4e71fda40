//! The syntax tree of a module. It borrows every name from the source.

use super::types::{Scalar, Space};

/// A whole source file.
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
}

/// One thing at module scope.
#[derive(Debug)]
pub enum Item<'s> {
    Variable(Variable<'s>),
    Function(Function<'s>),
    /// `.alias name, target;`
    Alias {
        name: &'s str,
        target: &'s str,
        line: u32,
    },
    /// `.file`, `.section`, `.pragma`: nothing that changes what a kernel computes.
    Ignored,
}

/// Linking directive of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    #[default]
    Internal,
    Visible,
    Weak,
    Common,
    Extern,
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableType {
    Scalar(Scalar),
    Texture,
    Surface,
    Sampler,
}

/// A declared variable, register or parameter.
#[derive(Debug)]
pub struct Variable<'s> {
    pub linkage: Linkage,
    pub space: Space,
    pub align: Option<u64>,
    /// 1, 2, 4 or 8.
    pub vector: u32,
    pub kind: VariableType,
    pub name: &'s str,
    /// Array dimensions, outermost first; `None` for `[]`.
    pub dimensions: Vec<Option<u64>>,
    /// `name<count>`: registers `name0` to `name(count-1)`.
    pub range: Option<u32>,
    pub initial: Option<Initial<'s>>,
    pub managed: bool,
    pub line: u32,
}

/// An initial value.
#[derive(Debug)]
pub enum Initial<'s> {
    Constant(Constant),
    /// An address: of `name`, plus `addend`, restricted to the bits of `mask`.
    Address {
        name: &'s str,
        addend: i64,
        mask: u64,
    },
    List(Vec<Initial<'s>>),
    /// Fields of a sampler or texture, which are read by nobody yet.
    Fields,
}

/// A literal or the value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// An integer of 64 bits.
    Integer { bits: u64, signed: bool },
    /// `0fXXXXXXXX`
    Single(u32),
    /// `0dXXXXXXXXXXXXXXXX`, or a decimal number.
    Double(f64),
}

/// A function or the declaration of one.
#[derive(Debug)]
pub struct Function<'s> {
    pub linkage: Linkage,
    pub entry: bool,
    pub returns: Vec<Variable<'s>>,
    pub name: &'s str,
    pub params: Vec<Variable<'s>>,
    pub limits: Limits,
    pub noreturn: bool,
    pub body: Option<Vec<Statement<'s>>>,
    pub line: u32,
}

/// Performance directives.
#[derive(Debug, Default, Clone, Copy)]
pub struct Limits {
    pub max_threads: Option<[u32; 3]>,
    pub required_threads: Option<[u32; 3]>,
    pub max_registers: Option<u32>,
    /// `.reqnctapercluster`: the blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// `.explicitcluster`: it is only launched in clusters.
    pub explicit_cluster: bool,
    /// `.maxclusterrank`: the most blocks of a cluster.
    pub max_cluster_rank: Option<u32>,
    /// The line of `.maxnctapersm`.
    pub max_blocks: Option<u32>,
    /// The first directive that says 0 where there must be something, and its line.
    pub nothing: Option<(&'static str, u32)>,
}

/// One statement of a body.
#[derive(Debug)]
pub enum Statement<'s> {
    Label {
        name: &'s str,
        line: u32,
    },
    Instruction(Instruction<'s>),
    Variable(Variable<'s>),
    Block(Vec<Statement<'s>>),
    /// `name: .branchtargets a, b;` or `.calltargets`.
    Targets {
        name: Option<&'s str>,
        targets: Vec<&'s str>,
        line: u32,
    },
    /// `name: .callprototype (returns) _ (params);`
    Prototype {
        name: Option<&'s str>,
        returns: Vec<Variable<'s>>,
        params: Vec<Variable<'s>>,
        line: u32,
    },
}

/// An instruction.
#[derive(Debug)]
pub struct Instruction<'s> {
    pub line: u32,
    /// The guard predicate and whether it is negated.
    pub guard: Option<(Operand<'s>, bool)>,
    pub opcode: &'s str,
    /// The words after the dots, without their dots.
    pub modifiers: Vec<&'s str>,
    pub operands: Vec<Operand<'s>>,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand<'s> {
    /// A register, variable, label or function, possibly with something added (`sm+4`).
    Name {
        name: &'s str,
        addend: i64,
    },
    /// `array[3]`: the address of an element.
    Element {
        name: &'s str,
        index: i64,
    },
    /// `%tid.x`, `vector.x`
    Component {
        name: &'s str,
        component: &'s str,
    },
    Constant(Constant),
    /// `!%p`
    Not(Box<Operand<'s>>),
    /// `-%r`
    Negative(Box<Operand<'s>>),
    /// `{a, b}`
    Vector(Vec<Operand<'s>>),
    /// `[...]`: an address, or for textures and their like a list.
    Address(Vec<Operand<'s>>),
    /// `a|b`
    Pair(Box<Operand<'s>>, Box<Operand<'s>>),
    /// `(a, b)` in a call.
    List(Vec<Operand<'s>>),
    /// `_`
    Sink,
}
