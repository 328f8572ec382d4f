//! Why no reachable state allows an operator or satisfies a goal.

use std::collections::HashSet;
use std::convert::Infallible;

use herbrand_ground::{GroundTask, Vocabulary};
use herbrand_pddl::{
    Atom, AtomRef, Domain, Formula, ObjectId, PredicateKind, Problem, Term, Variable, VariableId,
};
use herbrand_step::WrongType;

use super::Suite;
use crate::error::EnvError;

/// The number of parts of formulas that an explanation evaluates. Beyond it, formulas count as satisfiable.
const PARTS: usize = 1_000_000;

/// Explains why no reachable state of a ground problem allows an operator in PDDL syntax, as [`Suite::why_never`] does for
/// the problems of a suite. `task` is the ground task of `problem`, which was checked against `domain`. It may be
/// determinized; then only the operators that keep their names are explained.
#[must_use]
pub fn why_never(domain: &Domain, problem: &Problem, task: &GroundTask, operator: &str) -> Option<String> {
    let found: Result<_, Infallible> = never(domain, problem, operator, || Ok(task));
    found.unwrap_or_else(|never| match never {})
}

/// Asks for the ground task only if the types of the arguments do not explain it.
fn never<'t, E>(
    domain: &Domain,
    problem: &Problem,
    operator: &str,
    task: impl FnOnce() -> Result<&'t GroundTask, E>,
) -> Result<Option<String>, E> {
    let vocabulary = Vocabulary::of(domain, problem);
    let Some((name, objects)) = vocabulary.parse_term(operator) else {
        return Ok(None);
    };
    let Some(id) = vocabulary.find_schema(name.as_str()) else {
        return Ok(None);
    };
    let schema = &domain.schemas[id.index()];
    if schema.parameters().len() != objects.len() {
        return Ok(None);
    }
    let action = vocabulary.term(&schema.name, &objects);
    if let Some(wrong) = WrongType::find(&vocabulary, vocabulary.schema(id), &objects) {
        return Ok(Some(format!(
            "{action} is never valid: {} is not of type {}, the type of ?{}",
            wrong.object, wrong.expected, wrong.parameter
        )));
    }
    let task = task()?;
    let ground = task.vocabulary.find_schema(name.as_str());
    if ground.is_none_or(|id| task.find_action(id, &objects).is_some()) {
        return Ok(None);
    }
    let mut reached = Reached::new(domain, problem, task, &schema.variables);
    for (bound, &object) in reached.binding.iter_mut().zip(&objects) {
        *bound = Some(object);
    }
    let reason = reached.reason(&schema.precondition);
    Ok(reason.map(|reason| format!("{action} is never valid: {reason}")))
}

impl Suite {
    /// Explains why no reachable state of the problem at `index` allows an operator in PDDL syntax: an argument has the
    /// wrong type, or a condition of the precondition holds in no state that grounding finds reachable. `None` if the
    /// text is not an operator with known objects, or if grounding finds a state that allows it. Also `None` if the
    /// operator has the wrong number of arguments, or if no single condition explains it.
    ///
    /// # Errors
    /// Fails like [`instance`](Self::instance): the problem is unknown, faulty, or too large to be grounded.
    pub fn why_never(&self, index: usize, operator: &str) -> Result<Option<String>, EnvError> {
        let problem = self.checked_problem(index)?;
        never(self.domain(), problem, operator, || {
            Ok(self.instance(index)?.simulator().task())
        })
    }

    /// Returns a sentence for each conjunct of the goal of the problem at `index` that holds in no state that grounding
    /// finds reachable. Empty if there is no such conjunct or no goal; the goal as a whole may still be unreachable
    /// then.
    ///
    /// # Errors
    /// Fails like [`instance`](Self::instance): the problem is unknown, faulty, or too large to be grounded.
    pub fn unreachable_goals(&self, index: usize) -> Result<Vec<String>, EnvError> {
        let problem = self.parse_problem(index)?;
        let task = self.instance(index)?.simulator().task();
        let parts = match &problem.goal {
            _ if !problem.has_goal => &[][..],
            Formula::And(parts) => parts,
            other => std::slice::from_ref(other),
        };
        let mut reached = Reached::new(self.domain(), &problem, task, &problem.goal_variables);
        let reasons = parts.iter().filter_map(|part| reached.reason(part));
        Ok(reasons
            .map(|reason| format!("the goal cannot be reached: {reason}"))
            .collect())
    }
}

/// Evaluates formulas over all reachable states at once: an atom may be true if grounding found it reachable, and may be
/// false unless it is static.
struct Reached<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    task: &'a GroundTask,
    statics: HashSet<AtomRef<'a>>,
    variables: &'a [Variable],
    /// The object bound to each variable.
    binding: Vec<Option<ObjectId>>,
    /// The number of parts that may still be evaluated.
    rest: usize,
}

impl<'a> Reached<'a> {
    fn new(
        domain: &'a Domain,
        problem: &'a Problem,
        task: &'a GroundTask,
        variables: &'a [Variable],
    ) -> Self {
        Self {
            domain,
            problem,
            task,
            statics: task.statics.iter().collect(),
            variables,
            binding: vec![None; variables.len()],
            rest: PARTS,
        }
    }

