"""Bad input: clear exceptions of one hierarchy, with the text of the program."""

import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pandas
import polars
import pytest

import batchlab
from batchlab import Trace, compare, replay
from batchlab._errors import in_python
from conftest import DATA, program

LUBLIN = DATA / "lublin-128.swf.gz"


def test_every_error_is_of_one_hierarchy() -> None:
    kinds = [batchlab.CheckFailed, batchlab.UsageError, batchlab.InputError, batchlab.PolicyError, batchlab.Interrupted]
    assert all(issubclass(kind, batchlab.BatchlabError) for kind in kinds)
    assert issubclass(batchlab.UsageError, ValueError)


@pytest.mark.parametrize("policy", ["esay", "easy:order=", "easy:ordr=sjf", "expr(run)", "nonsense:"])
def test_the_text_is_that_of_the_program(lublin: Trace, policy: str) -> None:
    with pytest.raises(batchlab.UsageError) as raised:
        replay(lublin, policy)
    assert program("replay", LUBLIN, "--policy", policy, "--quiet").stderr == f"error: {raised.value}\n"


def test_a_log_that_is_not_there_is_an_input_error() -> None:
    with pytest.raises(batchlab.InputError, match="cannot read absent.swf"):
        Trace.read("absent.swf")


def test_wrong_types_are_type_errors(lublin: Trace) -> None:
    with pytest.raises(TypeError, match=r"Trace.read\(path\) reads a log"):
        replay("log.swf", "easy")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a policy is a text"):
        replay(lublin, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`procs` takes a text, a number"):
        replay(lublin, "easy", procs={})  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Trace.read(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="from_dataframe"):
        Trace("log.swf")  # type: ignore[arg-type]


def test_wrong_options_are_usage_errors(lublin: Trace) -> None:
    with pytest.raises(batchlab.UsageError, match="unknown option `estimat`.*did you mean `estimate`"):
        replay(lublin, "easy", estimat="actual")  # type: ignore[call-arg]
    with pytest.raises(batchlab.UsageError, match="^invalid value 'phi' for `estimate`: "):
        replay(lublin, "easy", estimate="phi")
    with pytest.raises(batchlab.UsageError, match="unknown metric"):
        replay(lublin, "easy", metrics="mean_wiat")
    with pytest.raises(batchlab.UsageError, match="`drop_zero_run` is true or false"):
        replay(lublin, "easy", drop_zero_run="maybe")  # type: ignore[arg-type]
    with pytest.raises(batchlab.UsageError, match="^the argument `machine` cannot be used with `procs`$"):
        replay(lublin, "easy", machine="m.toml", procs=3)
    with pytest.raises(batchlab.UsageError, match="unknown option `bounds`"):
        replay(lublin, "easy", bounds=True)  # type: ignore[call-arg]
    with pytest.raises(batchlab.UsageError, match="given twice"):
        compare(lublin, ["easy", "easy"])
    with pytest.raises(batchlab.UsageError):
        compare(lublin, [])
    with pytest.raises(batchlab.UsageError, match="^invalid value 'nosuch' for `from_`"):
        Trace.read(LUBLIN, from_="nosuch")


def test_a_policy_that_misbehaves_is_a_policy_error(lublin: Trace) -> None:
    with pytest.raises(batchlab.PolicyError, match="longer than `limit` time"):
        replay(lublin, "conservative", limit="time=0.001")


def test_jobs_that_lack_what_a_policy_needs_are_an_input_error(small: Trace) -> None:
    frame = small.to_pandas().drop(columns=["user", "requested_time"])
    trace = Trace.from_dataframe(frame, max_procs=4)
    with pytest.raises(batchlab.InputError, match="user"):
        replay(trace, "easy:order=fairshare")


def test_rules_and_steps_that_are_wrong_are_told(lublin: Trace) -> None:
    with pytest.raises(batchlab.InputError, match="cannot read absent.toml"):
        lublin.clean("absent.toml")
    with pytest.raises(batchlab.UsageError, match="rules"):
        lublin.clean('[[drop]]\nid = "x"\n')
    with pytest.raises(batchlab.UsageError, match="steps"):
        lublin.shape('[[step]]\nkind = "nosuch"\n')


def test_errors_speak_python(lublin: Trace) -> None:
    with pytest.raises(batchlab.UsageError) as raised:
        replay(lublin, "easy", load=0)
    assert "`load`" in str(raised.value) and "--" not in str(raised.value)
    with pytest.raises(batchlab.UsageError) as raised:
        Trace.read(LUBLIN, from_="nosuch")
    assert str(raised.value) == str(raised.value).strip()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("invalid value '0' for '--load <F>': it is not above 0\n", "invalid value '0' for `load`: it is not above 0"),
        ("--drop-zero-run leaves it out", "`drop_zero_run` leaves it out"),
        ("leave it out with `--capacity memory=none`", "leave it out with `capacity=memory=none`"),
        ("`--load 1.2`, or `batchlab run A.toml --resume`", "`load=1.2`, or `batchlab run A.toml --resume`"),
        ("`list formats NAME --mapping` prints one", "`list formats NAME --mapping` prints one"),
        ("'--from <FORMAT>' and --nonsense", "`from_` and --nonsense"),
    ],
)
def test_options_are_arguments_and_commands_stay(said: str, meant: str) -> None:
    assert in_python(said) == meant


def test_tracebacks_name_public_modules(lublin: Trace) -> None:
    with pytest.raises(batchlab.UsageError) as raised:
        replay(lublin, "esay")
    assert traceback.format_exception_only(raised.value)[0].startswith("batchlab.UsageError: ")
    private = [name for name in batchlab.__all__ if getattr(getattr(batchlab, name), "__module__", "").startswith("batchlab._")]
    assert private == []
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is batchlab.UsageError and str(again) == str(raised.value)


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame])
def test_an_empty_frame_says_so(make: Callable[..., Any]) -> None:
    empty: list[int] = []
    for frame in (make({"submit": empty, "run": empty, "requested_procs": empty}), make()):
        with pytest.raises(batchlab.InputError, match="the frame is empty: it has no jobs"):
            Trace.from_dataframe(frame)
