//! SMT-LIB text back to terms.
//!
//! Only what was declared has a meaning here: a symbol that a solver made up (`@diff` of
//! SMTInterpol, Skolem functions) is refused, and so are quantifiers. Every application is checked
//! for its sorts, so nothing ill-formed is built. Integers where reals are asked for are converted,
//! since several solvers write `(<= r 1)` for a real `r`.

use std::collections::HashMap;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;

use super::print::Named;
use super::sexpr::{Expr, Exprs, Node};
use crate::formula::print::bv_name;
use crate::formula::{BvOp, Function, Op, Sort, Term, Terms};
use crate::solver::Failure;

#[cfg(test)]
mod tests;

/// Wider bit-vectors nobody asks for.
const WIDEST: u32 = 1 << 16;

/// Numbers with more bits, and products of more factors, explain nothing. (With `let` a short text
/// can stand for very large ones.)
const LONGEST_NUMBER: u64 = 100_000;
const MOST_FACTORS: usize = 64;

/// The meaning of an expression: of a map with several indices, written as a map of maps, also
/// the rows.
#[derive(Clone, Debug)]
enum Value {
    Term(Term),
    /// The map, and the indices read so far; fewer than it has.
    Row(Term, Vec<Term>),
}

/// Reads terms over declared symbols.
pub(super) struct Reader<'a> {
    terms: &'a Terms,
    names: &'a HashMap<String, Named>,
    exprs: &'a Exprs,
    /// What `let` bound, the innermost last.
    bound: HashMap<&'a str, Vec<Value>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        names: &'a HashMap<String, Named>,
        exprs: &'a Exprs,
    ) -> Reader<'a> {
        Reader {
            terms,
            names,
            exprs,
            bound: HashMap::new(),
        }
    }

    /// The formula that an expression stands for.
    pub(super) fn formula(&mut self, expr: Expr) -> Result<Term, Failure> {
        let term = self.term(expr)?;
        self.of_sort(term, &Sort::Bool, "a formula")
    }

    fn term(&mut self, expr: Expr) -> Result<Term, Failure> {
        match self.value(expr)? {
            Value::Term(term) => Ok(term),
            Value::Row(..) => Err(unsupported("a row of a map with several indices")),
        }
    }

    fn value(&mut self, expr: Expr) -> Result<Value, Failure> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let exprs = self.exprs;
            Ok(Value::Term(match exprs.node(expr) {
                Node::Symbol(name) => {
                    if let Some(value) = self.bound.get(name.as_str()).and_then(|all| all.last()) {
                        return Ok(value.clone());
                    }
                    self.constant(name)?
                }
                Node::Numeral(digits) => self.terms.int(big(digits, 10)?),
                Node::Decimal(text) => self.decimal(text)?,
                Node::Binary(bits) => self.bits(bits, 2, 1)?,
                Node::Hexadecimal(nibbles) => self.bits(nibbles, 16, 4)?,
                Node::Text(_) => return Err(unsupported("a string")),
                Node::Keyword(name) => return Err(unsupported(&format!("`:{name}` as a term"))),
                Node::List(parts) => return self.application(parts),
            }))
        })
    }

    fn constant(&self, name: &str) -> Result<Term, Failure> {
        match (self.names.get(name), name) {
            (Some(Named::Term(term)), _) => Ok(*term),
            (Some(Named::Function(function)), _) if function.params.is_empty() => {
                Ok(self.terms.apply(function, &[]))
            }
            (None, "true") => Ok(self.terms.tt()),
            (None, "false") => Ok(self.terms.ff()),
            (None, _) => Err(unsupported(&format!("the solver's own symbol `{name}`"))),
            _ => Err(unsupported(&format!("`{name}` as a constant"))),
        }
    }

    fn decimal(&self, text: &str) -> Result<Term, Failure> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = u32::try_from(fraction.len()).map_err(|_| unsupported("a long number"))?;
        let scaled = big(&format!("{whole}{fraction}"), 10)?;
        let value = BigRational::new(scaled, BigInt::from(10).pow(digits));
        Ok(self.terms.real(value))
    }

    fn bits(&self, digits: &str, radix: u32, each: usize) -> Result<Term, Failure> {
        let value = BigUint::parse_bytes(digits.as_bytes(), radix);
        let width = u32::try_from(digits.len() * each).ok();
        match (value, width) {
            (Some(value), Some(width)) if width <= WIDEST => Ok(self.terms.bitvec(value, width)),
            _ => Err(unsupported("a bit-vector literal")),
        }
    }

    /// What stands in parentheses.
    fn application(&mut self, parts: &'a [Expr]) -> Result<Value, Failure> {
        let (&head, rest) = parts.split_first().ok_or_else(|| unsupported("`()`"))?;
        let exprs = self.exprs;
        if let Some(inner) = exprs.list(head) {
            return self.indexed(inner, rest).map(Value::Term);
        }
        let Some(name) = exprs.symbol(head) else {
            return Err(unsupported("an application of a literal"));
        };
        // A bound or declared name is never one of the theory's.
        if !self.bound.contains_key(name) {
            match self.names.get(name) {
                Some(Named::Function(function)) => {
                    let args = self.terms_of(rest)?;
                    return self.apply(function, args).map(Value::Term);
                }
                Some(_) => return Err(unsupported(&format!("an application of `{name}`"))),
                None => {}
            }
        } else {
            return Err(unsupported(&format!("an application of `{name}`")));
        }
        match name {
            "let" => self.bindings(rest),
            // Annotations change nothing.
            "!" => match rest {
                [body, ..] => self.value(*body),
                [] => Err(unsupported("`(!)`")),
            },
            "forall" | "exists" => Err(unsupported("a quantifier in the answer")),
            "_" => self.literal(rest).map(Value::Term),
            "select" => self.select(rest),
            _ => {
                let args = self.terms_of(rest)?;
                self.theory(name, args).map(Value::Term)
            }
        }
    }

    fn terms_of(&mut self, exprs: &[Expr]) -> Result<Vec<Term>, Failure> {
        exprs.iter().map(|&expr| self.term(expr)).collect()
    }

    /// `(let ((name term) ...) body)`, all at once.
    fn bindings(&mut self, rest: &'a [Expr]) -> Result<Value, Failure> {
        let wrong = || unsupported("an ill-formed `let`");
        let &[bindings, body] = rest else {
            return Err(wrong());
        };
        let exprs = self.exprs;
        let mut values = Vec::new();
        for &binding in exprs.list(bindings).ok_or_else(wrong)? {
            let &[name, value] = exprs.list(binding).ok_or_else(wrong)? else {
                return Err(wrong());
            };
            let name = exprs.symbol(name).ok_or_else(wrong)?;
            values.push((name, self.value(value)?));
        }
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        for (name, value) in values {
            self.bound.entry(name).or_default().push(value);
        }
        let result = self.value(body);
        for name in names {
            if let Some(all) = self.bound.get_mut(name) {
                all.pop();
                if all.is_empty() {
                    self.bound.remove(name);
                }
            }
        }
        result
    }

    /// `(_ bv5 8)`
    fn literal(&self, rest: &[Expr]) -> Result<Term, Failure> {
        let &[name, width] = rest else {
            return Err(unsupported("an indexed constant"));
        };
        let value = self.exprs.symbol(name).and_then(|n| n.strip_prefix("bv"));
        let value = value.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10));
        match (value, self.exprs.index(width)) {
            (Some(value), Some(width @ 1..=WIDEST)) => Ok(self.terms.bitvec(value, width)),
            _ => Err(unsupported("an indexed constant")),
        }
    }

    /// `((_ extract 3 0) x)`, `((as const S) x)`
    fn indexed(&mut self, head: &'a [Expr], args: &[Expr]) -> Result<Term, Failure> {
        let exprs = self.exprs;
        let names: Vec<Option<&str>> = head.iter().map(|&part| exprs.symbol(part)).collect();
        let args = self.terms_of(args)?;
        if let (&[Some("as"), Some("const"), _], &[value]) = (&names[..], &args[..]) {
            let sort = self.sort(head[2])?;
            return match &sort {
                Sort::Map(map) => {
                    let value = self.of_sort(value, &map.range, "a constant map")?;
                    Ok(self.terms.const_map(sort.clone(), value))
                }
                _ => Err(unsupported("a constant map of another sort")),
            };
        }
        let (&[Some("_"), Some(name), ..], &[arg]) = (&names[..], &args[..]) else {
            return Err(unsupported("an application of an expression"));
        };
        let numbers: Option<Vec<u32>> = head[2..].iter().map(|&n| exprs.index(n)).collect();
        let numbers = numbers.ok_or_else(|| unsupported(name))?;
        let terms = self.terms;
        let arithmetic = terms.sort(arg) == &Sort::Int;
        let width = match terms.sort(arg) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        };
        match (name, &numbers[..], width) {
            ("divisible", &[by], _) if arithmetic && by > 0 => {
                Ok(terms.eq(terms.modulo(arg, terms.int(by)), terms.int(0)))
            }
            ("extract", &[high, low], Some(width)) if low <= high && high < width => {
                Ok(terms.extract(arg, high + 1, low))
            }
            ("zero_extend", &[by], Some(_)) if by < WIDEST => Ok(terms.zero_extend(arg, by)),
            ("sign_extend", &[by], Some(_)) if by < WIDEST => Ok(terms.sign_extend(arg, by)),
            _ => Err(unsupported(&format!("`(_ {name})`"))),
        }
    }

    fn sort(&self, expr: Expr) -> Result<Sort, Failure> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let exprs = self.exprs;
            let unknown = || unsupported("a sort that was not declared");
            if let Some(name) = exprs.symbol(expr) {
                return match (self.names.get(name), name) {
                    (Some(Named::Sort(sort)), _) => Ok(sort.clone()),
                    (None, "Bool") => Ok(Sort::Bool),
                    (None, "Int") => Ok(Sort::Int),
                    (None, "Real") => Ok(Sort::Real),
                    _ => Err(unknown()),
                };
            }
            let &[head, first, second] = exprs.list(expr).ok_or_else(unknown)? else {
                return Err(unknown());
            };
            match (exprs.symbol(head), exprs.symbol(first)) {
                (Some("_"), Some("BitVec")) => match exprs.index(second) {
                    Some(width @ 1..) => Ok(Sort::BitVec(width)),
                    _ => Err(unknown()),
                },
                (Some("Array"), _) => Ok(Sort::map(vec![self.sort(first)?], self.sort(second)?)),
                _ => Err(unknown()),
            }
        })
    }

    fn select(&mut self, args: &[Expr]) -> Result<Value, Failure> {
        let &[map, index] = args else {
            return Err(unsupported("`select` on other arguments"));
        };
        let (map, mut indices) = match self.value(map)? {
            Value::Term(map) => (map, Vec::new()),
            Value::Row(map, indices) => (map, indices),
        };
        let index = self.term(index)?;
        let Sort::Map(sort) = self.terms.sort(map) else {
            return Err(unsupported("`select` on what is no map"));
        };
        let expected = sort.domain.get(indices.len());
        let expected = expected.ok_or_else(|| unsupported("`select` with too many indices"))?;
        indices.push(self.of_sort(index, expected, "an index")?);
        Ok(if indices.len() == sort.domain.len() {
            Value::Term(self.terms.select(map, &indices))
        } else {
            Value::Row(map, indices)
        })
    }

    fn apply(&self, function: &std::sync::Arc<Function>, args: Vec<Term>) -> Result<Term, Failure> {
        if args.len() != function.params.len() {
            return Err(unsupported(&format!(
                "`{}` with other arguments",
                function.name
            )));
        }
        let args: Result<Vec<Term>, Failure> = args
            .into_iter()
            .zip(&function.params)
            .map(|(arg, sort)| self.of_sort(arg, sort, "an argument"))
            .collect();
        Ok(self.terms.apply(function, &args?))
    }

    /// A term, converted to real where an integer stands for one.
    fn of_sort(&self, term: Term, sort: &Sort, what: &str) -> Result<Term, Failure> {
        match (self.terms.sort(term), sort) {
            (actual, expected) if actual == expected => Ok(term),
            (Sort::Int, Sort::Real) => Ok(self.terms.to_real(term)),
            _ => Err(unsupported(&format!("{what} of another sort"))),
        }
    }

    /// Arguments of one sort; integers among reals are converted.
    fn of_one_sort(&self, args: &mut [Term], op: &str) -> Result<Sort, Failure> {
        let wrong = || unsupported(&format!("`{op}` on these arguments"));
        let first = *args.first().ok_or_else(wrong)?;
        let real = args.iter().any(|&arg| self.terms.sort(arg) == &Sort::Real);
        let sort = if real {
            Sort::Real
        } else {
            self.terms.sort(first).clone()
        };
        for arg in args {
            *arg = self.of_sort(*arg, &sort, &format!("an argument of `{op}`"))?;
        }
        Ok(sort)
    }

    /// An operator of one of the theories.
    fn theory(&self, op: &str, mut args: Vec<Term>) -> Result<Term, Failure> {
        let terms = self.terms;
        let wrong = || unsupported(&format!("`{op}` on these arguments"));
        match op {
            "not" | "and" | "or" | "xor" | "=>" => {
                for arg in &args {
                    self.of_sort(*arg, &Sort::Bool, "a truth value")?;
                }
                match (op, &args[..]) {
                    ("not", &[a]) => Ok(terms.not(a)),
                    ("and", _) => Ok(terms.and(args)),
                    ("or", _) => Ok(terms.or(args)),
                    ("xor", [first, rest @ ..]) => {
                        Ok(rest.iter().fold(*first, |odd, &next| terms.neq(odd, next)))
                    }
                    ("=>", [premises @ .., last]) => Ok(premises
                        .iter()
                        .rev()
                        .fold(*last, |result, &premise| terms.implies(premise, result))),
                    _ => Err(wrong()),
                }
            }
            "ite" => {
                let &[condition, a, b] = &args[..] else {
                    return Err(wrong());
                };
                self.of_sort(condition, &Sort::Bool, "a condition")?;
                let mut branches = [a, b];
                self.of_one_sort(&mut branches, op)?;
                Ok(terms.ite(condition, branches[0], branches[1]))
            }
            "=" | "distinct" => {
                self.of_one_sort(&mut args, op)?;
                match (op, &args[..]) {
                    (_, [] | [_]) => Err(wrong()),
                    ("distinct", _) => Ok(terms.distinct(&args)),
                    _ => Ok(terms.and(args.windows(2).map(|pair| terms.eq(pair[0], pair[1])))),
                }
            }
            "+" | "-" | "*" | "/" | "<=" | "<" | ">=" | ">" => self.arithmetic(op, args),
            "div" | "mod" | "abs" | "to_real" | "to_int" | "is_int" => self.integers(op, &args),
            "store" => {
                let &[map, index, value] = &args[..] else {
                    return Err(wrong());
                };
                match terms.sort(map) {
                    Sort::Map(sort) if sort.domain.len() == 1 => {
                        let index = self.of_sort(index, &sort.domain[0], "an index")?;
                        let value = self.of_sort(value, &sort.range, "an element")?;
                        Ok(terms.store(map, &[index], value))
                    }
                    _ => Err(wrong()),
                }
            }
            _ => self.bit_vectors(op, args),
        }
    }

    fn arithmetic(&self, op: &str, mut args: Vec<Term>) -> Result<Term, Failure> {
        let terms = self.terms;
        let wrong = || unsupported(&format!("`{op}` on these arguments"));
        let mut sort = self.of_one_sort(&mut args, op)?;
        if !sort.is_arithmetic() {
            return Err(wrong());
        }
        if op == "/" && sort == Sort::Int {
            sort = Sort::Real;
            args.iter_mut().for_each(|arg| *arg = terms.to_real(*arg));
        }
        let chain = |compare: &dyn Fn(Term, Term) -> Term| match args.len() {
            0 | 1 => Err(wrong()),
            _ => Ok(terms.and(args.windows(2).map(|pair| compare(pair[0], pair[1])))),
        };
        match (op, &args[..]) {
            ("+", _) => Ok(terms.add(&args)),
            ("*", _) => {
                let mut bits = 0;
                let mut factors = 0;
                for &arg in &args {
                    match (terms.as_number(arg), terms.op(arg)) {
                        (Some(n), _) => bits += n.numer().bits() + n.denom().bits(),
                        (None, Op::Mul) => factors += terms.args(arg).len(),
                        (None, _) => factors += 1,
                    }
                }
                if bits > LONGEST_NUMBER || factors > MOST_FACTORS {
                    return Err(unsupported("a large product"));
                }
                Ok(terms.mul(&args))
            }
            ("-", &[a]) => Ok(terms.neg(a)),
            ("-", [first, rest @ ..]) => Ok(terms.sub(*first, terms.add(rest))),
            ("/", [first, divisors @ ..]) if !divisors.is_empty() && sort == Sort::Real => {
                divisors.iter().try_fold(*first, |result, &divisor| {
                    // What a quotient by zero is, solvers disagree on.
                    match terms.as_number(divisor) {
                        Some(number) if !number.is_zero() => Ok(terms.real_div(result, divisor)),
                        _ => Err(unsupported("a division by what is not a number")),
                    }
                })
            }
            ("<=", _) => chain(&|a, b| terms.le(a, b)),
            ("<", _) => chain(&|a, b| terms.lt(a, b)),
            (">=", _) => chain(&|a, b| terms.ge(a, b)),
            (">", _) => chain(&|a, b| terms.gt(a, b)),
            _ => Err(wrong()),
        }
    }

    fn integers(&self, op: &str, args: &[Term]) -> Result<Term, Failure> {
        let terms = self.terms;
        let sorts: Vec<&Sort> = args.iter().map(|&arg| terms.sort(arg)).collect();
        match (op, args, &sorts[..]) {
            ("div" | "mod", &[a, b], [Sort::Int, Sort::Int]) => match terms.op(b) {
                Op::Int(divisor) if !divisor.is_zero() && op == "div" => Ok(terms.div(a, b)),
                Op::Int(divisor) if !divisor.is_zero() => Ok(terms.modulo(a, b)),
                _ => Err(unsupported("a division by what is not a number")),
            },
            ("abs", &[a], [Sort::Int]) => Ok(terms.ite(terms.le(terms.int(0), a), a, terms.neg(a))),
            ("to_real", &[a], [Sort::Int]) => Ok(terms.to_real(a)),
            // Where numerals of a logic without integers are reals.
            ("to_real", &[a], [Sort::Real]) => Ok(a),
            ("to_int", &[a], [Sort::Real]) => Ok(terms.to_int(a)),
            ("is_int", &[a], [Sort::Real]) => Ok(terms.eq(terms.to_real(terms.to_int(a)), a)),
            _ => Err(unsupported(&format!("`{op}` on these arguments"))),
        }
    }

    fn bit_vectors(&self, op: &str, args: Vec<Term>) -> Result<Term, Failure> {
        let terms = self.terms;
        let unknown = || unsupported(&format!("the solver's own symbol `{op}`"));
        let wrong = || unsupported(&format!("`{op}` on these arguments"));
        let (name, swapped) = match op {
            "bvugt" => ("bvult", true),
            "bvuge" => ("bvule", true),
            "bvsgt" => ("bvslt", true),
            "bvsge" => ("bvsle", true),
            "bvcomp" => ("=", false),
            other => (other, false),
        };
        let operator = BvOp::FUNCTIONS
            .into_iter()
            .chain(BvOp::COMPARISONS)
            .chain([BvOp::Concat])
            .find(|&op| bv_name(op) == name);
        if operator.is_none() && op != "bvcomp" {
            return Err(unknown());
        }
        let mut width = 0u32;
        let all_bits = args.iter().all(|&arg| match terms.sort(arg) {
            Sort::BitVec(bits) => {
                width = width.saturating_add(*bits);
                true
            }
            _ => false,
        });
        let one_width = args
            .windows(2)
            .all(|pair| terms.sort(pair[0]) == terms.sort(pair[1]));
        let widths = match operator {
            Some(BvOp::Concat) => width <= WIDEST,
            _ => one_width,
        };
        if !all_bits || !widths {
            return Err(wrong());
        }
        match (operator, &args[..]) {
            (None, &[a, b]) => {
                let bit = |value: u32| terms.bitvec(value.into(), 1);
                Ok(terms.ite(terms.eq(a, b), bit(1), bit(0)))
            }
            (Some(op @ (BvOp::Not | BvOp::Neg)), &[a]) => Ok(terms.bv(op, &[a])),
            (Some(BvOp::Not | BvOp::Neg), _) | (None, _) => Err(wrong()),
            (Some(op), &[a, b]) if swapped => Ok(terms.bv(op, &[b, a])),
            (Some(op), &[a, b]) => Ok(terms.bv(op, &[a, b])),
            // These group to the left.
            (
                Some(
                    op @ (BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul | BvOp::Concat),
                ),
                [first, rest @ ..],
            ) if !rest.is_empty() => Ok(rest
                .iter()
                .fold(*first, |left, &right| terms.bv(op, &[left, right]))),
            _ => Err(wrong()),
        }
    }
}

fn big(digits: &str, radix: u32) -> Result<BigInt, Failure> {
    BigInt::parse_bytes(digits.as_bytes(), radix).ok_or_else(|| unsupported("a numeral"))
}

fn unsupported(what: &str) -> Failure {
    let what: String = what.chars().take(200).collect();
    Failure::Unsupported(format!("{what}, in the solver's answer"))
}
