//! Folding: rules that differ only in their constants become one rule, and the constants become a table.
//!
//! ```text
//! q(X, b) :- p(X, a), r(X).        q(X, D) :- p(X, C), r(X), table(K, C, D).
//! q(X, d) :- p(X, c), r(X).   ──▶  table(0, a, b). table(1, c, d). table(2, e, b).
//! q(X, b) :- p(X, e), r(X).
//! ```
//!
//! A machine-written planning domain may have thousands of action schemas of few shapes. Unfolded, each rule has a plan per
//! atom, and each fact tries these plans one by one. Folded, the rules share their plans, and the table is looked up by the
//! symbols of the fact. Folding is sound: `K` identifies the original rule of a binding, and the table's row contains that
//! rule's constants. So the bindings of the folded rule are those of all original rules.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use fxhash::{FxHashMap, FxHasher};
use hashbrown::HashTable;

use crate::eval::firing::{Firing, Sink};
use crate::eval::limits::{EvaluationError, RuleStatistics};
use crate::eval::model::Model;
use crate::program::facts::Facts;
use crate::program::ids::{RelationId, RuleId, Symbol, Variable};
use crate::program::{Atom, Literal, Program, Rule, Term};

/// The least number of rules of one shape that are folded.
pub(crate) const LEAST: usize = 8;

/// A folded program and its relation to the original program.
#[derive(Debug)]
pub(crate) struct Folded {
    /// The folded program. Relations and symbols keep their numbers; the table relations come after the others.
    pub program: Program,
    /// The rows of the table relations.
    tables: Facts,
    /// For each folded rule, its original rules.
    origins: Vec<Origin>,
    /// For each original rule, its folded rule.
    rules: Vec<RuleId>,
}

#[derive(Debug)]
enum Origin {
    One(RuleId),
    /// The original rules, indexed by the symbol of the last variable, and their number of variables.
    Several {
        rules: Vec<RuleId>,
        variables: usize,
    },
}

impl Folded {
    /// Folds every shape that at least `least` rules have; returns `None` if there is no such shape.
    pub(crate) fn of(program: &Program, least: usize) -> Option<Self> {
        let shapes = shapes(program, least.max(2))?;
        let mut folded = Self {
            program: program.without_rules(),
            tables: Facts::new(),
            origins: Vec::new(),
            rules: Vec::with_capacity(program.rules().len()),
        };
        // The rule of a shape takes the place of the first rule with that shape.
        let mut places: Vec<Option<RuleId>> = vec![None; shapes.members.len()];
        for (id, shape) in program.rule_ids().zip(&shapes.of_rule) {
            let members = &shapes.members[*shape];
            let place = match places[*shape] {
                Some(place) => place,
                None if members.len() < least => folded.keep(program, id),
                None => folded.fold(program, members),
            };
            if members.len() >= least {
                places[*shape] = Some(place);
            }
            folded.rules.push(place);
        }
        Some(folded)
    }

    fn keep(&mut self, program: &Program, rule: RuleId) -> RuleId {
        self.origins.push(Origin::One(rule));
        self.program.add_rule(program.rules()[rule.index()].clone())
    }

    fn fold(&mut self, program: &Program, members: &[RuleId]) -> RuleId {
        let first = &program.rules()[members[0].index()];
        let constants: Vec<Vec<Symbol>> = members
            .iter()
            .map(|member| constants(&program.rules()[member.index()]))
            .collect();
        let columns = Columns::of(&constants);
        let table = self
            .program
            .relation(first.name.clone(), 1 + columns.places.len() as u32);
        let mut row = Vec::new();
        for (number, constants) in (0..).zip(&constants) {
            row.clear();
            row.push(Symbol::new(number));
            row.extend(columns.places.iter().map(|place| constants[*place]));
            self.tables.add(table, &row);
        }
        self.program.reserve_symbols(members.len() as u32);
        self.origins.push(Origin::Several {
            rules: members.to_vec(),
            variables: first.variables as usize,
        });
        self.program.add_rule(columns.rule(first, table))
    }

    /// Returns the folded rule of an original rule.
    pub(crate) fn rule(&self, rule: RuleId) -> RuleId {
        self.rules[rule.index()]
    }

    /// Returns an input of the original program together with the tables.
    pub(crate) fn facts(&self, facts: &Facts) -> Facts {
        let mut all = facts.clone();
        for (relation, row) in self.tables.iter() {
            all.add(relation, row);
        }
        all
    }

    /// Returns a sink that translates firings to the original rules and passes them to `sink`.
    pub(crate) fn sink<'f>(&'f self, sink: &'f mut dyn Sink) -> Unfolded<'f> {
        Unfolded {
            folded: self,
            sink,
            firings: vec![0; self.rules.len()],
        }
    }

