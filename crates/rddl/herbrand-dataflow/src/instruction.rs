//! The instructions of a tape.

use herbrand_distributions::{Family, WeightKind};

use crate::operation::{Absent, BinaryOp, NaryOp, UnaryOp, ValueType, VectorOp};

/// The index of a register among those of its kind.
pub(super) type Register = u32;

/// In a program over lanes: the missing second factor of a term that is not a product.
pub(super) const NO_REGISTER: Register = Register::MAX;

/// A range of the tape's operand list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Operands {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Operands {
    /// Returns the registers of the range.
    pub(super) fn of_mut(self, operands: &mut [Register]) -> &mut [Register] {
        &mut operands[self.start as usize..][..self.len as usize]
    }
}

/// One instruction. Its first register is the destination. The variant fixes the kind of every register.
///
/// Common operations have their own variants. The others take the operation as a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// The sum, from left to right, of products of two factors. The operands are the factors in pairs.
    SumProducts(Register, Operands),
    ProductReal(Register, Operands),
    Place(Register, NaryOp, Operands),
    BoolToInt(Register, Register),
    BoolToReal(Register, Register),
    IntToReal(Register, Register),
    IntFunction(UnaryOp, Register, Register),
    Rounding(UnaryOp, Register, Register),
    RealFunction(UnaryOp, Register, Register),
    AddInt(Register, Register, Register),
    SubInt(Register, Register, Register),
    IntOperation(BinaryOp, Register, Register, Register),
    AddReal(Register, Register, Register),
    SubReal(Register, Register, Register),
    MulReal(Register, Register, Register),
    DivReal(Register, Register, Register),
    MinReal(Register, Register, Register),
    MaxReal(Register, Register, Register),
    RealOperation(BinaryOp, Register, Register, Register),
    EqInt(Register, Register, Register),
    LtInt(Register, Register, Register),
    LeInt(Register, Register, Register),
    EqReal(Register, Register, Register),
    LtReal(Register, Register, Register),
    LeReal(Register, Register, Register),
    Bernoulli(Register, Register, u32),
    DrawReal(Family, Register, Register, Register, u32),
    DrawInt(Family, Register, Register, Register, u32),
    Choose(WeightKind, Register, Operands, u32),
    /// Copies registers to consecutive registers.
    PackBools(Register, Operands),
    PackInts(Register, Operands),
    PackReals(Register, Operands),
    /// Writes the values of a template, by its number, to consecutive registers. The operands are the first registers of
    /// arrays.
    Template(Register, u32, Operands),
    /// Copies consecutive registers.
    CopyRun(ValueType, Register, Register, u32),
    /// Writes the results to consecutive registers, from the destination on.
    Vector(VectorOp, u32, Register, Operands, u32),
}

/// How an instruction accesses a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Read,
    Write,
}

impl Instruction {
    /// Calls `visit` with each register of an instruction over lanes: first the registers that are read, then the
    /// destination. `visit` may replace them. `operands` is the operand list of the program. Only the first result of a
    /// vector operation is visited.
    #[rustfmt::skip]
    pub(super) fn registers(&mut self, operands: &mut [Register], mut visit: impl FnMut(ValueType, &mut Register, Use)) {
        use ValueType::{Bool, Int, Real};
        macro_rules! uses {
            ($to_kind:ident $to:ident <- $($kind:ident $from:ident),*) => {{
                $(visit($kind, $from, Use::Read);)*
                visit($to_kind, $to, Use::Write);
            }};
            ($to_kind:ident $to:ident <- $($other:ident $from:ident),*; all $kind:ident $list:ident) => {{
                $(visit($other, $from, Use::Read);)*
                for register in $list.of_mut(operands).iter_mut().filter(|register| **register != NO_REGISTER) {
                    visit($kind, register, Use::Read);
                }
                visit($to_kind, $to, Use::Write);
            }};
        }
        match self {
            Self::JumpUnless(c, _) => visit(Bool, c, Use::Read),
            Self::SelectBool(to, c, a, b) => uses!(Bool to <- Bool c, Bool a, Bool b),
            Self::SelectInt(to, c, a, b) => uses!(Int to <- Bool c, Int a, Int b),
            Self::SelectReal(to, c, a, b) => uses!(Real to <- Bool c, Real a, Real b),
            Self::GatherBool(to, index, list) => uses!(Bool to <- Int index; all Bool list),
            Self::GatherInt(to, index, list) => uses!(Int to <- Int index; all Int list),
            Self::GatherReal(to, index, list) => uses!(Real to <- Int index; all Real list),
            Self::CopyBool(to, a) | Self::Not(to, a) => uses!(Bool to <- Bool a),
            Self::CopyInt(to, a) | Self::IntFunction(_, to, a) => uses!(Int to <- Int a),
            Self::CopyReal(to, a) | Self::RealFunction(_, to, a) => uses!(Real to <- Real a),
            Self::And(to, a, b) | Self::Or(to, a, b) | Self::Same(to, a, b) => uses!(Bool to <- Bool a, Bool b),
            Self::All(to, list) | Self::Any(to, list) => uses!(Bool to <- ; all Bool list),
            Self::Count(to, list) => uses!(Int to <- ; all Bool list),
            Self::SumInt(to, list) => uses!(Int to <- ; all Int list),
            Self::SumReal(to, list) | Self::SumProducts(to, list) | Self::ProductReal(to, list) => {
                uses!(Real to <- ; all Real list);
            }
            Self::Place(to, _, list) | Self::Choose(_, to, list, _) => uses!(Int to <- ; all Real list),
            Self::BoolToInt(to, a) => uses!(Int to <- Bool a),
            Self::BoolToReal(to, a) => uses!(Real to <- Bool a),
            Self::IntToReal(to, a) => uses!(Real to <- Int a),
            Self::Rounding(_, to, a) => uses!(Int to <- Real a),
            Self::AddInt(to, a, b) | Self::SubInt(to, a, b) | Self::IntOperation(_, to, a, b) => {
                uses!(Int to <- Int a, Int b);
            }
            Self::AddReal(to, a, b) | Self::SubReal(to, a, b) | Self::MulReal(to, a, b) | Self::DivReal(to, a, b)
            | Self::MinReal(to, a, b) | Self::MaxReal(to, a, b) | Self::RealOperation(_, to, a, b)
            | Self::DrawReal(_, to, a, b, _) => uses!(Real to <- Real a, Real b),
            Self::DrawInt(_, to, a, b, _) => uses!(Int to <- Real a, Real b),
            Self::EqInt(to, a, b) | Self::LtInt(to, a, b) | Self::LeInt(to, a, b) => uses!(Bool to <- Int a, Int b),
            Self::EqReal(to, a, b) | Self::LtReal(to, a, b) | Self::LeReal(to, a, b) => {
                uses!(Bool to <- Real a, Real b);
            }
            Self::Bernoulli(to, p, _) => uses!(Bool to <- Real p),
            Self::Vector(_, _, to, list, _) => uses!(Real to <- ; all Real list),
            // No registers, or never part of a program over lanes.
            Self::Fail(_) | Self::Jump(_) | Self::Template(..) | Self::CopyRun(..)
            | Self::PackBools(..) | Self::PackInts(..) | Self::PackReals(..) => {}
        }
    }
}

