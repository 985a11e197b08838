//! AIGER 1.9, in letters.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Part;
use crate::aig::Lit;

/// Inputs, latches and gates are numbered in this order.
pub(super) fn write(part: &Part<'_>) -> String {
    let system = part.system;
    let latch = |number: usize| system.latches[number].lit.node();
    let nodes = (part.inputs.iter().map(|input| input.node()))
        .chain(part.latches.iter().map(|&number| latch(number)))
        .chain(part.gates.iter().copied());
    let mut numbers: HashMap<usize, usize> = nodes
        .enumerate()
        .map(|(number, node)| (node, number + 1))
        .collect();
    numbers.insert(Lit::FALSE.node(), 0);
    let code = |lit: Lit| 2 * numbers[&lit.node()] + usize::from(lit.is_inverted());
    let (inputs, latches, gates) = (part.inputs.len(), part.latches.len(), part.gates.len());
    let mut text = format!(
        "aag {} {inputs} {latches} 0 {gates} {}\n",
        inputs + latches + gates,
        system.bads.len()
    );
    for &input in &part.inputs {
        let _ = writeln!(text, "{}", code(input));
    }
    for &number in &part.latches {
        let latch = &system.latches[number];
        // A latch that may start with any value starts with its own.
        let start = latch.start.map_or(code(latch.lit), usize::from);
        let _ = writeln!(text, "{} {} {start}", code(latch.lit), code(latch.next));
    }
    for bad in &system.bads {
        let _ = writeln!(text, "{}", code(bad.lit));
    }
    for &gate in &part.gates {
        let (a, b) = part.arguments(gate);
        let (a, b) = (code(a).max(code(b)), code(a).min(code(b)));
        let _ = writeln!(text, "{} {a} {b}", 2 * numbers[&gate]);
    }
    for (position, number) in part.latches.iter().enumerate() {
        let _ = writeln!(text, "l{position} {}", part.names[number]);
    }
    for position in 0..system.bads.len() {
        let _ = writeln!(text, "b{position} error{}", position + 1);
    }
    text
}
