//! CaDiCaL.

use super::{Answer, Counts, SatLit, Solver};
use ult_core::control::Control;

/// Tells the solver to stop.
struct Watch(Control);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.check().is_err()
    }
}

/// The solver.
pub(super) struct CaDiCaL {
    solver: cadical::Solver<Watch>,
    counts: Counts,
}

impl CaDiCaL {
    pub(super) fn new(control: &Control) -> CaDiCaL {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Watch(control.clone())));
        CaDiCaL {
            solver,
            counts: Counts::default(),
        }
    }
}

/// As in DIMACS: numbers from 1 on, negative if inverted.
fn lit(lit: SatLit) -> i32 {
    let number = lit.number() as i32 + 1;
    match lit.is_inverted() {
        true => -number,
        false => number,
    }
}

impl Solver for CaDiCaL {
    fn variable(&mut self) -> SatLit {
        let number = self.counts.variables as u32;
        self.counts.variables += 1;
        SatLit::variable(number)
    }

    fn add(&mut self, clause: &[SatLit]) {
        self.counts.clauses += 1;
        self.solver.add_clause(clause.iter().copied().map(lit));
    }

    fn solve(&mut self, assumptions: &[SatLit]) -> Answer {
        match self.solver.solve_with(assumptions.iter().copied().map(lit)) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None => Answer::Stopped,
        }
    }

    fn value(&self, of: SatLit) -> bool {
        // A variable in no clause has no value: any will do.
        let positive = lit(of).abs();
        let value = match positive <= self.solver.max_variable() {
            true => self.solver.value(positive).unwrap_or(false),
            false => false,
        };
        value != of.is_inverted()
    }

    fn is_used(&self, assumption: SatLit) -> bool {
        self.solver.failed(lit(assumption))
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
