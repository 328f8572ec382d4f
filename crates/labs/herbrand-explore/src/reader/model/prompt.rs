//! The prompts of a language model.

use herbrand_edit::Belief;
use herbrand_edit::lines::listed;
use serde_json::{Value, json};

use crate::reader::{Mode, ReadRequest};

/// The number of past texts and commands in a prompt that asks for a command.
const HISTORY: usize = 25;

/// The maximal number of characters of an observation in a prompt.
const TEXT: usize = 20_000;

/// Returns the messages of a request: the instructions, a worked example if there is one, and the text to read.
pub(super) fn messages(request: &ReadRequest<'_>, history: &[(String, String)]) -> Value {
    let mode = request.mode;
    let mut messages = vec![message("system", &instructions(request))];
    if let Some(example) = request.example
        && let Ok(answer) = example.answer(mode)
    {
        let asked = Asked {
            task: request.task,
            belief: &example.belief,
            command: example.command.as_deref(),
            text: &example.text,
            commands: &example.commands,
        };
        messages.push(message(
            "user",
            &format!("This is an example.\n\n{}", asked.text(mode, &[])),
        ));
        messages.push(message("assistant", &answer));
    }
    let asked = Asked {
        task: request.task,
        belief: request.belief,
        command: request.command,
        text: request.text,
        commands: request.commands,
    };
    let mut text = asked.text(mode, &history[history.len().saturating_sub(HISTORY)..]);
    if messages.len() > 1 {
        text.insert_str(0, "This is the game.\n\n");
    }
    for feedback in request.feedback {
        let feedback = serde_json::to_string(feedback).unwrap_or_default();
        text.push_str(&format!(
            "\nAn earlier answer was refused: {}\n",
            shortened(&feedback)
        ));
    }
    messages.push(message("user", &text));
    Value::Array(messages)
}

fn message(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

/// Returns the instructions of a mode: the domain, and the form of an answer.
fn instructions(request: &ReadRequest<'_>) -> String {
    let domain = request.belief.model().domain_text();
    match request.mode {
        Mode::Edits => format!(
            "You read what a text game says, and keep a planning problem up to date. This is its PDDL domain:\n\n{domain}\n\
             Answer with a JSON object {{\"statements\": […]}}. A statement is one of these:\n\
             {{\"statement\": \"object\", \"object\": \"living-room\", \"type\": \"room\"}}: there is an object of this name.\n\
             {{\"statement\": \"placeholder\", \"object\": \"beyond-1\", \"type\": \"room\"}}: there is an object that has no \
             name yet, such as the room behind a closed door.\n\
             {{\"statement\": \"holds\", \"fact\": \"(agent-at kitchen)\"}}: a fact is true.\n\
             {{\"statement\": \"fails\", \"fact\": \"(closed kitchen hall)\"}}: a fact is false.\n\
             Names are in lower case, with hyphens for spaces. Declare an object before a fact names it, unless the problem \
             has it already. A way leads back as it came: say both. Say only what the text says or what follows from it."
        ),
        Mode::Lines => format!(
            "You read what a text game says, and edit a planning problem so that it is up to date. This is its PDDL \
             domain:\n\n{domain}\nAnswer with a JSON object of this form:\n\
             {{\"objects\": {{\"add\": [], \"replace\": {{}}, \"delete\": []}}, \"init\": {{\"add\": [], \"replace\": {{}}, \
             \"delete\": []}}}}\n\
             Each item is a whole line of the problem, such as \"living-room - room\" for an object and \"(agent-at kitchen)\" \
             for a fact. The keys of `replace` are the old lines, its values the new ones. Replace the line of an object to \
             give it another name in all facts. Lines to replace or to delete must be in the problem. Delete all facts about \
             an object before you delete it. Names are in lower case, with hyphens for spaces. A room behind a closed door is \
             an object with a name that you choose. Do not write the problem itself."
        ),
        Mode::WholeProblem => format!(
            "You read what a text game says, and write down what is known as a planning problem in PDDL. This is the \
             domain:\n\n{domain}\nAnswer with a JSON object {{\"problem\": \"(define (problem known) …)\"}}: the whole problem, \
             without a goal. A room behind a closed door is an object with a name that you choose."
        ),
        Mode::EndToEnd => "You play a text game. Answer with a JSON object {\"command\": \"…\"}: the next command, one of those \
                           that are listed."
            .to_owned(),
    }
}

/// A text with the agent's knowledge before it.
struct Asked<'a> {
    task: &'a str,
    belief: &'a Belief,
    command: Option<&'a str>,
    text: &'a str,
    commands: &'a [String],
}

impl Asked<'_> {
    /// Returns the text of the request.
    fn text(&self, mode: Mode, history: &[(String, String)]) -> String {
        let mut text = format!("The task: {}\n", self.task);
        if mode == Mode::EndToEnd {
            for (seen, command) in history {
                text.push_str(&format!(
                    "\nThe game said: {}\nYou answered: {command}\n",
                    shortened(seen)
                ));
            }
        } else {
            let problem = match mode {
                Mode::Lines => listed(self.belief.model()),
                _ => self.belief.model().problem_text(),
            };
            text.push_str(&format!("\nThe problem so far:\n{problem}\n"));
            if let Some(command) = self.command {
                text.push_str(&format!("\nThe last command: {command}\n"));
            }
        }
        text.push_str(&format!("\nThe game says now:\n{}\n", shortened(self.text)));
        if mode == Mode::EndToEnd {
            text.push_str(&format!("\nThe commands: {}\n", self.commands.join("; ")));
        }
        text
    }
}

/// Truncates a text to the maximal length.
fn shortened(text: &str) -> &str {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
