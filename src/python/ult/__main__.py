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
    beside = Path(__file__).parents[1] / "z3" / "lib"
    library = _z3.announce()
    if library is None:
        sys.exit("ult: the Python package `z3-solver` is missing: pip install z3-solver")
    if library.parent != beside:
        # The program looks beside its own package; elsewhere it has to be told.
        name = "DYLD_LIBRARY_PATH" if sys.platform == "darwin" else "LD_LIBRARY_PATH"
        known = os.environ.get(name)
        os.environ[name] = f"{library.parent}{os.pathsep}{known}" if known else str(library.parent)
    os.execv(PROGRAM, [str(PROGRAM), *sys.argv[1:]])


if __name__ == "__main__":
    main()
