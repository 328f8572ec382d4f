//! Datalog as text, for tests and for programs of one's own.

use std::collections::HashMap;

use crate::{Atom, Facts, Literal, Program, RelationId, Rule, Symbol, Term, Variable};

/// Text that is not Datalog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl Program {
    /// Reads rules and facts.
    ///
    /// A clause is `heads :- body.` with atoms, `not` atoms, `=` and `!=`; one without a body and without
    /// variables is a fact. Names that begin with a capital letter or `_` are variables, and `_` alone is a
    /// new one each time; all others, numbers and `"quoted text"` are symbols. Relations are declared by
    /// use; one of several arities is several relations. `#fluent p/2.` declares a relation whose facts are
    /// numbered although no rule derives it. `%` begins a comment.
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
        let tokens = tokens(text)?;
        let mut reader = Reader {
            tokens: &tokens,
            ..Reader::default()
        };
        while !reader.tokens.is_empty() {
            reader.clause()?;
        }
        Ok((reader.program, reader.facts))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Variable(String),
    Name(String),
    Sign(&'static str),
}

const SIGNS: [&str; 9] = [":-", "!=", "(", ")", ",", ".", "=", "/", "#"];

/// The tokens, each with its line.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>, TextError> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line_number = number + 1;
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with('%') {
            let (token, length) = token(rest).ok_or_else(|| TextError {
                line: line_number,
                message: format!("unexpected `{}`", rest.chars().next().unwrap_or(' ')),
            })?;
            tokens.push((line_number, token));
            rest = rest[length..].trim_start();
        }
    }
    Ok(tokens)
}

/// The first token of a line's rest, and how many bytes it takes.
fn token(rest: &str) -> Option<(Token, usize)> {
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Some((Token::Sign(sign), sign.len()));
    }
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((Token::Name(quoted[..end].to_owned()), end + 2));
    }
    let within = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let length = rest.find(|c| !within(c)).unwrap_or(rest.len());
    let word = &rest[..length];
    let first = word.chars().next()?;
    let make = if first.is_uppercase() || first == '_' {
        Token::Variable
    } else {
        Token::Name
    };
    Some((make(word.to_owned()), length))
}

#[derive(Default)]
struct Reader<'t> {
    tokens: &'t [(usize, Token)],
    line: usize,
    program: Program,
    facts: Facts,
    relations: HashMap<(String, u32), RelationId>,
    symbols: HashMap<String, Symbol>,
    variables: Vec<String>,
}

impl Reader<'_> {
    fn clause(&mut self) -> Result<(), TextError> {
        self.variables.clear();
        if self.accept("#") {
            return self.fluent();
        }
        let mut heads = Vec::new();
        if !self.accept(":-") {
            heads = self.list(Self::atom)?;
            if self.accept(".") {
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
        match (word.as_str(), arity.parse()) {
            ("fluent", Ok(arity)) => {
                let relation = self.relation(name, arity);
                self.program.set_fluent(relation);
                self.expect(".")
            }
            _ => Err(self.error("expected `#fluent name/arity.`")),
        }
    }

    fn facts_or_rule(&mut self, heads: Vec<Atom>) -> Result<(), TextError> {
        let ground = |atom: &Atom| -> Option<Vec<Symbol>> {
            let constants = atom.terms.iter().map(|term| match term {
                Term::Constant(symbol) => Some(*symbol),
                Term::Variable(_) => None,
            });
            constants.collect()
        };
        match heads.iter().map(ground).collect::<Option<Vec<_>>>() {
            Some(tuples) => {
                heads
                    .iter()
                    .zip(tuples)
                    .for_each(|(head, tuple)| self.facts.add(head.relation, &tuple));
            }
            None => self.rule(heads, Vec::new()),
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
            variable_names: std::mem::take(&mut self.variables),
        });
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, TextError>) -> Result<Vec<T>, TextError> {
        let mut items = vec![item(self)?];
        while self.accept(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn literal(&mut self) -> Result<Literal, TextError> {
        if matches!(self.tokens, [(_, Token::Name(word)), (_, Token::Name(_)), ..] if word == "not") {
            self.next()?;
            return Ok(Literal::Negative(self.atom()?));
        }
        let comparison = |at: usize| matches!(self.tokens.get(at), Some((_, Token::Sign("=" | "!="))));
        if !comparison(1) {
            return Ok(Literal::Positive(self.atom()?));
        }
        let left = self.term()?;
        let equal = self.accept("=");
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
        let mut terms = Vec::new();
        if self.accept("(") {
            terms = self.list(Self::term)?;
            self.expect(")")?;
        }
        Ok(Atom {
            relation: self.relation(name, terms.len() as u32),
            terms,
        })
    }

    fn relation(&mut self, name: String, arity: u32) -> RelationId {
        let program = &mut self.program;
        let key = (name.clone(), arity);
        *self
            .relations
            .entry(key)
            .or_insert_with(|| program.relation(name, arity))
    }

    fn term(&mut self) -> Result<Term, TextError> {
        Ok(match self.next()? {
            Token::Variable(name) => Term::Variable(self.variable(name)),
            Token::Name(name) => {
                let program = &mut self.program;
                let key = name.clone();
                Term::Constant(*self.symbols.entry(key).or_insert_with(|| program.symbol(name)))
            }
            Token::Sign(sign) => return Err(self.error(&format!("expected a term, found `{sign}`"))),
        })
    }

    fn variable(&mut self, name: String) -> Variable {
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

    fn name(&mut self) -> Result<String, TextError> {
        match self.next()? {
            Token::Name(name) => Ok(name),
            Token::Variable(name) => {
                Err(self.error(&format!("expected a name, found the variable `{name}`")))
            }
            Token::Sign(sign) => Err(self.error(&format!("expected a name, found `{sign}`"))),
        }
    }

    fn accept(&mut self, sign: &'static str) -> bool {
        let found = matches!(self.tokens, [(_, Token::Sign(first)), ..] if *first == sign);
        if found {
            self.line = self.tokens[0].0;
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), TextError> {
        if self.accept(sign) {
            Ok(())
        } else {
            Err(self.error(&format!("expected `{sign}`")))
        }
    }

    fn next(&mut self) -> Result<Token, TextError> {
        let [(line, token), rest @ ..] = self.tokens else {
            return Err(self.error("unexpected end of the text"));
        };
        (self.line, self.tokens) = (*line, rest);
        Ok(token.clone())
    }

    fn error(&self, message: &str) -> TextError {
        let line = self.tokens.first().map_or(self.line, |(line, _)| *line);
        TextError {
            line,
            message: message.to_owned(),
        }
    }
}
