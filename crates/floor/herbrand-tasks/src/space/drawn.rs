//! State spaces as graphs: for Graphviz, and as pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use herbrand_core::StateGraph;
use herbrand_render::colour::{Colour, Tone};
use herbrand_render::scene::{Anchor, Fill, Frame, SceneElement, Stroke};
use herbrand_render::{GraphArrow, GraphNode, GraphPicture, Scene, Theme, text_width};

use super::explored::ExploredSpace;
use crate::failure::TaskFailure;

/// The greatest number of states that are drawn.
const MOST: usize = 200;
/// With more arrows than this, they have numbers that the legend explains in place of the names of their actions.
const MOST_NAMED: usize = 24;
/// With more arrows than this, they have neither.
const MOST_NUMBERED: usize = 400;
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

impl ExploredSpace {
    /// Writes the graph in the language of Graphviz. Goal states have a double border, dead ends are dashed, and states that
    /// were not expanded are dotted. The tooltip of a state lists its facts.
    #[must_use]
    pub fn dot(&self) -> String {
        let graph = &self.graph;
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = format!("digraph {} {{\n  node [shape=circle]\n", quoted(&self.problem));
        for state in 0..graph.len() {
            let shape = if graph.goals[state] {
                " shape=doublecircle"
            } else {
                ""
            };
            let style = if state >= graph.expanded as usize {
                " style=dotted"
            } else if self.is_lost(state) {
                " style=dashed"
            } else {
                ""
            };
            let start = if self.is_start(state) { " penwidth=3" } else { "" };
            let tooltip = quoted(&self.facts(state));
            let _ = writeln!(text, "  {state} [tooltip={tooltip}{shape}{style}{start}]");
        }
        for (state, action, outcome, is_certain) in outcomes(graph) {
            let mut label = self.actions[action as usize].clone();
            if !is_certain {
                let _ = write!(label, " {:.4}", graph.probability(outcome));
            }
            let target = graph.targets[outcome as usize];
            let _ = writeln!(text, "  {state} -> {target} [label={}]", quoted(&label));
        }
        text += "}\n";
        text
    }

    /// Draws a small space as SVG: a row for each distance from the start. Goal states are green, dead ends red, and states
    /// that were not expanded grey. The border of start states is bold; outcomes of chance are dashed. Arrows have the names of
    /// their actions, or their numbers. A legend is below, and for a small space the facts of each state.
    ///
    /// # Errors
    /// Fails if the space has more than 200 states.
    pub fn svg(&self) -> Result<String, TaskFailure> {
        if self.graph.len() > MOST {
            return Err(TaskFailure::TooLarge(format!(
                "the space has more than {MOST} states, too many for a picture: explore a part with --states, or write a .dot \
                 file"
            )));
        }
        let node = |state: usize| GraphNode {
            text: state.to_string(),
            row: self.analysis.start_steps[state] as usize,
            colour: self.colour(state),
            bold: self.is_start(state),
        };
        let mut picture = GraphPicture {
            title: format!("the state space of {} ({})", self.problem, self.domain),
            nodes: (0..self.graph.len()).map(node).collect(),
            arrows: Vec::new(),
        };
        let mut numbered;
        (picture.arrows, numbered) = self.arrows(true);
        let mut scene = picture.scene();
        // Names that hide each other become numbers.
        if numbered.is_empty() && !scene.faults().is_empty() {
            (picture.arrows, numbered) = self.arrows(false);
            scene = picture.scene();
        }
        for (elements, text) in legend(&picture.nodes, &picture.arrows) {
            let top = scene.height;
            line(&mut scene, 2.0 * LINE, &text);
            let elements = elements.into_iter().map(|element| element.moved((LINE, top)));
            scene.elements.extend(elements);
        }
        scene.height += LINE / 2.0;
        for (number, action) in numbered.iter().enumerate() {
            line(&mut scene, 0.0, &format!("{}. {action}", number + 1));
        }
        scene.height += LINE / 2.0;
        if self.graph.len() <= MOST_LISTED {
            for state in 0..self.graph.len() {
                line(&mut scene, 0.0, &format!("{state}: {}", self.facts(state)));
            }
        }
        Ok(scene.to_svg(Theme::Auto))
    }

