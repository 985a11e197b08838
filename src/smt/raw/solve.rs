//! Solvers, Horn clauses and models.

use super::{
    Ast, Context, Counters, Decl, Error, Fixedpoint, FunctionTable, Model, Params, Result, Solver,
    Truth, Waker, text,
};

impl Context {
    /// Settings, not yet filled.
    pub(crate) fn params(&self) -> Result<Params> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { z3!(Z3_mk_params(self.raw())) })?;
        Ok(Params::new(self, raw))
    }

    /// Z3's incremental core without its tactics.
    pub(crate) fn simple_solver(&self) -> Result<Solver> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { z3!(Z3_mk_simple_solver(self.raw())) })?;
        Ok(Solver::new(self, raw))
    }

    /// The solver Z3 makes for a logic of SMT-LIB.
    pub(crate) fn solver_for(&self, logic: &str) -> Result<Solver> {
        let logic = self.symbol(logic)?;
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { z3!(Z3_mk_solver_for_logic(self.raw(), logic)) })?;
        Ok(Solver::new(self, raw))
    }

    /// The solver that prepares formulas in the way that suits them, if it is asked once.
    pub(crate) fn solver(&self) -> Result<Solver> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { z3!(Z3_mk_solver(self.raw())) })?;
        Ok(Solver::new(self, raw))
    }

    /// A solver for Horn clauses.
    pub(crate) fn fixedpoint(&self) -> Result<Fixedpoint> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { z3!(Z3_mk_fixedpoint(self.raw())) })?;
        Ok(Fixedpoint::new(self, raw))
    }
}

impl Params {
    /// A number.
    pub(crate) fn set_number(&self, name: &str, value: u32) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_params_set_uint(
                self.context.raw(),
                self.raw,
                name,
                value
            ))
        };
        self.context.pending()
    }

    /// A switch.
    pub(crate) fn set_bool(&self, name: &str, value: bool) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_params_set_bool(
                self.context.raw(),
                self.raw,
                name,
                value
            ))
        };
        self.context.pending()
    }

    /// A name.
    pub(crate) fn set_symbol(&self, name: &str, value: &str) -> Result<()> {
        let (name, value) = (self.context.symbol(name)?, self.context.symbol(value)?);
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_params_set_symbol(
                self.context.raw(),
                self.raw,
                name,
                value
            ))
        };
        self.context.pending()
    }
}

