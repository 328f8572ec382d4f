//! Pictures of the states of planning problems.

mod goal;

use herbrand_core::Described as _;
use herbrand_core::{Fact, Group, System as _};
use herbrand_pddl::{Domain, Problem};
use herbrand_render::{
    Declaration, DrawnProblem, Moment, NamedFact, Picture, Pictured, Scene, StateRenderer,
};

use crate::error::EnvError;
use crate::planning::{Grounded, Lifted, Planning, SteppingEngine};
use crate::suite::{LiftedSuite, Suite};
use crate::words::{self, vocabulary};

/// A renderer for the states of a problem. The picture is declared by `[render]` in `env.toml`, or generic without it.
/// [`of`](Self::of) creates it, and [`scene`](Self::scene) draws a state.
///
/// ```
/// use herbrand_env::{Registry, StatePicture};
/// use herbrand_render::Theme;
///
/// let suite = Registry::get("sokoban")?.problem("train/01")?;
/// let planning = suite.engine(0)?;
/// let picture = StatePicture::of(&suite, 0, &planning)?;
/// let svg = picture.scene(&planning).to_svg(Theme::Auto);
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), herbrand_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StatePicture {
    picture: Picture,
    domain: Domain,
    problem: Problem,
    constants: Vec<NamedFact>,
}

/// A function that passes each fact of a state, including static ones, once to a visitor. [`StatePicture::new`] takes
/// it; `show_grounded` and `show_lifted` help to write one.
pub type ShowFacts<'a> = dyn Fn(&mut dyn FnMut(Fact<'_>)) + 'a;

impl StatePicture {
    /// Creates a renderer for the problem at `index`. `planning` is a system of that problem on any engine, in any
    /// state. The picture has the [title](Suite::title) of the suite and the name of the problem. `index` counts from 0.
    ///
    /// # Errors
    /// Fails if there is no such problem or it is faulty.
    pub fn of<W: SteppingEngine>(
        suite: &Suite,
        index: usize,
        planning: &Planning<W>,
    ) -> Result<Self, EnvError> {
        let problem = suite.parse_problem(index)?;
        let name = suite.full_problem_name(index).unwrap_or_default();
        let title = format!("{} {name}", suite.title());
        let declaration = suite.config().render.as_ref();
        let show = |visit: &mut dyn FnMut(Fact<'_>)| planning.facts(visit);
        Ok(Self::new(
            declaration,
            suite.stepped_domain(),
            problem,
            title,
            &show,
        ))
    }

    /// Creates a renderer for a problem with the given `title`. The picture is the declared one, or generic if
    /// `declaration` is `None`. `show` passes the facts of any state of the problem to its visitor; only the static
    /// ones are used. The problem must have been checked against `domain`. [`of`](Self::of) does this for a problem of
    /// a suite.
    #[must_use]
    pub fn new(
        declaration: Option<&Declaration>,
        domain: &Domain,
        problem: Problem,
        title: String,
        show: &ShowFacts<'_>,
    ) -> Self {
        let mut constants = Vec::new();
        show(&mut |fact| {
            if fact.group == Group::Static {
                constants.extend(NamedFact::of(fact));
            }
        });
        constants.extend(words::static_values(domain, &problem));
        let world = DrawnProblem {
            title,
            objects: words::objects(domain, &problem),
            constants: constants.clone(),
        };
        let first = Moment::of_facts(show);
        let mut vocabulary = vocabulary(domain);
        if declaration.is_none() {
            vocabulary
                .predicates
                .retain(|predicate| !words::only_counts(predicate, &first));
        }
        Self {
            picture: Picture::new(declaration, vocabulary, world, &first),
            domain: domain.clone(),
            problem,
            constants,
        }
    }

    /// Returns the content of a picture: the facts of the current state together with the goal. Pass it to
    /// [`scene_of`](Self::scene_of).
    #[must_use]
    pub fn moment<W: SteppingEngine>(&self, planning: &Planning<W>) -> Moment {
        self.with_goal(Moment::of(planning), planning.status().goal)
    }

    /// Adds the problem's goal to a moment that was created without it. Each part of the goal is marked as satisfied
    /// or not by the facts of the moment; `reached` says whether the whole goal holds. A goal that the moment has is
    /// replaced. More than 400 parts are listed as one.
    #[must_use]
    pub fn with_goal(&self, moment: Moment, reached: bool) -> Moment {
        add_goal(moment, (&self.domain, &self.problem, &self.constants), reached)
    }

    /// Returns the renderer of a system on one engine, for code that draws problems of any language.
    fn into_renderer<W: SteppingEngine>(self) -> StateRenderer<Planning<W>> {
        let Self {
            picture,
            domain,
            problem,
            constants,
        } = self;
        StateRenderer::new(picture, move |planning: &Planning<W>| {
            let moment = Moment::of(planning);
            add_goal(moment, (&domain, &problem, &constants), planning.status().goal)
        })
    }

    /// Draws the current state of a system as a picture. The system must be one of this problem.
    #[must_use]
    pub fn scene<W: SteppingEngine>(&self, planning: &Planning<W>) -> Scene {
        self.picture.scene(&self.moment(planning))
    }

    /// Draws the surroundings of the agent ([`Picture::egocentric`]); `None` if the settings do not declare an agent.
    /// Also `None` if the agent is nowhere in the current state. The same goes for a picture that is not a grid.
    #[must_use]
    pub fn egocentric<W: SteppingEngine>(&self, planning: &Planning<W>) -> Option<Scene> {
        self.picture.egocentric(&self.moment(planning))
    }

    /// Draws a moment returned by [`moment`](Self::moment), whose texts the caller may have changed.
    #[must_use]
    pub fn scene_of(&self, moment: &Moment) -> Scene {
        self.picture.scene(moment)
    }

    /// Returns the definition of the picture, which is independent of the state.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }
}

/// Adds the goal of a problem, given with its domain and constant facts, to a moment.
fn add_goal(
    mut moment: Moment,
    (domain, problem, constants): (&Domain, &Problem, &[NamedFact]),
    reached: bool,
) -> Moment {
    let facts = constants.iter().chain(&moment.facts);
    moment.goal = goal::wanted(domain, problem, facts, reached);
    moment
}

impl Pictured for Suite {
    fn renderer(
        &self,
        index: usize,
        planning: &Planning<Grounded>,
    ) -> Result<StateRenderer<Planning<Grounded>>, EnvError> {
        Ok(StatePicture::of(self, index, planning)?.into_renderer())
    }
}

impl Pictured for LiftedSuite {
    fn renderer(
        &self,
        index: usize,
        planning: &Planning<Lifted>,
    ) -> Result<StateRenderer<Planning<Lifted>>, EnvError> {
        Ok(StatePicture::of(self.suite(), index, planning)?.into_renderer())
    }
}
