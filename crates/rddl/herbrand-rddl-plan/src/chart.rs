//! Layered diagrams: boxes in layers, connected by arrows to later layers.

use std::collections::BTreeMap;

use herbrand_render::colour::{Colour, Tone};
use herbrand_render::scene::{Anchor, Fill, Frame, Point, Scene, SceneElement, Stroke};
use herbrand_render::text_width;

/// A box with a line of text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) text: String,
    pub(crate) colour: Colour,
    pub(crate) round: bool,
}

/// An arrow from one box to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) stroke: Stroke,
}

/// The direction of arrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrowDirection {
    Right,
    Down,
}

/// A diagram of boxes and arrows without cycles. A box comes after all boxes with an arrow to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) entries: Vec<Entry>,
    pub(crate) arrows: Vec<Arrow>,
    /// The headings of the first layers.
    pub(crate) headings: Vec<String>,
}

const SIZE: f64 = 12.0;
const HEIGHT: f64 = 24.0;
const GAP: f64 = 12.0;
/// The space between layers.
const ROOM: f64 = 70.0;
const MARGIN: f64 = 16.0;
const WIDEST: f64 = 320.0;

impl Chart {
    /// Returns the layer of each box: one more than the last layer of its predecessors, and at least its entry in `least`.
    fn layers(&self, least: &[usize]) -> Vec<usize> {
        let mut layers = least.to_vec();
        let mut arrows: Vec<&Arrow> = self.arrows.iter().collect();
        arrows.sort_by_key(|arrow| (arrow.to, arrow.from));
        for arrow in arrows {
            layers[arrow.to] = layers[arrow.to].max(layers[arrow.from] + 1);
        }
        layers
    }

    /// Gives arrows that skip layers a place in each of them, so that they pass beside boxes and not behind them. Adds the
    /// layers of these places to `layers`; arrows from one box share theirs. Returns the arrows between neighbouring layers, and
    /// for each arrow the boxes and places on its way.
    fn route(&self, layers: &mut Vec<usize>) -> (Vec<Arrow>, Vec<Vec<usize>>) {
        let mut places = BTreeMap::new();
        let mut pieces = BTreeMap::new();
        let mut ways = Vec::with_capacity(self.arrows.len());
        for arrow in &self.arrows {
            let mut way = vec![arrow.from];
            for layer in layers[arrow.from] + 1..layers[arrow.to] {
                way.push(*places.entry((arrow.from, layer)).or_insert_with(|| {
                    layers.push(layer);
                    layers.len() - 1
                }));
            }
            way.push(arrow.to);
            for ends in way.windows(2) {
                pieces.entry((ends[0], ends[1])).or_insert(Arrow {
                    from: ends[0],
                    to: ends[1],
                    stroke: arrow.stroke,
                });
            }
            ways.push(way);
        }
        (pieces.into_values().collect(), ways)
    }

    /// Draws the diagram. Each box is in the layer given by `least`, or in a later one.
    pub(crate) fn scene(&self, way: ArrowDirection, least: &[usize]) -> Scene {
        let mut layers = self.layers(least);
        let (pieces, ways) = self.route(&mut layers);
        let rows = order(&layers, &pieces);
        let mut widths: Vec<f64> = self
            .entries
            .iter()
            .map(|entry| (text_width(&entry.text, SIZE) + 16.0).clamp(40.0, WIDEST))
            .collect();
        widths.resize(layers.len(), 0.0);
        let (frames, width, height) = match way {
            ArrowDirection::Right => self.columns(&rows, &widths),
            ArrowDirection::Down => lines(&rows, &widths),
        };
        let mut scene = Scene {
            width,
            height,
            title: self.title.clone(),
            ..Scene::default()
        };
        for (arrow, places) in self.arrows.iter().zip(ways) {
            let sides = places.into_iter().flat_map(|place| {
                let frame = frames[place];
                let (x, y) = frame.centre();
                match way {
                    ArrowDirection::Right => [(frame.x, y), (frame.right(), y)],
                    ArrowDirection::Down => [(x, frame.y), (x, frame.bottom())],
                }
            });
            // From the far side of the first box to the near side of the last.
            let mut points: Vec<Point> = sides.skip(1).collect();
            points.pop();
            scene.elements.push(SceneElement::Line {
                points,
                colour: Colour::Grey,
                stroke: arrow.stroke,
                arrow: true,
            });
        }
        for (entry, frame) in self.entries.iter().zip(&frames) {
            scene.elements.push(SceneElement::Box {
                frame: *frame,
                radius: if entry.round { HEIGHT / 2.0 } else { 3.0 },
                fill: Fill::Plain(entry.colour, Tone::Tint),
                border: Some((entry.colour, Stroke::Thin)),
            });
            scene.write(
                &entry.text,
                frame.centre(),
                Anchor::Middle,
                SIZE,
                frame.width - 8.0,
                Colour::Ink,
            );
        }
        if way == ArrowDirection::Right {
            for (row, heading) in rows.iter().zip(&self.headings) {
                if let Some(&first) = row.first() {
                    let (at, room) = (frames[first].centre().0, frames[first].width);
                    scene.write(heading, (at, MARGIN), Anchor::Middle, SIZE, room, Colour::Ink);
                }
            }
        }
        scene
    }

