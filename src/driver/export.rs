//! Whole files as Horn clauses, for other solvers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::load::{Content, Loaded};
use super::source::Source;
use super::summaries::{Asked, ask};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::LocationId;
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
        Content::Graphs(_) | Content::Horn(_) => loaded
            .units(terms)
            .map(|units| Asked::plain(terms, units, reduction)),
    };
    let asked = asked.map_err(|error| error.to_string())?;
    text(terms, &asked, &source, obligation, control)
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
    if let Some(first) = unit.axioms_dropped.iter().chain(&unit.unsupported).next() {
        let line = unit
            .origins
            .get(first.origin)
            .map(|info| source.start(info.span).line);
        let place = line.map_or_else(String::new, |line| format!("line {line}: "));
        return Err(format!(
            "{place}{} cannot be expressed, so the clauses would say too little",
            first.what
        ));
    }
    for abstraction in unit.abstracted.values() {
        if let Abstraction::Contract { callee } = abstraction
            && !asked.summarised.contains(callee)
        {
            return Err(format!(
                "calls of `{callee}` are known by its contract only; `--calls contract` makes a predicate of every procedure that can have one"
            ));
        }
    }
    Ok(())
}
