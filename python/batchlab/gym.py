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

import copy
import operator
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import gymnasium
import numpy
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete, MultiDiscrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv

from batchlab import _batchlab
from batchlab._options import ReplayOptions
from batchlab._replay import Outcome, _Replays
from batchlab._trace import Trace
from batchlab._words import words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self, Unpack

    Floats = NDArray[numpy.float32]

__all__ = ["RLSCHEDULER", "EnvironmentOptions", "SchedulingEnv", "SchedulingVectorEnv", "Started"]

#: What an observation contains, by name.
Observation = Literal["native", "rlscheduler", "cqgym"]
#: What is rewarded, by name.
Reward = Literal["bsld", "wait", "utilization", "fairness"]

#: The options with which an environment has the shapes and the rules of RLScheduler, without backfilling: 1,024 values in a row
#: (128 jobs × 8), 128 actions, a chosen job is waited for, episodes of 256 jobs. Zhang, Dai, He, Bao, Xie, "RLScheduler: An
#: Automated HPC Batch Job Scheduler Using Reinforcement Learning", SC 2020; ``HPCSimPickJobs.py`` of
#: github.com/DIR-LAB/deep-batch-scheduler at commit 05eacf9d (``HPCEnv``: ``MAX_QUEUE_SIZE``, ``JOB_FEATURES``,
#: ``JOB_SEQUENCE_SIZE``, ``build_observation``).
RLSCHEDULER: dict[str, Any] = {
    "window": 128,
    "observation": "rlscheduler",
    "flat": True,
    "skip": False,
    "commit": True,
    "backfill": False,
    "length": 256,
}

#: Columns of a job, and of the machine, in native observations.
JOB_FEATURES = (
    "present", "wait", "request", "procs", "fits", "valid", "reserved", "held by its user",
)  # fmt: skip
MACHINE_FEATURES = (
    "free", "waiting", "free in 1 min", "free in 10 min", "free in 1 h", "free in 4 h", "free in 12 h", "free in 1 d",
    "free in 3 d", "is reserved", "shadow time", "extra",
)  # fmt: skip



class EnvironmentOptions(ReplayOptions, total=False):
    """Options of an environment, and of several that are stepped together; the others are those of a replay."""

    window: int
    """Number of waiting jobs to choose from [default: 128]."""
    length: int | None
    """Number of successive jobs of an episode, drawn by the seed [default: all jobs of the log]."""
    prefix_jobs: int
    """Number of jobs before the episode that are simulated and not measured, so that it begins on a machine with work [default: 0]."""
    backfill: bool
    """Whether jobs may start behind a head that does not fit [default: True]."""
    commit: bool
    """RLScheduler's rule: the chosen job is waited for [default: False]."""
    flat: bool
    """Whether an observation is one row of values, whatever its layout [default: False]."""
    skip: bool
    """Whether there is an action to go on, the last one; False needs commit [default: True]."""
    penalty: float
    """What an invalid action costs [default: 1.0]."""
    patience: int
    """After how many invalid actions in a row the environment goes on by itself [default: 10]."""


#: The options of an environment that are not those of a replay, with their defaults.
_DEFAULTS = EnvironmentOptions(
    window=128,
    length=None,
    prefix_jobs=0,
    backfill=True,
    commit=False,
    flat=False,
    skip=True,
    penalty=1.0,
    patience=10,
)


class Started(NamedTuple):
    """A job that has started. Times are in seconds, instants from the log's zero."""

    number: int
    submit: float
    start: float
    run: float
    request: float
    procs: int
    user: int

    @property
    def end(self) -> float:
        """When it ends."""
        return self.start + self.run

    @property
    def wait(self) -> float:
        """How long it waited."""
        return self.start - self.submit


def _options(options: EnvironmentOptions) -> tuple[dict[str, Any], list[tuple[str, list[str]]]]:
    """Return the options of an environment, those that are not given with their defaults, and the words of those of a replay."""
    own: dict[str, Any] = {**_DEFAULTS, **{name: value for name, value in options.items() if name in _DEFAULTS}}
    if not own["skip"] and not own["commit"]:
        raise ValueError("skip=False needs commit=True: otherwise some choices have no other valid action than to go on")
    replay = {name: value for name, value in options.items() if name not in _DEFAULTS}
    # A log with dependencies or cancelled jobs works by itself, too.
    return own, words({"dependencies": "ignore", "cancel": "ignore", **replay})


def _action(action: Any) -> int:
    """Return an action as an integer."""
    try:
        return operator.index(action)
    except TypeError:
        given = repr(action) if isinstance(action, (str, float)) else type(action).__name__
        raise TypeError(f"an action is an integer, the place of a job in the window, not {given}") from None


