"""Runs the examples. Learning examples are skipped if PyTorch is missing."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import herbrand

from conftest import ROOT, served_model

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    """Runs an example and returns its output."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_rollouts() -> None:
    lines = run("random_rollouts.py", "blocks", "casino", "--envs", "8", "--steps", "60").splitlines()
    assert [line.split()[0] for line in lines] == ["domain", "blocks", "casino"]
    assert all(int(line.split()[1]) >= 8 for line in lines[1:])
    assert lines[1].split()[:3] == run("random_rollouts.py", "blocks", "--envs", "8", "--steps", "60").split()[-4:-1]


def test_random_blocks_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from blocks_problems import problems  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]

    texts = problems(list("abcd"), 72, 0, [["d", "c", "b", "a"]])
    suite = herbrand.suite(herbrand.suite("blocks").domain, texts)
    tasks = [suite.task(index) for index in range(len(texts))]
    assert len({task.problem for task in tasks}) == 72
    assert not any(task.initial_state.is_goal for task in tasks)
    assert {task.problem.goal for task in tasks} == {tasks[0].problem.goal}
    assert len({task.ground_atoms for task in tasks}) == len({task.ground_actions for task in tasks}) == 1


def test_a_model_behind_a_server_plays() -> None:
    def reply(messages: list[dict[str, Any]]) -> str:
        assert messages[0]["role"] == "system" and "Valid actions:" in messages[1]["content"]
        listed = [line for line in messages[-1]["content"].splitlines() if line[:1].isdigit()]
        # First a word that is no action, then the last of the valid actions.
        return "Action: " + (listed[-1].partition(". ")[2] if len(messages) > 2 else "dance")

    with served_model(reply) as address:
        printed = run("text_agent.py", "--url", address, "--model", "fake", "--steps", "4", "--domain", "gripper")
    lines = printed.splitlines()
    assert len(lines) == 5 and "no action is written `dance`" in lines[0]
    assert lines[-1] == "episode 0: budget after 4 answers, reward 0"


def test_a_server_that_guesses_takes_an_exam(tmp_path: Path) -> None:
    make = [sys.executable, "-m", "herbrand", "exam", "make", "--count", "19", "--domain", "blocks,ferry,rddl/navigation-mdp"]
    subprocess.run([*make, "--out", "exam.jsonl"], cwd=tmp_path, check=True)
    files = [str(tmp_path / name) for name in ("exam.jsonl", "answers.jsonl")]
    with subprocess.Popen([sys.executable, EXAMPLES / "text_model.py", "--port", "0"], stdout=subprocess.PIPE, text=True) as model:
        assert model.stdout is not None
        try:
            address = model.stdout.readline().removeprefix("listening on ").strip()
            printed = run("text_exam.py", files[0], "--url", address, "--model", "any", "--out", files[1])
            played = run("text_agent.py", "--url", address, "--model", "any", "--steps", "50")
            # The client of `herbrand explore` asks the same server.
            explore = ["explore", "--world", "coin", "--games", "10", "--reader", "model", "--mode", "end-to-end"]
            command = [sys.executable, "-m", "herbrand", *explore, "--model", "any", "--url", address, "--format", "json"]
            explored = subprocess.run(command, capture_output=True, text=True, timeout=250)
        finally:
            model.terminate()
    assert explored.returncode in (0, 1) and "unread" not in explored.stdout, explored.stdout + explored.stderr
    assert played.splitlines()[-1].startswith(("episode 0: goal", "episode 0: budget"))
    grade = [sys.executable, "-m", "herbrand", "exam", "grade", *files]
    graded = subprocess.run(grade, check=True, capture_output=True, text=True).stdout
    # The program fits its table to the terminal.
    words = [[line.split() for line in text.strip().splitlines()] for text in (graded, printed)]
    assert words[0] == words[1]
    assert printed.strip().splitlines()[-1].startswith("all ")


def test_groups_of_plans_are_graded() -> None:
    lines = run("text_grpo.py", "--problems", "2", "--group", "6").splitlines()
    assert len(lines) == 3 and lines[-1].startswith("12 completions graded")
    for line in lines[:2]:
        advantages = [float(word) for word in line.split("advantages ")[1].split()]
        assert len(advantages) == 6 and abs(sum(advantages)) < 0.1


def test_graph_policy() -> None:
    pytest.importorskip("torch")
    lines = run("graph_policy.py", "ferry", "--sizes", "1", "--larger", "2", "--iterations", "4").splitlines()
    before, after = ([int(share) for share in re.findall(r"(\d+)%", line)] for line in (lines[0], lines[-1]))
    assert lines[0].startswith("before: ") and lines[-1].startswith("after: ") and len(before) == len(after) == 2
    assert after[0] > before[0] or after[0] == 100


