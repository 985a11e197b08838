//! Declarations and definitions of SMT-LIB.

use ult_lang::hir::{
    Axiom, Constant, ConstantId, Constructor, Datatype, DatatypeId, Expr, ExprKind, Field,
    Function, FunctionId, Global, GlobalId, QuantifierKind, Trigger, Type, TypeConstructor, TypeId,
    VarRef,
};
use ult_smtlib::sexpr;

use crate::names::{SortName, Symbol};
use crate::operators::equal;
use crate::program::Variable;
use crate::reader::Reader;
use crate::terms::{Scope, State};
use ult_lang::diagnostic::Reported;

impl Reader<'_> {
    fn declare(&mut self, name: &str, meaning: Symbol, at: sexpr::Expr) -> Result<(), Reported> {
        let span = self.span(at);
        let messages = &mut self.messages;
        self.names.declare(name, meaning, span, messages)
    }

    /// The name that is declared, with its sort.
    fn named(&mut self, at: sexpr::Expr, sort: sexpr::Expr) -> Result<(String, Type), Reported> {
        let name = self.symbol(at)?;
        let ty = self.sort_for(&name, at, sort)?;
        Ok((name, ty))
    }

    /// A declaration of something with a sort. If the sort is wrong, the name is known all the same.
    fn sort_for(
        &mut self,
        name: &str,
        at: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<Type, Reported> {
        let ty = self.sort(sort);
        if ty.is_err() {
            let _: Result<(), Reported> = self.declare(name, Symbol::Broken, at);
        }
        ty
    }

    pub(crate) fn declare_var(
        &mut self,
        at: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<(), Reported> {
        let (name, ty) = self.named(at, sort)?;
        let id = GlobalId::new(self.names.globals.len());
        self.declare(&name, Symbol::Global(id), at)?;
        self.names.globals.push(Global {
            name,
            ty,
            where_clause: None,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(())
    }

    pub(crate) fn declare_const(
        &mut self,
        at: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<(), Reported> {
        let (name, ty) = self.named(at, sort)?;
        let id = ConstantId::new(self.names.background.constants.len());
        self.declare(&name, Symbol::Constant(id), at)?;
        self.names.background.constants.push(Constant {
            name,
            ty,
            unique: false,
            order: None,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(())
    }

    pub(crate) fn declare_fun(
        &mut self,
        at: sexpr::Expr,
        params: sexpr::Expr,
        sort: sexpr::Expr,
    ) -> Result<(), Reported> {
        let Some(params) = self.exprs.list(params) else {
            return Err(self.syntax("a list of sorts is expected here", params));
        };
        if params.is_empty() {
            return self.declare_const(at, sort);
        }
        let name = self.symbol(at)?;
        let mut variables = Vec::new();
        for &param in params {
            let ty = self.sort_for(&name, at, param)?;
            let span = self.span(param);
            variables.push(Variable {
                name: String::new(),
                ty,
                span,
            });
        }
        let result = self.sort_for(&name, at, sort)?;
        self.function(name, &variables, result, None, at)
            .map(|_| ())
    }

    fn function(
        &mut self,
        name: String,
        params: &[Variable],
        result: Type,
        body: Option<(Vec<ult_lang::hir::Bound>, Expr)>,
        at: sexpr::Expr,
    ) -> Result<FunctionId, Reported> {
        let id = FunctionId::new(self.names.background.functions.len());
        self.declare(&name, Symbol::Function(id), at)?;
        let (params, body) = match body {
            Some((params, body)) => (params, Some(body)),
            None => (self.names.bound_all(params), None),
        };
        self.names.background.functions.push(Function {
            name,
            type_params: Vec::new(),
            params,
            result,
            body,
            attributes: Vec::new(),
            span: self.span(at),
        });
        Ok(id)
    }

    pub(crate) fn define_fun(
        &mut self,
        at: sexpr::Expr,
        params: &[Variable],
        sort: sexpr::Expr,
        body: sexpr::Expr,
        whole: sexpr::Expr,
    ) -> Result<(), Reported> {
        let (name, result) = self.named(at, sort)?;
        let bound = self.names.bound_all(params);
        let mut scope = Scope::new(State::None);
        let body = scope.with(&bound, |scope| self.term_of(body, scope, &result));
        let body = match body {
            Ok(body) => body,
            Err(reported) => {
                let _: Result<(), Reported> = self.declare(&name, Symbol::Broken, at);
                return Err(reported);
            }
        };
        if !bound.is_empty() {
            return self
                .function(name, params, result, Some((bound, body)), at)
                .map(|_| ());
        }
        // A constant with its value.
        let id = ConstantId::new(self.names.background.constants.len());
        self.declare(&name, Symbol::Constant(id), at)?;
        let span = self.span(at);
        self.names.background.constants.push(Constant {
            name,
            ty: result.clone(),
            unique: false,
            order: None,
            attributes: Vec::new(),
            span,
        });
        let constant = Expr::new(ExprKind::Var(VarRef::Constant(id)), result, span);
        let formula = equal(constant, body, span);
        self.axiom(formula, whole);
        Ok(())
    }

    fn axiom(&mut self, formula: Expr, at: sexpr::Expr) {
        let span = self.span(at);
        self.names.background.axioms.push(Axiom {
            formula,
            attributes: Vec::new(),
            span,
        });
    }

    pub(crate) fn define_all_recursive(
        &mut self,
        heads: sexpr::Expr,
        bodies: sexpr::Expr,
        at: sexpr::Expr,
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let (Some(heads), Some(bodies)) = (exprs.list(heads), exprs.list(bodies)) else {
            return Err(self.syntax("`define-funs-rec` takes two lists", at));
        };
        let mut found = Vec::new();
        for &head in heads {
            match exprs.list(head) {
                Some(&[name, params, sort]) => found.push((name, params, sort)),
                _ => return Err(self.syntax("a name, variables and a sort are expected", head)),
            }
        }
        if found.len() != bodies.len() {
            return Err(self.syntax("as many bodies as functions are expected", at));
        }
        self.define_recursive(&found, bodies)
    }

    /// Functions that may mention each other: declared first, and then said to be what they are.
    pub(crate) fn define_recursive(
        &mut self,
        heads: &[(sexpr::Expr, sexpr::Expr, sexpr::Expr)],
        bodies: &[sexpr::Expr],
    ) -> Result<(), Reported> {
        let mut declared = Vec::new();
        for &(at, params, sort) in heads {
            let name = self.symbol(at)?;
            let params = self.sorted_variables(params)?;
            let result = self.sort_for(&name, at, sort)?;
            if params.is_empty() {
                return Err(self.not_supported("a recursive constant", at));
            }
            let id = self.function(name, &params, result.clone(), None, at)?;
            declared.push((id, params, result));
        }
        for ((function, params, result), &body) in declared.into_iter().zip(bodies) {
            let span = self.span(body);
            let bound = self.names.bound_all(&params);
            let mut scope = Scope::new(State::None);
            let value = scope.with(&bound, |scope| self.term_of(body, scope, &result))?;
            let args = bound
                .iter()
                .map(|b| Expr::new(ExprKind::Var(VarRef::Bound(b.id)), b.ty.clone(), b.span));
            let call = ExprKind::Call {
                function,
                type_args: Vec::new(),
                args: args.collect(),
            };
            let call = Expr::new(call, result, span);
            let trigger = Trigger {
                positive: true,
                terms: vec![call.clone()],
                span,
            };
            let kind = ExprKind::Quantifier {
                kind: QuantifierKind::Forall,
                type_params: Vec::new(),
                bound,
                triggers: vec![trigger],
                body: Box::new(equal(call, value, span)),
                attributes: Vec::new(),
            };
            self.axiom(Expr::new(kind, Type::Bool, span), body);
        }
        Ok(())
    }

    pub(crate) fn declare_sort(
        &mut self,
        at: sexpr::Expr,
        arity: sexpr::Expr,
    ) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let Some(arity) = self.exprs.index(arity) else {
            return Err(self.syntax("a number is expected here", arity));
        };
        let id = TypeId::new(self.names.background.types.len());
        let span = self.span(at);
        let arity = arity as usize;
        let meaning = SortName::Constructor(id, arity);
        let messages = &mut self.messages;
        self.names.declare_sort(&name, meaning, span, messages)?;
        self.names.background.types.push(TypeConstructor {
            name,
            arity,
            attributes: Vec::new(),
            span,
        });
        Ok(())
    }

    pub(crate) fn define_sort(
        &mut self,
        at: sexpr::Expr,
        params: sexpr::Expr,
        body: sexpr::Expr,
    ) -> Result<(), Reported> {
        let name = self.symbol(at)?;
        let Some(params) = self.exprs.list(params) else {
            return Err(self.syntax("a list of names is expected here", params));
        };
        let params: Result<Vec<String>, Reported> =
            params.iter().map(|&param| self.symbol(param)).collect();
        let params = params?;
        let meaning = match params.is_empty() {
            true => match self.sort(body) {
                Ok(_) => SortName::Synonym(params, body),
                Err(_) => SortName::Broken,
            },
            false => SortName::Synonym(params, body),
        };
        let span = self.span(at);
        let messages = &mut self.messages;
        self.names.declare_sort(&name, meaning, span, messages)
    }

    pub(crate) fn declare_datatypes(
        &mut self,
        names: &[sexpr::Expr],
        all: &[sexpr::Expr],
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let Some(&first) = names.first() else {
            return Ok(());
        };
        if names.len() != all.len() {
            return Err(self.syntax("as many datatypes as names are expected", first));
        }
        let from = self.names.background.datatypes.len();
        for &at in names {
            let name = self.symbol(at)?;
            let id = DatatypeId::new(self.names.background.datatypes.len());
            let span = self.span(at);
            let messages = &mut self.messages;
            let meaning = SortName::Datatype(id);
            self.names.declare_sort(&name, meaning, span, messages)?;
            self.names.background.datatypes.push(Datatype {
                name,
                type_params: Vec::new(),
                constructors: Vec::new(),
                fields: Vec::new(),
                attributes: Vec::new(),
                span,
            });
        }
        for (index, &constructors) in (from..).zip(all) {
            let id = DatatypeId::new(index);
            let (mut made, mut fields) = (Vec::new(), Vec::<Field>::new());
            for &constructor in exprs.list(constructors).unwrap_or_default() {
                let (at, selectors) = match exprs.list(constructor) {
                    Some([name, selectors @ ..]) => (*name, selectors),
                    Some([]) => return Err(self.syntax("a constructor is expected", constructor)),
                    // `nil` for `(nil)`.
                    None => (constructor, &[][..]),
                };
                let name = self.symbol(at)?;
                if name == "par" {
                    return Err(self.not_supported("a datatype with parameters", at));
                }
                let mut positions = Vec::new();
                for &selector in selectors {
                    let Some(&[field, sort]) = exprs.list(selector) else {
                        return Err(self.syntax("a name and a sort are expected", selector));
                    };
                    let text = self.symbol(field)?;
                    let ty = self.sort(sort)?;
                    self.declare(&text, Symbol::Selector(id, fields.len()), field)?;
                    let position = positions.len();
                    positions.push(fields.len());
                    let span = self.span(field);
                    fields.push(Field {
                        name: text,
                        ty,
                        positions: vec![(made.len(), position)],
                        span,
                    });
                }
                self.declare(&name, Symbol::Constructor(id, made.len()), at)?;
                let span = self.span(at);
                made.push(Constructor {
                    name,
                    fields: positions,
                    span,
                });
            }
            if made.is_empty() {
                return Err(self.syntax("a datatype has constructors", constructors));
            }
            if let Some(datatype) = self.names.background.datatypes.get_mut(index) {
                datatype.constructors = made;
                datatype.fields = fields;
            }
        }
        Ok(())
    }

    pub(crate) fn assert(&mut self, formula: sexpr::Expr, at: sexpr::Expr) -> Result<(), Reported> {
        let mut scope = Scope::new(State::None);
        let formula = self.term_of(formula, &mut scope, &Type::Bool)?;
        self.after_call("`assert` after a `verify-call`", at);
        self.axiom(formula, at);
        Ok(())
    }

    /// What stands here says something about later calls alone, but all of them are verified together.
    pub(crate) fn after_call(&mut self, what: &'static str, at: sexpr::Expr) {
        if !self.calls.is_empty() {
            let span = self.span(at);
            self.unsupported.push((what, span));
        }
    }
}
