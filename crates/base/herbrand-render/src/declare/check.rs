//! Checks a declaration against its domain.

use herbrand_text::{Diagnostics, Faults, Source, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Coordinate, Declaration, Named, RenderCode};
use crate::layout::CellNames;
use crate::problem::PictureVocabulary;

/// The kinds of names that are allowed in a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Fact,
    Type,
    Either,
}

impl Declaration {
    /// Checks the declaration against its domain: all its names must be in `vocabulary`, and each part must have its
    /// required keys. `source` is the text that the declaration was read from. Then pass the declaration to
    /// [`Picture::new`](crate::Picture::new).
    ///
    /// # Errors
    /// Returns all faults with their positions in `source`. Names can be unknown, and there can be more than one kind of
    /// places. Layers and edges can lack places, and layers carriers. A grid can have no cells, or a pattern that
    /// [`CellNames::parse`] rejects. Observations can differ from their facts in parameters or values.
    pub fn check(&self, vocabulary: &PictureVocabulary, source: &Source) -> Result<(), Faults<RenderCode>> {
        let mut checker = Checker {
            vocabulary,
            found: Diagnostics::new(source.clone(), false),
        };
        self.names(&mut |name, expected| checker.name(name, expected));
        for coordinate in self.coordinates() {
            checker.coordinate(coordinate);
        }
        checker.parts(self);
        let list = checker.found.into_list();
        if list.is_empty() {
            Ok(())
        } else {
            Err(Faults::new(list))
        }
    }

    /// Calls `visit` with every name of the domain and its expected kind.
    fn names(&self, visit: &mut dyn FnMut(&Named, Expected)) {
        use Expected::{Either, Fact, Type};
        let mut some = |name: &Option<Named>, expected| name.iter().for_each(|name| visit(name, expected));
        if let Some(grid) = &self.grid {
            some(&grid.beside, Fact);
            some(&grid.row_of, Fact);
            [&grid.numbered, &grid.columns, &grid.rows]
                .into_iter()
                .for_each(|name| some(name, Type));
        }
        if let Some(boxes) = &self.boxes {
            [&boxes.after, &boxes.group]
                .into_iter()
                .for_each(|name| some(name, Fact));
        }
        if let Some(stacks) = &self.stacks {
            some(&stacks.group, Fact);
        }
        if let Some(eye) = &self.eye {
            some(&Some(eye.fact.clone()), Fact);
        }
        self.plane.iter().for_each(|plane| some(&plane.each, Type));
        self.layer.iter().for_each(|layer| some(&layer.of, Type));
        self.layer.iter().for_each(|layer| some(&layer.with, Fact));
        self.badge.iter().for_each(|badge| some(&badge.of, Type));
        self.marker.iter().for_each(|marker| some(&marker.of, Type));
        for table in &self.table {
            some(&table.rows, Type);
            [&table.above, &table.group]
                .into_iter()
                .for_each(|name| some(name, Fact));
        }
        let mut all = |names: &[Named], expected| names.iter().for_each(|name| visit(name, expected));
        self.graph.iter().for_each(|graph| all(&graph.nodes, Type));
        self.boxes.iter().for_each(|boxes| all(&boxes.of, Type));
        for layer in &self.layer {
            [&layer.when, &layer.unless]
                .into_iter()
                .for_each(|names| all(names, Fact));
        }
        for edge in &self.edge {
            [&edge.when, &edge.unless]
                .into_iter()
                .for_each(|names| all(names, Fact));
        }
        for marker in &self.marker {
            [&marker.when, &marker.unless]
                .into_iter()
                .for_each(|names| all(names, Fact));
        }
        for list in &self.list {
            [&list.facts, &list.when, &list.unless]
                .into_iter()
                .for_each(|names| all(names, Fact));
        }
        all(&self.hide, Fact);
        for layer in self
            .layer
            .iter()
            .filter(|layer| layer.fact.get_ref() != EVERYWHERE)
        {
            visit(&layer.fact, Fact);
        }
        self.edge.iter().for_each(|edge| visit(&edge.fact, Fact));
        self.badge.iter().for_each(|badge| visit(&badge.fact, Fact));
        self.gauge.iter().for_each(|gauge| visit(&gauge.fact, Fact));
        for column in self.table.iter().flat_map(|table| &table.column) {
            visit(&column.fact, Fact);
        }
        if let Some(stacks) = &self.stacks {
            visit(&stacks.on, Fact);
            visit(&stacks.base, Either);
        }
        for report in &self.seen {
            visit(&report.fact, Fact);
            visit(&report.by, Fact);
        }
    }

