//! Counters: numeric fluents that only the metric reads, which need not be part of the state.

use herbrand_pddl::AssignOperator;

use crate::task::{BlockId, ExpressionId, GroundAssignment, GroundExpression, GroundTask, NumericId};

impl GroundTask {
    /// Returns the numeric fluents of the state that could be accumulators, ascending: they have an initial value, effects
    /// only increase and decrease them, and no condition, goal or effect reads them.
    ///
    /// Such a fluent always has a value, because nothing makes it undefined, and the rest of the state does not depend
    /// on it. Pass some of them to [`accumulating`](Self::accumulating).
    #[must_use]
    pub fn counters(&self) -> Vec<NumericId> {
        let mut reads = Reads {
            task: self,
            seen: vec![false; self.expressions.len()],
            excluded: vec![false; self.numerics.len()],
        };
        for comparison in self.conditions.iter().flat_map(|one| one.comparisons) {
            reads.expression(comparison.left);
            reads.expression(comparison.right);
        }
        for id in (0..self.effects.len()).map(BlockId::from_index) {
            for assignment in self.effects.get(id).assignments {
                reads.expression(assignment.value);
                let shifts = matches!(
                    assignment.operator,
                    AssignOperator::Increase | AssignOperator::Decrease
                );
                reads.excluded[assignment.target.index()] |= !shifts;
            }
        }
        let in_state = (0..self.state_numerics).map(NumericId::new);
        in_state
            .filter(|id| !reads.excluded[id.index()] && self.numerics[id.index()].initial.is_some())
            .collect()
    }

    /// Makes accumulators of [counters](Self::counters), so that states no longer contain their values. States that
    /// only differ in them become one state. The other numeric fluents keep their order, and actions and atoms their
    /// ids. `counters` must be ascending and be counters of this task, which is not checked.
    #[must_use]
    pub fn accumulating(mut self, counters: &[NumericId]) -> Self {
        let counts =
            |id: NumericId| id.number() >= self.state_numerics || counters.binary_search(&id).is_ok();
        let mut order: Vec<_> = (0..self.numerics.len()).map(NumericId::from_index).collect();
        order.sort_by_key(|&id| {
            let numeric = &self.numerics[id.index()];
            (counts(id), numeric.function, &numeric.arguments)
        });
        let mut ids = vec![NumericId::new(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            ids[old.index()] = NumericId::from_index(new);
        }
        self.numerics = order
            .iter()
            .map(|old| self.numerics[old.index()].clone())
            .collect();
        self.state_numerics -= counters
            .iter()
            .filter(|id| id.number() < self.state_numerics)
            .count() as u32;
        for node in &mut self.expressions {
            if let GroundExpression::Fluent(id) = node {
                *id = ids[id.index()];
            }
        }
        self.effects
            .for_each_assignment_mut(|assignment| assignment.target = ids[assignment.target.index()]);
        self.reward = self.reward.map(|id| ids[id.index()]);
        self
    }

    /// Returns the [counters](Self::counters) and accumulators that every effect on them changes by a constant amount.
    /// [`without_changes`](Self::without_changes) can leave them out: an amount that is not a constant may have no value in
    /// some state, so that the step is not possible there.
    #[must_use]
    pub fn constant_counters(&self) -> Vec<NumericId> {
        let mut varies = vec![false; self.numerics.len()];
        for id in (0..self.effects.len()).map(BlockId::from_index) {
            for assignment in self.effects.get(id).assignments {
                let shifts = matches!(
                    assignment.operator,
                    AssignOperator::Increase | AssignOperator::Decrease
                );
                let value = &self.expressions[assignment.value.index()];
                varies[assignment.target.index()] |= !shifts || !matches!(value, GroundExpression::Number(_));
            }
        }
        let accumulators = (self.state_numerics..self.numerics.len() as u32).map(NumericId::new);
        let all = self.counters().into_iter().chain(accumulators);
        all.filter(|id| !varies[id.index()]).collect()
    }

    /// Returns a copy of the task whose effects do not change some of the [constant counters](Self::constant_counters),
    /// ascending: in its states, each keeps its first value. Other than that, its states and their successors are the same,
    /// and are found faster. Actions, atoms and numbers keep their ids. `None` if no effect changes them; use the task
    /// itself then. Whether `counters` are such counters is not checked.
    #[must_use]
    pub fn without_changes(&self, counters: &[NumericId]) -> Option<Self> {
        let is_left_out = |assignment: &GroundAssignment| counters.binary_search(&assignment.target).is_ok();
        let blocks = (0..self.effects.len()).map(BlockId::from_index);
        let mut changes = blocks.flat_map(|id| self.effects.get(id).assignments);
        if !changes.any(is_left_out) {
            return None;
        }
        let mut task = self.clone();
        task.effects
            .retain_assignments(|assignment| !is_left_out(assignment));
        Some(task)
    }
}

/// The search for the numeric fluents that are read or set.
struct Reads<'a> {
    task: &'a GroundTask,
    seen: Vec<bool>,
    /// For each numeric fluent, whether something other than the metric reads it, or an effect sets it.
    excluded: Vec<bool>,
}

