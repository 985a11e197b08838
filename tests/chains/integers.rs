//! Loops over integers.

use ult_core::formula::{Sort, Terms};

use super::block::{Builder, E, Stmt, assume, either, havoc, maybe, set, when};
use super::{Families, Group, Loop};

pub const FAMILIES: Families = (
    Group::Integers,
    &[
        ("seed", seed),
        ("bound", bound),
        ("sum2", sum2),
        ("linear", linear),
        ("ineq", ineq),
        ("two-phase", two_phase),
        ("nested", nested),
        ("mod", modulo),
        ("parity", parity),
        ("jain", jain),
        ("divide", divide),
        ("locks10", locks),
        ("machine30", machine),
    ],
);

/// Figure 1 of the slicing paper: each branch moves one unit from one variable to another.
fn seed(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "seed");
    let [x, y, z, n] = b.variables(["x", "y", "z", "n"], Sort::Int);
    let body = [
        assume(x.is_not(0)),
        maybe(vec![set(x, x + 1), set(y, y - 1)]),
        maybe(vec![set(y, y + 1), set(z, z - 1)]),
        maybe(vec![set(z, z + 1), set(x, x - 1)]),
    ];
    let error = x.is(0) & n.is_not(y + z);
    b.into_loop(n.is(x) & y.is(0) & z.is(0), &body, error, n.is(x + y + z))
}

/// A counter up to a bound that is not known.
fn bound(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "bound");
    let [x, n] = b.variables(["x", "n"], Sort::Int);
    let body = [assume(x.lt(n)), set(x, x + 1)];
    b.into_loop(x.is(0) & n.ge(0), &body, x.gt(n), x.le(n))
}

/// Two sums that grow with one counter.
fn sum2(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "sum2");
    let [i, n] = b.variables(["i", "n"], Sort::Int);
    let [p, q, r, s] = b.variables(["p", "q", "r", "s"], Sort::Int);
    let body = [
        assume(i.lt(n)),
        either(vec![set(p, p + 1)], vec![set(q, q + 1)]),
        either(vec![set(r, r + 2)], vec![set(r, r + 1), set(s, s + 1)]),
        set(i, i + 1),
    ];
    let init = b.all([i, p, q, r, s].map(|v| v.is(0))) & n.ge(0);
    let error = i.ge(n) & ((p + q).is_not(n) | (r + s).is_not(n + n));
    let invariant = (p + q).is(i) & (r + s).is(i + i) & i.le(n);
    b.into_loop(init, &body, error, invariant)
}

/// Equalities with several variables and coefficients.
fn linear(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "linear");
    let [p, q, r, s, t] = b.variables(["p", "q", "r", "s", "t"], Sort::Int);
    let body = [either(
        vec![set(p, p + 1), set(q, q + 2), set(t, t + 1)],
        vec![set(r, r + 3), set(s, s - 1), set(t, t - 1)],
    )];
    let init = p.is(0) & q.is(0) & r.is(s * -3) & t.is(s);
    let error = (q + r + t).is_not(p * 3 - s * 2);
    let invariant = q.is(p * 2) & r.is(s * -3) & t.is(p + s);
    b.into_loop(init, &body, error, invariant)
}

/// Two phases at constants: unrollings are infeasible for lack of length, and the interpolants of
/// a bad choice grow with it.
fn ineq(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "ineq");
    let [x, y] = b.variables(["x", "y"], Sort::Int);
    let body = [
        assume(x.lt(100)),
        set(x, x + 1),
        when(x.gt(50), vec![set(y, y + 1)], vec![]),
    ];
    let invariant = x.le(100) & (x.le(50) & y.is(50) | x.gt(50) & y.is(x));
    b.into_loop(
        x.is(0) & y.is(50),
        &body,
        x.ge(100) & y.is_not(100),
        invariant,
    )
}

/// Two phases whose border and end are not known.
fn two_phase(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "two-phase");
    let [x, y, m, n] = b.variables(["x", "y", "m", "n"], Sort::Int);
    let body = [
        assume(x.lt(n)),
        set(x, x + 1),
        when(x.gt(m), vec![set(y, y + 1)], vec![]),
    ];
    let init = x.is(0) & y.is(m) & m.ge(0) & m.lt(n);
    let invariant = m.lt(n) & x.le(n) & (x.le(m) & y.is(m) | x.gt(m) & y.is(x));
    b.into_loop(init, &body, x.ge(n) & y.is_not(n), invariant)
}

/// Conditions within conditions.
fn nested(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "nested");
    let [x, y, z] = b.variables(["x", "y", "z"], Sort::Int);
    let body = [when(
        x.lt(y),
        vec![either(
            vec![set(x, x + 1)],
            vec![when(x.is(0), vec![set(z, z + 2)], vec![set(x, y)])],
        )],
        vec![when(
            y.lt(z),
            vec![set(y, y + 1), maybe(vec![set(x, x - 3)])],
            vec![set(z, z + 1)],
        )],
    )];
    let ordered = x.le(y) & y.le(z);
    b.into_loop(ordered, &body, x.gt(z), ordered)
}

