//! A session: the exchange of messages on one connection.

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use herbrand_core::{Choice, Described, FieldValue, Random, Step, System};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::{Horizon, Range, TypeKind};
use rand::Rng;

use super::ServerOptions;
use super::message::{Lost, Messages};
use super::xml::{self, Element, MessageError, shortened};
use crate::simulate::{FluentValue, GroundFluents, RddlSimulator, StepError};
use crate::suite::RddlSuite;

/// The pause between two consecutive messages of the server.
const GAP: Duration = Duration::from_millis(20);

/// The way in which a session ended. [`SessionSummary::end`] has it.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionEnd {
    /// All rounds were played.
    Finished,
    /// The session was aborted. Contains the reason as text: the connection was lost, a time limit or the number of invalid
    /// messages was exceeded, a message was too long, the server stopped, or there were too many sessions.
    Broken(String),
}

/// The summary of a finished session, passed to the callback of [`Server::run`](super::Server::run).
#[derive(Clone, PartialEq, Debug)]
pub struct SessionSummary {
    /// The address of the client; `None` if it is unknown.
    pub client: Option<SocketAddr>,
    /// The name that the client gave, shortened; empty if it gave none.
    pub name: String,
    /// The instance of the session; empty if the client requested none.
    pub instance: String,
    /// The number of finished rounds.
    pub rounds: u32,
    /// The sum of the rewards of all finished rounds, without discount. It may be infinite or NaN.
    pub reward: f64,
    /// The number of invalid messages that the client sent.
    pub faults: u32,
    /// Whether all rounds were played, or why the session was aborted.
    pub end: SessionEnd,
}

/// Something that happens in a session, passed to the callback of [`Server::run_until`](super::Server::run_until).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SessionEvent<'s> {
    /// A client has connected from this address.
    Connected(SocketAddr),
    /// A client has requested an instance. The summary has their names.
    Began(&'s SessionSummary),
    /// A round has ended. The summary counts it.
    Round {
        /// The session so far.
        session: &'s SessionSummary,
        /// The sum of the rewards of the round, without discount. It may be infinite or NaN.
        reward: f64,
        /// The number of steps in the round.
        steps: u32,
    },
    /// A session has ended.
    Ended(&'s SessionSummary),
}

impl SessionSummary {
    pub(super) fn lost(reason: &impl ToString) -> Self {
        Self {
            client: None,
            name: String::new(),
            instance: String::new(),
            rounds: 0,
            reward: 0.0,
            faults: 0,
            end: SessionEnd::Broken(reason.to_string()),
        }
    }
}

/// Sends a client the error that there are too many sessions.
pub(super) fn turn_away(stream: &TcpStream, options: &ServerOptions) -> SessionSummary {
    let reason = format!("there are {} sessions already", options.sessions);
    let mut messages = Messages::new(stream, options.message_bytes);
    // Failure is ignored: the client may be gone.
    let _ = stream
        .set_nonblocking(false)
        .map_err(Lost::from)
        .and_then(|()| messages.send(&error(&reason), Duration::from_secs(1)));
    SessionSummary::lost(&reason)
}

fn error(reason: &str) -> String {
    Element::new("error").with("message", reason).finish()
}

pub(super) struct Session<'s> {
    messages: Messages<'s>,
    suite: &'s RddlSuite,
    options: &'s ServerOptions,
    number: usize,
    begin: Instant,
    chance: Random,
    pub(super) summary: SessionSummary,
    told: &'s dyn Fn(&SessionEvent<'_>),
}

/// A problem that a session plays.
struct Played {
    simulator: RddlSimulator,
    name: String,
    horizon: Option<u32>,
}

