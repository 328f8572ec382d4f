"""Many environments of one PDDL problem in the memory of an NVIDIA GPU, one bit per environment and atom.

**This was not run on a GPU yet, so its speed there is not known.** Tests run its kernel, and all code around it, on a CPU.

Needs the driver of the GPU (libcuda) and NVRTC, the compiler of CUDA (libnvrtc). PyTorch's package brings NVRTC, and so does
``pip install nvidia-cuda-nvrtc``. Both are loaded when the first `GpuEnvs` is created. If one is missing, it raises a
`herbrand.errors.GpuError` that names it.

Examples
--------
>>> import torch  # doctest: +SKIP
>>> from herbrand.gpu import GpuEnvs  # doctest: +SKIP
>>> envs = GpuEnvs("blocks", 1 << 20, problem="train/01", horizon=100)  # doctest: +SKIP
>>> rewards = torch.from_dlpack(envs.rewards)  # doctest: +SKIP
>>> envs.reset(seed=1)  # doctest: +SKIP
>>> for _ in range(100):  # doctest: +SKIP
...     envs.step_sampled()
...     total = rewards.sum()
"""

from __future__ import annotations

import ctypes
import importlib.util
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from ._herbrand import GpuArray, GpuCore
from .base_vector import action_numbers, autoreset, environment_count
from .errors import GpuError
from .options import one_count
from .sources import pddl_suite

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._herbrand import Action, Atom, Suite, Task
    from .env import Horizon
    from .limits import LimitsLike
    from .sources import DomainLike, ProblemsLike

__all__ = ["GpuArray", "GpuEnvs", "GpuError", "GpuRows", "unpack"]


@dataclass(frozen=True)
class GpuRows:
    """The memory of environments on a GPU, copied to the host, with one row per environment.

    Attributes
    ----------
    states : array of bool, (num_envs, atoms)
        The atoms that hold, in the order of `GpuEnvs.atoms`.
    action_mask : array of bool, (num_envs, operators)
        The valid operators, in the order of `GpuEnvs.operators`.
    goal, dead_end : array of bool, (num_envs,)
        Whether the goal holds, and whether no operator is valid.
    applied : array of bool, (num_envs,)
        Whether the last step carried out an operator; False if it began an episode.
    terminations, truncations : array of bool, (num_envs,)
        Whether the last step ended the episode.
    over : array of bool, (num_envs,)
        Whether the episode is over.
    elapsed : array of int64, (num_envs,)
        The number of steps of the episode.
    actions : array of int64, (num_envs,)
        The operators of the last step; 0 if none was drawn.
    rewards : array of float64, (num_envs,)
        The rewards of the last step.
    """

    states: NDArray[np.bool_]
    action_mask: NDArray[np.bool_]
    goal: NDArray[np.bool_]
    dead_end: NDArray[np.bool_]
    applied: NDArray[np.bool_]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    over: NDArray[np.bool_]
    elapsed: NDArray[np.int64]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]


