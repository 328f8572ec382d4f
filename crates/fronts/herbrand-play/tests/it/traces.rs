//! Walks saved as traces.

use herbrand_env::trace::Replayer;
use herbrand_env::{ActionMode, EngineKind, Registry, Source, Suite, SuiteFiles};
use herbrand_play::{JointTexts, ProblemName, Reply, Request};
use herbrand_rddl_sim::suite::RddlSuite;

use crate::{DARK, LAMPS, bundled, fresh, look, position, refusal, texts};

/// Returns a walk and its trace.
fn recorded(problem: &ProblemName, seed: u64, steps: usize) -> (Vec<JointTexts>, String) {
    let mut playground = fresh();
    let mut walk = Vec::<JointTexts>::new();
    for step in 0..steps {
        let view = look(&mut playground, &position(problem, seed, &walk));
        let Some(action) = view.actions.get((7 * step + 3) % view.actions.len().max(1)) else {
            break;
        };
        walk.push(vec![action.text.clone()]);
    }
    match playground.reply(&Request::Trace(position(problem, seed, &walk))) {
        Reply::Trace { text, .. } => (walk, text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trace_is_replayed_without_a_difference() {
    for domain in ["sokoban", "river", "blocks"] {
        let (walk, text) = recorded(&bundled(domain, "train/01"), 5, 12);
        let mut lines = text.as_bytes();
        let header = Replayer::read_header(&mut lines).expect("a header");
        assert_eq!(
            (header.domain.as_str(), header.problem.as_str()),
            (domain, "train/01")
        );
        let suite = Registry::get(domain)
            .and_then(|suite| suite.problem("train/01"))
            .expect("it is bundled");
        let replayer = Replayer::with_engine(&suite, 0, EngineKind::Grounded, header).expect("it fits");
        let replay = replayer.replay(lines).expect("it is a trace");
        assert_eq!(
            (replay.mismatches, replay.states, replay.warnings),
            (0, walk.len() as u64 + 1, Vec::new()),
            "{domain}"
        );
    }
}

#[test]
fn a_trace_of_rddl_is_replayed_without_a_difference() {
    let (_, text) = recorded(&bundled("rddl/elevators", "1"), 5, 12);
    let mut lines = text.as_bytes();
    let header = herbrand_rddl_sim::trace::Replayer::read_header(&mut lines).expect("a header");
    let suite = RddlSuite::bundled("rddl/elevators").and_then(|suite| suite.problem("1"));
    let suite = suite.expect("it is bundled");
    let compiled = suite.compiled(0).expect("it compiles");
    let replayer = herbrand_rddl_sim::trace::Replayer::new(compiled, header).expect("it fits");
    let replay = replayer.replay(lines).expect("it is a trace");
    assert_eq!(
        (replay.mismatches, replay.states, replay.warnings),
        (0, 12, Vec::new())
    );
}

#[test]
fn a_trace_is_opened_again() {
    for (problem, seed) in [
        (bundled("sokoban", "train/01"), 0),
        (bundled("river", "train/01"), 5),
        (bundled("rddl/elevators", "1"), 9),
        (bundled("rddl/cartpole-discrete", "1"), 9),
        (texts(LAMPS, DARK), 0),
    ] {
        let (walk, text) = recorded(&problem, seed, 8);
        let reply = fresh().reply(&Request::OpenTrace { text, texts: None });
        let expected = Reply::Walk {
            problem,
            seed,
            walk,
            note: String::new(),
        };
        assert_eq!(reply, expected);
    }
}

#[test]
fn own_texts_are_in_the_header_of_their_trace() {
    // The header has the names of files next to the trace, so other programs can replay it.
    let (_, text) = recorded(&texts(LAMPS, DARK), 0, 2);
    let mut lines = text.as_bytes();
    let header = Replayer::read_header(&mut lines).expect("a header");
    assert_eq!(
        (header.domain.as_str(), header.problem.as_str()),
        ("domain.pddl", "problem.pddl")
    );
    let files = [("domain.pddl", LAMPS), ("problem.pddl", DARK)];
    let files = files.map(|(name, text)| (name.to_owned(), Source::new(name, text)));
    let files = SuiteFiles::from_folder("own", files).expect("a folder").remove(0);
    let suite = Suite::new(files, ActionMode::Declared).expect("sound texts");
    let replayer = Replayer::with_engine(&suite, 0, EngineKind::Grounded, header).expect("it fits");
    let replay = replayer.replay(lines).expect("a trace");
    assert_eq!((replay.mismatches, replay.warnings), (0, Vec::new()));
    assert!(
        text.starts_with("{\"oracle\":\"herbrand "),
        "files are recognised by their beginning"
    );
}

#[test]
fn a_trace_that_goes_wrong_is_opened_as_far_as_it_goes() {
    let (walk, text) = recorded(&bundled("blocks", "train/01"), 0, 4);
    let broken = text.replace(&format!("\"chosen\":\"{}\"", walk[2][0]), "\"chosen\":\"(fly)\"");
    assert_ne!(broken, text);
    let Reply::Walk {
        walk: opened, note, ..
    } = fresh().reply(&Request::OpenTrace {
        text: broken,
        texts: None,
    })
    else {
        panic!("it is opened");
    };
    assert_eq!(opened, walk[..2]);
    assert!(note.starts_with("step 3 of the trace is not valid"), "{note}");
    for (text, expected) in [
        ("", "Request: the trace is empty"),
        ("no trace", "Request: line 1 of the trace"),
        (
            "{\"version\":2,\"domain\":\"blocks\",\"problem\":\"train/01\"}",
            "Request: line 1, `version`: the trace has version 2",
        ),
        (
            "{\"domain\":\"blocks\",\"problem\":\"train/01\"}\nnothing",
            "Request: line 2 of the trace",
        ),
        (
            "{\"domain\":\"../blocks\",\"problem\":\"x\"}",
            "Unknown: there is no domain",
        ),
    ] {
        let said = refusal(fresh().reply(&Request::OpenTrace {
            text: text.to_owned(),
            texts: None,
        }));
        assert!(said.starts_with(expected), "{said}");
    }
}
