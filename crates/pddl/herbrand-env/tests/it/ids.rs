//! Ids over a suite, compared with a slow definition that counts places in the problems' texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::{self, Held, Walk};
use herbrand_core::Described;
use herbrand_env::{
    ActionMode, AgentActionId, Autoreset, Bits, BufferContents, EngineKind, Engines, Env, EnvError,
    EnvOptions, EpisodeHorizon, Ids, InstanceLearningGraph, InvalidAction, LiftedSuite, ObservedAtoms,
    ObservedId, OneHotByObject, PlanningEnv, ProblemChoice, ProblemFile, Registry, RolloutOptions,
    RolloutPolicy, Source, Split, Streams, Suite, SuiteFiles, System, VecOptions, rollout_recorded,
};
use proptest::prelude::*;

/// Suites with constants, several types, declared actions, action predicates, derived predicates, and probabilistic effects.
const BUNDLED: [&str; 8] = [
    "blocks",
    "sokoban",
    "gripper",
    "baking",
    "elevator-adl",
    "blocks-derived",
    "exploding-blocks",
    "search-and-rescue-2",
];

pub(crate) fn bundled(name: &str) -> Suite {
    Registry::get(name).expect("a bundled domain")
}

pub(crate) fn by_suite(suite: &Suite) -> Suite {
    suite.with_ids(Ids::Suite).expect("few enough to number")
}

/// Maps the name of each object to its declared types and the number of such objects declared before it. Constants have no
/// types here.
fn places(suite: &Suite, problem: usize) -> BTreeMap<String, (Vec<String>, usize)> {
    let parsed = suite.parse_problem(problem).expect("a sound problem");
    let constants = suite.domain().constants.len();
    let mut counts = BTreeMap::<Vec<String>, usize>::new();
    let objects = parsed.objects.iter().enumerate().map(|(index, object)| {
        let types = object.types.types().iter();
        let types: BTreeSet<_> = types
            .map(|id| suite.domain().types[id.index()].name.to_string())
            .collect();
        let class = if index < constants {
            Vec::new()
        } else {
            types.into_iter().collect()
        };
        let count = counts.entry(class.clone()).or_default();
        *count += 1;
        (object.name.to_string(), (class, *count - 1))
    });
    objects.collect()
}

/// Replaces the objects of a term by places.
fn placed(term: &str, places: &BTreeMap<String, (Vec<String>, usize)>) -> Option<Vec<String>> {
    let mut words = term.trim_matches(['(', ')']).split(' ');
    let head = words.next().map(str::to_owned);
    let arguments = words.map(|word| places.get(word).map(|place| format!("{place:?}")));
    head.into_iter().map(Some).chain(arguments).collect()
}

/// Checks that each id has the same head and places in every problem that has it, and that all actions and atoms of each
/// problem have ids.
fn check_numbers(suite: &Suite) {
    let by_suite = by_suite(suite);
    let (mut actions, mut atoms) = (BTreeMap::new(), BTreeMap::new());
    for problem in 0..suite.len() {
        let places = places(suite, problem);
        let instance = by_suite.instance(problem).expect("a sound problem");
        let own = suite.instance(problem).expect("a sound problem");
        let ids = by_suite.ids().expect("ids of the suite");
        assert_eq!(instance.space().len(), ids.action_count());
        let mut found = BTreeSet::new();
        for number in 0..ids.action_count() as u32 {
            let id = AgentActionId::new(number);
            let name = instance.space().display(id).to_string();
            let Some(term) = placed(&name, &places) else {
                assert!(instance.space().get(id).is_none() && name.contains('#'), "{name}");
                continue;
            };
            assert_eq!(instance.space().parse(&name), Ok(id));
            assert_eq!(
                actions.entry(number).or_insert_with(|| term.clone()),
                &term,
                "{name}"
            );
            found.insert(name);
        }
        for number in 0..own.space().len() as u32 {
            let name = own.space().display(AgentActionId::new(number)).to_string();
            assert!(found.contains(&name), "{name} has a number");
        }
        for part in [ObservedAtoms::All, ObservedAtoms::Changing] {
            assert_eq!(instance.atoms().len(part), ids.atom_count(part));
        }
        for number in 0..own.atoms().len(ObservedAtoms::All) as u32 {
            let name = own.atoms().display(ObservedId::new(number)).to_string();
            let id = instance.atoms().parse(&name).expect("every atom has a number");
            assert_eq!(instance.atoms().display(id).to_string(), name);
            let changes = number < own.atoms().len(ObservedAtoms::Changing) as u32;
            assert_eq!(
                id.index() < ids.atom_count(ObservedAtoms::Changing),
                changes,
                "{name}"
            );
            let term = placed(&name, &places).expect("objects of the problem");
            assert_eq!(
                atoms.entry(id.number()).or_insert_with(|| term.clone()),
                &term,
                "{name}"
            );
        }
    }
    let distinct = |terms: &BTreeMap<u32, Vec<String>>| terms.values().collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(&actions), actions.len());
    assert_eq!(distinct(&atoms), atoms.len());
    let ids = by_suite.ids().expect("ids of the suite");
    let action_text = |number| ids.action_text(AgentActionId::new(number));
    check_texts(&actions, ids.action_count(), action_text);
    let atom_text = |number| ids.atom_text(ObservedId::new(number));
    check_texts(&atoms, ids.atom_count(ObservedAtoms::All), atom_text);
}

