//! The positions of the places of a problem.

use std::collections::BTreeMap;

use super::SMALL;
use crate::declare::{Boxes, Declaration, Edge, Flow, GraphLayout, Grid, Named, Outside, PlaceGraph};
use crate::facts::Facts;
use crate::layout::{CellNames, force, layers, line, ring};
use crate::problem::{DrawnObject, DrawnProblem};
use crate::scene::{Frame, Point};
use crate::text::text_width;

/// A place with its name and position.
#[derive(Clone, Debug)]
pub(crate) struct DrawnPlace {
    /// The objects of the place: a single one, or a column and a row.
    pub(crate) names: Vec<String>,
    pub(crate) frame: Frame,
    /// The rectangle of its name, if the name is drawn.
    pub(crate) caption: Option<Frame>,
}

/// All places of a problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots {
    pub(crate) spots: Vec<DrawnPlace>,
    index: BTreeMap<String, usize>,
    /// The rectangles of walls: positions in a grid without a place.
    pub(crate) walls: Vec<Frame>,
    /// Frames around several places, with their titles.
    pub(crate) groups: Vec<(String, Frame)>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The columns and rows of the places, if they form a grid.
    pub(crate) grid: Option<Cells>,
}

/// The columns and rows of a grid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// For each place, its column and row.
    pub(crate) spots: Vec<(usize, usize)>,
    /// The columns and rows of walls.
    pub(crate) walls: Vec<(usize, usize)>,
    /// For each row its name; empty if rows have no names.
    pub(crate) headings: Vec<String>,
}

impl Spots {
    /// Returns the place of an object, or of a column and a row.
    pub(crate) fn find(&self, names: &[&str]) -> Option<usize> {
        match names {
            [one] => self.index.get(*one).copied(),
            names => self.index.get(&names.join(" ")).copied(),
        }
    }

    fn add(&mut self, names: Vec<String>, frame: Frame, caption: Option<Frame>) {
        self.index.insert(names.join(" "), self.spots.len());
        self.spots.push(DrawnPlace {
            names,
            frame,
            caption,
        });
    }

    /// Moves all places, and makes the board this much wider and higher.
    pub(super) fn make_room(&mut self, (left, top): Point, (right, bottom): Point) {
        let moved = |frame: &mut Frame| {
            frame.x += left;
            frame.y += top;
        };
        for spot in &mut self.spots {
            moved(&mut spot.frame);
            spot.caption.iter_mut().for_each(moved);
        }
        self.walls.iter_mut().for_each(moved);
        self.groups.iter_mut().for_each(|(_, frame)| moved(frame));
        self.width += left + right;
        self.height += top + bottom;
    }

    /// Computes the places of a declaration; `None` if it declares none or the problem has none.
    pub(crate) fn new(
        declaration: &Declaration,
        world: &DrawnProblem,
        facts: &Facts<'_>,
        things: usize,
    ) -> Option<Self> {
        let spots = if let Some(grid) = &declaration.grid {
            Self::grid(grid, world, facts, !declaration.edge.is_empty())
        } else if let Some(graph) = &declaration.graph {
            Self::graph(graph, &declaration.edge, world, facts, things)
        } else if let Some(boxes) = &declaration.boxes {
            Self::boxes(boxes, world, facts, things)
        } else {
            return None;
        };
        (!spots.spots.is_empty()).then_some(spots)
    }

    fn grid(grid: &Grid, world: &DrawnProblem, facts: &Facts<'_>, gaps: bool) -> Self {
        let rows = cells(grid, world, facts);
        let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let heading = rows.iter().filter_map(|row| row.name.as_deref());
        let heading = heading
            .map(|name| text_width(name, SMALL) + 8.0)
            .fold(0.0, f64::max);
        let fitting = 520.0 / columns.max(rows.len()).max(1) as f64;
        let size = grid.size.unwrap_or_else(|| fitting.clamp(24.0, 56.0));
        let gap = if gaps { size * 0.4 } else { 2.0 };
        let mut spots = Self {
            width: heading + columns as f64 * (size + gap) - gap,
            height: rows.len() as f64 * (size + gap) - gap,
            ..Self::default()
        };
        let mut places = Cells {
            columns,
            rows: rows.len(),
            ..Cells::default()
        };
        for (down, row) in rows.into_iter().enumerate() {
            let y = down as f64 * (size + gap);
            if let Some(name) = row.name {
                places.headings.push(name.clone());
                spots.groups.push((name, Frame::new(0.0, y, heading, size)));
            }
            for (across, cell) in row.cells.into_iter().enumerate() {
                let frame = Frame::new(heading + across as f64 * (size + gap), y, size, size);
                match cell {
                    Some(names) => {
                        spots.add(names, frame, None);
                        places.spots.push((across, down));
                    }
                    None if grid.outside.unwrap_or_default() == Outside::Wall => {
                        spots.walls.push(frame);
                        places.walls.push((across, down));
                    }
                    None => {}
                }
            }
        }
        spots.grid = Some(places);
        spots
    }

