//! PTX as text: syntax, names of opcodes and modifiers, versions and targets.
