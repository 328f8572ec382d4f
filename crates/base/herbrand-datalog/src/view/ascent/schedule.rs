//! The phases of an update: the facts that each round finds, and their processing before the next round.

use herbrand_limits::Meter;

use super::changes::Change;
use super::joins::bit;
use super::{Phase, Report, Update, Work};
use crate::program::ids::{RelationId, Symbol};
use crate::view::deltas::{DeltaRules, first_list};
use crate::view::facts::FactSet;
use crate::view::network::Network;
use crate::view::{HeadChanges, LARGE, ViewState};

/// Room for more rows than this is freed after an update.
const ROOM: usize = 1 << 12;

/// The parts of an update that change between rounds.
struct Schedule<'s, 'a> {
    network: &'a Network,
    rules: &'a DeltaRules,
    kept: &'s mut ViewState,
    work: &'s mut Work,
    meter: &'s mut Meter,
    report: &'s mut Report<'a>,
}

impl<'a> Update<'a> {
    /// Begins the first phase that has rows.
    pub(super) fn start(&self, rows: &mut Vec<(Change,)>) {
        self.schedule(|schedule| {
            let first = schedule.begin_batch();
            schedule.go(first, rows)
        });
    }

    /// Ends a round, and begins the next phase that has rows, unless partial bindings are left for the next round.
    pub(super) fn advance(&self, rows: &mut Vec<(Change,)>) {
        self.settled.set(false);
        if !self.postponed.take() {
            let phase = self.phase.get();
            let saved = self.saved.take();
            self.schedule(|schedule| {
                schedule.meter.release(saved);
                let next = schedule.after(phase);
                let phase = schedule.go(next, rows);
                if phase == Phase::Done && rows.capacity() <= ROOM {
                    schedule.work.spare = std::mem::take(rows);
                }
                phase
            });
        }
    }

    fn schedule(&self, go: impl FnOnce(&mut Schedule<'_, 'a>) -> Phase) {
        let state = &mut *self.state.borrow_mut();
        let phase = go(&mut Schedule {
            network: self.network,
            rules: self.rules,
            kept: &mut self.kept.borrow_mut(),
            work: state.work,
            meter: state.meter,
            report: &mut **self.report.borrow_mut(),
        });
        self.phase.set(phase);
    }
}

impl Schedule<'_, '_> {
    /// Lists the rows of a phase; goes on to later phases until one has rows. Returns that phase.
    fn go(&mut self, mut phase: Phase, rows: &mut Vec<(Change,)>) -> Phase {
        while phase != Phase::Done && !self.meter.is_spent() {
            let (start, end) = self.work.rows;
            for row in start..end {
                let (relation, _) = self.work.fact(phase, row as u32);
                let use_of = self.work.use_of(phase, row);
                if self.rules.is_used(relation, use_of) {
                    rows.push((Change::Numbered(row as u32, first_list(relation, use_of)),));
                }
            }
            if !rows.is_empty() {
                return phase;
            }
            phase = self.after(phase);
        }
        Phase::Done
    }

    /// Does what follows a phase; returns the next phase.
    fn after(&mut self, phase: Phase) -> Phase {
        match phase {
            Phase::Ended => {
                self.flip();
                Phase::Begun
            }
            Phase::Begun => self.next_component(),
            Phase::Fall => self.fall(),
            Phase::Ground => {
                self.work.rows = (0, 0);
                self.rise()
            }
            Phase::Rise => self.rise(),
            Phase::Done => Phase::Done,
        }
    }

    /// Begins the phases of the batch. Facts that no rule reads are changed at once.
    fn begin_batch(&mut self) -> Phase {
        self.work.rows = (0, self.work.batch.len());
        Phase::Ended
    }

    /// Updates the database by the batch.
    fn flip(&mut self) {
        let Self {
            network,
            kept,
            work,
            meter,
            report,
            ..
        } = self;
        if !std::mem::replace(&mut work.flipped, true) {
            for (number, (relation, tuple)) in work.batch.iter().enumerate() {
                if meter.is_spent() {
                    return;
                }
                change(
                    (network, kept, meter, report),
                    (relation, tuple, work.holds[number]),
                    work.counts[number],
                );
            }
        }
    }

