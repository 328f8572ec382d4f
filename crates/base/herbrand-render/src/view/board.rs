//! Pictures of places with their contents: grids, graphs and boxes.

mod content;

use std::collections::BTreeSet;

use super::lines::{entry, midpoint, paper};
use super::place::{DrawnPlace, Spots, connected, of_types};
use super::route::Router;
use super::{SMALL, TEXT};
use crate::colour::{Colour, Tone};
use crate::declare::{Declaration, Edge, LineStyle, NodeShape, Outside};
use crate::facts::Facts;
use crate::item::arrange;
use crate::look::Looks;
use crate::problem::{DrawnProblem, GoalFact, NamedFact};
use crate::scene::{Anchor, Fill, Frame, Point, Scene, SceneElement, Stroke, Zone};

pub(crate) use content::{Content, heat_level};

/// The places of a problem, with methods to draw their contents.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    spots: Spots,
}

/// The places of a fact.
#[derive(Default)]
pub(crate) struct Located<'a> {
    pub(crate) spots: Vec<usize>,
    /// The arguments that are not places.
    pub(crate) others: Vec<&'a str>,
    /// Whether the places form a whole row or column; the fact is drawn in each of them.
    pub(crate) strip: bool,
}

/// A line between two places, or a loop at one.
struct Connection {
    points: Vec<Point>,
    arrow: bool,
}

impl Board {
    pub(crate) fn new(declaration: &Declaration, world: &DrawnProblem, facts: &Facts<'_>) -> Option<Self> {
        let mut things = BTreeSet::new();
        let graph = declaration.graph.iter().flat_map(|graph| &graph.nodes);
        let places: Vec<_> = graph
            .chain(declaration.boxes.iter().flat_map(|boxes| &boxes.of))
            .cloned()
            .collect();
        let places: BTreeSet<_> = of_types(world, &places).map(|place| &place.name).collect();
        for layer in declaration.layer.iter().filter(|layer| layer.shape.is_some()) {
            for atom in facts.of(layer.fact.get_ref()) {
                things.extend(atom.arguments.iter().filter(|name| !places.contains(name)));
            }
        }
        let spots = Spots::new(declaration, world, facts, things.len())?;
        let mut board = Self { spots };
        board.make_room(declaration, world, facts);
        Some(board)
    }

    /// Makes room for the present edges that run around places, and for one more if edges may appear later.
    fn make_room(&mut self, declaration: &Declaration, world: &DrawnProblem, facts: &Facts<'_>) {
        const LATER: f64 = 16.0;
        const MARGIN: f64 = 2.0;
        let mut router = Router::new(&self.spots, has_discs(declaration), None);
        let edges = declaration.edge.iter();
        let routes = edges.flat_map(|edge| self.edges(declaration, edge, facts, &mut router));
        let mut covered = Frame::new(0.0, 0.0, self.spots.width, self.spots.height);
        for (x, y) in routes.flat_map(|edge| edge.points) {
            if !covered.contains(&Frame::new(x, y, 0.0, 0.0)) {
                covered = covered.union(&Frame::about((x, y), 2.0 * MARGIN));
            }
        }
        let is_fixed = |edge: &Edge| {
            let mut constants = world.constants.iter();
            constants.any(|fact| fact.name == *edge.fact.get_ref())
        };
        let later = if declaration.edge.iter().all(is_fixed) {
            0.0
        } else {
            LATER
        };
        let room = |need: f64| need.max(later);
        let (right, bottom) = (
            covered.right() - self.spots.width,
            covered.bottom() - self.spots.height,
        );
        self.spots
            .make_room((room(-covered.x), room(-covered.y)), (room(right), room(bottom)));
    }

    /// Returns the places.
    pub(crate) const fn spots(&self) -> &Spots {
        &self.spots
    }

    pub(crate) fn draw(
        &self,
        declaration: &Declaration,
        facts: &Facts<'_>,
        goal: &[GoalFact],
        looks: &Looks<'_>,
    ) -> Scene {
        let content = self.content(declaration, facts, goal, looks);
        let mut scene = Scene {
            width: self.spots.width,
            height: self.spots.height,
            ..Scene::default()
        };
        self.ground(&mut scene);
        let mut router = Router::new(&self.spots, has_discs(declaration), Some(scene.frame()));
        for edge in &declaration.edge {
            for Connection { points, arrow } in self.edges(declaration, edge, facts, &mut router) {
                scene.elements.push(SceneElement::Line {
                    points,
                    colour: edge.colour.unwrap_or(Colour::Grey),
                    stroke: match edge.line {
                        LineStyle::Thin => Stroke::Thin,
                        LineStyle::Bold => Stroke::Bold,
                        LineStyle::Dashed => Stroke::Dashed,
                    },
                    arrow,
                });
            }
        }
        self.places(declaration, &content, &mut scene);
        for ((one, other), item) in &content.between {
            let (one, other) = (self.spots.spots[*one].frame, self.spots.spots[*other].frame);
            let middle = midpoint(one.centre(), other.centre());
            let size = one.width.min(one.height) * 0.5;
            item.draw(Frame::about(middle, size), &mut scene);
        }
        scene
    }

