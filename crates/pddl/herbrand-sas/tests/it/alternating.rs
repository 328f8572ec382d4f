//! Fact-alternating mutex groups are mutex groups of the reachable states, and all maximal ones are found.

use herbrand_ground::strategies::{EffectKinds, TaskSketch};
use herbrand_ground::{AtomId, GroundOptions, GroundTask, ground};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};
use herbrand_sas::{AlternatingLimits, MutexGroups, alternating_groups};
use proptest::prelude::*;

use crate::explore;

const ALL: AlternatingLimits = AlternatingLimits {
    each: usize::MAX,
    groups: usize::MAX,
    dead_ends: u32::MAX,
};

fn cases(count: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").is_ok();
    ProptestConfig::with_cases(if given {
        ProptestConfig::default().cases
    } else {
        count
    })
}

fn groups(task: &GroundTask) -> MutexGroups {
    alternating_groups(task, MutexGroups::default(), &ALL, &Budget::unlimited()).expect("no limit")
}

/// Returns whether each action without conditional effects makes no more atoms of the set true than it requires and makes
/// false, and at most one is true initially: the definition of Fišer and Komenda, for several preconditions.
fn is_alternating(task: &GroundTask, set: &[AtomId]) -> bool {
    let size = |atoms: &mut dyn Iterator<Item = AtomId>| atoms.filter(|atom| set.contains(atom)).count();
    let actions = task.actions.ids().all(|id| {
        let action = task.actions.get(id);
        let block = task.effects.get(action.effect);
        task.conditions.conjunctions(action.precondition).all(|id| {
            let literals = task.conditions.get(id).literals;
            let requires = |atom: &AtomId| {
                literals
                    .iter()
                    .any(|literal| !literal.is_negative() && literal.atom() == *atom)
            };
            let forbids = |atom: &AtomId| {
                literals
                    .iter()
                    .any(|literal| literal.is_negative() && literal.atom() == *atom)
            };
            let fluents = || (0..task.fluent_count()).map(AtomId::from_index);
            if fluents().any(|atom| requires(&atom) && forbids(&atom)) {
                return true;
            }
            let added = size(&mut block.adds.iter().copied().filter(|atom| !requires(atom)));
            let mut removed = block.deletes.iter().copied();
            let removed = size(
                &mut removed
                    .by_ref()
                    .filter(|atom| requires(atom) && !block.adds.contains(atom)),
            );
            added <= removed
        })
    });
    actions && size(&mut task.initial.iter().copied()) <= 1
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn groups_of_plain_tasks_are_those_of_the_definition(
        fluents in 2..9_u32,
        actions in 1..8_u32,
        literals in 1..5_u32,
        disjunctions in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let effects = EffectKinds::Plain;
        let task = TaskSketch { fluents, derived: 2, numbers: 0, actions, literals, disjunctions, effects, seed }.build();
        let atoms = |set: u32| -> Vec<AtomId> {
            (0..task.fluent_count()).filter(|atom| set >> atom & 1 == 1).map(AtomId::from_index).collect()
        };
        let all: Vec<u32> = (0..1 << fluents).filter(|&set| is_alternating(&task, &atoms(set))).collect();
        let maximal = all.iter().filter(|&&set| !all.iter().any(|&other| other != set && other & set == set));
        prop_assert_eq!(groups(&task), MutexGroups::new(maximal.map(|&set| atoms(set))));
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn groups_are_mutex_groups(
        fluents in 2..9_u32,
        actions in 1..7_u32,
        literals in 1..6_u32,
        drawn in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let effects = if drawn { EffectKinds::Drawn } else { EffectKinds::Conditional };
        let sketch = TaskSketch {
            fluents, derived: 2, numbers: 0, actions, literals, disjunctions: seed % 3 == 0, effects, seed,
        };
        let task = sketch.build();
        let found = groups(&task);
        let Some(explored) = explore::ground(&task, &vec![1; task.actions.len()], 300) else { return Ok(()) };
        for group in found.groups() {
            for state in &explored.states {
                let held: Vec<_> = group.iter().filter(|atom| state.contains(atom)).collect();
                prop_assert!(held.len() <= 1, "{:?} of {:?} in {:?}", held, group, task);
            }
        }
    }
}

/// Most random tasks should have groups: else the properties above would say nothing.
#[test]
fn random_tasks_have_groups() {
    let with_groups = |effects| {
        let tasks = (0..200).map(|seed| {
            TaskSketch {
                fluents: 6,
                derived: 0,
                numbers: 0,
                actions: 4,
                literals: 4,
                disjunctions: false,
                effects,
                seed,
            }
            .build()
        });
        tasks.filter(|task| !groups(task).groups().is_empty()).count()
    };
    let counts = [EffectKinds::Plain, EffectKinds::Conditional, EffectKinds::Drawn].map(with_groups);
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// In one step, two conditional effects may add two atoms and remove one.
#[test]
fn conditional_effects_count_together() {
    let domain = Domain::from_text(
        "(define (domain split) (:requirements :adl) (:predicates (whole) (left) (right) (cut-left) (cut-right))
         (:action split :precondition (whole)
          :effect (and (not (whole)) (when (cut-left) (left)) (when (cut-right) (right))))
         (:action blunt :effect (and (not (cut-left)) (not (cut-right)))))",
    );
    let domain = domain.expect("a domain");
    let text = "(define (problem p) (:domain split) (:init (whole) (cut-left) (cut-right)) (:goal (and (left) (right))))";
    let problem = Problem::from_text(text, &domain).expect("a problem");
    let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
    let found: Vec<Vec<_>> = groups(&task)
        .groups()
        .iter()
        .map(|group| {
            let mut names: Vec<_> = group
                .iter()
                .map(|&atom| task.display_atom(atom).to_string())
                .collect();
            names.sort_unstable();
            names
        })
        .collect();
    assert_eq!(found, [["(left)", "(whole)"], ["(right)", "(whole)"]]);
}
