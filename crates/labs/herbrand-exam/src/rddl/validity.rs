//! Questions about the preconditions of joint actions. A question has four options and four start states: in each state,
//! another one of the options is right. Which state is asked about is drawn last, so the options alone say nothing.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, FieldDomain, FieldValue, System};
use herbrand_rddl::Range;
use herbrand_rddl_sim::simulate::{FluentValue, RddlSimulator};

use super::RddlDraw;
use super::draw::{Joint, Shape, pattern};
use crate::draft::{Draft, several, shuffle};
use crate::kind::Kind;
use crate::question::Subject;

/// The number of start states that are compared, at most the bits of a set.
const STARTS: usize = 48;
/// The number of joint actions that are compared. Together they have as many cases as there are start states.
const JOINTS: usize = 12;
/// How often a joint action is drawn until it fits.
const TRIES: usize = 8;
/// How often four options are drawn until each is the only right one in a start state.
const QUADRUPLES: usize = 40;
/// The number of variants of a joint action that are compared.
const VARIANTS: usize = 80;

/// The form of an action to be left out, or of a change: the shape, the old value, how many arguments the joint action
/// names, and whether it names the new value.
type ChangeForm = (Shape, String, usize, bool);

/// The cases in which an option is right, and in which it is wrong, each with a bit per case.
type Sets = BTreeMap<(ChangeForm, String), [u64; 2]>;

/// A joint action in a start state in which it is not valid.
struct Case<'c> {
    joint: &'c Joint,
    number: usize,
    start: &'c RddlSimulator,
}

/// A possible option of a question. A set has a bit for each start state, or for each case.
struct Candidate<F> {
    form: F,
    text: String,
    /// The states in which the option is right.
    right: u64,
    /// The states in which the option is wrong, but possible.
    wrong: u64,
}

/// Four options, of which one is right in a start state, or in a case.
struct Chosen {
    start: usize,
    right: String,
    wrong: Vec<String>,
}

