//! Step `poly`: two numbers that are the same polynomial.
//!
//! Sound: in a product, a sum is taken apart by the distributive law, and a product by the associative one; numbers are multiplied. None of that
//! changes the value of the difference of the two sides. If nothing is left of it, the sides are equal.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use crate::term::{Graph, Id, Op};

/// No more products than this are taken apart.
const MOST_PRODUCTS: usize = 2000;

/// Checks that an equation has the same polynomial on both sides.
pub(crate) fn check(graph: &Graph, equation: Id) -> Result<(), String> {
    let node = graph.node(equation);
    let (Op::Eq, &[left, right]) = (&node.op, &node.args[..]) else {
        return Err(format!("term {equation} is no equation"));
    };
    if !graph.sort(left).is_arithmetic() {
        return Err(format!("term {equation} is no equation of numbers"));
    }
    // Products, the highest term first, by their factors.
    let mut open: BTreeMap<Vec<Id>, BigRational> = BTreeMap::new();
    *open.entry(vec![left]).or_default() += BigRational::one();
    *open.entry(vec![right]).or_default() -= BigRational::one();
    let mut left_over: BTreeMap<Vec<Id>, BigRational> = BTreeMap::new();
    for _ in 0..MOST_PRODUCTS {
        let Some((product, factor)) = open.pop_last() else {
            return match left_over.values().all(BigRational::is_zero) {
                true => Ok(()),
                false => Err("the sides are different polynomials".into()),
            };
        };
        let is_compound = |&&id: &&Id| {
            let op = &graph.node(id).op;
            matches!(op, Op::Add | Op::Mul | Op::ToReal | Op::Number(_))
        };
        let Some(&id) = product.iter().find(is_compound) else {
            *left_over.entry(product).or_default() += factor;
            continue;
        };
        let at = product.iter().position(|&other| other == id).unwrap_or(0);
        let args = &graph.node(id).args;
        let mut add = |args: &[Id], factor: BigRational| {
            let mut product = product.clone();
            product.splice(at..=at, args.iter().copied());
            product.sort_unstable_by(|a, b| b.cmp(a));
            *open.entry(product).or_default() += factor;
        };
        match &graph.node(id).op {
            Op::Number(value) => add(&[], factor * value),
            Op::Add => args.iter().for_each(|&arg| add(&[arg], factor.clone())),
            _ => add(args, factor),
        }
    }
    Err("too many products".into())
}
