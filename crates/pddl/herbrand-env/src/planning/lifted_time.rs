//! The lifted engine below a clock.

use herbrand_core::Random;
use herbrand_ground::{FunctionKind, Vocabulary};
use herbrand_pddl::{
    AtomRef, Expression, FunctionId, FunctionTerm, ObjectId, SchemaId, SnapRole, Special, Term,
};
use herbrand_step::{EffectRecord, LiftedWalker, StepError, StepResult};

use super::LiftedOperator;
use crate::time::{Change, Host, Schedule, Which, is_of_clock};

/// A walker of the lifted engine with its clock's data.
pub(crate) struct LiftedHost<'w> {
    pub(crate) walker: &'w mut LiftedWalker,
    pub(crate) schedule: &'w Schedule,
}

/// A number and its value.
type Value<'a> = (FunctionId, &'a [ObjectId], Option<f64>);

impl Host for LiftedHost<'_> {
    type Operator = LiftedOperator;

    fn schema(&self, operator: &LiftedOperator) -> SchemaId {
        operator.schema()
    }

    fn arguments<'a>(&'a self, operator: &'a LiftedOperator) -> &'a [ObjectId] {
        operator.arguments()
    }

    fn parts(&self, start: &LiftedOperator) -> [Option<LiftedOperator>; 2] {
        let SnapRole::Start(index) = self.schedule.stepped().roles[start.schema().index()] else {
            return [None, None];
        };
        let action = &self.schedule.stepped().actions[index];
        let part = |schema| LiftedOperator::new(schema, start.arguments());
        [Some(part(action.end)), action.during.map(part)]
    }

    fn each_valid(&self, see: &mut dyn FnMut(SchemaId, LiftedOperator)) {
        for operator in self.walker.valid().iter() {
            see(
                operator.schema,
                LiftedOperator::new(operator.schema, operator.arguments),
            );
        }
    }

    fn is_valid(&self, operator: &LiftedOperator) -> bool {
        self.walker
            .valid()
            .contains(operator.schema(), operator.arguments())
    }

    fn apply(&mut self, operator: &LiftedOperator, chance: &mut Random) -> Result<StepResult, StepError> {
        self.walker.apply(operator.schema(), operator.arguments(), chance)
    }

    fn effects(&mut self, operator: &LiftedOperator) -> Option<Vec<EffectRecord>> {
        let (schema, arguments) = (operator.schema(), operator.arguments());
        let explained = self
            .walker
            .apply_explained(schema, arguments, &mut Random::new(0));
        let (_, record) = explained.ok()?;
        self.walker.undo();
        Some(record.effects)
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.walker.simulator().vocabulary()
    }

    fn undo(&mut self) {
        self.walker.undo();
    }

    fn is_goal(&self) -> bool {
        self.walker.is_goal()
    }

    fn is_goal_after(&mut self, literals: usize, schedule: &Schedule) -> bool {
        let mut later = self.walker.clone();
        let mut host = LiftedHost {
            walker: &mut later,
            schedule: self.schedule,
        };
        let changes: Vec<_> = (literals..schedule.literals()).map(Change::Literals).collect();
        changes
            .into_iter()
            .all(|change| host.write(&[change], schedule).is_ok())
            && later.is_goal()
    }

    fn running(&self) -> Vec<LiftedOperator> {
        let mut all = Vec::new();
        for atom in self.walker.state().atoms() {
            let actions = self.schedule.stepped().actions.iter();
            let own = actions.filter(|action| action.running == atom.predicate);
            all.extend(own.map(|action| LiftedOperator::new(action.start, atom.arguments)));
        }
        all
    }

    fn time_of(&self, start: &LiftedOperator, which: Which) -> Option<f64> {
        let SnapRole::Start(index) = self.schedule.stepped().roles[start.schema().index()] else {
            return None;
        };
        let functions = which.functions(&self.schedule.stepped().actions[index]).iter();
        let values = functions.filter_map(|&function| self.walker.numeric(function, start.arguments()));
        values.reduce(if which == Which::Remaining {
            f64::min
        } else {
            f64::max
        })
    }

    fn times(&self) -> (f64, f64) {
        let value = |function| self.walker.numeric(function, &[]).unwrap_or(0.0);
        (
            value(self.schedule.stepped().clock),
            value(self.schedule.stepped().next),
        )
    }

    fn has_failed(&self) -> bool {
        self.walker.holds(self.schedule.stepped().failed, &[])
    }

    fn write(&mut self, changes: &[Change<LiftedOperator>], schedule: &Schedule) -> Result<(), StepError> {
        let stepped = schedule.stepped();
        let mut atoms: Vec<(AtomRef<'_>, bool)> = Vec::new();
        let mut numbers: Vec<Value<'_>> = Vec::new();
        for change in changes {
            match change {
                Change::Of(start, which, time) => {
                    if let SnapRole::Start(index) = stepped.roles[start.schema().index()] {
                        let functions = which.functions(&stepped.actions[index]).iter();
                        numbers.extend(functions.map(|&function| (function, start.arguments(), *time)));
                    }
                }
                Change::Clock(time) => numbers.push((stepped.clock, &[], Some(*time))),
                Change::Next(time) => numbers.push((stepped.next, &[], Some(*time))),
                Change::Failed => {
                    let predicate = stepped.failed;
                    let arguments = &[][..];
                    atoms.push((AtomRef { predicate, arguments }, true));
                }
                Change::Literals(index) => {
                    let literals = schedule.changes(*index);
                    atoms.extend(literals.deletes.iter().map(|atom| (atom, false)));
                    atoms.extend(literals.adds.iter().map(|atom| (atom, true)));
                    let values = literals.values.iter();
                    numbers.extend(
                        values.map(|value| (value.function, &*value.arguments, Some(value.value.value()))),
                    );
                }
            }
        }
        self.walker.write(&atoms, &numbers)
    }

    fn metric(&self, time: f64, spent: bool) -> Option<f64> {
        self.value(self.schedule.metric()?, time, spent)
    }

    fn lacks(&self, operator: &LiftedOperator) -> Vec<String> {
        let explained = self.walker.explain(operator.schema(), operator.arguments());
        let failures = explained.map_or_else(|_| Vec::new(), |explained| explained.failures);
        failures.into_iter().filter(|text| !is_of_clock(text)).collect()
    }

    fn text(&self, operator: &LiftedOperator) -> String {
        let vocabulary = self.walker.simulator().vocabulary();
        let name = &vocabulary.schema(operator.schema()).name;
        vocabulary.term(name, operator.arguments()).to_string()
    }
}

