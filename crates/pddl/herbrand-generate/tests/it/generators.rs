//! For every generator: its problems are valid and solvable, and depend only on seed, size and index.

use std::collections::BTreeSet;

use herbrand_env::Registry;
use herbrand_generate::{GenerateError, Generated, Generator};
use herbrand_pddl::{Domain, Problem, Source};
use proptest::prelude::*;

/// The size up to which tests ground and execute problems.
const LARGE: u32 = 9;

fn certify(problem: &Generated) {
    match problem.certify() {
        Ok(probability) => assert!(probability <= 1.0 + 1e-9, "{}: {probability}", problem.name),
        Err(error) => panic!("{error}\n{}\n{}", problem.problem, problem.plan_text()),
    }
}

fn generate(generator: &Generator, seed: u64, size: u32, index: u64) -> Generated {
    generator
        .generate(seed, size, index)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_bundled_domain_has_a_generator() {
    let names: Vec<_> = Generator::all().iter().map(Generator::name).collect();
    assert_eq!(names, Registry::names().expect("the bundled domains"));
    for generator in Generator::all() {
        let files = generator.files().expect("the bundled files");
        let domain = Domain::parse(&files.domain).expect("a sound domain");
        let problem = generate(generator, 0, *generator.sizes().start(), 0);
        let read = Problem::parse(&Source::new(&problem.name, &problem.problem), &domain);
        let read = read.unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(
            read.objects.len() - read.constants as usize,
            problem.objects,
            "{}",
            problem.name
        );
        assert_eq!(read.domain_name, domain.name);
        assert_eq!(read.name.as_str(), problem.name);
    }
}

#[test]
fn the_smallest_problems_can_be_solved() {
    for generator in Generator::all() {
        let least = *generator.sizes().start();
        for size in least..least + 3 {
            // Many indices, because goals that hold initially are most likely in small problems.
            (0..30).for_each(|index| certify(&generate(generator, 11, size, index)));
        }
    }
}

#[test]
fn larger_problems_can_be_solved() {
    for generator in Generator::all() {
        let size = LARGE.clamp(*generator.sizes().start(), *generator.sizes().end());
        (0..2).for_each(|index| certify(&generate(generator, 5, size, index)));
    }
}

#[test]
fn no_size_runs_out_of_problems() {
    for generator in Generator::all() {
        for size in generator.sizes().filter(|&size| size <= 24) {
            assert!(!generate(generator, 17, size, 0).plan.is_empty());
        }
    }
}

#[test]
fn problems_differ_by_seed_and_index() {
    for generator in Generator::all() {
        let body = |problem: Generated| problem.problem.replace(&problem.name, "");
        let texts =
            |of: &dyn Fn(u64) -> Generated| (0..6).map(|n| body(of(n))).collect::<BTreeSet<_>>().len();
        let size = LARGE.min(*generator.sizes().end());
        assert!(
            texts(&|seed| generate(generator, seed, size, 0)) >= 3,
            "{}",
            generator.name()
        );
        assert!(
            texts(&|index| generate(generator, 0, size, index)) >= 3,
            "{}",
            generator.name()
        );
    }
}

#[test]
fn larger_sizes_have_more_objects() {
    for generator in Generator::all() {
        let (least, most) = (*generator.sizes().start(), *generator.sizes().end());
        let objects = |size: u32| {
            (0..8)
                .map(|seed| generate(generator, seed, size, 0).objects)
                .sum::<usize>()
        };
        let counts = [least, least + 4, least + 10].map(|size| objects(size.min(most)));
        assert!(
            counts.is_sorted() && counts[0] < counts[1] && counts[1] < counts[2],
            "{}: {counts:?}",
            generator.name()
        );
    }
}

#[test]
fn a_size_out_of_range_is_an_error_that_tells_the_range() {
    for generator in Generator::all() {
        let (least, most) = (*generator.sizes().start(), *generator.sizes().end());
        for size in [least - 1, most + 1, u32::MAX] {
            let error = generator.generate(0, size, 0).expect_err("out of range");
            let text = error.to_string();
            assert!(
                text.contains(&format!("{least} to {most}")) && text.contains(generator.size_meaning()),
                "{text}"
            );
        }
    }
}

#[test]
fn an_unknown_name_is_an_error_with_a_suggestion() {
    let error = Generator::get("sokobn").expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "there is no generator `sokobn`; did you mean `sokoban`?"
    );
    let error = Generator::get("search-and-rescue").expect_err("which level?");
    assert!(
        error.to_string().ends_with("did you mean `search-and-rescue-1`?"),
        "{error}"
    );
    assert!(matches!(
        Generator::get("chess"),
        Err(GenerateError::UnknownDomain { suggestion: None, .. })
    ));
}

#[test]
fn a_plan_that_does_not_solve_the_problem_is_told() {
    let mut problem = generate(Generator::get("ferry").expect("ferry"), 1, 3, 0);
    problem.plan.pop();
    assert!(matches!(
        problem.certify(),
        Err(GenerateError::Unsolved { failure: None, .. })
    ));
    problem.plan.insert(0, "(debark car-1 harbour-1)".to_owned());
    let error = problem.certify().expect_err("an invalid step").to_string();
    assert!(error.contains("step 1"), "{error}");

    let mut casino = generate(Generator::get("casino").expect("casino"), 1, 3, 0);
    casino.plan.clear();
    assert!(matches!(
        casino.certify(),
        Err(GenerateError::Unsolved { failure: None, .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_seed_and_size_make_a_problem_that_can_be_solved(
        which in 0..Generator::all().len(),
        seed in any::<u64>(),
        above in 0_u32..7,
        index in 0_u64..1_000_000,
    ) {
        let generator = &Generator::all()[which];
        let size = (generator.sizes().start() + above).min(*generator.sizes().end());
        let problem = generate(generator, seed, size, index);
        prop_assert_eq!(&problem, &generate(generator, seed, size, index));
        certify(&problem);
    }
}
