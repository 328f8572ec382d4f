//! The observable atoms of a problem that is not grounded.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use herbrand_ground::{GoalLiteral, Vocabulary};
use herbrand_pddl::{AtomRef, FunctionId, PredicateId, PredicateKind};
use herbrand_step::{LiftedSimulator, LiftedWalker};

use super::{AtomRole, FluentPlaces, InstanceLearningGraph, lifted_numbers};
use crate::action::ids::Placed;
use crate::action::{Overflow, TermNumbers};
use crate::observed::{ObservedAtoms, ObservedId};

/// The observable atoms of a problem that is not grounded, the counterpart of [`AtomSpace`](crate::AtomSpace).
/// [`Lifted::atoms`](crate::Lifted::atoms) returns it. Action predicates and auxiliary predicates of the engine are not
/// observable.
///
/// Ids cover all type-correct atoms, changeable before static ones, ordered by predicate and then by objects. There are
/// therefore more ids than reachable atoms, and the ids mean the same in all problems with the same objects. If the
/// problem uses the ids of a suite, those replace the ids described here.
///
/// ```text
///   predicates   at(?x: 2, ?y: 2)                  lit()   next(?y: 2, ?z: 2), static
///   numbers      0 at(x1,y1)   1 at(x1,y2) … 3      4      5 next(y1,y1) … 8
/// ```
#[derive(Debug)]
pub struct LiftedAtoms {
    simulator: LiftedSimulator,
    /// The ids of a suite, if the problem uses them.
    placed: Option<Placed>,
    /// Computed on first use.
    numbers: OnceLock<Result<Numbers, TooManyAtoms>>,
    goals: OnceLock<Vec<Vec<GoalLiteral>>>,
    fluents: OnceLock<Result<FluentPlaces, TooManyAtoms>>,
}

#[derive(Debug)]
struct Numbers {
    numbers: TermNumbers,
    /// For each predicate, its position among the numbered ones; `None` if it is not observable.
    places: Vec<Option<usize>>,
    /// The number of ids of atoms that can change.
    changing: usize,
}

/// The error that a problem has too many type-correct atoms to be given ids without grounding, or too many numeric fluents.
/// [`LiftedAtoms::len`] returns it, and so do observers that number atoms or numeric fluents.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "with {term} there are more than {limit} atoms or numeric fluents, too many to number without grounding; observe `atoms` or `atoms-one-hot-by-object`, or ground the problem"
)]
pub struct TooManyAtoms {
    /// The predicate or function at which the limit is exceeded, such as ``predicate `on` ``.
    pub term: String,
    /// The maximum number of atoms and of numeric fluents, 2^20.
    pub limit: u32,
}

/// The maximum number of atoms. At this size, an observation takes 1 MiB.
pub(super) const LIMIT: u32 = 1 << 20;

