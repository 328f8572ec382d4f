//! The execution of a plan: all bindings of a body, without recursion or allocation.

use crate::plan::{Plan, Step, Trigger};
use crate::program::Term;
use crate::program::ids::{FactId, Symbol};
use crate::store::access::{Lookup, Source};
use crate::store::domain::Domains;

/// Receives the bindings that a join finds.
pub(crate) trait Visitor<L> {
    /// Receives a binding and the facts of its non-static atoms; returns `false` to end the join.
    fn found(&mut self, binding: &mut [Symbol], premises: &[FactId], lookup: &mut L) -> bool;
    /// Returns new fuel when the fuel is used up; `None` ends the join.
    fn refuel(&mut self, lookup: &mut L) -> Option<u64>;
}

/// A join in progress. Its buffers are borrowed, so that they can be reused.
pub(crate) struct Join<'m, W> {
    /// One symbol per variable.
    pub binding: &'m mut [Symbol],
    /// The facts of the non-static atoms.
    pub premises: &'m mut [FactId],
    /// The position of each step that is a walk.
    pub cursors: &'m mut [Cursor<W>],
    /// The number of entries that may be tried before the join must refuel.
    pub fuel: u64,
    /// The fact that triggered the join.
    pub trigger: FactId,
}

/// The position of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<W> {
    at: u32,
    end: u32,
    walk: W,
}

/// A range of steps of a plan without walks over numbered facts, and the current position in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    start: usize,
    end: usize,
    at: usize,
    /// Whether the current step begins, as opposed to continuing with its next entry.
    enter: bool,
}

/// The result of advancing a [`Segment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// All steps succeeded with a new binding.
    Found,
    /// There is no further binding.
    End,
    /// The segment needs fuel to continue.
    OutOfFuel,
}

impl Segment {
    pub(crate) fn new(steps: std::ops::Range<usize>) -> Self {
        Self {
            start: steps.start,
            end: steps.end,
            at: steps.start,
            enter: true,
        }
    }

    /// Returns a segment without further bindings.
    pub(crate) fn done() -> Self {
        Self {
            enter: false,
            ..Self::new(0..0)
        }
    }

    /// Reports success once and backtracks to the last walk.
    #[inline]
    fn found(&mut self, plan: &Plan) -> Progress {
        if !self.enter {
            return Progress::End;
        }
        if !self.go_back(plan) {
            (self.at, self.enter) = (self.end, false);
        }
        Progress::Found
    }

    /// Backtracks to the last walk; returns `false` if the range has no walk before.
    #[inline]
    fn go_back(&mut self, plan: &Plan) -> bool {
        let back = plan.back[self.at].filter(|back| *back >= self.start);
        (self.at, self.enter) = (back.unwrap_or(self.end), false);
        back.is_some()
    }
}

