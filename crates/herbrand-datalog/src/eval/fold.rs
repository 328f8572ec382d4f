//! Rules of one shape as one rule: where rules differ by constants alone, these become a table.
//!
//! ```text
//! q(X, b) :- p(X, a), r(X).        q(X, D) :- p(X, C), r(X), table(K, C, D).
//! q(X, d) :- p(X, c), r(X).   ──▶  table(0, a, b). table(1, c, d). table(2, e, b).
//! q(X, b) :- p(X, e), r(X).
//! ```
//!
//! A planning domain that was written by a program may have thousands of action schemas of few shapes. Each rule by itself
//! would have a plan for each of its atoms, and facts would try them one by one; as one rule they share their plans, and
//! the table is asked with the symbols of the fact. This is sound: `K` says which rule a binding is of, and the table's row
//! says the constants of that rule, so that the bindings of the one rule are those of all of them.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use fxhash::{FxHashMap, FxHasher};
use hashbrown::HashTable;

use crate::{
    Atom, EvaluationError, Facts, Firing, Literal, Model, Program, RelationId, Rule, RuleId, Sink,
    Statistics, Symbol, Term, Variable,
};

/// From this number on, rules of one shape are evaluated as one.
pub(crate) const LEAST: usize = 8;

/// A program some of whose rules stand for several ones of another program.
#[derive(Debug)]
pub(crate) struct Folded {
    /// Relations and symbols have the numbers that they have in the other program; those of tables come after.
    pub program: Program,
    /// The rows of the tables.
    tables: Facts,
    /// By rule: which ones it stands for.
    origins: Vec<Origin>,
    /// By rule of the other program: which one stands for it.
    rules: Vec<RuleId>,
}

#[derive(Debug)]
enum Origin {
    One(RuleId),
    /// The rules by the symbol of the last variable, and how many variables each has.
    Several {
        rules: Vec<RuleId>,
        variables: usize,
    },
}

impl Folded {
    /// The program in which every shape that occurs often enough is one rule; `None` if no shape does.
    pub(crate) fn of(program: &Program, least: usize) -> Option<Self> {
        let shapes = shapes(program, least.max(2))?;
        let mut folded = Self {
            program: program.without_rules(),
            tables: Facts::new(),
            origins: Vec::new(),
            rules: Vec::with_capacity(program.rules().len()),
        };
        // The rules of a shape are placed together, where the first of them is.
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

    /// The rule that stands for a rule of the other program.
    pub(crate) fn rule(&self, rule: RuleId) -> RuleId {
        self.rules[rule.index()]
    }

    /// An input of the other program with the tables.
    pub(crate) fn facts(&self, facts: &Facts) -> Facts {
        let mut all = facts.clone();
        for (relation, row) in self.tables.iter() {
            all.add(relation, row);
        }
        all
    }

    /// A sink that tells `sink` of the rules of the other program.
    pub(crate) fn sink<'f>(&'f self, sink: &'f mut dyn Sink) -> Unfolded<'f> {
        Unfolded {
            folded: self,
            sink,
            firings: vec![0; self.rules.len()],
        }
    }

    /// The first rule that a rule stands for.
    fn first(&self, rule: RuleId) -> RuleId {
        match &self.origins[rule.index()] {
            Origin::One(rule) => *rule,
            Origin::Several { rules, .. } => rules[0],
        }
    }

    /// The model as one of the other program. What was tried for several rules counts for the first of them, and plans
    /// are left out that are theirs together.
    pub(crate) fn model(&self, mut model: Model, firings: Vec<u64>) -> Model {
        let mut statistics: Vec<_> = firings
            .into_iter()
            .map(|firings| Statistics {
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

    /// An error as one of the other program.
    pub(crate) fn error(&self, mut error: EvaluationError) -> EvaluationError {
        if let EvaluationError::Memory { culprit, .. } | EvaluationError::Time { culprit, .. } = &mut error
            && culprit.rule.index() < self.origins.len()
        {
            culprit.rule = self.first(culprit.rule);
        }
        error
    }
}

/// Tells a sink of a folded program's firings as those of the other program.
pub(crate) struct Unfolded<'f> {
    folded: &'f Folded,
    sink: &'f mut dyn Sink,
    firings: Vec<u64>,
}

impl Unfolded<'_> {
    /// By rule of the other program: how often it has fired.
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

/// The rules of a program by shape.
struct Shapes {
    /// By rule: the number of its shape.
    of_rule: Vec<usize>,
    /// By shape: its rules.
    members: Vec<Vec<RuleId>>,
}

/// The shapes of all rules; `None` if no shape occurs often enough.
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

/// Calls `see` with all atoms of a rule, and with the terms of equalities and inequalities, each with what kind of part it
/// is of.
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

/// Whether two rules differ by constants alone.
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

/// The constants of a rule, in order.
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

/// The columns of a table, as far as they are needed: a constant that is the same in all rules stays one, and such as are
/// always the same as another share its column.
struct Columns {
    /// For each place of a constant, its column, if it has one.
    of_place: Vec<Option<u32>>,
    /// For each column, a place whose constants it holds.
    places: Vec<usize>,
}

impl Columns {
    /// The columns for the constants of rules of one shape.
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

    /// The rule for all rules of a shape, of which `first` is one.
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
