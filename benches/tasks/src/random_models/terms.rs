//! Random terms of SMT-LIB over sorts with few values, and what they mean.

use std::fmt::Write as _;
use std::rc::Rc;

use super::chance::Chance;
use super::datatypes::{self, Datatype, Operator};

/// The rounding modes, in one order.
const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// A sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Bits(u32),
    /// Integers; only some of them are values of variables.
    Int,
    Mode,
    Array(Box<Sort>, Box<Sort>),
    Data(Rc<Datatype>),
}

/// A value: a number, which counts the values of a sort, the elements of an array in the order of its indices, or the fields of
/// what a constructor made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Number(i64),
    Array(Vec<Value>),
    Made(usize, Vec<Value>),
}

impl Value {
    /// The number, or that of a constructor; arrays have none.
    pub(super) fn number(&self) -> i64 {
        match self {
            Value::Number(number) => *number,
            Value::Made(constructor, _) => *constructor as i64,
            Value::Array(_) => 0,
        }
    }

    /// Whether it is the truth value `true`.
    pub(super) fn is_true(&self) -> bool {
        *self == Value::Number(1)
    }
}

impl Sort {
    /// An array.
    pub(super) fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Box::new(index), Box::new(element))
    }

    /// How many values it has; none for integers, and arrays of them.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Sort::Bool => Some(2),
            Sort::Bits(width) => Some(1 << width),
            Sort::Int => None,
            Sort::Mode => Some(5),
            Sort::Array(index, element) => element
                .size()?
                .checked_pow(u32::try_from(index.size()?).ok()?),
            Sort::Data(of) => of.size(),
        }
    }

    /// All values; of integers those between two bounds.
    pub(super) fn values(&self, low: i64, high: i64) -> Vec<Value> {
        match self {
            Sort::Int => (low..=high).map(Value::Number).collect(),
            Sort::Array(index, element) => {
                let elements = element.values(low, high);
                let mut all = vec![Vec::new()];
                for _ in 0..index.size().unwrap_or_default() {
                    all = all
                        .iter()
                        .flat_map(|first: &Vec<Value>| {
                            elements.iter().map(|last| {
                                let mut more = first.clone();
                                more.push(last.clone());
                                more
                            })
                        })
                        .collect();
                }
                all.into_iter().map(Value::Array).collect()
            }
            Sort::Data(of) => of.values(low, high),
            _ => (0..self.size().unwrap_or_default() as i64)
                .map(Value::Number)
                .collect(),
        }
    }

    /// Some value.
    pub(super) fn some(&self) -> Value {
        match self {
            Sort::Array(index, element) => Value::Array(vec![
                element.some();
                index.size().unwrap_or_default()
                    as usize
            ]),
            Sort::Data(of) => of.some(),
            _ => Value::Number(0),
        }
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Sort::Bool => "Bool".into(),
            Sort::Bits(width) => format!("(_ BitVec {width})"),
            Sort::Int => "Int".into(),
            Sort::Mode => "RoundingMode".into(),
            Sort::Array(index, element) => format!("(Array {} {})", index.text(), element.text()),
            Sort::Data(of) => of.name(),
        }
    }
}

/// A term.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub sort: Sort,
    pub kind: TermKind,
}

/// What a term is.
#[derive(Clone, Debug)]
pub(super) enum TermKind {
    Number(i64),
    /// All elements are the same.
    Constant(Box<Term>),
    Variable(usize),
    Apply(&'static str, Vec<Term>),
    Data(Operator, Rc<Datatype>, Vec<Term>),
}

impl Term {
    /// A literal.
    pub(super) fn number(sort: Sort, number: i64) -> Term {
        Term {
            sort,
            kind: TermKind::Number(number),
        }
    }

    /// A variable.
    pub(super) fn variable(sort: Sort, index: usize) -> Term {
        Term {
            sort,
            kind: TermKind::Variable(index),
        }
    }

