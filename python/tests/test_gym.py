"""Environments for agents: the protocol of Gymnasium, and schedules equal to those of policies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import batchlab
from batchlab import Trace, replay
from batchlab.gym import JOB_FEATURES, MACHINE_FEATURES, RLSCHEDULER, SchedulingEnv, SchedulingVectorEnv
from conftest import DATA, read

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="session")
def harbour() -> Trace:
    """The first 1,500 jobs of a busy machine."""
    trace = read(DATA / "harbour-128.swf.gz")
    return trace.shape('[[step]]\nkind = "filter"\nkeep = "job <= 1500"\n')


@pytest.mark.parametrize("observation", ["native", "rlscheduler", "cqgym"])
@pytest.mark.parametrize("options", [{}, {"length": 64, "reward": "wait"}, {"commit": True}, {"backfill": False}])
def test_the_checker_of_gymnasium_passes(harbour: Trace, observation: Any, options: dict[str, Any]) -> None:
    check_env(SchedulingEnv(harbour, observation=observation, **options), skip_render_check=True)


def test_the_trace_alone_is_enough(harbour: Trace) -> None:
    env = gymnasium.make("batchlab/Scheduling-v0", trace=harbour)
    observation, info = env.reset(seed=1)
    assert observation.shape == (128 * len(JOB_FEATURES) + len(MACHINE_FEATURES),) and observation.dtype == np.float32
    assert info["action_mask"].shape == (129,) and env.action_space.n == 129  # type: ignore[attr-defined]
    assert SchedulingEnv(str(DATA / "harbour-128.swf.gz"), observation="rlscheduler").observation_space.shape == (128, 8)
    assert SchedulingEnv(harbour, observation="cqgym", window=16).observation_space.shape == (2 * 16 + 128, 2)


Score = Callable[[float, tuple[int, float, float, int]], float]

#: Score of a waiting job by the instant and its number, submission, request and processors; the lowest is served first.
HEURISTICS: dict[str, Score] = {
    "fcfs": lambda now, job: job[1],
    "sjf": lambda now, job: job[2],
    "wfp3": lambda now, job: -job[3] * ((now - job[1]) / max(job[2], 1)) ** 3,
    "unicef": lambda now, job: -(now - job[1]) / (np.log2(max(job[3], 2)) * max(job[2], 1)),
    "f1": lambda now, job: np.log10(max(job[2], 1)) * job[3] + 870 * np.log10(max(job[1], 1)),
}


def play(env: SchedulingEnv, score: Score, seed: int | None = 1) -> tuple[float, int]:
    """Play an episode by always taking the best valid job; return the sum of rewards, and the longest window."""
    _, info = env.reset(seed=seed)
    total, most, over = 0.0, 0, False
    while not over:
        window, now = env.window(), env.now or 0.0
        valid = [at for at in range(len(window)) if info["action_mask"][at]]
        best = min(valid, key=lambda at: (score(now, window[at]), at))
        _, reward, over, _, info = env.step(best)
        assert not info["invalid"]
        total, most = total + reward, max(most, len(window))
    return total, most


@pytest.mark.parametrize("rule", ["easy", "fcfs"])
@pytest.mark.parametrize("order", HEURISTICS)
def test_a_heuristic_gives_the_schedule_of_its_order(harbour: Trace, rule: str, order: str) -> None:
    env = SchedulingEnv(harbour, window=1024, backfill=rule == "easy")
    total, most = play(env, HEURISTICS[order])
    assert 10 < most < 1024
    outcome = env.outcome
    assert outcome is not None and outcome.verify() == []
    expected = replay(harbour, f"{rule}:order={order}")
    assert outcome.jobs[["start", "end"]].equals(expected.jobs[["start", "end"]])
    assert total == pytest.approx(-expected.metrics["mean_bsld"])
    assert outcome.policy == "agent"
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(outcome)


@pytest.mark.parametrize("action", ["now", None, 2.5, np.nan, [1, 2], np.array([1, 2]), np.array([1]), (), {}])
def test_an_action_that_is_no_integer_is_a_type_error(harbour: Trace, action: Any) -> None:
    env = SchedulingEnv(harbour)
    before, _ = env.reset(seed=1)
    with pytest.raises(TypeError, match="an action is an integer, the place of a job in the window, not "):
        env.step(action)
    assert (env.reset(seed=1)[0] == before).all()


@pytest.mark.parametrize("action", [np.int64(0), np.array(0), np.uint8(0), 0])
def test_integers_of_numpy_are_actions(harbour: Trace, action: Any) -> None:
    env = SchedulingEnv(harbour)
    env.reset(seed=1)
    assert not env.step(action)[4]["invalid"]


def test_a_step_before_a_reset_is_an_error(harbour: Trace) -> None:
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        SchedulingEnv(harbour).step(0)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        SchedulingVectorEnv(harbour, 2).step([0, 0])


@pytest.mark.parametrize("action", [-1, 10**30, 129, 500])
def test_an_invalid_action_has_no_effect_but_the_penalty(harbour: Trace, action: Any) -> None:
    env = SchedulingEnv(harbour, penalty=2.5)
    before, _ = env.reset(seed=1)
    after, reward, terminated, truncated, info = env.step(action)
    assert (after == before).all() and reward == -2.5 and info["invalid"]
    assert not terminated and not truncated


def test_seeds_draw_episodes(harbour: Trace) -> None:
    env = SchedulingEnv(harbour, length=100)
    drawn = []
    for seed in (1, 1, 2, None):
        observation, _ = env.reset(seed=seed)
        drawn.append((env.jobs, observation.tobytes()))
    assert drawn[0] == drawn[1] != drawn[2] and len({jobs for jobs, _ in drawn}) == 3
    assert all(len(jobs) == 100 for jobs, _ in drawn)
    play(env, HEURISTICS["sjf"])
    outcome = env.outcome
    assert outcome is not None and len(outcome.jobs) == 100


def test_observations_are_the_callers(harbour: Trace) -> None:
    env = SchedulingEnv(harbour)
    first, info = env.reset(seed=1)
    copy = first.copy()
    jobs, machine = env.split(first)
    assert jobs.shape == (128, 8) and machine.shape == (1, 12) and jobs[0, 0] == 1
    env.step(info["action_mask"].argmax())
    assert (first == copy).all()
    first[:] = 0.5
    again, _ = env.reset(seed=1)
    assert (again == copy).all()
    assert env.action_masks().dtype == np.bool_ and env.action_masks()[0]


def test_options_that_are_wrong_are_told(harbour: Trace) -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"window": 0}, ValueError, "window=0 is not between 1"),
        ({"length": 10**6}, ValueError, "length=1000000 is not between 1 and the 1500 jobs"),
        ({"reward": "fun"}, ValueError, "bsld, wait, utilization, fairness"),
        ({"observation": "all"}, ValueError, "native, rlscheduler, cqgym"),
        ({"penalty": -1}, ValueError, "penalty=-1 is not a finite number"),
        ({"window": "wide"}, TypeError, "str"),
        ({"prefix_jobs": 1500}, ValueError, "prefix_jobs=1500 leaves too few of the 1500 jobs"),
        ({"prefix_jobs": 1400, "length": 101}, ValueError, "prefix_jobs=1400 leaves too few"),
        ({"skip": False}, ValueError, "skip=False needs commit=True"),
        ({"render_mode": "human"}, ValueError, "neither None nor 'rgb_array'"),
        ({"nodes": 4}, ValueError, "an environment cannot have a machine with nodes"),
        ({"windw": 3}, batchlab.UsageError, "unknown option `windw`"),
    ]
    for options, error, match in wrong:
        with pytest.raises(error, match=match):
            SchedulingEnv(harbour, **options)
    with pytest.raises(TypeError, match="a Trace or the path of a log"):
        SchedulingEnv(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("copy", [True, False])
def test_a_vector_is_its_environments(harbour: Trace, copy: bool) -> None:
    options: dict[str, Any] = {"length": 60, "window": 16}
    vector = SchedulingVectorEnv(harbour, 3, copy=copy, **options)
    single = [SchedulingEnv(harbour, **options) for _ in range(3)]
    seen, info = vector.reset(seed=5)
    alone = [env.reset(seed=5 + at) for at, env in enumerate(single)]
    over = [False] * 3
    kept = []
    for _ in range(300):
        kept.append((seen, seen.copy()))
        assert vector.observation_space.contains(np.asarray(seen))
        for at in range(3):
            assert (seen[at] == alone[at][0]).all()
            assert (info["action_mask"][at] == alone[at][1]["action_mask"]).all()
        actions = [int(mask.argmax()) for mask in info["action_mask"]]
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for at, env in enumerate(single):
            if over[at]:
                alone[at], reward, over[at] = env.reset(), 0.0, False
            else:
                observation, reward, over[at], _, told = env.step(actions[at])
                alone[at] = observation, told
            assert rewards[at] == reward and terminated[at] == over[at] and not truncated[at]
            assert (vector.outcome(at) is not None) == over[at]
    assert all((array == copied).all() for array, copied in kept)
    _, _, _, _, info = vector.step([99, 0, -3])
    assert info["invalid"][0] and info["invalid"][2]
    for wrong in ([0.5, 0, 0], ["now", 0, 0], [[0, 0, 0]], 0, None):
        with pytest.raises(TypeError, match="actions are integers in a row"):
            vector.step(wrong)
    with pytest.raises(ValueError, match="2 actions for 3 environments"):
        vector.step([0, 0])
    with pytest.raises(ValueError, match="at least one environment"):
        SchedulingVectorEnv(harbour, 0)


def play_first(env: SchedulingEnv, steps: int | None = None) -> list[float]:
    """Take the first valid action until the episode is over, or so many times; return the rewards."""
    rewards: list[float] = []
    over = False
    while not over and (steps is None or len(rewards) < steps):
        _, reward, over, _, _ = env.step(int(env.action_masks().argmax()))
        rewards.append(float(reward))
    return rewards


def double(env: SchedulingEnv) -> float:
    """Twice the wait of the jobs that the step has started, negated."""
    return -2.0 * sum(job.wait for job in env.started)


def look(env: SchedulingEnv) -> Any:
    """The instant, and the number of jobs that may be chosen."""
    return np.array([env.now or 0.0, len(env.window())])


@pytest.mark.parametrize("copied", [lambda env: pickle.loads(pickle.dumps(env)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("options", [{}, {"reward": double, "observation": look}, {"prefix_jobs": 30}, RLSCHEDULER])
def test_a_copy_goes_on_by_itself(
    harbour: Trace, copied: Callable[[SchedulingEnv], SchedulingEnv], options: dict[str, Any]
) -> None:
    env = SchedulingEnv(harbour, **{"length": 60, **options})
    env.reset(seed=3)
    env.reset()
    play_first(env, 20)
    again = copied(env)
    assert (again.now, again.jobs, again.starts, again.started) == (env.now, env.jobs, env.starts, env.started)
    ours = play_first(env)
    assert ours and play_first(again) == ours
    assert env.outcome is not None and again.outcome is not None
    assert env.outcome.jobs.equals(again.outcome.jobs)
    env.reset()
    again.reset()
    assert env.jobs == again.jobs


def test_a_vector_can_be_pickled(harbour: Trace) -> None:
    vector = SchedulingVectorEnv(harbour, 2, length=40, window=8)
    _, info = vector.reset(seed=5)
    for _ in range(100):
        _, _, _, _, info = vector.step(info["action_mask"].argmax(axis=1))
    again = pickle.loads(pickle.dumps(vector))
    for _ in range(20):
        actions = info["action_mask"].argmax(axis=1)
        (ours, reward, _, _, info), (theirs, same, _, _, _) = vector.step(actions), again.step(actions)
        assert (ours == theirs).all() and (reward == same).all()


def test_rewards_and_observations_may_be_functions(harbour: Trace) -> None:
    env = SchedulingEnv(harbour, length=100, reward=double, observation=look)
    check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (2,) and env.observation_space.shape == (2,)
    total = sum(play_first(env))
    assert env.outcome is not None and env.outcome.metrics["mean_wait"] > 0
    assert total == pytest.approx(-2 * 100 * env.outcome.metrics["mean_wait"])
    env.reset(seed=1)
    assert env.step(500)[1] == -1.0
    box = gymnasium.spaces.Box(0, 1, (2,))
    assert SchedulingEnv(harbour, observation=look, observation_space=box).observation_space is box
    with pytest.raises(TypeError, match="an array of numbers"):
        SchedulingEnv(harbour, observation=lambda env: "busy")
    with pytest.raises(TypeError, match="SyncVectorEnv"):
        SchedulingVectorEnv(harbour, 2, reward=double)  # type: ignore[arg-type]
    several = gymnasium.vector.SyncVectorEnv([lambda: SchedulingEnv(harbour, reward=double)] * 2)
    several.reset(seed=1)


def test_an_episode_is_drawn_as_pixels(small: Trace) -> None:
    assert SchedulingEnv(small).render() is None
    env = SchedulingEnv(small, render_mode="rgb_array")
    check_env(env)
    env.reset(seed=1)
    assert (env.render() == 255).all()
    play_first(env)
    pixels = env.render()
    assert pixels.shape == (240, 640, 3) and pixels.dtype == np.uint8
    # The jobs are of one user: job 1 on all processors for 10 s, job 2 for 5 s, job 3 on one of the four for 3 s.
    busy = (pixels != 255).any(axis=2)
    first, second, third = 640 * 10 // 18, 640 * 15 // 18, 640
    assert busy[:, :first].all() and busy[:, first + 1 : second].all()
    assert busy[:60, second + 1 : third].all() and not busy[60:, second + 1 : third].any()


@pytest.mark.parametrize("reward", ["bsld", "wait", "utilization", "fairness"])
@pytest.mark.parametrize("commit", [False, True])
def test_an_episode_begins_on_a_machine_with_work(harbour: Trace, reward: Any, commit: bool) -> None:
    env = SchedulingEnv(harbour, length=80, prefix_jobs=200, reward=reward, commit=commit)
    env.reset(seed=4)
    first = env.jobs.start
    assert len(env.jobs) >= 80 and first >= 200 and env.started == []
    submit = harbour["submit"]
    assert env.now is not None and env.now >= submit[first]
    assert {job.submit < submit[first] for job in env.starts} == {True}, "only earlier jobs have started"
    busy = sum(job.procs for job in env.starts if job.end > env.now)
    assert busy > 0
    total = sum(play_first(env))
    assert env.outcome is not None and env.outcome.verify() == []
    assert len(env.outcome.jobs) == 200 + 80
    if reward == "utilization":
        # Of the machine, also by the jobs before the episode, from its first submission to the last end of all.
        begin, end = float(submit[first]), max(job.end for job in env.starts)
        used = sum(job.procs * max(0.0, job.end - max(begin, job.start)) for job in env.starts)
        assert total == pytest.approx(used / (env.procs * (end - begin)))
    else:
        sign, key = {"bsld": (-1, "mean_bsld"), "wait": (-1, "mean_wait"), "fairness": (1, "jain")}[reward]
        assert total == pytest.approx(sign * env.outcome.metrics[key])


def test_a_prefix_is_scheduled_as_easy_does(harbour: Trace) -> None:
    env = SchedulingEnv(harbour, prefix_jobs=400, window=1024)
    env.reset(seed=1)
    play(env, HEURISTICS["fcfs"], seed=None)
    assert env.outcome is not None
    assert env.outcome.jobs[["start", "end"]].equals(replay(harbour, "easy").jobs[["start", "end"]])


def test_the_shapes_are_those_of_rlscheduler(harbour: Trace) -> None:
    env = SchedulingEnv(harbour, **RLSCHEDULER)
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=1)
    assert observation.shape == (1024,) and env.observation_space.shape == (1024,)
    assert env.action_space == gymnasium.spaces.Discrete(128) and info["action_mask"].shape == (128,)
    assert len(env.jobs) == 256 and env.action_masks().shape == (128,)
    matrix = SchedulingEnv(harbour, **{**RLSCHEDULER, "flat": False}).reset(seed=1)[0]
    assert (observation.reshape(128, 8) == matrix).all()
    # An empty place: it has waited for nothing, its other values are one, and it cannot start.
    assert (matrix[-1] == [0, 1, 1, 1, 1, 1, 1, 0]).all()
    assert info["action_mask"][0] == 1 and env.step(128)[4]["invalid"]
    play_first(env)
    assert env.outcome is not None and env.outcome.verify() == []
    made: Any = gymnasium.make("batchlab/RLScheduler-v0", trace=harbour)
    assert made.reset(seed=1)[0].shape == (1024,) and made.action_space.n == 128
    vector = SchedulingVectorEnv(harbour, 3, **RLSCHEDULER)
    assert vector.reset(seed=1)[0].shape == (3, 1024)
    assert vector.action_space == gymnasium.spaces.MultiDiscrete([128] * 3)
    assert vector.step([128, 0, 0])[4]["invalid"].tolist() == [True, False, False]
