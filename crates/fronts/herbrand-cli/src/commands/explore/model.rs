//! The options for a language model as reader.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;
use herbrand::explore::{
    Endpoint, HttpEndpoint, HttpOptions, LanguageModel, ModelOptions, PatientEndpoint, ReadError, Reader,
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
    /// The model's name on its server [default: $OPENAI_MODEL]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// The sampling temperature; 0 takes the likeliest answer
    #[arg(long, default_value_t = 0.0, value_name = "T")]
    temperature: f64,

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

    /// Write every exchange with the model to this file, one per line
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,

    /// Take the answers from such a file instead of the server
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

impl ModelArgs {
    /// Returns the reader `model`.
    pub fn reader(&self) -> Result<Box<dyn Reader>, Failure> {
        let named = self.model.clone().or_else(|| std::env::var("OPENAI_MODEL").ok());
        let model = named.ok_or_else(|| request("the reader `model` needs --model NAME"))?;
        let options = ModelOptions {
            model,
            temperature: self.temperature,
            ..ModelOptions::default()
        };
        Ok(Box::new(LanguageModel::new(self.endpoint()?, options)))
    }

    fn endpoint(&self) -> Result<Box<dyn Endpoint>, Failure> {
        match &self.replay {
            Some(path) => Ok(Box::new(
                ReplayEndpoint::new(input::read(path)?.text()).map_err(broken)?,
            )),
            None => self.server(),
        }
    }

    /// Returns the connection to the server, which records all exchanges if --record is given.
    fn server(&self) -> Result<Box<dyn Endpoint>, Failure> {
        let url = self.url.clone().or_else(|| std::env::var("OPENAI_BASE_URL").ok());
        let server = HttpEndpoint::new(HttpOptions {
            url: url.ok_or_else(|| request("the reader `model` needs --url URL"))?,
            key: std::env::var("OPENAI_API_KEY").ok(),
            time: self.patience,
            bytes: self.response.as_u64(),
        });
        let interrupt = Interrupt::watch()?;
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
        let server = PatientEndpoint::new(server.map_err(broken)?, self.wait, wait);
        let Some(path) = &self.record else {
            return Ok(Box::new(server));
        };
        Ok(Box::new(RecordingEndpoint::new(server, files::start_log(path)?)))
    }
}

/// The longest sleep between two looks at the keyboard.
const SLICE: Duration = Duration::from_millis(100);

fn request(message: &str) -> Failure {
    Failure::Request(message.to_owned())
}

fn broken(error: ReadError) -> Failure {
    Failure::Request(error.to_string())
}
