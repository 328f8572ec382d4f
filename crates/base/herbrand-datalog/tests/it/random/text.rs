//! Printing and parsing of programs.

use herbrand_datalog::Program;
use proptest::prelude::*;

use super::sketch::{program, rule};

proptest! {
    #![proptest_config(ProptestConfig { ..Default::default() })]

    #[test]
    fn what_is_printed_can_be_read(rules in prop::collection::vec(rule(0..5), 0..7)) {
        // Rules without a body are left out, because they parse as facts, or not at all.
        let rules = rules.into_iter().filter(|rule| !rule.body.is_empty()).collect();
        let printed = program(rules).to_string();
        let (read, _) = Program::parse(&printed).unwrap();
        prop_assert_eq!(read.to_string(), printed);
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-zA-Z0-9_?!=:.,()/# %\"\n-]{0,80}|.{0,40}") {
        if let Ok((program, _)) = Program::parse(&text) {
            let _ = program.check();
        }
    }
}
