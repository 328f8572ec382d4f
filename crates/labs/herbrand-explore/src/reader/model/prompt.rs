//! The prompts of a language model.

use serde_json::{Value, json};

use crate::reader::{Mode, ReadRequest};

/// The number of past texts and commands in a prompt that asks for a command.
const HISTORY: usize = 25;

/// The maximal number of characters of an observation in a prompt.
const TEXT: usize = 20_000;

/// Returns the messages of a request: the instructions and the text to read.
pub(super) fn messages(request: &ReadRequest<'_>, history: &[(String, String)]) -> Value {
    let domain = request.belief.model().domain_text();
    let system = match request.mode {
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
        Mode::WholeProblem => format!(
            "You read what a text game says, and write down what is known as a planning problem in PDDL. This is the \
             domain:\n\n{domain}\nAnswer with a JSON object {{\"problem\": \"(define (problem known) …)\"}}: the whole problem, \
             without a goal. A room behind a closed door is an object with a name that you choose."
        ),
        Mode::EndToEnd => "You play a text game. Answer with a JSON object {\"command\": \"…\"}: the next command, one of those \
                           that are listed."
            .to_owned(),
    };
    let mut text = format!("The task: {}\n", request.task);
    if request.mode == Mode::EndToEnd {
        for (seen, command) in &history[history.len().saturating_sub(HISTORY)..] {
            text.push_str(&format!(
                "\nThe game said: {}\nYou answered: {command}\n",
                shortened(seen)
            ));
        }
    } else {
        text.push_str(&format!(
            "\nThe problem so far:\n{}\n",
            request.belief.model().problem_text()
        ));
        if let Some(command) = request.command {
            text.push_str(&format!("\nThe last command: {command}\n"));
        }
    }
    text.push_str(&format!("\nThe game says now:\n{}\n", shortened(request.text)));
    if request.mode == Mode::EndToEnd {
        text.push_str(&format!("\nThe commands: {}\n", request.commands.join("; ")));
    }
    for feedback in request.feedback {
        let feedback = serde_json::to_string(feedback).unwrap_or_default();
        text.push_str(&format!(
            "\nAn earlier answer was refused: {}\n",
            shortened(&feedback)
        ));
    }
    json!([{"role": "system", "content": system}, {"role": "user", "content": text}])
}

/// Truncates a text to the maximal length.
fn shortened(text: &str) -> &str {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
