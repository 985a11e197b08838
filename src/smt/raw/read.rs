//! Reading expressions, declarations and sorts.

use z3_sys::*;

use super::{Ast, Decl, Error, Result, Shape, Sort, decl_kind_number, sort_kind_number, text};

/// A floating-point literal.
pub(crate) enum FloatLiteral {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinity {
        /// Below all numbers.
        negative: bool,
    },
    /// A zero.
    Zero {
        /// The one with a sign.
        negative: bool,
    },
    /// Any other number: its parts as bit-vector literals, as IEEE 754 lays them out.
    Number {
        /// The sign.
        negative: bool,
        /// The biased exponent.
        exponent: Ast,
        /// Without its hidden bit.
        significand: Ast,
    },
}

impl Ast {
    /// Whether this is `true` itself.
    pub(crate) fn is_true(&self) -> bool {
        let is_true = |decl: Decl| decl.kind() == DeclKind::True as u32;
        self.shape() == Shape::App && self.decl().is_ok_and(is_true)
    }

    /// A number that is unique among the living expressions of the context.
    pub(crate) fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { z3!(Z3_get_ast_id(self.context.raw(), self.raw)) }
    }

    /// What it is.
    pub(crate) fn shape(&self) -> Shape {
        let c = self.context.raw();
        // SAFETY: rule 1; the questions about quantifiers and indices are asked of such only.
        unsafe {
            match z3!(Z3_get_ast_kind(c, self.raw)) {
                // Z3 counts `fp` of three literals among the numerals.
                AstKind::Numeral
                    if z3!(Z3_to_app(c, self.raw))
                        .is_some_and(|app| z3!(Z3_get_app_num_args(c, app)) > 0) =>
                {
                    Shape::App
                }
                AstKind::Numeral => Shape::Numeral,
                AstKind::App => Shape::App,
                AstKind::Var => Shape::Bound(z3!(Z3_get_index_value(c, self.raw))),
                AstKind::Quantifier if z3!(Z3_is_quantifier_forall(c, self.raw)) => Shape::Forall,
                AstKind::Quantifier if z3!(Z3_is_quantifier_exists(c, self.raw)) => Shape::Exists,
                AstKind::Quantifier if z3!(Z3_is_lambda(c, self.raw)) => Shape::Lambda,
                _ => Shape::Other,
            }
        }
    }

    /// Its sort.
    pub(crate) fn sort(&self) -> Result<Sort> {
        // SAFETY: rules 1 and 3.
        self.context
            .sort(unsafe { z3!(Z3_get_sort(self.context.raw(), self.raw)) })
    }

    /// The declaration that is applied. Only for [`Shape::App`] and [`Shape::Numeral`].
    pub(crate) fn decl(&self) -> Result<Decl> {
        let c = self.context.raw();
        if !matches!(self.shape(), Shape::App | Shape::Numeral) {
            return Err(Error::Refused("not an application".into()));
        }
        // SAFETY: rules 1 and 3; it is an application.
        unsafe {
            let app = self.context.some(z3!(Z3_to_app(c, self.raw)))?;
            let decl = self.context.some(z3!(Z3_get_app_decl(c, app)))?;
            Ok(Decl::new(&self.context, decl))
        }
    }

    /// The arguments; none unless it is an application.
    pub(crate) fn args(&self) -> Result<Vec<Ast>> {
        let c = self.context.raw();
        if self.shape() != Shape::App {
            return Ok(Vec::new());
        }
        // SAFETY: rules 1 and 3; it is an application, and the indices are below its arity.
        unsafe {
            let app = self.context.some(z3!(Z3_to_app(c, self.raw)))?;
            (0..z3!(Z3_get_app_num_args(c, app)))
                .map(|i| self.context.ast(z3!(Z3_get_app_arg(c, app, i))))
                .collect()
        }
    }

    /// The digits of a numeral (`-3`, `1/3`); `None` for everything else.
    pub(crate) fn digits(&self) -> Option<String> {
        let c = self.context.raw();
        if self.shape() != Shape::Numeral {
            return None;
        }
        // SAFETY: rule 1; it is a numeral.
        let digits = text(unsafe { z3!(Z3_get_numeral_string(c, self.raw)) });
        self.context.pending().ok()?;
        Some(digits)
    }

    /// What floating-point literal it is; `None` for everything else.
    pub(crate) fn float(&self) -> Result<Option<FloatLiteral>> {
        let c = self.context.raw();
        if !matches!(self.shape(), Shape::App | Shape::Numeral)
            || self.sort()?.kind() != SortKind::FloatingPoint as u32
        {
            return Ok(None);
        }
        // SAFETY: rules 1 and 3; that it is such a literal, and no NaN, is asked before its parts
        // are.
        unsafe {
            if !z3!(Z3_fpa_is_numeral(c, self.raw)) {
                return Ok(None);
            }
            if z3!(Z3_fpa_is_numeral_nan(c, self.raw)) {
                return Ok(Some(FloatLiteral::Nan));
            }
            let mut negative = false;
            if !z3!(Z3_fpa_get_numeral_sign(c, self.raw, &mut negative)) {
                self.context.pending()?;
                return Err(Error::Refused("no sign".into()));
            }
            Ok(Some(if z3!(Z3_fpa_is_numeral_inf(c, self.raw)) {
                FloatLiteral::Infinity { negative }
            } else if z3!(Z3_fpa_is_numeral_zero(c, self.raw)) {
                FloatLiteral::Zero { negative }
            } else {
                let exponent = z3!(Z3_fpa_get_numeral_exponent_bv(c, self.raw, true));
                let exponent = self.context.ast(exponent)?;
                let significand = z3!(Z3_fpa_get_numeral_significand_bv(c, self.raw));
                FloatLiteral::Number {
                    negative,
                    exponent,
                    significand: self.context.ast(significand)?,
                }
            }))
        }
    }

    /// The sorts bound by a quantifier or lambda, outermost first, and its body.
    pub(crate) fn binder(&self) -> Result<(Vec<Sort>, Ast)> {
        let c = self.context.raw();
        if !matches!(self.shape(), Shape::Forall | Shape::Exists | Shape::Lambda) {
            return Err(Error::Refused("not a quantifier".into()));
        }
        // SAFETY: rules 1 and 3; it is a quantifier, and the indices are below its bound.
        unsafe {
            let sorts: Result<Vec<Sort>> = (0..z3!(Z3_get_quantifier_num_bound(c, self.raw)))
                .map(|i| {
                    self.context
                        .sort(z3!(Z3_get_quantifier_bound_sort(c, self.raw, i)))
                })
                .collect();
            let body = self.context.ast(z3!(Z3_get_quantifier_body(c, self.raw)))?;
            Ok((sorts?, body))
        }
    }
}

