//! The set of valid joint actions, compiled once per problem: counted, sampled and masked in each state.
//!
//! Action fields that share no precondition are independent. Each group of fields that do becomes a [`Diagram`], unless
//! it has reals or its diagram is too large; then its values are drawn within their bounds, and joint actions have to be
//! checked afterwards. `max-nondef-actions` couples all fields: then the ways are counted by the number of fields that
//! differ from their defaults.
//!
//! An int may have bounds only in a given state, as by `f <= x + 5`. Then the set is compiled again for each state that is
//! asked about ([`refine`]).

mod diagram;
mod parts;
mod query;
mod refine;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use fxhash::FxBuildHasher;
use herbrand_core::{ActionField, FieldDomain, FieldValue};
use herbrand_dataflow::{Graph, Layout, NodeId, Tape, ValueType};
use herbrand_limits::{BudgetExhausted, Meter};
use petgraph::unionfind::UnionFind;

use self::diagram::{Diagram, DiscreteField, MOST_NODES, MOST_ORDERED, Remainders};
use self::parts::{Group, Part};
use self::refine::Refinement;
use super::compiled::{CompiledInstance, GroundFluents};

pub(super) use parts::{powers_of_sum, product};
pub(super) use query::{Draw, Query};
pub(super) use refine::ValidIn;

/// The number of the next set of valid actions.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// The maximum number of values of a field in a diagram.
const MOST_VALUES: u64 = 1 << 12;

/// The preconditions of a problem as expressions of state and action registers.
#[derive(Debug)]
pub(crate) struct PreconditionGraph {
    pub(crate) graph: Graph,
    /// The registers of states and actions, as in the tapes of the problem.
    pub(crate) layout: Layout,
    /// The preconditions and state-action constraints, except conditions that the bounds of the action layout imply.
    pub(crate) conjuncts: Vec<NodeId>,
    /// By state fluent: an interval of its values in all states that are reached and break no invariant. Empty if unknown.
    pub(crate) bounds: Vec<(f64, f64)>,
    /// Returns, for each fluent of a list, an interval of the values that conditions allow.
    pub(crate) bounds_of: BoundsOf,
}

/// A function that derives bounds of fluents from conditions.
pub(crate) type BoundsOf = fn(&Graph, &[NodeId], &GroundFluents) -> Vec<(f64, f64)>;

/// An int state fluent with the interval of its values that the diagrams take for granted.
#[derive(Debug)]
struct AssumedBounds {
    fluent: usize,
    low: f64,
    high: f64,
}

/// The valid joint actions of a problem in all its states.
#[derive(Debug)]
pub(crate) struct ValidActions {
    /// Different for each set that is compiled.
    id: u64,
    /// Compiles the set of a single state, if some field has bounds only there.
    refinement: Option<Box<Refinement>>,
    /// Computes the guards from the state.
    guards: Tape,
    first_guard: u32,
    guard_count: usize,
    /// The bounds of the state fluents that preconditions read.
    assumed: Vec<AssumedBounds>,
    /// The guard without which no joint action is valid.
    required: Option<u32>,
    /// Whether no joint action is valid in any state.
    never: bool,
    /// The discrete fields: guarded diagrams first, then those whose weights never change, then fields without
    /// preconditions.
    parts: Vec<Part>,
    /// The number of parts that are guarded diagrams.
    guarded: usize,
    /// The fields whose preconditions are in no diagram.
    unchecked: Vec<u32>,
    /// The maximum number of fields that differ from their defaults; `None` if there is no limit.
    most: Option<usize>,
    /// By part that never changes: the weights of its diagram.
    fixed: Vec<Vec<f64>>,
    /// With a limit, for each part that never changes and for the end: the ways of this part and those after it, by
    /// number of fields that differ from their defaults.
    fixed_ways: Vec<Vec<f64>>,
}

/// A node with an interval of its values.
type Interval = (NodeId, (f64, f64));

/// A precondition with the action fields that it reads.
struct Constraint {
    condition: NodeId,
    reads: Vec<u32>,
}

impl ValidActions {
    /// Compiles the preconditions of a problem.
    ///
    /// # Errors
    /// Fails if the meter's budget is exhausted.
    pub(crate) fn compile(
        compiled: &CompiledInstance,
        conditions: PreconditionGraph,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let fields = compiled.layout.fields();
        let is_int = |field: &ActionField| matches!(field.domain, FieldDomain::Int { .. });
        let has_ints = fields.iter().any(is_int);
        let refinement = has_ints.then(|| Refinement::of(compiled, &conditions)).flatten();
        let domains = fields.iter().map(|field| field.domain);
        let mut valid = Self::compile_within(compiled, conditions, domains, MOST_NODES, meter)?;
        if valid
            .unchecked
            .iter()
            .any(|&field| is_int(&fields[field as usize]))
        {
            valid.refinement = refinement.map(|mut one| {
                one.unchecked = valid.unchecked.len();
                Box::new(one)
            });
        }
        Ok(valid)
    }

