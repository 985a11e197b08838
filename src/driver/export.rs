//! Whole files as Horn clauses or as programs in SV-LIB, and procedures as circuits, for other verifiers.

#[cfg(feature = "svlib")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::load::{Content, Loaded};
use super::summaries::{Asked, ask};
use ult_bits::formats;
pub use ult_bits::formats::Format;
use ult_bits::system::System;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::{LocationId, Origin, ProgramGraph};
use ult_explain::Source;
use ult_lower::unit::Abstraction;
use ult_lower::{CallPolicy, LoweredUnit};
use ult_reduce::ReduceOptions;
use ult_smt::Session;
use ult_smt::smtlib::horn_text;

/// The Horn clauses of a text: of a program with a predicate for each procedure that is not inlined, of program graphs
/// as they are. The store is the one of [`load`](super::load()).
///
/// # Errors
/// In words, why there are none.
pub fn clauses(
    terms: &Terms,
    loaded: Loaded,
    reduction: &ReduceOptions,
    obligation: Option<usize>,
    control: &Control,
) -> Result<String, String> {
    let source = loaded.source.clone();
    let asked = match &loaded.content {
        Content::Program(program) => {
            let reading = &loaded.reading;
            if reading.modular {
                return Err("Horn clauses say what calls and loops do, not what their contracts and invariants say: there is no export with `--modular`".into());
            }
            let all = reading.calls == CallPolicy::Contract;
            ask(terms, program, reading, reduction, all)
        }
        Content::Graphs(_) | Content::Unit(_) => loaded
            .units(terms)
            .map(|units| Asked::plain(terms, units, reduction)),
    };
    let asked = asked.map_err(|error| error.to_string())?;
    text(terms, &asked, &source, obligation, control)
}

/// The circuit of a procedure, or of a program graph, in one of the formats for circuits. The file may have
/// obligations in one of them only. The store is the one of [`load`](super::load()).
///
/// # Errors
/// In words, why there is none.
pub fn circuit(
    terms: &Terms,
    loaded: Loaded,
    format: Format,
    obligation: Option<usize>,
    control: &Control,
) -> Result<String, String> {
    let (system, graph) = system(terms, loaded, obligation, control)?;
    formats::write(&system, &graph, format)
}

/// The same in the binary form of AIGER.
///
/// # Errors
/// As [`circuit`].
pub fn binary_circuit(
    terms: &Terms,
    loaded: Loaded,
    obligation: Option<usize>,
    control: &Control,
) -> Result<Vec<u8>, String> {
    let (system, graph) = system(terms, loaded, obligation, control)?;
    formats::write_binary_aiger(&system, &graph)
}

/// The circuit, and the graph that it is one of.
fn system(
    terms: &Terms,
    loaded: Loaded,
    obligation: Option<usize>,
    control: &Control,
) -> Result<(System, ProgramGraph), String> {
    let source = loaded.source.clone();
    let units = loaded.units(terms).map_err(|error| error.to_string())?;
    let mut asked = units
        .into_iter()
        .filter(|unit| !unit.obligations.is_empty());
    let mut unit = asked.next().ok_or("there is no obligation")?;
    if let Some(other) = asked.next() {
        let (one, other) = (&unit.graph.name, &other.graph.name);
        return Err(format!(
            "a circuit is made of one procedure, and both `{one}` and `{other}` have obligations: `--entry` names one"
        ));
    }
    as_it_runs(&unit, &source)?;
    if let Some(wanted) = obligation {
        let errors: Vec<LocationId> = unit.obligations.keys().copied().collect();
        let Some(&kept) = wanted.checked_sub(1).and_then(|number| errors.get(number)) else {
            return Err(format!(
                "obligations are numbered from 1 to {}",
                errors.len()
            ));
        };
        for error in errors.into_iter().filter(|&error| error != kept) {
            unit.graph.graph[error].error = None;
        }
    }
    let circuit = ult_engine::bits::circuit(terms, &unit.graph, control);
    circuit.map_err(|reason| reason.to_string())
}