    /// An operator applied to arguments.
    pub(super) fn apply(sort: Sort, name: &'static str, args: Vec<Term>) -> Term {
        Term {
            sort,
            kind: TermKind::Apply(name, args),
        }
    }

    /// A literal, or a constructor without fields.
    fn index(sort: &Sort, value: &Value) -> Term {
        match (sort, value) {
            (Sort::Data(of), Value::Made(constructor, _)) => {
                datatypes::make(of, *constructor, Vec::new())
            }
            _ => Term::number(sort.clone(), value.number()),
        }
    }

    /// What says that the integers in its value are between two bounds.
    pub(super) fn bounds(&self, low: i64, high: i64) -> Vec<Term> {
        match &self.sort {
            Sort::Int => {
                let [low, high] = [low, high].map(|bound| Term::number(Sort::Int, bound));
                vec![Term::apply(Sort::Bool, "<=", vec![low, self.clone(), high])]
            }
            Sort::Array(index, element) => {
                let indices = index.values(low, high).into_iter();
                indices
                    .flat_map(|value| {
                        let args = vec![self.clone(), Term::index(index, &value)];
                        Term::apply((**element).clone(), "select", args).bounds(low, high)
                    })
                    .collect()
            }
            Sort::Data(of) => datatypes::bounds(of, self, low, high),
            _ => Vec::new(),
        }
    }

    /// The term with terms in the place of variables.
    pub(super) fn with(&self, values: &[Term]) -> Term {
        let kind = match &self.kind {
            TermKind::Variable(index) => return values[*index].clone(),
            TermKind::Number(number) => TermKind::Number(*number),
            TermKind::Constant(term) => TermKind::Constant(Box::new(term.with(values))),
            TermKind::Apply(name, args) => {
                TermKind::Apply(name, args.iter().map(|arg| arg.with(values)).collect())
            }
            TermKind::Data(operator, of, args) => {
                let args = args.iter().map(|arg| arg.with(values)).collect();
                TermKind::Data(*operator, of.clone(), args)
            }
        };
        Term {
            sort: self.sort.clone(),
            kind,
        }
    }

    /// As it is written, with these names of variables.
    pub(super) fn text(&self, names: &[String]) -> String {
        match (&self.kind, &self.sort) {
            (TermKind::Variable(index), _) => names[*index].clone(),
            (TermKind::Number(number), sort) => literal(*number, sort),
            (TermKind::Constant(term), sort) => {
                format!("((as const {}) {})", sort.text(), term.text(names))
            }
            (TermKind::Apply(name, args), _) => applied_text(name, args, names),
            (TermKind::Data(operator, of, args), _) => {
                applied_text(&operator.text(of), args, names)
            }
        }
    }

