//! The result of an evaluation: all facts that hold.

use crate::eval::limits::RuleStatistics;
use crate::plan::columns::Columns;
use crate::plan::explain::JoinPlan;
use crate::program::facts::Facts;
use crate::program::ids::{FactId, RelationId, RuleId, Symbol};
use crate::program::{Atom, Program};
use crate::store::domain::Domains;
use crate::store::rows::{Head, Rows};
use crate::store::tables::Tables;

/// The result of an evaluation: all facts that hold, with counters and join plans.
/// [`Evaluator::run`](crate::Evaluator::run) returns it.
///
/// Facts of non-static relations have ids in order of discovery: first the input facts in order of insertion, then the
/// derived facts. Facts of static relations have no id; [`Model::contains`] and [`Model::tuples`] find them.
///
/// A fact takes four bytes per column, twelve bytes for its ids, and 5 to about 30 bytes in a table from tuples to ids. A
/// relation whose facts can be derived in one way only has no such table until [`Model::id`] needs it.
///
/// ```
/// use herbrand_datalog::{Evaluator, Program};
///
/// let (program, facts) = Program::parse("parent(ann, bob). parent(bob, cem). elder(X, Y) :- parent(X, Y).
///     elder(X, Z) :- elder(X, Y), parent(Y, Z).")?;
/// let model = Evaluator::new(&program)?.run(&facts, &mut ())?;
/// let elder = program.relation_ids().find(|&id| program.relations()[id.index()].name == "elder").expect("a relation");
/// let tuples: Vec<_> = model.ids().filter(|&fact| model.relation(fact) == elder).map(|fact| model.tuple(fact)).collect();
/// assert_eq!(tuples.len(), 3);
/// assert!(tuples.iter().all(|tuple| model.contains(elder, tuple)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) tables: Tables,
    facts: Vec<(RelationId, u32)>,
    pub(crate) plans: Vec<JoinPlan>,
    pub(crate) statistics: Vec<RuleStatistics>,
}

impl Model {
    /// Creates a model of the input facts, which must fit the program. `unique` returns whether the tuples of a relation are
    /// known never to be added twice.
    pub(crate) fn of_input(
        program: &Program,
        facts: &Facts,
        mut domains: Domains,
        columns: &Columns,
        unique: &dyn Fn(RelationId) -> bool,
    ) -> Self {
        let arities: Vec<u32> = program
            .relations()
            .iter()
            .map(|relation| relation.arity)
            .collect();
        let interned: Vec<Vec<_>> = program
            .relation_ids()
            .zip(arities)
            .map(|(relation, arity)| {
                let set = |column| columns.get(relation, column as usize).clone();
                (0..arity).map(|column| domains.intern(set(column))).collect()
            })
            .collect();
        let rows = program
            .relation_ids()
            .zip(interned)
            .map(|(relation, columns)| {
                Rows::new(&domains, columns, !program.is_static(relation), unique(relation))
            })
            .collect();
        let statistics = vec![RuleStatistics::default(); program.rules().len()];
        let tables = Tables::new(domains, rows);
        let mut model = Self {
            tables,
            facts: Vec::new(),
            plans: Vec::new(),
            statistics,
        };
        for (relation, tuple) in facts.iter() {
            model.insert_tuple(relation, tuple);
        }
        model
    }

    /// Adds a tuple unless it exists; returns the id of its fact. The id is meaningless for a static relation.
    pub(crate) fn insert_tuple(&mut self, relation: RelationId, tuple: &[Symbol]) -> FactId {
        let next = FactId::new(self.facts.len() as u32);
        let rows = &mut self.tables.rows[relation.index()];
        let (row, ids) = (rows.len(), rows.ids().len());
        let number = rows.insert_tuple(&self.tables.domains, tuple, next);
        if rows.ids().len() > ids {
            self.facts.push((relation, row));
        }
        FactId::new(number)
    }

    /// Compiles an atom as the head of a rule.
    pub(crate) fn head(&self, atom: Atom) -> Head {
        Head::new(
            &self.tables.rows[atom.relation.index()],
            &self.tables.domains,
            atom,
        )
    }

