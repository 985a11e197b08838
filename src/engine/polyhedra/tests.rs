//! What polyhedra say of small graphs; that it is inductive is what the checker proves.

use super::*;
use crate::samples::{Build, excluded};
use ult_core::formula::{Sort, Term};
use ult_core::graph::LocationId;

/// The formula at a location, and the error locations that are excluded and confirmed.
fn decide(build: &Build<'_>, at: LocationId) -> (String, Vec<String>) {
    let claim = claim(build.t, &build.graph, &Control::unlimited()).expect("steps enough");
    excluded(build.t, &build.graph, claim, at)
}

/// `i := 0; assume 0 <= n; while (i < n) { i := i + 1; } assert i <= n; assert i == n; assert i < n;`
#[test]
fn a_counter_stays_below_its_bound() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["i", "n"]);
    let (start, head, exit) = (b.graph.initial, b.location("head"), b.location("exit"));
    let errors = [b.error("above"), b.error("other"), b.error("same")];
    let (i, n, zero) = (b.x("i"), b.x("n"), t.int(0));
    b.edge(start, head, t.and([t.eq(b.next("i"), zero), t.le(zero, n)]));
    let step = t.eq(b.next("i"), t.add(&[i, t.int(1)]));
    b.edge(head, head, t.and([t.lt(i, n), step]));
    b.edge(head, exit, t.ge(i, n));
    for (error, wrong) in errors
        .into_iter()
        .zip([t.gt(i, n), t.neq(i, n), t.ge(i, n)])
    {
        b.edge(exit, error, wrong);
    }
    let (formula, excluded) = decide(&b, head);
    assert_eq!(formula, "0 <= i && 0 <= n && i <= n");
    assert_eq!(excluded, ["above", "other"]);
}

/// `x := 0; y := 0; while (*) { x := x + 1; y := y + 4; } assert y == 4 * x;`
#[test]
fn what_grows_together_stays_in_proportion() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["x", "y"]);
    let (start, head, bad) = (b.graph.initial, b.location("head"), b.error("bad"));
    let (x, y, zero) = (b.x("x"), b.x("y"), t.int(0));
    let both = |to_x: Term, to_y: Term| {
        t.and([
            t.eq(t.next("x", Sort::Int), to_x),
            t.eq(t.next("y", Sort::Int), to_y),
        ])
    };
    b.edge(start, head, both(zero, zero));
    b.edge(
        head,
        head,
        both(t.add(&[x, t.int(1)]), t.add(&[y, t.int(4)])),
    );
    b.edge(head, bad, t.neq(y, t.mul(&[t.int(4), x])));
    assert_eq!(decide(&b, head).1, ["bad"]);
}

/// The size of an object is a cell of a map: `size[p] := 4 * n; q := p; for (i := 0; i < n; i++) assert 4 * i + 4 <= size[q];`, and
/// another object comes in between.
#[test]
fn cells_of_maps_are_variables() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["p", "q", "r", "i", "n"]);
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    b.graph.variables.insert("size".into(), sort.clone());
    let names = ["a", "b", "c", "head", "body", "next"];
    let [a, second, c, head, body, next] = names.map(|name| b.location(name));
    let (start, bad) = (b.graph.initial, b.error("bad"));
    let (size, later) = (t.current("size", sort.clone()), t.next("size", sort));
    let (p, q, r, i, n) = (b.x("p"), b.x("q"), b.x("r"), b.x("i"), b.x("n"));
    let (one, four) = (t.int(1), t.int(4));
    b.edge(start, a, t.and([t.lt(p, r), t.le(t.int(0), n)]));
    b.edge(
        a,
        second,
        t.eq(later, t.store(size, &[p], t.mul(&[four, n]))),
    );
    b.edge(second, c, t.eq(b.next("q"), p));
    b.edge(
        c,
        head,
        t.and([
            t.eq(b.next("i"), t.int(0)),
            t.eq(later, t.store(size, &[r], one)),
        ]),
    );
    b.edge(head, body, t.lt(i, n));
    let end = t.add(&[t.mul(&[four, i]), four]);
    b.edge(body, bad, t.gt(end, t.select(size, &[q])));
    b.edge(body, next, t.tt());
    b.edge(next, head, t.eq(b.next("i"), t.add(&[i, one])));
    assert_eq!(decide(&b, head).1, ["bad"]);
}

