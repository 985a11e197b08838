//! BTOR2, with words of one bit.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Part;
use crate::aig::Lit;

/// The lines of a file; each has a number.
struct Lines {
    text: String,
    count: usize,
    /// The lines of nodes.
    nodes: HashMap<usize, usize>,
    inverted: HashMap<usize, usize>,
}

impl Lines {
    /// Adds a line; tells its number.
    fn add(&mut self, what: &str) -> usize {
        self.count += 1;
        let _ = writeln!(self.text, "{} {what}", self.count);
        self.count
    }

    /// The line of a literal. One that is inverted has a line of its own, which numbers with a sign
    /// would save, but not all readers know these.
    fn of(&mut self, lit: Lit) -> usize {
        let node = self.nodes[&lit.node()];
        if !lit.is_inverted() {
            return node;
        }
        if let Some(&line) = self.inverted.get(&node) {
            return line;
        }
        let line = self.add(&format!("not 1 {node}"));
        self.inverted.insert(node, line);
        line
    }
}

pub(super) fn write(part: &Part<'_>) -> String {
    let system = part.system;
    let mut lines = Lines {
        text: String::new(),
        count: 0,
        nodes: HashMap::new(),
        inverted: HashMap::new(),
    };
    lines.add("sort bitvec 1");
    let zero = lines.add("zero 1");
    let one = lines.add("one 1");
    lines.nodes.insert(Lit::FALSE.node(), zero);
    lines.inverted.insert(zero, one);
    for &input in &part.inputs {
        let line = lines.add("input 1");
        lines.nodes.insert(input.node(), line);
    }
    for &number in &part.latches {
        let latch = &system.latches[number];
        // Names may not have blanks.
        let name = part.names[&number].replace(char::is_whitespace, "_");
        let line = lines.add(&format!("state 1 {name}"));
        lines.nodes.insert(latch.lit.node(), line);
        if let Some(start) = latch.start {
            lines.add(&format!("init 1 {line} {}", if start { one } else { zero }));
        }
    }
    for &gate in &part.gates {
        let (a, b) = part.arguments(gate);
        let (a, b) = (lines.of(a), lines.of(b));
        let line = lines.add(&format!("and 1 {a} {b}"));
        lines.nodes.insert(gate, line);
    }
    for &number in &part.latches {
        let latch = &system.latches[number];
        let next = lines.of(latch.next);
        let state = lines.nodes[&latch.lit.node()];
        lines.add(&format!("next 1 {state} {next}"));
    }
    for (bad, name) in system.bads.iter().zip(&part.bads) {
        let bad = lines.of(bad.lit);
        lines.add(&format!("bad {bad} {name}"));
    }
    lines.text
}
