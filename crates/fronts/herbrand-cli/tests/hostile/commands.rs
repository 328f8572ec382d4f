//! Every command on every family of hostile texts, with small limits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::families::{self, Family, Language, Texts};
use crate::run::{folder, run, run_in};

/// The commands of PDDL, behind the program's name; `D` and `P` are the files of the domain and the problem.
const PDDL: &str = "check D P
ground D P
rollout D P --episodes 3 --engine grounded
rollout D P --episodes 3 --engine lifted
show D P
plan D P
record D P --out walk.jsonl --force
render D P --out state.svg --force
validate D P plan.txt
ground D P --explain
datalog D P
plan D P --optimal
plan D P --planner uct --runs 2
plan D P --planner lao
space D P
translate D P --out task.sas --force
show D P --engine lifted
edit D P edits.json
play D P
fmt D P
replay walk.trace.jsonl --domain D --problem P";

/// The commands of RDDL.
const RDDL: &str = "check D P
rollout D P --episodes 3
show D P
plan D P
record D P --out walk.jsonl --force
rddl bounds D P
rddl graph D P --ground
rddl diagram D P
ground D P
render D P --out state.svg --force
validate D P plan.txt
plan D P --planner uct --runs 2
plan D P --planner gradient
space D P
rollout D P --episodes 40 --threads 2
rddl diagram D P --of reward
play D P
fmt D P";

/// The files beside the texts.
const FILES: [(&str, &str); 3] = [
    ("plan.txt", "(go)\n"),
    ("edits.json", r#"[{"edit": "add-fact", "fact": "(g)"}]"#),
    (
        "walk.trace.jsonl",
        r#"{"oracle":"none","domain":"D","problem":"P","static":[]}
{"walk":0,"step":0,"fluents":[],"derived":[],"actions":[],"goal":false,"chosen":null}
"#,
    ),
];

/// Commands that have the answer "no": there is no plan, the plan is not valid, a trace differs.
const MAY_SAY_NO: [&str; 3] = ["plan", "validate", "replay"];

/// The lines that a player types.
const LINES: &str = "1\nhint\nundo\ngoal\n2\nstate\nquit\n";

/// Returns the commands of a language.
pub fn of(language: Language) -> Vec<&'static str> {
    let commands = match language {
        Language::Pddl => PDDL,
        Language::Rddl => RDDL,
    };
    commands.lines().collect()
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
        let (runs, limited, mebibytes) = (self.runs, self.limited, self.largest >> 20);
        let statuses = self.statuses;
        println!(
            "{runs} runs, {limited} ended by a limit, at most {mebibytes} MiB; exit statuses {statuses:?}"
        );
        self.faults.sort();
        let count = self.faults.len();
        assert!(count == 0, "{count} faults\n{}", self.faults.join("\n"));
    }
}

/// Runs commands on texts and counts the results.
pub fn run_all(name: &str, texts: &Texts, commands: &[&str], counts: &Mutex<Counts>) {
    let own = [("D", texts.domain.as_str()), ("P", texts.problem.as_str())];
    let scratch = folder(&[&own[..], &FILES].concat());
    for command in commands {
        let words: Vec<_> = command.split(' ').collect();
        let ended = run(scratch.path(), &words, LINES);
        let fault = ended.fault(MAY_SAY_NO.contains(&words[0]));
        let mut counts = counts.lock().expect("nobody panics");
        counts.runs += 1;
        counts.limited += usize::from(ended.is_limited());
        counts.largest = counts.largest.max(ended.peak);
        *counts.statuses.entry(ended.status).or_default() += 1;
        if let Some(fault) = fault {
            let fault = format!("{name}: {command}: {fault}");
            println!("{fault}");
            counts.faults.push(fault);
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

/// Returns every ninth command of a language, another selection for each family, so that few families cover all commands.
fn selected(language: Language, index: usize) -> Vec<&'static str> {
    let commands = of(language);
    let number = |number: usize| commands[(index + number * 9) % commands.len()];
    (0..commands.len().div_ceil(9)).map(number).collect()
}

#[test]
fn there_are_enough_families() {
    let families = families::all();
    let names = families
        .iter()
        .map(|family| format!("{:?} {}", family.language, family.name));
    let names: BTreeSet<_> = names.collect();
    assert!(names.len() >= 200, "{}", names.len());
    assert_eq!(names.len(), families.len(), "names are used once");
}

/// Without options the memory limit is half of the address space, so that the program ends by its own decision.
#[test]
fn the_default_limit_of_memory_fits_the_address_space() {
    let families = families::all();
    let family = families
        .iter()
        .find(|family| family.name == "arity")
        .expect("a family");
    let texts = family.texts(family.size);
    let scratch = folder(&[("D", &texts.domain), ("P", &texts.problem)]);
    let ended = run_in(1 << 20, scratch.path(), &["ground", "D", "P"], "");
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert!(ended.stderr.contains("the memory limit of 512 MiB"), "{ended:?}");
}

/// The short form: each family with a few of the commands.
#[test]
fn hostile_texts_end_within_their_limits() {
    let counts = Mutex::default();
    let jobs: Vec<_> = families::all().into_iter().enumerate().collect();
    share(&jobs, |(index, family)| {
        let commands = selected(family.language, *index);
        let name = format!("{:?} {}", family.language, family.name);
        run_all(&name, &family.texts(family.size), &commands, &counts);
    });
    counts.into_inner().expect("nobody panics").judge();
}

/// The long form: all families in three sizes with all commands. `HOSTILE` may name a part of the families.
#[test]
#[ignore = "takes hours; .ci/nightly runs it"]
fn all_hostile_texts_end_within_their_limits() {
    let counts = Mutex::default();
    let part = std::env::var("HOSTILE").unwrap_or_default();
    let families = families::all();
    let named = families.iter().filter(|family| family.name.contains(&part));
    let jobs: Vec<(&Family, usize)> = named
        .flat_map(|family| {
            let size = family.size;
            [size, (size / 8).max(2), size.saturating_mul(8)].map(|size| (family, size))
        })
        .collect();
    share(&jobs, |&(family, size)| {
        let name = format!("{:?} {} of {size}", family.language, family.name);
        run_all(&name, &family.texts(size), &of(family.language), &counts);
    });
    counts.into_inner().expect("nobody panics").judge();
}
