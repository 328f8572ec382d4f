//! Domains with time as domains of instants: each durative action becomes a start, an end and an invariant.

use std::collections::BTreeSet;

use super::{
    ActionSchema, ArithmeticOperator, AssignOperator, Assignment, Atom, Comparison, Domain, DurativeAction,
    Effect, Expression, Formula, Function, FunctionId, FunctionTerm, InitialChance, InitialOutcome, Name,
    Number, Predicate, PredicateId, PredicateKind, Probability, Problem, SchemaId, Special, Term, Variable,
    VariableId,
};
use crate::requirements::Requirement;

/// A domain with time as one whose actions take none, and the names that a clock needs to run it.
/// [`SteppedDomain::of`] makes it. The ids of the domain with time stay, further ones follow them.
///
/// A durative action `boil` becomes the schema `boil`, its start, the schema `boil.end`, and `boil.during`, which is
/// applicable where its invariant holds. `boil.running` holds between start and end. The clock sets the functions
/// `boil.elapsed`, `boil.remaining` and `boil.least`: the time since the start, until the action must end, and until it
/// may end. If the constant duration is below 0.001, start and end become one schema.
#[derive(Clone, Debug)]
pub struct SteppedDomain {
    /// The domain without durative actions.
    pub domain: Domain,
    /// The role of each schema, by [`SchemaId`].
    pub roles: Vec<SnapRole>,
    /// The durative actions that have a start and an end.
    pub actions: Vec<SteppedAction>,
    /// The number of schemas that an agent may choose; they are the first ones.
    pub choices: usize,
    /// The function of the time of the last happening.
    pub clock: FunctionId,
    /// The function of the earliest time of a happening that interferes with none.
    pub next: FunctionId,
    /// The predicate that holds once an action could not end, or an invariant broke.
    pub failed: PredicateId,
}

/// The role of a schema of a [`SteppedDomain`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SnapRole {
    /// An action that takes no time.
    Instant,
    /// A durative action that takes no time, by its index in [`Domain::durative_actions`].
    Brief(usize),
    /// The start of an action, by its index in [`SteppedDomain::actions`].
    Start(usize),
    /// The end of an action.
    End(usize),
    /// The invariant of an action.
    During(usize),
    /// To let time pass until the next event.
    Wait,
}

/// The parts of a durative action in a [`SteppedDomain`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SteppedAction {
    /// The schema of its start.
    pub start: SchemaId,
    /// The schema of its end.
    pub end: SchemaId,
    /// The schema of its invariant; `None` if it has none.
    pub during: Option<SchemaId>,
    /// The predicate that holds while it runs.
    pub running: PredicateId,
    /// The function of the time since its start.
    pub elapsed: FunctionId,
    /// The functions of the times until it must end. The least counts. An action without any may run for ever.
    pub remaining: Vec<FunctionId>,
    /// The functions of the times until it may end. The greatest counts; none if the duration is not a choice.
    pub least: Vec<FunctionId>,
    /// Whether its start may make its own invariant false.
    pub may_break_itself: bool,
}

/// The time by which snap actions that interfere must be apart, in the units of time of the domain.
pub const EPSILON: f64 = 0.001;

impl Domain {
    /// Returns whether problems of the domain are run by a clock: it has durative actions, or requires timed literals.
    #[must_use]
    pub const fn takes_time(&self) -> bool {
        !self.durative_actions.is_empty() || self.requirements.contains(Requirement::TimedInitialLiterals)
    }

    /// Returns the domain with each durative action as an action that takes no time and does what the start and the end do.
    /// Its plans are those in which one action runs at a time and the conditions of its end hold before it, but for atoms
    /// that its start adds.
    #[must_use]
    pub fn compressed(&self) -> Self {
        let mut domain = self.clone();
        for action in std::mem::take(&mut domain.durative_actions) {
            domain.schemas.push(compressed(&action));
        }
        domain
    }
}

