//! DimSpec: initial states, all states, goals, steps, as clauses.
//!
//! The variables of a state are the latches, the inputs of the step that leaves it, and the gates;
//! what gates are is said of all states. A goal is a state whose step is bad.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Part;
use crate::aig::Lit;

pub(super) fn write(part: &Part<'_>) -> String {
    let system = part.system;
    let latches = part
        .latches
        .iter()
        .map(|&number| system.latches[number].lit);
    let nodes = latches
        .chain(part.inputs.iter().copied())
        .map(Lit::node)
        .chain(part.gates.iter().copied());
    let numbers: HashMap<usize, i64> = nodes.zip(1..).collect();
    // The last variable is true: constants are literals of it.
    let truth = numbers.len() as i64 + 1;
    let code = |lit: Lit| {
        let (number, inverted) = match lit.as_constant() {
            Some(value) => (truth, !value),
            None => (numbers[&lit.node()], lit.is_inverted()),
        };
        if inverted { -number } else { number }
    };
    let mut initial = Vec::new();
    for &number in &part.latches {
        let latch = &system.latches[number];
        if let Some(start) = latch.start {
            initial.push(vec![code(latch.lit.invert_if(!start))]);
        }
    }
    let mut always = vec![vec![truth]];
    for &gate in &part.gates {
        let (y, (a, b)) = (numbers[&gate], part.arguments(gate));
        let (a, b) = (code(a), code(b));
        always.extend([vec![-y, a], vec![-y, b], vec![y, -a, -b]]);
    }
    let goal = vec![system.bads.iter().map(|bad| code(bad.lit)).collect()];
    let mut steps = Vec::new();
    for &number in &part.latches {
        let latch = &system.latches[number];
        let (after, next) = (code(latch.lit) + truth, code(latch.next));
        steps.extend([vec![-after, next], vec![after, -next]]);
    }
    let mut text = String::new();
    for (section, count, clauses) in [
        ('i', truth, initial),
        ('u', truth, always),
        ('g', truth, goal),
        ('t', 2 * truth, steps),
    ] {
        let _ = writeln!(text, "{section} cnf {count} {}", clauses.len());
        for clause in clauses {
            for lit in clause {
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
    }
    text
}
