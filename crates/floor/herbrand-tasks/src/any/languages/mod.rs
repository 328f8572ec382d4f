//! The languages: PDDL with both engines, RDDL, domains under edit, and the balloon.

pub(crate) mod pddl;
pub(crate) mod rddl;

use herbrand_core::balloon::{BalloonError, BalloonProblems};
use herbrand_pddlworld::{PARTS, Sign, Sketch, Verdict, World, Worlds};
use herbrand_text::counted;

use super::playable::{Inquiry, LanguageFeatures, Playable};
use crate::any_error::{AnyError, ErrorKind};

impl Playable for Worlds {
    fn features<'a>(&'a self, _index: usize, model: &'a Self::System) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(WorldFeatures(model))
    }
}

/// A domain under edit. A model is listed literal by literal, in the syntax of the edits.
struct WorldFeatures<'a>(&'a World);

impl LanguageFeatures for WorldFeatures<'_> {
    fn action_forms(&self) -> Vec<String> {
        let forms = self
            .0
            .target()
            .vocabulary()
            .operators()
            .iter()
            .flat_map(|operator| {
                let literals: Vec<_> = operator.literals.iter().map(ToString::to_string).collect();
                let literals = literals.join(" or ");
                let signs = Sign::ALL.map(Sign::name).join(" or ");
                PARTS.map(|part| format!("{part} {} <{literals}> <{signs}>", operator.name))
            });
        forms.collect()
    }

    fn inquiries(&self) -> Vec<Inquiry<'_>> {
        let (model, target) = (self.0, self.0.target());
        let table = |sketch: &Sketch| target.table(sketch).trim_end().to_owned();
        vec![
            Inquiry::new("state", "show the model", move || {
                let share = 100.0 * target.agreement(model.sketch());
                let table = table(model.sketch());
                Ok(format!(
                    "{table}\nthe model agrees with the target in {share:.2}% of all states and actions"
                ))
            }),
            Inquiry::new(
                "check",
                "show a state in which the model is wrong, if there is one",
                move || {
                    let witness = target.witness(model.sketch());
                    let none = "the model agrees with the target in every state";
                    Ok(witness.map_or_else(|| none.to_owned(), |witness| witness.to_string()))
                },
            ),
            Inquiry::new(
                "plan",
                "plan each problem with the model, and execute the plan in the target",
                move || Ok(verdicts(model)),
            ),
            Inquiry::new("pddl", "print the model as PDDL", move || {
                Ok(target
                    .model(model.sketch(), 0)?
                    .domain_text()
                    .trim_end()
                    .to_owned())
            }),
            Inquiry::new("target", "show the target's table", move || {
                Ok(table(target.sketch()))
            }),
        ]
    }
}

/// Returns the verdict on a model for each problem, a line each.
fn verdicts(model: &World) -> String {
    let target = model.target();
    let names = target.problem_names().enumerate();
    let lines = names.map(|(number, name)| {
        let verdict = match target.verdict(model.sketch(), number, model.options().most_states) {
            Verdict::Solved { steps } => {
                format!("a plan of {} reaches the goal", counted(steps, "step"))
            }
            Verdict::Inapplicable { step } => format!("step {} of the plan is not applicable", step + 1),
            Verdict::Missed => "the plan does not reach the goal".to_owned(),
            Verdict::NoPlan => "the model has no plan".to_owned(),
            Verdict::Exhausted => "the model has too many states to search for a plan".to_owned(),
            Verdict::NoGoal => "the problem has no goal".to_owned(),
        };
        format!("{name}: {verdict}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Playable for BalloonProblems {}

impl From<BalloonError> for AnyError {
    fn from(error: BalloonError) -> Self {
        match error {
            BalloonError::NotEnoughGas { .. } => Self::new(ErrorKind::Action, error),
            BalloonError::Unknown(_) => Self::new(ErrorKind::Name, error),
            BalloonError::Episode(fault) => fault.into(),
        }
    }
}
