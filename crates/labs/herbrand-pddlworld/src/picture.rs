//! Sketches in pictures: the table of signs.

use herbrand_core::Problems as _;
use herbrand_render::{DrawnProblem, Moment, Picture, PictureVocabulary, Pictured, StateRenderer};

use crate::error::WorldError;
use crate::world::World;
use crate::worlds::Worlds;

/// Draws the table of the sketch ([`Target::table`](crate::Target::table)), line by line below the title.
impl Pictured for Worlds {
    fn renderer(&self, index: usize, _: &World) -> Result<StateRenderer<World>, WorldError> {
        let name = self.problem_name(index).unwrap_or_default();
        let problem = DrawnProblem {
            title: format!("{} {name}", self.name()),
            ..DrawnProblem::default()
        };
        let picture = Picture::new(None, PictureVocabulary::default(), problem, &Moment::default());
        let moment = |world: &World| Moment {
            captions: world
                .target()
                .table(world.sketch())
                .lines()
                .map(str::to_owned)
                .collect(),
            ..Moment::default()
        };
        Ok(StateRenderer::new(picture, moment))
    }
}
