//! `fetch` from a server. The table `collections.txt` has the names of collections.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use crate::run::{LAMPS, Scratch, TWO_LAMPS};

/// Serves the domain and the problem, and returns the address.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
            let first = lines.next().expect("a line").expect("UTF-8");
            let _head = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .count();
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
    let (scratch, address) = (Scratch::new(), server());
    for (status, line, part) in [
        (0, "fetch URL/d URL/p", "lamps, 2 files\nsha256 "),
        (0, "fetch URL/d URL/p", "fetched:lamps\n"),
        (0, "plan fetched:lamps", "(turn-on a)"),
        (0, "domains fetched: --format json", "[\n  \"fetched:lamps\"\n]\n"),
        (0, "fetch URL/p URL/d --name other", "fetched:other"),
        (2, "fetch URL/d --name other", "fetched/other has other files"),
        (2, "fetch URL/d --name other", "add --force to overwrite them"),
        (0, "fetch URL/p URL/d --name other", "unchanged"),
        (0, "fetch URL/d --name other --force", "fetched:other"),
        (2, "fetch URL/d --size 10", "the limit of 10 bytes is reached"),
        (2, "fetch URL/d --name ../x", "`../x` cannot be a name"),
    ] {
        let line = line.replace("URL", &address);
        let run = scratch.shell(&format!("HERBRAND_CACHE=cache herbrand {line}"));
        run.ends(status, part);
    }
    scratch.write("cache/fetched/lamps/domain.pddl", "");
    let run = scratch.shell("HERBRAND_CACHE=cache herbrand rollout fetched:lamps");
    run.ends(2, "is not as it was fetched");
}
