pub fn f() {
    ult_macros::graph! {
        graph count {
            var x: int
            //     ^^^ expected `;`
            init start;
            start -> counting: next(x) == 0;
        }
    };
    ult_macros::graph! {
        graph count {
            init start;
            start -> counting: next() == 0;
            //                      ^ `next(x)` is the value of the variable `x` behind the step
        }
    };
    ult_macros::graph! {
        graph count {
            init start;
            start -> -> counting;
            //       ^^ expected
        }
    };
    let _ = ult_macros::graph!();
    //      ^^^^^^^^^^^^^^^^^^^^ there is no graph
    let _ = ult_macros::graph!(const c: int;);
    //      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no graph
}
