//! What names mean, and what is declared of them in the typed program.

use std::collections::HashMap;

use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::hir::{
    Attribute, AttributeArgument, Background, Bound, BoundId, ConstantId, DatatypeId, Function,
    FunctionId, Global, GlobalId, Type, TypeId,
};
use ult_lang::span::Span;
use ult_smtlib::sexpr::Expr;

use crate::program::Variable;

/// What a symbol means in terms.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Global(GlobalId),
    Constant(ConstantId),
    Function(FunctionId),
    Constructor(DatatypeId, usize),
    /// Index into the fields of the datatype.
    Selector(DatatypeId, usize),
    /// What is declared wrongly: there is a message about it already.
    Broken,
}

/// What a name means as a sort.
#[derive(Clone, Debug)]
pub(crate) enum SortName {
    Constructor(TypeId, usize),
    Datatype(DatatypeId),
    /// `(define-sort name (parameters) sort)`
    Synonym(Vec<String>, Expr),
    Broken,
}

/// What is declared so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub background: Background,
    pub globals: Vec<Global>,
    symbols: HashMap<String, (Symbol, Span)>,
    sorts: HashMap<String, (SortName, Span)>,
    builtins: HashMap<(String, Vec<Type>), FunctionId>,
    bound: u32,
}

impl Names {
    /// What a symbol means.
    pub(crate) fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name).map(|(symbol, _)| symbol)
    }

    /// What a name means as a sort.
    pub(crate) fn sort(&self, name: &str) -> Option<&SortName> {
        self.sorts.get(name).map(|(sort, _)| sort)
    }

    /// Gives a symbol its meaning. It must be new.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        meaning: Symbol,
        span: Span,
        messages: &mut Messages,
    ) -> Result<(), Reported> {
        if let Some((_, before)) = self.symbols.get(name) {
            return Err(twice(name, span, *before, messages));
        }
        self.symbols.insert(name.to_owned(), (meaning, span));
        Ok(())
    }

    /// Gives a sort its meaning. It must be new.
    pub(crate) fn declare_sort(
        &mut self,
        name: &str,
        meaning: SortName,
        span: Span,
        messages: &mut Messages,
    ) -> Result<(), Reported> {
        if let Some((_, before)) = self.sorts.get(name) {
            return Err(twice(name, span, *before, messages));
        }
        self.sorts.insert(name.to_owned(), (meaning, span));
        Ok(())
    }

    /// A name for something bound.
    pub(crate) fn bound(&mut self, name: &str, ty: &Type, span: Span) -> Bound {
        self.bound += 1;
        Bound {
            id: BoundId(self.bound - 1),
            name: name.to_owned(),
            ty: ty.clone(),
            attributes: Vec::new(),
            span,
        }
    }

    /// Names for all of these.
    pub(crate) fn bound_all(&mut self, variables: &[Variable]) -> Vec<Bound> {
        let all = variables.iter();
        all.map(|v| self.bound(&v.name, &v.ty, v.span)).collect()
    }

    /// The function that the solver calls so, for arguments of these types.
    pub(crate) fn builtin(&mut self, head: &str, params: &[Type], result: &Type) -> FunctionId {
        // Two formats of a result of one name have different indices in the name.
        let key = (head.to_owned(), params.to_vec());
        if let Some(&id) = self.builtins.get(&key) {
            return id;
        }
        let span = Span::default();
        let id = FunctionId::new(self.background.functions.len());
        let params = params.iter().map(|ty| self.bound("", ty, span)).collect();
        self.background.functions.push(Function {
            name: head.to_owned(),
            type_params: Vec::new(),
            params,
            result: result.clone(),
            body: None,
            attributes: vec![Attribute {
                name: "builtin".to_owned(),
                args: vec![AttributeArgument::String(head.to_owned())],
                span,
            }],
            span,
        });
        self.builtins.insert(key, id);
        id
    }
}

/// Says that a name is declared already.
pub(crate) fn twice(name: &str, span: Span, before: Span, messages: &mut Messages) -> Reported {
    let message = format!("`{name}` is declared twice");
    let reported = messages.error(Id::SVLIB_DECLARED_TWICE, message, span, "declared again");
    messages.also(before, "declared here before");
    reported
}
