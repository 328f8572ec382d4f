//! A search for actions that read a function value which is undefined in every state.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::problem::mark_drawn;
use crate::model::{
    ActionSchema, AssignOperator, Atom, AtomRef, Domain, Effect, Expression, Formula, FunctionId,
    FunctionTerm, ObjectId, PredicateId, PredicateKind, Problem, Term, VariableId,
};

/// Returns warnings of actions that are never valid because they read a function that has no value in any state. If
/// `strict` is set, the warnings are errors, unless the domain has no text. Empty if none is found. Pass the domain
/// that the problem was checked against.
///
/// If no effect assigns a value to a function, its initial value, or the lack of one, is final. An action is considered if
/// its arguments satisfy the static parts of its precondition. There is at most one warning per function term of a
/// schema. The search is limited to a million steps per function term, so it may miss some values in very large problems.
///
/// ```
/// use herbrand_pddl::{Domain, Problem, undefined_values};
///
/// let domain = Domain::from_text("(define (domain paths) (:requirements :action-costs)
///     (:predicates (at ?p) (road ?a ?b)) (:functions (total-cost) (length ?a ?b))
///     (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
///       :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))")?;
/// let problem = Problem::from_text("(define (problem two) (:domain paths) (:objects k m)
///     (:init (at k) (road k m) (road m k) (= (length k m) 3)))", &domain)?;
/// let found = undefined_values(&domain, &problem, false);
/// assert_eq!(found[0].message(), "`(length m k)` has no value, so `(move m k)` is never valid");
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
#[must_use]
pub fn undefined_values(domain: &Domain, problem: &Problem, strict: bool) -> Vec<Diagnostic> {
    let domain = &*domain.with_snap_actions();
    let settled = settled(domain, problem);
    if !settled.contains(&true) {
        return Vec::new();
    }
    let given = problem.values.iter();
    let given: HashSet<_> = given
        .map(|value| (value.function, value.arguments.as_slice()))
        .collect();
    let mut found = Vec::new();
    for schema in &domain.schemas {
        let mut readings = Vec::new();
        let always = Guard::default().with(&schema.precondition, domain);
        comparisons(&schema.precondition, &mut |expression| {
            add_terms(expression, &always, &mut readings)
        });
        effects(&schema.effect, &always, domain, &mut readings);
        readings.retain(|(term, _)| settled[term.function.index()]);
        let mut seen: Vec<&FunctionTerm> = Vec::new();
        for (term, guard) in readings {
            if seen.contains(&term) {
                continue;
            }
            let mut search = Search::new(domain, problem, schema, term, guard, &given);
            if search.run() {
                seen.push(term);
                found.push(search);
            }
        }
    }
    report(domain, found, strict)
}

fn report(domain: &Domain, found: Vec<Search<'_>>, strict: bool) -> Vec<Diagnostic> {
    let Some(source) = domain.origin.source() else {
        let plain = |search: Search<'_>| Diagnostic::new(Code::UndefinedValue, search.message());
        return found.into_iter().map(plain).collect();
    };
    let mut faults = Diagnostics::new(source.clone(), strict);
    for search in found {
        faults.report(Code::UndefinedValue, search.message(), |d| {
            let d = match search.term.place.span() {
                Some(span) => d.primary(span, search.label()),
                None => d,
            };
            d.help(search.help())
        });
    }
    faults.into_list()
}

/// For each function: whether the initial state determines permanently which of its values are defined.
fn settled(domain: &Domain, problem: &Problem) -> Vec<bool> {
    let zero = |name: &str| matches!(name, "total-cost" | "reward");
    let functions = domain.functions.iter();
    let mut settled: Vec<bool> = functions
        .map(|function| !(zero(function.name.as_str()) && function.parameters.is_empty()))
        .collect();
    for schema in &domain.schemas {
        schema.effect.walk(&mut |part| {
            if let Effect::Assign(assignment) = part
                && assignment.operator == AssignOperator::Assign
            {
                settled[assignment.target.function.index()] = false;
            }
        });
    }
    let mut drawn = vec![false; settled.len()];
    mark_drawn(&problem.chances, &mut drawn);
    let timed = problem.timed.iter().flat_map(|literals| &literals.values);
    timed.for_each(|value| drawn[value.function.index()] = true);
    let both = settled.iter().zip(drawn);
    both.map(|(settled, drawn)| *settled && !drawn).collect()
}

