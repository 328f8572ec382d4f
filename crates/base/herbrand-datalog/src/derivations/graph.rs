//! The graph of facts and firings, and which of them hold.
//!
//! ```text
//!   facts     at(t,a)   at(t,b)   road(a,b)          a fact: how often it is given, its reason, its first use, its first support
//!                │ ╲       ▲         │
//!                │  ╲      │ supports│
//!           uses ▼   ╲     │         ▼
//!   firings   drive(t,a,b) ─┘ ◀──────┘               a firing: its rule, its binding, how many premises are missing
//! ```
//!
//! The uses and supports of a fact are linked lists through the premises and conclusions of firings, newest first.

use std::ops::ControlFlow;

use crate::{FactId, Firing, FiringId, RuleId, Sink, Symbol};

/// The known facts and firings, and which of them hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    facts: Vec<Node>,
    firings: Vec<Row>,
    bindings: Vec<Symbol>,
    premises: Vec<Edge>,
    conclusions: Vec<Edge>,
    /// The number of firings without missing premises.
    live: usize,
    /// The facts that ceased and began to hold in the current update, in order.
    gone: Vec<FactId>,
    come: Vec<FactId>,
    /// The firings that ended and began in the current update.
    ended: Vec<FiringId>,
    begun: Vec<FiringId>,
}

/// A fact.
#[derive(Clone, Copy, Debug)]
struct Node {
    given: u32,
    /// The reason why it holds.
    reason: Reason,
    /// The head of the list of its uses as a premise, and of its supports as a conclusion.
    uses: Link,
    supports: Link,
    /// Whether it ceased to hold in the current update.
    went: bool,
}

/// The reason why a fact holds: [`NOT_HELD`], [`GIVEN`], or the number of a firing.
type Reason = u32;
const NOT_HELD: Reason = u32::MAX;
const GIVEN: Reason = u32::MAX - 1;

/// The position of an edge, or [`END`].
type Link = u32;
const END: Link = u32::MAX;

/// A firing. Its binding, premises and conclusions end where those of the next firing begin.
#[derive(Clone, Copy, Debug)]
struct Row {
    rule: RuleId,
    binding: u32,
    premises: u32,
    conclusions: u32,
    missing: u32,
    /// Whether it ended in the current update.
    ended: bool,
}

/// A premise or a conclusion of a firing.
#[derive(Clone, Copy, Debug)]
struct Edge {
    fact: FactId,
    firing: FiringId,
    /// The next edge in the list of the same fact.
    next: Link,
}

/// The changes of an update.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shift {
    /// The facts that hold now and did not hold before.
    pub began: Vec<FactId>,
    /// The facts that held before and do not hold now.
    pub ended: Vec<FactId>,
    /// The firings whose premises all hold now, and did not all hold before.
    pub fired: Vec<FiringId>,
    /// The firings whose premises all held before, and do not all hold now.
    pub ceased: Vec<FiringId>,
}

impl Graph {
    /// Adds nodes until there are `facts` of them.
    pub(super) fn make_room(&mut self, facts: usize) {
        let node = Node {
            given: 0,
            reason: NOT_HELD,
            uses: END,
            supports: END,
            went: false,
        };
        if facts > self.facts.len() {
            self.facts.resize(facts, node);
        }
    }

    /// Marks a fact as given, before any firing is added.
    pub(super) fn give_first(&mut self, fact: FactId) {
        self.make_room(fact.index() + 1);
        let node = &mut self.facts[fact.index()];
        (node.given, node.reason) = (node.given + 1, GIVEN);
    }

    #[inline]
    pub(super) fn holds(&self, fact: FactId) -> bool {
        self.facts[fact.index()].reason != NOT_HELD
    }

    #[inline]
    pub(super) fn given(&self, fact: FactId) -> u32 {
        self.facts[fact.index()].given
    }

    pub(super) fn len(&self) -> usize {
        self.firings.len()
    }

    pub(super) fn live(&self) -> usize {
        self.live
    }

    #[inline]
    pub(super) fn fires(&self, firing: FiringId) -> bool {
        self.firings[firing.index()].missing == 0
    }

