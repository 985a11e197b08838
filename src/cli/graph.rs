//! `ult graph`: the program graphs of a program, before and after the reductions, and as the
//! engine leaves them.

use std::collections::BTreeMap;

use super::args::{GraphArgs, GraphFormatArg, StageArg};
use super::exit::{Exit, end_at_once};
use super::input::{self, Input};
use super::output;
use super::watch::{End, Limits, watched};
use crate::control::Control;
use crate::engine::Task;
use crate::engine::slicing::SlicingAbstraction;
use crate::formula::{Term, Terms};
use crate::graph::drawing::Drawing;
use crate::graph::{LocationId, Origin, ProgramGraph, dot, svg, text};
use crate::invariants::Facts;
use crate::lower::graph::lower_graphs;
use crate::lower::{LoweredUnit, Lowering, Options as Reading, OriginInfo, OriginStep};
use crate::program::{Board, Language, Notice, Report, Source};
use crate::reason::Reason;
use crate::reduce::{ReduceOptions, reduce};
use crate::report::diagnostic;
use crate::stats::Statistics;
use crate::verify::guarded;

/// What the worker sends.
enum Message {
    /// The graphs are written.
    Text(String),
    /// The input was rejected.
    Rejected(Box<Report>),
    /// The command asks for something that the file does not have.
    Usage(String),
    /// A bug.
    Internal(String),
}

/// What to show.
#[derive(Clone)]
struct Wanted {
    reading: Reading,
    reductions: ReduceOptions,
    stage: StageArg,
    format: GraphFormatArg,
}

/// Runs the command.
pub fn run(args: &GraphArgs) -> Exit {
    if let Err(why) = crate::solver::require_z3() {
        super::complain(&why);
        return Exit::Solver;
    }
    let input = match input::read(&args.file, args.read.language) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let limits = Limits {
        timeout: args.timeout,
        memory: None,
    };
    let wanted = Wanted {
        reading: super::check::reading(&args.read),
        reductions: super::check::reductions(&args.read),
        stage: args.stage,
        format: args.format,
    };
    let mut exit = None;
    let end = watched(
        limits,
        &Board::default(),
        false,
        move |control, send| {
            let message = guarded(|| Ok(graphs(&input, &wanted, control)));
            send(message.unwrap_or_else(|reason| Message::Internal(reason.to_string())));
        },
        |message| {
            exit = Some(match message {
                Message::Text(text) => write(args, &text),
                Message::Rejected(report) => {
                    for notice in &report.notices {
                        output::stderr(&diagnostic::render(notice, &report.source, false));
                    }
                    Exit::Rejected
                }
                Message::Usage(text) => {
                    super::complain(&text);
                    Exit::Usage
                }
                Message::Internal(text) => {
                    super::complain(&text);
                    Exit::Internal
                }
            });
        },
    );
    match (end, exit) {
        (Err(exit), _) | (Ok(End::Finished), Some(exit)) => exit,
        (Ok(End::Finished | End::Lost), None) | (Ok(End::Lost), Some(_)) => Exit::Internal,
        (Ok(End::Abandoned(stop)), _) => {
            super::complain(&format!("stopped: {}", Reason::from(stop)));
            end_at_once(match Reason::from(stop) {
                Reason::Cancelled => Exit::Interrupted,
                _ => Exit::Unknown,
            })
        }
    }
}