fn compressed(action: &DurativeAction) -> ActionSchema {
    let (lowers, uppers) = action.bounds();
    let zero = Expression::Number(Number::ZERO);
    let duration = lowers.first().or(uppers.first()).unwrap_or(&zero);
    let start = in_effect(&action.start_effect, duration);
    let end = in_effect(&action.end_effect, duration);
    let mut conditions = vec![in_formula(&action.start_condition, duration)];
    conditions.extend(bounds(&lowers, &uppers, 0.0));
    let later = [&action.invariant, &action.end_condition].map(|part| in_formula(part, duration));
    let own = later.iter().flat_map(conjuncts);
    conditions.extend(own.filter(|conjunct| !adds(&start, conjunct)).cloned());
    let effect = Effect::And(vec![without_undone(&start, &end), end]);
    schema(action, action.name.as_str(), conditions, effect)
}

/// Returns the parts of the effect of a start that the effect of the end leaves as they are.
fn without_undone(start: &Effect, end: &Effect) -> Effect {
    let undoes = |part: &Effect, later: &Effect| match (part, later) {
        (Effect::Add(atom), Effect::Delete(other)) | (Effect::Delete(atom), Effect::Add(other)) => {
            (atom.predicate, &atom.arguments) == (other.predicate, &other.arguments)
        }
        (Effect::Assign(one), Effect::Assign(other)) => {
            let is_set = [one, other]
                .iter()
                .any(|part| part.operator == AssignOperator::Assign);
            is_set
                && (one.target.function, &one.target.arguments)
                    == (other.target.function, &other.target.arguments)
        }
        _ => false,
    };
    match start {
        Effect::And(parts) => Effect::And(parts.iter().map(|part| without_undone(part, end)).collect()),
        part => {
            let mut is_undone = false;
            // Only what surely happens at the end counts.
            each_certain(end, &mut |later| is_undone |= undoes(part, later));
            if is_undone { Effect::NOTHING } else { part.clone() }
        }
    }
}

fn each_certain<'a>(effect: &'a Effect, see: &mut dyn FnMut(&'a Effect)) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| each_certain(part, see)),
        other => see(other),
    }
}

impl DurativeAction {
    /// Returns the bounds of the duration from below and from above that the start fixes.
    fn bounds(&self) -> (Vec<Expression>, Vec<Expression>) {
        let of = |excluded: [Comparison; 2]| {
            let bounds = self.duration.iter().filter(|bound| !bound.at_end);
            let bounds = bounds.filter(|bound| !excluded.contains(&bound.comparison));
            bounds.map(|bound| bound.value.clone()).collect()
        };
        let (less, greater) = (
            [Comparison::Less, Comparison::LessOrEqual],
            [Comparison::Greater, Comparison::GreaterOrEqual],
        );
        (of(less), of(greater))
    }
}

impl SteppedDomain {
    /// Splits the durative actions of a domain.
    #[must_use]
    pub fn of(timed: &Domain) -> Self {
        let mut draft = Draft::new(timed);
        for action in timed.durative_actions.iter().enumerate() {
            draft.start(action.0, action.1);
        }
        draft.finish()
    }

    /// Returns a problem of the domain with time as one of this domain. Its timed literals are left out, but what they add
    /// counts as possible.
    #[must_use]
    pub fn problem(&self, timed: &Problem) -> Problem {
        let mut problem = timed.clone();
        problem.domain_fingerprint = self.domain.fingerprint();
        let mut later = InitialOutcome::default();
        for literals in std::mem::take(&mut problem.timed) {
            for atoms in [&literals.adds, &literals.deletes] {
                atoms
                    .iter()
                    .for_each(|atom| later.facts.push(atom.predicate, atom.arguments));
            }
            later.values.extend(literals.values);
        }
        if !later.facts.is_empty() || !later.values.is_empty() {
            let alternatives = vec![(Probability::ZERO, later)];
            problem.chances.push(InitialChance { alternatives });
        }
        problem
    }
}

/// A domain while its durative actions are split.
struct Draft<'d> {
    timed: &'d Domain,
    domain: Domain,
    roles: Vec<SnapRole>,
    actions: Vec<SteppedAction>,
    /// Schemas that no agent chooses. They come last.
    hidden: Vec<(SnapRole, ActionSchema)>,
    failed: PredicateId,
}

