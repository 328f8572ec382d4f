//! A language model as a reader.
//!
//! The model is asked over an [`Endpoint`]: a server with the interface of OpenAI's chat completions, or the record of earlier
//! exchanges. Whatever comes back is a text that a stranger wrote: it is read within bounds, and its faults are told to the
//! model when it is asked again.

mod answer;
mod endpoint;
mod form;
#[cfg(feature = "http")]
mod http;
mod prompt;
mod record;

pub use endpoint::{Endpoint, EndpointError};
#[cfg(feature = "http")]
pub use http::{HttpEndpoint, HttpOptions};
pub use record::{Recorder, Replay};

use serde_json::{Value, json};

use super::{ReadError, ReadRequest, Reader, Reading};
use crate::Mode;

/// How a model is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelOptions {
    /// The model's name, as the server knows it.
    pub model: String,
    /// How far the model strays from its likeliest answer; 0 for not at all.
    pub temperature: f64,
    /// The most tokens of an answer.
    pub tokens: u32,
    /// The most bytes of an answer's text that are read.
    pub bytes: usize,
}

impl Default for ModelOptions {
    /// Temperature 0, 4,096 tokens, a mebibyte; no model.
    fn default() -> Self {
        Self {
            model: String::new(),
            temperature: 0.0,
            tokens: 4_096,
            bytes: 1 << 20,
        }
    }
}

/// Asks a language model.
///
/// ```
/// use herbrand_explore::{
///     Ending, ExploreOptions, Explorer, LanguageModel, Mode, ModelOptions, NativeWorld, PlannerSolver, Replay, Setting, Task,
/// };
///
/// // A record of nothing: the model has no answer, and the game ends.
/// let mut reader = LanguageModel::new(Replay::new("")?, ModelOptions::default());
/// let mut explorer = Explorer {
///     task: &Task::of(Setting::Coin)?,
///     reader: &mut reader,
///     solver: &mut PlannerSolver::default(),
///     options: ExploreOptions::default(),
/// };
/// let game = explorer.play(&mut NativeWorld::new(Setting::Coin)?, 10, &mut |_| true)?;
/// assert_eq!(game.ending, Ending::Unread);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LanguageModel<E> {
    endpoint: E,
    options: ModelOptions,
    /// What was seen and done in this game, for a model that chooses commands.
    history: Vec<(String, String)>,
}

impl<E: Endpoint> LanguageModel<E> {
    /// A model behind an endpoint.
    #[must_use]
    pub const fn new(endpoint: E, options: ModelOptions) -> Self {
        Self {
            endpoint,
            options,
            history: Vec::new(),
        }
    }

    /// The request, as the server takes it.
    fn body(&self, request: &ReadRequest<'_>) -> Value {
        let mut body = json!({
            "model": self.options.model,
            "temperature": self.options.temperature,
            "max_tokens": self.options.tokens,
            "messages": prompt::messages(request, &self.history),
        });
        if let Some(schema) = form::schema(request) {
            let form = json!({"name": "reading", "strict": true, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": form});
        }
        body
    }
}

impl<E: Endpoint> Reader for LanguageModel<E> {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<Reading, ReadError> {
        let answered = self.endpoint.exchange(&self.body(request).to_string());
        let response = answered.map_err(|error| ReadError {
            message: error.message,
            again: error.again,
        })?;
        let text = answer::content(&response, self.options.bytes)?;
        let reading = answer::reading(&text, request.mode)?;
        if let (Mode::EndToEnd, Reading::Command(command)) = (request.mode, &reading) {
            self.history.push((request.text.to_owned(), command.clone()));
        }
        Ok(reading)
    }

    fn begin(&mut self) {
        self.history.clear();
    }
}
