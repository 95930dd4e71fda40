//! Declarations of a module: variables and functions, in the order of the source.

use std::borrow::Cow;
use std::collections::HashMap;

use cuda_ptx::ast::{self, Initial, VariableType};
use cuda_ptx::diagnostic::{Diagnostic, Log};
use cuda_ptx::types::{Scalar, Space};

use super::links::Links;
use super::scope::{Elements, Shape, Symbol};
use crate::function::{Function, SharedVariable};
use crate::program::{Global, GlobalSpace, Linkage, Reference, ReferenceKind, Relocation, RelocationTarget};
use crate::source::SourceTable;
use std::sync::Arc;

/// Parameter, as callers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// True for a register, false for a parameter variable.
    pub(super) register: bool,
}

/// Function, as callers see it.
#[derive(Debug, Clone)]
pub(super) struct Prototype {
    pub(super) entry: bool,
    pub(super) returns: Vec<Signature>,
    pub(super) params: Vec<Signature>,
    pub(super) defined: bool,
    /// True if another text may define it.
    pub(super) external: bool,
}

impl Prototype {
    /// Returns the sizes of the parameters and of the results.
    pub(super) fn sizes(&self) -> [Vec<u32>; 2] {
        [&self.params, &self.returns]
            .map(|signatures| signatures.iter().map(|signature| signature.shape.size).collect())
    }
}

/// Purpose for which one or several texts are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Loading, with all definitions present.
    #[default]
    Alone,
    /// Linking with other texts, which may define missing names.
    Part,
    /// All texts of a link together.
    Together,
}

/// Body that the body of another text replaces.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) text: usize,
    /// Index of the function that it would have defined.
    pub(super) index: usize,
    pub(super) function: Function,
}

/// All declarations so far.
#[derive(Debug, Default)]
pub(super) struct Unit<'s> {
    /// Purpose of the compilation.
    pub(super) stage: Stage,
    /// Newest PTX version that the driver knows.
    pub(super) newest: (u32, u32),
    /// Meanings of the names that several texts share.
    pub(super) links: Links<'s>,
    /// Names of the text being read.
    pub(super) symbols: HashMap<Cow<'s, str>, Symbol>,
    /// Elements of the arrays of the text being read.
    pub(super) elements: HashMap<&'s str, Elements>,
    pub(super) globals: Vec<Global>,
    pub(super) references: Vec<Reference>,
    pub(super) shared: Vec<SharedVariable>,
    pub(super) functions: Vec<Function>,
    pub(super) prototypes: Vec<Prototype>,
    /// Bodies that those of other texts replace.
    pub(super) lost: Vec<Lost>,
    /// Functions that are aliases of functions.
    pub(super) aliases: HashMap<usize, usize>,
    /// Origins of the lines of the text being read.
    pub(super) sources: Option<Arc<SourceTable>>,
    pub(super) log: Log,
    /// Architecture as the module names it, and whether it has a suffix.
    pub(super) target: String,
    pub(super) accelerated: bool,
}

/// Limit of the variables that one declaration `name<count>` makes.
pub(super) const MAX_RANGE: u32 = 1 << 16;

/// Returns the size of a variable, or `None` if it exceeds 64 bits.
pub(super) fn size_of(variable: &ast::Variable<'_>, scalar: Scalar) -> Option<u64> {
    size_of_elements(&variable.dimensions, variable, scalar)
}

/// Returns the size of an array with these dimensions and with elements like the variable's.
fn size_of_elements(dimensions: &[Option<u64>], variable: &ast::Variable<'_>, scalar: Scalar) -> Option<u64> {
    let element = u64::from(scalar.bytes()).checked_mul(u64::from(variable.vector))?;
    dimensions.iter().try_fold(element, |size, dimension| size.checked_mul(dimension.unwrap_or(0)))
}

