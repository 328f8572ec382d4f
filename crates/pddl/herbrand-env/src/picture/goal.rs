//! The goal of a problem as a list of facts, for pictures.

use std::collections::BTreeSet;

use herbrand_pddl::{Domain, Formula, ObjectId, Problem, Term, TypeUnion, VariableId};
use herbrand_render::{DrawnValue, GoalFact, NamedFact};

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
    if !problem.has_goal {
        return Vec::new();
    }
    let facts = facts.filter(|atom| atom.value == DrawnValue::True);
    let mut lister = Lister {
        domain,
        problem,
        facts: facts
            .map(|atom| {
                (
                    atom.name.as_str(),
                    atom.arguments.iter().map(String::as_str).collect(),
                )
            })
            .collect(),
        reached,
        binding: vec![None; problem.goal_variables.len()],
        wanted: Vec::new(),
        bindings: 20_000,
    };
    let conjuncts = match &problem.goal {
        Formula::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    for conjunct in conjuncts {
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
    domain: &'a Domain,
    problem: &'a Problem,
    facts: BTreeSet<(&'a str, Vec<&'a str>)>,
    reached: bool,
    /// For each variable of the goal, the object that it is bound to.
    binding: Vec<Option<ObjectId>>,
    wanted: Vec<GoalFact>,
    /// The number of bindings that may still be tried to evaluate parts that are no facts.
    bindings: u32,
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
                if self.binding.iter().any(Option::is_some) {
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
        let types = self.problem.goal_variables[first.index()].types.clone();
        let fits = |own: &TypeUnion| self.domain.is_assignable(own, &types);
        let objects = self
            .problem
            .objects
            .iter()
            .enumerate()
            .filter(|(_, object)| fits(&object.types));
        let objects: Vec<usize> = objects.map(|(at, _)| at).collect();
        let listed = objects.into_iter().all(|at| {
            self.binding[first.index()] = Some(ObjectId::from_index(at));
            self.each(rest, body)
        });
        self.binding[first.index()] = None;
        listed
    }

    /// The objects that an atom or a function is about; `None` if a variable in it is unbound.
    fn objects(&self, terms: &[Term]) -> Option<Vec<&str>> {
        let object = |term: &Term| {
            let id = match *term {
                Term::Object(id) => Some(id),
                Term::Variable(id) => self.binding[id.index()],
            };
            Some(self.problem.object(id?).name.as_str())
        };
        terms.iter().map(object).collect()
    }

    fn fact(&mut self, formula: &Formula, negative: bool) {
        let Formula::Atom(atom) = formula else { return };
        let name = self.domain.predicate(atom.predicate).name.to_string();
        let Some(objects) = self.objects(&atom.arguments) else {
            return;
        };
        let arguments = objects.iter().map(|&name| name.to_owned()).collect();
        let satisfied = self.facts.contains(&(name.as_str(), objects)) != negative;
        self.wanted.push(GoalFact {
            name,
            arguments,
            negative,
            satisfied,
        });
    }

    /// Adds a part of the goal that is not a fact, by its text.
    fn text(&mut self, formula: &Formula) {
        let text = self.problem.goal_text(self.domain, formula);
        let satisfied = self.holds(formula).unwrap_or(self.reached);
        self.wanted.push(GoalFact {
            name: text.split_whitespace().collect::<Vec<_>>().join(" "),
            arguments: Vec::new(),
            negative: false,
            satisfied,
        });
    }

    /// Whether a formula holds; `None` where that depends on numbers or takes too long to find out.
    fn holds(&mut self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => {
                let name = self.domain.predicate(atom.predicate).name.as_str();
                let objects = self.objects(&atom.arguments)?;
                Some(self.facts.contains(&(name, objects)))
            }
            Formula::Equal(left, right) => {
                let sides = self.objects(&[*left, *right])?;
                Some(sides[0] == sides[1])
            }
            Formula::Compare(..) => None,
            Formula::Not(inner) => self.holds(inner).map(|holds| !holds),
            Formula::And(parts) => all(parts.iter().map(|part| self.holds(part))),
            Formula::Or(parts) => {
                all(parts.iter().map(|part| self.holds(part).map(|holds| !holds))).map(|none| !none)
            }
            Formula::Imply(when, then) => {
                let sides = [self.holds(when), self.holds(then).map(|holds| !holds)];
                all(sides.into_iter()).map(|broken| !broken)
            }
            Formula::Forall(variables, body) => all(self.instances(variables, body).into_iter()),
            Formula::Exists(variables, body) => {
                let found = self.instances(variables, body).into_iter();
                all(found.map(|holds| holds.map(|holds| !holds))).map(|none| !none)
            }
        }
    }

    /// Whether a formula holds for each binding of the variables to objects of their types.
    fn instances(&mut self, variables: &[VariableId], body: &Formula) -> Vec<Option<bool>> {
        let Some((&first, rest)) = variables.split_first() else {
            return vec![self.holds(body)];
        };
        let types = &self.problem.goal_variables[first.index()].types;
        let before = self.binding[first.index()];
        let mut found = Vec::new();
        for (at, object) in self.problem.objects.iter().enumerate() {
            if self.domain.is_assignable(&object.types, types) {
                let Some(left) = self.bindings.checked_sub(1) else {
                    found.push(None);
                    break;
                };
                self.bindings = left;
                self.binding[first.index()] = Some(ObjectId::from_index(at));
                found.extend(self.instances(rest, body));
            }
        }
        self.binding[first.index()] = before;
        found
    }
}

/// Whether all parts hold: false if one does not, and else unknown if one is unknown.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
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
