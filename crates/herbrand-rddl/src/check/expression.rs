//! Names, literals, operators and control.

use herbrand_text::nearest;

use super::formula::Context;
use super::{constant, lint};
use crate::diagnostic::Code;
use crate::syntax::ast::{self, Case as CaseSyntax, CaseLabel, Infix, Node as Syntax, Word};
use crate::{
    Binary, Case, Comparison, Connective, Expression, Name, Node, Range, Time, TypeId, Unary, Value,
};

impl Context<'_, '_> {
    /// The expression that `syntax` says; none if it has faults, which are reported. `hint` is the enum that a value is
    /// expected to be of.
    pub(super) fn expression(
        &mut self,
        syntax: &ast::Expression<'_>,
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        match &syntax.node {
            Syntax::Bool(value) => Some(Self::at(syntax, Node::Literal(Value::Bool(*value)), Range::Bool)),
            Syntax::Int(digits) => {
                let value = constant::int(digits, false, syntax.span, self.faults)?;
                Some(Self::at(syntax, Node::Literal(Value::Int(value)), Range::Int))
            }
            Syntax::Real(digits) => {
                lint::exponent(digits, syntax.span, self.faults);
                let value = constant::real(digits, syntax.span, self.faults)?;
                Some(Self::at(syntax, Node::Literal(Value::Real(value)), Range::Real))
            }
            Syntax::Variable(word) => {
                let id = self.variable(*word)?;
                let of = self.type_of_variable(id);
                Some(Self::at(syntax, Node::Variable(id), Range::Item(of)))
            }
            Syntax::Enum(word) => self.enum_value(syntax, &word.text[1..], hint),
            Syntax::Underscore => self.misplaced_underscore(syntax),
            Syntax::Name(word) => self.name(syntax, *word, hint),
            Syntax::Call(word, arguments) => self.call(syntax, *word, arguments, hint),
            Syntax::Function(word, operands) => self.function(syntax, *word, operands),
            Syntax::Binder(word, variables, body) => self.binder(syntax, *word, variables, body),
            Syntax::Prefix(sign, operand) => self.prefix(syntax, *sign, operand),
            Syntax::Infix(operator, _, operands) => self.infix(syntax, *operator, operands),
            Syntax::If(parts) => self.conditional(syntax, parts, hint),
            Syntax::Switch(subject, cases) => self.switch(syntax, subject, cases, hint),
            Syntax::Discrete(word, of, cases) => self.discrete(syntax, *word, *of, cases),
            Syntax::Vector(word, indices, parameters) => self.vector(syntax, *word, indices, parameters),
            Syntax::Matrix(word, indices, body) => self.matrix(syntax, *word, *indices, body),
        }
    }

    fn misplaced_underscore(&mut self, syntax: &ast::Expression<'_>) -> Option<Expression> {
        self.faults
            .report(Code::VectorIndex, "`_` is no index here", |d| {
                d.primary(
                    syntax.span,
                    "only parameters of multivariate distributions have such indices",
                )
            });
        None
    }

    /// A pvariable without arguments, or an enum value without `@`.
    fn name(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        let bare = word.text.strip_suffix('\'').unwrap_or(word.text);
        if !self.names.pvariables.contains_key(bare) && self.names.values.contains_key(word.text) {
            lint::bare_value(word, self.faults);
            return self.enum_value(syntax, word.text, hint);
        }
        self.fluent(syntax, word, &[])
    }

    /// The value `bare` of an enum.
    pub(super) fn enum_value(
        &mut self,
        syntax: &ast::Expression<'_>,
        bare: &str,
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        let names = self.names;
        let none = Vec::new();
        let all = names.values.get(bare).unwrap_or(&none);
        let hinted = all.iter().find(|(of, _)| Some(*of) == hint);
        let found = match (hinted, all.as_slice()) {
            (Some(one), _) => one,
            (None, [one]) => one,
            (None, []) => {
                self.unknown_value(syntax, bare, hint);
                return None;
            }
            (None, several) => {
                let types: Vec<String> = several
                    .iter()
                    .map(|(of, _)| format!("`{}`", self.domain.type_of(*of).name))
                    .collect();
                self.faults.report(
                    Code::AmbiguousItem,
                    format!("`@{bare}` is a value of {}", types.join(" and ")),
                    |d| {
                        d.primary(syntax.span, "which of them is meant does not follow")
                            .help("rename one of them, or compare with a fluent on the left")
                    },
                );
                return None;
            }
        };
        let &(of, item) = found;
        Some(Self::at(
            syntax,
            Node::Literal(Value::Item(item)),
            Range::Item(of),
        ))
    }

