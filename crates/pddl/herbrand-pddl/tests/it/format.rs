//! Tests of the formatter: the result has the same meaning, keeps all comments, and does not change if it is formatted
//! again.

use std::fs;
use std::ops::Range;
use std::path::Path;

use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{
    Change, Code, Domain, Problem, ReadOptions, Severity, Source, Span, format, format_lenient, format_range,
    read, tree,
};
use herbrand_text::fuzz::{Xorshift, assert_lossless, assert_same_but_layout, scatter};
use proptest::prelude::*;

use super::corpus::{corpus, domains_for, files, is_readable};

/// Returns the formatted text of a text without faults.
fn formatted(text: &str) -> String {
    format(&Source::new("text", text)).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Formats a text and checks that the result is stable and differs only in layout and case.
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

/// Checks that a formatted range has the layout of the formatted text, and that nothing else changes.
fn check_range(text: &str, range: Span) {
    let (once, part) = (formatted(text), formatted_range(text, range));
    assert_eq!(
        formatted_range(text, (0..text.len()).into()),
        once,
        "all of\n{text}"
    );
    assert_eq!(formatted(&part), once, "{range:?} of\n{text}\ngives\n{part}");
    let tree = tree(&Source::new("text", text));
    let lines = tree.lines(range);
    let definitions = tree.elements(None).filter(|&index| tree.end(index) > index);
    for section in definitions.flat_map(|index| tree.elements(Some(index))) {
        let Range { start, end } = tree.span(section).range();
        assert!(
            end > lines.start as usize || part.starts_with(&text[..end]),
            "{part}"
        );
        assert!(
            start < lines.end as usize || part.ends_with(&text[start..]),
            "{part}"
        );
    }
}

#[test]
fn comments_stay_where_they_are() {
    let text = "; head

(define (domain lamps)   ; named
  ; on a line of its own
  (:predicates (lamp ?l) ; a lamp
     (ON ?l)


     ; the last
  )
  (:action turn-on :parameters (?l) ; which
    :precondition (and (lamp ?l) ; it is one
      (not (on ?l)))
    :effect (on ?l) ; lit
  ) ; of the action
) ; of the domain
; tail";
    let expected = "; head

(define (domain lamps) ; named
  ; on a line of its own
  (:predicates (lamp ?l) ; a lamp
    (on ?l)

    ; the last
  )
  (:action turn-on
    :parameters (?l) ; which
    :precondition (and (lamp ?l) ; it is one
      (not (on ?l)))
    :effect (on ?l) ; lit
  ) ; of the action
) ; of the domain
; tail
";
    assert_eq!(check(text), expected);
}

#[test]
fn long_lists_are_broken_and_short_ones_stay() {
    let text = "(define (problem p) (:domain d) (:objects a b c - thing)
      (:init (on a b) (on b c)
             (clear a)) (:goal (and (on a b) (on b c) (on c d) (on d e) (on e f) (on f g) (on g h) (on h i) (on i j) (on j k))))";
    let expected = "(define (problem p)
  (:domain d)
  (:objects a b c - thing)
  (:init (on a b) (on b c)
    (clear a))
  (:goal
    (and
      (on a b)
      (on b c)
      (on c d)
      (on d e)
      (on e f)
      (on f g)
      (on g h)
      (on h i)
      (on i j)
      (on j k))))
";
    assert_eq!(check(text), expected);
    let words: Vec<_> = (0..60).map(|number| format!("object-{number}")).collect();
    let text = format!("(define (problem p) (:domain d) (:objects {}))", words.join(" "));
    let filled = check(&text);
    assert!(
        filled.lines().all(|line| line.len() <= 100) && filled.lines().count() < 14,
        "{filled}"
    );
    let text = "(define (domain d) (:action a :effect (probabilistic 0.25 (first-alternative of these) 0.75 (second-alternative \
                of these) 1/3 (and (x) (y)))))";
    let broken = check(text);
    assert!(
        broken.contains("\n      0.75 (second-alternative of these)\n"),
        "{broken}"
    );
}

