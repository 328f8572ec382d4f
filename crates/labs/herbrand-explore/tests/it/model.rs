//! Tests of the language model reader with records and with a hostile server.

use std::cell::RefCell;
use std::collections::VecDeque;

use herbrand_explore::{
    Ending, Endpoint, EndpointError, Event, ExploreOptions, Explorer, Feedback, Game, LanguageModel, Mode,
    ModelOptions, NativeWorld, PlannerSolver, ReadRequest, Reader, ReaderAnswer, RecordingEndpoint,
    ReplayEndpoint, RuleReader, Setting, Task,
};
use serde_json::{Value, json};

/// Plays game 10 of the coin setting.
fn play(reader: &mut dyn Reader, mode: Mode) -> Game {
    let options = ExploreOptions {
        mode,
        ..ExploreOptions::default()
    };
    let task = Task::of(Setting::Coin).unwrap();
    let mut explorer = Explorer {
        task: &task,
        reader,
        solver: &mut PlannerSolver::default(),
        options,
    };
    explorer
        .play(&mut NativeWorld::new(Setting::Coin).unwrap(), 10, &mut |_| true)
        .unwrap()
}

/// Returns a response with this text.
fn response(content: &str) -> String {
    json!({"choices": [{"message": {"role": "assistant", "content": content}}]}).to_string()
}

/// An endpoint that answers like the rule reader, in the form of a model's answers.
struct Clever {
    answers: VecDeque<String>,
}

impl Endpoint for Clever {
    fn exchange(&mut self, _: &str) -> Result<String, EndpointError> {
        self.answers
            .pop_front()
            .map(|text| response(&text))
            .ok_or(EndpointError {
                message: "no more answers".to_owned(),
                again: false,
            })
    }
}

/// Returns the rule reader's answers in a game as JSON.
fn answers_of_rules(mode: Mode) -> (Vec<String>, Game) {
    struct Spy {
        inner: RuleReader,
        answers: RefCell<Vec<String>>,
    }
    impl Reader for Spy {
        fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, herbrand_explore::ReadError> {
            let reading = self.inner.read(request)?;
            self.answers.borrow_mut().push(match &reading {
                ReaderAnswer::Statements { statements, .. } => json!({"statements": statements}).to_string(),
                ReaderAnswer::Lines(lines) => json!(lines).to_string(),
                ReaderAnswer::Problem(problem) => json!({"problem": problem}).to_string(),
                ReaderAnswer::Command(command) => json!({"command": command}).to_string(),
            });
            Ok(reading)
        }
        fn begin(&mut self) {
            self.inner.begin();
        }
    }
    let mut spy = Spy {
        inner: RuleReader::new(),
        answers: RefCell::default(),
    };
    let game = play(&mut spy, mode);
    (spy.answers.into_inner(), game)
}

#[test]
fn a_model_that_reads_well_wins_and_its_record_replays() {
    for mode in [Mode::Edits, Mode::Lines, Mode::WholeProblem] {
        let (answers, by_rules) = answers_of_rules(mode);
        assert_eq!(by_rules.ending, Ending::Won);
        let mut record = Vec::new();
        let endpoint = RecordingEndpoint::new(
            Clever {
                answers: answers.into(),
            },
            &mut record,
        );
        let game = play(&mut LanguageModel::new(endpoint, ModelOptions::default()), mode);
        assert_eq!((game.ending, game.steps), (Ending::Won, by_rules.steps));
        let record = String::from_utf8(record).unwrap();
        let replayed = play(
            &mut LanguageModel::new(ReplayEndpoint::new(&record).unwrap(), ModelOptions::default()),
            mode,
        );
        assert_eq!(replayed, game);
        // A different temperature is a different request.
        let hot = ModelOptions {
            temperature: 0.5,
            ..ModelOptions::default()
        };
        let game = play(
            &mut LanguageModel::new(ReplayEndpoint::new(&record).unwrap(), hot),
            mode,
        );
        assert_eq!(game.ending, Ending::Unread);
        let refused = |event: &Event| {
            matches!(event, Event::Refused { feedback: Feedback::Malformed { message }, .. }
            if message.contains("differs from the one on record"))
        };
        assert!(game.events.iter().any(refused), "{:?}", game.events);
    }
}

#[test]
fn a_request_has_the_form_of_answers() {
    struct Ear(Vec<Value>);
    impl Endpoint for &mut Ear {
        fn exchange(&mut self, body: &str) -> Result<String, EndpointError> {
            self.0.push(serde_json::from_str(body).unwrap());
            Ok(response(
                "{\"statements\": [{\"statement\": \"holds\", \"fact\": \"(agent-at moon)\"}]}",
            ))
        }
    }
    let mut ear = Ear(Vec::new());
    let game = play(
        &mut LanguageModel::new(
            &mut ear,
            ModelOptions {
                model: "m".into(),
                ..ModelOptions::default()
            },
        ),
        Mode::Edits,
    );
    assert_eq!(game.ending, Ending::Unread);
    // The first attempt and five retries. Each request contains the faults of the earlier answers.
    assert_eq!(ear.0.len(), 6);
    let form =
        &ear.0[0]["response_format"]["json_schema"]["schema"]["properties"]["statements"]["items"]["anyOf"];
    assert_eq!(form[0]["properties"]["statement"]["const"], "object");
    let pattern = form[2]["properties"]["fact"]["pattern"].as_str().unwrap();
    assert!(pattern.contains("leads( [a-z0-9-]+){3}"), "{pattern}");
    let asked = |number: usize| ear.0[number]["messages"][3]["content"].as_str().unwrap();
    assert!(!asked(0).contains("refused") && asked(5).matches("refused").count() == 5);
    assert!(asked(1).contains("undeclared-object"));
    assert_eq!(
        (&ear.0[0]["model"], &ear.0[0]["temperature"]),
        (&json!("m"), &json!(1.0))
    );
}

