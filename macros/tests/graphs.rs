//! What `ult::graph!` makes is what the same text in a file is.

use ult::control::Control;
use ult::formula::Terms;
use ult::graph::text::{Options, print};
use ult::model::Graphs;
use ult::program::{Conclusion, Settings};

fn conclusion(graphs: &Graphs) -> Conclusion {
    graphs
        .check(&Settings::default(), &Control::unlimited())
        .conclusion()
}

fn printed(graphs: &Graphs) -> String {
    let terms = Terms::new();
    let units = graphs.graphs(&terms);
    let graphs: Vec<_> = units.iter().map(|unit| &unit.graph).collect();
    print(&terms, &graphs, Options::default())
}

#[test]
fn tokens_and_a_string_are_the_same_graph() {
    let tokens = ult::graph! {
        type color;
        const unique red, green: color;
        function twice(n: int): int { n + n }
        graph {:a "b"} lights {
            var m: [int]bool, c: color;
            var v: bv8;
            var r: real;
            init start;
            error bad "a \"bad\" state";
            start -> on.now: next(m) == m[twice(1) := true] && next(c) != red && 1.5e-3 < r;
            /// A comment.
            on.now -> bad { local t: int; t > 3 ==> -t < 0 && v == 255bv8 ++ next(v)[0:0] }
        }
    };
    let string = ult::graph!(
        r#"
        type color;
        const unique red, green: color;
        function twice(n: int): int { n + n }
        graph {:a "b"} lights {
            var m: [int]bool, c: color;
            var v: bv8;
            var r: real;
            init start;
            error bad "a \"bad\" state";
            start -> on.now: m' == m[twice(1) := true] && c' != red && 1.5e-3 < r;
            on.now -> bad { local t: int; t > 3 ==> -t < 0 && v == 255bv8 ++ v'[0:0] }
        }
        "#
    );
    assert!(printed(&tokens).contains("graph lights"));
    assert_eq!(printed(&tokens), printed(&string));
}

#[test]
fn a_macro_may_make_graphs() {
    macro_rules! counter {
        ($name:ident, $limit:literal) => {
            ult::graph! {
                graph $name {
                    var x: int;
                    init start;
                    error bad;
                    start -> loop: next(x) == 0;
                    loop -> loop: x < $limit && next(x) == x + 1;
                    loop -> bad: x > $limit;
                }
            }
        };
    }
    assert_eq!(conclusion(&counter!(ten, 10)), Conclusion::Safe);
}

#[test]
fn places_are_those_of_the_rust_file() {
    let line = line!();
    let graphs = ult::graph! {
        graph count {
            var x: int;
            init start;
            error bad "x is one";
            start -> loop: next(x) == 0;
            loop -> loop: next(x) == x + 1;
            loop -> bad: x == 1;
        }
    };
    assert_eq!(conclusion(&graphs), Conclusion::Unsafe);
    let source = graphs.source();
    let at = u32::try_from(source.text.find("x == 1").unwrap()).unwrap();
    let place = source.place(at);
    assert_eq!((place.line, place.column), (line + 8, 26));
    assert!(source.name.ends_with("graphs.rs"), "{}", source.name);
}
