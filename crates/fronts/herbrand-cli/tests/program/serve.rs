//! `serve`: the page, and domains in folders. The table `ends.txt` has what cannot be served.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::run::{PROGRAM, Scratch};

/// Starts the server, sends each request, and returns the answers. `HOST` in a request is its address.
fn asked<const N: usize>(scratch: &Scratch, folders: &[&str], requests: [String; N]) -> [String; N] {
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--port", "0"])
        .args(folders)
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("its output is piped");
    let read = BufReader::new(out).read_line(&mut said);
    read.expect("it says where it listens");
    let url = said.trim().strip_prefix("listening on http://");
    let address = url.and_then(|url| url.strip_suffix('/')).expect(&said);
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
fn request(body: &Value) -> String {
    let body = body.to_string();
    let head = "POST /api HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nConnection: close\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn the_page_has_domains_in_folders() {
    let scratch = Scratch::new();
    let problem = |name: &str| format!("(define (problem {name}) (:domain ferry) (:init) (:goal (at-left)))");
    let domain = "(define (domain ferry) (:predicates (at-left)) (:action cross :effect (at-left)))";
    scratch.write("ferry/domain.pddl", domain);
    scratch.write("ferry/env.toml", "description = \"Crosses a river.\"\n");
    scratch.write("ferry/p2.pddl", problem("second"));
    scratch.write("ferry/p10.pddl", problem("tenth"));
    let rddl = "domain lamp { pvariables { on : { state-fluent, bool, default = false };
        press : { action-fluent, bool, default = false }; }; cpfs { on' = on | press; }; reward = on; }";
    scratch.write("lamp/domain.rddl", rddl);
    let instance = |name: &str, horizon: u32| {
        format!(
            "instance {name} {{ domain = lamp; max-nondef-actions = 1; horizon = {horizon}; discount = 1.0; }}\n"
        )
    };
    scratch.write("lamp/all.rddl", instance("short", 1) + &instance("long", 9));
    let look = json!({"ask": "look", "problem": {"domain": "ferry", "problem": "p2"}, "walk": [["(cross)"]]});
    let texts = json!({"ask": "texts", "problem": {"domain": "lamp", "problem": "long"}});
    let requests = [
        "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n".to_owned(),
        request(&json!({"ask": "catalogue"})),
        request(&look),
        request(&texts),
    ];
    let [page, answers @ ..] = asked(&scratch, &["ferry", "lamp"], requests);
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("<title>Herbrand"),
        "{page}"
    );
    let [catalogue, view, texts]: [Value; 3] = answers.map(|answer| {
        let (_, json) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(json).expect("JSON")
    });
    let mut own = catalogue["domains"].as_array().expect("domains").clone();
    own.retain(|one| one["own"] == true);
    let about = own
        .iter()
        .map(|one| json!([one["name"], one["problems"], one["description"]]));
    let expected = json!([
        ["ferry", ["p2", "p10"], "Crosses a river."],
        ["lamp", ["short", "long"], ""]
    ]);
    assert_eq!(Value::from_iter(about), expected);
    assert_eq!(view["status"], "goal", "{view}");
    assert_eq!(texts["texts"]["domain"], rddl);
    let problem = texts["texts"]["problem"].to_string();
    assert!(problem.contains("horizon = 9"), "{problem}");
}

#[test]
fn a_port_may_be_taken_and_a_page_is_written() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let scratch = Scratch::new();
    let run = scratch.run(&format!("serve --host localhost --port {port}"));
    let message = "the port is in use: choose another one, or --port 0";
    assert!(run.status == 2 && run.stderr.contains(message), "{}", run.stderr);
    scratch.write("engine.wasm", "\0asm\u{1}\0\0\0");
    let run = scratch.done("serve --static site --wasm engine.wasm --format json");
    assert_eq!(run.json()["folder"], "site");
    assert!(scratch.read("site/index.html").contains("data-engine=\"wasm\""));
}
