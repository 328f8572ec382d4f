//! What a browser gets.

use herbrand_serve::page::{Engine, files};
use herbrand_serve::{Bounds, PageError, write_static};

use crate::Served;
use crate::client::{ask, get, head, send};

#[test]
fn every_file_of_the_page_is_handed_out() {
    let served = Served::new(Bounds::default());
    for file in files(Engine::Server) {
        let answer = get(served.address, &format!("/{}", file.path)).expect("an answer");
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (200, &*file.text),
            "{}",
            file.path
        );
        let head = answer.head.to_lowercase();
        assert!(head.contains(&format!("content-type: {}", file.kind)) && head.contains("nosniff"));
    }
    let index = get(served.address, "/").expect("an answer");
    assert!(index.body.starts_with("<!doctype html>"));
}

#[test]
fn requests_are_answered() {
    let served = Served::new(Bounds::default());
    let answer = ask(served.address, r#"{"ask":"catalogue"}"#).expect("an answer");
    assert_eq!(answer.status, 200);
    assert!(
        answer.json()["domains"]
            .as_array()
            .is_some_and(|domains| domains.len() > 60)
    );
    let look =
        r#"{"ask":"look","problem":{"domain":"sokoban","problem":"train/01"},"walk":[["(move right)"]]}"#;
    assert_eq!(ask(served.address, look).expect("an answer").json()["step"], 1);
    for (request, status, kind) in [
        ("{", 400, "request"),
        (r#"{"ask":"fly"}"#, 400, "request"),
        (
            r#"{"ask":"look","problem":{"domain":"nowhere","problem":"1"}}"#,
            404,
            "unknown",
        ),
        (
            r#"{"ask":"look","problem":{"domain":"sokoban","problem":"train/01"},"walk":[["(fly)"]]}"#,
            422,
            "step",
        ),
        (
            r#"{"ask":"look","problem":{"texts":{"domain":"(define","problem":""}}}"#,
            422,
            "texts",
        ),
    ] {
        let answer = ask(served.address, request).expect("an answer");
        assert_eq!(
            (answer.status, answer.json()["kind"].as_str()),
            (status, Some(kind)),
            "{request}"
        );
    }
}

#[test]
fn only_pages_of_this_machine_are_answered() {
    let served = Served::new(Bounds::default());
    let address = served.address;
    let with = |host: &str, kind: &str| {
        let body = r#"{"ask":"catalogue"}"#;
        let request = format!(
            "POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        send(address, request.as_bytes()).expect("an answer").status
    };
    assert_eq!(with(&address.to_string(), "application/json"), 200);
    assert_eq!(with("localhost", "application/json; charset=utf-8"), 200);
    // A page elsewhere whose name was made to mean this machine.
    assert_eq!(with("attacker.example:80", "application/json"), 403);
    assert_eq!(with("[[[::1]]]", "application/json"), 403);
    // What a browser sends to other sites without asking.
    assert_eq!(with("localhost", "text/plain"), 415);
    assert_eq!(with("localhost", "application/x-www-form-urlencoded"), 415);
    let options = b"OPTIONS /api HTTP/1.1\r\nHost: localhost\r\nOrigin: http://attacker.example\r\nConnection: close\r\n\r\n";
    let answer = send(address, options).expect("an answer");
    assert_eq!(answer.status, 403);
    assert!(!answer.head.to_lowercase().contains("access-control"));
    // What a browser says about the page that asks.
    let from = |origin: &str| {
        let body = r#"{"ask":"catalogue"}"#;
        let request = head(address, body.len(), &format!("Origin: {origin}\r\n")) + body;
        send(address, request.as_bytes()).expect("an answer").status
    };
    assert_eq!(from(&format!("http://{address}")), 200);
    assert_eq!(from("http://attacker.example"), 403);
    assert_eq!(from("null"), 403);
}

#[test]
fn a_page_without_a_server_is_written_whole_or_not_at_all() {
    let scratch = std::env::temp_dir().join(format!("herbrand-static-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).expect("a folder");
    let (engine, site) = (scratch.join("engine.wasm"), scratch.join("site"));
    assert!(matches!(
        write_static(&site, &engine),
        Err(PageError::File { .. })
    ));
    std::fs::write(&engine, b"not wasm").expect("a file");
    let error = write_static(&site, &engine).expect_err("this is no engine");
    assert!(error.to_string().ends_with("this is no WebAssembly"), "{error}");
    assert!(!site.exists());
    std::fs::write(&engine, b"\0asm\x01\0\0\0").expect("a file");
    let bytes = write_static(&site, &engine).expect("it is written");
    let written = std::fs::read_dir(&site).expect("the folder").map(|entry| {
        let entry = entry.expect("a file");
        entry.metadata().expect("its size").len()
    });
    assert_eq!(written.sum::<u64>(), bytes);
    let index = std::fs::read_to_string(site.join("index.html")).expect("the page");
    assert!(index.contains("data-engine=\"wasm\""));
    let _ = std::fs::remove_dir_all(&scratch);
}
