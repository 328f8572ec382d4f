//! Finding the cut of a justification graph.

use super::LandmarkCut;
use crate::relax::NONE;

/// The side of the cut on which a fact is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Not known.
    Neither,
    /// Reachable without crossing the cut.
    Start,
    /// Not reachable without crossing the cut.
    Behind,
    /// The goal follows from it at no cost.
    Goal,
}

/// The justification graph has an edge from the supporter of each operator to each fact that the operator adds. The goal
/// side has the facts from which the goal follows at no cost, and a cut has the operators that lead into it from a fact that
/// is reachable without them.
///
/// Such a cut is usually small, and most of the graph is reachable. So the search goes backward from the goal, and uses the
/// costs of facts: as every fact on the goal side costs at least as much as the goal, a cheaper fact is reached by its
/// cheapest operators alone without crossing the cut. Only where the supporter of an operator is no cheaper than the goal, a
/// search backward from it looks for a cheaper fact.
impl LandmarkCut<'_> {
    /// Writes the operators of the cut to `cut`. The goal must be reached and cost something.
    pub(super) fn find_cut(&mut self) {
        for fact in self.sided.drain(..) {
            self.sides[fact as usize] = Side::Neither;
        }
        self.mark_goal_side();
        let goal_cost = self.reached[self.relaxation.goal as usize];
        let mut cut = std::mem::take(&mut self.cut);
        cut.sort_unstable();
        cut.dedup();
        cut.retain(|&number| {
            let operator = number as usize;
            self.supporter_costs[operator] < goal_cost
                || self.is_at_start(self.supporters[operator], goal_cost)
        });
        self.cut = cut;
    }

    /// Marks the facts from which the goal follows at no cost, and writes the operators with a cost that add one of them to
    /// `cut`, some repeatedly.
    fn mark_goal_side(&mut self) {
        self.cut.clear();
        self.set(self.relaxation.goal, Side::Goal);
        self.open.push(self.relaxation.goal);
        while let Some(fact) = self.open.pop() {
            for &number in self.achievers.row(fact) {
                let supporter = self.supporters[number as usize];
                if supporter == NONE {
                    continue;
                }
                if self.remaining[number as usize] > 0 {
                    self.cut.push(number);
                    continue;
                }
                let side = &mut self.sides[supporter as usize];
                if *side != Side::Goal {
                    *side = Side::Goal;
                    self.sided.push(supporter);
                    self.open.push(supporter);
                }
            }
        }
    }

    fn set(&mut self, fact: u32, side: Side) {
        self.sides[fact as usize] = side;
        self.sided.push(fact);
    }

    /// Returns whether a fact that is no cheaper than the goal is reachable without crossing the cut. Facts that the search
    /// visits in vain are marked as [`Behind`](Side::Behind): no cheap fact leads to any of them.
    fn is_at_start(&mut self, fact: u32, goal_cost: u32) -> bool {
        match self.sides[fact as usize] {
            Side::Neither => {}
            side => return side == Side::Start,
        }
        let first = self.sided.len();
        self.set(fact, Side::Behind);
        let mut next = first;
        while next < self.sided.len() {
            let to = self.sided[next];
            next += 1;
            for place in 0..self.achievers.row(to).len() {
                let number = self.achievers.row(to)[place];
                let supporter = self.supporters[number as usize];
                if supporter == NONE {
                    continue;
                }
                let cheap = self.supporter_costs[number as usize] < goal_cost;
                let side = self.sides[supporter as usize];
                if !cheap && matches!(side, Side::Goal | Side::Behind) || self.crosses(number) {
                    continue;
                }
                if cheap || side == Side::Start {
                    for fact in self.sided.drain(first..) {
                        self.sides[fact as usize] = Side::Neither;
                    }
                    self.set(fact, Side::Start);
                    return true;
                }
                self.set(supporter, Side::Behind);
            }
        }
        false
    }

    /// Returns whether an operator adds a fact on the goal side.
    fn crosses(&self, number: u32) -> bool {
        let adds = self.relaxation.adds.row(number);
        adds.iter().any(|&add| self.sides[add as usize] == Side::Goal)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use herbrand_core::{Random, uniform_below};
    use herbrand_limits::Budget;
    use herbrand_pddl::{Domain, Problem};
    use herbrand_step::{Walker, compile};
    use proptest::prelude::*;

    use super::*;
    use crate::strategies::{any_task, search_task};
    use crate::task::SearchTask;

    /// The number of states in which the cuts are compared.
    const STATES: usize = 20;

    impl LandmarkCut<'_> {
        /// The slow twin of [`find_cut`](Self::find_cut): a search forward from the facts that are true, through all
        /// operators that do not lead to the goal side.
        fn cut_from_the_start(&self, walker: &Walker) -> Vec<u32> {
            let relaxation = self.relaxation;
            let mut is_goal_side = vec![false; relaxation.facts];
            is_goal_side[relaxation.goal as usize] = true;
            let numbers = 0..relaxation.operators() as u32;
            let reached = |number: u32| self.supporters[number as usize] != NONE;
            let crosses = |number: u32, is_goal_side: &[bool]| {
                let adds = relaxation.adds.row(number);
                adds.iter().any(|&add| is_goal_side[add as usize])
            };
            loop {
                let mut free = numbers.clone().filter(|&number| {
                    let supporter = self.supporters[number as usize];
                    reached(number)
                        && self.remaining[number as usize] == 0
                        && !is_goal_side[supporter as usize]
                        && crosses(number, &is_goal_side)
                });
                match free.next() {
                    Some(number) => is_goal_side[self.supporters[number as usize] as usize] = true,
                    None => break,
                }
            }
            let mut is_start_side = vec![false; relaxation.facts];
            let mut open = Vec::new();
            relaxation.each_true(walker, |fact| open.push(fact));
            let mut cut = Vec::new();
            while let Some(fact) = open.pop() {
                if std::mem::replace(&mut is_start_side[fact as usize], true) {
                    continue;
                }
                for number in numbers
                    .clone()
                    .filter(|&number| self.supporters[number as usize] == fact)
                {
                    if crosses(number, &is_goal_side) {
                        cut.push(number);
                    } else {
                        open.extend(relaxation.adds.row(number));
                    }
                }
            }
            cut.sort_unstable();
            cut
        }
    }

    /// Compares the cuts in the states of a random walk.
    fn check(task: &SearchTask, seed: u64) -> Result<(), TestCaseError> {
        let mut heuristic = LandmarkCut::new(task, &Budget::unlimited()).expect("no limit");
        let mut walker = task.simulator().walker();
        walker
            .set_words(task.start().words())
            .expect("a state of this task");
        let mut random = Random::new(seed);
        for _ in 0..STATES {
            heuristic.remaining.copy_from_slice(&heuristic.costs);
            heuristic.explore(&walker);
            let goal = heuristic.relaxation.goal as usize;
            while ![0, super::super::FAR].contains(&heuristic.reached[goal]) {
                heuristic.find_cut();
                prop_assert_eq!(&heuristic.cut, &heuristic.cut_from_the_start(&walker));
                prop_assert!(heuristic.pay() > 0);
                heuristic.update();
            }
            let valid: Vec<_> = walker.valid().iter().collect();
            let Some(place) = valid.len().checked_sub(1) else {
                break;
            };
            let place = uniform_below(&mut random, place as u32 + 1) as usize;
            if walker.apply(valid[place], &mut random).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Returns a task in which many facts are dearer than the goal, and lead to each other and past the goal. `facts` is at
    /// least 2.
    pub(crate) fn web(facts: u32, actions: u32, seed: u64) -> SearchTask {
        let mut random = Random::new(seed);
        let mut below = |bound: u32| uniform_below(&mut random, bound);
        let mut text = "(define (domain web) (:requirements :strips :action-costs) (:functions (total-cost)) (:predicates".to_owned();
        (0..facts).for_each(|fact| text += &format!(" (f{fact})"));
        text += ")";
        for action in 0..actions {
            let (mut needs, mut adds) = (String::new(), String::new());
            (0..=below(2)).for_each(|_| needs += &format!("(f{})", below(facts)));
            (0..=below(3)).for_each(|_| adds += &format!("(f{})", below(facts)));
            let cost = [0, 0, 1, 1, 2, 5][below(6) as usize];
            text += &format!(
                "(:action a{action} :parameters () :precondition (and {needs}) :effect (and {adds} (increase (total-cost) {cost})))"
            );
        }
        let domain = Domain::from_text(&(text + ")")).expect("a domain");
        let problem = "(define (problem p) (:domain web) (:init (f0) (= (total-cost) 0)) (:goal (f1)) (:metric minimize (total-cost)))";
        let problem = Problem::from_text(problem, &domain).expect("a problem");
        search_task(&compile(&domain, &problem).expect("a small task")).expect("one outcome for each action")
    }

    proptest! {
        /// The cut found backward from the goal is the one found forward from the state.
        #[test]
        fn cuts_are_those_of_a_search_from_the_start(task in any_task(), seed in any::<u64>()) {
            check(&task, seed)?;
        }

        #[test]
        fn cuts_among_dear_facts_are_those_of_a_search_from_the_start(
            facts in 4..12_u32,
            actions in 6..30_u32,
            seed in any::<u64>(),
        ) {
            check(&web(facts, actions, seed), seed)?;
        }
    }
}
