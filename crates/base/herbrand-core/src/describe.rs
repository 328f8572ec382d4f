//! Systems whose actions and states can be shown to people. Traces, renderers and interactive players need them.

use std::fmt;

use crate::action::{Choice, JointError};
use crate::random::Random;
use crate::system::{System, Transition};

/// A system that names its actions, lists the facts of its current state, and explains steps.
/// [`choice_text`](Self::choice_text), [`parse_choice`](Self::parse_choice) and [`facts`](Self::facts) are required.
pub trait Described: System {
    /// Returns a choice in the syntax of the planning language, such as `(move a b)`. If the layout has no such choice,
    /// returns a text with its numbers, which [`parse_choice`](Self::parse_choice) need not read. It never fails, and
    /// does not check whether the choice is valid in the current state.
    fn choice_text(&self, choice: Choice) -> String;

    /// Parses a choice. Extra spaces are ignored; so is case, if the language ignores it, as PDDL does. The action need
    /// not be valid in the current state; [`System::is_valid`] tells.
    ///
    /// # Errors
    /// Fails if a name is unknown or the number of arguments is wrong. May also fail if no reachable state allows the
    /// action, as on the grounded engine of PDDL.
    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError>;

    /// Parses one step of a plan or of a walk: the choices of a joint action, separated by commas; `()` is the joint
    /// action without choices. The choices are returned in ascending order of fields. A text without parts is the empty
    /// joint action, too. An implementation may read one action only, as PDDL does; then `()` fails.
    ///
    /// # Errors
    /// Fails if a part is no choice, or if the choices together do not pass
    /// [`ActionLayout::check`](crate::ActionLayout::check). An implementation may accept a number outside of its field's
    /// range, as RDDL does, so that [`explain_action`](Self::explain_action) can name the condition that it violates.
    fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, ActionTextError> {
        let parts = text.split(',').map(str::trim);
        let parts = parts.filter(|part| !part.is_empty() && *part != "()");
        let mut joint = parts
            .map(|part| self.parse_choice(part))
            .collect::<Result<Vec<_>, _>>()?;
        joint.sort_by_key(|choice| choice.field);
        self.actions().check(&joint)?;
        Ok(joint)
    }

    /// Returns the texts of the actions that a trace lists for the current state: the valid choices and, in PDDL, also
    /// the ambiguous agent actions, which several valid operators carry out and which the settings therefore refuse.
    /// They are in no particular order.
    fn listed_actions(&self) -> Vec<String> {
        let mut choices = Vec::new();
        self.choices(&mut choices);
        choices
            .into_iter()
            .map(|choice| self.choice_text(choice))
            .collect()
    }

    /// Calls `visit` with every true fact and every non-boolean value of the current state, derived ones included, in the
    /// same order on every run. Facts that no action changes may be left out: PDDL includes static atoms, but neither it
    /// nor RDDL includes static numbers, such as RDDL's non-fluents, which the instance has.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// Returns the names of the objects that a choice concerns, such as `a` and `b` for `(stack a b)`; none by default.
    /// Pictures that are clicked on find actions by them.
    fn choice_objects(&self, _choice: Choice) -> Vec<String> {
        Vec::new()
    }

    /// Explains why a joint action is or is not valid in the current state. By default only whether it is. Call it for
    /// messages to people; [`is_valid`](System::is_valid) is faster.
    fn explain_action(&self, joint: &[Choice]) -> ActionValidity {
        let valid = self.is_valid(joint);
        let action = self.joint_text(joint);
        let word = if valid { "valid" } else { "not valid" };
        ActionValidity {
            text: format!("{action} is {word} here"),
            action,
            valid,
            failures: Vec::new(),
        }
    }