class GpuEnvs:
    """Many environments of one PDDL problem on an NVIDIA GPU. Their actions are the ground operators.

    Environment ``i`` has the states, valid operators, rewards and draws of a single `PDDLEnv` with ``operators=True`` and seed
    ``seed + i``. It is no Gymnasium environment: states stay on the GPU, where a bit of a plane belongs to an environment. Calls
    return before the GPU is done.

    Parameters
    ----------
    domain
        As for `VecEnv`.
    num_envs : int
        The number of environments. Each thread of the GPU steps 32 of them.
    problem
        As for `VecEnv`, one problem; needed if the domain has several.
    split, limits
        As for `VecEnv`. The memory on the GPU counts too.
    horizon, through_goals, dead_end_terminates, autoreset_mode
        As for `VecEnv`. There are no last observations if autoreset is in the same step.
    device : int
        The number of the GPU.

    Attributes
    ----------
    suite : Suite
        The problem with its domain.
    num_envs, device : int
    autoreset_mode : AutoresetMode

    Raises
    ------
    GpuError
        If the driver, the compiler or the GPU is missing, if the problem does not fit, or if CUDA fails. `GpuError.cause` tells
        which.
    LimitError
        If a limit is reached.
    """

    @one_count
    def __init__(
        self,
        domain: DomainLike,
        num_envs: int = 1,
        *,
        problem: ProblemsLike = None,
        split: str | None = None,
        limits: LimitsLike = None,
        horizon: Horizon = "suite",
        through_goals: bool = False,
        dead_end_terminates: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        device: int = 0,
    ) -> None:
        self.num_envs = environment_count(num_envs)
        self.autoreset_mode = autoreset(autoreset_mode)
        self.device = device
        self.suite: Suite = pddl_suite(domain, problem, split=split, operators=True, limits=limits)
        names = self.suite.problem_names
        if len(names) != 1:
            some = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
            raise ValueError(f"environments on a GPU have one problem, not {len(names)}: problem= one of {some}")
        _load_compiler()
        self._core = GpuCore(
            self.suite,
            0,
            self.num_envs,
            horizon,
            through_goals,
            dead_end_terminates,
            self.autoreset_mode.value,
            device,
        )

    @cached_property
    def task(self) -> Task:
        """The task of the problem, with states, explanations and plans."""
        return self.suite.task(0)

    @cached_property
    def operators(self) -> tuple[Action, ...]:
        """The operators by number, in the order of the planes of `valid`."""
        return self.task.ground_actions

    @cached_property
    def atoms(self) -> tuple[Atom | None, ...]:
        """The atoms in the order of the planes of `states`; None for an auxiliary atom of the engine."""
        named = self.task.ground_atoms
        return tuple(None if number is None else named[number] for number in self._core.atoms)

    def operator_number(self, operator: Action | str) -> int:
        """Returns the number of an operator, given as an Action or a text such as ``"(stack a b)"``.

        Raises
        ------
        UnknownNameError
            If there is no such operator.
        """
        return self._numbers[self.task.action(operator)]

    @cached_property
    def _numbers(self) -> dict[Action, int]:
        return {operator: number for number, operator in enumerate(self.operators)}

    def reset(self, seed: int | None = None, *, mask: ArrayLike | None = None) -> None:
        """Begins an episode in every environment, or only in the environments that `mask` marks.

        Parameters
        ----------
        seed : int, optional
            Environment ``i`` gets the seed ``seed + i``. The first reset needs one.
        mask : array of bool, (num_envs,), optional
            The environments that begin an episode; not with a seed.

        Raises
        ------
        EpisodeError
            If no seed was ever given.
        """
        if mask is None:
            if seed is not None and not (isinstance(seed, (int, np.integer)) and 0 <= seed < 2**64):
                error = ValueError if isinstance(seed, (int, np.integer)) else TypeError
                raise error(f"seed is an int from 0 to 2**64 - 1, not {seed!r}")
            self._core.reset(None if seed is None else int(seed))
        elif seed is not None:
            raise ValueError("`mask` comes without a seed, after a first reset of all environments")
        else:
            which = np.asarray(mask)
            if which.dtype != np.bool_:
                raise TypeError(f"mask is an array of bool, not of {which.dtype}")
            self._core.reset_some(np.ascontiguousarray(self._one_each("mask", which)))

    def step(self, actions: ArrayLike) -> None:
        """Steps every environment by an operator that the host chose. An operator that is not valid changes nothing.

        Parameters
        ----------
        actions : array of int, (num_envs,)
            Numbers of operators. To choose on the GPU, see `step_written`.

        Raises
        ------
        UnknownNameError
            If there is no operator with a number.
        """
        device = getattr(actions, "__dlpack_device__", None)
        if device is not None and tuple(device())[0] not in _HOST:
            raise TypeError(
                "the actions are on a GPU: write them to `actions` there, torch.from_dlpack(envs.actions).copy_(…), and call "
                "step_written()"
            )
        self._core.step(action_numbers(self._one_each("actions", np.asarray(actions))))

    def step_written(self, *, stream: int | None = None) -> None:
        """Steps every environment by the operators that were written to `actions` on the GPU. Others than the valid ones change
        nothing.

        Parameters
        ----------
        stream : int, optional
            The handle of the stream that wrote them, such as ``torch.cuda.current_stream().cuda_stream``, if it is not the
            default stream. The step waits for it.
        """
        self._core.step_written(stream or None)

    def step_sampled(self) -> None:
        """Steps every environment by an operator that is drawn uniformly from the valid ones. `actions` has the operators."""
        self._core.step_sampled()

    @property
    def states(self) -> GpuArray:
        """The atoms of the states: int32, (atoms, words). Bit ``i`` of word ``w`` of a plane belongs to environment ``32 w + i``.
        Bits of the last word beyond the last environment mean nothing.

        This and the other arrays are in the memory of the GPU; read them by ``torch.from_dlpack`` and its like. Every call on the
        environments changes them, in the order of the default stream. In another stream, call ``from_dlpack`` again after each
        call: it copies nothing, and makes the stream wait. Before a call that may overwrite what the stream still reads, make
        the default stream wait for it.
        """
        return self._core.array("states")

    @property
    def valid(self) -> GpuArray:
        """The valid operators: int32, (operators, words)."""
        return self._core.array("valid")

    @property
    def goal(self) -> GpuArray:
        """The environments in which the goal holds: int32, (1, words)."""
        return self._core.array("goal")

    @property
    def dead_end(self) -> GpuArray:
        """The environments in which no operator is valid: int32, (1, words)."""
        return self._core.array("dead_end")

    @property
    def applied(self) -> GpuArray:
        """The environments whose last step carried out an operator: int32, (1, words)."""
        return self._core.array("applied")

    @property
    def terminated(self) -> GpuArray:
        """The environments whose last step ended the episode by the problem's rules: int32, (1, words)."""
        return self._core.array("terminated")

    @property
    def truncated(self) -> GpuArray:
        """The environments whose last step reached the horizon: int32, (1, words)."""
        return self._core.array("truncated")

    @property
    def over(self) -> GpuArray:
        """The environments whose episode is over: int32, (1, words)."""
        return self._core.array("over")

    @property
    def rewards(self) -> GpuArray:
        """The rewards of the last step: float64, (num_envs,)."""
        return self._core.array("rewards")

    @property
    def actions(self) -> GpuArray:
        """The operators of the last step: int32, (num_envs,). Write those of the next step here, then call `step_written`."""
        return self._core.array("actions")

    def read(self) -> GpuRows:
        """Waits for the GPU, and copies everything to the host, with one row per environment."""
        arrays = self._core.read()
        rows = {name: unpack(planes, self.num_envs) for name, planes in arrays.items() if planes.ndim == 2}
        flags = {name: rows[name][:, 0] for name in ("goal", "dead_end", "applied", "over")}
        return GpuRows(
            states=rows["states"],
            action_mask=rows["valid"],
            terminations=rows["terminated"][:, 0],
            truncations=rows["truncated"][:, 0],
            elapsed=arrays["elapsed"],
            actions=arrays["actions"],
            rewards=arrays["rewards"],
            **flags,
        )

    def close(self) -> None:
        """Frees the memory on the GPU once no array of another library uses it. Later calls raise a `GpuError`."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<GpuEnvs {self.suite.name} {self.suite.problem_names[0]}: {self.num_envs} on GPU {self.device}>"

    def __getstate__(self) -> dict[str, Any]:
        """Raises `TypeError`: environments on a GPU can be neither pickled nor copied."""
        raise TypeError("a GpuEnvs can be neither pickled nor copied: make a new one from the same arguments and seed")

    def _one_each(self, name: str, given: NDArray[Any]) -> NDArray[Any]:
        """Returns an array, or raises `ValueError` unless it has one element per environment."""
        if given.shape != (self.num_envs,):
            raise ValueError(f"{name} has one element per environment, shape ({self.num_envs},), not {given.shape}")
        return given


def unpack(planes: ArrayLike, num_envs: int) -> NDArray[np.bool_]:
    """Returns the bits of planes as rows: an array of bool, (num_envs, planes), from one of int32 or uint32, (planes, words).

    Parameters
    ----------
    planes : array of int32 or uint32, (planes, words)
        On the host, such as ``torch.from_dlpack(envs.states).cpu().numpy()``.
    num_envs : int
        The number of environments. Each word has bits of 32 environments.

    Examples
    --------
    >>> import numpy as np
    >>> from herbrand.gpu import unpack
    >>> unpack(np.array([[0b001], [0b110]], dtype=np.int32), 3).astype(int)
    array([[1, 0],
           [0, 1],
           [0, 1]])
    """
    words = np.asarray(planes)
    if words.dtype not in (np.int32, np.uint32):
        raise TypeError(f"planes are an array of int32 or uint32, not of {words.dtype}")
    if words.ndim != 2 or words.shape[1] != -(-num_envs // 32):
        raise ValueError(f"planes of {num_envs} environments have the shape (planes, {-(-num_envs // 32)}), not {words.shape}")
    octets = np.ascontiguousarray(words).astype("<u4", copy=False).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, count=num_envs, bitorder="little")
    return np.ascontiguousarray(bits.T).view(np.bool_)


# # Kinds of devices of DLPack whose memory the host reads: the CPU, and pinned memory.
_HOST = (1, 3)


def _load_compiler() -> None:
    """Loads NVRTC from a Python package, such as one of PyTorch: its folder is not on the library path."""
    try:
        found = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return
    for folder in (found and found.submodule_search_locations) or ():
        for library in sorted(Path(folder).glob("*/lib/libnvrtc.so.1[23]"), reverse=True)[:1]:
            ctypes.CDLL(str(library))
