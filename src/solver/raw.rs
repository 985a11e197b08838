//! Z3's C interface made safe: counted references, one context per [`Context`], and no call
//! whose error goes unseen.
//!
//! The `z3` crate's own safe layer is not used: it ties every object to a thread-local context
//! (so that sessions of one thread would influence each other), panics where Z3 reports an error,
//! and drops the error of calls without a result, which here could lose an assertion or a rule.
//!
//! This is the only module with unsafe code. The rules it keeps, which the SAFETY comments refer
//! to:
//!
//! 1. *Alive*: every object holds a reference count of its own and an `Rc` of its context, so a
//!    pointer is valid as long as the Rust value lives.
//! 2. *Same context*: a pointer is only given to the context it came from; [`Context`] asserts
//!    this for the arguments of its methods.
//! 3. *Errors*: the error handler is switched off; a null pointer or an error code becomes an
//!    [`Error`].
//! 4. *Threads*: `Rc` keeps everything on one thread; only [`Interrupter`] crosses threads, and
//!    `Z3_interrupt` is the one call that Z3 allows from other threads.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::rc::Rc;

use thiserror::Error;
use z3_sys::*;

/// What Z3 reported.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// Z3 ran out of memory.
    #[error("out of memory")]
    Memory,
    /// Z3 was interrupted inside a call without a result of its own.
    #[error("interrupted")]
    Interrupted,
    /// Z3 refused a call; the text is Z3's.
    #[error("{0}")]
    Refused(String),
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

unsafe extern "C" {
    // Declared here with a plain number as the result: a kind that z3-sys does not list would
    // not be a value of its enumeration.
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind_number(c: Z3_context, d: Z3_func_decl) -> u32;
    #[link_name = "Z3_get_sort_kind"]
    fn sort_kind_number(c: Z3_context, s: Z3_sort) -> u32;
}

#[derive(PartialEq, Eq)]
struct Owned(Z3_context);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this is the last `Rc`, so no object of the context is left.
        unsafe { Z3_del_context(self.0) }
    }
}

/// A Z3 context: the arena that all other objects belong to.
#[derive(Clone)]
pub struct Context {
    owned: Rc<Owned>,
}

/// Stops whatever its context computes, from any thread.
///
/// It must not outlive the context: see [`Context::interrupter`].
pub struct Interrupter(Z3_context);

// SAFETY: rule 4, `Z3_interrupt` may be called from any thread.
unsafe impl Send for Interrupter {}

impl Interrupter {
    /// Stops the computation under way, if there is one.
    pub fn interrupt(&self) {
        // SAFETY: who asked for the interrupter keeps the context alive meanwhile.
        unsafe { Z3_interrupt(self.0) }
    }
}

