//! Graphs of typed expressions with constant folding and sharing.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fxhash::FxHasher;
use hashbrown::HashTable;
use herbrand_distributions::{Family, Site, WeightKind};

use crate::math::is_probability;
use crate::operation::{Absent, BinaryOp, NaryOp, NodeId, Operation, UnaryOp, ValueType, VectorOp};
use crate::template::Template;

/// A graph of expressions under construction.
///
/// Operands precede the nodes that use them. Constants are folded, and equal expressions become one node. Random draws
/// and expressions that can fail are never shared, so each is evaluated exactly where it is written. The methods that
/// add nodes return them; pass the nodes of interest to [`Tape::compile`](super::Tape::compile) or
/// [`BatchTape::compile`](super::BatchTape::compile).
#[derive(Clone, Debug, Default)]
pub struct Graph {
    operations: Vec<Operation>,
    kinds: Vec<ValueType>,
    /// Whether evaluating the node, or one of its transitive operands, can fail.
    fallible: Vec<bool>,
    /// The shareable nodes with the hashes of their operations. A different hash rules out equality without comparing
    /// operations.
    known: HashTable<(u64, u32)>,
    /// The total length of all operand lists.
    listed: u64,
    tables: Vec<Table>,
    templates: Vec<Arc<Template>>,
    /// The size of tables and templates in bytes.
    attached: u64,
}

/// An array of constants of one kind, added to a graph by [`Graph::table`].
#[derive(Clone, PartialEq, Debug)]
pub enum Table {
    /// Bools.
    Bools(Arc<[bool]>),
    /// Ints.
    Ints(Arc<[i64]>),
    /// Reals.
    Reals(Arc<[f64]>),
}

impl Table {
    /// Returns the kind of the array's elements.
    #[must_use]
    pub const fn kind(&self) -> ValueType {
        match self {
            Self::Bools(_) => ValueType::Bool,
            Self::Ints(_) => ValueType::Int,
            Self::Reals(_) => ValueType::Real,
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Bools(all) => all.len() as u64,
            Self::Ints(all) => 8 * all.len() as u64,
            Self::Reals(all) => 8 * all.len() as u64,
        }
    }
}

fn hash_of(operation: &Operation) -> u64 {
    let mut hasher = FxHasher::default();
    operation.hash(&mut hasher);
    // The hash table takes buckets from the low bits and tags from the high bits. FxHash leaves both weak.
    let hash = hasher.finish();
    (hash ^ (hash >> 32))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(26)
}

impl Graph {
    /// Creates an empty graph.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of nodes in the graph.
    #[must_use]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Returns `true` if the graph has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The maximum number of nodes in a graph.
    pub const MOST: u32 = 1 << 30;

