//! Questions about problems in RDDL, with the answers of the engine.

mod draw;
mod names;
mod validity;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use herbrand_core::{Choice, FieldValue, Random, System};
use herbrand_rddl::{Instance, PvariableId, PvariableKind, Range, Settings, Value};
use herbrand_rddl_sim::ground::ExactStep;
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, Preconditions, RddlSimulator, Values};
use herbrand_rddl_sim::suite::RddlSuite;

use crate::error::ExamError;

pub(crate) use draw::RddlDraw;

/// The number of ground state fluents up to which questions are asked about an instance.
const FLUENTS: usize = 80;
/// The number of bytes of domain and instance up to which questions are asked: a question states both.
const BYTES: usize = 9_000;
/// The number of steps to a start state, exclusive.
const STEPS: u32 = 9;

/// The instances of a domain. They are compiled when they are first asked about.
pub(crate) struct Instances {
    name: String,
    suite: Option<RddlSuite>,
    worlds: BTreeMap<usize, Option<Arc<RddlWorld>>>,
}

impl Instances {
    /// Creates the instances of a bundled domain.
    pub(crate) const fn bundled(name: String) -> Self {
        Self {
            name,
            suite: None,
            worlds: BTreeMap::new(),
        }
    }

    /// Creates the instances of a domain of one's own.
    ///
    /// # Errors
    /// Fails if no questions are asked about any of them.
    pub(crate) fn own(name: &str, instances: Vec<Instance>) -> Result<Self, ExamError> {
        let broken = |reason: String| ExamError::Problem {
            problem: name.to_owned(),
            reason,
        };
        let domain = instances.first().map(|instance| Arc::clone(&instance.domain));
        let domain = domain.ok_or_else(|| broken("there is no instance".to_owned()))?;
        let mut instances_of = Self {
            name: name.to_owned(),
            suite: Some(RddlSuite::from_instances(domain, instances)),
            worlds: BTreeMap::new(),
        };
        let count = instances_of.suite.as_ref().map_or(0, RddlSuite::len);
        for index in 0..count {
            if instances_of.world(index, None)?.1.is_some() {
                instances_of.worlds.clear();
                return Ok(instances_of);
            }
        }
        Err(broken(format!(
            "there are no questions about instances with real state fluents, with more than {FLUENTS} state fluents or with \
             more than {BYTES} bytes"
        )))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns an instance by its number, counted over and over from 0, and the index at which it is found; `None` if
    /// no questions are asked about it. `renaming` gives it invented names.
    pub(crate) fn world(
        &mut self,
        number: usize,
        renaming: Option<&Random>,
    ) -> Result<(usize, Option<Arc<RddlWorld>>), ExamError> {
        let broken = |error: &dyn Display| ExamError::Problem {
            problem: self.name.clone(),
            reason: error.to_string(),
        };
        let suite = match &self.suite {
            Some(suite) => suite,
            None => {
                let suite = RddlSuite::bundled(&self.name).map_err(|error| broken(&error))?;
                self.suite.insert(suite)
            }
        };
        let index = number % suite.len().max(1);
        if let Some(world) = self.worlds.get(&index) {
            return Ok((index, world.clone()));
        }
        let mut instance = Instance::clone(suite.instance(index).map_err(|error| broken(&error))?);
        if let Some(random) = renaming {
            names::replace(&mut instance, random.stream(index as u64));
        }
        let world = RddlWorld::new(&instance, &broken)?.map(Arc::new);
        self.worlds.insert(index, world.clone());
        Ok((index, world))
    }
}

/// A compiled instance, the exact distributions of its steps, and its texts.
pub(crate) struct RddlWorld {
    pub(crate) domain_text: String,
    exact: ExactStep,
}

impl RddlWorld {
    /// Returns `None` if the instance is too large, or if its states have reals.
    fn new(
        instance: &Instance,
        broken: &dyn Fn(&dyn Display) -> ExamError,
    ) -> Result<Option<Self>, ExamError> {
        let (domain_text, text) = (instance.domain.to_rddl(), instance.to_rddl());
        let mut fluents = 0;
        for (index, pvariable) in instance.domain.pvariables.iter().enumerate() {
            if pvariable.kind == PvariableKind::State {
                fluents += instance.count(PvariableId::from_index(index)) as usize;
                if pvariable.range == Range::Real {
                    return Ok(None);
                }
            }
        }
        if fluents > FLUENTS || domain_text.len() + text.len() > BYTES {
            return Ok(None);
        }
        // The texts of the question are the model.
        let instance = Instance::from_text(&domain_text, &text).map_err(|error| broken(&error))?;
        let exact = ExactStep::new(&Arc::new(instance)).map_err(|error| broken(&error))?;
        Ok(Some(Self { domain_text, exact }))
    }

    fn compiled(&self) -> &Arc<CompiledInstance> {
        self.exact.compiled()
    }

    fn instance(&self) -> &Instance {
        &self.compiled().instance
    }

    pub(crate) fn objects(&self) -> u32 {
        self.instance()
            .objects
            .iter()
            .map(|objects| objects.len() as u32)
            .sum()
    }

