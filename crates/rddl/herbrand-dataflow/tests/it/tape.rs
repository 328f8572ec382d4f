//! Tapes compared with a slow reference: expression trees evaluated from the root, without folding, sharing, branches or
//! registers.

use std::time::Duration;

use herbrand_dataflow::{BinaryOp, Graph, Layout, NaryOp, NodeId, Tape, UnaryOp, ValueType};
use herbrand_distributions::{Draws, Family, RandomGenerator, Site};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use proptest::prelude::*;

/// An expression of the reference, in terms of earlier expressions.
#[derive(Clone, Debug)]
enum Slow {
    Bool(bool),
    Int(i64),
    Real(f64),
    BoolInput(usize),
    IntInput(usize),
    RealInput(usize),
    Not(usize),
    All(Vec<usize>),
    Any(Vec<usize>),
    Same(usize, usize),
    Sum(Vec<usize>),
    Product(usize, usize),
    Difference(usize, usize),
    Quotient(usize, usize),
    Div(usize, usize),
    Less(usize, usize),
    Equal(usize, usize),
    Max(Vec<usize>),
    If(usize, usize, usize),
    Gather(usize, Vec<usize>),
    Exp(usize),
    Round(usize),
    Bernoulli(usize, u32),
    Normal(usize, u32),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Bool(bool),
    Int(i64),
    Real(f64),
}

impl Value {
    fn real(self) -> f64 {
        match self {
            Self::Bool(x) => f64::from(u8::from(x)),
            Self::Int(x) => x as f64,
            Self::Real(x) => x,
        }
    }

    fn int(self) -> Option<i64> {
        match self {
            Self::Bool(x) => Some(i64::from(x)),
            Self::Int(x) => Some(x),
            Self::Real(_) => None,
        }
    }

    fn bool(self) -> bool {
        self == Self::Bool(true)
    }

    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => self == other,
        }
    }
}

struct Inputs {
    bools: [bool; 3],
    ints: [i64; 3],
    reals: [f64; 3],
}

fn of_kind(value: Value, kind: ValueType) -> Value {
    match (kind, value.int()) {
        (ValueType::Bool, _) => value,
        (ValueType::Int, Some(x)) => Value::Int(x),
        _ => Value::Real(value.real()),
    }
}

/// Evaluates a tree from its root; `None` if it has no value.
fn evaluate(
    slow: &[Slow],
    kinds: &[ValueType],
    at: usize,
    inputs: &Inputs,
    draws: &RandomGenerator,
) -> Option<Value> {
    let value = |at: usize| evaluate(slow, kinds, at, inputs, draws);
    let real = |at: usize| value(at).map(Value::real);
    let bool = |at: usize| value(at).map(Value::bool);
    let arithmetic = |a: usize, b: usize, ints: fn(i64, i64) -> i64, reals: fn(f64, f64) -> f64| {
        let (a, b) = (value(a)?, value(b)?);
        Some(match (a.int(), b.int()) {
            (Some(a), Some(b)) => Value::Int(ints(a, b)),
            _ => Value::Real(reals(a.real(), b.real())),
        })
    };
    let folded = |list: &[usize], start: f64, ints: fn(i64, i64) -> i64, reals: fn(f64, f64) -> f64| {
        let values: Vec<Value> = list.iter().map(|&at| value(at)).collect::<Option<_>>()?;
        Some(
            match values.iter().map(|v| v.int()).collect::<Option<Vec<i64>>>() {
                Some(values) => Value::Int(values.into_iter().reduce(ints).unwrap()),
                None => Value::Real(values.into_iter().map(Value::real).fold(start, reals)),
            },
        )
    };
    // Evaluation stops at the first deciding operand.
    let decided = |list: &[usize], decisive: bool| {
        for &at in list {
            if bool(at)? == decisive {
                return Some(Value::Bool(decisive));
            }
        }
        Some(Value::Bool(!decisive))
    };
    let found = match &slow[at] {
        Slow::Bool(x) => Value::Bool(*x),
        Slow::Int(x) => Value::Int(*x),
        Slow::Real(x) => Value::Real(*x),
        Slow::BoolInput(i) => Value::Bool(inputs.bools[*i]),
        Slow::IntInput(i) => Value::Int(inputs.ints[*i]),
        Slow::RealInput(i) => Value::Real(inputs.reals[*i]),
        Slow::Not(a) => Value::Bool(!bool(*a)?),
        Slow::All(list) => decided(list, false)?,
        Slow::Any(list) => decided(list, true)?,
        Slow::Same(a, b) => Value::Bool(bool(*a)? == bool(*b)?),
        Slow::Sum(list) => folded(list, 0.0, i64::wrapping_add, |a, b| a + b)?,
        Slow::Product(a, b) => arithmetic(*a, *b, i64::wrapping_mul, |a, b| a * b)?,
        Slow::Difference(a, b) => arithmetic(*a, *b, i64::wrapping_sub, |a, b| a - b)?,
        Slow::Quotient(a, b) => Value::Real(real(*a)? / real(*b)?),
        Slow::Div(a, b) => {
            let (a, b) = (value(*a)?.int().unwrap(), value(*b)?.int().unwrap());
            Value::Int((b != 0).then(|| (a as f64 / b as f64).floor() as i64)?)
        }
        Slow::Less(a, b) => Value::Bool(real(*a)? < real(*b)?),
        Slow::Equal(a, b) => Value::Bool(real(*a)? == real(*b)?),
        // Of 0 and −0, the later one.
        Slow::Max(list) => folded(list, f64::NEG_INFINITY, i64::max, |a, b| {
            if a.is_nan() || b.is_nan() {
                f64::NAN
            } else if a > b {
                a
            } else {
                b
            }
        })?,
        Slow::If(c, a, b) => value(if bool(*c)? { *a } else { *b })?,
        Slow::Gather(i, list) => {
            let last = list.len() as i64 - 1;
            let values: Vec<Value> = list.iter().map(|&at| value(at)).collect::<Option<_>>()?;
            let place = value(*i)?.int().unwrap();
            values[if (0..=last).contains(&place) { place } else { last } as usize]
        }
        Slow::Exp(a) => Value::Real(libm::exp(real(*a)?)),
        Slow::Round(a) => {
            let rounded = real(*a)?.round_ties_even();
            Value::Int((rounded.abs() < 9e18).then_some(rounded as i64)?)
        }
        Slow::Bernoulli(p, site) => Value::Bool(draws.uniform(Site(*site)) <= real(*p)?),
        Slow::Normal(m, site) => {
            let u = draws.uniform(Site(*site));
            Value::Real(Family::Normal.quantile(u, real(*m)?, 2.0).unwrap())
        }
    };
    Some(of_kind(found, kinds[at]))
}