def test_a_network_of_ones_own_guides_searches(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    plot = ["--plot", str(tmp_path / "searches.png")] if importlib.util.find_spec("matplotlib") else []
    lines = run("own_network.py", "--epochs", "2", *plot).splitlines()
    expanded = {line.split(":")[0]: int(line.split(", ")[2].split()[0]) for line in lines}
    assert all(": plan, " in line for line in lines)
    assert expanded["10 rooms, network"] < expanded["10 rooms, blind"] / 4
    assert expanded["10 rooms, policy"] < expanded["10 rooms, blind"] / 4
    assert not plot or (tmp_path / "searches.png").stat().st_size > 1000


def test_ppo_in_one_file() -> None:
    pytest.importorskip("torch")
    printed = run("ppo.py", "--problem", "test/02", "--steps", "20000", "--envs", "16").splitlines()
    learned, best = (float(word) for word in printed[-1].replace("of at most", "").split()[2:])
    assert best == 0.75 and learned <= best + 1e-9
    assert printed[-1] == run("ppo.py", "--problem", "test/02", "--steps", "20000", "--envs", "16").splitlines()[-1]


def test_the_page_on_stable_baselines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "how-to" / "stable-baselines3.md").read_text()
    exec("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), {})


def test_ppo_of_stable_baselines(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("matplotlib")
    run("ppo_success.py", "tireworld:train/01", "--steps", "4096", "--out", str(tmp_path))
    head, *lines = (tmp_path / "ppo_success.csv").read_text().splitlines()
    assert head == "task,steps,MaskablePPO,PPO,best"
    assert [line.split(",")[:2] for line in lines] == [["tireworld:train/01", "2048"], ["tireworld:train/01", "4096"]]
    assert (tmp_path / "ppo_success.svg").read_text().startswith("<?xml")


def test_the_stored_curves_reach_the_best() -> None:
    rows = [line.split(",") for line in (EXAMPLES / "ppo_success.csv").read_text().splitlines()[1:]]
    last = {row[0]: row for row in rows}
    assert len(last) == 3
    for task, row in last.items():
        domain, problem = task.split(":")
        best = herbrand.load(domain, problem).policy("policy-iteration").goal_probability
        assert best is not None and float(row[4]) == pytest.approx(best, abs=1e-4)
        assert best - 0.03 <= float(row[2]) <= best + 1e-4, task


def test_wrappers_of_gymnasium(tmp_path: Path) -> None:
    printed = run("wrappers.py", "--out", str(tmp_path / "films")).splitlines()
    assert printed[0].endswith("length 20")
    assert printed[1].startswith("RecordVideo: 1 film") or printed[1].endswith("moviepy is not installed")
    assert printed[3].startswith("vector.DictInfoToList: 3 infos with ['action_mask'")
    assert printed[4] == "SyncVectorEnv: the same as make_vec"


def test_unified_planning_both_ways() -> None:
    pytest.importorskip("unified_planning")
    lines = run("unified_planning_both_ways.py").splitlines()
    assert lines[0].startswith("fast-downward solves gripper") or lines[0].endswith("is not installed")
    assert lines[1] == "Herbrand solves lamps in 5 actions, accepted by Unified Planning"


def test_ppo_of_rllib() -> None:
    pytest.importorskip("ray.rllib.algorithms.ppo")
    pytest.importorskip("torch")
    assert "steps: mean return" in run("rllib_ppo.py", "--problem", "train/01", "--iterations", "1")


def test_maskable_ppo(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("matplotlib")
    run("maskable_ppo.py", "--steps", "2048", "--out", str(tmp_path))
    assert (tmp_path / "maskable_ppo.csv").read_text().startswith("steps,goal,goal_low,goal_high,return,return_low,return_high,length\n2048,")
    assert (tmp_path / "maskable_ppo.png").read_bytes().startswith(b"\x89PNG")


def test_rddl_ppo(tmp_path: Path) -> None:
    pytest.importorskip("stable_baselines3")
    pytest.importorskip("matplotlib")
    run("rddl_ppo.py", "--steps", "4096", "--out", str(tmp_path))
    assert (tmp_path / "rddl_ppo.csv").read_text().startswith("steps,return,return_low,return_high,length\n4096,")
    assert (tmp_path / "rddl_ppo.png").read_bytes().startswith(b"\x89PNG")
