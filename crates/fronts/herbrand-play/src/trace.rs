//! Saves and opens walks as traces, in the format of `herbrand record` and `herbrand replay`.

use herbrand_core::trace::check_version;
use herbrand_env::trace::Visit;
use herbrand_limits::Budget;
use herbrand_rddl_sim::trace as rddl;
use herbrand_tasks::any::WalkRecord;
use serde::Deserialize;

use crate::allowance::RequestLimits;
use crate::game::Game;
use crate::refusal::{Reason, Refusal};
use crate::reply::Reply;
use crate::request::{ProblemName, Texts, WalkPosition};

/// The maximum size of a trace in bytes.
const LONGEST: usize = 16 << 20;

/// Returns the walk to a valid position as a trace.
pub(crate) fn record(
    game: &Game,
    position: &WalkPosition,
    allowance: &RequestLimits,
) -> Result<Reply, Refusal> {
    let (names, texts) = match &position.problem {
        ProblemName::Bundled { domain, problem } => (Some((domain.as_str(), problem.as_str())), None),
        ProblemName::Texts { texts } => (None, serde_json::to_value(texts).ok()),
    };
    let walk = WalkRecord {
        names,
        texts,
        seed: position.seed,
        steps: &position.walk,
    };
    let bytes = game.record(&walk, &Budget::new(allowance.limits))?;
    if bytes.len() > LONGEST {
        let most = LONGEST >> 20;
        return Err(Refusal::limit(format!(
            "the trace exceeds the limit of {most} MiB"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| Refusal::new(Reason::Limit, error))?;
    let name = match &position.problem {
        ProblemName::Bundled { domain, problem } => format!("{domain}-{problem}").replace('/', "-"),
        ProblemName::Texts { .. } => "walk".to_owned(),
    };
    Ok(Reply::Trace {
        name: format!("{name}.trace.jsonl"),
        text,
    })
}

/// The header fields that are read from traces in any language.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    version: Option<u32>,
    #[serde(default)]
    domain: String,
    /// The problem, in PDDL.
    #[serde(default)]
    problem: String,
    /// The instance, in RDDL.
    #[serde(default)]
    instance: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    texts: Option<Texts>,
}

/// The position at the end of a trace's first walk, with the recorded facts there, if any.
pub(crate) struct Recorded {
    pub(crate) position: WalkPosition,
    pub(crate) fluents: Option<Vec<String>>,
}

/// Parses a trace.
pub(crate) fn read(text: &str, texts: Option<Texts>) -> Result<Recorded, Refusal> {
    let fault = |line: usize, message: &dyn std::fmt::Display| {
        Refusal::new(Reason::Request, format!("line {line} of the trace: {message}"))
    };
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines
        .next()
        .ok_or_else(|| Refusal::new(Reason::Request, "the trace is empty"))?;
    let head: Head = serde_json::from_str(first).map_err(|error| fault(1, &error))?;
    check_version(head.version).map_err(|error| Refusal::new(Reason::Request, error))?;
    let is_rddl = head.instance.is_some();
    let problem = match texts.or(head.texts) {
        Some(texts) => ProblemName::Texts { texts },
        None => ProblemName::Bundled {
            domain: head.domain,
            problem: head.instance.unwrap_or(head.problem),
        },
    };
    let mut recorded = Recorded {
        position: WalkPosition {
            problem,
            seed: head.seed.unwrap_or(0),
            walk: Vec::new(),
        },
        fluents: None,
    };
    for (number, line) in lines {
        let goes_on = if is_rddl {
            let line: rddl::TraceLine = serde_json::from_str(line).map_err(|error| fault(number, &error))?;
            recorded.add_line(line)
        } else {
            let visit: Visit = serde_json::from_str(line).map_err(|error| fault(number, &error))?;
            recorded.add_visit(visit)
        };
        if !goes_on {
            break;
        }
    }
    Ok(recorded)
}

impl Recorded {
    /// Adds a state of a PDDL walk; returns whether the first walk may continue.
    fn add_visit(&mut self, visit: Visit) -> bool {
        if visit.walk != 0 {
            return false;
        }
        self.fluents = visit.fluents;
        let goes_on = visit.chosen.is_some();
        self.position.walk.extend(visit.chosen.map(|chosen| vec![chosen]));
        goes_on
    }

    /// Adds a step of an RDDL walk; returns whether the first walk may continue.
    fn add_line(&mut self, line: rddl::TraceLine) -> bool {
        if line.walk != 0 || line.end.is_some() || line.error.is_some() {
            return false;
        }
        let action = line.action.unwrap_or_default().into_iter();
        let joint = action.map(|(name, cell)| match cell {
            rddl::Cell::Bool(true) => name,
            cell => format!("{name}={cell}"),
        });
        self.position.walk.push(joint.collect());
        true
    }

    /// Returns a remark if `game`, after repeating the walk, is not in the recorded state; empty if it is.
    pub(crate) fn note(&self, game: &Game) -> String {
        let Some(recorded) = &self.fluents else {
            return String::new();
        };
        let mut recorded = recorded.clone();
        recorded.sort();
        if game.true_fluents() == recorded {
            String::new()
        } else {
            "random outcomes differ from the trace: the last state is not the same".to_owned()
        }
    }
}
