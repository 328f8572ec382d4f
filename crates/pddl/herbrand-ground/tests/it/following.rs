//! An incremental grounding has the same results as grounding from scratch.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use herbrand_ground::{AtomId, Course, Difference, GroundOptions, GroundTask, Grounding, Obstacle, ground};
use herbrand_limits::Limits;
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{Domain, Facts, Object, ObjectId, Place, PredicateId, PredicateKind, Problem, TypeUnion};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;

/// Formats a task independently of the order in which conjunctions and values of existential variables were found.
fn canonical(task: &GroundTask) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let condition = |id| {
        let conjunctions = task.conditions.conjunctions(id);
        let texts = conjunctions.map(|place| {
            let conjunction = task.conditions.get(place);
            let literals = conjunction
                .literals
                .iter()
                .map(|&literal| task.display_literal(literal).to_string());
            let mut texts: Vec<_> = literals.collect();
            texts.sort();
            format!("{texts:?} {:?}", conjunction.comparisons)
        });
        texts.collect::<BTreeSet<_>>()
    };
    for id in task.actions.ids() {
        let action = task.actions.get(id);
        lines.insert(format!(
            "{} {:?}",
            task.display_action(id),
            condition(action.precondition)
        ));
    }
    for atom in (0..task.atoms.len()).map(AtomId::from_index) {
        lines.insert(format!("atom {}", task.display_atom(atom)));
    }
    for axiom in &task.axioms {
        let conjunction = task.conditions.get(axiom.body);
        let mut texts: Vec<_> = conjunction
            .literals
            .iter()
            .map(|&one| task.display_literal(one).to_string())
            .collect();
        texts.sort();
        lines.insert(format!("{} <- {texts:?}", task.display_atom(axiom.head)));
    }
    lines.insert(format!("goal {:?}", condition(task.goal)));
    lines
}

