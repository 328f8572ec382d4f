//! Checks that competition problems with conjunctive conditions have as many ground actions as Fast Downward's translator
//! reaches.

use std::path::Path;

use herbrand::ground::{GroundOptions, ground};
use herbrand::{Domain, Problem};

/// One line per problem: its path below the corpus, and the number of reachable pairs of schema and arguments.
const COUNTS: &str = include_str!("reachable_actions.txt");

#[test]
fn as_many_actions_as_fast_downward_reaches() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.exists() {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    }
    for line in COUNTS.lines().filter(|line| !line.starts_with('#')) {
        let (path, count) = line.split_once(' ').expect("a path and a count");
        let path = corpus.join(path);
        let domain = Domain::from_file(path.with_file_name("domain.pddl")).expect("a correct domain");
        let problem = Problem::from_file(&path, &domain).expect("a correct problem");
        let task = ground(&domain, &problem, &GroundOptions::default()).expect("there is no limit");
        assert_eq!(task.actions.len().to_string(), count, "{}", path.display());
    }
}
