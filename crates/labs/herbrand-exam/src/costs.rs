//! Domains without the numbers that nothing reads, such as costs.

use herbrand_ground::{AtomId, GroundOptions, GroundTask, NormalDomain};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Effect, Formula, Problem};
use herbrand_step::{Simulator, SpaceOptions, StateSpace, compile_within};

/// The number of states in which the valid actions are compared.
const STATES: usize = 2_000;

/// Returns why numbers matter to the questions about a problem; `None` if no condition reads a number and no reward is one.
pub(crate) fn meaning(domain: &Domain, problem: &Problem) -> Option<&'static str> {
    let mut compares = false;
    let mut visit = |formula: &Formula| {
        formula.walk(&mut |part, _| compares |= matches!(part, Formula::Compare(..)));
    };
    visit(&problem.goal);
    domain.axioms.iter().for_each(|axiom| visit(&axiom.body));
    for schema in &domain.schemas {
        visit(&schema.precondition);
        schema.effect.walk(&mut |part| {
            if let Effect::When(condition, _) = part {
                visit(condition);
            }
        });
    }
    if compares {
        return Some("numbers that a condition compares");
    }
    let mut gives = problem.goal_reward.is_some();
    for schema in &domain.schemas {
        schema.effect.walk(&mut |part| {
            if let Effect::Assign(assignment) = part {
                let function = &domain.functions[assignment.target.function.index()];
                gives |= function.name.as_str() == "reward";
            }
        });
    }
    (gives && problem.has_rewards(domain)).then_some("rewards (`reward`)")
}

/// Removes all numbers. Call it if they have no [`meaning`].
pub(crate) fn remove_numbers(domain: &mut Domain, problem: &mut Problem) {
    domain.functions.clear();
    for schema in &mut domain.schemas {
        remove(&mut schema.effect);
    }
    problem.values.clear();
    problem.metric = None;
}

fn remove(effect: &mut Effect) {
    match effect {
        Effect::Assign(_) => *effect = Effect::NOTHING,
        Effect::And(parts) => {
            parts.iter_mut().for_each(remove);
            parts.retain(|part| *part != Effect::NOTHING);
        }
        Effect::Forall(_, inner) | Effect::When(_, inner) => {
            remove(inner);
            if **inner == Effect::NOTHING {
                *effect = Effect::NOTHING;
            }
        }
        Effect::Probabilistic(alternatives) => {
            alternatives.iter_mut().for_each(|(_, inner)| remove(inner));
        }
        Effect::Add(_) | Effect::Delete(_) => {}
    }
}

/// Returns an action that is valid without the numbers only, because an amount has no value; `None` if there is none in the
/// first states, or if a problem is faulty.
pub(crate) fn differing_action(domain: &Domain, problem: &Problem, budget: &Budget) -> Option<String> {
    let (mut bare_domain, mut bare) = (domain.clone(), problem.clone());
    remove_numbers(&mut bare_domain, &mut bare);
    // The texts are the models of the questions.
    let text = bare.to_pddl(&bare_domain);
    let bare_domain = Domain::from_text(&bare_domain.to_pddl()).ok()?;
    let bare = Problem::from_text(&text, &bare_domain).ok()?;
    let with = simulator(domain, problem, budget)?;
    let without = simulator(&bare_domain, &bare, budget)?;
    let options = SpaceOptions {
        states: STATES,
        ..SpaceOptions::default()
    };
    let space = StateSpace::explore(&without, &options, budget).ok()?;
    for number in 0..space.len() {
        let state = space.state(number)?;
        let atoms = state
            .fluents()
            .filter_map(|atom| same(&without, atom, with.task()));
        let numbered = with.state_from_atoms(atoms).ok()?;
        let valid: Vec<String> = texts(&with, &numbered);
        let surplus = texts(&without, &state)
            .into_iter()
            .find(|text| !valid.contains(text));
        if surplus.is_some() {
            return surplus;
        }
    }
    None
}

fn simulator(domain: &Domain, problem: &Problem, budget: &Budget) -> Option<Simulator> {
    let normal = NormalDomain::of(domain);
    compile_within(domain, &normal, problem, &GroundOptions::default(), budget).ok()
}

/// Returns the atom of another task with the same predicate and arguments.
fn same(from: &Simulator, atom: AtomId, to: &GroundTask) -> Option<AtomId> {
    let atom = from.task().atoms.get(atom.index())?;
    to.find_atom(atom.predicate, atom.arguments)
}

fn texts(simulator: &Simulator, state: &herbrand_step::State) -> Vec<String> {
    let valid = simulator.valid_actions(state).into_iter();
    valid
        .map(|action| simulator.task().display_action(action).to_string())
        .collect()
}
