//! Questions about the valid joint actions of one state.

use herbrand_core::{
    ActionCount, ActionLayout, Choice, FieldDomain, FieldValue, Random, uniform_below, uniform_unit,
};
use herbrand_dataflow::Registers;
use rand::Rng;
use smallvec::SmallVec;

use super::super::chance::NoDraws;
use super::super::compiled::CompiledInstance;
use super::super::sample::draw_value;
use super::super::values::Values;
use super::diagram::{DiscreteField, FieldChange, Weights};
use super::parts::{Group, Part, multiply, one, powers_of_sum, product};
use super::{AssumedBounds, ValidActions};

/// The result of drawing a joint action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Draw {
    /// The joint action is valid.
    Valid,
    /// The joint action is valid if the preconditions that are in no diagram hold.
    Unchecked,
    /// No joint action is valid in the state.
    Impossible,
}

/// The valid joint actions of one state. It is kept from state to state, so that questions do not allocate, and nothing is
/// computed again while the same guards hold.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Query {
    registers: Registers,
    /// The number of the set that was asked about last; 0 for none.
    of: u64,
    /// By guard: whether it holds.
    holds: Vec<bool>,
    /// By guarded diagram: the weights of its nodes.
    weights: Vec<Weights>,
    /// With a limit, for each guarded diagram and for the parts after them: the ways of this part and those after it.
    together: Vec<Vec<f64>>,
    /// Buffers of [`each_possible`](Self::each_possible).
    least: Vec<u32>,
    from_root: Vec<u32>,
    of_parts: Vec<u32>,
    /// By action field: the last draw that set it.
    set_by: Vec<u64>,
    draws: u64,
}

impl Query {
    /// Asks about a state. Returns whether a joint action can be valid in it; `None` if the state is outside the bounds that the
    /// diagrams take for granted, so that other questions have no answer.
    pub(in super::super) fn ask(
        &mut self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        state: &Values,
    ) -> Option<bool> {
        let section = &compiled.state.section;
        let is_assumed =
            |one: &AssumedBounds| (one.low..=one.high).contains(&section.get(state, one.fluent).number());
        if !valid.assumed.iter().all(is_assumed) {
            return None;
        }
        let count = valid.guard_count;
        let is_new = self.of != valid.id();
        if is_new {
            self.registers = valid.guards.registers();
            self.set_by.resize(compiled.layout.fields().len(), 0);
            self.of = valid.id();
        }
        if count > 0 {
            compiled.state.section.load(state, &mut self.registers);
            // Conditions that can fail are in no diagram.
            if valid.guards.run(&mut self.registers, &NoDraws).is_err() {
                self.of = 0;
                return Some(false);
            }
        }
        let now = &self.registers.bools[valid.first_guard as usize..][..count];
        if is_new || self.holds != now {
            self.holds.clear();
            self.holds.extend_from_slice(now);
            self.weigh(valid);
        }
        Some(!valid.never && valid.required.is_none_or(|guard| self.holds[guard as usize]))
    }

    fn weigh(&mut self, valid: &ValidActions) {
        self.weights.resize_with(valid.guarded, Weights::default);
        for (part, weights) in valid.parts.iter().zip(&mut self.weights) {
            if let Part::Diagram(diagram) = part {
                diagram.weigh_kept(&self.holds, valid.limit(part), weights);
            }
        }
        let Some(most) = valid.most else {
            return;
        };
        self.together.resize_with(valid.guarded + 1, Vec::new);
        self.together[valid.guarded].clone_from(&valid.fixed_ways[0]);
        for (number, part) in valid.parts[..valid.guarded].iter().enumerate().rev() {
            let ways = part.ways(self.weights[number].get(), valid.limit(part));
            let (here, after) = self.together[number..].split_at_mut(1);
            multiply(ways, &after[0], most, &mut here[0]);
        }
    }

    /// Returns the weights of a part's diagram.
    fn weights<'q>(&'q self, valid: &'q ValidActions, part: usize) -> &'q [f64] {
        match part.checked_sub(valid.guarded) {
            Some(fixed) => &valid.fixed[fixed],
            None => self.weights[part].get(),
        }
    }

