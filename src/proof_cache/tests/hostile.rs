//! Texts that nobody wrote.

use super::*;
use crate::Corrupt;
use ult_core::control::Control;

fn read(text: &str) -> Result<Evidence, Corrupt> {
    let example = example();
    Evidence::read(&example.terms, &example.graph, text, &Control::unlimited())
}

const START: &str = "sort int\nsort bool\nterm 0 now 'n\nterm 0 int 5\n";

#[test]
fn what_does_not_fit_is_refused() {
    for (rest, why) in [
        ("nonsense", "an unknown kind of line"),
        ("", "an unknown kind of line"),
        ("proof 1", "a line that is too long"),
        ("at 1 0", "a part of a proof outside of one"),
        ("proof\nat 9 0", "a location that the program does not have"),
        ("proof\nat 1 7", "the number of a term that is none"),
        ("proof\nat 01 0", "a word that is no number"),
        ("proof\nat +1 0", "a word that is no number"),
        ("proof\nat 1 0 0", "a line that is too long"),
        ("proof\nat 1", "a line that ends too early"),
        ("proof\nat 1 0\nat 1 1", "one thing said twice"),
        ("proof\ninductive 2 0", "a word that is no number"),
        ("proof\nexempt 2\nexempt 2", "one thing said twice"),
        ("term 1 lt 0 1 ", "a word that is no number"),
        ("term 1 lt 0", "an ill-sorted term"),
        ("term 0 lt 0 1", "an ill-sorted term"),
        ("term 1 not 0", "an ill-sorted term"),
        ("term 1 and", "an ill-sorted term"),
        ("term 0 ite 0 0 0", "an ill-sorted term"),
        ("term 1 now 'n", "a variable that the program does not have"),
        ("term 0 now 'k", "a variable that the program does not have"),
        ("term 0 now n", "a word that is no name"),
        ("term 0 now 'n%", "a word that is no name"),
        ("term 0 now '%ff", "a word that is no name"),
        ("term 0 next 'n", "an unknown operator"),
        (
            "term 0 apply 'g 0",
            "a function that the program does not have",
        ),
        ("term 0 apply 'f%20%c3%a9 0 1", "an ill-sorted term"),
        ("term 0 int 1-", "a word that is no number"),
        ("term 0 int --1", "a word that is no number"),
        ("term 0 int ", "a word that is no number"),
        ("sort real\nterm 2 real 1 0", "a division by zero"),
        ("sort bits 4294967295", "a bit-vector that is too wide"),
        ("sort bits 8\nterm 2 bits 1ff", "an ill-sorted term"),
        (
            "sort float 4000000000 8",
            "a floating-point format that is too wide",
        ),
        ("sort map 0", "a map without indices"),
        ("sort map 9 0", "the number of a sort that is none"),
        (
            "sort datatype 'other",
            "a datatype that the program does not have",
        ),
        ("sort type 'other", "a type that the program does not have"),
        (
            "sort map 0 0\nterm 2 const-map 0\nterm 0 select 2",
            "an ill-sorted term",
        ),
        (
            "term 1 builtin 'fp.isNaN)(assert%20false 0 0",
            "a function of the solver that the program does not have",
        ),
        (
            "term 1 builtin 'str.len 0",
            "a function of the solver that the program does not have",
        ),
        ("term 0 extract 4 0 0", "an ill-sorted term"),
        ("term 1 forall 1 0 0 0", "an ill-sorted term"),
        ("term 0 bound 'x\nterm 1 forall 0 0 2", "an ill-sorted term"),
        (
            "term 0 bound 'x\nterm 1 le 2 0\nterm 1 forall 1 2 1 4000000000 3",
            "an ill-sorted term",
        ),
        ("run 1 x\nsteps 9", "an edge that the program does not have"),
        ("run 1 x\nrun 1 x", "two runs to one place"),
        ("run 1 x\nat 1 0", "a part of a proof outside of one"),
        ("steps 1", "a part of a run outside of one"),
        ("proof\nstart 'n int 1", "a part of a run outside of one"),
        ("run 1 x\nstart 'n int", "a line that ends too early"),
        ("run 1 x\nstart 'n int 5 5", "a line that is too long"),
        (
            "run 1 x\nstart 'n float 8 4000000000 0",
            "a floating-point format without values",
        ),
        (
            "run 1 x\nstart 'n float 8 24 ffffffffff",
            "a floating-point number with too many bits",
        ),
        ("run 1 x\nstart 'n rounding 'UP", "an unknown rounding mode"),
        ("run 1 x\nstart 'n map 0 true 0", "a map without indices"),
        (
            "run 1 x\nstart 'n map 1 0 true 18446744073709551615 true",
            "a line that ends too early",
        ),
        ("run 1 x\nstep 1 0 1 5 int 1", "an unknown auxiliary"),
        (
            "run 1 x\nsymbol 'f int 0 99999999999999999999999",
            "a word that is no number",
        ),
    ] {
        let found = read(&format!("{START}{rest}\n"));
        assert_eq!(found.map(|_| ()), Err(Corrupt::new(why)), "{rest}");
    }
}