    /// Returns whether the declaration names the predicate or fluent `fact`, so that pictures may depend on its facts.
    /// A fact that observations replace ([`seen`](Self::seen)) counts; the observed fluent does not. Predicates that it
    /// does not name may still be written next to the picture.
    #[must_use]
    pub fn mentions(&self, fact: &str) -> bool {
        let reports = self.seen.iter().map(|report| &report.by);
        let reports: Vec<&Named> = reports.collect();
        let mut found = self.coordinates().any(|one| one.names().any(|name| name == fact));
        self.names(&mut |name, expected| {
            let is_report = reports.iter().any(|&report| std::ptr::eq(report, name));
            found |= expected != Expected::Type && name.get_ref() == fact && !is_report;
        });
        found
    }

    /// Iterates over all coordinates.
    fn coordinates(&self) -> impl Iterator<Item = &Coordinate> {
        let markers = self.marker.iter().flat_map(|marker| {
            let arrow = marker.arrow.iter();
            let arrow = arrow.flat_map(|arrow| std::iter::once(&arrow.x).chain(&arrow.y));
            let own = [&marker.y, &marker.turn, &marker.heading, &marker.radius];
            std::iter::once(&marker.x)
                .chain(own.into_iter().flatten())
                .chain(arrow)
        });
        let columns = self.table.iter().flat_map(|table| &table.column);
        markers
            .chain(columns.filter_map(|column| column.most.as_ref()))
            .chain(self.gauge.iter().filter_map(|gauge| gauge.most.as_ref()))
    }

    /// Returns the facts that the declaration draws or hides.
    pub(crate) fn drawn(&self) -> Vec<&str> {
        let mut drawn = Vec::new();
        let facts = self.layer.iter().map(|layer| &layer.fact);
        let facts = facts.chain(self.edge.iter().map(|edge| &edge.fact));
        let facts = facts.chain(self.badge.iter().map(|badge| &badge.fact));
        let facts = facts.chain(self.gauge.iter().map(|gauge| &gauge.fact));
        let facts = facts.chain(
            self.table
                .iter()
                .flat_map(|table| table.column.iter().map(|column| &column.fact)),
        );
        let facts = facts
            .chain(self.list.iter().flat_map(|list| &list.facts))
            .chain(&self.hide);
        let conditions = self
            .layer
            .iter()
            .flat_map(|layer| layer.when.iter().chain(&layer.unless));
        let conditions = conditions.chain(
            self.edge
                .iter()
                .flat_map(|edge| edge.when.iter().chain(&edge.unless)),
        );
        let markers = self.marker.iter();
        let conditions =
            conditions.chain(markers.flat_map(|marker| marker.when.iter().chain(&marker.unless)));
        drawn.extend(facts.chain(conditions).map(|name| name.get_ref().as_str()));
        if let Some(stacks) = &self.stacks {
            drawn.extend([stacks.on.get_ref().as_str(), stacks.base.get_ref().as_str()]);
            drawn.extend(stacks.group.iter().map(|name| name.get_ref().as_str()));
        }
        for coordinate in self.coordinates() {
            drawn.extend(coordinate.names());
        }
        drawn
    }
}

/// The name in place of a fact for a layer that is drawn at every place.
pub(crate) const EVERYWHERE: &str = "true";

impl Coordinate {
    /// Iterates over the fluents of the coordinate: the outer, and the inner of `outer(inner)`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let text = match self {
            Self::Fact(text) => Some(text.as_str()),
            Self::Number(_) => None,
        };
        let parts = text.into_iter().flat_map(|text| text.split(['(', ')']));
        parts.map(str::trim).filter(|part| !part.is_empty())
    }
}

struct Checker<'v> {
    vocabulary: &'v PictureVocabulary,
    found: Diagnostics<RenderCode>,
}

fn span<T>(name: &Spanned<T>) -> Span {
    let range = name.span();
    Span {
        start: range.start as u32,
        end: range.end as u32,
    }
}

