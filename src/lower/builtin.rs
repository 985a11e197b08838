//! Functions and constants that the source declares as the solver's own, `{:bvbuiltin "bvadd"}`.
//!
//! Every application is checked against the sorts that SMT-LIB gives the function, since the
//! declaration in the source is not to be trusted.

use std::sync::Arc;

use num_bigint::BigUint;

use super::division::TotalDivision;
use super::sequences;
use super::sorts::MAX_WIDTH;
use ult_core::formula::{BinderKind, Builtin, BvOp, Sort, Term, Terms};

/// A name as it stands in the attribute, taken apart.
struct Named {
    name: String,
    indices: Vec<u32>,
    /// Rounding modes written behind the name, as in `fp.add RNE`.
    leading: Vec<String>,
}

/// Takes apart `bvadd`, `zero_extend 24`, `(_ zero_extend 24)`, `(_ to_fp 8 24) RNE`.
fn parse(text: &str, indices: &[u32]) -> Option<Named> {
    let text = text.trim();
    let (head, rest) = match text.strip_prefix("(_ ") {
        Some(inner) => inner.split_once(')')?,
        None => (text, ""),
    };
    let mut named = Named {
        name: String::new(),
        indices: Vec::new(),
        leading: Vec::new(),
    };
    for (i, word) in head.split_whitespace().enumerate() {
        if i == 0 {
            named.name = word.into();
        } else if let Ok(index) = word.parse() {
            named.indices.push(index);
        } else if is_rounding_mode(word) {
            named.leading.push(word.into());
        } else {
            return None;
        }
    }
    for word in rest.split_whitespace() {
        if !is_rounding_mode(word) {
            return None;
        }
        named.leading.push(word.into());
    }
    named.indices.extend(indices);
    (!named.name.is_empty()).then_some(named)
}

fn is_rounding_mode(word: &str) -> bool {
    matches!(
        word,
        "RNE"
            | "RNA"
            | "RTP"
            | "RTN"
            | "RTZ"
            | "roundNearestTiesToEven"
            | "roundNearestTiesToAway"
            | "roundTowardPositive"
            | "roundTowardNegative"
            | "roundTowardZero"
    )
}

/// SMT-LIB's function `name` with `indices` on arguments.
pub fn plain(terms: &Terms, name: &str, indices: &[u32], args: &[Term], result: Sort) -> Term {
    let builtin = Arc::new(Builtin {
        name: name.into(),
        indices: indices.to_vec(),
        result,
    });
    terms.builtin(&builtin, args)
}

/// The function that the attribute text `text` (with `{:indices ...}`) names, on arguments; the
/// declared result sort is `result`. The error says what is not understood.
pub fn apply(
    terms: &Terms,
    division: &TotalDivision,
    text: &str,
    indices: &[u32],
    args: &[Term],
    result: &Sort,
) -> Result<Term, String> {
    let refused = || format!("the built-in function `{text}` as it is declared");
    let named = parse(text, indices).ok_or_else(refused)?;
    let mut all: Vec<Term> = named
        .leading
        .iter()
        .map(|mode| plain(terms, mode, &[], &[], Sort::RoundingMode))
        .collect();
    all.extend(args);
    if let ("to_fp", [_, number]) = (&*named.name, &mut all[..])
        && *terms.sort(*number) == Sort::Int
    {
        // Not in SMT-LIB; solvers and Boogie's users take it to be the real number.
        *number = terms.to_real(*number);
    }
    let call = Call {
        terms,
        division,
        name: &named.name,
        indices: &named.indices,
        args: &all,
        result,
    };
    let term = call
        .bitvector()
        .or_else(|| call.core())
        .or_else(|| call.map())
        .or_else(|| call.float())
        .or_else(|| sequences::apply(terms, call.name, call.indices, call.args, result))
        .ok_or_else(refused)?;
    if terms.sort(term) == result {
        Ok(term)
    } else {
        Err(refused())
    }
}

struct Call<'a> {
    terms: &'a Terms,
    division: &'a TotalDivision,
    name: &'a str,
    indices: &'a [u32],
    args: &'a [Term],
    result: &'a Sort,
}