/// Remainders by constants.
fn modulo(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "mod");
    let [x, y] = b.variables(["x", "y"], Sort::Int);
    let body = [
        either(vec![set(x, x + 2)], vec![set(x, x + 4)]),
        maybe(vec![set(y, (y + x) % 6)]),
    ];
    b.into_loop(
        x.is(0) & y.is(0),
        &body,
        (y % 2).is(1),
        (x % 2).is(0) & (y % 2).is(0),
    )
}

/// Even steps, and the question whether the sum is the double of something and one.
fn parity(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "parity");
    let [x, y] = b.variables(["x", "y"], Sort::Int);
    let body = [either(
        vec![set(x, x + 2)],
        vec![set(x, x + 1), set(y, y + 1)],
    )];
    let half = b.any("half", Sort::Int);
    b.into_loop(
        x.is(0) & y.is(0),
        &body,
        (x + y).is(half * 2 + 1),
        ((x + y) % 2).is(0),
    )
}

/// Steps by unknown even numbers.
fn jain(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "jain");
    let [x, y] = b.variables(["x", "y"], Sort::Int);
    let (u, v) = (b.any("u", Sort::Int), b.any("v", Sort::Int));
    let body = [set(x, x + u * 4), set(y, y + v * 2)];
    b.into_loop(x.is(0) & y.is(2), &body, (x + y).is(1), ((x + y) % 2).is(0))
}

/// Division by repeated subtraction.
fn divide(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "divide");
    let [n, q, r] = b.variables(["n", "q", "r"], Sort::Int);
    let body = [assume(r.ge(3)), set(r, r - 3), set(q, q + 1)];
    b.into_loop(
        n.ge(0) & r.is(n) & q.is(0),
        &body,
        r.lt(3) & q.is_not(n / 3),
        r.ge(0) & n.is(q * 3 + r),
    )
}

/// Ten locks, taken and given back in any order.
fn locks(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "locks10");
    let go_on = b.variable("go_on", Sort::Int);
    let locks: Vec<[E<'_>; 2]> = (0..10)
        .map(|i| {
            let [held, lock] = [format!("held{i}"), format!("lock{i}")];
            b.variables([&held, &lock], Sort::Int)
        })
        .collect();
    let mut body = vec![havoc(go_on), assume(go_on.is_not(0))];
    body.extend(locks.iter().map(|&[held, lock]| {
        maybe(vec![when(
            held.is(0),
            vec![set(lock, 1), set(held, 1)],
            vec![set(lock, 0), set(held, 0)],
        )])
    }));
    let init = b.all(locks.iter().map(|[held, lock]| held.is(0) & lock.is(0)));
    let error = b.some(
        locks
            .iter()
            .map(|[held, lock]| held.is_not(0) & lock.is_not(1)),
    );
    b.into_loop(init, &body, error, !error)
}

/// Thirty states, fifteen flags, two counters. The odd states are critical: the flag of the pair
/// is up there, and one counter is ahead.
fn machine(terms: &Terms) -> Loop<'_> {
    let mut b = Builder::new(terms, "machine30");
    let [state, x, y] = b.variables(["state", "x", "y"], Sort::Int);
    let flags: Vec<E<'_>> = (0..15)
        .map(|i| b.variable(&format!("flag{i}"), Sort::Bool))
        .collect();
    let (up, down) = (b.wrap(terms.tt()), b.wrap(terms.ff()));
    let mut branches: Vec<Vec<Stmt<'_>>> = Vec::new();
    for (i, &flag) in (0i64..).zip(&flags) {
        let (even, odd) = (2 * i, 2 * i + 1);
        branches.push(vec![
            assume(state.is(even)),
            either(
                vec![set(flag, up), set(x, x + 1), set(state, odd)],
                vec![set(state, (even + 14) % 30)],
            ),
        ]);
        branches.push(vec![
            assume(state.is(odd)),
            set(flag, down),
            set(y, y + 1),
            either(
                vec![set(state, (odd + 1) % 30)],
                vec![set(state, (odd + 13) % 30)],
            ),
        ]);
    }
    let body = [Stmt::Choice(branches)];
    let no_flag = |except: usize| {
        b.all(
            flags
                .iter()
                .enumerate()
                .filter(|&(i, _)| i != except)
                .map(|(_, &flag)| !flag),
        )
    };
    let idle = b.some((0..15).map(|i| state.is(2 * i)));
    let quiet = no_flag(flags.len()) & x.is(y);
    let critical = (0i64..)
        .zip(&flags)
        .zip(0..)
        .map(|((i, &flag), number)| state.is(2 * i + 1) & flag & no_flag(number) & x.is(y + 1));
    let init = state.is(0) & quiet;
    let error = idle & !quiet;
    let invariant = b.some(critical.chain([idle & quiet]).collect::<Vec<_>>());
    b.into_loop(init, &body, error, invariant)
}
