//! The options for a language model as reader.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;
use herbrand::explore::{
    Endpoint, HttpEndpoint, HttpOptions, LanguageModel, ModelOptions, PatientEndpoint, Reader,
    RecordingEndpoint, ReplayEndpoint,
};

use crate::failure::Failure;
use crate::files;
use crate::input;
use crate::interrupt::Interrupt;
use crate::limits::duration;

/// The language model of the reader `model`. Its key is read from the environment variable OPENAI_API_KEY, and is never
/// recorded.
#[derive(Args)]
pub struct ModelArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Write every exchange with the model to this file, one per line
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,

    /// Take the answers from such a file instead of the server
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

/// The options for the server of a language model.
#[derive(Args)]
pub struct ServerArgs {
    /// The model's name on its server [default: $OPENAI_MODEL]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// The sampling temperature, 1 in PDDLEGO; 0 takes the likeliest answer
    #[arg(long, default_value_t = 1.0, value_name = "T")]
    pub temperature: f64,

    /// The server's base URL [default: $OPENAI_BASE_URL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Maximum time per answer
    #[arg(long, default_value = "2m", value_name = "SECONDS", value_parser = duration)]
    patience: Duration,

    /// Maximum time to wait in all for a server that is down, in pauses that grow; then the run ends
    #[arg(long, default_value = "2m", value_name = "SECONDS", value_parser = duration)]
    wait: Duration,

    /// Maximum size of a response
    #[arg(long, default_value = "4MiB", value_name = "SIZE")]
    response: ByteSize,
}

impl ModelArgs {
    /// Returns the reader `model`.
    pub fn reader(&self) -> Result<Box<dyn Reader>, Failure> {
        let options = self.server.options()?;
        let endpoint: Box<dyn Endpoint> = match (&self.replay, &self.record) {
            (Some(path), _) => Box::new(ReplayEndpoint::new(input::read(path)?.text()).map_err(Failure::of)?),
            (None, Some(path)) => {
                let server = self.server.endpoint()?;
                Box::new(RecordingEndpoint::new(server, files::start_log(path)?))
            }
            (None, None) => self.server.endpoint()?,
        };
        Ok(Box::new(LanguageModel::new(endpoint, options)))
    }
}

impl ServerArgs {
    /// Returns the name of the model.
    pub fn name(&self) -> Result<String, Failure> {
        let named = self.model.clone().or_else(|| std::env::var("OPENAI_MODEL").ok());
        named.ok_or_else(|| request("the reader `model` needs --model NAME"))
    }

    fn options(&self) -> Result<ModelOptions, Failure> {
        Ok(ModelOptions {
            model: self.name()?,
            temperature: self.temperature,
            ..ModelOptions::default()
        })
    }

    /// Returns the reader that asks the server.
    pub fn reader(&self) -> Result<Box<dyn Reader>, Failure> {
        let options = self.options()?;
        Ok(Box::new(LanguageModel::new(self.endpoint()?, options)))
    }

    /// Returns the connection to the server.
    fn endpoint(&self) -> Result<Box<dyn Endpoint>, Failure> {
        let url = self.url.clone().or_else(|| std::env::var("OPENAI_BASE_URL").ok());
        let server = HttpEndpoint::new(HttpOptions {
            url: url.ok_or_else(|| request("the reader `model` needs --url URL"))?,
            key: std::env::var("OPENAI_API_KEY").ok(),
            time: self.patience,
            bytes: self.response.as_u64(),
        });
        let interrupt = Interrupt::watch_termination()?;
        let wait = move |pause: Duration| {
            anstream::eprintln!(
                "the server is down: asking again in {:.0} s",
                pause.as_secs_f64().ceil()
            );
            let end = Instant::now() + pause;
            while Instant::now() < end && !interrupt.is_pressed() {
                sleep(SLICE.min(end.saturating_duration_since(Instant::now())));
            }
            !interrupt.is_pressed()
        };
        Ok(Box::new(PatientEndpoint::new(
            server.map_err(Failure::of)?,
            self.wait,
            wait,
        )))
    }
}

/// The longest sleep between two looks at the keyboard.
const SLICE: Duration = Duration::from_millis(100);

fn request(message: &str) -> Failure {
    Failure::Request(message.to_owned())
}
