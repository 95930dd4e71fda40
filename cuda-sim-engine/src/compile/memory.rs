//! Loads, stores and atomic operations.

use cuda_ptx::ast::{Constant as Literal, Operand};
use cuda_ptx::modifier::{Flag, Flags, SpaceWord};
use cuda_ptx::types::{Scalar, Space};

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::mov::same_space;
use super::operands::{Fit, Value, fits};
use super::scope::{Role, Symbol};
use crate::function::Constant;
use crate::op::{ALL_BYTES, Access, Base, Extension, MemorySpace, NONE, Op, Place, Slot};

const LOADABLE: [Scalar; 15] = [
    Scalar::B8,
    Scalar::B16,
    Scalar::B32,
    Scalar::B64,
    Scalar::B128,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::S8,
    Scalar::S16,
    Scalar::S32,
    Scalar::S64,
    Scalar::F32,
    Scalar::F64,
];

/// Cache hints. They change nothing that a program can observe.
const HINTS: Flags = Flags::of(&[
    Flag::L1EvictNormal,
    Flag::L1EvictUnchanged,
    Flag::L1EvictFirst,
    Flag::L1EvictLast,
    Flag::L1NoAllocate,
    Flag::L2EvictNormal,
    Flag::L2EvictFirst,
    Flag::L2EvictLast,
    Flag::L2Hint,
]);
const PREFETCHES: Flags = Flags::of(&[Flag::L2Prefetch64, Flag::L2Prefetch128, Flag::L2Prefetch256]);
pub(super) const SCOPES: [Flag; 4] = [Flag::Cta, Flag::Cluster, Flag::Gpu, Flag::Sys];

/// Resolved address operand.
pub(super) enum Target {
    Memory {
        memory: MemorySpace,
        base: Base,
        offset: i64,
    },
    /// Parameter variable of a function: some words, and a byte offset in them.
    Words {
        first: Slot,
        size: u32,
        offset: i64,
        role: Role,
        /// Offset of the parameter in local memory, if it is there.
        stack: Option<i64>,
    },
    /// Parameter of the kernel, at a known offset.
    Parameter {
        offset: i64,
    },
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn memory(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        if instruction.words.compare.is_some() {
            return instruction.plain();
        }
        match instruction.tree.opcode {
            "ld" | "ldu" => self.load(instruction),
            "st" => self.store(instruction),
            "atom" | "red" => self.atomic(instruction),
            _ => self.hint(instruction),
        }
    }

    /// Resolves an address operand.
    pub(super) fn address(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
    ) -> Lowered<Target> {
        // Other instructions take no elements.
        if matches!(instruction.tree.opcode, "ld" | "ldu" | "st")
            && let Some(target) = self.element_target(instruction, operand)?
        {
            return Ok(target);
        }
        self.address_in(instruction, operand, instruction.words.space)
    }

    /// Resolves an address operand of an instruction that names more than one space.
    pub(super) fn address_in(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        space: Option<SpaceWord>,
    ) -> Lowered<Target> {
        let illegal =
            || Stop::Error(format!("Illegal operand type to instruction '{}'", instruction.tree.opcode));
        let inner = match operand {
            Operand::Address(list) => match list.as_slice() {
                [inner] => inner,
                _ => return Err(illegal()),
            },
            _ => return Err(instruction.mismatch()),
        };
        if space == Some(SpaceWord::SharedCluster) {
            self.requires("::cluster", (7, 8), 90)?;
        }
        let memory = match space {
            None => MemorySpace::Generic,
            Some(SpaceWord::Global | SpaceWord::Constant) => MemorySpace::Global,
            Some(SpaceWord::Local) => MemorySpace::Local,
            // Without clusters every block is a cluster of its own.
            Some(SpaceWord::Shared | SpaceWord::SharedCluster) => MemorySpace::Shared,
            Some(SpaceWord::EntryParameter) => MemorySpace::Parameter,
            // The address of a parameter of a function is in local memory.
            Some(SpaceWord::Parameter | SpaceWord::FunctionParameter) if !self.entry => MemorySpace::Local,
            Some(SpaceWord::Parameter | SpaceWord::FunctionParameter) => MemorySpace::Parameter,
        };
        let addend = match inner {
            Operand::Name { addend, .. } => *addend,
            _ => 0,
        };
        match self.value(inner) {
            Value::Register { scalar, place } => self.register_address(inner, memory, scalar, place, addend),
            Value::Variable { space: found, symbol, .. } => {
                let fits = match space {
                    None => found != Space::Parameter,
                    Some(word) => same_space(word, found),
                };
                if !fits {
                    return Err(instruction.space_mismatch());
                }
                self.symbol_address(&symbol, addend)
            }
            Value::Literal(Literal::Integer { bits, .. }) => {
                if space != Some(SpaceWord::Local) {
                    let text = "Immediate addresses allowed only for .local state space";
                    return Err(Stop::Error(text.into()));
                }
                let base = Base::Word(self.word(0));
                Ok(Target::Memory { memory, base, offset: bits.cast_signed() })
            }
            _ => Err(illegal()),
        }
    }

