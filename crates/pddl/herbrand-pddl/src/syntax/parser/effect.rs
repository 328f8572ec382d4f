//! Parsing of effects.

use super::ast::{Assignment, Atom, Effect, Literal};
use super::{Code, Kind, Known, List, Parser, Word};
use crate::model::AssignOperator;

/// The words that begin effects with parts in parentheses.
const WORDS: &[Known] = &[
    Known::And,
    Known::Not,
    Known::Forall,
    Known::When,
    Known::Probabilistic,
    Known::Assign,
    Known::Increase,
    Known::Decrease,
    Known::ScaleUp,
    Known::ScaleDown,
];

impl Parser<'_> {
    /// Parses an effect. A bare word adds an atom without arguments; `()` is the empty effect.
    pub(super) fn effect(&mut self) -> Option<Effect> {
        match self.peek().kind {
            Kind::Open => {
                let list = self.enter();
                let effect = self.effect_in(list);
                self.leave(list);
                effect
            }
            Kind::Name => match self.bare_connective() {
                Some(list) => self.effect_of(list),
                None => {
                    self.note_bare_atom();
                    Some(Effect::Add(self.bare_atom()?))
                }
            },
            _ => {
                self.expected("an effect");
                self.skip();
                None
            }
        }
    }

    /// Parses the only effect of an action.
    pub(super) fn only_effect(&mut self) -> Option<Effect> {
        match self.bare_application() {
            Some(list) => self.effect_of(list),
            None => self.effect(),
        }
    }

    /// Parses an effect whose parentheses are missing.
    fn effect_of(&mut self, list: List) -> Option<Effect> {
        let effect = self.effect_in(list);
        self.position = list.close;
        effect
    }

    fn effect_in(&mut self, list: List) -> Option<Effect> {
        if self.position == list.close {
            return Some(Effect::And(Vec::new()));
        }
        if self.refuse_operator(list, true) {
            return None;
        }
        if !matches!(self.peek().kind, Kind::Name | Kind::Operator | Kind::Number) {
            self.no_head("effects");
            return None;
        }
        let head = self.word();
        let span = self.span(list);
        let known = self.meant_word(head, WORDS, Known::When);
        if let Some(moment) = self.moment(known, list) {
            let body = self.timed(list, Self::effect)?;
            return Some(Effect::At(moment, self.boxed(body), span));
        }
        match known {
            Some(Known::And) => {
                let mut effects = Vec::new();
                while self.position < list.close {
                    let effect = self.effect();
                    self.keep(&mut effects, effect);
                }
                Some(Effect::And(effects))
            }
            Some(Known::Not) => self.delete(list),
            Some(Known::Forall) => {
                let (variables, body) = self.quantified(list, "forall", Self::effect)?;
                Some(Effect::Forall(variables, self.boxed(body), span))
            }
            Some(Known::When) => self.when(list),
            Some(Known::Probabilistic) => {
                Some(Effect::Probabilistic(self.alternatives(list, Self::effect), span))
            }
            Some(Known::Assign) => self.assignment(AssignOperator::Assign, list),
            Some(Known::Increase) => self.assignment(AssignOperator::Increase, list),
            Some(Known::Decrease) => self.assignment(AssignOperator::Decrease, list),
            Some(Known::ScaleUp) => self.assignment(AssignOperator::ScaleUp, list),
            Some(Known::ScaleDown) => self.assignment(AssignOperator::ScaleDown, list),
            Some(Known::Equal) => {
                self.effect_on_equality(head);
                None
            }
            Some(known) if known.is_reserved() => {
                self.misplaced(head.span, "an effect");
                None
            }
            _ => Some(Effect::Add(self.atom(head, list)?)),
        }
    }

    /// `(not (p …))`
    fn delete(&mut self, list: List) -> Option<Effect> {
        if self.position == list.close {
            self.wrong_operand_count(list, "not", 1, 0);
            return None;
        }
        let atom = match self.bare_application() {
            Some(inner) => {
                let atom = self.plain_atom(inner);
                self.position = inner.close;
                atom
            }
            None => self.negated_atom(),
        }?;
        if self.position < list.close {
            self.wrong_operand_count(list, "not", 1, 2);
        }
        Some(Effect::Delete(atom))
    }

    /// Parses the operand of a `not` that must be an atom.
    pub(super) fn negated_atom(&mut self) -> Option<Atom> {
        match self.peek().kind {
            Kind::Name => self.bare_atom(),
            Kind::Open => {
                let inner = self.enter();
                let atom = self.plain_atom(inner);
                self.leave(inner);
                atom
            }
            _ => {
                self.expected("an atom");
                self.skip();
                None
            }
        }
    }

    fn plain_atom(&mut self, list: List) -> Option<Atom> {
        if !matches!(self.peek().kind, Kind::Name | Kind::Operator | Kind::Number) {
            self.expected("an atom");
            return None;
        }
        let head = self.word();
        match Known::of(head.symbol) {
            Some(Known::Equal) => {
                self.effect_on_equality(head);
                None
            }
            Some(known) if known.is_reserved() => {
                self.misplaced(head.span, "a negated literal, which takes an atom");
                None
            }
            _ => self.atom(head, list),
        }
    }

    fn effect_on_equality(&mut self, head: Word) {
        self.faults
            .report(Code::EffectOnFixed, "an effect cannot change equality", |d| {
                d.primary(head.span, "whether two objects are the same never changes")
                    .help("to change the value of a function, use `assign`")
            });
    }

    /// `(when condition effect)`
    fn when(&mut self, list: List) -> Option<Effect> {
        if self.position == list.close {
            self.wrong_operand_count(list, "when", 2, 0);
            return None;
        }
        let condition = self.formula();
        if self.position == list.close {
            self.wrong_operand_count(list, "when", 2, 1);
            return None;
        }
        let effect = self.effect();
        if self.position < list.close {
            self.wrong_operand_count(list, "when", 2, 3);
        }
        Some(Effect::When(condition?, self.boxed(effect?), self.span(list)))
    }

    /// Parses pairs `probability alternative …` up to the end of `list`.
    pub(super) fn alternatives<T>(
        &mut self,
        list: List,
        alternative: impl Fn(&mut Self) -> Option<T>,
    ) -> Vec<(Literal, T)> {
        let mut alternatives = Vec::new();
        while self.position < list.close {
            let probability = self.number(Code::InvalidProbability, "a probability");
            if self.position == list.close {
                let span = self.span(list);
                self.faults
                    .report(Code::OperandCount, "a probability without an alternative", |d| {
                        d.primary(
                            span,
                            "`probabilistic` takes pairs of a probability and an alternative",
                        )
                    });
                break;
            }
            if let (Some(probability), Some(alternative)) = (probability, alternative(self)) {
                self.faults.push(&mut alternatives, (probability, alternative));
            }
        }
        alternatives
    }

    /// `(increase (f …) value)`
    fn assignment(&mut self, operator: AssignOperator, list: List) -> Option<Effect> {
        let word = &self.text[self.tokens[list.open + 1].span.range()];
        if self.position == list.close {
            self.wrong_operand_count(list, word, 2, 0);
            return None;
        }
        let target = self.function_term();
        if self.position == list.close {
            self.wrong_operand_count(list, word, 2, 1);
            return None;
        }
        let value = self.expression();
        if self.position < list.close {
            self.wrong_operand_count(list, word, 2, 3);
        }
        let (target, value) = (target?, value?);
        Some(Effect::Assign(self.boxed(Assignment {
            operator,
            target,
            value,
            span: self.span(list),
        })))
    }

    /// Parses `(f …)`. A bare `f` has no arguments.
    pub(super) fn function_term(&mut self) -> Option<Atom> {
        match self.peek().kind {
            Kind::Name => self.bare_atom(),
            Kind::Open => {
                let list = self.enter();
                let name = self.name("a function");
                let term = name.and_then(|name| self.atom(name, list));
                self.leave(list);
                term
            }
            _ => {
                self.expected("a function");
                self.skip();
                None
            }
        }
    }
}