macro_rules! counted {
    ($($(#[$doc:meta])* $name:ident($raw:ty, $inc:expr, $dec:expr);)*) => {$(
        $(#[$doc])*
        pub struct $name {
            context: Context,
            raw: $raw,
        }

        impl $name {
            fn new(context: &Context, raw: $raw) -> $name {
                // SAFETY: `raw` was just returned by a call on this context.
                unsafe { $inc(context.raw(), raw) };
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
                // SAFETY: gives back the reference taken by `new`, on a context still alive.
                unsafe { $dec(self.context.raw(), self.raw) };
            }
        }
    )*};
}

unsafe fn inc_sort(c: Z3_context, s: Z3_sort) {
    // SAFETY: a sort is an AST; rule 1.
    unsafe {
        if let Some(ast) = Z3_sort_to_ast(c, s) {
            Z3_inc_ref(c, ast);
        }
    }
}
unsafe fn dec_sort(c: Z3_context, s: Z3_sort) {
    // SAFETY: see `inc_sort`.
    unsafe {
        if let Some(ast) = Z3_sort_to_ast(c, s) {
            Z3_dec_ref(c, ast);
        }
    }
}
unsafe fn inc_decl(c: Z3_context, d: Z3_func_decl) {
    // SAFETY: a declaration is an AST; rule 1.
    unsafe {
        if let Some(ast) = Z3_func_decl_to_ast(c, d) {
            Z3_inc_ref(c, ast);
        }
    }
}
unsafe fn dec_decl(c: Z3_context, d: Z3_func_decl) {
    // SAFETY: see `inc_decl`.
    unsafe {
        if let Some(ast) = Z3_func_decl_to_ast(c, d) {
            Z3_dec_ref(c, ast);
        }
    }
}
unsafe fn inc_pattern(c: Z3_context, p: Z3_pattern) {
    // SAFETY: a pattern is an AST; rule 1.
    unsafe {
        if let Some(ast) = Z3_pattern_to_ast(c, p) {
            Z3_inc_ref(c, ast);
        }
    }
}
unsafe fn dec_pattern(c: Z3_context, p: Z3_pattern) {
    // SAFETY: see `inc_pattern`.
    unsafe {
        if let Some(ast) = Z3_pattern_to_ast(c, p) {
            Z3_dec_ref(c, ast);
        }
    }
}

counted! {
    /// An expression.
    Ast(Z3_ast, Z3_inc_ref, Z3_dec_ref);
    /// A sort.
    Sort(Z3_sort, inc_sort, dec_sort);
    /// The declaration of a function or constant.
    Decl(Z3_func_decl, inc_decl, dec_decl);
    /// A trigger of a quantifier.
    Pattern(Z3_pattern, inc_pattern, dec_pattern);
    /// A solver.
    Solver(Z3_solver, Z3_solver_inc_ref, Z3_solver_dec_ref);
    /// A model.
    Model(Z3_model, Z3_model_inc_ref, Z3_model_dec_ref);
    /// The meaning of a function in a model.
    FunctionTable(Z3_func_interp, Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
    /// A solver for Horn clauses.
    Fixedpoint(Z3_fixedpoint, Z3_fixedpoint_inc_ref, Z3_fixedpoint_dec_ref);
    /// Settings.
    Params(Z3_params, Z3_params_inc_ref, Z3_params_dec_ref);
}

/// The answer of a satisfiability check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Z3 does not know.
    Unknown,
}

/// What kind of expression an [`Ast`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
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

/// The version of the library that is linked, as it states it.
pub fn full_version() -> String {
    // SAFETY: a constant string.
    text(unsafe { Z3_get_full_version() })
}

macro_rules! builders {
    ($(#[$doc:meta])* constants: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self) -> Result<Ast> {
            // SAFETY: rules 1 and 3.
            self.ast(unsafe { $function(self.raw()) })
        }
    )*};
    (unary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self, a: &Ast) -> Result<Ast> {
            self.own(&[a]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { $function(self.raw(), a.raw) })
        }
    )*};
    (binary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self, a: &Ast, b: &Ast) -> Result<Ast> {
            self.own(&[a, b]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { $function(self.raw(), a.raw, b.raw) })
        }
    )*};
    (ternary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self, a: &Ast, b: &Ast, c: &Ast) -> Result<Ast> {
            self.own(&[a, b, c]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { $function(self.raw(), a.raw, b.raw, c.raw) })
        }
    )*};
    (many: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self, args: &[Ast]) -> Result<Ast> {
            let raw = self.raw_args(args)?;
            // SAFETY: rules 1 to 3; the array has the length given.
            self.ast(unsafe { $function(self.raw(), raw.len() as u32, raw.as_ptr()) })
        }
    )*};
    (sorts: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub fn $name(&self) -> Result<Sort> {
            // SAFETY: rules 1 and 3.
            self.sort(unsafe { $function(self.raw()) })
        }
    )*};
}

impl Context {
    /// A new context, independent of all others.
    pub fn new() -> Result<Context> {
        let no_memory = || Error::Refused("no context".into());
        // SAFETY: the configuration lives until it is deleted, after the context was made.
        unsafe {
            let config = Z3_mk_config().ok_or_else(no_memory)?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(no_memory)?;
            Z3_set_error_handler(raw, None);
            Ok(Context {
                owned: Rc::new(Owned(raw)),
            })
        }
    }

