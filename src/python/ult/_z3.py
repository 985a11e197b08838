"""Where Z3's library is: in the package `z3-solver`, which this one depends on."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Optional


def library() -> Optional[Path]:
    """The file, if it is there. The package is only looked for, not loaded: its own code takes a while."""
    spec = importlib.util.find_spec("z3")
    name = "libz3.dylib" if sys.platform == "darwin" else "libz3.so"
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder, "lib", name)
        if file.is_file():
            return file
    return None


def announce() -> Optional[Path]:
    """Says in the environment where the library is, unless the user says so: the program and the module load it from there."""
    file = library()
    if file is not None:
        os.environ.setdefault("ULT_Z3_LIBRARY", str(file))
    return file