/// Checks that there are as many texts over places as ids, and that each names the head that the id has in the problems.
fn check_texts(terms: &BTreeMap<u32, Vec<String>>, count: usize, text: impl Fn(u32) -> Option<String>) {
    let numbers = 0..count as u32;
    let texts: BTreeSet<_> = numbers.filter_map(&text).collect();
    assert_eq!(texts.len(), count);
    assert_eq!(text(count as u32), None);
    for (&number, term) in terms {
        let text = text(number).expect("a text for each number");
        let mut words = text.trim_matches(['(', ')']).split(' ');
        assert_eq!(
            (words.next(), words.count()),
            (Some(&*term[0]), term.len() - 1),
            "{text}"
        );
    }
}

/// Returns the names of the set bits.
pub(crate) fn ones<T>(row: &[u8], name: impl Fn(u32) -> T) -> Vec<T> {
    let set = (0..).zip(row).filter(|(_, bit)| **bit == 1);
    set.map(|(number, _)| name(number)).collect()
}

/// Returns the observation of an environment by names: the true atoms, the goal atoms, and the valid actions.
fn seen(env: &Env<Bits>) -> [BTreeSet<String>; 3] {
    let sizes = env.problems().sizes(ObservedAtoms::All).expect("sound problems");
    let mut row = vec![7; 2 * sizes.atoms];
    env.write_observation(&mut row).expect("reset before");
    let mut mask = vec![7; sizes.actions];
    env.write_mask(&mut mask).expect("reset before");
    let instance = env.instance().expect("reset before");
    let atom = |number| instance.atoms().display(ObservedId::new(number)).to_string();
    let action = |number| instance.space().display(AgentActionId::new(number)).to_string();
    let (state, goal) = row.split_at(sizes.atoms);
    let sets = [ones(state, atom), ones(goal, atom), ones(&mask, action)];
    sets.map(|names| names.into_iter().collect())
}

