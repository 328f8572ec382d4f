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
    // The same exam again, once it may replace the first.
    let again = herbrand_in(folder.path(), &make);
    assert!(
        again.status == 2 && again.stderr.contains("exists"),
        "{}",
        again.stderr
    );
    let forced = [&make[..], &["--force"]].concat();
    assert_eq!(herbrand_in(folder.path(), &forced).status, 0);
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
        "--force",
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
        for force in [&[][..], &["--force"]] {
            let run = herbrand_in(folder.path(), &[&print[..], force].concat());
            assert_eq!(run.status, 0, "{}", run.stderr);
        }
        let [questions, answers] =
            [questions, answers].map(|name| fs::read_to_string(folder.path().join(name)).expect("a sheet"));
        assert!(!questions.contains("herbrand-plan-"), "{questions}");
        assert!(
            questions.contains("in indented lines below the number"),
            "{questions}"
        );
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

/// The answers of a class: a file for each student, as JSON, as numbered lines and as CSV.
#[test]
fn a_class_is_graded_in_one_table() {
    let folder = Scratch::new("class-exam");
    let make = [&MAKE[..], &["plan-valid,after", "--out", "exam.jsonl"]].concat();
    assert_eq!(herbrand_in(folder.path(), &make).status, 0);
    let questions = folder.read("exam.jsonl");
    let right: Vec<(String, String)> = questions
        .lines()
        .map(|line| {
            let question: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = |key: &str| question[key].as_str().expect("a text").to_owned();
            (text("id"), text("answer"))
        })
        .collect();
    let json = right
        .iter()
        .map(|(id, answer)| serde_json::json!({"id": id, "answer": answer}).to_string());
    folder.write("ann.jsonl", &json.collect::<Vec<_>>().join("\n"));
    let lines = right.iter().enumerate().skip(1);
    let lines = lines.map(|(at, (_, answer))| format!("{}. {answer}", at + 1));
    folder.write("bob.txt", &lines.collect::<Vec<_>>().join("\n"));
    folder.write(
        "cem.csv",
        &format!("question,answer\n1,{}\n2,perhaps\n", right[0].1),
    );
    let class = ["exam", "grade", "exam.jsonl", "ann.jsonl", "bob.txt", "cem.csv"];
    let run = folder.run(&[&class[..], &["--out", "points.csv"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "student  right   mean  blank  by kind\n",
        "ann      12/12  1.000      0  plan-valid:6/6 after:6/6\n",
        "bob      11/12  0.917      1  plan-valid:5/6 after:6/6\n",
        "\n3 students, mean 0.667\n",
        "was answered right by 2 of 3\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    let points = folder.read("points.csv");
    let points: Vec<_> = points.lines().collect();
    assert_eq!(
        points[0],
        "student,right,questions,mean,blank,unread,plan-valid,after,1,2,3,4,5,6,7,8,9,10,11,12"
    );
    assert_eq!(points[2], "bob,11,12,0.9167,1,1,5,6,0,1,1,1,1,1,1,1,1,1,1,1");
    assert_eq!(points[3], "cem,1,12,0.0833,10,11,1,0,1,0,0,0,0,0,0,0,0,0,0,0");
    assert_eq!(
        points[4],
        "(possible),12,12,1.0000,0,0,6,6,1,1,1,1,1,1,1,1,1,1,1,1"
    );
    let page = folder.run(&[&class[..], &["--out", "class.html", "--format", "json"]].concat());
    assert_eq!(page.json()["students"][1]["student"], "bob");
    assert_eq!(page.json()["questions"][0]["right"], 2);
    let page = folder.read("class.html");
    for part in [
        "<h2>ann</h2>\n<p>12 of 12 right",
        "<h2>bob</h2>\n<p>11 of 12 right, 1 left blank</p>",
        "no answer",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

/// The files of a folder are graded although some have odd lines, which are reported with their places.
#[test]
fn a_class_is_graded_despite_odd_lines() {
    let folder = Scratch::new("odd-class");
    let make = [&MAKE[..], &["plan-valid,after", "--out", "exam.jsonl"]].concat();
    assert_eq!(herbrand_in(folder.path(), &make).status, 0);
    for path in ["class", "late"] {
        fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    folder.write("class/ann.txt", "1. yes\nB\n99. C\n1. no\n");
    folder.write("class/bob.csv", "");
    fs::write(folder.path().join("class/cem.txt"), b"\x7fELF\0\xff\0").expect("a file");
    folder.write("class/dora.txt", &format!("1. no\n{}", "oh\n".repeat(1000)));
    fs::write(
        folder.path().join("class/eve.txt"),
        "\u{feff}1. no"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    )
    .expect("a file");
    folder.write("class/.hidden", "");
    for path in ["class/Fay Lee", "class/gil", "class/empty"] {
        fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    folder.write("class/Fay Lee/answers.txt", "sorry\n**1.** no");
    folder.write("class/gil/one.txt", "1. no");
    folder.write("class/gil/two.txt", "2. B");
    folder.write("late/ann.txt", "1. no");
    let class = [
        "exam",
        "grade",
        "exam.jsonl",
        "class",
        "late/ann.txt",
        "class/bob.csv",
        "--out",
        "class.html",
    ];
    let run = folder.run(&class);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "not graded: class/ann.txt:2: an answer begins with the number",
        "not graded: class/ann.txt:3: there is no question `99`: the questions are 1 to 12\n",
        "not graded: class/ann.txt:4: the question `1` has several answers; the last one counts\n",
        "not graded: class/bob.csv:1: the file is empty\n",
        "not graded: class/cem.txt:1: the file is no text\n",
        "not graded: class/dora.txt: 980 lines more that cannot be graded\n",
        "not graded: class/Fay Lee/answers.txt:1: an answer begins with the number of its question, such as `3. B`, and not with \
         `sorry`\n",
        "not graded: class/empty: this folder has no files\n",
        "note: class/bob.csv is named twice, and graded once\n",
    ] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    assert!(run.stderr.matches('\n').count() < 40, "{}", run.stderr);
    let students: Vec<_> = run
        .stdout
        .lines()
        .filter_map(|line| line.split("  ").next())
        .skip(1)
        .take(9)
        .collect();
    assert_eq!(
        students,
        [
            "Fay Lee",
            "class/ann.txt",
            "bob",
            "cem",
            "dora",
            "eve",
            "gil/one",
            "gil/two",
            "late/ann.txt"
        ],
        "{}",
        run.stdout
    );
    assert!(folder.read("class.html").contains("<li>line 2: an answer begins"));
    let run = folder.run(&["exam", "grade", "exam.jsonl", "class", "--out", "class.pdf"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("end it in .html for a page, or in .csv"),
        "{}",
        run.stderr
    );
    // Nothing can be graded: a wrong file.
    folder.write("class/odd.txt", "99. C\nyes\n");
    let run = folder.run(&["exam", "grade", "exam.jsonl", "class/odd.txt", "class/bob.csv"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("class/odd.txt:2: "), "{}", run.stderr);
    let run = folder.run(&["exam", "grade", "exam.jsonl", "late/none.txt"]);
    assert_eq!(run.status, 2);
}

/// A faulty table of sentences beside a domain is an error of the command.
#[test]
fn faulty_tables_of_sentences_are_errors() {
    let folder = Scratch::new("faulty-table");
    let run = herbrand_in(
        folder.path(),
        &[
            "generate", "blocks", "--size", "4", "--count", "1", "--out", "own",
        ],
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    folder.write(
        "own/domain.text.toml",
        "[facts]\non = \"{1} is above\"\nno = \"x\"\n[actions]\nstack = \"{blok} there\"\n",
    );
    let run = folder.run(&["exam", "make", "own", "--count", "2"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    for part in [
        "error[T0003]",
        "error[T0002]",
        "own/domain.text.toml:5:",
        "its parameters are `{block}`, ",
        "did you mean `{block}`?",
    ] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
}
