//! Terms and sorts of SMT-LIB, as expressions and types of the typed program.

use num_bigint::{BigInt, BigUint};
use ult_lang::diagnostic::{Id, Reported};
use ult_lang::hir::{Bound, BoundId, Expr, ExprKind, QuantifierKind, Trigger, Type, VarRef};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;
use ult_smtlib::sexpr::{self, Node};

use crate::literals::{Signed, decimal, rounding_mode, signed};
use crate::names::Symbol;
use crate::operators::Applied;
use crate::program::{Moment, Part};
use crate::reader::{Reader, all_of};

/// What terms may mention.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// No program variables: in `assert` and in definitions.
    None,
    /// The variables of a procedure, as they are.
    Now(usize),
    /// The variables of a procedure, and what they were before: in properties.
    Relational(usize),
    /// Global variables only: the arguments of `verify-call`.
    Globals,
}

/// Where a term stands.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    state: State,
    bound: Vec<(String, BoundId, Type)>,
    /// Inside of `(old ...)`.
    old: bool,
}

impl Scope {
    /// Where nothing is bound yet.
    pub(crate) fn new(state: State) -> Scope {
        Scope {
            state,
            bound: Vec::new(),
            old: false,
        }
    }

    pub(crate) fn with<R>(&mut self, bound: &[Bound], work: impl FnOnce(&mut Scope) -> R) -> R {
        let before = self.bound.len();
        let names = bound.iter().map(|b| (b.name.clone(), b.id, b.ty.clone()));
        self.bound.extend(names);
        let result = work(self);
        self.bound.truncate(before);
        result
    }
}

