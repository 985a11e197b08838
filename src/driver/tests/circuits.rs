//! Random circuits, from file to file: verdicts agree with enumeration of what somebody else's reader
//! reads, runs are executed on that, and invariants are checked against it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use flussab_aiger::aig::Aig;

use crate::export::{self, Format};
use crate::{Conclusion, Language, Progress, Report, Settings, Source, check, load};
use ult_bits::sat::{Answer, Choice, SatLit};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_engine::verify::Method;

/// Numbers from a seed (Steele, Lea, Flood: SplitMix, 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A circuit of a few latches in AIGER.
fn random(seed: u64) -> String {
    let mut random = Random(seed);
    let (inputs, latches, gates) = (random.below(3), 1 + random.below(4), 4 + random.below(7));
    let (bads, constraints) = (1 + random.below(2), random.below(3) / 2);
    let most = inputs + latches + gates;
    let mut text = format!("aag {most} {inputs} {latches} 0 {gates} {bads} {constraints}\n");
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in inputs + 1..=inputs + latches {
        let next = 2 + random.below(2 * most);
        let reset = [0, 0, 1, 2 * latch][random.below(4)];
        let _ = writeln!(text, "{} {next} {reset}", 2 * latch);
    }
    for _ in 0..bads {
        // Conjunctions are seldom true.
        let _ = writeln!(text, "{}", 2 * (most - random.below(3)));
    }
    for _ in 0..constraints {
        let _ = writeln!(text, "{}", 3 + 2 * (most - 1 - random.below(gates)));
    }
    for gate in inputs + latches + 1..=most {
        let mut argument = || 2 + random.below(2 * (gate - 1));
        let _ = writeln!(text, "{} {} {}", 2 * gate, argument(), argument());
    }
    text
}

fn parsed(text: &str) -> Aig<u32> {
    let config = flussab_aiger::ascii::Config::default();
    let parser = flussab_aiger::ascii::Parser::<u32>::from_read(text.as_bytes(), config);
    parser.expect("a header").parse().expect("a circuit")
}

/// The values of all literals in a step: of inputs, latches, and gates, which stand in order.
struct Values(BTreeMap<u32, bool>);

impl Values {
    fn new(file: &Aig<u32>, state: &[bool], inputs: &[bool]) -> Values {
        let mut values = Values(BTreeMap::from([(0, false)]));
        (values.0).extend(file.inputs.iter().copied().zip(inputs.iter().copied()));
        let latches = file.latches.iter().map(|latch| latch.state);
        values.0.extend(latches.zip(state.iter().copied()));
        for gate in &file.and_gates {
            let [a, b] = gate.inputs.map(|lit| values.of(lit));
            values.0.insert(gate.output, a && b);
        }
        values
    }

    fn of(&self, lit: u32) -> bool {
        self.0[&(lit & !1)] != (lit & 1 == 1)
    }

    fn are_allowed(&self, file: &Aig<u32>) -> bool {
        file.invariant_constraints.iter().all(|&lit| self.of(lit))
    }

    fn next(&self, file: &Aig<u32>) -> Vec<bool> {
        let latches = file.latches.iter();
        latches.map(|latch| self.of(latch.next_state)).collect()
    }
}

/// All lists of so many truth values.
fn all(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << count).map(move |code| (0..count).map(|bit| code >> bit & 1 == 1).collect())
}

fn is_initial(file: &Aig<u32>, state: &[bool]) -> bool {
    let mut latches = file.latches.iter().zip(state);
    latches.all(|(latch, &value)| latch.initialization.is_none_or(|first| first == value))
}

