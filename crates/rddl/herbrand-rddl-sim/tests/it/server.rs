//! The server, tested by exchanging messages with it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use herbrand_rddl::Source;
use herbrand_rddl_sim::server::{Server, ServerOptions, SessionEnd, SessionEvent, SessionSummary};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

const REQUEST: &str = "<session-request><problem-name>domain</problem-name><client-name>a &lt;b&gt;</client-name>\
    <instance-name>instance</instance-name><input-language>rddl</input-language></session-request>";
const ROUND: &str = "<round-request><execute-policy>yes</execute-policy></round-request>";
const NOTHING: &str = "<actions></actions>";

/// A client without built-in knowledge of the protocol.
struct Client {
    stream: TcpStream,
    rest: String,
    ending: &'static str,
}

impl Client {
    fn new(address: SocketAddr, ending: &'static str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self {
            stream,
            rest: String::new(),
            ending,
        }
    }

    fn send(&mut self, text: &str) {
        self.stream
            .write_all(format!("{text}{}", self.ending).as_bytes())
            .unwrap();
    }

    /// Receives the next message; empty after the server has closed the connection.
    fn receive(&mut self) -> String {
        loop {
            if let Some((message, rest)) = self.rest.split_once(self.ending) {
                let message = message.to_owned();
                self.rest = rest.to_owned();
                return message;
            }
            let mut part = [0; 1000];
            match self.stream.read(&mut part) {
                Ok(0) | Err(_) => return String::new(),
                Ok(count) => self.rest += std::str::from_utf8(&part[..count]).unwrap(),
            }
        }
    }

    fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.receive()
    }
}

/// Returns the text of an element of a message.
fn field<'m>(message: &'m str, name: &str) -> &'m str {
    let (_, after) = message
        .split_once(&format!("<{name}>"))
        .unwrap_or_else(|| panic!("{name} in {message}"));
    after.split_once(&format!("</{name}>")).unwrap().0
}

const TEXT: &str = "
    domain walk {
        types { place : object; mood : { @calm, @wild }; };
        pvariables {
            at(place) : { state-fluent, bool, default = false };
            mood : { state-fluent, mood, default = @calm };
            far : { state-fluent, real, default = 0.0 };
            go(place) : { action-fluent, bool, default = false };
            by : { action-fluent, real, default = 0.0 };
            feel : { action-fluent, mood, default = @calm };
        };
        cpfs {
            at'(?p) = at(?p) | go(?p);
            mood' = feel;
            far' = far + by;
        };
        reward = far' + (sum_{?p : place} at'(?p));
        termination { far > 100.0; };
    }
    instance short { domain = walk; objects { place : { a, b }; }; max-nondef-actions = 3; horizon = 4; discount = 1.0; }";

/// Runs a server of the walk while `clients` talk to it. Returns the sessions.
fn serve(options: ServerOptions, clients: impl FnOnce(SocketAddr)) -> Vec<SessionSummary> {
    let suite = RddlSuite::from_sources(&[Source::new("walk", TEXT)]).unwrap();
    serve_suite(suite, options, clients)
}

fn serve_suite(
    suite: RddlSuite,
    options: ServerOptions,
    clients: impl FnOnce(SocketAddr),
) -> Vec<SessionSummary> {
    let server = Server::bind(suite, "127.0.0.1:0", options).unwrap();
    let (address, stop, sessions) = (server.address().unwrap(), server.stop(), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        let ended = |summary: &SessionSummary| sessions.lock().unwrap().push(summary.clone());
        let running = scope.spawn(move || server.run(None, &ended).unwrap());
        // A failing test stops the server too.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| clients(address)));
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap();
        done.unwrap_or_else(|failure| std::panic::resume_unwind(failure));
    });
    sessions.into_inner().unwrap()
}

fn rounds(rounds: u32) -> ServerOptions {
    ServerOptions {
        rounds,
        ..ServerOptions::default()
    }
}

