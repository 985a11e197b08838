//! Files say what the circuit says: each is read back, by a reader that shares nothing with the
//! writer, and reaches an error in as many steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::graphs::random;
use super::searches::settings;
use crate::aig::{Aig, Lit};
use crate::bmc::{Asked, Settings, Unrolling};
use crate::formats::{Format, write};
use crate::sat::{Answer, Choice, Circuit, SatLit, Solver};
use crate::system::{Counter, Stepping, System};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::graph::LocationId;

/// So many steps are looked at.
const STEPS: usize = 6;

/// A circuit that was read from a file.
#[derive(Default)]
struct Machine {
    aig: Aig,
    inputs: Vec<Lit>,
    /// State, next state, value at the start.
    latches: Vec<(Lit, Lit, Option<bool>)>,
    bads: Vec<Lit>,
}

/// In how many steps something bad is reached, the last of them being the bad one.
fn depth(machine: &Machine) -> Option<usize> {
    let mut aig = Aig::new();
    let control = Control::unlimited();
    let mut circuit = Circuit::new(Choice::default().solver(&control));
    let mut state: Vec<Lit> = (machine.latches.iter())
        .map(|(_, _, start)| start.map_or_else(|| aig.leaf(), Lit::constant))
        .collect();
    for step in 1..=STEPS {
        let mut lits: HashMap<usize, Lit> = HashMap::from([(0, Lit::FALSE)]);
        for ((latch, _, _), &lit) in machine.latches.iter().zip(&state) {
            lits.insert(latch.node(), lit);
        }
        for input in &machine.inputs {
            lits.insert(input.node(), aig.leaf());
        }
        let of =
            |lits: &HashMap<usize, Lit>, lit: Lit| lits[&lit.node()].invert_if(lit.is_inverted());
        for node in 0..machine.aig.len() {
            if let crate::aig::Node::And(a, b) = machine.aig.node(node) {
                let lit = aig.and(of(&lits, a), of(&lits, b));
                lits.insert(node, lit);
            }
        }
        let bads: Vec<Lit> = machine.bads.iter().map(|&bad| of(&lits, bad)).collect();
        let bad = aig.any(&bads);
        let bad = circuit.lit(&aig, bad);
        if circuit.solve(&[bad]) == Answer::Sat {
            return Some(step);
        }
        state = machine
            .latches
            .iter()
            .map(|(_, next, _)| of(&lits, *next))
            .collect();
    }
    None
}

fn read_aiger(text: &str) -> Machine {
    let parser = flussab_aiger::ascii::Parser::<u32>::from_read(
        text.as_bytes(),
        flussab_aiger::ascii::Config::default(),
    );
    let file = parser
        .expect("a header")
        .parse()
        .expect("an and-inverter graph");
    let mut machine = Machine::default();
    let mut lits: HashMap<u32, Lit> = HashMap::from([(0, Lit::FALSE)]);
    for input in &file.inputs {
        let leaf = machine.aig.leaf();
        machine.inputs.push(leaf);
        lits.insert(*input, leaf);
    }
    for latch in &file.latches {
        lits.insert(latch.state, machine.aig.leaf());
    }
    let of = |lits: &HashMap<u32, Lit>, code: u32| lits[&(code & !1)].invert_if(code & 1 == 1);
    for gate in &file.and_gates {
        let [a, b] = gate.inputs.map(|code| of(&lits, code));
        let lit = machine.aig.and(a, b);
        lits.insert(gate.output, lit);
    }
    for latch in &file.latches {
        let (state, next) = (of(&lits, latch.state), of(&lits, latch.next_state));
        machine.latches.push((state, next, latch.initialization));
    }
    let bads = file.bad_state_properties.iter();
    machine.bads = bads.map(|&code| of(&lits, code)).collect();
    machine
}

