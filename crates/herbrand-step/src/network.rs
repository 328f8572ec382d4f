//! The preconditions of a task, laid out for keeping their truth from step to step.

use std::ops::Range;

use herbrand_ground::{AtomId, BlockId, GroundTask};

use crate::lists::Lists;
use crate::order::{Row, sort_rows};
use crate::propositions::{Propositions, id32};
use crate::state::Closed;
use crate::{Matching, Valuation};

/// The conjunctions of all preconditions, called *rows*.
///
/// As a rule every action has one row, and rows have the numbers of actions; in large tasks they are numbered as
/// [`sort_rows`] says.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) actions: usize,
    pub(crate) rows: usize,
    /// For each literal, the rows that need it.
    pub(crate) needs: Lists<Members>,
    /// The action of each row, unless they are the same.
    pub(crate) action_of: Option<Vec<u32>>,
    /// Whether some action has several rows.
    pub(crate) several: bool,
    /// The rows of each action, where some have several; they are neighbours.
    pub(crate) rows_of: Vec<Range<u32>>,
    pub(crate) method: Method,
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
        let mut needs = vec![Vec::new(); propositions.len() * 2];
        for (number, (_, literals)) in rows.iter().enumerate() {
            for &literal in literals {
                add(&mut needs[literal as usize], number);
            }
        }
        let same = rows.len() == task.actions.len() && (0..).zip(&rows).all(|(number, row)| row.0 == number);
        let needs: Lists<Members> = needs.into_iter().collect();
        Self {
            actions: task.actions.len(),
            rows: rows.len(),
            action_of: (!same).then(|| rows.iter().map(|row| row.0).collect()),
            several,
            rows_of: if several {
                rows_of(task.actions.len(), &rows)
            } else {
                Vec::new()
            },
            method: Method::choose(task, &needs, rows, initial, matching),
            needs,
        }
    }
}

impl Method {
    fn choose(
        task: &GroundTask,
        needs: &Lists<Members>,
        rows: Vec<Row>,
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
        let sorted = |(_, mut literals): Row| {
            literals.sort_by(|&a, &b| rarity(a).total_cmp(&rarity(b)));
            literals
        };
        Self::Watch(rows.into_iter().map(sorted).collect())
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

/// Where the rows of each action are.
fn rows_of(actions: usize, rows: &[Row]) -> Vec<Range<u32>> {
    let mut ranges = vec![0..0; actions];
    let mut start = 0;
    for own in rows.chunk_by(|a, b| a.0 == b.0) {
        let end = start + id32(own.len());
        ranges[own[0].0 as usize] = start..end;
        start = end;
    }
    ranges
}

fn add(list: &mut Vec<Members>, number: usize) {
    let (word, bit) = (id32(number / 64), 1 << (number % 64));
    match list.last_mut() {
        Some(last) if last.word == word => last.bits |= bit,
        _ => list.push(Members { word, bits: bit }),
    }
}
