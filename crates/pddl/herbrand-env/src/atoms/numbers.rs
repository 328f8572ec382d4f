//! The places of numeric fluents in observations.

use herbrand_ground::{FunctionKind, NormalDomain, NumericId, Vocabulary};
use herbrand_pddl::{Domain, Expression, Formula, FunctionId, InitialChance, ObjectId};
use herbrand_step::{LiftedWalker, Walker};

use super::TooManyAtoms;
use super::lifted::LIMIT;
use crate::action::ids::Placed;
use crate::action::{Overflow, TermNumbers};
use crate::error::EnvError;
use crate::suite::Suite;

/// Returns the functions that operators change.
pub(crate) fn changed_functions(domain: &Domain) -> Vec<FunctionId> {
    let kinds = NormalDomain::of(domain).functions.into_iter();
    let ids = (0..).map(FunctionId::new).zip(kinds);
    ids.filter(|(_, kind)| *kind != FunctionKind::Static)
        .map(|(id, _)| id)
        .collect()
}

/// Returns the functions whose values are part of the states of a suite's problems: those that operators change or that the
/// initial state draws, except `total-cost` and `reward` where only the metric reads them.
///
/// # Errors
/// Fails if a problem is faulty.
pub(crate) fn state_functions(suite: &Suite) -> Result<Vec<FunctionId>, EnvError> {
    let mut kinds = NormalDomain::of(suite.domain()).functions;
    let problems = if kinds.is_empty() { 0 } else { suite.len() };
    for index in 0..problems {
        let problem = suite.parse_problem(index)?;
        problem.goal.walk(&mut |part, _| {
            if let Formula::Compare(_, left, right) = part {
                left.walk(&mut |part| mark_read(part, &mut kinds));
                right.walk(&mut |part| mark_read(part, &mut kinds));
            }
        });
        mark_drawn(&problem.chances, &mut kinds);
    }
    let ids = (0..).map(FunctionId::new).zip(kinds);
    let fluents = ids.filter(|(_, kind)| *kind == FunctionKind::Fluent);
    Ok(fluents.map(|(id, _)| id).collect())
}

fn mark_read(part: &Expression, kinds: &mut [FunctionKind]) {
    if let Expression::Fluent(term) = part
        && kinds[term.function.index()] == FunctionKind::Accumulator
    {
        kinds[term.function.index()] = FunctionKind::Fluent;
    }
}

fn mark_drawn(chances: &[InitialChance], kinds: &mut [FunctionKind]) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        for value in &outcome.values {
            kinds[value.function.index()] = FunctionKind::Fluent;
        }
        mark_drawn(&outcome.chances, kinds);
    }
}

/// Iterates over the defined numeric fluents of a walker's state with their values.
pub(crate) fn grounded_numbers(walker: &Walker) -> impl Iterator<Item = (FunctionId, &[ObjectId], f64)> {
    let task = walker.simulator().task();
    let numbers = (0..).map(NumericId::new).zip(&task.numerics);
    numbers
        .take(task.state_numerics as usize)
        .filter_map(|(id, fluent)| Some((fluent.function, &fluent.arguments[..], walker.numeric(id)?)))
}

/// Like [`grounded_numbers`], on the lifted engine.
pub(crate) fn lifted_numbers(walker: &LiftedWalker) -> impl Iterator<Item = (FunctionId, &[ObjectId], f64)> {
    let numbers = walker.state().numbers().iter();
    numbers.map(|number| (number.function, &number.arguments[..], number.value()))
}

/// The places of a problem's numeric fluents in observations: all type-correct ones, ordered by function and then by objects,
/// or by the places of objects with the ids of a suite.
#[derive(Clone, Debug)]
pub(crate) struct FluentPlaces {
    /// For each function, its position among those that have places.
    heads: Vec<Option<usize>>,
    numbers: TermNumbers,
    placed: Option<Placed>,
}

impl FluentPlaces {
    pub(crate) fn new(
        own: &Vocabulary,
        placed: Option<&Placed>,
        functions: &[FunctionId],
    ) -> Result<Self, TooManyAtoms> {
        let vocabulary = placed.map_or(own, Placed::vocabulary);
        let signatures = functions.iter().map(|&id| vocabulary.function(id));
        let numbers = TermNumbers::of_signatures(vocabulary, signatures, LIMIT);
        let mut heads = vec![None; own.functions.len()];
        for (head, function) in functions.iter().enumerate() {
            heads[function.index()] = Some(head);
        }
        Ok(Self {
            heads,
            numbers: numbers.map_err(|Overflow(function)| TooManyAtoms {
                term: format!("function `{function}`"),
                limit: LIMIT,
            })?,
            placed: placed.cloned(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the place of a numeric fluent; `None` if its function has none.
    pub(crate) fn place(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<usize> {
        let head = self.heads[function.index()]?;
        let place = match &self.placed {
            None => self.numbers.number(head, arguments),
            Some(placed) => placed.number(&self.numbers, head, arguments),
        };
        Some(place? as usize)
    }
}