/// The program in SV-LIB that has the runs of a text: a procedure and a `verify-call` for each procedure, or program graph,
/// that has obligations. The store is the one of [`load`](super::load()).
///
/// # Errors
/// In words, why there is none.
#[cfg(feature = "svlib")]
pub fn sv_lib(terms: &Terms, loaded: Loaded, obligation: Option<usize>) -> Result<String, String> {
    use ult_svlib::export::{Refused, Task, text};
    let source = loaded.source.clone();
    let units = loaded.units(terms).map_err(|error| error.to_string())?;
    let mut units: Vec<LoweredUnit> = units
        .into_iter()
        .filter(|unit| !unit.obligations.is_empty())
        .collect();
    let (mut number, mut kept) = (0, false);
    let mut remarks = Vec::new();
    for unit in &mut units {
        as_it_runs(unit, &source)?;
        let mut said = BTreeMap::new();
        for (&location, asked) in &unit.obligations {
            number += 1;
            if obligation.is_some_and(|wanted| wanted != number) {
                unit.graph.graph[location].error = None;
                continue;
            }
            kept = true;
            let line = line(&source, unit, asked.origin).unwrap_or_default();
            said.insert(location, format!("{number}: {line}{}", asked.text));
        }
        if !said.is_empty() {
            remarks.push(said);
        }
    }
    if !kept {
        return Err(match number {
            0 => "there is no obligation".into(),
            number => format!("obligations are numbered from 1 to {number}"),
        });
    }
    units.retain(|unit| unit.graph.errors().next().is_some());
    let tasks: Vec<Task<'_>> = units
        .iter()
        .zip(remarks)
        .map(|(unit, remarks)| Task {
            graph: &unit.graph,
            remarks,
        })
        .collect();
    let program = text(terms, &tasks).map_err(|Refused { what, task, origin }| {
        let place = origin.and_then(|origin| line(&source, units.get(task)?, origin));
        format!("{}there is no SV-LIB for {what}", place.unwrap_or_default())
    })?;
    // What we could not read ourselves is no program.
    let read = ult_svlib::translate(&program);
    if let Some(wrong) = read.diagnostics.iter().find(|found| found.is_error()) {
        return Err(format!("there is no SV-LIB for this: {}", wrong.message));
    }
    let name = source.name.replace(['\n', '\r'], " ");
    Ok(format!("; {name}\n{program}"))
}

/// `line 3: `
fn line(source: &Source, unit: &LoweredUnit, origin: Origin) -> Option<String> {
    let info = unit.origins.get(origin)?;
    Some(format!("line {}: ", source.start(info.span).line))
}

/// Whether the graph has exactly the runs of the program.
fn as_it_runs(unit: &LoweredUnit, source: &Source) -> Result<(), String> {
    said_exactly(unit, source)?;
    if unit.graph.has_premises() {
        return Err(
            "clauses with several predicates among their premises cannot be expressed".into(),
        );
    }
    match unit.abstracted.values().next() {
        Some(Abstraction::Contract { callee }) => Err(format!(
            "calls of `{callee}` are known by its contract only"
        )),
        Some(Abstraction::Unsupported { what } | Abstraction::Weakened { what }) => {
            Err(format!("{what} cannot be expressed"))
        }
        None => Ok(()),
    }
}

fn text(
    terms: &Terms,
    asked: &Asked,
    source: &Source,
    obligation: Option<usize>,
    control: &Control,
) -> Result<String, String> {
    for unit in &asked.units {
        exact(asked, unit, source)?;
    }
    let obligations = asked.obligations();
    let mut head = format!("; {}\n", source.name.replace(['\n', '\r'], " "));
    let _ = writeln!(
        head,
        "; satisfiable exactly if none of these obligations can be violated:"
    );
    let mut except: BTreeSet<(usize, LocationId)> = BTreeSet::new();
    for (i, asserted) in obligations.iter().enumerate() {
        if obligation.is_some_and(|wanted| wanted != i + 1) {
            except.extend(asserted.location.map(|location| (asserted.unit, location)));
            continue;
        }
        let origin = asked.units[asserted.unit].origins.get(asserted.origin);
        let line = origin.map(|info| format!("line {}: ", source.start(info.span).line));
        let what = asserted.text.replace(['\n', '\r'], " ");
        let _ = writeln!(head, ";   {}: {}{what}", i + 1, line.unwrap_or_default());
    }
    if obligation.is_some_and(|wanted| wanted == 0 || wanted > obligations.len()) {
        return Err(match obligations.len() {
            0 => "there is no obligation".into(),
            number => format!("obligations are numbered from 1 to {number}"),
        });
    }
    let joined = asked
        .clauses(terms, &except)
        .ok_or("a call cannot be written as a Horn clause")?;
    let session = Session::new(terms, &asked.axioms(), control);
    let clauses = horn_text(&session, &joined.clauses).map_err(|failure| failure.to_string())?;
    Ok(head + &clauses)
}

/// Whether the graphs allow exactly what the program does.
fn exact(asked: &Asked, unit: &LoweredUnit, source: &Source) -> Result<(), String> {
    said_exactly(unit, source)?;
    for abstraction in unit.abstracted.values() {
        match abstraction {
            Abstraction::Contract { callee } if !asked.summarised.contains(callee) => {
                return Err(format!(
                    "calls of `{callee}` are known by its contract only; `--calls contract` makes a predicate of every procedure that can have one"
                ));
            }
            Abstraction::Weakened { what } => return Err(format!("{what} cannot be expressed")),
            // What could not be expressed at all is named above.
            Abstraction::Contract { .. } | Abstraction::Unsupported { .. } => {}
        }
    }
    Ok(())
}

/// Whether nothing is left out for which there are no formulas.
fn said_exactly(unit: &LoweredUnit, source: &Source) -> Result<(), String> {
    let left_out = unit.axioms_dropped.iter().chain(&unit.unsupported);
    if let Some(first) = left_out.chain(&unit.approximated).next() {
        let place = line(source, unit, first.origin).unwrap_or_default();
        return Err(format!(
            "{place}{} cannot be expressed, so what is written would say too little",
            first.what
        ));
    }
    Ok(())
}
