//! Datalog as a value: relations, rules, and the program that holds them.

pub(crate) mod check;
pub(crate) mod display;
pub(crate) mod facts;
pub(crate) mod ids;
pub(crate) mod strata;
pub(crate) mod text;
pub(crate) mod token;

use crate::{RelationId, RuleId, Symbol, Variable};

/// An argument of an atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// Stands for any symbol, the same one throughout its rule.
    Variable(Variable),
    /// Stands for itself.
    Constant(Symbol),
}

impl From<Variable> for Term {
    fn from(variable: Variable) -> Self {
        Self::Variable(variable)
    }
}

impl From<Symbol> for Term {
    fn from(symbol: Symbol) -> Self {
        Self::Constant(symbol)
    }
}

impl Term {
    /// The variable, if it is one.
    pub fn variable(self) -> Option<Variable> {
        match self {
            Self::Variable(variable) => Some(variable),
            Self::Constant(_) => None,
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// One term for each column.
    pub terms: Vec<Term>,
}

impl Atom {
    /// `relation(terms…)`.
    pub fn new(relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        Self {
            relation,
            terms: terms.into_iter().map(Into::into).collect(),
        }
    }

    /// The variables among the terms, in order, as often as they occur there.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().filter_map(|term| term.variable())
    }
}

/// A condition in the body of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// The atom is a fact.
    Positive(Atom),
    /// The atom is not a fact of the finished lower strata.
    Negative(Atom),
    /// Both terms are one symbol.
    Equal(Term, Term),
    /// The terms are different symbols.
    Distinct(Term, Term),
}

impl Literal {
    /// The variables of the literal, in order, as often as they occur there.
    pub fn variables(&self) -> Vec<Variable> {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => atom.variables().collect(),
            Self::Equal(left, right) | Self::Distinct(left, right) => {
                [*left, *right].into_iter().filter_map(Term::variable).collect()
            }
        }
    }
}

/// For every binding of the variables that satisfies the body, the heads are facts.
///
/// Every variable `0..variables` must be bound by a positive literal of the body, or equated with a
/// constant or with a bound variable ([`Program::check`]). A rule without heads is a query that only a
/// [`Sink`](crate::Sink) sees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// A name for messages; it need not be unique.
    pub name: String,
    /// The atoms that follow.
    pub heads: Vec<Atom>,
    /// The conditions, all of which must hold.
    pub body: Vec<Literal>,
    /// The number of variables.
    pub variables: u32,
    /// Names of the first variables, for messages; may be empty.
    pub variable_names: Vec<String>,
}

impl Rule {
    /// The atoms of the positive literals, in the order of the body.
    pub fn positive(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        })
    }

    /// The atoms of the negative literals, in the order of the body.
    pub fn negative(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Negative(atom) => Some(atom),
            _ => None,
        })
    }
}

/// A set of tuples of one arity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The name, for messages; it need not be unique.
    pub name: String,
    /// The number of columns.
    pub arity: u32,
    /// Whether its facts are numbered and trigger rules although no rule derives them.
    pub fluent: bool,
}

/// Relations, rules, and the number of symbols they range over.
///
/// ```
/// use herbrand_datalog::{Program, Variable};
///
/// let mut program = Program::new();
/// let edge = program.relation("edge", 2);
/// let path = program.relation("path", 2);
/// let [x, y, z] = [0, 1, 2].map(Variable::new);
/// program.rule("start").head(path, [x, y]).when(edge, [x, y]).add();
/// program.rule("close").head(path, [x, z]).when(edge, [x, y]).when(path, [y, z]).distinct(x, z).add();
/// assert_eq!(program.to_string(), "path(X0, X1) :- edge(X0, X1).\n\
///                                  path(X0, X2) :- edge(X0, X1), path(X1, X2), X0 != X2.\n");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    relations: Vec<Relation>,
    rules: Vec<Rule>,
    symbols: u32,
    symbol_names: Vec<String>,
    derived: Vec<bool>,
}

impl Program {
    /// A program without relations, rules and symbols.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a relation.
    pub fn relation(&mut self, name: impl Into<String>, arity: u32) -> RelationId {
        self.relations.push(Relation {
            name: name.into(),
            arity,
            fluent: false,
        });
        self.derived.push(false);
        RelationId::new(self.relations.len() as u32 - 1)
    }

    /// Declares a relation whose input facts are numbered and trigger rules even if no rule derives it.
    pub fn fluent(&mut self, name: impl Into<String>, arity: u32) -> RelationId {
        let relation = self.relation(name, arity);
        self.relations[relation.index()].fluent = true;
        relation
    }

