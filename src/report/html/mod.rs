//! Reports as one page that needs nothing else (`--html`): source, graphs, refinement and runs, in
//! step with each other.
//!
//! What is to be seen is in the report already ([`ult_explain::search`]); here it is laid out and
//! written as data into the page. `page.html`, `page.css`, `picture.js` and `page.js` show it. The page asks
//! nobody for anything: no network, no other file.
//!
//! | file | idea |
//! |---|---|
//! | `lines` | the source text |
//! | `frames` | the graph of abstract states, step by step |
//! | `drawn` | drawings with their layout, as data |

mod drawn;
mod frames;
mod lines;

use serde_json::{Value, json};

use self::drawn::Texts;
use self::frames::{Budget, MOST_NODES, Replay};
use self::lines::Lines;
use super::{open, text, trace};
use ult_check::Verdict;
use ult_draw::drawing::{Drawing, DrawnEdge};
use ult_driver::{ObligationReport, Report, UnitReport};
use ult_engine::EngineKind;
use ult_explain::search::{
    Element, EngineReport, Explanation, Graph, Mark, PlaceKind, Search, Step,
};
use ult_lower::unit::Role;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = concat!(include_str!("picture.js"), include_str!("page.js"));

/// How the page looks.
pub const STYLE: &str = include_str!("page.css");

/// The script that draws pictures, for other pages that show steps ([`Live`]).
pub const PICTURE: &str = include_str!("picture.js");

/// Runs longer than this are cut.
const LONGEST_RUN: usize = 2000;

/// Tables of graphs that are not drawn have so many rows.
const MOST_ROWS: usize = 2000;

/// The page about some files.
pub fn page(reports: &[Report]) -> String {
    let mut page = Page {
        texts: Texts::default(),
        budget: Budget::default(),
    };
    let files: Vec<Value> = reports.iter().map(|report| page.file(report)).collect();
    let data = json!({
        "version": crate::version(),
        "files": files,
        "texts": page.texts.finish(),
    });
    let title = match reports {
        [report] => report.source.name.to_string(),
        reports => format!("{} files", reports.len()),
    };
    // What is put in comes last, so that nothing in it is taken for a place to put something in.
    let (head, rest) = PAGE.split_once("{{title}}").unwrap_or((PAGE, ""));
    let (middle, rest) = rest.split_once("{{style}}").unwrap_or((rest, ""));
    let (body, rest) = rest.split_once("{{data}}").unwrap_or((rest, ""));
    let (between, end) = rest.split_once("{{script}}").unwrap_or((rest, ""));
    [
        head,
        &escaped(&title),
        middle,
        STYLE,
        body,
        &in_script(&data),
        between,
        SCRIPT,
        end,
    ]
    .concat()
}

/// The steps of a search that is going on, each as data of a page when it is made.
#[derive(Default)]
pub struct Live {
    replay: Replay,
}

impl Live {
    /// The next step with the picture of the abstraction: as in [`page`], with the texts that they need.
    pub fn step(&mut self, step: &Step) -> Value {
        self.replay.step(step);
        let mut page = Page {
            texts: Texts::default(),
            budget: Budget::default(),
        };
        let picture = self.replay.draw(&mut page.texts, &mut page.budget);
        let step = page.step(step, 0);
        json!({ "step": step, "picture": picture, "texts": page.texts.finish() })
    }

    /// The next step, which nobody wants to see.
    pub fn pass(&mut self, step: &Step) {
        self.replay.step(step);
    }
}