impl<'d> Draft<'d> {
    fn new(timed: &'d Domain) -> Self {
        let mut domain = timed.clone();
        domain.durative_actions.clear();
        let roles = vec![SnapRole::Instant; domain.schemas.len()];
        let mut this = Self {
            timed,
            domain,
            roles,
            actions: Vec::new(),
            hidden: Vec::new(),
            failed: PredicateId::new(0),
        };
        this.failed = this.predicate("time.failed", &[]);
        let goes_on = this.goes_on();
        for schema in &mut this.domain.schemas {
            let own = std::mem::replace(&mut schema.precondition, Formula::TRUE);
            schema.precondition = Formula::And(vec![own, goes_on.clone()]);
        }
        this
    }

    /// The condition that nothing has failed.
    fn goes_on(&self) -> Formula {
        let failed = Atom {
            predicate: self.failed,
            arguments: Vec::new(),
            place: self.place(),
        };
        Formula::Not(Box::new(Formula::Atom(failed)))
    }

    fn place(&self) -> herbrand_text::Place {
        let actions = self.timed.durative_actions.iter().map(|action| action.place);
        let schemas = self.timed.schemas.iter().map(|schema| schema.place);
        actions.chain(schemas).next().unwrap_or_default()
    }

    fn predicate(&mut self, name: &str, parameters: &[Variable]) -> PredicateId {
        self.domain.predicates.push(Predicate {
            name: Name::new(name),
            parameters: parameters.to_vec(),
            kind: PredicateKind::Fluent,
            place: self.place(),
        });
        PredicateId::from_index(self.domain.predicates.len() - 1)
    }

    fn function(&mut self, name: &str, parameters: &[Variable]) -> FunctionId {
        self.domain.functions.push(Function {
            name: Name::new(name),
            parameters: parameters.to_vec(),
            implicit: true,
            place: self.place(),
        });
        FunctionId::from_index(self.domain.functions.len() - 1)
    }

    fn start(&mut self, source: usize, action: &DurativeAction) {
        let (mut lowers, mut uppers) = action.bounds();
        // Who reads the duration before the end must know it: the action then takes the least time.
        let early = reads_duration(&action.start_condition, &action.start_effect)
            || reads_duration(&action.invariant, &Effect::NOTHING);
        if early {
            if lowers.is_empty() {
                lowers.clone_from(&uppers);
            }
            lowers.truncate(1);
            if lowers.is_empty() {
                lowers.push(Expression::Number(Number::ZERO));
            }
            uppers.clone_from(&lowers);
        }
        let is_chosen = lowers != uppers;
        if let ([Expression::Number(number)], false) = (lowers.as_slice(), is_chosen)
            && (0.0..EPSILON).contains(&number.value())
        {
            return self.brief(source, action, &Expression::Number(*number));
        }
        self.split(action, (lowers, uppers));
    }

    /// Adds an action whose start and end are one instant.
    fn brief(&mut self, source: usize, action: &DurativeAction, duration: &Expression) {
        let conditions = [&action.start_condition, &action.end_condition];
        let mut conditions: Vec<_> = conditions.map(|part| in_formula(part, duration)).into();
        conditions.push(self.goes_on());
        let effects = [&action.start_effect, &action.end_effect].map(|part| in_effect(part, duration));
        self.roles.push(SnapRole::Brief(source));
        self.domain.schemas.push(schema(
            action,
            action.name.as_str(),
            conditions,
            Effect::And(effects.into()),
        ));
    }

