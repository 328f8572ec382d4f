//! The renderer for the states of a problem.

use std::borrow::Cow;
use std::collections::BTreeSet;

use herbrand_core::Group;

use crate::colour::Colour;
use crate::declare::Declaration;
use crate::facts::Facts;
use crate::look::Looks;
use crate::problem::{DrawnProblem, Moment, PictureVocabulary};
use crate::scene::{Anchor, Scene, SideColumn};
use crate::symbols::Symbols;
use crate::text::text_width;
use crate::view::{Board, plane, side, stacks, table, towers_of_goal};

/// A renderer for the states of one problem: a declaration together with everything precomputed that does not depend
/// on the state. [`scene`](Self::scene) draws a state.
#[derive(Clone, Debug)]
pub struct Picture {
    declaration: Declaration,
    /// Whether the declaration was inferred.
    inferred: bool,
    vocabulary: PictureVocabulary,
    world: DrawnProblem,
    board: Option<Board>,
    symbols: Symbols,
    /// Fluents that no part of the declaration draws.
    undrawn: Vec<String>,
}

const MARGIN: f64 = 14.0;
const GAP: f64 = 18.0;
/// The font size of the title.
const TITLE: f64 = 13.0;

impl Picture {
    /// Creates a renderer by `declaration`, or by an inferred one if it is `None` or empty. `first` is any state of
    /// the problem; the layout depends on its facts. The declaration is not checked here: names that the domain lacks
    /// draw nothing. [`Declaration::check`] reports them. Then call [`scene`](Self::scene), [`text`](Self::text) or
    /// [`egocentric`](Self::egocentric) for each state.
    #[must_use]
    pub fn new(
        declaration: Option<&Declaration>,
        vocabulary: PictureVocabulary,
        world: DrawnProblem,
        first: &Moment,
    ) -> Self {
        let declaration = declaration.filter(|declaration| !declaration.is_empty());
        let inferred = declaration.is_none();
        let facts = Facts::new(world.constants.iter().chain(&first.facts));
        let declaration = declaration.map_or_else(
            || Cow::Owned(Declaration::infer_from(&vocabulary, &world, &facts)),
            Cow::Borrowed,
        );
        let declaration = declaration.into_owned();
        let board = Board::new(&declaration, &world, &facts);
        let drawn = declaration.drawn();
        let is_undrawn = |predicate: &&crate::problem::DrawnPredicate| {
            predicate.group == Group::Fluent && !drawn.contains(&predicate.name.as_str())
        };
        let undrawn = vocabulary.predicates.iter().filter(is_undrawn);
        let undrawn = undrawn.map(|predicate| predicate.name.clone()).collect();
        Self {
            board,
            symbols: declaration.symbols(),
            undrawn,
            inferred,
            declaration,
            vocabulary,
            world,
        }
    }

    /// Returns the declaration by which states are drawn: the given one or the inferred one.
    #[must_use]
    pub const fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Returns the places of the problem, if the declaration has any.
    pub(crate) const fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Returns the characters of its figures.
    pub(crate) const fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Returns the vocabulary of the domain and the objects and constant facts of the problem that the picture was
    /// created for.
    #[must_use]
    pub const fn about(&self) -> (&PictureVocabulary, &DrawnProblem) {
        (&self.vocabulary, &self.world)
    }

    /// Draws a state as a scene, with a title, a legend, and the facts that no part of the declaration draws. It never
    /// fails. Write the scene by [`Scene::to_svg`].
    #[must_use]
    pub fn scene(&self, moment: &Moment) -> Scene {
        let facts = Facts::new(self.world.constants.iter().chain(&moment.facts));
        let looks = Looks::new(&self.declaration, &facts, &self.world);
        let main = self.main(&facts, moment, &looks);
        let beside = side(
            &self.declaration,
            &self.vocabulary,
            &facts,
            &self.undrawn,
            &self.unplaced(&facts),
            &moment.goal,
            &moment.captions,
            &looks,
        );
        let mut scene = Scene {
            title: self.world.title.clone(),
            ..Scene::default()
        };
        let top = MARGIN + 20.0;
        let right = MARGIN + main.width + if main.width > 0.0 { GAP } else { 0.0 };
        let below = top + main.height + if main.height > 0.0 { GAP } else { 0.0 };
        scene.paste(main, (MARGIN, top));
        if beside.height > 0.0 {
            let (first, width, height) = (scene.elements.len(), scene.width, beside.height);
            let title = text_width(&self.world.title, TITLE);
            let narrow = width.max(MARGIN + beside.width.max(title)) + MARGIN;
            scene.paste(beside, (right, top));
            scene.side = Some(SideColumn {
                elements: first..scene.elements.len(),
                below: (MARGIN - right, below - top),
                size: (narrow, below + height + MARGIN),
            });
        }
        scene.width = (scene.width + MARGIN).max(180.0);
        scene.height += MARGIN;
        let room = scene.width - 2.0 * MARGIN;
        scene.write(
            &self.world.title,
            (MARGIN, MARGIN + 5.0),
            Anchor::Start,
            TITLE,
            room,
            Colour::Ink,
        );
        scene
    }

    /// Returns whether the grid draws the facts of a predicate but has no place for this one, because none of its arguments
    /// is a cell. It is `false` for declared pictures, whose author chose what they show.
    #[must_use]
    pub fn lacks_place(&self, predicate: &str, arguments: &[&str]) -> bool {
        let board = self
            .board
            .as_ref()
            .filter(|_| self.inferred && self.declaration.grid.is_some());
        let layers = self.declaration.layer.iter().map(|layer| &layer.fact);
        let edges = self.declaration.edge.iter().map(|edge| &edge.fact);
        layers.chain(edges).any(|fact| fact.get_ref() == predicate)
            && board.is_some_and(|board| board.locate_names(arguments).spots.is_empty())
    }

