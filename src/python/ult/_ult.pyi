from collections.abc import Callable
from typing import Optional, final

__version__: str

@final
class Cancellation:
    """Ends checks from another thread."""

    def __new__(cls) -> Cancellation: ...
    def cancel(self) -> None:
        """Asks all checks that were given this to end."""
    @property
    def cancelled(self) -> bool:
        """Whether somebody asked."""

def check(
    text: str,
    language: str,
    name: str,
    entries: list[str],
    modular: bool,
    engine: str,
    timeout: Optional[float],
    cancellation: Optional[Cancellation],
    progress: Optional[Callable[[str, str, Optional[str]], object]],
    /,
) -> str: ...
def solver() -> str: ...
