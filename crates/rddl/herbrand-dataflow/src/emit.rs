//! Emits the instructions of a scheduled graph.

use herbrand_limits::{Meter, Spent};

use super::compiled::{Layout, Tape};
use super::graph::Graph;
use super::instruction::{Instruction, Operands, Register};
use super::schedule::{Inlining, Schedule};
use super::term::{BinaryOp, NaryOp, NodeId, Term, UnaryOp, ValueType};

/// Compiles a tape that writes each node of `outputs` to its output register.
///
/// # Errors
/// Fails if the budget of `meter` is spent.
pub(super) fn compile(
    graph: &Graph,
    layout: Layout,
    outputs: &[(NodeId, Register)],
    meter: &mut Meter,
) -> Result<Tape, Spent> {
    meter.charge(size_of_val(outputs) as u64 + layout.bytes());
    let roots: Vec<NodeId> = outputs.iter().map(|&(node, _)| node).collect();
    let schedule = Schedule::of(graph, &roots, Inlining::One, meter)?;
    meter.charge((graph.len() * size_of::<Register>()) as u64);
    meter.check()?;
    let mut emitter = Emitter::new(graph, &schedule, layout, meter);
    emitter.assign_outputs(outputs);
    emitter.branch(0);
    emitter.copy_outputs(outputs);
    emitter.meter.check()?;
    Ok(emitter.finish())
}

/// The bytes charged per instruction: the instruction, its register and its origin, in lists that grow by doubling.
const PER_INSTRUCTION: u64 =
    2 * (size_of::<Instruction>() + size_of::<(u32, NodeId)>() + size_of::<f64>()) as u64;

/// The bytes charged per constant: its hash table entry and its register, both in storage that grows by doubling.
const PER_CONSTANT: u64 = 4 * size_of::<((ValueType, u64), Register, f64)>() as u64;

struct Emitter<'a> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    /// Once its budget is spent, emission stops and the unfinished tape is discarded.
    meter: &'a mut Meter,
    tape: Tape,
    /// By node: the register of its kind that holds its value.
    registers: Vec<Register>,
}

const NONE: Register = u32::MAX;

impl<'a> Emitter<'a> {
    fn new(graph: &'a Graph, schedule: &'a Schedule, layout: Layout, meter: &'a mut Meter) -> Self {
        let registers = vec![NONE; graph.len()];
        Self {
            graph,
            schedule,
            meter,
            tape: Tape::new(layout),
            registers,
        }
    }

    /// Computes the value of each output directly in its first output register.
    fn assign_outputs(&mut self, outputs: &[(NodeId, Register)]) {
        for &(node, register) in outputs {
            let slot = &mut self.registers[node.id as usize];
            if *slot == NONE && !self.graph.term(node).is_given() {
                *slot = register;
            }
        }
    }

    fn copy_outputs(&mut self, outputs: &[(NodeId, Register)]) {
        for &(node, to) in outputs {
            let from = self.register(node);
            if from == to {
                continue;
            }
            match self.len(node) as u32 {
                1 => self.copy(node.kind, to, from),
                len => {
                    self.push(Instruction::CopyRun(node.kind, to, from, len));
                }
            }
        }
    }

    /// Returns the number of registers of a node. An array has consecutive registers.
    fn len(&self, node: NodeId) -> usize {
        match self.graph.term(node) {
            Term::Pack(list) => list.len(),
            Term::Template(number, _) => self.graph.template(*number).len() as usize,
            _ => 1,
        }
    }

    fn copy(&mut self, kind: ValueType, to: Register, from: Register) {
        self.push(match kind {
            ValueType::Bool => Instruction::CopyBool(to, from),
            ValueType::Int => Instruction::CopyInt(to, from),
            ValueType::Real => Instruction::CopyReal(to, from),
        });
    }

    fn push(&mut self, instruction: Instruction) -> usize {
        self.meter.charge(PER_INSTRUCTION);
        self.tape.instructions.push(instruction);
        self.tape.instructions.len() - 1
    }

