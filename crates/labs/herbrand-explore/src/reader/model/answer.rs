//! Parsing the answers of a language model.

use herbrand_edit::Statement;
use herbrand_edit::lines::{LineEdits, ListEdits};
use serde::Deserialize;
use serde_json::Value;

use crate::reader::{Mode, ReadError, ReaderAnswer};

/// The maximal number of statements or lines in an answer.
const STATEMENTS: usize = 2_000;

/// Returns the numbers of tokens of the request and of the answer, as far as the server tells them.
pub(super) fn tokens(response: &str) -> (u64, u64) {
    let value: Value = serde_json::from_str(response).unwrap_or_default();
    let count = |name: &str| value["usage"][name].as_u64().unwrap_or(0);
    (count("prompt_tokens"), count("completion_tokens"))
}

/// Returns the text of a response, which is the content of its first choice. Fails if the text has more than `limit` bytes.
pub(super) fn content(response: &str, limit: usize) -> Result<String, ReadError> {
    let value: Value = serde_json::from_str(response)
        .map_err(|error| ReadError::passing(format!("the server's response is not JSON: {error}")))?;
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or("no message");
        return Err(ReadError::passing(format!(
            "the server reports an error: {}",
            quoted(message)
        )));
    }
    let message = &value["choices"][0]["message"];
    if let Some(refusal) = message["refusal"].as_str() {
        return Err(ReadError::passing(format!(
            "the model refuses to answer: {}",
            quoted(refusal)
        )));
    }
    let text = message["content"].as_str();
    let text =
        text.ok_or_else(|| ReadError::passing("the server's response has no text in its first choice"))?;
    if text.len() > limit {
        return Err(ReadError::passing(format!(
            "the answer has {} bytes; at most {limit} are read",
            text.len()
        )));
    }
    Ok(text.to_owned())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statements {
    statements: Vec<Statement>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Problem {
    problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    command: String,
}

/// Parses an answer. It may be in a Markdown code fence.
pub(super) fn reading(text: &str, mode: Mode) -> Result<ReaderAnswer, ReadError> {
    let inner = unfenced(text);
    let read = match mode {
        Mode::Edits => {
            serde_json::from_str(inner).map(|Statements { statements }| ReaderAnswer::Statements {
                statements,
                unread: Vec::new(),
            })
        }
        Mode::Lines => serde_json::from_str(inner).map(ReaderAnswer::Lines),
        Mode::WholeProblem => {
            serde_json::from_str(inner).map(|Problem { problem }| ReaderAnswer::Problem(problem))
        }
        Mode::EndToEnd => {
            serde_json::from_str(inner).map(|Command { command }| ReaderAnswer::Command(command))
        }
    };
    match read {
        Ok(ReaderAnswer::Lines(LineEdits { objects, init }))
            if items(&objects) + items(&init) > STATEMENTS =>
        {
            let message = format!(
                "the answer edits {} lines; at most {STATEMENTS} are read",
                items(&objects) + items(&init)
            );
            Err(ReadError::passing(message))
        }
        Ok(ReaderAnswer::Statements { statements, .. }) if statements.len() > STATEMENTS => {
            let message = format!(
                "the answer has {} statements; at most {STATEMENTS} are read",
                statements.len()
            );
            Err(ReadError::passing(message))
        }
        Ok(reading) => Ok(reading),
        Err(error) => Err(ReadError::passing(format!(
            "the answer {} has another form: {error}",
            quoted(inner)
        ))),
    }
}

fn items(list: &ListEdits) -> usize {
    list.add.len() + list.replace.len() + list.delete.len()
}

fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("```") else {
        return text;
    };
    let rest = rest.split_once('\n').map_or(rest, |(_, rest)| rest);
    rest.strip_suffix("```").unwrap_or(rest).trim()
}

/// Quotes the beginning of an untrusted text, on one line.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(content: &str) -> String {
        serde_json::json!({"choices": [{"message": {"content": content}}]}).to_string()
    }

    #[test]
    fn answers_are_read_in_fences_too() {
        for text in [
            "{\"command\": \"look\"}",
            "```json\n{\"command\": \"look\"}\n```",
            "```\n{\"command\": \"look\"}```",
        ] {
            let text = content(&response(text), 1000).expect("a text");
            assert_eq!(
                reading(&text, Mode::EndToEnd),
                Ok(ReaderAnswer::Command("look".to_owned()))
            );
        }
    }

    #[test]
    fn whatever_else_comes_is_an_error() {
        for text in [
            "",
            "null",
            "[]",
            "{}",
            "\u{0}",
            "{\"choices\": []}",
            "{\"choices\": [{\"message\": {\"content\": 3}}]}",
            "{\"error\": {\"message\": \"too many\\nrequests\"}}",
            "{\"choices\": [{\"message\": {\"refusal\": \"no\"}}]}",
        ] {
            let error = content(text, 1000).expect_err(text);
            assert!(error.again && !error.message.contains('\n'), "{error}");
        }
        assert!(content(&response(&"x".repeat(1001)), 1000).is_err());
        let deep = "[".repeat(100_000);
        assert!(content(&deep, 1000).is_err());
        for text in [
            "",
            "hello",
            "{\"statements\": [{\"statement\": \"holds\", \"fact\": \"nothing\"}]}",
            &deep,
        ] {
            assert!(reading(text, Mode::Edits).is_err(), "{text}");
        }
        let many = vec!["{\"statement\": \"holds\", \"fact\": \"(served)\"}"; STATEMENTS + 1].join(",");
        assert!(reading(&format!("{{\"statements\": [{many}]}}"), Mode::Edits).is_err());
    }
}
