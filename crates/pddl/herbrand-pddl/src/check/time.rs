//! Checking of durative actions and timed literals.

use super::context::{CheckContext, Table};
use super::declare::report_repeated;
use super::listed;
use super::scope::Scope;
use herbrand_text::{Place, Span};

use crate::diagnostic::{Code, Draft};
use crate::model::{
    AtomList, Comparison, DurationBound, DurativeAction, Effect, Expression, Formula, Name, ObjectId,
    PredicateId, Special, TimeSpecifier, TimedLiterals,
};
use crate::requirements::Requirement;
use crate::syntax::Known;
use crate::syntax::ast::{self, Initial};

/// The times of conditions.
const TIMES: [TimeSpecifier; 3] = [TimeSpecifier::Start, TimeSpecifier::OverAll, TimeSpecifier::End];

impl CheckContext<'_> {
    /// Resolves the durative actions of a domain, whose names differ from each other and from those of the other actions.
    pub(super) fn durative_actions(
        &mut self,
        actions: &[ast::DurativeAction],
        others: &[ast::Action],
    ) -> Vec<DurativeAction> {
        let mut first: Table<Place> = Table::new(self.names);
        for other in others {
            first.set(other.name.symbol, Place::at(other.name.span));
        }
        let mut checked = Vec::new();
        for action in actions {
            if !self.faults.charge(listed::<DurativeAction>()) {
                break;
            }
            self.features.note(Requirement::DurativeActions, action.name.span);
            let resolved = self.durative_action(action);
            if let Some(first) = first.set(action.name.symbol, Place::at(action.name.span)) {
                report_repeated("action", action.name, &resolved.name, false, first, self.faults);
            }
            checked.push(resolved);
        }
        checked
    }

    fn durative_action(&mut self, action: &ast::DurativeAction) -> DurativeAction {
        let name = Name::new(self.name(action.name));
        self.in_durative_action = true;
        let mut scope = Scope::new(self);
        let arity = scope.bind(&action.parameters).variables.len();
        let mut duration = Vec::new();
        match &action.duration {
            Some(bounds) => scope.bounds(bounds, false, &mut duration),
            None => scope.report(
                Code::Duration,
                Some(action.name.span),
                "the duration is missing",
                |d| d.help("write `:duration (= ?duration 1)`, or `:duration ()` for any duration"),
            ),
        }
        scope.check_bounds(action.name.span, &duration);
        let mut conditions = [const { Formula::TRUE }; 3];
        if let Some(condition) = &action.condition {
            scope.check_times(condition);
            conditions = TIMES.map(|moment| scope.condition_at(moment, condition));
        }
        let mut effects = [const { Effect::NOTHING }; 2];
        if let Some(effect) = &action.effect {
            scope.check_effect_times(effect);
            effects =
                [TimeSpecifier::Start, TimeSpecifier::End].map(|moment| scope.effect_at(moment, effect));
        }
        let variables = scope.finish();
        self.in_durative_action = false;
        let [start_condition, invariant, end_condition] = conditions;
        let [start_effect, end_effect] = effects;
        DurativeAction {
            name,
            // A text of fewer than 2^32 bytes has fewer than 2^32 names.
            arity: u32::try_from(arity).unwrap_or(u32::MAX),
            variables,
            duration,
            start_condition,
            invariant,
            end_condition,
            start_effect,
            end_effect,
            place: Place::at(action.span),
        }
    }

    /// Resolves the timed literals among the elements of an initial state, in the order of their times.
    pub(super) fn timed_literals(&mut self, elements: &[Initial]) -> Vec<TimedLiterals> {
        let mut timed: Vec<TimedLiterals> = Vec::new();
        for element in elements {
            let Initial::At(time, literals, span) = element else {
                continue;
            };
            if !self.faults.charge(listed::<TimedLiterals>()) {
                break;
            }
            self.features.note(Requirement::TimedInitialLiterals, *span);
            let value = self.number(*time);
            if value.value() < 0.0 {
                let message = "a timed literal lies before the start";
                self.faults.report(Code::TimedLiteral, message, |d| {
                    d.primary(time.span, "times count from the start of the plan, at 0")
                });
            }
            let outcome = self.initial(literals);
            let is_plain = |literal: &Initial| {
                matches!(
                    literal,
                    Initial::Fact(_) | Initial::Absent(_) | Initial::Value(..)
                )
            };
            if !literals.iter().all(is_plain) || literals.is_empty() {
                let message = "not a literal or a value";
                self.faults.report(Code::TimedLiteral, message, |d| {
                    d.primary(
                        *span,
                        "at a time, atoms become true or false, and functions take values",
                    )
                    .help("write `(at 9 (p))`, `(at 9 (not (p)))` or `(at 9 (= (f) 1))`")
                });
            }
            timed.push(TimedLiterals {
                time: value,
                adds: outcome.facts,
                deletes: self.absent(literals),
                values: outcome.values,
            });
        }
        timed.sort_by(|one, other| one.time.value().total_cmp(&other.time.value()));
        timed.dedup_by(|later, first| {
            let same = later.time == first.time;
            if same {
                first.join(later);
            }
            same
        });
        timed
    }

    /// Returns the atoms that are listed under `not`. [`initial`](Self::initial) has reported their faults.
    fn absent(&mut self, literals: &[Initial]) -> AtomList {
        let mut atoms = AtomList::default();
        for literal in literals {
            if let Initial::Absent(atom) = literal
                && let Some((predicate, arguments)) = self.known_atom(atom)
            {
                atoms.push(predicate, &arguments);
            }
        }
        atoms
    }

    /// Returns a ground atom; `None` if it has a fault, which is not reported.
    fn known_atom(&self, atom: &ast::Atom) -> Option<(PredicateId, Vec<ObjectId>)> {
        let predicate = self.tables.predicates.get(atom.name.symbol)?;
        let arguments = self.arguments(atom).iter();
        let arguments: Option<Vec<_>> = arguments.map(|a| self.tables.objects.get(a.symbol)).collect();
        Some((predicate, arguments?))
    }
}

