"""One environment over the instances of a domain in RDDL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._herbrand import EnvCore, NamedSteps, RddlState, RddlTask
from ..base_env import BaseEnv, Horizon
from ..errors import Explanation, HerbrandError
from ..observations import Rows
from ..rendering import Renderer, RenderMode
from .forms import DictActions, SeenFluents
from .problems import ProblemOptions, rddl_problems
from .sources import RddlLike, RddlProblemsLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["RddlEnv", "RddlOptions", "make"]


class RddlEnv(BaseEnv):
    """Episodes of an instance in RDDL.

    Parameters
    ----------
    domain : str, path or RddlSuite
        The name of a bundled environment (``"rddl/elevators"``), the path of a file or of a folder, RDDL, or a suite.
    problem : str, int, path, a list of them, or None
        Which instance, as for `herbrand.rddl.rddl_suite`; the first one if left out. Over several instances each reset draws
        one; then actions and observations are flat, as wide as the largest instance needs.
    actions : {"dict", "flat", "joint"}
        What an action is.

        - ``"dict"``: a dict from names of ground action fluents to values (``{"push___cart1": 2.5}``); what is left out has its
          default.
        - ``"flat"``: one vector for Stable-Baselines3 and its like. A ``Discrete`` number of a joint action where at most one
          discrete fluent can be set at once; a ``MultiDiscrete`` where all fluents are discrete; else a ``Box``, in which
          fluents that are no reals are rounded to the nearest value.
        - ``"joint"``: a ``Discrete`` number of a joint action, of all that ``max-nondef-actions`` allows.
    observation : {"dict", "flat", "pixels"}
        ``"dict"``: a dict from names of ground fluents to values; ``"flat"``: a vector with a number for each, a
        ``MultiBinary`` (int8) where all are bools, else a ``Box`` of float64; ``"pixels"``: the picture without title and legend, uint8 of shape (height, width, 3). What is seen is the state, or the
        observ fluents where there are some: 0 before the first step.
    pixels : (int, int)
        Height and width of observations of mode ``"pixels"``.
    preconditions : {"reported", "enforced"}
        What a violated action precondition does: the step is taken all the same, and `violated` has its number; or the
        action is invalid, and masks and samples keep to valid ones.
    limits : Limits or mapping, optional
        What reading the texts and compiling the instance may take.
    horizon : int, "suite" or None
        After how many steps an episode is truncated: so many, what the instance says, never.
    raise_error_on_invalid_action : bool
        Whether an invalid action is an error: one that sets more fluents than ``max-nondef-actions``, or violates an enforced
        precondition. Otherwise it counts as a step, changes nothing, pays nothing, and ``info["applied"]`` is False.
        A value that a fluent cannot take is an error either way.
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` gives, as for `BaseEnv`: a text, a picture, or pictures; ``"human"`` shows every state in a window.
    render_size : (int, int), optional
        Height and width of pictures. If left out, they are as large as that of an episode's first state.
    renderer : function, optional
        Makes a picture of `state` in place of the declared one: an array ``(height, width, 3)``.

    Notes
    -----
    An episode is terminated by a termination condition, and truncated at the horizon and where a state invariant is broken. Where
    there are discrete action fluents infos have ``action_mask`` (int8): an element for each value of each discrete fluent in
    order, or for each number of a joint action.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.rddl.make("rddl/cartpole-continuous")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step({"push___c1": 1.5})
    >>> sorted(observation)
    ['angle___c1', 'lost___c1', 'position___c1', 'spin___c1', 'velocity___c1']
    >>> herbrand.rddl.make("rddl/cartpole-discrete", actions="flat").action_space
    Discrete(2)
    """

    def __init__(
        self,
        domain: RddlLike,
        problem: RddlProblemsLike = None,
        *,
        horizon: Horizon = "suite",
        raise_error_on_invalid_action: bool = False,
        render_mode: RenderMode | None = None,
        render_size: tuple[int, int] | None = None,
        renderer: Renderer | None = None,
        **options: Unpack[ProblemOptions],
    ) -> None:
        problems = rddl_problems(domain, problem, **options)
        self.suite, self._seen, self._form = problems.suite, problems.rows, problems.form
        self._tasks: dict[int, RddlTask] = {}
        super().__init__(
            problems.observed,
            horizon=horizon,
            raise_error_on_invalid_action=raise_error_on_invalid_action,
            render_mode=render_mode,
            render_size=render_size,
            renderer=renderer,
        )
        self.action_space = self._form.space

    def _make_rows(self) -> Rows:
        return self._seen

    def _use(self, core: EnvCore) -> None:
        """Steps with this engine from now on."""
        super()._use(core)
        plain_steps, form = self._plain_steps, self._form
        if isinstance(form, DictActions) and isinstance(self._seen, SeenFluents):
            self._plain_steps = NamedSteps(core, form.fields, self._seen.fields).step
        else:
            self._plain_steps = lambda action: plain_steps(form.row(action))
        self._steps = self._shown_step if self._shows_all else self._plain_steps

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action: observation, reward, terminated, truncated, info.

        Raises
        ------
        EpisodeError
            Before the first reset and after the end of an episode.
        InvalidActionError
            For a value that a fluent cannot take, and, with ``raise_error_on_invalid_action``, for an invalid action.
        UnknownNameError
            For a name that is no action fluent.
        """
        return self._steps(action)

    def sample(self) -> Any:
        """An action from the environment's seed, in the form of the action space.

        A joint action sets a number of fluents that is uniform from none to as many as may be set, which ones is uniform, and so
        is each value among those that differ from the default. Numbers of joint actions are uniform over the valid ones.
        """
        return self._form.read(self._core.sample()) if not self.problems.is_discrete else self._core.sample()

    def action_name(self, action: Any) -> str:
        """An action in words: ``"push___c1=1.5"``."""
        return self._core.action_name(self._form.row(action))

    def explain(self, action: Any) -> Explanation:
        """Not for RDDL: `would_violate` says which preconditions an action violates."""
        raise HerbrandError("ask `would_violate` which preconditions an action violates")

    @property
    def task(self) -> RddlTask:
        """The task of the current instance."""
        index = self.problem_index or 0
        if index not in self._tasks:
            self._tasks[index] = self.suite.task(index)
        return self._tasks[index]

    @property
    def state(self) -> RddlState:
        """The current state, of the current instance's `task`."""
        state = self._core.state(self.task)
        assert isinstance(state, RddlState)
        return state

    def set_state(self, state: RddlState) -> tuple[Any, dict[str, Any]]:
        """Goes to a state of the current instance; an episode that was over goes on."""
        observation, info = self._core.set_state(self.task, state)
        return (observation if self._read is None else self._read(observation)), info

    @property
    def violated(self) -> tuple[int, ...]:
        """The numbers, from 0, of the action preconditions that the last step violated; those of state-action constraints follow."""
        return tuple(self._core.violated)

    def would_violate(self, action: Mapping[str, Any]) -> tuple[int, ...]:
        """The numbers of the action preconditions that an action, given as a dict, would violate now."""
        return tuple(self.task.violated(self.state, action))

    def mask_dict(self) -> dict[str, NDArray[np.int8] | None]:
        """Which values of each discrete action fluent are valid by themselves, as ``action_space.sample(mask)`` takes it where
        actions are dicts; None for numbers.
        """
        mask, start = self._core.mask(), 0
        parts: dict[str, NDArray[np.int8] | None] = {}
        for name, kind, _, high in self.problems.action_fields:
            count = int(high) + 1 if kind == "discrete" else 0
            parts[name] = mask[start : start + count] if kind == "discrete" else None
            start += count
        return parts

    # Tasks are shared by copies, and made anew where an environment is pickled.
    _of_engine = BaseEnv._of_engine | {"_tasks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the engine anew, and goes to where it was."""
        super().__setstate__({**state, "_tasks": {}})


class RddlOptions(ProblemOptions, total=False):
    """The keyword arguments of `make`, which are those of `RddlEnv`."""

    horizon: Horizon
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None
    render_size: tuple[int, int] | None
    renderer: Renderer | None


def make(domain: RddlLike, problem: RddlProblemsLike = None, **options: Unpack[RddlOptions]) -> RddlEnv:
    """An environment of an instance in RDDL; ``herbrand.make`` makes the same.

    Parameters
    ----------
    domain, problem
        As for `RddlEnv`.
    **options
        As for `RddlEnv`.

    Examples
    --------
    >>> import herbrand
    >>> env = herbrand.rddl.make("rddl/elevators", "2", actions="flat", observation="flat")
    >>> env.observation_space.shape == env.reset(seed=1)[0].shape
    True
    """
    return RddlEnv(domain, problem, **options)
