//! Ground tasks for property tests: hand-written with a [`Builder`], or random from a [`TaskSketch`].

mod sketch;

use std::sync::Arc;

use herbrand_pddl::{
    AssignOperator, AtomList, Comparison, FunctionId, Name, PredicateId, PredicateKind, Probability, SchemaId,
};

use crate::task::{
    AtomId, Block, BlockId, ChanceId, ConditionId, Conditions, ConjunctionId, Distribution, Effects,
    ExpressionId, GroundAction, GroundActions, GroundAssignment, GroundAxiom, GroundComparison,
    GroundExpression, GroundTask, Literal, Numeric, NumericId, PredicateDeclaration, Signature, Vocabulary,
};

pub use sketch::{EffectKinds, TaskSketch, sketches};

/// A builder of ground tasks for tests, over atoms without arguments. Atoms are named `p0`, `p1`, …, first the fluents,
/// then the derived atoms. [`new`](Self::new) begins a task, and [`build`](Self::build) returns it.
#[derive(Clone, Debug)]
pub struct Builder {
    /// The task built so far. Tests may change its fields directly. [`build`](Self::build) adds the schemas.
    pub task: GroundTask,
    schemas: Vec<Signature>,
}

fn signature(name: &str) -> Signature {
    Signature {
        name: Name::new(name),
        parameters: Vec::new(),
    }
}

/// Returns the literal of a number: `n` is atom `n`, and `!n`, which is −1 − `n`, is its negation.
#[must_use]
pub fn literal(number: i32) -> Literal {
    if number >= 0 {
        Literal::positive(AtomId::new(number.unsigned_abs()))
    } else {
        Literal::negative(AtomId::new((!number).unsigned_abs()))
    }
}

/// Returns the id of the atom with this number. Whether there is such an atom is not checked.
#[must_use]
pub const fn atom(number: u32) -> AtomId {
    AtomId::new(number)
}

impl Builder {
    /// Creates a task with these numbers of fluent atoms, derived atoms, numeric fluents in the state, and
    /// accumulators. The first accumulator is the reward; without accumulators there is none. Initially all atoms are
    /// false and all numbers are 0. The goal is false until the test sets it in [`task`](Self::task).
    #[must_use]
    pub fn new(fluents: u32, derived: u32, numbers: u32, accumulators: u32) -> Self {
        let mut atoms = AtomList::default();
        let mut predicates = Vec::new();
        for index in 0..fluents + derived {
            atoms.push(PredicateId::new(index), &[]);
            predicates.push(PredicateDeclaration {
                signature: signature(&format!("p{index}")),
                kind: if index < fluents {
                    PredicateKind::Fluent
                } else {
                    PredicateKind::Derived
                },
                auxiliary: false,
            });
        }
        let numerics = 0..numbers + accumulators;
        let mut effects = Effects::default();
        let mut conditions = Conditions::default();
        let goal = conditions.finish();
        let vocabulary = Vocabulary {
            domain: Name::new("hand"),
            problem: Name::new("made"),
            types: Vec::new(),
            objects: Vec::new(),
            predicates,
            functions: numerics
                .clone()
                .map(|index| signature(&format!("n{index}")))
                .collect(),
            schemas: Vec::new(),
        };
        let task = GroundTask {
            vocabulary: Arc::new(vocabulary),
            atoms,
            fluents,
            statics: AtomList::default(),
            numerics: numerics
                .map(|index| Numeric {
                    function: FunctionId::new(index),
                    arguments: Vec::new(),
                    initial: Some(0.0),
                })
                .collect(),
            state_numerics: numbers,
            expressions: Vec::new(),
            conditions,
            initial_chance: effects.block(Block::default()),
            effects,
            actions: GroundActions::default(),
            axioms: Vec::new(),
            strata: Vec::new(),
            initial: Vec::new(),
            goal,
            reward: (accumulators > 0).then_some(NumericId::new(numbers)),
            goal_reward: None,
            metric: None,
        };
        Self {
            task,
            schemas: Vec::new(),
        }
    }

    /// Adds a node of an expression and returns its id.
    pub fn expression(&mut self, expression: GroundExpression) -> ExpressionId {
        self.task.expressions.push(expression);
        ExpressionId::from_index(self.task.expressions.len() - 1)
    }

    /// Adds a constant expression and returns its id.
    pub fn number(&mut self, value: f64) -> ExpressionId {
        self.expression(GroundExpression::Number(value))
    }

    /// Adds an expression that is the value of the numeric fluent with this number, and returns its id. Fluents of the
    /// state come first, then accumulators.
    pub fn fluent(&mut self, id: u32) -> ExpressionId {
        self.expression(GroundExpression::Fluent(NumericId::new(id)))
    }

