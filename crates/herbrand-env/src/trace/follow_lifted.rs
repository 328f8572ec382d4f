//! Following a trace without grounding its problem.

use std::collections::{BTreeMap, BTreeSet};

use fxhash::FxHashMap;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{Fact, ObjectId, PredicateId, PredicateKind};
use herbrand_step::{LiftedState, StepError};

use super::follow::Follower;
use super::listed::{Meaning, Names, Place, words};
use super::observer::Seen;
use crate::{Engine, LiftedPlanning, ObservedId, PlanningError};

/// A lifted engine. Atoms are numbered as they are met.
pub(super) struct Lifted {
    engine: LiftedPlanning,
    predicates: BTreeMap<String, PredicateId>,
    words: Names,
    atoms: Vec<GroundAtom>,
    ids: FxHashMap<GroundAtom, ObservedId>,
}

type GroundAtom = (PredicateId, Vec<ObjectId>);

impl Lifted {
    pub(super) fn new(engine: LiftedPlanning) -> Self {
        let vocabulary = engine.walker().simulator().vocabulary();
        let declared = (0..).map(PredicateId::from_index).zip(&vocabulary.predicates);
        let declared = declared.filter(|(_, predicate)| !predicate.auxiliary);
        Self {
            predicates: declared
                .map(|(id, predicate)| (predicate.signature.name.to_string(), id))
                .collect(),
            words: Names::of(vocabulary),
            atoms: Vec::new(),
            ids: FxHashMap::default(),
            engine,
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.engine.walker().simulator().vocabulary()
    }

    fn id(&mut self, atom: GroundAtom) -> ObservedId {
        let next = ObservedId::new(self.atoms.len() as u32);
        let id = *self.ids.entry(atom.clone()).or_insert(next);
        if id == next {
            self.atoms.push(atom);
        }
        id
    }

    fn ids(&mut self, atoms: Vec<GroundAtom>) -> Vec<ObservedId> {
        let mut ids: Vec<_> = atoms.into_iter().map(|atom| self.id(atom)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn is_static(&self, (predicate, arguments): &GroundAtom) -> bool {
        let wanted = Fact {
            predicate: *predicate,
            arguments,
        };
        let statics = &self.engine.walker().simulator().task().static_atoms;
        statics.iter().any(|fact| fact == wanted)
    }

    /// The atoms of static predicates.
    fn static_atoms(&self) -> Vec<GroundAtom> {
        let statics = self.engine.walker().simulator().task().static_atoms.iter();
        let kind = |predicate| self.vocabulary().predicate(predicate).kind;
        let statics = statics.filter(|fact| kind(fact.predicate) == PredicateKind::Static);
        statics.map(owned).collect()
    }

    /// The atom that `(name object …)` writes; `None` when it names what is not declared.
    fn parse(&self, text: &str) -> Option<GroundAtom> {
        let mut words = words(text);
        let predicate = *self.predicates.get(words.next()?)?;
        let objects = words.map(|word| self.words.object(word));
        let objects = objects.collect::<Option<Vec<_>>>()?;
        let arity = self.vocabulary().predicate(predicate).signature.parameters.len();
        (objects.len() == arity).then_some((predicate, objects))
    }
}

fn owned(fact: Fact<'_>) -> GroundAtom {
    (fact.predicate, fact.arguments.to_vec())
}

impl Follower for Lifted {
    type State = LiftedState;

    fn initial(&mut self) -> Option<Vec<LiftedState>> {
        let outcomes = self.engine.initial_outcomes().ok()?;
        Some(outcomes.into_iter().map(|outcome| outcome.state).collect())
    }

    fn go_to(&mut self, state: &LiftedState) -> Result<(), PlanningError> {
        self.engine.set_state(state)
    }

    fn go_to_atoms(&mut self, seen: &Seen) -> Result<(), PlanningError> {
        let atoms = seen.known.iter().map(|id| &self.atoms[id.index()]);
        let facts = atoms.map(|(predicate, arguments)| Fact {
            predicate: *predicate,
            arguments,
        });
        let state = self.engine.walker().simulator().state_from_atoms(facts);
        self.engine.set_state(&state)
    }

    fn observe(&mut self, with_statics: bool) -> Vec<ObservedId> {
        let walker = self.engine.walker();
        let kind = |fact: &Fact<'_>| self.vocabulary().predicate(fact.predicate).kind;
        let fluents = walker.state().atoms();
        let fluents = fluents.filter(|fact| kind(fact) != PredicateKind::Action);
        let mut atoms: Vec<_> = fluents.chain(walker.derived()).map(owned).collect();
        if with_statics {
            atoms.extend(self.static_atoms());
        }
        self.ids(atoms)
    }

    fn statics(&mut self) -> Vec<ObservedId> {
        let atoms = self.static_atoms();
        self.ids(atoms)
    }

    fn read<'t>(&mut self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Seen {
        let mut seen = Seen::default();
        let mut known = Vec::new();
        for (place, text) in atoms {
            let atom = self.parse(text);
            match self.words.meaning(self.vocabulary(), text, place) {
                Meaning::Own => {}
                Meaning::Static if atom.as_ref().is_some_and(|atom| self.is_static(atom)) => {}
                Meaning::Unknown | Meaning::Static => seen.unknown.push(text.to_owned()),
                Meaning::Listed => match atom {
                    Some(atom) => known.push(atom),
                    None => seen.unknown.push(text.to_owned()),
                },
            }
        }
        seen.known = self.ids(known);
        seen
    }

    fn names<'i>(&self, atoms: impl IntoIterator<Item = &'i ObservedId>) -> Vec<String> {
        let vocabulary = self.vocabulary();
        let name = |id: &ObservedId| {
            let (predicate, arguments) = &self.atoms[id.index()];
            let head = &vocabulary.predicate(*predicate).signature.name;
            vocabulary.term(head, arguments).to_string()
        };
        let mut names: Vec<_> = atoms.into_iter().map(name).collect();
        names.sort();
        names
    }

    fn valid_actions(&self) -> BTreeSet<String> {
        let mut valid = Vec::new();
        self.engine.fitting_actions(&mut valid);
        let names = valid.into_iter().filter_map(|id| self.engine.action_text(id));
        names.collect()
    }

    fn is_goal(&self) -> bool {
        self.engine.is_goal()
    }

    fn successors(&mut self, action: &str) -> Result<Option<Vec<LiftedState>>, String> {
        let action = self.engine.find_action(action).ok_or("there is no such action")?;
        match self.engine.outcomes(action) {
            Ok(outcomes) => Ok(Some(outcomes.into_iter().map(|outcome| outcome.state).collect())),
            Err(PlanningError::Step(StepError::TooManyOutcomes { .. })) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}
