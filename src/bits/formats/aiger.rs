//! AIGER 1.9, in letters and in binary.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Part;
use crate::aig::Lit;

/// The numbers of nodes: inputs, latches and gates in this order, as the binary form demands.
struct Numbers<'p> {
    part: &'p Part<'p>,
    numbers: HashMap<usize, usize>,
}

impl<'p> Numbers<'p> {
    fn new(part: &'p Part<'p>) -> Numbers<'p> {
        let latch = |number: usize| part.system.latches[number].lit.node();
        let nodes = (part.inputs.iter().map(|input| input.node()))
            .chain(part.latches.iter().map(|&number| latch(number)))
            .chain(part.gates.iter().copied());
        let mut numbers: HashMap<usize, usize> = nodes
            .enumerate()
            .map(|(number, node)| (node, number + 1))
            .collect();
        numbers.insert(Lit::FALSE.node(), 0);
        Numbers { part, numbers }
    }

    fn code(&self, lit: Lit) -> usize {
        2 * self.numbers[&lit.node()] + usize::from(lit.is_inverted())
    }

    /// The arguments of a gate, the larger one first.
    fn arguments(&self, gate: usize) -> (usize, usize) {
        let (a, b) = self.part.arguments(gate);
        let (a, b) = (self.code(a), self.code(b));
        (a.max(b), a.min(b))
    }

    fn header(&self, magic: &str) -> String {
        let part = self.part;
        let (inputs, latches, gates) = (part.inputs.len(), part.latches.len(), part.gates.len());
        format!(
            "{magic} {} {inputs} {latches} 0 {gates} {}\n",
            inputs + latches + gates,
            part.system.bads.len()
        )
    }

    /// The next value of a latch, and its first one.
    fn latch(&self, number: usize) -> String {
        let latch = &self.part.system.latches[number];
        // A latch that may start with any value starts with its own.
        let start = latch.start.map_or(self.code(latch.lit), usize::from);
        format!("{} {start}", self.code(latch.next))
    }

    fn bads(&self) -> String {
        let mut text = String::new();
        for bad in &self.part.system.bads {
            let _ = writeln!(text, "{}", self.code(bad.lit));
        }
        text
    }

    fn symbols(&self) -> String {
        let mut text = String::new();
        for (position, number) in self.part.latches.iter().enumerate() {
            let _ = writeln!(text, "l{position} {}", self.part.names[number]);
        }
        for (position, name) in self.part.bads.iter().enumerate() {
            let _ = writeln!(text, "b{position} {name}");
        }
        text
    }
}

pub(super) fn write(part: &Part<'_>) -> String {
    let numbers = Numbers::new(part);
    let mut text = numbers.header("aag");
    for &input in &part.inputs {
        let _ = writeln!(text, "{}", numbers.code(input));
    }
    for &number in &part.latches {
        let lit = part.system.latches[number].lit;
        let _ = writeln!(text, "{} {}", numbers.code(lit), numbers.latch(number));
    }
    text += &numbers.bads();
    for &gate in &part.gates {
        let (a, b) = numbers.arguments(gate);
        let _ = writeln!(text, "{} {a} {b}", 2 * numbers.numbers[&gate]);
    }
    text + &numbers.symbols()
}

pub(super) fn write_binary(part: &Part<'_>) -> Vec<u8> {
    let numbers = Numbers::new(part);
    let mut text = numbers.header("aig");
    for &number in &part.latches {
        let _ = writeln!(text, "{}", numbers.latch(number));
    }
    text += &numbers.bads();
    let mut bytes = text.into_bytes();
    for &gate in &part.gates {
        let (a, b) = numbers.arguments(gate);
        difference(&mut bytes, 2 * numbers.numbers[&gate] - a);
        difference(&mut bytes, a - b);
    }
    bytes.extend(numbers.symbols().into_bytes());
    bytes
}

/// Seven bits a byte, the lowest first; all bytes but the last one have the eighth bit set.
fn difference(bytes: &mut Vec<u8>, mut value: usize) {
    while value > 0x7f {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
