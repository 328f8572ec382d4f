//! Engines that answer the tests of trees for many examples at once.

mod datalog;
mod scan;

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::ObjectId;

use crate::query::{Count, Sample, Test};

pub(crate) use datalog::DatalogAnswers;
pub(crate) use scan::ScanAnswers;

/// The engine that answers the tests of decision trees on observed states. All engines give the same answers; they
/// differ in speed. It is [`FoldtOptions::queries`](crate::FoldtOptions::queries); the default is
/// [`Datalog`](Self::Datalog).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueryEngine {
    /// Join plans of [`herbrand_datalog`] on a database that is updated from state to state.
    #[default]
    Datalog,
    /// Enumeration of all objects in every state. This is the slow reference implementation.
    Scan,
}

/// Answers tests on examples.
pub(crate) trait Answers {
    /// Returns, for each test and then each example, the number of bindings of the test's fresh variables that
    /// satisfy the test.
    fn counts(&mut self, samples: &[Sample], tests: &[Test]) -> Result<Vec<Vec<Count>>, BudgetExhausted>;

    /// Returns, for each example, the binding of the test's fresh variables if exactly one satisfies the test; `None`
    /// otherwise.
    fn values(
        &mut self,
        samples: &[Sample],
        test: &Test,
    ) -> Result<Vec<Option<Vec<ObjectId>>>, BudgetExhausted>;
}

/// Checks that the counts of all tests on all examples fit into memory.
fn check_room(budget: &Budget, samples: &[Sample], tests: &[Test]) -> Result<(), BudgetExhausted> {
    let counts = samples.len().saturating_mul(tests.len());
    budget.check(
        "answering queries",
        counts.saturating_mul(size_of::<Count>()) as u64,
    )
}

#[cfg(test)]
mod tests {
    use herbrand_env::{ActionMode, Domain, Problem, Suite};
    use herbrand_limits::Budget;
    use herbrand_pddl::TypeUnion;
    use proptest::prelude::*;

    use super::*;
    use crate::foldt::{Bias, all_tests};
    use crate::{ActionChoice, Exploration, explore};

    const DOMAIN: &str = "(define (domain yard)
        (:types place thing - object crate lorry - thing)
        (:constants gate - place)
        (:predicates (at ?t - thing ?p - place) (road ?a ?b - place) (in ?c - crate ?l - lorry) (wet)
                     (near ?a ?b - place))
        (:derived (near ?a ?b - place) (exists (?c - place) (and (road ?a ?c) (road ?c ?b))))
        (:action go :parameters (?t - thing ?p ?q - place) :precondition (at ?t ?p)
         :effect (and (not (at ?t ?p)) (at ?t ?q) (when (wet) (not (wet)))))
        (:action put :parameters (?c - crate ?l - lorry ?p - place) :precondition (and (at ?c ?p) (at ?l ?p))
         :effect (and (not (at ?c ?p)) (in ?c ?l) (wet))))";

    /// Returns a problem with two crates, two lorries and three places. `roads` is a bit mask of the roads, and
    /// `places` gives the position of each thing.
    fn yard(roads: u16, places: [u8; 4]) -> Suite {
        let domain = Domain::from_text(DOMAIN).expect("a domain");
        let names = ["gate", "dock", "lot"];
        let mut facts = String::new();
        for (number, (from, to)) in names.iter().flat_map(|a| names.map(|b| (*a, b))).enumerate() {
            if roads >> number & 1 == 1 {
                facts.push_str(&format!("(road {from} {to})"));
            }
        }
        for (thing, place) in ["c1", "c2", "l1", "l2"].iter().zip(places) {
            facts.push_str(&format!("(at {thing} {})", names[place as usize % 3]));
        }
        let text = format!(
            "(define (problem p) (:domain yard) (:objects dock lot - place c1 c2 - crate l1 l2 - lorry)
             (:init {facts}) (:goal (wet)))"
        );
        let problem = Problem::from_text(&text, &domain).expect("a problem");
        Suite::from_problems(domain, [problem], ActionMode::Operators).expect("a suite")
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        /// Datalog and enumeration give the same answers to every test of the language bias.
        #[test]
        fn datalog_answers_as_the_scan_does(roads: u16, places: [u8; 4], seed: u64) {
            let budget = Budget::unlimited();
            let options = Exploration { episodes: 2, horizon: 5, seed, choice: ActionChoice::Mixed };
            let experience = explore(&yard(roads, places), &options, &budget).expect("episodes");
            for (action, signature) in experience.language.signatures().iter().enumerate() {
                let types: Vec<TypeUnion> = signature.parameters.iter().map(|(_, types)| types.clone()).collect();
                let tests = all_tests(&experience.language, &types, &Bias::default());
                let samples: Vec<Sample> = experience.of_action(action).map(|transition| Sample {
                    state: transition.state,
                    values: transition.arguments.clone(),
                    class: 0,
                    transition: 0,
                }).collect();
                let mut datalog = DatalogAnswers::new(&experience, &budget);
                let mut scan = ScanAnswers::new(&experience, &budget);
                let counts = datalog.counts(&samples, &tests).expect("answers");
                prop_assert_eq!(&counts, &scan.counts(&samples, &tests).expect("answers"));
                for test in tests.iter().step_by(7) {
                    let values = datalog.values(&samples, test).expect("answers");
                    prop_assert_eq!(values, scan.values(&samples, test).expect("answers"));
                }
            }
        }
    }
}
