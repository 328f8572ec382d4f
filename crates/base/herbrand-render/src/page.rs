//! Exports walks, sequences of visited states, as HTML pages that replay them.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::colour::Theme;
use crate::scene::Scene;
use crate::svg::Escaped;

/// A state of a walk (a recorded episode), as [`replay_page`] shows it. The default has an empty picture and no facts;
/// set the fields that are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReplayState {
    /// The picture of the state.
    pub scene: Scene,
    /// The action taken in the state; `None` at the end of the walk.
    pub action: Option<String>,
    /// The actions that are valid in the state.
    pub valid: Vec<String>,
    /// A short text about [`valid`](Self::valid) in the heading of the list, such as `(12)` for their number or `(not
    /// in the trace)`.
    pub valid_summary: String,
    /// The facts of the state as text, in any order. The page shows the differences from the state before; none for the
    /// first state.
    pub facts: Vec<String>,
    /// A note if no action is taken, which says why the walk ends.
    pub note: String,
}

/// The data of a state in the page.
#[derive(Serialize)]
struct Frame<'s> {
    svg: String,
    action: Option<&'s str>,
    note: &'s str,
    valid: &'s [String],
    summary: &'s str,
    added: Vec<&'s str>,
    removed: Vec<&'s str>,
}

const TEMPLATE: &str = include_str!("../assets/replay.html");

/// Creates a self-contained HTML page that replays a walk, given as its states in order, with pictures, a scrubber, the
/// action, the valid actions, and the changes. The page supports keyboards, narrow screens and dark mode. Text is
/// escaped. An empty walk gives a page without states. Write the result to a file that ends in `.html`.
///
/// ```
/// use herbrand_render::{Scene, ReplayState, replay_page};
/// let still = ReplayState { scene: Scene::default(), note: "goal".into(), ..ReplayState::default() };
/// let page = replay_page("a <walk>", &[still]);
/// assert!(page.contains("a &lt;walk&gt;") && page.contains("\"note\":\"goal\""));
/// ```
#[must_use]
pub fn replay_page(title: &str, walk: &[ReplayState]) -> String {
    let mut before: Option<BTreeSet<&str>> = None;
    let mut frames = Vec::with_capacity(walk.len());
    for still in walk {
        let facts: BTreeSet<&str> = still.facts.iter().map(String::as_str).collect();
        let known = before.as_ref().unwrap_or(&facts);
        frames.push(Frame {
            svg: still.scene.to_svg(Theme::Auto),
            action: still.action.as_deref(),
            note: &still.note,
            valid: &still.valid,
            summary: &still.valid_summary,
            added: facts.difference(known).copied().collect(),
            removed: known.difference(&facts).copied().collect(),
        });
        before = Some(facts);
    }
    let frames = serde_json::to_string(&frames).unwrap_or_else(|_| "[]".to_owned());
    // Escapes text that would end the enclosing script element.
    let frames = frames.replace("</", "<\\/").replace("<!--", "<\\!--");
    let (head, rest) = TEMPLATE.split_once("__FRAMES__").unwrap_or((TEMPLATE, ""));
    let title = Escaped(title).to_string();
    [&head.replace("__TITLE__", &title), &frames, rest].concat()
}
