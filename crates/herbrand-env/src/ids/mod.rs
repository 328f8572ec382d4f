//! Numbers that mean the same in every problem of a suite.

mod placed;
mod places;

use std::fmt;
use std::sync::Arc;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Domain, ObjectId, PredicateId, PredicateKind, Problem};

pub(crate) use placed::{Placed, TermIds};
use places::Places;

use crate::action::{Overflow, TermNumbers};
use crate::{AgentActionId, AgentActions, ObservedId, Part};

/// What the numbers of actions and of observed atoms mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ids {
    /// Every problem numbers its own actions and atoms: those that some reachable state allows or makes true.
    #[default]
    Problem,
    /// A number means the same in every problem of the suite: a schema or predicate with the same places of objects. See
    /// [`SuiteIds`].
    Suite,
}

/// The most actions that are numbered over a suite: a mask of 1 MiB.
const MOST_ACTIONS: u32 = 1 << 20;

/// The most atoms that are numbered over a suite: a row of 16 MiB.
const MOST_ATOMS: u32 = 1 << 24;

/// Numbers for the actions and atoms of all problems of a suite, as large as its largest problems need.
///
/// An object goes by its *place*: the domain's constants first, then the other objects by the type that they are declared
/// with, and within a type in the order of declaration. A type has as many places as the problem with most objects of it.
/// Actions and atoms are numbered by their heads, in order of declaration, with every choice of places of fitting types;
/// atoms that can change come before those that cannot. What a problem has no objects for is never valid and never true.
///
/// ```text
///   places    hub | truck#1 truck#2 truck#3 | depot#1 depot#2 …
///   p01       hub | red     blue    –       | north   –
///   p02       hub | t1      t2      t3      | a       b
///   number 7  (drive truck#2 hub depot#1)     is (drive blue hub north) in p01, (drive t2 hub a) in p02
/// ```
#[derive(Clone, Debug)]
pub struct SuiteIds {
    places: Places,
    /// The agent's declared actions; `None` when the operators are the actions.
    agent: Option<Arc<AgentActions>>,
    actions: TermNumbers,
    atoms: TermNumbers,
    /// By predicate of the domain: its head among `atoms`; `None` for those that are not observed.
    heads: Vec<Option<u32>>,
    /// By head: the predicate.
    predicates: Vec<PredicateId>,
    /// How many atoms can change.
    changing: usize,
}

/// A suite has too many actions or atoms to be numbered over all its problems.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "ids over the whole suite: with {head} there are more than {limit} {kind}; number each problem separately, or leave \
     out the largest problems"
)]
pub struct TooManyIds {
    /// The action or predicate at which the limit is passed.
    pub head: String,
    /// What there are too many of.
    pub kind: Numbered,
    /// The limit.
    pub limit: u32,
}

/// What is numbered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbered {
    /// The agent's actions.
    Actions,
    /// The atoms of observations.
    Atoms,
}

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Actions => "actions",
            Self::Atoms => "observed atoms",
        })
    }
}

impl SuiteIds {
    /// Numbers over these problems of a domain, whose actions are those of the `agent`, or the operators. Takes time linear
    /// in the number of objects, and in the places that fit each parameter.
    ///
    /// # Errors
    /// When there are more than 2^20 actions or 2^24 atoms.
    pub fn new(
        domain: &Domain,
        agent: Option<Arc<AgentActions>>,
        problems: &[Problem],
    ) -> Result<Self, TooManyIds> {
        let places = Places::of(domain, problems);
        let vocabulary = places.vocabulary();
        let actions = match &agent {
            Some(agent) => agent.numbers_within(vocabulary, MOST_ACTIONS),
            None => TermNumbers::of_signatures(vocabulary, vocabulary.schemas.iter(), MOST_ACTIONS),
        };
        let actions = actions.map_err(|Overflow(head)| TooManyIds {
            head: format!("action `{head}`"),
            kind: Numbered::Actions,
            limit: MOST_ACTIONS,
        })?;
        let (predicates, heads_that_change) = observed(vocabulary);
        let signatures = predicates.iter().map(|&id| &vocabulary.predicate(id).signature);
        let atoms = TermNumbers::of_signatures(vocabulary, signatures, MOST_ATOMS);
        let atoms = atoms.map_err(|Overflow(head)| TooManyIds {
            head: format!("predicate `{head}`"),
            kind: Numbered::Atoms,
            limit: MOST_ATOMS,
        })?;
        let mut heads = vec![None; vocabulary.predicates.len()];
        for (head, predicate) in (0..).zip(&predicates) {
            heads[predicate.index()] = Some(head);
        }
        Ok(Self {
            changing: atoms.start(heads_that_change),
            places,
            agent,
            actions,
            atoms,
            heads,
            predicates,
        })
    }

    /// How many actions there are.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// How many atoms there are. Those that can change come first.
    #[must_use]
    pub fn atom_count(&self, part: Part) -> usize {
        match part {
            Part::All => self.atoms.len(),
            Part::Changing => self.changing,
        }
    }

    /// How many places of objects there are.
    #[must_use]
    pub fn place_count(&self) -> usize {
        self.places.vocabulary().objects.len()
    }

    /// An action over places: `(drive truck#2 hub depot#1)`; constants go by their names. `None` if there is none of this
    /// number.
    #[must_use]
    pub fn action_text(&self, id: AgentActionId) -> Option<String> {
        self.action_by(id, |place| self.places.name(place))
    }

    /// An atom over places; `None` if there is none of this number.
    #[must_use]
    pub fn atom_text(&self, id: ObservedId) -> Option<String> {
        self.atom_by(id, |place| self.places.name(place))
    }

    /// An action whose objects are called as `name` says.
    fn action_by<'a>(&'a self, id: AgentActionId, name: impl Fn(ObjectId) -> &'a str) -> Option<String> {
        let (head, places) = self.actions.get(id.number())?;
        let head = match &self.agent {
            Some(agent) => &agent.actions()[head].name,
            None => &self.places.vocabulary().schemas[head].name,
        };
        Some(term(head.as_str(), places.into_iter().map(name)))
    }

    /// An atom whose objects are called as `name` says.
    fn atom_by<'a>(&'a self, id: ObservedId, name: impl Fn(ObjectId) -> &'a str) -> Option<String> {
        let (head, places) = self.atoms.get(id.number())?;
        let predicate = self.places.vocabulary().predicate(self.predicates[head]);
        Some(term(
            predicate.signature.name.as_str(),
            places.into_iter().map(name),
        ))
    }
}

/// The predicates that are observed, those that can change first; and how many can.
fn observed(vocabulary: &Vocabulary) -> (Vec<PredicateId>, usize) {
    let all = vocabulary.predicates.iter().enumerate();
    let of = |change: bool| {
        let kinds = all.clone().filter(move |(_, predicate)| match predicate.kind {
            PredicateKind::Action => false,
            PredicateKind::Static => !change,
            PredicateKind::Fluent | PredicateKind::Derived => change,
        });
        kinds.map(|(index, _)| PredicateId::from_index(index))
    };
    (of(true).chain(of(false)).collect(), of(true).count())
}

/// A head with its arguments as PDDL writes them.
fn term<'a>(head: &str, arguments: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("({head}");
    for argument in arguments {
        text.push(' ');
        text.push_str(argument);
    }
    text + ")"
}
