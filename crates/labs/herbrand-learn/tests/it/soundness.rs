//! Properties of learned models on random domains.

use herbrand_learn::{
    ActionChoice, Exploration, FoldtOptions, QueryEngine, explore, learn_foldt, learn_safe,
};
use herbrand_limits::Budget;
use proptest::prelude::*;

use crate::random_domain::suite;

fn exploration(episodes: u32, seed: u64, choice: ActionChoice) -> Exploration {
    Exploration {
        episodes,
        horizon: 12,
        seed,
        choice,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A safe model permits no inapplicable action, however few the observations, and predicts every action that it permits.
    #[test]
    fn a_safe_model_permits_no_invalid_action(domain: u64, episodes in 1_u32..12, seed: u64) {
        let suite = suite(domain);
        let budget = Budget::unlimited();
        let seen = explore(&suite, &exploration(episodes, seed, ActionChoice::Mixed), &budget).unwrap();
        let learned = learn_safe(&seen, &budget).unwrap();
        learned.to_pddl().unwrap();
        let unseen = explore(&suite, &exploration(12, seed ^ 1, ActionChoice::Mixed), &budget).unwrap();
        let prediction = learned.predict(&unseen, &budget).unwrap();
        prop_assert_eq!(prediction.unsound, 0);
        prop_assert!(prediction.wrong <= prediction.missed, "{:?}", prediction);
    }

    /// Trees predict the transitions that they were grown from. The domains have conjunctive preconditions, so some test is
    /// always informative.
    #[test]
    fn trees_predict_what_they_were_grown_from(domain: u64, seed: u64) {
        let suite = suite(domain);
        let budget = Budget::unlimited();
        let seen = explore(&suite, &exploration(8, seed, ActionChoice::Mixed), &budget).unwrap();
        let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
        learned.to_pddl().unwrap();
        let prediction = learned.predict(&seen, &budget).unwrap();
        prop_assert_eq!(prediction.wrong + prediction.unsound + prediction.missed, 0);
    }

    /// The trees do not depend on the query engine.
    #[test]
    fn trees_do_not_depend_on_who_answers(domain: u64, seed: u64) {
        let budget = Budget::unlimited();
        let seen = explore(&suite(domain), &exploration(2, seed, ActionChoice::Any), &budget).unwrap();
        let learn = |queries| {
            let options = FoldtOptions { queries, ..FoldtOptions::default() };
            learn_foldt(&seen, &options, &budget).unwrap().to_pddl().unwrap()
        };
        prop_assert_eq!(learn(QueryEngine::Datalog), learn(QueryEngine::Scan));
    }
}