    /// A handle for another thread. The caller must drop it before the context's last object.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.raw())
    }

    fn raw(&self) -> Z3_context {
        self.owned.0
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
        let code = unsafe { Z3_get_error_code(self.raw()) };
        match code {
            ErrorCode::Ok => Ok(()),
            ErrorCode::MemoutFail => Err(Error::Memory),
            _ => {
                // SAFETY: rule 1.
                let message = text(unsafe { Z3_get_error_msg(self.raw(), code) });
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
        self.some(unsafe { Z3_mk_string_symbol(self.raw(), name.as_ptr()) })
    }

    // --- sorts --------------------------------------------------------------------------------

    builders! { sorts:
        bool_sort = Z3_mk_bool_sort;
        int_sort = Z3_mk_int_sort;
        real_sort = Z3_mk_real_sort;
        rounding_mode_sort = Z3_mk_fpa_rounding_mode_sort;
    }

    /// Bit-vectors of a width of at least one.
    pub fn bitvec_sort(&self, width: u32) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { Z3_mk_bv_sort(self.raw(), width) })
    }

    /// Floating point with the given exponent and significand widths.
    pub fn float_sort(&self, exponent: u32, significand: u32) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { Z3_mk_fpa_sort(self.raw(), exponent, significand) })
    }

    /// Arrays with one or more indices.
    pub fn array_sort(&self, domain: &[Sort], range: &Sort) -> Result<Sort> {
        let domain = self.raw_sorts(domain);
        let length = domain.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.sort(unsafe { Z3_mk_array_sort_n(self.raw(), length, domain.as_ptr(), range.raw) })
    }

    /// An uninterpreted sort.
    pub fn uninterpreted_sort(&self, name: &str) -> Result<Sort> {
        let symbol = self.symbol(name)?;
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { Z3_mk_uninterpreted_sort(self.raw(), symbol) })
    }

    // --- declarations -------------------------------------------------------------------------

    /// A function (a constant without parameters).
    pub fn declare(&self, name: &str, params: &[Sort], result: &Sort) -> Result<Decl> {
        let symbol = self.symbol(name)?;
        let params = self.raw_sorts(params);
        // SAFETY: rules 1 to 3; the array has the length given.
        let raw = unsafe {
            Z3_mk_func_decl(
                self.raw(),
                symbol,
                params.len() as u32,
                params.as_ptr(),
                result.raw,
            )
        };
        Ok(Decl::new(self, self.some(raw)?))
    }

    /// An application.
    pub fn apply(&self, decl: &Decl, args: &[Ast]) -> Result<Ast> {
        let raw = self.raw_args(args)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe { Z3_mk_app(self.raw(), decl.raw, raw.len() as u32, raw.as_ptr()) })
    }

    // --- expressions --------------------------------------------------------------------------

    /// A number of an arithmetic or bit-vector sort, from decimal digits (`-3`, `1/3`).
    pub fn numeral(&self, digits: &str, sort: &Sort) -> Result<Ast> {
        let digits = c_string(digits)?;
        // SAFETY: rules 1 to 3; Z3 copies the string.
        self.ast(unsafe { Z3_mk_numeral(self.raw(), digits.as_ptr(), sort.raw) })
    }

    builders! { constants:
        tt = Z3_mk_true;
        ff = Z3_mk_false;
        rne = Z3_mk_fpa_rne;
        rna = Z3_mk_fpa_rna;
        rtp = Z3_mk_fpa_rtp;
        rtn = Z3_mk_fpa_rtn;
        rtz = Z3_mk_fpa_rtz;
    }

    builders! { unary:
        not = Z3_mk_not;
        int_to_real = Z3_mk_int2real;
        real_to_int = Z3_mk_real2int;
        bvnot = Z3_mk_bvnot;
        bvneg = Z3_mk_bvneg;
        fp_abs = Z3_mk_fpa_abs;
        fp_neg = Z3_mk_fpa_neg;
        fp_is_normal = Z3_mk_fpa_is_normal;
        fp_is_subnormal = Z3_mk_fpa_is_subnormal;
        fp_is_zero = Z3_mk_fpa_is_zero;
        fp_is_infinite = Z3_mk_fpa_is_infinite;
        fp_is_nan = Z3_mk_fpa_is_nan;
        fp_is_negative = Z3_mk_fpa_is_negative;
        fp_is_positive = Z3_mk_fpa_is_positive;
        fp_to_real = Z3_mk_fpa_to_real;
        fp_to_ieee = Z3_mk_fpa_to_ieee_bv;
    }

    builders! { binary:
        eq = Z3_mk_eq;
        implies = Z3_mk_implies;
        div = Z3_mk_div;
        modulo = Z3_mk_mod;
        le = Z3_mk_le;
        lt = Z3_mk_lt;
        bvand = Z3_mk_bvand;
        bvor = Z3_mk_bvor;
        bvxor = Z3_mk_bvxor;
        bvnand = Z3_mk_bvnand;
        bvnor = Z3_mk_bvnor;
        bvxnor = Z3_mk_bvxnor;
        bvadd = Z3_mk_bvadd;
        bvsub = Z3_mk_bvsub;
        bvmul = Z3_mk_bvmul;
        bvudiv = Z3_mk_bvudiv;
        bvurem = Z3_mk_bvurem;
        bvsdiv = Z3_mk_bvsdiv;
        bvsrem = Z3_mk_bvsrem;
        bvsmod = Z3_mk_bvsmod;
        bvshl = Z3_mk_bvshl;
        bvlshr = Z3_mk_bvlshr;
        bvashr = Z3_mk_bvashr;
        bvult = Z3_mk_bvult;
        bvule = Z3_mk_bvule;
        bvslt = Z3_mk_bvslt;
        bvsle = Z3_mk_bvsle;
        concat = Z3_mk_concat;
        fp_eq = Z3_mk_fpa_eq;
        fp_lt = Z3_mk_fpa_lt;
        fp_leq = Z3_mk_fpa_leq;
        fp_gt = Z3_mk_fpa_gt;
        fp_geq = Z3_mk_fpa_geq;
        fp_rem = Z3_mk_fpa_rem;
        fp_min = Z3_mk_fpa_min;
        fp_max = Z3_mk_fpa_max;
        fp_sqrt = Z3_mk_fpa_sqrt;
        fp_round = Z3_mk_fpa_round_to_integral;
    }

    builders! { ternary:
        ite = Z3_mk_ite;
        fp_make = Z3_mk_fpa_fp;
        fp_add = Z3_mk_fpa_add;
        fp_sub = Z3_mk_fpa_sub;
        fp_mul = Z3_mk_fpa_mul;
        fp_div = Z3_mk_fpa_div;
    }

    builders! { many:
        and = Z3_mk_and;
        or = Z3_mk_or;
        distinct = Z3_mk_distinct;
        add = Z3_mk_add;
        mul = Z3_mk_mul;
    }

    /// `rm, x, y, z` fused.
    pub fn fp_fma(&self, args: [&Ast; 4]) -> Result<Ast> {
        self.own(&args);
        let [rm, x, y, z] = args;
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_fpa_fma(self.raw(), rm.raw, x.raw, y.raw, z.raw) })
    }

    /// Plus or minus infinity.
    pub fn fp_infinity(&self, sort: &Sort, negative: bool) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_fpa_inf(self.raw(), sort.raw, negative) })
    }

    /// Plus or minus zero.
    pub fn fp_zero(&self, sort: &Sort, negative: bool) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_fpa_zero(self.raw(), sort.raw, negative) })
    }

    /// Not a number.
    pub fn fp_nan(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_fpa_nan(self.raw(), sort.raw) })
    }

    /// The float with the given bits.
    pub fn fp_from_bits(&self, bits: &Ast, sort: &Sort) -> Result<Ast> {
        self.own(&[bits]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_fpa_to_fp_bv(self.raw(), bits.raw, sort.raw) })
    }

    /// A rounding conversion to a float; `signed` matters for bit-vectors only.
    pub fn fp_round_from(&self, rm: &Ast, from: &Ast, sort: &Sort, signed: bool) -> Result<Ast> {
        self.own(&[rm, from]);
        let kind = from.sort()?.kind();
        let (c, rm, x, s) = (self.raw(), rm.raw, from.raw, sort.raw);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe {
            if kind == SortKind::Bv as u32 && signed {
                Z3_mk_fpa_to_fp_signed(c, rm, x, s)
            } else if kind == SortKind::Bv as u32 {
                Z3_mk_fpa_to_fp_unsigned(c, rm, x, s)
            } else if kind == SortKind::FloatingPoint as u32 {
                Z3_mk_fpa_to_fp_float(c, rm, x, s)
            } else {
                Z3_mk_fpa_to_fp_real(c, rm, x, s)
            }
        })
    }

    /// A float as a bit-vector number of a width.
    pub fn fp_to_bits(&self, rm: &Ast, x: &Ast, width: u32, signed: bool) -> Result<Ast> {
        self.own(&[rm, x]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe {
            if signed {
                Z3_mk_fpa_to_sbv(self.raw(), rm.raw, x.raw, width)
            } else {
                Z3_mk_fpa_to_ubv(self.raw(), rm.raw, x.raw, width)
            }
        })
    }

    /// The bits `high ..= low`.
    pub fn extract(&self, high: u32, low: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_extract(self.raw(), high, low, a.raw) })
    }

    /// Adds zero bits at the top.
    pub fn zero_extend(&self, by: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_zero_ext(self.raw(), by, a.raw) })
    }

    /// Repeats the sign bit at the top.
    pub fn sign_extend(&self, by: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_sign_ext(self.raw(), by, a.raw) })
    }

    /// The element at an index.
    pub fn select(&self, array: &Ast, indices: &[Ast]) -> Result<Ast> {
        self.own(&[array]);
        let raw = self.raw_args(indices)?;
        let length = raw.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe { Z3_mk_select_n(self.raw(), array.raw, length, raw.as_ptr()) })
    }

    /// The array with another element at an index.
    pub fn store(&self, array: &Ast, indices: &[Ast], value: &Ast) -> Result<Ast> {
        self.own(&[array, value]);
        let raw = self.raw_args(indices)?;
        let (length, indices) = (raw.len() as u32, raw.as_ptr());
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe { Z3_mk_store_n(self.raw(), array.raw, length, indices, value.raw) })
    }

    /// The array with `value` at every index of the sort.
    pub fn const_array(&self, domain: &Sort, value: &Ast) -> Result<Ast> {
        self.own(&[value]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { Z3_mk_const_array(self.raw(), domain.raw, value.raw) })
    }

    /// A trigger.
    pub fn pattern(&self, terms: &[Ast]) -> Result<Pattern> {
        let raw = self.raw_args(terms)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        let pattern = unsafe { Z3_mk_pattern(self.raw(), raw.len() as u32, raw.as_ptr()) };
        Ok(Pattern::new(self, self.some(pattern)?))
    }

    /// Quantifies constants.
    pub fn quantify(
        &self,
        universal: bool,
        bound: &[Ast],
        patterns: &[Pattern],
        body: &Ast,
    ) -> Result<Ast> {
        self.own(&[body]);
        let bound = self.apps(bound)?;
        let patterns: Vec<Z3_pattern> = patterns.iter().map(|p| p.raw).collect();
        let make = if universal {
            Z3_mk_forall_const
        } else {
            Z3_mk_exists_const
        };
        // SAFETY: rules 1 to 3; the arrays have the lengths given.
        self.ast(unsafe {
            make(
                self.raw(),
                0,
                bound.len() as u32,
                bound.as_ptr(),
                patterns.len() as u32,
                patterns.as_ptr(),
                body.raw,
            )
        })
    }

    /// An array by abstraction of constants, one per index.
    pub fn lambda(&self, bound: &[Ast], body: &Ast) -> Result<Ast> {
        self.own(&[body]);
        let bound = self.apps(bound)?;
        let length = bound.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe { Z3_mk_lambda_const(self.raw(), length, bound.as_ptr(), body.raw) })
    }

    fn apps(&self, asts: &[Ast]) -> Result<Vec<Z3_app>> {
        asts.iter()
            .map(|ast| {
                self.own(&[ast]);
                if ast.shape() != Shape::App {
                    return Err(Error::Refused("not a constant".into()));
                }
                // SAFETY: rule 1, and it is an application.
                self.some(unsafe { Z3_to_app(self.raw(), ast.raw) })
            })
            .collect()
    }

    // --- solvers ------------------------------------------------------------------------------

    /// Settings, not yet filled.
    pub fn params(&self) -> Result<Params> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { Z3_mk_params(self.raw()) })?;
        Ok(Params::new(self, raw))
    }

    /// Z3's incremental core without its tactics.
    pub fn simple_solver(&self) -> Result<Solver> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { Z3_mk_simple_solver(self.raw()) })?;
        Ok(Solver::new(self, raw))
    }

    /// Z3's combined solver.
    pub fn combined_solver(&self) -> Result<Solver> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { Z3_mk_solver(self.raw()) })?;
        Ok(Solver::new(self, raw))
    }

    /// The solver Z3 makes for a logic of SMT-LIB.
    pub fn solver_for(&self, logic: &str) -> Result<Solver> {
        let logic = self.symbol(logic)?;
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { Z3_mk_solver_for_logic(self.raw(), logic) })?;
        Ok(Solver::new(self, raw))
    }

    /// A solver for Horn clauses.
    pub fn fixedpoint(&self) -> Result<Fixedpoint> {
        // SAFETY: rules 1 and 3.
        let raw = self.some(unsafe { Z3_mk_fixedpoint(self.raw()) })?;
        Ok(Fixedpoint::new(self, raw))
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

impl Params {
    /// A number.
    pub fn set_number(&self, name: &str, value: u32) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: rules 1 to 3.
        unsafe { Z3_params_set_uint(self.context.raw(), self.raw, name, value) };
        self.context.pending()
    }

    /// A switch.
    pub fn set_bool(&self, name: &str, value: bool) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: rules 1 to 3.
        unsafe { Z3_params_set_bool(self.context.raw(), self.raw, name, value) };
        self.context.pending()
    }

    /// A name.
    pub fn set_symbol(&self, name: &str, value: &str) -> Result<()> {
        let (name, value) = (self.context.symbol(name)?, self.context.symbol(value)?);
        // SAFETY: rules 1 to 3.
        unsafe { Z3_params_set_symbol(self.context.raw(), self.raw, name, value) };
        self.context.pending()
    }
}

