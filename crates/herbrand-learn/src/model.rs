//! Learned models: the given vocabulary with learned action schemas.

use herbrand_pddl::{
    ActionSchema, Atom, Domain, Effect, Formula, Name, Place, Problem, Requirement, Requirements, Term,
    TypeUnion, Variable,
};

use crate::experience::Sign;
use crate::lift::Literal;
use crate::{Language, LearnError, Signature};

/// A learned model: a domain with the vocabulary of the true one, whose schemas were learned.
///
/// A schema carries out the agent's action of [`action_of`](Self::action_of): the action's parameters are its first ones,
/// and others stand for what the action hides.
#[derive(Clone, Debug)]
pub struct Learned {
    language: std::sync::Arc<Language>,
    domain: Domain,
    actions: Vec<usize>,
    omitted: Vec<Omission>,
}

/// An action that the model leaves out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omission {
    /// The name of the action.
    pub action: Name,
    /// Why.
    pub reason: OmissionReason,
}

/// Why a model leaves an action out: it is never applicable then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmissionReason {
    /// It was never carried out.
    NeverSeen,
    /// What was seen does not tell yet which of its parameters an effect is about.
    Undetermined,
    /// It changes, by chance, what no variable of the model stands for.
    OutOfReach,
}

impl std::fmt::Display for OmissionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NeverSeen => "never carried out",
            Self::Undetermined => "effects not determined yet",
            Self::OutOfReach => "effects on what no variable stands for",
        })
    }
}

/// A learned schema of an action.
pub(crate) struct LearnedSchema {
    /// The index of the action's signature.
    pub action: usize,
    pub schema: ActionSchema,
}

impl Learned {
    pub(crate) fn new(
        language: std::sync::Arc<Language>,
        learned: Vec<LearnedSchema>,
        omitted: Vec<Omission>,
    ) -> Self {
        let mut domain = language.domain().clone();
        domain.requirements = requirements(&domain);
        let (actions, schemas) = named(&language, learned);
        domain.schemas = schemas;
        Self {
            language,
            domain,
            actions,
            omitted,
        }
    }

    /// A model that something else learned, to be judged as others are. An operator of the domain carries out the action of
    /// its name.
    ///
    /// # Errors
    /// When the domain has other types, constants or predicates than the language, or an operator has no action of its name
    /// with the same parameters.
    pub fn from_domain(language: std::sync::Arc<Language>, domain: &Domain) -> Result<Self, LearnError> {
        let mut faults = Vec::new();
        if !language.has_vocabulary_of(domain) {
            faults.push("other types, constants or predicates, or in another order".to_owned());
        }
        let own = Language::of_operators(domain);
        let mut actions = Vec::new();
        for operator in own.signatures() {
            let types = |signature: &Signature| -> Vec<TypeUnion> {
                let parameters = signature.parameters.iter();
                parameters.map(|(_, types)| types.clone()).collect()
            };
            let same = |action: &Signature| action.name == operator.name && types(action) == types(operator);
            match language.signatures().iter().position(same) {
                Some(action) => actions.push(action),
                None => faults.push(format!("no action {} with these parameters", operator.name)),
            }
        }
        if !faults.is_empty() {
            return Err(LearnError::Vocabulary { faults });
        }
        let mut domain = domain.clone();
        for (predicate, given) in domain.predicates.iter_mut().zip(&language.domain().predicates) {
            predicate.kind = given.kind;
        }
        Ok(Self {
            language,
            domain,
            actions,
            omitted: Vec::new(),
        })
    }

    /// What was given.
    #[must_use]
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The domain. Its predicates are of the kinds that they have in the true one, whether or not a learned schema changes
    /// them.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The index of the agent's action that a schema carries out, by schema.
    #[must_use]
    pub fn action_of(&self) -> &[usize] {
        &self.actions
    }

    /// The actions that are left out.
    #[must_use]
    pub fn omitted(&self) -> &[Omission] {
        &self.omitted
    }

    /// The model as PDDL.
    ///
    /// # Errors
    /// When the text is not accepted, which would be a fault of the learner.
    pub fn to_pddl(&self) -> Result<String, LearnError> {
        let text = self.domain.to_pddl();
        let checked = Domain::from_text(&text);
        checked.map_err(LearnError::Model)?;
        Ok(text)
    }
}

/// A problem as one of another domain with the same vocabulary.
pub(crate) fn problem_of(domain: &Domain, problem: &Problem) -> Problem {
    Problem {
        domain_fingerprint: domain.fingerprint(),
        ..problem.clone()
    }
}

/// Schemas under names of their own: several of one action are numbered.
fn named(language: &Language, learned: Vec<LearnedSchema>) -> (Vec<usize>, Vec<ActionSchema>) {
    let taken = |name: &str| {
        language
            .signatures()
            .iter()
            .any(|signature| signature.name.as_str() == name)
    };
    let counts: Vec<usize> = (0..language.signatures().len())
        .map(|action| learned.iter().filter(|schema| schema.action == action).count())
        .collect();
    let mut numbers = vec![0; counts.len()];
    let mut rename = |LearnedSchema { action, mut schema }| {
        let name = &language.signatures()[action].name;
        if counts[action] > 1 {
            schema.name = loop {
                numbers[action] += 1;
                let name = format!("{name}-{}", numbers[action]);
                if !taken(&name) {
                    break Name::new(&name);
                }
            };
        }
        (action, schema)
    };
    learned.into_iter().map(&mut rename).unzip()
}

/// The flags of the given vocabulary, and those that learned schemas need.
fn requirements(domain: &Domain) -> Requirements {
    let needed = [
        Requirement::Strips,
        Requirement::Typing,
        Requirement::NegativePreconditions,
        Requirement::Equality,
        Requirement::ExistentialPreconditions,
        Requirement::ConditionalEffects,
    ];
    let mut requirements = domain.requirements;
    for flag in needed {
        requirements.insert(flag);
    }
    requirements
}

/// An atom as a formula, or its negation.
pub(crate) fn literal_formula(atom: &Atom, holds: bool) -> Formula {
    negate_unless(Formula::Atom(atom.clone()), holds)
}

/// A formula, or its negation.
pub(crate) fn negate_unless(formula: Formula, holds: bool) -> Formula {
    if holds {
        formula
    } else {
        Formula::Not(Box::new(formula))
    }
}

/// Formulas together; one by itself stands alone.
pub(crate) fn conjunction(mut formulas: Vec<Formula>) -> Formula {
    match formulas.len() {
        1 => formulas.remove(0),
        _ => Formula::And(formulas),
    }
}

/// Effects together; one by itself stands alone.
pub(crate) fn effects(mut parts: Vec<Effect>) -> Effect {
    match parts.len() {
        1 => parts.remove(0),
        _ => Effect::And(parts),
    }
}

/// A change as an effect.
pub(crate) fn literal_effect(literal: &Literal) -> Effect {
    match literal.sign {
        Sign::Add => Effect::Add(literal.atom.clone()),
        Sign::Delete => Effect::Delete(literal.atom.clone()),
    }
}

/// A variable of a schema.
pub(crate) fn variable(name: &Name, types: &TypeUnion) -> Variable {
    Variable {
        name: name.clone(),
        types: types.clone(),
        place: Place::default(),
    }
}

/// An equality of two terms, or its negation.
pub(crate) fn equality(one: Term, other: Term, holds: bool) -> Formula {
    negate_unless(Formula::Equal(one, other), holds)
}
