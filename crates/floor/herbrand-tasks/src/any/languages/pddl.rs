//! PDDL, with both engines.

use std::sync::Arc;

use herbrand_core::{ActionField, ActionLayout, Problems};
use herbrand_env::{
    EnvError, Grounded, InstanceLearningGraph, Lifted, LiftedSuite, ObservedAtoms, ObservedId, Planning,
    Suite,
};

use crate::any::playable::{LanguageFeatures, Playable};
use crate::any::view::TrueAtoms;

/// Returns the single action field of PDDL problems.
fn single_field(problems: &impl Problems<Error = EnvError>) -> Result<Vec<ActionField>, EnvError> {
    let layout = ActionLayout::single("action", problems.mask_len()?);
    Ok(layout.fields().to_vec())
}

impl Playable for Suite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn features<'a>(
        &'a self,
        _index: usize,
        planning: &'a Planning<Grounded>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(PddlFeatures { planning })
    }
}

/// A PDDL problem in a state of the grounded engine.
struct PddlFeatures<'a> {
    planning: &'a Planning<Grounded>,
}

impl LanguageFeatures for PddlFeatures<'_> {
    fn held(&self, part: ObservedAtoms) -> Option<TrueAtoms> {
        let instance = Arc::clone(self.planning.instance());
        let atoms = instance.atoms();
        let held = atoms.observe(self.planning.walker(), part);
        Some(TrueAtoms::Numbers {
            held: held.map(ObservedId::number).collect(),
            count: atoms.len(ObservedAtoms::All),
            name: Box::new(move |id| {
                let vocabulary = &instance.simulator().task().vocabulary;
                let fact = instance.atoms().get(ObservedId::new(id));
                let words = fact.iter().flat_map(|fact| {
                    let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
                    let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
                    std::iter::once(head).chain(arguments).map(str::to_owned)
                });
                words.collect()
            }),
        })
    }

    fn atom_text(&self, number: usize) -> Option<String> {
        let atoms = self.planning.instance().atoms();
        let known = number < atoms.len(ObservedAtoms::All);
        known.then(|| atoms.display(ObservedId::new(number as u32)).to_string())
    }

    fn graph(&self, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = self.planning.instance().atoms();
        atoms.graph(self.planning.walker(), part, &mut graph);
        Some(graph)
    }

    fn last_operator(&self) -> Option<String> {
        let operator = *self.planning.last_operator()?;
        Some(self.planning.space().task().display_action(operator).to_string())
    }

    fn missing(&self) -> Option<Vec<String>> {
        let task = self.planning.space().task();
        let missing = self.planning.goal_progress().missing.into_iter();
        Some(
            missing
                .map(|literal| task.display_literal(literal).to_string())
                .collect(),
        )
    }
}

impl Playable for LiftedSuite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn features<'a>(
        &'a self,
        _index: usize,
        planning: &'a Planning<Lifted>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(LiftedFeatures(planning))
    }
}

/// A PDDL problem in a state of the lifted engine.
struct LiftedFeatures<'a>(&'a Planning<Lifted>);

impl LanguageFeatures for LiftedFeatures<'_> {
    fn held(&self, part: ObservedAtoms) -> Option<TrueAtoms> {
        let vocabulary = self.0.walker().simulator().vocabulary();
        let held = self.0.walk().atoms().observe(self.0.walker(), part);
        let names = held.map(|fact| {
            let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
            let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
            std::iter::once(head)
                .chain(arguments)
                .map(str::to_owned)
                .collect()
        });
        Some(TrueAtoms::Names(names.collect()))
    }

    fn atom_text(&self, number: usize) -> Option<String> {
        self.0.walk().atoms().display(number)
    }

    fn graph(&self, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = self.0.walk().atoms();
        atoms.graph(self.0.walker(), part, &mut graph);
        Some(graph)
    }

    fn last_operator(&self) -> Option<String> {
        self.0.last_operator_text()
    }

    fn missing(&self) -> Option<Vec<String>> {
        Some(self.0.walk().atoms().missing(self.0.walker()))
    }
}
