//! The preconditions of a task, indexed for maintaining their truth from step to step.

use herbrand_ground::{ActionId, AtomId, BlockId, GroundTask};

use crate::grounded::bits::words_for;
use crate::grounded::lists::Lists;
use crate::grounded::order::sort_rows;
use crate::grounded::products::Products;
use crate::grounded::propositions::{Propositions, id32};
use crate::grounded::rows::RowTable;
use crate::grounded::state::{ClosedState, Valuation};
use crate::semantics::options::Matching;

/// The conjunctions of all preconditions, called *rows*, numbered so that the rows of a literal are bit masks.
///
/// In small networks, the first row of each action has the action's number; further rows of the same action start at a word
/// boundary after all actions. In large networks, rows are numbered as by [`sort_rows`], followed by the parts of
/// [`Products`].
///
/// The fields that every step of a small network reads come first.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Network {
    /// For each literal, the rows that contain it.
    pub(crate) needs: Lists<Members>,
    pub(crate) actions: usize,
    small: bool,
    /// Whether some action has more than one row.
    pub(crate) several: bool,
    /// The action of each row; `None` if every row has the number of its action.
    pub(crate) action_of: Option<Vec<u32>>,
    /// For each word of rows, the bits that are not the number of a row.
    pub(crate) padding: Vec<u64>,
    pub(crate) method: Method,
    pub(crate) products: Products,
}

/// Some rows whose numbers are in the same word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Members {
    pub(crate) word: u32,
    pub(crate) bits: u64,
}

/// How the fulfilled rows are maintained.
///
/// Counting updates every row that contains a changed literal, 64 rows at a time; watching updates few rows, one at a time.
/// Counting is faster unless the rows of a literal are spread over many words.
#[derive(Debug)]
pub(crate) enum Method {
    /// Counting, with this many bits per count.
    Count(u32),
    /// Watching one literal of each row. The literals of each row are stored here, rarest first.
    Watch(Lists<u32>),
}

/// The largest average number of words that the effects of an action may touch if counting is to be used.
const COUNTING_LIMIT: usize = 128;

/// The largest number of actions, evenly spaced, from which the average is computed.
const SAMPLE: usize = 1 << 14;

/// The largest number of words of rows in a small network.
const SMALL: usize = 32;

impl Network {
    /// Indexes the preconditions of `task`. `initial` is its initial state.
    pub(crate) fn new(
        task: &GroundTask,
        propositions: &Propositions,
        initial: &ClosedState<'_>,
        matching: Matching,
    ) -> Self {
        let literals = propositions.len() * 2;
        let rows = RowTable::of(task, propositions);
        let several = rows.has_several();
        let (mut products, rows) = Products::take_out(task, initial, rows);
        let few = rows.len().max(task.actions.len()) <= SMALL * 64;
        if few && products.tables.is_empty() {
            return Self::of_few(task, literals, initial, matching, &rows);
        }
        let mut rows = sort_rows(task, literals, rows);
        let numbers = products.number(&mut rows);
        let needs = needs(literals, &rows, &numbers);
        Self {
            actions: task.actions.len(),
            padding: padding(0, &numbers),
            method: Method::choose(task, &needs, &rows, &numbers, initial, matching),
            needs,
            action_of: action_of(&rows, &numbers),
            several,
            products,
            small: false,
        }
    }

    /// Creates a network of few rows. It is small unless its rows are maintained by watching.
    fn of_few(
        task: &GroundTask,
        literals: usize,
        initial: &ClosedState<'_>,
        matching: Matching,
        rows: &RowTable,
    ) -> Self {
        let plain: Vec<u32> = (0..id32(rows.len())).collect();
        let method = Method::choose(
            task,
            &needs(literals, rows, &plain),
            rows,
            &plain,
            initial,
            matching,
        );
        let small = matches!(method, Method::Count(_));
        let (numbers, bits) = if small {
            (in_layers(task.actions.len(), rows), task.actions.len())
        } else {
            (plain, 0)
        };
        Self {
            actions: task.actions.len(),
            padding: padding(bits, &numbers),
            needs: needs(literals, rows, &numbers),
            action_of: action_of(rows, &numbers),
            several: rows.has_several(),
            method,
            products: Products::none(),
            small,
        }
    }

    /// Returns whether the network is so small that a step updates all rows rather than the changed ones.
    pub(crate) fn is_small(&self) -> bool {
        self.small
    }

    /// Returns whether a number is the number of a row.
    pub(crate) fn is_row(&self, number: u32) -> bool {
        self.padding[number as usize / 64] >> (number % 64) & 1 == 0
    }
}

/// The numbers of the rows of a small network.
fn in_layers(actions: usize, rows: &RowTable) -> Vec<u32> {
    let mut next = id32(actions.next_multiple_of(64));
    let mut previous = None;
    let number = |&action: &u32| {
        if previous.replace(action) != Some(action) {
            return action;
        }
        next += 1;
        next - 1
    };
    rows.actions.iter().map(number).collect()
}

