//! The responses to browsers.

use herbrand_serve::page::{Engine, files};
use herbrand_serve::{Bounds, PageError, static_files};

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
    // A page on another site, whose host name was pointed at this machine.
    assert_eq!(with("attacker.example:80", "application/json"), 403);
    assert_eq!(with("[[[::1]]]", "application/json"), 403);
    // Requests that browsers send to other sites without a preflight request.
    assert_eq!(with("localhost", "text/plain"), 415);
    assert_eq!(with("localhost", "application/x-www-form-urlencoded"), 415);
    let options = b"OPTIONS /api HTTP/1.1\r\nHost: localhost\r\nOrigin: http://attacker.example\r\nConnection: close\r\n\r\n";
    let answer = send(address, options).expect("an answer");
    assert_eq!(answer.status, 403);
    assert!(!answer.head.to_lowercase().contains("access-control"));
    // The `Origin` header contains the site of the page.
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
fn a_page_without_a_server_brings_its_engine() {
    let scratch = std::env::temp_dir().join(format!("herbrand-static-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let engine = scratch.join("engine.wasm");
    assert!(matches!(static_files(&engine), Err(PageError::File { .. })));
    std::fs::write(&engine, b"not wasm").expect("a file");
    let error = static_files(&engine).expect_err("this is no engine");
    assert!(error.to_string().ends_with("this is no WebAssembly"), "{error}");
    std::fs::write(&engine, b"\0asm\x01\0\0\0").expect("a file");
    let page = static_files(&engine).expect("it is WebAssembly");
    let content = |name: &str| {
        let file = page.iter().find(|file| file.name == name);
        file.expect("it is among the files").content.as_slice()
    };
    assert_eq!(content("herbrand.wasm"), b"\0asm\x01\0\0\0");
    let index = std::str::from_utf8(content("index.html")).expect("UTF-8");
    assert!(index.contains("data-engine=\"wasm\""));
    assert_eq!(page.len(), files(Engine::Wasm).count() + 1);
    let _ = std::fs::remove_dir_all(&scratch);
}
