//! Evaluation: one fixed ascent program whose rules are data.

use ascent::ascent_run;
use std::ops::Range;
use std::time::Instant;

use crate::body::Body;
use crate::columns::{Columns, VariableDomains};
use crate::domain::Domains;
use crate::index::{StaticIndex, Walk};
use crate::join::{Cursor, Join, Outcome, Source};
use crate::key::Probe;
use crate::limits::Watch;
use crate::plan::{Plan, Planner, Status};
use crate::rows::Head;
use crate::tables::Tables;
use crate::{
    Atom, EvaluationError, FactId, Facts, Firing, InvalidProgram, Limits, Model, Program, RelationId, Rule,
    RuleId, Sink, Stratification, Symbol, Term, Variable,
};

/// Evaluates a program bottom-up, one stratum after the other.
///
/// The fixpoint of each stratum is one run of one fixed ascent program whose single relation says which
/// facts hold; what follows from a fact is found by join plans that are made for the program and its input
/// (semi-naive evaluation: Bancilhon, Ramakrishnan: An amateur's introduction to recursive query processing
/// strategies, 1986). Every fact triggers its plans once, when it arrives; a binding is found by the plan
/// of its last premise to arrive.
#[derive(Clone, Debug)]
pub struct Evaluator<'p> {
    program: &'p Program,
    strata: Stratification,
    bodies: Vec<Body>,
    limits: Limits,
}

impl<'p> Evaluator<'p> {
    /// Checks a program and orders its rules.
    pub fn new(program: &'p Program) -> Result<Self, InvalidProgram> {
        program.check().map_err(InvalidProgram::Rules)?;
        let bodies = program
            .rules()
            .iter()
            .map(|rule| Body::new(program, rule))
            .collect();
        Ok(Self {
            program,
            strata: Stratification::of(program)?,
            bodies,
            limits: Limits::default(),
        })
    }

    /// Sets the budgets of each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The strata of the program.
    pub fn strata(&self) -> &Stratification {
        &self.strata
    }

    /// Finds all facts that follow from the input, and tells the sink of every rule firing.
    pub fn run(&self, facts: &Facts, sink: &mut impl Sink) -> Result<Model, EvaluationError> {
        self.program.check_facts(facts)?;
        let columns = Columns::of_input(self.program, facts).close(self.program, &self.bodies);
        let mut domains = Domains::new(self.program.symbols());
        let variables: Vec<Option<VariableDomains>> = self
            .bodies
            .iter()
            .map(|body| columns.domains(&mut domains, body))
            .collect();
        let unique = unique_relations(self.program, &self.bodies, facts);
        let model = Model::of_input(self.program, facts, domains, &columns, &|relation| {
            unique[relation.index()]
        });
        let mut run = Run::new(self, model, sink);
        for stratum in 0..self.strata.strata().len() {
            run.prepare(stratum, &variables);
            run_stratum(&mut run);
            if let Some(error) = run.ended {
                return Err(error);
            }
        }
        run.model.statistics = run.watch.into_statistics();
        Ok(run.model)
    }
}

/// Runs the fixed program on one stratum.
fn run_stratum<S: Sink>(run: &mut Run<'_, S>) {
    let known = 0..run.model.len() as u32;
    ascent_run! {
        /// `fact(f)`: fact `f` holds.
        #[ds(crate::arrivals)]
        relation fact(FactId);

        fact(FactId::new(id)) <-- for id in known.clone();
        fact(FactId::new(id)) <-- for id in run.begin();
        fact(FactId::new(conclusion)) <-- fact(premise), for conclusion in run.arrive(*premise);
    };
}

/// The relations whose facts can be found in one way only: one head of one rule says them, with all its
/// variables.
///
/// Two firings of the rule have different bindings, so their heads differ, and no fact is found twice.
fn unique_relations(program: &Program, bodies: &[Body], facts: &Facts) -> Vec<bool> {
    let mut said = vec![0; program.relations().len()];
    let mut whole = vec![true; said.len()];
    for (rule, body) in program.rules().iter().zip(bodies) {
        for head in &rule.heads {
            let terms: Vec<Term> = head.terms.iter().map(|term| body.resolve(*term)).collect();
            let spells = |variable: Variable| terms.contains(&Term::Variable(variable));
            said[head.relation.index()] += 1;
            whole[head.relation.index()] &= body.own_variables().all(spells);
        }
    }
    facts
        .iter()
        .for_each(|(relation, _)| whole[relation.index()] = false);
    said.iter()
        .zip(whole)
        .map(|(said, whole)| *said == 1 && whole)
        .collect()
}

