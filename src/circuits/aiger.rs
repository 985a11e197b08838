//! AIGER 1.9 in letters (Biere, Heljanko, Wieringa: "AIGER 1.9 and Beyond", 2011).
//!
//! A file without bad states and without constraints is read as those before version 1.9 were: its
//! outputs are what must not become true.

use std::collections::HashMap;
use std::sync::Arc;

use ult_core::formula::{Sort, Term, Terms};
use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::span::Span;
use ult_lower::names::Names;

use super::model::{Bad, Input, Model, State};
use super::words::{Word, lines, shown};

/// The largest number of a variable: literals have 32 bits.
pub(super) const MOST: u64 = (1 << 31) - 1;

/// What a file says, in its own numbers: literals are twice the variable, plus one if negated.
#[derive(Clone, Debug, Default)]
pub(super) struct Aiger {
    /// The largest variable.
    pub most: u64,
    /// The inputs.
    pub inputs: Vec<u64>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The properties: bad states, or outputs in a file before version 1.9.
    pub bads: Vec<u64>,
    /// What is true in each step.
    pub constraints: Vec<u64>,
    /// Conjunctions, in any order.
    pub gates: Vec<Gate>,
    /// Whether the properties are outputs.
    pub has_outputs_as_bads: bool,
}

/// A bit of the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latch {
    /// The literal that it defines.
    pub lit: u64,
    /// Its value after the step.
    pub next: u64,
    /// Its first value, if that is fixed.
    pub reset: Option<bool>,
}

/// A conjunction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    /// The literal that it defines.
    pub lit: u64,
    /// What it is the conjunction of.
    pub arguments: [u64; 2],
}

/// The kinds of lines, in the order of the file, by the letters of the symbol table.
const KINDS: [(char, &str); 8] = [
    ('i', "input"),
    ('l', "latch"),
    ('o', "output"),
    ('b', "bad state"),
    ('c', "constraint"),
    ('j', "justice property"),
    ('f', "fairness constraint"),
    ('a', "conjunction"),
];

struct Reader<'t, 'm> {
    lines: Vec<Word<'t>>,
    /// The next line.
    position: usize,
    messages: &'m mut Messages,
    file: Aiger,
    /// Where variables are defined.
    defined: HashMap<u64, Span>,
    /// Literals that are used, with their places.
    used: Vec<(u64, Span)>,
    outputs: Vec<(u64, Span)>,
    bads: Vec<(u64, Span)>,
    symbols: HashMap<(char, usize), (Arc<str>, Span)>,
}

/// Reads a file.
pub(super) fn read(terms: &Terms, text: &str, messages: &mut Messages) -> Result<Model, Reported> {
    let mut reader = Reader {
        lines: lines(text).collect(),
        position: 0,
        messages,
        file: Aiger::default(),
        defined: HashMap::new(),
        used: Vec::new(),
        outputs: Vec::new(),
        bads: Vec::new(),
        symbols: HashMap::new(),
    };
    let counts = reader.header()?;
    for ((letter, kind), count) in KINDS.into_iter().zip(counts) {
        for number in 0..count {
            let line = reader.line(kind, number, count)?;
            reader.entry(letter, line)?;
        }
    }
    reader.symbols(&counts)?;
    reader.are_defined()?;
    reader.choose_bads()?;
    let span = reader.lines[0].span;
    let values = Values::new(terms, &reader.file, &reader.symbols);
    let order = reader.order()?;
    Ok(reader.model(terms, values, &order, span))
}

