//! BatSat, a descendant of MiniSat in Rust.

use batsat::{Callbacks, Lit, SolverInterface as _, Var, lbool};

use super::{Answer, Counts, SatLit, Solver};
use ult_core::control::Control;

/// Tells the solver to stop.
struct Watch(Control);

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        self.0.check().is_err()
    }
}

/// The solver.
pub(super) struct BatSat {
    solver: batsat::Solver<Watch>,
    clauses: u64,
}

impl BatSat {
    pub(super) fn new(control: &Control) -> BatSat {
        let watch = Watch(control.clone());
        BatSat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), watch),
            clauses: 0,
        }
    }
}

fn lit(lit: SatLit) -> Lit {
    Lit::new(Var::unsafe_from_idx(lit.number()), !lit.is_inverted())
}

impl Solver for BatSat {
    fn variable(&mut self) -> SatLit {
        SatLit::variable(self.solver.new_var_default().idx())
    }

    fn add(&mut self, clause: &[SatLit]) {
        let mut clause: Vec<Lit> = clause.iter().copied().map(lit).collect();
        self.clauses += 1;
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[SatLit]) -> Answer {
        let assumptions: Vec<Lit> = assumptions.iter().copied().map(lit).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Sat
        } else if answer == lbool::FALSE {
            Answer::Unsat
        } else {
            Answer::Stopped
        }
    }

    fn value(&self, of: SatLit) -> bool {
        self.solver.value_lit(lit(of)) == lbool::TRUE
    }

    fn is_used(&self, assumption: SatLit) -> bool {
        self.solver.unsat_core_contains_var(lit(assumption).var())
    }

    fn counts(&self) -> Counts {
        Counts {
            variables: u64::from(self.solver.num_vars()),
            clauses: self.clauses,
            conflicts: self.solver.num_conflicts(),
            ranked: 0,
        }
    }
}
