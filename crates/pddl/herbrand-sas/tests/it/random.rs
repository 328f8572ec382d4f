//! Random ground tasks and their finite-domain forms have the same states and the same optimal costs.

use std::collections::BTreeSet;

use herbrand_ground::strategies::{EffectKinds, TaskSketch};
use herbrand_ground::{AtomId, GroundTask};
use herbrand_limits::Budget;
use herbrand_sas::{
    Draws, FiniteDomainTask, MutexGroups, TranslateError, TranslateOptions, Translation, ground_task,
    translate,
};
use proptest::prelude::*;

use crate::explore;

const LIMIT: usize = 2_000;

fn sketches() -> impl Strategy<Value = TaskSketch> {
    let effects = prop_oneof![1 => Just(EffectKinds::Plain), 4 => Just(EffectKinds::Conditional)];
    (
        1..9_u32,
        0..5_u32,
        1..9_u32,
        1..5_u32,
        any::<bool>(),
        effects,
        any::<u64>(),
    )
        .prop_map(
            |(fluents, derived, actions, literals, disjunctions, effects, seed)| TaskSketch {
                fluents,
                derived,
                numbers: 0,
                actions,
                literals,
                disjunctions,
                effects,
                seed,
            },
        )
}

/// All maximal sets of fluents such that no state has two of them, as far as greedy choices from each fluent find them.
fn true_groups(fluents: usize, states: impl Iterator<Item = Vec<AtomId>> + Clone) -> Vec<Vec<AtomId>> {
    let together = |one: AtomId, other: AtomId| {
        states
            .clone()
            .any(|state| state.contains(&one) && state.contains(&other))
    };
    let grow = |first: usize| {
        let mut group = vec![AtomId::from_index(first)];
        for other in (0..fluents)
            .map(|index| AtomId::from_index((first + index) % fluents))
            .skip(1)
        {
            if !group.iter().any(|&one| together(one, other)) {
                group.push(other);
            }
        }
        group
    };
    (0..fluents).map(grow).collect()
}

fn options(only_relevant: bool, pairs: bool) -> TranslateOptions {
    TranslateOptions {
        draws: Draws::Refuse,
        pairs,
        only_relevant,
        ..TranslateOptions::default()
    }
}

/// Checks what the format demands, which its reader checks.
fn check_format(task: &FiniteDomainTask) {
    let source = herbrand_text::Source::new("task", &task.to_sas());
    let read =
        FiniteDomainTask::from_sas(&source, &Budget::unlimited()).unwrap_or_else(|faults| panic!("{faults}"));
    if task.goal.is_empty() {
        assert_eq!(read.variables.len(), task.variables.len() + 1);
    } else {
        assert_eq!(&read, task);
    }
    for operator in &task.operators {
        let before: Vec<_> = operator.preconditions().map(|fact| fact.variable).collect();
        for effect in &operator.effects {
            assert!(
                effect
                    .condition
                    .iter()
                    .all(|fact| !before.contains(&fact.variable)),
                "{operator:?}"
            );
            assert!(
                !operator
                    .prevail
                    .iter()
                    .any(|fact| fact.variable == effect.variable),
                "{operator:?}"
            );
        }
    }
}

/// Checks the maps of states, with all atoms in the task.
fn check_states(translation: &Translation, ground: &explore::Explored<Vec<AtomId>>, fluents: usize) {
    let found = explore::finite(&translation.task, usize::MAX).expect("no limit");
    let atoms: std::collections::BTreeSet<_> = found
        .states
        .iter()
        .map(|state| translation.atoms(state))
        .collect();
    assert_eq!(atoms, ground.states);
    assert_eq!(found.states.len(), ground.states.len());
    for state in &found.states {
        let mut atoms = translation.atoms(state);
        atoms.retain(|atom| atom.index() < fluents);
        assert_eq!(translation.state(&atoms).as_ref(), Some(state));
        for mutex in &translation.task.mutexes {
            assert!(
                mutex.iter().filter(|fact| fact.holds(state)).count() <= 1,
                "{mutex:?}"
            );
        }
    }
}

/// Checks that the actions without operators are not needed, and are gone.
fn check_pruned(translation: &Translation, task: &GroundTask, optimum: Option<u64>) {
    let pruned = translation.pruned(task);
    assert!(task.check().is_err() || pruned.check().is_ok());
    let kept: BTreeSet<_> = translation.actions.iter().copied().collect();
    assert_eq!(pruned.actions.len(), kept.len());
    // The cost of an action does not depend on the other actions.
    let cost = |action| {
        let operator = translation.actions.iter().position(|&other| other == action);
        translation
            .task
            .step_cost(operator.expect("kept actions have operators"))
    };
    let costs: Vec<u64> = kept.iter().map(|&action| cost(action)).collect();
    let found = explore::ground(&pruned, &costs, usize::MAX).expect("no limit");
    assert_eq!(found.optimum, optimum, "{:#?}", translation.task);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var("PROPTEST_CASES").is_ok() { ProptestConfig::default().cases } else { 1500 }))]

    #[test]
    fn finite_domain_tasks_have_the_same_states_and_optima(sketch in sketches()) {
        let task = sketch.build();
        let costs: Vec<u64> = (0..task.actions.len() as u64).map(|index| (index * 7 + sketch.seed) % 4).collect();
        let Some(ground) = explore::ground(&task, &costs, LIMIT) else { return Ok(()) };
        let groups = true_groups(task.fluent_count(), ground.states.iter().cloned());
        for groups in [Vec::new(), groups] {
            let groups = MutexGroups::new(groups);
            for (only_relevant, pairs) in [(false, false), (true, false), (true, true)] {
                let made = translate(&task, &costs, groups.clone(), &options(only_relevant, pairs), &Budget::unlimited());
                let translation = match made {
                    Err(TranslateError::TooManyConditions(_)) => continue,
                    made => made.expect("a task that can be translated"),
                };
                check_format(&translation.task);
                let nameless = TranslateOptions { operator_names: false, ..options(only_relevant, pairs) };
                let nameless = translate(&task, &costs, groups.clone(), &nameless, &Budget::unlimited()).expect("as before");
                let mut text = Vec::new();
                nameless.write_sas(&task, &mut text).expect("memory");
                prop_assert_eq!(String::from_utf8(text), Ok(translation.task.to_sas()));
                if !only_relevant {
                    check_states(&translation, &ground, task.fluent_count());
                }
                let found = explore::finite(&translation.task, usize::MAX).expect("no limit");
                prop_assert_eq!(found.optimum, ground.optimum, "{:#?}", translation.task);
                let back = ground_task(&translation.task, "back", &Budget::unlimited()).expect("no limit");
                back.task.check().expect("a sound task");
                let costs: Vec<_> = back.operators.iter().map(|&index| translation.task.step_cost(index)).collect();
                let again = explore::ground(&back.task, &costs, usize::MAX).expect("no limit");
                prop_assert_eq!(again.optimum, ground.optimum);
                prop_assert_eq!(again.states.len(), found.states.len());
                check_pruned(&translation, &task, ground.optimum);
            }
        }
    }
}
