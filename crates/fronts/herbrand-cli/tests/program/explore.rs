//! `herbrand explore`.

use std::fs;

use serde_json::Value;

use crate::run::{Scratch, herbrand, herbrand_in};

#[test]
fn games_are_won_and_told_in_a_table() {
    let run = herbrand(&["explore", "--games", "10..13"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let rows: Vec<Vec<&str>> = run
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..4], ["world", "games", "won", "steps"]);
    for (row, world) in rows[1..].iter().zip(["coin", "cooking-easy", "cooking-hard"]) {
        assert_eq!(row[..3], [world, "3", "3"]);
    }
}

#[test]
fn a_game_is_shown_step_by_step() {
    let run = herbrand(&["explore", "--world", "coin", "--games", "10", "--show"]);
    assert_eq!(run.status, 0);
    for part in [
        "coin, game 10",
        "  This is the ",
        "+ add (agent-at ",
        "goal: somewhere new: plan",
        "> take coin",
        "won after",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    assert!(
        !run.stdout.contains('!') && !run.stdout.contains('?'),
        "{}",
        run.stdout
    );
}

#[test]
fn records_are_the_same_each_time() {
    let arguments = [
        "explore",
        "--world",
        "cooking-easy",
        "--games",
        "20..22",
        "--format",
        "json",
    ];
    let (first, second) = (herbrand(&arguments), herbrand(&arguments));
    assert_eq!(first.stdout, second.stdout);
    let played = first.json();
    assert_eq!(played[0]["won"], 2);
    let game = &played[0]["games"][0];
    assert_eq!(
        (&game["game"], &game["ending"]),
        (&Value::from(20), &Value::from("won"))
    );
    let effects = game["events"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|event| event["event"] == "effects");
    assert_eq!(effects.count() as u64, game["steps"].as_u64().unwrap_or(0));
}

#[test]
fn a_script_that_ends_loses_its_game() {
    let scratch = Scratch::new("explore-script");
    let answers = [
        r#"{"command": "look around"}"#,
        r#"{"command": "fly"}"#,
        r#"{"command": "inventory"}"#,
    ];
    fs::write(scratch.path().join("answers.jsonl"), answers.join("\n")).expect("a file");
    let arguments = [
        "explore",
        "--world",
        "coin",
        "--games",
        "10",
        "--reader",
        "script",
        "--script",
        "answers.jsonl",
        "--mode",
        "end-to-end",
        "--show",
    ];
    let run = herbrand_in(scratch.path(), &arguments);
    assert_eq!(run.status, 1, "{}", run.stderr);
    for part in [
        "answer 1 rejected",
        "2> inventory",
        "unread after 2 commands",
        "10: unread",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    fs::write(scratch.path().join("answers.jsonl"), "{\"command\": 3}").expect("a file");
    let run = herbrand_in(scratch.path(), &arguments);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("line 1"), "{}", run.stderr);
}

#[test]
fn a_record_answers_for_a_language_model() {
    let scratch = Scratch::new("explore-record");
    let arguments = [
        "explore",
        "--world",
        "coin",
        "--games",
        "10",
        "--reader",
        "model",
        "--model",
        "any",
        "--replay",
        "games.jsonl",
        "--show",
    ];
    scratch.write("games.jsonl", "{\"request\": {}, \"response\": \"{}\"}\n");
    let run = scratch.run(&arguments);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout.contains("request 1 differs from the one on record"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("unread after 0 commands"), "{}", run.stdout);
    scratch.write("games.jsonl", "{\"request\": {}}\n{");
    let run = scratch.run(&arguments);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("line 2 of the record"), "{}", run.stderr);
}

#[test]
fn a_transcript_told_again_is_the_same_byte_for_byte() {
    let scratch = Scratch::new("explore-transcript");
    for (options, status) in [
        (
            &["--world", "coin", "--world", "cooking-easy", "--games", "10..12"][..],
            0,
        ),
        (
            &[
                "--world",
                "cooking-hard",
                "--games",
                "12",
                "--execute",
                "every-step",
            ],
            0,
        ),
    ] {
        let format = ["--format", "json"];
        let first = scratch.run(
            &[
                &["explore", "--force", "--transcript", "games.jsonl"],
                options,
                &format,
            ]
            .concat(),
        );
        assert_eq!(first.status, status, "{}", first.stderr);
        let again = scratch.run(&[&["explore", "--retell", "games.jsonl"][..], &format].concat());
        assert_eq!(
            (again.status, &again.stdout),
            (status, &first.stdout),
            "{}",
            again.stderr
        );
    }
    let whole = fs::read_to_string(scratch.path().join("games.jsonl")).expect("a transcript");
    let lines = whole.lines().count();
    // A different command, a missing end, and a malformed line.
    let other = whole.replacen("open door to", "shut door to", 1);
    let cut: String = whole
        .lines()
        .take(lines - 1)
        .map(|line| format!("{line}\n"))
        .collect();
    for (text, message) in [
        (other, "of the transcript: the game needs what `".to_owned()),
        (
            cut,
            format!("line {lines} of the transcript: the game needs the end of the game"),
        ),
        (format!("{whole}{{\n"), format!("line {}: ", lines + 1)),
    ] {
        scratch.write("games.jsonl", &text);
        let run = scratch.run(&["explore", "--retell", "games.jsonl"]);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(&message), "{message}\n{}", run.stderr);
    }
}