impl Checker<'_> {
    fn name(&mut self, name: &Named, expected: Expected) {
        self.text(name.get_ref(), span(name), expected);
    }

    fn text(&mut self, name: &str, place: Span, expected: Expected) {
        let facts = || {
            self.vocabulary
                .predicates
                .iter()
                .map(|predicate| predicate.name.as_str())
        };
        let types = || self.vocabulary.types.iter().map(String::as_str);
        let candidates: Vec<&str> = match expected {
            Expected::Fact => facts().collect(),
            Expected::Type => types().collect(),
            Expected::Either => facts().chain(types()).collect(),
        };
        if candidates.contains(&name) {
            return;
        }
        let (code, kind) = match expected {
            Expected::Type => (RenderCode::UnknownType, "type"),
            Expected::Fact | Expected::Either => (RenderCode::UnknownFact, "predicate or fluent"),
        };
        let meant = nearest(name, candidates);
        self.found
            .report(code, format!("the domain has no {kind} `{name}`"), |draft| {
                draft.primary(place, "not declared").suggest(meant)
            });
    }

    /// Checks a coordinate. It has no position of its own, so its text is searched for in the file.
    fn coordinate(&mut self, coordinate: &Coordinate) {
        let Coordinate::Fact(text) = coordinate else {
            return;
        };
        let quoted = format!("\"{text}\"");
        let start = self.found.source().text().find(&quoted).unwrap_or(0);
        let place = Span {
            start: start as u32,
            end: (start + quoted.len()) as u32,
        };
        for name in coordinate.names() {
            self.text(name, place, Expected::Fact);
        }
    }

    /// Returns the position of a key of the declaration in the file, where it may be inside a table `render` or at
    /// the top level.
    fn key(&self, key: &str) -> Span {
        let found = DeTable::parse(self.found.source().text()).ok().and_then(|file| {
            let file = file.get_ref();
            let find = |table: &DeTable<'_>| {
                let mut keys = table.iter();
                keys.find(|(own, _)| own.get_ref() == key)
                    .map(|(own, _)| own.span())
            };
            match file.get("render").map(Spanned::get_ref) {
                Some(DeValue::Table(render)) => find(render),
                _ => find(file),
            }
        });
        let range = found.unwrap_or_default();
        Span {
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// Checks that each part has its required keys.
    fn parts(&mut self, declaration: &Declaration) {
        let boards = [
            ("grid", declaration.grid.is_some()),
            ("graph", declaration.graph.is_some()),
            ("boxes", declaration.boxes.is_some()),
        ];
        let mut boards: Vec<_> = boards
            .into_iter()
            .filter(|&(_, is_there)| is_there)
            .map(|(key, _)| self.key(key))
            .collect();
        if boards.len() > 1 {
            let message = "`[render]` has more than one of `grid`, `graph` and `boxes`";
            boards.sort_by_key(|place| place.start);
            self.found.report(RenderCode::TwoBoards, message, |draft| {
                let later = boards[1..].iter();
                later.fold(draft.label(boards[0], "places are here"), |draft, &place| {
                    draft.primary(place, "and here again")
                })
            });
        }
        if let Some(grid) = &declaration.grid {
            self.grid(grid);
        }
        let layers = declaration.layer.iter().map(|layer| &layer.fact);
        let edges = declaration.edge.iter().map(|edge| &edge.fact);
        // Grouped towers allow layers too, for other things at their places.
        let grouped = declaration
            .stacks
            .as_ref()
            .is_some_and(|stacks| stacks.group.is_some());
        if boards.is_empty()
            && !grouped
            && let Some(fact) = layers.chain(edges).next()
        {
            let place = span(fact);
            self.found
                .report(RenderCode::NoPlace, "there are no places to draw at", |draft| {
                    draft
                        .primary(place, "drawn at places")
                        .help("declare `grid`, `graph` or `boxes` in `[render]`")
                });
        }
        for name in declaration.layer.iter().filter_map(|layer| layer.with.as_ref()) {
            let mut others = declaration.layer.iter();
            if !others.any(|other| other.fact.get_ref() == name.get_ref() && other.with.is_none()) {
                let message = format!("no layer draws `{}` at a place", name.get_ref());
                self.found.report(RenderCode::NotCarried, message, |draft| {
                    draft.primary(span(name), "nothing to be with")
                });
            }
        }
        for report in &declaration.seen {
            self.report(report);
        }
    }

    /// Checks that a report has the same parameters as its fact.
    fn report(&mut self, report: &super::ObservedFact) {
        let (fact, by) = (report.fact.get_ref(), report.by.get_ref());
        let (Some(told), Some(telling)) = (self.vocabulary.find(fact), self.vocabulary.find(by)) else {
            return;
        };
        if told.parameters == telling.parameters && told.range == telling.range {
            return;
        }
        let message = format!("`{by}` cannot tell of `{fact}`: their objects or values differ");
        self.found.report(RenderCode::Report, message, |draft| {
            draft
                .label(span(&report.fact), "this fact")
                .primary(span(&report.by), "not of the same objects and values")
        });
    }

    fn grid(&mut self, grid: &super::Grid) {
        match (
            &grid.cells,
            &grid.numbered,
            &grid.columns,
            &grid.rows,
            &grid.row_of,
        ) {
            (Some(pattern), ..) if CellNames::parse(pattern).is_none() => {
                let start = self.found.source().text().find(pattern.as_str()).unwrap_or(0) as u32;
                let place = Span {
                    start,
                    end: start + pattern.len() as u32,
                };
                let message = format!("`{pattern}` does not say where rows and columns are");
                self.found.report(RenderCode::Pattern, message, |draft| {
                    draft
                        .primary(place, "no such pattern")
                        .help("a pattern has `{row}` and `{column}` in it, with something between them")
                });
            }
            (Some(_), ..) | (_, Some(_), ..) | (_, _, Some(_), Some(_), _) | (.., Some(_)) => {}
            _ => {
                let message = "the grid does not say what its cells are";
                let place = self.key("grid");
                self.found.report(RenderCode::NoCells, message, |draft| {
                    draft
                        .primary(place, "of which cells?")
                        .help("declare `cells`, `numbered`, `columns` and `rows`, or `row_of`")
                });
            }
        }
    }
}