    /// Borrows the facts for insertion.
    #[inline]
    pub(crate) fn store(&mut self) -> Store<'_> {
        Store {
            domains: &self.tables.domains,
            rows: &mut self.tables.rows,
            facts: &mut self.facts,
        }
    }

    /// Creates a model without relations and facts.
    pub(crate) fn none() -> Self {
        Self {
            tables: Tables::new(Domains::default(), Vec::new()),
            facts: Vec::new(),
            plans: Vec::new(),
            statistics: Vec::new(),
        }
    }

    /// Returns the relation of a fact and its row there.
    #[inline]
    pub(crate) fn place(&self, fact: FactId) -> (RelationId, u32) {
        self.facts[fact.index()]
    }

    /// Returns whether the ids of facts could run out before the next check of the limits.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.facts.len() > u32::MAX as usize / 2
    }

    /// Returns the number of facts of non-static relations in the model.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Returns whether the model contains no fact of a non-static relation. It may still contain facts of static
    /// relations.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Iterates over the ids of all facts of non-static relations, ascending: in order of discovery. Pass them to
    /// [`relation`](Self::relation) and [`tuple`](Self::tuple).
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FactId> + use<> {
        (0..self.facts.len() as u32).map(FactId::new)
    }

    /// Returns the relation of the fact with this id.
    ///
    /// # Panics
    /// If the model has no fact with this id.
    pub fn relation(&self, fact: FactId) -> RelationId {
        self.facts[fact.index()].0
    }

    /// Returns the symbols of the fact with this id, one per column.
    ///
    /// # Panics
    /// If the model has no fact with this id.
    pub fn tuple(&self, fact: FactId) -> &[Symbol] {
        let (relation, row) = self.facts[fact.index()];
        self.tables.rows[relation.index()].tuple(row)
    }

    /// Returns the id of a fact; `None` if the fact does not hold or its relation is static. Also `None` if there is no
    /// such relation, or if the number of symbols is wrong.
    pub fn id(&self, relation: RelationId, tuple: &[Symbol]) -> Option<FactId> {
        let rows = self.tables.rows.get(relation.index())?;
        let number = rows.find_tuple(&self.tables.domains, tuple)?;
        (!rows.ids().is_empty()).then_some(FactId::new(number))
    }

    /// Returns whether a fact holds in the model. Its relation may be static. `false` also if there is no such
    /// relation, or if the number of symbols is wrong.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let rows = self.tables.rows.get(relation.index());
        rows.is_some_and(|rows| rows.find_tuple(&self.tables.domains, tuple).is_some())
    }

    /// Iterates over all tuples of a relation in the model, in order of discovery. Static relations are included. Empty
    /// if no fact of the relation holds.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn tuples(&self, relation: RelationId) -> impl ExactSizeIterator<Item = &[Symbol]> {
        self.tables.rows[relation.index()].tuples()
    }

    /// Returns the ids of a relation's facts, in ascending order; empty for a static relation.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn facts(&self, relation: RelationId) -> &[FactId] {
        self.tables.rows[relation.index()].ids()
    }

    /// Returns how much work the evaluation did for a rule: the number of its firings, and the number of facts tried
    /// for it. The facts tried for folded rules ([`Evaluator::with_folding`](crate::Evaluator::with_folding)) count for
    /// the first of them.
    ///
    /// # Panics
    /// If the program has no rule with this id.
    pub fn statistics(&self, rule: RuleId) -> RuleStatistics {
        self.statistics[rule.index()]
    }

    /// Returns the join plans that the evaluation used, by stratum, then by rule. Rules that cannot fire have no plan,
    /// nor have folded rules ([`Evaluator::with_folding`](crate::Evaluator::with_folding)).
    pub fn plans(&self) -> &[JoinPlan] {
        &self.plans
    }

    /// Returns the memory of the facts and their tables, in bytes.
    pub fn bytes(&self) -> u64 {
        self.tables.index_bytes() + fact_bytes(&self.tables.rows, &self.facts)
    }
}

/// The facts of a model, borrowed for insertion.
pub(crate) struct Store<'m> {
    domains: &'m Domains,
    rows: &'m mut [Rows],
    facts: &'m mut Vec<(RelationId, u32)>,
}

impl Store<'_> {
    /// Adds the instance of a head under a binding unless it exists; returns its id. Most instances exist.
    #[inline(always)]
    pub(crate) fn insert(&mut self, head: &Head, binding: &[Symbol]) -> FactId {
        match self.rows[head.relation.index()].find_head(self.domains, head, binding) {
            Some(known) => known,
            None => self.add(head, binding),
        }
    }

    #[inline(never)]
    fn add(&mut self, head: &Head, binding: &[Symbol]) -> FactId {
        let next = FactId::new(self.facts.len() as u32);
        let rows = &mut self.rows[head.relation.index()];
        self.facts.push((head.relation, rows.len()));
        rows.add_head(self.domains, head, binding, next);
        next
    }
}

fn fact_bytes(rows: &[Rows], facts: &Vec<(RelationId, u32)>) -> u64 {
    rows.iter().map(Rows::bytes).sum::<u64>() + 8 * facts.capacity() as u64
}
