//! Malicious clients: each gets an error, and the server continues.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use herbrand_serve::Bounds;
use serde_json::json;

use crate::Served;
use crate::client::{Answer, ask, connect, get, head, read, send};

/// Serialises the tests, because they measure the memory of this process.
static ALONE: Mutex<()> = Mutex::new(());

pub fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Returns the memory of the process in bytes.
fn held() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}

/// Runs `work` and returns the maximum memory of the process beyond that at the start.
pub fn measured(work: impl FnOnce()) -> u64 {
    let before = held();
    let done = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                most = most.max(held());
                thread::sleep(Duration::from_millis(5));
            }
            most
        });
        work();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        watch.join().expect("it watches").saturating_sub(before)
    })
}

/// Bounds that a test reaches quickly.
fn narrow() -> Bounds {
    let mut bounds = Bounds {
        workers: 2,
        head_time: Duration::from_millis(700),
        body_time: Duration::from_millis(700),
        ..Bounds::default()
    };
    bounds.allowance.limits.bytes = Some(64 << 20);
    bounds.allowance.limits.time = Some(Duration::from_secs(5));
    bounds
}

/// Checks that the server still answers.
fn is_well(address: SocketAddr) {
    let look = json!({"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}});
    let answer = ask(address, &look.to_string()).expect("the server answers");
    assert_eq!(answer.status, 200, "{answer:?}");
}

fn texts(domain: &str, problem: &str) -> String {
    json!({"ask": "look", "problem": {"texts": {"domain": domain, "problem": problem}}}).to_string()
}

/// Checks that a response is an error with a reason, as JSON.
fn assert_refused(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{answer:?}");
    let body = answer.json();
    assert_eq!(body["is"], "refused");
    assert!(
        body["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty()),
        "{body}"
    );
}

#[test]
fn ten_megabytes_of_parentheses() {
    let _alone = alone();
    let served = Served::new(narrow());
    let most = measured(|| {
        let answer = ask(served.address, &texts(&"(".repeat(10 << 20), "")).expect("an answer");
        assert_refused(&answer, 422);
        // Malformed JSON that is as deep as it is long.
        assert_refused(
            &ask(served.address, &"[".repeat(10 << 20)).expect("an answer"),
            400,
        );
        assert_refused(
            &ask(served.address, &"(".repeat(10 << 20)).expect("an answer"),
            400,
        );
    });
    assert!(most < 256 << 20, "{most} bytes");
    is_well(served.address);
}

#[test]
fn parentheses_that_are_read() {
    let _alone = alone();
    let mut bounds = narrow();
    bounds.allowance.text = 16 << 20;
    let served = Served::new(bounds);
    let most = measured(|| {
        for text in [
            "(".repeat(10 << 20),
            ")".repeat(10 << 20),
            "(not ".repeat(2 << 20),
        ] {
            let answer = ask(served.address, &texts(&text, &text[..1 << 16])).expect("an answer");
            assert_refused(&answer, 422);
        }
    });
    assert!(most < 1 << 30, "{most} bytes");
    is_well(served.address);
}

#[test]
fn a_billion_groundings() {
    let _alone = alone();
    let served = Served::new(narrow());
    let domain = "(define (domain d) (:predicates (q ?a ?b ?c))
        (:action a :parameters (?a ?b ?c) :effect (q ?a ?b ?c)))";
    let objects: Vec<_> = (0..1000).map(|number| format!("o{number}")).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {}) (:init) (:goal (q o0 o1 o2)))",
        objects.join(" ")
    );
    let most = measured(|| {
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let answer = ask(served.address, &texts(domain, &problem)).expect("an answer");
                    assert_refused(&answer, 422);
                    assert_eq!(answer.json()["kind"], "limit");
                });
            }
        });
    });
    // Two of them are compiled at once.
    assert!(most < 1 << 30, "{most} bytes");
    is_well(served.address);
}

#[test]
fn slow_senders() {
    let _alone = alone();
    let served = Served::new(narrow());
    let begin = Instant::now();
    // A head that never ends, one byte at a time.
    let slow_head = thread::spawn({
        let address = served.address;
        move || {
            let mut stream = connect(address);
            for byte in head(address, 2, "").bytes().cycle() {
                if stream.write_all(&[byte]).is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(30));
            }
        }
    });
    // A body that never arrives.
    let mut silent = connect(served.address);
    silent
        .write_all(head(served.address, 100, "").as_bytes())
        .expect("it is sent");
    let answer = read(silent).expect("an answer");
    assert_refused(&answer, 408);
    // A body, one byte at a time.
    let mut slow = connect(served.address);
    slow.write_all(head(served.address, 1000, "").as_bytes())
        .expect("it is sent");
    let mut reading = slow.try_clone().expect("a second handle");
    let writing = thread::spawn(move || {
        while slow.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(30));
        }
    });
    reading
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a limit");
    let answer = {
        use std::io::Read;
        let mut start = [0; 12];
        reading.read_exact(&mut start).expect("an answer");
        String::from_utf8_lossy(&start).into_owned()
    };
    assert_eq!(answer, "HTTP/1.1 408");
    drop(reading);
    is_well(served.address);
    writing.join().expect("it was cut off");
    slow_head.join().expect("it was cut off");
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
}

