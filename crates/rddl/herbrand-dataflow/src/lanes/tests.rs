//! Compares programs over lanes with tapes on random graphs. Every lane must have the values of the tape, bit for bit, and a
//! run must fail if the tape fails for some lane. Tabulated graphs must have the values of the original graphs.

use herbrand_distributions::{Family, RandomGenerator, Site};
use herbrand_limits::Budget;
use proptest::prelude::*;
use proptest::sample::Index;

use super::super::graph::Graph;
use super::super::layout::Layout;
use super::super::operation::{BinaryOp, NaryOp, NodeId, UnaryOp, ValueType};
use crate::batch::BatchTape;
use crate::compiled::Tape;
use crate::registers::Registers;

/// The number of inputs of each kind, and the number of lanes.
const INPUTS: u32 = 3;
const LANES: usize = 11;

/// A recipe for a node: its operation and its operands.
type Recipe = (u8, [Index; 4]);

/// Picks a node of a kind.
fn pick(graph: &mut Graph, nodes: &[NodeId], kind: ValueType, index: Index) -> NodeId {
    let of_kind: Vec<NodeId> = nodes.iter().copied().filter(|node| node.kind() == kind).collect();
    if of_kind.is_empty() {
        return graph.zero(kind);
    }
    of_kind[index.index(of_kind.len())]
}

/// Builds a graph with all sorts of operations, mostly operations that programs over lanes optimise.
fn graph(recipes: &[Recipe]) -> (Graph, Vec<NodeId>) {
    let mut graph = Graph::new();
    let mut nodes = Vec::new();
    for register in 0..INPUTS {
        nodes.extend(
            [ValueType::Bool, ValueType::Int, ValueType::Real].map(|kind| graph.input(kind, register)),
        );
    }
    nodes.extend([0.0, 1.0, 0.5, -2.5].map(|value| graph.real(value)));
    nodes.extend([0, 1, -1].map(|value| graph.int(value)));
    nodes.push(graph.bool(true));
    for (site, &(op, places)) in (0..).zip(recipes) {
        let node = node(&mut graph, &nodes, op, places, Site(site));
        nodes.push(node);
    }
    (graph, nodes)
}