    fn graph(
        graph: &PlaceGraph,
        edges: &[Edge],
        world: &DrawnProblem,
        facts: &Facts<'_>,
        things: usize,
    ) -> Self {
        let nodes: Vec<&DrawnObject> = of_types(world, &graph.nodes).collect();
        let number = |name: &String| nodes.iter().position(|node| node.name == *name);
        let mut pairs = Vec::new();
        for edge in edges.iter().filter(|edge| edge.pull != Some(false)) {
            for atom in facts.of(edge.fact.get_ref()) {
                let ends: Vec<usize> = atom.arguments.iter().filter_map(number).collect();
                pairs.extend(connected(&ends));
            }
        }
        let most = (MOST_ROOM / (nodes.len().max(1) as f64).sqrt()).clamp(92.0, 160.0);
        let size = graph.size.unwrap_or_else(|| side(things).clamp(44.0, most));
        let names = nodes.iter().map(|node| text_width(&node.name, SMALL));
        let width = names.fold(size, f64::max).min(size * 1.5) + 14.0;
        let height = size + SMALL + 12.0;
        let points = match graph.layout {
            GraphLayout::Force => force(nodes.len(), &pairs, (width, height)),
            GraphLayout::Circle => ring(nodes.len(), &pairs, width.max(height) * 1.15),
            GraphLayout::Layers => layers(nodes.len(), &pairs, (width, height)),
            GraphLayout::Line => line(nodes.len(), &pairs, (width, height)),
        };
        let mut spots = Self::default();
        let corner = |pick: fn(&Point) -> f64| points.iter().map(pick).fold(f64::INFINITY, f64::min);
        let (left, top) = (corner(|point| point.0), corner(|point| point.1));
        for (node, point) in nodes.iter().zip(&points) {
            let (x, y) = (point.0 - left + (width - size) / 2.0, point.1 - top);
            let caption = Frame::new(point.0 - left, y + size + 1.0, width, SMALL + 4.0);
            spots.add(
                vec![node.name.clone()],
                Frame::new(x, y, size, size),
                Some(caption),
            );
            spots.width = spots.width.max(point.0 - left + width);
            spots.height = spots.height.max(caption.bottom());
        }
        spots
    }

    fn boxes(boxes: &Boxes, world: &DrawnProblem, facts: &Facts<'_>, things: usize) -> Self {
        let mut places: Vec<&DrawnObject> = of_types(world, &boxes.of).collect();
        if let Some(after) = &boxes.after {
            sort(&mut places, facts, after.get_ref());
        }
        let crowd = things.clamp(1, 16) as f64;
        match boxes.flow {
            Flow::Right => {
                let side = side(things).clamp(70.0, 160.0);
                let size = (boxes.width.unwrap_or(side * 1.25), boxes.height.unwrap_or(side));
                Self::across(&places, group_of(boxes, facts), size)
            }
            Flow::Up | Flow::Down => {
                let width = boxes.width.unwrap_or_else(|| (44.0 * crowd).clamp(180.0, 420.0));
                let size = (width, boxes.height.unwrap_or(46.0));
                if boxes.flow == Flow::Up {
                    places.reverse();
                }
                Self::down(&places, size)
            }
        }
    }

