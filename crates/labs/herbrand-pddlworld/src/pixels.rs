//! Sketches as pixels.

use std::sync::Arc;

use herbrand_core::{Group, Memory};
use herbrand_render::{
    Declaration, DrawnObject, DrawnPredicate, DrawnProblem, DrawnRange, DrawnValue, ImageError, Moment,
    Mosaic, NamedFact, Picture, PictureVocabulary, Pixelated,
};

use crate::error::WorldError;
use crate::sign::{PARTS, Sign};
use crate::target::Target;
use crate::vocabulary::SketchVocabulary;
use crate::world::World;
use crate::worlds::Worlds;

/// A row of cells for each literal of an operator, and a column for each part; positions without a cell are walls.
const PICTURE: &str = r#"
grid = { cells = "r{row}c{column}" }
layer = [
    { fact = "positive", fill = "strong", colour = "green" },
    { fact = "negative", fill = "strong", colour = "red" },
]
"#;

/// The signs that are drawn, in the order of their facts.
const DRAWN: [Sign; 2] = [Sign::Positive, Sign::Negative];

/// An agent sees a grid with a cell for each sign: green if it is positive, red if it is negative. Each operator has two
/// columns, the precondition and then the effect, with a row per literal; a column of walls separates two operators. Not
/// for worlds with [`WorldOptions::queries`](crate::WorldOptions::queries), which give [`WorldError::Options`].
///
/// ```
/// use herbrand_core::{Env, EnvOptions};
/// use herbrand_pddlworld::{WorldOptions, Worlds};
/// use herbrand_render::{PixelSize, Pixels};
///
/// let worlds = Worlds::light_switch(WorldOptions::default())?;
/// let pixels = Pixels::of(&worlds, PixelSize::default())?;
/// let mut env = Env::observed(worlds, pixels, EnvOptions::default())?;
/// env.reset(Some(7))?;
/// let mut frame = vec![0; 64 * 64 * 3];
/// env.write_observation(&mut frame)?;
/// # Ok::<(), herbrand_pddlworld::WorldError>(())
/// ```
impl Pixelated for Worlds {
    type Problem = Target;
    type View = ();

    fn problem_of(world: &World) -> &Arc<Target> {
        world.shared_target()
    }

    fn view(&self, _index: usize, world: &World) -> Result<((), Picture), WorldError> {
        if world.widest.1 > 0 {
            let message = "pixels have no room for answers: observe bits where there are queries";
            return Err(WorldError::Options(message.to_owned()));
        }
        let declaration: Declaration =
            toml::from_str(PICTURE).map_err(|error| WorldError::Options(error.to_string()))?;
        let cell = "cell".to_owned();
        let predicate = |sign: Sign| DrawnPredicate {
            name: sign.name().to_owned(),
            parameters: vec![vec![cell.clone()]],
            group: Group::Fluent,
            range: DrawnRange::Bool,
        };
        let vocabulary = PictureVocabulary {
            types: vec![cell.clone()],
            predicates: DRAWN.map(predicate).into(),
        };
        let literals = world.target().vocabulary();
        let names = (0..places(literals)).filter_map(|place| cell_at(literals, place));
        let objects = names.map(|name| DrawnObject {
            name,
            types: vec![cell.clone()],
        });
        let problem = DrawnProblem {
            objects: objects.collect(),
            ..DrawnProblem::default()
        };
        let picture = Picture::new(Some(&declaration), vocabulary, problem, &Moment::default());
        Ok(((), picture))
    }

    fn facts(_view: &(), world: &World) -> Vec<Option<NamedFact>> {
        let ids = 0..ids(world);
        ids.map(|id| fact(world.target().vocabulary(), id)).collect()
    }

    fn moment(_view: &(), world: &World, _memory: &Memory) -> Moment {
        let held = (0..ids(world)).filter(|&id| holds(world, id));
        Moment {
            facts: held
                .filter_map(|id| fact(world.target().vocabulary(), id))
                .collect(),
            ..Moment::default()
        }
    }

    fn write(
        view: &(),
        world: &World,
        memory: &Memory,
        mosaic: &Mosaic,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        mosaic.write(
            || (0..ids(world)).filter(|&id| holds(world, id)),
            |id| holds(world, id),
            || Self::moment(view, world, memory),
            note,
            into,
        )
    }
}

impl From<ImageError> for WorldError {
    fn from(error: ImageError) -> Self {
        Self::Options(error.to_string())
    }
}

/// Returns the number of cells: those of the preconditions come before those of the effects.
fn places(literals: &SketchVocabulary) -> u32 {
    (PARTS.len() * literals.len()) as u32
}

/// Returns the number of facts: one for each cell and drawn sign.
fn ids(world: &World) -> u32 {
    DRAWN.len() as u32 * places(world.target().vocabulary())
}

/// Returns the index of the part, the operator and the literal of a cell.
fn parts(literals: &SketchVocabulary, place: u32) -> Option<(usize, usize, usize)> {
    let (part, place) = (place as usize / literals.len(), place as usize % literals.len());
    let (operator, literal) = literals.at(place)?;
    Some((part, operator, literal))
}

/// Returns the name of a cell.
fn cell_at(literals: &SketchVocabulary, place: u32) -> Option<String> {
    let (part, operator, literal) = parts(literals, place)?;
    let column = (PARTS.len() + 1) * operator + part + 1;
    Some(format!("r{}c{column}", literal + 1))
}

/// Returns the fact that a cell has a sign.
fn fact(literals: &SketchVocabulary, id: u32) -> Option<NamedFact> {
    Some(NamedFact {
        name: DRAWN[id as usize % DRAWN.len()].name().to_owned(),
        arguments: vec![cell_at(literals, id / DRAWN.len() as u32)?],
        value: DrawnValue::True,
    })
}

fn holds(world: &World, id: u32) -> bool {
    let parts = parts(world.target().vocabulary(), id / DRAWN.len() as u32);
    parts.is_some_and(|(part, operator, literal)| {
        world.sketch().get(PARTS[part], operator, literal) == DRAWN[id as usize % DRAWN.len()]
    })
}