/// Returns the elements of a variable that is an array (conformance facts V1081 and V1083).
pub(super) fn elements_of(variable: &ast::Variable<'_>) -> Option<Elements> {
    let VariableType::Scalar(scalar) = variable.kind else { return None };
    Some(Elements { scalar, bytes: if is_incomplete(variable)? { 1 } else { scalar.bytes() } })
}

/// Returns whether an array has no size.
fn is_incomplete(variable: &ast::Variable<'_>) -> Option<bool> {
    let first = variable.dimensions.first()?;
    Some(first.unwrap_or(0) == 0 && variable.initial.is_none())
}

/// Returns the alignment of a variable: the one it declares, else that of its elements.
pub(super) fn align_of(variable: &ast::Variable<'_>, scalar: Scalar) -> u64 {
    let natural = u64::from(scalar.bytes()) * u64::from(variable.vector);
    variable.align.unwrap_or(natural).max(1)
}

pub(super) fn linkage(linkage: ast::Linkage) -> Linkage {
    match linkage {
        ast::Linkage::Internal => Linkage::Internal,
        ast::Linkage::Visible => Linkage::Visible,
        ast::Linkage::Weak => Linkage::Weak,
        ast::Linkage::Common => Linkage::Common,
        ast::Linkage::Extern => Linkage::Extern,
    }
}

impl<'s> Unit<'s> {
    pub(super) fn error(&mut self, line: u32, text: impl Into<String>) {
        self.log.push(Diagnostic::error(line, text));
    }

    /// Declares a variable of module scope.
    pub(super) fn module_variable(&mut self, variable: &ast::Variable<'s>) {
        let name = variable.name;
        let line = variable.line;
        match variable.space {
            Space::Local | Space::Register => {
                let space = variable.space.name();
                let text = format!("Module-scoped variables in {space} state space are not allowed with ABI");
                return self.error(line, text);
            }
            Space::Parameter => {
                return self.error(line, "Parameter variables may not be declared at module scope");
            }
            Space::Texture => {
                let text = "Deprecated feature: '.tex' not supported as of PTX version 1.5";
                return self.error(line, text);
            }
            Space::Global | Space::Constant | Space::Shared => {}
        }
        if let Some(elements) = elements_of(variable) {
            // A declaration without a size leaves the size of an earlier one.
            if is_incomplete(variable) == Some(true) {
                self.elements.entry(name).or_insert(elements);
            } else {
                self.elements.insert(name, elements);
            }
        }
        if let Some(symbol) = self.links.known(name) {
            return self.linked_variable(variable, symbol);
        }
        match self.symbols.get(name) {
            None => {}
            Some(Symbol::Global(index)) if self.may_redeclare(*index, variable) => {
                let index = *index;
                return self.redeclare(index, variable);
            }
            Some(Symbol::Shared(_)) if variable.linkage == ast::Linkage::Extern => return,
            Some(_) => return self.error(line, format!("Duplicate definition of variable '{name}'")),
        }
        if let Some(count) = variable.range {
            for number in 0..count.min(MAX_RANGE) {
                let name = format!("{name}{number}");
                if let Some(symbol) = self.variable_named(variable, &name) {
                    self.symbols.insert(Cow::Owned(name), symbol);
                }
            }
            return;
        }
        if let Some(symbol) = self.variable(variable) {
            self.links.declare(name, &symbol);
            self.symbols.insert(Cow::Borrowed(name), symbol);
        }
    }

    /// Adds a variable that another text has declared or defined. Both names mean the same variable. A definition in
    /// this text replaces a declaration.
    fn linked_variable(&mut self, variable: &ast::Variable<'s>, symbol: Symbol) {
        self.symbols.insert(Cow::Borrowed(variable.name), symbol.clone());
        if !self.links.is_definer(variable.name) {
            return;
        }
        match symbol {
            Symbol::Global(index) => self.redeclare(index, variable),
            Symbol::Shared(index) => {
                if let Some(Symbol::Shared(_)) = self.variable(variable)
                    && let Some(fresh) = self.shared.pop()
                    && let Some(slot) = self.shared.get_mut(index)
                {
                    *slot = fresh;
                }
            }
            _ => {}
        }
    }

