//! The goal of a problem as a list of facts, for pictures.

use herbrand_pddl::{Domain, Formula, Problem, VariableId};
use herbrand_render::{DrawnValue, GoalFact, NamedFact};

use crate::goal::{GoalEvaluator, conjuncts};

/// The maximum number of goal parts that are listed individually.
const MOST: usize = 400;

/// Lists the parts of the goal. Conjunctions are split and universal quantifiers are expanded into facts. Other parts are
/// listed by their text; where they compare numbers, they count as satisfied if `reached`, which says whether the whole goal
/// holds. If there are too many parts, the whole goal is one part.
pub(super) fn wanted<'a>(
    domain: &Domain,
    problem: &Problem,
    facts: impl Iterator<Item = &'a NamedFact>,
    reached: bool,
) -> Vec<GoalFact> {
    let facts = facts.filter(|atom| atom.value == DrawnValue::True);
    let facts = facts.map(|atom| {
        let arguments = atom.arguments.iter().map(String::as_str);
        (atom.name.as_str(), arguments.collect())
    });
    let mut lister = Lister {
        evaluator: GoalEvaluator::new(domain, problem, facts.collect()),
        reached,
        wanted: Vec::new(),
    };
    for conjunct in conjuncts(problem) {
        let before = lister.wanted.len();
        if !lister.list(conjunct) {
            lister.wanted.truncate(before);
            lister.text(conjunct);
        }
    }
    if lister.wanted.len() > MOST {
        lister.wanted.clear();
        lister.text(&problem.goal);
    }
    lister.wanted
}

struct Lister<'a> {
    evaluator: GoalEvaluator<'a>,
    /// Whether the whole goal holds.
    reached: bool,
    wanted: Vec<GoalFact>,
}

impl Lister<'_> {
    /// Lists the parts of a formula. Returns `false` if there are too many, or if a part cannot be listed.
    fn list(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::And(parts) => return parts.iter().all(|part| self.list(part)),
            Formula::Forall(variables, body) => return self.each(variables, body),
            Formula::Atom(_) => self.fact(formula, false),
            Formula::Not(inner) if matches!(**inner, Formula::Atom(_)) => self.fact(inner, true),
            other => {
                // A text with bound variables would not show their objects.
                if self.evaluator.binding.iter().any(Option::is_some) {
                    return false;
                }
                self.text(other);
            }
        }
        self.wanted.len() <= MOST
    }

    /// Lists the body once for each binding of the variables to objects of their types.
    fn each(&mut self, variables: &[VariableId], body: &Formula) -> bool {
        let Some((&first, rest)) = variables.split_first() else {
            return self.list(body);
        };
        let listed = self.evaluator.candidates(first).into_iter().all(|object| {
            self.evaluator.binding[first.index()] = Some(object);
            self.each(rest, body)
        });
        self.evaluator.binding[first.index()] = None;
        listed
    }

    fn fact(&mut self, formula: &Formula, negative: bool) {
        let Formula::Atom(atom) = formula else { return };
        let name = self.evaluator.domain.predicate(atom.predicate).name.to_string();
        let Some(objects) = self.evaluator.objects(&atom.arguments) else {
            return;
        };
        let arguments = objects.iter().map(|&name| name.to_owned()).collect();
        let satisfied = self.evaluator.is_true(&name, objects) != negative;
        self.wanted.push(GoalFact {
            name,
            arguments,
            negative,
            satisfied,
        });
    }

    /// Adds a part of the goal that is not a fact, by its text.
    fn text(&mut self, formula: &Formula) {
        let GoalEvaluator { domain, problem, .. } = self.evaluator;
        let text = problem.goal_text(domain, formula);
        let satisfied = self.evaluator.holds(formula).unwrap_or(self.reached);
        self.wanted.push(GoalFact {
            name: text.split_whitespace().collect::<Vec<_>>().join(" "),
            arguments: Vec::new(),
            negative: false,
            satisfied,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjuncts_that_are_no_facts_are_evaluated_one_by_one() {
        let domain = "(define (domain d) (:requirements :adl :numeric-fluents)
            (:predicates (critical ?s) (fed ?s) (at ?s)) (:functions (fuel)))";
        let domain = Domain::from_text(domain).expect("a domain");
        let problem = "(define (problem p) (:domain d) (:objects a b) (:init (= (fuel) 1))
            (:goal (and (forall (?s) (imply (critical ?s) (fed ?s))) (exists (?s) (at ?s)) (or (fed a) (fed b))
                (> (fuel) 0) (not (at b)) (forall (?s) (fed ?s)))))";
        let problem = Problem::from_text(problem, &domain).expect("a problem");
        let fact = |name: &str, object: &str| NamedFact {
            name: name.to_owned(),
            arguments: vec![object.to_owned()],
            value: DrawnValue::True,
        };
        let facts = [
            fact("critical", "a"),
            fact("critical", "b"),
            fact("fed", "b"),
            fact("at", "a"),
        ];
        let parts = wanted(&domain, &problem, facts.iter(), false);
        let found: Vec<_> = parts
            .iter()
            .map(|part| (part.name.as_str(), part.arguments.join(" "), part.satisfied))
            .collect();
        let text = |text| (text, String::new());
        let expected = [
            (text("(forall (?s) (imply (critical ?s) (fed ?s)))"), false),
            (text("(exists (?s) (at ?s))"), true),
            (text("(or (fed a) (fed b))"), true),
            (text("(> (fuel) 0)"), false),
            (("at", "b".to_owned()), true),
            (("fed", "a".to_owned()), false),
            (("fed", "b".to_owned()), true),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|((name, arguments), holds)| (name, arguments, holds))
            .collect();
        assert_eq!(found, expected);
    }
}
