//! The effects of actions without chance and numbers, laid out for quick stepping.

use std::iter;

use herbrand_ground::{ActionId, Block, BlockId, ConditionId, GroundTask};

use crate::grounded::lists::Lists;
use crate::grounded::propositions::{Propositions, id32};
use crate::grounded::truth::Truth;

/// What each action does to the words of a state, as long as no chance and no numbers have a part in it.
#[derive(Debug)]
pub(crate) enum Moves {
    /// Laid out beforehand.
    Tables(Tables),
    /// Read from the task at each step: with this many actions, tables would be slower to build and to read.
    Read,
}

/// With more actions than these, and no conditional effects, tables are not made.
const MANY_ACTIONS: usize = 1 << 16;

/// The effects of each action, in two forms. A search, which goes to all successors of a state, writes whole words by masks, and
/// hashes them. A walk changes one atom after the other by literals, which take a fraction of the memory: that counts where steps
/// go from task to task, as in a batch over many problems.
#[derive(Debug)]
pub(crate) struct Tables {
    /// For each action, the literals that it makes true, each once, if no action has effects that depend on the state.
    literals: Option<Lists<u32>>,
    masks: Box<MaskTables>,
}

/// The masks of each action, with what depends on the state.
#[derive(Debug)]
struct MaskTables {
    /// For each action, where its masks and parts are; none where chance or numbers have a part in it.
    places: Vec<Option<Place>>,
    /// For each action, one mask for each word that it may change, with what it does in every state.
    masks: Vec<Mask>,
    /// For each action, what it does under conditions.
    parts: Vec<Part>,
    /// For each part of any action, what it does to the words of the action's masks.
    part_masks: Vec<Mask>,
    /// For each condition of any part, its conjunctions.
    conditions: Lists<u32>,
    /// For each conjunction of those, its literals.
    conjunctions: Lists<u32>,
}

/// Where the masks and parts of one action start and end. One look-up finds both.
#[derive(Clone, Copy, Debug)]
struct Place {
    masks: (u32, u32),
    parts: (u32, u32),
}

/// What an action does to one word of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mask {
    /// The word; in the masks of a part, its place among the action's masks.
    pub(crate) word: u32,
    /// The bits that are left as they are.
    pub(crate) keep: u64,
    /// The bits that are set in the end.
    pub(crate) set: u64,
}

impl Mask {
    /// The literals that it makes true.
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

/// Effects under a condition.
#[derive(Clone, Copy, Debug)]
struct Part {
    guard: Guard,
    masks: (u32, u32),
}

/// The condition of a part. Most are single literals, which need no look-up.
#[derive(Clone, Copy, Debug)]
enum Guard {
    Literal(u32),
    Condition(u32),
}

impl Moves {
    /// Lays out the effects of `task`.
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut effects = task.actions.ids().map(|id| task.actions.get(id).effect);
        let plain = |effect| task.effects.get(effect).whens.is_empty();
        if task.actions.len() > MANY_ACTIONS && effects.all(plain) {
            Self::Read
        } else {
            Self::Tables(Tables::new(task, propositions))
        }
    }

    /// The literals that an action makes true, each once; none where they are not laid out.
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

    /// What an action does in a state of these literals, as one mask for each word that may change; `None` when chance
    /// or numbers have a part in it. `buffer` is overwritten.
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
    /// The literals that each action makes true; `None` where those of some action depend on the state.
    fn literals(&self) -> Option<Lists<u32>> {
        let certain = |place: &Option<Place>| {
            let place = place.as_ref().filter(|place| place.parts.0 == place.parts.1)?;
            Some(self.at(place).iter().flat_map(Mask::literals))
        };
        self.places.iter().map(certain).collect()
    }

    /// The masks of an action, without what depends on the state.
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
            // Whether a condition holds is hard to foresee: all bits or none are cheaper than a branch.
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
    parts: Vec<Part>,
    part_masks: Vec<Mask>,
    conditions: Vec<Vec<u32>>,
    conjunctions: Vec<Vec<u32>>,
    /// The number of each condition of the task that is laid out.
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
            self.parts.push(Part { guard, masks });
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

/// Whether effects under a condition only make that condition false: `when p (not p)`. Such effects may happen in every
/// state alike. Where `p` does not hold, deleting it changes nothing. Where `p` holds, adding it under the condition
/// `not p` changes nothing either, unless another one of `all` effects of the action deletes it.
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

/// Whether a block itself is without chance and numbers.
fn is_flat(block: Block<'_>) -> bool {
    block.assignments.is_empty() && block.draws.is_empty()
}

/// The place of the mask for a word, made if there is none.
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