    fn register_address(
        &mut self,
        operand: &Operand<'s>,
        memory: MemorySpace,
        scalar: Scalar,
        place: Place,
        offset: i64,
    ) -> Lowered<Target> {
        if !scalar.is_integer() {
            let name = match operand {
                Operand::Name { name, .. } | Operand::Component { name, .. } => name,
                _ => "",
            };
            return Err(Stop::Error(format!(
                "Illegal to use symbol '{name}' of type {} as address operand. Use integer or bit only.",
                scalar.name()
            )));
        }
        match place {
            Place::Long(slot) => Ok(Target::Memory { memory, base: Base::Long(slot), offset }),
            Place::Word(slot) if scalar.bits() == 32 => match memory {
                MemorySpace::Shared | MemorySpace::Local | MemorySpace::Parameter => {
                    Ok(Target::Memory { memory, base: Base::Word(slot), offset })
                }
                MemorySpace::Generic | MemorySpace::Global => {
                    Err(Stop::Fatal(super::NARROW_ADDRESSES.into()))
                }
            },
            _ => Err(Stop::Unsupported("a narrow address")),
        }
    }

    pub(super) fn symbol_address(&mut self, symbol: &Symbol, offset: i64) -> Lowered<Target> {
        if let &Symbol::Parameter { first, shape, role, stack } = symbol {
            return Ok(Target::Words { first, size: shape.size, offset, role, stack });
        }
        if let Symbol::EntryParameter { offset: start, .. } = symbol {
            return Ok(Target::Parameter { offset: i64::from(*start).wrapping_add(offset) });
        }
        Ok(match self.variable_address(symbol, 0)? {
            constant @ Constant::Shared(..) => {
                let base = Base::Word(self.constant_word(constant));
                Target::Memory { memory: MemorySpace::Shared, base, offset }
            }
            constant @ Constant::Local(_) => {
                let base = Base::Word(self.constant_word(constant));
                Target::Memory { memory: MemorySpace::Local, base, offset }
            }
            constant => {
                let base = Base::Long(self.constant_long(constant));
                Target::Memory { memory: MemorySpace::Global, base, offset }
            }
        })
    }

    /// Checks the ordering of an access. Returns whether other host threads must see the access.
    fn semantics(&self, instruction: &Instruction<'_, 's>, ordered: Flag) -> Lowered<bool> {
        let opcode = instruction.tree.opcode;
        let has = |flag| instruction.has(flag);
        let scope = instruction.words.flags.only_one_of(&SCOPES);
        let strong = has(Flag::Relaxed) || has(ordered);
        if has(Flag::Relaxed) && has(ordered) {
            return Err(Stop::Error("Duplicate .relaxed modifier".into()));
        }
        self.combination(instruction)?;
        if has(Flag::Volatile) && (strong || has(Flag::Weak)) {
            return Err(Stop::Error("Duplicate .volatile modifier".into()));
        }
        let hints = [
            Flag::L1EvictNormal,
            Flag::L1EvictUnchanged,
            Flag::L1EvictFirst,
            Flag::L1EvictLast,
            Flag::L1NoAllocate,
            Flag::L2Hint,
        ];
        let prefetches = [Flag::L2Prefetch64, Flag::L2Prefetch128, Flag::L2Prefetch256];
        let prefetches = prefetches.into_iter().filter(|_| has(Flag::Mmio));
        if let Some(order) = [Flag::Volatile, Flag::Mmio].into_iter().find(|order| has(*order))
            && let Some(hint) = hints.into_iter().chain(prefetches).find(|hint| has(*hint))
        {
            let hint = hint.word().trim_start_matches("L1::");
            let text = format!("Modifier '.{hint}' cannot be combined with modifier '.{}'", order.word());
            return Err(Stop::Error(text));
        }
        if has(Flag::Mmio)
            && let Some(count) = instruction.words.vector
        {
            let text = format!("Modifier '.mmio' cannot be combined with modifier '.v{count}'");
            return Err(Stop::Error(text));
        }
        if has(Flag::Mmio) && !has(Flag::Relaxed) {
            let text = format!("Modifier '.mmio' requires modifier '.relaxed' for instruction '{opcode}'");
            return Err(Stop::Error(text));
        }
        if let Some(scope) = scope.filter(|scope| has(Flag::Mmio) && *scope != Flag::Sys) {
            let text = format!("Modifier '.mmio' cannot be combined with modifier '.{}'", scope.word());
            return Err(Stop::Error(text));
        }
        if strong {
            if scope.is_none() {
                let word = if has(Flag::Relaxed) { Flag::Relaxed } else { ordered }.word();
                let text = format!("Modifier '.{word}' requires scope with '{opcode}' instruction");
                return Err(Stop::Error(text));
            }
        } else if let Some(scope) = scope {
            return Err(instruction.illegal(scope.word()));
        }
        Ok(strong || has(Flag::Volatile) || has(Flag::Mmio))
    }

