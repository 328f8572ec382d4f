//! What is fixed while one stratum is evaluated: its plans, and which facts trigger them.

use crate::plan::body::Body;
use crate::plan::columns::VariableDomains;
use crate::plan::dispatch::Dispatch;
use crate::plan::{Plan, Planner};
use crate::store::access::Status;
use crate::store::tables::Tables;
use crate::{Atom, Program, RelationId, Stratification};

/// The plans of a stratum.
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
        let (mut plans, mut sources) = (Vec::new(), Vec::new());
        for &rule in &strata.strata()[stratum] {
            let body = &bodies[rule.index()];
            let Some(domains) = &domains[rule.index()] else {
                continue;
            };
            let mut planner = Planner {
                tables,
                status: &status,
                density: &density,
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
        let open =
            |relation: RelationId| strata.stratum(relation) == stratum && status(relation) == Status::Open;
        Self {
            open: program.relation_ids().map(open).collect(),
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
