//! Making questions.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_exam::{ExamError, ExamOptions, Kind, Language, Style, Topic, make, read_lines, write_lines};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::Instance;

use crate::{EACH, options, questions};

#[test]
fn every_kind_has_its_share() {
    for kind in Kind::ALL {
        let count = questions()
            .iter()
            .filter(|question| question.kind == kind)
            .count();
        assert_eq!(count, EACH, "{kind}");
    }
    let ids: BTreeSet<_> = questions().iter().map(|question| &question.id).collect();
    assert_eq!(ids.len(), questions().len());
    // Kinds take turns, so readers that guess the types of columns from the first rows see all of them.
    let first: BTreeSet<_> = questions()[..Kind::ALL.len()]
        .iter()
        .map(|question| question.kind)
        .collect();
    assert_eq!(first.len(), Kind::ALL.len());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let again = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let made = pool.install(|| make(&options(28), &Budget::unlimited(), &|_| {}));
        made.expect("the answers agree")
    };
    assert_eq!(again(1), again(3));
}

#[test]
fn files_keep_everything() {
    let text = write_lines(questions()).expect("JSON");
    assert_eq!(read_lines("exam", &text).as_deref(), Ok(questions()));
    let faults = read_lines::<herbrand_exam::Answer>("answers", "{\"id\": [3]}\n\n[]\n").expect_err("faults");
    assert!(
        faults[0].starts_with("answers:1: ") && faults[1].starts_with("answers:3: "),
        "{faults:?}"
    );
}

#[test]
fn lengths_are_kept() {
    for question in questions() {
        let length = question.difficulty.length;
        assert!(
            (1..=12).contains(&length) || question.difficulty.states == 0,
            "{}",
            question.id
        );
    }
}

#[test]
fn invented_names_hide_the_domain() {
    let asked = ExamOptions {
        obfuscated: true,
        domains: vec!["blocks".to_owned()],
        kinds: vec![
            Kind::PlanValid,
            Kind::After,
            Kind::WhyNot,
            Kind::Plan,
            Kind::SameProblem,
        ],
        ..options(10)
    };
    for style in [Style::Text, Style::Pddl] {
        let made = make(
            &ExamOptions {
                style,
                ..asked.clone()
            },
            &Budget::unlimited(),
            &|_| {},
        );
        for question in made.expect("the answers agree") {
            for word in ["block", "stack", "hand", "clear"] {
                assert!(!question.question.contains(word), "{}", question.question);
            }
        }
    }
}

/// The blocks world gives no question of some kinds; without kinds in the options, others take their share. Questions of
/// other lengths about one problem have other ids.
#[test]
fn other_kinds_take_the_share_of_those_that_cannot_be_made() {
    let of_lengths = |lengths| {
        let options = ExamOptions {
            count: 10,
            domains: vec!["blocks".to_owned()],
            lengths,
            ..ExamOptions::default()
        };
        make(&options, &Budget::unlimited(), &|_| {}).expect("ten questions")
    };
    let exams = [(1, 3), (4, 6)].map(of_lengths);
    assert!(exams.iter().all(|questions| questions.len() == 10));
    assert!(exams[0].iter().all(|question| question.kind != Kind::Reachable));
    let ids: BTreeSet<_> = exams.iter().flatten().map(|question| &question.id).collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn what_cannot_be_made_is_told() {
    let made = |options: &ExamOptions| make(options, &Budget::unlimited(), &|_| {}).expect_err("an error");
    let domains = |name: &str| vec![name.to_owned()];
    let unknown = made(&ExamOptions {
        domains: domains("blokcs"),
        ..ExamOptions::default()
    });
    assert!(unknown.to_string().contains("did you mean `blocks`"), "{unknown}");
    let kinds = vec![Kind::RddlAfter];
    let none = made(&ExamOptions {
        domains: domains("blocks"),
        kinds,
        ..ExamOptions::default()
    });
    assert!(matches!(none, ExamError::Shortage { made: 0, .. }), "{none}");
    let limits = Limits {
        bytes: None,
        time: Some(std::time::Duration::ZERO),
    };
    let late = make(&options(10), &Budget::new(limits), &|_| {}).expect_err("an error");
    assert!(matches!(late, ExamError::Limit(_)), "{late}");
}

/// Returns the CPU time of this process in seconds.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = text.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: Vec<f64> = rest.split(' ').filter_map(|word| word.parse().ok()).collect();
    // The state before them is a letter.
    ticks
        .get(10..12)
        .map_or(0.0, |both| both.iter().sum::<f64>() / 100.0)
}

/// Prints how many questions of each kind are made and confirmed per second of CPU time, with `QUESTIONS` of each (default: 60).
#[test]
#[ignore = "a measurement"]
fn speed() {
    let questions = std::env::var("QUESTIONS").map_or(60, |count| count.parse().expect("a number"));
    for kind in Kind::ALL {
        let asked = ExamOptions {
            count: questions,
            kinds: vec![kind],
            ..ExamOptions::default()
        };
        let start = cpu_time();
        make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree");
        let speed = questions as f64 / (cpu_time() - start);
        println!("| `{kind}` | {speed:.1} |");
    }
}

