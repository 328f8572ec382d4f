//! In which order the rows of a large task are numbered.

use herbrand_ground::{ActionId, GroundTask};

use crate::grounded::propositions::id32;
use crate::grounded::rows::RowTable;

/// Below this number of rows the order of the actions is kept.
const MANY_ROWS: usize = 4096;

/// Orders the rows so that those that need one literal are close together and share words of bits.
///
/// The rows of each schema are sorted by their arguments, one parameter, chosen by trial, last of all: rows that
/// differ in that parameter alone become neighbours. As `load(package, truck, place)` needs both `at(truck, place)`
/// and `at(package, place)`, it is best sorted by packages last: one truck's rows fill few words then, while in the
/// order of the actions they would be one in a hundred words each.
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

/// The best order of the rows of one schema; `None` if that is the order of the actions, or saves little.
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
    // An order of its own costs a look-up for every row that changes: it must save a quarter of the words at least.
    let (mut least, mut best) = (words * 3 / 4, None);
    let mut trial = Vec::with_capacity(count);
    // With the last parameter last the order is that of the actions.
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

/// For each parameter, the least object that it is bound to and how many bits the others need above it.
struct Columns(Vec<(u32, u32)>);

/// The bits of a key that hold the number of a row.
const ROW_BITS: u32 = 32;

impl Columns {
    /// The columns of the arguments of some actions of one schema; `None` when they do not fit into a key.
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

    /// The arguments of an action as a number, the one at `last` in its lowest digit, above the bits of the row.
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

/// How many words the rows of all literals take, with the rows in this order from number `start` on.
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
