//! Translation of conjunctions in normal form to rule bodies.

use herbrand_datalog::RelationId;
use herbrand_ground::{NormalComparison, NormalConjunction, NormalUniversal, Scope, TruthSource};
use herbrand_pddl::{self as pddl, VariableId};

use crate::comparison::{Comparison, Value, values};
use crate::name::Identifiers;
use crate::order::order;
use crate::rule::{Atom, Clause, Rule, Term};
use crate::vocabulary::Vocabulary;

/// The conditions that rules include.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exactness {
    /// Comparisons and negated literals of changing predicates are left out. The rules derive every fact that is true in
    /// some reachable state.
    Relaxed,
    /// All conditions are included. The rules derive the facts of one state.
    Exact,
}

/// Rules under construction, and their relations.
pub(crate) struct Rules<'v, 'a> {
    pub(crate) vocabulary: &'v mut Vocabulary<'a>,
    pub(crate) exactness: Exactness,
    pub(crate) rules: Vec<Rule>,
}

/// A rule under construction.
pub(crate) struct Body<'r, 'v, 'a> {
    rules: &'r mut Rules<'v, 'a>,
    /// The name of the action or predicate, used in the names of auxiliary relations.
    place: &'r str,
    scope: Scope,
    /// The Rust name of each variable of the scope.
    names: Vec<String>,
    identifiers: Identifiers,
    clauses: Vec<Clause>,
    /// The function values that are already bound to a variable.
    numbers: Vec<(Value, String)>,
}

impl<'v, 'a> Rules<'v, 'a> {
    pub(crate) fn new(vocabulary: &'v mut Vocabulary<'a>, exactness: Exactness) -> Self {
        Self {
            vocabulary,
            exactness,
            rules: Vec::new(),
        }
    }