/// Plays a round. Returns the rewards of its turns and the message at its end.
fn play(client: &mut Client, actions: &str) -> (Vec<f64>, String) {
    assert!(client.ask(ROUND).starts_with("<round-init>"));
    let mut rewards = Vec::new();
    let mut message = client.receive();
    while message.starts_with("<turn>") {
        rewards.push(field(&message, "immediate-reward").parse().unwrap());
        message = client.ask(actions);
    }
    (rewards, message)
}

#[test]
fn a_session_has_rounds_of_the_full_horizon() {
    for ending in ["\n\n\n", "\0"] {
        let sessions = serve(rounds(2), |address| {
            let mut client = Client::new(address, ending);
            let init = client.ask(REQUEST);
            assert_eq!(field(&init, "num-rounds"), "2");
            let go = "<actions><action><action-name>go</action-name><action-arg>a</action-arg>\
                <action-value>true</action-value></action><action><action-name>by</action-name>\
                <action-value>0.5</action-value></action></actions>";
            let (rewards, end) = play(&mut client, go);
            assert_eq!(rewards, [0.0, 1.5, 2.0, 2.5]);
            assert_eq!(field(&end, "round-reward"), "9.0");
            assert_eq!(
                (field(&end, "turns-used"), field(&end, "client-name")),
                ("4", "a &lt;b&gt;")
            );
            let (_, end) = play(&mut client, NOTHING);
            assert_eq!(field(&end, "round-reward"), "0.0");
            let end = client.receive();
            assert_eq!(field(&end, "total-reward"), "9.0");
            assert_eq!(client.receive(), "", "the server hangs up");
        });
        assert_eq!(sessions.len(), 1);
        assert_eq!(
            (sessions[0].end.clone(), sessions[0].rounds),
            (SessionEnd::Finished, 2)
        );
    }
}

#[test]
fn turns_show_what_is_observed_and_the_task_is_the_problem() {
    serve(rounds(1), |address| {
        let mut client = Client::new(address, "\n\n\n");
        let init = client.ask(REQUEST);
        let task = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, field(&init, "task")).unwrap();
        let text = String::from_utf8(task).unwrap();
        RddlSuite::from_sources(&[Source::new("task", &text)])
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        client.ask(ROUND);
        let turn = client.receive();
        let fluents = "<observed-fluent><fluent-name>at</fluent-name><fluent-arg>a</fluent-arg><fluent-value>false</fluent-value>\
            </observed-fluent>";
        assert!(turn.contains(fluents), "{turn}");
        let feel = "<actions><action><action-name>feel</action-name><action-value>@wild</action-value></action></actions>";
        let turn = client.ask(feel);
        assert!(
            turn.contains("<fluent-name>mood</fluent-name><fluent-value>@wild</fluent-value>"),
            "{turn}"
        );
        let far = "<actions><action><action-name>by</action-name><action-value>101</action-value></action></actions>";
        let end = client.ask(far);
        assert_eq!(field(&end, "turns-used"), "2", "a terminal state ends the round");
    });
}

#[test]
fn a_problem_that_is_partially_observed_shows_nothing_first() {
    let suite = RddlSuite::bundled("rddl/sysadmin-pomdp").unwrap();
    serve_suite(suite, rounds(1), |address| {
        let mut client = Client::new(address, "\n\n\n");
        client.ask(REQUEST);
        client.ask(ROUND);
        assert!(client.receive().contains("<no-observed-fluents>"));
        assert!(client.ask(NOTHING).contains("<observed-fluent>"));
    });
}