impl<'t> Reader<'t, '_> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, label: &str) -> Reported {
        self.messages
            .error(Id::CIRCUIT_SYNTAX, message, span, label)
    }

    /// How many lines of each kind there are.
    fn header(&mut self) -> Result<[u64; 8], Reported> {
        let line = self.lines.first().copied().unwrap_or(Word::at("", 0));
        self.position = 1;
        let words: Vec<Word<'_>> = line.words().collect();
        if words.first().is_none_or(|word| word.text != "aag") {
            let label = "`aag` and five to nine numbers are needed here";
            return Err(self.wrong(line.span, "this is not AIGER", label));
        }
        if !(6..=10).contains(&words.len()) {
            let message = "the header of AIGER has five to nine numbers";
            let label = "M I L O A, and B C J F where they are needed";
            return Err(self.wrong(line.span, message, label));
        }
        let mut numbers = [0; 9];
        for (number, word) in numbers.iter_mut().zip(&words[1..]) {
            *number = word.number(MOST, self.messages)?;
        }
        let [
            most,
            inputs,
            latches,
            outputs,
            gates,
            bads,
            constraints,
            justice,
            fairness,
        ] = numbers;
        if inputs + latches + gates > most {
            let sum = inputs + latches + gates;
            let message =
                format!("{sum} variables are defined, but the largest is said to be {most}");
            let label = "M is at least I + L + A";
            return Err(self.wrong(words[1].span, message, label));
        }
        for (count, place, what) in [
            (justice, 8, "justice properties"),
            (fairness, 9, "fairness constraints"),
        ] {
            if count > 0 {
                let message = format!("{what} are not looked at: `ult` decides bad states only");
                let label = format!("there are {count}");
                let span = words[place].span;
                return Err(self
                    .messages
                    .error(Id::CIRCUIT_NOT_SUPPORTED, message, span, label));
            }
        }
        self.file.most = most;
        Ok([inputs, latches, outputs, bads, constraints, 0, 0, gates])
    }

    /// The next line.
    fn line(&mut self, kind: &str, number: u64, count: u64) -> Result<Word<'t>, Reported> {
        let Some(&line) = self.lines.get(self.position) else {
            let end = self.lines.last().map_or(Span::default(), |line| line.span);
            let message = format!("the file ends after {number} of {count} lines with a {kind}");
            return Err(self.wrong(end, message, "this is the last line"));
        };
        self.position += 1;
        Ok(line)
    }

    fn entry(&mut self, letter: char, line: Word<'t>) -> Result<(), Reported> {
        let words: Vec<Word<'_>> = line.words().collect();
        let (least, most) = match letter {
            'l' => (2, 3),
            'a' => (3, 3),
            _ => (1, 1),
        };
        if !(least..=most).contains(&words.len()) {
            let message = match letter {
                'l' => "a latch is a literal, its next literal, and possibly its first value",
                'a' => "a conjunction is a literal and two arguments",
                _ => "one literal is needed in this line",
            };
            let label = format!("there are {} words", words.len());
            return Err(self.wrong(line.span, message, &label));
        }
        let mut lits = Vec::new();
        for word in &words {
            lits.push(word.number(2 * self.file.most + 1, self.messages)?);
        }
        match letter {
            'i' => {
                self.define(lits[0], words[0].span)?;
                self.file.inputs.push(lits[0]);
            }
            'l' => {
                self.define(lits[0], words[0].span)?;
                self.used.push((lits[1], words[1].span));
                let reset = match lits.get(2) {
                    None | Some(0) => Some(false),
                    Some(1) => Some(true),
                    Some(own) if *own == lits[0] => None,
                    Some(_) => {
                        let message = "a latch starts with 0, with 1, or with any value, which its own literal says";
                        return Err(self.wrong(words[2].span, message, "this is none of them"));
                    }
                };
                self.file.latches.push(Latch {
                    lit: lits[0],
                    next: lits[1],
                    reset,
                });
            }
            'a' => {
                self.define(lits[0], words[0].span)?;
                let arguments = [lits[1], lits[2]];
                self.used
                    .extend([(lits[1], words[1].span), (lits[2], words[2].span)]);
                self.file.gates.push(Gate {
                    lit: lits[0],
                    arguments,
                });
            }
            _ => {
                let entry = (lits[0], words[0].span);
                self.used.push(entry);
                match letter {
                    'o' => self.outputs.push(entry),
                    'b' => self.bads.push(entry),
                    _ => self.file.constraints.push(lits[0]),
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, lit: u64, span: Span) -> Result<(), Reported> {
        if lit < 2 || lit % 2 == 1 {
            let message = format!("the literal {lit} cannot be defined");
            return Err(self.wrong(span, message, "an even number from 2 on is needed"));
        }
        if let Some(first) = self.defined.insert(lit / 2, span) {
            let message = format!("the literal {lit} is defined twice");
            let labels = vec![(span, "here again".into()), (first, "first here".into())];
            return Err(self
                .messages
                .errors(Id::CIRCUIT_DEFINED_TWICE, message, labels));
        }
        Ok(())
    }

    /// The symbol table, up to the comment.
    fn symbols(&mut self, counts: &[u64; 8]) -> Result<(), Reported> {
        while let Some(&line) = self.lines.get(self.position) {
            self.position += 1;
            if line.text.trim_end() == "c" {
                break;
            }
            let (letter, name) = line.text.split_once(' ').unwrap_or((line.text, ""));
            let kind = KINDS[..7].iter().zip(counts);
            let mut kind = kind.filter(|((kind, _), _)| letter.starts_with(*kind));
            let Some((&(letter, kind), &count)) = kind.next() else {
                let message = format!(
                    "`{}` is after the last line that the header announces",
                    shown(line.text)
                );
                let label = "a symbol or the comment, which begins with a line `c`, can stand here";
                return Err(self.wrong(line.span, message, label));
            };
            let word = line.words().next().unwrap_or(line);
            let number = Word::at(&word.text[1..], word.span.start as usize + 1);
            let number = number.number(MOST, self.messages)?;
            if number >= count {
                let message = format!("there is no {kind} {number}");
                let label = format!("the header tells of {count}, numbered from 0");
                let id = Id::CIRCUIT_UNDEFINED;
                return Err(self.messages.error(id, message, word.span, label));
            }
            let key = (letter, usize::try_from(number).unwrap_or(usize::MAX));
            let symbol = (name.into(), line.span);
            if let Some((_, first)) = self.symbols.insert(key, symbol) {
                let message = format!("the {kind} {number} has two names");
                let labels = vec![
                    (line.span, "here again".into()),
                    (first, "first here".into()),
                ];
                let id = Id::CIRCUIT_DEFINED_TWICE;
                return Err(self.messages.errors(id, message, labels));
            }
        }
        Ok(())
    }

    /// All literals that are used must be defined.
    fn are_defined(&mut self) -> Result<(), Reported> {
        let undefined = self.used.iter().filter(|(lit, _)| lit / 2 != 0);
        let undefined: Vec<(u64, Span)> = undefined
            .filter(|(lit, _)| !self.defined.contains_key(&(lit / 2)))
            .copied()
            .collect();
        for &(lit, span) in &undefined {
            let message = format!("the literal {lit} is not defined");
            let label = "no input, latch or conjunction has this variable";
            self.messages
                .error(Id::CIRCUIT_UNDEFINED, message, span, label);
        }
        match undefined.is_empty() {
            true => Ok(()),
            false => Err(Reported),
        }
    }

    /// What is bad.
    fn choose_bads(&mut self) -> Result<(), Reported> {
        let lits = |entries: &[(u64, Span)]| entries.iter().map(|entry| entry.0).collect();
        if !self.bads.is_empty() || self.outputs.is_empty() {
            self.file.bads = lits(&self.bads);
            return Ok(());
        }
        if !self.file.constraints.is_empty() {
            let message =
                "it is not clear what is bad: there are outputs and constraints, and no bad states";
            let label = "outputs are bad only in files without constraints";
            let span = self.outputs[0].1;
            return Err(self
                .messages
                .error(Id::CIRCUIT_NOT_SUPPORTED, message, span, label));
        }
        self.file.has_outputs_as_bads = true;
        self.file.bads = lits(&self.outputs);
        self.bads = std::mem::take(&mut self.outputs);
        Ok(())
    }

    /// The gates, arguments first.
    fn order(&mut self) -> Result<Vec<usize>, Reported> {
        let gates = &self.file.gates;
        let numbers: HashMap<u64, usize> = (gates.iter().enumerate())
            .map(|(number, gate)| (gate.lit / 2, number))
            .collect();
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; gates.len()];
        let mut order = Vec::with_capacity(gates.len());
        for root in 0..gates.len() {
            let mut waiting = vec![root];
            while let Some(&gate) = waiting.last() {
                match marks[gate] {
                    Mark::Done => {
                        waiting.pop();
                    }
                    Mark::Open => {
                        marks[gate] = Mark::Done;
                        order.push(gate);
                        waiting.pop();
                    }
                    Mark::New => {
                        marks[gate] = Mark::Open;
                        for lit in gates[gate].arguments {
                            let Some(&argument) = numbers.get(&(lit / 2)) else {
                                continue;
                            };
                            match marks[argument] {
                                Mark::New => waiting.push(argument),
                                Mark::Done => {}
                                Mark::Open => {
                                    let lit = gates[gate].lit;
                                    let message =
                                        format!("the conjunction {lit} depends on itself");
                                    let span = self.defined[&(lit / 2)];
                                    let label = "there is no latch on the way from it to itself";
                                    let id = Id::CIRCUIT_CYCLE;
                                    return Err(self.messages.error(id, message, span, label));
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(order)
    }

    fn model(self, terms: &Terms, mut values: Values<'_>, order: &[usize], span: Span) -> Model {
        for &gate in order {
            let gate = self.file.gates[gate];
            let [a, b] = gate.arguments.map(|lit| values.of(lit));
            values.terms.insert(gate.lit / 2, terms.and2(a, b));
        }
        let mut model = Model {
            span,
            ..Model::default()
        };
        for (state, latch) in values.states.drain(..).zip(&self.file.latches) {
            let next = values.terms[&(latch.next / 2)];
            model.states.push(State {
                next: Some(inverted(terms, next, latch.next)),
                ..state
            });
        }
        model.inputs = std::mem::take(&mut values.inputs);
        let constraints = self.file.constraints.iter();
        model.always = constraints.map(|&lit| values.of(lit)).collect();
        let (letter, kind) = match self.file.has_outputs_as_bads {
            true => ('o', "output"),
            false => ('b', "bad state"),
        };
        for (number, &(lit, span)) in self.bads.iter().enumerate() {
            let text = match self.symbols.get(&(letter, number)) {
                Some((name, _)) => format!("{kind} `{name}`"),
                None => format!("{kind} {number}"),
            };
            model.bads.push(Bad {
                text: text.into(),
                condition: values.of(lit),
                span,
            });
        }
        model.aiger = Some(self.file);
        model
    }
}

/// What literals mean.
struct Values<'a> {
    store: &'a Terms,
    terms: HashMap<u64, Term>,
    states: Vec<State>,
    inputs: Vec<Input>,
}

impl<'a> Values<'a> {
    fn new(
        store: &'a Terms,
        file: &Aiger,
        symbols: &HashMap<(char, usize), (Arc<str>, Span)>,
    ) -> Values<'a> {
        let mut terms = HashMap::from([(0, store.ff())]);
        let mut names = Names::default();
        let symbol = |letter: char, number: usize| {
            let (name, _) = symbols.get(&(letter, number))?;
            (!name.is_empty()).then(|| name.clone())
        };
        let mut states = Vec::new();
        for (number, latch) in file.latches.iter().enumerate() {
            let symbol = symbol('l', number);
            let wish = symbol
                .as_deref()
                .map_or(format!("l{number}"), str::to_owned);
            let state = State {
                name: names.fresh(&wish),
                sort: Sort::Bool,
                init: latch.reset.map(|value| store.bool(value)),
                next: None,
                symbol,
            };
            terms.insert(latch.lit / 2, state.current(store));
            states.push(state);
        }
        let mut inputs = Vec::new();
        for (number, lit) in file.inputs.iter().enumerate() {
            let symbol = symbol('i', number);
            let name = symbol
                .as_deref()
                .map_or(format!("i{number}"), str::to_owned);
            let term = store.fresh_aux(name, Sort::Bool);
            terms.insert(lit / 2, term);
            inputs.push(Input {
                term,
                sort: Sort::Bool,
                symbol,
            });
        }
        Values {
            store,
            terms,
            states,
            inputs,
        }
    }

    fn of(&self, lit: u64) -> Term {
        inverted(self.store, self.terms[&(lit / 2)], lit)
    }
}

fn inverted(terms: &Terms, term: Term, lit: u64) -> Term {
    match lit % 2 {
        0 => term,
        _ => terms.not(term),
    }
}