impl<W: Copy + Default> Join<'_, W> {
    /// Binds the variables of the trigger from its tuple; returns `false` if the tuple does not match.
    #[inline]
    pub(crate) fn begin_with(&mut self, trigger: &Trigger, domains: &Domains, tuple: &[Symbol]) -> bool {
        let at = |column: u32| tuple[column as usize];
        let matches = trigger
            .constants
            .iter()
            .all(|(column, symbol)| at(*column) == *symbol)
            && trigger
                .filters
                .iter()
                .all(|(column, domain)| domains.contains(*domain, at(*column)))
            && trigger.same.iter().all(|(one, other)| at(*one) == at(*other));
        if matches {
            for (column, variable) in &trigger.binds {
                self.binding[*variable as usize] = at(*column);
            }
            self.premises[trigger.premise] = self.trigger;
        }
        matches
    }

    /// Finds all bindings of a plan by backtracking: if a step fails, the last walk before it continues.
    pub(crate) fn run<S, L, V>(&mut self, plan: &Plan, source: &S, lookup: &mut L, visitor: &mut V)
    where
        S: Source<Walk = W>,
        L: Lookup,
        V: Visitor<L>,
    {
        let Some(last) = plan.last_walk() else {
            if self.hold(&plan.steps, lookup) {
                visitor.found(self.binding, self.premises, lookup);
            }
            return;
        };
        let (mut at, mut enter) = (0, true);
        loop {
            let step = &plan.steps[at];
            if enter && !self.enter(at, step, source, lookup) {
                enter = false;
            } else if at == last {
                if !self.walk_last(last, &plan.steps, source, lookup, visitor) {
                    return;
                }
                enter = false;
            } else {
                if self.fuel == 0 && !self.refuel(lookup, visitor) {
                    return;
                }
                enter = self.advance(at, step, source);
            }
            if enter {
                at += 1;
            } else if let Some(back) = plan.back[at] {
                at = back;
            } else {
                return;
            }
        }
    }

    /// Begins a walk or makes a test; returns `false` if the bucket is missing or the test fails.
    #[inline]
    fn enter<S: Source<Walk = W>>(
        &mut self,
        at: usize,
        step: &Step,
        source: &S,
        lookup: &impl Lookup,
    ) -> bool {
        match step {
            Step::Scan { index, probe, .. } => {
                let scan = source.scan(*index);
                let bucket = scan.directory.find(source.domains(), probe, self.binding);
                let Some(bucket) = bucket else { return false };
                (self.cursors[at].at, self.cursors[at].end) = scan.bucket(bucket);
                true
            }
            Step::Walk { index, probe, .. } => {
                let Some(walk) = source.walk(*index, probe, self.binding) else {
                    return false;
                };
                self.cursors[at].walk = walk;
                true
            }
            check => self.holds(check, lookup),
        }
    }

    /// Binds the next entry of a walk; returns `false` at its end. A test succeeds.
    #[inline]
    fn advance<S: Source<Walk = W>>(&mut self, at: usize, step: &Step, source: &S) -> bool {
        let cursor = &mut self.cursors[at];
        match step {
            Step::Scan { index, binds, .. } => {
                if cursor.at == cursor.end {
                    return false;
                }
                cursor.at += 1;
                let entry = source.scan(*index).entry(cursor.at - 1);
                self.fuel -= 1;
                self.bind(binds, entry);
                true
            }
            Step::Walk {
                index,
                binds,
                premise,
                not_trigger,
                ..
            } => loop {
                let Some(entry) = source.step(*index, &mut cursor.walk) else {
                    return false;
                };
                if !not_trigger || entry[0] != self.trigger.number() {
                    self.fuel -= 1;
                    self.bind_fact(binds, *premise, entry);
                    return true;
                }
            },
            _ => true,
        }
    }

    /// Runs the innermost walk to its end; most of the time is spent here. Returns `false` if the visitor ended the join.
    #[inline]
    fn walk_last<S, L, V>(
        &mut self,
        at: usize,
        steps: &[Step],
        source: &S,
        lookup: &mut L,
        visitor: &mut V,
    ) -> bool
    where
        S: Source<Walk = W>,
        L: Lookup,
        V: Visitor<L>,
    {
        let (step, checks) = (&steps[at], &steps[at + 1..]);
        match step {
            Step::Scan { index, binds, .. } => {
                let Cursor { at, end, .. } = self.cursors[at];
                for entry in source.scan(*index).entries(at, end) {
                    if self.fuel == 0 && !self.refuel(lookup, visitor) {
                        return false;
                    }
                    self.fuel -= 1;
                    self.bind(binds, entry);
                    if self.hold(checks, lookup) && !visitor.found(self.binding, self.premises, lookup) {
                        return false;
                    }
                }
            }
            Step::Walk {
                index,
                binds,
                premise,
                not_trigger,
                ..
            } => {
                let mut walk = self.cursors[at].walk;
                while let Some(entries) = source.step_far(*index, &mut walk) {
                    for entry in entries {
                        if *not_trigger && entry[0] == self.trigger.number() {
                            continue;
                        }
                        if self.fuel == 0 && !self.refuel(lookup, visitor) {
                            return false;
                        }
                        self.fuel -= 1;
                        self.bind_fact(binds, *premise, entry);
                        if self.hold(checks, lookup) && !visitor.found(self.binding, self.premises, lookup) {
                            return false;
                        }
                    }
                }
            }
            _ => {}
        }
        true
    }

    /// Advances to the next binding of a range of steps without walks over numbered facts.
    #[inline]
    pub(crate) fn statics<S: Source<Walk = W>>(
        &mut self,
        plan: &Plan,
        segment: &mut Segment,
        source: &S,
        lookup: &impl Lookup,
    ) -> Progress {
        loop {
            let at = segment.at;
            if at == segment.end {
                return segment.found(plan);
            }
            let step = &plan.steps[at];
            let entered = !segment.enter || self.enter(at, step, source, lookup);
            if entered && self.fuel == 0 && matches!(step, Step::Scan { .. }) {
                segment.enter = false;
                return Progress::OutOfFuel;
            }
            if entered && self.advance(at, step, source) {
                (segment.at, segment.enter) = (at + 1, true);
            } else if !segment.go_back(plan) {
                return Progress::End;
            }
        }
    }

    #[cold]
    pub(crate) fn refuel<L, V: Visitor<L>>(&mut self, lookup: &mut L, visitor: &mut V) -> bool {
        let fuel = visitor.refuel(lookup);
        self.fuel = fuel.unwrap_or(0);
        self.fuel > 0
    }

    #[inline]
    fn bind(&mut self, binds: &[(u32, u32)], entry: &[Symbol]) {
        for (place, variable) in binds {
            self.binding[*variable as usize] = entry[*place as usize];
        }
    }

    #[inline]
    fn bind_fact(&mut self, binds: &[(u32, u32)], premise: usize, entry: &[u32]) {
        self.premises[premise] = FactId::new(entry[0]);
        for (place, variable) in binds {
            self.binding[*variable as usize] = Symbol::new(entry[1 + *place as usize]);
        }
    }

    /// Returns whether all of these tests succeed.
    #[inline]
    pub(crate) fn hold(&mut self, checks: &[Step], lookup: &impl Lookup) -> bool {
        checks.iter().all(|check| self.holds(check, lookup))
    }

    #[inline]
    fn holds(&mut self, check: &Step, lookup: &impl Lookup) -> bool {
        match check {
            Step::Distinct(left, right) => symbol(*left, self.binding) != symbol(*right, self.binding),
            Step::Member { relation, probe } => lookup.find(*relation, probe, self.binding).is_some(),
            Step::Absent { relation, probe } => lookup.find(*relation, probe, self.binding).is_none(),
            Step::Known {
                relation,
                probe,
                premise,
                finished,
                or_trigger,
            } => {
                let Some(fact) = lookup.find(*relation, probe, self.binding) else {
                    return false;
                };
                self.premises[*premise] = FactId::new(fact);
                *finished || fact < self.trigger.number() || (*or_trigger && fact == self.trigger.number())
            }
            Step::Scan { .. } | Step::Walk { .. } => true,
        }
    }
}

#[inline]
fn symbol(term: Term, binding: &[Symbol]) -> Symbol {
    match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    }
}