fn read_btor2(text: &str) -> Machine {
    let mut machine = Machine::default();
    let mut lits: HashMap<usize, Lit> = HashMap::new();
    let mut states: BTreeMap<usize, (Lit, Lit, Option<bool>)> = BTreeMap::new();
    for (position, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |place: usize| -> usize { words[place].parse().expect("a number") };
        assert_eq!(number(0), position + 1);
        let lit = match words[1] {
            "sort" => {
                assert_eq!(words[2..], ["bitvec", "1"]);
                continue;
            }
            "zero" => Lit::FALSE,
            "one" => Lit::TRUE,
            "input" => {
                let leaf = machine.aig.leaf();
                machine.inputs.push(leaf);
                leaf
            }
            "state" => {
                let leaf = machine.aig.leaf();
                states.insert(number(0), (leaf, leaf, None));
                leaf
            }
            "init" => {
                let value = lits[&number(4)].as_constant();
                states.get_mut(&number(3)).expect("a state").2 = value;
                continue;
            }
            "next" => {
                let next = lits[&number(4)];
                states.get_mut(&number(3)).expect("a state").1 = next;
                continue;
            }
            "bad" => {
                machine.bads.push(lits[&number(2)]);
                continue;
            }
            "not" => !lits[&number(3)],
            "and" => machine.aig.and(lits[&number(3)], lits[&number(4)]),
            other => panic!("`{other}`"),
        };
        lits.insert(number(0), lit);
    }
    machine.latches = states.into_values().collect();
    machine
}

/// Solves the formulas of the definition: the initial states, all states, steps, the goal.
fn depth_of_dimspec(text: &str) -> Option<usize> {
    let mut sections: HashMap<char, (i64, Vec<Vec<i64>>)> = HashMap::new();
    let mut section = ' ';
    let mut order = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.get(1) == Some(&"cnf") {
            section = words[0].chars().next().expect("a letter");
            order.push(section);
            let count = words[2].parse().expect("a number");
            sections.insert(section, (count, Vec::new()));
            let clauses: usize = words[3].parse().expect("a number");
            let following = text.lines().skip_while(|other| *other != line).skip(1);
            let following = following.take_while(|line| !line.contains("cnf")).count();
            assert_eq!(following, clauses, "{line}");
            continue;
        }
        let mut clause: Vec<i64> = words
            .iter()
            .map(|word| word.parse().expect("a literal"))
            .collect();
        assert_eq!(clause.pop(), Some(0));
        let (_, clauses) = sections.get_mut(&section).expect("a section");
        clauses.push(clause);
    }
    assert_eq!(order, "iugt");
    let count = sections[&'i'].0;
    assert!(sections[&'u'].0 == count && sections[&'g'].0 == count);
    assert_eq!(sections[&'t'].0, 2 * count);
    let control = Control::unlimited();
    let mut solver = Choice::default().solver(&control);
    let mut states: Vec<Vec<SatLit>> = Vec::new();
    for step in 1..=STEPS {
        states.push((0..count).map(|_| solver.variable()).collect());
        let both: Vec<SatLit> = states[states.len().saturating_sub(2)..].concat();
        let say = |solver: &mut dyn Solver, section: char, lits: &[SatLit], also: &[SatLit]| {
            for clause in &sections[&section].1 {
                let clause = clause.iter().map(|&code| {
                    let number = usize::try_from(code.abs() - 1).expect("a variable");
                    lits[number].invert_if(code < 0)
                });
                let clause: Vec<SatLit> = clause.chain(also.iter().copied()).collect();
                solver.add(&clause);
            }
        };
        let last = states[step - 1].clone();
        if step == 1 {
            say(&mut *solver, 'i', &last, &[]);
        } else {
            say(&mut *solver, 't', &both, &[]);
        }
        say(&mut *solver, 'u', &last, &[]);
        // The goal holds if its activation literal is assumed to be false.
        let activation = solver.variable();
        say(&mut *solver, 'g', &last, &[activation]);
        if solver.solve(&[!activation]) == Answer::Sat {
            return Some(step);
        }
        solver.add(&[activation]);
    }
    None
}