pub(crate) fn observed(suite: &Suite) -> Env<Bits> {
    let bits = Bits::with_goal(ObservedAtoms::All, suite).expect("sound problems");
    let options = EnvOptions {
        horizon: EpisodeHorizon::Steps(12),
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    Env::observed(suite.clone(), bits, options).expect("problems")
}

/// Checks that walks are equal by names, independent of the ids.
fn check_walks(suite: &Suite, episodes: u64) {
    let mut envs = [observed(suite), observed(&by_suite(suite))];
    for episode in 0..episodes {
        let resets = envs
            .each_mut()
            .map(|env| env.reset(Some(episode)).expect("a sound problem"));
        assert_eq!(resets[0], resets[1]);
        loop {
            let [own, placed] = envs.each_ref().map(seen);
            assert_eq!(own, placed, "{}", suite.name());
            let names = envs.each_mut().map(|env| {
                let action = env.sample_action().expect("reset before")?;
                let instance = env.instance().expect("reset before");
                Some((action, instance.space().display(action).to_string()))
            });
            let [Some(own), Some(placed)] = names else {
                assert_eq!(names, [None, None]);
                break;
            };
            assert_eq!(own.1, placed.1, "{}", suite.name());
            let [left, right] = &mut envs;
            let step = left.step(own.0).expect("valid");
            assert_eq!(right.step(placed.0).expect("valid"), step);
            let operators = envs
                .each_ref()
                .map(|env| env.system().expect("reset before").last_operator().copied());
            assert_eq!(operators[0], operators[1]);
            if step.ended() {
                break;
            }
        }
    }
}

/// Checks that the lifted engine has the same ids, masks and draws as the grounded one.
fn check_lifted(suite: &Suite) {
    let suite = by_suite(suite);
    for problem in 0..suite.len().min(4) {
        let mut grounded = suite.engine(problem).expect("a sound problem");
        let mut lifted = suite.lifted_engine(problem).expect("a sound problem");
        assert_eq!(grounded.actions(), lifted.actions());
        let [mut first, mut second] = [Streams::new(3), Streams::new(3)];
        grounded.reset(&mut first.outcomes).expect("an initial state");
        lifted.reset(&mut second.outcomes).expect("an initial state");
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for _ in 0..12 {
            grounded.choices(&mut left);
            lifted.choices(&mut right);
            assert_eq!(left, right, "{}", suite.name());
            let masks = [true, false].map(|of_grounded| {
                let mut mask = vec![3; grounded.actions().mask_len() + 2];
                if of_grounded {
                    grounded.write_mask(&mut mask)
                } else {
                    lifted.write_mask(&mut mask)
                }
                mask
            });
            assert_eq!(masks[0], masks[1]);
            let texts: Vec<_> = left.iter().map(|&choice| grounded.choice_text(choice)).collect();
            assert_eq!(
                texts,
                right
                    .iter()
                    .map(|&choice| lifted.choice_text(choice))
                    .collect::<Vec<_>>()
            );
            let drawn = grounded.sample(&mut first.actions, &mut left);
            assert_eq!(drawn, lifted.sample(&mut second.actions, &mut right));
            assert_eq!(left, right);
            if !drawn {
                break;
            }
            let step = grounded.step(&left, &mut first.outcomes).expect("valid");
            assert_eq!(lifted.step(&right, &mut second.outcomes).expect("valid"), step);
        }
    }
}

#[test]
fn a_number_means_the_same_in_every_problem() {
    for name in BUNDLED {
        check_numbers(&bundled(name));
    }
}

#[test]
fn walks_are_those_with_ids_of_the_problem() {
    for name in BUNDLED {
        check_walks(&bundled(name), 4);
    }
}

#[test]
fn the_lifted_engine_has_the_same_numbers() {
    for name in ["blocks", "sokoban", "elevator-adl", "exploding-blocks"] {
        check_lifted(&bundled(name));
    }
}

/// A suite of vans and carts, with objects declared in any order, constants, and an action with several operators.
fn couriers(problems: &[(Vec<u8>, u64)], ambiguity: &str) -> Suite {
    let domain = "(define (domain couriers)
        (:types van cart - vehicle vehicle site parcel)
        (:constants hub - site depot-van - van)
        (:predicates (at ?v - vehicle ?s - site) (waits ?p - parcel ?s - site) (holds ?v - vehicle ?p - parcel)
                     (road ?a ?b - site) (busy) (full ?v - vehicle))
        (:derived (full ?v - vehicle) (exists (?p - parcel) (holds ?v ?p)))
        (:action drive :parameters (?v - vehicle ?a ?b - site)
          :precondition (and (at ?v ?a) (road ?a ?b)) :effect (and (not (at ?v ?a)) (at ?v ?b) (busy)))
        (:action load :parameters (?p - parcel ?v - van ?s - site)
          :precondition (and (waits ?p ?s) (at ?v ?s)) :effect (and (holds ?v ?p) (not (waits ?p ?s))))
        (:action heave :parameters (?p - parcel ?c - cart ?s - site)
          :precondition (and (waits ?p ?s) (at ?c ?s)) :effect (and (holds ?c ?p) (not (waits ?p ?s)) (not (busy))))
        (:action rest :parameters (?s - site) :precondition (and (busy) (at depot-van ?s)) :effect (not (busy))))";
    let config = format!(
        "ambiguity = \"{ambiguity}\"\n[actions.pick]\nparameters = [\"parcel\"]\n\
         operators = {{ load = [\"?p\"], heave = [\"?p\"] }}\n"
    );
    let files = problems
        .iter()
        .enumerate()
        .map(|(index, (order, seed))| ProblemFile {
            split: Some(if index % 2 == 0 { Split::Train } else { Split::Test }),
            name: index.to_string(),
            source: Source::new(&format!("{index}.pddl"), &couriers_problem(order, *seed)),
        });
    let files = SuiteFiles {
        name: "couriers".to_owned(),
        domain: Source::new("domain.pddl", domain),
        config: Some(Source::new("env.toml", &config)),
        problems: files.collect(),
    };
    Suite::new(files, ActionMode::Declared).expect("a sound domain")
}

