//! Removes the values that no state has and the variables that no plan needs, and orders the other variables.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fxhash::FxHashMap;
use herbrand_ground::{ActionId, AtomId};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::task::{Axiom, Effect, Fact, Operator, tidy};

/// A finite-domain task under construction, without names.
pub(crate) struct Draft {
    /// The number of values of each variable.
    pub(crate) sizes: Vec<u32>,
    pub(crate) layers: Vec<Option<u32>>,
    pub(crate) initial: Vec<u32>,
    pub(crate) goal: Vec<Fact>,
    pub(crate) operators: Vec<Operator>,
    /// The action of each operator.
    pub(crate) actions: Vec<ActionId>,
    pub(crate) axioms: Vec<Axiom>,
    /// For each variable, the atoms of its first values.
    pub(crate) atoms: Vec<Vec<AtomId>>,
}

/// The new number of each variable and value; `None` if it is left out.
pub(crate) struct Renumbering {
    pub(crate) variables: Vec<Option<u32>>,
    pub(crate) values: Vec<Vec<Option<u32>>>,
    /// The old numbers of the variables, in their new order.
    pub(crate) order: Vec<u32>,
}

impl Renumbering {
    /// Returns the new fact; `None` if the variable or the value is left out.
    pub(crate) fn fact(&self, fact: Fact) -> Option<Fact> {
        let variable = self.variables[fact.variable as usize]?;
        Some(Fact::new(
            variable,
            self.values[fact.variable as usize][fact.value as usize]?,
        ))
    }

    /// Renumbers the facts of a condition. The conditions on variables that are left out are dropped.
    fn renumber(&self, facts: &mut Vec<Fact>) {
        facts.retain_mut(|fact| {
            let new = self.fact(*fact);
            *fact = new.unwrap_or(*fact);
            new.is_some()
        });
        facts.sort_unstable();
    }
}

impl Draft {
    /// Removes the operators, effects and axioms whose conditions are never true together with each other's first steps
    /// under delete relaxation. Returns for each variable the values that some state may have.
    pub(crate) fn remove_unreachable(&mut self) -> Vec<Vec<bool>> {
        let reached = Reachability::of(self);
        let is_reached = |fact: &Fact| reached[fact.variable as usize][fact.value as usize];
        self.retain(|operator| {
            operator.retain_effects(|effect| effect.condition.iter().all(is_reached));
            !operator.effects.is_empty() && operator.preconditions().all(|fact| is_reached(&fact))
        });
        self.axioms.retain(|axiom| axiom.condition.iter().all(is_reached));
        reached
    }

