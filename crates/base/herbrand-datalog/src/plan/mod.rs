//! The planner: it turns the body of a rule into join steps.

pub(crate) mod body;
pub(crate) mod columns;
pub(crate) mod dispatch;
pub(crate) mod explain;
pub(crate) mod order;
pub(crate) mod stage;

use fixedbitset::FixedBitSet;

use crate::plan::body::Body;
use crate::plan::explain::{JoinPlan, JoinStep};
use crate::plan::order::{Candidate, Placed, order};
use crate::program::ids::{RelationId, RuleId, Symbol, Variable};
use crate::program::{Atom, Literal, Term};
use crate::store::access::Status;
use crate::store::domain::DomainId;
use crate::store::index::Shape;
use crate::store::key::{Probe, Trust};
use crate::store::tables::Tables;

/// One way to find the bindings of a rule's body: from a fact that triggers it, or from no fact.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub trigger: Option<Trigger>,
    pub steps: Vec<Step>,
    /// For each step, and for the end: the last walk before it, to which the join backtracks for the next binding.
    pub back: Vec<Option<usize>>,
    /// The readable form of the plan.
    pub outline: JoinPlan,
}

impl Plan {
    fn without_steps(rule: RuleId) -> Self {
        Self {
            trigger: None,
            steps: Vec::new(),
            back: Vec::new(),
            outline: JoinPlan {
                rule,
                trigger: None,
                steps: Vec::new(),
            },
        }
    }

    fn start_with(&mut self, trigger: Trigger, atom: &Atom) {
        self.trigger = Some(trigger);
        self.outline.trigger = Some(atom.clone());
    }

    /// Returns the last step that is a walk, if any.
    #[inline]
    pub(crate) fn last_walk(&self) -> Option<usize> {
        self.back[self.steps.len()]
    }
}

/// The atom that a fact must match to start a join. Columns and variables are given by number.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    pub relation: RelationId,
    pub premise: usize,
    pub constants: Vec<(u32, Symbol)>,
    pub filters: Vec<(u32, DomainId)>,
    pub same: Vec<(u32, u32)>,
    pub binds: Vec<(u32, u32)>,
}

/// One step of a join. `Scan` and `Walk` iterate and bind variables; the others are tests.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Iterates over a bucket of a static index; binds `(place in the entry, variable)`.
    Scan {
        index: usize,
        probe: Probe,
        binds: Vec<(u32, u32)>,
    },
    /// Iterates over a bucket of an index of numbered facts: over all of them if `finished`, otherwise over the facts up to
    /// the trigger, without the trigger if `not_trigger`.
    Walk {
        index: usize,
        probe: Probe,
        binds: Vec<(u32, u32)>,
        premise: usize,
        finished: bool,
        not_trigger: bool,
    },
    /// Tests whether the tuple is in a static relation.
    Member { relation: RelationId, probe: Probe },
    /// Tests whether the tuple is a numbered fact: any fact if `finished`, otherwise one before the trigger, or the trigger
    /// if `or_trigger`.
    Known {
        relation: RelationId,
        probe: Probe,
        premise: usize,
        finished: bool,
        or_trigger: bool,
    },
    /// Tests whether the tuple is not a fact.
    Absent { relation: RelationId, probe: Probe },
    /// Tests whether the terms differ.
    Distinct(Term, Term),
}

/// The planner of one rule.
pub(crate) struct Planner<'a> {
    pub tables: &'a mut Tables,
    pub status: &'a dyn Fn(RelationId) -> Status,
    /// The known or estimated share of the tuples over an atom's variable domains that match the atom.
    pub density: &'a dyn Fn(&Tables, &Atom) -> f64,
    pub rule: RuleId,
    pub body: &'a Body,
    /// The domain of each variable; `None` if it is represented by another term.
    pub domains: &'a [Option<DomainId>],
}

