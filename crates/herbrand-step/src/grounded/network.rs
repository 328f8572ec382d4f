//! The preconditions of a task, laid out for keeping their truth from step to step.

use herbrand_ground::{AtomId, BlockId, GroundTask};

use crate::grounded::bits::words_for;
use crate::grounded::lists::Lists;
use crate::grounded::order::{Row, sort_rows};
use crate::grounded::propositions::{Propositions, id32};
use crate::grounded::state::Closed;
use crate::grounded::state::Valuation;
use crate::semantics::options::Matching;

/// The conjunctions of all preconditions, called *rows*.
///
/// In small networks the first row of each action has the action's number, and further ones, of actions with several,
/// start in a word of their own. In large ones rows are numbered as [`sort_rows`] says.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) actions: usize,
    /// The bits of each word of rows that are no rows.
    pub(crate) padding: Vec<u64>,
    /// For each literal, the rows that need it.
    pub(crate) needs: Lists<Members>,
    /// The action of each row, unless they are the same.
    pub(crate) action_of: Option<Vec<u32>>,
    /// Whether some action has several rows.
    pub(crate) several: bool,
    pub(crate) method: Method,
    small: bool,
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
    /// By counting, with so many bits a row.
    Count(u32),
    /// By watching one literal of each row; with the literals of each row, those that hold least often first.
    Watch(Lists<u32>),
}

/// The largest number of words that an action's effects may touch, on average, for counting.
const COUNTING_LIMIT: usize = 128;

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
        let mut rows: Vec<Row> = Vec::new();
        for id in task.actions.ids() {
            for conjunction in task.conditions.conjunctions(task.actions.get(id).precondition) {
                rows.push((id.number(), propositions.literals(task, conjunction)));
            }
        }
        let several = rows.windows(2).any(|pair| pair[0].0 == pair[1].0);
        sort_rows(task, propositions.len() * 2, &mut rows);
        let numbers: Vec<u32> = (0..id32(rows.len())).collect();
        let needs = needs(propositions.len() * 2, &rows, &numbers);
        let method = Method::choose(task, &needs, &rows, initial, matching);
        let small = matches!(method, Method::Count(_)) && rows.len().max(task.actions.len()) <= SMALL * 64;
        let mut this = Self {
            actions: task.actions.len(),
            padding: padding(rows.len(), &numbers),
            needs,
            action_of: action_of(&rows, &numbers),
            several,
            method,
            small,
        };
        if small {
            let numbers = in_layers(task.actions.len(), &rows);
            this.padding = padding(task.actions.len(), &numbers);
            this.needs = self::needs(propositions.len() * 2, &rows, &numbers);
            this.action_of = action_of(&rows, &numbers);
        }
        this
    }

    /// Whether rows are so few that all are looked at after each step, rather than those that change.
    pub(crate) fn is_small(&self) -> bool {
        self.small
    }
}

/// The numbers of the rows of a small network.
fn in_layers(actions: usize, rows: &[Row]) -> Vec<u32> {
    let mut next = id32(actions.next_multiple_of(64));
    let mut previous = None;
    let number = |row: &Row| {
        if previous.replace(row.0) != Some(row.0) {
            return row.0;
        }
        next += 1;
        next - 1
    };
    rows.iter().map(number).collect()
}

/// For each literal, the rows that need it, of rows with these numbers.
fn needs(literals: usize, rows: &[Row], numbers: &[u32]) -> Lists<Members> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| numbers[row]);
    let mut needs = vec![Vec::new(); literals];
    for row in order {
        for &literal in &rows[row].1 {
            add(&mut needs[literal as usize], numbers[row] as usize);
        }
    }
    needs.into_iter().collect()
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
fn action_of(rows: &[Row], numbers: &[u32]) -> Option<Vec<u32>> {
    let mut actions = vec![u32::MAX; bound(numbers)];
    for (row, &number) in rows.iter().zip(numbers) {
        actions[number as usize] = row.0;
    }
    let same = rows.iter().zip(numbers).all(|(row, &number)| row.0 == number);
    (!same).then_some(actions)
}

/// The least number above all `numbers`.
fn bound(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&last| last as usize + 1)
}

impl Method {
    fn choose(
        task: &GroundTask,
        needs: &Lists<Members>,
        rows: &[Row],
        initial: &Closed<'_>,
        matching: Matching,
    ) -> Self {
        let longest = rows.iter().map(|(_, literals)| literals.len()).max().unwrap_or(0);
        let cheap = || {
            let effects = task.actions.ids().map(|id| task.actions.get(id).effect);
            let words: usize = effects.map(|effect| touched(task, needs, effect)).sum();
            words <= COUNTING_LIMIT * task.actions.len()
        };
        let count = match matching {
            Matching::Automatic => cheap(),
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
        let sorted = |(_, literals): &Row| {
            let mut literals = literals.clone();
            literals.sort_by(|&a, &b| rarity(a).total_cmp(&rarity(b)));
            literals
        };
        Self::Watch(rows.iter().map(sorted).collect())
    }
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
        .flat_map(|&draw| task.effects.alternatives(draw))
        .map(|&(_, inner)| inner);
    own + whens
        .chain(draws)
        .map(|inner| touched(task, needs, inner))
        .sum::<usize>()
}

/// How often each atom is true, guessed from the share of its predicate's atoms that are true at first.
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

fn add(list: &mut Vec<Members>, number: usize) {
    let (word, bit) = (id32(number / 64), 1 << (number % 64));
    match list.last_mut() {
        Some(last) if last.word == word => last.bits |= bit,
        _ => list.push(Members { word, bits: bit }),
    }
}
