//! Problems with another initial state.

use std::collections::BTreeMap;

use herbrand_ground::NumericId;
use herbrand_pddl::{AtomList, Domain, FunctionId, FunctionValue, Number, ObjectId, Problem};
use herbrand_step::{Simulator, State};

/// Returns the problem with the initial state `state`, which must be a state of a simulator of `problem`. Everything
/// else stays the same, including the initial truth of atoms and values of numbers that grounding dropped because
/// nothing changes or reads them. A random initial state becomes the deterministic `state`. Accumulators such as
/// `total-cost` keep their initial values. Write it by [`Problem::to_pddl`]. `domain` is the domain of the problem. A
/// state of another problem is not noticed: the result is then meaningless.
///
/// This relies on the ids of a ground task: its objects, predicates and functions have the same ids as in the domain and
/// problem, and additional ones come after them.
#[must_use]
pub fn problem_at(domain: &Domain, problem: &Problem, simulator: &Simulator, state: &State) -> Problem {
    Problem {
        init: facts(domain, problem, simulator, state),
        values: values(problem, simulator, state),
        chances: Vec::new(),
        ..problem.clone()
    }
}

fn facts(domain: &Domain, problem: &Problem, simulator: &Simulator, state: &State) -> AtomList {
    let task = simulator.task();
    let mut facts = AtomList::default();
    for fact in problem.init.iter() {
        if task.find_atom(fact.predicate, fact.arguments).is_none() {
            facts.push(fact.predicate, fact.arguments);
        }
    }
    let atoms = state.fluents().filter_map(|atom| task.atoms.get(atom.index()));
    for atom in atoms.filter(|atom| atom.predicate.index() < domain.predicates.len()) {
        facts.push(atom.predicate, atom.arguments);
    }
    facts
}

fn values(problem: &Problem, simulator: &Simulator, state: &State) -> Vec<FunctionValue> {
    let task = simulator.task();
    let mut values: BTreeMap<(FunctionId, Vec<ObjectId>), Number> = problem
        .values
        .iter()
        .map(|value| ((value.function, value.arguments.clone()), value.value))
        .collect();
    for id in (0..task.state_numerics).map(NumericId::new) {
        let numeric = &task.numerics[id.index()];
        let key = (numeric.function, numeric.arguments.clone());
        match state.numeric(id).and_then(Number::new) {
            Some(value) => values.insert(key, value),
            None => values.remove(&key),
        };
    }
    let values = values.into_iter();
    values
        .map(|((function, arguments), value)| FunctionValue {
            function,
            arguments,
            value,
        })
        .collect()
}
