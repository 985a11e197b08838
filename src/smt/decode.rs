//! From Z3's expressions back to terms.
//!
//! Needed for what Z3 makes up itself: projections and the predicates that solve Horn clauses.
//! Only symbols that the session has translated before are accepted, every operator is either
//! known or a [`Failure`], and the sorts of the arguments are checked before a term is built.

use std::collections::HashMap;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;
use z3_sys::{DeclKind, SortKind};

use super::answer::Failure;
use super::encode::Maps;
use super::float::{decoded, float, rounding};
use super::raw::{self, Ast, Shape};
use super::session::{Meaning, Session};
use ult_core::formula::{BvOp, Format, MapSort, Sort, Term, Terms};

/// What an expression stands for. Arrays of arrays that stand for a map with several indices
/// have rows, which are no terms by themselves.
#[derive(Clone)]
enum Decoded {
    Term(Term),
    /// `map[indices]` with some indices missing.
    Row {
        map: Term,
        indices: Vec<Term>,
    },
    /// That row with the element at the missing indices replaced.
    StoredRow {
        map: Term,
        indices: Vec<Term>,
        missing: Vec<Term>,
        value: Term,
    },
}

/// A decoder for expressions of one session.
pub(super) struct Decoder<'a, 't> {
    session: &'a Session<'t>,
    maps: Maps,
    /// The terms for bound variables, by de Bruijn index.
    bound: &'a [Term],
}

impl<'a, 't> Decoder<'a, 't> {
    pub(super) fn new(session: &'a Session<'t>, maps: Maps, bound: &'a [Term]) -> Self {
        Decoder {
            session,
            maps,
            bound,
        }
    }

    /// The term for an expression.
    pub(super) fn decode(&self, root: &Ast) -> Result<Term, Failure> {
        let mut done: HashMap<u32, Decoded> = HashMap::new();
        let mut stack = vec![(root.clone(), false)];
        while let Some((ast, ready)) = stack.pop() {
            if done.contains_key(&ast.id()) {
                continue;
            }
            let args = ast.args()?;
            if ready || args.is_empty() {
                let decoded: Vec<Decoded> = args.iter().map(|a| done[&a.id()].clone()).collect();
                let result = self.node(&ast, &decoded)?;
                if let Decoded::Term(term) = &result {
                    self.same_sort(&ast, *term)?;
                }
                done.insert(ast.id(), result);
            } else {
                stack.push((ast, true));
                stack.extend(args.into_iter().map(|a| (a, false)));
            }
        }
        match done.remove(&root.id()) {
            Some(Decoded::Term(term)) => Ok(term),
            _ => Err(unsupported("a row of a map", root)),
        }
    }

    /// The term must have the sort that Z3 says.
    fn same_sort(&self, ast: &Ast, term: Term) -> Result<(), Failure> {
        let sort = self
            .session
            .encode_sort(self.maps, self.session.terms().sort(term))?;
        if sort.id() == ast.sort()?.id() {
            Ok(())
        } else {
            Err(Failure::UnexpectedOutput(format!(
                "an expression of another sort: {}",
                shortened(ast)
            )))
        }
    }

