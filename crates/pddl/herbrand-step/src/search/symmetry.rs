//! Symmetries between objects: exchanging two of them changes nothing but names.

use std::sync::Arc;

use herbrand_core::scramble;
use herbrand_ground::{AtomId, BlockId, ConditionId, ConjunctionId, GroundExpression, GroundTask};
use herbrand_limits::{BudgetExhausted, Meter};
use herbrand_pddl::ObjectId;

/// Groups of interchangeable objects of a ground task. If two objects of a group are exchanged in all atoms of a state, the
/// new state has the same successors and the same distance to the goal, up to this exchange. States that differ only by
/// such exchanges form an *orbit*. [`StateSpace::symmetry`](crate::StateSpace::symmetry) returns the groups of an
/// exploration with [`SpaceOptions::symmetry`](crate::SpaceOptions::symmetry).
///
/// Two objects are interchangeable if the exchange maps the ground actions, with their effects on numbers such as the total cost
/// and the reward, the axioms and the goal to themselves. So objects
/// that the goal names, or of different types, are interchangeable only if that makes no difference. The initial state does
/// not matter. Other symmetries, such as two exchanges that must happen together, are not found. Tasks with conditions on numbers, or with
/// numeric effects by other amounts than constants, have no groups.
#[derive(Clone, Debug)]
pub struct ObjectSymmetry {
    task: Arc<GroundTask>,
    groups: Vec<Vec<ObjectId>>,
    /// The objects of all groups. Their indices are called slots.
    members: Vec<ObjectId>,
    /// For each slot, the first slot of its group.
    first: Vec<u32>,
    /// For each fluent atom, a hash of its predicate and of its arguments that are in no group, and the positions and slots
    /// of the others.
    atoms: Vec<(u64, Vec<(u32, u32)>)>,
}

/// The largest number of permutations of a state that are compared. A state with more is an orbit of its own.
const MOST_LEAVES: u32 = 1000;

/// The numbers of fluent atoms in which an object occurs, by predicate and position.
type Uses = Vec<(u32, usize, u32)>;

/// A disjunction of conjunctions of literals, sorted.
type Condition = Vec<Vec<usize>>;

/// The actions, axioms and the goal of a task after an exchange, in an order that does not depend on names.
#[derive(PartialEq, Eq)]
struct Structure {
    actions: Vec<(u32, Condition, Effect)>,
    axioms: Vec<(AtomId, Vec<usize>)>,
    goal: Condition,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Effect {
    adds: Vec<AtomId>,
    deletes: Vec<AtomId>,
    /// The operator, the target and the bits of the constant of each numeric effect.
    amounts: Vec<(u8, u32, u64)>,
    whens: Vec<(Condition, Effect)>,
    /// The probabilities and effects of the alternatives of each draw.
    draws: Vec<Vec<(u64, Effect)>>,
}

/// A task whose atoms are renamed: `atoms` has the new atom of each.
struct Renamed<'t> {
    task: &'t GroundTask,
    atoms: Vec<AtomId>,
}

