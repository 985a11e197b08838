//! Labels as values and computed jumps (gcc, "Labels as Values"), in standard C.
//!
//! ```c
//! void f(int i) {                          void f(int i) { static char AT_a, AT_b;
//!   static void *t[] = { &&a, &&b };         static void *t[] = { ((void *)&AT_a), ((void *)&AT_b) };
//!   goto *t[i];                              { const void *TARGET = (t[i]);
//!                                              if (TARGET == (void *)&AT_a) goto a;
//!                                              if (TARGET == (void *)&AT_b) goto b; UNSUPPORTED(); }
//!   a: …                                     a: …
//!   b: …                                     b: …
//! }                                        }
//! ```
//!
//! The value of a label is the address of a variable that nothing else names: all that programs may do with it is to
//! compare it and to jump there. What gcc allows beyond this, differences of such addresses, is not covered: how far labels
//! lie apart is for the compiler to choose.

use std::fmt::Write as _;

use super::{Expander, is_word};
use crate::functions::UNSUPPORTED;

/// The beginning of the name of the variable whose address is the value of a label.
const AT: &str = "__at_label_";
/// The variable that holds where a computed jump goes.
const TARGET: &str = "__target__";
/// What is told of the rest.
const ELSEWHERE: &str = "a computed jump to no label of its function";

/// How types begin that `&&label` is converted to; others have names that may be those of variables as well.
const TYPES: [&str; 6] = ["void", "const", "unsigned", "signed", "long", "int"];

/// Whether this is the name of a variable whose address is the value of a label.
pub fn is_label_value(variable: &str) -> bool {
    variable.starts_with(AT)
}

impl Expander<'_> {
    /// Expands `&&label` and `goto *…;` in the body of a function.
    pub(super) fn labels(&mut self, open: usize) {
        let Some(close) = self.closing(open) else {
            return;
        };
        // Behind which token `&&` and a name begin.
        let mut addresses = Vec::new();
        let mut jumps = Vec::new();
        let mut at = open + 1;
        while at < close {
            match self.token(at) {
                "&" if self.is_pair(at) => {
                    if self.is_prefix(at) {
                        addresses.push(at);
                    }
                    // The second half of `a &&&b` begins no other pair.
                    at += 1;
                }
                "goto" if self.token(at + 1) == "*" => jumps.push(at),
                _ => {}
            }
            at += 1;
        }
        let mut names: Vec<String> = Vec::new();
        for at in addresses {
            let name = self.token(at + 2).to_owned();
            let (from, to) = (self.tokens[at].0, self.tokens[at + 2].1);
            let address = format!("((void *)&{AT}{name})");
            self.edits.push((from, to, address));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            let behind = self.tokens[open].1;
            let variables: Vec<String> = names.iter().map(|name| format!("{AT}{name}")).collect();
            let declaration = format!(" static char {};", variables.join(", "));
            self.edits.push((behind, behind, declaration));
        }
        for at in jumps {
            self.jump(at, close, &names);
        }
    }

    /// `goto *…;`
    fn jump(&mut self, at: usize, close: usize, names: &[String]) {
        let mut end = at + 2;
        while end < close && self.token(end) != ";" {
            end = match self.token(end) {
                "(" | "[" | "{" => self.closing(end).unwrap_or(close),
                _ => end,
            } + 1;
        }
        if end >= close {
            return;
        }
        let mut choice = String::from(");");
        for name in names {
            let _ = write!(choice, " if ({TARGET} == (void *)&{AT}{name}) goto {name};");
        }
        let _ = write!(choice, " {UNSUPPORTED}(\"{ELSEWHERE}\"); }}");
        let head = (self.tokens[at].0, self.tokens[at + 1].1);
        let (from, to) = self.tokens[end];
        self.edits
            .push((head.0, head.1, format!("{{ const void *{TARGET} = (")));
        self.edits.push((from, to, choice));
    }

    /// `&&` and a name.
    fn is_pair(&self, at: usize) -> bool {
        let Some((second, _)) = self.tokens.get(at + 1) else {
            return false;
        };
        self.token(at + 1) == "&" && *second == self.tokens[at].1
    }

    /// Whether `&&` stands before a label rather than between two operands.
    fn is_prefix(&self, at: usize) -> bool {
        let name = self.token(at + 2);
        let is_name = name.bytes().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit());
        if name.is_empty() || !is_name || at == 0 {
            return false;
        }
        let before = self.token(at - 1);
        match before {
            "return" | "sizeof" | "else" | "do" => true,
            ")" => self
                .opening(at - 1)
                .is_some_and(|open| self.is_cast(open, at - 1)),
            "+" | "-" => {
                // Behind `i++` there is an operand.
                at < 2
                    || self.token(at - 2) != before
                    || self.tokens[at - 2].1 != self.tokens[at - 1].0
            }
            // The last one ends a number: `0. && x`.
            "]" | "}" | "." => false,
            _ => !before.bytes().any(is_word) && !before.ends_with(['"', '\'']),
        }
    }

    /// Whether the parentheses are those of a cast. An expression in parentheses does not end with a star; behind the size
    /// of a type there is an operator.
    fn is_cast(&self, open: usize, close: usize) -> bool {
        let is_type = self.token(close - 1) == "*" || TYPES.contains(&self.token(open + 1));
        let size = ["sizeof", "_Alignof", "__alignof__"];
        is_type && open > 0 && !size.contains(&self.token(open - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::expanded;

    #[test]
    fn values_of_labels_are_addresses_and_jumps_compare() {
        assert_eq!(
            expanded("void f(void) { void *t[2] = {&&a, &&b}; goto *t[g(1)]; a: b: ; }"),
            "void f(void) { static char __at_label_a, __at_label_b; \
             void *t[2] = {((void *)&__at_label_a), ((void *)&__at_label_b)}; \
             { const void *__target__ = (t[g(1)]); \
             if (__target__ == (void *)&__at_label_a) goto a; \
             if (__target__ == (void *)&__at_label_b) goto b; \
             __ult_unsupported(\"a computed jump to no label of its function\"); } a: b: ; }"
        );
        for cast in ["(T *)", "(unsigned long)"] {
            let code = format!("int f(void) {{ a: return {cast} &&a != 0; }}");
            assert!(expanded(&code).contains(&format!("{cast} ((void *)&__at_label_a)")));
        }
    }

    #[test]
    fn a_conjunction_is_none() {
        for code in [
            "int f(int a, int b) { return a && b; }",
            "int f(int a, int *b) { return a &&&b; }",
            "int f(int a, int b) { return (a)&&b || x[1]&&b || \"s\"&&b || 'c'&&b || 1 &&b; }",
            "int f(int a, int b) { return a++&&b, a-- && b; }",
            "int f(int a) { return a & &a; }",
            "int f(double a, int b) { return a > 0. && b; }",
            "int f(int b) { return sizeof(int) && b && sizeof (char *)&&b; }",
        ] {
            assert_eq!(expanded(code), code);
        }
    }
}
