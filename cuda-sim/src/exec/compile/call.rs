//! Calls of functions.

use crate::ptx::ast::Operand;
use crate::ptx::modifier::{Flag, Flags};
use crate::ptx::types::Scalar;

use super::super::op::{CallSite, NONE, Op, Place, Transfer};
use super::instruction::Instruction;
use super::lowerer::{Lowered, Lowerer, NOWHERE, Stop, places};
use super::operands::{Fit, Value, fits};
use super::scope::Symbol;
use super::unit::Signature;

/// Functions that the driver itself defines.
pub(super) const SYSTEM_FUNCTIONS: [&str; 5] =
    ["vprintf", "malloc", "free", "__assertfail", "__nv_cuda_noop"];

/// Whether a function without a body is the driver's business.
pub(super) fn is_system_function(name: &str) -> bool {
    SYSTEM_FUNCTIONS.contains(&name)
        || name.starts_with("cudaGraph")
        || name.starts_with("__cudaCDP2")
        || name.starts_with("cudaDevice")
        || name.starts_with("cudaGet")
        || name.starts_with("cudaLaunch")
        || name.starts_with("cudaStream")
        || name.starts_with("cudaEvent")
        || name.starts_with("cudaMem")
        || name.starts_with("__cuda_syscall")
}

impl<'s> Lowerer<'_, 's> {
    pub(super) fn call(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        instruction.no_rounding()?;
        instruction.plain()?;
        instruction.only(Flags::of(&[Flag::Uni]))?;
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
        let index = match self.value(callee) {
            Value::Function(index) => index,
            Value::Register { .. } => return Err(Stop::Unsupported("a function pointer")),
            Value::Unknown => {
                return Err(Stop::Error(format!("Call to '{name}' requires call prototype")));
            }
            _ => return Err(Stop::Error("Illegal call target, device function expected".into())),
        };
        let Some(prototype) = self.unit.prototypes.get(index).cloned() else {
            return Err(instruction.mismatch());
        };
        if prototype.entry {
            return Err(Stop::Error("Illegal call target, device function expected".into()));
        }
        if prototype.params.len() != arguments.len() || prototype.returns.len() != results.len() {
            return Err(Stop::Error("Call has wrong number of parameters".into()));
        }
        let mut passed = Vec::new();
        for (argument, formal) in arguments.iter().zip(&prototype.params) {
            self.argument(instruction, argument, formal, &mut passed)?;
        }
        let mut returned = Vec::new();
        let mut joins = Vec::new();
        for (result, formal) in results.iter().zip(&prototype.returns) {
            self.result(instruction, result, formal, &mut returned, &mut joins)?;
        }
        if !prototype.defined && is_system_function(name) && *name != "__assertfail" {
            return Err(Stop::Unsupported("this function of the driver"));
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
        for (d, low, high) in joins {
            self.emit(Op::Join { d, low, high });
        }
        Ok(())
    }

    fn mismatched(formal: &Signature) -> Stop {
        Stop::Error(format!("Type of argument does not match formal parameter '{}'", formal.name))
    }

    /// The slots that an argument is taken from, in the shape of the formal parameter.
    fn argument(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        formal: &Signature,
        passed: &mut Vec<Place>,
    ) -> Lowered<()> {
        if let Value::Variable { symbol: symbol @ Symbol::Parameter { size, .. }, .. } = self.value(operand) {
            if size != formal.size {
                return Err(Self::mismatched(formal));
            }
            if formal.register {
                return Err(Stop::Unsupported("a variable for a register parameter"));
            }
            passed.extend(places(&symbol));
            return Ok(());
        }
        if formal.array {
            return Err(Self::mismatched(formal));
        }
        if formal.scalar == Scalar::Pred {
            let condition = self.condition(instruction, operand)?;
            let copy = self.new_predicate();
            self.emit(Op::MovePredicate { d: copy, a: condition });
            passed.push(Place::Predicate(copy));
            return Ok(());
        }
        let place = match self.source_place(instruction, operand, formal.scalar, Fit::Exact) {
            Ok(place) => place,
            Err(Stop::Error(_)) => return Err(Self::mismatched(formal)),
            Err(stop) => return Err(stop),
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

    /// The slots that a result goes to, and what must be joined afterwards.
    fn result(
        &mut self,
        instruction: &Instruction<'_, 's>,
        operand: &Operand<'s>,
        formal: &Signature,
        returned: &mut Vec<Place>,
        joins: &mut Vec<(u32, u32, u32)>,
    ) -> Lowered<()> {
        match (operand, self.value(operand)) {
            (Operand::Sink, _) => {
                let count = if formal.register { 1 } else { formal.size.div_ceil(4) };
                returned.extend((0..count).map(|_| NOWHERE));
                Ok(())
            }
            (_, Value::Variable { symbol: symbol @ Symbol::Parameter { size, .. }, .. }) => {
                if size != formal.size {
                    return Err(Self::mismatched(formal));
                }
                if formal.register {
                    return Err(Stop::Unsupported("a variable for a register parameter"));
                }
                returned.extend(places(&symbol));
                Ok(())
            }
            (_, Value::Register { scalar, place })
                if fits(formal.scalar, scalar, Fit::Exact) && !formal.array =>
            {
                match place {
                    Place::Long(d) if !formal.register => {
                        let (low, high) = (self.new_word(), self.new_word());
                        returned.extend([Place::Word(low), Place::Word(high)]);
                        joins.push((d, low, high));
                    }
                    place => returned.push(place),
                }
                Ok(())
            }
            (_, Value::Register { .. } | Value::Literal(_)) => Err(Self::mismatched(formal)),
            _ => Err(instruction.mismatch()),
        }
    }

    /// `__assertfail(message, file, line, function, size)`: a fault with a text.
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