/// The index is a number, or one of two variables: `size[1] := n; size[p] := n; q := if p == 7 then 1 else p; assert i < size[q];`
/// for `i < n`.
#[test]
fn an_index_may_be_a_number_or_depend_on_a_condition() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["p", "q", "i", "n"]);
    let sort = Sort::map(vec![Sort::Int], Sort::Int);
    b.graph.variables.insert("size".into(), sort.clone());
    let (start, bad, other) = (b.graph.initial, b.error("bad"), b.error("other"));
    let (second, last) = (b.location("second"), b.location("last"));
    let (size, later) = (t.current("size", sort.clone()), t.next("size", sort));
    let (p, i, n) = (b.x("p"), b.x("i"), b.x("n"));
    let both = t.store(t.store(size, &[t.int(1)], n), &[p], n);
    b.edge(start, second, t.and([t.lt(i, n), t.eq(later, both)]));
    let chosen = t.ite(t.eq(p, t.int(7)), t.int(1), p);
    b.edge(second, last, t.eq(b.next("q"), chosen));
    let found = t.select(size, &[b.x("q")]);
    b.edge(last, bad, t.le(found, i));
    b.edge(last, other, t.le(found, t.add(&[i, t.int(1)])));
    assert_eq!(decide(&b, start).1, ["bad"]);
}

/// `b[9] := 0; i := 0; while (i < 9) { b[i] := *; i := i + 1; } n := 0; while (b[n] != 0) { n := n + 1; assert n <= 9; assert n < 9; }`,
/// where the value is read in the condition, or gets there by copies and at an index that is a sum.
#[test]
fn a_string_ends_at_its_zero() {
    for by_copies in [false, true] {
        let t = &Terms::new();
        let mut b = Build::new(t, &["any", "i", "n", "read", "copy"]);
        let sort = Sort::map(vec![Sort::Int], Sort::Int);
        b.graph.variables.insert("b".into(), sort.clone());
        let names = ["fill", "full", "look", "known", "test", "next"];
        let [fill, full, look, known, test, next] = names.map(|name| b.location(name));
        let (start, beyond, last) = (b.graph.initial, b.error("beyond"), b.error("last"));
        let (map, later) = (t.current("b", sort.clone()), t.next("b", sort));
        let (i, n, zero, nine) = (b.x("i"), b.x("n"), t.int(0), t.int(9));
        let one_more = |x: Term| t.add(&[x, t.int(1)]);
        let ended = t.eq(later, t.store(map, &[nine], zero));
        b.edge(start, fill, t.and([ended, t.eq(b.next("i"), zero)]));
        let filled = t.eq(later, t.store(map, &[i], b.x("any")));
        let step = t.eq(b.next("i"), one_more(i));
        b.edge(fill, fill, t.and([t.lt(i, nine), filled, step]));
        b.edge(fill, full, t.ge(i, nine));
        b.edge(full, look, t.eq(b.next("n"), zero));
        let value = match by_copies {
            true => {
                let place = t.sub(one_more(n), t.int(1));
                b.edge(look, known, t.eq(b.next("read"), t.select(map, &[place])));
                b.edge(known, test, t.eq(b.next("copy"), b.x("read")));
                b.x("copy")
            }
            false => {
                b.edge(look, test, t.tt());
                t.select(map, &[n])
            }
        };
        b.edge(
            test,
            next,
            t.and([t.neq(value, zero), t.eq(b.next("n"), one_more(n))]),
        );
        b.edge(next, beyond, t.gt(n, nine));
        b.edge(next, last, t.ge(n, nine));
        b.edge(next, look, t.tt());
        let (formula, excluded) = decide(&b, look);
        assert_eq!(excluded, ["beyond"], "{by_copies} {formula}");
        assert!(formula.contains("exists zero"), "{formula}");
    }
}

/// An assignment that depends on a condition, and one of a remainder that is no change.
#[test]
fn choices_are_followed_both_ways() {
    let t = &Terms::new();
    let mut b = Build::new(t, &["a", "b", "most", "rest"]);
    let (start, middle, end) = (b.graph.initial, b.location("middle"), b.location("end"));
    let (less, other) = (b.error("less"), b.error("other"));
    let (x, y) = (b.x("a"), b.x("b"));
    let most = t.ite(t.lt(x, y), y, x);
    b.edge(
        start,
        middle,
        t.and([
            t.eq(b.next("most"), most),
            t.le(t.int(0), x),
            t.lt(x, t.int(9)),
        ]),
    );
    b.edge(middle, end, t.eq(b.next("rest"), t.modulo(x, t.int(10))));
    b.edge(
        end,
        less,
        t.or([t.lt(b.x("most"), x), t.lt(b.x("most"), y)]),
    );
    b.edge(end, other, t.neq(b.x("rest"), x));
    assert_eq!(decide(&b, start).1, ["less", "other"]);
}

