//! Emits a program over lanes from a scheduled graph.

use fxhash::FxHashMap;
use herbrand_limits::{Meter, Spent};

use super::super::compiled::Layout;
use super::super::compiled::scratch_of;
use super::super::emit::{binary, gather, nary, unary};
use super::super::graph::Graph;
use super::super::instruction::{Instruction, NO_REGISTER as NONE, Operands, Register};
use super::super::schedule::{Inlining, Schedule};
use super::super::term::{BinaryOp, NaryOp, NodeId, Term, ValueType};
use super::angle::pair_angles;
use super::chain::chain;
use super::dead::remove_dead;
use super::fuse::fuse;
use super::merge::merge_draws;
use super::order::by_depth;
use super::reuse::reuse;
use super::share::share;
use super::signs::test_signs;
use super::tally::{By, Table, Tally};
use super::truths::look_up_truths;
use super::{Caches, Constant, Lanes, Step, Work};

/// The minimum number of lanes.
const NARROWEST: usize = 32;

/// The bytes charged per step, in a list that grows by doubling.
const PER_STEP: u64 = 2 * size_of::<Step>() as u64;

/// The bytes charged per table, in a map that grows by doubling and in a list.
const PER_TABLE: u64 = 3 * size_of::<(Table, u32)>() as u64;

pub(super) fn compile(
    graph: &Graph,
    inputs: Layout,
    [values, needed]: [&[NodeId]; 2],
    caches: Caches,
    meter: &mut Meter,
) -> Result<Lanes, Spent> {
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
        scratch: 0,
    };
    emitter.constants();
    let fixed = emitter.count;
    emitter.branch(0, None);
    let mut results: Box<[_]> = values
        .iter()
        .map(|&value| (value.kind(), emitter.result(value)))
        .collect();
    emitter.meter.check()?;
    let Emitter {
        mut steps,
        mut operands,
        constants,
        tables,
        count,
        scratch,
        ..
    } = emitter;
    let mut numbered: Vec<_> = tables.into_iter().collect();
    numbered.sort_unstable_by_key(|&(_, number)| number);
    let mut tables: Vec<Table> = numbered.into_iter().map(|(table, _)| table).collect();
    let own = inputs.reals..fixed.reals;
    share(&mut steps, &mut operands, &mut results, count);
    test_signs(&mut steps, &mut operands, &results, &constants, count);
    merge_draws(&mut steps, &mut operands, &results, (&constants, &tables), count);
    look_up_truths(&mut steps, &mut operands, &constants, &mut tables);
    remove_dead(&mut steps, &mut operands, &results, count);
    chain(&mut steps, &mut operands, &results, count.bools);
    pair_angles(&mut steps);
    fuse(&mut steps, &mut operands, &results, count.reals, &own);
    let registers = place(&mut steps, &mut operands, &mut results, fixed, count);
    let lanes = Lanes {
        draws: steps.iter().any(|step| draws(&step.work)),
        steps,
        operands,
        constants,
        tables,
        registers,
        // Constant rows do not count, because loops read only their first lane.
        width: width(registers.bytes() + inputs.bytes() - fixed.bytes(), caches),
        inputs,
        fixed,
        scratch,
        results,
    };
    meter.hold(held + lanes.bytes());
    meter.check()?;
    Ok(lanes)
}

/// Assigns rows to values, in the order of steps that needs less memory: the order of the graph or the order by depth.
/// Returns the number of rows.
fn place(
    steps: &mut Vec<Step>,
    operands: &mut Vec<Register>,
    results: &mut Box<[(ValueType, Register)]>,
    fixed: Layout,
    before: Layout,
) -> Layout {
    let mut ordered = (by_depth(steps, operands), operands.clone(), results.clone());
    let deep = reuse(&mut ordered.0, &mut ordered.1, &mut ordered.2, fixed, before);
    let plain = reuse(steps, operands, results, fixed, before);
    if deep.bytes() < plain.bytes() {
        (*steps, *operands, *results) = ordered;
        return deep;
    }
    plain
}

/// Returns whether an instruction draws random numbers.
pub(super) const fn draws(work: &Work) -> bool {
    use Instruction as I;
    matches!(
        work,
        Work::Either(..)
            | Work::Plain(
                I::Bernoulli(..) | I::DrawReal(..) | I::DrawInt(..) | I::Choose(..) | I::Vector(..)
            )
    )
}

/// Returns the number of lanes, a power of 2, if each takes `bytes`.
fn width(bytes: u64, caches: Caches) -> usize {
    let bytes = (bytes as usize).max(1);
    let fitting = (caches.first / bytes).max(caches.few.min(caches.second / bytes));
    (1_usize << fitting.max(1).ilog2()).clamp(NARROWEST, caches.most.max(NARROWEST))
}

