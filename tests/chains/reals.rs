//! Loops over reals.

use ult_core::formula::{Sort, Terms};

use super::block::{Builder, assume, either, maybe, set};
use super::{Families, Group, Loop};

pub const FAMILIES: Families = (
    Group::Reals,
    &[
        ("average", average),
        ("thirds", thirds),
        ("strict", strict),
        ("halving", halving),
        ("real-seed", seed),
    ],
);

/// The average of two numbers lies between them.
fn average(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "average");
    let [x, y] = b.variables(["x", "y"], Sort::Real);
    let middle = (x + y) / 2;
    let body = [either(vec![set(x, middle)], vec![set(y, middle)])];
    let within = b.all([x, y].map(|v| v.ge(0) & v.le(1)));
    b.into_loop(within, &body, (x + y).gt(2) | (x + y).lt(0), within)
}

/// A sum of thirds, and how many there are.
fn thirds(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "thirds");
    let [sum, count] = b.variables(["sum", "count"], Sort::Real);
    let body = [
        set(sum, (sum * 3 + 1) / 3),
        set(count, count + 1),
        maybe(vec![set(sum, (sum * 3 + 2) / 3), set(count, count + 2)]),
    ];
    b.into_loop(
        sum.is(0) & count.is(0),
        &body,
        (sum * 3).is_not(count),
        (sum * 3).is(count),
    )
}

/// Two numbers come nearer to each other, and one to zero, without meeting.
fn strict(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "strict");
    let [x, y] = b.variables(["x", "y"], Sort::Real);
    let body = [either(vec![set(y, (x + y) / 2)], vec![set(x, x / 2)])];
    let apart = x.gt(0) & x.lt(y);
    b.into_loop(apart, &body, y.le(0) | x.ge(y), apart)
}

/// Half of one number goes over to the other, again and again.
fn halving(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "halving");
    let [x, y] = b.variables(["x", "y"], Sort::Real);
    let body = [set(y, y + x / 2), set(x, x / 2)];
    b.into_loop(
        x.is(1) & y.is(0),
        &body,
        y.ge(1) | (x + y).is_not(1),
        x.gt(0) & (x + y).is(1),
    )
}

/// The seed program with unknown amounts instead of units.
fn seed(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "real-seed");
    let [x, y, z, n] = b.variables(["x", "y", "z", "n"], Sort::Real);
    let (u, v) = (b.any("u", Sort::Real), b.any("v", Sort::Real));
    let body = [
        assume(x.gt(0) & u.gt(0)),
        maybe(vec![set(x, x + u), set(y, y - u)]),
        maybe(vec![set(y, y + v), set(z, z - v)]),
        maybe(vec![set(z, z + u / 2), set(x, x - u / 2)]),
    ];
    b.into_loop(
        n.is(x) & y.is(0) & z.is(0),
        &body,
        x.le(0) & (y + z).lt(n),
        n.is(x + y + z),
    )
}
