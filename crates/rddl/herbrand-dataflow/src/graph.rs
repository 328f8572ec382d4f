//! Graphs of typed expressions with constant folding and sharing.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fxhash::FxHasher;
use hashbrown::HashTable;
use herbrand_distributions::{Choice, Family, Site};

use super::template::Template;
use super::term::{Absent, BinaryOp, NaryOp, NodeId, Term, UnaryOp, ValueType, VectorOp};

/// A graph of expressions under construction.
///
/// Operands precede the nodes that use them. Constants are folded, and equal expressions become one node. Random draws and
/// expressions that can fail are never shared, so each is evaluated exactly where it is written.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    terms: Vec<Term>,
    kinds: Vec<ValueType>,
    /// Whether evaluating the node, or one of its transitive operands, can fail.
    fallible: Vec<bool>,
    /// The shareable nodes with the hashes of their terms. A different hash rules out equality without comparing terms.
    known: HashTable<(u64, u32)>,
    /// The total length of all operand lists.
    listed: u64,
    tables: Vec<Table>,
    templates: Vec<Arc<Template>>,
    /// The size of tables and templates in bytes.
    attached: u64,
}

/// An array of constants of one kind, for [`Graph::table`].
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

fn hash_of(term: &Term) -> u64 {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
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
        self.terms.len()
    }

    /// Returns `true` if the graph has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The maximum number of nodes in a graph.
    pub const MOST: u32 = 1 << 30;

    /// Returns `true` if the graph has [`MOST`](Self::MOST) nodes or more. Callers must not add nodes then.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len() >= Self::MOST as usize
    }

    /// Returns the approximate memory use of the graph in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let node =
            size_of::<Term>() + size_of::<ValueType>() + size_of::<bool>() + 2 * size_of::<(u64, u32)>();
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

    /// Returns `true` if evaluating the node can fail, for example because of a division by zero or a parameter out of
    /// range.
    #[must_use]
    pub fn is_fallible(&self, node: NodeId) -> bool {
        self.fallible[node.id as usize]
    }

    /// Returns the operation of a node, with its operands.
    #[must_use]
    pub fn term(&self, node: NodeId) -> &Term {
        &self.terms[node.id as usize]
    }

    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<'_> {
        let count = self.kinds.len() as u32;
        (0..count).map(|id| NodeId {
            id,
            kind: self.kinds[id as usize],
        })
    }

    /// Returns the transitive operands of `values`, `values` included, in ascending order: operands come first.
    #[must_use]
    pub fn needed(&self, values: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut is_needed = vec![false; self.len()];
        values
            .into_iter()
            .for_each(|node| is_needed[node.id as usize] = true);
        for node in self.nodes().rev() {
            if is_needed[node.id as usize] {
                self.term(node)
                    .operands(|operand| is_needed[operand.id as usize] = true);
            }
        }
        self.nodes().filter(|node| is_needed[node.id as usize]).collect()
    }

    /// Returns the node of a term. Reuses an equal node if there is one and the term itself cannot fail.
    pub(super) fn shared(&mut self, term: Term, kind: ValueType) -> NodeId {
        if self.can_fail(&term) {
            return self.own(term, kind);
        }
        let hash = hash_of(&term);
        let (terms, kinds) = (&self.terms, &self.kinds);
        let same =
            |&(of, id): &(u64, u32)| of == hash && kinds[id as usize] == kind && terms[id as usize] == term;
        if let Some(&(_, id)) = self.known.find(hash, same) {
            return NodeId { id, kind };
        }
        let node = self.own(term, kind);
        self.known.insert_unique(hash, (hash, node.id), |&(of, _)| of);
        node
    }

    /// Adds a node that is never shared.
    fn own(&mut self, term: Term, kind: ValueType) -> NodeId {
        let id = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        let mut fallible = self.can_fail(&term);
        term.operands(|operand| fallible |= self.is_fallible(operand));
        self.listed += term.list_len() as u64;
        self.terms.push(term);
        self.kinds.push(kind);
        self.fallible.push(fallible);
        NodeId { id, kind }
    }

    /// Returns whether the term can fail even if its operands have values.
    pub(super) fn can_fail(&self, term: &Term) -> bool {
        let known = |node: NodeId| self.as_real(node);
        match term {
            Term::Fail(_) => true,
            Term::Unary(op, _) => {
                matches!(
                    op,
                    UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Sign
                )
            }
            Term::Binary(BinaryOp::DivInt | BinaryOp::ModInt, _, b) => self.as_int(*b).is_none_or(|b| b == 0),
            Term::Binary(BinaryOp::PowInt, _, b) => self.as_int(*b).is_none_or(|b| b < 0),
            Term::Bernoulli(p, _) => !self.is_probability(*p),
            Term::Draw(family, a, b, _) => match (known(*a), known(*b)) {
                // A drawn count may be too large.
                (Some(a), Some(b)) => family.check(a, b).is_err() || a > 1e9,
                (None, Some(b)) if *family == Family::Normal => family.check(0.0, b).is_err(),
                _ => true,
            },
            Term::Choose(choice, weights, _) => {
                let weights: Option<Vec<f64>> = weights.iter().map(|&node| known(node)).collect();
                weights.is_none_or(|weights| choice.total(&weights).is_err())
            }
            Term::Vector(op, ..) => !matches!(op, VectorOp::Determinant | VectorOp::PseudoInverse),
            Term::Template(number, _) => self.template(*number).is_fallible(),
            _ => false,
        }
    }

    /// Returns whether the node is known to be a probability, whatever the inputs are.
    fn is_probability(&self, node: NodeId) -> bool {
        match self.term(node) {
            Term::Real(bits) => is_probability(*bits),
            Term::ByCount(_, values) => values.iter().copied().all(is_probability),
            _ => false,
        }
    }

    /// Replaces the term of a node. The node keeps its number and its kind.
    pub(super) fn replace(&mut self, node: NodeId, term: Term) {
        self.listed += term.list_len() as u64;
        self.terms[node.id as usize] = term;
    }

    /// Recomputes which nodes can fail. Call it after [`replace`](Self::replace).
    pub(super) fn find_fallible(&mut self) {
        for id in 0..self.terms.len() {
            let mut fallible = self.can_fail(&self.terms[id]);
            self.terms[id].operands(|operand| fallible |= self.is_fallible(operand));
            self.fallible[id] = fallible;
        }
    }

    /// Returns the node of an expression of this kind that always fails with the reason `why`.
    pub fn fail(&mut self, why: Absent, kind: ValueType) -> NodeId {
        self.own(Term::Fail(why), kind)
    }

    /// Adds a bool constant, unless the graph has it, and returns its node.
    pub fn bool(&mut self, value: bool) -> NodeId {
        self.shared(Term::Bool(value), ValueType::Bool)
    }

    /// Adds an int constant, unless the graph has it, and returns its node.
    pub fn int(&mut self, value: i64) -> NodeId {
        self.shared(Term::Int(value), ValueType::Int)
    }

    /// Adds a real constant, unless the graph has it, and returns its node.
    pub fn real(&mut self, value: f64) -> NodeId {
        self.shared(Term::Real(value.to_bits()), ValueType::Real)
    }

    /// Returns the node of the input in register `register` of a kind.
    pub fn input(&mut self, kind: ValueType, register: u32) -> NodeId {
        self.shared(Term::Input(register), kind)
    }

    /// Returns the value of a bool constant; `None` for any other node.
    #[must_use]
    pub fn as_bool(&self, node: NodeId) -> Option<bool> {
        match *self.term(node) {
            Term::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of an int constant; `None` for any other node.
    #[must_use]
    pub fn as_int(&self, node: NodeId) -> Option<i64> {
        match *self.term(node) {
            Term::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of a real constant; `None` for any other node.
    #[must_use]
    pub fn as_real(&self, node: NodeId) -> Option<f64> {
        match *self.term(node) {
            Term::Real(bits) => Some(f64::from_bits(bits)),
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

    /// Converts two nodes to a common kind: reals if either is a real, ints otherwise.
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
        if let &Term::Unary(UnaryOp::Not, negated) = self.term(condition) {
            return self.select(negated, otherwise, then);
        }
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => self.not(condition),
            _ => self.shared(Term::If(condition, then, otherwise), kind),
        }
    }

    /// Returns the node of the element of `list` at the position that `index` evaluates to. An index outside the list
    /// selects the last element. The list must not be empty, and its elements must be of one kind.
    pub fn gather(&mut self, index: NodeId, list: Vec<NodeId>) -> NodeId {
        if let Some(place) = self.as_int(index) {
            let last = list.len() - 1;
            return list[usize::try_from(place).unwrap_or(last).min(last)];
        }
        if list.iter().all(|node| *node == list[0]) && !self.is_fallible(index) {
            return list[0];
        }
        let kind = list[0].kind;
        self.shared(Term::Gather(index, list.into()), kind)
    }

    /// Returns the negation of a bool node.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.unary(UnaryOp::Not, a)
    }

    /// Returns the node of a draw, at `site`, of a bool that is true with probability `p`.
    pub fn bernoulli(&mut self, p: NodeId, site: Site) -> NodeId {
        let p = self.to_real(p);
        match self.as_real(p) {
            Some(0.0) => return self.bool(false),
            Some(1.0) => return self.bool(true),
            _ => {}
        }
        self.own(Term::Bernoulli(p, site.0), ValueType::Bool)
    }

    /// Returns the node of a draw from a univariate distribution. It is an int if the distribution counts, else a real.
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
        self.own(Term::Draw(family, first, second, site.0), kind)
    }

    /// Returns the node of a draw from a list of weights: the position drawn.
    pub fn choose(&mut self, choice: Choice, weights: Vec<NodeId>, site: Site) -> NodeId {
        let weights: Vec<NodeId> = weights.into_iter().map(|node| self.to_real(node)).collect();
        self.own(Term::Choose(choice, weights.into(), site.0), ValueType::Int)
    }

    /// Applies a vector operation of size `n`, such as a matrix inverse, and returns the nodes of its results. `site`
    /// matters only if the operation draws.
    pub fn vector(&mut self, op: VectorOp, n: usize, operands: Vec<NodeId>, site: Site) -> Vec<NodeId> {
        let operands: Vec<NodeId> = operands.into_iter().map(|node| self.to_real(node)).collect();
        let term = Term::Vector(op, n as u32, operands.into(), site.0);
        let whole = if op.is_draw() {
            self.own(term, ValueType::Real)
        } else {
            self.shared(term, ValueType::Real)
        };
        let outputs = 0..op.outputs(n) as u32;
        outputs
            .map(|place| self.shared(Term::Component(whole, place), ValueType::Real))
            .collect()
    }

    /// Returns the node of an array of constants. Arrays are not shared, even if they are equal.
    pub fn table(&mut self, table: Table) -> NodeId {
        let (number, kind) = (self.tables.len() as u32, table.kind());
        self.attached += table.bytes();
        self.tables.push(table);
        self.own(Term::Table(number), kind)
    }

    /// Returns the node of an array of values of one kind. The list must not be empty.
    pub fn pack(&mut self, list: Vec<NodeId>) -> NodeId {
        let kind = list[0].kind;
        self.shared(Term::Pack(list.into()), kind)
    }

    /// Returns the array formed by these nodes if they are inputs in consecutive registers; `None` otherwise.
    #[must_use]
    pub fn consecutive_inputs(&self, list: &[NodeId]) -> Option<NodeId> {
        let register = |node: &NodeId| match *self.term(*node) {
            Term::Input(register) => Some(register),
            _ => None,
        };
        let first = register(list.first()?)?;
        let mut expected = first..;
        let follow = list.iter().all(|node| register(node) == expected.next());
        follow.then(|| list[0])
    }

    /// Applies a template to operand arrays and returns the array of its values. Equal templates are stored once.
    pub fn expand(&mut self, template: Template, operands: Vec<NodeId>) -> NodeId {
        let kind = template.kind();
        let known = self.templates.iter().position(|one| **one == template);
        let number = known.unwrap_or_else(|| {
            self.attached += template.bytes();
            self.templates.push(Arc::new(template));
            self.templates.len() - 1
        });
        self.shared(Term::Template(number as u32, operands.into()), kind)
    }

    /// Returns the node of the element at position `place` of an array.
    pub fn element(&mut self, array: NodeId, place: u32) -> NodeId {
        match *self.term(array) {
            Term::Input(first) => self.input(array.kind, first + place),
            Term::Table(number) => match &self.tables[number as usize] {
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
            Term::Pack(ref list) => list[place as usize],
            _ => self.shared(Term::Component(array, place), array.kind),
        }
    }

    /// Returns, within the body of a template, the node of the element at position `index`, an int, of the table with this
    /// number.
    pub fn lookup(&mut self, table: u32, index: NodeId, kind: ValueType) -> NodeId {
        self.shared(Term::Lookup(table, index), kind)
    }

    pub(super) fn template(&self, number: u32) -> &Arc<Template> {
        &self.templates[number as usize]
    }

    pub(super) fn table_of(&self, number: u32) -> &Table {
        &self.tables[number as usize]
    }

    pub(super) fn plain(&mut self, op: UnaryOp, a: NodeId, kind: ValueType) -> NodeId {
        self.shared(Term::Unary(op, a), kind)
    }

    pub(super) fn plain_binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId, kind: ValueType) -> NodeId {
        self.shared(Term::Binary(op, a, b), kind)
    }

    pub(super) fn plain_nary(&mut self, op: NaryOp, list: Vec<NodeId>, kind: ValueType) -> NodeId {
        self.shared(Term::Nary(op, list.into()), kind)
    }
}

/// Returns whether the real with these bits is a probability.
pub(super) fn is_probability(bits: u64) -> bool {
    (0.0..=1.0).contains(&f64::from_bits(bits))
}
