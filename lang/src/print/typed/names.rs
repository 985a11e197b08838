//! What the variables of a declaration are called in its text.
//!
//! The typed program means variables by ids, the text by names. So the names are those of the program, but where a name
//! would be read as another variable, because that one is declared further inside, the inner one gets another name. A
//! walk over the declaration finds these before anything is printed. In a program that was read from a text there are
//! none.

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{
    Attribute, Axiom, Bound, BoundId, Expr, ExprKind, Function, Global, Implementation, LocalId,
    Procedure, Program, Type, VarRef, Variable,
};
use crate::stack::ensure_stack;
use crate::visit::each;
use std::collections::HashMap;
use std::sync::Arc;

/// Stands for what an id means that the program does not have. It is declared nowhere, so reading it is an error.
const MISSING: &str = "?missing";

/// The names of variables, while one declaration after the other is printed.
pub(super) struct Names {
    globals: Vec<Arc<str>>,
    constants: Vec<Arc<str>>,
    /// Those of the procedure at hand.
    locals: Vec<Arc<str>>,
    /// Those of the declaration at hand.
    bounds: HashMap<BoundId, Arc<str>>,
    /// What each name means at the place that the walk has reached, innermost last. It has all names seen so far.
    meanings: HashMap<Arc<str>, Vec<VarRef>>,
    /// Variables that need another name.
    hidden: Vec<VarRef>,
    /// How many new names were made of each name.
    renamed: HashMap<Arc<str>, u32>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let mut names = Names {
            globals: Vec::new(),
            constants: Vec::new(),
            locals: Vec::new(),
            bounds: HashMap::new(),
            meanings: HashMap::new(),
            hidden: Vec::new(),
            renamed: HashMap::new(),
        };
        for (index, constant) in program.background.constants.iter().enumerate() {
            let var = VarRef::Constant(crate::hir::ConstantId::new(index));
            let name = names.top(&constant.name, var, &constant.attributes);
            names.constants.push(name);
        }
        for (index, global) in program.globals.iter().enumerate() {
            let var = VarRef::Global(crate::hir::GlobalId::new(index));
            let name = names.top(&global.name, var, &global.attributes);
            names.globals.push(name);
        }
        names
    }

    /// Declares a global or constant. Of several of one name, the one that is not `{:extern}` counts.
    fn top(&mut self, name: &str, var: VarRef, attributes: &[Attribute]) -> Arc<str> {
        let name: Arc<str> = name.into();
        let meaning = self.meanings.entry(name.clone()).or_default();
        if meaning.is_empty() || !attributes.iter().any(|a| a.name == "extern") {
            *meaning = vec![var];
        }
        name
    }

    /// The name of a variable in the text.
    pub(super) fn of(&self, var: VarRef) -> Arc<str> {
        let name = match var {
            VarRef::Global(id) => self.globals.get(id.index()),
            VarRef::Constant(id) => self.constants.get(id.index()),
            VarRef::Local(id) => self.locals.get(id.index()),
            VarRef::Bound(id) => self.bounds.get(&id),
            VarRef::Unprimed(_) | VarRef::Primed(_) | VarRef::EdgeLocal(_) | VarRef::EdgeLet(_) => {
                None
            }
        };
        name.cloned().unwrap_or_else(|| MISSING.into())
    }

    // Whole declarations: each of these begins with `start` and ends with `settle`.

    pub(super) fn attributes_only(&mut self, attributes: &[Attribute]) {
        self.start();
        each!(self.visit_attribute(attributes));
        self.settle();
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.start();
        self.enter(&function.params);
        self.visit_function(function);
        self.leave(&function.params);
        self.settle();
    }

    pub(super) fn axiom(&mut self, axiom: &Axiom) {
        self.start();
        self.visit_axiom(axiom);
        self.settle();
    }

    pub(super) fn global(&mut self, global: &Global) {
        self.start();
        self.visit_global(global);
        self.settle();
    }

    /// A procedure, together with a body that stands behind its contract and shares its parameters.
    pub(super) fn procedure(&mut self, procedure: &Procedure, body: Option<&Implementation>) {
        self.start();
        self.declare(&procedure.ins);
        each!(self.visit_condition(&procedure.requires));
        self.declare(&procedure.outs);
        each!(self.visit_condition(&procedure.ensures));
        each!(self.visit_attribute(&procedure.attributes));
        body.into_iter().for_each(|body| self.body(body));
        self.settle();
    }

    pub(super) fn implementation(&mut self, implementation: &Implementation) {
        self.start();
        self.declare(&implementation.ins);
        self.declare(&implementation.outs);
        each!(self.visit_attribute(&implementation.attributes));
        self.body(implementation);
        self.settle();
    }

    fn body(&mut self, implementation: &Implementation) {
        self.declare(&implementation.locals);
        each!(self.visit_stmt(&implementation.body));
    }

    fn start(&mut self) {
        self.locals.clear();
        self.bounds.clear();
    }

    /// Ends the walk: the locals are out of scope, and what was hidden gets a name that nothing else has.
    fn settle(&mut self) {
        for (index, name) in self.locals.iter().enumerate() {
            if let Some(meaning) = self.meanings.get_mut(name) {
                meaning.pop_if(|top| *top == VarRef::Local(LocalId::new(index)));
            }
        }
        for var in std::mem::take(&mut self.hidden) {
            let old = self.of(var);
            let count = self.renamed.entry(old.clone()).or_default();
            let new: Arc<str> = loop {
                *count += 1;
                let candidate = format!("{old}~{count}");
                if !self.meanings.contains_key(candidate.as_str()) {
                    break candidate.into();
                }
            };
            self.meanings.insert(new.clone(), Vec::new());
            match var {
                VarRef::Local(id) => self.locals[id.index()] = new,
                VarRef::Bound(id) => drop(self.bounds.insert(id, new)),
                _ => {}
            }
        }
    }

    // The walk.

    /// Brings parameters or locals into scope, then looks at what is said about them.
    fn declare(&mut self, variables: &[Variable]) {
        for variable in variables {
            let var = VarRef::Local(LocalId::new(self.locals.len()));
            let name: Arc<str> = variable.name.as_str().into();
            self.locals.push(name.clone());
            let meaning = self.meanings.entry(name).or_default();
            if matches!(meaning.last(), Some(VarRef::Local(_))) {
                self.hidden.push(var);
            } else {
                meaning.push(var);
            }
        }
        for variable in variables {
            self.visit_variable(variable);
        }
    }

    fn enter(&mut self, group: &[Bound]) {
        for (index, bound) in group.iter().enumerate() {
            let name: Arc<str> = bound.name.as_str().into();
            let var = VarRef::Bound(bound.id);
            self.bounds.insert(bound.id, name.clone());
            if !name.is_empty() && group[..index].iter().any(|b| b.name == bound.name) {
                self.hidden.push(var);
            } else {
                self.meanings.entry(name).or_default().push(var);
            }
        }
    }

    fn leave(&mut self, group: &[Bound]) {
        for bound in group.iter().rev() {
            if let Some(meaning) = self.meanings.get_mut(bound.name.as_str()) {
                meaning.pop_if(|top| *top == VarRef::Bound(bound.id));
            }
        }
    }

    /// The name is used for the variable: what hides it needs another one.
    fn reference(&mut self, var: VarRef) {
        let name = self.of(var);
        if let Some(meaning) = self.meanings.get_mut(&name)
            && meaning.last() != Some(&var)
            && meaning.contains(&var)
        {
            while let Some(top) = meaning.pop_if(|top| *top != var) {
                self.hidden.push(top);
            }
        }
    }
}

impl<'t> Visit<'t> for Names {
    fn visit_var(&mut self, var: &'t VarRef) {
        self.reference(*var);
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Quantifier { bound, .. } | ExprKind::Lambda { bound, .. } => {
                self.enter(bound);
                walk_expr(self, expr);
                self.leave(bound);
            }
            ExprKind::Let {
                bound,
                values,
                body,
                attributes,
            } => ensure_stack(|| {
                each!(self.visit_expr(values));
                self.enter(bound);
                each!(self.visit_attribute(attributes));
                self.visit_expr(body);
                self.leave(bound);
            }),
            _ => walk_expr(self, expr),
        }
    }

    // No names of variables are in types.
    fn visit_type(&mut self, _: &'t Type) {}
}
