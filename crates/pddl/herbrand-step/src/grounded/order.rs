//! Choosing the order of the rows of a large task.

use herbrand_ground::{ActionId, GroundTask};

use crate::grounded::propositions::id32;
use crate::grounded::rows::RowTable;

/// With fewer rows than this, the order of the actions is kept.
const MANY_ROWS: usize = 4096;

/// Orders the rows so that rows that need the same literal are close together and share words of bits.
///
/// The rows of each schema are sorted by their arguments, with one parameter moved to the end. The parameter is chosen by
/// trial. Rows that differ only in that parameter become neighbours. For example, `load(package, truck, place)` needs both
/// `at(truck, place)` and `at(package, place)`, and is best sorted with the package last. The rows of one truck then fill
/// few words; in the order of the actions they would be spread over a hundred times as many.
pub(crate) fn sort_rows(task: &GroundTask, literals: usize, rows: RowTable) -> RowTable {
    if rows.len() < MANY_ROWS {
        return rows;
    }
    let mut seen = vec![u32::MAX; literals];
    let mut order: Vec<u32> = (0..id32(rows.len())).collect();
    let mut sorted = false;
    for (start, end) in rows.schemas(task) {
        if let Some(best) = sort_schema(task, &mut seen, &rows, start, end) {
            order[start..end].copy_from_slice(&best);
            sorted = true;
        }
    }
    if sorted { rows.select(&order) } else { rows }
}

/// The best order of the rows of one schema. `None` if that is the order of the actions, or if it saves too little.
fn sort_schema(
    task: &GroundTask,
    seen: &mut [u32],
    rows: &RowTable,
    start: usize,
    end: usize,
) -> Option<Vec<u32>> {
    let count = end - start;
    let words = words_needed(seen, start, rows, (start..end).map(id32));
    if words * 4 < count {
        return None;
    }
    let columns = Columns::of(task, &rows.actions[start..end])?;
    // A changed order costs a look-up for every row that changes, so it must save at least a quarter of the words.
    let (mut least, mut best) = (words * 3 / 4, None);
    let mut trial = Vec::with_capacity(count);
    // Moving the last parameter to the end would give the order of the actions, so it is not tried.
    for last in 0..columns.0.len().saturating_sub(1) {
        trial.clear();
        trial.extend((start..end).map(|row| columns.key(task, rows.actions[row], last) | row as u128));
        trial.sort_unstable();
        let words = words_needed(seen, start, rows, trial.iter().map(|&key| key as u32));
        if words < least {
            least = words;
            best = Some(trial.iter().map(|&key| key as u32).collect());
        }
    }
    best
}

/// For each parameter, the smallest object id bound to it, and the number of bits for the differences from it.
struct Columns(Vec<(u32, u32)>);

/// The bits of a key for the number of a row.
const ROW_BITS: u32 = 32;

impl Columns {
    /// The columns for some actions of one schema. `None` if the arguments do not fit into a key.
    fn of(task: &GroundTask, actions: &[u32]) -> Option<Self> {
        let arguments = |&action: &u32| task.actions.get(ActionId::new(action)).arguments;
        let parameters = actions.first().map_or(0, |action| arguments(action).len());
        let mut bounds = vec![(u32::MAX, 0); parameters];
        for action in actions {
            for ((least, most), argument) in bounds.iter_mut().zip(arguments(action)) {
                *least = (*least).min(argument.number());
                *most = (*most).max(argument.number());
            }
        }
        let column = |(least, most): (u32, u32)| (least, u32::BITS - (most - least).leading_zeros());
        let columns: Vec<_> = bounds.into_iter().map(column).collect();
        let bits: u32 = columns.iter().map(|(_, bits)| bits).sum();
        (bits + ROW_BITS <= u128::BITS).then_some(Self(columns))
    }

    /// Encodes the arguments of an action as a number, with the argument at `last` in the lowest digit, shifted above the
    /// bits of the row.
    fn key(&self, task: &GroundTask, action: u32, last: usize) -> u128 {
        let arguments = task.actions.get(ActionId::new(action)).arguments;
        let digits = || self.0.iter().zip(arguments).enumerate();
        let others = digits().filter(|&(place, _)| place != last);
        let last = digits().skip(last).take(1);
        let key = others
            .chain(last)
            .fold(0, |key, (_, (&(least, bits), argument))| {
                key << bits | u128::from(argument.number() - least)
            });
        key << ROW_BITS
    }
}

/// Counts the words occupied by the rows of each literal, summed over all literals, if the rows are numbered in this order
/// from `start` on.
fn words_needed(seen: &mut [u32], start: usize, rows: &RowTable, order: impl Iterator<Item = u32>) -> usize {
    seen.fill(u32::MAX);
    let mut words = 0;
    for (number, row) in (start..).zip(order) {
        let word = id32(number / 64);
        for &literal in rows.literals.get(row as usize) {
            words += usize::from(std::mem::replace(&mut seen[literal as usize], word) != word);
        }
    }
    words
}
