//! Expressions about floating-point numbers made expressions about bit-vectors.

use z3_sys::*;

use super::{Ast, Context, Goal, Outcome, Result, Shape, Tactic};

impl Context {
    /// The expression with other expressions put in the place of some.
    pub(crate) fn substitute(&self, ast: &Ast, from: &[Ast], to: &[Ast]) -> Result<Ast> {
        self.own(&[ast]);
        let count = from.len().min(to.len());
        let (from, to) = (self.raw_args(&from[..count])?, self.raw_args(&to[..count])?);
        // SAFETY: rules 1 to 3; both lists have `count` elements, fewer than 2^32.
        self.ast(unsafe {
            z3!(Z3_substitute(
                self.raw(),
                ast.raw,
                count as u32,
                from.as_ptr(),
                to.as_ptr(),
            ))
        })
    }

    /// The same formula with bit-vectors only. It must not have variables of floating-point
    /// sorts; a function that stands for a value which SMT-LIB leaves open may be in the result.
    pub(crate) fn floats_to_bits(&self, formula: &Ast) -> Result<Ast> {
        self.own(&[formula]);
        let c = self.raw();
        // SAFETY: rules 1 to 3; the indices are below the numbers asked for.
        unsafe {
            let simplify =
                Tactic::new(self, self.some(z3!(Z3_mk_tactic(c, c"simplify".as_ptr())))?);
            let convert = Tactic::new(self, self.some(z3!(Z3_mk_tactic(c, c"fpa2bv".as_ptr())))?);
            let both = self.some(z3!(Z3_tactic_and_then(c, simplify.raw, convert.raw)))?;
            let both = Tactic::new(self, both);
            let goal = Goal::new(self, self.some(z3!(Z3_mk_goal(c, true, false, false)))?);
            z3!(Z3_goal_assert(c, goal.raw, formula.raw));
            self.pending()?;
            let outcome = self.some(z3!(Z3_tactic_apply(c, both.raw, goal.raw)))?;
            let outcome = Outcome::new(self, outcome);
            let mut parts = Vec::new();
            for number in 0..z3!(Z3_apply_result_get_num_subgoals(c, outcome.raw)) {
                let goal = self.some(z3!(Z3_apply_result_get_subgoal(c, outcome.raw, number)))?;
                let goal = Goal::new(self, goal);
                for index in 0..z3!(Z3_goal_size(c, goal.raw)) {
                    parts.push(self.ast(z3!(Z3_goal_formula(c, goal.raw, index)))?);
                }
            }
            self.and(&parts)
        }
    }
}

impl Ast {
    /// All applications of functions with parameters that no theory knows.
    pub(crate) fn unknown_applications(&self) -> Result<Vec<Ast>> {
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        let mut stack = vec![self.clone()];
        while let Some(ast) = stack.pop() {
            if ast.shape() != Shape::App || !seen.insert(ast.id()) {
                continue;
            }
            let args = ast.args()?;
            if !args.is_empty() && ast.decl()?.kind() == DeclKind::Uninterpreted as u32 {
                found.push(ast);
            }
            stack.extend(args);
        }
        Ok(found)
    }
}