    fn node(&self, ast: &Ast, args: &[Decoded]) -> Result<Decoded, Failure> {
        match ast.shape() {
            Shape::Numeral => return self.numeral(ast).map(Decoded::Term),
            Shape::Bound(index) => {
                return match self.bound.get(index as usize) {
                    Some(&term) => Ok(Decoded::Term(term)),
                    None => Err(unsupported("a bound variable", ast)),
                };
            }
            Shape::App => {}
            Shape::Forall | Shape::Exists | Shape::Lambda | Shape::Other => {
                return Err(unsupported("a quantifier", ast));
            }
        }
        let decl = ast.decl()?;
        if let Some((_, meaning)) = self.session.symbols.borrow().meanings.get(&decl.id()) {
            let args = plain(args).ok_or_else(|| unsupported("a row of a map", ast))?;
            return match meaning {
                Meaning::Variable(term) if args.is_empty() => Ok(Decoded::Term(*term)),
                Meaning::Function(function) if function.params.len() == args.len() => {
                    let terms = self.session.terms();
                    if args
                        .iter()
                        .zip(&function.params)
                        .all(|(arg, sort)| terms.sort(*arg) == sort)
                    {
                        Ok(Decoded::Term(terms.apply(function, &args)))
                    } else {
                        Err(unsupported("an ill-sorted application", ast))
                    }
                }
                _ => Err(unsupported("a symbol", ast)),
            };
        }
        if let Some(term) = self.float(ast)? {
            return Ok(Decoded::Term(term));
        }
        let kind = decl.kind();
        if let Some(mode) = rounding(kind) {
            return Ok(Decoded::Term(self.session.terms().rounding(mode)));
        }
        if kind == DeclKind::Select as u32 {
            return self.select(ast, args);
        }
        if kind == DeclKind::Store as u32 {
            return self.store(ast, args);
        }
        let args = plain(args).ok_or_else(|| unsupported("a row of a map", ast))?;
        if let Some(term) = self.of_datatype(ast, &decl, &args)? {
            return Ok(Decoded::Term(term));
        }
        let build = Builder {
            terms: self.session.terms(),
            args: &args,
        };
        let built = match build.logic(kind) {
            None => match build.arithmetic(kind) {
                None => match build.bits(kind, &decl) {
                    None if kind == DeclKind::ConstArray as u32 && args.len() == 1 => {
                        Some(self.const_map(ast, args[0])?)
                    }
                    None => {
                        let sort = self.sort_of(ast).unwrap_or(Sort::Bool);
                        decoded(self.session.terms(), kind, &args, &sort)
                    }
                    other => other,
                },
                other => other,
            },
            other => other,
        };
        built
            .map(Decoded::Term)
            .ok_or_else(|| unsupported(&format!("the operator `{}`", decl.name()), ast))
    }

    /// A value made by a constructor, a field of one, or by which constructor it is made.
    fn of_datatype(
        &self,
        ast: &Ast,
        decl: &raw::Decl,
        args: &[Term],
    ) -> Result<Option<Term>, Failure> {
        let terms = self.session.terms();
        if ast.sort()?.kind() == SortKind::Datatype as u32
            && let Sort::Datatype(datatype) = self.sort_of(ast)?
        {
            let sort = Sort::Datatype(datatype.clone());
            let made = self.session.encode_sort(self.maps, &sort)?;
            for (number, constructor) in (0..).zip(datatype.constructors()) {
                let sorts = args.iter().map(|&arg| terms.sort(arg).clone());
                if made.constructor(number)?.id() == decl.id() && constructor.sorts().eq(sorts) {
                    return Ok(Some(terms.construct(&sort, number, args)));
                }
            }
        }
        let &[value] = args else { return Ok(None) };
        let Sort::Datatype(datatype) = terms.sort(value) else {
            return Ok(None);
        };
        let made = self.session.encode_sort(self.maps, terms.sort(value))?;
        // `(_ is C)` has the constructor for its index.
        let asked = (decl.name() == "is").then(|| decl.as_array_function());
        let asked = asked.and_then(|constructor| constructor.ok());
        for (number, constructor) in (0..).zip(datatype.constructors()) {
            let is_asked = |asked: &raw::Decl| {
                let own = made.constructor(number);
                own.is_ok_and(|own| own.id() == asked.id())
            };
            if asked.as_ref().is_some_and(is_asked) || made.tester(number)?.id() == decl.id() {
                return Ok(Some(terms.is(value, number)));
            }
            for (field, _) in (0..).zip(constructor.sorts()) {
                if made.accessor(number, field)?.id() == decl.id() {
                    return Ok(Some(terms.field(value, number, field)));
                }
            }
        }
        Ok(None)
    }

    /// A floating-point literal.
    fn float(&self, ast: &Ast) -> Result<Option<Term>, Failure> {
        let Ok((exponent, significand)) = ast.sort()?.float_format() else {
            return Ok(None);
        };
        let Some(format) = Format::new(exponent, significand) else {
            return Ok(None);
        };
        Ok(float(ast, format)?.map(|value| self.session.terms().float(&value)))
    }