    fn split(&mut self, action: &DurativeAction, (lowers, uppers): (Vec<Expression>, Vec<Expression>)) {
        let is_chosen = lowers != uppers;
        let (name, parameters) = (action.name.as_str(), action.parameters());
        let terms: Vec<_> = (0..parameters.len())
            .map(|index| Term::Variable(VariableId::from_index(index)))
            .collect();
        let place = action.place;
        let running = self.predicate(&format!("{name}.running"), parameters);
        let elapsed = self.function(&format!("{name}.elapsed"), parameters);
        let mut functions = |word: &str, count: usize| -> Vec<FunctionId> {
            let name = |index| match index {
                0 => format!("{name}.{word}"),
                _ => format!("{name}.{word}{}", index + 1),
            };
            (0..count)
                .map(|index| self.function(&name(index), parameters))
                .collect()
        };
        let remaining = functions("remaining", uppers.len());
        let least = functions("least", if is_chosen { lowers.len() } else { 0 });
        let value = |function| {
            Expression::Fluent(FunctionTerm {
                function,
                arguments: terms.clone(),
                place,
            })
        };
        let runs = Atom {
            predicate: running,
            arguments: terms.clone(),
            place,
        };
        let zero = Expression::Number(Number::ZERO);
        let at_start = lowers.first().unwrap_or(&zero).clone();
        let at_end = value(elapsed);
        let between = match remaining.as_slice() {
            [one] => Expression::Apply(ArithmeticOperator::Add, vec![at_end.clone(), value(*one)]),
            _ => at_end.clone(),
        };

        let start_effect = in_effect(&action.start_effect, &at_start);
        let mut conditions = vec![
            in_formula(&action.start_condition, &at_start),
            Formula::Not(Box::new(Formula::Atom(runs.clone()))),
            self.goes_on(),
        ];
        conditions.extend(bounds(&lowers, &uppers, EPSILON));
        let invariant = in_formula(&action.invariant, &between);
        let mut may_break_itself = false;
        let writes = Symbols::written(&start_effect);
        for conjunct in conjuncts(&invariant) {
            let reads = Symbols::read(self.timed, conjunct);
            if !writes.meets(&reads) {
                conditions.push(in_formula(conjunct, &at_start));
            } else if !adds(&start_effect, conjunct) {
                may_break_itself = true;
            }
        }
        let assign = |function, value: &Expression| {
            Effect::Assign(Assignment {
                operator: AssignOperator::Assign,
                target: FunctionTerm {
                    function,
                    arguments: terms.clone(),
                    place,
                },
                value: value.clone(),
            })
        };
        let mut effects = vec![start_effect, Effect::Add(runs.clone()), assign(elapsed, &zero)];
        let (most, first) = (remaining.iter().zip(&uppers), least.iter().zip(&lowers));
        effects.extend(
            most.chain(first)
                .map(|(&function, value)| assign(function, value)),
        );
        let start = self.next_schema();
        let index = self.actions.len();
        self.roles.push(SnapRole::Start(index));
        self.domain
            .schemas
            .push(schema(action, name, conditions, Effect::And(effects)));

        let mut conditions = vec![
            in_formula(&action.end_condition, &at_end),
            Formula::Atom(runs.clone()),
            self.goes_on(),
        ];
        for bound in action.duration.iter().filter(|bound| bound.at_end) {
            let sides = [&at_end, &bound.value].map(|side| Box::new(side.clone()));
            let [left, right] = sides;
            conditions.push(Formula::Compare(bound.comparison, left, right));
        }
        let effects = vec![
            in_effect(&action.end_effect, &at_end),
            Effect::Delete(runs.clone()),
        ];
        let end = schema(action, &format!("{name}.end"), conditions, Effect::And(effects));
        self.hidden.push((SnapRole::End(index), end));
        let has_invariant = conjuncts(&invariant).next().is_some();
        if has_invariant {
            let conditions = vec![invariant, Formula::Atom(runs)];
            let during = schema(action, &format!("{name}.during"), conditions, Effect::NOTHING);
            self.hidden.push((SnapRole::During(index), during));
        }
        self.actions.push(SteppedAction {
            start,
            end: start,
            during: None,
            running,
            elapsed,
            remaining,
            least,
            may_break_itself,
        });
    }

    fn next_schema(&self) -> SchemaId {
        SchemaId::from_index(self.domain.schemas.len())
    }

