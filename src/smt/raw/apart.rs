//! A question in a context of its own.
//!
//! Z3 prepares formulas (solves equations, removes unconstrained parts, turns everything into bits
//! where all is finite) only in a solver that is asked once, without assumptions and levels. Such
//! a solver lives here, in a copy of the question that shares nothing with the context it was
//! copied from, so that both can work at the same time.

use super::{Ast, Context, Interrupter, Model, Result, Solver, Truth};

/// Some formulas in a context of their own, and a solver that is asked once.
pub(crate) struct Apart {
    // Before the context, which they belong to.
    solver: Solver,
    context: Context,
}

// SAFETY: rule 5. The context was made in `new`, and no method hands out anything that counts a
// reference to it, so all references move to the other thread together; what is counted there
// (`Rc`) is never touched by two threads.
unsafe impl Send for Apart {}

impl Apart {
    /// Copies the formulas. `logic` is one of SMT-LIB's, if there is one that suits them; the seed is for what Z3 leaves to chance.
    pub(crate) fn new(formulas: &[Ast], logic: Option<&str>, seed: u32) -> Result<Apart> {
        let context = Context::new()?;
        let solver = match logic {
            Some(logic) => context.solver_for(logic)?,
            None => context.solver()?,
        };
        let params = context.params()?;
        params.set_number("random_seed", seed)?;
        solver.set(&params)?;
        for formula in formulas {
            solver.assert(&context.copied(formula)?)?;
        }
        Ok(Apart { solver, context })
    }

    /// Whether the formulas can hold together. To be called once.
    pub(crate) fn check(&self) -> Result<Truth> {
        self.solver.check_prepared()
    }

    /// Why the question was not answered.
    pub(crate) fn reason_unknown(&self) -> String {
        self.solver.reason_unknown()
    }

    /// A handle for another thread.
    pub(crate) fn interrupter(&self) -> Interrupter {
        self.context.interrupter()
    }

    /// After `Sat`: the model, copied into another context, where it speaks about the symbols of
    /// the same name.
    pub(crate) fn model(&self, target: &Context) -> Result<Model> {
        let model = self.solver.model()?;
        // SAFETY: rules 1 and 3. Neither context works meanwhile: this one was asked and has
        // answered, and `target` is on this thread.
        let raw = unsafe {
            z3!(Z3_model_translate(
                self.context.raw(),
                model.raw,
                target.raw()
            ))
        };
        match raw {
            Some(raw) => Ok(Model::new(target, raw)),
            None => {
                self.context.pending()?;
                target.some(None)
            }
        }
    }
}

impl Context {
    /// An expression of another context of this thread, as one of this context.
    fn copied(&self, ast: &Ast) -> Result<Ast> {
        // SAFETY: rules 1 and 3. Both contexts are on this thread, so neither works meanwhile.
        let raw = unsafe { z3!(Z3_translate(ast.context.raw(), ast.raw, self.raw())) };
        match raw {
            Some(_) => self.ast(raw),
            None => {
                // The source reports what goes wrong.
                ast.context.pending()?;
                self.ast(raw)
            }
        }
    }
}