    fn here(&self) -> u32 {
        self.tape.instructions.len() as u32
    }

    /// Returns the register of a node. Assigns the registers of constants and inputs on first use.
    fn register(&mut self, node: NodeId) -> Register {
        let known = self.registers[node.id as usize];
        if known != NONE {
            return known;
        }
        if matches!(
            self.graph.term(node),
            Term::Bool(_) | Term::Int(_) | Term::Real(_)
        ) {
            self.meter.charge(PER_CONSTANT);
        }
        let register = match *self.graph.term(node) {
            Term::Input(register) => register,
            Term::Bool(value) => self.tape.constant_bool(value),
            Term::Int(value) => self.tape.constant_int(value),
            Term::Real(bits) => self.tape.constant_real(f64::from_bits(bits)),
            Term::Component(whole, place) => self.register(whole) + place,
            Term::Vector(op, n, ..) => self.tape.temporaries(ValueType::Real, op.outputs(n as usize)),
            Term::Table(number) => self.tape.constants_of(self.graph.table_of(number)),
            Term::Pack(_) | Term::Template(..) => self.tape.temporaries(node.kind, self.len(node)),
            _ => self.tape.temporaries(node.kind, 1),
        };
        self.registers[node.id as usize] = register;
        register
    }

    fn operands(&mut self, list: &[NodeId]) -> Operands {
        let start = self.tape.operands.len() as u32;
        self.meter.charge(2 * size_of_val(list) as u64);
        for &node in list {
            let register = self.register(node);
            self.tape.operands.push(register);
        }
        Operands {
            start,
            len: list.len() as u32,
        }
    }

    /// Returns the registers of constants, which are given as bits.
    fn constants(&mut self, kind: ValueType, values: &[u64]) -> Operands {
        let start = self.tape.operands.len() as u32;
        self.meter.charge(values.len() as u64 * PER_CONSTANT);
        for &bits in values {
            let register = match kind {
                ValueType::Bool => self.tape.constant_bool(bits != 0),
                ValueType::Int => self.tape.constant_int(bits.cast_signed()),
                ValueType::Real => self.tape.constant_real(f64::from_bits(bits)),
            };
            self.tape.operands.push(register);
        }
        let len = values.len() as u32;
        Operands { start, len }
    }

    /// Returns the factors of a sum's terms, two per term. A term that is not a product is multiplied by 1.
    fn products(&mut self, terms: &[NodeId]) -> Operands {
        let start = self.tape.operands.len() as u32;
        self.meter.charge(2 * size_of_val(terms) as u64);
        let one = self.tape.constant_real(1.0);
        for &term in terms {
            let factors = match *self.graph.term(term) {
                Term::Binary(BinaryOp::MulReal, a, b) if self.schedule.is_fused(term) => {
                    [self.register(a), self.register(b)]
                }
                _ => [self.register(term), one],
            };
            self.tape.operands.extend(factors);
        }
        Operands {
            start,
            len: 2 * terms.len() as u32,
        }
    }

    fn branch(&mut self, branch: u32) {
        let schedule = self.schedule;
        for &node in schedule.nodes(branch) {
            if self.meter.is_spent() {
                return;
            }
            let arms = match self.graph.term(node) {
                Term::If(..) => schedule.arms(branch, node),
                _ => None,
            };
            match arms {
                Some(arms) => self.jumping(node, arms),
                None => self.plain(node),
            }
        }
    }

    /// ```text
    ///        jump unless c ──┐
    ///        then …          │
    ///   ┌─── jump            │
    ///   │    otherwise … ◀───┘
    ///   └──▶
    /// ```
    fn jumping(&mut self, node: NodeId, (then_branch, otherwise_branch): (u32, u32)) {
        let &Term::If(condition, then, otherwise) = self.graph.term(node) else {
            return;
        };
        let condition = self.register(condition);
        let to = self.register(node);
        let skip = self.push(Instruction::JumpUnless(condition, 0));
        self.arm(node.kind, to, then_branch, then);
        let end = self.push(Instruction::Jump(0));
        self.tape.instructions[skip] = Instruction::JumpUnless(condition, self.here());
        self.arm(node.kind, to, otherwise_branch, otherwise);
        self.tape.instructions[end] = Instruction::Jump(self.here());
    }