#[test]
fn a_broken_record_is_told_with_its_line() {
    let error = ReplayEndpoint::new("{\"request\": {}, \"response\": \"\"}\nnonsense").unwrap_err();
    assert!(error.message.starts_with("line 2 of the record"), "{error}");
}

#[cfg(feature = "http")]
mod server {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use herbrand_explore::{HttpEndpoint, HttpOptions};

    use super::*;

    const KEY: &str = "sk-test-0123456789";

    /// Starts a server on the loopback address. It calls `answer` with the connection and the number of each request, and
    /// sends the requests through the channel.
    fn serve(
        mut answer: impl FnMut(&mut TcpStream, usize) + Send + 'static,
    ) -> (SocketAddr, Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, asked) = channel();
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let Ok(mut stream) = stream else { return };
                let Some(request) = request(&mut stream) else {
                    continue;
                };
                if tell.send(request).is_err() {
                    return;
                }
                answer(&mut stream, number);
            }
        });
        (address, asked)
    }

    /// Reads a whole request.
    fn request(stream: &mut TcpStream) -> Option<String> {
        let mut text = Vec::new();
        let mut block = [0; 4096];
        loop {
            let count = stream.read(&mut block).ok().filter(|&count| count > 0)?;
            text.extend_from_slice(&block[..count]);
            let read = String::from_utf8_lossy(&text).into_owned();
            if let Some((head, body)) = read.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("content-length")
                        .then(|| value.trim().parse::<usize>().ok())?
                })?;
                if body.len() >= length {
                    return Some(read);
                }
            }
        }
    }

    fn reply(stream: &mut TcpStream, status: &str, body: &str) {
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()));
    }

    fn options(address: SocketAddr) -> HttpOptions {
        HttpOptions {
            url: format!("http://{address}/v1"),
            key: Some(KEY.to_owned()),
            time: Duration::from_millis(700),
            bytes: 100_000,
        }
    }

    /// Plays with the model behind a server. Returns the game and the record of the exchanges.
    fn play_with(address: SocketAddr) -> (Game, String) {
        let mut record = Vec::new();
        let endpoint = RecordingEndpoint::new(HttpEndpoint::new(options(address)).unwrap(), &mut record);
        let game = play(
            &mut LanguageModel::new(endpoint, ModelOptions::default()),
            Mode::Edits,
        );
        (game, String::from_utf8(record).unwrap())
    }

    fn messages(game: &Game) -> Vec<String> {
        let refused = game.events.iter().filter_map(|event| match event {
            Event::Refused {
                feedback: Feedback::Malformed { message },
                ..
            } => Some(message.clone()),
            _ => None,
        });
        refused.collect()
    }

    #[test]
    fn a_game_is_won_over_http() {
        let (answers, by_rules) = answers_of_rules(Mode::Edits);
        let (address, asked) =
            serve(move |stream, number| reply(stream, "200 OK", &response(&answers[number])));
        let (game, record) = play_with(address);
        assert_eq!((game.ending, game.steps), (Ending::Won, by_rules.steps));
        let first = asked.recv().unwrap();
        assert!(
            first.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
            "{first}"
        );
        assert!(first.contains(&format!("Bearer {KEY}")));
        assert!(!record.contains(KEY));
        let replayed = play(
            &mut LanguageModel::new(ReplayEndpoint::new(&record).unwrap(), ModelOptions::default()),
            Mode::Edits,
        );
        assert_eq!(replayed, game);
    }

    /// For each answer of the server: the number of attempts, and a part of the message.
    #[test]
    fn hostile_answers_end_in_a_bounded_number_of_attempts() {
        type Answer = fn(&mut TcpStream);
        let cases: [(Answer, usize, &str); 10] = [
            (|stream| reply(stream, "200 OK", "{\"choices\": ["), 6, "not JSON"),
            (
                |stream| reply(stream, "200 OK", "{}"),
                6,
                "no text in its first choice",
            ),
            (
                |stream| reply(stream, "200 OK", &response("I would rather not.")),
                6,
                "another form",
            ),
            (
                |stream| reply(stream, "200 OK", &response(&"[".repeat(50_000))),
                6,
                "another form",
            ),
            (
                |stream| reply(stream, "200 OK", &"x".repeat(100_001)),
                6,
                "more than 100000 bytes",
            ),
            (|stream| reply(stream, "500 Oops", "{}"), 6, "status 500"),
            (|stream| reply(stream, "401 Who", "{}"), 1, "status 401"),
            // The connection is closed, or the answer is not HTTP.
            (|_| (), 6, "no response"),
            (
                |stream| drop(stream.write_all(b"hello\r\n\r\n")),
                6,
                "no response",
            ),
            (
                |stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort")),
                6,
                "breaks off",
            ),
        ];
        for (answer, attempts, said) in cases {
            let (address, asked) = serve(move |stream, _| answer(stream));
            let (game, record) = play_with(address);
            let is_down = ["status 500", "no response"].contains(&said);
            let ending = if is_down {
                Ending::NotPlayed
            } else {
                Ending::Unread
            };
            assert_eq!((game.ending, game.steps), (ending, 0), "{said}");
            let messages = messages(&game);
            assert_eq!(messages.len(), attempts, "{said}: {messages:?}");
            assert!(
                messages.iter().all(|message| message.contains(said)),
                "{said}: {messages:?}"
            );
            assert!(
                messages.iter().all(|message| message.len() < 600),
                "{said}: {messages:?}"
            );
            assert_eq!(asked.try_iter().count(), attempts, "{said}");
            assert!(!record.contains(KEY));
        }
    }

    #[test]
    fn an_endless_answer_ends() {
        for huge in [true, false] {
            let (address, _asked) = serve(move |stream, _| {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
                let block = [b' '; 4096];
                // Write as fast as possible, or one byte at a time.
                loop {
                    let written = if huge {
                        stream.write_all(&block)
                    } else {
                        stream.write_all(b" ")
                    };
                    if written.is_err() {
                        return;
                    }
                    if !huge {
                        thread::sleep(Duration::from_millis(50));
                    }
                }
            });
            let began = Instant::now();
            let (game, _) = play_with(address);
            assert_eq!(game.ending, Ending::Unread);
            assert_eq!(messages(&game).len(), 6);
            assert!(began.elapsed() < Duration::from_secs(60));
        }
    }

    #[test]
    fn a_redirection_is_not_followed() {
        let (other, elsewhere) = serve(|stream, _| reply(stream, "200 OK", "{}"));
        let (address, _asked) = serve(move |stream, _| {
            let head = format!(
                "HTTP/1.1 307 There\r\nlocation: http://{other}/v1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
        });
        let (game, _) = play_with(address);
        assert_eq!(game.ending, Ending::Unread);
        assert_eq!(elsewhere.try_iter().count(), 0, "the key went elsewhere");
    }

    #[test]
    fn the_key_is_in_no_record_and_no_report() {
        // The server repeats the key: plainly, escaped, as a name, and in invalid JSON.
        let escaped = format!("\\u0073{}", &KEY[1..]);
        let bodies = [
            response(&format!("your key is {KEY}")),
            format!("{{\"choices\": [{{\"message\": {{\"content\": \"{escaped}\"}}}}]}}"),
            format!("{{\"{escaped}\": 1}}"),
            format!("key {KEY}"),
            format!("{{\"error\": {{\"message\": \"{escaped}\"}}}}"),
            response(&format!("{{\"command\": \"{escaped}\"}}")),
            response(&format!("```json\n{{\"command\": \"{escaped}\"}}\n```")),
        ];
        for body in bodies {
            let (address, _asked) = serve(move |stream, _| reply(stream, "200 OK", &body));
            let (game, record) = play_with(address);
            assert_eq!(game.ending, Ending::Unread);
            assert!(
                messages(&game)
                    .iter()
                    .all(|message| message.contains("repeats the key"))
            );
            let report = serde_json::to_string(&game).unwrap();
            for text in [record, report] {
                assert!(
                    !text.contains(KEY) && !text.contains(&escaped) && !text.contains(&escaped[1..]),
                    "{text}"
                );
            }
        }
        let told = format!(
            "{:?}",
            HttpEndpoint::new(options("127.0.0.1:1".parse().unwrap())).unwrap()
        );
        assert!(!told.contains(KEY), "{told}");
    }

    #[test]
    fn addresses_are_checked() {
        let with = |url: &str, key: Option<&str>| {
            let options = HttpOptions {
                url: url.into(),
                key: key.map(Into::into),
                ..HttpOptions::default()
            };
            HttpEndpoint::new(options)
                .map(drop)
                .map_err(|error| error.message)
        };
        assert_eq!(with("https://example.org/v1", Some(KEY)), Ok(()));
        assert_eq!(with("http://localhost:1/v1", Some(KEY)), Ok(()));
        assert_eq!(with("http://example.org/v1", None), Ok(()));
        for (url, key, said) in [
            ("http://example.org/v1", Some(KEY), "in the clear"),
            ("https://me:secret@example.org/v1", None, "names a user"),
            ("ftp://example.org", None, "neither"),
            ("nonsense", None, "neither"),
            ("", None, "no URL"),
            ("https://example.org", Some(""), "the key is empty"),
            ("https://example.org", Some("a\nb"), "no header"),
        ] {
            let error = with(url, key).unwrap_err();
            assert!(error.contains(said) && !error.contains("secret"), "{error}");
        }
    }
}
