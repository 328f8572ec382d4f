//! The relaxed program in a form whose input can change.
//!
//! Any fact of the problem may be edited, so most relations are fluent. The exceptions are the relations that some rule
//! negates, and all relations from which these are derived. Such *frozen* relations are evaluated once, and their facts are
//! static for the other rules:
//!
//! ```text
//!   far(A, B) :- place(A), place(B), not near(A, B).   frozen: far, place, near
//!   at(B) :- at(A), far(A, B).                         kept: at
//! ```
//!
//! The relaxed program only negates relations that no action changes, so frozen relations are static in the problem too.

use fxhash::FxHashMap;
use herbrand_datalog::{
    Atom, Evaluator, Facts, Limits, Literal, Program, RelationId, Rule, RuleId, Symbol, Term,
};
use herbrand_pddl::{PredicateKind, TypeUnion};

use super::symbols::Symbols;
use crate::GroundError;
use crate::program::ReachabilityProgram;

/// A relaxed program for maintained derivations. It has the same relations as the relaxed program, with the same numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LiveProgram {
    /// The rules whose firings are stored. Frozen relations have no rules here.
    pub(super) program: Program,
    /// For each rule of `program`, the rule of the relaxed program.
    pub(super) origins: Vec<RuleId>,
    /// For each relation, whether it is frozen.
    frozen: Vec<bool>,
    /// The rules of frozen relations, if there are any.
    below: Option<Program>,
}

impl LiveProgram {
    /// Converts a relaxed program; `symbols` assigns a symbol to each object.
    pub(super) fn of(relaxed: &ReachabilityProgram<'_>, symbols: &Symbols) -> Self {
        let old = &relaxed.program;
        let frozen = frozen(old);
        let (mut program, mut below) = (Program::new(), Program::new());
        program.reserve_symbols(symbols.capacity);
        below.reserve_symbols(symbols.capacity);
        for (id, relation) in old.relation_ids().zip(old.relations()) {
            let (name, arity) = (&relation.name, relation.arity);
            below.relation(name.clone(), arity);
            if old.is_derived(id) || frozen[id.index()] {
                program.relation(name.clone(), arity);
            } else {
                program.fluent(name.clone(), arity);
            }
        }
        let mut origins = Vec::new();
        for (rule, id) in old.rules().iter().zip(old.rule_ids()) {
            let renamed = renamed(rule, &symbols.of);
            if rule.heads.iter().any(|head| frozen[head.relation.index()]) {
                below.add_rule(renamed);
            } else {
                program.add_rule(renamed);
                origins.push(id);
            }
        }
        Self {
            program,
            origins,
            frozen,
            below: (!below.rules().is_empty()).then_some(below),
        }
    }

    /// Returns whether the facts of a relation must not change.
    pub(super) fn is_frozen(&self, relation: RelationId) -> bool {
        self.frozen[relation.index()]
    }

    /// Returns the input of a relaxed program.
    pub(super) fn input(&self, relaxed: &ReachabilityProgram<'_>, symbols: &Symbols) -> Facts {
        let mut facts = Facts::new();
        let mut renamed = Vec::new();
        for (relation, tuple) in relaxed.facts.iter() {
            renamed.clear();
            renamed.extend(tuple.iter().map(|symbol| symbols.of[symbol.index()]));
            facts.add(relation, &renamed);
        }
        facts
    }

    /// Evaluates the rules of frozen relations on an input; returns the derived facts.
    pub(super) fn below(&self, input: &Facts, limits: Limits) -> Result<Facts, GroundError> {
        let mut derived = Facts::new();
        let Some(below) = &self.below else {
            return Ok(derived);
        };
        let mut facts = Facts::new();
        let fits = input.iter().filter(|(relation, _)| self.is_frozen(*relation));
        fits.for_each(|(relation, tuple)| facts.add(relation, tuple));
        let model = Evaluator::new(below)?.with_limits(limits).run(&facts, &mut ())?;
        for relation in below
            .relation_ids()
            .filter(|relation| below.is_derived(*relation))
        {
            model
                .tuples(relation)
                .for_each(|tuple| derived.add(relation, tuple));
        }
        Ok(derived)
    }

