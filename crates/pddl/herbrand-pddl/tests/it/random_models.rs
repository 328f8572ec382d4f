//! Tests that random models are unchanged after printing and parsing.

use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{Domain, Problem, ReadOptions, Source, read};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn printing_is_exact((domain, problem) in tasks(&Shape::timed())) {
        let text = domain.to_pddl();
        let again = Domain::from_text(&text).map_err(|faults| TestCaseError::fail(format!("{faults}\n{text}")))?;
        prop_assert!(again == domain, "{}\n{:#?}\n{:#?}", text, domain, again);

        let text = problem.to_pddl(&domain);
        let again = Problem::from_text(&text, &domain)
            .map_err(|faults| TestCaseError::fail(format!("{faults}\n{text}")))?;
        prop_assert!(again == problem, "{}\n{:#?}\n{:#?}", text, problem, again);
    }

    #[test]
    fn declared_requirements_are_enough((domain, problem) in tasks(&Shape::timed())) {
        let strict = ReadOptions { strict: true, ..ReadOptions::default() };
        let source = Source::new("task", &format!("{}\n{}", domain.to_pddl(), problem.to_pddl(&domain)));
        let document = read(&source, &strict);
        for unchecked in document.domains() {
            let reading = unchecked.check();
            let missing: Vec<_> = reading.diagnostics.iter().filter(|d| d.code().as_str() == "W0602").collect();
            prop_assert!(missing.is_empty(), "{:?}", missing);
        }
    }
}
