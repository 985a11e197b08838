pub fn f() {
    let _ = ult_macros::graph!(r#"graph count { var x: int; init start; start -> end: y' == 0; }"#);
    //                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ line 2: there is no variable or constant `y`
    let _ = ult_macros::graph!("graph g { }");
    //                         ^^^^^^^^^^^^^ raw string
}
