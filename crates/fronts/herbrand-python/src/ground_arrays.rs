//! Ground tasks as NumPy arrays.

use herbrand_ground::{AtomId, BlockId, ChanceId, ConjunctionId, GroundExpression, GroundTask, Literal};
use herbrand_pddl::{ArithmeticOperator, AssignOperator, Comparison, Special};
use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Lists of ids in one array: the start of each list, then the total length.
struct Rows {
    starts: Vec<i32>,
    items: Vec<i32>,
}

impl Rows {
    fn of<I: IntoIterator<Item = i32>>(rows: impl Iterator<Item = I>) -> Self {
        let mut this = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        for row in rows {
            this.items.extend(row);
            this.starts.push(this.items.len() as i32);
        }
        this
    }
}

/// Creates the `herbrand.ground_arrays.GroundArrays` of a task, given the least cost of each action.
pub fn as_object<'py>(
    task: &Bound<'py, PyAny>,
    ground: &GroundTask,
    costs: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = task.py();
    let mut arrays = Arrays(PyDict::new(py));
    arrays.0.set_item("fluents", ground.fluents)?;
    arrays.0.set_item("atoms", ground.atom_count())?;
    arrays.0.set_item("goal", ground.goal.number())?;
    arrays
        .0
        .set_item("initial_effect", ground.initial_chance.number())?;
    arrays.integers("initial", ground.initial.iter().map(|&atom| id(atom)))?;
    arrays.conditions(ground)?;
    arrays.effects(ground)?;
    let actions = || ground.actions.ids().map(|id| ground.actions.get(id));
    arrays.integers(
        "action_schemas",
        actions().map(|action| action.schema.index() as i32),
    )?;
    arrays.integers(
        "action_preconditions",
        actions().map(|action| action.precondition.number() as i32),
    )?;
    arrays.integers(
        "action_effects",
        actions().map(|action| action.effect.number() as i32),
    )?;
    arrays.doubles("action_costs", costs)?;
    arrays.integers("axiom_heads", ground.axioms.iter().map(|axiom| id(axiom.head)))?;
    arrays.integers(
        "axiom_bodies",
        ground.axioms.iter().map(|axiom| axiom.body.number() as i32),
    )?;
    let strata = ground.strata.iter().map(|&end| end as i32);
    arrays.integers("first_axioms", std::iter::once(0).chain(strata))?;
    arrays.0.set_item("state_numbers", ground.state_numerics)?;
    let initial = ground
        .numerics
        .iter()
        .map(|numeric| numeric.initial.unwrap_or(f64::NAN));
    arrays.doubles("initial_numbers", initial.collect())?;
    let class = py
        .import("herbrand.ground_arrays")?
        .getattr(intern!(py, "GroundArrays"))?;
    class.call((task,), Some(&arrays.0))
}

fn id(atom: AtomId) -> i32 {
    atom.number() as i32
}

/// The id of an atom, inverted if the literal is negative.
fn signed(literal: Literal) -> i32 {
    let atom = id(literal.atom());
    if literal.is_negative() { !atom } else { atom }
}

struct Arrays<'py>(Bound<'py, PyDict>);

