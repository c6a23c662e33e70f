"""Replays as Gymnasium environments, for agents that learn to schedule.

>>> import batchlab
>>> from batchlab.gym import SchedulingEnv
>>> env = SchedulingEnv(batchlab.Trace.read("KTH-SP2-1996-2.1-cln.swf.gz"), length=256)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())

An action is the place of a job among the first ``window`` waiting jobs in the order of submission, or ``window``: go on.
The agent makes EASY's choices: it chooses a head; a head that fits starts, one that does not gets a reservation, and then the
agent chooses among the jobs that may start without delaying it, or goes on to the next event.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv

from batchlab import _batchlab
from batchlab._replay import Outcome, _Replays
from batchlab._trace import Trace
from batchlab._words import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]

__all__ = ["SchedulingEnv", "SchedulingVectorEnv"]

#: Options of the environment itself; all others are those of a replay.
_OWN = ("window", "backfill", "commit", "observation", "reward", "length", "penalty", "patience")

#: Columns of a job, and of the machine, in native observations.
JOB_FEATURES = (
    "present", "wait", "request", "procs", "fits", "valid", "reserved", "held by its user",
)  # fmt: skip
MACHINE_FEATURES = (
    "free", "waiting", "free in 1 min", "free in 10 min", "free in 1 h", "free in 4 h", "free in 12 h", "free in 1 d",
    "free in 3 d", "is reserved", "shadow time", "extra",
)  # fmt: skip


def _split(options: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, list[str]]]]:
    own = {name: options.pop(name) for name in _OWN if name in options}
    # A log with dependencies or cancelled jobs works by itself, too.
    given = {"dependencies": "ignore", "cancel": "ignore", **options}
    return own, words(given)


def _trace(trace: Trace | str | os.PathLike[str]) -> Trace:
    if isinstance(trace, (str, os.PathLike)):
        return Trace.read(trace, progress=False)
    if not isinstance(trace, Trace):
        raise TypeError(f"a Trace or the path of a log is wanted, not {type(trace).__name__}")
    return trace


def _shape(observation: str, jobs: Sequence[int], machine: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of an observation: one matrix, or everything in a row."""
    if machine[0] == 0:
        return jobs[0], jobs[1]
    if observation == "cqgym":
        return jobs[0] + machine[0], jobs[1]
    return (jobs[0] * jobs[1] + machine[0] * machine[1],)


