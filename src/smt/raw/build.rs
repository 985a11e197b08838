//! Building sorts, declarations and expressions.

use z3_sys::*;

use super::{Ast, Context, Decl, Error, Pattern, Result, Shape, Sort, c_string};

/// The names of a constructor and its tester, and the names and sorts of its fields; a number is that of a datatype of the family.
pub(crate) type Constructor = (
    String,
    String,
    Vec<(String, std::result::Result<Sort, u32>)>,
);

macro_rules! builders {
    ($(#[$doc:meta])* constants: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self) -> Result<Ast> {
            // SAFETY: rules 1 and 3.
            self.ast(unsafe { z3!($function(self.raw())) })
        }
    )*};
    (unary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self, a: &Ast) -> Result<Ast> {
            self.own(&[a]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { z3!($function(self.raw(), a.raw)) })
        }
    )*};
    (binary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self, a: &Ast, b: &Ast) -> Result<Ast> {
            self.own(&[a, b]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { z3!($function(self.raw(), a.raw, b.raw)) })
        }
    )*};
    (ternary: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self, a: &Ast, b: &Ast, c: &Ast) -> Result<Ast> {
            self.own(&[a, b, c]);
            // SAFETY: rules 1 to 3.
            self.ast(unsafe { z3!($function(self.raw(), a.raw, b.raw, c.raw)) })
        }
    )*};
    (many: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self, args: &[Ast]) -> Result<Ast> {
            let raw = self.raw_args(args)?;
            // SAFETY: rules 1 to 3; the array has the length given.
            self.ast(unsafe { z3!($function(self.raw(), raw.len() as u32, raw.as_ptr())) })
        }
    )*};
    (sorts: $($name:ident = $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub(crate) fn $name(&self) -> Result<Sort> {
            // SAFETY: rules 1 and 3.
            self.sort(unsafe { z3!($function(self.raw())) })
        }
    )*};
}

impl Context {
    // --- sorts --------------------------------------------------------------------------------

    builders! { sorts:
        bool_sort = Z3_mk_bool_sort;
        int_sort = Z3_mk_int_sort;
        real_sort = Z3_mk_real_sort;
        rounding_mode_sort = Z3_mk_fpa_rounding_mode_sort;
    }

