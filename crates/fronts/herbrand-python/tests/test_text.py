"""Environments in text: answers, rewards, budgets, partial observation, grading."""

from __future__ import annotations

import _thread
import signal
import threading
from collections import deque
from pathlib import Path
from typing import Any, cast

import pytest

import herbrand
import herbrand.exam
from herbrand import text as texts

BRIDGE = """
(define (domain bridge) (:requirements :typing :negative-preconditions)
  (:types place)
  (:predicates (at ?p - place) (way ?a ?b - place) (rope))
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (way ?a ?b)) :effect (and (at ?b) (not (at ?a))))
  (:action cut :parameters () :precondition (rope) :effect (not (rope))))
"""
RIVER = """
(define (problem river) (:domain bridge) (:objects a b c d - place)
  (:init (at a) (way a b) (way b a) (way b c) (way c d) (rope)) (:goal (and (at d) (rope))))
"""


def solved(env: texts.TextEnv, **reset: Any) -> tuple[float, texts.StepInfo]:
    """Plays a plan and returns the return and the last info."""
    env.reset(**reset)
    total, info = 0.0, None
    for step in env.plan():
        text, reward, terminated, truncated, info = env.step(step)
        assert info["fault"] is None, text
        total += reward
        if terminated or truncated:
            break
    assert info is not None
    return total, info


def test_a_plan_in_sentences_reaches_the_goal() -> None:
    for domain in ("blocks", "gripper", "tireworld"):
        total, info = solved(texts.make(domain, "train/01"), seed=3)
        if domain != "tireworld":
            assert (total, info["status"]) == (1.0, "goal")


def test_an_answer_has_every_form() -> None:
    env = texts.make("blocks", "train/01")
    env.reset(seed=1)
    first = env.valid_actions()[0]
    after = set()
    for answer in (
        first.text,
        first.action,
        first.text.upper() + ".",
        str(first.number),
        f"I think.\nAction: {first.text}",
        f"<answer>{first.action}</answer>, I hope",
        "\\boxed{#1}",
    ):
        env.reset(seed=1)
        _, _, _, _, info = env.step(answer)
        assert info["fault"] is None and info["action"] == [first.action], answer
        after.add(env.observation())
    assert len(after) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "part"),
    [
        ("", "empty", "format"),
        ("dance", "unknown-action", "format"),
        ("(pick-up zzz)", "unknown-object", "format"),
        ("(pick-up a b)", "wrong-arity", "format"),
        ("999", "no-such-number", "format"),
        ("(stack a b)", "not-valid", "valid"),
    ],
)
def test_faults_are_exact_and_change_nothing(answer: str, kind: str, part: str) -> None:
    env = texts.make("blocks", "train/01", rewards={"format": 0.5, "valid": 0.25})
    env.reset(seed=1)
    before = env.observation()
    text, reward, terminated, truncated, info = env.step(answer)
    assert info["fault"] is not None and info["fault"].kind == kind
    assert info["fault"].message in text
    assert reward == -(0.5 if part == "format" else 0.25)
    assert [name for name, value in info["parts"].items() if value] == [part]
    assert (env.observation(), info["answers"], info["steps"], terminated, truncated) == (before, 1, 0, False, False)


def test_the_marked_part_of_a_reply_is_the_answer() -> None:
    for reply, answer in [
        ("<answer>(a)</answer> or rather <answer> (b) </answer>\nend", "(b)"),
        ("first line\n\n**Action:** do it\n", "do it"),
        ("I am done. Final answer: (b)", "(b)"),
        ("\\boxed{1}, no: \\boxed{2}", "2"),
        ("  \n", ""),
    ]:
        assert texts.final_answer(reply) == answer
    assert texts.plan_of("Plan:\n```\n1. (a)\n- (b)\n```\nor\n```text\n(c)\n```") == "(c)"
    assert texts.plan_of("1) (a)\n2) (b)") == "(a)\n(b)"