    /// Returns a comparison of the numeric fluent `id` (left) with a constant (right), for
    /// [`conjunction`](Self::conjunction). Adds both sides as expressions.
    pub fn comparison(&mut self, id: u32, comparison: Comparison, value: f64) -> GroundComparison {
        GroundComparison {
            negated: false,
            comparison,
            left: self.fluent(id),
            right: self.number(value),
        }
    }

    /// Returns an effect that assigns to the numeric fluent `target` by this operator and constant, for
    /// [`Block::assignments`]. Adds the constant as an expression.
    pub fn assignment(&mut self, operator: AssignOperator, target: u32, value: f64) -> GroundAssignment {
        GroundAssignment {
            operator,
            target: NumericId::new(target),
            value: self.number(value),
        }
    }

    /// Adds a conjunction to the condition under construction, which [`finish`](Self::finish) ends. Literals are numbers as
    /// for [`literal`].
    pub fn conjunction(&mut self, literals: &[i32], comparisons: &[GroundComparison]) -> ConjunctionId {
        let literals = literals.iter().map(|&number| literal(number));
        self.task
            .conditions
            .conjunction(literals, comparisons.iter().copied())
    }

    /// Ends the current condition, which consists of the conjunctions added since the last call, and returns its id.
    /// Without any, it is false.
    pub fn finish(&mut self) -> ConditionId {
        self.task.conditions.finish()
    }

    /// Adds a condition that consists of one conjunction of literals, with numbers as for [`literal`], and returns its
    /// id. Without literals, it is true. Conjunctions that were added but not finished become part of it.
    pub fn condition(&mut self, literals: &[i32]) -> ConditionId {
        self.conjunction(literals, &[]);
        self.finish()
    }

    /// Adds a block of effects, for an action, a conditional effect or a draw, and returns its id.
    pub fn block(&mut self, block: Block<'_>) -> BlockId {
        self.task.effects.block(block)
    }

    /// Adds a block that only adds and deletes atoms, given by their numbers, and returns its id. Both lists must hold fluent
    /// atoms, ascending and without repetition. An atom in both lists is true afterwards.
    pub fn change(&mut self, adds: &[u32], deletes: &[u32]) -> BlockId {
        let [adds, deletes] = [adds, deletes].map(|atoms| atoms.iter().map(|&a| atom(a)).collect::<Vec<_>>());
        self.block(Block {
            adds: &adds,
            deletes: &deletes,
            ..Block::default()
        })
    }

    /// Adds a draw with these alternatives. Each probability is a numerator and a denominator; the rest up to 1 is no
    /// change. Returns the id of the draw, for [`Block::draws`].
    ///
    /// # Panics
    /// If a fraction is not a probability.
    pub fn chance(&mut self, alternatives: &[((u64, u64), BlockId)]) -> ChanceId {
        let probability = |p, q| Probability::new(p, q).unwrap_or_else(|| panic!("{p}/{q} is a probability"));
        let probabilities = alternatives.iter().map(|&((p, q), _)| probability(p, q));
        let distribution = Arc::new(Distribution::of(probabilities));
        let blocks = alternatives.iter().map(|&(_, block)| block);
        self.task.effects.chance(distribution, blocks)
    }

    /// Adds an action with its own schema, named `a0`, `a1`, …, without parameters. Its number is that of its schema.
    pub fn action(&mut self, precondition: ConditionId, effect: BlockId) {
        let schema = SchemaId::from_index(self.schemas.len());
        self.schemas.push(signature(&format!("a{}", self.schemas.len())));
        self.task.actions.push(GroundAction {
            schema,
            arguments: &[],
            precondition,
            effect,
        });
    }

    /// Adds a stratum of axioms, above the earlier ones. Each axiom is the number of its head, a derived atom, and the
    /// literals of its body, with numbers as for [`literal`]. Finish the current condition first.
    pub fn stratum(&mut self, axioms: &[(u32, &[i32])]) {
        for (head, body) in axioms {
            let axiom = GroundAxiom {
                head: atom(*head),
                body: self.conjunction(body, &[]),
            };
            self.task.axioms.push(axiom);
        }
        self.task.conditions.finish();
        self.task.strata.push(self.task.axioms.len() as u32);
    }

    /// Returns the finished task, without checking it; [`GroundTask::check`] does so.
    #[must_use]
    pub fn build(mut self) -> Arc<GroundTask> {
        Arc::make_mut(&mut self.task.vocabulary).schemas = self.schemas;
        Arc::new(self.task)
    }
}