impl Solver {
    /// Changes settings.
    pub fn set(&self, params: &Params) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe { Z3_solver_set_params(self.context.raw(), self.raw, params.raw) };
        self.context.pending()
    }

    /// Adds a formula.
    pub fn assert(&self, formula: &Ast) -> Result<()> {
        self.context.own(&[formula]);
        // SAFETY: rules 1 to 3.
        unsafe { Z3_solver_assert(self.context.raw(), self.raw, formula.raw) };
        self.context.pending()
    }

    /// Opens a level.
    pub fn push(&self) -> Result<()> {
        // SAFETY: rule 1.
        unsafe { Z3_solver_push(self.context.raw(), self.raw) };
        self.context.pending()
    }

    /// Closes a level.
    pub fn pop(&self) -> Result<()> {
        // SAFETY: rule 1; popping too much is an error that Z3 reports.
        unsafe { Z3_solver_pop(self.context.raw(), self.raw, 1) };
        self.context.pending()
    }

    /// Checks what was added together with the assumptions.
    pub fn check(&self, assumptions: &[Ast]) -> Result<Truth> {
        let raw = self.context.raw_args(assumptions)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        let answer = unsafe {
            Z3_solver_check_assumptions(
                self.context.raw(),
                self.raw,
                raw.len() as u32,
                raw.as_ptr(),
            )
        };
        self.context.truth(answer)
    }

    /// Why the last check was not answered.
    pub fn reason_unknown(&self) -> String {
        // SAFETY: rule 1.
        text(unsafe { Z3_solver_get_reason_unknown(self.context.raw(), self.raw) })
    }

    /// The assumptions that suffice for the last `Unsat`.
    pub fn core(&self) -> Result<Vec<Ast>> {
        let c = self.context.raw();
        // SAFETY: rule 1; the vector is counted while it is read.
        unsafe {
            let vector = self.context.some(Z3_solver_get_unsat_core(c, self.raw))?;
            Z3_ast_vector_inc_ref(c, vector);
            let asts = (0..Z3_ast_vector_size(c, vector))
                .map(|i| self.context.ast(Z3_ast_vector_get(c, vector, i)))
                .collect();
            Z3_ast_vector_dec_ref(c, vector);
            asts
        }
    }

    /// The model of the last `Sat`.
    pub fn model(&self) -> Result<Model> {
        // SAFETY: rules 1 and 3.
        let raw = unsafe { Z3_solver_get_model(self.context.raw(), self.raw) };
        Ok(Model::new(&self.context, self.context.some(raw)?))
    }
}