    fn may_redeclare(&self, index: usize, variable: &ast::Variable<'_>) -> bool {
        let external = variable.linkage == ast::Linkage::Extern;
        self.globals.get(index).is_some_and(|global| external || global.linkage == Linkage::Extern)
    }

    fn redeclare(&mut self, index: usize, variable: &ast::Variable<'s>) {
        if variable.linkage == ast::Linkage::Extern {
            return;
        }
        // The definition replaces the declaration under the same index, because others may already refer to it.
        if let Some(Symbol::Global(fresh)) = self.variable(variable)
            && let Some(global) = self.globals.pop()
            && fresh == self.globals.len()
            && let Some(slot) = self.globals.get_mut(index)
        {
            *slot = global;
        }
    }

    /// Creates a variable that lives as long as the module, regardless of the scope of its declaration.
    pub(super) fn variable(&mut self, variable: &ast::Variable<'s>) -> Option<Symbol> {
        self.variable_named(variable, variable.name)
    }

    /// Creates a variable under another name: one of a range.
    pub(super) fn variable_named(&mut self, variable: &ast::Variable<'s>, name: &str) -> Option<Symbol> {
        let line = variable.line;
        let scalar = match variable.kind {
            VariableType::Scalar(scalar) => scalar,
            VariableType::Texture => return Some(self.reference(variable, ReferenceKind::Texture)),
            VariableType::Surface => return Some(self.reference(variable, ReferenceKind::Surface)),
            VariableType::Sampler => return Some(self.reference(variable, ReferenceKind::Sampler)),
        };
        if scalar == Scalar::Pred {
            self.error(line, format!("Predicate variable '{name}' must be in register state space"));
            return None;
        }
        if variable.align.is_some_and(|align| !align.is_power_of_two()) {
            self.error(line, "Alignment must be a power of two");
            return None;
        }
        let unsized_array = variable.dimensions.first() == Some(&None);
        let size = size_of(variable, scalar).filter(|&size| size <= 1 << 40);
        let Some(size) = size else {
            self.error(line, format!("Size of variable '{name}' is too large"));
            return None;
        };
        let align = align_of(variable, scalar);
        let external = variable.linkage == ast::Linkage::Extern;
        if variable.space == Space::Shared {
            if variable.initial.is_some() {
                let text = format!("No initial value is allowed for '{name}' in this state space");
                self.error(line, text);
            }
            let dynamic = external && unsized_array;
            if unsized_array && !external {
                self.error(line, format!("Non-external variable '{name}' has incomplete type"));
            }
            self.shared.push(SharedVariable { name: name.to_owned(), size, align, dynamic });
            return Some(Symbol::Shared(self.shared.len() - 1));
        }
        let mut global = Global {
            name: name.to_owned(),
            space: if variable.space == Space::Constant {
                GlobalSpace::Constant
            } else {
                GlobalSpace::Global
            },
            size,
            align,
            linkage: linkage(variable.linkage),
            text: self.links.text(),
            managed: variable.managed,
            initial: Vec::new(),
            relocations: Vec::new(),
        };
        match &variable.initial {
            Some(initial) => {
                let (bytes, relocations) = match self.initialise(variable, scalar, initial) {
                    Ok(image) => image,
                    Err(text) => {
                        self.log.push(Diagnostic::fatal(line, text));
                        return None;
                    }
                };
                if let (true, Initial::List(rows)) = (unsized_array, initial) {
                    let row = size_of_elements(&variable.dimensions[1..], variable, scalar);
                    global.size = row.and_then(|row| row.checked_mul(rows.len() as u64)).unwrap_or(0);
                }
                global.initial = bytes;
                global.relocations = relocations;
            }
            None if unsized_array && !external => {
                self.error(line, format!("Non-external variable '{name}' has incomplete type"));
            }
            None => {}
        }
        self.globals.push(global);
        Some(Symbol::Global(self.globals.len() - 1))
    }

