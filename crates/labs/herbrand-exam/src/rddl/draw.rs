//! Questions drawn from an instance and a start state. The options of a question are alike in all features that a
//! reader sees without understanding the text: the fluent, the equal arguments, the arguments that the joint action
//! names too, and the value at the start.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::{Choice, Random, System};
use herbrand_rddl::Range;
use herbrand_rddl_sim::simulate::{FluentValue, RddlSimulator, Values};

use super::{RddlWorld, has_ended};
use crate::draft::{Case, Draft, several, written};
use crate::kind::Kind;
use crate::question::Subject;

/// How often something is drawn until it fits.
const TRIES: usize = 24;
/// The number of expected rewards after which no more are computed.
const REWARDS: usize = 6;
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

pub(super) type Joint = Vec<Choice>;

/// The fluent without its arguments, and which of the arguments are equal.
pub(super) type Shape = (usize, Vec<usize>);

/// A possible option of a question, with its form.
struct Candidate<F> {
    form: F,
    text: String,
    is_right: bool,
}

impl RddlDraw<'_> {
    /// Draws a question about the start state; `None` if no fair question is found.
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
    pub(super) fn shape(&self, fluent: usize) -> Shape {
        let (id, _) = self.world.compiled().state.at(fluent);
        (id.index(), pattern(&self.world.items_of(fluent)))
    }

    fn at_start(&self, fluent: usize) -> FluentValue {
        self.simulator.fluent(fluent)
    }

    /// Returns how many arguments of a state fluent some joint actions name.
    pub(super) fn shared(&self, fluent: usize, joints: &[Joint]) -> usize {
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

    pub(super) fn fluents(&self) -> impl Iterator<Item = usize> + use<> {
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
            if values.len() == REWARDS {
                break;
            }
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
}

/// Returns for each item the position where the same item occurs first.
pub(super) fn pattern(items: &[String]) -> Vec<usize> {
    let first = |item: &String| items.iter().position(|other| other == item).unwrap_or(0);
    items.iter().map(first).collect()
}
