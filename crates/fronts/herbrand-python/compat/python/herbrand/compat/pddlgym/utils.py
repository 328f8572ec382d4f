"""PDDLGym's utilities: combinations of objects, and demonstration runs."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .._files import whole
from .core import PDDLEnv
from .entities import Type, TypedEntity
from .literals import Literal
from .structs import State

__all__ = ["get_object_combinations", "nostdout", "run_demo"]


def get_object_combinations(
    objects: Iterable[TypedEntity],
    arity: int,
    var_types: Sequence[Type] | None = None,
    type_to_parent_types: Mapping[Type, set[Type]] | None = None,
    allow_duplicates: bool = False,
) -> Iterator[tuple[TypedEntity, ...]]:
    """Yields all tuples of objects with matching types, ordered by name.

    Parameters
    ----------
    objects : iterable of TypedEntity
    arity : int
        The length of the tuples.
    var_types : sequence of Type, optional
    type_to_parent_types : mapping from Type to set of Type, optional
        Maps each type to itself and all its supertypes.
    allow_duplicates : bool
        Whether a tuple may contain an object twice.
    """
    ordered = sorted(objects)
    if var_types is None:
        choices = [ordered] * arity
    else:
        assert len(var_types) == arity
        above = type_to_parent_types or {}
        choices = [[o for o in ordered if type in above.get(o.var_type, {o.var_type})] for type in var_types]
    for choice in itertools.product(*choices):
        if allow_duplicates or len(set(choice)) == len(choice):
            yield choice


def run_demo(
    env: PDDLEnv,
    policy: Callable[[State], Literal],
    max_num_steps: int = 10,
    render: bool = False,
    video_path: str | None = None,
    fps: int = 3,
    verbose: bool = False,
    seed: int | None = None,
    check_reward: bool = False,
) -> float:
    """Runs an episode by a policy, and returns the sum of its rewards.

    Parameters
    ----------
    env : PDDLEnv
    policy : function from State to Literal
    max_num_steps : int
    render : bool
        Whether each state is rendered.
    video_path : str, optional
        The path of the pictures; needs the package ``imageio``, and ``imageio-ffmpeg`` for videos.
    fps : int
        Pictures per second.
    verbose : bool
        Whether states, actions and rewards are printed.
    seed : int, optional
    check_reward : bool
        Whether to raise an error if the episode has no reward.
    """
    say: Callable[..., None] = print if verbose else _silent
    if seed is not None:
        env.seed(seed)
    obs, _ = env.reset()
    images, total = [], 0.0
    for _ in range(max_num_steps):
        say("Obs:", obs)
        if render:
            images.append(env.render())
        action = policy(obs)
        say("Act:", action)
        obs, reward, done, _, _ = env.step(action)
        total += reward
        say("Rew:", reward)
        if done:
            break
    say("Final obs:", obs)
    if render:
        images.append(env.render())
        if video_path is not None:
            _write_video(video_path, images, fps)
    env.close()
    assert not check_reward or total > 0
    return total


def _silent(*parts: object) -> None:
    pass


def _write_video(path: str, images: list[Any], fps: int) -> None:
    if any(isinstance(image, str) for image in images):
        raise NotImplementedError("this environment renders text, and a video needs pictures")
    import imageio  # type: ignore[import-not-found,unused-ignore]

    with whole(path) as beside:
        imageio.mimwrite(beside, images, fps=fps)


@contextlib.contextmanager
def nostdout() -> Iterator[None]:
    """Suppresses printing inside a ``with`` block."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