impl LiftedAtoms {
    /// Creates the observable atoms of a problem.
    pub(crate) fn of(simulator: &LiftedSimulator, placed: Option<Placed>) -> Self {
        Self {
            simulator: simulator.clone(),
            placed,
            numbers: OnceLock::new(),
            goals: OnceLock::new(),
            fluents: OnceLock::new(),
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.simulator.vocabulary()
    }

    /// Returns whether atoms of a predicate are observable.
    fn shows(&self, predicate: PredicateId) -> bool {
        let predicate = self.vocabulary().predicate(predicate);
        !predicate.auxiliary && predicate.kind != PredicateKind::Action
    }

    /// Returns the ids of the suite; `None` if the problem has its own.
    pub(crate) const fn places(&self) -> Option<&Placed> {
        self.placed.as_ref()
    }

    /// Returns the places of numeric fluents, for the functions of the domain's states. Computed on first use.
    pub(crate) fn fluent_places(&self, functions: &[FunctionId]) -> Result<&FluentPlaces, TooManyAtoms> {
        let make = || FluentPlaces::new(self.vocabulary(), self.places(), functions);
        self.fluents.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    fn numbers(&self) -> Result<&Numbers, TooManyAtoms> {
        let made = self.numbers.get_or_init(|| Numbers::of(self));
        made.as_ref().map_err(Clone::clone)
    }

    /// Returns the number of atom ids, of all observable atoms or only of the changeable ones. With the ids of a suite,
    /// returns their number over all of its problems and never fails.
    ///
    /// # Errors
    /// Fails if there are more than 2^20 observable atoms, whichever `part` is asked for. The problem can be stepped
    /// all the same, but not observed as bits.
    pub fn len(&self, part: ObservedAtoms) -> Result<usize, TooManyAtoms> {
        if let Some(placed) = &self.placed {
            return Ok(placed.atom_count(part));
        }
        let numbers = self.numbers()?;
        Ok(match part {
            ObservedAtoms::All => numbers.numbers.len(),
            ObservedAtoms::Changing => numbers.changing,
        })
    }

    /// Returns the id of an atom; `None` if it is not observable, not type-correct, or there are too many atoms. The
    /// id is the index of its byte in [`Bits`](crate::Bits). Whether the atom is reachable is not checked.
    #[must_use]
    pub fn number(&self, fact: AtomRef<'_>) -> Option<usize> {
        let number = match &self.placed {
            Some(placed) => placed.atom(fact.predicate, fact.arguments)?,
            None => {
                let numbers = self.numbers().ok()?;
                let place = numbers.places.get(fact.predicate.index()).copied()??;
                numbers.numbers.number(place, fact.arguments)?
            }
        };
        Some(number as usize)
    }

    /// Formats the atom with this id in PDDL syntax; `None` if there is no such id or atoms have no ids. With the ids
    /// of a suite, missing objects are written as places.
    #[must_use]
    pub fn display(&self, number: usize) -> Option<String> {
        let number = u32::try_from(number).ok()?;
        let vocabulary = self.vocabulary();
        if let Some(placed) = &self.placed {
            return placed.atom_text(vocabulary, ObservedId::new(number));
        }
        let numbers = self.numbers().ok()?;
        let (place, arguments) = numbers.numbers.get(number)?;
        let predicate = numbers.places.iter().position(|&one| one == Some(place))?;
        let predicate = vocabulary.predicate(PredicateId::from_index(predicate));
        let name = &predicate.signature.name;
        Some(vocabulary.term(name, &arguments).to_string())
    }

    /// Iterates over the atoms that are true in the current state of `walker`: fluent atoms, then derived ones, then,
    /// with [`ObservedAtoms::All`], the static ones. Each group is in ascending order of predicate and objects. The
    /// walker must belong to the same problem. It works even if atoms have no ids; [`number`](Self::number) gives the
    /// ids.
    pub fn observe<'a>(
        &'a self,
        walker: &'a LiftedWalker,
        part: ObservedAtoms,
    ) -> impl Iterator<Item = AtomRef<'a>> {
        let mut derived: Vec<_> = walker.derived().collect();
        derived.sort_unstable();
        let statics = (part == ObservedAtoms::All).then(|| self.simulator.task().static_atoms.iter());
        let changing = walker.state().atoms().chain(derived);
        let all = changing.chain(statics.into_iter().flatten());
        all.filter(|fact| self.shows(fact.predicate))
    }

    /// Writes the current state of `walker` to the front of `into`, one byte per atom, 1 for true. Returns the number of
    /// bytes written.
    pub(crate) fn write_front(&self, walker: &LiftedWalker, part: ObservedAtoms, into: &mut [u8]) -> usize {
        let used = self.len(part).unwrap_or(0).min(into.len());
        into[..used].fill(0);
        let held = self.observe(walker, part);
        for number in held.filter_map(|fact| self.number(fact)) {
            if let Some(bit) = into[..used].get_mut(number) {
                *bit = 1;
            }
        }
        used
    }

    /// Returns the goal as its disjuncts, each a list of literals over observable atoms. Computed on first use.
    /// Comparisons of numbers, literals with variables and repeated literals are left out. Empty if there is no goal.
    #[must_use]
    pub fn goals(&self) -> &[Vec<GoalLiteral>] {
        self.goals.get_or_init(|| {
            let mut goals = self.simulator.task().goal_literals();
            for goal in &mut goals {
                let mut known = BTreeSet::new();
                goal.retain(|one| self.shows(one.predicate) && known.insert(one.clone()));
            }
            goals
        })
    }

