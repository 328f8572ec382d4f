//! Compares all engines with other planners on the bundled domains, by traces of pymimir and PDDLGym and by exact outcome
//! tables of a plain enumerator. `tests/traces/README.md` describes how they were made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use herbrand::env::trace::{Header, Replayer};
use herbrand::env::{EngineKind, Registry, Suite};
use herbrand::{Domain, Problem, Simulator, State, compile};
use serde::Deserialize;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files of `tests/traces` with this ending, in order.
fn recorded(ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests/traces")).expect("the folder of traces");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    paths.sort();
    paths
}

/// Returns a suite with the bundled problem of a trace.
fn suite(header: &Header) -> Suite {
    let suite = Registry::get(&header.domain).and_then(|suite| suite.problem(&header.problem));
    suite.unwrap_or_else(|error| panic!("{}: {error}", header.domain))
}

/// Replays a trace on all engines; returns the number of its states.
fn replay(path: &Path) -> u64 {
    let name = path.display();
    let text = fs::read_to_string(path).expect("a readable trace");
    let mut lines = text.as_bytes();
    let header = Replayer::read_header(&mut lines).unwrap_or_else(|error| panic!("{name}: {error}"));
    let suite = suite(&header);
    let kinds = [EngineKind::Grounded, EngineKind::Lifted];
    let states = kinds.map(|engine| {
        let replayer = Replayer::with_engine(&suite, 0, engine, header.clone()).expect("a sound problem");
        let replay = replayer.replay(lines);
        let replay = replay.unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(first) = &replay.first {
            panic!(
                "{name}, {engine:?}: {} differences, the first: {first}",
                replay.mismatches
            );
        }
        assert_eq!(replay.unverified, 0, "{name}");
        replay.states
    });
    assert_eq!(states, [states[0]; 2], "{name}");
    states[0]
}

#[test]
fn traces_by_pymimir_replay() {
    let traces = recorded(".pymimir.trace.jsonl");
    assert!(traces.len() >= 25, "only {} traces", traces.len());
    let states: u64 = traces.iter().map(|path| replay(path)).sum();
    assert!(states >= 1000, "only {states} states");
}

#[test]
fn traces_by_pddlgym_replay() {
    let traces = recorded(".pddlgym.trace.jsonl");
    assert!(traces.len() >= 10, "only {} traces", traces.len());
    let states: u64 = traces.iter().map(|path| replay(path)).sum();
    assert!(states >= 500, "only {states} states");
}

/// The first line of an outcome table.
#[derive(Deserialize)]
struct About {
    domain: String,
    problem: String,
}

/// A state with all of its valid operators.
#[derive(Deserialize)]
struct Row {
    atoms: Vec<String>,
    goal: bool,
    actions: BTreeMap<String, Vec<Change>>,
}

/// A possible outcome of an operator, as atoms added and deleted.
#[derive(Deserialize)]
struct Change {
    chance: String,
    added: BTreeSet<String>,
    deleted: BTreeSet<String>,
}

/// The probabilities of the added and deleted atoms of an action.
type Distribution = BTreeMap<(BTreeSet<String>, BTreeSet<String>), f64>;

fn fraction(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    number(above) / number(below)
}

fn fluents(simulator: &Simulator, state: &State) -> BTreeSet<String> {
    let task = simulator.task();
    state
        .fluents()
        .map(|atom| task.display_atom(atom).to_string())
        .collect()
}

fn distribution(simulator: &Simulator, state: &State, action: &str) -> Distribution {
    let before = fluents(simulator, state);
    let action = simulator.parse_action(action).expect("an operator");
    let outcomes = simulator.outcomes(state, action).expect("a valid operator");
    let mut distribution = Distribution::new();
    for outcome in outcomes {
        let after = fluents(simulator, &outcome.state);
        let change = (&after - &before, &before - &after);
        *distribution.entry(change).or_default() += outcome.probability;
    }
    distribution
}

fn compare(simulator: &Simulator, row: &Row, place: &str) {
    let task = simulator.task();
    // An atom that cannot be parsed is static, or unknown and then missed below.
    let atoms = row
        .atoms
        .iter()
        .filter_map(|atom| simulator.parse_atom(atom).ok());
    let state = simulator.state_from_atoms(atoms).expect("atoms of the task");
    assert_eq!(simulator.is_goal(&state), row.goal, "{place}: the goal");
    let valid: BTreeSet<String> = simulator
        .valid_actions(&state)
        .into_iter()
        .map(|action| task.display_action(action).to_string())
        .collect();
    assert_eq!(
        valid,
        row.actions.keys().cloned().collect(),
        "{place}: valid actions"
    );
    for (action, changes) in &row.actions {
        let found = distribution(simulator, &state, action);
        let expected: Distribution = changes
            .iter()
            .map(|change| {
                (
                    (change.added.clone(), change.deleted.clone()),
                    fraction(&change.chance),
                )
            })
            .collect();
        assert!(
            found.keys().eq(expected.keys()),
            "{place}: {action}: {found:?}, not {expected:?}"
        );
        for (found, expected) in found.values().zip(expected.values()) {
            assert!(
                (found - expected).abs() < 1e-12,
                "{place}: {action}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn outcomes_are_those_of_a_plain_enumerator() {
    let mut uncertain = BTreeSet::new();
    let tables = recorded(".outcomes.jsonl");
    for path in &tables {
        let text = fs::read_to_string(path).expect("a readable table");
        let (first, rows) = text.split_once('\n').expect("a line about the table");
        let about: About = serde_json::from_str(first).expect("the domain and the problem");
        let domains = root().join("domains");
        let domain = Domain::from_file(domains.join(&about.domain)).expect("a sound domain");
        let problem = Problem::from_file(domains.join(&about.problem), &domain).expect("a sound problem");
        let simulator = compile(&domain, &problem).expect("a small problem");
        for (number, line) in (2..).zip(rows.lines()) {
            let row: Row = serde_json::from_str(line).expect("a row");
            compare(&simulator, &row, &format!("{}, line {number}", path.display()));
            if row.actions.values().any(|outcomes| outcomes.len() > 1) {
                uncertain.insert(path);
            }
        }
    }
    assert_eq!(uncertain.len(), tables.len(), "every table has a draw");
    assert!(tables.len() >= 5, "only {} tables", tables.len());
}
