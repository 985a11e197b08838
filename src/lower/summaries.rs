//! Summaries of procedures: asking for them, and using them.
//!
//! A *summary* says how the state behind a call depends on the state before it. Where the user's
//! contracts say too little, summaries can be computed ([`Summaries::Asked`]: the graphs have a
//! symbol for each of them, to be solved for) and used ([`Summaries::Inferred`]: they become
//! contracts that nobody wrote, obligations included).

use std::collections::BTreeMap;
use std::sync::Arc;

use ult_lang::hir::{GlobalId, ProcedureId, Program};

use super::builder::Builder;
use super::frame::{Frame, slot_term};
use super::unsupported::UnsupportedExpr;
use super::{Lowering, Role};
use ult_core::formula::{Function, Sort, Term, Terms, Version};

/// What calls that are not inlined mean, beyond what contracts say.
#[derive(Clone, Debug, Default)]
pub enum Summaries {
    /// Nothing: the contract is all.
    #[default]
    None,
    /// Symbols that stand for the summaries.
    Asked(BTreeMap<ProcedureId, Signature>),
    /// Contracts that were inferred.
    Inferred(BTreeMap<ProcedureId, InferredContract>),
}

/// What a summary speaks about, as variables of its own, and the symbols for it.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The globals before the call.
    pub before: Vec<(GlobalId, Term)>,
    /// The in-parameters.
    pub ins: Vec<Term>,
    /// The globals behind the call, those that the procedure may change.
    pub after: Vec<(GlobalId, Term)>,
    /// The out-parameters.
    pub outs: Vec<Term>,
    /// Whether runs of the program start here, too: it is verified on its own for all states.
    pub entry: bool,
    /// Holds where a call is passed.
    pub called: Arc<Function>,
    /// Holds where the procedure returns.
    pub returned: Arc<Function>,
    /// Holds where a call does not come back, because something is violated in it.
    pub failing: Arc<Function>,
    /// Holds where something is violated.
    pub failed: Arc<Function>,
}

/// A contract that was inferred, over the variables of the signature.
#[derive(Clone, Debug)]
pub struct InferredContract {
    /// The variables.
    pub signature: Signature,
    /// The precondition, about `before` and `ins`; `true` for entries.
    pub requires: Term,
    /// The postcondition.
    pub ensures: Term,
}

impl Signature {
    fn new(terms: &Terms, lowering: &Lowering<'_>, id: ProcedureId) -> Option<Signature> {
        let program = lowering.program;
        let procedure = program.procedures.get(id.index())?;
        if procedure.implementations.is_empty() || !procedure.type_params.is_empty() {
            return None;
        }
        let sort = |ty: &ult_lang::hir::Type| lowering.symbols.sort(ty, &Default::default()).ok();
        let variable = |name: &str, sort: Sort| terms.fresh_aux(name, sort);
        let mut before = Vec::new();
        let mut after = Vec::new();
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId::new(i);
            // One of a type without a sort is left out: then it is arbitrary.
            if let Some(sort) = sort(&global.ty) {
                before.push((id, variable(&format!("old.{}", global.name), sort.clone())));
                if procedure.modifies.contains(&id) {
                    after.push((id, variable(&global.name, sort)));
                }
            }
        }
        let parameters = |list: &[ult_lang::hir::Variable]| -> Option<Vec<Term>> {
            list.iter()
                .map(|v| Some(variable(&v.name, sort(&v.ty)?)))
                .collect()
        };
        let ins = parameters(&procedure.ins)?;
        let outs = parameters(&procedure.outs)?;
        let inputs: Vec<Sort> = before
            .iter()
            .map(|(_, t)| *t)
            .chain(ins.iter().copied())
            .map(|t| terms.sort(t).clone())
            .collect();
        let mut all = inputs.clone();
        all.extend(
            after
                .iter()
                .map(|(_, t)| *t)
                .chain(outs.iter().copied())
                .map(|t| terms.sort(t).clone()),
        );
        // A blank cannot be part of a name in the source.
        let symbol = |word: &str, params: &[Sort]| {
            Arc::new(Function {
                name: format!("{word} {}", procedure.name).into(),
                params: params.to_vec(),
                result: Sort::Bool,
            })
        };
        Some(Signature {
            entry: lowering.is_entry(id),
            called: symbol("called", &all),
            returned: symbol("returned", &all),
            failing: symbol("failing", &inputs),
            failed: symbol("failed", &inputs),
            before,
            ins,
            after,
            outs,
        })
    }

    /// The variables for the state before the call.
    pub fn inputs(&self) -> Vec<Term> {
        let before = self.before.iter().map(|(_, t)| *t);
        before.chain(self.ins.iter().copied()).collect()
    }

    /// All variables.
    pub fn all(&self) -> Vec<Term> {
        let after = self.after.iter().map(|(_, t)| *t);
        let mut all = self.inputs();
        all.extend(after.chain(self.outs.iter().copied()));
        all
    }
}