impl Call<'_> {
    fn width(&self, term: Term) -> Option<u32> {
        match self.terms.sort(term) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    fn all_of(&self, test: impl Fn(&Sort) -> bool) -> bool {
        self.args.iter().all(|&t| test(self.terms.sort(t)))
    }

    fn same_sorts(&self) -> bool {
        self.args
            .windows(2)
            .all(|w| self.terms.sort(w[0]) == self.terms.sort(w[1]))
    }

    fn bitvector(&self) -> Option<Term> {
        let t = self.terms;
        if self.args.is_empty() || !self.all_of(|s| matches!(s, Sort::BitVec(_))) {
            return None;
        }
        match (self.name, self.args, self.indices) {
            ("bvnot", &[a], []) => return Some(t.bv(BvOp::Not, &[a])),
            ("bvneg", &[a], []) => return Some(t.bv(BvOp::Neg, &[a])),
            ("concat", &[a, b], []) => {
                let fits = self.bounded(a, self.width(b)?);
                return fits.then(|| t.bv(BvOp::Concat, &[a, b]));
            }
            ("zero_extend", &[a], &[by]) => {
                return self.bounded(a, by).then(|| t.zero_extend(a, by));
            }
            ("sign_extend", &[a], &[by]) => {
                return self.bounded(a, by).then(|| t.sign_extend(a, by));
            }
            // SMT-LIB's upper index is inclusive.
            ("extract", &[a], &[high, low]) => {
                let width = self.width(a)?;
                return (low <= high && high < width).then(|| t.extract(a, high + 1, low));
            }
            ("rotate_left", &[a], &[by]) => return self.rotate(a, by),
            ("rotate_right", &[a], &[by]) => {
                let width = self.width(a)?;
                return self.rotate(a, width - by % width);
            }
            ("bvcomp", &[a, b], []) if self.same_sorts() => {
                let bit = |value: u32| t.bitvec(BigUint::from(value), 1);
                return Some(t.ite(t.eq(a, b), bit(1), bit(0)));
            }
            _ => {}
        }
        let (&[a, b], [], true) = (self.args, self.indices, self.same_sorts()) else {
            return None;
        };
        let (op, swapped) = match self.name {
            "bvand" => (BvOp::And, false),
            "bvor" => (BvOp::Or, false),
            "bvxor" => (BvOp::Xor, false),
            "bvnand" => (BvOp::Nand, false),
            "bvnor" => (BvOp::Nor, false),
            "bvxnor" => (BvOp::Xnor, false),
            "bvadd" => (BvOp::Add, false),
            "bvsub" => (BvOp::Sub, false),
            "bvmul" => (BvOp::Mul, false),
            "bvudiv" => (BvOp::Udiv, false),
            "bvurem" => (BvOp::Urem, false),
            "bvsdiv" => (BvOp::Sdiv, false),
            "bvsrem" => (BvOp::Srem, false),
            "bvsmod" => (BvOp::Smod, false),
            "bvshl" => (BvOp::Shl, false),
            "bvlshr" => (BvOp::Lshr, false),
            "bvashr" => (BvOp::Ashr, false),
            "bvult" => (BvOp::Ult, false),
            "bvule" => (BvOp::Ule, false),
            "bvslt" => (BvOp::Slt, false),
            "bvsle" => (BvOp::Sle, false),
            "bvugt" => (BvOp::Ult, true),
            "bvuge" => (BvOp::Ule, true),
            "bvsgt" => (BvOp::Slt, true),
            "bvsge" => (BvOp::Sle, true),
            _ => return None,
        };
        Some(t.bv(op, &if swapped { [b, a] } else { [a, b] }))
    }

    /// Whether a widened vector is not too wide.
    fn bounded(&self, a: Term, by: u32) -> bool {
        let width = self.width(a).and_then(|w| w.checked_add(by));
        width.is_some_and(|w| w <= MAX_WIDTH)
    }

    /// The bits moved up by `by` places, those falling off at the top coming in at the bottom.
    fn rotate(&self, a: Term, by: u32) -> Option<Term> {
        let width = self.width(a)?;
        let by = by % width;
        if by == 0 {
            return Some(a);
        }
        let low = self.terms.extract(a, width - by, 0);
        let high = self.terms.extract(a, width, width - by);
        Some(self.terms.bv(BvOp::Concat, &[low, high]))
    }

    fn core(&self) -> Option<Term> {
        let t = self.terms;
        if !self.indices.is_empty() {
            return None;
        }
        let ints = self.all_of(|s| *s == Sort::Int);
        let reals = self.all_of(|s| *s == Sort::Real);
        let bools = self.all_of(|s| *s == Sort::Bool);
        let numbers = (ints || reals) && !self.args.is_empty();
        Some(match (self.name, self.args) {
            ("true", []) => t.tt(),
            ("false", []) => t.ff(),
            ("not", &[a]) if bools => t.not(a),
            ("and", args) if bools => t.and(args.iter().copied()),
            ("or", args) if bools => t.or(args.iter().copied()),
            ("=>", &[a, b]) if bools => t.implies(a, b),
            ("xor", &[a, b]) if bools => t.not(t.eq(a, b)),
            ("=", &[a, b]) if self.same_sorts() => t.eq(a, b),
            ("distinct", args) if self.same_sorts() => t.distinct(args),
            ("ite", &[c, a, b]) => {
                let fits = *t.sort(c) == Sort::Bool && t.sort(a) == t.sort(b);
                return fits.then(|| t.ite(c, a, b));
            }
            ("+", args) if numbers => t.add(args),
            ("*", args) if numbers => t.mul(args),
            ("-", &[a]) if numbers => t.neg(a),
            ("-", &[a, b]) if numbers => t.sub(a, b),
            ("<", &[a, b]) if numbers => t.lt(a, b),
            ("<=", &[a, b]) if numbers => t.le(a, b),
            (">", &[a, b]) if numbers => t.gt(a, b),
            (">=", &[a, b]) if numbers => t.ge(a, b),
            ("div", &[a, b]) if ints => self.division.div(t, a, b),
            ("mod", &[a, b]) if ints => self.division.modulo(t, a, b),
            ("/", &[a, b]) if reals => self.division.real_div(t, a, b),
            ("abs", &[a]) if ints => t.ite(t.ge(a, t.int(0)), a, t.neg(a)),
            ("to_real", &[a]) if ints => t.to_real(a),
            ("to_int", &[a]) if reals => t.to_int(a),
            ("is_int", &[a]) if reals => t.eq(t.to_real(t.to_int(a)), a),
            ("select", [map, indices @ ..]) => {
                let Sort::Map(sort) = t.sort(*map) else {
                    return None;
                };
                if !self.has_sorts(indices, &sort.domain) {
                    return None;
                }
                t.select(*map, indices)
            }
            ("store", [map, indices @ .., value]) => {
                let Sort::Map(sort) = t.sort(*map) else {
                    return None;
                };
                if !self.has_sorts(indices, &sort.domain) || *t.sort(*value) != sort.range {
                    return None;
                }
                t.store(*map, indices, *value)
            }
            _ => return None,
        })
    }

    fn has_sorts(&self, args: &[Term], sorts: &[Sort]) -> bool {
        args.len() == sorts.len()
            && args
                .iter()
                .zip(sorts)
                .all(|(&t, sort)| self.terms.sort(t) == sort)
    }

    /// Boogie's functions on whole maps: `MapConst`, `MapIte`, and the pointwise operators.
    fn map(&self) -> Option<Term> {
        let t = self.terms;
        let op = self.name.strip_prefix("Map")?;
        if !self.indices.is_empty() {
            return None;
        }
        let Sort::Map(sort) = self.result else {
            return None;
        };
        if op == "Const" {
            let &[value] = self.args else { return None };
            return (*t.sort(value) == sort.range).then(|| t.const_map(self.result.clone(), value));
        }
        // All arguments are maps over the same indices.
        if !self.all_of(|s| matches!(s, Sort::Map(m) if m.domain == sort.domain)) {
            return None;
        }
        let vars: Vec<Term> = sort
            .domain
            .iter()
            .enumerate()
            .map(|(i, s)| t.fresh_bound(format!("i{i}"), s.clone()))
            .collect();
        let elements: Vec<Term> = self.args.iter().map(|&m| t.select(m, &vars)).collect();
        let name = match op {
            "Ite" => "ite",
            "And" => "and",
            "Or" => "or",
            "Not" => "not",
            "Imp" => "=>",
            "Iff" | "Eq" => "=",
            "Add" => "+",
            "Sub" => "-",
            "Mul" => "*",
            "Div" => "div",
            "Mod" => "mod",
            "Gt" => ">",
            "Ge" => ">=",
            "Lt" => "<",
            "Le" => "<=",
            _ => return None,
        };
        let pointwise = Call {
            name,
            args: &elements,
            result: &sort.range,
            ..*self
        };
        let body = pointwise.core()?;
        (*t.sort(body) == sort.range).then(|| t.bind(BinderKind::Lambda, &vars, body, &[]))
    }

    /// Floating point, and conversions between integers and bit-vectors: kept by name.
    fn float(&self) -> Option<Term> {
        let sorts: Vec<&Sort> = self.args.iter().map(|&a| self.terms.sort(a)).collect();
        let fits = match (self.name, &sorts[..], self.indices) {
            ("fp", [Sort::BitVec(1), Sort::BitVec(e), Sort::BitVec(s)], []) => {
                *self.result == Sort::Float(*e, s.checked_add(1)?)
            }
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", [], &[e, s]) => {
                *self.result == Sort::Float(e, s)
            }
            (mode, [], []) if is_rounding_mode(mode) => *self.result == Sort::RoundingMode,
            ("fp.abs" | "fp.neg", [a @ Sort::Float(..)], []) => self.result == *a,
            ("fp.rem" | "fp.min" | "fp.max", [a @ Sort::Float(..), b], []) => {
                a == b && self.result == *a
            }
            (
                "fp.add" | "fp.sub" | "fp.mul" | "fp.div",
                [Sort::RoundingMode, a @ Sort::Float(..), b],
                [],
            ) => a == b && self.result == *a,
            ("fp.fma", [Sort::RoundingMode, a @ Sort::Float(..), b, c], []) => {
                a == b && a == c && self.result == *a
            }
            ("fp.sqrt" | "fp.roundToIntegral", [Sort::RoundingMode, a @ Sort::Float(..)], []) => {
                self.result == *a
            }
            ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", [a @ Sort::Float(..), b], []) => {
                a == b && *self.result == Sort::Bool
            }
            (
                "fp.isNormal" | "fp.isSubnormal" | "fp.isZero" | "fp.isInfinite" | "fp.isNaN"
                | "fp.isNegative" | "fp.isPositive",
                [Sort::Float(..)],
                [],
            ) => *self.result == Sort::Bool,
            ("to_fp", [Sort::BitVec(width)], &[e, s]) => {
                e.checked_add(s) == Some(*width) && *self.result == Sort::Float(e, s)
            }
            (
                "to_fp",
                [
                    Sort::RoundingMode,
                    Sort::Float(..) | Sort::Real | Sort::BitVec(_),
                ],
                &[e, s],
            )
            | ("to_fp_unsigned", [Sort::RoundingMode, Sort::BitVec(_)], &[e, s]) => {
                *self.result == Sort::Float(e, s)
            }
            ("fp.to_ubv" | "fp.to_sbv", [Sort::RoundingMode, Sort::Float(..)], &[width]) => {
                *self.result == Sort::BitVec(width)
            }
            ("fp.to_real", [Sort::Float(..)], []) => *self.result == Sort::Real,
            ("bv2int" | "bv2nat" | "ubv_to_int" | "sbv_to_int", [Sort::BitVec(_)], []) => {
                *self.result == Sort::Int
            }
            ("int2bv" | "nat2bv" | "int_to_bv", [Sort::Int], &[width]) => {
                (1..=MAX_WIDTH).contains(&width) && *self.result == Sort::BitVec(width)
            }
            _ => false,
        };
        fits.then(|| {
            plain(
                self.terms,
                self.name,
                self.indices,
                self.args,
                self.result.clone(),
            )
        })
    }
}