/// A random edit.
#[derive(Clone, Debug)]
enum Change {
    /// Adds a fact if it is missing, otherwise removes it.
    Toggle(Index, Vec<Index>),
    /// Removes a fact of the problem.
    Drop(Index),
    /// Adds an object with the type of another one.
    Add(Index),
    /// Renames an object.
    Rename(Index),
    /// Deletes an object and its facts if nothing else refers to it.
    Delete(Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = prop_oneof![
        4 => (any::<Index>(), proptest::collection::vec(any::<Index>(), 4)).prop_map(|(of, with)| Change::Toggle(of, with)),
        3 => any::<Index>().prop_map(Change::Drop),
        1 => any::<Index>().prop_map(Change::Add),
        1 => any::<Index>().prop_map(Change::Rename),
        1 => any::<Index>().prop_map(Change::Delete),
    ];
    proptest::collection::vec(one, 1..6)
}

/// Returns the edited problem; `None` if the edit is impossible.
fn changed(domain: &Domain, problem: &Problem, change: &Change, number: usize) -> Option<Problem> {
    let mut edited = problem.clone();
    let own = problem.constants as usize..problem.objects.len();
    match change {
        Change::Toggle(of, with) => {
            let fits = |kind| matches!(kind, PredicateKind::Static | PredicateKind::Fluent);
            let predicates: Vec<_> = (0..domain.predicates.len())
                .filter(|&one| fits(domain.predicates[one].kind))
                .collect();
            let &predicate = (!predicates.is_empty()).then(|| of.get(&predicates))?;
            let choose = |(parameter, index): (&herbrand_pddl::Variable, &Index)| {
                let objects = (0..problem.objects.len()).map(ObjectId::from_index);
                let fitting: Vec<_> = objects
                    .filter(|&id| domain.is_assignable(&problem.object(id).types, &parameter.types))
                    .collect();
                (!fitting.is_empty()).then(|| *index.get(&fitting))
            };
            let arguments = domain.predicates[predicate]
                .parameters
                .iter()
                .zip(with)
                .map(choose);
            let arguments = arguments.collect::<Option<Vec<_>>>()?;
            (arguments.len() == domain.predicates[predicate].parameters.len()).then_some(())?;
            toggle(&mut edited.init, PredicateId::from_index(predicate), &arguments);
        }
        Change::Drop(which) => {
            let count = problem.init.len();
            let fact = (count > 0).then(|| problem.init.get(which.index(count)))??;
            toggle(&mut edited.init, fact.predicate, fact.arguments);
        }
        Change::Add(like) => {
            let types = match problem.objects.as_slice() {
                [] => TypeUnion::either(Vec::new()),
                objects => like.get(objects).types.clone(),
            };
            let name = herbrand_pddl::Name::new(&format!("new-{number}"));
            edited.objects.push(Object {
                name,
                types,
                place: Place::NOWHERE,
            });
        }
        Change::Rename(which) => {
            let index = own.start + (!own.is_empty()).then(|| which.index(own.len()))?;
            edited.objects[index].name = herbrand_pddl::Name::new(&format!("renamed-{number}"));
        }
        Change::Delete(which) => {
            let index = own.start + (!own.is_empty()).then(|| which.index(own.len()))?;
            let mut init = Facts::default();
            for fact in problem
                .init
                .iter()
                .filter(|fact| fact.arguments.iter().all(|id| id.index() != index))
            {
                let moved =
                    |id: &ObjectId| ObjectId::from_index(id.index() - usize::from(id.index() > index));
                init.push(
                    fact.predicate,
                    &fact.arguments.iter().map(moved).collect::<Vec<_>>(),
                );
            }
            // The PDDL text shows whether anything else refers to the object; the other objects keep their names.
            let name = problem.objects[index].name.to_string();
            let rest = Problem {
                init: Facts::default(),
                ..problem.clone()
            }
            .to_pddl(domain);
            if rest
                .split(|c: char| c.is_whitespace() || "()".contains(c))
                .filter(|word| *word == name)
                .count()
                > 1
            {
                return None;
            }
            let declared = rest.replacen(&format!(" {name}"), " ", 1);
            let mut read = Problem::from_text(&declared, domain).ok()?;
            read.init = init;
            edited = read;
        }
    }
    Some(edited)
}

fn toggle(facts: &mut Facts, predicate: PredicateId, arguments: &[ObjectId]) {
    let mut toggled = Facts::default();
    let mut found = false;
    for fact in facts.iter() {
        if fact.predicate == predicate && fact.arguments == arguments {
            found = true;
        } else {
            toggled.push(fact.predicate, fact.arguments);
        }
    }
    if !found {
        toggled.push(predicate, arguments);
    }
    *facts = toggled;
}

/// Applies the edits one by one and compares the results each time. Returns how many edits were followed.
fn follow(domain: &Arc<Domain>, problem: &Arc<Problem>, changes: &[Change]) -> Result<usize, TestCaseError> {
    let mut kept = match Grounding::new(domain, problem, Limits::default()) {
        Ok(kept) => kept,
        Err(error) => {
            prop_assert_eq!(
                ground(domain, problem, &GroundOptions::default()).err(),
                Some(error)
            );
            return Ok(0);
        }
    };
    let mut problem = Arc::clone(problem);
    let mut followed = 0;
    for (number, change) in changes.iter().enumerate() {
        let Some(edited) = changed(domain, &problem, change, number) else {
            continue;
        };
        let edited = Arc::new(edited);
        let [atoms, actions] =
            [kept.atoms(), kept.actions()].map(|list| list.into_iter().collect::<BTreeSet<_>>());
        let update = kept.update(domain, &edited).expect("no limit");
        let (course, came_and_went) = (update.course, [update.atoms(), update.actions()]);
        followed += usize::from(course == Course::Followed);
        let anew = Grounding::new(domain, &edited, Limits::default()).expect("no limit");
        prop_assert_eq!(kept.atoms(), anew.atoms());
        prop_assert_eq!(kept.actions(), anew.actions());
        let task = kept.task().expect("no limit");
        let expected = ground(domain, &edited, &GroundOptions::default()).expect("no limit");
        if task != expected {
            let texts = [domain.to_pddl(), problem.to_pddl(domain), edited.to_pddl(domain)].join("\n");
            prop_assert_eq!(canonical(&task), canonical(&expected), "{}", texts);
        }
        // The reported changes are the actual difference. Renaming is no change.
        if !matches!(change, Change::Rename(_)) {
            for (before, after, told) in [
                (&atoms, kept.atoms(), &came_and_went[0]),
                (&actions, kept.actions(), &came_and_went[1]),
            ] {
                let after: BTreeSet<_> = after.into_iter().collect();
                prop_assert_eq!(
                    told.added.iter().collect::<BTreeSet<_>>(),
                    after.difference(before).collect()
                );
                prop_assert_eq!(
                    told.removed.iter().collect::<BTreeSet<_>>(),
                    before.difference(&after).collect()
                );
            }
        } else if course == Course::Followed {
            prop_assert!(came_and_went.iter().all(Difference::is_empty));
        }
        problem = edited;
    }
    Ok(followed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_tasks_are_followed((task, changes) in (tasks(&Shape::default()), changes())) {
        let (domain, problem) = task;
        follow(&Arc::new(domain), &Arc::new(problem), &changes)?;
    }
}

/// Applies random edits to the smallest problem of every bundled domain.
#[test]
fn bundled_domains_are_followed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../domains");
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut followed, mut domains) = (0, 0);
    let mut folders: Vec<_> = std::fs::read_dir(root)
        .expect("domains")
        .map(|entry| entry.expect("a folder").path())
        .collect();
    folders.sort();
    for folder in folders {
        let Ok(domain) = Domain::from_file(folder.join("domain.pddl")) else {
            continue;
        };
        let problems = std::fs::read_dir(folder.join("train")).into_iter().flatten();
        let smallest = problems
            .map(|entry| entry.expect("a file").path())
            .min_by_key(|path| {
                (
                    std::fs::metadata(path).map(|file| file.len()).unwrap_or(u64::MAX),
                    path.clone(),
                )
            });
        let Some(problem) = smallest.and_then(|path| Problem::from_file(path, &domain).ok()) else {
            continue;
        };
        let (domain, problem) = (Arc::new(domain), Arc::new(problem));
        domains += 1;
        for _ in 0..3 {
            let changes = changes().new_tree(&mut runner).expect("changes").current();
            followed += follow(&domain, &problem, &changes)
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
    }
    println!("{followed} edits of {domains} domains were followed");
    assert!(
        domains > 25 && followed > 150,
        "{followed} edits of {domains} domains"
    );
}

fn logistics() -> (Arc<Domain>, impl Fn(&str, &str, &str) -> Arc<Problem>) {
    let domain = Domain::from_text(
        "(define (domain move) (:requirements :adl :derived-predicates) (:types place box) (:constants home - place)
           (:predicates (at ?b - box ?p - place) (road ?a ?b - place) (safe ?p - place))
           (:action carry :parameters (?b - box ?from ?to - place)
             :precondition (and (at ?b ?from) (road ?from ?to)) :effect (and (at ?b ?to) (not (at ?b ?from))))
           (:derived (safe ?p - place) (forall (?q - place) (or (not (road ?p ?q)) (safe ?q)))))",
    );
    let domain = Arc::new(domain.expect("a domain"));
    let of = Arc::clone(&domain);
    let problem = move |objects: &str, init: &str, goal: &str| {
        let text =
            format!("(define (problem p) (:domain move) (:objects {objects}) (:init {init}) (:goal {goal}))");
        Arc::new(Problem::from_text(&text, &of).expect("a problem"))
    };
    (domain, problem)
}

