//! Terms as numbered lines, for readers that know nothing of [`Terms`]: the questions of certificates.
//!
//! The form is that of `src/proof/FORMAT.md`. It has no operator for some terms. They become functions, or terms without a meaning. That
//! only allows more values, so a refutation of the text refutes the formulas.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::print::bv_name;
use super::sort::Sort;
use super::term::{Op, Term, Terms, Version};

/// Terms that have a number, and the lines of those that were added last.
pub struct Lines<'t> {
    terms: &'t Terms,
    numbers: HashMap<Term, usize>,
    next: usize,
    text: String,
}

impl<'t> Lines<'t> {
    /// No lines.
    pub fn new(terms: &'t Terms) -> Lines<'t> {
        Lines {
            terms,
            numbers: HashMap::new(),
            next: 0,
            text: String::new(),
        }
    }

    /// The same lines, where more are added for terms of a copy of the store.
    pub fn of_copy<'u>(&self, terms: &'u Terms) -> Lines<'u> {
        Lines {
            terms,
            numbers: self.numbers.clone(),
            next: self.next,
            text: String::new(),
        }
    }

    /// The lines since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The number of a term; it has a line then.
    pub fn number(&mut self, root: Term) -> usize {
        let mut open = vec![(root, false)];
        while let Some((term, is_ready)) = open.pop() {
            if self.numbers.contains_key(&term) {
                continue;
            }
            let args = match self.terms.op(term) {
                // Its variables mean nothing outside.
                Op::Bind(_) => &[],
                _ => self.terms.args(term),
            };
            if is_ready {
                let number = self.line(term, args);
                self.numbers.insert(term, number);
            } else {
                open.push((term, true));
                open.extend(args.iter().rev().map(|&arg| (arg, false)));
            }
        }
        self.numbers[&root]
    }

    /// Writes the line of a term whose arguments have lines.
    fn line(&mut self, term: Term, args: &[Term]) -> usize {
        if let Op::Distinct = self.terms.op(term) {
            return self.distinct(args);
        }
        let mut words = format!(
            "{} {}",
            sort_word(self.terms.sort(term)),
            self.operator(term)
        );
        for arg in args {
            let _ = write!(words, " {}", self.numbers[arg]);
        }
        self.add(&words)
    }

    /// All pairs are different.
    fn distinct(&mut self, args: &[Term]) -> usize {
        let mut all = "Bool and".to_owned();
        for (position, left) in args.iter().enumerate() {
            for right in &args[position + 1..] {
                let (left, right) = (self.numbers[left], self.numbers[right]);
                let equal = self.add(&format!("Bool = {left} {right}"));
                let differ = self.add(&format!("Bool not {equal}"));
                let _ = write!(all, " {differ}");
            }
        }
        self.add(&all)
    }

    fn add(&mut self, words: &str) -> usize {
        let number = self.next;
        self.next += 1;
        let _ = writeln!(self.text, "{number} {words}");
        number
    }

    fn operator(&self, term: Term) -> String {
        match self.terms.op(term) {
            Op::Bool(value) => value.to_string(),
            Op::Int(value) => format!("int {value}"),
            Op::Real(value) => format!("real {}/{}", value.numer(), value.denom()),
            Op::Var(var) => {
                let name = var.name.replace(['\n', '\r'], " ");
                match var.version {
                    Version::Current => format!("var {name}"),
                    Version::Next => format!("var {name}'"),
                    Version::Aux(number) | Version::At(number) | Version::Bound(number) => {
                        format!("var {name}@{number}")
                    }
                    Version::AuxAt(position, number) => format!("var {name}@{position}.{number}"),
                }
            }
            Op::Bind(_) => "opaque".into(),
            Op::Not => "not".into(),
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Ite => "ite".into(),
            Op::Eq => "=".into(),
            Op::Add => "+".into(),
            Op::Mul => "*".into(),
            Op::Div => "div".into(),
            Op::Mod => "mod".into(),
            Op::RealDiv => "/".into(),
            Op::Le => "<=".into(),
            Op::Lt => "<".into(),
            Op::ToReal => "to_real".into(),
            Op::ToInt => "to_int".into(),
            Op::Select => "select".into(),
            Op::Store => "store".into(),
            Op::ConstMap => "const".into(),
            Op::Apply(function) => format!("apply {}", word(&function.name)),
            Op::BitVec(value) => format!("bits {value}"),
            // To the reader these are functions of which it knows nothing. Their names start with `%` and a letter that no escaped name has
            // there.
            Op::Builtin(builtin) => {
                let indices: Vec<String> = builtin.indices.iter().map(u32::to_string).collect();
                format!("apply %smt.{}.{}", indices.join(","), word(&builtin.name))
            }
            Op::Bv(op) => format!("apply %bv.{}", bv_name(*op)),
            Op::Extract { high, low } => format!("apply %extract.{high}.{low}"),
            Op::ZeroExtend(by) => format!("apply %zero-extend.{by}"),
            Op::SignExtend(by) => format!("apply %sign-extend.{by}"),
            Op::Construct(constructor) => format!("apply %construct.{constructor}"),
            Op::Field { constructor, field } => format!("apply %field.{constructor}.{field}"),
            Op::Is(constructor) => format!("apply %is.{constructor}"),
            Op::Distinct => unreachable!("written as pairs"),
        }
    }
}

/// A sort as one word.
fn sort_word(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Real => "Real".into(),
        Sort::BitVec(width) => format!("Bits.{width}"),
        Sort::Float(exponent, significand) => format!("Float.{exponent}.{significand}"),
        Sort::RoundingMode => "RoundingMode".into(),
        Sort::Map(map) => {
            let domain: Vec<String> = map.domain.iter().map(sort_word).collect();
            format!("[{}]{}", domain.join(","), sort_word(&map.range))
        }
        Sort::Seq(element) => format!("Seq.{}", sort_word(element)),
        Sort::String => "String".into(),
        Sort::RegEx => "RegEx".into(),
        Sort::Datatype(datatype) => format!("'{}", word(&datatype.name)),
        Sort::Uninterpreted(name) => format!("'{}", word(name)),
    }
}

/// A name as one word, without brackets and commas; different names are different words.
fn word(name: &str) -> String {
    let mut word = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'!'..=b'~' if !matches!(byte, b'%' | b'[' | b']' | b',') => {
                word.push(char::from(byte))
            }
            _ => {
                let _ = write!(word, "%{byte:02x}");
            }
        }
    }
    word
}
