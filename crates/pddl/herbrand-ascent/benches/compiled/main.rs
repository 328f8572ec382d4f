//! Compares compiled domains with the engine's evaluator: `cargo bench -p herbrand-ascent -- FOLDER`.
//!
//! For each domain, the problem is the file `DOMAIN.pddl` in the folder, which `herbrand generate DOMAIN --size N` can
//! create. Without a folder, it is the last bundled test problem. Two tasks are measured with the compiled module and the
//! generic ascent program. Grounding evaluates the relaxed program. The task "states" evaluates the
//! exact program from scratch for each state of a random walk. The result is the least CPU time of several runs. Both must find the same number of actions.

#[allow(dead_code, reason = "tests ask for more")]
#[path = "../../tests/compiled/pair.rs"]
mod pair;
#[allow(dead_code, reason = "tests ask for more")]
#[path = "../../tests/compiled/subject.rs"]
mod subject;

use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_datalog::{Evaluator, Facts, Firing, Model, Program, Symbol};
use herbrand_ground::{LiftedTask, NormalDomain, RelaxedProgram};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{LiftedState, Random};

use pair::Pair;
use subject::{Compiled, subject};

subject!(blocks_derived: "../../../domains/blocks-derived/domain.pddl");
subject!(elevator_adl: "../../../domains/elevator-adl/domain.pddl");
subject!(logistics: "../../../domains/logistics/domain.pddl");
subject!(maze_reachability: "../../../domains/maze-reachability/domain.pddl");
subject!(sokoban: "../../../domains/sokoban/domain.pddl");
subject!(supply: "../../../domains/supply/domain.pddl");

/// The number of runs per measurement.
const RUNS: usize = 3;

/// The maximal number of states in a walk.
const STATES: usize = 50;

/// The times of the compiled module and the generic ascent program.
type Times = [Duration; 2];

/// Returns the least time of several runs, and the result of the last one.
fn timed<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut once = || {
        let start = ProcessTime::now();
        let result = std::hint::black_box(run());
        (start.elapsed(), result)
    };
    let mut best = once();
    for _ in 1..RUNS {
        let next = once();
        best = (best.0.min(next.0), next.1);
    }
    best
}

/// Runs a program and counts the firings of action rules.
fn evaluate(program: &Program, facts: &Facts, of_action: &[bool]) -> (Model, usize) {
    let mut firings = 0;
    let mut sink = |firing: &Firing<'_>| {
        firings += usize::from(of_action[firing.rule.index()]);
        ControlFlow::Continue(())
    };
    let evaluator = Evaluator::new(program).expect("the program is sound");
    let model = evaluator.run(facts, &mut sink).expect("there are no limits");
    (model, firings)
}

/// Measures grounding. Returns the times and the numbers of facts and actions.
fn grounding<C: Compiled>(pair: &Pair<'_, C>) -> Result<(Times, usize, usize), Box<dyn Error>> {
    let normal = NormalDomain::of(pair.domain);
    let relaxed = RelaxedProgram::of(pair.domain, &normal, pair.problem, &Budget::unlimited())?;
    let of_action: Vec<_> = relaxed.schemas.iter().map(Option::is_some).collect();
    let (compiled, actions) = timed(|| pair.compiled.count_reachable());
    let generic = timed(|| evaluate(&relaxed.program, &relaxed.facts, &of_action));
    assert!(generic.1.1 >= actions, "both find the actions");
    Ok(([compiled, generic.0], generic.1.0.len(), actions))
}

/// Returns the input of the exact program for a state.
fn state_facts(task: &LiftedTask, state: &LiftedState) -> Facts {
    let mut facts = task.statics.clone();
    let mut tuple = Vec::new();
    for fact in state.atoms() {
        tuple.clear();
        tuple.extend(fact.arguments.iter().map(|object| Symbol::new(object.number())));
        facts.add(task.relations[fact.predicate.index()], &tuple);
    }
    facts
}

/// Measures the evaluation of the states of a walk. Returns the total times and the number of states.
fn states<C: Compiled>(pair: &Pair<'_, C>) -> (Times, usize) {
    let mut rng = Random::new(5);
    let mut walker = pair.simulator.walker().expect("a walker within its limits");
    let mut walk = Vec::new();
    while walk.len() < STATES {
        walk.push(walker.state().clone());
        let Some(action) = walker.sample(&mut rng) else {
            break;
        };
        let (schema, arguments) = (action.schema, action.arguments.to_vec());
        if walker.apply(schema, &arguments, &mut rng).is_err() {
            break;
        }
    }
    let task = pair.task();
    let compiled: Vec<_> = walk.iter().map(|state| pair.facts(state)).collect();
    let given: Vec<_> = walk.iter().map(|state| state_facts(task, state)).collect();
    let relations: Vec<_> = task
        .actions
        .iter()
        .flat_map(|action| &action.ways)
        .map(|way| way.relation)
        .collect();
    let of_action = vec![false; task.program.rules().len()];
    let generic = timed(|| {
        let count = |facts| {
            let (model, _) = evaluate(&task.program, facts, &of_action);
            let mut relations = relations.clone();
            relations.dedup();
            relations
                .into_iter()
                .map(|relation| model.tuples(relation).len())
                .sum::<usize>()
        };
        given.iter().map(count).sum::<usize>()
    });
    let (time, actions) = timed(|| {
        compiled
            .iter()
            .map(|state| pair.compiled.count_applicable(state))
            .sum::<usize>()
    });
    assert_eq!(generic.1, actions, "both find the same actions");
    ([time, generic.0], walk.len())
}

/// Returns the problem of a domain, from a file in the folder or from the bundled problems.
fn problem_text(name: &str, folder: Option<&Path>) -> std::io::Result<String> {
    match folder {
        Some(folder) => std::fs::read_to_string(folder.join(format!("{name}.pddl"))),
        None => Ok(herbrand_domains::file(&format!("{name}/test/10.pddl"))
            .unwrap_or_default()
            .to_owned()),
    }
}

fn report<C: Compiled>(name: &str, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let domain =
        Domain::from_text(herbrand_domains::file(&format!("{name}/domain.pddl")).unwrap_or_default())?;
    let problem = Problem::from_text(&problem_text(name, folder)?, &domain)?;
    let pair = Pair::<C>::of(&domain, &problem);
    let (ground, facts, actions) = grounding(&pair)?;
    let (each, count) = states(&pair);
    let ground = ground.map(|time| format!("{:.2}", time.as_secs_f64() * 1e3));
    let each = each.map(|time| format!("{:.0}", time.as_secs_f64() * 1e6 / count as f64));
    println!(
        "| {name} | {facts} | {actions} | {} | {} |",
        ground.join(" | "),
        each.join(" | ")
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1);
    let folder = arguments
        .filter(|argument| !argument.starts_with('-'))
        .map(PathBuf::from)
        .next();
    let folder = folder.as_deref();
    println!("| problem | facts | actions | compiled ms | ascent ms | compiled µs | ascent µs |");
    println!("|---|---|---|---|---|---|---|");
    report::<blocks_derived::Problem>("blocks-derived", folder)?;
    report::<elevator_adl::Problem>("elevator-adl", folder)?;
    report::<logistics::Problem>("logistics", folder)?;
    report::<maze_reachability::Problem>("maze-reachability", folder)?;
    report::<sokoban::Problem>("sokoban", folder)?;
    report::<supply::Problem>("supply", folder)
}
