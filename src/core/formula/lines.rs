//! Terms as numbered lines, for readers that know nothing of [`Terms`]: the questions of certificates.
//!
//! The form is that of `src/proof/FORMAT.md`. It has no operator for some terms. They become functions, or terms without a meaning. That
//! only allows more values, so a refutation of the text refutes the formulas. (A term without a meaning is in no quantified formula: it would
//! have the same value for all values of the variables.)

use std::collections::HashMap;
use std::fmt::Write as _;

use super::print::bv_name;
use super::sort::Sort;
use super::term::{BinderKind, BvOp, Op, Term, Terms, Version};

/// Terms that have a number, and the lines of those that were added last.
pub struct Lines<'t> {
    terms: &'t Terms,
    numbers: HashMap<Term, usize>,
    /// The lines by their words, but for those that are new each time.
    written: HashMap<String, usize>,
    next: usize,
    text: String,
}

impl<'t> Lines<'t> {
    /// No lines.
    pub fn new(terms: &'t Terms) -> Lines<'t> {
        Lines {
            terms,
            numbers: HashMap::new(),
            written: HashMap::new(),
            next: 0,
            text: String::new(),
        }
    }

    /// The number of a line for a truth value about terms, with this operator.
    pub fn truth(&mut self, operator: &str, args: &[Term]) -> usize {
        let numbers: Vec<usize> = args.iter().map(|&arg| self.number(arg)).collect();
        self.formula(operator, &numbers)
    }

    /// The same about terms with these numbers.
    pub fn formula(&mut self, operator: &str, args: &[usize]) -> usize {
        self.written_as("Bool", operator, args)
    }

    /// The number of the element of a map at an index.
    pub fn element(&mut self, map: Term, index: &[Term]) -> usize {
        let Sort::Map(sort) = self.terms.sort(map) else {
            unreachable!("{map:?} is no map");
        };
        let sort = sort_word(&sort.range);
        let args = std::iter::once(&map).chain(index);
        let args: Vec<usize> = args.map(|&arg| self.number(arg)).collect();
        self.written_as(&sort, "select", &args)
    }

    fn written_as(&mut self, sort: &str, operator: &str, args: &[usize]) -> usize {
        let mut words = format!("{sort} {operator}");
        for arg in args {
            let _ = write!(words, " {arg}");
        }
        self.once(&words)
    }

    /// The same lines, where more are added for terms of a copy of the store.
    pub fn of_copy<'u>(&self, terms: &'u Terms) -> Lines<'u> {
        Lines {
            terms,
            numbers: self.numbers.clone(),
            written: self.written.clone(),
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
            let parts = self.parts(term);
            if is_ready {
                let args: Vec<usize> = parts.iter().map(|part| self.numbers[part]).collect();
                let number = self.line(term, &args);
                self.numbers.insert(term, number);
            } else {
                open.push((term, true));
                open.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
        self.numbers[&root]
    }

    /// The number of a term in which terms are replaced, and nothing is simplified.
    pub fn replaced(&mut self, root: Term, map: &HashMap<Term, Term>) -> usize {
        let mut known: HashMap<Term, usize> = HashMap::new();
        let mut open = vec![(root, false)];
        while let Some((term, is_ready)) = open.pop() {
            if known.contains_key(&term) {
                continue;
            }
            let own = self.number(*map.get(&term).unwrap_or(&term));
            let parts = match map.contains_key(&term) {
                true => Vec::new(),
                false => self.parts(term),
            };
            if !is_ready && !parts.is_empty() {
                open.push((term, true));
                open.extend(parts.into_iter().rev().map(|part| (part, false)));
                continue;
            }
            let is_same = parts.iter().all(|part| known[part] == self.numbers[part]);
            let number = match is_same {
                true => own,
                false => {
                    let args: Vec<usize> = parts.iter().map(|part| known[part]).collect();
                    self.line(term, &args)
                }
            };
            known.insert(term, number);
        }
        known[&root]
    }

    /// The terms that the line of a term names.
    fn parts(&self, term: Term) -> Vec<Term> {
        match self.terms.op(term) {
            Op::Bind(binder) if self.is_quantified(term) => {
                let body = self.terms.args(term)[0];
                std::iter::once(body).chain(binder.vars.clone()).collect()
            }
            // Its variables mean nothing outside.
            Op::Bind(_) => Vec::new(),
            _ => self.terms.args(term).to_vec(),
        }
    }

    /// Whether a term is a quantified formula that can be written: it has no maps in it that bind variables.
    fn is_quantified(&self, term: Term) -> bool {
        let is_lambda = |term: Term| {
            let op = self.terms.op(term);
            matches!(op, Op::Bind(binder) if binder.kind == BinderKind::Lambda)
        };
        matches!(self.terms.op(term), Op::Bind(_))
            && !self.terms.post_order(&[term]).into_iter().any(is_lambda)
    }

    /// Writes the line of a term whose arguments have these lines.
    fn line(&mut self, term: Term, args: &[usize]) -> usize {
        let special = match self.terms.op(term) {
            Op::Distinct => Some(self.distinct(args)),
            Op::Mul => self.product(term, args),
            _ => None,
        };
        if let Some(number) = special {
            return number;
        }
        let mut words = format!(
            "{} {}",
            sort_word(self.terms.sort(term)),
            self.operator(term)
        );
        for arg in args {
            let _ = write!(words, " {arg}");
        }
        match self.terms.op(term) {
            Op::Var(_) => self.add(&words),
            Op::Bind(_) if !self.is_quantified(term) => self.add(&words),
            _ => self.once(&words),
        }
    }

    /// A product of numbers and variables as numbers times a product of variables, which the reader looks at as one term.
    fn product(&mut self, term: Term, args: &[usize]) -> Option<usize> {
        let is_number = |place: &usize| {
            let arg = self.terms.args(term)[*place];
            self.terms.as_number(arg).is_some()
        };
        let (numbers, others): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(is_number);
        if numbers.is_empty() || others.len() < 2 {
            return None;
        }
        let sort = sort_word(self.terms.sort(term));
        let of = |places: Vec<usize>| places.into_iter().map(|at| args[at]).collect::<Vec<_>>();
        let product = self.written_as(&sort, "*", &of(others));
        let parts = [of(numbers), vec![product]].concat();
        Some(self.written_as(&sort, "*", &parts))
    }

    /// All pairs are different.
    fn distinct(&mut self, args: &[usize]) -> usize {
        let mut all = "Bool and".to_owned();
        for (position, left) in args.iter().enumerate() {
            for right in &args[position + 1..] {
                let equal = self.once(&format!("Bool = {left} {right}"));
                let differ = self.once(&format!("Bool not {equal}"));
                let _ = write!(all, " {differ}");
            }
        }
        self.once(&all)
    }

    /// A line that is written once.
    fn once(&mut self, words: &str) -> usize {
        if let Some(&number) = self.written.get(words) {
            return number;
        }
        let number = self.add(words);
        self.written.insert(words.to_owned(), number);
        number
    }

    fn add(&mut self, words: &str) -> usize {
        let number = self.next;
        self.next += 1;
        let _ = writeln!(self.text, "{number} {words}");
        number
    }

    fn operator(&self, term: Term) -> String {
        let is_word = is_word(self.terms, term);
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
            Op::Bind(binder) if self.is_quantified(term) => match binder.kind {
                BinderKind::Exists => "exists".into(),
                _ => "forall".into(),
            },
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
            // The bit at `high` is not among them.
            Op::Extract { high, low } if is_word => format!("extract {} {low}", high - 1),
            Op::ZeroExtend(by) if is_word => format!("zero_extend {by}"),
            Op::SignExtend(by) if is_word => format!("sign_extend {by}"),
            Op::Bv(op) if is_word => bv_name(*op).into(),
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

/// The bits of wider words are not looked into.
const WIDEST: u32 = 1 << 16;

/// Whether a term is a bit-vector, or a comparison of two, that the reader knows bit by bit. What else has to do with bit-vectors is a function of
/// which it knows nothing.
pub fn is_word(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term);
    let has_width = |&term: &Term| match terms.sort(term) {
        Sort::BitVec(width) => (1..=WIDEST).contains(width),
        _ => false,
    };
    match terms.op(term) {
        Op::Bv(BvOp::Smod) => false,
        Op::Bv(BvOp::Not | BvOp::Neg) => args.len() == 1 && has_width(&term),
        Op::Bv(BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle) => {
            args.len() == 2 && args.iter().all(has_width)
        }
        Op::Bv(_) => args.len() == 2 && has_width(&term) && args.iter().all(has_width),
        Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => {
            has_width(&term) && args.iter().all(has_width)
        }
        _ => has_width(&term),
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
        Sort::Datatype(datatype) => format!("'{}", word(datatype.name())),
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