    /// Iterates over the ids of the atoms that the first disjunct of the goal requires.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = usize> {
        let first = self.goals().first().into_iter().flatten();
        let wanted = first.filter(|literal| !literal.negative);
        wanted.filter_map(|literal| self.number(fact(literal)))
    }

    /// Returns the goal literals that do not hold in the current state of `walker`, in PDDL syntax. A disjunctive goal
    /// yields the unsatisfied literals of the disjunct that has the fewest. Empty if the goal holds, if there is none,
    /// or if only comparisons of numbers are unsatisfied. Of disjuncts with equally many, the first counts. Literals
    /// with variables are not listed.
    #[must_use]
    pub fn missing(&self, walker: &LiftedWalker) -> Vec<String> {
        let lacks = |goal: &Vec<GoalLiteral>| {
            let missing = goal.iter().filter(|one| self.holds(walker, one) == one.negative);
            missing.map(|one| self.literal_text(one)).collect::<Vec<_>>()
        };
        let ways = self.goals().iter().map(lacks);
        ways.min_by_key(Vec::len).unwrap_or_default()
    }

    fn holds(&self, walker: &LiftedWalker, literal: &GoalLiteral) -> bool {
        let is_static = self.vocabulary().predicate(literal.predicate).kind == PredicateKind::Static;
        if is_static {
            let mut statics = self.simulator.task().static_atoms.iter();
            statics.any(|one| one == fact(literal))
        } else {
            walker.holds(literal.predicate, &literal.arguments)
        }
    }

    fn literal_text(&self, literal: &GoalLiteral) -> String {
        let vocabulary = self.vocabulary();
        let name = &vocabulary.predicate(literal.predicate).signature.name;
        let atom = vocabulary.term(name, &literal.arguments);
        if literal.negative {
            format!("(not {atom})")
        } else {
            atom.to_string()
        }
    }

    /// Replaces the content of `graph` by the graph of the current state of `walker`, like
    /// [`AtomSpace::graph`](crate::AtomSpace::graph). It works even if atoms have no ids. Unlike there, static atoms
    /// that the goal names have the role [`AtomRole::Achieved`] or [`AtomRole::Forbidden`].
    pub fn graph(&self, walker: &LiftedWalker, part: ObservedAtoms, graph: &mut InstanceLearningGraph) {
        graph.begin(self.vocabulary(), self.places());
        let goal = self.goals().first().map_or(&[][..], Vec::as_slice);
        let role = |held: AtomRef<'_>| match goal.iter().find(|literal| fact(literal) == held) {
            None => AtomRole::Holds,
            Some(literal) if literal.negative => AtomRole::Forbidden,
            Some(_) => AtomRole::Achieved,
        };
        for held in self.observe(walker, part) {
            graph.add(held, role(held));
        }
        let changes = |literal: &GoalLiteral| {
            self.vocabulary().predicate(literal.predicate).kind != PredicateKind::Static
        };
        let wanted = goal
            .iter()
            .filter(|one| !one.negative && changes(one) && !self.holds(walker, one));
        wanted.for_each(|literal| graph.add(fact(literal), AtomRole::Wanted));
        graph.add_numbers(lifted_numbers(walker));
    }

    /// Returns upper bounds on the numbers of nodes and edges of a graph, given the functions of the domain's states.
    ///
    /// # Errors
    /// Fails like [`len`](Self::len).
    pub(crate) fn graph_bounds(
        &self,
        part: ObservedAtoms,
        functions: &[FunctionId],
    ) -> Result<(usize, usize), TooManyAtoms> {
        let (atoms, numbers) = (
            self.len(part)?,
            FluentPlaces::new(self.vocabulary(), self.places(), functions)?.len(),
        );
        let vocabulary = self.vocabulary();
        let most = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let predicates = vocabulary.predicates.iter();
        let arity = most(&mut predicates.map(|one| one.signature.parameters.len()));
        let functions = functions.iter().map(|&id| vocabulary.function(id));
        let of_numbers = most(&mut functions.map(|one| one.parameters.len()));
        let nodes = vocabulary.objects.len() + atoms + numbers;
        Ok((nodes, arity * atoms + of_numbers * numbers))
    }
}

/// Returns the atom of a literal.
fn fact(literal: &GoalLiteral) -> AtomRef<'_> {
    AtomRef {
        predicate: literal.predicate,
        arguments: &literal.arguments,
    }
}

impl Numbers {
    fn of(atoms: &LiftedAtoms) -> Result<Self, TooManyAtoms> {
        let vocabulary = atoms.vocabulary();
        let ids = (0..vocabulary.predicates.len()).map(PredicateId::from_index);
        let (fixed, changing): (Vec<_>, Vec<_>) = ids
            .filter(|&id| atoms.shows(id))
            .partition(|&id| vocabulary.predicate(id).kind == PredicateKind::Static);
        let number = |ids: &[PredicateId]| {
            let signatures = ids.iter().map(|&id| &vocabulary.predicate(id).signature);
            let numbers = TermNumbers::of_signatures(vocabulary, signatures, LIMIT);
            numbers.map_err(|Overflow(predicate)| TooManyAtoms {
                term: format!("predicate `{predicate}`"),
                limit: LIMIT,
            })
        };
        let all = [changing.as_slice(), &fixed].concat();
        let mut places = vec![None; vocabulary.predicates.len()];
        for (place, id) in all.iter().enumerate() {
            places[id.index()] = Some(place);
        }
        Ok(Self {
            changing: number(&changing)?.len(),
            numbers: number(&all)?,
            places,
        })
    }
}