impl std::fmt::Display for Ast {
    /// SMT-LIB, for messages.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: rule 1.
        f.write_str(&text(unsafe {
            z3!(Z3_ast_to_string(self.context.raw(), self.raw))
        }))
    }
}

impl Decl {
    /// A number that is unique among the living declarations of the context.
    pub(crate) fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { z3!(Z3_get_func_decl_id(self.context.raw(), self.raw)) }
    }

    /// What it means, as a number of [`DeclKind`] or an unknown one.
    pub(crate) fn kind(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { decl_kind_number(self.context.raw(), self.raw) }
    }

    /// Its name.
    pub(crate) fn name(&self) -> String {
        let c = self.context.raw();
        // SAFETY: rule 1.
        unsafe {
            z3!(Z3_get_decl_name(c, self.raw))
                .map_or_else(String::new, |s| text(z3!(Z3_get_symbol_string(c, s))))
        }
    }

    /// An integer parameter, as in `(_ extract 7 0)`.
    pub(crate) fn number(&self, index: u32) -> Result<u32> {
        let c = self.context.raw();
        // SAFETY: rules 1 and 3; index and kind of the parameter are asked first.
        unsafe {
            if index >= z3!(Z3_get_decl_num_parameters(c, self.raw))
                || z3!(Z3_get_decl_parameter_kind(c, self.raw, index)) != ParameterKind::Int
            {
                return Err(Error::Refused("no such parameter".into()));
            }
            let value = z3!(Z3_get_decl_int_parameter(c, self.raw, index));
            self.context.pending()?;
            u32::try_from(value).map_err(|_| Error::Refused("a negative parameter".into()))
        }
    }

    /// The function behind `(_ as-array f)`. Only for declarations of that kind.
    pub(crate) fn as_array_function(&self) -> Result<Decl> {
        let c = self.context.raw();
        // SAFETY: rules 1 and 3; index and kind of the parameter are asked first.
        unsafe {
            if z3!(Z3_get_decl_num_parameters(c, self.raw)) == 0
                || z3!(Z3_get_decl_parameter_kind(c, self.raw, 0)) != ParameterKind::FuncDecl
            {
                return Err(Error::Refused("not an as-array".into()));
            }
            let raw = self
                .context
                .some(z3!(Z3_get_decl_func_decl_parameter(c, self.raw, 0)))?;
            Ok(Decl::new(&self.context, raw))
        }
    }
}