    /// Arranges boxes in rows, with a frame around each group.
    fn across(places: &[&DrawnObject], group_of: BTreeMap<&str, &str>, (width, height): (f64, f64)) -> Self {
        const GAP: f64 = 12.0;
        const HEAD: f64 = 15.0;
        const WIDEST: f64 = 640.0;
        let mut groups: Vec<(Option<&str>, Vec<&DrawnObject>)> = Vec::new();
        for &place in places {
            let group = group_of.get(place.name.as_str()).copied();
            match groups
                .iter_mut()
                .find(|(name, _)| *name == group && group.is_some())
            {
                Some((_, members)) => members.push(place),
                None => groups.push((group, vec![place])),
            }
        }
        let mut spots = Self::default();
        let (mut x, mut y, mut lowest) = (0.0, 0.0, 0.0f64);
        for (group, members) in groups {
            let columns = members.len().clamp(1, 4);
            let rows = members.len().div_ceil(columns);
            let margin = if group.is_some() { 8.0 } else { 0.0 };
            let head = if group.is_some() { HEAD } else { 0.0 };
            let frame_width = columns as f64 * (width + GAP) - GAP + 2.0 * margin;
            let frame_height = head + rows as f64 * (height + HEAD + GAP) - GAP + 2.0 * margin;
            if x > 0.0 && x + frame_width > WIDEST {
                (x, y) = (0.0, lowest + GAP);
            }
            if let Some(name) = group {
                let frame = Frame::new(x, y, frame_width, frame_height);
                spots.groups.push((name.to_owned(), frame));
            }
            for (at, member) in members.iter().enumerate() {
                let left = x + margin + (at % columns) as f64 * (width + GAP);
                let top = y + margin + head + (at / columns) as f64 * (height + HEAD + GAP);
                let caption = Frame::new(left, top, width, HEAD);
                let frame = Frame::new(left, top + HEAD, width, height);
                spots.add(vec![member.name.clone()], frame, Some(caption));
            }
            spots.width = spots.width.max(x + frame_width);
            lowest = lowest.max(y + frame_height);
            x += frame_width + GAP;
        }
        spots.height = lowest;
        spots
    }

    /// Arranges boxes in a column, with their names on the left.
    fn down(places: &[&DrawnObject], (width, height): (f64, f64)) -> Self {
        let names = places.iter().map(|place| text_width(&place.name, SMALL) + 10.0);
        let heading = names.fold(20.0, f64::max).min(110.0);
        let mut spots = Self {
            width: heading + width,
            ..Self::default()
        };
        for (at, place) in places.iter().enumerate() {
            let y = at as f64 * (height + 3.0);
            let caption = Frame::new(0.0, y, heading - 4.0, height);
            spots.add(
                vec![place.name.clone()],
                Frame::new(heading, y, width, height),
                Some(caption),
            );
            spots.height = y + height;
        }
        spots
    }
}

/// The width and height that all nodes of a graph share, if many things may be at one node.
const MOST_ROOM: f64 = 560.0;

/// Returns the side of a place in which this many things have figures and labels of readable size.
fn side(things: usize) -> f64 {
    const THING: f64 = 40.0;
    THING * (things.min(16) as f64).sqrt().ceil()
}

/// Returns the pairs of nodes that an edge connects: the first node with each of the others.
pub(crate) fn connected(ends: &[usize]) -> Vec<(usize, usize)> {
    match ends {
        [first, rest @ ..] => rest.iter().map(|&end| (*first, end)).collect(),
        [] => Vec::new(),
    }
}

/// Iterates over the objects of some types in order.
pub(crate) fn of_types<'w>(
    world: &'w DrawnProblem,
    types: &'w [Named],
) -> impl Iterator<Item = &'w DrawnObject> {
    let fits = |object: &&DrawnObject| types.iter().any(|of| object.is(of.get_ref()));
    world.objects.iter().filter(fits)
}

/// Returns the group of each place.
fn group_of<'a>(boxes: &Boxes, facts: &Facts<'a>) -> BTreeMap<&'a str, &'a str> {
    let Some(group) = &boxes.group else {
        return BTreeMap::new();
    };
    let atoms = facts.of(group.get_ref()).iter();
    let pair = |atom: &&'a crate::problem::NamedFact| match atom.arguments.as_slice() {
        [member, group] => Some((member.as_str(), group.as_str())),
        _ => None,
    };
    atoms.filter_map(pair).collect()
}

