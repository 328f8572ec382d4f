//! What is shown of an engine, whichever it is.

use herbrand::core::{Described, Transition};
use herbrand::env::{
    AgentActionId, AgentActions, Grounded, Lifted, Planning, PlanningError, Random, System, Walk,
};
use herbrand::ground::{Change, NumericId, Vocabulary};
use herbrand::pddl::{Fact, ObjectId, PredicateId, PredicateKind};
use herbrand::step::Fired;
use herbrand::text::{did_you_mean, nearest};

use crate::output::counted;

/// An engine whose states and actions have names.
pub trait View: System<Error = PlanningError> {
    /// The action that a text means, of those that the problem has.
    fn find(&self, text: &str) -> Option<AgentActionId>;

    /// The names of all actions, each with the number of its arguments.
    fn signatures(&self) -> Vec<(&str, usize)>;

    /// Whether an atom holds now, be it fluent, derived or static.
    fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool;

    fn name(&self, action: AgentActionId) -> String;

    /// A step with an account of it.
    fn explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), PlanningError>;

    fn vocabulary(&self) -> &Vocabulary;

    fn atoms(&self) -> Atoms;

    /// The numbers of the state; `None` where one is undefined.
    fn numbers(&self) -> Vec<(String, Option<f64>)>;
}

/// The atoms that hold, by name, in the order of declarations.
pub struct Atoms {
    pub fluents: Vec<String>,
    pub derived: Vec<String>,
    /// Those that hold in every state.
    pub statics: Vec<String>,
}

/// The agent's actions, or the operators, each with the number of its arguments.
fn signatures<'v>(agent: Option<&'v AgentActions>, vocabulary: &'v Vocabulary) -> Vec<(&'v str, usize)> {
    match agent {
        Some(agent) => {
            let actions = agent.actions().iter();
            actions
                .map(|action| (action.name.as_str(), action.parameters.len()))
                .collect()
        }
        None => {
            let schemas = vocabulary.schemas.iter();
            schemas
                .map(|schema| (schema.name.as_str(), schema.parameters.len()))
                .collect()
        }
    }
}

/// Why a text means no action of an engine.
pub fn unknown_action(engine: &impl View, text: &str) -> String {
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let Some(name) = words.next() else {
        return "an action is written as (name argument …)".to_owned();
    };
    let (signatures, objects) = (engine.signatures(), &engine.vocabulary().objects);
    let Some(&(_, expected)) = signatures.iter().find(|(known, _)| *known == name) else {
        let names = signatures.iter().map(|&(name, _)| name);
        return format!(
            "there is no action `{name}`{}",
            did_you_mean(nearest(name, names))
        );
    };
    let arguments: Vec<_> = words.collect();
    if arguments.len() != expected {
        return format!(
            "`{name}` takes {}, not {}",
            counted(expected as u64, "argument"),
            arguments.len()
        );
    }
    let names = || objects.iter().map(|object| object.name.as_str());
    let unknown = arguments
        .iter()
        .find(|argument| names().all(|name| name != **argument));
    match unknown {
        Some(object) => format!(
            "({text}): there is no object `{object}`{}",
            did_you_mean(nearest(object, names()))
        ),
        None => format!("({text}): no state that the problem can come to allows this action"),
    }
}

fn named(vocabulary: &Vocabulary, fact: Fact<'_>) -> String {
    let name = &vocabulary.predicate(fact.predicate).signature.name;
    vocabulary.term(name, fact.arguments).to_string()
}

impl View for Planning<Grounded> {
    fn find(&self, text: &str) -> Option<AgentActionId> {
        self.space().parse(text)
    }

    fn signatures(&self) -> Vec<(&str, usize)> {
        signatures(self.space().agent_actions(), self.vocabulary())
    }

    fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let task = self.walker().simulator().task();
        let wanted = Fact { predicate, arguments };
        match task.find_atom(predicate, arguments) {
            Some(atom) => self.walker().holds(atom),
            None => task.statics.iter().any(|fact| fact == wanted),
        }
    }

    fn name(&self, action: AgentActionId) -> String {
        self.choice_text(action.into())
    }

    fn explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), PlanningError> {
        self.step_explained(action, chance)
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.walker().simulator().task().vocabulary
    }

    fn atoms(&self) -> Atoms {
        let (walker, vocabulary) = (self.walker(), self.vocabulary());
        let task = walker.simulator().task();
        let seen = |atom: &herbrand::AtomId| {
            let fact = task.atoms.get(atom.index());
            fact.is_some_and(|fact| !vocabulary.predicate(fact.predicate).auxiliary)
        };
        let (derived, fluents): (Vec<_>, Vec<_>) = walker
            .atoms()
            .filter(seen)
            .partition(|&atom| task.is_derived(atom));
        let names = |atoms: Vec<herbrand::AtomId>| {
            let names = atoms.into_iter().map(|atom| task.display_atom(atom).to_string());
            names.collect()
        };
        let shown = task.statics.iter().filter(|fact| {
            let predicate = vocabulary.predicate(fact.predicate);
            !predicate.auxiliary && predicate.kind != PredicateKind::Action
        });
        Atoms {
            fluents: names(fluents),
            derived: names(derived),
            statics: shown.map(|fact| named(vocabulary, fact)).collect(),
        }
    }

    fn numbers(&self) -> Vec<(String, Option<f64>)> {
        let walker = self.walker();
        let task = walker.simulator().task();
        let numbers = (0..task.state_numerics).map(NumericId::new);
        let named = numbers.map(|id| (task.display_numeric(id).to_string(), walker.numeric(id)));
        named.collect()
    }
}

impl View for Planning<Lifted> {
    fn find(&self, text: &str) -> Option<AgentActionId> {
        let action = self.walk().find_action(text)?;
        Some(self.walk().id(&action))
    }

    fn signatures(&self) -> Vec<(&str, usize)> {
        signatures(self.agent_actions(), self.vocabulary())
    }

    fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let wanted = Fact { predicate, arguments };
        let statics = &self.walker().simulator().task().static_atoms;
        self.walker().holds(predicate, arguments) || statics.iter().any(|fact| fact == wanted)
    }

    fn name(&self, action: AgentActionId) -> String {
        self.choice_text(action.into())
    }

    fn explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), PlanningError> {
        self.step_explained(action, chance)
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.walker().simulator().vocabulary()
    }

    fn atoms(&self) -> Atoms {
        let (walker, vocabulary) = (self.walker(), self.vocabulary());
        let task = walker.simulator().task();
        let mut all: Vec<_> = walker.derived().collect();
        all.sort_unstable();
        let (fixed, derived): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|fact| task.change(fact.predicate) == Change::StaticDerived);
        let names = |facts: Vec<Fact<'_>>| facts.into_iter().map(|fact| named(vocabulary, fact)).collect();
        Atoms {
            fluents: names(walker.state().atoms().collect()),
            derived: names(derived),
            statics: names(task.static_atoms.iter().chain(fixed).collect()),
        }
    }

    fn numbers(&self) -> Vec<(String, Option<f64>)> {
        let (walker, vocabulary) = (self.walker(), self.vocabulary());
        let numbers = walker.state().numbers().iter().map(|number| {
            let name = &vocabulary.function(number.function).name;
            let text = vocabulary.term(name, &number.arguments).to_string();
            (text, Some(number.value()))
        });
        numbers.collect()
    }
}