/// Every invalid message is answered with the reason, and changes nothing.
#[test]
fn faulty_messages_are_answered() {
    let sessions = serve(rounds(1), |address| {
        let mut client = Client::new(address, "\n\n\n");
        let refused = |client: &mut Client, text: &str, reason: &str| {
            let answer = client.ask(text);
            assert!(answer.starts_with("<error><message>"), "{text}: {answer}");
            assert!(answer.contains(reason), "{text}: {answer}");
        };
        refused(&mut client, "hello", "not XML");
        refused(
            &mut client,
            "<!DOCTYPE a [<!ENTITY b 'c'>]><session-request>&b;</session-request>",
            "no document type",
        );
        refused(
            &mut client,
            ROUND,
            "`session-request` was expected, not `round-request`",
        );
        refused(
            &mut client,
            "<session-request></session-request>",
            "`client-name` is missing",
        );
        refused(&mut client, &REQUEST.replace(">rddl<", ">pddl<"), "not `pddl`");
        assert!(client.ask(REQUEST).starts_with("<session-init>"));
        refused(&mut client, NOTHING, "`round-request` was expected");
        client.ask(ROUND);
        client.receive();
        let action = |name: &str, argument: &str, value: &str| {
            format!(
                "<actions><action><action-name>{name}</action-name><action-arg>{argument}</action-arg>\
                 <action-value>{value}</action-value></action></actions>"
            )
        };
        refused(
            &mut client,
            &action("fly", "a", "true"),
            "`fly___a` is not an action",
        );
        refused(
            &mut client,
            &action("go", "c", "true"),
            "`go___c` is not an action",
        );
        refused(&mut client, &action("go", "a", "perhaps"), "true or false");
        refused(&mut client, &action("by", "", "NaN"), "not finite");
        refused(&mut client, &action("by", "", "inf"), "not finite");
        let twice = action("go", "a", "true").replace("</actions>", "")
            + &action("go", "a", "true").replace("<actions>", "");
        refused(&mut client, &twice, "set twice");
        assert!(
            client.ask(NOTHING).contains("<turn-num>2</turn-num>"),
            "nothing has changed"
        );
    });
    assert_eq!(sessions[0].faults, 12);
}

#[test]
fn what_goes_on_for_too_long_is_ended() {
    let small = ServerOptions {
        message_bytes: 1000,
        patience: Duration::from_millis(300),
        faults: 2,
        sessions: 1,
        ..rounds(1)
    };
    let sessions = serve(small, |address| {
        let mut long = Client::new(address, "\n\n\n");
        let _ = long.stream.write_all(&[b'x'; 20_000]);
        let answer = long.receive();
        assert!(answer.is_empty() || answer.contains("1000 bytes"), "{answer}");
        drop(long);
        thread::sleep(Duration::from_millis(200));
        let mut slow = Client::new(address, "\n\n\n");
        assert!(slow.receive().contains("a message may take"));
        thread::sleep(Duration::from_millis(200));
        let mut faulty = Client::new(address, "\n\n\n");
        for _ in 0..2 {
            assert!(faulty.ask("<").starts_with("<error>"));
        }
        assert!(faulty.ask("<").contains("too many messages are faulty"));
        assert_eq!(faulty.receive(), "");
    });
    assert_eq!(sessions.len(), 3);
    assert!(sessions.iter().all(|session| session.end != SessionEnd::Finished));
}

/// Each of these would keep an XML parser busy for a minute or more, or need much memory.
#[test]
fn costly_messages_are_refused_before_they_are_parsed() {
    let spaces: String = (0..30_000).map(|n| format!("<a xmlns:n{n}=\"u{n}\">")).collect();
    let many: String = (0..60_000).map(|n| format!(" b{n}=''")).collect();
    serve(rounds(1), |address| {
        let mut client = Client::new(address, "\n\n\n");
        for (text, reason) in [
            (format!("<session-request>{spaces}"), "no namespaces"),
            ("<a>".repeat(300_000), "at most 16 levels"),
            (format!("<session-request{many}/>"), "at most 8 attributes"),
        ] {
            let answer = client.ask(&text);
            assert!(answer.contains(reason), "{answer}");
        }
        assert!(client.ask(REQUEST).starts_with("<session-init>"));
    });
}

