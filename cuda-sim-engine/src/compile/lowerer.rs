//! Turns the body of a function into steps.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use cuda_ptx::ast::{self, Operand, Statement, VariableType};
use cuda_ptx::diagnostic::Diagnostic;
use cuda_ptx::types::{Scalar, Space};

use super::availability::Requirement;
use super::definitions::Definitions;
use super::scope::{Elements, Role, Scope, Shape, Symbol};
use super::unit::{MAX_RANGE, Prototype, Signature, Unit, align_of, elements_of, size_of};
use crate::function::{Constant, Formal, Function};
use crate::op::{
    ALL_BYTES, Access, Base, Condition, Extension, IntegerKind, MemorySpace, NONE, Op, Place, Slot, Step,
};
use crate::program::ReferenceKind;

/// Reason why an instruction was not lowered.
#[derive(Debug)]
pub(super) enum Stop {
    /// Invalid instruction.
    Error(String),
    /// Invalid instruction that also ends the check of the text.
    Fatal(String),
    /// Valid instruction that the engine does not have. The text adds detail to the instruction itself, or is empty.
    Unsupported(&'static str),
}

/// Result of lowering.
pub(super) type Lowered<T> = Result<T, Stop>;

/// Limit of the slots of one register file in a function.
const MAX_SLOTS: Slot = 1 << 20;

/// Function under construction.
pub(super) struct Lowerer<'a, 's> {
    pub(super) unit: &'a mut Unit<'s>,
    pub(super) function: Function,
    pub(super) entry: bool,
    scopes: Vec<Scope<'s>>,
    constants: HashMap<(Constant, bool), Slot>,
    /// Places of constants.
    fixed: HashSet<Place>,
    definitions: Definitions<'s>,
    /// Constants that stand for registers which only ever hold them.
    aliases: HashMap<Place, Place>,
    /// Position of each label.
    labels: Vec<Option<u32>>,
    pub(super) targets: Vec<Vec<&'s str>>,
    /// Prototypes that `.callprototype` declares.
    pub(super) signatures: Vec<Prototype>,
    pub(super) line: u32,
    /// True if the next step is the first of an instruction.
    begins: bool,
    pub(super) guard: Condition,
    /// Bytes that the program uses of the next instruction, if that is a load.
    pub(super) used_bytes: u32,
    /// Carry flag, after its first use.
    carry: Option<Slot>,
    /// First and last step that name each register.
    lifetimes: HashMap<Place, (usize, usize)>,
    /// Parts of vector registers. An operand that names all parts has no effect on their lifetimes.
    pub(super) parts: HashSet<Place>,
    unknown: Vec<Diagnostic>,
    fatal: bool,
    local: u64,
    pub(super) version: (u32, u32),
    pub(super) target: u32,
    /// Requirements that the version and the target do not meet.
    pub(super) missing: Vec<&'static Requirement>,
}

impl<'a, 's> Lowerer<'a, 's> {
    pub(super) fn new(
        unit: &'a mut Unit<'s>,
        name: &str,
        entry: bool,
        version: (u32, u32),
        target: u32,
    ) -> Self {
        let mut function = Function { name: name.to_owned(), defined: true, ..Function::default() };
        // Predicate slot 0 is true in all lanes.
        function.predicates = 1;
        Self {
            unit,
            function,
            entry,
            scopes: vec![Scope::default()],
            constants: HashMap::new(),
            fixed: HashSet::new(),
            definitions: Definitions::default(),
            aliases: HashMap::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            signatures: Vec::new(),
            line: 0,
            begins: false,
            guard: Condition::ALWAYS,
            used_bytes: ALL_BYTES,
            carry: None,
            lifetimes: HashMap::new(),
            parts: HashSet::new(),
            unknown: Vec::new(),
            fatal: false,
            local: 0,
            version,
            target,
            missing: Requirement::missing(version, target),
        }
    }

