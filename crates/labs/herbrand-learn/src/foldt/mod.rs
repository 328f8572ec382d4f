//! Learning action models with first-order logical decision trees.
//!
//! The trees are those of Blockeel and De Raedt, "Top-down induction of first-order logical decision trees" (Artificial
//! Intelligence 101, 1998): a node asks a conjunctive query over the variables bound above it. The variables of the query
//! are visible only below the branch on which it succeeds.
//!
//! Silver and Chitnis ("PDDLGym", 2020) learn one tree per effect predicate. Here, each action has one tree that decides
//! whether the action is applicable. Its leaves hold the effects. A leaf is split further if effects differ within it;
//! effects that need conditions or quantifiers get trees of their own.
//!
//! ```text
//!   move(?dir)          binds player-at(?a)                      one value in every example
//!   neighbor(?a, ?b, ?dir) ──no──▶ refused                       binds ?b where it succeeds
//!        │ yes
//!   clear(?b) ──no──▶ neighbor(?b, ?c, ?dir) ──no──▶ refused
//!        │ yes              │ yes
//!      done                 …
//! ```

mod bias;
mod contexts;
mod effects;
mod grow;
mod schema;

use herbrand_limits::Budget;
use herbrand_pddl::Requirement;

use crate::answers::{Answers, DatalogAnswers, QueryEngine, ScanAnswers};
use crate::error::LearnError;
use crate::experience::{Experience, ObservedOutcome};
use crate::model::{Learned, LearnedSchema, Omission, OmissionReason};
use crate::query::{Path, Sample};

use contexts::{Context, ContextLearner};
use effects::EffectLearner;
use grow::{Grower, Leaf};

pub use bias::Bias;
#[cfg(test)]
pub(crate) use bias::all_tests;

/// The options of [`learn_foldt`], the decision tree learner. By default [`Bias::default`] and
/// [`QueryEngine::Datalog`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FoldtOptions {
    /// Limits on tests and trees.
    pub bias: Bias,
    /// The engine that answers the tests of the tree's nodes.
    pub queries: QueryEngine,
}

/// Learns a model of the agent actions from `experience` with first-order logical decision trees. The agent actions may
/// read and change objects that are not among their arguments. An action that was never applied gets no schema
/// ([`Learned::omitted`]). If the tests cannot separate examples, a leaf permits the action if more of its examples
/// were applied than refused.
///
/// In a domain with probabilistic effects, each leaf gets the outcomes observed there, with probabilities by counting. A
/// leaf is split if a test separates examples with different outcomes or probabilities and the gain in likelihood outweighs
/// the larger model.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_learn::{Exploration, FoldtOptions, explore, learn_foldt};
/// use herbrand_limits::Budget;
///
/// let suite = Registry::get("ferry")?;
/// let experience = explore(&suite, &Exploration { episodes: 20, ..Exploration::default() }, &Budget::unlimited())?;
/// let learned = learn_foldt(&experience, &FoldtOptions::default(), &Budget::unlimited())?;
/// // `board` takes a car; the position of the ferry becomes a second parameter.
/// let board = learned.domain().find_schema("board").expect("a schema");
/// assert_eq!(learned.domain().schema(board).arity, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LearnError::BudgetExhausted`] if the budget is exhausted.
pub fn learn_foldt(
    experience: &Experience,
    options: &FoldtOptions,
    budget: &Budget,
) -> Result<Learned, LearnError> {
    let answers: Box<dyn Answers> = match options.queries {
        QueryEngine::Datalog => Box::new(DatalogAnswers::new(experience, budget)),
        QueryEngine::Scan => Box::new(ScanAnswers::new(experience, budget)),
    };
    let mut learner = Learner {
        experience,
        budget,
        grower: Grower {
            language: &experience.language,
            answers,
            bias: options.bias,
        },
        schemas: Vec::new(),
        omitted: Vec::new(),
    };
    for action in 0..experience.language.signatures().len() {
        learner.learn(action)?;
    }
    Ok(Learned::new(
        experience.language.clone(),
        learner.schemas,
        learner.omitted,
    ))
}

/// The classes of the examples in the tree of an action.
const REFUSED: u32 = 0;
const DONE: u32 = 1;

struct Learner<'e> {
    experience: &'e Experience,
    budget: &'e Budget,
    grower: Grower<'e>,
    schemas: Vec<LearnedSchema>,
    omitted: Vec<Omission>,
}

impl Learner<'_> {
    fn learn(&mut self, action: usize) -> Result<(), LearnError> {
        let samples = self.samples(action);
        if samples.iter().all(|sample| sample.class == REFUSED) {
            self.omit(action, OmissionReason::NeverSeen);
            return Ok(());
        }
        let parameters = self.experience.language.signatures()[action].parameters.iter();
        let root = Leaf {
            path: Path::root(parameters.map(|(_, types)| types.clone()).collect()),
            samples,
        };
        for mut leaf in self.grower.grow(root)? {
            if leaf.majority() == Some(DONE) {
                leaf.samples.retain(|sample| sample.class == DONE);
                self.leaf(action, &leaf)?;
            }
        }
        Ok(())
    }

    fn samples(&self, action: usize) -> Vec<Sample> {
        let transitions = self.experience.transitions.iter().enumerate();
        let own = transitions.filter(|(_, transition)| transition.action == action);
        own.map(|(number, transition)| Sample {
            state: transition.state,
            values: transition.arguments.clone(),
            class: match transition.outcome {
                ObservedOutcome::Refused => REFUSED,
                ObservedOutcome::Done { .. } => DONE,
            },
            transition: number,
        })
        .collect()
    }

    /// Learns the schemas of a leaf at which the action is applicable.
    fn leaf(&mut self, action: usize, leaf: &Leaf) -> Result<(), LearnError> {
        let language = &self.experience.language;
        let signature = &language.signatures()[action];
        if language
            .domain()
            .requirements
            .contains(Requirement::ProbabilisticEffects)
        {
            let mut learner = ContextLearner {
                grower: &mut self.grower,
                experience: self.experience,
                budget: self.budget,
            };
            for Context { leaf, outcomes } in learner.contexts(leaf)? {
                match outcomes {
                    Some(outcomes) => {
                        let schema = schema::of_outcomes(language, signature, &leaf.path, &outcomes);
                        self.schemas.push(LearnedSchema { action, schema });
                    }
                    None => self.omit(action, OmissionReason::OutOfReach),
                }
            }
            return Ok(());
        }
        let mut learner = EffectLearner {
            grower: &mut self.grower,
            experience: self.experience,
            budget: self.budget,
        };
        for branch in learner.branches(leaf)? {
            let schema = schema::of_branch(language, signature, &branch);
            self.schemas.push(LearnedSchema { action, schema });
        }
        Ok(())
    }

    fn omit(&mut self, action: usize, reason: OmissionReason) {
        let name = self.experience.language.signatures()[action].name.clone();
        self.omitted.push(Omission { action: name, reason });
    }
}