    /// Returns the first original rule of a folded rule.
    fn first(&self, rule: RuleId) -> RuleId {
        match &self.origins[rule.index()] {
            Origin::One(rule) => *rule,
            Origin::Several { rules, .. } => rules[0],
        }
    }

    /// Translates a model to the original program. The candidates of a folded rule count for the first of its original
    /// rules, and plans of folded rules are removed.
    pub(crate) fn model(&self, mut model: Model, firings: Vec<u64>) -> Model {
        let mut statistics: Vec<_> = firings
            .into_iter()
            .map(|firings| RuleStatistics {
                firings,
                candidates: 0,
            })
            .collect();
        for (rule, did) in self.program.rule_ids().zip(&model.statistics) {
            statistics[self.first(rule).index()].candidates = did.candidates;
        }
        model.statistics = statistics;
        model
            .plans
            .retain(|plan| matches!(self.origins[plan.rule.index()], Origin::One(_)));
        model
            .plans
            .iter_mut()
            .for_each(|plan| plan.rule = self.first(plan.rule));
        model
    }

    /// Translates an error to the original program.
    pub(crate) fn error(&self, mut error: EvaluationError) -> EvaluationError {
        if let EvaluationError::Memory { busiest, .. } | EvaluationError::Time { busiest, .. } = &mut error
            && busiest.rule.index() < self.origins.len()
        {
            busiest.rule = self.first(busiest.rule);
        }
        error
    }
}

/// A sink that translates the firings of a folded program to the original rules.
pub(crate) struct Unfolded<'f> {
    folded: &'f Folded,
    sink: &'f mut dyn Sink,
    firings: Vec<u64>,
}

impl Unfolded<'_> {
    /// Returns the number of firings of each original rule.
    pub(crate) fn into_firings(self) -> Vec<u64> {
        self.firings
    }
}

impl Sink for Unfolded<'_> {
    #[inline]
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        let (rule, variables) = match &self.folded.origins[firing.rule.index()] {
            Origin::One(rule) => (*rule, firing.binding.len()),
            Origin::Several { rules, variables } => {
                let number = firing.binding[firing.binding.len() - 1];
                (rules[number.index()], *variables)
            }
        };
        self.firings[rule.index()] += 1;
        self.sink.fired(&Firing {
            rule,
            binding: &firing.binding[..variables],
            ..*firing
        })
    }

    fn bytes(&self) -> u64 {
        self.sink.bytes() + 8 * self.firings.len() as u64
    }
}

/// The rules of a program, grouped by shape.
struct Shapes {
    /// For each rule, the number of its shape.
    of_rule: Vec<usize>,
    /// For each shape, its rules.
    members: Vec<Vec<RuleId>>,
}

/// Groups all rules by shape; returns `None` if no shape has at least `least` rules.
fn shapes(program: &Program, least: usize) -> Option<Shapes> {
    let rules = program.rules();
    let mut shapes = Shapes {
        of_rule: Vec::with_capacity(rules.len()),
        members: Vec::new(),
    };
    if rules.len() < least {
        return None;
    }
    let mut known: HashTable<usize> = HashTable::new();
    for id in program.rule_ids() {
        let rule = &rules[id.index()];
        let representative = |shape: &usize| &rules[shapes.members[*shape][0].index()];
        let hash = shape_hash(rule);
        let shape = match known.find(hash, |shape| is_same_shape(representative(shape), rule)) {
            Some(shape) => *shape,
            None => {
                let new = shapes.members.len();
                known.insert_unique(hash, new, |shape| shape_hash(representative(shape)));
                shapes.members.push(Vec::new());
                new
            }
        };
        shapes.members[shape].push(id);
        shapes.of_rule.push(shape);
    }
    let is_large = |members: &Vec<RuleId>| members.len() >= least;
    shapes.members.iter().any(is_large).then_some(shapes)
}

/// Calls `see` with the terms of each atom of a rule and with each side of its comparisons. The number encodes the kind of
/// literal and the relation.
fn each_part<'r>(rule: &'r Rule, mut see: impl FnMut(u32, &'r [Term])) {
    let kind = |kind: u32, atom: &Atom| kind + 4 * atom.relation.number();
    for head in &rule.heads {
        see(kind(0, head), &head.terms);
    }
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => see(kind(1, atom), &atom.terms),
            Literal::Negative(atom) => see(kind(2, atom), &atom.terms),
            Literal::Equal(left, right) => {
                see(3, std::slice::from_ref(left));
                see(3, std::slice::from_ref(right));
            }
            Literal::Distinct(left, right) => {
                see(7, std::slice::from_ref(left));
                see(7, std::slice::from_ref(right));
            }
        }
    }
}

