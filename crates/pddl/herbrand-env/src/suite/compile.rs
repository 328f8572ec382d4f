//! Parsing and compilation of problems on first use.

use std::borrow::Cow;
use std::sync::Arc;

use herbrand_core::UnknownProblem;
use herbrand_ground::{GroundError, GroundOptions, LiftedTask, NormalDomain};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem, ReadOptions, SteppedDomain};
use herbrand_step::{CompileError, LiftedSimulator, Options, Simulator, compile_within};

use super::{Entry, Shared, Sizes, Suite, Text};
use crate::error::{EnvError, PlanningError};
use crate::instance::CompiledProblem;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Lifted, Planning};
use crate::time::Schedule;
use crate::visibility::{ProblemVisibility, VisibilityRules};

impl Suite {
    /// Returns the problem at `index` as a syntax tree checked against the domain. A problem given as text is parsed
    /// again in each call. Indices count from 0.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty, or if parsing it exceeds the limits of
    /// [`with_limits`](Self::with_limits).
    pub fn parse_problem(&self, index: usize) -> Result<Problem, EnvError> {
        self.parse(self.entry(index)?, &Budget::new(self.limits))
    }

    /// Returns the problem at `index` like [`parse_problem`](Self::parse_problem), but parses it in the first call only and
    /// keeps it, for questions that are asked in many states.
    pub(super) fn checked_problem(&self, index: usize) -> Result<&Problem, EnvError> {
        let entry = self.entry(index)?;
        if let Text::Checked(problem) = &entry.text {
            return Ok(problem);
        }
        if let Some(problem) = entry.checked.get() {
            return Ok(problem);
        }
        let problem = self.parse(entry, &Budget::new(self.limits))?;
        Ok(entry.checked.get_or_init(|| Box::new(problem)))
    }

    pub(super) fn parse(&self, entry: &Entry, budget: &Budget) -> Result<Problem, EnvError> {
        entry.parse(&self.shared.domain, &self.options(budget))
    }

    /// Returns the options for reading problems.
    fn options(&self, budget: &Budget) -> ReadOptions {
        ReadOptions {
            lenient: self.is_lenient,
            ..ReadOptions::within(budget)
        }
    }

    pub(super) fn entry(&self, index: usize) -> Result<&Arc<Entry>, EnvError> {
        let entry = self.problems.get(index);
        entry.ok_or_else(|| UnknownProblem::at(self, index).into())
    }

    /// Returns the compiled problem at `index`: grounded, with action and atom ids. Compiles it on first use. Later
    /// calls return the same instance.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty, if it has more than 2^24 declared agent actions, or if
    /// grounding it exceeds the limits of [`with_limits`](Self::with_limits). For the last two,
    /// [`lifted_engine`](Self::lifted_engine) may still step it; [`EnvError::is_grounding_limit`] tells the last one.
    pub fn instance(&self, index: usize) -> Result<&Arc<CompiledProblem>, EnvError> {
        let entry = self.entry(index)?;
        if let Some(instance) = entry.instance.get() {
            return Ok(instance);
        }
        let instance = self.compile(entry)?;
        Ok(entry.instance.get_or_init(|| Arc::new(instance)))
    }

    fn compile(&self, entry: &Entry) -> Result<CompiledProblem, EnvError> {
        if let Text::Ground(text) = &entry.text {
            return Ok(CompiledProblem::of(text.simulator.clone()));
        }
        let budget = Budget::new(self.limits);
        let timed = self.parse(entry, &budget)?;
        let problem = self.shared.stepped_problem(&timed);
        let normal = self.shared.normal(&budget)?;
        let (domain, actions) = (self.stepped_domain(), self.shared_actions());
        let compiled = CompiledProblem::within(domain, normal, &problem, actions, self.ids.clone(), &budget)?;
        Ok(match self.shared.schedule(&timed) {
            Some(schedule) => compiled.with_time(schedule),
            None => compiled,
        })
    }

    /// Returns the problem at `index` as one of the [stepped domain](Self::stepped_domain).
    ///
    /// # Errors
    /// Fails like [`parse_problem`](Self::parse_problem).
    pub fn stepped_problem(&self, index: usize) -> Result<Problem, EnvError> {
        Ok(self
            .shared
            .stepped_problem(&self.parse_problem(index)?)
            .into_owned())
    }

    /// Returns the compiled problem at `index` for something that steps its operators and has no clock, which `what` names.
    ///
    /// # Errors
    /// [`EnvError::Time`] if the problem has durative actions or timed literals, else like [`instance`](Self::instance).
    pub fn timeless_instance(
        &self,
        index: usize,
        what: &'static str,
    ) -> Result<&Arc<CompiledProblem>, EnvError> {
        self.check_timeless(what)?;
        self.instance(index)
    }

    /// Fails if the suite's problems have durative actions or timed literals. `what` names what has no clock.
    ///
    /// # Errors
    /// [`EnvError::Time`].
    pub fn check_timeless(&self, what: &'static str) -> Result<(), EnvError> {
        match self.shared.stepped {
            None => Ok(()),
            Some(_) => Err(EnvError::Time {
                problem: self.name().to_owned(),
                what,
            }),
        }
    }

    /// Returns the visibility data of the problem at `index`. Compiles it on first use.
    pub(crate) fn visibility(&self, index: usize) -> Result<&ProblemVisibility, EnvError> {
        let instance = self.instance(index)?;
        if let Some(visibility) = instance.visibility() {
            return Ok(visibility);
        }
        let visibility = self.shared.visibility.as_ref();
        let simulator = match visibility {
            None => instance.simulator().clone(),
            Some(visibility) => self.watched(self.entry(index)?, visibility)?,
        };
        Ok(instance.set_visibility(ProblemVisibility::new(instance.atoms(), simulator, visibility)))
    }

