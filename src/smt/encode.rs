//! From terms to Z3's expressions.
//!
//! Names are made so that two symbols never share one: a prefix tells the kind (`c|x` current,
//! `n|x` next, `a|3|x` auxiliary, `s|2|x` at a position, `q|2|3|x` auxiliary at a position,
//! `b|7|x` bound, `f|g` rigid symbol). None can be mistaken for the `a!1` that Z3's printer makes
//! up for shared sub-expressions.
//!
//! Maps with several indices become Z3's arrays with several indices where questions are asked,
//! and arrays of arrays for Horn clauses: see [`Maps`].

use std::sync::Arc;

use super::answer::Failure;
use super::raw::{self, Ast};
use super::session::{Meaning, Session};
use ult_core::formula::{BinderKind, BvOp, FieldSort, Function, Op, Sort, Term, Var, Version};

/// How maps with several indices are translated.
///
/// Z3's own arrays with several indices give models that are one table with one default, while
/// in arrays of arrays every row has its own default, which no [`ult_core::formula::MapValue`] can
/// say. But Spacer answers `unknown` to the former.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maps {
    /// As arrays with several indices.
    Direct,
    /// As arrays of arrays.
    Curried,
}

/// The name of a variable for solvers.
pub(super) fn variable_name(var: &Var) -> String {
    let name = &var.name;
    match var.version {
        Version::Current => format!("c|{name}"),
        Version::Next => format!("n|{name}"),
        Version::Aux(number) => format!("a|{number}|{name}"),
        Version::At(step) => format!("s|{step}|{name}"),
        Version::AuxAt(step, number) => format!("q|{step}|{number}|{name}"),
        Version::Bound(number) => format!("b|{number}|{name}"),
    }
}

