//! Environments with an observation, by its name.

use std::sync::Arc;

use herbrand_core::{Observer, Unobserved};
use herbrand_env::{
    BitsAndNumbers, EngineKind, Engines, EnvError, GraphRows, GraphSizes, LiftedSuite, ObservationMode,
    ObservedAtoms, Suite,
};
use herbrand_render::{ImageError, PixelSize, Pixels};

use super::envs::{AnyEnvs, WithObserver};
use super::playable::Playable;
use super::view::ViewForm;
use crate::any_error::{AnyError, ErrorKind};

/// An observation of problems in PDDL.
#[derive(Clone, Copy)]
enum Mode {
    /// An array of bits.
    Named(ObservationMode),
    /// Bits, and the values of numeric fluents.
    Numbers,
    /// A graph: as one object in a single environment, or as padded arrays.
    Graph,
    GraphRows,
    /// The atoms by name.
    Atoms,
    /// A picture.
    Pixels(PixelSize),
}

impl Mode {
    fn parse(name: &str) -> Result<Self, AnyError> {
        if let Some(size) = pixel_size(name) {
            return size
                .map(Self::Pixels)
                .map_err(|error| AnyError::new(ErrorKind::Form, error));
        }
        match name {
            "graph" => Ok(Self::Graph),
            "graph-arrays" => Ok(Self::GraphRows),
            "atoms" => Ok(Self::Atoms),
            "bits-and-numbers" => Ok(Self::Numbers),
            name => name.parse().map(Self::Named).map_err(|_| {
                let arrays = ObservationMode::ALL.iter();
                let arrays: Vec<_> = arrays.map(|mode| format!("{:?}", mode.name())).collect();
                let text = format!(
                    "observation is {}, \"bits-and-numbers\", \"graph\", \"graph-arrays\", \"atoms\" or \"pixels\", not {name:?}",
                    arrays.join(", ")
                );
                AnyError::new(ErrorKind::Form, text)
            }),
        }
    }

    /// Returns whether the elements of observations are bits of the state, which blocks of environments can write.
    const fn is_bits(self) -> bool {
        use ObservationMode as M;
        matches!(
            self,
            Self::Named(M::Bits | M::BitsAndGoal | M::PackedBits | M::PackedBitsAndGoal)
        )
    }

    /// Returns the form of observations in a single environment.
    fn form(self, part: ObservedAtoms, suite: &Suite) -> Result<ViewForm, EnvError> {
        Ok(match self {
            Self::Named(_) | Self::Numbers | Self::GraphRows | Self::Pixels(_) => ViewForm::Array,
            Self::Graph => ViewForm::Graph {
                part,
                is_numeric: GraphSizes::of(suite)?.functions > 0,
            },
            Self::Atoms => ViewForm::Atoms(part),
        })
    }
}

/// Reads a name such as `pixels` or `pixels-64x64`; `None` if it is no name of an observation as a picture.
///
/// # Errors
/// Fails if the size is faulty.
#[must_use]
pub fn pixel_size(name: &str) -> Option<Result<PixelSize, ImageError>> {
    match name.strip_prefix("pixels")? {
        "" => Some(Ok(PixelSize::default())),
        rest => Some(rest.strip_prefix('-')?.parse()),
    }
}

/// Combines the problems of a suite on an engine with the observation of a name: one of [`ObservationMode`], `graph`,
/// `graph-arrays`, `atoms`, or `pixels` with a size. `lifted` has the same problems for the lifted engine. Also returns the name
/// of the engine in use.
///
/// # Errors
/// Fails if there is no such observation on the engine, or a problem is faulty.
pub fn observed_suite(
    suite: &Suite,
    lifted: &LiftedSuite,
    engine: EngineKind,
    observation: &str,
    part: ObservedAtoms,
) -> Result<(Arc<dyn AnyEnvs>, &'static str), AnyError> {
    let mode = Mode::parse(observation)?;
    if engine == EngineKind::Sliced && !mode.is_bits() {
        let text = format!(
            "engine=\"sliced\" observes bits of the state (\"bits\", \"bits-and-goal\", \"packed-bits\" or \
             \"packed-bits-and-goal\"), not {observation:?}: use engine=\"automatic\""
        );
        return Err(AnyError::new(ErrorKind::Form, text));
    }
    let engines = match engine {
        EngineKind::Lifted => Engines::Lifted(lifted.clone()),
        engine => suite.on(engine)?,
    };
    let name = match engines {
        Engines::Grounded(_) if engine == EngineKind::Sliced => "sliced",
        Engines::Grounded(_) => "grounded",
        Engines::Lifted(_) => "lifted",
    };
    let form = mode.form(part, suite)?;
    let observed = match (engines, mode) {
        (Engines::Grounded(problems), Mode::GraphRows) => {
            let observer = GraphRows::of(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Lifted(problems), Mode::GraphRows) => {
            let observer = GraphRows::of_lifted(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Grounded(problems), Mode::Numbers) => {
            let observer = BitsAndNumbers::of(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Lifted(problems), Mode::Numbers) => {
            let observer = BitsAndNumbers::of_lifted(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Grounded(problems), Mode::Pixels(size)) => {
            let observer = Pixels::of(&problems, size)?;
            shared(problems, observer, form)
        }
        (Engines::Lifted(_), Mode::Pixels(_)) => {
            let observation = "pixels";
            return Err(EnvError::NeedsGrounding { observation }.into());
        }
        (Engines::Grounded(problems), Mode::Named(mode)) => {
            let observer = mode.observer(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Lifted(problems), Mode::Named(mode)) => {
            let observer = mode.lifted_observer(&problems, part)?;
            shared(problems, observer, form)
        }
        (Engines::Grounded(problems), _) => shared(problems, Unobserved, form),
        (Engines::Lifted(problems), _) => shared(problems, Unobserved, form),
    };
    Ok((observed, name))
}

/// Erases the types of problems and observer.
pub fn shared<P, O>(problems: P, observer: O, form: ViewForm) -> Arc<dyn AnyEnvs>
where
    P: Playable,
    O: Observer<P> + 'static,
{
    Arc::new(WithObserver {
        problems,
        observer,
        form,
    })
}