    /// Refuses modifiers that conflict with each other or with the state space.
    fn combination(&self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let first = |flags: &[Flag]| flags.iter().copied().find(|&flag| instruction.has(flag));
        let order = first(&[Flag::Volatile, Flag::Relaxed, Flag::Acquire, Flag::Release, Flag::Mmio]);
        let caches = [Flag::Ca, Flag::Cg, Flag::Cs, Flag::Lu, Flag::Cv, Flag::Wb, Flag::Wt];
        if let (Some(order), Some(cache)) = (order, first(&caches)) {
            let (order, cache) = (order.word(), cache.word());
            let text = format!("Modifier '.{order}' cannot be combined with modifier '.{cache}'");
            return Err(Stop::Error(text));
        }
        let (space, shared) = match instruction.words.space {
            None | Some(SpaceWord::Global) => return Ok(()),
            Some(SpaceWord::Constant) => (".const", false),
            Some(SpaceWord::Local) => (".local", false),
            Some(SpaceWord::Shared) => (".shared", true),
            Some(SpaceWord::SharedCluster) => (".shared::cluster", true),
            Some(_) => (".param", false),
        };
        let local = order == Some(Flag::Volatile) && instruction.words.space == Some(SpaceWord::Local);
        if local {
            self.requires("ld/st with .local.volatile", (9, 1), 0)?;
        } else if let Some(order) = order
            && (!shared || instruction.has(Flag::Mmio))
        {
            let order = if shared { Flag::Mmio } else { order }.word();
            return Err(Stop::Error(format!("Modifier '.{order}' cannot be applied to '{space}' space")));
        }
        let evictions = [
            Flag::L1EvictNormal,
            Flag::L1EvictUnchanged,
            Flag::L1EvictFirst,
            Flag::L1EvictLast,
            Flag::L1NoAllocate,
        ];
        if let Some(word) = first(&evictions).and_then(|eviction| eviction.word().strip_prefix("L1::")) {
            return Err(Stop::Error(format!(
                "Modifier '.{word}' cannot be applied to '{space}' space for instruction '{}'",
                instruction.tree.opcode
            )));
        }
        Ok(())
    }

    /// Returns the element type and the number of elements.
    fn shape(&self, instruction: &Instruction<'_, 's>) -> Lowered<(Scalar, usize)> {
        let scalar = instruction.one_type(&LOADABLE)?;
        let count = instruction.words.vector.unwrap_or(1);
        if scalar.bytes() * count > 16 {
            self.requires("256 bit wide load/store", (8, 8), 100)?;
        }
        if scalar.bytes() * count > 16 || count == 8 {
            return Err(Stop::Unsupported(""));
        }
        if scalar == Scalar::B128 {
            return Err(Stop::Unsupported("128-bit registers"));
        }
        Ok((scalar, count as usize))
    }

    /// Refuses a cache policy on instructions that have none.
    pub(super) fn check_hint(&self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        if !instruction.has(Flag::L2Hint) {
            return Ok(());
        }
        if matches!(instruction.words.space, None | Some(SpaceWord::Global)) {
            return Ok(());
        }
        Err(Stop::Error(format!(
            "Modifier '.L2::cache_hint' cannot be applied to '{}' space for instruction '{}'",
            instruction.space_text(),
            instruction.tree.opcode
        )))
    }