impl RddlDraw<'_> {
    /// Draws a question about preconditions and the start state of that question; `None` if no fair question is found.
    pub(crate) fn about_validity(mut self, kind: Kind) -> Option<(RddlSimulator, Draft)> {
        let mut starts = vec![self.simulator.clone()];
        let mut seen = BTreeSet::from([self.simulator.values().pack()]);
        for _ in 1..STARTS {
            let start = self.world.start(&mut self.random);
            starts.extend(start.filter(|start| seen.insert(start.values().pack())));
        }
        let draw = match kind {
            Kind::RddlValid => Self::valid,
            _ => Self::why_not,
        };
        let (subject, chosen) = (0..TRIES).find_map(|_| draw(&mut self, &starts))?;
        let draft = Draft::choice(subject, chosen.right, chosen.wrong, &mut self.random);
        Some((starts.swap_remove(chosen.start), draft))
    }

    /// The joint action that is valid, among joint actions of the same shape that are not.
    fn valid(&mut self, starts: &[RddlSimulator]) -> Option<(Subject, Chosen)> {
        let mut joints: Vec<Joint> = Vec::new();
        for start in starts {
            let mut joint = Joint::new();
            if start.sample(&mut self.random, &mut joint) {
                joint.sort_by_key(|choice| choice.field);
                joints.push(joint);
            }
        }
        let mut joint = self.random.choose(&joints)?.clone();
        for _ in 0..VARIANTS {
            joint = joint.iter().filter_map(|&choice| self.like(choice)).collect();
            joint.sort_by_key(|choice| choice.field);
            joints.push(joint.clone());
        }
        let mut seen = BTreeSet::new();
        let mut candidates = Vec::new();
        for joint in joints
            .iter()
            .filter(|joint| !joint.is_empty() && self.is_possible(joint))
        {
            let text = self.world.joint_text(joint);
            if !seen.insert(text.clone()) {
                continue;
            }
            let items = joint.iter().flat_map(|&one| self.world.items_of_choice(one));
            let items: Vec<_> = items.collect();
            let fluents: Vec<_> = joint.iter().map(|choice| self.action_of(*choice)).collect();
            let right = set(starts, |start| start.is_valid(joint));
            candidates.push(Candidate {
                form: (fluents, pattern(&items)),
                text,
                right,
                wrong: !right & all(starts),
            });
        }
        Some((Subject::default(), self.choose(candidates)?))
    }

    /// The change that makes a joint action valid, among changes of the same form that do not: a fluent has another
    /// value, or an action is left out.
    fn why_not(&mut self, starts: &[RddlSimulator]) -> Option<(Subject, Chosen)> {
        let joints = self.alike(starts)?;
        let cases = joints.iter().flat_map(|joint| {
            let invalid = move |start: &(usize, &RddlSimulator)| !start.1.is_valid(joint);
            let starts = starts.iter().enumerate().filter(invalid).take(STARTS / JOINTS);
            starts.map(move |(number, start)| Case { joint, number, start })
        });
        let cases: Vec<Case<'_>> = cases.collect();
        let is_left_out = self.random.chance(0.5);
        let of = [Self::left_out, Self::changes];
        let (is_first, chosen) = [is_left_out, !is_left_out].into_iter().find_map(|is_left_out| {
            let candidates = of[usize::from(!is_left_out)](self, &cases);
            Some((is_left_out, self.choose(candidates)?))
        })?;
        let case = &cases[chosen.start];
        let subject = Subject {
            about: self.world.joint_text(case.joint),
            step: u32::from(is_first),
            ..Subject::default()
        };
        let start = case.number;
        Some((subject, Chosen { start, ..chosen }))
    }

    /// Returns joint actions of the same action fluents. The first violates a precondition in some start state.
    fn alike(&mut self, starts: &[RddlSimulator]) -> Option<Vec<Joint>> {
        let first = self.forbidden(starts)?;
        let mut joints = vec![first.clone()];
        for _ in 0..VARIANTS {
            let mut joint = first.clone();
            for choice in &mut joint {
                if self.random.chance(0.6) {
                    *choice = self.like(*choice)?;
                }
            }
            joint.sort_by_key(|choice| choice.field);
            if joints.len() < JOINTS && !joints.contains(&joint) && self.is_possible(&joint) {
                joints.push(joint);
            }
        }
        Some(joints)
    }

    /// Returns the choices of joint actions that may be left out.
    fn left_out(&self, cases: &[Case<'_>]) -> Vec<Candidate<ChangeForm>> {
        let mut sets = Sets::new();
        for (number, case) in cases.iter().enumerate() {
            for at in 0..case.joint.len() {
                let mut rest = case.joint.clone();
                let choice = rest.remove(at);
                let items = self.world.items_of_choice(choice);
                let form = ((self.action_of(choice), pattern(&items)), String::new(), 0, false);
                let is_wrong = usize::from(!case.start.is_valid(&rest));
                let place = sets.entry((form, self.world.choice_text(choice))).or_default();
                place[is_wrong] |= 1 << number;
            }
        }
        candidates(sets)
    }

    /// Returns the changes of one fluent.
    fn changes(&self, cases: &[Case<'_>]) -> Vec<Candidate<ChangeForm>> {
        let compiled = self.world.compiled();
        let section = compiled.state.section();
        let mut sets = Sets::new();
        for (number, case) in cases.iter().enumerate() {
            let items = case.joint.iter();
            let items = items.flat_map(|&choice| self.world.items_of_choice(choice));
            let named: BTreeSet<String> = items.collect();
            let mut simulator = case.start.clone();
            for fluent in self.fluents() {
                let shared = self.shared(fluent, std::slice::from_ref(case.joint));
                let old = section.get(case.start.values(), fluent);
                let values: Vec<FluentValue> = match (compiled.range(&compiled.state, fluent), old) {
                    (Range::Bool, FluentValue::Bool(value)) => vec![FluentValue::Bool(!value)],
                    (Range::Item(of), _) => (0..i64::from(compiled.instance.size(of)))
                        .map(FluentValue::Int)
                        .collect(),
                    _ => Vec::new(),
                };
                for value in values.into_iter().filter(|value| *value != old) {
                    let mut changed = case.start.values().clone();
                    section.set(&mut changed, fluent, value);
                    if simulator.go_to(&changed).is_err() {
                        continue;
                    }
                    let value = self.world.value_text(fluent, value);
                    let text = format!("{} = {value}", self.world.fluent_text(fluent));
                    let old = self.world.value_text(fluent, old);
                    let form = (self.shape(fluent), old, shared, named.contains(&value));
                    let is_wrong = usize::from(!simulator.is_valid(case.joint));
                    sets.entry((form, text)).or_default()[is_wrong] |= 1 << number;
                }
            }
        }
        candidates(sets)
    }

    /// Chooses four options of one form, each of which is the only right one in some start state, and one of them with
    /// such a state.
    fn choose<F: Ord>(&mut self, candidates: Vec<Candidate<F>>) -> Option<Chosen> {
        let mut groups = BTreeMap::<F, Vec<(String, u64, u64)>>::new();
        for Candidate {
            form,
            text,
            right,
            wrong,
        } in candidates
        {
            if right != 0 && wrong != 0 {
                groups.entry(form).or_default().push((text, right, wrong));
            }
        }
        let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() >= 4).collect();
        shuffle(&mut self.random, &mut groups);
        for group in groups {
            for _ in 0..QUADRUPLES {
                let four = several(&mut self.random, &group, 4);
                // The states in which only this option is right.
                let only = |at: usize| {
                    let others = four.iter().enumerate().filter(|(other, _)| *other != at);
                    others.fold(four[at].1, |states, (_, (_, _, wrong))| states & wrong)
                };
                let states: Vec<u64> = (0..4).map(only).collect();
                if states.contains(&0) {
                    continue;
                }
                let at = self.random.below(4) as usize;
                let fitting: Vec<usize> = (0..STARTS).filter(|start| states[at] >> start & 1 == 1).collect();
                let start = *self.random.choose(&fitting)?;
                let mut texts: Vec<String> = four.into_iter().map(|(text, ..)| text).collect();
                let right = texts.swap_remove(at);
                return Some(Chosen {
                    start,
                    right,
                    wrong: texts,
                });
            }
        }
        None
    }

    /// Returns the number of the action fluent of a choice.
    fn action_of(&self, choice: Choice) -> usize {
        self.world.compiled().action.at(choice.field as usize).0.index()
    }

    /// Returns a choice of the same action fluent with other arguments, and another item if it takes one.
    fn like(&mut self, choice: Choice) -> Option<Choice> {
        let compiled = self.world.compiled();
        let (id, _) = compiled.action.at(choice.field as usize);
        let first = compiled.action.first(id)?;
        let count = compiled.instance.count(id) as u32;
        let range = compiled.range(&compiled.action, choice.field as usize);
        let value = match (range, choice.value) {
            (Range::Item(of), FieldValue::Discrete(_)) => {
                FieldValue::Discrete(self.random.below(compiled.instance.size(of)))
            }
            (_, value) => value,
        };
        Some(Choice {
            field: first as u32 + self.random.below(count),
            value,
        })
    }

    /// Returns whether the choices are of different fields, not more than may be set, and all of bools and items.
    fn is_possible(&self, joint: &[Choice]) -> bool {
        let fields: BTreeSet<u32> = joint.iter().map(|choice| choice.field).collect();
        let is_listed = |choice: &Choice| matches!(choice.value, FieldValue::Discrete(_));
        fields.len() == joint.len()
            && joint.len() <= self.simulator.actions().most()
            && joint.iter().all(is_listed)
            && self.simulator.would_violate(joint).is_ok()
    }

    /// Returns a joint action that violates a precondition in a start state.
    fn forbidden(&mut self, starts: &[RddlSimulator]) -> Option<Joint> {
        let compiled = self.world.compiled();
        let fields = compiled.actions().fields();
        let most = self.simulator.actions().most().min(fields.len()).min(6) as u32;
        let mut numbers: Vec<usize> = (0..fields.len()).collect();
        if self.random.chance(0.5) {
            // Options of one form need several actions of one fluent.
            let fluent = |field: usize| compiled.action.at(field).0;
            let chosen = fluent(self.random.below(fields.len() as u32) as usize);
            numbers.retain(|&field| fluent(field) == chosen);
        }
        shuffle(&mut self.random, &mut numbers);
        numbers.truncate(1 + self.random.below(most) as usize);
        numbers.sort_unstable();
        let mut joint = Vec::new();
        for field in numbers {
            let FieldDomain::Discrete { count } = fields[field].domain else {
                return None;
            };
            let default = match fields[field].default {
                Some(FieldValue::Discrete(default)) => default,
                _ => count,
            };
            let others: Vec<u32> = (0..count).filter(|&value| value != default).collect();
            joint.push(Choice {
                field: field as u32,
                value: FieldValue::Discrete(*self.random.choose(&others)?),
            });
        }
        let violated =
            |start: &RddlSimulator| start.would_violate(&joint).is_ok_and(|found| !found.is_empty());
        (self.is_possible(&joint) && starts.iter().any(violated)).then_some(joint)
    }
}

fn candidates(sets: Sets) -> Vec<Candidate<ChangeForm>> {
    let candidate = |((form, text), [right, wrong]): (_, [u64; 2])| Candidate {
        form,
        text,
        right,
        wrong,
    };
    sets.into_iter().map(candidate).collect()
}

/// Returns the set of all start states.
fn all(starts: &[RddlSimulator]) -> u64 {
    set(starts, |_| true)
}

/// Returns the set of the start states for which a condition holds.
fn set(starts: &[RddlSimulator], holds: impl Fn(&RddlSimulator) -> bool) -> u64 {
    let bits = starts
        .iter()
        .enumerate()
        .map(|(number, start)| u64::from(holds(start)) << number);
    bits.fold(0, |set, bit| set | bit)
}
