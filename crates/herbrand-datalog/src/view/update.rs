//! The update of a view: one fact after the other, one component after the other.
//!
//! The input goes from the old to the new in steps of one fact. Before a step, each rule that the fact takes part in is
//! asked which of its bindings the step ends; after it, which it begins: so every binding that comes or goes is found
//! once, by the step that made it. The heads are noted with their component. When all that a component depends on is
//! new, it is settled, and the facts of it that change take their steps in turn.

use std::ops::ControlFlow;

use super::network::{Network, Reader};
use super::{Touched, View, Work};
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
        for (relation, tuple, holds) in changes {
            if self.network.is_input(relation) && self.database.contains(relation, tuple) != holds {
                self.flip(relation, tuple, holds);
            }
        }
        let network = self.network.clone();
        for (component, group) in network.components.iter().enumerate() {
            if self.touched[component].facts.len() == 0 {
                continue;
            }
            let mut touched = std::mem::take(&mut self.touched[component]);
            let mut work = std::mem::take(&mut self.work);
            if group.recursive {
                self.rederive(&touched, &mut work, &mut report);
            } else {
                self.recount(&touched, &mut work, &mut report);
            }
            touched.clear();
            self.touched[component] = touched;
            self.work = work.emptied();
        }
    }

    pub(super) fn set_count(&mut self, relation: RelationId, tuple: &[Symbol], count: u32) {
        let Some(slot) = self.database.slot(relation, tuple) else {
            return;
        };
        let counts = &mut self.counts[relation.index()];
        if counts.len() <= slot as usize {
            counts.resize(slot as usize + 1, 0);
        }
        counts[slot as usize] = count;
    }

    /// One step: a fact begins or ceases to hold. Notes what that does to components above its own.
    fn flip(&mut self, relation: RelationId, tuple: &[Symbol], holds: bool) {
        let network = self.network.clone();
        let readers = network.readers[relation.index()]
            .iter()
            .filter(|reader| !reader.within);
        let ended = readers.clone().filter(|reader| reader.negative == holds);
        ended.for_each(|reader| self.note(&network, reader, tuple, -1));
        if holds {
            self.database.insert(relation, tuple);
        } else {
            self.database.remove(relation, tuple);
        }
        let begun = readers.filter(|reader| reader.negative != holds);
        begun.for_each(|reader| self.note(&network, reader, tuple, 1));
    }

    /// Notes the heads of all bindings in which `reader` reads this fact.
    fn note(&mut self, network: &Network, reader: &Reader, tuple: &[Symbol], gain: i64) {
        let Some(component) = network.component[reader.head.relation.index()] else {
            return;
        };
        let (touched, work) = (&mut self.touched[component], &mut self.work);
        each_head(
            &self.database,
            reader,
            tuple,
            &mut work.given,
            &mut work.head,
            |head| {
                touched.note(reader.head.relation, head, gain);
            },
        );
    }

    /// Settles a component of which no fact depends on itself: by counting.
    fn recount(
        &mut self,
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
            self.flip(relation, tuple, count > 0);
            if count > 0 {
                self.set_count(relation, tuple, count);
            }
            report(relation, tuple, count > 0);
        }
    }

    /// Settles a component in which facts depend on each other: takes out what may have lost its ground, and puts
    /// back what has one.
    fn rederive(
        &mut self,
        touched: &Touched,
        work: &mut Work,
        report: &mut impl FnMut(RelationId, &[Symbol], bool),
    ) {
        self.take_out(touched, work);
        self.put_back(touched, work);
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
            self.flip(relation, tuple, holds);
            report(relation, tuple, holds);
        }
    }

    /// Takes out every fact that lost a binding, and what follows from such facts.
    fn take_out(&mut self, touched: &Touched, work: &mut Work) {
        let Work {
            given,
            head,
            stack,
            fallen,
            ..
        } = work;
        let network = self.network.clone();
        let lost = (0..touched.facts.len()).filter(|&number| touched.lost[number]);
        for (relation, tuple) in lost.map(|number| touched.facts.get(number)) {
            if self.database.contains(relation, tuple) {
                stack.push(fallen.insert(relation, tuple));
            }
        }
        let mut buffer = Vec::new();
        while let Some(number) = stack.pop() {
            let (relation, tuple) = fallen.get(number);
            buffer.clear();
            buffer.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                each_head(&self.database, reader, &buffer, given, head, |head| {
                    let (relation, known) = (reader.head.relation, fallen.len());
                    // What a step has begun in components below is no binding of what was.
                    if self.database.contains(relation, head) && fallen.insert(relation, head) == known {
                        stack.push(known);
                    }
                });
            }
            self.database.remove(relation, &buffer);
        }
    }

    /// Puts in every fact that has a ground: those taken out, those that gained a binding, and what follows.
    fn put_back(&mut self, touched: &Touched, work: &mut Work) {
        let Work {
            given,
            head,
            stack,
            fallen,
            risen,
            ..
        } = work;
        let network = self.network.clone();
        for (relation, tuple) in fallen.iter().chain(touched.facts.iter()) {
            if !self.database.contains(relation, tuple) && self.has_ground(&network, relation, tuple, given) {
                self.database.insert(relation, tuple);
                stack.push(risen.insert(relation, tuple));
            }
        }
        let mut buffer = Vec::new();
        while let Some(number) = stack.pop() {
            let (relation, tuple) = risen.get(number);
            buffer.clear();
            buffer.extend_from_slice(tuple);
            for reader in network.readers[relation.index()]
                .iter()
                .filter(|reader| reader.within)
            {
                let first = risen.len();
                each_head(&self.database, reader, &buffer, given, head, |head| {
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
    fn has_ground(
        &self,
        network: &Network,
        relation: RelationId,
        tuple: &[Symbol],
        given: &mut Vec<Symbol>,
    ) -> bool {
        let supports = &network.supports[relation.index()];
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
    given: &mut Vec<Symbol>,
    head: &mut Vec<Symbol>,
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
    fn emptied(mut self) -> Self {
        self.stack.clear();
        self.fallen.clear();
        self.risen.clear();
        self.net.clear();
        self
    }
}
