//! `explore`: servers that are down, tables that go on, and tasks of one's own. The page and the table of `explore` have the rest.

use crate::run::{Run, Scratch};

/// Runs a command whose language model has a port that nothing listens on.
fn without_server(scratch: &Scratch, words: &str) -> Run {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let reader = format!("--reader model --model m --url http://{address}/v1");
    scratch.run(&format!("explore {words} {reader} --format json"))
}

#[test]
fn games_of_a_server_that_is_down_count_as_not_played() {
    let scratch = Scratch::new();
    let words = "--world coin --world cooking-easy --games 10..13 --wait 0.1";
    let run = without_server(&scratch, words).ends(2, "the server is down: asking again");
    let run = run.ends(2, "6 games not played");
    for row in run.json().as_array().expect("rows") {
        assert_eq!((&row["not_played"], &row["won"]), (&3.into(), &0.into()));
    }
    let run = without_server(&scratch, "table trials.jsonl --games 10..12 --wait 0");
    let message = "the server is down: 18 games not played; the same command goes on with them later";
    assert!(run.status == 2 && run.stderr.contains(message), "{}", run.stderr);
    assert_eq!(scratch.read("trials.jsonl"), "");
}

#[test]
fn a_table_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let table = || {
        let options = "--world coin --games 10..13 --reader random --trials 2";
        let run = scratch.done(&format!("explore table trials.jsonl {options}"));
        (run.stdout, scratch.read("trials.jsonl"))
    };
    let first = table();
    assert_eq!(first.1.lines().count(), 6);
    // Killed in the middle of the fourth line: the file becomes the same again.
    let cut: usize = first.1.lines().take(3).map(|line| line.len() + 1).sum();
    scratch.write("trials.jsonl", &first.1[..cut + 30]);
    assert_eq!(table(), first);
}

#[test]
fn a_task_of_ones_own_needs_no_code() {
    let scratch = Scratch::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let task = format!("{root}/labs/herbrand-explore/tests/tasks/coin.toml");
    let options = "--games 10..12 --mode lines --believed problems --transcript g.jsonl";
    let run = scratch.done(&format!("explore --world coin --task {task} {options}"));
    assert!(run.stdout.contains("coin       2    2"), "{}", run.stdout);
    assert!(run.stderr.contains("wrote problems/coin-10, "), "{}", run.stderr);
    let first = scratch.read("problems/coin-10/000.pddl");
    assert!(
        first.contains("(at study)") && first.contains("unnamed-1"),
        "{first}"
    );
    scratch.done(&format!("explore --retell g.jsonl --task {task}"));
}
