//! Recorded walks, as pictures.

use std::io::BufRead;
use std::path::Path;

use herbrand::core::trace::{TraceLines, watch_replay};
use herbrand::core::{Catalogue as _, Described as _, Problems as _};
use herbrand::env::StatePicture;
use herbrand::env::trace::{Header, Replayer, Visit};
use herbrand::limits::Limits;
use herbrand::pddlworld::WorldError;
use herbrand::rddl;
use herbrand::rddl::trace::{Cell, TraceLine};
use herbrand::render::Pictured as _;
use herbrand::render::{DrawnValue, Moment, NamedFact, ReplayState};

use crate::commands::replay::{NamedProblem, about, about_rddl, is_rddl, worlds_of};
use crate::failure::{Failure, file_error, refuse};
use crate::input::{domain_under_edit, open};

/// The pictures of a walk, and the fault of the line at which they end.
type Drawn = (Vec<ReplayState>, Option<Failure>);

/// Reads a trace and returns pictures of the states of the walk number `walk`, up to the first line that is faulty.
///
/// # Errors
/// Fails if the trace cannot be read, if its problem is not found, or if a line before the walk is faulty.
pub fn stills(trace: &Path, named: NamedProblem<'_>, limits: Limits, walk: u64) -> Result<Drawn, Failure> {
    let mut lines = open(trace)?;
    let (stills, fault) = if is_rddl(&mut lines).map_err(|error| file_error(trace, error))? {
        process(trace, named, limits, walk, lines)?
    } else {
        planning(trace, named, limits, walk, lines)?
    };
    if stills.is_empty() {
        if let Some(fault) = fault {
            return Err(fault);
        }
        return refuse(format!(
            "{}: this trace has no walk number {walk}",
            trace.display()
        ));
    }
    Ok((stills, fault))
}

fn planning(
    trace: &Path,
    named: NamedProblem<'_>,
    limits: Limits,
    walk: u64,
    mut lines: impl BufRead,
) -> Result<Drawn, Failure> {
    let failed = |error| Failure::trace(trace, error);
    let mut header = Replayer::read_header(&mut lines).map_err(failed)?;
    if domain_under_edit(&header.domain).is_some() {
        return edits(trace, &header, limits, walk);
    }
    let suite = about(trace, named, &header)?.suite(limits)?;
    let engine = suite.engine(0)?;
    let picture = StatePicture::of(&suite, 0, &engine)?;
    let mut stills = Vec::new();
    let mut lines = TraceLines::after(&mut header, lines);
    loop {
        let visit = match lines.read::<Visit>() {
            Ok(Some(visit)) => visit,
            Ok(None) => return Ok((stills, None)),
            Err(error) => return Ok((stills, Some(failed(error.into())))),
        };
        if visit.walk != walk {
            continue;
        }
        let lists = [&visit.fluents, &visit.derived, &visit.atoms];
        let texts = lists.into_iter().flatten().flatten();
        let mut moment = Moment {
            facts: texts.clone().map(|text| atom(text)).collect(),
            ..Moment::default()
        };
        moment.captions.push(format!("walk {walk}, step {}", visit.step));
        let moment = picture.with_goal(moment, visit.goal);
        stills.push(ReplayState {
            scene: picture.scene_of(&moment),
            action: visit.chosen,
            valid_summary: format!("({})", visit.actions.len()),
            valid: visit.actions,
            facts: texts.cloned().collect(),
            note: "The walk ends here.".to_owned(),
        });
    }
}

