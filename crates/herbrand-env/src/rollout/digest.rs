//! Fingerprints of trajectories, over names and values, so that one walk has one fingerprint in every engine.

use herbrand_ground::{NumericId, Vocabulary};
use herbrand_pddl::{Fact, FunctionId, ObjectId, PredicateKind};
use herbrand_step::Simulator;

use crate::{AgentActionId, Engine, LiftedPlanning, Planning};

/// An engine whose walks have fingerprints.
pub(super) trait Traced: Engine {
    /// The hashes of the problem's names, made before the first step.
    type Names;

    fn names(&self) -> Self::Names;

    /// The hash of an action's name and arguments. The text is hashed when the action is first met.
    fn action_hash(&self, names: &mut Self::Names, action: AgentActionId) -> u64;

    /// How the current state differs from the initial one: the sum of the hashes of its fluent atoms and numbers, minus
    /// the sum for the initial state (as the problem states it, without what chance adds).
    ///
    /// What an engine knows to be constant is in both sums or in neither, so engines need not agree on that.
    fn state_hash(&self, names: &Self::Names) -> u64;
}

/// A 64-bit fingerprint of a sequence of words: each is mixed in by a rotation, an exclusive or and a multiplication
/// (as in `FxHash`), and the end by the finaliser of `SplitMix64`. The same on every platform.
#[derive(Clone, Copy)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(super) const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    pub(super) const fn finish(self) -> u64 {
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// FNV-1a with 64 bits.
fn text_hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The hashes of single names. The hash of `(head argument …)` combines those of its names.
pub(super) struct Symbols {
    objects: Vec<u64>,
    /// `None` for predicates that no observation shows.
    predicates: Vec<Option<u64>>,
    functions: Vec<u64>,
}

impl Symbols {
    fn of(vocabulary: &Vocabulary) -> Self {
        let objects = vocabulary.objects.iter();
        let functions = vocabulary.functions.iter();
        let predicates = vocabulary.predicates.iter().map(|predicate| {
            let seen = !predicate.auxiliary && predicate.kind != PredicateKind::Action;
            seen.then(|| text_hash(predicate.signature.name.as_str()))
        });
        Self {
            objects: objects.map(|object| text_hash(object.name.as_str())).collect(),
            predicates: predicates.collect(),
            functions: functions
                .map(|function| text_hash(function.name.as_str()))
                .collect(),
        }
    }

    fn term(&self, head: u64, arguments: &[ObjectId]) -> u64 {
        let mut digest = Digest::new(head);
        arguments
            .iter()
            .for_each(|object| digest.add(self.objects[object.index()]));
        digest.finish()
    }

    /// The hash of an atom; 0, which changes no sum, when no observation shows it.
    fn atom(&self, fact: Fact<'_>) -> u64 {
        self.predicates[fact.predicate.index()].map_or(0, |head| self.term(head, fact.arguments))
    }

    fn fluent(&self, function: FunctionId, arguments: &[ObjectId]) -> u64 {
        self.term(self.functions[function.index()], arguments)
    }
}

/// The hash of a numeric fluent that has a value.
const fn number_hash(fluent: u64, value: f64) -> u64 {
    let mut digest = Digest::new(fluent);
    digest.add(value.to_bits());
    digest.finish()
}

/// The hashes of actions, each made when the action is first met; 0 for those that were not.
#[derive(Default)]
struct Actions(Vec<u64>);

impl Actions {
    #[inline]
    fn get(&mut self, action: AgentActionId, make: impl FnOnce() -> u64) -> u64 {
        match self.0.get(action.index()) {
            Some(&hash) if hash != 0 => hash,
            _ => self.insert(action, make()),
        }
    }

    #[cold]
    fn insert(&mut self, action: AgentActionId, hash: u64) -> u64 {
        if self.0.len() <= action.index() {
            self.0.resize(action.index() + 1, 0);
        }
        self.0[action.index()] = hash;
        hash
    }
}

/// The names of a grounded problem: atoms and numbers by id.
pub(super) struct GroundedNames {
    symbols: Symbols,
    actions: Actions,
    atoms: Vec<u64>,
    fluents: Vec<u64>,
    initial: u64,
}

impl GroundedNames {
    fn of(simulator: &Simulator, actions: usize) -> Self {
        let task = simulator.task();
        let symbols = Symbols::of(&task.vocabulary);
        let fluents = task.numerics.iter().take(task.state_numerics as usize);
        let mut names = Self {
            atoms: task.atoms.iter().map(|fact| symbols.atom(fact)).collect(),
            fluents: fluents
                .map(|fluent| symbols.fluent(fluent.function, &fluent.arguments))
                .collect(),
            // Pages of zeros take no memory before they are written to.
            actions: Actions(vec![0; actions]),
            symbols,
            initial: 0,
        };
        names.initial = names.sum(&simulator.initial_state());
        names
    }

