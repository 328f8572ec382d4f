//! What is true or false in a state: atoms, and comparisons of numbers.

use fxhash::FxHashMap;
use herbrand_ground::{
    BlockId, ConjunctionId, ExpressionId, GroundComparison, GroundExpression, GroundTask, NumericId, Rows,
};

/// The propositions of a task: its atoms, then the different comparisons that its conditions ask for.
///
/// A *literal* is twice the number of a proposition, plus one where it must be false; for atoms it has the number of
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
    /// The propositions that all conditions of `task` are made of.
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

    /// How many propositions there are.
    pub(crate) fn len(&self) -> usize {
        self.atoms + self.comparisons.len()
    }

    /// The comparisons with their propositions.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = (u32, GroundComparison)> + '_ {
        (id32(self.atoms)..).zip(self.comparisons.iter().copied())
    }

    /// The comparison of a proposition beyond the atoms.
    pub(crate) fn comparison(&self, proposition: u32) -> GroundComparison {
        self.comparisons[proposition as usize - self.atoms]
    }

    /// The propositions that read a number of the state.
    pub(crate) fn readers(&self, id: NumericId) -> &[u32] {
        self.readers.row(id.index())
    }

    /// The literals of a conjunction, each once, in the order of the text.
    pub(crate) fn literals(&self, task: &GroundTask, id: ConjunctionId) -> Vec<u32> {
        let mut literals = Vec::with_capacity(task.conditions.get(id).literals.len());
        self.write_literals(task, id, &mut literals);
        literals
    }

    /// [`literals`](Self::literals), into a buffer that is overwritten.
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

/// An index as the number of an id.
///
/// # Panics
/// When it does not fit in 32 bits; a ground task's limits end far below that.
pub(crate) fn id32(index: usize) -> u32 {
    u32::try_from(index).expect("a ground task has fewer than 2^32 elements")
}
