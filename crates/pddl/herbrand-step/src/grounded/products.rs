//! Schemas whose preconditions split into two independent parts.

use fxhash::FxHashMap;
use herbrand_ground::{ActionId, AtomId, GroundTask};
use herbrand_pddl::ObjectId;

use crate::grounded::propositions::id32;
use crate::grounded::rows::RowTable;
use crate::grounded::state::{ClosedState, Valuation};

/// Actions whose rows form a product: each row is the conjunction of a *part* of one side and a part of the other side.
///
/// For example, the precondition of `crawl(head, to, tail, new-tail)` has literals about `head` and `to` and literals about
/// `tail` and `new-tail`, but no literal about both. A hundred heads and a hundred tails give ten thousand rows, and each
/// literal occurs in a hundred times as many rows as parts:
///
/// ```text
///                tails:   b0   b1   b2   …
///  heads:  a0            a0b0 a0b1 a0b2        valid: the crossings of parts that are fulfilled
///          a1            a1b0 a1b1 a1b2
/// ```
///
/// So the parts are numbered as rows instead, after all others and starting at a word boundary. An action is valid if both
/// of its parts are fulfilled.
#[derive(Debug)]
pub(crate) struct Products {
    /// The first word of parts; `u32::MAX` if there are none.
    pub(crate) first_word: u32,
    parts: Vec<ProductPart>,
    pub(crate) tables: Vec<Table>,
}

/// A part of a product; it has a row of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductPart {
    pub(crate) table: u32,
    /// 0 or 1.
    pub(crate) side: u32,
    /// The index of the part on its side.
    pub(crate) index: u32,
}

/// The actions of one schema, indexed by their parts.
#[derive(Debug)]
pub(crate) struct Table {
    /// The number of parts on each side.
    pub(crate) sizes: [usize; 2],
    /// The actions in row-major order: by the index of the first part, then of the second.
    actions: Vec<u32>,
    /// For each side, the literals of its parts.
    literals: [Vec<Vec<u32>>; 2],
}

/// Schemas with fewer rows than this are not examined.
const LEAST_ROWS: usize = 512;

/// The minimum ratio of rows to parts, and of parts to initially fulfilled parts.
const SAVING: usize = 8;

impl Products {
    pub(crate) fn none() -> Self {
        Self {
            first_word: u32::MAX,
            parts: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Removes the rows of all schemas that are products from `rows`.
    pub(crate) fn take_out(task: &GroundTask, initial: &ClosedState<'_>, rows: RowTable) -> (Self, RowTable) {
        let mut tables = Vec::new();
        let mut kept = Vec::new();
        for (start, end) in rows.schemas(task) {
            let table = Table::of(task, &rows, start, end).filter(|table| table.is_sparse(initial));
            match table {
                Some(table) => tables.push(table),
                None => kept.push(start..end),
            }
        }
        let rows = if tables.is_empty() {
            rows
        } else {
            let kept: Vec<u32> = kept.into_iter().flatten().map(id32).collect();
            rows.select(&kept)
        };
        let this = Self {
            tables,
            ..Self::none()
        };
        (this, rows)
    }

    /// Appends the parts to `rows` and returns the numbers of all rows. Parts start at a word boundary.
    pub(crate) fn number(&mut self, rows: &mut RowTable) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..id32(rows.len())).collect();
        if self.tables.is_empty() {
            return numbers;
        }
        let first = rows.len().next_multiple_of(64);
        self.first_word = id32(first / 64);
        for (table, number) in self.tables.iter_mut().zip(0..) {
            for (literals, side) in std::mem::take(&mut table.literals).iter().zip(0..) {
                for (literals, index) in literals.iter().zip(0..) {
                    numbers.push(id32(first + self.parts.len()));
                    rows.push(u32::MAX, literals);
                    self.parts.push(ProductPart {
                        table: number,
                        side,
                        index,
                    });
                }
            }
        }
        numbers
    }

    /// Returns the part with the given row number.
    #[inline]
    pub(crate) fn part(&self, row: u32) -> ProductPart {
        self.parts[(row - self.first_word * 64) as usize]
    }
}

impl Table {
    /// Returns the action of a part and a part of the other side.
    #[inline]
    pub(crate) fn action(&self, part: ProductPart, other: u32) -> u32 {
        let (first, second) = if part.side == 0 {
            (part.index, other)
        } else {
            (other, part.index)
        };
        self.actions[first as usize * self.sizes[1] + second as usize]
    }

