//! Planning problems as an engine, without grounding them.

use std::cell::RefCell;
use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_pddl::{Name, ObjectId, SchemaId};
use herbrand_step::{
    Fired, LiftedActionRef, LiftedOutcome, LiftedSimulator, LiftedState, LiftedWalker, Random, Transition,
    Upkeep, uniform_below,
};
use smallvec::SmallVec;

use crate::{AgentActionId, AgentActions, Ambiguity, Argument, Engine, PlanningError};

/// A planning problem at a current state, stepped by the agent's actions without being grounded.
///
/// Its valid actions, and what is drawn, are those of a grounded [`Planning`](crate::Planning), but not their numbers:
/// actions are numbered as they are met, so a number means nothing to another engine, and there is no mask.
#[derive(Clone, Debug)]
pub struct LiftedPlanning {
    walker: LiftedWalker,
    declared: Option<Declared>,
    numbers: RefCell<Numbers>,
    /// With declared actions: the valid ones, ascending, each with the operators that fit it now.
    fitting: Vec<(Key, Key)>,
    /// The first index in `fitting` of each action that is offered.
    groups: Vec<u32>,
}

/// A schema, or an action of the agent, with its arguments.
type Key = (u32, SmallVec<[ObjectId; 8]>);

/// What operators carry out.
#[derive(Clone, Debug)]
struct Declared {
    actions: Arc<AgentActions>,
    /// By schema: the action that it carries out, and what its parameters are there.
    carried: Vec<(u32, Vec<Argument>)>,
}

/// The actions that were met.
#[derive(Clone, Debug, Default)]
struct Numbers {
    keys: Vec<Key>,
    ids: FxHashMap<Key, u32>,
}

impl Numbers {
    fn id(&mut self, key: Key) -> AgentActionId {
        let id = self.ids.get(&key).copied().unwrap_or_else(|| {
            let next = self.keys.len() as u32;
            self.keys.push(key.clone());
            self.ids.insert(key, next);
            next
        });
        AgentActionId::new(id)
    }
}

impl LiftedPlanning {
    /// The problem of `simulator` with the agent's `actions`, or with the operators as actions.
    #[must_use]
    pub fn new(simulator: &LiftedSimulator, upkeep: Upkeep, actions: Option<Arc<AgentActions>>) -> Self {
        let schemas = simulator.task().actions.len();
        let mut engine = Self {
            walker: simulator.walker(upkeep),
            declared: actions.map(|actions| Declared::new(actions, schemas)),
            numbers: RefCell::default(),
            fitting: Vec::new(),
            groups: Vec::new(),
        };
        engine.refresh();
        engine
    }

    /// The state with its valid operators and derived atoms.
    #[must_use]
    pub fn walker(&self) -> &LiftedWalker {
        &self.walker
    }