#[test]
fn what_is_no_definition_is_refused() {
    for text in [
        "(define (domain d)",
        "define",
        "(define (domain d)))",
        "; nothing but a comment",
    ] {
        assert!(format(&Source::new("text", text)).is_err(), "{text}");
    }
}

#[test]
fn lists_may_be_nested_deeply() {
    let depth = 20_000;
    let text = format!(
        "(define (domain d) (:axiom {}{}))",
        "(not ".repeat(depth),
        ")".repeat(depth)
    );
    let source = Source::new("deep", &text);
    // The text may have faults, but the recursion must not overflow the stack.
    drop(format(&source));
}

#[test]
fn all_bundled_files_are_canonical() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../domains"));
    assert!(files.len() > 800, "only {} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable file");
        assert!(
            check(&text) == text,
            "{}: `herbrand fmt --write` it",
            path.display()
        );
    }
}

/// Returns the models of a file. A definition with faults has no model.
fn models(source: &Source, path: &Path) -> (Vec<Domain>, Vec<Problem>) {
    let document = read(source, &ReadOptions::default());
    let domains = document.domains().filter_map(|domain| domain.check().value);
    let domain = (document.problems().len() > 0).then(|| {
        domains_for(path)
            .iter()
            .find_map(|path| Domain::from_file(path).ok())
    });
    let problems = document.problems().filter_map(|problem| {
        let domain = domain.as_ref()?.as_ref()?;
        problem.check(domain).value
    });
    (domains.collect(), problems.collect())
}

#[test]
fn every_file_of_the_corpus_keeps_its_comments_and_its_meaning() {
    let Some(corpus) = corpus() else { return };
    let mut counts = (0, 0);
    for path in files(&corpus) {
        let source = Source::from_file(&path).unwrap();
        if format(&source).is_err() {
            assert!(!is_readable(&path, &corpus), "{}", path.display());
            continue;
        }
        let once = check(source.text());
        let again = Source::new(source.name(), &once);
        let before = models(&source, &path);
        assert!(before == models(&again, &path), "{}", path.display());
        counts = (counts.0 + before.0.len(), counts.1 + before.1.len());
        let code = once.lines().filter_map(|line| line.split(';').next());
        let too_wide = |line: &&str| line.trim_end().len() > 100;
        // A line with one long word cannot be broken.
        let has_long_word = |line: &&str| line.split(' ').any(|word| word.len() > 80);
        let wide: Vec<_> = code
            .filter(too_wide)
            .filter(|line| !has_long_word(line))
            .collect();
        assert!(wide.is_empty(), "{}: {wide:#?}", path.display());
        let half = source.text().floor_char_boundary(source.text().len() / 2);
        check_range(source.text(), (half..half).into());
    }
    assert!(counts.0 >= 90 && counts.1 >= 190, "{counts:?}");
}

#[test]
fn lines_end_as_they_did() {
    let text = "; gr\u{fc}n\r\n(define (domain d) ; \u{6f22}\u{5b57} \u{1f98a}\t\r\n\r\n\r\n(:predicates (P)))\r\n;end";
    let expected = "; gr\u{fc}n\r\n(define (domain d) ; \u{6f22}\u{5b57} \u{1f98a}\r\n\r\n  (:predicates (p)))\r\n;end\r\n";
    assert_eq!(check(text), expected);
    assert_eq!(check(&format!("\u{feff}{text}")), expected);
    let old = "(define (domain d)\r; one\r(:predicates (p)))\r";
    assert_eq!(check(old), "(define (domain d)\n  ; one\n  (:predicates (p)))\n");
}

