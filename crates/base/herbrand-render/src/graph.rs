//! Pictures of graphs: numbered discs in rows, connected by arrows.

use crate::colour::{Colour, Tone};
use crate::layout::layers;
use crate::scene::{Anchor, Fill, Frame, Point, Scene, SceneElement, Stroke};
use crate::text::text_width;
use crate::view::Router;

/// A graph to be drawn, such as a state space. [`scene`](Self::scene) draws it.
///
/// ```
/// use herbrand_render::colour::Colour;
/// use herbrand_render::{GraphArrow, GraphNode, GraphPicture};
///
/// let node = |text: &str, row, colour| GraphNode { text: text.to_owned(), row, colour, bold: row == 0 };
/// let picture = GraphPicture {
///     title: "two states".to_owned(),
///     nodes: vec![node("0", 0, Colour::Grey), node("1", 1, Colour::Green)],
///     arrows: vec![GraphArrow { from: 0, to: 1, text: "(go a b)".to_owned(), dashed: false }],
/// };
/// assert!(picture.scene().labels().any(|(text, _)| text == "(go a b)"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GraphPicture {
    /// The title of the picture, as [`Scene::title`]; it is not drawn.
    pub title: String,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The arrows between nodes, given by their positions in the list of nodes, from 0. Several arrows may connect the
    /// same nodes.
    pub arrows: Vec<GraphArrow>,
}

/// A node of a [`GraphPicture`]. [`GraphPicture::nodes`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphNode {
    /// The text in the node, which should be short.
    pub text: String,
    /// The row, counted from the top, from 0. Leave no row between others empty: nodes below it may overlap.
    pub row: usize,
    /// The colour.
    pub colour: Colour,
    /// Whether the border is bold.
    pub bold: bool,
}

/// An arrow of a [`GraphPicture`]. [`GraphPicture::arrows`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphArrow {
    /// The position, in [`GraphPicture::nodes`], of the node that it leaves.
    pub from: usize,
    /// The position, in [`GraphPicture::nodes`], of the node that it points to; the same for a loop.
    pub to: usize,
    /// The text beside it; empty for none.
    pub text: String,
    /// Whether the line is dashed.
    pub dashed: bool,
}

const SIZE: f64 = 12.0;
/// The font size of the texts of arrows.
const LETTERS: f64 = 10.0;
const MARGIN: f64 = 24.0;
const LEAST_DISC: f64 = 30.0;
/// The distance of the two arrows between a pair of nodes from the line through their centres.
const ASIDE: f64 = 4.0;

impl GraphPicture {
    /// Draws the graph: each node in its row, and within a row such that few arrows from the row before cross. Panics
    /// if an arrow names a position without a node. A graph without nodes gives an empty picture.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let texts = self.nodes.iter().map(|node| text_width(&node.text, SIZE));
        let disc = texts.fold(LEAST_DISC - 10.0, f64::max) + 10.0;
        let text = self.arrows.iter().map(|arrow| text_width(&arrow.text, SIZE));
        let text = text.fold(0.0, f64::max);
        let points = self.points((disc + 24.0 + text, disc + 26.0));
        let (left, top) = points.iter().fold((0.0, 0.0), |(left, top), point| {
            (f64::min(left, point.0), f64::min(top, point.1))
        });
        let shift = (MARGIN + text / 2.0 + disc / 2.0 - left, MARGIN + disc / 2.0 - top);
        let points: Vec<Point> = points.iter().map(|&(x, y)| (x + shift.0, y + shift.1)).collect();
        let (right, bottom) = points.iter().fold((0.0, 0.0), |(right, bottom), point| {
            (f64::max(right, point.0), f64::max(bottom, point.1))
        });
        let mut scene = Scene {
            width: right + disc / 2.0 + text / 2.0 + MARGIN,
            height: bottom + disc / 2.0 + MARGIN,
            title: self.title.clone(),
            ..Scene::default()
        };
        let discs = points.iter().map(|&point| Frame::about(point, disc));
        let mut router = Router::without_names(discs.collect(), true, Some(scene.frame()));
        for arrow in &self.arrows {
            self.draw_arrow(&mut scene, arrow, (&points, disc / 2.0), &mut router);
        }
        for (node, &point) in self.nodes.iter().zip(&points) {
            let stroke = if node.bold { Stroke::Bold } else { Stroke::Thin };
            scene.elements.push(SceneElement::Disc {
                frame: Frame::about(point, disc),
                fill: Fill::Plain(node.colour, Tone::Tint),
                border: Some((node.colour, stroke)),
            });
            scene.write(&node.text, point, Anchor::Middle, SIZE, disc, Colour::Ink);
        }
        scene
    }

    /// Returns the centres of the nodes, each in its row.
    fn points(&self, room: (f64, f64)) -> Vec<Point> {
        let row = |node: usize| self.nodes[node].row;
        // Only arrows to the next row decide about the order within it.
        let mut ahead: Vec<(usize, usize)> = self
            .arrows
            .iter()
            .map(|arrow| (arrow.from, arrow.to))
            .filter(|&(from, to)| row(from) + 1 == row(to))
            .collect();
        for node in 0..self.nodes.len() {
            // A node without such an arrow is held in its row by any node above.
            let above = (0..self.nodes.len()).find(|&above| row(above) + 1 == row(node));
            if let Some(above) = above.filter(|_| ahead.iter().all(|&(_, to)| to != node)) {
                ahead.push((above, node));
            }
        }
        let mut points = layers(self.nodes.len(), &ahead, room);
        for (node, point) in points.iter_mut().enumerate() {
            point.1 = row(node) as f64 * room.1 * 1.35;
        }
        points
    }

    fn draw_arrow(
        &self,
        scene: &mut Scene,
        arrow: &GraphArrow,
        (points, radius): (&[Point], f64),
        router: &mut Router,
    ) {
        let (from, to) = (points[arrow.from], points[arrow.to]);
        let stroke = if arrow.dashed {
            Stroke::Dashed
        } else {
            Stroke::Thin
        };
        let line = |points: Vec<Point>| SceneElement::Line {
            points,
            colour: Colour::Grey,
            stroke,
            arrow: true,
        };
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let length = libm::sqrt(across * across + down * down);
        if length < 1.0 {
            let (x, y) = (from.0 + 0.7 * radius, from.1 - 0.7 * radius);
            scene.elements.push(line(vec![
                (x - 6.0, y - 2.0),
                (x - 2.0, y - 12.0),
                (x + 8.0, y - 8.0),
                (x + 2.0, y),
            ]));
            arrow.write(scene, (x, y - 18.0));
            return;
        }
        if let Some(points) = router.detour(arrow.from, arrow.to) {
            let middle = (
                (points[1].0 + points[2].0) / 2.0,
                (points[1].1 + points[2].1) / 2.0,
            );
            scene.elements.push(line(points));
            arrow.write(scene, middle);
            return;
        }
        let (unit_x, unit_y) = (across / length, down / length);
        let is_double = self
            .arrows
            .iter()
            .any(|other| (other.from, other.to) == (arrow.to, arrow.from));
        let aside = if is_double { ASIDE } else { 0.0 };
        let place = |along: f64| {
            (
                from.0 + unit_x * along - unit_y * aside,
                from.1 + unit_y * along + unit_x * aside,
            )
        };
        scene
            .elements
            .push(line(vec![place(radius), place(length - radius - 1.0)]));
        arrow.write(scene, place(if is_double { 0.35 * length } else { 0.5 * length }));
    }
}

