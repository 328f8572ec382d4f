"""Tests of numbers of actions and atoms that are shared by all problems of a suite."""

from __future__ import annotations

import pickle

import herbrand
import numpy as np
import pytest


def actions(env: herbrand.PDDLEnv, problem: str) -> dict[int, str]:
    """Returns the names of the valid actions in a problem's initial state."""
    _, info = env.reset(seed=1, options={"problem": problem})
    return {int(i): env.action_name(int(i)) for i in np.flatnonzero(info["action_mask"])}


def places(env: herbrand.PDDLEnv, problem: str) -> dict[str, str]:
    """Maps the blocks of a problem to names by their order of declaration."""
    env.reset(seed=1, options={"problem": problem})
    return {one.name: f"block#{i}" for i, one in enumerate(env.task.problem.objects)}


def test_an_action_has_one_meaning_in_all_problems() -> None:
    env = herbrand.make("blocks", ids="suite")
    meanings: dict[int, str] = {}
    for problem in ["train/01", "train/05", "test/10"]:
        names = places(env, problem)
        for number, text in actions(env, problem).items():
            words = text.strip("()").split()
            meaning = " ".join([words[0], *(names[word] for word in words[1:])])
            assert meanings.setdefault(number, meaning) == meaning
    assert len(meanings) > 10


def test_an_atom_has_one_bit_in_all_problems() -> None:
    env = herbrand.make("blocks", ids="suite", observation="bits")
    meanings: dict[int, set[str]] = {}
    widths = set()
    for problem in ["train/01", "train/05", "test/10"]:
        names = places(env, problem)
        observation, _ = env.reset(seed=1, options={"problem": problem})
        widths.add(len(observation))
        true = {
            " ".join([atom.predicate, *(names[str(one)] for one in atom.arguments)]) for atom in env.state
        }
        bits = {int(i) for i in np.flatnonzero(observation)}
        assert len(bits) == len(true)
        for bit in bits:
            meanings.setdefault(bit, set(true)).intersection_update(true)
    # A bit has the same meaning in all problems that set it.
    assert all(meanings.values())
    assert len(widths) == 1


def test_own_numbers_are_the_default() -> None:
    assert herbrand.suite("blocks").ids == "problem"
    assert herbrand.suite("blocks", ids="suite").with_ids("problem").ids == "problem"
    own = herbrand.make("blocks")
    shared = herbrand.make("blocks", ids="suite")
    assert set(actions(own, "train/01").values()) == set(actions(shared, "train/01").values())


def test_parts_and_pickles_keep_the_numbers() -> None:
    whole = herbrand.make("blocks", ids="suite")
    part = herbrand.make("blocks", split="train", ids="suite")
    again = herbrand.make(pickle.loads(pickle.dumps(part.suite)))
    one = herbrand.make("blocks", "train/05", ids="suite")
    assert again.suite.ids == "suite"
    assert again.suite.problem_names == part.suite.problem_names
    expected = actions(whole, "train/05")
    assert actions(part, "train/05") == actions(again, "train/05") == actions(one, "train/05") == expected


def test_batches_of_mixed_problems_have_one_width() -> None:
    envs = herbrand.VecEnv("blocks", num_envs=8, ids="suite", observation="bits-and-goal")
    single = herbrand.make("blocks", ids="suite", observation="bits-and-goal")
    observations, infos = envs.reset(seed=3)
    for i in range(8):
        observation, info = single.reset(seed=3 + i)
        np.testing.assert_array_equal(observations[i], observation)
        np.testing.assert_array_equal(infos["action_mask"][i], info["action_mask"])


def test_other_words_are_refused() -> None:
    with pytest.raises(ValueError, match="ids"):
        herbrand.suite("blocks").with_ids("domain")
