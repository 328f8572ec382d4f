//! What is shown of an engine, whichever it is.

use herbrand::core::{Described, Transition};
use herbrand::env::{AgentActionId, Grounded, Lifted, Planning, PlanningError, Random, System, Walk};
use herbrand::ground::{Change, NumericId, Vocabulary};
use herbrand::pddl::{Fact, PredicateKind};
use herbrand::step::Fired;

/// An engine whose states and actions have names.
pub trait View: System<Error = PlanningError> {
    /// The action that a text means.
    fn find(&self, text: &str) -> Option<AgentActionId>;

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

fn named(vocabulary: &Vocabulary, fact: Fact<'_>) -> String {
    let name = &vocabulary.predicate(fact.predicate).signature.name;
    vocabulary.term(name, fact.arguments).to_string()
}

impl View for Planning<Grounded> {
    fn find(&self, text: &str) -> Option<AgentActionId> {
        self.space().parse(text)
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