    fn finish(mut self) -> SteppedDomain {
        let clock = self.function("time.clock", &[]);
        let next = self.function("time.next", &[]);
        let mut names = ["wait", "time.wait"].into_iter();
        let is_taken = |name: &&str| self.domain.find_schema(name).is_some();
        let name = names.find(|name| !is_taken(name)).unwrap_or("time.wait");
        // The clock does what waiting does; these effects only make it known that it can happen.
        let set = |function| {
            Effect::Assign(Assignment {
                operator: AssignOperator::Assign,
                target: FunctionTerm {
                    function,
                    arguments: Vec::new(),
                    place: self.place(),
                },
                value: Expression::Number(Number::ZERO),
            })
        };
        let fails = Effect::Add(Atom {
            predicate: self.failed,
            arguments: Vec::new(),
            place: self.place(),
        });
        let wait = ActionSchema {
            name: Name::new(name),
            arity: 0,
            variables: Vec::new(),
            precondition: self.goes_on(),
            effect: Effect::And(vec![set(clock), set(next), fails]),
            agent: None,
            place: self.place(),
        };
        let hidden = std::mem::take(&mut self.hidden);
        let is_chosen = |role: SnapRole| match role {
            SnapRole::End(index) => {
                let action = &self.actions[index];
                !action.least.is_empty() || action.remaining.is_empty()
            }
            _ => false,
        };
        let (chosen, hidden): (Vec<_>, Vec<_>) = hidden.into_iter().partition(|(role, _)| is_chosen(*role));
        let visible = chosen.into_iter().chain([(SnapRole::Wait, wait)]);
        let choices = self.domain.schemas.len() + visible.size_hint().0;
        for (role, schema) in visible.chain(hidden) {
            let id = SchemaId::from_index(self.domain.schemas.len());
            match role {
                SnapRole::End(index) => self.actions[index].end = id,
                SnapRole::During(index) => self.actions[index].during = Some(id),
                _ => {}
            }
            self.roles.push(role);
            self.domain.schemas.push(schema);
        }
        SteppedDomain {
            domain: self.domain,
            roles: self.roles,
            actions: self.actions,
            choices,
            clock,
            next,
            failed: self.failed,
        }
    }
}

fn schema(action: &DurativeAction, name: &str, conditions: Vec<Formula>, effect: Effect) -> ActionSchema {
    ActionSchema {
        name: Name::new(name),
        arity: action.arity,
        variables: action.variables.clone(),
        precondition: Formula::And(conditions),
        effect,
        agent: None,
        place: action.place,
    }
}

/// The conditions under which some duration of at least `least` meets the bounds.
fn bounds(lowers: &[Expression], uppers: &[Expression], least: f64) -> Vec<Formula> {
    let at_most = |left: &Expression, right: &Expression| {
        let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
        Formula::Compare(Comparison::LessOrEqual, left, right)
    };
    let least = Expression::Number(Number::new(least).unwrap_or(Number::ZERO));
    // A comparison holds only if its sides have values.
    let defined = lowers.iter().map(|lower| at_most(lower, lower));
    let positive = uppers.iter().map(|upper| at_most(&least, upper));
    let pairs = lowers.iter().flat_map(|lower| {
        let others = uppers.iter().filter(move |upper| *upper != lower);
        others.map(move |upper| at_most(lower, upper))
    });
    defined.chain(positive).chain(pairs).collect()
}

/// Iterates over the conjuncts of a formula.
pub fn conjuncts(formula: &Formula) -> Box<dyn Iterator<Item = &Formula> + '_> {
    match formula {
        Formula::And(parts) => Box::new(parts.iter().flat_map(conjuncts)),
        other => Box::new(std::iter::once(other)),
    }
}

/// Returns whether an effect surely makes a formula true, which is an atom or a negated one then.
fn adds(effect: &Effect, formula: &Formula) -> bool {
    match (effect, formula) {
        (Effect::And(parts), _) => parts.iter().any(|part| adds(part, formula)),
        (Effect::Add(added), Formula::Atom(atom)) => {
            (added.predicate, &added.arguments) == (atom.predicate, &atom.arguments)
        }
        (Effect::Delete(deleted), Formula::Not(inner)) => {
            matches!(&**inner, Formula::Atom(atom)
                if (deleted.predicate, &deleted.arguments) == (atom.predicate, &atom.arguments))
        }
        _ => false,
    }
}

