//! Planning languages as fast, correct environments.
//!
//! Herbrand reads PDDL, PPDDL and RDDL. For PDDL, it compiles action preconditions and derived predicates into Datalog
//! and evaluates the program bottom-up with `ascent` to ground the problem. The simulator then lists and samples valid
//! actions and applies their effects, including probabilistic ones.
//!
//! # From PDDL to episodes
//!
//! A domain and its problems form a [`Suite`](env::Suite), over which an [`Env`](env::Env) runs episodes for an agent. In
//! this example the domain is a string; [`Suite::from_path`](env::Suite::from_path) reads a folder, and
//! [`Registry::get`](env::Registry::get) returns bundled domains.
//!
//! ```
//! use herbrand::prelude::*;
//!
//! let domain = Domain::from_text(
//!     "(define (domain ferry)
//!        (:requirements :strips :typing :negative-preconditions)
//!        (:types car bank)
//!        (:predicates (at ?c - car ?b - bank) (aboard ?c - car) (moored ?b - bank) (busy))
//!        (:action board :parameters (?c - car ?b - bank)
//!          :precondition (and (at ?c ?b) (moored ?b) (not (busy)))
//!          :effect (and (aboard ?c) (busy) (not (at ?c ?b))))
//!        (:action land :parameters (?c - car ?b - bank)
//!          :precondition (and (aboard ?c) (moored ?b))
//!          :effect (and (at ?c ?b) (not (aboard ?c)) (not (busy))))
//!        (:action cross :parameters (?from ?to - bank)
//!          :precondition (and (moored ?from) (not (moored ?to)))
//!          :effect (and (moored ?to) (not (moored ?from)))))",
//! )?;
//! let problem = Problem::from_text(
//!     "(define (problem morning) (:domain ferry)
//!        (:objects red - car west east - bank)
//!        (:init (at red west) (moored east))
//!        (:goal (at red east)))",
//!     &domain,
//! )?;
//! let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
//! let mut env = Env::new(suite, EnvOptions::default())?;
//!
//! // A plan, by name.
//! env.reset(Some(7))?;
//! for name in ["(cross east west)", "(board red west)", "(cross west east)", "(land red east)"] {
//!     let action = env.instance()?.space().parse(name)?;
//!     let step = env.step(action)?;
//!     assert_eq!(step.goal, name == "(land red east)");
//! }
//!
//! // The same from the same seed: a random walk until the goal, the valid actions drawn uniformly.
//! env.reset(Some(7))?;
//! let mut steps = 0;
//! while let Some(action) = env.sample_action()? {
//!     steps += 1;
//!     if env.step(action)?.ended() {
//!         break;
//!     }
//! }
//! assert!(steps >= 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The simulator
//!
//! [`compile`] creates a [`Simulator`] from a domain and a problem, with exact distributions over outcomes:
//!
//! ```
//! use herbrand::prelude::*;
//!
//! let domain = Domain::from_text(
//!     "(define (domain coin) (:requirements :probabilistic-effects)
//!        (:predicates (heads)) (:action toss :effect (probabilistic 1/3 (heads))))",
//! )?;
//! let problem = Problem::from_text("(define (problem bent) (:domain coin) (:goal (heads)))", &domain)?;
//! let simulator = compile(&domain, &problem)?;
//! let start = simulator.initial_state();
//! let toss = simulator.parse_action("(toss)")?;
//! let heads: f64 = simulator
//!     .outcomes(&start, toss)?
//!     .iter()
//!     .filter(|outcome| simulator.is_goal(&outcome.state))
//!     .map(|outcome| outcome.probability)
//!     .sum();
//! assert!((heads - 1.0 / 3.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Simulator::sample`] draws one of the outcomes; a [`Walker`] does so in place, without allocation.
//!
//! # The parts, and the features they need
//!
//! Each part is a crate of its own, such as `herbrand-step`, and a module here, such as `herbrand::step`. The examples
//! of a part name its crate. In a program that depends on this crate, write `use herbrand::step::compile` instead of
//! `use herbrand_step::compile`.
//!
//! Always there:
//!
//! - [`pddl`]: PDDL and PPDDL, from text to a checked [`Domain`] and [`Problem`] and back;
//! - [`text`]: sources, places and diagnostics, for all languages;
//! - [`limits`]: budgets of time and memory;
//! - [`datalog`]: Datalog programs as values, also for uses outside planning;
//! - [`ground`]: grounding, and the [`GroundTask`] with its atoms, actions and axioms by number;
//! - [`step`]: [`compile`], [`Simulator`] and [`Walker`]: states and transitions;
//! - [`core`](mod@core): transition systems, environments and batches of any planning language, and the generator `Random`.
//!
//! With features of the default:
//!
//! - [`env`](mod@env): environments over suites of problems, with the bundled domains (feature `env`);
//! - [`plan`]: planners, satisficing and optimal (feature `plan`).
//!
//! With additional features:
//!
//! - [`rddl`]: RDDL, from text to environments and planners, in five crates (feature `rddl`);
//! - [`sas`]: finite-domain tasks (SAS+), and Fast Downward's format (feature `sas`);
//! - [`generate`]: generators for problems of the bundled domains, of any size (feature `generate`);
//! - [`render`]: pictures of states (feature `render`);
//! - [`codegen`]: domains as Rust modules of `ascent` programs, compiled ahead of time (feature `codegen`);
//! - [`collections`]: problems of other packages, and fetched ones, by name (feature `collections`);
//! - [`tasks`]: one function for each task of a user, for problems of any language (feature `tasks`);
//! - [`play`]: requests and answers as JSON, for a page on which problems are played (feature `play`);
//! - [`learn`]: action models learned from interaction (feature `labs`);
//! - [`edit`]: typed edits of domains and problems (feature `labs`);
//! - [`pddlworld`]: environments whose state is a domain under edit (feature `labs`);
//! - [`explore`]: text worlds, and agents that plan with their own model of them (feature `labs`);
//! - [`verbalize`]: states, actions and goals as plain sentences, and actions read back (feature `labs`);
//! - [`exam`]: questions with exact answers, and grades of answers (feature `exam`).
//!
//! Eight features extend parts:
//!
//! - `charts` adds the curves of rollouts to [`tasks`];
//! - `sessions` adds sessions for agents that talk to [`play`];
//! - `external` adds other programs as planners;
//! - `png` adds pictures as PNG files, and observations as pixels;
//! - `fetch` adds fetching from the net to [`collections`];
//! - `http` adds language models for [`explore`];
//! - `rddl-server` adds the server of RDDL problems;
//! - `serde` adds the serialisation of ground tasks.
//!
//! ```toml
//! [dependencies]
//! herbrand = { path = "path/to/herbrand", features = ["generate", "labs"] }
//! ```
//!
//! With `default-features = false` the crate only reads, grounds and steps PDDL, and `cargo build` takes half the time.
//!
//! [`prelude`] re-exports the items that most programs need.

