//! Names that several texts share: the text that defines each name, and conflicts between texts.
//!
//! Texts are linked as the driver's linker does it (conformance facts V320 and on). The meaning of each name is
//! resolved before compilation. Every use, in any text, is then compiled for the definition that counts.

use std::collections::{BTreeSet, HashMap};

use cuda_ptx::ast::{self, Item, Linkage, Module, VariableType};
use cuda_ptx::types::Space;

use super::scope::Symbol;
use super::unit::{Unit, size_of};
use super::{ReadModule, call, kernels};
use crate::function::Constant;
use crate::program::{CompileError, CompileErrorKind, RelocationTarget, Text};

/// Meanings of the names that several texts share. Empty for a single text.
#[derive(Debug, Default)]
pub(super) struct Links<'s> {
    /// Index of the text being read.
    text: usize,
    /// For each text, the names that it shares with other texts.
    shared: Vec<HashMap<&'s str, Declaration>>,
    names: HashMap<&'s str, Name>,
    symbols: HashMap<&'s str, Symbol>,
    /// Valid link that the engine does not support, if there is one.
    lacking: Option<String>,
}

/// Declaration of a name in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declaration {
    what: What,
    strength: Strength,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Function { entry: bool, prototype: [Vec<Parameter>; 2], registers: bool },
    Variable { space: Space, size: u64, managed: bool },
    Reference(VariableType),
}

/// Properties of a parameter that must be the same in all texts. Alignment and signedness may differ (measured).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Parameter {
    size: u64,
    element: u32,
    floating: bool,
    array: bool,
}

/// Strength of a declaration: the strongest one defines the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Declared,
    Common,
    Weak,
    Defined,
}

/// State of a name after some of the texts.
#[derive(Debug)]
struct Name {
    /// First text that names it, or the first that defines it.
    first: usize,
    defined: Option<usize>,
    what: What,
    /// Text whose declaration counts.
    definer: usize,
    strength: Strength,
}

impl<'s> Links<'s> {
    /// Collects the names that texts share.
    ///
    /// # Errors
    ///
    /// Conflicts between the last text and those before it, in the words of the driver's linker. Earlier texts were
    /// compared when each of them was the last.
    pub(super) fn of(modules: &[Module<'s>], texts: &[Text<'_>]) -> Result<Links<'s>, CompileError> {
        let mut links = Links::default();
        let called = |text: usize| texts.get(text).map_or("", |text| text.name);
        for (text, module) in modules.iter().enumerate() {
            let declarations = declarations(module);
            let mut problems = Vec::new();
            let mut order: Vec<_> = declarations.iter().collect();
            order.sort_unstable_by_key(|(name, _)| **name);
            for (&name, fresh) in order {
                let Declaration { what, strength } = fresh.clone();
                match links.names.get_mut(name) {
                    None => {
                        let (first, definer) = (text, text);
                        let defined = Some(text).filter(|_| strength != Strength::Declared);
                        links.names.insert(name, Name { first, defined, what, definer, strength });
                    }
                    Some(known) => {
                        let defined = known.defined.unwrap_or(text);
                        let places = [text, known.first, defined].map(called);
                        problems.extend(known.problem(name, fresh, places));
                        links.lacking = links.lacking.or_else(|| known.lacking(name, fresh));
                        known.merge(text, fresh);
                    }
                }
            }
            if !problems.is_empty() {
                return Err(CompileError { kind: CompileErrorKind::Unlinked, log: problems.join("\n") });
            }
            links.shared.push(declarations);
        }
        Ok(links)
    }

    /// Checks that the engine supports the link.
    ///
    /// # Errors
    ///
    /// The first part of the link that the engine does not support.
    pub(super) fn check(&self) -> Result<(), CompileError> {
        match &self.lacking {
            Some(log) => Err(CompileError { kind: CompileErrorKind::Lacking, log: log.clone() }),
            None => Ok(()),
        }
    }

    /// Advances to the next text.
    pub(super) fn next(&mut self) {
        self.text += 1;
    }

    /// Returns whether a text declares a variable that no text defines.
    fn is_missing_variable(&self, text: usize, name: &str) -> bool {
        let is_shared = self.shared.get(text).is_some_and(|shared| shared.contains_key(name));
        is_shared
            && self.names.get(name).is_some_and(|known| {
                known.strength == Strength::Declared && matches!(known.what, What::Variable { .. })
            })
    }

    fn is_shared(&self, name: &str) -> bool {
        self.shared.get(self.text).is_some_and(|shared| shared.contains_key(name))
    }

    /// Returns the meaning of a name of this text in the texts read before.
    pub(super) fn known(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).filter(|_| self.is_shared(name)).cloned()
    }

    /// Records the meaning of a name of this text for the other texts.
    pub(super) fn declare(&mut self, name: &'s str, symbol: &Symbol) {
        if self.is_shared(name) {
            self.symbols.entry(name).or_insert_with(|| symbol.clone());
        }
    }

    /// Returns whether the declaration of a name in this text counts.
    pub(super) fn is_definer(&self, name: &str) -> bool {
        self.defines(self.text, name)
    }

    /// Returns the text whose declaration of a name counts.
    fn definer(&self, name: &str) -> Option<usize> {
        self.names.get(name).map(|known| known.definer)
    }

    /// Returns the index of the text being read.
    pub(super) fn text(&self) -> usize {
        self.text
    }

    /// Returns whether the declaration of a name in a text counts.
    pub(super) fn defines(&self, text: usize, name: &str) -> bool {
        let is_shared = self.shared.get(text).is_some_and(|shared| shared.contains_key(name));
        !is_shared || self.names.get(name).is_some_and(|known| known.definer == text)
    }
}

