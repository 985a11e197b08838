//! Answers of solvers, read back.

use std::sync::Arc;

use super::*;

/// Some declared symbols.
struct World {
    terms: Terms,
    names: HashMap<String, Named>,
}

impl World {
    fn new() -> World {
        let terms = Terms::new();
        let mut names = HashMap::new();
        let wide = Sort::map(vec![Sort::Int, Sort::Bool], Sort::Real);
        let element = Sort::Uninterpreted("E".into());
        for (name, sort) in [
            ("x", Sort::Int),
            ("y", Sort::Int),
            ("r", Sort::Real),
            ("p", Sort::Bool),
            ("v", Sort::BitVec(8)),
            ("m", Sort::map(vec![Sort::Int], Sort::Int)),
            ("w", wide),
            ("e", element.clone()),
        ] {
            let term = terms.current(name, sort);
            names.insert(name.to_string(), Named::Term(term));
        }
        let f = Function {
            name: "f".into(),
            params: vec![Sort::Real, Sort::Int],
            result: Sort::Int,
        };
        names.insert("f".into(), Named::Function(Arc::new(f)));
        let c = Function {
            name: "c".into(),
            params: vec![],
            result: Sort::Int,
        };
        names.insert("c".into(), Named::Function(Arc::new(c)));
        names.insert("E".into(), Named::Sort(element));
        World { terms, names }
    }

    fn read(&self, text: &str) -> Result<Term, Unsupported> {
        let (exprs, expr) = Exprs::read(text).expect("one expression");
        Reader::new(&self.terms, &self.names, &exprs).formula(expr)
    }

    fn shown(&self, text: &str) -> String {
        match self.read(text) {
            Ok(term) => self.terms.display(term),
            Err(failure) => panic!("{text}: {failure}"),
        }
    }
}

#[test]
fn what_solvers_write() {
    let world = World::new();
    for (text, expected) in [
        ("true", "true"),
        ("(and)", "true"),
        ("(<= |x| (- 1))", "x <= -1"),
        (
            "(<= x (+ (* 2 y) (- 3)) 5)",
            "x <= 2 * y - 3 && 2 * y - 3 <= 5",
        ),
        ("(>= (- x y 1) (* (- 1) c))", "-c <= x - y - 1"),
        // Numerals and integers where a real is asked for.
        ("(< r (/ 1 2))", "r < 0.5"),
        ("(= r (/ (- 2.0) 3))", "r == -2.0 / 3.0"),
        ("(<= (* 2 r) x)", "2.0 * r <= real(x)"),
        ("(= x (f 3 y))", "x == f(3.0, y)"),
        ("(= (ite p 1 r) 1.50)", "(if p then 1.0 else r) == 1.5"),
        ("(= (div x 2) (mod (abs 3) 2))", "x div 2 == 1"),
        ("(= (to_int r) x)", "x == int(r)"),
        ("((_ divisible 3) x)", "x mod 3 == 0"),
        // Names for sub-terms: all of one `let` at once, the innermost is meant.
        (
            "(let ((.cse0 (+ x 1)) (x (+ y 1))) (let ((.cse0 (<= .cse0 x))) (or .cse0 p)))",
            "x + 1 <= y + 1 || p",
        ),
        ("(! (not p) :named a)", "!p"),
        ("(=> p (= x 1) (= x y))", "!p || x != 1 || x == y"),
        ("(xor p (= x 1))", "p != (x == 1)"),
        ("(distinct x y 3)", "x != y && x != 3 && y != 3"),
        (
            "(= (select m x) (select (store m y 1) x))",
            "m[x] == m[y := 1][x]",
        ),
        (
            "(= m ((as const (Array Int Int)) 0))",
            "m == (lambda _i0: int :: 0)",
        ),
        ("(= 1 (select (select w x) p))", "w[x, p] == 1.0"),
        ("(= e e)", "true"),
        ("(bvult v #x0f)", "bvult(v, 15bv8)"),
        ("(= ((_ extract 3 0) v) #b0101)", "v[4:0] == 5bv4"),
        (
            "(bvsge (bvadd v v (_ bv1 8)) (bvneg v))",
            "bvsle(bvneg(v), bvadd(bvadd(v, v), 1bv8))",
        ),
        (
            "(= (bvcomp v #x00) #b1)",
            "(if v == 0bv8 then 1bv1 else 0bv1) == 1bv1",
        ),
    ] {
        assert_eq!(world.shown(text), expected, "{text}");
    }
}