    #[inline]
    pub(super) fn rule(&self, firing: FiringId) -> RuleId {
        self.firings[firing.index()].rule
    }

    #[inline]
    pub(super) fn binding(&self, firing: FiringId) -> &[Symbol] {
        let end = self.firings.get(firing.index() + 1);
        let end = end.map_or(self.bindings.len(), |row| row.binding as usize);
        &self.bindings[self.firings[firing.index()].binding as usize..end]
    }

    #[inline]
    pub(super) fn premises(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        let end = self.firings.get(firing.index() + 1);
        let end = end.map_or(self.premises.len(), |row| row.premises as usize);
        let edges = &self.premises[self.firings[firing.index()].premises as usize..end];
        edges.iter().map(|edge| edge.fact)
    }

    #[inline]
    pub(super) fn conclusions(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        self.conclusions[self.concluded(firing)]
            .iter()
            .map(|edge| edge.fact)
    }

    /// Returns the positions of a firing's conclusions.
    #[inline]
    fn concluded(&self, firing: FiringId) -> std::ops::Range<usize> {
        let end = self.firings.get(firing.index() + 1);
        let end = end.map_or(self.conclusions.len(), |row| row.conclusions as usize);
        self.firings[firing.index()].conclusions as usize..end
    }

    /// Applies a list of given and taken facts, and updates all facts and firings that depend on them.
    ///
    /// First, deletion: a fact that is no longer given, or whose reason lost a premise, ceases to hold. Every remaining fact
    /// is derivable from given facts, because its chain of reasons contains no deleted fact. Second, insertion: newly given
    /// facts hold again, and so do deleted facts that are concluded by a firing without missing premises, and all
    /// consequences of both.
    pub(super) fn settle(&mut self, changes: &[(FactId, bool)], shift: &mut Shift) {
        for (fact, _) in changes.iter().filter(|(_, is_given)| !is_given) {
            let node = &mut self.facts[fact.index()];
            node.given = node.given.saturating_sub(1);
            if node.given == 0 && node.reason == GIVEN {
                self.let_go(*fact);
            }
        }
        // If a fact is both taken and given, it is deleted and inserted again, which is no change.
        self.go();
        for (fact, _) in changes.iter().filter(|(_, is_given)| *is_given) {
            let node = &mut self.facts[fact.index()];
            node.given += 1;
            if std::mem::replace(&mut node.reason, GIVEN) == NOT_HELD {
                self.come.push(*fact);
            }
        }
        for index in 0..self.gone.len() {
            let fact = self.gone[index];
            if !self.holds(fact)
                && let Some(firing) = self.supported(fact)
            {
                self.facts[fact.index()].reason = firing.number();
                self.come.push(fact);
            }
        }
        self.come();
        self.report(shift);
    }

    fn let_go(&mut self, fact: FactId) {
        let node = &mut self.facts[fact.index()];
        (node.reason, node.went) = (NOT_HELD, true);
        self.gone.push(fact);
    }

    /// Deletes all facts whose reasons depend on deleted facts.
    fn go(&mut self) {
        let mut next = 0;
        while let Some(fact) = self.gone.get(next) {
            next += 1;
            let mut link = self.facts[fact.index()].uses;
            while link != END {
                let edge = self.premises[link as usize];
                link = edge.next;
                let row = &mut self.firings[edge.firing.index()];
                row.missing += 1;
                if row.missing > 1 {
                    continue;
                }
                row.ended = true;
                self.ended.push(edge.firing);
                for place in self.concluded(edge.firing) {
                    let conclusion = self.conclusions[place].fact;
                    if self.facts[conclusion.index()].reason == edge.firing.number() {
                        self.let_go(conclusion);
                    }
                }
            }
        }
    }

    /// Returns a firing without missing premises that concludes a fact.
    fn supported(&self, fact: FactId) -> Option<FiringId> {
        let mut link = self.facts[fact.index()].supports;
        while link != END {
            let edge = self.conclusions[link as usize];
            if self.fires(edge.firing) {
                return Some(edge.firing);
            }
            link = edge.next;
        }
        None
    }