/// Returns the instruction of a unary operation.
pub(super) fn unary(op: UnaryOp, to: Register, a: Register) -> Instruction {
    match op {
        UnaryOp::Not => Instruction::Not(to, a),
        UnaryOp::BoolToInt => Instruction::BoolToInt(to, a),
        UnaryOp::BoolToReal => Instruction::BoolToReal(to, a),
        UnaryOp::IntToReal => Instruction::IntToReal(to, a),
        UnaryOp::NegInt | UnaryOp::AbsInt | UnaryOp::SignInt => Instruction::IntFunction(op, to, a),
        UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Truncate | UnaryOp::Sign => {
            Instruction::Rounding(op, to, a)
        }
        _ => Instruction::RealFunction(op, to, a),
    }
}

/// Returns the instruction of a binary operation.
pub(super) fn binary(op: BinaryOp, to: Register, a: Register, b: Register) -> Instruction {
    match op {
        BinaryOp::And => Instruction::And(to, a, b),
        BinaryOp::Or => Instruction::Or(to, a, b),
        BinaryOp::Same => Instruction::Same(to, a, b),
        BinaryOp::AddInt => Instruction::AddInt(to, a, b),
        BinaryOp::SubInt => Instruction::SubInt(to, a, b),
        BinaryOp::AddReal => Instruction::AddReal(to, a, b),
        BinaryOp::SubReal => Instruction::SubReal(to, a, b),
        BinaryOp::MulReal => Instruction::MulReal(to, a, b),
        BinaryOp::DivReal => Instruction::DivReal(to, a, b),
        BinaryOp::MinReal => Instruction::MinReal(to, a, b),
        BinaryOp::MaxReal => Instruction::MaxReal(to, a, b),
        BinaryOp::EqInt => Instruction::EqInt(to, a, b),
        BinaryOp::LtInt => Instruction::LtInt(to, a, b),
        BinaryOp::LeInt => Instruction::LeInt(to, a, b),
        BinaryOp::EqReal => Instruction::EqReal(to, a, b),
        BinaryOp::LtReal => Instruction::LtReal(to, a, b),
        BinaryOp::LeReal => Instruction::LeReal(to, a, b),
        BinaryOp::PowReal | BinaryOp::ModReal | BinaryOp::Log | BinaryOp::Hypot => {
            Instruction::RealOperation(op, to, a, b)
        }
        _ => Instruction::IntOperation(op, to, a, b),
    }
}

/// Returns the instruction of an operation on a list.
pub(super) const fn nary(op: NaryOp, to: Register, list: Operands) -> Instruction {
    match op {
        NaryOp::All => Instruction::All(to, list),
        NaryOp::Any => Instruction::Any(to, list),
        NaryOp::Count => Instruction::Count(to, list),
        NaryOp::SumInt => Instruction::SumInt(to, list),
        NaryOp::SumReal => Instruction::SumReal(to, list),
        NaryOp::ProductReal => Instruction::ProductReal(to, list),
        NaryOp::ArgMax | NaryOp::ArgMin => Instruction::Place(to, op, list),
    }
}

/// Returns the instruction that selects an element of a list.
pub(super) const fn gather(kind: ValueType, to: Register, index: Register, list: Operands) -> Instruction {
    match kind {
        ValueType::Bool => Instruction::GatherBool(to, index, list),
        ValueType::Int => Instruction::GatherInt(to, index, list),
        ValueType::Real => Instruction::GatherReal(to, index, list),
    }
}

/// Returns the number of scratch reals of an instruction: for a vector operation its operands and its results, and for a
/// pseudo-inverse 2n² more.
pub(super) fn scratch_of(instruction: &Instruction) -> usize {
    match *instruction {
        Instruction::Vector(op, n, _, list, _) => {
            let n = n as usize;
            let more = if op == VectorOp::PseudoInverse {
                2 * n * n
            } else {
                0
            };
            list.len as usize + op.outputs(n) + more
        }
        Instruction::Choose(_, _, list, _) => list.len as usize,
        _ => 0,
    }
}