    /// Bit-vectors of a width of at least one.
    pub(crate) fn bitvec_sort(&self, width: u32) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { z3!(Z3_mk_bv_sort(self.raw(), width)) })
    }

    /// Floating point with the given exponent and significand widths.
    pub(crate) fn float_sort(&self, exponent: u32, significand: u32) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { z3!(Z3_mk_fpa_sort(self.raw(), exponent, significand)) })
    }

    /// Arrays with one or more indices.
    pub(crate) fn array_sort(&self, domain: &[Sort], range: &Sort) -> Result<Sort> {
        let domain = self.raw_sorts(domain);
        let length = domain.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.sort(unsafe {
            z3!(Z3_mk_array_sort_n(
                self.raw(),
                length,
                domain.as_ptr(),
                range.raw
            ))
        })
    }

    /// An uninterpreted sort.
    pub(crate) fn uninterpreted_sort(&self, name: &str) -> Result<Sort> {
        let symbol = self.symbol(name)?;
        // SAFETY: rules 1 and 3.
        self.sort(unsafe { z3!(Z3_mk_uninterpreted_sort(self.raw(), symbol)) })
    }

    /// Datatypes that may contain each other: their names and constructors.
    pub(crate) fn datatype_sorts(
        &self,
        family: &[(String, Vec<Constructor>)],
    ) -> Result<Vec<Sort>> {
        let mut made = Vec::new();
        let mut lists = Vec::new();
        let sorts = self.datatype_family(family, &mut made, &mut lists);
        for list in lists {
            // SAFETY: it was made for this family, and is used no more.
            unsafe { z3!(Z3_del_constructor_list(self.raw(), list)) };
        }
        for constructor in made {
            // SAFETY: it was made for this family, and is used no more.
            unsafe { z3!(Z3_del_constructor(self.raw(), constructor)) };
        }
        sorts
    }

    /// Whoever calls it deletes what was made, in whatever state it is.
    fn datatype_family(
        &self,
        family: &[(String, Vec<Constructor>)],
        made: &mut Vec<Z3_constructor>,
        lists: &mut Vec<Z3_constructor_list>,
    ) -> Result<Vec<Sort>> {
        let mut names = Vec::with_capacity(family.len());
        for (name, constructors) in family {
            names.push(self.symbol(name)?);
            let first = made.len();
            for constructor in constructors {
                made.push(self.constructor(constructor)?);
            }
            let own = &made[first..];
            // SAFETY: rules 1 and 3; the array has the length given.
            let list = unsafe {
                z3!(Z3_mk_constructor_list(
                    self.raw(),
                    own.len() as u32,
                    own.as_ptr()
                ))
            };
            lists.push(self.some(list)?);
        }
        let mut sorts: Vec<Option<Z3_sort>> = vec![None; family.len()];
        // SAFETY: rules 1 to 3; the arrays have the length given.
        unsafe {
            z3!(Z3_mk_datatypes(
                self.raw(),
                family.len() as u32,
                names.as_ptr(),
                sorts.as_mut_ptr().cast(),
                lists.as_mut_ptr()
            ));
        }
        self.pending()?;
        sorts.into_iter().map(|sort| self.sort(sort)).collect()
    }

    fn constructor(&self, (name, tester, fields): &Constructor) -> Result<Z3_constructor> {
        let (name, tester) = (self.symbol(name)?, self.symbol(tester)?);
        let names: Vec<Z3_symbol> = fields
            .iter()
            .map(|(name, _)| self.symbol(name))
            .collect::<Result<_>>()?;
        let own = |sort: &Sort| self.raw_sorts(std::slice::from_ref(sort))[0];
        let sorts: Vec<Option<Z3_sort>> = fields
            .iter()
            .map(|(_, sort)| sort.as_ref().ok().map(own))
            .collect();
        let mut references: Vec<u32> = fields
            .iter()
            .map(|(_, sort)| sort.as_ref().err().copied().unwrap_or(0))
            .collect();
        // SAFETY: rules 1 to 3; the arrays have the length given.
        let constructor = unsafe {
            z3!(Z3_mk_constructor(
                self.raw(),
                name,
                tester,
                fields.len() as u32,
                names.as_ptr(),
                sorts.as_ptr(),
                references.as_mut_ptr(),
            ))
        };
        self.some(constructor)
    }

    // --- declarations -------------------------------------------------------------------------

    /// A function (a constant without parameters).
    pub(crate) fn declare(&self, name: &str, params: &[Sort], result: &Sort) -> Result<Decl> {
        let symbol = self.symbol(name)?;
        let params = self.raw_sorts(params);
        // SAFETY: rules 1 to 3; the array has the length given.
        let raw = unsafe {
            z3!(Z3_mk_func_decl(
                self.raw(),
                symbol,
                params.len() as u32,
                params.as_ptr(),
                result.raw,
            ))
        };
        Ok(Decl::new(self, self.some(raw)?))
    }

    /// An application.
    pub(crate) fn apply(&self, decl: &Decl, args: &[Ast]) -> Result<Ast> {
        let raw = self.raw_args(args)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe {
            z3!(Z3_mk_app(
                self.raw(),
                decl.raw,
                raw.len() as u32,
                raw.as_ptr()
            ))
        })
    }

    // --- expressions --------------------------------------------------------------------------

    /// A number of an arithmetic or bit-vector sort, from decimal digits (`-3`, `1/3`).
    pub(crate) fn numeral(&self, digits: &str, sort: &Sort) -> Result<Ast> {
        let digits = c_string(digits)?;
        // SAFETY: rules 1 to 3; Z3 copies the string.
        self.ast(unsafe { z3!(Z3_mk_numeral(self.raw(), digits.as_ptr(), sort.raw)) })
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
    pub(crate) fn fp_fma(&self, args: [&Ast; 4]) -> Result<Ast> {
        self.own(&args);
        let [rm, x, y, z] = args;
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_fpa_fma(self.raw(), rm.raw, x.raw, y.raw, z.raw)) })
    }

    /// Plus or minus infinity.
    pub(crate) fn fp_infinity(&self, sort: &Sort, negative: bool) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_fpa_inf(self.raw(), sort.raw, negative)) })
    }

    /// Plus or minus zero.
    pub(crate) fn fp_zero(&self, sort: &Sort, negative: bool) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_fpa_zero(self.raw(), sort.raw, negative)) })
    }

    /// Not a number.
    pub(crate) fn fp_nan(&self, sort: &Sort) -> Result<Ast> {
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_fpa_nan(self.raw(), sort.raw)) })
    }

    /// The float with the given bits.
    pub(crate) fn fp_from_bits(&self, bits: &Ast, sort: &Sort) -> Result<Ast> {
        self.own(&[bits]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_fpa_to_fp_bv(self.raw(), bits.raw, sort.raw)) })
    }

    /// A rounding conversion to a float; `signed` matters for bit-vectors only.
    pub(crate) fn fp_round_from(
        &self,
        rm: &Ast,
        from: &Ast,
        sort: &Sort,
        signed: bool,
    ) -> Result<Ast> {
        self.own(&[rm, from]);
        let kind = from.sort()?.kind();
        let (c, rm, x, s) = (self.raw(), rm.raw, from.raw, sort.raw);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe {
            if kind == SortKind::Bv as u32 && signed {
                z3!(Z3_mk_fpa_to_fp_signed(c, rm, x, s))
            } else if kind == SortKind::Bv as u32 {
                z3!(Z3_mk_fpa_to_fp_unsigned(c, rm, x, s))
            } else if kind == SortKind::FloatingPoint as u32 {
                z3!(Z3_mk_fpa_to_fp_float(c, rm, x, s))
            } else {
                z3!(Z3_mk_fpa_to_fp_real(c, rm, x, s))
            }
        })
    }

    /// A float as a bit-vector number of a width.
    pub(crate) fn fp_to_bits(&self, rm: &Ast, x: &Ast, width: u32, signed: bool) -> Result<Ast> {
        self.own(&[rm, x]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe {
            if signed {
                z3!(Z3_mk_fpa_to_sbv(self.raw(), rm.raw, x.raw, width))
            } else {
                z3!(Z3_mk_fpa_to_ubv(self.raw(), rm.raw, x.raw, width))
            }
        })
    }

    /// The bits `high ..= low`.
    pub(crate) fn extract(&self, high: u32, low: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_extract(self.raw(), high, low, a.raw)) })
    }

    /// Adds zero bits at the top.
    pub(crate) fn zero_extend(&self, by: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_zero_ext(self.raw(), by, a.raw)) })
    }

    /// Repeats the sign bit at the top.
    pub(crate) fn sign_extend(&self, by: u32, a: &Ast) -> Result<Ast> {
        self.own(&[a]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_sign_ext(self.raw(), by, a.raw)) })
    }

    /// The element at an index.
    pub(crate) fn select(&self, array: &Ast, indices: &[Ast]) -> Result<Ast> {
        self.own(&[array]);
        let raw = self.raw_args(indices)?;
        let length = raw.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe { z3!(Z3_mk_select_n(self.raw(), array.raw, length, raw.as_ptr())) })
    }

    /// The array with another element at an index.
    pub(crate) fn store(&self, array: &Ast, indices: &[Ast], value: &Ast) -> Result<Ast> {
        self.own(&[array, value]);
        let raw = self.raw_args(indices)?;
        let (length, indices) = (raw.len() as u32, raw.as_ptr());
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe {
            z3!(Z3_mk_store_n(
                self.raw(),
                array.raw,
                length,
                indices,
                value.raw
            ))
        })
    }

    /// The array with `value` at every index of the sort.
    pub(crate) fn const_array(&self, domain: &Sort, value: &Ast) -> Result<Ast> {
        self.own(&[value]);
        // SAFETY: rules 1 to 3.
        self.ast(unsafe { z3!(Z3_mk_const_array(self.raw(), domain.raw, value.raw)) })
    }

    /// A trigger.
    pub(crate) fn pattern(&self, terms: &[Ast]) -> Result<Pattern> {
        let raw = self.raw_args(terms)?;
        // SAFETY: rules 1 to 3; the array has the length given.
        let pattern = unsafe { z3!(Z3_mk_pattern(self.raw(), raw.len() as u32, raw.as_ptr())) };
        Ok(Pattern::new(self, self.some(pattern)?))
    }

    /// Quantifies constants.
    pub(crate) fn quantify(
        &self,
        universal: bool,
        bound: &[Ast],
        patterns: &[Pattern],
        body: &Ast,
    ) -> Result<Ast> {
        self.own(&[body]);
        let bound = self.apps(bound)?;
        let patterns: Vec<Z3_pattern> = patterns.iter().map(|p| p.raw).collect();
        let (names, count) = (bound.as_ptr(), bound.len() as u32);
        let (triggers, number) = (patterns.as_ptr(), patterns.len() as u32);
        let (c, body) = (self.raw(), body.raw);
        // SAFETY: rules 1 to 3; the arrays have the lengths given.
        self.ast(unsafe {
            match universal {
                true => z3!(Z3_mk_forall_const(
                    c, 0, count, names, number, triggers, body
                )),
                false => z3!(Z3_mk_exists_const(
                    c, 0, count, names, number, triggers, body
                )),
            }
        })
    }

    /// An array by abstraction of constants, one per index.
    pub(crate) fn lambda(&self, bound: &[Ast], body: &Ast) -> Result<Ast> {
        self.own(&[body]);
        let bound = self.apps(bound)?;
        let length = bound.len() as u32;
        // SAFETY: rules 1 to 3; the array has the length given.
        self.ast(unsafe {
            z3!(Z3_mk_lambda_const(
                self.raw(),
                length,
                bound.as_ptr(),
                body.raw
            ))
        })
    }

    pub(super) fn apps(&self, asts: &[Ast]) -> Result<Vec<Z3_app>> {
        asts.iter()
            .map(|ast| {
                self.own(&[ast]);
                if ast.shape() != Shape::App {
                    return Err(Error::Refused("not a constant".into()));
                }
                // SAFETY: rule 1, and it is an application.
                self.some(unsafe { z3!(Z3_to_app(self.raw(), ast.raw)) })
            })
            .collect()
    }
}