impl Fixedpoint {
    /// Changes settings.
    pub fn set(&self, params: &Params) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe { Z3_fixedpoint_set_params(self.context.raw(), self.raw, params.raw) };
        self.context.pending()
    }

    /// Makes a declaration a predicate to be solved for.
    pub fn register(&self, predicate: &Decl) -> Result<()> {
        // SAFETY: rules 1 to 3.
        unsafe { Z3_fixedpoint_register_relation(self.context.raw(), self.raw, predicate.raw) };
        self.context.pending()
    }

    /// Adds a clause.
    pub fn rule(&self, clause: &Ast) -> Result<()> {
        self.context.own(&[clause]);
        // SAFETY: rules 1 to 3.
        unsafe { Z3_fixedpoint_add_rule(self.context.raw(), self.raw, clause.raw, None) };
        self.context.pending()
    }

    /// Whether the query can be derived.
    pub fn query(&self, query: &Ast) -> Result<Truth> {
        self.context.own(&[query]);
        // SAFETY: rules 1 to 3.
        let answer = unsafe { Z3_fixedpoint_query(self.context.raw(), self.raw, query.raw) };
        self.context.truth(answer)
    }

    /// The predicates found after `Unsat`.
    pub fn answer(&self) -> Result<Ast> {
        // SAFETY: rules 1 and 3.
        self.context
            .ast(unsafe { Z3_fixedpoint_get_answer(self.context.raw(), self.raw) })
    }

    /// Why the last query was not answered.
    pub fn reason_unknown(&self) -> String {
        // SAFETY: rule 1.
        text(unsafe { Z3_fixedpoint_get_reason_unknown(self.context.raw(), self.raw) })
    }
}

