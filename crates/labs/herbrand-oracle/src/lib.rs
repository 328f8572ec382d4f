//! A brute-force interpreter of [`Domain`](herbrand_pddl::Domain) and [`Problem`](herbrand_pddl::Problem), as a reference
//! for the engine.
//!
//! It evaluates formulas and effects directly on the model, without normal forms, grounding or indices, so it cannot share a
//! mistake with the engine. Tests compare the two. An [`Oracle`] computes the initial states of a problem and, for each
//! [`OracleState`], the derived atoms, the valid actions, the outcomes of actions and whether the goal holds. A
//! [`Interpretation`] is a state with its derived atoms, in which formulas and expressions are evaluated.
//!
//! # Semantics
//! This section defines the cases in which the PDDL literature is ambiguous.
//!
//! **Objects.** A variable ranges over all objects that are certainly of one of its types, whether or not they occur in a
//! fact: each type of the object must be one of the variable's types or a subtype of one. So an object declared as `either a
//! b` is in the range of variables that accept both types, but not of a variable of type `a` only. Over an empty type,
//! `forall` is true, `exists` is false, and a schema with such a parameter has no actions. Two parameters may denote the
//! same object, and a variable may occur twice in an atom. `(= ?x ?y)` is true if both denote the same object; different
//! names are different objects.
//!
//! **Atoms.** An atom that is not stated is false. An atom of an action predicate (PDDLGym's dialect) is never true, because
//! the agent's choice is not part of a state; the agent atom of a schema is no condition. Static atoms are part of the
//! state, because the draws of an initial state may determine them.
//!
//! **Derived atoms** are the least fixpoint of the rules, stratum by stratum. A negated derived atom is evaluated only after
//! its predicate is complete. `forall` in a body is not a negation, so recursion through it is monotone. The premise of
//! `imply` is negated. Preconditions, effect conditions and right-hand sides read the derived atoms of the old state.
//!
//! **Numbers.** A function term is undefined until it is assigned a value. `total-cost` and `reward` without arguments start
//! at zero if the problem does not define them. An expression has no value if one of its terms is undefined, a divisor is
//! zero, a result exceeds the range of 64-bit floating-point numbers, or it contains a quantity that only metrics have. A
//! comparison with such an operand is false, and its negation is true. In an effect that is executed it is an error.
//!
//! An action is valid only if every function term that it reads has a value. This includes the terms in effects whose
//! conditions hold, in every alternative of a draw. In a precondition, a comparison with an undefined term is neither true
//! nor false, and the precondition must be true whatever the truth of such comparisons is.
//!
//! **Effects.** All conditions and right-hand sides read the old state. In the whole action, all deletes precede all adds,
//! even if they come from different conjuncts, conditions or probabilistic effects. So an atom that is both added and
//! deleted is true afterwards. Adding an atom twice has no further effect. A numeric effect counts each time it is executed:
//! once for each object of a `forall`, but only once for a `when` whose condition holds for several reasons.
//!
//! **Numeric effects** of one action on the same term must give the same result in any order. So they must all be `increase`
//! and `decrease`, which are summed; or all `scale-up` and `scale-down`, which are multiplied; or all `assign` with the same
//! value. Anything else is an error, even if the values happen to agree. Changing an undefined value except by `assign`, and
//! scaling down by zero, are errors too.
//!
//! **Probabilities.** Each probabilistic effect that is executed is drawn once, independently of all others: once for each
//! object of a `forall`, and a nested one only if its alternative is drawn. If the probabilities sum to less than 1, nothing
//! changes with the remaining probability. An alternative with probability zero never happens, so its faults are ignored; a
//! fault in any other alternative is an error. Outcomes with equal successors and equal rewards are merged. The draws of an
//! initial state work the same way, on top of the certain facts.
//!
//! **Goal and reward.** If the problem states no goal, no state is a goal state. A step enters the goal if the successor is
//! a goal state and the old state is not. If the domain or the problem requires `:rewards` or `:mdp`, the reward of a step
//! is the change of `reward`, plus the goal reward, if one is stated, when the step enters the goal. Without these
//! requirements the change of `reward` does not count: the reward is the stated goal reward, or else 1, if the step enters
//! the goal, and 0 otherwise.

mod answers;
mod axioms;
mod chance;
mod effect;
mod error;
mod oracle;
pub mod rddl;
mod state;
mod strata;
pub mod time;
mod world;

pub use error::OracleError;
pub use oracle::Oracle;
pub use state::{GroundAction, GroundAtom, GroundTerm, OracleOutcome, OracleState, OracleValue};
pub use world::{Binding, Interpretation};
