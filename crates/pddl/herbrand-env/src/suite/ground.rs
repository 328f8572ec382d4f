//! Suites whose only problem is a ground task, without a domain in PDDL.

use std::fmt::Write as _;
use std::sync::Arc;

use herbrand_ground::{ConjunctionId, GroundTask, Signature};
use herbrand_pddl::{Domain, Problem, Source};
use herbrand_step::Simulator;

use super::{ActionMode, Entry, Shared, Suite, Text};
use crate::config::Config;
use crate::error::EnvError;

/// A ground task with the text that it was read from.
#[derive(Debug)]
pub(super) struct GroundText {
    pub(super) source: Source,
    pub(super) simulator: Simulator,
    /// The objects and the goal.
    pub(super) problem: Problem,
}

impl Suite {
    /// Creates a suite with one problem from a ground task that was read from another format than PDDL, such as SAS+.
    /// `name` is the name of the suite and of the problem, and `source` the text that the task was read from. Its actions
    /// are the ground actions. The suite's [`domain`](Self::domain) declares the names of the task, but its actions
    /// have neither preconditions nor effects: whatever needs those, such as the lifted engine, fails.
    ///
    /// # Errors
    /// Fails if PDDL reserves one of the names.
    pub fn from_ground(name: &str, source: Source, task: GroundTask) -> Result<Self, EnvError> {
        let domain = Domain::from_text(&domain_text(&task))?;
        let problem = Problem::from_text(&problem_text(&task), &domain)?;
        let shared = Shared {
            domain_source: Some(source.clone()),
            is_ground: true,
            ..Shared::new(name.to_owned(), domain, Config::default(), ActionMode::Operators)?
        };
        let text = GroundText {
            source,
            simulator: Simulator::new(Arc::new(task)),
            problem,
        };
        let entry = Entry::new(None, name.to_owned(), Text::Ground(Arc::new(text)));
        Ok(Self::of(shared, vec![entry]))
    }

    /// Returns whether the problem is a ground task without schemas ([`from_ground`](Self::from_ground)).
    #[must_use]
    pub fn is_ground(&self) -> bool {
        self.shared.is_ground
    }

    /// Fails if the problem is a ground task without schemas. `needs` names the part of Herbrand that needs schemas.
    pub(super) fn check_schemas(&self, needs: &'static str) -> Result<(), EnvError> {
        if !self.is_ground() {
            return Ok(());
        }
        Err(EnvError::NeedsSchemas {
            problem: self.name().to_owned(),
            needs,
        })
    }
}

/// Writes a domain that declares the predicates and schemas of a task.
fn domain_text(task: &GroundTask) -> String {
    let words = &task.vocabulary;
    let mut text = "(define (domain task)\n(:requirements :adl)\n(:predicates".to_owned();
    for predicate in words.predicates.iter().filter(|predicate| !predicate.auxiliary) {
        let _ = write!(
            text,
            " ({}{})",
            predicate.signature.name,
            parameters(&predicate.signature)
        );
    }
    text.push_str(")\n");
    for schema in &words.schemas {
        let _ = writeln!(
            text,
            "(:action {} :parameters ({}))",
            schema.name,
            parameters(schema)
        );
    }
    text + ")"
}

fn parameters(signature: &Signature) -> String {
    signature
        .parameters
        .iter()
        .map(|(name, _)| format!(" ?{name}"))
        .collect()
}

/// Writes a problem with the objects, the true atoms and the goal of a task.
fn problem_text(task: &GroundTask) -> String {
    let mut text = "(define (problem task) (:domain task)\n(:objects".to_owned();
    for object in &task.vocabulary.objects {
        let _ = write!(text, " {}", object.name);
    }
    text.push_str(")\n(:init");
    for &atom in &task.initial {
        let _ = write!(text, " {}", task.display_atom(atom));
    }
    text.push_str(")\n(:goal ");
    let conjunction = |text: &mut String, id: ConjunctionId| {
        for literal in task.conditions.get(id).literals {
            let atom = task.display_atom(literal.atom());
            let _ = if literal.is_negative() {
                write!(text, " (not {atom})")
            } else {
                write!(text, " {atom}")
            };
        }
    };
    let ways: Vec<_> = task.conditions.conjunctions(task.goal).collect();
    if let [way] = ways.as_slice() {
        text.push_str("(and");
        conjunction(&mut text, *way);
    } else {
        text.push_str("(or");
        for way in ways {
            text.push_str(" (and");
            conjunction(&mut text, way);
            text.push(')');
        }
    }
    text + ")))"
}

#[cfg(test)]
mod tests {
    use herbrand_core::{Described as _, Explained as _, Problems as _, Random, System as _};
    use herbrand_ground::{GroundOptions, ground};

    use super::*;
    use crate::action::ids::Ids;

    fn lamps() -> Suite {
        let text = "(define (domain lamps) (:requirements :adl) (:predicates (on ?x) (dark) (lit ?x)) (:derived (lit ?x) (on ?x))
            (:action press :parameters (?x) :precondition (not (lit ?x)) :effect (and (on ?x) (not (dark)))))";
        let domain = Domain::from_text(text).expect("a domain");
        let text = "(define (problem two) (:domain lamps) (:objects a b) (:init (dark)) (:goal (and (lit a) (not (dark)))))";
        let problem = Problem::from_text(text, &domain).expect("a problem");
        let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
        Suite::from_ground("pair", Source::new("pair.sas", "begin_version"), task).expect("a suite")
    }

    #[test]
    fn a_ground_task_is_walked_like_its_text() {
        let suite = lamps();
        assert_eq!(
            (suite.name(), suite.len(), suite.problem_name(0)),
            ("pair", 1, Some("pair"))
        );
        let mut system = suite.system(0).expect("a system");
        let conjuncts = |system: &_| -> Vec<_> {
            let all = suite.goal_conjuncts(0, system).expect("conjuncts");
            all.into_iter()
                .map(|conjunct| (conjunct.text, conjunct.holds))
                .collect()
        };
        let at_first = [
            ("(lit a)".to_owned(), Some(false)),
            ("(not (dark))".to_owned(), Some(false)),
        ];
        assert_eq!(conjuncts(&system), at_first);
        let press = system.parse_choice("(press a)").expect("an action");
        system.step(&[press], &mut Random::new(0)).expect("a step");
        assert!(system.status().goal);
        assert!(conjuncts(&system).iter().all(|(_, holds)| *holds == Some(true)));
        assert_eq!(suite.why_never(0, "(press a)").expect("an answer"), None);
        assert_eq!(
            suite.unreachable_goals(0).expect("an answer"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_needs_schemas_fails() {
        let suite = lamps();
        let error = suite.lifted_simulator(0).expect_err("no schemas");
        let message = "`pair` is a ground task, and the lifted engine needs schemas";
        assert_eq!(error.to_string(), message);
        assert!(suite.with_ids(Ids::Suite).is_err());
        let again = suite.with_ids(Ids::Problem).expect("a suite");
        assert_eq!(again.instance(0).expect("an instance").space().len(), 2);
    }
}
