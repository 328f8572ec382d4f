//! Templates under construction: within a template, values are read by row.
//!
//! While a template is lowered, [`Lowering::graph`] is the graph of its body, and variables may be bound to rows instead of
//! items. Fluents, items and draw sites are then inputs of the body. Each has an [`Index`] that is linear in the items of
//! the row.

use herbrand_dataflow::{BinaryOp, Body, Graph, Groups, Index, Input, Lookup, NodeId, ValueType};
use herbrand_distributions::Site;
use herbrand_rddl::{DrawId, Expression, Node, PvariableId, PvariableKind, Time, Value, VariableId};

use super::lower::{Lowering, register};

/// The binding of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Item(u32),
    /// The item of each row on this axis.
    Row(usize),
}

/// The rows of a template.
#[derive(Debug)]
pub(super) struct Rows {
    space: Space,
    groups: Groups,
    count: u32,
}

/// The items of the rows.
#[derive(Debug)]
pub(super) enum Space {
    /// All combinations of items, in row order. Each number is the size of an axis.
    Grid(Vec<u32>),
    /// By axis: the item of each row.
    Listed(Vec<Vec<u32>>),
}

/// The maximum number of rows of a template.
const MOST: u64 = Graph::MOST as u64;

impl Rows {
    /// Creates rows in groups; `None` if a grid has no rows, or if there are too many rows.
    pub(super) fn new(space: Space, groups: Groups) -> Option<Self> {
        let count = match &space {
            Space::Grid(sizes) => sizes
                .iter()
                .fold(1_u64, |count, &size| count.saturating_mul(u64::from(size))),
            Space::Listed(columns) => columns.first()?.len() as u64,
        };
        let some = count > 0 || matches!(space, Space::Listed(_));
        (some && count <= MOST).then_some(Self {
            space,
            groups,
            count: count as u32,
        })
    }

    /// Returns the index that starts at `start` and grows by these strides with the items on the axes.
    fn index(&self, start: u32, strides: &[u32]) -> Index {
        match &self.space {
            Space::Grid(sizes) => Index::strided(start, sizes.iter().copied().zip(strides.iter().copied())),
            Space::Listed(columns) => {
                let number = |row: usize| {
                    let along = columns
                        .iter()
                        .zip(strides)
                        .map(|(items, stride)| items[row].wrapping_mul(*stride));
                    along.fold(start, u32::wrapping_add)
                };
                Index::Listed((0..self.count as usize).map(number).collect())
            }
        }
    }
}

/// A template under construction.
#[derive(Debug)]
pub(super) struct Frame {
    /// The enclosing graph, which becomes current again when the template is finished.
    pub(super) beneath: Graph,
    body: Body,
    axes: Vec<VariableId>,
    rows: Rows,
    /// Array operands, in the graph of the step.
    operands: Vec<NodeId>,
}

impl Frame {
    /// Returns the variables that are bound to rows.
    pub(super) fn axes(&self) -> &[VariableId] {
        &self.axes
    }

    /// Returns the number of an operand, adding it if it is new.
    fn operand(&mut self, array: NodeId) -> u32 {
        let known = self.operands.iter().position(|&one| one == array);
        known.unwrap_or_else(|| {
            self.operands.push(array);
            self.operands.len() - 1
        }) as u32
    }

    /// Returns an index that starts at `start` and grows by these strides along the axes.
    fn index(&self, start: u32, strides: &[(usize, u32)]) -> Index {
        let mut along = vec![0_u32; self.axes.len()];
        for &(axis, stride) in strides {
            along[axis] = along[axis].wrapping_add(stride);
        }
        self.rows.index(start, &along)
    }
}

/// An index under construction: its start, and its strides along the axes.
#[derive(Default)]
struct Linear {
    start: u32,
    strides: Vec<(usize, u32)>,
}

impl Linear {
    fn add(&mut self, bound: Bound, stride: u32) {
        match bound {
            Bound::Item(item) => self.start = self.start.wrapping_add(item.wrapping_mul(stride)),
            Bound::Row(axis) => self.strides.push((axis, stride)),
        }
    }
}

