//! Impossible goals, actions and predicates of a problem, each with a short proof.

mod claim;
mod reason;

use std::ops::ControlFlow;

use herbrand_datalog::{Evaluator, Firing, Model};
use herbrand_limits::Budget;
use herbrand_pddl::{
    Atom, Code, Diagnostic, Domain, Formula, ObjectId, PredicateId, PredicateKind, Problem, Term,
};
use herbrand_text::{Diagnostics, Span};

use crate::error::GroundError;
use crate::normal::{
    NormalBlock, NormalConjunction, NormalDomain, NormalGoal, NormalItem, NormalLeaf, NormalSchema,
};
use crate::program::{ReachabilityProgram, RuleMeaning, symbol};
use claim::{Claim, refute};
use reason::Reasons;

/// The number of goals for which the actions that could reach them are looked at.
const MOST_GOALS: usize = 20;
/// The number of actions or rules that a message explains for a goal.
const MOST_WAYS: usize = 3;

/// Returns warnings of impossible things in a problem, each with the reason: goals that cannot hold
/// ([`Code::NeverTrue`]), actions that can never be applied ([`Code::NeverApplicable`]), and predicates without an atom
/// that can become true ([`Code::NeverHolds`]). If `strict` is set, the warnings are errors.
///
/// It evaluates the delete-relaxed program, like grounding, and takes about as much time and memory. All its warnings are
/// right, but it misses what only deletes, negative preconditions or numbers rule out. Warnings about goals point
/// at the text of the problem, the others at that of the domain; those about models without a text have no labels.
///
/// ```
/// use herbrand_ground::unreachable;
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Domain::from_text("(define (domain trips) (:predicates (at ?p) (road ?p ?q))
///     (:action drive :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q))
///       :effect (and (at ?q) (not (at ?p)))))")?;
/// let problem = Problem::from_text("(define (problem home) (:domain trips) (:objects a b c)
///     (:init (at a) (road b c)) (:goal (at c)))", &domain)?;
/// let found = unreachable(&domain, &problem, false, &Budget::unlimited())?;
/// let found: Vec<_> = found.iter().map(|one| (one.message(), one.labels()[0].text())).collect();
/// assert_eq!(found, [
///     ("the goal `(at c)` can never hold", "no action that adds `at` can add this"),
///     ("`drive` can never be applied in `home`", "no objects satisfy `(at ?p)` and `(road ?p ?q)` together"),
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the problem belongs to another domain, or the budget is exhausted.
pub fn unreachable(
    domain: &Domain,
    problem: &Problem,
    strict: bool,
    budget: &Budget,
) -> Result<Vec<Diagnostic>, GroundError> {
    GroundError::check_domain(domain, problem)?;
    let normal = NormalDomain::within(domain, budget)?;
    let goal = normal.goal(problem, budget)?;
    let mut reachability = ReachabilityProgram::of(domain, problem, &normal, &goal, budget)?;
    let mut fired = vec![false; normal.schemas.len()];
    let meanings = &reachability.meanings;
    let mut mark = |firing: &Firing<'_>| {
        if let RuleMeaning::Action { schema, .. } = meanings[firing.rule.index()] {
            fired[schema] = true;
        }
        ControlFlow::Continue(())
    };
    let held = reachability.signature.meter.held();
    let evaluated = reachability.program.relations().len();
    let model = Evaluator::new(&reachability.program)?
        .with_limits(budget.rest(held))
        .run(&reachability.facts, &mut mark)?;
    let search = Search {
        domain,
        problem,
        normal: &normal,
        goal: &goal,
        fired: &fired,
        evaluated,
        strict,
    };
    let mut found = search.goals(&mut reachability, &model, budget)?;
    found.extend(search.of_domain(&mut reachability, &model, budget)?);
    Ok(found)
}

/// A search for impossible things in a problem whose delete relaxation is evaluated.
struct Search<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    normal: &'a NormalDomain,
    goal: &'a NormalGoal,
    /// For each schema, whether some objects satisfy its precondition under delete relaxation.
    fired: &'a [bool],
    /// The number of relations that the model has. Those that are written later are of types and values: static, with their facts
    /// in the input.
    evaluated: usize,
    strict: bool,
}

/// A way to make an atom true: an action that adds it, by name, or a rule, with all its conditions. The claim is `None` if the
/// action can never be applied, or if there are several alternatives.
struct Way {
    name: Option<String>,
    claim: Option<Claim>,
}

