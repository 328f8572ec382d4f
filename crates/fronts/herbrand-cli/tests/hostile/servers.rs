//! Both servers as processes of their own, with eight attackers each: another client is answered meanwhile, the memory is
//! bounded, and the server is alive afterwards.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::families::{self, Texts};
use crate::run::{ADDRESS_SPACE, Scratch, peak, program};

/// How long a client may wait for a simple answer. The long form holds the program to a second; here it is not optimised,
/// and other tests run beside it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A server in a process of its own, which is ended with this.
struct Served {
    child: Child,
    address: SocketAddr,
    // The server writes a line for each session, and waits until it is read.
    _output: thread::JoinHandle<()>,
    _scratch: Scratch,
}

impl Served {
    /// Starts the program with these arguments; `address` finds the address in its first line.
    fn start(scratch: Scratch, arguments: &[&str], address: fn(&str) -> Option<&str>) -> Self {
        let mut child = program(scratch.path(), arguments, ADDRESS_SPACE)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let output = thread::spawn(move || {
            let _ = std::io::copy(&mut lines, &mut std::io::sink());
        });
        let mut served = Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            child,
            _output: output,
            _scratch: scratch,
        };
        let found = address(line.trim()).and_then(|address| address.parse().ok());
        served.address = found.unwrap_or_else(|| panic!("no address in `{line}`"));
        served
    }

    fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("it is a child").is_none()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(address: SocketAddr) -> Option<TcpStream> {
    let stream = TcpStream::connect(address).ok()?;
    let timeout = Some(Duration::from_secs(30));
    stream.set_read_timeout(timeout).ok()?;
    stream.set_write_timeout(timeout).ok()?;
    Some(stream)
}