#[test]
fn paths_lead_nowhere_else() {
    let _alone = alone();
    let served = Served::new(narrow());
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/assets/app.js",
        "/app.js/",
        "/app.js/../../src/lib.rs",
        "//etc/passwd",
        "/etc/passwd",
        "/C:\\Windows\\win.ini",
        "/index.html%00.js",
        "/api/../index.html",
        "/herbrand.wasm",
    ] {
        let answer = get(served.address, path).expect("an answer");
        assert!(matches!(answer.status, 400 | 404), "{path}: {answer:?}");
        assert!(
            !answer.body.contains("root:") && !answer.body.contains("[package]"),
            "{path}"
        );
    }
    // Domain names are not interpreted as paths.
    for domain in ["../../Cargo", "/etc", "rddl/../../etc", "blocks/../sokoban"] {
        let body = json!({"ask": "texts", "problem": {"domain": domain, "problem": "passwd"}});
        assert_refused(&ask(served.address, &body.to_string()).expect("an answer"), 404);
    }
    is_well(served.address);
}

#[test]
fn nonsense_in_place_of_requests() {
    let _alone = alone();
    let served = Served::new(narrow());
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(1 << 20));
    let many = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "A: b\r\n".repeat(100_000)
    );
    let huge = "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{";
    let chunks = "POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{";
    for bytes in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
        huge.as_bytes(),
        chunks.as_bytes(),
    ] {
        // The server sends an error or closes the connection.
        if let Some(answer) = send(served.address, bytes) {
            assert!(answer.status >= 400, "{answer:?}");
        }
    }
    is_well(served.address);
}

#[test]
fn a_body_that_is_too_long_is_not_read() {
    let _alone = alone();
    let served = Served::new(Bounds {
        body_bytes: 1 << 16,
        ..narrow()
    });
    let most = measured(|| {
        let body = format!(r#"{{"ask":"catalogue"{}}}"#, " ".repeat(50 << 20));
        // The server may close the connection before it has read everything.
        if let Some(answer) = ask(served.address, &body) {
            assert_refused(&answer, 413);
        }
    });
    assert!(most < 200 << 20, "{most} bytes");
    is_well(served.address);
}

#[test]
fn a_thousand_at_once() {
    let _alone = alone();
    let served = Served::new(Bounds {
        waiting: 16,
        connections: 128,
        patience: Duration::from_secs(20),
        ..narrow()
    });
    let address = served.address;
    let look = json!({"ask": "look", "problem": {"domain": "sokoban", "problem": "train/01"}}).to_string();
    let counts = Mutex::new(std::collections::BTreeMap::<u16, usize>::new());
    let most = measured(|| {
        let start = std::sync::Barrier::new(1000);
        thread::scope(|scope| {
            for _ in 0..1000 {
                let (start, look, counts) = (&start, &look, &counts);
                let client = move || {
                    start.wait();
                    // 0 if the server closed the connection without a response.
                    let status = ask(address, look).map_or(0, |answer| answer.status);
                    *counts.lock().expect("nobody panics").entry(status).or_default() += 1;
                };
                thread::Builder::new()
                    .stack_size(256 << 10)
                    .spawn_scoped(scope, client)
                    .expect("a thread");
            }
        });
    });
    let counts = counts.into_inner().expect("nobody panics");
    assert_eq!(counts.values().sum::<usize>(), 1000);
    // Some are answered; the others are refused because there are too many.
    assert!(counts.get(&200).is_some_and(|&count| count > 0), "{counts:?}");
    assert!(
        counts.keys().all(|status| [0, 200, 503].contains(status)),
        "{counts:?}"
    );
    let told = counts.get(&200).unwrap_or(&0) + counts.get(&503).unwrap_or(&0);
    assert!(told > 500, "{counts:?}");
    assert!(most < 1 << 30, "{most} bytes");
    is_well(address);
}

#[test]
fn those_who_hang_up_do_no_harm() {
    let _alone = alone();
    let served = Served::new(narrow());
    let look = json!({"ask": "plan", "problem": {"domain": "sokoban", "problem": "test/03"}}).to_string();
    for cut in [0, 10, 100, look.len()] {
        for _ in 0..20 {
            let mut stream = connect(served.address);
            let request = head(served.address, look.len(), "") + &look[..cut.min(look.len())];
            let _ = stream.write_all(request.as_bytes());
        }
    }
    // Other requests wait until that computation has ended, or are refused.
    let begin = Instant::now();
    loop {
        let answer = ask(served.address, r#"{"ask":"catalogue"}"#).expect("an answer");
        if answer.status == 200 {
            break;
        }
        assert_refused(&answer, 503);
        assert!(begin.elapsed() < Duration::from_secs(300));
        thread::sleep(Duration::from_millis(100));
    }
}
