//! The commands, one a file.

mod bench;
mod check;
mod datalog;
mod domains;
mod explain;
mod fmt;
mod generate;
mod ground;
mod learn;
mod plan;
mod play;
mod record;
mod render;
mod replay;
mod rollout;
mod show;
mod study;
mod validate;

pub use bench::Bench;
pub use check::Check;
pub use datalog::Datalog;
pub use domains::Domains;
pub use explain::Explain;
pub use fmt::Fmt;
pub use generate::Generate;
pub use ground::Ground;
pub use learn::Learn;
pub use plan::Plan;
pub use play::Play;
pub use record::Record;
pub use render::Render;
pub use replay::Replay;
pub use rollout::Rollout;
pub use show::Show;
pub use study::Study;
pub use validate::Validate;