    /// Lowers a whole function.
    pub(super) fn function(mut self, tree: &ast::Function<'s>) -> Function {
        if self.entry {
            let mut end = 0u32;
            for param in &tree.params {
                let Some(signature) = self.signature(param) else { continue };
                let offset = super::parameter::place(end, signature.shape.align);
                end = offset.saturating_add(signature.shape.size);
                let reference = |kind| Symbol::ReferenceParameter { offset, kind };
                let symbol = match param.kind {
                    VariableType::Scalar(_) => Symbol::EntryParameter { offset },
                    VariableType::Texture => reference(ReferenceKind::Texture),
                    VariableType::Surface => reference(ReferenceKind::Surface),
                    VariableType::Sampler => reference(ReferenceKind::Sampler),
                };
                self.declare_variable(param, symbol);
            }
        } else {
            let addressed = tree.body.as_deref().map(addressed).unwrap_or_default();
            for (params, role) in [(&tree.returns, Role::Output), (&tree.params, Role::Input)] {
                for param in params {
                    let is_addressed = role == Role::Input && addressed.contains(param.name);
                    let formal = self.formal(param, role, is_addressed);
                    match role {
                        Role::Output => self.function.returns.push(formal),
                        Role::Input | Role::Call => self.function.params.push(formal),
                    }
                }
            }
        }
        if let Some(body) = &tree.body {
            self.definitions = Definitions::of(body);
            // Calls write parameters, and read results.
            let formals = tree.returns.iter().chain(&tree.params);
            formals.for_each(|formal| self.definitions.exclude(formal.name));
            self.statements(body);
        }
        // The end of a body is a return.
        self.guard = Condition::ALWAYS;
        self.emit(if self.entry { Op::Exit } else { Op::Return });
        self.patch();
        self.fuse();
        self.function.count_runs();
        for diagnostic in std::mem::take(&mut self.unknown) {
            self.unit.log.push(diagnostic);
        }
        if self.function.words.max(self.function.longs).max(self.function.predicates) >= MAX_SLOTS {
            self.unsupported("a function with so many registers");
        }
        self.function.pressure = pressure(&self.lifetimes, &self.aliases);
        self.function.local = u32::try_from(self.local.next_multiple_of(16)).unwrap_or(u32::MAX);
        self.function
    }

    /// Returns the signature of a parameter for callers.
    pub(super) fn signature(&mut self, param: &ast::Variable<'s>) -> Option<Signature> {
        super::signature(param).map_err(|text| self.unit.error(param.line, text)).ok()
    }

    /// Declares a parameter. One whose address the function takes is copied to local memory at the start of a call.
    fn formal(&mut self, param: &ast::Variable<'s>, role: Role, is_addressed: bool) -> Formal {
        let nothing = Formal { places: Vec::new() };
        let Some(signature) = self.signature(param) else { return nothing };
        let symbol = if signature.register {
            self.register(signature.shape.scalar, 1)
        } else {
            let mut symbol = self.parameter(&signature, role);
            if is_addressed && let Symbol::Parameter { first, shape, stack, .. } = &mut symbol {
                self.line = param.line;
                *stack = Some(self.stacked(*first, *shape));
            }
            symbol
        };
        let places = places(&symbol);
        self.declare_variable(param, symbol);
        Formal { places }
    }

    fn parameter(&mut self, signature: &Signature, role: Role) -> Symbol {
        let first = self.function.words;
        let words = signature.shape.size.div_ceil(4);
        // A range can declare many parameters.
        if words > MAX_SLOTS / 4 || first >= MAX_SLOTS {
            self.unsupported("a parameter of this size");
            let shape = Shape { size: 0, ..signature.shape };
            return Symbol::Parameter { first, shape, role, stack: None };
        }
        for _ in 0..words {
            self.new_word();
        }
        Symbol::Parameter { first, shape: signature.shape, role, stack: None }
    }

    /// Copies the words of a parameter to local memory. Returns their offset there.
    fn stacked(&mut self, first: Slot, shape: Shape) -> i64 {
        let words = shape.size.div_ceil(4);
        // A load of a vector may need more than the alignment of the parameter.
        self.local = self.local.next_multiple_of(16);
        let start = self.local_slot(u64::from(shape.align), u64::from(words) * 4);
        let base = Base::Word(self.constant_word(Constant::Local(start)));
        let mut done = 0;
        while done < words {
            let count = if words - done < 4 { 1 } else { 4 };
            self.emit(Op::Store(Box::new(Access {
                memory: MemorySpace::Local,
                base,
                offset: i64::from(done) * 4,
                size: 4,
                extension: Extension::Zero,
                strong: false,
                of_block: false,
                used: ALL_BYTES,
                elements: (done..done + count).map(|word| Place::Word(first + word)).collect(),
            })));
            done += count;
        }
        start
    }

