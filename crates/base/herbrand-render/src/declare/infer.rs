//! Infers a declaration for a domain without one.

use std::collections::BTreeMap;

use herbrand_core::Group;

use super::kinds::{Kinds, layer, named};
use super::{Badge, Column, Declaration, Edge, FactTable, Gauge, GraphLayout, Grid, NodeShape, PlaceGraph};
use crate::colour::Colour;
use crate::facts::Facts;
use crate::layout::CellNames;
use crate::problem::{DrawnPredicate, DrawnProblem, DrawnRange, NamedFact, PictureVocabulary};
use crate::sprite::Sprite;

/// Naming patterns of cells that are common in planning domains.
const PATTERNS: [&str; 5] = [
    "r{row}c{column}",
    "l-{row}-{column}",
    "pos-{row}-{column}",
    "f{row}-{column}f",
    "loc-x{column}-y{row}",
];

impl Declaration {
    /// Infers a declaration from the vocabulary and the objects of a problem, for domains without a declared picture.
    ///
    /// If at least four names of objects contain rows and columns, such as `r1c2`, these are the cells of a grid.
    /// Otherwise, if a static predicate relates objects of one type, these are the nodes of a graph. Otherwise every
    /// object that facts can be about is a node. With more than 400 objects, or without a predicate of at least two
    /// arguments, nothing is a node: only tables and bars are inferred. A table has at most 60 rows; larger ones are
    /// left out. Facts about one place are drawn there, facts of two objects as edges, facts of one object as marks,
    /// numbers as bars and heat maps. Objects of different types have different figures and colours. These are the three generic layouts of PDDLViz.jl (Zhi-Xuan, 2022): grid, graph,
    /// and all objects as nodes. [`Picture::new`](crate::Picture::new) calls this function itself if it gets no
    /// declaration.
    #[must_use]
    pub fn infer(vocabulary: &PictureVocabulary, world: &DrawnProblem) -> Self {
        Self::infer_from(vocabulary, world, &Facts::new(&world.constants))
    }

    /// Infers a declaration like [`infer`](Self::infer). In a domain without types, every object could be a cell of the grid:
    /// the facts of any state show which predicates relate cells, and which ones place a thing in one cell.
    pub(crate) fn infer_from(
        vocabulary: &PictureVocabulary,
        world: &DrawnProblem,
        facts: &Facts<'_>,
    ) -> Self {
        let mut declaration = Self::default();
        let changing: Vec<&DrawnPredicate> = vocabulary
            .predicates
            .iter()
            .filter(|predicate| matches!(predicate.group, Group::Fluent))
            .collect();
        let places = declaration.places(vocabulary, world);
        if let Some(places) = &places {
            declaration.layers(vocabulary, world, facts, places);
        }
        declaration.tables(&changing, world);
        declaration
    }

    /// Chooses the places, which are the cells of a grid or the nodes of a graph, and returns their types. `None` if
    /// there are no places: no predicate relates objects, or there are more than 400 objects.
    fn places(&mut self, vocabulary: &PictureVocabulary, world: &DrawnProblem) -> Option<Vec<String>> {
        let pattern = PATTERNS.into_iter().find_map(|text| {
            let pattern = CellNames::parse(text)?;
            let placed = world
                .objects
                .iter()
                .filter(|object| pattern.place(&object.name).is_some());
            let placed: Vec<_> = placed.collect();
            (placed.len() > 3).then(|| (text, placed[0].types.clone()))
        });
        if let Some((text, types)) = pattern {
            self.grid = Some(Grid {
                cells: Some(text.to_owned()),
                ..Grid::default()
            });
            return Some(types);
        }
        let of_bools = |predicate: &&DrawnPredicate| {
            predicate.range == DrawnRange::Bool && predicate.parameters.len() == 2
        };
        let mut pairs = vocabulary.predicates.iter().filter(of_bools);
        let road = pairs.find(|predicate| {
            predicate.group == Group::Static && predicate.parameters[0] == predicate.parameters[1]
        });
        let nodes = match road {
            Some(road) => road.parameters[0].clone(),
            None => {
                let bools = vocabulary
                    .predicates
                    .iter()
                    .filter(|predicate| predicate.range == DrawnRange::Bool);
                let related: Vec<&String> = bools
                    .flat_map(|predicate| predicate.parameters.iter().flatten())
                    .collect();
                // The values of an enum that only fluents have as values are no places.
                let is_used = |name: &&String| {
                    world.objects.iter().any(|object| {
                        object.types.first() == Some(name) && related.iter().any(|of| object.is(of))
                    })
                };
                vocabulary.types.iter().filter(is_used).cloned().collect()
            }
        };
        let related = vocabulary
            .predicates
            .iter()
            .any(|predicate| predicate.range == DrawnRange::Bool && predicate.parameters.len() >= 2);
        if nodes.is_empty() || world.objects.len() > 400 || !related {
            return None;
        }
        self.graph = Some(PlaceGraph {
            nodes: nodes.iter().map(|name| named(name)).collect(),
            layout: GraphLayout::Force,
            size: None,
            node: NodeShape::Box,
        });
        Some(nodes)
    }

