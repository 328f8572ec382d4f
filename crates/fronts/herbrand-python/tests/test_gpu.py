"""Environments on a GPU, run by a CUDA driver on the CPU."""

from __future__ import annotations

import pickle
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand.gpu import GpuArray, GpuEnvs, GpuError, GpuRows, unpack

from gpu_driver import NAME, Driver, OnHost, has_library, outcome, view, write


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    if platform.system() != "Linux" or not shutil.which("cc"):
        pytest.skip("the driver of the tests is made by a C compiler (cc) on Linux")
    return Driver(tmp_path_factory.mktemp("driver"))


@pytest.fixture
def driver(libraries: Driver) -> Driver:
    """The loaded driver."""
    libraries.load()
    return libraries


def test_a_machine_without_the_driver_says_so() -> None:
    if has_library("libcuda.so"):
        pytest.skip("this machine has a CUDA driver")
    found = outcome([])
    assert found.startswith("driver: the CUDA driver (libcuda) cannot be loaded: install the driver of an NVIDIA GPU")
    assert "`sliced`" in found


def test_a_machine_without_the_compiler_says_so(libraries: Driver) -> None:
    if has_library("libnvrtc.so"):
        pytest.skip("this machine has NVRTC")
    found = outcome([libraries.folder / "cuda"])
    assert found.startswith("compiler: the CUDA compiler (libnvrtc) cannot be loaded: install the CUDA toolkit")


def test_a_machine_without_a_gpu_says_so(libraries: Driver) -> None:
    both = [libraries.folder / "cuda", libraries.folder / "nvrtc"]
    assert outcome(both) == "created"
    assert outcome(both, HERBRAND_GPUS="0").startswith("device: there is no GPU 0: the CUDA driver lists 0")


def test_walks_on_the_gpu_of_this_machine_are_those_on_the_cpu() -> None:
    script = Path(__file__).with_name("gpu_walk.py")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found = run.stdout.strip()
    if found != "the same":
        pytest.skip(f"no environments on a GPU here: {found}")


