//! Finite-domain tasks (SAS+): ground tasks over variables with many values, and Fast Downward's file format.
//!
//! A ground task has an atom for each thing that may be true. Often only one of several atoms is true at a time: a package
//! is in one place. Such atoms form a *mutex group*, and one variable with a value for each of them says the same in fewer
//! bits. A planner that works on such variables sees more of the structure of a problem.
//!
//! [`lifted_groups`] finds mutex groups from the schemas of a domain, [`alternating_groups`] finds more of them from the ground
//! actions, [`translate`] chooses some of them that cover the atoms
//! and writes the task over them, and [`Translation`] maps states and plans both ways. [`FiniteDomainTask::to_sas`] and
//! [`FiniteDomainTask::from_sas`] write and read the format of Fast Downward's translator, version 3, and
//! [`ground_task`] makes a ground task of such a file, so that it can be planned for and stepped here.
//!
//! ```
//! use herbrand_ground::{GroundOptions, NormalDomain, ground};
//! use herbrand_limits::Budget;
//! use herbrand_pddl::{Domain, Problem};
//! use herbrand_sas::{InvariantLimits, TranslateOptions, lifted_groups, translate};
//!
//! let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
//!     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
//! let problem = Problem::from_text("(define (problem p) (:domain ring) (:objects a b c)
//!     (:init (at a) (next a b) (next b c) (next c a)) (:goal (at c)))", &domain)?;
//! let task = ground(&domain, &problem, &GroundOptions::default())?;
//! let budget = Budget::unlimited();
//! let normal = NormalDomain::within(&domain, &budget)?;
//! let groups = lifted_groups(&normal, &task, &InvariantLimits::default(), &budget)?;
//! let costs = vec![1; task.actions.len()];
//! let translation = translate(&task, &costs, groups, &TranslateOptions::default(), &budget)?;
//! let [at] = translation.task.variables.as_slice() else { panic!("one variable") };
//! assert_eq!(at.values, ["Atom at(a)", "Atom at(b)", "Atom at(c)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!  domain, problem ──ground──▶ GroundTask ──translate──▶ Translation { task: FiniteDomainTask, … }
//!         │                        ▲ ▲                        ▲              │ to_sas    ▲ from_sas
//!         └──lifted_groups─────────┘ └──────ground_task───────┼──────────────▼           │
//!                  └──────────────── mutex groups ────────────┘         a file, version 3
//! ```
//!
//! Problems with chance, conditions on numbers or rewards are refused, because the format cannot hold them. Nothing here
//! searches.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::sas`: there, read `herbrand_sas` in the examples as
//! `herbrand::sas`.

mod alternating;
mod axioms;
mod causal;
mod code;
mod cover;
mod draft;
mod encode;
mod ground;
mod groups;
mod invariant;
mod pairs;
mod prune;
mod reachability;
mod read;
mod refusal;
mod task;
mod translate;
mod write;

pub use alternating::{AlternatingLimits, alternating_groups};
pub use code::SasCode;
pub use encode::Draws;
pub use ground::{Grounded, ground_task};
pub use groups::{MutexGroups, lifted_groups};
pub use invariant::InvariantLimits;
pub use refusal::{metric_refusal, refusal};
pub use task::{Axiom, Effect, Fact, FiniteDomainTask, Operator, Variable};
pub use translate::{TranslateError, TranslateOptions, Translation, translate};
