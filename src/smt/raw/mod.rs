//! Z3's C interface made safe: counted references, one context per [`Context`], and no call
//! whose error goes unseen.
//!
//! The safe layer of the crate `z3` does not do: it ties every object to a thread-local context
//! (so that sessions of one thread would influence each other), panics where Z3 reports an error,
//! and drops the error of calls without a result, which here could lose an assertion or a rule. What `z3-sys` declares is
//! used, and called at the addresses that the library says when it is loaded.
//!
//! This is the only part of the solver room with unsafe code. The rules it keeps, which the SAFETY comments refer
//! to:
//!
//! 1. *Alive*: every object holds a reference count of its own and an `Rc` of its context, so a
//!    pointer is valid as long as the Rust value lives.
//! 2. *Same context*: a pointer is only given to the context it came from; [`Context`] asserts
//!    this for the arguments of its methods.
//! 3. *Errors*: the error handler is switched off; a null pointer or an error code becomes an
//!    [`Error`].
//! 4. *Threads*: `Rc` keeps everything on one thread; only [`Interrupter`] and [`Waker`] cross
//!    threads, and `Z3_interrupt` and `Z3_solver_interrupt` are the two calls that Z3 allows from
//!    other threads. What these are called on is known to [`stop`] alone, which forgets it under
//!    the same lock before it is gone.
//! 5. *Moving*: a whole context may go to another thread with all that belongs to it: [`Apart`]
//!    keeps every object of its context to itself.
//! 6. *Loaded*: the library is loaded before there is a context ([`library`]), and never unloaded; all else is called
//!    on something that a context gave.
//! 7. *Faults*: nothing is called on a context in which something has died ([`call`]), and nothing of it is freed. The one handler
//!    of signals ([`faults`]) is about Z3's own code, and hands on the rest.
#![allow(unsafe_code)]

#[macro_use]
mod library;
mod apart;
#[macro_use]
mod build;
mod call;
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    path = "no_faults.rs"
)]
mod faults;
mod lower;
mod read;
mod sequences;
mod solve;
mod stop;

pub(crate) use apart::Apart;
pub(crate) use call::survive;
pub(crate) use faults::outlive;
#[cfg(test)]
pub(crate) use library::major_version;
pub(crate) use library::{VARIABLE, version};
pub(crate) use read::FloatLiteral;
pub(crate) use stop::{Interrupter, Waker};

use std::ffi::{CStr, CString, c_char};
use std::rc::Rc;

use thiserror::Error;
use z3_sys::*;

use stop::Switch;

/// What Z3 reported.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// Z3 ran out of memory.
    #[error("out of memory")]
    Memory,
    /// Z3 was interrupted inside a call without a result of its own.
    #[error("interrupted")]
    Interrupted,
    /// Something has died in the context.
    #[error("{0}")]
    Died(String),
    /// Z3 refused a call; the text is Z3's.
    #[error("{0}")]
    Refused(String),
}

/// The result of a call.
pub(crate) type Result<T> = std::result::Result<T, Error>;

// These two are called with a plain number as the result: a kind that z3-sys does not list would not be a value of its
// enumeration.
unsafe fn decl_kind_number(c: Z3_context, d: Z3_func_decl) -> u32 {
    type Kind = unsafe extern "C" fn(Z3_context, Z3_func_decl) -> u32;
    // SAFETY: an enumeration of C is an `unsigned` here, as z3-sys says; rule 6.
    unsafe {
        let function = library::typed::<Kind>(library::functions().Z3_get_decl_kind);
        call::call(function, (c, d))
    }
}
unsafe fn sort_kind_number(c: Z3_context, s: Z3_sort) -> u32 {
    type Kind = unsafe extern "C" fn(Z3_context, Z3_sort) -> u32;
    // SAFETY: see `decl_kind_number`.
    unsafe {
        let function = library::typed::<Kind>(library::functions().Z3_get_sort_kind);
        call::call(function, (c, s))
    }
}

struct Owned {
    raw: Z3_context,
    switch: Switch,
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.switch.close();
        // SAFETY: this is the last `Rc`, so no object of the context is left, and no other thread
        // reaches it any more.
        freed(self.raw, || unsafe { z3!(Z3_del_context(self.raw)) });
    }
}

/// Frees something, unless something has died in its context (rule 7). If freeing it dies, that is not told here, but by whatever is
/// called next.
fn freed(context: Z3_context, free: impl FnOnce()) {
    if call::death(Some(context)).is_none() {
        let _ = survive(|| {
            free();
            Ok(())
        });
    }
}

/// A Z3 context: the arena that all other objects belong to.
#[derive(Clone)]
pub(crate) struct Context {
    owned: Rc<Owned>,
}

macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident($raw:ty, $inc:expr, $dec:expr);)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name {
            context: Context,
            raw: $raw,
        }

        impl $name {
            fn new(context: &Context, raw: $raw) -> $name {
                // SAFETY: `raw` was just returned by a call on this context.
                unsafe { ($inc)(context.raw(), raw) };
                $name { context: context.clone(), raw }
            }
        }

        impl Clone for $name {
            fn clone(&self) -> $name {
                $name::new(&self.context, self.raw)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                let context = self.context.raw();
                // SAFETY: gives back the reference taken by `new`, on a context still alive.
                freed(context, || unsafe { ($dec)(context, self.raw) });
            }
        }
    )*};
}

unsafe fn inc_sort(c: Z3_context, s: Z3_sort) {
    // SAFETY: a sort is an AST; rule 1.
    unsafe {
        if let Some(ast) = z3!(Z3_sort_to_ast(c, s)) {
            z3!(Z3_inc_ref(c, ast));
        }
    }
}
unsafe fn dec_sort(c: Z3_context, s: Z3_sort) {
    // SAFETY: see `inc_sort`.
    unsafe {
        if let Some(ast) = z3!(Z3_sort_to_ast(c, s)) {
            z3!(Z3_dec_ref(c, ast));
        }
    }
}
unsafe fn inc_decl(c: Z3_context, d: Z3_func_decl) {
    // SAFETY: a declaration is an AST; rule 1.
    unsafe {
        if let Some(ast) = z3!(Z3_func_decl_to_ast(c, d)) {
            z3!(Z3_inc_ref(c, ast));
        }
    }
}
unsafe fn dec_decl(c: Z3_context, d: Z3_func_decl) {
    // SAFETY: see `inc_decl`.
    unsafe {
        if let Some(ast) = z3!(Z3_func_decl_to_ast(c, d)) {
            z3!(Z3_dec_ref(c, ast));
        }
    }
}
unsafe fn inc_pattern(c: Z3_context, p: Z3_pattern) {
    // SAFETY: a pattern is an AST; rule 1.
    unsafe {
        if let Some(ast) = z3!(Z3_pattern_to_ast(c, p)) {
            z3!(Z3_inc_ref(c, ast));
        }
    }
}
unsafe fn dec_pattern(c: Z3_context, p: Z3_pattern) {
    // SAFETY: see `inc_pattern`.
    unsafe {
        if let Some(ast) = z3!(Z3_pattern_to_ast(c, p)) {
            z3!(Z3_dec_ref(c, ast));
        }
    }
}

/// One of Z3's functions that take a context and an object, as a function.
macro_rules! call {
    ($name:ident) => {
        |context, object| z3!($name(context, object))
    };
}

counted! {
    /// An expression.
    Ast(Z3_ast, call!(Z3_inc_ref), call!(Z3_dec_ref));
    /// A sort.
    Sort(Z3_sort, inc_sort, dec_sort);
    /// The declaration of a function or constant.
    Decl(Z3_func_decl, inc_decl, dec_decl);
    /// A trigger of a quantifier.
    Pattern(Z3_pattern, inc_pattern, dec_pattern);
    /// A solver.
    Solver(Z3_solver, call!(Z3_solver_inc_ref), call!(Z3_solver_dec_ref));
    /// Counters of a solver.
    Counters(Z3_stats, call!(Z3_stats_inc_ref), call!(Z3_stats_dec_ref));
    /// A model.
    Model(Z3_model, call!(Z3_model_inc_ref), call!(Z3_model_dec_ref));
    /// The meaning of a function in a model.
    FunctionTable(Z3_func_interp, call!(Z3_func_interp_inc_ref), call!(Z3_func_interp_dec_ref));
    /// A solver for Horn clauses.
    Fixedpoint(Z3_fixedpoint, call!(Z3_fixedpoint_inc_ref), call!(Z3_fixedpoint_dec_ref));
    /// A way to change formulas.
    Tactic(Z3_tactic, call!(Z3_tactic_inc_ref), call!(Z3_tactic_dec_ref));
    /// Formulas that a tactic works on.
    Goal(Z3_goal, call!(Z3_goal_inc_ref), call!(Z3_goal_dec_ref));
    /// What a tactic made of its goal.
    Outcome(Z3_apply_result, call!(Z3_apply_result_inc_ref), call!(Z3_apply_result_dec_ref));
    /// Settings.
    Params(Z3_params, call!(Z3_params_inc_ref), call!(Z3_params_dec_ref));
}

/// The answer of a satisfiability check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Z3 does not know.
    Unknown,
}

/// What kind of expression an [`Ast`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A numeral.
    Numeral,
    /// An application of a declaration.
    App,
    /// A variable bound by a quantifier, by its de Bruijn index.
    Bound(u32),
    /// A universal quantifier.
    Forall,
    /// An existential quantifier.
    Exists,
    /// A lambda.
    Lambda,
    /// Anything else.
    Other,
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::Refused("a name with a zero byte".into()))
}

/// A copy of a string that Z3 owns.
fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: Z3 returns zero-terminated strings that live until the next call on the context;
    // the copy is made at once.
    unsafe { CStr::from_ptr(pointer) }
        .to_string_lossy()
        .into_owned()
}

