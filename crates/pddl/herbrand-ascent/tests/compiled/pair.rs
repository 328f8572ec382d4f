//! A problem of a compiled domain, filled from the engine's problem.

use herbrand_ground::{FunctionKind, LiftedTask, TruthSource};
use herbrand_pddl::{AtomRef, Domain, InitialChance, ObjectId, PredicateKind, Problem};
use herbrand_step::{LiftedSimulator, LiftedState};

use crate::subject::{Compiled, Part};

/// A domain and one of its problems, in the engine and compiled.
pub struct Pair<'a, C> {
    pub domain: &'a Domain,
    pub problem: &'a Problem,
    pub simulator: LiftedSimulator,
    pub compiled: C,
}

/// Returns the numbers of some objects.
pub fn numbers(arguments: &[ObjectId]) -> Vec<u32> {
    arguments.iter().map(|object| object.number()).collect()
}

impl<'a, C: Compiled> Pair<'a, C> {
    pub fn of(domain: &'a Domain, problem: &'a Problem) -> Self {
        let simulator = LiftedSimulator::compile(domain, problem).expect("the problem is lifted");
        let mut this = Self {
            domain,
            problem,
            simulator,
            compiled: C::default(),
        };
        for (object, number) in problem.objects[problem.constants as usize..]
            .iter()
            .zip(problem.constants..)
        {
            let types = object
                .types
                .types()
                .iter()
                .map(|&one| domain.type_of(one).name.as_str());
            this.compiled.object(number, &types.collect::<Vec<_>>());
        }
        for fact in problem.init.iter() {
            let part = match this.task().truth_source(fact.predicate) {
                TruthSource::Static => Part::Statics,
                _ => Part::Initial,
            };
            this.insert(part, fact);
        }
        this.add_outcomes(&problem.chances);
        for value in &problem.values {
            if this.task().functions[value.function.index()] == FunctionKind::Static {
                let (function, arguments) =
                    (&domain.function(value.function).name, numbers(&value.arguments));
                let facts = this.compiled.part(Part::Statics);
                C::set(facts, function.as_str(), &arguments, value.value.value());
            }
        }
        this
    }

    pub fn task(&self) -> &LiftedTask {
        self.simulator.task()
    }

    /// Adds a fact of the problem, unless it belongs to the predicate of an agent action.
    fn insert(&mut self, part: Part, fact: AtomRef<'_>) {
        let predicate = self.domain.predicate(fact.predicate);
        if predicate.kind != PredicateKind::Action {
            C::insert(
                self.compiled.part(part),
                predicate.name.as_str(),
                &numbers(fact.arguments),
            );
        }
    }

    fn add_outcomes(&mut self, chances: &[InitialChance]) {
        for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
            outcome
                .facts
                .iter()
                .for_each(|fact| self.insert(Part::Possible, fact));
            self.add_outcomes(&outcome.chances);
        }
    }

    /// Converts a state of the engine to facts of the compiled domain.
    pub fn facts(&self, state: &LiftedState) -> C::Facts {
        let mut facts = C::Facts::default();
        for fact in state.atoms() {
            C::insert(
                &mut facts,
                self.domain.predicate(fact.predicate).name.as_str(),
                &numbers(fact.arguments),
            );
        }
        for number in state.numbers() {
            C::set(
                &mut facts,
                self.domain.function(number.function).name.as_str(),
                &numbers(&number.arguments),
                number.value(),
            );
        }
        facts
    }
}
