//! Partial observability, compared with a definition over names in plain Rust.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::{self, Walk};
use herbrand_core::Observer;
use herbrand_env::{
    ActionMode, Autoreset, BufferContents, Env, EnvError, EnvOptions, EpisodeHorizon, Ids, ObservedAtoms,
    ObservedId, PlanningEnv, Registry, Source, Suite, SuiteFiles, VecOptions, VisibleBits,
};
use proptest::prelude::*;

/// Search and rescue in which people, rubble and hospitals are visible from their own cell and the adjacent ones.
const RULES: &str = r#"
[observe]
memory = "MEMORY"
[observe.visible]
person-at = "(exists (?here - cell) (and (robot-at ?here) (or (= ?here ?cell) (exists (?d - direction) (neighbor ?here ?cell ?d)))))"
rubble = "(exists (?here - cell) (and (robot-at ?here) (or (= ?here ?cell) (exists (?d - direction) (neighbor ?here ?cell ?d)))))"
hospital = """(or (robot-at ?cell)
  (exists (?here - cell ?d - direction) (and (robot-at ?here) (neighbor ?here ?cell ?d))))"""
rescued = "(hand-free)"
"#;

fn files(rules: &str) -> SuiteFiles {
    let files = Registry::files("search-and-rescue-2").expect("a bundled domain");
    let mut files = files.into_iter().next().expect("a level");
    let settings = files.config.as_ref().expect("settings").text();
    let (front, actions) = settings.split_once("[actions.").expect("actions");
    let settings = format!("{front}{rules}\n[actions.{actions}");
    files.config = Some(Source::new("env.toml", &settings));
    files.problems.truncate(4);
    files
}

fn suite(memory: &str, ids: Ids) -> Suite {
    let suite =
        Suite::new(files(&RULES.replace("MEMORY", memory)), ActionMode::Declared).expect("sound settings");
    suite.with_ids(ids).expect("few enough to number")
}

/// Returns the true atoms as lists of names.
fn held<O: Observer<Suite>>(env: &Env<O>) -> BTreeSet<Vec<String>> {
    let atoms = env.instance().expect("reset before").atoms();
    let walker = env.system().expect("reset before").walker();
    let names = atoms
        .observe(walker, ObservedAtoms::All)
        .map(|id| words(&atoms.display(id).to_string()));
    names.collect()
}

fn words(atom: &str) -> Vec<String> {
    atom.trim_matches(['(', ')'])
        .split(' ')
        .map(str::to_owned)
        .collect()
}

/// Returns whether the agent sees an atom in the state with these true atoms.
fn is_seen(held: &BTreeSet<Vec<String>>, atom: &[String]) -> bool {
    let here = held
        .iter()
        .find(|one| one[0] == "robot-at")
        .map(|one| &one[1])
        .expect("the robot is somewhere");
    let near = |cell: &String| {
        here == cell
            || held
                .iter()
                .any(|one| one[0] == "neighbor" && &one[1] == here && &one[2] == cell)
    };
    match atom[0].as_str() {
        "person-at" => near(&atom[2]),
        "rubble" | "hospital" => near(&atom[1]),
        "rescued" => held.contains(&vec!["hand-free".to_owned()]),
        _ => true,
    }
}

/// The agent's knowledge by name.
#[derive(Default)]
struct Knowledge(BTreeMap<Vec<String>, bool>);

impl Knowledge {
    fn look(&mut self, atoms: &[Vec<String>], held: &BTreeSet<Vec<String>>, keeps: bool) {
        for atom in atoms {
            if is_seen(held, atom) {
                self.0.insert(atom.clone(), held.contains(atom));
            } else if !keeps {
                self.0.remove(atom);
            }
        }
    }
}

/// Returns the atoms that have a bit and whose objects exist, each with its id.
fn numbered(env: &Env<VisibleBits>, part: ObservedAtoms) -> Vec<(usize, Vec<String>)> {
    let atoms = env.instance().expect("reset before").atoms();
    let all = (0..atoms.len(part))
        .map(|number| (number, atoms.display(ObservedId::new(number as u32)).to_string()));
    all.filter(|(_, name)| !name.contains('#'))
        .map(|(number, name)| (number, words(&name)))
        .collect()
}

