//! The record of an explained step is accurate. An explained step makes the same draws as a plain one and reaches the
//! same state; the reported changes are the difference between the two states, and the reported effects yield these
//! changes. The records of grounded and lifted steps agree.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::bundled;
use crate::random::{config, printed};
use herbrand::ground::NumericId;
use herbrand::pddl::strategies::Shape;
use herbrand::step::{EffectRecord, LiftedSimulator, LiftedWalker, Random, StepRecord, Walker};
use herbrand::{Domain, Problem, Simulator, compile};
use proptest::prelude::*;

/// A state by names.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    fluents: BTreeSet<String>,
    derived: BTreeSet<String>,
    numbers: BTreeMap<String, f64>,
}

fn seen(walker: &Walker) -> Seen {
    let task = walker.simulator().task();
    let shown = |atom: &herbrand::AtomId| {
        let fact = task.atoms.get(atom.index()).expect("an atom of the task");
        !task.vocabulary.predicate(fact.predicate).auxiliary
    };
    let (derived, fluents): (Vec<_>, Vec<_>) = walker
        .atoms()
        .filter(shown)
        .partition(|&atom| task.is_derived(atom));
    let names = |atoms: Vec<herbrand::AtomId>| {
        let names = atoms.into_iter().map(|atom| task.display_atom(atom).to_string());
        names.collect()
    };
    let numbers = (0..task.state_numerics).map(NumericId::new);
    let defined = numbers.filter_map(|id| Some((task.display_numeric(id).to_string(), walker.numeric(id)?)));
    Seen {
        fluents: names(fluents),
        derived: names(derived),
        numbers: defined.collect(),
    }
}

fn of(atoms: &[String]) -> BTreeSet<String> {
    atoms.iter().cloned().collect()
}

/// Checks that the changes are the difference of the two states.
fn compare_changes(fired: &StepRecord, before: &Seen, after: &Seen) -> Result<(), TestCaseError> {
    prop_assert_eq!(of(&fired.added), &after.fluents - &before.fluents);
    prop_assert_eq!(of(&fired.deleted), &before.fluents - &after.fluents);
    let derived = |sign| {
        let atoms = fired.derived.iter().filter(move |(_, holds)| *holds == sign);
        atoms.map(|(atom, _)| atom.clone()).collect::<BTreeSet<_>>()
    };
    prop_assert_eq!(derived(true), &after.derived - &before.derived);
    prop_assert_eq!(derived(false), &before.derived - &after.derived);
    let mut numbers = before.numbers.clone();
    for number in &fired.numbers {
        prop_assert_eq!(numbers.get(&number.number).copied(), number.before);
        match number.after {
            Some(value) => numbers.insert(number.number.clone(), value),
            None => numbers.remove(&number.number),
        };
    }
    prop_assert_eq!(&numbers, &after.numbers);
    Ok(())
}

/// The net result of a list of effects.
#[derive(Default, PartialEq, Debug)]
struct Net {
    adds: BTreeSet<String>,
    deletes: BTreeSet<String>,
    assigns: BTreeSet<String>,
    /// The drawn alternatives, in order.
    draws: Vec<(Option<usize>, u64)>,
    probability: f64,
}

impl Net {
    fn of(fired: &StepRecord) -> Self {
        let mut net = Self {
            probability: 1.0,
            ..Self::default()
        };
        net.add(&fired.effects);
        net
    }

    fn add(&mut self, effects: &[EffectRecord]) {
        for effect in effects {
            match effect {
                EffectRecord::Add(atom) => self.adds.extend([atom.clone()]),
                EffectRecord::Delete(atom) => self.deletes.extend([atom.clone()]),
                EffectRecord::Assign(text) => self.assigns.extend([text.clone()]),
                EffectRecord::When { held, effects, .. } => {
                    assert!(
                        *held || effects.is_empty(),
                        "nothing happens under a false condition"
                    );
                    self.add(effects);
                }
                EffectRecord::Draw {
                    drawn,
                    probability,
                    effects,
                } => {
                    self.draws.push((*drawn, probability.to_bits()));
                    self.probability *= probability;
                    self.add(effects);
                }
            }
        }
    }
}

/// Checks that the effects yield the changes.
fn compare_effects(fired: &StepRecord, before: &Seen, probability: f64) -> Result<(), TestCaseError> {
    let net = Net::of(fired);
    prop_assert_eq!(of(&fired.added), &net.adds - &before.fluents);
    prop_assert_eq!(of(&fired.deleted), &(&net.deletes - &net.adds) & &before.fluents);
    prop_assert!((net.probability - probability).abs() < 1e-12);
    Ok(())
}

