pub fn f() {
    ult_macros::graph! {
        graph count {
            var x: int;
            var b: bool;
            init start;
            start -> counting: next(x) == b;
            //                         ^^ `==` cannot be applied to `int` and `bool`
            counting -> counting: x + 1;
            //                    ^^^^^ expected `bool`, found `int`
        }
    };
}