/// What all plans of a rule share.
struct RuleCode {
    variables: usize,
    premises: usize,
    heads: Vec<Head>,
    /// Variables that follow from others, or are constant.
    replaced: Vec<(Variable, Term)>,
}

/// What joins write to, lent to one after the other.
#[derive(Default)]
struct Memory {
    binding: Vec<Symbol>,
    premises: Vec<FactId>,
    cursors: Vec<Cursor<Walk>>,
    conclusions: Vec<FactId>,
}

/// One evaluation under way.
struct Run<'a, S> {
    evaluator: &'a Evaluator<'a>,
    sink: &'a mut S,
    model: Model,
    codes: Vec<RuleCode>,
    /// The plans of this stratum.
    plans: Vec<Plan>,
    /// Those that begin with nothing.
    sources: Vec<usize>,
    /// For each relation those that one of its facts triggers.
    triggered: Vec<Vec<usize>>,
    /// Whether the facts of a relation arrive in this stratum.
    open: Vec<bool>,
    memory: Memory,
    watch: Watch,
    ended: Option<EvaluationError>,
}

impl<'a, S: Sink> Run<'a, S> {
    fn new(evaluator: &'a Evaluator<'a>, model: Model, sink: &'a mut S) -> Self {
        let relations = evaluator.program.relations().len();
        let rules = evaluator.program.rules();
        let code = |(rule, body): (&Rule, &Body)| RuleCode {
            variables: body.variables(),
            premises: body.premise_count(),
            heads: rule
                .heads
                .iter()
                .map(|head| {
                    Head::new(
                        &model.tables.rows[head.relation.index()],
                        &model.tables.domains,
                        body.resolve_atom(head),
                    )
                })
                .collect(),
            replaced: body.replaced().collect(),
        };
        let codes: Vec<RuleCode> = rules.iter().zip(&evaluator.bodies).map(code).collect();
        let variables = codes.iter().map(|code| code.variables).max().unwrap_or(0);
        let premises = codes.iter().map(|code| code.premises).max().unwrap_or(0);
        let steps = rules.iter().map(|rule| rule.body.len()).max().unwrap_or(0);
        Self {
            evaluator,
            sink,
            model,
            codes,
            plans: Vec::new(),
            sources: Vec::new(),
            triggered: vec![Vec::new(); relations],
            open: vec![false; relations],
            memory: Memory {
                binding: vec![Symbol::new(0); variables],
                premises: vec![FactId::new(0); premises],
                cursors: vec![Cursor::default(); steps],
                conclusions: Vec::new(),
            },
            watch: Watch::new(evaluator.limits, rules.len(), Instant::now()),
            ended: None,
        }
    }

    /// Makes the plans of a stratum.
    fn prepare(&mut self, stratum: usize, domains: &[Option<VariableDomains>]) {
        let (program, strata) = (self.evaluator.program, &self.evaluator.strata);
        let status = |relation: RelationId| match strata.stratum(relation) {
            _ if program.is_static(relation) => Status::Static,
            of if of < stratum => Status::Finished,
            _ => Status::Open,
        };
        // Of a relation whose facts are still to come it is guessed that all will: delete relaxation tends
        // to it.
        let density = |tables: &Tables, atom: &Atom| match status(atom.relation) {
            Status::Open => 1.0,
            Status::Static | Status::Finished => tables.density(atom.relation),
        };
        self.plans.clear();
        self.sources.clear();
        self.triggered.iter_mut().for_each(Vec::clear);
        for relation in program.relation_ids() {
            self.open[relation.index()] = strata.stratum(relation) == stratum && !program.is_static(relation);
        }
        for &rule in &strata.strata()[stratum] {
            let body = &self.evaluator.bodies[rule.index()];
            let Some(domains) = &domains[rule.index()] else {
                continue;
            };
            let mut planner = Planner {
                tables: &mut self.model.tables,
                status: &status,
                density: &density,
                rule,
                body,
                domains,
            };
            let open = |&number: &usize| status(body.atoms[number].relation) == Status::Open;
            let triggers: Vec<usize> = (0..body.atoms.len()).filter(open).collect();
            for &trigger in &triggers {
                self.triggered[body.atoms[trigger].relation.index()].push(self.plans.len());
                self.plans.push(planner.plan(Some(trigger), &[]));
            }
            if triggers.is_empty() {
                self.sources.push(self.plans.len());
                self.plans.push(planner.plan(None, &[]));
            }
        }
        self.model
            .plans
            .extend(self.plans.iter().map(|plan| plan.outline.clone()));
    }

