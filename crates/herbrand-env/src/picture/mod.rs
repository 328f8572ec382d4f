//! Pictures of the states of planning problems.

mod goal;
mod words;

use herbrand_core::Described as _;
use herbrand_core::{Fact, Group, System as _};
use herbrand_pddl::{Domain, Problem};
use herbrand_render::{Atom, Declaration, Moment, Picture, Scene, World};

use crate::{EnvError, Planning, Suite, Walk};

pub(crate) use words::vocabulary;

/// How the states of one problem are drawn: as `[render]` in `env.toml` says, or in a general way.
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
    constants: Vec<Atom>,
}

/// Shows the facts of a state to a visitor, each once.
pub type ShowFacts<'a> = dyn Fn(&mut dyn FnMut(Fact<'_>)) + 'a;

impl StatePicture {
    /// How the states of the problem at `index` are drawn; `planning` is at any state of it, on any engine.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn of<W: Walk>(suite: &Suite, index: usize, planning: &Planning<W>) -> Result<Self, EnvError> {
        let problem = suite.parse_problem(index)?;
        let name = suite.full_problem_name(index).unwrap_or_default();
        let title = format!("{} {name}", suite.name());
        let declaration = suite.config().render.as_ref();
        let show = |visit: &mut dyn FnMut(Fact<'_>)| planning.facts(visit);
        Ok(Self::new(declaration, suite.domain(), problem, title, &show))
    }

    /// How the states of a problem are drawn, as declared or in a general way; `show` shows the facts of any state of it.
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
                constants.extend(Atom::of(fact));
            }
        });
        constants.extend(words::static_values(domain, &problem));
        let world = World {
            title,
            objects: words::objects(domain, &problem),
            constants: constants.clone(),
        };
        let first = Moment::of_facts(show);
        Self {
            picture: Picture::new(declaration, vocabulary(domain), world, &first),
            domain: domain.clone(),
            problem,
            constants,
        }
    }

    /// The current state with what the goal asks for.
    #[must_use]
    pub fn moment<W: Walk>(&self, planning: &Planning<W>) -> Moment {
        self.with_goal(Moment::of(planning), planning.status().goal)
    }

    /// The moment with what the goal asks for, where `reached` is whether the whole goal holds.
    #[must_use]
    pub fn with_goal(&self, mut moment: Moment, reached: bool) -> Moment {
        let facts = self.constants.iter().chain(&moment.facts);
        moment.goal = goal::wanted(&self.domain, &self.problem, facts, reached);
        moment
    }

    /// The picture of the current state.
    #[must_use]
    pub fn scene<W: Walk>(&self, planning: &Planning<W>) -> Scene {
        self.picture.scene(&self.moment(planning))
    }

    /// The picture of what is around the agent ([`Picture::egocentric`]); `None` where the settings do not say which that is.
    #[must_use]
    pub fn egocentric<W: Walk>(&self, planning: &Planning<W>) -> Option<Scene> {
        self.picture.egocentric(&self.moment(planning))
    }

    /// The picture of a moment, for those who change what is written about it.
    #[must_use]
    pub fn scene_of(&self, moment: &Moment) -> Scene {
        self.picture.scene(moment)
    }

    /// What it draws by.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }
}