    /// Combines the surroundings of a grid place, `radius` places on each side, from the separate pictures of the places.
    pub(crate) fn around(
        &self,
        middle: usize,
        radius: usize,
        outside: Outside,
        cells: Vec<Scene>,
    ) -> Option<Scene> {
        let places = &self.spots.grid.as_ref()?.spots;
        let (column, row) = *places.get(middle)?;
        let side = self.spots.spots.get(middle)?.frame.width;
        let length = side * (2 * radius + 1) as f64;
        let mut scene = Scene {
            width: length,
            height: length,
            ..Scene::default()
        };
        if outside == Outside::Wall {
            scene.elements.push(SceneElement::Box {
                frame: scene.frame(),
                radius: 0.0,
                fill: Fill::Plain(Colour::Grey, Tone::Strong),
                border: None,
            });
        }
        for (cell, &(across, down)) in cells.into_iter().zip(places) {
            let within =
                |at: usize, middle: usize| (at + radius).checked_sub(middle).filter(|&at| at <= 2 * radius);
            if let (Some(across), Some(down)) = (within(across, column), within(down, row)) {
                scene.paste(cell, (side * across as f64, side * down as f64));
            }
        }
        Some(scene)
    }

    /// Draws each place with its contents as a separate picture.
    pub(crate) fn cells(
        &self,
        declaration: &Declaration,
        facts: &Facts<'_>,
        goal: &[GoalFact],
        looks: &Looks<'_>,
    ) -> Vec<Scene> {
        let content = self.content(declaration, facts, goal, looks);
        let spots = self.spots.spots.iter().enumerate();
        let cell = |(at, spot): (usize, &DrawnPlace)| {
            let frame = Frame::new(0.0, 0.0, spot.frame.width, spot.frame.height);
            let mut scene = Scene {
                width: frame.width,
                height: frame.height,
                ..Scene::default()
            };
            empty(declaration, &content, at, frame, &mut scene);
            fill(declaration, &content, at, frame, &mut scene);
            scene
        };
        spots.map(cell).collect()
    }

