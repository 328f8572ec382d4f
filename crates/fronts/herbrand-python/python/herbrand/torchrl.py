"""Environments for TorchRL: many Herbrand environments as one batched ``EnvBase``.

Needs ``pip install 'herbrand[torchrl]'``. Tensors share the memory of the arrays that the engine writes.

Examples
--------
>>> from herbrand.torchrl import make_vec  # doctest: +SKIP
>>> from torchrl.envs import ActionMask, TransformedEnv  # doctest: +SKIP
>>> env = TransformedEnv(make_vec("blocks", num_envs=64, problem="train/01"), ActionMask())  # doctest: +SKIP
>>> env.rollout(100, break_when_any_done=False)["next", "reward"].shape  # doctest: +SKIP
torch.Size([64, 100, 1])
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from . import vector
from .base_vector import BaseVecEnv

__all__ = ["TorchVecEnv", "make_vec"]

_MISSING = "herbrand.torchrl needs TorchRL: pip install 'herbrand[torchrl]'"

try:
    _EnvBase: Any = import_module("torchrl.envs").EnvBase
except ImportError:
    _EnvBase = object


class TorchVecEnv(_EnvBase):  # type: ignore[misc]
    """A batch of environments as one ``torchrl.envs.EnvBase``, with batch size ``[num_envs]``.

    TensorDicts have these entries:

    - ``observation``: a tensor of the dtype of the observations, or a nested TensorDict if they are dicts.
    - ``action_mask``: bool, ``(num_envs, actions)``, if actions are numbers. TorchRL's transform ``ActionMask`` and its
      ``MaskedCategorical`` use it.
    - ``reward``: float32, ``(num_envs, 1)``.
    - ``terminated``, ``truncated`` and ``done``: bool, ``(num_envs, 1)``.

    TorchRL resets the environments whose episodes ended, so the entries of the last step describe the last state.

    Parameters
    ----------
    envs : BaseVecEnv
        Environments with ``autoreset_mode="Disabled"`` and ``copy=True``, as `make_vec` creates them.
    **options
        As for ``EnvBase``.
    """

    def __init__(self, envs: BaseVecEnv, **options: Any) -> None:
        if _EnvBase is object:
            raise ImportError(_MISSING)
        if envs.autoreset_mode is not AutoresetMode.DISABLED:
            raise ValueError(f"TorchRL resets environments itself: autoreset_mode='Disabled', not {envs.autoreset_mode.value!r}")
        if not envs._copy:
            raise ValueError("TorchRL keeps the tensors of earlier steps: copy=True")
        count = envs.num_envs
        super().__init__(device="cpu", batch_size=[count], **options)
        self.envs = envs
        self._seed: int | None = None
        self._ended = np.zeros(count, dtype=np.bool_)
        action = envs.single_action_space
        self._masked = isinstance(action, spaces.Discrete)
        specs = import_module("torchrl.data")
        seen = {"observation": _spec(envs.single_observation_space, count)}
        if isinstance(action, spaces.Discrete):
            seen["action_mask"] = _spec(spaces.MultiBinary(int(action.n)), count, "bool")
        flag = specs.Categorical(2, shape=(count, 1), dtype=import_module("torch").bool)
        flags = {name: flag.clone() for name in ("done", "terminated", "truncated")}
        self.observation_spec = specs.Composite(seen, shape=(count,))
        self.action_spec = specs.Composite({"action": _spec(action, count)}, shape=(count,))
        self.reward_spec = specs.Unbounded(shape=(count, 1))
        self.done_spec = specs.Composite(flags, shape=(count,))

    def _reset(self, tensordict: Any = None, **_: Any) -> Any:
        which = None if tensordict is None else tensordict.get("_reset", None)
        if which is None or self._seed is not None or not self.envs._seeded:
            seen, _infos = self.envs.reset(seed=self._seed)
            self._seed = None
            self._ended[:] = False
        else:
            marked = which.reshape(-1).numpy()
            seen, _infos = self.envs.reset(options={"reset_mask": marked})
            self._ended &= ~marked
        return self._entries(seen, self._ended, np.zeros_like(self._ended))

    def _step(self, tensordict: Any) -> Any:
        action = tensordict.get("action")
        given: Any = {name: part.numpy() for name, part in action.items()} if hasattr(action, "items") else action.numpy()
        seen, rewards, terminated, truncated, _ = self.envs.step(given)
        self._ended = terminated | truncated
        entries = self._entries(seen, terminated, truncated)
        return entries.set("reward", _tensors(rewards.astype(np.float32)[:, np.newaxis]))

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

    def _entries(self, seen: Any, terminated: Any, truncated: Any) -> Any:
        """Returns a TensorDict of an observation and of how episodes ended."""
        entries = {"observation": _tensors(seen)}
        if self._masked:
            entries["action_mask"] = _tensors(self.envs.action_masks())
        ends = {"terminated": terminated, "truncated": truncated, "done": terminated | truncated}
        entries |= {name: _tensors(flags.copy()[:, np.newaxis]) for name, flags in ends.items()}
        return import_module("tensordict").TensorDict(entries, batch_size=self.batch_size)


def make_vec(domain: Any, num_envs: int = 1, *, problem: Any = None, **options: Any) -> TorchVecEnv:
    """Creates a `TorchVecEnv`.

    Parameters
    ----------
    domain, num_envs, problem, **options
        As for `herbrand.make_vec`.

    Raises
    ------
    ImportError
        If TorchRL is missing.
    """
    options = {"statistics": False, **options}
    return TorchVecEnv(vector.make_vec(domain, num_envs, problem=problem, autoreset_mode="Disabled", **options))


def _tensors(given: Any) -> Any:
    """Returns tensors that share the memory of an array, or of a dict of arrays. Read-only arrays are copied."""
    if isinstance(given, dict):
        parts = {name: _tensors(part) for name, part in given.items()}
        return import_module("tensordict").TensorDict(parts, batch_size=next(iter(parts.values())).shape[:1])
    return import_module("torch").from_numpy(given if given.flags.writeable else given.copy())


def _spec(space: spaces.Space[Any], count: int, dtype: str | None = None) -> Any:
    """Returns the spec of `count` elements of a space."""
    specs, torch = import_module("torchrl.data"), import_module("torch")
    if isinstance(space, spaces.Dict):
        return specs.Composite({name: _spec(part, count) for name, part in space.items()}, shape=(count,))
    kind, shape = getattr(torch, dtype or str(space.dtype)), (count, *(space.shape or ()))
    if isinstance(space, spaces.MultiBinary):
        return specs.Binary(shape[-1], shape=shape, dtype=kind)
    if isinstance(space, spaces.Discrete):
        return specs.Categorical(int(space.n), shape=shape, dtype=kind)
    if isinstance(space, spaces.MultiDiscrete):
        return specs.MultiCategorical(space.nvec.tolist(), shape=shape, dtype=kind)
    assert isinstance(space, spaces.Box), space
    if not (np.isfinite(space.low).all() and np.isfinite(space.high).all()):
        return specs.Unbounded(shape=shape, dtype=kind)
    low, high = (torch.as_tensor(np.broadcast_to(end, shape).copy()) for end in (space.low, space.high))
    return specs.Bounded(low, high, shape=shape, dtype=kind)
