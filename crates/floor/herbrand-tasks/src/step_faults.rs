//! Violated action preconditions and broken state invariants of problems in RDDL, for reports.

use herbrand_core::{Choice, EvaluateOptions, Evaluation};
use herbrand_rddl::Domain;
use herbrand_rddl_sim::ground::violating_items;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use serde::Serialize;

use crate::numbers::{counted, grouped};

/// The violated preconditions and the broken invariants in the episodes of a plan or an agent.
#[derive(Clone, Debug, Serialize)]
pub struct StepFaults {
    /// The violated action preconditions.
    violated: Option<Violated>,
    /// The broken state invariants.
    broken: Option<Broken>,
    /// The steps whose results could not be computed.
    failed: Option<Failed>,
}

/// The steps that violated an action precondition.
#[derive(Clone, Debug, Serialize)]
struct Violated {
    /// The number of episodes with such a step.
    episodes: u64,
    /// The number of such steps in all episodes.
    steps: u64,
    /// The first violating step of the first of the episodes, from 1.
    step: usize,
    /// The precondition, from 1, in the order of the domain.
    precondition: usize,
    /// The precondition as RDDL.
    text: String,
    /// Whether such a step ends the episode, because it is refused.
    ends: bool,
    /// Whether such a step takes no action instead.
    replaced: bool,
}

/// The episodes that a broken state invariant ended.
#[derive(Clone, Debug, Serialize)]
struct Broken {
    episodes: u64,
    /// The step that broke the invariant in the first of them, from 1; 0 if the initial state breaks it.
    step: usize,
    /// The first invariant that it broke.
    #[serde(flatten)]
    invariant: Option<BrokenInvariant>,
}

/// The episodes that ended at a step whose results could not be computed.
#[derive(Clone, Debug, Serialize)]
struct Failed {
    episodes: u64,
    /// The step in the first of them, from 1.
    step: usize,
    /// The reason.
    error: String,
}

impl StepFaults {
    /// Creates the report of an evaluation that `simulator` ran with these options. Repeats the episodes with the first
    /// violation and the first broken invariant.
    ///
    /// # Errors
    /// Fails if the time limit of the command is reached.
    pub fn of(
        simulator: &mut RddlSimulator,
        options: &EvaluateOptions,
        evaluation: &Evaluation,
    ) -> Result<Self, StepError> {
        let mut violated = None;
        if let Some(found) = &evaluation.violations
            && let Some((last, before)) = found.joints.split_last()
        {
            options.replay(simulator, found.episode, before)?;
            violated = Violation::by(simulator, last)?
                .into_iter()
                .next()
                .map(|one| Violated {
                    episodes: found.episodes,
                    steps: found.steps,
                    step: found.joints.len(),
                    precondition: one.precondition,
                    text: one.text,
                    ends: simulator.preconditions() == Preconditions::Refused,
                    replaced: simulator.preconditions() == Preconditions::Replaced,
                });
        }
        let mut broken = None;
        if let Some(found) = &evaluation.broken {
            options.replay(simulator, found.episode, &found.joints)?;
            broken = Some(Broken {
                episodes: found.episodes,
                step: found.joints.len(),
                invariant: BrokenInvariant::broken_in(simulator).into_iter().next(),
            });
        }
        let failed = evaluation.failures.as_ref().map(|found| Failed {
            episodes: found.episodes,
            step: found.joints.len(),
            error: match options.replay(simulator, found.episode, &found.joints) {
                Err(error) => error.to_string(),
                Ok(()) => "it was refused".to_owned(),
            },
        });
        Ok(Self {
            violated,
            broken,
            failed,
        })
    }

    /// Returns whether no precondition is violated, no invariant is broken, and no step failed.
    pub const fn is_empty(&self) -> bool {
        self.violated.is_none() && self.broken.is_none() && self.failed.is_none()
    }

    /// Returns whether violated preconditions or broken invariants are in some of the episodes, but not in all.
    pub fn is_rare(&self, episodes: u64) -> bool {
        let violated = self.violated.as_ref().map(|violated| violated.episodes);
        let broken = self.broken.as_ref().map(|broken| broken.episodes);
        violated.into_iter().chain(broken).any(|found| found < episodes)
    }

    /// Returns whether the results of a step could not be computed.
    pub const fn has_failures(&self) -> bool {
        self.failed.is_some()
    }

    /// Returns a sentence for the violated preconditions, one for the broken invariants, and one for the failed steps.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        let violated = self.violated.as_ref().map(|violated| {
            format!(
                "an action precondition is violated in {} of {}{}: first at step {}, precondition {}: {}",
                counted(violated.steps, "step"),
                counted(violated.episodes, "episode"),
                match (violated.ends, violated.replaced) {
                    (true, _) => ", whose returns count only the steps before it",
                    (_, true) => ", which take no action instead",
                    _ => "",
                },
                violated.step,
                violated.precondition,
                violated.text
            )
        });
        let broken = self.broken.as_ref().map(|broken| {
            let invariant = broken.invariant.as_ref();
            format!(
                "a state invariant is broken in {}: {}{}",
                counted(broken.episodes, "episode"),
                match broken.step {
                    0 => "already in the initial state".to_owned(),
                    step => format!("first after step {step}"),
                },
                invariant.map_or_else(String::new, |one| format!(
                    ", invariant {}: {}",
                    one.invariant, one.text
                )),
            )
        });
        let failed = self.failed.as_ref().map(|failed| {
            format!(
                "{} at a step that cannot be computed, and so the mean is -∞: first at step {}: {}",
                match failed.episodes {
                    1 => "1 episode ends".to_owned(),
                    several => format!("{} end", counted(several, "episode")),
                },
                failed.step,
                failed.error
            )
        });
        violated.into_iter().chain(broken).chain(failed)
    }
}

