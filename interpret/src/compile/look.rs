//! What assumptions behind a choice say about the values to choose.

use crate::code::{Binary, BitsOp, Expr, Hint, Instr, Relation, Variable, Write};

/// So many instructions are looked at.
const FAR: usize = 60;

/// Tells every `havoc` what is assumed soon about its variables.
pub(super) fn ahead(instrs: &mut [Instr]) {
    for at in 0..instrs.len() {
        let Instr::Havoc(havoc) = &instrs[at] else {
            continue;
        };
        let variables: Vec<Variable> = havoc.variables.iter().map(|(v, _)| *v).collect();
        let (hints, look) = from(instrs, at + 1, &variables);
        if let Instr::Havoc(havoc) = &mut instrs[at] {
            havoc.hints = hints;
            havoc.look = look;
        }
    }
}

/// What is known on the way.
struct Walk {
    /// Variables whose values depend on the chosen ones.
    tainted: Vec<Variable>,
    /// Variables whose values are those of a chosen one.
    copies: Vec<(Variable, usize)>,
    /// Variables that have new values.
    written: Vec<Variable>,
    hints: Vec<Hint>,
}

fn from(instrs: &[Instr], mut at: usize, variables: &[Variable]) -> (Vec<Hint>, usize) {
    let mut walk = Walk {
        tainted: variables.to_vec(),
        copies: variables.iter().copied().zip(0..).collect(),
        written: variables.to_vec(),
        hints: Vec::new(),
    };
    let mut look = 0;
    for count in 1..=FAR {
        match instrs.get(at) {
            Some(Instr::Jump(to)) => {
                at = *to;
                continue;
            }
            Some(Instr::Write(write)) if write.path.is_empty() => walk.write(write),
            Some(Instr::Writes(writes)) if writes.iter().all(|write| write.path.is_empty()) => {
                // The old values count; where that matters, the look ahead is less exact, not wrong.
                writes.iter().for_each(|write| walk.write(write));
            }
            Some(Instr::Assume(condition) | Instr::Axiom(condition)) => {
                if mentions(condition, &walk.tainted) {
                    look = count;
                    walk.assume(condition);
                }
            }
            _ => break,
        }
        at += 1;
    }
    (walk.hints, look)
}

/// Whether an expression reads one of the variables.
fn mentions(expr: &Expr, variables: &[Variable]) -> bool {
    let mut found = false;
    expr.for_each_variable(&mut |variable| found |= variables.contains(&variable));
    found
}

impl Walk {
    fn write(&mut self, write: &Write) {
        let variable = write.variable;
        let copy = match &write.value {
            Expr::Variable(from) => self.copies.iter().find(|(known, _)| known == from).copied(),
            _ => None,
        };
        let tainted = mentions(&write.value, &self.tainted);
        self.copies.retain(|(known, _)| *known != variable);
        self.tainted.retain(|known| *known != variable);
        if let Some((_, number)) = copy {
            self.copies.push((variable, number));
        }
        if tainted {
            self.tainted.push(variable);
        }
        self.written.push(variable);
    }

    fn assume(&mut self, condition: &Expr) {
        match condition {
            Expr::And(all) => all.iter().for_each(|part| self.assume(part)),
            Expr::Binary(op, sides) => {
                let relation = match op {
                    Binary::Eq => Relation::Equal,
                    Binary::Lt | Binary::Bits(BitsOp::Ult | BitsOp::Slt, _) => Relation::Below,
                    Binary::Le | Binary::Bits(BitsOp::Ule | BitsOp::Sle, _) => Relation::AtMost,
                    _ => return,
                };
                let [a, b] = &**sides;
                self.hint(a, relation, b);
                self.hint(b, turned(relation), a);
            }
            _ => {}
        }
    }

    fn hint(&mut self, side: &Expr, relation: Relation, with: &Expr) {
        let Expr::Variable(variable) = side else {
            return;
        };
        let Some((_, number)) = self.copies.iter().find(|(known, _)| known == variable) else {
            return;
        };
        // The other side is evaluated before anything is written, with other chosen values as they are by then.
        let allowed = |variable: Variable| {
            !self.written.contains(&variable)
                || self
                    .copies
                    .iter()
                    .any(|(known, other)| *known == variable && other < number)
        };
        let mut known = true;
        with.for_each_variable(&mut |variable| known &= allowed(variable));
        if known {
            self.hints.push(Hint {
                number: *number,
                relation,
                with: with.clone(),
            });
        }
    }
}

fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Equal => Relation::Equal,
        Relation::AtLeast => Relation::AtMost,
        Relation::AtMost => Relation::AtLeast,
        Relation::Above => Relation::Below,
        Relation::Below => Relation::Above,
    }
}