impl Planner<'_> {
    /// Returns the atoms that must be joined: all except type atoms that the variables' domains imply.
    ///
    /// A static relation with one column acts as a type. A variable that occurs in a type atom is only bound to symbols of
    /// its domain, which is a subset of that relation. So the type atom is redundant if another atom binds its variable.
    pub(crate) fn needed(&self) -> Vec<usize> {
        let is_type = |atom: &Atom| {
            (self.status)(atom.relation) == Status::Static && matches!(atom.terms[..], [Term::Variable(_)])
        };
        let mut bound = FixedBitSet::with_capacity(self.body.variables());
        let (types, mut needed): (Vec<usize>, Vec<usize>) =
            (0..self.body.atoms.len()).partition(|&number| is_type(&self.body.atoms[number]));
        for &number in &needed {
            self.body.atoms[number]
                .variables()
                .for_each(|variable| bound.insert(variable.index()));
        }
        for number in types {
            let fresh = self.body.atoms[number]
                .variables()
                .any(|variable| !bound.put(variable.index()));
            if fresh {
                needed.push(number);
            }
        }
        needed.sort_unstable();
        needed
    }

    /// Builds the plan that starts from a fact of the atom `trigger`, or from no fact, with the variables `given` bound.
    pub(crate) fn plan(&mut self, trigger: Option<usize>, given: &[Variable]) -> Plan {
        let mut bound = FixedBitSet::with_capacity(self.body.variables());
        given.iter().for_each(|variable| bound.insert(variable.index()));
        let mut plan = Plan::without_steps(self.rule);
        if let Some(number) = trigger {
            let premise = self.body.premises[number].unwrap_or(0) as usize;
            plan.start_with(
                self.trigger(&self.body.atoms[number], premise, &mut bound),
                &self.body.atoms[number],
            );
        }
        self.complete(plan, Checks::of(self.body), trigger, bound)
    }

    /// Builds the plan that starts from a fact that matches `atom`: the atom of a negative literal of the body, which is
    /// then not tested, or a head.
    pub(crate) fn plan_from(&mut self, atom: &Atom) -> Plan {
        let mut bound = FixedBitSet::with_capacity(self.body.variables());
        let mut plan = Plan::without_steps(self.rule);
        plan.start_with(self.trigger(atom, 0, &mut bound), atom);
        let mut checks = Checks::of(self.body);
        checks.absent.retain(|absent| absent != atom);
        self.complete(plan, checks, None, bound)
    }

    /// Adds the steps of a plan in which the variables `bound` are bound.
    fn complete(
        &mut self,
        mut plan: Plan,
        mut checks: Checks,
        trigger: Option<usize>,
        mut bound: FixedBitSet,
    ) -> Plan {
        self.check(&mut checks, &bound, &mut plan);
        let needed: Vec<usize> = self
            .needed()
            .into_iter()
            .filter(|atom| Some(*atom) != trigger)
            .collect();
        for placed in self.placed(&needed, &bound) {
            let atom = needed[placed.candidate];
            self.join(atom, placed.matches, trigger, &mut bound, &mut plan);
            self.check(&mut checks, &bound, &mut plan);
        }
        let mut last = None;
        for (number, step) in plan.steps.iter().enumerate() {
            plan.back.push(last);
            if matches!(step, Step::Scan { .. } | Step::Walk { .. }) {
                last = Some(number);
            }
        }
        plan.back.push(last);
        plan
    }

    fn placed(&self, atoms: &[usize], bound: &FixedBitSet) -> Vec<Placed> {
        let candidate = |&number: &usize| {
            let atom = &self.body.atoms[number];
            Candidate {
                atom,
                density: (self.density)(self.tables, atom),
            }
        };
        let candidates: Vec<Candidate<'_>> = atoms.iter().map(candidate).collect();
        let size = |domain: &Option<DomainId>| {
            domain.map_or(1.0, |domain| f64::from(self.tables.domains.size(domain)))
        };
        let sizes: Vec<f64> = self.domains.iter().map(size).collect();
        order(&candidates, bound, &sizes)
    }

    /// Returns the column and the variable's domain if the column can hold symbols outside that domain.
    fn filter(&self, relation: RelationId, column: u32, variable: Variable) -> Option<(u32, DomainId)> {
        let domain = self.domains[variable.index()]?;
        (self.tables.column(relation, column) != domain).then_some((column, domain))
    }

    fn trigger(&self, atom: &Atom, premise: usize, bound: &mut FixedBitSet) -> Trigger {
        let mut trigger = Trigger {
            relation: atom.relation,
            premise,
            constants: Vec::new(),
            filters: Vec::new(),
            same: Vec::new(),
            binds: Vec::new(),
        };
        for (column, term) in (0..).zip(&atom.terms) {
            match *term {
                Term::Constant(symbol) => trigger.constants.push((column, symbol)),
                Term::Variable(variable) => match first_place(atom, variable) {
                    first if first < column => trigger.same.push((first, column)),
                    _ => {
                        trigger
                            .filters
                            .extend(self.filter(atom.relation, column, variable));
                        trigger.binds.push((column, variable.number()));
                        bound.insert(variable.index());
                    }
                },
            }
        }
        trigger
    }

    /// Adds the step that joins an atom.
    fn join(
        &mut self,
        number: usize,
        matches: f64,
        trigger: Option<usize>,
        bound: &mut FixedBitSet,
        plan: &mut Plan,
    ) {
        let atom = &self.body.atoms[number];
        let status = (self.status)(atom.relation);
        let premise = self.body.premises[number].unwrap_or(0) as usize;
        let (shape, binds) = self.shape(atom, bound);
        let key = shape.key.clone();
        plan.steps.push(if binds.is_empty() {
            let probe = self.tables.probe(atom, Trust::Domains);
            match status {
                Status::Static => Step::Member {
                    relation: atom.relation,
                    probe,
                },
                _ => Step::Known {
                    relation: atom.relation,
                    probe,
                    premise,
                    finished: status == Status::Finished || trigger.is_none(),
                    or_trigger: trigger.is_none_or(|trigger| trigger < number),
                },
            }
        } else {
            let terms: Vec<Term> = key.iter().map(|column| atom.terms[*column as usize]).collect();
            let (index, probe) = self.tables.index(shape, terms, status);
            match status {
                Status::Static => Step::Scan { index, probe, binds },
                _ => {
                    let same = |trigger: usize| {
                        self.body.atoms[trigger].relation == atom.relation && number < trigger
                    };
                    let not_trigger = trigger.is_some_and(same);
                    Step::Walk {
                        index,
                        probe,
                        binds,
                        premise,
                        finished: status == Status::Finished || trigger.is_none(),
                        not_trigger,
                    }
                }
            }
        });
        let fresh = atom.variables().any(|variable| !bound.contains(variable.index()));
        plan.outline.steps.push(if fresh {
            JoinStep::Walk {
                atom: atom.clone(),
                key,
                matches,
            }
        } else {
            JoinStep::Check {
                literal: Literal::Positive(atom.clone()),
                matches,
            }
        });
        atom.variables()
            .for_each(|variable| bound.insert(variable.index()));
    }

    /// Returns the shape of the index that yields an atom's matches, and the variables that its entries bind.
    fn shape(&self, atom: &Atom, bound: &FixedBitSet) -> (Shape, Vec<(u32, u32)>) {
        let mut shape = Shape {
            relation: atom.relation,
            key: Vec::new(),
            free: Vec::new(),
            filters: Vec::new(),
            same: Vec::new(),
        };
        let mut binds = Vec::new();
        for (column, term) in (0..).zip(&atom.terms) {
            match *term {
                Term::Variable(variable) if !bound.contains(variable.index()) => {
                    match first_place(atom, variable) {
                        first if first < column => shape.same.push((first, column)),
                        _ => {
                            shape.filters.extend(self.filter(atom.relation, column, variable));
                            binds.push((shape.free.len() as u32, variable.number()));
                            shape.free.push(column);
                        }
                    }
                }
                _ => shape.key.push(column),
            }
        }
        (shape, binds)
    }

    /// Adds the tests whose variables are all bound by now.
    fn check(&mut self, checks: &mut Checks, bound: &FixedBitSet, plan: &mut Plan) {
        let is_bound = |term: &Term| {
            term.variable()
                .is_none_or(|variable| bound.contains(variable.index()))
        };
        let mut add = |step: Step, literal: Literal| {
            plan.steps.push(step);
            plan.outline.steps.push(JoinStep::Check {
                literal,
                matches: 1.0,
            });
        };
        checks.distinct.retain(|&(left, right)| {
            let ready = is_bound(&left) && is_bound(&right);
            if ready {
                add(Step::Distinct(left, right), Literal::Distinct(left, right));
            }
            !ready
        });
        checks.absent.retain(|atom| {
            let ready = atom.terms.iter().all(is_bound);
            if ready {
                let step = Step::Absent {
                    relation: atom.relation,
                    probe: self.tables.probe(atom, Trust::Nothing),
                };
                add(step, Literal::Negative(atom.clone()));
            }
            !ready
        });
    }
}

/// The tests of a body that no step makes yet.
struct Checks {
    distinct: Vec<(Term, Term)>,
    absent: Vec<Atom>,
}

impl Checks {
    fn of(body: &Body) -> Self {
        Self {
            distinct: body.distinct.clone(),
            absent: body.absent.clone(),
        }
    }
}

/// Returns the first column in which a variable occurs.
fn first_place(atom: &Atom, variable: Variable) -> u32 {
    let place = atom
        .terms
        .iter()
        .position(|term| *term == Term::Variable(variable));
    place.unwrap_or(0) as u32
}
