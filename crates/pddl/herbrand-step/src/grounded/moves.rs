//! Precomputed effects of actions without chance and numeric effects.

use std::iter;

use herbrand_ground::{ActionId, Block, BlockId, ConditionId, GroundTask};

use crate::grounded::lists::Lists;
use crate::grounded::propositions::{Propositions, id32};
use crate::grounded::truth::Truth;

/// The effects of each action on the words of a state, for actions without chance and numeric effects.
#[derive(Debug)]
pub(crate) enum Moves {
    /// Precomputed.
    Tables(Tables),
    /// Read from the task at each step: with this many actions, tables would be slower to build and to read.
    Read,
}

/// Above this number of actions, no tables are built unless there are conditional effects.
const MANY_ACTIONS: usize = 1 << 16;

/// The effects of each action in two forms. Masks write whole words: a search, which visits all successors of a state,
/// applies and hashes them. Literals change one atom at a time and take a fraction of the memory, which matters for walks
/// that alternate between many tasks, as in a batch.
#[derive(Debug)]
pub(crate) struct Tables {
    /// For each action, the literals that it makes true, each once. `None` if the effects of some action depend on the
    /// state.
    literals: Option<Lists<u32>>,
    masks: Box<MaskTables>,
}

/// The masks of each action, including conditional effects.
#[derive(Debug)]
struct MaskTables {
    /// For each action, the ranges of its masks and parts. `None` if it has draws or numeric effects.
    places: Vec<Option<Place>>,
    /// For each action, the unconditional effects: one mask per word that the action may change.
    masks: Vec<Mask>,
    /// For each action, its conditional effects.
    parts: Vec<ConditionalEffect>,
    /// For each part, its effects on the words of the action's masks.
    part_masks: Vec<Mask>,
    /// For each condition of a part, its conjunctions.
    conditions: Lists<u32>,
    /// For each conjunction of these conditions, its literals.
    conjunctions: Lists<u32>,
}

/// The ranges of the masks and parts of one action, stored together so that one look-up finds both.
#[derive(Clone, Copy, Debug)]
struct Place {
    masks: (u32, u32),
    parts: (u32, u32),
}

/// The effect of an action on one word of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mask {
    /// The index of the word; for masks of a part, the index of the action's mask for that word.
    pub(crate) word: u32,
    /// The bits that keep their value.
    pub(crate) keep: u64,
    /// The bits that are set afterwards.
    pub(crate) set: u64,
}

impl Mask {
    /// The literals that the mask makes true.
    fn literals(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { word, keep, set } = *self;
        let mut rest = set | !keep;
        iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some((word * 64 + bit) * 2 + u32::from(set >> bit & 1 == 0))
        })
    }
}

/// A conditional effect.
#[derive(Clone, Copy, Debug)]
struct ConditionalEffect {
    guard: Guard,
    masks: (u32, u32),
}

/// The condition of a part. Most conditions are single literals, which need no look-up.
#[derive(Clone, Copy, Debug)]
enum Guard {
    Literal(u32),
    Condition(u32),
}

impl Moves {
    /// Precomputes the effects of `task`.
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut effects = task.actions.ids().map(|id| task.actions.get(id).effect);
        let plain = |effect| task.effects.get(effect).whens.is_empty();
        if task.actions.len() > MANY_ACTIONS && effects.all(plain) {
            Self::Read
        } else {
            Self::Tables(Tables::new(task, propositions))
        }
    }

    /// Returns the literals that an action makes true, each once. Empty if they are not precomputed.
    #[inline]
    pub(crate) fn literals(&self, action: ActionId) -> &[u32] {
        match self {
            Self::Tables(Tables {
                literals: Some(literals),
                ..
            }) => literals.get(action.index()),
            _ => &[],
        }
    }

    /// Returns the effects of an action in the state described by `truth`, as one mask per word that may change. `None` if
    /// the action has draws or numeric effects. `buffer` is overwritten.
    #[inline]
    pub(crate) fn masks<'a>(
        &'a self,
        task: &GroundTask,
        action: ActionId,
        truth: &Truth,
        buffer: &'a mut Vec<Mask>,
    ) -> Option<&'a [Mask]> {
        match self {
            Self::Tables(tables) => tables.masks.of(action, truth, buffer),
            Self::Read => {
                let block = task.effects.get(task.actions.get(action).effect);
                if !is_flat(block) {
                    return None;
                }
                buffer.clear();
                set_masks(buffer, block);
                Some(buffer)
            }
        }
    }
}

