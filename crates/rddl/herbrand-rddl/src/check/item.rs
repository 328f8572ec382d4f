//! Resolves names: enum values, objects and fluents.

use herbrand_text::{counted, nearest};

use super::call::distributions;
use super::formula::Context;
use super::lint;
use super::undeclared::{Help, UndeclaredUse};
use crate::diagnostic::Code;
use crate::model::{Binary, Expression, Name, Node, Range, Time, TypeId, Unary, Value};
use crate::syntax::ast::{self, Node as Syntax, Word};

/// Names that distributions have elsewhere, with those of RDDL.
const DISTRIBUTION_NAMES: [(&str, &str); 6] = [
    ("Categorical", "Discrete"),
    ("Delta", "KronDelta"),
    ("Dirac", "DiracDelta"),
    ("Gaussian", "Normal"),
    ("Kronecker", "KronDelta"),
    ("StudentT", "Student"),
];

impl Context<'_, '_> {
    pub(super) fn misplaced_underscore(&mut self, syntax: &ast::Expression<'_>) -> Option<Expression> {
        self.faults
            .report(Code::VectorIndex, "`_` is not an index here", |d| {
                d.primary(
                    syntax.span,
                    "only parameters of multivariate distributions have such indices",
                )
            });
        None
    }

    /// Resolves a pvariable without arguments, or an enum value without `@`.
    pub(super) fn name(
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

    /// Resolves the enum value `bare`.
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
                        d.primary(syntax.span, "the context does not decide between them")
                            .help("rename one of them, or compare with a fluent instead")
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

    pub(super) fn unknown_value(&mut self, syntax: &ast::Expression<'_>, bare: &str, hint: Option<TypeId>) {
        let mut known: Vec<&str> = match hint.and_then(|of| self.domain.type_of(of).values()) {
            Some(values) => values.iter().map(Name::as_str).collect(),
            None => self.names.values.keys().copied().collect(),
        };
        known.sort_unstable();
        let meant = nearest(bare, known).map(|name| format!("@{name}"));
        let one = UndeclaredUse {
            code: Code::UnknownItem,
            message: format!("no enum has a value `@{bare}`"),
            label: "no such value",
            span: syntax.span,
            help: match meant {
                Some(meant) => Help::Suggestion(meant),
                None => Help::Text("objects of an instance cannot be named in a domain".to_owned()),
            },
        };
        self.names.undeclared.add(&format!("@{bare}"), one, self.faults);
    }

    /// `p(a, b)` or `p'(a, b)`
    pub(super) fn fluent(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        arguments: &[ast::Expression<'_>],
    ) -> Option<Expression> {
        let bare = word.text.strip_suffix('\'').unwrap_or(word.text);
        let time = if bare.len() == word.text.len() {
            Time::Now
        } else {
            Time::Next
        };
        let Some(&(id, declared)) = self.names.pvariables.get(bare) else {
            self.unknown_pvariable(word, bare, arguments);
            for argument in arguments {
                self.expression(argument, None);
            }
            return None;
        };
        let pvariable = self.domain.pvariable(id).clone();
        if time == Time::Next && pvariable.kind != crate::model::PvariableKind::State {
            self.faults.report(
                Code::WrongPrime,
                format!(
                    "`{bare}` has no next value: it is {}",
                    pvariable.kind.with_article()
                ),
                |d| {
                    d.primary(word.span, "only state fluents have a prime")
                        .help(format!("write `{bare}`"))
                },
            );
            return None;
        }
        self.read(id, time, word.span);
        if arguments.len() != pvariable.parameters.len() {
            let wanted = counted(pvariable.parameters.len(), "parameter");
            self.faults.report(
                Code::ArityMismatch,
                format!("`{bare}` has {wanted}, not {}", arguments.len()),
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
        if self.is_unknown(pvariable.range) {
            return None;
        }
        Some(Self::at(
            syntax,
            Node::Fluent(id, time, arguments?),
            pvariable.range,
        ))
    }

    /// Checks an item of type `of`, in a form that arguments may have.
    pub(super) fn argument(&mut self, syntax: &ast::Expression<'_>, of: TypeId) -> Option<Expression> {
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
                        "arguments are variables, enum values, fluents, `argmax`, `argmin` and `Discrete_{…}`; define \
                         an interm-fluent for anything else",
                    )
                },
            );
            self.expression(syntax, Some(of));
            return None;
        }
        self.needed(syntax, Range::Item(of))
    }

    pub(super) fn unknown_pvariable(
        &mut self,
        word: Word<'_>,
        bare: &str,
        arguments: &[ast::Expression<'_>],
    ) {
        let pvariables = self.domain.pvariables.iter().map(|one| one.name.as_str());
        let distributions = distributions().filter(|_| !arguments.is_empty());
        let mut other = DISTRIBUTION_NAMES.iter().filter(|_| !arguments.is_empty());
        let other = other.find(|(name, _)| name.eq_ignore_ascii_case(bare));
        let meant = other
            .map(|&(_, name)| name)
            .or_else(|| nearest(bare, pvariables.chain(distributions)));
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
        let truth = ["true", "false"]
            .into_iter()
            .find(|truth| truth.eq_ignore_ascii_case(bare));
        let help = match (difference, meant) {
            _ if truth.is_some() => Help::suggesting(truth),
            _ if bare == "not" && !arguments.is_empty() => Help::suggesting(Some("~")),
            _ if is_function && !arguments.is_empty() => {
                Help::Text(format!("functions have square brackets: `{bare}[…]`"))
            }
            (Some((left, right)), _) => Help::Text(format!(
                "`{bare}` is one name; a difference is written `{left} - {right}`"
            )),
            (None, None) if arguments.is_empty() => Help::suggesting(self.near_value(bare).as_deref()),
            (None, meant) => Help::suggesting(meant),
        };
        let one = UndeclaredUse {
            code: Code::UnknownPvariable,
            message: format!("unknown pvariable `{bare}`"),
            label: "not declared in `pvariables`",
            span: word.span,
            help,
        };
        self.names.undeclared.add(bare, one, self.faults);
    }

    /// Returns the enum value nearest to a name, with its `@`.
    fn near_value(&self, bare: &str) -> Option<String> {
        let mut values: Vec<&str> = self.names.values.keys().copied().collect();
        values.sort_unstable();
        nearest(bare, values).map(|name| format!("@{name}"))
    }
}