/// Takes the recorded edits again, because the lines of a trace do not list the literals.
fn edits(trace: &Path, header: &Header, limits: Limits, walk: u64) -> Result<Drawn, Failure> {
    let worlds = worlds_of(header, limits)?;
    let index = worlds.index_of(&header.problem).map_err(WorldError::from)?;
    let renderer = worlds.renderer(index, &worlds.system(index)?)?;
    let mut stills = Vec::new();
    let replayed = watch_replay(&worlds, open(trace)?, |visit, world| {
        if visit.walk != walk {
            return;
        }
        let mut moment = renderer.moment(world);
        moment.captions.push(format!("walk {walk}, step {}", visit.step));
        let mut facts = Vec::new();
        world.facts(&mut |fact| facts.push(fact.to_string()));
        stills.push(ReplayState {
            scene: renderer.scene_of(&moment),
            action: visit.chosen.clone(),
            valid_summary: format!("({})", visit.actions.len()),
            valid: visit.actions.clone(),
            facts,
            note: "The walk ends here.".to_owned(),
        });
    });
    let fault = match replayed {
        Ok(replayed) => replayed
            .first
            .map(|first| Failure::Request(format!("{}: {first}", trace.display()))),
        Err(error) => Some(Failure::edits_trace(trace, error)),
    };
    Ok((stills, fault))
}

fn process(
    trace: &Path,
    named: NamedProblem<'_>,
    limits: Limits,
    walk: u64,
    mut lines: impl BufRead,
) -> Result<Drawn, Failure> {
    let failed = |error| Failure::rddl_trace(trace, error);
    let mut header = rddl::trace::Replayer::read_header(&mut lines).map_err(failed)?;
    let suite = about_rddl(trace, named, &header)?.suite_of_rddl(limits)?;
    let simulator = suite.simulator(0)?;
    let picture = suite.renderer(0, &simulator)?;
    let mut stills = Vec::new();
    let mut lines = TraceLines::after(&mut header, lines);
    loop {
        let line = match lines.read::<TraceLine>() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok((stills, None)),
            Err(error) => return Ok((stills, Some(failed(error.into())))),
        };
        if line.walk != walk {
            continue;
        }
        let values = || header.state_names.iter().zip(&line.state);
        let moment = Moment {
            facts: values().filter_map(|(name, cell)| fluent(name, cell)).collect(),
            captions: vec![format!("walk {walk}, step {}", line.step)],
            ..Moment::default()
        };
        let joint = line.action.as_ref().map(|action| {
            let choices = action.iter().map(|(name, cell)| format!("{name}={cell}"));
            choices.collect::<Vec<_>>().join(", ")
        });
        stills.push(ReplayState {
            scene: picture.scene_of(&moment),
            action: joint.map(|joint| {
                if joint.is_empty() {
                    "no action".to_owned()
                } else {
                    joint
                }
            }),
            // RDDL traces do not list the valid actions.
            valid_summary: "(not in the trace)".to_owned(),
            valid: Vec::new(),
            facts: values().map(|(name, cell)| format!("{name} = {cell}")).collect(),
            note: line.end.unwrap_or_else(|| "The walk ends here.".to_owned()),
        });
    }
}

/// Parses a fact in PDDL syntax, such as `(on a b)`.
fn atom(text: &str) -> NamedFact {
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let mut words = inner.split_whitespace().map(str::to_ascii_lowercase);
    NamedFact {
        name: words.next().unwrap_or_default(),
        arguments: words.collect(),
        value: DrawnValue::True,
    }
}

/// Parses a ground fluent, written as `fluent___o1__o2`, and its value; `None` if the value is false.
fn fluent(name: &str, cell: &Cell) -> Option<NamedFact> {
    let value = match cell {
        Cell::Bool(false) => return None,
        Cell::Bool(true) => DrawnValue::True,
        Cell::Int(value) => DrawnValue::Number(*value as f64),
        Cell::Real(value) => DrawnValue::Number(*value),
        Cell::Text(name) => DrawnValue::Symbol(name.trim_start_matches('@').to_owned()),
    };
    let (name, arguments) = name.split_once("___").unwrap_or((name, ""));
    let arguments = arguments.split("__").filter(|argument| !argument.is_empty());
    Some(NamedFact {
        name: name.to_owned(),
        arguments: arguments.map(str::to_owned).collect(),
        value,
    })
}