    /// Ends the batch, and begins the update of the next component with touched heads.
    fn next_component(&mut self) -> Phase {
        self.work.end_batch(self.meter);
        self.work.singles.end_batch();
        while let Some(group) = self.network.components.get(self.work.component) {
            let component = self.work.component;
            self.work.component += 1;
            if self.work.touched[component].facts.len() == 0 {
                continue;
            }
            let mut touched = std::mem::take(&mut self.work.touched[component]);
            let phase = if group.recursive {
                self.take_out(&touched)
            } else {
                self.recount(&touched);
                Phase::Ended
            };
            // The heads of a recursive component are needed until they are rederived.
            if phase == Phase::Ended {
                self.meter.release(touched.clear());
            }
            self.work.touched[component] = touched;
            if phase == Phase::Fall || self.work.batch.len() > 0 {
                return phase;
            }
        }
        self.settle_singles();
        Phase::Done
    }

    /// Changes the facts with a single derivation.
    fn settle_singles(&mut self) {
        let mut singles = std::mem::take(&mut self.work.singles);
        if singles.may_repeat() {
            // Counting leaves out what began and ended again.
            for (relation, tuple, begins) in singles.iter() {
                if let Some(component) = self.network.component[relation.index()] {
                    let gain = if begins { 1 } else { -1 };
                    self.work.touched[component].note(relation, tuple, gain, self.meter);
                }
            }
            for component in 0..self.work.touched.len() {
                let mut touched = std::mem::take(&mut self.work.touched[component]);
                self.recount(&touched);
                self.meter.release(touched.clear());
                self.work.touched[component] = touched;
            }
        } else {
            let Self {
                network,
                rules,
                kept,
                meter,
                report,
                ..
            } = self;
            for (relation, tuple, begins) in singles.iter() {
                if rules.is_unstored(relation) {
                    report(meter, relation, tuple, begins);
                } else {
                    change((network, kept, meter, report), (relation, tuple, begins), 1);
                }
                if meter.is_spent() {
                    break;
                }
            }
        }
        self.meter.release(singles.clear());
        self.work.singles = singles;
    }

    /// Collects the changes of a non-recursive component, by counting.
    fn recount(&mut self, touched: &HeadChanges) {
        let Self {
            network,
            rules,
            kept,
            work,
            meter,
            report,
        } = self;
        for (number, gain) in touched.gains.iter().enumerate().filter(|(_, gain)| **gain != 0) {
            let (relation, tuple) = touched.facts.get(number);
            if rules.is_unstored(relation) {
                report(meter, relation, tuple, *gain > 0);
                continue;
            }
            let counts = &mut kept.counts[relation.index()];
            let after = |count: u32| u32::try_from(i64::from(count) + gain).unwrap_or(0);
            if rules.is_unread(relation) {
                // No binding depends on when a fact changes that no rule reads.
                let lost = |slot: u32| {
                    counts[slot as usize] = after(counts[slot as usize]);
                    counts[slot as usize] == 0
                };
                match kept.database.remove_if(relation, tuple, lost) {
                    Some(true) => report(meter, relation, tuple, false),
                    None if *gain > 0 => {
                        change((network, kept, meter, report), (relation, tuple, true), after(0))
                    }
                    _ => {}
                }
            } else {
                let slot = kept.database.slot(relation, tuple);
                let count = after(slot.map_or(0, |slot| counts[slot as usize]));
                match slot {
                    Some(slot) if count > 0 => counts[slot as usize] = count,
                    None if count == 0 => {}
                    _ => work.change(relation, tuple, count > 0, count, meter),
                }
            }
            if meter.is_spent() {
                return;
            }
        }
        work.rows = (0, work.batch.len());
    }

    /// Begins the update of a recursive component: collects every fact that lost a binding.
    fn take_out(&mut self, touched: &HeadChanges) -> Phase {
        let Self {
            kept, work, meter, ..
        } = self;
        let lost = (0..touched.facts.len()).filter(|&number| touched.lost[number]);
        for (relation, tuple) in lost.map(|number| touched.facts.get(number)) {
            if kept.database.contains(relation, tuple) {
                work.fallen.insert_within(relation, tuple, meter);
            }
        }
        work.rows = (0, work.fallen.len());
        Phase::Fall
    }