struct Walk {
    simulator: Simulator,
    plain: (Walker, Random),
    explained: (Walker, Random),
    lifted: (LiftedWalker, Random),
    /// The kinds of events encountered.
    told: BTreeSet<&'static str>,
}

impl Walk {
    fn new(domain: &Domain, problem: &Problem, seed: u64) -> Result<Self, TestCaseError> {
        let failed = |error: herbrand::step::CompileError| TestCaseError::fail(error.to_string());
        let simulator = compile(domain, problem).map_err(failed)?;
        let lifted = LiftedSimulator::compile(domain, problem).map_err(failed)?;
        Ok(Self {
            plain: (simulator.walker(), Random::new(seed)),
            explained: (simulator.walker(), Random::new(seed)),
            lifted: (lifted.walker().unwrap(), Random::new(seed)),
            simulator,
            told: BTreeSet::new(),
        })
    }

    /// Takes a step on all sides; `false` at a dead end or a fault.
    fn step(&mut self, choice: usize) -> Result<bool, TestCaseError> {
        let (plain, random) = &mut self.plain;
        let Some(action) = plain.valid().nth(choice % plain.valid().len().max(1)) else {
            return Ok(false);
        };
        let before = seen(plain);
        let expected = plain.apply(action, random);
        let (walker, other) = &mut self.explained;
        let told = walker.apply_explained(action, other);
        prop_assert_eq!(&*random, &*other, "the generators");
        prop_assert_eq!(plain.state(), walker.state());
        let ground = self.simulator.task().actions.get(action);
        let Ok((transition, fired)) = told else {
            prop_assert!(expected.is_err());
            let (lifted, random) = &mut self.lifted;
            let told = lifted.apply_explained(ground.schema, ground.arguments, random);
            prop_assert!(told.is_err());
            prop_assert!(!lifted.undo(), "a fault leaves nothing to undo");
            prop_assert!(!walker.undo(), "a fault leaves nothing to undo");
            return Ok(false);
        };
        prop_assert_eq!(Ok(transition), expected);
        let after = seen(plain);
        compare_changes(&fired, &before, &after)?;
        compare_effects(&fired, &before, transition.probability)?;
        let derived = plain.derived_changes();
        let changed: BTreeSet<_> = derived
            .iter()
            .map(|&(atom, holds)| (self.simulator.task().display_atom(atom).to_string(), holds))
            .collect();
        prop_assert_eq!(changed, fired.derived.iter().cloned().collect());
        let net = Net::of(&fired);
        let (walker, random) = &mut self.lifted;
        let (again, other) = walker
            .apply_explained(ground.schema, ground.arguments, random)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&self.plain.1, &*random, "the generators");
        prop_assert_eq!(again, transition);
        let found = Net::of(&other);
        prop_assert_eq!((&found.adds, &found.draws), (&net.adds, &net.draws));
        // A ground task knows which atoms are never true, and omits their deletions.
        prop_assert!(net.deletes.is_subset(&found.deletes));
        prop_assert_eq!(&found.assigns, &net.assigns);
        let effects = fired.effects.clone();
        prop_assert_eq!(StepRecord { effects, ..other }, fired.clone());
        self.note(&fired);
        Ok(true)
    }

    fn note(&mut self, fired: &StepRecord) {
        let text = fired.to_string();
        let derived = !fired.derived.is_empty();
        let met = KINDS
            .into_iter()
            .filter(|kind| text.contains(kind) || *kind == "derived" && derived);
        self.told.extend(met);
    }
}

/// The kinds of events that a walk over the bundled domains must encounter.
const KINDS: [&str; 5] = [
    "which held",
    "which did not hold",
    "alternative",
    "no change",
    "derived",
];

fn walk(
    domain: &Domain,
    problem: &Problem,
    seed: u64,
    choices: &[u8],
) -> Result<BTreeSet<&'static str>, TestCaseError> {
    let mut walk = Walk::new(domain, problem, seed)?;
    for &choice in choices {
        if !walk.step(usize::from(choice))? {
            break;
        }
    }
    Ok(walk.told)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn on_random_tasks(
        task in printed(&Shape::default()), seed: u64, choices in prop::collection::vec(any::<u8>(), 1..8),
    ) {
        walk(&task.0, &task.1, seed, &choices)?;
    }
}

#[test]
fn on_bundled_problems() {
    let choices: Vec<u8> = (3..40).collect();
    let mut told = BTreeSet::new();
    for bundled in &bundled(1) {
        let walked = walk(&bundled.domain, &bundled.problem, 3, &choices);
        told.extend(walked.unwrap_or_else(|error| panic!("{}: {error}", bundled.name)));
    }
    assert_eq!(told, BTreeSet::from(KINDS), "all kinds of effects were met");
}