impl Scope<'_, '_> {
    /// Returns whether an argument is `?duration`, and not a parameter of that name.
    pub(super) fn is_duration(&self, argument: &ast::Argument) -> bool {
        let is_named = argument.is_variable && argument.symbol == Known::Duration.symbol();
        is_named && self.world.in_durative_action && self.world.bound.get(argument.symbol).is_none()
    }

    /// Reports a time where none can be.
    pub(super) fn misplaced_time(&mut self, moment: TimeSpecifier, span: Option<Span>) {
        let words = words(moment);
        let message = format!("`{words}` cannot be here");
        if self.world.in_durative_action {
            self.report(Code::MisplacedTime, span, message, |d| {
                d.help(format!(
                    "only `and` and `forall` can stand around a time: write `({words} (or …))`, `({words} (not …))`"
                ))
            });
        } else {
            self.report(Code::MisplacedTime, span, message, |d| {
                d.help("only the conditions and effects of a `:durative-action` have a time")
            });
        }
    }

    fn report(
        &mut self,
        code: Code,
        span: Option<Span>,
        message: impl Into<String>,
        add: impl FnOnce(Draft<'_>) -> Draft<'_>,
    ) {
        if let Some(span) = span {
            let faults = &mut self.world.faults;
            faults.report(code, message, |d| add(d.primary(span, code_label(code))));
        }
    }

    fn bounds(&mut self, formula: &ast::Formula, at_end: bool, into: &mut Vec<DurationBound>) {
        if !self.world.faults.charge(listed::<DurationBound>()) {
            return;
        }
        match formula {
            ast::Formula::And(parts) => parts.iter().for_each(|part| self.bounds(part, at_end, into)),
            ast::Formula::At(moment @ (TimeSpecifier::Start | TimeSpecifier::End), body, _) => {
                self.bounds(body, *moment == TimeSpecifier::End, into);
            }
            ast::Formula::Compare(comparison, operands, span) => {
                let [left, right] = &**operands;
                self.bound_of(*comparison, left, right, *span, at_end, into);
            }
            other => {
                let message = "not a bound of the duration";
                self.report(Code::Duration, span_of(other), message, |d| {
                    d.help("a bound is `(= ?duration 3)`, `(<= ?duration 3)` or `(>= ?duration 3)`")
                });
            }
        }
    }

    fn bound_of(
        &mut self,
        comparison: Comparison,
        left: &ast::Expression,
        right: &ast::Expression,
        span: Span,
        at_end: bool,
        into: &mut Vec<DurationBound>,
    ) {
        let is_duration =
            |side: &ast::Expression| matches!(side, ast::Expression::Term(a) if self.is_duration(a));
        if !is_duration(left) {
            let message = "a bound of the duration begins with another quantity";
            self.report(Code::Duration, Some(span), message, |d| {
                d.help("the first operand is `?duration`, as in `(<= ?duration 3)`")
            });
        }
        if matches!(comparison, Comparison::Less | Comparison::Greater) {
            let message = "a bound of the duration excludes its end";
            self.report(Code::Duration, Some(span), message, |d| {
                d.help("write `<=` or `>=`: PDDL has no other bounds")
            });
        }
        if comparison != Comparison::Equal {
            self.world.features.note(Requirement::DurationInequalities, span);
        }
        let value = self.expression(right);
        let mut reads_duration = false;
        value.walk(&mut |part| {
            reads_duration |= matches!(part, Expression::Special(Special::Duration));
        });
        if reads_duration {
            self.report(
                Code::Duration,
                Some(span),
                "a bound of the duration reads it",
                |d| d,
            );
        }
        if let Expression::Number(number) = value
            && (number.value() < 0.0 && comparison != Comparison::GreaterOrEqual)
        {
            self.report(Code::Duration, Some(span), "the duration is negative", |d| {
                d.help("a duration is at least 0")
            });
        }
        into.push(DurationBound {
            comparison,
            at_end,
            value,
        });
    }

    /// Reports bounds that are numbers and exclude every duration.
    fn check_bounds(&mut self, name: Span, bounds: &[DurationBound]) {
        let (mut least, mut most) = (0.0_f64, f64::INFINITY);
        for bound in bounds {
            let Expression::Number(value) = bound.value else {
                continue;
            };
            if bound.comparison != Comparison::LessOrEqual {
                least = least.max(value.value());
            }
            if bound.comparison != Comparison::GreaterOrEqual {
                most = most.min(value.value());
            }
        }
        if least > most && most >= 0.0 {
            let message = format!("no duration is at least {least} and at most {most}");
            self.report(Code::Duration, Some(name), message, |d| d);
        }
    }

    /// Resolves the parts of a condition that have this time. The variables of a `forall` around several times are bound
    /// for each time separately, as they are when the action is printed and read again.
    fn condition_at(&mut self, moment: TimeSpecifier, formula: &ast::Formula) -> Formula {
        let mut parts = Vec::new();
        self.conditions_at(moment, formula, &mut parts);
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Formula::And(parts)
    }

    fn conditions_at(&mut self, moment: TimeSpecifier, formula: &ast::Formula, into: &mut Vec<Formula>) {
        if !self.world.faults.charge(listed::<Formula>()) {
            return;
        }
        match formula {
            ast::Formula::And(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.conditions_at(moment, part, into));
            }
            ast::Formula::At(time, body, _) if *time == moment => into.push(self.formula(body)),
            ast::Formula::Forall(list, body, span) if times(body).contains(&moment) => {
                self.world
                    .features
                    .note(Requirement::UniversalPreconditions, *span);
                let bound = self.bind(list);
                let body = self.condition_at(moment, body);
                self.release(&bound);
                into.push(Formula::Forall(bound.variables, Box::new(body)));
            }
            _ => {}
        }
    }