    /// Allocates local memory of a call. Returns its offset.
    fn local_slot(&mut self, align: u64, size: u64) -> i64 {
        let offset = self.local.next_multiple_of(align.min(1 << 20));
        match offset.checked_add(size).filter(|&end| end <= MAX_LOCAL) {
            Some(end) => {
                self.local = end;
                self.function.locals.push((align, size));
            }
            None => self.unsupported("a local variable of this size"),
        }
        offset.cast_signed()
    }

    /// Records a use of a register at this step.
    pub(super) fn touch(&mut self, place: Place) {
        let now = self.function.steps.len();
        self.lifetimes.entry(place).or_insert((now, now)).1 = now;
    }

    // Slots.

    pub(super) fn new_word(&mut self) -> Slot {
        let slot = self.function.words;
        self.function.words += 1;
        self.check_slots(slot)
    }

    pub(super) fn new_long(&mut self) -> Slot {
        let slot = self.function.longs;
        self.function.longs += 1;
        self.check_slots(slot)
    }

    pub(super) fn new_predicate(&mut self) -> Slot {
        let slot = self.function.predicates;
        self.function.predicates += 1;
        self.check_slots(slot)
    }

    fn check_slots(&mut self, slot: Slot) -> Slot {
        if slot >= MAX_SLOTS {
            self.unsupported("a function with so many registers");
        }
        slot
    }

    /// Allocates a place for one value of a type; `None` for 128 bits.
    fn new_place(&mut self, scalar: Scalar) -> Option<Place> {
        Some(match scalar.bits() {
            1 => Place::Predicate(self.new_predicate()),
            64 => Place::Long(self.new_long()),
            128 => return None,
            _ => Place::Word(self.new_word()),
        })
    }

    fn register(&mut self, scalar: Scalar, vector: u32) -> Symbol {
        let places: Option<Vec<_>> = (0..vector).map(|_| self.new_place(scalar)).collect();
        match places {
            Some(places) => Symbol::Register { scalar, places },
            None => Symbol::WideRegister([self.new_long(), self.new_long()]),
        }
    }

    /// Returns the slot of the carry flag.
    pub(super) fn carry(&mut self) -> Slot {
        match self.carry {
            Some(slot) => slot,
            None => {
                let slot = self.new_predicate();
                self.carry = Some(slot);
                slot
            }
        }
    }

    /// Returns a word that holds a constant.
    pub(super) fn constant_word(&mut self, constant: Constant) -> Slot {
        if let Some(&slot) = self.constants.get(&(constant, false)) {
            return slot;
        }
        let slot = self.new_word();
        self.constants.insert((constant, false), slot);
        self.function.constants.push((Place::Word(slot), constant));
        self.fixed.insert(Place::Word(slot));
        slot
    }

    /// Returns a long that holds a constant.
    pub(super) fn constant_long(&mut self, constant: Constant) -> Slot {
        if let Some(&slot) = self.constants.get(&(constant, true)) {
            return slot;
        }
        let slot = self.new_long();
        self.constants.insert((constant, true), slot);
        self.function.constants.push((Place::Long(slot), constant));
        self.fixed.insert(Place::Long(slot));
        slot
    }

    pub(super) fn word(&mut self, bits: u32) -> Slot {
        self.constant_word(Constant::Bits(u64::from(bits)))
    }

    // Emission.

    pub(super) fn emit(&mut self, op: Op) {
        self.function.steps.push(Step { guard: self.guard, line: self.line, op: op.direct() });
        self.function.begins.push(core::mem::take(&mut self.begins));
    }

    /// Copies a value to the register of an operand. If the value is a constant, and the register never holds another
    /// value, the instruction keeps its step, which does nothing.
    pub(super) fn emit_copy(&mut self, operand: &Operand<'s>, d: Slot, from: Place) {
        if self.fixed.contains(&from) && self.guard == Condition::ALWAYS && self.definitions.is_only(operand)
        {
            let to = match from {
                Place::Word(_) => Place::Word(d),
                Place::Long(_) => Place::Long(d),
                Place::Predicate(_) => Place::Predicate(d),
            };
            self.aliases.insert(to, from);
            return self.emit(Op::NOTHING);
        }
        self.emit(super::mov::copy(d, from));
    }