/// An action precondition that a joint action violates.
#[derive(Clone, Debug, Serialize)]
pub struct Violation {
    /// The precondition, from 1, in the order of the domain.
    precondition: usize,
    /// The precondition as RDDL.
    text: String,
    /// The objects for which it does not hold, if it is a `forall`.
    #[serde(rename = "for", skip_serializing_if = "Vec::is_empty")]
    objects: Vec<String>,
    /// Whether the step takes no action instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replaced: bool,
}

/// The maximum number of combinations of objects that a sentence names.
const NAMED: usize = 3;

impl Violation {
    /// Returns the preconditions that a joint action would violate in the current state of a simulator; none if the
    /// simulator ignores preconditions.
    ///
    /// # Errors
    /// Fails if the joint action is malformed, or a condition cannot be computed.
    pub fn by(simulator: &RddlSimulator, joint: &[Choice]) -> Result<Vec<Self>, StepError> {
        if simulator.preconditions() == Preconditions::Ignored {
            return Ok(Vec::new());
        }
        let compiled = simulator.compiled();
        let violated = simulator.would_violate(joint)?.into_iter();
        let violation = |number| {
            Ok(Self {
                precondition: number + 1,
                text: compiled.instance.domain.precondition_text(number),
                objects: violating_items(compiled, simulator.values(), joint, number)?,
                replaced: simulator.preconditions() == Preconditions::Replaced,
            })
        };
        violated.map(violation).collect()
    }

    /// Returns whether the step takes no action instead.
    #[must_use]
    pub const fn is_replaced(&self) -> bool {
        self.replaced
    }

    /// Returns a sentence, such as `action precondition 1 does not hold for ?c = anna: forall_{?c : courier} […]`.
    pub fn sentence(&self) -> String {
        let Self {
            precondition,
            text,
            objects,
            replaced,
        } = self;
        let more = match objects.len().checked_sub(NAMED) {
            None | Some(0) => String::new(),
            Some(more) => format!(" and {}", counted(more as u64, "other")),
        };
        let named = objects.iter().take(NAMED).map(String::as_str);
        let named = named.collect::<Vec<_>>().join("; ");
        let whom = if objects.is_empty() { "" } else { " for " };
        let effect = if *replaced { ", so no action is taken" } else { "" };
        format!("action precondition {precondition} does not hold{whom}{named}{more}{effect}: {text}")
    }
}

/// A state invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BrokenInvariant {
    /// Its number, from 1, in the order of the domain.
    invariant: usize,
    /// Its RDDL text.
    text: String,
}

impl BrokenInvariant {
    fn of(domain: &Domain, number: usize) -> Self {
        Self {
            invariant: number + 1,
            text: domain.invariant_text(number),
        }
    }

    /// Returns the invariants that are broken in the current state of a simulator.
    pub fn broken_in(simulator: &RddlSimulator) -> Vec<Self> {
        let domain = &simulator.compiled().instance.domain;
        let broken = simulator.broken_invariants().into_iter();
        broken.map(|number| Self::of(domain, number)).collect()
    }

    /// Returns its index in the domain, from 0.
    pub(crate) const fn index(&self) -> usize {
        self.invariant - 1
    }

    /// Returns a sentence, such as `state invariant 1 is broken: x >= 0`.
    pub fn sentence(&self) -> String {
        format!("state invariant {} is broken: {}", self.invariant, self.text)
    }
}

/// The violated action preconditions and broken state invariants of several episodes.
pub struct FaultTotals {
    /// The steps that violated an action precondition.
    pub violating: u64,
    /// All steps.
    pub steps: u64,
    /// The effect of a violated precondition.
    pub effect: Preconditions,
    /// The episodes that a broken state invariant ended.
    pub broken: u64,
    /// All episodes.
    pub episodes: u64,
}

impl FaultTotals {
    /// Returns a sentence about the violations and the broken invariants; `None` if there are none. `episode` is the noun
    /// for an episode, such as walk.
    pub fn sentence(&self, episode: &str) -> Option<String> {
        let violated = (self.violating > 0).then(|| {
            let is_one = self.violating == 1;
            format!(
                "{} of {} {} an action precondition{}",
                grouped(self.violating),
                counted(self.steps, "step"),
                if is_one { "violates" } else { "violate" },
                match self.effect {
                    Preconditions::Replaced if is_one => " and takes no action instead",
                    Preconditions::Replaced => " and take no action instead",
                    _ => "",
                }
            )
        });
        let ended = (self.broken > 0).then(|| {
            format!(
                "a broken state invariant ends {} of {}",
                grouped(self.broken),
                counted(self.episodes, episode)
            )
        });
        match (violated, ended) {
            (Some(violated), Some(ended)) => Some(format!("{violated}, and {ended}")),
            (violated, ended) => violated.or(ended),
        }
    }
}
