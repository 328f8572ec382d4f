"""The Gymnasium environment over the instances of an RDDL domain, and `make`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._herbrand import EnvCore, NamedSteps, RddlState, RddlTask
from ..base_env import BaseEnv, Horizon
from ..errors import Explanation, HerbrandError
from ..observations import Rows
from ..options import check_options
from ..rendering import Renderer, RenderMode
from .forms import DictActions, SeenFluents
from .problems import ProblemOptions, rddl_problems
from .sources import RddlLike, RddlProblemsLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["RddlEnv", "RddlOptions", "make"]


class RddlEnv(BaseEnv):
    """A Gymnasium environment over the instances of an RDDL domain.

    Parameters
    ----------
    domain : str, path or RddlSuite
        The name of a bundled environment (``"rddl/elevators"``), the path of a file or of a folder, RDDL text, or a suite.
    problem : str, int, path, a list of them, or None
        The instances, as for `herbrand.rddl.rddl_suite`; by default the first one. With several instances each reset draws
        one. Actions and observations must then be flat; they are as wide as the largest instance needs.
    actions : {"dict", "flat", "joint"}
        The form of actions.

        - ``"dict"``: a dict from names of ground action fluents to values (``{"push___cart1": 2.5}``). Missing fluents have
          their default values.
        - ``"flat"``: one vector, for libraries such as Stable-Baselines3. It is a ``Discrete`` number of a joint action if
          at most one discrete fluent can be set at once; a ``MultiDiscrete`` if all fluents are discrete; otherwise a
          ``Box``, whose values are rounded for fluents that are not real.
        - ``"joint"``: a ``Discrete`` number of a joint action, among all that ``max-nondef-actions`` permits.
    observation : {"dict", "flat", "pixels"}
        ``"dict"``: a dict from names of ground fluents to values. ``"flat"``: a vector with one number per fluent; a
        ``MultiBinary`` (int8) if all are bools, otherwise a ``Box`` of float64. ``"pixels"``: the picture without title and
        legend, uint8 of shape ``(height, width, 3)``. The observed fluents are the observ fluents, which are 0 before the
        first step, or all state fluents if the domain has no observ fluents.
    pixels : (int, int), optional
        Height and width of observations of mode ``"pixels"``, by default 64 and 64.
    preconditions : {"reported", "refused", "replaced", "ignored"}
        The effect of an action that violates an action precondition. Infos and `violated` tell the precondition if the
        action is not refused or the effect ignored.

        - ``"reported"``: the step carries the action out.
        - ``"refused"``: the action is invalid (see ``raise_error_on_invalid_action``).
        - ``"replaced"``: the step carries out the action in which every fluent has its default value, as the paper on
          pyRDDLGym says.
        - ``"ignored"``: the step carries the action out; masks and samples contain such actions too.
    limits : Limits or mapping, optional
        Limits for parsing the texts and compiling the instance.
    horizon : int, "suite" or None
        The number of steps after which an episode is truncated. ``"suite"``: the horizon of the instance; None: never.
    raise_error_on_invalid_action : bool
        Whether an invalid action raises `InvalidActionError`. Actions are invalid if they set more fluents than
        ``max-nondef-actions``, or violate a precondition and preconditions are ``"refused"``. If not raised, the action counts as a step, changes
        nothing, has reward 0, and ``info["applied"]`` is False. A value out of a fluent's range always raises an error.
    render_mode : {"ansi", "svg", "rgb_array", "rgb_array_list", "human", None}
        What `render` returns, as for `BaseEnv`: a text, a picture, or pictures; ``"human"`` shows every state in a window.
    render_size : (int, int), optional
        Height and width of pictures. If left out, the picture of an episode's first state sets the size for the episode.
    renderer : function, optional
        Draws a picture of `state` in place of the declared rendering; returns an array ``(height, width, 3)``.

    Notes
    -----
    An episode terminates by a termination condition. It is truncated at the horizon, and if a state invariant is violated;
    ``info["end"]`` of the last step is ``"terminal"``, ``"horizon"`` or ``"invariant"``.
    If the domain has action preconditions, infos have ``violated``: whether the step violated each of them. The first such step
    of an environment warns. If the domain has state invariants, infos have ``invariant``: the number and the text of a broken
    one, or ``""``.
    If there are discrete action fluents, infos contain ``action_mask`` (int8): one element for each value of each discrete
    fluent in order, or for each number of a joint action.

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
        check_options("RddlEnv", options, RddlOptions.__annotations__)
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
        """Installs an engine and the step function that fits the forms of actions and observations."""
        super()._use(core)
        plain_steps, form = self._plain_steps, self._form
        if isinstance(form, DictActions) and isinstance(self._seen, SeenFluents):
            self._plain_steps = NamedSteps(core, form.fields, self._seen.fields).step
        else:
            self._plain_steps = lambda action: plain_steps(form.row(action))
        self._steps = self._shown_step if self._shows_all else self._plain_steps

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action and returns observation, reward, terminated, truncated, info.

        Raises
        ------
        EpisodeError
            If there is no running episode.
        InvalidActionError
            If a value is out of a fluent's range; with ``raise_error_on_invalid_action`` also if the action is invalid.
        UnknownNameError
            If a name is not an action fluent.
        """
        return self._steps(action)

    def sample(self) -> Any:
        """Draws an action from the environment's random stream, in the form of the action space.

        The action is uniform over the valid joint actions; where `RddlTask.samples_exactly` is False, only nearly so.
        """
        if self.problems.is_discrete:
            return self._core.sample()
        return self._form.read(self._core.sample(self._form.exact))

    def action_name(self, action: Any) -> str:
        """Returns the text of an action in the form of the action space, such as ``"push___c1=1.5"``."""
        return self._core.action_name(self._form.row(action))

    _instead_of_numbers = (
        "`mask_dict` has the valid values of each discrete fluent, and `sample` draws a valid action; with actions='joint', "
        "actions are numbers"
    )

    def explain(self, action: Any) -> Explanation:
        """Raises `HerbrandError`: use `would_violate` in RDDL."""
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
        """The current state, a state of `task`."""
        state = self._core.state(self.task)
        assert isinstance(state, RddlState)
        return state

    def set_state(self, state: RddlState) -> tuple[Any, dict[str, Any]]:
        """Moves to a state of the current instance. An episode that had ended continues."""
        observation, info = self._core.set_state(self.task, state)
        return (observation if self._read is None else self._read(observation)), info

    @property
    def violated(self) -> tuple[int, ...]:
        """The indices of the action preconditions that the last step violated, then of state-action constraints."""
        return tuple(self._core.violated)

    def would_violate(self, action: Mapping[str, Any]) -> tuple[int, ...]:
        """Returns the indices of the action preconditions that an action (a dict) would violate now."""
        return tuple(self.task.violated(self.state, action))

    def mask_dict(self) -> dict[str, NDArray[np.int8] | None]:
        """Returns the valid values of each discrete action fluent, for ``action_space.sample(mask)`` with dict actions.

        Each fluent is considered separately from the others; numeric fluents have None.
        """
        mask, start = self._core.mask(), 0
        parts: dict[str, NDArray[np.int8] | None] = {}
        for name, kind, _, high in self.problems.action_fields:
            count = int(high) + 1 if kind == "discrete" else 0
            parts[name] = mask[start : start + count] if kind == "discrete" else None
            start += count
        return parts

    # Copies share tasks. A pickled environment rebuilds them.
    _of_engine = BaseEnv._of_engine | {"_tasks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Creates a new engine and restores the snapshot."""
        super().__setstate__({**state, "_tasks": {}})


class RddlOptions(ProblemOptions, total=False):
    """The keyword arguments of `make` and of `RddlEnv`."""

    horizon: Horizon
    raise_error_on_invalid_action: bool
    render_mode: RenderMode | None
    render_size: tuple[int, int] | None
    renderer: Renderer | None


def make(domain: RddlLike, problem: RddlProblemsLike = None, **options: Unpack[RddlOptions]) -> RddlEnv:
    """Creates a `RddlEnv`, like ``herbrand.make``.

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