/// More variables than a polyhedron may relate: nothing is lost but the relation.
#[test]
fn what_is_too_large_is_given_up() {
    let t = &Terms::new();
    let names: Vec<String> = (0..=limits::RELATED).map(|n| format!("x{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut b = Build::new(t, &names);
    let (start, head) = (b.graph.initial, b.location("head"));
    let (related, single) = (b.error("related"), b.error("single"));
    let all: Vec<Term> = names.iter().map(|name| b.x(name)).collect();
    let sum = t.add(&all);
    let nonnegative = all.iter().map(|x| t.le(t.int(0), *x));
    let most = t.and([t.le(sum, t.int(100)), t.le(all[0], t.int(7))]);
    b.edge(start, head, t.and(nonnegative.chain([most])));
    b.edge(head, head, t.tt());
    b.edge(head, related, t.gt(sum, t.int(100)));
    b.edge(head, single, t.gt(all[0], t.int(7)));
    assert_eq!(decide(&b, head).1, ["single"]);
}

/// `w := false everywhere; for (i := 0; i < n; i++) w[q + 4 * i] := true; for (j := 0; j < n; j++) { assert w[p]; assert w[p + 2]; }`
/// where `q` is 0 and `p` is `q + 4 * j`; the map is one of several, chosen by `r`, or alone.
#[test]
fn an_array_is_written_up_to_where_a_loop_has_come() {
    for is_row in [false, true] {
        let t = &Terms::new();
        let mut b = Build::new(t, &["p", "q", "r", "i", "j", "n"]);
        let plain = Sort::map(vec![Sort::Int], Sort::Bool);
        let sort = if is_row {
            Sort::map(vec![Sort::Int], plain.clone())
        } else {
            plain.clone()
        };
        b.graph.variables.insert("w".into(), sort.clone());
        let (w, later) = (t.current("w", sort.clone()), t.next("w", sort.clone()));
        let [p, q, r, i, j, n] = ["p", "q", "r", "i", "j", "n"].map(|name| b.x(name));
        let [fill, second, read] = ["fill", "second", "read"].map(|name| b.location(name));
        let errors = [b.error("bad"), b.error("between"), b.error("after")];
        let (start, four) = (b.graph.initial, t.int(4));
        let row = |map: Term| if is_row { t.select(map, &[r]) } else { map };
        let nowhere = t.const_map(plain, t.ff());
        let nowhere = if is_row {
            t.const_map(sort, nowhere)
        } else {
            nowhere
        };
        let reset = |counter: &str| t.eq(t.next(counter, Sort::Int), t.int(0));
        let counted = |counter: &str| {
            let (old, new) = (t.current(counter, Sort::Int), t.next(counter, Sort::Int));
            t.eq(new, t.add(&[old, t.int(1)]))
        };
        b.edge(
            start,
            fill,
            t.and([t.eq(later, nowhere), reset("i"), reset("q")]),
        );
        let longer = t.store(row(w), &[t.add(&[q, t.mul(&[four, i])])], t.tt());
        let longer = if is_row {
            t.store(w, &[r], longer)
        } else {
            longer
        };
        b.edge(
            fill,
            fill,
            t.and([t.lt(i, n), t.eq(later, longer), counted("i")]),
        );
        b.edge(fill, second, t.and([t.le(n, i), reset("j")]));
        let moved = t.eq(b.next("p"), t.add(&[q, t.mul(&[four, j])]));
        b.edge(second, read, t.and([t.lt(j, n), moved]));
        for (error, off) in errors.into_iter().zip([0, 2, 4]) {
            let found = t.select(row(w), &[t.add(&[p, t.int(off)])]);
            b.edge(read, error, t.not(found));
        }
        b.edge(read, second, counted("j"));
        let (formula, excluded) = decide(&b, second);
        assert_eq!(excluded, ["bad"], "{formula}");
    }
}
