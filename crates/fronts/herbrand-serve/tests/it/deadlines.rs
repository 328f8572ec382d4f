//! Deadlines, clients that leave, and clients that close their side of the connection.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use herbrand_limits::Budget;
use herbrand_play::{Playground, Reason, Reply, Request, RequestLimits};
use herbrand_serve::Bounds;
use serde_json::json;

use crate::Served;
use crate::client::{Answer, ask, connect, head, read};

/// A request that computes for hours with little memory, by searching for a clique that does not exist.
///
/// The graph has `parts` parts of `size` nodes, and edges exactly between nodes of different parts. So it has `size ^ parts`
/// cliques of `parts` nodes and no larger ones.
pub fn endless() -> String {
    let (parts, size) = (9, 12);
    let names: Vec<String> = (0..=parts).map(|number| format!("?v{number}")).collect();
    let pairs = (0..names.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let edges: Vec<String> = pairs
        .map(|(one, other)| format!("(edge {} {})", names[one], names[other]))
        .collect();
    let domain = format!(
        "(define (domain cliques) (:predicates (edge ?x ?y) (found))
           (:action find :parameters ({}) :precondition (and {}) :effect (found)))",
        names.join(" "),
        edges.join(" ")
    );
    let nodes: Vec<(usize, String)> = (0..parts * size)
        .map(|node| (node % parts, format!("n{node}")))
        .collect();
    let all = nodes
        .iter()
        .flat_map(|one| nodes.iter().map(move |other| (one, other)));
    let facts: Vec<String> = all
        .filter(|(one, other)| one.0 != other.0)
        .map(|(one, other)| format!("(edge {} {})", one.1, other.1))
        .collect();
    let objects: Vec<&str> = nodes.iter().map(|(_, name)| name.as_str()).collect();
    let problem = format!(
        "(define (problem p) (:domain cliques) (:objects {}) (:init {}) (:goal (found)))",
        objects.join(" "),
        facts.join(" ")
    );
    json!({"ask": "look", "problem": {"texts": {"domain": domain, "problem": problem}}}).to_string()
}

/// Bounds with one slot for long computations, which even a simple request needs.
fn one_place(time: Duration) -> Bounds {
    let mut bounds = Bounds {
        workers: 1,
        turn: Duration::from_millis(1),
        ..Bounds::default()
    };
    bounds.allowance.limits.time = Some(time);
    bounds
}

fn look() -> String {
    json!({"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}}).to_string()
}

/// Sends a request to the engine and leaves the connection open.
fn begin(address: SocketAddr, body: &str) -> TcpStream {
    let mut stream = connect(address);
    let request = head(address, body.len(), "") + body;
    stream.write_all(request.as_bytes()).expect("it is sent");
    stream
}

fn assert_late(answer: &Answer) {
    let json = answer.json();
    assert_eq!(
        (answer.status, json["kind"].as_str()),
        (422, Some("limit")),
        "{answer:?}"
    );
    let message = json["message"].as_str().unwrap_or_default();
    assert!(message.contains("time limit of 2 s"), "{message}");
}

#[test]
fn requests_end_at_their_deadline_and_others_are_answered_meanwhile() {
    let mut bounds = one_place(Duration::from_secs(2));
    bounds.turn = Duration::from_millis(100);
    let served = Served::new(bounds);
    let address = served.address;
    let body = endless();
    thread::scope(|scope| {
        // Two of them have to wait for the slot for long computations, and then restart.
        let attackers: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| ask(address, &body).expect("an answer")))
            .collect();
        let mut answered = 0;
        while !attackers.iter().all(|attacker| attacker.is_finished()) {
            assert_eq!(ask(address, &look()).expect("an answer").status, 200);
            answered += 1;
        }
        assert!(answered > 5, "{answered}");
        for attacker in attackers {
            assert_late(&attacker.join().expect("it is answered"));
        }
    });
}

#[test]
fn long_requests_do_not_keep_others_waiting() {
    let mut bounds = one_place(Duration::from_secs(3600));
    bounds.turn = Duration::from_millis(100);
    let served = Served::new(bounds);
    // More requests than there are slots of any kind.
    let attackers: Vec<_> = (0..8).map(|_| begin(served.address, &endless())).collect();
    for _ in 0..10 {
        assert_eq!(ask(served.address, &look()).expect("an answer").status, 200);
    }
    for attacker in &attackers {
        attacker.set_nonblocking(true).expect("it is open");
        let waits = attacker
            .peek(&mut [0])
            .is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        assert!(waits, "it is still being computed, or waits for that");
    }
}

#[test]
fn work_ends_when_its_client_is_gone() {
    let served = Served::new(one_place(Duration::from_secs(3600)));
    for close in [
        |stream: TcpStream| drop(stream),
        // A client that closes its side, waits, and is then killed.
        |stream: TcpStream| {
            stream.shutdown(Shutdown::Write).expect("it is open");
            thread::sleep(Duration::from_millis(600));
        },
    ] {
        let stream = begin(served.address, &endless());
        // It occupies the only slot by then.
        thread::sleep(Duration::from_millis(300));
        close(stream);
        let answer = ask(served.address, &look()).expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

#[test]
fn a_client_that_closes_its_side_gets_its_answer() {
    let served = Served::new(one_place(Duration::from_secs(2)));
    let stream = begin(served.address, r#"{"ask":"catalogue"}"#);
    stream.shutdown(Shutdown::Write).expect("it is open");
    assert_eq!(read(stream).expect("an answer").status, 200);
    // The same for a request that is computed for longer.
    let stream = begin(served.address, &endless());
    stream.shutdown(Shutdown::Write).expect("it is open");
    assert_late(&read(stream).expect("an answer"));
    // HTTP 1.0 has no interim responses.
    let body = endless();
    let old = head(served.address, body.len(), "").replace("HTTP/1.1", "HTTP/1.0") + &body;
    let mut stream = connect(served.address);
    stream.write_all(old.as_bytes()).expect("it is sent");
    stream.shutdown(Shutdown::Write).expect("it is open");
    let mut bytes = String::new();
    stream.read_to_string(&mut bytes).expect("an answer");
    assert!(bytes.starts_with("HTTP/1.0 422"), "{bytes}");
}

#[test]
fn a_body_that_is_cut_off_is_not_too_long() {
    let served = Served::new(Bounds::default());
    let mut stream = connect(served.address);
    let request = head(served.address, 100, "") + r#"{"ask":"#;
    stream.write_all(request.as_bytes()).expect("it is sent");
    stream.shutdown(Shutdown::Write).expect("it is open");
    let answer = read(stream).expect("an answer");
    assert_eq!(
        (answer.status, answer.json()["message"].as_str()),
        (400, Some("the request ends before its body does"))
    );
}

#[test]
fn nothing_is_computed_within_a_cancelled_budget() {
    let budget = Budget::unlimited();
    budget.cancel();
    for (domain, problem) in [("blocks", "train/01"), ("rddl/elevators", "1")] {
        let position = json!({"ask": "plan", "problem": {"domain": domain, "problem": problem}});
        let request: Request = serde_json::from_value(position).expect("a request");
        let mut playground = Playground::new(RequestLimits::default());
        let Reply::Refused(refusal) = playground.reply_within(&request, &budget) else {
            panic!("{domain} is planned");
        };
        assert!(
            refusal.kind == Reason::Limit && refusal.message.contains("cancelled"),
            "{refusal}"
        );
        // The cancelled request has left nothing in the cached problems.
        assert!(matches!(playground.reply(&request), Reply::Plan { .. }));
    }
}
