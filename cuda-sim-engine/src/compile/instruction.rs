//! One instruction: sorts its words and dispatches on its opcode.

use cuda_ptx::ast::{self, Operand};
use cuda_ptx::modifier::{Flag, Flags, Modifiers, Rounding};
use cuda_ptx::opcode;
use cuda_ptx::types::Scalar;

use super::availability;
use super::exclusive_modifiers::repetitions;
use super::lowerer::{Lowered, Lowerer, Stop};
use super::operands::{Value, slot};
use crate::op::{Condition, Mode};

/// Words of instruction forms that the engine does not have.
const OTHER_WORDS: [&str; 1] = ["unordered"];

/// Instruction with its modifiers sorted.
#[derive(Debug)]
pub(super) struct Instruction<'a, 's> {
    pub(super) tree: &'a ast::Instruction<'s>,
    /// Name in the messages of ptxas: the opcode and the word that belongs to it (`mul.wide`).
    pub(super) name: String,
    pub(super) words: Modifiers<'s>,
    /// True if subnormal numbers count as zero.
    pub(super) flushes: bool,
}

/// Returns the name of a barrier instruction, such as `bar.cta.arrive`.
fn barrier_name(opcode: &str, words: &Modifiers<'_>) -> String {
    match words.flags.only_one_of(&[Flag::Arrive, Flag::Red]) {
        Some(part) => format!("{opcode}.cta.{}", part.word()),
        None => format!("{opcode}.cta"),
    }
}

/// Returns a name of several words, for instructions that differ by more than a flag.
fn long_name(tree: &ast::Instruction<'_>) -> Option<String> {
    let count = match (tree.opcode, tree.modifiers.as_slice()) {
        ("mbarrier" | "setmaxnreg" | "wgmma" | "tensormap" | "tcgen05", [_, ..]) => 1,
        ("wmma", ["load" | "store", ..]) => 2,
        ("wmma", _) => 1,
        ("clusterlaunchcontrol", [_, "async", ..]) => 2,
        ("cp", ["async", "bulk", "commit_group" | "wait_group" | "prefetch", ..]) => 3,
        ("cp", ["reduce", "async", "bulk", ..] | ["async", "mbarrier", "arrive", ..]) => 3,
        ("cp", ["async", "bulk" | "commit_group" | "wait_group" | "wait_all", ..]) => 2,
        ("cp", ["async", ..]) => 1,
        _ => return None,
    };
    let words = tree.modifiers.get(..count)?;
    Some(format!("{}.{}", tree.opcode, words.join(".")))
}

impl<'a, 's> Instruction<'a, 's> {
    fn new(tree: &'a ast::Instruction<'s>) -> Self {
        let words = Modifiers::new(&tree.modifiers);
        let flushes = words.has(Flag::Ftz);
        let part = match tree.opcode {
            "mul" | "mad" | "mul24" | "mad24" | "madc" => {
                words.flags.only_one_of(&[Flag::Lo, Flag::Hi, Flag::Wide])
            }
            "bar" | "barrier" if words.has(Flag::Cta) => {
                return Self { tree, name: barrier_name(tree.opcode, &words), words, flushes };
            }
            "bar" | "barrier" => words.flags.only_one_of(&[Flag::Arrive, Flag::Red, Flag::Warp]),
            "cvta" => words.flags.only_one_of(&[Flag::To]),
            "shf" => words.flags.only_one_of(&[Flag::Left, Flag::Right]),
            "add" | "sub" => words.flags.only_one_of(&[Flag::Cc]),
            "brx" => words.flags.only_one_of(&[Flag::Idx]),
            "suld" | "sust" | "sured" | "tex" | "txq" => {
                let own =
                    words.unknown.iter().find(|word| matches!(**word, "b" | "p" | "base" | "level" | "grad"));
                let name = own.map_or_else(|| tree.opcode.to_owned(), |own| format!("{}.{own}", tree.opcode));
                return Self { tree, name, words, flushes };
            }
            _ => None,
        };
        if let Some(name) = long_name(tree) {
            return Self { tree, name, words, flushes };
        }
        let name = match part {
            Some(part) => format!("{}.{}", tree.opcode, part.word()),
            None => tree.opcode.to_owned(),
        };
        Self { tree, name, words, flushes }
    }

