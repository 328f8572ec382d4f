//! The functions that the rules of the ascent program call: begin plans, look up entries, extend the binding, and fire.
//!
//! The current binding and its premises are in the [`Frame`](crate::eval::rule::Frame). One frame is enough, because ascent
//! joins depth first.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::entries::{Entry, Key, Path};
use super::facts::Fact;
use super::partial::Partial;
use super::shared::{Shared, State};
use crate::eval::firing::{Firing, Sink};
use crate::eval::join::{Join, Progress, Segment};
use crate::eval::limits::{EvaluationError, RuleCounters, RuleStatistics};
use crate::eval::model::Model;
use crate::eval::rule::Frame;
use crate::plan::body::replace;
use crate::plan::dispatch::Dispatch;
use crate::plan::stage::Stage;
use crate::plan::{Plan, Step};
use crate::program::Program;
use crate::program::ids::{FactId, RelationId, RuleId, Symbol};

/// The number of body atoms that ascent joins: those over non-static relations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Class {
    One,
    Two,
    Three,
    Four,
    Longer,
}

/// The sink, the limits, and the error that ended the evaluation.
pub(super) struct Report<'a> {
    program: &'a Program,
    sink: &'a mut dyn Sink,
    watch: RuleCounters,
    ended: Option<EvaluationError>,
}

/// The plans of a stratum during the fixpoint.
pub(super) struct Joins<'r, 'a> {
    shared: &'r Shared,
    stage: &'r Stage,
    courses: Vec<Course>,
    /// For each class, the dispatch of each relation's facts to plans of the class; `None` if the class has no plan with a
    /// trigger.
    dispatch: [Option<Vec<Dispatch>>; 5],
    report: RefCell<&'r mut Report<'a>>,
    firings: Cell<u64>,
    ended: Cell<bool>,
}

/// The steps of a plan that ascent joins.
struct Course {
    rule: usize,
    /// The steps that join a non-static atom.
    joins: Vec<usize>,
    steps: usize,
}

impl Course {
    fn new(plan: &Plan) -> Self {
        let steps = plan.steps.iter().enumerate();
        let joined = steps.filter(|(_, step)| matches!(step, Step::Walk { .. } | Step::Known { .. }));
        Self {
            rule: plan.outline.rule.index(),
            joins: joined.map(|(number, _)| number).collect(),
            steps: plan.steps.len(),
        }
    }

    /// Returns the range of steps between the joins `joined - 1` and `joined`.
    fn segment(&self, joined: usize) -> Range<usize> {
        let start = joined.checked_sub(1).map_or(0, |last| self.joins[last] + 1);
        start..self.joins.get(joined).copied().unwrap_or(self.steps)
    }

    fn class(&self) -> Class {
        match self.joins.len() {
            0 => Class::One,
            1 => Class::Two,
            2 => Class::Three,
            3 => Class::Four,
            _ => Class::Longer,
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(program: &'a Program, sink: &'a mut dyn Sink, watch: RuleCounters) -> Self {
        Self {
            program,
            sink,
            watch,
            ended: None,
        }
    }

    /// Renews the fuel; fails if the evaluation was ended or a limit is reached.
    pub(super) fn check(&mut self, shared: &Shared) -> Result<(), EvaluationError> {
        let state = &mut *shared.state.borrow_mut();
        self.look(shared, &state.model);
        state.fuel = self.watch.fuel();
        self.ended.take().map_or(Ok(()), Err)
    }

    /// Checks the limits, and records the error unless there is one already.
    fn look(&mut self, shared: &Shared, model: &Model) {
        let bytes = || shared.bytes(model) + self.sink.bytes();
        let full = shared.entries.borrow().full || model.is_nearly_full();
        let over = if full {
            Some(self.watch.out_of_memory(self.program, bytes()))
        } else {
            self.watch.over(self.program, bytes)
        };
        self.ended = self.ended.take().or(over);
    }

    pub(super) fn into_statistics(self) -> Vec<RuleStatistics> {
        self.watch.into_statistics()
    }
}

impl<'r, 'a> Joins<'r, 'a> {
    pub(super) fn new(
        program: &'a Program,
        shared: &'r Shared,
        stage: &'r Stage,
        report: RefCell<&'r mut Report<'a>>,
    ) -> Self {
        let courses: Vec<Course> = stage.plans.iter().map(Course::new).collect();
        let tables = &shared.state.borrow().model.tables;
        let classes = [Class::One, Class::Two, Class::Three, Class::Four, Class::Longer];
        let dispatch = classes.map(|class| {
            let wanted = |plan: &Plan| Course::new(plan).class() == class;
            let some = stage
                .plans
                .iter()
                .any(|plan| plan.trigger.is_some() && wanted(plan));
            some.then(|| stage.dispatch(program, tables, wanted))
        });
        Self {
            shared,
            stage,
            courses,
            dispatch,
            report,
            firings: Cell::new(0),
            ended: Cell::new(false),
        }
    }

    /// Returns the id of a stored fact whose relation is derived in this stratum; `None` otherwise, or if the evaluation has
    /// ended.
    #[inline]
    pub(super) fn opened(&self, fact: Fact) -> Option<FactId> {
        let Fact::Numbered(fact) = fact else { return None };
        let (relation, _) = self.shared.state.borrow().model.place(fact);
        (self.stage.open[relation.index()] && !self.ended.get()).then_some(fact)
    }

    /// Iterates over the index entries of a fact.
    #[inline]
    pub(super) fn places(&self, fact: FactId) -> Places<'r> {
        let (relation, row) = self.shared.state.borrow().model.place(fact);
        Places {
            shared: self.shared,
            fact,
            relation,
            row,
            next: 0,
        }
    }

    /// Returns the plans of a class that a fact may trigger, and the fact's row.
    #[inline]
    fn triggered(&self, fact: FactId, class: Class) -> (std::slice::Iter<'_, usize>, u32) {
        let Some(dispatch) = &self.dispatch[class as usize] else {
            return ([].iter(), 0);
        };
        let model = &self.shared.state.borrow().model;
        let (relation, row) = model.place(fact);
        let tuple = model.tables.rows[relation.index()].tuple(row);
        (dispatch[relation.index()].plans(tuple).iter(), row)
    }

    /// Iterates over the plans of a class that a fact begins. A plan is repeated for each binding of the static atoms before
    /// its first join.
    #[inline]
    pub(super) fn begin(&self, fact: FactId, class: Class) -> Begin<'_, 'r, 'a> {
        let (plans, row) = self.triggered(fact, class);
        Begin {
            joins: self,
            fact,
            row,
            plans,
            at: None,
        }
    }