#[test]
fn bad_requests_are_told() {
    for (arguments, message) in [
        (&["--world", "chess"][..], "invalid value"),
        (&["--games", "5..5"], "the range 5..5 is empty"),
        (&["--games", "x"], "`x` is not a number"),
        (&["--reader", "script"], "--script"),
        (&["--mode", "end-to-end"], "cannot choose commands"),
        (&["--planner", "wish"], "invalid value"),
        (
            &[
                "--reader", "model", "--model", "m", "--record", "a", "--replay", "b",
            ],
            "cannot be used with",
        ),
        (&["--retell", "a", "--world", "coin"], "cannot be used with"),
        (&["--retell", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (
            &["--reader", "model", "--model", "m", "--replay", "nowhere.jsonl"],
            "nowhere.jsonl: No such file",
        ),
    ] {
        let run = herbrand(&[&["explore"], arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_random_player_has_a_row() {
    let arguments = [
        "explore", "--world", "coin", "--games", "10..20", "--reader", "random",
    ];
    let run = herbrand(
        &[
            &arguments[..],
            &["--mode", "end-to-end", "--seed", "3", "--format", "json"],
        ]
        .concat(),
    );
    assert!(run.status <= 1, "{}", run.stderr);
    assert_eq!(run.json()[0]["games"].as_array().map(Vec::len), Some(10));
    let refused = herbrand(&arguments);
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains("add --mode end-to-end"),
        "{}",
        refused.stderr
    );
}

#[test]
fn games_of_a_server_that_is_down_count_as_not_played() {
    // A port that nothing listens on.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    drop(listener);
    let arguments = [
        "explore",
        "--world",
        "coin",
        "--world",
        "cooking-easy",
        "--games",
        "10..13",
        "--reader",
        "model",
        "--model",
        "m",
        "--url",
        &url,
        "--wait",
        "0.1",
        "--format",
        "json",
    ];
    let run = herbrand(&arguments);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("the server is down: asking again"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("6 games not played"), "{}", run.stderr);
    let played = run.json();
    for row in 0..2 {
        assert_eq!(
            (&played[row]["not_played"], &played[row]["won"]),
            (&3.into(), &0.into())
        );
    }
}

#[test]
fn a_table_goes_on_where_it_was_killed() {
    let scratch = Scratch::new("explore-table");
    let table = |more: &[&str]| {
        let words = [
            "explore",
            "table",
            "trials.jsonl",
            "--world",
            "coin",
            "--games",
            "10..13",
        ];
        scratch.run(&[&words[..], more].concat())
    };
    let missing = table(&[]);
    assert_eq!(missing.status, 2);
    assert!(
        missing.stderr.contains("does not exist: add --reader"),
        "{}",
        missing.stderr
    );
    let run = table(&["--reader", "random", "--trials", "2"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let whole = scratch.read("trials.jsonl");
    assert_eq!(whole.lines().count(), 6);
    // Killed in the middle of the fourth line: the file becomes the same again.
    let cut: usize = whole.lines().take(3).map(|line| line.len() + 1).sum();
    scratch.write("trials.jsonl", &whole[..cut + 30]);
    let again = table(&["--reader", "random", "--trials", "2"]);
    assert_eq!(
        (again.status, &scratch.read("trials.jsonl")),
        (0, &whole),
        "{}",
        again.stderr
    );
    assert_eq!(again.stdout, run.stdout);
    // The rules in two of the paper's methods, in the same file.
    let run = table(&["--reader", "rules"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(scratch.read("trials.jsonl").lines().count(), 12);
    let rows = table(&["--format", "json"]).json();
    let names: Vec<_> = (0..3)
        .map(|at| (rows[at]["player"].clone(), rows[at]["method"].clone()))
        .collect();
    assert_eq!(
        names,
        [
            ("random", "end-to-end"),
            ("rules", "whole-problem"),
            ("rules", "lines")
        ]
        .map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!((&rows[1]["games"], &rows[1]["won"]), (&3.into(), &3.into()));
    for (more, said) in [
        (
            &["--reader", "random", "--retries", "3"][..],
            "with --retries 5, not --retries 3",
        ),
        (&["--reader", "random", "--mode", "edits"], "has no mode edits"),
        (
            &["--reader", "rules", "--mode", "end-to-end"],
            "has no mode end-to-end",
        ),
        (&["--reader", "model"], "needs --model NAME"),
    ] {
        let run = table(more);
        assert_eq!(run.status, 2, "{more:?}");
        assert!(run.stderr.contains(said), "{more:?}: {}", run.stderr);
    }
    scratch.write("notes.txt", "my notes\n");
    let run = scratch.run(&["explore", "table", "notes.txt", "--reader", "random"]);
    assert_eq!(
        (run.status, scratch.read("notes.txt").as_str()),
        (2, "my notes\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_table_whose_server_is_down_keeps_what_was_played() {
    let scratch = Scratch::new("explore-table-down");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    drop(listener);
    let run = scratch.run(&[
        "explore",
        "table",
        "trials.jsonl",
        "--games",
        "10..12",
        "--reader",
        "model",
        "--model",
        "m",
        "--url",
        &url,
        "--wait",
        "0",
    ]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("the server is down: 18 games not played; the same command goes on with them later"),
        "{}",
        run.stderr
    );
    assert_eq!(scratch.read("trials.jsonl"), "");
}

#[test]
fn a_figure_has_a_mark_for_each_example() {
    let scratch = Scratch::new("explore-figure");
    let figure = |more: &[&str]| {
        let words = [
            "explore",
            "figure",
            "trials.jsonl",
            "--games",
            "0..3",
            "--trials",
            "3",
        ];
        scratch.run(&[&words[..], more].concat())
    };
    let run = figure(&["--reader", "random", "--out", "steps.svg"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("wrote steps.svg, 3 examples"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stdout.lines().count(), 4, "{}", run.stdout);
    let run = figure(&[
        "--reader", "rules", "--mode", "lines", "--out", "both.svg", "--format", "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let points = run.json();
    assert_eq!(points.as_array().map(Vec::len), Some(6));
    // The rules are the same each time.
    assert_eq!(
        (&points[5]["won"], &points[5]["deviation"]),
        (&3.into(), &0.0.into())
    );
    let svg = scratch.read("both.svg");
    assert!(
        svg.contains("rules, lines, coin") && svg.contains("random, end-to-end, coin"),
        "{svg}"
    );
    // Two in the legend, and one for each example.
    assert_eq!(
        svg.matches("<ellipse").count() + svg.matches("<circle").count(),
        8,
        "{svg}"
    );
}

const TASKS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../labs/herbrand-explore/tests/tasks/coin.toml"
);

#[test]
fn a_task_of_ones_own_needs_no_code() {
    let scratch = Scratch::new("explore-task");
    let play = ["explore", "--world", "coin", "--task", TASKS, "--games", "10..12"];
    let more = [
        "--mode",
        "lines",
        "--believed",
        "problems",
        "--transcript",
        "games.jsonl",
    ];
    let run = scratch.run(&[&play[..], &more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("coin       2    2"), "{}", run.stdout);
    assert!(run.stderr.contains("wrote problems/coin-10, "), "{}", run.stderr);
    let first = scratch.read("problems/coin-10/000.pddl");
    assert!(
        first.contains("(at study)") && first.contains("unnamed-1"),
        "{first}"
    );
    let retold = scratch.run(&["explore", "--retell", "games.jsonl", "--task", TASKS]);
    assert_eq!(retold.status, 0, "{}", retold.stderr);
    let two = scratch.run(&[
        "explore",
        "--world",
        "coin",
        "--world",
        "cooking-easy",
        "--task",
        TASKS,
    ]);
    assert!(two.stderr.contains("--task is for one world"), "{}", two.stderr);
    scratch.write("broken.toml", "domain = \"domain.pddl\"\ngoals = []\n");
    let broken = scratch.run(&["explore", "--world", "coin", "--task", "broken.toml"]);
    assert_eq!(broken.status, 2);
    assert!(
        broken.stderr.contains("unknown field `goals`"),
        "{}",
        broken.stderr
    );
}
