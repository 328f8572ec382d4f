"""Tests of data sets: their contents, independence of the number of workers, replay, and reproduction."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herbrand

pa = pytest.importorskip("pyarrow", reason="data sets need PyArrow")
import pyarrow.parquet as pq  # noqa: E402

from herbrand import data  # noqa: E402
from herbrand.data.__main__ import main  # noqa: E402

ORDER = [(name, "ascending") for name in ("environment", "episode", "step")]


def recipe(domain: str = "tireworld", problem: str | None = None, **options: Any) -> data.Recipe:
    sizes: dict[str, Any] = {"num_envs": 7, "steps": 30, "seed": 3, "share": 3, "block": 8}
    return data.Recipe(herbrand.suite(domain, problem), **{**sizes, "options": {"horizon": 7}, **options})


def rows(folder: Path) -> list[dict[str, Any]]:
    return data.read(folder).to_table().sort_by(ORDER).to_pylist()  # type: ignore[no-any-return]


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir())}


class Last:
    """A policy that takes the last valid action. If it has a mark file, it kills its process once."""

    def __init__(self, mark: Path | None = None) -> None:
        self.mark = mark

    def __call__(self, observations: Any, masks: Any, problems: Any, generator: np.random.Generator) -> Any:
        assert masks.shape[0] == len(problems) == len(observations)
        if self.mark is not None and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        generator.random()
        # A dead end has no valid action; its step ignores the action.
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)


def kills(share: data.Share) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return share.index


@pytest.mark.parametrize("domain", ["tireworld", "sokoban"])
def test_rows_are_the_steps_of_single_environments(domain: str, tmp_path: Path) -> None:
    made = recipe(domain)
    card = data.record(made, tmp_path / "set")
    table = rows(tmp_path / "set")
    assert len(table) == card["rows"] == made.rows == 210
    for index in range(made.num_envs):
        assert isinstance(made.suite, herbrand.Suite)
        env = herbrand.make(made.suite, observation="packed-bits", horizon=7)
        seen, info = env.reset(seed=made.seed + index)
        problem, episode, step = info["problem"], 0, 0
        mine = [row for row in table if row["environment"] == index]
        for row in mine:
            assert (row["seed"], row["episode"], row["step"]) == (made.seed + index, episode, step)
            width, actions = len(row["observation"]), len(info["action_mask"])
            assert row["observation"] == bytes(seen).ljust(width, b"\0")
            assert made.suite.problem_names[row["problem"]] == problem
            mask = np.unpackbits(np.frombuffer(row["mask"], np.uint8), bitorder="little")
            np.testing.assert_array_equal(mask[:actions], info["action_mask"])
            assert not mask[actions:].any()
            action = env.sample()
            assert row["action"] == action
            seen, reward, terminated, truncated, info = env.step(action)
            told = [row[name] for name in ("reward", "terminated", "truncated", "goal", "dead_end", "applied")]
            assert told == [reward, terminated, truncated, info["goal"], info["dead_end"], info["applied"]]
            ended = terminated or truncated
            if ended or row is mine[-1]:
                assert row["next_observation"] == bytes(seen).ljust(width, b"\0")
            else:
                assert row["next_observation"] is None
            step += 1
            if ended:
                seen, info = env.reset()
                problem, episode, step = info["problem"], episode + 1, 0


def test_fluents_of_rddl_are_recorded(tmp_path: Path) -> None:
    made = recipe("rddl/cartpole-continuous", "1")
    data.record(made, tmp_path / "set")
    table = rows(tmp_path / "set")
    envs = herbrand.make_vec(made.suite, num_envs=7, actions="flat", observation="flat", horizon=7)
    seen, _ = envs.reset(seed=3)
    first = [row["observation"] for row in table if (row["episode"], row["step"]) == (0, 0)]
    np.testing.assert_array_equal(first, seen)
    assert "mask" not in table[0] and len(table[0]["action"]) == 1
    assert data.replay(tmp_path / "set") == data.Replay(210, [])
    assert data.remake(tmp_path / "set", tmp_path / "again") == []


@pytest.mark.parametrize("policy", [None, Last()])
def test_data_do_not_depend_on_the_number_of_workers(policy: Any, tmp_path: Path) -> None:
    made = recipe(policy=policy)
    told: list[tuple[int, int]] = []
    data.record(made, tmp_path / "one", progress=lambda done, all_rows: told.append((done, all_rows)))
    data.record(made, tmp_path / "two", workers=2)
    assert told == [(90, 210), (180, 210), (210, 210)]
    assert files(tmp_path / "one") == files(tmp_path / "two")
    again: list[tuple[int, int]] = []
    replayed = data.replay(tmp_path / "one", workers=2, progress=lambda done, all_rows: again.append((done, all_rows)))
    assert replayed == data.replay(tmp_path / "one") == data.Replay(210, [])
    assert again == told
    tables = pa.concat_tables(list(data.tables(made, 2)))
    assert tables.sort_by(ORDER).to_pylist() == rows(tmp_path / "one")
    totals = data.rollout(made, 2)
    ended = [row for row in tables.to_pylist() if row["terminated"] or row["truncated"]]
    assert totals == data.rollout(made)
    assert (totals.steps, totals.episodes) == (210, len(ended))
    assert totals.goals == sum(row["goal"] for row in ended)
    assert totals.dead_ends == sum(row["dead_end"] for row in ended)


def test_returns_that_are_not_finite_are_counted() -> None:
    text = """
        domain growth {
            pvariables { s : { state-fluent, real, default = 1.0 }; k : { state-fluent, int, default = 0 }; };
            cpfs { s' = if (k == 1) then sqrt[-1.0] else s; k' = k + 1; };
            reward = s;
        }
        instance g { domain = growth; horizon = 4; discount = 1.0; }"""
    made = data.Recipe(herbrand.RddlSuite.from_texts([("growth.rddl", text)]), num_envs=4, steps=8, share=2)
    totals = data.rollout(made)
    assert np.isnan(totals.mean_return)
    assert totals.non_finite == totals.episodes > 0
    assert totals.first_non_finite == (0, 0, 2)
    calm = data.rollout(recipe())
    assert (calm.non_finite, calm.first_non_finite) == (0, None)


def test_a_share_of_a_killed_worker_is_done_again(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    data.record(recipe(policy=Last()), tmp_path / "calm")
    data.record(recipe(policy=Last(mark)), tmp_path / "disturbed", workers=2)
    assert mark.exists()
    assert files(tmp_path / "calm") == files(tmp_path / "disturbed")
    # Partial files of killed workers are not read, and are deleted.
    (tmp_path / "calm" / "part-00000.parquet.1.partial").touch()
    data.record(recipe(policy=Last()), tmp_path / "calm")
    assert files(tmp_path / "calm") == files(tmp_path / "disturbed")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_kills_leave_no_partial_file(tmp_path: Path) -> None:
    """Kills `HERBRAND_KILLS` recordings of one folder; each continues the previous one."""
    program = (
        "import sys, herbrand\n"
        "from herbrand import data\n"
        "made = data.Recipe(herbrand.suite('tireworld'), num_envs=64, steps=600, seed=3, share=4, block=50)\n"
        "print('ready', flush=True)\n"
        "data.record(made, sys.argv[1])\n"
    )

    def start(folder: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return process

    begin = time.monotonic()
    with start(tmp_path / "calm") as calm:
        begin = time.monotonic()
        assert calm.wait() == 0
    whole, expected = time.monotonic() - begin, files(tmp_path / "calm")
    killed, tries, rough = 0, 0, tmp_path / "rough"
    for tries in range(20 * int(os.environ.get("HERBRAND_KILLS", "3"))):
        if killed == int(os.environ.get("HERBRAND_KILLS", "3")):
            break
        with start(rough) as process:
            time.sleep(whole * (tries * 0.6180339887498949 % 1))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
        for name, content in files(rough).items() if rough.exists() else ():
            is_card = name == "card.json" and json.loads(content)["format"] == "herbrand-data/1"
            assert is_card or name.endswith(".partial") or content == expected[name]
        if process.returncode == 0:
            shutil.rmtree(rough)
    print(f"{killed} kills in {tries} runs")
    with start(rough) as process:
        assert process.wait() == 0
    assert files(rough) == expected, "the parts of killed recordings are cleared away"


def test_a_share_that_kills_every_worker_is_an_error() -> None:
    pool = data.Processes(2, attempts=2)
    with pytest.raises(data.WorkerError, match="was lost 2 times"):
        list(pool.map(kills, recipe().shares()))


def test_workers_wait_for_whoever_takes_the_results() -> None:
    begun: list[int] = []

    def call(share: data.Share) -> int:
        begun.append(share.index)
        return share.index

    taken = 0
    for index in data.InProcess().map(call, recipe(num_envs=40, share=1).shares(), window=3):
        assert index == taken
        assert len(begun) <= taken + 3
        taken += 1
    assert taken == 40


def test_an_interrupted_recording_is_completed(tmp_path: Path) -> None:
    made, folder = recipe(), tmp_path / "set"
    data.record(made, folder)
    whole = files(folder)
    card = json.loads((folder / "card.json").read_text())
    for part in ("rows", "schema", "parts"):
        del card[part]
    (folder / "card.json").write_text(json.dumps(card))
    (folder / "part-00001.parquet").unlink()
    with pytest.raises(ValueError, match="is incomplete"):
        data.read(folder)
    data.record(made, folder)
    assert files(folder) == whole
    with pytest.raises(FileExistsError, match="no data set of this recipe"):
        data.record(recipe(seed=4), folder)


def test_replaying_finds_what_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    data.record(recipe(), folder)
    path = folder / "part-00001.parquet"
    original = pq.ParquetFile(path)
    groups = [original.read_row_group(at) for at in range(original.num_row_groups)]
    for column, value in [("reward", 7.5), ("goal", True), ("truncated", True), ("observation", b"\xff" * 53)]:
        changed = groups[1].to_pylist()
        assert changed[5][column] != value
        where = [changed[5][name] for name in ("environment", "episode", "step")]
        changed[5][column] = value
        with pq.ParquetWriter(path, original.schema_arrow) as writer:
            for at, group in enumerate(groups):
                writer.write_table(pa.Table.from_pylist(changed, original.schema_arrow) if at == 1 else group)
        expected = "environment {}, episode {}, step {}: {} differs".format(*where, column)
        assert data.replay(folder).differences == [expected]


def test_replaying_reports_a_card_that_was_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "set"
    data.record(recipe(), folder)
    path = folder / "card.json"
    card = json.loads(path.read_text(encoding="utf-8"))

    def changed(change: Any) -> list[str]:
        other = json.loads(json.dumps(card))
        change(other)
        path.write_text(json.dumps(other), encoding="utf-8")
        replayed = data.replay(folder)
        assert (replayed.rows, replayed.differences) == (210, [])
        return replayed.warnings

    assert changed(lambda card: None) == []
    unknown = ["`colour`", "`recipe.mood`", "`parts[1].owner`"]
    expected = [f"card.json, {key}: the format has no such key" for key in unknown]
    keys: list[tuple[Any, str]] = [((), "colour"), (("recipe",), "mood"), (("parts", 1), "owner")]

    def add(card: Any) -> None:
        for place, key in keys:
            table = card
            for step in place:
                table = table[step]
            table[key] = 1

    assert changed(add) == expected
    assert main(["replay", str(folder)]) == 0
    assert "warning: card.json, `colour`: the format has no such key" in capsys.readouterr().err
    expected = ["card.json, `parts[1].first`: 8 in the card, 3 here"]
    assert changed(lambda card: card["parts"][1].update(first=8)) == expected
    one = changed(lambda card: card["parts"][0].update(sha256="0"))
    assert len(one) == 1 and one[0].startswith("card.json, `parts[0].sha256`: 0 in the card, ")
    assert changed(lambda card: card["schema"].pop("reward"))[0].startswith("card.json, `schema`: ")
    path.write_text(json.dumps({**card, "format": "herbrand-data/2"}), encoding="utf-8")
    newer = "has the format herbrand-data/2, and this version of the package reads herbrand-data/1"
    with pytest.raises(ValueError, match=newer):
        data.replay(folder)
    path.write_text(json.dumps({**card, "format": "other"}), encoding="utf-8")
    with pytest.raises(ValueError, match="is not a card of the format herbrand-data/1"):
        data.replay(folder)


def test_recipes_refuse_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="steps is a whole number from 1, not 0"):
        recipe(steps=0)
    with pytest.raises(ValueError, match="seed is a whole number"):
        recipe(seed=-1)
    with pytest.raises(ValueError, match="is set by the recipe"):
        recipe(options={"num_envs": 3})
    with pytest.raises(TypeError, match=r"herbrand\.suite"):
        data.Recipe("sokoban")  # type: ignore[arg-type]
    made = recipe(policy=Last())
    with pytest.raises(ValueError, match=r"recorded with .*\.Last, not with the random policy"):
        data.Recipe.from_data(made.to_data())
    with pytest.raises(ValueError, match="vectors"):
        list(data.tables(recipe(observation="graph")))


def test_episodes_go_to_minari_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("minari", "h5py", "PIL"):
        pytest.importorskip(needed)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    folder = tmp_path / "set"
    data.record(recipe(), folder)
    with pytest.warns(UserWarning):
        there = data.to_minari(folder, "herbrand/tireworld-random-v0", author="nobody")
    table = rows(folder)
    whole = {(row["environment"], row["episode"]) for row in table if row["terminated"] or row["truncated"]}
    kept = [row for row in table if (row["environment"], row["episode"]) in whole]
    assert there.total_episodes == len(whole)
    assert data.from_minari(there).to_pylist() == kept
    episode = next(iter(there.iterate_episodes()))
    assert episode.observations.shape[0] == len(episode.actions) + 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "set")
    assert main(["record", "blocks", "train/01", "--out", folder, "--envs", "4", "--steps", "25"]) == 0
    assert "100 steps in 1 files" in capsys.readouterr().out
    assert main(["replay", folder]) == 0
    assert "100 steps, no differences" in capsys.readouterr().out
    assert main(["remake", folder, "--out", str(tmp_path / "again"), "--workers", "2"]) == 0
    assert "1 of 1 files are the same" in capsys.readouterr().out
    assert main(["record", "blocs", "--out", folder]) == 2
    assert "did you mean `blocks`" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "nowhere")]) == 2


def test_the_program_of_the_package_records_and_replays(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "herbrand", *words], capture_output=True, text=True, cwd=tmp_path)

    made = run("record", "blocks", "--problem", "train/01", "--parquet", "set", "--envs", "4", "--steps", "25")
    assert made.returncode == 0, made.stderr
    assert "100 steps in 1 files" in made.stdout
    assert data.read(tmp_path / "set").count_rows() == 100
    replayed = run("replay", "set")
    assert (replayed.returncode, replayed.stdout.split(", ")[1]) == (0, "no differences\n")
    wrong = run("record", "blocs", "--parquet", "other")
    assert wrong.returncode == 2 and "did you mean `blocks`" in wrong.stderr


@pytest.mark.timeout(600)
def test_ray_gives_what_one_process_gives(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from herbrand.ray import Ray

    ray.init(num_cpus=2, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}})
    made = recipe()
    data.record(made, tmp_path / "one")
    data.record(made, tmp_path / "ray", Ray(2))
    mark = tmp_path / "killed"
    data.record(recipe(policy=Last()), tmp_path / "calm")
    data.record(recipe(policy=Last(mark)), tmp_path / "disturbed", Ray(2))
    assert mark.exists()
    assert files(tmp_path / "one") == files(tmp_path / "ray")
    assert files(tmp_path / "calm") == files(tmp_path / "disturbed")
    assert data.rollout(made, Ray(2)) == data.rollout(made)
    ray.shutdown()