    /// Compiles preconditions, given the domains of the action fields, with at most `most_nodes` nodes per diagram or a few
    /// per field.
    fn compile_within(
        compiled: &CompiledInstance,
        conditions: PreconditionGraph,
        domains: impl Iterator<Item = FieldDomain>,
        most_nodes: usize,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let PreconditionGraph {
            mut graph,
            mut layout,
            conjuncts,
            bounds,
            ..
        } = conditions;
        let (assumed, states) = assumptions(compiled, &mut graph, &conjuncts, &bounds);
        let fields: Vec<Field> = (0..)
            .zip(domains)
            .map(|(at, domain)| Field::new(compiled, at, domain, &mut graph))
            .collect();
        let numbers: HashMap<NodeId, u32, FxBuildHasher> = (0..)
            .zip(&fields)
            .map(|(number, field)| (field.input, number))
            .collect();
        let of_fields = fields.iter().map(|one| (one.input, one.interval));
        let mut remainders = Remainders::new(&mut graph, of_fields, states);
        let (mut constraints, mut guards) = (Vec::new(), Vec::new());
        let mut never = false;
        for condition in conjuncts {
            let mut rest = Vec::new();
            never |= !remainders.split(condition, &mut rest, &mut guards);
            constraints.extend(rest.into_iter().map(|condition| Constraint {
                reads: fields_read(&mut remainders, condition, &numbers),
                condition,
            }));
            meter.work(1);
        }
        let required = remainders.guard(guards);
        let coupled = coupled(constraints, fields.len());
        let mut is_free = vec![true; fields.len()];
        let of_diagrams = coupled.iter().flat_map(|(members, _)| members);
        of_diagrams.for_each(|&field| is_free[field as usize] = false);
        let (mut diagrams, mut unchecked) = (Vec::new(), Vec::new());
        for (members, constraints) in coupled {
            let limit = most_nodes;
            let diagram = compile_diagram(&members, constraints, &fields, &mut remainders, (limit, meter));
            meter.check()?;
            match diagram {
                Some(diagram) => diagrams.push(diagram),
                None => unchecked.extend(members),
            }
        }
        unchecked.sort_unstable();
        unchecked.iter().for_each(|&field| is_free[field as usize] = true);
        let listed = std::mem::take(&mut remainders.listed);
        let first_guard = layout.take(ValueType::Bool, listed.len() as u32);
        let outputs: Vec<(NodeId, u32)> = listed.iter().copied().zip(first_guard..).collect();
        let guards = Tape::compile(&graph, layout, &outputs, meter)?;
        diagrams.sort_by_key(|diagram| !diagram.is_guarded());
        let guarded = diagrams.iter().filter(|diagram| diagram.is_guarded()).count();
        let mut parts: Vec<Part> = diagrams.into_iter().map(Part::Diagram).collect();
        let free = |field: &&Field| is_free[field.number as usize] && count_others(field.domain) != Some(0);
        let mut groups: Vec<Group> = Vec::new();
        for field in fields.iter().filter(free) {
            let (values, is_infinite) = match field.discrete() {
                Some(values) => (values, false),
                None => (field.infinite(), true),
            };
            let others = values.count - 1;
            let is_alike = |group: &&mut Group| (group.others, group.is_infinite) == (others, is_infinite);
            match groups.iter_mut().find(is_alike) {
                Some(group) => group.fields.push(values),
                None => groups.push(Group {
                    others,
                    is_infinite,
                    fields: vec![values],
                    ways: Vec::new(),
                }),
            }
        }
        parts.extend(groups.into_iter().map(Part::Group));
        let settable = parts.iter().map(Part::len).sum::<usize>();
        let most = compiled.layout.most();
        let is_limited = most < settable;
        let mut valid = Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            refinement: None,
            guards,
            first_guard,
            guard_count: listed.len(),
            assumed,
            required,
            never,
            parts,
            guarded,
            unchecked,
            most: is_limited.then_some(most),
            fixed: Vec::new(),
            fixed_ways: Vec::new(),
        };
        meter.charge(valid.bytes_of_weights());
        meter.check()?;
        valid.weigh_fixed(meter)?;
        Ok(valid)
    }

    /// Returns the memory use of the weights of all parts in one state.
    fn bytes_of_weights(&self) -> u64 {
        let ways = |most: Option<usize>| most.map_or(0, |most| most as u64 + 1);
        let of_part = |part: &Part| {
            let nodes = match part {
                Part::Diagram(diagram) => diagram.node_count() as u64,
                Part::Group(_) => 1,
            };
            nodes.saturating_mul(ways(self.limit(part)).max(1)) + ways(self.most)
        };
        let values = self.parts.iter().map(of_part).fold(0, u64::saturating_add);
        values.saturating_mul(8)
    }

    /// Weighs the parts that are the same in all states.
    fn weigh_fixed(&mut self, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        if let Some(most) = self.most {
            for part in &mut self.parts {
                if let Part::Group(group) = part {
                    group.ways = group.scaled_ways(most);
                }
            }
        }
        let fixed = &self.parts[self.guarded..];
        self.fixed = fixed
            .iter()
            .map(|part| part.weights(&[], self.limit(part)))
            .collect();
        if let Some(most) = self.most {
            let mut ways = vec![parts::one(most)];
            for (part, weights) in fixed.iter().zip(&self.fixed).rev() {
                let of_part = part.ways(weights, self.limit(part));
                meter.work((of_part.len() * most) as u64 / 64);
                meter.check()?;
                ways.push(parts::product(of_part, &ways[ways.len() - 1], most));
            }
            ways.reverse();
            self.fixed_ways = ways;
        }
        Ok(())
    }

    /// Returns the maximum number of fields of a part that may differ from their defaults; `None` without a limit.
    fn limit(&self, part: &Part) -> Option<usize> {
        self.most.map(|most| most.min(part.len()))
    }

    /// Returns the number of this set, different for each set.
    pub(super) const fn id(&self) -> u64 {
        self.id
    }

    /// Returns whether every joint action drawn is valid without a check, and each is as likely as any other.
    pub(crate) const fn is_exact(&self) -> bool {
        self.unchecked.is_empty()
    }

    /// Returns the fields whose values have to be checked after a draw, in ascending order.
    pub(super) fn unchecked(&self) -> &[u32] {
        &self.unchecked
    }
}

