//! Questions drawn from an instance and a start state. The options of a question are alike in all features that a
//! reader sees without understanding the text: the fluent, the equal arguments, the arguments that the joint action
//! names too, and the value at the start.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, FieldDomain, FieldValue, Random, System};
use herbrand_rddl::Range;
use herbrand_rddl_sim::simulate::{FluentValue, RddlSimulator, Values};

use super::{RddlWorld, has_ended};
use crate::draft::{Case, Draft, several, shuffle, written};
use crate::kind::Kind;
use crate::question::Subject;

/// How often something is drawn until it fits.
const TRIES: usize = 24;
/// The number of variants of a joint action that are compared.
const VARIANTS: usize = 80;
/// The number of states that may follow from some joint actions.
const STATES: usize = 24;
/// The number of combinations of draws of a step, if it is the only one, and if there are several.
const COMBINATIONS: [usize; 2] = [1_024, 128];

/// The circumstances in which a question about an instance is drawn.
pub(crate) struct RddlDraw<'w> {
    pub(crate) world: &'w RddlWorld,
    /// A simulator in the start state.
    pub(crate) simulator: RddlSimulator,
    pub(crate) random: Random,
}

type Joint = Vec<Choice>;

/// The fluent without its arguments, and which of the arguments are equal.
type Shape = (usize, Vec<usize>);

/// A possible option of a question, with its form.
struct Candidate<F> {
    form: F,
    text: String,
    is_right: bool,
}