    /// Arranges layers as columns. All boxes of a column are as wide as the widest.
    fn columns(&self, rows: &[Vec<usize>], widths: &[f64]) -> (Vec<Frame>, f64, f64) {
        let mut frames = vec![Frame::default(); widths.len()];
        let top = if self.headings.is_empty() {
            MARGIN
        } else {
            2.0 * MARGIN + SIZE
        };
        let most = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let height = most * (HEIGHT + GAP) - GAP;
        let mut x = MARGIN;
        for (layer, row) in rows.iter().enumerate() {
            let heading = self
                .headings
                .get(layer)
                .map_or(0.0, |text| (text_width(text, SIZE) + 4.0).min(WIDEST));
            let width = row.iter().map(|&entry| widths[entry]).fold(heading, f64::max);
            let step = (height + GAP) / row.len().max(1) as f64;
            for (place, &entry) in row.iter().enumerate() {
                let y = top + (place as f64 + 0.5) * step - GAP / 2.0 - HEIGHT / 2.0;
                frames[entry] = Frame::new(x, y, width, HEIGHT);
            }
            x += width + ROOM;
        }
        (frames, x - ROOM + MARGIN, top + height.max(0.0) + MARGIN)
    }
}

/// Returns the boxes of each layer, ordered so that few arrows cross.
fn order(layers: &[usize], arrows: &[Arrow]) -> Vec<Vec<usize>> {
    let count = layers.iter().max().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); count];
    for (entry, &layer) in layers.iter().enumerate() {
        rows[layer].push(entry);
    }
    let mut places = vec![0.0; layers.len()];
    let settle = |rows: &[Vec<usize>], places: &mut [f64]| {
        for row in rows {
            for (place, &entry) in row.iter().enumerate() {
                places[entry] = (place as f64 + 0.5) / row.len() as f64;
            }
        }
    };
    settle(&rows, &mut places);
    for sweep in 0..6 {
        let forward = sweep % 2 == 0;
        let mut sums = vec![(0.0, 0.0); layers.len()];
        for arrow in arrows {
            let (of, by) = if forward {
                (arrow.to, arrow.from)
            } else {
                (arrow.from, arrow.to)
            };
            sums[of].0 += places[by];
            sums[of].1 += 1.0;
        }
        let wish = |entry: usize| {
            let (sum, count) = sums[entry];
            if count > 0.0 { sum / count } else { places[entry] }
        };
        for row in rows.iter_mut().skip(usize::from(forward)) {
            row.sort_by(|&one, &other| wish(one).total_cmp(&wish(other)));
        }
        settle(&rows, &mut places);
    }
    rows
}

/// Arranges layers as rows of boxes.
fn lines(rows: &[Vec<usize>], widths: &[f64]) -> (Vec<Frame>, f64, f64) {
    let mut frames = vec![Frame::default(); widths.len()];
    let length = |row: &Vec<usize>| row.iter().map(|&entry| widths[entry] + GAP).sum::<f64>() - GAP;
    let width = rows.iter().map(length).fold(0.0, f64::max);
    for (layer, row) in rows.iter().enumerate() {
        let mut x = MARGIN + 0.5 * (width - length(row));
        let y = MARGIN + layer as f64 * (HEIGHT + ROOM * 0.6);
        for &entry in row {
            frames[entry] = Frame::new(x, y, widths[entry], HEIGHT);
            x += widths[entry] + GAP;
        }
    }
    let height = rows.len() as f64 * (HEIGHT + ROOM * 0.6) - ROOM * 0.6;
    (frames, width + 2.0 * MARGIN, height.max(0.0) + 2.0 * MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_pass_beside_boxes() {
        let entry = |text: &str| Entry {
            text: text.to_owned(),
            colour: Colour::Blue,
            round: false,
        };
        let arrow = |(from, to)| Arrow {
            from,
            to,
            stroke: Stroke::Thin,
        };
        let chart = Chart {
            entries: ["now", "stock", "total", "sold", "next"].map(entry).to_vec(),
            arrows: [(0, 4), (1, 2), (1, 4), (2, 3), (3, 4)].map(arrow).to_vec(),
            ..Chart::default()
        };
        for way in [ArrowDirection::Right, ArrowDirection::Down] {
            let scene = chart.scene(way, &[0; 5]);
            let frames: Vec<Frame> = (scene.elements.iter())
                .filter_map(|element| match element {
                    SceneElement::Box { frame, .. } => Some(frame.inset(0.5)),
                    _ => None,
                })
                .collect();
            let lines: Vec<&Vec<Point>> = (scene.elements.iter())
                .filter_map(|element| match element {
                    SceneElement::Line { points, .. } => Some(points),
                    _ => None,
                })
                .collect();
            assert_eq!((frames.len(), lines.len()), (5, 5));
            for ends in lines.iter().flat_map(|points| points.windows(2)) {
                let ((x, y), (u, v)) = (ends[0], ends[1]);
                for part in 0..=100 {
                    let share = f64::from(part) / 100.0;
                    let (x, y) = (x + share * (u - x), y + share * (v - y));
                    let is_inside = |frame: &&Frame| {
                        (frame.x..frame.right()).contains(&x) && (frame.y..frame.bottom()).contains(&y)
                    };
                    assert_eq!(frames.iter().find(is_inside), None, "{way:?} at {x}, {y}");
                }
            }
        }
    }
}