impl Arrays<'_> {
    fn integers(&mut self, name: &str, list: impl Iterator<Item = i32>) -> PyResult<()> {
        self.0
            .set_item(name, PyArray1::from_vec(self.0.py(), list.collect()))
    }

    fn doubles(&mut self, name: &str, list: Vec<f64>) -> PyResult<()> {
        self.0.set_item(name, PyArray1::from_vec(self.0.py(), list))
    }

    /// Adds lists as `first_NAME` and `NAME`.
    fn rows(&mut self, name: &str, rows: Rows) -> PyResult<()> {
        self.integers(&format!("first_{name}"), rows.starts.into_iter())?;
        self.integers(name, rows.items.into_iter())
    }

    fn conditions(&mut self, ground: &GroundTask) -> PyResult<()> {
        let conditions = &ground.conditions;
        let ends = conditions.ids().map(|id| {
            let last = conditions.conjunctions(id).last();
            last.map(|last| last.number() as i32 + 1)
        });
        let mut starts = vec![0];
        for end in ends {
            let before = starts[starts.len() - 1];
            starts.push(end.unwrap_or(before));
        }
        self.integers("first_conjunctions", starts.into_iter())?;
        let all = || (0..conditions.len()).map(|index| conditions.get(ConjunctionId::from_index(index)));
        self.rows(
            "literals",
            Rows::of(all().map(|one| one.literals.iter().map(|&one| signed(one)))),
        )?;
        let mut comparisons = Vec::new();
        let rows = Rows::of(all().map(|one| {
            let first = comparisons.len() as i32;
            comparisons.extend_from_slice(one.comparisons);
            first..comparisons.len() as i32
        }));
        self.integers("first_comparisons", rows.starts.into_iter())?;
        let operator = |comparison| match comparison {
            Comparison::Less => 0,
            Comparison::LessOrEqual => 1,
            Comparison::Equal => 2,
            Comparison::GreaterOrEqual => 3,
            Comparison::Greater => 4,
        };
        let list = || comparisons.iter();
        self.integers("comparison_operators", list().map(|one| operator(one.comparison)))?;
        self.integers("comparison_left", list().map(|one| one.left.index() as i32))?;
        self.integers("comparison_right", list().map(|one| one.right.index() as i32))?;
        let negated: Vec<bool> = list().map(|one| one.negated).collect();
        self.0
            .set_item("comparison_negated", PyArray1::from_vec(self.0.py(), negated))?;
        let kinds = ground.expressions.iter().map(|node| match node {
            GroundExpression::Number(_) => 0,
            GroundExpression::Fluent(_) => 1,
            // No ground task reads `?duration`, which has no value in it.
            GroundExpression::Undefined | GroundExpression::Special(Special::Duration) => 2,
            GroundExpression::Apply(ArithmeticOperator::Add, ..) => 3,
            GroundExpression::Apply(ArithmeticOperator::Subtract | ArithmeticOperator::Negate, ..) => 4,
            GroundExpression::Apply(ArithmeticOperator::Multiply, ..) => 5,
            GroundExpression::Apply(ArithmeticOperator::Divide, ..) => 6,
            GroundExpression::Special(Special::TotalTime) => 7,
            GroundExpression::Special(Special::GoalAchieved) => 8,
            GroundExpression::Special(Special::GoalProbability) => 9,
        });
        self.integers("expression_kinds", kinds)?;
        let values = ground.expressions.iter().map(|node| match node {
            GroundExpression::Number(value) => *value,
            _ => f64::NAN,
        });
        self.doubles("expression_values", values.collect())?;
        let left = ground.expressions.iter().map(|node| match node {
            GroundExpression::Fluent(id) => id.number() as i32,
            GroundExpression::Apply(_, left, _) => left.index() as i32,
            _ => -1,
        });
        self.integers("expression_left", left)?;
        let right = ground.expressions.iter().map(|node| match node {
            GroundExpression::Apply(_, _, right) => right.index() as i32,
            _ => -1,
        });
        self.integers("expression_right", right)
    }

    fn effects(&mut self, ground: &GroundTask) -> PyResult<()> {
        let effects = &ground.effects;
        let blocks = || (0..effects.len()).map(|index| effects.get(BlockId::from_index(index)));
        let atoms = |list: &[AtomId]| list.iter().map(|&atom| id(atom)).collect::<Vec<_>>();
        self.rows("adds", Rows::of(blocks().map(|block| atoms(block.adds))))?;
        self.rows("deletes", Rows::of(blocks().map(|block| atoms(block.deletes))))?;
        let operator = |operator| match operator {
            AssignOperator::Assign => 0,
            AssignOperator::Increase => 1,
            AssignOperator::Decrease => 2,
            AssignOperator::ScaleUp => 3,
            AssignOperator::ScaleDown => 4,
        };
        let assignments = |part: fn(&herbrand_ground::GroundAssignment) -> i32| {
            Rows::of(blocks().map(move |block| block.assignments.iter().map(part)))
        };
        self.rows(
            "assignment_targets",
            assignments(|one| one.target.number() as i32),
        )?;
        self.integers(
            "assignment_values",
            assignments(|one| one.value.index() as i32).items.into_iter(),
        )?;
        let operators = blocks().flat_map(|block| block.assignments.iter().map(|one| operator(one.operator)));
        self.integers("assignment_operators", operators)?;
        let whens = Rows::of(blocks().map(|block| block.whens.iter().map(|when| when.1.number() as i32)));
        self.rows("when_blocks", whens)?;
        let conditions = blocks().flat_map(|block| block.whens.iter().map(|when| when.0.number() as i32));
        self.integers("when_conditions", conditions)?;
        self.rows(
            "draws",
            Rows::of(blocks().map(|block| block.draws.iter().map(|draw| draw.index() as i32))),
        )?;
        let draws = || (0..effects.chances()).map(|index| effects.draw(ChanceId::from_index(index)));
        self.rows(
            "alternative_blocks",
            Rows::of(draws().map(|draw| draw.blocks.iter().map(|block| block.number() as i32))),
        )?;
        let shares =
            draws().flat_map(|draw| (0..draw.blocks.len()).map(move |at| draw.distribution.share(at)));
        self.doubles("alternative_probabilities", shares.collect())
    }
}