/// A problem with objects of these kinds in this order, at sites that depend on the seed.
fn couriers_problem(order: &[u8], mut seed: u64) -> String {
    let kinds = ["van", "cart", "site", "parcel"];
    let objects = order
        .iter()
        .enumerate()
        .map(|(index, kind)| (format!("o{index}"), kinds[*kind as usize % 4]));
    let objects: Vec<_> = objects.collect();
    let of = |kind: &str| -> Vec<String> {
        let named = objects.iter().filter(|(_, other)| *other == kind);
        named.map(|(name, _)| name.clone()).collect()
    };
    let sites: Vec<_> = std::iter::once("hub".to_owned()).chain(of("site")).collect();
    let mut site = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        sites[(seed >> 33) as usize % sites.len()].clone()
    };
    let mut init = vec!["(at depot-van hub)".to_owned()];
    let vehicles = of("van").into_iter().chain(of("cart"));
    init.extend(vehicles.map(|vehicle| format!("(at {vehicle} {})", site())));
    let parcels = of("parcel");
    init.extend(
        parcels
            .iter()
            .map(|parcel| format!("(waits {parcel} {})", site())),
    );
    init.extend(sites.windows(2).flat_map(|pair| {
        [
            format!("(road {} {})", pair[0], pair[1]),
            format!("(road {} {})", pair[1], pair[0]),
        ]
    }));
    let goal: Vec<_> = parcels
        .iter()
        .map(|parcel| format!("(holds depot-van {parcel})"))
        .collect();
    let declared: Vec<_> = objects
        .iter()
        .map(|(name, kind)| format!("{name} - {kind}"))
        .collect();
    format!(
        "(define (problem p) (:domain couriers) (:objects {}) (:init {}) (:goal (and (busy) {})))",
        declared.join(" "),
        init.join(" "),
        goal.join(" ")
    )
}