impl Session<'_> {
    /// The Z3 expression for a term.
    pub(super) fn encode(&self, root: Term) -> Result<Ast, Failure> {
        self.encode_with(Maps::Direct, root)
    }

    /// The Z3 expression for a term, with a choice for maps.
    pub(super) fn encode_with(&self, maps: Maps, root: Term) -> Result<Ast, Failure> {
        let cache = &self.translated[maps as usize];
        if let Some(ast) = cache.borrow().get(&root) {
            return Ok(ast.clone());
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if cache.borrow().contains_key(&term) {
                continue;
            }
            let args = self.terms().args(term);
            if ready {
                let args: Vec<Ast> = {
                    let translated = cache.borrow();
                    args.iter().map(|t| translated[t].clone()).collect()
                };
                let ast = self.encode_node(maps, term, &args)?;
                cache.borrow_mut().insert(term, ast);
            } else {
                stack.push((term, true));
                let translated = cache.borrow();
                stack.extend(
                    args.iter()
                        .rev()
                        .filter(|t| !translated.contains_key(t))
                        .map(|&t| (t, false)),
                );
            }
        }
        Ok(cache.borrow()[&root].clone())
    }

    /// The Z3 sort for a sort.
    pub(super) fn encode_sort(&self, maps: Maps, sort: &Sort) -> Result<raw::Sort, Failure> {
        if let Some(known) = self.symbols.borrow().sorts[maps as usize].get(sort) {
            return Ok(known.clone());
        }
        // Sorts nest as deeply as types are written; the stack grows where needed.
        let made = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.make_sort(maps, sort))?;
        self.keep_sort(maps, sort, &made);
        Ok(made)
    }

    fn keep_sort(&self, maps: Maps, sort: &Sort, made: &raw::Sort) {
        let mut symbols = self.symbols.borrow_mut();
        let known = symbols.sorts[maps as usize].insert(sort.clone(), made.clone());
        if known.is_none() {
            let meanings = &mut symbols.sort_meanings[maps as usize];
            meanings.entry(made.id()).or_default().push(sort.clone());
        }
    }

    fn make_sort(&self, maps: Maps, sort: &Sort) -> Result<raw::Sort, Failure> {
        let context = self.context()?;
        Ok(match sort {
            Sort::Bool => context.bool_sort()?,
            Sort::Int => context.int_sort()?,
            Sort::Real => context.real_sort()?,
            Sort::BitVec(0) => {
                return Err(Failure::Unsupported("a bit-vector of width 0".into()));
            }
            Sort::BitVec(width) => context.bitvec_sort(*width)?,
            Sort::Float(exponent, significand) => context.float_sort(*exponent, *significand)?,
            Sort::RoundingMode => context.rounding_mode_sort()?,
            Sort::Seq(element) => context.seq_sort(&self.encode_sort(maps, element)?)?,
            Sort::String => context.string_sort()?,
            Sort::RegEx => context.re_sort(&context.string_sort()?)?,
            Sort::Uninterpreted(name) => context.uninterpreted_sort(&format!("t|{name}"))?,
            Sort::Datatype(datatype) => {
                // The two ways to translate maps make two datatypes.
                let prefix = match maps {
                    Maps::Direct => "d",
                    Maps::Curried => "e",
                };
                let (members, number) = datatype.members();
                let mut family = Vec::with_capacity(members.len());
                for member in members {
                    let mut constructors = Vec::with_capacity(member.constructors.len());
                    for constructor in &member.constructors {
                        let name = format!("{prefix}|{}|{}", member.name, constructor.name);
                        let mut fields = Vec::with_capacity(constructor.fields.len());
                        for (field, sort) in &constructor.fields {
                            let sort = match sort {
                                FieldSort::Sort(sort) => Ok(self.encode_sort(maps, sort)?),
                                FieldSort::Member(number) => Err(*number),
                            };
                            fields.push((format!("{name}|{field}"), sort));
                        }
                        constructors.push((name.clone(), format!("{name}?"), fields));
                    }
                    family.push((format!("{prefix}|{}", member.name), constructors));
                }
                let made = context.datatype_sorts(&family)?;
                for (sort, made) in datatype.family_sorts().zip(&made) {
                    self.keep_sort(maps, &sort, made);
                }
                let made = made.into_iter().nth(number as usize);
                made.ok_or_else(|| Failure::Unsupported("a datatype of no family".into()))?
            }
            Sort::Map(map) => {
                let mut range = self.encode_sort(maps, &map.range)?;
                let domain = map.domain.iter().map(|sort| self.encode_sort(maps, sort));
                let domain: Vec<raw::Sort> = domain.collect::<Result<_, Failure>>()?;
                match maps {
                    Maps::Direct => context.array_sort(&domain, &range)?,
                    Maps::Curried => {
                        for index in domain.iter().rev() {
                            range = context.array_sort(std::slice::from_ref(index), &range)?;
                        }
                        range
                    }
                }
            }
        })
    }

    /// Declares a symbol; the same declaration must not stand for two of them.
    fn declare(
        &self,
        maps: Maps,
        name: &str,
        params: &[Sort],
        result: &Sort,
        meaning: Meaning,
    ) -> Result<raw::Decl, Failure> {
        let params: Result<Vec<raw::Sort>, Failure> = params
            .iter()
            .map(|sort| self.encode_sort(maps, sort))
            .collect();
        let decl = self
            .context()?
            .declare(name, &params?, &self.encode_sort(maps, result)?)?;
        let mut symbols = self.symbols.borrow_mut();
        let (_, known) = symbols
            .meanings
            .entry(decl.id())
            .or_insert_with(|| (decl.clone(), meaning.clone()));
        if *known != meaning {
            return Err(Failure::Unsupported(format!("two symbols named `{name}`")));
        }
        Ok(decl)
    }

    /// The Z3 declaration of a rigid symbol.
    pub(super) fn encode_function(
        &self,
        maps: Maps,
        function: &Arc<Function>,
    ) -> Result<raw::Decl, Failure> {
        if let Some(decl) = self.symbols.borrow().functions[maps as usize].get(function) {
            return Ok(decl.clone());
        }
        let decl = self.declare(
            maps,
            &format!("f|{}", function.name),
            &function.params,
            &function.result,
            Meaning::Function(function.clone()),
        )?;
        self.symbols.borrow_mut().functions[maps as usize].insert(function.clone(), decl.clone());
        Ok(decl)
    }

    fn encode_node(&self, maps: Maps, term: Term, args: &[Ast]) -> Result<Ast, Failure> {
        let terms = self.terms();
        let node = terms.node(term);
        let context = self.context()?;
        let wrong = || Failure::Unsupported(format!("an ill-formed term: {:?}", node.op));
        let arg = |i: usize| args.get(i).ok_or_else(wrong);
        Ok(match &node.op {
            Op::Bool(true) => context.tt()?,
            Op::Bool(false) => context.ff()?,
            Op::Int(value) => {
                context.numeral(&value.to_string(), &self.encode_sort(maps, &Sort::Int)?)?
            }
            Op::Real(value) => context.numeral(
                &format!("{}/{}", value.numer(), value.denom()),
                &self.encode_sort(maps, &Sort::Real)?,
            )?,
            Op::BitVec(value) => {
                context.numeral(&value.to_string(), &self.encode_sort(maps, &node.sort)?)?
            }
            Op::Var(var) => {
                let name = variable_name(var);
                let decl = self.declare(maps, &name, &[], &node.sort, Meaning::Variable(term))?;
                let symbol = context.apply(&decl, &[])?;
                self.note_symbol(&name, &node.sort, &symbol)?;
                symbol
            }
            Op::Apply(function) => {
                let decl = self.encode_function(maps, function)?;
                let application = context.apply(&decl, args)?;
                if args.is_empty() {
                    let name = format!("f|{}", function.name);
                    self.note_symbol(&name, &node.sort, &application)?;
                }
                application
            }
            Op::Builtin(builtin) => match self.encode_sequence(maps, builtin, args)? {
                Some(ast) => ast,
                None => self.encode_builtin(maps, builtin, args)?,
            },
            Op::Not => context.not(arg(0)?)?,
            Op::And => context.and(args)?,
            Op::Or => context.or(args)?,
            Op::Ite => context.ite(arg(0)?, arg(1)?, arg(2)?)?,
            Op::Eq => context.eq(arg(0)?, arg(1)?)?,
            Op::Distinct => context.distinct(args)?,
            Op::Add => context.add(args)?,
            Op::Mul => context.mul(args)?,
            Op::Div | Op::RealDiv => context.div(arg(0)?, arg(1)?)?,
            Op::Mod => context.modulo(arg(0)?, arg(1)?)?,
            Op::Le => context.le(arg(0)?, arg(1)?)?,
            Op::Lt => context.lt(arg(0)?, arg(1)?)?,
            Op::ToReal => context.int_to_real(arg(0)?)?,
            Op::ToInt => context.real_to_int(arg(0)?)?,
            Op::Bv(op) => encode_bv(context, *op, args).ok_or_else(wrong)??,
            Op::Extract { high, low } => {
                let highest = high.checked_sub(1).ok_or_else(wrong)?;
                context.extract(highest, *low, arg(0)?)?
            }
            Op::ZeroExtend(by) => context.zero_extend(*by, arg(0)?)?,
            Op::SignExtend(by) => context.sign_extend(*by, arg(0)?)?,
            Op::Select => {
                let (map, indices) = args.split_first().ok_or_else(wrong)?;
                match maps {
                    Maps::Direct => context.select(map, indices)?,
                    Maps::Curried => {
                        let mut result = map.clone();
                        for index in indices {
                            result = context.select(&result, std::slice::from_ref(index))?;
                        }
                        result
                    }
                }
            }
            Op::Store => {
                let (value, rest) = args.split_last().ok_or_else(wrong)?;
                let (map, indices) = rest.split_first().ok_or_else(wrong)?;
                if maps == Maps::Direct {
                    return Ok(context.store(map, indices, value)?);
                }
                // m[i, j := v] is m[i := m[i][j := v]].
                let mut rows = vec![map.clone()];
                for index in indices.iter().take(indices.len().saturating_sub(1)) {
                    let row = context.select(&rows[rows.len() - 1], std::slice::from_ref(index))?;
                    rows.push(row);
                }
                let mut result = value.clone();
                for (row, index) in rows.iter().zip(indices).rev() {
                    result = context.store(row, std::slice::from_ref(index), &result)?;
                }
                result
            }
            Op::ConstMap => {
                let Sort::Map(sort) = &node.sort else {
                    return Err(wrong());
                };
                // So that the way back knows which sort is meant.
                self.encode_sort(maps, &node.sort)?;
                let domain = sort.domain.iter().map(|sort| self.encode_sort(maps, sort));
                let domain: Vec<raw::Sort> = domain.collect::<Result<_, Failure>>()?;
                if maps == Maps::Direct && domain.len() > 1 {
                    // The names are free in no other expression, so nothing is captured.
                    let bound = domain.iter().enumerate().map(|(i, sort)| {
                        let decl = context.declare(&format!("i|{i}"), &[], sort)?;
                        context.apply(&decl, &[])
                    });
                    let bound: Vec<Ast> = bound.collect::<raw::Result<_>>()?;
                    return Ok(context.lambda(&bound, arg(0)?)?);
                }
                let mut result = arg(0)?.clone();
                for index in domain.iter().rev() {
                    result = context.const_array(index, &result)?;
                }
                result
            }
            Op::Construct(constructor) => {
                let sort = self.encode_sort(maps, &node.sort)?;
                context.apply(&sort.constructor(*constructor)?, args)?
            }
            Op::Field { constructor, field } => {
                let sort = arg(0)?.sort()?;
                context.apply(&sort.accessor(*constructor, *field)?, args)?
            }
            Op::Is(constructor) => {
                let sort = arg(0)?.sort()?;
                context.apply(&sort.tester(*constructor)?, args)?
            }
            Op::Bind(binder) => {
                let bound: Result<Vec<Ast>, Failure> = binder
                    .vars
                    .iter()
                    .map(|&var| self.encode_with(maps, var))
                    .collect();
                let bound = bound?;
                let body = arg(0)?;
                let mut patterns = Vec::new();
                let mut rest = args.get(1..).unwrap_or_default();
                for &length in &binder.patterns {
                    let (pattern, after) = rest.split_at_checked(length).ok_or_else(wrong)?;
                    patterns.push(context.pattern(pattern)?);
                    rest = after;
                }
                match binder.kind {
                    BinderKind::Forall => context.quantify(true, &bound, &patterns, body)?,
                    BinderKind::Exists => context.quantify(false, &bound, &patterns, body)?,
                    BinderKind::Lambda if maps == Maps::Direct => context.lambda(&bound, body)?,
                    BinderKind::Lambda => {
                        let mut result = body.clone();
                        for var in bound.iter().rev() {
                            result = context.lambda(std::slice::from_ref(var), &result)?;
                        }
                        result
                    }
                }
            }
        })
    }
}

