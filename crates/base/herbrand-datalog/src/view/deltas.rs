//! Delta rules: for each literal of each rule, the plan that finds the bindings which a change of its facts ends or begins.

use std::ops::Range;

use crate::eval::database::BucketWalk;
use crate::eval::join::Cursor;
use crate::eval::query::Queries;
use crate::eval::rule::Frame;
use crate::plan::{Plan, Step};
use crate::program::ids::{FactId, RelationId, RuleId, Symbol};
use crate::program::{Atom, Program, Term};
use crate::store::access::Status;
use crate::store::key::Probe;

use super::network::Network;

/// The plans of all delta rules of a program.
#[derive(Debug)]
pub(super) struct DeltaRules {
    pub(super) plans: Vec<DeltaPlan>,
    /// The plans that facts begin, by relation, use and [`Class`].
    begun: Vec<u32>,
    /// For each relation, use and class, where its plans start in `begun`; then the end of the last ones.
    starts: Vec<u32>,
    /// For each relation and use, whether there is such a plan.
    used: Vec<[bool; USES]>,
    /// For each relation, whether its facts are reported but not stored.
    unstored: Vec<bool>,
    variables: usize,
    premises: usize,
    steps: usize,
}

/// A plan that begins with a changed fact.
#[derive(Debug)]
pub(super) struct DeltaPlan {
    pub(super) plan: Plan,
    /// The steps before the first join.
    pub(super) first: Between,
    /// The steps that are joins.
    pub(super) joins: Vec<JoinStep>,
    pub(super) heads: Vec<Head>,
    /// The atoms of the literals before the one that the fact matches, if their facts can change, and whether they are
    /// negative.
    pub(super) earlier: Vec<(Atom, bool)>,
}

/// A step that binds variables by facts that can change.
#[derive(Debug)]
pub(super) struct JoinStep {
    /// The index of the database, and the key to look up in it.
    pub(super) index: usize,
    pub(super) probe: Probe,
    /// The variables that the free columns bind: `(place in the entry, variable)`.
    pub(super) binds: Vec<(u32, u32)>,
    /// The steps before the next join, or before the end.
    pub(super) next: Between,
}

/// The steps of a plan between two joins.
#[derive(Clone, Debug)]
pub(super) enum Between {
    /// Tests only, or nothing.
    Tests(Range<usize>),
    /// Static atoms that bind variables, and tests.
    Scans(Range<usize>),
}

/// A head of a rule.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) atom: Atom,
    /// Whether the head's relation is in the component of the literal that the changed fact matches.
    pub(super) within: bool,
    /// Whether the update goes on with the head's component: it is recursive, or a rule reads the head's relation.
    pub(super) matters: bool,
    /// Whether a fact of the head's relation has a single derivation, and no rule reads it. Then it changes with each binding
    /// that ends or begins, and its bindings need not be counted.
    pub(super) single: bool,
}

/// The use of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    /// The fact matches a positive literal; some head is in a higher component.
    Positive,
    /// The fact matches a negative literal.
    Negative,
    /// The fact matches a positive literal; some head is in the same component.
    Within,
    /// The fact matches a head in a recursive component.
    Support,
}

const USES: usize = 4;

/// The number of joins of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    None,
    One,
    Two,
    Three,
    More,
}

const CLASSES: usize = 5;

