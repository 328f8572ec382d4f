//! RDDL, the Relational Dynamic Influence Diagram Language (Sanner 2010): factored Markov decision processes whose
//! next-state variables depend on the state and on a joint action.

pub mod draw;