impl Reader<'_> {
    // --- terms --------------------------------------------------------------------------------

    /// A term of this type; integers become reals where those are needed.
    pub(crate) fn term_of(
        &mut self,
        at: sexpr::Expr,
        scope: &mut Scope,
        ty: &Type,
    ) -> Result<Expr, Reported> {
        let expr = self.term(at, scope)?;
        self.fitted(expr, ty)
    }

    /// The expression, if it has this type.
    pub(crate) fn fitted(&mut self, expr: Expr, ty: &Type) -> Result<Expr, Reported> {
        if expr.ty == *ty {
            return Ok(expr);
        }
        if expr.ty == Type::Int && *ty == Type::Real {
            return Ok(crate::operators::real(expr));
        }
        let (have, want) = (self.written(&expr.ty), self.written(ty));
        let message = format!("expected a term of sort {want}, not {have}");
        let label = format!("of sort {have}");
        Err(self
            .messages
            .error(Id::SVLIB_SORTS, message, expr.span, label))
    }

    /// A term.
    pub(crate) fn term(&mut self, at: sexpr::Expr, scope: &mut Scope) -> Result<Expr, Reported> {
        ensure_stack(|| self.term_here(at, scope))
    }

    fn term_here(&mut self, at: sexpr::Expr, scope: &mut Scope) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let span = self.span(at);
        match exprs.node(at) {
            Node::Symbol(name) => self.name(name, at, scope),
            Node::Numeral(digits) => match digits.parse::<BigInt>() {
                Ok(value) => Ok(Expr::new(ExprKind::Int(value), Type::Int, span)),
                Err(_) => Err(self.syntax("this is no number", at)),
            },
            Node::Decimal(text) => match decimal(text) {
                Some(value) => Ok(Expr::new(ExprKind::Real(value), Type::Real, span)),
                None => Err(self.syntax("this is no number", at)),
            },
            Node::Binary(digits) => self.bits(digits, 2, 1, at),
            Node::Hexadecimal(digits) => self.bits(digits, 16, 4, at),
            Node::Text(_) => Err(self.not_supported("a string", at)),
            Node::Keyword(_) => Err(self.syntax("a term is expected here", at)),
            Node::List(parts) => match parts.as_slice() {
                [head, args @ ..] => self.list(*head, args, at, scope),
                [] => Err(self.syntax("a term is expected here", at)),
            },
        }
    }

    fn bits(
        &mut self,
        digits: &str,
        radix: u32,
        each: usize,
        at: sexpr::Expr,
    ) -> Result<Expr, Reported> {
        let value = BigUint::parse_bytes(digits.as_bytes(), radix);
        let width = digits.len().checked_mul(each);
        match (value, width.and_then(|width| u32::try_from(width).ok())) {
            (Some(value), Some(width)) => Ok(Expr::new(
                ExprKind::BitVec { value, width },
                Type::BitVec(width),
                self.span(at),
            )),
            _ => Err(self.syntax("this is no bit-vector", at)),
        }
    }

    /// A symbol without arguments.
    fn name(&mut self, name: &str, at: sexpr::Expr, scope: &mut Scope) -> Result<Expr, Reported> {
        let span = self.span(at);
        let bound = scope.bound.iter().rev().find(|(bound, ..)| bound == name);
        if let Some((_, id, ty)) = bound {
            let variable = ExprKind::Var(VarRef::Bound(*id));
            return Ok(Expr::new(variable, ty.clone(), span));
        }
        if let Some((variable, ty)) = self.variable(name, scope) {
            if scope.old {
                return self.remembered(variable, name, &ty, &Moment::Entry, at, scope);
            }
            return Ok(Expr::new(ExprKind::Var(variable), ty, span));
        }
        match self.names.symbol(name) {
            Some(Symbol::Global(_)) => {
                let message = format!("the program variable `{name}` has no value here");
                Err(self.error(Id::SVLIB_UNKNOWN_NAME, message, at, "not in scope"))
            }
            Some(Symbol::Broken) => Err(Reported),
            Some(_) => self.apply(name, Vec::new(), at),
            None => match name {
                "true" | "false" => Ok(Expr::new(ExprKind::Bool(name == "true"), Type::Bool, span)),
                _ => match rounding_mode(name) {
                    Some(mode) => Ok(Expr::new(
                        ExprKind::RoundingMode(mode),
                        Type::RoundingMode,
                        span,
                    )),
                    // Numbers with a sign are no SMT-LIB, but the grammar of SV-LIB has them.
                    None => match signed(name) {
                        Some(Signed::Int(value)) => {
                            Ok(Expr::new(ExprKind::Int(value), Type::Int, span))
                        }
                        Some(Signed::Real(value)) => {
                            Ok(Expr::new(ExprKind::Real(value), Type::Real, span))
                        }
                        None => Err(self.unknown("name", name, at)),
                    },
                },
            },
        }
    }

    /// The program variable of this name that is in scope.
    pub(crate) fn variable(&self, name: &str, scope: &Scope) -> Option<(VarRef, Type)> {
        let (procedure, globals) = match scope.state {
            State::None => return None,
            State::Globals => (None, usize::MAX),
            State::Now(index) | State::Relational(index) => {
                let procedure = self.procedures.get(index)?;
                (Some(procedure), procedure.globals)
            }
        };
        if let Some((id, variable)) = procedure.and_then(|p| p.find(name)) {
            return Some((VarRef::Local(id), variable.ty.clone()));
        }
        match self.names.symbol(name) {
            Some(Symbol::Global(id)) if id.index() < globals => {
                let global = self.names.globals.get(id.index())?;
                Some((VarRef::Global(*id), global.ty.clone()))
            }
            _ => None,
        }
    }

    /// The value that a variable had.
    fn remembered(
        &mut self,
        variable: VarRef,
        name: &str,
        ty: &Type,
        moment: &Moment,
        at: sexpr::Expr,
        scope: &Scope,
    ) -> Result<Expr, Reported> {
        let State::Relational(index) = scope.state else {
            return Err(self.syntax("only properties can say what a value was", at));
        };
        let span = self.span(at);
        let Some(procedure) = self.procedures.get_mut(index) else {
            return Err(Reported);
        };
        let kind = match variable {
            // They never change.
            VarRef::Local(id) if procedure.part(id) == Part::In => variable,
            _ => VarRef::Local(procedure.remember(variable, moment, name, ty)),
        };
        Ok(Expr::new(ExprKind::Var(kind), ty.clone(), span))
    }

    fn list(
        &mut self,
        head: sexpr::Expr,
        args: &[sexpr::Expr],
        at: sexpr::Expr,
        scope: &mut Scope,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let Some(name) = exprs.symbol(head) else {
            return self.special(head, args, at, scope);
        };
        let is_free = self.names.symbol(name).is_none();
        match (name, args) {
            ("let", [bindings, body]) => self.let_term(*bindings, *body, at, scope),
            ("forall", [variables, body]) => {
                self.quantifier(QuantifierKind::Forall, *variables, *body, at, scope)
            }
            ("exists", [variables, body]) => {
                self.quantifier(QuantifierKind::Exists, *variables, *body, at, scope)
            }
            // What is said about a term does not change it.
            ("!", [term, ..]) => self.term(*term, scope),
            ("match", _) => Err(self.not_supported("`match`", at)),
            ("_", [..]) => self.indexed_constant(args, at),
            ("as", [name, sort]) => {
                let sort = self.sort(*sort)?;
                self.term_of(*name, scope, &sort)
            }
            ("old", [term]) if is_free && matches!(scope.state, State::Relational(_)) => {
                let before = std::mem::replace(&mut scope.old, true);
                let result = self.term(*term, scope);
                scope.old = before;
                result
            }
            ("at", [variable, tag]) if is_free && matches!(scope.state, State::Relational(_)) => {
                self.at_tag(*variable, *tag, at, scope)
            }
            _ => {
                let is_bound = scope.bound.iter().any(|(bound, ..)| bound == name);
                if is_bound || self.variable(name, scope).is_some() {
                    let message = format!("`{name}` is a variable and takes no arguments");
                    return Err(self.sorts(message, head, "no function"));
                }
                let args = self.terms(args, scope)?;
                self.apply(name, args, at)
            }
        }
    }

    /// All terms; what is wrong with one does not hide what is wrong with the others.
    pub(crate) fn terms(
        &mut self,
        all: &[sexpr::Expr],
        scope: &mut Scope,
    ) -> Result<Vec<Expr>, Reported> {
        all_of(all.iter().map(|&one| self.term(one, scope)))
    }

    /// `(at variable tag)`
    fn at_tag(
        &mut self,
        variable: sexpr::Expr,
        tag: sexpr::Expr,
        at: sexpr::Expr,
        scope: &mut Scope,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let (Some(name), Some(tag_name)) = (exprs.symbol(variable), exprs.symbol(tag)) else {
            return Err(self.syntax("`at` takes a variable and a tag", at));
        };
        let Some((found, ty)) = self.variable(name, scope) else {
            return Err(self.unknown("program variable", name, variable));
        };
        let moment = Moment::Tag(tag_name.to_owned());
        self.tags_asked
            .push((tag_name.to_owned(), scope_procedure(scope), self.span(tag)));
        self.remembered(found, name, &ty, &moment, at, scope)
    }

    /// `((_ extract 3 0) x)`, `((as const S) x)`, `((_ is C) x)`
    fn special(
        &mut self,
        head: sexpr::Expr,
        args: &[sexpr::Expr],
        at: sexpr::Expr,
        scope: &mut Scope,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let parts = exprs.list(head).unwrap_or_default();
        let first = parts.first().and_then(|&first| exprs.symbol(first));
        match (first, parts) {
            (Some("_"), [_, name, indices @ ..]) => {
                let args = self.terms(args, scope)?;
                let Some(name) = exprs.symbol(*name) else {
                    return Err(self.syntax("a name is expected here", head));
                };
                if let ("is", [constructor], [_]) = (name, indices, &args[..]) {
                    return self.tester(*constructor, args, at);
                }
                let numbers = self.numbers(indices);
                match numbers {
                    Some(indices) => self.operator(
                        &Applied {
                            name,
                            indices: &indices,
                        },
                        args,
                        at,
                    ),
                    None => Err(self.not_supported("this function", head)),
                }
            }
            (Some("as"), [_, name, sort]) if exprs.symbol(*name) == Some("const") => {
                let ty = self.sort(*sort)?;
                let args = self.terms(args, scope)?;
                match (<[Expr; 1]>::try_from(args), &ty) {
                    (Ok([value]), Type::Map(map)) => {
                        let value = self.fitted(value, &map.range)?;
                        let span = self.span(at);
                        let bound = map.domain.iter().map(|ty| self.names.bound("i", ty, span));
                        let kind = ExprKind::Lambda {
                            type_params: Vec::new(),
                            bound: bound.collect(),
                            body: Box::new(value),
                            attributes: Vec::new(),
                        };
                        Ok(Expr::new(kind, ty, span))
                    }
                    _ => Err(self.sorts("`const` takes an element of an array", at, "not this")),
                }
            }
            (Some("as"), [_, name, sort]) => {
                let Some(name) = exprs.symbol(*name) else {
                    return Err(self.syntax("a name is expected here", head));
                };
                let ty = self.sort(*sort)?;
                let args = self.terms(args, scope)?;
                let result = self.apply(name, args, at)?;
                self.fitted(result, &ty)
            }
            _ => Err(self.syntax("a function is expected here", head)),
        }
    }

    /// `(_ bv5 8)`, `(_ +oo 8 24)`
    fn indexed_constant(
        &mut self,
        parts: &[sexpr::Expr],
        at: sexpr::Expr,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let Some((name, indices)) = parts.split_first() else {
            return Err(self.syntax("a name is expected here", at));
        };
        let indices = self.numbers(indices);
        let span = self.span(at);
        match (exprs.symbol(*name), indices.as_deref()) {
            (Some(name @ ("+oo" | "-oo" | "+zero" | "-zero" | "NaN")), Some(&[e, s]))
                if e > 1 && s > 1 =>
            {
                let ty = float(e, s);
                let function = self.names.builtin(&format!("(_ {name} {e} {s})"), &[], &ty);
                let kind = ExprKind::Call {
                    function,
                    type_args: Vec::new(),
                    args: Vec::new(),
                };
                Ok(Expr::new(kind, ty, span))
            }
            (Some(name), Some(&[width])) if width > 0 => {
                let value = name.strip_prefix("bv").filter(|d| !d.starts_with('+'));
                let value = value.and_then(|digits| digits.parse::<BigUint>().ok());
                match value {
                    Some(value) if value.bits() <= u64::from(width) => Ok(Expr::new(
                        ExprKind::BitVec { value, width },
                        Type::BitVec(width),
                        span,
                    )),
                    _ => Err(self.sorts("this is no bit-vector of that width", at, "too large")),
                }
            }
            _ => Err(self.not_supported("this constant", at)),
        }
    }

    fn let_term(
        &mut self,
        bindings: sexpr::Expr,
        body: sexpr::Expr,
        at: sexpr::Expr,
        scope: &mut Scope,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let (mut bound, mut values) = (Vec::new(), Vec::new());
        for &binding in exprs.list(bindings).unwrap_or_default() {
            let Some(&[name, value]) = exprs.list(binding) else {
                return Err(self.syntax("a name and a term are expected here", binding));
            };
            let Some(text) = exprs.symbol(name) else {
                return Err(self.syntax("a name is expected here", name));
            };
            let value = self.term(value, scope)?;
            if bound.iter().any(|b: &Bound| b.name == text) {
                return Err(self.syntax("the same name is bound twice at once", name));
            }
            bound.push(self.names.bound(text, &value.ty, self.span(name)));
            values.push(value);
        }
        if bound.is_empty() {
            return Err(self.syntax("bindings are expected here", bindings));
        }
        let body = scope.with(&bound, |scope| self.term(body, scope))?;
        let ty = body.ty.clone();
        let kind = ExprKind::Let {
            bound,
            values,
            body: Box::new(body),
            attributes: Vec::new(),
        };
        Ok(Expr::new(kind, ty, self.span(at)))
    }

    fn quantifier(
        &mut self,
        kind: QuantifierKind,
        variables: sexpr::Expr,
        body: sexpr::Expr,
        at: sexpr::Expr,
        scope: &mut Scope,
    ) -> Result<Expr, Reported> {
        let exprs = self.exprs;
        let variables = self.sorted_variables(variables)?;
        let bound = self.names.bound_all(&variables);
        if bound.is_empty() {
            return Err(self.syntax("a quantifier binds variables", at));
        }
        let (triggers, body) = scope.with(&bound, |scope| {
            let mut triggers = Vec::new();
            let mut inner = body;
            if let Some([bang, term, attributes @ ..]) = exprs.list(body)
                && exprs.symbol(*bang) == Some("!")
            {
                inner = *term;
                for pair in attributes.windows(2) {
                    if let [key, value] = pair
                        && matches!(exprs.node(*key), Node::Keyword(k) if k == "pattern")
                        && let Some(parts) = exprs.list(*value)
                    {
                        triggers.push(Trigger {
                            positive: true,
                            terms: self.terms(parts, scope)?,
                            span: self.span(*value),
                        });
                    }
                }
            }
            Ok((triggers, self.term_of(inner, scope, &Type::Bool)?))
        })?;
        let kind = ExprKind::Quantifier {
            kind,
            type_params: Vec::new(),
            bound,
            triggers,
            body: Box::new(body),
            attributes: Vec::new(),
        };
        Ok(Expr::new(kind, Type::Bool, self.span(at)))
    }

    fn tester(
        &mut self,
        constructor: sexpr::Expr,
        args: Vec<Expr>,
        at: sexpr::Expr,
    ) -> Result<Expr, Reported> {
        let name = self.exprs.symbol(constructor).unwrap_or_default();
        let Some(&Symbol::Constructor(datatype, index)) = self.names.symbol(name) else {
            return Err(self.unknown("constructor", name, constructor));
        };
        let span = self.span(at);
        let mut result = Err(Reported);
        for value in args {
            let value = self.fitted(value, &Type::Datatype(datatype, Vec::new()))?;
            let kind = ExprKind::Is {
                datatype,
                constructor: index,
                value: Box::new(value),
            };
            result = Ok(Expr::new(kind, Type::Bool, span));
        }
        result
    }

    /// A name applied to arguments: what the text declares, or what SMT-LIB knows.
    fn apply(&mut self, name: &str, args: Vec<Expr>, at: sexpr::Expr) -> Result<Expr, Reported> {
        let span = self.span(at);
        let (params, result): (Vec<Type>, Type) = match self.names.symbol(name) {
            None => return self.operator(&Applied { name, indices: &[] }, args, at),
            Some(Symbol::Broken | Symbol::Global(_)) => return Err(Reported),
            Some(Symbol::Constant(id)) => {
                let constant = self.names.background.constants.get(id.index());
                (Vec::new(), constant.map_or(Type::Error, |c| c.ty.clone()))
            }
            Some(Symbol::Function(id)) => {
                let function = self.names.background.functions.get(id.index());
                let Some(function) = function else {
                    return Err(Reported);
                };
                let params = function.params.iter().map(|p| p.ty.clone());
                (params.collect(), function.result.clone())
            }
            Some(Symbol::Constructor(id, index)) => {
                let Some(datatype) = self.names.background.datatypes.get(id.index()) else {
                    return Err(Reported);
                };
                let fields = datatype.constructors.get(*index);
                let fields = fields.map(|c| c.fields.as_slice()).unwrap_or_default();
                let types = fields.iter().filter_map(|&f| datatype.fields.get(f));
                let params = types.map(|field| field.ty.clone()).collect();
                (params, Type::Datatype(*id, Vec::new()))
            }
            Some(Symbol::Selector(id, field)) => {
                let datatype = self.names.background.datatypes.get(id.index());
                let field = datatype.and_then(|datatype| datatype.fields.get(*field));
                let result = field.map_or(Type::Error, |field| field.ty.clone());
                (vec![Type::Datatype(*id, Vec::new())], result)
            }
        };
        if params.len() != args.len() {
            let message = format!(
                "`{name}` takes {} arguments, not {}",
                params.len(),
                args.len()
            );
            return Err(self.sorts(message, at, "other arguments"));
        }
        let args: Result<Vec<Expr>, Reported> = args
            .into_iter()
            .zip(&params)
            .map(|(arg, ty)| self.fitted(arg, ty))
            .collect();
        let mut args = args?;
        let kind = match self.names.symbol(name) {
            Some(Symbol::Constant(id)) => ExprKind::Var(VarRef::Constant(*id)),
            Some(Symbol::Function(id)) => ExprKind::Call {
                function: *id,
                type_args: Vec::new(),
                args,
            },
            Some(Symbol::Constructor(datatype, constructor)) => ExprKind::Construct {
                datatype: *datatype,
                constructor: *constructor,
                args,
            },
            Some(Symbol::Selector(datatype, field)) => match args.pop() {
                Some(value) => ExprKind::Field {
                    datatype: *datatype,
                    field: *field,
                    value: Box::new(value),
                },
                None => return Err(Reported),
            },
            _ => return Err(Reported),
        };
        Ok(Expr::new(kind, result, span))
    }

    /// `((name sort) ...)`
    pub(crate) fn sorted_variables(
        &mut self,
        list: sexpr::Expr,
    ) -> Result<Vec<crate::program::Variable>, Reported> {
        let exprs = self.exprs;
        let Some(parts) = exprs.list(list) else {
            return Err(self.syntax("a list of names with sorts is expected here", list));
        };
        let mut found: Vec<crate::program::Variable> = Vec::new();
        let mut failed = None;
        for &part in parts {
            let Some(&[name, sort]) = exprs.list(part) else {
                failed = Some(self.syntax("a name and a sort are expected here", part));
                continue;
            };
            let variable = (|| {
                let text = self.symbol(name)?;
                let ty = self.sort(sort)?;
                Ok((text, ty))
            })();
            match variable {
                Ok((text, ty)) => {
                    let span = self.span(name);
                    if let Some(before) = found.iter().find(|v| v.name == text) {
                        let before = before.span;
                        let messages = &mut self.messages;
                        failed = Some(crate::names::twice(&text, span, before, messages));
                    }
                    found.push(crate::program::Variable {
                        name: text,
                        ty,
                        span,
                    });
                }
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(found), Err)
    }

    /// The place of an s-expression.
    pub(crate) fn span(&self, at: sexpr::Expr) -> Span {
        Span::from(self.exprs.place(at))
    }
}

fn scope_procedure(scope: &Scope) -> usize {
    match scope.state {
        State::Now(index) | State::Relational(index) => index,
        State::None | State::Globals => usize::MAX,
    }
}

/// The type of floating-point numbers with so many bits of exponent and significand.
pub(crate) fn float(exponent: u32, significand: u32) -> Type {
    Type::Float {
        significand,
        exponent,
    }
}
