"""Reports as plain data. `Report.data` has all of it, in the form that `ult check --format json` documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class Place:
    """A place in the text. Lines and columns count from 1, columns count characters; an end is behind the last one."""

    line: Optional[int]
    column: Optional[int]
    end_line: Optional[int] = None
    end_column: Optional[int] = None
    file: Optional[str] = None
    """Another file than the one that was checked, as a header."""

    @staticmethod
    def _of(data: Mapping[str, Any]) -> Place:
        return Place(*(data.get(name) for name in ("line", "column", "end_line", "end_column", "file")))


@dataclass(frozen=True)
class Reason:
    """Why something is UNKNOWN."""

    code: str
    text: str

    @staticmethod
    def _of(data: Optional[Mapping[str, Any]]) -> Optional[Reason]:
        return None if data is None else Reason(data.get("code", ""), data.get("text", ""))


@dataclass(frozen=True)
class Step:
    """A step of a run, with the variables that it changed; values are in Boogie's notation."""

    place: Place
    procedure: str
    statement: str
    changes: Mapping[str, str]


@dataclass(frozen=True)
class Obligation:
    """Something that has to hold in every run. If it does not, `run` violates it."""

    id: str
    kind: str
    place: Place
    description: str
    verdict: str
    reason: Optional[Reason]
    run: tuple[Step, ...]


@dataclass(frozen=True)
class Invariant:
    """What holds whenever a run is at a location."""

    location: str
    line: Optional[int]
    formula: str
    predicate: Optional[str]


@dataclass(frozen=True)
class Unit:
    """A procedure that was checked, or a graph."""

    name: str
    verdict: str
    obligations: tuple[Obligation, ...]
    invariants: tuple[Invariant, ...]


@dataclass(frozen=True)
class Diagnostic:
    """A message about the text."""

    id: str
    severity: str
    message: str
    help: Optional[str]
    place: Place

    def __str__(self) -> str:
        return f"{self.place.line}:{self.place.column}: {self.severity}[{self.id}]: {self.message}"


@dataclass(frozen=True)
class Report:
    """What is known about a text."""

    verdict: str
    """SAFE, UNSAFE, UNKNOWN, NOTHING, where there is nothing to check, or REJECTED, where the text is wrong and `diagnostics` say how."""
    reason: Optional[Reason]
    units: tuple[Unit, ...]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    data: Mapping[str, Any] = field(repr=False)

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """Those of all units."""
        return tuple(obligation for unit in self.units for obligation in unit.obligations)

    @property
    def invariants(self) -> tuple[Invariant, ...]:
        """Those of all units."""
        return tuple(invariant for unit in self.units for invariant in unit.invariants)

    @property
    def violations(self) -> tuple[Obligation, ...]:
        """The obligations that are violated, each with its run."""
        return tuple(obligation for obligation in self.obligations if obligation.verdict == "UNSAFE")


def report(data: Mapping[str, Any]) -> Report:
    """The report that JSON describes."""
    return Report(
        verdict=data["verdict"],
        reason=Reason._of(data["reason"]),
        units=tuple(_unit(unit) for unit in data["units"]),
        diagnostics=tuple(_diagnostic(told) for told in data["diagnostics"]),
        seconds=data["seconds"],
        data=data,
    )


def _unit(data: Mapping[str, Any]) -> Unit:
    invariants = (
        Invariant(told["location"], told["line"], told["formula"], told["predicate"]) for told in data["invariants"]
    )
    return Unit(
        data["name"],
        data["verdict"],
        tuple(_obligation(told) for told in data["obligations"]),
        tuple(invariants),
    )


def _obligation(data: Mapping[str, Any]) -> Obligation:
    steps = (Step(Place._of(told), told["procedure"], told["statement"], told["changes"]) for told in data["run"])
    return Obligation(
        data["id"],
        data["kind"],
        Place._of(data["place"]),
        data["description"],
        data["verdict"],
        Reason._of(data["reason"]),
        tuple(steps),
    )


def _diagnostic(data: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(data["id"], data["severity"], data["message"], data["help"], Place._of(data))