/// Groups the fields that share preconditions, each group in ascending order and with its preconditions.
fn coupled(constraints: Vec<Constraint>, fields: usize) -> Vec<(Vec<u32>, Vec<Constraint>)> {
    let mut union = UnionFind::<u32>::new(fields);
    for constraint in &constraints {
        for pair in constraint.reads.windows(2) {
            union.union(pair[0], pair[1]);
        }
    }
    let mut groups: Vec<(Vec<u32>, Vec<Constraint>)> = Vec::new();
    let mut group_of = vec![usize::MAX; fields];
    for constraint in constraints {
        let group = &mut group_of[union.find(constraint.reads[0]) as usize];
        if *group == usize::MAX {
            *group = groups.len();
            groups.push((Vec::new(), Vec::new()));
        }
        groups[*group].1.push(constraint);
    }
    for field in 0..fields as u32 {
        if let Some((members, _)) = groups.get_mut(group_of[union.find(field) as usize]) {
            members.push(field);
        }
    }
    groups
}

/// Returns the int state fluents with bounds that preconditions read, and the intervals of their nodes.
fn assumptions(
    compiled: &CompiledInstance,
    graph: &mut Graph,
    conjuncts: &[NodeId],
    bounds: &[(f64, f64)],
) -> (Vec<AssumedBounds>, Vec<Interval>) {
    let section = &compiled.state.section;
    let read: HashSet<NodeId, FxBuildHasher> = match bounds {
        [] => Default::default(),
        _ => graph.needed(conjuncts.iter().copied()).into_iter().collect(),
    };
    let mut found = (Vec::new(), Vec::new());
    for (fluent, &(low, high)) in bounds.iter().enumerate() {
        if section.kind(fluent) != ValueType::Int || !low.is_finite() || !high.is_finite() {
            continue;
        }
        let input = graph.input(ValueType::Int, section.register(fluent));
        if read.contains(&input) {
            found.0.push(AssumedBounds { fluent, low, high });
            found.1.push((input, (low, high)));
        }
    }
    found
}

/// An action field with the data that a diagram needs.
struct Field {
    number: u32,
    input: NodeId,
    domain: FieldDomain,
    default: FieldValue,
    interval: (f64, f64),
}

impl Field {
    fn new(compiled: &CompiledInstance, at: usize, domain: FieldDomain, graph: &mut Graph) -> Self {
        let section = &compiled.action.section;
        let field = &compiled.layout.fields()[at];
        Self {
            number: at as u32,
            input: graph.input(section.kind(at), section.register(at)),
            domain,
            default: field.default.unwrap_or(FieldValue::Discrete(0)),
            interval: domain.bounds(),
        }
    }

    /// Returns the field as one of two values, its default and any other.
    const fn infinite(&self) -> DiscreteField {
        DiscreteField {
            field: self.number,
            input: self.input,
            low: 0,
            count: 2,
            default: 0,
        }
    }

