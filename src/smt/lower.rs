//! Questions about floating-point numbers as questions about bit-vectors.
//!
//! Z3's theory of floating point inside its incremental core is many times slower than its SAT
//! solver on the same formulas as bits. So formulas about nothing but floating-point numbers,
//! bit-vectors and truth values are translated, one by one, by Z3's own tactic: each variable is
//! first replaced by the number with the bits of a bit-vector variable, so that the same variable
//! in two formulas is the same bits.
//!
//! A value that SMT-LIB leaves open (the integer for NaN) is arbitrary in every formula. So
//! `Unsat` holds whatever it is; a model may be none that any choice has, which is for the checker
//! to see.

use super::answer::Failure;
use super::raw::{self, Ast};
use super::session::{Meaning, Session};
use ult_core::formula::Sort;

/// Variables of floating-point sorts, and what stands for them.
#[derive(Default)]
pub(super) struct Lowered {
    symbols: Vec<Ast>,
    replacements: Vec<Ast>,
    /// By the identity of the formula, which is kept so that identities are not reused.
    formulas: std::collections::HashMap<u32, (Ast, Ast)>,
}

impl Session<'_> {
    /// Notes a variable or rigid constant. Those of other sorts stay what they are.
    pub(super) fn note_symbol(&self, name: &str, sort: &Sort, symbol: &Ast) -> Result<(), Failure> {
        let context = self.context()?;
        let replacement = match sort {
            Sort::Float(exponent, significand) => {
                let bits = self.internal(&format!("w|{name}"), exponent + significand)?;
                context.fp_from_bits(&bits, &symbol.sort()?)?
            }
            Sort::RoundingMode => {
                let bits = self.internal(&format!("w|{name}"), 3)?;
                let modes = [
                    context.rna()?,
                    context.rtp()?,
                    context.rtn()?,
                    context.rtz()?,
                ];
                let mut chosen = context.rne()?;
                for (mode, number) in modes.iter().zip(1..) {
                    let number = context.numeral(&format!("{number}"), &bits.sort()?)?;
                    chosen = context.ite(&context.eq(&bits, &number)?, mode, &chosen)?;
                }
                chosen
            }
            _ => return Ok(()),
        };
        let mut lowered = self.lowered.borrow_mut();
        lowered.symbols.push(symbol.clone());
        lowered.replacements.push(replacement);
        Ok(())
    }

    /// A bit-vector variable that the session makes up.
    fn internal(&self, name: &str, width: u32) -> Result<Ast, Failure> {
        let context = self.context()?;
        let decl = context.declare(name, &[], &context.bitvec_sort(width)?)?;
        let variable = context.apply(&decl, &[])?;
        let mut symbols = self.symbols.borrow_mut();
        symbols
            .meanings
            .insert(decl.id(), (decl, Meaning::Internal));
        Ok(variable)
    }

    /// The expression with bits in the place of variables.
    pub(super) fn over_bits(&self, ast: &Ast) -> Result<Ast, Failure> {
        let lowered = self.lowered.borrow();
        if lowered.symbols.is_empty() {
            return Ok(ast.clone());
        }
        let context = self.context()?;
        Ok(context.substitute(ast, &lowered.symbols, &lowered.replacements)?)
    }

    /// The formula as one about bit-vectors and truth values.
    pub(super) fn lower(&self, formula: &Ast) -> Result<Ast, Failure> {
        if let Some((_, known)) = self.lowered.borrow().formulas.get(&formula.id()) {
            return Ok(known.clone());
        }
        let over_bits = self.over_bits(formula)?;
        let bits = self.interruptible(|context| {
            let bits = context.floats_to_bits(&over_bits)?;
            let open = bits.unknown_applications()?;
            let any: raw::Result<Vec<Ast>> = open
                .iter()
                .map(|application| {
                    let name = format!("o|{}|{}", formula.id(), application.id());
                    let decl = context.declare(&name, &[], &application.sort()?)?;
                    context.apply(&decl, &[])
                })
                .collect();
            Ok(context.substitute(&bits, &open, &any?)?)
        })?;
        self.lowered
            .borrow_mut()
            .formulas
            .insert(formula.id(), (formula.clone(), bits.clone()));
        Ok(bits)
    }
}