/// A graph and the reference, built side by side.
struct Twins {
    graph: Graph,
    nodes: Vec<NodeId>,
    slow: Vec<Slow>,
    kinds: Vec<ValueType>,
}

impl Twins {
    fn new() -> Self {
        let mut twins = Self {
            graph: Graph::new(),
            nodes: Vec::new(),
            slow: Vec::new(),
            kinds: Vec::new(),
        };
        for i in 0..3 {
            let register = u32::try_from(i).unwrap();
            let node = twins.graph.input(ValueType::Bool, register);
            twins.add(node, Slow::BoolInput(i));
            let node = twins.graph.input(ValueType::Int, register);
            twins.add(node, Slow::IntInput(i));
            let node = twins.graph.input(ValueType::Real, register);
            twins.add(node, Slow::RealInput(i));
        }
        twins
    }

    fn add(&mut self, node: NodeId, slow: Slow) {
        self.kinds.push(node.kind());
        self.nodes.push(node);
        self.slow.push(slow);
    }

    fn of(&self, kind: Option<ValueType>, choice: usize) -> usize {
        let fitting: Vec<usize> = (0..self.nodes.len())
            .filter(|&at| kind.is_none_or(|kind| self.kinds[at] == kind))
            .collect();
        fitting[choice % fitting.len()]
    }

    /// Picks a bool that cannot fail.
    fn certain_bool(&self, choice: usize) -> usize {
        let fitting: Vec<usize> = (0..self.nodes.len())
            .filter(|&at| self.kinds[at] == ValueType::Bool && !self.graph.is_fallible(self.nodes[at]))
            .collect();
        fitting[choice % fitting.len()]
    }

    fn numbers(&mut self, a: usize, b: usize, real: BinaryOp, int: BinaryOp) -> NodeId {
        let (a, b) = self.graph.matched(self.nodes[a], self.nodes[b]);
        let op = if a.kind() == ValueType::Real { real } else { int };
        self.graph.binary(op, a, b)
    }

