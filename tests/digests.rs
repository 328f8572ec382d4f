//! Checks reproducibility: random walks over every bundled domain have the recorded digests, on one thread and on two.
//!
//! The digest of a rollout is computed from names and values (see `docs/explanation/semantics.md`), so it depends on the
//! domain, the problems and the draws, but not on the engine. After a change of a bundled domain or problem, record the
//! digests again: `cargo run --release -- rollout --seed 7 --steps 20 --digests > tests/digests.txt`

use std::fmt::Write as _;

use herbrand::env::{Registry, RolloutOptions, rollout};

#[test]
fn walks_of_one_seed_are_those_on_record() {
    let mut found = [String::new(), String::new()];
    for name in Registry::names().expect("sound domains") {
        let suite = Registry::get(&name).expect("a bundled domain");
        for (threads, found) in (1..).zip(&mut found) {
            let options = RolloutOptions {
                episodes: 100,
                steps: 20,
                seed: 7,
                threads,
                ..RolloutOptions::default()
            };
            let result = rollout(&suite, &options, &|_| ()).expect("a rollout");
            writeln!(found, "{:016x} {name}", result.digest).expect("a string");
        }
    }
    let recorded = include_str!("digests.txt");
    for (threads, found) in (1..).zip(&found) {
        for (line, expected) in found.lines().zip(recorded.lines()) {
            assert_eq!(
                line, expected,
                "on {threads} thread(s); the head of this test says how to record them again"
            );
        }
        assert_eq!(
            found.lines().count(),
            recorded.lines().count(),
            "domains on record"
        );
    }
}