impl GraphArrow {
    /// Writes the text of the arrow on a ground that hides the lines below it.
    fn write(&self, scene: &mut Scene, at: Point) {
        if self.text.is_empty() {
            return;
        }
        let (width, height) = (text_width(&self.text, LETTERS), LETTERS + 1.0);
        scene.elements.push(SceneElement::Box {
            frame: Frame::new(at.0 - width / 2.0, at.1 - height / 2.0, width, height),
            radius: 2.0,
            fill: Fill::Plain(Colour::Paper, Tone::Strong),
            border: None,
        });
        scene.write(
            &self.text,
            at,
            Anchor::Middle,
            LETTERS,
            f64::INFINITY,
            Colour::Ink,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node((number, row): (usize, usize)) -> GraphNode {
        GraphNode {
            text: number.to_string(),
            row,
            colour: Colour::Blue,
            bold: false,
        }
    }

    fn arrow((from, to): (usize, usize)) -> GraphArrow {
        GraphArrow {
            from,
            to,
            text: String::from("(a long name of an action)"),
            dashed: false,
        }
    }

    #[test]
    fn every_node_is_in_its_row_and_within_the_picture() {
        let picture = GraphPicture {
            title: String::new(),
            nodes: (0..7).zip([0, 1, 1, 1, 2, 2, 0]).map(node).collect(),
            arrows: [(0, 1), (1, 0), (1, 1), (0, 3), (3, 4), (2, 5), (5, 6), (6, 4)]
                .map(arrow)
                .to_vec(),
        };
        let scene = picture.scene();
        let discs: Vec<Frame> = scene
            .elements
            .iter()
            .filter(|element| matches!(element, SceneElement::Disc { .. }))
            .map(SceneElement::frame)
            .collect();
        assert_eq!(discs.len(), 7);
        for (at, one) in discs.iter().enumerate() {
            for (other, two) in discs.iter().enumerate().skip(at + 1) {
                assert!(!one.overlaps(two), "{at} {other}");
                let same_row = picture.nodes[at].row == picture.nodes[other].row;
                assert_eq!((one.y - two.y).abs() < 0.1, same_row, "{at} {other}");
            }
        }
        let outside = scene
            .faults()
            .into_iter()
            .filter(|fault| fault.starts_with("out"));
        assert_eq!(outside.collect::<Vec<_>>(), Vec::<String>::new());
    }

    /// An arrow past a row goes around the disc in between.
    #[test]
    fn no_arrow_hides_behind_a_disc() {
        let picture = GraphPicture {
            title: String::new(),
            nodes: (0..3).zip(0..3).map(node).collect(),
            arrows: [(0, 1), (1, 2), (0, 2), (2, 0)].map(arrow).to_vec(),
        };
        let scene = picture.scene();
        let lines = scene.elements.iter().filter_map(|element| match element {
            SceneElement::Line { points, .. } => Some(points.len()),
            _ => None,
        });
        assert_eq!(lines.collect::<Vec<_>>(), [2, 2, 4, 4]);
        let outside = scene
            .faults()
            .into_iter()
            .filter(|fault| fault.starts_with("out"));
        assert_eq!(outside.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
