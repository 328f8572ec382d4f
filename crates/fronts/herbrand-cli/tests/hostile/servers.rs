//! The server of RDDL as a process of its own, with eight attackers: another client is answered meanwhile, the memory is bounded, and
//! the server is alive afterwards. The tests of `herbrand-serve` attack the page's server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::families;
use crate::run::{ADDRESS_SPACE, folder, peak, program};

/// A server in a process of its own, which is ended with this.
struct Served {
    child: Child,
    address: SocketAddr,
    // The server writes a line for each session, and waits until it is read.
    _output: thread::JoinHandle<()>,
    _folder: TempDir,
}

impl Served {
    fn start() -> Self {
        let folder = folder(&[]);
        let command = "rddl-server rddl/elevators --port 0 --rounds 1 --patience 2s";
        let words: Vec<_> = command.split(' ').collect();
        let mut child = program(folder.path(), &words, ADDRESS_SPACE)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ");
        Self {
            address: address.and_then(|address| address.parse().ok()).expect(&line),
            child,
            _output: thread::spawn(move || drop(std::io::copy(&mut lines, &mut std::io::sink()))),
            _folder: folder,
        }
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

const REQUEST: &str = "<session-request><problem-name>instance</problem-name><client-name>c</client-name>\
    <input-language>rddl</input-language></session-request>";
const ROUND: &str = "<round-request><execute-policy>yes</execute-policy></round-request>";

/// Sends a message, and reads the answer; an empty one once the server has hung up.
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

/// The messages of the attacks: texts that are no messages, and messages that are costly.
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
    let families = families::all().into_iter().filter(|family| family.size > 10_000);
    messages.extend(families.map(|family| {
        let mut text = family.texts(family.size).domain;
        text.truncate(text.floor_char_boundary(1 << 20));
        format!("<session-request><client-name>{text}")
    }));
    messages
}

/// Sends a message in one of several ways.
fn attack(address: SocketAddr, number: usize, message: &str) {
    let Some(mut stream) = connect(address) else {
        return;
    };
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
}

/// Begins a session and a round.
fn ask(address: SocketAddr) {
    let mut stream = connect(address).expect("it listens");
    let answer = converse(&mut stream, REQUEST);
    assert!(answer.contains("<session-init>"), "{answer}");
    assert!(converse(&mut stream, ROUND).contains("<round-init>"));
}

/// Runs eight attackers until so many attacks and answers; fails if a client waits longer, or the server takes too much memory.
fn besiege(attacks: usize, patience: Duration) {
    let mut served = Served::start();
    let (address, messages) = (served.address, messages());
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut times = Vec::new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let number = count.fetch_add(1, Ordering::Relaxed);
                    attack(address, number, &messages[number % messages.len()]);
                }
            });
        }
        let asked = catch_unwind(AssertUnwindSafe(|| {
            while count.load(Ordering::Relaxed) < attacks || times.len() < 20 {
                let begin = Instant::now();
                ask(address);
                times.push(begin.elapsed());
                thread::sleep(Duration::from_millis(20));
            }
        }));
        stop.store(true, Ordering::Relaxed);
        asked.unwrap_or_else(|failure| resume_unwind(failure));
    });
    let (most, peak) = (times.iter().max(), peak(served.child.id()));
    println!(
        "{count:?} attacks, {} answers: most {most:?}; at most {} MiB",
        times.len(),
        peak >> 20
    );
    assert!(served.child.try_wait().expect("it is a child").is_none());
    assert!(
        most <= Some(&patience) && peak < 512 << 20,
        "{most:?}, {peak} bytes"
    );
    ask(address);
}

/// Here the program is not optimised, and other tests run beside it.
#[test]
fn problems_in_rddl_are_served_while_eight_attack() {
    besiege(100, Duration::from_secs(5));
}

#[test]
#[ignore = "takes minutes, and is about the optimised program; .ci/nightly runs it"]
fn answers_come_within_a_second_while_eight_attack() {
    besiege(40 * families::all().len(), Duration::from_secs(1));
}
