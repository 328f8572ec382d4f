//! Running a plan: one binding after the other, without recursion or allocation.

use crate::domain::Domains;
use crate::index::StaticIndex;
use crate::key::Probe;
use crate::plan::{Plan, Step, Trigger};
use crate::{FactId, RelationId, Symbol, Term};

/// Where a join finds facts.
pub(crate) trait Source {
    /// A walk along a bucket of numbered facts.
    type Walk: Copy + Default;

    fn domains(&self) -> &Domains;
    /// A static index.
    fn scan(&self, index: usize) -> &StaticIndex;
    /// Whether a static relation holds the tuple that the probe reads off the symbols.
    fn member(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> bool;
    /// The number of the fact of a non-static relation.
    fn known(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32>;
    /// Begins to walk along the bucket of a key.
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<Self::Walk>;
    /// The next entry: a fact's number, then the symbols of the free columns.
    fn step(&self, index: usize, walk: &mut Self::Walk) -> Option<&[u32]>;
}

/// How a search for a binding ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The binding and the premises are in place.
    Found,
    /// There is none (left).
    Exhausted,
    /// The fuel is used up; go on when there is more.
    Paused,
}

/// A join under way. Its memory is lent, so that it can be used again.
pub(crate) struct Join<'m, W> {
    /// One symbol for each variable.
    pub binding: &'m mut [Symbol],
    /// The facts of the non-static atoms.
    pub premises: &'m mut [FactId],
    /// For each step that is a walk, how far it has come.
    pub cursors: &'m mut [Cursor<W>],
    /// How many more entries may be tried before a pause.
    pub fuel: u64,
    /// The fact that began the join.
    pub trigger: FactId,
    /// The walk to go on with.
    pub resume: Option<usize>,
}

/// A place on a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<W> {
    at: u32,
    end: u32,
    walk: W,
}

impl<W: Copy + Default> Join<'_, W> {
    /// Begins with the tuple of the trigger; false if it does not match.
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

    /// Finds the first binding.
    #[inline]
    pub(crate) fn first<S: Source<Walk = W>>(&mut self, plan: &Plan, source: &S) -> Outcome {
        self.search(plan, source, 0, true)
    }

    /// Finds the next binding, or goes on after a pause.
    #[inline]
    pub(crate) fn next<S: Source<Walk = W>>(&mut self, plan: &Plan, source: &S) -> Outcome {
        match self.resume {
            Some(at) => self.search(plan, source, at, false),
            None => Outcome::Exhausted,
        }
    }

    /// Does the steps from `at` on; where one fails, the last walk before it goes on. `enter` says whether
    /// the step is new or a walk to go on with.
    #[inline]
    fn search<S: Source<Walk = W>>(
        &mut self,
        plan: &Plan,
        source: &S,
        mut at: usize,
        mut enter: bool,
    ) -> Outcome {
        loop {
            let Some(step) = plan.steps.get(at) else {
                self.resume = plan.back[at];
                return Outcome::Found;
            };
            let holds = if enter && !self.enter(at, step, source) {
                false
            } else {
                match step {
                    Step::Scan { .. } | Step::Walk { .. } if self.fuel == 0 => {
                        self.resume = Some(at);
                        return Outcome::Paused;
                    }
                    Step::Scan { index, binds, .. } => self.scan(at, source.scan(*index), binds),
                    Step::Walk {
                        index,
                        binds,
                        premise,
                        not_trigger,
                        ..
                    } => {
                        let not = not_trigger.then_some(self.trigger);
                        self.walk(at, source, *index, binds, *premise, not)
                    }
                    _ => true,
                }
            };
            if holds {
                (at, enter) = (at + 1, true);
            } else if let Some(back) = plan.back[at] {
                (at, enter) = (back, false);
            } else {
                self.resume = None;
                return Outcome::Exhausted;
            }
        }
    }

    /// Begins a walk, false if there is nothing to walk along; or does a check.
    #[inline]
    fn enter<S: Source<Walk = W>>(&mut self, at: usize, step: &Step, source: &S) -> bool {
        match step {
            Step::Scan { index, probe, .. } => {
                let scan = source.scan(*index);
                let Some(bucket) = scan.directory.find(source.domains(), probe, self.binding) else {
                    return false;
                };
                let cursor = &mut self.cursors[at];
                (cursor.at, cursor.end) = scan.bucket(bucket);
                true
            }
            Step::Walk { index, probe, .. } => {
                let Some(walk) = source.walk(*index, probe, self.binding) else {
                    return false;
                };
                self.cursors[at].walk = walk;
                true
            }
            Step::Member { relation, probe } => source.member(*relation, probe, self.binding),
            Step::Absent { relation, probe } => source.known(*relation, probe, self.binding).is_none(),
            Step::Known {
                relation,
                probe,
                premise,
                finished,
                or_trigger,
            } => {
                let Some(fact) = source.known(*relation, probe, self.binding) else {
                    return false;
                };
                let before = fact < self.trigger.number() + u32::from(*or_trigger);
                self.premises[*premise] = FactId::new(fact);
                *finished || before
            }
            Step::Distinct(left, right) => symbol(*left, self.binding) != symbol(*right, self.binding),
        }
    }

    /// Takes the next entry of a static bucket.
    #[inline]
    fn scan(&mut self, at: usize, scan: &StaticIndex, binds: &[(u32, u32)]) -> bool {
        let cursor = &mut self.cursors[at];
        if cursor.at == cursor.end {
            return false;
        }
        let entry = scan.entry(cursor.at);
        for (place, variable) in binds {
            self.binding[*variable as usize] = entry[*place as usize];
        }
        cursor.at += 1;
        self.fuel -= 1;
        true
    }

    /// Takes the next entry of a bucket of facts.
    #[inline]
    fn walk<S: Source<Walk = W>>(
        &mut self,
        at: usize,
        source: &S,
        index: usize,
        binds: &[(u32, u32)],
        premise: usize,
        not: Option<FactId>,
    ) -> bool {
        let walk = &mut self.cursors[at].walk;
        let Some(mut entry) = source.step(index, walk) else {
            return false;
        };
        if not.is_some_and(|not| entry[0] == not.number()) {
            let Some(next) = source.step(index, walk) else {
                return false;
            };
            entry = next;
        }
        self.premises[premise] = FactId::new(entry[0]);
        for (place, variable) in binds {
            self.binding[*variable as usize] = Symbol::new(entry[1 + *place as usize]);
        }
        self.fuel -= 1;
        true
    }
}

#[inline]
fn symbol(term: Term, binding: &[Symbol]) -> Symbol {
    match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    }
}
