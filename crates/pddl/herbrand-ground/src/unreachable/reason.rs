//! The words of a proof: why some parts of a condition never hold.

use herbrand_datalog::Model;
use herbrand_pddl::{Atom, ObjectId, PredicateId, Term, VariableId};
use herbrand_text::Span;

use super::claim::{Claim, Part};
use super::{Search, each_add};
use crate::program::{ReachabilityProgram, TruthSource};

/// The number of actions that a reason names.
const LISTED: usize = 2;

/// Explains parts of claims in a problem whose delete relaxation is evaluated.
pub(super) struct Reasons<'r> {
    search: &'r Search<'r>,
    reachability: &'r ReachabilityProgram<'r>,
    model: &'r Model,
}

impl<'r> Reasons<'r> {
    pub(super) const fn new(
        search: &'r Search<'r>,
        reachability: &'r ReachabilityProgram<'r>,
        model: &'r Model,
    ) -> Self {
        Self {
            search,
            reachability,
            model,
        }
    }

    /// Returns why no objects satisfy these parts of a claim.
    pub(super) fn of(&self, claim: &Claim, parts: &[Part]) -> String {
        match parts {
            [] => "no objects satisfy all of its condition".to_owned(),
            [Part::Variable(variable)] => self.of_variable(claim, *variable),
            [Part::Literal(index)] => {
                let (atom, negated) = &claim.conjunction.literals[*index];
                let text = self.text(claim, parts[0]);
                if self.is_auxiliary(atom.predicate) {
                    return format!("{text} never holds");
                }
                if *negated {
                    let name = &self.search.domain.predicate(atom.predicate).name;
                    return format!("{text} never holds: `{name}` is always true there");
                }
                let reason = self.of_predicate(atom.predicate, self.has_atoms(atom.predicate));
                format!("{text} never holds: {reason}")
            }
            [part @ Part::Comparison(_)] => format!("{} never has a value", self.text(claim, *part)),
            [part] => format!("{} never holds", self.text(claim, *part)),
            parts => {
                let texts: Vec<_> = parts.iter().map(|&part| self.text(claim, part)).collect();
                match texts.split_last() {
                    Some((last, first)) => {
                        format!("no objects satisfy {} and {last} together", first.join(", "))
                    }
                    None => String::new(),
                }
            }
        }
    }

    /// Returns the places of the parts in the text of the domain.
    pub(super) fn places(&self, claim: &Claim, parts: &[Part]) -> Vec<Span> {
        let place = |part: &Part| match *part {
            Part::Literal(index) => claim.conjunction.literals[index].0.place.span(),
            Part::Universal(index) => claim.conjunction.universals[index].atom.place.span(),
            Part::Variable(variable) => claim.scope[variable.index()].place.span(),
            Part::Equality(_) | Part::Comparison(_) => None,
        };
        parts.iter().filter_map(place).collect()
    }

    /// Returns whether some atom of a predicate may become true.
    pub(super) fn has_atoms(&self, predicate: PredicateId) -> bool {
        let relation = self.reachability.signature.relations[predicate.index()];
        self.model.tuples(relation).len() > 0
    }

    /// Returns why no atom of a predicate is ever true, or only others than those in question.
    pub(super) fn of_predicate(&self, id: PredicateId, has_others: bool) -> String {
        let name = &self.search.domain.predicate(id).name;
        let lists = if has_others {
            "does not list this"
        } else {
            "lists none"
        };
        match self.reachability.signature.truth_source(id) {
            TruthSource::StaticDerived | TruthSource::Derived => format!(
                "no rule can derive `{name}`{}",
                if has_others { " here" } else { "" }
            ),
            TruthSource::Static => format!("`:init` {lists}, and no action adds `{name}`"),
            TruthSource::Fluent => {
                let adding = self.adding(id);
                match adding.as_slice() {
                    [] => format!("`:init` {lists}, and no action adds `{name}`"),
                    _ if has_others => format!("no action that adds `{name}` can add this"),
                    all if all.iter().all(|(_, fired)| !fired) => {
                        let names: Vec<_> = all.iter().map(|(name, _)| format!("`{name}`")).collect();
                        let more = names.len().saturating_sub(LISTED);
                        let mut listed = names[..names.len().min(LISTED)].join(", ");
                        if more > 0 {
                            listed.push_str(&format!(" and {more} more"));
                        }
                        format!("`:init` {lists}, and what adds it can never be applied: {listed}")
                    }
                    _ => format!("`:init` {lists}, and no effect that adds `{name}` can happen"),
                }
            }
        }
    }

