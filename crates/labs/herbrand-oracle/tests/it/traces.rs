//! Replays of traces recorded from independent engines: states, derived atoms, valid actions, goals and successors must
//! agree. The traces are not part of the project; if they are missing, the test passes with a message.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use herbrand_oracle::{GroundAction, GroundAtom, Oracle, OracleState};
use herbrand_pddl::{Domain, ObjectId, PredicateKind, Problem, Term};
use serde::Deserialize;

/// The first line of a trace: its task.
#[derive(Deserialize)]
struct Header {
    domain: String,
    problem: String,
    /// The atoms that are true in every state, including type atoms. Traces of PDDLGym do not have them.
    #[serde(rename = "static", default)]
    statics: Vec<String>,
    /// The agent's actions, if the trace lists them instead of operators.
    agent_actions: Option<Vec<String>>,
}

/// A line of a trace: a visited state.
#[derive(Deserialize)]
struct Line {
    step: usize,
    /// The true fluent atoms. Some traces have all true atoms in `atoms` instead.
    #[serde(default)]
    fluents: Vec<String>,
    #[serde(default)]
    atoms: Vec<String>,
    derived: Option<Vec<String>>,
    actions: Vec<String>,
    goal: bool,
    chosen: Option<String>,
}

/// A task with the header of its trace.
struct Replay<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    oracle: Oracle<'a>,
    header: &'a Header,
}

/// Normalises the blanks in a list: `(a b )` becomes `(a b)`.
fn tidy(text: &str) -> String {
    let inner = text.trim_matches(['(', ')']);
    format!("({})", inner.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Replay<'_> {
    /// Returns the recorded atoms whose predicates are declared and, depending on `derived`, derived or not.
    fn declared<'t>(&self, atoms: impl IntoIterator<Item = &'t String>, derived: bool) -> BTreeSet<String> {
        let atoms = atoms.into_iter().map(|atom| tidy(atom));
        let counts = |atom: &String| {
            let head = atom
                .trim_matches(['(', ')'])
                .split(' ')
                .next()
                .unwrap_or_default();
            let kind = self
                .domain
                .find_predicate(head)
                .map(|id| self.domain.predicate(id).kind);
            kind.is_some_and(|kind| {
                kind != PredicateKind::Action && (kind == PredicateKind::Derived) == derived
            })
        };
        atoms.filter(counts).collect()
    }

    fn texts<'t>(&self, atoms: impl IntoIterator<Item = &'t GroundAtom>) -> BTreeSet<String> {
        atoms
            .into_iter()
            .map(|atom| self.oracle.atom_text(atom))
            .collect()
    }

    /// Returns the name of an action in the trace, or `None` if the trace does not list it. PDDLGym lists only the agent's
    /// actions, and omits actions in which an object occurs twice.
    fn recorded(&self, action: &GroundAction) -> Option<String> {
        if self.header.agent_actions.is_none() {
            return Some(self.oracle.action_text(action));
        }
        let agent = self.domain.schema(action.schema).agent.as_ref()?;
        let object = |term: &Term| match *term {
            Term::Variable(variable) => action.arguments[variable.index()],
            Term::Object(object) => object,
        };
        let arguments: Vec<ObjectId> = agent.arguments.iter().map(object).collect();
        let distinct = arguments.iter().collect::<BTreeSet<_>>().len() == arguments.len();
        distinct.then(|| {
            self.oracle.atom_text(&GroundAtom {
                predicate: agent.predicate,
                arguments,
            })
        })
    }

    /// Checks one state. Returns the possible successors by the chosen action.
    fn check(&self, state: &OracleState, line: &Line) -> Vec<OracleState> {
        let place = format!(
            "{} of {}, step {}",
            self.problem.name, self.domain.name, line.step
        );
        let derived = self.oracle.derived(state);
        if let Some(recorded) = &line.derived {
            assert_eq!(
                self.texts(&derived),
                self.declared(recorded, true),
                "derived atoms in {place}"
            );
        }
        let actions = self.oracle.valid_actions(state);
        let named = actions
            .iter()
            .filter_map(|action| Some((self.recorded(action)?, action)));
        let named: Vec<_> = named.collect();
        let names: BTreeSet<_> = named.iter().map(|(name, _)| name.clone()).collect();
        let recorded: BTreeSet<_> = line.actions.iter().map(|action| tidy(action)).collect();
        assert_eq!(names, recorded, "valid actions in {place}");
        assert_eq!(self.oracle.is_goal(state), line.goal, "goal in {place}");
        let chosen = line.chosen.as_ref().map(|chosen| tidy(chosen));
        let chosen = named.iter().filter(|(name, _)| Some(name) == chosen.as_ref());
        let outcomes = chosen.flat_map(|(_, action)| self.oracle.outcomes(state, action).expect("no fault"));
        outcomes.map(|outcome| outcome.state).collect()
    }

    /// Replays all walks of a trace.
    fn run(&self, lines: &[Line]) {
        let mut possible = Vec::new();
        for line in lines {
            if line.step == 0 {
                possible = self
                    .oracle
                    .initial_states()
                    .expect("no fault")
                    .into_iter()
                    .map(|(_, s)| s)
                    .collect();
            }
            let all = line.fluents.iter().chain(&line.atoms).chain(&self.header.statics);
            let recorded = self.declared(all, false);
            let state = possible.iter().find(|state| self.texts(&state.atoms) == recorded);
            let state = state.unwrap_or_else(|| {
                let found: Vec<_> = possible.iter().map(|state| self.texts(&state.atoms)).collect();
                panic!(
                    "{}, step {}: {found:?} but {recorded:?}",
                    self.problem.name, line.step
                )
            });
            possible = self.check(state, line);
        }
    }
}

/// Replays the first `limit` states of a trace.
fn replay(trace: &Path, limit: usize) {
    let text = std::fs::read_to_string(trace).expect("a readable trace");
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().expect("a header")).expect("a header");
    let lines: Vec<Line> = lines
        .take(limit)
        .map(|line| serde_json::from_str(line).expect("a state"))
        .collect();
    let folder = trace.parent().expect("a folder");
    let domain = Domain::from_file(folder.join(&header.domain)).unwrap_or_else(|error| panic!("{error}"));
    let problem =
        Problem::from_file(folder.join(&header.problem), &domain).unwrap_or_else(|error| panic!("{error}"));
    let oracle = Oracle::new(&domain, &problem).expect("stratified axioms");
    Replay {
        domain: &domain,
        problem: &problem,
        oracle,
        header: &header,
    }
    .run(&lines);
}

/// Returns the traces under a folder, sorted.
fn traces(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        // Skips the traces of other languages.
        .filter(|path| !path.ends_with("rddl"))
        .flat_map(|path| if path.is_dir() { traces(&path) } else { vec![path] })
        .filter(|path| path.to_string_lossy().ends_with(".trace.jsonl"))
        .collect()
}

/// Traces for which brute force takes at least a second per state, with the number of states that are replayed.
const SLOW: [(&str, usize); 3] = [("tetris", 0), ("psr-middle", 4), ("logistics98/prob09", 10)];

#[test]
fn traces_of_independent_engines() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus");
    if !corpus.exists() {
        println!("skipped: {} does not exist", corpus.display());
        return;
    }
    let traces = traces(&corpus);
    for trace in &traces {
        let path = trace.to_string_lossy();
        let limit = SLOW.iter().find(|(name, _)| path.contains(name));
        replay(trace, limit.map_or(usize::MAX, |&(_, limit)| limit));
    }
    assert!(traces.len() > 100, "only {} traces", traces.len());
}
