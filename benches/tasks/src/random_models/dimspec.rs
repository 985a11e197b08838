//! Random circuits in DimSpec: clauses about initial states, all states, goals, and steps.
//!
//! The truth is a search through all assignments: a run begins where the initial clauses hold, takes steps that the clauses
//! about steps allow, and ends in a goal. The universal clauses hold in each of its states.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::Model;
use super::chance::Chance;

type Clause = Vec<i32>;

#[derive(Clone, Debug, Default)]
struct Circuit {
    variables: u32,
    initial: Vec<Clause>,
    universal: Vec<Clause>,
    goal: Vec<Clause>,
    /// Of the variables before the step and, behind them, after it.
    step: Vec<Clause>,
}

/// Whether an assignment satisfies clauses. Bit 0 is variable 1.
fn holds(clauses: &[Clause], assignment: u32) -> bool {
    clauses.iter().all(|clause| {
        clause
            .iter()
            .any(|literal| (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (*literal > 0))
    })
}

impl Circuit {
    /// The number of steps to a goal, if there is one, and the number of states.
    fn search(&self) -> (Option<u32>, usize) {
        let all = 1u32 << self.variables;
        let is_state = |state: u32| holds(&self.universal, state);
        let mut seen = vec![false; all as usize];
        let mut waiting = VecDeque::new();
        for state in (0..all).filter(|state| is_state(*state) && holds(&self.initial, *state)) {
            seen[state as usize] = true;
            waiting.push_back((state, 0));
        }
        let mut count = 0;
        while let Some((state, steps)) = waiting.pop_front() {
            count += 1;
            if holds(&self.goal, state) {
                return (Some(steps), count);
            }
            for next in 0..all {
                if is_state(next)
                    && holds(&self.step, state | next << self.variables)
                    && !std::mem::replace(&mut seen[next as usize], true)
                {
                    waiting.push_back((next, steps + 1));
                }
            }
        }
        (None, count)
    }

    fn text(&self, chance: &mut Chance) -> String {
        let mut sections = vec![
            ('i', self.variables, &self.initial),
            ('u', self.variables, &self.universal),
            ('g', self.variables, &self.goal),
            ('t', 2 * self.variables, &self.step),
        ];
        if chance.percent(10) {
            chance.shuffle(&mut sections);
        }
        let mut text = String::new();
        for (letter, variables, clauses) in sections {
            if chance.percent(10) {
                let _ = writeln!(text, "c the section {letter}");
            }
            let _ = writeln!(text, "{letter} cnf {variables} {}", clauses.len());
            for clause in clauses {
                for literal in clause {
                    let _ = write!(text, "{literal} ");
                }
                text += "0\n";
            }
        }
        text
    }
}

fn literal(chance: &mut Chance, variables: i32) -> i32 {
    let variable = 1 + chance.below(variables.unsigned_abs() as usize) as i32;
    if chance.percent(50) {
        variable
    } else {
        -variable
    }
}

fn clause(chance: &mut Chance, variables: i32) -> Clause {
    if chance.percent(1) {
        return Vec::new();
    }
    (0..chance.pick(&[1, 2, 2, 2, 3, 3, 4]))
        .map(|_| literal(chance, variables))
        .collect()
}

/// Both literals are the same.
fn same(clauses: &mut Vec<Clause>, a: i32, b: i32) {
    clauses.extend([vec![-a, b], vec![a, -b]]);
}

/// The first literal is the conjunction of the others.
fn both(clauses: &mut Vec<Clause>, out: i32, a: i32, b: i32) {
    clauses.extend([vec![-out, a], vec![-out, b], vec![out, -a, -b]]);
}

fn circuit(chance: &mut Chance) -> Circuit {
    let count = chance.between(2, 5);
    let n = count as i32;
    let mut circuit = Circuit {
        variables: count,
        ..Circuit::default()
    };
    for variable in 1..=n {
        match chance.below(10) {
            0..6 => circuit.initial.push(vec![-variable]),
            6 | 7 => circuit.initial.push(vec![variable]),
            _ => {}
        }
    }
    if chance.percent(20) {
        circuit.initial.push(clause(chance, n));
    }
    for variable in 1..=n {
        let next = variable + n;
        match chance.below(20) {
            // It stays.
            0..7 => same(&mut circuit.step, variable, next),
            7 | 8 => same(&mut circuit.step, -variable, next),
            9..12 => {
                let other = literal(chance, n);
                same(&mut circuit.step, other, next);
            }
            12..15 => {
                let (a, b) = (literal(chance, n), literal(chance, n));
                let sign = chance.pick(&[1, -1]);
                both(&mut circuit.step, sign * next, a, b);
            }
            15 | 16 => {
                // A conjunction with something after the step.
                let (a, b) = (literal(chance, n), literal(chance, 2 * n));
                both(&mut circuit.step, next, a, b);
            }
            17 => circuit.step.push(vec![-variable, next]),
            // A gate of the same state.
            18 if variable > 1 => {
                let (a, b) = (literal(chance, variable - 1), literal(chance, variable - 1));
                both(&mut circuit.universal, variable, a, b);
            }
            _ => {}
        }
    }
    // What stays is mentioned elsewhere, too.
    for _ in 0..chance.between(0, 3) {
        let mut more = clause(chance, 2 * n);
        if let Some(first) = more.first_mut()
            && chance.percent(60)
        {
            *first = first.signum() * (n + 1 + chance.below(count as usize) as i32);
        }
        circuit.step.push(more);
    }
    if chance.percent(30) {
        circuit.universal.push(clause(chance, n));
    }
    for _ in 0..chance.between(1, 3) {
        let clause = match chance.percent(70) {
            true => vec![literal(chance, n)],
            false => clause(chance, n),
        };
        circuit.goal.push(clause);
    }
    if chance.percent(30) {
        chance.shuffle(&mut circuit.step);
    }
    circuit
}

/// A random circuit.
pub(super) fn model(chance: &mut Chance) -> Option<Model> {
    let circuit = circuit(chance);
    let (steps, states) = circuit.search();
    Some(Model {
        text: circuit.text(chance),
        is_safe: steps.is_none(),
        is_dull: match steps {
            Some(steps) => steps == 0,
            None => states < 2 || circuit.goal.iter().any(Vec::is_empty),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circuit(
        variables: u32,
        [initial, universal, goal, step]: [&[&[i32]]; 4],
    ) -> (Option<u32>, usize) {
        let owned = |clauses: &[&[i32]]| clauses.iter().map(|clause| clause.to_vec()).collect();
        Circuit {
            variables,
            initial: owned(initial),
            universal: owned(universal),
            goal: owned(goal),
            step: owned(step),
        }
        .search()
    }

    #[test]
    fn one_variable_changes_or_stays() {
        let changes: &[&[i32]] = &[&[-1, -2], &[1, 2]];
        let stays: &[&[i32]] = &[&[1, -2], &[-1, 2]];
        let first: &[&[i32]] = &[&[-1]];
        let goal: &[&[i32]] = &[&[1]];
        assert_eq!(circuit(1, [first, &[], goal, changes]).0, Some(1));
        assert_eq!(circuit(1, [first, &[], goal, stays]), (None, 1));
        assert_eq!(circuit(1, [goal, &[], goal, stays]).0, Some(0));
        // What is true of all states is true of the goal.
        assert_eq!(circuit(1, [first, first, goal, changes]), (None, 1));
        // There is no first state.
        assert_eq!(circuit(1, [&[&[1], &[-1]], &[], &[], &[]]), (None, 0));
        // Nothing is demanded of a goal; and an empty clause demands too much.
        assert_eq!(circuit(1, [first, &[], &[], stays]).0, Some(0));
        assert_eq!(circuit(1, [first, &[], &[&[]], changes]), (None, 2));
    }

    #[test]
    fn what_stays_and_must_not_be_afterwards_blocks() {
        let step: &[&[i32]] = &[&[-1, 3], &[1, -3], &[-3]];
        assert_eq!(circuit(2, [&[&[1], &[-2]], &[], &[&[2]], step]), (None, 1));
        assert_eq!(circuit(2, [&[&[-2]], &[], &[&[2]], step]).0, Some(1));
    }

    #[test]
    fn a_counter_of_two_bits() {
        let step: &[&[i32]] = &[
            &[1, 3],
            &[-1, -3],
            &[-4, 1, 2],
            &[-4, -1, -2],
            &[4, -1, 2],
            &[4, 1, -2],
        ];
        let found = circuit(2, [&[&[-1], &[-2]], &[], &[&[1], &[2]], step]);
        assert_eq!(found.0, Some(3));
    }
}