    fn numeral(&self, ast: &Ast) -> Result<Term, Failure> {
        let terms = self.session.terms();
        let wrong = || unsupported("a numeral", ast);
        if let Some(term) = self.float(ast)? {
            return Ok(term);
        }
        if let Some(mode) = rounding(ast.decl()?.kind()) {
            return Ok(terms.rounding(mode));
        }
        let digits = ast.digits().ok_or_else(wrong)?;
        let kind = ast.sort()?.kind();
        if kind == SortKind::Int as u32 {
            let value = BigInt::from_str(&digits).map_err(|_| wrong())?;
            Ok(terms.int(value))
        } else if kind == SortKind::Real as u32 {
            let value = BigRational::from_str(&digits).map_err(|_| wrong())?;
            Ok(terms.real(value))
        } else if kind == SortKind::Bv as u32 {
            let Sort::BitVec(width) = self.sort_of(ast)? else {
                return Err(wrong());
            };
            let value = BigUint::from_str(&digits).map_err(|_| wrong())?;
            Ok(terms.bitvec(value, width))
        } else {
            Err(wrong())
        }
    }

    /// The only sort that was translated to the expression's one.
    fn sort_of(&self, ast: &Ast) -> Result<Sort, Failure> {
        let sort = ast.sort()?;
        if sort.kind() == SortKind::Bv as u32 {
            return Ok(Sort::BitVec(sort.width()?));
        }
        if let Ok((exponent, significand)) = sort.float_format() {
            return Ok(Sort::Float(exponent, significand));
        }
        let symbols = self.session.symbols.borrow();
        match symbols.sort_meanings[self.maps as usize]
            .get(&sort.id())
            .map(Vec::as_slice)
        {
            Some([sort]) => Ok(sort.clone()),
            _ => Err(unsupported("an expression whose sort is not clear", ast)),
        }
    }

    fn const_map(&self, ast: &Ast, value: Term) -> Result<Term, Failure> {
        let sort = self.sort_of(ast)?;
        let terms = self.session.terms();
        match &sort {
            Sort::Map(map)
                if map.range == *terms.sort(value)
                    && (self.maps == Maps::Direct || map.domain.len() == 1) =>
            {
                Ok(terms.const_map(sort, value))
            }
            _ => Err(unsupported("a constant map", ast)),
        }
    }