// Without their features, the links to these parts have no target.
#![cfg_attr(
    not(all(
        feature = "codegen",
        feature = "collections",
        feature = "env",
        feature = "exam",
        feature = "generate",
        feature = "labs",
        feature = "plan",
        feature = "play",
        feature = "rddl",
        feature = "render",
        feature = "sas",
        feature = "tasks",
    )),
    allow(rustdoc::broken_intra_doc_links)
)]

#[cfg(feature = "codegen")]
#[doc(inline)]
pub use herbrand_codegen as codegen;
#[cfg(feature = "collections")]
#[doc(inline)]
pub use herbrand_collections as collections;
#[doc(inline)]
pub use herbrand_core as core;
#[doc(inline)]
pub use herbrand_datalog as datalog;
#[cfg(feature = "labs")]
#[doc(inline)]
pub use herbrand_edit as edit;
#[cfg(feature = "env")]
#[doc(inline)]
pub use herbrand_env as env;
#[cfg(feature = "exam")]
#[doc(inline)]
pub use herbrand_exam as exam;
#[cfg(feature = "labs")]
#[doc(inline)]
pub use herbrand_explore as explore;
#[cfg(feature = "generate")]
#[doc(inline)]
pub use herbrand_generate as generate;
#[doc(inline)]
pub use herbrand_ground as ground;
#[cfg(feature = "labs")]
#[doc(inline)]
pub use herbrand_learn as learn;
#[doc(inline)]
pub use herbrand_limits as limits;
#[doc(inline)]
pub use herbrand_pddl as pddl;
#[cfg(feature = "labs")]
#[doc(inline)]
pub use herbrand_pddlworld as pddlworld;
#[cfg(feature = "plan")]
#[doc(inline)]
pub use herbrand_plan as plan;
#[cfg(feature = "play")]
#[doc(inline)]
pub use herbrand_play as play;
#[cfg(feature = "render")]
#[doc(inline)]
pub use herbrand_render as render;
#[cfg(feature = "sas")]
#[doc(inline)]
pub use herbrand_sas as sas;
#[doc(inline)]
pub use herbrand_step as step;
#[cfg(feature = "tasks")]
#[doc(inline)]
pub use herbrand_tasks as tasks;
#[doc(inline)]
pub use herbrand_text as text;
#[cfg(feature = "labs")]
#[doc(inline)]
pub use herbrand_verbalize as verbalize;

