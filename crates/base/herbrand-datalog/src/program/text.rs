//! The parser of Datalog text, for tests and hand-written programs.

use fxhash::FxHashMap;

use crate::program::facts::Facts;
use crate::program::ids::{RelationId, Symbol, Variable};
use crate::program::token::{Token, Tokens};
use crate::program::{Atom, Literal, Program, Rule, Term};

/// A syntax error in Datalog text, returned by [`Program::parse`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// The description of the error, for example the token that was expected.
    pub message: String,
}

impl Program {
    /// Parses rules and facts into a program and its input facts. An empty text gives an empty program.
    ///
    /// A clause is `heads :- body.`, both with commas between their parts; the body consists of atoms, `not` atoms, `=`
    /// and `!=`. A rule gets the name of its first head's relation, or `query`. A clause `heads.` without variables
    /// adds facts. Without heads, `:- body.` is a query: a rule that derives nothing. Names that begin with a capital
    /// letter or `_` are variables, and each `_` is a new variable. All other names, integers and `"quoted text"` are
    /// symbols; the quotes are no part of the name. Relations are declared by use; the same name with another arity is
    /// another relation. `#fluent p/2.` declares a fluent relation ([`Program::fluent`]). `%` begins a comment.
    ///
    /// # Errors
    /// The first syntax error. Safety is not checked; see [`Program::check`].
    ///
    /// ```
    /// let (program, facts) = herbrand_datalog::Program::parse("
    ///     edge(a, b). edge(b, c).
    ///     path(X, Y) :- edge(X, Y).
    ///     path(X, Z) :- edge(X, Y), path(Y, Z).
    /// ").unwrap();
    /// assert_eq!((program.rules().len(), facts.len()), (2, 2));
    /// ```
    pub fn parse(text: &str) -> Result<(Self, Facts), TextError> {
        let mut reader = Reader::new(text)?;
        while reader.next.is_some() {
            reader.clause()?;
        }
        Ok((reader.program, reader.facts))
    }
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    /// The next token; `None` at the end of the text.
    next: Option<Token<'t>>,
    /// The line of the last token.
    line: usize,
    program: Program,
    facts: Facts,
    relations: FxHashMap<(&'t str, u32), RelationId>,
    symbols: FxHashMap<&'t str, Symbol>,
    /// The variables of the current clause.
    variables: Vec<&'t str>,
    /// The symbols of the current fact.
    tuple: Vec<Symbol>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Result<Self, TextError> {
        let mut reader = Self {
            tokens: Tokens::new(text),
            next: None,
            line: 1,
            program: Program::new(),
            facts: Facts::new(),
            relations: FxHashMap::default(),
            symbols: FxHashMap::default(),
            variables: Vec::new(),
            tuple: Vec::new(),
        };
        reader.advance()?;
        Ok(reader)
    }

    /// Returns the next token and advances past it.
    fn advance(&mut self) -> Result<Option<Token<'t>>, TextError> {
        let next = self.tokens.next()?;
        if let Some((line, _)) = next {
            self.line = line;
        }
        Ok(std::mem::replace(&mut self.next, next.map(|(_, token)| token)))
    }

    fn clause(&mut self) -> Result<(), TextError> {
        self.variables.clear();
        if self.accept("#")? {
            return self.fluent();
        }
        let mut heads = Vec::new();
        if !self.accept(":-")? {
            heads = self.list(Self::atom)?;
            if self.accept(".")? {
                return self.facts_or_rule(heads);
            }
            self.expect(":-")?;
        }
        let body = self.list(Self::literal)?;
        self.expect(".")?;
        self.rule(heads, body);
        Ok(())
    }

    fn fluent(&mut self) -> Result<(), TextError> {
        let (word, name) = (self.name()?, self.name()?);
        self.expect("/")?;
        let arity = self.name()?;
        match (word, arity.parse()) {
            ("fluent", Ok(arity)) => {
                let relation = self.relation(name, arity);
                self.program.set_fluent(relation);
                self.expect(".")
            }
            _ => Err(self.error("expected `#fluent name/arity.`")),
        }
    }

