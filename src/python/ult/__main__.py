"""The command `ult`: starts the program that is in this package, in the place of Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from . import _z3

PROGRAM = Path(__file__).with_name("bin") / "ult"


def main() -> NoReturn:
    """Becomes the program, with the arguments of the command."""
    if _z3.announce() is None:
        sys.exit("ult: the Python package `z3-solver` is missing: pip install z3-solver")
    os.execv(PROGRAM, [str(PROGRAM), *sys.argv[1:]])


if __name__ == "__main__":
    main()