    /// Returns the places of a fact and its other names.
    pub(crate) fn locate<'a>(&self, atom: &'a NamedFact) -> Located<'a> {
        let names: Vec<&str> = atom.names().collect();
        self.locate_names(&names)
    }

    pub(crate) fn locate_names<'a>(&self, names: &[&'a str]) -> Located<'a> {
        let pairs = self.spots.spots.first().is_some_and(|spot| spot.names.len() == 2);
        if pairs {
            return self.locate_pair(names);
        }
        let mut located = Located::default();
        for &name in names {
            match self.spots.find(&[name]) {
                Some(spot) => located.spots.push(spot),
                None => located.others.push(name),
            }
        }
        located
    }

    /// Finds a cell by adjacent column and row arguments, or all cells of a column or row.
    fn locate_pair<'a>(&self, names: &[&'a str]) -> Located<'a> {
        for (at, pair) in names.windows(2).enumerate() {
            if let Some(spot) = self.spots.find(pair) {
                let others = names
                    .iter()
                    .enumerate()
                    .filter(|&(place, _)| place != at && place != at + 1);
                return Located {
                    spots: vec![spot],
                    others: others.map(|(_, &name)| name).collect(),
                    strip: false,
                };
            }
        }
        let spots = self.spots.spots.iter().enumerate();
        let within = spots.filter(|(_, spot)| spot.names.iter().any(|name| names.contains(&name.as_str())));
        let spots: Vec<usize> = within.map(|(at, _)| at).collect();
        let is_strip = |name: &str| {
            self.spots
                .spots
                .iter()
                .any(|spot| spot.names.iter().any(|own| own == name))
        };
        Located {
            spots,
            others: names.iter().copied().filter(|name| !is_strip(name)).collect(),
            strip: true,
        }
    }

    /// Draws walls and the frames of groups.
    fn ground(&self, scene: &mut Scene) {
        for &frame in &self.spots.walls {
            scene.elements.push(SceneElement::Box {
                frame,
                radius: 2.0,
                fill: Fill::Plain(Colour::Grey, Tone::Strong),
                border: None,
            });
        }
        for (name, frame) in &self.spots.groups {
            let of_boxes = self.spots.spots.iter().any(|spot| frame.contains(&spot.frame));
            if of_boxes {
                scene.elements.push(SceneElement::Box {
                    frame: *frame,
                    radius: 8.0,
                    fill: Fill::Plain(Colour::Grey, Tone::Tint),
                    border: Some((Colour::Grey, Stroke::Thin)),
                });
                let at = (frame.x + 8.0, frame.y + 11.0);
                scene.write(name, at, Anchor::Start, TEXT, frame.width - 16.0, Colour::Ink);
            } else {
                let at = (frame.x, frame.centre().1);
                scene.write(name, at, Anchor::Start, SMALL, frame.width, Colour::Ink);
            }
        }
    }

    /// Returns the lines of an edge's facts.
    fn edges(
        &self,
        declaration: &Declaration,
        edge: &Edge,
        facts: &Facts<'_>,
        router: &mut Router,
    ) -> Vec<Connection> {
        let mut pairs = Vec::new();
        for atom in facts.of(edge.fact.get_ref()) {
            let located = self.locate(atom);
            let subjects: Vec<&str> = if located.others.is_empty() {
                atom.arguments.first().map(String::as_str).into_iter().collect()
            } else {
                located.others.clone()
            };
            if !facts.allow(&edge.when, &edge.unless, &subjects) {
                continue;
            }
            // A row or column of a grid is no edge.
            let is_edge = |&(one, other): &(usize, usize)| one != other || !located.strip;
            pairs.extend(connected(&located.spots).into_iter().filter(is_edge));
        }
        let all: BTreeSet<_> = pairs.iter().copied().collect();
        let (mut drawn, mut lines) = (BTreeSet::new(), Vec::new());
        for (one, other) in pairs {
            let arrow = edge.arrow || (edge.one_way && !all.contains(&(other, one)));
            if drawn.contains(&(one, other)) || (!arrow && drawn.contains(&(other, one))) {
                continue;
            }
            drawn.insert((one, other));
            let mut points = router.route(one, other);
            let target = &self.spots.spots[other];
            // The head of an arrow is drawn before the name of its place, which would cover it.
            if let Some(caption) = target.caption.filter(|_| arrow && declaration.boxes.is_none())
                && let [.., from, to] = points.as_mut_slice()
            {
                *to = entry(paper(&target.names[0], caption), *from, *to).unwrap_or(*to);
            }
            lines.push(Connection { points, arrow });
        }
        lines
    }

    fn places(&self, declaration: &Declaration, content: &Content, scene: &mut Scene) {
        for (at, spot) in self.spots.spots.iter().enumerate() {
            empty(declaration, content, at, spot.frame, scene);
            scene.zones.push(Zone {
                frame: spot.frame,
                names: spot.names.clone(),
            });
            if let Some(caption) = spot.caption {
                self.caption(declaration, &spot.names[0], caption, scene);
            }
            fill(declaration, content, at, spot.frame, scene);
        }
    }

    /// Draws the name of a place.
    fn caption(&self, declaration: &Declaration, name: &str, room: Frame, scene: &mut Scene) {
        if declaration.boxes.is_some() {
            let at = (room.x + 2.0, room.centre().1);
            scene.write(name, at, Anchor::Start, SMALL, room.width - 2.0, Colour::Ink);
            return;
        }
        // Lines may run below the name, so it gets a background.
        scene.elements.push(SceneElement::Box {
            frame: paper(name, room),
            radius: 2.0,
            fill: Fill::Plain(Colour::Paper, Tone::Strong),
            border: None,
        });
        scene.write(
            name,
            room.centre(),
            Anchor::Middle,
            SMALL,
            room.width - 2.0,
            Colour::Ink,
        );
    }
}

/// Draws an empty place in its frame.
fn empty(declaration: &Declaration, content: &Content, at: usize, frame: Frame, scene: &mut Scene) {
    let fill = content.fills[at].map_or(Fill::Plain(Colour::Paper, Tone::Strong), |(_, fill)| fill);
    let border = Some(if content.wanted[at] {
        (Colour::Green, Stroke::Dashed)
    } else {
        (Colour::Grey, Stroke::Thin)
    });
    scene.elements.push(if has_discs(declaration) {
        SceneElement::Disc { frame, fill, border }
    } else {
        SceneElement::Box {
            frame,
            radius: if declaration.grid.is_some() { 2.0 } else { 7.0 },
            fill,
            border,
        }
    });
}

/// Draws the contents of a place.
fn fill(declaration: &Declaration, content: &Content, at: usize, frame: Frame, scene: &mut Scene) {
    let margin = if has_discs(declaration) {
        frame.width * 0.14
    } else {
        2.5
    };
    arrange(&content.items[at], frame.inset(margin), scene);
}

/// Returns whether places are circles.
fn has_discs(declaration: &Declaration) -> bool {
    let graph = declaration.graph.as_ref();
    graph.is_some_and(|graph| graph.node == NodeShape::Disc)
}
