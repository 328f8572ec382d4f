//! `herbrand exam`.

use std::fs;

use crate::run::{Scratch, herbrand, herbrand_in};

const MAKE: [&str; 7] = [
    "exam",
    "make",
    "--domain",
    "blocks,ferry",
    "--count",
    "12",
    "--kind",
];

#[test]
fn questions_are_made_and_answers_graded() {
    let folder = Scratch::new("exam");
    let make = [
        &MAKE[..],
        &["plan-valid,gap,plan", "--seed", "3", "--out", "exam.jsonl"],
    ]
    .concat();
    let run = herbrand_in(folder.path(), &make);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("exam.jsonl") && run.stderr.contains("12 questions"),
        "{}",
        run.stderr
    );
    // The program may replace its own files.
    assert_eq!(herbrand_in(folder.path(), &make).status, 0);
    let card = fs::read_to_string(folder.path().join("exam.card.json")).expect("the card");
    assert!(
        card.contains("\"kinds\":{\"gap\":4,\"plan\":4,\"plan-valid\":4}"),
        "{card}"
    );

    let questions = fs::read_to_string(folder.path().join("exam.jsonl")).expect("the questions");
    let answers: Vec<String> = questions
        .lines()
        .map(|line| {
            let question: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let answer = format!("Answer: {}", question["answer"].as_str().expect("an answer"));
            serde_json::json!({ "id": question["id"], "answer": answer }).to_string()
        })
        .collect();
    let write = |answers: &[String]| {
        fs::write(folder.path().join("answers.jsonl"), answers.join("\n")).expect("the answers are written");
    };
    write(&answers);
    let grade = [
        "exam",
        "grade",
        "exam.jsonl",
        "answers.jsonl",
        "--out",
        "report.html",
    ];
    let run = herbrand_in(folder.path(), &grade);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .lines()
            .last()
            .is_some_and(|line| line.contains(" 12 ")),
        "{}",
        run.stdout
    );
    assert!(
        fs::read_to_string(folder.path().join("report.html")).is_ok_and(|page| page.contains("plan-valid"))
    );
    let json = [&grade[..4], &["--format", "json"]].concat();
    assert_eq!(herbrand_in(folder.path(), &json).json()["total"]["right"], 12);

    write(&answers[2..]);
    let run = herbrand_in(folder.path(), &grade);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .ends_with("2 of 12 questions left blank, and so wrong\n"),
        "{}",
        run.stdout
    );
    fs::write(folder.path().join("answers.jsonl"), "{}\n[]\nno\n").expect("the answers are written");
    let run = herbrand_in(folder.path(), &grade);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr.matches("answers.jsonl:").count(), 3, "{}", run.stderr);
}

#[test]
fn exams_about_files_are_printed() {
    let folder = Scratch::new("own-exam");
    let run = herbrand_in(
        folder.path(),
        &[
            "generate", "blocks", "--size", "4", "--count", "2", "--out", "own",
        ],
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    let table = folder.path().join("own/domain.text.toml");
    fs::write(table, "[facts]\non = \"{1} is above {2}\"\n").expect("the table is written");
    let make = [
        "exam",
        "make",
        "own",
        "--count",
        "8",
        "--kind",
        "after,plan",
        "--out",
        "own.jsonl",
    ];
    let run = herbrand_in(folder.path(), &make);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (questions, answers) in [("q.html", "a.html"), ("q.md", "a.md")] {
        let print = [
            "exam",
            "print",
            "own.jsonl",
            "--out",
            questions,
            "--answers",
            answers,
        ];
        // The program may replace its own files.
        for _ in 0..2 {
            let run = herbrand_in(folder.path(), &print);
            assert_eq!(run.status, 0, "{}", run.stderr);
        }
        let [questions, answers] =
            [questions, answers].map(|name| fs::read_to_string(folder.path().join(name)).expect("a sheet"));
        assert_eq!(questions.matches("herbrand-plan-").count(), 4, "{questions}");
        assert_eq!(answers.matches("herbrand-plan-").count(), 4, "{answers}");
        assert!(questions.contains(" is above ") && !answers.contains("The goal: "));
    }
    for (arguments, expected) in [
        (
            &["print", "own.jsonl", "--out", "q.pdf"][..],
            "end it in .html or .md",
        ),
        (
            &["make", "rddl/traffic"],
            "no questions about instances with real state fluents",
        ),
        (&["make", "rddl"], "use `--domain`"),
        (&["make", "own", "--domain", "blocks"], "cannot be used with"),
    ] {
        let run = herbrand_in(folder.path(), &[&["exam"], arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn bad_requests_are_refused() {
    for (arguments, expected) in [
        (&["--kind", "gaps"][..], "did you mean `gap`"),
        (&["--kind", "foo"], "the kinds are plan-valid, plan-failure,"),
        (&["--domain", "blokcs"], "did you mean `blocks`"),
        (&["--domain", "rddl/trafic"], "did you mean `rddl/traffic`"),
        (&["--length", "5..3"], "the range 5..3 is empty"),
        (
            &["--domain", "blocks", "--kind", "rddl-after"],
            "only 0 of 100 questions of kind rddl-after can be made: these questions are about problems in RDDL",
        ),
        (
            &["--domain", "river", "--kind", "gap"],
            "the domains have chance, and these questions are about domains without; the kinds for these domains are \
             probability, expected-reward",
        ),
        (
            &["--domain", "blocks", "--kind", "plan", "--length", "90..99"],
            "few states have a shortest plan of 90 to 99 actions",
        ),
        (
            &["--domain", "blocks", "--kind", "probability", "--effort", "1..2"],
            "with --effort, there are no questions about chance",
        ),
        (&["--time", "0.01"], "time limit"),
    ] {
        let run = herbrand(&[&["exam", "make"], arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}
