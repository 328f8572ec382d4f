//! The side column of a picture: lists, gauges, facts that are not drawn, the goal, the legend.

use super::table::{bar, scale};
use super::{SMALL, TEXT};
use crate::colour::{Colour, Tone};
use crate::declare::{Badge, Declaration, Gauge, GoalStyle, Layer, LineStyle, List, PlaceFill};
use crate::facts::Facts;
use crate::item::{Item, arrange, value};
use crate::look::Looks;
use crate::problem::{DrawnValue, GoalFact, NamedFact, PictureVocabulary};
use crate::scene::{Anchor, Fill, Frame, Presence, Scene, SceneElement, Stroke};
use crate::sprite::Sprite;

/// The width of the side column.
pub(crate) const WIDTH: f64 = 196.0;

const LINE: f64 = 15.0;

/// The maximum number of lines of a list.
const MOST: usize = 12;

/// The side column, drawn from top to bottom.
struct Column {
    scene: Scene,
}

/// Draws the side column. `undrawn` are the names of facts that no other part draws, `unplaced` the things that the grid has no
/// place for.
#[expect(clippy::too_many_arguments, reason = "all that the column lists")]
pub(crate) fn side(
    declaration: &Declaration,
    vocabulary: &PictureVocabulary,
    facts: &Facts<'_>,
    undrawn: &[String],
    unplaced: &[String],
    goal: &[GoalFact],
    captions: &[String],
    looks: &Looks<'_>,
) -> Scene {
    let mut column = Column::new();
    for caption in captions {
        column.line(caption, Colour::Ink);
    }
    if !captions.is_empty() {
        column.scene.height += 6.0;
    }
    column.state(declaration, facts, undrawn, looks);
    column.unplaced(unplaced);
    if declaration.goal == GoalStyle::List {
        column.goal(goal);
    }
    column.legend(declaration, vocabulary);
    column.scene
}

/// Draws the side column without the parts that do not show the state: captions, goal and legend.
#[cfg(feature = "png")]
pub(crate) fn side_of_state(
    declaration: &Declaration,
    facts: &Facts<'_>,
    undrawn: &[String],
    looks: &Looks<'_>,
) -> Scene {
    let mut column = Column::new();
    column.state(declaration, facts, undrawn, looks);
    column.scene
}

impl Column {
    fn new() -> Self {
        Self {
            scene: Scene {
                width: WIDTH,
                ..Scene::default()
            },
        }
    }

    /// Draws the parts that show the state: lists, gauges, and facts that are not drawn elsewhere.
    fn state(&mut self, declaration: &Declaration, facts: &Facts<'_>, undrawn: &[String], looks: &Looks<'_>) {
        for list in &declaration.list {
            self.list(list, facts, looks);
        }
        for gauge in &declaration.gauge {
            self.gauge(gauge, facts);
        }
        self.others(undrawn, facts);
    }

    fn title(&mut self, text: &str) {
        let at = (0.0, self.scene.height + 7.0);
        self.scene
            .write(text, at, Anchor::Start, TEXT, WIDTH, Colour::Grey);
        self.scene.height += LINE + 2.0;
    }

    fn line(&mut self, text: &str, colour: Colour) {
        let at = (0.0, self.scene.height + 7.0);
        self.scene
            .write(text, at, Anchor::Start, SMALL + 1.0, WIDTH, colour);
        self.scene.height += LINE;
    }

    fn figure(&mut self, sprite: Sprite, colour: Colour, presence: Presence) {
        let frame = Frame::new(0.0, self.scene.height, 14.0, 14.0);
        self.scene.elements.push(SceneElement::Sprite {
            sprite,
            frame,
            colour,
            presence,
            turn: 0.0,
        });
    }

    /// Writes a line of text next to a figure.
    fn beside(&mut self, text: &str) {
        let at = (20.0, self.scene.height + 7.0);
        self.scene
            .write(text, at, Anchor::Start, SMALL + 1.0, WIDTH - 20.0, Colour::Ink);
        self.scene.height += LINE + 1.0;
    }

