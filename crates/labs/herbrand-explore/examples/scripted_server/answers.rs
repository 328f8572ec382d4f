//! Right answers to the prompts of the agent.

use std::collections::BTreeMap;

use herbrand_edit::{Belief, PlanningModel, Statement};
use herbrand_explore::{Mode, ReadRequest, Reader, ReaderAnswer, RuleReader, Setting, Task};
use serde_json::{Value, json};

/// Returns the right answer to a request, or the reason why there is none.
pub fn answer(body: &Value) -> Result<String, String> {
    let content = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let messages = body["messages"].as_array().ok_or("there are no messages")?;
    let system = content(messages.first().ok_or("there are no messages")?);
    let asked = content(messages.last().ok_or("there are no messages")?);
    let mode = match &system {
        text if text.contains("keep a planning problem up to date") => Mode::Edits,
        text if text.contains("edit a planning problem") => Mode::Lines,
        text if text.contains("write down what is known") => Mode::WholeProblem,
        _ => return command(&asked),
    };
    let setting = if system.contains("cooking-world") {
        Setting::CookingEasy
    } else {
        Setting::Coin
    };
    let text = between(&asked, "The game says now:\n", "\nAn earlier answer was refused")
        .ok_or("there is no text")?;
    let last = between(&asked, "The last command: ", "\n");
    let problem = between(&asked, "The problem so far:\n", "\nThe last command").unwrap_or_default();
    let problem = problem.split("\nThe game says now").next().unwrap_or_default();
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let task = Task::of(setting).map_err(|error| told(&error))?;
    let belief = belief(&task, problem)?;
    let request = ReadRequest {
        task: "",
        command: last,
        text: text.trim(),
        belief: &belief,
        commands: &[],
        feedback: &[],
        mode,
        example: None,
    };
    Ok(
        match RuleReader::new().read(&request).map_err(|error| told(&error))? {
            ReaderAnswer::Statements { statements, .. } => json!({"statements": statements}).to_string(),
            ReaderAnswer::Lines(lines) => serde_json::to_string(&lines).map_err(|error| told(&error))?,
            ReaderAnswer::Problem(problem) => json!({"problem": problem}).to_string(),
            ReaderAnswer::Command(command) => json!({"command": command}).to_string(),
        },
    )
}

/// Returns the text after `start` and before `end`, or to the end of the text.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split(end).next().unwrap_or(rest))
}

/// Returns the belief of a problem's text, in which the rooms behind closed doors are placeholders again.
fn belief(task: &Task, problem: &str) -> Result<Belief, String> {
    let domain = task.start.domain_text();
    let model = PlanningModel::from_text(&domain, problem).map_err(|faults| faults.to_string())?;
    let (domain, problem) = (model.domain(), model.problem());
    let own = problem.objects.iter().skip(problem.constants as usize);
    let mut statements: Vec<Statement> = own
        .map(|object| {
            let of = object.types.types().first();
            let of = of.map_or("object", |&id| domain.type_of(id).name.as_str());
            match object.name.as_str() {
                name if name.starts_with("beyond-") => Statement::placeholder(name, of),
                name => Statement::object(name, of),
            }
        })
        .collect();
    statements.extend(model.facts().into_iter().map(|fact| Statement::Holds { fact }));
    let mut belief = Belief::new(task.start.clone(), task.rules.clone());
    belief
        .observe("so far", &statements)
        .map_err(|faults| faults.to_string())?;
    Ok(belief)
}

/// Returns a command: the coin if it is there, else the way that was taken least often from this room.
fn command(asked: &str) -> Result<String, String> {
    let listed = between(asked, "The commands: ", "\n").ok_or("there are no commands")?;
    let room = |text: &str| between(text, "This is the ", ".").map(str::to_owned);
    let mut here = String::new();
    let mut taken: BTreeMap<(String, String), usize> = BTreeMap::new();
    for part in asked.split("\nThe game said: ").skip(1) {
        let (seen, rest) = part
            .split_once("\nYou answered: ")
            .ok_or("the history is broken")?;
        here = room(seen).unwrap_or(here);
        let command = rest.lines().next().unwrap_or_default().to_owned();
        *taken.entry((here.clone(), command)).or_default() += 1;
    }
    let now = between(asked, "The game says now:\n", "\nThe commands").unwrap_or_default();
    here = room(now).unwrap_or(here);
    let rank = |command: &&str| match command.split(' ').next() {
        Some("take") => (0, 0),
        Some("move" | "open") => (
            1,
            taken
                .get(&(here.clone(), (*command).to_owned()))
                .copied()
                .unwrap_or(0),
        ),
        _ => (2, 0),
    };
    let best = listed.split("; ").map(str::trim).min_by_key(rank);
    Ok(json!({"command": best.ok_or("there are no commands")?}).to_string())
}