impl<'s> Session<'s> {
    pub(super) fn new(
        stream: &'s TcpStream,
        suite: &'s RddlSuite,
        options: &'s ServerOptions,
        number: usize,
        seed: u64,
        told: &'s dyn Fn(&SessionEvent<'_>),
    ) -> Self {
        Self {
            messages: Messages::new(stream, options.message_bytes),
            suite,
            options,
            number,
            begin: Instant::now(),
            chance: Random::new(seed),
            summary: SessionSummary {
                end: SessionEnd::Finished,
                ..SessionSummary::lost(&"")
            },
            told,
        }
    }

    /// Serves the client until the session ends.
    pub(super) fn run(mut self, stop: &AtomicBool) -> SessionSummary {
        if let Err(lost) = self.rounds(stop) {
            // Failure is ignored: the client may be gone.
            let _ = self
                .messages
                .send(&error(&lost.to_string()), Duration::from_secs(1));
            self.summary.end = SessionEnd::Broken(lost.to_string());
        }
        self.summary
    }

    fn rounds(&mut self, stop: &AtomicBool) -> Result<(), Refused> {
        let mut played = self.ask("session-request", |session, message| session.begin(message))?;
        (self.told)(&SessionEvent::Began(&self.summary));
        let init = self.session_init(&played);
        self.send(&init)?;
        while self.summary.rounds < self.options.rounds {
            if stop.load(Ordering::Relaxed) {
                return Err(Refused::Stopped);
            }
            self.ask("round-request", |_, message| round_request(message))?;
            self.round(&mut played)?;
        }
        let end = Element::new("session-end")
            .with("instance-name", &played.name)
            .with("client-name", &self.summary.name)
            .with("total-reward", number(self.summary.reward))
            .with("rounds-used", self.summary.rounds)
            .with("time-used", self.begin.elapsed().as_millis())
            .with("session-id", self.number)
            .with("time-left", self.time_left());
        self.send(&end.finish())
    }

    /// Waits for a message that `read` accepts. Answers other messages with an error.
    fn ask<T>(
        &mut self,
        expected: &str,
        mut read: impl FnMut(&mut Self, &[u8]) -> Result<T, MessageError>,
    ) -> Result<T, Refused> {
        loop {
            let left = self.options.time.checked_sub(self.begin.elapsed());
            let left = left.filter(|left| !left.is_zero()).ok_or(Refused::Time)?;
            let message = match self.messages.receive(left.min(self.options.patience)) {
                Err(Lost::TooSlow(_)) if left < self.options.patience => return Err(Refused::Time),
                received => received?,
            };
            let budget = Budget::new(Limits {
                bytes: None,
                time: Some(self.options.computing.min(left)),
            });
            match budget.enclose(|| read(self, &message)) {
                Ok(read) => return Ok(read),
                Err(fault) => {
                    let reason = shortened_reason(&fault.to_string());
                    self.summary.faults += 1;
                    if self.summary.faults > self.options.faults {
                        return Err(Refused::Faults(expected.to_owned(), reason));
                    }
                    self.send(&error(&reason))?;
                }
            }
        }
    }

    fn send(&mut self, message: &str) -> Result<(), Refused> {
        Ok(self.messages.send(message, self.options.patience)?)
    }

    /// Parses the request of a session and selects the problem.
    fn begin(&mut self, message: &[u8]) -> Result<Played, MessageError> {
        let (problem, client) = xml::read(message, "session-request", |root| {
            let language = xml::text(root, "input-language").unwrap_or("rddl");
            if !language.eq_ignore_ascii_case("rddl") {
                return Err(MessageError::Language(shortened(language)));
            }
            let text = |name| xml::text(root, name).map(str::to_owned);
            let client = text("client-name").ok_or(MessageError::Missing("client-name"))?;
            let names = [text("instance-name"), text("problem-name")];
            let mut names = names.into_iter().flatten();
            let first = names.next().ok_or(MessageError::Missing("problem-name"))?;
            Ok(((first, names.next()), client))
        })?;
        let (first, second) = problem;
        let found = self.suite.index_of(&first);
        let index = match found.or_else(|error| {
            let second = second.as_ref().and_then(|name| self.suite.index_of(name).ok());
            second.ok_or(error)
        }) {
            Ok(index) => index,
            // Clients that know no names of instances send one of these; pyRDDLGym's sends "instance".
            Err(_) if first == "instance" || first == self.suite.domain().name.as_str() => 0,
            Err(error) => return Err(error.into()),
        };
        let simulator = self.suite.simulator(index)?;
        let horizon = match simulator.compiled().instance.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        };
        self.summary.name = shortened(&client);
        let name = self.suite.problem_name(index).unwrap_or_default().to_owned();
        self.summary.instance.clone_from(&name);
        Ok(Played {
            name,
            simulator,
            horizon,
        })
    }

    fn session_init(&self, played: &Played) -> String {
        let instance = &played.simulator.compiled().instance;
        let text = format!("{}\n{}", instance.domain.to_rddl(), instance.to_rddl());
        Element::new("session-init")
            .with("task", BASE64_STANDARD.encode(text))
            .with("session-id", self.number)
            .with("num-rounds", self.options.rounds)
            .with("time-allowed", self.options.time.as_millis())
            .finish()
    }

    fn time_left(&self) -> u128 {
        self.options.time.saturating_sub(self.begin.elapsed()).as_millis()
    }

    /// Plays a round.
    fn round(&mut self, played: &mut Played) -> Result<(), Refused> {
        let number_of_round = self.summary.rounds + 1;
        let init = Element::new("round-init")
            .with("round-num", number_of_round)
            .with("time-left", self.time_left())
            .with("rounds-left", self.options.rounds - number_of_round)
            .with("sessionID", self.number);
        self.send(&init.finish())?;
        // pyRDDLGym's client reads whatever has arrived as one message and would drop the following turn.
        thread::sleep(GAP);
        played.simulator.restart();
        let (mut total, mut turn, mut reward) = (0.0, 1, 0.0);
        loop {
            let ended = played.simulator.current_status().is_final();
            if ended || played.horizon.is_some_and(|horizon| turn > horizon) {
                break;
            }
            let state = self.turn(&played.simulator, turn, reward);
            self.send(&state)?;
            let simulator = &mut played.simulator;
            let step = self.ask("actions", |session, message| {
                let joint = actions(message, simulator)?;
                Ok(step(simulator, &joint, &mut session.chance)?)
            })?;
            reward = step.reward;
            total += reward;
            turn += 1;
            if step.ended() {
                break;
            }
        }
        self.summary.rounds += 1;
        self.summary.reward += total;
        (self.told)(&SessionEvent::Round {
            session: &self.summary,
            reward: total,
            steps: turn - 1,
        });
        let end = Element::new("round-end")
            .with("instance-name", &played.name)
            .with("client-name", &self.summary.name)
            .with("round-num", number_of_round)
            .with("round-reward", number(total))
            .with("turns-used", turn - 1)
            .with("time-left", self.time_left())
            .with("immediate-reward", number(reward));
        self.send(&end.finish())
    }

    /// Formats the observation at the beginning of a turn.
    fn turn(&self, simulator: &RddlSimulator, turn: u32, reward: f64) -> String {
        let message = Element::new("turn")
            .with("turn-num", turn)
            .with("time-left", self.time_left())
            .with("immediate-reward", number(reward));
        let compiled = simulator.compiled();
        let message = if compiled.is_partially_observed() {
            if simulator.last_reward().is_none() {
                return message.with("no-observed-fluents", "").finish();
            }
            observe(message, simulator, &compiled.observ, |at| simulator.observed(at))
        } else {
            observe(message, simulator, &compiled.state, |at| {
                Some(simulator.fluent(at))
            })
        };
        message.finish()
    }
}

