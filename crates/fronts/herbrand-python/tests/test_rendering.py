"""Tests of pictures: render modes, Gymnasium's wrappers, pixel observations, notebooks."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import herbrand
from herbrand import rendering


def is_picture(picture: Any) -> bool:
    """Returns whether it is an RGB array with more than two colours."""
    is_rgb = isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.shape[2:] == (3,)
    return is_rgb and len(np.unique(picture.reshape(-1, 3), axis=0)) > 2


@pytest.mark.parametrize("name", ["sokoban", "blocks", "logistics", "rddl/cartpole-discrete", "rddl/game-of-life-mdp"])
def test_every_mode_shows_the_state(name: str) -> None:
    for mode in ("svg", "rgb_array", "rgb_array_list"):
        env = herbrand.make(name, 0, render_mode=mode)
        env.reset(seed=1)
        first = env.render()
        env.step(env.sample())
        second = env.render()
        if mode == "svg":
            assert first.startswith("<svg") and second.startswith("<svg")
            assert env._repr_svg_() == second
        elif mode == "rgb_array":
            assert is_picture(first) and first.shape == second.shape
        else:
            assert len(first) == len(second) == 1 and is_picture(first[0])
            env.step(env.sample())
            env.reset(seed=2)
            assert len(env.render()) == 2


def test_pictures_are_as_large_in_all_states_of_an_episode() -> None:
    env = herbrand.make("logistics", "test/01", through_goals=True, render_mode="rgb_array")
    env.reset(seed=1)
    shapes = set()
    for _ in range(20):
        shapes.add(env.render().shape)
        env.step(env.sample())
    assert len(shapes) == 1
    sized = herbrand.make("sokoban", render_mode="rgb_array", render_size=(90, 120))
    sized.reset(seed=1)
    assert sized.render().shape == (90, 120, 3)


def test_a_step_is_seen() -> None:
    env = herbrand.make("sokoban", "train/03", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert np.array_equal(before, env.render())
    env.step(env.sample())
    assert not np.array_equal(before, env.render())


def test_a_renderer_of_ones_own() -> None:
    seen: list[Any] = []

    def draw(state: Any) -> Any:
        seen.append(state)
        return np.full((4, 6, 4), [10, 20, 30, 255], dtype=np.uint8)

    env = herbrand.make("blocks", 0, render_mode="rgb_array", renderer=draw)
    env.reset(seed=1)
    assert env.render().tolist() == np.full((4, 6, 3), [10, 20, 30]).tolist()
    assert seen == [env.state]
    bad = herbrand.make("blocks", 0, render_mode="rgb_array", renderer=lambda state: np.zeros(3))
    bad.reset(seed=1)
    with pytest.raises(ValueError, match="height, width, 3"):
        bad.render()


def test_environments_that_draw_are_copied_and_pickled() -> None:
    env = herbrand.make("sokoban", "train/03", render_mode="rgb_array_list")
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert len(other.render()) == 1
        other.step(other.sample())
        assert len(other.render()) == 1


def test_videos_are_recorded(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    env = gymnasium.make("herbrand/Sokoban-v0", render_mode="rgb_array")
    recorded = gymnasium.wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    recorded.reset(seed=1)
    for _ in range(5):
        recorded.step(recorded.unwrapped.sample())  # type: ignore[attr-defined]
    recorded.close()  # type: ignore[no-untyped-call]
    films = list(tmp_path.glob("*.mp4"))
    assert len(films) == 1 and films[0].stat().st_size > 0


@pytest.fixture()
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes windows invisible."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def test_a_window_shows_every_state(no_screen: None, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    shown: list[Any] = []
    show = rendering.PygameWindow.show

    def shown_too(window: rendering.PygameWindow, picture: Any) -> None:
        shown.append(picture)
        show(window, picture)

    monkeypatch.setattr(rendering.PygameWindow, "show", shown_too)
    env = herbrand.make("sokoban", "train/03", render_mode="human")
    env.reset(seed=1)
    env.step(env.sample())
    assert env.render() is None
    assert len(shown) == 3 and all(map(is_picture, shown))
    env.close()


def test_human_rendering_wraps(no_screen: None) -> None:
    pytest.importorskip("pygame")
    env = gymnasium.wrappers.HumanRendering(herbrand.make("sokoban", "train/03", render_mode="rgb_array"))
    env.reset(seed=1)
    env.step(0)
    env.close()  # type: ignore[no-untyped-call]


class Cv:
    """A stand-in for the used part of OpenCV, which orders colour channels differently."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.closed: list[str] = []

    def imshow(self, title: str, picture: Any) -> None:
        self.shown.append(picture)

    def waitKey(self, milliseconds: int) -> None:  # noqa: N802
        assert milliseconds >= 1

    def destroyWindow(self, title: str) -> None:  # noqa: N802
        self.closed.append(title)