    fn map_sort(&self, map: Term) -> Option<&'t MapSort> {
        match self.session.terms().sort(map) {
            Sort::Map(sort) => Some(sort),
            _ => None,
        }
    }

    fn select(&self, ast: &Ast, args: &[Decoded]) -> Result<Decoded, Failure> {
        let wrong = || unsupported("a selection", ast);
        let (array, new) = args.split_first().ok_or_else(wrong)?;
        let new = plain(new).ok_or_else(wrong)?;
        let (map, mut indices) = match array {
            Decoded::Term(map) => (*map, Vec::new()),
            Decoded::Row { map, indices } => (*map, indices.clone()),
            Decoded::StoredRow { .. } => return Err(wrong()),
        };
        indices.extend(new);
        let sort = self.map_sort(map).ok_or_else(wrong)?;
        self.check_indices(&indices, sort).ok_or_else(wrong)?;
        if indices.len() < sort.domain.len() {
            return Ok(Decoded::Row { map, indices });
        }
        Ok(Decoded::Term(self.session.terms().select(map, &indices)))
    }

    fn store(&self, ast: &Ast, args: &[Decoded]) -> Result<Decoded, Failure> {
        let wrong = || unsupported("a store", ast);
        let terms = self.session.terms();
        let (value, rest) = args.split_last().ok_or_else(wrong)?;
        let (array, new) = rest.split_first().ok_or_else(wrong)?;
        let new = plain(new).ok_or_else(wrong)?;
        let (map, known) = match array {
            Decoded::Term(map) => (*map, Vec::new()),
            Decoded::Row { map, indices } => (*map, indices.clone()),
            Decoded::StoredRow { .. } => return Err(wrong()),
        };
        let sort = self.map_sort(map).ok_or_else(wrong)?;
        // The indices at and below this row, and the element put there.
        let (below, value) = match value {
            Decoded::Term(value) => (new, *value),
            Decoded::StoredRow {
                map: inner,
                indices,
                missing,
                value,
            } => {
                // The row that is changed must be the one that is put back.
                let here: Vec<Term> = known.iter().chain(&new).copied().collect();
                if *inner != map || *indices != here {
                    return Err(wrong());
                }
                (new.iter().chain(missing).copied().collect(), *value)
            }
            Decoded::Row { .. } => return Err(wrong()),
        };
        let all: Vec<Term> = known.iter().chain(&below).copied().collect();
        self.check_indices(&all, sort).ok_or_else(wrong)?;
        if all.len() != sort.domain.len() || *terms.sort(value) != sort.range {
            return Err(wrong());
        }
        if known.is_empty() {
            return Ok(Decoded::Term(terms.store(map, &all, value)));
        }
        Ok(Decoded::StoredRow {
            map,
            indices: known,
            missing: below,
            value,
        })
    }

    /// The indices so far fit the map.
    fn check_indices(&self, indices: &[Term], sort: &MapSort) -> Option<()> {
        let terms = self.session.terms();
        (indices.len() <= sort.domain.len()
            && indices
                .iter()
                .zip(&sort.domain)
                .all(|(index, sort)| terms.sort(*index) == sort))
        .then_some(())
    }
}

fn plain(args: &[Decoded]) -> Option<Vec<Term>> {
    args.iter()
        .map(|arg| match arg {
            Decoded::Term(term) => Some(*term),
            _ => None,
        })
        .collect()
}

fn shortened(ast: &Ast) -> String {
    let text = ast.to_string();
    if text.chars().count() > 200 {
        text.chars().take(200).collect::<String>() + "..."
    } else {
        text
    }
}

fn unsupported(what: &str, ast: &Ast) -> Failure {
    Failure::Unsupported(format!(
        "{what} in an answer of the solver: {}",
        shortened(ast)
    ))
}

/// Builds one term, if the operator is known and the arguments fit it.
struct Builder<'a> {
    terms: &'a Terms,
    args: &'a [Term],
}