    /// Makes a declared relation fluent.
    pub fn set_fluent(&mut self, relation: RelationId) {
        self.relations[relation.index()].fluent = true;
    }

    /// Adds a named symbol. Names are for messages only.
    pub fn symbol(&mut self, name: impl Into<String>) -> Symbol {
        self.symbol_names.resize(self.symbols as usize, String::new());
        self.symbol_names.push(name.into());
        self.symbols += 1;
        Symbol::new(self.symbols - 1)
    }

    /// Makes sure that there are at least this many symbols; the added ones have no name.
    pub fn reserve_symbols(&mut self, symbols: u32) {
        self.symbols = self.symbols.max(symbols);
    }

    /// Begins a rule; [`RuleBuilder::add`] ends it.
    pub fn rule(&mut self, name: impl Into<String>) -> RuleBuilder<'_> {
        RuleBuilder {
            program: self,
            rule: Rule {
                name: name.into(),
                ..Rule::default()
            },
        }
    }

    /// Adds a rule. Nothing is checked before [`Program::check`].
    pub fn add_rule(&mut self, rule: Rule) -> RuleId {
        for head in &rule.heads {
            if let Some(derived) = self.derived.get_mut(head.relation.index()) {
                *derived = true;
            }
        }
        self.rules.push(rule);
        RuleId::new(self.rules.len() as u32 - 1)
    }

    /// The same program without the rules that have no head; relations and symbols keep their numbers.
    #[must_use]
    pub fn without_headless_rules(&self) -> Self {
        let mut program = self.clone();
        program.rules.retain(|rule| !rule.heads.is_empty());
        program
    }

    /// The same relations and symbols, without rules. Derived relations stay derived.
    pub(crate) fn without_rules(&self) -> Self {
        Self {
            relations: self.relations.clone(),
            rules: Vec::new(),
            symbols: self.symbols,
            symbol_names: Vec::new(),
            derived: self.derived.clone(),
        }
    }

    /// All relations, by id.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The ids of all relations.
    pub fn relation_ids(&self) -> impl Iterator<Item = RelationId> + use<> {
        (0..self.relations.len() as u32).map(RelationId::new)
    }

    /// All rules, by id.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The ids of all rules.
    pub fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u32).map(RuleId::new)
    }

    /// The number of symbols: constants are `0..symbols`.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// The name of a symbol, if it has one.
    pub fn symbol_name(&self, symbol: Symbol) -> Option<&str> {
        self.symbol_names
            .get(symbol.index())
            .map(String::as_str)
            .filter(|name| !name.is_empty())
    }

    /// Whether the relation's tuples are input alone: in no rule's head and not declared fluent.
    ///
    /// Facts of static relations have no ids and trigger nothing: they are tables to look things up in.
    pub fn is_static(&self, relation: RelationId) -> bool {
        !self.is_derived(relation) && !self.relations[relation.index()].fluent
    }

    /// Whether the relation is in some rule's head.
    pub fn is_derived(&self, relation: RelationId) -> bool {
        self.derived[relation.index()]
    }
}

/// A rule in the making. Literals are in the body in the order in which they are added.
#[must_use = "a rule joins the program with `add`"]
pub struct RuleBuilder<'p> {
    program: &'p mut Program,
    rule: Rule,
}

impl RuleBuilder<'_> {
    /// Adds a head.
    pub fn head(mut self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.rule.heads.push(Atom::new(relation, terms));
        self
    }

    /// Adds a positive literal.
    pub fn when(self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.literal(Literal::Positive(Atom::new(relation, terms)))
    }

    /// Adds a negative literal.
    pub fn unless(self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.literal(Literal::Negative(Atom::new(relation, terms)))
    }

    /// Adds an equality.
    pub fn equal(self, left: impl Into<Term>, right: impl Into<Term>) -> Self {
        self.literal(Literal::Equal(left.into(), right.into()))
    }

    /// Adds an inequality.
    pub fn distinct(self, left: impl Into<Term>, right: impl Into<Term>) -> Self {
        self.literal(Literal::Distinct(left.into(), right.into()))
    }

    /// Adds any literal.
    pub fn literal(mut self, literal: Literal) -> Self {
        self.rule.body.push(literal);
        self
    }

    /// Names the variables, for messages.
    pub fn named(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rule.variable_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the rule to the program. Its variables are `0..=` the greatest one that occurs in it.
    pub fn add(mut self) -> RuleId {
        let heads = self.rule.heads.iter().flat_map(Atom::variables);
        let body = self.rule.body.iter().flat_map(Literal::variables);
        self.rule.variables = heads
            .chain(body)
            .map(|variable| variable.number() + 1)
            .max()
            .unwrap_or(0);
        self.program.add_rule(self.rule)
    }
}
