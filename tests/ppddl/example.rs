//! An example in the engine and in the brute-force interpreter, compared with tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use herbrand::pddl::{ObjectId, SchemaId};
use herbrand::{Domain, Problem, Simulator, State, compile};
use herbrand_oracle::{GroundAction, GroundAtom, Oracle, OracleState};

/// An outcome: probability, reward, and the names of the true atoms in any order.
pub type Row = (f64, f64, &'static str);

/// Probabilities by true atoms and reward in hundredths.
pub type Table = BTreeMap<(BTreeSet<String>, i64), f64>;

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/ppddl");
    if !folder.exists() {
        println!("skipped: {} does not exist", folder.display());
        return None;
    }
    Some(folder)
}

/// Reads the domain and the problem from one file, or from `<name>-domain.pddl` and `<name>-problem.pddl`.
fn models(folder: &Path, name: &str) -> (Domain, Problem) {
    let both = folder.join(format!("{name}.pddl"));
    let files = if both.exists() {
        [both.clone(), both]
    } else {
        ["domain", "problem"].map(|part| folder.join(format!("{name}-{part}.pddl")))
    };
    let domain = Domain::from_file(&files[0]).unwrap_or_else(|error| panic!("{error}"));
    let problem = Problem::from_file(&files[1], &domain).unwrap_or_else(|error| panic!("{error}"));
    (domain, problem)
}

/// Returns the atoms named by `text`.
pub fn names(text: &str) -> BTreeSet<String> {
    text.split_terminator(',')
        .map(|name| format!("({})", name.trim()))
        .collect()
}

#[expect(clippy::cast_possible_truncation, reason = "rewards are small")]
pub fn table(rows: impl IntoIterator<Item = (f64, f64, BTreeSet<String>)>) -> Table {
    let mut table = Table::new();
    for (probability, reward, atoms) in rows {
        *table
            .entry((atoms, (reward * 100.0).round() as i64))
            .or_insert(0.0) += probability;
    }
    table
}

fn assert_equal(found: &Table, expected: &Table, place: &str) {
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>(),
        "{place}"
    );
    for (key, probability) in found {
        assert!(
            (probability - expected[key]).abs() < 1e-12,
            "{place}: {probability} for {key:?}"
        );
    }
}

/// An example in the engine and in the interpreter.
pub struct Example<'a> {
    name: &'a str,
    domain: &'a Domain,
    problem: &'a Problem,
    oracle: Oracle<'a>,
    simulator: Simulator,
}

impl Example<'_> {
    fn engine_atoms(&self, state: &State) -> BTreeSet<String> {
        let atoms = self.simulator.atoms(state);
        atoms
            .map(|atom| self.simulator.task().display_atom(atom).to_string())
            .collect()
    }

    fn oracle_atoms(&self, state: &OracleState) -> BTreeSet<String> {
        state
            .atoms
            .iter()
            .map(|atom| self.oracle.atom_text(atom))
            .collect()
    }

    /// Returns the objects with these names.
    fn objects(&self, names: &[&str]) -> Vec<ObjectId> {
        let position = |name: &&str| {
            self.problem
                .objects
                .iter()
                .position(|object| object.name.as_str() == *name)
        };
        names
            .iter()
            .map(|name| ObjectId::from_index(position(name).expect("a declared object")))
            .collect()
    }

    fn oracle_state(&self, atoms: &str) -> OracleState {
        let atom = |text: &str| {
            let words: Vec<_> = text.split_whitespace().collect();
            let predicate = self
                .domain
                .find_predicate(words[0])
                .expect("a declared predicate");
            GroundAtom {
                predicate,
                arguments: self.objects(&words[1..]),
            }
        };
        OracleState {
            atoms: atoms.split_terminator(',').map(atom).collect(),
            values: self.oracle.initial_states().expect("no fault")[0]
                .1
                .values
                .clone(),
        }
    }

    fn engine_state(&self, atoms: &str) -> State {
        let parse = |name: &String| {
            self.simulator
                .parse_atom(name)
                .expect("an atom that can become true")
        };
        let atoms: Vec<_> = names(atoms).iter().map(parse).collect();
        self.simulator.state_from_atoms(atoms).expect("fluent atoms")
    }

    /// Checks the distribution of initial states.
    pub fn check_initial(&self, expected: &Table) {
        let engine = self.simulator.initial_outcomes().expect("no fault");
        let engine = engine
            .iter()
            .map(|outcome| (outcome.probability, 0.0, self.engine_atoms(&outcome.state)));
        assert_equal(&table(engine), expected, self.name);
        let oracle = self.oracle.initial_states().expect("no fault");
        let oracle = oracle
            .iter()
            .map(|(probability, state)| (*probability, 0.0, self.oracle_atoms(state)));
        assert_equal(&table(oracle), expected, self.name);
    }

    /// Checks the outcomes of an action in the state with these atoms.
    pub fn check(&self, state: &str, action: &str, expected: &[Row]) {
        let place = format!("{}: {action} in {state}", self.name);
        let expected = table(
            expected
                .iter()
                .map(|&(probability, reward, atoms)| (probability, reward, names(atoms))),
        );
        let id = self
            .simulator
            .parse_action(&format!("({action})"))
            .expect("an action of the task");
        let engine = self
            .simulator
            .outcomes(&self.engine_state(state), id)
            .expect("no fault");
        let engine = engine.iter().map(|outcome| {
            (
                outcome.probability,
                outcome.reward,
                self.engine_atoms(&outcome.state),
            )
        });
        assert_equal(&table(engine), &expected, &format!("{place}, engine"));
        let words: Vec<_> = action.split_whitespace().collect();
        let schema: SchemaId = self.domain.find_schema(words[0]).expect("a declared action");
        let action = GroundAction {
            schema,
            arguments: self.objects(&words[1..]),
        };
        let oracle = self
            .oracle
            .outcomes(&self.oracle_state(state), &action)
            .expect("no fault");
        let oracle = oracle.iter().map(|outcome| {
            (
                outcome.probability,
                outcome.reward,
                self.oracle_atoms(&outcome.state),
            )
        });
        assert_equal(&table(oracle), &expected, &format!("{place}, oracle"));
    }
}

/// Calls `check` with an example if its files are present.
pub fn with(name: &str, check: impl FnOnce(&Example<'_>)) {
    let Some(folder) = corpus() else { return };
    let (domain, problem) = models(&folder, name);
    let oracle = Oracle::new(&domain, &problem).expect("stratified axioms");
    let simulator = compile(&domain, &problem).expect("a small problem");
    check(&Example {
        name,
        domain: &domain,
        problem: &problem,
        oracle,
        simulator,
    });
}
