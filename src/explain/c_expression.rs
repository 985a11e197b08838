//! Formulas as expressions of C, for those who verify C with other tools.
//!
//! Covered are integers: variables of one function, and globals, that the user wrote. Every number is converted to
//! `long long` first, as formulas speak of unbounded integers; what is not covered is left out where that makes the formula
//! weaker.

use std::collections::BTreeSet;
use std::sync::Arc;

use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_lower::unit::LoweredUnit;

use crate::names::users_name;

/// A longer expression is of no use.
const LONGEST: usize = 4000;

/// No formula may be nested deeper.
const DEEPEST: usize = 200;

/// The formula, or a weaker one. `None` if there is nothing to say.
pub(crate) fn print(terms: &Terms, unit: &LoweredUnit, formula: Term) -> Option<Conjunction> {
    let mut printer = Printer {
        terms,
        unit,
        function: None,
        variables: BTreeSet::new(),
    };
    let mut parts = Vec::new();
    let mut open = vec![formula];
    while let Some(part) = open.pop() {
        match terms.op(part) {
            Op::And => open.extend(terms.args(part).iter().rev()),
            Op::Bool(true) => {}
            _ => {
                let before = printer.function.clone();
                let text = printer.boolean(part, 0);
                let variables = std::mem::take(&mut printer.variables);
                match text {
                    Some(text) => parts.push(Part {
                        text,
                        is_choice: *terms.op(part) == Op::Or,
                        variables,
                    }),
                    None => printer.function = before,
                }
            }
        }
    }
    let length: usize = parts.iter().map(|part| part.text.len()).sum();
    (!parts.is_empty() && length <= LONGEST).then(|| Conjunction {
        parts,
        function: users_name(&printer.function.unwrap_or_default()).into(),
    })
}

/// A conjunction of expressions of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunction {
    parts: Vec<Part>,
    /// The function whose variables these are; empty if all are globals.
    pub function: Arc<str>,
}

/// A conjunct.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    text: String,
    /// Whether it is a disjunction: `&&` binds closer than `||`.
    is_choice: bool,
    /// The variables that it speaks of.
    variables: BTreeSet<String>,
}

impl Conjunction {
    /// The conjuncts all of whose variables may be named; `None` if there are none.
    pub fn where_known(&self, is_known: impl Fn(&str) -> bool) -> Option<String> {
        let is_known = |part: &&Part| part.variables.iter().all(|name| is_known(name));
        let known: Vec<&Part> = self.parts.iter().filter(is_known).collect();
        match &known[..] {
            [] => None,
            [only] => Some(only.text.clone()),
            several => {
                let texts = several.iter().map(|part| match part.is_choice {
                    true => format!("({})", part.text),
                    false => part.text.clone(),
                });
                Some(texts.collect::<Vec<_>>().join(" && "))
            }
        }
    }
}

/// The formula, or a weaker one, for people: numbers are numbers.
pub(crate) fn for_people(terms: &Terms, unit: &LoweredUnit, formula: Term) -> Option<String> {
    let text = print(terms, unit, formula)?.where_known(|_| true)?;
    Some(text.replace("(long long)", "").replace("LL", ""))
}

struct Printer<'a> {
    terms: &'a Terms,
    unit: &'a LoweredUnit,
    /// The function whose variables occurred.
    function: Option<Arc<str>>,
    /// The variables that occurred.
    variables: BTreeSet<String>,
}

impl Printer<'_> {
    fn boolean(&mut self, term: Term, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let args = self.terms.args(term);
        let is_int = |args: &[Term]| args.iter().all(|&arg| *self.terms.sort(arg) == Sort::Int);
        let numbers = |printer: &mut Self, operator: &str| {
            if !is_int(args) {
                return None;
            }
            let [left, right] = args else { return None };
            let left = printer.number(*left, depth + 1)?;
            let right = printer.number(*right, depth + 1)?;
            Some(format!("{left} {operator} {right}"))
        };
        match self.terms.op(term) {
            Op::Bool(true) => Some("1".into()),
            Op::Bool(false) => Some("0".into()),
            Op::Not => Some(format!("!({})", self.boolean(args[0], depth + 1)?)),
            op @ (Op::And | Op::Or) => {
                let word = if *op == Op::And { " && " } else { " || " };
                let parts: Option<Vec<String>> = args
                    .iter()
                    .map(|&arg| Some(format!("({})", self.boolean(arg, depth + 1)?)))
                    .collect();
                Some(parts?.join(word))
            }
            Op::Eq => numbers(self, "=="),
            Op::Le => numbers(self, "<="),
            Op::Lt => numbers(self, "<"),
            _ => None,
        }
    }

    fn number(&mut self, term: Term, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Int(value) => match i64::try_from(value) {
                Ok(value) if value < 0 => Some(format!("(-{}LL)", value.checked_abs()?)),
                Ok(value) => Some(format!("{value}LL")),
                Err(_) => None,
            },
            Op::Var(var) if var.version == Version::Current => {
                let displayed = self.unit.displayed.get(&var.name)?;
                let name = displayed.name.split('#').next().unwrap_or_default();
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if displayed.old
                    || name.is_empty()
                    || *name != *displayed.name
                    || !name.chars().all(is_word)
                {
                    return None;
                }
                if let Some(procedure) = &displayed.procedure {
                    if self
                        .function
                        .as_ref()
                        .is_some_and(|other| other != procedure)
                    {
                        return None;
                    }
                    self.function = Some(procedure.clone());
                }
                self.variables.insert(name.to_owned());
                Some(format!("(long long){name}"))
            }
            op @ (Op::Add | Op::Mul) => {
                let word = if *op == Op::Add { " + " } else { " * " };
                let parts: Option<Vec<String>> = args
                    .iter()
                    .map(|&arg| self.number(arg, depth + 1))
                    .collect();
                Some(format!("({})", parts?.join(word)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_among_others_is_in_parentheses() {
        let part = |text: &str, is_choice, names: &[&str]| Part {
            text: text.into(),
            is_choice,
            variables: names.iter().map(|&name| name.into()).collect(),
        };
        let conjunction = Conjunction {
            parts: vec![
                part("0LL <= i", false, &["i"]),
                part("(i == 0LL) || (i <= n)", true, &["i", "n"]),
            ],
            function: "main".into(),
        };
        let all = conjunction.where_known(|_| true);
        assert_eq!(all.as_deref(), Some("0LL <= i && ((i == 0LL) || (i <= n))"));
        let some = conjunction.where_known(|name| name == "i");
        assert_eq!(some.as_deref(), Some("0LL <= i"));
        assert_eq!(conjunction.where_known(|_| false), None);
    }
}