impl Sort {
    /// A number that is unique among the living sorts of the context.
    pub(crate) fn id(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { z3!(Z3_get_sort_id(self.context.raw(), self.raw)) }
    }

    /// The widths of exponent and significand of floating-point numbers.
    pub(crate) fn float_format(&self) -> Result<(u32, u32)> {
        if self.kind() != SortKind::FloatingPoint as u32 {
            return Err(Error::Refused("not a floating-point sort".into()));
        }
        let c = self.context.raw();
        // SAFETY: rule 1; it is a floating-point sort.
        Ok(unsafe {
            (
                z3!(Z3_fpa_get_ebits(c, self.raw)),
                z3!(Z3_fpa_get_sbits(c, self.raw)),
            )
        })
    }

    /// The width of bit-vectors.
    pub(crate) fn width(&self) -> Result<u32> {
        if self.kind() != SortKind::Bv as u32 {
            return Err(Error::Refused("not a sort of bit-vectors".into()));
        }
        // SAFETY: rule 1; it is a sort of bit-vectors.
        Ok(unsafe { z3!(Z3_get_bv_sort_size(self.context.raw(), self.raw)) })
    }

    /// A constructor of a datatype.
    pub(crate) fn constructor(&self, index: u32) -> Result<Decl> {
        self.datatype_part(index, None, |c, sort| {
            // SAFETY: rules 1 and 3; the index is below the number of constructors.
            unsafe { z3!(Z3_get_datatype_sort_constructor(c, sort, index)) }
        })
    }

    /// The function that tells whether a value is made by a constructor.
    pub(crate) fn tester(&self, index: u32) -> Result<Decl> {
        self.datatype_part(index, None, |c, sort| {
            // SAFETY: rules 1 and 3; the index is below the number of constructors.
            unsafe { z3!(Z3_get_datatype_sort_recognizer(c, sort, index)) }
        })
    }

    /// The function that reads a field.
    pub(crate) fn accessor(&self, index: u32, field: u32) -> Result<Decl> {
        self.datatype_part(index, Some(field), |c, sort| {
            // SAFETY: rules 1 and 3; the indices are below the numbers of constructors and fields.
            unsafe {
                z3!(Z3_get_datatype_sort_constructor_accessor(
                    c, sort, index, field
                ))
            }
        })
    }

    fn datatype_part(
        &self,
        index: u32,
        field: Option<u32>,
        part: impl FnOnce(Z3_context, Z3_sort) -> Option<Z3_func_decl>,
    ) -> Result<Decl> {
        let c = self.context.raw();
        let none = || Error::Refused("no such constructor or field".into());
        if self.kind() != SortKind::Datatype as u32 {
            return Err(none());
        }
        // SAFETY: rule 1; it is a datatype.
        if index >= unsafe { z3!(Z3_get_datatype_sort_num_constructors(c, self.raw)) } {
            return Err(none());
        }
        if let Some(field) = field {
            let constructor = self.constructor(index)?;
            // SAFETY: rule 1.
            if field >= unsafe { z3!(Z3_get_arity(c, constructor.raw)) } {
                return Err(none());
            }
        }
        let decl = self.context.some(part(c, self.raw))?;
        Ok(Decl::new(&self.context, decl))
    }

    /// What it is, as a number of [`SortKind`] or an unknown one.
    pub(crate) fn kind(&self) -> u32 {
        // SAFETY: rule 1.
        unsafe { sort_kind_number(self.context.raw(), self.raw) }
    }
}
