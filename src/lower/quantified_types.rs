//! Quantifiers over types, and lambdas that are polymorphic.
//!
//! `forall<a> f: Field a :: ...` says something about every type, and formulas have no quantifier over
//! sorts. It is said of finitely many types: those at which the program uses its polymorphic maps, and as many *other types* as there
//! are type parameters: sorts of their own about which nothing is known but that they are none of the
//! former. That is less than what is meant, so it may be assumed. It is enough where it has to be proved: if
//! the condition does not hold for some type, that type is one of those listed, or it is what the other type
//! stands for. There is one other type for a whole program, so this works for one violation at a time, and a
//! run ends with its first: the quantifier may stand below `&&`, below `forall`, and to the right of `==>`, and
//! nowhere else.
//!
//! A type that an other type stands for need not exist. So what is found to be violated with such a
//! quantifier on the way is no violation of the program.

use ult_core::formula::{BinderKind, Sort, Term};
use ult_lang::hir::{Bound, Expr, MapType, TypeParameter};
use ult_lang::span::Span;

use super::expr::ExprLowering;
use super::sorts::TypeEnv;
use super::unsupported::UnsupportedExpr;

/// What the verdict names.
pub const WHAT: &str = "a quantifier over types";

/// So many instances of one quantifier are made.
const MAX_INSTANCES: usize = 64;

/// What a formula is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// Neither more nor less may be said.
    #[default]
    Exact,
    /// It is assumed: less may be said.
    Assumed,
    /// It has to be proved: it may be said of one violation at a time.
    Obliged,
}

impl Position {
    /// That of the operand of a negation.
    pub fn negated(self) -> Position {
        match self {
            Position::Obliged => Position::Assumed,
            Position::Exact | Position::Assumed => Position::Exact,
        }
    }

    /// That of several of which one has to hold.
    pub fn alternative(self) -> Position {
        match self {
            Position::Assumed => Position::Assumed,
            Position::Exact | Position::Obliged => Position::Exact,
        }
    }
}

/// A condition of the program, as it is proved and as it may be assumed.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Where this holds, the condition does.
    pub proved: Term,
    /// Where the condition holds, this does.
    pub assumed: Term,
    /// Whether both are the condition itself.
    pub exact: bool,
    /// Whether what is assumed says it of the types that the program has, at least.
    pub said: bool,
}

impl From<Term> for Goal {
    fn from(condition: Term) -> Goal {
        Goal {
            proved: condition,
            assumed: condition,
            exact: true,
            said: true,
        }
    }
}

type Lowered = Result<Term, UnsupportedExpr>;

impl ExprLowering<'_, '_> {
    /// A universal quantifier over types, at a position.
    pub(super) fn for_all_types(
        &mut self,
        params: &[TypeParameter],
        e: &Expr,
        position: Position,
    ) -> Lowered {
        let unsupported = || UnsupportedExpr::new(WHAT, e.span);
        let (mut instances, mut skipped) = (Vec::new(), false);
        for types in self
            .choices_of_types(params.len())
            .ok_or_else(unsupported)?
        {
            let mut instance = self.with_types(params, types);
            instance.position = position;
            // Of what is assumed, what cannot be said is left out.
            match (instance.lower_here(e), position) {
                (Ok(formula), _) => instances.push(formula),
                (Err(_), Position::Assumed) => skipped = true,
                (Err(unsupported), _) => return Err(unsupported),
            }
        }
        let t = self.symbols.terms;
        // What is plain for the other types is so for all.
        if !skipped && instances.iter().all(|&instance| instance == t.tt()) {
            return Ok(t.tt());
        }
        if position == Position::Exact {
            return Err(unsupported());
        }
        self.exact = false;
        Ok(t.and(instances))
    }

    /// A polymorphic lambda: the record of its instances. What it is elsewhere depends on the
    /// same variables.
    pub(super) fn polymorphic_lambda(
        &mut self,
        params: &[TypeParameter],
        bound: &[Bound],
        body: &Expr,
        map: &MapType,
        span: Span,
    ) -> Lowered {
        let t = self.symbols.terms;
        let unsupported = |what: &str| UnsupportedExpr::new(what, span);
        let record = self
            .symbols
            .record(map)
            .map_err(|what| UnsupportedExpr::new(what, span))?;
        let Sort::Datatype(datatype) = &record.sort else {
            return Err(unsupported("a polymorphic lambda"));
        };
        let Some(first) = bound.first() else {
            return Err(unsupported("a polymorphic lambda"));
        };
        let outer = self.bound_variables();
        let mut fields = Vec::new();
        for types in &record.choices {
            let mut instance = self.with_types(params, types.clone());
            let vars = instance.binders(bound)?;
            let body = instance.lower(body)?;
            fields.push(t.bind(BinderKind::Lambda, &vars, body, &[]));
        }
        let constructor = datatype.constructor(0);
        let sorts: Vec<Sort> = constructor.into_iter().flat_map(|c| c.sorts()).collect();
        let Some((rest, sorts)) = sorts.split_first() else {
            return Err(unsupported("a polymorphic lambda"));
        };
        if !sorts.iter().eq(fields.iter().map(|&f| t.sort(f))) {
            return Err(unsupported("a polymorphic lambda"));
        }
        let mut depends_on = t.free_vars(&fields);
        let mentioned = t.post_order(&fields);
        depends_on.extend(outer.into_iter().filter(|var| mentioned.contains(var)));
        let rest = self.symbols.elsewhere(first.id, &depends_on, rest, span);
        fields.insert(0, rest);
        Ok(t.construct(&record.sort, 0, &fields))
    }

    /// All lists of so many types that something is said of: `None` if there are too many, or none.
    fn choices_of_types(&self, length: usize) -> Option<Vec<Vec<Sort>>> {
        let universe = self.symbols.universe();
        let base = universe.len();
        let count = base.checked_pow(u32::try_from(length).ok()?)?;
        if count == 0 || count > MAX_INSTANCES {
            return None;
        }
        let list = |mut number: usize| -> Vec<Sort> {
            let digits = (0..length).map(|_| {
                let digit = number % base;
                number /= base;
                universe[digit].clone()
            });
            digits.collect()
        };
        Some((0..count).map(list).collect())
    }
}

/// What type parameters stand for, besides what others do.
pub fn extended(types: &TypeEnv, params: &[TypeParameter], choice: Vec<Sort>) -> TypeEnv {
    let mut types = types.clone();
    types.extend(params.iter().map(|param| param.id).zip(choice));
    types
}
