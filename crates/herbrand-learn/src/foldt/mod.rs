//! First-order logical decision trees.
//!
//! After Blockeel and De Raedt, "Top-down induction of first-order logical decision trees" (Artificial Intelligence 101,
//! 1998): a node asks a conjunctive query over the variables that were bound on the way to it, and the variables of a query
//! are known below the branch on which it succeeds alone. Silver and Chitnis ("PDDLGym", 2020) learn one tree for every
//! effect predicate. Here an action has one tree that tells whether it is carried out. Its leaves hold the effects, and
//! are split further where they differ, by trees of their own where that takes conditions or all objects of a type.
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
mod test;

use herbrand_limits::Budget;
use herbrand_pddl::Requirement;

use crate::answers::{Answers, DatalogAnswers, ScanAnswers};
use crate::experience::{Experience, Outcome};
use crate::model::{LearnedSchema, Omission, OmissionReason};
use crate::{LearnError, Learned, QueryEngine};

use contexts::{Context, ContextLearner};
use effects::EffectLearner;
use grow::{Grower, Leaf};

pub use bias::Bias;
#[cfg(test)]
pub(crate) use bias::all_tests;
pub(crate) use test::{Count, Path, Sample, Test};

/// How trees are learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FoldtOptions {
    /// Bounds on tests and trees.
    pub bias: Bias,
    /// Who answers the tests.
    pub queries: QueryEngine,
}

/// Learns a model by first-order logical decision trees. The agent's actions may hide what they read and change.
///
/// Where the domain declares chance, each leaf has the outcomes that were seen there, with probabilities by counting. It is
/// split where a test tells examples with other outcomes or other probabilities, as long as that is worth the larger model.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_learn::{Exploration, FoldtOptions, explore, learn_foldt};
/// use herbrand_limits::Budget;
///
/// let suite = Registry::get("ferry")?;
/// let experience = explore(&suite, &Exploration { episodes: 20, ..Exploration::default() }, &Budget::unlimited())?;
/// let learned = learn_foldt(&experience, &FoldtOptions::default(), &Budget::unlimited())?;
/// // `board` takes a car; where the ferry is follows from the state.
/// let board = learned.domain().find_schema("board").expect("a schema");
/// assert_eq!(learned.domain().schema(board).arity, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the budget is spent.
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

/// The classes of the tree of an action.
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
                Outcome::Refused => REFUSED,
                Outcome::Done { .. } => DONE,
            },
            transition: number,
        })
        .collect()
    }

    /// The schemas of a leaf at which the action is carried out.
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
