//! A hot-air balloon: a small example system that uses every trait of this crate. It serves as documentation and for tests.
//!
//! In each step the pilot burns gas (an integer action field) and sets the vent (a real one). The observation is the height
//! by a noisy altimeter and the greatest height shown so far. The episode ends when the balloon lands; there is no goal.

use std::convert::Infallible;

use herbrand_limits::BudgetExhausted;

use crate::action::{ActionCount, ActionField, ActionLayout, Choice, FieldDomain, FieldValue};
use crate::batch_system::BatchSystem;
use crate::catalogue::{Catalogue, UnknownProblem};
use crate::describe::{ActionTextError, Described, Fact, FactValue, Fingerprinted, Group};
use crate::error::EpisodeFault;
use crate::explained::Explained;
use crate::observe::{Memory, ObservationField, ObservationLayout, Observer};
use crate::problems::Problems;
use crate::random::{Random, scramble, uniform_below, uniform_unit};
use crate::snapshot::PackedStates;
use crate::system::{Status, System, Transition};

/// The index of the integer action field: the number of burners to light.
const BURN: u32 = 0;

/// The index of the real action field: the position of the vent.
const VENT: u32 = 1;

/// The number of burners.
const BURNERS: i64 = 3;

/// The state of a hot-air balloon in the example system of this module: its height and its remaining gas. [`Balloon`]
/// has it as its [`state`](System::state).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BalloonState {
    /// The height in metres, 0 or less after landing.
    pub height: f64,
    /// The remaining gas: how many more times a burner can be lit.
    pub gas: i64,
}

/// A hot-air balloon with its current state, an example of a [`System`]. Field 0 of a joint action is an integer, the
/// number of burners to light; field 1 is a real number, the position of the vent. The domains are 0 to 3 and -1 to 1;
/// both defaults are 0. The reward of a step is minus the distance in metres between the new height and 5 metres.
/// Landing, at a height of 0 or less, is terminal; there is no goal and no dead end. [`new`](Self::new) takes the gas
/// at the start. Each lit burner uses one unit; a step that lights more burners than there is gas for fails with
/// [`BalloonError::NotEnoughGas`].
#[derive(Clone, Debug)]
pub struct Balloon {
    layout: ActionLayout,
    start: BalloonState,
    air: BalloonState,
}

/// A set of balloon flights, an example of [`Problems`]; later flights start with more gas. Each has a horizon of 40
/// steps. [`new`](Self::new) makes one for an [`Env`](crate::Env).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalloonProblems {
    /// The number of each flight, counted from 0. Flight `i` starts with `10 (i + 1)` units of gas.
    flights: Vec<usize>,
}

impl BalloonProblems {
    /// Creates a set with the first `count` flights. Later flights start with more gas: the first with 10 units, each
    /// further one with 10 more. If `count` is 0, environments over the set cannot be created.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self {
            flights: (0..count).collect(),
        }
    }
}

/// An example of an [`Observer`], for the balloon: a row has two numbers, the height with noise of up to half a metre,
/// and the greatest height shown so far in the episode. Pass it to [`Env::observed`](crate::Env::observed). The
/// elements are `f32`, in metres.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Altimeter;

