//! An evaluation that can continue after facts are added.
//!
//! Semi-naive evaluation joins each fact with the facts before it. So a fact may be added later, and no firing is found
//! twice. During the first evaluation, the facts of relations that no rule derives are complete and trigger nothing. The
//! plans that they trigger are made when the first fact is added later.

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

/// A set of facts that is closed under the rules, and to which facts can be added.
#[derive(Clone, Debug)]
pub(crate) struct Saturation {
    rules: Arc<Rules>,
    queue: Queue,
    course: Course,
    /// The number of facts that have arrived.
    arrived: usize,
}

/// The state of the evaluation.
#[derive(Clone, Debug)]
enum Course {
    /// Nothing has been evaluated.
    New,
    /// The input has been evaluated.
    Evaluated,
    /// Facts have been added later; these are the plans for them.
    Later(Arc<(Stage, Vec<Dispatch>)>),
}

/// The evaluated rules.
#[derive(Debug)]
struct Rules {
    /// The program, folded if possible.
    program: Program,
    folded: Option<Folded>,
    bodies: Vec<Body>,
    domains: Vec<Option<VariableDomains>>,
    /// For each relation, whether facts may be added. A relation without room may be stored without duplicate detection.
    open: Vec<bool>,
}

impl Saturation {
    /// Creates the set of input facts, without evaluating. The program must be checked, and it may only negate static
    /// relations. The symbols of `room` may occur in their columns later.
    ///
    /// Fails if a fact of `facts` or `room` does not fit the program.
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

    /// Returns the facts.
    pub(crate) fn model(&self) -> &Model {
        &self.queue.model
    }

    /// Returns whether a fact may be added: the input or the room has facts of its relation, and each symbol can occur in
    /// its column.
    pub(crate) fn has_room(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.rules.open.get(relation.index()) == Some(&true) && self.queue.model.fits(relation, tuple)
    }

    /// Adds a fact, which must have room, and returns its id. If the fact exists, returns the existing id.
    /// [`saturate`](Self::saturate) computes its consequences.
    pub(crate) fn add(&mut self, relation: RelationId, tuple: &[Symbol]) -> FactId {
        self.queue.model.insert_tuple(relation, tuple)
    }

    /// Returns the bytes of the facts and the join indexes.
    pub(crate) fn bytes(&self) -> u64 {
        self.queue.model.bytes() + self.queue.walks.bytes()
    }

    /// Returns whether all consequences of the facts have been computed.
    pub(crate) fn is_saturated(&self) -> bool {
        self.arrived == self.queue.model.len() && !matches!(self.course, Course::New)
    }

    /// Computes the consequences of the input, or of the facts added since the last call, and reports each new firing to the
    /// sink.
    ///
    /// After an error some firings are missing; no facts should be added any more.
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

    /// Makes the plans for the input, or for facts that are added later.
    fn plans(&mut self, is_first: bool) -> (Stage, Vec<Dispatch>) {
        let (rules, tables) = (&self.rules, &mut self.queue.model.tables);
        let stage = Stage::of_program(&rules.program, is_first, &rules.bodies, &rules.domains, tables);
        let dispatch = stage.dispatch(&rules.program, tables, |_| true);
        (stage, dispatch)
    }
}
