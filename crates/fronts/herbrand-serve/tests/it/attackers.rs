//! Eight attackers at once, and a client whose simple requests must still be answered.

use std::io::Write;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use herbrand_serve::Bounds;
use serde_json::{Value, json};

use crate::Served;
use crate::client::{ask, connect, head};
use crate::deadlines::endless;
use crate::hostile::{alone, measured};

fn look(domain: &str, problem: &str) -> Value {
    json!({"ask": "look", "problem": {"texts": {"domain": domain, "problem": problem}}})
}

/// Lists numbered objects in the syntax of a problem.
fn objects(count: usize) -> String {
    (0..count).map(|number| format!("o{number} ")).collect()
}

/// The requests of the attackers. All exceed the limits of a request, or take a while to be refused.
fn attacks() -> [String; 8] {
    let none =
        |objects: &str| format!("(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal (g)))");
    // Twelve parameters over eight objects: 8^12 instances.
    let wide = "(define (domain d) (:predicates (g) (q ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l))
        (:action a :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l) :effect (q ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l)))";
    // Nested quantifiers: 40^8 instances of one precondition.
    let tower = (0..8).fold("(g)".to_owned(), |inner, depth| {
        let quantifier = ["forall", "exists"][depth % 2];
        format!("({quantifier} (?x{depth}) (or (e ?x{depth}) {inner}))")
    });
    let quantified = format!(
        "(define (domain d) (:requirements :adl) (:predicates (g) (e ?x)) (:action a :parameters () :precondition {tower} :effect (g)))"
    );
    let types: String = (0..400)
        .map(|number| format!("t{} - t{number} ", number + 1))
        .collect();
    let chain = format!(
        "(define (domain d) (:requirements :typing) (:types {types}) (:predicates (g) (q ?x - t400)))"
    );
    let process = "domain d { types { o : object; }; pvariables { s(o, o, o) : { state-fluent, real, default = 0.0 };
        a(o) : { action-fluent, bool, default = false }; };
        cpfs { s'(?x, ?y, ?z) = sum_{?u : o} [s(?u, ?y, ?z) + Normal(0.0, 1.0)] + a(?x); }; reward = sum_{?x : o} [s(?x, ?x, ?x)]; }";
    let instance = format!(
        "non-fluents n {{ domain = d; objects {{ o : {{ {} }}; }}; }} instance i {{ domain = d; non-fluents = n; horizon = 20; discount = 1.0; }}",
        objects(12).trim().replace(' ', ", ")
    );
    let mut planned = look(process, &instance);
    planned["ask"] = json!("plan");
    [
        endless(),
        look(wide, &none(&objects(8))).to_string(),
        look(&quantified, &none(&objects(40))).to_string(),
        look(&chain, &none("")).to_string(),
        planned.to_string(),
        "(".repeat(10 << 20),
        // The last two are sent in special ways.
        json!({"ask": "plan", "problem": {"domain": "sokoban", "problem": "test/03"}}).to_string(),
        endless(),
    ]
}

/// Attacks a server until `stop` is set.
fn attack(address: SocketAddr, kind: usize, body: &str, stop: &AtomicBool, attacks: &AtomicUsize) {
    while !stop.load(Ordering::Relaxed) {
        match kind {
            // One byte at a time.
            6 => {
                let mut stream = connect(address);
                let request = head(address, body.len(), "") + body;
                for byte in request.bytes().take(40) {
                    let _ = stream.write_all(&[byte]);
                    thread::sleep(Duration::from_millis(10));
                }
            }
            // Leaves before the reply.
            7 => {
                let mut stream = connect(address);
                let _ = stream.write_all((head(address, body.len(), "") + body).as_bytes());
                thread::sleep(Duration::from_millis(20));
            }
            _ => {
                if let Some(answer) = ask(address, body) {
                    assert_ne!(answer.status, 500);
                }
            }
        }
        attacks.fetch_add(1, Ordering::Relaxed);
    }
}

/// The simple requests of a client that plays, edits and browses.
fn simple() -> [String; 4] {
    let domain =
        "(define (domain lamps) (:predicates (lit ?l)) (:action light :parameters (?l) :effect (lit ?l)))";
    let problem = "(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (and (lit a) (lit b))))";
    let mut own = look(domain, problem);
    own["walk"] = json!([["(light a)"]]);
    [
        r#"{"ask":"catalogue"}"#.to_owned(),
        json!({"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}}).to_string(),
        json!({"ask": "check", "texts": {"domain": domain, "problem": problem}}).to_string(),
        own.to_string(),
    ]
}

/// Runs eight attackers against a server while a client sends requests until `is_enough`. Returns the times of its requests,
/// and the maximum memory of the process beyond that at the start.
fn besieged(time: Duration, is_enough: &dyn Fn(usize, Duration) -> bool) -> (Vec<Duration>, u64) {
    let _alone = alone();
    let mut bounds = Bounds {
        workers: 2,
        head_time: Duration::from_millis(700),
        body_time: Duration::from_millis(700),
        ..Bounds::default()
    };
    bounds.allowance.limits.bytes = Some(64 << 20);
    bounds.allowance.limits.time = Some(time);
    let served = Served::new(bounds);
    let (address, bodies, simple) = (served.address, attacks(), simple());
    let (stop, counts) = (AtomicBool::new(false), [const { AtomicUsize::new(0) }; 8]);
    let mut times = Vec::new();
    let all = Instant::now();
    let most = measured(|| {
        thread::scope(|scope| {
            for (kind, (body, count)) in bodies.iter().zip(&counts).enumerate() {
                let stop = &stop;
                scope.spawn(move || attack(address, kind, body, stop, count));
            }
            let asked = catch_unwind(AssertUnwindSafe(|| {
                while !is_enough(times.len(), all.elapsed()) {
                    let begin = Instant::now();
                    let answer = ask(address, &simple[times.len() % simple.len()]).expect("an answer");
                    assert_eq!(answer.status, 200, "{answer:?}");
                    times.push(begin.elapsed());
                }
            }));
            stop.store(true, Ordering::Relaxed);
            asked.unwrap_or_else(|failure| resume_unwind(failure));
        });
    });
    println!("attacks of each kind: {counts:?}");
    assert_eq!(ask(address, &simple[1]).expect("an answer").status, 200);
    (times, most)
}

/// Prints the times of requests and the memory of the process.
fn print(mut times: Vec<Duration>, most: u64) {
    times.sort();
    let quantile = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{} requests: p50 {:?}, p99 {:?}, most {:?}; {} MiB",
        times.len(),
        quantile(0.5),
        quantile(0.99),
        quantile(1.0),
        most >> 20
    );
}

#[test]
fn eight_attackers_do_not_keep_a_client_waiting() {
    let (times, most) = besieged(Duration::from_secs(2), &|answered, _| answered == 40);
    assert!(most < 1 << 30, "{most} bytes");
    print(times, most);
}

/// Prints the times of a client's requests during eight attacks.
#[test]
#[ignore = "takes a minute"]
fn measure_eight_attackers() {
    let (times, most) = besieged(Duration::from_secs(10), &|_, time| time > Duration::from_secs(30));
    print(times, most);
}