    /// Returns the operands without a trailing cache policy.
    fn two_operands<'i>(&mut self, instruction: &'i Instruction<'_, 's>) -> Lowered<[&'i Operand<'s>; 2]> {
        self.check_hint(instruction)?;
        match (instruction.tree.operands.as_slice(), instruction.has(Flag::L2Hint)) {
            ([first, second], false) => Ok([first, second]),
            ([first, second, policy], true) => {
                self.source(instruction, policy, Scalar::U64)?;
                Ok([first, second])
            }
            _ => Err(instruction.mismatch()),
        }
    }

    fn load(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let caches = Flags::of(&[Flag::Ca, Flag::Cg, Flag::Cs, Flag::Lu, Flag::Cv, Flag::Nc]);
        let orders = Flags::of(&[Flag::Weak, Flag::Volatile, Flag::Relaxed, Flag::Acquire, Flag::Mmio]);
        let is_global = matches!(instruction.words.space, None | Some(SpaceWord::Global));
        if instruction.tree.opcode == "ldu" {
            if instruction.words.vector == Some(8) {
                return Err(Stop::Error("Illegal vector size: 8".into()));
            }
            if !is_global {
                return Err(Stop::Error("State space incorrect for instruction 'ldu'".into()));
            }
            instruction.only(Flags::default())?;
        }
        let allowed = HINTS.with(PREFETCHES).with(caches).with(orders).with(Flags::of(&SCOPES));
        instruction.only(allowed)?;
        let prefetches = [Flag::L2Prefetch64, Flag::L2Prefetch128, Flag::L2Prefetch256];
        if !is_global && prefetches.into_iter().any(|flag| instruction.has(flag)) {
            return Err(Stop::Error("State space incorrect for feature 'cache prefetching'".into()));
        }
        if instruction.has(Flag::Nc)
            && let Some(order) = [Flag::Weak, Flag::Volatile, Flag::Relaxed, Flag::Acquire]
                .into_iter()
                .find(|order| instruction.has(*order))
        {
            let text = format!("Modifier '.{}' cannot be combined with modifier '.nc'", order.word());
            return Err(Stop::Error(text));
        }
        if instruction.has(Flag::Nc) && instruction.words.space != Some(SpaceWord::Global) {
            return Err(Stop::Error("Modifier '.nc' requires .global space".into()));
        }
        let strong = self.semantics(instruction, Flag::Acquire)?;
        if instruction.words.types == [Scalar::B128] && instruction.words.vector.is_none() {
            let operands = self.two_operands(instruction)?;
            return self.wide_access(instruction, operands, strong, false);
        }
        let (scalar, count) = self.shape(instruction)?;
        let [d, a] = self.two_operands(instruction)?;
        let target = self.address(instruction, a)?;
        let (elements, register) = self.load_elements(instruction, scalar, count, d)?;
        let extension =
            if scalar.is_signed() { Extension::Sign(register.bits().min(64) as u8) } else { Extension::Zero };
        let size = scalar.bytes() as u8;
        let target = match target {
            Target::Words { size: bytes, offset, stack: Some(start), .. } => {
                for index in 0..elements.len() as i64 {
                    let offset = offset.wrapping_add(index * i64::from(size));
                    Self::parameter_word(0, bytes, offset, scalar.bytes())?;
                }
                let base = Base::Word(self.constant_word(Constant::Local(start)));
                Target::Memory { memory: MemorySpace::Local, base, offset }
            }
            target => target,
        };
        match target {
            Target::Memory { memory, base, offset } => {
                self.emit(Op::Load(Box::new(Access {
                    memory,
                    base,
                    offset,
                    size,
                    extension,
                    strong,
                    of_block: instruction.words.space == Some(SpaceWord::Shared),
                    used: self.used_of(scalar.bytes() * elements.len() as u32),
                    elements,
                })));
                Ok(())
            }
            Target::Parameter { offset } => {
                // The parts of a vector register have no name that could stand for the parameter.
                let is_single = elements.len() == 1;
                for (index, place) in elements.into_iter().enumerate() {
                    let offset = offset.wrapping_add(index as i64 * i64::from(size));
                    let Ok(offset) = u32::try_from(offset) else {
                        return Err(Stop::Unsupported("an address outside of the parameters"));
                    };
                    match (place, extension) {
                        (Place::Word(NONE), _) => {}
                        (Place::Word(slot), Extension::Zero) => {
                            let from = self.constant_word(Constant::Parameter(offset, size));
                            self.emit_parameter(is_single.then_some(d), slot, Place::Word(from));
                        }
                        (Place::Long(slot), Extension::Zero) => {
                            let from = self.constant_long(Constant::Parameter(offset, size));
                            self.emit_parameter(is_single.then_some(d), slot, Place::Long(from));
                        }
                        _ => self.emit(Op::Parameter { d: place, offset, size, extension }),
                    }
                }
                Ok(())
            }
            Target::Words { first, size: bytes, offset, .. } => {
                // No element can be a parameter word, because all elements are read before any is written.
                for (index, place) in elements.into_iter().enumerate() {
                    let offset = offset.wrapping_add(index as i64 * i64::from(size));
                    self.load_words(first, bytes, offset, scalar, register, place)?;
                }
                Ok(())
            }
        }
    }

    /// Returns the registers that a load fills, and the type of the first one that is a register.
    fn load_elements(
        &mut self,
        instruction: &Instruction<'_, 's>,
        scalar: Scalar,
        count: usize,
        d: &Operand<'s>,
    ) -> Lowered<(Vec<Place>, Scalar)> {
        let size = || {
            let name = instruction.tree.opcode;
            Stop::Error(format!("Argument vector size mismatch for instruction '{name}'"))
        };
        let mut elements = Vec::new();
        let mut register = None;
        match d {
            Operand::Vector(parts) => {
                if parts.len() != count {
                    return Err(size());
                }
                for part in parts {
                    if matches!(part, Operand::Sink) {
                        elements.push(super::lowerer::NOWHERE);
                        continue;
                    }
                    let (place, found) = self.destination_place(instruction, part, scalar, Fit::Relaxed)?;
                    if register.is_some_and(|register: Scalar| register.bits() != found.bits()) {
                        return Err(Stop::Error("Incompatible elements of vector expression".into()));
                    }
                    register = Some(found);
                    elements.push(place);
                }
                if register.is_none() && scalar.bits() != 8 {
                    let text = "Unable to infer type of vector elements (assuming .b8)";
                    return Err(Stop::Error(text.into()));
                }
            }
            _ if count == 1 && instruction.words.vector.is_none() => {
                let (place, found) = self.destination_place(instruction, d, scalar, Fit::Relaxed)?;
                register = Some(found);
                elements.push(place);
            }
            _ => match self.value(d) {
                Value::Vector { scalar: found, places }
                    if fits(scalar, found, Fit::Exact) && places.len() == count =>
                {
                    register = Some(found);
                    elements = places;
                }
                _ => return Err(size()),
            },
        }
        Ok((elements, register.unwrap_or(scalar)))
    }

    fn store(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        let caches = Flags::of(&[Flag::Wb, Flag::Cg, Flag::Cs, Flag::Wt]);
        let orders = Flags::of(&[Flag::Weak, Flag::Volatile, Flag::Relaxed, Flag::Release, Flag::Mmio]);
        if instruction.has(Flag::Async) {
            return self.counted_store(instruction);
        }
        instruction.only(HINTS.with(caches).with(orders).with(Flags::of(&SCOPES)))?;
        if instruction.words.repeated_space {
            return Err(instruction.repeated_space());
        }
        if instruction.words.space == Some(SpaceWord::Constant) {
            return Err(Stop::Error("State space incorrect for instruction 'st'".into()));
        }
        let strong = self.semantics(instruction, Flag::Release)?;
        if instruction.words.types == [Scalar::B128] && instruction.words.vector.is_none() {
            let operands = self.two_operands(instruction)?;
            return self.wide_access(instruction, operands, strong, true);
        }
        let (scalar, count) = self.shape(instruction)?;
        let [a, b] = self.two_operands(instruction)?;
        let target = self.address(instruction, a)?;
        let mut elements = Vec::new();
        match b {
            Operand::Vector(parts) => {
                if parts.len() != count {
                    let text = "Argument vector size mismatch for instruction 'st'";
                    return Err(Stop::Error(text.into()));
                }
                let mut bits = None;
                for part in parts {
                    if let Value::Register { scalar: register, .. } = self.value(part)
                        && *bits.get_or_insert(register.bits()) != register.bits()
                    {
                        return Err(Stop::Error("Incompatible elements of vector expression".into()));
                    }
                    elements.push(match part {
                        // The value of an omitted element is unspecified.
                        Operand::Sink => Place::Word(self.word(0)),
                        part => self.source_place(instruction, part, scalar, Fit::Relaxed)?,
                    });
                }
            }
            _ if instruction.words.vector.is_none() => {
                elements.push(self.source_place(instruction, b, scalar, Fit::Relaxed)?);
            }
            _ => match self.value(b) {
                Value::Vector { scalar: found, places }
                    if fits(scalar, found, Fit::Exact) && places.len() == count =>
                {
                    elements = places;
                }
                _ => return Err(instruction.mismatch()),
            },
        }
        let size = scalar.bytes() as u8;
        match target {
            Target::Memory { memory: MemorySpace::Parameter, .. } => Err(Stop::Unsupported("")),
            Target::Memory { memory, base, offset } => {
                let extension = Extension::Zero;
                self.emit(Op::Store(Box::new(Access {
                    memory,
                    base,
                    offset,
                    size,
                    extension,
                    strong,
                    of_block: instruction.words.space == Some(SpaceWord::Shared),
                    used: ALL_BYTES,
                    elements,
                })));
                Ok(())
            }
            Target::Words { role: Role::Input, .. } if matches!(a, Operand::Element { .. }) => {
                Err(Stop::Unsupported("an element of a parameter"))
            }
            Target::Parameter { .. } | Target::Words { role: Role::Input, .. } => {
                let name = match a {
                    Operand::Address(list) => match list.first() {
                        Some(Operand::Name { name, .. }) => *name,
                        _ => "",
                    },
                    Operand::Element { name, .. } => name,
                    _ => "",
                };
                Err(Stop::Error(format!("Illegal to write to function input parameter '{name}'")))
            }
            Target::Words { first, size: bytes, offset, .. } => {
                for (index, place) in elements.into_iter().enumerate() {
                    let offset = offset.wrapping_add(index as i64 * i64::from(size));
                    self.store_words(first, bytes, offset, scalar, place)?;
                }
                Ok(())
            }
        }
    }

    /// Lowers `prefetch` and related hints: checks the address and emits nothing.
    fn hint(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        if instruction.has(Flag::Tensormap) && instruction.tree.opcode == "prefetch" {
            self.requires("prefetch.tensormap", (8, 0), 90)?;
            self.emit(Op::NOTHING);
            return Ok(());
        }
        let opcode = instruction.tree.opcode;
        let (levels, missing): (&[Flag], _) = match opcode {
            "discard" => (&[Flag::L2], ".L2 modifier required for instruction 'discard'".to_owned()),
            "applypriority" => (
                &[Flag::L2EvictNormal],
                "cache eviction priority modifier required for instruction 'applypriority'".to_owned(),
            ),
            "prefetchu" => (&[Flag::L1], format!("Cache level modifier required for instruction '{opcode}'")),
            _ => (
                &[Flag::L1, Flag::L2, Flag::L2EvictLast, Flag::L2EvictNormal],
                format!("Cache level modifier required for instruction '{opcode}'"),
            ),
        };
        instruction.only(Flags::of(levels))?;
        if instruction.words.flags.only_one_of(levels).is_none() {
            return Err(Stop::Error(missing));
        }
        if !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        let sized = matches!(opcode, "discard" | "applypriority");
        if sized {
            self.requires(opcode, (7, 4), 80)?;
        } else if instruction.has(Flag::L2EvictLast) || instruction.has(Flag::L2EvictNormal) {
            self.requires("cache eviction priority", (7, 4), 80)?;
        }
        let is_generic = instruction.words.space.is_none();
        let is_known = matches!(instruction.words.space, Some(SpaceWord::Global | SpaceWord::Local));
        if !(is_generic || is_known && opcode != "prefetchu") {
            return Err(Stop::Error(format!("State space incorrect for instruction '{}'", instruction.name)));
        }
        let a = match (sized, instruction.tree.operands.as_slice()) {
            (false, [a]) | (true, [a, Operand::Constant(Literal::Integer { bits: 128, .. })]) => a,
            _ => return Err(instruction.mismatch()),
        };
        self.address(instruction, a)?;
        self.emit(Op::NOTHING);
        Ok(())
    }
}
