//! Comparing the header of a trace with the problem that is replayed.

use std::collections::{BTreeMap, HashSet};

use herbrand_core::trace::Warning;

use super::RddlHeader;
use crate::simulate::CompiledInstance;

/// The values of a header that differ from `compiled`. Other engines, whose headers have no version, may report fewer
/// preconditions.
pub(super) fn differences(header: &RddlHeader, compiled: &CompiledInstance) -> Vec<Warning> {
    let here = RddlHeader::of(compiled, ("", ""));
    let horizon = |header: &RddlHeader| {
        let steps = header.horizon.map(|steps| steps.to_string());
        steps.unwrap_or_else(|| "none".to_owned())
    };
    let values = [
        Warning::unless_equal(
            "max_nondef_actions",
            &header.max_nondef_actions,
            &here.max_nondef_actions,
        ),
        Warning::unless_equal("horizon", &horizon(header), &horizon(&here)),
        Warning::unless_equal("discount", &header.discount, &here.discount),
        Warning::unless_equal("preconditions", &header.preconditions, &here.preconditions)
            .filter(|_| header.version.is_some() || header.preconditions > here.preconditions),
    ];
    let ranges = [
        ("state_ranges", &header.state_ranges, &here.state_ranges),
        ("interm_ranges", &header.interm_ranges, &here.interm_ranges),
        ("observ_ranges", &header.observ_ranges, &here.observ_ranges),
    ];
    let names = [
        ("state_names", &header.state_names, &here.state_names),
        ("interm_names", &header.interm_names, &here.interm_names),
        ("observ_names", &header.observ_names, &here.observ_names),
    ];
    let ranges = ranges
        .into_iter()
        .filter_map(|(key, recorded, here)| ranges_differ(key, recorded, here));
    let names = names
        .into_iter()
        .filter_map(|(key, recorded, here)| names_differ(key, recorded, here));
    values.into_iter().flatten().chain(ranges).chain(names).collect()
}

/// Compares the ranges of fluents that the header lists.
fn ranges_differ(
    key: &str,
    recorded: &BTreeMap<String, String>,
    here: &BTreeMap<String, String>,
) -> Option<Warning> {
    let mut differing = recorded
        .iter()
        .filter(|&(name, range)| here.get(name) != Some(range));
    let (name, range) = differing.next()?;
    let here = here.get(name).map_or("unknown", String::as_str);
    let first = format!("`{name}` is {range} in the trace, {here} in the problem");
    Some(Warning::of_header(key, and_more(first, differing.count())))
}

/// Compares the ground fluents that the header lists, if it lists any. A fluent that the problem lacks is an error elsewhere.
fn names_differ(key: &str, recorded: &[String], here: &[String]) -> Option<Warning> {
    if recorded.is_empty() {
        return None;
    }
    let mut listed = HashSet::new();
    let mut twice = recorded.iter().filter(|&name| !listed.insert(name));
    if let Some(name) = twice.next() {
        return Some(Warning::of_header(key, format!("`{name}` is listed twice")));
    }
    let mut missing = here.iter().filter(|&name| !listed.contains(name));
    let name = missing.next()?;
    let first = format!("the trace lacks `{name}`");
    Some(Warning::of_header(key, and_more(first, missing.count())))
}

fn and_more(first: String, more: usize) -> String {
    match more {
        0 => first,
        _ => format!("{first}, and {more} more"),
    }
}
