//! The goal of a problem, evaluated on the facts of a state by name.

use std::collections::BTreeSet;

use herbrand_core::GoalConjunct;
use herbrand_pddl::{Domain, Formula, ObjectId, Problem, Term, VariableId};

/// The maximum number of variable bindings that the evaluation of a goal tries.
const BINDINGS: u32 = 20_000;

/// The true facts of a state: name and arguments of each.
pub type TrueFacts<'a> = BTreeSet<(&'a str, Vec<&'a str>)>;

/// Returns the conjuncts of the goal of `problem` and whether each holds in the state with these facts; empty if the
/// problem has no goal. A conjunct that compares numbers, or that takes too many bindings to evaluate, is neither true
/// nor false: `None`. `facts` are the true facts whose predicates are [`mentioned`] in the goal, static and derived ones
/// included.
#[must_use]
pub fn goal_conjuncts(domain: &Domain, problem: &Problem, facts: TrueFacts<'_>) -> Vec<GoalConjunct> {
    let mut evaluator = GoalEvaluator::new(domain, problem, facts);
    let conjunct = |formula: &Formula| GoalConjunct {
        text: problem.goal_text(domain, formula),
        holds: evaluator.holds(formula),
    };
    conjuncts(problem).iter().map(conjunct).collect()
}

/// Returns the formulas whose conjunction is the goal; none if the problem has no goal.
pub fn conjuncts(problem: &Problem) -> &[Formula] {
    match &problem.goal {
        _ if !problem.has_goal => &[],
        Formula::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// Returns the names of the predicates in the goal of a problem.
pub fn mentioned<'d>(domain: &'d Domain, problem: &Problem) -> BTreeSet<&'d str> {
    let mut names = BTreeSet::new();
    let mut open: Vec<_> = conjuncts(problem).iter().collect();
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Atom(atom) => {
                names.insert(domain.predicate(atom.predicate).name.as_str());
            }
            Formula::Equal(..) | Formula::Compare(..) => {}
            Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => open.push(inner),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            Formula::Imply(when, then) => open.extend([&**when, &**then]),
        }
    }
    names
}

/// Evaluates formulas of a goal on the facts of one state.
pub struct GoalEvaluator<'a> {
    pub domain: &'a Domain,
    pub problem: &'a Problem,
    facts: TrueFacts<'a>,
    /// For each variable of the goal, the object that it is bound to.
    pub binding: Vec<Option<ObjectId>>,
    /// The number of bindings that may still be tried.
    bindings: u32,
}

impl<'a> GoalEvaluator<'a> {
    pub fn new(domain: &'a Domain, problem: &'a Problem, facts: TrueFacts<'a>) -> Self {
        Self {
            domain,
            problem,
            facts,
            binding: vec![None; problem.goal_variables.len()],
            bindings: BINDINGS,
        }
    }

    /// Returns the names of the objects to which terms are bound; `None` if a variable is unbound.
    pub fn objects(&self, terms: &[Term]) -> Option<Vec<&'a str>> {
        let object = |term: &Term| {
            let id = match *term {
                Term::Object(id) => Some(id),
                Term::Variable(id) => self.binding[id.index()],
            };
            Some(self.problem.object(id?).name.as_str())
        };
        terms.iter().map(object).collect()
    }

    /// Returns whether a fact is true.
    pub fn is_true(&self, name: &str, objects: Vec<&str>) -> bool {
        self.facts.contains(&(name, objects))
    }

    /// Returns the objects to which a variable of the goal can be bound.
    pub fn candidates(&self, variable: VariableId) -> Vec<ObjectId> {
        let types = &self.problem.goal_variables[variable.index()].types;
        let objects = (0..).map(ObjectId::from_index).zip(&self.problem.objects);
        let fitting = objects.filter(|(_, object)| self.domain.is_assignable(&object.types, types));
        fitting.map(|(id, _)| id).collect()
    }

    /// Returns whether a formula holds; `None` if that depends on a comparison of numbers or takes too many bindings.
    pub fn holds(&mut self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => {
                let objects = self.objects(&atom.arguments)?;
                Some(self.is_true(self.domain.predicate(atom.predicate).name.as_str(), objects))
            }
            Formula::Equal(left, right) => {
                let sides = self.objects(&[*left, *right])?;
                Some(sides[0] == sides[1])
            }
            Formula::Compare(..) => None,
            Formula::Not(inner) => self.holds(inner).map(|holds| !holds),
            Formula::And(parts) => all(parts.iter().map(|part| self.holds(part))),
            Formula::Or(parts) => any(parts.iter().map(|part| self.holds(part))),
            Formula::Imply(when, then) => {
                let sides = [self.holds(when).map(|holds| !holds), self.holds(then)];
                any(sides.into_iter())
            }
            Formula::Forall(variables, body) => all(self.instances(variables, body).into_iter()),
            Formula::Exists(variables, body) => any(self.instances(variables, body).into_iter()),
        }
    }

    /// Evaluates a formula for each binding of the variables to objects of their types.
    fn instances(&mut self, variables: &[VariableId], body: &Formula) -> Vec<Option<bool>> {
        let Some((&first, rest)) = variables.split_first() else {
            return vec![self.holds(body)];
        };
        let before = self.binding[first.index()];
        let mut found = Vec::new();
        for object in self.candidates(first) {
            let Some(left) = self.bindings.checked_sub(1) else {
                found.push(None);
                break;
            };
            self.bindings = left;
            self.binding[first.index()] = Some(object);
            found.extend(self.instances(rest, body));
        }
        self.binding[first.index()] = before;
        found
    }
}

/// Returns whether all parts hold: false if one does not, and else unknown if one is unknown.
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

/// Returns whether a part holds: true if one does, and else unknown if one is unknown.
fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|holds| !holds))).map(|none| !none)
}
