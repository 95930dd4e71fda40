//! From syntax tree to decoded functions: names, types, and the errors of the driver.
//!
//! Checking and decoding are one pass, because both need the meaning of an instruction. An invalid instruction becomes
//! a line of the log, in the words of ptxas. A valid instruction that the engine lacks only marks its function, so that
//! the rest of the module stays usable.

mod address_space;
mod arithmetic;
mod async_copy;
mod atomic;
mod availability;
mod b128;
mod call;
mod compare;
mod control;
mod convert;
mod definitions;
mod element;
mod exclusive_modifiers;
mod float;
mod group_multiply;
mod image;
mod instruction;
mod kernels;
mod links;
mod logic;
mod lowerer;
mod matrix_move;
mod matrix_multiply;
mod mbarrier;
mod memory;
mod modifier_cursor;
mod mov;
mod narrow_formats;
mod operands;
mod parameter;
mod pragma;
mod resources;
mod scope;
mod special_register;
mod surface;
mod system;
mod tensor_copy;
mod texture;
mod transcendental;
mod unit;
mod vector_atomic;
mod video;
mod warp_collective;

use std::borrow::Cow;
use std::collections::HashMap;

use cuda_ptx::ast::{self, Item, Module, VariableType};
use cuda_ptx::diagnostic::{Diagnostic, Log, Severity};
use cuda_ptx::types::{Scalar, Space};
use cuda_ptx::{ParseError, target};

use crate::function::Function;
use crate::op::Op;
use crate::program::{CompileError, CompileErrorKind, Program, Target, Text};
use crate::source::SourceTable;
use links::Links;
use lowerer::Lowerer;
use scope::{Shape, Symbol};
use unit::{Lost, Prototype, Signature, Stage, Unit, align_of, size_of};

/// Message of ptxas about addresses of 32 bits, for every use of them.
const NARROW_ADDRESSES: &str =
    " 32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or higher architectures.";

/// Limit of the size of a parameter. No larger parameter is valid in any place.
const MAX_PARAMETER: u64 = 1 << 20;

impl Program {
    /// Compiles a PTX text, which may end with a NUL, for a device.
    ///
    /// # Errors
    ///
    /// Texts that the driver refuses. A valid instruction that the engine lacks is no error: the kernels that contain it are
    /// [unsupported](crate::Kernel::unsupported).
    pub fn compile(source: &[u8], target: &Target) -> Result<Self, CompileError> {
        compile(source, target)
    }

    /// Compiles a text that is to be linked with others.
    ///
    /// # Errors
    ///
    /// Texts that the driver refuses to add to a link.
    pub fn compile_part(source: &[u8], target: &Target) -> Result<Self, CompileError> {
        compile_part(source, target)
    }

    /// Links texts, each compiled with [`compile_part`](Self::compile_part) before.
    ///
    /// # Errors
    ///
    /// Texts that the driver's linker refuses.
    pub fn compile_together(texts: &[Text<'_>], target: &Target) -> Result<Self, CompileError> {
        compile_together(texts, target)
    }

    /// Checks that the texts so far can be linked. Definitions may still be missing.
    ///
    /// # Errors
    ///
    /// Same as [`compile_together`](Self::compile_together).
    pub fn fit(texts: &[Text<'_>], target: &Target) -> Result<(), CompileError> {
        fit(texts, target)
    }
}

/// Compiles a source for a device.
pub(super) fn compile(source: &[u8], device: &Target) -> Result<Program, CompileError> {
    build(&[Text { name: "", source }], device, Stage::Alone)
}

/// Compiles a source that may refer to names of other sources.
pub(super) fn compile_part(source: &[u8], device: &Target) -> Result<Program, CompileError> {
    build(&[Text { name: "", source }], device, Stage::Part)
}

/// Compiles sources that may refer to names of each other.
pub(super) fn compile_together(texts: &[Text<'_>], device: &Target) -> Result<Program, CompileError> {
    build(texts, device, Stage::Together)
}

/// Checks that the texts so far can be linked. Missing names may still be defined by later texts.
pub(super) fn fit(texts: &[Text<'_>], device: &Target) -> Result<(), CompileError> {
    let sources = sources(texts);
    Links::of(&parse(&sources, device)?, texts).map(drop)
}

/// Returns the sources up to their NULs.
fn sources<'t>(texts: &[Text<'t>]) -> Vec<Cow<'t, str>> {
    let text = |text: &Text<'t>| {
        String::from_utf8_lossy(text.source.split(|byte| *byte == 0).next().unwrap_or_default())
    };
    texts.iter().map(text).collect()
}

