//! `domain NAME { … }`

use std::collections::BTreeSet;

use herbrand_text::nearest;

use super::super::ast::{Cpf, Domain, Expression, Pvariable, Type, Word};
use super::super::lexer::Kind;
use super::{Parsed, Parser, Reported};
use crate::diagnostic::Code;
use crate::model::PvariableKind;

/// The words that begin the sections of a domain.
pub const DOMAIN_SECTIONS: &[&str] = &[
    "requirements",
    "types",
    "pvariables",
    "cpfs",
    "cdfs",
    "reward",
    "termination",
    "action-preconditions",
    "state-invariants",
    "state-action-constraints",
];

impl<'s> Parser<'s, '_> {
    pub(super) fn domain(&mut self) -> Option<Domain<'s>> {
        let errors = self.faults.errors();
        let name = self.block_head("the name of a domain").ok()?;
        let mut domain = Domain {
            name,
            faulty: false,
            skipped: BTreeSet::new(),
            requirements: Vec::new(),
            types: Vec::new(),
            pvariables: Vec::new(),
            cpfs: Vec::new(),
            reward: None,
            preconditions: Vec::new(),
            constraints: Vec::new(),
            invariants: Vec::new(),
            terminations: Vec::new(),
        };
        self.sections(|parser| parser.domain_section(&mut domain));
        domain.faulty = self.faults.errors() > errors;
        domain.skipped = std::mem::take(&mut self.skipped);
        Some(domain)
    }

    fn domain_section(&mut self, domain: &mut Domain<'s>) -> Parsed<()> {
        let word = self.section_word("a domain", DOMAIN_SECTIONS)?;
        match word.text {
            "requirements" => self.requirements(domain)?,
            "reward" => {
                self.expect(Kind::Assign, "`=`")?;
                let reward = self.expression()?;
                if domain.reward.replace(reward).is_some() {
                    self.repeated(word);
                }
            }
            section => {
                self.expect(Kind::OpenBrace, "`{`")?;
                let has_reward = domain.pvariables.iter().any(|one| one.name.text == "reward");
                let begins = |parser: &Self| parser.begins_domain_section(has_reward);
                self.declares = matches!(section, "types" | "pvariables");
                let read = match section {
                    "types" => self.section_items(begins, |parser| parser.type_definition(&mut domain.types)),
                    "pvariables" => {
                        self.section_items(begins, |parser| parser.pvariable(&mut domain.pvariables))
                    }
                    "termination" => self.conditions(begins, &mut domain.terminations),
                    "action-preconditions" => self.conditions(begins, &mut domain.preconditions),
                    "state-invariants" => self.conditions(begins, &mut domain.invariants),
                    "state-action-constraints" => self.conditions(begins, &mut domain.constraints),
                    _ => self.section_items(begins, |parser| parser.cpf(&mut domain.cpfs)),
                };
                self.declares = false;
                return read;
            }
        }
        self.end_of_item()
    }

    /// Returns whether a new section of the domain begins here, and cannot be an item of the section around it.
    /// `has_reward` tells whether a fluent has the name `reward`.
    fn begins_domain_section(&self, has_reward: bool) -> bool {
        let word = self.word_here();
        let second = self.peek_second();
        self.peek().kind == Kind::Identifier
            && DOMAIN_SECTIONS.contains(&word.text)
            && (second == Kind::OpenBrace || word.text == "reward" && second == Kind::Assign && !has_reward)
    }

    /// `requirements = { a, b }` or `requirements { a, b }`
    fn requirements(&mut self, domain: &mut Domain<'s>) -> Parsed<()> {
        self.accept(Kind::Assign);
        self.expect(Kind::OpenBrace, "`{`")?;
        let words = self.list(Kind::CloseBrace, |parser| parser.identifier("a requirement"))?;
        domain.requirements.extend(words);
        Ok(())
    }

    /// `name : object;` or `name : { @a, @b };`
    fn type_definition(&mut self, types: &mut Vec<Type<'s>>) -> Parsed<()> {
        let name = self.identifier("the name of a type")?;
        self.expect_before(Kind::Colon, "`:`", &[Kind::OpenBrace, Kind::Identifier])?;
        let values = if self.accept(Kind::OpenBrace) {
            Some(self.list(Kind::CloseBrace, |parser| match parser.peek().kind {
                Kind::Identifier => {
                    let word = parser.word_here();
                    let value = format!("@{}", word.text);
                    parser.expected("a value such as `@red`", |d| d.write(&value));
                    parser.advance();
                    Ok(word)
                }
                _ => parser.word_of(Kind::Enum, "a value such as `@red`"),
            })?)
        } else if self.is_word("object") {
            self.advance();
            None
        } else {
            let meant = nearest(self.word_here().text, ["object"]);
            let error = self.misspelt("`object` or `{ @value, … }`", meant);
            if self.peek().kind != Kind::Identifier {
                return Err(error);
            }
            // A misspelt `object`, or the name of another type.
            self.advance();
            None
        };
        self.faults.push(types, Type { name, values });
        self.end_of_item()
    }

    /// `name(t, u) : { kind, range, default = v };`
    fn pvariable(&mut self, pvariables: &mut Vec<Pvariable<'s>>) -> Parsed<()> {
        let name = self.identifier("the name of a pvariable")?;
        let parameters = if self.accept(Kind::OpenParenthesis) {
            self.list(Kind::CloseParenthesis, |parser| parser.identifier("a type"))?
        } else {
            Vec::new()
        };
        self.expect_before(Kind::Colon, "`:`", &[Kind::OpenBrace])?;
        self.expect_before(Kind::OpenBrace, "`{`", &[Kind::Identifier])?;
        let kind = self.pvariable_kind()?;
        self.expect_before(Kind::Comma, "`,`", &[Kind::Identifier])?;
        let range = self.identifier("a range: `bool`, `int`, `real` or a type")?;
        let mut pvariable = Pvariable {
            name,
            parameters,
            kind,
            range,
            default: None,
        };
        loop {
            if self.is_word("default") || self.is_word("level") {
                // The `,` before it is missing.
                let _ = self.unexpected("`,` or `}`");
            } else if !self.accept(Kind::Comma) {
                break;
            }
            self.attribute(&mut pvariable)?;
        }
        self.expect_before(Kind::CloseBrace, "`,` or `}`", &[Kind::Semicolon])?;
        self.faults.push(pvariables, pvariable);
        self.end_of_item()
    }

    fn pvariable_kind(&mut self) -> Parsed<PvariableKind> {
        let word = self.word_here();
        let mut kinds = PvariableKind::ALL.into_iter();
        match kinds.find(|kind| kind.as_str() == word.text) {
            Some(kind) => {
                self.advance();
                Ok(kind)
            }
            None => {
                let names = PvariableKind::ALL.map(PvariableKind::as_str);
                let begins_alike = |name: &&str| {
                    let beginning = name.split('-').next().unwrap_or(name);
                    beginning.len() > 3 && word.text.starts_with(beginning)
                };
                let meant = nearest(word.text, names).or_else(|| names.into_iter().find(begins_alike));
                let error = self.misspelt("a kind such as `state-fluent`", meant);
                let mut kinds = PvariableKind::ALL.into_iter();
                let meant = kinds.find(|kind| Some(kind.as_str()) == meant).ok_or(error)?;
                self.advance();
                Ok(meant)
            }
        }
    }

    /// Parses `default = v`, or `level = n`, which is ignored: the order of evaluation follows from the dependencies.
    fn attribute(&mut self, pvariable: &mut Pvariable<'s>) -> Parsed<()> {
        const NAMES: [&str; 2] = ["default", "level"];
        let word = self.word_here();
        let meant = nearest(word.text, NAMES);
        if !NAMES.contains(&word.text) {
            let error = self.misspelt("`default` or `level`", meant);
            if meant.is_none() {
                return Err(error);
            }
        }
        self.advance();
        let values = [Kind::Identifier, Kind::Enum, Kind::Int, Kind::Real, Kind::Minus];
        self.expect_before(Kind::Assign, "`=`", &values)?;
        match meant {
            Some("level") => drop(self.word_of(Kind::Int, "a level")?),
            _ => pvariable.default = Some(self.constant()?),
        }
        Ok(())
    }

    /// `head(?x) = body;`
    fn cpf(&mut self, cpfs: &mut Vec<Cpf<'s>>) -> Parsed<()> {
        let name = self.identifier("a fluent")?;
        let parameters = if self.accept(Kind::OpenParenthesis) {
            self.list(Kind::CloseParenthesis, Self::head_variable)?
        } else {
            Vec::new()
        };
        self.expect(Kind::Assign, "`=`")?;
        let body = self.expression()?;
        let cpf = Cpf {
            name,
            parameters,
            body,
        };
        self.faults.push(cpfs, cpf);
        self.end_of_item()
    }

    /// A parameter in the head of a CPF.
    fn head_variable(&mut self) -> Parsed<Word<'s>> {
        if self.peek().kind != Kind::Underscore {
            return self.variable();
        }
        let span = self.peek().span;
        self.faults
            .report(Code::VectorIndex, "`_` in the head of a CPF", |d| {
                d.primary(span, "expected a variable such as `?x`").help(
                    "the head and the brackets name the component, as in \
                     `rain(?f) = MultivariateNormal[?f](MU(_), COV(_, _));`",
                )
            });
        Err(Reported)
    }

    /// `?x`, without the question mark.
    pub(super) fn variable(&mut self) -> Parsed<Word<'s>> {
        let word = self.word_of(Kind::Variable, "a variable such as `?x`")?;
        Ok(Word {
            text: &word.text[1..],
            span: word.span,
        })
    }

    fn conditions(
        &mut self,
        begins_section: impl Fn(&Self) -> bool,
        conditions: &mut Vec<Expression<'s>>,
    ) -> Parsed<()> {
        self.section_items(begins_section, |parser| {
            let condition = parser.expression()?;
            parser.faults.push(conditions, condition);
            parser.end_of_item()
        })
    }
}