    /// Inserts all consequences of the inserted facts.
    fn come(&mut self) {
        let mut next = 0;
        while let Some(fact) = self.come.get(next) {
            next += 1;
            let mut link = self.facts[fact.index()].uses;
            while link != END {
                let edge = self.premises[link as usize];
                link = edge.next;
                let row = &mut self.firings[edge.firing.index()];
                row.missing -= 1;
                if row.missing > 0 {
                    continue;
                }
                self.begun.push(edge.firing);
                for place in self.concluded(edge.firing) {
                    let conclusion = self.conclusions[place].fact;
                    let reason = &mut self.facts[conclusion.index()].reason;
                    if *reason == NOT_HELD {
                        *reason = edge.firing.number();
                        self.come.push(conclusion);
                    }
                }
            }
        }
    }

    /// Reports the changes since the last call and clears the change log.
    fn report(&mut self, shift: &mut Shift) {
        let Shift {
            began,
            ended,
            fired,
            ceased,
        } = shift;
        began.clear();
        ended.clear();
        fired.clear();
        ceased.clear();
        let (facts, firings) = (&mut self.facts, &mut self.firings);
        began.extend(self.come.drain(..).filter(|fact| !facts[fact.index()].went));
        fired.extend(
            self.begun
                .drain(..)
                .filter(|firing| !firings[firing.index()].ended),
        );
        for fact in self.gone.drain(..) {
            let node = &mut facts[fact.index()];
            node.went = false;
            if node.reason == NOT_HELD {
                ended.push(fact);
            }
        }
        for firing in self.ended.drain(..) {
            let row = &mut firings[firing.index()];
            row.ended = false;
            if row.missing > 0 {
                ceased.push(firing);
            }
        }
        self.live = self.live + fired.len() - ceased.len();
    }
}

/// Records firings. A new conclusion holds as soon as a firing without missing premises concludes it, so its reason is
/// recorded before it.
impl Sink for Graph {
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        let numbers = [self.firings.len(), self.premises.len(), self.conclusions.len()];
        let symbols = self.bindings.len() + firing.binding.len();
        if numbers.into_iter().chain([symbols]).any(|number| number > MOST) {
            return ControlFlow::Break(());
        }
        let id = FiringId::new(self.firings.len() as u32);
        let mut row = Row {
            rule: firing.rule,
            binding: self.bindings.len() as u32,
            premises: self.premises.len() as u32,
            conclusions: self.conclusions.len() as u32,
            missing: 0,
            ended: false,
        };
        self.bindings.extend_from_slice(firing.binding);
        for &fact in firing.premises {
            self.make_room(fact.index() + 1);
            let node = &mut self.facts[fact.index()];
            row.missing += u32::from(node.reason == NOT_HELD);
            let next = std::mem::replace(&mut node.uses, self.premises.len() as Link);
            let firing = id;
            self.premises.push(Edge { fact, firing, next });
        }
        for &fact in firing.conclusions {
            self.make_room(fact.index() + 1);
            let node = &mut self.facts[fact.index()];
            if row.missing == 0 && node.reason == NOT_HELD {
                node.reason = id.number();
            }
            let next = std::mem::replace(&mut node.supports, self.conclusions.len() as Link);
            let firing = id;
            self.conclusions.push(Edge { fact, firing, next });
        }
        self.live += usize::from(row.missing == 0);
        self.firings.push(row);
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        let lists = [
            self.facts.capacity() * size_of::<Node>(),
            self.firings.capacity() * size_of::<Row>(),
            self.bindings.capacity() * size_of::<Symbol>(),
            (self.premises.capacity() + self.conclusions.capacity()) * size_of::<Edge>(),
            // An update may list every fact and every firing twice, once in its log and once in its report.
            4 * (self.facts.len() + self.firings.len()) * size_of::<FactId>(),
        ];
        lists.iter().sum::<usize>() as u64
    }
}

/// The largest number of firings, premises or conclusions. It leaves space for the premises of one more firing.
const MOST: usize = (u32::MAX - (1 << 16)) as usize;