impl DeltaRules {
    /// Prepares the delta rules of a checked and stratified program. `queries` must be over the same program.
    pub(super) fn new(program: &Program, network: &Network, queries: &mut Queries) -> Self {
        let relations = program.relations().len();
        let mut lists = vec![Vec::new(); relations * USES * CLASSES];
        let mut rules = Self {
            plans: Vec::new(),
            begun: Vec::new(),
            starts: Vec::new(),
            used: vec![[false; USES]; relations],
            unstored: vec![false; relations],
            variables: 0,
            premises: 1,
            steps: 0,
        };
        for rule in program.rule_ids() {
            rules.add_rule(program, network, queries, rule, &mut lists);
        }
        for list in lists {
            rules.starts.push(rules.begun.len() as u32);
            rules.begun.extend(list);
        }
        rules.starts.push(rules.begun.len() as u32);
        let recursive = |relation: RelationId| {
            let component = network.component[relation.index()];
            component.is_some_and(|component| network.components[component].recursive)
        };
        let ids = program.relation_ids();
        let matters: Vec<bool> = ids.map(|id| recursive(id) || !rules.is_unread(id)).collect();
        let derivations = derivations(program);
        for head in rules.plans.iter_mut().flat_map(|plan| &mut plan.heads) {
            let relation = head.atom.relation.index();
            head.matters = matters[relation];
            head.single &= !matters[relation] && derivations[relation] == 1;
        }
        rules
    }

    fn add_rule(
        &mut self,
        program: &Program,
        network: &Network,
        queries: &mut Queries,
        rule: RuleId,
        lists: &mut [Vec<u32>],
    ) {
        let body = queries.body(rule).clone();
        let heads: Vec<Atom> = program.rules()[rule.index()]
            .heads
            .iter()
            .map(|head| body.resolve_atom(head))
            .collect();
        if heads.is_empty() {
            return;
        }
        self.variables = self.variables.max(body.variables());
        self.premises = self.premises.max(body.premise_count());
        let changing = |atom: &Atom| !program.is_static(atom.relation);
        let component = |relation: RelationId| network.component[relation.index()];
        let heads_after = |relation: RelationId| -> Vec<Head> {
            let head = |atom: &Atom| Head {
                atom: atom.clone(),
                within: component(atom.relation) == component(relation),
                matters: true,
                single: body
                    .atoms
                    .iter()
                    .flat_map(Atom::variables)
                    .all(|variable| atom.variables().any(|other| other == variable)),
            };
            heads.iter().map(head).collect()
        };
        let mut earlier = Vec::new();
        for (number, atom) in body.atoms.iter().enumerate().filter(|(_, atom)| changing(atom)) {
            let plan =
                queries.with_planner(rule, Status::Finished, |planner| planner.plan(Some(number), &[]));
            let heads = heads_after(atom.relation);
            let (cross, within) = (
                heads.iter().any(|head| !head.within),
                heads.iter().any(|head| head.within),
            );
            let uses = [(Use::Positive, cross), (Use::Within, within)];
            let uses: Vec<Use> = uses
                .iter()
                .filter(|(_, is)| *is)
                .map(|(use_of, _)| *use_of)
                .collect();
            self.add(lists, (atom.relation, &uses), plan, heads, earlier.clone());
            earlier.push((atom.clone(), false));
        }
        for atom in body.absent.iter().filter(|atom| changing(atom)) {
            let plan = queries.with_planner(rule, Status::Finished, |planner| planner.plan_from(atom));
            let heads = heads_after(atom.relation);
            self.add(
                lists,
                (atom.relation, &[Use::Negative]),
                plan,
                heads,
                earlier.clone(),
            );
            earlier.push((atom.clone(), true));
        }
        for head in &heads {
            if component(head.relation).is_some_and(|component| network.components[component].recursive) {
                let plan = queries.with_planner(rule, Status::Finished, |planner| planner.plan_from(head));
                let heads = vec![Head {
                    atom: head.clone(),
                    within: true,
                    matters: true,
                    single: false,
                }];
                self.add(lists, (head.relation, &[Use::Support]), plan, heads, Vec::new());
            }
        }
    }

