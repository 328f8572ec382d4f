//! The data model of Datalog: relations, rules, and the program that holds them.

pub(crate) mod check;
pub(crate) mod display;
pub(crate) mod facts;
pub(crate) mod ids;
pub(crate) mod strata;
pub(crate) mod text;
pub(crate) mod token;

use crate::program::ids::{RelationId, RuleId, Symbol, Variable};

/// An argument of an atom: a variable or a constant. [`Atom::terms`] lists them. A [`Variable`] or [`Symbol`] converts
/// into one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A variable: any symbol, but the same one throughout its rule.
    Variable(Variable),
    /// A constant symbol.
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
    /// Returns the variable, or `None` for a constant.
    pub fn variable(self) -> Option<Variable> {
        match self {
            Self::Variable(variable) => Some(variable),
            Self::Constant(_) => None,
        }
    }
}

/// A relation applied to terms, in the head or body of a rule. It has one term per column of the relation.
/// [`new`](Self::new) creates one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// The arguments, one per column.
    pub terms: Vec<Term>,
}

impl Atom {
    /// Creates the atom `relation(terms…)`.
    pub fn new(relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        Self {
            relation,
            terms: terms.into_iter().map(Into::into).collect(),
        }
    }

    /// Iterates over the variables among the terms in order, with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().filter_map(|term| term.variable())
    }
}

/// A condition in the body of a rule, added by [`RuleBuilder::literal`] and its like.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// The atom is a fact under the binding.
    Positive(Atom),
    /// The atom is no fact under the binding. Its relation belongs to a lower stratum, so all its facts are known.
    Negative(Atom),
    /// Both terms are the same symbol.
    Equal(Term, Term),
    /// The terms are different symbols.
    Distinct(Term, Term),
}

impl Literal {
    /// Returns the variables of the literal in order, with repetitions.
    pub fn variables(&self) -> Vec<Variable> {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => atom.variables().collect(),
            Self::Equal(left, right) | Self::Distinct(left, right) => {
                [*left, *right].into_iter().filter_map(Term::variable).collect()
            }
        }
    }
}

/// A rule: if a binding of the variables satisfies the body, the heads are facts.
///
/// Every variable in `0..variables` must be bound by a positive literal, or equated with a constant or another bound
/// variable ([`Program::check`]). A rule without heads is a query: it derives nothing, but its firings are reported to
/// the [`Sink`](crate::Sink). A rule with an empty body has no variables and fires once. [`Program::rule`] builds a
/// rule; [`Program::add_rule`] adds one made by hand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// A name for messages; it need not be unique.
    pub name: String,
    /// The atoms that the rule derives.
    pub heads: Vec<Atom>,
    /// The conditions, which must all hold.
    pub body: Vec<Literal>,
    /// The number of variables. Variables are numbered from 0.
    pub variables: u32,
    /// The names of the first variables, for messages; may be empty.
    pub variable_names: Vec<String>,
}

impl Rule {
    /// Iterates over the atoms of the positive literals, in the order of the body.
    pub fn positive(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        })
    }

    /// Iterates over the atoms of the negative literals, in the order of the body.
    pub fn negative(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Negative(atom) => Some(atom),
            _ => None,
        })
    }
}

/// The declaration of a relation: a set of tuples of one arity. [`Program::relation`] and [`Program::fluent`] create one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The name, for messages; it need not be unique.
    pub name: String,
    /// The number of columns.
    pub arity: u32,
    /// Whether the relation's facts get ids and trigger rules even if no rule derives them. Otherwise the facts of a
    /// relation without rules are static.
    pub fluent: bool,
}