/// Why a session is aborted.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Lost(#[from] Lost),
    #[error("the time of the session is over")]
    Time,
    #[error("too many messages are faulty; the last one should have been `{0}`: {1}")]
    Faults(String, String),
    #[error("the server is stopping")]
    Stopped,
}

/// Formats a number with a point or an exponent.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn round_request(message: &[u8]) -> Result<(), MessageError> {
    xml::read(message, "round-request", |root| {
        match xml::text(root, "execute-policy").unwrap_or("yes") {
            "yes" => Ok(()),
            other => Err(MessageError::Policy(shortened(other))),
        }
    })
}

/// Adds the values of fluents.
fn observe(
    mut message: Element,
    simulator: &RddlSimulator,
    fluents: &GroundFluents,
    value: impl Fn(usize) -> Option<FluentValue>,
) -> Element {
    let compiled = simulator.compiled();
    let instance = &compiled.instance;
    for at in 0..fluents.len() {
        let (id, place) = fluents.at(at);
        let pvariable = instance.domain.pvariable(id);
        let mut one = Element::new("observed-fluent").with("fluent-name", &pvariable.name);
        for (&of, item) in pvariable.parameters.iter().zip(instance.arguments(id, place)) {
            one = one.with("fluent-arg", instance.item_name(of, item));
        }
        let text = match (pvariable.range, value(at)) {
            (_, None) => continue,
            (Range::Item(of), Some(FluentValue::Int(item))) => {
                let name = instance.item_name(of, item as u32);
                match instance.domain.type_of(of).kind {
                    TypeKind::Enum(_) => format!("@{name}"),
                    TypeKind::Objects => name.to_string(),
                }
            }

            (_, Some(FluentValue::Bool(value))) => value.to_string(),
            (_, Some(FluentValue::Int(value))) => value.to_string(),
            (_, Some(FluentValue::Real(value))) => number(value),
        };
        message = message.with_element(one.with("fluent-value", text));
    }
    message
}

/// Parses a joint action.
fn actions(message: &[u8], simulator: &RddlSimulator) -> Result<Vec<Choice>, MessageError> {
    xml::read(message, "actions", |root| {
        let actions = root.children().filter(|child| child.has_tag_name("action"));
        let most = simulator.actions().fields().len();
        let read = actions.take(most + 1).map(|action| {
            let name = xml::text(action, "action-name").ok_or(MessageError::Missing("action-name"))?;
            let arguments = action
                .children()
                .filter(|child| child.has_tag_name("action-arg"))
                .map(xml::content)
                .filter(|argument| !argument.is_empty());
            let mut text = name.to_owned();
            for (place, argument) in arguments.enumerate() {
                text += if place == 0 { "___" } else { "__" };
                text += argument.trim_start_matches('@');
            }
            let value = xml::text(action, "action-value").unwrap_or("true");
            let choice = simulator.parse_choice(&format!("{text}={value}"))?;
            match choice.value {
                FieldValue::Real(value) if !value.is_finite() => {
                    Err(MessageError::NotFinite(shortened(&text)))
                }
                _ => Ok(choice),
            }
        });
        let joint: Vec<Choice> = read.collect::<Result<_, _>>()?;
        if joint.len() > most {
            return Err(MessageError::Actions(most));
        }
        Ok(joint)
    })
}

fn shortened_reason(reason: &str) -> String {
    const MOST: usize = 400;
    match reason.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}

/// Takes a step.
fn step(simulator: &mut RddlSimulator, joint: &[Choice], chance: &mut Random) -> Result<Step, StepError> {
    let transition = simulator.advance_by(joint, chance.next_u64())?;
    Ok(Step {
        reward: transition.reward,
        terminated: transition.status.terminal,
        truncated: transition.status.broken,
        applied: true,
        ..Step::default()
    })
}