    /// The value, with these values of variables.
    pub(super) fn value(&self, variables: &[Value]) -> Value {
        match &self.kind {
            TermKind::Variable(index) => variables[*index].clone(),
            TermKind::Number(number) => Value::Number(*number),
            TermKind::Constant(term) => {
                let size = match &self.sort {
                    Sort::Array(index, _) => index.size().unwrap_or_default(),
                    _ => 0,
                };
                Value::Array(vec![term.value(variables); size as usize])
            }
            TermKind::Apply(name, args) => {
                let values: Vec<Value> = args.iter().map(|arg| arg.value(variables)).collect();
                let sort = args.first().map_or(&self.sort, |arg| &arg.sort);
                applied(name, sort, &values)
            }
            TermKind::Data(operator, of, args) => {
                operator.value(of, args.iter().map(|arg| arg.value(variables)).collect())
            }
        }
    }
}

/// As an application is written; without arguments it is only a name.
fn applied_text(name: &str, args: &[Term], names: &[String]) -> String {
    if args.is_empty() {
        return name.to_owned();
    }
    let mut text = format!("({name}");
    for arg in args {
        let _ = write!(text, " {}", arg.text(names));
    }
    text + ")"
}

/// As a literal is written.
fn literal(number: i64, sort: &Sort) -> String {
    match sort {
        Sort::Bool => (number == 1).to_string(),
        Sort::Bits(width) => format!("#b{number:0width$b}", width = *width as usize),
        Sort::Mode => MODES[number.rem_euclid(5) as usize].into(),
        _ if number < 0 => format!("(- {})", -number),
        _ => number.to_string(),
    }
}

/// The value of an operator; the sort is that of the first argument.
fn applied(name: &str, sort: &Sort, values: &[Value]) -> Value {
    let numbers: Vec<i64> = values.iter().map(Value::number).collect();
    let truth = |truth: bool| Value::Number(i64::from(truth));
    match (name, values) {
        ("=", [a, b]) => return truth(a == b),
        ("distinct", [a, b]) => return truth(a != b),
        ("ite", [condition, a, b]) => {
            return if condition.is_true() { a } else { b }.clone();
        }
        ("select", [Value::Array(elements), index]) => {
            return elements[index.number() as usize].clone();
        }
        ("store", [Value::Array(elements), index, value]) => {
            let mut elements = elements.clone();
            elements[index.number() as usize] = value.clone();
            return Value::Array(elements);
        }
        _ => {}
    }
    let (a, b) = match *numbers {
        [a] => (a, 0),
        [a, b, ..] => (a, b),
        [] => (0, 0),
    };
    if let Sort::Bits(width) = sort {
        return Value::Number(word(name, *width, a, b));
    }
    match name {
        "not" => truth(a == 0),
        "and" => truth(numbers.iter().all(|number| *number == 1)),
        "or" => truth(a == 1 || b == 1),
        "xor" => truth(a != b),
        "=>" => truth(a == 0 || b == 1),
        "<" => truth(a < b),
        "<=" => truth(numbers.is_sorted()),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        "+" => Value::Number(a + b),
        "-" if numbers.len() == 1 => Value::Number(-a),
        "-" => Value::Number(a - b),
        "*" => Value::Number(a * b),
        // Divisors are positive here.
        "div" => Value::Number(a.div_euclid(b)),
        "mod" => Value::Number(a.rem_euclid(b)),
        _ => Value::Number(0),
    }
}

/// The value of an operator on words.
fn word(name: &str, width: u32, a: i64, b: i64) -> i64 {
    let ones = (1i64 << width) - 1;
    let sign = |value: i64| match value >> (width - 1) & 1 {
        1 => value - (1 << width),
        _ => value,
    };
    let value = match name {
        "bvnot" => !a,
        "bvneg" => -a,
        "bvand" => a & b,
        "bvor" => a | b,
        "bvxor" => a ^ b,
        "bvadd" => a + b,
        "bvsub" => a - b,
        "bvmul" => a * b,
        "bvudiv" => a.checked_div(b).unwrap_or(ones),
        "bvurem" => a.checked_rem(b).unwrap_or(a),
        "bvshl" if b < i64::from(width) => a << b,
        "bvlshr" if b < i64::from(width) => a >> b,
        "bvashr" => sign(a) >> b.min(i64::from(width)),
        "bvult" => return i64::from(a < b),
        "bvule" => return i64::from(a <= b),
        "bvugt" => return i64::from(a > b),
        "bvuge" => return i64::from(a >= b),
        "bvslt" => return i64::from(sign(a) < sign(b)),
        "bvsle" => return i64::from(sign(a) <= sign(b)),
        _ => 0,
    };
    value & ones
}

const ON_WORDS: &[&str] = &[
    "bvand", "bvor", "bvxor", "bvadd", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvshl",
    "bvlshr", "bvashr",
];
const WORDS_COMPARED: &[&str] = &["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle"];
const INTEGERS_COMPARED: &[&str] = &["<", "<=", ">", ">="];

/// A random term of a sort. Integers stay small only if what is around cares for that.
pub(super) fn term(chance: &mut Chance, sort: &Sort, depth: u32, variables: &[Sort]) -> Term {
    let own: Vec<usize> = (0..variables.len())
        .filter(|index| variables[*index] == *sort)
        .collect();
    if depth == 0 || chance.percent(20) {
        return match chance.maybe(&own) {
            Some(index) if chance.percent(75) => Term::variable(sort.clone(), index),
            _ => constant(chance, sort, variables),
        };
    }
    // An element of an array, if there is one.
    if chance.percent(20) {
        let arrays: Vec<usize> = (0..variables.len())
            .filter(|index| matches!(&variables[*index], Sort::Array(_, e) if **e == *sort))
            .collect();
        if let Some(index) = chance.maybe(&arrays)
            && let Sort::Array(of, _) = &variables[index]
        {
            let array = term(chance, &variables[index], depth - 1, variables);
            let at = term(chance, of, depth - 1, variables);
            return Term::apply(sort.clone(), "select", vec![array, at]);
        }
    }
    if let Some(opened) = datatypes::opened(chance, sort, depth, variables) {
        return opened;
    }
    if chance.percent(12) {
        let args = vec![
            term(chance, &Sort::Bool, depth - 1, variables),
            term(chance, sort, depth - 1, variables),
            term(chance, sort, depth - 1, variables),
        ];
        return Term::apply(sort.clone(), "ite", args);
    }
    match sort {
        Sort::Bool => truth(chance, depth, variables),
        Sort::Bits(_) => {
            let name = match chance.percent(20) {
                true => chance.pick(&["bvnot", "bvneg"]),
                false => chance.pick(ON_WORDS),
            };
            let arity = 1 + usize::from(!matches!(name, "bvnot" | "bvneg"));
            let args = (0..arity).map(|_| term(chance, sort, depth - 1, variables));
            Term::apply(sort.clone(), name, args.collect())
        }
        Sort::Int => {
            let a = term(chance, sort, depth - 1, variables);
            let (name, b) = match chance.below(10) {
                0..4 => ("+", term(chance, sort, depth - 1, variables)),
                4..7 => ("-", term(chance, sort, depth - 1, variables)),
                7 => (
                    "*",
                    Term::number(Sort::Int, i64::from(chance.between(2, 3))),
                ),
                8 => (
                    "div",
                    Term::number(Sort::Int, i64::from(chance.between(2, 3))),
                ),
                _ => (
                    "mod",
                    Term::number(Sort::Int, i64::from(chance.between(2, 4))),
                ),
            };
            Term::apply(Sort::Int, name, vec![a, b])
        }
        Sort::Mode => constant(chance, sort, variables),
        Sort::Array(index, element) => {
            let args = vec![
                term(chance, sort, depth - 1, variables),
                term(chance, index, depth - 1, variables),
                term(chance, element, depth - 1, variables),
            ];
            Term::apply(sort.clone(), "store", args)
        }
        Sort::Data(of) => datatypes::made(chance, of, depth, variables),
    }
}

fn constant(chance: &mut Chance, sort: &Sort, variables: &[Sort]) -> Term {
    match sort {
        Sort::Int => Term::number(Sort::Int, i64::from(chance.between(0, 5)) - 1),
        Sort::Array(_, element) => Term {
            sort: sort.clone(),
            kind: TermKind::Constant(Box::new(term(chance, element, 0, variables))),
        },
        Sort::Data(of) => datatypes::made(chance, of, 0, variables),
        _ => {
            let size = sort.size().unwrap_or(1) as usize;
            Term::number(sort.clone(), chance.below(size) as i64)
        }
    }
}

fn truth(chance: &mut Chance, depth: u32, variables: &[Sort]) -> Term {
    let of = |sort: &Sort, chance: &mut Chance| term(chance, sort, depth - 1, variables);
    if chance.percent(45) {
        let name = chance.pick(&["not", "and", "and", "or", "or", "xor", "=>"]);
        let arity = 1 + usize::from(name != "not");
        let args = (0..arity).map(|_| of(&Sort::Bool, chance)).collect();
        return Term::apply(Sort::Bool, name, args);
    }
    let sort = chance.maybe(variables).unwrap_or(Sort::Bool);
    if let Sort::Data(of) = &sort
        && chance.percent(45)
    {
        return datatypes::tested(chance, of, depth, variables);
    }
    let name = match &sort {
        Sort::Bits(_) if chance.percent(60) => chance.pick(WORDS_COMPARED),
        Sort::Int if chance.percent(60) => chance.pick(INTEGERS_COMPARED),
        _ => chance.pick(&["=", "=", "distinct"]),
    };
    let (a, mut b) = (of(&sort, chance), of(&sort, chance));
    // The same variable twice says nothing.
    if let (TermKind::Variable(one), TermKind::Variable(other)) = (&a.kind, &b.kind)
        && one == other
    {
        b = constant(chance, &sort, variables);
    }
    Term::apply(Sort::Bool, name, vec![a, b])
}

/// A random sort of variables.
pub(super) fn sort(chance: &mut Chance, with_modes: bool) -> Sort {
    let small = |chance: &mut Chance| match chance.below(5) {
        0 if with_modes => Sort::Mode,
        0 | 1 => Sort::Bool,
        2 => Sort::Bits(1),
        _ => Sort::Bits(2),
    };
    match chance.below(20) {
        0..4 => Sort::Bool,
        4..8 => Sort::Bits(chance.between(2, 3)),
        8..13 => Sort::Int,
        13 if with_modes => Sort::Mode,
        14..17 => {
            let element = chance.pick(&[Sort::Bool, Sort::Bool, Sort::Bits(1), Sort::Int]);
            Sort::array(small(chance), element)
        }
        _ => Sort::Bool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_have_so_many_values() {
        let array = Sort::array(Sort::Mode, Sort::Bool);
        assert_eq!(array.size(), Some(32));
        assert_eq!(array.values(0, 0).len(), 32);
        assert_eq!(Sort::Int.values(-1, 2).len(), 4);
        assert_eq!(Sort::array(Sort::Bool, Sort::Int).size(), None);
    }

    #[test]
    fn terms_are_written_and_have_values() {
        let sort = Sort::array(Sort::Bool, Sort::Bits(2));
        let constant = Term {
            sort: sort.clone(),
            kind: TermKind::Constant(Box::new(Term::number(Sort::Bits(2), 1))),
        };
        let at = Term::variable(Sort::Bool, 0);
        let three = Term::number(Sort::Bits(2), 3);
        let stored = Term::apply(sort, "store", vec![constant, at, three]);
        assert_eq!(
            stored.text(&["b".into()]),
            "(store ((as const (Array Bool (_ BitVec 2))) #b01) b #b11)"
        );
        let [one, three] = [1, 3].map(Value::Number);
        assert_eq!(
            stored.value(&[Value::Number(0)]),
            Value::Array(vec![three.clone(), one.clone()])
        );
        assert_eq!(
            stored.value(std::slice::from_ref(&one)),
            Value::Array(vec![one, three])
        );
    }

    #[test]
    fn operators_have_values() {
        let int =
            |name, a, b| applied(name, &Sort::Int, &[Value::Number(a), Value::Number(b)]).number();
        assert_eq!(int("div", -7, 2), -4);
        assert_eq!(int("mod", -7, 2), 1);
        assert_eq!(int("<", -7, 2), 1);
        assert_eq!(word("bvudiv", 2, 3, 0), 3);
        assert_eq!(word("bvurem", 2, 3, 0), 3);
        assert_eq!(word("bvashr", 3, 4, 1), 6);
        assert_eq!(word("bvshl", 2, 1, 2), 0);
        assert_eq!(word("bvslt", 2, 2, 1), 1);
        assert_eq!(word("bvult", 2, 2, 1), 0);
        assert_eq!(word("bvneg", 2, 1, 0), 3);
    }
}
