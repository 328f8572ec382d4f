//! Time on the grounded engine.

use fxhash::FxHashMap;
use herbrand_core::Random;
use herbrand_ground::{ActionId, AtomId, GroundTask, NumericId, Vocabulary};
use herbrand_pddl::{FunctionId, ObjectId, SchemaId, SnapRole, SteppedAction, TimedLiterals};
use herbrand_step::{EffectRecord, StepError, StepResult, Walker};

use super::host::{Change, Host, Which, is_of_clock};
use super::schedule::Schedule;
use crate::plan::metric;

/// The ids of the atoms and numbers of a ground task that a clock uses.
#[derive(Debug)]
pub(crate) struct GroundTimes {
    /// For each ground start, by its id, its row.
    rows: Vec<Option<Row>>,
    clock: Option<NumericId>,
    next: Option<NumericId>,
    failed: Option<AtomId>,
    literals: Vec<Changes>,
}

/// Changes of atoms and numbers.
type Changes = (Vec<(AtomId, bool)>, Vec<(NumericId, Option<f64>)>);

/// The ids of a ground durative action.
#[derive(Debug)]
struct Row {
    parts: [Option<ActionId>; 2],
    running: Option<AtomId>,
    elapsed: Vec<NumericId>,
    remaining: Vec<NumericId>,
    least: Vec<NumericId>,
}

impl Row {
    fn numbers(&self, which: Which) -> &[NumericId] {
        match which {
            Which::Elapsed => &self.elapsed,
            Which::Remaining => &self.remaining,
            Which::Least => &self.least,
        }
    }
}

/// The ids of the numbers of a task.
type Numbers<'t> = FxHashMap<(FunctionId, &'t [ObjectId]), NumericId>;

impl GroundTimes {
    pub(crate) fn new(task: &GroundTask, schedule: &Schedule) -> Self {
        let stepped = &schedule.stepped;
        let numerics = task.numerics.iter().enumerate();
        let numbers: Numbers<'_> = numerics
            .map(|(index, number)| {
                (
                    (number.function, number.arguments.as_slice()),
                    NumericId::from_index(index),
                )
            })
            .collect();
        let number = |function, arguments: &[ObjectId]| numbers.get(&(function, arguments)).copied();
        let row = |action: &SteppedAction, arguments: &[ObjectId]| {
            let all = |which: Which| {
                let functions = which.functions(action).iter();
                functions
                    .filter_map(|&function| number(function, arguments))
                    .collect()
            };
            let during = action
                .during
                .and_then(|during| task.find_action(during, arguments));
            Row {
                parts: [task.find_action(action.end, arguments), during],
                running: task.find_atom(action.running, arguments),
                elapsed: all(Which::Elapsed),
                remaining: all(Which::Remaining),
                least: all(Which::Least),
            }
        };
        let rows = task
            .actions
            .iter()
            .map(|(_, ground)| match stepped.roles[ground.schema.index()] {
                SnapRole::Start(index) => Some(row(&stepped.actions[index], ground.arguments)),
                _ => None,
            });
        let changes = |literals: &TimedLiterals| {
            let lists = [(&literals.deletes, false), (&literals.adds, true)];
            let atoms = lists.into_iter().flat_map(|(atoms, holds)| {
                let known = atoms
                    .iter()
                    .filter_map(|atom| task.find_atom(atom.predicate, atom.arguments));
                known.map(move |atom| (atom, holds)).collect::<Vec<_>>()
            });
            let values = literals.values.iter().filter_map(|value| {
                let id = number(value.function, &value.arguments)?;
                Some((id, Some(value.value.value())))
            });
            (atoms.collect(), values.collect())
        };
        Self {
            rows: rows.collect(),
            clock: number(stepped.clock, &[]),
            next: number(stepped.next, &[]),
            failed: task.find_atom(stepped.failed, &[]),
            literals: schedule
                .literals
                .iter()
                .map(|literals| changes(&literals.changes))
                .collect(),
        }
    }

    /// Returns the indices of the clock's numbers in the words of a state, in which numbers follow this many words.
    pub(crate) fn clock_places(&self, bits: usize) -> [Option<usize>; 2] {
        [self.clock, self.next].map(|id| id.map(|id| bits + id.index()))
    }

    fn row(&self, start: ActionId) -> Option<&Row> {
        self.rows.get(start.index())?.as_ref()
    }
}

/// A walker of the grounded engine with the ids of its clock.
pub(crate) struct GroundHost<'w> {
    pub(crate) walker: &'w mut Walker,
    pub(crate) times: &'w GroundTimes,
}

