//! States drawn as text, as `env.toml` says: grids and towers.

mod grid;
mod scene;
mod towers;

use crate::{Grounded, Planning, Suite};

use grid::Grid;
pub use herbrand_render::CellNames;
use scene::Scene;
use towers::Towers;

/// How the states of one problem are drawn: as a grid of cells, or as towers of items.
///
/// ```
/// use herbrand_env::{Drawing, Registry};
///
/// let suite = Registry::get("sokoban")?.problem("train/01")?;
/// let drawing = Drawing::of(&suite, 0).expect("sokoban is drawn as a grid");
/// let planning = suite.engine(0)?;
/// assert_eq!(drawing.state(&planning), ["@ _ $ ."]);
/// assert!(drawing.legend().any(|(symbol, meaning)| symbol == "@" && meaning == "player"));
/// # Ok::<(), herbrand_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drawing(Shape);

#[derive(Clone, Debug)]
enum Shape {
    Grid(Grid),
    Towers(Towers),
}

/// A direction on a drawn grid: rows go down, columns to the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

impl Drawing {
    /// How the problem at `index` is drawn; `None` when the settings of the suite declare no drawing, the problem has
    /// nothing to draw, or it cannot be compiled.
    #[must_use]
    pub fn of(suite: &Suite, index: usize) -> Option<Self> {
        let planning = suite.engine(index).ok()?;
        let config = suite.config();
        let grid = || Grid::new(config, &Scene::of(&planning)).map(Shape::Grid);
        let towers = || Towers::new(suite.domain(), config, &planning).map(Shape::Towers);
        towers().or_else(grid).map(Self)
    }

    /// The current state, one line per row.
    #[must_use]
    pub fn state(&self, planning: &Planning<Grounded>) -> Vec<String> {
        self.draw(&Scene::of(planning))
    }

    /// The goal, drawn as states are; `None` where the goal says nothing that is drawn, or where symbols of the grid
    /// mark it in the state.
    #[must_use]
    pub fn goal(&self, planning: &Planning<Grounded>) -> Option<Vec<String>> {
        let mut scene = Scene::of_goal(planning);
        let shown = match &self.0 {
            Shape::Grid(grid) => grid.shows_goal(&scene),
            Shape::Towers(towers) => {
                scene.atoms.retain(|atom| !atom.fixed);
                towers.shows(&scene)
            }
        };
        shown.then(|| self.draw(&scene))
    }

    /// The symbols of a grid with their meanings, in the order in which they are tried.
    pub fn legend(&self) -> impl Iterator<Item = (&str, String)> {
        let grid = match &self.0 {
            Shape::Grid(grid) => Some(grid),
            Shape::Towers(_) => None,
        };
        grid.into_iter().flat_map(Grid::legend)
    }

    /// Whether this is a grid, in which there are directions.
    #[must_use]
    pub const fn is_grid(&self) -> bool {
        matches!(self.0, Shape::Grid(_))
    }

    /// The cell beside the agent's, if the settings say where the agent is and there is one.
    #[must_use]
    pub fn beside(&self, planning: &Planning<Grounded>, direction: Direction) -> Option<String> {
        match &self.0 {
            Shape::Grid(grid) => grid.beside(&Scene::of(planning), direction),
            Shape::Towers(_) => None,
        }
    }

    fn draw(&self, scene: &Scene) -> Vec<String> {
        match &self.0 {
            Shape::Grid(grid) => grid.draw(scene),
            Shape::Towers(towers) => towers.draw(scene),
        }
    }
}
