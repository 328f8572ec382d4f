//! Every command on every family of hostile texts, with small limits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::families::{self, Family, Language, Texts};
use crate::run::{Scratch, run, run_in};

/// A command line behind the program's name; `D` and `P` are the files of the domain and the problem.
pub type Words = &'static [&'static str];

const PDDL: &[Words] = &[
    &["check", "D", "P"],
    &["ground", "D", "P"],
    &["rollout", "D", "P", "--episodes", "3", "--engine", "grounded"],
    &["rollout", "D", "P", "--episodes", "3", "--engine", "lifted"],
    &["show", "D", "P"],
    &["plan", "D", "P"],
    &["record", "D", "P", "--out", "walk.jsonl", "--force"],
    &["render", "D", "P", "--out", "state.svg", "--force"],
    &["validate", "D", "P", "plan.txt"],
    &["ground", "D", "P", "--explain"],
    &["datalog", "D", "P"],
    &["plan", "D", "P", "--optimal"],
    &["plan", "D", "P", "--planner", "uct", "--runs", "2"],
    &["plan", "D", "P", "--planner", "lao"],
    &["space", "D", "P"],
    &["translate", "D", "P", "--out", "task.sas", "--force"],
    &["show", "D", "P", "--engine", "lifted"],
    &["edit", "D", "P", "edits.json"],
    &["play", "D", "P"],
    &["fmt", "D", "P"],
    &["replay", "walk.trace.jsonl", "--domain", "D", "--problem", "P"],
];

const RDDL: &[Words] = &[
    &["check", "D", "P"],
    &["rollout", "D", "P", "--episodes", "3"],
    &["show", "D", "P"],
    &["plan", "D", "P"],
    &["record", "D", "P", "--out", "walk.jsonl", "--force"],
    &["rddl", "bounds", "D", "P"],
    &["rddl", "graph", "D", "P", "--ground"],
    &["rddl", "diagram", "D", "P"],
    &["ground", "D", "P"],
    &["render", "D", "P", "--out", "state.svg", "--force"],
    &["validate", "D", "P", "plan.txt"],
    &["plan", "D", "P", "--planner", "uct", "--runs", "2"],
    &["plan", "D", "P", "--planner", "gradient"],
    &["space", "D", "P"],
    &["rollout", "D", "P", "--episodes", "40", "--threads", "2"],
    &["rddl", "diagram", "D", "P", "--of", "reward"],
    &["play", "D", "P"],
    &["fmt", "D", "P"],
];

/// Commands that have the answer "no": there is no plan, the plan is not valid, a trace differs.
const MAY_SAY_NO: [&str; 3] = ["plan", "validate", "replay"];

/// The lines that a player types.
const LINES: &str = "1\nhint\nundo\ngoal\n2\nstate\nquit\n";

/// The commands of a language.
pub fn of(language: Language) -> &'static [Words] {
    match language {
        Language::Pddl => PDDL,
        Language::Rddl => RDDL,
    }
}

/// The totals of many runs.
#[derive(Default)]
pub struct Counts {
    runs: usize,
    limited: usize,
    largest: u64,
    faults: Vec<String>,
    statuses: BTreeMap<Option<i32>, usize>,
}

impl Counts {
    /// Prints the counts, and fails if there was a fault.
    pub fn judge(mut self) {
        println!(
            "{} runs, {} ended by a limit, at most {} MiB; exit statuses {:?}",
            self.runs,
            self.limited,
            self.largest >> 20,
            self.statuses
        );
        self.faults.sort();
        assert!(
            self.faults.is_empty(),
            "{} faults\n{}",
            self.faults.len(),
            self.faults.join("\n")
        );
    }
}