/// For each literal, the rows that contain it, as bit masks over `numbers`.
fn needs(literals: usize, rows: &RowTable, numbers: &[u32]) -> Lists<Members> {
    let mut order: Vec<u32> = (0..id32(rows.len())).collect();
    if !numbers.is_sorted() {
        order.sort_by_key(|&row| numbers[row as usize]);
    }
    // For each literal, the word of the last row that contains it.
    let mut last = vec![u32::MAX; literals];
    let mut lengths = vec![0; literals];
    for &row in &order {
        let word = numbers[row as usize] / 64;
        for &literal in rows.literals.get(row as usize) {
            let is_new = std::mem::replace(&mut last[literal as usize], word) != word;
            lengths[literal as usize] += u32::from(is_new);
        }
    }
    let mut needs = Lists::of_lengths(
        &lengths,
        Members {
            word: u32::MAX,
            bits: 0,
        },
    );
    // For each literal, the number of words filled so far.
    let mut filled = lengths;
    filled.fill(0);
    for &row in &order {
        let number = numbers[row as usize];
        for &literal in rows.literals.get(row as usize) {
            let filled = &mut filled[literal as usize];
            let members = needs.get_mut(literal as usize);
            let at = match filled.checked_sub(1) {
                Some(at) if members[at as usize].word == number / 64 => at as usize,
                _ => {
                    *filled += 1;
                    members[*filled as usize - 1].word = number / 64;
                    *filled as usize - 1
                }
            };
            members[at].bits |= 1 << (number % 64);
        }
    }
    needs
}

/// The unused bits of words that cover all `numbers` and at least `bits` bits.
fn padding(bits: usize, numbers: &[u32]) -> Vec<u64> {
    let mut padding = vec![u64::MAX; words_for(bits.max(bound(numbers)))];
    for number in numbers {
        padding[*number as usize / 64] &= !(1 << (number % 64));
    }
    padding
}

/// The action of each row; `None` if every row has the number of its action.
fn action_of(rows: &RowTable, numbers: &[u32]) -> Option<Vec<u32>> {
    if rows.actions == numbers {
        return None;
    }
    let mut actions = vec![u32::MAX; bound(numbers)];
    for (&action, &number) in rows.actions.iter().zip(numbers) {
        actions[number as usize] = action;
    }
    Some(actions)
}

/// The smallest number greater than all `numbers`.
fn bound(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&last| last as usize + 1)
}

impl Method {
    fn choose(
        task: &GroundTask,
        needs: &Lists<Members>,
        rows: &RowTable,
        numbers: &[u32],
        initial: &ClosedState<'_>,
        matching: Matching,
    ) -> Self {
        let longest = rows.literals.iter().map(<[u32]>::len).max().unwrap_or(0);
        let count = match matching {
            Matching::Automatic => is_cheap(task, needs),
            Matching::Counting => true,
            Matching::Watching => false,
        };
        // Counts have at most eight bits.
        if count && longest < 256 {
            return Self::Count(usize::BITS - longest.leading_zeros());
        }
        let frequency = frequency(task, initial);
        let rarity = |literal: u32| {
            let truth = frequency.get(literal as usize / 2).copied().unwrap_or(0.5);
            if literal.is_multiple_of(2) {
                truth
            } else {
                1.0 - truth
            }
        };
        let mut watched = Lists::default();
        watched.reserve(bound(numbers), rows.literals.items_len());
        let mut literals = Vec::with_capacity(longest);
        for (row, &number) in rows.literals.iter().zip(numbers) {
            (watched.len()..number as usize).for_each(|_| watched.push([]));
            literals.clear();
            literals.extend_from_slice(row);
            literals.sort_by(|&a, &b| rarity(a).total_cmp(&rarity(b)));
            watched.push(literals.iter().copied());
        }
        Self::Watch(watched)
    }
}

/// Returns whether counting touches few words in an average step.
fn is_cheap(task: &GroundTask, needs: &Lists<Members>) -> bool {
    let stride = task.actions.len().div_ceil(SAMPLE).max(1);
    let sample = (0..task.actions.len()).step_by(stride).map(ActionId::from_index);
    let count = sample.len();
    let effects = sample.map(|id| task.actions.get(id).effect);
    let words: usize = effects.map(|effect| touched(task, needs, effect)).sum();
    words <= COUNTING_LIMIT * count
}

/// Counts the words of rows touched by the atoms in a block and all nested blocks.
fn touched(task: &GroundTask, needs: &Lists<Members>, block: BlockId) -> usize {
    let words = |atom: &AtomId| needs.get(atom.index() * 2).len() + needs.get(atom.index() * 2 + 1).len();
    let block = task.effects.get(block);
    let own: usize = block.adds.iter().chain(block.deletes).map(words).sum();
    let whens = block.whens.iter().map(|&(_, inner)| inner);
    let draws = block
        .draws
        .iter()
        .flat_map(|&draw| task.effects.draw(draw).blocks)
        .copied();
    own + whens
        .chain(draws)
        .map(|inner| touched(task, needs, inner))
        .sum::<usize>()
}

/// Estimates how often each atom is true, by the fraction of its predicate's atoms that are initially true.
fn frequency(task: &GroundTask, initial: &ClosedState<'_>) -> Vec<f64> {
    let mut counts = vec![(0_u32, 0_u32); task.vocabulary.predicates.len()];
    for (number, atom) in (0..).zip(task.atoms.iter()) {
        let (holding, all) = &mut counts[atom.predicate.index()];
        *holding += u32::from(initial.holds(AtomId::new(number)));
        *all += 1;
    }
    let share = |(holding, all): (u32, u32)| f64::from(holding) / f64::from(all);
    task.atoms
        .iter()
        .map(|atom| share(counts[atom.predicate.index()]))
        .collect()
}