    /// Returns the same instruction under the name that a part of the messages of ptxas has.
    pub(super) fn renamed(&self, name: String) -> Self {
        Self { name, ..Self::new(self.tree) }
    }

    pub(super) fn mismatch(&self) -> Stop {
        Stop::Error(format!("Arguments mismatch for instruction '{}'", self.name))
    }

    pub(super) fn has(&self, flag: Flag) -> bool {
        self.words.has(flag)
    }

    /// Returns the index of an operand, counted from 0.
    pub(super) fn position(&self, operand: &Operand<'_>) -> usize {
        self.tree.operands.iter().position(|other| std::ptr::eq(other, operand)).unwrap_or(0)
    }

    /// Returns the operands. Their number must be the length of the array.
    pub(super) fn operands<const N: usize>(&self) -> Lowered<&'a [Operand<'s>; N]> {
        self.tree.operands.as_slice().try_into().map_err(|_| self.mismatch())
    }

    /// Returns the value of an operand that must be an integer constant.
    pub(super) fn integer(&self, operand: &Operand<'_>) -> Lowered<i64> {
        match operand {
            Operand::Constant(ast::Constant::Integer { bits, .. }) => Ok(bits.cast_signed()),
            _ => Err(self.mismatch()),
        }
    }

    /// Refuses flags other than `allowed`, and words that no instruction has.
    pub(super) fn only(&self, allowed: Flags) -> Lowered<()> {
        if let Some(word) = self.words.unknown.first() {
            if OTHER_WORDS.contains(word) {
                return Err(Stop::Unsupported(""));
            }
            return Err(Stop::Error(format!("Unknown modifier '.{word}'")));
        }
        match self.words.flags.first_outside(allowed) {
            Some(flag) => Err(self.illegal(flag.word())),
            None => Ok(()),
        }
    }

    pub(super) fn illegal(&self, word: &str) -> Stop {
        Stop::Error(format!("Illegal modifier '.{word}' for instruction '{}'", self.name))
    }

    /// Refuses the part after the colons of a word such as `param::func`.
    pub(super) fn illegal_part(&self, part: &str) -> Stop {
        Stop::Error(format!("Illegal modifier '::{part}' for instruction '{}'", self.name))
    }

    /// Refuses `.v2`, state spaces and comparisons on instructions for which they have no meaning.
    pub(super) fn plain(&self) -> Lowered<()> {
        if self.words.vector.is_some() {
            return Err(Stop::Error(format!("Illegal vector modifier for instruction '{}'", self.name)));
        }
        if self.words.space.is_some() {
            return Err(Stop::Error(format!("State space incorrect for instruction '{}'", self.name)));
        }
        if self.words.compare.is_some() {
            let text = format!("Comparison qualifier is not allowed for instruction '{}'", self.name);
            return Err(Stop::Error(text));
        }
        Ok(())
    }

    pub(super) fn space_mismatch(&self) -> Stop {
        let name = self.tree.opcode;
        Stop::Error(format!("State space mismatch between instruction and address in instruction '{name}'"))
    }

    pub(super) fn repeated_space(&self) -> Stop {
        let name = &self.name;
        Stop::Error(format!("Unexpected number of state spaces specified in instruction '{name}'"))
    }

    pub(super) fn no_special(&self) -> Stop {
        Stop::Error(format!("Special register argument not allowed for instruction '{}'", self.name))
    }

    pub(super) fn no_vector(&self) -> Stop {
        Stop::Error(format!("Vector operand is not allowed for instruction '{}'", self.name))
    }

    /// Returns the state space as written in the instruction.
    pub(super) fn space_text(&self) -> String {
        let spaces = ["const", "global", "local", "param", "shared"];
        let is_space = |word: &&&str| spaces.contains(&word.split("::").next().unwrap_or_default());
        self.tree.modifiers.iter().find(is_space).map_or_else(String::new, |word| format!(".{word}"))
    }

    pub(super) fn bad_types(&self) -> Stop {
        Stop::Error(format!("Unexpected instruction types specified for '{}'", self.name))
    }

    /// Returns the only type, which must be one of `allowed`.
    pub(super) fn one_type(&self, allowed: &[Scalar]) -> Lowered<Scalar> {
        match self.words.types.as_slice() {
            [scalar] if allowed.contains(scalar) => Ok(*scalar),
            _ => Err(self.bad_types()),
        }
    }

    /// Returns the two types.
    pub(super) fn two_types(&self) -> Lowered<(Scalar, Scalar)> {
        match self.words.types.as_slice() {
            [first, second] => Ok((*first, *second)),
            _ => Err(self.bad_types()),
        }
    }

    pub(super) fn no_rounding(&self) -> Lowered<()> {
        match self.words.rounding {
            None => Ok(()),
            Some(_) => Err(self.bad_rounding()),
        }
    }

    pub(super) fn bad_rounding(&self) -> Stop {
        Stop::Error(format!("Illegal rounding modifier for instruction '{}'", self.name))
    }

    pub(super) fn missing_rounding(&self) -> Stop {
        Stop::Error(format!("Rounding modifier required for instruction '{}'", self.name))
    }

    /// Returns the error for an instruction without a rounding mode and without `.approx`.
    pub(super) fn missing_approximation(&self, single: bool) -> Stop {
        if !single {
            return self.missing_rounding();
        }
        let name = &self.name;
        Stop::Error(format!("Rounding modifier or '.approx' modifier required for instruction '{name}'"))
    }

    /// Returns the rounding mode to a floating-point value, which must be one of `allowed`.
    pub(super) fn rounding(&self, allowed: &[Rounding]) -> Lowered<Option<Rounding>> {
        match self.words.rounding {
            Some(rounding) if !allowed.contains(&rounding) => Err(self.bad_rounding()),
            rounding => Ok(rounding),
        }
    }

    /// Returns how the operation treats floating-point operands and results.
    pub(super) fn mode(&self, rounding: Option<Rounding>) -> Mode {
        Mode {
            rounding: rounding.unwrap_or(Rounding::Nearest),
            flush: self.flushes,
            saturate: self.has(Flag::Sat),
            relu: self.has(Flag::Relu),
        }
    }
}

