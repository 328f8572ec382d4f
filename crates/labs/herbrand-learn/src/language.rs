//! The part of a domain that a learner is given: the vocabulary and axioms, without preconditions and effects.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_env::{Argument, Suite};
use herbrand_pddl::{Atom, Domain, Name, ObjectId, PredicateId, PredicateKind, Term, TypeUnion};

/// The given part of a domain: its types, constants, predicates and axioms, and the names and parameters of the agent
/// actions. Learners ignore the action schemas of the domain. [`of`](Self::of) and
/// [`of_operators`](Self::of_operators) create it; [`Recording::new`](crate::Recording::new) takes one.
#[derive(Clone, Debug)]
pub struct DomainSignature {
    domain: Arc<Domain>,
    signatures: Vec<ActionSignature>,
}

/// An agent action as learners see it: its name and its parameters, without precondition and effects.
/// [`DomainSignature::signatures`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionSignature {
    /// The name of the action.
    pub name: Name,
    /// The name and the types of each parameter, in order.
    pub parameters: Vec<(Name, TypeUnion)>,
}

impl DomainSignature {
    /// Returns the language of a suite. Its actions are the declared agent actions, or the operators if the suite has
    /// none. [`explore`](crate::explore()) uses this language.
    #[must_use]
    pub fn of(suite: &Suite) -> Self {
        let domain = suite.domain();
        let signatures = match suite.agent_actions() {
            Some(agent) => agent
                .actions()
                .iter()
                .map(|action| agent_signature(domain, action))
                .collect(),
            None => return Self::of_operators(domain),
        };
        Self {
            domain: Arc::new(domain.clone()),
            signatures,
        }
    }

    /// Returns the language of a domain whose operators are the agent actions. Their preconditions and effects may be
    /// missing.
    #[must_use]
    pub fn of_operators(domain: &Domain) -> Self {
        Self {
            signatures: domain.schemas.iter().map(operator_signature).collect(),
            domain: Arc::new(domain.clone()),
        }
    }

    /// Marks static predicates as fluent if they are in `changed`, even if no schema changes them.
    pub(crate) fn set_fluents(&mut self, changed: &BTreeSet<PredicateId>) {
        let predicates = &mut Arc::make_mut(&mut self.domain).predicates;
        for id in changed {
            let kind = &mut predicates[id.index()].kind;
            if *kind == PredicateKind::Static {
                *kind = PredicateKind::Fluent;
            }
        }
    }

    /// Returns the domain that the vocabulary is from. Learners ignore its action schemas.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the agent actions. [`ObservedTransition::action`](crate::ObservedTransition::action) and
    /// [`Learned::action_of`](crate::Learned::action_of) refer to them by index.
    #[must_use]
    pub fn signatures(&self) -> &[ActionSignature] {
        &self.signatures
    }

    /// Returns whether another language has the same types, constants, predicates and actions, with the same parameter
    /// names of actions. The order counts.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.signatures == other.signatures && self.has_vocabulary_of(&other.domain)
    }

    /// Returns whether a domain has the same types, constants and predicates, in the same order. Functions, axioms,
    /// action schemas and the names of parameters are not compared.
    #[must_use]
    pub fn has_vocabulary_of(&self, domain: &Domain) -> bool {
        let parts = |domain: &Domain| {
            let types = domain
                .types
                .iter()
                .map(|one| (one.name.clone(), one.parents.clone()));
            let constants = domain
                .constants
                .iter()
                .map(|one| (one.name.clone(), one.types.clone()));
            let predicates = domain.predicates.iter().map(|one| {
                let parameters = one.parameters.iter().map(|parameter| parameter.types.clone());
                (one.name.clone(), parameters.collect::<Vec<_>>())
            });
            (
                types.collect::<Vec<_>>(),
                constants.collect::<Vec<_>>(),
                predicates.collect::<Vec<_>>(),
            )
        };
        parts(&self.domain) == parts(domain)
    }

    /// Returns the predicates whose atoms occur in states.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = PredicateId> + '_ {
        let all = (0..self.domain.predicates.len()).map(PredicateId::from_index);
        all.filter(|&id| self.domain.predicate(id).kind != PredicateKind::Action)
    }

    /// Returns the declared types of a predicate's parameter.
    pub(crate) fn expected(&self, predicate: PredicateId, place: usize) -> &TypeUnion {
        &self.domain.predicate(predicate).parameters[place].types
    }

    /// Returns the constants. Their ids are the same in all problems.
    pub(crate) fn constants(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.domain.constants.len()).map(ObjectId::from_index)
    }

    /// Returns the types of a term, given the types of the variables.
    pub(crate) fn types_of<'l>(&'l self, variables: &'l [TypeUnion], term: Term) -> &'l TypeUnion {
        match term {
            Term::Variable(variable) => &variables[variable.index()],
            Term::Object(constant) => &self.domain.constants[constant.index()].types,
        }
    }

    /// Formats an atom over variables and constants as PDDL, with the given variable names.
    pub(crate) fn display(&self, atom: &Atom, names: &[Name]) -> String {
        let mut text = format!("({}", self.domain.predicate(atom.predicate).name);
        for &argument in &atom.arguments {
            match argument {
                Term::Variable(variable) => {
                    text.push_str(" ?");
                    text.push_str(names[variable.index()].as_str());
                }
                Term::Object(constant) => {
                    text.push(' ');
                    text.push_str(self.domain.constants[constant.index()].name.as_str());
                }
            }
        }
        text.push(')');
        text
    }
}

fn operator_signature(schema: &herbrand_pddl::ActionSchema) -> ActionSignature {
    let parameters = schema.parameters().iter();
    ActionSignature {
        name: schema.name.clone(),
        parameters: parameters.map(|p| (p.name.clone(), p.types.clone())).collect(),
    }
}

/// Returns the signature of an agent action. A parameter's types are the union of the types in the operators that
/// carry out the action.
fn agent_signature(domain: &Domain, action: &herbrand_env::AgentAction) -> ActionSignature {
    let types = |place: usize| {
        let mut all = Vec::new();
        for carrier in &action.carriers {
            let types = match carrier.arguments[place] {
                Argument::Parameter(index) => &domain.schema(carrier.schema).variables[index as usize].types,
                Argument::Constant(constant) => &domain.constants[constant.index()].types,
            };
            all.extend(
                types
                    .types()
                    .iter()
                    .copied()
                    .filter(|id| !all.contains(id))
                    .collect::<Vec<_>>(),
            );
        }
        TypeUnion::either(all)
    };
    let parameters = action.parameters.iter().enumerate();
    ActionSignature {
        name: action.name.clone(),
        parameters: parameters
            .map(|(place, name)| (name.clone(), types(place)))
            .collect(),
    }
}
