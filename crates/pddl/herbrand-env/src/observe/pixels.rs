//! States as pixels.

use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Written};
use herbrand_ground::{AtomId, GroundTask};
use herbrand_pddl::{AtomRef, PredicateKind};
use herbrand_render::{Camera, DrawnValue, Image, Mosaic, NamedFact, PixelSize, Theme};

use crate::error::EnvError;
use crate::instance::Instance;
use crate::picture::StatePicture;
use crate::planning::{Grounded, Planning};
use crate::suite::Suite;

/// An observer that writes a picture of the state as pixels: red, green and blue per pixel, row by row from the top.
/// The picture is declared by `[render]` in `env.toml`, or generic without it. The colours are those of the light
/// theme.
///
/// ```text
///   shape   [height, width, 3]
///   byte    3 * (row * width + column) + channel
/// ```
///
/// Parts that are equal in all states are omitted ([`Camera`]). The cells of a grid are drawn once and copied ([`Mosaic`]).
///
/// ```
/// use herbrand_env::{Env, EnvOptions, Pixels, Registry};
/// use herbrand_render::PixelSize;
///
/// let suite = Registry::get("sokoban")?.problem("train/03")?;
/// let pixels = Pixels::of(&suite, PixelSize::default())?;
/// let mut env = Env::observed(suite, pixels, EnvOptions::default())?;
/// env.reset(Some(7))?;
/// let mut frame = vec![0; 64 * 64 * 3];
/// env.write_observation(&mut frame)?;
/// assert!(frame.iter().any(|&byte| byte != frame[0]));
/// # Ok::<(), herbrand_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pixels {
    size: PixelSize,
    /// The drawing data of each problem, keyed by the address of its instance, which `Drawn` keeps alive.
    problems: Arc<FxHashMap<usize, Drawn>>,
}

/// The drawing data of a problem.
#[derive(Debug)]
struct Drawn {
    instance: Arc<Instance>,
    picture: StatePicture,
    mosaic: Mosaic,
    /// The derived atoms that affect pictures, in ascending order.
    derived: Vec<AtomId>,
}

impl Pixels {
    /// Creates an observer that draws pictures of this `size`, in pixels, for the problems of `suite`. Compiles all of
    /// them. Use it for this suite or a selection of it; for other problems, nothing is drawn.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be grounded, or if a picture would have no pixels or too many.
    pub fn of(suite: &Suite, size: PixelSize) -> Result<Self, EnvError> {
        let mut problems = FxHashMap::default();
        for index in 0..suite.len() {
            let drawn = Drawn::new(suite, index, size)?;
            problems.insert(address(&drawn.instance), drawn);
        }
        Ok(Self {
            size,
            problems: Arc::new(problems),
        })
    }

    /// Draws a state from scratch. [`write`](Observer::write) yields the same pixels but reuses parts of pictures that
    /// it has drawn before; this method is for tests that compare the two. `None` if the problem is not in the suite,
    /// or if the picture cannot be drawn.
    #[must_use]
    pub fn draw_plainly(&self, planning: &Planning<Grounded>) -> Option<Image> {
        let drawn = self.problems.get(&address(planning.instance()))?;
        let camera = drawn.mosaic.camera();
        camera.draw(&drawn.picture.moment(planning)).ok()
    }

    /// Draws a state. If `note` describes the previous content of `into`, redraws only the cells that changed. Writes
    /// nothing if the problem is not in the suite.
    fn draw(&self, planning: &Planning<Grounded>, note: Option<&mut Vec<u64>>, into: &mut [u8]) -> usize {
        let Some(drawn) = self.problems.get(&address(planning.instance())) else {
            return 0;
        };
        let walker = planning.walker();
        let derived = || drawn.derived.iter().copied();
        let derived = || derived().filter(|&atom| walker.holds(atom));
        let held = || walker.state().fluents().chain(derived());
        drawn.mosaic.write(
            || held().map(|atom| atom.index() as u32),
            |atom| walker.holds(AtomId::new(atom)),
            || drawn.picture.moment(planning),
            note,
            into,
        )
    }
}

/// Returns the key of a problem: the address of its instance.
fn address(instance: &Arc<Instance>) -> usize {
    Arc::as_ptr(instance).addr()
}

impl Drawn {
    fn new(suite: &Suite, index: usize, size: PixelSize) -> Result<Self, EnvError> {
        let planning = suite.engine(index)?;
        let picture = StatePicture::of(suite, index, &planning)?;
        let task = planning.instance().simulator().task();
        let atoms: Vec<Option<NamedFact>> = task.atoms.iter().map(|fact| atom(task, fact)).collect();
        let camera = Camera::new(picture.picture().clone(), size, Theme::Light)?;
        let mosaic = Mosaic::new(camera, &atoms, &picture.moment(&planning))?;
        let derived = (task.fluent_count()..task.atom_count()).map(AtomId::from_index);
        let derived = derived.filter(|atom| mosaic.concerns(atom.index() as u32));
        Ok(Self {
            derived: derived.collect(),
            instance: Arc::clone(planning.instance()),
            picture,
            mosaic,
        })
    }
}

/// Converts an atom of a task for pictures; `None` if it is not shown.
fn atom(task: &GroundTask, fact: AtomRef<'_>) -> Option<NamedFact> {
    let predicate = task.vocabulary.predicate(fact.predicate);
    let shown = !predicate.auxiliary && predicate.kind != PredicateKind::Action;
    let objects = fact.arguments.iter();
    shown.then(|| NamedFact {
        name: predicate.signature.name.to_string(),
        arguments: objects
            .map(|&object| task.vocabulary.object(object).to_owned())
            .collect(),
        value: DrawnValue::True,
    })
}

impl Observer<Suite> for Pixels {
    type Element = u8;

    fn layout(&self, _suite: &Suite) -> Result<ObservationLayout, EnvError> {
        let PixelSize { width, height } = self.size;
        Ok(ObservationLayout::new(vec![ObservationField {
            name: "pixels".to_owned(),
            shape: vec![height as usize, width as usize, 3],
            low: 0.0,
            high: 255.0,
        }]))
    }

    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [u8]) -> usize {
        self.draw(planning, None, into)
    }

    fn rewrite(
        &self,
        planning: &Planning<Grounded>,
        _memory: &Memory,
        written: &mut Written,
        into: &mut [u8],
    ) -> usize {
        self.draw(planning, Some(&mut written.words), into)
    }
}
