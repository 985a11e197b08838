//! Models: exact values, and projection.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::answer::Failure;
use super::decode::Decoder;
use super::encode::Maps;
use super::raw;
use super::session::Session;
use super::value::Reader;
use ult_core::formula::{Function, FunctionValue, Op, Term, Value};

/// A model of the question that was answered with `Sat`.
pub struct Model<'s, 't> {
    session: &'s Session<'t>,
    reader: Reader,
    /// It has the bits of floating-point variables, not themselves: see [`super::lower`].
    over_bits: bool,
}

impl<'s, 't> Model<'s, 't> {
    pub(super) fn new(
        session: &'s Session<'t>,
        model: raw::Model,
        over_bits: bool,
    ) -> Model<'s, 't> {
        Model {
            session,
            reader: Reader::new(model),
            over_bits,
        }
    }

    /// The value of a term. What the model leaves open gets an arbitrary value.
    ///
    /// Fails for values without an exact form: irrational numbers, maps that are no finite table,
    /// floating-point numbers with very long exponents.
    pub fn value(&self, term: Term) -> Result<Value, Failure> {
        raw::survive(|| {
            let mut ast = self.session.encode(term)?;
            if self.over_bits {
                ast = self.session.over_bits(&ast)?;
            }
            self.reader.evaluate(&ast, self.session.terms().sort(term))
        })
    }

    /// The meaning of a rigid symbol with parameters, as a finite table.
    pub fn function(&self, function: &Arc<Function>) -> Result<FunctionValue, Failure> {
        if function.params.is_empty() {
            let constant = self.session.terms().apply(function, &[]);
            return Ok(FunctionValue {
                default: self.value(constant)?,
                entries: Default::default(),
            });
        }
        raw::survive(|| {
            let decl = self.session.encode_function(Maps::Direct, function)?;
            self.reader
                .function(&decl, &function.params, &function.result)
        })
    }

    /// Model-based projection (Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for
    /// recursive programs", 2014): a formula without the symbols `eliminate` (variables or rigid
    /// constants) that is true in this model and, by Z3's word, implies
    /// `exists eliminate. formula`. The model must satisfy `formula`.
    ///
    /// That no eliminated symbol is left and that the model satisfies the result is checked here;
    /// the implication is not.
    ///
    /// # Errors
    /// Among others, if the formula has a quantifier: Z3's projection walks into it as if it were an
    /// application, and the process dies.
    pub fn project(&self, formula: Term, eliminate: &[Term]) -> Result<Term, Failure> {
        let session = self.session;
        let terms = session.terms();
        if terms.has_binder(formula) {
            return Err(Failure::Unsupported(
                "a projection of a formula with a quantifier".into(),
            ));
        }
        let symbols: HashSet<Term> = eliminate.iter().copied().collect();
        let constants: Vec<raw::Ast> = eliminate
            .iter()
            .map(|&symbol| match terms.op(symbol) {
                Op::Var(_) => session.encode(symbol),
                Op::Apply(function) if function.params.is_empty() => session.encode(symbol),
                _ => Err(Failure::Unsupported(
                    "a projection onto something else than a symbol".into(),
                )),
            })
            .collect::<Result<_, _>>()?;
        let mut result = formula;
        if !self.over_bits {
            let ast = session.encode(formula)?;
            let projected =
                session.interruptible(|_| Ok(self.reader.model().project(&ast, &constants)?))?;
            result = Decoder::new(session, Maps::Direct, &[]).decode(&projected)?;
        }
        let left: Vec<Term> = terms
            .post_order(&[result])
            .into_iter()
            .filter(|t| symbols.contains(t))
            .collect();
        if !left.is_empty() {
            // Fixing a symbol to its value in the model is a projection too, the strongest one.
            let mut values = HashMap::new();
            for symbol in left {
                values.insert(symbol, self.literal(symbol)?);
            }
            result = terms.substitute(result, &values);
        }
        match self.value(result)? {
            Value::Bool(true) => Ok(result),
            _ => Err(Failure::UnexpectedOutput(
                "a projection that is not true in the model".into(),
            )),
        }
    }

    /// The value of a symbol as a term.
    fn literal(&self, symbol: Term) -> Result<Term, Failure> {
        let terms = self.session.terms();
        terms.plain_value(&self.value(symbol)?).ok_or_else(|| {
            Failure::Unsupported(format!(
                "a projection that leaves `{}`",
                terms.display(symbol)
            ))
        })
    }
}
