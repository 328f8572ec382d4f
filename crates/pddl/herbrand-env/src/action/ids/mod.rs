//! Ids that mean the same in every problem of a suite.

mod placed;
mod places;

use std::fmt;
use std::sync::Arc;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Domain, ObjectId, PredicateId, PredicateKind, Problem};

pub(crate) use placed::{Placed, TermIds};
use places::Places;

use crate::action::{AgentActionId, AgentActions, Overflow, TermNumbers};
use crate::observed::{ObservedAtoms, ObservedId};

/// The scope of the ids of actions and observable atoms: one problem or a whole suite. An argument of
/// [`Suite::with_ids`](crate::Suite::with_ids).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ids {
    /// Every problem has its own ids. The default. On the grounded engine they are for the reachable operators (or
    /// every type-correct choice of declared actions) and the reachable atoms; on the lifted engine, for all
    /// type-correct ones.
    #[default]
    Problem,
    /// An id means the same in every problem of the suite. For example, one id means `drive` by the second truck of the
    /// problem to its first depot, whatever their names are. [`SuiteIds`] describes the numbering.
    Suite,
}

/// The maximum number of action ids of a suite. At this size, a mask takes 1 MiB.
const MOST_ACTIONS: u32 = 1 << 20;

/// The maximum number of atom ids of a suite. At this size, an observation takes 16 MiB.
const MOST_ATOMS: u32 = 1 << 24;

/// Ids for the actions and atoms of all problems of a suite. There are enough for its largest problems.
/// [`Suite::ids`](crate::Suite::ids) returns those of a suite after [`Suite::with_ids`](crate::Suite::with_ids) with
/// [`Ids::Suite`].
///
/// Objects are identified by *place*. The domain's constants come first. The other objects follow by declared type, and
/// within a type in order of declaration. A type has as many places as the problem with the most objects of that type.
/// Actions and atoms are numbered by head in order of declaration, with every type-correct choice of places; atoms that can
/// change precede static ones. If a problem lacks an object, actions and atoms with its place are never valid or true.
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
    /// The declared agent actions; `None` if the operators are the actions.
    agent: Option<Arc<AgentActions>>,
    actions: TermNumbers,
    atoms: TermNumbers,
    /// For each predicate of the domain, its head in `atoms`; `None` if it is not observed.
    heads: Vec<Option<u32>>,
    /// For each head, its predicate.
    predicates: Vec<PredicateId>,
    /// The number of atoms that can change.
    changing: usize,
}

/// The error that a suite has too many actions or atoms over all of its problems to be given ids. [`SuiteIds::new`]
/// and [`Suite::with_ids`](crate::Suite::with_ids) return it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "ids over the whole suite: with {head} there are more than {limit} {kind}; number each problem separately, or leave \
     out the largest problems"
)]
pub struct TooManyIds {
    /// The kind and the name of the action or predicate at which the limit is exceeded, such as ``predicate `on` ``.
    pub head: String,
    /// Whether there are too many actions or too many atoms.
    pub kind: Numbered,
    /// The maximum number of ids: 2^20 for actions, 2^24 for atoms.
    pub limit: u32,
}

/// Either kind of term that gets ids: actions or atoms. [`TooManyIds`] names the kind with too many terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbered {
    /// The agent actions.
    Actions,
    /// The observable atoms.
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
    /// Creates ids over these problems of a domain. The actions are those of `agent`, or the operators if it is `None`.
    /// Takes time linear in the number of objects and in the number of places that fit each parameter. The problems
    /// must have been checked against `domain`; others cause a panic or meaningless ids. Without problems, only
    /// constants have places. Usually [`Suite::with_ids`](crate::Suite::with_ids) calls this.
    ///
    /// # Errors
    /// Fails if there are more than 2^20 actions or, checked afterwards, 2^24 atoms.
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

    /// Returns the number of action ids; masks of every problem have this length.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// Returns the number of atom ids, of all atoms or only of the changeable ones. Atoms that can change have the
    /// lower ids. It is the length of the state in rows of [`Bits`](crate::Bits).
    #[must_use]
    pub fn atom_count(&self, part: ObservedAtoms) -> usize {
        match part {
            ObservedAtoms::All => self.atoms.len(),
            ObservedAtoms::Changing => self.changing,
        }
    }

    /// Returns the number of places of objects, which ids use instead of objects. No problem of the suite has more
    /// objects. Constants of the domain count too.
    #[must_use]
    pub fn place_count(&self) -> usize {
        self.places.vocabulary().objects.len()
    }

    /// Formats an action with the names of places as arguments, such as `(drive truck#2 hub depot#1)`. Constants are
    /// written by their own names. `None` if there is no action with this id.
    #[must_use]
    pub fn action_text(&self, id: AgentActionId) -> Option<String> {
        self.action_by(id, |place| self.places.name(place))
    }

    /// Formats an atom with the names of places as arguments, such as `(at truck#2 hub)`; `None` if there is no atom
    /// with this id. Constants are written by their own names.
    #[must_use]
    pub fn atom_text(&self, id: ObservedId) -> Option<String> {
        self.atom_by(id, |place| self.places.name(place))
    }

    /// Formats an action with names of places given by `name`.
    fn action_by<'a>(&'a self, id: AgentActionId, name: impl Fn(ObjectId) -> &'a str) -> Option<String> {
        let (head, places) = self.actions.get(id.number())?;
        let head = match &self.agent {
            Some(agent) => &agent.actions()[head].name,
            None => &self.places.vocabulary().schemas[head].name,
        };
        Some(term(head.as_str(), places.into_iter().map(name)))
    }

    /// Formats an atom with names of places given by `name`.
    fn atom_by<'a>(&'a self, id: ObservedId, name: impl Fn(ObjectId) -> &'a str) -> Option<String> {
        let (head, places) = self.atoms.get(id.number())?;
        let predicate = self.places.vocabulary().predicate(self.predicates[head]);
        Some(term(
            predicate.signature.name.as_str(),
            places.into_iter().map(name),
        ))
    }
}

/// Returns the observed predicates, those of changing atoms first, and the number of the latter.
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

/// Formats a term in PDDL syntax.
fn term<'a>(head: &str, arguments: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("({head}");
    for argument in arguments {
        text.push(' ');
        text.push_str(argument);
    }
    text + ")"
}