MARKS = [
    "{}",
    "<plan>{}</plan>",
    "<answer>\n{}\n</answer> reaches the goal.",
    "\\boxed{{{}}}",
    "It is $\\boxed{{\\text{{{}}}}}$.",
    "**Answer:**\n{}",
    "Answer:\n```\n{}\n```",
    "<think>Or <answer>(fly)</answer>?</think>\n{}",
    "Answer: (fly)</think>{}",
    "{}\n<think>Answer: (fly)",
    "<answer>{}",
]
STEPS = ["{action}", "{number}. {action}", "{number}) {text}", "- {text}", "{number}.000: {action} [1]", "{action} ; {text}"]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("step", STEPS)
def test_every_front_reads_every_form(mark: str, step: str) -> None:
    grader = texts.PlanGrader("blocks", "train/01")
    env = texts.make("blocks", "train/01")
    env.reset(seed=1)
    steps, terminated = [], False
    for number, sentence in enumerate(grader.plan(), start=1):
        (action,) = [one.action for one in env.valid_actions() if one.text == sentence]
        steps.append(step.format(number=number, action=action, text=sentence))
        _, _, terminated, _, info = env.step(mark.format(steps[-1]))
        assert info["fault"] is None and info["action"] == [action]
    assert terminated
    reply = mark.format("\n".join(steps))
    assert grader.grade([reply])[0].valid
    assert grader.rewards([reply]) == texts.plan_reward("blocks", "train/01")(completions=[reply]) == [1.0]
    question = herbrand.exam.make(1, kinds=["plan"], domains=["blocks"])[0]
    lines = enumerate(question["answer"].splitlines(), start=1)
    plan = "\n".join(step.format(number=number, action=action, text="why not?") for number, action in lines)
    if "{action}" in step:
        assert herbrand.exam.judge(question, mark.format(plan))