    /// Fires the rules that need no fact of this stratum; the ids of the new facts.
    fn begin(&mut self) -> Range<u32> {
        let start = self.model.len() as u32;
        for source in std::mem::take(&mut self.sources) {
            self.fire(source, None);
        }
        start..self.model.len() as u32
    }

    /// Fires the rules whose last premise to arrive is this fact; the ids of the new facts.
    fn arrive(&mut self, fact: FactId) -> Range<u32> {
        let start = self.model.len() as u32;
        let (relation, row) = self.model.place(fact);
        if !self.open[relation.index()] || self.ended.is_some() {
            return start..start;
        }
        if !self.model.tables.arrive(relation, row, fact.number()) {
            let used = self.model.bytes();
            self.ended = Some(self.watch.out_of_memory(self.evaluator.program, used));
        }
        for place in 0..self.triggered[relation.index()].len() {
            self.fire(self.triggered[relation.index()][place], Some(fact));
        }
        start..self.model.len() as u32
    }

    /// Finds all bindings of a plan, and what follows from them.
    fn fire(&mut self, plan: usize, trigger: Option<FactId>) {
        if self.ended.is_some() {
            return;
        }
        let mut memory = std::mem::take(&mut self.memory);
        let mut join = Join {
            binding: &mut memory.binding,
            premises: &mut memory.premises,
            cursors: &mut memory.cursors,
            fuel: self.watch.fuel(),
            trigger: trigger.unwrap_or(FactId::new(0)),
            resume: None,
        };
        let plan = &self.plans[plan];
        let (rule, code) = (plan.outline.rule, &self.codes[plan.outline.rule.index()]);
        let matches = trigger.zip(plan.trigger.as_ref()).is_none_or(|(fact, trigger)| {
            let (relation, row) = self.model.place(fact);
            let tables = &self.model.tables;
            join.begin_with(trigger, &tables.domains, tables.rows[relation.index()].tuple(row))
        });
        let mut outcome = match matches {
            true => join.first(plan, &self.model.tables),
            false => Outcome::Exhausted,
        };
        loop {
            match outcome {
                Outcome::Exhausted => break,
                Outcome::Found => {
                    let firing = conclude(rule, code, &mut join, &mut self.model, &mut memory.conclusions);
                    self.watch.fired(rule);
                    if self.sink.fired(&firing).is_break() {
                        self.ended = Some(EvaluationError::Stopped);
                    }
                }
                Outcome::Paused => {
                    self.watch.spend(rule, join.fuel);
                    self.ended = self.watch.over(self.evaluator.program, || self.model.bytes());
                    join.fuel = self.watch.fuel();
                }
            }
            if self.ended.is_some() {
                break;
            }
            outcome = join.next(plan, &self.model.tables);
        }
        self.watch.spend(rule, join.fuel);
        self.memory = memory;
    }
}

/// Adds the heads of a rule under the binding that a join has found.
#[inline]
fn conclude<'j>(
    rule: RuleId,
    code: &RuleCode,
    join: &'j mut Join<'_, Walk>,
    model: &mut Model,
    conclusions: &'j mut Vec<FactId>,
) -> Firing<'j> {
    for (variable, term) in &code.replaced {
        join.binding[variable.index()] = match *term {
            Term::Variable(other) => join.binding[other.index()],
            Term::Constant(symbol) => symbol,
        };
    }
    let binding = &join.binding[..code.variables];
    conclusions.clear();
    conclusions.extend(code.heads.iter().map(|head| model.insert(head, binding)));
    Firing {
        rule,
        binding,
        premises: &join.premises[..code.premises],
        conclusions,
    }
}

impl Source for Tables {
    type Walk = Walk;

    #[inline]
    fn domains(&self) -> &Domains {
        &self.domains
    }

    #[inline]
    fn scan(&self, index: usize) -> &StaticIndex {
        &self.scans[index]
    }

    #[inline]
    fn member(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> bool {
        self.known(relation, probe, symbols).is_some()
    }

    #[inline]
    fn known(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.rows[relation.index()].find(&self.domains, probe, symbols)
    }

    #[inline]
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<Walk> {
        self.walks[index].walk(&self.domains, probe, symbols)
    }

    #[inline]
    fn step(&self, index: usize, walk: &mut Walk) -> Option<&[u32]> {
        self.walks[index].step(walk)
    }
}
