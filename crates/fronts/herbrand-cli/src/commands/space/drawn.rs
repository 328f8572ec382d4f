//! State spaces as graphs: for Graphviz, and as pictures.

use std::fmt::Write as _;

use herbrand::core::{SpaceAnalysis, StateGraph};
use herbrand::render::colour::Colour;
use herbrand::render::scene::Anchor;
use herbrand::render::{GraphArrow, GraphNode, GraphPicture, Theme, text_width};

use super::explored::Explored;
use crate::failure::Failure;

/// The greatest number of states that are drawn.
const MOST: usize = 200;
/// With more arrows than this, they are drawn without the names of their actions.
const MOST_NAMED: usize = 24;
/// With more states than this, the picture does not list their facts.
const MOST_LISTED: usize = 40;
/// The height and the greatest width of a line of the list, and the size of its letters.
const LINE: f64 = 15.0;
const LIST: f64 = 700.0;
const LETTERS: f64 = 11.0;

/// Iterates over the outcomes of a graph: the state, the action, the outcome, and whether it is certain.
fn outcomes(graph: &StateGraph) -> impl Iterator<Item = (u32, u32, u32, bool)> + '_ {
    (0..graph.expanded).flat_map(move |state| {
        graph.choices(state).flat_map(move |choice| {
            let all = graph.outcomes(choice);
            let is_certain = all.len() == 1;
            all.map(move |outcome| (state, graph.actions[choice as usize], outcome, is_certain))
        })
    })
}

/// Writes a graph in the language of Graphviz. Goal states have a double border, dead ends are dashed, and states that
/// were not expanded are dotted. The tooltip of a state lists its facts.
pub fn dot(explored: &Explored, analysis: &SpaceAnalysis) -> String {
    let graph = &explored.graph;
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!(
        "digraph {} {{\n  node [shape=circle]\n",
        quoted(&explored.problem)
    );
    for state in 0..graph.len() {
        let shape = if graph.goals[state] {
            " shape=doublecircle"
        } else {
            ""
        };
        let style = if state >= graph.expanded as usize {
            " style=dotted"
        } else if explored.has_goals && analysis.dead_ends[state] {
            " style=dashed"
        } else {
            ""
        };
        let start = graph.starts.iter().any(|&(_, start)| start as usize == state);
        let start = if start { " penwidth=3" } else { "" };
        let tooltip = quoted(&explored.facts(state));
        let _ = writeln!(text, "  {state} [tooltip={tooltip}{shape}{style}{start}]");
    }
    for (state, action, outcome, is_certain) in outcomes(graph) {
        let mut label = explored.actions[action as usize].clone();
        if !is_certain {
            let _ = write!(label, " {:.4}", graph.probability(outcome));
        }
        let target = graph.targets[outcome as usize];
        let _ = writeln!(text, "  {state} -> {target} [label={}]", quoted(&label));
    }
    text += "}\n";
    text
}

/// Draws a small space: a row for each distance from the start. Goal states are green, dead ends red, and states that were
/// not expanded grey. The border of start states is bold; outcomes of chance are dashed. For a small space,
/// the facts of each state are listed below.
pub fn svg(explored: &Explored, analysis: &SpaceAnalysis) -> Result<String, Failure> {
    let graph = &explored.graph;
    if graph.len() > MOST {
        return Err(Failure::Request(format!(
            "the space has more than {MOST} states, too many for a picture: explore a part with --states, or write a .dot file"
        )));
    }
    let node = |state: usize| GraphNode {
        text: state.to_string(),
        row: analysis.start_steps[state] as usize,
        colour: if graph.goals[state] {
            Colour::Green
        } else if state >= graph.expanded as usize {
            Colour::Grey
        } else if explored.has_goals && analysis.dead_ends[state] {
            Colour::Red
        } else {
            Colour::Blue
        },
        bold: graph.starts.iter().any(|&(_, start)| start as usize == state),
    };
    let mut arrows: Vec<GraphArrow> = Vec::new();
    for (state, action, outcome, is_certain) in outcomes(graph) {
        let (from, to) = (state as usize, graph.targets[outcome as usize] as usize);
        let name = &explored.actions[action as usize];
        // One arrow for all actions that lead to the same state.
        if let Some(arrow) = arrows
            .iter_mut()
            .find(|arrow| (arrow.from, arrow.to) == (from, to))
        {
            arrow.text = format!("{}, {name}", arrow.text);
            arrow.dashed &= !is_certain;
        } else {
            arrows.push(GraphArrow {
                from,
                to,
                text: name.clone(),
                dashed: !is_certain,
            });
        }
    }
    if arrows.len() > MOST_NAMED {
        arrows.iter_mut().for_each(|arrow| arrow.text.clear());
    }
    let picture = GraphPicture {
        title: format!("the state space of {} ({})", explored.problem, explored.domain),
        nodes: (0..graph.len()).map(node).collect(),
        arrows,
    };
    let mut scene = picture.scene();
    if graph.len() <= MOST_LISTED {
        for state in 0..graph.len() {
            let text = format!("{state}: {}", explored.facts(state));
            let at = (LINE, scene.height + LETTERS);
            scene.width = scene.width.max(text_width(&text, LETTERS).min(LIST) + 2.0 * LINE);
            scene.write(&text, at, Anchor::Start, LETTERS, LIST, Colour::Ink);
            scene.height += LINE;
        }
    }
    Ok(scene.to_svg(Theme::Auto))
}
