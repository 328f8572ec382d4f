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