    fn facts_or_rule(&mut self, heads: Vec<Atom>) -> Result<(), TextError> {
        let mut terms = heads.iter().flat_map(|head| &head.terms);
        if terms.any(|term| matches!(term, Term::Variable(_))) {
            self.rule(heads, Vec::new());
            return Ok(());
        }
        for head in heads {
            self.tuple.clear();
            self.tuple.extend(head.terms.iter().filter_map(|term| match term {
                Term::Constant(symbol) => Some(*symbol),
                Term::Variable(_) => None,
            }));
            self.facts.add(head.relation, &self.tuple);
        }
        Ok(())
    }

    fn rule(&mut self, heads: Vec<Atom>, body: Vec<Literal>) {
        let name = heads
            .first()
            .map(|head| self.program.relation_text(head.relation));
        self.program.add_rule(Rule {
            name: name.unwrap_or_else(|| "query".to_owned()),
            heads,
            body,
            variables: self.variables.len() as u32,
            variable_names: self.variables.drain(..).map(str::to_owned).collect(),
        });
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, TextError>) -> Result<Vec<T>, TextError> {
        let mut items = vec![item(self)?];
        while self.accept(",")? {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn literal(&mut self) -> Result<Literal, TextError> {
        let first = self.token()?;
        if first == Token::Name("not") && matches!(self.next, Some(Token::Name(_))) {
            return Ok(Literal::Negative(self.atom()?));
        }
        if !matches!(self.next, Some(Token::Sign("=" | "!="))) {
            let name = self.name_of(first)?;
            return Ok(Literal::Positive(self.atom_of(name)?));
        }
        let left = self.term_of(first)?;
        let equal = self.accept("=")?;
        if !equal {
            self.expect("!=")?;
        }
        let right = self.term()?;
        Ok(if equal {
            Literal::Equal(left, right)
        } else {
            Literal::Distinct(left, right)
        })
    }

    fn atom(&mut self) -> Result<Atom, TextError> {
        let name = self.name()?;
        self.atom_of(name)
    }

    /// Parses the rest of an atom after the name of its relation.
    fn atom_of(&mut self, name: &'t str) -> Result<Atom, TextError> {
        let mut terms = Vec::new();
        if self.accept("(")? {
            terms = self.list(Self::term)?;
            self.expect(")")?;
        }
        Ok(Atom {
            relation: self.relation(name, terms.len() as u32),
            terms,
        })
    }

    fn relation(&mut self, name: &'t str, arity: u32) -> RelationId {
        let program = &mut self.program;
        let known = self.relations.entry((name, arity));
        *known.or_insert_with(|| program.relation(name, arity))
    }

    fn term(&mut self) -> Result<Term, TextError> {
        let token = self.token()?;
        self.term_of(token)
    }

    /// Returns the term of a token.
    fn term_of(&mut self, token: Token<'t>) -> Result<Term, TextError> {
        Ok(match token {
            Token::Variable(name) => Term::Variable(self.variable(name)),
            Token::Name(name) => {
                let program = &mut self.program;
                Term::Constant(*self.symbols.entry(name).or_insert_with(|| program.symbol(name)))
            }
            Token::Sign(sign) => return Err(self.error(&format!("expected a term, found `{sign}`"))),
        })
    }

    fn variable(&mut self, name: &'t str) -> Variable {
        let known = self
            .variables
            .iter()
            .position(|known| *known == name && name != "_");
        let index = known.unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        });
        Variable::new(index as u32)
    }

    fn name(&mut self) -> Result<&'t str, TextError> {
        let token = self.token()?;
        self.name_of(token)
    }

    /// Returns the name of a token.
    fn name_of(&self, token: Token<'t>) -> Result<&'t str, TextError> {
        match token {
            Token::Name(name) => Ok(name),
            Token::Variable(name) => {
                Err(self.error(&format!("expected a name, found the variable `{name}`")))
            }
            Token::Sign(sign) => Err(self.error(&format!("expected a name, found `{sign}`"))),
        }
    }

    /// Consumes the sign if it is next; returns whether it was.
    fn accept(&mut self, sign: &'static str) -> Result<bool, TextError> {
        let found = self.next == Some(Token::Sign(sign));
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), TextError> {
        if self.accept(sign)? {
            Ok(())
        } else {
            Err(self.error(&format!("expected `{sign}`")))
        }
    }

    fn token(&mut self) -> Result<Token<'t>, TextError> {
        match self.advance()? {
            Some(token) => Ok(token),
            None => Err(self.error("unexpected end of the text")),
        }
    }

    fn error(&self, message: &str) -> TextError {
        TextError {
            line: self.line,
            message: message.to_owned(),
        }
    }
}
