//! Tests of the formatter: the text has the same meaning and comments, and does not change if it is formatted again.

use std::sync::Arc;

use herbrand_rddl::strategies::{Shape, instances};
use herbrand_rddl::{Change, Domain, Instance, Source, Span, format, format_range, tree};
use herbrand_text::fuzz::{Xorshift, assert_lossless, assert_same_but_layout, scatter};
use proptest::prelude::*;

use super::corpus::{corpus, problems};

/// Returns the formatted text of a text without faults.
fn formatted(text: &str) -> String {
    format(&Source::new("text", text)).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Formats a text and checks that the result is stable and differs only in layout.
fn check(text: &str) -> String {
    let trees = [text, &formatted(text)].map(|text| tree(&Source::new("text", text)));
    trees.iter().for_each(assert_lossless);
    let [before, after] = &trees;
    assert_same_but_layout(before, after);
    let once = after.source().text();
    assert_eq!(formatted(once), once, "formatted twice:\n{text}");
    once.to_owned()
}

/// Returns the text after formatting a range of it.
fn formatted_range(text: &str, range: Span) -> String {
    let changes = format_range(&Source::new("text", text), range).expect("a text without faults");
    Change::apply(&changes, text)
}

/// Checks that formatting a range, and then the text, gives the formatted text.
fn check_range(text: &str, range: Span) {
    let (once, part) = (formatted(text), formatted_range(text, range));
    assert_eq!(
        formatted_range(text, (0..text.len()).into()),
        once,
        "all of\n{text}"
    );
    assert_eq!(formatted(&part), once, "{range:?} of\n{text}\ngives\n{part}");
}

#[test]
fn every_file_of_the_corpus_keeps_its_comments_and_its_meaning() {
    let Some(folder) = corpus() else { return };
    let mut count = 0;
    for (path, instances) in problems(&folder) {
        let source = Source::from_file(&path).unwrap();
        let domain = Arc::new(Domain::parse(std::slice::from_ref(&source)).unwrap());
        assert_eq!(
            Domain::from_text(&check(source.text())).as_ref(),
            Ok(&*domain),
            "{}",
            path.display()
        );
        for path in instances {
            let source = Source::from_file(&path).unwrap();
            let once = Source::new("formatted", &check(source.text()));
            let [before, after] = [source.clone(), once].map(|text| Instance::parse(&[text], &domain));
            assert!(before.is_ok() && before == after, "{}", path.display());
            let half = source.text().floor_char_boundary(source.text().len() / 2);
            check_range(source.text(), (half..half).into());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn comments_stay_where_they_are_and_lines_end_as_they_did() {
    let text = "// head\r\ndomain d { // für 漢字 🦊 \r\n\r\n\r\n\r\n\
                // one\r\n pvariables { // two\r\n p : { state-fluent, // three\r\n bool, default = false // four\r\n }; // five\r\n \
                }; cpfs { p' = p // six\r\n // seven\r\n ^ p // eight\r\n ; }; reward = 0;\r\n\t // nine\r\n} // ten\r\n//end";
    let expected = "// head
domain d { // für 漢字 🦊

    // one
    pvariables { // two
        p : { state-fluent, // three
            bool, default = false // four
        }; // five
    }; cpfs { p' = p // six
            // seven
            ^ p // eight
        ; }; reward = 0;
    // nine
} // ten
//end
";
    assert_eq!(check(text), expected.replace('\n', "\r\n"));
    assert_eq!(check(&format!("\u{feff}{text}")), expected.replace('\n', "\r\n"));
    assert_eq!(check(&text.replace("\r\n", "\n")), expected);
}

#[test]
fn a_range_is_whole_lines() {
    let text = "domain d {\n   pvariables {\np : { state-fluent, bool, default = false }; };\n cpfs { p' = p; };\nreward = 0; }";
    let at = text.find("default").expect("a word of the text");
    let expected = text.replace("\np :", "\n        p :");
    assert_eq!(formatted_range(text, (at..at).into()), expected);
    assert!(format_range(&Source::new("text", "domain d {"), (0..1).into()).is_err());
}

/// Checks a random layout of a random problem.
fn check_layout(instance: &Instance, seed: u64) {
    let mut random = Xorshift::new(seed);
    let [domain, own] = [instance.domain.to_rddl(), instance.to_rddl()].map(|text| {
        let text = scatter(&tree(&Source::new("text", &text)), "//", &mut random);
        let mut ends = [0, 0].map(|_| random.below(text.len() + 1));
        ends.sort_unstable();
        check_range(&text, (ends[0]..ends[1]).into());
        check(&text)
    });
    let again = Instance::from_text(&domain, &own);
    assert_eq!(again.as_ref(), Ok(instance), "{domain}\n{own}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn comments_anywhere_are_kept(instance in instances(&Shape::default()), seed: u64) {
        check_layout(&instance, seed);
    }
}

/// The same test with the number of cases given by `PROPTEST_CASES`.
#[test]
#[ignore = "takes minutes"]
fn comments_anywhere_are_kept_in_many_texts() {
    proptest!(|(instance in instances(&Shape::default()), seed: u64)| check_layout(&instance, seed));
}
