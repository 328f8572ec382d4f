//! The functions that the rules of the ascent program call: begin plans, look up buckets, extend the binding, conclude.
//!
//! The current binding is in the frame. One frame is enough, because ascent joins depth first.

use std::ops::Range;

use super::changes::Change;
use super::entries::Bucket;
use super::{Phase, State, Update, Work};
use crate::eval::database::{BucketWalk, Database};
use crate::eval::join::{Join, Progress, Segment};
use crate::eval::rule::Frame;
use crate::program::ids::{FactId, RelationId, Symbol};
use crate::store::access::Source;
use crate::view::deltas::{Between, Class, DeltaPlan, Use, instantiate};

/// A binding of the first atoms of a body, as an ascent column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Partial {
    pub plan: usize,
    /// The number of joined atoms.
    pub joined: usize,
    /// The fact with which the plan began.
    pub row: Change,
    binding: Box<[Symbol]>,
}

impl Partial {
    /// Returns the bytes of a saved binding: a row, its copy in a growing list, and their symbols.
    fn bytes(binding: &[Symbol]) -> u64 {
        4 * (size_of::<Self>() + size_of_val(binding)) as u64
    }
}

/// The number of static entries that are tried between two checks of the budget.
const BETWEEN_CHECKS: u64 = 1 << 14;

