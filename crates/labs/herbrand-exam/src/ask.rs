//! The texts of questions.

use herbrand_pddl::{Domain, Problem};

use crate::error::ExamError;
use crate::kind::{Form, Kind};
use crate::phrases::Phrases;
use crate::question::{Subject, letter};

/// Returns the text of a question about a problem in PDDL, and its choices.
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
    let asked = asked(kind, subject, phrases);
    Ok((assembled(kind, &phrases.context(), &asked, &choices), choices))
}

/// Returns the text of a question about a problem in RDDL, and its choices. The domain and the instance are stated in RDDL.
pub(crate) fn ask_rddl(kind: Kind, subject: &Subject, domain: &str, instance: &str) -> (String, Vec<String>) {
    let context = format!("{}\n\n{}", domain.trim_end(), instance.trim_end());
    let choices = subject.options.clone();
    (
        assembled(kind, &context, &asked_rddl(kind, subject), &choices),
        choices,
    )
}

fn assembled(kind: Kind, context: &str, asked: &str, choices: &[String]) -> String {
    let mut text = format!("{context}\n\n{asked}");
    for (index, choice) in choices.iter().enumerate() {
        text += &format!("\n{}. {choice}", letter(index));
    }
    text += match kind.form() {
        Form::YesNo => "\n\nAnswer yes or no.",
        Form::Choice if is_rounded(choices) => {
            "\n\nAnswer with the letter of the only right choice, or with its number. The number may be rounded if no other \
             choice is rounded to it."
        }
        Form::Choice => "\n\nAnswer with the letter of the only right choice.",
        Form::Number => "\n\nAnswer with the number of the action.",
        Form::Action => "\n\nAnswer with the missing action.",
        Form::Plan => "\n\nAnswer with the actions in order, separated by semicolons.",
    };
    text + " End with a line `Answer: …`."
}

/// Returns whether choices are numbers with digits after a point.
fn is_rounded(choices: &[String]) -> bool {
    let is_number = |choice: &String| choice.contains('.') && choice.parse::<f64>().is_ok();
    !choices.is_empty() && choices.iter().all(is_number)
}

fn asked_rddl(kind: Kind, subject: &Subject) -> String {
    let steps = (1..).zip(&subject.actions);
    let steps: Vec<_> = steps
        .map(|(number, joint)| format!("{number}. {joint}"))
        .collect();
    let taken = format!(
        "These joint actions are taken from the initial state, one after the other:\n{}\n",
        steps.join("\n")
    );
    let about = &subject.about;
    match kind {
        Kind::RddlAfter if about.is_empty() => {
            format!("{taken}Which of these fluents is certainly true afterwards, whatever is drawn?")
        }
        Kind::RddlAfter => format!("{taken}Which value does `{about}` certainly have afterwards, whatever is drawn?"),
        Kind::RddlValid => {
            "Which of these joint actions is valid in the initial state, that is, violates no action precondition?".to_owned()
        }
        Kind::RddlWhyNot if subject.step == 1 => format!(
            "In the initial state, this joint action violates an action precondition:\n- {about}\nIt violates none if one of its \
             actions is left out. Which one?"
        ),
        Kind::RddlWhyNot => format!(
            "In the initial state, this joint action violates an action precondition:\n- {about}\nIn which of these cases \
             would it violate none, if everything else stayed the same?"
        ),
        Kind::RddlProbability => {
            format!("{taken}What is the probability, to six digits, that `{about}` is true afterwards?")
        }
        _ => format!(
            "{taken}What is the expected sum of the rewards of these steps, without discount, to six digits?"
        ),
    }
}

fn choices(
    kind: Kind,
    subject: &Subject,
    phrases: &Phrases<'_>,
    domain: &Domain,
) -> Result<Vec<String>, ExamError> {
    let worded = |option: &String| {
        Ok(match kind {
            Kind::WhyNot | Kind::Applicable | Kind::NextAction => phrases.action(option),
            Kind::After => phrases.fact(option),
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
            "Is this a plan, that is, can the actions be carried out from the start in this order, and does the goal hold \
             afterwards?\n{steps}"
        ),
        Kind::PlanFailure => format!(
            "These actions are tried one after the other from the start. Which is the first that cannot be carried out?\n{steps}"
        ),
        Kind::WhyNot => format!(
            "{first}, this fact does not hold:\n- {}\nWhich of these actions cannot be carried out for this reason alone? It \
             could be carried out if the fact held and everything else stayed the same.",
            phrases.fact(&subject.about)
        ),
        Kind::Applicable => format!("{first}, which of these actions can be carried out next?"),
        Kind::After => format!("{first}, which of these facts holds?"),
        Kind::Reachable => format!(
            "Can a state be reached from the start in which both of these facts hold?\n{}",
            facts()
        ),
        Kind::Landmark => format!(
            "Is this fact true at some point of every plan, however the goal is reached from the start?\n{}",
            facts()
        ),
        Kind::OptimalLength => "How many actions does a shortest plan have?".to_owned(),
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
            "Which of these texts states the same problem as above, except that objects of the same type have exchanged their \
             names?"
                .to_owned()
        }
        Kind::Plan => {
            "Give a plan: actions that can be carried out one after the other from the start, and after which the goal holds."
                .to_owned()
        }
        Kind::Probability => format!(
            "{chance}What is the probability, to six digits, that this fact holds afterwards?\n- {}",
            phrases.fact(&subject.about)
        ),
        Kind::ExpectedReward => format!(
            "{chance}Each action after which the goal holds, but before which it does not, earns a reward of 1. What is \
             the expected sum of these rewards, to six digits?"
        ),
        Kind::RddlAfter
        | Kind::RddlValid
        | Kind::RddlWhyNot
        | Kind::RddlProbability
        | Kind::RddlReward => asked_rddl(kind, subject),
    }
}
