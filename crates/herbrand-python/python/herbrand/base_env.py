"""One environment over problems of any language, with the interface of Gymnasium."""

from __future__ import annotations

import copy
import difflib
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex, Union

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._herbrand import EnvCore, EnvSnapshot, ObservedProblems
from .errors import Explanation, UnknownNameError
from .observations import Rows, action_space, copied
from .rendering import RENDER_MODES, Image, Renderer, RenderMode, Window, check_mode, open_window, to_rgb

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["BaseEnv", "Horizon"]

Horizon = Union[int, Literal["suite"], None]


class BaseEnv(gymnasium.Env[Any, Any]):
    """Episodes over problems of any language; `PDDLEnv` is what PDDL makes of it.

    Parameters
    ----------
    problems : ObservedProblems
        The problems, with a way of observing them.
    horizon : int, "suite" or None
        After how many steps an episode is truncated: so many, what the problems say, never.
    through_goals : bool
        Whether episodes go on past the goal.
    dead_end_terminates : bool
        Whether a dead end, which is a state without a valid action, ends the episode, as it does by default. Either
        way ``info["dead_end"]`` is True, and a step there changes nothing and pays nothing, whatever its action.
    raise_error_on_invalid_action : bool
        Whether an invalid action is an error. Otherwise it counts as a step, changes nothing, pays nothing, and
        ``info["applied"]`` is False.
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` gives.

        - ``"ansi"``: a text. ``"svg"``: a picture as SVG.
        - ``"rgb_array"``: a picture as an array of uint8, ``(height, width, 3)``, as large in all states of an episode.
        - ``"rgb_array_list"``: the pictures of all states since the last call.
        - ``"human"``: nothing; every state is shown in a window, which needs pygame or OpenCV.
    render_size : (int, int), optional
        Height and width of pictures. If left out, they are as large as that of an episode's first state.
    renderer : function, optional
        Makes a picture of `state` in place of the declared one: an array ``(height, width, 3)``.

    Attributes
    ----------
    action_space : gymnasium.spaces.Space
        ``Discrete`` where an action is the number of an alternative; ``info["action_mask"]`` (int8) and `action_masks`
        (bool) say which are valid. Otherwise a ``Box`` of float64 with one number per field, in the order of
        ``problems.action_fields``.
    observation_space : gymnasium.spaces.Space
        What `herbrand.observations.Rows` says of the problems' fields.

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
        self.render_mode = render_mode
        self._render_size, self._renderer = render_size, renderer
        self._frame_size: tuple[int, int] | None = None
        self._frames: list[Image] = []
        self._window = self._open_window()
        self.problems = problems
        self._options = (horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action)
        self._seeded = False
        self._use(EnvCore(problems, *self._options))
        self.action_space = action_space(problems)
        self.observation_space = self._make_rows().space

    def _make_rows(self) -> Rows:
        """How observations are made of the engine's rows."""
        return Rows(self.problems)

    def _use(self, core: EnvCore) -> None:
        """Steps with this engine from now on."""
        self._core = core
        rows = self._make_rows()
        self._read = None if rows.is_plain else rows.read_one
        self._plain_steps = core.step if self._read is None else self._read_step
        self._steps = self._shown_step if self._shows_all else self._plain_steps

    # What `_use` makes of the engine, and is not pickled.
    _of_engine: ClassVar = frozenset({"_core", "_read", "_plain_steps", "_steps"})

    @property
    def _shows_all(self) -> bool:
        """Whether every state is drawn, whether or not anyone calls `render`."""
        return self.render_mode in ("rgb_array_list", "human")

    def _open_window(self) -> Window | None:
        """The window that states are shown in, if any."""
        return open_window("Herbrand", self.metadata["render_fps"]) if self.render_mode == "human" else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode of a problem that is drawn.

        Parameters
        ----------
        seed : int, optional
            Starts all random streams anew. The first reset without one draws a seed.
        options : dict, optional
            ``{"problem": name or index}`` chooses the problem.

        Returns
        -------
        observation, info

        Raises
        ------
        UnknownNameError
            When there is no such problem, and for an option that is not one of these.
        """
        problem = self._problem(options) if options else None
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

    def _problem(self, options: dict[str, Any]) -> int | None:
        """The index of the problem that the options of a reset name."""
        refuse_unknown(options, "problem")
        problem = options.get("problem")
        if problem is None:
            return None
        if isinstance(problem, (int, np.integer)):
            if not 0 <= problem < len(self.problems):
                raise UnknownNameError(f"there is no problem number {problem}: there are {len(self.problems)}")
            return int(problem)
        return self._problem_index(problem)

    def _problem_index(self, name: str) -> int:
        """The index of the problem of this name."""
        names = self.problems.problem_names
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            raise UnknownNameError(f"there is no problem {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return names.index(name)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        Parameters
        ----------
        action : int or str, or sequence of float
            Its number, or its text as `action_name` gives it; where actions have several fields, one number per field.

        Returns
        -------
        observation, reward, terminated, truncated, info

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            When the action is not valid and ``raise_error_on_invalid_action`` is set.
        """
        return self._steps(action)

    def _read_step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step whose observation is made of the engine's array."""
        observation, reward, terminated, truncated, info = self._core.step(action)
        return (self._read or copied)(observation), reward, terminated, truncated, info

    def _shown_step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step whose state is drawn."""
        result = self._plain_steps(action)
        self._show()
        return result

    def sample(self) -> Any:
        """A valid action from the environment's seed: an int, each with the same probability, or one number per field.

        It is 0, or all defaults, in a dead end, which ``info["dead_end"]`` marks; a step there does nothing, whatever
        its action.
        """
        return self._core.sample()

    @property
    def unwrapped(self) -> Self:
        """This environment itself: wrappers around it have the same property."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are valid: an array of bool, one element an action."""
        return self._core.mask().view(np.bool_)

    def valid_actions(self) -> NDArray[np.int64]:
        """The numbers of the valid actions, ascending."""
        return self._core.valid_actions()

    def action_name(self, action: SupportsIndex | str | ArrayLike) -> str:
        """An action of the current problem as its language writes it: ``"(move up)"``."""
        return self._core.action_name(action)

    def action_id(self, text: str) -> int:
        """The number of the current problem's action that a text writes."""
        return self._core.action_id(text)

    def atom_name(self, index: SupportsIndex) -> str:
        """The atom of the current problem that a bit of an observation of mode ``"bits"`` is about: ``"(on a b)"``."""
        return self._core.atom_name(index)

    def explain(self, action: SupportsIndex | str) -> Explanation:
        """Why an action is or is not valid now: of the operators that can carry it out, the one that lacks least."""
        return self._core.explain(action)

    def facts(self) -> list[tuple[str, str, tuple[str, ...], bool | int | float | str]]:
        """The facts of the current state: tuples of kind ("static", "fluent", "derived" or "observed"), name, names of the
        arguments, and value.
        """
        return self._core.facts()

    @property
    def problem_index(self) -> int | None:
        """The index of the current problem; None before the first reset."""
        return self._core.problem_index

    def save(self) -> EnvSnapshot:
        """Everything that the future depends on but the actions, to come back to by `restore`."""
        return self._core.save()

    def restore(self, saved: EnvSnapshot) -> None:
        """Comes back to what an environment over the same problems has saved."""
        self._core.restore(saved)
        self._seeded = True

    def render(self) -> Any:
        """The state, as the render mode says: a text, a picture, pictures, or None where a window shows it.

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
        """The picture of the current state, as large as the others of the episode."""
        if self._renderer is not None:
            return to_rgb(self._renderer(self._rendered_state()))
        size = self._render_size or self._frame_size
        picture = self._core.image("light", size)
        self._frame_size = picture.shape[0], picture.shape[1]
        return picture

    def _rendered_state(self) -> Any:
        """What a renderer gets: `state` where environments have one, else the facts."""
        state = getattr(self, "state", None)
        return self.facts() if state is None else state

    def _show(self) -> None:
        """Shows the current state in the window, or keeps its picture."""
        if self._window is not None:
            self._window.show(self._frame())
        else:
            self._frames.append(self._frame())

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _repr_svg_(self) -> str | None:
        """The picture of the current state, for notebooks."""
        return None if self.problem_index is None else self._core.svg("auto")

    def _lines(self) -> list[str]:
        """What `render` says of the state."""
        facts = [(name, arguments, value) for kind, name, arguments, value in self.facts() if kind != "static"]
        terms = [(f"({' '.join((name, *arguments))})", value) for name, arguments, value in facts]
        return [term if value is True else f"{term} = {value}" for term, value in terms if value is not False]

    def __getstate__(self) -> dict[str, Any]:
        """Pickles how the environment was made and where it is: problem, state, steps taken, random streams."""
        state = self.__dict__.copy()
        for key in {"_window", *self._of_engine}:
            state.pop(key, None)
        state["_saved"] = None if self.problem_index is None else self.save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the engine anew, and goes to where it was."""
        saved = state.pop("_saved")
        self.__dict__.update(state)
        self._window = self._open_window()
        self._use(EnvCore(self.problems, *self._options))
        if saved is not None:
            self._core.restore(saved)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy at the same place of the same episode, with the same random streams."""
        clone = self.__class__.__new__(self.__class__)
        memo[id(self)] = clone
        shared = {"problems", "suite", "_window", "_renderer", *self._of_engine}
        clone.__dict__.update({key: copy.deepcopy(value, memo) for key, value in self.__dict__.items() if key not in shared})
        clone.__dict__.update({key: value for key, value in self.__dict__.items() if key in shared})
        clone._use(self._core.copy())
        return clone

    def __str__(self) -> str:
        """The name of the problems and their number."""
        count = len(self.problems)
        return f"<{type(self).__name__} {self.problems.name}: {count} problem{'s'[: count != 1]}>"


def refuse_unknown(options: dict[str, Any] | None, *known: str) -> None:
    """Raises an error for options of a reset that it does not know."""
    for option in options or {}:
        if option not in known:
            near = difflib.get_close_matches(str(option), known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f": there is {', '.join(map(repr, known))}"
            raise UnknownNameError(f"there is no option {option!r} of a reset{hint}")