    fn grow(&mut self, op: u8, [i, j, k]: [usize; 3]) {
        let bools = match op {
            3..=6 | 20 => [i, j, k].map(|choice| self.of(Some(ValueType::Bool), choice)),
            // The elements of a table are evaluated in any case, so they must not fail.
            17 => [i, j, k].map(|choice| self.certain_bool(choice)),
            14..=16 => [self.of(Some(ValueType::Bool), i); 3],
            _ => [0; 3],
        };
        let any = match op {
            7 | 13..=16 => [i, j, k].map(|choice| self.of(None, choice)),
            8..=12 => {
                let (a, b) = (self.of(None, i), self.of(None, j));
                [a, b, b]
            }
            18 | 19 | 22.. => [self.of(None, i); 3],
            _ => [0; 3],
        };
        let int = match op {
            17 | 21 => self.of(Some(ValueType::Int), k),
            _ => 1,
        };
        let nodes = any.map(|at| self.nodes[at]);
        let bool_nodes = bools.map(|at| self.nodes[at]).to_vec();
        let (node, slow) = match op {
            0 => (self.graph.bool(i % 2 == 0), Slow::Bool(i % 2 == 0)),
            1 => (self.graph.int(i as i64 % 4 - 1), Slow::Int(i as i64 % 4 - 1)),
            2 => {
                let value = [0.0, -0.0, 1.0, 2.5, f64::INFINITY, f64::NAN][i % 6];
                (self.graph.real(value), Slow::Real(value))
            }
            3 => (self.graph.not(self.nodes[bools[0]]), Slow::Not(bools[0])),
            4 => (
                self.graph.junction(NaryOp::All, bool_nodes),
                Slow::All(bools.to_vec()),
            ),
            5 => (
                self.graph.junction(NaryOp::Any, bool_nodes),
                Slow::Any(bools.to_vec()),
            ),
            6 => {
                let node = self.graph.binary(BinaryOp::Same, bool_nodes[0], bool_nodes[1]);
                (node, Slow::Same(bools[0], bools[1]))
            }
            7 => (self.graph.sum(nodes.to_vec()), Slow::Sum(any.to_vec())),
            8 => {
                let node = self.numbers(any[0], any[1], BinaryOp::MulReal, BinaryOp::MulInt);
                (node, Slow::Product(any[0], any[1]))
            }
            9 => {
                let node = self.numbers(any[0], any[1], BinaryOp::SubReal, BinaryOp::SubInt);
                (node, Slow::Difference(any[0], any[1]))
            }
            10 => {
                let (a, b) = (self.graph.to_real(nodes[0]), self.graph.to_real(nodes[1]));
                (
                    self.graph.binary(BinaryOp::DivReal, a, b),
                    Slow::Quotient(any[0], any[1]),
                )
            }
            11 => {
                let (a, b) = (self.graph.to_real(nodes[0]), self.graph.to_real(nodes[1]));
                (
                    self.graph.binary(BinaryOp::LtReal, a, b),
                    Slow::Less(any[0], any[1]),
                )
            }
            12 => {
                let (a, b) = (self.graph.to_real(nodes[0]), self.graph.to_real(nodes[1]));
                (
                    self.graph.binary(BinaryOp::EqReal, a, b),
                    Slow::Equal(any[0], any[1]),
                )
            }
            13 => (
                self.graph.extreme(BinaryOp::MaxReal, nodes.to_vec()),
                Slow::Max(any.to_vec()),
            ),
            14..=16 => {
                let node = self.graph.select(bool_nodes[0], nodes[1], nodes[2]);
                (node, Slow::If(bools[0], any[1], any[2]))
            }
            17 => {
                let place = self.nodes[int];
                (
                    self.graph.gather(place, bool_nodes),
                    Slow::Gather(int, bools.to_vec()),
                )
            }
            18 => {
                let real = self.graph.to_real(nodes[0]);
                (self.graph.unary(UnaryOp::Exp, real), Slow::Exp(any[0]))
            }
            19 => {
                let real = self.graph.to_real(nodes[0]);
                (self.graph.unary(UnaryOp::Round, real), Slow::Round(any[0]))
            }
            20 => {
                let site = self.nodes.len() as u32;
                let node = self.graph.bernoulli(bool_nodes[0], Site(site));
                (node, Slow::Bernoulli(bools[0], site))
            }
            21 => {
                let other = self.of(Some(ValueType::Int), i);
                let node = self
                    .graph
                    .binary(BinaryOp::DivInt, self.nodes[int], self.nodes[other]);
                (node, Slow::Div(int, other))
            }
            _ => {
                let (site, two) = (self.nodes.len() as u32, self.graph.real(2.0));
                let node = self.graph.draw(Family::Normal, nodes[0], Some(two), Site(site));
                (node, Slow::Normal(any[0], site))
            }
        };
        self.add(node, slow);
    }
}

fn grown(growth: &[(u8, [usize; 3])]) -> Twins {
    let mut twins = Twins::new();
    for &(op, choices) in growth {
        twins.grow(op, choices);
    }
    twins
}

