//! The reasons why answers are wrong.

use herbrand_pddl::{Domain, Problem};
use herbrand_step::{Simulator, State, compile};
use herbrand_verbalize::Wording;

use crate::error::ExamError;
use crate::kind::{Form, Kind};
use crate::phrases::wording;
use crate::question::{Language, Question, letter};

/// The reason why an answer is wrong, with the answer if it could be read.
pub(crate) struct Fault {
    pub(crate) read: Option<String>,
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn unread(reason: impl Into<String>) -> Self {
        Self {
            read: None,
            reason: reason.into(),
        }
    }
}

/// Returns the domain and the problem of a question.
pub(crate) fn models(question: &Question) -> Result<(Domain, Problem), Fault> {
    let faulty = |error: &dyn std::fmt::Display| Fault::unread(format!("the question is faulty: {error}"));
    let domain = Domain::from_text(&question.domain_text).map_err(|error| faulty(&error))?;
    let problem = Problem::from_text(&question.problem_text, &domain).map_err(|error| faulty(&error))?;
    Ok((domain, problem))
}

/// Returns the sentences of a question.
pub(crate) fn question_wording(
    question: &Question,
    domain: &Domain,
    problem: &Problem,
) -> Result<Wording, ExamError> {
    wording(
        &question.domain,
        &question.sentences,
        question.obfuscated,
        domain,
        problem,
    )
}

/// Carries out a plan without chance.
pub(crate) fn carry_out(simulator: &Simulator, actions: &[String]) -> Result<(), Fault> {
    let mut state = simulator.initial_state();
    for (number, text) in (1..).zip(actions) {
        let fails = |reason: &dyn std::fmt::Display| {
            Fault::unread(format!("step {number} cannot be carried out: {reason}"))
        };
        let action = simulator.parse_action(text).map_err(|error| fails(&error))?;
        let mut outcomes = simulator
            .outcomes(&state, action)
            .map_err(|error| fails(&error))?;
        match outcomes.pop() {
            Some(outcome) if outcomes.is_empty() => state = outcome.state,
            _ => return Err(fails(&"it has several outcomes")),
        }
    }
    if simulator.is_goal(&state) {
        return Ok(());
    }
    let missing: Vec<_> = simulator
        .explain_goal(&state)
        .iter()
        .map(|one| one.text.clone())
        .collect();
    Err(Fault::unread(format!(
        "the goal does not hold at the end: {}",
        missing.join(", ")
    )))
}

/// Returns the reason why an answer that was read is wrong, in sentences if the question has sentences. `None` for kinds
/// whose answers follow from all states or from chance, and for problems in RDDL.
pub(crate) fn reason(question: &Question, read: &str) -> Option<String> {
    Some(in_sentences(question, by_engine(question, read)?))
}

/// Returns a reason with sentences for actions and facts, if the question has sentences.
pub(crate) fn in_sentences(question: &Question, reason: String) -> String {
    if question.language == Language::Rddl || question.is_in_pddl() {
        return reason;
    }
    let worded = models(question).ok().and_then(|(domain, problem)| {
        let wording = question_wording(question, &domain, &problem).ok()?;
        Some(wording.explanation(&reason))
    });
    worded.unwrap_or(reason)
}

/// Returns an answer that was read, with the text of its choice, and actions in sentences if the question has sentences.
pub(crate) fn in_words(question: &Question, read: &str) -> String {
    let letters = (0..).map(|at| letter(at).to_string());
    let choice = letters.zip(&question.choices).find(|(letter, _)| *letter == read);
    if let Some((letter, text)) = choice {
        return format!("{letter}. {text}");
    }
    if !matches!(question.form, Form::Action | Form::Plan) || question.is_in_pddl() {
        return read.to_owned();
    }
    let worded = models(question).ok().and_then(|(domain, problem)| {
        let wording = question_wording(question, &domain, &problem).ok()?;
        Some(
            read.lines()
                .map(|action| wording.action(action))
                .collect::<Vec<_>>()
                .join("\n"),
        )
    });
    worded.unwrap_or_else(|| read.to_owned())
}

/// Returns the right answer with the text of its choice; for an action, all right ones.
pub(crate) fn right_answer(question: &Question) -> String {
    match question.form {
        Form::Action => {
            let actions = question.accepted.iter().map(|action| in_words(question, action));
            actions.collect::<Vec<_>>().join(" or ")
        }
        _ => in_words(question, &question.answer),
    }
}

/// Returns the reason with actions and facts in PDDL.
fn by_engine(question: &Question, read: &str) -> Option<String> {
    let is_simple = matches!(
        question.kind,
        Kind::PlanValid | Kind::PlanFailure | Kind::WhyNot | Kind::Applicable | Kind::After | Kind::Gap
    );
    let (domain, problem) = models(question).ok().filter(|_| is_simple)?;
    let simulator = compile(&domain, &problem).ok()?;
    let mut actions = question.subject.actions.clone();
    let option = || {
        let letters = b'A'..=b'Z';
        let at = letters
            .into_iter()
            .position(|letter| read.as_bytes() == [letter])?;
        question.subject.options.get(at)
    };
    match question.kind {
        Kind::PlanValid | Kind::PlanFailure => Some(match carry_out(&simulator, &actions) {
            Err(fault) => fault.reason,
            Ok(()) => "the goal holds at the end".to_owned(),
        }),
        Kind::Gap => {
            actions.insert(actions.len().min(question.subject.step as usize), read.to_owned());
            carry_out(&simulator, &actions).err().map(|fault| fault.reason)
        }
        Kind::After => {
            let states = states(&simulator, &actions)?;
            let fact = simulator.parse_atom(option()?).ok()?;
            let last = (1..states.len())
                .rev()
                .find(|&at| states[at - 1].holds(fact) == Some(true));
            Some(match last {
                Some(step) => format!("step {step} ends that"),
                None => "no step brings that about".to_owned(),
            })
        }
        _ => {
            let mut state = states(&simulator, &actions)?.pop()?;
            let is_changed = question.kind == Kind::WhyNot;
            if is_changed {
                let fact = simulator.parse_atom(&question.subject.about).ok()?;
                let atoms: Vec<_> = state.fluents().chain([fact]).collect();
                state = simulator.state_from_atoms(atoms).ok()?;
            }
            let action = simulator.parse_action(option()?).ok()?;
            let reason = simulator.outcomes(&state, action).err()?;
            Some(format!("{}{reason}", if is_changed { "even then, " } else { "" }))
        }
    }
}

/// Returns the start state and the state after each action; `None` if an action cannot be carried out.
fn states(simulator: &Simulator, actions: &[String]) -> Option<Vec<State>> {
    let mut states = vec![simulator.initial_state()];
    for action in actions {
        let action = simulator.parse_action(action).ok()?;
        let outcomes = simulator.outcomes(states.last()?, action).ok()?;
        states.push(outcomes.into_iter().next()?.state);
    }
    Some(states)
}