#[test]
fn a_range_is_the_sections_that_its_lines_touch() {
    let text = "(DEFINE (domain d)\n (:predicates (p)\n\n\n   (Q)) (:action\n a :effect (P))\n; end\n (:action B :effect (p)))";
    let at = |word: &str| {
        let start = text.find(word).expect("a word of the text");
        Span::from(start..start)
    };
    let first = "(DEFINE (domain d)\n  (:predicates (p)\n\n    (q))\n  (:action a\n    :effect (p))\n; end\n (:action B :effect (p)))";
    assert_eq!(formatted_range(text, at("(Q)")), first);
    let last = text.replace(
        "\n (:action B :effect (p)))",
        "\n  (:action b\n    :effect (p)))\n",
    );
    assert_eq!(formatted_range(text, at("B :effect")), last);
    let comment = text.replace("\n; end", "\n  ; end");
    assert_eq!(formatted_range(text, at("end")), comment);
    let head = text.replace("(DEFINE", "(define");
    assert_eq!(formatted_range(text, Span { start: 0, end: 0 }), head);
    let beyond = Span {
        start: 900,
        end: u32::MAX,
    };
    assert_eq!(formatted_range(text, beyond), last);
    assert!(format_range(&Source::new("text", "(define (domain d)"), at("(Q)")).is_err());
}

/// Checks a random layout of a random task.
fn check_layout((domain, problem): &(Domain, Problem), seed: u64) {
    let mut random = Xorshift::new(seed);
    let texts = [domain.to_pddl(), problem.to_pddl(domain)];
    let [domain_text, problem_text] = texts.map(|text| {
        let text = scatter(&tree(&Source::new("text", &text)), ";", &mut random);
        let mut ends = [0, 0].map(|_| random.below(text.len() + 1));
        ends.sort_unstable();
        check_range(&text, (ends[0]..ends[1]).into());
        check(&text)
    });
    assert_eq!(
        Domain::from_text(&domain_text).as_ref(),
        Ok(domain),
        "{domain_text}"
    );
    let again = Problem::from_text(&problem_text, domain);
    assert_eq!(again.as_ref(), Ok(problem), "{problem_text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn comments_anywhere_are_kept(task in tasks(&Shape::timed()), seed: u64) {
        check_layout(&task, seed);
    }
}

/// The same test with the number of cases given by `PROPTEST_CASES`.
#[test]
#[ignore = "takes minutes"]
fn comments_anywhere_are_kept_in_many_texts() {
    proptest!(|(task in tasks(&Shape::timed()), seed: u64)| check_layout(&task, seed));
}

/// Formatting repairs the ends of texts, so that they mean what lenient reading takes them for.
#[test]
fn lenient_formatting_repairs_the_ends_of_texts() {
    let right = "(define (domain d)\n  (:predicates (p) (q))\n  (:action a\n    :precondition (p)\n    :effect (q)))\n";
    let lenient = ReadOptions {
        lenient: true,
        ..ReadOptions::default()
    };
    for (text, repairs) in [
        (right, 0),
        (right.trim_end().strip_suffix(')').expect("a parenthesis"), 1),
        (right.trim_end().strip_suffix(")))").expect("parentheses"), 1),
        (&format!("{right}))"), 2),
        (&format!("{right}\n; a comment )"), 0),
        (
            &format!(
                "{} ; a comment",
                right.trim_end().strip_suffix("))").expect("parentheses")
            ),
            1,
        ),
    ] {
        let source = Source::new("d.pddl", text);
        let (formatted, warnings) = format_lenient(&source).expect(text);
        assert_eq!(warnings.len(), repairs, "{text}: {warnings:?}");
        assert!(warnings.iter().all(|one| one.severity() == Severity::Warning));
        let domain =
            |source: &Source, options: &ReadOptions| Domain::parse_with(source, options).expect(text).0;
        let formatted = Source::new("d.pddl", &formatted);
        assert_eq!(
            domain(&formatted, &ReadOptions::default()).to_pddl(),
            domain(&source, &lenient).to_pddl()
        );
        assert_eq!(format(&formatted).expect("a sound text"), formatted.text());
    }
    // Faults inside the text are not repaired.
    let inside = Source::new(
        "d.pddl",
        "(define (domain d) (:predicates (p) (:action a :effect (p)))",
    );
    let faults = format_lenient(&inside).expect_err("a section is not closed");
    assert_eq!(faults.diagnostics()[0].code(), Code::UnclosedParenthesis);
}