    /// Starts a rule over the variables of `scope`.
    pub(crate) fn begin<'r>(&'r mut self, place: &'r str, scope: &Scope) -> Body<'r, 'v, 'a> {
        let mut identifiers = Identifiers::default();
        let names = scope
            .iter()
            .map(|variable| identifiers.add(variable.name.as_str()))
            .collect();
        Body {
            rules: self,
            place,
            scope: scope.clone(),
            names,
            identifiers,
            clauses: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

impl Body<'_, '_, '_> {
    /// Adds the rule with this head.
    pub(crate) fn finish(self, head: Atom) {
        let body = order(self.rules.vocabulary, self.clauses);
        self.rules.rules.push(Rule { head, body });
    }

    /// Returns an atom of `relation` over these variables.
    pub(crate) fn over(&self, relation: RelationId, variables: &[VariableId]) -> Atom {
        let terms = variables
            .iter()
            .map(|&variable| self.term(pddl::Term::Variable(variable)));
        Atom {
            relation,
            terms: terms.collect(),
        }
    }

    /// Translates an atom to the terms of the rule.
    pub(crate) fn atom(&self, atom: &pddl::Atom) -> Atom {
        Atom {
            relation: self.rules.vocabulary.predicates[atom.predicate.index()],
            terms: atom.arguments.iter().map(|&term| self.term(term)).collect(),
        }
    }

    fn term(&self, term: pddl::Term) -> Term {
        match term {
            pddl::Term::Object(object) => Term::Constant(object),
            pddl::Term::Variable(variable) => Term::Variable(self.names[variable.index()].clone()),
        }
    }

    /// Adds an atom as a condition.
    pub(crate) fn hold(&mut self, atom: Atom) {
        self.clauses.push(Clause::Holds(atom));
    }

    /// Adds a conjunction as conditions.
    pub(crate) fn require(&mut self, conjunction: &NormalConjunction) {
        for (atom, negated) in &conjunction.literals {
            if *negated {
                self.require_not(atom);
            } else {
                let atom = self.atom(atom);
                self.hold(atom);
            }
        }
        for universal in &conjunction.universals {
            self.require_all(universal);
        }
        for &(left, right, negated) in &conjunction.equalities {
            let (left, right) = (self.term(left), self.term(right));
            self.clauses.push(if negated {
                Clause::Distinct(left, right)
            } else {
                Clause::Equal(left, right)
            });
        }
        if self.rules.exactness == Exactness::Exact {
            conjunction
                .comparisons
                .iter()
                .for_each(|comparison| self.require_comparison(comparison));
        }
    }

    /// Adds the condition that an atom is false. In a relaxed program, the condition is kept only for predicates that never
    /// change.
    fn require_not(&mut self, atom: &pddl::Atom) {
        let mut absent = self.atom(atom);
        if self.rules.exactness == Exactness::Relaxed {
            match self.rules.vocabulary.changes[atom.predicate.index()] {
                TruthSource::Fluent | TruthSource::Derived => return,
                TruthSource::Static | TruthSource::StaticDerived => {
                    absent.relation = self.rules.vocabulary.known_relation(atom.predicate);
                }
            }
        }
        self.clauses.push(Clause::Absent(absent));
    }

    /// Adds type conditions for variables, unless a positive literal already implies the type.
    ///
    /// Omitting a type is sound, because every atom of the implying predicate has an object of the type at that argument.
    pub(crate) fn require_types(&mut self, variables: &[VariableId], conjunction: &NormalConjunction) {
        for &variable in variables {
            let types = self.scope[variable.index()].types.clone();
            let vocabulary = &mut self.rules.vocabulary;
            let positive = conjunction.literals.iter().filter(|(_, negated)| !negated);
            let mut arguments = positive.flat_map(|(atom, _)| {
                let terms = atom.arguments.iter().enumerate();
                terms.map(|(argument, term)| (atom.predicate, argument, *term))
            });
            let vouched = arguments.any(|(predicate, argument, term)| {
                term == pddl::Term::Variable(variable) && vocabulary.vouches(predicate, argument, &types)
            });
            if !vouched {
                let relation = vocabulary.type_relation(&types);
                let atom = self.over(relation, &[variable]);
                self.hold(atom);
            }
        }
    }

    /// Adds a comparison or a negated comparison as a condition.
    ///
    /// A comparison is false if it reads an undefined value, because values are facts. A negated comparison is then true: it
    /// requires the absence of an auxiliary fact which states that the comparison holds.
    fn require_comparison(&mut self, comparison: &NormalComparison) {
        if !comparison.negated {
            self.compare(comparison);
            return;
        }
        let variables = variables_of(&values(comparison));
        let (place, scope) = (self.place, self.scope.clone());
        let names: Vec<_> = variables
            .iter()
            .map(|one| self.names[one.index()].clone())
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let sentence = format!("a comparison in the conditions of `{place}` holds");
        let relation =
            self.rules
                .vocabulary
                .auxiliary(&format!("{place}_compared"), &names, false, &sentence);
        let mut inner = self.rules.begin(place, &scope);
        inner.compare(comparison);
        let head = inner.over(relation, &variables);
        inner.finish(head);
        let absent = self.over(relation, &variables);
        self.clauses.push(Clause::Absent(absent));
    }

    /// Adds a comparison as a condition, ignoring its negation.
    fn compare(&mut self, comparison: &NormalComparison) {
        let numbers = values(comparison)
            .into_iter()
            .map(|value| self.number(value))
            .collect();
        // The comparison only tests whether a value is defined, and the atom for the value tests that already.
        if comparison.defined_term().is_some() {
            return;
        }
        let vocabulary = &mut self.rules.vocabulary;
        let count = vocabulary.comparisons.len() + 1;
        let function = Comparison::of(vocabulary.domain, format!("comparison_{count}"), comparison);
        let same =
            |known: &&Comparison| known.body == function.body && known.parameters == function.parameters;
        let name = match vocabulary.comparisons.iter().find(same) {
            Some(known) => known.name.clone(),
            None => {
                let name = function.name.clone();
                vocabulary.comparisons.push(function);
                name
            }
        };
        self.clauses.push(Clause::Compare {
            function: name,
            numbers,
        });
    }

    /// Returns the variable for the value of a function. On first use, adds the atom that binds it.
    fn number(&mut self, value: Value) -> String {
        if let Some((_, name)) = self.numbers.iter().find(|(known, _)| *known == value) {
            return name.clone();
        }
        let (function, arguments) = &value;
        let vocabulary = &self.rules.vocabulary;
        let name = self
            .identifiers
            .add(vocabulary.domain.function(*function).name.as_str());
        let mut terms: Vec<_> = arguments.iter().map(|&term| self.term(term)).collect();
        terms.push(Term::Variable(name.clone()));
        if let Some(relation) = vocabulary.functions[function.index()] {
            self.hold(Atom { relation, terms });
        }
        self.numbers.push((value, name.clone()));
        name
    }

    /// Adds the condition that an atom holds for all objects of the quantified variables.
    ///
    /// Variables are eliminated one at a time, last first. One auxiliary fact states that the atom holds for the first `n`
    /// objects of the variable's types; a second one states that it holds for all of them. The rules are sound and monotone, so
    /// the atom may depend on the facts that the rule derives: counting starts at no objects and uses facts only.
    fn require_all(&mut self, universal: &NormalUniversal) {
        let NormalUniversal { variables, atom } = universal;
        let mut free: Vec<VariableId> = Vec::new();
        for term in &atom.arguments {
            if let pddl::Term::Variable(variable) = *term
                && !free.contains(&variable)
                && !variables.contains(&variable)
            {
                free.push(variable);
            }
        }
        free.extend(variables);
        let mut holds = self.atom(atom);
        for &variable in variables.iter().rev() {
            free.retain(|&one| one != variable);
            holds = self.all(&free, variable, &holds);
        }
        self.hold(holds);
    }

    /// Returns an atom over the variables `free`, and adds the rules that make it true if `holds` is true for all objects of
    /// `variable`.
    fn all(&mut self, free: &[VariableId], variable: VariableId, holds: &Atom) -> Atom {
        let (place, scope) = (self.place, self.scope.clone());
        let types = scope[variable.index()].types.clone();
        let names: Vec<_> = free.iter().map(|one| self.names[one.index()].clone()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let vocabulary = &mut self.rules.vocabulary;
        let inner = vocabulary.get(holds.relation).name.clone();
        let first = format!("`{inner}` holds for the first `count` objects of a type");
        let upto = vocabulary.auxiliary(&format!("{place}_upto"), &names, true, &first);
        let every = format!("`{inner}` holds for all objects of a type");
        let all = vocabulary.auxiliary(&format!("{place}_all"), &names, false, &every);
        let (order, size) = (
            vocabulary.order_relation(&types),
            vocabulary.size_relation(&types),
        );
        let counted = |body: &Body<'_, '_, '_>, count: Term| {
            let mut atom = body.over(upto, free);
            atom.terms.push(count);
            atom
        };

        let mut none = self.rules.begin(place, &scope);
        none.require_types(free, &NormalConjunction::default());
        let head = counted(&none, Term::Zero);
        none.finish(head);

        let mut one_more = self.rules.begin(place, &scope);
        let count = one_more.identifiers.add("count");
        let before = counted(&one_more, Term::Variable(count.clone()));
        one_more.hold(before);
        let object = one_more.term(pddl::Term::Variable(variable));
        one_more.hold(Atom {
            relation: order,
            terms: vec![Term::Variable(count.clone()), object],
        });
        one_more.hold(holds.clone());
        let head = counted(&one_more, Term::Next(count));
        one_more.finish(head);

        let mut whole = self.rules.begin(place, &scope);
        let count = whole.identifiers.add("count");
        let after = counted(&whole, Term::Variable(count.clone()));
        whole.hold(after);
        whole.hold(Atom {
            relation: size,
            terms: vec![Term::Variable(count)],
        });
        let head = whole.over(all, free);
        whole.finish(head.clone());
        head
    }
}

/// Returns the variables of some values, without duplicates.
fn variables_of(values: &[Value]) -> Vec<VariableId> {
    let mut variables = Vec::new();
    for term in values.iter().flat_map(|(_, arguments)| arguments) {
        if let pddl::Term::Variable(variable) = *term
            && !variables.contains(&variable)
        {
            variables.push(variable);
        }
    }
    variables
}