#[test]
fn what_cannot_be_followed_is_said() {
    let (domain, problem) = logistics();
    let start = problem("a - place b - box", "(at b a) (road a home)", "(at b home)");
    let mut kept = Grounding::new(&domain, &start, Limits::default()).expect("no limit");
    let mut course = |problem: &Arc<Problem>| kept.update(&domain, problem).expect("no limit").course;
    let elsewhere = problem("a - place b - box", "(at b home) (road a home)", "(at b a)");
    assert_eq!(course(&elsewhere), Course::Followed);
    // The axiom of `safe` negates `road`.
    let without_road = problem("a - place b - box", "(at b home)", "(at b a)");
    assert_eq!(course(&without_road), Course::FromScratch(Obstacle::Negation));
    assert_eq!(
        course(&problem("a - place b c - box", "(at b home)", "(at b a)")),
        Course::Followed
    );
    // The axiom of `safe` refers to every place.
    let more = problem("a d - place b c - box", "(at b home)", "(at b a)");
    assert_eq!(course(&more), Course::FromScratch(Obstacle::Rules));
    let goal = problem(
        "a d - place b c - box",
        "(at b home)",
        "(forall (?b - box) (at ?b a))",
    );
    assert_eq!(course(&goal), Course::FromScratch(Obstacle::Rules));
    let many: String = (0..40).map(|number| format!("b{number} ")).collect();
    let many = problem(
        &format!("a d - place {many} - box"),
        "",
        "(forall (?b - box) (at ?b a))",
    );
    assert_eq!(course(&many), Course::FromScratch(Obstacle::Objects));
    let text = domain
        .to_pddl()
        .replace("(road ?from ?to))\n", "(road ?to ?from))\n");
    assert_ne!(text, domain.to_pddl());
    let other = Arc::new(Domain::from_text(&text).expect("a domain"));
    let start = Problem::from_text(&start.to_pddl(&domain), &other).expect("a problem");
    let update = kept.update(&other, &Arc::new(start)).expect("no limit");
    assert_eq!(update.course, Course::FromScratch(Obstacle::Domain));
    assert!(update.actions().is_empty());
}

