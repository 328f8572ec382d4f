//! Answers editors about texts, as the language server does.

use std::sync::Arc;

use gen_lsp_types::{Position, Range};
use herbrand_assist::feature::{actions, completion, formatting, hover};
use herbrand_assist::{Language, TextFile, Workspace};
use herbrand_limits::{Budget, Limits};
use serde::Serialize;
use serde_json::Value;

use crate::refusal::{Reason, Refusal};
use crate::reply::Reply;
use crate::request::{DOMAIN, PROBLEM, TextName, Texts, Want};

/// The range of any text.
const WHOLE: Range = Range {
    start: Position {
        line: 0,
        character: 0,
    },
    end: Position {
        line: u32::MAX,
        character: 0,
    },
};

/// Answers a question about one of the texts. A check has these limits.
pub(crate) fn assist(texts: &Texts, text: TextName, want: Want, limits: Limits) -> Result<Reply, Refusal> {
    let Some((workspace, file)) = opened(texts, text) else {
        return Ok(Reply::Assist { answer: Value::Null });
    };
    let at = |line, character| file.offset(Position { line, character });
    let answer = match want {
        Want::Hover { line, character } => value(hover::hover(&workspace, &file, at(line, character))),
        Want::Completion { line, character } => value(completion::completion(
            &workspace,
            &file,
            at(line, character),
            false,
        )),
        Want::Format => {
            let edits = formatting::format(&file, None);
            value(edits.map_err(|reason| Refusal::new(Reason::Texts, reason))?)
        }
        Want::Fixes => {
            let budget = Budget::new(limits);
            let found = herbrand_assist::check(&workspace, &file, &budget).map_err(Refusal::limit)?;
            value(actions::actions(&found, WHOLE))
        }
    };
    Ok(Reply::Assist { answer: answer? })
}

/// Returns the texts as files, and the file of one of them; `None` for the settings.
fn opened(texts: &Texts, text: TextName) -> Option<(Workspace, Arc<TextFile>)> {
    let ending = match Language::of(&texts.domain) {
        Language::Pddl => "pddl",
        Language::Rddl => "rddl",
    };
    let mut workspace = Workspace::default();
    let mut set = |name: &str, text: &str| {
        workspace.set(TextFile::new(&format!("file:///{name}.{ending}"), text, Some(0)))
    };
    let (domain, problem) = (set(DOMAIN, &texts.domain), set(PROBLEM, &texts.problem));
    let file = match text {
        TextName::Domain => domain,
        TextName::Problem => problem,
        TextName::Settings => return None,
    };
    Some((workspace, file))
}

fn value(answer: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::new(Reason::Request, error))
}
