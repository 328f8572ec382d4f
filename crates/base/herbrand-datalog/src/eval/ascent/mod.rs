//! The evaluator on `ascent`: one fixed program that reads the Datalog rules as data.
//!
//! [`Ascent::fixpoint`] runs it once per stratum.

mod entries;
mod facts;
mod joins;
mod partial;
pub(crate) mod queue;
mod shared;

use std::cell::RefCell;
use std::ops::DerefMut;
use std::rc::Rc;

use ascent::ascent_run;
use herbrand_limits::{Instant, Limits};

use crate::eval::firing::Sink;
use crate::eval::limits::{EvaluationError, RuleCounters};
use crate::eval::model::Model;
use crate::plan::body::Body;
use crate::plan::stage::Stage;
use crate::program::Program;
use crate::program::ids::FactId;

use entries::{Entries, Entry, Key, Path};
use facts::{Fact, Facts};
use joins::{Class, Joins, Report};
use partial::{Partial, Stack};
use shared::Shared;

/// An evaluation by ascent.
pub(super) struct Ascent<'a> {
    program: &'a Program,
    shared: Rc<Shared>,
    report: Report<'a>,
}

impl<'a> Ascent<'a> {
    /// Starts with the facts of the input.
    pub(super) fn new(
        program: &'a Program,
        bodies: &[Body],
        input: Model,
        limits: Limits,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let watch = RuleCounters::new(limits, program.rules().len(), Instant::now());
        Self {
            program,
            shared: Rc::new(Shared::new(program, bodies, input, watch.fuel())),
            report: Report::new(program, sink, watch),
        }
    }

    /// Returns the facts found so far.
    pub(super) fn model(&mut self) -> impl DerefMut<Target = Model> {
        self.shared.model()
    }

    /// Computes the fixpoint of one stratum.
    pub(super) fn fixpoint(&mut self, stage: &Stage) {
        let shared = self.shared.clone();
        shared.add_wanted_indexes();
        let sources = stage.sources.iter().copied();
        let run = &Joins::new(self.program, &shared, stage, RefCell::new(&mut self.report));

        // Assigning the relation's common index field is the only way to give ascent its storage.
        ascent_run! {
            /// `fact(f)`: `f` is a fact.
            #[ds(crate::eval::ascent::facts)]
            relation fact(Fact) = { _self.__fact_ind_common = Facts::new(&shared); Default::default() };

            /// `entry(p, k, e)`: a lookup by path `p` and key `k` finds entry `e`.
            #[ds(crate::eval::ascent::entries)]
            relation entry(Path, Key, Entry) = { _self.__entry_ind_common = Entries::new(&shared); Default::default() };

            /// `arrived(f)`: the entries of fact `f` exist, and `f` is to be joined with the facts that arrived before it.
            #[ds(crate::eval::ascent::queue)]
            relation arrived(FactId);

            /// `partial(b)`: the first atoms of a body hold under binding `b`, and the others remain to be joined.
            #[ds(crate::eval::ascent::partial)]
            relation partial(Partial) = { _self.__partial_ind_common = Stack::new(&shared, sources); Default::default() };

            entry(path, key, e) <-- fact(f), if let Some(id) = run.opened(*f), for (path, key, e) in run.places(id);
            arrived(id) <-- fact(f), if let Some(id) = run.opened(*f);

            // Bodies with one to four non-static atoms.
            fact(head) <--
                arrived(f), for plan in run.begin(*f, Class::One),
                for head in run.conclude(plan);
            fact(head) <--
                arrived(f), for plan in run.begin(*f, Class::Two),
                if let Some((path, key)) = run.seek(plan, 0), entry(path, key, e), for () in run.extend(plan, 0, *e),
                for head in run.conclude(plan);
            fact(head) <--
                arrived(f), for plan in run.begin(*f, Class::Three),
                if let Some((path, key)) = run.seek(plan, 0), entry(path, key, e), for () in run.extend(plan, 0, *e),
                if let Some((path2, key2)) = run.seek(plan, 1), entry(path2, key2, e2), for () in run.extend(plan, 1, *e2),
                for head in run.conclude(plan);
            fact(head) <--
                arrived(f), for plan in run.begin(*f, Class::Four),
                if let Some((path, key)) = run.seek(plan, 0), entry(path, key, e), for () in run.extend(plan, 0, *e),
                if let Some((path2, key2)) = run.seek(plan, 1), entry(path2, key2, e2), for () in run.extend(plan, 1, *e2),
                if let Some((path3, key3)) = run.seek(plan, 2), entry(path3, key3, e3), for () in run.extend(plan, 2, *e3),
                for head in run.conclude(plan);

            // Longer bodies, and bodies without a trigger in this stratum.
            partial(b) <-- arrived(f), for b in run.postpone(*f, Class::Longer);
            partial(Partial::others()) <-- partial(_b), if run.is_waiting();
            partial(longer) <--
                partial(b), if run.left(b) > 3, for plan in run.resume(b),
                if let Some((path, key)) = run.seek(plan, b.joined), entry(path, key, e), for () in run.extend(plan, b.joined, *e),
                let longer = run.save(plan, b.joined + 1);
            fact(head) <--
                partial(b), if run.left(b) == 3, for plan in run.resume(b),
                if let Some((path, key)) = run.seek(plan, b.joined), entry(path, key, e), for () in run.extend(plan, b.joined, *e),
                if let Some((path2, key2)) = run.seek(plan, b.joined + 1), entry(path2, key2, e2), for () in run.extend(plan, b.joined + 1, *e2),
                if let Some((path3, key3)) = run.seek(plan, b.joined + 2), entry(path3, key3, e3), for () in run.extend(plan, b.joined + 2, *e3),
                for head in run.conclude(plan);
            fact(head) <--
                partial(b), if run.left(b) == 2, for plan in run.resume(b),
                if let Some((path, key)) = run.seek(plan, b.joined), entry(path, key, e), for () in run.extend(plan, b.joined, *e),
                if let Some((path2, key2)) = run.seek(plan, b.joined + 1), entry(path2, key2, e2), for () in run.extend(plan, b.joined + 1, *e2),
                for head in run.conclude(plan);
            fact(head) <--
                partial(b), if run.left(b) == 1, for plan in run.resume(b),
                if let Some((path, key)) = run.seek(plan, b.joined), entry(path, key, e), for () in run.extend(plan, b.joined, *e),
                for head in run.conclude(plan);
            fact(head) <--
                partial(b), if run.left(b) == 0, for plan in run.resume(b),
                for head in run.conclude(plan);
        };
    }

    /// Fails if the evaluation was ended or a limit is reached.
    pub(super) fn check(&mut self) -> Result<(), EvaluationError> {
        let Self { shared, report, .. } = self;
        report.check(shared)
    }

    /// Returns the model, without the indexes that only joins need.
    pub(super) fn finish(self) -> Model {
        let mut model = self.shared.take_model();
        model.statistics = self.report.into_statistics();
        model.tables.drop_indexes();
        model
    }
}