    /// Draws facts about a place there, and facts between places as connections.
    fn layers(
        &mut self,
        vocabulary: &PictureVocabulary,
        world: &DrawnProblem,
        facts: &Facts<'_>,
        places: &[String],
    ) {
        let cells = self.grid.as_ref().and_then(|grid| grid.cells.as_deref());
        let cells = cells.and_then(CellNames::parse);
        // Whether the facts that name cells name one each, although the types allow several.
        let names_one_cell = |predicate: &DrawnPredicate| {
            let count = |atom: &&NamedFact| {
                let is_cell =
                    |name: &&String| cells.as_ref().is_some_and(|cells| cells.place(name).is_some());
                atom.arguments.iter().filter(is_cell).count()
            };
            let counts: Vec<usize> = facts.of(&predicate.name).iter().map(count).collect();
            counts.contains(&1) && counts.iter().all(|&count| count < 2)
        };
        let is_place = |types: &Vec<String>| {
            types.iter().any(|name| places.contains(name))
                || world.objects.iter().any(|object| {
                    types.iter().any(|name| object.is(name)) && places.iter().any(|place| object.is(place))
                })
        };
        // The objects at places are drawn there; marks of other objects would have no figure.
        let at_places = |types: &Vec<String>| {
            let facts = vocabulary.predicates.iter().filter(|predicate| {
                let among = predicate.parameters.iter().filter(|types| is_place(types));
                predicate.range == DrawnRange::Bool && predicate.group != Group::Derived && among.count() == 1
            });
            let mut things = facts.flat_map(|predicate| predicate.parameters.iter());
            things.any(|own| {
                !is_place(own)
                    && world.objects.iter().any(|object| {
                        types.iter().any(|name| object.is(name)) && own.iter().any(|name| object.is(name))
                    })
            })
        };
        let mut kinds = Kinds::of(vocabulary, world, is_place);
        if self.graph.is_some() {
            self.layer.extend(kinds.places());
        }
        let mut series = kinds.len();
        for predicate in &vocabulary.predicates {
            let is_drawn = predicate.range == DrawnRange::Bool && predicate.group != Group::Derived;
            if !is_drawn || predicate.group == Group::Observed {
                continue;
            }
            let among = predicate
                .parameters
                .iter()
                .filter(|types| is_place(types))
                .count();
            let colour = Colour::SERIES[series % Colour::SERIES.len()];
            let shape = Sprite::SERIES[series % Sprite::SERIES.len()];
            match (among, predicate.parameters.len()) {
                (0, 1) if at_places(&predicate.parameters[0]) => {
                    self.badge.push(badge(predicate, shape, colour));
                }
                (0, _) => continue,
                (1, 2..) if kinds.tell_things_apart() => {
                    let things = predicate.parameters.iter().find(|types| !is_place(types));
                    let things = things.map_or(&[][..], Vec::as_slice);
                    self.layer.extend(kinds.things(predicate, things, colour));
                }
                (1, _) => self.layer.push(layer(&predicate.name, shape, colour)),
                (2.., _) if names_one_cell(predicate) => {
                    self.layer.push(layer(&predicate.name, shape, colour))
                }
                (2.., _) => self.edge.push(edge(predicate, colour)),
            }
            series += 1;
        }
    }

    /// Draws facts about other objects in tables of lamps, bars and heat maps.
    fn tables(&mut self, changing: &[&DrawnPredicate], world: &DrawnProblem) {
        let drawn: Vec<String> = self.drawn().into_iter().map(str::to_owned).collect();
        let mut by_type = BTreeMap::<&str, Vec<Column>>::new();
        for predicate in changing {
            if drawn.contains(&predicate.name) {
                continue;
            }
            match (predicate.parameters.as_slice(), predicate.range) {
                ([], DrawnRange::Number) => self.gauge.push(Gauge {
                    fact: named(&predicate.name),
                    title: None,
                    least: 0.0,
                    most: None,
                    colour: None,
                }),
                ([types], _) | ([types, _], DrawnRange::Number) => {
                    let rows = types.first().map_or("object", String::as_str);
                    by_type.entry(rows).or_default().push(column(predicate));
                }
                _ => {}
            }
        }
        for (rows, column) in by_type {
            if world.objects.iter().filter(|object| object.is(rows)).count() <= 60 {
                self.table.push(FactTable {
                    rows: Some(named(rows)),
                    title: None,
                    above: None,
                    group: None,
                    column,
                });
            }
        }
    }
}

fn badge(predicate: &DrawnPredicate, shape: Sprite, colour: Colour) -> Badge {
    Badge {
        fact: named(&predicate.name),
        absent: false,
        of: None,
        fill: None,
        shape: Some(shape),
        colour: Some(colour),
        means: Some(predicate.name.clone()),
    }
}

fn edge(predicate: &DrawnPredicate, colour: Colour) -> Edge {
    Edge {
        fact: named(&predicate.name),
        when: Vec::new(),
        unless: Vec::new(),
        colour: Some(colour),
        line: super::LineStyle::Thin,
        arrow: predicate.group != Group::Static,
        one_way: true,
        pull: None,
        means: Some(predicate.name.clone()),
    }
}

fn column(predicate: &DrawnPredicate) -> Column {
    Column {
        fact: named(&predicate.name),
        title: None,
        draw: None,
        least: None,
        most: None,
        shape: None,
        colour: None,
        otherwise: None,
        colours: BTreeMap::new(),
        across: predicate.parameters.len() == 2,
    }
}