def _trace(trace: Trace | str | os.PathLike[str]) -> Trace:
    if isinstance(trace, (str, os.PathLike)):
        return Trace.read(trace, progress=False)
    if not isinstance(trace, Trace):
        raise TypeError(f"a Trace or the path of a log is wanted, not {type(trace).__name__}")
    return trace


def _shape(observation: str, flat: bool, jobs: Sequence[int], machine: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of an observation: one matrix, or everything in a row."""
    if flat:
        return (jobs[0] * jobs[1] + machine[0] * machine[1],)
    if machine[0] == 0:
        return jobs[0], jobs[1]
    if observation == "cqgym":
        return jobs[0] + machine[0], jobs[1]
    return (jobs[0] * jobs[1] + machine[0] * machine[1],)


class SchedulingEnv(gymnasium.Env[Any, Any]):
    """A log whose jobs an agent schedules, on a pool of processors.

    ``trace``
        A log, or its path.
    ``window = 128``
        Number of waiting jobs to choose from.
    ``observation = "native"``
        ``native``: of each job of the window :data:`JOB_FEATURES`, then :data:`MACHINE_FEATURES`, in one row
        (:meth:`split` cuts it). ``rlscheduler``: its box of 8 values a job (Zhang et al., SC 2020). ``cqgym``: its matrix of
        two columns, jobs and processors. All values are float32 within [0, 1]. Or a function of the environment, which returns
        an array; ``observation_space`` is its space, by default a box without bounds of the shape of the first one.
    ``reward = "bsld"``
        ``bsld``, ``wait``, ``utilization`` or ``fairness``: what an episode's rewards sum up to, without penalties, is minus
        the mean bounded slowdown, minus the mean wait in seconds, the utilization, Jain's index of users' slowdowns. Or a
        function of the environment that returns what the step is worth: :attr:`started` has the jobs that it started.
    ``length = None``
        Number of successive jobs of an episode, drawn by the seed; all of them by default.
    ``prefix_jobs = 0``
        Number of jobs before the episode that are simulated and not measured, so that it begins on a machine with work: EASY in
        the order of submission schedules them until the first job of the episode is submitted. The reward ``utilization`` is that
        of the machine from then on; the metric of this name has the time before, too.
    ``backfill = True``
        Whether jobs may start behind a head that does not fit.
    ``commit = False``
        RLScheduler's rule: the chosen job is waited for.
    ``flat = False``
        Whether an observation is one row of values, whatever its layout.
    ``skip = True``
        Whether there is an action to go on, the last one; ``False`` needs ``commit``.
    ``penalty = 1.0``, ``patience = 10``
        What an invalid action costs, and after how many in a row the environment goes on by itself.
    ``render_mode = None``
        ``rgb_array``: :meth:`render` returns a Gantt chart of the episode so far.

    ``SchedulingEnv(trace, **RLSCHEDULER)`` has RLScheduler's shapes. Other options are those of ``batchlab.replay``, such as
    ``procs``, ``load``, ``estimate``, ``seed``; :class:`EnvironmentOptions` has all of them with their types.

    ``info`` has ``action_mask`` (int8, as ``action_space.sample(mask)`` takes it) and ``invalid``: an invalid action has no
    effect but the penalty. An environment can be pickled and copied, also within an episode: it is played again.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}

    def __init__(
        self,
        trace: Trace | str | os.PathLike[str],
        *,
        observation: Observation | Callable[[SchedulingEnv], Any] = "native",
        observation_space: Space[Any] | None = None,
        reward: Reward | Callable[[SchedulingEnv], float] = "bsld",
        render_mode: Literal["rgb_array"] | None = None,
        **options: Unpack[EnvironmentOptions],
    ) -> None:
        own, given = _options(options)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: {render_mode!r} is neither None nor 'rgb_array'")
        self.trace = _trace(trace)
        self.render_mode = render_mode
        self._observe = observation if callable(observation) else None
        self._reward = reward if callable(reward) else None
        layout = "native" if callable(observation) else observation
        own.update(observation=layout, reward="bsld" if callable(reward) else reward)
        self._penalty, self._skip, flat = float(own["penalty"]), own.pop("skip"), own.pop("flat")
        self._made_of = (own, given)
        self._native = _batchlab.Environment(self.trace._native, given, own)
        self._shape = _shape(layout, flat, *self._native.shape)
        self._actions = self._native.actions - (not self._skip)
        # What was played: the last seed, the resets since then, the actions of the episode.
        self._seed: int | None = None
        self._resets = 0
        self._played: list[int] = []
        self._known_starts = 0
        self.action_space = Discrete(self._actions)
        if self._observe is None:
            self.observation_space = observation_space or Box(0.0, 1.0, self._shape, numpy.float32)
        else:
            self.observation_space = observation_space or _unbounded(self._observe(self))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: its jobs are drawn by the seed, or follow in the stream of the seed before."""
        super().reset(seed=seed)
        observation, mask = self._native.reset(seed)
        if seed is not None:
            self._seed, self._resets = seed, 0
        self._resets += 1
        self._played, self._known_starts = [], len(self._native.starts(0))
        return self._seen(observation), {"action_mask": self._mask(mask), "invalid": False}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action. After the end of the episode nothing happens."""
        place = _action(action)
        if self._resets == 0:
            raise ResetNeeded("the episode has not begun: call reset() first")
        self._known_starts += len(self._native.starts(self._known_starts))
        observation, reward, terminated, invalid, mask = self._native.step(self._within(place))
        self._played.append(place)
        if self._reward is not None:
            reward = float(self._reward(self)) - (self._penalty if invalid else 0.0)
        info = {"action_mask": self._mask(mask), "invalid": invalid}
        return self._seen(observation), reward, terminated, False, info

    def _within(self, place: int) -> int:
        # The native part has an action more.
        return place if self._skip or place < self._actions else -1

    def _seen(self, observation: bytes) -> Any:
        if self._observe is not None:
            return self._observe(self)
        return numpy.frombuffer(observation, numpy.float32).reshape(self._shape).copy()

    def _mask(self, mask: bytes) -> NDArray[numpy.int8]:
        return numpy.frombuffer(mask, numpy.int8)[: self._actions]

    @property
    def started(self) -> list[Started]:
        """The jobs that the last step has started, in the order of their starts."""
        return [Started(*job) for job in self._native.starts(self._known_starts)]

    @property
    def starts(self) -> list[Started]:
        """The jobs of the episode that have started so far, and those before it that were simulated only, in this order."""
        return [Started(*job) for job in self._native.starts(0)]

    @property
    def procs(self) -> int:
        """The processors of the machine."""
        return self._native.procs

    def render(self) -> Any:
        """Return a Gantt chart of the episode so far as an array of pixels (height × width × 3, uint8).

        Time goes from left to right up to now, processors from the top down, and each user has a colour. ``None`` without a
        ``render_mode``.
        """
        if self.render_mode is None:
            return None
        return _gantt(self.starts, self.procs, self.now)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_native": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        own, given = self._made_of
        self._native = _batchlab.Environment(self.trace._native, given, own)
        for at in range(self._resets):
            self._native.reset(self._seed if at == 0 else None)
        for place in self._played:
            self._native.step(self._within(place))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # A log does not change.
        memo[id(self.trace)] = self.trace
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        made.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return made

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Return which actions are valid, as sb3-contrib's maskable algorithms ask for it."""
        return numpy.frombuffer(self._native.mask(), numpy.bool_)[: self._actions].copy()

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

    def __init__(
        self,
        trace: Trace | str | os.PathLike[str],
        num_envs: int,
        *,
        copy: bool = True,
        observation: Observation = "native",
        reward: Reward = "bsld",
        **options: Unpack[EnvironmentOptions],
    ) -> None:
        own, given = _options(options)
        for name, value in (("observation", observation), ("reward", reward)):
            if callable(value):
                raise TypeError(f"`{name}` is a name here; gymnasium.vector.SyncVectorEnv steps environments with functions")
        self.trace, self.num_envs, self._copy = _trace(trace), num_envs, copy
        own.update(observation=observation, reward=reward)
        self._skip, flat = own.pop("skip"), own.pop("flat")
        self._made_of = (own, given)
        self._native = _batchlab.Environments(self.trace._native, given, own, num_envs)
        self._shape = (num_envs, *_shape(observation, flat, *self._native.shape))
        self._actions = self._native.actions - (not self._skip)
        # What was played: the last seed, the resets since then, and the actions since the last of them.
        self._seed: int | None = None
        self._resets: list[list[list[int]]] = []
        self.single_action_space = Discrete(self._actions)
        self.action_space = MultiDiscrete([self._actions] * num_envs)
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
        if seed is not None:
            self._seed, self._resets = seed, []
        self._resets.append([])
        return self._seen(observations), self._info(masks, numpy.zeros(self.num_envs, numpy.bool_))

    def step(
        self, actions: Any
    ) -> tuple[Floats, NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Take an action in each environment."""
        given = numpy.asarray(actions)
        if given.ndim != 1 or given.dtype.kind not in "iu" and not all(isinstance(one, int) for one in given.tolist()):
            raise TypeError(f"actions are integers in a row, one for each environment, not {given.dtype} of shape {given.shape}")
        if not self._resets:
            raise ResetNeeded("the episodes have not begun: call reset() first")
        places: list[int] = given.tolist()
        observations, rewards, over, invalid, masks = self._native.step(self._within(places))
        self._resets[-1].append(places)
        return (
            self._seen(observations),
            numpy.frombuffer(rewards, numpy.float64).copy(),
            numpy.frombuffer(over, numpy.bool_).copy(),
            numpy.zeros(self.num_envs, numpy.bool_),
            self._info(masks, numpy.frombuffer(invalid, numpy.bool_).copy()),
        )

    def _within(self, places: list[int]) -> list[int]:
        # The native part has an action more.
        return places if self._skip else [place if place < self._actions else -1 for place in places]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_native": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        own, given = self._made_of
        self._native = _batchlab.Environments(self.trace._native, given, own, self.num_envs)
        for at, played in enumerate(self._resets):
            self._native.reset(self._seed if at == 0 else None)
            for places in played:
                self._native.step(self._within(places))

    def _seen(self, observations: _batchlab.Observations) -> Floats:
        # Without a copy the array is read-only; it stays as it is as long as it is kept.
        made: Floats = numpy.array(observations, copy=self._copy or None)
        return made.reshape(self._shape)

    def _info(self, masks: bytes, invalid: NDArray[numpy.bool_]) -> dict[str, Any]:
        mask = numpy.frombuffer(masks, numpy.int8).reshape(self.num_envs, -1)[:, : self._actions]
        each = numpy.ones(self.num_envs, numpy.bool_)
        return {"action_mask": mask, "_action_mask": each, "invalid": invalid, "_invalid": each}

    def outcome(self, at: int) -> Outcome | None:
        """Return the outcome of the episode of an environment, when it is over and before the next one begins."""
        return _outcome(self.trace, self._native.outcome(at))


def _unbounded(observation: Any) -> Space[Any]:
    seen = numpy.asarray(observation)
    if seen.dtype.kind not in "iuf":
        raise TypeError(f"an observation is an array of numbers, not of {seen.dtype}; else give its observation_space")
    low, high = (-numpy.inf, numpy.inf) if seen.dtype.kind == "f" else (numpy.iinfo(seen.dtype).min, numpy.iinfo(seen.dtype).max)
    return Box(low, high, seen.shape, seen.dtype.type)


#: Height and width of a chart, in pixels.
_CHART = (240, 640)


def _gantt(starts: list[Started], procs: int, now: float | None) -> NDArray[numpy.uint8]:
    """Draw jobs on processors, each on those of the lowest numbers that are free at its start."""
    height, width = _CHART
    chart = numpy.full((height, width, 3), 255, numpy.uint8)
    if not starts:
        return chart
    begin = min(job.submit for job in starts)
    until = max(job.end for job in starts) if now is None else now
    column = width / max(until - begin, 1.0)
    free_from = numpy.full(procs, -numpy.inf)
    rows = numpy.arange(height) * procs // height
    for job in starts:
        # Another job may end at the instant at which this one starts.
        places = numpy.flatnonzero(free_from <= job.start)[: job.procs]
        free_from[places] = job.end
        left, right = int((job.start - begin) * column), int((min(job.end, until) - begin) * column)
        chart[numpy.isin(rows, places), left : max(left + 1, right)] = _colour(job.user)
    return chart


def _colour(user: int) -> NDArray[numpy.uint8]:
    """Return the colour of a user: hues by the golden angle, so that no two near numbers look alike."""
    hue = (user * 137.508 % 360) / 60
    channels = [(5, 3, 1)[at] + hue for at in range(3)]
    values = [0.82 - 0.5 * max(0.0, min(1.0, min(k % 6, 4 - k % 6))) for k in channels]
    return (numpy.array(values) * 255).astype(numpy.uint8)


def _outcome(trace: Trace, native: _batchlab.Replays | None) -> Outcome | None:
    return None if native is None else Outcome(_Replays.of_agent(trace, native), 0)


gymnasium.register(id="batchlab/Scheduling-v0", entry_point="batchlab.gym:SchedulingEnv")
gymnasium.register(id="batchlab/RLScheduler-v0", entry_point="batchlab.gym:SchedulingEnv", kwargs=RLSCHEDULER)
