//! The update of a view, fact by fact and component by component.
//!
//! The input changes in steps of one fact. Before a step, queries find the bindings that it ends; after the step, queries
//! find the bindings that it begins. So each gained or lost binding is found exactly once, in the step that causes it. The
//! heads of these bindings are recorded with their component. When all components below a component are up to date, the
//! component is updated, and each fact of it that changes is a step in turn.

use std::ops::ControlFlow;

use herbrand_limits::{Budget, BudgetExhausted, Meter, outside};

use super::network::{Network, Reader};
use super::{Buffers, COUNT, HeadChanges, LARGE, View, ViewState, Work};
use crate::eval::database::Database;
use crate::program::ids::{RelationId, Symbol};

/// The bytes recorded per fact, in growing lists.
const GAIN: u64 = 3 * 9;

impl View {
    /// Changes the input of the view and updates its model. A change is a fact of an input relation, as its relation
    /// and tuple, and whether it holds from now on; the changes must not contain a fact twice. Calls `report` once for
    /// every derived fact that begins (`true`) or ceases (`false`) to hold. A change to the truth value that its fact
    /// already has does nothing.
    ///
    /// The update is completed even if a budget that encloses the call is exhausted, so that the view stays consistent.
    /// To stop long updates, call [`update_within`](Self::update_within).
    ///
    /// Changes are ignored if their fact is of a static or derived relation or does not fit the program.
    pub fn update<'t>(
        &mut self,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        mut report: impl FnMut(RelationId, &[Symbol], bool),
    ) {
        let mut unlimited = Budget::unlimited().meter("updating");
        // Without limits there is no error.
        let _ = outside(|| {
            self.update_within(changes, &mut unlimited, |_, relation, tuple, holds| {
                report(relation, tuple, holds);
            })
        });
    }

    /// Like [`update`](Self::update), within the budget of `meter`. The memory by which the view grows is charged to the
    /// meter, which is passed to `report`.
    ///
    /// # Errors
    /// If the budget is exhausted. The view is then inconsistent and must be dropped.
    pub fn update_within<'t>(
        &mut self,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        meter: &mut Meter,
        mut report: impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) -> Result<(), BudgetExhausted> {
        let Self {
            network,
            kept,
            work,
            deltas,
        } = self;
        if let Some(deltas) = deltas {
            let rules = (&**network, &*deltas.rules);
            return deltas.delta.update(rules, kept, changes, meter, &mut report);
        }
        for (relation, tuple, holds) in changes {
            let fits = network.is_input(relation) && kept.database.fits(relation, tuple);
            if fits && kept.database.contains(relation, tuple) != holds {
                kept.flip(network, relation, tuple, holds, meter);
            }
        }
        for (component, group) in network.components.iter().enumerate() {
            if kept.touched[component].facts.len() == 0 {
                continue;
            }
            let mut touched = std::mem::take(&mut kept.touched[component]);
            if group.recursive {
                kept.rederive(network, &touched, work, meter, &mut report);
            } else {
                kept.recount(network, &touched, work, meter, &mut report);
            }
            meter.release(touched.clear() + work.clear());
            kept.touched[component] = touched;
        }
        meter.exhausted().map_or(Ok(()), Err)
    }
}

impl ViewState {
    /// Stores the number of bindings that derive the fact in a slot.
    pub(super) fn set_count(&mut self, relation: RelationId, slot: u32, count: u32, meter: &mut Meter) {
        let counts = &mut self.counts[relation.index()];
        let known = counts.len();
        if known <= slot as usize {
            counts.resize(slot as usize + 1, 0);
            let bytes = COUNT * (counts.len() - known) as u64;
            self.count_bytes += bytes;
            meter.charge(bytes);
        }
        counts[slot as usize] = count;
    }

    /// Adds a fact; returns its slot if it is new.
    pub(super) fn insert(
        &mut self,
        relation: RelationId,
        tuple: &[Symbol],
        meter: &mut Meter,
    ) -> Option<u32> {
        let before = self.database.bytes();
        let slot = self.database.insert_slot(relation, tuple);
        meter.charge(self.database.bytes() - before);
        slot
    }