def test_opencv_shows_every_state_where_there_is_no_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    cv = Cv()
    monkeypatch.setitem(sys.modules, "pygame", None)
    monkeypatch.setitem(sys.modules, "cv2", cv)
    env = herbrand.make("sokoban", "train/03", render_mode="human")
    env.reset(seed=1)
    env.step(env.sample())
    expected = env.state.image(cv.shown[-1].shape[:2])
    env.close()
    assert len(cv.shown) == 2 and np.array_equal(cv.shown[-1][..., ::-1], expected)
    assert len(cv.closed) == 1


def test_without_a_library_for_windows_an_error_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(gymnasium.error.DependencyNotInstalled, match="pip install pygame"):
        herbrand.make("sokoban", render_mode="human")


def test_pixels_are_observed() -> None:
    env = herbrand.make("sokoban", "train/03", observation="pixels")
    assert env.observation_space == gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    first, _ = env.reset(seed=1)
    assert is_picture(first) and env.observation_space.contains(first)
    second = env.step(env.sample())[0]
    assert not np.array_equal(first, second)
    wide = herbrand.make("logistics", 0, observation="pixels", pixels=(40, 70))
    assert wide.reset(seed=1)[0].shape == (40, 70, 3)
    with pytest.raises(ValueError, match=r"not \(5, 0\)"):
        herbrand.make("sokoban", observation="pixels", pixels=(5, 0))
    with pytest.raises(herbrand.HerbrandError, match="grounded"):
        herbrand.make("sokoban", observation="pixels", engine="lifted")


# The reasons why different states may look the same.
_PARTLY_OBSERVED = "pixels show what the agent observes"
_NUMBERS = "a number changes by less than a pixel or a digit"
_ALIKE = {"rddl/fire-fighting": _NUMBERS, "rddl/mountain-car": _NUMBERS, "rddl/racing-car": _NUMBERS} | {
    f"rddl/{name}-pomdp": _PARTLY_OBSERVED
    for name in ("academic-advising", "crossing-traffic", "elevators", "game-of-life", "navigation", "skill-teaching")
    + ("sysadmin", "tamarisk", "wildfire")
}