    /// Returns the names of the actions that may add a predicate, and whether each may be applied.
    fn adding(&self, id: PredicateId) -> Vec<(String, bool)> {
        let Search {
            normal,
            domain,
            fired,
            ..
        } = self.search;
        let schemas = normal.schemas.iter().zip(*fired);
        schemas
            .filter(|(schema, _)| {
                let mut adds = false;
                each_add(&schema.effect, &[], &mut |atom, _| adds |= atom.predicate == id);
                adds
            })
            .map(|(schema, &fired)| (domain.schema(schema.schema).name.to_string(), fired))
            .collect()
    }

    fn of_variable(&self, claim: &Claim, variable: VariableId) -> String {
        let declared = &claim.scope[variable.index()];
        let types = declared.types.types().iter();
        let types: Vec<_> = types
            .map(|&id| format!("`{}`", self.search.domain.type_of(id).name))
            .collect();
        let types = types.join(" or ");
        match claim.given(variable) {
            Some(object) => format!("`{}` is not of type {types}", self.object(object)),
            None => format!("there is no object of type {types} for `?{}`", declared.name),
        }
    }

    fn object(&self, object: ObjectId) -> &str {
        self.search.problem.object(object).name.as_str()
    }

    fn is_auxiliary(&self, predicate: PredicateId) -> bool {
        predicate.index() >= self.search.domain.predicates.len()
    }

    fn text(&self, claim: &Claim, part: Part) -> String {
        let all = &claim.conjunction;
        match part {
            Part::Variable(variable) => format!("`?{}`", claim.scope[variable.index()].name),
            Part::Literal(index) => {
                let (atom, negated) = &all.literals[index];
                if self.is_auxiliary(atom.predicate) {
                    return "a part with `or`, `exists` or `forall`".to_owned();
                }
                let atom = self.atom(claim, atom);
                if *negated {
                    format!("`(not {atom})`")
                } else {
                    format!("`{atom}`")
                }
            }
            Part::Universal(_) => "a part with `forall`".to_owned(),
            Part::Equality(index) => {
                let (left, right, negated) = all.equalities[index];
                let equal = format!("(= {} {})", self.term(claim, left), self.term(claim, right));
                if negated {
                    format!("`(not {equal})`")
                } else {
                    format!("`{equal}`")
                }
            }
            Part::Comparison(index) => match all.comparisons[index].defined_term() {
                Some(term) => {
                    let name = &self.search.domain.function(term.function).name;
                    format!("`{}`", self.applied(claim, name.as_str(), &term.arguments))
                }
                None => "a comparison".to_owned(),
            },
        }
    }

    fn atom(&self, claim: &Claim, atom: &Atom) -> String {
        let name = &self.search.domain.predicate(atom.predicate).name;
        self.applied(claim, name.as_str(), &atom.arguments)
    }

    fn applied(&self, claim: &Claim, name: &str, arguments: &[Term]) -> String {
        let mut text = format!("({name}");
        for &term in arguments {
            text.push(' ');
            text.push_str(&self.term(claim, term));
        }
        text.push(')');
        text
    }

    fn term(&self, claim: &Claim, term: Term) -> String {
        match term {
            Term::Object(object) => self.object(object).to_owned(),
            Term::Variable(variable) => match claim.given(variable) {
                Some(object) => self.object(object).to_owned(),
                None => format!("?{}", claim.scope[variable.index()].name),
            },
        }
    }
}
