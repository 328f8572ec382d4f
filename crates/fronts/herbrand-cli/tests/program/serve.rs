//! `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::Scratch;

/// Starts the server, sends each request, and returns the answers. `HOST` in a request is its address.
fn asked<const N: usize>(folder: &Path, arguments: &[&str], requests: [String; N]) -> [String; N] {
    let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["serve", "--port", "0"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("its output is piped");
    let read = BufReader::new(out).read_line(&mut said);
    read.expect("it says where it listens");
    let url = said.trim().strip_prefix("listening on http://");
    let address = url
        .and_then(|url| url.strip_suffix('/'))
        .unwrap_or_else(|| panic!("{said}"));
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let answers = requests.map(|request| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        write!(stream, "{}", request.replace("HOST", address)).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    });
    child.kill().expect("it can be ended");
    child.wait().expect("it has ended");
    answers
}

/// A request of the page.
fn request(body: &str) -> String {
    let head = "POST /api HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nConnection: close\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The body of an answer.
fn json(answer: &str) -> serde_json::Value {
    let (_, json) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn the_page_is_served_until_the_program_ends() {
    let get = "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n".to_owned();
    let [page] = asked(Scratch::new("serve-page").path(), &[], [get]);
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("<title>Herbrand</title>"),
        "{page}"
    );
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
    let requests = [request(r#"{"ask": "catalogue"}"#), request(body)];
    let [catalogue, view] = asked(scratch.path(), &["ferry", "lamp"], requests).map(|answer| json(&answer));
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
    let texts = asked(scratch.path(), &["lamp"], [request(body)]).map(|answer| json(&answer))[0].clone();
    assert_eq!(texts["texts"]["domain"], rddl);
    assert!(
        texts["texts"]["problem"]
            .as_str()
            .is_some_and(|text| text.contains("horizon = 9")),
        "{texts}"
    );
}

#[test]
fn what_cannot_be_served_is_explained() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let scratch = Scratch::new("serve-static");
    scratch.write("domain.pddl", crate::run::LAMPS);
    for (line, message) in [
        (
            format!("--host localhost --port {port}"),
            "the port is in use: choose another one, or --port 0",
        ),
        (
            "--host classroom".to_owned(),
            "an address is written in numbers, such as 127.0.0.1",
        ),
        ("--port 0 --host 256.0.0.1".to_owned(), "error"),
        (
            "domain.pddl".to_owned(),
            "is not a folder: name the folder of a domain",
        ),
        ("--static site".to_owned(), "--wasm"),
        ("--static site --wasm engine.wasm".to_owned(), "engine.wasm"),
    ] {
        let run = scratch.shell(&format!("herbrand serve {line}"));
        assert_eq!(run.status, 2, "{line}");
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
    }
    assert!(!scratch.path().join("site").exists());
    scratch.write("engine.wasm", "\0asm\u{1}\0\0\0");
    let run = scratch.shell("herbrand serve --static site --wasm engine.wasm --format json");
    assert_eq!(
        (run.status, run.json()["folder"].as_str()),
        (0, Some("site")),
        "{}",
        run.stderr
    );
    assert!(scratch.read("site/index.html").contains("data-engine=\"wasm\""));
}