    /// Returns the field if it has few enough values for a part; `None` otherwise.
    fn discrete(&self) -> Option<DiscreteField> {
        let count = u32::try_from(count_others(self.domain)?).ok()?.checked_add(1)?;
        let (low, default) = match (self.domain, self.default) {
            (FieldDomain::Int { low, .. }, FieldValue::Int(default)) => (low, default.abs_diff(low) as u32),
            (FieldDomain::Discrete { .. }, FieldValue::Discrete(default)) => (0, default),
            _ => return None,
        };
        Some(DiscreteField {
            field: self.number,
            input: self.input,
            low,
            count,
            default,
        })
    }
}

/// Returns the number of values of a field other than the default; `None` if they are infinitely many.
pub(super) const fn count_others(domain: FieldDomain) -> Option<u64> {
    match domain {
        FieldDomain::Discrete { count } => Some(count.saturating_sub(1) as u64),
        FieldDomain::Int { low, high } if low == i64::MIN || high == i64::MAX => None,
        FieldDomain::Int { low, high } => Some(high.abs_diff(low)),
        FieldDomain::Real { low, high } if low >= high => Some(0),
        FieldDomain::Real { .. } => None,
    }
}

/// Returns the action fields that a condition reads, in ascending order.
fn fields_read(
    remainders: &mut Remainders<'_>,
    condition: NodeId,
    numbers: &HashMap<NodeId, u32, FxBuildHasher>,
) -> Vec<u32> {
    let mut reads = Vec::new();
    let mut seen: HashSet<NodeId, FxBuildHasher> = Default::default();
    let mut open = vec![condition];
    while let Some(node) = open.pop() {
        if !seen.insert(node) || !remainders.reads_action(node) {
            continue;
        }
        reads.extend(numbers.get(&node));
        remainders
            .graph
            .operation(node)
            .operands(|operand| open.push(operand));
    }
    reads.sort_unstable();
    reads
}

/// Compiles the diagram of fields that share preconditions; `None` if they have too many values or a precondition can
/// fail.
fn compile_diagram(
    members: &[u32],
    constraints: Vec<Constraint>,
    fields: &[Field],
    remainders: &mut Remainders<'_>,
    (most_nodes, meter): (usize, &mut Meter),
) -> Option<Diagram> {
    let can_fail = |one: &Constraint| remainders.graph.is_fallible(one.condition);
    if constraints.iter().any(can_fail) {
        return None;
    }
    let order = in_order(members, &constraints);
    let discrete = |&field: &u32| {
        let field = fields[field as usize].discrete()?;
        (u64::from(field.count) <= MOST_VALUES).then_some(field)
    };
    let fields = order.iter().map(discrete).collect::<Option<Vec<_>>>()?;
    let level_of: HashMap<u32, usize, FxBuildHasher> = order.iter().copied().zip(0..).collect();
    let mut opened = vec![Vec::new(); fields.len()];
    for one in constraints {
        if let Some(level) = one.reads.iter().map(|field| level_of[field]).min() {
            opened[level].push(one.condition);
        }
    }
    let guards = remainders.guard_count();
    let diagram = Diagram::compile(fields, opened, remainders, (most_nodes, meter));
    if diagram.is_none() {
        remainders.forget_guards(guards);
    }
    diagram
}

/// Orders fields so that few preconditions are open at a time: those whose first field is decided and whose last is not.
fn in_order(members: &[u32], constraints: &[Constraint]) -> Vec<u32> {
    if members.len() > MOST_ORDERED || constraints.len() < 2 {
        return members.to_vec();
    }
    let place = |field: u32| members.binary_search(&field).unwrap_or_default();
    let mut reading = vec![Vec::new(); members.len()];
    for (number, constraint) in constraints.iter().enumerate() {
        constraint
            .reads
            .iter()
            .for_each(|&field| reading[place(field)].push(number));
    }
    let mut undecided: Vec<usize> = constraints.iter().map(|one| one.reads.len()).collect();
    let mut rest: Vec<usize> = (0..members.len()).collect();
    let mut order = Vec::with_capacity(members.len());
    while !rest.is_empty() {
        // The number of preconditions that a field opens, less the number that it closes.
        let change = |&at: &usize| -> isize {
            let of = |&number: &usize| match (undecided[number], constraints[number].reads.len()) {
                (1, 1) => 0,
                (1, _) => -1,
                (left, all) if left == all => 1,
                _ => 0,
            };
            reading[at].iter().map(of).sum()
        };
        let (index, _) = rest
            .iter()
            .enumerate()
            .min_by_key(|&(index, at)| (change(at), index))
            .unwrap_or((0, &0));
        let at = rest.remove(index);
        reading[at].iter().for_each(|&number| undecided[number] -= 1);
        order.push(members[at]);
    }
    order
}