impl<'a> Update<'a> {
    fn rule(&self, plan: usize) -> &'a DeltaPlan {
        &self.rules.plans[plan]
    }

    /// Iterates over the plans of a class that a changed fact begins. A plan is repeated for each binding of the static
    /// atoms before its first join.
    #[inline]
    pub(super) fn begin(&'a self, change: Change, class: Class) -> Begin<'a> {
        let (row, plans) = match change {
            Change::Numbered(row, list) => (row, self.rules.begun_by(list, class)),
            _ => (0, &[][..]),
        };
        let mut plans = plans.iter();
        if self.phase.get() == Phase::Ground && !plans.as_slice().is_empty() && self.is_settled(row) {
            plans = [].iter();
        }
        Begin {
            update: self,
            row,
            plans,
            plan: 0,
            steps: Steps::Fail,
        }
    }

    /// Returns whether a fact of [`Phase::Ground`] has a derivation already, and notes it as the current row.
    fn is_settled(&self, row: u32) -> bool {
        let work = &self.state.borrow().work;
        let (relation, tuple) = work.batch.get(row as usize);
        let settled = work.risen.contains(relation, tuple);
        self.settled.set(settled);
        settled
    }

    /// Binds the variables of a plan's first atom, and begins the steps before its first join. They fail if the fact does
    /// not match.
    #[inline]
    fn start_plan(&self, plan: usize, row: u32) -> Steps {
        let (rule, kept) = (self.rule(plan), self.kept.borrow());
        let State { frame, work, meter } = &mut *self.state.borrow_mut();
        let Some(trigger) = &rule.plan.trigger else {
            return Steps::Fail;
        };
        let (_, tuple) = work.fact(self.phase.get(), row);
        let matches = join(frame).begin_with(trigger, kept.database.domains(), tuple);
        if matches && meter.charge(0) {
            enter(rule, &rule.first, frame, &kept.database)
        } else {
            Steps::Fail
        }
    }

    /// Advances to the next binding of the steps between two joins; returns `false` if there is none.
    #[inline]
    fn advance_steps(&self, plan: usize, steps: &mut Steps) -> bool {
        match steps {
            Steps::Fail => false,
            Steps::Once => {
                *steps = Steps::Fail;
                true
            }
            Steps::Scan(segment) => self.scan(plan, segment),
        }
    }

    fn scan(&self, plan: usize, segment: &mut Segment) -> bool {
        let kept = self.kept.borrow();
        let database = &kept.database;
        let State { frame, meter, .. } = &mut *self.state.borrow_mut();
        if self.settled.get() || meter.is_spent() {
            return false;
        }
        loop {
            match join(frame).statics(&self.rule(plan).plan, segment, database, &database) {
                Progress::Found => return true,
                Progress::End => return false,
                Progress::OutOfFuel if meter.check().is_ok() => {}
                Progress::OutOfFuel => return false,
            }
        }
    }

    /// Returns the bucket of the facts that the next atom of a plan can match; `None` if there are none.
    #[inline]
    pub(super) fn seek(&self, plan: usize, joined: usize) -> Option<Bucket> {
        let join = &self.rule(plan).joins[joined];
        let (kept, state) = (self.kept.borrow(), self.state.borrow());
        let bucket = kept
            .database
            .bucket(join.index, &join.probe, &state.frame.binding)?;
        Some(Bucket {
            index: join.index as u32,
            bucket,
        })
    }

    /// Extends the binding by the fact in a slot. The iterator yields once per binding of the static atoms after that atom.
    #[inline]
    pub(super) fn extend(&'a self, plan: usize, joined: usize, bucket: Bucket, slot: u32) -> Extend<'a> {
        let rule = self.rule(plan);
        let mut steps = Steps::Fail;
        let State { frame, meter, .. } = &mut *self.state.borrow_mut();
        if meter.charge(0) && !self.settled.get() {
            let (kept, join) = (self.kept.borrow(), &rule.joins[joined]);
            let free = kept.database.free(join.index, bucket.bucket, slot);
            for (place, variable) in &join.binds {
                frame.binding[*variable as usize] = Symbol::new(free[*place as usize]);
            }
            steps = enter(rule, &join.next, frame, &kept.database);
        }
        Extend {
            update: self,
            plan,
            steps,
        }
    }

    /// Returns the current binding, in which `joined` atoms of a plan are joined, for a later round.
    pub(super) fn save(&self, plan: usize, joined: usize, row: Change) -> Partial {
        self.postponed.set(true);
        let state = &mut *self.state.borrow_mut();
        let binding = state.frame.binding.clone().into_boxed_slice();
        let bytes = Partial::bytes(&binding);
        state.meter.charge(bytes);
        self.saved.set(self.saved.get() + bytes);
        Partial {
            plan,
            joined,
            row,
            binding,
        }
    }

    /// Returns the number of atoms that remain to be joined.
    pub(super) fn left(&self, partial: &Partial) -> usize {
        self.rule(partial.plan).joins.len() - partial.joined
    }

    /// Restores a saved binding, and returns the bucket of the facts that its next atom can match.
    pub(super) fn resume(&self, partial: &Partial) -> Option<Bucket> {
        if let (Phase::Ground, Change::Numbered(row, ..)) = (self.phase.get(), partial.row)
            && self.is_settled(row)
        {
            return None;
        }
        self.state
            .borrow_mut()
            .frame
            .binding
            .copy_from_slice(&partial.binding);
        self.seek(partial.plan, partial.joined)
    }

    /// Iterates over the heads of a rule whose body holds under the current binding.
    #[inline]
    pub(super) fn conclude(&'a self, plan: usize) -> Conclude<'a> {
        self.plan.set(plan);
        let rule = self.rule(plan);
        let across = matches!(self.phase.get(), Phase::Ended | Phase::Begun);
        let heads = if across && self.is_repeated(rule) {
            0..0
        } else {
            0..rule.heads.len() as u32
        };
        Conclude {
            rule,
            within: !across,
            heads,
        }
    }

    /// Returns whether an earlier literal matches another fact of the batch, so that the binding was counted there.
    #[inline]
    fn is_repeated(&self, rule: &DeltaPlan) -> bool {
        if rule.earlier.is_empty() {
            return false;
        }
        let State { work, frame, .. } = &mut *self.state.borrow_mut();
        let Work {
            batch,
            holds,
            relations,
            tuple,
            ..
        } = &mut **work;
        let ended = self.phase.get() == Phase::Ended;
        rule.earlier.iter().any(|(atom, negative)| {
            let truth = *negative == ended;
            if relations[usize::from(truth)] & bit(atom.relation) == 0 {
                return false;
            }
            instantiate(atom, &frame.binding, tuple);
            let changed = batch.find(atom.relation, tuple);
            changed.is_some_and(|number| holds[number] == truth)
        })
    }

    /// Collects a head of the current plan under the current binding. Returns whether the update goes on after this phase.
    #[inline]
    pub(super) fn admit(&self, head: u32) -> bool {
        let head = &self.rule(self.plan.get()).heads[head as usize];
        let atom = &head.atom;
        self.goes_on.set(self.goes_on.get() || head.matters);
        let State { work, frame, meter } = &mut *self.state.borrow_mut();
        let Work {
            tuple,
            touched,
            singles,
            fallen,
            risen,
            ..
        } = &mut **work;
        if head.single {
            let begins = self.phase.get() == Phase::Begun;
            meter.charge(singles.push(atom, &frame.binding, begins));
            return self.goes_on.get();
        }
        instantiate(atom, &frame.binding, tuple);
        let relation = atom.relation;
        let holds = || self.kept.borrow().database.contains(relation, tuple);
        match self.phase.get() {
            phase @ (Phase::Ended | Phase::Begun) => {
                if let Some(component) = self.network.component[relation.index()] {
                    let gain = if phase == Phase::Begun { 1 } else { -1 };
                    touched[component].note(relation, tuple, gain, meter);
                }
            }
            // A head that does not hold is not a fact of the old state: the binding may be new in components below.
            Phase::Fall if holds() => drop(fallen.insert_within(relation, tuple, meter)),
            Phase::Rise if !holds() => drop(risen.insert_within(relation, tuple, meter)),
            Phase::Ground => {
                risen.insert_within(relation, tuple, meter);
                self.settled.set(true);
            }
            Phase::Fall | Phase::Rise | Phase::Done => {}
        }
        self.goes_on.get()
    }

    /// Returns whether another phase follows this one.
    #[inline]
    pub(super) fn goes_on(&self) -> bool {
        self.phase.get() != Phase::Begun || self.goes_on.get()
    }
}

/// The bit of a relation in [`Work::relations`].
pub(super) fn bit(relation: RelationId) -> u64 {
    1 << (relation.index() % 64)
}

/// The progress of the steps between two joins.
enum Steps {
    /// There is no further binding.
    Fail,
    /// There are only tests, and they succeeded.
    Once,
    /// Static atoms yield the bindings.
    Scan(Segment),
}

/// Begins some steps of a plan between joins.
#[inline]
fn enter(rule: &DeltaPlan, between: &Between, frame: &mut Frame<BucketWalk>, database: &Database) -> Steps {
    match between {
        Between::Tests(steps) if steps.is_empty() => Steps::Once,
        Between::Tests(steps) => {
            if join(frame).hold(&rule.plan.steps[steps.clone()], &database) {
                Steps::Once
            } else {
                Steps::Fail
            }
        }
        Between::Scans(steps) => Steps::Scan(Segment::new(steps.clone())),
    }
}

#[inline]
fn join<'f>(frame: &'f mut Frame<BucketWalk>) -> Join<'f, BucketWalk> {
    Join {
        binding: &mut frame.binding,
        premises: &mut frame.premises,
        cursors: &mut frame.cursors,
        fuel: BETWEEN_CHECKS,
        trigger: FactId::new(0),
    }
}

