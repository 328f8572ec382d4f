//! Compares incremental grounding after an edit with grounding the edited problem from scratch.

use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand::edit::{Edit, Ground, Model, Rules};
use herbrand::ground::{Course, GroundOptions, Grounding, ground};
use herbrand::limits::Limits;
use herbrand::pddl::PredicateKind;

use crate::family::{FAMILIES, Family, size};

/// The number of facts that are edited one by one.
const FACTS: usize = 10;

/// The kinds of edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Removes and restores fluent facts one by one.
    Fluent,
    /// Removes and restores static facts one by one.
    Static,
    /// Adds new facts, fluent and static, one by one.
    New,
    /// Removes every second fact at once, and restores all of them.
    Half,
    /// Adds every second fact at once to a problem that never had them.
    NewHalf,
}

/// The total times of all edits, and the slowest edit relative to grounding from scratch.
#[derive(Default)]
struct Times {
    /// Applying the edits to the model.
    edit: Duration,
    /// Incremental grounding.
    follow: Duration,
    /// Listing the names of the added and removed atoms and actions.
    name: Duration,
    /// Writing the ground task.
    write: Duration,
    /// Grounding each edited problem from scratch.
    scratch: Duration,
    /// The number of added and removed atoms and actions.
    changed: usize,
    edits: u32,
    /// The number of edits that were grounded incrementally.
    followed: u32,
    /// The largest ratio of incremental grounding time to time from scratch.
    worst: f64,
}

/// Prints for every family at these sizes the mean CPU time per edit, and the ratio of grounding from scratch to it.
pub fn compare(sizes: &[usize]) {
    println!(
        "CPU time per edit in ms. follow: update; named: with the names of what came and went; task: with the ground task."
    );
    println!("made: Grounding::new as a share of ground. worst: the greatest follow/scratch of one edit.\n");
    println!(
        "{:10} {:>7} {:8}{:>7}{:>9}{:>9}{:>10}{:>9}{:>13}{:>12}{:>11}{:>7}{:>7}",
        "family",
        "size",
        "facts",
        "edits",
        "changed",
        "edit",
        "follow",
        "scratch",
        "scratch/follow",
        "scratch/named",
        "scratch/task",
        "worst",
        "made"
    );
    for &asked in sizes {
        for family in &FAMILIES {
            for kind in [Kind::Fluent, Kind::Static, Kind::New, Kind::Half, Kind::NewHalf] {
                row(family, asked, kind);
            }
        }
    }
}

/// Returns facts to edit, spread evenly over all facts.
fn facts(model: &Model, kind: Kind) -> Vec<Ground> {
    let fits = |place: &usize| {
        let fact = model.problem().init.get(*place).expect("a fact");
        let is_fluent = model.domain().predicate(fact.predicate).kind == PredicateKind::Fluent;
        match kind {
            Kind::Fluent => is_fluent,
            Kind::Static => !is_fluent,
            Kind::New | Kind::Half | Kind::NewHalf => true,
        }
    };
    let places: Vec<usize> = (0..model.problem().init.len()).filter(fits).collect();
    let (step, most) = match kind {
        Kind::Half | Kind::NewHalf => (2, usize::MAX),
        Kind::Fluent | Kind::Static | Kind::New => ((places.len() / FACTS).max(1), FACTS),
    };
    let all = model.facts();
    places
        .into_iter()
        .step_by(step)
        .take(most)
        .map(|place| all[place].clone())
        .collect()
}

fn row(family: &Family, asked: usize, kind: Kind) {
    let model = Model::from_text(family.domain, &family.problem(asked)).expect("a family's problem");
    let facts = facts(&model, kind);
    let add = |facts: &[Ground]| -> Vec<Edit> {
        let add = |fact: &Ground| Edit::AddFact { fact: fact.clone() };
        facts.iter().map(add).collect()
    };
    let take = |facts: &[Ground]| -> Vec<Edit> {
        let take = |fact: &Ground| Edit::DeleteFact { fact: fact.clone() };
        facts.iter().map(take).collect()
    };
    let apply = |model: &Model, edits: &[Edit]| model.apply(edits, &Rules::default()).expect("sound edits");
    let mut now = match kind {
        Kind::New | Kind::NewHalf => apply(&model, &take(&facts)),
        Kind::Fluent | Kind::Static | Kind::Half => model,
    };
    let ones = || facts.iter().map(std::slice::from_ref);
    let batches: Vec<Vec<Edit>> = match kind {
        Kind::New => ones().map(add).collect(),
        Kind::NewHalf => vec![add(&facts)],
        Kind::Half => vec![take(&facts), add(&facts)],
        Kind::Fluent | Kind::Static => ones().flat_map(|fact| [take(fact), add(fact)]).collect(),
    };
    let mut made = Duration::ZERO;
    let mut kept = timed(&mut made, || {
        Grounding::new(now.domain(), now.problem(), Limits::default()).expect("there is no limit")
    });
    let mut first = Duration::ZERO;
    let task = timed(&mut first, || {
        ground(now.domain(), now.problem(), &GroundOptions::default()).expect("there is no limit")
    });
    let found = size(&task);
    drop(task);
    let mut times = Times::default();
    for batch in &batches {
        now = timed(&mut times.edit, || apply(&now, batch));
        times.follow(&mut kept, &now);
    }
    let [task, scratch] = [
        kept.task().expect("there is no limit"),
        ground(now.domain(), now.problem(), &GroundOptions::default()).expect("there is no limit"),
    ];
    assert!(task == scratch, "{} is not followed", family.name);
    let each = |time: Duration| 1e3 * time.as_secs_f64() / f64::from(times.edits);
    let [edit, follow, name, write, scratch] =
        [times.edit, times.follow, times.name, times.write, times.scratch].map(each);
    println!(
        "{:10} {found:>7} {:8}{:>4}/{:<2}{:>9.1}{edit:>9.3}{follow:>10.4}{scratch:>9.3}{:>13.1}{:>12.1}{:>11.1}{:>7.2}{:>7.2}",
        family.name,
        format!("{kind:?}").to_lowercase(),
        times.followed,
        times.edits,
        times.changed as f64 / f64::from(times.edits),
        scratch / follow,
        scratch / (follow + name),
        scratch / (follow + write),
        times.worst,
        made.as_secs_f64() / first.as_secs_f64(),
    );
}

impl Times {
    /// Grounds an edit incrementally, and the edited problem from scratch.
    fn follow(&mut self, kept: &mut Grounding, now: &Model) {
        let mut follow = Duration::ZERO;
        let update = timed(&mut follow, || kept.update(now.domain(), now.problem()));
        let update = update.expect("there is no limit");
        self.followed += u32::from(update.course == Course::Followed);
        let named = timed(&mut self.name, || [update.atoms(), update.actions()]);
        self.changed += named.iter().map(|difference| difference.len()).sum::<usize>();
        drop(timed(&mut self.write, || kept.task()).expect("there is no limit"));
        let mut scratch = Duration::ZERO;
        let task = timed(&mut scratch, || {
            ground(now.domain(), now.problem(), &GroundOptions::default())
        });
        drop(task.expect("there is no limit"));
        self.worst = self.worst.max(follow.as_secs_f64() / scratch.as_secs_f64());
        self.follow += follow;
        self.scratch += scratch;
        self.edits += 1;
    }
}

fn timed<T>(into: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = ProcessTime::now();
    let done = work();
    *into += start.elapsed();
    done
}