@pytest.mark.parametrize("part", ["{", "\\boxed{", "<think>", "<answer>", "```\n", "answer", "(", "1. ", "\n"])
def test_hostile_replies_are_refused(part: str) -> None:
    reply = part * (100_000 // len(part))
    env = texts.make("blocks", "train/01")
    env.reset(seed=1)
    assert env.step(reply)[4]["fault"] is not None
    assert not texts.PlanGrader("blocks", "train/01").grade([reply])[0].valid
    question = herbrand.exam.make(1, kinds=["plan"], domains=["blocks"])[0]
    assert not herbrand.exam.judge(question, reply)


def test_messages_end_in_one_sign() -> None:
    env = texts.make("blocks", "train/01")
    env.reset(seed=1)
    assert "did you mean `block a`?\n" in env.step("put block b on block w")[0]
    assert "no action is written `dance`.\n" in env.step("dance")[0]


def test_the_budget_ends_an_episode() -> None:
    env = texts.make("blocks", "train/01", steps=2)
    env.reset()
    assert env.step("dance")[3] is False
    text, _, terminated, truncated, info = env.step("dance")
    assert (terminated, truncated, info["status"]) == (False, True, "budget")
    assert text.endswith("All answers are used up.")
    with pytest.raises(herbrand.EpisodeError):
        env.step("dance")
    with pytest.raises(herbrand.EpisodeError):
        texts.make("blocks", "train/01").step("1")
    with pytest.raises(ValueError):
        texts.make("blocks", "train/01", steps=0)


def distances_by_search(task: herbrand.Task) -> dict[str, int]:
    """Returns the distance to the goal of each reachable state, by going backwards from goal states."""
    states: dict[str, Any] = {str(task.initial_state): task.initial_state}
    before: dict[str, list[str]] = {}
    queue = deque(states.values())
    while queue:
        state = queue.popleft()
        for action in task.valid_actions(state):
            for _, after, _ in task.outcomes(state, action):
                before.setdefault(str(after), []).append(str(state))
                if str(after) not in states:
                    states[str(after)] = after
                    queue.append(after)
    found = {name: 0 for name, state in states.items() if state.is_goal}
    ends = deque(found)
    while ends:
        name = ends.popleft()
        for earlier in before.get(name, []):
            if earlier not in found:
                found[earlier] = found[name] + 1
                ends.append(earlier)
    return {name: found.get(name, -1) for name in states}


def sentences(state: Any) -> set[str]:
    """Returns the sentences of a state of lamps."""
    return {f"{atom.arguments[0].upper()} {'shines' if atom.predicate == 'on' else 'fails'}." for atom in state}


@pytest.mark.parametrize(
    ("domain", "problem"), [(BRIDGE, RIVER), ("lamps", None)], ids=["PDDL", "PPDDL"]
)
def test_distances_and_progress_are_exact(domain: str, problem: Any, lamps: tuple[str, str]) -> None:
    if domain == "lamps":
        domain, problem = lamps
        table = '[facts]\non = "{1} shines"\nbroken = "{1} fails"\n[types]\nlamp = "{}"\n'
    else:
        table = None
    task = herbrand.load(domain, problem)
    known = distances_by_search(task)
    env = texts.make(domain, problem, rewards={"progress": 1.0}, steps=12, wording=table)
    seen = set()
    for seed in range(30):
        env.reset(seed=seed)
        state = task.initial_state
        start = last = known[str(state)]
        assert env.distance() == start > 0
        random, total = herbrand.Random(seed), 0.0
        while True:
            actions = env.valid_actions()
            plan = env.plan() if random.below(2) else []
            good = [one for one in actions if one.text == plan[0]] if plan else actions
            chosen = good[random.below(len(good))]
            _, reward, terminated, truncated, info = env.step(chosen.text)
            outcomes = [after for _, after, _ in task.outcomes(state, chosen.action)]
            # A drawn outcome is found by its sentences.
            lines = set(env.observation().splitlines())
            [state] = [one for one in outcomes if len(outcomes) == 1 or sentences(one) == lines]
            assert known[str(state)] == info["distance"]
            potential = {d: 1 - (2 * start if d == -1 else min(d, 2 * start)) / start for d in (last, known[str(state)])}
            assert reward == pytest.approx(potential[known[str(state)]] - potential[last])
            last = known[str(state)]
            seen.add(last)
            total += reward
            if terminated or truncated:
                assert total == pytest.approx(potential[last])
                break
    assert -1 in seen and 0 in seen


def test_progress_without_a_known_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = texts.Progress(None)
    assert [progress.to(one) for one in (3, None, 0)] == [0.0, 0.0, 0.0]
    assert texts.Progress(texts.UNREACHABLE).to(0) == 0.0
    progress = texts.Progress(2)
    assert [progress.to(one) for one in (1, None, texts.UNREACHABLE, 9, 0)] == [0.5, 0.0, -1.5, 0.0, 2.0]
    env = texts.make("blocks", "train/01", rewards={"progress": 1.0})
    monkeypatch.setattr(texts.TextEnv, "distance", lambda env: None)
    env.reset()
    _, reward, _, _, info = env.step("1")
    assert (reward, info["distance"]) == (0.0, None)


def test_rddl_has_rewards_of_its_own() -> None:
    env = texts.make("rddl/sysadmin-mdp", "1", steps=5)
    first = env.reset(seed=2)
    assert "do nothing" in first and env.rewards == texts.Rewards(goal=0.0, task=1.0)
    text, reward, _, _, info = env.step("do nothing")
    assert info["action"] == [] and reward == info["parts"]["task"] and f"Reward: {reward:g}." in text
    again = texts.make("rddl/sysadmin-mdp", "1", steps=5)
    again.reset(seed=2)
    assert again.step("do nothing")[:2] == (text, reward)
    two = "; ".join(one.text for one in env.valid_actions()[:2])
    info = env.step(two)[4]
    assert info["fault"] is None or info["fault"].kind == "not-valid"
    ends = [env.step("do nothing")[3] for _ in range(3)]
    assert ends == [False, False, True] and env.distance() is None


def test_agents_see_what_the_rules_of_observation_show() -> None:
    env = texts.make("coin-collector", observe="both")
    assert env.is_partly_observable
    first = env.reset(seed=1, problem=5)
    whole = env._core.text() + "\n" + env._core.constants()
    seen = set(env.observation().splitlines())
    assert seen < set(whole.splitlines()) and "You know:" in first
    hidden = [line for line in whole.splitlines() if line not in seen]
    assert hidden and not set(hidden) & set(first.splitlines())
    grown = len(seen)
    for answer in [one.text for one in env.valid_actions() if one.action.startswith("(open-door")]:
        text, *_ = env.step(answer)
    moves = [one for one in env.valid_actions() if one.action.startswith("(go")]
    text, *_ = env.step(moves[0].text)
    assert len(env.observation().splitlines()) > grown and "Now" in text

    hidden_state = texts.make("rddl/sysadmin-pomdp", "1")
    assert hidden_state.is_partly_observable
    assert "Nothing is known." in hidden_state.reset(seed=1)
    hidden_state.step("do nothing")
    assert hidden_state.observation() != hidden_state._core.text()


def test_a_domain_under_edit_is_an_environment_in_text() -> None:
    env = texts.make("pddlworld@2", steps=20)
    first = env.reset(seed=3)
    assert "effect turn-on <(on) or (lit)> <positive or absent or negative>" in first
    assert "the model behaves like the target in every state" in first
    assert env.distance() is None and env.plan() == []
    fault = env.step("effect turn-on (lamp) positive")[4]["fault"]
    assert fault is not None and fault.kind == "unknown-action"
    model = env._core.text()
    target = texts.make("pddlworld@target")
    target.reset()
    wanted = target._core.text()
    rewards: list[float] = []
    terminated, info = False, cast(Any, None)
    for line in sorted(set(wanted.splitlines()) - set(model.splitlines())):
        literal, sign = line.removesuffix(".").split(" = ")
        _, reward, terminated, _, info = env.step(f"{literal[1:-1]} {sign}")
        assert info["fault"] is None
        rewards.append(reward)
    for line in sorted(set(model.splitlines()) - set(wanted.splitlines())):
        literal = line.partition(" = ")[0]
        if literal not in wanted:
            _, reward, terminated, _, info = env.step(f"{literal[1:-1]} absent")
            rewards.append(reward)
    assert terminated and info["status"] == "goal" and rewards[-1] == 1
    with pytest.raises(ValueError, match="leave out `show_domain`"):
        texts.make("pddlworld/blocks", show_domain=True).reset()
    several = texts.make("pddlworld/blocks", ["01", "02"])
    assert len(several.problems) == 2 and several.reset(seed=1, problem=1)


def test_generated_games_are_environments_in_text() -> None:
    for domain in ("cooking-world", "coin-collector"):
        games = herbrand.generate_suite(domain, 3, count=2, seed=4)
        env = texts.make(games)
        assert len(env.problems) == 2 and env.is_partly_observable
        first = env.reset(seed=1)
        assert "You know:" in first and set(env.observation().splitlines()) < set(
            (env._core.text() + "\n" + env._core.constants()).splitlines()
        )


def test_options_of_texts(tmp_path: Path) -> None:
    env = texts.make(BRIDGE, RIVER, show_actions=False, show_domain=True, observe="changes")
    first = env.reset()
    assert "Valid actions" not in first and "(:action walk" in first and "by its number" not in first
    text, *_ = env.step("walk from place a to place b" if "walk from" in first else env.valid_actions()[0].text)
    assert "The state" not in text
    table = '[actions]\nwalk = "stroll from {a} to {b}"\n'
    assert "stroll from" in texts.make(BRIDGE, RIVER, wording=table).reset()
    (tmp_path / "domain.pddl").write_text(BRIDGE)
    (tmp_path / "domain.text.toml").write_text(table)
    (tmp_path / "river.pddl").write_text(RIVER)
    beside = texts.make(tmp_path / "domain.pddl", tmp_path / "river.pddl")
    assert "stroll from" in beside.reset()
    # The default sentence is still read.
    default = texts.make(BRIDGE, RIVER)
    default.reset()
    sentence = next(one.text for one in default.valid_actions() if "walk" in one.action)
    assert beside.step(sentence)[4]["fault"] is None


def test_faults_of_arguments_have_types() -> None:
    with pytest.raises(herbrand.ParseError) as caught:
        texts.make(BRIDGE, RIVER, wording='[actions]\nwlak = "stroll"\nwalk = "stroll from {a}"\n')
    codes = [one.code for one in caught.value.diagnostics]
    assert sorted(codes) == ["T0002", "T0003"] and "^" in str(caught.value) and "did you mean `walk`" in str(caught.value)
    with pytest.raises(herbrand.ParseError):
        texts.make(BRIDGE, RIVER.replace("(at a)", "(att a)"))
    with pytest.raises(herbrand.UnknownNameError):
        texts.make("bloks")
    with pytest.raises(ValueError, match="progres"):
        texts.make("blocks", "train/01", rewards={"progres": 1.0})
    with pytest.raises(ValueError):
        texts.make("blocks", "train/01", observe="nothing")
    with pytest.raises(herbrand.UnknownNameError):
        texts.make("blocks", "train/01").reset(problem=7)


def test_equal_seeds_give_equal_episodes_and_copies_go_on() -> None:
    def play(env: texts.TextEnv, steps: int, random: Any) -> list[str]:
        lines = []
        for _ in range(steps):
            actions = env.valid_actions()
            if not actions:
                break
            text, _, terminated, truncated, _ = env.step(actions[random.below(len(actions))].text)
            lines.append(text)
            if terminated or truncated:
                break
        return lines

    env = texts.make("tireworld", split="train", seed=5)
    first = [env.reset()] + play(env, 6, herbrand.Random(1))
    index = env.problem_index
    assert [env.reset(seed=5)] + play(env, 6, herbrand.Random(1)) == first and env.problem_index == index
    following = env.reset()
    assert env.reset(seed=6) == following and env._seed == 6
    env.step(env.valid_actions()[0].text)
    if env._running:
        other = env.copy()
        assert other.observation() == env.observation()
        assert play(other, 5, herbrand.Random(2)) == play(env, 5, herbrand.Random(2))
    env = texts.make(BRIDGE, RIVER, rewards={"progress": 1.0})
    env.reset()
    env.step(env.plan()[0])
    assert env.copy().step("cut")[1] == env.step("cut")[1] == pytest.approx(-4 / 3)


def test_plans_are_graded_in_bulk() -> None:
    grader = texts.PlanGrader(BRIDGE, RIVER, threads=3)
    best = grader.plan()
    assert len(best) == 3 and "<plan>" in grader.prompt()
    half = "\n".join(best[:2])
    plans = ["\n".join(best), half, "cut\n" + "\n".join(best), "(dance)\n" + best[0], "", "(walk a d)"]
    grades = grader.grade(plans, distances=True)
    assert [one.valid for one in grades] == [True, False, False, False, False, False]
    assert [(one.steps, one.lines, one.readable) for one in grades] == [
        (3, 3, 3),
        (2, 2, 2),
        (4, 4, 4),
        (0, 2, 1),
        (0, 0, 0),
        (0, 1, 1),
    ]
    assert [one.distance for one in grades] == [0, 1, -1, 3, 3, 3]
    weights = {"goal": 1.0, "progress": 0.3, "valid": 0.2, "format": 0.1}
    rewards = grader.rewards([f"So:\n<plan>\n{plan}\n</plan>" for plan in plans], weights)
    assert rewards == pytest.approx([1.3, 0.2, -0.3, -0.25, -0.3, -0.2])
    assert grader.grade(plans * 20, distances=True) == grades * 20


def test_a_reward_function_takes_batches_of_problems() -> None:
    reward = texts.plan_reward(rewards={"goal": 1.0})
    names = ["train/01", "train/02", "train/01"]
    plans = ["\n".join(texts.PlanGrader("blocks", name).plan()) for name in names]
    plans[2] = "nothing of the kind"
    completions = [[{"role": "assistant", "content": f"<plan>{plan}</plan>"}] for plan in plans]
    values = reward(prompts=["?"] * 3, completions=completions, domain=["blocks"] * 3, problem=names)
    assert values == [1.0, 1.0, 0.0]
    with pytest.raises(ValueError):
        reward(completions=["x"])


def test_ctrl_c_ends_a_long_search() -> None:
    env = texts.make("depot", "test/10", limits={"time": 100})
    env.reset()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    # Background processes of a shell ignore Ctrl-C, and the tests may run as one.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            env.distance()
    finally:
        signal.signal(signal.SIGINT, before)
    timer.join()
    assert env.step("1")[4]["fault"] is None


BEDS = """
domain beds {
    types { bed : object; };
    pvariables {
        water(bed) : { action-fluent, real, default = 0.0 };
        seeds(bed) : { action-fluent, int, default = 0 };
        weed(bed) : { action-fluent, bool, default = false };
        MOST(bed) : { non-fluent, real, default = 0.5 };
        moist(bed) : { state-fluent, real, default = 0.2 };
        felt(bed) : { observ-fluent, real };
    };
    cpfs {
        moist'(?b) = max[0.0, min[1.0, moist(?b) + water(?b) - 0.1]];
        felt(?b) = moist'(?b);
    };
    reward = sum_{?b : bed} [moist(?b) - water(?b) + 2 * weed(?b) + seeds(?b)];
    action-preconditions {
        forall_{?b : bed} [water(?b) >= 0.0];
        forall_{?b : bed} [water(?b) <= MOST(?b)];
        forall_{?b : bed} [seeds(?b) >= 0];
    };
}
non-fluents nf { domain = beds; objects { bed : { b1, b2 }; }; non-fluents { MOST(b2) = 0.75; }; }
instance i { domain = beds; non-fluents = nf; max-nondef-actions = pos-inf; horizon = 10; discount = 1.0; }
"""


@pytest.mark.parametrize("is_hidden", [False, True])
def test_prompts_of_rddl_are_complete(is_hidden: bool) -> None:
    text = BEDS
    if not is_hidden:
        text = BEDS.replace("        felt(bed) : { observ-fluent, real };\n", "")
        text = text.replace("        felt(?b) = moist'(?b);\n", "")
    env = texts.make(text)
    first = env.reset(seed=1)
    listed = first[first.index("Valid actions:") :].split("\n\n")[0].splitlines()
    assert "- set water of bed b1 to a number from 0 to 0.5" in listed, listed
    assert "- set water of bed b2 to a number from 0 to 0.75" in listed
    assert "- set seeds of bed b1 to a whole number of at least 0" in listed
    assert sum(line.startswith("- ") for line in listed) == 4 == len(env.number_actions())
    assert any(line.endswith("weed bed b1") or "weed" in line for line in listed if line[0].isdigit())
    for part in ("MOST", "reward =", "b1", "action-preconditions"):
        assert part in first, part
    later, reward, *_, info = env.step("set water of bed b1 to 0.25; weed bed b2")
    assert info["fault"] is None, info
    assert "- set water of bed b1 to a number from 0 to 0.5" in later and reward == pytest.approx(0.4 - 0.25 + 2)
    assert env.step("set water of bed b1 to 0.6")[4]["fault"] is not None
    assert "reward =" not in texts.make(text, show_domain=False).reset()
    assert "(:action" not in texts.make("blocks", "train/01").reset()