    /// Walks a few steps at random and returns a simulator there; `None` in a state in which the episode has ended.
    pub(crate) fn start(&self, random: &mut Random) -> Option<RddlSimulator> {
        let mut simulator = RddlSimulator::new(Arc::clone(self.compiled()), Preconditions::Refused);
        let mut joint = Vec::new();
        for _ in 0..random.below(STEPS) {
            let before = simulator.values().clone();
            if !simulator.sample(random, &mut joint) {
                break;
            }
            let stepped = simulator.step(&joint, random);
            if stepped.is_err() || has_ended(&simulator) {
                simulator.go_to(&before).ok()?;
                break;
            }
        }
        (!has_ended(&simulator)).then_some(simulator)
    }

    /// Returns the text of the instance with a state as its start.
    pub(crate) fn text_at(&self, state: &Values) -> String {
        let compiled = self.compiled();
        let mut instance = self.instance().clone();
        instance.init_state = vec![Settings::new(); instance.domain.pvariables.len()];
        for fluent in 0..compiled.state.len() {
            let (id, number) = compiled.state.at(fluent);
            let value = self.value(fluent, compiled.state.section().get(state, fluent));
            if value != instance.domain.pvariable(id).default_value() {
                instance.init_state[id.index()].push((number, value));
            }
        }
        instance.to_rddl()
    }

    /// Returns the value of a state fluent as the language has it.
    fn value(&self, fluent: usize, value: FluentValue) -> Value {
        let compiled = self.compiled();
        match (compiled.range(&compiled.state, fluent), value) {
            (Range::Item(_), FluentValue::Int(item)) => Value::Item(item as u32),
            (_, FluentValue::Bool(value)) => Value::Bool(value),
            (_, FluentValue::Int(value)) => Value::Int(value),
            (_, FluentValue::Real(value)) => Value::Real(value),
        }
    }

    /// Returns the text of a state fluent, such as `at(e1, f2)`.
    fn fluent_text(&self, fluent: usize) -> String {
        let (id, number) = self.compiled().state.at(fluent);
        ground_text(self.instance(), id, number)
    }

    fn value_text(&self, fluent: usize, value: FluentValue) -> String {
        let compiled = self.compiled();
        let range = compiled.range(&compiled.state, fluent);
        self.instance().show(range, self.value(fluent, value))
    }

    /// Returns the text of a choice, such as `go-up(e1)`, or `order(w1) = 3`.
    fn choice_text(&self, choice: Choice) -> String {
        let compiled = self.compiled();
        let (id, number) = compiled.action.at(choice.field as usize);
        let name = ground_text(self.instance(), id, number);
        let range = compiled.range(&compiled.action, choice.field as usize);
        let value = match (range, choice.value) {
            (Range::Bool, FieldValue::Discrete(1)) => return name,
            (Range::Bool, FieldValue::Discrete(value)) => Value::Bool(value == 1),
            (_, FieldValue::Discrete(item)) => Value::Item(item),
            (_, FieldValue::Int(value)) => Value::Int(value),
            (_, FieldValue::Real(value)) => Value::Real(value),
        };
        format!("{name} = {}", self.instance().show(range, value))
    }

    /// Returns the text of a joint action, with semicolons between its choices.
    fn joint_text(&self, joint: &[Choice]) -> String {
        if joint.is_empty() {
            return "noop".to_owned();
        }
        let texts: Vec<_> = joint.iter().map(|&choice| self.choice_text(choice)).collect();
        texts.join("; ")
    }

    /// Returns the names of the objects and enum values that a choice names.
    fn items_of_choice(&self, choice: Choice) -> Vec<String> {
        let compiled = self.compiled();
        let (id, number) = compiled.action.at(choice.field as usize);
        let mut items = items(self.instance(), id, number);
        let range = compiled.range(&compiled.action, choice.field as usize);
        if let (Range::Item(of), FieldValue::Discrete(item)) = (range, choice.value) {
            items.push(self.instance().item_name(of, item).to_string());
        }
        items
    }

    /// Returns the names of the objects and enum values that a state fluent names.
    fn items_of(&self, fluent: usize) -> Vec<String> {
        let (id, number) = self.compiled().state.at(fluent);
        items(self.instance(), id, number)
    }
}

/// Returns whether the episode has ended in the current state.
fn has_ended(simulator: &RddlSimulator) -> bool {
    let status = simulator.status();
    status.terminal || status.broken
}

/// Returns the names of the arguments of a ground fluent.
fn items(instance: &Instance, id: PvariableId, number: u64) -> Vec<String> {
    let parameters = instance.domain.pvariable(id).parameters.iter();
    let pairs = parameters.zip(instance.arguments(id, number));
    pairs
        .map(|(&of, item)| instance.item_name(of, item).to_string())
        .collect()
}

/// Returns the name of a ground fluent with its arguments in parentheses.
fn ground_text(instance: &Instance, id: PvariableId, number: u64) -> String {
    let name = &instance.domain.pvariable(id).name;
    match items(instance, id, number) {
        items if items.is_empty() => name.to_string(),
        items => format!("{name}({})", items.join(", ")),
    }
}