#[test]
fn a_message_has_a_deadline() {
    let options = ServerOptions {
        computing: Duration::ZERO,
        ..rounds(1)
    };
    serve(options, |address| {
        let answer = Client::new(address, "\n\n\n").ask(REQUEST);
        assert!(answer.contains("time limit of 0 s"), "{answer}");
    });
}

#[test]
fn clients_that_come_in_crowds_are_turned_away() {
    let options = ServerOptions {
        sessions: 2,
        patience: Duration::from_secs(2),
        ..rounds(1)
    };
    serve(options, |address| {
        let mut first = Client::new(address, "\n\n\n");
        assert!(first.ask(REQUEST).starts_with("<session-init>"));
        // Fewer than the connections that the system queues for a server that accepts no more for now.
        let crowd: Vec<Client> = (0..60).map(|_| Client::new(address, "\n\n\n")).collect();
        assert!(first.ask(ROUND).starts_with("<round-init>"));
        let told = crowd.into_iter().map(|mut client| client.receive());
        assert!(
            told.filter(|message| message.contains("2 sessions already"))
                .count()
                > 0
        );
        // One of the waiting clients has the second session.
        drop(first);
        let mut next = Client::new(address, "\n\n\n");
        let mut answer = next.ask(REQUEST);
        while !answer.starts_with("<session-init>") {
            thread::sleep(Duration::from_millis(20));
            next = Client::new(address, "\n\n\n");
            let _ = next.stream.write_all(format!("{REQUEST}\n\n\n").as_bytes());
            answer = next.receive();
        }
    });
}

