//! Step `rup`: what follows from clauses by reverse unit propagation, with the clauses named in the order in which they are used.
//!
//! Sound: assume that all literals of the new clause are false and that the earlier clauses hold. A clause whose other literals are all
//! false makes its last literal true. A clause whose literals are all false is a contradiction. Nothing is needed about what literals
//! mean but that `!lit` is the negation of `lit`. (Goldberg, Novikov, "Verification of proofs of unsatisfiability for CNF formulas",
//! DATE 2003; the order of the clauses is that of LRAT.)

use crate::literal::Lit;

/// The values of atoms during one step. Kept from step to step, so that a step takes no longer than what it mentions.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// By atom: in which step it got its value, and the value.
    values: Vec<(usize, bool)>,
    step: usize,
}

impl Values {
    fn begin(&mut self, atoms: usize) {
        self.step += 1;
        self.values.resize(atoms, (0, false));
        self.set(Lit::TRUE);
    }

    fn get(&self, lit: Lit) -> Option<bool> {
        let (step, value) = self.values[lit.atom()];
        (step == self.step).then_some(value == lit.is_positive())
    }

    fn set(&mut self, lit: Lit) {
        self.values[lit.atom()] = (self.step, lit.is_positive());
    }

    /// Checks that the clause follows from the others.
    pub(crate) fn check<'c>(
        &mut self,
        atoms: usize,
        clause: &[Lit],
        others: impl Iterator<Item = &'c [Lit]>,
    ) -> Result<(), String> {
        self.begin(atoms);
        for &lit in clause {
            self.set(!lit);
        }
        for other in others {
            let mut open = None;
            let mut is_satisfied = false;
            let mut is_unit = true;
            for &lit in other {
                match self.get(lit) {
                    Some(true) => is_satisfied = true,
                    Some(false) => {}
                    None if open.is_none() || open == Some(lit) => open = Some(lit),
                    None => is_unit = false,
                }
            }
            match open {
                _ if is_satisfied => {}
                Some(lit) if is_unit => self.set(lit),
                Some(_) => return Err("a clause has two open literals".into()),
                None => return Ok(()),
            }
        }
        Err("no clause is false in the end".into())
    }
}
