//! Stages: the plans of a stratum and the facts that trigger them, fixed while the stratum is evaluated.

use crate::plan::body::Body;
use crate::plan::columns::VariableDomains;
use crate::plan::dispatch::Dispatch;
use crate::plan::{Plan, Planner};
use crate::program::ids::{RelationId, RuleId};
use crate::program::strata::Stratification;
use crate::program::{Atom, Program};
use crate::store::access::Status;
use crate::store::tables::Tables;

/// The plans of a stratum.
#[derive(Debug)]
pub(crate) struct Stage {
    pub plans: Vec<Plan>,
    /// The plans without a trigger.
    pub sources: Vec<usize>,
    /// For each relation, whether its facts arrive in this stratum.
    pub open: Vec<bool>,
}

impl Stage {
    /// Plans a stratum and adds the indexes that its plans need. `domains` are the variable domains of each rule, or `None`
    /// for a rule that cannot fire.
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
        // The density of a relation that is still open is unknown and assumed to be 1: under delete relaxation most
        // relations fill up.
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

    /// Plans some rules. The caller sets `open`.
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
            // If an atom occurs twice, only its first occurrence is a trigger: both occurrences match the same fact.
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

    /// Builds the dispatch of each relation's facts to the plans that satisfy `wanted`.
    pub(crate) fn dispatch(
        &self,
        program: &Program,
        tables: &Tables,
        wanted: impl Fn(&Plan) -> bool,
    ) -> Vec<Dispatch> {
        Dispatch::of_relations(program, &self.plans, &tables.domains, wanted)
    }
}
