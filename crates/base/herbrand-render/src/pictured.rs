//! Problems whose states are drawn, in any language.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use herbrand_core::balloon::BalloonProblems;
use herbrand_core::{Described, Enumerated, FactValue, Group, Problems};

use crate::picture::Picture;
use crate::problem::{
    DrawnObject, DrawnPredicate, DrawnProblem, DrawnRange, Moment, NamedFact, PictureVocabulary,
};
use crate::scene::Scene;

/// Problems whose states are drawn. By default, a picture shows the facts: objects as boxes and their relations as
/// arrows.
pub trait Pictured: Problems<System: Described + 'static> {
    /// Prepares the drawing of states of the problem at `index`. `system` is a system of that problem, in any state.
    /// The default is [`StateRenderer::of_facts`], which never fails.
    ///
    /// # Errors
    /// Fails if there is no such problem or it is faulty.
    fn renderer(
        &self,
        index: usize,
        system: &Self::System,
    ) -> Result<StateRenderer<Self::System>, Self::Error> {
        let name = self.problem_name(index).unwrap_or_default();
        Ok(StateRenderer::of_facts(format!("{} {name}", self.name()), system))
    }
}

/// Draws the states of one problem. Cheap to clone. [`scene`](Self::scene) draws a state. [`Pictured::renderer`]
/// returns one.
pub struct StateRenderer<S> {
    picture: Arc<Picture>,
    moment: Arc<dyn Fn(&S) -> Moment + Send + Sync>,
}

impl<S> StateRenderer<S> {
    /// Creates a renderer from a picture and the function that lists what it shows of a state. The picture must be of
    /// the same problem as the systems that are drawn.
    pub fn new(picture: Picture, moment: impl Fn(&S) -> Moment + Send + Sync + 'static) -> Self {
        Self {
            picture: Arc::new(picture),
            moment: Arc::new(moment),
        }
    }

    /// Returns the definition of the picture, which is independent of the state.
    #[must_use]
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the content of a picture of the current state of `system`: its facts, and the goal if there is one. Pass
    /// it to [`scene_of`](Self::scene_of) to draw it later.
    #[must_use]
    pub fn moment(&self, system: &S) -> Moment {
        (self.moment)(system)
    }

    /// Draws the current state of `system`. Write the [`Scene`] as SVG, or in another format of this crate.
    #[must_use]
    pub fn scene(&self, system: &S) -> Scene {
        self.picture.scene(&self.moment(system))
    }

    /// Draws a moment returned by [`moment`](Self::moment), whose texts the caller may have changed. It must be a
    /// moment of the same problem.
    #[must_use]
    pub fn scene_of(&self, moment: &Moment) -> Scene {
        self.picture.scene(moment)
    }
}

impl<S: Described + 'static> StateRenderer<S> {
    /// Creates a renderer with the given title for a system without declared pictures. The names and objects are
    /// those of the facts of the current state of `system`. Objects and predicates that only later states have are
    /// not drawn.
    #[must_use]
    pub fn of_facts(title: String, system: &S) -> Self {
        let mut vocabulary = PictureVocabulary {
            types: vec![OBJECT.to_owned()],
            predicates: Vec::new(),
        };
        let mut problem = DrawnProblem {
            title,
            ..DrawnProblem::default()
        };
        let mut known = BTreeSet::new();
        system.facts(&mut |fact| {
            for &name in fact.arguments {
                if known.insert(name.to_owned()) {
                    problem.objects.push(DrawnObject {
                        name: name.to_owned(),
                        types: vec![OBJECT.to_owned()],
                    });
                }
            }
            if fact.group == Group::Static {
                problem.constants.extend(NamedFact::of(fact));
            }
            if vocabulary.find(fact.name).is_none() {
                vocabulary.predicates.push(DrawnPredicate {
                    name: fact.name.to_owned(),
                    parameters: vec![vec![OBJECT.to_owned()]; fact.arguments.len()],
                    group: fact.group,
                    range: match fact.value {
                        FactValue::Bool(_) => DrawnRange::Bool,
                        FactValue::Int(_) | FactValue::Real(_) => DrawnRange::Number,
                        FactValue::Symbol(_) => DrawnRange::Symbol,
                    },
                });
            }
        });
        let first = Moment::of(system);
        Self::new(Picture::new(None, vocabulary, problem, &first), Moment::of)
    }
}

/// The type of objects in a system that has no types.
const OBJECT: &str = "object";

impl<S> Clone for StateRenderer<S> {
    fn clone(&self) -> Self {
        Self {
            picture: Arc::clone(&self.picture),
            moment: Arc::clone(&self.moment),
        }
    }
}

impl<S> fmt::Debug for StateRenderer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateRenderer")
            .field("picture", &self.picture)
            .finish_non_exhaustive()
    }
}

/// Balloons have no picture of their own: their height and gas are written as text.
impl Pictured for BalloonProblems {}

impl<P: Pictured> Pictured for Enumerated<P> {
    fn renderer(
        &self,
        index: usize,
        system: &Self::System,
    ) -> Result<StateRenderer<Self::System>, Self::Error> {
        let inner = self.inner().renderer(index, system.inner())?;
        Ok(StateRenderer {
            picture: Arc::clone(&inner.picture),
            moment: Arc::new(move |system: &Self::System| inner.moment(system.inner())),
        })
    }
}
