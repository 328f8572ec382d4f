//! Pictures of states.
//!
//! A [`Declaration`] is the table `[render]` of a domain's `env.toml`: it selects the facts to draw and their positions and
//! shapes. Together with the domain's [`PictureVocabulary`] and a problem's [`DrawnProblem`] it forms a [`Picture`], which
//! turns each state ([`Moment`]) into a [`Scene`]. A scene consists of figures, lines and text at positions. It converts to
//! SVG ([`Scene::to_svg`]), and the scenes of a walk convert to an HTML page that replays it ([`replay_page`]).
//!
//! ```text
//!          [render] ──▶ Declaration ──┐
//!   PictureVocabulary, DrawnProblem ──┴──▶ Picture ──scene(Moment)──▶ Scene ──▶ SVG, pages
//!                                                           ▲
//!                                       a state's facts ────┘
//! ```
//!
//! For terminals, grids and towers are drawn with characters ([`Picture::text`]).
//!
//! A scene also contains the positions of objects ([`Scene::zones`]), so that clicks can be mapped to objects.
//!
//! The crate knows no planning language and no domain. Without a declaration, one is inferred ([`Declaration::infer`]).
//! Changeable facts that no part of a declaration draws are written next to the picture.
//!
//! ```
//! use herbrand_core::Group;
//! use herbrand_render::{Declaration, DrawnProblem, DrawnValue, Moment, NamedFact, DrawnObject, Picture, PictureVocabulary, DrawnPredicate, DrawnRange, Theme};
//!
//! let declaration: Declaration = toml::from_str(
//!     r#"
//!     grid = { cells = "r{row}c{column}" }
//!     [[layer]]
//!     fact = "robot-at"
//!     shape = "robot"
//!     "#,
//! )?;
//! let vocabulary = PictureVocabulary {
//!     types: vec!["cell".into()],
//!     predicates: vec![DrawnPredicate {
//!         name: "robot-at".into(),
//!         parameters: vec![vec!["cell".into()]],
//!         group: Group::Fluent,
//!         range: DrawnRange::Bool,
//!     }],
//! };
//! let cell = |name: &str| DrawnObject { name: name.into(), types: vec!["cell".into()] };
//! let world = DrawnProblem { title: "two cells".into(), objects: vec![cell("r1c1"), cell("r1c2")], constants: vec![] };
//! let moment = Moment {
//!     facts: vec![NamedFact { name: "robot-at".into(), arguments: vec!["r1c2".into()], value: DrawnValue::True }],
//!     ..Moment::default()
//! };
//! let scene = Picture::new(Some(&declaration), vocabulary, world, &moment).scene(&moment);
//! assert!(scene.faults().is_empty());
//! assert!(scene.to_svg(Theme::Auto).contains("hb-robot"));
//! # Ok::<(), toml::de::Error>(())
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::render`: there, read `herbrand_render` in the examples as
//! `herbrand::render`.

mod chars;
pub mod colour;
pub mod declare;
mod facts;
mod graph;
mod item;
mod layout;
mod look;
#[cfg(feature = "png")]
mod mosaic;
mod page;
mod picture;
mod pictured;
#[cfg(feature = "png")]
mod pixels;
mod problem;
#[cfg(feature = "png")]
mod raster;
pub mod scene;
mod sheet;
mod sprite;
mod svg;
mod symbols;
mod text;
mod view;

pub use chars::{Direction, LegendEntry, TextLine, TextRun};
pub use colour::Theme;
pub use declare::{Declaration, RenderCode};
pub use graph::{GraphArrow, GraphNode, GraphPicture};
pub use layout::CellNames;
#[cfg(feature = "png")]
pub use mosaic::{Camera, Mosaic, PixelSize};
pub use page::{ReplayState, replay_page};
pub use picture::Picture;
pub use pictured::{Pictured, StateRenderer};
#[cfg(feature = "png")]
pub use pixels::{Pixelated, Pixels};
pub use problem::{
    DrawnObject, DrawnPredicate, DrawnProblem, DrawnRange, DrawnValue, GoalFact, Moment, NamedFact,
    PictureVocabulary,
};
#[cfg(feature = "png")]
pub use raster::{Animation, Image, ImageError, WebPAnimation, paper};
pub use scene::Scene;
pub use sheet::sheet;
pub use sprite::{Paint, Sprite};
pub use text::{FONT, text_width};
