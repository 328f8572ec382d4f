//! Checks `if` and `switch`.

use herbrand_text::nearest;

use super::declare::note_values;
use super::formula::Context;
use super::lint;
use crate::diagnostic::Code;
use crate::model::{Case, Expression, Name, Node, Range, TypeId};
use crate::syntax::ast::{self, Case as CaseSyntax, CaseLabel, Word};

impl Context<'_, '_> {
    /// `if (condition) then a else b`
    pub(super) fn conditional(
        &mut self,
        syntax: &ast::Expression<'_>,
        parts: &[ast::Expression<'_>; 3],
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        let condition = self.needed(&parts[0], Range::Bool);
        let a = self.expression(&parts[1], hint);
        let b = self.expression(&parts[2], hint);
        let joined = [(&a, &parts[1]), (&b, &parts[2])];
        let range = self.join(joined.into_iter().map(|(checked, part)| (checked.as_ref(), part)))?;
        let node = Node::If(Box::new([condition?, a?, b?]));
        Some(Self::at(syntax, node, range))
    }

    /// Returns the range to which all branches convert. Reports a fault if no such range exists.
    pub(super) fn join<'e>(
        &mut self,
        branches: impl Iterator<Item = (Option<&'e Expression>, &'e ast::Expression<'e>)>,
    ) -> Option<Range> {
        let mut joined: Option<Range> = None;
        for (checked, syntax) in branches {
            let range = checked?.range;
            joined = match joined {
                None => Some(range),
                Some(before) => match before.join(range) {
                    Some(range) => Some(range),
                    None => {
                        let names = [before, range].map(|range| self.domain.range_name(range).to_owned());
                        self.faults.report(
                            Code::TypeMismatch,
                            format!("branches of `{}` and of `{}`", names[0], names[1]),
                            |d| d.primary(syntax.span, format!("this is of `{}`", names[1])),
                        );
                        return None;
                    }
                },
            };
        }
        joined
    }

    /// `switch (subject) { case @a : x, default : y }`
    pub(super) fn switch(
        &mut self,
        syntax: &ast::Expression<'_>,
        subject: &ast::Expression<'_>,
        cases: &[CaseSyntax<'_>],
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        let checked = self.expression(subject, None)?;
        let values = match checked.range {
            Range::Item(of) => self
                .domain
                .type_of(of)
                .values()
                .map(|values| (of, values.to_vec())),
            _ => None,
        };
        let Some((of, values)) = values else {
            let name = self.domain.range_name(checked.range).to_owned();
            self.faults.report(
                Code::TypeMismatch,
                format!("a switch over `{name}`, which is not an enum"),
                |d| {
                    d.primary(subject.span, format!("of `{name}`"))
                        .help("use `if` for other ranges")
                },
            );
            return None;
        };
        let (bodies, default) = self.cases(cases, of, hint);
        let all = bodies
            .iter()
            .flatten()
            .map(|(case, part)| (Some(&case.body), *part));
        let rest = default
            .iter()
            .flatten()
            .map(|(body, part)| (Some(&**body), *part));
        let range = self.join(all.chain(rest));
        let missing: Vec<String> = (0u32..)
            .zip(&values)
            .filter(|(item, _)| bodies.iter().flatten().all(|(case, _)| case.item != *item))
            .map(|(_, value)| format!("`@{value}`"))
            .collect();
        if default.is_none() && !missing.is_empty() && bodies.iter().all(Option::is_some) {
            self.faults.report(
                Code::IncompleteSwitch,
                format!("the switch has no case for {}", missing.join(", ")),
                |d| {
                    d.primary(syntax.span, "not all values are covered")
                        .help("add the cases, or `default : …`")
                },
            );
            return None;
        }
        let bodies: Option<Vec<_>> = bodies.into_iter().collect();
        let default = match default {
            Some(default) => Some(default?.0),
            None => None,
        };
        let node = Node::Switch {
            subject: Box::new(checked),
            cases: bodies?.into_iter().map(|(case, _)| case).collect(),
            default,
        };
        Some(Self::at(syntax, node, range?))
    }

    /// Checks the cases of a switch over an enum: the cases of its values, and the default.
    #[expect(
        clippy::type_complexity,
        reason = "two lists of what may be faulty, with its syntax"
    )]
    pub(super) fn cases<'e>(
        &mut self,
        cases: &'e [CaseSyntax<'e>],
        of: TypeId,
        hint: Option<TypeId>,
    ) -> (
        Vec<Option<(Case, &'e ast::Expression<'e>)>>,
        Option<Option<(Box<Expression>, &'e ast::Expression<'e>)>>,
    ) {
        let mut seen: Vec<Option<u32>> = Vec::new();
        let mut bodies = Vec::new();
        let mut default = None;
        for case in cases {
            let Some(part) = case.body.as_ref() else { continue };
            let body = self.expression(part, hint);
            let item = match case.label {
                CaseLabel::Default => None,
                CaseLabel::Item(word) => match self.item_of(word, of) {
                    Some(item) => Some(item),
                    None => {
                        bodies.push(None);
                        continue;
                    }
                },
            };
            if seen.contains(&item) {
                self.report_case(case);
            }
            seen.push(item);
            match item {
                Some(item) => bodies.push(body.map(|body| (Case { item, body }, part))),
                None => default = Some(body.map(|body| (Box::new(body), part))),
            }
        }
        (bodies, default)
    }

    pub(super) fn report_case(&mut self, case: &CaseSyntax<'_>) {
        self.faults
            .report(Code::DuplicateCase, "a value has two cases", |d| {
                d.primary(case.span, "the second one")
            });
    }

    /// Returns the value of the enum `of` named by `word`, with or without `@`. Reports an unknown value.
    pub(super) fn item_of(&mut self, word: Word<'_>, of: TypeId) -> Option<u32> {
        let bare = word.text.strip_prefix('@').unwrap_or_else(|| {
            lint::bare_value(word, self.faults);
            word.text
        });
        let values = self.domain.type_of(of).values().unwrap_or_default();
        let position = values.iter().position(|value| value.as_str() == bare);
        if position.is_none() {
            let meant = nearest(bare, values.iter().map(Name::as_str)).map(|name| format!("@{name}"));
            let name = self.domain.type_of(of).name.clone();
            self.faults.report(
                Code::UnknownItem,
                format!("`{name}` has no value `@{bare}`"),
                |d| {
                    let d = d.primary(word.span, "no such value");
                    note_values(d, values).suggest(meant.as_deref())
                },
            );
        }
        position.map(|position| position as u32)
    }
}