/// Static conditions that must hold for a function term to be read.
#[derive(Clone, Default)]
struct Guard<'a> {
    atoms: Vec<&'a Atom>,
    denied: Vec<&'a Atom>,
    equalities: Vec<(Term, Term, bool)>,
    /// Other formulas, which may also read atoms that change.
    others: Vec<&'a Formula>,
}

impl<'a> Guard<'a> {
    /// Returns this guard extended by the conjuncts of a formula.
    fn with(mut self, formula: &'a Formula, domain: &Domain) -> Self {
        self.add(formula, domain);
        self
    }

    fn add(&mut self, formula: &'a Formula, domain: &Domain) {
        let is_static = |atom: &Atom| domain.predicate(atom.predicate).kind == PredicateKind::Static;
        match formula {
            Formula::And(parts) => parts.iter().for_each(|part| self.add(part, domain)),
            Formula::Atom(atom) if is_static(atom) => self.atoms.push(atom),
            Formula::Equal(left, right) => self.equalities.push((*left, *right, true)),
            Formula::Not(inner) => match &**inner {
                Formula::Atom(atom) if is_static(atom) => self.denied.push(atom),
                Formula::Equal(left, right) => self.equalities.push((*left, *right, false)),
                Formula::Atom(_) | Formula::Compare(..) => {}
                _ => self.add_other(formula, domain),
            },
            Formula::Atom(_) | Formula::Compare(..) => {}
            Formula::Or(_) | Formula::Imply(..) | Formula::Forall(..) | Formula::Exists(..) => {
                self.add_other(formula, domain);
            }
        }
    }

    /// Adds a formula that is no literal, if it has static parts.
    fn add_other(&mut self, formula: &'a Formula, domain: &Domain) {
        let mut says_something = false;
        formula.walk(&mut |part, _| {
            says_something |= match part {
                Formula::Atom(atom) => domain.predicate(atom.predicate).kind == PredicateKind::Static,
                Formula::Equal(..) => true,
                _ => false,
            };
        });
        if says_something {
            self.others.push(formula);
        }
    }
}

/// The function terms that are read, each with the guard under which it is read.
type Readings<'a> = Vec<(&'a FunctionTerm, Guard<'a>)>;

/// Calls `see` with both sides of each comparison that must hold for the precondition to hold.
fn comparisons<'a>(formula: &'a Formula, see: &mut dyn FnMut(&'a Expression)) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| comparisons(part, see)),
        Formula::Not(inner) => {
            if let Formula::Compare(..) = **inner {
                comparisons(inner, see);
            }
        }
        Formula::Compare(_, left, right) => {
            see(left);
            see(right);
        }
        _ => {}
    }
}

fn effects<'a>(effect: &'a Effect, guard: &Guard<'a>, domain: &Domain, readings: &mut Readings<'a>) {
    match effect {
        Effect::Add(_) | Effect::Delete(_) => {}
        Effect::And(parts) => parts
            .iter()
            .for_each(|part| effects(part, guard, domain, readings)),
        Effect::Forall(_, inner) => effects(inner, guard, domain, readings),
        Effect::When(condition, inner) => {
            effects(inner, &guard.clone().with(condition, domain), domain, readings);
        }
        Effect::Assign(assignment) => {
            if assignment.operator != AssignOperator::Assign {
                readings.push((&assignment.target, guard.clone()));
            }
            add_terms(&assignment.value, guard, readings);
        }
        Effect::Probabilistic(alternatives) => {
            for (probability, inner) in alternatives {
                if !probability.is_zero() {
                    effects(inner, guard, domain, readings);
                }
            }
        }
    }
}

fn add_terms<'a>(expression: &'a Expression, guard: &Guard<'a>, readings: &mut Readings<'a>) {
    expression.walk(&mut |part| {
        if let Expression::Fluent(term) = part {
            readings.push((term, guard.clone()));
        }
    });
}

