//! How long it takes to follow an edit, beside grounding the edited problem from scratch.

use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand::edit::{Edit, Model, Rules};
use herbrand::ground::{Course, GroundOptions, Grounding, ground};
use herbrand::limits::Limits;
use herbrand::pddl::PredicateKind;

use crate::family::{FAMILIES, Family, size};

/// How many facts are taken away and put back.
const FACTS: usize = 10;

/// What the edits of one problem took, all together.
#[derive(Default)]
struct Times {
    /// Carrying out the edits, which gives the problems.
    edit: Duration,
    /// Following them.
    follow: Duration,
    /// What it takes to ground each edited problem from scratch.
    anew: Duration,
    /// How many atoms and actions came and went.
    changed: usize,
}

/// Prints, for every family at these sizes, the mean CPU time of an edit, and how many times as long grounding anew takes.
pub fn compare(sizes: &[usize]) {
    println!(
        "family      size      facts   changed   edit ms   follow ms   anew ms   anew/follow   with the edit"
    );
    for &asked in sizes {
        for family in &FAMILIES {
            row(family, asked);
        }
    }
}

fn row(family: &Family, asked: usize) {
    let model = Model::from_text(family.domain, &family.problem(asked)).expect("a family's problem");
    let mut kept =
        Grounding::new(model.domain(), model.problem(), Limits::default()).expect("there is no limit");
    let fluents = |place: &usize| {
        let fact = model.problem().init.get(*place).expect("a fact");
        model.domain().predicate(fact.predicate).kind == PredicateKind::Fluent
    };
    let facts: Vec<usize> = (0..model.problem().init.len()).filter(fluents).collect();
    let step = (facts.len() / FACTS).max(1);
    let (mut times, mut edits) = (Times::default(), 0);
    let mut found = 0;
    for &place in facts.iter().step_by(step) {
        let fact = model.facts()[place].clone();
        let mut now = model.clone();
        for edit in [Edit::DeleteFact { fact: fact.clone() }, Edit::AddFact { fact }] {
            now = timed(&mut times.edit, || {
                now.apply(&[edit], &Rules::default()).expect("a sound edit")
            });
            let update = timed(&mut times.follow, || kept.update(now.domain(), now.problem()));
            let update = update.expect("there is no limit");
            assert_eq!(update.course, Course::Followed);
            times.changed += update.atoms.len() + update.actions.len();
            let task = timed(&mut times.anew, || {
                ground(now.domain(), now.problem(), &GroundOptions::default())
            });
            let task = task.expect("there is no limit");
            found = size(&task);
            edits += 1;
        }
    }
    assert!(
        kept.task().expect("there is no limit")
            == ground(model.domain(), model.problem(), &GroundOptions::default()).expect("no limit")
    );
    let each = |time: Duration| 1e3 * time.as_secs_f64() / f64::from(edits);
    let [edit, follow, anew] = [times.edit, times.follow, times.anew].map(each);
    println!(
        "{:10}{found:>7}{:>10}{:>10.1}{edit:>10.3}{follow:>12.3}{anew:>10.3}{:>14.1}{:>16.1}",
        family.name,
        model.problem().init.len(),
        times.changed as f64 / f64::from(edits),
        anew / follow,
        (edit + anew) / (edit + follow),
    );
}

fn timed<T>(into: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = ProcessTime::now();
    let done = work();
    *into += start.elapsed();
    done
}