/// Variables without a next value are inputs.
fn read_smv(text: &str) -> Machine {
    let mut machine = Machine::default();
    let mut lits: HashMap<String, Lit> = HashMap::from([("TRUE".to_owned(), Lit::TRUE)]);
    lits.insert("FALSE".into(), Lit::FALSE);
    let mut bits: HashMap<String, Vec<Lit>> = HashMap::new();
    let mut order = Vec::new();
    let of = |lits: &HashMap<String, Lit>, text: &str| match text.trim().strip_prefix('!') {
        Some(text) => !lits[text],
        None => lits[text.trim()],
    };
    let mut section = "";
    let mut starts = HashMap::new();
    for line in text.lines() {
        let line = line.split("--").next().expect("a part").trim_end();
        let statement = line.trim_end_matches(';');
        match (section, line.starts_with("  ")) {
            ("VAR", true) => {
                let (name, sort) = statement.split_once(" : ").expect("a sort");
                let name = name.trim().to_owned();
                let width = sort.strip_prefix("unsigned word[");
                let width = width.map(|text| text.trim_end_matches(']').parse().expect("a width"));
                let word: Vec<Lit> = (0..width.unwrap_or(1))
                    .map(|_| machine.aig.leaf())
                    .collect();
                for (bit, &lit) in word.iter().enumerate() {
                    let name = match width {
                        Some(_) => format!("bool({name}[{bit}:{bit}])"),
                        None => name.clone(),
                    };
                    lits.insert(name, lit);
                }
                order.push(name.clone());
                bits.insert(name, word);
            }
            ("DEFINE", true) => {
                let (name, value) = statement.split_once(" := ").expect("a value");
                let parts: Vec<Lit> = value.split(" & ").map(|lit| of(&lits, lit)).collect();
                let value = machine.aig.all(&parts);
                lits.insert(name.trim().to_owned(), value);
            }
            ("ASSIGN", true) => {
                let (name, value) = statement.split_once(" := ").expect("a value");
                let name = name
                    .trim()
                    .trim_start_matches("next(")
                    .trim_end_matches(')');
                let word = bits.remove(name).expect("a variable");
                let parts: Vec<&str> = value.split(" :: ").collect();
                assert_eq!(parts.len(), word.len());
                for (&lit, part) in word.iter().zip(parts.iter().rev()) {
                    let part = part.strip_prefix("word1(");
                    let part = part.map_or(value, |part| &part[..part.len() - 1]);
                    let start = starts.get(&lit).copied();
                    machine.latches.push((lit, of(&lits, part), start));
                }
            }
            _ if line.starts_with("INIT ") => {
                for lit in statement["INIT ".len()..].split(" & ").skip(1) {
                    let lit = of(&lits, lit);
                    starts.insert(lit.invert_if(lit.is_inverted()), !lit.is_inverted());
                }
            }
            _ if line.starts_with("INVARSPEC !") => {
                machine.bads.push(lits[&statement["INVARSPEC !".len()..]]);
            }
            _ => section = line,
        }
    }
    for name in order {
        let inputs = bits.remove(&name);
        machine.inputs.extend(inputs.into_iter().flatten());
    }
    machine
}

#[test]
fn files_reach_what_the_circuit_reaches() {
    let (mut reached, mut not) = (0, 0);
    for seed in 0..120 {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let counter = [Counter::Binary, Counter::OneHot][seed as usize % 2];
        let control = Control::unlimited();
        let system = System::new(&terms, &graph, settings(Stepping::Loops, counter), &control);
        let system = system.expect("a circuit");
        let errors: BTreeSet<LocationId> = graph.errors().collect();
        let mut unrolling = Unrolling::new(&system, &graph, &Settings::default(), &control);
        let expected = (1..=STEPS).find(|_| {
            unrolling.extend();
            matches!(unrolling.ask(&errors), Asked::Reached(..))
        });
        match expected {
            Some(_) => reached += 1,
            None => not += 1,
        }
        let text = |format| write(&system, &graph, format).expect("a file");
        let found = depth(&read_aiger(&text(Format::Aiger)));
        assert_eq!(found, expected, "AIGER, seed {seed}");
        let found = depth(&read_btor2(&text(Format::Btor2)));
        assert_eq!(found, expected, "BTOR2, seed {seed}");
        let found = depth_of_dimspec(&text(Format::DimSpec));
        assert_eq!(found, expected, "DimSpec, seed {seed}");
        let found = depth(&read_smv(&text(Format::Smv)));
        assert_eq!(found, expected, "SMV, seed {seed}");
    }
    assert!(reached > 30 && not > 30, "{reached} reached, {not} not");
}

#[test]
fn integers_without_bounds_are_refused() {
    let terms = Terms::new();
    let control = Control::unlimited();
    let mut refused = 0;
    for seed in 0..20 {
        let graph = random(&terms, seed);
        let mut settings = settings(Stepping::Loops, Counter::Binary);
        settings.ranges.clear();
        let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
        for format in Format::ALL {
            if let Err(why) = write(&system, &graph, format) {
                assert_eq!(why, "the integer `i` has no known bounds");
                refused += 1;
            }
        }
    }
    assert!(refused > 10);
}