    /// Creates the table of the rows from `start` to `end`, which are of one schema. `None` if they are not a product.
    fn of(task: &GroundTask, rows: &RowTable, start: usize, end: usize) -> Option<Self> {
        let own = &rows.actions[start..end];
        if own.len() < LEAST_ROWS || own.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let arguments = |row: usize| task.actions.get(ActionId::new(rows.actions[row])).arguments;
        let components = components(task, rows, start, end, &arguments)?;
        let sides = components.iter().map(|component| {
            let first = numbering(start..end, &arguments, |place| component.contains(&place));
            let second = numbering(start..end, &arguments, |place| !component.contains(&place));
            [first, second]
        });
        let sides = sides
            .filter(|[first, second]| first.size * second.size == own.len())
            .min_by_key(|[first, second]| first.size + second.size)?;
        let sizes = [sides[0].size, sides[1].size];
        if (sizes[0] + sizes[1]) * SAVING > own.len() {
            return None;
        }
        // No two actions have the same arguments, and there are as many actions as pairs, so every pair has an action.
        let mut row_at = vec![0; own.len()];
        for (row, (&first, &second)) in sides[0].of_row.iter().zip(&sides[1].of_row).enumerate() {
            row_at[first as usize * sizes[1] + second as usize] = start + row;
        }
        let literals = parts(rows, sizes, &row_at)?;
        Some(Self {
            sizes,
            actions: row_at.into_iter().map(|row| rows.actions[row]).collect(),
            literals,
        })
    }

    /// Returns whether few parts of each side are initially fulfilled. With many fulfilled parts, maintaining the rows is
    /// faster: 64 of them become valid at a time.
    fn is_sparse(&self, initial: &ClosedState<'_>) -> bool {
        let holds = |&literal: &u32| initial.holds(AtomId::new(literal / 2)) == literal.is_multiple_of(2);
        self.literals.iter().all(|parts| {
            let fulfilled = parts.iter().filter(|literals| literals.iter().all(holds)).count();
            fulfilled * SAVING <= parts.len()
        })
    }
}

/// The value combinations of some parameters, numbered in the order of their first row.
struct Numbering {
    size: usize,
    of_row: Vec<u32>,
}

fn numbering<'a>(
    rows: std::ops::Range<usize>,
    arguments: &impl Fn(usize) -> &'a [ObjectId],
    chosen: impl Fn(usize) -> bool,
) -> Numbering {
    let mut numbers = FxHashMap::<Vec<ObjectId>, u32>::default();
    let mut values = Vec::new();
    let mut of_row = Vec::with_capacity(rows.len());
    for row in rows {
        let places = arguments(row).iter().enumerate();
        values.clear();
        values.extend(
            places
                .filter(|&(place, _)| chosen(place))
                .map(|(_, &object)| object),
        );
        of_row.push(match numbers.get(&values) {
            Some(&number) => number,
            None => {
                let number = id32(numbers.len());
                numbers.insert(values.clone(), number);
                number
            }
        });
    }
    Numbering {
        size: numbers.len(),
        of_row,
    }
}

/// Groups the parameters so that different groups seem independent. `None` if there is only one group.
///
/// Two parameters belong together if some pair of their values does not occur, or if one literal contains both. This is
/// estimated from pairs and a single row; [`parts`] verifies it.
fn components<'a>(
    task: &GroundTask,
    rows: &RowTable,
    start: usize,
    end: usize,
    arguments: &impl Fn(usize) -> &'a [ObjectId],
) -> Option<Vec<Vec<usize>>> {
    let parameters = arguments(start).len();
    let mut group: Vec<usize> = (0..parameters).collect();
    let join = |group: &mut Vec<usize>, one: usize, other: usize| {
        let (from, to) = (group[one], group[other]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    };
    let distinct = |row: &usize| {
        let arguments = arguments(*row);
        (1..parameters).all(|place| !arguments[..place].contains(&arguments[place]))
    };
    let sample = (start..end).find(distinct)?;
    for &literal in rows.literals.get(sample) {
        // `None` if the literal is a comparison.
        let atom = task.atoms.get(literal as usize / 2)?;
        let places: Vec<usize> = (0..parameters)
            .filter(|&place| atom.arguments.contains(&arguments(sample)[place]))
            .collect();
        places
            .windows(2)
            .for_each(|pair| join(&mut group, pair[0], pair[1]));
    }
    for second in 1..parameters {
        for first in 0..second {
            if group.iter().all(|g| *g == group[0]) {
                return None;
            }
            if group[first] != group[second] && !all_pairs(start..end, arguments, first, second) {
                join(&mut group, first, second);
            }
        }
    }
    let members = |own: usize| (0..parameters).filter(|&place| group[place] == own).collect();
    let groups: Vec<Vec<usize>> = (0..parameters).map(members).collect();
    let groups: Vec<_> = groups.into_iter().filter(|group| !group.is_empty()).collect();
    (groups.len() > 1).then_some(groups)
}

/// Returns whether every value of one parameter occurs with every value of another.
fn all_pairs<'a>(
    rows: std::ops::Range<usize>,
    arguments: &impl Fn(usize) -> &'a [ObjectId],
    first: usize,
    second: usize,
) -> bool {
    let count = rows.len();
    let one = |place: usize| numbering(rows.clone(), arguments, |other| other == place);
    let (one, other) = (one(first), one(second));
    let Some(pairs) = one.size.checked_mul(other.size).filter(|&pairs| pairs <= count) else {
        return false;
    };
    let mut seen = vec![false; pairs];
    for (&a, &b) in one.of_row.iter().zip(&other.of_row) {
        seen[a as usize * other.size + b as usize] = true;
    }
    seen.iter().all(|&seen| seen)
}

