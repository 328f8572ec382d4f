//! The update of a view: one fact after the other, one component after the other.
//!
//! The input goes from the old to the new in steps of one fact. Before a step, each rule that the fact takes part in is
//! asked which of its bindings the step ends; after it, which it begins: so every binding that comes or goes is found
//! once, by the step that made it. The heads are noted with their component. When all that a component depends on is
//! new, it is settled, and the facts of it that change take their steps in turn.

use std::ops::ControlFlow;

use super::network::{Network, Reader};
use super::{Buffers, Kept, Touched, View, Work};
use crate::{Database, RelationId, Symbol};

impl View {
    /// Changes the input: each change is a fact of a relation that no rule derives and whether it holds from now on; a
    /// fact must not be named twice. `report` is told of every derived fact that begins or ceases to hold, once.
    ///
    /// Facts of static or derived relations, and such as do not fit the program, are passed over.
    pub fn update<'t>(
        &mut self,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        mut report: impl FnMut(RelationId, &[Symbol], bool),
    ) {
        let Self { network, kept, work } = self;
        for (relation, tuple, holds) in changes {
            if network.is_input(relation) && kept.database.contains(relation, tuple) != holds {
                kept.flip(network, relation, tuple, holds);
            }
        }
        for (component, group) in network.components.iter().enumerate() {
            if kept.touched[component].facts.len() == 0 {
                continue;
            }
            let mut touched = std::mem::take(&mut kept.touched[component]);
            if group.recursive {
                kept.rederive(network, &touched, work, &mut report);
            } else {
                kept.recount(network, &touched, work, &mut report);
            }
            touched.clear();
            kept.touched[component] = touched;
            work.clear();
        }
    }
}

impl Kept {
    /// Notes from how many bindings the fact of a slot follows.
    pub(super) fn set_count(&mut self, relation: RelationId, slot: u32, count: u32) {
        let counts = &mut self.counts[relation.index()];
        if counts.len() <= slot as usize {
            counts.resize(slot as usize + 1, 0);
        }
        counts[slot as usize] = count;
    }

    /// One step: a fact begins or ceases to hold. Notes what that does to components above its own. The slot of the fact,
    /// if it begins to hold.
    fn flip(
        &mut self,
        network: &Network,
        relation: RelationId,
        tuple: &[Symbol],
        holds: bool,
    ) -> Option<u32> {
        let readers = network.readers[relation.index()]
            .iter()
            .filter(|reader| !reader.within);
        let ended = readers.clone().filter(|reader| reader.negative == holds);
        ended.for_each(|reader| self.note(network, reader, tuple, -1));
        let slot = if holds {
            self.database.insert_slot(relation, tuple)
        } else {
            self.database.remove(relation, tuple);
            None
        };
        let begun = readers.filter(|reader| reader.negative != holds);
        begun.for_each(|reader| self.note(network, reader, tuple, 1));
        slot
    }

    /// Notes the heads of all bindings in which `reader` reads this fact.
    fn note(&mut self, network: &Network, reader: &Reader, tuple: &[Symbol], gain: i64) {
        let Some(component) = network.component[reader.head.relation.index()] else {
            return;
        };
        let touched = &mut self.touched[component];
        each_head(&self.database, reader, tuple, &mut self.buffers, |head| {
            touched.note(reader.head.relation, head, gain);
        });
    }

    /// Settles a component of which no fact depends on itself: by counting.
    fn recount(
        &mut self,
        network: &Network,
        touched: &Touched,
        work: &mut Work,
        report: &mut impl FnMut(RelationId, &[Symbol], bool),
    ) {
        for (number, gain) in touched.gains.iter().enumerate().filter(|(_, gain)| **gain != 0) {
            let (relation, tuple) = touched.facts.get(number);
            let slot = self.database.slot(relation, tuple);
            let old = slot.map_or(0, |slot| self.counts[relation.index()][slot as usize]);
            let new = u32::try_from(i64::from(old) + gain).unwrap_or(0);
            match slot {
                Some(slot) if new > 0 => self.counts[relation.index()][slot as usize] = new,
                None if new == 0 => {}
                _ => work.net.push((number, new)),
            }
        }
        for &(number, count) in &work.net {
            let (relation, tuple) = touched.facts.get(number);
            if let Some(slot) = self.flip(network, relation, tuple, count > 0) {
                self.set_count(relation, slot, count);
            }
            report(relation, tuple, count > 0);
        }
    }

