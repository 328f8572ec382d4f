//! A domain with a problem.

use std::sync::Arc;

use herbrand_pddl::{Domain, Faults, ObjectId, Problem};

use crate::draft::{Draft, Order};
use crate::{Edit, EditFaults, Ground, Rules};

/// A domain with a problem of it. Immutable and cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    domain: Arc<Domain>,
    problem: Arc<Problem>,
}

impl Model {
    /// The model of a domain and a problem that was checked against it.
    ///
    /// # Panics
    /// When the problem was checked against another domain.
    #[must_use]
    pub fn new(domain: impl Into<Arc<Domain>>, problem: impl Into<Arc<Problem>>) -> Self {
        let (domain, problem) = (domain.into(), problem.into());
        assert!(
            problem.domain_fingerprint == domain.fingerprint(),
            "the problem was checked against another domain"
        );
        Self { domain, problem }
    }

    /// The model of two texts.
    ///
    /// # Errors
    /// All faults of the domain, or else of the problem.
    pub fn from_text(domain: &str, problem: &str) -> Result<Self, Faults> {
        let domain = Domain::from_text(domain)?;
        let problem = Problem::from_text(problem, &domain)?;
        Ok(Self {
            domain: Arc::new(domain),
            problem: Arc::new(problem),
        })
    }

    /// A model whose parts fit together.
    pub(crate) const fn of(domain: Arc<Domain>, problem: Arc<Problem>) -> Self {
        Self { domain, problem }
    }

    /// The domain.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// The problem.
    #[must_use]
    pub const fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// The problem as PDDL.
    #[must_use]
    pub fn problem_text(&self) -> String {
        self.problem.to_pddl(&self.domain)
    }

    /// The domain as PDDL.
    #[must_use]
    pub fn domain_text(&self) -> String {
        self.domain.to_pddl()
    }

    /// The initial facts by name, in order.
    #[must_use]
    pub fn facts(&self) -> Vec<Ground> {
        let name = |id: &ObjectId| self.problem.object(*id).name.as_str();
        let facts = self.problem.init.iter().map(|fact| {
            let predicate = &self.domain.predicate(fact.predicate).name;
            Ground::new(predicate.as_str(), fact.arguments.iter().map(name))
        });
        facts.collect()
    }

    /// Carries out a batch of edits, one after the other: all of them, or none. This model stays as it is; to see what a
    /// batch would do, drop the result or compare it ([`difference`](crate::difference)).
    ///
    /// Takes time linear in the problem and the batch, but for objects that are merged or deleted: each of these looks
    /// at all facts.
    ///
    /// # Errors
    /// All faults, each with the number of its edit. An edit that is at fault is passed over, so later faults may follow
    /// from it.
    pub fn apply(&self, edits: &[Edit], rules: &Rules) -> Result<Self, EditFaults> {
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

    /// The same model with its own objects and its facts in alphabetical order: two models that say the same in another order
    /// become equal.
    #[must_use]
    pub fn sorted(&self) -> Self {
        Draft::of(self).finish(Order::Alphabetical)
    }
}
