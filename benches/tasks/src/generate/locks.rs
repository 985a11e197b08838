//! The lock family of Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, "Software Model Checking via
//! Large-Block Encoding" (FMCAD 2009), Table III: a loop takes some of `n` locks and gives them
//! back. Its loop body has `4^n` paths, and no invariant is needed.

use std::fmt::Write as _;

use super::Program;

/// The program with so many locks.
pub(crate) fn program(locks: u32) -> Program {
    let mut text = String::from("//# expect: safe\n");
    let _ = writeln!(
        text,
        "// {locks} locks are taken and given back in a loop: the family of Table III of \"Software Model Checking via\n\
         // Large-Block Encoding\" (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, 2009).\n\
         procedure main()\n{{"
    );
    for i in 1..=locks {
        let _ = writeln!(text, "  var p{i}, lk{i}: int;");
    }
    text += "  while (*) {\n";
    for i in 1..=locks {
        let _ = writeln!(text, "    lk{i} := 0;");
    }
    text += "    // Lock.\n";
    for i in 1..=locks {
        let _ = writeln!(text, "    if (p{i} != 0) {{ lk{i} := 1; }}");
    }
    text += "    // Unlock.\n";
    for i in 1..=locks {
        let _ = writeln!(
            text,
            "    if (p{i} != 0) {{ assert lk{i} == 1; lk{i} := 0; }}"
        );
    }
    text += "  }\n}\n";
    Program {
        name: format!("locks-{locks:02}"),
        text,
        expected: "true",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_lock_is_taken_and_given_back() {
        let program = super::program(3);
        assert_eq!(program.name, "locks-03");
        assert_eq!(program.text.matches("assert lk").count(), 3);
        assert_eq!(program.text.matches("if (p3 != 0)").count(), 2);
    }
}