    /// Emits a copy of a parameter to a register. `operand` is `None` for a register without a name.
    pub(super) fn emit_parameter(&mut self, operand: Option<&Operand<'s>>, d: Slot, from: Place) {
        match operand {
            Some(operand) => self.emit_copy(operand, d, from),
            None => self.emit(super::mov::copy(d, from)),
        }
    }

    /// Returns the place that holds the value of a register.
    pub(super) fn resolved(&self, place: Place) -> Place {
        self.aliases.get(&place).copied().unwrap_or(place)
    }

    /// Joins each product with the sum after it, if nothing else reads the product.
    fn fuse(&mut self) {
        let starts: HashSet<u32> = self.labels.iter().flatten().copied().collect();
        for index in 1..self.function.steps.len() {
            let [product, sum] = &mut self.function.steps[index - 1..=index] else { continue };
            let (kind, d, a, b) = match product.op {
                Op::WidenSigned { d, a, b } => (IntegerKind::S32, d, a, b),
                Op::WidenUnsigned { d, a, b } => (IntegerKind::U32, d, a, b),
                _ => continue,
            };
            let (to, c) = match sum.op {
                Op::AddLong { d: to, a: first, b: c } if first == d && c != d => (to, c),
                Op::AddLong { d: to, a: c, b: second } if second == d && c != d => (to, c),
                _ => continue,
            };
            let is_result =
                self.function.returns.iter().any(|result| result.places.contains(&Place::Long(d)));
            let is_local = self.lifetimes.get(&Place::Long(d)) == Some(&(index - 1, index))
                && !self.parts.contains(&Place::Long(d))
                && !is_result;
            let is_straight = product.guard == Condition::ALWAYS
                && sum.guard == Condition::ALWAYS
                && !starts.contains(&(index as u32));
            if is_local && is_straight {
                product.op = Op::NOTHING;
                sum.op = Op::Widen { kind, d: to, a, b, c };
            }
        }
    }

    /// Marks the function as unsupported.
    pub(super) fn unsupported(&mut self, what: &str) {
        if self.function.unsupported.is_none() {
            self.function.unsupported = Some(format!(
                "ptxas application ptx input, line {}; error   : {what} is not supported",
                self.line
            ));
        }
    }

    pub(super) fn error(&mut self, text: impl Into<String>) {
        let line = self.line;
        self.unit.error(line, text);
    }

    /// Records an undeclared name. ptxas reports such names after all other errors of a function.
    pub(super) fn unknown_symbol(&mut self, name: &str) {
        self.unknown.push(Diagnostic::error(self.line, format!("Unknown symbol '{name}'")));
    }

    // Names.

    fn declare(&mut self, name: impl Into<Cow<'s, str>>, symbol: Symbol, line: u32, what: &str) {
        let name = name.into();
        if name == "_" {
            return;
        }
        if let Some(scope) = self.scopes.last_mut()
            && !scope.declare(name.clone(), symbol)
        {
            self.unit.error(line, format!("Duplicate definition of {what} '{name}'"));
        }
    }

    fn declare_variable(&mut self, variable: &ast::Variable<'s>, symbol: Symbol) {
        self.declare(variable.name, symbol, variable.line, "variable");
        if let Some(elements) = elements_of(variable)
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.declare_elements(variable.name, elements);
        }
    }

    /// Returns the elements of a name that is an array in the current scope.
    pub(super) fn elements(&self, name: &str) -> Option<Elements> {
        match self.scopes.iter().rev().find(|scope| scope.get(name).is_some()) {
            Some(scope) => scope.elements(name),
            None => self.unit.elements.get(name).copied(),
        }
    }

    /// Returns the meaning of a name in the current scope.
    pub(super) fn lookup(&mut self, name: &str) -> Option<Symbol> {
        for depth in (0..self.scopes.len()).rev() {
            if let Some(symbol) = self.scopes[depth].get(name) {
                return Some(symbol.clone());
            }
            let function = &mut self.function;
            let make = |scalar: Scalar, vector: u32| fresh(function, scalar, vector);
            if let Some(symbol) = self.scopes[depth].ranged(name, make) {
                return Some(symbol);
            }
        }
        self.unit.symbols.get(name).cloned()
    }

    // Statements.