/// Which properties are violated.
fn violated(file: &Aig<u32>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let states = all(file.latches.len()).filter(|state| is_initial(file, state));
    let mut waiting: VecDeque<Vec<bool>> = states.collect();
    let mut seen: BTreeSet<Vec<bool>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop_front() {
        for inputs in all(file.inputs.len()) {
            let values = Values::new(file, &state, &inputs);
            if !values.are_allowed(file) {
                continue;
            }
            let bads = file.bad_state_properties.iter().enumerate();
            found.extend(
                bads.filter(|(_, bad)| values.of(**bad))
                    .map(|(number, _)| number),
            );
            let next = values.next(file);
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    found
}

fn checked(text: &str, language: Language, method: &str) -> Report {
    let mut settings = Settings {
        certificate: true,
        ..Settings::default()
    };
    settings.verify.method = method.parse::<Method>().expect("an engine");
    let source = Source::new("circuit", text);
    let control = Control::unlimited();
    check(&source, language, &settings, &control, &Progress::default()).expect("no entry")
}

/// Executes a run that is told as a stimulus.
fn replay(file: &Aig<u32>, told: &str) {
    let bits = |line: &str| -> Vec<bool> { line.chars().map(|bit| bit == '1').collect() };
    let lines: Vec<&str> = told.lines().collect();
    let [first, property, state, steps @ .., end] = &lines[..] else {
        panic!("{told}");
    };
    assert_eq!((*first, *end), ("1", "."));
    let property: usize = property[1..].parse().expect("a number");
    let mut state = bits(state);
    assert!(is_initial(file, &state), "{told}");
    for (position, inputs) in steps.iter().enumerate() {
        let values = Values::new(file, &state, &bits(inputs));
        assert!(values.are_allowed(file), "{told}");
        if position + 1 == steps.len() {
            assert!(values.of(file.bad_state_properties[property]), "{told}");
        }
        state = values.next(file);
    }
}

/// Checks a witness circuit against the circuit: what is bad there includes what is bad here, no first
/// state is bad, and no step leads from a state that is not bad to a bad one.
fn examine(file: &Aig<u32>, told: &str) {
    let witness = parsed(told);
    assert_eq!(witness.inputs, file.inputs);
    assert_eq!(witness.latches, file.latches);
    assert_eq!(witness.invariant_constraints, file.invariant_constraints);
    let gates = file.and_gates.len();
    assert_eq!(witness.and_gates[..gates], file.and_gates[..]);
    let [bad] = witness.bad_state_properties[..] else {
        panic!("{told}");
    };
    let allowed = |state: &[bool]| -> Vec<Values> {
        let values = all(file.inputs.len()).map(|inputs| Values::new(&witness, state, &inputs));
        values.filter(|values| values.are_allowed(file)).collect()
    };
    for state in all(file.latches.len()) {
        for values in allowed(&state) {
            let is_bad = values.of(bad);
            if is_initial(file, &state) {
                assert!(!is_bad, "a first state: {state:?}\n{told}");
            }
            for &property in &file.bad_state_properties {
                assert!(
                    is_bad || !values.of(property),
                    "property: {state:?}\n{told}"
                );
            }
            if !is_bad {
                for after in allowed(&values.next(file)) {
                    assert!(!after.of(bad), "a step: {state:?}\n{told}");
                }
            }
        }
    }
}

/// What a file reads as, and becomes in another format.
fn exported(text: &str, language: Language, format: Format) -> Result<String, String> {
    let terms = Terms::new();
    let source = Source::new("circuit", text);
    let loaded = load(&terms, &source, language, &Settings::default()).expect("read");
    assert!(!loaded.is_rejected(), "{:?}\n{text}", loaded.diagnostics);
    export::circuit(&terms, loaded, format, None, &Control::unlimited())
}

fn is_unsafe(report: &Report, text: &str) -> bool {
    match report.conclusion() {
        // A circuit whose bad state is no state at all becomes one in which nothing is bad.
        Conclusion::Safe | Conclusion::Nothing => false,
        Conclusion::Unsafe => true,
        other => panic!("{other:?} {:?}\n{text}", report.diagnostics),
    }
}

/// The clauses of a file in DimSpec, by section, and how many variables there are.
fn sections(text: &str) -> (usize, BTreeMap<char, Vec<Vec<i64>>>) {
    let mut sections: BTreeMap<char, Vec<Vec<i64>>> = BTreeMap::new();
    let (mut section, mut count) = (' ', 0);
    for line in text.lines() {
        if let Some((letter, numbers)) = line.split_once(" cnf ") {
            section = letter.chars().next().expect("a letter");
            sections.insert(section, Vec::new());
            let variables = numbers.split(' ').next().expect("a number");
            if section == 'i' {
                count = variables.parse().expect("a number");
            }
            continue;
        }
        let clauses = sections.get_mut(&section).expect("a section");
        clauses.push(clause(line));
    }
    (count, sections)
}

fn clause(line: &str) -> Vec<i64> {
    let lits = line
        .split_whitespace()
        .map(|lit| lit.parse().expect("a literal"));
    let mut lits: Vec<i64> = lits.collect();
    assert_eq!(lits.pop(), Some(0), "{line}");
    lits
}

/// Looks whether states are a solution: the first is initial, the last a goal, and so on.
fn replay_dimspec(text: &str, told: &str) {
    let (count, sections) = sections(text);
    let mut lines = told.lines();
    let head = lines.next().expect("a head");
    let states: Vec<Vec<i64>> = lines.map(clause).collect();
    assert_eq!(head, format!("solution {count} {}", states.len()));
    let hold = |section: char, lits: &[i64]| {
        let mut clauses = sections[&section].iter();
        clauses.all(|clause| clause.iter().any(|lit| lits.contains(lit)))
    };
    assert!(
        hold('i', &states[0]) && hold('g', &states[states.len() - 1]),
        "{told}"
    );
    for (position, state) in states.iter().enumerate() {
        assert_eq!(state.len(), count);
        assert!(hold('u', state), "{told}");
        if let Some(next) = states.get(position + 1) {
            let next = next.iter().map(|lit| lit + lit.signum() * count as i64);
            let both: Vec<i64> = state.iter().copied().chain(next).collect();
            assert!(hold('t', &both), "{told}");
        }
    }
}

/// Looks whether clauses are an invariant: initial states satisfy them, steps keep them, and they exclude
/// the goals.
fn examine_dimspec(text: &str, told: &str) {
    let (count, sections) = sections(text);
    let invariant: Vec<Vec<i64>> = told.lines().skip(1).map(clause).collect();
    let size = format!("p cnf {count} {}", invariant.len());
    assert_eq!(told.lines().next(), Some(size.as_str()));
    let control = Control::unlimited();
    // Whether these clauses, of the variables before and after a step, exclude each other.
    let refuted = |parts: &[(&[Vec<i64>], usize)], denied: &[i64]| {
        let mut solver = Choice::default().solver(&control);
        let variables: Vec<SatLit> = (0..2 * count).map(|_| solver.variable()).collect();
        let of = |lit: i64, by: usize| {
            let number = usize::try_from(lit.abs()).expect("a variable") - 1 + by;
            variables[number].invert_if(lit < 0)
        };
        for (clauses, by) in parts {
            for clause in *clauses {
                let clause: Vec<SatLit> = clause.iter().map(|&lit| of(lit, *by)).collect();
                solver.add(&clause);
            }
        }
        for &lit in denied {
            solver.add(&[!of(lit, 0)]);
        }
        solver.solve(&[]) == Answer::Unsat
    };
    let [initial, always, goal, step] = ['i', 'u', 'g', 't'].map(|letter| &sections[&letter][..]);
    assert!(
        refuted(&[(&invariant, 0), (always, 0), (goal, 0)], &[]),
        "{told}"
    );
    for clause in &invariant {
        assert!(refuted(&[(initial, 0), (always, 0)], clause), "{told}");
        let after: Vec<i64> = (clause.iter())
            .map(|lit| lit + lit.signum() * count as i64)
            .collect();
        let parts = [(&invariant[..], 0), (always, 0), (step, 0), (always, count)];
        assert!(refuted(&parts, &after), "{told}");
    }
}

/// Executes a witness on a file of words of one bit, whose lines are numbered from 1 on.
fn replay_btor2(text: &str, told: &str) {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let number = |word: &str| word.parse::<usize>().expect("a number") - 1;
    let of_kind = |kind: &str| -> Vec<usize> {
        (0..lines.len())
            .filter(|&line| lines[line][1] == kind)
            .collect()
    };
    let (states, inputs, bads) = (of_kind("state"), of_kind("input"), of_kind("bad"));
    let mut told_lines = told.lines();
    assert_eq!(told_lines.next(), Some("sat"));
    let property = told_lines.next().expect("a property");
    let property: usize = property[1..].parse().expect("a number");
    // The values that are told: of states at the start, and of inputs in each step.
    let mut first: BTreeMap<usize, bool> = BTreeMap::new();
    let mut steps: Vec<BTreeMap<usize, bool>> = Vec::new();
    let mut is_state = true;
    for line in told_lines {
        let words: Vec<&str> = line.split(' ').collect();
        match (line.chars().next(), &words[..]) {
            (Some('#'), _) => is_state = true,
            (Some('@'), _) => {
                is_state = false;
                steps.push(BTreeMap::new());
            }
            (Some('.'), _) => break,
            (_, [position, value, name]) => {
                let position: usize = position.parse().expect("a number");
                assert!(name.ends_with(&match is_state {
                    true => "#0".to_owned(),
                    false => format!("@{}", steps.len() - 1),
                }));
                match is_state {
                    true => first.insert(states[position], *value == "1"),
                    false => (steps.last_mut())
                        .expect("a step")
                        .insert(inputs[position], *value == "1"),
                };
            }
            _ => panic!("{told}"),
        }
    }
    let mut state = first;
    for (step, chosen) in steps.iter().enumerate() {
        let mut values = vec![false; lines.len()];
        let mut next: BTreeMap<usize, bool> = BTreeMap::new();
        let mut is_bad = Vec::new();
        for (line, words) in lines.iter().enumerate() {
            let of = |word: &str| values[number(word)];
            values[line] = match words[1] {
                "one" => true,
                "input" => chosen[&line],
                "state" => state.get(&line).copied().unwrap_or_default(),
                "init" => {
                    if step == 0 {
                        let value = of(words[4]);
                        assert!(state.insert(number(words[3]), value).is_none());
                        values[number(words[3])] = value;
                    }
                    continue;
                }
                "not" => !of(words[3]),
                "and" => of(words[3]) && of(words[4]),
                "next" => {
                    next.insert(number(words[3]), of(words[4]));
                    continue;
                }
                "bad" => {
                    is_bad.push(of(words[2]));
                    continue;
                }
                _ => continue,
            };
        }
        assert_eq!(state.len(), states.len(), "{told}");
        assert_eq!(is_bad.len(), bads.len());
        if step + 1 == steps.len() {
            assert!(is_bad[property], "{text}\n{told}");
        }
        state = next;
    }
}

#[test]
fn verdicts_and_witnesses_agree_with_enumeration() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..150 {
        let text = random(seed);
        let file = parsed(&text);
        let expected = violated(&file);
        let report = checked(&text, Language::Aiger, "ic3");
        let obligations = report.obligations().enumerate();
        let found: BTreeSet<usize> = obligations
            .filter(|(_, obligation)| obligation.verdict.is_unsafe())
            .map(|(number, _)| number)
            .collect();
        let verdicts = report.obligations().map(|o| o.verdict.is_safe());
        assert_eq!(verdicts.filter(|is_safe| !is_safe).count(), found.len());
        assert_eq!(found, expected, "seed {seed}\n{text}");
        let certificate = report.certificate.expect("asked for");
        let certificate = certificate.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        match expected.is_empty() {
            true => {
                safe += 1;
                examine(&file, &certificate);
            }
            false => {
                unsafe_ += 1;
                replay(&file, &certificate);
            }
        }
    }
    assert!(safe > 40 && unsafe_ > 40, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn what_is_written_is_read_as_it_was() {
    const LANGUAGES: [(Format, Language); 3] = [
        (Format::Aiger, Language::Aiger),
        (Format::Btor2, Language::Btor2),
        (Format::DimSpec, Language::DimSpec),
    ];
    for seed in 1000..1120 {
        let text = random(seed);
        let expected = !violated(&parsed(&text)).is_empty();
        for (format, language) in LANGUAGES {
            let other = exported(&text, Language::Aiger, format).expect("a file");
            let report = checked(&other, language, "ic3");
            assert_eq!(
                is_unsafe(&report, &other),
                expected,
                "{format:?}, seed {seed}\n{text}"
            );
            let certificate = report.certificate.expect("asked for");
            match (language, expected, certificate) {
                (Language::Btor2, false, certificate) => assert!(certificate.is_err()),
                (_, _, Err(why)) => panic!("{format:?}, seed {seed}: {why}\n{other}"),
                (Language::Btor2, true, Ok(told)) => replay_btor2(&other, &told),
                (Language::DimSpec, true, Ok(told)) => replay_dimspec(&other, &told),
                (Language::DimSpec, false, Ok(told)) => examine_dimspec(&other, &told),
                (_, true, Ok(told)) => replay(&parsed(&other), &told),
                (_, false, Ok(told)) => {
                    // Too many states to be enumerated: the circuit says that itself.
                    let report = checked(&told, Language::Aiger, "ic3");
                    assert!(!is_unsafe(&report, &told), "seed {seed}");
                }
            }
            if language == Language::Aiger {
                let file = parsed(&other);
                assert_eq!(!violated(&file).is_empty(), expected, "seed {seed}");
            }
        }
    }
}

#[test]
fn the_binary_form_says_the_same() {
    let mut cut = 0;
    for seed in 2000..2120 {
        let text = random(seed);
        let terms = Terms::new();
        let source = Source::new("circuit", text.as_str());
        let control = Control::unlimited();
        let read = || load(&terms, &source, Language::Aiger, &Settings::default()).expect("read");
        let binary = export::binary_circuit(&terms, read(), None, &control).expect("a file");
        let letters = export::circuit(&terms, read(), Format::Aiger, None, &control);
        let letters = letters.expect("a file");
        let converted = ult_circuits::in_letters(&binary).expect("the binary form");
        assert_eq!(converted.as_ref(), Ok(&letters), "seed {seed}");
        // Somebody else reads the same in both.
        let config = flussab_aiger::binary::Config::default();
        let parser = flussab_aiger::binary::Parser::<u32>::from_read(&binary[..], config);
        let file: Aig<u32> = parser.expect("a header").parse().expect("a circuit").into();
        let other = parsed(&letters);
        assert_eq!(file.and_gates, other.and_gates);
        assert_eq!(file.latches, other.latches);
        assert_eq!(file.bad_state_properties, other.bad_state_properties);
        // No part of it is a file.
        let header = binary
            .iter()
            .position(|&byte| byte == b'\n')
            .expect("a line");
        let symbols = letters.find("\nl0").or_else(|| letters.find("\nb0"));
        let Some(symbols) = symbols else {
            // Nothing is bad, so that nothing is in it.
            assert!(letters.starts_with("aag 0 0 0 0 0 0\n"), "{letters}");
            continue;
        };
        cut += 1;
        let names = letters.len() - symbols;
        for end in header + 1..=binary.len() - names {
            let part = ult_circuits::in_letters(&binary[..end]);
            assert!(part.is_some_and(|read| read.is_err()), "seed {seed}, {end}");
        }
    }
    assert!(cut > 80, "{cut}");
}
