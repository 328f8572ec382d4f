//! The texts of questions.

use herbrand_pddl::{Domain, Problem};

use crate::error::ExamError;
use crate::kind::{Form, Kind};
use crate::phrases::Phrases;
use crate::question::{Subject, letter};

/// Returns the text of a question and its choices.
pub(crate) fn ask(
    kind: Kind,
    subject: &Subject,
    phrases: &Phrases<'_>,
    domain: &Domain,
) -> Result<(String, Vec<String>), ExamError> {
    let choices = match kind.form() {
        Form::Choice => choices(kind, subject, phrases, domain)?,
        _ => Vec::new(),
    };
    let mut text = format!("{}\n\n{}", phrases.context(), asked(kind, subject, phrases));
    for (index, choice) in choices.iter().enumerate() {
        text += &format!("\n{}. {choice}", letter(index));
    }
    text += match kind.form() {
        Form::YesNo => "\n\nAnswer yes or no.",
        Form::Choice => "\n\nAnswer with the letter of the only right choice.",
        Form::Number => "\n\nAnswer with a whole number.",
        Form::Action => "\n\nAnswer with this action.",
        Form::Plan => "\n\nAnswer with the actions in order, separated by semicolons.",
    };
    text += " End with a line `Answer: …`.";
    Ok((text, choices))
}

fn choices(
    kind: Kind,
    subject: &Subject,
    phrases: &Phrases<'_>,
    domain: &Domain,
) -> Result<Vec<String>, ExamError> {
    let worded = |option: &String| {
        Ok(match kind {
            Kind::Applicable | Kind::NextAction => phrases.action(option),
            Kind::WhyNot | Kind::After => phrases.fact(option),
            Kind::SameProblem => {
                let other = Problem::from_text(option, domain).map_err(|error| ExamError::Problem {
                    problem: "a choice".to_owned(),
                    reason: error.to_string(),
                })?;
                phrases.facts_of(&other)
            }
            _ => option.clone(),
        })
    };
    subject.options.iter().map(worded).collect()
}

fn asked(kind: Kind, subject: &Subject, phrases: &Phrases<'_>) -> String {
    let steps = phrases.steps(&subject.actions);
    let first = if subject.actions.is_empty() {
        "At the start".to_owned()
    } else {
        format!("These actions are carried out from the start:\n{steps}\nAfterwards")
    };
    let chance = format!(
        "These actions are carried out from the start. An action that cannot be carried out is left out.\n{steps}\n"
    );
    let facts = || {
        let facts = subject.options.iter().map(|fact| phrases.fact(fact));
        facts
            .map(|fact| format!("- {fact}"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    match kind {
        Kind::PlanValid => format!(
            "Can these actions be carried out from the start in this order, and does the goal hold afterwards?\n{steps}"
        ),
        Kind::PlanFailure => format!(
            "These actions are tried from the start, one after the other. Which is the first that cannot be carried \
             out?\n{steps}"
        ),
        Kind::WhyNot => format!(
            "{first}, this action cannot be carried out:\n- {}\nWhich of these facts does it need that does not hold?",
            phrases.action(&subject.about)
        ),
        Kind::Applicable => format!("{first}, which of these actions can be carried out next?"),
        Kind::After => format!("{first}, which of these facts holds?"),
        Kind::Reachable => format!(
            "Can actions lead from the start to a state in which both of these facts hold?\n{}",
            facts()
        ),
        Kind::Landmark => format!(
            "Does this fact hold at some time in every plan, that is, however the goal is reached from the start?\n{}",
            facts()
        ),
        Kind::OptimalLength => "How many actions has a shortest plan?".to_owned(),
        Kind::Gap => {
            let step = subject.step as usize;
            let (before, after) = subject.actions.split_at(step.min(subject.actions.len()));
            let mut lines: Vec<_> = before.iter().map(|action| phrases.action(action)).collect();
            lines.push("…".to_owned());
            lines.extend(after.iter().map(|action| phrases.action(action)));
            let lines = (1..).zip(lines).map(|(number, line)| format!("{number}. {line}"));
            let lines = lines.collect::<Vec<_>>().join("\n");
            format!("One action is missing from this plan, at the dots. Which action makes the plan work?\n{lines}")
        }
        Kind::NextAction => "With which of these actions does a shortest plan begin?".to_owned(),
        Kind::SameProblem => {
            "Which of these texts states the same problem as above, with objects of the same types that only have \
             exchanged their names?"
                .to_owned()
        }
        Kind::Plan => {
            "Give a plan: actions that can be carried out from the start, after which the goal holds.".to_owned()
        }
        Kind::Probability => format!(
            "{chance}What is the probability, to six digits, that this fact holds afterwards?\n- {}",
            phrases.fact(&subject.about)
        ),
        Kind::ExpectedReward => format!(
            "{chance}There is a reward of 1 each time that the goal holds after an action but not before it. What is \
             the expected sum of these rewards, to six digits?"
        ),
    }
}