    /// Emits one side of an `if`. A value used only by this side is computed directly in the register of the result.
    fn arm(&mut self, kind: ValueType, to: Register, branch: u32, value: NodeId) {
        let own = self.schedule.nodes(branch).last() == Some(&value)
            && self.schedule.has_one_home(value)
            && !self.graph.term(value).is_given()
            && !matches!(
                self.graph.term(value),
                Term::Vector(..) | Term::Pack(_) | Term::Template(..)
            );
        if own && self.registers[value.id as usize] == NONE {
            self.registers[value.id as usize] = to;
        }
        self.branch(branch);
        let from = self.register(value);
        if from != to {
            self.copy(kind, to, from);
        }
    }

    fn plain(&mut self, node: NodeId) {
        let graph = self.graph;
        let term = graph.term(node);
        if term.is_given() || self.schedule.is_fused(node) {
            return;
        }
        let to = self.register(node);
        let instruction = match term {
            Term::Fail(why) => Instruction::Fail(*why),
            Term::Unary(op, a) => unary(*op, to, self.register(*a)),
            Term::Binary(op, a, b) => binary(*op, to, self.register(*a), self.register(*b)),
            Term::Nary(NaryOp::SumReal, list) if list.iter().any(|&one| self.schedule.is_fused(one)) => {
                Instruction::SumProducts(to, self.products(list))
            }
            Term::Nary(op, list) => nary(*op, to, self.operands(list)),
            Term::If(c, a, b) => {
                let [c, a, b] = [*c, *a, *b].map(|node| self.register(node));
                match node.kind {
                    ValueType::Bool => Instruction::SelectBool(to, c, a, b),
                    ValueType::Int => Instruction::SelectInt(to, c, a, b),
                    ValueType::Real => Instruction::SelectReal(to, c, a, b),
                }
            }
            Term::Gather(index, list) => {
                let (index, list) = (self.register(*index), self.operands(list));
                gather(node.kind, to, index, list)
            }
            Term::ByCount(count, values) => {
                let (count, values) = (self.register(*count), self.constants(node.kind, values));
                gather(node.kind, to, count, values)
            }
            Term::Bernoulli(p, site) => Instruction::Bernoulli(to, self.register(*p), *site),
            Term::Draw(family, a, b, site) => {
                let (a, b) = (self.register(*a), self.register(*b));
                match node.kind {
                    ValueType::Int => Instruction::DrawInt(*family, to, a, b, *site),
                    _ => Instruction::DrawReal(*family, to, a, b, *site),
                }
            }
            Term::Pack(list) => match node.kind {
                ValueType::Bool => Instruction::PackBools(to, self.operands(list)),
                ValueType::Int => Instruction::PackInts(to, self.operands(list)),
                ValueType::Real => Instruction::PackReals(to, self.operands(list)),
            },
            Term::Template(number, list) => {
                let list = self.operands(list);
                let own = self.tape.template(self.graph.template(*number));
                Instruction::Template(to, own, list)
            }
            Term::Choose(choice, list, site) => Instruction::Choose(*choice, to, self.operands(list), *site),
            Term::Vector(op, n, list, site) => Instruction::Vector(*op, *n, to, self.operands(list), *site),
            _ => return,
        };
        self.push(instruction);
        self.tape.origins.push((self.here() - 1, node));
    }

    fn finish(self) -> Tape {
        let mut tape = self.tape;
        tape.keep_fallible_origins();
        tape
    }
}

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

pub(super) const fn gather(kind: ValueType, to: Register, index: Register, list: Operands) -> Instruction {
    match kind {
        ValueType::Bool => Instruction::GatherBool(to, index, list),
        ValueType::Int => Instruction::GatherInt(to, index, list),
        ValueType::Real => Instruction::GatherReal(to, index, list),
    }
}
