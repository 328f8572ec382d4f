//! Masks, agent actions and batches match their definition on random problems with more operators than bits in a word (64)
//! and in a two-level bit set (4,096).
//!
//! By definition, an operator is valid if the interpreter says so. An agent action is valid if a valid operator fits it; if
//! ambiguity is an error, exactly one valid operator must fit it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::random::config;
use herbrand::env::{
    ActionMode, AgentActionId, Batch, Bits, BufferContents, Env, EnvOptions, Grounded, ObservedAtoms,
    Planning, PlanningEnv, ProblemFile, Source, Suite, SuiteFiles, VecEnv, VecOptions,
};
use herbrand::pddl::AtomRef;
use herbrand_oracle::{GroundAtom, Oracle, OracleState};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;

/// A random problem: objects, and two operators with two parameters each.
#[derive(Clone, Debug)]
struct Sketch {
    objects: usize,
    preconditions: [Vec<usize>; 2],
    effects: [Vec<usize>; 2],
    facts: Vec<(usize, usize, usize)>,
    ambiguity: &'static str,
    /// Whether the agent chooses each parameter of an operator.
    chosen: [bool; 2],
    seed: u64,
}

const CONDITIONS: [&str; 8] = [
    "(p ?x)",
    "(q ?x ?y)",
    "(not (q ?y ?x))",
    "(not (= ?x ?y))",
    "(or (p ?x) (p ?y))",
    "(not (r ?y))",
    "(exists (?z) (q ?z ?y))",
    "(imply (p ?y) (r ?x))",
];

const EFFECTS: [&str; 7] = [
    "(not (p ?x))",
    "(p ?y)",
    "(r ?x)",
    "(not (r ?y))",
    "(not (q ?x ?y))",
    "(q ?y ?x)",
    "(when (r ?x) (not (p ?y)))",
];

fn sketches(objects: std::ops::Range<usize>) -> impl Strategy<Value = Sketch> {
    let conditions = || vec(0..CONDITIONS.len(), 0..3);
    let effects = || vec(0..EFFECTS.len(), 1..4);
    (
        objects,
        [conditions(), conditions()],
        [effects(), effects()],
        vec((0..3_usize, 0..1000_usize, 0..1000_usize), 0..300),
        select(vec!["error", "first", "uniform"]),
        select(vec![[true, false], [false, true], [true, true], [false, false]]),
        any::<u64>(),
    )
        .prop_map(
            |(objects, preconditions, effects, facts, ambiguity, chosen, seed)| Sketch {
                objects,
                preconditions,
                effects,
                facts,
                ambiguity,
                chosen,
                seed,
            },
        )
}

fn conjunction(parts: &[usize], of: &[&str]) -> String {
    let parts: String = parts.iter().map(|&part| of[part]).collect();
    format!("(and {parts})")
}

impl Sketch {
    fn domain(&self) -> String {
        let mut text =
            "(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x ?y) (r ?x))".to_owned();
        for (index, (precondition, effect)) in self.preconditions.iter().zip(&self.effects).enumerate() {
            let (condition, effect) = (
                conjunction(precondition, &CONDITIONS),
                conjunction(effect, &EFFECTS),
            );
            write!(
                text,
                "(:action a{index} :parameters (?x ?y) :precondition {condition} :effect {effect})"
            )
            .expect("a string takes all");
        }
        text + ")"
    }

    fn problem(&self) -> String {
        let objects: String = (0..self.objects).map(|index| format!("o{index} ")).collect();
        let facts = self.facts.iter().map(|&(predicate, x, y)| {
            let (x, y) = (x % self.objects, y % self.objects);
            match predicate {
                0 => format!("(p o{x})"),
                1 => format!("(q o{x} o{y})"),
                _ => format!("(r o{x})"),
            }
        });
        let facts: String = facts.collect();
        format!("(define (problem x) (:domain d) (:objects {objects}) (:init {facts}))")
    }

    /// The settings with an agent action `go` for both operators.
    fn settings(&self) -> String {
        let names = ["x", "y"]
            .into_iter()
            .zip(self.chosen)
            .filter(|(_, chosen)| *chosen);
        let names: Vec<_> = names.map(|(name, _)| name).collect();
        let list = |prefix: &str| {
            let quoted: Vec<_> = names.iter().map(|name| format!("\"{prefix}{name}\"")).collect();
            quoted.join(", ")
        };
        format!(
            "ambiguity = \"{}\"\n[actions.go]\nparameters = [{}]\noperators = {{ a0 = [{}], a1 = [{}] }}",
            self.ambiguity,
            list(""),
            list("?"),
            list("?")
        )
    }

