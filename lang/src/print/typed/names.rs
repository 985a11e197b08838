//! What the variables of a declaration are called in its text.
//!
//! The typed program means variables by ids, the text by names. So the names are those of the program, but where a name
//! would be read as another variable, because that one is declared further inside, the inner one gets another name. A
//! walk over the declaration finds these before anything is printed. In a program that was read from a text there are
//! none.

use crate::hir::{
    Attribute, AttributeArgument, Axiom, Bound, BoundId, Condition, Expr, ExprKind, Function,
    Global, Implementation, LocalId, Procedure, Program, Stmt, StmtKind, VarRef, Variable,
};
use crate::stack::ensure_stack;
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
        self.attributes(attributes);
        self.settle();
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.start();
        self.enter(&function.params);
        self.attributes(&function.attributes);
        function.body.iter().for_each(|body| self.expr(body));
        self.leave(&function.params);
        self.settle();
    }

    pub(super) fn axiom(&mut self, axiom: &Axiom) {
        self.start();
        self.attributes(&axiom.attributes);
        self.expr(&axiom.formula);
        self.settle();
    }

    pub(super) fn global(&mut self, global: &Global) {
        self.start();
        self.attributes(&global.attributes);
        global.where_clause.iter().for_each(|e| self.expr(e));
        self.settle();
    }

    /// A procedure, together with a body that stands behind its contract and shares its parameters.
    pub(super) fn procedure(&mut self, procedure: &Procedure, body: Option<&Implementation>) {
        self.start();
        self.declare(&procedure.ins);
        self.conditions(&procedure.requires);
        self.declare(&procedure.outs);
        self.conditions(&procedure.ensures);
        self.attributes(&procedure.attributes);
        body.into_iter().for_each(|body| self.body(body));
        self.settle();
    }

    pub(super) fn implementation(&mut self, implementation: &Implementation) {
        self.start();
        self.declare(&implementation.ins);
        self.declare(&implementation.outs);
        self.attributes(&implementation.attributes);
        self.body(implementation);
        self.settle();
    }

    fn body(&mut self, implementation: &Implementation) {
        self.declare(&implementation.locals);
        self.stmts(&implementation.body);
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
            self.attributes(&variable.attributes);
            variable.where_clause.iter().for_each(|e| self.expr(e));
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

    fn attributes(&mut self, attributes: &[Attribute]) {
        for arg in attributes.iter().flat_map(|attribute| &attribute.args) {
            if let AttributeArgument::Expr(expr) = arg {
                self.expr(expr);
            }
        }
    }

    fn conditions(&mut self, conditions: &[Condition]) {
        for condition in conditions {
            self.attributes(&condition.attributes);
            self.expr(&condition.expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => self.reference(*var),
            ExprKind::Quantifier {
                bound, attributes, ..
            }
            | ExprKind::Lambda {
                bound, attributes, ..
            } => {
                self.enter(bound);
                self.attributes(attributes);
                self.children(expr);
                self.leave(bound);
            }
            ExprKind::Let {
                bound,
                values,
                body,
                attributes,
            } => {
                values.iter().for_each(|value| self.expr(value));
                self.enter(bound);
                self.attributes(attributes);
                ensure_stack(|| self.expr(body));
                self.leave(bound);
            }
            _ => self.children(expr),
        }
    }

    fn children(&mut self, expr: &Expr) {
        ensure_stack(|| expr.for_each_child(&mut |child| self.expr(child)));
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            ensure_stack(|| self.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assert {
                condition,
                attributes,
            }
            | StmtKind::Assume {
                condition,
                attributes,
            } => {
                self.attributes(attributes);
                self.expr(condition);
            }
            StmtKind::Havoc(vars) => vars.iter().for_each(|var| self.reference(*var)),
            StmtKind::Assign { pairs } => {
                for (var, value) in pairs {
                    self.reference(*var);
                    self.expr(value);
                }
            }
            StmtKind::Call {
                args,
                results,
                attributes,
                ..
            } => {
                self.attributes(attributes);
                args.iter().for_each(|arg| self.expr(arg));
                results.iter().for_each(|var| self.reference(*var));
            }
            StmtKind::CallForall { args, .. } => {
                args.iter().flatten().for_each(|arg| self.expr(arg));
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                condition.iter().for_each(|e| self.expr(e));
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::While {
                condition,
                invariants,
                body,
                ..
            } => {
                condition.iter().for_each(|e| self.expr(e));
                self.conditions(invariants);
                self.stmts(body);
            }
            StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return
            | StmtKind::Unsupported { .. } => {}
        }
    }
}
