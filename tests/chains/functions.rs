//! Loops with uninterpreted functions.

use ult_core::formula::{Sort, Terms};

use super::block::{Builder, either, maybe, set, when};
use super::{Families, Group, Loop};

pub const FAMILIES: Families = (
    Group::Functions,
    &[
        ("parallel", parallel),
        ("two-arguments", two_arguments),
        ("predicate", predicate),
        ("accumulate", accumulate),
    ],
);

/// The same function applied to the same element, side by side.
fn parallel(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "parallel");
    let element = Sort::Uninterpreted("element".into());
    let [x, y] = b.variables(["x", "y"], element.clone());
    let f = b.function("f", std::slice::from_ref(&element), element.clone());
    let body = [set(x, b.call(&f, &[x])), set(y, b.call(&f, &[y]))];
    b.into_loop(x.is(y), &body, x.is_not(y), x.is(y))
}

/// A function of two arguments, and copies back and forth.
fn two_arguments(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "two-arguments");
    let [x, y, c, d] = b.variables(["x", "y", "c", "d"], Sort::Int);
    let g = b.function("g", &[Sort::Int, Sort::Int], Sort::Int);
    let body = [
        either(
            vec![set(x, b.call(&g, &[x, c])), set(y, b.call(&g, &[y, d]))],
            vec![set(c, b.call(&g, &[c, x])), set(d, b.call(&g, &[d, y]))],
        ),
        maybe(vec![set(x, y)]),
    ];
    let same = x.is(y) & c.is(d);
    let error = b.call(&g, &[x, d]).is_not(b.call(&g, &[y, c]));
    b.into_loop(same, &body, error, same)
}

/// A condition that is a predicate nothing is known about.
fn predicate(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "predicate");
    let [x, y] = b.variables(["x", "y"], Sort::Int);
    let f = b.function("f", &[Sort::Int], Sort::Int);
    let p = b.function("p", &[Sort::Int], Sort::Bool);
    let step = |v| {
        when(
            b.call(&p, &[v]),
            vec![set(v, b.call(&f, &[v]))],
            vec![set(v, v + 1)],
        )
    };
    let body = [step(x), step(y)];
    b.into_loop(x.is(y), &body, x.is_not(y), x.is(y))
}

/// Values of a function added up in two sums, with two counters at a fixed distance.
fn accumulate(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "accumulate");
    let [i, j, r, s] = b.variables(["i", "j", "r", "s"], Sort::Int);
    let f = b.function("f", &[Sort::Int], Sort::Int);
    let body = [
        set(r, r + b.call(&f, &[i])),
        set(s, s + b.call(&f, &[j - 1])),
        set(i, i + 1),
        set(j, j + 1),
    ];
    let same = j.is(i + 1) & r.is(s);
    b.into_loop(same & i.is(0), &body, r.is_not(s), same)
}
