//! Large problems: the greatest sizes can be parsed, and an interpreter without grounding executes long plans.

use std::collections::BTreeMap;

use herbrand_generate::{Generated, Generator};
use herbrand_oracle::{GroundAction, Oracle};
use herbrand_pddl::{Domain, Problem, Requirement, SchemaId, Source};

/// The sizes to try, largest first.
const SIZES: [u32; 7] = [200, 100, 50, 30, 20, 15, 10];

/// The maximal number of state bytes copied while a plan is executed. The interpreter copies the state at each step.
const WORK: usize = 20_000_000;

fn read(generator: &Generator, problem: &Generated) -> (Domain, Problem) {
    let domain = Domain::parse(&generator.files().expect("bundled files").domain).expect("a sound domain");
    let source = Source::new(&problem.name, &problem.problem);
    let read = Problem::parse(&source, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    (domain, read)
}

/// Returns the action that a step of a plan names.
fn action(domain: &Domain, problem: &Problem, step: &str) -> GroundAction {
    let mut words = step.trim_matches(['(', ')']).split(' ');
    let name = words.next().expect("a name");
    let schema = domain
        .schemas
        .iter()
        .position(|schema| schema.name.as_str() == name);
    let object = |word: &str| {
        let named = |object: &herbrand_pddl::Object| object.name.as_str() == word;
        let index = problem
            .objects
            .iter()
            .position(named)
            .unwrap_or_else(|| panic!("{word}"));
        herbrand_pddl::ObjectId::from_index(index)
    };
    GroundAction {
        schema: SchemaId::from_index(schema.unwrap_or_else(|| panic!("{name}"))),
        arguments: words.map(object).collect(),
    }
}

#[test]
fn the_greatest_sizes_can_be_read() {
    for generator in Generator::all() {
        let problem = generator.generate(1, *generator.sizes().end(), 0);
        let problem = problem.unwrap_or_else(|error| panic!("{error}"));
        let (_, read) = read(generator, &problem);
        assert_eq!(read.objects.len() - read.constants as usize, problem.objects);
        assert!(!problem.plan.is_empty(), "{}", problem.name);
    }
}

#[test]
fn long_plans_reach_the_goal_by_the_word_of_the_interpreter() {
    let mut executed = BTreeMap::new();
    for generator in Generator::all() {
        let sizes = SIZES.into_iter().filter(|size| generator.sizes().contains(size));
        let problems = sizes.filter_map(|size| generator.generate(2, size, 0).ok());
        let fits = |problem: &Generated| problem.problem.len() * problem.plan.len() < WORK;
        let Some(problem) = problems.into_iter().find(fits) else {
            continue;
        };
        let (domain, read) = read(generator, &problem);
        let flags = [Requirement::ProbabilisticEffects, Requirement::DerivedPredicates];
        if domain.requirements.iter().any(|flag| flags.contains(&flag)) {
            continue;
        }
        let oracle = Oracle::new(&domain, &read).expect("stratified axioms");
        let (_, mut state) = oracle.initial_states().expect("one state").remove(0);
        assert!(!oracle.is_goal(&state), "{}", problem.name);
        for step in &problem.plan {
            let mut outcomes = oracle
                .outcomes(&state, &action(&domain, &read, step))
                .unwrap_or_else(|error| panic!("{}: {step}: {error}", problem.name));
            assert_eq!(outcomes.len(), 1, "{step}");
            state = outcomes.remove(0).state;
        }
        assert!(oracle.is_goal(&state), "{}", problem.name);
        executed.insert(generator.name(), problem.objects);
    }
    assert!(executed.len() >= 30, "{executed:?}");
}
