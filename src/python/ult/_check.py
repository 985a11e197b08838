"""Checking texts in this process, and files by the program."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Optional, Union

from . import _ult
from .__main__ import PROGRAM
from ._report import Report, report

#: Exit codes of `ult check` that come with a report.
_REPORTED = {0: "SAFE", 1: "UNSAFE", 3: "REJECTED", 4: "UNKNOWN", 6: "NOTHING", 130: "UNKNOWN"}

#: How often it is looked whether a check is to end, in seconds.
_TICK = 0.05

Progress = Callable[[str, str, Optional[str]], object]


def check(
    text: str,
    language: str = "boogie",
    *,
    name: str = "<text>",
    entry: Union[str, Iterable[str]] = (),
    modular: bool = False,
    engine: str = "portfolio",
    timeout: Optional[float] = None,
    cancellation: Optional[_ult.Cancellation] = None,
    progress: Optional[Progress] = None,
) -> Report:
    """Checks a text.

    `language` is "boogie", "graph", "horn", "aiger", "btor2", "dimspec", or "c". `entry` names the procedures to start from
    (all, if none is named), `modular` has calls and loops seen only through what is written about them, `engine` is
    one of `ult engines`. After `timeout` seconds, or when `cancellation` is cancelled by another thread, what is open
    becomes UNKNOWN. `progress` is called on this thread with what happens ("begins", "known", "changed"), the unit's name,
    and its verdict so far; what it raises ends the check.

    Other threads of Python run meanwhile. Ctrl-C ends the check by KeyboardInterrupt.

    A C program is handed to the program `ult`, since it needs a preprocessor and a compiler: see `check_file`. There is
    no progress on the way.

    Raises ValueError if there is no such language, engine or entry, and OSError if Z3 is missing or too old.
    """
    entries = [entry] if isinstance(entry, str) else list(entry)
    if language == "c":
        options = [word for name in entries for word in ("--entry", name)]
        options += ["--engine", engine, *(["--modular"] if modular else [])]
        return _by_program("-", ["--language", "c", *options], timeout, cancellation, text)
    told = _ult.check(text, language, name, entries, modular, engine, timeout, cancellation, progress)
    return report(json.loads(told))


def check_file(
    path: Union[str, os.PathLike[str]],
    *options: str,
    timeout: Optional[float] = None,
    cancellation: Optional[_ult.Cancellation] = None,
) -> Report:
    """Checks a file by the program `ult check`, with any of its options, as in `check_file("p.c", "--property", "no-overflow")`.

    Raises RuntimeError, with what the program said, if there is no report: it is missing, an option is wrong, the file
    cannot be read.
    """
    return _by_program(os.fspath(path), list(options), timeout, cancellation, None)


def _program() -> str:
    named = os.environ.get("ULT_PROGRAM")
    if named:
        return named
    if PROGRAM.is_file():
        return str(PROGRAM)
    found = shutil.which("ult")
    if found is None:
        raise RuntimeError("the program `ult` is missing")
    return found


def _by_program(
    file: str,
    options: list[str],
    timeout: Optional[float],
    cancellation: Optional[_ult.Cancellation],
    text: Optional[str],
) -> Report:
    command = [_program(), "check", "--format", "json", *options]
    if timeout is not None:
        command += ["--timeout", str(timeout)]
    # Behind the options, so that a file may be called anything.
    command += ["--", file] if file != "-" else ["-"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    given = text
    asked = False
    try:
        while True:
            try:
                out, err = process.communicate(given, timeout=_TICK)
                break
            except subprocess.TimeoutExpired:
                given = None
                if cancellation is not None and cancellation.cancelled and not asked:
                    asked = True
                    process.send_signal(signal.SIGINT)
    except BaseException:
        # Ctrl-C above all: nothing stays behind.
        process.kill()
        process.wait()
        raise
    verdict = _REPORTED.get(process.returncode)
    try:
        data = json.loads(out) if verdict else None
    except ValueError:
        data = None
    if data is None or (process.returncode != 130 and data["verdict"] != verdict):
        raise RuntimeError(err.strip() or f"`ult` ended with {process.returncode}")
    return report(data)
