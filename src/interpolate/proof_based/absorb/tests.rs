use super::*;
use ult_core::formula::Sort;

#[test]
fn what_another_part_says_is_left_out() {
    let t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.current(name, Sort::Bool));
    let either = t.or2(x, y);
    assert_eq!(and(&t, x, either), x);
    assert_eq!(or(&t, t.and2(z, x), x), x);
    assert_eq!(and(&t, either, t.or([z, y, x])), either);
    assert_eq!(or(&t, either, z), t.or([x, y, z]));
    assert_eq!(and(&t, either, t.or2(x, z)), t.and2(either, t.or2(x, z)));
    assert_eq!(and(&t, x, t.ff()), t.ff());
    assert_eq!(or(&t, x, t.ff()), x);
}
