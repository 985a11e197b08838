//! The discipline of locks: nobody acquires what is held already, and nobody releases what is not held.
//!
//! After Ivančić and others (TCS 2008, section 6.3): an automaton of two states for each lock. The lock
//! is the first argument's address, so that aliases are one lock, and members of one object are several;
//! functions without arguments have one lock together. Which functions acquire and release is said by
//! the user, or by annotations in the program.

use ult_lang::build::Term;
use ult_lang::hir::Type as Sort;

use super::body::{Body, Pointer};
use crate::ir::{Expr, Function, LockRole, VarId};
use crate::types::Type;

/// Whether the lock at an offset of an object is held.
const HELD: &str = "held~";

/// The variable.
pub(super) fn global(word: &Sort) -> (String, Sort) {
    let by_offset = Sort::map(vec![word.clone()], Sort::Bool);
    (HELD.to_owned(), Sort::map(vec![Sort::Int], by_offset))
}

impl Body<'_, '_> {
    /// At the start, nothing is held.
    pub fn start_of_locks(&mut self) {
        if self.enc.options.properties.locks.is_some() {
            let map = self.var(HELD);
            let none = self.enc.constant_map(map.ty(), &Term::truth(false));
            self.out.assign(&map, &none);
        }
    }

    /// A variable in memory lives anew: what was there before was another lock.
    pub fn forget_locks(&mut self, variable: VarId) {
        if self.enc.options.properties.locks.is_some() && self.enc.memory.is_in_memory(variable) {
            let object = self.object(variable);
            let locks = self.var(HELD).select(&[object]);
            let none = self.enc.constant_map(locks.ty(), &Term::truth(false));
            self.out.assign(&locks, &none);
        }
    }

    /// A call, which may be one of a function that acquires or releases.
    pub fn note_lock(&mut self, function: &Function, args: &[Expr]) {
        let Some(locks) = &self.enc.options.properties.locks else {
            return;
        };
        let Some(role) = locks.role(function) else {
            return;
        };
        let lock = match args.first() {
            None => Pointer {
                base: Term::int(0),
                offset: self.offset(0),
            },
            Some(lock) if matches!(lock.ty, Type::Pointer(_)) => self.pointer(lock),
            Some(_) => {
                self.unsupported("a lock that is no address");
                return;
            }
        };
        let held = self.var(HELD).select(&[lock.base]).select(&[lock.offset]);
        match role {
            LockRole::Acquire => self.assert(&held.clone().not(), "lock acquired while it is held"),
            LockRole::Release => self.assert(&held, "lock released while it is not held"),
        }
        self.out
            .assign(&held, &Term::truth(role == LockRole::Acquire));
    }
}
