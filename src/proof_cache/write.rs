//! Sorts and terms as lines, each before its users, which name it by its number.

use std::collections::HashMap;
use std::fmt::Write as _;

use indexmap::IndexSet;
use num_bigint::BigInt;

use ult_core::formula::print::bv_name;
use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Version};

use super::MAX_ENTRY;

/// Why something is not kept: in a form that the text does not have, or too long. Nobody has to be told.
#[derive(Debug)]
pub(super) struct NotKept;

/// A text in the making.
pub(super) struct Writer<'a> {
    terms: &'a Terms,
    text: String,
    sorts: IndexSet<Sort>,
    numbers: HashMap<Term, usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(terms: &'a Terms) -> Writer<'a> {
        Writer {
            terms,
            text: String::new(),
            sorts: IndexSet::new(),
            numbers: HashMap::new(),
        }
    }

    pub(super) fn finish(self) -> Result<String, NotKept> {
        self.within_limits()?;
        Ok(self.text)
    }

    /// Adds a line.
    pub(super) fn line(&mut self, words: &[&str]) -> Result<(), NotKept> {
        for (number, word) in words.iter().enumerate() {
            if number > 0 {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
        self.text.push('\n');
        self.within_limits()
    }

    fn within_limits(&self) -> Result<(), NotKept> {
        if self.text.len() > MAX_ENTRY {
            return Err(NotKept);
        }
        Ok(())
    }

    /// The number of a sort, which is in the text then.
    pub(super) fn sort(&mut self, sort: &Sort) -> Result<usize, NotKept> {
        if let Some(number) = self.sorts.get_index_of(sort) {
            return Ok(number);
        }
        let words = match sort {
            Sort::Bool => "bool".into(),
            Sort::Int => "int".into(),
            Sort::Real => "real".into(),
            Sort::BitVec(width) => format!("bits {width}"),
            Sort::Float(exponent, significand) => format!("float {exponent} {significand}"),
            Sort::RoundingMode => "rounding".into(),
            Sort::Seq(element) => format!("seq {}", self.sort(element)?),
            Sort::String => "string".into(),
            Sort::RegEx => "regex".into(),
            Sort::Map(map) => {
                let mut words = format!("map {}", self.sort(&map.range)?);
                for index in &map.domain {
                    let _ = write!(words, " {}", self.sort(index)?);
                }
                words
            }
            Sort::Datatype(datatype) => format!("datatype {}", name(datatype.name())),
            Sort::Uninterpreted(wanted) => format!("type {}", name(wanted)),
        };
        self.line(&["sort", &words])?;
        Ok(self.sorts.insert_full(sort.clone()).0)
    }

    /// The number of a term, which is in the text then.
    pub(super) fn term(&mut self, root: Term) -> Result<usize, NotKept> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.numbers.contains_key(&term) {
                continue;
            }
            let node = self.terms.node(term);
            if !ready {
                stack.push((term, true));
                stack.extend(node.args.iter().rev().map(|&arg| (arg, false)));
                if let Op::Bind(binder) = &node.op {
                    stack.extend(binder.vars.iter().rev().map(|&var| (var, false)));
                }
                continue;
            }
            let sort = self.sort(&node.sort)?.to_string();
            let mut words = self.operator(&node.op)?;
            for arg in &node.args {
                let _ = write!(words, " {}", self.numbers.get(arg).ok_or(NotKept)?);
            }
            self.line(&["term", &sort, &words])?;
            let number = self.numbers.len();
            self.numbers.insert(term, number);
        }
        self.numbers.get(&root).copied().ok_or(NotKept)
    }

    /// The operator with what belongs to it, and the bound variables where there are some.
    fn operator(&self, op: &Op) -> Result<String, NotKept> {
        Ok(match op {
            Op::Bool(value) => value.to_string(),
            Op::Int(value) => format!("int {}", integer(value)),
            Op::Real(value) => {
                format!("real {} {}", integer(value.numer()), integer(value.denom()))
            }
            Op::BitVec(value) => format!("bits {value:x}"),
            Op::Var(var) => match var.version {
                Version::Current => format!("now {}", name(&var.name)),
                Version::Bound(_) => format!("bound {}", name(&var.name)),
                Version::Next | Version::Aux(_) | Version::At(_) | Version::AuxAt(..) => {
                    return Err(NotKept);
                }
            },
            Op::Apply(function) => format!("apply {}", name(&function.name)),
            Op::Builtin(builtin) => {
                let mut words =
                    format!("builtin {} {}", name(&builtin.name), builtin.indices.len());
                for index in &builtin.indices {
                    let _ = write!(words, " {index}");
                }
                words
            }
            Op::Bind(binder) => {
                let kind = match binder.kind {
                    BinderKind::Forall => "forall",
                    BinderKind::Exists => "exists",
                    BinderKind::Lambda => "lambda",
                };
                let mut words = format!("{kind} {}", binder.vars.len());
                for var in &binder.vars {
                    let _ = write!(words, " {}", self.numbers.get(var).ok_or(NotKept)?);
                }
                let _ = write!(words, " {}", binder.patterns.len());
                for length in &binder.patterns {
                    let _ = write!(words, " {length}");
                }
                words
            }
            Op::Bv(op) => format!("bv {}", bv_name(*op)),
            Op::Extract { high, low } => format!("extract {high} {low}"),
            Op::ZeroExtend(by) => format!("zero-extend {by}"),
            Op::SignExtend(by) => format!("sign-extend {by}"),
            Op::Construct(constructor) => format!("construct {constructor}"),
            Op::Field { constructor, field } => format!("field {constructor} {field}"),
            Op::Is(constructor) => format!("is {constructor}"),
            Op::Not => "not".into(),
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Ite => "ite".into(),
            Op::Eq => "eq".into(),
            Op::Distinct => "distinct".into(),
            Op::Add => "add".into(),
            Op::Mul => "mul".into(),
            Op::Div => "div".into(),
            Op::Mod => "mod".into(),
            Op::RealDiv => "real-div".into(),
            Op::Le => "le".into(),
            Op::Lt => "lt".into(),
            Op::ToReal => "to-real".into(),
            Op::ToInt => "to-int".into(),
            Op::Select => "select".into(),
            Op::Store => "store".into(),
            Op::ConstMap => "const-map".into(),
        })
    }
}

/// A name as one word. It begins with a quote, so that no name is taken for something else.
pub(super) fn name(name: &str) -> String {
    let mut word = String::with_capacity(name.len() + 1);
    word.push('\'');
    for byte in name.bytes() {
        match byte {
            b'!'..=b'~' if byte != b'%' => word.push(char::from(byte)),
            _ => {
                let _ = write!(word, "%{byte:02x}");
            }
        }
    }
    word
}

/// An integer in hexadecimal digits, which take no time to read.
pub(super) fn integer(value: &BigInt) -> String {
    value.to_str_radix(16)
}