impl Name {
    /// Returns why a text conflicts with those before it, if it does.
    fn problem(&self, name: &str, fresh: &Declaration, [here, first, defined]: [&str; 3]) -> Option<String> {
        let differs = |what: &str| {
            Some(format!(
                "error   : {what} doesn't match for '{name}' in '{here}', first specified in '{first}'"
            ))
        };
        match (&self.what, &fresh.what) {
            (
                What::Function { entry, prototype, .. },
                What::Function { entry: other, prototype: given, .. },
            ) => {
                if entry != other {
                    return Some(format!(
                        "error   : Function '{name}' not declared __global__ in all source files"
                    ));
                }
                if prototype != given {
                    return Some(format!(
                        "error   : Prototype doesn't match for '{name}' in '{here}', first defined in '{defined}'"
                    ));
                }
            }
            (
                What::Variable { space, size, managed },
                What::Variable { space: other, size: given, managed: or_not },
            ) => {
                if space != other {
                    return differs("Memory space");
                }
                let both_common = self.strength == Strength::Common && fresh.strength == Strength::Common;
                if size != given && *size != 0 && *given != 0 && !both_common {
                    return differs("Size");
                }
                if managed != or_not {
                    return differs("Managed attribute");
                }
            }
            // References of the same kind never conflict, however often they are defined.
            (What::Reference(kind), What::Reference(other)) => {
                return (kind != other).then(|| {
                    format!(
                        "error   : Multiple definition of '{name}' in '{here}', first defined in '<input>'"
                    )
                });
            }
            _ => return differs("Memory space"),
        }
        // For a variable, this is the text that named it first (measured).
        let first = if matches!(self.what, What::Variable { .. }) { first } else { defined };
        (self.strength == Strength::Defined && fresh.strength == Strength::Defined).then(|| {
            format!("error   : Multiple definition of '{name}' in '{here}', first defined in '{first}'")
        })
    }

    /// Returns why the engine cannot link texts that do not conflict, if it cannot.
    fn lacking(&self, name: &str, fresh: &Declaration) -> Option<String> {
        if self.strength == Strength::Common && fresh.strength == Strength::Weak {
            // Drivers fail with an error of their own (measured).
            return Some(format!("`{name}` is a common variable, and a weak one in a later text"));
        }
        let registers = |what: &What| match what {
            What::Function { registers, .. } => *registers,
            _ => false,
        };
        // Arguments in registers use another calling convention.
        (registers(&self.what) != registers(&fresh.what))
            .then(|| format!("`{name}` has registers for parameters in one text alone"))
    }

    fn merge(&mut self, text: usize, fresh: &Declaration) {
        if fresh.strength != Strength::Declared {
            self.defined = self.defined.or(Some(text));
        }
        let larger = match (&self.what, &fresh.what) {
            (What::Variable { size, .. }, What::Variable { size: given, .. }) => given > size,
            _ => false,
        };
        let is_common = self.strength == Strength::Common && fresh.strength == Strength::Common;
        if fresh.strength > self.strength || is_common && larger {
            (self.definer, self.strength) = (text, fresh.strength);
        }
        if larger {
            self.what = fresh.what.clone();
        }
    }
}

/// Returns the declarations of the names that a text shares.
fn declarations<'s>(module: &Module<'s>) -> HashMap<&'s str, Declaration> {
    let mut found: HashMap<&'s str, Declaration> = HashMap::new();
    for item in &module.items {
        let (name, linkage, what, has_body) = match item {
            Item::Variable(variable) if variable.range.is_none() => {
                let Some(what) = variable_of(variable) else { continue };
                (variable.name, variable.linkage, what, true)
            }
            Item::Function(function) => {
                (function.name, function.linkage, function_of(function), function.body.is_some())
            }
            _ => continue,
        };
        let strength = match linkage {
            Linkage::Internal => continue,
            Linkage::Visible if has_body => Strength::Defined,
            Linkage::Weak if has_body => Strength::Weak,
            Linkage::Common => Strength::Common,
            Linkage::Visible | Linkage::Weak | Linkage::Extern => Strength::Declared,
        };
        let fresh = Declaration { what, strength };
        match found.get_mut(name) {
            Some(known) if known.strength < strength => *known = fresh,
            Some(_) => {}
            None => drop(found.insert(name, fresh)),
        }
    }
    // An alias counts as a definition of its name.
    for item in &module.items {
        if let Item::Alias { name, .. } = item
            && let Some(known) = found.get_mut(name)
        {
            known.strength = known.strength.max(Strength::Defined);
        }
    }
    found
}

