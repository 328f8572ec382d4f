//! An evaluation that goes on when there are more facts.
//!
//! Semi-naive evaluation joins each fact with those before it, so a fact may as well come later: nothing that was found is found
//! again. While the first facts are evaluated, those of relations that no rule derives are all there, and trigger nothing; the plans
//! by which they trigger something are made when the first fact comes later.

use std::sync::Arc;

use crate::eval::direct::{Queue, Run};
use crate::eval::fold::{self, Folded};
use crate::eval::unique_relations;
use crate::plan::body::Body;
use crate::plan::columns::{Columns, VariableDomains};
use crate::plan::dispatch::Dispatch;
use crate::plan::stage::Stage;
use crate::store::domain::Domains;
use crate::{EvaluationError, FactError, FactId, Facts, Limits, Model, Program, RelationId, Sink, Symbol};

/// Facts with all that follows from them, to which facts can be added.
#[derive(Clone, Debug)]
pub(crate) struct Saturation {
    rules: Arc<Rules>,
    queue: Queue,
    course: Course,
    /// How many facts have arrived.
    arrived: usize,
}

/// How far the evaluation has come.
#[derive(Clone, Debug)]
enum Course {
    /// Nothing has been evaluated.
    New,
    /// The input has.
    Evaluated,
    /// Facts have come later: their plans.
    Later(Arc<(Stage, Vec<Dispatch>)>),
}

/// The rules that are evaluated.
#[derive(Debug)]
struct Rules {
    /// The program, or the one that stands for it.
    program: Program,
    folded: Option<Folded>,
    bodies: Vec<Body>,
    domains: Vec<Option<VariableDomains>>,
    /// By relation: whether facts may be added, for those of others may be kept without looking whether they are there.
    open: Vec<bool>,
}

impl Saturation {
    /// The facts of an input, before anything follows from them by a checked program, in which negation is of static relations
    /// alone. Of the symbols of `room` it is assumed that they may occur in their columns later.
    pub(crate) fn new(program: &Program, facts: &Facts, room: &Facts) -> Result<Self, FactError> {
        program.check_facts(facts)?;
        program.check_facts(room)?;
        let folded = Folded::of(program, fold::LEAST);
        let tables = folded.as_ref().map(|folded| folded.facts(facts));
        let facts = tables.as_ref().unwrap_or(facts);
        let program = folded.as_ref().map_or(program, |folded| &folded.program).clone();
        let bodies: Vec<Body> = program
            .rules()
            .iter()
            .map(|rule| Body::new(&program, rule))
            .collect();
        let possible = [facts, room];
        let columns = Columns::of_input(&program, &possible).close(&program, &bodies);
        let mut numbered = Domains::new(program.symbols());
        let domains = bodies.iter().map(|body| columns.domains(&mut numbered, body));
        let domains = domains.collect();
        let mut open = vec![false; program.relations().len()];
        for (relation, _) in possible.iter().flat_map(|facts| facts.iter()) {
            open[relation.index()] = !program.is_static(relation);
        }
        let unique = unique_relations(&program, &bodies, &possible);
        let input = Model::of_input(&program, facts, numbered, &columns, &|relation| {
            unique[relation.index()]
        });
        let queue = Queue::new(&program, &bodies, input);
        let rules = Rules {
            program,
            folded,
            bodies,
            domains,
            open,
        };
        Ok(Self {
            rules: Arc::new(rules),
            queue,
            course: Course::New,
            arrived: 0,
        })
    }

    /// The facts.
    pub(crate) fn model(&self) -> &Model {
        &self.queue.model
    }

    /// Whether a fact may be added: whether the input or the room has facts of its relation, and each symbol can occur there.
    pub(crate) fn has_room(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.rules.open.get(relation.index()) == Some(&true) && self.queue.model.fits(relation, tuple)
    }

    /// The number of a fact, which is added if it is not there; there must be room. What follows from it is found by
    /// [`saturate`](Self::saturate).
    pub(crate) fn add(&mut self, relation: RelationId, tuple: &[Symbol]) -> FactId {
        self.queue.model.insert_tuple(relation, tuple)
    }

    /// The bytes that facts and the indexes of joins take.
    pub(crate) fn bytes(&self) -> u64 {
        self.queue.model.bytes() + self.queue.walks.bytes()
    }

    /// Whether all that follows from the facts has been found.
    pub(crate) fn is_saturated(&self) -> bool {
        self.arrived == self.queue.model.len() && !matches!(self.course, Course::New)
    }

    /// Finds what follows from the input, or from the facts that were added since the last time, and tells the sink of each firing
    /// that is new.
    ///
    /// After an error some firings are lost: nothing should be added any more.
    pub(crate) fn saturate(&mut self, limits: Limits, sink: &mut dyn Sink) -> Result<(), EvaluationError> {
        if self.is_saturated() {
            return Ok(());
        }
        let rules = Arc::clone(&self.rules);
        let mut unfolded = rules.folded.as_ref().map(|folded| folded.sink(&mut *sink));
        let sink: &mut dyn Sink = match &mut unfolded {
            Some(unfolded) => unfolded,
            None => sink,
        };
        let mut run = Run::new(&rules.program, limits, sink);
        let done = self.queue.check(&mut run).and_then(|()| {
            self.go_on(&mut run);
            self.queue.check(&mut run)
        });
        self.arrived = self.queue.model.len();
        done.map_err(|error| match &rules.folded {
            Some(folded) => folded.error(error),
            None => error,
        })
    }

    fn go_on(&mut self, run: &mut Run<'_>) {
        let plans = match &self.course {
            Course::New => Arc::new(self.plans(true)),
            Course::Evaluated => Arc::new(self.plans(false)),
            Course::Later(plans) => Arc::clone(plans),
        };
        let Queue { model, walks, .. } = &mut self.queue;
        match self.course {
            Course::New => walks.add_wanted(&model.tables),
            _ => walks.add_filled(&model.tables, self.arrived as u32),
        }
        let (stage, dispatch) = &*plans;
        if let Course::New = self.course {
            self.queue.fire_sources(stage, run);
            self.course = Course::Evaluated;
        } else {
            self.course = Course::Later(Arc::clone(&plans));
        }
        self.queue.arrive_from(self.arrived, stage, dispatch, run);
    }

    /// The plans for the input, or for facts that come later.
    fn plans(&mut self, is_first: bool) -> (Stage, Vec<Dispatch>) {
        let (rules, tables) = (&self.rules, &mut self.queue.model.tables);
        let stage = Stage::of_program(&rules.program, is_first, &rules.bodies, &rules.domains, tables);
        let dispatch = stage.dispatch(&rules.program, tables, |_| true);
        (stage, dispatch)
    }
}