/// The reason why a step or a reset of a balloon failed. A joint action that the layout refuses is an
/// [`EpisodeFault::Joint`].
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BalloonError {
    /// The episode refused the call.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// There is no such flight.
    #[error(transparent)]
    Unknown(#[from] UnknownProblem),
    /// The action lights more burners than there is gas for.
    #[error("{burners} burners cannot be lit with gas for {gas}")]
    NotEnoughGas {
        /// The number of burners that the action lights.
        burners: i64,
        /// The remaining gas.
        gas: i64,
    },
}

impl From<BudgetExhausted> for BalloonError {
    fn from(exhausted: BudgetExhausted) -> Self {
        EpisodeFault::from(exhausted).into()
    }
}

impl From<Infallible> for BalloonError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Balloon {
    /// Creates a balloon 5 metres above the ground with `gas` units of gas. It is a system ready for a step;
    /// [`Episode::new`](crate::Episode::new) takes it. `gas` must be at least 0: with less, no action is valid.
    #[must_use]
    pub fn new(gas: i64) -> Self {
        let burn = ActionField {
            name: "burn".to_owned(),
            domain: FieldDomain::Int {
                low: 0,
                high: BURNERS,
            },
            default: Some(FieldValue::Int(0)),
        };
        let vent = ActionField {
            name: "vent".to_owned(),
            domain: FieldDomain::Real { low: -1.0, high: 1.0 },
            default: Some(FieldValue::Real(0.0)),
        };
        let start = BalloonState { height: 5.0, gas };
        Self {
            layout: ActionLayout::new(vec![burn, vent], 2),
            start,
            air: start,
        }
    }

    /// Returns the number of burners and the vent position that a joint action sets.
    fn controls(joint: &[Choice]) -> (i64, f64) {
        let mut controls = (0, 0.0);
        for choice in joint {
            match choice.value {
                FieldValue::Int(burners) => controls.0 = burners,
                FieldValue::Real(vent) => controls.1 = vent,
                FieldValue::Discrete(_) => {}
            }
        }
        controls
    }
}

impl System for Balloon {
    type State = BalloonState;
    type Error = BalloonError;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), BalloonError> {
        self.air = self.start;
        Ok(())
    }

    fn state(&self) -> &BalloonState {
        &self.air
    }

    fn set_state(&mut self, state: &BalloonState) -> Result<(), BalloonError> {
        self.air = *state;
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        0
    }

    const SINGLE_CHOICE: bool = false;

    /// The vent takes infinitely many values.
    fn count_joint_actions(&self) -> ActionCount {
        ActionCount::Infinite
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.layout.check(joint).is_ok() && Self::controls(joint).0 <= self.air.gas
    }

    /// Draws both controls uniformly from their currently valid values.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        let most = self.air.gas.clamp(0, BURNERS);
        let burners = i64::from(uniform_below(random, most as u32 + 1));
        let vent = 2.0 * uniform_unit(random) - 1.0;
        into.clear();
        into.extend(
            [(BURN, FieldValue::Int(burners)), (VENT, FieldValue::Real(vent))]
                .map(|(field, value)| Choice { field, value }),
        );
        true
    }

    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, BalloonError> {
        self.layout.check(joint).map_err(EpisodeFault::from)?;
        let (burners, vent) = Self::controls(joint);
        if burners > self.air.gas {
            let gas = self.air.gas;
            return Err(BalloonError::NotEnoughGas { burners, gas });
        }
        let wind = 0.2 * (uniform_unit(chance) - 0.5);
        self.air.gas -= burners;
        self.air.height += 0.5 * burners as f64 + 0.1 * vent - 0.6 + wind;
        Ok(Transition {
            reward: -(self.air.height - 5.0).abs(),
            status: self.status(),
        })
    }

    fn status(&self) -> Status {
        Status {
            terminal: self.air.height <= 0.0,
            ..Status::default()
        }
    }
}

/// The defaults are enough: a step is so short that there is nothing to gain.
impl BatchSystem for Balloon {}

impl Described for Balloon {
    fn choice_text(&self, choice: Choice) -> String {
        let name = self.layout.fields().get(choice.field as usize);
        let name = name.map_or("?", |field| &field.name);
        match choice.value {
            FieldValue::Discrete(value) => format!("{name} = {value}"),
            FieldValue::Int(value) => format!("{name} = {value}"),
            FieldValue::Real(value) => format!("{name} = {value}"),
        }
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let refused = |reason: String| ActionTextError::new(reason);
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| refused("an action is `field = number`".to_owned()))?;
        let (name, value) = (name.trim(), value.trim());
        let fields = self.layout.fields();
        let field = fields.iter().position(|field| field.name == name);
        let field = field.ok_or_else(|| refused(format!("there is no control `{name}`")))?;
        let number = value
            .parse()
            .map_err(|_| refused(format!("`{value}` is no number")))?;
        let value = fields[field].domain.value_of(number);
        let value = value.ok_or_else(|| refused(format!("`{name}` cannot be {number}")))?;
        Ok(Choice {
            field: field as u32,
            value,
        })
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        for (name, value) in [
            ("height", FactValue::Real(self.air.height)),
            ("gas", FactValue::Int(self.air.gas)),
        ] {
            visit(Fact {
                group: Group::Fluent,
                name,
                arguments: &[],
                value,
            });
        }
    }
}