    /// Adds a texture or surface reference. Arrays of references, and references with properties in the source, can be
    /// declared but not used.
    fn reference(&mut self, variable: &ast::Variable<'s>, kind: ReferenceKind) -> Symbol {
        let usable = variable.dimensions.is_empty() && variable.range.is_none() && variable.initial.is_none();
        self.references.push(Reference { name: variable.name.to_owned(), kind });
        Symbol::Reference { index: self.references.len() - 1, kind, usable }
    }

    fn initialise(
        &self,
        variable: &ast::Variable<'s>,
        scalar: Scalar,
        initial: &Initial<'s>,
    ) -> Result<(Vec<u8>, Vec<Relocation>), String> {
        let mut image = Image { unit: self, scalar, bytes: Vec::new(), relocations: Vec::new() };
        image.fill(&variable.dimensions, variable.vector as usize, initial)?;
        Ok((image.bytes, image.relocations))
    }
}

/// Initial bytes under construction.
struct Image<'a, 's> {
    unit: &'a Unit<'s>,
    scalar: Scalar,
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image<'_, '_> {
    /// Appends the elements of an array of the given shape. A row that is shorter than its dimension leaves no gap: the
    /// following elements move up, and the zeros are at the end (measured).
    fn fill(&mut self, shape: &[Option<u64>], vector: usize, initial: &Initial<'_>) -> Result<(), String> {
        let Some((count, rest)) = shape.split_first() else {
            return if vector > 1 { self.vector(vector, initial) } else { self.element(initial) };
        };
        let Initial::List(values) = initial else { return Err("Initial value type mismatch".into()) };
        if count.is_some_and(|count| values.len() as u64 > count) {
            return Err("Greater number of elements in array initializer".into());
        }
        values.iter().try_for_each(|value| self.fill(rest, vector, value))
    }

    fn vector(&mut self, count: usize, initial: &Initial<'_>) -> Result<(), String> {
        let Initial::List(values) = initial else { return Err("Initial value type mismatch".into()) };
        if values.len() != count {
            return Err("Incorrect number of elements in vector initializer".into());
        }
        values.iter().try_for_each(|value| self.element(value))
    }

    fn element(&mut self, initial: &Initial<'_>) -> Result<(), String> {
        match initial {
            Initial::Constant(constant) => {
                let value = super::operands::literal(*constant, self.scalar)
                    .ok_or_else(|| "Initial value type mismatch".to_owned())?;
                self.store(value);
                Ok(())
            }
            Initial::Address { name, addend, mask } => {
                let target = match self.unit.symbols.get(*name) {
                    Some(Symbol::Global(index)) => RelocationTarget::Global(*index),
                    Some(Symbol::Function(index)) => RelocationTarget::Function(*index),
                    Some(_) => {
                        return Err(
                            "Variable used as initial value not in .global or .const state space".into()
                        );
                    }
                    None => return Err(format!("Invalid initial value symbol '{name}'")),
                };
                if !self.scalar.is_integer() {
                    return Err("Initial value type mismatch".into());
                }
                let (offset, size) = (self.bytes.len() as u64, self.scalar.bytes());
                self.relocations.push(Relocation { offset, size, target, addend: *addend, mask: *mask });
                self.store(0);
                Ok(())
            }
            Initial::List(_) => Err("Initial value type mismatch".into()),
            Initial::Fields => Ok(()),
        }
    }

    /// Appends a value. A type of 128 bits gets eight further bytes of zeros.
    fn store(&mut self, value: u64) {
        let size = self.scalar.bytes() as usize;
        let end = self.bytes.len() + size;
        self.bytes.extend_from_slice(&value.to_le_bytes()[..size.min(8)]);
        self.bytes.resize(end, 0);
    }
}