    /// Iterates over the same plans as partial bindings, which begin in the next round.
    #[inline]
    pub(super) fn postpone(&self, fact: FactId, class: Class) -> impl Iterator<Item = Partial> {
        let (plans, _) = self.triggered(fact, class);
        plans.map(move |&plan| Partial::of_plan(plan, Some(fact)))
    }

    /// Restores a saved binding, or begins a plan that has none. The iterator yields the plan once per binding of its
    /// leading static atoms.
    pub(super) fn resume(&self, partial: &Partial) -> Begin<'_, 'r, 'a> {
        let course = &self.courses[partial.plan];
        let mut begin = Begin {
            joins: self,
            fact: partial.trigger.unwrap_or(FactId::new(0)),
            row: 0,
            plans: [].iter(),
            at: None,
        };
        let able = match (&partial.cells, partial.trigger) {
            (None, Some(fact)) => {
                begin.row = self.shared.state.borrow().model.place(fact).1;
                begin.matches(partial.plan)
            }
            (cells, _) => {
                let state = &mut *self.shared.state.borrow_mut();
                (state.rule, state.trigger) = (course.rule, begin.fact);
                cells.iter().for_each(|cells| state.load(cells));
                match cells {
                    Some(_) => !self.ended.get(),
                    None => self.pay(state),
                }
            }
        };
        let steps = match &partial.cells {
            None => course.segment(0),
            // The static atoms before the next join are part of the saved binding.
            Some(_) => 0..0,
        };
        begin.at = able.then(|| (partial.plan, Segment::new(steps)));
        begin
    }

    /// Saves the current binding for the next round.
    pub(super) fn save(&self, plan: usize, joined: usize) -> Partial {
        let state = &*self.shared.state.borrow();
        Partial {
            plan,
            joined,
            trigger: Some(state.trigger),
            cells: Some(state.save()),
        }
    }

    /// Returns whether partial bindings remain that this round does not process.
    pub(super) fn is_waiting(&self) -> bool {
        self.shared.waiting.get() > 0
    }

    /// Returns the number of atoms that remain to be joined.
    #[inline]
    pub(super) fn left(&self, partial: &Partial) -> usize {
        self.courses[partial.plan].joins.len() - partial.joined
    }

    /// Returns the path and key by which the next atom finds its facts; `None` if no fact can match.
    #[inline]
    pub(super) fn seek(&self, plan: usize, joined: usize) -> Option<(Path, Key)> {
        let state = &*self.shared.state.borrow();
        let tables = &state.model.tables;
        let (binding, before) = (&state.frame.binding, |strictly: bool| {
            state
                .trigger
                .number()
                .checked_sub(u32::from(strictly))
                .map(FactId::new)
        });
        let any = FactId::new(u32::MAX);
        let (path, columns, until) = match &self.stage.plans[plan].steps[self.courses[plan].joins[joined]] {
            Step::Walk {
                index,
                probe,
                finished,
                not_trigger,
                ..
            } => {
                let entries = self.shared.entries.borrow();
                let directory = &entries.get(*index).directory;
                let columns = directory.number(&tables.domains, probe, binding)?;
                let until = if *finished { any } else { before(*not_trigger)? };
                (Path::Index(*index as u32), columns, until)
            }
            Step::Known {
                relation,
                probe,
                finished,
                or_trigger,
                ..
            } => {
                let key = tables.rows[relation.index()].key(&tables.domains);
                let columns = key.number(&tables.domains, probe, binding)?;
                let until = if *finished { any } else { before(!or_trigger)? };
                (Path::Whole(*relation), columns, until)
            }
            _ => return None,
        };
        Some((path, Key { columns, until }))
    }

    /// Extends the binding by an entry of the next atom. The iterator yields once per binding of the static atoms after that
    /// atom.
    #[inline]
    pub(super) fn extend(&self, plan: usize, joined: usize, entry: Entry) -> Extend<'_, 'r, 'a> {
        let course = &self.courses[plan];
        let state = &mut *self.shared.state.borrow_mut();
        let step = &self.stage.plans[plan].steps[course.joins[joined]];
        let taken = match step {
            Step::Walk { .. } => self.pay(state),
            _ => !self.ended.get(),
        };
        if taken {
            self.take(state, step, entry);
        }
        let segment = if taken {
            Segment::new(course.segment(joined + 1))
        } else {
            Segment::done()
        };
        Extend {
            joins: self,
            plan,
            segment,
        }
    }

    #[inline]
    fn take(&self, state: &mut State, step: &Step, entry: Entry) {
        let frame = &mut state.frame;
        match step {
            Step::Walk {
                index,
                binds,
                premise,
                ..
            } => {
                frame.premises[*premise] = entry.fact;
                let [(0, first), rest @ ..] = &binds[..] else {
                    return;
                };
                frame.binding[*first as usize] = entry.free;
                if !rest.is_empty() {
                    let (relation, row) = state.model.place(entry.fact);
                    let tuple = state.model.tables.rows[relation.index()].tuple(row);
                    let entries = self.shared.entries.borrow();
                    let free = &entries.get(*index).shape().free;
                    for (place, variable) in rest {
                        frame.binding[*variable as usize] = tuple[free[*place as usize] as usize];
                    }
                }
            }
            Step::Known { premise, .. } => frame.premises[*premise] = entry.fact,
            _ => {}
        }
    }

    /// Advances to the next binding of the static atoms of a segment; returns `false` if there is no further binding.
    #[inline]
    fn advance(&self, plan: usize, segment: &mut Segment) -> bool {
        if self.ended.get() {
            return false;
        }
        let state = &mut *self.shared.state.borrow_mut();
        loop {
            let Frame {
                binding,
                premises,
                cursors,
                ..
            } = &mut state.frame;
            let mut join = Join {
                binding,
                premises,
                cursors,
                fuel: state.fuel,
                trigger: state.trigger,
            };
            let tables = &state.model.tables;
            let progress = join.statics(&self.stage.plans[plan], segment, tables, tables);
            state.fuel = join.fuel;
            match progress {
                Progress::Found => return true,
                Progress::End => return false,
                Progress::OutOfFuel if self.refuel(state) => {}
                Progress::OutOfFuel => return false,
            }
        }
    }

    /// Counts an entry; returns `false` if the evaluation has ended.
    #[inline]
    fn pay(&self, state: &mut State) -> bool {
        let able = !self.ended.get() && (state.fuel > 0 || self.refuel(state));
        if able {
            state.fuel -= 1;
        }
        able
    }

    /// Checks the limits when the fuel is used up; returns `false` if the evaluation has ended.
    #[cold]
    fn refuel(&self, state: &mut State) -> bool {
        let report = &mut **self.report.borrow_mut();
        let firings = self.firings.take();
        report.watch.spend(RuleId::new(state.rule as u32), 0, firings);
        report.look(self.shared, &state.model);
        state.fuel = report.watch.fuel();
        self.ended.set(report.ended.is_some());
        report.ended.is_none()
    }

    /// Counts the work of the current rule.
    #[inline]
    fn settle(&self) {
        let state = self.shared.state.borrow();
        let watch = &mut self.report.borrow_mut().watch;
        watch.spend(RuleId::new(state.rule as u32), state.fuel, self.firings.take());
    }

    /// Iterates over the heads of a rule whose body holds, to be inserted into the relation `fact`. The end of the iteration
    /// reports the firing to the sink.
    #[inline]
    pub(super) fn conclude(&self, plan: usize) -> Conclude<'_, 'r, 'a> {
        let rule = self.courses[plan].rule;
        let state = &mut *self.shared.state.borrow_mut();
        let code = &state.codes[rule];
        replace(&code.replaced, &mut state.frame.binding);
        Conclude {
            joins: self,
            heads: 0..code.heads.len() as u32,
        }
    }

    #[inline]
    fn fire(&self) {
        let state = &*self.shared.state.borrow();
        let (code, frame) = (&state.codes[state.rule], &state.frame);
        let report = &mut **self.report.borrow_mut();
        let end = report.sink.fired(&Firing {
            rule: RuleId::new(state.rule as u32),
            binding: &frame.binding[..code.variables],
            premises: &frame.premises[..code.premises],
            conclusions: &frame.conclusions[..code.heads.len()],
        });
        self.firings.set(self.firings.get() + 1);
        if end.is_break() {
            report.ended = Some(EvaluationError::Stopped);
            self.ended.set(true);
        }
    }
}