/// If most stored firings would be useless, the problem is grounded from scratch.
#[test]
fn what_is_mostly_gone_is_grounded_anew() {
    let (domain, problem) = logistics();
    let places: String = (0..80).map(|place| format!("p{place} ")).collect();
    let roads = |count: usize| -> String {
        let pairs = (0..80).flat_map(|from| (0..80).map(move |to| (from, to)));
        pairs
            .take(count)
            .map(|(from, to)| format!("(road p{from} p{to}) "))
            .collect()
    };
    let domain = {
        // Leaves out the axiom that negates `road`.
        let text = domain.to_pddl();
        let rule = text.find("(:derived").expect("a rule");
        let end = text[rule..]
            .find("(:action")
            .map_or(text.len() - 2, |end| rule + end);
        let text = format!("{}{}", &text[..rule], &text[end..]);
        Arc::new(Domain::from_text(&text).expect("a domain"))
    };
    let problem = |init: &str| {
        let text = problem(&format!("{places} - place a b - box"), init, "(at a p0)").to_pddl(&logistics().0);
        Arc::new(Problem::from_text(&text, &domain).expect("a problem"))
    };
    let all = roads(6400);
    let mut kept =
        Grounding::new(&domain, &problem(&format!("(at a p0) {all}")), Limits::default()).expect("no limit");
    let mut check = |init: &str, course: Course| {
        let problem = problem(init);
        let update = kept.update(&domain, &problem).expect("no limit");
        assert_eq!(update.course, course);
        let (atoms, actions) = (update.atoms(), update.actions());
        let anew = Grounding::new(&domain, &problem, Limits::default()).expect("no limit");
        assert_eq!((kept.atoms(), kept.actions()), (anew.atoms(), anew.actions()));
        (atoms.len(), actions.len())
    };
    // All actions are removed with the box, and return without a join.
    assert_eq!(check(&all, Course::Followed), (80, 6400));
    assert_eq!(check(&format!("(at a p1) {all}"), Course::Followed), (80, 6400));
    assert_eq!(check(&all, Course::Followed), (80, 6400));
    // The other box had no position before.
    let other = format!("(at b p0) {all}");
    assert_eq!(
        check(&other, Course::FromScratch(Obstacle::Leftovers)),
        (80, 6400)
    );
    let few = format!("(at b p0) {}", roads(160));
    assert_eq!(check(&few, Course::FromScratch(Obstacle::Much)), (6240, 6240));
    assert_eq!(check(&other, Course::Followed), (6240, 6240));
}

#[test]
fn a_limit_breaks_no_grounding() {
    let domain = Domain::from_text(
        "(define (domain move) (:requirements :typing) (:types place box)
           (:predicates (at ?b - box ?p - place) (road ?a ?b - place))
           (:action carry :parameters (?b - box ?from ?to - place)
             :precondition (and (at ?b ?from) (road ?from ?to)) :effect (and (at ?b ?to) (not (at ?b ?from)))))",
    );
    let domain = Arc::new(domain.expect("a domain"));
    let places: String = (0..300).map(|number| format!("p{number} ")).collect();
    let roads: String = (1..300)
        .map(|number| format!("(road p{} p{number}) ", number - 1))
        .collect();
    let with = |init: &str| {
        let text = format!(
            "(define (problem p) (:domain move) (:objects {places} - place b - box) (:init {init} {roads}) (:goal (at b p299)))"
        );
        Arc::new(Problem::from_text(&text, &domain).expect("a problem"))
    };
    let (still, moving) = (with(""), with("(at b p0)"));
    let mut interrupted = 0;
    for step in 8..80 {
        let limits = Limits {
            bytes: Some(step << 14),
            time: None,
        };
        let Ok(mut kept) = Grounding::new(&domain, &still, limits) else {
            continue;
        };
        let before = kept.atoms();
        if kept.update(&domain, &moving).is_ok() {
            continue;
        }
        assert_eq!((kept.atoms(), kept.problem()), (before.clone(), &still));
        let next = kept.update(&domain, &still).map(|update| update.course);
        interrupted += usize::from(next == Ok(Course::FromScratch(Obstacle::Interrupted)));
        assert_eq!(kept.atoms(), before);
    }
    assert!(interrupted > 0, "no limit is between the two problems");
}
