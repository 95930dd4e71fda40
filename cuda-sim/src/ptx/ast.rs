//! The syntax tree of a module. It borrows every name from the source.

use super::types::{Scalar, Space};

/// A whole source file.
#[derive(Debug, Default)]
pub(crate) struct Module<'s> {
    /// `.version`
    pub(crate) version: (u32, u32),
    /// The line of `.version`.
    pub(crate) version_line: u32,
    /// Every word of every `.target`, with its line.
    pub(crate) targets: Vec<(&'s str, u32)>,
    /// `.address_size`, with its line.
    pub(crate) address_size: Option<(u32, u32)>,
    /// Everything else, in order.
    pub(crate) items: Vec<Item<'s>>,
}

/// One thing at module scope.
#[derive(Debug)]
pub(crate) enum Item<'s> {
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
pub(crate) enum Linkage {
    #[default]
    Internal,
    Visible,
    Weak,
    Common,
    Extern,
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariableType {
    Scalar(Scalar),
    Texture,
    Surface,
    Sampler,
}

/// A declared variable, register or parameter.
#[derive(Debug)]
pub(crate) struct Variable<'s> {
    pub(crate) linkage: Linkage,
    pub(crate) space: Space,
    pub(crate) align: Option<u64>,
    /// 1, 2, 4 or 8.
    pub(crate) vector: u32,
    pub(crate) kind: VariableType,
    pub(crate) name: &'s str,
    /// Array dimensions, outermost first; `None` for `[]`.
    pub(crate) dimensions: Vec<Option<u64>>,
    /// `name<count>`: registers `name0` to `name(count-1)`.
    pub(crate) range: Option<u32>,
    pub(crate) initial: Option<Initial<'s>>,
    pub(crate) managed: bool,
    pub(crate) line: u32,
}

/// An initial value.
#[derive(Debug)]
pub(crate) enum Initial<'s> {
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
pub(crate) enum Constant {
    /// An integer of 64 bits.
    Integer { bits: u64, signed: bool },
    /// `0fXXXXXXXX`
    Single(u32),
    /// `0dXXXXXXXXXXXXXXXX`, or a decimal number.
    Double(f64),
}

/// A function or the declaration of one.
#[derive(Debug)]
pub(crate) struct Function<'s> {
    pub(crate) linkage: Linkage,
    pub(crate) entry: bool,
    pub(crate) returns: Vec<Variable<'s>>,
    pub(crate) name: &'s str,
    pub(crate) params: Vec<Variable<'s>>,
    pub(crate) limits: Limits,
    pub(crate) noreturn: bool,
    pub(crate) body: Option<Vec<Statement<'s>>>,
    pub(crate) line: u32,
}

/// Performance directives.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) max_threads: Option<[u32; 3]>,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) max_registers: Option<u32>,
    /// `.reqnctapercluster`: the blocks of a cluster.
    pub(crate) cluster: Option<[u32; 3]>,
    /// `.explicitcluster`: it is only launched in clusters.
    pub(crate) explicit_cluster: bool,
    /// `.maxclusterrank`: the most blocks of a cluster.
    pub(crate) max_cluster_rank: Option<u32>,
    /// The line of `.maxnctapersm`.
    pub(crate) max_blocks: Option<u32>,
    /// The first directive that says 0 where there must be something, and its line.
    pub(crate) nothing: Option<(&'static str, u32)>,
}

/// One statement of a body.
#[derive(Debug)]
pub(crate) enum Statement<'s> {
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
pub(crate) struct Instruction<'s> {
    pub(crate) line: u32,
    /// The guard predicate and whether it is negated.
    pub(crate) guard: Option<(Operand<'s>, bool)>,
    pub(crate) opcode: &'s str,
    /// The words after the dots, without their dots.
    pub(crate) modifiers: Vec<&'s str>,
    pub(crate) operands: Vec<Operand<'s>>,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand<'s> {
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