    /// Changes one fact, and records the effects on the components above its own. Returns the slot of the fact if it begins
    /// to hold.
    fn flip(
        &mut self,
        network: &Network,
        relation: RelationId,
        tuple: &[Symbol],
        holds: bool,
        meter: &mut Meter,
    ) -> Option<u32> {
        let readers = network.readers[relation.index()]
            .iter()
            .filter(|reader| !reader.within);
        let ended = readers.clone().filter(|reader| reader.negative == holds);
        ended.for_each(|reader| self.note(network, reader, tuple, -1, meter));
        let slot = if holds {
            self.insert(relation, tuple, meter)
        } else {
            self.database.remove(relation, tuple);
            None
        };
        let begun = readers.filter(|reader| reader.negative != holds);
        begun.for_each(|reader| self.note(network, reader, tuple, 1, meter));
        slot
    }

    /// Records the heads of all bindings in which `reader` matches this fact.
    fn note(&mut self, network: &Network, reader: &Reader, tuple: &[Symbol], gain: i64, meter: &mut Meter) {
        let Some(component) = network.component[reader.head.relation.index()] else {
            return;
        };
        let touched = &mut self.touched[component];
        let (database, buffers) = (&self.database, &mut self.buffers);
        each_head(database, reader, tuple, buffers, meter, |meter, head| {
            touched.note(reader.head.relation, head, gain, meter);
        });
    }

    /// Updates a non-recursive component, by counting.
    fn recount(
        &mut self,
        network: &Network,
        touched: &HeadChanges,
        work: &mut Work,
        meter: &mut Meter,
        report: &mut impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) {
        for (number, gain) in touched.gains.iter().enumerate().filter(|(_, gain)| **gain != 0) {
            let (relation, tuple) = touched.facts.get(number);
            let slot = self.database.slot(relation, tuple);
            let old = slot.map_or(0, |slot| self.counts[relation.index()][slot as usize]);
            let new = u32::try_from(i64::from(old) + gain).unwrap_or(0);
            match slot {
                Some(slot) if new > 0 => self.counts[relation.index()][slot as usize] = new,
                None if new == 0 => {}
                _ if meter.push(&mut work.net, (number, new)) => {}
                _ => return,
            }
        }
        for &(number, count) in &work.net {
            let (relation, tuple) = touched.facts.get(number);
            if let Some(slot) = self.flip(network, relation, tuple, count > 0, meter) {
                self.set_count(relation, slot, count, meter);
            }
            report(meter, relation, tuple, count > 0);
            if meter.is_spent() {
                return;
            }
        }
    }

    /// Updates a recursive component: deletes all facts that may have lost their derivations, and inserts all facts that
    /// have one.
    fn rederive(
        &mut self,
        network: &Network,
        touched: &HeadChanges,
        work: &mut Work,
        meter: &mut Meter,
        report: &mut impl FnMut(&mut Meter, RelationId, &[Symbol], bool),
    ) {
        self.take_out(network, touched, work, meter);
        self.put_back(network, touched, work, meter);
        if meter.is_spent() {
            return;
        }
        // Restores the old state of the component, so that its changes can be applied as steps for the components above.
        let Work { fallen, risen, .. } = work;
        for (relation, tuple) in risen.iter().filter(|(r, t)| !fallen.contains(*r, t)) {
            self.database.remove(relation, tuple);
        }
        for (relation, tuple) in fallen.iter().filter(|(r, t)| !risen.contains(*r, t)) {
            self.database.insert(relation, tuple);
        }
        let begun = risen
            .iter()
            .filter(|(r, t)| !fallen.contains(*r, t))
            .map(|fact| (fact, true));
        let ended = fallen
            .iter()
            .filter(|(r, t)| !risen.contains(*r, t))
            .map(|fact| (fact, false));
        for ((relation, tuple), holds) in ended.chain(begun) {
            self.flip(network, relation, tuple, holds, meter);
            report(meter, relation, tuple, holds);
            if meter.is_spent() {
                return;
            }
        }
    }

