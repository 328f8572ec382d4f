//! Problems with other names for their objects.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::{AtomList, Formula, ObjectId, PredicateKind, Problem};

use super::{Draw, TRIES};
use crate::draft::Draft;
use crate::question::Subject;
use crate::world::pattern;

/// The number of renamings up to which questions are asked: the second route tries all.
const RENAMINGS: usize = 750;
/// The number of facts up to which questions are asked: a choice states all of them.
const FACTS: usize = 30;

impl Draw<'_> {
    /// The problem with renamed objects, among problems in which one fact differs too.
    pub(super) fn same_problem(&mut self) -> Option<Draft> {
        let world = self.world;
        let own = world.problem_at(self.start)?;
        let groups = groups(&own);
        let factorial = |count: usize| (1..=count).product::<usize>();
        let renamings = groups
            .iter()
            .map(|group| {
                if group.len() > 6 {
                    RENAMINGS
                } else {
                    factorial(group.len())
                }
            })
            .fold(1, usize::saturating_mul);
        let is_plain = conjuncts(&own.goal)
            .iter()
            .all(|part| matches!(part, Formula::Atom(_)));
        if !(2..RENAMINGS).contains(&renamings) || own.init.len() > FACTS || !is_plain {
            return None;
        }
        let mut wrong = Vec::new();
        for _ in 0..TRIES {
            let changed = self.with_another_fact(&own)?;
            if !is_isomorphic(&own, &changed, &groups) {
                let text = self.renamed(&changed, &groups).to_pddl(&world.domain);
                if !wrong.contains(&text) {
                    wrong.push(text);
                }
            }
            if wrong.len() == 3 {
                break;
            }
        }
        let facts = |problem: &Problem| -> BTreeSet<String> {
            let text = problem.to_pddl(&world.domain);
            text.lines().map(str::to_owned).collect()
        };
        let right = (0..TRIES)
            .map(|_| self.renamed(&own, &groups))
            .find(|other| other.init != own.init && facts(other) != facts(&own))?;
        let right = right.to_pddl(&world.domain);
        (wrong.len() == 3).then(|| Draft::choice(Subject::default(), right, wrong, &mut self.random))
    }

    /// Replaces a fact that can change by another one of the same shape.
    fn with_another_fact(&mut self, problem: &Problem) -> Option<Problem> {
        let domain = &self.world.domain;
        let task = self.world.simulator.task();
        let facts: Vec<_> = problem.init.iter().collect();
        for _ in 0..TRIES {
            let at = self.random.below(facts.len() as u32) as usize;
            let old = facts[at];
            if domain.predicate(old.predicate).kind == PredicateKind::Static {
                continue;
            }
            let alike = |new: &herbrand_pddl::AtomRef<'_>| {
                new.predicate == old.predicate && pattern(new.arguments) == pattern(old.arguments)
            };
            let fluents = self
                .world
                .fluents()
                .filter_map(|atom| task.atoms.get(atom.index()));
            let others: Vec<_> = fluents.filter(alike).filter(|new| !facts.contains(new)).collect();
            let Some(new) = self.random.choose(&others) else {
                continue;
            };
            let mut init = AtomList::default();
            for (index, fact) in facts.iter().enumerate() {
                let fact = if index == at { new } else { fact };
                init.push(fact.predicate, fact.arguments);
            }
            return Some(Problem {
                init,
                ..problem.clone()
            });
        }
        None
    }

    /// Renames the objects of each group among each other. The facts are sorted afterwards.
    fn renamed(&mut self, problem: &Problem, groups: &[Vec<usize>]) -> Problem {
        let mut to: Vec<usize> = (0..problem.objects.len()).collect();
        for group in groups {
            let targets = self.several(group, usize::MAX);
            for (&object, target) in group.iter().zip(targets) {
                to[object] = target;
            }
        }
        let object = |id: ObjectId| ObjectId::from_index(to[id.index()]);
        let mut facts: Vec<_> = problem
            .init
            .iter()
            .map(|fact| {
                (
                    fact.predicate,
                    fact.arguments.iter().map(|&id| object(id)).collect::<Vec<_>>(),
                )
            })
            .collect();
        facts.sort();
        let mut renamed = problem.clone();
        renamed.init = AtomList::default();
        for (predicate, arguments) in facts {
            renamed.init.push(predicate, &arguments);
        }
        rename_goal(&mut renamed.goal, &object);
        renamed
    }
}

