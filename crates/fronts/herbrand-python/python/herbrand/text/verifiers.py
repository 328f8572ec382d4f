"""Tasks and environments of verifiers. Needs ``pip install verifiers``.

After ``import herbrand.text.verifiers``, the id ``"herbrand"`` names this taskset in the current process:

>>> import verifiers.v1 as vf  # doctest: +SKIP
>>> import herbrand.text.verifiers as adapter  # doctest: +SKIP
>>> player = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}  # doctest: +SKIP
>>> taskset = adapter.HerbrandConfig(domain="blocks", split="train")  # doctest: +SKIP
>>> config = adapter.HerbrandEnvConfig(taskset=taskset, player=player)  # doctest: +SKIP
>>> env = adapter.HerbrandEnv(config)  # doctest: +SKIP

For the commands of verifiers, which start processes of their own, put ``from herbrand.text.verifiers import *`` and
``from herbrand.text.verifiers import __all__`` into a module of your own and give its name as the id. The variable
``PYTHONPATH`` names the folder of the module.

Each problem is a task for each of `seeds`. The environment plays the user: each reply of the model is an answer, and the
text of the step is the next message. The trace records the sum of the rewards as
``herbrand_reward``, and the metrics ``goal``, ``answers``, ``steps`` and ``faults``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Literal

from .env import TextEnv

try:
    import verifiers.v1 as vf  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise ImportError("herbrand.text.verifiers needs the package verifiers: pip install verifiers") from error

__all__ = [
    "HerbrandConfig",
    "HerbrandData",
    "HerbrandEnv",
    "HerbrandEnvConfig",
    "HerbrandTask",
    "HerbrandTaskset",
]

TASKSET = "herbrand"
"""The id of the taskset in this process."""

sys.modules.setdefault(f"verifiers.v1.tasksets.{TASKSET}", sys.modules[__name__])


class HerbrandConfig(vf.TasksetConfig):  # type: ignore[misc, unused-ignore]
    """The problems, and the options of `herbrand.text.make`."""

    id: str = TASKSET
    domain: str = "blocks"
    problem: str | list[str] | None = None
    split: Literal["train", "test"] | None = None
    seeds: int = 1
    """The number of tasks of each problem, with the seeds from 0."""
    steps: int = 100
    show_actions: bool = True
    show_domain: bool | None = None
    wording: str | None = None
    observe: Literal["state", "changes", "both"] = "state"
    rewards: dict[str, float] | None = None


class HerbrandData(vf.TaskData):  # type: ignore[misc, unused-ignore]
    """A problem and a seed."""

    options: dict[str, Any]
    """The arguments of `herbrand.text.make`."""
    index: int
    """The index of the problem."""
    seed: int


class HerbrandTask(vf.Task[HerbrandData]):  # type: ignore[misc, unused-ignore]
    """An episode to play."""


class HerbrandEnvConfig(vf.EnvConfig):  # type: ignore[misc, unused-ignore]
    """The configuration of `HerbrandEnv`: the agent that plays is ``player``."""

    player: vf.AgentConfig = vf.AgentConfig()


class HerbrandEnv(vf.Env[HerbrandEnvConfig]):  # type: ignore[misc, unused-ignore]
    """An environment in which the problem plays the user."""

    async def run(self, task: Any, agents: Any) -> None:
        """Plays an episode: the prompt of the task is the first text, and each step is a turn."""
        data = task.data
        env = TextEnv(**data.options)
        env.reset(data.seed, data.index)
        total, info, faults = 0.0, None, 0
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                text, reward, terminated, truncated, info = env.step(segment.last_reply)
                total += reward
                faults += info["fault"] is not None
                if terminated or truncated:
                    break
                segment = await interaction.turn(text)
        trace = interaction.trace
        trace.record_reward("herbrand_reward", total, 1.0)
        trace.record_metric("goal", float(info is not None and info["status"] == "goal"))
        trace.record_metric("answers", float(0 if info is None else info["answers"]))
        trace.record_metric("steps", float(0 if info is None else info["steps"]))
        trace.record_metric("faults", float(faults))


class HerbrandTaskset(vf.Taskset[HerbrandTask, HerbrandConfig]):  # type: ignore[misc, unused-ignore]
    """The problems of a domain, each with some seeds."""

    def load(self) -> Iterator[HerbrandTask]:
        """Returns the tasks in the order of the problems."""
        config = self.config
        names = ("domain", "problem", "split", "steps", "show_actions", "show_domain", "wording", "observe", "rewards")
        options = {name: getattr(config, name) for name in names}
        env = TextEnv(**options)
        for index, name in enumerate(env.problems.names):
            for seed in range(config.seeds):
                yield HerbrandTask(
                    HerbrandData(
                        name=f"{config.domain} {name}#{seed}",
                        prompt=env.reset(seed, index),
                        options=options,
                        index=index,
                        seed=seed,
                    ),
                    config.task,
                )