/// The iterator of [`Joins::places`].
pub(super) struct Places<'r> {
    shared: &'r Shared,
    fact: FactId,
    relation: RelationId,
    row: u32,
    next: usize,
}

impl Iterator for Places<'_> {
    type Item = (Path, Key, Entry);

    #[inline]
    fn next(&mut self) -> Option<(Path, Key, Entry)> {
        let tables = &self.shared.state.borrow().model.tables;
        let tuple = tables.rows[self.relation.index()].tuple(self.row);
        loop {
            let index = *tables.walks_of[self.relation.index()].get(self.next)?;
            self.next += 1;
            let entries = &mut *self.shared.entries.borrow_mut();
            let growing = entries.get_mut(index);
            let Some(columns) = growing.key(&tables.domains, tuple) else {
                continue;
            };
            let key = Key {
                columns,
                until: self.fact,
            };
            let free = growing.shape().free.first();
            let entry = Entry {
                fact: self.fact,
                free: free.map_or(Symbol::new(0), |column| tuple[*column as usize]),
            };
            return Some((Path::Index(index as u32), key, entry));
        }
    }
}

/// The iterator of [`Joins::begin`].
pub(super) struct Begin<'j, 'r, 'a> {
    joins: &'j Joins<'r, 'a>,
    fact: FactId,
    row: u32,
    plans: std::slice::Iter<'j, usize>,
    at: Option<(usize, Segment)>,
}