/// JSON that may stand in a script element: nothing in it ends the element or begins a comment.
pub fn in_script(data: &Value) -> String {
    let text = data.to_string();
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // These stand in strings only.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe += &format!("\\u{:04x}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

struct Page {
    texts: Texts,
    budget: Budget,
}

impl Page {
    fn file(&mut self, report: &Report) -> Value {
        let mut lines = Lines::new(&report.source);
        let units: Vec<Value> = report
            .units
            .iter()
            .map(|unit| self.unit(unit, report, &mut lines))
            .collect();
        let diagnostics: Vec<Value> = report
            .diagnostics
            .iter()
            .map(|diagnostic| {
                json!({
                    "id": diagnostic.id.as_str(),
                    "severity": super::diagnostic::severity(diagnostic.severity),
                    "message": diagnostic.message,
                    "line": diagnostic.place().map(|span| lines.first(span)),
                    "help": diagnostic.help,
                })
            })
            .collect();
        let conclusion = report.conclusion();
        json!({
            "name": &*report.source.name,
            "verdict": conclusion.to_string(),
            "words": text::last_line(report, false),
            "assumed": report.basis.assumptions,
            "unknown": report.basis.unknown_functions,
            "diagnostics": diagnostics,
            "stopped": report.stopped.as_ref().map(ToString::to_string),
            "seconds": report.seconds,
            "units": units,
            "lines": lines.finish(),
        })
    }

    fn unit(&mut self, unit: &UnitReport, report: &Report, lines: &mut Lines<'_>) -> Value {
        let obligations: Vec<Value> = unit
            .obligations
            .iter()
            .map(|obligation| self.obligation(obligation, report, lines))
            .collect();
        let invariants: Vec<Value> = unit
            .invariants
            .iter()
            .map(|invariant| {
                json!({
                    "location": &*invariant.location,
                    "predicate": invariant.predicate,
                    "line": invariant.span.map(|span| lines.first(span)),
                    "formula": invariant.formula,
                })
            })
            .collect();
        let mut value = json!({
            "name": &*unit.name,
            "verdict": unit.conclusion().to_string(),
            "words": text::unit_verdict(unit, false),
            "dependency": unit.role == Some(Role::Dependency),
            "stopped": unit.stopped.as_ref().map(ToString::to_string),
            "obligations": obligations,
            "left": open::of(unit, &report.source).lines().map(str::trim).collect::<Vec<_>>(),
            "invariants": invariants,
        });
        if let Some(explanation) = &unit.explanation {
            value["explanation"] = self.explanation(explanation, lines);
            value["explanation"]["nobody"] = match unit.obligations.is_empty() {
                true => "nothing has to be decided".into(),
                false => trace::NOBODY.into(),
            };
        }
        value
    }

    fn obligation(
        &mut self,
        obligation: &ObligationReport,
        report: &Report,
        lines: &mut Lines<'_>,
    ) -> Value {
        let not_shown = obligation.run.len().saturating_sub(LONGEST_RUN) as u64;
        let left_out = obligation.run.iter().map(|step| step.left_out);
        let left_out = left_out.fold(not_shown, u64::saturating_add);
        let run: Vec<Value> = obligation
            .run
            .iter()
            .take(LONGEST_RUN)
            .enumerate()
            .map(|(i, step)| {
                let changes: Vec<Value> = step
                    .changes
                    .iter()
                    .map(|(name, value)| json!([self.texts.add(name), self.texts.add(value)]))
                    .collect();
                json!({
                    "line": lines.first(step.span),
                    "text": self.texts.add(if i == 0 { "the trace starts" } else { &step.statement }),
                    "remark": step.remark,
                    "in": self.texts.add(&step.procedure),
                    "depth": step.depth,
                    "minor": step.minor && i > 0 && !step.violation,
                    "violation": step.violation,
                    "changes": changes,
                })
            })
            .collect();
        let reason = match &obligation.verdict {
            // The code says all.
            Verdict::Unknown(reason) if reason.is_limit() => None,
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        };
        json!({
            "line": lines.first(obligation.span),
            "column": report.source.start(obligation.span).column,
            "verdict": match &obligation.verdict {
                Verdict::Safe(_) => "SAFE",
                Verdict::Unsafe(_) => "UNSAFE",
                Verdict::Unknown(_) => "UNKNOWN",
            },
            "words": text::finding(obligation, false),
            "cause": obligation.cause().map(ult_driver::Cause::sentence),
            "source": report.source.excerpt(obligation.span, 80),
            "reason": reason.map(ToString::to_string),
            "confirmation": obligation.confirmation.as_ref().map(|told| {
                let reasons = told.reasons.iter().map(|reason| format!("; possible reason: {reason}"));
                told.sentence() + &reasons.collect::<String>()
            }),
            "run": run,
            "left_out": left_out,
        })
    }

    fn explanation(&mut self, explanation: &Explanation, lines: &mut Lines<'_>) -> Value {
        let source = self.graph(&explanation.source, lines);
        let reduced = explanation
            .reduced
            .as_ref()
            .map(|graph| self.graph(graph, lines));
        let engines: Vec<Value> = explanation
            .engines
            .iter()
            .map(|told| self.engine(told))
            .collect();
        json!({
            "source": source,
            "reduced": reduced,
            "engines": engines,
        })
    }

    fn graph(&mut self, graph: &Graph, lines: &mut Lines<'_>) -> Value {
        let count = graph.places.len();
        // The picture begins with the initial location.
        let is_initial = |i: &usize| graph.places[*i].kind == PlaceKind::Initial;
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|i| !is_initial(i));
        let mut position = vec![0; count];
        for (at, &place) in order.iter().enumerate() {
            position[place] = at;
        }
        let is_drawn = count <= MOST_NODES;
        let most = if is_drawn { usize::MAX } else { MOST_ROWS };
        let mut drawing = Drawing::default();
        let mut nodes = Vec::new();
        for &i in order.iter().take(most) {
            let place = &graph.places[i];
            drawing.nodes.push(frames::drawn_node(place, None));
            nodes.push(json!({
                "id": i,
                "name": self.texts.add(&place.name),
                "construct": place.construct.as_ref().map(|construct| self.texts.add(construct)),
                "text": place.error.as_ref().map(|error| self.texts.add(error)),
                "kind": frames::kind_name(place.kind),
                "src": place.spans.iter().map(|span| lines.first(*span)).collect::<Vec<_>>(),
            }));
        }
        let mut edges = Vec::new();
        for (i, edge) in graph.edges.iter().enumerate().take(most) {
            let (from, to) = (position[edge.from], position[edge.to]);
            drawing.edges.push(DrawnEdge {
                from,
                to,
                label: edge.formula.lines.clone(),
                detail: String::new(),
            });
            if from >= nodes.len() || to >= nodes.len() {
                continue;
            }
            edges.push(json!({
                "id": i, "from": from, "to": to,
                "text": self.texts.add(&edge.formula.text),
                "src": lines.of(&edge.spans),
                "parts": edge.parts,
            }));
        }
        let mut value = drawn::merged(&drawing, nodes, edges, is_drawn, &mut self.texts);
        value["count"] = json!([count, graph.edges.len()]);
        value
    }

    fn engine(&mut self, told: &EngineReport) -> Value {
        let searches: Vec<Value> = told.searches.iter().map(|s| self.search(s)).collect();
        let about = EngineKind::ALL
            .iter()
            .find(|(kind, _)| *kind == told.engine);
        json!({
            "name": told.engine.name(),
            "about": about.map(|(_, line)| line),
            "decided": told.decided,
            "silent": searches.is_empty().then_some(trace::NO_STEPS),
            "searches": searches,
        })
    }

    fn search(&mut self, search: &Search) -> Value {
        let (frames, shown) = frames::frames(search, &mut self.texts, &mut self.budget);
        let steps = search.steps.iter().zip(&shown);
        let steps: Vec<Value> = steps.map(|(step, &frame)| self.step(step, frame)).collect();
        json!({
            "phases": search.in_phases,
            "frames": frames,
            "steps": steps,
            "left_out": (search.left_out > 0).then(|| trace::left_out(search.left_out)),
        })
    }

    fn step(&mut self, step: &Step, frame: usize) -> Value {
        let rows: Vec<Value> = step
            .rows
            .iter()
            .map(|row| json!([self.texts.add(&row.about), self.texts.add(&row.text)]))
            .collect();
        let marks: Vec<Value> = step
            .marks
            .iter()
            .map(|(mark, element)| {
                let (kind, number) = match element {
                    Element::State(number) => ("n", number),
                    Element::Edge(number) => ("e", number),
                };
                json!([format!("{kind}{number}"), mark_name(*mark)])
            })
            .collect();
        json!({
            "action": step.action,
            "text": self.texts.add(&step.text),
            "rows": rows,
            "frame": frame,
            "marks": marks,
            "places": step.places,
            "edges": step.edges,
        })
    }
}

fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Path => "path",
        Mark::New => "new",
        Mark::Changed => "changed",
        Mark::Gone => "gone",
        Mark::Covered => "covered",
        Mark::Covers => "covers",
    }
}