    /// Compiles a problem extended by the visibility predicates. These are derived and no action depends on them, so fluent
    /// atoms and numbers keep their ids, and the states are interchangeable with those of the original problem.
    fn watched(&self, entry: &Entry, visibility: &VisibilityRules) -> Result<Simulator, EnvError> {
        let budget = Budget::new(self.limits);
        let problem = entry.parse(&visibility.domain, &self.options(&budget))?;
        let normal = NormalDomain::within(&visibility.domain, &budget).map_err(GroundError::from);
        let normal = normal.map_err(CompileError::from)?;
        let options = GroundOptions::default();
        Ok(compile_within(
            &visibility.domain,
            &normal,
            &problem,
            &options,
            &budget,
        )?)
    }

    /// Returns the maximum numbers of observable atoms and agent actions over the problems of the suite. Compiles all
    /// problems, unless they share ids. `part` selects the atoms that are counted: all observable ones, or only the
    /// changeable ones.
    ///
    /// # Errors
    /// Fails like [`instance`](Self::instance) for the first problem that cannot be compiled. Never fails for a suite
    /// whose problems share ids.
    pub fn sizes(&self, part: ObservedAtoms) -> Result<Sizes, EnvError> {
        if let Some(ids) = self.ids() {
            return Ok(Sizes {
                atoms: ids.atom_count(part),
                actions: ids.action_count(),
            });
        }
        let mut sizes = Sizes::default();
        for index in 0..self.len() {
            let instance = self.instance(index)?;
            sizes.atoms = sizes.atoms.max(instance.atoms().len(part));
            sizes.actions = sizes.actions.max(instance.space().len());
        }
        Ok(sizes)
    }

    /// Creates a grounded system for the problem at `index`, at its initial state. Compiles the problem on first use.
    /// If the initial state is random, `reset` draws one.
    ///
    /// # Errors
    /// Fails like [`instance`](Self::instance), for example if the problem is too large to be grounded.
    pub fn engine(&self, index: usize) -> Result<Planning<Grounded>, EnvError> {
        Ok(self.instance(index)?.engine())
    }

    /// Creates a lifted system for the problem at `index`, at its initial state, without grounding the problem.
    /// If the initial state is random, `reset` draws one.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty, or if compiling it or deriving the facts of its initial
    /// state exceeds a limit of memory or time.
    pub fn lifted_engine(&self, index: usize) -> Result<Planning<Lifted>, EnvError> {
        let (simulator, actions) = (self.lifted_simulator(index)?, self.shared_actions());
        let planning = match self.placed(simulator.vocabulary()) {
            None => Planning::lifted(&simulator, actions),
            Some(ids) => Planning::placed(&simulator, actions, ids),
        };
        let planning = planning.map_err(PlanningError::from)?;
        let timed = self.parse_problem(index)?;
        Ok(match self.shared.schedule(&timed) {
            Some(schedule) => planning.with_time(Arc::new(schedule)),
            None => planning,
        })
    }

    /// Creates a lifted simulator, which steps states without agent actions, for the problem at `index` without grounding
    /// it.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty, or if compiling it exceeds the limits of
    /// [`with_limits`](Self::with_limits).
    pub fn lifted_simulator(&self, index: usize) -> Result<LiftedSimulator, EnvError> {
        self.check_schemas("the lifted engine")?;
        let (domain, budget) = (self.stepped_domain(), Budget::new(self.limits));
        let timed = self.parse(self.entry(index)?, &budget)?;
        let problem = self.shared.stepped_problem(&timed);
        let normal = self.shared.normal(&budget)?;
        let task = LiftedTask::within(domain, normal, &problem, &budget).map_err(CompileError::from)?;
        let options = Options::default();
        let step = Limits {
            bytes: self.limits.bytes.or(options.step.bytes),
            time: self.limits.time,
        };
        Ok(LiftedSimulator::with_options(task, Options { step, ..options })?)
    }
}

impl Shared {
    /// Returns the normal form of the domain, computed on first use.
    fn normal(&self, budget: &Budget) -> Result<&NormalDomain, CompileError> {
        if let Some(normal) = self.normal.get() {
            return Ok(normal);
        }
        let normal = NormalDomain::within(self.stepped_domain(), budget).map_err(GroundError::from)?;
        Ok(self.normal.get_or_init(|| normal))
    }

    pub(super) fn stepped_domain(&self) -> &Domain {
        let stepped = self.stepped.as_ref();
        stepped.map_or(&self.domain, |stepped| &stepped.domain)
    }

    /// Returns a problem of the domain as one of the stepped domain.
    pub(super) fn stepped_problem<'p>(&self, problem: &'p Problem) -> Cow<'p, Problem> {
        match &self.stepped {
            None => Cow::Borrowed(problem),
            Some(stepped) => Cow::Owned(stepped.problem(problem)),
        }
    }

    /// Returns what the clock of a problem with time has to know.
    fn schedule(&self, problem: &Problem) -> Option<Schedule> {
        let stepped = self.stepped.as_ref()?;
        Some(Schedule::new(
            &self.domain,
            SteppedDomain::clone(stepped),
            problem,
        ))
    }
}

impl Entry {
    fn parse(&self, domain: &Domain, options: &ReadOptions) -> Result<Problem, EnvError> {
        Ok(match &self.text {
            Text::Unread(source) => Problem::parse_with(source, domain, options)?.0,
            Text::Checked(problem) => Problem::clone(problem),
            Text::Ground(text) => text.problem.clone(),
        })
    }
}
