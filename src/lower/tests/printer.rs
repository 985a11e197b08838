//! A compact text of a lowered unit.

use std::fmt::Write as _;

use petgraph::visit::EdgeRef;
use ult_lang::span::Span;

use crate::unit::ObligationKind;
use crate::{Abstraction, LoweredUnit};
use ult_core::formula::Terms;
use ult_core::graph::LocationId;

/// The unit as text; `source` is what the spans refer to.
pub(super) fn print(terms: &Terms, source: &str, unit: &LoweredUnit) -> String {
    let graph = &unit.graph;
    let mut out = format!("=== {}", graph.name);
    if let Some(plan) = unit.plan {
        let _ = write!(out, " ({:?})", plan.role);
    }
    out += "\n";
    for (name, sort) in &graph.variables {
        let shown = &unit.displayed[name];
        let mut text = shown.name.to_string();
        if shown.old {
            text = format!("old({text})");
        }
        if let Some(procedure) = &shown.procedure {
            let _ = write!(text, " of {procedure}");
        }
        let _ = writeln!(out, "var {name}: {sort} // {text}");
    }
    for function in &graph.functions {
        let params: Vec<String> = function.params.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            out,
            "function {}({}): {}",
            function.name,
            params.join(", "),
            function.result
        );
    }
    for &axiom in &graph.axioms {
        let _ = writeln!(out, "axiom {}", terms.display(axiom));
    }
    let place = |span: Span| {
        let before = &source[..span.start as usize];
        before.matches('\n').count() + 1
    };
    let name = |l: LocationId| {
        let location = &graph.graph[l];
        let head = if location.loop_head { "*" } else { "" };
        format!("{}{head}", location.name)
    };
    for edge in graph.graph.edge_references() {
        let transition = &edge.weight().transition;
        let info = unit.origins.get(edge.weight().origin.unwrap()).unwrap();
        let _ = write!(
            out,
            "{} -> {}: {}",
            name(edge.source()),
            name(edge.target()),
            terms.display(transition.formula)
        );
        // Only what the formula says nothing about.
        let free: Vec<&str> = transition
            .changed
            .iter()
            .filter(|n| {
                !terms
                    .names_of(&[transition.formula], ult_core::formula::Version::Next)
                    .contains_key(*n)
            })
            .map(|n| &**n)
            .collect();
        if !free.is_empty() {
            let _ = write!(out, " [any {}]", free.join(", "));
        }
        let _ = write!(out, " // {}: {}", place(info.span), info.step);
        match unit.abstracted.get(&edge.id()) {
            Some(Abstraction::Contract { callee }) => {
                let _ = write!(out, " (too much: contract of {callee})");
            }
            Some(Abstraction::Unsupported { what }) => {
                let _ = write!(out, " (too much: {what})");
            }
            Some(Abstraction::Weakened { what }) => {
                let _ = write!(out, " (too much: less of {what})");
            }
            None => {}
        }
        out += "\n";
    }
    for (&location, obligation) in &unit.obligations {
        let info = unit.origins.get(obligation.origin).unwrap();
        let _ = write!(out, "{}: line {}: ", name(location), place(info.span));
        if let Some(clause) = obligation.clause {
            let _ = write!(out, "(clause at line {}) ", place(clause));
        }
        let _ = write!(out, "{}", obligation.kind);
        if !matches!(obligation.kind, ObligationKind::Unsupported { .. })
            && *obligation.text != *obligation.kind.to_string()
        {
            let _ = write!(out, " {:?}", obligation.text);
        }
        for call in unit.origins.call_stack(obligation.origin) {
            let call = unit.origins.get(call).unwrap();
            let _ = write!(out, ", from line {}: {}", place(call.span), call.step);
        }
        out += "\n";
    }
    for procedure in &unit.relies_on {
        let _ = writeln!(out, "relies on procedure {}", procedure.index());
    }
    for dropped in &unit.axioms_dropped {
        let info = unit.origins.get(dropped.origin).unwrap();
        let _ = writeln!(
            out,
            "axiom dropped, line {}: {}",
            place(info.span),
            dropped.what
        );
    }
    for unsupported in &unit.unsupported {
        let info = unit.origins.get(unsupported.origin).unwrap();
        let _ = writeln!(
            out,
            "unsupported, line {}: {}",
            place(info.span),
            unsupported.what
        );
    }
    out
}