#[cfg(feature = "rddl")]
pub mod rddl;

#[doc(inline)]
pub use herbrand_ground::{ActionId, AtomId, GroundTask};
#[doc(inline)]
pub use herbrand_pddl::{Domain, Problem};
#[doc(inline)]
pub use herbrand_step::{CompileError, Simulator, State, Walker, compile, compile_with};

/// The items that most programs need: `use herbrand::prelude::*`.
///
/// `Env` and `VecEnv` are those over a `Suite` of PDDL problems. For the problems of any language, use
/// [`herbrand::core::Env`](herbrand_core::Env) and [`herbrand::core::VecEnv`](herbrand_core::VecEnv), which have the set
/// of problems as a type parameter.
///
/// ```
/// use herbrand::prelude::*;
///
/// let mut env = Env::new(Registry::get("blocks")?, EnvOptions::default())?;
/// env.reset(Some(1))?;
/// assert!(env.sample_action()?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    #[cfg(feature = "env")]
    pub use herbrand_env::{
        ActionMode, AgentActionId, Env, EnvError, EnvOptions, EpisodeHorizon, PlanningEnv, ProblemChoice,
        Registry, Step, Suite, System, VecEnv, VecOptions,
    };
    pub use herbrand_ground::{ActionId, AtomId, GroundTask};
    pub use herbrand_pddl::{Domain, Problem, Source};
    pub use herbrand_step::{Random, Simulator, State, Walker, compile};
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
pub struct Readme;

/// Runs the examples of the first hour in Rust as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../tests/first-hour/rust.md")]
pub struct FirstHour;

/// Runs the examples of the tutorial in Rust as tests. Exists in documentation tests only.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/tutorials/rust.md")]
pub struct Tutorial;

/// Runs the examples of the page on domains as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/own-domain.md")]
pub struct OwnDomain;

/// Runs the example of the page on grounding as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/ground.md")]
pub struct Grounding;

/// Runs the example of the page on functions for tasks as a test.
#[cfg(all(doctest, feature = "tasks"))]
#[doc = include_str!("../../../../docs/how-to/functions.md")]
pub struct Functions;

/// Runs the examples of the page on searches as tests.
#[cfg(all(doctest, feature = "plan"))]
#[doc = include_str!("../../../../docs/how-to/own-search.md")]
pub struct OwnSearch;

/// Runs the example of the page on finite-domain tasks as a test.
#[cfg(all(doctest, feature = "sas"))]
#[doc = include_str!("../../../../docs/how-to/translate.md")]
pub struct Translating;

/// Runs the example of the page on networks as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/networks.md")]
pub struct Networks;

/// Runs the example of the page on generators as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/reference/generators.md")]
pub struct Generators;

/// Runs the example of the page on exploring as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/exploring.md")]
pub struct Exploring;