    /// Draws the things of a list in a frame, side by side and as large as possible.
    fn list(&mut self, list: &List, facts: &Facts<'_>, looks: &Looks<'_>) {
        self.title(&list.title);
        let atoms = list.facts.iter().flat_map(|name| facts.of(name.get_ref()));
        let allowed = |atom: &&&NamedFact| {
            let subjects: Vec<&str> = atom.arguments.iter().map(String::as_str).collect();
            facts.allow(&list.when, &list.unless, &subjects)
        };
        let items = atoms.filter(allowed).map(|atom| {
            let thing = atom.arguments.first().map(String::as_str);
            let text = match (atom.arguments.as_slice(), &atom.value) {
                ([], DrawnValue::True) => atom.name.clone(),
                (arguments, DrawnValue::True) => arguments.join(" "),
                (arguments, known) => format!("{} {}", arguments.join(" "), value(known))
                    .trim()
                    .to_owned(),
            };
            Item {
                thing: thing.map(str::to_owned),
                sprite: list.shape,
                colour: thing
                    .and_then(|thing| looks.fill(thing))
                    .or(list.colour)
                    .unwrap_or(Colour::Blue),
                labels: vec![text.clone(), crate::text::initials(&text)],
                presence: Presence::Real,
                size: crate::declare::Size::Shared,
                badges: thing.map(|thing| looks.corners(thing)).unwrap_or_default(),
                carried: Vec::new(),
                layer: 0,
            }
        });
        let items: Vec<Item> = items.collect();
        let rows = items.len().div_ceil(4).clamp(1, 4) as f64;
        let height = rows * if list.shape.is_some() { 38.0 } else { 18.0 } + 4.0;
        let frame = Frame::new(0.0, self.scene.height, WIDTH, height);
        self.scene.elements.push(SceneElement::Box {
            frame,
            radius: 5.0,
            fill: Fill::None,
            border: Some((Colour::Grey, Stroke::Thin)),
        });
        arrange(&items, frame.inset(2.0), &mut self.scene);
        self.scene.height += height + 8.0;
    }

    fn gauge(&mut self, gauge: &Gauge, facts: &Facts<'_>) {
        let name = gauge.fact.get_ref();
        self.title(gauge.title.as_deref().unwrap_or(name));
        let known = facts.number(name, None);
        let most = scale(gauge.most.as_ref(), gauge.least, name, None, facts);
        let frame = Frame::new(0.0, self.scene.height, WIDTH, 20.0);
        bar(
            known,
            gauge.least,
            most,
            frame,
            gauge.colour.unwrap_or(Colour::Blue),
            &mut self.scene,
        );
        self.scene.height += 26.0;
    }

    /// Lists the facts that are not drawn elsewhere.
    fn others(&mut self, undrawn: &[String], facts: &Facts<'_>) {
        let atoms: Vec<&NamedFact> = undrawn.iter().flat_map(|name| facts.of(name)).copied().collect();
        if atoms.is_empty() {
            return;
        }
        self.title("also");
        let text = |atom: &&NamedFact| {
            let fact = [std::slice::from_ref(&atom.name), atom.arguments.as_slice()]
                .concat()
                .join(" ");
            match &atom.value {
                DrawnValue::True => fact,
                known => format!("{fact} = {}", value(known)),
            }
        };
        let shown = 4 * MOST;
        for atom in atoms.iter().take(shown) {
            self.line(&text(atom), Colour::Ink);
        }
        if atoms.len() > shown {
            self.line(&format!("and {} more", atoms.len() - shown), Colour::Grey);
        }
        self.scene.height += 6.0;
    }

    /// Lists the things that the grid has no place for.
    fn unplaced(&mut self, unplaced: &[String]) {
        if unplaced.is_empty() {
            return;
        }
        self.title("not in the grid");
        for text in unplaced.iter().take(MOST) {
            self.line(text, Colour::Ink);
        }
        if unplaced.len() > MOST {
            self.line(&format!("and {} more", unplaced.len() - MOST), Colour::Grey);
        }
        self.scene.height += 6.0;
    }