    /// The agent's declared actions; `None` when the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.declared.as_ref().map(|declared| &*declared.actions)
    }

    /// The name and arguments of an action that was met.
    #[must_use]
    pub fn action(&self, id: AgentActionId) -> Option<(&Name, Vec<ObjectId>)> {
        let numbers = self.numbers.borrow();
        let key = numbers.keys.get(id.index())?;
        Some((self.head(key), key.1.to_vec()))
    }

    /// An action that was met, as PDDL writes it.
    #[must_use]
    pub fn action_text(&self, id: AgentActionId) -> Option<String> {
        let key = self.numbers.borrow().keys.get(id.index()).cloned()?;
        Some(self.text(&key))
    }

    /// The action that `text` writes as PDDL does; case and spaces do not matter. Whether its arguments are of the right
    /// types is seen when it is taken.
    #[must_use]
    pub fn find_action(&self, text: &str) -> Option<AgentActionId> {
        let text = text.trim().to_ascii_lowercase();
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let mut words = inner.unwrap_or(&text).split_whitespace();
        let name = words.next()?;
        let vocabulary = self.walker.simulator().vocabulary();
        let (head, arity) = match &self.declared {
            Some(declared) => {
                let actions = declared.actions.actions();
                let head = actions.iter().position(|action| action.name.as_str() == name)?;
                (head as u32, actions[head].parameters.len())
            }
            None => {
                let schema = vocabulary.find_schema(name)?;
                (schema.number(), vocabulary.schema(schema).parameters.len())
            }
        };
        let objects = words.map(|word| vocabulary.find_object(word));
        let objects = objects.collect::<Option<SmallVec<_>>>()?;
        (objects.len() == arity).then(|| self.numbers.borrow_mut().id((head, objects)))
    }

    /// The operators that carry out an action in the current state, ascending.
    #[must_use]
    pub fn fitting(&self, action: AgentActionId) -> Vec<(SchemaId, Vec<ObjectId>)> {
        let Ok(key) = self.key(action) else {
            return Vec::new();
        };
        let operator = |(schema, arguments): Key| (SchemaId::new(schema), arguments.to_vec());
        if self.declared.is_some() {
            let group = self.group_of(&key).iter();
            return group.map(|(_, carrier)| operator(carrier.clone())).collect();
        }
        let (schema, arguments) = operator(key);
        let valid = self.walker.valid().contains(schema, &arguments);
        valid.then_some((schema, arguments)).into_iter().collect()
    }

    /// Puts the actions that some operator fits now into `into`, as
    /// [`Planning::fitting_actions`](crate::Planning::fitting_actions) does.
    pub fn fitting_actions(&self, into: &mut Vec<AgentActionId>) {
        if self.declared.is_none() {
            return self.valid_actions(into);
        }
        let mut numbers = self.numbers.borrow_mut();
        let groups = self.fitting.chunk_by(|(one, _), (other, _)| one == other);
        into.clear();
        into.extend(groups.map(|group| numbers.id(group[0].0.clone())));
    }

    /// The distributions of successors by all operators that fit an action, one after the other. The state stays.
    ///
    /// # Errors
    /// When there are too many, or a numeric effect has no result in one of them.
    pub fn outcomes(&mut self, action: AgentActionId) -> Result<Vec<LiftedOutcome>, PlanningError> {
        let mut all = Vec::new();
        for (schema, arguments) in self.fitting(action) {
            all.extend(self.walker.outcomes(schema, &arguments)?);
        }
        Ok(all)
    }

    /// The distribution of initial states. The state stays.
    ///
    /// # Errors
    /// As [`outcomes`](Self::outcomes).
    pub fn initial_outcomes(&mut self) -> Result<Vec<LiftedOutcome>, PlanningError> {
        Ok(self.walker.initial_outcomes()?)
    }

    /// Carries out an action as [`step`](Engine::step) does, with the same draws, and says what it did.
    ///
    /// # Errors
    /// As [`step`](Engine::step).
    pub fn step_explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), PlanningError> {
        let (schema, arguments) = self.resolve(self.key(action)?, chance)?;
        let explained = self
            .walker
            .apply_explained(SchemaId::new(schema), &arguments, chance)?;
        self.refresh();
        Ok(explained)
    }

    fn text(&self, key: &Key) -> String {
        let vocabulary = self.walker.simulator().vocabulary();
        vocabulary.term(self.head(key), &key.1).to_string()
    }

    /// The name of an action.
    fn head(&self, &(head, _): &Key) -> &Name {
        match &self.declared {
            Some(declared) => &declared.actions.actions()[head as usize].name,
            None => {
                &self
                    .walker
                    .simulator()
                    .vocabulary()
                    .schema(SchemaId::new(head))
                    .name
            }
        }
    }

    fn key(&self, id: AgentActionId) -> Result<Key, PlanningError> {
        let numbers = self.numbers.borrow();
        numbers
            .keys
            .get(id.index())
            .cloned()
            .ok_or(PlanningError::UnknownAction {
                number: id.number(),
                actions: numbers.keys.len(),
            })
    }

    /// The operator that carries out an action now, where the state or the policy leaves one.
    fn resolve(&self, action: Key, chance: &mut Random) -> Result<Key, PlanningError> {
        let Some(declared) = &self.declared else {
            return Ok(action);
        };
        match self.group_of(&action) {
            [] => Err(PlanningError::NoOperator {
                action: self.text(&action),
            }),
            [(_, operator)] => Ok(operator.clone()),
            several => match declared.actions.ambiguity() {
                Ambiguity::First => Ok(several[0].1.clone()),
                Ambiguity::Uniform => {
                    let count = u32::try_from(several.len()).unwrap_or(u32::MAX);
                    Ok(several[uniform_below(chance, count) as usize].1.clone())
                }
                Ambiguity::Error => Err(PlanningError::Ambiguous {
                    action: self.text(&action),
                    operators: several
                        .iter()
                        .map(|(_, operator)| self.operator_text(operator))
                        .collect(),
                }),
            },
        }
    }

    fn operator_text(&self, (schema, arguments): &Key) -> String {
        let action = LiftedActionRef {
            schema: SchemaId::new(*schema),
            arguments,
        };
        action.display(self.walker.simulator().vocabulary()).to_string()
    }

    /// The operators that fit an action now, each after the action.
    fn group_of(&self, action: &Key) -> &[(Key, Key)] {
        let start = self.fitting.partition_point(|(other, _)| other < action);
        let rest = &self.fitting[start..];
        &rest[..rest.partition_point(|(other, _)| other == action)]
    }

    /// Computes anew which operators fit which action.
    fn refresh(&mut self) {
        let Some(declared) = &self.declared else { return };
        self.fitting.clear();
        self.fitting.extend(self.walker.valid().iter().map(|operator| {
            let key = (operator.schema.number(), operator.arguments.into());
            (declared.carried_out(operator), key)
        }));
        self.fitting.sort_unstable();
        self.groups.clear();
        let mut start = 0;
        for group in self.fitting.chunk_by(|(one, _), (other, _)| one == other) {
            if declared.is_offered(group) {
                self.groups.push(start);
            }
            start += group.len() as u32;
        }
    }
}