fn node(graph: &mut Graph, nodes: &[NodeId], op: u8, places: [Index; 4], site: Site) -> NodeId {
    use ValueType::{Bool, Int, Real};
    let mut of = |kind, place: usize| pick(graph, nodes, kind, places[place]);
    match op {
        0..=5 => {
            let op = [
                BinaryOp::AddReal,
                BinaryOp::SubReal,
                BinaryOp::MulReal,
                BinaryOp::DivReal,
                BinaryOp::MinReal,
                BinaryOp::MaxReal,
            ];
            let (a, b) = (of(Real, 0), of(Real, 1));
            graph.binary(op[places[2].index(6)], a, b)
        }
        6 | 7 => {
            let op = [
                UnaryOp::Sin,
                UnaryOp::Cos,
                UnaryOp::Sqrt,
                UnaryOp::Exp,
                UnaryOp::NegReal,
            ];
            let a = of(Real, 0);
            graph.unary(op[places[1].index(5)], a)
        }
        8 => {
            let a = of(Real, 0);
            graph.unary(UnaryOp::Sign, a)
        }
        // Sides that can fail, with signs that other nodes share.
        9 | 10 | 33..=40 => {
            let c = of(Bool, 0);
            let number = graph.input(Real, places[1].index(2) as u32);
            let other = pick(graph, nodes, Real, places[2]);
            let [a, b] = [number, other].map(|number| graph.unary(UnaryOp::Sign, number));
            let known = graph.int(places[3].index(3) as i64 - 1);
            let (same, is) = (
                graph.binary(BinaryOp::EqInt, a, b),
                graph.binary(BinaryOp::EqInt, a, known),
            );
            match op {
                9 => graph.select(c, same, is),
                10 => graph.select(c, a, b),
                33 | 34 => graph.decided(BinaryOp::And, c, same),
                35 | 36 => {
                    let differ = graph.not(same);
                    graph.decided(BinaryOp::Or, c, differ)
                }
                37 => graph.decided(BinaryOp::And, is, c),
                _ => {
                    let inner = graph.decided(BinaryOp::Or, is, c);
                    let differ = graph.not(same);
                    graph.decided(BinaryOp::And, differ, inner)
                }
            }
        }
        11 => {
            let op = [UnaryOp::Round, UnaryOp::Floor, UnaryOp::Truncate];
            let a = of(Real, 0);
            graph.unary(op[places[1].index(3)], a)
        }
        12..=15 => {
            let (a, b) = (of(Int, 0), of(Int, 1));
            graph.binary(BinaryOp::EqInt, a, b)
        }
        16 | 17 => {
            let op = [BinaryOp::LtReal, BinaryOp::LeReal, BinaryOp::EqReal];
            let (a, b) = (of(Real, 0), of(Real, 1));
            graph.binary(op[places[2].index(3)], a, b)
        }
        18..=20 => {
            let op = [BinaryOp::And, BinaryOp::Or, BinaryOp::Same];
            let (a, b) = (of(Bool, 0), of(Bool, 1));
            graph.binary(op[places[2].index(3)], a, b)
        }
        21 => {
            let a = of(Bool, 0);
            graph.not(a)
        }
        22 => {
            let list = (0..4).map(|place| of(Bool, place)).collect();
            match places[0].index(3) {
                0 => graph.sum(list),
                1 => graph.junction(NaryOp::All, list),
                _ => graph.junction(NaryOp::Any, list),
            }
        }
        23..=28 => {
            let kind = [Bool, Bool, Int, Real][places[3].index(4)];
            let (c, a, b) = (of(Bool, 0), of(kind, 1), of(kind, 2));
            graph.select(c, a, b)
        }
        29 => {
            let op = [BinaryOp::DivInt, BinaryOp::AddInt, BinaryOp::ModInt];
            let (a, b) = (of(Int, 0), of(Int, 1));
            graph.binary(op[places[2].index(3)], a, b)
        }
        30 => {
            let (a, b) = (of(Real, 0), of(Real, 1));
            graph.draw(Family::Normal, a, Some(b), site)
        }
        31 => {
            let (a, variance) = (of(Real, 0), graph.real(0.5));
            graph.draw(Family::Normal, a, Some(variance), site)
        }
        // A choice between draws, with another choice on one side.
        41..=44 => {
            let (conditions, any) = ([of(Bool, 0), of(Bool, 1)], of(Real, 2));
            let number = graph.input(Real, places[3].index(3) as u32);
            let known = graph.real(0.25);
            let probabilities = [any, if op < 43 { number } else { known }, known];
            let sites = (0..).map(|place| Site(100 + 3 * site.0 + place));
            let draws = std::iter::zip(probabilities, sites);
            let [a, b, c] = draws
                .map(|(p, site)| graph.bernoulli(p, site))
                .collect::<Vec<_>>()[..]
            else {
                unreachable!("there are three")
            };
            let inner = graph.select(conditions[1], a, b);
            match op % 2 {
                0 => graph.select(conditions[0], inner, c),
                _ => graph.select(conditions[0], c, inner),
            }
        }
        // Functions of a count.
        45..=49 => {
            let list = (0..4).map(|place| of(Bool, place)).collect();
            let (count, [one, two]) = (graph.sum(list), [1, 2].map(|value| graph.int(value)));
            let more = graph.binary(BinaryOp::AddInt, two, count);
            let (more, five) = (graph.to_real(more), graph.real(5.0));
            // More than 1 if all are true.
            let share = graph.binary(BinaryOp::DivReal, more, five);
            match op {
                45 => graph.bernoulli(share, site),
                46 => {
                    let half = graph.real(0.5);
                    let p = graph.binary(BinaryOp::MulReal, half, share);
                    graph.bernoulli(p, site)
                }
                47 => {
                    let bounds = [(one, count), (count, two)];
                    let [least, most] = bounds.map(|(a, b)| graph.binary(BinaryOp::LeInt, a, b));
                    graph.binary(BinaryOp::And, least, most)
                }
                48 => {
                    let is_two = graph.binary(BinaryOp::EqInt, two, count);
                    graph.select(is_two, share, more)
                }
                _ => {
                    let rest = graph.binary(BinaryOp::SubInt, one, count);
                    graph.binary(BinaryOp::MulInt, rest, count)
                }
            }
        }
        // Functions of a few bools.
        50..=53 => {
            let [a, b, c, d] = [0, 1, 2, 3].map(|place| of(Bool, place));
            let [zero, some] = [0.0, 0.75].map(|value| graph.real(value));
            let (one, cost) = (graph.to_real(a), graph.select(b, some, zero));
            let rest = graph.binary(BinaryOp::SubReal, one, cost);
            match op {
                50 => rest,
                51 => graph.bernoulli(rest, site),
                _ => {
                    let (c, d) = (graph.to_real(c), graph.to_real(d));
                    let ratio = graph.binary(BinaryOp::DivReal, c, d);
                    let least = graph.binary(BinaryOp::MinReal, rest, ratio);
                    // Five bools: the fifth is picked by another place.
                    let more = if op == 53 {
                        of_bool(graph, nodes, places[0])
                    } else {
                        one
                    };
                    graph.binary(BinaryOp::AddReal, least, more)
                }
            }
        }
        _ => {
            let p = of(Real, 0);
            graph.bernoulli(p, site)
        }
    }
}

