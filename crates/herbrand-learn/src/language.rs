//! What a learner knows of a domain in advance: its vocabulary and axioms, but not the preconditions and effects of actions.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_env::{Argument, Suite};
use herbrand_pddl::{Atom, Domain, Name, ObjectId, PredicateId, PredicateKind, Term, TypeUnion};

/// The vocabulary that is given: types, constants, predicates and axioms of a domain, and the names and parameters of the
/// agent's actions. What schemas the domain has is not looked at by learners.
#[derive(Clone, Debug)]
pub struct Language {
    domain: Arc<Domain>,
    signatures: Vec<Signature>,
}

/// An action of the agent: its name, and the names and types of what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// The name and the types of each parameter.
    pub parameters: Vec<(Name, TypeUnion)>,
}

impl Language {
    /// The vocabulary of a suite, with its agent's actions, or with the operators where these are the actions.
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

    /// The vocabulary of a domain, whose operators are the actions. Their preconditions and effects may be missing.
    #[must_use]
    pub fn of_operators(domain: &Domain) -> Self {
        Self {
            signatures: domain.schemas.iter().map(operator_signature).collect(),
            domain: Arc::new(domain.clone()),
        }
    }

    /// Notes that atoms of these predicates change, whatever the schemas of the domain say.
    pub(crate) fn set_fluents(&mut self, changed: &BTreeSet<PredicateId>) {
        let predicates = &mut Arc::make_mut(&mut self.domain).predicates;
        for id in changed {
            let kind = &mut predicates[id.index()].kind;
            if *kind == PredicateKind::Static {
                *kind = PredicateKind::Fluent;
            }
        }
    }

    /// The domain. Its schemas are not looked at by learners.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The agent's actions.
    #[must_use]
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Whether another vocabulary has the same types, constants, predicates and actions.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.signatures == other.signatures && self.has_vocabulary_of(&other.domain)
    }

    /// Whether a domain has the same types, constants and predicates, in the same order.
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

    /// The predicates that atoms of states have.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = PredicateId> + '_ {
        let all = (0..self.domain.predicates.len()).map(PredicateId::from_index);
        all.filter(|&id| self.domain.predicate(id).kind != PredicateKind::Action)
    }

    /// The types that are asked for at a place of a predicate.
    pub(crate) fn expected(&self, predicate: PredicateId, place: usize) -> &TypeUnion {
        &self.domain.predicate(predicate).parameters[place].types
    }

    /// The constants, whose ids are the same in all problems.
    pub(crate) fn constants(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.domain.constants.len()).map(ObjectId::from_index)
    }

    /// The types of a term over variables of these types.
    pub(crate) fn types_of<'l>(&'l self, variables: &'l [TypeUnion], term: Term) -> &'l TypeUnion {
        match term {
            Term::Variable(variable) => &variables[variable.index()],
            Term::Object(constant) => &self.domain.constants[constant.index()].types,
        }
    }

    /// An atom over variables and constants as PDDL writes it, with the names of the variables.
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

fn operator_signature(schema: &herbrand_pddl::ActionSchema) -> Signature {
    let parameters = schema.parameters().iter();
    Signature {
        name: schema.name.clone(),
        parameters: parameters.map(|p| (p.name.clone(), p.types.clone())).collect(),
    }
}

/// A parameter may be whatever it may be to one of the operators.
fn agent_signature(domain: &Domain, action: &herbrand_env::AgentAction) -> Signature {
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
    Signature {
        name: action.name.clone(),
        parameters: parameters
            .map(|(place, name)| (name.clone(), types(place)))
            .collect(),
    }
}