def test_faults_of_the_gpu_have_causes(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def cause() -> str:
        with pytest.raises(GpuError) as caught:
            GpuEnvs("blocks", 40, problem="train/01")
        assert pickle.loads(pickle.dumps(caught.value)).cause == caught.value.cause
        assert driver.live_bytes() == 0
        return f"{caught.value.cause}: {caught.value}"

    with pytest.raises(GpuError, match="there is no GPU 1: the CUDA driver lists 1"):
        GpuEnvs("blocks", 40, problem="train/01", device=1)
    for name, value, expected in (
        ("HERBRAND_GPU_FREE", "1000", "memory: the environments need"),
        ("HERBRAND_NVRTC_FAULT", "1", "kernel: the CUDA compiler refused the kernel: a fault of a test"),
        ("HERBRAND_GPU_FAULT", "cuMemAlloc", "call: allocating the environments failed on the GPU"),
        ("HERBRAND_GPU_FAULT", "cuModuleLoadData", "call: loading the kernel failed on the GPU"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert cause().startswith(expected)
    with pytest.raises(herbrand.LimitError):
        GpuEnvs("blocks", 1 << 20, problem="train/01", limits={"memory": "40MB"})
    with pytest.raises(GpuError, match="2\\^32") as caught:
        GpuEnvs("blocks", 2**32 - 3, problem="train/01")
    assert caught.value.cause == "size"
    envs = GpuEnvs("blocks", 40, problem="train/01")
    envs.reset(seed=1)
    for fault, call in (("cuLaunchKernel", envs.step_sampled), ("cuMemcpyDtoH", envs.read), ("cuMemcpyHtoD", envs.reset)):
        with monkeypatch.context() as patch, pytest.raises(GpuError) as caught:
            patch.setenv("HERBRAND_GPU_FAULT", fault)
            call()
        assert caught.value.cause == "call"
    envs.step_sampled()


def test_problems_that_do_not_fit_need_no_gpu_to_say_so() -> None:
    numbers = """
(define (domain count) (:requirements :numeric-fluents) (:functions (n))
  (:action up :precondition (< (n) 5) :effect (increase (n) 1)))
"""
    problem = "(define (problem p) (:domain count) (:init (= (n) 0)) (:goal (>= (n) 3)))"
    with pytest.raises(GpuError, match="numbers") as caught:
        GpuEnvs(numbers, problem=problem)
    assert caught.value.cause == "task"
    with pytest.raises(ValueError, match="one problem, not .*problem= one of 'test/01'|one of 'train/01'"):
        GpuEnvs("blocks")
    with pytest.raises(TypeError, match="horizon"):
        GpuEnvs("blocks", problem="train/01", horizons=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="num_envs is 1 or more"):
        GpuEnvs("blocks", 0, problem="train/01")


CASES = [
    ("blocks", "train/01", {}),
    ("tireworld", "train/01", {"horizon": 20}),
    ("blocks-derived", None, {"horizon": 15, "autoreset_mode": "SameStep"}),
    ("sokoban", "train/01", {"horizon": 9, "through_goals": True}),
    # With the horizon of the domain, 50 steps.
    ("coin-collector", None, {"through_goals": True, "dead_end_terminates": False}),
    # With auxiliary atoms, and with derived atoms that no condition reads.
    ("fridge", None, {"horizon": 12}),
    ("philosophers", None, {"horizon": 12}),
    ("supply", None, {"horizon": 12}),
    ("maze-reachability", None, {"horizon": 12}),
    ("river", "train/01", {"horizon": 30, "dead_end_terminates": False, "autoreset_mode": "SameStep"}),
]


@pytest.mark.parametrize("domain, problem, options", CASES, ids=[case[0] for case in CASES])
def test_environments_are_those_of_a_vec_env(driver: Driver, domain: str, problem: str | None, options: Any) -> None:
    count = 70
    one = problem or herbrand.suite(domain).problem_names[0]
    envs = GpuEnvs(domain, count, problem=one, **options)
    twins = herbrand.VecEnv(domain, count, problem=one, operators=True, engine="grounded", part="changing", **options)
    shown = [index for index, atom in enumerate(envs.atoms) if atom is not None]
    assert [str(envs.atoms[index]) for index in shown] == [str(atom) for atom in envs.task.ground_atoms[: len(shown)]]
    random = np.random.default_rng(3)
    arrays = {name: getattr(envs, name) for name in ("rewards", "actions", "states", "valid", "goal", "terminated")}
    views = {name: view(array) for name, array in arrays.items()}

    def check(seen: Any, infos: Any) -> GpuRows:
        rows = envs.read()
        np.testing.assert_array_equal(rows.states[:, shown], seen != 0)
        np.testing.assert_array_equal(rows.action_mask, infos["action_mask"] != 0)
        np.testing.assert_array_equal(rows.goal, infos["goal"])
        np.testing.assert_array_equal(rows.dead_end, infos["dead_end"])
        # The arrays that were given away once show the present contents.
        np.testing.assert_array_equal(unpack(views["states"], count), rows.states)
        np.testing.assert_array_equal(unpack(views["valid"], count), rows.action_mask)
        np.testing.assert_array_equal(unpack(views["goal"], count)[:, 0], rows.goal)
        np.testing.assert_array_equal(unpack(views["terminated"], count)[:, 0], rows.terminations)
        np.testing.assert_array_equal(views["rewards"], rows.rewards)
        np.testing.assert_array_equal(views["actions"], rows.actions)
        return rows

    envs.reset(seed=5)
    rows = check(*twins.reset(seed=5))
    ended = 0
    for turn in range(60):
        if turn % 3 == 0:
            envs.step_sampled()
            seen, rewards, terminated, truncated, infos = twins.step_sampled()
        else:
            # Mostly valid operators, and some others.
            actions = np.array([random.choice(np.flatnonzero(row)) if row.any() else 0 for row in rows.action_mask])
            actions = np.where(random.random(count) < 0.8, actions, random.integers(len(envs.operators), size=count))
            if turn % 3 == 1:
                envs.step(actions)
            else:
                write(envs.actions, actions)
                envs.step_written()
            seen, rewards, terminated, truncated, infos = twins.step(actions)
        rows = check(seen, infos)
        np.testing.assert_array_equal(rows.rewards, rewards)
        np.testing.assert_array_equal(rows.terminations, terminated)
        np.testing.assert_array_equal(rows.truncations, truncated)
        same_step = options.get("autoreset_mode") == "SameStep"
        stepped = infos["_applied"] & ~((terminated | truncated) & same_step)
        np.testing.assert_array_equal(rows.applied[stepped], infos["applied"][stepped])
        assert not rows.applied[~stepped].any()
        if turn % 3 == 0:
            taken = infos["_action"] & infos["applied"]
            np.testing.assert_array_equal(rows.actions[taken], infos["action"][taken])
        ended += int((terminated | truncated).sum())
    assert ended > 0 or not options


def test_some_environments_begin_again(driver: Driver) -> None:
    envs = GpuEnvs("sokoban", 40, problem="train/01", horizon=5, through_goals=True, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(7):
        envs.step_sampled()
    assert envs.read().over.all() and (envs.read().elapsed == 5).all()
    mask = np.arange(40) % 3 == 0
    envs.reset(mask=mask)
    rows = envs.read()
    np.testing.assert_array_equal(rows.over, ~mask)
    np.testing.assert_array_equal(rows.elapsed, np.where(mask, 0, 5))
    for bad, error in ((mask[:-1], ValueError), (mask.astype(int), TypeError), (np.array(True), ValueError)):
        with pytest.raises(error, match="mask"):
            envs.reset(mask=bad)
    with pytest.raises(ValueError, match="without a seed"):
        envs.reset(seed=1, mask=mask)


def test_operators_and_atoms_have_names(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 2, problem="train/01")
    envs.reset(seed=1)
    rows = envs.read()
    names = [operator for operator, valid in zip(envs.operators, rows.action_mask[0], strict=True) if valid]
    state = envs.task.state(atom for atom, holds in zip(envs.atoms, rows.states[0], strict=True) if holds and atom)
    assert names == envs.task.valid_actions(state) and state == envs.task.initial_state
    for number in (0, 3, len(envs.operators) - 1):
        assert envs.operator_number(envs.operators[number]) == number
        assert envs.operator_number(str(envs.operators[number])) == number
    with pytest.raises(herbrand.UnknownNameError):
        envs.operator_number("(fly a b)")
    assert repr(envs) == "<GpuEnvs blocks train/01: 2 on GPU 0>"
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(envs)


def test_arrays_are_described(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 70, problem="train/01")
    atoms, operators = len(envs.atoms), len(envs.operators)
    for name, shape in (("states", (atoms, 3)), ("valid", (operators, 3)), ("rewards", (70,)), ("actions", (70,)), ("over", (1, 3))):
        array = getattr(envs, name)
        assert isinstance(array, GpuArray) and array.shape == shape
        assert array.dtype == ("float64" if name == "rewards" else "int32")
        assert array.__dlpack_device__() == (2, 0)
        assert view(array).shape == shape and view(array).dtype == array.dtype
    assert repr(envs.rewards) == "<GpuArray float64 [70] on GPU 0>"


def test_memory_lives_as_long_as_its_last_user(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 40, problem="train/01")
    envs.reset(seed=1)
    size = driver.live_bytes()
    users = [envs.rewards.__dlpack__(), view(envs.states), view(envs.states)]
    expected = users[-1].copy()
    del envs
    while users:
        # If one user gave the memory back twice, it would be freed below the others.
        assert driver.live_bytes() == size
        np.testing.assert_array_equal(users[-1], expected)
        del users[0]
    assert driver.live_bytes() == 0


def test_a_capsule_that_nobody_takes_is_given_back(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 40, problem="train/01")
    capsule = envs.rewards.__dlpack__()
    assert NAME(capsule) == b"dltensor"
    envs.close()
    assert driver.live_bytes() > 0
    del capsule
    assert driver.live_bytes() == 0


def test_a_capsule_is_taken_once(driver: Driver) -> None:
    class Capsule:
        def __init__(self, given: Any) -> None:
            self.given = given

        def __dlpack__(self, **_: Any) -> Any:
            return self.given

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    envs = GpuEnvs("blocks", 40, problem="train/01")
    given = Capsule(OnHost(envs.rewards).__dlpack__())
    taken: Any = np.from_dlpack(given)
    assert NAME(given.given) == b"used_dltensor"
    with pytest.raises((ValueError, BufferError)):
        np.from_dlpack(given)
    envs.close()
    # The capsule has nothing to give back: the memory is that of `taken`.
    del given
    assert driver.live_bytes() > 0 and (taken == 0).all()
    del taken
    assert driver.live_bytes() == 0


def test_libraries_without_a_gpu_refuse_the_array(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 40, problem="train/01")
    with pytest.raises((BufferError, RuntimeError, ValueError)):
        np.from_dlpack(envs.rewards)
    with pytest.raises(BufferError, match=r"on device \(2, 0\), not on \(1, 0\): GpuEnvs.read\(\)"):
        envs.rewards.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="without a copy"):
        envs.rewards.__dlpack__(copy=True)
    capsule = envs.rewards.__dlpack__(stream=None, max_version=(1, 1), dl_device=(2, 0), copy=False)
    assert NAME(capsule) == b"dltensor"
    del capsule
    envs.close()
    assert driver.live_bytes() == 0


def test_streams_wait_for_the_environments_and_the_other_way_round(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 40, problem="train/01")
    envs.reset(seed=1)
    rewards = envs.rewards
    for stream in (None, 1, -1):
        assert driver.journal(partial(rewards.__dlpack__, stream=stream)) == []
    for stream in (2, 0x7654_3210):
        calls = driver.journal(partial(rewards.__dlpack__, stream=stream))
        assert calls == ["record (nil)", f"wait {stream:#x}"]
    for bad in (0, -2, -(2**63)):
        with pytest.raises(ValueError, match="stream"):
            rewards.__dlpack__(stream=bad)
    for other in ("1", 1.5, 2**64):
        with pytest.raises((TypeError, OverflowError)):
            rewards.__dlpack__(stream=other)  # type: ignore[arg-type]
    assert driver.journal(partial(envs.step_written, stream=0x77)) == ["record 0x77", "wait (nil)", "launch (nil)"]
    # PyTorch's handle of the default stream is 0.
    for same in (None, 0, 1):
        assert driver.journal(partial(envs.step_written, stream=same)) == ["launch (nil)"]
    with pytest.raises(ValueError, match="stream"):
        envs.step_written(stream=-5)


def test_wrong_actions_and_seeds_are_refused(driver: Driver) -> None:
    envs = GpuEnvs("blocks", 40, problem="train/01")
    for call in (envs.reset, envs.step_sampled, envs.step_written, lambda: envs.step(np.zeros(40, dtype=int))):
        with pytest.raises(herbrand.EpisodeError, match="no seed yet"):
            call()
    envs.reset(seed=2**64 - 1)
    for seed, fault in ((-1, ValueError), (2**64, ValueError), ("1", TypeError), (1.0, TypeError)):
        with pytest.raises(fault, match="seed is an int from 0"):
            envs.reset(seed=seed)  # type: ignore[arg-type]
    envs.reset(seed=np.int64(3))  # type: ignore[arg-type]
    before = envs.read()
    operators = len(envs.operators)
    for actions, error in (
        (np.zeros(39, dtype=int), ValueError),
        (np.zeros((40, 1), dtype=int), ValueError),
        (0, ValueError),
        (np.zeros(40), TypeError),
        (np.full(40, -1), herbrand.UnknownNameError),
        (np.full(40, operators), herbrand.UnknownNameError),
        (np.full(40, 2**32), herbrand.UnknownNameError),
        (envs.actions, TypeError),
    ):
        with pytest.raises(error, match="actions|operator"):
            envs.step(actions)  # type: ignore[arg-type]
    # Operators that do not exist, written on the GPU, change nothing.
    write(envs.actions, np.full(40, -1))
    envs.step_written()
    after = envs.read()
    assert not after.applied.any() and (after.states == before.states).all() and (after.elapsed == 1).all()
    envs.step([0] * 40)


def test_closed_environments_say_so(driver: Driver) -> None:
    with GpuEnvs("blocks", 40, problem="train/01") as envs:
        envs.reset(seed=1)
        array, taken = envs.states, view(envs.states)
        expected = taken.copy()
    calls: list[Callable[[], Any]] = [
        envs.reset,
        envs.step_sampled,
        envs.step_written,
        envs.read,
        array.__dlpack__,
        lambda: envs.step(np.zeros(40, dtype=int)),
        lambda: envs.rewards,
    ]
    for call in calls:
        with pytest.raises(GpuError, match="closed") as caught:
            call()
        assert caught.value.cause == "closed"
    envs.close()
    assert array.shape == taken.shape
    np.testing.assert_array_equal(taken, expected)
    del taken
    assert driver.live_bytes() == 0


def test_every_thread_may_call_and_drop_environments(driver: Driver) -> None:
    # The driver wants the context current on the thread of each call.
    made: list[Any] = []
    faults: list[BaseException] = []

    def on_thread(work: Callable[[], Any]) -> None:
        def caught() -> None:
            try:
                work()
            except BaseException as error:
                faults.append(error)

        thread = threading.Thread(target=caught)
        thread.start()
        thread.join()
        assert not faults, faults

    on_thread(lambda: made.append(GpuEnvs("blocks", 40, problem="train/01")))
    on_thread(lambda: made[0].reset(seed=1))
    on_thread(lambda: made[0].step(np.zeros(40, dtype=int)))
    on_thread(lambda: made[0].step_sampled())
    on_thread(lambda: made.append(made[0].read()))
    on_thread(lambda: made.append(view(made[0].states)))
    assert driver.live_bytes() > 0
    on_thread(made.clear)
    assert driver.live_bytes() == 0
    # Calls from several threads run one after another.
    envs = GpuEnvs("blocks", 40, problem="train/01", autoreset_mode="Disabled", horizon=None, through_goals=True)
    envs.reset(seed=1)

    def walk() -> None:
        for _ in range(50):
            envs.step_sampled()

    threads = [threading.Thread(target=walk) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (envs.read().elapsed == 200).all()


def test_planes_become_rows() -> None:
    random = np.random.default_rng(1)
    for count in (1, 31, 32, 33, 70):
        words = -(-count // 32)
        planes = random.integers(0, 2**32, size=(5, words), dtype=np.uint32)
        expected = [[bool(plane[i // 32] >> np.uint32(i % 32) & np.uint32(1)) for plane in planes] for i in range(count)]
        for form in (planes, planes.view(np.int32), np.asfortranarray(planes), np.repeat(planes, 2, axis=1)[:, ::2]):
            rows = unpack(form, count)
            assert rows.dtype == np.bool_ and rows.shape == (count, 5)
            np.testing.assert_array_equal(rows, expected)
    assert unpack(np.zeros((0, 2), dtype=np.int32), 40).shape == (40, 0)
    with pytest.raises(ValueError, match=r"shape \(planes, 2\), not \(5, 3\)"):
        unpack(np.zeros((5, 3), dtype=np.int32), 40)
    with pytest.raises(ValueError, match="shape"):
        unpack(np.zeros(2, dtype=np.int32), 40)
    with pytest.raises(TypeError, match="int64"):
        unpack(np.zeros((5, 2), dtype=np.int64), 40)


def test_torch_shares_the_memory(driver: Driver) -> None:
    torch = pytest.importorskip("torch")
    envs = GpuEnvs("blocks", 70, problem="train/01", horizon=None, through_goals=True)
    envs.reset(seed=1)
    states, actions = (torch.from_dlpack(OnHost(array)) for array in (envs.states, envs.actions))
    assert states.dtype == torch.int32 and tuple(states.shape) == envs.states.shape
    valid = torch.from_dlpack(OnHost(envs.valid))
    for _ in range(5):
        bits = (valid.unsqueeze(2) >> torch.arange(32, dtype=torch.int32)) & 1
        rows = bits.reshape(len(envs.operators), -1)[:, :70].T
        np.testing.assert_array_equal(rows.numpy() != 0, envs.read().action_mask)
        actions.copy_(torch.multinomial(rows.float(), 1).squeeze(1))
        envs.step_written()
        assert envs.read().applied.all()
    expected = states.clone()
    del envs, actions, valid
    assert driver.live_bytes() > 0 and torch.equal(states, expected)
    del states
    assert driver.live_bytes() == 0


def test_jax_reads_the_memory(driver: Driver) -> None:
    jax = pytest.importorskip("jax")
    envs = GpuEnvs("blocks", 70, problem="train/01")
    envs.reset(seed=1)
    for name in ("states", "valid", "actions"):
        np.testing.assert_array_equal(jax.dlpack.from_dlpack(OnHost(getattr(envs, name))), view(getattr(envs, name)))