impl Search<'_> {
    /// Returns warnings of goals that can never hold: atoms, or else the whole goal.
    fn goals(
        &self,
        reachability: &mut ReachabilityProgram<'_>,
        model: &Model,
        budget: &Budget,
    ) -> Result<Vec<Diagnostic>, GroundError> {
        let Some(source) = self.problem.origin.source().filter(|_| self.problem.has_goal) else {
            return Ok(Vec::new());
        };
        let mut missing = Vec::new();
        let is_ground = required(&self.problem.goal, &mut |atom, arguments| {
            let symbols: Vec<_> = arguments.iter().copied().map(symbol).collect();
            let relation = reachability.signature.relations[atom.predicate.index()];
            if !model.contains(relation, &symbols) {
                missing.push((atom, arguments));
            }
        });
        let mut faults = Diagnostics::new(source.clone(), self.strict);
        let explained = missing.iter().take(MOST_GOALS);
        let ways: Vec<Vec<Way>> = explained
            .map(|(atom, arguments)| self.ways(atom, arguments))
            .collect();
        let claims: Vec<&Claim> = ways
            .iter()
            .flatten()
            .filter_map(|way| way.claim.as_ref())
            .collect();
        let mut refuted = refute(&claims, self.evaluated, reachability, model, budget)?.into_iter();
        let reasons = Reasons::new(self, reachability, model);
        for (index, (atom, _)) in missing.iter().enumerate() {
            let has_others = reasons.has_atoms(atom.predicate);
            let text = self
                .problem
                .goal_text(self.domain, &Formula::Atom((*atom).clone()));
            let mut notes = Vec::new();
            for way in ways.get(index).into_iter().flatten() {
                let parts = way
                    .claim
                    .as_ref()
                    .and_then(|claim| Some((claim, refuted.next()??)));
                notes.push(match (&way.name, parts) {
                    (Some(name), Some((claim, parts))) => {
                        format!("`{name}` would add it, but {}", reasons.of(claim, &parts))
                    }
                    (None, Some((claim, parts))) => {
                        format!("a rule would derive it, but {}", reasons.of(claim, &parts))
                    }
                    // Else the label names the actions.
                    (Some(_), None) if way.claim.is_none() && !has_others => continue,
                    (Some(name), None) if way.claim.is_none() => {
                        format!("`{name}` would add it, but can never be applied")
                    }
                    (Some(name), None) => format!("`{name}` is never applied to these objects"),
                    (None, None) => continue,
                });
            }
            let message = format!("the goal `{text}` can never hold");
            faults.report(Code::NeverTrue, message, |d| {
                let d = match atom.place.span() {
                    Some(span) => d.primary(span, reasons.of_predicate(atom.predicate, has_others)),
                    None => d,
                };
                notes.into_iter().fold(d, |d, note| d.note(note))
            });
        }
        let mut found = faults.into_list();
        if !is_ground && found.is_empty() {
            found.extend(self.whole_goal(reachability, model, budget)?);
        }
        Ok(found)
    }

    /// Returns a warning if no alternative of the goal can hold.
    fn whole_goal(
        &self,
        reachability: &mut ReachabilityProgram<'_>,
        model: &Model,
        budget: &Budget,
    ) -> Result<Option<Diagnostic>, GroundError> {
        let alternatives = self.goal.condition.iter();
        let claims: Vec<_> = alternatives
            .map(|conjunction| Claim::new(&self.goal.scope, [], conjunction.clone()))
            .collect();
        let claims: Vec<_> = claims.iter().collect();
        let refuted = refute(&claims, self.evaluated, reachability, model, budget)?;
        let Some(parts) = refuted.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let reasons = Reasons::new(self, reachability, model);
        let mut diagnostic = Diagnostic::new(Code::NeverTrue, "the goal can never hold");
        if let Some(source) = self.problem.origin.source() {
            let mut faults = Diagnostics::new(source.clone(), self.strict);
            faults.report(Code::NeverTrue, "the goal can never hold", |d| {
                let mut places = Vec::new();
                self.problem.goal.walk(&mut |formula, _| {
                    if let Formula::Atom(atom) = formula {
                        places.extend(atom.place.span());
                    }
                });
                let texts: Vec<_> = claims
                    .iter()
                    .zip(&parts)
                    .map(|(claim, parts)| reasons.of(claim, parts))
                    .collect();
                match places.first() {
                    Some(&span) => d.primary(span, alternatives_text(texts)),
                    None => d.note(alternatives_text(texts)),
                }
            });
            if let Some(first) = faults.into_list().into_iter().next() {
                diagnostic = first;
            }
        }
        Ok(Some(diagnostic))
    }

    /// Returns warnings of the actions that can never be applied, and of the predicates that are never true.
    fn of_domain(
        &self,
        reachability: &mut ReachabilityProgram<'_>,
        model: &Model,
        budget: &Budget,
    ) -> Result<Vec<Diagnostic>, GroundError> {
        let unfired: Vec<&NormalSchema> = self
            .normal
            .schemas
            .iter()
            .zip(self.fired)
            .filter_map(|(schema, &fired)| (!fired).then_some(schema))
            .collect();
        let claims: Vec<Vec<Claim>> = unfired
            .iter()
            .map(|schema| {
                let alternatives = schema.precondition.iter().cloned();
                let claim = |conjunction| Claim::new(&schema.scope, schema.parameters(), conjunction);
                alternatives.map(claim).collect()
            })
            .collect();
        let all: Vec<&Claim> = claims.iter().flatten().collect();
        let mut refuted = refute(&all, self.evaluated, reachability, model, budget)?.into_iter();
        let reasons = Reasons::new(self, reachability, model);
        let mut found = Faults::of(self);
        for (schema, claims) in unfired.iter().zip(&claims) {
            let proofs: Vec<_> = claims
                .iter()
                .zip(refuted.by_ref())
                .map(|(claim, parts)| (claim, parts.unwrap_or_default()))
                .collect();
            let schema = self.domain.schema(schema.schema);
            let message = format!(
                "`{}` can never be applied in `{}`",
                schema.name, self.problem.name
            );
            let texts: Vec<_> = proofs
                .iter()
                .map(|(claim, parts)| reasons.of(claim, parts))
                .collect();
            let places = proofs
                .iter()
                .flat_map(|(claim, parts)| reasons.places(claim, parts))
                .collect();
            let name = schema
                .place
                .span()
                .map(|extent| found.name(extent, schema.name.as_str()));
            found.add(
                Code::NeverApplicable,
                message,
                name,
                alternatives_text(texts),
                places,
            );
        }
        let mut of_predicates = Faults::of(self);
        for (index, predicate) in self.domain.predicates.iter().enumerate() {
            let id = PredicateId::from_index(index);
            let reasons = Reasons::new(self, reachability, model);
            if predicate.kind == PredicateKind::Action || reasons.has_atoms(id) {
                continue;
            }
            let message = format!(
                "no atom of `{}` can ever be true in `{}`",
                predicate.name, self.problem.name
            );
            let reason = reasons.of_predicate(id, false);
            let place = predicate.place.span();
            let name = place.map(|extent| of_predicates.name(extent, predicate.name.as_str()));
            of_predicates.add(Code::NeverHolds, message, name, reason, Vec::new());
        }
        let mut found = found.into_list();
        found.extend(of_predicates.into_list());
        Ok(found)
    }

    /// Returns the first ways to make a ground atom true.
    fn ways(&self, atom: &Atom, arguments: &[ObjectId]) -> Vec<Way> {
        let mut ways = Vec::new();
        for (schema, &fired) in self.normal.schemas.iter().zip(self.fired) {
            let always = [NormalConjunction::default()];
            let mut adds = Vec::new();
            each_add(&schema.effect, &always, &mut |add, conditions| {
                if add.predicate == atom.predicate
                    && let Some(given) = unified(&add.arguments, arguments)
                    && given.iter().all(|&(variable, object)| {
                        let types = &schema.scope[variable.index()].types;
                        self.domain
                            .is_assignable(&self.problem.object(object).types, types)
                    })
                {
                    adds.push((given, conditions.to_vec()));
                }
            });
            for (given, conditions) in adds {
                let claim = match (&schema.precondition[..], &conditions[..]) {
                    ([precondition], [condition]) if fired => {
                        let mut both = precondition.clone();
                        both.extend(condition);
                        let mut claim = Claim::new(&schema.scope, schema.parameters(), both);
                        claim.given = given;
                        Some(claim)
                    }
                    _ => None,
                };
                if claim.is_some() || !fired {
                    let name = Some(self.domain.schema(schema.schema).name.to_string());
                    ways.push(Way { name, claim });
                }
            }
        }
        for axiom in self
            .normal
            .axioms
            .iter()
            .filter(|axiom| axiom.predicate == atom.predicate)
        {
            let mut claim = Claim::new(&axiom.scope, axiom.head.iter().copied(), axiom.body.clone());
            claim.given = axiom
                .head
                .iter()
                .copied()
                .zip(arguments.iter().copied())
                .collect();
            ways.push(Way {
                name: None,
                claim: Some(claim),
            });
        }
        ways.truncate(MOST_WAYS);
        ways
    }
}