impl Fingerprinted for Balloon {
    type Names = ();

    fn names(&self) {}

    fn choice_hash(&self, (): &mut (), choice: Choice) -> u64 {
        let bits = match choice.value {
            FieldValue::Discrete(value) => u64::from(value),
            FieldValue::Int(value) => value as u64,
            FieldValue::Real(value) => value.to_bits(),
        };
        scramble(bits ^ u64::from(choice.field))
    }

    fn state_hash(&self, (): &()) -> u64 {
        let hash = |air: BalloonState| scramble(air.height.to_bits()).wrapping_add(scramble(air.gas as u64));
        hash(self.air).wrapping_sub(hash(self.start))
    }
}

impl Problems for BalloonProblems {
    type System = Balloon;
    type Error = BalloonError;

    fn name(&self) -> &'static str {
        "balloon"
    }

    fn len(&self) -> usize {
        self.flights.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        let flight = self.flights.get(index)?;
        Some(format!("flight-{}", flight + 1))
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        Some(40)
    }

    fn system(&self, index: usize) -> Result<Balloon, BalloonError> {
        match self.flights.get(index) {
            Some(&flight) => Ok(Balloon::new(10 * (flight as i64 + 1))),
            None => Err(UnknownProblem::at(self, index).into()),
        }
    }
}

impl Catalogue for BalloonProblems {
    fn select(&self, indices: &[usize]) -> Result<Self, BalloonError> {
        let flight = |&index: &usize| {
            let flight = self.flights.get(index).copied();
            flight.ok_or_else(|| UnknownProblem::at(self, index))
        };
        let flights = indices.iter().map(flight).collect::<Result<_, _>>()?;
        Ok(Self { flights })
    }
}

/// A flight has no goal.
impl Explained for BalloonProblems {}

impl PackedStates for BalloonProblems {
    fn pack(air: &BalloonState) -> Vec<u8> {
        [air.height.to_bits(), air.gas as u64]
            .map(u64::to_le_bytes)
            .concat()
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<BalloonState> {
        let (height, gas) = bytes.split_first_chunk::<8>()?;
        (problem < self.flights.len()).then_some(BalloonState {
            height: f64::from_le_bytes(*height),
            gas: i64::from_le_bytes(gas.try_into().ok()?),
        })
    }
}

impl Observer<BalloonProblems> for Altimeter {
    type Element = f32;

    fn layout(&self, _problems: &BalloonProblems) -> Result<ObservationLayout, BalloonError> {
        let field = |name: &str| ObservationField {
            name: name.to_owned(),
            shape: Vec::new(),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
        Ok(ObservationLayout::new(vec![field("shown"), field("greatest")]))
    }

    fn attend(&self, balloon: &Balloon, memory: &mut Memory, random: &mut Random) {
        let shown = balloon.air.height + uniform_unit(random) - 0.5;
        let greatest = memory
            .words
            .get(1)
            .map_or(shown, |&bits| f64::from_bits(bits).max(shown));
        memory.words.clear();
        memory.words.extend([shown.to_bits(), greatest.to_bits()]);
    }

    fn write(&self, _balloon: &Balloon, memory: &Memory, into: &mut [f32]) -> usize {
        let numbers = memory.words.iter().map(|&bits| f64::from_bits(bits) as f32);
        into.iter_mut()
            .zip(numbers)
            .map(|(cell, number)| *cell = number)
            .count()
    }
}