/// Runs itself in a process with a low limit of descriptors, which clients and server share.
#[cfg(unix)]
#[test]
fn a_server_without_descriptors_waits_until_it_has_some() {
    const FEW: &str = "HERBRAND_FEW_DESCRIPTORS";
    if std::env::var_os(FEW).is_none() {
        let status = std::process::Command::new("sh")
            .args(["-c", "ulimit -n 40 && exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args([
                "server::a_server_without_descriptors_waits_until_it_has_some",
                "--exact",
            ])
            .env(FEW, "1")
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let options = ServerOptions {
        patience: Duration::from_millis(200),
        ..rounds(1)
    };
    serve(options, |address| {
        let mut crowd = Vec::new();
        while let Ok(stream) = TcpStream::connect(address) {
            crowd.push(stream);
        }
        assert!(crowd.len() > 10);
        // The server runs out of descriptors too.
        thread::sleep(Duration::from_millis(300));
        drop(crowd);
        let mut answer = String::new();
        while !answer.starts_with("<session-init>") {
            thread::sleep(Duration::from_millis(50));
            let mut client = Client::new(address, "\n\n\n");
            let _ = client.stream.write_all(format!("{REQUEST}\n\n\n").as_bytes());
            answer = client.receive();
        }
    });
}

#[test]
fn sessions_do_not_disturb_each_other() {
    serve(rounds(1), |address| {
        let mut clients: Vec<Client> = (0..5).map(|_| Client::new(address, "\n\n\n")).collect();
        for client in &mut clients {
            client.ask(REQUEST);
            client.ask(ROUND);
            client.receive();
        }
        for (number, client) in clients.iter_mut().enumerate() {
            let by = format!(
                "<actions><action><action-name>by</action-name><action-value>{number}</action-value></action></actions>"
            );
            let turn = client.ask(&by);
            assert_eq!(field(&turn, "immediate-reward"), format!("{number}.0"));
        }
        drop(clients);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever is sent, the server answers or hangs up, and continues to serve others.
    #[test]
    fn nothing_that_is_sent_stops_the_server(
        noise in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..6),
        cut in 0..REQUEST.len(),
    ) {
        let options = ServerOptions { patience: Duration::from_millis(200), ..rounds(1) };
        serve(options, |address| {
            let mut stream = TcpStream::connect(address).unwrap();
            for part in &noise {
                let _ = stream.write_all(part);
                let _ = stream.write_all(b"\n\n\n");
            }
            let _ = stream.write_all(&REQUEST.as_bytes()[..cut]);
            drop(stream);
            let mut client = Client::new(address, "\n\n\n");
            assert!(client.ask(REQUEST).starts_with("<session-init>"));
        });
    }
}

/// Plays whole sessions as fast as possible. Returns the response times of its messages.
fn play_sessions(address: SocketAddr, until: &dyn Fn(usize) -> bool) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut sessions = 0;
    while !until(sessions) {
        let mut client = Client::new(address, "\n\n\n");
        let mut ask = |text: &str, expected: &str| {
            let begin = Instant::now();
            let answer = client.ask(text);
            times.push(begin.elapsed());
            assert!(answer.starts_with(expected), "{answer}");
        };
        ask(REQUEST, "<session-init>");
        ask(ROUND, "<round-init>");
        assert!(client.receive().starts_with("<turn>"));
        let mut message = String::from("<turn>");
        while message.starts_with("<turn>") {
            let begin = Instant::now();
            message = client.ask(NOTHING);
            times.push(begin.elapsed());
        }
        assert!(message.starts_with("<round-end>"), "{message}");
        assert!(client.receive().starts_with("<session-end>"));
        sessions += 1;
    }
    times
}

/// Attacks a server until `stop` is set: repeats the same attack, each time with a new connection.
fn attack(address: SocketAddr, kind: usize, stop: &AtomicBool) {
    let elements =
        |count: usize, element: &dyn Fn(usize) -> String| (0..count).map(element).collect::<String>();
    let bytes = match kind {
        0 => elements(5000, &|n| format!("<a xmlns:n{n}=\"u{n}\">")),
        1 => "<a>".repeat(300_000),
        2 => format!("<a{}/>", elements(60_000, &|n| format!(" b{n}=''"))),
        3 => format!("<actions>{}</actions>", "<action/>".repeat(100_000)),
        4 => "&amp;".repeat(150_000),
        5 => "x".repeat(2 << 20),
        // Letters one at a time, from a client that leaves in the middle.
        _ => REQUEST.to_owned(),
    };
    while !stop.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(address) else {
            continue;
        };
        let timeout = Some(Duration::from_secs(20));
        stream.set_read_timeout(timeout).unwrap();
        stream.set_write_timeout(timeout).unwrap();
        match kind {
            6 => {
                for byte in bytes.bytes().take(20) {
                    let _ = stream.write_all(&[byte]);
                    thread::sleep(Duration::from_millis(10));
                }
            }
            7 => drop(stream.write_all(format!("{bytes}\n\n\n{ROUND}\n\n\n").as_bytes())),
            _ => {
                let _ = stream.write_all(format!("{bytes}\n\n\n").as_bytes());
                let _ = stream.read(&mut [0; 1000]);
            }
        }
    }
}

/// Runs eight attackers and a client that plays meanwhile. Returns the response times of the client's messages, and the
/// maximum memory increase of the process.
fn besieged(until: &dyn Fn(usize) -> bool) -> (Vec<Duration>, usize) {
    let held = || memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);
    let (stop, before) = (AtomicBool::new(false), held());
    let mut found = (Vec::new(), 0);
    serve(rounds(1), |address| {
        thread::scope(|scope| {
            for kind in 0..8 {
                let stop = &stop;
                scope.spawn(move || attack(address, kind, stop));
            }
            let watch = scope.spawn(|| {
                let mut most = 0;
                while !stop.load(Ordering::Relaxed) {
                    most = most.max(held());
                    thread::sleep(Duration::from_millis(5));
                }
                most
            });
            let played = std::panic::catch_unwind(AssertUnwindSafe(|| play_sessions(address, until)));
            stop.store(true, Ordering::Relaxed);
            let most = watch.join().unwrap();
            let times = played.unwrap_or_else(|failure| std::panic::resume_unwind(failure));
            found = (times, most.saturating_sub(before));
        });
        // The server still works.
        play_sessions(address, &|sessions| sessions == 1);
    });
    found
}

