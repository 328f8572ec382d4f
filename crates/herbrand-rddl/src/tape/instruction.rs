//! The instructions of a tape.

use super::term::{Absent, Binary, Kind, Nary, Unary, VectorOp};
use crate::draw::{Choice, Family};

/// A register of one kind, by its place.
pub(super) type Register = u32;

/// Operands that follow each other in the tape's list of operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operands {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// One instruction. The first register is the one that is written; its kind and those of the others follow from the
/// instruction. Common operations are instructions of their own; the others name a function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Instruction {
    Fail(Absent),
    Jump(u32),
    JumpUnless(Register, u32),
    CopyBool(Register, Register),
    CopyInt(Register, Register),
    CopyReal(Register, Register),
    SelectBool(Register, Register, Register, Register),
    SelectInt(Register, Register, Register, Register),
    SelectReal(Register, Register, Register, Register),
    GatherBool(Register, Register, Operands),
    GatherInt(Register, Register, Operands),
    GatherReal(Register, Register, Operands),
    Not(Register, Register),
    And(Register, Register, Register),
    Or(Register, Register, Register),
    Same(Register, Register, Register),
    All(Register, Operands),
    Any(Register, Operands),
    Count(Register, Operands),
    SumInt(Register, Operands),
    SumReal(Register, Operands),
    /// The sum, from the left, of products of two: the operands are their factors.
    SumProducts(Register, Operands),
    ProductReal(Register, Operands),
    Place(Register, Nary, Operands),
    BoolToInt(Register, Register),
    BoolToReal(Register, Register),
    IntToReal(Register, Register),
    IntFunction(Unary, Register, Register),
    Rounding(Unary, Register, Register),
    RealFunction(Unary, Register, Register),
    AddInt(Register, Register, Register),
    SubInt(Register, Register, Register),
    IntOperation(Binary, Register, Register, Register),
    AddReal(Register, Register, Register),
    SubReal(Register, Register, Register),
    MulReal(Register, Register, Register),
    DivReal(Register, Register, Register),
    MinReal(Register, Register, Register),
    MaxReal(Register, Register, Register),
    RealOperation(Binary, Register, Register, Register),
    EqInt(Register, Register, Register),
    LtInt(Register, Register, Register),
    LeInt(Register, Register, Register),
    EqReal(Register, Register, Register),
    LtReal(Register, Register, Register),
    LeReal(Register, Register, Register),
    Bernoulli(Register, Register, u32),
    DrawReal(Family, Register, Register, Register, u32),
    DrawInt(Family, Register, Register, Register, u32),
    Choose(Choice, Register, Operands, u32),
    /// Copies values to consecutive registers.
    PackBools(Register, Operands),
    PackInts(Register, Operands),
    PackReals(Register, Operands),
    /// The values of a template, by number, go to consecutive registers; the operands are the first registers of arrays.
    Template(Register, u32, Operands),
    /// Copies consecutive registers.
    CopyRun(Kind, Register, Register, u32),
    /// The values go to consecutive registers from the first on.
    Vector(VectorOp, u32, Register, Operands, u32),
}