fn shape_hash(rule: &Rule) -> u64 {
    let mut hasher = FxHasher::default();
    each_part(rule, |kind, terms| {
        kind.hash(&mut hasher);
        terms.iter().for_each(|term| term.variable().hash(&mut hasher));
    });
    hasher.finish()
}

/// Returns whether two rules differ only in their constants.
fn is_same_shape(one: &Rule, other: &Rule) -> bool {
    let same_terms = |one: &[Term], other: &[Term]| {
        let pairs = one.iter().zip(other);
        one.len() == other.len() && pairs.into_iter().all(|(a, b)| a.variable() == b.variable())
    };
    let same_atoms =
        |one: &Atom, other: &Atom| one.relation == other.relation && same_terms(&one.terms, &other.terms);
    let same_literals = |one: &Literal, other: &Literal| match (one, other) {
        (Literal::Positive(one), Literal::Positive(other))
        | (Literal::Negative(one), Literal::Negative(other)) => same_atoms(one, other),
        (Literal::Equal(a, b), Literal::Equal(c, d)) | (Literal::Distinct(a, b), Literal::Distinct(c, d)) => {
            same_terms(&[*a, *b], &[*c, *d])
        }
        _ => false,
    };
    one.variables == other.variables
        && one.heads.len() == other.heads.len()
        && one.body.len() == other.body.len()
        && one.heads.iter().zip(&other.heads).all(|(a, b)| same_atoms(a, b))
        && one.body.iter().zip(&other.body).all(|(a, b)| same_literals(a, b))
}

/// Returns the constants of a rule, in order.
fn constants(rule: &Rule) -> Vec<Symbol> {
    let mut constants = Vec::new();
    each_part(rule, |_, terms| {
        constants.extend(terms.iter().filter_map(|term| match *term {
            Term::Constant(symbol) => Some(symbol),
            Term::Variable(_) => None,
        }));
    });
    constants
}

/// The columns of a table. A constant that is the same in all rules needs no column. Two constants that agree in every rule
/// share a column.
struct Columns {
    /// For each position of a constant, its column; `None` if the constant is the same in all rules.
    of_place: Vec<Option<u32>>,
    /// For each column, a position whose constants it contains.
    places: Vec<usize>,
}

impl Columns {
    /// Chooses the columns for the constants of rules of one shape.
    fn of(constants: &[Vec<Symbol>]) -> Self {
        let mut columns = Self {
            of_place: Vec::new(),
            places: Vec::new(),
        };
        let mut known: FxHashMap<Vec<Symbol>, u32> = FxHashMap::default();
        for place in 0..constants[0].len() {
            let column: Vec<Symbol> = constants.iter().map(|constants| constants[place]).collect();
            let is_constant = column.iter().all(|symbol| *symbol == column[0]);
            columns.of_place.push((!is_constant).then(|| {
                *known.entry(column).or_insert_with(|| {
                    columns.places.push(place);
                    columns.places.len() as u32 - 1
                })
            }));
        }
        columns
    }

    /// Returns the folded rule of a shape; `first` is one of its original rules.
    fn rule(&self, first: &Rule, table: RelationId) -> Rule {
        let mut places = self.of_place.iter();
        let mut term = |term: &Term| match (term, term.variable()) {
            (_, None) => match places.next() {
                Some(Some(column)) => Term::Variable(Variable::new(first.variables + column)),
                _ => *term,
            },
            _ => *term,
        };
        let mut atom = |atom: &Atom| Atom::new(atom.relation, atom.terms.iter().map(&mut term));
        let heads = first.heads.iter().map(&mut atom).collect();
        let mut body: Vec<_> = Vec::with_capacity(first.body.len() + 1);
        for literal in &first.body {
            body.push(match literal {
                Literal::Positive(one) => Literal::Positive(atom(one)),
                Literal::Negative(one) => Literal::Negative(atom(one)),
                Literal::Equal(left, right) => {
                    let both = atom(&Atom::new(table, [*left, *right]));
                    Literal::Equal(both.terms[0], both.terms[1])
                }
                Literal::Distinct(left, right) => {
                    let both = atom(&Atom::new(table, [*left, *right]));
                    Literal::Distinct(both.terms[0], both.terms[1])
                }
            });
        }
        let width = self.places.len() as u32;
        let number = Variable::new(first.variables + width);
        let columns = (first.variables..first.variables + width).map(Variable::new);
        let row = Atom::new(table, std::iter::once(number).chain(columns));
        body.push(Literal::Positive(row));
        Rule {
            name: first.name.clone(),
            heads,
            body,
            variables: first.variables + width + 1,
            variable_names: first.variable_names.clone(),
        }
    }
}