impl Renamed<'_> {
    fn conjunction(&self, id: ConjunctionId) -> Option<Vec<usize>> {
        let conjunction = self.task.conditions.get(id);
        let index = |literal: &herbrand_ground::Literal| {
            2 * self.atoms[literal.atom().index()].index() + usize::from(literal.is_negative())
        };
        let mut literals: Vec<_> = conjunction.literals.iter().map(index).collect();
        literals.sort_unstable();
        literals.dedup();
        conjunction.comparisons.is_empty().then_some(literals)
    }

    fn condition(&self, id: ConditionId) -> Option<Condition> {
        let conjunctions = self.task.conditions.conjunctions(id);
        let mut all = conjunctions
            .map(|id| self.conjunction(id))
            .collect::<Option<Vec<_>>>()?;
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    fn effect(&self, id: BlockId) -> Option<Effect> {
        let block = self.task.effects.get(id);
        let renamed = |atoms: &[AtomId]| {
            let mut atoms: Vec<_> = atoms.iter().map(|atom| self.atoms[atom.index()]).collect();
            atoms.sort_unstable();
            atoms
        };
        let amount = |one: &herbrand_ground::GroundAssignment| match self.task.expressions[one.value.index()]
        {
            GroundExpression::Number(value) => {
                Some((one.operator as u8, one.target.number(), value.to_bits()))
            }
            _ => None,
        };
        let when = |&(condition, inner): &(ConditionId, BlockId)| {
            Some((self.condition(condition)?, self.effect(inner)?))
        };
        let draw = |&id: &herbrand_ground::ChanceId| {
            let draw = self.task.effects.draw(id);
            let alternatives = draw.blocks.iter().enumerate();
            alternatives
                .map(|(index, &block)| Some((draw.distribution.share(index).to_bits(), self.effect(block)?)))
                .collect::<Option<Vec<_>>>()
        };
        let mut effect = Effect {
            adds: renamed(block.adds),
            deletes: renamed(block.deletes),
            amounts: block.assignments.iter().map(amount).collect::<Option<_>>()?,
            whens: block.whens.iter().map(when).collect::<Option<_>>()?,
            draws: block.draws.iter().map(draw).collect::<Option<_>>()?,
        };
        effect.amounts.sort_unstable();
        effect.whens.sort_unstable();
        effect.draws.sort_unstable();
        Some(effect)
    }

    /// Returns the structure; `None` if it depends on numbers.
    fn structure(&self) -> Option<Structure> {
        let action = |id| {
            let action = self.task.actions.get(id);
            let precondition = self.condition(action.precondition)?;
            Some((action.schema.number(), precondition, self.effect(action.effect)?))
        };
        let axiom = |axiom: &herbrand_ground::GroundAxiom| {
            Some((self.atoms[axiom.head.index()], self.conjunction(axiom.body)?))
        };
        let mut structure = Structure {
            actions: self.task.actions.ids().map(action).collect::<Option<_>>()?,
            axioms: self.task.axioms.iter().map(axiom).collect::<Option<_>>()?,
            goal: self.condition(self.task.goal)?,
        };
        structure.actions.sort_unstable();
        structure.axioms.sort_unstable();
        Some(structure)
    }
}

/// Returns the atom of the same predicate in which each argument is replaced.
fn replaced(task: &GroundTask, id: AtomId, new: impl Fn(ObjectId) -> ObjectId) -> Option<AtomId> {
    let atom = task.atoms.get(id.index())?;
    let arguments: Vec<_> = atom.arguments.iter().map(|&argument| new(argument)).collect();
    task.find_atom(atom.predicate, &arguments)
}

/// Returns whether two objects are interchangeable.
fn is_exchange(task: &GroundTask, own: &Structure, one: ObjectId, other: ObjectId) -> bool {
    let exchanged = |object: ObjectId| match object {
        _ if object == one => other,
        _ if object == other => one,
        _ => object,
    };
    let names = |numeric: &herbrand_ground::Numeric| {
        let mut arguments = numeric.arguments.iter();
        arguments.any(|argument| [one, other].contains(argument))
    };
    if task.numerics.iter().any(names) {
        return false;
    }
    // Most exchanges fail here.
    let is_kept = |id| {
        let action = task.actions.get(id);
        let arguments: Vec<_> = action
            .arguments
            .iter()
            .map(|&argument| exchanged(argument))
            .collect();
        arguments == action.arguments || task.find_action(action.schema, &arguments).is_some()
    };
    if !task.actions.ids().all(is_kept) {
        return false;
    }
    let atoms = (0..task.atom_count()).map(AtomId::from_index);
    let new =
        |atom| replaced(task, atom, exchanged).filter(|&new| task.is_derived(new) == task.is_derived(atom));
    let Some(atoms) = atoms.map(new).collect::<Option<Vec<_>>>() else {
        return false;
    };
    Renamed { task, atoms }.structure().as_ref() == Some(own)
}