/// The warnings about the text of a domain.
struct Faults {
    faults: Option<Diagnostics<Code>>,
    plain: Vec<Diagnostic>,
}

impl Faults {
    fn of(search: &Search<'_>) -> Self {
        let source = search.domain.origin.source();
        Self {
            faults: source.map(|source| Diagnostics::new(source.clone(), search.strict)),
            plain: Vec::new(),
        }
    }

    /// Returns the place of a name in the clause that declares it; the whole clause if the name is not in it.
    fn name(&self, extent: Span, name: &str) -> Span {
        let text = self.faults.as_ref().map_or("", |faults| faults.source().text());
        let clause = text.get(extent.range()).unwrap_or_default().to_ascii_lowercase();
        let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')' | ';'));
        let found = clause.match_indices(name).find(|(at, _)| {
            is_end(clause[..*at].chars().next_back()) && is_end(clause[at + name.len()..].chars().next())
        });
        found.map_or(extent, |(at, _)| {
            let start = extent.start + at as u32;
            Span {
                start,
                end: start + name.len() as u32,
            }
        })
    }

    fn add(&mut self, code: Code, message: String, place: Option<Span>, reason: String, parts: Vec<Span>) {
        match (&mut self.faults, place) {
            (Some(faults), Some(span)) => faults.report(code, message, |d| {
                let d = d.primary(span, reason);
                parts.into_iter().fold(d, |d, part| d.label(part, ""))
            }),
            _ => self.plain.push(Diagnostic::new(code, message)),
        }
    }

    fn into_list(self) -> Vec<Diagnostic> {
        let mut list = self.plain;
        list.extend(self.faults.into_iter().flat_map(Diagnostics::into_list));
        list
    }
}