impl Model {
    /// The value of an expression, with arbitrary values for what the model leaves open.
    pub fn eval(&self, ast: &Ast) -> Result<Ast> {
        self.context.own(&[ast]);
        let c = self.context.raw();
        let mut value = ast.raw;
        // SAFETY: rules 1 to 3; `value` is written on success.
        let done = unsafe { Z3_model_eval(c, self.raw, ast.raw, true, &mut value) };
        self.context.ast(done.then_some(value))
    }

    /// The table of a function with parameters; `None` if the model leaves it open.
    pub fn function(&self, decl: &Decl) -> Result<Option<FunctionTable>> {
        let c = self.context.raw();
        // SAFETY: rules 1 to 3; the error is asked for where the result is null.
        let raw = unsafe { Z3_model_get_func_interp(c, self.raw, decl.raw) };
        if raw.is_none() {
            self.context.pending()?;
        }
        Ok(raw.map(|raw| FunctionTable::new(&self.context, raw)))
    }

    /// Model-based projection: see [`super::model::Model::project`].
    pub fn project(&self, formula: &Ast, eliminate: &[Ast]) -> Result<Ast> {
        self.context.own(&[formula]);
        let bound = self.context.apps(eliminate)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.context.ast(unsafe {
            Z3_qe_model_project(
                self.context.raw(),
                self.raw,
                bound.len() as u32,
                bound.as_ptr(),
                formula.raw,
            )
        })
    }
}

