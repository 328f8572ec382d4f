//! A reader that asks a language model.
//!
//! The model is behind an [`Endpoint`]: a server with the interface of OpenAI's chat completions, or a record of earlier
//! exchanges. Answers are untrusted: their size is limited, and if an answer is rejected, the next request to the model
//! contains its faults.

mod answer;
mod endpoint;
mod form;
#[cfg(feature = "http")]
mod http;
mod patient;
mod prompt;
mod record;

pub use endpoint::{Endpoint, EndpointError};
#[cfg(feature = "http")]
pub use http::{HttpEndpoint, HttpOptions};
pub use patient::PatientEndpoint;
pub use record::{RecordingEndpoint, ReplayEndpoint};

use serde_json::{Value, json};

use super::{ReadError, ReadRequest, Reader, ReaderAnswer};
use crate::reader::Mode;
use crate::usage::Usage;

/// The options of the requests to a language model. [`LanguageModel::new`] takes them. By default no model name,
/// temperature 1, 4,096 tokens and 1 MiB.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelOptions {
    /// The name of the model on the server. The default is empty, which many servers reject.
    pub model: String,
    /// The sampling temperature; 0 for the most likely answer. PDDLEGO uses 1.
    pub temperature: f64,
    /// The maximum number of tokens in an answer.
    pub tokens: u32,
    /// The maximum size of an answer's text, in bytes. A longer answer is an error; another attempt may succeed.
    pub bytes: usize,
}

impl Default for ModelOptions {
    /// No model name, temperature 1, 4,096 tokens and 1 MiB.
    fn default() -> Self {
        Self {
            model: String::new(),
            temperature: 1.0,
            tokens: 4_096,
            bytes: 1 << 20,
        }
    }
}

/// A reader that asks a language model for the meaning of each text, with one exchange per attempt. It supports every
/// [`Mode`]. An answer that does not parse is an error after which another attempt may succeed. In [`Mode::EndToEnd`],
/// requests contain the last 25 texts and commands of the game.
///
/// ```
/// use herbrand_explore::{
///     Ending, ExploreOptions, Explorer, LanguageModel, Mode, ModelOptions, NativeWorld, PlannerSolver, ReplayEndpoint, Setting, Task,
/// };
///
/// // An empty record: the model has no answer, and the game ends.
/// let mut reader = LanguageModel::new(ReplayEndpoint::new("")?, ModelOptions::default());
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
    /// The texts and commands of this game so far, in [`Mode::EndToEnd`].
    history: Vec<(String, String)>,
    usage: Usage,
}

impl<E: Endpoint> LanguageModel<E> {
    /// Creates a reader that sends its requests to the model behind `endpoint`. Sends nothing yet. It is the `reader`
    /// of an [`Explorer`](crate::Explorer).
    #[must_use]
    pub const fn new(endpoint: E, options: ModelOptions) -> Self {
        Self {
            endpoint,
            options,
            history: Vec::new(),
            usage: Usage {
                requests: 0,
                asked: 0,
                answered: 0,
            },
        }
    }

    /// Returns the body of the request.
    fn body(&self, request: &ReadRequest<'_>) -> Value {
        json!({
            "model": self.options.model,
            "temperature": self.options.temperature,
            "max_tokens": self.options.tokens,
            "messages": prompt::messages(request, &self.history),
            "response_format": form::format(request),
        })
    }
}

impl<E: Endpoint> Reader for LanguageModel<E> {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        self.usage.requests += 1;
        let answered = self.endpoint.exchange(&self.body(request).to_string());
        let response = answered.map_err(|error| ReadError {
            message: error.message,
            again: error.again,
        })?;
        let (asked, said) = answer::tokens(&response);
        self.usage.asked += asked;
        self.usage.answered += said;
        let text = answer::content(&response, self.options.bytes)?;
        let reading = answer::reading(&text, request.mode)?;
        if let (Mode::EndToEnd, ReaderAnswer::Command(command)) = (request.mode, &reading) {
            self.history.push((request.text.to_owned(), command.clone()));
        }
        Ok(reading)
    }

    fn begin(&mut self) {
        self.history.clear();
    }

    fn is_gone(&self) -> bool {
        self.endpoint.is_down()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}