#[test]
#[ignore = "takes long"]
fn depth_and_growth_have_limits() {
    let nested = "construct 0 'c 1 ".repeat(200_000);
    let found = read(&format!("{START}run 1 x\nstart 'p {nested}true\n"));
    assert_eq!(
        found.map(|_| ()),
        Err(Corrupt::new("a value that is nested too deeply"))
    );
    // Each square has twice the digits of the one before.
    let mut squares = String::from("sort int\nterm 0 int ffffffffffffffff\n");
    for number in 0..60 {
        squares += &format!("term 0 mul {number} {number}\n");
    }
    assert_eq!(
        read(&squares).map(|_| ()),
        Err(Corrupt::new("a term that is too large"))
    );
    // Sums are flattened.
    let mut sums = String::from(
        "sort int\nsort map 0 0\nsort bool\nsort map 0 0 2\nterm 3 now 'm\nterm 2 true\n",
    );
    for number in 0..400usize {
        sums += &format!(
            "term 0 int {number:x}\nterm 0 select 0 {} 1\n",
            3 * number + 2
        );
        match number {
            0 => sums += "term 0 add 3 3\n",
            _ => sums += &format!("term 0 add {} {}\n", 3 * number + 1, 3 * number + 3),
        }
    }
    assert_eq!(
        read(&sums).map(|_| ()),
        Err(Corrupt::new("a term that is too large"))
    );
    assert!(read(&"proof\n".repeat(3_000_000)).is_err());
}

#[test]
fn a_deep_term_is_read_without_recursion() {
    let mut text = START.to_owned();
    for number in 0..200_000 {
        let before = match number {
            0 => 0,
            _ => number + 1,
        };
        text += &format!("term 0 apply 'f%20%c3%a9 {before}\n");
    }
    text += "term 1 lt 200001 1\nproof\nat 1 200002\n";
    let read = read(&text).expect("it is fine");
    assert_eq!(read.proofs.len(), 1);
}

#[test]
fn reading_stops_when_the_run_does() {
    let example = example();
    let control = Control::unlimited();
    control.stop(ult_core::control::Stop::Cancelled);
    let text = "sort int\n".repeat(5000);
    let found = Evidence::read(&example.terms, &example.graph, &text, &control);
    assert_eq!(
        found.map(|_| ()),
        Err(Corrupt::new("there was no time to read it"))
    );
}

/// No byte of a text can be changed so that reading it does anything but read or refuse.
#[test]
fn every_byte_may_be_any_other() {
    let example = example();
    let text = example
        .evidence()
        .write(&example.terms, &example.graph)
        .expect("a text");
    let mut refused = 0;
    for (place, &byte) in text.as_bytes().iter().enumerate() {
        for other in [byte ^ 1, b' ', b'\n', b'9', b'-', b'\''] {
            let mut changed = text.as_bytes().to_vec();
            changed[place] = other;
            let Ok(changed) = String::from_utf8(changed) else {
                continue;
            };
            if Evidence::read(
                &example.terms,
                &example.graph,
                &changed,
                &Control::unlimited(),
            )
            .is_err()
            {
                refused += 1;
            }
        }
    }
    assert!(refused > text.len(), "{refused} of {}", text.len());
}
