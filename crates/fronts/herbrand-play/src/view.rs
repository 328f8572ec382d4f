//! The parts of a view of a walk.

use herbrand_core::{Choice, FieldDomain, FieldValue, Group};
use herbrand_limits::check_enclosing;
use herbrand_tasks::walk::AnyWalk;

use crate::refusal::Refusal;
use crate::reply::{Action, NumberAction, PositionView};

/// Returns the parts of the view that do not depend on the language, with at most `listed` entries per list.
///
/// # Errors
/// Fails if an enclosing budget is exhausted: then parts may be missing.
pub(crate) fn view(walk: &AnyWalk, listed: usize) -> Result<PositionView, Refusal> {
    let in_time = || check_enclosing("showing the state").map_err(Refusal::limit);
    let (actions, action_count) = actions(walk, listed);
    in_time()?;
    let joint_actions = joint_actions(walk);
    in_time()?;
    let (facts, fact_count) = facts(walk, listed);
    in_time()?;
    let (added, removed) = walk.changes();
    let first = |list: &[String]| list.iter().take(listed).cloned().collect();
    Ok(PositionView {
        title: walk.title(),
        step: walk.len(),
        reward: walk.reward(),
        last_reward: walk.last_reward(),
        cost: walk.cost(),
        status: walk.status(),
        actions,
        action_count,
        joint_actions,
        together: walk.together(),
        numbers: numbers(walk, listed),
        facts,
        fact_count,
        added: first(added),
        removed: first(removed),
        effects: walk.effects().to_owned(),
        ..PositionView::default()
    })
}

/// Returns the valid actions and their number.
fn actions(walk: &AnyWalk, listed: usize) -> (Vec<Action>, usize) {
    let (choices, system) = (walk.valid_choices(), walk.look());
    let action = |&choice: &Choice| Action {
        text: system.choice_text(choice),
        names: system.choice_objects(choice),
    };
    (choices.iter().take(listed).map(action).collect(), choices.len())
}

fn joint_actions(walk: &AnyWalk) -> String {
    match walk.status().end() {
        Some(_) => "0".to_owned(),
        None => walk.look().count_joint_actions().to_string(),
    }
}

fn numbers(walk: &AnyWalk, listed: usize) -> Vec<NumberAction> {
    let system = walk.look();
    let fields = system.actions().fields().iter();
    let fields = fields.filter_map(|field| {
        let (whole, low, high) = match field.domain {
            FieldDomain::Discrete { .. } => return None,
            // Bounds that are out of reach count as unbounded.
            FieldDomain::Int { low, high } => (
                true,
                (low > i64::MIN / 2).then_some(low as f64),
                (high < i64::MAX / 2).then_some(high as f64),
            ),
            FieldDomain::Real { low, high } => (
                false,
                low.is_finite().then_some(low),
                high.is_finite().then_some(high),
            ),
        };
        Some(NumberAction {
            name: field.name.clone(),
            whole,
            low,
            high,
            default: field.default.map_or(0.0, FieldValue::number),
        })
    });
    fields.take(listed).collect()
}

/// Returns at most `listed` facts that are not static, and their number.
pub(crate) fn facts(walk: &AnyWalk, listed: usize) -> (Vec<String>, usize) {
    let (mut facts, mut count) = (Vec::new(), 0);
    walk.look().facts(&mut |fact| {
        if fact.group != Group::Static {
            count += 1;
            if facts.len() < listed {
                facts.push(fact.to_string());
            }
        }
    });
    (facts, count)
}

/// Returns the texts of at most `listed` valid actions, and the number of valid actions.
#[cfg(feature = "sessions")]
pub(crate) fn action_texts(walk: &AnyWalk, listed: usize) -> (Vec<String>, usize) {
    let (choices, system) = (walk.valid_choices(), walk.look());
    let texts = choices.iter().take(listed);
    let texts = texts.map(|&choice| system.choice_text(choice)).collect();
    (texts, choices.len())
}

/// Returns at most `listed` actions that take a number; none after the end of the episode.
#[cfg(feature = "sessions")]
pub(crate) fn number_actions(walk: &AnyWalk, listed: usize) -> Vec<NumberAction> {
    numbers(walk, if walk.status().end().is_none() { listed } else { 0 })
}