    /// Returns the things that the grid has no place for: cells and their contents by name, and the changing facts about
    /// them.
    fn unplaced(&self, facts: &Facts<'_>) -> Vec<String> {
        let Some(board) = self.board.as_ref().filter(|_| self.inferred) else {
            return Vec::new();
        };
        let mut drawn = BTreeSet::new();
        for layer in &self.declaration.layer {
            for atom in facts.of(layer.fact.get_ref()) {
                let located = board.locate(atom);
                if !located.spots.is_empty() {
                    drawn.extend(located.others);
                }
            }
        }
        let mut texts = Vec::new();
        let cells = self
            .world
            .objects
            .iter()
            .find(|object| board.spots().find(&[&object.name]).is_some());
        let Some(cell) = cells.filter(|_| self.declaration.grid.is_some()) else {
            return texts;
        };
        for object in &self.world.objects {
            let name = object.name.as_str();
            if object.types == cell.types && board.spots().find(&[name]).is_none() && !drawn.contains(name) {
                texts.push(name.to_owned());
            }
        }
        let fluents = self.vocabulary.predicates.iter();
        for predicate in fluents.filter(|predicate| predicate.group == Group::Fluent) {
            for atom in facts.of(&predicate.name) {
                let names: Vec<&str> = atom.names().collect();
                if self.lacks_place(&predicate.name, &names) {
                    texts.push([&[predicate.name.as_str()], names.as_slice()].concat().join(" "));
                }
            }
        }
        texts
    }

    /// Draws a state without the parts that are equal in all states: no title, no legend, no captions, and only those
    /// parts of the goal that are marked in the picture.
    #[cfg(feature = "png")]
    pub(crate) fn bare(&self, moment: &Moment) -> Scene {
        let facts = Facts::new(self.world.constants.iter().chain(&moment.facts));
        let looks = Looks::new(&self.declaration, &facts, &self.world);
        let mut scene = self.main(&facts, moment, &looks);
        let beside = crate::view::side_of_state(&self.declaration, &facts, &self.undrawn, &looks);
        if beside.height > 0.0 {
            let right = if scene.width > 0.0 { scene.width + GAP } else { 0.0 };
            scene.paste(beside, (right, 0.0));
        }
        scene
    }

    /// Returns the places if the picture consists of a grid only: no lines, no text, nothing next to it.
    #[cfg(feature = "png")]
    pub(crate) fn grid(&self) -> Option<(&Board, &crate::view::Cells)> {
        let board = self.board.as_ref()?;
        let Declaration {
            grid: Some(_),
            graph: None,
            boxes: None,
            layer: _,
            edge,
            stacks: None,
            badge: _,
            plane: None,
            marker: _,
            table,
            list,
            gauge,
            hide: _,
            goal: _,
            eye: _,
            seen: _,
        } = &self.declaration
        else {
            return None;
        };
        let alone = edge.is_empty()
            && table.is_empty()
            && list.is_empty()
            && gauge.is_empty()
            && self.undrawn.is_empty();
        let cells = board.spots().grid.as_ref()?;
        alone.then_some((board, cells))
    }

    /// Draws the surroundings of the agent, by the `eye` of the declaration. The scene has the same size in all states,
    /// with the agent in the centre. `None` if the declaration has no `eye`, the picture is not a grid, or the agent is
    /// not in it. Of several places of the agent, the first counts.
    #[must_use]
    pub fn egocentric(&self, moment: &Moment) -> Option<Scene> {
        let eye = self.declaration.eye.as_ref()?;
        let board = self.board.as_ref()?;
        let facts = Facts::new(self.world.constants.iter().chain(&moment.facts));
        let mut places = facts
            .of(eye.fact.get_ref())
            .iter()
            .flat_map(|atom| board.locate(atom).spots);
        let cells = self.cells(moment);
        let outside = self.declaration.grid.as_ref()?.outside.unwrap_or_default();
        let mut scene = board.around(places.next()?, eye.radius, outside, cells)?;
        scene.title.clone_from(&self.world.title);
        Some(scene)
    }

    /// Draws each place of a grid as a separate scene, in order; empty if there are no places.
    pub(crate) fn cells(&self, moment: &Moment) -> Vec<Scene> {
        let facts = Facts::new(self.world.constants.iter().chain(&moment.facts));
        let looks = Looks::new(&self.declaration, &facts, &self.world);
        let board = self.board.iter();
        board
            .flat_map(|board| board.cells(&self.declaration, &facts, &moment.goal, &looks))
            .collect()
    }

    /// Draws the main part of the picture, from top to bottom, without the side column.
    fn main(&self, facts: &Facts<'_>, moment: &Moment, looks: &Looks<'_>) -> Scene {
        let declaration = &self.declaration;
        let mut parts = Vec::new();
        if let Some(board) = &self.board {
            parts.push(board.draw(declaration, facts, &moment.goal, looks));
        }
        if let Some(towers) = &declaration.stacks {
            parts.push(stacks(towers, declaration, &self.world, facts, looks));
            parts.extend(towers_of_goal(towers, &self.world, &moment.goal, looks));
        }
        if let Some(field) = &declaration.plane {
            parts.push(plane(field, &declaration.marker, &self.world, facts, looks));
        }
        let tables = declaration.table.iter();
        parts.extend(tables.map(|one| table(one, &self.vocabulary, &self.world, facts)));
        let mut scene = Scene::default();
        for part in parts {
            let top = if scene.height > 0.0 {
                scene.height + GAP
            } else {
                0.0
            };
            scene.paste(part, (0.0, top));
        }
        scene
    }
}
