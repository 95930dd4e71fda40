//! Calls of functions.

use cuda_ptx::ast::Operand;
use cuda_ptx::modifier::{Flag, Flags};
use cuda_ptx::types::Scalar;

use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, NOWHERE, Stop, places};
use super::operands::{Fit, Value, fits};
use super::scope::{Role, Shape, Symbol};
use super::unit::{Prototype, Signature};
use crate::function::Constant;
use crate::op::{CallSite, ColdOp, DeviceCall, IndirectSite, NONE, Op, Place, Slot, Transfer};

/// Functions that the driver itself defines. The library that the driver links defines all functions that begin with
/// `cuda`, except one (conformance fact V345).
const SYSTEM_FUNCTIONS: [&str; 5] = ["vprintf", "malloc", "free", "__assertfail", "cudaGraphSetConditional"];

/// Start of the names of the functions that the text of the device runtime's library is built on.
const DEVICE_CALL: &str = "__cuda_syscall_device_runtime_";

/// Returns whether the driver defines a function that has no body in the text.
pub(super) fn is_system_function(name: &str) -> bool {
    SYSTEM_FUNCTIONS.contains(&name) || name.starts_with("__cuda_syscall")
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn call(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        instruction.plain()?;
        instruction.only(Flags::of(&[Flag::Uni]))?;
        if !instruction.words.types.is_empty() {
            return Err(instruction.bad_types());
        }
        let mut operands = instruction.tree.operands.as_slice();
        let results: &[Operand<'s>] = match operands {
            [Operand::List(results), rest @ ..] => {
                operands = rest;
                results
            }
            _ => &[],
        };
        let [callee, rest @ ..] = operands else { return Err(instruction.mismatch()) };
        let arguments: &[Operand<'s>] = match rest {
            [Operand::List(arguments), ..] => arguments,
            _ => &[],
        };
        let Operand::Name { name, addend: 0 } = callee else { return Err(instruction.mismatch()) };
        let (index, pointer, prototype) = match self.value(callee) {
            Value::Function(index) => {
                let prototype = self.unit.prototypes.get(index).cloned();
                (index, None, prototype.ok_or_else(|| instruction.mismatch())?)
            }
            Value::Register { scalar, place: Place::Long(pointer) } if scalar.is_integer() => {
                let table = rest.get(1).or(rest.first());
                (usize::MAX, Some(pointer), self.call_signature(instruction, name, table)?)
            }
            Value::Register { .. } => return Err(instruction.mismatch()),
            Value::Unknown => {
                return Err(Stop::Error(format!("Call to '{name}' requires call prototype")));
            }
            _ => return Err(Stop::Error("Illegal call target, device function expected".into())),
        };
        if prototype.entry {
            return Err(Stop::Error("Illegal call target, device function expected".into()));
        }
        if prototype.params.last().is_some_and(|last| last.shape.array && last.shape.size == 0) {
            return Err(Stop::Unsupported("a variable number of arguments"));
        }
        if prototype.params.len() != arguments.len() || prototype.returns.len() != results.len() {
            return Err(Stop::Error("Call has wrong number of parameters".into()));
        }
        let mut passed = Vec::new();
        for (argument, formal) in arguments.iter().zip(&prototype.params) {
            self.argument(instruction, argument, formal, &mut passed)?;
        }
        let mut returned = Vec::new();
        let mut after = Vec::new();
        for (result, formal) in results.iter().zip(&prototype.returns) {
            self.result(instruction, result, formal, &mut returned, &mut after)?;
        }
        if let Some(target) = pointer {
            self.function.indirect.insert(prototype.sizes());
            self.emit(Op::CallIndirect(Box::new(IndirectSite {
                target,
                arguments: passed,
                results: returned,
            })));
            after.into_iter().for_each(|op| self.emit(op));
            return Ok(());
        }
        if !prototype.defined && *name == "vprintf" {
            self.print(&passed, &returned)?;
            after.into_iter().for_each(|op| self.emit(op));
            return Ok(());
        }
        if !prototype.defined && *name == "cudaGraphSetConditional" {
            return self.set_condition(&passed);
        }
        if !prototype.defined && matches!(*name, "malloc" | "free") {
            self.heap_call(*name == "malloc", &passed, &returned)?;
            after.into_iter().for_each(|op| self.emit(op));
            return Ok(());
        }
        if !prototype.defined
            && let Some(call) = name.strip_prefix(DEVICE_CALL)
        {
            self.device_call(call, &passed, &returned)?;
            after.into_iter().for_each(|op| self.emit(op));
            return Ok(());
        }
        if !prototype.defined && is_system_function(name) && *name != "__assertfail" {
            return Err(Stop::Unsupported("a call of a function of the driver"));
        }
        self.function.calls.insert(index);
        if *name == "__assertfail"
            && !prototype.defined
            && let [m0, m1, f0, f1, line, n0, n1, ..] = passed.as_slice()
        {
            return self.assertion([*m0, *m1, *f0, *f1, *line, *n0, *n1]);
        }
        self.emit(Op::Call(Box::new(CallSite {
            function: index,
            arguments: passed.into_iter().map(|from| Transfer { from, to: NOWHERE }).collect(),
            results: returned.into_iter().map(|to| Transfer { from: NOWHERE, to }).collect(),
        })));
        for op in after {
            self.emit(op);
        }
        Ok(())
    }

    /// Returns the signature of a call through a register: that of its `.callprototype`, or of the first of its
    /// possible targets.
    fn call_signature(
        &mut self,
        instruction: &Instruction<'_, 's>,
        callee: &str,
        table: Option<&Operand<'s>>,
    ) -> Lowered<Prototype> {
        let requires = || Stop::Error(format!("Call to '{callee}' requires call prototype"));
        let Some(Operand::Name { name, addend: 0 }) = table else { return Err(requires()) };
        match self.lookup(name) {
            Some(Symbol::Prototype(index)) => {
                self.signatures.get(index).cloned().ok_or_else(|| instruction.mismatch())
            }
            Some(Symbol::Targets(index)) => {
                let names = self.targets.get(index).cloned().unwrap_or_default();
                let mut found = None;
                for name in names {
                    let Some(Symbol::Function(index)) = self.lookup(name) else {
                        return Err(instruction.mismatch());
                    };
                    self.function.calls.insert(index);
                    found = found.or_else(|| self.unit.prototypes.get(index).cloned());
                }
                found.ok_or_else(requires)
            }
            _ => Err(requires()),
        }
    }

    /// Lowers `vprintf(format, arguments)`.
    fn print(&mut self, passed: &[Place], returned: &[Place]) -> Lowered<()> {
        let (format, arguments) = match passed {
            [Place::Word(f0), Place::Word(f1), Place::Word(a0), Place::Word(a1)] => {
                let (format, arguments) = (self.new_long(), self.new_long());
                self.emit(Op::Join { d: format, low: *f0, high: *f1 });
                self.emit(Op::Join { d: arguments, low: *a0, high: *a1 });
                (format, arguments)
            }
            [Place::Long(format), Place::Long(arguments)] => (*format, *arguments),
            _ => return Err(Stop::Unsupported("these parameters")),
        };
        let result = match returned {
            [Place::Word(result)] => *result,
            [] => NONE,
            _ => return Err(Stop::Unsupported("these parameters")),
        };
        self.cold(ColdOp::Print { format, arguments, result });
        Ok(())
    }

    /// Lowers `malloc(size)` or `free(address)`.
    fn heap_call(&mut self, allocates: bool, passed: &[Place], returned: &[Place]) -> Lowered<()> {
        let passed = match passed {
            [Place::Word(low), Place::Word(high)] => {
                let d = self.new_long();
                self.emit(Op::Join { d, low: *low, high: *high });
                d
            }
            [Place::Long(passed)] => *passed,
            _ => return Err(Stop::Unsupported("these parameters")),
        };
        self.function.uses_heap = true;
        if !allocates {
            self.cold(ColdOp::Free { address: passed });
            return Ok(());
        }
        let d = self.new_long();
        self.cold(ColdOp::Allocate { d, size: passed });
        match returned {
            [Place::Word(low), Place::Word(high)] => {
                self.emit(Op::Split { low: *low, high: *high, a: d });
            }
            [Place::Long(result)] => self.emit(Op::MoveLong { d: *result, a: d }),
            [] | [Place::Word(NONE)] => {}
            _ => return Err(Stop::Unsupported("these parameters")),
        }
        Ok(())
    }

    /// Lowers a call of a function that the text of the device runtime's library is built on.
    fn device_call(&mut self, name: &str, passed: &[Place], returned: &[Place]) -> Lowered<()> {
        let refused = || Stop::Unsupported("these parameters");
        let words = passed.iter().map(|place| match place {
            Place::Word(slot) => Ok(*slot),
            _ => Err(refused()),
        });
        let words = words.collect::<Lowered<Vec<Slot>>>()?;
        let mut long = |low: Slot, high: Slot| {
            let d = self.new_long();
            self.emit(Op::Join { d, low, high });
            d
        };
        let short = match returned {
            [Place::Word(d)] => *d,
            _ => NONE,
        };
        let wide = matches!(returned, [Place::Word(_), Place::Word(_)]);
        let (call, d) = match (name, words.as_slice()) {
            ("parameter_buffer", [low, high, shape @ ..]) if wide => {
                let shape = shape.try_into().map_err(|_| refused())?;
                let (kernel, d) = (long(*low, *high), self.new_long());
                (self.function.launches, self.function.uses_heap) = (true, true);
                (DeviceCall::ParameterBuffer { d, kernel, shape }, d)
            }
            ("launch", [b0, b1, s0, s1]) if short != NONE => {
                let (buffer, stream) = (long(*b0, *b1), long(*s0, *s1));
                (self.function.launches, self.function.uses_heap) = (true, true);
                (DeviceCall::Launch { d: short, buffer, stream }, NONE)
            }
            ("create_handle", []) if wide => {
                let d = self.new_long();
                self.function.launches = true;
                (DeviceCall::CreateHandle { d }, d)
            }
            ("is_handle", [low, high]) if short != NONE => {
                let handle = long(*low, *high);
                self.function.launches = true;
                (DeviceCall::IsHandle { d: short, handle }, NONE)
            }
            ("error", []) if short != NONE => (DeviceCall::Error { d: short }, NONE),
            ("set_error", [a]) => (DeviceCall::SetError { a: *a }, NONE),
            _ => return Err(refused()),
        };
        self.cold(ColdOp::DeviceCall(call));
        if let [Place::Word(low), Place::Word(high)] = returned {
            self.emit(Op::Split { low: *low, high: *high, a: d });
        }
        Ok(())
    }

    /// Lowers `cudaGraphSetConditional(handle, value)`.
    fn set_condition(&mut self, passed: &[Place]) -> Lowered<()> {
        let (handle, value) = match passed {
            [Place::Word(low), Place::Word(high), Place::Word(value)] => {
                let handle = self.new_long();
                self.emit(Op::Join { d: handle, low: *low, high: *high });
                (handle, *value)
            }
            [Place::Long(handle), Place::Word(value)] => (*handle, *value),
            _ => return Err(Stop::Unsupported("these parameters")),
        };
        self.cold(ColdOp::SetCondition { handle, value });
        Ok(())
    }

    /// Compares the type and alignment of an argument with those of its formal parameter. Reports a difference in the
    /// words of ptxas.
    fn agrees(&mut self, formal: &Signature, actual: Shape) -> bool {
        let wanted = formal.shape;
        let same_type = if wanted.array {
            actual.array && actual.size == wanted.size
        } else {
            !actual.array && fits(wanted.scalar, actual.scalar, Fit::Exact)
        };
        let name = &formal.name;
        if !same_type {
            self.error(format!("Type of argument does not match formal parameter '{name}'"));
        }
        if actual.align != wanted.align {
            self.error(format!("Alignment of argument does not match formal parameter '{name}'"));
        }
        same_type && actual.align == wanted.align
    }

    /// Returns the slots that hold an argument, in the shape of the formal parameter.
    fn argument(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        formal: &Signature,
        passed: &mut Vec<Place>,
    ) -> Lowered<()> {
        let wanted = formal.shape;
        let place = match self.value(operand) {
            Value::Variable { symbol: symbol @ Symbol::Parameter { shape, role, .. }, .. } => {
                is_of_call(operand, role)?;
                if self.agrees(formal, shape) {
                    let words = places(&symbol);
                    match words.as_slice() {
                        [Place::Word(low), Place::Word(high)] if formal.register => {
                            let d = self.new_long();
                            self.emit(Op::Join { d, low: *low, high: *high });
                            passed.push(Place::Long(d));
                        }
                        words => passed.extend(words),
                    }
                }
                return Ok(());
            }
            Value::Register { scalar: Scalar::Pred, .. } if wanted.scalar == Scalar::Pred => {
                let condition = self.condition(instruction, operand)?;
                let copy = self.new_predicate();
                self.emit(Op::MovePredicate { d: copy, a: condition });
                Place::Predicate(copy)
            }
            Value::Register { scalar, place } => {
                if !self.agrees(formal, register_shape(scalar)) {
                    return Ok(());
                }
                place
            }
            Value::Literal(constant) => match super::operands::literal(constant, wanted.scalar) {
                Some(bits) if !wanted.array => self.constant_place(Constant::Bits(bits), wanted.scalar),
                _ => {
                    let name = &formal.name;
                    let text = format!("Type of argument does not match formal parameter '{name}'");
                    return Err(Stop::Error(text));
                }
            },
            Value::Unknown => return Err(instruction.mismatch()),
            _ => return Err(Stop::Error(format!("Illegal argument for formal parameter '{}'", formal.name))),
        };
        match place {
            Place::Long(a) if !formal.register => {
                let (low, high) = (self.new_word(), self.new_word());
                self.emit(Op::Split { low, high, a });
                passed.extend([Place::Word(low), Place::Word(high)]);
            }
            place => passed.push(place),
        }
        Ok(())
    }

    /// Returns the slots that receive a result, and the steps that assemble its parts afterwards.
    fn result(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        formal: &Signature,
        returned: &mut Vec<Place>,
        after: &mut Vec<Op>,
    ) -> Lowered<()> {
        match (operand, self.value(operand)) {
            (Operand::Sink, _) => {
                let count = if formal.register { 1 } else { formal.shape.size.div_ceil(4) };
                returned.extend((0..count).map(|_| NOWHERE));
                Ok(())
            }
            (_, Value::Variable { symbol: symbol @ Symbol::Parameter { shape, role, .. }, .. }) => {
                is_of_call(operand, role)?;
                if !self.agrees(formal, shape) {
                    return Ok(());
                }
                let words = places(&symbol);
                match words.as_slice() {
                    [Place::Word(low), Place::Word(high)] if formal.register => {
                        let a = self.new_long();
                        returned.push(Place::Long(a));
                        after.push(Op::Split { low: *low, high: *high, a });
                    }
                    words => returned.extend(words),
                }
                Ok(())
            }
            (_, Value::Register { scalar, place }) => {
                if !self.agrees(formal, register_shape(scalar)) {
                    return Ok(());
                }
                match place {
                    Place::Long(d) if !formal.register => {
                        let (low, high) = (self.new_word(), self.new_word());
                        returned.extend([Place::Word(low), Place::Word(high)]);
                        after.push(Op::Join { d, low, high });
                    }
                    place => returned.push(place),
                }
                Ok(())
            }
            (_, Value::Unknown) => Err(instruction.mismatch()),
            _ => Err(Stop::Error(format!("Illegal argument for formal parameter '{}'", formal.name))),
        }
    }

    /// Lowers `__assertfail(message, file, line, function, size)` to a fault with a text.
    fn assertion(&mut self, parts: [Place; 7]) -> Lowered<()> {
        let word = |place| match place {
            Place::Word(slot) => slot,
            Place::Long(_) | Place::Predicate(_) => NONE,
        };
        let [m0, m1, f0, f1, line, n0, n1] = parts.map(word);
        if [m0, m1, f0, f1, line, n0, n1].contains(&NONE) {
            return Err(Stop::Unsupported("these parameters"));
        }
        let (message, file, function) = (self.new_long(), self.new_long(), self.new_long());
        self.emit(Op::Join { d: message, low: m0, high: m1 });
        self.emit(Op::Join { d: file, low: f0, high: f1 });
        self.emit(Op::Join { d: function, low: n0, high: n1 });
        self.emit(Op::Assert { message, file, line, function });
        Ok(())
    }
}

/// Refuses a parameter of the function itself as an argument or a result of a call.
fn is_of_call(operand: &Operand<'_>, role: Role) -> Lowered<()> {
    match operand {
        Operand::Name { name, .. } if role != Role::Call => Err(Stop::Error(format!(
            "Formal parameter '{name}' declared in .param space cannot be used as argument to call"
        ))),
        _ => Ok(()),
    }
}

/// Returns the shape of a register, for comparison with a formal parameter.
fn register_shape(scalar: Scalar) -> Shape {
    Shape { scalar, size: scalar.bytes(), align: scalar.bytes(), array: false }
}