fn variable_of(variable: &ast::Variable<'_>) -> Option<What> {
    let VariableType::Scalar(scalar) = variable.kind else { return Some(What::Reference(variable.kind)) };
    let unsized_array = variable.dimensions.first() == Some(&None);
    if variable.space == Space::Shared && variable.linkage == Linkage::Extern && unsized_array {
        // Each text has its own dynamic shared memory.
        return None;
    }
    let size = size_of(variable, scalar).unwrap_or(0);
    Some(What::Variable { space: variable.space, size, managed: variable.managed })
}

fn function_of(function: &ast::Function<'_>) -> What {
    let shapes = |params: &[ast::Variable<'_>]| {
        let shape = |param: &ast::Variable<'_>| match param.kind {
            VariableType::Scalar(scalar) => Parameter {
                size: size_of(param, scalar).unwrap_or(0),
                element: scalar.bytes(),
                floating: !scalar.is_integer(),
                array: !param.dimensions.is_empty() || param.vector > 1,
            },
            _ => Parameter { size: 8, element: 8, floating: false, array: false },
        };
        params.iter().map(shape).collect()
    };
    let mut all = function.params.iter().chain(&function.returns);
    What::Function {
        entry: function.entry,
        prototype: [shapes(&function.params), shapes(&function.returns)],
        registers: all.any(|param| param.space == Space::Register),
    }
}

/// Returns references to undefined names, in the words of the driver's linker. Functions count if a kernel reaches the
/// reference; variables count in every text that declares them (measured).
pub(super) fn undefined(
    unit: &Unit<'_>,
    read: &[ReadModule<'_, '_>],
    texts: &[Text<'_>],
) -> Option<CompileError> {
    let named = |index: usize| -> Vec<usize> {
        let Some(function) = unit.functions.get(index) else { return Vec::new() };
        let mut named: Vec<usize> = function.calls.iter().copied().collect();
        for (_, constant) in &function.constants {
            match constant {
                Constant::Function(index) => named.push(*index),
                Constant::Global(index, _) => {
                    let relocations = unit.globals.get(*index).map(|global| global.relocations.as_slice());
                    named.extend(relocations.into_iter().flatten().filter_map(|found| match found.target {
                        RelocationTarget::Function(index) => Some(index),
                        RelocationTarget::Global(_) => None,
                    }));
                }
                _ => {}
            }
        }
        named
    };
    let mut reached: BTreeSet<usize> = kernels::entries(unit, read).map(|(_, index, _)| index).collect();
    let mut pending: Vec<usize> = reached.iter().copied().collect();
    while let Some(index) = pending.pop() {
        pending.extend(named(index).into_iter().filter(|found| reached.insert(*found)));
    }
    let is_missing = |index: &usize| {
        !unit.aliases.contains_key(index)
            && unit
                .functions
                .get(*index)
                .is_some_and(|function| !function.defined && !call::is_system_function(&function.name))
    };
    let mut lines = Vec::new();
    let mut told = BTreeSet::new();
    for (number, text) in read.iter().enumerate() {
        let here = texts.get(number).map_or("", |text| text.name);
        let mut missing = BTreeSet::new();
        for item in &text.module.items {
            if let Item::Function(function) = item
                && function.body.is_some()
                && unit.links.defines(number, function.name)
                && let Some(Symbol::Function(index)) = text.symbols.get(function.name)
                && reached.contains(index)
            {
                missing.extend(named(*index).into_iter().filter(is_missing));
            }
        }
        // A body that another text replaced was checked before the replacement appeared.
        for lost in unit.lost.iter().filter(|lost| lost.text == number && reached.contains(&lost.index)) {
            if unit.links.definer(&lost.function.name).is_some_and(|definer| definer > number) {
                missing.extend(lost.function.calls.iter().copied().filter(is_missing));
            }
        }
        missing.retain(|index| told.insert(*index));
        let functions = missing.iter().filter_map(|index| unit.functions.get(*index));
        let functions = functions.map(|function| function.name.as_str());
        let variables = text.module.items.iter().filter_map(|item| match item {
            Item::Variable(variable) => Some(variable.name),
            _ => None,
        });
        let variables = variables.filter(|name| unit.links.is_missing_variable(number, name));
        lines.extend(
            functions
                .chain(variables)
                .map(|name| format!("error   : Undefined reference to '{name}' in '{here}'")),
        );
    }
    let kind = CompileErrorKind::Unlinked;
    (!lines.is_empty()).then(|| CompileError { kind, log: lines.join("\n") })
}
