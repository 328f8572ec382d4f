//! Making questions.

use std::collections::BTreeMap;
use std::time::Instant;

use herbrand_exam::{ExamError, ExamOptions, Form, Kind, Style, make, read_lines, write_lines};
use herbrand_limits::{Budget, Limits};

use crate::{options, questions};

#[test]
fn every_kind_has_its_share() {
    for kind in Kind::ALL {
        let count = questions()
            .iter()
            .filter(|question| question.kind == kind)
            .count();
        assert_eq!(count, 15, "{kind}");
    }
    let ids: std::collections::BTreeSet<_> = questions().iter().map(|question| &question.id).collect();
    assert_eq!(ids.len(), questions().len());
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
    let faults = read_lines::<herbrand_exam::Answer>("answers", "{\"id\": 3}\n\n[]\n").expect_err("faults");
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

#[test]
fn what_cannot_be_made_is_told() {
    let made = |options: &ExamOptions| make(options, &Budget::unlimited(), &|_| {}).expect_err("an error");
    let domains = |name: &str| vec![name.to_owned()];
    let unknown = made(&ExamOptions {
        domains: domains("blokcs"),
        ..ExamOptions::default()
    });
    assert!(unknown.to_string().contains("did you mean `blocks`"), "{unknown}");
    let kinds = vec![Kind::Probability];
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

#[test]
#[ignore = "takes long"]
fn many() {
    let count = std::env::var("QUESTIONS").ok().and_then(|text| text.parse().ok());
    let options = ExamOptions {
        count: count.unwrap_or(10_000),
        ..ExamOptions::default()
    };
    let begin = Instant::now();
    let report = |made| eprintln!("{made} {:?}", begin.elapsed());
    let questions = make(&options, &Budget::unlimited(), &report).expect("the answers agree");
    let mut counts = BTreeMap::<_, BTreeMap<_, usize>>::new();
    for question in &questions {
        let counts = counts.entry(question.kind).or_default();
        *counts.entry(question.domain.as_str()).or_default() += 1;
    }
    for (kind, counts) in counts {
        println!("{kind}: {} {counts:?}", counts.values().sum::<usize>());
    }
    println!("{} questions in {:?}", questions.len(), begin.elapsed());
    crate::form::check(&questions);
    if let Ok(path) = std::env::var("QUESTIONS_OUT") {
        std::fs::write(path, write_lines(&questions).expect("JSON")).expect("the file is written");
    }
    assert!(questions.iter().any(|question| question.form == Form::Plan));
}
