//! The methods of states on both engines.

/// Writes the methods that `State` and `LiftedState` share, given the classes of the state and of its task.
macro_rules! state_methods {
    ($state:ident, $task:ident) => {
        impl $state {
            /// Creates the object of a task's state.
            pub fn of(task: &Bound<'_, $task>, state: <$task as PlanningTask>::State) -> Self {
                let task = task.clone().unbind();
                Self { task, state }
            }

            /// Returns whether the states and their tasks are equal.
            fn is_same(&self, other: &Self) -> bool {
                self.state == other.state && self.task.get().is_same(other.task.get())
            }
        }

        #[pymethods]
        impl $state {
            /// The task of the state.
            #[getter]
            fn task(&self, py: Python<'_>) -> Py<$task> {
                self.task.clone_ref(py)
            }

            /// The changeable atoms that are true, including derived ones: a tuple of Atom. Fluent atoms come before derived ones;
            /// both are ordered by their ids, or in a `LiftedTask` by predicate and objects.
            #[getter]
            fn changing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, self.task.get().changing(py, &self.state)?)
            }

            /// The values of the defined numeric fluents: a dict from PDDL, such as ``"(fuel truck)"``, to float.
            #[getter]
            fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                self.task.get().numbers(&self.state).into_py_dict(py)
            }

            /// Whether the goal is true.
            #[getter]
            fn is_goal(&self) -> PyResult<bool> {
                self.task.get().at(&self.state, |walker| walker.is_goal())
            }

            /// Returns the picture of the state as SVG, drawn by ``[render]`` in the domain's ``env.toml`` or by a generic
            /// layout.
            ///
            /// Parameters
            /// ----------
            /// theme : {"auto", "light", "dark"}
            ///     ``"auto"`` follows the preference of the reader's browser.
            /// egocentric : bool
            ///     Whether to draw only the surroundings of the agent, as defined by ``eye`` in ``[render]``.
            #[pyo3(signature = (theme = "auto", *, egocentric = false))]
            fn svg(&self, theme: &str, egocentric: bool) -> PyResult<String> {
                let theme = picture::theme(theme)?;
                Ok(self
                    .task
                    .get()
                    .scene(&self.state, egocentric)?
                    .to_svg(theme))
            }

            /// Returns the picture of the state as pixels: an array of uint8, (height, width, 3).
            ///
            /// Parameters
            /// ----------
            /// size : (int, int), optional
            ///     Height and width; by default the picture's own size.
            /// theme : {"light", "dark"}
            /// egocentric : bool
            ///     As for `svg`.
            #[pyo3(signature = (size = None, *, theme = "light", egocentric = false))]
            fn image<'py>(
                &self,
                py: Python<'py>,
                size: Option<(u32, u32)>,
                theme: &str,
                egocentric: bool,
            ) -> PyResult<Bound<'py, PyArray3<u8>>> {
                let theme = picture::theme(theme)?;
                let scene = self.task.get().scene(&self.state, egocentric)?;
                picture::pixels(py, &scene, theme, size)
            }

            /// Returns the picture for notebooks.
            fn _repr_svg_(&self) -> PyResult<String> {
                self.svg("auto", false)
            }

            fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                let atoms = self.task.get().changing(py, &self.state)?;
                let atoms = atoms.iter().map(|atom| atom.get().0.text().to_owned());
                let numbers = self.numbers(py)?;
                let numbers = numbers
                    .iter()
                    .map(|(term, value)| format!("(= {term} {value})"));
                Ok(atoms.chain(numbers).collect::<Vec<_>>().join(" "))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!(
                    concat!("<", stringify!($state), " {}>"),
                    $crate::states::shortened(&self.__str__(py)?)
                ))
            }

            fn __hash__(&self) -> u64 {
                fxhash::hash64(&self.state)
            }
        }
    };
}

pub(super) use state_methods;
