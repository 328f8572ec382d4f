//! The goal of a problem as a list of facts, for pictures.

use std::collections::BTreeSet;

use herbrand_pddl::{Domain, Formula, ObjectId, Problem, Term, TypeUnion, VariableId};
use herbrand_render::{DrawnValue, GoalFact, NamedFact};

/// The maximum number of goal parts that are listed individually.
const MOST: usize = 400;

/// Lists the parts of the goal. Conjunctions are split and universal quantifiers are expanded into facts. Other parts are
/// listed by their text and count as satisfied if `reached`, which says whether the whole goal holds. If there are too many parts,
/// the whole goal is one part.
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
    };
    if !lister.list(&problem.goal) {
        let text = problem.goal_text(domain, &problem.goal);
        return vec![lister.text(text)];
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
                let text = self.problem.goal_text(self.domain, other);
                let wanted = self.text(text);
                self.wanted.push(wanted);
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

    fn fact(&mut self, formula: &Formula, negative: bool) {
        let Formula::Atom(atom) = formula else { return };
        let name = self.domain.predicate(atom.predicate).name.to_string();
        let bound = |term: &Term| match *term {
            Term::Object(id) => Some(id),
            Term::Variable(id) => self.binding[id.index()],
        };
        let objects = atom
            .arguments
            .iter()
            .map(|term| Some(self.problem.object(bound(term)?).name.to_string()));
        let Some(arguments) = objects.collect::<Option<Vec<String>>>() else {
            return;
        };
        let key = (
            name.as_str(),
            arguments.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        let satisfied = self.facts.contains(&key) != negative;
        self.wanted.push(GoalFact {
            name,
            arguments,
            negative,
            satisfied,
        });
    }

    /// Makes a part of the goal that is not a fact, by its text.
    fn text(&self, text: String) -> GoalFact {
        GoalFact {
            name: text.split_whitespace().collect::<Vec<_>>().join(" "),
            arguments: Vec::new(),
            negative: false,
            satisfied: self.reached,
        }
    }
}
