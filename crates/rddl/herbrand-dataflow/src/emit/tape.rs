//! Emits a tape from a scheduled graph.

use herbrand_limits::{BudgetExhausted, Meter};

use super::super::compiled::Tape;
use super::super::graph::Graph;
use super::super::instruction::{Instruction, Operands, Register, binary, gather, nary, unary};
use super::super::layout::Layout;
use super::super::operation::{BinaryOp, NaryOp, NodeId, Operation, ValueType};
use super::super::schedule::{Inlining, Schedule};

impl Tape {
    /// Compiles a tape that writes the value of each node of `outputs` to the register paired with it.
    ///
    /// `layout` counts the registers of inputs and outputs together. An output's register must be within it; it is a
    /// register of the node's kind. Each output needs a register of its own, which must not be an input register; an
    /// array fills consecutive registers, from the paired one on. None of this is checked: the compilation or a run may
    /// panic, or values may be meaningless.
    ///
    /// Charges the memory of the compilation to `meter`. Afterwards only the memory of the tape remains charged. Then
    /// get [`registers`](Self::registers), set the inputs, and call [`run`](Self::run).
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub fn compile(
        graph: &Graph,
        layout: Layout,
        outputs: &[(NodeId, u32)],
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let held = meter.held();
        let tape = emit(graph, layout, outputs, meter)?.finished();
        meter.hold(held + tape.bytes());
        meter.check()?;
        Ok(tape)
    }
}

/// Emits a tape that writes each node of `outputs` to its output register.
fn emit(
    graph: &Graph,
    layout: Layout,
    outputs: &[(NodeId, Register)],
    meter: &mut Meter,
) -> Result<Tape, BudgetExhausted> {
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
    Ok(emitter.tape)
}

/// The bytes charged per instruction: the instruction, its register and its origin, in lists that grow by doubling.
const PER_INSTRUCTION: u64 =
    2 * (size_of::<Instruction>() + size_of::<(u32, NodeId)>() + size_of::<f64>()) as u64;

/// The bytes charged per constant: its hash table entry and its register, both in storage that grows by doubling.
const PER_CONSTANT: u64 = 4 * size_of::<((ValueType, u64), Register, f64)>() as u64;

struct Emitter<'a> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    /// Once its budget is exhausted, emission stops and the unfinished tape is discarded.
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
            if *slot == NONE && !self.graph.operation(node).is_given() {
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
        match self.graph.operation(node) {
            Operation::Pack(list) => list.len(),
            Operation::Template(number, _) => self.graph.template(*number).len() as usize,
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
            self.graph.operation(node),
            Operation::Bool(_) | Operation::Int(_) | Operation::Real(_)
        ) {
            self.meter.charge(PER_CONSTANT);
        }
        let register = match *self.graph.operation(node) {
            Operation::Input(register) => register,
            Operation::Bool(value) => self.tape.constant_bool(value),
            Operation::Int(value) => self.tape.constant_int(value),
            Operation::Real(bits) => self.tape.constant_real(f64::from_bits(bits)),
            Operation::Component(whole, place) => self.register(whole) + place,
            Operation::Vector(op, n, ..) => self.tape.temporaries(ValueType::Real, op.outputs(n as usize)),
            Operation::Table(number) => self.tape.constants_of(self.graph.table_of(number)),
            Operation::Pack(_) | Operation::Template(..) => self.tape.temporaries(node.kind, self.len(node)),
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
            let factors = match *self.graph.operation(term) {
                Operation::Binary(BinaryOp::MulReal, a, b) if self.schedule.is_fused(term) => {
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
            let arms = match self.graph.operation(node) {
                Operation::If(..) => schedule.arms(branch, node),
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
        let &Operation::If(condition, then, otherwise) = self.graph.operation(node) else {
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
            && !self.graph.operation(value).is_given()
            && !matches!(
                self.graph.operation(value),
                Operation::Vector(..) | Operation::Pack(_) | Operation::Template(..)
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
        let term = graph.operation(node);
        if term.is_given() || self.schedule.is_fused(node) {
            return;
        }
        let to = self.register(node);
        let instruction = match term {
            Operation::Fail(why) => Instruction::Fail(*why),
            Operation::Unary(op, a) => unary(*op, to, self.register(*a)),
            Operation::Binary(op, a, b) => binary(*op, to, self.register(*a), self.register(*b)),
            Operation::Nary(NaryOp::SumReal, list) if list.iter().any(|&one| self.schedule.is_fused(one)) => {
                Instruction::SumProducts(to, self.products(list))
            }
            Operation::Nary(op, list) => nary(*op, to, self.operands(list)),
            Operation::If(c, a, b) => {
                let [c, a, b] = [*c, *a, *b].map(|node| self.register(node));
                match node.kind {
                    ValueType::Bool => Instruction::SelectBool(to, c, a, b),
                    ValueType::Int => Instruction::SelectInt(to, c, a, b),
                    ValueType::Real => Instruction::SelectReal(to, c, a, b),
                }
            }
            Operation::Gather(index, list) => {
                let (index, list) = (self.register(*index), self.operands(list));
                gather(node.kind, to, index, list)
            }
            Operation::ByCount(count, values) => {
                let (count, values) = (self.register(*count), self.constants(node.kind, values));
                gather(node.kind, to, count, values)
            }
            Operation::Bernoulli(p, site) => Instruction::Bernoulli(to, self.register(*p), *site),
            Operation::Draw(family, a, b, site) => {
                let (a, b) = (self.register(*a), self.register(*b));
                match node.kind {
                    ValueType::Int => Instruction::DrawInt(*family, to, a, b, *site),
                    _ => Instruction::DrawReal(*family, to, a, b, *site),
                }
            }
            Operation::Pack(list) => match node.kind {
                ValueType::Bool => Instruction::PackBools(to, self.operands(list)),
                ValueType::Int => Instruction::PackInts(to, self.operands(list)),
                ValueType::Real => Instruction::PackReals(to, self.operands(list)),
            },
            Operation::Template(number, list) => {
                let list = self.operands(list);
                let own = self.tape.template(self.graph.template(*number));
                Instruction::Template(to, own, list)
            }
            Operation::Choose(choice, list, site) => {
                Instruction::Choose(*choice, to, self.operands(list), *site)
            }
            Operation::Vector(op, n, list, site) => {
                Instruction::Vector(*op, *n, to, self.operands(list), *site)
            }
            _ => return,
        };
        self.push(instruction);
        self.tape.origins.push((self.here() - 1, node));
    }
}
