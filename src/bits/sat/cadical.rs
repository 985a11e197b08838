//! CaDiCaL, with decisions by rank.
//!
//! Fazekas, Niemetz, Preiner, Kirchweger, Szeider, Biere: "IPASIR-UP: User Propagators for CDCL" (SAT
//! 2023): whenever the solver is about to decide, it may be told what. That is how ranks reach it.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use cadical_sys::{CaDiCal, ExternalPropagator, Status, Terminator};

use super::{Answer, Counts, Phase, SatLit, Solver};
use ult_core::control::Control;

/// Tells the solver to stop.
struct Watch(Control);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.check().is_err()
    }
}

/// A variable with a rank.
struct Ranked {
    rank: u32,
    /// The value that it is decided to have.
    phase: bool,
    /// Whether that is the last value that it had.
    is_saved: bool,
}

/// What is decided first.
#[derive(Default)]
struct Ranks {
    variables: HashMap<i32, Ranked>,
    /// Those without a value, the highest rank first; of the same rank, the oldest.
    waiting: BTreeSet<(Reverse<u32>, i32)>,
    /// Those with one, in the order in which they got it, and where the levels begin.
    trail: Vec<i32>,
    levels: Vec<usize>,
    decisions: u64,
}

impl Ranks {
    fn add(&mut self, variable: i32, ranked: Ranked) {
        // One that has a rank already may have a value, too: that is not told again.
        let has_no_value = match self.variables.get(&variable) {
            Some(old) => self.waiting.remove(&(Reverse(old.rank), variable)),
            None => true,
        };
        if has_no_value {
            self.waiting.insert((Reverse(ranked.rank), variable));
        }
        self.variables.insert(variable, ranked);
    }
}

impl ExternalPropagator for Ranks {
    fn notify_assignment(&mut self, lits: &[i32]) {
        for &lit in lits {
            let variable = lit.abs();
            if let Some(ranked) = self.variables.get_mut(&variable)
                && self.waiting.remove(&(Reverse(ranked.rank), variable))
            {
                if ranked.is_saved {
                    ranked.phase = lit > 0;
                }
                self.trail.push(variable);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, level: usize) {
        let Some(&kept) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        for variable in self.trail.split_off(kept) {
            if let Some(ranked) = self.variables.get(&variable) {
                self.waiting.insert((Reverse(ranked.rank), variable));
            }
        }
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        true
    }

    fn cb_decide(&mut self) -> i32 {
        let Some(&(_, variable)) = self.waiting.first() else {
            return 0;
        };
        self.decisions += 1;
        match self.variables.get(&variable).is_some_and(|r| r.phase) {
            true => variable,
            false => -variable,
        }
    }

    fn cb_has_external_clause(&mut self, _is_forgettable: &mut bool) -> bool {
        false
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        0
    }
}

/// The solver.
pub(super) struct CaDiCaL {
    /// Reading its models is no reading for the crate.
    solver: RefCell<CaDiCal>,
    ranks: Option<Rc<RefCell<Ranks>>>,
    /// For each variable with a rank, the one that is decided in its place.
    twins: HashMap<i32, i32>,
    variables: u64,
    clauses: u64,
}

impl CaDiCaL {
    pub(super) fn new(control: &Control) -> CaDiCaL {
        let mut solver = CaDiCal::new();
        solver.connect_terminator(Watch(control.clone()));
        CaDiCaL {
            solver: RefCell::new(solver),
            ranks: None,
            twins: HashMap::new(),
            variables: 0,
            clauses: 0,
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
        let number = self.solver.get_mut().declare_one_more_variable();
        self.variables += 1;
        SatLit::variable(number as u32 - 1)
    }

    fn add(&mut self, clause: &[SatLit]) {
        self.clauses += 1;
        let solver = self.solver.get_mut();
        for &literal in clause {
            solver.add(lit(literal));
        }
        solver.add(0);
    }

    fn solve(&mut self, assumptions: &[SatLit]) -> Answer {
        let solver = self.solver.get_mut();
        for &assumption in assumptions {
            solver.assume(lit(assumption));
        }
        match solver.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Stopped,
        }
    }

    fn value(&self, of: SatLit) -> bool {
        let positive = lit(of).abs();
        (self.solver.borrow_mut().val(positive) > 0) != of.is_inverted()
    }

    fn is_used(&self, assumption: SatLit) -> bool {
        self.solver.borrow_mut().failed(lit(assumption))
    }

    fn decide_first(&mut self, literal: SatLit, rank: u32, phase: Phase) {
        let solver = self.solver.get_mut();
        let ranks = self.ranks.get_or_insert_with(|| {
            let ranks = Rc::new(RefCell::new(Ranks::default()));
            solver.connect_external_propagator(ranks.clone());
            ranks
        });
        // The solver may have eliminated the variable already, and then takes no decision about it: it
        // gets another one that says the same, and that is kept because it is observed.
        let own = lit(literal).abs();
        let variable = *self.twins.entry(own).or_insert_with(|| {
            let twin = solver.declare_one_more_variable();
            self.variables += 1;
            for clause in [[twin, -own], [-twin, own]] {
                clause
                    .into_iter()
                    .chain([0])
                    .for_each(|lit| solver.add(lit));
            }
            self.clauses += 2;
            solver.add_observed_var(twin);
            twin
        });
        let ranked = Ranked {
            rank,
            phase: phase == Phase::True && !literal.is_inverted(),
            is_saved: phase == Phase::Last,
        };
        ranks.borrow_mut().add(variable, ranked);
    }

    fn counts(&self) -> Counts {
        let ranks = self.ranks.as_ref();
        Counts {
            variables: self.variables,
            clauses: self.clauses,
            conflicts: (self.solver.borrow().get_statistic_value("conflicts")).max(0) as u64,
            ranked: ranks.map_or(0, |ranks| ranks.borrow().decisions),
        }
    }
}
