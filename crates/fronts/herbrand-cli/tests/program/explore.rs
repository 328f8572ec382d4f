//! `explore`: games that are the same each time, tables that go on, and servers that are down. The page `explore.md` has the rest.

use crate::run::{Run, Scratch};

#[test]
fn games_and_their_transcripts_are_the_same_byte_for_byte() {
    let scratch = Scratch::new("explore-transcript");
    for options in [
        "--world coin --world cooking-easy --games 10..12",
        "--world cooking-hard --games 12 --execute every-step",
    ] {
        let play = |more: &str| {
            let run = scratch.shell(&format!("herbrand explore {more} --format json"));
            assert_eq!(run.status, 0, "{}", run.stderr);
            run
        };
        let first = play(&format!("{options} --transcript games.jsonl --force"));
        assert_eq!(play(options).stdout, first.stdout);
        assert_eq!(play("--retell games.jsonl").stdout, first.stdout);
        let games = first.json()[0]["games"].clone();
        for game in games.as_array().expect("a list") {
            let events = game["events"].as_array().into_iter().flatten();
            let effects = events.filter(|event| event["event"] == "effects").count();
            assert_eq!(game["steps"], effects);
        }
    }
    let whole = scratch.read("games.jsonl");
    let last = whole.trim_end().rfind('\n').expect("several lines");
    scratch.write("games.jsonl", &whole[..=last]);
    let run = scratch.run(&["explore", "--retell", "games.jsonl"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    let message = format!(
        "line {} of the transcript: the game needs the end of the game",
        whole.lines().count()
    );
    assert!(run.stderr.contains(&message), "{}", run.stderr);
}

/// Runs a command whose language model has a port that nothing listens on.
fn without_server(scratch: &Scratch, words: &str) -> Run {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let reader = format!("--reader model --model m --url http://{address}/v1");
    scratch.shell(&format!("herbrand explore {words} {reader} --format json"))
}

#[test]
fn games_of_a_server_that_is_down_count_as_not_played() {
    let scratch = Scratch::new("explore-down");
    let run = without_server(
        &scratch,
        "--world coin --world cooking-easy --games 10..13 --wait 0.1",
    );
    assert_eq!(run.status, 2, "{}", run.stderr);
    for part in ["the server is down: asking again", "6 games not played"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    let played = run.json();
    for row in 0..2 {
        assert_eq!(
            (&played[row]["not_played"], &played[row]["won"]),
            (&3.into(), &0.into())
        );
    }
    let run = without_server(&scratch, "table trials.jsonl --games 10..12 --wait 0");
    assert_eq!(run.status, 2);
    let message = "the server is down: 18 games not played; the same command goes on with them later";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert_eq!(scratch.read("trials.jsonl"), "");
}

#[test]
fn a_table_goes_on_where_it_was_killed() {
    let scratch = Scratch::new("explore-table");
    let table = || {
        let run = scratch.shell(
            "herbrand explore table trials.jsonl --world coin --games 10..13 --reader random --trials 2",
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        (run.stdout, scratch.read("trials.jsonl"))
    };
    let first = table();
    assert_eq!(first.1.lines().count(), 6);
    // Killed in the middle of the fourth line: the file becomes the same again.
    let cut: usize = first.1.lines().take(3).map(|line| line.len() + 1).sum();
    scratch.write("trials.jsonl", &first.1[..cut + 30]);
    assert_eq!(table(), first);
}

const TASKS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../labs/herbrand-explore/tests/tasks/coin.toml"
);

#[test]
fn a_task_of_ones_own_needs_no_code() {
    let scratch = Scratch::new("explore-task");
    let run = scratch.shell(&format!(
        "herbrand explore --world coin --task {TASKS} --games 10..12 --mode lines --believed problems --transcript g.jsonl"
    ));
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("coin       2    2"), "{}", run.stdout);
    assert!(run.stderr.contains("wrote problems/coin-10, "), "{}", run.stderr);
    let first = scratch.read("problems/coin-10/000.pddl");
    assert!(
        first.contains("(at study)") && first.contains("unnamed-1"),
        "{first}"
    );
    let retold = scratch.shell(&format!("herbrand explore --retell g.jsonl --task {TASKS}"));
    assert_eq!(retold.status, 0, "{}", retold.stderr);
}