/// Sorts objects by the length of the longest chain of facts to them, such that the first argument of each fact comes after
/// the second.
pub(crate) fn sort(objects: &mut Vec<&DrawnObject>, facts: &Facts<'_>, fact: &str) {
    let number = |name: &String| objects.iter().position(|object| object.name == *name);
    let pairs = facts
        .of(fact)
        .iter()
        .filter_map(|atom| match atom.arguments.as_slice() {
            [later, earlier] => Some((number(later)?, number(earlier)?)),
            _ => None,
        });
    let pairs: Vec<_> = pairs.collect();
    let mut rank = vec![0usize; objects.len()];
    for _ in 0..objects.len() {
        let mut changed = false;
        for &(later, earlier) in &pairs {
            if rank[later] <= rank[earlier] && rank[earlier] < objects.len() {
                rank[later] = rank[earlier] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut ranked: Vec<_> = rank.into_iter().zip(objects.iter().copied()).collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    *objects = ranked.into_iter().map(|(_, object)| object).collect();
}

/// The maximum number of cells of a sparse grid: a grid with more cells is drawn only if a sixteenth of them are places.
const MOST_CELLS: usize = 10_000;

/// A row of cells.
struct Row {
    name: Option<String>,
    cells: Vec<Option<Vec<String>>>,
}

impl Row {
    const fn unnamed(cells: Vec<Option<Vec<String>>>) -> Self {
        Self { name: None, cells }
    }
}

/// Returns the cells of a grid from the top.
fn cells(grid: &Grid, world: &DrawnProblem, facts: &Facts<'_>) -> Vec<Row> {
    if let Some(pattern) = &grid.cells {
        return CellNames::parse(pattern).map_or_else(Vec::new, |pattern| patterned(world, &pattern));
    }
    let of_type = |of: &Named| {
        let objects = world.objects.iter().filter(|object| object.is(of.get_ref()));
        objects.map(|object| object.name.clone()).collect::<Vec<_>>()
    };
    if let Some(numbered) = &grid.numbered {
        let names = of_type(numbered);
        let width = grid
            .beside
            .as_ref()
            .map_or(0, |beside| width(&names, facts.of(beside.get_ref())));
        let width = if width > 0 {
            width
        } else {
            (names.len() as f64).sqrt().ceil() as usize
        };
        let rows = names.chunks(width.max(1));
        return rows
            .map(|row| Row::unnamed(row.iter().map(|name| Some(vec![name.clone()])).collect()))
            .collect();
    }
    if let (Some(columns), Some(rows)) = (&grid.columns, &grid.rows) {
        let columns = of_type(columns);
        let cell = |row: &String| {
            let cells = columns
                .iter()
                .map(|column| Some(vec![column.clone(), row.clone()]));
            Row::unnamed(cells.collect())
        };
        return of_type(rows).iter().rev().map(cell).collect();
    }
    grid.row_of
        .as_ref()
        .map_or_else(Vec::new, |fact| by_fact(world, facts.of(fact.get_ref())))
}

/// Returns the cells whose names match the pattern.
fn patterned(world: &DrawnProblem, pattern: &CellNames) -> Vec<Row> {
    let placed = world.objects.iter();
    let placed = placed.filter_map(|object| Some((pattern.place(&object.name)?, &object.name)));
    let placed: Vec<_> = placed.collect();
    let (rows, columns): (Vec<_>, Vec<_>) = placed.iter().map(|&(place, _)| place).unzip();
    let first = |numbers: &[usize]| usize::from(!numbers.contains(&0));
    let (top, left) = (first(&rows), first(&columns));
    let size = |numbers: &[usize], first: usize| numbers.iter().max().map_or(0, |last| last + 1 - first);
    let (height, width) = (size(&rows, top), size(&columns, left));
    // A sparse grid would consist almost entirely of walls.
    if height * width > (16 * placed.len()).max(MOST_CELLS) {
        return Vec::new();
    }
    let mut cells = vec![vec![None; width]; height];
    for ((row, column), name) in placed {
        cells[row - top][column - left] = Some(vec![name.clone()]);
    }
    cells.into_iter().map(Row::unnamed).collect()
}

/// Returns the number of columns of numbered cells: the smallest distance greater than one between two neighbours.
fn width(names: &[String], beside: &[&crate::problem::NamedFact]) -> usize {
    let number = |name: &String| names.iter().position(|other| other == name);
    let distance = |atom: &&crate::problem::NamedFact| match atom.arguments.as_slice() {
        [one, other] => Some(number(one)?.abs_diff(number(other)?)),
        _ => None,
    };
    let first = names.first();
    let from_first = beside.iter().filter(|atom| atom.arguments.first() == first);
    from_first
        .filter_map(distance)
        .filter(|&distance| distance > 1)
        .min()
        .unwrap_or(0)
}

/// Returns the rows given by facts of cells and rows, in order of declaration.
fn by_fact(world: &DrawnProblem, facts: &[&crate::problem::NamedFact]) -> Vec<Row> {
    let order = |name: &String| {
        let mut objects = world.objects.iter();
        objects
            .position(|object| object.name == *name)
            .unwrap_or(usize::MAX)
    };
    let mut rows = BTreeMap::<(usize, &String), BTreeMap<usize, &String>>::new();
    for atom in facts {
        if let [cell, row] = atom.arguments.as_slice() {
            rows.entry((order(row), row))
                .or_default()
                .insert(order(cell), cell);
        }
    }
    let row = |((_, name), cells): ((usize, &String), BTreeMap<usize, &String>)| Row {
        name: Some(name.clone()),
        cells: cells.into_values().map(|cell| Some(vec![cell.clone()])).collect(),
    };
    rows.into_iter().map(row).collect()
}