impl FunctionTable {
    /// Arguments and value of every entry.
    pub fn entries(&self) -> Result<Vec<(Vec<Ast>, Ast)>> {
        let context = &self.context;
        let c = context.raw();
        // SAFETY: rules 1 and 3; indices are below the numbers asked for, and each entry is
        // counted while it is read.
        unsafe {
            (0..Z3_func_interp_get_num_entries(c, self.raw))
                .map(|i| {
                    let entry = context.some(Z3_func_interp_get_entry(c, self.raw, i))?;
                    Z3_func_entry_inc_ref(c, entry);
                    let args: Result<Vec<Ast>> = (0..Z3_func_entry_get_num_args(c, entry))
                        .map(|j| context.ast(Z3_func_entry_get_arg(c, entry, j)))
                        .collect();
                    let value = context.ast(Z3_func_entry_get_value(c, entry));
                    Z3_func_entry_dec_ref(c, entry);
                    Ok((args?, value?))
                })
                .collect()
        }
    }

    /// The value everywhere else. It may mention the arguments as [`Shape::Bound`].
    pub fn otherwise(&self) -> Result<Ast> {
        // SAFETY: rules 1 and 3.
        self.context
            .ast(unsafe { Z3_func_interp_get_else(self.context.raw(), self.raw) })
    }
}

impl Ast {
    /// A number that is unique among the living expressions of the context.
    pub fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { Z3_get_ast_id(self.context.raw(), self.raw) }
    }

    /// What it is.
    pub fn shape(&self) -> Shape {
        let c = self.context.raw();
        // SAFETY: rule 1; the questions about quantifiers and indices are asked of such only.
        unsafe {
            match Z3_get_ast_kind(c, self.raw) {
                AstKind::Numeral => Shape::Numeral,
                AstKind::App => Shape::App,
                AstKind::Var => Shape::Bound(Z3_get_index_value(c, self.raw)),
                AstKind::Quantifier if Z3_is_quantifier_forall(c, self.raw) => Shape::Forall,
                AstKind::Quantifier if Z3_is_quantifier_exists(c, self.raw) => Shape::Exists,
                AstKind::Quantifier if Z3_is_lambda(c, self.raw) => Shape::Lambda,
                _ => Shape::Other,
            }
        }
    }

    /// Its sort.
    pub fn sort(&self) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.context
            .sort(unsafe { Z3_get_sort(self.context.raw(), self.raw) })
    }

    /// The declaration that is applied. Only for [`Shape::App`] and [`Shape::Numeral`].
    pub fn decl(&self) -> Result<Decl> {
        let c = self.context.raw();
        if !matches!(self.shape(), Shape::App | Shape::Numeral) {
            return Err(Error::Refused("not an application".into()));
        }
        // SAFETY: rules 1 and 3; it is an application.
        unsafe {
            let app = self.context.some(Z3_to_app(c, self.raw))?;
            let decl = self.context.some(Z3_get_app_decl(c, app))?;
            Ok(Decl::new(&self.context, decl))
        }
    }

    /// The arguments; none unless it is an application.
    pub fn args(&self) -> Result<Vec<Ast>> {
        let c = self.context.raw();
        if self.shape() != Shape::App {
            return Ok(Vec::new());
        }
        // SAFETY: rules 1 and 3; it is an application, and the indices are below its arity.
        unsafe {
            let app = self.context.some(Z3_to_app(c, self.raw))?;
            (0..Z3_get_app_num_args(c, app))
                .map(|i| self.context.ast(Z3_get_app_arg(c, app, i)))
                .collect()
        }
    }

    /// The digits of a numeral (`-3`, `1/3`); `None` for everything else.
    pub fn digits(&self) -> Option<String> {
        let c = self.context.raw();
        if self.shape() != Shape::Numeral {
            return None;
        }
        // SAFETY: rule 1; it is a numeral.
        let digits = text(unsafe { Z3_get_numeral_string(c, self.raw) });
        self.context.pending().ok()?;
        Some(digits)
    }

    /// The sorts bound by a quantifier or lambda, outermost first, and its body.
    pub fn binder(&self) -> Result<(Vec<Sort>, Ast)> {
        let c = self.context.raw();
        if !matches!(self.shape(), Shape::Forall | Shape::Exists | Shape::Lambda) {
            return Err(Error::Refused("not a quantifier".into()));
        }
        // SAFETY: rules 1 and 3; it is a quantifier, and the indices are below its bound.
        unsafe {
            let sorts: Result<Vec<Sort>> = (0..Z3_get_quantifier_num_bound(c, self.raw))
                .map(|i| {
                    self.context
                        .sort(Z3_get_quantifier_bound_sort(c, self.raw, i))
                })
                .collect();
            let body = self.context.ast(Z3_get_quantifier_body(c, self.raw))?;
            Ok((sorts?, body))
        }
    }

    /// Replaces the free variables with index 0, 1, ... by the given expressions.
    pub fn instantiate(&self, values: &[Ast]) -> Result<Ast> {
        let raw = self.context.raw_args(values)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.context.ast(unsafe {
            Z3_substitute_vars(self.context.raw(), self.raw, raw.len() as u32, raw.as_ptr())
        })
    }

    /// An equivalent expression in Z3's normal form.
    pub fn simplify(&self) -> Result<Ast> {
        // SAFETY: rules 1 and 3.
        self.context
            .ast(unsafe { Z3_simplify(self.context.raw(), self.raw) })
    }
}

