"""The program verifier `ult`.

    >>> import ult
    >>> report = ult.check("procedure p(x: int) { assert x * x >= 0; }")
    >>> report.verdict
    'SAFE'

:func:`check` checks a text, :func:`check_file` a file. What comes back is plain data: verdicts, invariants, runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._check import check, check_file
    from ._report import Diagnostic, Invariant, Obligation, Place, Reason, Report, Step, Unit
    from ._ult import Cancellation, __version__, solver

# Where each name is. They are loaded when they are first used: the command `ult` needs none of them.
_NAMES = {
    "_check": ["check", "check_file"],
    "_report": ["Diagnostic", "Invariant", "Obligation", "Place", "Reason", "Report", "Step", "Unit"],
    "_ult": ["Cancellation", "__version__", "solver"],
}

__all__ = [
    "Cancellation",
    "Diagnostic",
    "Invariant",
    "Obligation",
    "Place",
    "Reason",
    "Report",
    "Step",
    "Unit",
    "__version__",
    "check",
    "check_file",
    "solver",
]


def __getattr__(name: str) -> object:
    import importlib

    for module, names in _NAMES.items():
        if name in names:
            from . import _z3

            _z3.announce()
            value = getattr(importlib.import_module(f".{module}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