/// Problems of couriers: the kinds of objects in order, and seeds.
fn problems() -> impl Strategy<Value = Vec<(Vec<u8>, u64)>> {
    prop::collection::vec((prop::collection::vec(0..4_u8, 0..9), any::<u64>()), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// An ambiguous action is drawn among the actions, in the order of the problem's own objects, and then one of its
    /// operators is drawn. Neither draw may depend on the kind of ids.
    #[test]
    fn ids_do_not_change_what_happens(problems in problems(), ambiguity in prop::sample::select(vec!["error", "first", "uniform"])) {
        let suite = couriers(&problems, ambiguity);
        check_numbers(&suite);
        check_walks(&suite, 6);
        check_lifted(&suite);
    }

    /// The operators as actions, with all of their parameters.
    #[test]
    fn operators_are_numbered_as_well(problems in problems()) {
        let declared = couriers(&problems, "error");
        let files = problems.iter().enumerate().map(|(index, _)| declared.parse_problem(index).expect("a sound problem"));
        let suite = Suite::from_problems(declared.domain().clone(), files, ActionMode::Operators).expect("a suite");
        check_numbers(&suite);
        check_walks(&suite, 4);
        check_lifted(&suite);
    }
}

#[test]
fn parts_of_a_suite_keep_its_numbers() {
    let suite = by_suite(&couriers(
        &[(vec![0, 2, 3], 1), (vec![3, 3, 3, 2, 2, 1], 2)],
        "first",
    ));
    let test = suite.split(Split::Test);
    for part in [
        suite.only(1).expect("a problem"),
        test,
        suite.problem("test/1").expect("a problem"),
    ] {
        let [whole, part] = [(&suite, 1), (&part, 0)].map(|(suite, index)| {
            let instance = suite.instance(index).expect("a sound problem").clone();
            (0..instance.space().len() as u32)
                .map(move |id| instance.space().display(AgentActionId::new(id)).to_string())
                .collect::<Vec<_>>()
        });
        assert_eq!(whole, part);
    }
    let own = suite.with_ids(Ids::Problem).expect("sound problems");
    assert!(
        own.ids().is_none()
            && own.instance(0).expect("a sound problem").space().len()
                < suite.sizes(ObservedAtoms::All).expect("sound problems").actions
    );
}

#[test]
fn what_a_problem_lacks_is_not_valid_and_says_so() {
    let suite = by_suite(&couriers(
        &[(vec![2, 3], 1), (vec![3, 3, 3, 2, 2, 1], 2)],
        "first",
    ));
    let larger = suite.instance(1).expect("a sound problem");
    let id = larger.space().parse("(pick o2)").expect("the third parcel");
    for engine in [EngineKind::Grounded, EngineKind::Lifted] {
        let error = match suite.on(engine).expect("sound problems") {
            Engines::Grounded(suite) => refusal(suite, id),
            Engines::Lifted(suite) => refusal(suite, id),
        };
        assert_eq!(
            error,
            "(pick parcel#3) does not exist in this problem, only in other problems of the suite"
        );
        let why = match suite.on(engine).expect("sound problems") {
            Engines::Grounded(suite) => explained(&suite, id),
            Engines::Lifted(suite) => explained(&suite, id),
        };
        assert_eq!(
            (why.action.as_str(), why.valid, why.text),
            ("(pick parcel#3)", false, error)
        );
    }
    let mut env = observed(&suite);
    env.reset_to(Some(0), ProblemChoice::Index(0))
        .expect("a sound problem");
    assert!(!env.step(id).expect("ignored").applied);
    assert!(env.explain(id).is_err());
}

/// Explains an action in the first problem.
fn explained<P>(problems: &P, id: AgentActionId) -> herbrand_core::ActionValidity
where
    P: herbrand_core::Problems<System: herbrand_core::Described, Error = EnvError>,
{
    let system = problems.system(0).expect("a sound problem");
    herbrand_core::Described::explain_action(&system, &[id.into()])
}

fn refusal<P>(problems: P, id: AgentActionId) -> String
where
    P: herbrand_core::Problems<Error = EnvError>,
{
    let mut env = herbrand_core::Env::new(problems, EnvOptions::default()).expect("problems");
    env.reset_to(Some(0), ProblemChoice::Index(0))
        .expect("a sound problem");
    env.step(id).expect_err("no such parcel").to_string()
}

#[test]
fn too_many_are_refused_by_name() {
    let many = vec![2; 200];
    let declared = couriers(&[(many, 1)], "first");
    let domain = "(define (domain wide) (:predicates (p ?a ?b ?c) (q ?a)) (:action a :parameters (?x) :effect (q ?x)))";
    let objects: Vec<_> = (0..260).map(|number| format!("o{number}")).collect();
    let problem = format!(
        "(define (problem w) (:domain wide) (:objects {}) (:init))",
        objects.join(" ")
    );
    let files = SuiteFiles {
        name: "wide".to_owned(),
        domain: Source::new("domain.pddl", domain),
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: "w".to_owned(),
            source: Source::new("w.pddl", &problem),
        }],
    };
    let wide = Suite::new(files, ActionMode::Declared).expect("a sound domain");
    let refused = wide
        .with_ids(Ids::Suite)
        .expect_err("17 million atoms")
        .to_string();
    assert_eq!(
        refused,
        "ids over the whole suite: with predicate `p` there are more than 16777216 observed atoms; number each problem \
         separately, or leave out the largest problems"
    );
    // Sites for 201 vehicles: few vehicles keep the number of actions low.
    assert!(declared.with_ids(Ids::Suite).is_ok());
    let vans = couriers(&[([vec![0; 40], vec![2; 200]].concat(), 1)], "first");
    let refused = vans
        .with_ids(Ids::Suite)
        .expect_err("1.6 million actions")
        .to_string();
    assert!(
        refused.contains("with action `drive` there are more than 1048576 actions"),
        "{refused}"
    );
}

