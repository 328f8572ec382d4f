//! Random episodes of problems with time, judged by the slow twin:
//! `cargo bench --bench time -- FOLDER`. The folder has domains of the competitions as
//! `…/domain.pddl` or `…/domains/domain-N.pddl` with `…/instances/instance-N.pddl`, as in the public repository
//! `potassco/pddl-instances`.

#[path = "../../tests/it/common/timed.rs"]
mod timed;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use herbrand::core::{Problems, System};
use herbrand::env::{ActionMode, ProblemFile, SteppingEngine, Suite, SuiteFiles};
use herbrand::limits::Limits;
use herbrand::pddl::Source;
use herbrand_oracle::Oracle;

use timed::{agrees, episode, judge};

/// The most episodes of a problem, the most steps before no action is started any more, and the most seconds.
const EPISODES: u64 = 100;
const STEPS: usize = 60;
const SECONDS: u64 = 20;

fn main() {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let folder = arguments.next().expect("a folder of problems");
    let every: usize = arguments.next().map_or(1, |text| text.parse().expect("a number"));
    let save = arguments.next().map(PathBuf::from);
    let mut domains = BTreeMap::new();
    for (index, (domain, problem)) in pairs(Path::new(&folder)).into_iter().enumerate() {
        if index % every == 0 {
            let variant = problem.parent().and_then(Path::parent).unwrap_or(Path::new(""));
            let tally: &mut Tally = domains.entry(variant.to_owned()).or_default();
            run(&domain, &problem, tally, save.as_deref());
        }
    }
    let mut all = Tally::default();
    for (variant, tally) in &domains {
        let name = variant
            .strip_prefix(&folder)
            .unwrap_or(variant)
            .display()
            .to_string();
        println!("{name}: {tally:?}");
        all.add(tally);
    }
    println!("all: {all:?}");
}

#[derive(Default, Debug)]
struct Tally {
    problems: usize,
    unread: usize,
    too_large: usize,
    episodes: usize,
    steps: usize,
    failed: usize,
    goals: usize,
    agree: usize,
    differ: usize,
    unjudged: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.problems += other.problems;
        self.unread += other.unread;
        self.too_large += other.too_large;
        self.episodes += other.episodes;
        self.steps += other.steps;
        self.failed += other.failed;
        self.goals += other.goals;
        self.agree += other.agree;
        self.differ += other.differ;
        self.unjudged += other.unjudged;
    }
}

/// Returns the pairs of a domain and a problem in a folder.
fn pairs(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                open.push(path);
            } else if let Some(number) = name.strip_prefix("instance-") {
                let above = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
                let own = above.join(format!("domains/domain-{number}.pddl"));
                let domain = if own.exists() {
                    own
                } else {
                    above.join("domain.pddl")
                };
                if domain.exists() {
                    found.push((domain, path));
                }
            }
        }
    }
    found.sort();
    found
}

fn run(domain: &Path, problem: &Path, tally: &mut Tally, save: Option<&Path>) {
    tally.problems += 1;
    let source = |path: &Path| {
        let bytes = fs::read(path).expect("a file");
        Source::new(&path.display().to_string(), &String::from_utf8_lossy(&bytes))
    };
    let files = SuiteFiles {
        name: "time".to_owned(),
        domain: source(domain),
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: "problem".to_owned(),
            source: source(problem),
        }],
    };
    let limits = Limits {
        bytes: Some(4 << 30),
        time: Some(Duration::from_secs(SECONDS)),
    };
    let suite = match Suite::new(files, ActionMode::Declared) {
        Ok(suite) => suite.with_limits(limits),
        Err(error) => {
            tally.unread += 1;
            println!(
                "{}: {}",
                domain.display(),
                error.to_string().lines().next().unwrap_or_default()
            );
            return;
        }
    };
    let (timed, checked) = match suite.parse_problem(0) {
        Ok(checked) => (suite.domain().clone(), checked),
        Err(error) => {
            tally.unread += 1;
            println!(
                "{}: {}",
                problem.display(),
                error.to_string().lines().next().unwrap_or_default()
            );
            return;
        }
    };
    let mut system = match suite.system(0) {
        Ok(system) => system,
        Err(error) => {
            tally.too_large += 1;
            println!("{}: {error}", problem.display());
            return;
        }
    };
    let oracle = Oracle::new(&timed, &checked)
        .expect("a checked problem")
        .stoppable();
    let start = Instant::now();
    for seed in 0..EPISODES {
        if start.elapsed().as_secs() >= SECONDS {
            break;
        }
        let (plan, steps) = episode(&timed, &mut system, (seed, STEPS), |_, _| ());
        tally.episodes += 1;
        tally.steps += steps;
        let goal = system.status().goal;
        let failure = system.walk().agenda().and_then(|agenda| agenda.failure);
        tally.failed += usize::from(failure.is_some());
        tally.goals += usize::from(goal);
        if seed >= 3 && start.elapsed().as_secs() > SECONDS / 2 {
            tally.unjudged += 1;
            continue;
        }
        let verdict = judge(&timed, &oracle, &plan, &system);
        if agrees(&verdict, &system) {
            tally.agree += 1;
        } else {
            tally.differ += 1;
            println!(
                "{} seed {seed}: engine {failure:?} goal {goal}; twin {:?} {:?}",
                problem.display(),
                verdict.faults,
                verdict.missing
            );
            if tally.differ < 2 {
                println!("{plan}");
            }
        }
        if let Some(save) = save.filter(|_| failure.is_none()) {
            let name = format!("{}-{seed}", problem.display().to_string().replace('/', "_"));
            fs::write(save.join(format!("{name}.plan")), plan.to_string()).expect("a folder");
            let line = format!(
                "{}\n{}\n{}\n",
                domain.display(),
                problem.display(),
                u8::from(goal)
            );
            fs::write(save.join(format!("{name}.txt")), line).expect("a folder");
        }
    }
}