impl Lowering<'_> {
    /// Returns the graph of the step, outside of all templates.
    pub(super) fn step(&mut self) -> &mut Graph {
        match self.frames.first_mut() {
            Some(frame) => &mut frame.beneath,
            None => &mut self.graph,
        }
    }

    /// Builds a template for rows with these variables and returns the array of its values, in the graph of the step. `None`
    /// if some part has to be compiled for each binding.
    pub(super) fn expand(
        &mut self,
        axes: &[VariableId],
        rows: Rows,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> Option<NodeId> {
        let items = self.items.clone();
        for (axis, variable) in axes.iter().enumerate() {
            self.items[variable.index()] = Bound::Row(axis);
        }
        self.frames.push(Frame {
            beneath: std::mem::take(&mut self.graph),
            body: Body::default(),
            axes: axes.to_vec(),
            rows,
            operands: Vec::new(),
        });
        let lazy = std::mem::replace(&mut self.lazy, false);
        let value = body(self);
        self.lazy = lazy;
        self.items = items;
        let Frame {
            beneath,
            body,
            rows,
            operands,
            ..
        } = self.frames.pop()?;
        let graph = std::mem::replace(&mut self.graph, beneath);
        if self.refused || self.meter.is_spent() {
            return None;
        }
        let template = body
            .finish(&graph, value, rows.count, rows.groups, &mut self.meter)
            .ok()?;
        let array = self.step().expand(template, operands);
        // All rows of a template are evaluated, but a value that can fail must be evaluated only if needed.
        let inside = !self.frames.is_empty();
        self.refused = inside && self.lazy && self.step().is_fallible(array);
        (!self.refused).then_some(array)
    }

    /// Lowers an expression that depends on no row, so that it is computed once before the current template.
    pub(super) fn ahead(&mut self, expression: &Expression) -> NodeId {
        let Some(first) = self.frames.first_mut() else {
            return self.lower(expression);
        };
        std::mem::swap(&mut self.graph, &mut first.beneath);
        let frames = std::mem::take(&mut self.frames);
        let value = self.lower(expression);
        let missing = self.lazy && self.graph.is_fallible(value);
        let array = self.graph.pack(vec![value]);
        self.frames = frames;
        if let Some(first) = self.frames.first_mut() {
            std::mem::swap(&mut self.graph, &mut first.beneath);
        }
        self.refused |= missing;
        self.read(array, &Linear::default())
    }

    /// Reads an array of the step's graph by row. `variables` determine the position, in row order.
    pub(super) fn by_row(&mut self, array: NodeId, variables: &[VariableId]) -> NodeId {
        let mut linear = Linear::default();
        let mut stride = 1_u32;
        for variable in variables.iter().rev() {
            linear.add(self.items[variable.index()], stride);
            stride = stride.wrapping_mul(self.size_of(*variable));
        }
        self.read(array, &linear)
    }

    fn read(&mut self, array: NodeId, linear: &Linear) -> NodeId {
        let Some(frame) = self.frames.last_mut() else {
            return array;
        };
        let operand = frame.operand(array);
        let index = frame.index(linear.start, &linear.strides);
        let register = frame.body.input(array.kind(), Input::Value { operand, index });
        self.graph.input(array.kind(), register)
    }

    /// Returns the item of each row on an axis.
    pub(super) fn row_item(&mut self, axis: usize) -> NodeId {
        let Some(frame) = self.frames.last_mut() else {
            return self.graph.int(0);
        };
        let index = frame.index(0, &[(axis, 1)]);
        let register = frame.body.input(ValueType::Int, Input::Item(index));
        self.graph.input(ValueType::Int, register)
    }

    /// Returns the number, within the body of a template, of a draw's site in each row.
    pub(super) fn site_of_rows(&mut self, draw: DrawId) -> Site {
        let (start, strides) = self.sites.linear(draw);
        let mut linear = Linear {
            start,
            ..Linear::default()
        };
        let scope = &self.instance.domain.draw(draw).scope;
        for (variable, stride) in scope.iter().zip(strides) {
            linear.add(self.items[variable.index()], stride);
        }
        let Some(frame) = self.frames.last_mut() else {
            return Site(0);
        };
        let index = frame.index(linear.start, &linear.strides);
        Site(frame.body.site(index))
    }

    /// Returns the value of a fluent in each row.
    pub(super) fn fluent_of_rows(&mut self, id: PvariableId, time: Time, arguments: &[Expression]) -> NodeId {
        let sizes: Vec<u32> = {
            let parameters = &self.instance.domain.pvariable(id).parameters;
            parameters.iter().map(|&of| self.instance.size(of)).collect()
        };
        let mut linear = Linear::default();
        let mut computed: Option<NodeId> = None;
        let mut stride = 1_u32;
        for (argument, &size) in arguments.iter().zip(&sizes).rev() {
            let bound = match argument.node {
                Node::Variable(variable) => Some(self.items[variable.index()]),
                Node::Literal(Value::Item(item)) => Some(Bound::Item(item)),
                _ => None,
            };
            match bound {
                Some(bound) => linear.add(bound, stride),
                None => {
                    let item = self.lower(argument);
                    let stride = self.graph.int(i64::from(stride));
                    let along = self.graph.binary(BinaryOp::MulInt, item, stride);
                    computed = Some(match computed {
                        Some(sum) => self.graph.binary(BinaryOp::AddInt, sum, along),
                        None => along,
                    });
                }
            }
            stride = stride.wrapping_mul(size);
        }
        match computed {
            Some(place) => self.look_up(id, time, &linear, place),
            None => self.plain_fluent(id, time, &linear),
        }
    }

    fn plain_fluent(&mut self, id: PvariableId, time: Time, linear: &Linear) -> NodeId {
        let is_constant = self.instance.domain.pvariable(id).kind == PvariableKind::NonFluent;
        if linear.strides.is_empty() && is_constant {
            let value = self.constant_at(id, linear.start);
            return self.constant(value);
        }
        let array = self.array(id, time);
        self.read(array, linear)
    }

    /// Reads a fluent at a computed position.
    fn look_up(&mut self, id: PvariableId, time: Time, linear: &Linear, place: NodeId) -> NodeId {
        let len = self.instance.count(id) as u32;
        if len == 0 {
            // The pvariable has no ground variables. The ordinary lowering reports that.
            self.refused = true;
            return self
                .graph
                .zero(register(self.instance.domain.pvariable(id).range));
        }
        let array = self.array(id, time);
        let Some(frame) = self.frames.last_mut() else {
            return array;
        };
        let operand = frame.operand(array);
        let index = frame.index(linear.start, &linear.strides);
        let table = frame.body.table(Lookup { operand, len, index });
        let kind = register(self.instance.domain.pvariable(id).range);
        self.graph.lookup(table, place, kind)
    }

    /// Runs `lower` for an expression that, if `if_asked`, is evaluated only conditionally.
    pub(super) fn lazily<T>(&mut self, if_asked: bool, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.lazy;
        self.lazy |= if_asked;
        let value = lower(self);
        self.lazy = before;
        value
    }
}