    fn goal(&mut self, goal: &[GoalFact]) {
        if goal.is_empty() {
            return;
        }
        let done = goal.iter().filter(|wanted| wanted.satisfied).count();
        self.title(&format!("goal: {done} of {}", goal.len()));
        for wanted in goal.iter().take(MOST) {
            let (sprite, colour) = if wanted.satisfied {
                (Sprite::Check, Colour::Green)
            } else {
                (Sprite::Ring, Colour::Grey)
            };
            self.figure(sprite, colour, Presence::Real);
            let fact = [std::slice::from_ref(&wanted.name), wanted.arguments.as_slice()]
                .concat()
                .join(" ");
            let text = if wanted.negative {
                format!("not {fact}")
            } else {
                fact
            };
            self.beside(&text);
        }
        if goal.len() > MOST {
            self.line(&format!("and {} more", goal.len() - MOST), Colour::Grey);
        }
        self.scene.height += 6.0;
    }

    fn legend(&mut self, declaration: &Declaration, vocabulary: &PictureVocabulary) {
        let mut entries = 0;
        let start = self.scene.clone();
        self.title("legend");
        for layer in &declaration.layer {
            let Some(means) = layer.means.as_deref().filter(|means| !means.is_empty()) else {
                continue;
            };
            let colour = layer.colour.unwrap_or(Colour::Blue);
            match (layer.shape, layer.fill) {
                (Some(sprite), _) => self.figure(sprite, colour, Presence::Real),
                (None, fill) => self.swatch(match fill {
                    Some(PlaceFill::Strong) => Fill::Plain(colour, Tone::Strong),
                    Some(PlaceFill::Heat) => Fill::Heat(7),
                    Some(PlaceFill::Tint) | None => Fill::Plain(colour, Tone::Tint),
                }),
            }
            self.beside(means);
            entries += 1;
        }
        for badge in &declaration.badge {
            let Some(means) = &badge.means else { continue };
            let fill = badge.fill.unwrap_or(Colour::Grey);
            match (badge.shape, declaration.marked_figure(badge, vocabulary)) {
                (Some(sprite), _) => self.figure(sprite, badge.colour.unwrap_or(Colour::Ink), Presence::Real),
                (None, Some(sprite)) => self.figure(sprite, fill, Presence::Real),
                (None, None) => self.swatch(Fill::Plain(fill, Tone::Tint)),
            }
            self.beside(means);
            entries += 1;
        }
        for edge in &declaration.edge {
            let Some(means) = &edge.means else { continue };
            let y = self.scene.height + 7.0;
            self.scene.elements.push(SceneElement::Line {
                points: vec![(0.0, y), (15.0, y)],
                colour: edge.colour.unwrap_or(Colour::Grey),
                stroke: match edge.line {
                    LineStyle::Thin => Stroke::Thin,
                    LineStyle::Bold => Stroke::Bold,
                    LineStyle::Dashed => Stroke::Dashed,
                },
                arrow: false,
            });
            self.beside(means);
            entries += 1;
        }
        for marker in &declaration.marker {
            let (Some(means), Some(sprite)) = (&marker.means, marker.shape) else {
                continue;
            };
            self.figure(sprite, marker.colour.unwrap_or(Colour::Blue), Presence::Real);
            self.beside(means);
            entries += 1;
        }
        if entries == 0 {
            self.scene = start;
        }
    }

    fn swatch(&mut self, fill: Fill) {
        self.scene.elements.push(SceneElement::Box {
            frame: Frame::new(1.0, self.scene.height + 1.0, 12.0, 12.0),
            radius: 2.0,
            fill,
            border: Some((Colour::Grey, Stroke::Thin)),
        });
    }
}

impl Declaration {
    /// Returns the figure of the things that a badge colours: that of the first layer that draws things of their type.
    /// Places have none, because layers fill them.
    fn marked_figure(&self, badge: &Badge, vocabulary: &PictureVocabulary) -> Option<Sprite> {
        let types = match &badge.of {
            Some(of) => std::slice::from_ref(of.get_ref()),
            None => vocabulary.find(badge.fact.get_ref())?.parameters.first()?,
        };
        let is_drawn = |layer: &&Layer| {
            let drawn = vocabulary.find(layer.fact.get_ref());
            let first = drawn.and_then(|predicate| predicate.parameters.first());
            first.is_some_and(|own| own.iter().any(|name| types.contains(name)))
        };
        badge.fill?;
        self.layer.iter().find(is_drawn)?.shape
    }
}
