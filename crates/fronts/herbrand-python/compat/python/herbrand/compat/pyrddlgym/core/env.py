"""pyRDDLGym's environment class."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, ClassVar, get_args

import gymnasium
import numpy as np
from gymnasium import spaces

from herbrand import Random, RddlTask
from herbrand.errors import InvalidActionError, ParseError
from herbrand.rddl.problems import Preconditions
from herbrand.rddl.sources import rddl_suite

from .compiler.model import RDDLLiftedModel
from .debug.exception import (
    RDDLActionPreconditionNotSatisfiedError,
    RDDLEpisodeAlreadyEndedError,
    RDDLInvalidActionError,
    RDDLParseError,
)
from .debug.logger import Logger, SimLogger, log_path
from .visualizer.chart import ChartVisualizer
from .visualizer.heatmap import HeatmapVisualizer
from .visualizer.scene import SceneVisualizer
from .visualizer.text import TextVisualizer

__all__ = ["RDDLEnv"]

_INT32 = np.iinfo(np.int32)


def _load(domain: Any, instance: Any) -> RddlTask:
    """Returns the task of a domain and an instance. Raises `RDDLParseError` if a text is invalid."""
    try:
        suite = rddl_suite(domain, instance)
    except ParseError as error:
        raise RDDLParseError(str(error)) from error
    return suite.task(0)


class RDDLEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment of an RDDL instance, with the interface of pyRDDLGym.

    Parameters
    ----------
    domain : str, path or RDDLLiftedModel
        The path of a file, the name of a bundled environment, RDDL text, or a model.
    instance : str, int, path or None
        The path of a file, the name of an instance, or RDDL text.
    enforce_action_constraints : bool
        Whether an action that violates a precondition raises an error; the same as ``preconditions="refused"``.
    enforce_action_count_non_bool : bool
        Whether non-bool action fluents count towards ``max-nondef-actions``.
    vectorized : bool
        Whether states and actions are dicts from pvariables to arrays, instead of dicts from ground variables to values.
    debug_path, log_path : str or None
        The path of a log of the compilation (``.log`` is appended), and of a log of the episodes (``_log.csv`` is appended).
    backend, backend_kwargs
        Must be left out: there is a single engine.
    preconditions : {"reported", "refused", "replaced", "ignored"}
        The effect of an action that violates a precondition: the step carries it out, raises an error, or carries out the
        action in which every fluent has its default value. If the effect is ``"reported"`` or ``"replaced"``, the info of
        such a step has ``violated``, the indices of the preconditions.

    Attributes
    ----------
    model : RDDLLiftedModel
    horizon, discount, max_allowed_actions
        As defined by the instance.
    state : dict
        The current state, even if agents see observ fluents instead.
    """

    metadata = {"render_modes": ["rgb_array"]}
    VISUALIZER_CLASSES: ClassVar[dict[str, Any]] = {
        "chart": ChartVisualizer,
        "heatmap": HeatmapVisualizer,
        "scene": SceneVisualizer,
        "text": TextVisualizer,
    }

    def __init__(
        self,
        domain: str | os.PathLike[str] | RDDLLiftedModel,
        instance: str | int | os.PathLike[str] | None = None,
        enforce_action_constraints: bool = False,
        enforce_action_count_non_bool: bool = True,
        vectorized: bool = False,
        debug_path: str | None = None,
        log_path: str | None = None,
        backend: Any = None,
        backend_kwargs: Mapping[str, Any] | None = None,
        preconditions: Preconditions = "reported",
    ) -> None:
        if backend is not None or backend_kwargs:
            raise ValueError("Herbrand has one engine: leave out `backend` and `backend_kwargs`")
        self.domain_text, self.instance_text = domain, instance
        if preconditions not in get_args(Preconditions):
            raise ValueError(f"preconditions are one of {', '.join(get_args(Preconditions))}, not {preconditions!r}")
        if enforce_action_constraints and preconditions not in ("reported", "refused"):
            raise ValueError(f"enforce_action_constraints and preconditions={preconditions!r} contradict each other")
        self.preconditions: Preconditions = "refused" if enforce_action_constraints else preconditions
        self.enforce_count_non_bool = enforce_action_count_non_bool
        self.vectorized = vectorized
        self.model = domain if isinstance(domain, RDDLLiftedModel) else RDDLLiftedModel(_load(domain, instance))
        self.horizon = self.model.horizon
        self.discount = self.model.discount
        self.max_allowed_actions = self.model.max_allowed_actions
        self._task = self.model.task if enforce_action_count_non_bool else _uncounted(self.model)
        self._rng = Random(int(np.random.default_rng().integers(2**63)))
        self._is_pomdp = self._task.is_partially_observed
        self._make_spaces()
        self._make_logs(debug_path, log_path)
        self.set_visualizer("chart")
        self.state: dict[str, Any] | None = None
        self._now = self._task.initial_state
        self.trial, self.timestep, self.done = 0, 0, False

    @property
    def enforce_action_constraints(self) -> bool:
        """Whether an action that violates a precondition raises an error."""
        return self.preconditions == "refused"

    # # The name in the paper.
    @property
    def NumConcurrentActions(self) -> int:
        """The same as `max_allowed_actions`."""
        return self.max_allowed_actions

    def _make_logs(self, debug: str | None, log: str | None) -> None:
        self.logger = self.simlogger = None
        if debug:
            self.logger = Logger(str(log_path(debug, ".log")))
            self.logger.clear()
            self.logger.log(f"[info] compiled {self._task}")
            for cpf in self.model.ast.cpfs:
                self.logger.log(f"[info] level {cpf.level}: {cpf.head} = {cpf.formula}")
            bounds = "\n\t".join(f"{name}: {low}, {high}" for name, (low, high) in self._ground_bounds.items())
            self.logger.log(f"[info] computed simulation bounds:\n\t{bounds}\n")
        if log:
            self.simlogger = SimLogger(str(log_path(log, "_log.csv")))
            self.simlogger.clear(overwrite=False)

    def _make_spaces(self) -> None:
        seen = self.model.observ_ranges if self._is_pomdp else self.model.state_ranges
        self._ground_bounds: dict[str, tuple[float, float]] = {
            name: (low, high) for name, low, high in [*self._task.state_bounds(), *self._task.action_bounds()]
        }
        self.observation_space = spaces.Dict(self._parts(seen))
        self.action_space = spaces.Dict(self._parts(self.model.action_ranges))

    @property
    def _bounds(self) -> dict[str, tuple[Any, Any]]:
        """Returns the bounds of state and action fluents, by ground variable, or as arrays by pvariable."""
        if not self.vectorized:
            return {name: (np.float64(low), np.float64(high)) for name, (low, high) in self._ground_bounds.items()}
        names = [*self.model.state_ranges, *self.model.action_ranges]
        return {name: self._array_bounds(name) for name in names}

    def _array_bounds(self, name: str) -> tuple[Any, Any]:
        ground = [self._ground_bounds.get(one, (-np.inf, np.inf)) for one in self.model.variable_groundings[name]]
        shape = self.model.object_counts(self.model.variable_params[name])
        low, high = (np.array([one[end] for one in ground]).reshape(shape) for end in (0, 1))
        return low, high

    def _parts(self, ranges: Mapping[str, str]) -> dict[str, spaces.Space[Any]]:
        if self.vectorized:
            return {name: self._array_space(name, range) for name, range in ranges.items()}
        return {
            name: self._ground_space(range, *self._ground_bounds.get(name, (-np.inf, np.inf)))
            for name, range in self.model.ground_vars_with_value(ranges).items()
        }

    def _ground_space(self, range: str, low: float, high: float) -> spaces.Space[Any]:
        if range == "real":
            return spaces.Box(np.float32(low), np.float32(high), dtype=np.float32)
        if range == "bool":
            return spaces.Discrete(2)
        if range == "int":
            first, last = max(low, _INT32.min), min(high, _INT32.max)
            return spaces.Discrete(int(last - first + 1), start=int(first))
        return spaces.Discrete(len(self.model.type_to_objects[range]))

    def _array_space(self, name: str, range: str) -> spaces.Space[Any]:
        low, high = self._array_bounds(name)
        if range == "real" and not low.shape:
            return self._ground_space(range, float(low), float(high))
        if range == "real":
            return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        if range == "int":
            low, high = np.maximum(low, _INT32.min), np.minimum(high, _INT32.max)
            return spaces.Box(low.astype(np.int32), high.astype(np.int32), np.shape(low), np.int32)
        last = 1 if range == "bool" else len(self.model.type_to_objects[range]) - 1
        return spaces.Box(0, last, shape=low.shape, dtype=np.int32)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Reseeds the random stream."""
        self._rng = Random(int(np.random.default_rng().integers(2**63)) if seed is None else seed)
        return [seed]

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode; returns the state (or None for each observ fluent) and an empty dict."""
        super().reset(seed=seed)
        if seed is not None:
            self.seed(seed)
        self._now = self._task.initial_state
        self.state = self._form(self._now.to_dict(), self.model.state_ranges)
        self.done = self._task.status(self._now)[0]
        self.trial += 1
        self.timestep = 0
        if self._movies is not None:
            self._keep_frame(begin=True)
        if self.simlogger is not None:
            self.simlogger.log_free(f"# trial {self.trial}")
        if not self._is_pomdp:
            return self._with_axes(self.state), {}
        if self.vectorized:
            return {name: np.atleast_1d(None) for name in self.model.observ_ranges}, {}  # type: ignore[call-overload]
        return dict.fromkeys(self.model.ground_vars_with_value(self.model.observ_ranges)), {}

    def _form(self, ground: dict[str, Any], ranges: Mapping[str, str]) -> dict[str, Any]:
        """Converts values by ground variable to the form of observations."""
        return {name: self.model.arrays(name, ground) for name in ranges} if self.vectorized else ground

    def _with_axes(self, seen: dict[str, Any]) -> dict[str, Any]:
        return {name: np.atleast_1d(value) for name, value in seen.items()} if self.vectorized else seen

    def step(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes an action; returns the state or the observ fluents, reward, terminated, truncated, and a dict, which is empty
        unless the action violates a precondition (see ``preconditions``).

        Raises
        ------
        RDDLEpisodeAlreadyEndedError
            If the episode has ended.
        RDDLInvalidActionError
            If a name is unknown, a value is out of range, or too many fluents are set.
        RDDLActionPreconditionNotSatisfiedError
            If a precondition is violated and preconditions are ``"refused"``.
        """
        if self.done:
            raise RDDLEpisodeAlreadyEndedError("the episode is over: call reset() before the next step()")
        ground = self._ground(actions)
        try:
            replaced: list[int] = []
            if self.preconditions in ("refused", "replaced") and (violated := self._task.violated(self._now, ground)):
                text = self.model.preconditions[violated[0]]
                if self.preconditions == "refused":
                    raise RDDLActionPreconditionNotSatisfiedError(
                        f"precondition {violated[0] + 1} is not satisfied by {dict(actions)}: {text}"
                    )
                replaced, ground = violated, {}
            state, reward, terminated, broken, violated, _, observed = self._task._step(self._now, ground, self._rng)
        except InvalidActionError as error:
            raise RDDLInvalidActionError(str(error)) from None
        self._now = state
        self.state = self._form(state.to_dict(), self.model.state_ranges)
        seen = self._form(observed, self.model.observ_ranges) if self._is_pomdp else self.state
        self.done = terminated or broken
        if self.simlogger is not None:
            shown = observed if self._is_pomdp else state.to_dict()
            self.simlogger.log(shown, {**self._task.no_action, **ground}, reward, self.done, self.timestep)
        self.timestep += 1
        truncated = broken or self.timestep == self.horizon
        self.done = terminated or truncated
        violated = replaced or violated
        info = {"violated": violated} if violated and self.preconditions != "ignored" else {}
        return self._with_axes(seen), reward, terminated, truncated, info

    def _ground(self, actions: Mapping[str, Any]) -> dict[str, Any]:
        """Converts an action to values by ground variable; arrays are given by pvariable."""
        ground: dict[str, Any] = {}
        ranges = self.model.action_ranges
        for name, value in actions.items():
            lifted = self.model.parse_grounded(name)[0]
            if lifted not in ranges:
                raise RDDLInvalidActionError(f"there is no action fluent {name!r}: there is {', '.join(ranges)}")
            names = self.model.variable_groundings[lifted]
            if name == lifted and self.model.variable_params[lifted]:
                shape = self.model.object_counts(self.model.variable_params[lifted])
                if np.shape(value) != shape:
                    raise RDDLInvalidActionError(f"`{name}` is an array of shape {shape}, not of {np.shape(value)}")
                ground.update(zip(names, np.ravel(value).tolist()))
            elif name in names:
                ground[name] = value
            else:
                raise RDDLInvalidActionError(f"there is no action fluent {name!r}")
        for name in ground:
            if ranges[self.model.parse_grounded(name)[0]] == "bool":
                ground[name] = _truth(name, ground[name])
        if not self.enforce_count_non_bool:
            self._count_bools(ground)
        return ground

    def _count_bools(self, ground: Mapping[str, Any]) -> None:
        default = self._task.no_action
        count = sum(value != default[name] for name, value in ground.items() if isinstance(default[name], bool))
        if count > self.max_allowed_actions:
            raise RDDLInvalidActionError(f"{count} action fluents are set, and at most {self.max_allowed_actions} may be")

    # Pictures.

    def set_visualizer(
        self, viz: Any, movie_gen: Any = None, movie_per_episode: bool = False, **viz_kwargs: Any
    ) -> None:
        """Selects the visualizer.

        It is ``"chart"``, ``"heatmap"``, ``"scene"`` (as declared beside the domain), ``"text"``, or a class whose
        constructor takes the model.
        """
        if isinstance(viz, str):
            chosen = self.VISUALIZER_CLASSES.get(viz.lower())
            if chosen is None:
                raise ValueError(f"viz must be one of {', '.join(self.VISUALIZER_CLASSES)}, not {viz!r}")
            viz = chosen
        if viz is not None:
            self._visualizer = viz(self.model, **viz_kwargs)
        self._movies, self._movie_per_episode, self._movie = movie_gen, movie_per_episode, 0

    def _image(self) -> Any:
        state = self.state or {}
        return self._visualizer.render(self.model.ground_vars_with_values(state) if self.vectorized else state)

    def _keep_frame(self, begin: bool = False) -> None:
        if begin and self._movie_per_episode and self.trial > 1:
            self._save_movie()
        self._movies.save_frame(self._image())

    def _save_movie(self) -> None:
        self._movies.save_animation(f"{self._movies.env_name}_{self._movie}")
        self._movie += 1

    def render(self, to_display: bool = True) -> Any:
        """Returns a picture of the state as a Pillow image. `to_display` is ignored: no window is opened."""
        image = self._image()
        if self._movies is not None:
            self._movies.save_frame(image)
        return image

    def close(self) -> None:
        """Writes the logs and the animation."""
        if self.simlogger is not None:
            self.simlogger.close()
        if self._movies is not None:
            self._save_movie()


def _truth(name: str, value: Any) -> bool:
    """Converts a bool, a number, an array with one element, or a word to a bool."""
    if isinstance(value, str):
        if value.lower() not in ("true", "false"):
            raise RDDLInvalidActionError(f"`{name}` is true or false, not {value!r}")
        return value.lower() == "true"
    return bool(np.asarray(value).item())


def _uncounted(model: RDDLLiftedModel) -> RddlTask:
    """Returns the task of a model without the limit on the number of set action fluents."""
    if model.task.max_nondef_actions is None:
        return model.task
    text = re.sub(r"max-nondef-actions = \d+;", "max-nondef-actions = pos-inf;", model.instance_rddl)
    return rddl_suite(model.domain_rddl, text).task(0)


# In the paper's version `RDDLEnv` is a module with the class.
RDDLEnv.RDDLEnv = RDDLEnv  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