fn write(args: &GraphArgs, text: &str) -> Exit {
    let written = match &args.output {
        None => output::stdout(text),
        Some(path) => std::fs::write(path, text).map_err(|error| {
            super::complain(&format!("cannot write `{}`: {error}", path.display()));
            Exit::Usage
        }),
    };
    match written {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}

fn graphs(input: &Input, wanted: &Wanted, control: &Control) -> Message {
    if let Some(report) = input.rejection() {
        return Message::Rejected(Box::new(report));
    }
    let terms = Terms::new();
    let text = &input.source.text;
    let units = match input.language {
        Language::Boogie => {
            let (program, diagnostics) = ult_lang::analyze_boogie(text);
            if let Some(report) = rejection(input, diagnostics) {
                return Message::Rejected(Box::new(report));
            }
            match Lowering::new(&terms, &program, wanted.reading.clone()) {
                Ok(lowering) => {
                    let mut queue = lowering.queue();
                    let mut units = Vec::new();
                    while let Some(plan) = queue.next() {
                        let unit = lowering.lower(plan);
                        queue.add(&unit);
                        units.push(unit);
                    }
                    units
                }
                Err(error) => return Message::Usage(format!("{}: {error}", input.source.name)),
            }
        }
        Language::Graph => {
            let (program, diagnostics) = ult_lang::analyze_graph(text);
            if let Some(report) = rejection(input, diagnostics) {
                return Message::Rejected(Box::new(report));
            }
            lower_graphs(&terms, &program)
        }
        Language::Horn => {
            let (unit, notices) = crate::chc::lower(&terms, text);
            let mut report = Report::new(input.source.clone());
            report.notices = notices;
            if report.is_rejected() {
                return Message::Rejected(Box::new(report));
            }
            vec![unit]
        }
    };
    let staged: Vec<Staged> = units
        .iter()
        .map(|unit| stage(&terms, unit, wanted, control))
        .collect();
    Message::Text(match wanted.format {
        GraphFormatArg::Ult => ult(&terms, input, &units, &staged, wanted.stage),
        GraphFormatArg::Dot => dot::print(&drawings(&terms, &staged)),
        GraphFormatArg::Svg => svg::print(&drawings(&terms, &staged)),
    })
}

fn rejection(input: &Input, diagnostics: Vec<ult_lang::diagnostic::Diagnostic>) -> Option<Report> {
    let mut report = Report::new(input.source.clone());
    report.notices = diagnostics.into_iter().map(Notice::from).collect();
    report.is_rejected().then_some(report)
}

/// A graph with the formulas at its locations, if it has any.
struct Staged {
    graph: ProgramGraph,
    labels: BTreeMap<LocationId, Term>,
}

fn stage(terms: &Terms, unit: &LoweredUnit, wanted: &Wanted, control: &Control) -> Staged {
    let plain = |graph| Staged {
        graph,
        labels: BTreeMap::new(),
    };
    if wanted.stage == StageArg::Source {
        return plain(unit.graph.clone());
    }
    let reduced = reduce(terms, &unit.graph, &wanted.reductions).graph;
    if wanted.stage == StageArg::Reduced {
        return plain(reduced);
    }
    let engine = SlicingAbstraction::default();
    let mut statistics = Statistics::default();
    let task = Task {
        terms,
        graph: &reduced,
        control,
        facts: &Facts::default(),
    };
    let (_, labelled) = engine.run_to_labelled(&task, &mut statistics);
    let (graph, labels) = labelled.picture(terms, &reduced);
    Staged { graph, labels }
}

fn drawings(terms: &Terms, staged: &[Staged]) -> Vec<Drawing> {
    staged
        .iter()
        .map(|staged| {
            Drawing::labelled(terms, &staged.graph, |location| {
                staged.labels.get(&location).copied()
            })
        })
        .collect()
}

/// The graphs in their own language. It has no formulas at locations, so the label of a location
/// becomes a condition of the edges that leave it.
fn ult(
    terms: &Terms,
    input: &Input,
    units: &[LoweredUnit],
    staged: &[Staged],
    stage: StageArg,
) -> String {
    let mut graphs: Vec<ProgramGraph> = Vec::new();
    // What an edge of the source graph was made of is said behind it. Origins are numbers of their
    // unit; here they become numbers of this table.
    let mut comments: Vec<String> = Vec::new();
    let commented = stage == StageArg::Source && input.language == Language::Boogie;
    for (staged, unit) in staged.iter().zip(units) {
        let mut graph = staged.graph.clone();
        for edge in graph.graph.edge_indices() {
            let label = graph
                .graph
                .edge_endpoints(edge)
                .and_then(|(source, _)| staged.labels.get(&source));
            let edge = &mut graph.graph[edge];
            if let Some(&label) = label {
                edge.transition.formula = terms.and2(label, edge.transition.formula);
            }
            let info = edge.origin.and_then(|origin| unit.origins.get(origin));
            edge.origin = info.filter(|_| commented).map(|info| {
                comments.push(describe(info, &input.source));
                Origin(u32::try_from(comments.len() - 1).unwrap_or(u32::MAX))
            });
        }
        graphs.push(graph);
    }
    let comment = |origin: Origin| comments.get(origin.0 as usize).cloned();
    let options = text::Options {
        comment: Some(&comment),
    };
    text::print(terms, &graphs.iter().collect::<Vec<_>>(), options)
}

/// The statement behind an edge, in one line.
fn describe(info: &OriginInfo, source: &Source) -> String {
    let line = source.start(info.span).line;
    let text = || source.excerpt(info.span, 60);
    let words = match &info.step {
        OriginStep::Assume
        | OriginStep::Assign
        | OriginStep::Havoc
        | OriginStep::Call(_)
        | OriginStep::Contract(_)
        | OriginStep::Unsupported
        | OriginStep::Edge => text(),
        OriginStep::Branch { free: false, .. }
        | OriginStep::Precondition
        | OriginStep::Postcondition
        | OriginStep::Where
        | OriginStep::Invariant
        | OriginStep::Passed
        | OriginStep::Violated => format!("{}: {}", info.step, text()),
        OriginStep::Start
        | OriginStep::Branch { free: true, .. }
        | OriginStep::Loop
        | OriginStep::ForgetLoop
        | OriginStep::Goto
        | OriginStep::Skip
        | OriginStep::Choose
        | OriginStep::Return(_)
        | OriginStep::ReturnStatement
        | OriginStep::Derive { .. }
        | OriginStep::Declaration => info.step.to_string(),
    };
    format!("{line}: {words}")
}