/// Joins the reasons of several alternatives.
fn alternatives_text(mut reasons: Vec<String>) -> String {
    reasons.dedup();
    match reasons.as_slice() {
        [] => "its condition contradicts itself".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("of {} alternatives, the first: {first}", rest.len() + 1),
    }
}

/// Calls `see` with the ground atoms that must hold for `formula` to hold. Returns whether the formula consists of these.
fn required<'f>(formula: &'f Formula, see: &mut dyn FnMut(&'f Atom, Vec<ObjectId>)) -> bool {
    match formula {
        Formula::Atom(atom) => {
            let objects = atom.arguments.iter().map(|term| match term {
                Term::Object(object) => Some(*object),
                Term::Variable(_) => None,
            });
            let objects: Option<Vec<_>> = objects.collect();
            let is_ground = objects.is_some();
            if let Some(objects) = objects {
                see(atom, objects);
            }
            is_ground
        }
        Formula::And(parts) => {
            let mut is_ground = true;
            for part in parts {
                is_ground &= required(part, see);
            }
            is_ground
        }
        _ => false,
    }
}

/// Calls `see` with each atom that a block may add, and the alternatives of its condition. `around` are those of the block.
fn each_add(
    block: &NormalBlock,
    around: &[NormalConjunction],
    see: &mut dyn FnMut(&Atom, &[NormalConjunction]),
) {
    for NormalItem {
        condition, leaves, ..
    } in block
    {
        let mut conditions = Vec::new();
        for outer in around {
            conditions.extend(condition.iter().map(|inner| {
                let mut both = outer.clone();
                both.extend(inner);
                both
            }));
        }
        for leaf in leaves {
            if let NormalLeaf::Add(atom) = leaf {
                see(atom, &conditions);
            }
            for block in leaf.alternatives() {
                each_add(block, &conditions, see);
            }
        }
    }
}

/// Returns the objects of the variables for which the arguments `terms` are `objects`; `None` if no objects fit.
fn unified(terms: &[Term], objects: &[ObjectId]) -> Option<Vec<(herbrand_pddl::VariableId, ObjectId)>> {
    let mut given: Vec<(herbrand_pddl::VariableId, ObjectId)> = Vec::new();
    for (term, &object) in terms.iter().zip(objects) {
        match *term {
            Term::Object(own) if own == object => {}
            Term::Object(_) => return None,
            Term::Variable(variable) => match given.iter().find(|(one, _)| *one == variable) {
                None => given.push((variable, object)),
                Some(&(_, own)) if own == object => {}
                Some(_) => return None,
            },
        }
    }
    Some(given)
}
