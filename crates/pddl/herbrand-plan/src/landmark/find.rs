//! Finding fact landmarks.

use herbrand_limits::{Budget, BudgetExhausted};

use crate::relax::{DeleteRelaxation, Lists};
use crate::task::SearchTask;

/// Fact landmarks and the orderings between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Landmarks {
    /// The landmarks; each is the fact of a literal.
    pub(crate) facts: Vec<u32>,
    /// For each landmark, the landmarks that must be true directly before it first becomes true (greedy-necessary
    /// orderings).
    pub(crate) before: Vec<Vec<u32>>,
    /// For each landmark, whether it is a goal.
    pub(crate) is_goal: Vec<bool>,
}

/// The work limit, in operator visits. At the limit, the search ends with the landmarks found so far.
const MOST_WORK: u64 = 200_000_000;

/// Finds landmarks backward from the goal: a fact that is a precondition of all possible first achievers of a landmark is a
/// landmark too (Porteous, Sebastia and Hoffmann 2001; Zhu and Givan 2003). An operator that is unreachable in the
/// relaxation without the landmark is not a first achiever.
pub(crate) fn find(task: &SearchTask, budget: &Budget) -> Result<Landmarks, BudgetExhausted> {
    let relaxation = task.relaxation(budget)?;
    let mut search = Search::new(task, relaxation);
    let mut next = 0;
    while let Some(&fact) = search.found.get(next) {
        budget.check("looking for landmarks", search.bytes())?;
        if !search.is_true[fact as usize] && search.work < MOST_WORK {
            let needed = search.needed_before(fact);
            for &other in &needed {
                search.add(other);
            }
            search.before.push(needed);
        } else {
            search.before.push(Vec::new());
        }
        next += 1;
    }
    Ok(search.finish())
}

struct Search<'t> {
    relaxation: &'t DeleteRelaxation,
    /// For each fact, the operators that add it.
    achievers: Lists,
    /// For each fact, whether it is true in the start state.
    is_true: Vec<bool>,
    /// All landmarks, including auxiliary facts. `is_found` has a flag for each fact.
    found: Vec<u32>,
    is_found: Vec<bool>,
    /// For each entry of `found`, the landmarks directly before it.
    before: Vec<Vec<u32>>,
    /// For each operator, its number of unreached preconditions.
    left: Vec<u32>,
    needs: Vec<u32>,
    reached: Vec<bool>,
    work: u64,
}

impl<'t> Search<'t> {
    fn new(task: &SearchTask, relaxation: &'t DeleteRelaxation) -> Self {
        let mut walker = task.simulator().walker();
        let went = walker.set_state(task.start());
        debug_assert!(went.is_ok(), "the start is a state of the task");
        let mut is_true = vec![false; relaxation.facts];
        relaxation.each_true(&walker, |fact| is_true[fact as usize] = true);
        let mut search = Self {
            achievers: relaxation.adds.transposed(relaxation.facts),
            is_true,
            found: Vec::new(),
            is_found: vec![false; relaxation.facts],
            before: Vec::new(),
            left: Vec::new(),
            needs: relaxation
                .preconditions
                .iter()
                .map(|row| row.len() as u32)
                .collect(),
            reached: vec![false; relaxation.facts],
            work: 0,
            relaxation,
        };
        search.add(relaxation.goal);
        search
    }

    fn add(&mut self, fact: u32) {
        if !std::mem::replace(&mut self.is_found[fact as usize], true) {
            self.found.push(fact);
        }
    }

    /// Returns the common preconditions of all possible first achievers of `fact`, ascending.
    fn needed_before(&mut self, fact: u32) -> Vec<u32> {
        self.explore_without(fact);
        let mut common: Option<Vec<u32>> = None;
        for &operator in self.achievers.row(fact) {
            let needed = self.relaxation.preconditions.row(operator);
            if needed.iter().any(|&fact| !self.reached[fact as usize]) {
                continue;
            }
            match &mut common {
                None => common = Some(needed.to_vec()),
                Some(common) => common.retain(|fact| needed.binary_search(fact).is_ok()),
            }
        }
        common.unwrap_or_default()
    }

    /// Computes the facts that are reachable in the relaxation without adding `left_out`.
    fn explore_without(&mut self, left_out: u32) {
        self.left.clone_from(&self.needs);
        self.reached.clone_from(&self.is_true);
        let mut open: Vec<u32> = (0..)
            .zip(&self.is_true)
            .filter(|(_, is)| **is)
            .map(|(fact, _)| fact)
            .collect();
        while let Some(fact) = open.pop() {
            let readers = self.relaxation.readers.row(fact);
            self.work += readers.len() as u64;
            for &operator in readers {
                self.left[operator as usize] -= 1;
                if self.left[operator as usize] > 0 {
                    continue;
                }
                for &add in self.relaxation.adds.row(operator) {
                    if add != left_out && !std::mem::replace(&mut self.reached[add as usize], true) {
                        open.push(add);
                    }
                }
            }
        }
    }

    fn bytes(&self) -> u64 {
        (self.relaxation.bytes() + self.achievers.bytes() + 8 * self.needs.len() + 8 * self.reached.len())
            as u64
    }

    /// Keeps the landmarks that are literals. The predecessors of an auxiliary fact become predecessors of its successors.
    fn finish(self) -> Landmarks {
        let mut place = vec![usize::MAX; self.relaxation.facts];
        for (index, &fact) in self.found.iter().enumerate() {
            place[fact as usize] = index;
        }
        let mut landmarks = Landmarks::default();
        let mut number = vec![u32::MAX; self.relaxation.facts];
        for &fact in &self.found {
            if self.relaxation.literals[fact as usize].is_some() {
                number[fact as usize] = landmarks.facts.len() as u32;
                landmarks.facts.push(fact);
            }
        }
        let literals_before = |fact: u32| {
            let mut open = self.before[place[fact as usize]].clone();
            let (mut seen, mut literals) = (open.clone(), Vec::new());
            while let Some(fact) = open.pop() {
                if number[fact as usize] != u32::MAX {
                    literals.push(number[fact as usize]);
                    continue;
                }
                for &other in self.before.get(place[fact as usize]).into_iter().flatten() {
                    if !seen.contains(&other) {
                        seen.push(other);
                        open.push(other);
                    }
                }
            }
            literals.sort_unstable();
            literals.dedup();
            literals
        };
        landmarks.before = landmarks
            .facts
            .iter()
            .map(|&fact| literals_before(fact))
            .collect();
        let goals = literals_before(self.relaxation.goal);
        let numbers = 0..landmarks.facts.len() as u32;
        landmarks.is_goal = numbers
            .map(|number| goals.binary_search(&number).is_ok())
            .collect();
        landmarks
    }
}
