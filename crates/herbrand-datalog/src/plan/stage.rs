//! What is fixed while one stratum is evaluated: its plans, and which facts trigger them.

use crate::plan::body::Body;
use crate::plan::columns::VariableDomains;
use crate::plan::dispatch::Dispatch;
use crate::plan::{Plan, Planner};
use crate::store::access::Status;
use crate::store::tables::Tables;
use crate::{Atom, Program, RelationId, RuleId, Stratification};

/// The plans of a stratum.
#[derive(Debug)]
pub(crate) struct Stage {
    pub plans: Vec<Plan>,
    /// Those that begin with nothing.
    pub sources: Vec<usize>,
    /// Whether the facts of a relation arrive in this stratum.
    pub open: Vec<bool>,
}

impl Stage {
    /// Makes the plans of a stratum, and the indexes that they need. For each rule, `domains` say what its
    /// variables can be, if it can fire at all.
    pub(crate) fn new(
        program: &Program,
        strata: &Stratification,
        stratum: usize,
        bodies: &[Body],
        domains: &[Option<VariableDomains>],
        tables: &mut Tables,
    ) -> Self {
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
        let rules = strata.strata()[stratum].iter().copied();
        let mut stage = Self::of_rules(rules, bodies, domains, tables, &status, &density);
        let open =
            |relation: RelationId| strata.stratum(relation) == stratum && status(relation) == Status::Open;
        stage.open = program.relation_ids().map(open).collect();
        stage
    }

    /// The plans of a program without negation of what is derived: first those that facts of derived relations trigger
    /// while all others are there, then, in another stage, those that facts of any relation trigger that is not static.
    pub(crate) fn of_program(
        program: &Program,
        is_first: bool,
        bodies: &[Body],
        domains: &[Option<VariableDomains>],
        tables: &mut Tables,
    ) -> Self {
        let status = |relation: RelationId| {
            if program.is_static(relation) {
                Status::Static
            } else if is_first && !program.is_derived(relation) {
                Status::Finished
            } else {
                Status::Open
            }
        };
        // In the second stage the tables are full, and a sample of what they will hold.
        let density = |tables: &Tables, atom: &Atom| match status(atom.relation) {
            Status::Open if is_first => 1.0,
            _ => tables.density(atom.relation),
        };
        let mut stage = Self::of_rules(program.rule_ids(), bodies, domains, tables, &status, &density);
        let relations = program.relation_ids();
        stage.open = relations
            .map(|relation| status(relation) == Status::Open)
            .collect();
        stage
    }

    /// The plans of some rules, to which no relation is open yet.
    fn of_rules(
        rules: impl Iterator<Item = RuleId>,
        bodies: &[Body],
        domains: &[Option<VariableDomains>],
        tables: &mut Tables,
        status: &dyn Fn(RelationId) -> Status,
        density: &dyn Fn(&Tables, &Atom) -> f64,
    ) -> Self {
        let (mut plans, mut sources) = (Vec::new(), Vec::new());
        for rule in rules {
            let body = &bodies[rule.index()];
            let Some(domains) = &domains[rule.index()] else {
                continue;
            };
            let mut planner = Planner {
                tables,
                status,
                density,
                rule,
                body,
                domains,
            };
            // An atom that occurs twice is triggered at its first place only: no fact arrives before
            // itself.
            let open = |&number: &usize| {
                let atom = &body.atoms[number];
                status(atom.relation) == Status::Open && !body.atoms[..number].contains(atom)
            };
            let triggers: Vec<usize> = (0..body.atoms.len()).filter(open).collect();
            if triggers.is_empty() {
                sources.push(plans.len());
                plans.push(planner.plan(None, &[]));
            }
            plans.extend(
                triggers
                    .into_iter()
                    .map(|trigger| planner.plan(Some(trigger), &[])),
            );
        }
        Self {
            open: Vec::new(),
            plans,
            sources,
        }
    }

    /// For each relation which of the wanted plans its facts trigger.
    pub(crate) fn dispatch(
        &self,
        program: &Program,
        tables: &Tables,
        wanted: impl Fn(&Plan) -> bool,
    ) -> Vec<Dispatch> {
        Dispatch::of_relations(program, &self.plans, &tables.domains, wanted)
    }
}