/// A Datalog program: declared relations, rules, and symbols. Evaluate it by an [`Evaluator`](crate::Evaluator) on
/// [`Facts`](crate::Facts).
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
    /// Creates a program without relations, rules and symbols.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a relation and returns its id. Two relations may have the same name. Ids count from 0 in order of
    /// declaration. A relation is static until a rule has it in a head.
    pub fn relation(&mut self, name: impl Into<String>, arity: u32) -> RelationId {
        self.relations.push(Relation {
            name: name.into(),
            arity,
            fluent: false,
        });
        self.derived.push(false);
        RelationId::new(self.relations.len() as u32 - 1)
    }

    /// Declares a relation whose input facts get ids and trigger rules even if no rule derives it. Returns its id, as
    /// [`relation`](Self::relation) does.
    pub fn fluent(&mut self, name: impl Into<String>, arity: u32) -> RelationId {
        let relation = self.relation(name, arity);
        self.relations[relation.index()].fluent = true;
        relation
    }

    /// Makes a declared relation fluent ([`Relation::fluent`]).
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn set_fluent(&mut self, relation: RelationId) {
        self.relations[relation.index()].fluent = true;
    }

    /// Adds a named symbol and returns it. Names are for messages only: two symbols may have the same name, and the
    /// empty name counts as none. Symbols count from 0 in the order in which they are added.
    pub fn symbol(&mut self, name: impl Into<String>) -> Symbol {
        self.symbol_names.resize(self.symbols as usize, String::new());
        self.symbol_names.push(name.into());
        self.symbols += 1;
        Symbol::new(self.symbols - 1)
    }

    /// Adds symbols without names until the program has at least this many. Symbols are never removed, so a smaller
    /// number changes nothing.
    pub fn reserve_symbols(&mut self, symbols: u32) {
        self.symbols = self.symbols.max(symbols);
    }

    /// Begins a rule with this name for messages; [`RuleBuilder::add`] adds it to the program. Until then the program
    /// does not change.
    pub fn rule(&mut self, name: impl Into<String>) -> RuleBuilder<'_> {
        RuleBuilder {
            program: self,
            rule: Rule {
                name: name.into(),
                ..Rule::default()
            },
        }
    }

    /// Adds a rule to the program and returns its id. The rule is not checked; [`Program::check`] does so.
    pub fn add_rule(&mut self, rule: Rule) -> RuleId {
        for head in &rule.heads {
            if let Some(derived) = self.derived.get_mut(head.relation.index()) {
                *derived = true;
            }
        }
        self.rules.push(rule);
        RuleId::new(self.rules.len() as u32 - 1)
    }

    /// Returns a copy of the program without the rules that have no head. Relations and symbols keep their ids; rules
    /// are renumbered in their order. A relation that was derived stays derived.
    #[must_use]
    pub fn without_headless_rules(&self) -> Self {
        let mut program = self.clone();
        program.rules.retain(|rule| !rule.heads.is_empty());
        program
    }

    /// Returns a copy without rules and symbol names, in which derived relations still count as derived.
    pub(crate) fn without_rules(&self) -> Self {
        Self {
            relations: self.relations.clone(),
            rules: Vec::new(),
            symbols: self.symbols,
            symbol_names: Vec::new(),
            derived: self.derived.clone(),
        }
    }

    /// Returns the declarations of all relations, indexed by [`RelationId`].
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Iterates over the ids of all relations.
    pub fn relation_ids(&self) -> impl Iterator<Item = RelationId> + use<> {
        (0..self.relations.len() as u32).map(RelationId::new)
    }

    /// Returns all rules, indexed by [`RuleId`].
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Iterates over the ids of all rules.
    pub fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u32).map(RuleId::new)
    }

    /// Returns the number of symbols of the program. The symbols are [`Symbol::new`] of the numbers below it.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// Returns the name of a symbol, or `None` if it has no name. Also `None` if the program has no such symbol.
    pub fn symbol_name(&self, symbol: Symbol) -> Option<&str> {
        self.symbol_names
            .get(symbol.index())
            .map(String::as_str)
            .filter(|name| !name.is_empty())
    }

    /// Returns whether the relation is static: no rule has it in a head, and it is not declared fluent.
    ///
    /// Facts of static relations have no ids and trigger no rules. Joins only look them up.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn is_static(&self, relation: RelationId) -> bool {
        !self.is_derived(relation) && !self.relations[relation.index()].fluent
    }

    /// Returns whether some rule has the relation in a head.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn is_derived(&self, relation: RelationId) -> bool {
        self.derived[relation.index()]
    }
}

/// A rule under construction, created by [`Program::rule`] and finished by [`add`](Self::add). The body keeps the literals
/// in the order in which they are added.
#[must_use = "a rule joins the program with `add`"]
pub struct RuleBuilder<'p> {
    program: &'p mut Program,
    rule: Rule,
}

impl RuleBuilder<'_> {
    /// Adds a head: an atom that the rule derives. A rule may have several heads, or none.
    pub fn head(mut self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.rule.heads.push(Atom::new(relation, terms));
        self
    }

    /// Adds a positive literal to the body: the atom must be a fact.
    pub fn when(self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.literal(Literal::Positive(Atom::new(relation, terms)))
    }

    /// Adds a negative literal to the body: the atom must not be a fact.
    pub fn unless(self, relation: RelationId, terms: impl IntoIterator<Item = impl Into<Term>>) -> Self {
        self.literal(Literal::Negative(Atom::new(relation, terms)))
    }

    /// Adds an equality to the body: both terms must be the same symbol. It binds a variable
    /// if its other side is a constant or bound.
    pub fn equal(self, left: impl Into<Term>, right: impl Into<Term>) -> Self {
        self.literal(Literal::Equal(left.into(), right.into()))
    }

    /// Adds an inequality to the body: the terms must be different symbols.
    pub fn distinct(self, left: impl Into<Term>, right: impl Into<Term>) -> Self {
        self.literal(Literal::Distinct(left.into(), right.into()))
    }

    /// Adds a literal of any kind to the body.
    pub fn literal(mut self, literal: Literal) -> Self {
        self.rule.body.push(literal);
        self
    }

    /// Names the variables, from variable 0 on, for messages. Variables without a name are shown by number; surplus
    /// names are ignored.
    pub fn named(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rule.variable_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the rule to the program and returns its id. The number of variables is one more than the greatest variable
    /// that occurs; a smaller one that does not occur is unsafe. The rule is not checked; [`Program::check`] and the
    /// evaluators do so.
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