/// Returns the objects that have the same types, without constants.
fn groups(problem: &Problem) -> Vec<Vec<usize>> {
    let mut groups = BTreeMap::<String, Vec<usize>>::new();
    for (index, object) in problem
        .objects
        .iter()
        .enumerate()
        .skip(problem.constants as usize)
    {
        groups
            .entry(format!("{:?}", object.types))
            .or_default()
            .push(index);
    }
    groups.into_values().collect()
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

fn rename_goal(goal: &mut Formula, object: &impl Fn(ObjectId) -> ObjectId) {
    match goal {
        Formula::And(parts) => parts.iter_mut().for_each(|part| rename_goal(part, object)),
        Formula::Atom(atom) => {
            for term in &mut atom.arguments {
                if let herbrand_pddl::Term::Object(id) = term {
                    *id = object(*id);
                }
            }
        }
        _ => {}
    }
}

/// A fact or a goal: whether it is a goal, its predicate and its arguments.
type Row = (bool, usize, Vec<usize>);

/// Returns all facts and goals of a problem.
fn rows(problem: &Problem) -> BTreeSet<Row> {
    let numbers = |ids: &[ObjectId]| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
    let facts = problem.init.iter();
    let facts = facts.map(|fact| (false, fact.predicate.index(), numbers(fact.arguments)));
    let mut rows: BTreeSet<Row> = facts.collect();
    for goal in conjuncts(&problem.goal) {
        if let Formula::Atom(atom) = goal {
            let ids = atom.arguments.iter().filter_map(|term| match term {
                herbrand_pddl::Term::Object(id) => Some(id.index()),
                herbrand_pddl::Term::Variable(_) => None,
            });
            rows.insert((true, atom.predicate.index(), ids.collect()));
        }
    }
    rows
}

/// Returns whether two problems with the same objects differ in the names of objects only. Objects are assigned one by
/// one; rows whose objects are all assigned must exist in the other problem.
fn is_isomorphic(one: &Problem, other: &Problem, groups: &[Vec<usize>]) -> bool {
    let (own, wanted) = (rows(one), rows(other));
    if own.len() != wanted.len() {
        return false;
    }
    let mut to: Vec<Option<usize>> = (0..one.objects.len()).map(Some).collect();
    let order: Vec<(usize, usize)> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, objects)| objects.iter().map(move |&object| (object, group)))
        .collect();
    order.iter().for_each(|&(object, _)| to[object] = None);
    assign(&mut to, &order, groups, &own, &wanted)
}

fn assign(
    to: &mut Vec<Option<usize>>,
    order: &[(usize, usize)],
    groups: &[Vec<usize>],
    own: &BTreeSet<Row>,
    wanted: &BTreeSet<Row>,
) -> bool {
    let fits = own.iter().all(|(is_goal, predicate, arguments)| {
        let arguments: Option<Vec<usize>> = arguments.iter().map(|&object| to[object]).collect();
        arguments.is_none_or(|arguments| wanted.contains(&(*is_goal, *predicate, arguments)))
    });
    if !fits {
        return false;
    }
    let Some((&(object, group), rest)) = order.split_first() else {
        return true;
    };
    for &target in &groups[group] {
        if !to.contains(&Some(target)) {
            to[object] = Some(target);
            if assign(to, rest, groups, own, wanted) {
                return true;
            }
            to[object] = None;
        }
    }
    false
}
