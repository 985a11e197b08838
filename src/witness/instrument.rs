//! A witness written into its program, so that a verdict on the new program is one on the witness.
//!
//! * *Correctness*: every invariant becomes an assertion where it is to hold. The new program is right exactly if the
//!   invariants hold and the program is right.
//! * *Violation*: a counter tells how many segments the run has passed; runs that reach the target without having passed
//!   all segments before, or that pass what is to be avoided, end in an empty loop. The target can be violated exactly if
//!   some run follows the witness.

use std::collections::BTreeMap;

use ult_c::outline::{LoopKind, Outline, Statement};
use ult_c::source::{ASSERTION, rewritten};
use ult_lang::span::Span;

use super::place::Places;
use super::{Claim, Invariant, Location, Segment, Waypoint, WaypointKind, Witness};

/// A program with a witness in it.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The program.
    pub text: String,
    /// For violations: the statement that is to be violated.
    pub target: Option<Span>,
}

/// Writes a witness into the program that it is about.
///
/// # Errors
/// In words: what the witness says that does not fit the program, or is not covered.
pub fn instrument(places: Places<'_>, witness: &Witness) -> Result<Instrumented, String> {
    let text = &places.source.text;
    let outline = ult_c::outline::outline(text);
    let mut writer = Writer {
        places,
        outline: &outline,
        edits: Vec::new(),
    };
    let target = match &witness.claim {
        Claim::Correctness(invariants) => {
            writer.invariants(invariants)?;
            None
        }
        Claim::Violation(segments) => Some(writer.segments(segments)?),
    };
    let mut edits = writer.edits;
    edits.sort_by_key(|edit| (edit.at, edit.rank));
    let mut written = String::new();
    let mut from = 0;
    let mut moved = target;
    for edit in &edits {
        written += &text[from..edit.at as usize];
        if let (Some(target), Some(moved)) = (target, &mut moved) {
            let length = u32::try_from(edit.text.len()).unwrap_or(u32::MAX);
            // What is inserted at its end stands behind it.
            if edit.at <= target.start && edit.rank != Rank::Closing {
                moved.start = moved.start.saturating_add(length);
            }
            if edit.at < target.end || edit.at == target.end && edit.rank == Rank::Closing {
                moved.end = moved.end.saturating_add(length);
            }
        }
        written += &edit.text;
        from = (edit.at + edit.drop) as usize;
    }
    written += &text[from..];
    Ok(Instrumented {
        text: written,
        target: moved,
    })
}

/// Which of several insertions at one place comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It belongs to what ends there.
    Closing,
    /// It belongs to a loop whose body begins there.
    Body,
    /// It belongs to the statement that begins there.
    Opening,
    /// It belongs to the expression that begins there.
    Expression,
}

struct Edit {
    at: u32,
    rank: Rank,
    text: String,
    /// How many bytes go.
    drop: u32,
}

struct Writer<'a> {
    places: Places<'a>,
    outline: &'a Outline,
    edits: Vec<Edit>,
}

