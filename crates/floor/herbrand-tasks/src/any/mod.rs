//! Systems, environments and batches of any language behind one set of traits.
//!
//! A language implements [`Playable`] for its sets of problems, and [`LanguageFeatures`] for what it has beyond the traits
//! of the core. Each of the other traits has one implementation, over the generic types of `herbrand-core`.
//!
//! ```text
//!   WithObserver<P, O> ─ AnyEnvs: problems with an observation mode
//!     ├─ env ───▶ Env<P, O> ──── AnyEnv ── look ──▶ AnySystem ── features ──▶ LanguageFeatures
//!     └─ batch ─▶ VecEnv<P, O> ─ AnyBatch
//! ```

mod batch;
mod env;
mod envs;
mod error;
mod languages;
mod playable;
mod system;
mod view;

pub use batch::{AnyBatch, AnyBuffers};
pub use env::{ActionInput, ActionOutput, AnyEnv, TakenStep};
pub use envs::{AnyEnvs, Description, WithObserver};
pub use error::{AnyError, ErrorKind};
pub use playable::{LanguageFeatures, Playable, field_bounds};
pub use system::AnySystem;
pub use view::{StateView, TrueAtoms, ViewForm};
