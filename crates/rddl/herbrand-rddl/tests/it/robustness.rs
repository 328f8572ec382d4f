//! Parsing any text terminates quickly, with diagnostics.

#[path = "../../examples/fuzz_rddl/read.rs"]
mod reading;
#[path = "../../examples/fuzz_rddl/words.rs"]
mod words;

use herbrand_rddl::strategies::{Shape, texts};
use herbrand_rddl::{Code, Domain, ReadOptions, Source, read};
use herbrand_text::fuzz::Xorshift;
use proptest::prelude::*;

use reading::exercise;

/// Returns the codes of the faults of a domain.
fn codes(text: &str) -> Vec<Code> {
    let faults = Domain::from_text(text).unwrap_err();
    assert!(!faults.to_string().is_empty());
    faults.diagnostics().iter().map(|d| d.code()).collect()
}

/// Returns a domain with one real fluent and this reward.
fn domain(value: &str) -> String {
    format!(
        "domain d {{ types {{ t : object; }}; pvariables {{ q : {{ state-fluent, real, default = 0.0 }}; \
         b : {{ state-fluent, bool, default = false }}; }}; cpfs {{ q' = q; b' = b; }}; reward = {value}; }}"
    )
}

#[test]
fn brackets_by_the_hundred_thousand() {
    let many = 100_000;
    for open in [
        "(",
        "[",
        "-",
        "~",
        "1 + ",
        "if (",
        "sum_{?x : t} ",
        "abs[",
        "switch (",
        "Normal(",
        "p(",
        "{",
    ] {
        let text = domain(&open.repeat(many));
        codes(&text);
        exercise(&text);
    }
    exercise(&"}".repeat(many));
    exercise(&"domain d {".repeat(many / 10));
    exercise(&"domain d { reward = 0; } ".repeat(many / 10));
}

#[test]
fn depth_up_to_the_limit_is_no_matter() {
    let brackets = |depth: usize| domain(&format!("{}q{}", "-(".repeat(depth / 2), ")".repeat(depth / 2)));
    let chain = |length: usize| domain(&vec!["q"; length].join(" <= "));
    // Each aggregation and each pair of brackets is a level.
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|i| format!("sum_{{?x{i} : t}} (")).collect();
        domain(&format!("{open}q{}", ")".repeat(depth)))
    };
    for (text, deeper) in [
        (brackets(290), brackets(700)),
        (chain(299), chain(302)),
        (nested(145), nested(302)),
    ] {
        exercise(&text);
        assert!(Domain::from_text(&text).is_ok());
        assert!(codes(&deeper).contains(&Code::NestedTooDeep));
    }
}

/// Operators of one precedence join any number of operands, and the printed text is parsed to an equal model.
#[test]
fn flat_expressions_have_any_length() {
    for (first, operators) in [
        ("q", &["+"][..]),
        ("q", &["-", "+", "+"]),
        ("q", &["*", "/"]),
        ("b", &["^"]),
        ("b", &["|"]),
        ("b", &["=>"]),
        ("b", &["<=>"]),
    ] {
        let signs = operators.iter().cycle().take(20_000);
        let chain = signs.fold(first.to_owned(), |text, sign| format!("{text} {sign} {first}"));
        let read =
            Domain::from_text(&domain(&chain)).unwrap_or_else(|faults| panic!("{operators:?}: {faults}"));
        assert_eq!(read.reward.body.children().len(), 20_001, "{operators:?}");
        assert_eq!(
            Domain::from_text(&read.to_rddl()).as_ref(),
            Ok(&read),
            "{operators:?}"
        );
    }
}

#[test]
fn more_faults_than_anyone_reads() {
    let names: Vec<String> = (0..250).map(|number| format!("nothing{number}")).collect();
    let text = domain(&names.join(" + "));
    let codes = codes(&text);
    assert_eq!(codes.len(), 201);
    assert_eq!(codes.last(), Some(&Code::TooManyFaults));
    // Uses of one name are one fault.
    let text = domain(&vec!["nothing"; 20_000].join(" + "));
    assert_eq!(self::codes(&text), [Code::UnknownPvariable]);
}

#[test]
fn texts_that_are_too_long_are_not_read() {
    let options = ReadOptions {
        max_bytes: 10,
        ..ReadOptions::default()
    };
    let sources = [Source::new("long", &domain("0"))];
    let document = read(&sources, &options);
    assert_eq!(document.diagnostics()[0].code(), Code::TextTooLong);
    assert_eq!(document.domains().count(), 0);
}

#[test]
fn comments_may_hold_any_bytes() {
    let mut bytes = b"domain d { // caf\xe9 \xff\n reward = 0; }".to_vec();
    bytes.extend(b" // \x80");
    assert!(Domain::parse(&[Source::from_bytes("latin", bytes)]).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_words_are_read(seed in any::<u64>()) {
        exercise(&words::language().tokens(&mut Xorshift::new(seed)));
    }

    #[test]
    fn mutated_texts_are_read((domain, instance) in texts(&Shape { choices: 100, ..Shape::default() }), seed in any::<u64>()) {
        let text = domain + &instance;
        exercise(&words::language().mutate(&text, &text, &mut Xorshift::new(seed)));
    }
}
