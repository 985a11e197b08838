//! Random circuits in AIGER 1.9, in letters.
//!
//! The truth is a search through all states of the latches, with all inputs in each of them. The constraints have to hold
//! in every step up to the bad one, and there as well.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::Model;
use super::chance::Chance;

/// What a latch is at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reset {
    False,
    True,
    /// Either; written as the literal of the latch itself.
    Any,
}

#[derive(Clone, Copy, Debug)]
struct Latch {
    next: u32,
    reset: Reset,
}

/// Variable 0 is the constant; then come inputs, latches, and gates with arguments that come before them.
/// A literal is twice the variable, and one more if it is negated.
#[derive(Clone, Debug, Default)]
struct Circuit {
    inputs: u32,
    latches: Vec<Latch>,
    gates: Vec<[u32; 2]>,
    outputs: Vec<u32>,
    bad: Vec<u32>,
    constraints: Vec<u32>,
}

/// What the search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Nothing bad, and so many states.
    Never(usize),
    /// Something bad after so many steps.
    After(u32),
}

fn is_true(values: u64, literal: u32) -> bool {
    (values >> (literal / 2) & 1 == 1) != (literal % 2 == 1)
}

impl Circuit {
    /// The values of all variables.
    fn values(&self, state: u64, inputs: u64) -> u64 {
        let mut values = inputs << 1 | state << (1 + self.inputs);
        let first = 1 + self.inputs + self.latches.len() as u32;
        for (number, [a, b]) in (first..).zip(&self.gates) {
            values |= u64::from(is_true(values, *a) && is_true(values, *b)) << number;
        }
        values
    }

    /// What must not become true: without bad states and constraints the outputs, as before version 1.9.
    fn goals(&self) -> &[u32] {
        match self.bad.is_empty() && self.constraints.is_empty() {
            true => &self.outputs,
            false => &self.bad,
        }
    }

    fn search(&self) -> Found {
        let mut seen = vec![false; 1 << self.latches.len()];
        let mut waiting = VecDeque::new();
        for state in 0..1u64 << self.latches.len() {
            let is_first = self.latches.iter().enumerate().all(|(index, latch)| {
                let value = state >> index & 1 == 1;
                match latch.reset {
                    Reset::False => !value,
                    Reset::True => value,
                    Reset::Any => true,
                }
            });
            if is_first {
                seen[state as usize] = true;
                waiting.push_back((state, 0));
            }
        }
        let mut count = 0;
        while let Some((state, steps)) = waiting.pop_front() {
            count += 1;
            for inputs in 0..1u64 << self.inputs {
                let values = self.values(state, inputs);
                if !self.constraints.iter().all(|c| is_true(values, *c)) {
                    continue;
                }
                if self.goals().iter().any(|goal| is_true(values, *goal)) {
                    return Found::After(steps);
                }
                let next = self.latches.iter().enumerate().fold(0, |next, (i, latch)| {
                    next | u64::from(is_true(values, latch.next)) << i
                });
                if !std::mem::replace(&mut seen[next as usize], true) {
                    waiting.push_back((next, steps + 1));
                }
            }
        }
        Found::Never(count)
    }

    /// The text. Variables may have any numbers, and gates may stand in any order.
    fn text(&self, chance: &mut Chance) -> String {
        let count = 1 + self.inputs as usize + self.latches.len() + self.gates.len();
        let most = count - 1 + chance.pick(&[0, 0, 0, 1, 3]);
        let mut numbers: Vec<u32> = (1..=most as u32).collect();
        if chance.percent(40) {
            chance.shuffle(&mut numbers);
        }
        numbers.insert(0, 0);
        let literal = |literal: u32| numbers[literal as usize / 2] * 2 + literal % 2;
        let mut text = format!(
            "aag {most} {} {} {} {}",
            self.inputs,
            self.latches.len(),
            self.outputs.len(),
            self.gates.len()
        );
        match (self.bad.len(), self.constraints.len()) {
            (0, 0) => {}
            (bad, 0) => {
                let _ = write!(text, " {bad}");
            }
            (bad, constraints) => {
                let _ = write!(text, " {bad} {constraints}");
            }
        }
        text.push('\n');
        for input in 1..=self.inputs {
            let _ = writeln!(text, "{}", literal(2 * input));
        }
        for (variable, latch) in (self.inputs + 1..).zip(&self.latches) {
            let own = literal(2 * variable);
            let next = literal(latch.next);
            let _ = match latch.reset {
                Reset::False if chance.percent(60) => writeln!(text, "{own} {next}"),
                Reset::False => writeln!(text, "{own} {next} 0"),
                Reset::True => writeln!(text, "{own} {next} 1"),
                Reset::Any => writeln!(text, "{own} {next} {own}"),
            };
        }
        for of in [&self.outputs, &self.bad, &self.constraints] {
            for goal in of {
                let _ = writeln!(text, "{}", literal(*goal));
            }
        }
        let first = 1 + self.inputs + self.latches.len() as u32;
        let mut gates: Vec<(u32, [u32; 2])> = (first..).zip(self.gates.iter().copied()).collect();
        if chance.percent(40) {
            chance.shuffle(&mut gates);
        }
        for (variable, [a, b]) in gates {
            let _ = writeln!(
                text,
                "{} {} {}",
                literal(2 * variable),
                literal(a),
                literal(b)
            );
        }
        if chance.percent(20) {
            for (letter, count) in [
                ('i', self.inputs as usize),
                ('l', self.latches.len()),
                ('o', self.outputs.len()),
                ('b', self.bad.len()),
                ('c', self.constraints.len()),
            ] {
                for number in 0..count {
                    let _ = writeln!(text, "{letter}{number} name {letter} {number}");
                }
            }
        }
        if chance.percent(20) {
            text += "c\nrandom\n";
        }
        text
    }
}

