//! The update of a view by `ascent`: one fixed program that reads the delta rules as data.
//!
//! The relations of the view are kept from update to update in its database. An update runs the program once. Its rounds
//! are [phases](Phase), and each phase joins the facts that changed with the facts that are kept:
//!
//! - [`Phase::Ended`] finds the bindings that held before a set of changes and hold no longer. The database still has the
//!   old facts.
//! - [`Phase::Begun`] finds the bindings that hold since those changes. The database has the new facts.
//! - [`Phase::Fall`], [`Phase::Ground`] and [`Phase::Rise`] delete and rederive the facts of a recursive component.
//!
//! A binding with several changed facts is counted for the first of its literals that changed. The first set of changes
//! are those of the input. Each further set are the facts of one component that began or ceased to hold.

mod changes;
mod entries;
mod joins;
mod schedule;
mod singles;

use std::cell::{Cell, RefCell};

use ascent::ascent_run;
use herbrand_limits::{BudgetExhausted, Meter};

use crate::eval::database::BucketWalk;
use crate::eval::rule::Frame;
use crate::program::ids::{RelationId, Symbol};

use super::deltas::{Class, DeltaRules};
use super::facts::FactSet;
use super::network::Network;
use super::{HeadChanges, ViewState};

use changes::{Change, Changes};
use entries::{Bucket, Entries};
use joins::Partial;
use singles::Singles;

/// The buffers of updates, empty in between.
#[derive(Clone, Debug)]
pub(super) struct Delta {
    frame: Frame<BucketWalk>,
    work: Work,
}

/// The facts that change.
#[derive(Clone, Debug, Default)]
struct Work {
    /// For each component, the heads that rules gained or lost since its last update.
    touched: Vec<HeadChanges>,
    singles: Singles,
    /// The component that is updated next.
    component: usize,
    /// The current set of changes, with their truth and number of bindings from now on; during [`Phase::Ground`], the
    /// facts that may be derived again.
    batch: FactSet,
    holds: Vec<bool>,
    counts: Vec<u32>,
    /// Whether the database has the new facts of the batch already.
    flipped: bool,
    /// The relations of the facts that cease to hold, and of the facts that begin to hold, as bits by their number modulo 64.
    relations: [u64; 2],
    /// The facts of a recursive component that were deleted, and the facts that were derived after that.
    fallen: FactSet,
    risen: FactSet,
    /// The rows of the current phase, as a range of the batch, `fallen` or `risen`.
    rows: (usize, usize),
    /// A tuple in use.
    tuple: Vec<Symbol>,
    /// The memory of the relation `changed`, between updates.
    spare: Vec<(Change,)>,
}

/// The phase of an update: the kind of facts that the rules of one round find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The bindings that the batch ends.
    Ended,
    /// The bindings that the batch begins.
    Begun,
    /// The facts of a recursive component that depend on facts which were deleted.
    Fall,
    /// The deleted and touched facts that have a derivation.
    Ground,
    /// The facts of a recursive component that follow from facts which were added.
    Rise,
    /// Nothing: the update is complete.
    Done,
}

/// Receives the changes of derived facts.
type Report<'a> = dyn FnMut(&mut Meter, RelationId, &[Symbol], bool) + 'a;

/// The current binding, the facts that change, and the budget.
struct State<'a> {
    frame: &'a mut Frame<BucketWalk>,
    work: &'a mut Work,
    meter: &'a mut Meter,
}

/// An update in progress. Ascent reads the facts while it adds heads, so these have a cell each.
struct Update<'a> {
    network: &'a Network,
    rules: &'a DeltaRules,
    kept: RefCell<&'a mut ViewState>,
    state: RefCell<State<'a>>,
    report: RefCell<&'a mut Report<'a>>,
    phase: Cell<Phase>,
    /// The plan of the current binding.
    plan: Cell<usize>,
    /// Whether the current row of [`Phase::Ground`] has a derivation.
    settled: Cell<bool>,
    /// Whether heads were found that matter to other rules.
    goes_on: Cell<bool>,
    /// Whether partial bindings were saved in this round.
    postponed: Cell<bool>,
    /// The bytes charged for the partial bindings of this phase.
    saved: Cell<u64>,
}

impl Delta {
    pub(super) fn new(rules: &DeltaRules, components: usize) -> Self {
        Self {
            frame: rules.frame(),
            work: Work {
                touched: vec![HeadChanges::default(); components],
                ..Work::default()
            },
        }
    }