    /// Returns the ways of the parts from number `part` on, by number of fields that differ from their defaults.
    fn together<'q>(&'q self, valid: &'q ValidActions, part: usize) -> &'q [f64] {
        match part.checked_sub(valid.guarded) {
            Some(fixed) => &valid.fixed_ways[fixed],
            None => &self.together[part],
        }
    }

    /// Draws a joint action uniformly from all joint actions that the diagrams and bounds permit. Call [`ask`](Self::ask) first.
    pub(in super::super) fn draw(
        &mut self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        random: &mut Random,
        into: &mut Vec<Choice>,
    ) -> Draw {
        into.clear();
        let possible = match valid.most {
            None => self.draw_each(valid, compiled, random, into),
            Some(_) => self.draw_limited(valid, compiled, random, into),
        };
        if !possible {
            into.clear();
            return Draw::Impossible;
        }
        into.sort_unstable_by_key(|choice| choice.field);
        if valid.is_exact() {
            Draw::Valid
        } else {
            Draw::Unchecked
        }
    }

    /// Draws each part independently, if any number of fields may be set.
    fn draw_each(
        &self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        random: &mut Random,
        into: &mut Vec<Choice>,
    ) -> bool {
        for (number, part) in valid.parts.iter().enumerate() {
            match part {
                Part::Diagram(diagram) => {
                    let weights = self.weights(valid, number);
                    if weights[0] == 0.0 {
                        return false;
                    }
                    diagram.draw((weights, None), &self.holds, 0, random, |field, value| {
                        into.push(choice(compiled, field, value));
                    });
                }
                Part::Group(group) => draw_all(group, compiled, random, into),
            }
        }
        true
    }

    /// Draws how many fields of each part to set, and their values.
    fn draw_limited(
        &mut self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        random: &mut Random,
        into: &mut Vec<Choice>,
    ) -> bool {
        let Some(mut set) = pick(self.together(valid, 0).iter().copied(), random) else {
            return false;
        };
        for (number, part) in valid.parts.iter().enumerate() {
            let after = self.together(valid, number + 1);
            let limit = valid.limit(part);
            let ways = part.ways(self.weights(valid, number), limit);
            let of_part = ways.iter().take(set + 1).enumerate();
            let Some(here) = pick(of_part.map(|(here, ways)| ways * after[set - here]), random) else {
                return false;
            };
            match part {
                Part::Diagram(diagram) => {
                    let weights = (self.weights(valid, number), limit);
                    diagram.draw(weights, &self.holds, here, random, |field, value| {
                        into.push(choice(compiled, field, value));
                    });
                }
                Part::Group(group) => {
                    for place in self.chosen(group.fields.len(), here, random) {
                        let field = &group.fields[place];
                        into.push(if group.is_infinite {
                            draw_infinite(field, compiled, random)
                        } else {
                            choice(compiled, field, draw_other(field, random))
                        });
                    }
                }
            }
            set -= here;
        }
        true
    }