/// Sends bytes, and reads until the server hangs up.
fn send(address: SocketAddr, bytes: &[u8]) -> Option<String> {
    let mut stream = connect(address)?;
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// A request over HTTP.
fn request(address: SocketAddr, body: &str) -> String {
    format!(
        "POST /api HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A request about texts; `kind` chooses which.
fn about(kind: usize, texts: &Texts) -> Value {
    let texts = json!({"domain": texts.domain, "problem": texts.problem});
    match kind % 6 {
        0 => json!({"ask": "look", "problem": {"texts": texts}}),
        1 => json!({"ask": "check", "texts": texts}),
        2 => json!({"ask": "plan", "problem": {"texts": texts}}),
        3 => json!({"ask": "ground", "problem": {"texts": texts}}),
        4 => json!({"ask": "hint", "problem": {"texts": texts}}),
        _ => json!({"ask": "datalog", "problem": {"texts": texts}}),
    }
}

/// The result of an attack on a server.
struct Siege {
    attacks: usize,
    times: Vec<Duration>,
    peak: u64,
}

/// Runs eight attackers on a server until `is_enough`, while a client sends requests.
fn besiege(
    served: &mut Served,
    attack: &(dyn Fn(usize) + Sync),
    ask: &dyn Fn(usize),
    is_enough: &dyn Fn(usize, usize) -> bool,
) -> Siege {
    let (stop, attacks) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut times = Vec::new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    attack(attacks.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
        let asked = catch_unwind(AssertUnwindSafe(|| {
            while !is_enough(attacks.load(Ordering::Relaxed), times.len()) {
                let begin = Instant::now();
                ask(times.len());
                times.push(begin.elapsed());
                thread::sleep(Duration::from_millis(20));
            }
        }));
        stop.store(true, Ordering::Relaxed);
        asked.unwrap_or_else(|failure| resume_unwind(failure));
    });
    times.sort();
    let siege = Siege {
        attacks: attacks.into_inner(),
        times,
        peak: peak(served.child.id()),
    };
    let at = |share: f64| siege.times[((siege.times.len() - 1) as f64 * share) as usize];
    println!(
        "{} attacks, {} answers: p50 {:?}, p99 {:?}, most {:?}; at most {} MiB",
        siege.attacks,
        siege.times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        siege.peak >> 20
    );
    assert!(served.is_alive());
    siege
}

/// The bodies of the attacks on the page: each family, each with another kind of request.
fn bodies() -> Vec<String> {
    let families = families::all().enumerate();
    families
        .map(|(index, (_, family))| about(index, &(family.texts)(family.size)).to_string())
        .collect()
}

/// Attacks the page's server. The limits are per request, and two requests run at once.
fn besiege_page(is_enough: &dyn Fn(usize, usize) -> bool) -> Siege {
    let limits = [
        "--time",
        "2s",
        "--memory",
        "64MiB",
        "--workers",
        "2",
        "--port",
        "0",
    ];
    let arguments = [&["serve"][..], &limits].concat();
    let mut served = Served::start(Scratch::new("serve"), &arguments, |line| {
        line.strip_prefix("listening on http://")?.strip_suffix('/')
    });
    let (address, bodies) = (served.address, bodies());
    let attack = |number: usize| {
        let body = request(address, &bodies[number % bodies.len()]);
        if number % 8 == 7 {
            // It leaves before there is an answer.
            if let Some(mut stream) = connect(address) {
                let _ = stream.write_all(body.as_bytes());
                thread::sleep(Duration::from_millis(20));
            }
            return;
        }
        let answer = send(address, body.as_bytes()).unwrap_or_default();
        assert!(!answer.contains(" 500 "), "{answer}");
    };
    let simple = [
        json!({"ask": "catalogue"}).to_string(),
        json!({"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}}).to_string(),
        json!({"ask": "look", "problem": {"domain": "rddl/elevators", "problem": "1"}}).to_string(),
    ];
    let ask = |number: usize| {
        let answer = send(
            address,
            request(address, &simple[number % simple.len()]).as_bytes(),
        );
        let answer = answer.expect("an answer");
        assert!(answer.contains("HTTP/1.1 200"), "{answer}");
    };
    let siege = besiege(&mut served, &attack, &ask, is_enough);
    ask(1);
    siege
}

const REQUEST: &str = "<session-request><problem-name>instance</problem-name><client-name>c</client-name>\
    <input-language>rddl</input-language></session-request>";
const ROUND: &str = "<round-request><execute-policy>yes</execute-policy></round-request>";

/// Sends messages over one connection, and reads as many answers; empty ones once the server has hung up.
fn converse(stream: &mut TcpStream, message: &str) -> String {
    let _ = stream.write_all(format!("{message}\n\n\n").as_bytes());
    let (mut text, mut part) = (Vec::new(), [0; 4096]);
    while !text.ends_with(b"\n\n\n") {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&part[..count]),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The messages of the attacks on the server of RDDL: texts that are no messages, and messages that are costly.
fn messages() -> Vec<String> {
    let each = |count: usize, element: &dyn Fn(usize) -> String| (0..count).map(element).collect::<String>();
    let mut messages = vec![
        each(5000, &|number| format!("<a xmlns:n{number}=\"u{number}\">")),
        "<a>".repeat(300_000),
        format!("<a{}/>", each(60_000, &|number| format!(" b{number}=''"))),
        format!("<actions>{}</actions>", "<action/>".repeat(80_000)),
        "&amp;".repeat(150_000),
        "x".repeat(2 << 20),
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>".to_owned(),
    ];
    let texts = families::all().filter(|(_, family)| family.size > 10_000);
    messages.extend(texts.map(|(_, family)| {
        let mut text = (family.texts)(family.size).domain;
        text.truncate(text.floor_char_boundary(1 << 20));
        format!("<session-request><client-name>{text}")
    }));
    messages
}

/// Besieges the server of RDDL; a client begins a session and a round each time.
fn besiege_rddl(is_enough: &dyn Fn(usize, usize) -> bool) -> Siege {
    let arguments = [
        "rddl-server",
        "rddl/elevators",
        "--port",
        "0",
        "--rounds",
        "1",
        "--patience",
        "2s",
    ];
    let mut served = Served::start(Scratch::new("rddl-server"), &arguments, |line| {
        line.strip_prefix("listening on ")
    });
    let (address, messages) = (served.address, messages());
    let attack = |number: usize| {
        let Some(mut stream) = connect(address) else {
            return;
        };
        let message = &messages[number % messages.len()];
        match number % 8 {
            // It leaves before there is an answer.
            7 => drop(stream.write_all(message.as_bytes())),
            // A letter at a time.
            6 => {
                for byte in REQUEST.bytes().take(20) {
                    let _ = stream.write_all(&[byte]);
                    thread::sleep(Duration::from_millis(10));
                }
            }
            _ => drop(converse(&mut stream, message)),
        }
    };
    let ask = |_: usize| {
        let mut stream = connect(address).expect("it listens");
        let answer = converse(&mut stream, REQUEST);
        assert!(answer.contains("<session-init>"), "{answer}");
        assert!(converse(&mut stream, ROUND).contains("<round-init>"));
    };
    let siege = besiege(&mut served, &attack, &ask, is_enough);
    ask(0);
    siege
}

#[test]
fn the_page_is_served_while_eight_attack() {
    let siege = besiege_page(&|attacks, answers| attacks >= 60 && answers >= 20);
    assert!(siege.times.last() <= Some(&PATIENCE), "{:?}", siege.times);
    assert!(siege.peak < 1 << 30, "{} bytes", siege.peak);
}

#[test]
fn problems_in_rddl_are_served_while_eight_attack() {
    let siege = besiege_rddl(&|attacks, answers| attacks >= 100 && answers >= 20);
    assert!(siege.times.last() <= Some(&PATIENCE), "{:?}", siege.times);
    assert!(siege.peak < 512 << 20, "{} bytes", siege.peak);
}

/// Every family twice, and no simple answer later than after a second.
#[test]
#[ignore = "takes minutes, and is about the optimised program; .ci/nightly runs it"]
fn answers_come_within_a_second_while_eight_attack() {
    let all = 2 * families::all().count();
    let page = besiege_page(&|attacks, _| attacks >= all);
    let rddl = besiege_rddl(&|attacks, _| attacks >= 20 * all);
    for siege in [page, rddl] {
        assert!(
            siege.times.last() <= Some(&Duration::from_secs(1)),
            "{:?}",
            siege.times.last()
        );
        assert!(siege.peak < 1 << 30, "{} bytes", siege.peak);
    }
}