/// A real that is 0 or 1, converted from a bool picked from the end of the list.
fn of_bool(graph: &mut Graph, nodes: &[NodeId], place: Index) -> NodeId {
    let reversed: Vec<NodeId> = nodes.iter().rev().copied().collect();
    let bool = pick(graph, &reversed, ValueType::Bool, place);
    graph.to_real(bool)
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -3.0..3.0_f64,
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, 0.5, -2.5, 100.0]),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 5e-324]),
    ]
}

/// The inputs of a lane.
fn inputs() -> impl Strategy<Value = ([bool; 3], [i64; 3], [f64; 3])> {
    (
        any::<[bool; 3]>(),
        prop::array::uniform3(-2..3_i64),
        prop::array::uniform3(number()),
    )
}

fn write(registers: &mut Registers, (bools, ints, reals): &([bool; 3], [i64; 3], [f64; 3])) {
    registers.bools[..3].copy_from_slice(bools);
    registers.ints[..3].copy_from_slice(ints);
    registers.reals[..3].copy_from_slice(reals);
}

/// Whether two numbers have the same bits, or both are NaN.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

/// More bools than a byte counts, in more lanes than one block holds, and tables of small counts.
#[test]
fn many_bools_are_counted() {
    let mut meter = Budget::unlimited().meter("test");
    for count in [2, 15, 16, 255, 300_u32] {
        let mut graph = Graph::new();
        let bools: Vec<NodeId> = (0..count)
            .map(|register| graph.input(ValueType::Bool, register))
            .collect();
        let sum = graph.sum(bools);
        let (real, [third, half]) = (
            graph.to_real(sum),
            [1.0 / 3.0, 0.5].map(|value| graph.real(value)),
        );
        let product = graph.binary(BinaryOp::MulReal, real, third);
        let shifted = graph.binary(BinaryOp::AddReal, product, half);
        let values = [sum, shifted];
        graph.tabulate(values, &mut meter).unwrap();
        let inputs = Layout {
            bools: count,
            ..Layout::default()
        };
        let batch = BatchTape::compile(&graph, inputs, [&values, &[]], 1_000, &mut meter).unwrap();
        let mut rows = batch.registers();
        let (width, lanes) = (batch.width(), batch.width().min(391));
        let is_true = |lane: usize, register: usize| lane.is_multiple_of(5) || lane * 7 % 11 > register % 12;
        for register in 0..count as usize {
            for lane in 0..lanes {
                rows.bools_mut()[register * width + lane] = is_true(lane, register);
            }
        }
        let draws = vec![RandomGenerator::from_key(0); lanes];
        batch.run_wide(&mut rows, &draws).unwrap();
        for lane in 0..lanes {
            let expected = (0..count as usize)
                .filter(|&register| is_true(lane, register))
                .count();
            let [(_, sum), (_, shifted)] = batch.results() else {
                unreachable!("there are two")
            };
            let at = |row: u32| row as usize * width + lane;
            assert_eq!(rows.ints()[at(*sum)], expected as i64);
            assert!(same(
                rows.reals()[at(*shifted)],
                expected as f64 * (1.0 / 3.0) + 0.5
            ));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn lanes_have_the_values_of_a_tape(
        recipes in prop::collection::vec((0..55_u8, any::<[Index; 4]>()), 1..60),
        asked in prop::collection::vec(any::<Index>(), 1..5),
        needed in prop::collection::vec(any::<Index>(), 0..3),
        lanes in prop::collection::vec(inputs(), LANES),
        most in prop::sample::select(vec![1, 100, 1_000]),
        tables in any::<bool>(),
    ) {
        let (graph, nodes) = graph(&recipes);
        let chosen = |places: &[Index]| -> Vec<NodeId> { places.iter().map(|place| nodes[place.index(nodes.len())]).collect() };
        let (values, needed) = (chosen(&asked), chosen(&needed));
        let inputs = Layout { bools: INPUTS, ints: INPUTS, reals: INPUTS };
        let mut meter = Budget::unlimited().meter("test");
        let mut tabulated = graph.clone();
        if tables {
            tabulated.tabulate(values.iter().chain(&needed).copied(), &mut meter).unwrap();
        }
        let batch = BatchTape::compile(&tabulated, inputs, [&values, &needed], most, &mut meter).unwrap();
        let mut rows = batch.registers();
        for (lane, (bools, ints, reals)) in lanes.iter().enumerate() {
            for register in 0..INPUTS as usize {
                let at = register * batch.width() + lane;
                rows.bools_mut()[at] = bools[register];
                rows.ints_mut()[at] = ints[register];
                rows.reals_mut()[at] = reals[register];
            }
        }
        let draws: Vec<RandomGenerator> = (0..LANES as u64).map(|lane| RandomGenerator::keyed(1, lane, 0)).collect();
        // Each value has its own register after the inputs.
        let mut layout = inputs;
        let outputs: Vec<(NodeId, u32)> = values.iter().chain(&needed).map(|&node| (node, layout.take(node.kind(), 1))).collect();
        let tape = Tape::compile(&graph, layout, &outputs, &mut meter).unwrap();
        let alone: Vec<_> = lanes.iter().zip(&draws).map(|(lane, draws)| {
            let mut registers = tape.registers();
            write(&mut registers, lane);
            tape.run(&mut registers, draws).map(|()| registers).ok()
        }).collect();
        let by_tables = Tape::compile(&tabulated, layout, &outputs, &mut meter).unwrap();
        for ((lane, draws), expected) in lanes.iter().zip(&draws).zip(&alone) {
            let mut registers = by_tables.registers();
            write(&mut registers, lane);
            let run = by_tables.run(&mut registers, draws);
            prop_assert_eq!(run.is_ok(), expected.is_some());
            let Some(expected) = expected else { continue };
            for &(node, register) in &outputs {
                let at = register as usize;
                match node.kind() {
                    ValueType::Bool => prop_assert_eq!(registers.bools[at], expected.bools[at]),
                    ValueType::Int => prop_assert_eq!(registers.ints[at], expected.ints[at]),
                    ValueType::Real => prop_assert!(same(registers.reals[at], expected.reals[at])),
                }
            }
        }
        for wide in [false, true] {
            let run = if wide { batch.run_wide(&mut rows, &draws) } else { batch.run(&mut rows, &draws) };
            prop_assert_eq!(run.is_ok(), alone.iter().all(Option::is_some), "{:?}", run);
            if run.is_err() {
                continue;
            }
            for (lane, registers) in alone.iter().flatten().enumerate() {
                for (&(kind, row), &(_, register)) in batch.results().iter().zip(&outputs) {
                    let (at, register) = (row as usize * batch.width() + lane, register as usize);
                    match kind {
                        ValueType::Bool => prop_assert_eq!(rows.bools()[at], registers.bools[register]),
                        ValueType::Int => prop_assert_eq!(rows.ints()[at], registers.ints[register]),
                        ValueType::Real => {
                            let (found, expected) = (rows.reals()[at], registers.reals[register]);
                            prop_assert!(same(found, expected), "{} is not {}", found, expected);
                        }
                    }
                }
            }
        }
    }
}