fn parse<'s>(sources: &'s [Cow<'_, str>], device: &Target) -> Result<Vec<Module<'s>>, CompileError> {
    sources.iter().map(|text| cuda_ptx::parse(text, device.ptx_version).map_err(parse_error)).collect()
}

fn build(texts: &[Text<'_>], device: &Target, stage: Stage) -> Result<Program, CompileError> {
    let sources = sources(texts);
    let modules = parse(&sources, device)?;
    let mut unit = Unit { stage, newest: device.ptx_version, ..Unit::default() };
    if stage == Stage::Together {
        unit.links = Links::of(&modules, texts)?;
        unit.links.check()?;
    }
    let mut read = Vec::new();
    for module in &modules {
        let number = header(&mut unit.log, module, device);
        pragma::check_scopes(&mut unit, &module.pragmas);
        unit.sources = SourceTable::of(module);
        unit.target.clear();
        unit.accelerated = false;
        if let Some(&(word, _)) = module.targets.iter().find(|(word, _)| target::number(word).is_some()) {
            unit.accelerated = word.ends_with(['a', 'f']);
            unit.target = word.to_owned();
        }
        for item in &module.items {
            unit.item(item, module.version, number, module);
        }
        unit.elements.clear();
        read.push(ReadModule { module, number, symbols: core::mem::take(&mut unit.symbols) });
        unit.links.next();
    }
    unit.resolve_calls();
    unit.check_constants();
    if !unit.log.has_errors() {
        kernels::check_predicates(&mut unit, &read);
        kernels::check_pragmas(&mut unit, &read);
        kernels::check_shared(&mut unit, &read, device);
    }
    if unit.log.has_errors() {
        let kind =
            if stage == Stage::Together { CompileErrorKind::Unlinked } else { CompileErrorKind::Invalid };
        return Err(CompileError { kind, log: unit.log.errors() });
    }
    if stage == Stage::Together
        && let Some(error) = links::undefined(&unit, &read, texts)
    {
        return Err(error);
    }
    Ok(kernels::program(unit, &read, device))
}

/// Text whose items are all in the unit.
struct ReadModule<'m, 's> {
    module: &'m Module<'s>,
    /// Number of its target.
    number: u32,
    /// Meanings of its names.
    symbols: HashMap<Cow<'s, str>, Symbol>,
}

fn parse_error(error: ParseError) -> CompileError {
    let (kind, diagnostic) = match error {
        ParseError::NotPtx(diagnostic) => (CompileErrorKind::NotPtx, diagnostic),
        ParseError::UnsupportedVersion(diagnostic) => (CompileErrorKind::UnsupportedVersion, diagnostic),
        ParseError::Invalid(diagnostic) => (CompileErrorKind::Invalid, diagnostic),
    };
    let mut log = Log::default();
    log.push(diagnostic);
    let mut log = log.errors();
    if kind == CompileErrorKind::UnsupportedVersion {
        // ptxas reports nothing after this (conformance fact P16).
        log.truncate(log.find('\n').unwrap_or(log.len()));
    }
    CompileError { kind, log }
}

/// Checks version, targets and address size; returns the number of the target.
fn header(log: &mut Log, module: &Module<'_>, device: &Target) -> u32 {
    let (major, minor) = module.version;
    let capability = device.number();
    if let Some((size, line)) = module.address_size {
        if module.version < (2, 3) {
            let text = "Feature '.address_size directive' requires PTX ISA .version 2.3 or later";
            log.push(Diagnostic::error(line, text));
        }
        if size != 64 {
            log.push_global(Severity::Fatal, NARROW_ADDRESSES);
        }
    }
    let mut number = 0;
    for &(word, line) in &module.targets {
        if !target::version_knows(module.version, word) {
            let text = format!("PTX .version {major}.{minor} does not support .target {word}");
            log.push(Diagnostic::error(line, text));
        }
        let Some(found) = target::number(word) else { continue };
        number = number.max(found);
        if found > capability {
            let text = "SM version specified by .target is higher than default SM version assumed";
            log.push_global(Severity::Fatal, text);
        } else if !target::runs_on(word, capability) {
            let text =
                format!("PTX with .target '{word}' cannot be compiled for architecture 'sm_{capability}'");
            log.push_global(Severity::Fatal, text);
        }
    }
    if let Some(&(_, line)) = module.targets.iter().find(|(word, _)| *word == "map_f64_to_f32")
        && number >= 13
    {
        let text = "Directive map_f64_to_f32 is not supported with SM 1.3 or higher";
        log.push(Diagnostic::error(line, text));
    }
    number
}

/// Returns the signature of a parameter for callers, or its error.
fn signature(param: &ast::Variable<'_>) -> Result<Signature, String> {
    let name = param.name;
    let scalar = match param.kind {
        VariableType::Scalar(scalar) => scalar,
        // A texture or surface passed to a kernel is a handle of 64 bits.
        VariableType::Texture | VariableType::Surface | VariableType::Sampler => Scalar::B64,
    };
    let register = param.space == Space::Register;
    if !register && param.space != Space::Parameter {
        return Err(format!("Parameter '{name}' must have .param or .reg state space"));
    }
    if scalar == Scalar::Pred && !register {
        return Err(format!("Predicate variable '{name}' must be in register state space"));
    }
    let align = align_of(param, scalar);
    if !align.is_power_of_two() {
        return Err("Alignment must be a power of two".into());
    }
    let size = size_of(param, scalar).filter(|&size| size <= MAX_PARAMETER);
    let Some(size) = size else { return Err(format!("Size of parameter '{name}' is too large")) };
    Ok(Signature {
        name: name.to_owned(),
        shape: Shape {
            scalar,
            size: size as u32,
            align: align.min(1 << 16) as u32,
            array: !param.dimensions.is_empty() || param.vector > 1,
        },
        register,
    })
}

impl<'s> Unit<'s> {
    fn item(&mut self, item: &Item<'s>, version: (u32, u32), number: u32, module: &Module<'s>) {
        match item {
            Item::Variable(variable) => {
                let sampler = variable.kind == VariableType::Sampler;
                if sampler && !module.targets.iter().any(|(word, _)| *word == "texmode_independent") {
                    let text = "Instruction or declaration violates .target texmode_unified setting";
                    return self.error(variable.line, text);
                }
                self.module_variable(variable);
            }
            Item::Function(function) => self.function(function, version, number),
            Item::Alias { name, target, line } => self.alias(name, target, *line),
            Item::Ignored => {}
        }
    }

    fn function(&mut self, tree: &ast::Function<'s>, version: (u32, u32), number: u32) {
        let name = tree.name;
        if tree.entry {
            for param in tree.params.iter().filter(|param| param.space != Space::Parameter) {
                let text = format!("Entry parameter '{}' must have .param state space", param.name);
                self.error(param.line, text);
            }
        } else if let Some(opaque) = tree.returns.iter().chain(&tree.params).find(|param| {
            matches!(param.kind, VariableType::Texture | VariableType::Surface | VariableType::Sampler)
        }) {
            let text = format!("Variable '{}' cannot be allocated in .param state space", opaque.name);
            self.error(opaque.line, text);
        } else if tree.returns.len() > 1 && tree.returns.iter().any(|param| param.space == Space::Parameter) {
            self.error(tree.line, "Multiple return parameters require .register state space");
        }
        if let Some(line) = tree.limits.max_blocks
            && version >= (2, 1)
        {
            let text = "Deprecated feature: '.maxnctapersm directive' not supported as of PTX version 2.1";
            self.log.push(Diagnostic::error(line, text));
        }
        if let Some((directive, line)) = tree.limits.nothing {
            let text = format!("Positive non-zero value expected for {directive}");
            self.log.push(Diagnostic::error(line, text));
        }
        if tree.limits.max_threads.is_some() && tree.limits.required_threads.is_some() {
            let text = "Conflicting directives: .maxntid and .reqntid cannot both be specified";
            self.error(tree.line, text);
        }
        if tree.limits.blocks_are_clusters
            && (tree.limits.required_threads.is_none() || tree.limits.cluster.is_none())
        {
            let text =
                ".reqntid and .reqnctapercluster directive(s) required for directive '.blocksareclusters'";
            self.error(tree.line, text);
        }
        let collect = |params: &[ast::Variable<'s>]| -> Vec<Signature> {
            params.iter().filter_map(|param| signature(param).ok()).collect()
        };
        let prototype = Prototype {
            entry: tree.entry,
            returns: collect(&tree.returns),
            params: collect(&tree.params),
            defined: tree.body.is_some(),
            external: tree.linkage == ast::Linkage::Extern,
        };
        let index = match self.symbols.get(name) {
            None => {
                let known = match self.links.known(name) {
                    Some(Symbol::Function(index)) => self.prototypes.get_mut(index).map(|slot| (index, slot)),
                    _ => None,
                };
                let index = match known {
                    Some((index, slot)) => {
                        *slot = prototype;
                        index
                    }
                    None => {
                        self.functions.push(Function { name: name.to_owned(), ..Function::default() });
                        self.prototypes.push(prototype);
                        self.functions.len() - 1
                    }
                };
                self.links.declare(name, &Symbol::Function(index));
                self.symbols.insert(Cow::Borrowed(name), Symbol::Function(index));
                index
            }
            Some(&Symbol::Function(index)) => {
                self.redeclare_function(index, prototype, tree);
                index
            }
            Some(_) => {
                let text = format!("Inconsistent redefinition of variable '{name}'");
                return self.error(tree.line, text);
            }
        };
        if tree.body.is_some() {
            let mut function = Lowerer::new(self, name, tree.entry, version, number).function(tree);
            function.sources.clone_from(&self.sources);
            if !self.links.is_definer(name) {
                self.lost.push(Lost { text: self.links.text(), index, function });
            } else if let Some(slot) = self.functions.get_mut(index) {
                *slot = function;
            }
        }
    }

    fn redeclare_function(&mut self, index: usize, prototype: Prototype, tree: &ast::Function<'s>) {
        let name = tree.name;
        let Some(known) = self.prototypes.get_mut(index) else { return };
        let shape = |params: &[Signature]| -> Vec<(u32, bool)> {
            params.iter().map(|param| (param.shape.size, param.register)).collect()
        };
        let problem = if known.defined && prototype.defined {
            Some(format!("Duplicate definition of function '{name}'"))
        } else if known.params.len() != prototype.params.len()
            || known.returns.len() != prototype.returns.len()
        {
            Some(format!("Inconsistent prototypes of '{name}', number of parameters differ"))
        } else if shape(&known.params) != shape(&prototype.params)
            || shape(&known.returns) != shape(&prototype.returns)
            || known.entry != prototype.entry
        {
            Some(format!("Inconsistent prototypes of '{name}'"))
        } else {
            known.defined |= prototype.defined;
            known.external |= prototype.external;
            None
        };
        if let Some(text) = problem {
            self.error(tree.line, text);
        }
    }

    fn alias(&mut self, name: &'s str, target: &'s str, line: u32) {
        for wanted in [name, target] {
            if !matches!(self.symbols.get(wanted), Some(Symbol::Function(_))) {
                return self.error(line, format!("Unknown symbol '{wanted}'"));
            }
        }
        // Calls of the alias that were lowered before are redirected to its target, too.
        if let (Some(&Symbol::Function(alias)), Some(&Symbol::Function(index))) =
            (self.symbols.get(name), self.symbols.get(target))
        {
            self.aliases.insert(alias, index);
        }
    }

    /// Fills in the sources of arguments and the destinations of results, once every function is known.
    fn resolve_calls(&mut self) {
        for function in &mut self.functions {
            let targets: Vec<usize> =
                function.calls.iter().filter_map(|call| self.aliases.get(call)).copied().collect();
            function.calls.extend(targets);
        }
        self.resolve_pointers();
        let formals: Vec<_> = self
            .functions
            .iter()
            .map(|function| {
                let places = |formals: &[crate::function::Formal]| -> Vec<_> {
                    formals.iter().flat_map(|formal| formal.places.iter().copied()).collect()
                };
                (places(&function.params), places(&function.returns))
            })
            .collect();
        let aliases = &self.aliases;
        for function in &mut self.functions {
            for step in &mut function.steps {
                let Op::Call(call) = &mut step.op else { continue };
                call.function = aliases.get(&call.function).copied().unwrap_or(call.function);
                let Some((params, returns)) = formals.get(call.function) else { continue };
                for (transfer, to) in call.arguments.iter_mut().zip(params) {
                    transfer.to = *to;
                }
                for (transfer, from) in call.results.iter_mut().zip(returns) {
                    transfer.from = *from;
                }
            }
        }
        self.check_callees();
    }

    /// Resolves calls through registers. The possible targets are all functions whose address is taken anywhere and
    /// whose parameters match those of the call.
    fn resolve_pointers(&mut self) {
        use crate::function::Constant;
        use crate::program::RelocationTarget;
        let aliases = &self.aliases;
        let mut taken = std::collections::BTreeSet::new();
        for function in &mut self.functions {
            for (_, constant) in &mut function.constants {
                if let Constant::Function(index) = constant {
                    *index = aliases.get(index).copied().unwrap_or(*index);
                    taken.insert(*index);
                }
            }
        }
        for relocation in self.globals.iter_mut().flat_map(|global| &mut global.relocations) {
            if let RelocationTarget::Function(index) = &mut relocation.target {
                *index = aliases.get(index).copied().unwrap_or(*index);
                taken.insert(*index);
            }
        }
        let prototypes = &self.prototypes;
        let fits = |index: &usize, shapes: &std::collections::BTreeSet<[Vec<u32>; 2]>| {
            let prototype = prototypes.get(*index).filter(|prototype| !prototype.entry);
            prototype.is_some_and(|prototype| shapes.contains(&prototype.sizes()))
        };
        for function in self.functions.iter_mut().filter(|function| !function.indirect.is_empty()) {
            let fitting = taken.iter().copied().filter(|index| fits(index, &function.indirect));
            function.pointed = fitting.collect();
        }
    }

    fn check_callees(&mut self) {
        let mut called: std::collections::BTreeSet<usize> =
            self.functions.iter().flat_map(|function| function.calls.iter().copied()).collect();
        let constants = self.functions.iter().flat_map(|function| &function.constants);
        called.extend(constants.filter_map(|(_, constant)| match constant {
            crate::function::Constant::Function(index) => Some(*index),
            _ => None,
        }));
        for index in called {
            let Some(function) = self.functions.get(index) else { continue };
            let external = self.prototypes.get(index).is_some_and(|prototype| prototype.external);
            let known = function.defined
                || self.aliases.contains_key(&index)
                || call::is_system_function(&function.name)
                || self.stage == Stage::Part && external
                // For linked texts, this is checked later.
                || self.stage == Stage::Together;
            if !known {
                let text = format!("Unresolved extern function '{}'", function.name);
                self.log.push_global(Severity::Fatal, text);
            }
        }
    }

    fn check_constants(&mut self) {
        use crate::program::GlobalSpace;
        let total = kernels::constant_bytes(&self.globals);
        if total > 0x10000 {
            let text = format!("File uses too much global constant data ({total:#x} bytes, 0x10000 max)");
            self.log.push_global(Severity::Error, text);
        }
        if self.stage != Stage::Alone {
            return;
        }
        let unresolved = self.globals.iter().find(|global| {
            global.linkage == crate::program::Linkage::Extern
                && global.size == 0
                && global.space == GlobalSpace::Global
        });
        if let Some(global) = unresolved {
            let text = format!("Unresolved extern variable '{}'", global.name);
            self.log.push_global(Severity::Fatal, text);
        }
    }
}