    /// Adds a plan unless no database can satisfy its body.
    fn add(
        &mut self,
        lists: &mut [Vec<u32>],
        (relation, uses): (RelationId, &[Use]),
        plan: Option<Plan>,
        heads: Vec<Head>,
        earlier: Vec<(Atom, bool)>,
    ) {
        let Some(plan) = plan else { return };
        let is_join = |step: &Step| matches!(step, Step::Walk { .. });
        let class = match plan.steps.iter().filter(|step| is_join(step)).count() {
            0 => Class::None,
            1 => Class::One,
            2 => Class::Two,
            3 => Class::Three,
            _ => Class::More,
        };
        for &use_of in uses {
            self.used[relation.index()][use_of as usize] = true;
            let list = first_list(relation, use_of) + class as u32;
            lists[list as usize].push(self.plans.len() as u32);
        }
        self.steps = self.steps.max(plan.steps.len());
        let between = |start: usize| {
            let rest = &plan.steps[start..];
            let count = rest.iter().position(is_join).unwrap_or(rest.len());
            let scans = rest[..count].iter().any(|step| matches!(step, Step::Scan { .. }));
            let steps = start..start + count;
            if scans {
                Between::Scans(steps)
            } else {
                Between::Tests(steps)
            }
        };
        let joins = (0..).zip(&plan.steps).filter_map(|(at, step)| match step {
            Step::Walk {
                index, probe, binds, ..
            } => Some(JoinStep {
                index: *index,
                probe: probe.clone(),
                binds: binds.clone(),
                next: between(at + 1),
            }),
            _ => None,
        });
        let (first, joins) = (between(0), joins.collect());
        self.plans.push(DeltaPlan {
            first,
            joins,
            plan,
            heads,
            earlier,
        });
    }

    /// Returns the plans of a class that a fact begins. `first` is the [`first_list`] of its relation and use.
    #[inline]
    pub(super) fn begun_by(&self, first: u32, class: Class) -> &[u32] {
        let list = first as usize + class as usize;
        &self.begun[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Ceases to store the facts of a relation, if each has a single derivation and no rule reads it.
    pub(super) fn leave_out(&mut self, relation: RelationId) {
        let mut heads = self.plans.iter().flat_map(|plan| &plan.heads);
        let is_single = heads.any(|head| head.atom.relation == relation && head.single);
        if let Some(unstored) = self.unstored.get_mut(relation.index()) {
            *unstored = is_single;
        }
    }

    /// Returns whether the facts of a relation are reported but not stored.
    #[inline]
    pub(super) fn is_unstored(&self, relation: RelationId) -> bool {
        self.unstored[relation.index()]
    }

    /// Returns whether a fact of a relation begins any plan of this use.
    #[inline]
    pub(super) fn is_used(&self, relation: RelationId, use_of: Use) -> bool {
        self.used[relation.index()][use_of as usize]
    }

    /// Returns whether no rule of a higher component reads a relation.
    #[inline]
    pub(super) fn is_unread(&self, relation: RelationId) -> bool {
        !self.is_used(relation, Use::Positive) && !self.is_used(relation, Use::Negative)
    }

    /// Creates join buffers that are large enough for every plan.
    pub(super) fn frame(&self) -> Frame<BucketWalk> {
        Frame {
            binding: vec![Symbol::new(0); self.variables],
            premises: vec![FactId::new(0); self.premises],
            cursors: vec![Cursor::default(); self.steps],
            conclusions: Vec::new(),
        }
    }
}

/// Returns, for each relation, the number of heads that derive it.
fn derivations(program: &Program) -> Vec<u32> {
    let mut derivations = vec![0; program.relations().len()];
    let heads = program.rules().iter().flat_map(|rule| &rule.heads);
    heads.for_each(|head| derivations[head.relation.index()] += 1);
    derivations
}

/// Returns the number of the list of the plans that the facts of a relation begin, for this use and the first class.
pub(super) fn first_list(relation: RelationId, use_of: Use) -> u32 {
    ((relation.index() * USES + use_of as usize) * CLASSES) as u32
}

/// Writes the tuple of an atom under a binding into `into`.
#[inline]
pub(super) fn instantiate(atom: &Atom, binding: &[Symbol], into: &mut Vec<Symbol>) {
    into.clear();
    append(atom, binding, into);
}

/// Appends the tuple of an atom under a binding to `into`.
#[inline]
pub(super) fn append(atom: &Atom, binding: &[Symbol], into: &mut Vec<Symbol>) {
    into.extend(atom.terms.iter().map(|term| match *term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    }));
}
