//! BTOR2 (Niemetz, Preiner, Wolf, Biere: "BTOR2, BtorMC and Boolector 3.0", CAV 2018).
//!
//! Each line says what its number is: a sort, a node, or a property. A number with a minus sign is
//! the node with all bits inverted.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};

use ult_core::formula::{Term, Terms, Version};
use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::span::Span;
use ult_lower::names::Names;

use super::model::{Bad, Input, Model, State};
use super::operators::{Kind, Value, WIDEST, apply, arity, bits};
use super::words::{Word, lines, shown};

/// What the number of a line means.
#[derive(Clone, Copy)]
enum Meaning {
    Sort(Kind),
    Node(Value),
    /// A property, or a function of a state: nobody can refer to it.
    Statement,
}

struct Reader<'a, 'm> {
    terms: &'a Terms,
    messages: &'m mut Messages,
    known: HashMap<u64, (Meaning, Span)>,
    names: Names,
    model: Model,
    /// The states, by their lines.
    states: HashMap<u64, usize>,
    /// The inputs, as terms.
    inputs: HashSet<Term>,
    /// Where first values and next values are given.
    given: HashMap<(&'static str, usize), Span>,
    /// First values, by state, which may depend on those of other states.
    inits: BTreeMap<usize, (Term, Span)>,
}

/// Reads a file. Lines that are wrong are told one by one.
pub(super) fn read(terms: &Terms, text: &str, messages: &mut Messages) -> Result<Model, Reported> {
    let mut reader = Reader {
        terms,
        messages,
        known: HashMap::new(),
        names: Names::default(),
        model: Model::default(),
        states: HashMap::new(),
        inputs: HashSet::new(),
        given: HashMap::new(),
        inits: BTreeMap::new(),
    };
    let mut is_fine = true;
    let mut seen = None;
    for line in lines(text) {
        let code = line.text.split(';').next().unwrap_or_default();
        let line = Word::at(code.trim_end(), line.span.start as usize);
        if line.words().next().is_none() {
            continue;
        }
        seen.get_or_insert(line.span);
        is_fine &= reader.line(line).is_ok();
    }
    let Some(span) = seen else {
        let message = "this is not BTOR2: there is no line";
        let label = "the text is empty";
        return Err(messages.error(Id::CIRCUIT_SYNTAX, message, Span::default(), label));
    };
    if !is_fine {
        return Err(Reported);
    }
    reader.model.span = span;
    reader.first_values()?;
    Ok(reader.model)
}

impl Reader<'_, '_> {
    fn wrong(&mut self, id: Id, span: Span, message: impl Into<String>, label: &str) -> Reported {
        self.messages.error(id, message, span, label)
    }

    fn line(&mut self, line: Word<'_>) -> Result<(), Reported> {
        let words: Vec<Word<'_>> = line.words().collect();
        let id = words[0].number(u64::from(u32::MAX), self.messages)?;
        if id == 0 {
            let message = "lines are numbered from 1";
            return Err(self.wrong(Id::CIRCUIT_SYNTAX, words[0].span, message, "this is 0"));
        }
        if let Some(&(_, first)) = self.known.get(&id) {
            let message = format!("the number {id} is defined twice");
            let labels = vec![
                (words[0].span, "here again".into()),
                (first, "first here".into()),
            ];
            return Err(self
                .messages
                .errors(Id::CIRCUIT_DEFINED_TWICE, message, labels));
        }
        let Some(&operator) = words.get(1) else {
            let label = "there is only a number";
            return Err(self.wrong(
                Id::CIRCUIT_SYNTAX,
                line.span,
                "the line says nothing",
                label,
            ));
        };
        let meaning = self.meaning(line, operator, &words[2..], id);
        let (told, result) = match meaning {
            Ok(meaning) => (Some(meaning), Ok(())),
            Err(reported) => (None, Err(reported)),
        };
        if let Some(meaning) = told {
            self.known.insert(id, (meaning, words[0].span));
        }
        result
    }

