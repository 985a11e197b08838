//! Loops over maps from integers to integers.

use ult_core::formula::{Sort, Terms};

use super::block::{Builder, assume, either, set};
use super::{Families, Group, Loop};

pub const FAMILIES: Families = (
    Group::Arrays,
    &[
        ("one-place", one_place),
        ("elsewhere", elsewhere),
        ("transfer", transfer),
        ("same-writes", same_writes),
        ("array-init", array_init),
        ("array-copy", array_copy),
    ],
);

fn map() -> Sort {
    Sort::map(vec![Sort::Int], Sort::Int)
}

/// A counter kept in a map, and one beside it.
fn one_place(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "one-place");
    let a = b.variable("a", map());
    let [p, count] = b.variables(["p", "count"], Sort::Int);
    let body = [set(a, a.with(p, a.at(p) + 1)), set(count, count + 1)];
    b.into_loop(
        a.at(p).is(0) & count.is(0),
        &body,
        a.at(p).is_not(count),
        a.at(p).is(count),
    )
}

/// What is written elsewhere changes nothing here.
fn elsewhere(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "elsewhere");
    let a = b.variable("a", map());
    let p = b.variable("p", Sort::Int);
    let (q, value) = (b.any("q", Sort::Int), b.any("value", Sort::Int));
    let body = [assume(q.is_not(p)), set(a, a.with(q, value))];
    b.into_loop(a.at(p).is(1), &body, a.at(p).lt(1), a.at(p).ge(1))
}

/// Two places whose sum stays.
fn transfer(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "transfer");
    let a = b.variable("a", map());
    let [p, q, sum] = b.variables(["p", "q", "sum"], Sort::Int);
    let (left, right) = (a.at(p), a.at(q));
    let body = [either(
        vec![set(a, a.with(p, right).with(q, left))],
        vec![set(a, a.with(p, left + 1).with(q, right - 1))],
    )];
    let same = p.is_not(q) & (left + right).is(sum);
    b.into_loop(same, &body, (left + right).is_not(sum), same)
}

/// Two maps, written alike.
fn same_writes(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "same-writes");
    let [a, c] = b.variables(["a", "c"], map());
    let k = b.variable("k", Sort::Int);
    let (at, value) = (b.any("at", Sort::Int), b.any("value", Sort::Int));
    let body = [set(a, a.with(at, value)), set(c, c.with(at, value))];
    let same = a.at(k).is(c.at(k));
    b.into_loop(same, &body, !same, same)
}

/// A map filled with zeros up to a bound, read at one index below it.
fn array_init(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "array-init");
    let a = b.variable("a", map());
    let [i, k, n] = b.variables(["i", "k", "n"], Sort::Int);
    let body = [assume(i.lt(n)), set(a, a.with(i, 0)), set(i, i + 1)];
    b.into_loop(
        i.is(0) & k.ge(0) & k.lt(n),
        &body,
        i.ge(n) & a.at(k).is_not(0),
        k.ge(0) & k.lt(n) & k.lt(i).implies(a.at(k).is(0)),
    )
}

/// One map copied to another up to a bound, read at one index below it.
fn array_copy(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "array-copy");
    let [a, c] = b.variables(["a", "c"], map());
    let [i, k, n] = b.variables(["i", "k", "n"], Sort::Int);
    let body = [assume(i.lt(n)), set(c, c.with(i, a.at(i))), set(i, i + 1)];
    b.into_loop(
        i.is(0) & k.ge(0) & k.lt(n),
        &body,
        i.ge(n) & a.at(k).is_not(c.at(k)),
        k.ge(0) & k.lt(n) & k.lt(i).implies(a.at(k).is(c.at(k))),
    )
}