/// Twelve environments with short episodes, so that each environment soon switches to another problem.
fn short_episodes(rows: &'static [BufferContents], threads: usize) -> (VecOptions, Walk) {
    let options = VecOptions {
        env: EnvOptions {
            horizon: EpisodeHorizon::Steps(3),
            ..EnvOptions::default()
        },
        autoreset: Autoreset::SameStep,
        threads,
        ..VecOptions::default()
    };
    let walk = Walk {
        count: 12,
        steps: 30,
        seed: 5,
        rows,
    };
    (options, walk)
}

/// Returns all rows of some steps of a batch over problems of different sizes.
fn run(suite: &Suite, rows: &'static [BufferContents], threads: usize) -> Vec<Held<u8>> {
    let (options, walk) = short_episodes(rows, threads);
    let bits = Bits::with_goal(ObservedAtoms::All, suite).expect("sound problems");
    batch::walk(suite, &bits, options, walk, |envs, held| {
        let width = envs.widths().observation;
        for (index, row) in held.observations.chunks(width).enumerate() {
            let env = envs.env(index).expect("an environment");
            let instance = env.instance().expect("reset before");
            let (state, _) = row.split_at(row.len() / 2);
            let names = ones(state, |number| {
                instance.atoms().display(ObservedId::new(number)).to_string()
            });
            let walker = env.system().expect("reset before").walker();
            let held = instance
                .atoms()
                .observe(walker, ObservedAtoms::All)
                .map(|id| instance.atoms().display(id).to_string());
            assert_eq!(names, held.collect::<Vec<_>>());
        }
    })
}

#[test]
fn batches_over_mixed_problems_have_the_numbers_of_the_suite() {
    for suite in [
        bundled("blocks"),
        bundled("sokoban"),
        couriers(&[(vec![0, 1, 2, 3], 4), (vec![3, 1, 0, 2, 2], 7)], "uniform"),
    ] {
        let suite = by_suite(&suite);
        let expected = run(&suite, batch::FRESH, 1);
        assert_eq!(run(&suite, batch::KEPT, 1), expected);
        assert_eq!(run(&suite, batch::KEPT, 2), expected);
        assert_eq!(run(&suite, batch::IN_TURN, 1), expected);
    }
}

#[test]
fn rows_of_several_steps_are_the_same_whatever_they_held() {
    for suite in [
        bundled("blocks"),
        bundled("sokoban"),
        by_suite(&bundled("gripper")),
    ] {
        let bits = Bits::with_goal(ObservedAtoms::All, &suite).expect("sound problems");
        let collect = |rows, threads, steps| {
            let (options, walk) = short_episodes(rows, threads);
            batch::collect(&suite, &bits, options, walk, steps)
        };
        for steps in [1, 2, 7] {
            let expected = collect(batch::FRESH, 1, steps);
            assert_eq!(collect(batch::KEPT, 1, steps), expected);
            assert_eq!(collect(batch::KEPT, 2, steps), expected);
            assert_eq!(collect(batch::NOW_AND_THEN, 1, steps), expected);
        }
    }
}

#[test]
fn snapshots_and_traces_do_not_depend_on_what_ids_mean() {
    let own = couriers(&[(vec![0, 1, 2, 3, 3], 4), (vec![3, 1, 0, 2, 2], 7)], "uniform");
    let suite = by_suite(&own);
    for engine in [EngineKind::Grounded, EngineKind::Lifted] {
        let traces = [&own, &suite].map(|suite| {
            let (mut trace, only) = (Vec::new(), suite.only(1).expect("a problem"));
            let options = RolloutOptions {
                episodes: 2,
                steps: 25,
                through_goals: true,
                ..RolloutOptions::default()
            };
            let names = ("domain.pddl", "1.pddl");
            rollout_recorded(&RolloutPolicy::Random, &only, engine, &options, names, &mut trace)
                .expect("a trace");
            String::from_utf8(trace).expect("text")
        });
        assert_eq!(traces[0], traces[1]);
    }
    let mut env = observed(&suite);
    env.reset(Some(3)).expect("a sound problem");
    let bytes = env.save().expect("reset before").pack::<Suite>();
    let course = |env: &mut Env<Bits>| {
        let steps = (0..8).map_while(|_| {
            env.sample_action()
                .expect("reset before")
                .map(|action| (action, env.step(action).ok()))
        });
        steps.collect::<Vec<_>>()
    };
    let expected = course(&mut env);
    let mut other = observed(&suite);
    other
        .restore(&other.unpack(&bytes).expect("a snapshot"))
        .expect("a state");
    assert_eq!(course(&mut other), expected);
}

