//! The axioms of a step list, simplified, in groups that are evaluated in order.

use fxhash::{FxHashMap, FxHashSet};
use herbrand_ground::GroundTask;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use crate::grounded::axioms::Axioms;
use crate::grounded::lists::Lists;
use crate::sliced::program::Formulas;

/// The rules that derive the maintained derived atoms.
///
/// A group whose atoms depend on themselves is simplified before, because its rules are repeated in every step: atoms that are
/// true in every state leave the bodies, and atoms that derive each other without a further condition become one. Rules after the
/// group copy that one to the others.
///
/// ```text
///   joined(a, b) ←                               reach(a) ← reach(b)
///   reach(a) ← joined(a, b), reach(b)     ──▶    reach(b) ← reach(a)     ──▶    reach(a) ← open(g), reach(c)
///   reach(b) ← joined(b, a), reach(a)            reach(b) ← open(g), reach(c)   reach(b) ← reach(a), afterwards
///   reach(b) ← open(g), reach(c)
/// ```
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// The atom that each rule derives.
    pub(crate) heads: Vec<u32>,
    pub(crate) bodies: Formulas,
    pub(crate) strata: Vec<Stratum>,
    /// For each derived atom, counted from the first, the rules of its own group that read it.
    pub(crate) readers: Lists<u32>,
}

/// A group of axioms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stratum {
    /// The end of its rules; they begin at the end of the group before.
    pub(crate) end: usize,
    /// Whether its atoms depend on themselves, so that its rules are repeated until nothing changes.
    pub(crate) recursive: bool,
}

/// A rule: the head, and the positive and the negative atoms of the body, each ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Rule {
    head: u32,
    positive: Vec<u32>,
    negative: Vec<u32>,
}

impl Rules {
    /// Returns the maintained axioms of a task.
    pub(crate) fn new(task: &GroundTask, axioms: &Axioms) -> Self {
        // The maintained axioms are those of the task whose heads are needed, in the same order.
        let kept = task.axioms.iter().filter(|axiom| {
            let head = axiom.head.number() - axioms.fluents;
            axioms.needed.get(head as usize)
        });
        let group = |head: u32| axioms.component[(head - axioms.fluents) as usize];
        let rules = kept.map(|axiom| {
            let [positive, negative] = Formulas::literals(task, axiom.body);
            let head = axiom.head.number();
            Rule {
                head,
                positive,
                negative,
            }
        });
        let mut rules: Vec<Rule> = rules.collect();
        rules.sort_by_key(|rule| group(rule.head));
        let certain = certain(&rules);
        let mut this = Self::default();
        let derived = task.atom_count() - task.fluent_count();
        let mut readers = vec![Vec::new(); derived];
        for same in rules.chunk_by(|one, other| group(one.head) == group(other.head)) {
            if !axioms.recursive[group(same[0].head) as usize] {
                this.push(same.iter(), false);
                continue;
            }
            let (facts, rest, copies) = simplify(same, &certain);
            this.push(facts.iter(), false);
            let start = this.heads.len() as u32;
            let own: FxHashSet<u32> = rest.iter().map(|rule| rule.head).collect();
            for (place, rule) in (start..).zip(&rest) {
                for atom in rule.positive.iter().filter(|atom| own.contains(atom)) {
                    readers[(atom - axioms.fluents) as usize].push(place);
                }
            }
            this.push(rest.iter(), true);
            this.push(copies.iter(), false);
        }
        this.readers = readers.into_iter().collect();
        this
    }

    /// Appends a group.
    fn push<'a>(&mut self, rules: impl Iterator<Item = &'a Rule>, recursive: bool) {
        let before = self.heads.len();
        for rule in rules {
            self.heads.push(rule.head);
            self.bodies.conjunction(&rule.positive, &rule.negative);
        }
        let end = self.heads.len();
        if end > before {
            self.strata.push(Stratum { end, recursive });
        }
    }
}

/// Returns the atoms that rules derive in every state.
fn certain(rules: &[Rule]) -> FxHashSet<u32> {
    let mut readers: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    // By rule, the number of literals that are not known to hold.
    let mut open: Vec<usize> = Vec::with_capacity(rules.len());
    for (index, rule) in rules.iter().enumerate() {
        for &atom in &rule.positive {
            readers.entry(atom).or_default().push(index);
        }
        open.push(rule.positive.len() + rule.negative.len());
    }
    let facts = rules.iter().zip(&open).filter(|(_, open)| **open == 0);
    let mut pending: Vec<u32> = facts.map(|(rule, _)| rule.head).collect();
    let mut certain = FxHashSet::default();
    while let Some(atom) = pending.pop() {
        if !certain.insert(atom) {
            continue;
        }
        for &index in readers.get(&atom).into_iter().flatten() {
            open[index] -= 1;
            if open[index] == 0 {
                pending.push(rules[index].head);
            }
        }
    }
    certain
}

/// Simplifies a group whose atoms depend on themselves. Returns facts, rules to repeat, and rules that copy their results.
fn simplify(rules: &[Rule], certain: &FxHashSet<u32>) -> (Vec<Rule>, Vec<Rule>, Vec<Rule>) {
    let unit = |head: u32, positive: Vec<u32>| Rule {
        head,
        positive,
        negative: Vec::new(),
    };
    let heads: FxHashSet<u32> = rules.iter().map(|rule| rule.head).collect();
    let (mut facts, mut rest, mut known) = (Vec::new(), Vec::new(), FxHashSet::default());
    let mut implications = DiGraphMap::<u32, ()>::new();
    for rule in rules {
        if certain.contains(&rule.head) {
            if known.insert(rule.head) {
                facts.push(unit(rule.head, Vec::new()));
            }
            continue;
        }
        let mut rule = rule.clone();
        rule.positive.retain(|atom| !certain.contains(atom));
        if let ([only], []) = (&*rule.positive, &*rule.negative)
            && heads.contains(only)
        {
            implications.add_edge(*only, rule.head, ());
        }
        rest.push(rule);
    }
    let mut same_as = FxHashMap::default();
    for mut atoms in kosaraju_scc(&implications) {
        atoms.sort_unstable();
        same_as.extend(atoms[1..].iter().map(|&atom| (atom, atoms[0])));
    }
    let one = |atom: u32| same_as.get(&atom).copied().unwrap_or(atom);
    for rule in &mut rest {
        rule.head = one(rule.head);
        rule.positive.iter_mut().for_each(|atom| *atom = one(*atom));
        rule.positive.sort_unstable();
        rule.positive.dedup();
    }
    let mut seen = FxHashSet::default();
    rest.retain(|rule| !rule.positive.contains(&rule.head) && seen.insert(rule.clone()));
    let mut copied: Vec<(u32, u32)> = same_as.into_iter().collect();
    copied.sort_unstable();
    let copies = copied.into_iter().map(|(atom, one)| unit(atom, vec![one]));
    (facts, rest, copies.collect())
}