    fn suite(&self, mode: ActionMode) -> Suite {
        let files = SuiteFiles {
            name: "random".to_owned(),
            domain: Source::new("domain", &self.domain()),
            config: Some(Source::new("env.toml", &self.settings())),
            problems: vec![ProblemFile {
                split: None,
                name: "0".to_owned(),
                source: Source::new("problem", &self.problem()),
            }],
        };
        Suite::new(files, mode).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the agent action of an operator as text.
    fn carried_out(&self, operator: &str) -> String {
        let words: Vec<_> = operator.trim_matches(['(', ')']).split(' ').skip(1).collect();
        let chosen = words.iter().zip(self.chosen).filter(|(_, chosen)| *chosen);
        chosen.fold("(go".to_owned(), |text, (word, _)| format!("{text} {word}")) + ")"
    }

    /// Returns the valid actions by the definition, given the valid operators.
    fn offered(&self, mode: ActionMode, operators: &BTreeSet<String>) -> BTreeSet<String> {
        if mode == ActionMode::Operators {
            return operators.clone();
        }
        let mut fitting: BTreeMap<String, usize> = BTreeMap::new();
        for operator in operators {
            *fitting.entry(self.carried_out(operator)).or_default() += 1;
        }
        let single = self.ambiguity == "error";
        let offered = fitting.into_iter().filter(|(_, count)| !single || *count == 1);
        offered.map(|(action, _)| action).collect()
    }
}

/// Returns the valid operators of a state by the interpreter.
fn valid_operators(system: &Planning<Grounded>, oracle: &Oracle<'_>) -> BTreeSet<String> {
    let walker = system.walker();
    let task = walker.simulator().task();
    let dynamic = walker.atoms().filter_map(|atom| task.atoms.get(atom.index()));
    let declared = |fact: &AtomRef<'_>| !task.vocabulary.predicate(fact.predicate).auxiliary;
    let atoms = dynamic.chain(task.statics.iter()).filter(declared);
    let state = OracleState {
        atoms: atoms.map(GroundAtom::from).collect(),
        ..OracleState::default()
    };
    let valid = oracle.valid_actions(&state);
    valid.iter().map(|action| oracle.action_text(action)).collect()
}

fn masked(system: &Planning<Grounded>, mask: &[u8]) -> BTreeSet<String> {
    let space = system.space();
    let set = (0..).zip(mask).filter(|(_, bit)| **bit == 1);
    set.map(|(number, _)| space.display(AgentActionId::new(number)).to_string())
        .collect()
}

fn check(sketch: &Sketch, mode: ActionMode, steps: usize) -> Result<(), TestCaseError> {
    let suite = sketch.suite(mode);
    let problem = suite.parse_problem(0).expect("a problem");
    let oracle = Oracle::new(suite.domain(), &problem).expect("no axioms");
    const COUNT: usize = 3;
    let bits = Bits::of(ObservedAtoms::Changing);
    let mut batch = VecEnv::new(&suite, &bits, COUNT, VecOptions::default()).expect("sound problems");
    let sizes = batch.widths();
    let mut observations = vec![0; COUNT * sizes.observation];
    let mut masks = vec![2; COUNT * sizes.mask];
    let (mut rewards, mut terminated, mut truncated) = ([0.0; COUNT], [false; COUNT], [false; COUNT]);
    let mut actions = [0; COUNT];
    for step in 0..=steps {
        let mut buffers = Batch {
            observations: &mut observations,
            masks: &mut masks,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            rows: BufferContents::Fresh,
        };
        match step {
            0 => batch.reset(Some(sketch.seed), &mut buffers).expect("a problem"),
            _ => batch
                .step_sampled(&mut actions, &mut buffers)
                .map_err(|error| TestCaseError::fail(error.to_string()))?,
        }
        for (index, mask) in masks.chunks(sizes.mask).enumerate() {
            let env = batch.env(index).expect("an environment");
            let system = env.system().expect("an episode");
            let expected = sketch.offered(mode, &valid_operators(system, &oracle));
            prop_assert_eq!(
                &masked(system, mask),
                &expected,
                "step {} of environment {}",
                step,
                index
            );
            let space = env.instance().expect("a problem").space();
            let valid = env.valid_actions().expect("an episode");
            let names: BTreeSet<_> = valid.iter().map(|&id| space.display(id).to_string()).collect();
            prop_assert_eq!(names.len(), valid.len());
            prop_assert_eq!(&names, &expected);
        }
    }
    let mut env = Env::new(suite.clone(), EnvOptions::default()).expect("a problem");
    env.reset(Some(sketch.seed)).expect("a problem");
    for _ in 0..steps {
        let expected = sketch.offered(mode, &valid_operators(env.system().expect("an episode"), &oracle));
        let Some(action) = env.sample_action().expect("an episode") else {
            prop_assert!(expected.is_empty());
            break;
        };
        let name = env
            .instance()
            .expect("a problem")
            .space()
            .display(action)
            .to_string();
        prop_assert!(expected.contains(&name), "{} is sampled", name);
        let step = env.step(action);
        prop_assert!(step.is_ok(), "{} is offered and cannot be taken", name);
        if step.is_ok_and(|step| step.ended()) {
            break;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn more_operators_than_bits_in_a_word(sketch in sketches(6..12)) {
        check(&sketch, ActionMode::Operators, 6)?;
        check(&sketch, ActionMode::Declared, 6)?;
    }
}

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn more_operators_than_bits_in_a_word_of_words(sketch in sketches(46..50)) {
        check(&sketch, ActionMode::Operators, 2)?;
        check(&sketch, ActionMode::Declared, 2)?;
    }
}