impl Tables {
    fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut drafts = Drafts::default();
        for id in task.actions.ids() {
            drafts.action(task, propositions, task.actions.get(id).effect);
        }
        let masks = MaskTables {
            places: drafts.places,
            masks: drafts.masks,
            parts: drafts.parts,
            part_masks: drafts.part_masks,
            conditions: drafts.conditions.into_iter().collect(),
            conjunctions: drafts.conjunctions.into_iter().collect(),
        };
        Self {
            literals: masks.literals(),
            masks: Box::new(masks),
        }
    }
}

impl MaskTables {
    /// The literals that each action makes true. `None` if the effects of some action depend on the state.
    fn literals(&self) -> Option<Lists<u32>> {
        let certain = |place: &Option<Place>| {
            let place = place.as_ref().filter(|place| place.parts.0 == place.parts.1)?;
            Some(self.at(place).iter().flat_map(Mask::literals))
        };
        self.places.iter().map(certain).collect()
    }

    /// The unconditional masks of an action.
    #[inline]
    fn at(&self, place: &Place) -> &[Mask] {
        &self.masks[place.masks.0 as usize..place.masks.1 as usize]
    }

    #[inline]
    fn of<'a>(&'a self, action: ActionId, truth: &Truth, buffer: &'a mut Vec<Mask>) -> Option<&'a [Mask]> {
        let place = self.places[action.index()]?;
        let masks = self.at(&place);
        if place.parts.0 == place.parts.1 {
            return Some(masks);
        }
        let parts = &self.parts[place.parts.0 as usize..place.parts.1 as usize];
        buffer.clear();
        buffer.extend_from_slice(masks);
        for part in parts {
            let holds = match part.guard {
                Guard::Literal(literal) => truth.holds(literal),
                Guard::Condition(condition) => self.holds(condition, truth),
            };
            // The truth of a condition is hard to predict, so selecting all bits or none is cheaper than a branch.
            let chosen = u64::from(holds).wrapping_neg();
            for mask in &self.part_masks[part.masks.0 as usize..part.masks.1 as usize] {
                let all = &mut buffer[mask.word as usize];
                all.keep &= mask.keep | !chosen;
                all.set |= mask.set & chosen;
            }
        }
        Some(buffer)
    }

    #[inline]
    fn holds(&self, condition: u32, truth: &Truth) -> bool {
        let fulfilled = |&conjunction: &u32| {
            let literals = self.conjunctions.get(conjunction as usize);
            literals.iter().all(|&literal| truth.holds(literal))
        };
        self.conditions.get(condition as usize).iter().any(fulfilled)
    }
}

#[derive(Default)]
struct Drafts {
    places: Vec<Option<Place>>,
    masks: Vec<Mask>,
    parts: Vec<ConditionalEffect>,
    part_masks: Vec<Mask>,
    conditions: Vec<Vec<u32>>,
    conjunctions: Vec<Vec<u32>>,
    /// For each condition of the task that was added, its index in `conditions`.
    numbers: fxhash::FxHashMap<ConditionId, u32>,
}

