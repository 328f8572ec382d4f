//! The parts of a goal, each with whether it holds.

use std::collections::BTreeSet;

use herbrand_pddl::{Atom, Domain, Formula, ObjectId, Problem, Term, VariableId};
use serde::Serialize;

/// A conjunct of the goal, as the problem writes it, and whether it holds.
#[derive(Serialize)]
pub struct GoalConjunct {
    formula: String,
    /// `None` where numbers are compared.
    holds: Option<bool>,
}

/// Returns the conjuncts of the goal of `problem`, each with its value in the state in which `atoms` are true. `atoms` are
/// all true atoms in PDDL syntax, static and derived ones too. Empty if the problem has no goal.
#[must_use]
pub fn goal_parts(domain: &Domain, problem: &Problem, atoms: &BTreeSet<&str>) -> Vec<GoalConjunct> {
    let goal = match &problem.goal {
        _ if !problem.has_goal => &[][..],
        Formula::And(parts) => parts,
        other => std::slice::from_ref(other),
    };
    let scene = Scene {
        domain,
        problem,
        atoms,
    };
    let part = |formula: &Formula| GoalConjunct {
        formula: problem.goal_text(domain, formula),
        holds: scene.holds(formula, &mut vec![None; problem.goal_variables.len()]),
    };
    goal.iter().map(part).collect()
}

impl GoalConjunct {
    /// Returns whether the conjunct holds; `None` if that depends on a comparison of numbers.
    #[must_use]
    pub const fn holds(&self) -> Option<bool> {
        self.holds
    }

    /// Returns the conjunct in PDDL syntax, on one line.
    #[must_use]
    pub fn text(&self) -> String {
        self.formula.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the conjunct as a line, after a word that says whether it holds.
    #[must_use]
    pub fn line(&self) -> String {
        let word = match self.holds {
            Some(true) => "holds",
            Some(false) => "missing",
            None => "numbers",
        };
        format!("{word:<7}  {}", self.formula)
    }
}

/// A state in which formulas of the goal are evaluated.
struct Scene<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    /// The atoms that are true.
    atoms: &'a BTreeSet<&'a str>,
}

/// The objects bound to the variables.
type Binding = Vec<Option<ObjectId>>;

impl Scene<'_> {
    /// Whether a formula holds; `None` where that depends on a comparison of numbers.
    fn holds(&self, formula: &Formula, binding: &mut Binding) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => Some(self.atom(atom, binding)),
            Formula::Equal(a, b) => Some(object(*a, binding) == object(*b, binding)),
            Formula::Compare(..) => None,
            Formula::Not(body) => self.holds(body, binding).map(|holds| !holds),
            Formula::And(parts) => all(parts.iter().map(|part| self.holds(part, binding))),
            Formula::Or(parts) => some(parts.iter().map(|part| self.holds(part, binding))),
            Formula::Imply(a, b) => {
                let a = self.holds(a, binding).map(|holds| !holds);
                some([a, self.holds(b, binding)].into_iter())
            }
            Formula::Forall(variables, body) => all(self.instances(variables, body, binding).into_iter()),
            Formula::Exists(variables, body) => some(self.instances(variables, body, binding).into_iter()),
        }
    }

    fn atom(&self, atom: &Atom, binding: &Binding) -> bool {
        let arguments: Option<Vec<_>> = atom.arguments.iter().map(|&term| object(term, binding)).collect();
        arguments.is_some_and(|arguments| {
            let name = &self.domain.predicate(atom.predicate).name;
            let objects = arguments
                .iter()
                .map(|id| self.problem.objects[id.index()].name.as_str());
            let words: Vec<_> = std::iter::once(name.as_str()).chain(objects).collect();
            self.atoms.contains(format!("({})", words.join(" ")).as_str())
        })
    }

    /// Evaluates `body` for each binding of `variables` to objects.
    fn instances(
        &self,
        variables: &[VariableId],
        body: &Formula,
        binding: &mut Binding,
    ) -> Vec<Option<bool>> {
        let Some((first, rest)) = variables.split_first() else {
            return vec![self.holds(body, binding)];
        };
        let types = &self.problem.goal_variables[first.index()].types;
        let objects = (0..).map(ObjectId::from_index).zip(&self.problem.objects);
        let mut found = Vec::new();
        for (id, object) in objects {
            if self.domain.is_assignable(&object.types, types) {
                binding[first.index()] = Some(id);
                found.extend(self.instances(rest, body, binding));
            }
        }
        binding[first.index()] = None;
        found
    }
}

fn object(term: Term, binding: &Binding) -> Option<ObjectId> {
    match term {
        Term::Object(id) => Some(id),
        Term::Variable(id) => binding[id.index()],
    }
}

/// Kleene conjunction: false if any part is false, and else unknown if any is unknown.
fn all(mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    let fails = parts.any(|part| {
        known = known.and(part);
        part == Some(false)
    });
    if fails { Some(false) } else { known }
}

/// Kleene disjunction: true if any part is true, and else unknown if any is unknown.
fn some(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|holds| !holds))).map(|none| !none)
}