    /// Resolves the parts of an effect that have this time.
    fn effect_at(&mut self, moment: TimeSpecifier, effect: &ast::Effect) -> Effect {
        let mut parts = Vec::new();
        self.effects_at(moment, effect, &mut parts);
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Effect::And(parts)
    }

    fn effects_at(&mut self, moment: TimeSpecifier, effect: &ast::Effect, into: &mut Vec<Effect>) {
        if !self.world.faults.charge(listed::<Effect>()) {
            return;
        }
        match effect {
            ast::Effect::And(parts) => {
                parts.iter().for_each(|part| self.effects_at(moment, part, into));
            }
            ast::Effect::At(time, body, _) if *time == moment => into.push(self.effect(body)),
            ast::Effect::Forall(list, body, span) if effect_times(body).contains(&moment) => {
                self.world.features.note(Requirement::ConditionalEffects, *span);
                let bound = self.bind(list);
                let body = self.effect_at(moment, body);
                self.release(&bound);
                into.push(Effect::Forall(bound.variables, Box::new(body)));
            }
            ast::Effect::When(condition, body, span) if effect_times(body).contains(&moment) => {
                self.world.features.note(Requirement::ConditionalEffects, *span);
                let condition = self.condition_at(moment, condition);
                into.push(Effect::When(condition, Box::new(self.effect_at(moment, body))));
            }
            _ => {}
        }
    }

    /// Reports the parts of a condition that have no time, and times that stand inside of other words than `and` and `forall`.
    fn check_times(&mut self, formula: &ast::Formula) {
        match formula {
            ast::Formula::And(parts) => parts.iter().for_each(|part| self.check_times(part)),
            ast::Formula::At(..) => {}
            ast::Formula::Forall(_, body, _) if !times(body).is_empty() => self.check_times(body),
            other => match times(other).first() {
                Some(&moment) => self.misplaced_time(moment, span_of(other)),
                None => self.missing_time(span_of(other), "condition", "`at start`, `over all` or `at end`"),
            },
        }
    }

