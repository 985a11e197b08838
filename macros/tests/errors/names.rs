pub fn f() {
    ult_macros::graph! {
        // Comments are no tokens, and neither is this:
        /// a comment in front of a graph
        graph count {
            var x, y: int;
            init start;
            error bad "x is negative";
            start -> counting: next(x) == 0 && z == 1;
            //                                 ^ there is no variable or constant `z`
            counting -> counting: next(x) == x + 1 && next(u) == 0;
            //                                             ^ there is no variable or constant `u`
            counting -> bad: x < 0;
        }
    };
}
