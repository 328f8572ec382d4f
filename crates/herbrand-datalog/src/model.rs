//! What an evaluation finds: every fact that holds.

use fxhash::FxHashMap;

use crate::{FactId, Facts, Program, RelationId, Symbol};

/// All facts that hold.
///
/// Facts of non-static relations are numbered in order of discovery: the input facts first, in order of insertion,
/// then derived ones. Facts of static relations have no number and can be asked for by [`Model::contains`].
#[derive(Clone, Debug)]
pub struct Model {
    tables: Vec<Table>,
    facts: Vec<(RelationId, u32)>,
}

#[derive(Clone, Debug)]
struct Table {
    fluent: bool,
    arity: usize,
    symbols: Vec<Symbol>,
    ids: Vec<FactId>,
    rows: FxHashMap<Box<[Symbol]>, u32>,
}

impl Model {
    /// The input facts, which must fit the program.
    pub(crate) fn of_input(program: &Program, facts: &Facts) -> Self {
        let table = |relation: RelationId| Table {
            fluent: !program.is_static(relation),
            arity: program.relations()[relation.index()].arity as usize,
            symbols: Vec::new(),
            ids: Vec::new(),
            rows: FxHashMap::default(),
        };
        let mut model = Self {
            tables: program.relation_ids().map(table).collect(),
            facts: Vec::new(),
        };
        for (relation, tuple) in facts.iter() {
            model.insert(relation, tuple);
        }
        model
    }

    /// Adds a fact unless it is there; its id, and whether it is new.
    pub(crate) fn insert(&mut self, relation: RelationId, tuple: &[Symbol]) -> (FactId, bool) {
        let table = &mut self.tables[relation.index()];
        if let Some(&row) = table.rows.get(tuple) {
            return (
                table.ids.get(row as usize).copied().unwrap_or(FactId::new(0)),
                false,
            );
        }
        let row = table.rows.len() as u32;
        table.rows.insert(tuple.into(), row);
        table.symbols.extend_from_slice(tuple);
        let id = FactId::new(self.facts.len() as u32);
        if table.fluent {
            table.ids.push(id);
            self.facts.push((relation, row));
        }
        (id, true)
    }

    /// The number of facts of non-static relations.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are no facts of non-static relations.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The ids of all facts of non-static relations.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FactId> + use<> {
        (0..self.facts.len() as u32).map(FactId::new)
    }

    /// The relation of a fact.
    pub fn relation(&self, fact: FactId) -> RelationId {
        self.facts[fact.index()].0
    }

    /// The symbols of a fact.
    pub fn tuple(&self, fact: FactId) -> &[Symbol] {
        let (relation, row) = self.facts[fact.index()];
        self.tables[relation.index()].tuple(row as usize)
    }

    /// The number of a fact; `None` if it does not hold or its relation is static.
    pub fn id(&self, relation: RelationId, tuple: &[Symbol]) -> Option<FactId> {
        let table = &self.tables[relation.index()];
        table.ids.get(*table.rows.get(tuple)? as usize).copied()
    }

    /// Whether a fact holds, of any relation.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.tables[relation.index()].rows.contains_key(tuple)
    }

    /// All facts of a relation, in order of discovery.
    pub fn tuples(&self, relation: RelationId) -> impl ExactSizeIterator<Item = &[Symbol]> {
        let table = &self.tables[relation.index()];
        (0..table.rows.len()).map(|row| table.tuple(row))
    }

    /// The ids of a relation's facts, in ascending order; none for a static relation.
    pub fn facts(&self, relation: RelationId) -> &[FactId] {
        &self.tables[relation.index()].ids
    }
}

impl Table {
    fn tuple(&self, row: usize) -> &[Symbol] {
        &self.symbols[row * self.arity..][..self.arity]
    }
}
