//! Learned models: a given vocabulary with learned action schemas.

use herbrand_pddl::{
    ActionSchema, Atom, Domain, Effect, Formula, Name, Place, Problem, Requirement, Requirements, Term,
    TypeUnion, Variable,
};

use crate::error::LearnError;
use crate::experience::EffectSign;
use crate::language::{ActionSignature, DomainSignature};
use crate::lift::Literal;

/// A learned model: a domain with the vocabulary of the true domain and learned action schemas. Returned by
/// [`learn_safe`](crate::learn_safe), [`learn_foldt`](crate::learn_foldt) and [`from_domain`](Self::from_domain).
///
/// Each schema carries out one agent action, which [`action_of`](Self::action_of) returns. If an action has several
/// schemas, they have its name with a number, as in `move-1`. The schema has the parameters of the action first. Its
/// other parameters stand for objects that the action reads or changes, but that are no arguments of the action.
#[derive(Clone, Debug)]
pub struct Learned {
    language: std::sync::Arc<DomainSignature>,
    domain: Domain,
    actions: Vec<usize>,
    omitted: Vec<Omission>,
}

/// An action that a learned model does not permit, in some states or in all, because the experience does not determine
/// its effects there. [`Learned::omitted`] lists them; more experience may remove them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omission {
    /// The name of the action.
    pub action: Name,
    /// The reason for the omission.
    pub reason: OmissionReason,
}