    /// Deletes every fact that lost a binding, and all facts derived from deleted facts.
    fn take_out(&mut self, network: &Network, touched: &HeadChanges, work: &mut Work, meter: &mut Meter) {
        let Work {
            stack,
            fallen,
            current,
            ..
        } = work;
        let lost = (0..touched.facts.len()).filter(|&number| touched.lost[number]);
        for (relation, tuple) in lost.map(|number| touched.facts.get(number)) {
            if self.database.contains(relation, tuple) {
                stack.push(fallen.insert_within(relation, tuple, meter));
            }
        }
        while !meter.is_spent()
            && let Some(number) = stack.pop()
        {
            let (relation, tuple) = fallen.get(number);
            current.clear();
            current.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                let (database, buffers) = (&self.database, &mut self.buffers);
                each_head(database, reader, current, buffers, meter, |meter, head| {
                    let (relation, known) = (reader.head.relation, fallen.len());
                    // A head that is not in the database is not a fact of the old state: a binding found here may be new in
                    // components below.
                    if database.contains(relation, head)
                        && fallen.insert_within(relation, head, meter) == known
                    {
                        stack.push(known);
                    }
                });
            }
            self.database.remove(relation, current);
        }
    }

    /// Inserts every fact that has a derivation: deleted facts, facts that gained a binding, and their consequences.
    fn put_back(&mut self, network: &Network, touched: &HeadChanges, work: &mut Work, meter: &mut Meter) {
        let Work {
            stack,
            fallen,
            risen,
            current,
            ..
        } = work;
        for (relation, tuple) in fallen.iter().chain(touched.facts.iter()) {
            if meter.is_spent() {
                return;
            }
            if !self.database.contains(relation, tuple) && self.has_ground(network, relation, tuple, meter) {
                self.insert(relation, tuple, meter);
                stack.push(risen.insert_within(relation, tuple, meter));
            }
        }
        while !meter.is_spent()
            && let Some(number) = stack.pop()
        {
            let (relation, tuple) = risen.get(number);
            current.clear();
            current.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                let first = risen.len();
                let (database, buffers) = (&self.database, &mut self.buffers);
                each_head(database, reader, current, buffers, meter, |meter, head| {
                    if !database.contains(reader.head.relation, head) {
                        risen.insert_within(reader.head.relation, head, meter);
                    }
                });
                for new in first..risen.len() {
                    let (relation, tuple) = risen.get(new);
                    self.insert(relation, tuple, meter);
                    stack.push(new);
                }
            }
        }
    }

    /// Returns whether some rule derives a fact from the facts that hold now.
    fn has_ground(
        &mut self,
        network: &Network,
        relation: RelationId,
        tuple: &[Symbol],
        meter: &mut Meter,
    ) -> bool {
        let (supports, given) = (&network.supports[relation.index()], &mut self.buffers.given);
        supports.iter().any(|support| {
            support.read(tuple, given) && support.query.holds_within(&self.database, given, meter)
        })
    }
}

/// Calls `see` with the head of every binding in which the reader, and no earlier literal, matches this fact. Stops if the
/// meter is exhausted.
fn each_head(
    database: &Database,
    reader: &Reader,
    tuple: &[Symbol],
    Buffers { given, head }: &mut Buffers,
    meter: &mut Meter,
    mut see: impl FnMut(&mut Meter, &[Symbol]),
) {
    if !meter.charge(0) || !reader.access.read(tuple, given) {
        return;
    }
    let query = reader.access.query;
    let _: ControlFlow<()> = query.for_each_within(database, given, meter, |meter, binding| {
        if !reader.is_repeated(tuple, binding) {
            reader.conclude(binding, head);
            see(meter, head);
        }
        if meter.charge(0) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
}

impl HeadChanges {
    pub(super) fn note(&mut self, relation: RelationId, tuple: &[Symbol], gain: i64, meter: &mut Meter) {
        let number = self.facts.insert_within(relation, tuple, meter);
        if number == self.gains.len() {
            meter.charge(GAIN);
            self.gains.push(0);
            self.lost.push(false);
        }
        self.gains[number] += gain;
        self.lost[number] |= gain < 0;
    }

    /// Clears the heads; returns the bytes that were charged for them.
    pub(super) fn clear(&mut self) -> u64 {
        let bytes = self.facts.bytes() + GAIN * self.gains.len() as u64;
        if bytes > LARGE {
            *self = Self::default();
        }
        self.facts.clear();
        self.gains.clear();
        self.lost.clear();
        bytes
    }
}

impl Work {
    /// Clears the buffers; returns the bytes that were charged for them.
    fn clear(&mut self) -> u64 {
        let bytes = self.fallen.bytes() + self.risen.bytes();
        if bytes + size_of_val(self.net.as_slice()) as u64 > LARGE {
            *self = Self::default();
        }
        self.stack.clear();
        self.fallen.clear();
        self.risen.clear();
        self.net.clear();
        bytes
    }
}