impl ObjectSymmetry {
    /// Finds the interchangeable objects of a task.
    pub(crate) fn of(task: &Arc<GroundTask>, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let atoms = (0..task.atom_count()).map(AtomId::from_index).collect();
        let own = Renamed { task, atoms }.structure();
        let mut uses: Vec<(ObjectId, Uses)> = Vec::new();
        let mut places: Vec<(ObjectId, u32, usize)> = Vec::new();
        for atom in task.atoms.iter().take(task.fluent_count()) {
            let arguments = atom.arguments.iter().enumerate();
            places.extend(arguments.map(|(place, &object)| (object, atom.predicate.number(), place)));
        }
        places.sort_unstable();
        for of_object in places.chunk_by(|one, other| one.0 == other.0) {
            let counts = of_object.chunk_by(|one, other| one == other);
            let counts = counts.map(|equal| (equal[0].1, equal[0].2, equal.len() as u32));
            uses.push((of_object[0].0, counts.collect()));
        }
        let mut groups: Vec<(usize, Vec<ObjectId>)> = Vec::new();
        for (index, (object, counts)) in uses.iter().enumerate() {
            let Some(own) = &own else { break };
            let mut fits = None;
            for (place, (first, group)) in groups.iter().enumerate() {
                if uses[*first].1 == *counts {
                    meter.check()?;
                    if is_exchange(task, own, group[0], *object) {
                        fits = Some(place);
                        break;
                    }
                }
            }
            match fits {
                Some(place) => groups[place].1.push(*object),
                None => groups.push((index, vec![*object])),
            }
        }
        let groups = groups.into_iter().map(|(_, group)| group);
        Ok(Self::with_groups(
            task,
            groups.filter(|group| group.len() > 1).collect(),
        ))
    }

    /// Returns no groups.
    pub(crate) fn none(task: &Arc<GroundTask>) -> Self {
        Self::with_groups(task, Vec::new())
    }

    fn with_groups(task: &Arc<GroundTask>, groups: Vec<Vec<ObjectId>>) -> Self {
        let members = groups.concat();
        let mut first = Vec::with_capacity(members.len());
        for group in &groups {
            first.extend(std::iter::repeat_n(first.len() as u32, group.len()));
        }
        let atoms = task.atoms.iter().take(task.fluent_count()).map(|atom| {
            let mut hash = scramble(u64::from(atom.predicate.number()));
            let mut slots = Vec::new();
            for (place, argument) in (0..).zip(atom.arguments) {
                match members.iter().position(|member| member == argument) {
                    Some(slot) => slots.push((place, slot as u32)),
                    None => hash = mixed(hash, u64::from(place) << 32 | u64::from(argument.number())),
                }
            }
            (hash, slots)
        });
        Self {
            task: Arc::clone(task),
            atoms: atoms.collect(),
            groups,
            members,
            first,
        }
    }

    /// Returns the groups of at least two interchangeable objects, each ascending.
    #[must_use]
    pub fn groups(&self) -> &[Vec<ObjectId>] {
        &self.groups
    }

    /// Returns the index of the fluent atom in which each slot is replaced by another one.
    fn moved(&self, index: usize, new: impl Fn(u32) -> usize) -> Option<usize> {
        let slots = &self.atoms[index].1;
        if slots.is_empty() {
            return Some(index);
        }
        let atom = self.task.atoms.get(index)?;
        let mut arguments = atom.arguments.to_vec();
        for &(place, slot) in slots {
            arguments[place as usize] = self.members[new(slot)];
        }
        let found = self.task.find_atom(atom.predicate, &arguments)?;
        Some(found.index())
    }

    /// Returns the canonical form of a state, which is the same for all states of its orbit; `None` if it would take too
    /// many permutations. So it is for all states of the orbit.
    pub(crate) fn canonical(&self, words: &[u64]) -> Option<Vec<u64>> {
        if self.groups.is_empty() {
            return Some(words.to_vec());
        }
        let is_true = |&index: &usize| words[index / 64] >> (index % 64) & 1 == 1;
        let mut search = Search {
            symmetry: self,
            words,
            held: (0..self.atoms.len()).filter(is_true).collect(),
            best: None,
            leaves: 0,
        };
        search.descend(self.first.clone());
        search.best.filter(|_| search.leaves <= MOST_LEAVES)
    }
}

/// Adds a word to a hash.
fn mixed(hash: u64, word: u64) -> u64 {
    scramble(hash.rotate_left(7) ^ scramble(word))
}

/// A search for the least permutation of a state, by individualisation and refinement of colours: McKay and Piperno,
/// "Practical graph isomorphism, II", 2014. The colour of a slot is the number of slots with a smaller colour, so at the end
/// it is the slot whose place it takes.
struct Search<'s> {
    symmetry: &'s ObjectSymmetry,
    words: &'s [u64],
    /// The fluent atoms that are true.
    held: Vec<usize>,
    best: Option<Vec<u64>>,
    leaves: u32,
}