/// Learns from the form of one exam and answers another one by it. The environment variable `EXAMS` has the names of the
/// two files, separated by a comma. Without it, both exams are made, with `QUESTIONS` questions each (default: 10,000)
/// of the `KINDS` (default: all) and the two `SEEDS` (default: 1,0).
#[test]
#[ignore = "takes long"]
fn many() {
    let variable = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let [learned, asked] = match std::env::var("EXAMS") {
        Ok(names) => {
            let (learned, asked) = names.split_once(',').expect("two names");
            [learned, asked].map(|name| {
                let text = std::fs::read_to_string(name).expect("an exam");
                read_lines(name, &text).expect("questions")
            })
        }
        Err(_) => {
            let seeds = variable("SEEDS", "1,0");
            let kinds = variable("KINDS", "");
            let kinds = kinds.split(',').filter(|kind| !kind.is_empty());
            let kinds: Vec<Kind> = kinds.map(|kind| kind.parse().expect("a kind")).collect();
            let (learned, asked) = seeds.split_once(',').expect("two seeds");
            [learned, asked].map(|seed| {
                let asked = ExamOptions {
                    count: variable("QUESTIONS", "10000").parse().expect("a number"),
                    seed: seed.parse().expect("a seed"),
                    kinds: kinds.clone(),
                    ..ExamOptions::default()
                };
                let start = cpu_time();
                let made = make(&asked, &Budget::unlimited(), &|made| eprintln!("{made}"));
                let made = made.expect("the answers agree");
                println!(
                    "{} questions in {:.1} s of CPU time",
                    made.len(),
                    cpu_time() - start
                );
                made
            })
        }
    };
    let mut counts = BTreeMap::<_, BTreeMap<_, usize>>::new();
    for question in &asked {
        let counts = counts.entry(question.kind).or_default();
        *counts.entry(question.domain.as_str()).or_default() += 1;
    }
    for (kind, counts) in counts {
        println!("{kind}: {} {counts:?}", counts.values().sum::<usize>());
    }
    crate::form::check(&learned, &asked);
}

#[test]
fn domains_without_chance_are_made_unreliable() {
    let asked = ExamOptions {
        kinds: vec![Kind::Probability, Kind::ExpectedReward],
        domains: vec!["blocks".to_owned(), "ferry".to_owned()],
        ..options(8)
    };
    for question in make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree") {
        assert!(
            question.question.contains("with probability "),
            "{}",
            question.question
        );
        assert!(
            question.domain_text.contains("(probabilistic"),
            "{}",
            question.domain_text
        );
    }
}

#[test]
fn problems_in_rddl_are_stated_as_they_are() {
    for question in questions()
        .iter()
        .filter(|question| question.kind.topic() == Topic::Rddl)
    {
        assert_eq!(question.language, Language::Rddl);
        let problem = question.problem_text.trim();
        assert!(question.question.contains(problem), "{}", question.question);
        assert!(
            question.domain.starts_with("rddl/") && !question.id.contains('/'),
            "{}",
            question.id
        );
        let again = Instance::from_text(&question.domain_text, &question.problem_text).expect("an instance");
        assert_eq!(again.to_rddl().trim(), problem);
    }
}

#[test]
fn invented_names_hide_domains_in_rddl() {
    let asked = ExamOptions {
        obfuscated: true,
        kinds: vec![Kind::RddlValid, Kind::RddlProbability],
        domains: vec!["rddl/sysadmin-mdp".to_owned(), "rddl/elevators".to_owned()],
        ..options(6)
    };
    for question in make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree") {
        for word in ["sysadmin", "computer", "running", "reboot", "elevator", "floor"] {
            assert!(!question.question.contains(word), "{}", question.question);
        }
    }
}

#[test]
fn an_effort_leaves_other_problems_out() {
    let asked = ExamOptions {
        effort: Some((1, 1_000)),
        ..options(12)
    };
    let made = make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree");
    assert!(
        made.iter()
            .all(|question| question.kind.topic() == Topic::Plain && question.difficulty.expanded > 0)
    );
}

/// The questions of a sheet do not answer each other, because each has a start state of its own, if there are enough.
#[test]
fn questions_of_a_sheet_have_their_own_starts() {
    let options = |domain: &str, count| ExamOptions {
        domains: vec![domain.to_owned()],
        count,
        ..ExamOptions::default()
    };
    for (domain, count) in [("blocks", 30), ("ferry", 30), ("rddl/elevators-mdp", 12)] {
        let questions =
            make(&options(domain, count), &Budget::unlimited(), &|_| {}).expect("enough questions");
        let starts: BTreeSet<_> = questions
            .iter()
            .map(|question| (&question.domain_text, &question.problem_text))
            .collect();
        assert_eq!((questions.len(), starts.len()), (count, count), "{domain}");
    }
}