    /// Keeps the operators for which `keep` is true. It may change them.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&mut Operator) -> bool) {
        let mut actions = std::mem::take(&mut self.actions).into_iter();
        self.operators.retain_mut(|operator| {
            let (action, kept) = (actions.next(), keep(operator));
            self.actions.extend(action.filter(|_| kept));
            kept
        });
    }

    /// Returns whether each variable matters: the goal depends on it, or an operator or axiom that changes a variable that
    /// matters does.
    pub(crate) fn relevant(&self) -> Vec<bool> {
        let mut changers: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        for (index, operator) in (0..).zip(&self.operators) {
            for effect in &operator.effects {
                changers[effect.variable as usize].push(index);
            }
        }
        let mut derivations: Vec<Vec<u32>> = vec![Vec::new(); self.sizes.len()];
        for (index, axiom) in (0..).zip(&self.axioms) {
            derivations[axiom.head.variable as usize].push(index);
        }
        let mut relevant = vec![false; self.sizes.len()];
        let mut seen = vec![false; self.operators.len()];
        let mut open = Vec::new();
        let mut mark = |open: &mut Vec<u32>, fact: Fact| {
            if !std::mem::replace(&mut relevant[fact.variable as usize], true) {
                open.push(fact.variable);
            }
        };
        self.goal.iter().for_each(|&fact| mark(&mut open, fact));
        while let Some(variable) = open.pop() {
            for &index in &changers[variable as usize] {
                let operator = &self.operators[index as usize];
                if !std::mem::replace(&mut seen[index as usize], true) {
                    operator.preconditions().for_each(|fact| mark(&mut open, fact));
                }
                for effect in operator
                    .effects
                    .iter()
                    .filter(|effect| effect.variable == variable)
                {
                    effect.condition.iter().for_each(|&fact| mark(&mut open, fact));
                }
            }
            for &index in &derivations[variable as usize] {
                let condition = &self.axioms[index as usize].condition;
                condition.iter().for_each(|&fact| mark(&mut open, fact));
            }
        }
        relevant
    }

    /// Renumbers the kept variables and values: causes before effects, as far as there are no cycles.
    pub(crate) fn renumbering(&self, kept: &[bool], reached: &[Vec<bool>]) -> Renumbering {
        let order: Vec<u32> = causal_order(self)
            .into_iter()
            .filter(|&variable| kept[variable as usize])
            .collect();
        let mut variables = vec![None; self.sizes.len()];
        for (index, &variable) in (0..).zip(&order) {
            variables[variable as usize] = Some(index);
        }
        let number = |reached: &Vec<bool>| {
            let mut next = 0;
            let value = |&reached: &bool| {
                next += u32::from(reached);
                reached.then(|| next - 1)
            };
            reached.iter().map(value).collect()
        };
        Renumbering {
            variables,
            values: reached.iter().map(number).collect(),
            order,
        }
    }

    /// Applies a renumbering. Operators without effects are removed.
    pub(crate) fn renumber(&mut self, numbers: &Renumbering) {
        let values = |variable: &u32| numbers.values[*variable as usize].iter().flatten().count() as u32;
        self.sizes = numbers.order.iter().map(values).collect();
        self.layers = numbers
            .order
            .iter()
            .map(|&variable| self.layers[variable as usize])
            .collect();
        let initial = |&variable: &u32| {
            let value = self.initial[variable as usize];
            numbers.values[variable as usize][value as usize].unwrap_or_default()
        };
        self.initial = numbers.order.iter().map(initial).collect();
        numbers.renumber(&mut self.goal);
        self.retain(|operator| {
            let is_kept = |effect: &Effect| numbers.fact(Fact::new(effect.variable, effect.after)).is_some();
            operator.retain_effects(is_kept);
            numbers.renumber(&mut operator.prevail);
            operator.effects.retain_mut(|effect| {
                let of_variable = |value| numbers.fact(Fact::new(effect.variable, value));
                let Some(after) = of_variable(effect.after) else {
                    return false;
                };
                effect.before = effect.before.and_then(of_variable).map(|fact| fact.value);
                (effect.variable, effect.after) = (after.variable, after.value);
                numbers.renumber(&mut effect.condition);
                true
            });
            tidy(&mut operator.effects);
            !operator.effects.is_empty()
        });
        let axioms = std::mem::take(&mut self.axioms).into_iter();
        let new = axioms.filter_map(|mut axiom| {
            axiom.head = numbers.fact(axiom.head)?;
            numbers.renumber(&mut axiom.condition);
            Some(axiom)
        });
        self.axioms = new.collect();
    }
}

/// The facts that are reachable if no fact ever becomes false.
struct Reachability {
    reached: Vec<Vec<bool>>,
    open: Vec<Fact>,
}

impl Reachability {
    fn of(draft: &Draft) -> Vec<Vec<bool>> {
        // Rules: first the operators, then the conditional effects, then the axioms.
        let operators = draft.operators.len();
        let mut waiting: Vec<u32> = Vec::new();
        let mut heads: Vec<Fact> = Vec::new();
        let mut guarded: Vec<Vec<usize>> = vec![Vec::new(); operators];
        let mut watchers: Vec<Vec<Vec<u32>>> = draft
            .sizes
            .iter()
            .map(|&size| vec![Vec::new(); size as usize])
            .collect();
        let watch =
            |watchers: &mut Vec<Vec<Vec<u32>>>, facts: &mut dyn Iterator<Item = Fact>, rule: usize| {
                let mut count = 0;
                for fact in facts {
                    watchers[fact.variable as usize][fact.value as usize].push(rule as u32);
                    count += 1;
                }
                count
            };
        for (index, operator) in draft.operators.iter().enumerate() {
            waiting.push(watch(&mut watchers, &mut operator.preconditions(), index));
        }
        for (index, operator) in draft.operators.iter().enumerate() {
            for effect in operator
                .effects
                .iter()
                .filter(|effect| !effect.condition.is_empty())
            {
                let rule = waiting.len();
                guarded[index].push(rule);
                heads.push(Fact::new(effect.variable, effect.after));
                waiting.push(1 + watch(&mut watchers, &mut effect.condition.iter().copied(), rule));
            }
        }
        let axioms = waiting.len();
        for axiom in &draft.axioms {
            let rule = waiting.len();
            heads.push(axiom.head);
            waiting.push(watch(&mut watchers, &mut axiom.condition.iter().copied(), rule));
        }
        let mut found = Self {
            reached: draft
                .sizes
                .iter()
                .map(|&size| vec![false; size as usize])
                .collect(),
            open: Vec::new(),
        };
        for (variable, &value) in (0..).zip(&draft.initial) {
            found.add(Fact::new(variable, value));
        }
        let start = (0..operators).chain(axioms..waiting.len());
        let mut ready: Vec<usize> = start.filter(|&rule| waiting[rule] == 0).collect();
        loop {
            while let Some(rule) = ready.pop() {
                if rule >= operators {
                    found.add(heads[rule - operators]);
                    continue;
                }
                for effect in draft.operators[rule]
                    .effects
                    .iter()
                    .filter(|effect| effect.condition.is_empty())
                {
                    found.add(Fact::new(effect.variable, effect.after));
                }
                for &rule in &guarded[rule] {
                    waiting[rule] -= 1;
                    if waiting[rule] == 0 {
                        ready.push(rule);
                    }
                }
            }
            let Some(fact) = found.open.pop() else {
                return found.reached;
            };
            for &rule in &watchers[fact.variable as usize][fact.value as usize] {
                waiting[rule as usize] -= 1;
                if waiting[rule as usize] == 0 {
                    ready.push(rule as usize);
                }
            }
        }
    }