/// The signatures of the procedures that are called in a way that is not inlined: the recursive
/// ones, or (`all`) all with a body. Those whose parameters have no sorts have none.
pub fn signatures(
    terms: &Terms,
    lowering: &Lowering<'_>,
    all: bool,
) -> BTreeMap<ProcedureId, Signature> {
    let program: &Program = lowering.program;
    (0..program.procedures.len())
        .map(ProcedureId::new)
        .filter(|&id| all || lowering.is_recursive(id))
        .filter_map(|id| Some((id, Signature::new(terms, lowering, id)?)))
        .collect()
}

/// A call that is not inlined: the values that a summary relates. Unknown ones are errors.
pub struct CallValues<'c> {
    /// The globals before the call.
    pub before: &'c [Result<Term, String>],
    /// The globals behind it.
    pub after: &'c [Result<Term, String>],
    /// In-parameters, then out-parameters.
    pub parameters: &'c [Result<Term, String>],
}

impl CallValues<'_> {
    /// The values for the variables of `signature.inputs()`.
    fn inputs(&self, signature: &Signature) -> Vec<Result<Term, String>> {
        let before = signature
            .before
            .iter()
            .map(|(id, _)| value(self.before, id.index()));
        let ins = (0..signature.ins.len()).map(|i| value(self.parameters, i));
        before.chain(ins).collect()
    }

    /// The values for the variables of `signature.all()`; arbitrary ones where they are unknown.
    fn all(&self, terms: &Terms, signature: &Signature) -> Vec<Term> {
        let mut values = self.inputs(signature);
        values.extend(
            signature
                .after
                .iter()
                .map(|(id, _)| value(self.after, id.index())),
        );
        let first = signature.ins.len();
        values.extend((0..signature.outs.len()).map(|i| value(self.parameters, first + i)));
        known(terms, &signature.all(), values)
    }
}

fn value(values: &[Result<Term, String>], index: usize) -> Result<Term, String> {
    match values.get(index) {
        Some(value) => value.clone(),
        None => Err("an unknown variable".into()),
    }
}

/// The values, or arbitrary ones of the formals' sorts.
fn known(terms: &Terms, formals: &[Term], values: Vec<Result<Term, String>>) -> Vec<Term> {
    formals
        .iter()
        .zip(values)
        .map(|(&formal, value)| match value {
            Ok(value) if terms.sort(value) == terms.sort(formal) => value,
            _ => terms.fresh_aux("unknown", terms.sort(formal).clone()),
        })
        .collect()
}

fn instance(terms: &Terms, formula: Term, formals: &[Term], values: &[Term]) -> Term {
    let map = formals.iter().copied().zip(values.iter().copied());
    terms.substitute(formula, &map.collect())
}

impl Builder<'_, '_> {
    /// What is known behind a call.
    pub fn summary(&self, callee: ProcedureId, call: &CallValues<'_>) -> Option<Term> {
        let terms = self.terms();
        match &self.lowering.summaries {
            Summaries::None => None,
            Summaries::Asked(signatures) => {
                let signature = signatures.get(&callee)?;
                Some(terms.apply(&signature.called, &call.all(terms, signature)))
            }
            Summaries::Inferred(contracts) => {
                let contract = contracts.get(&callee)?;
                let signature = &contract.signature;
                let values = call.all(terms, signature);
                Some(instance(terms, contract.ensures, &signature.all(), &values))
            }
        }
    }

