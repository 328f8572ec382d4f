//! Builds the texts of planning problems, with the sections that all families share.

use super::{Texts, each};

/// The sections of a PDDL domain and problem that differ between families.
#[derive(Default)]
pub struct Planning {
    pub types: String,
    pub constants: String,
    pub predicates: String,
    pub functions: String,
    /// Actions and axioms.
    pub items: String,
    pub objects: String,
    pub init: String,
    pub goal: String,
    /// Text after the goal, such as a metric.
    pub after: String,
}

impl Planning {
    pub fn texts(self) -> Texts {
        let section = |keyword: &str, content: &str| match content {
            "" => String::new(),
            _ => format!("({keyword} {content})\n"),
        };
        let goal = if self.goal.is_empty() { "(g)" } else { &self.goal };
        Texts {
            domain: format!(
                "(define (domain d)\n(:requirements :adl :fluents :derived-predicates :probabilistic-effects :rewards)\n\
                 {}{}(:predicates (g) (p ?x) (e ?x ?y) {})\n{}\
                 (:action go :parameters () :effect (g))\n{}\n)",
                section(":types", &self.types),
                section(":constants", &self.constants),
                self.predicates,
                section(":functions", &self.functions),
                self.items
            ),
            problem: format!(
                "(define (problem q) (:domain d)\n{}(:init {})\n(:goal {goal})\n{})",
                section(":objects", &self.objects),
                self.init,
                self.after
            ),
        }
    }
}

/// Objects with these numbers.
pub fn objects(count: usize) -> String {
    each(count, |number| format!("o{number} "))
}

/// Variables with these numbers.
pub fn variables(count: usize) -> String {
    each(count, |number| format!("?v{number} "))
}

/// An action of this name.
pub fn action(name: &str, parameters: &str, precondition: &str, effect: &str) -> String {
    format!("(:action {name} :parameters ({parameters}) :precondition {precondition} :effect {effect})\n")
}

/// An action with this precondition, and `count` objects.
pub fn precondition(precondition: &str, count: usize) -> Texts {
    Planning {
        items: action("act", "?x ?y", precondition, "(p ?x)"),
        constants: objects(count),
        init: each(count, |number| format!("(p o{number}) (e o0 o{number})")),
        ..Planning::default()
    }
    .texts()
}

/// An action with this effect, and `count` objects.
pub fn effect(effect: &str, count: usize) -> Texts {
    Planning {
        items: action("act", "?x ?y", "(e ?x ?y)", effect),
        constants: objects(count),
        init: each(count, |number| format!("(p o{number}) (e o0 o{number})")),
        ..Planning::default()
    }
    .texts()
}

/// Functions of numbers, with this effect of an action and this goal.
pub fn counting(functions: &str, init: &str, effect: &str, goal: &str) -> Texts {
    Planning {
        functions: format!("(f) (h) {functions}"),
        items: action("count", "", "(g)", effect),
        init: format!("(= (f) 1) (= (h) 2) {init}"),
        goal: goal.to_owned(),
        ..Planning::default()
    }
    .texts()
}
