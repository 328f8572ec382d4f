//! Writes the ground task of an incremental grounding.

use herbrand_datalog::{Atom, Evaluator, FactId, Facts, Firing, Model, Program, RuleId, Sink, Symbol, Term};
use herbrand_limits::Budget;

use super::Grounding;
use super::actions::live_firings;
use crate::instance::{self, Input, Recorder};
use crate::program::{Meaning, ReachabilityProgram, strata};
use crate::{GroundError, GroundTask, inline};

/// Writes the task from the stored facts and firings, in the same way as grounding writes it from an evaluation.
pub(super) fn write(kept: &Grounding, budget: &Budget) -> Result<GroundTask, GroundError> {
    let (domain, problem, normal) = (&*kept.domain, &*kept.problem, &*kept.normal);
    let goal = normal.goal(problem, budget)?;
    let strata = strata(domain, problem, normal, &goal, budget)?;
    let mut reachability = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
    let objects = kept.symbols.objects();
    let facts = facts(kept, &mut reachability, &objects);
    let model = Evaluator::new(&tables(&reachability.program))?.run(&facts, &mut ())?;
    drop(facts);
    let mut recorder = Recorder::new(&reachability.program, &reachability.meanings);
    record(kept, &reachability, &objects, &model, &mut recorder);
    let input = Input {
        normal,
        goal: &goal,
        reachability: &reachability,
        model: &model,
        strata: &strata,
        budget,
    };
    let task = inline::inline_auxiliaries(instance::instantiate(&input, recorder)?, budget)?;
    budget.check("writing the ground task", task.bytes() as u64)?;
    Ok(task)
}

/// Returns the relations of a program without its rules. A model of this program is its input.
fn tables(program: &Program) -> Program {
    let mut tables = Program::new();
    tables.reserve_symbols(program.symbols());
    for (id, relation) in program.relation_ids().zip(program.relations()) {
        if program.is_static(id) {
            tables.relation(relation.name.clone(), relation.arity);
        } else {
            tables.fluent(relation.name.clone(), relation.arity);
        }
    }
    tables
}

/// Translates a tuple to the object numbers of the problem.
fn put(tuple: &[Symbol], objects: &[Option<Symbol>], into: &mut Vec<Symbol>) {
    into.clear();
    into.extend(tuple.iter().filter_map(|symbol| objects[symbol.index()]));
}

/// Instantiates an atom under a binding.
fn instantiate(atom: &Atom, binding: &[Symbol], into: &mut Vec<Symbol>) {
    into.clear();
    into.extend(atom.terms.iter().map(|term| match *term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    }));
}

/// Returns the input of the relaxed program, together with the facts derived from it.
fn facts(kept: &Grounding, reachability: &mut ReachabilityProgram<'_>, objects: &[Option<Symbol>]) -> Facts {
    let mut facts = std::mem::take(&mut reachability.facts);
    let mut renamed = Vec::new();
    for (relation, tuple) in kept.below.iter() {
        put(tuple, objects, &mut renamed);
        facts.add(relation, &renamed);
    }
    let derived = &kept.kept;
    let ids = derived.model().ids();
    for fact in ids.filter(|fact| derived.is_held(*fact) && derived.given(*fact) == 0) {
        put(derived.model().tuple(fact), objects, &mut renamed);
        facts.add(derived.model().relation(fact), &renamed);
    }
    facts
}

/// Passes the firings of actions and axioms to the recorder.
fn record(
    kept: &Grounding,
    reachability: &ReachabilityProgram<'_>,
    objects: &[Option<Symbol>],
    model: &Model,
    recorder: &mut Recorder,
) {
    let (derived, live) = (&kept.kept, &kept.live);
    let program = &reachability.program;
    let (mut renamed, mut binding) = (Vec::new(), Vec::new());
    // For each stored fact, its id in `model`.
    let numbers: Vec<Option<FactId>> = derived
        .model()
        .ids()
        .map(|fact| {
            put(derived.model().tuple(fact), objects, &mut renamed);
            let holds = derived.is_held(fact);
            holds.then(|| model.id(derived.model().relation(fact), &renamed))?
        })
        .collect();
    let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
    for id in live_firings(derived) {
        let rule: RuleId = derived.rule(id);
        let origin = live.origins[rule.index()];
        if reachability.meanings[origin.index()] == Meaning::Support {
            continue;
        }
        let number = |fact: FactId| numbers[fact.index()];
        put(derived.binding(id), objects, &mut binding);
        premises.clear();
        let mut told = derived.premises(id);
        for atom in program.rules()[origin.index()].positive() {
            // Facts of frozen relations are not stored as premises.
            let fact = if live.is_frozen(atom.relation) {
                instantiate(atom, &binding, &mut renamed);
                model.id(atom.relation, &renamed)
            } else {
                told.next().and_then(number)
            };
            premises.extend(fact.filter(|_| !program.is_static(atom.relation)));
        }
        conclusions.clear();
        conclusions.extend(derived.conclusions(id).filter_map(number));
        let firing = Firing {
            rule: origin,
            binding: &binding,
            premises: &premises,
            conclusions: &conclusions,
        };
        let _ = recorder.fired(&firing);
    }
}