/// Compiles a tape for these outputs, without limits.
fn compiled(graph: &Graph, layout: Layout, outputs: &[(NodeId, u32)]) -> Tape {
    Tape::compile(
        graph,
        layout,
        outputs,
        &mut Budget::unlimited().meter("compiling"),
    )
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn tapes_agree_with_trees(
        growth in prop::collection::vec((0..23_u8, any::<[usize; 3]>()), 1..40),
        outputs in prop::collection::vec(any::<usize>(), 1..5),
        bools in any::<[bool; 3]>(),
        ints in prop::array::uniform3(-2..4_i64),
        reals in prop::array::uniform3(prop_oneof![
            Just(0.0), Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), -3.0..3.0_f64
        ]),
        seed in any::<u64>(),
    ) {
        let twins = grown(&growth);
        let (inputs, draws) = (Inputs { bools, ints, reals }, RandomGenerator::from_key(seed));
        let mut layout = Layout { bools: 3, ints: 3, reals: 3 };
        let outputs: Vec<usize> = outputs.iter().map(|choice| choice % twins.nodes.len()).collect();
        let slots: Vec<(NodeId, u32)> = outputs
            .iter()
            .map(|&at| (twins.nodes[at], layout.take(twins.kinds[at], 1)))
            .collect();
        let tape = compiled(&twins.graph, layout, &slots);
        let mut registers = tape.registers();
        // The second run starts with the registers of the first.
        for _ in 0..2 {
            registers.bools[..3].copy_from_slice(&bools);
            registers.ints[..3].copy_from_slice(&ints);
            registers.reals[..3].copy_from_slice(&reals);
            let run = tape.run(&mut registers, &draws);
            let value = |&at: &usize| evaluate(&twins.slow, &twins.kinds, at, &inputs, &draws);
            let expected: Option<Vec<Value>> = outputs.iter().map(value).collect();
            prop_assert_eq!(run.is_ok(), expected.is_some(), "{:?}\n{}", run, tape);
            let Some(expected) = expected else { continue };
            for (expected, &(node, register)) in expected.into_iter().zip(&slots) {
                let register = register as usize;
                let found = match node.kind() {
                    ValueType::Bool => Value::Bool(registers.bools[register]),
                    ValueType::Int => Value::Int(registers.ints[register]),
                    ValueType::Real => Value::Real(registers.reals[register]),
                };
                prop_assert!(found.same(expected), "{found:?}, not {expected:?}\n{tape}");
            }
        }
    }
}

#[test]
fn equal_values_are_computed_once_and_branches_only_when_taken() {
    let mut graph = Graph::new();
    let (c, x) = (graph.input(ValueType::Bool, 0), graph.input(ValueType::Real, 0));
    let exp = graph.unary(UnaryOp::Exp, x);
    let again = graph.unary(UnaryOp::Exp, x);
    assert_eq!(exp, again);
    let ln = graph.unary(UnaryOp::Ln, x);
    let chosen = graph.select(c, exp, ln);
    let layout = Layout {
        bools: 1,
        ints: 0,
        reals: 2,
    };
    let text = compiled(&graph, layout, &[(chosen, 1)]).to_string();
    assert_eq!(
        text,
        "    0 JumpUnless(0, 3)\n    1 RealFunction(Exp, 1, 0)\n    2 Jump(4)\n    3 RealFunction(Ln, 1, 0)\n"
    );
}

#[test]
fn a_fault_names_its_value() {
    let mut graph = Graph::new();
    let x = graph.input(ValueType::Real, 0);
    let draw = graph.draw(Family::Exponential, x, None, Site(0));
    let layout = Layout {
        bools: 0,
        ints: 0,
        reals: 2,
    };
    let tape = compiled(&graph, layout, &[(draw, 1)]);
    let fault = tape
        .run(&mut tape.registers(), &RandomGenerator::from_key(1))
        .unwrap_err();
    assert_eq!(fault.node, Some(draw));
    assert_eq!(
        fault.error.to_string(),
        "scale of Exponential must be greater than 0, not 0.0"
    );
}

