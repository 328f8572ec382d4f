//! What follows from a state, kept or evaluated anew.

use std::collections::BTreeSet;

use herbrand_datalog::{Database, Facts, RelationId, Symbol, View};
use herbrand_pddl::ObjectId;

use super::tables::{Inner, Upkeep};
use super::tuples::symbol;

/// Facts of the program's input that begin or cease to hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Where the symbols of each end, and whether it holds from now on.
    facts: Vec<(RelationId, usize, bool)>,
    symbols: Vec<Symbol>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.symbols.clear();
    }

    pub(super) fn push(&mut self, relation: RelationId, objects: &[ObjectId], holds: bool) {
        self.symbols.extend(objects.iter().copied().map(symbol));
        self.facts.push((relation, self.symbols.len(), holds));
    }

    fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol], bool)> {
        let mut start = 0;
        self.facts.iter().map(move |&(relation, end, holds)| {
            (
                relation,
                &self.symbols[std::mem::replace(&mut start, end)..end],
                holds,
            )
        })
    }
}

/// The model of the current state.
#[derive(Clone, Debug)]
pub(super) enum Closure {
    /// Kept from step to step.
    Kept(Box<View>),
    /// Evaluated by ascent for every state.
    Evaluated(Box<Evaluated>),
}

/// A model that is thrown away at every change.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// All facts, for the guards of effects to be asked.
    database: Database,
    input: BTreeSet<(RelationId, Vec<Symbol>)>,
    derived: Vec<(RelationId, Vec<Symbol>)>,
}

impl Closure {
    /// The closure of an empty input; `report` is told of what holds even so.
    pub(super) fn new(
        inner: &Inner,
        upkeep: Upkeep,
        mut report: impl FnMut(RelationId, &[Symbol], bool),
    ) -> Self {
        match upkeep {
            Upkeep::Kept => {
                let view = inner.views.view(&inner.task.statics, |relation, tuple| {
                    report(relation, tuple, true)
                });
                Self::Kept(Box::new(
                    view.expect("the program and its facts were checked, and no limit is set"),
                ))
            }
            Upkeep::Evaluated => {
                let mut evaluated = Box::new(Evaluated {
                    database: inner.views.database(),
                    input: BTreeSet::new(),
                    derived: Vec::new(),
                });
                evaluated.evaluate(inner, &mut report);
                Self::Evaluated(evaluated)
            }
        }
    }

    /// All facts that hold.
    pub(super) fn database(&self) -> &Database {
        match self {
            Self::Kept(view) => view.database(),
            Self::Evaluated(evaluated) => &evaluated.database,
        }
    }

    /// Changes the input, and tells `report` of the derived facts that change. A fact that ceases to hold and holds
    /// again after all may be told of twice.
    pub(super) fn update(
        &mut self,
        inner: &Inner,
        changes: &Changes,
        mut report: impl FnMut(RelationId, &[Symbol], bool),
    ) {
        match self {
            Self::Kept(view) => view.update(changes.iter(), report),
            Self::Evaluated(evaluated) => {
                for (relation, tuple, holds) in changes.iter() {
                    evaluated.change(relation, tuple, holds);
                }
                evaluated.evaluate(inner, &mut report);
            }
        }
    }
}

impl Evaluated {
    fn change(&mut self, relation: RelationId, tuple: &[Symbol], holds: bool) {
        if holds {
            self.database.insert(relation, tuple);
            self.input.insert((relation, tuple.to_vec()));
        } else {
            self.database.remove(relation, tuple);
            self.input.remove(&(relation, tuple.to_vec()));
        }
    }

    fn evaluate(&mut self, inner: &Inner, report: &mut impl FnMut(RelationId, &[Symbol], bool)) {
        for (relation, tuple) in self.derived.drain(..) {
            self.database.remove(relation, &tuple);
            report(relation, &tuple, false);
        }
        let mut facts: Facts = inner.task.statics.clone();
        self.input
            .iter()
            .for_each(|(relation, tuple)| facts.add(*relation, tuple));
        let model = inner
            .views
            .evaluate(&facts)
            .expect("the program and its facts were checked, and no limit is set");
        for fact in model.ids() {
            let (relation, tuple) = (model.relation(fact), model.tuple(fact));
            if self.database.insert(relation, tuple) {
                self.derived.push((relation, tuple.to_vec()));
                report(relation, tuple, true);
            }
        }
    }
}