#[test]
fn rows_of_a_matrix_are_places() {
    let suite = by_suite(&couriers(
        &[(vec![3, 2, 0], 4), (vec![0, 3, 1, 2, 2], 7)],
        "first",
    ));
    let matrix = OneHotByObject::of(&suite);
    let mut env = Env::observed(suite.clone(), matrix, EnvOptions::default()).expect("problems");
    let ids = suite.ids().expect("ids of the suite");
    let columns = suite.domain().predicates.len();
    // Hub and depot van, one van, one cart, two sites, one parcel.
    assert_eq!(ids.place_count(), 7);
    for problem in 0..2 {
        env.reset_to(Some(0), ProblemChoice::Index(problem))
            .expect("a sound problem");
        let mut row = vec![9; ids.place_count() * columns];
        env.write_observation(&mut row).expect("reset before");
        let column = |name: &str| {
            suite
                .domain()
                .predicates
                .iter()
                .position(|one| one.name.as_str() == name)
                .expect("a predicate")
        };
        let of = |name: &str| -> Vec<_> {
            (0..7)
                .filter(|place| row[place * columns + column(name)] == 1)
                .collect()
        };
        // Types are in order of declaration: van, cart, vehicle, site, parcel.
        assert_eq!(of("waits").last(), Some(&6));
        let carts = of("at").contains(&3);
        assert_eq!(carts, problem == 1);
        assert_eq!(of("busy"), Vec::<usize>::new());
    }
}

/// Returns the edges of a graph by names: the label of the atom, the position, and the object.
fn edges(suite: &Suite, in_order: impl Fn(usize) -> String) -> (Vec<u32>, BTreeSet<(u32, u32, String)>) {
    let instance = suite.instance(1).expect("a sound problem");
    let mut graph = InstanceLearningGraph::default();
    instance
        .atoms()
        .graph(&instance.simulator().walker(), ObservedAtoms::All, &mut graph);
    let edges = graph.sources.iter().zip(&graph.targets).zip(&graph.positions);
    let edges = edges.map(|((&atom, &object), &position)| {
        (graph.labels[atom as usize], position, in_order(object as usize))
    });
    let edges = edges.collect();
    (graph.labels, edges)
}

#[test]
fn nodes_of_a_graph_are_in_the_order_of_places() {
    let own = couriers(&[(vec![0], 4), (vec![3, 1, 0, 2, 2, 0], 7)], "first");
    let objects = own.parse_problem(1).expect("a sound problem").objects;
    let mut placed: Vec<_> = objects.iter().collect();
    // Constants stay in front; types are in order of declaration.
    placed[2..].sort_by_key(|object| object.types.types()[0]);
    let (mut labels, expected) = edges(&own, |node| objects[node].name.to_string());
    let (found, edges) = edges(&by_suite(&own), |node| placed[node].name.to_string());
    assert_eq!(edges, expected);
    assert_ne!(labels, found);
    labels[2..objects.len()].sort_unstable();
    labels[objects.len()..].sort_unstable();
    let mut sorted = found;
    sorted[objects.len()..].sort_unstable();
    assert_eq!(sorted, labels);
}

#[test]
fn lifted_suites_have_masks_of_the_suite() {
    let suite = by_suite(&bundled("blocks"));
    let lifted = LiftedSuite::new(suite.clone());
    let width = suite.sizes(ObservedAtoms::All).expect("sound problems").actions;
    assert_eq!(
        herbrand_core::Problems::mask_len(&lifted).expect("few enough"),
        width
    );
}