struct Emitter<'a> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    /// Once its budget is spent, emission stops and the unfinished program is discarded.
    meter: &'a mut Meter,
    /// By node: the register of its kind that holds its value.
    registers: Vec<Register>,
    steps: Vec<Step>,
    operands: Vec<Register>,
    constants: Vec<Constant>,
    /// Tables and their numbers.
    tables: FxHashMap<Table, u32>,
    count: Layout,
    scratch: usize,
}

impl Emitter<'_> {
    /// Assigns the registers after the inputs to constants, so that all constants precede the computed values.
    fn constants(&mut self) {
        let schedule = self.schedule;
        for node in self.graph.nodes().filter(|&node| schedule.is_used(node)) {
            let bits = match *self.graph.term(node) {
                Term::Bool(value) => u64::from(value),
                Term::Int(value) => value.cast_unsigned(),
                Term::Real(bits) => bits,
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
        let register = match *self.graph.term(node) {
            Term::Input(register) => register,
            Term::Component(whole, place) => self.register(whole) + place,
            Term::Vector(op, n, ..) => self.count.take(ValueType::Real, op.outputs(n as usize) as u32),
            _ => self.count.take(node.kind(), 1),
        };
        self.registers[node.number() as usize] = register;
        register
    }

    /// Returns the register of a result. Inputs are copied, so that they can be overwritten while results are read.
    fn result(&mut self, node: NodeId) -> Register {
        let from = self.register(node);
        if !matches!(self.graph.term(node), Term::Input(_)) {
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
        if let Work::Plain(instruction) = &work {
            self.scratch = self.scratch.max(scratch_of(instruction));
        }
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
            let factors = match *self.graph.term(term) {
                Term::Binary(BinaryOp::MulReal, a, b) if self.schedule.is_fused(term) => {
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
        let &Term::If(condition_node, then, otherwise) = self.graph.term(node) else {
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
        let is_ready = |&node: &NodeId| self.graph.term(node).is_given() || self.schedule.is_fused(node);
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
        let constant = |node: NodeId| match *self.graph.term(node) {
            Term::Bool(value) => Some(value),
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
        let term = graph.term(node);
        if term.is_given() || self.schedule.is_fused(node) {
            return;
        }
        let work = match term {
            Term::If(c, a, b) => return self.select(node, [*c, *a, *b]),
            Term::ByCount(count, values) => {
                let Term::Nary(NaryOp::Count, list) = graph.term(*count) else {
                    return;
                };
                let (bools, table) = (self.list(list), self.table(values));
                let (kind, to) = (node.kind(), self.register(node));
                Work::Tally {
                    kind,
                    to,
                    tally: Tally {
                        by: By::Count,
                        bools,
                        table,
                    },
                }
            }
            Term::Lookup(table, index) => {
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

    fn instruction(&mut self, node: NodeId, term: &Term) -> Option<Instruction> {
        let instruction = match term {
            Term::Fail(why) => Instruction::Fail(*why),
            Term::Unary(op, a) => {
                let a = self.register(*a);
                unary(*op, self.register(node), a)
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.register(*a), self.register(*b));
                binary(*op, self.register(node), a, b)
            }
            Term::Nary(NaryOp::SumReal, list) if list.iter().any(|&one| self.schedule.is_fused(one)) => {
                let products = self.products(list);
                Instruction::SumProducts(self.register(node), products)
            }
            Term::Nary(op, list) => {
                let list = self.list(list);
                nary(*op, self.register(node), list)
            }
            Term::Gather(index, list) => {
                let (index, list) = (self.register(*index), self.list(list));
                gather(node.kind(), self.register(node), index, list)
            }
            Term::Bernoulli(p, site) => {
                let p = self.register(*p);
                Instruction::Bernoulli(self.register(node), p, *site)
            }
            Term::Draw(family, a, b, site) => {
                let (a, b) = (self.register(*a), self.register(*b));
                let to = self.register(node);
                match node.kind() {
                    ValueType::Int => Instruction::DrawInt(*family, to, a, b, *site),
                    _ => Instruction::DrawReal(*family, to, a, b, *site),
                }
            }
            Term::Choose(choice, list, site) => {
                let list = self.list(list);
                Instruction::Choose(*choice, self.register(node), list, *site)
            }
            Term::Vector(op, n, list, site) => {
                let list = self.list(list);
                Instruction::Vector(*op, *n, self.register(node), list, *site)
            }
            _ => return None,
        };
        Some(instruction)
    }
}
