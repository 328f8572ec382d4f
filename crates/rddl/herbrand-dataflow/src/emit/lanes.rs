//! Emits a program over lanes from a scheduled graph.

use fxhash::FxHashMap;
use herbrand_limits::{BudgetExhausted, Meter};

use super::super::graph::Graph;
use super::super::instruction::{
    Instruction, NO_REGISTER as NONE, Operands, Register, binary, gather, nary, unary,
};
use super::super::lanes::{BoolLookup, Caches, Constant, Draft, IndexEncoding, Lanes, Step, Table, Work};
use super::super::layout::Layout;
use super::super::operation::{BinaryOp, NaryOp, NodeId, Operation, ValueType};
use super::super::schedule::{Inlining, Schedule};

/// The bytes charged per step, in a list that grows by doubling.
const PER_STEP: u64 = 2 * size_of::<Step>() as u64;

/// The bytes charged per table, in a map that grows by doubling and in a list.
const PER_TABLE: u64 = 3 * size_of::<(Table, u32)>() as u64;

impl Lanes {
    /// Compiles `values`, which become the results, and `needed`, whose failure makes a run fail. The number of lanes is as
    /// many as `caches` allow.
    ///
    /// The first registers of each kind are the inputs, which the caller fills before a run; `inputs` gives their number.
    /// Neither the nodes nor their operands may be arrays or templates.
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub(crate) fn compile(
        graph: &Graph,
        inputs: Layout,
        [values, needed]: [&[NodeId]; 2],
        caches: Caches,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let held = meter.held();
        let schedule = Schedule::of(graph, &[values, needed].concat(), Inlining::Many, meter)?;
        meter.charge((graph.len() * size_of::<Register>()) as u64);
        meter.check()?;
        let mut emitter = Emitter {
            graph,
            schedule: &schedule,
            meter,
            registers: vec![NONE; graph.len()],
            steps: Vec::new(),
            operands: Vec::new(),
            constants: Vec::new(),
            tables: FxHashMap::default(),
            count: inputs,
        };
        emitter.constants();
        let fixed = emitter.count;
        emitter.branch(0, None);
        let results: Box<[_]> = values
            .iter()
            .map(|&value| (value.kind(), emitter.result(value)))
            .collect();
        emitter.meter.check()?;
        let mut numbered: Vec<_> = emitter.tables.into_iter().collect();
        numbered.sort_unstable_by_key(|&(_, number)| number);
        let draft = Draft {
            steps: emitter.steps,
            operands: emitter.operands,
            constants: emitter.constants,
            tables: numbered.into_iter().map(|(table, _)| table).collect(),
            inputs,
            fixed,
            count: emitter.count,
            results,
        };
        let lanes = draft.finish(caches);
        meter.hold(held + lanes.bytes());
        meter.check()?;
        Ok(lanes)
    }
}

struct Emitter<'a> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    /// Once its budget is exhausted, emission stops and the unfinished program is discarded.
    meter: &'a mut Meter,
    /// By node: the register of its kind that holds its value.
    registers: Vec<Register>,
    steps: Vec<Step>,
    operands: Vec<Register>,
    constants: Vec<Constant>,
    /// Tables and their numbers.
    tables: FxHashMap<Table, u32>,
    count: Layout,
}

