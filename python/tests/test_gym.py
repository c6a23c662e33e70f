"""Environments for agents: the protocol of Gymnasium, and schedules equal to those of policies."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import batchlab
from batchlab import Trace, replay
from batchlab.gym import JOB_FEATURES, MACHINE_FEATURES, SchedulingEnv, SchedulingVectorEnv
from conftest import DATA, read

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="session")
def harbour() -> Trace:
    """The first 1,500 jobs of a busy machine."""
    trace = read(DATA / "harbour-128.swf.gz")
    return trace.shape('[[step]]\nkind = "filter"\nkeep = "job <= 1500"\n')


@pytest.mark.parametrize("observation", ["native", "rlscheduler", "cqgym"])
@pytest.mark.parametrize("options", [{}, {"length": 64, "reward": "wait"}, {"commit": True}, {"backfill": False}])
def test_the_checker_of_gymnasium_passes(harbour: Trace, observation: str, options: dict[str, Any]) -> None:
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


def play(env: SchedulingEnv, score: Score) -> tuple[float, int]:
    """Play an episode by always taking the best valid job; return the sum of rewards, and the longest window."""
    _, info = env.reset(seed=1)
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


@pytest.mark.parametrize("action", [-1, 10**30, 129, 500, "now", None, 2.5, np.nan, [1, 2], np.array([1, 2])])
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
    options = {"length": 60, "window": 16}
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
    with pytest.raises(ValueError, match="2 actions for 3 environments"):
        vector.step([0, 0])
    with pytest.raises(ValueError, match="at least one environment"):
        SchedulingVectorEnv(harbour, 0)
