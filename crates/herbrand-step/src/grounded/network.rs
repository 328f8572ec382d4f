//! The preconditions of a task, laid out for keeping their truth from step to step.

use herbrand_ground::{ActionId, AtomId, BlockId, GroundTask};

use crate::grounded::bits::words_for;
use crate::grounded::lists::Lists;
use crate::grounded::order::sort_rows;
use crate::grounded::products::Products;
use crate::grounded::propositions::{Propositions, id32};
use crate::grounded::rows::RowTable;
use crate::grounded::state::{Closed, Valuation};
use crate::semantics::options::Matching;

/// The conjunctions of all preconditions, called *rows*.
///
/// In small networks the first row of each action has the action's number, and further ones, of actions with several,
/// start in a word of their own. In large ones rows are numbered as [`sort_rows`] says, and the parts of [`Products`]
/// come last.
///
/// What every step of a small network reads comes first.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Network {
    /// For each literal, the rows that need it.
    pub(crate) needs: Lists<Members>,
    pub(crate) actions: usize,
    small: bool,
    /// Whether some action has several rows.
    pub(crate) several: bool,
    /// The action of each row, unless they are the same.
    pub(crate) action_of: Option<Vec<u32>>,
    /// The bits of each word of rows that are no rows.
    pub(crate) padding: Vec<u64>,
    pub(crate) method: Method,
    pub(crate) products: Products,
}

/// Rows whose bits are in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Members {
    pub(crate) word: u32,
    pub(crate) bits: u64,
}

/// How the fulfilled rows are kept.
///
/// Counting touches every row that needs a literal, 64 at a time; watching touches few rows, one at a time. Counting
/// is better unless literals are needed all over a large task.
#[derive(Debug)]
pub(crate) enum Method {
    /// By counting, with this many bits per row.
    Count(u32),
    /// By watching one literal of each row; with the literals of each row, those that hold least often first.
    Watch(Lists<u32>),
}

/// The largest number of words that an action's effects may touch, on average, for counting.
const COUNTING_LIMIT: usize = 128;

/// Of how many actions, evenly spread, that average is taken at most.
const SAMPLE: usize = 1 << 14;

/// Up to how many words of rows a network is small.
const SMALL: usize = 32;

impl Network {
    /// Lays out the preconditions of `task`, of which `initial` is the first state.
    pub(crate) fn new(
        task: &GroundTask,
        propositions: &Propositions,
        initial: &Closed<'_>,
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

    /// The network of so few rows that it is small, unless it has to be watched.
    fn of_few(
        task: &GroundTask,
        literals: usize,
        initial: &Closed<'_>,
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

    /// Whether rows are so few that all are looked at after each step, rather than those that change.
    pub(crate) fn is_small(&self) -> bool {
        self.small
    }

    /// Whether a number is that of a row.
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

/// For each literal, the rows that need it, of rows with these numbers.
fn needs(literals: usize, rows: &RowTable, numbers: &[u32]) -> Lists<Members> {
    let mut order: Vec<u32> = (0..id32(rows.len())).collect();
    if !numbers.is_sorted() {
        order.sort_by_key(|&row| numbers[row as usize]);
    }
    // The word of rows that each literal was met in last.
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
    // How many words of each literal are filled.
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

/// The bits of words for at least `bits` bits that are none of `numbers`.
fn padding(bits: usize, numbers: &[u32]) -> Vec<u64> {
    let mut padding = vec![u64::MAX; words_for(bits.max(bound(numbers)))];
    for number in numbers {
        padding[*number as usize / 64] &= !(1 << (number % 64));
    }
    padding
}

/// The action of each row, unless they are the same.
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

/// The least number above all `numbers`.
fn bound(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&last| last as usize + 1)
}

impl Method {
    fn choose(
        task: &GroundTask,
        needs: &Lists<Members>,
        rows: &RowTable,
        numbers: &[u32],
        initial: &Closed<'_>,
        matching: Matching,
    ) -> Self {
        let longest = rows.literals.iter().map(<[u32]>::len).max().unwrap_or(0);
        let count = match matching {
            Matching::Automatic => is_cheap(task, needs),
            Matching::Counting => true,
            Matching::Watching => false,
        };
        // Counts have eight bits at most.
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

/// Whether counting touches few words in an average step.
fn is_cheap(task: &GroundTask, needs: &Lists<Members>) -> bool {
    let stride = task.actions.len().div_ceil(SAMPLE).max(1);
    let sample = (0..task.actions.len()).step_by(stride).map(ActionId::from_index);
    let count = sample.len();
    let effects = sample.map(|id| task.actions.get(id).effect);
    let words: usize = effects.map(|effect| touched(task, needs, effect)).sum();
    words <= COUNTING_LIMIT * count
}

/// How many words of rows the atoms in a block and all blocks inside it touch.
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

/// How often each atom is true, guessed from the share of its predicate's atoms that are initially true.
fn frequency(task: &GroundTask, initial: &Closed<'_>) -> Vec<f64> {
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