    fn add(&mut self, fact: Fact) {
        if !std::mem::replace(
            &mut self.reached[fact.variable as usize][fact.value as usize],
            true,
        ) {
            self.open.push(fact);
        }
    }
}

/// Added to the weight of an arc to a variable of the goal, so that goals come late.
const GOAL: u64 = 100_000;

/// Returns all variables, causes before effects. In a cycle of the causal graph, the variable that fewest conditions point
/// to is next (Helmert, "The Fast Downward planning system", 2006).
fn causal_order(draft: &Draft) -> Vec<u32> {
    let mut weights: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    let mut causes = Vec::new();
    for operator in &draft.operators {
        causes.clear();
        causes.extend(operator.preconditions().map(|fact| fact.variable));
        for effect in &operator.effects {
            let all = causes
                .iter()
                .copied()
                .chain(effect.condition.iter().map(|fact| fact.variable));
            for cause in all.filter(|&cause| cause != effect.variable) {
                *weights.entry((cause, effect.variable)).or_default() += 1;
            }
        }
    }
    for axiom in &draft.axioms {
        for fact in axiom
            .condition
            .iter()
            .filter(|fact| fact.variable != axiom.head.variable)
        {
            *weights.entry((fact.variable, axiom.head.variable)).or_default() += 1;
        }
    }
    let mut arcs: Vec<_> = weights.into_iter().collect();
    arcs.sort_unstable();
    let mut graph: DiGraph<(), u64> = DiGraph::with_capacity(draft.sizes.len(), arcs.len());
    for _ in &draft.sizes {
        graph.add_node(());
    }
    for ((cause, effect), weight) in arcs {
        graph.add_edge(
            NodeIndex::new(cause as usize),
            NodeIndex::new(effect as usize),
            weight,
        );
    }
    let mut is_goal = vec![false; draft.sizes.len()];
    for fact in &draft.goal {
        is_goal[fact.variable as usize] = true;
    }
    let mut order = Vec::with_capacity(draft.sizes.len());
    // The components come in reverse topological order.
    for mut component in tarjan_scc(&graph).into_iter().rev() {
        component.sort_unstable();
        break_cycles(&graph, &component, &is_goal, &mut order);
    }
    order
}

/// Appends the variables of a strongly connected component. The next one is always the one with the least weight of arcs
/// from the other remaining variables.
fn break_cycles(graph: &DiGraph<(), u64>, component: &[NodeIndex], is_goal: &[bool], order: &mut Vec<u32>) {
    use petgraph::visit::EdgeRef as _;

    let mut weights: FxHashMap<NodeIndex, u64> = component.iter().map(|&node| (node, 0)).collect();
    for &node in component {
        for arc in graph.edges(node) {
            if let Some(weight) = weights.get_mut(&arc.target()) {
                *weight += *arc.weight() + if is_goal[arc.target().index()] { GOAL } else { 0 };
            }
        }
    }
    let mut open: BinaryHeap<_> = component
        .iter()
        .map(|node| Reverse((weights[node], *node)))
        .collect();
    while let Some(Reverse((weight, node))) = open.pop() {
        if weights.get(&node) != Some(&weight) {
            continue;
        }
        weights.remove(&node);
        order.push(node.index() as u32);
        for arc in graph.edges(node) {
            if let Some(left) = weights.get_mut(&arc.target()) {
                *left -= *arc.weight();
                open.push(Reverse((*left, arc.target())));
            }
        }
    }
}
