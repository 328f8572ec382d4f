//! Checks functions with brackets and univariate distributions.

use herbrand_distributions::{Family, ParameterError, ParameterFault, WeightKind};
use herbrand_text::{counted, nearest};

use super::formula::Context;
use super::lint;
use crate::diagnostic::Code;
use crate::model::{Binary, Case, Expression, Node, Range, TypeId, TypeKind, Unary, Value};
use crate::syntax::ast::{self, Case as CaseSyntax, CaseLabel, Word};

/// Finds a family of distributions by name.
fn family(name: &str) -> Option<Family> {
    Family::ALL.into_iter().find(|family| family.name() == name)
}

/// Returns the names of the distributions whose parameters are in parentheses.
pub fn distributions<'n>() -> impl Iterator<Item = &'n str> {
    let others: [&'n str; 5] = [
        "Bernoulli",
        "DiracDelta",
        "KronDelta",
        "Discrete",
        "UnnormDiscrete",
    ];
    Family::ALL.iter().map(|family| family.name()).chain(others)
}

/// Finds a choice by name.
pub(super) fn choice(name: &str) -> Option<WeightKind> {
    [WeightKind::Probabilities, WeightKind::Weights]
        .into_iter()
        .find(|choice| choice.name() == name)
}

/// Returns the number that an expression of literals has; `None` for any other expression.
fn constant(expression: &Expression) -> Option<f64> {
    match &expression.node {
        Node::Literal(Value::Bool(value)) => Some(f64::from(u8::from(*value))),
        Node::Binary(first, rest) => rest.iter().try_fold(constant(first)?, |sum, (binary, operand)| {
            let operand = constant(operand)?;
            match binary {
                Binary::Add => Some(sum + operand),
                Binary::Subtract => Some(sum - operand),
                Binary::Multiply => Some(sum * operand),
                Binary::Divide => Some(sum / operand),
                _ => None,
            }
        }),
        Node::Literal(Value::Int(value)) => Some(*value as f64),
        Node::Literal(Value::Real(value)) => Some(*value),
        Node::Unary(Unary::Minus, operand) => constant(operand).map(|value| -value),
        _ => None,
    }
}

/// Returns the first constant parameter for which a distribution is not defined, with the reason.
fn undefined(family: Family, parameters: &[Option<f64>]) -> Option<(usize, ParameterError)> {
    // Every family is defined for 1 as its other parameter, except that the bounds of `Uniform` depend on each other.
    let (first, second) = match parameters {
        [Some(low), Some(high)] if family == Family::Uniform => (*low, *high),
        _ if family == Family::Uniform => return None,
        [first, rest @ ..] => (
            first.unwrap_or(1.0),
            rest.first().copied().flatten().unwrap_or(1.0),
        ),
        [] => return None,
    };
    let error = family.check(first, second).err()?;
    let is_first = family != Family::Uniform && family.check(first, 1.0).is_err();
    Some((usize::from(!is_first), error))
}