impl Builder<'_> {
    fn all(&self, sort: &Sort) -> Option<()> {
        self.args
            .iter()
            .all(|t| self.terms.sort(*t) == sort)
            .then_some(())
    }

    /// One or more arguments of one arithmetic sort.
    fn numbers(&self) -> Option<()> {
        let first = self.terms.sort(*self.args.first()?);
        if first.is_arithmetic() {
            self.all(first)
        } else {
            None
        }
    }

    fn one(&self) -> Option<Term> {
        match self.args {
            [a] => Some(*a),
            _ => None,
        }
    }

    fn two(&self) -> Option<(Term, Term)> {
        match self.args {
            [a, b] => Some((*a, *b)),
            _ => None,
        }
    }

    fn logic(&self, kind: u32) -> Option<Term> {
        let t = self.terms;
        let is = |k: DeclKind| kind == k as u32;
        if is(DeclKind::True) {
            Some(t.tt())
        } else if is(DeclKind::False) {
            Some(t.ff())
        } else if is(DeclKind::Eq) {
            let (a, b) = self.two()?;
            (t.sort(a) == t.sort(b)).then(|| t.eq(a, b))
        } else if is(DeclKind::Distinct) {
            self.all(t.sort(*self.args.first()?))?;
            Some(t.distinct(self.args))
        } else if is(DeclKind::Ite) {
            let [c, a, b] = *self.args else { return None };
            (*t.sort(c) == Sort::Bool && t.sort(a) == t.sort(b)).then(|| t.ite(c, a, b))
        } else if is(DeclKind::And) {
            self.all(&Sort::Bool)?;
            Some(t.and(self.args.iter().copied()))
        } else if is(DeclKind::Or) {
            self.all(&Sort::Bool)?;
            Some(t.or(self.args.iter().copied()))
        } else if is(DeclKind::Not) {
            self.all(&Sort::Bool)?;
            Some(t.not(self.one()?))
        } else if is(DeclKind::Implies) {
            self.all(&Sort::Bool)?;
            let (a, b) = self.two()?;
            Some(t.implies(a, b))
        } else if is(DeclKind::Iff) {
            self.all(&Sort::Bool)?;
            let (a, b) = self.two()?;
            Some(t.eq(a, b))
        } else if is(DeclKind::Xor) {
            self.all(&Sort::Bool)?;
            let (a, b) = self.two()?;
            Some(t.neq(a, b))
        } else {
            None
        }
    }

    fn arithmetic(&self, kind: u32) -> Option<Term> {
        let t = self.terms;
        let is = |k: DeclKind| kind == k as u32;
        // Terms do not say what division by zero is.
        let nonzero = |b: Term| t.as_number(b).is_none_or(|n| !n.is_zero());
        if is(DeclKind::Add) {
            self.numbers()?;
            Some(t.add(self.args))
        } else if is(DeclKind::Mul) {
            self.numbers()?;
            Some(t.mul(self.args))
        } else if is(DeclKind::Sub) {
            self.numbers()?;
            let (first, rest) = self.args.split_first()?;
            let mut summands = vec![*first];
            summands.extend(rest.iter().map(|&b| t.neg(b)));
            Some(t.add(&summands))
        } else if is(DeclKind::Uminus) {
            self.numbers()?;
            Some(t.neg(self.one()?))
        } else if is(DeclKind::Le) || is(DeclKind::Ge) || is(DeclKind::Lt) || is(DeclKind::Gt) {
            self.numbers()?;
            let (a, b) = self.two()?;
            Some(if is(DeclKind::Le) {
                t.le(a, b)
            } else if is(DeclKind::Ge) {
                t.ge(a, b)
            } else if is(DeclKind::Lt) {
                t.lt(a, b)
            } else {
                t.gt(a, b)
            })
        } else if is(DeclKind::Idiv) || is(DeclKind::Mod) || is(DeclKind::Rem) {
            self.all(&Sort::Int)?;
            let (a, b) = self.two().filter(|&(_, b)| nonzero(b))?;
            Some(if is(DeclKind::Idiv) {
                t.div(a, b)
            } else if is(DeclKind::Mod) {
                t.modulo(a, b)
            } else {
                // Z3's rem has the sign of the divisor.
                let rest = t.modulo(a, b);
                t.ite(t.lt(b, t.int(0)), t.neg(rest), rest)
            })
        } else if is(DeclKind::Div) {
            self.all(&Sort::Real)?;
            let (a, b) = self.two().filter(|&(_, b)| nonzero(b))?;
            Some(t.real_div(a, b))
        } else if is(DeclKind::ToReal) {
            self.all(&Sort::Int)?;
            Some(t.to_real(self.one()?))
        } else if is(DeclKind::ToInt) {
            self.all(&Sort::Real)?;
            Some(t.to_int(self.one()?))
        } else if is(DeclKind::IsInt) {
            self.all(&Sort::Real)?;
            let a = self.one()?;
            Some(t.eq(a, t.to_real(t.to_int(a))))
        } else if is(DeclKind::Abs) {
            self.all(&Sort::Int)?;
            let a = self.one()?;
            Some(t.ite(t.lt(a, t.int(0)), t.neg(a), a))
        } else {
            None
        }
    }

    fn width(&self, term: Term) -> Option<u32> {
        match self.terms.sort(term) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    fn bits(&self, kind: u32, decl: &raw::Decl) -> Option<Term> {
        const BINARY: &[(DeclKind, BvOp)] = &[
            (DeclKind::Band, BvOp::And),
            (DeclKind::Bor, BvOp::Or),
            (DeclKind::Bxor, BvOp::Xor),
            (DeclKind::Bnand, BvOp::Nand),
            (DeclKind::Bnor, BvOp::Nor),
            (DeclKind::Bxnor, BvOp::Xnor),
            (DeclKind::Badd, BvOp::Add),
            (DeclKind::Bsub, BvOp::Sub),
            (DeclKind::Bmul, BvOp::Mul),
            (DeclKind::Budiv, BvOp::Udiv),
            (DeclKind::Burem, BvOp::Urem),
            (DeclKind::Bsdiv, BvOp::Sdiv),
            (DeclKind::Bsrem, BvOp::Srem),
            (DeclKind::Bsmod, BvOp::Smod),
            // The same with the divisor known not to be zero.
            (DeclKind::BudivI, BvOp::Udiv),
            (DeclKind::BuremI, BvOp::Urem),
            (DeclKind::BsdivI, BvOp::Sdiv),
            (DeclKind::BsremI, BvOp::Srem),
            (DeclKind::BsmodI, BvOp::Smod),
            (DeclKind::Bshl, BvOp::Shl),
            (DeclKind::Blshr, BvOp::Lshr),
            (DeclKind::Bashr, BvOp::Ashr),
            (DeclKind::Ult, BvOp::Ult),
            (DeclKind::Uleq, BvOp::Ule),
            (DeclKind::Slt, BvOp::Slt),
            (DeclKind::Sleq, BvOp::Sle),
        ];
        const SWAPPED: &[(DeclKind, BvOp)] = &[
            (DeclKind::Ugt, BvOp::Ult),
            (DeclKind::Ugeq, BvOp::Ule),
            (DeclKind::Sgt, BvOp::Slt),
            (DeclKind::Sgeq, BvOp::Sle),
        ];
        let t = self.terms;
        let is = |k: DeclKind| kind == k as u32;
        let width = self.width(*self.args.first()?)?;
        if is(DeclKind::Concat) {
            let mut args = self.args.iter();
            let mut result = *args.next()?;
            for &arg in args {
                self.width(arg)?;
                result = t.bv(BvOp::Concat, &[result, arg]);
            }
            return Some(result);
        }
        if is(DeclKind::Extract) {
            let (high, low) = (decl.number(0).ok()?, decl.number(1).ok()?);
            return (low <= high && high < width)
                .then(|| self.one().map(|a| t.extract(a, high + 1, low)))?;
        }
        if is(DeclKind::ZeroExt) {
            return Some(t.zero_extend(self.one()?, decl.number(0).ok()?));
        }
        if is(DeclKind::SignExt) {
            return Some(t.sign_extend(self.one()?, decl.number(0).ok()?));
        }
        if is(DeclKind::Bit2bool) {
            let bit = decl.number(0).ok()?;
            let one = t.bitvec(BigUint::from(1u32), 1);
            return (bit < width)
                .then(|| self.one().map(|a| t.eq(t.extract(a, bit + 1, bit), one)))?;
        }
        if is(DeclKind::Bnot) {
            return Some(t.bv(BvOp::Not, &[self.one()?]));
        }
        if is(DeclKind::Bneg) {
            return Some(t.bv(BvOp::Neg, &[self.one()?]));
        }
        self.all(&Sort::BitVec(width))?;
        if let Some((_, op)) = BINARY.iter().find(|(k, _)| is(*k)) {
            // Z3 writes some of them with more than two arguments.
            let associative =
                matches!(op, BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul);
            let (&first, rest) = self.args.split_first()?;
            if rest.len() != 1 && !associative {
                return None;
            }
            return Some(
                rest.iter()
                    .fold(first, |left, &arg| t.bv(*op, &[left, arg])),
            );
        }
        if let Some((_, op)) = SWAPPED.iter().find(|(k, _)| is(*k)) {
            let (a, b) = self.two()?;
            return Some(t.bv(*op, &[b, a]));
        }
        if is(DeclKind::Bcomp) {
            let (a, b) = self.two()?;
            let bit = |n: u32| t.bitvec(BigUint::from(n), 1);
            return Some(t.ite(t.eq(a, b), bit(1), bit(0)));
        }
        None
    }
}