/// Takes a random walk and compares each row with the definition.
fn check(memory: &str, ids: Ids, part: ObservedAtoms, seed: u64) {
    let suite = suite(memory, ids);
    let observer = VisibleBits::of(&suite, part).expect("sound problems");
    let options = EnvOptions {
        horizon: EpisodeHorizon::Steps(60),
        ..EnvOptions::default()
    };
    let mut env = Env::observed(suite.clone(), observer, options).expect("problems");
    let layout = observer.layout(&suite).expect("sound problems");
    let [state, known, goal] = ["state", "known", "goal"].map(|name| layout.range(name).expect("a part"));
    let mut hidden = 0;
    for episode in 0..3 {
        env.reset(Some(seed + episode)).expect("a sound problem");
        let atoms = numbered(&env, part);
        let names: Vec<_> = atoms.iter().map(|(_, name)| name.clone()).collect();
        let mut knowledge = Knowledge::default();
        loop {
            knowledge.look(&names, &held(&env), memory == "kept");
            let mut row = vec![7; layout.len()];
            env.write_observation(&mut row).expect("reset before");
            let mut expected = vec![0; layout.len()];
            for (number, name) in &atoms {
                let value = knowledge.0.get(name);
                expected[state.start + number] = u8::from(value == Some(&true));
                expected[known.start + number] = u8::from(value.is_some());
                hidden += usize::from(value.is_none());
            }
            let instance = env.instance().expect("reset before");
            let wanted = &instance.atoms().goal_bits()[..goal.len().min(instance.atoms().len(part))];
            expected[goal.start..][..wanted.len()].copy_from_slice(wanted);
            assert_eq!(row, expected);
            let Some(action) = env.sample_action().expect("reset before") else {
                break;
            };
            if env.step(action).expect("valid").ended() {
                break;
            }
        }
    }
    assert!(hidden > 0, "something is out of sight");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn rows_are_what_the_definition_says(seed in any::<u32>(), kept in any::<bool>(), of_suite in any::<bool>(), changing in any::<bool>()) {
        let memory = if kept { "kept" } else { "nothing" };
        let ids = if of_suite { Ids::Suite } else { Ids::Problem };
        let part = if changing { ObservedAtoms::Changing } else { ObservedAtoms::All };
        check(memory, ids, part, u64::from(seed));
    }
}

#[test]
fn without_rules_everything_is_seen() {
    let suite = Registry::get("blocks").expect("a bundled domain");
    let observer = VisibleBits::of(&suite, ObservedAtoms::All).expect("sound problems");
    let layout = observer.layout(&suite).expect("sound problems");
    let mut env = Env::observed(suite, observer, EnvOptions::default()).expect("problems");
    env.reset(Some(3)).expect("a sound problem");
    let mut row = vec![0; layout.len()];
    env.write_observation(&mut row).expect("reset before");
    let width = env
        .instance()
        .expect("reset before")
        .atoms()
        .len(ObservedAtoms::All);
    let mut bits = vec![0; width];
    env.write_bits(ObservedAtoms::All, &mut bits)
        .expect("reset before");
    assert_eq!(row[layout.range("state").expect("a part")][..width], bits);
    assert!(
        row[layout.range("known").expect("a part")][..width]
            .iter()
            .all(|&bit| bit == 1)
    );
}

/// Returns the rows of a batch after each call.
fn observed(suite: &Suite, threads: usize, rows: &'static [BufferContents]) -> Vec<Vec<u8>> {
    let options = VecOptions {
        env: EnvOptions {
            horizon: EpisodeHorizon::Steps(15),
            ..EnvOptions::default()
        },
        autoreset: Autoreset::NextStep,
        threads,
        ..VecOptions::default()
    };
    let walk = Walk {
        count: 10,
        steps: 40,
        seed: 8,
        rows,
    };
    let observer = VisibleBits::of(suite, ObservedAtoms::All).expect("sound problems");
    let seen = batch::walk(suite, &observer, options, walk, |_, _| ());
    let seen: Vec<_> = seen.into_iter().map(|held| held.observations).collect();
    // Environment `i` equals a single environment whose seed is the walk's seed plus `i`.
    let width = seen[0].len() / walk.count;
    for index in 0..walk.count {
        let mut env = Env::observed(suite.clone(), observer, options.env).expect("problems");
        env.reset(Some(walk.seed + index as u64))
            .expect("a sound problem");
        let mut over = false;
        for rows in &seen {
            let mut row = vec![0; width];
            env.write_observation(&mut row).expect("reset before");
            assert_eq!(row, rows[index * width..][..width]);
            over = if over {
                env.reset(None).expect("a sound problem");
                false
            } else {
                let action = env.sample_action().expect("reset before").expect("no dead ends");
                env.step(action).expect("valid").ended()
            };
        }
    }
    seen
}