    /// Returns `true` if the graph has [`MOST`](Self::MOST) nodes or more. Callers must not add nodes then, which the
    /// methods that add nodes do not check.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len() >= Self::MOST as usize
    }

    /// Returns the approximate memory use of the graph in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let node =
            size_of::<Operation>() + size_of::<ValueType>() + size_of::<bool>() + 2 * size_of::<(u64, u32)>();
        (self.len() * node) as u64 + self.listed * size_of::<NodeId>() as u64 + self.attached
    }

    /// Returns the node of the zero of a kind: `false`, `0` or `0.0`.
    pub fn zero(&mut self, kind: ValueType) -> NodeId {
        match kind {
            ValueType::Bool => self.bool(false),
            ValueType::Int => self.int(0),
            ValueType::Real => self.real(0.0),
        }
    }

    /// Returns `true` if evaluating the node or one of its operands can fail, for example because of a division of ints
    /// by zero or a parameter out of range. Panics if the node is not of this graph.
    #[must_use]
    pub fn is_fallible(&self, node: NodeId) -> bool {
        self.fallible[node.id as usize]
    }

    /// Returns the operation of a node, with its operands. Panics if the node is not of this graph.
    #[must_use]
    pub fn operation(&self, node: NodeId) -> &Operation {
        &self.operations[node.id as usize]
    }

    /// Returns the nodes from number `first` on, in ascending order: operands come first. There are none if the graph
    /// has no such number.
    pub fn nodes_from(&self, first: usize) -> impl Iterator<Item = NodeId> + use<> {
        let kinds: Vec<ValueType> = self.kinds.get(first..).unwrap_or_default().to_vec();
        (first as u32..).zip(kinds).map(|(id, kind)| NodeId { id, kind })
    }

    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<'_> {
        let count = self.kinds.len() as u32;
        (0..count).map(|id| NodeId {
            id,
            kind: self.kinds[id as usize],
        })
    }

    /// Returns the transitive operands of `values`, `values` included, in ascending order: operands come first. Panics
    /// if a node is not of this graph.
    #[must_use]
    pub fn needed(&self, values: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut is_needed = vec![false; self.len()];
        values
            .into_iter()
            .for_each(|node| is_needed[node.id as usize] = true);
        for node in self.nodes().rev() {
            if is_needed[node.id as usize] {
                self.operation(node)
                    .operands(|operand| is_needed[operand.id as usize] = true);
            }
        }
        self.nodes().filter(|node| is_needed[node.id as usize]).collect()
    }

    /// Returns the node of an operation. Reuses an equal node if there is one and the operation itself cannot fail.
    pub(super) fn shared(&mut self, operation: Operation, kind: ValueType) -> NodeId {
        if self.can_fail(&operation) {
            return self.own(operation, kind);
        }
        let hash = hash_of(&operation);
        let (operations, kinds) = (&self.operations, &self.kinds);
        let same = |&(of, id): &(u64, u32)| {
            of == hash && kinds[id as usize] == kind && operations[id as usize] == operation
        };
        if let Some(&(_, id)) = self.known.find(hash, same) {
            return NodeId { id, kind };
        }
        let node = self.own(operation, kind);
        self.known.insert_unique(hash, (hash, node.id), |&(of, _)| of);
        node
    }

    /// Adds a node that is never shared.
    fn own(&mut self, operation: Operation, kind: ValueType) -> NodeId {
        let id = u32::try_from(self.operations.len()).unwrap_or(u32::MAX);
        let mut fallible = self.can_fail(&operation);
        operation.operands(|operand| fallible |= self.is_fallible(operand));
        self.listed += operation.list_len() as u64;
        self.operations.push(operation);
        self.kinds.push(kind);
        self.fallible.push(fallible);
        NodeId { id, kind }
    }

    /// Returns whether the operation can fail even if its operands have values.
    pub(super) fn can_fail(&self, operation: &Operation) -> bool {
        let known = |node: NodeId| self.as_real(node);
        match operation {
            Operation::Fail(_) => true,
            Operation::Unary(op, _) => {
                matches!(
                    op,
                    UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Sign
                )
            }
            Operation::Binary(BinaryOp::DivInt | BinaryOp::ModInt, _, b) => {
                self.as_int(*b).is_none_or(|b| b == 0)
            }
            Operation::Binary(BinaryOp::PowInt, _, b) => self.as_int(*b).is_none_or(|b| b < 0),
            Operation::Bernoulli(p, _) => !self.is_probability(*p),
            Operation::Draw(family, a, b, _) => match (known(*a), known(*b)) {
                // A drawn count may be too large.
                (Some(a), Some(b)) => family.check(a, b).is_err() || a > 1e9,
                (None, Some(b)) if *family == Family::Normal => family.check(0.0, b).is_err(),
                _ => true,
            },
            Operation::Choose(choice, weights, _) => {
                let weights: Option<Vec<f64>> = weights.iter().map(|&node| known(node)).collect();
                weights.is_none_or(|weights| choice.total(&weights).is_err())
            }
            Operation::Vector(op, ..) => !matches!(op, VectorOp::Determinant | VectorOp::PseudoInverse),
            Operation::Template(number, _) => self.template(*number).is_fallible(),
            _ => false,
        }
    }

    /// Returns whether the node is known to be a probability, whatever the inputs are.
    fn is_probability(&self, node: NodeId) -> bool {
        match self.operation(node) {
            Operation::Real(bits) => is_probability(*bits),
            Operation::ByCount(_, values) => values.iter().copied().all(is_probability),
            _ => false,
        }
    }

    /// Replaces the operation of a node. The node keeps its number and its kind.
    pub(super) fn replace(&mut self, node: NodeId, operation: Operation) {
        self.listed += operation.list_len() as u64;
        self.operations[node.id as usize] = operation;
    }

    /// Recomputes which nodes can fail. Call it after [`replace`](Self::replace).
    pub(super) fn find_fallible(&mut self) {
        for id in 0..self.operations.len() {
            let mut fallible = self.can_fail(&self.operations[id]);
            self.operations[id].operands(|operand| fallible |= self.is_fallible(operand));
            self.fallible[id] = fallible;
        }
    }

    /// Returns the node of an expression of kind `kind` whose evaluation always fails with the reason `why`
    /// ([`ValueError::Absent`](super::ValueError::Absent)).
    pub fn fail(&mut self, why: Absent, kind: ValueType) -> NodeId {
        self.own(Operation::Fail(why), kind)
    }

    /// Adds a bool constant, unless the graph has it, and returns its node.
    pub fn bool(&mut self, value: bool) -> NodeId {
        self.shared(Operation::Bool(value), ValueType::Bool)
    }

    /// Adds an int constant, unless the graph has it, and returns its node.
    pub fn int(&mut self, value: i64) -> NodeId {
        self.shared(Operation::Int(value), ValueType::Int)
    }

    /// Adds a real constant, unless the graph has it, and returns its node.
    pub fn real(&mut self, value: f64) -> NodeId {
        self.shared(Operation::Real(value.to_bits()), ValueType::Real)
    }

    /// Returns the node of an input: the caller sets it in the register with number `register` of kind `kind` before a
    /// run. Registers are numbered from 0 within each kind, and the number must be below that of the
    /// [`Layout`](super::Layout) with which the program is compiled.
    pub fn input(&mut self, kind: ValueType, register: u32) -> NodeId {
        self.shared(Operation::Input(register), kind)
    }

    /// Returns the value of a bool constant; `None` for any other node. Panics if the node is not of this graph.
    #[must_use]
    pub fn as_bool(&self, node: NodeId) -> Option<bool> {
        match *self.operation(node) {
            Operation::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of an int constant; `None` for any other node. Panics if the node is not of this graph.
    #[must_use]
    pub fn as_int(&self, node: NodeId) -> Option<i64> {
        match *self.operation(node) {
            Operation::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of a real constant; `None` for any other node. Panics if the node is not of this graph.
    #[must_use]
    pub fn as_real(&self, node: NodeId) -> Option<f64> {
        match *self.operation(node) {
            Operation::Real(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Converts the value of a node to a real. Bools become 0 and 1.
    pub fn to_real(&mut self, node: NodeId) -> NodeId {
        match node.kind {
            ValueType::Bool => self.unary(UnaryOp::BoolToReal, node),
            ValueType::Int => self.unary(UnaryOp::IntToReal, node),
            ValueType::Real => node,
        }
    }

    /// Converts the value of a bool node to the int 0 or 1. Ints and reals are returned unchanged.
    pub fn to_int(&mut self, node: NodeId) -> NodeId {
        match node.kind {
            ValueType::Bool => self.unary(UnaryOp::BoolToInt, node),
            ValueType::Int | ValueType::Real => node,
        }
    }

    /// Converts the value of a node to `kind` if that is a wider kind (bool < int < real). Otherwise returns it unchanged.
    pub fn widened(&mut self, node: NodeId, kind: ValueType) -> NodeId {
        match kind {
            ValueType::Bool => node,
            ValueType::Int => self.to_int(node),
            ValueType::Real => self.to_real(node),
        }
    }

    /// Converts two nodes to a common numeric kind: reals if either is a real, ints otherwise. Bools become 0 or 1. The
    /// returned nodes are in the order of the operands.
    pub fn matched(&mut self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        let kind = a.kind.max(b.kind).max(ValueType::Int);
        (self.widened(a, kind), self.widened(b, kind))
    }

    /// Returns the node with the value of `then` if `condition` holds and of `otherwise` if not, both converted to the
    /// wider of their kinds. Only the selected operand is evaluated.
    pub fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        let kind = then.kind.max(otherwise.kind);
        let (then, otherwise) = (self.widened(then, kind), self.widened(otherwise, kind));
        if then == otherwise && !self.is_fallible(condition) {
            return then;
        }
        match self.as_bool(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        if let &Operation::Unary(UnaryOp::Not, negated) = self.operation(condition) {
            return self.select(negated, otherwise, then);
        }
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => self.not(condition),
            _ => self.shared(Operation::If(condition, then, otherwise), kind),
        }
    }

    /// Returns the node of the element of `list` at the position that `index` evaluates to. An index outside the list
    /// selects the last element. The list must not be empty, and its elements must be of one kind. Panics if the list
    /// is empty.
    pub fn gather(&mut self, index: NodeId, list: Vec<NodeId>) -> NodeId {
        if let Some(place) = self.as_int(index) {
            let last = list.len() - 1;
            return list[usize::try_from(place).unwrap_or(last).min(last)];
        }
        if list.iter().all(|node| *node == list[0]) && !self.is_fallible(index) {
            return list[0];
        }
        let kind = list[0].kind;
        self.shared(Operation::Gather(index, list.into()), kind)
    }

    /// Returns the negation of a bool node.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.unary(UnaryOp::Not, a)
    }

    /// Returns the node of a random bool that is true with probability `p`. `p` may be of any kind. `site` is the
    /// number of the draw, by which the run gets its random number from its `draws`; choose another one for each draw.
    /// If `p` is the constant 0 or 1, the node is a constant and nothing is drawn. A `p` that is no probability makes
    /// the run fail.
    pub fn bernoulli(&mut self, p: NodeId, site: Site) -> NodeId {
        let p = self.to_real(p);
        match self.as_real(p) {
            Some(0.0) => return self.bool(false),
            Some(1.0) => return self.bool(true),
            _ => {}
        }
        self.own(Operation::Bernoulli(p, site.0), ValueType::Bool)
    }

    /// Returns the node of a draw at `site` from a univariate distribution with the parameters `first` and `second`;
    /// `second` is `None` if the family has one parameter; for a family with two, `None` counts as 0. The draw is an
    /// int if the family draws integers, else a real. Parameters for which the distribution is not defined make the
    /// run fail, and so does a count of 2^53 or more.
    pub fn draw(&mut self, family: Family, first: NodeId, second: Option<NodeId>, site: Site) -> NodeId {
        let first = self.to_real(first);
        let second = match second {
            Some(second) => self.to_real(second),
            None => self.real(0.0),
        };
        let kind = if family.is_counting() {
            ValueType::Int
        } else {
            ValueType::Real
        };
        self.own(Operation::Draw(family, first, second, site.0), kind)
    }

    /// Returns the node of a draw at `site` of a position in a list of weights, as an int that counts from 0. `choice`
    /// says whether the weights are probabilities. Weights from which no draw is possible make the run fail.
    pub fn choose(&mut self, choice: WeightKind, weights: Vec<NodeId>, site: Site) -> NodeId {
        let weights: Vec<NodeId> = weights.into_iter().map(|node| self.to_real(node)).collect();
        self.own(Operation::Choose(choice, weights.into(), site.0), ValueType::Int)
    }

    /// Returns the nodes of the results of a vector operation of size `n`, such as an n × n matrix inverse. [`VectorOp`]
    /// lists the operands; matrices are given row by row, and matrix results are returned so. `site` is the first of
    /// the n + 1 sites that the draw may use, ignored if the operation draws nothing. The number of operands is not
    /// checked.
    pub fn vector(&mut self, op: VectorOp, n: usize, operands: Vec<NodeId>, site: Site) -> Vec<NodeId> {
        let operands: Vec<NodeId> = operands.into_iter().map(|node| self.to_real(node)).collect();
        let operation = Operation::Vector(op, n as u32, operands.into(), site.0);
        let whole = if op.is_draw() {
            self.own(operation, ValueType::Real)
        } else {
            self.shared(operation, ValueType::Real)
        };
        let outputs = 0..op.outputs(n) as u32;
        outputs
            .map(|place| self.shared(Operation::Component(whole, place), ValueType::Real))
            .collect()
    }

    /// Returns the node of an array of constants: an operand for [`expand`](Self::expand), or the argument of
    /// [`element`](Self::element). Arrays are not shared, even if they are equal.
    pub fn table(&mut self, table: Table) -> NodeId {
        let (number, kind) = (self.tables.len() as u32, table.kind());
        self.attached += table.bytes();
        self.tables.push(table);
        self.own(Operation::Table(number), kind)
    }

    /// Returns the node of an array of the values of these nodes, which must be of one kind. The list must not be
    /// empty. Panics if the list is empty.
    pub fn pack(&mut self, list: Vec<NodeId>) -> NodeId {
        let kind = list[0].kind;
        self.shared(Operation::Pack(list.into()), kind)
    }

    /// Returns the array of the values of these nodes, without copies, if they are inputs in consecutive registers of
    /// ascending number; `None` otherwise. Use [`pack`](Self::pack) then. An empty list gives `None` too. All inputs
    /// must be of one kind, which is not checked.
    #[must_use]
    pub fn consecutive_inputs(&self, list: &[NodeId]) -> Option<NodeId> {
        let register = |node: &NodeId| match *self.operation(*node) {
            Operation::Input(register) => Some(register),
            _ => None,
        };
        let first = register(list.first()?)?;
        let mut expected = first..;
        let follow = list.iter().all(|node| register(node) == expected.next());
        follow.then(|| list[0])
    }

    /// Applies a template to operand arrays and returns the node of the array of its values. Read them by
    /// [`element`](Self::element). `operands` has an array for each operand number that the template's
    /// [`Body`](super::Body) mentions; a run panics if one is missing or too short. Equal templates are stored once.
    pub fn expand(&mut self, template: Template, operands: Vec<NodeId>) -> NodeId {
        let kind = template.kind();
        let known = self.templates.iter().position(|one| **one == template);
        let number = known.unwrap_or_else(|| {
            self.attached += template.bytes();
            self.templates.push(Arc::new(template));
            self.templates.len() - 1
        });
        self.shared(Operation::Template(number as u32, operands.into()), kind)
    }

    /// Returns the node of the element at position `place` of an array: an input array, a table, a packed list, or the
    /// values of a template. Positions count from 0. Panics if a constant or packed array has no such position; for
    /// other arrays the position is not checked.
    pub fn element(&mut self, array: NodeId, place: u32) -> NodeId {
        match *self.operation(array) {
            Operation::Input(first) => self.input(array.kind, first + place),
            Operation::Table(number) => match &self.tables[number as usize] {
                Table::Bools(all) => {
                    let value = all[place as usize];
                    self.bool(value)
                }
                Table::Ints(all) => {
                    let value = all[place as usize];
                    self.int(value)
                }
                Table::Reals(all) => {
                    let value = all[place as usize];
                    self.real(value)
                }
            },
            Operation::Pack(ref list) => list[place as usize],
            _ => self.shared(Operation::Component(array, place), array.kind),
        }
    }

    /// Returns, in the graph of a template's body, the node of the element at position `index`, an int, of a table. The
    /// position counts from the row's place in the table; outside the table, it reads the last element. `table` is the
    /// number that [`Body::table`](super::Body::table) returned, and `kind` is the kind of its elements.
    pub fn lookup(&mut self, table: u32, index: NodeId, kind: ValueType) -> NodeId {
        self.shared(Operation::Lookup(table, index), kind)
    }

    pub(super) fn template(&self, number: u32) -> &Arc<Template> {
        &self.templates[number as usize]
    }

    pub(super) fn table_of(&self, number: u32) -> &Table {
        &self.tables[number as usize]
    }

    pub(super) fn plain(&mut self, op: UnaryOp, a: NodeId, kind: ValueType) -> NodeId {
        self.shared(Operation::Unary(op, a), kind)
    }

    pub(super) fn plain_binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId, kind: ValueType) -> NodeId {
        self.shared(Operation::Binary(op, a, b), kind)
    }

    pub(super) fn plain_nary(&mut self, op: NaryOp, list: Vec<NodeId>, kind: ValueType) -> NodeId {
        self.shared(Operation::Nary(op, list.into()), kind)
    }
}