    fn meaning(
        &mut self,
        line: Word<'_>,
        operator: Word<'_>,
        rest: &[Word<'_>],
        id: u64,
    ) -> Result<Meaning, Reported> {
        let needed = |count: usize, what: &str, reader: &mut Self| match rest.len() >= count {
            true => Ok(()),
            false => {
                let message = format!("`{}` needs {what}", operator.text);
                let label = "something is missing here";
                Err(reader.wrong(Id::CIRCUIT_SYNTAX, line.span, message, label))
            }
        };
        match operator.text {
            "sort" => {
                needed(2, "`bitvec` and a width, or `array` and two sorts", self)?;
                self.sort(rest).map(Meaning::Sort)
            }
            "input" | "state" => {
                needed(1, "a sort", self)?;
                self.ends(rest, 1)?;
                let kind = self.kind(rest[0])?;
                let symbol: Option<Arc<str>> = rest.get(1).map(|word| word.text.into());
                let term = match operator.text {
                    "input" => self.input(kind, symbol, id),
                    _ => self.state(kind, symbol, id),
                };
                Ok(Meaning::Node(Value { term, kind }))
            }
            "one" | "ones" | "zero" | "const" | "constd" | "consth" => {
                let digits = operator.text.starts_with("const");
                needed(
                    1 + usize::from(digits),
                    "a sort, and digits after `const`",
                    self,
                )?;
                self.ends(rest, 1 + usize::from(digits))?;
                let kind = self.kind(rest[0])?;
                let value = self.constant(operator, kind, rest)?;
                Ok(Meaning::Node(value))
            }
            "init" | "next" => {
                needed(3, "a sort, a state and a value", self)?;
                self.ends(rest, 3)?;
                self.function(operator, rest)?;
                Ok(Meaning::Statement)
            }
            "bad" | "constraint" | "output" => {
                needed(1, "a node", self)?;
                self.ends(rest, 1)?;
                self.property(operator, line, rest)?;
                Ok(Meaning::Statement)
            }
            "fair" | "justice" => {
                let message = format!(
                    "`{}` is not looked at: `ult` decides bad states only",
                    operator.text
                );
                let label = "liveness is no property of single states";
                Err(self.wrong(Id::CIRCUIT_NOT_SUPPORTED, operator.span, message, label))
            }
            name => {
                let Some((nodes, numbers)) = arity(name) else {
                    let message = format!("there is no operator `{}` in BTOR2", shown(name));
                    let label = "this is unknown";
                    return Err(self.wrong(Id::CIRCUIT_SYNTAX, operator.span, message, label));
                };
                let count = 1 + nodes + numbers;
                needed(count, &format!("a sort and {} arguments", count - 1), self)?;
                self.ends(rest, count)?;
                let kind = self.kind(rest[0])?;
                let mut values = Vec::new();
                for &word in &rest[1..=nodes] {
                    values.push(self.node(word)?);
                }
                let mut indices = Vec::new();
                for word in &rest[1 + nodes..count] {
                    indices.push(word.number(u64::from(u32::MAX), self.messages)?);
                }
                let value = apply(self.terms, name, &values, &indices).map_err(|why| {
                    let message = format!("`{name}` does not apply to these arguments");
                    self.wrong(Id::CIRCUIT_SORTS, line.span, message, &why)
                })?;
                self.is(value, kind, line)?;
                Ok(Meaning::Node(value))
            }
        }
    }

    /// There may be a symbol behind what belongs to a line, and nothing else.
    fn ends(&mut self, rest: &[Word<'_>], count: usize) -> Result<(), Reported> {
        match rest.get(count + 1) {
            None => Ok(()),
            Some(word) => {
                let message = format!("`{}` is too much in this line", shown(word.text));
                let label = "one symbol may stand at the end of a line";
                Err(self.wrong(Id::CIRCUIT_SYNTAX, word.span, message, label))
            }
        }
    }

    fn sort(&mut self, rest: &[Word<'_>]) -> Result<Kind, Reported> {
        match rest[0].text {
            "bitvec" => {
                self.ends(rest, 2)?;
                let width = rest[1].number(u64::from(WIDEST), self.messages)?;
                if width == 0 {
                    let message = "words have one bit at least";
                    return Err(self.wrong(Id::CIRCUIT_SORTS, rest[1].span, message, "this is 0"));
                }
                // At most `WIDEST`.
                Ok(Kind::Word(width as u32))
            }
            "array" if rest.len() >= 3 => {
                self.ends(rest, 3)?;
                match (self.kind(rest[1])?, self.kind(rest[2])?) {
                    (Kind::Word(index), Kind::Word(element)) => Ok(Kind::Array(index, element)),
                    _ => {
                        let message = "arrays of arrays are not looked at";
                        let label = "words are needed as indices and as elements";
                        let span = rest[1].span.join(rest[2].span);
                        Err(self.wrong(Id::CIRCUIT_NOT_SUPPORTED, span, message, label))
                    }
                }
            }
            _ => {
                let message = "a sort is `bitvec` and a width, or `array` and two sorts";
                let label = "this is none";
                Err(self.wrong(Id::CIRCUIT_SYNTAX, rest[0].span, message, label))
            }
        }
    }

    /// What the number in a word means.
    fn known(&mut self, word: Word<'_>, number: u64) -> Result<Meaning, Reported> {
        match self.known.get(&number) {
            Some((meaning, _)) => Ok(*meaning),
            None => {
                let message = format!("the number {number} is not defined");
                let label = "no line before this one has this number, or that line is wrong";
                Err(self.wrong(Id::CIRCUIT_UNDEFINED, word.span, message, label))
            }
        }
    }

    fn kind(&mut self, word: Word<'_>) -> Result<Kind, Reported> {
        let number = word.number(u64::from(u32::MAX), self.messages)?;
        match self.known(word, number)? {
            Meaning::Sort(kind) => Ok(kind),
            Meaning::Node(_) | Meaning::Statement => {
                let message = format!("{number} is no sort");
                Err(self.wrong(Id::CIRCUIT_SORTS, word.span, message, "a sort is needed"))
            }
        }
    }

    fn node(&mut self, word: Word<'_>) -> Result<Value, Reported> {
        let digits = word.text.strip_prefix('-');
        let start = word.span.start as usize + usize::from(digits.is_some());
        let number = Word::at(digits.unwrap_or(word.text), start);
        let number = number.number(u64::from(u32::MAX), self.messages)?;
        let value = match self.known(word, number)? {
            Meaning::Node(value) => value,
            Meaning::Sort(_) | Meaning::Statement => {
                let message = format!("{number} has no value");
                let label = "a node is needed";
                return Err(self.wrong(Id::CIRCUIT_SORTS, word.span, message, label));
            }
        };
        match digits {
            None => Ok(value),
            Some(_) => apply(self.terms, "not", &[value], &[]).map_err(|why| {
                let message = "this cannot be inverted";
                self.wrong(Id::CIRCUIT_SORTS, word.span, message, &why)
            }),
        }
    }

    fn is(&mut self, value: Value, kind: Kind, place: Word<'_>) -> Result<(), Reported> {
        match value.kind == kind {
            true => Ok(()),
            false => {
                let message = format!("this is {}", value.kind);
                let label = format!("the line says that it is {kind}");
                Err(self.wrong(Id::CIRCUIT_SORTS, place.span, message, &label))
            }
        }
    }

    fn input(&mut self, kind: Kind, symbol: Option<Arc<str>>, id: u64) -> Term {
        let name = symbol.as_deref().map_or(format!("i{id}"), str::to_owned);
        let term = self.terms.fresh_aux(name, kind.sort());
        self.inputs.insert(term);
        self.model.inputs.push(Input {
            term,
            sort: kind.sort(),
            symbol,
        });
        term
    }

    fn state(&mut self, kind: Kind, symbol: Option<Arc<str>>, id: u64) -> Term {
        let wish = symbol.as_deref().map_or(format!("s{id}"), str::to_owned);
        let state = State {
            name: self.names.fresh(&wish),
            sort: kind.sort(),
            init: None,
            next: None,
            symbol,
        };
        let term = state.current(self.terms);
        self.states.insert(id, self.model.states.len());
        self.model.states.push(state);
        term
    }

    fn constant(
        &mut self,
        operator: Word<'_>,
        kind: Kind,
        rest: &[Word<'_>],
    ) -> Result<Value, Reported> {
        let Kind::Word(width) = kind else {
            let message = "constants are words";
            let label = "this is the sort of an array";
            return Err(self.wrong(Id::CIRCUIT_SORTS, rest[0].span, message, label));
        };
        let end = BigUint::from(1u32) << width;
        let value = match operator.text {
            "zero" => Some(BigUint::default()),
            "one" => Some(BigUint::from(1u32)),
            "ones" => Some(&end - 1u32),
            name => {
                let word = rest[1];
                let is_negative = name == "constd" && word.text.starts_with('-');
                let digits = &word.text[usize::from(is_negative)..];
                let radix = match name {
                    "const" => 2,
                    "constd" => 10,
                    _ => 16,
                };
                let is_number = digits.chars().all(|digit| digit.is_digit(radix));
                // A number in binary has as many digits as bits; others may have fewer.
                let most = width as usize;
                let fits = digits.len() <= most && (radix != 2 || digits.len() == most);
                let number = (is_number && fits)
                    .then(|| BigUint::parse_bytes(digits.as_bytes(), radix))
                    .flatten();
                number.and_then(|number| match is_negative {
                    false => (number < end).then_some(number),
                    true if number <= &end >> 1u32 => {
                        let number = BigInt::from_biguint(Sign::Minus, number);
                        let number = number + BigInt::from(end.clone());
                        number.to_biguint().map(|number| number % &end)
                    }
                    true => None,
                })
            }
        };
        let Some(value) = value else {
            let message = format!("`{}` is no number of {width} bits", shown(rest[1].text));
            let label = match operator.text {
                "const" => "as many binary digits as bits are needed",
                "constd" => "decimal digits are needed, of a number that fits",
                _ => "hexadecimal digits are needed, of a number that fits",
            };
            return Err(self.wrong(Id::CIRCUIT_SYNTAX, rest[1].span, message, label));
        };
        let term = match width {
            1 => self.terms.bool(value != BigUint::default()),
            _ => self.terms.bitvec(value, width),
        };
        Ok(Value { term, kind })
    }

    /// The first value of a state, or its value after a step.
    fn function(&mut self, operator: Word<'_>, rest: &[Word<'_>]) -> Result<(), Reported> {
        let kind = self.kind(rest[0])?;
        let id = rest[1].number(u64::from(u32::MAX), self.messages)?;
        self.known(rest[1], id)?;
        let Some(&state) = self.states.get(&id) else {
            let message = format!("{id} is no state");
            return Err(self.wrong(
                Id::CIRCUIT_SORTS,
                rest[1].span,
                message,
                "a state is needed",
            ));
        };
        let what = if operator.text == "init" {
            "init"
        } else {
            "next"
        };
        if let Some(first) = self.given.insert((what, state), operator.span) {
            let message = format!("the state {id} has two lines with `{what}`");
            let labels = vec![
                (operator.span, "here again".into()),
                (first, "first here".into()),
            ];
            return Err(self
                .messages
                .errors(Id::CIRCUIT_DEFINED_TWICE, message, labels));
        }
        let own = self.model.states[state].sort.clone();
        if kind.sort() != own {
            let message = format!("the state is not {kind}");
            let label = "this is another sort than that of the state";
            return Err(self.wrong(Id::CIRCUIT_SORTS, rest[0].span, message, label));
        }
        let value = self.node(rest[2])?;
        let term = match (what, kind, value.kind) {
            // All elements have this value.
            ("init", Kind::Array(_, element), Kind::Word(width)) if element == width => {
                self.terms.const_map(own, bits(self.terms, value))
            }
            _ => {
                self.is(value, kind, rest[2])?;
                value.term
            }
        };
        match what {
            "init" => {
                self.inits.insert(state, (term, rest[2].span));
            }
            _ => self.model.states[state].next = Some(term),
        }
        Ok(())
    }

    fn property(
        &mut self,
        operator: Word<'_>,
        line: Word<'_>,
        rest: &[Word<'_>],
    ) -> Result<(), Reported> {
        let value = self.node(rest[0])?;
        if operator.text == "output" {
            return Ok(());
        }
        if value.kind != Kind::Word(1) {
            let message = format!("a condition is a word of 1 bit, and this is {}", value.kind);
            let label = "the wrong sort";
            return Err(self.wrong(Id::CIRCUIT_SORTS, rest[0].span, message, label));
        }
        if operator.text == "constraint" {
            self.model.always.push(value.term);
            return Ok(());
        }
        let text = match rest.get(1) {
            Some(symbol) => format!("bad state `{}`", symbol.text),
            None => format!("bad state {}", self.model.bads.len()),
        };
        self.model.bads.push(Bad {
            text: text.into(),
            condition: value.term,
            span: line.span,
        });
        Ok(())
    }

    /// First values that depend on first values of other states, put in.
    fn first_values(&mut self) -> Result<(), Reported> {
        let terms = self.terms;
        let mut inits = std::mem::take(&mut self.inits);
        for (term, span) in inits.values() {
            let inputs = terms.free_vars(&[*term]);
            if inputs.iter().any(|term| self.inputs.contains(term)) {
                let message = "a first value depends on an input";
                let label = "a state without a first value can take its place";
                return Err(self
                    .messages
                    .error(Id::CIRCUIT_NOT_SUPPORTED, message, *span, label));
            }
        }
        let numbers: HashMap<Term, usize> = (self.model.states.iter().enumerate())
            .map(|(number, state)| (state.current(terms), number))
            .collect();
        let mut done: HashMap<Term, Term> = HashMap::new();
        while !inits.is_empty() {
            let ready: Vec<usize> = (inits.iter())
                .filter(|(_, (term, _))| {
                    let needed = terms.free_vars(&[*term]).into_iter();
                    let mut needed = needed.filter_map(|term| numbers.get(&term));
                    needed.all(|number| !inits.contains_key(number))
                })
                .map(|(&state, _)| state)
                .collect();
            if ready.is_empty() {
                let spans = inits.values().map(|(_, span)| *span);
                let labels = spans.map(|span| (span, "this depends on itself".to_owned()));
                let message = "first values depend on each other";
                return Err(self
                    .messages
                    .errors(Id::CIRCUIT_CYCLE, message, labels.collect()));
            }
            let found: Vec<(usize, Term)> = (ready.iter())
                .map(|&state| (state, terms.substitute(inits[&state].0, &done)))
                .collect();
            for (state, init) in found {
                inits.remove(&state);
                done.insert(self.model.states[state].current(terms), init);
                self.model.states[state].init = Some(init);
            }
        }
        debug_assert!(done.keys().all(|term| {
            (terms.as_var(*term)).is_some_and(|var| var.version == Version::Current)
        }));
        Ok(())
    }
}