    /// Returns the texts of a joint action's choices, separated by commas; `()` for the empty joint action.
    /// [`parse_joint`](Self::parse_joint) reads this text.
    fn joint_text(&self, joint: &[Choice]) -> String {
        match joint {
            [] => "()".to_owned(),
            joint => {
                let texts = joint.iter().map(|&choice| self.choice_text(choice));
                texts.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// Carries out a joint action like [`step`](System::step), with the same random draws, and also returns a description of
    /// its effects line by line; empty by default.
    ///
    /// # Errors
    /// Fails like [`step`](System::step). The state does not change then.
    fn step_described(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<(Transition, String), Self::Error> {
        Ok((self.step(joint, chance)?, String::new()))
    }
}

/// The reason why a text names no action: a sentence for people. [`Described::parse_choice`] and
/// [`Described::parse_joint`] return it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct ActionTextError {
    reason: String,
}

impl ActionTextError {
    /// Creates an error whose message is `reason`, a sentence about the fault in the text.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

impl From<JointError> for ActionTextError {
    fn from(error: JointError) -> Self {
        Self::new(error.to_string())
    }
}

/// Whether a joint action is valid in a state, and why. [`Described::explain_action`] returns it. `failures` is empty
/// for a valid action, and for systems that do not list conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionValidity {
    /// The joint action in the syntax of its language.
    pub action: String,
    /// Whether it is valid: whether [`System::step`] accepts it. A system that accepts violated rules to report them
    /// may say `false` for such an action.
    pub valid: bool,
    /// The conditions that fail, one text each; empty if the action is valid or its system does not list them.
    pub failures: Vec<String>,
    /// The explanation for people, of one or several lines.
    pub text: String,
}

/// A system whose trajectories can be fingerprinted by names and values, so that different systems for the same problem
/// yield equal fingerprints. Rollouts need it for [`Rollout::digest`](crate::Rollout::digest).
pub trait Fingerprinted: System {
    /// A cache of the hashes of the problem's names, made once per problem by [`names`](Self::names).
    type Names: Send;

    /// Computes the hashes of the problem's names, which [`choice_hash`](Self::choice_hash) and
    /// [`state_hash`](Self::state_hash) take.
    fn names(&self) -> Self::Names;

    /// Returns the hash of a choice's name and value, to be used as one word of a trajectory's fingerprint. May add to
    /// the cache `names`, which [`names`](Self::names) returned for this problem. The choice must fit the layout;
    /// another one gives a meaningless hash or panics.
    fn choice_hash(&self, names: &mut Self::Names, choice: Choice) -> u64;

    /// Returns the difference between the current and the initial state: the sum of the hashes of the current facts minus
    /// the sum for the initial state. The initial state is that of the problem file, before any random draws.
    ///
    /// A fact that a system knows to be constant contributes to both sums or to neither, so systems need not agree on
    /// constants.
    fn state_hash(&self, names: &Self::Names) -> u64;
}

/// A fact of a state: a predicate or fluent with its arguments, and its value. Passed to the callback of
/// [`Described::facts`]. Facts that are false are not passed. A fact without arguments has an empty list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fact<'a> {
    /// The kind of fact.
    pub group: Group,
    /// The name of the predicate or fluent.
    pub name: &'a str,
    /// The names of its arguments.
    pub arguments: &'a [&'a str],
    /// The value.
    pub value: FactValue<'a>,
}

/// The kind of a fact, by how its value may change. [`Fact::group`] is of this type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Static: never changes.
    Static,
    /// Fluent: changed by actions.
    Fluent,
    /// Derived from other facts.
    Derived,
    /// Observed by the agent: an observation fluent of RDDL.
    Observed,
}

/// The value of a fact: `Bool` for predicates and boolean fluents, the other variants for other fluents. A `Real` may
/// be infinite or NaN. [`Fact::value`] is of this type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FactValue<'a> {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
    /// An object or a value of an enumeration, by name.
    Symbol(&'a str),
}

impl FactValue<'_> {
    /// Returns the value for reading: a real is [rounded](readable).
    #[must_use]
    pub fn readable(self) -> Self {
        match self {
            Self::Real(value) => Self::Real(readable(value)),
            value => value,
        }
    }
}

/// Returns a number for reading, rounded to four significant digits, or to an integer if it has more before the point.
///
/// ```
/// use herbrand_core::readable;
///
/// assert_eq!([0.9729999999999999, 123456.78, 0.000123456].map(readable), [0.973, 123457.0, 0.0001235]);
/// ```
#[must_use]
pub fn readable(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 320.0) as usize;
    // The sum turns -0 into 0.
    format!("{value:.digits$}").parse().unwrap_or(value) + 0.0
}

impl fmt::Display for FactValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Symbol(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Fact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|name| write!(f, " {name}"))?;
        match self.value {
            FactValue::Bool(true) => f.write_str(")"),
            value => write!(f, ") = {value}"),
        }
    }
}