impl Solver {
    /// Changes settings.
    pub(crate) fn set(&self, params: &Params) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_solver_set_params(
                self.context.raw(),
                self.raw,
                params.raw
            ))
        };
        self.context.pending()
    }

    /// Adds a formula.
    pub(crate) fn assert(&self, formula: &Ast) -> Result<()> {
        self.context.own(&[formula]);
        // SAFETY: rules 1 to 3.
        unsafe { z3!(Z3_solver_assert(self.context.raw(), self.raw, formula.raw)) };
        self.context.pending()
    }

    /// Adds what an SMT-LIB text asserts.
    #[cfg(test)]
    pub(crate) fn assert_text(&self, script: &str) -> Result<()> {
        let script = super::c_string(script)?;
        // SAFETY: rules 1 and 3; Z3 copies the string.
        unsafe {
            z3!(Z3_solver_from_string(
                self.context.raw(),
                self.raw,
                script.as_ptr()
            ))
        };
        self.context.pending()
    }

    /// Opens a level.
    pub(crate) fn push(&self) -> Result<()> {
        // SAFETY: rule 1.
        unsafe { z3!(Z3_solver_push(self.context.raw(), self.raw)) };
        self.context.pending()
    }

    /// Closes levels.
    pub(crate) fn pop(&self, levels: usize) -> Result<()> {
        let levels = u32::try_from(levels).unwrap_or(u32::MAX);
        // SAFETY: rule 1; popping too much is an error that Z3 reports.
        unsafe { z3!(Z3_solver_pop(self.context.raw(), self.raw, levels)) };
        self.context.pending()
    }

    /// Checks what was added together with the assumptions.
    pub(crate) fn check(&self, assumptions: &[Ast]) -> Result<Truth> {
        let raw = self.context.raw_args(assumptions)?;
        let asked = self.context.owned.switch.ask(self);
        // SAFETY: rules 1 to 3; the array has the length given.
        let answer = unsafe {
            z3!(Z3_solver_check_assumptions(
                self.context.raw(),
                self.raw,
                raw.len() as u32,
                raw.as_ptr(),
            ))
        };
        drop(asked);
        self.context.truth(answer)
    }

    /// Checks what was added. Without assumptions and levels Z3 may prepare the formulas as a
    /// whole.
    pub(crate) fn check_prepared(&self) -> Result<Truth> {
        let asked = self.context.owned.switch.ask(self);
        // SAFETY: rules 1 and 3.
        let answer = unsafe { z3!(Z3_solver_check(self.context.raw(), self.raw)) };
        drop(asked);
        self.context.truth(answer)
    }

    /// How many steps Z3 has taken in this context, by the count that its `rlimit` bounds. It starts again at zero after
    /// [`u32::MAX`].
    pub(crate) fn steps(&self) -> Result<u32> {
        let c = self.context.raw();
        // SAFETY: rule 1.
        let raw = self
            .context
            .some(unsafe { z3!(Z3_solver_get_statistics(c, self.raw)) })?;
        let counters = Counters::new(&self.context, raw);
        // SAFETY: rules 1 and 4; each counter is there, and the one that is read is a number.
        unsafe {
            for number in 0..z3!(Z3_stats_size(c, counters.raw)) {
                if z3!(Z3_stats_is_uint(c, counters.raw, number))
                    && text(z3!(Z3_stats_get_key(c, counters.raw, number))) == "rlimit count"
                {
                    return Ok(z3!(Z3_stats_get_uint_value(c, counters.raw, number)));
                }
            }
        }
        Err(Error::Refused("no count of steps".into()))
    }

    /// A handle for another thread.
    pub(crate) fn waker(&self) -> Waker {
        self.context.owned.switch.waker(self)
    }

    /// Why the last check was not answered.
    pub(crate) fn reason_unknown(&self) -> String {
        // SAFETY: rule 1.
        text(unsafe { z3!(Z3_solver_get_reason_unknown(self.context.raw(), self.raw)) })
    }

    /// The assumptions that suffice for the last `Unsat`.
    pub(crate) fn core(&self) -> Result<Vec<Ast>> {
        let c = self.context.raw();
        // SAFETY: rule 1; the vector is counted while it is read.
        unsafe {
            let vector = self
                .context
                .some(z3!(Z3_solver_get_unsat_core(c, self.raw)))?;
            z3!(Z3_ast_vector_inc_ref(c, vector));
            let asts = (0..z3!(Z3_ast_vector_size(c, vector)))
                .map(|i| self.context.ast(z3!(Z3_ast_vector_get(c, vector, i))))
                .collect();
            z3!(Z3_ast_vector_dec_ref(c, vector));
            asts
        }
    }

    /// The model of the last `Sat`.
    pub(crate) fn model(&self) -> Result<Model> {
        // SAFETY: rules 1 and 3.
        let raw = unsafe { z3!(Z3_solver_get_model(self.context.raw(), self.raw)) };
        Ok(Model::new(&self.context, self.context.some(raw)?))
    }
}

impl Fixedpoint {
    /// Changes settings.
    pub(crate) fn set(&self, params: &Params) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_fixedpoint_set_params(
                self.context.raw(),
                self.raw,
                params.raw
            ))
        };
        self.context.pending()
    }

    /// Makes a declaration a predicate to be solved for.
    pub(crate) fn register(&self, predicate: &Decl) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_fixedpoint_register_relation(
                self.context.raw(),
                self.raw,
                predicate.raw
            ))
        };
        self.context.pending()
    }

    /// Adds a clause.
    pub(crate) fn rule(&self, clause: &Ast) -> Result<()> {
        self.context.own(&[clause]);
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_fixedpoint_add_rule(
                self.context.raw(),
                self.raw,
                clause.raw,
                None
            ))
        };
        self.context.pending()
    }

    /// Adds a clause with a name.
    pub(crate) fn named_rule(&self, clause: &Ast, name: &str) -> Result<()> {
        self.context.own(&[clause]);
        let name = self.context.symbol(name)?;
        // SAFETY: rules 1 to 3.
        unsafe {
            z3!(Z3_fixedpoint_add_rule(
                self.context.raw(),
                self.raw,
                clause.raw,
                Some(name)
            ));
        }
        self.context.pending()
    }

    /// The names of the clauses along the derivation found by the last query, which was `Sat`,
    /// with semicolons between them.
    pub(crate) fn trace(&self) -> Result<String> {
        let c = self.context.raw();
        // SAFETY: rules 1 and 3; the symbol belongs to the context.
        unsafe {
            let names = self
                .context
                .some(z3!(Z3_fixedpoint_get_rule_names_along_trace(c, self.raw)))?;
            let names = text(z3!(Z3_get_symbol_string(c, names)));
            self.context.pending()?;
            Ok(names)
        }
    }

    /// Whether the query can be derived.
    pub(crate) fn query(&self, query: &Ast) -> Result<Truth> {
        self.context.own(&[query]);
        // SAFETY: rules 1 to 3.
        let answer = unsafe { z3!(Z3_fixedpoint_query(self.context.raw(), self.raw, query.raw)) };
        self.context.truth(answer)
    }

    /// The predicates found after `Unsat`.
    pub(crate) fn answer(&self) -> Result<Ast> {
        // SAFETY: rules 1 and 3.
        self.context
            .ast(unsafe { z3!(Z3_fixedpoint_get_answer(self.context.raw(), self.raw)) })
    }

    /// Why the last query was not answered.
    pub(crate) fn reason_unknown(&self) -> String {
        // SAFETY: rule 1.
        text(unsafe {
            z3!(Z3_fixedpoint_get_reason_unknown(
                self.context.raw(),
                self.raw
            ))
        })
    }
}