/// A value that can fail and that two `if`s share is not evaluated if neither needs it.
#[test]
fn what_two_branches_share_is_not_evaluated_ahead_of_both() {
    let mut graph = Graph::new();
    let (c, d) = (graph.input(ValueType::Bool, 0), graph.input(ValueType::Bool, 1));
    let (x, zero) = (graph.input(ValueType::Int, 0), graph.int(0));
    let quotient = graph.binary(BinaryOp::DivInt, zero, x);
    let first = graph.select(c, quotient, zero);
    let second = graph.select(d, quotient, x);
    let layout = Layout {
        bools: 2,
        ints: 3,
        reals: 0,
    };
    let tape = compiled(&graph, layout, &[(first, 1), (second, 2)]);
    let run = |c, d| {
        let mut registers = tape.registers();
        registers.bools[..2].copy_from_slice(&[c, d]);
        registers.ints[0] = 0;
        tape.run(&mut registers, &RandomGenerator::from_key(1)).is_ok()
    };
    assert!(run(false, false), "{tape}");
    assert!(
        !run(true, false) && !run(false, true) && !run(true, true),
        "{tape}"
    );
}

/// Graphs of about `n` nodes that are costly to schedule or to emit: selections, branches, lists, and shared values that can
/// fail.
fn large(n: u32) -> [(Graph, Vec<NodeId>); 4] {
    let inputs = |graph: &mut Graph| {
        (
            graph.input(ValueType::Bool, 0),
            graph.input(ValueType::Int, 0),
            graph.input(ValueType::Real, 0),
        )
    };
    let chain = |step: fn(&mut Graph, (NodeId, NodeId, NodeId), NodeId, u32) -> NodeId| {
        let mut graph = Graph::new();
        let given = inputs(&mut graph);
        let mut last = given.2;
        let all = (0..n)
            .map(|number| {
                last = step(&mut graph, given, last, number);
                last
            })
            .collect();
        (graph, all)
    };
    [
        chain(|graph, _, last, number| {
            let constant = graph.real(f64::from(number));
            graph.binary(BinaryOp::AddReal, last, constant)
        }),
        chain(|graph, (c, _, x), last, number| {
            let constant = graph.real(f64::from(number));
            let (sum, exp) = (
                graph.binary(BinaryOp::AddReal, x, constant),
                graph.unary(UnaryOp::Exp, last),
            );
            graph.select(c, sum, exp)
        }),
        chain(|graph, (_, _, x), _, number| {
            let terms = (0..40)
                .map(|term| graph.real(f64::from(number * 40 + term + 1)))
                .chain([x]);
            let terms = terms.collect();
            graph.sum(terms)
        }),
        chain(|graph, (c, i, _), _, number| {
            let (limit, divisor) = (graph.int(i64::from(number)), graph.int(i64::from(number % 7)));
            let (below, sum) = (
                graph.binary(BinaryOp::LtInt, i, limit),
                graph.binary(BinaryOp::AddInt, i, divisor),
            );
            let quotient = graph.binary(BinaryOp::DivInt, i, sum);
            let chosen = graph.select(below, quotient, i);
            graph.select(c, chosen, quotient)
        }),
    ]
}

/// For every budget, at most one and a half times the budget is held during compilation, and a tape that needs a tenth of
/// the budget is compiled.
#[test]
fn a_tape_is_compiled_within_its_budget() {
    for (kind, (graph, nodes)) in large(600).into_iter().enumerate() {
        let mut layout = Layout {
            bools: 1,
            ints: 1,
            reals: 1,
        };
        let outputs: Vec<(NodeId, u32)> = nodes
            .iter()
            .map(|&node| (node, layout.take(node.kind(), 1)))
            .collect();
        let compile = |limits| {
            let mut meter = Budget::new(limits).meter("compiling");
            let mut result = None;
            let info = allocation_counter::measure(|| {
                result = Some(Tape::compile(&graph, layout, &outputs, &mut meter).map(drop));
            });
            (info.bytes_max, result.unwrap())
        };
        let (needed, done) = compile(Limits::default());
        assert!(done.is_ok() && needed > 1 << 16, "{kind}: {needed}");
        let mut refused = 0;
        for bytes in (12..26).step_by(2).map(|power| 1 << power) {
            let (held, result) = compile(Limits {
                bytes: Some(bytes),
                time: None,
            });
            assert!(held <= bytes + bytes / 2 + (1 << 14), "{kind}: {held} of {bytes}");
            match result {
                Err(BudgetExhausted::Memory { .. }) => refused += 1,
                other => assert!(other.is_ok(), "{kind}: {other:?}"),
            }
            assert!(
                result.is_ok() || bytes < 10 * needed,
                "{kind}: {needed} of {bytes}"
            );
        }
        assert!(refused >= 2, "{kind}: refused {refused} times");
        let (_, late) = compile(Limits {
            bytes: None,
            time: Some(Duration::ZERO),
        });
        assert!(
            matches!(late, Err(BudgetExhausted::Time { .. })),
            "{kind}: {late:?}"
        );
    }
}