@pytest.mark.parametrize(
    "name", sorted({*herbrand.bundled_domains(), *herbrand.RddlSuite.bundled_names()} - _ALIKE.keys())
)
def test_different_states_have_different_pixels(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env: Any = herbrand.make(name, 0, observation="pixels", horizon=40)
    states: dict[bytes, Any] = {}
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            state = sorted((fact, arguments, str(value)) for kind, fact, arguments, value in env.facts() if kind == "fluent")
            assert states.setdefault(observation.tobytes(), state) == state
            observation, _, terminated, truncated, _ = env.step(env.sample())
            over = terminated or truncated


def test_a_carried_person_looks_like_no_other() -> None:
    env: Any = herbrand.make("search-and-rescue-6", "train/01", observation="pixels")
    env.reset(seed=1)
    pictures = []
    for carried, there in (("person-2", "person-3"), ("person-3", "person-2")):
        moved = {"(hand-free)", "(robot-at r4c1)", "(person-at person-2 r1c4)", "(person-at person-3 r2c5)"}
        atoms = {str(atom) for atom in env.task.initial_state} - moved
        atoms |= {f"(carrying {carried})", f"(person-at {there} r2c5)", "(robot-at r2c5)"}
        pictures.append(env.set_state(env.task.state(atoms))[0].tobytes())
    assert pictures[0] != pictures[1]


def test_batches_observe_the_same_pixels() -> None:
    envs = herbrand.make_vec("sokoban", num_envs=3, observation="pixels", threads=2)
    singles = [herbrand.make("sokoban", observation="pixels") for _ in range(3)]
    seen, _ = envs.reset(seed=4)
    assert seen.shape == (3, 64, 64, 3) and seen.dtype == np.uint8
    for index, env in enumerate(singles):
        assert np.array_equal(seen[index], env.reset(seed=4 + index)[0])
    for _ in range(5):
        seen = envs.step([0, 1, 2])[0]
        for index, env in enumerate(singles):
            assert np.array_equal(seen[index], env.step(index)[0])


@pytest.mark.parametrize("name", ["rddl/wildfire-mdp", "rddl/sysadmin-pomdp", "rddl/cartpole-discrete"])
@pytest.mark.parametrize("actions", ["dict", "joint"])
def test_pixels_of_rddl_are_observed(name: str, actions: Any) -> None:
    options: dict[str, Any] = {"actions": actions, "observation": "pixels", "pixels": (40, 50), "horizon": 4}
    env = herbrand.make(name, **options)
    assert env.observation_space == gymnasium.spaces.Box(0, 255, (40, 50, 3), np.uint8)
    first, _ = env.reset(seed=3)
    assert is_picture(first) and env.observation_space.contains(first)
    envs = herbrand.make_vec(name, num_envs=3, threads=2, **options)
    seen, _ = envs.reset(seed=3)
    assert envs.single_observation_space == env.observation_space
    singles = [copy.deepcopy(env) if index == 0 else herbrand.make(name, **options) for index in range(3)]
    frames = [env.reset(seed=3 + index)[0] for index, env in enumerate(singles)]
    over = [False] * 3
    for _ in range(7):
        assert np.array_equal(seen, frames)
        for index, env in enumerate(singles):
            if over[index]:
                frames[index], over[index] = env.reset()[0], False
            else:
                frames[index], _, terminated, truncated, _ = env.step(env.sample())
                over[index] = terminated or truncated
        seen = envs.step(envs.unwrapped.sample())[0]
    again = pickle.loads(pickle.dumps(singles[0]))
    assert again.observation_space == env.observation_space


def test_modes_of_rddl_that_there_are_not() -> None:
    with pytest.raises(ValueError, match="'dict', 'flat' or 'pixels', not 'bits'"):
        herbrand.make("rddl/elevators", observation="bits")
    with pytest.raises(ValueError, match=r"not \(5, 0\)"):
        herbrand.make("rddl/elevators", observation="pixels", pixels=(5, 0))


def test_states_tasks_and_suites_are_drawn_in_notebooks() -> None:
    tasks: list[Any] = [
        herbrand.load("sokoban", "train/03"),
        herbrand.load("sokoban", "train/03", engine="lifted"),
        herbrand.load("rddl/cartpole-discrete", "1"),
    ]
    for task in tasks:
        state = task.initial_state
        assert state.svg() == state._repr_svg_() == task._repr_svg_() and state.svg().startswith("<svg")
        assert state.svg("light") != state.svg("dark")
        assert is_picture(state.image()) and state.image((30, 50)).shape == (30, 50, 3)
        with pytest.raises(ValueError, match="theme"):
            state.svg("pink")
    assert tasks[0].initial_state.svg() == tasks[1].initial_state.svg()
    assert "<b>sokoban</b>" in herbrand.suite("sokoban")._repr_html_()
    assert "<svg" in herbrand.suite("rddl/cartpole-discrete")._repr_html_()


def test_tasks_without_a_declaration_are_drawn_in_a_general_way() -> None:
    suite = herbrand.suite("gripper")
    task = herbrand.Task(suite.domain, suite[0])
    assert is_picture(task.initial_state.image())


def test_pictures_of_any_kind_become_rgb() -> None:
    assert rendering.to_rgb(np.array([[0.0, 1.0]])).tolist() == [[[0] * 3, [255] * 3]]
    assert rendering.to_rgb(np.array([[[200, 100, 0, 128]]], dtype=np.uint8)).tolist() == [[[227, 177, 127]]]
    with pytest.raises(ValueError, match="shape"):
        rendering.to_rgb(np.zeros((2, 2, 5)))


def test_what_is_around_the_agent_is_drawn() -> None:
    state = herbrand.load("sokoban", "train/03").initial_state
    near = state.image(egocentric=True)
    assert is_picture(near) and near.shape[0] == near.shape[1]
    assert state.svg(egocentric=True) != state.svg()
    with pytest.raises(ValueError, match="eye"):
        herbrand.load("blocks", 0).initial_state.image(egocentric=True)


@pytest.mark.parametrize("engine", ["grounded", "lifted"])
def test_a_task_that_was_pickled_is_drawn_as_before(engine: Any) -> None:
    settings = 'description = "x"\n[render]\nboxes = { of = ["room"] }\nlayer = [{ fact = "robot-in", shape = "star" }]'
    suite = herbrand.suite("gripper")
    kind: Any = herbrand.Task if engine == "grounded" else herbrand.LiftedTask
    own = kind(suite.domain, suite[0], settings=settings, title="a robot")
    for task in [herbrand.load("gripper", 0, engine=engine), own]:
        again = pickle.loads(pickle.dumps(task))
        assert again == task
        assert (again.settings, again.title) == (task.settings, task.title)
        assert again.initial_state.svg() == task.initial_state.svg()
        state = pickle.loads(pickle.dumps(task.initial_state))
        assert state.svg() == task.initial_state.svg()
    assert own.title == "a robot" and "a robot" in own.initial_state.svg()


def test_a_task_is_drawn_as_its_settings_say() -> None:
    suite = herbrand.suite("gripper")
    plain = herbrand.Task(suite.domain, suite[0]).initial_state.svg()
    declared = herbrand.Task(suite.domain, suite[0], settings=suite.settings).initial_state.svg()
    assert declared != plain
    with pytest.raises(herbrand.ConfigError, match="nowhere"):
        herbrand.Task(suite.domain, suite[0], settings="[render]\nhide = ['nowhere']")


def test_frames_are_saved_as_an_animation(tmp_path: Path) -> None:
    env = herbrand.make("sokoban", "train/03", render_mode="rgb_array_list")
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.unwrapped.sample())
    frames: Any = env.render()
    herbrand.save_animation(tmp_path / "walk.gif", frames, delay=0.1)
    herbrand.save_animation(str(tmp_path / "walk.webp"), frames[:2])
    gif, webp = (tmp_path / "walk.gif").read_bytes(), (tmp_path / "walk.webp").read_bytes()
    height, width, _ = frames[0].shape
    assert gif[:6] == b"GIF89a" and gif[6:10] == width.to_bytes(2, "little") + height.to_bytes(2, "little")
    # Each frame has a graphic control extension with the delay in hundredths of a second.
    assert gif.count(b"\x21\xf9\x04") == len(frames) and b"\x0a\x00" in gif[gif.index(b"\x21\xf9\x04") :][:8]
    assert webp[:4] == b"RIFF" and webp.count(b"ANMF") == 2
    with pytest.raises(FileExistsError, match="overwrite=True"):
        herbrand.save_animation(tmp_path / "walk.gif", frames[:1])
    assert (tmp_path / "walk.gif").read_bytes() == gif
    herbrand.save_animation(tmp_path / "walk.gif", frames[:1], overwrite=True)
    assert len((tmp_path / "walk.gif").read_bytes()) < len(gif)
    (tmp_path / "link.gif").symlink_to(tmp_path / "nothing.gif")
    with pytest.raises(FileExistsError, match="link"):
        herbrand.save_animation(tmp_path / "link.gif", frames, overwrite=True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link.gif", "walk.gif", "walk.webp"]


@pytest.mark.parametrize(
    ("name", "frames", "delay", "message"),
    [
        ("walk.png", [np.zeros((2, 2, 3), np.uint8)], 0.5, "a .gif or .webp file"),
        ("walk.gif", [], 0.5, "at least one picture"),
        ("walk.gif", [np.zeros((2, 2, 3), np.uint8)], float("nan"), "delay is a number of seconds"),
        ("walk.gif", [np.zeros((0, 2, 3), np.uint8)], 0.5, "0 pixels|2 × 0"),
    ],
)
def test_what_cannot_be_an_animation_is_refused(
    tmp_path: Path, name: str, frames: list[Any], delay: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        herbrand.save_animation(tmp_path / name, frames, delay=delay)
    assert not (tmp_path / name).exists()
