//! Loops over bit-vectors.

use ult_core::formula::{Sort, Terms};

use super::block::{Builder, assume, either, maybe, set, when};
use super::{Families, Group, Loop};

pub const FAMILIES: Families = (
    Group::BitVectors,
    &[
        ("counter8", |terms| counter(terms, 8)),
        ("counter16", |terms| counter(terms, 16)),
        ("counter32", |terms| counter(terms, 32)),
        ("seed8", |terms| seed(terms, 8)),
        ("seed32", |terms| seed(terms, 32)),
        ("wrap8", |terms| wrap(terms, 8)),
        ("wrap32", |terms| wrap(terms, 32)),
        ("even32", even),
        ("saturate8", |terms| saturate(terms, 8)),
        ("saturate32", |terms| saturate(terms, 32)),
        ("signed16", signed),
        ("flags8", flags),
        ("one-hot8", one_hot),
    ],
);

/// A counter up to an unknown bound.
fn counter(terms: &Terms, width: u32) -> Loop<'_> {
    let mut b = Builder::new(terms, "counter");
    let [x, n] = b.variables(["x", "n"], Sort::BitVec(width));
    let body = [assume(x.lt(n)), set(x, x + 1)];
    b.into_loop(x.is(0), &body, x.gt(n), x.le(n))
}

/// Figure 1 of the slicing paper: sums wrap around, and stay equal all the same.
fn seed(terms: &Terms, width: u32) -> Loop<'_> {
    let mut b = Builder::new(terms, "seed");
    let [x, y, z, n] = b.variables(["x", "y", "z", "n"], Sort::BitVec(width));
    let body = [
        assume(x.is_not(0)),
        maybe(vec![set(x, x + 1), set(y, y - 1)]),
        maybe(vec![set(y, y + 1), set(z, z - 1)]),
        maybe(vec![set(z, z + 1), set(x, x - 1)]),
    ];
    let error = x.is(0) & n.is_not(y + z);
    b.into_loop(n.is(x) & y.is(0) & z.is(0), &body, error, n.is(x + y + z))
}

/// One counter wraps around at the top, the other one at the bottom.
fn wrap(terms: &Terms, width: u32) -> Loop<'_> {
    let mut b = Builder::new(terms, "wrap");
    let [x, y] = b.variables(["x", "y"], Sort::BitVec(width));
    let body = [
        set(x, x + 3),
        set(y, y - 3),
        maybe(vec![set(x, x - 1), set(y, y + 1)]),
    ];
    b.into_loop(x.is(-5) & y.is(5), &body, (x + y).is_not(0), (x + y).is(0))
}

/// Even steps leave the lowest bit alone, also when they wrap around.
fn even(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "even");
    let [x, y] = b.variables(["x", "y"], Sort::BitVec(32));
    let body = [set(x, x + y), maybe(vec![set(y, y + 2)])];
    b.into_loop(
        x.is(0) & y.is(2),
        &body,
        (x & 1).is(1),
        (x & 1).is(0) & (y & 1).is(0),
    )
}

/// A counter that stays below its bound instead of wrapping around.
fn saturate(terms: &Terms, width: u32) -> Loop<'_> {
    let mut b = Builder::new(terms, "saturate");
    let [x, by] = b.variables(["x", "by"], Sort::BitVec(width));
    let body = [when(x.lt(200), vec![set(x, x + by)], vec![set(x, 200)])];
    b.into_loop(
        x.is(180) & by.is(10),
        &body,
        x.gt(209),
        x.le(209) & by.is(10),
    )
}

/// A signed counter that goes back to the lower end of its range.
fn signed(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "signed");
    let x = b.variable("x", Sort::BitVec(16));
    let body = [when(x.slt(10), vec![set(x, x + 1)], vec![set(x, -10)])];
    let (low, high) = (!x.slt(-10), x.sle(10));
    b.into_loop(x.is(7), &body, !(low & high), low & high)
}

/// Flags in one word: two that go up and down together, one that stays down, others that change.
fn flags(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "flags");
    let word = b.variable("word", Sort::BitVec(8));
    let body = [
        either(vec![set(word, word | 0x81)], vec![set(word, word & 0x7e)]),
        maybe(vec![set(word, word ^ 0x10)]),
        maybe(vec![set(word, word & !0x22)]),
    ];
    let together = (word & 0x81).is(0) | (word & 0x81).is(0x81);
    b.into_loop(
        word.is(0),
        &body,
        !together | (word & 0x20).is_not(0),
        together & (word & 0x20).is(0),
    )
}

/// One bit that goes round.
fn one_hot(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "one-hot");
    let x = b.variable("x", Sort::BitVec(8));
    let body = [either(
        vec![set(x, x.up(1) | x.down(7))],
        vec![set(x, x.down(3) | x.up(5))],
    )];
    let invariant = b.some((0..8).map(|i| x.is(1 << i)));
    b.into_loop(x.is(1), &body, (x & (x - 1)).is_not(0) | x.is(0), invariant)
}
