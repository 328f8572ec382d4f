//! `serve`.

use crate::run::{Scratch, herbrand};

#[test]
fn the_page_is_served_until_the_program_ends() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("its output is piped");
    BufReader::new(out)
        .read_line(&mut said)
        .expect("it says where it listens");
    let address = said
        .trim()
        .strip_prefix("listening on http://")
        .and_then(|url| url.strip_suffix('/'))
        .unwrap_or_else(|| panic!("{said}"));
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("it answers");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("<title>Herbrand</title>"),
        "{page}"
    );
    child.kill().expect("it can be ended");
    child.wait().expect("it has ended");
}

/// Starts the server, asks for the catalogue, then sends `body` to it; returns both answers.
fn asked(folder: &std::path::Path, arguments: &[&str], body: &str) -> [serde_json::Value; 2] {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["serve", "--port", "0"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("its output is piped");
    BufReader::new(out)
        .read_line(&mut said)
        .expect("it says where it listens");
    let address = said
        .trim()
        .trim_start_matches("listening on http://")
        .trim_end_matches('/');
    let answers = [r#"{"ask": "catalogue"}"#, body].map(|body| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(
            stream,
            "POST /api HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, json) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(json).expect("JSON")
    });
    child.kill().expect("it can be ended");
    child.wait().expect("it has ended");
    answers
}

#[test]
fn domains_in_folders_are_in_the_menu_of_the_page() {
    let scratch = Scratch::new("serve-folders");
    let domain = "(define (domain ferry) (:requirements :strips) (:predicates (at-left)) (:action cross :effect (at-left)))";
    let problem = |name: &str| format!("(define (problem {name}) (:domain ferry) (:init) (:goal (at-left)))");
    scratch.write("ferry/domain.pddl", domain);
    scratch.write("ferry/env.toml", "description = \"Crosses a river.\"\n");
    scratch.write("ferry/p2.pddl", &problem("second"));
    scratch.write("ferry/p10.pddl", &problem("tenth"));
    let rddl = "domain lamp { pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };
        cpfs { on' = on | press; }; reward = on; }";
    let instance = |name: &str, horizon: u32| {
        format!(
            "instance {name} {{ domain = lamp; max-nondef-actions = 1; horizon = {horizon}; discount = 1.0; }}\n"
        )
    };
    scratch.write("lamp/domain.rddl", rddl);
    scratch.write("lamp/all.rddl", &(instance("short", 1) + &instance("long", 9)));
    let body = r#"{"ask": "look", "problem": {"domain": "ferry", "problem": "p2"}, "walk": [["(cross)"]]}"#;
    let [catalogue, view] = asked(scratch.path(), &["ferry", "lamp"], body);
    let own: Vec<&serde_json::Value> = catalogue["domains"]
        .as_array()
        .expect("domains")
        .iter()
        .filter(|one| one["own"] == true)
        .collect();
    assert_eq!(own.len(), 2, "{own:?}");
    assert_eq!(
        (&own[0]["name"], &own[0]["problems"]),
        (&"ferry".into(), &serde_json::json!(["p2", "p10"]))
    );
    assert_eq!(own[0]["description"], "Crosses a river.");
    assert_eq!(
        (&own[1]["name"], &own[1]["problems"]),
        (&"lamp".into(), &serde_json::json!(["short", "long"]))
    );
    assert_eq!(view["status"], "goal", "{view}");
    let body = r#"{"ask": "texts", "problem": {"domain": "lamp", "problem": "long"}}"#;
    let [_, texts] = asked(scratch.path(), &["lamp"], body);
    assert_eq!(texts["texts"]["domain"], rddl);
    assert!(
        texts["texts"]["problem"]
            .as_str()
            .is_some_and(|text| text.contains("horizon = 9")),
        "{texts}"
    );
    let run = scratch.run(&["serve", "ferry/domain.pddl"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("is not a folder: name the folder of a domain"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_address_that_cannot_be_used_is_explained() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    for (arguments, message) in [
        (
            &["serve", "--host", "localhost", "--port", &port][..],
            "the port is in use: choose another one, or --port 0",
        ),
        (
            &["serve", "--host", "classroom"],
            "an address is written in numbers, such as 127.0.0.1",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_static_page_needs_an_engine() {
    let scratch = Scratch::new("serve-static");
    let run = scratch.run(&["serve", "--static", "site"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--wasm"), "{}", run.stderr);
    let run = scratch.run(&["serve", "--static", "site", "--wasm", "engine.wasm"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("engine.wasm"), "{}", run.stderr);
    assert!(!scratch.path().join("site").exists());
    scratch.write("engine.wasm", "\0asm\u{1}\0\0\0");
    let run = scratch.run(&[
        "serve",
        "--static",
        "site",
        "--wasm",
        "engine.wasm",
        "--format",
        "json",
    ]);
    assert_eq!(
        (run.status, run.json()["folder"].as_str()),
        (0, Some("site")),
        "{}",
        run.stderr
    );
    assert!(scratch.read("site/index.html").contains("data-engine=\"wasm\""));
    let refused = herbrand(&["serve", "--port", "0", "--host", "256.0.0.1"]);
    assert_eq!(refused.status, 2);
}