    /// Goes on with the facts that fell in the last round. If there are none, deletes all that fell, and lists the facts
    /// that may have a derivation: these, and the facts that gained a binding.
    fn fall(&mut self) -> Phase {
        let Self {
            kept, work, meter, ..
        } = self;
        let (known, fallen) = (work.rows.1, work.fallen.len());
        if known < fallen {
            work.rows = (known, fallen);
            return Phase::Fall;
        }
        for (relation, tuple) in work.fallen.iter() {
            kept.database.remove(relation, tuple);
        }
        let touched = &mut work.touched[work.component - 1];
        for (relation, tuple) in work.fallen.iter().chain(touched.facts.iter()) {
            if !kept.database.contains(relation, tuple) && !meter.is_spent() {
                work.batch.insert_within(relation, tuple, meter);
            }
        }
        meter.release(touched.clear());
        work.rows = (0, work.batch.len());
        Phase::Ground
    }

    /// Adds the facts that rose in the last round. If there are none, begins the batch of the component's changes.
    fn rise(&mut self) -> Phase {
        let (known, risen) = (self.work.rows.1, self.work.risen.len());
        for number in known..risen {
            let (relation, tuple) = self.work.risen.get(number);
            self.kept.insert(relation, tuple, self.meter);
            if self.meter.is_spent() {
                return Phase::Done;
            }
        }
        self.work.rows = (known, risen);
        if known < risen {
            return Phase::Rise;
        }
        self.settle();
        self.begin_batch()
    }

    /// Makes the batch of the changes of a recursive component. The database gets the old facts back if a rule may read them.
    fn settle(&mut self) {
        let Self {
            network,
            rules,
            kept,
            work,
            meter,
            report,
        } = self;
        let (fallen, risen) = (std::mem::take(&mut work.fallen), std::mem::take(&mut work.risen));
        work.end_batch(meter);
        let ended = fallen.iter().filter(|(r, t)| !risen.contains(*r, t));
        let begun = risen.iter().filter(|(r, t)| !fallen.contains(*r, t));
        let ended = ended.map(|fact| (fact, false));
        for ((relation, tuple), holds) in ended.chain(begun.map(|fact| (fact, true))) {
            if meter.is_spent() {
                break;
            }
            work.change(relation, tuple, holds, 0, meter);
        }
        (work.fallen, work.risen) = (fallen, risen);
        empty(&mut work.fallen, meter);
        empty(&mut work.risen, meter);
        let ends = |number: usize| {
            let use_of = work.use_of(Phase::Ended, number);
            rules.is_used(work.batch.get(number).0, use_of)
        };
        if (0..work.batch.len()).any(ends) {
            for (number, (relation, tuple)) in work.batch.iter().enumerate() {
                if work.holds[number] {
                    kept.database.remove(relation, tuple);
                } else {
                    kept.database.insert(relation, tuple);
                }
            }
        } else {
            work.flipped = true;
            for (number, (relation, tuple)) in work.batch.iter().enumerate() {
                if network.component[relation.index()].is_some() {
                    report(meter, relation, tuple, work.holds[number]);
                }
            }
        }
    }
}

/// Changes a fact in the database, and reports the change of a derived fact.
fn change(
    (network, kept, meter, report): (&Network, &mut ViewState, &mut Meter, &mut Report<'_>),
    (relation, tuple, holds): (RelationId, &[Symbol], bool),
    count: u32,
) {
    let slot = if holds {
        kept.insert(relation, tuple, meter)
    } else {
        kept.database.remove(relation, tuple);
        None
    };
    if network.component[relation.index()].is_some() {
        if let Some(slot) = slot {
            kept.set_count(relation, slot, count, meter);
        }
        report(meter, relation, tuple, holds);
    }
}

/// Empties a set of facts.
fn empty(facts: &mut FactSet, meter: &mut Meter) {
    let bytes = facts.bytes();
    meter.release(bytes);
    if bytes > LARGE {
        *facts = FactSet::default();
    } else {
        facts.clear();
    }
}

impl Work {
    /// Prepares for an update.
    pub(super) fn start(&mut self) {
        self.component = 0;
    }

    /// Adds a fact that changes to the batch.
    pub(super) fn change(
        &mut self,
        relation: RelationId,
        tuple: &[Symbol],
        holds: bool,
        count: u32,
        meter: &mut Meter,
    ) {
        self.batch.insert_within(relation, tuple, meter);
        self.holds.push(holds);
        self.counts.push(count);
        self.relations[usize::from(holds)] |= bit(relation);
    }

    fn end_batch(&mut self, meter: &mut Meter) {
        empty(&mut self.batch, meter);
        self.holds.clear();
        self.counts.clear();
        (self.flipped, self.relations) = (false, [0; 2]);
    }
}
