//! Serialisation of the states of problems that are not grounded.

use herbrand_core::PackedStates;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{AtomList, FunctionId, ObjectId, PredicateId};
use herbrand_step::{LiftedSimulator, LiftedState};

use super::LiftedSuite;

/// ```text
///   u32   atoms | predicate, objects … | predicate, objects … | numbers | function, objects …, two halves of the value | …
/// ```
impl PackedStates for LiftedSuite {
    fn pack(state: &LiftedState) -> Vec<u8> {
        let mut words = vec![state.atoms().count() as u32];
        for atom in state.atoms() {
            words.push(atom.predicate.number());
            words.extend(atom.arguments.iter().map(|object| object.number()));
        }
        words.push(state.numbers().len() as u32);
        for number in state.numbers() {
            words.push(number.function.number());
            words.extend(number.arguments.iter().map(|object| object.number()));
            let bits = number.value().to_bits();
            words.extend([bits as u32, (bits >> 32) as u32]);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<LiftedState> {
        let planning = self.planning(problem, true).ok()?;
        let (words, []) = bytes.as_chunks::<4>() else {
            return None;
        };
        let words = words
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect::<Vec<_>>();
        let mut reader = Reader {
            words: &words,
            vocabulary: planning.walker().simulator().vocabulary(),
        };
        let state = reader.state(planning.walker().simulator())?;
        reader.words.is_empty().then_some(state)
    }
}

/// The unread rest of a serialised state.
struct Reader<'a> {
    words: &'a [u32],
    vocabulary: &'a Vocabulary,
}

impl Reader<'_> {
    fn state(&mut self, simulator: &LiftedSimulator) -> Option<LiftedState> {
        let mut atoms = AtomList::default();
        for _ in 0..self.word()? {
            let predicate = self.word()?;
            let signature = &self.vocabulary.predicates.get(predicate as usize)?.signature;
            let arguments = self.objects(signature.parameters.len())?;
            atoms.push(PredicateId::new(predicate), &arguments);
        }
        let mut state = simulator.state_from_atoms(atoms.iter());
        for number in simulator.initial_state().numbers() {
            simulator.set_numeric(&mut state, number.function, &number.arguments, None);
        }
        for _ in 0..self.word()? {
            let function = self.word()?;
            let arity = self.vocabulary.functions.get(function as usize)?.parameters.len();
            let arguments = self.objects(arity)?;
            let bits = u64::from(self.word()?) | u64::from(self.word()?) << 32;
            let value = Some(f64::from_bits(bits));
            let function = FunctionId::new(function);
            if !simulator.set_numeric(&mut state, function, &arguments, value) {
                return None;
            }
        }
        (state.atoms().count() == atoms.len()).then_some(state)
    }

    fn word(&mut self) -> Option<u32> {
        let (&word, rest) = self.words.split_first()?;
        self.words = rest;
        Some(word)
    }

    fn objects(&mut self, count: usize) -> Option<Vec<ObjectId>> {
        let (objects, rest) = self.words.split_at_checked(count)?;
        self.words = rest;
        let known = |&number: &u32| (number as usize) < self.vocabulary.objects.len();
        let all = objects.iter().all(known);
        all.then(|| objects.iter().copied().map(ObjectId::new).collect())
    }
}
