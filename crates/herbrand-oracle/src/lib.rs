//! A brute-force interpreter of [`Domain`](herbrand_pddl::Domain) and [`Problem`](herbrand_pddl::Problem): the slow,
//! obvious twin of the engine.
//!
//! It reads formulas and effects as they are in the model, with no normal form, no grounding and no index, so that
//! it can share no mistake with the engine. Tests compare the two. An [`Oracle`] gives the initial states of a
//! problem, and for each [`OracleState`] the derived atoms, the valid actions, the outcomes of each and whether the
//! goal holds. A [`World`] is a state with its derived atoms, in which formulas and expressions are evaluated.
//!
//! # What the language means here
//! The cases in which one could be of two minds, decided:
//!
//! **Objects.** A variable ranges over all objects that are surely of one of its types, whether or not a fact names
//! them: each of the object's types is one of the variable's or a kind of it. So an object declared `either a b`, which
//! is one or the other, is meant by variables that accept both, and by no variable of type `a` alone. Over an empty type `forall` is true, `exists` is false, and a schema with such a parameter has no
//! action. Two parameters may name one object, and a variable may occur twice in an atom. `(= ?x ?y)` is true when both
//! name one object; different names are different objects.
//!
//! **Atoms.** What is not stated is false. An atom of an action predicate (PDDLGym's dialect) is never true, as the agent's
//! choice is no part of a state; the schema's agent atom is no condition. Static atoms are part of the state here, since
//! chance may decide about them in the initial state.
//!
//! **Derived atoms** are the least fixpoint of the rules, stratum by stratum, in which a negated derived atom is read only
//! when its predicate is complete. `forall` in a body is not a negation: recursion through it is monotone. A premise of
//! `imply` is. Effect conditions and right-hand sides read the derived atoms of the old state; so do preconditions.
//!
//! **Numbers.** A function term is undefined until it gets a value; `total-cost` and `reward` without arguments start at
//! zero when the problem says nothing. An expression has no value when a term in it is undefined, when a divisor is
//! zero, when a result is beyond the range of 64-bit numbers, or when it asks for a quantity of the metric. A comparison
//! with such a side is false and its negation true. In an effect that happens it is an error.
//!
//! An action is valid only if every function term has a value that it reads: in its effects, whatever is drawn, under conditions that
//! hold. In its precondition a comparison with an undefined term is neither true nor false, and so is what depends on it: the
//! precondition must hold whatever those comparisons are.
//!
//! **Effects.** All conditions and right-hand sides read the old state. Over the whole action all deletes go before all
//! adds, wherever they are: in different conjuncts, under different conditions, or drawn by different probabilistic
//! effects. So an atom both added and deleted ends up true. Adding it twice is adding it once, but numeric effects
//! count each time they happen: once for each object of a `forall`, but once only for a `when` whose condition
//! holds for several reasons.
//!
//! **Numeric effects** of one action on one term must give the same result in any order. So they are all `increase` and
//! `decrease`, which add up; or all `scale-up` and `scale-down`, which multiply; or all `assign`, to one value. Anything
//! else is an error, even where the values happen to agree; so is changing an undefined value other than by `assign`, and
//! scaling down by zero.
//!
//! **Chance.** Each probabilistic effect that happens is drawn once, independently of all others: once for each object
//! under a `forall`, and an inner one only when its alternative is drawn. What the probabilities leave of 1 changes
//! nothing. An alternative of probability zero never happens, so what is wrong in it is no error; any fault in
//! an alternative that can happen is. Outcomes with equal successors and equal rewards are merged. The chances of an
//! initial state are drawn the same way, upon the facts that are certain.
//!
//! **Goal and reward.** Without a stated goal no state is a goal state. A step enters a goal state when the successor is
//! one and the state before is not. When the domain or the problem requires `:rewards` or `:mdp`, or the problem states a
//! goal reward, the reward of a step is the change of `reward` under that requirement, plus the goal reward when the step
//! enters a goal state. Otherwise it is 1 when the step enters one, else 0.

mod axioms;
mod chance;
mod effect;
mod error;
mod oracle;
pub mod rddl;
mod state;
mod world;

pub use error::OracleError;
pub use oracle::Oracle;
pub use state::{GroundAction, GroundAtom, GroundTerm, OracleOutcome, OracleState, Value};
pub use world::{Binding, World};