/// The iterator of [`Update::begin`].
pub(super) struct Begin<'a> {
    update: &'a Update<'a>,
    row: u32,
    plans: std::slice::Iter<'a, u32>,
    plan: usize,
    steps: Steps,
}

impl Iterator for Begin<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        // Most facts begin no plan of most classes.
        if self.plans.as_slice().is_empty() && matches!(self.steps, Steps::Fail) {
            return None;
        }
        self.go_on()
    }
}

impl Begin<'_> {
    fn go_on(&mut self) -> Option<usize> {
        while !self.update.advance_steps(self.plan, &mut self.steps) {
            self.plan = *self.plans.next()? as usize;
            self.steps = self.update.start_plan(self.plan, self.row);
        }
        Some(self.plan)
    }
}

/// The iterator of [`Update::extend`].
pub(super) struct Extend<'a> {
    update: &'a Update<'a>,
    plan: usize,
    steps: Steps,
}

impl Iterator for Extend<'_> {
    type Item = ();

    #[inline]
    fn next(&mut self) -> Option<()> {
        self.update
            .advance_steps(self.plan, &mut self.steps)
            .then_some(())
    }
}

/// The iterator of [`Update::conclude`].
pub(super) struct Conclude<'a> {
    rule: &'a DeltaPlan,
    within: bool,
    heads: Range<u32>,
}

impl Iterator for Conclude<'_> {
    type Item = Change;

    #[inline]
    fn next(&mut self) -> Option<Change> {
        let wanted = |head: &u32| self.rule.heads[*head as usize].within == self.within;
        self.heads.find(wanted).map(Change::Said)
    }
}

impl Work {
    /// Returns a fact of a phase.
    #[inline]
    pub(super) fn fact(&self, phase: Phase, row: u32) -> (RelationId, &[Symbol]) {
        let facts = match phase {
            Phase::Ended | Phase::Begun | Phase::Ground | Phase::Done => &self.batch,
            Phase::Fall => &self.fallen,
            Phase::Rise => &self.risen,
        };
        facts.get(row as usize)
    }

    /// Returns what the plans that a fact of a phase begins are used for.
    #[inline]
    pub(super) fn use_of(&self, phase: Phase, row: usize) -> Use {
        match (phase, self.holds.get(row)) {
            (Phase::Ended, Some(false)) | (Phase::Begun, Some(true)) => Use::Positive,
            (Phase::Ended | Phase::Begun | Phase::Done, _) => Use::Negative,
            (Phase::Fall | Phase::Rise, _) => Use::Within,
            (Phase::Ground, _) => Use::Support,
        }
    }
}