    /// Draws `count` of the numbers below `all`, by Floyd's sampling of a set (Bentley and Floyd, 1987).
    fn chosen(
        &mut self,
        all: usize,
        count: usize,
        random: &mut Random,
    ) -> impl Iterator<Item = usize> + use<'_> {
        self.draws += 1;
        let (draws, set_by) = (self.draws, &mut self.set_by);
        let mut chosen: SmallVec<[usize; 16]> = SmallVec::with_capacity(count);
        for last in all - count..all {
            let drawn = if count == all {
                last
            } else {
                uniform_below(random, last as u32 + 1) as usize
            };
            let is_new = set_by[drawn] != draws;
            let place = if is_new { drawn } else { last };
            set_by[place] = draws;
            chosen.push(place);
        }
        chosen.into_iter()
    }

    /// Returns the number of valid joint actions; `None` if not all preconditions are in diagrams. They are infinitely many if
    /// one of them sets a field with infinitely many values.
    pub(in super::super) fn count(&self, valid: &ValidActions) -> Option<ActionCount> {
        if !valid.is_exact() {
            return None;
        }
        let is_infinite = |part: &Part| matches!(part, Part::Group(group) if group.is_infinite);
        let count = self.ways(valid, false);
        let has_infinite = valid.parts.iter().any(is_infinite);
        Some(if has_infinite && self.ways(valid, true) > count.min(f64::MAX) {
            ActionCount::Infinite
        } else if count.is_finite() {
            ActionCount::Finite(count)
        } else {
            ActionCount::Unknown
        })
    }

    /// Counts the ways to choose values for all fields, where a field with infinitely many takes its default or, if
    /// `has_other`, one other value.
    fn ways(&self, valid: &ValidActions, has_other: bool) -> f64 {
        let mut total = one(valid.most.unwrap_or(0));
        for (number, part) in valid.parts.iter().enumerate() {
            let ways = match (part, valid.most) {
                (Part::Diagram(_), _) => part.ways(self.weights(valid, number), valid.limit(part)).to_vec(),
                (Part::Group(group), _) if group.is_infinite && !has_other => vec![1.0],
                (Part::Group(group), Some(most)) => {
                    powers_of_sum(group.fields.len(), f64::from(group.others), most)
                }
                (Part::Group(group), None) => {
                    vec![(f64::from(group.others) + 1.0).powi(group.fields.len() as i32)]
                }
            };
            total = product(&ways, &total, valid.most.unwrap_or(0));
        }
        total.iter().sum()
    }

    /// Calls `visit` with each valid joint action, its choices in ascending order of the fields. Call [`ask`](Self::ask)
    /// first; all preconditions must be in diagrams, and no field may have infinitely many values.
    pub(in super::super) fn each_joint(
        &self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        visit: &mut dyn FnMut(Vec<Choice>),
    ) {
        let mut joint = Vec::new();
        if valid.most.is_none() {
            return self.each_joint_from(valid, compiled, 0, None, &mut joint, visit);
        }
        for (set, ways) in self.together(valid, 0).iter().enumerate() {
            if *ways > 0.0 {
                self.each_joint_from(valid, compiled, 0, Some(set), &mut joint, visit);
            }
        }
    }

    /// Extends a joint action by all ways of the parts from number `part` on that set exactly `set` fields.
    fn each_joint_from(
        &self,
        valid: &ValidActions,
        compiled: &CompiledInstance,
        part: usize,
        set: Option<usize>,
        joint: &mut Vec<Choice>,
        visit: &mut dyn FnMut(Vec<Choice>),
    ) {
        let Some(of_part) = valid.parts.get(part) else {
            let mut joint = joint.clone();
            joint.sort_unstable_by_key(|choice| choice.field);
            return visit(joint);
        };
        let (limit, weights) = (valid.limit(of_part), self.weights(valid, part));
        let shares = match set {
            None => 0..=0,
            Some(set) => 0..=set.min(limit.unwrap_or(set)),
        };
        for share in shares {
            let rest = set.map(|set| set - share);
            if rest.is_some_and(|rest| self.together(valid, part + 1)[rest] == 0.0) {
                continue;
            }
            let mut each = |way: &[FieldChange<'_>]| {
                let before = joint.len();
                joint.extend(way.iter().map(|&(field, value)| choice(compiled, field, value)));
                self.each_joint_from(valid, compiled, part + 1, rest, joint, visit);
                joint.truncate(before);
            };
            match of_part {
                // Without a way, the weight of the root is 0.
                Part::Diagram(_) if set.is_none() && weights[0] == 0.0 => {}
                Part::Diagram(diagram) => diagram.each_way((weights, limit), &self.holds, share, &mut each),
                Part::Group(group) => group.each_way(set.map(|_| share), &mut each),
            }
        }
    }

    /// Calls `visit` with each value that some valid joint action has, possibly several times, and the number of its field.
    /// Fields whose preconditions are in no diagram count as fields without preconditions. Of an int field without
    /// preconditions, only the smallest, the largest and the default are visited; a field with infinitely many values is not
    /// visited.
    pub(in super::super) fn each_possible(
        &mut self,
        valid: &ValidActions,
        layout: &ActionLayout,
        visit: &mut dyn FnMut(u32, i64),
    ) {
        let mut visit_value =
            |field: &DiscreteField, value: u32| visit(field.field, field.low + i64::from(value));
        let most = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX - 1);
        let most = valid.most.map_or(u32::MAX - 1, most);
        let Self {
            holds,
            least,
            from_root,
            of_parts,
            ..
        } = self;
        of_parts.clear();
        of_parts.extend(valid.parts.iter().map(|part| match part {
            Part::Diagram(diagram) => diagram.least_set(holds, least),
            Part::Group(_) => 0,
        }));
        let total = of_parts.iter().fold(0_u32, |sum, &one| sum.saturating_add(one));
        if total <= most {
            for (part, of_part) in valid.parts.iter().zip(of_parts) {
                let most_here = most - (total - *of_part);
                match part {
                    Part::Diagram(diagram) => {
                        diagram.least_set(holds, least);
                        diagram.each_possible(holds, least, most_here, from_root, &mut visit_value);
                    }
                    Part::Group(group) if group.is_infinite => {}
                    Part::Group(group) => {
                        for field in &group.fields {
                            let mut offer = |value: u32| {
                                if value == field.default || most_here > 0 {
                                    visit_value(field, value);
                                }
                            };
                            match layout.fields()[field.field as usize].domain {
                                FieldDomain::Discrete { .. } => (0..field.count).for_each(offer),
                                _ => [0, field.default, field.count - 1]
                                    .into_iter()
                                    .for_each(&mut offer),
                            }
                        }
                    }
                }
            }
            for (number, field) in (0..).zip(layout.fields()) {
                if field.domain == (FieldDomain::Discrete { count: 1 }) {
                    visit(number, 0);
                }
            }
        }
    }
}