class SchedulingEnv(gymnasium.Env["Floats", Any]):
    """A log whose jobs an agent schedules, on a pool of processors.

    ``trace``
        A log, or its path.
    ``window = 128``
        Number of waiting jobs to choose from.
    ``observation = "native"``
        ``native``: of each job of the window :data:`JOB_FEATURES`, then :data:`MACHINE_FEATURES`, in one row
        (:meth:`split` cuts it). ``rlscheduler``: its box of 8 values a job (Zhang et al., SC 2020). ``cqgym``: its matrix of
        two columns, jobs and processors. All values are float32 within [0, 1].
    ``reward = "bsld"``
        ``bsld``, ``wait``, ``utilization`` or ``fairness``: what an episode's rewards sum up to, without penalties, is minus
        the mean bounded slowdown, minus the mean wait in seconds, the utilization, Jain's index of users' slowdowns.
    ``length = None``
        Number of successive jobs of an episode, drawn by the seed; all of them by default.
    ``backfill = True``
        Whether jobs may start behind a head that does not fit.
    ``commit = False``
        RLScheduler's rule: the chosen job is waited for.
    ``penalty = 1.0``, ``patience = 10``
        What an invalid action costs, and after how many in a row the environment goes on by itself.

    Other options are those of ``batchlab replay``, such as ``procs``, ``load``, ``estimate``, ``seed``.

    ``info`` has ``action_mask`` (int8, as ``action_space.sample(mask)`` takes it) and ``invalid``: an invalid action has no
    effect but the penalty.
    """

    metadata = {"render_modes": []}

    def __init__(self, trace: Trace | str | os.PathLike[str], **options: Any) -> None:
        self.trace = _trace(trace)
        own, given = _split(options)
        self._given = given
        self._native = _batchlab.Environment(self.trace._native, given, own)
        self._shape = _shape(str(own.get("observation", "native")), *self._native.shape)
        self.action_space = Discrete(self._native.actions)
        self.observation_space = Box(0.0, 1.0, self._shape, numpy.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode: its jobs are drawn by the seed, or follow in the stream of the seed before."""
        super().reset(seed=seed)
        observation, mask = self._native.reset(seed)
        return self._seen(observation), {"action_mask": _mask(mask), "invalid": False}

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Take an action. After the end of the episode nothing happens."""
        observation, reward, terminated, invalid, mask = self._native.step(action)
        return self._seen(observation), reward, terminated, False, {"action_mask": _mask(mask), "invalid": invalid}

    def _seen(self, observation: bytes) -> Floats:
        return numpy.frombuffer(observation, numpy.float32).reshape(self._shape).copy()

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Return which actions are valid, as sb3-contrib's maskable algorithms ask for it."""
        return numpy.frombuffer(self._native.mask(), numpy.bool_).copy()

    def split(self, observation: Floats) -> tuple[Floats, Floats]:
        """Return the rows of the jobs and those of the machine in an observation."""
        (rows, columns), machine = self._native.shape
        values = observation.reshape(-1)
        return values[: rows * columns].reshape(rows, columns), values[rows * columns :].reshape(machine)

    @property
    def jobs(self) -> range:
        """The positions of the episode's jobs among those that are replayed."""
        return range(*self._native.jobs)

    @property
    def now(self) -> float | None:
        """The instant, in seconds from the log's zero; ``None`` after the end of the episode."""
        return self._native.now

    def window(self) -> list[tuple[int, float, float, int]]:
        """Return of each job that may be chosen, by action: number in the log, submission, request, processors."""
        return self._native.window()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the episode, when it is over: its jobs, metrics and plots."""
        return _outcome(self.trace, self._native.outcome())


class SchedulingVectorEnv(VectorEnv["Floats", Any, Any]):
    """Several environments of a log, stepped together on all cores: as :class:`SchedulingEnv`, ``num_envs`` times.

    The i-th environment is reset with the seed + i. An episode that is over is followed by the next one at the next step, whose
    action is ignored (``AutoresetMode.NEXT_STEP``).
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, trace: Trace | str | os.PathLike[str], num_envs: int, *, copy: bool = True, **options: Any) -> None:
        self.trace, self.num_envs, self._copy = _trace(trace), num_envs, copy
        own, given = _split(options)
        self._native = _batchlab.Environments(self.trace._native, given, own, num_envs)
        self._shape = (num_envs, *_shape(str(own.get("observation", "native")), *self._native.shape))
        actions = self._native.actions
        self.single_action_space = Discrete(actions)
        self.action_space = MultiDiscrete([actions] * num_envs)
        self.single_observation_space = Box(0.0, 1.0, self._shape[1:], numpy.float32)
        self.observation_space = Box(0.0, 1.0, self._shape, numpy.float32)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode in each environment."""
        if isinstance(seed, list):
            raise TypeError("one seed is taken: the i-th environment has the seed + i")
        super().reset(seed=seed)
        observations, masks = self._native.reset(seed)
        return self._seen(observations), self._info(masks, numpy.zeros(self.num_envs, numpy.bool_))

    def step(
        self, actions: Any
    ) -> tuple[Floats, NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Take an action in each environment."""
        observations, rewards, over, invalid, masks = self._native.step(numpy.asarray(actions).tolist())
        return (
            self._seen(observations),
            numpy.frombuffer(rewards, numpy.float64).copy(),
            numpy.frombuffer(over, numpy.bool_).copy(),
            numpy.zeros(self.num_envs, numpy.bool_),
            self._info(masks, numpy.frombuffer(invalid, numpy.bool_).copy()),
        )

    def _seen(self, observations: _batchlab.Observations) -> Floats:
        # Without a copy the array is read-only; it stays as it is as long as it is kept.
        made: Floats = numpy.array(observations, copy=self._copy or None)
        return made.reshape(self._shape)

    def _info(self, masks: bytes, invalid: NDArray[numpy.bool_]) -> dict[str, Any]:
        mask = numpy.frombuffer(masks, numpy.int8).reshape(self.num_envs, -1)
        each = numpy.ones(self.num_envs, numpy.bool_)
        return {"action_mask": mask, "_action_mask": each, "invalid": invalid, "_invalid": each}

    def outcome(self, at: int) -> Outcome | None:
        """Return the outcome of the episode of an environment, when it is over and before the next one begins."""
        return _outcome(self.trace, self._native.outcome(at))


def _mask(mask: bytes) -> NDArray[numpy.int8]:
    return numpy.frombuffer(mask, numpy.int8)


def _outcome(trace: Trace, native: _batchlab.Replays | None) -> Outcome | None:
    return None if native is None else Outcome(_Replays.of_agent(trace, native), 0)


gymnasium.register(id="batchlab/Scheduling-v0", entry_point="batchlab.gym:SchedulingEnv")