    fn statements(&mut self, statements: &[Statement<'s>]) {
        for statement in statements {
            if let Statement::Label { name, line } = statement {
                let symbol = Symbol::Label(self.labels.len());
                self.labels.push(None);
                self.declare(*name, symbol, *line, "label");
            }
        }
        for statement in statements {
            if self.fatal {
                return;
            }
            match statement {
                Statement::Label { name, .. } => {
                    let position = self.function.steps.len() as u32;
                    if let Some(Symbol::Label(index)) = self.lookup(name)
                        && let Some(label) = self.labels.get_mut(index)
                    {
                        label.get_or_insert(position);
                    }
                }
                Statement::Variable(variable) => self.local_variable(variable),
                Statement::Block(inner) => {
                    self.scopes.push(Scope::default());
                    self.statements(inner);
                    self.scopes.pop();
                }
                Statement::Pragma(pragma) => self.pragma(pragma),
                Statement::Instruction(instruction) => self.statement(instruction),
                Statement::Targets { name, targets, line } => {
                    self.targets.push(targets.clone());
                    if let Some(name) = name {
                        self.declare(*name, Symbol::Targets(self.targets.len() - 1), *line, "label");
                    }
                }
                Statement::Prototype { name, returns, params, line } => {
                    let returns = returns.iter().filter_map(|param| self.signature(param)).collect();
                    let params = params.iter().filter_map(|param| self.signature(param)).collect();
                    let (entry, defined, external) = (false, false, false);
                    self.signatures.push(Prototype { entry, returns, params, defined, external });
                    if let Some(name) = name {
                        let symbol = Symbol::Prototype(self.signatures.len() - 1);
                        self.declare(*name, symbol, *line, "label");
                    }
                }
            }
        }
    }

    fn local_variable(&mut self, variable: &ast::Variable<'s>) {
        let line = variable.line;
        let VariableType::Scalar(scalar) = variable.kind else {
            return self.unit.error(line, "Illegal declaration of an opaque type");
        };
        self.line = line;
        let count = match variable.range {
            // The registers of a range are created on first use.
            Some(count) if variable.space != Space::Register => count,
            _ => {
                if let Some(symbol) = self.local_symbol(variable, variable.name, scalar) {
                    self.declare_variable(variable, symbol);
                }
                return;
            }
        };
        for number in 0..count.min(MAX_RANGE) {
            let name = format!("{}{number}", variable.name);
            let Some(symbol) = self.local_symbol(variable, &name, scalar) else { return };
            self.declare(name, symbol, line, "variable");
        }
    }

    /// Creates a variable of the body. Returns `None` if it is refused, and for a range of registers, which it declares.
    fn local_symbol(&mut self, variable: &ast::Variable<'s>, name: &str, scalar: Scalar) -> Option<Symbol> {
        let line = variable.line;
        match variable.space {
            Space::Register => {
                if scalar == Scalar::Pred && variable.vector > 1 {
                    let text = "Predicate type can only be used to define scalar register variables";
                    self.unit.error(line, text);
                    return None;
                }
                if let Some(count) = variable.range {
                    if let Some(scope) = self.scopes.last_mut()
                        && !scope.declare_range(variable.name, scalar, variable.vector, count)
                    {
                        let text = format!("Duplicate definition of variable '{}'", variable.name);
                        self.unit.error(line, text);
                    }
                    return None;
                }
                if !variable.dimensions.is_empty() {
                    self.unsupported("an array of registers");
                    return None;
                }
                Some(self.register(scalar, variable.vector))
            }
            Space::Local => {
                if variable.dimensions.first() == Some(&None) {
                    let text = format!("Non-external variable '{}' has incomplete type", variable.name);
                    self.unit.error(line, text);
                    return None;
                }
                let size = size_of(variable, scalar).unwrap_or(u64::MAX);
                let align = align_of(variable, scalar);
                if !align.is_power_of_two() {
                    self.unit.error(line, "Alignment must be a power of two");
                    return None;
                }
                Some(Symbol::Local(self.local_slot(align, size)))
            }
            Space::Parameter => {
                let signature = self.signature(variable)?;
                Some(self.parameter(&signature, Role::Call))
            }
            Space::Shared | Space::Global | Space::Constant => self.unit.variable_named(variable, name),
            Space::Texture => None,
        }
    }

    fn statement(&mut self, instruction: &ast::Instruction<'s>) {
        self.line = instruction.line;
        self.begins = true;
        if instruction.opcode != "ld" {
            self.used_bytes = ALL_BYTES;
        }
        let outcome = self.instruction(instruction);
        self.used_bytes = ALL_BYTES;
        match outcome {
            Ok(()) => {}
            Err(Stop::Error(text)) => self.error(text),
            Err(Stop::Fatal(text)) => {
                self.unit.log.push(Diagnostic::fatal(self.line, text));
                self.fatal = true;
            }
            Err(Stop::Unsupported(detail)) => {
                let mut text = format!("Instruction '{}", instruction.opcode);
                for word in &instruction.modifiers {
                    text.push('.');
                    text.push_str(word);
                }
                text.push('\'');
                if !detail.is_empty() {
                    text.push_str(" with ");
                    text.push_str(detail);
                }
                self.unsupported(&text);
            }
        }
    }

    /// Replaces label numbers by positions.
    fn patch(&mut self) {
        let labels = &self.labels;
        let position = |label: u32| labels.get(label as usize).copied().flatten().unwrap_or(0);
        for step in &mut self.function.steps {
            match &mut step.op {
                Op::Branch { target } => *target = position(*target),
                Op::BranchTable { targets, .. } => {
                    for target in targets {
                        *target = position(*target);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Limit of local memory. No device gives a thread more.
const MAX_LOCAL: u64 = 512 << 10;

/// Allocates a register in `function` for a name of a range.
fn fresh(function: &mut Function, scalar: Scalar, vector: u32) -> Symbol {
    let take = |count: &mut Slot| {
        let slot = *count;
        *count += 1;
        slot
    };
    if scalar.bits() == 128 {
        return Symbol::WideRegister([take(&mut function.longs), take(&mut function.longs)]);
    }
    let places = (0..vector).map(|_| match scalar.bits() {
        1 => Place::Predicate(take(&mut function.predicates)),
        64 => Place::Long(take(&mut function.longs)),
        _ => Place::Word(take(&mut function.words)),
    });
    Symbol::Register { scalar, places: places.collect() }
}

/// Returns the names whose address a body may take.
fn addressed<'s>(body: &[Statement<'s>]) -> HashSet<&'s str> {
    let mut names = HashSet::new();
    for statement in body {
        match statement {
            Statement::Block(inner) => names.extend(addressed(inner)),
            Statement::Instruction(instruction) if instruction.opcode == "mov" => {
                for operand in instruction.operands.iter().skip(1) {
                    if let Operand::Name { name, .. } | Operand::Element { name, .. } = operand {
                        names.insert(*name);
                    }
                }
            }
            _ => {}
        }
    }
    names
}

/// Returns the places of a register or parameter.
pub(super) fn places(symbol: &Symbol) -> Vec<Place> {
    match symbol {
        Symbol::Register { places, .. } => places.clone(),
        Symbol::Parameter { first, shape, .. } => {
            (0..shape.size.div_ceil(4)).map(|word| Place::Word(first + word)).collect()
        }
        _ => Vec::new(),
    }
}

/// Estimates the number of 32-bit registers that are live at once. A register is live from the first to the last step
/// that names it. The effects of loops and optimisers on lifetimes are ignored. Registers that only hold a constant or a
/// parameter do not count: instructions of hardware read both without a register.
fn pressure(lifetimes: &HashMap<Place, (usize, usize)>, constants: &HashMap<Place, Place>) -> u32 {
    let mut changes: Vec<(usize, bool, u32)> = Vec::new();
    for (place, (first, last)) in lifetimes.iter().filter(|(place, _)| !constants.contains_key(place)) {
        let weight = match place {
            Place::Word(_) => 1,
            Place::Long(_) => 2,
            Place::Predicate(_) => continue,
        };
        changes.push((*first, false, weight));
        changes.push((*last, true, weight));
    }
    changes.sort_unstable();
    let (mut now, mut most) = (0u32, 0);
    for (_, ends, weight) in changes {
        now = if ends { now.saturating_sub(weight) } else { now + weight };
        most = most.max(now);
    }
    // Plus the stack pointer and scratch registers of the hardware.
    most + 4
}

/// Place that does not exist.
pub(super) const NOWHERE: Place = Place::Word(NONE);
