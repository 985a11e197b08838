//! The table of good and bad proofs, one for each rule and more.

mod bits;

use super::*;

#[test]
fn good_proofs_hold_and_bad_ones_do_not() {
    let table = include_str!("examples.txt");
    let (mut good, mut bad, mut wrong) = (0, 0, Vec::new());
    for part in table.split("\n# ").skip(1) {
        let (title, rest) = part.split_once('\n').expect("a title");
        let Some((_, rest)) = rest.split_once("question\n") else {
            continue;
        };
        let (question, rest) = rest.split_once("proof\n").expect("a proof");
        let (proof, _) = rest.split_once("end").expect("an end");
        let is_good = title.starts_with("good");
        let said = check(question, proof);
        *(if is_good { &mut good } else { &mut bad }) += 1;
        if said.is_ok() != is_good {
            wrong.push(format!("{title}: {said:?}\n{question}{proof}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(good >= 12 && bad >= 18, "{good} good, {bad} bad");
}