/// The literals of the parts on each side. `None` unless every row consists of exactly the literals of its two parts.
fn parts(rows: &RowTable, sizes: [usize; 2], row_at: &[usize]) -> Option<[Vec<Vec<u32>>; 2]> {
    let row = |first: usize, second: usize| rows.literals.get(row_at[first * sizes[1] + second]);
    let without = |row: &[u32], taken: &[u32]| -> Vec<u32> {
        row.iter()
            .copied()
            .filter(|literal| !taken.contains(literal))
            .collect()
    };
    // Literals shared by two rows with different first parts belong to the second part.
    let (one, other) = (row(0, 0), row(sizes[0] - 1, 0));
    let shared: Vec<u32> = one
        .iter()
        .copied()
        .filter(|literal| other.contains(literal))
        .collect();
    let first: Vec<_> = (0..sizes[0]).map(|part| without(row(part, 0), &shared)).collect();
    let second: Vec<_> = (0..sizes[1])
        .map(|part| without(row(0, part), &first[0]))
        .collect();
    let crossed = |a: usize, b: usize| {
        let (row, first, second) = (row(a, b), &first[a], &second[b]);
        row.len() == first.len() + second.len()
            && first.iter().chain(second).all(|literal| row.contains(literal))
            && first.iter().all(|literal| !second.contains(literal))
    };
    let all = (0..sizes[0]).all(|a| (0..sizes[1]).all(|b| crossed(a, b)));
    all.then_some([first, second])
}

#[cfg(test)]
mod tests {
    use herbrand_pddl::{Domain, Problem};

    /// Returns the number of products in a task where pieces at `starts` move around one ring and gates around another. The
    /// action also requires `condition`.
    fn products(condition: &str, starts: &str) -> usize {
        let domain = format!(
            "(define (domain cross) (:requirements :adl)
                (:predicates (at ?x) (hop ?x ?y) (gate ?x) (beside ?x ?y) (closed ?x ?y))
                (:action cross :parameters (?from ?to ?gate ?next)
                    :precondition (and (at ?from) (hop ?from ?to) (not (at ?to)) (gate ?gate) (beside ?gate ?next)
                        {condition})
                    :effect (and (not (at ?from)) (at ?to) (not (gate ?gate)) (gate ?next) (closed ?to ?gate))))"
        );
        let names: String = (0..30).map(|n| format!("r{n} c{n} ")).collect();
        let rings: String = (0..30)
            .map(|n| (n, (n + 1) % 30))
            .map(|(n, next)| format!("(hop r{n} r{next}) (beside c{n} c{next}) "))
            .collect();
        let problem = format!(
            "(define (problem one) (:domain cross) (:objects {names}) (:init {rings} (gate c0) {starts}) (:goal (at r9)))"
        );
        let domain = Domain::from_text(&domain).unwrap();
        let problem = Problem::from_text(&problem, &domain).unwrap();
        let simulator = crate::compile(&domain, &problem).unwrap();
        assert_eq!(simulator.task().actions.len(), 900);
        simulator.tables().network.products.tables.len()
    }

    #[test]
    fn only_what_nothing_joins_is_a_product() {
        assert_eq!(products("", "(at r0)"), 1);
        assert_eq!(
            products("(not (closed ?from ?gate))", "(at r0)"),
            0,
            "a literal of both parts"
        );
        let many: String = (0..30).step_by(3).map(|n| format!("(at r{n})")).collect();
        assert_eq!(products("", &many), 0, "many parts hold at once");
    }
}