impl Drafts {
    fn action(&mut self, task: &GroundTask, propositions: &Propositions, effect: BlockId) {
        let block = task.effects.get(effect);
        let inner: Vec<Block<'_>> = block
            .whens
            .iter()
            .map(|&(_, inner)| task.effects.get(inner))
            .collect();
        let covered = is_flat(block)
            && inner
                .iter()
                .all(|block| is_flat(*block) && block.whens.is_empty());
        if !covered {
            return self.places.push(None);
        }
        let mut masks = Vec::new();
        let first_part = id32(self.parts.len());
        set_masks(&mut masks, block);
        for (&(condition, _), &part) in block.whens.iter().zip(&inner) {
            let guard = self.guard(task, propositions, condition);
            if only_undoes(guard, part, || inner.iter().chain([&block])) {
                set_masks(&mut masks, part);
                continue;
            }
            let mut own = Vec::new();
            set_masks(&mut own, part);
            own.iter_mut()
                .for_each(|mask| mask.word = place_of(&mut masks, mask.word));
            let first = id32(self.part_masks.len());
            self.part_masks.extend(own);
            let masks = (first, id32(self.part_masks.len()));
            self.parts.push(ConditionalEffect { guard, masks });
        }
        let first_mask = id32(self.masks.len());
        self.masks.extend(masks);
        self.places.push(Some(Place {
            masks: (first_mask, id32(self.masks.len())),
            parts: (first_part, id32(self.parts.len())),
        }));
    }

    fn guard(&mut self, task: &GroundTask, propositions: &Propositions, id: ConditionId) -> Guard {
        let mut conjunctions = task.conditions.conjunctions(id);
        if let (Some(only), None) = (conjunctions.next(), conjunctions.next())
            && let [literal] = *propositions.literals(task, only)
        {
            return Guard::Literal(literal);
        }
        Guard::Condition(self.condition(task, propositions, id))
    }

    fn condition(&mut self, task: &GroundTask, propositions: &Propositions, id: ConditionId) -> u32 {
        if let Some(&number) = self.numbers.get(&id) {
            return number;
        }
        let number = id32(self.conditions.len());
        self.numbers.insert(id, number);
        let start = id32(self.conjunctions.len());
        let conjunctions = task.conditions.conjunctions(id);
        self.conjunctions
            .extend(conjunctions.map(|id| propositions.literals(task, id)));
        self.conditions
            .push((start..id32(self.conjunctions.len())).collect());
        number
    }
}

/// Returns whether a conditional effect only makes its own condition false, as in `when p (not p)`. Such an effect may be
/// applied unconditionally: if `p` does not hold, deleting it changes nothing. Likewise `when (not p) p`: if `p` holds,
/// adding it changes nothing, unless another of `all` the effects of the action deletes it.
fn only_undoes<'a, I: Iterator<Item = &'a Block<'a>>>(
    guard: Guard,
    part: Block<'_>,
    all: impl FnOnce() -> I,
) -> bool {
    let Guard::Literal(literal) = guard else {
        return false;
    };
    match (part.adds, part.deletes) {
        ([], [atom]) => atom.number() * 2 == literal,
        ([atom], []) => atom.number() * 2 + 1 == literal && all().all(|block| !block.deletes.contains(atom)),
        _ => false,
    }
}

/// Returns whether a block has neither draws nor numeric effects, not counting nested blocks.
fn is_flat(block: Block<'_>) -> bool {
    block.assignments.is_empty() && block.draws.is_empty()
}

/// Returns the index of the mask for a word, after adding one if it is missing.
fn place_of(masks: &mut Vec<Mask>, word: u32) -> u32 {
    let place = masks
        .iter()
        .position(|mask| mask.word == word)
        .unwrap_or_else(|| {
            masks.push(Mask {
                word,
                keep: u64::MAX,
                set: 0,
            });
            masks.len() - 1
        });
    id32(place)
}

fn set_masks(masks: &mut Vec<Mask>, block: Block<'_>) {
    for atom in block.deletes {
        let place = place_of(masks, atom.number() / 64);
        masks[place as usize].keep &= !(1 << (atom.number() % 64));
    }
    for atom in block.adds {
        let place = place_of(masks, atom.number() / 64);
        masks[place as usize].set |= 1 << (atom.number() % 64);
    }
}