    /// Settles a component in which facts depend on each other: takes out what may have lost its ground, and puts
    /// back what has one.
    fn rederive(
        &mut self,
        network: &Network,
        touched: &Touched,
        work: &mut Work,
        report: &mut impl FnMut(RelationId, &[Symbol], bool),
    ) {
        self.take_out(network, touched, work);
        self.put_back(network, touched, work);
        // The component goes back to what it was, so that its changes can be steps for those above.
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
            self.flip(network, relation, tuple, holds);
            report(relation, tuple, holds);
        }
    }

    /// Takes out every fact that lost a binding, and what follows from such facts.
    fn take_out(&mut self, network: &Network, touched: &Touched, work: &mut Work) {
        let Work {
            stack,
            fallen,
            current,
            ..
        } = work;
        let lost = (0..touched.facts.len()).filter(|&number| touched.lost[number]);
        for (relation, tuple) in lost.map(|number| touched.facts.get(number)) {
            if self.database.contains(relation, tuple) {
                stack.push(fallen.insert(relation, tuple));
            }
        }
        while let Some(number) = stack.pop() {
            let (relation, tuple) = fallen.get(number);
            current.clear();
            current.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                each_head(&self.database, reader, current, &mut self.buffers, |head| {
                    let (relation, known) = (reader.head.relation, fallen.len());
                    // What a step has begun in components below is no binding of what was.
                    if self.database.contains(relation, head) && fallen.insert(relation, head) == known {
                        stack.push(known);
                    }
                });
            }
            self.database.remove(relation, current);
        }
    }

    /// Puts in every fact that has a ground: those taken out, those that gained a binding, and what follows.
    fn put_back(&mut self, network: &Network, touched: &Touched, work: &mut Work) {
        let Work {
            stack,
            fallen,
            risen,
            current,
            ..
        } = work;
        for (relation, tuple) in fallen.iter().chain(touched.facts.iter()) {
            if !self.database.contains(relation, tuple) && self.has_ground(network, relation, tuple) {
                self.database.insert(relation, tuple);
                stack.push(risen.insert(relation, tuple));
            }
        }
        while let Some(number) = stack.pop() {
            let (relation, tuple) = risen.get(number);
            current.clear();
            current.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                let first = risen.len();
                each_head(&self.database, reader, current, &mut self.buffers, |head| {
                    if !self.database.contains(reader.head.relation, head) {
                        risen.insert(reader.head.relation, head);
                    }
                });
                for new in first..risen.len() {
                    let (relation, tuple) = risen.get(new);
                    self.database.insert(relation, tuple);
                    stack.push(new);
                }
            }
        }
    }

    /// Whether a fact follows from what holds now by some rule.
    fn has_ground(&mut self, network: &Network, relation: RelationId, tuple: &[Symbol]) -> bool {
        let (supports, given) = (&network.supports[relation.index()], &mut self.buffers.given);
        supports
            .iter()
            .any(|support| support.read(tuple, given) && support.query.holds(&self.database, given))
    }
}

/// Calls `see` with the head of every binding in which a reader reads this fact, and none of its earlier ones does.
fn each_head(
    database: &Database,
    reader: &Reader,
    tuple: &[Symbol],
    Buffers { given, head }: &mut Buffers,
    mut see: impl FnMut(&[Symbol]),
) {
    if !reader.access.read(tuple, given) {
        return;
    }
    let _: ControlFlow<()> = reader.access.query.for_each(database, given, |binding| {
        if !reader.is_repeated(tuple, binding) {
            reader.conclude(binding, head);
            see(head);
        }
        ControlFlow::Continue(())
    });
}

impl Touched {
    fn note(&mut self, relation: RelationId, tuple: &[Symbol], gain: i64) {
        let number = self.facts.insert(relation, tuple);
        if number == self.gains.len() {
            self.gains.push(0);
            self.lost.push(false);
        }
        self.gains[number] += gain;
        self.lost[number] |= gain < 0;
    }

    fn clear(&mut self) {
        self.facts.clear();
        self.gains.clear();
        self.lost.clear();
    }
}

impl Work {
    fn clear(&mut self) {
        self.stack.clear();
        self.fallen.clear();
        self.risen.clear();
        self.net.clear();
    }
}
