//! Pictures of states.
//!
//! A [`Declaration`] is the table `[render]` of a domain's `env.toml`: it says which facts are drawn, where, and how. With
//! the words of the domain ([`Vocabulary`]) and a problem ([`World`]) it is a [`Picture`], which makes a [`Scene`] of each
//! state ([`Moment`]). A scene has figures, lines and text at places, and becomes SVG ([`Scene::to_svg`]); scenes of a walk
//! become a page that replays it ([`replay_page`]).
//!
//! ```text
//!   [render] ──▶ Declaration ──┐
//!   Vocabulary, World ─────────┴──▶ Picture ──scene(Moment)──▶ Scene ──▶ SVG, pages
//!                                                  ▲
//!                              a state's facts ────┘
//! ```
//!
//! Where there is no room for pixels, grids and towers are lines of characters ([`Picture::text`]).
//!
//! A scene also says where which objects are shown ([`Scene::zones`]), so that a click in a picture is about something.
//!
//! No language and no domain is known here. Where no declaration is given, one is inferred ([`Declaration::infer`]), and
//! facts that change and that no part of a declaration draws are written beside the picture.
//!
//! ```
//! use herbrand_core::Group;
//! use herbrand_render::{Atom, Declaration, Moment, Object, Picture, Predicate, Range, Theme, Value, Vocabulary, World};
//!
//! let declaration: Declaration = toml::from_str(
//!     r#"
//!     grid = { cells = "r{row}c{column}" }
//!     [[layer]]
//!     fact = "robot-at"
//!     shape = "robot"
//!     "#,
//! )?;
//! let vocabulary = Vocabulary {
//!     types: vec!["cell".into()],
//!     predicates: vec![Predicate {
//!         name: "robot-at".into(),
//!         parameters: vec![vec!["cell".into()]],
//!         group: Group::Fluent,
//!         range: Range::Bool,
//!     }],
//! };
//! let cell = |name: &str| Object { name: name.into(), types: vec!["cell".into()] };
//! let world = World { title: "two cells".into(), objects: vec![cell("r1c1"), cell("r1c2")], constants: vec![] };
//! let moment = Moment {
//!     facts: vec![Atom { name: "robot-at".into(), arguments: vec!["r1c2".into()], value: Value::True }],
//!     ..Moment::default()
//! };
//! let scene = Picture::new(Some(&declaration), vocabulary, world, &moment).scene(&moment);
//! assert!(scene.faults().is_empty());
//! assert!(scene.to_svg(Theme::Auto).contains("hb-robot"));
//! # Ok::<(), toml::de::Error>(())
//! ```

mod chars;
pub mod colour;
pub mod declare;
mod facts;
mod layout;
mod look;
#[cfg(feature = "png")]
mod mosaic;
mod page;
mod picture;
#[cfg(feature = "png")]
mod raster;
pub mod scene;
mod sheet;
mod sprite;
mod svg;
mod text;
mod view;
mod world;

pub use chars::{Direction, Line, Meaning, Run};
pub use colour::Theme;
pub use declare::{Declaration, RenderCode};
pub use layout::CellNames;
#[cfg(feature = "png")]
pub use mosaic::{Camera, Mosaic, PixelSize};
pub use page::{Still, replay_page};
pub use picture::Picture;
#[cfg(feature = "png")]
pub use raster::{Animation, Image, ImageError, WebPAnimation, paper};
pub use scene::Scene;
pub use sheet::sheet;
pub use sprite::{Paint, Sprite};
pub use text::{FONT, text_width};
pub use world::{Atom, Moment, Object, Predicate, Range, Value, Vocabulary, Wanted, World};
