//! Models: exact values, and projection.

use super::answer::Failure;
use super::encode::Maps;
use super::raw;
use super::session::Session;
use super::value::Reader;
use crate::formula::{Function, FunctionValue, Term, Value};
use std::sync::Arc;

/// A model of the question that was answered with `Sat`.
pub struct Model<'s, 't> {
    session: &'s Session<'t>,
    reader: Reader,
}

impl<'s, 't> Model<'s, 't> {
    pub(super) fn new(session: &'s Session<'t>, model: raw::Model) -> Model<'s, 't> {
        Model {
            session,
            reader: Reader::new(model),
        }
    }

    /// The value of a term. What the model leaves open gets an arbitrary value.
    ///
    /// Fails for values without an exact form: irrational numbers, floating point, maps that are
    /// no finite table.
    pub fn value(&self, term: Term) -> Result<Value, Failure> {
        let ast = self.session.encode(term)?;
        self.reader.evaluate(&ast, self.session.terms().sort(term))
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
        let decl = self.session.encode_function(Maps::Direct, function)?;
        self.reader
            .function(&decl, &function.params, &function.result)
    }

    #[allow(dead_code)]
    fn raw(&self) -> &raw::Model {
        self.reader.model()
    }
}
