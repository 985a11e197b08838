"""The program verifier `ult`.

    >>> import ult
    >>> report = ult.check("procedure p(x: int) { assert x * x >= 0; }")
    >>> report.verdict
    'SAFE'

:func:`check` checks a text, :func:`check_file` a file. What comes back is plain data: verdicts, invariants, runs.
"""

from __future__ import annotations

from . import _z3

_z3.announce()

from ._check import check, check_file  # noqa: E402 (Z3 has to be announced before)
from ._report import (  # noqa: E402
    Diagnostic,
    Invariant,
    Obligation,
    Place,
    Reason,
    Report,
    Step,
    Unit,
)
from ._ult import Cancellation, __version__, solver  # noqa: E402

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
