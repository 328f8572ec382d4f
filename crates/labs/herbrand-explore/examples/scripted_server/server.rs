//! The connections of the scripted server.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::scripted_answers::answer;

/// How the server answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Always right.
    Well,
    /// Two useless answers before each right one.
    Badly,
    /// Right, after a pause.
    Slowly(Duration),
    /// Not at all: it closes the connection.
    Never,
}

/// Useless answers, in turns.
const BAD: [&str; 4] = [
    "I would rather look around first.",
    "{\"statements\": [{\"statement\": \"holds\", \"fact\": \"(agent-at moon)\"}]}",
    "{\"objects\": {\"add\": [], \"replace\": {}, \"delete\": [\"moon - room\"]}, \"init\": {\"add\": [], \"replace\": {}, \"delete\": []}}",
    "{\"problem\": \"(define (problem known) (:domain",
];

/// Answers the requests of a listener, until it fails.
pub fn serve(listener: &TcpListener, manner: Manner) {
    for (number, stream) in listener.incoming().enumerate() {
        let Ok(mut stream) = stream else { return };
        if manner == Manner::Never {
            continue;
        }
        let Some(body) = request(&mut stream) else {
            continue;
        };
        let content = match manner {
            Manner::Badly if number % 3 < 2 => BAD[number % BAD.len()].to_owned(),
            _ => answer(&body).unwrap_or_else(|why| why),
        };
        if let Manner::Slowly(pause) = manner {
            sleep(pause);
        }
        // A token has about four characters.
        let response = json!({
            "choices": [{"message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": body["messages"].to_string().len() / 4, "completion_tokens": content.len() / 4},
        });
        // The client may have gone away.
        let _ = reply(&mut stream, &response.to_string());
    }
}

/// Reads the body of a request.
fn request(stream: &mut TcpStream) -> Option<Value> {
    let mut text = Vec::new();
    let mut block = [0; 4096];
    loop {
        let count = stream.read(&mut block).ok().filter(|&count| count > 0)?;
        text.extend_from_slice(&block[..count]);
        let read = String::from_utf8_lossy(&text);
        let Some((head, body)) = read.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_length = name.eq_ignore_ascii_case("content-length");
            is_length.then(|| value.trim().parse::<usize>().ok())?
        })?;
        if body.len() >= length {
            return serde_json::from_str(body).ok();
        }
    }
}

fn reply(stream: &mut TcpStream, body: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}
