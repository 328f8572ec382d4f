//! The propositions of a task: atoms and numeric comparisons.

use fxhash::FxHashMap;
use herbrand_ground::{
    BlockId, ConjunctionId, ExpressionId, GroundComparison, GroundExpression, GroundTask, NumericId, Rows,
};

/// The propositions of a task: its atoms, then the distinct comparisons in its conditions.
///
/// A *literal* is twice the number of a proposition, plus one if it is negated. For atoms, it equals the number of the
/// [`herbrand_ground::Literal`].
#[derive(Debug)]
pub(crate) struct Propositions {
    atoms: usize,
    comparisons: Vec<GroundComparison>,
    numbers: FxHashMap<GroundComparison, u32>,
    /// For each numeric fluent of the state, the propositions that read it.
    readers: Rows<u32>,
}

impl Propositions {
    /// Collects the propositions of all conditions of `task`.
    pub(crate) fn new(task: &GroundTask) -> Self {
        let mut this = Self {
            atoms: task.atom_count(),
            comparisons: Vec::new(),
            numbers: FxHashMap::default(),
            readers: Rows::default(),
        };
        let preconditions = task.actions.ids().map(|id| task.actions.get(id).precondition);
        let blocks = (0..task.effects.len()).map(BlockId::from_index);
        let whens = blocks
            .flat_map(|block| task.effects.get(block).whens)
            .map(|&(condition, _)| condition);
        let conditions = preconditions.chain(whens).chain([task.goal]);
        let conjunctions = conditions.flat_map(|id| task.conditions.conjunctions(id));
        let all = conjunctions.chain(task.axioms.iter().map(|axiom| axiom.body));
        for id in all.take_while(|_| task.conditions.has_comparisons()) {
            for &comparison in task.conditions.get(id).comparisons {
                this.add(comparison);
            }
        }
        let mut readers = vec![Vec::new(); task.state_numerics as usize];
        for (number, comparison) in (this.atoms..).zip(&this.comparisons) {
            for id in fluents_of(task, comparison) {
                if let Some(list) = readers.get_mut(id.index()) {
                    list.push(id32(number));
                }
            }
        }
        readers.into_iter().for_each(|list| _ = this.readers.push(list));
        this
    }

    fn add(&mut self, comparison: GroundComparison) {
        let plain = GroundComparison {
            negated: false,
            ..comparison
        };
        let next = id32(self.len());
        self.numbers.entry(plain).or_insert_with(|| {
            self.comparisons.push(plain);
            next
        });
    }

    /// Returns the number of propositions.
    pub(crate) fn len(&self) -> usize {
        self.atoms + self.comparisons.len()
    }

    /// Returns the comparisons with their proposition numbers.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = (u32, GroundComparison)> + '_ {
        (id32(self.atoms)..).zip(self.comparisons.iter().copied())
    }

    /// Returns the comparison of a proposition that is not an atom.
    pub(crate) fn comparison(&self, proposition: u32) -> GroundComparison {
        self.comparisons[proposition as usize - self.atoms]
    }

    /// Returns the propositions that read a number of the state.
    pub(crate) fn readers(&self, id: NumericId) -> &[u32] {
        self.readers.row(id.index())
    }

    /// Returns the literals of a conjunction, each once, in the order of the text.
    pub(crate) fn literals(&self, task: &GroundTask, id: ConjunctionId) -> Vec<u32> {
        let mut literals = Vec::with_capacity(task.conditions.get(id).literals.len());
        self.write_literals(task, id, &mut literals);
        literals
    }

    /// Like [`literals`](Self::literals), but overwrites a buffer.
    pub(crate) fn write_literals(&self, task: &GroundTask, id: ConjunctionId, literals: &mut Vec<u32>) {
        literals.clear();
        let conjunction = task.conditions.get(id);
        let atoms = conjunction.literals.iter().map(|literal| id32(literal.index()));
        let comparisons = conjunction.comparisons.iter().filter_map(|&comparison| {
            let plain = GroundComparison {
                negated: false,
                ..comparison
            };
            let number = self.numbers.get(&plain)?;
            Some(number * 2 + u32::from(comparison.negated))
        });
        for literal in atoms.chain(comparisons) {
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
    }
}

/// The numeric fluents that a comparison reads.
fn fluents_of(task: &GroundTask, comparison: &GroundComparison) -> Vec<NumericId> {
    let mut fluents = Vec::new();
    let mut pending: Vec<ExpressionId> = vec![comparison.left, comparison.right];
    while let Some(id) = pending.pop() {
        match task.expressions[id.index()] {
            GroundExpression::Fluent(id) => fluents.push(id),
            GroundExpression::Apply(_, left, right) => pending.extend([left, right]),
            GroundExpression::Number(_) | GroundExpression::Undefined | GroundExpression::Special(_) => {}
        }
    }
    fluents.sort_unstable();
    fluents.dedup();
    fluents
}

/// Converts an index to a 32-bit id.
///
/// # Panics
/// Panics if it does not fit into 32 bits. The limits of ground tasks are far below that.
pub(crate) fn id32(index: usize) -> u32 {
    u32::try_from(index).expect("a ground task has fewer than 2^32 elements")
}
