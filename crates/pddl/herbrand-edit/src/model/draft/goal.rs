//! The edit that sets the goal.

use herbrand_pddl::{AtomList, Problem, Source};

use super::{Draft, Order, Outcome, terms};
use crate::fault::{EditCode, Fault};

impl Draft {
    pub(super) fn set_goal(&mut self, goal: &str) -> Outcome {
        if !is_one_expression(goal) {
            let message = format!("`{goal}` is not one condition in parentheses");
            return Err(Fault::new(EditCode::Pddl, message));
        }
        let (objects, ids) = self.live_objects(Order::Kept);
        // The goal is parsed as part of a problem with the same objects and without facts.
        let empty = Problem {
            objects,
            init: AtomList::default(),
            values: Vec::new(),
            chances: Vec::new(),
            timed: Vec::new(),
            goal_variables: Vec::new(),
            goal: herbrand_pddl::Formula::TRUE,
            has_goal: false,
            goal_reward: None,
            metric: None,
            ..(*self.base).clone()
        };
        let text = empty.to_pddl(&self.domain);
        let text = text.trim_end().strip_suffix(')').unwrap_or(&text);
        let text = format!("{text}\n(:goal {goal}\n))");
        let read = Problem::parse(&Source::new("the goal", &text), &self.domain);
        let read = read.map_err(|faults| Fault::new(EditCode::Pddl, faults.to_string()))?;
        self.goal = read.goal;
        terms::rename_formula(&mut self.goal, &|id| ids[id.index()]);
        self.goal_variables = read.goal_variables;
        self.has_goal = true;
        Ok(())
    }
}

/// Returns whether a text is a single expression in parentheses, so that it cannot close the goal section early.
fn is_one_expression(text: &str) -> bool {
    let (mut depth, mut closed) = (0_usize, false);
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or("");
        for c in code.chars().filter(|c| !c.is_whitespace()) {
            if closed || (depth == 0 && c != '(') {
                return false;
            }
            match c {
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    closed = depth == 0;
                }
                _ => {}
            }
        }
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::is_one_expression;

    #[test]
    fn one_expression_is_one_pair_of_parentheses() {
        for text in ["(a)", " (and (a) (b)) ", "(a ; )\n)", "(a) ; b)"] {
            assert!(is_one_expression(text), "{text}");
        }
        for text in [
            "",
            "a",
            "(a",
            "(a))",
            "(a) (b)",
            "(a)) (:metric minimize (b)",
            ")(",
            "(a ; )",
        ] {
            assert!(!is_one_expression(text), "{text}");
        }
    }
}
