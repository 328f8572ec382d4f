//! The model that edits apply to: a domain with a problem.

pub(crate) mod draft;

use std::sync::Arc;

use herbrand_pddl::{Domain, Faults, ObjectId, Problem};

use crate::edit::Edit;
use crate::fault::EditFaults;
use crate::literal::Ground;
use crate::model::draft::{Draft, Order};
use crate::rules::EditRules;

/// A domain with one of its problems. [`apply`](Self::apply) edits it, which yields another model. Immutable and cheap
/// to clone. [`new`](Self::new) or [`from_text`](Self::from_text) creates it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanningModel {
    domain: Arc<Domain>,
    problem: Arc<Problem>,
}

impl PlanningModel {
    /// Creates a model from a domain and a problem that was checked against this domain.
    ///
    /// # Panics
    /// Panics if the problem was checked against another domain.
    #[must_use]
    pub fn new(domain: impl Into<Arc<Domain>>, problem: impl Into<Arc<Problem>>) -> Self {
        let (domain, problem) = (domain.into(), problem.into());
        assert!(
            problem.domain_fingerprint == domain.fingerprint(),
            "the problem was checked against another domain"
        );
        Self { domain, problem }
    }

    /// Creates a model from the PDDL texts of a domain and a problem.
    ///
    /// # Errors
    /// Fails with all faults of the domain or, if the domain has none, with all faults of the problem.
    pub fn from_text(domain: &str, problem: &str) -> Result<Self, Faults> {
        let domain = Domain::from_text(domain)?;
        let problem = Problem::from_text(problem, &domain)?;
        Ok(Self {
            domain: Arc::new(domain),
            problem: Arc::new(problem),
        })
    }

    /// Creates a model without checking that the problem belongs to the domain.
    pub(crate) const fn of(domain: Arc<Domain>, problem: Arc<Problem>) -> Self {
        Self { domain, problem }
    }

    /// Returns the domain of the model.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// Returns the problem of the model.
    #[must_use]
    pub const fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Prints the problem as PDDL. `Problem::from_text` reads it back. Comments and layout of a text that was read are
    /// lost.
    #[must_use]
    pub fn problem_text(&self) -> String {
        self.problem.to_pddl(&self.domain)
    }

    /// Prints the domain as PDDL. `Domain::from_text` reads it back. Comments and layout of a text that was read are
    /// lost.
    #[must_use]
    pub fn domain_text(&self) -> String {
        self.domain.to_pddl()
    }

    /// Returns the atoms that are initially true, by name, in the order of the problem. Facts that only a random part
    /// of the initial state makes true are not included.
    #[must_use]
    pub fn facts(&self) -> Vec<Ground> {
        let name = |id: &ObjectId| self.problem.object(*id).name.as_str();
        let facts = self.problem.init.iter().map(|fact| {
            let predicate = &self.domain.predicate(fact.predicate).name;
            Ground::new(predicate.as_str(), fact.arguments.iter().map(name))
        });
        facts.collect()
    }

    /// Applies a batch of edits in order, atomically, and returns the edited model. This model is unchanged. The facts
    /// that the batch adds or deletes must satisfy `rules`. To preview a batch, compare the result with this model
    /// ([`difference`](crate::difference)). An empty batch returns an equal model.
    ///
    /// Takes time linear in the size of the problem and the batch, plus a scan of all facts for each object that is merged
    /// or deleted.
    ///
    /// # Errors
    /// Fails with all faults, each with the index of its edit. A faulty edit is skipped, so later edits may be faulty
    /// only because of it. [`EditCode`](crate::EditCode) lists the kinds.
    pub fn apply(&self, edits: &[Edit], rules: &EditRules) -> Result<Self, EditFaults> {
        let mut draft = Draft::of(self);
        let mut faults = Vec::new();
        for (number, edit) in edits.iter().enumerate() {
            if let Err(fault) = draft.edit(number, edit, rules) {
                faults.push(fault.at(number));
            }
        }
        faults.extend(draft.broken_functions(rules));
        faults.sort_by_key(|fault| fault.edit);
        if faults.is_empty() {
            Ok(draft.finish(Order::Kept))
        } else {
            Err(EditFaults(faults))
        }
    }

    /// Returns the model with its own objects and its facts in alphabetical order. Two models that differ only in
    /// these orders become equal. Use it before comparing two models with `==`. Constants of the domain keep their
    /// order. This model is unchanged.
    #[must_use]
    pub fn sorted(&self) -> Self {
        Draft::of(self).finish(Order::Alphabetical)
    }
}
