"""Tests of the evaluation of policies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import herbrand
from herbrand import evaluation


def first(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def last(observations: Any, masks: Any) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def alone(domain: str, problem: str, episodes: int, seed: int, **options: Any) -> tuple[list[bool], list[float], list[int]]:
    """The goals, returns and lengths of the last valid action, in episodes of a single environment."""
    env = herbrand.make(domain, problem, **options)
    goals, returns, lengths = [], [], []
    for episode in range(episodes):
        _, info = env.reset(seed=seed + episode)
        total, steps, over = 0.0, 0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(int(info["action_mask"].nonzero()[0][-1]))
            total, steps, over = total + float(reward), steps + 1, terminated or truncated
        goals.append(bool(info["goal"]))
        returns.append(total)
        lengths.append(steps)
    return goals, returns, lengths


@pytest.mark.parametrize("batch, ids, calls", [(16, "problem", 9), (80, "suite", 2), (1024, "suite", 1), (1024, "problem", 3)])
def test_episodes_are_those_of_single_environments(monkeypatch: pytest.MonkeyPatch, batch: int, ids: str, calls: int) -> None:
    monkeypatch.setattr(evaluation, "_BATCH", batch)
    resets: list[Any] = []

    def choice(policy: Any) -> Any:
        resets.append(policy)
        return policy

    monkeypatch.setattr(evaluation, "choice", choice)
    # Episodes of these problems are of different lengths, so that a second one may reach the goal before the first of another ends.
    problems = ("test/07", "train/03", "test/02")
    result = herbrand.evaluate(last, "river", problems, episodes=40, seed=9, horizon=12, ids=ids)
    assert result.problems == problems and result.episodes == 120 and len(resets) == calls
    for problem in result:
        goals, returns, lengths = alone("river", problem, 40, 9, horizon=12, ids=ids)
        one = result[problem]
        assert one.goals is not None and one.goals[0].tolist() == goals
        assert one.returns[0].tolist() == returns and one.lengths[0].tolist() == lengths
        assert one.goal_share == np.mean(goals) and one.mean_length == np.mean(lengths)


def test_observations_and_actions_that_are_dicts() -> None:
    rows: set[int] = set()

    def policy(observations: Any, masks: Any) -> Any:
        rows.update(len(part) for part in observations.values())
        return first(observations, masks) if "nodes" in observations else {}

    herbrand.evaluate(policy, "blocks", ["test/01", "test/01"], episodes=3, horizon=5, observation="graph")
    assert rows == {6}
    herbrand.evaluate(policy, "rddl/elevators", ["1", "1"], episodes=2, observation="dict", actions="dict")
    assert rows == {6, 2}


def test_intervals_contain_the_truth() -> None:
    env = herbrand.make("tireworld", "test/04", operators=True, horizon=12)
    exact = herbrand.goal_probability(first, env)
    assert 0 < exact < 1
    inside = 0
    for run in range(40):
        result = herbrand.evaluate(first, "tireworld", "test/04", operators=True, episodes=200, seed=200 * run, horizon=12)
        assert result.goal_interval is not None
        low, high = result.goal_interval
        inside += low <= exact <= high
    assert 34 <= inside <= 40


def test_a_computed_policy_reaches_the_goal_as_often_as_it_says() -> None:
    task = herbrand.load("river", "train/07")
    policy = task.policy()
    result = herbrand.evaluate(policy, "river", "train/07", episodes=2000, horizon=100)
    assert policy.goal_probability is not None and result.goal_share is not None
    assert abs(result.goal_share - policy.goal_probability) < 0.05
    with pytest.raises(ValueError, match="another task"):
        herbrand.evaluate(policy, "river", "train/01", episodes=1, horizon=100)


def test_policies_of_rddl() -> None:
    result = herbrand.evaluate("random", "rddl/elevators", ["1", "2"], episodes=5)
    assert result.goals is None and result.goal_share is None and result.goal_interval is None
    assert result.returns.shape == (2, 5) and list(result.summary()) == ["return", "return_low", "return_high", "length"]
    assert str(result).splitlines()[0].split() == ["problem", "return", "95", "%", "interval", "length"]

    class Idle:
        def act(self, state: Any) -> dict[str, Any]:
            return {}

    idle = herbrand.evaluate(Idle(), "rddl/elevators", "1", episodes=5)
    nothing = herbrand.evaluate(lambda seen, masks: np.zeros((len(seen), 4)), "rddl/elevators", "1", episodes=5)
    np.testing.assert_array_equal(idle.returns[0], nothing.returns[0])


def test_models_choose_the_most_likely_action_and_remember_the_steps_of_an_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_BATCH", 1)

    class Model:
        """Takes the first valid action, then the last, and so on."""

        def predict(self, observation: Any, state: Any = None, deterministic: bool = False, action_masks: Any = None) -> Any:
            assert deterministic
            step = 0 if state is None else state
            return (last if step % 2 else first)(observation, action_masks), step + 1

    env = herbrand.make("river", "train/03", horizon=9)
    lengths = []
    for seed in range(20):
        _, info = env.reset(seed=seed)
        step, over = 0, False
        while not over:
            action = info["action_mask"].nonzero()[0][-1 if step % 2 else 0]
            _, _, terminated, truncated, info = env.step(int(action))
            step, over = step + 1, terminated or truncated
        lengths.append(step)
    assert len(set(lengths)) > 2
    result = herbrand.evaluate(Model(), "river", "train/03", episodes=20, horizon=9)
    assert result.lengths[0].tolist() == lengths


def test_what_is_no_policy_or_has_no_end_is_refused(lamps: tuple[str, str]) -> None:
    with pytest.raises(TypeError, match="a policy is"):
        herbrand.evaluate("best", "tireworld", "test/01")
    with pytest.raises(ValueError, match="horizon="):
        herbrand.evaluate("random", *lamps)
    assert len(herbrand.evaluate("random", *lamps, episodes=3, horizon=5)) == 1


def test_plots_show_each_problem() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    result = herbrand.evaluate("random", "tireworld", split="test", episodes=20, horizon=9)
    axes = result.plot()
    assert [text.get_text() for text in axes.get_xticklabels()] == list(result.problems)
    assert result[0].plot(axes) is axes


@pytest.mark.parametrize("domain, problem", [("river", "test/08"), ("tireworld", "test/04"), ("exploding-blocks", "train/06")])
def test_the_probability_of_the_best_policy_is_what_policy_iteration_says(domain: str, problem: str) -> None:
    env: Any = herbrand.make(domain, problem, operators=True)
    env.reset(seed=0)
    task, best = env.task, env.task.policy("policy-iteration")
    actions: dict[bytes, int] = {}
    reached = [task.initial_state]
    while reached:
        state = reached.pop()
        key = env.set_state(state)[0].tobytes()
        if key not in actions and (action := best.action(state)) is not None:
            actions[key] = env.action_id(str(action))
            reached += [successor for _, successor, _ in task.outcomes(state, action)]

    def follow(observations: Any, masks: Any) -> Any:
        return np.array([actions.get(seen.tobytes(), int(mask.argmax())) for seen, mask in zip(observations, masks)])

    found = herbrand.goal_probability(follow, env, 200)
    assert found == pytest.approx(best.goal_probability, abs=1e-9)
    # Fewer steps do not increase the probability; without steps it is 0.
    assert 0.0 == herbrand.goal_probability(follow, env, 0) <= herbrand.goal_probability(follow, env, 5) <= found


def test_an_action_that_is_not_valid_leads_nowhere() -> None:
    env = herbrand.make("tireworld", "train/01", operators=True)
    assert herbrand.goal_probability(lambda observations, masks: masks.argmin(axis=1), env, 100) == 0.0
