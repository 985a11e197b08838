//! CaDiCaL, through the crate `rustsat-cadical`.

use rustsat::solvers::{
    ControlSignal, Solve as _, SolveIncremental as _, SolverResult, Terminate as _,
};
use rustsat::types::{Clause, Lit, TernaryVal, Var};

use super::{Answer, Counts, SatLit, Solver};
use ult_core::control::Control;

/// The solver.
pub(super) struct CaDiCaL {
    solver: rustsat_cadical::CaDiCaL<'static, 'static>,
    counts: Counts,
    core: Vec<Lit>,
    model: Vec<bool>,
}

impl CaDiCaL {
    pub(super) fn new(control: &Control) -> CaDiCaL {
        let mut solver = rustsat_cadical::CaDiCaL::default();
        let control = control.clone();
        solver.attach_terminator(move || match control.check() {
            Ok(()) => ControlSignal::Continue,
            Err(_) => ControlSignal::Terminate,
        });
        CaDiCaL {
            solver,
            counts: Counts::default(),
            core: Vec::new(),
            model: Vec::new(),
        }
    }
}

fn lit(lit: SatLit) -> Lit {
    Lit::new(lit.number(), lit.is_inverted())
}

impl Solver for CaDiCaL {
    fn variable(&mut self) -> SatLit {
        let number = self.counts.variables as u32;
        self.counts.variables += 1;
        SatLit::variable(number)
    }

    fn add(&mut self, clause: &[SatLit]) {
        self.counts.clauses += 1;
        let clause: Clause = clause.iter().copied().map(lit).collect();
        // Fails only for lack of memory, which is fatal elsewhere too.
        self.solver.add_clause(clause).expect("room for a clause");
    }

    fn solve(&mut self, assumptions: &[SatLit]) -> Answer {
        let assumptions: Vec<Lit> = assumptions.iter().copied().map(lit).collect();
        self.core.clear();
        self.model.clear();
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => {
                let count = self.counts.variables as u32;
                let value = |number| {
                    let value = self.solver.var_val(Var::new(number));
                    matches!(value, Ok(TernaryVal::True))
                };
                self.model = (0..count).map(value).collect();
                Answer::Sat
            }
            Ok(SolverResult::Unsat) => match self.solver.core() {
                Ok(core) => {
                    // A core is the clause of the negated assumptions.
                    self.core = core.into_iter().map(|lit| !lit).collect();
                    Answer::Unsat
                }
                Err(_) => Answer::Stopped,
            },
            Ok(SolverResult::Interrupted) | Err(_) => Answer::Stopped,
        }
    }

    fn value(&self, of: SatLit) -> bool {
        let value = self.model.get(of.number() as usize);
        value.copied().unwrap_or(false) != of.is_inverted()
    }

    fn is_used(&self, assumption: SatLit) -> bool {
        self.core.contains(&lit(assumption))
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
