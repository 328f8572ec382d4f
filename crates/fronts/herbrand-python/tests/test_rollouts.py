"""Tests of `rollouts`: a thread collects the next rollout while the caller reads the last one."""

from __future__ import annotations

import gc
import signal
import threading
from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import BaseVecEnv, Rollout
from herbrand.rollouts import Rollouts

SUITES: dict[str, dict[str, Any]] = {
    "bits": {"domain": "tireworld", "horizon": 6},
    # The problems differ in size, so rows have unused elements.
    "several": {"domain": "blocks", "horizon": 9, "split": "train"},
    "graph": {"domain": "tireworld", "horizon": 6, "observation": "graph"},
    "rddl": {"domain": "rddl/elevators", "problem": "1", "horizon": 7},
    "flat": {"domain": "rddl/cartpole-continuous", "observation": "flat", "actions": "flat", "horizon": 7},
}


def make(kind: str, **options: Any) -> BaseVecEnv:
    envs: BaseVecEnv = herbrand.make_vec(**SUITES[kind], num_envs=5, **options)
    envs.reset(seed=9)
    return envs


def flat(value: Any) -> list[Any]:
    """Returns the arrays of a field of a rollout."""
    return list(value.values()) if isinstance(value, dict) else [value]


def assert_equal(mine: Rollout, theirs: Rollout) -> None:
    for name, value in vars(mine).items():
        for one, other in zip(flat(value), flat(vars(theirs)[name]), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=name)


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("kind", SUITES)
def test_rollouts_are_those_that_are_collected_one_by_one(kind: str, mode: str, copy: bool) -> None:
    ahead, by_one = (make(kind, autoreset_mode=mode, copy=copy) for _ in range(2))
    for steps in (12, 1):
        iterator = ahead.rollouts(steps, count=6)
        for rollout in iterator:
            # The other buffer is complete before this one is read.
            if iterator._next is not None:
                iterator._next.result()
            assert_equal(rollout, by_one.collect(steps))
        assert iterator.closed
    for one, other in zip(ahead.step_sampled()[:4], by_one.step_sampled()[:4], strict=True):
        for first, second in zip(flat(one), flat(other), strict=True):
            np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("copy", [True, False])
def test_two_buffers_take_turns_unless_rollouts_belong_to_the_caller(copy: bool) -> None:
    with make("bits", copy=copy).rollouts(8, count=4) as iterator:
        first, second, third, fourth = iterator
    assert np.shares_memory(first.observations, third.observations) != copy
    assert np.shares_memory(second.actions, fourth.actions) != copy
    assert not np.shares_memory(first.observations, second.observations)


def test_environments_are_lent_until_the_iterator_ends() -> None:
    envs = make("bits")
    iterator = envs.rollouts(4)
    next(iterator)
    for use in (
        lambda: envs.reset(),
        lambda: envs.step(np.zeros(5, dtype=np.int64)),
        envs.step_sampled,
        envs.sample,
        envs.action_masks,
        lambda: envs.collect(2),
        lambda: envs.rollouts(2),
    ):
        with pytest.raises(herbrand.EpisodeError, match="close that iterator"):
            use()
    iterator.close()
    iterator.close()
    assert list(iterator) == []
    # One more rollout was begun than was taken.
    other = make("bits")
    other.collect(4)
    other.collect(4)
    np.testing.assert_array_equal(envs.step_sampled()[0], other.step_sampled()[0])


def test_leaving_a_loop_gives_the_environments_back() -> None:
    envs = make("bits")
    for _ in envs.rollouts(4):
        break
    gc.collect()
    envs.reset(seed=1)
    with pytest.raises(ZeroDivisionError), envs.rollouts(4) as iterator:
        for _ in iterator:
            raise ZeroDivisionError
    envs.reset(seed=1)
    for thread in threading.enumerate():
        if thread.name == "herbrand-rollouts":
            thread.join(60)
            assert not thread.is_alive()


def test_an_error_of_the_engine_reaches_the_caller() -> None:
    envs = herbrand.make_vec("blocks", 3)
    iterator = envs.rollouts(4)
    with pytest.raises(herbrand.EpisodeError, match="reset"):
        next(iterator)
    assert iterator.closed and list(iterator) == []
    envs.reset(seed=1)
    assert [rollout.rewards.shape for rollout in envs.rollouts(4, 2)] == [(3, 4), (3, 4)]


def test_what_cannot_be_collected_is_refused() -> None:
    envs = make("bits")
    with pytest.raises(ValueError, match="steps is 1 or more"):
        envs.rollouts(0)
    with pytest.raises(ValueError, match="count is 1 or more"):
        envs.rollouts(3, count=0)
    with pytest.raises(ValueError, match="autoreset"):
        make("bits", autoreset_mode="Disabled").rollouts(3)
    envs.reset()


def test_an_interrupt_ends_the_wait_and_loses_no_rollout() -> None:
    main, waits, go_on, done = threading.main_thread().ident, *(threading.Event() for _ in range(3))
    if threading.get_ident() != main or not hasattr(signal, "pthread_kill"):
        pytest.skip("signals reach the main thread only")
    assert main is not None
    first = make("bits").collect(1)

    def collect(number: int) -> Any:
        if number == 0:
            assert waits.wait(60)
            signal.pthread_kill(main, signal.SIGINT)
            assert go_on.wait(60)
        return first

    iterator = Rollouts(collect, 2, done.set)
    # Background processes of a shell ignore Ctrl-C, and the tests may run as one.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            waits.set()
            next(iterator)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not iterator.closed
    go_on.set()
    assert len(list(iterator)) == 2 and iterator.closed and done.is_set()


def test_an_interrupt_while_a_thread_starts_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: threading.Thread) -> None:
        raise KeyboardInterrupt

    envs = make("bits")
    iterator = envs.rollouts(4)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(iterator)
    assert list(iterator) == [] and iterator.closed
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            make("bits").rollouts(4)
    envs.reset(seed=1)


def test_closing_waits_for_the_steps_in_progress() -> None:
    rollout, go_on, order = make("bits").collect(1), threading.Event(), list[str]()

    def collect(number: int) -> Rollout:
        assert go_on.wait(60)
        order.append("collected")
        return rollout

    iterator = Rollouts(collect, None, lambda: order.append("done"))
    threading.Timer(0.05, go_on.set).start()
    iterator.close()
    assert order == ["collected", "done"]