impl Iterator for Begin<'_, '_, '_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            if let Some((plan, segment)) = &mut self.at {
                if self.joins.advance(*plan, segment) {
                    return Some(*plan);
                }
                self.joins.settle();
                self.at = None;
            }
            let plan = *self.plans.next()?;
            self.at = self
                .matches(plan)
                .then(|| (plan, Segment::new(self.joins.courses[plan].segment(0))));
        }
    }
}

impl Begin<'_, '_, '_> {
    /// Binds the variables of the trigger; returns `false` if the fact does not match.
    #[inline]
    fn matches(&self, plan: usize) -> bool {
        let Some(trigger) = &self.joins.stage.plans[plan].trigger else {
            return false;
        };
        let state = &mut *self.joins.shared.state.borrow_mut();
        let tables = &state.model.tables;
        let tuple = tables.rows[trigger.relation.index()].tuple(self.row);
        let mut join = Join {
            binding: &mut state.frame.binding,
            premises: &mut state.frame.premises,
            cursors: &mut state.frame.cursors,
            fuel: 0,
            trigger: self.fact,
        };
        let matches = join.begin_with(trigger, &tables.domains, tuple);
        (state.rule, state.trigger) = (self.joins.courses[plan].rule, self.fact);
        matches && self.joins.pay(state)
    }
}

/// The iterator of [`Joins::extend`].
pub(super) struct Extend<'j, 'r, 'a> {
    joins: &'j Joins<'r, 'a>,
    plan: usize,
    segment: Segment,
}

impl Iterator for Extend<'_, '_, '_> {
    type Item = ();

    #[inline]
    fn next(&mut self) -> Option<()> {
        self.joins.advance(self.plan, &mut self.segment).then_some(())
    }
}

/// The iterator of [`Joins::conclude`].
pub(super) struct Conclude<'j, 'r, 'a> {
    joins: &'j Joins<'r, 'a>,
    heads: Range<u32>,
}

impl Iterator for Conclude<'_, '_, '_> {
    type Item = Fact;

    #[inline]
    fn next(&mut self) -> Option<Fact> {
        let head = self.heads.next();
        if head.is_none() {
            self.joins.fire();
        }
        head.map(Fact::Said)
    }
}