impl Model {
    /// The value of an expression, with arbitrary values for what the model leaves open.
    pub(crate) fn eval(&self, ast: &Ast) -> Result<Ast> {
        self.context.own(&[ast]);
        let c = self.context.raw();
        let mut value = ast.raw;
        // SAFETY: rules 1 to 3; `value` is written on success.
        let done = unsafe { z3!(Z3_model_eval(c, self.raw, ast.raw, true, &mut value)) };
        self.context.ast(done.then_some(value))
    }

    /// The table of a function with parameters; `None` if the model leaves it open.
    pub(crate) fn function(&self, decl: &Decl) -> Result<Option<FunctionTable>> {
        let c = self.context.raw();
        // SAFETY: rules 1 to 3; the error is asked for where the result is null.
        let raw = unsafe { z3!(Z3_model_get_func_interp(c, self.raw, decl.raw)) };
        if raw.is_none() {
            self.context.pending()?;
        }
        Ok(raw.map(|raw| FunctionTable::new(&self.context, raw)))
    }

    /// Model-based projection: see [`super::model::Model::project`].
    pub(crate) fn project(&self, formula: &Ast, eliminate: &[Ast]) -> Result<Ast> {
        self.context.own(&[formula]);
        let bound = self.context.apps(eliminate)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.context.ast(unsafe {
            z3!(Z3_qe_model_project(
                self.context.raw(),
                self.raw,
                bound.len() as u32,
                bound.as_ptr(),
                formula.raw,
            ))
        })
    }
}

impl FunctionTable {
    /// Arguments and value of every entry.
    pub(crate) fn entries(&self) -> Result<Vec<(Vec<Ast>, Ast)>> {
        let context = &self.context;
        let c = context.raw();
        // SAFETY: rules 1 and 3; indices are below the numbers asked for, and each entry is
        // counted while it is read.
        unsafe {
            (0..z3!(Z3_func_interp_get_num_entries(c, self.raw)))
                .map(|i| {
                    let entry = context.some(z3!(Z3_func_interp_get_entry(c, self.raw, i)))?;
                    z3!(Z3_func_entry_inc_ref(c, entry));
                    let args: Result<Vec<Ast>> = (0..z3!(Z3_func_entry_get_num_args(c, entry)))
                        .map(|j| context.ast(z3!(Z3_func_entry_get_arg(c, entry, j))))
                        .collect();
                    let value = context.ast(z3!(Z3_func_entry_get_value(c, entry)));
                    z3!(Z3_func_entry_dec_ref(c, entry));
                    Ok((args?, value?))
                })
                .collect()
        }
    }

    /// The value everywhere else; `None` if it is left open. It may mention the arguments as
    /// [`super::Shape::Bound`].
    pub(crate) fn otherwise(&self) -> Result<Option<Ast>> {
        let context = &self.context;
        // SAFETY: rules 1 and 3; the error is asked for where the result is null.
        let raw = unsafe { z3!(Z3_func_interp_get_else(context.raw(), self.raw)) };
        if raw.is_none() {
            context.pending()?;
        }
        Ok(raw.map(|raw| Ast::new(context, raw)))
    }
}
