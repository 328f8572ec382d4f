//! States as pixels.

use std::sync::Arc;

use herbrand_core::Memory;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_pddl::{AtomRef, PredicateKind};
use herbrand_render::{DrawnValue, Moment, Mosaic, NamedFact, Picture, Pixelated};

use crate::error::EnvError;
use crate::instance::CompiledProblem;
use crate::picture::StatePicture;
use crate::planning::{Grounded, Planning};
use crate::suite::Suite;

/// The agent sees the atoms, the numbers that the picture shows, and the goal.
///
/// ```
/// use herbrand_env::{Env, EnvOptions, Registry};
/// use herbrand_render::{PixelSize, Pixels};
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
impl Pixelated for Suite {
    type Problem = CompiledProblem;
    type View = StatePicture;

    fn problem_of(planning: &Planning<Grounded>) -> &Arc<CompiledProblem> {
        planning.instance()
    }

    fn view(&self, index: usize, planning: &Planning<Grounded>) -> Result<(StatePicture, Picture), EnvError> {
        let view = StatePicture::of(self, index, planning)?;
        let picture = view.picture().clone();
        Ok((view, picture))
    }

    fn facts(_view: &StatePicture, planning: &Planning<Grounded>) -> Vec<Option<NamedFact>> {
        let task = planning.instance().simulator().task();
        task.atoms.iter().map(|fact| atom(task, fact)).collect()
    }

    fn moment(view: &StatePicture, planning: &Planning<Grounded>, _memory: &Memory) -> Moment {
        view.moment(planning)
    }

    fn write(
        view: &StatePicture,
        planning: &Planning<Grounded>,
        _memory: &Memory,
        mosaic: &Mosaic,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        let walker = planning.walker();
        let holds = |fact| walker.holds(AtomId::new(fact));
        let fluents = || walker.state().fluents().map(|atom| atom.index() as u32);
        let first = planning.instance().simulator().task().fluent_count() as u32;
        let derived = || mosaic.concerned_from(first).filter(|&fact| holds(fact));
        mosaic.write(
            || fluents().chain(derived()),
            holds,
            || view.moment(planning),
            note,
            into,
        )
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