impl Host for GroundHost<'_> {
    type Operator = ActionId;

    fn schema(&self, operator: &ActionId) -> SchemaId {
        self.walker.simulator().task().actions.get(*operator).schema
    }

    fn arguments<'a>(&'a self, operator: &'a ActionId) -> &'a [ObjectId] {
        self.walker.simulator().task().actions.get(*operator).arguments
    }

    fn parts(&self, start: &ActionId) -> [Option<ActionId>; 2] {
        self.times.row(*start).map_or([None; 2], |row| row.parts)
    }

    fn each_valid(&self, see: &mut dyn FnMut(SchemaId, ActionId)) {
        self.walker
            .valid()
            .iter()
            .for_each(|id| see(self.schema(&id), id));
    }

    fn is_valid(&self, operator: &ActionId) -> bool {
        self.walker.valid().contains(*operator)
    }

    fn apply(&mut self, operator: &ActionId, chance: &mut Random) -> Result<StepResult, StepError> {
        self.walker.apply(*operator, chance)
    }

    fn effects(&mut self, operator: &ActionId) -> Option<Vec<EffectRecord>> {
        let explained = self.walker.apply_explained(*operator, &mut Random::new(0));
        let (_, record) = explained.ok()?;
        self.walker.undo();
        Some(record.effects)
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.walker.simulator().task().vocabulary
    }

    fn undo(&mut self) {
        self.walker.undo();
    }

    fn is_goal(&self) -> bool {
        self.walker.is_goal()
    }

    fn is_goal_after(&mut self, literals: usize, _schedule: &Schedule) -> bool {
        let mut later = self.walker.clone();
        for (atoms, numbers) in &self.times.literals[literals..] {
            later.write(atoms, numbers);
        }
        later.is_goal()
    }

    fn running(&self) -> Vec<ActionId> {
        let rows = self.times.rows.iter().enumerate();
        let runs = |row: &Row| row.running.is_some_and(|atom| self.walker.holds(atom));
        rows.filter(|(_, row)| row.as_ref().is_some_and(runs))
            .map(|(index, _)| ActionId::from_index(index))
            .collect()
    }

    fn time_of(&self, start: &ActionId, which: Which) -> Option<f64> {
        let numbers = self.times.row(*start)?.numbers(which).iter();
        let values = numbers.filter_map(|&id| self.walker.numeric(id));
        values.reduce(if which == Which::Remaining {
            f64::min
        } else {
            f64::max
        })
    }

    fn times(&self) -> (f64, f64) {
        let value = |id: Option<NumericId>| id.and_then(|id| self.walker.numeric(id)).unwrap_or(0.0);
        (value(self.times.clock), value(self.times.next))
    }

    fn has_failed(&self) -> bool {
        self.times.failed.is_some_and(|atom| self.walker.holds(atom))
    }

    fn write(&mut self, changes: &[Change<ActionId>], _schedule: &Schedule) -> Result<(), StepError> {
        let (mut atoms, mut numbers) = Changes::default();
        for change in changes {
            match change {
                Change::Of(start, which, time) => {
                    let ids = self.times.row(*start).map_or(&[][..], |row| row.numbers(*which));
                    numbers.extend(ids.iter().map(|&id| (id, *time)));
                }
                Change::Clock(time) => numbers.extend(self.times.clock.map(|id| (id, Some(*time)))),
                Change::Next(time) => numbers.extend(self.times.next.map(|id| (id, Some(*time)))),
                Change::Failed => atoms.extend(self.times.failed.map(|atom| (atom, true))),
                Change::Literals(index) => {
                    let (more, values) = &self.times.literals[*index];
                    atoms.extend(more);
                    numbers.extend(values);
                }
            }
        }
        self.walker.write(&atoms, &numbers);
        Ok(())
    }

    fn metric(&self, time: f64, spent: bool) -> Option<f64> {
        let task = self.walker.simulator().task();
        let deltas = self.walker.changes().deltas;
        let delta = |id| {
            let known = deltas.iter().find(|(own, _)| spent && *own == id);
            known.map_or(0.0, |(_, delta)| *delta)
        };
        let value = |id: NumericId| {
            if id.number() < task.state_numerics {
                self.walker.numeric(id)
            } else {
                Some(delta(id))
            }
        };
        metric::metric(task, value, time, self.walker.is_goal())
    }

    fn lacks(&self, operator: &ActionId) -> Vec<String> {
        let explained = self.walker.explain(*operator);
        let failures = explained.map_or_else(|_| Vec::new(), |explained| explained.failures);
        let texts = failures.into_iter().map(|failure| failure.text);
        texts.filter(|text| !is_of_clock(text)).collect()
    }

    fn text(&self, operator: &ActionId) -> String {
        self.walker
            .simulator()
            .task()
            .display_action(*operator)
            .to_string()
    }
}
