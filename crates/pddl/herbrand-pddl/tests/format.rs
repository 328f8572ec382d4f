//! Tests of the formatter: the result has the same meaning, keeps all comments, and does not change if it is formatted
//! again.

use std::fs;
use std::path::{Path, PathBuf};

use herbrand_pddl::{Domain, Problem, Source, format};

fn formatted(text: &str) -> String {
    format(&Source::new("text", text)).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Formats a text and checks that the result is stable and has the same comments.
fn check(text: &str) -> String {
    let once = formatted(text);
    assert_eq!(formatted(&once), once, "formatted twice:\n{text}");
    assert_eq!(comments(&once), comments(text), "comments of\n{text}\nin\n{once}");
    once
}

fn comments(text: &str) -> Vec<&str> {
    let lines = text
        .lines()
        .filter_map(|line| Some(line[line.find(';')?..].trim_end()));
    lines.collect()
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

/// Returns the `.pddl` files under `folder`, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let mut found = Vec::new();
    for path in entries.unwrap_or_default().iter().map(fs::DirEntry::path) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "pddl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn all_bundled_files_are_canonical() {
    let files = files(&root().join("domains"));
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

/// Checks that formatting a domain and a problem does not change their models.
fn means_the_same(domain: &str, problem: &str) {
    let read = |domain: &str, problem: &str| {
        let domain = Domain::from_text(domain).ok()?;
        let problem = Problem::from_text(problem, &domain).ok()?;
        Some((domain.to_pddl(), problem.to_pddl(&domain)))
    };
    if let Some(before) = read(domain, problem) {
        assert_eq!(Some(before), read(&check(domain), &check(problem)), "{domain}");
    }
}

#[test]
fn the_corpus_means_the_same_when_formatted() {
    let corpus = root().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: there is no corpus beside the repository");
        return;
    }
    for folder in ["pddlgym", "ppddl", "ipc"] {
        for domain in files(&corpus.join(folder)) {
            if !domain.ends_with("domain.pddl") {
                continue;
            }
            let Ok(text) = fs::read_to_string(&domain) else {
                continue;
            };
            let beside = files(domain.parent().expect("a file has a folder"));
            let small = beside.iter().filter(|path| {
                **path != domain && fs::metadata(path).is_ok_and(|about| about.len() < 20_000)
            });
            for problem in small.take(2) {
                if let Ok(problem) = fs::read_to_string(problem) {
                    means_the_same(&text, &problem);
                }
            }
        }
    }
}
