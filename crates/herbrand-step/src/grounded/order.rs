//! In which order the rows of a large task are numbered.

use std::cmp::Ordering;

use herbrand_ground::{ActionId, GroundTask};

use crate::grounded::propositions::id32;

/// Below this number of rows the order of the actions is kept.
const MANY_ROWS: usize = 4096;

/// A row before it has its final number: its action and its literals.
pub(crate) type Row = (u32, Vec<u32>);

/// Orders the rows so that those that need one literal are close together and share words of bits.
///
/// The rows of each schema are sorted by their arguments, one parameter, chosen by trial, last of all: rows that
/// differ in that parameter alone become neighbours. As `load(package, truck, place)` needs both `at(truck, place)`
/// and `at(package, place)`, it is best sorted by packages last: one truck's rows fill few words then, while in the
/// order of the actions they would be one in a hundred words each.
pub(crate) fn sort_rows(task: &GroundTask, literals: usize, rows: &mut [Row]) {
    if rows.len() < MANY_ROWS {
        return;
    }
    let schema = |row: &Row| task.actions.get(ActionId::new(row.0)).schema;
    let mut seen = vec![u32::MAX; literals];
    let mut start = 0;
    while start < rows.len() {
        let first = schema(&rows[start]);
        let end = start + rows[start..].partition_point(|row| schema(row) == first);
        sort_schema(task, &mut seen, start, &mut rows[start..end]);
        start = end;
    }
}

fn sort_schema(task: &GroundTask, seen: &mut [u32], start: usize, rows: &mut [Row]) {
    let arguments = |row: &Row| task.actions.get(ActionId::new(row.0)).arguments;
    let parameters = rows.first().map_or(0, |row| arguments(row).len());
    let mut trial: Vec<u32> = (0..id32(rows.len())).collect();
    let words = words_needed(seen, start, rows, &trial);
    if words * 4 < rows.len() {
        return;
    }
    // An order of its own costs a look-up for every row that changes: it must save a quarter of the words at least.
    let mut best = (words * 3 / 4, None);
    // With the last parameter last the order is that of the actions.
    for last in 0..parameters.saturating_sub(1) {
        trial.sort_by(|&a, &b| {
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            compare(arguments(a), arguments(b), last).then(a.0.cmp(&b.0))
        });
        let words = words_needed(seen, start, rows, &trial);
        if words < best.0 {
            best = (words, Some(last));
        }
    }
    if let (_, Some(last)) = best {
        rows.sort_by(|a, b| compare(arguments(a), arguments(b), last).then(a.0.cmp(&b.0)));
    }
}

/// Compares arguments, the one at `last` after all others.
fn compare<T: Ord>(a: &[T], b: &[T], last: usize) -> Ordering {
    let others = a[..last]
        .cmp(&b[..last])
        .then_with(|| a[last + 1..].cmp(&b[last + 1..]));
    others.then_with(|| a[last].cmp(&b[last]))
}

/// How many words the rows of all literals lie in, when the rows stand in this order from number `start` on.
fn words_needed(seen: &mut [u32], start: usize, rows: &[Row], order: &[u32]) -> usize {
    seen.fill(u32::MAX);
    let mut words = 0;
    for (number, &row) in (start..).zip(order) {
        let word = id32(number / 64);
        for &literal in &rows[row as usize].1 {
            words += usize::from(std::mem::replace(&mut seen[literal as usize], word) != word);
        }
    }
    words
}