#[test]
fn batches_see_what_single_environments_see_on_any_number_of_threads() {
    for ids in [Ids::Problem, Ids::Suite] {
        let suite = suite("kept", ids);
        let expected = observed(&suite, 1, batch::FRESH);
        assert_eq!(observed(&suite, 2, batch::FRESH), expected);
        assert_eq!(observed(&suite, 2, batch::KEPT), expected);
    }
}

#[test]
fn snapshots_keep_what_was_seen() {
    let suite = suite("kept", Ids::Suite);
    let observer = VisibleBits::of(&suite, ObservedAtoms::All).expect("sound problems");
    let mut env = Env::observed(suite, observer, EnvOptions::default()).expect("problems");
    env.reset(Some(2)).expect("a sound problem");
    for _ in 0..20 {
        let action = env.sample_action().expect("reset before").expect("no dead ends");
        env.step(action).expect("valid");
    }
    let bytes = env.save().expect("reset before").pack::<Suite>();
    let mut rows = [vec![0; 100_000], vec![0; 100_000]];
    env.write_observation(&mut rows[0]).expect("reset before");
    env.reset(Some(9)).expect("a sound problem");
    env.restore(&env.unpack(&bytes).expect("a snapshot"))
        .expect("a state");
    env.write_observation(&mut rows[1]).expect("reset before");
    assert_eq!(rows[0], rows[1]);
}

#[test]
fn faults_of_rules_have_their_places() {
    let fault = |rule: &str| {
        let rules = format!("[observe.visible]\n{rule}\n");
        Suite::new(files(&rules), ActionMode::Declared).expect_err("a fault")
    };
    let unknown = fault("persn-at = \"(robot-at ?cell)\"");
    assert_eq!(
        unknown.to_string(),
        "`observe`: the domain has no predicate `persn-at`; did you mean `person-at`?"
    );
    let EnvError::Faults(faults) = fault("person-at = \"(and (robot-at ?cell) (robt-at ?cell))\"") else {
        panic!("a fault in PDDL");
    };
    let text = faults.to_string();
    let settings = files("[observe.visible]\nperson-at = \"(and (robot-at ?cell) (robt-at ?cell))\"\n")
        .config
        .expect("settings");
    let before = settings.text().split_once("robt-at").expect("the rule").0;
    let (line, column) = (
        before.lines().count(),
        before.lines().last().expect("a line").len() + 1,
    );
    assert!(text.contains(&format!("env.toml:{line}:{column}")), "{text}");
    assert!(text.contains("robot-at"), "{text}");
    // Of a text that is generated for the rules nothing is shown, nor a warning about it.
    for (rule, first) in [
        ("person-at = \"(robot-at ?cell\"", "(robot-at ?cell"),
        ("person-at = \"(robot-at ?cell))\"", ")\""),
        ("person-at = \"(exists (?here - cel) (robot-at ?here))\"", "cel)"),
    ] {
        let EnvError::Faults(faults) = fault(rule) else {
            panic!("a fault in PDDL");
        };
        let settings = files(&format!("[observe.visible]\n{rule}\n")).config;
        let settings = settings.expect("settings");
        for diagnostic in faults.diagnostics() {
            assert_eq!(diagnostic.severity().as_str(), "error", "{faults}");
            assert!(
                diagnostic
                    .labels()
                    .iter()
                    .all(|label| *label.source() == settings),
                "{faults}"
            );
        }
        let label = &faults.diagnostics()[0].labels()[0];
        let text = &settings.text()[label.span().start as usize..];
        assert!(text.starts_with(first), "{faults}");
    }
    assert!(fault("person-at = 3").to_string().contains("a text in quotes"));
}
