//! A question of a certificate as formulas, for a solver.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use ult_core::formula::{BinderKind, BvOp, Function, MapSort, Sort, Term, Terms, Version};

/// The assertions of a question. None if it has something for which there are no formulas, such as the bits of a word.
pub(super) fn assertions(terms: &Terms, question: &str) -> Option<Vec<Term>> {
    let (mut known, mut assertions) = (Vec::new(), Vec::new());
    for line in question.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("assert ") {
            Some(number) => assertions.push(*known.get(number.parse::<usize>().ok()?)?),
            None => known.push(term(terms, &known, line)?),
        }
    }
    Some(assertions)
}

fn term(terms: &Terms, known: &[Term], line: &str) -> Option<Term> {
    let mut words = line.split(' ');
    let number: usize = words.next()?.parse().ok()?;
    let word = words.next()?;
    let (sort, op) = (read_sort(word)?, words.next()?);
    let name = |words: &mut std::str::Split<'_, char>| words.next().map(str::to_owned);
    if matches!(op, "var" | "opaque") {
        return Some(terms.var(format!("v{number}"), Version::Current, sort));
    }
    let value = match op {
        "int" | "real" | "bits" | "apply" | "extract" | "zero_extend" | "sign_extend" => {
            name(&mut words)?
        }
        _ => String::new(),
    };
    let low = if op == "extract" {
        name(&mut words)?
    } else {
        String::new()
    };
    let args = words.map(|word| known.get(word.parse::<usize>().ok()?).copied());
    let args = args.collect::<Option<Vec<Term>>>()?;
    let first = || args.first().copied();
    Some(match (op, &args[..]) {
        ("true" | "false", []) => terms.bool(op == "true"),
        ("int", []) => terms.int(value.parse::<BigInt>().ok()?),
        ("real", []) => terms.real(value.parse::<BigRational>().ok()?),
        ("bits", []) => match sort {
            Sort::BitVec(width) => terms.bitvec(value.parse().ok()?, width),
            _ => return None,
        },
        ("not", &[a]) => terms.not(a),
        ("and", args) => terms.and(args.iter().copied()),
        ("or", args) => terms.or(args.iter().copied()),
        ("ite", &[c, a, b]) => terms.ite(c, a, b),
        ("=", &[a, b]) => terms.eq(a, b),
        ("+", args) => terms.add(args),
        ("*", args) => terms.mul(args),
        ("/", &[a, b]) => terms.real_div(a, b),
        ("div", &[a, b]) => terms.div(a, b),
        ("mod", &[a, b]) => terms.modulo(a, b),
        ("<=", &[a, b]) => terms.le(a, b),
        ("<", &[a, b]) => terms.lt(a, b),
        ("to_real", &[a]) => terms.to_real(a),
        ("to_int", &[a]) => terms.to_int(a),
        ("select", [map, indices @ ..]) => terms.select(*map, indices),
        ("store", [map, indices @ .., value]) => terms.store(*map, indices, *value),
        ("const", &[value]) => terms.const_map(sort, value),
        ("extract", &[a]) => terms.extract(a, value.parse::<u32>().ok()? + 1, low.parse().ok()?),
        ("zero_extend", &[a]) => terms.zero_extend(a, value.parse().ok()?),
        ("sign_extend", &[a]) => terms.sign_extend(a, value.parse().ok()?),
        ("forall" | "exists", [body, vars @ ..]) => {
            let kind = match op {
                "forall" => BinderKind::Forall,
                _ => BinderKind::Exists,
            };
            let mut map = HashMap::new();
            for &var in vars {
                let version = Version::Bound(terms.fresh_number());
                let new = terms.var("b", version, terms.sort(var).clone());
                map.insert(var, new);
            }
            let new: Vec<Term> = vars.iter().map(|var| map[var]).collect();
            terms.bind(kind, &new, terms.substitute(*body, &map), &[])
        }
        ("apply", args) => {
            let params: Vec<Sort> = args.iter().map(|&arg| terms.sort(arg).clone()).collect();
            // The same function only where name and sorts are the same.
            let name = format!("f {value} {params:?} {sort:?}");
            let result = sort;
            let name = name.into();
            terms.apply(
                &Arc::new(Function {
                    name,
                    params,
                    result,
                }),
                args,
            )
        }
        _ => {
            let op = word_operator(op)?;
            first()?;
            terms.bv(op, &args)
        }
    })
}

fn word_operator(op: &str) -> Option<BvOp> {
    let named = |op: &&BvOp, word: &str| ult_core::formula::print::bv_name(**op) == word;
    let all = BvOp::FUNCTIONS.iter().chain(&BvOp::COMPARISONS);
    let mut all = all.chain(&[BvOp::Concat]);
    all.find(|known| named(known, op)).copied()
}

/// A sort; those without a meaning are sorts of their own.
fn read_sort(word: &str) -> Option<Sort> {
    Some(match word {
        "Bool" => Sort::Bool,
        "Int" => Sort::Int,
        "Real" => Sort::Real,
        _ => match (word.strip_prefix("Bits."), word.strip_prefix('[')) {
            (Some(width), _) => Sort::BitVec(width.parse().ok()?),
            (_, Some(inner)) => {
                let (mut depth, mut parts, mut start) = (1, Vec::new(), 0);
                let mut end = None;
                for (at, letter) in inner.char_indices() {
                    match letter {
                        '[' => depth += 1,
                        ']' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 || (depth == 1 && letter == ',') {
                        parts.push(read_sort(&inner[start..at])?);
                        start = at + 1;
                    }
                    if depth == 0 {
                        end = Some(at);
                        break;
                    }
                }
                let range = read_sort(&inner[end? + 1..])?;
                Sort::Map(Arc::new(MapSort {
                    domain: parts,
                    range,
                }))
            }
            _ => Sort::Uninterpreted(word.into()),
        },
    })
}