/// Runs commands on texts and counts the results.
pub fn run_all(name: &str, texts: &Texts, commands: &[Words], counts: &Mutex<Counts>) {
    let plain: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let scratch = Scratch::new(&plain);
    scratch.write("D", &texts.domain);
    scratch.write("P", &texts.problem);
    scratch.write("plan.txt", "(go)\n");
    scratch.write("edits.json", r#"[{"edit": "add-fact", "fact": "(g)"}]"#);
    scratch.write(
        "walk.trace.jsonl",
        "{\"oracle\":\"none\",\"domain\":\"D\",\"problem\":\"P\",\"static\":[]}\n\
         {\"walk\":0,\"step\":0,\"fluents\":[],\"derived\":[],\"actions\":[],\"goal\":false,\"chosen\":null}\n",
    );
    for words in commands {
        let ended = run(&scratch, words, LINES);
        let fault = ended.fault(MAY_SAY_NO.contains(&words[0]));
        let mut counts = counts.lock().expect("nobody panics");
        counts.runs += 1;
        counts.limited += usize::from(ended.is_limited());
        counts.largest = counts.largest.max(ended.peak);
        *counts.statuses.entry(ended.status).or_default() += 1;
        if let Some(fault) = fault {
            println!("{name}: {}: {fault}", words.join(" "));
            counts
                .faults
                .push(format!("{name}: {}: {fault}", words.join(" ")));
        }
    }
}

/// Runs jobs on two threads.
fn share<T: Sync>(jobs: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(job);
                }
            });
        }
    });
}

/// Every `stride`-th command of a language, another selection for each family, so that few families cover all commands.
fn selected(language: Language, index: usize, stride: usize) -> Vec<Words> {
    let commands = of(language);
    let count = commands.len().div_ceil(stride);
    (0..count)
        .map(|number| commands[(index + number * stride) % commands.len()])
        .collect()
}

#[test]
fn there_are_enough_families() {
    let names: BTreeSet<_> = families::all()
        .map(|(language, family)| format!("{language:?} {}", family.name))
        .collect();
    assert!(names.len() >= 100, "{}", names.len());
    assert_eq!(names.len(), families::all().count(), "names are used once");
}

/// Without options the memory limit is half of the address space, so that the program ends by its own decision.
#[test]
fn the_default_limit_of_memory_fits_the_address_space() {
    let (_, family) = families::all()
        .find(|(_, family)| family.name == "arity")
        .expect("a family");
    let texts = (family.texts)(family.size);
    let scratch = Scratch::new("default");
    scratch.write("D", &texts.domain);
    scratch.write("P", &texts.problem);
    let ended = run_in(1 << 20, &scratch, &["ground", "D", "P"], "");
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert!(ended.stderr.contains("the memory limit of 512 MiB"), "{ended:?}");
}

/// The short form: each family with a few of the commands.
#[test]
fn hostile_texts_end_within_their_limits() {
    let counts = Mutex::default();
    let jobs: Vec<(usize, (Language, &Family))> = families::all().enumerate().collect();
    share(&jobs, |&(index, (language, family))| {
        let commands = selected(language, index, 9);
        let name = format!("{language:?} {}", family.name);
        run_all(&name, &(family.texts)(family.size), &commands, &counts);
    });
    counts.into_inner().expect("nobody panics").judge();
}

/// The long form: all families in three sizes with all commands. `HOSTILE` may name a part of the families.
#[test]
#[ignore = "takes hours; .ci/nightly runs it"]
fn all_hostile_texts_end_within_their_limits() {
    let counts = Mutex::default();
    let part = std::env::var("HOSTILE").unwrap_or_default();
    let sizes = |family: &Family| {
        [
            family.size,
            (family.size / 8).max(2),
            family.size.saturating_mul(8),
        ]
    };
    let jobs: Vec<(Language, &Family, usize)> = families::all()
        .filter(|(_, family)| family.name.contains(&part))
        .flat_map(|(language, family)| sizes(family).map(|size| (language, family, size)))
        .collect();
    share(&jobs, |&(language, family, size)| {
        let name = format!("{language:?} {} of {size}", family.name);
        run_all(&name, &(family.texts)(size), of(language), &counts);
    });
    counts.into_inner().expect("nobody panics").judge();
}
