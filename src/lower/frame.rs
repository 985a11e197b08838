//! Activations of procedures: which variable of the graph a name means.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use ult_lang::hir::{GlobalId, ImplementationId, ProcedureId, VarRef};

use super::expr::Scope;
use super::origin::FrameId;
use super::sorts::TypeEnv;
use ult_core::formula::{Sort, Term, Terms, Version};

/// A variable of the graph; the error says why the source's variable has none.
pub type Slot = Result<(Arc<str>, Sort), String>;

/// An activation of a procedure: the unit itself, or an inlined call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number in the table of origins.
    pub id: FrameId,
    /// The procedure.
    pub procedure: ProcedureId,
    /// The body at hand, once it is chosen.
    pub implementation: Option<ImplementationId>,
    /// Its name.
    pub name: Arc<str>,
    /// What stands before the names of its variables.
    pub prefix: String,
    /// What its type parameters stand for.
    pub types: TypeEnv,
    /// Its variables by `LocalId`.
    pub locals: Vec<Slot>,
    /// The values at the entry of the globals that it may change.
    pub olds: BTreeMap<GlobalId, Slot>,
    /// Which of them are used.
    pub olds_used: Rc<RefCell<BTreeSet<GlobalId>>>,
    /// Whether its obligations are to be proved; if not, they are known to hold, because the
    /// procedure is also verified on its own for all states in which it may be called.
    pub checked: bool,
}

/// The scope of the statements of a frame.
pub struct FrameScope<'f> {
    /// Where terms are made.
    pub terms: &'f Terms,
    /// The global variables.
    pub globals: &'f [Slot],
    /// The frame.
    pub frame: &'f Frame,
}

/// The term of a slot in a version.
pub fn slot_term(terms: &Terms, slot: Option<&Slot>, version: Version) -> Result<Term, String> {
    match slot {
        Some(Ok((name, sort))) => Ok(terms.var(name.clone(), version, sort.clone())),
        Some(Err(what)) => Err(format!("a variable of {what}")),
        None => Err("an unknown variable".into()),
    }
}

impl Scope for FrameScope<'_> {
    fn variable(&self, variable: VarRef, old: bool) -> Result<Term, String> {
        let slot = match variable {
            VarRef::Global(id) => match self.frame.olds.get(&id) {
                // A global that the procedure cannot change has its old value.
                Some(slot) if old => {
                    self.frame.olds_used.borrow_mut().insert(id);
                    Some(slot)
                }
                _ => self.globals.get(id.index()),
            },
            VarRef::Local(id) => self.frame.locals.get(id.index()),
            _ => None,
        };
        slot_term(self.terms, slot, Version::Current)
    }
}

/// The scope of a contract at a call: parameters are the arguments' values, and globals have one
/// value before the call and one behind it.
pub struct ContractScope<'f> {
    /// In-parameters, then out-parameters.
    pub parameters: &'f [Result<Term, String>],
    /// Globals before the call.
    pub before: &'f [Result<Term, String>],
    /// Globals behind the call.
    pub after: &'f [Result<Term, String>],
}

impl Scope for ContractScope<'_> {
    fn variable(&self, variable: VarRef, old: bool) -> Result<Term, String> {
        let found = match variable {
            VarRef::Global(id) if old => self.before.get(id.index()),
            VarRef::Global(id) => self.after.get(id.index()),
            VarRef::Local(id) => self.parameters.get(id.index()),
            _ => None,
        };
        found
            .cloned()
            .unwrap_or_else(|| Err("an unknown variable".into()))
    }
}
