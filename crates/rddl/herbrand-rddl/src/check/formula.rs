//! The state of checking one formula: its variables, its reads and its draws.

use herbrand_text::{Place, Span, nearest};

use super::declare::Names;
use super::depend::Owner;
use super::lint;
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Draw, DrawId, Expression, Formula, Name, Node, PvariableId, Range, Time, TypeId, Value, Variable,
    VariableId,
};
use crate::syntax::ast::{self, TypedVariable, Word};

/// The size in bytes of an edge in the dependency graph of fluents.
const READ: usize = 16;

/// A fluent that a formula reads.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) pvariable: PvariableId,
    pub(super) time: Time,
    pub(super) span: Span,
}

/// The state of checking one formula.
pub(super) struct Context<'c, 's> {
    pub(super) domain: &'c mut Domain,
    pub(super) names: &'c Names<'s>,
    pub(super) faults: &'c mut Diagnostics,
    owner: Owner,
    variables: Vec<Variable>,
    /// The variables in scope, innermost last.
    scope: Vec<VariableId>,
    reads: Vec<Read>,
}

impl<'c, 's> Context<'c, 's> {
    pub(super) fn new(
        domain: &'c mut Domain,
        names: &'c Names<'s>,
        faults: &'c mut Diagnostics,
        owner: Owner,
    ) -> Self {
        Self {
            domain,
            names,
            faults,
            owner,
            variables: Vec::new(),
            scope: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Checks a formula with these parameters whose value converts to `range`; to any range if that is of an unknown type.
    /// Returns it with the fluents that it reads.
    pub(super) fn formula(
        &mut self,
        body: &ast::Expression<'_>,
        parameters: &[(Word<'_>, TypeId)],
        range: Range,
    ) -> (Formula, Vec<Read>) {
        for (position, &(word, of)) in parameters.iter().enumerate() {
            let is_repeated = parameters[..position]
                .iter()
                .any(|(earlier, _)| earlier.text == word.text);
            if is_repeated {
                self.report_twice(word);
            }
            self.bind(word, of);
        }
        let checked = self.needed(body, range);
        let formula = Formula {
            variables: std::mem::take(&mut self.variables),
            parameters: parameters.len() as u32,
            // The domain is rejected then, so the body does not matter.
            body: checked.unwrap_or_else(|| Expression::literal(Value::Bool(false), Range::Bool)),
        };
        self.scope.clear();
        (formula, std::mem::take(&mut self.reads))
    }

    /// Checks an expression whose range must convert to `range`.
    pub(super) fn needed(&mut self, syntax: &ast::Expression<'_>, range: Range) -> Option<Expression> {
        let hint = match range {
            Range::Item(of) => Some(of),
            _ => None,
        };
        let expression = self.expression(syntax, hint)?;
        self.widened(syntax, expression, range)
    }

    /// Returns a checked expression if its range converts to `range`, else reports a fault.
    pub(super) fn widened(
        &mut self,
        syntax: &ast::Expression<'_>,
        expression: Expression,
        range: Range,
    ) -> Option<Expression> {
        if expression.range.widens_to(range) || self.is_unknown(range) {
            return Some(expression);
        }
        let mut culprits = Vec::new();
        collect_culprits(&expression, range, &mut culprits);
        if culprits.is_empty() {
            culprits.push(&expression);
        }
        for culprit in culprits {
            self.mismatch(syntax, culprit, range);
        }
        None
    }

    /// Reports that a part of `syntax` has the wrong range.
    fn mismatch(&mut self, syntax: &ast::Expression<'_>, part: &Expression, needed: Range) {
        let (found, span) = (part.range, part.place.span().unwrap_or(syntax.span));
        let [found_name, needed_name] = [found, needed].map(|range| self.domain.range_name(range).to_owned());
        let help = match (found, needed) {
            (_, Range::Bool | Range::Int | Range::Item(_)) if matches!(part.node, Node::DiracDelta(_)) => {
                Some("`DiracDelta` is for reals; `KronDelta` is for bools, ints and items")
            }
            (Range::Real, Range::Int) => Some("`round[…]`, `floor[…]` and `ceil[…]` give ints"),
            // A warning about the body has the cure.
            (_, Range::Bool) if has_greedy_body(syntax) => None,
            (Range::Int | Range::Real, Range::Bool) => Some("compare it: `… ~= 0`"),
            _ => None,
        };
        self.faults.report(
            Code::TypeMismatch,
            format!("expected a value of `{needed_name}`, found one of `{found_name}`"),
            |d| {
                let d = d.primary(span, format!("this is of `{found_name}`"));
                match help {
                    Some(help) => d.help(help),
                    None => d,
                }
            },
        );
    }

    /// Returns whether a range is of an unknown type, which has been reported.
    pub(super) fn is_unknown(&self, range: Range) -> bool {
        matches!(range, Range::Item(of) if self.domain.is_unknown(of))
    }

    // Variables.

    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, word: Word<'_>, of: TypeId) -> VariableId {
        let id = VariableId::from_index(self.variables.len());
        self.faults
            .charge(3 * (size_of::<Variable>() + size_of::<VariableId>()));
        self.variables.push(Variable {
            name: Name::new(word.text),
            of,
            place: Place::at(word.span),
        });
        self.scope.push(id);
        id
    }

    /// Brings the variables of a list into scope and returns them; `None` if the budget is exhausted. End their scope with
    /// [`unbind`](Self::unbind).
    pub(super) fn bind_all(&mut self, typed: &[TypedVariable<'_>]) -> Option<Vec<VariableId>> {
        let mut ids = Vec::with_capacity(typed.len());
        for (position, one) in typed.iter().enumerate() {
            if !self.faults.charge(3 * size_of::<(Word<'_>, TypeId)>()) {
                return None;
            }
            let word = one.variable;
            if typed[..position]
                .iter()
                .any(|earlier| earlier.variable.text == word.text)
            {
                self.report_twice(word);
            } else if let Some(outer) = self.find_variable(word.text) {
                let outer = self.variables[outer.index()].place.span();
                self.faults.report(
                    Code::ShadowedVariable,
                    format!("`?{}` hides another variable of this name", word.text),
                    |d| {
                        d.primary(word.span, "bound again")
                            .label(outer, "bound here already")
                    },
                );
            }
            let of = self.names.find_type(one.of, self.faults);
            ids.push((word, of.unwrap_or_else(|| self.domain.unknown_type())));
        }
        Some(ids.into_iter().map(|(word, of)| self.bind(word, of)).collect())
    }

    /// Ends the scope of the innermost `count` variables.
    pub(super) fn unbind(&mut self, count: usize) {
        self.scope.truncate(self.scope.len() - count);
    }

    fn report_twice(&mut self, word: Word<'_>) {
        self.faults.report(
            Code::DuplicateVariable,
            format!("`?{}` is bound twice in one list", word.text),
            |d| d.primary(word.span, "bound again"),
        );
    }

    pub(super) fn find_variable(&self, name: &str) -> Option<VariableId> {
        let mut inner_first = self.scope.iter().rev().copied();
        inner_first.find(|id| self.variables[id.index()].name.as_str() == name)
    }

    pub(super) fn type_of_variable(&self, id: VariableId) -> TypeId {
        self.variables[id.index()].of
    }

    /// Finds a variable by name. Reports a variable that is not in scope. `None` also for a variable of an unknown type.
    pub(super) fn variable(&mut self, word: Word<'_>) -> Option<VariableId> {
        let found = self.find_variable(word.text);
        if found.is_none() {
            let names = self
                .scope
                .iter()
                .map(|id| self.variables[id.index()].name.as_str());
            let meant = nearest(word.text, names).map(|name| format!("?{name}"));
            self.faults.report(
                Code::UnboundVariable,
                format!("`?{}` is not in scope", word.text),
                |d| {
                    d.primary(word.span, "not bound by a parameter, quantifier or aggregation")
                        .suggest(meant.as_deref())
                },
            );
        }
        found.filter(|&id| !self.domain.is_unknown(self.type_of_variable(id)))
    }

    // Reads and draws.

    pub(super) fn read(&mut self, pvariable: PvariableId, time: Time, span: Span) {
        // Stored in the list of reads and as an edge between fluents.
        self.faults.charge(3 * (2 * size_of::<Read>() + READ));
        self.reads.push(Read {
            pvariable,
            time,
            span,
        });
    }

    /// Adds a draw in the current scope. For a vector draw, `components` is the type of its components and `except` the
    /// component variable.
    pub(super) fn draw(
        &mut self,
        span: Span,
        components: Option<TypeId>,
        except: Option<VariableId>,
    ) -> DrawId {
        if !self.owner.may_draw() {
            let owner = self.owner.describe();
            self.faults
                .report(Code::MisplacedDraw, format!("a random draw in {owner}"), |d| {
                    d.primary(span, "this would be drawn again at each evaluation")
                        .help("draw in an interm-fluent or a state fluent")
                });
        }
        let id = DrawId::from_index(self.domain.draws.len());
        let bytes = 3 * size_of::<Draw>() + 3 * self.scope.len() * size_of::<(VariableId, TypeId)>();
        if !self.faults.charge(bytes) {
            return id;
        }
        let scope: Vec<VariableId> = self
            .scope
            .iter()
            .copied()
            .filter(|&id| Some(id) != except)
            .collect();
        let types = scope.iter().map(|id| self.variables[id.index()].of).collect();
        self.domain.draws.push(Draw {
            scope,
            types,
            components,
        });
        id
    }

    /// Creates an expression at the place of its syntax.
    pub(super) const fn at(syntax: &ast::Expression<'_>, node: Node, range: Range) -> Expression {
        Expression {
            node,
            range,
            place: Place::at(syntax.span),
        }
    }
}

/// Collects the parts of an expression because of which its range does not convert to `range`: the branches of `if` and
/// `switch` whose own ranges do not, or the expression itself.
fn collect_culprits<'e>(expression: &'e Expression, range: Range, into: &mut Vec<&'e Expression>) {
    if expression.range.widens_to(range) {
        return;
    }
    match &expression.node {
        Node::If(parts) => parts[1..]
            .iter()
            .for_each(|branch| collect_culprits(branch, range, into)),
        Node::Switch { cases, default, .. } => cases
            .iter()
            .map(|case| &case.body)
            .chain(default.as_deref())
            .for_each(|branch| collect_culprits(branch, range, into)),
        _ => into.push(expression),
    }
}

/// Returns whether an expression is an aggregation whose body probably ends too late.
fn has_greedy_body(syntax: &ast::Expression<'_>) -> bool {
    matches!(&syntax.node, ast::Node::Binder(word, _, body) if lint::greedy_rest(word.text, body).is_some())
}