impl Emitter<'_> {
    /// Assigns the registers after the inputs to constants, so that all constants precede the computed values.
    fn constants(&mut self) {
        let schedule = self.schedule;
        for node in self.graph.nodes().filter(|&node| schedule.is_used(node)) {
            let bits = match *self.graph.operation(node) {
                Operation::Bool(value) => u64::from(value),
                Operation::Int(value) => value.cast_unsigned(),
                Operation::Real(bits) => bits,
                _ => continue,
            };
            let (kind, register) = (node.kind(), self.count.take(node.kind(), 1));
            self.registers[node.number() as usize] = register;
            self.constants.push(Constant { kind, register, bits });
        }
    }

    /// Returns the register of a node, which is assigned on first use.
    fn register(&mut self, node: NodeId) -> Register {
        let known = self.registers[node.number() as usize];
        if known != NONE {
            return known;
        }
        let register = match *self.graph.operation(node) {
            Operation::Input(register) => register,
            Operation::Component(whole, place) => self.register(whole) + place,
            Operation::Vector(op, n, ..) => self.count.take(ValueType::Real, op.outputs(n as usize) as u32),
            _ => self.count.take(node.kind(), 1),
        };
        self.registers[node.number() as usize] = register;
        register
    }

    /// Returns the register of a result. Inputs are copied, so that they can be overwritten while results are read.
    fn result(&mut self, node: NodeId) -> Register {
        let from = self.register(node);
        if !matches!(self.graph.operation(node), Operation::Input(_)) {
            return from;
        }
        let to = self.count.take(node.kind(), 1);
        self.plain(match node.kind() {
            ValueType::Bool => Instruction::CopyBool(to, from),
            ValueType::Int => Instruction::CopyInt(to, from),
            ValueType::Real => Instruction::CopyReal(to, from),
        });
        to
    }

    fn push(&mut self, work: Work, mask: Option<Register>) -> usize {
        self.meter.charge(PER_STEP);
        self.steps.push(Step { work, mask });
        self.steps.len() - 1
    }

    fn plain(&mut self, instruction: Instruction) -> usize {
        self.push(Work::Plain(instruction), None)
    }

    fn list(&mut self, list: &[NodeId]) -> Operands {
        let registers: Vec<Register> = list.iter().map(|&node| self.register(node)).collect();
        let start = self.operands.len() as u32;
        self.meter.charge(2 * size_of_val(list) as u64);
        self.operands.extend(registers);
        let len = list.len() as u32;
        Operands { start, len }
    }

    /// Returns the number of a table. Equal tables share a number.
    fn table(&mut self, values: &[u64]) -> u32 {
        let mut table = Table::default();
        table[..values.len()].copy_from_slice(values);
        let next = self.tables.len() as u32;
        *self.tables.entry(table).or_insert_with(|| {
            self.meter.charge(PER_TABLE);
            next
        })
    }

    /// Returns the factors of a sum's terms, two per term. A term that is not a product has [`NONE`] as its second factor.
    fn products(&mut self, terms: &[NodeId]) -> Operands {
        let start = self.operands.len() as u32;
        self.meter.charge(2 * size_of_val(terms) as u64);
        for &term in terms {
            let factors = match *self.graph.operation(term) {
                Operation::Binary(BinaryOp::MulReal, a, b) if self.schedule.is_fused(term) => {
                    [self.register(a), self.register(b)]
                }
                _ => [self.register(term), NONE],
            };
            self.operands.extend(factors);
        }
        let len = 2 * terms.len() as u32;
        Operands { start, len }
    }

    /// Emits the nodes of a branch under a mask.
    fn branch(&mut self, branch: u32, mask: Option<Register>) {
        let schedule = self.schedule;
        for &node in schedule.nodes(branch) {
            if self.meter.is_spent() {
                return;
            }
            match schedule.arms(branch, node) {
                Some(arms) => self.choice(node, arms, mask),
                None => self.value(node, mask),
            }
        }
    }

    /// ```text
    ///   mask of then      = mask and c
    ///        jump unless one lane of it ──┐
    ///        then …                       │
    ///   mask of otherwise = mask and not c ◀
    ///        jump unless one lane of it ──┐
    ///        otherwise …                  │
    ///   select ◀──────────────────────────┘
    /// ```
    ///
    /// A side without instructions needs neither a mask nor a jump.
    fn choice(&mut self, node: NodeId, arms: (u32, u32), mask: Option<Register>) {
        let &Operation::If(condition_node, then, otherwise) = self.graph.operation(node) else {
            return;
        };
        let condition = self.register(condition_node);
        if self.computes(arms.0) {
            self.arm(condition, arms.0, mask);
        }
        if self.computes(arms.1) {
            let negated = self.negated(condition);
            self.arm(negated, arms.1, mask);
        }
        self.select(node, [condition_node, then, otherwise]);
    }

    /// Returns whether a branch has instructions.
    fn computes(&self, branch: u32) -> bool {
        let is_ready = |&node: &NodeId| self.graph.operation(node).is_given() || self.schedule.is_fused(node);
        !self.schedule.nodes(branch).iter().all(is_ready)
    }

    fn negated(&mut self, condition: Register) -> Register {
        let negated = self.count.take(ValueType::Bool, 1);
        self.plain(Instruction::Not(negated, condition));
        negated
    }

    /// Emits a selection between two rows. A bool selection with a constant side becomes a conjunction or a disjunction:
    /// lanes in which the other side is not evaluated hold an arbitrary bool, which does not affect the result.
    fn select(&mut self, node: NodeId, operands: [NodeId; 3]) {
        let constant = |node: NodeId| match *self.graph.operation(node) {
            Operation::Bool(value) => Some(value),
            _ => None,
        };
        let constants = (constant(operands[1]), constant(operands[2]));
        let [c, a, b] = operands.map(|operand| self.register(operand));
        let to = self.register(node);
        let instruction = match (node.kind(), constants) {
            (ValueType::Bool, (Some(true), _)) => Instruction::Or(to, c, b),
            (ValueType::Bool, (_, Some(false))) => Instruction::And(to, c, a),
            (ValueType::Bool, (Some(false), _)) => {
                let negated = self.negated(c);
                Instruction::And(to, negated, b)
            }
            (ValueType::Bool, (_, Some(true))) => {
                let negated = self.negated(c);
                Instruction::Or(to, negated, a)
            }
            (ValueType::Bool, _) => Instruction::SelectBool(to, c, a, b),
            (ValueType::Int, _) => Instruction::SelectInt(to, c, a, b),
            (ValueType::Real, _) => Instruction::SelectReal(to, c, a, b),
        };
        self.plain(instruction);
    }

    fn arm(&mut self, condition: Register, branch: u32, mask: Option<Register>) {
        let inner = match mask {
            None => condition,
            Some(mask) => {
                let inner = self.count.take(ValueType::Bool, 1);
                self.plain(Instruction::And(inner, mask, condition));
                inner
            }
        };
        let skip = self.plain(Instruction::JumpUnless(inner, 0));
        self.branch(branch, Some(inner));
        let here = self.steps.len() as u32;
        self.steps[skip].work = Work::Plain(Instruction::JumpUnless(inner, here));
    }

    /// Emits a node without branches. Draws and instructions that can fail apply only to the lanes of the mask.
    fn value(&mut self, node: NodeId, mask: Option<Register>) {
        let graph = self.graph;
        let term = graph.operation(node);
        if term.is_given() || self.schedule.is_fused(node) {
            return;
        }
        let work = match term {
            Operation::If(c, a, b) => return self.select(node, [*c, *a, *b]),
            Operation::ByCount(count, values) => {
                let Operation::Nary(NaryOp::Count, list) = graph.operation(*count) else {
                    return;
                };
                let (bools, table) = (self.list(list), self.table(values));
                let (kind, to) = (node.kind(), self.register(node));
                Work::BoolLookup {
                    kind,
                    to,
                    lookup: BoolLookup {
                        by: IndexEncoding::Count,
                        bools,
                        table,
                    },
                }
            }
            Operation::Lookup(table, index) => {
                let index = self.register(*index);
                Work::Lookup {
                    kind: node.kind(),
                    to: self.register(node),
                    table: *table,
                    index,
                }
            }
            _ => match self.instruction(node, term) {
                Some(instruction) => Work::Plain(instruction),
                None => return,
            },
        };
        self.push(work, mask);
    }

    fn instruction(&mut self, node: NodeId, term: &Operation) -> Option<Instruction> {
        let instruction = match term {
            Operation::Fail(why) => Instruction::Fail(*why),
            Operation::Unary(op, a) => {
                let a = self.register(*a);
                unary(*op, self.register(node), a)
            }
            Operation::Binary(op, a, b) => {
                let (a, b) = (self.register(*a), self.register(*b));
                binary(*op, self.register(node), a, b)
            }
            Operation::Nary(NaryOp::SumReal, list) if list.iter().any(|&one| self.schedule.is_fused(one)) => {
                let products = self.products(list);
                Instruction::SumProducts(self.register(node), products)
            }
            Operation::Nary(op, list) => {
                let list = self.list(list);
                nary(*op, self.register(node), list)
            }
            Operation::Gather(index, list) => {
                let (index, list) = (self.register(*index), self.list(list));
                gather(node.kind(), self.register(node), index, list)
            }
            Operation::Bernoulli(p, site) => {
                let p = self.register(*p);
                Instruction::Bernoulli(self.register(node), p, *site)
            }
            Operation::Draw(family, a, b, site) => {
                let (a, b) = (self.register(*a), self.register(*b));
                let to = self.register(node);
                match node.kind() {
                    ValueType::Int => Instruction::DrawInt(*family, to, a, b, *site),
                    _ => Instruction::DrawReal(*family, to, a, b, *site),
                }
            }
            Operation::Choose(choice, list, site) => {
                let list = self.list(list);
                Instruction::Choose(*choice, self.register(node), list, *site)
            }
            Operation::Vector(op, n, list, site) => {
                let list = self.list(list);
                Instruction::Vector(*op, *n, self.register(node), list, *site)
            }
            _ => return None,
        };
        Some(instruction)
    }
}