/// Draws a position with probability proportional to its weight; `None` if all weights are 0.
fn pick(weights: impl Iterator<Item = f64> + Clone, random: &mut Random) -> Option<usize> {
    let total: f64 = weights.clone().sum();
    let mut left = uniform_unit(random) * total;
    // Rounding can leave a rest after the last position; then the last possible one is taken.
    let mut taken = None;
    for (place, weight) in weights.enumerate().filter(|&(_, weight)| weight > 0.0) {
        taken = Some(place);
        if left < weight {
            break;
        }
        left -= weight;
    }
    taken
}

/// Draws a value of each field of a group.
fn draw_all(group: &Group, compiled: &CompiledInstance, random: &mut Random, into: &mut Vec<Choice>) {
    if group.is_infinite {
        into.extend(
            group
                .fields
                .iter()
                .map(|field| draw_infinite(field, compiled, random)),
        );
        return;
    }
    if group.others == 1 {
        // One bit per field says whether it differs from its default.
        for fields in group.fields.chunks(64) {
            let mut bits = random.next_u64();
            for field in fields {
                if bits & 1 == 1 {
                    into.push(choice(compiled, field, u32::from(field.default == 0)));
                }
                bits >>= 1;
            }
        }
        return;
    }
    for field in &group.fields {
        let value = uniform_below(random, field.count);
        if value != field.default {
            into.push(choice(compiled, field, value));
        }
    }
}

/// Draws a value other than the default, counted from the smallest.
fn draw_other(field: &DiscreteField, random: &mut Random) -> u32 {
    let drawn = uniform_below(random, field.count - 1);
    drawn + u32::from(drawn >= field.default)
}

/// Draws a value of a field with infinitely many values.
fn draw_infinite(field: &DiscreteField, compiled: &CompiledInstance, random: &mut Random) -> Choice {
    let field = field.field;
    let value = draw_value(&compiled.layout.fields()[field as usize], random);
    Choice { field, value }
}

fn choice(compiled: &CompiledInstance, field: &DiscreteField, value: u32) -> Choice {
    let domain = compiled.layout.fields()[field.field as usize].domain;
    let value = match domain {
        FieldDomain::Discrete { .. } => FieldValue::Discrete(value),
        _ => FieldValue::Int(field.low + i64::from(value)),
    };
    Choice {
        field: field.field,
        value,
    }
}