    fn is_start(&self, state: usize) -> bool {
        let mut starts = self.graph.starts.iter();
        starts.any(|&(_, start)| start as usize == state)
    }

    fn is_lost(&self, state: usize) -> bool {
        self.has_goals && self.analysis.dead_ends[state]
    }

    fn colour(&self, state: usize) -> Colour {
        if self.graph.goals[state] {
            Colour::Green
        } else if state >= self.graph.expanded as usize {
            Colour::Grey
        } else if self.is_lost(state) {
            Colour::Red
        } else {
            Colour::Blue
        }
    }

    /// Returns the arrows, one for all actions that lead from a state to another, and the actions by their numbers if the arrows
    /// have numbers: if there are many, or if they must not have names.
    fn arrows(&self, may_have_names: bool) -> (Vec<GraphArrow>, Vec<String>) {
        let mut ends: BTreeMap<(usize, usize), (Vec<u32>, bool)> = BTreeMap::new();
        for (state, action, outcome, is_certain) in outcomes(&self.graph) {
            let to = self.graph.targets[outcome as usize] as usize;
            let (actions, dashed) = ends.entry((state as usize, to)).or_insert((Vec::new(), true));
            *dashed &= !is_certain;
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        let used: BTreeSet<u32> = ends.values().flat_map(|(actions, _)| actions).copied().collect();
        let used: Vec<u32> = used.into_iter().collect();
        let is_named = may_have_names && ends.len() <= MOST_NAMED;
        let is_numbered = !is_named && ends.len() <= MOST_NUMBERED;
        let name = |action: &u32| self.actions[*action as usize].clone();
        let text = |action: &u32| match used.binary_search(action) {
            Ok(number) if is_numbered => (number + 1).to_string(),
            _ if is_named => name(action),
            _ => String::new(),
        };
        let names = if is_numbered {
            used.iter().map(name).collect()
        } else {
            Vec::new()
        };
        let arrow = |((from, to), (actions, dashed)): (_, (Vec<u32>, bool))| {
            let texts: Vec<String> = actions.iter().map(text).filter(|text| !text.is_empty()).collect();
            GraphArrow {
                from,
                to,
                text: texts.join(", "),
                dashed,
            }
        };
        (ends.into_iter().map(arrow).collect(), names)
    }
}

/// Returns a line of the legend for each kind of state and arrow in the picture: its elements around the height of a line, and
/// its text.
fn legend(nodes: &[GraphNode], arrows: &[GraphArrow]) -> Vec<(Vec<SceneElement>, String)> {
    let disc = |colour, stroke| SceneElement::Disc {
        frame: Frame::about((5.0, LINE / 2.0), LETTERS),
        fill: Fill::Plain(colour, Tone::Tint),
        border: Some((colour, stroke)),
    };
    let kinds = [
        (Colour::Green, "a goal state"),
        (Colour::Red, "a state from which no goal state can be reached"),
        (Colour::Grey, "a state whose successors were not explored"),
    ];
    let has = |colour: Colour| nodes.iter().any(|node| node.colour == colour);
    let kinds = kinds.into_iter().filter(|&(colour, _)| has(colour));
    let mut lines = vec![(
        vec![disc(Colour::Ink, Stroke::Bold)],
        "the initial state".to_owned(),
    )];
    lines.extend(kinds.map(|(colour, text)| (vec![disc(colour, Stroke::Thin)], text.to_owned())));
    if arrows.iter().any(|arrow| arrow.dashed) {
        let dashes = SceneElement::Line {
            points: vec![(-2.0, LINE / 2.0), (12.0, LINE / 2.0)],
            colour: Colour::Grey,
            stroke: Stroke::Dashed,
            arrow: false,
        };
        lines.push((vec![dashes], "an outcome of chance".to_owned()));
    }
    lines
}

/// Adds a line of text below a picture.
fn line(scene: &mut Scene, indent: f64, text: &str) {
    let at = (LINE + indent, scene.height + LINE / 2.0);
    let width = indent + text_width(text, LETTERS).min(LIST) + 2.0 * LINE;
    scene.width = scene.width.max(width);
    scene.write(text, at, Anchor::Start, LETTERS, LIST, Colour::Ink);
    scene.height += LINE;
}