impl Writer<'_> {
    fn insert(&mut self, at: u32, rank: Rank, text: impl Into<String>) {
        self.edits.push(Edit {
            at,
            rank,
            text: text.into(),
            drop: 0,
        });
    }

    fn text(&self, span: Span) -> &str {
        self.places
            .source
            .text
            .get(span.range())
            .unwrap_or_default()
    }

    /// Puts something before a statement.
    fn before(&mut self, statement: Statement, text: &str) {
        if statement.in_block {
            self.insert(statement.span.start, Rank::Opening, text);
        } else {
            self.insert(statement.span.start, Rank::Opening, format!("{{ {text}"));
            self.insert(statement.span.end, Rank::Closing, " }");
        }
    }

    /// The innermost statement that begins at a place; of those that begin together the outermost one.
    fn statement(&self, location: Location) -> Result<Statement, String> {
        let starts = self
            .outline
            .statements
            .iter()
            .map(|statement| statement.span.start);
        let start = self.places.nearest(location, starts);
        let at_start = |statement: &&Statement| Some(statement.span.start) == start;
        let candidates = self.outline.statements.iter().filter(at_start);
        candidates
            .max_by_key(|statement| statement.span.end)
            .copied()
            .ok_or_else(|| format!("no statement begins at {}", shown(location)))
    }

    fn invariants(&mut self, invariants: &[Invariant]) -> Result<(), String> {
        let mut at_loops: BTreeMap<u32, String> = BTreeMap::new();
        for invariant in invariants {
            let value = expression(&invariant.value)?;
            let assertion = format!("{ASSERTION}(({value})); ");
            if invariant.is_loop {
                let starts = self.outline.loops.iter().map(|known| known.span.start);
                let start = self.places.nearest(invariant.location, starts);
                let start = start
                    .ok_or_else(|| format!("no loop begins at {}", shown(invariant.location)))?;
                *at_loops.entry(start).or_default() += &assertion;
            } else {
                let statement = self.statement(invariant.location)?;
                self.before(statement, &assertion);
            }
        }
        for (start, assertions) in at_loops {
            let Some(known) = self
                .outline
                .loops
                .iter()
                .find(|known| known.span.start == start)
            else {
                continue;
            };
            let body = known.body;
            let head = match (known.kind, known.condition) {
                (LoopKind::While, Some(condition)) => {
                    let opening = format!("1) {{ {assertions}if (!(");
                    self.insert(condition.start, Rank::Expression, opening);
                    self.insert(condition.end, Rank::Closing, ")");
                    "break; ".to_owned()
                }
                (LoopKind::For, Some(condition)) => {
                    let text = self.text(condition).to_owned();
                    self.edits.push(Edit {
                        at: condition.start,
                        rank: Rank::Expression,
                        text: String::new(),
                        drop: condition.end - condition.start,
                    });
                    format!("{{ {assertions}if (!({text})) break; ")
                }
                _ => format!("{{ {assertions}"),
            };
            self.insert(body.start, Rank::Body, head);
            self.insert(body.end, Rank::Closing, " }");
        }
        Ok(())
    }

    /// Where the target is.
    fn segments(&mut self, segments: &[Segment]) -> Result<Span, String> {
        let Some((_, first)) = self.outline.functions.first() else {
            return Err("the program has no function".into());
        };
        self.insert(first.start, Rank::Opening, "static int ult_segment = 0; ");
        let mut wanted: BTreeMap<(u32, u32, Rank), PlacedChecks> = BTreeMap::new();
        let mut target = None;
        for (number, segment) in segments.iter().enumerate() {
            for waypoint in &segment.avoid {
                self.waypoint(waypoint, number, true, &mut wanted)?;
            }
            if segment.follow.kind == WaypointKind::Target {
                let statement = self.statement(segment.follow.location)?;
                self.before(
                    statement,
                    &format!("if (ult_segment != {number}) for (;;) ; "),
                );
                target = Some(statement.span);
            } else {
                self.waypoint(&segment.follow, number, false, &mut wanted)?;
            }
        }
        for placed in wanted.into_values() {
            self.place(placed);
        }
        target.ok_or_else(|| "there is no target".into())
    }

    fn waypoint(
        &self,
        waypoint: &Waypoint,
        number: usize,
        avoid: bool,
        wanted: &mut BTreeMap<(u32, u32, Rank), PlacedChecks>,
    ) -> Result<(), String> {
        let location = waypoint.location;
        let (place, condition) = match &waypoint.kind {
            WaypointKind::Assumption(value) => (
                CheckPlace::Statement(self.statement(location)?),
                plain(value)?,
            ),
            WaypointKind::FunctionReturn(value) => {
                let value = plain(&value.replace("\\result", "ult_result"))?;
                let ends = self.outline.calls.iter().map(|call| call.end - 1);
                let end = self.places.nearest(location, ends);
                let mut calls = self.outline.calls.iter();
                let call = calls.find(|call| Some(call.end - 1) == end);
                let call = call.ok_or_else(|| format!("no call ends at {}", shown(location)))?;
                (CheckPlace::Call(*call), value)
            }
            WaypointKind::Branching(way) => {
                let loops = self
                    .outline
                    .loops
                    .iter()
                    .filter_map(|known| Some((known.span, known.condition?)));
                let branches: Vec<(Span, Span)> =
                    self.outline.branches.iter().copied().chain(loops).collect();
                let start = self
                    .places
                    .nearest(location, branches.iter().map(|(span, _)| span.start));
                let branch = branches.iter().find(|(span, _)| Some(span.start) == start);
                let (_, condition) =
                    branch.ok_or_else(|| format!("no branch begins at {}", shown(location)))?;
                (
                    CheckPlace::Condition(*condition),
                    format!("ult_way == {}", i32::from(*way)),
                )
            }
            WaypointKind::FunctionEnter => {
                return Err("waypoints of the type `function_enter` are not covered".into());
            }
            WaypointKind::Target => {
                return Err("a target that is to be avoided is not covered".into());
            }
        };
        let (span, rank) = match place {
            CheckPlace::Statement(statement) => (statement.span, Rank::Opening),
            CheckPlace::Call(span) | CheckPlace::Condition(span) => (span, Rank::Expression),
        };
        let placed = wanted
            .entry((span.start, span.end, rank))
            .or_insert(PlacedChecks {
                place,
                checks: Vec::new(),
            });
        if placed.place != place {
            return Err(format!(
                "two kinds of waypoints at {} are not covered",
                shown(location)
            ));
        }
        let then = match avoid {
            true => "for (;;) ;".to_owned(),
            false => format!("ult_segment = {};", number + 1),
        };
        let check = format!("if (ult_segment == {number} && ({condition})) {then}");
        // What is to be avoided comes before what is to be followed.
        placed.checks.push((!avoid, check));
        Ok(())
    }

    fn place(&mut self, mut placed: PlacedChecks) {
        placed.checks.sort_by_key(|(follow, _)| *follow);
        let checks: Vec<String> = placed.checks.into_iter().map(|(_, check)| check).collect();
        // No visit passes two segments.
        let checks = checks.join(" else ");
        match placed.place {
            CheckPlace::Statement(statement) => self.before(statement, &format!("{checks} ")),
            CheckPlace::Call(call) => {
                let opening = format!("({{ __typeof__({}) ult_result = ", self.text(call));
                self.insert(call.start, Rank::Expression, opening);
                self.insert(
                    call.end,
                    Rank::Closing,
                    format!("; {checks} ult_result; }})"),
                );
            }
            CheckPlace::Condition(condition) => {
                self.insert(condition.start, Rank::Expression, "({ int ult_way = (");
                self.insert(
                    condition.end,
                    Rank::Closing,
                    format!(") ? 1 : 0; {checks} ult_way; }})"),
                );
            }
        }
    }
}

/// Where waypoints are passed, and what is checked there: whether it is to be followed, and the statement.
struct PlacedChecks {
    place: CheckPlace,
    checks: Vec<(bool, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckPlace {
    Statement(Statement),
    Call(Span),
    Condition(Span),
}

fn shown(location: Location) -> String {
    match location.column {
        Some(column) => format!("{}:{column}", location.line),
        None => format!("line {}", location.line),
    }
}

/// An expression of a witness, for the argument of an assertion.
fn expression(text: &str) -> Result<String, String> {
    rewritten(text).map_err(|(_, why)| format!("the expression `{text}` is not covered: {why}"))
}

/// An expression of a witness that C has as it is.
fn plain(text: &str) -> Result<String, String> {
    match text.contains("==>") {
        true => Err(format!(
            "the expression `{text}` is not covered here: `==>`"
        )),
        false => expression(text),
    }
}