    fn unknown_value(&mut self, syntax: &ast::Expression<'_>, bare: &str, hint: Option<TypeId>) {
        let mut known: Vec<&str> = match hint.and_then(|of| self.domain.type_of(of).values()) {
            Some(values) => values.iter().map(Name::as_str).collect(),
            None => self.names.values.keys().copied().collect(),
        };
        known.sort_unstable();
        let meant = nearest(bare, known).map(|name| format!("@{name}"));
        self.faults
            .report(Code::UnknownItem, format!("no enum has a value `@{bare}`"), |d| {
                let d = d.primary(syntax.span, "no such value");
                match meant {
                    Some(meant) => d.suggest(Some(&meant)),
                    None => d.help("objects of an instance cannot be named in a domain"),
                }
            });
    }

    /// `p(a, b)` or `p'(a, b)`
    pub(super) fn fluent(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        arguments: &[ast::Expression<'_>],
    ) -> Option<Expression> {
        let bare = word.text.strip_suffix('\'').unwrap_or(word.text);
        let time = match bare.len() == word.text.len() {
            true => Time::Now,
            false => Time::Next,
        };
        let Some(&(id, declared)) = self.names.pvariables.get(bare) else {
            self.unknown_pvariable(word, bare, arguments);
            for argument in arguments {
                self.expression(argument, None);
            }
            return None;
        };
        let pvariable = self.domain.pvariable(id).clone();
        if time == Time::Next && pvariable.kind != crate::Kind::State {
            self.faults.report(
                Code::WrongPrime,
                format!("`{bare}` has no next value: it is a {}", pvariable.kind.as_str()),
                |d| {
                    d.primary(word.span, "only state fluents have a prime")
                        .help(format!("write `{bare}`"))
                },
            );
            return None;
        }
        self.read(id, time, word.span);
        if arguments.len() != pvariable.parameters.len() {
            let wanted = pvariable.parameters.len();
            self.faults.report(
                Code::ArityMismatch,
                format!("`{bare}` has {wanted} parameters, not {}", arguments.len()),
                |d| {
                    d.primary(syntax.span, "the number of arguments is wrong")
                        .label(declared, "declared here")
                },
            );
            for argument in arguments {
                self.expression(argument, None);
            }
            return None;
        }
        let checked: Vec<_> = arguments
            .iter()
            .zip(&pvariable.parameters)
            .map(|(argument, &of)| self.argument(argument, of))
            .collect();
        let arguments: Option<Vec<_>> = checked.into_iter().collect();
        Some(Self::at(
            syntax,
            Node::Fluent(id, time, arguments?),
            pvariable.range,
        ))
    }

    /// An item of type `of`, in the form that arguments may have.
    fn argument(&mut self, syntax: &ast::Expression<'_>, of: TypeId) -> Option<Expression> {
        let is_allowed = matches!(
            &syntax.node,
            Syntax::Variable(_)
                | Syntax::Enum(_)
                | Syntax::Underscore
                | Syntax::Name(_)
                | Syntax::Call(..)
                | Syntax::Binder(..)
                | Syntax::Discrete(..)
        );
        if !is_allowed {
            self.faults.report(
                Code::MisplacedArgument,
                "this cannot be an argument of a fluent",
                |d| {
                    d.primary(syntax.span, "computed in place").help(
                        "arguments are variables, enum values, fluents, `argmax`, `argmin` and `Discrete_{…}`; give the rest a name by an interm-fluent",
                    )
                },
            );
            self.expression(syntax, Some(of));
            return None;
        }
        self.needed(syntax, Range::Item(of))
    }

    fn unknown_pvariable(&mut self, word: Word<'_>, bare: &str, arguments: &[ast::Expression<'_>]) {
        let pvariables = self.domain.pvariables.iter().map(|one| one.name.as_str());
        let meant = nearest(bare, pvariables);
        let is_function = Unary::find(bare).is_some_and(|f| !f.is_sign())
            || Binary::find(bare).is_some_and(|f| !f.is_sign());
        let is_declared = |name: &str| {
            self.names.pvariables.contains_key(name)
                || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let mut dashes = bare
            .match_indices('-')
            .map(|(at, _)| (&bare[..at], &bare[at + 1..]));
        let difference = dashes.find(|(left, right)| is_declared(left) && is_declared(right));
        let help = match difference {
            _ if is_function && !arguments.is_empty() => {
                Some(format!("functions have square brackets: `{bare}[…]`"))
            }
            Some((left, right)) => Some(format!(
                "`{bare}` is one name; a difference is written `{left} - {right}`"
            )),
            None => meant.map(|name| format!("did you mean `{name}`?")),
        };
        self.faults.report(
            Code::UnknownPvariable,
            format!("unknown pvariable `{bare}`"),
            |d| {
                let d = d.primary(word.span, "not declared in `pvariables`");
                match help {
                    Some(help) => d.help(help),
                    None => d,
                }
            },
        );
    }

    /// `~`, `-` or `+`.
    fn prefix(
        &mut self,
        syntax: &ast::Expression<'_>,
        sign: Unary,
        operand: &ast::Expression<'_>,
    ) -> Option<Expression> {
        let operand = match sign {
            Unary::Not => self.needed(operand, Range::Bool)?,
            _ => self.number(operand)?,
        };
        let range = match sign {
            Unary::Not => Range::Bool,
            _ => operand.range.max(Range::Int),
        };
        Some(Self::at(syntax, Node::Unary(sign, Box::new(operand)), range))
    }

    /// A bool, int or real.
    pub(super) fn number(&mut self, syntax: &ast::Expression<'_>) -> Option<Expression> {
        self.needed(syntax, Range::Real)
    }

    fn infix(
        &mut self,
        syntax: &ast::Expression<'_>,
        operator: Infix,
        operands: &[ast::Expression<'_>; 2],
    ) -> Option<Expression> {
        match operator {
            Infix::Connect(connective) => self.connect(syntax, connective, operands),
            Infix::Compare(comparison) => self.compare(syntax, comparison, operands),
            Infix::Arithmetic(binary) => {
                let [a, b] = operands.each_ref().map(|operand| self.number(operand));
                self.binary(syntax, binary, a?, b?)
            }
        }
    }

    fn connect(
        &mut self,
        syntax: &ast::Expression<'_>,
        connective: Connective,
        operands: &[ast::Expression<'_>; 2],
    ) -> Option<Expression> {
        if let (Connective::And, Syntax::Int(_) | Syntax::Real(_)) = (connective, &operands[1].node) {
            self.faults
                .report(Code::TypeMismatch, "`^` joins truth values", |d| {
                    d.primary(operands[1].span, "expected a truth value")
                        .help("a power is written `pow[x, y]`")
                });
            self.expression(&operands[0], None);
            return None;
        }
        let [a, b] = operands
            .each_ref()
            .map(|operand| self.needed(operand, Range::Bool));
        let node = Node::Connect(connective, Box::new([a?, b?]));
        Some(Self::at(syntax, node, Range::Bool))
    }

    fn compare(
        &mut self,
        syntax: &ast::Expression<'_>,
        comparison: Comparison,
        operands: &[ast::Expression<'_>; 2],
    ) -> Option<Expression> {
        lint::tight_not(&operands[0], comparison, self.faults);
        // A value of an enum is found by what it is compared with.
        let is_value = matches!(operands[0].node, Syntax::Enum(_) | Syntax::Name(_));
        let hint = |side: &Option<Expression>| match side.as_ref().map(|side| side.range) {
            Some(Range::Item(of)) => Some(of),
            _ => None,
        };
        let (a, b) = if is_value && !matches!(operands[1].node, Syntax::Enum(_)) {
            let b = self.expression(&operands[1], None);
            (self.expression(&operands[0], hint(&b)), b)
        } else {
            let a = self.expression(&operands[0], None);
            let b = self.expression(&operands[1], hint(&a));
            (a, b)
        };
        let (a, b) = (a?, b?);
        if a.range.join(b.range).is_none() {
            let names = [&a, &b].map(|side| self.domain.range_name(side.range).to_owned());
            self.faults.report(
                Code::TypeMismatch,
                format!("a value of `{}` is compared with one of `{}`", names[0], names[1]),
                |d| {
                    d.primary(operands[1].span, format!("of `{}`", names[1]))
                        .label(operands[0].span, format!("of `{}`", names[0]))
                },
            );
            return None;
        }
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if is_order && !a.range.is_numeric() {
            let name = self.domain.range_name(a.range).to_owned();
            self.faults.report(
                Code::TypeMismatch,
                format!("the items of `{name}` have no order"),
                |d| {
                    d.primary(syntax.span, "compared by size")
                        .help("items are compared with `==` and `~=`")
                },
            );
            return None;
        }
        let node = Node::Compare(comparison, Box::new([a, b]));
        Some(Self::at(syntax, node, Range::Bool))
    }

    /// `if (condition) then a else b`
    fn conditional(
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

    /// The range that all branches widen to.
    fn join<'e>(
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
    fn switch(
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
                format!("a switch over `{name}`, which is no enum"),
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

    /// The cases of a switch over an enum: those of its values, and the default.
    #[expect(
        clippy::type_complexity,
        reason = "two lists of what may be faulty, with its syntax"
    )]
    fn cases<'e>(
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

    /// The value of the enum `of` that `word` names, with or without `@`.
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
                |d| d.primary(word.span, "no such value").suggest(meant.as_deref()),
            );
        }
        position.map(|position| position as u32)
    }
}