    fn sum(&self, state: &herbrand_step::State) -> u64 {
        let atoms = state.fluents().map(|atom| self.atoms[atom.index()]);
        let numbers = (0..).map(NumericId::new).zip(&self.fluents);
        let numbers = numbers.filter_map(|(id, &fluent)| Some(number_hash(fluent, state.numeric(id)?)));
        atoms.chain(numbers).fold(0, u64::wrapping_add)
    }
}

impl Traced for Planning {
    type Names = GroundedNames;

    fn names(&self) -> GroundedNames {
        GroundedNames::of(self.walker().simulator(), self.action_count())
    }

    #[inline]
    fn action_hash(&self, names: &mut GroundedNames, action: AgentActionId) -> u64 {
        let GroundedNames { symbols, actions, .. } = names;
        actions.get(action, || {
            let (name, arguments) = self.space().get(action).unzip();
            let head = name.map_or(0, |name| text_hash(name.as_str()));
            symbols.term(head, &arguments.unwrap_or_default())
        })
    }

    fn state_hash(&self, names: &GroundedNames) -> u64 {
        names.sum(self.state()).wrapping_sub(names.initial)
    }
}

/// The names of a lifted problem.
pub(super) struct LiftedNames {
    symbols: Symbols,
    actions: Actions,
    initial: u64,
}

impl LiftedNames {
    fn sum(&self, state: &herbrand_step::LiftedState) -> u64 {
        let atoms = state.atoms().map(|fact| self.symbols.atom(fact));
        let numbers = state.numbers().iter().map(|number| {
            let fluent = self.symbols.fluent(number.function, &number.arguments);
            number_hash(fluent, number.value())
        });
        atoms.chain(numbers).fold(0, u64::wrapping_add)
    }
}

impl Traced for LiftedPlanning {
    type Names = LiftedNames;

    fn names(&self) -> LiftedNames {
        let simulator = self.walker().simulator();
        let mut names = LiftedNames {
            symbols: Symbols::of(simulator.vocabulary()),
            actions: Actions::default(),
            initial: 0,
        };
        names.initial = names.sum(simulator.initial_state());
        names
    }

    #[inline]
    fn action_hash(&self, names: &mut LiftedNames, action: AgentActionId) -> u64 {
        let LiftedNames { symbols, actions, .. } = names;
        actions.get(action, || {
            let (name, arguments) = self.action(action).unzip();
            let head = name.map_or(0, |name| text_hash(name.as_str()));
            symbols.term(head, &arguments.unwrap_or_default())
        })
    }

    fn state_hash(&self, names: &LiftedNames) -> u64 {
        names.sum(self.state()).wrapping_sub(names.initial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use herbrand_pddl::{Domain, Problem};
    use herbrand_step::Upkeep;

    use crate::{ActionMode, Suite};

    /// Two counters, of which one never changes, and a switch of three.
    fn suite() -> Suite {
        let domain = Domain::from_text(
            "(define (domain tally) (:requirements :numeric-fluents :negative-preconditions)
               (:predicates (on ?x)) (:functions (count ?x))
               (:action press :parameters (?x ?y) :precondition (and (not (on ?y)) (> (count ?x) 0))
                 :effect (and (on ?y) (decrease (count ?x) 1))))",
        );
        let domain = domain.expect("a sound domain");
        let text = "(define (problem p) (:domain tally) (:objects a b c)
            (:init (on c) (= (count a) 2) (= (count b) 0)) (:goal (and (on a) (on b))))";
        let problem = Problem::from_text(text, &domain).expect("a sound problem");
        Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite")
    }

    #[test]
    fn every_engine_hashes_the_same_states_and_actions_alike_and_others_not() {
        let suite = suite();
        let mut grounded = suite.engine(0).expect("a sound problem");
        let mut lifted = suite.lifted_engine(0, Upkeep::Kept).expect("a sound problem");
        let (mut by_id, mut by_name) = (grounded.names(), lifted.names());
        let mut states = vec![grounded.state_hash(&by_id)];
        let mut actions = Vec::new();
        for text in ["(press a a)", "(press a b)"] {
            let id = grounded.space().parse(text).expect("an action");
            let met = lifted.find_action(text).expect("an action");
            actions.push(grounded.action_hash(&mut by_id, id));
            for _ in 0..2 {
                assert_eq!(lifted.action_hash(&mut by_name, met), actions[actions.len() - 1]);
            }
            let mut chance = herbrand_step::Random::new(0);
            grounded.step(&[id], &mut chance).expect("a valid action");
            lifted.step(&[met], &mut chance).expect("a valid action");
            states.push(grounded.state_hash(&by_id));
            assert_eq!(lifted.state_hash(&by_name), states[states.len() - 1], "{text}");
        }
        let all = [actions, states].concat();
        let distinct = all.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!((distinct.len(), all[2]), (5, 0), "{all:?}");
    }

    #[test]
    fn the_order_of_arguments_counts() {
        let suite = suite();
        let engine = suite.engine(0).expect("a sound problem");
        let symbols = Symbols::of(&engine.space().task().vocabulary);
        let [one, two] = [[0, 1], [1, 0]].map(|pair| pair.map(ObjectId::new));
        assert_ne!(symbols.term(1, &one), symbols.term(1, &two));
    }
}