/// Predicates and functions.
#[derive(Default)]
struct Symbols {
    predicates: BTreeSet<PredicateId>,
    functions: BTreeSet<FunctionId>,
}

impl Symbols {
    fn meets(&self, other: &Self) -> bool {
        !self.predicates.is_disjoint(&other.predicates) || !self.functions.is_disjoint(&other.functions)
    }

    /// The symbols that an effect may change.
    fn written(effect: &Effect) -> Self {
        let mut symbols = Self::default();
        effect.walk(&mut |part| match part {
            Effect::Add(atom) | Effect::Delete(atom) => _ = symbols.predicates.insert(atom.predicate),
            Effect::Assign(assignment) => _ = symbols.functions.insert(assignment.target.function),
            _ => {}
        });
        symbols
    }

    /// The symbols on which a formula depends, also through derived predicates.
    fn read(domain: &Domain, formula: &Formula) -> Self {
        let mut symbols = Self::default();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            formula.walk(&mut |part, _| match part {
                Formula::Atom(atom) if symbols.predicates.insert(atom.predicate) => {
                    let rules = domain.axioms.iter();
                    let rules = rules.filter(|rule| rule.predicate == atom.predicate);
                    open.extend(rules.map(|rule| &rule.body));
                }
                Formula::Compare(_, left, right) => {
                    for side in [left, right] {
                        side.walk(&mut |part| {
                            if let Expression::Fluent(term) = part {
                                symbols.functions.insert(term.function);
                            }
                        });
                    }
                }
                _ => {}
            });
        }
        symbols
    }
}

/// Returns whether a condition or an effect mentions `?duration`.
fn reads_duration(condition: &Formula, effect: &Effect) -> bool {
    let zero = Expression::Number(Number::ZERO);
    in_formula(condition, &zero) != *condition || in_effect(effect, &zero) != *effect
}

/// Returns a formula with an expression in place of `?duration`.
fn in_formula(formula: &Formula, duration: &Expression) -> Formula {
    let inner = |formula: &Formula| Box::new(in_formula(formula, duration));
    let all = |parts: &[Formula]| parts.iter().map(|part| in_formula(part, duration)).collect();
    match formula {
        Formula::Atom(_) | Formula::Equal(..) => formula.clone(),
        Formula::Compare(comparison, left, right) => {
            let side = |side: &Expression| Box::new(in_expression(side, duration));
            Formula::Compare(*comparison, side(left), side(right))
        }
        Formula::Not(body) => Formula::Not(inner(body)),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Imply(premise, conclusion) => Formula::Imply(inner(premise), inner(conclusion)),
        Formula::Forall(variables, body) => Formula::Forall(variables.clone(), inner(body)),
        Formula::Exists(variables, body) => Formula::Exists(variables.clone(), inner(body)),
    }
}

fn in_effect(effect: &Effect, duration: &Expression) -> Effect {
    let inner = |effect: &Effect| Box::new(in_effect(effect, duration));
    match effect {
        Effect::Add(_) | Effect::Delete(_) => effect.clone(),
        Effect::Assign(assignment) => Effect::Assign(Assignment {
            value: in_expression(&assignment.value, duration),
            ..assignment.clone()
        }),
        Effect::And(parts) => Effect::And(parts.iter().map(|part| in_effect(part, duration)).collect()),
        Effect::Forall(variables, body) => Effect::Forall(variables.clone(), inner(body)),
        Effect::When(condition, body) => Effect::When(in_formula(condition, duration), inner(body)),
        Effect::Probabilistic(alternatives) => {
            let alternatives = alternatives.iter();
            Effect::Probabilistic(
                alternatives
                    .map(|(weight, body)| (*weight, in_effect(body, duration)))
                    .collect(),
            )
        }
    }
}

fn in_expression(expression: &Expression, duration: &Expression) -> Expression {
    match expression {
        Expression::Special(Special::Duration) => duration.clone(),
        Expression::Apply(operator, operands) => {
            let operands = operands.iter().map(|operand| in_expression(operand, duration));
            Expression::Apply(*operator, operands.collect())
        }
        other => other.clone(),
    }
}