impl Declared {
    fn new(actions: Arc<AgentActions>, schemas: usize) -> Self {
        let mut carried = vec![(0, Vec::new()); schemas];
        for (index, action) in (0..).zip(actions.actions()) {
            for carrier in &action.carriers {
                carried[carrier.schema.index()] = (index, carrier.arguments.clone());
            }
        }
        Self { actions, carried }
    }

    /// Whether an action that these operators fit can be taken.
    fn is_offered(&self, operators: &[(Key, Key)]) -> bool {
        match operators {
            [] => false,
            [_] => true,
            _ => self.actions.ambiguity() != Ambiguity::Error,
        }
    }

    fn carried_out(&self, operator: LiftedActionRef<'_>) -> Key {
        let (action, arguments) = &self.carried[operator.schema.index()];
        let choice = arguments.iter().map(|argument| match *argument {
            Argument::Parameter(index) => operator.arguments[index as usize],
            Argument::Constant(constant) => constant,
        });
        (*action, choice.collect())
    }
}

impl Engine for LiftedPlanning {
    type State = LiftedState;
    type Error = PlanningError;

    fn reset(&mut self, chance: &mut Random) -> Result<(), PlanningError> {
        self.walker.reset(chance)?;
        self.refresh();
        Ok(())
    }

    fn state(&self) -> &LiftedState {
        self.walker.state()
    }

    fn set_state(&mut self, state: &LiftedState) -> Result<(), PlanningError> {
        self.walker.set_state(state);
        self.refresh();
        Ok(())
    }

    /// How many actions were met so far.
    fn action_count(&self) -> usize {
        self.numbers.borrow().keys.len()
    }

    fn valid_count(&self) -> usize {
        match self.declared {
            Some(_) => self.groups.len(),
            None => self.walker.valid().len(),
        }
    }

    fn valid_actions(&self, into: &mut Vec<AgentActionId>) {
        let mut numbers = self.numbers.borrow_mut();
        into.clear();
        match self.declared {
            Some(_) => {
                let keys = self
                    .groups
                    .iter()
                    .map(|&first| self.fitting[first as usize].0.clone());
                into.extend(keys.map(|key| numbers.id(key)));
            }
            None => {
                let valid = self.walker.valid().iter();
                into.extend(
                    valid.map(|action| numbers.id((action.schema.number(), action.arguments.into()))),
                );
            }
        }
    }

    /// A lifted problem has no mask: nothing is written but zeros.
    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
    }

    fn is_valid(&self, joint: &[AgentActionId]) -> bool {
        let &[action] = joint else { return false };
        self.key(action).is_ok_and(|key| match &self.declared {
            Some(declared) => declared.is_offered(self.group_of(&key)),
            None => self.walker.valid().contains(SchemaId::new(key.0), &key.1),
        })
    }

    fn sample(&self, random: &mut Random, into: &mut Vec<AgentActionId>) -> bool {
        into.clear();
        let drawn = match &self.declared {
            Some(declared) if self.groups.len() == self.fitting.len() => self
                .walker
                .sample(random)
                .map(|operator| declared.carried_out(operator)),
            Some(_) => {
                let count = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
                let group = self.groups.get(uniform_below(random, count) as usize);
                group.map(|&first| self.fitting[first as usize].0.clone())
            }
            None => {
                let drawn = self.walker.sample(random);
                drawn.map(|action| (action.schema.number(), action.arguments.into()))
            }
        };
        into.extend(drawn.map(|key| self.numbers.borrow_mut().id(key)));
        !into.is_empty()
    }

    fn step(&mut self, joint: &[AgentActionId], chance: &mut Random) -> Result<Transition, PlanningError> {
        let &[action] = joint else {
            return Err(PlanningError::NotOne { found: joint.len() });
        };
        let (schema, arguments) = self.resolve(self.key(action)?, chance)?;
        let transition = self.walker.apply(SchemaId::new(schema), &arguments, chance)?;
        self.refresh();
        Ok(transition)
    }

    fn is_goal(&self) -> bool {
        self.walker.is_goal()
    }
}