    /// What an inferred contract demands at a call, if anything.
    pub fn demanded(
        &self,
        callee: ProcedureId,
        call: &CallValues<'_>,
        span: ult_lang::span::Span,
    ) -> Option<Result<Term, UnsupportedExpr>> {
        let terms = self.terms();
        let Summaries::Inferred(contracts) = &self.lowering.summaries else {
            return None;
        };
        let contract = contracts.get(&callee)?;
        if contract.requires == terms.tt() {
            return None;
        }
        let values: Result<Vec<Term>, String> =
            call.inputs(&contract.signature).into_iter().collect();
        Some(match values {
            Ok(values) => Ok(instance(
                terms,
                contract.requires,
                &contract.signature.inputs(),
                &values,
            )),
            Err(what) => Err(UnsupportedExpr::new(what, span)),
        })
    }

    /// Where a call may not come back, the condition for that, in the caller's frame.
    pub fn failing_call(&self, callee: ProcedureId, call: &CallValues<'_>) -> Option<Term> {
        let terms = self.terms();
        let Summaries::Asked(signatures) = &self.lowering.summaries else {
            return None;
        };
        let signature = signatures.get(&callee).filter(|s| !s.entry)?;
        let values = known(terms, &signature.inputs(), call.inputs(signature));
        Some(terms.apply(&signature.failing, &values))
    }

    /// The values of a frame's own variables for the variables of its signature: those at the
    /// entry, and all. To be called where the frame's procedure ends.
    pub fn own_values(&self, frame: &Frame, signature: &Signature) -> (Vec<Term>, Vec<Term>) {
        let terms = self.terms();
        let now = |slot| slot_term(terms, slot, Version::Current);
        let local = |i: usize| now(frame.locals.get(i));
        let global = |id: &GlobalId| now(self.globals.get(id.index()));
        let mut values: Vec<Result<Term, String>> = Vec::new();
        for (id, _) in &signature.before {
            values.push(match frame.olds.get(id) {
                Some(slot) => {
                    frame.olds_used.borrow_mut().insert(*id);
                    now(Some(slot))
                }
                None => global(id),
            });
        }
        values.extend((0..signature.ins.len()).map(local));
        let inputs = known(terms, &signature.inputs(), values.clone());
        values.extend(signature.after.iter().map(|(id, _)| global(id)));
        let first = signature.ins.len();
        values.extend((0..signature.outs.len()).map(|i| local(first + i)));
        (inputs, known(terms, &signature.all(), values))
    }

    /// What an inferred contract lets a procedure assume when it starts.
    pub fn granted(&self, frame: &Frame, role: Role) -> Option<Term> {
        let terms = self.terms();
        let Summaries::Inferred(contracts) = &self.lowering.summaries else {
            return None;
        };
        let contract = contracts.get(&frame.procedure)?;
        if role == Role::Entry || contract.requires == terms.tt() {
            return None;
        }
        let signature = &contract.signature;
        let mut values: Vec<Result<Term, String>> = Vec::new();
        for (id, _) in &signature.before {
            values.push(slot_term(
                terms,
                self.globals.get(id.index()),
                Version::Current,
            ));
        }
        values.extend(
            (0..signature.ins.len())
                .map(|i| slot_term(terms, frame.locals.get(i), Version::Current)),
        );
        let inputs = signature.inputs();
        let values = known(terms, &inputs, values);
        Some(instance(terms, contract.requires, &inputs, &values))
    }

    /// What an inferred contract demands of a procedure when it ends.
    pub fn owed(&self, frame: &Frame) -> Option<Term> {
        let terms = self.terms();
        let Summaries::Inferred(contracts) = &self.lowering.summaries else {
            return None;
        };
        let contract = contracts.get(&frame.procedure)?;
        let (_, values) = self.own_values(frame, &contract.signature);
        let formals = contract.signature.all();
        Some(instance(terms, contract.ensures, &formals, &values))
    }

    /// The signature of a frame's procedure, if summaries are asked for.
    pub fn asked(&self, procedure: ProcedureId) -> Option<&Signature> {
        match &self.lowering.summaries {
            Summaries::Asked(signatures) => signatures.get(&procedure),
            Summaries::None | Summaries::Inferred(_) => None,
        }
    }
}