    /// Changes the input of a view, and updates its model.
    pub(super) fn update<'t>(
        &mut self,
        (network, rules): (&Network, &DeltaRules),
        kept: &mut ViewState,
        changes: impl IntoIterator<Item = (RelationId, &'t [Symbol], bool)>,
        meter: &mut Meter,
        report: &mut Report<'_>,
    ) -> Result<(), BudgetExhausted> {
        let Self { frame, work } = self;
        work.start();
        for (relation, tuple, holds) in changes {
            let fits = network.is_input(relation) && kept.database.fits(relation, tuple);
            if fits && kept.database.contains(relation, tuple) != holds {
                work.change(relation, tuple, holds, 0, meter);
            }
        }
        propagate(network, rules, kept, work, frame, meter, report);
        meter.exhausted().map_or(Ok(()), Err)
    }
}

/// Updates a view by the changes in the batch.
fn propagate<'a>(
    network: &'a Network,
    rules: &'a DeltaRules,
    kept: &'a mut ViewState,
    work: &'a mut Work,
    frame: &'a mut Frame<BucketWalk>,
    meter: &'a mut Meter,
    report: &'a mut Report<'a>,
) {
    let update = Update {
        network,
        rules,
        kept: RefCell::new(kept),
        state: RefCell::new(State { frame, work, meter }),
        report: RefCell::new(report),
        phase: Cell::new(Phase::Ended),
        plan: Cell::new(0),
        settled: Cell::new(false),
        goes_on: Cell::new(false),
        postponed: Cell::new(false),
        saved: Cell::new(0),
    };
    run(&update);
}

/// Runs the ascent program.
fn run<'a>(update: &'a Update<'a>) {
    let changes = Changes::new(update);
    if changes.is_empty() {
        return;
    }
    // Assigning the relation's common index field is the only way to give ascent its storage.
    ascent_run! {
        struct Propagation<'a>;

        /// `changed(c)`: fact `c` belongs to the current phase.
        #[ds(crate::view::ascent::changes)]
        relation changed(Change) = { _self.__changed_ind_common = changes; Default::default() };

        /// `entry(b, s)`: bucket `b`, which has the facts under one key of an index, has the fact in slot `s`.
        #[ds(crate::view::ascent::entries)]
        relation entry(Bucket, u32) = { _self.__entry_ind_common = Entries::new(update); Default::default() };

        /// `partial(b)`: the first atoms of a body hold under binding `b`, and the others remain to be joined.
        #[ds(crate::eval::ascent::queue)]
        relation partial(Partial);

        // A changed fact, joined with none to three kept facts.
        changed(head) <--
            changed(c), for plan in update.begin(*c, Class::None),
            for head in update.conclude(plan);
        changed(head) <--
            changed(c), for plan in update.begin(*c, Class::One),
            if let Some(bucket) = update.seek(plan, 0), entry(bucket, slot), for () in update.extend(plan, 0, bucket, *slot),
            for head in update.conclude(plan);
        changed(head) <--
            changed(c), for plan in update.begin(*c, Class::Two),
            if let Some(bucket) = update.seek(plan, 0), entry(bucket, slot), for () in update.extend(plan, 0, bucket, *slot),
            if let Some(bucket2) = update.seek(plan, 1), entry(bucket2, slot2), for () in update.extend(plan, 1, bucket2, *slot2),
            for head in update.conclude(plan);
        changed(head) <--
            changed(c), for plan in update.begin(*c, Class::Three),
            if let Some(bucket) = update.seek(plan, 0), entry(bucket, slot), for () in update.extend(plan, 0, bucket, *slot),
            if let Some(bucket2) = update.seek(plan, 1), entry(bucket2, slot2), for () in update.extend(plan, 1, bucket2, *slot2),
            if let Some(bucket3) = update.seek(plan, 2), entry(bucket3, slot3), for () in update.extend(plan, 2, bucket3, *slot3),
            for head in update.conclude(plan);

        // Longer bodies, one atom a round.
        partial(longer) <--
            changed(c), for plan in update.begin(*c, Class::More),
            let longer = update.save(plan, 0, *c);
        partial(longer) <--
            partial(b), if update.left(b) > 1, if let Some(bucket) = update.resume(b), entry(bucket, slot),
            for () in update.extend(b.plan, b.joined, bucket, *slot),
            let longer = update.save(b.plan, b.joined + 1, b.row);
        changed(head) <--
            partial(b), if update.left(b) == 1, if let Some(bucket) = update.resume(b), entry(bucket, slot),
            for () in update.extend(b.plan, b.joined, bucket, *slot),
            for head in update.conclude(b.plan);

        // The next phase.
        changed(Change::Next) <-- changed(_c), if update.goes_on();
        changed(Change::Next) <-- partial(_b);
    };
}