/// The reason why a learned model does not permit an action in some states. It is [`Omission::reason`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmissionReason {
    /// The action was never applied in the experience, so it has no schema.
    NeverSeen,
    /// The experience does not determine which parameters an effect is about, so the action has no schema. Only
    /// [`learn_safe`](crate::learn_safe) gives it.
    Undetermined,
    /// A probabilistic effect changes an atom about objects that no variable of the schema can name. The action is not
    /// permitted in the states of that leaf of the tree. Only [`learn_foldt`](crate::learn_foldt) gives it.
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
        language: std::sync::Arc<DomainSignature>,
        learned: Vec<LearnedSchema>,
        omitted: Vec<Omission>,
    ) -> Self {
        let mut domain = language.domain().clone();
        let (actions, schemas) = named(&language, learned);
        domain.schemas = schemas;
        domain.requirements = requirements(&domain);
        Self {
            language,
            domain,
            actions,
            omitted,
        }
    }

    /// Makes a learned model of a domain that was learned elsewhere, so that it can be judged. `language` is the given
    /// part of the true domain. Each operator of the domain carries out the agent action of the same name. Agent
    /// actions without an operator are simply never permitted; they are not listed in [`omitted`](Self::omitted).
    ///
    /// # Errors
    /// [`LearnError::Vocabulary`] if the domain has other types, constants or predicates than the language, or if an
    /// operator has no agent action with the same name and parameter types.
    pub fn from_domain(
        language: std::sync::Arc<DomainSignature>,
        domain: &Domain,
    ) -> Result<Self, LearnError> {
        let mut faults = Vec::new();
        if !language.has_vocabulary_of(domain) {
            faults.push("other types, constants or predicates, or in another order".to_owned());
        }
        let own = DomainSignature::of_operators(domain);
        let mut actions = Vec::new();
        for operator in own.signatures() {
            let types = |signature: &ActionSignature| -> Vec<TypeUnion> {
                let parameters = signature.parameters.iter();
                parameters.map(|(_, types)| types.clone()).collect()
            };
            let same =
                |action: &ActionSignature| action.name == operator.name && types(action) == types(operator);
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

    /// Returns the vocabulary and agent actions that the learner was given.
    #[must_use]
    pub fn language(&self) -> &DomainSignature {
        &self.language
    }

    /// Returns the domain with the learned schemas. Its predicates keep their kinds (static, fluent or derived) from the
    /// given domain, whether or not the learned schemas change them.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns, for each schema of the domain, the index in [`DomainSignature::signatures`] of the agent action that it
    /// carries out.
    #[must_use]
    pub fn action_of(&self) -> &[usize] {
        &self.actions
    }

    /// Returns the actions that the model omits. An action can occur several times, for different states. Empty if the
    /// experience determines all actions.
    #[must_use]
    pub fn omitted(&self) -> &[Omission] {
        &self.omitted
    }

    /// Returns the learned domain as PDDL text, which [`from_domain`](Self::from_domain) takes after parsing.
    ///
    /// # Errors
    /// [`LearnError::Model`] if the text does not parse, which would be a bug of the learner.
    pub fn to_pddl(&self) -> Result<String, LearnError> {
        let text = self.domain.to_pddl();
        let checked = Domain::from_text(&text);
        checked.map_err(LearnError::Model)?;
        Ok(text)
    }
}

/// Rebinds a problem to another domain with the same vocabulary.
pub(crate) fn problem_of(domain: &Domain, problem: &Problem) -> Problem {
    Problem {
        domain_fingerprint: domain.fingerprint(),
        ..problem.clone()
    }
}

/// Gives the schemas unique names: if an action has several schemas, they are numbered.
fn named(language: &DomainSignature, learned: Vec<LearnedSchema>) -> (Vec<usize>, Vec<ActionSchema>) {
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

/// Returns the requirements of a learned domain: those of the given domain, plus those of the literals that learners write.
/// `:typing` and `:conditional-effects` are among them only if the domain uses them.
fn requirements(domain: &Domain) -> Requirements {
    let mut is_conditional = false;
    for schema in &domain.schemas {
        schema
            .effect
            .walk(&mut |part| is_conditional |= matches!(part, Effect::When(..) | Effect::Forall(..)));
    }
    let is_used = |flag: &Requirement| match flag {
        Requirement::Typing => domain.types.len() > 1,
        Requirement::ConditionalEffects => is_conditional,
        _ => true,
    };
    let needed = [
        Requirement::Strips,
        Requirement::Typing,
        Requirement::NegativePreconditions,
        Requirement::Equality,
        Requirement::ExistentialPreconditions,
        Requirement::ConditionalEffects,
    ];
    let mut requirements = Requirements::default();
    let flags = domain.requirements.iter().chain(needed).filter(is_used);
    flags.for_each(|flag| requirements.insert(flag));
    requirements
}

/// Returns the atom as a formula, negated unless `holds`.
pub(crate) fn literal_formula(atom: &Atom, holds: bool) -> Formula {
    negate_unless(Formula::Atom(atom.clone()), holds)
}

/// Returns the formula, negated unless `holds`.
pub(crate) fn negate_unless(formula: Formula, holds: bool) -> Formula {
    if holds {
        formula
    } else {
        Formula::Not(Box::new(formula))
    }
}

/// Returns the conjunction of the formulas. A single formula is returned unwrapped.
pub(crate) fn conjunction(mut formulas: Vec<Formula>) -> Formula {
    match formulas.len() {
        1 => formulas.remove(0),
        _ => Formula::And(formulas),
    }
}

/// Returns the conjunction of the effects. A single effect is returned unwrapped.
pub(crate) fn effects(mut parts: Vec<Effect>) -> Effect {
    match parts.len() {
        1 => parts.remove(0),
        _ => Effect::And(parts),
    }
}

/// Returns the add or delete effect of a literal.
pub(crate) fn literal_effect(literal: &Literal) -> Effect {
    match literal.sign {
        EffectSign::Add => Effect::Add(literal.atom.clone()),
        EffectSign::Delete => Effect::Delete(literal.atom.clone()),
    }
}

pub(crate) fn variable(name: &Name, types: &TypeUnion) -> Variable {
    Variable {
        name: name.clone(),
        types: types.clone(),
        place: Place::default(),
    }
}

/// Returns an equality of two terms, negated unless `holds`.
pub(crate) fn equality(one: Term, other: Term, holds: bool) -> Formula {
    negate_unless(Formula::Equal(one, other), holds)
}