impl RddlDraw<'_> {
    /// Draws a question; `None` if no fair question is found.
    pub(crate) fn question(mut self, kind: Kind) -> Option<Draft> {
        match kind {
            Kind::RddlAfter => {
                let values = if self.random.chance(0.5) {
                    self.values()
                } else {
                    None
                };
                values.or_else(|| (0..TRIES).find_map(|_| self.certain()))
            }
            Kind::RddlValid => (0..TRIES).find_map(|_| self.valid()),
            Kind::RddlWhyNot => (0..TRIES).find_map(|_| self.why_not()),
            Kind::RddlProbability => self.probability(),
            Kind::RddlReward => self.reward(),
            _ => None,
        }
    }

    fn subject(&self, joints: &[Joint]) -> Subject {
        Subject {
            actions: joints.iter().map(|joint| self.world.joint_text(joint)).collect(),
            ..Subject::default()
        }
    }

    /// Returns joint actions that follow one course of events.
    fn sequence(&mut self, steps: usize) -> Option<Vec<Joint>> {
        let mut simulator = self.simulator.clone();
        let mut joints = Vec::new();
        for _ in 0..steps {
            let mut joint = Vec::new();
            if has_ended(&simulator) || !simulator.sample(&mut self.random, &mut joint) {
                return None;
            }
            joint.sort_by_key(|choice| choice.field);
            simulator.step(&joint, &mut self.random).ok()?;
            joints.push(joint);
        }
        Some(joints)
    }

    /// Returns the distribution of the state after joint actions, and the expected total reward. `None` if a joint
    /// action is not valid, if an episode may have ended before the last one, or if there are too many outcomes.
    fn distribution(&self, joints: &[Joint]) -> Option<(Vec<(Values, f64)>, f64)> {
        let mut simulator = self.simulator.clone();
        let mut states = vec![(simulator.values().clone(), 1.0)];
        let mut total = 0.0;
        let combinations = COMBINATIONS[usize::from(joints.len() > 1)];
        for (number, joint) in (1..).zip(joints) {
            let mut next = BTreeMap::<Vec<u8>, (Values, f64)>::new();
            for (state, share) in states {
                simulator.go_to(&state).ok()?;
                if has_ended(&simulator) || !simulator.is_valid(joint) {
                    return None;
                }
                for outcome in self.world.exact.outcomes(&state, joint, combinations).ok()? {
                    total += share * outcome.probability * outcome.reward;
                    let place = next.entry(outcome.state.pack()).or_insert((outcome.state, 0.0));
                    place.1 += share * outcome.probability;
                }
            }
            if number < joints.len() && next.len() > STATES {
                return None;
            }
            states = next.into_values().collect();
        }
        total.is_finite().then_some((states, total))
    }

    /// Returns the shape of a state fluent.
    fn shape(&self, fluent: usize) -> Shape {
        let (id, _) = self.world.compiled().state.at(fluent);
        (id.index(), pattern(&self.world.items_of(fluent)))
    }

    fn at_start(&self, fluent: usize) -> FluentValue {
        self.simulator.fluent(fluent)
    }

    /// Returns how many arguments of a state fluent some joint actions name.
    fn shared(&self, fluent: usize, joints: &[Joint]) -> usize {
        let choices = joints.iter().flatten();
        let named: BTreeSet<String> = choices
            .flat_map(|&choice| self.world.items_of_choice(choice))
            .collect();
        self.world
            .items_of(fluent)
            .iter()
            .filter(|item| named.contains(*item))
            .count()
    }

    fn fluents(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.world.compiled().state.len()
    }

    fn is_bool(&self, fluent: usize) -> bool {
        let compiled = self.world.compiled();
        compiled.range(&compiled.state, fluent) == Range::Bool
    }

    /// Asks for the option that is right, among three others of the same form.
    fn among<F: Ord>(&mut self, options: Vec<Candidate<F>>, subject: Subject) -> Option<Draft> {
        let mut groups = BTreeMap::<F, [Vec<String>; 2]>::new();
        for option in options {
            groups.entry(option.form).or_default()[usize::from(!option.is_right)].push(option.text);
        }
        let fair: Vec<_> = groups
            .into_values()
            .filter(|[right, wrong]| !right.is_empty() && wrong.len() >= 3)
            .collect();
        let [right, wrong] = self.random.choose(&fair)?;
        let right = self.random.choose(right)?.clone();
        Some(Draft::choice(subject, right, wrong.clone(), &mut self.random))
    }

    /// The fluent that is certainly true after some joint actions, among fluents that certainly are not.
    fn certain(&mut self) -> Option<Draft> {
        let steps = 1 + self.random.below(3) as usize;
        let joints = self.sequence(steps)?;
        let (states, _) = self.distribution(&joints)?;
        let section = self.world.compiled().state.section();
        let mut options = Vec::new();
        for fluent in self.fluents().filter(|&fluent| self.is_bool(fluent)) {
            let mut values = states.iter().map(|(state, _)| section.get(state, fluent));
            let Some(first) = values.next().filter(|first| values.all(|value| value == *first)) else {
                continue;
            };
            options.push(Candidate {
                form: (
                    self.shape(fluent),
                    self.at_start(fluent) == FluentValue::Bool(true),
                    self.shared(fluent, &joints),
                ),
                text: self.world.fluent_text(fluent),
                is_right: first == FluentValue::Bool(true),
            });
        }
        let subject = self.subject(&joints);
        self.among(options, subject)
    }

    /// The value of a number or an item after some joint actions, among those of similar questions.
    fn values(&mut self) -> Option<Draft> {
        let steps = 1 + self.random.below(3) as usize;
        let mut forms = BTreeMap::<(Shape, String), BTreeMap<String, Vec<Subject>>>::new();
        if self.fluents().all(|fluent| self.is_bool(fluent)) {
            return None;
        }
        for _ in 0..TRIES {
            let joints = self.sequence(steps)?;
            let Some((states, _)) = self.distribution(&joints) else {
                continue;
            };
            let section = self.world.compiled().state.section();
            for fluent in self.fluents().filter(|&fluent| !self.is_bool(fluent)) {
                let mut values = states.iter().map(|(state, _)| section.get(state, fluent));
                let Some(first) = values.next().filter(|first| values.all(|value| value == *first)) else {
                    continue;
                };
                let form = (
                    self.shape(fluent),
                    self.world.value_text(fluent, self.at_start(fluent)),
                );
                let subject = Subject {
                    about: self.world.fluent_text(fluent),
                    ..self.subject(&joints)
                };
                let value = self.world.value_text(fluent, first);
                forms
                    .entry(form)
                    .or_default()
                    .entry(value)
                    .or_default()
                    .push(subject);
            }
        }
        self.one_of_four(forms)
    }

    /// The probability of a bool after a joint action, among those of similar questions.
    fn probability(&mut self) -> Option<Draft> {
        let mut forms = BTreeMap::<_, BTreeMap<String, Vec<Subject>>>::new();
        for _ in 0..TRIES {
            let joints = self.sequence(1)?;
            let state = self.simulator.values();
            for fluent in self.fluents().filter(|&fluent| self.is_bool(fluent)) {
                let distribution = self.world.exact.distribution(state, &joints[0], fluent);
                let Ok(distribution) = distribution else { continue };
                let holding = distribution
                    .iter()
                    .filter(|(value, _)| *value == FluentValue::Bool(true));
                let probability: f64 = holding.map(|(_, share)| share).sum();
                let form = (
                    self.shape(fluent),
                    self.at_start(fluent) == FluentValue::Bool(true),
                    self.shared(fluent, &joints),
                );
                let subject = Subject {
                    about: self.world.fluent_text(fluent),
                    ..self.subject(&joints)
                };
                let alike = forms.entry(form).or_default();
                alike.entry(written(probability)).or_default().push(subject);
            }
        }
        self.one_of_four(forms)
    }

    /// The expected total reward of some joint actions, among those of other joint actions.
    fn reward(&mut self) -> Option<Draft> {
        let steps = 1 + self.random.below(3) as usize;
        let mut values = BTreeMap::<String, Vec<Subject>>::new();
        for _ in 0..TRIES {
            let joints = self.sequence(steps)?;
            if let Some((_, total)) = self.distribution(&joints) {
                values
                    .entry(written(total))
                    .or_default()
                    .push(self.subject(&joints));
            }
        }
        self.one_of_four(BTreeMap::from([((), values)]))
    }

    /// Asks one of four questions of the same form with different values.
    fn one_of_four<F: Ord>(&mut self, forms: BTreeMap<F, BTreeMap<String, Vec<Subject>>>) -> Option<Draft> {
        let fair: Vec<_> = forms.into_values().filter(|alike| alike.len() >= 4).collect();
        let alike = self.random.choose(&fair)?;
        let values: Vec<&String> = alike.keys().collect();
        let mut cases = Vec::new();
        for value in several(&mut self.random, &values, 4) {
            let subject = self.random.choose(&alike[value])?.clone();
            cases.push(Case {
                subject,
                value: value.clone(),
            });
        }
        Case::one_of(cases, &mut self.random)
    }

    /// The joint action that is valid, among joint actions of the same shape that are not.
    fn valid(&mut self) -> Option<Draft> {
        let mut joint = self.sequence(1)?.remove(0);
        if joint.is_empty() {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut options = Vec::new();
        for _ in 0..VARIANTS {
            let text = self.world.joint_text(&joint);
            if self.is_possible(&joint) && seen.insert(text.clone()) {
                let items: Vec<_> = joint
                    .iter()
                    .flat_map(|&one| self.world.items_of_choice(one))
                    .collect();
                let fluents: Vec<_> = joint.iter().map(|choice| self.action_of(*choice)).collect();
                options.push(Candidate {
                    form: (fluents, pattern(&items)),
                    text,
                    is_right: self.simulator.is_valid(&joint),
                });
            }
            joint = joint.iter().filter_map(|&choice| self.like(choice)).collect();
            joint.sort_by_key(|choice| choice.field);
        }
        self.among(options, Subject::default())
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

    /// Returns a joint action that violates a precondition.
    fn forbidden(&mut self) -> Option<Joint> {
        let compiled = self.world.compiled();
        let fields = compiled.actions().fields();
        let most = self.simulator.actions().most().min(fields.len()).min(6) as u32;
        let mut numbers: Vec<usize> = (0..fields.len()).collect();
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
        let violated = self.simulator.would_violate(&joint).ok()?;
        (self.is_possible(&joint) && !violated.is_empty()).then_some(joint)
    }

    /// The change that makes a joint action valid, among changes of the same form that do not: a fluent has another
    /// value, or an action is left out.
    fn why_not(&mut self) -> Option<Draft> {
        let joint = self.forbidden()?;
        let subject = Subject {
            about: self.world.joint_text(&joint),
            ..Subject::default()
        };
        if joint.len() >= 4 && self.random.chance(0.5) {
            let left_out = (0..joint.len()).map(|at| {
                let mut rest = joint.clone();
                let choice = rest.remove(at);
                Candidate {
                    form: (
                        self.action_of(choice),
                        pattern(&self.world.items_of_choice(choice)),
                    ),
                    text: self.world.choice_text(choice),
                    is_right: self.simulator.is_valid(&rest),
                }
            });
            let left_out: Vec<_> = left_out.collect();
            return self.among(left_out, Subject { step: 1, ..subject });
        }
        let compiled = self.world.compiled();
        let section = compiled.state.section();
        let start = self.simulator.values().clone();
        let mut simulator = self.simulator.clone();
        let named: BTreeSet<String> = joint
            .iter()
            .flat_map(|&choice| self.world.items_of_choice(choice))
            .collect();
        let mut options = Vec::new();
        for fluent in self.fluents() {
            let old = section.get(&start, fluent);
            let range = compiled.range(&compiled.state, fluent);
            let values: Vec<FluentValue> = match (range, old) {
                (Range::Bool, FluentValue::Bool(value)) => vec![FluentValue::Bool(!value)],
                (Range::Item(of), _) => (0..i64::from(compiled.instance.size(of)))
                    .map(FluentValue::Int)
                    .collect(),
                _ => Vec::new(),
            };
            for value in values.into_iter().filter(|value| *value != old) {
                let mut changed = start.clone();
                section.set(&mut changed, fluent, value);
                simulator.go_to(&changed).ok()?;
                let value = self.world.value_text(fluent, value);
                options.push(Candidate {
                    form: (
                        self.shape(fluent),
                        self.world.value_text(fluent, old),
                        self.shared(fluent, std::slice::from_ref(&joint)),
                        named.contains(&value),
                    ),
                    is_right: simulator.is_valid(&joint),
                    text: format!("{} = {value}", self.world.fluent_text(fluent)),
                });
            }
        }
        self.among(options, subject)
    }
}

/// Returns for each item the position where the same item occurs first.
fn pattern(items: &[String]) -> Vec<usize> {
    let first = |item: &String| items.iter().position(|other| other == item).unwrap_or(0);
    items.iter().map(first).collect()
}
