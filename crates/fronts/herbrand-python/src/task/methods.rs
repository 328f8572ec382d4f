//! The methods of tasks on both engines.

/// Writes the methods that `Task` and `LiftedTask` share, given the classes of the task and of its states.
macro_rules! task_methods {
    ($task:ident, $state:ident) => {
        impl $task {
            /// Calls `work` with the locked walker at `state`. `work` must not run Python code.
            pub fn at<T>(
                &self,
                state: &<Self as PlanningTask>::State,
                work: impl FnOnce(&mut <Self as PlanningTask>::Walker) -> T,
            ) -> PyResult<T> {
                let mut walker = self.parts.walker.lock().map_err(|_| poisoned())?;
                if walker.state() != state
                    && let Err(error) = walker.set_state(state)
                {
                    drop(walker);
                    return Err(Python::attach(|py| error.exception(py)));
                }
                Ok(work(&mut walker))
            }

            /// Returns the picture of a state, or of the agent's surroundings.
            pub fn scene(&self, state: &<Self as PlanningTask>::State, egocentric: bool) -> PyResult<Scene> {
                let TaskParts {
                    domain,
                    problem,
                    drawing,
                    ..
                } = &self.parts;
                let models = (&domain.get().model, &problem.get().model);
                self.at(state, |walker| {
                    let show = |visit: &mut dyn FnMut(Fact<'_>)| self.show(walker, visit);
                    drawing.scene(egocentric, models.0, models.1, walker.is_goal(), &show)
                })?
            }

            /// Returns the engine's state of an argument, or an error if it belongs to another task.
            pub fn own<'s>(
                &self,
                state: &'s Bound<'_, $state>,
            ) -> PyResult<&'s <Self as PlanningTask>::State> {
                let state = state.get();
                if self.is_same(state.task.get()) {
                    Ok(&state.state)
                } else {
                    Err(other_task())
                }
            }
        }

        #[pymethods]
        impl $task {
            /// The domain.
            #[getter]
            fn domain(&self, py: Python<'_>) -> Py<Domain> {
                self.parts.domain.clone_ref(py)
            }

            /// The problem.
            #[getter]
            fn problem(&self, py: Python<'_>) -> Py<Problem> {
                self.parts.problem.clone_ref(py)
            }

            /// The text of the settings that define how states are drawn; None if there are none.
            #[getter]
            fn settings(&self) -> Option<&str> {
                self.parts.drawing.settings()
            }

            /// The title of pictures of the states.
            #[getter]
            fn title(&self) -> &str {
                self.parts.drawing.title()
            }

            /// The initial state without its probabilistic part.
            #[getter]
            fn initial_state(slf: &Bound<'_, Self>) -> $state {
                $state::of(slf, slf.get().initial())
            }

            /// Returns the distribution of initial states: a list of pairs (probability, state). It has one element if the
            /// initial state is deterministic.
            fn initial_states(slf: &Bound<'_, Self>) -> PyResult<Vec<(f64, $state)>> {
                let outcomes = slf
                    .get()
                    .initial_outcomes()?
                    .or_raise(slf.py())?
                    .into_iter();
                Ok(outcomes
                    .map(|(probability, state)| (probability, $state::of(slf, state)))
                    .collect())
            }

            /// Draws an initial state.
            ///
            /// Parameters
            /// ----------
            /// rng : Random, optional
            ///     The random generator; by default that of the task.
            #[pyo3(signature = (rng = None))]
            fn sample_initial(slf: &Bound<'_, Self>, rng: Option<&Bound<'_, Random>>) -> PyResult<$state> {
                let task = slf.get();
                let draw = |random: &mut herbrand_step::Random| {
                    task.at(&task.initial(), |walker| {
                        walker.reset(random)?;
                        Ok::<_, StepError>(walker.state().clone())
                    })
                };
                let drawn = task.parts.with_random(rng, draw)??;
                Ok($state::of(slf, drawn.or_raise(slf.py())?))
            }

            /// Returns the state in which exactly these atoms are true.
            ///
            /// Parameters
            /// ----------
            /// atoms : iterable of Atom, tuple of str, str or int
            ///     Atoms as objects, tuples ``("on", "a", "b")`` or PDDL texts; in a `Task` also as ids. A state or an
            ///     observation of mode ``atoms`` is such an iterable. Derived and static atoms are ignored, since the other
            ///     atoms determine them.
            /// numbers : mapping from str to float or None, optional
            ///     Values of numeric fluents by their PDDL; None makes a fluent undefined. Missing fluents have their initial
            ///     values.
            ///
            /// Raises
            /// ------
            /// UnknownNameError
            ///     If the task has no such atom or numeric fluent.
            #[pyo3(signature = (atoms, numbers = None))]
            fn state(
                slf: &Bound<'_, Self>,
                atoms: &Bound<'_, PyAny>,
                numbers: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<$state> {
                Ok($state::of(slf, slf.get().state_of(atoms, numbers)?))
            }

            /// Returns the valid actions of a state: a list of Action, ordered by the declarations of operators, then of
            /// objects; empty in a dead end.
            fn valid_actions(&self, state: &Bound<'_, $state>) -> PyResult<Vec<Py<Action>>> {
                let py = state.py();
                let valid = self.at(self.own(state)?, |walker| Self::valid(walker))?;
                valid
                    .iter()
                    .map(|action| self.action_object(py, action))
                    .collect()
            }

            /// Returns whether an action is valid in a state.
            ///
            /// Raises
            /// ------
            /// UnknownNameError
            ///     If the task has no such action.
            /// ValueError
            ///     If the state belongs to another task.
            fn is_valid(&self, state: &Bound<'_, $state>, action: &Bound<'_, PyAny>) -> PyResult<bool> {
                let action = self.read_action(action)?;
                self.at(self.own(state)?, |walker| Self::allows(walker, &action))
            }

            /// Draws a valid action uniformly, with the random generator `rng`, by default that of the task. Returns
            /// None in a dead end.
            #[pyo3(signature = (state, rng = None))]
            fn sample_action(
                &self,
                state: &Bound<'_, $state>,
                rng: Option<&Bound<'_, Random>>,
            ) -> PyResult<Option<Py<Action>>> {
                let own = self.own(state)?;
                let draw = |random: &mut herbrand_step::Random| {
                    self.at(own, |walker| Self::draw_action(walker, random))
                };
                let drawn = self.parts.with_random(rng, draw)??;
                drawn
                    .map(|action| self.action_object(state.py(), &action))
                    .transpose()
            }

            /// Returns the successor by a deterministic action.
            ///
            /// Raises
            /// ------
            /// InvalidActionError
            ///     If the action is not valid; the message contains the first unmet condition.
            /// StepError
            ///     If the action has several outcomes (see `outcomes` and `sample`), or a numeric effect is undefined.
            fn apply(
                slf: &Bound<'_, Self>,
                state: &Bound<'_, $state>,
                action: &Bound<'_, PyAny>,
            ) -> PyResult<$state> {
                let (task, py) = (slf.get(), slf.py());
                let (state, action) = (task.own(state)?, task.read_action(action)?);
                match task.successors(state, &action)?.or_raise(py)? {
                    Successors::Only(state, _) => Ok($state::of(slf, state)),
                    Successors::Several(several) => {
                        let name = task.action_object(py, &action)?;
                        let (name, count) = (name.get().0.text(), several.len());
                        let text = format!("{name} has {count} outcomes here: use `outcomes` or `sample`");
                        Err(errors::message(py, "StepError", &text))
                    }
                }
            }

            /// Returns the distribution of successors.
            ///
            /// Returns
            /// -------
            /// list of tuples (probability, state, reward)
            ///     Probabilities are positive and sum to 1; equal successors are merged.
            ///
            /// Raises
            /// ------
            /// InvalidActionError
            ///     If the action is not valid.
            /// StepError
            ///     If there are too many outcomes, or a numeric effect is undefined.
            fn outcomes(
                slf: &Bound<'_, Self>,
                state: &Bound<'_, $state>,
                action: &Bound<'_, PyAny>,
            ) -> PyResult<Vec<(f64, $state, f64)>> {
                let task = slf.get();
                let (state, action) = (task.own(state)?, task.read_action(action)?);
                let successors = task.successors(state, &action)?.or_raise(slf.py())?;
                let outcomes = successors.distribution().into_iter();
                Ok(outcomes
                    .map(|(probability, state, reward)| (probability, $state::of(slf, state), reward))
                    .collect())
            }

            /// Draws a successor; returns a pair (state, reward).
            ///
            /// Parameters
            /// ----------
            /// state : State or LiftedState
            /// action : Action or str, or in a `Task` an int
            /// rng : Random, optional
            ///     The random generator; by default that of the task.
            #[pyo3(signature = (state, action, rng = None))]
            fn sample(
                slf: &Bound<'_, Self>,
                state: &Bound<'_, $state>,
                action: &Bound<'_, PyAny>,
                rng: Option<&Bound<'_, Random>>,
            ) -> PyResult<($state, f64)> {
                let task = slf.get();
                let (state, action) = (task.own(state)?, task.read_action(action)?);
                let step = |random: &mut herbrand_step::Random| {
                    task.at(state, |walker| Self::step(walker, &action, random))
                };
                let (successor, reward) = task.parts.with_random(rng, step)??.or_raise(slf.py())?;
                Ok(($state::of(slf, successor), reward))
            }

            /// Reseeds the task's own random generator.
            fn seed(&self, seed: u64) -> PyResult<()> {
                let reseed = |random: &mut herbrand_step::Random| *random = herbrand_step::Random::new(seed);
                self.parts.with_random(None, reseed)
            }

            /// Returns whether the goal is true in a state.
            fn is_goal(&self, state: &Bound<'_, $state>) -> PyResult<bool> {
                self.at(self.own(state)?, |walker| walker.is_goal())
            }

            /// Explains why an action is or is not valid in a state; returns an `Explanation`. Of an action that no reachable
            /// state of a `Task` allows, it has no failures, and its text says why.
            fn explain<'py>(
                &self,
                state: &Bound<'py, $state>,
                action: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let (py, state) = (state.py(), self.own(state)?);
                let action = match self.read_action(action) {
                    Ok(action) => action,
                    Err(error) => {
                        let action = action.str()?;
                        let why = self.why_never(action.to_str()?).ok_or(error)?;
                        return never_valid(py, action.to_str()?, why);
                    }
                };
                let found = self
                    .at(state, |walker| Self::validity(walker, &action))?
                    .or_raise(py)?;
                explanation(py, self.action_object(py, &action)?, &found)
            }

            /// Returns the picture of the initial state for notebooks.
            fn _repr_svg_(&self) -> PyResult<String> {
                Ok(self.scene(&self.initial(), false)?.to_svg(Theme::Auto))
            }

            fn __hash__(&self) -> u64 {
                self.parts.hash()
            }

            fn __richcmp__(
                &self,
                py: Python<'_>,
                other: &Bound<'_, PyAny>,
                operator: CompareOp,
            ) -> Py<PyAny> {
                let same = other
                    .cast::<Self>()
                    .ok()
                    .map(|other| self.is_same(other.get()));
                equality(py, same, operator)
            }
        }
    };
}

pub(super) use task_methods;
