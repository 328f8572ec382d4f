"""A Gymnasium environment over problems of any supported planning language."""

from __future__ import annotations

import copy
import difflib
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex, Union

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec, registry
from numpy.typing import ArrayLike, NDArray

from ._herbrand import EnvCore, EnvSnapshot, ObservedProblems, Suite
from .errors import Explanation, HerbrandError, UnknownNameError
from .observations import Rows, action_space, copied
from .rendering import (
    RENDER_MODES,
    Image,
    Renderer,
    RenderMode,
    Window,
    check_mode,
    check_renderer,
    image_size,
    open_window,
    to_rgb,
)

if TYPE_CHECKING:
    from typing_extensions import Self

    from .base_vector import BaseVecEnv

__all__ = ["BaseEnv", "Horizon"]

Horizon = Union[int, Literal["suite"], None]


# Attributes of environments elsewhere, with the way to say the same here.
_ELSEWHERE = {
    "fix_problem_index": "env.reset(options={'problem': index}), or make the environment with one problem",
    "seed": "env.reset(seed=…)",
    "get_state": "env.state, or env.save() for the whole episode",
    "action_mask": "env.action_masks()",
    "sample_action": "env.unwrapped.sample()",
    "num_problems": "len(env.problems)",
    "domain": "env.suite",
    "problem": "env.problems.problem_names[env.problem_index]",
}


class BaseEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment over problems of any supported language. `PDDLEnv` is its subclass for PDDL.

    Parameters
    ----------
    problems : ObservedProblems
        The problems, together with the observation mode.
    horizon : int, "suite" or None
        The number of steps after which an episode is truncated. ``"suite"``: the number that the problems define; None:
        never.
    through_goals : bool
        Whether episodes continue after the goal is reached.
    dead_end_terminates : bool
        Whether an episode terminates in a dead end, a state without valid actions. ``info["dead_end"]`` is True in dead ends
        in any case. A step there changes nothing and has reward 0, whatever the action.
    raise_error_on_invalid_action : bool
        Whether an invalid action raises `InvalidActionError`. If not, it counts as a step, changes nothing, has reward 0,
        and ``info["applied"]`` is False.
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` returns.

        - ``"ansi"``: a text. ``"svg"``: a picture as SVG text.
        - ``"rgb_array"``: a picture as an array of uint8, ``(height, width, 3)``, of the same size in all states of an
          episode.
        - ``"rgb_array_list"``: the pictures of all states since the last call.
        - ``"human"``: None; a window shows every state, which needs pygame or OpenCV.
    render_size : (int, int), optional
        Height and width of pictures. If left out, the picture of an episode's first state sets the size for the episode.
    renderer : function, optional
        Draws a picture of `state` in place of the declared rendering; returns an array ``(height, width, 3)``.

    Attributes
    ----------
    action_space : gymnasium.spaces.Space
        ``Discrete`` if actions are numbered; then ``info["action_mask"]`` (int8) and `action_masks` (bool) mark the valid
        ones. Otherwise a ``Box`` of float64 with one number per field, in the order of ``problems.action_fields``.
    observation_space : gymnasium.spaces.Space
        The space that `herbrand.observations.Rows` derives from the problems' observation fields.

    Examples
    --------
    >>> import herbrand, herbrand.testing
    >>> env = herbrand.BaseEnv(herbrand.testing.balloon())
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.unwrapped.sample())
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        problems: ObservedProblems,
        *,
        horizon: Horizon = "suite",
        through_goals: bool = False,
        dead_end_terminates: bool = True,
        raise_error_on_invalid_action: bool = False,
        render_mode: RenderMode | None = None,
        render_size: tuple[int, int] | None = None,
        renderer: Renderer | None = None,
    ) -> None:
        check_mode(render_mode)
        check_renderer(renderer)
        self.render_mode = render_mode
        self._render_size = None if render_size is None else image_size("render_size", render_size)
        self._renderer = renderer
        self._frame_size: tuple[int, int] | None = None
        self._frames: list[Image] = []
        self._window = self._open_window()
        self.problems = problems
        self._options = (horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action)
        self._seeded = False
        self._use(EnvCore(problems, *self._options))
        self.action_space = action_space(problems)
        self.observation_space = self._make_rows().space

    _spec: EnvSpec | None = None
    # Gymnasium's limit, which ends episodes beside the horizon.
    _limit: int | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """The specification that ``gymnasium.make`` used, or None. Its ``max_episode_steps`` is the horizon."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        if spec is not None and spec.max_episode_steps is None:
            # `gymnasium.make` sets the specification, and tells no environment the limit that it then adds.
            given = sys._getframe(1).f_locals.get("max_episode_steps")
            registered = registry.get(spec.id)
            limit = given or (registered and registered.max_episode_steps)
            horizon = self._options[0]
            if limit and horizon == "suite":
                self._options = (None, *self._options[1:])
                self._use(EnvCore(self.problems, *self._options))
            self._limit = limit if limit and limit > 0 else None
            if given is None and limit and isinstance(horizon, int) and horizon > limit:
                gymnasium.logger.warn(
                    f"{spec.id} is limited to {limit} steps: write max_episode_steps={horizon} in place of horizon"
                )
            spec = copy.copy(spec)
            spec.max_episode_steps = self.horizon
            if self._limit and isinstance(horizon, int):
                spec.__class__ = _SpecWithHorizon
        self._spec = spec

    @property
    def horizon(self) -> int | None:
        """The number of steps after which episodes are truncated, by Gymnasium's limit too; None if they never are.

        If the problems define different numbers, it is the greatest one.
        """
        ends = [end for end in (greatest_horizon(self.problems, self._options[0]), self._limit) if end is not None]
        return min(ends, default=None)

    def _make_rows(self) -> Rows:
        """Returns the converter from engine rows to observations."""
        return Rows(self.problems)

    def _use(self, core: EnvCore) -> None:
        """Installs an engine and the step function that fits its rows and the render mode."""
        self._core = core
        rows = self._make_rows()
        self._read = None if rows.is_plain else rows.read_one
        self._plain_steps = core.step if self._read is None else self._read_step
        self._steps = self._shown_step if self._shows_all else self._plain_steps

    # Attributes that `_use` derives from the engine. They are not pickled.
    _of_engine: ClassVar = frozenset({"_core", "_read", "_plain_steps", "_steps"})

    @property
    def _shows_all(self) -> bool:
        """Whether the render mode draws every state, even if `render` is never called."""
        return self.render_mode in ("rgb_array_list", "human")

    def _open_window(self) -> Window | None:
        """Opens the window for render mode ``"human"``; returns None for other modes."""
        return open_window("Herbrand", self.metadata["render_fps"]) if self.render_mode == "human" else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode on a randomly drawn problem.

        Parameters
        ----------
        seed : int, optional
            Reseeds all random streams. If the first reset has no seed, it draws one.
        options : dict, optional
            ``{"problem": name or index}`` selects the problem.

        Returns
        -------
        observation, info

        Raises
        ------
        UnknownNameError
            If the problem does not exist, or if an option is unknown.
        TypeError
            If the options are not a dict.
        """
        problem = problem_number(self, known_options(options, "problem").get("problem"))
        check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        observation, info = self._core.reset(seed, problem)
        if self.render_mode is not None:
            self._frame_size = None
            if self._shows_all:
                self._show()
        return (observation if self._read is None else self._read(observation)), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        Parameters
        ----------
        action : int or str, or sequence of float
            The action's number, or its text as returned by `action_name`. If actions have several fields: one number per
            field.

        Returns
        -------
        observation, reward, terminated, truncated, info
            ``info["end"]`` is why the step ended the episode: ``"goal"``, ``"terminal"``, ``"dead_end"``, ``"invariant"`` or
            ``"horizon"``; ``""`` if it did not. If the initial state ends the episode, the first step does: it changes nothing.

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            If the action is invalid and ``raise_error_on_invalid_action`` is set.
        """
        return self._steps(action)

    def _read_step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step and converts the engine's row to an observation."""
        observation, reward, terminated, truncated, info = self._core.step(action)
        return (self._read or copied)(observation), reward, terminated, truncated, info

    def _shown_step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step and draws the new state."""
        result = self._plain_steps(action)
        self._show()
        return result

    def sample(self) -> Any:
        """Draws a valid action from the environment's random stream.

        Returns an int, uniformly distributed over the valid actions, or one number per field. In a dead end
        (``info["dead_end"]``) it returns 0, or the default of every field; a step there changes nothing, whatever the
        action.
        """
        return self._core.sample()

    @property
    def unwrapped(self) -> Self:
        """This environment itself, so that ``env.unwrapped`` works with and without wrappers."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the mask of valid actions: an array of bool with one element per action; none without discrete actions."""
        return self._core.mask().view(np.bool_)

    def valid_actions(self) -> NDArray[np.int64]:
        """Returns the numbers of the valid actions in ascending order.

        Raises
        ------
        HerbrandError
            If actions have several fields, and therefore no numbers.
        """
        self._need_numbers()
        return self._core.valid_actions()

    def action_name(self, action: SupportsIndex | str | ArrayLike) -> str:
        """Returns an action of the current problem in the syntax of its language, such as ``"(move up)"``."""
        return self._core.action_name(action)

    def action_id(self, text: str) -> int:
        """Returns the number of the current problem's action with this text.

        Raises
        ------
        UnknownNameError
            If the problem has no such action.
        HerbrandError
            If actions have several fields, and therefore no numbers.
        """
        self._need_numbers()
        return self._core.action_id(text)

    def _need_numbers(self) -> None:
        """Raises `HerbrandError` if actions have no numbers."""
        if not self.problems.is_discrete:
            raise HerbrandError(f"actions have no numbers here, but a value for each field: {self._instead_of_numbers}")

    # The end of the message about actions without numbers.
    _instead_of_numbers: ClassVar = "`sample` draws a valid one, and `action_masks` marks the valid values of discrete fields"

    def atom_name(self, index: SupportsIndex) -> str:
        """Returns the atom of one bit of a ``"bits"`` observation of the current problem, such as ``"(on a b)"``."""
        return self._core.atom_name(index)

    def explain(self, action: SupportsIndex | str) -> Explanation:
        """Explains why an action is or is not valid in the current state.

        If several operators can carry out the action, the explanation is of the one with the fewest unmet conditions. If no
        operator can, it is of the agent's action itself, and has no `failures`.
        """
        return self._core.explain(action)

    def facts(self) -> list[tuple[str, str, tuple[str, ...], bool | int | float | str]]:
        """Returns the facts of the current state as tuples of kind, name, names of the arguments, and value.

        The kind is ``"static"``, ``"fluent"``, ``"derived"`` or ``"observed"``.
        """
        return self._core.facts()

    @property
    def problem_index(self) -> int | None:
        """The index of the current problem; None before the first reset."""
        return self._core.problem_index

    def save(self) -> EnvSnapshot:
        """Returns a snapshot of the episode (problem, state, step count, random streams) for `restore`."""
        return self._core.save()

    def restore(self, saved: EnvSnapshot) -> None:
        """Restores a snapshot made by an environment over the same problems."""
        self._core.restore(saved)
        self._seeded = True

    def render(self) -> Any:
        """Renders the current state according to the render mode; returns None if a window shows it.

        Returns
        -------
        str, array of uint8 (height, width, 3), a list of such arrays, or None
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: make the environment with render_mode='rgb_array'")
        elif self.render_mode == "svg":
            return self._core.svg("auto")
        elif self.render_mode == "rgb_array":
            return self._frame()
        elif self.render_mode == "rgb_array_list":
            frames, self._frames = self._frames, []
            return frames
        elif self.render_mode == "human":
            self._show()
        else:
            index = self.problem_index or 0
            return "\n".join([f"{self.problems.problem_names[index]}, step {self._core.elapsed}", *self._lines()])
        return None

    def _frame(self) -> Image:
        """Returns the picture of the current state, in the size of the episode's other pictures."""
        if self._renderer is not None:
            return to_rgb(self._renderer(self._rendered_state()))
        size = self._render_size or self._frame_size
        picture = self._core.image("light", size)
        self._frame_size = picture.shape[0], picture.shape[1]
        return picture

    def _rendered_state(self) -> Any:
        """Returns the renderer's argument: `state` if the environment has one, otherwise the facts."""
        state = getattr(self, "state", None)
        return self.facts() if state is None else state

    def _show(self) -> None:
        """Shows the current state in the window, or appends its picture to the frames."""
        if self._window is not None:
            self._window.show(self._frame())
        else:
            self._frames.append(self._frame())

    def close(self) -> None:
        """Closes the window, if there is one. The environment can still be used."""
        if self._window is not None:
            self._window.close()

    def _repr_svg_(self) -> str | None:
        """Returns the picture of the current state for notebooks; None before the first reset."""
        return None if self.problem_index is None else self._core.svg("auto")

    def _lines(self) -> list[str]:
        """Returns the lines of the ``"ansi"`` rendering, without the heading."""
        facts = [(name, arguments, value) for kind, name, arguments, value in self.facts() if kind != "static"]
        terms = [(f"({' '.join((name, *arguments))})", value) for name, arguments, value in facts]
        return [term if value is True else f"{term} = {value}" for term, value in terms if value is not False]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Raises `AttributeError`, with the counterpart of a name of PDDLGym or of old versions of Gymnasium."""
            hint = f": write {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the constructor's options and a snapshot of the episode, for pickling."""
        state = self.__dict__.copy()
        for key in {"_window", *self._of_engine}:
            state.pop(key, None)
        state["_saved"] = None if self.problem_index is None else self.save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Creates a new engine and restores the snapshot."""
        saved = state.pop("_saved")
        self.__dict__.update(state)
        self._window = self._open_window()
        self._use(EnvCore(self.problems, *self._options))
        if saved is not None:
            self._core.restore(saved)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Returns a copy in the same state of the same episode, with equal random streams."""
        clone = self.__class__.__new__(self.__class__)
        memo[id(self)] = clone
        shared = {"problems", "suite", "_window", "_renderer", *self._of_engine}
        clone.__dict__.update({key: copy.deepcopy(value, memo) for key, value in self.__dict__.items() if key not in shared})
        clone.__dict__.update({key: value for key, value in self.__dict__.items() if key in shared})
        clone._use(self._core.copy())
        return clone

    def __str__(self) -> str:
        """Returns the class name, the name of the problems, and their number."""
        count = len(self.problems)
        return f"<{type(self).__name__} {self.problems.name}: {count} problem{'s'[: count != 1]}>"

    __repr__ = __str__


class _SpecWithHorizon(EnvSpec):
    """A specification with a horizon, which a greater limit of Gymnasium's wrapper `TimeLimit` does not replace."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "max_episode_steps" and value and self.max_episode_steps:
            value = min(value, self.max_episode_steps)
        super().__setattr__(name, value)


def greatest_horizon(problems: ObservedProblems, horizon: Horizon) -> int | None:
    """Returns the greatest number of steps of an episode, given the argument `horizon`; None if there is no limit."""
    if horizon != "suite":
        return horizon
    ends = problems.horizons
    return None if None in ends else max(filter(None, ends), default=None)


def warn_of_violations(action: str, violated: Sequence[int], rules: Sequence[str]) -> None:
    """Warns that an action violated rules, given by their indices and the texts of all rules."""
    broken = ", ".join(f"{index + 1}, `{rules[index]}`" for index in violated)
    warnings.warn(
        f"the action {action} violates action precondition{'s'[: len(violated) != 1]} {broken}: `preconditions` says what such a "
        "step does, and info['violated'] marks the preconditions in each step. This is the only warning of this environment",
        UserWarning,
        stacklevel=4,
    )


def check_seed(seed: object) -> None:
    """Raises `ValueError` if a seed is out of range, or `TypeError` if it is not an int. None is none."""
    if seed is not None and not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed is an int, not {seed!r}")
    if seed is not None and not 0 <= seed < 2**64:
        raise ValueError(f"seed is an int from 0 to 2**64 - 1, not {seed}")


def problem_number(env: BaseEnv | BaseVecEnv, problem: Any) -> int | None:
    """Returns the index of the problem that a reset option gives by name or index, or None."""
    if problem is None:
        return None
    if isinstance(problem, (int, np.integer)):
        if not 0 <= problem < len(env.problems):
            raise UnknownNameError(f"there is no problem number {problem}: there are {len(env.problems)}")
        return int(problem)
    suite = getattr(env, "suite", None)
    if isinstance(suite, Suite):
        return suite.index(problem)
    names = env.problems.problem_names
    if problem not in names:
        near = difflib.get_close_matches(problem, names, n=1)
        raise UnknownNameError(f"there is no problem {problem!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return names.index(problem)


def known_options(options: Any, *known: str) -> Mapping[str, Any]:
    """Returns reset options; raises `UnknownNameError` if one is not among the known names, `TypeError` if they are no dict."""
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        example = ", ".join(f"{name!r}: …" for name in known)
        raise TypeError(f"the options of a reset are a dict, {{{example}}}, not {options!r}")
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(str(option), known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f": there is {', '.join(map(repr, known))}"
            raise UnknownNameError(f"there is no option {option!r} of a reset{hint}")
    return options
