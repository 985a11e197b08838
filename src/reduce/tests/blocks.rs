//! Large-block encoding: expected graphs, and sizes.

use super::{Builder, show};
use crate::formula::Terms;
use crate::graph::ProgramGraph;
use crate::reduce::{Blocks, ReduceOptions, reduce};

fn large(terms: &Terms, graph: &ProgramGraph) -> ProgramGraph {
    let blocks = Blocks::Large;
    reduce(
        terms,
        graph,
        &ReduceOptions {
            blocks,
            ..ReduceOptions::default()
        },
    )
    .graph
}

/// The program of Figure 1 of the paper, statement by statement.
fn figure_1(terms: &Terms) -> ProgramGraph {
    let mut b = Builder::ints(terms, &["x", "y", "z", "n"]);
    let (x, y, z, n) = (b.var("x"), b.var("y"), b.var("z"), b.var("n"));
    let zero = terms.int(0);
    b.assume(
        "start",
        "loop",
        terms.and([terms.eq(n, x), terms.eq(y, zero), terms.eq(z, zero)]),
    );
    let (more, less) = (
        |b: &Builder, v| b.plus(v, 1),
        |b: &Builder, v| b.plus(v, -1),
    );
    b.assume("loop", "4", terms.neq(x, zero));
    for (here, then, up, down) in [(4, 7, "x", "y"), (7, 10, "y", "z"), (10, 13, "z", "x")] {
        let names = [here, here + 1, here + 2, then].map(|i| i.to_string());
        b.skip(&names[0], &names[3]);
        b.skip(&names[0], &names[1]);
        b.assign(&names[1], &names[2], up, more(&b, up));
        b.assign(&names[2], &names[3], down, less(&b, down));
    }
    b.skip("13", "loop");
    b.assume("loop", "14", terms.eq(x, zero));
    b.assume("14", "error", terms.neq(n, terms.add(&[y, z])));
    b.assume("14", "end", terms.eq(n, terms.add(&[y, z])));
    b.graph
}

#[test]
fn figure_1_becomes_figure_3() {
    let terms = Terms::new();
    let graph = large(&terms, &figure_1(&terms));
    assert_eq!(graph.graph.node_count(), 3);
    let expected = "\
start -> loop: x == n && y == 0 && z == 0 changes {}
loop -> loop: x != 0 \
&& ((x == x~1 && y == y~2) || (x + 1 == x~1 && y - 1 == y~2)) \
&& ((y' == y~2 && z == z~3) || (y' == y~2 + 1 && z - 1 == z~3)) \
&& ((x' == x~1 && z' == z~3) || (x' == x~1 - 1 && z' == z~3 + 1)) changes {x, y, z}
loop -> error: x == 0 && n != y + z changes {}";
    assert_eq!(show(&terms, &graph), expected);
}
