//! Programs as Datalog text: `path(X, Z) :- edge(X, Y), path(Y, Z), not blocked(Z), X != Z.`

use std::fmt::{self, Display, Formatter, Write};

use crate::program::ids::{RelationId, RuleId, Symbol, Variable};
use crate::program::{Atom, Literal, Program, Rule, Term};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.rules()
            .iter()
            .try_for_each(|rule| writeln!(f, "{}", RuleText { program: self, rule }))
    }
}

impl Program {
    /// Formats a rule of the program as Datalog text.
    ///
    /// # Panics
    /// If the program has no rule with this id.
    pub fn display_rule(&self, rule: RuleId) -> impl Display + '_ {
        RuleText {
            program: self,
            rule: &self.rules()[rule.index()],
        }
    }

    /// Formats the fact of a relation and a tuple as Datalog text. Nothing is checked: unknown relations and symbols
    /// are shown by number.
    pub fn display_fact<'a>(&'a self, relation: RelationId, tuple: &'a [Symbol]) -> impl Display + 'a {
        FactText {
            program: self,
            relation,
            tuple,
        }
    }

    /// Formats a symbol: its name, or `#` and its number if it has no name. It accepts any symbol.
    pub fn display_symbol(&self, symbol: Symbol) -> impl Display + '_ {
        SymbolText {
            program: self,
            symbol,
        }
    }

    /// Returns the name of a relation, or `relation#` and its number if it is not declared.
    pub(crate) fn relation_text(&self, relation: RelationId) -> String {
        match self.relations().get(relation.index()) {
            Some(relation) => relation.name.clone(),
            None => format!("relation#{}", relation.number()),
        }
    }
}

/// A rule with its program, for formatting.
pub(crate) struct RuleText<'a> {
    pub program: &'a Program,
    pub rule: &'a Rule,
}

impl Display for RuleText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        separated(f, &self.rule.heads, |f, head| self.atom(f, head))?;
        if !self.rule.body.is_empty() {
            f.write_str(if self.rule.heads.is_empty() { ":- " } else { " :- " })?;
            separated(f, &self.rule.body, |f, literal| self.literal(f, literal))?;
        }
        f.write_char('.')
    }
}

impl RuleText<'_> {
    pub(crate) fn literal(&self, f: &mut impl Write, literal: &Literal) -> fmt::Result {
        match literal {
            Literal::Positive(atom) => self.atom(f, atom),
            Literal::Negative(atom) => {
                f.write_str("not ")?;
                self.atom(f, atom)
            }
            Literal::Equal(left, right) => self.comparison(f, *left, "=", *right),
            Literal::Distinct(left, right) => self.comparison(f, *left, "!=", *right),
        }
    }

    fn comparison(&self, f: &mut impl Write, left: Term, sign: &str, right: Term) -> fmt::Result {
        self.term(f, left)?;
        write!(f, " {sign} ")?;
        self.term(f, right)
    }

    pub(crate) fn atom(&self, f: &mut impl Write, atom: &Atom) -> fmt::Result {
        f.write_str(&self.program.relation_text(atom.relation))?;
        if atom.terms.is_empty() {
            return Ok(());
        }
        f.write_char('(')?;
        self.terms(f, &atom.terms)?;
        f.write_char(')')
    }

    pub(crate) fn terms(&self, f: &mut impl Write, terms: &[Term]) -> fmt::Result {
        separated(f, terms, |f, term| self.term(f, *term))
    }

    fn term(&self, f: &mut impl Write, term: Term) -> fmt::Result {
        match term {
            Term::Variable(variable) => f.write_str(&self.rule.variable_text(variable)),
            Term::Constant(symbol) => write!(f, "{}", self.program.display_symbol(symbol)),
        }
    }
}

impl Rule {
    /// Returns the name of a variable with a capital first letter, or `X` and its number if it has no name.
    pub(crate) fn variable_text(&self, variable: Variable) -> String {
        let name = self
            .variable_names
            .get(variable.index())
            .map_or("", |name| name.trim_start_matches('?'));
        let mut letters = name.chars();
        match letters.next() {
            Some(first) if first.is_alphabetic() || first == '_' => {
                first.to_uppercase().chain(letters).collect()
            }
            Some(_) => format!("X{name}"),
            None => format!("X{}", variable.number()),
        }
    }
}

struct FactText<'a> {
    program: &'a Program,
    relation: RelationId,
    tuple: &'a [Symbol],
}

impl Display for FactText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program.relation_text(self.relation))?;
        if self.tuple.is_empty() {
            return Ok(());
        }
        f.write_char('(')?;
        separated(f, self.tuple, |f, symbol| {
            write!(f, "{}", self.program.display_symbol(*symbol))
        })?;
        f.write_char(')')
    }
}

struct SymbolText<'a> {
    program: &'a Program,
    symbol: Symbol,
}

impl Display for SymbolText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.program.symbol_name(self.symbol) {
            Some(name) => f.write_str(name),
            None => write!(f, "#{}", self.symbol.number()),
        }
    }
}

/// Writes the items, separated by `, `.
fn separated<W: Write, T>(
    f: &mut W,
    items: &[T],
    mut write: impl FnMut(&mut W, &T) -> fmt::Result,
) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}