fn circuit(chance: &mut Chance) -> Circuit {
    let inputs = chance.between(0, 3);
    let latches = chance.between(1, 5);
    let base = 1 + inputs + latches;
    let mut gates: Vec<[u32; 2]> = Vec::new();
    for _ in 0..chance.between(0, 8) {
        let known = base + gates.len() as u32;
        gates.push([literal(chance, known), literal(chance, known)]);
    }
    let latches: Vec<Latch> = (0..latches)
        .map(|index| {
            let own = 2 * (1 + inputs + index);
            let known = base + gates.len() as u32;
            let next = match chance.below(20) {
                0..3 => own,
                3 => own + 1,
                4 => chance.between(0, 1),
                5..9 => 2 * (1 + inputs + chance.between(0, latches - 1)),
                _ => literal(chance, known),
            };
            let reset = chance.pick(&[
                Reset::False,
                Reset::False,
                Reset::False,
                Reset::True,
                Reset::Any,
            ]);
            Latch { next, reset }
        })
        .collect();
    // What is bad is some values of some latches at once, or anything.
    let goal = |chance: &mut Chance, gates: &mut Vec<[u32; 2]>| {
        if chance.percent(25) {
            let known = base + gates.len() as u32;
            return literal(chance, known);
        }
        let of_latch = |chance: &mut Chance| {
            2 * (1 + inputs + chance.below(latches.len()) as u32) + chance.between(0, 1)
        };
        let mut goal = of_latch(chance);
        for _ in 0..chance.between(0, 3) {
            gates.push([goal, of_latch(chance)]);
            goal = 2 * (base + gates.len() as u32 - 1);
        }
        goal
    };
    let mut bad = Vec::new();
    let mut outputs = Vec::new();
    let mut constraints = Vec::new();
    let form = chance.below(20);
    if form < 12 {
        for _ in 0..chance.between(1, 2) {
            bad.push(goal(chance, &mut gates));
        }
    } else if form < 19 {
        for _ in 0..chance.between(1, 2) {
            outputs.push(goal(chance, &mut gates));
        }
    }
    // Outputs beside bad states say nothing. Outputs beside constraints alone have no meaning that all agree on.
    if form < 12 && chance.percent(15) {
        outputs.push(goal(chance, &mut gates));
    }
    if form == 19 || (form < 12 && chance.percent(50)) {
        for _ in 0..chance.between(1, 2) {
            // Most constraints exclude few states.
            let excluded = goal(chance, &mut gates);
            constraints.push(excluded ^ u32::from(chance.percent(75)));
        }
    }
    Circuit {
        inputs,
        latches,
        gates,
        outputs,
        bad,
        constraints,
    }
}

/// A literal of one of the first variables.
fn literal(chance: &mut Chance, variables: u32) -> u32 {
    match chance.percent(4) {
        true => chance.between(0, 1),
        false => chance.between(2, (2 * variables - 1).max(2)),
    }
}

/// A random circuit.
pub(super) fn model(chance: &mut Chance) -> Option<Model> {
    let circuit = circuit(chance);
    let found = circuit.search();
    Some(Model {
        text: circuit.text(chance),
        is_safe: matches!(found, Found::Never(_)),
        is_dull: match found {
            Found::Never(states) => states < 2 || circuit.goals().is_empty(),
            Found::After(steps) => steps == 0,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of two bits that an input lets go on: input 1, low 2, high 3.
    fn counter() -> Circuit {
        Circuit {
            inputs: 1,
            latches: vec![
                Latch {
                    next: 12,
                    reset: Reset::False,
                },
                Latch {
                    next: 18,
                    reset: Reset::False,
                },
            ],
            gates: vec![[4, 2], [5, 3], [9, 11], [6, 8], [7, 9], [15, 17], [4, 6]],
            bad: vec![20],
            ..Circuit::default()
        }
    }

    #[test]
    fn a_counter_needs_three_steps() {
        assert_eq!(counter().search(), Found::After(3));
    }

    #[test]
    fn constraints_hold_in_all_steps_and_in_the_bad_one() {
        let with = |constraint| Circuit {
            constraints: vec![constraint],
            ..counter()
        };
        // The input lets it go on; it never does; the bad state itself is excluded; so is the first one.
        assert_eq!(with(2).search(), Found::After(3));
        assert_eq!(with(3).search(), Found::Never(1));
        assert_eq!(with(21).search(), Found::Never(4));
        assert_eq!(with(8).search(), Found::Never(1));
    }

    #[test]
    fn latches_start_as_they_are_told() {
        let one = |reset, bad| Circuit {
            latches: vec![Latch { next: 2, reset }],
            bad: vec![bad],
            ..Circuit::default()
        };
        assert_eq!(one(Reset::False, 2).search(), Found::Never(1));
        assert_eq!(one(Reset::True, 2).search(), Found::After(0));
        assert_eq!(one(Reset::Any, 2).search(), Found::After(0));
        assert_eq!(one(Reset::Any, 0).search(), Found::Never(2));
        assert_eq!(one(Reset::False, 1).search(), Found::After(0));
    }

    #[test]
    fn outputs_are_bad_where_nothing_else_is() {
        let mut circuit = counter();
        circuit.outputs = std::mem::take(&mut circuit.bad);
        assert_eq!(circuit.search(), Found::After(3));
        circuit.bad = vec![0];
        assert_eq!(circuit.search(), Found::Never(4));
    }
}
