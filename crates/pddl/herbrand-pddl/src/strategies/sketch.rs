//! Sketches of models: trees of choices. Every sketch can be resolved to a valid model.

use super::shape::Recursion;
use crate::model::{ArithmeticOperator, AssignOperator, Comparison};

/// A choice among alternatives whose number is known only at resolution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick(pub(super) u8);

impl Pick {
    /// Returns the chosen alternative; `None` if the list is empty.
    pub(super) fn of<T>(self, alternatives: &[T]) -> Option<&T> {
        alternatives.get(usize::from(self.0).checked_rem(alternatives.len())?)
    }
}

/// The types of a variable or object. Several types form a union (`either`).
pub(super) type TypesSketch = Vec<Pick>;

/// Variables, given by their types.
pub(super) type VariablesSketch = Vec<TypesSketch>;

#[derive(Clone, Debug)]
pub(super) struct DomainSketch {
    pub(super) types: Vec<Pick>,
    pub(super) constants: VariablesSketch,
    pub(super) predicates: Vec<PredicateSketch>,
    /// The parameters of predicates that no rule derives; these predicates follow the others.
    pub(super) wide: Vec<VariablesSketch>,
    pub(super) functions: Vec<VariablesSketch>,
    pub(super) total_cost: bool,
    pub(super) rewards: bool,
    pub(super) recursion: Recursion,
    pub(super) axioms: Vec<AxiomSketch>,
    pub(super) schemas: Vec<SchemaSketch>,
    pub(super) durative_actions: Vec<DurativeSketch>,
}

#[derive(Clone, Debug)]
pub(super) struct PredicateSketch {
    pub(super) parameters: VariablesSketch,
    /// Whether the predicate, if it is derived, begins a new stratum.
    pub(super) raised: bool,
}

#[derive(Clone, Debug)]
pub(super) struct AxiomSketch {
    pub(super) head: Pick,
    /// For each parameter, the choice among the declared types and their subtypes.
    pub(super) narrowed: Vec<Pick>,
    pub(super) body: FormulaSketch,
}

#[derive(Clone, Debug)]
pub(super) struct SchemaSketch {
    pub(super) parameters: VariablesSketch,
    pub(super) precondition: FormulaSketch,
    pub(super) effect: EffectSketch,
    /// The parameters that the agent chooses, if the schema carries out an action of the agent.
    pub(super) agent: Option<Vec<Pick>>,
}

/// The parts of a durative action, each with its choices.
#[derive(Clone, Debug)]
pub(super) struct DurativeSketch {
    pub(super) parameters: VariablesSketch,
    /// The least duration, and how much longer the action may take; `None` if it cannot. In halves.
    pub(super) duration: (u8, Option<u8>),
    /// The conditions at start, over all and at end.
    pub(super) conditions: [FormulaSketch; 3],
    /// The effects at start and at end.
    pub(super) effects: [EffectSketch; 2],
}

/// A predicate or function with its arguments.
#[derive(Clone, Debug)]
pub(super) struct AtomSketch {
    pub(super) head: Pick,
    pub(super) arguments: Vec<Pick>,
}

#[derive(Clone, Debug)]
pub(super) enum FormulaSketch {
    Atom(AtomSketch),
    Equal(Pick, Pick),
    Compare(Comparison, ExpressionSketch, ExpressionSketch),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Imply(Box<Self>, Box<Self>),
    Forall(VariablesSketch, Box<Self>),
    Exists(VariablesSketch, Box<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum ExpressionSketch {
    Number(i8),
    Fluent(AtomSketch),
    Apply(ArithmeticOperator, Vec<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum EffectSketch {
    Add(AtomSketch),
    Delete(AtomSketch),
    Assign(AssignOperator, AtomSketch, ExpressionSketch),
    And(Vec<Self>),
    Forall(VariablesSketch, Box<Self>),
    When(FormulaSketch, Box<Self>),
    Probabilistic(ChanceSketch<Self>),
}

/// Alternatives with weights, and the weight of no alternative.
#[derive(Clone, Debug)]
pub(super) struct ChanceSketch<T> {
    pub(super) alternatives: Vec<(u8, T)>,
    pub(super) rest: u8,
}

#[derive(Clone, Debug)]
pub(super) struct ProblemSketch {
    pub(super) objects: VariablesSketch,
    pub(super) facts: Vec<AtomSketch>,
    /// The values of the ground function terms. They repeat if there are more terms than values.
    pub(super) values: Vec<Option<i8>>,
    pub(super) chances: Vec<ChanceSketch<InitialSketch>>,
    /// Timed literals: the time in halves, whether the atom becomes true, and the atom.
    pub(super) timed: Vec<(u8, bool, AtomSketch)>,
    pub(super) goal: Option<FormulaSketch>,
    pub(super) goal_reward: Option<i8>,
    pub(super) metric: Option<(bool, ExpressionSketch)>,
}

#[derive(Clone, Debug)]
pub(super) struct InitialSketch {
    pub(super) facts: Vec<AtomSketch>,
    pub(super) value: Option<(AtomSketch, i8)>,
    pub(super) chances: Vec<ChanceSketch<Self>>,
}