impl LiftedHost<'_> {
    /// Returns the value of a metric.
    fn value(&self, expression: &Expression, time: f64, spent: bool) -> Option<f64> {
        use herbrand_pddl::ArithmeticOperator as Operator;
        Some(match expression {
            Expression::Number(number) => number.value(),
            Expression::Special(Special::TotalTime) => time,
            Expression::Special(Special::GoalAchieved) => f64::from(u8::from(self.walker.is_goal())),
            Expression::Special(_) => return None,
            Expression::Fluent(term) => return self.term(term, spent),
            Expression::Apply(operator, operands) => {
                let mut values = operands.iter().map(|operand| self.value(operand, time, spent));
                let first = values.next()??;
                if *operator == Operator::Negate {
                    return Some(-first);
                }
                values.try_fold(first, |left, right| {
                    let right = right?;
                    let value = match operator {
                        Operator::Add => left + right,
                        Operator::Subtract | Operator::Negate => left - right,
                        Operator::Multiply => left * right,
                        Operator::Divide => left / right,
                    };
                    value.is_finite().then_some(value)
                })?
            }
        })
    }

    fn term(&self, term: &FunctionTerm, spent: bool) -> Option<f64> {
        let object = |term: &Term| match *term {
            Term::Object(object) => Some(object),
            Term::Variable(_) => None,
        };
        let arguments: Option<Vec<_>> = term.arguments.iter().map(object).collect();
        let arguments = arguments?;
        let task = self.walker.simulator().task();
        match task.functions[term.function.index()] {
            FunctionKind::Fluent => self.walker.numeric(term.function, &arguments),
            FunctionKind::Accumulator if spent => Some(self.walker.delta(term.function, &arguments)),
            FunctionKind::Accumulator => Some(0.0),
            FunctionKind::Static => {
                let mut values = task.values.iter();
                let own =
                    values.find(|value| value.function == term.function && *value.arguments == *arguments);
                own.map(|value| value.value.value())
            }
        }
    }
}