impl<'s> Lowerer<'_, 's> {
    /// Refuses an instruction that the version or the target of the module lacks.
    pub(super) fn requires(&self, what: &str, version: (u32, u32), target: u32) -> Lowered<()> {
        if self.version < version {
            let (major, minor) = version;
            return Err(Stop::Error(format!(
                "Feature '{what}' requires PTX ISA .version {major}.{minor} or later"
            )));
        }
        if self.target < target {
            return Err(Stop::Error(format!("Feature '{what}' requires .target sm_{target} or higher")));
        }
        Ok(())
    }

    /// Lowers one instruction.
    pub(super) fn instruction(&mut self, tree: &ast::Instruction<'s>) -> Lowered<()> {
        let known = opcode::is_known(tree.opcode, &tree.modifiers);
        if !known {
            self.error(format!("Not a name of any known instruction: '{}'", tree.opcode));
        }
        self.guard = Condition::ALWAYS;
        if let Some((guard, negated)) = &tree.guard {
            self.check_names(guard);
            match self.value(guard) {
                Value::Register { scalar: Scalar::Pred, place } => {
                    self.guard = Condition::new(slot(place), *negated);
                }
                Value::Special { scalar: Scalar::Pred, .. } => {
                    let in_clusters = self.in_clusters();
                    self.guard = if *negated { in_clusters.negate() } else { in_clusters };
                }
                _ => self.error("Predicate expression expected"),
            }
        }
        for operand in &tree.operands {
            self.check_names(operand);
        }
        if !known {
            return Ok(());
        }
        let mut instruction = Instruction::new(tree);
        // The first devices (`sm_10` to `sm_13`) had no other types.
        let types = &instruction.words.types;
        instruction.flushes |=
            self.target < 20 && types.contains(&Scalar::F32) && !types.contains(&Scalar::F64);
        let narrow = |scalar: &Scalar| matches!(scalar, Scalar::Narrow | Scalar::Tf32);
        if !matches!(tree.opcode, "cvt" | "mma" | "wmma" | "wgmma" | "multimem")
            && instruction.words.types.iter().any(narrow)
        {
            // Only newer devices have such types in other instructions.
            return Err(if self.target < 100 { instruction.bad_types() } else { Stop::Unsupported("") });
        }
        let repetitions = repetitions(tree);
        if !repetitions.is_empty() {
            for text in repetitions {
                self.error(text);
            }
            return Ok(());
        }
        if instruction.words.repeated_compare {
            return Err(Stop::Error("Multiple comparisons set".into()));
        }
        if instruction.words.repeated_vector {
            return Err(Stop::Error("Multiple vector modifiers specified".into()));
        }
        let part = instruction.name.rsplit_once('.').map(|(_, part)| part);
        if let Some(part) = part
            .filter(|part| *part != "cc" && tree.modifiers.iter().filter(|word| *word == part).count() > 1)
        {
            return Err(Stop::Error(format!("Unknown modifier '.{part}'")));
        }
        if instruction.words.repeated_rounding {
            return Err(Stop::Error("Multiple rounding modifiers specified".into()));
        }
        if instruction.words.repeated_space
            && !matches!(tree.opcode, "cp" | "st" | "red" | "multimem" | "fence" | "tensormap")
        {
            return Err(instruction.repeated_space());
        }
        let (version, target) = (self.version, self.target);
        let complaints = availability::complaints(&self.missing, &instruction, version, target);
        if !complaints.is_empty() {
            complaints.into_iter().for_each(|text| self.error(text));
            return Ok(());
        }
        self.dispatch(&instruction)?;
        // Devices before sm_13 had no double precision. The behaviour of such instructions on them is unknown.
        if self.target < 13 && instruction.words.types.contains(&Scalar::F64) {
            return Err(Stop::Unsupported("double precision"));
        }
        Ok(())
    }

    fn dispatch(&mut self, instruction: &Instruction<'_, 's>) -> Lowered<()> {
        match instruction.tree.opcode {
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "rem" | "min" | "max" | "abs" | "neg" | "sad"
            | "mul24" | "mad24" | "addc" | "subc" | "madc" => self.arithmetic(instruction),
            "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "lop3" => self.logic(instruction),
            "popc" | "clz" | "bfind" | "brev" | "bfe" | "bfi" | "prmt" | "bmsk" | "szext" | "dp4a"
            | "dp2a" => self.bits(instruction),
            "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" | "testp" => {
                self.function_of(instruction)
            }
            "setp" | "set" | "selp" | "slct" => self.compare(instruction),
            "cvt" => self.convert(instruction),
            "mov" | "cvta" | "isspacep" => self.movement(instruction),
            "ld" | "ldu" | "st" | "atom" | "red" | "prefetch" | "prefetchu" | "applypriority" | "discard" => {
                self.memory(instruction)
            }
            "bra" | "brx" | "ret" | "exit" | "trap" | "brkpt" | "nanosleep" | "pmevent" | "membar"
            | "fence" | "griddepcontrol" => self.control(instruction),
            "call" => self.call(instruction),
            "bar" | "barrier" | "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => {
                self.lower_warp_collective(instruction)
            }
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" | "istypep" => self.image(instruction),
            "cp" => self.asynchronous(instruction),
            "mbarrier" => self.mbarrier(instruction),
            "mma" => self.mma(instruction),
            "wmma" => self.wmma(instruction),
            "ldmatrix" | "stmatrix" | "movmatrix" => self.tiles(instruction),
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset" | "vadd2"
            | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4" | "vsub4"
            | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" => self.video(instruction),
            _ => self.system(instruction),
        }
    }
}