impl std::fmt::Display for Ast {
    /// SMT-LIB, for messages.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: rule 1.
        f.write_str(&text(unsafe {
            Z3_ast_to_string(self.context.raw(), self.raw)
        }))
    }
}

impl Decl {
    /// A number that is unique among the living declarations of the context.
    pub fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { Z3_get_func_decl_id(self.context.raw(), self.raw) }
    }

    /// What it means, as a number of [`DeclKind`] or an unknown one.
    pub fn kind(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { decl_kind_number(self.context.raw(), self.raw) }
    }

    /// Its name.
    pub fn name(&self) -> String {
        let c = self.context.raw();
        // SAFETY: rule 1.
        unsafe {
            Z3_get_decl_name(c, self.raw)
                .map_or_else(String::new, |s| text(Z3_get_symbol_string(c, s)))
        }
    }

    /// An integer parameter, as in `(_ extract 7 0)`.
    pub fn number(&self, index: u32) -> Result<u32> {
        let c = self.context.raw();
        // SAFETY: rules 1 and 3; index and kind of the parameter are asked first.
        unsafe {
            if index >= Z3_get_decl_num_parameters(c, self.raw)
                || Z3_get_decl_parameter_kind(c, self.raw, index) != ParameterKind::Int
            {
                return Err(Error::Refused("no such parameter".into()));
            }
            let value = Z3_get_decl_int_parameter(c, self.raw, index);
            self.context.pending()?;
            u32::try_from(value).map_err(|_| Error::Refused("a negative parameter".into()))
        }
    }

    /// The function behind `(_ as-array f)`. Only for declarations of that kind.
    pub fn as_array_function(&self) -> Result<Decl> {
        let c = self.context.raw();
        // SAFETY: rules 1 and 3; index and kind of the parameter are asked first.
        unsafe {
            if Z3_get_decl_num_parameters(c, self.raw) == 0
                || Z3_get_decl_parameter_kind(c, self.raw, 0) != ParameterKind::FuncDecl
            {
                return Err(Error::Refused("not an as-array".into()));
            }
            let raw = self
                .context
                .some(Z3_get_decl_func_decl_parameter(c, self.raw, 0))?;
            Ok(Decl::new(&self.context, raw))
        }
    }
}

impl Sort {
    /// A number that is unique among the living sorts of the context.
    pub fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { Z3_get_sort_id(self.context.raw(), self.raw) }
    }

    /// The width of bit-vectors.
    pub fn width(&self) -> Result<u32> {
        if self.kind() != SortKind::Bv as u32 {
            return Err(Error::Refused("not a sort of bit-vectors".into()));
        }
        // SAFETY: rule 1; it is a sort of bit-vectors.
        Ok(unsafe { Z3_get_bv_sort_size(self.context.raw(), self.raw) })
    }

    /// What it is, as a number of [`SortKind`] or an unknown one.
    pub fn kind(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { sort_kind_number(self.context.raw(), self.raw) }
    }
}