impl Search<'_> {
    fn descend(&mut self, mut colours: Vec<u32>) {
        if self.leaves > MOST_LEAVES {
            return;
        }
        self.refine(&mut colours);
        let sizes = counts(&colours);
        let Some(colour) = (0..)
            .zip(&sizes)
            .find(|(_, size)| **size > 1)
            .map(|(colour, _)| colour)
        else {
            self.leaves += 1;
            let image = self.image(&colours);
            if self.best.as_ref().is_none_or(|best| image < *best) {
                self.best = Some(image);
            }
            return;
        };
        let cell: Vec<usize> = (0..colours.len())
            .filter(|&slot| colours[slot] == colour)
            .collect();
        // If all exchanges with the first slot leave the state as it is, any order of the slots gives the same state.
        if cell[1..].iter().all(|&other| self.are_twins(cell[0], other)) {
            let places = (colour..).zip(&cell);
            places.for_each(|(place, &slot)| colours[slot] = place);
            return self.descend(colours);
        }
        let mut tried: Vec<usize> = Vec::new();
        for &slot in &cell {
            // Of slots whose exchange leaves the state as it is, one is enough.
            if tried.iter().any(|&other| self.are_twins(slot, other)) {
                continue;
            }
            tried.push(slot);
            let mut next = colours.clone();
            cell.iter()
                .filter(|&&other| other != slot)
                .for_each(|&other| next[other] = colour + 1);
            self.descend(next);
        }
    }

    /// Gives different colours to slots that occur in different numbers of atoms with these colours, until nothing changes.
    fn refine(&self, colours: &mut Vec<u32>) {
        loop {
            let mut sums = vec![0_u64; colours.len()];
            for &index in &self.held {
                let (hash, slots) = &self.symmetry.atoms[index];
                let hash = slots.iter().fold(*hash, |hash, &(place, slot)| {
                    mixed(hash, u64::from(place) << 32 | u64::from(colours[slot as usize]))
                });
                for &(place, slot) in slots {
                    let sum = &mut sums[slot as usize];
                    *sum = sum.wrapping_add(mixed(hash, u64::from(place)));
                }
            }
            let key = |slot: usize| (colours[slot], sums[slot]);
            let mut order: Vec<usize> = (0..colours.len()).collect();
            order.sort_unstable_by_key(|&slot| key(slot));
            let mut next = vec![0; colours.len()];
            for place in 0..order.len() {
                let slot = order[place];
                let equal = place > 0 && key(order[place - 1]) == key(slot);
                next[slot] = if equal {
                    next[order[place - 1]]
                } else {
                    place as u32
                };
            }
            if next == *colours {
                return;
            }
            *colours = next;
        }
    }

    /// Returns whether the exchange of two slots leaves the state as it is.
    fn are_twins(&self, one: usize, other: usize) -> bool {
        let exchanged = |slot: u32| match slot as usize {
            slot if slot == one => other,
            slot if slot == other => one,
            slot => slot,
        };
        self.held.iter().all(|&index| {
            let mut slots = self.symmetry.atoms[index].1.iter();
            let is_same = slots.all(|&(_, slot)| exchanged(slot) == slot as usize);
            let new = || self.symmetry.moved(index, exchanged);
            is_same || new().is_some_and(|atom| self.words[atom / 64] >> (atom % 64) & 1 == 1)
        })
    }

    /// Returns the state in which each slot takes the place that its colour says.
    fn image(&self, colours: &[u32]) -> Vec<u64> {
        // Numbers have no interchangeable arguments.
        let mut words = self.words.to_vec();
        words[..self.symmetry.atoms.len().div_ceil(64)].fill(0);
        for &index in &self.held {
            let new = self.symmetry.moved(index, |slot| colours[slot as usize] as usize);
            let atom = new.unwrap_or(index);
            words[atom / 64] |= 1 << (atom % 64);
        }
        words
    }
}

/// Returns the number of slots of each colour.
fn counts(colours: &[u32]) -> Vec<u32> {
    let mut sizes = vec![0; colours.len()];
    colours.iter().for_each(|&colour| sizes[colour as usize] += 1);
    sizes
}
