//! `fetch`. The page `collections.md` has the names of collections.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::run::{LAMPS, Scratch, TWO_LAMPS};

/// Runs the program with this folder for the cache. Returns its status, output and errors.
fn run(cache: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(arguments)
        .env("HERBRAND_CACHE", cache)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("no signal ends it");
    (status, text(output.stdout), text(output.stderr))
}

/// Serves the domain and the problem, and returns the address.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
            let first = lines.next().expect("a line").expect("UTF-8");
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            let text = if first.contains("/p") { TWO_LAMPS } else { LAMPS };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                text.len()
            );
            write!(stream, "{head}{text}").expect("it reads");
        }
    });
    address
}

#[test]
fn fetched_problems_have_a_name() {
    let scratch = Scratch::new("fetch");
    let folder = scratch.path();
    let cache = folder.join("cache");
    let run = |arguments: &[&str]| run(&cache, arguments);
    let address = server();
    let (status, out, error) = run(&["fetch", &format!("{address}/d"), &format!("{address}/p")]);
    assert_eq!(status, 0, "{error}");
    assert!(
        out.contains("lamps, 2 files\nsha256 ") && out.ends_with("fetched:lamps\n"),
        "{out}"
    );
    let (status, out, error) = run(&["plan", "fetched:lamps"]);
    assert!(status == 0 && out.contains("(turn-on a)"), "{out} {error}");
    let (_, out, _) = run(&["domains", "fetched:", "--format", "json"]);
    assert_eq!(out, "[\n  \"fetched:lamps\"\n]\n");
    fs::write(cache.join("fetched/lamps/domain.pddl"), "").expect("it is written");
    let (status, _, error) = run(&["rollout", "fetched:lamps"]);
    assert!(
        status == 2 && error.contains("is not as it was fetched"),
        "{error}"
    );
    let other = [
        "fetch",
        &format!("{address}/p"),
        &format!("{address}/d"),
        "--name",
        "other",
    ];
    assert_eq!(run(&other).0, 0);
    let fewer = ["fetch", &format!("{address}/d"), "--name", "other"];
    let (status, _, error) = run(&fewer);
    assert_eq!(status, 2, "{error}");
    assert!(
        error.contains("fetched/other has other files") && error.contains("add --force to overwrite them"),
        "{error}"
    );
    assert_eq!(run(&other).0, 0, "equal files stay");
    assert_eq!(run(&[&fewer[..], &["--force"]].concat()).0, 0);
    for (arguments, expected) in [
        (
            &["fetch", &format!("{address}/d"), "--size", "10"][..],
            "the limit of 10 bytes is reached",
        ),
        (
            &["fetch", &format!("{address}/d"), "--name", "../x"],
            "`../x` cannot be a name",
        ),
    ] {
        let (status, _, error) = run(arguments);
        assert_eq!(status, 2, "{arguments:?}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}