#[test]
fn what_is_refused() {
    let world = World::new();
    for (text, because) in [
        ("z", "the solver's own symbol `z`"),
        ("(= x (@diff m m))", "`@diff`"),
        ("(<= (ubv_to_int v) 4)", "`ubv_to_int`"),
        ("(forall ((i Int)) (<= i x))", "a quantifier"),
        ("(exists ((i Int)) (<= i x))", "a quantifier"),
        ("x", "a formula of another sort"),
        ("(and p x)", "a truth value of another sort"),
        ("(= x p)", "another sort"),
        ("(= x v)", "another sort"),
        ("(<= p p)", "`<=`"),
        ("(<= x)", "`<=`"),
        ("(= (+) 1)", "`+`"),
        ("(p x)", "an application of `p`"),
        ("(f x y)", "a formula of another sort"),
        ("(= x (f x))", "`f` with other arguments"),
        ("(= x (f p x))", "an argument of another sort"),
        ("(= x (f x r))", "an argument of another sort"),
        // Quotients by zero differ among solvers.
        ("(= x (div y 0))", "a division by what is not a number"),
        ("(= x (mod y x))", "a division by what is not a number"),
        ("(= r (/ r 0))", "a division by what is not a number"),
        ("(= (select w x) (select w y))", "a row"),
        ("(= 1 (select m p))", "an index of another sort"),
        ("(= 1 (select x 1))", "no map"),
        ("(= m ((as const (Array Int E)) e))", "another sort"),
        (
            "(= m ((as const (Array Int F)) 0))",
            "a sort that was not declared",
        ),
        ("(= v ((_ extract 8 0) v))", "`(_ extract)`"),
        ("(= v (_ bv3 0))", "an indexed constant"),
        ("(= v (_ bv3 4000000000))", "an indexed constant"),
        ("(bvult v #b01)", "`bvult`"),
        ("(let ((x 1)) (= x y z))", "`z`"),
        ("(let ((a x)) b)", "`b`"),
        ("(let (a) p)", "an ill-formed `let`"),
        ("(let ((a 1)) (a x))", "an application of `a`"),
        ("(and (let ((a p)) a) a)", "`a`"),
        ("()", "`()`"),
        ("(\"and\" p)", "a literal"),
        (
            "((lambda ((i Int)) p) x)",
            "an application of an expression",
        ),
        ("(error \"no\")", "a string"),
    ] {
        match world.read(text) {
            Err(Unsupported(why)) => assert!(why.contains(because), "{text}: {why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn short_texts_for_huge_terms() {
    let world = World::new();
    // Each name stands for twice as much as the one before.
    let doubled = |op: &str, first: &str| {
        let mut text = format!("(let ((a0 {first})) ");
        for i in 1..200 {
            text += &format!("(let ((a{i} ({op} a{} a{}))) ", i - 1, i - 1);
        }
        text + if op == "and" { "a199" } else { "(= a199 a199)" } + &")".repeat(200)
    };
    for (op, first) in [("*", "10"), ("*", "x"), ("concat", "v")] {
        assert!(world.read(&doubled(op, first)).is_err(), "{op} {first}");
    }
    for (op, first) in [("+", "x"), ("and", "p"), ("bvand", "v")] {
        assert!(world.read(&doubled(op, first)).is_ok(), "{op} {first}");
    }
}

#[test]
fn depth_does_not_matter() {
    let world = World::new();
    let text = "(not (and (= x 1) ".repeat(5_000) + "p" + &"))".repeat(5_000);
    assert!(world.read(&text).is_ok());
    let text = "(let ((a p)) ".repeat(10_000) + "a" + &")".repeat(10_000);
    assert_eq!(world.shown(&text), "p");
}