    /// Returns facts that contain, in each column, all symbols that can ever occur there: for each predicate that may have
    /// facts, the objects of the declared types and the symbols reserved for new objects.
    pub(super) fn room(&self, relaxed: &ReachabilityProgram<'_>, symbols: &Symbols) -> Facts {
        let signature = &relaxed.signature;
        let mut of_types: FxHashMap<TypeUnion, Vec<Symbol>> = FxHashMap::default();
        let mut room = Facts::new();
        let mut add = |relation: RelationId, columns: &[&TypeUnion]| {
            if self.is_frozen(relation) {
                return;
            }
            for types in columns {
                of_types.entry((*types).clone()).or_insert_with(|| {
                    let objects = signature.objects_of(types);
                    let known = objects.map(|object| symbols.of[object.index()]);
                    known.chain(symbols.free().iter().copied()).collect()
                });
            }
            let columns: Vec<&[Symbol]> = columns.iter().map(|types| &*of_types[*types]).collect();
            let longest = columns.iter().map(|column| column.len()).max().unwrap_or(1);
            if columns.iter().any(|column| column.is_empty()) {
                return;
            }
            let mut tuple = Vec::new();
            for row in 0..longest {
                tuple.clear();
                tuple.extend(columns.iter().map(|column| column[row % column.len()]));
                room.add(relation, &tuple);
            }
        };
        for (predicate, relation) in signature.domain.predicates.iter().zip(&signature.relations) {
            if matches!(predicate.kind, PredicateKind::Static | PredicateKind::Fluent) {
                let columns: Vec<_> = predicate.parameters.iter().map(|column| &column.types).collect();
                add(*relation, &columns);
            }
        }
        for (types, relation) in signature.type_relations() {
            add(*relation, &[types]);
        }
        for (function, relation) in signature.value_relations() {
            let parameters = &signature.domain.function(function).parameters;
            let columns: Vec<_> = parameters.iter().map(|column| &column.types).collect();
            add(relation, &columns);
        }
        room
    }
}

/// Returns, for each relation, whether some rule negates it, or whether a negated relation depends on it.
fn frozen(program: &Program) -> Vec<bool> {
    let mut frozen = vec![false; program.relations().len()];
    for atom in program.rules().iter().flat_map(Rule::negative) {
        frozen[atom.relation.index()] = true;
    }
    let mut grows = frozen.contains(&true);
    while std::mem::take(&mut grows) {
        for rule in program.rules() {
            if rule.heads.iter().any(|head| frozen[head.relation.index()]) {
                let atoms = rule.heads.iter().chain(rule.positive()).chain(rule.negative());
                for atom in atoms {
                    grows |= !std::mem::replace(&mut frozen[atom.relation.index()], true);
                }
            }
        }
    }
    frozen
}

/// Returns a rule with renamed symbols.
fn renamed(rule: &Rule, symbols: &[Symbol]) -> Rule {
    let term = |term: Term| match term {
        Term::Constant(symbol) => Term::Constant(symbols[symbol.index()]),
        Term::Variable(_) => term,
    };
    let atom = |atom: &Atom| Atom::new(atom.relation, atom.terms.iter().copied().map(term));
    let literal = |literal: &Literal| match literal {
        Literal::Positive(one) => Literal::Positive(atom(one)),
        Literal::Negative(one) => Literal::Negative(atom(one)),
        Literal::Equal(left, right) => Literal::Equal(term(*left), term(*right)),
        Literal::Distinct(left, right) => Literal::Distinct(term(*left), term(*right)),
    };
    Rule {
        name: rule.name.clone(),
        heads: rule.heads.iter().map(atom).collect(),
        body: rule.body.iter().map(literal).collect(),
        variables: rule.variables,
        variable_names: Vec::new(),
    }
}
