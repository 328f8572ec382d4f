//! States as pixels, for agents.

use std::fmt::Debug;
use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Random, Written};

use crate::colour::Theme;
use crate::mosaic::{Camera, Mosaic, PixelSize};
use crate::picture::Picture;
use crate::pictured::Pictured;
use crate::problem::{Moment, NamedFact};
use crate::raster::{Image, ImageError};

/// Problems whose states agents see as [`Pixels`]. What an agent sees may differ from what [`Pictured`] shows to people.
pub trait Pixelated: Pictured<Error: From<ImageError>> {
    /// The compiled problem, which all systems of the problem share. It identifies the problem.
    type Problem: Debug + Send + Sync;
    /// The part of a problem that drawing needs.
    type View: Debug + Send + Sync;

    /// Returns the compiled problem of a system.
    fn problem_of(system: &Self::System) -> &Arc<Self::Problem>;

    /// Prepares the drawing of the problem at `index`: its view, and the picture. `system` is in an initial state of it.
    /// [`Pixels::of`] calls this for every problem, and passes the view to the other functions.
    ///
    /// # Errors
    /// Fails if the problem is faulty.
    fn view(&self, index: usize, system: &Self::System) -> Result<(Self::View, Picture), Self::Error>;

    /// Returns the facts that may change and be seen, whether they hold now or not. Their positions are their ids;
    /// `None` for an id that is not drawn as a fact.
    fn facts(view: &Self::View, system: &Self::System) -> Vec<Option<NamedFact>>;

    /// Stores what an agent learned from the step to the current state. By default, nothing is stored. Like
    /// [`Observer::attend`], it is called once per state.
    fn attend(_view: &Self::View, _system: &Self::System, _memory: &mut Memory) {}

    /// Returns everything that an agent with this memory sees of the current state.
    fn moment(view: &Self::View, system: &Self::System, memory: &Memory) -> Moment;

    /// Writes what an agent with this memory sees with [`Mosaic::write`]; `note` and `into` are passed to it, and its
    /// result is returned. A language writes this loop, so that it is compiled and optimised with the language.
    fn write(
        view: &Self::View,
        system: &Self::System,
        memory: &Memory,
        mosaic: &Mosaic,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize;
}

/// An observer that writes a picture of the state as pixels: the red, green and blue bytes of each pixel, row by row from
/// the top. The picture is declared by `[render]` in `env.toml`, or generic.
///
/// ```text
///   shape   [height, width, 3]
///   byte    3 * (row * width + column) + channel
/// ```
///
/// Facts that are the same in all states are left out ([`Camera`]). The cells of a grid are drawn once and copied
/// ([`Mosaic`]). If numbers change, every state is drawn from scratch. Cloning is cheap.
///
/// The observer is made for one set of problems, with [`of`](Self::of), and for the sets that are selected from it. An
/// environment over another set fails at its first reset, even if the problems have the same text.
#[derive(Clone, Debug)]
pub struct Pixels<P: Pixelated> {
    size: PixelSize,
    /// By the address of the compiled problem, which `Drawn` keeps alive.
    problems: Arc<FxHashMap<usize, Drawn<P>>>,
}

/// The drawing of one problem.
#[derive(Debug)]
struct Drawn<P: Pixelated> {
    _problem: Arc<P::Problem>,
    view: P::View,
    mosaic: Mosaic,
}

impl<P: Pixelated> Pixels<P> {
    /// Creates an observer that draws pictures of this `size` for the problems of the set. Compiles all of them.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be compiled, or if a picture would have no pixels or too many.
    pub fn of(problems: &P, size: PixelSize) -> Result<Self, P::Error> {
        let mut drawn = FxHashMap::default();
        for index in 0..problems.len() {
            let system = problems.system(index)?;
            let (view, picture) = problems.view(index, &system)?;
            let camera = Camera::new(picture, size, Theme::Light)?;
            let first = P::moment(&view, &system, &Memory::default());
            let mosaic = Mosaic::new(camera, &P::facts(&view, &system), &first)?;
            let one = Drawn {
                _problem: Arc::clone(P::problem_of(&system)),
                view,
                mosaic,
            };
            drawn.insert(address::<P>(&system), one);
        }
        Ok(Self {
            size,
            problems: Arc::new(drawn),
        })
    }

    /// Draws the current state of `system` from scratch; `memory` is the memory of its episode. The pixels are those of
    /// [`write`](Observer::write), which reuses parts of pictures that it has drawn before.
    ///
    /// # Errors
    /// Fails if the state is of another set of problems.
    pub fn draw(&self, system: &P::System, memory: &Memory) -> Result<Image, ImageError> {
        let drawn = self.drawn(system)?;
        drawn
            .mosaic
            .camera()
            .draw(&P::moment(&drawn.view, system, memory))
    }

    fn drawn(&self, system: &P::System) -> Result<&Drawn<P>, ImageError> {
        let drawn = self.problems.get(&address::<P>(system));
        drawn.ok_or(ImageError::ForeignProblem)
    }

    fn copy(
        &self,
        system: &P::System,
        memory: &Memory,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        self.drawn(system).map_or(0, |Drawn { view, mosaic, .. }| {
            P::write(view, system, memory, mosaic, note, into)
        })
    }
}

/// Returns the address of the compiled problem of a system.
fn address<P: Pixelated>(system: &P::System) -> usize {
    Arc::as_ptr(P::problem_of(system)).addr()
}

impl<P: Pixelated> Observer<P> for Pixels<P> {
    type Element = u8;

    fn layout(&self, _problems: &P) -> Result<ObservationLayout, P::Error> {
        let PixelSize { width, height } = self.size;
        Ok(ObservationLayout::new(vec![ObservationField {
            name: "pixels".to_owned(),
            shape: vec![height as usize, width as usize, 3],
            low: 0.0,
            high: 255.0,
        }]))
    }

    fn check(&self, system: &P::System) -> Result<(), P::Error> {
        self.drawn(system)?;
        Ok(())
    }

    fn attend(&self, system: &P::System, memory: &mut Memory, _random: &mut Random) {
        if let Ok(drawn) = self.drawn(system) {
            P::attend(&drawn.view, system, memory);
        }
    }

    /// Writes nothing for a state of another set of problems, which [`check`](Observer::check) refuses.
    fn write(&self, system: &P::System, memory: &Memory, into: &mut [u8]) -> usize {
        self.copy(system, memory, None, into)
    }

    fn rewrite(&self, system: &P::System, memory: &Memory, written: &mut Written, into: &mut [u8]) -> usize {
        self.copy(system, memory, Some(&mut written.words), into)
    }
}