    /// Like [`check_times`](Self::check_times), for an effect.
    fn check_effect_times(&mut self, effect: &ast::Effect) {
        match effect {
            ast::Effect::And(parts) => parts.iter().for_each(|part| self.check_effect_times(part)),
            ast::Effect::At(TimeSpecifier::OverAll, _, span) => {
                let message = "an effect lasts `over all`";
                self.report(Code::MisplacedTime, Some(*span), message, |d| {
                    d.help("an effect happens `at start` or `at end`")
                });
            }
            ast::Effect::At(..) => {}
            ast::Effect::Forall(_, body, _) if !effect_times(body).is_empty() => {
                self.check_effect_times(body);
            }
            ast::Effect::When(condition, body, span) if !effect_times(body).is_empty() => {
                self.check_times(condition);
                self.check_effect_times(body);
                let happens = effect_times(body);
                let differs = |read: &TimeSpecifier| happens.iter().any(|time| time != read);
                if times(condition).iter().any(differs) {
                    let message = "an effect depends on the state at another time";
                    self.report(Code::MixedTimes, Some(*span), message, |d| {
                        d.help("keep what held at the start in a predicate, and read that `at end`")
                    });
                }
            }
            other => match effect_times(other).first() {
                Some(&moment) => self.misplaced_time(moment, effect_span(other)),
                None => self.missing_time(effect_span(other), "effect", "`at start` or `at end`"),
            },
        }
    }

    /// Reports a condition or effect that has no time, the most common mistake in durative actions.
    fn missing_time(&mut self, span: Option<Span>, kind: &str, times: &str) {
        let Some(span) = span else {
            return;
        };
        let text = &self.world.source.text()[span.range()];
        let written = if text.len() > 60 || text.contains([';', '\n']) {
            "(at start (…))".to_owned()
        } else {
            format!("(at start {text})")
        };
        let message = format!("the {kind} does not say when");
        self.report(Code::MissingTime, Some(span), message, |d| {
            d.help(format!("write {times} before it, as in `{written}`"))
        });
    }
}

/// Returns what to write below the marked text.
const fn code_label(code: Code) -> &'static str {
    match code {
        Code::MissingTime => "a part of a durative action needs a time",
        Code::MisplacedTime => "this time has no meaning here",
        Code::MixedTimes => "its condition and its effect have different times",
        _ => "the duration of this action",
    }
}

/// Returns the words of a moment.
const fn words(moment: TimeSpecifier) -> &'static str {
    match moment {
        TimeSpecifier::Start => "at start",
        TimeSpecifier::OverAll => "over all",
        TimeSpecifier::End => "at end",
    }
}

/// Returns the times in a formula, in the order of the text.
fn times(formula: &ast::Formula) -> Vec<TimeSpecifier> {
    match formula {
        ast::Formula::At(moment, ..) => vec![*moment],
        ast::Formula::Atom(_) | ast::Formula::Compare(..) => Vec::new(),
        ast::Formula::And(parts) | ast::Formula::Or(parts, _) => parts.iter().flat_map(times).collect(),
        ast::Formula::Not(body, _) | ast::Formula::Forall(_, body, _) | ast::Formula::Exists(_, body, _) => {
            times(body)
        }
        ast::Formula::Imply(sides, _) => sides.iter().flat_map(times).collect(),
    }
}

/// Returns the times in an effect, in the order of the text, without those of conditions.
fn effect_times(effect: &ast::Effect) -> Vec<TimeSpecifier> {
    match effect {
        ast::Effect::At(moment, ..) => vec![*moment],
        ast::Effect::Add(_) | ast::Effect::Delete(_) | ast::Effect::Assign(_) => Vec::new(),
        ast::Effect::And(parts) => parts.iter().flat_map(effect_times).collect(),
        ast::Effect::Forall(_, body, _) | ast::Effect::When(_, body, _) => effect_times(body),
        ast::Effect::Probabilistic(alternatives, _) => {
            let alternatives = alternatives.iter();
            alternatives
                .flat_map(|(_, alternative)| effect_times(alternative))
                .collect()
        }
    }
}

/// Returns the place of a formula; `None` for an empty conjunction.
fn span_of(formula: &ast::Formula) -> Option<Span> {
    match formula {
        ast::Formula::Atom(atom) => Some(atom.span),
        ast::Formula::And(parts) => parts.iter().find_map(span_of),
        ast::Formula::Compare(.., span)
        | ast::Formula::Not(_, span)
        | ast::Formula::Or(_, span)
        | ast::Formula::Imply(_, span)
        | ast::Formula::Forall(.., span)
        | ast::Formula::Exists(.., span)
        | ast::Formula::At(.., span) => Some(*span),
    }
}

/// Returns the place of an effect; `None` for an empty one.
fn effect_span(effect: &ast::Effect) -> Option<Span> {
    match effect {
        ast::Effect::Add(atom) | ast::Effect::Delete(atom) => Some(atom.span),
        ast::Effect::And(parts) => parts.iter().find_map(effect_span),
        ast::Effect::Assign(assignment) => Some(assignment.span),
        ast::Effect::Forall(.., span)
        | ast::Effect::When(.., span)
        | ast::Effect::Probabilistic(_, span)
        | ast::Effect::At(.., span) => Some(*span),
    }
}