impl Reads<'_> {
    fn expression(&mut self, root: ExpressionId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.seen[id.index()], true) {
                continue;
            }
            match self.task.expressions[id.index()] {
                GroundExpression::Fluent(id) => self.excluded[id.index()] = true,
                GroundExpression::Apply(_, left, right) => open.extend([left, right]),
                GroundExpression::Number(_) | GroundExpression::Undefined | GroundExpression::Special(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_pddl::{Domain, Problem};

    use crate::{GroundOptions, GroundTask, ground};

    fn task(effect: &str) -> GroundTask {
        let domain = format!(
            "(define (domain d) (:requirements :numeric-fluents :conditional-effects) (:predicates (p))
                (:functions (wear ?x) (load ?x) (fuel) (total-cost))
                (:action a :parameters (?x) :precondition (> (fuel) 0)
                    :effect (and (decrease (fuel) 1) (increase (total-cost) 1) {effect})))"
        );
        let domain = Domain::from_text(&domain).expect("a domain");
        let problem = "(define (problem q) (:domain d) (:objects x y)
            (:init (= (wear x) 0) (= (wear y) 3) (= (load x) 1) (= (load y) 1) (= (fuel) 2))
            (:goal (p)) (:metric minimize (+ (wear x) (wear y))))";
        let problem = Problem::from_text(problem, &domain).expect("a problem");
        ground(&domain, &problem, &GroundOptions::default()).expect("a small task")
    }

    fn counters(task: &GroundTask) -> Vec<String> {
        let ids = task.counters().into_iter();
        ids.map(|id| task.display_numeric(id).to_string()).collect()
    }

    #[test]
    fn only_what_is_never_read_nor_set_is_a_counter() {
        let all = ["(wear x)", "(wear y)"];
        assert_eq!(counters(&task("(increase (wear ?x) 1)")), all);
        assert_eq!(counters(&task("(when (p) (decrease (wear ?x) (fuel)))")), all);
        // An effect reads it, sets it, or a condition of an effect compares it.
        assert_eq!(
            counters(&task("(increase (wear ?x) 1) (increase (load ?x) (wear ?x))")),
            ["(load x)", "(load y)"]
        );
        assert!(counters(&task("(assign (wear ?x) 1)")).is_empty());
        assert!(counters(&task("(increase (wear ?x) 1) (when (> (wear ?x) 1) (p))")).is_empty());
    }

    #[test]
    fn accumulating_counters_makes_a_valid_task_without_them_in_its_states() {
        let task = task("(increase (wear ?x) (load ?x)) (increase (load ?x) 1) (when (> (load ?x) 2) (p))");
        let counters = task.counters();
        assert_eq!((task.state_numerics, counters.len()), (5, 2));
        let before = task.to_string();
        let after = task.accumulating(&counters);
        assert_eq!(after.check(), Ok(()));
        assert_eq!(after.state_numerics, 3);
        assert!(after.counters().is_empty());
        let lines = |text: &str| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&after.to_string()), lines(&before));
    }
    #[test]
    fn only_constant_amounts_are_left_out() {
        let task = task("(increase (wear ?x) 2) (increase (load ?x) (fuel))");
        let names: Vec<_> = task
            .constant_counters()
            .into_iter()
            .map(|id| task.display_numeric(id).to_string())
            .collect();
        assert_eq!(names, ["(wear x)", "(wear y)", "(total-cost)"]);
        let lean = task.without_changes(&task.constant_counters()).expect("changes");
        assert_eq!(lean.check(), Ok(()));
        assert_eq!(
            (lean.numerics.len(), lean.state_numerics),
            (task.numerics.len(), task.state_numerics)
        );
        assert!(!lean.to_string().contains("increase (wear x)"), "{lean}");
        assert!(lean.to_string().contains("increase (load x)"), "{lean}");
        assert!(lean.without_changes(&task.constant_counters()).is_none());
    }
}
