//! The places of numeric fluents in observations.

use herbrand_ground::{FunctionKind, NormalDomain, NumericId, Vocabulary};
use herbrand_pddl::{Domain, FunctionId, ObjectId};
use herbrand_step::{LiftedWalker, Walker};

use super::TooManyAtoms;
use super::lifted::LIMIT;
use crate::action::ids::Placed;
use crate::action::{Overflow, TermNumbers};

/// Returns the functions that operators change.
pub(crate) fn changed_functions(domain: &Domain) -> Vec<FunctionId> {
    let kinds = NormalDomain::of(domain).functions.into_iter();
    let ids = (0..).map(FunctionId::new).zip(kinds);
    ids.filter(|(_, kind)| *kind != FunctionKind::Static)
        .map(|(id, _)| id)
        .collect()
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
