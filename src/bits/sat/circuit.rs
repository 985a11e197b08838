//! Circuits as clauses (Tseitin), as far as they are asked about.

use super::{Answer, Counts, Phase, SatLit, Solver};
use crate::aig::{Aig, Lit, Node, Values};

/// A solver that knows the gates of one graph.
pub struct Circuit {
    solver: Box<dyn Solver>,
    /// The solver's literal for each node that has one.
    lits: Vec<Option<SatLit>>,
}

impl Circuit {
    /// Knows no gate yet.
    pub fn new(solver: Box<dyn Solver>) -> Circuit {
        Circuit {
            solver,
            lits: Vec::new(),
        }
    }

    /// The solver's literal for one of the graph, with all gates that it depends on.
    pub fn lit(&mut self, aig: &Aig, lit: Lit) -> SatLit {
        self.lits.resize(aig.len(), None);
        let mut waiting = vec![lit.node()];
        while let Some(&number) = waiting.last() {
            if self.lits[number].is_some() {
                waiting.pop();
                continue;
            }
            let gate = Gate::of(aig, number);
            let missing: Vec<usize> = (gate.arguments().into_iter())
                .map(Lit::node)
                .filter(|&argument| self.lits[argument].is_none())
                .collect();
            if missing.is_empty() {
                self.define(number, &gate);
                waiting.pop();
            } else {
                waiting.extend(missing);
            }
        }
        self.known(lit)
    }

    /// The literal of a node that has one.
    fn known(&self, lit: Lit) -> SatLit {
        let known = self.lits[lit.node()].expect("arguments are defined first");
        known.invert_if(lit.is_inverted())
    }

    fn define(&mut self, number: usize, gate: &Gate) {
        let y = self.solver.variable();
        self.lits[number] = Some(y);
        match *gate {
            Gate::False => self.solver.add(&[!y]),
            Gate::Leaf => {}
            Gate::And(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.solver.add(&[!y, a]);
                self.solver.add(&[!y, b]);
                self.solver.add(&[y, !a, !b]);
            }
            Gate::Choice(condition, a, b) => {
                let (c, a, b) = (self.known(condition), self.known(a), self.known(b));
                self.solver.add(&[!c, !a, y]);
                self.solver.add(&[!c, a, !y]);
                self.solver.add(&[c, !b, y]);
                self.solver.add(&[c, b, !y]);
                if a != !b {
                    self.solver.add(&[!a, !b, y]);
                    self.solver.add(&[a, b, !y]);
                }
            }
        }
    }

    /// The solver's literal for one of the graph, if it was asked about.
    pub fn find(&self, lit: Lit) -> Option<SatLit> {
        let known = *self.lits.get(lit.node())?;
        Some(known?.invert_if(lit.is_inverted()))
    }

    /// A variable of its own.
    pub fn variable(&mut self) -> SatLit {
        self.solver.variable()
    }

    /// Adds a clause for good.
    pub fn add(&mut self, clause: &[SatLit]) {
        self.solver.add(clause);
    }

    /// Asks for decisions about a literal before others, see [`Solver::decide_first`].
    pub fn decide_first(&mut self, literal: SatLit, rank: u32, phase: Phase) {
        self.solver.decide_first(literal, rank, phase);
    }

    /// Whether there is a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[SatLit]) -> Answer {
        self.solver.solve(assumptions)
    }

    /// The value of a literal in the model.
    pub fn value(&self, lit: SatLit) -> bool {
        self.solver.value(lit)
    }

    /// Whether an assumption was used.
    pub fn is_used(&self, assumption: SatLit) -> bool {
        self.solver.is_used(assumption)
    }

    /// What the solver has counted.
    pub fn counts(&self) -> Counts {
        self.solver.counts()
    }

    /// The values of all nodes in the model. Leaves that were not asked about are false.
    pub fn values(&self, aig: &Aig) -> Values {
        let leaves = aig.leaves();
        aig.values(|leaf| {
            let lit = self.find(leaves[leaf as usize]);
            lit.is_some_and(|lit| self.value(lit))
        })
    }
}

/// A node as clauses see it.
enum Gate {
    False,
    Leaf,
    And(Lit, Lit),
    /// `if condition then a else b`, of which the node is an inversion of the usual form.
    Choice(Lit, Lit, Lit),
}

impl Gate {
    fn of(aig: &Aig, number: usize) -> Gate {
        let (a, b) = match aig.node(number) {
            Node::False => return Gate::False,
            Node::Leaf(_) => return Gate::Leaf,
            Node::And(a, b) => (a, b),
        };
        // !(c & x) & !(!c & y) is `if c then !x else !y`.
        if a.is_inverted()
            && b.is_inverted()
            && let (Node::And(p, q), Node::And(r, s)) = (aig.node(a.node()), aig.node(b.node()))
        {
            for (c, x, d, y) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
                if c == !d {
                    return Gate::Choice(c, !x, !y);
                }
            }
        }
        Gate::And(a, b)
    }

    fn arguments(&self) -> Vec<Lit> {
        match *self {
            Gate::False | Gate::Leaf => Vec::new(),
            Gate::And(a, b) => vec![a, b],
            Gate::Choice(c, a, b) => vec![c, a, b],
        }
    }
}

impl std::fmt::Debug for Circuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Circuit({:?})", self.counts())
    }
}