/// Settings that Z3 has for the whole process only, and why they are not as Z3 sets them by itself.
const SETTINGS: [(&CStr, &CStr); 2] = [
    // The projection by congruence has been seen to die of a segmentation fault, in `mbp::term_graph::qel`, when Spacer worked
    // on Horn clauses with quantifiers. A dead process takes all verdicts with it, so the older projection is used.
    (c"smt.qsat_use_qel", c"false"),
    // Where a quantifier has no triggers, one term that mentions all of its variables is better than several that do so
    // together: these match each pair of terms there is, and Z3 5.4 prefers them by itself.
    (c"pi.decompose_patterns", c"false"),
];

fn settings_of_the_process() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for (name, value) in SETTINGS {
            // SAFETY: Z3 copies the strings; no context exists yet that could read the setting.
            unsafe { z3!(Z3_global_param_set(name.as_ptr(), value.as_ptr())) };
        }
    });
}

impl Context {
    /// A new context, independent of all others.
    pub(crate) fn new() -> Result<Context> {
        let no_memory = || Error::Refused("no context".into());
        library::loaded().map_err(|why| Error::Refused(why.into()))?;
        if let Some(fault) = call::death(None) {
            return Err(Error::Died(fault.to_string()));
        }
        settings_of_the_process();
        // SAFETY: the configuration lives until it is deleted, after the context was made.
        unsafe {
            let config = z3!(Z3_mk_config()).ok_or_else(no_memory)?;
            let raw = z3!(Z3_mk_context_rc(config));
            z3!(Z3_del_config(config));
            let raw = raw.ok_or_else(no_memory)?;
            z3!(Z3_set_error_handler(raw, None));
            Ok(Context {
                owned: Rc::new(Owned {
                    raw,
                    // The context closes it before it goes.
                    switch: Switch::of(raw),
                }),
            })
        }
    }

    /// A handle for another thread.
    pub(crate) fn interrupter(&self) -> Interrupter {
        self.owned.switch.interrupter()
    }

    /// Fails if something has died here, so that nothing can be asked any more.
    pub(crate) fn alive(&self) -> Result<()> {
        match call::death(Some(self.raw())) {
            Some(fault) => Err(Error::Died(fault.to_string())),
            None => Ok(()),
        }
    }

    fn raw(&self) -> Z3_context {
        self.owned.raw
    }

    /// Rule 2.
    fn own(&self, asts: &[&Ast]) {
        for ast in asts {
            assert!(self.raw() == ast.context.raw(), "two Z3 contexts mixed");
        }
    }

    fn raw_args(&self, args: &[Ast]) -> Result<Vec<Z3_ast>> {
        if u32::try_from(args.len()).is_err() {
            return Err(Error::Refused("too many arguments".into()));
        }
        Ok(args
            .iter()
            .map(|ast| {
                self.own(&[ast]);
                ast.raw
            })
            .collect())
    }

    fn raw_sorts(&self, sorts: &[Sort]) -> Vec<Z3_sort> {
        sorts
            .iter()
            .map(|sort| {
                assert!(self.raw() == sort.context.raw(), "two Z3 contexts mixed");
                sort.raw
            })
            .collect()
    }

    /// The error of the last call, if it left one.
    fn pending(&self) -> Result<()> {
        // SAFETY: rule 1.
        let code = unsafe { z3!(Z3_get_error_code(self.raw())) };
        match code {
            ErrorCode::Ok => Ok(()),
            ErrorCode::MemoutFail => Err(Error::Memory),
            _ => {
                // SAFETY: rule 1.
                let message = text(unsafe { z3!(Z3_get_error_msg(self.raw(), code)) });
                Err(match message.as_str() {
                    "canceled" | "cancelled" | "interrupted" => Error::Interrupted,
                    "out of memory" | "max. memory exceeded" => Error::Memory,
                    _ => Error::Refused(message),
                })
            }
        }
    }

    fn some<T>(&self, raw: Option<T>) -> Result<T> {
        match raw {
            Some(raw) => Ok(raw),
            None => {
                self.pending()?;
                Err(Error::Refused("no result".into()))
            }
        }
    }

    fn ast(&self, raw: Option<Z3_ast>) -> Result<Ast> {
        Ok(Ast::new(self, self.some(raw)?))
    }

    fn sort(&self, raw: Option<Z3_sort>) -> Result<Sort> {
        Ok(Sort::new(self, self.some(raw)?))
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol> {
        let name = c_string(name)?;
        // SAFETY: Z3 copies the string.
        self.some(unsafe { z3!(Z3_mk_string_symbol(self.raw(), name.as_ptr())) })
    }

    fn truth(&self, answer: i32) -> Result<Truth> {
        self.pending()?;
        Ok(match answer {
            Z3_L_TRUE => Truth::Sat,
            Z3_L_FALSE => Truth::Unsat,
            _ => Truth::Unknown,
        })
    }
}