#[test]
fn eight_attackers_keep_nobody_from_playing() {
    let (_, most) = besieged(&|sessions| sessions == 10);
    assert!(most < 256 << 20, "{most} bytes");
}

/// Prints the response times of a client while eight attackers are at work.
#[test]
#[ignore = "takes half a minute"]
fn measure_eight_attackers() {
    let begin = Instant::now();
    let (mut times, most) = besieged(&|_| begin.elapsed() > Duration::from_secs(30));
    times.sort();
    let quantile = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{} messages: p50 {:?}, p99 {:?}, most {:?}; {} MiB",
        times.len(),
        quantile(0.5),
        quantile(0.99),
        quantile(1.0),
        most >> 20
    );
}

#[test]
fn an_instance_is_requested_by_its_file_or_its_declared_name() {
    let source = |name: &str, text: &str| Source::new(name, text);
    let (domain, short) = TEXT.split_at(TEXT.find("instance short").unwrap());
    let long = short.replace("short", "long");
    let sources = [
        source("domain.rddl", domain),
        source("a.rddl", short),
        source("b.rddl", &long),
    ];
    let suite = RddlSuite::from_named_files(None, &sources, herbrand_limits::Limits::default()).unwrap();
    let sessions = serve_suite(suite, rounds(0), |address| {
        for (name, is_known) in [
            ("b", true),
            ("long", true),
            ("2", true),
            ("short", true),
            ("instance", true),
            ("walk", true),
            ("nowhere", false),
        ] {
            let request = REQUEST.replace("<instance-name>instance", &format!("<instance-name>{name}"));
            let answer = Client::new(address, "\n\n\n").ask(&request);
            assert_eq!(answer.starts_with("<session-init>"), is_known, "{name}: {answer}");
            assert!(
                is_known || answer.contains("has no problem `nowhere`, only a, b"),
                "{answer}"
            );
        }
    });
    let mut played: Vec<&str> = sessions.iter().map(|session| session.instance.as_str()).collect();
    played.sort_unstable();
    assert_eq!(played, ["", "a", "a", "a", "b", "b", "b"]);
}

#[test]
fn everything_that_happens_in_a_session_is_told() {
    let suite = RddlSuite::from_sources(&[Source::new("walk", TEXT)]).unwrap();
    let server = Server::bind(suite, "127.0.0.1:0", rounds(2)).unwrap();
    let (address, events) = (server.address().unwrap(), Mutex::new(Vec::new()));
    let told = |event: &SessionEvent<'_>| {
        let line = match *event {
            SessionEvent::Connected(client) => format!("connected {}", client.ip()),
            SessionEvent::Began(session) => {
                assert!(session.client.is_some());
                format!("{} begins {}", session.name, session.instance)
            }
            SessionEvent::Round {
                session,
                reward,
                steps,
            } => format!(
                "round {}: {reward} in {steps}, {} in all",
                session.rounds, session.reward
            ),
            SessionEvent::Ended(session) => format!("ended: {:?}, {} in all", session.end, session.reward),
        };
        events.lock().unwrap().push(line);
    };
    thread::scope(|scope| {
        let running = scope.spawn(|| server.run_until(Some(1), &AtomicBool::new(false), &told).unwrap());
        let mut client = Client::new(address, "\0");
        client.ask(REQUEST);
        play(&mut client, NOTHING);
        let step = "<actions><action><action-name>by</action-name><action-value>1.5</action-value></action></actions>";
        play(&mut client, step);
        running.join().unwrap();
    });
    assert_eq!(
        events.into_inner().unwrap(),
        [
            "connected 127.0.0.1",
            "a <b> begins short",
            "round 1: 0 in 4, 0 in all",
            "round 2: 15 in 4, 15 in all",
            "ended: Finished, 15 in all",
        ]
    );
}
