//! `ult graph`: the program graphs of a program, before and after the reductions, and as the
//! engine leaves them.

use std::collections::{BTreeMap, BTreeSet};

use super::args::{GraphArgs, GraphFormatArg, StageArg};
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use super::output;
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::{LocationId, Origin, ProgramGraph, text};
use ult_core::stats::Statistics;
use ult_draw::drawing::Drawing;
use ult_draw::{dot, svg};
use ult_driver::{Language, Settings, Source, load};
use ult_engine::Task;
use ult_engine::invariants::Facts;
use ult_engine::slicing::SlicingAbstraction;
use ult_lower::{Abstraction, CallPolicy, LoweredUnit, OriginInfo, OriginStep};
use ult_reduce::reduce;

/// What to show.
#[derive(Clone)]
struct Wanted {
    settings: Settings,
    stage: StageArg,
    format: GraphFormatArg,
}

/// Runs the command.
pub(crate) fn run(args: &GraphArgs) -> Exit {
    let wanted = Wanted {
        settings: super::check::reading_settings(&args.read),
        stage: args.stage,
        format: args.format,
    };
    let document = Document {
        files: std::slice::from_ref(&args.file),
        language: args.read.language,
        c: &args.read.c,
        libraries: &args.read.library,
        timeout: args.timeout,
        output: args.output.as_deref(),
    };
    document::run(&document, move |input, control| {
        graphs(input, &wanted, control)
    })
}

fn graphs(input: &Input, wanted: &Wanted, control: &Control) -> Made {
    if let Some(report) = input.rejection() {
        return Made::Rejected(Box::new(report));
    }
    let terms = Terms::new();
    let loaded = match load(&terms, &input.source, input.language, &wanted.settings) {
        Ok(loaded) if loaded.is_rejected() => return Made::Rejected(Box::new(loaded.report())),
        Ok(loaded) => loaded,
        Err(bug) => return Made::Bug(bug),
    };
    let units = match loaded.units(&terms) {
        Ok(units) => units,
        Err(error) => return Made::Refused(format!("{}: {error}", input.source.name)),
    };
    for note in notes(&units, &wanted.settings) {
        output::stderr(&format!("ult: note: {note}\n"));
    }
    let staged: Vec<Staged> = units
        .iter()
        .map(|unit| stage(&terms, unit, wanted, control))
        .collect();
    Made::Text(match wanted.format {
        GraphFormatArg::Ult => ult(&terms, input, &units, &staged, wanted.stage),
        GraphFormatArg::Dot => dot::print(&drawings(&terms, &staged)),
        GraphFormatArg::Svg => svg::print(&drawings(&terms, &staged)),
    })
}

/// Where the graphs allow more than the program does, and nobody asked for that.
fn notes(units: &[LoweredUnit], settings: &Settings) -> BTreeSet<String> {
    let reading = &settings.reading;
    let asked = reading.modular || reading.calls == CallPolicy::Contract;
    let notes = units.iter().flat_map(|unit| {
        unit.abstracted.values().filter_map(move |abstraction| {
            let graph = &unit.graph.name;
            match abstraction {
                Abstraction::Contract { .. } if asked => None,
                Abstraction::Contract { callee } => Some(format!(
                    "{graph}: calls of `{callee}` stand there by its contract, since it calls itself or the graph would get too \
                     large: what it may change has any value that its contract allows"
                )),
                Abstraction::Unsupported { what } => Some(format!(
                    "{graph}: {what} cannot be expressed; what it may change has any value"
                )),
                Abstraction::Weakened { what } => Some(format!(
                    "{graph}: {what} is said of the types that the program has; states may pass that it excludes"
                )),
            }
        })
    });
    notes.collect()
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
    let reduced = reduce(terms, &unit.graph, &wanted.settings.verify.reduce).graph;
    if wanted.stage == StageArg::Reduced {
        return plain(reduced);
    }
    let engine = SlicingAbstraction::default();
    let mut statistics = Statistics::default();
    let facts = Facts::default();
    let task = Task::of_graph(terms, &reduced, control, &facts);
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
    let commented =
        stage == StageArg::Source && matches!(input.language, Language::Boogie | Language::C);
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
        | OriginStep::Defined(_)
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