/// The atoms of a formula.
fn atoms(formula: &Formula) -> Vec<&Atom> {
    let mut atoms = Vec::new();
    formula.walk(&mut |part, _| {
        if let Formula::Atom(atom) = part {
            atoms.push(atom);
        }
    });
    atoms
}

/// The facts of each predicate, and of each predicate with a given object at a given position.
type Index<'a> = HashMap<(PredicateId, Option<(usize, ObjectId)>), Vec<&'a [ObjectId]>>;

/// A search for bindings of a schema's variables for which a function term has no value.
struct Search<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    schema: &'a ActionSchema,
    term: &'a FunctionTerm,
    guard: Guard<'a>,
    given: &'a HashSet<(FunctionId, &'a [ObjectId])>,
    facts: Index<'a>,
    binding: Vec<Option<ObjectId>>,
    missing: BTreeSet<Vec<ObjectId>>,
    /// The binding for the first missing value found.
    first: Vec<Option<ObjectId>>,
    steps: u32,
}

/// The maximum number of steps of one search.
const MOST_STEPS: u32 = 1_000_000;

/// The maximum number of missing values that are counted per function term.
const MOST_COUNTED: usize = 1000;

impl<'a> Search<'a> {
    fn new(
        domain: &'a Domain,
        problem: &'a Problem,
        schema: &'a ActionSchema,
        term: &'a FunctionTerm,
        guard: Guard<'a>,
        given: &'a HashSet<(FunctionId, &'a [ObjectId])>,
    ) -> Self {
        let used: HashSet<PredicateId> = guard
            .atoms
            .iter()
            .chain(&guard.denied)
            .copied()
            .chain(guard.others.iter().flat_map(|formula| atoms(formula)))
            .map(|atom| atom.predicate)
            .collect();
        let mut facts = Index::new();
        for AtomRef { predicate, arguments } in
            problem.init.iter().filter(|fact| used.contains(&fact.predicate))
        {
            facts.entry((predicate, None)).or_default().push(arguments);
            for (position, &object) in arguments.iter().enumerate() {
                let key = (predicate, Some((position, object)));
                facts.entry(key).or_default().push(arguments);
            }
        }
        Self {
            domain,
            problem,
            schema,
            term,
            guard,
            given,
            facts,
            binding: vec![None; schema.variables.len()],
            missing: BTreeSet::new(),
            first: Vec::new(),
            steps: 0,
        }
    }

    /// Runs the search and returns whether any value is missing.
    fn run(&mut self) -> bool {
        let pending = self.guard.atoms.clone();
        self.extend(&pending, false);
        !self.missing.is_empty()
    }

    fn object(&self, term: Term) -> Option<ObjectId> {
        match term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => self.binding[variable.index()],
        }
    }

    /// Returns the objects that the terms denote, or `None` if a variable is unbound.
    fn objects(&self, terms: &[Term]) -> Option<Vec<ObjectId>> {
        terms.iter().map(|&term| self.object(term)).collect()
    }

    fn is_over(&self) -> bool {
        self.steps >= MOST_STEPS || self.missing.len() >= MOST_COUNTED
    }

    /// Extends the binding in every way until the term is bound and has no value, and all guard atoms are matched. Returns
    /// whether it found such a binding. `known_missing` says that the term is already bound and has no value.
    fn extend(&mut self, pending: &[&'a Atom], known_missing: bool) -> bool {
        self.steps += 1;
        if self.is_over() || !self.is_consistent() {
            return false;
        }
        if !known_missing && let Some(arguments) = self.objects(&self.term.arguments) {
            let is_given = self.given.contains(&(self.term.function, arguments.as_slice()));
            return !is_given && !self.missing.contains(&arguments) && self.extend(pending, true);
        }
        if let Some(next) = (0..pending.len()).min_by_key(|&index| self.unbound(pending[index])) {
            let rest: Vec<_> = [&pending[..next], &pending[next + 1..]].concat();
            return self.extend_by_facts(pending[next], &rest, known_missing);
        }
        let terms = self.term.arguments.iter().copied();
        let unbound = terms.chain(self.undecided()).find_map(|term| match term {
            Term::Variable(variable) if self.object(term).is_none() => Some(variable),
            _ => None,
        });
        match unbound {
            Some(variable) => self.extend_by_objects(variable, known_missing),
            None => !self.is_over() && self.found(),
        }
    }

    /// The parameters of the schema in the formulas of the guard that are neither true nor false under the binding.
    fn undecided(&mut self) -> Vec<Term> {
        let formulas = self.guard.others.clone();
        let arity = self.schema.arity;
        let mut terms = Vec::new();
        for formula in formulas
            .into_iter()
            .filter(|&formula| self.truth(formula).is_none())
        {
            let of_atoms = atoms(formula)
                .into_iter()
                .flat_map(|atom| atom.arguments.iter().copied());
            terms.extend(of_atoms);
            formula.walk(&mut |part, _| {
                if let Formula::Equal(left, right) = part {
                    terms.extend([*left, *right]);
                }
            });
        }
        terms.retain(|term| matches!(term, Term::Variable(variable) if variable.number() < arity));
        terms
    }

    /// The truth of a formula in all states, under the current binding; `None` if it depends on the state, on unbound
    /// variables or on numbers.
    fn truth(&mut self, formula: &'a Formula) -> Option<bool> {
        match formula {
            Formula::Atom(atom) => {
                let is_static = self.domain.predicate(atom.predicate).kind == PredicateKind::Static;
                is_static.then(|| self.is_fact(atom)).flatten()
            }
            Formula::Equal(left, right) => Some(self.object(*left)? == self.object(*right)?),
            Formula::Compare(..) => None,
            Formula::Not(inner) => self.truth(inner).map(|truth| !truth),
            Formula::And(parts) => self.all(parts.iter(), true),
            Formula::Or(parts) => self.all(parts.iter(), false),
            Formula::Imply(when, then) => match (self.truth(when), self.truth(then)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            Formula::Forall(variables, inner) => self.quantified(variables, inner, true),
            Formula::Exists(variables, inner) => self.quantified(variables, inner, false),
        }
    }

    /// The truth of a conjunction if `unit` is true, of a disjunction if it is false.
    fn all(&mut self, parts: impl Iterator<Item = &'a Formula>, unit: bool) -> Option<bool> {
        let mut truth = Some(unit);
        for part in parts {
            match self.truth(part) {
                Some(known) if known == unit => {}
                Some(known) => return Some(known),
                None => truth = None,
            }
        }
        truth
    }

    /// The truth of a formula for all objects if `unit` is true, for some if it is false.
    fn quantified(&mut self, variables: &'a [VariableId], inner: &'a Formula, unit: bool) -> Option<bool> {
        let Some((&variable, rest)) = variables.split_first() else {
            return self.truth(inner);
        };
        let before = self.binding[variable.index()];
        let mut truth = Some(unit);
        for object in (0..self.problem.objects.len()).map(ObjectId::from_index) {
            self.steps = self.steps.saturating_add(1);
            if self.is_over() {
                truth = None;
                break;
            }
            if !self.bind(variable, object) {
                continue;
            }
            match self.quantified(rest, inner, unit) {
                Some(known) if known == unit => {}
                known => truth = known,
            }
            if truth == Some(!unit) {
                break;
            }
        }
        self.binding[variable.index()] = before;
        truth
    }

    /// Returns whether an atom is a fact of the problem; `None` if a variable in it is unbound.
    fn is_fact(&self, atom: &Atom) -> Option<bool> {
        let arguments = self.objects(&atom.arguments)?;
        let key = arguments.first().map(|&first| (0, first));
        let facts = self.facts.get(&(atom.predicate, key));
        Some(facts.is_some_and(|facts| facts.contains(&arguments.as_slice())))
    }

    /// Counts the unbound variables of an atom. Variables that do not occur in the function term count double, so atoms that
    /// bind the term are matched first.
    fn unbound(&self, atom: &Atom) -> usize {
        let free = atom.arguments.iter().filter(|&&term| self.object(term).is_none());
        free.map(|term| 2 - usize::from(self.term.arguments.contains(term)))
            .sum()
    }

    fn extend_by_facts(&mut self, atom: &'a Atom, rest: &[&'a Atom], known_missing: bool) -> bool {
        let mut bound = atom.arguments.iter().enumerate();
        let key = bound.find_map(|(position, &term)| Some((position, self.object(term)?)));
        let facts = self
            .facts
            .get(&(atom.predicate, key))
            .cloned()
            .unwrap_or_default();
        for fact in facts {
            let before = self.binding.clone();
            if self.unify(&atom.arguments, fact) && self.extend(rest, known_missing) && known_missing {
                return true;
            }
            self.binding = before;
            if self.is_over() {
                break;
            }
        }
        false
    }

    fn extend_by_objects(&mut self, variable: VariableId, known_missing: bool) -> bool {
        for object in (0..self.problem.objects.len()).map(ObjectId::from_index) {
            if self.bind(variable, object) {
                let found = self.extend(&[], known_missing);
                self.binding[variable.index()] = None;
                if found && known_missing {
                    return true;
                }
            }
            if self.is_over() {
                break;
            }
        }
        false
    }

    fn unify(&mut self, terms: &[Term], objects: &[ObjectId]) -> bool {
        terms
            .iter()
            .zip(objects)
            .all(|(&term, &object)| match (self.object(term), term) {
                (Some(bound), _) => bound == object,
                (None, Term::Variable(variable)) => self.bind(variable, object),
                (None, Term::Object(_)) => false,
            })
    }

    /// Binds a variable to an object, unless the types do not match. Returns whether it did.
    fn bind(&mut self, variable: VariableId, object: ObjectId) -> bool {
        let types = &self.schema.variables[variable.index()].types;
        let fits = self
            .domain
            .is_assignable(&self.problem.object(object).types, types);
        if fits {
            self.binding[variable.index()] = Some(object);
        }
        fits
    }

    /// Returns whether the binding violates none of the equalities and negated atoms whose arguments are bound, and makes no
    /// other formula of the guard false.
    fn is_consistent(&mut self) -> bool {
        let equal = |&(left, right, wanted): &(Term, Term, bool)| {
            let sides = self.object(left).zip(self.object(right));
            sides.is_none_or(|(left, right)| (left == right) == wanted)
        };
        let absent = |atom: &&Atom| self.is_fact(atom) != Some(true);
        if !(self.guard.equalities.iter().all(equal) && self.guard.denied.iter().all(absent)) {
            return false;
        }
        let others = self.guard.others.clone();
        others
            .into_iter()
            .all(|formula| self.truth(formula) != Some(false))
    }

    fn found(&mut self) -> bool {
        if let Some(arguments) = self.objects(&self.term.arguments) {
            if self.missing.is_empty() {
                self.first = self.binding.clone();
            }
            self.missing.insert(arguments);
        }
        true
    }

    fn message(&self) -> String {
        let value = self.display(
            self.domain.function(self.term.function).name.as_str(),
            &self.term.arguments,
        );
        let parameters = (0..self.schema.arity).map(|number| Term::Variable(VariableId::new(number)));
        let action = self.display(self.schema.name.as_str(), &parameters.collect::<Vec<_>>());
        let never = if self.is_conditional() {
            "is not valid where it reads that"
        } else {
            "is never valid"
        };
        format!("`{value}` has no value, so `{action}` {never}")
    }

    /// Returns whether the term is read only in effects of `when`, so that the action is invalid only if the condition
    /// holds.
    fn is_conditional(&self) -> bool {
        fn reads(effect: &Effect, term: &FunctionTerm) -> bool {
            match effect {
                Effect::And(parts) => parts.iter().any(|part| reads(part, term)),
                Effect::Probabilistic(alternatives) => {
                    alternatives.iter().any(|(_, inner)| reads(inner, term))
                }
                Effect::Assign(assignment) => {
                    let mut found = assignment.target == *term;
                    assignment.value.walk(&mut |part| {
                        found |= matches!(part, Expression::Fluent(other) if other == term);
                    });
                    found
                }
                Effect::Forall(_, inner) => reads(inner, term),
                Effect::Add(_) | Effect::Delete(_) | Effect::When(..) => false,
            }
        }
        let mut compared = false;
        comparisons(&self.schema.precondition, &mut |side| {
            side.walk(&mut |part| {
                compared |= matches!(part, Expression::Fluent(other) if other == self.term);
            });
        });
        !compared && !reads(&self.schema.effect, self.term)
    }

    fn label(&self) -> String {
        match self.missing.len() {
            1 => "this is read here".to_owned(),
            MOST_COUNTED.. => format!("at least {MOST_COUNTED} of the values read here are missing"),
            count => format!("{count} of the values read here are missing"),
        }
    }

    fn help(&self) -> String {
        let name = self.domain.function(self.term.function).name.as_str();
        let arguments = self.missing.first().cloned().unwrap_or_default();
        let arguments: Vec<_> = arguments.into_iter().map(Term::Object).collect();
        let term = self.display(name, &arguments);
        format!(
            "give it one in the `:init` of `{}`, such as `(= {term} 1)`, or exclude such actions by their precondition",
            self.problem.name
        )
    }

    /// Prints a name with its arguments under the first binding found. Unbound variables are printed as variables.
    fn display(&self, head: &str, terms: &[Term]) -> String {
        let mut text = format!("({head}");
        for &term in terms {
            text.push(' ');
            match term {
                Term::Object(object) => text.push_str(self.problem.object(object).name.as_str()),
                Term::Variable(variable) => match self.first.get(variable.index()).copied().flatten() {
                    Some(object) => text.push_str(self.problem.object(object).name.as_str()),
                    None => {
                        text.push('?');
                        text.push_str(self.schema.variables[variable.index()].name.as_str());
                    }
                },
            }
        }
        text + ")"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages about a domain whose actions drive from `?a` to `?b` under a precondition.
    fn found(precondition: &str, facts: &str) -> Vec<String> {
        let domain = format!(
            "(define (domain d) (:requirements :adl :action-costs)
                (:predicates (at ?p) (road ?a ?b) (closed ?a ?b) (open ?p)) (:functions (total-cost) (length ?a ?b))
                (:action drive :parameters (?a ?b ?c) :precondition (and (at ?a) {precondition})
                    :effect (and (at ?b) (not (at ?a)) (when (at ?c) (open ?c)) (increase (total-cost) (length ?a ?b)))))"
        );
        let domain = Domain::from_text(&domain).expect("a domain");
        let problem = format!(
            "(define (problem p) (:domain d) (:objects k m)
                (:init (at k) {facts} (= (length k m) 3) (= (length m k) 3)) (:goal (at m)))"
        );
        let problem = Problem::from_text(&problem, &domain).expect("a problem");
        let found = undefined_values(&domain, &problem, false);
        found.iter().map(|one| one.message().to_owned()).collect()
    }

    #[test]
    fn formulas_that_never_hold_exclude_a_missing_value() {
        for excluding in [
            "(or (road ?a ?b) (road ?b ?a))",
            "(not (or (not (road ?a ?b)) (closed ?a ?b)))",
            "(imply (not (road ?a ?b)) (road ?b ?a))",
            "(exists (?x) (and (road ?a ?x) (= ?x ?b) (not (= ?a ?x))))",
            "(forall (?x) (imply (= ?x ?a) (or (road ?x ?b) (and (closed ?a ?x) (open ?b)))))",
            "(or (road ?b ?a) (and (= ?a ?b) (road ?a ?b)))",
            // No object fits the third parameter.
            "(or (closed ?a ?c) (closed ?c ?b))",
        ] {
            assert!(
                found(excluding, "(road k m) (road m k)").is_empty(),
                "{excluding}"
            );
        }
    }

    #[test]
    fn formulas_that_may_hold_do_not_exclude_a_missing_value() {
        for allowing in [
            "(or (road ?a ?b) (open ?a))",
            "(or (road ?a ?b) (= ?a ?b))",
            "(imply (open ?b) (road ?a ?b))",
            "(not (and (road ?a ?b) (open ?a)))",
            "(exists (?x) (and (road ?a ?x) (open ?b)))",
        ] {
            let messages = found(allowing, "(road k m)");
            assert_eq!(
                messages,
                ["`(length k k)` has no value, so `(drive k k ?c)` is never valid"],
                "{allowing}"
            );
        }
    }
}