impl Context<'_, '_> {
    /// `name(…)`: a distribution or a pvariable.
    pub(super) fn call(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        arguments: &[ast::Expression<'_>],
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        match word.text {
            "Bernoulli" => {
                let [p] = self.arguments(syntax, word, arguments)?;
                let span = p.span;
                let p = self.number(p);
                let probability = p.as_ref().and_then(constant);
                if let Some(value) = probability.filter(|value| !(0.0..=1.0).contains(value)) {
                    let error = ParameterError {
                        distribution: "Bernoulli",
                        parameter: "probability",
                        value,
                        fault: ParameterFault::NotAProbability,
                    };
                    lint::parameter(span, error, self.faults);
                }
                let draw = self.draw(syntax.span, None, None);
                Some(Self::at(syntax, Node::Bernoulli(draw, Box::new(p?)), Range::Bool))
            }
            "DiracDelta" => {
                let [value] = self.arguments(syntax, word, arguments)?;
                let value = self.number(value)?;
                Some(Self::at(syntax, Node::DiracDelta(Box::new(value)), Range::Real))
            }
            "KronDelta" => {
                let [value] = self.arguments(syntax, word, arguments)?;
                self.kron_delta(syntax, value, hint)
            }
            name => match family(name) {
                Some(family) => self.family(syntax, word, family, arguments),
                None => self.fluent(syntax, word, arguments),
            },
        }
    }

    fn kron_delta(
        &mut self,
        syntax: &ast::Expression<'_>,
        operand: &ast::Expression<'_>,
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        let value = self.expression(operand, hint)?;
        if value.range == Range::Real {
            self.faults
                .report(Code::TypeMismatch, "`KronDelta` of a real", |d| {
                    d.primary(operand.span, "expected a bool, an int or an item")
                        .help("`DiracDelta` is for reals")
                });
            return None;
        }
        let range = value.range;
        Some(Self::at(syntax, Node::KronDelta(Box::new(value)), range))
    }

    fn family(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        family: Family,
        arguments: &[ast::Expression<'_>],
    ) -> Option<Expression> {
        let checked: Vec<_> = arguments.iter().map(|argument| self.number(argument)).collect();
        if arguments.len() != family.arity() {
            self.arity(syntax, word, family.arity(), arguments.len());
            return None;
        }
        let parameters: Option<Vec<_>> = checked.into_iter().collect();
        let parameters = parameters?;
        if family == Family::Binomial && parameters[0].range == Range::Real {
            self.faults
                .report(Code::TypeMismatch, "the number of trials is a real", |d| {
                    d.primary(arguments[0].span, "expected an int")
                        .help("`round[…]`, `floor[…]` and `ceil[…]` give ints")
                });
            return None;
        }
        let known: Vec<_> = parameters.iter().map(constant).collect();
        if let Some((place, error)) = undefined(family, &known) {
            lint::parameter(arguments[place].span, error, self.faults);
        }
        let range = if family.is_counting() {
            Range::Int
        } else {
            Range::Real
        };
        let draw = self.draw(syntax.span, None, None);
        Some(Self::at(syntax, Node::Draw(draw, family, parameters), range))
    }

    /// `Discrete(t, @a : p, …)`
    pub(super) fn discrete(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        of: Word<'_>,
        cases: &[CaseSyntax<'_>],
    ) -> Option<Expression> {
        let choice = choice(word.text)?;
        let id = self.names.find_type(of, self.faults);
        let id = id.filter(|&id| {
            let is_enum = matches!(self.domain.type_of(id).kind, TypeKind::Enum(_));
            if !is_enum {
                self.faults
                    .report(Code::TypeMismatch, format!("`{}` is not an enum", of.text), |d| {
                        d.primary(of.span, "expected an enum").help(format!(
                            "draw an object with `{}_{{?x : {}}} weight`",
                            word.text, of.text
                        ))
                    });
            }
            is_enum
        });
        let mut seen = Vec::new();
        let mut checked = Vec::new();
        let mut otherwise = None;
        for case in cases {
            let body = case.body.as_ref().map(|body| self.number(body));
            let (Some(of), CaseLabel::Item(label)) = (id, case.label) else {
                continue;
            };
            let Some(item) = self.item_of(label, of) else {
                checked.push(None);
                continue;
            };
            if seen.contains(&item) {
                self.report_case(case);
            }
            seen.push(item);
            match body {
                Some(body) => checked.push(body.map(|body| Case { item, body })),
                None if otherwise.is_none() && choice == WeightKind::Probabilities => otherwise = Some(item),
                None => {
                    self.faults
                        .report(Code::DuplicateCase, "`otherwise` has no meaning here", |d| {
                            d.primary(case.span, "one item of a `Discrete` may take the rest of 1")
                        });
                }
            }
        }
        let cases: Option<Vec<_>> = checked.into_iter().collect();
        if let (Some(_), Some(cases), None) = (id, &cases, otherwise) {
            self.constant_weights(syntax, word, choice, cases);
        }
        let draw = self.draw(syntax.span, None, None);
        let node = Node::Discrete {
            draw,
            choice,
            of: id?,
            cases: cases?,
            otherwise,
        };
        Some(Self::at(syntax, node, Range::Item(id?)))
    }

    /// Reports weights from which no draw is possible, if all are constants.
    fn constant_weights(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        choice: WeightKind,
        cases: &[Case],
    ) {
        let weights: Option<Vec<f64>> = cases.iter().map(|case| constant(&case.body)).collect();
        if let Some(Err(error)) = weights.map(|weights| choice.total(&weights)) {
            self.faults
                .report(Code::NumberOutOfRange, error.to_string(), |d| {
                    let d = d.primary(syntax.span, "no draw is possible");
                    match choice {
                        WeightKind::Probabilities => d.help(format!(
                            "one value may have the weight `otherwise`, and `Unnorm{}` divides by the sum",
                            word.text
                        )),
                        WeightKind::Weights => d,
                    }
                });
        }
    }

    /// `name[…]`
    pub(super) fn function(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        operands: &[ast::Expression<'_>],
    ) -> Option<Expression> {
        let unary = Unary::find(word.text).filter(|one| !one.is_sign());
        let binary = Binary::find(word.text).filter(|one| !one.is_sign());
        let checked: Vec<_> = operands.iter().map(|operand| self.number(operand)).collect();
        let arity = match (unary, binary) {
            (Some(_), _) => 1,
            (_, Some(_)) => 2,
            _ => {
                self.unknown_function(word);
                return None;
            }
        };
        if operands.len() != arity {
            self.arity(syntax, word, arity, operands.len());
            return None;
        }
        let mut checked = checked.into_iter();
        let first = checked.next()?;
        match (unary, binary) {
            (Some(unary), _) => Some(self.unary(syntax, unary, first?)),
            (_, Some(binary)) => {
                let second = checked.next()?;
                let (first, second) = (first?, second?);
                if matches!(binary, Binary::Div | Binary::Mod) {
                    for (operand, part) in [&first, &second].into_iter().zip(operands) {
                        if operand.range == Range::Real {
                            self.real_operand(binary, part);
                            return None;
                        }
                    }
                }
                Some(Self::binary(syntax, binary, first, second))
            }
            _ => None,
        }
    }

    fn real_operand(&mut self, binary: Binary, part: &ast::Expression<'_>) {
        self.faults
            .report(Code::TypeMismatch, format!("`{binary}` of a real"), |d| {
                d.primary(part.span, "expected an int").help(match binary {
                    Binary::Mod => "`fmod` is for reals",
                    _ => "`floor[x / y]` is for reals",
                })
            });
    }

    #[expect(clippy::unused_self, reason = "beside `binary`")]
    fn unary(&self, syntax: &ast::Expression<'_>, unary: Unary, operand: Expression) -> Expression {
        let range = match unary {
            Unary::Not => Range::Bool,
            Unary::Minus | Unary::Plus | Unary::Abs => operand.range.max(Range::Int),
            Unary::Sign | Unary::Round | Unary::Floor | Unary::Ceil => Range::Int,
            _ => Range::Real,
        };
        Self::at(syntax, Node::Unary(unary, Box::new(operand)), range)
    }

    /// Appends an operand. Operators of one precedence share a node.
    pub(super) fn binary(
        syntax: &ast::Expression<'_>,
        binary: Binary,
        first: Expression,
        second: Expression,
    ) -> Expression {
        let range = binary.range([first.range, second.range]);
        let link = (binary, second);
        let node = match first.node {
            Node::Binary(start, mut rest) if rest.iter().all(|(before, _)| before.joins(binary)) => {
                rest.push(link);
                Node::Binary(start, rest)
            }
            node => Node::Binary(Box::new(Expression { node, ..first }), vec![link]),
        };
        Self::at(syntax, node, range)
    }

    fn unknown_function(&mut self, word: Word<'_>) {
        let unary = Unary::ALL
            .iter()
            .filter(|one| !one.is_sign())
            .map(|one| one.as_str());
        let binary = Binary::ALL
            .iter()
            .filter(|one| !one.is_sign())
            .map(|one| one.as_str());
        let meant = nearest(word.text, unary.chain(binary).chain(distributions()));
        let is_fluent = self.names.pvariables.contains_key(word.text);
        let is_distribution = distributions().any(|name| name == word.text);
        self.faults.report(
            Code::UnknownFunction,
            format!("unknown function `{}`", word.text),
            |d| {
                let d = d.primary(word.span, "no such function");
                if is_fluent {
                    d.help(format!(
                        "write the arguments of a fluent in parentheses: `{}(…)`",
                        word.text
                    ))
                } else if is_distribution {
                    d.help(format!("the parameters of `{}` go into ( )", word.text))
                } else {
                    d.suggest(meant)
                }
            },
        );
    }

    /// Returns the arguments if there are exactly `N`, else reports a fault.
    fn arguments<'e, 's, const N: usize>(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        arguments: &'e [ast::Expression<'s>],
    ) -> Option<&'e [ast::Expression<'s>; N]> {
        let exact = arguments.try_into().ok();
        if exact.is_none() {
            self.arity(syntax, word, N, arguments.len());
        }
        exact
    }

    pub(super) fn arity(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        wanted: usize,
        found: usize,
    ) {
        let wanted = counted(wanted, "argument");
        self.faults.report(
            Code::ArityMismatch,
            format!("`{}` takes {wanted}, not {found}", word.text),
            |d| d.primary(syntax.span, "the number of arguments is wrong"),
        );
    }
}