/// A bit-vector operator; `None` for a wrong number of arguments.
fn encode_bv(context: &raw::Context, op: BvOp, args: &[Ast]) -> Option<raw::Result<Ast>> {
    if op == BvOp::Concat {
        let (first, rest) = args.split_first()?;
        let mut result = Ok(first.clone());
        for arg in rest {
            result = result.and_then(|left| context.concat(&left, arg));
        }
        return Some(result);
    }
    Some(match (op, args) {
        (BvOp::Not, [a]) => context.bvnot(a),
        (BvOp::Neg, [a]) => context.bvneg(a),
        (BvOp::And, [a, b]) => context.bvand(a, b),
        (BvOp::Or, [a, b]) => context.bvor(a, b),
        (BvOp::Xor, [a, b]) => context.bvxor(a, b),
        (BvOp::Nand, [a, b]) => context.bvnand(a, b),
        (BvOp::Nor, [a, b]) => context.bvnor(a, b),
        (BvOp::Xnor, [a, b]) => context.bvxnor(a, b),
        (BvOp::Add, [a, b]) => context.bvadd(a, b),
        (BvOp::Sub, [a, b]) => context.bvsub(a, b),
        (BvOp::Mul, [a, b]) => context.bvmul(a, b),
        (BvOp::Udiv, [a, b]) => context.bvudiv(a, b),
        (BvOp::Urem, [a, b]) => context.bvurem(a, b),
        (BvOp::Sdiv, [a, b]) => context.bvsdiv(a, b),
        (BvOp::Srem, [a, b]) => context.bvsrem(a, b),
        (BvOp::Smod, [a, b]) => context.bvsmod(a, b),
        (BvOp::Shl, [a, b]) => context.bvshl(a, b),
        (BvOp::Lshr, [a, b]) => context.bvlshr(a, b),
        (BvOp::Ashr, [a, b]) => context.bvashr(a, b),
        (BvOp::Ult, [a, b]) => context.bvult(a, b),
        (BvOp::Ule, [a, b]) => context.bvule(a, b),
        (BvOp::Slt, [a, b]) => context.bvslt(a, b),
        (BvOp::Sle, [a, b]) => context.bvsle(a, b),
        _ => return None,
    })
}