    /// Returns why a formula holds in no reachable state; `None` if it may hold.
    fn reason(&mut self, formula: &Formula) -> Option<String> {
        if self.may_be(formula, true) {
            return None;
        }
        let (failing_part, wanted) = self.failing_part(formula, true);
        let text = self
            .problem
            .formula_text(self.domain, self.variables, &failing_part);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if wanted { text } else { format!("(not {text})") };
        Some(if self.is_static(&failing_part) {
            format!("{text} does not hold, and no action changes it")
        } else {
            format!("{text} holds in no reachable state")
        })
    }

    /// Returns whether a formula may have the truth value `wanted` in a reachable state.
    fn may_be(&mut self, formula: &Formula, wanted: bool) -> bool {
        self.rest = self.rest.saturating_sub(1);
        if self.rest == 0 {
            return true;
        }
        match (formula, wanted) {
            (Formula::Atom(atom), _) => self.atom(atom, wanted),
            (Formula::Equal(left, right), _) => (self.object(*left) == self.object(*right)) == wanted,
            (Formula::Compare(..), _) => true,
            (Formula::Not(inner), _) => self.may_be(inner, !wanted),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                parts.iter().all(|part| self.may_be(part, wanted))
            }
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                parts.iter().any(|part| self.may_be(part, wanted))
            }
            (Formula::Imply(premise, conclusion), true) => {
                self.may_be(premise, false) || self.may_be(conclusion, true)
            }
            (Formula::Imply(premise, conclusion), false) => {
                self.may_be(premise, true) && self.may_be(conclusion, false)
            }
            (Formula::Forall(variables, inner), true) | (Formula::Exists(variables, inner), false) => {
                let failing = self.find(variables, inner, wanted, false);
                self.release(variables);
                !failing
            }
            (Formula::Forall(variables, inner), false) | (Formula::Exists(variables, inner), true) => {
                let found = self.find(variables, inner, wanted, true);
                self.release(variables);
                found
            }
        }
    }

    /// Binds the variables to the first objects for which `inner` can have the truth value `wanted` (if `possible` is set) or
    /// cannot have it (otherwise). Returns `false` if no objects do.
    fn find(&mut self, variables: &[VariableId], inner: &Formula, wanted: bool, possible: bool) -> bool {
        let Some((&first, rest)) = variables.split_first() else {
            return self.may_be(inner, wanted) == possible;
        };
        let types = &self.variables[first.index()].types;
        for (index, object) in self.problem.objects.iter().enumerate() {
            if self.domain.is_assignable(&object.types, types) {
                self.binding[first.index()] = Some(ObjectId::from_index(index));
                if self.find(rest, inner, wanted, possible) {
                    return true;
                }
            }
        }
        false
    }

    fn release(&mut self, variables: &[VariableId]) {
        variables
            .iter()
            .for_each(|variable| self.binding[variable.index()] = None);
    }

    fn atom(&self, atom: &Atom, wanted: bool) -> bool {
        let arguments = atom.arguments.iter().map(|&term| self.object(term));
        let Some(arguments) = arguments.collect::<Option<Vec<_>>>() else {
            return true;
        };
        let fact = AtomRef {
            predicate: atom.predicate,
            arguments: &arguments,
        };
        let is_static = self.statics.contains(&fact);
        if wanted {
            is_static || self.task.find_atom(atom.predicate, &arguments).is_some()
        } else {
            !is_static
        }
    }

    fn object(&self, term: Term) -> Option<ObjectId> {
        match term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => self.binding[variable.index()],
        }
    }

    /// Returns the part of a formula that keeps the formula from having the truth value `wanted`, with objects for the bound
    /// variables, and the truth value that the part would need. Among several conjuncts, a static one comes first.
    fn failing_part(&mut self, formula: &Formula, wanted: bool) -> (Formula, bool) {
        match (formula, wanted) {
            (Formula::Not(inner), _) => return self.failing_part(inner, !wanted),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let failing: Vec<_> = parts.iter().filter(|part| !self.may_be(part, wanted)).collect();
                let fixed = failing.iter().find(|part| self.is_static(part));
                if let Some(part) = fixed.or(failing.first()) {
                    return self.failing_part(part, wanted);
                }
            }
            (Formula::Imply(premise, conclusion), false) => {
                return if self.may_be(premise, true) {
                    self.failing_part(conclusion, false)
                } else {
                    self.failing_part(premise, true)
                };
            }
            (Formula::Forall(variables, inner), true) | (Formula::Exists(variables, inner), false) => {
                if self.find(variables, inner, wanted, false) {
                    let failing_part = self.failing_part(inner, wanted);
                    self.release(variables);
                    return failing_part;
                }
                self.release(variables);
            }
            _ => {}
        }
        (self.bound(formula), wanted)
    }

    /// Returns a formula with objects for the bound variables.
    fn bound(&self, formula: &Formula) -> Formula {
        let term = |term: &Term| self.object(*term).map_or(*term, Term::Object);
        let all = |parts: &[Formula]| parts.iter().map(|part| self.bound(part)).collect();
        let one = |part: &Formula| Box::new(self.bound(part));
        match formula {
            Formula::Atom(atom) => Formula::Atom(Atom {
                arguments: atom.arguments.iter().map(term).collect(),
                ..atom.clone()
            }),
            Formula::Equal(left, right) => Formula::Equal(term(left), term(right)),
            Formula::Compare(..) => formula.clone(),
            Formula::Not(inner) => Formula::Not(one(inner)),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Imply(premise, conclusion) => Formula::Imply(one(premise), one(conclusion)),
            Formula::Forall(variables, inner) => Formula::Forall(variables.clone(), one(inner)),
            Formula::Exists(variables, inner) => Formula::Exists(variables.clone(), one(inner)),
        }
    }

    /// Returns whether the truth value of a formula never changes.
    fn is_static(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Atom(atom) => self.domain.predicate(atom.predicate).kind == PredicateKind::Static,
            Formula::Equal(..) => true,
            Formula::Compare(..) => false,
            Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
                self.is_static(inner)
            }
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| self.is_static(part)),
            Formula::Imply(premise, conclusion) => self.is_static(premise) && self.is_static(conclusion),
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_pddl::Source;

    use crate::{ActionMode, EnvError, ProblemFile, Suite, SuiteFiles};

    #[test]
    fn the_condition_that_never_holds_is_named() -> Result<(), EnvError> {
        let domain = "(define (domain coffee) (:requirements :adl :typing) (:types room cup)
            (:predicates (at ?r - room) (in ?c - cup ?r - room) (held ?c - cup) (free) (door ?a ?b - room) (shut ?r - room))
            (:action move :parameters (?from ?to - room)
              :precondition (and (at ?from) (door ?from ?to) (not (shut ?to))) :effect (and (at ?to) (not (at ?from))))
            (:action pick :parameters (?c - cup ?r - room) :precondition (and (at ?r) (in ?c ?r) (free))
              :effect (and (held ?c) (not (in ?c ?r)) (not (free))))
            (:action tidy :parameters (?r - room) :precondition (forall (?c - cup) (or (held ?c) (in ?c ?r)))
              :effect (free)))";
        let problem = "(define (problem p) (:domain coffee) (:objects kitchen hall attic - room mug - cup)
            (:init (at kitchen) (in mug kitchen) (door kitchen hall) (door kitchen attic) (shut attic))
            (:goal (and (at hall) (door hall kitchen) (held mug) (exists (?c - cup) (in ?c hall)))))";
        let files = SuiteFiles {
            name: "coffee".to_owned(),
            domain: Source::new("domain", domain),
            config: None,
            problems: vec![ProblemFile {
                split: None,
                name: "p".to_owned(),
                source: Source::new("problem", problem),
            }],
        };
        let suite = Suite::new(files, ActionMode::Operators)?;
        let rows = [
            (
                "(move hall kitchen)",
                Some("(door hall kitchen) does not hold, and no action changes it"),
            ),
            (
                "MOVE kitchen attic",
                Some("(not (shut attic)) does not hold, and no action changes it"),
            ),
            (
                "(pick mug hall)",
                Some("(in mug hall) holds in no reachable state"),
            ),
            (
                "(pick kitchen mug)",
                Some("kitchen is not of type cup, the type of ?c"),
            ),
            ("(tidy hall)", None),
            ("(move kitchen hall)", None),
            ("(tidy kitchen)", None),
            ("(move kitchen)", None),
            ("(move kitchen cellar)", None),
            ("(fly kitchen hall)", None),
            ("()", None),
        ];
        let mut told = Vec::new();
        for (operator, _) in rows {
            let why = suite.why_never(0, operator)?;
            told.push(why.map(|why| {
                why.split_once(": ")
                    .map_or(String::new(), |(_, why)| why.to_owned())
            }));
        }
        let task = suite.instance(0)?.simulator().task();
        let problem = suite.parse_problem(0)?;
        for (operator, _) in rows {
            let why = super::why_never(suite.domain(), &problem, task, operator);
            assert_eq!(why, suite.why_never(0, operator)?);
        }
        let parsed = |text| {
            suite
                .instance(0)
                .map(|instance| instance.simulator().parse_action(text))
        };
        for (operator, why) in [
            (
                "(pick kitchen mug)",
                "(pick kitchen mug): kitchen is not of type cup, the type of ?c",
            ),
            (
                "(pick mug hall)",
                "(pick mug hall) is valid in no reachable state",
            ),
        ] {
            assert_eq!(
                parsed(operator)?.map_err(|error| error.to_string()),
                Err(why.to_owned())
            );
        }
        let expected: Vec<_> = rows.iter().map(|(_, why)| why.map(str::to_owned)).collect();
        assert_eq!(told, expected);
        assert_eq!(
            suite.unreachable_goals(0)?,
            [
                "the goal cannot be reached: (door hall kitchen) does not hold, and no action changes it",
                "the goal cannot be reached: (exists (?c - cup) (in ?c hall)) holds in no reachable state",
            ]
        );
        Ok(())
    }
}
