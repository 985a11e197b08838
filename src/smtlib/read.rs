//! SMT-LIB text back to terms.
//!
//! Only what was declared has a meaning here: a symbol that a solver made up (`@diff` of
//! SMTInterpol, Skolem functions) is refused, and so are quantifiers. The operators of the theories
//! are those of [`super::theory`].

use std::collections::HashMap;

use super::Unsupported;
use super::print::Named;
use super::sexpr::{Expr, Exprs, Node};
use super::theory::{Theory, by_numbers, integer, unknown};
use ult_core::formula::{Function, Sort, Term, Terms};

#[cfg(test)]
mod tests;

/// The meaning of an expression: of a map with several indices, written as a map of maps, also
/// the rows.
#[derive(Clone, Debug)]
enum Value {
    Term(Term),
    /// The map, and the indices read so far; fewer than it has.
    Row(Term, Vec<Term>),
}

/// Reads terms over declared symbols.
pub struct Reader<'a> {
    terms: &'a Terms,
    names: &'a HashMap<String, Named>,
    exprs: &'a Exprs,
    /// What `let` bound, the innermost last.
    bound: HashMap<&'a str, Vec<Value>>,
}

impl<'a> Reader<'a> {
    /// Nothing is bound yet.
    pub fn new(
        terms: &'a Terms,
        names: &'a HashMap<String, Named>,
        exprs: &'a Exprs,
    ) -> Reader<'a> {
        Reader {
            terms,
            names,
            exprs,
            bound: HashMap::new(),
        }
    }

    /// The formula that an expression stands for.
    pub fn formula(&mut self, expr: Expr) -> Result<Term, Unsupported> {
        let term = self.term(expr)?;
        solvers(self.theory().of_sort(term, &Sort::Bool, "a formula"))
    }

    fn theory(&self) -> Theory<'a> {
        Theory {
            terms: self.terms,
            // What a quotient by zero is, solvers disagree on.
            divide: &by_numbers,
        }
    }

    fn term(&mut self, expr: Expr) -> Result<Term, Unsupported> {
        match self.value(expr)? {
            Value::Term(term) => Ok(term),
            Value::Row(..) => Err(unsupported("a row of a map with several indices")),
        }
    }

    fn value(&mut self, expr: Expr) -> Result<Value, Unsupported> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let exprs = self.exprs;
            Ok(Value::Term(match exprs.node(expr) {
                Node::Symbol(name) => {
                    if let Some(value) = self.bound.get(name.as_str()).and_then(|all| all.last()) {
                        return Ok(value.clone());
                    }
                    self.constant(name)?
                }
                Node::Numeral(digits) => self.terms.int(solvers(integer(digits))?),
                Node::Decimal(text) => solvers(self.theory().decimal(text))?,
                Node::Binary(bits) => solvers(self.theory().bits(bits, 2, 1))?,
                Node::Hexadecimal(nibbles) => solvers(self.theory().bits(nibbles, 16, 4))?,
                Node::Text(_) => return Err(unsupported("a string")),
                Node::Keyword(name) => return Err(unsupported(&format!("`:{name}` as a term"))),
                Node::List(parts) => return self.application(parts),
            }))
        })
    }

    fn constant(&self, name: &str) -> Result<Term, Unsupported> {
        match (self.names.get(name), name) {
            (Some(Named::Term(term)), _) => Ok(*term),
            (Some(Named::Function(function)), _) if function.params.is_empty() => {
                Ok(self.terms.apply(function, &[]))
            }
            (None, "true") => Ok(self.terms.tt()),
            (None, "false") => Ok(self.terms.ff()),
            (None, _) => Err(unsupported(&format!("the solver's own symbol `{name}`"))),
            _ => Err(unsupported(&format!("`{name}` as a constant"))),
        }
    }

    /// What stands in parentheses.
    fn application(&mut self, parts: &'a [Expr]) -> Result<Value, Unsupported> {
        let (&head, rest) = parts.split_first().ok_or_else(|| unsupported("`()`"))?;
        let exprs = self.exprs;
        if let Some(inner) = exprs.list(head) {
            return self.indexed(inner, rest).map(Value::Term);
        }
        let Some(name) = exprs.symbol(head) else {
            return Err(unsupported("an application of a literal"));
        };
        // A bound or declared name is never one of the theory's.
        if !self.bound.contains_key(name) {
            match self.names.get(name) {
                Some(Named::Function(function)) => {
                    let args = self.terms_of(rest)?;
                    return self.apply(function, args).map(Value::Term);
                }
                Some(_) => return Err(unsupported(&format!("an application of `{name}`"))),
                None => {}
            }
        } else {
            return Err(unsupported(&format!("an application of `{name}`")));
        }
        match name {
            "let" => self.bindings(rest),
            // Annotations change nothing.
            "!" => match rest {
                [body, ..] => self.value(*body),
                [] => Err(unsupported("`(!)`")),
            },
            "forall" | "exists" => Err(unsupported("a quantifier in the answer")),
            "_" => self.literal(rest).map(Value::Term),
            "select" => self.select(rest),
            _ => {
                let args = self.terms_of(rest)?;
                let result = self.theory().apply(name, args);
                let result = result.map_err(|what| match what == unknown(name) {
                    true => format!("the solver's own symbol `{name}`"),
                    false => what,
                });
                solvers(result).map(Value::Term)
            }
        }
    }

    fn terms_of(&mut self, exprs: &[Expr]) -> Result<Vec<Term>, Unsupported> {
        exprs.iter().map(|&expr| self.term(expr)).collect()
    }

    /// `(let ((name term) ...) body)`, all at once.
    fn bindings(&mut self, rest: &'a [Expr]) -> Result<Value, Unsupported> {
        let wrong = || unsupported("an ill-formed `let`");
        let &[bindings, body] = rest else {
            return Err(wrong());
        };
        let exprs = self.exprs;
        let mut values = Vec::new();
        for &binding in exprs.list(bindings).ok_or_else(wrong)? {
            let &[name, value] = exprs.list(binding).ok_or_else(wrong)? else {
                return Err(wrong());
            };
            let name = exprs.symbol(name).ok_or_else(wrong)?;
            values.push((name, self.value(value)?));
        }
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        for (name, value) in values {
            self.bound.entry(name).or_default().push(value);
        }
        let result = self.value(body);
        for name in names {
            if let Some(all) = self.bound.get_mut(name) {
                all.pop();
                if all.is_empty() {
                    self.bound.remove(name);
                }
            }
        }
        result
    }

    /// `(_ bv5 8)`
    fn literal(&self, rest: &[Expr]) -> Result<Term, Unsupported> {
        let &[name, width] = rest else {
            return Err(unsupported("an indexed constant"));
        };
        let name = self.exprs.symbol(name).unwrap_or_default();
        let width = self.exprs.index(width);
        solvers(self.theory().indexed_literal(name, width))
    }

    /// `((_ extract 3 0) x)`, `((as const S) x)`
    fn indexed(&mut self, head: &'a [Expr], args: &[Expr]) -> Result<Term, Unsupported> {
        let exprs = self.exprs;
        let names: Vec<Option<&str>> = head.iter().map(|&part| exprs.symbol(part)).collect();
        let args = self.terms_of(args)?;
        if let (&[Some("as"), Some("const"), _], &[value]) = (&names[..], &args[..]) {
            let sort = self.sort(head[2])?;
            return solvers(self.theory().constant_map(&sort, value));
        }
        let (&[Some("_"), Some(name), ..], &[arg]) = (&names[..], &args[..]) else {
            return Err(unsupported("an application of an expression"));
        };
        let numbers: Option<Vec<u32>> = head[2..].iter().map(|&n| exprs.index(n)).collect();
        let numbers = numbers.ok_or_else(|| unsupported(name))?;
        solvers(self.theory().indexed(name, &numbers, arg))
    }

    fn sort(&self, expr: Expr) -> Result<Sort, Unsupported> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let exprs = self.exprs;
            let unknown = || unsupported("a sort that was not declared");
            if let Some(name) = exprs.symbol(expr) {
                return match (self.names.get(name), name) {
                    (Some(Named::Sort(sort)), _) => Ok(sort.clone()),
                    (None, "Bool") => Ok(Sort::Bool),
                    (None, "Int") => Ok(Sort::Int),
                    (None, "Real") => Ok(Sort::Real),
                    _ => Err(unknown()),
                };
            }
            let &[head, first, second] = exprs.list(expr).ok_or_else(unknown)? else {
                return Err(unknown());
            };
            match (exprs.symbol(head), exprs.symbol(first)) {
                (Some("_"), Some("BitVec")) => match exprs.index(second) {
                    Some(width @ 1..) => Ok(Sort::BitVec(width)),
                    _ => Err(unknown()),
                },
                (Some("Array"), _) => Ok(Sort::map(vec![self.sort(first)?], self.sort(second)?)),
                _ => Err(unknown()),
            }
        })
    }

    fn select(&mut self, args: &[Expr]) -> Result<Value, Unsupported> {
        let &[map, index] = args else {
            return Err(unsupported("`select` on other arguments"));
        };
        let (map, mut indices) = match self.value(map)? {
            Value::Term(map) => (map, Vec::new()),
            Value::Row(map, indices) => (map, indices),
        };
        let index = self.term(index)?;
        let Sort::Map(sort) = self.terms.sort(map) else {
            return Err(unsupported("`select` on what is no map"));
        };
        let expected = sort.domain.get(indices.len());
        let expected = expected.ok_or_else(|| unsupported("`select` with too many indices"))?;
        indices.push(solvers(self.theory().of_sort(index, expected, "an index"))?);
        Ok(if indices.len() == sort.domain.len() {
            Value::Term(self.terms.select(map, &indices))
        } else {
            Value::Row(map, indices)
        })
    }

    fn apply(
        &self,
        function: &std::sync::Arc<Function>,
        args: Vec<Term>,
    ) -> Result<Term, Unsupported> {
        if args.len() != function.params.len() {
            return Err(unsupported(&format!(
                "`{}` with other arguments",
                function.name
            )));
        }
        let args: Result<Vec<Term>, Unsupported> = args
            .into_iter()
            .zip(&function.params)
            .map(|(arg, sort)| solvers(self.theory().of_sort(arg, sort, "an argument")))
            .collect();
        Ok(self.terms.apply(function, &args?))
    }
}

/// What does not fit, as a failure of the solver.
fn solvers<T>(result: Result<T, String>) -> Result<T, Unsupported> {
    result.map_err(|what| unsupported(&what))
}

fn unsupported(what: &str) -> Unsupported {
    let what: String = what.chars().take(200).collect();
    Unsupported(format!("{what}, in the solver's answer"))
}
