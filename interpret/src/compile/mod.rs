//! From the typed program to the form in which it is run.

mod body;
pub(crate) mod builtin;
pub(crate) mod expr;
mod graph;
mod look;
mod scope;

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use ult_lang::hir;
use ult_lang::hir::{BinaryOp, Callee, ExprKind, ProcedureId, QuantifierKind, Type, VarRef};
use ult_lang::span::Span;

use self::body::BodyBuilder;
use self::expr::Expressions;
pub(crate) use self::graph::graph;
use self::scope::Scope;
use crate::code::{Body, Code, Expr, Function, Instr, Named, Variable};
use crate::value::Value;

/// So many unique constants of one type are kept apart by comparing each with each.
const UNIQUE: usize = 64;

/// What is known about a program while it is compiled.
pub(crate) struct Compiler<'p> {
    program: &'p hir::Program,
    expressions: Expressions<'p>,
    /// Whether values chosen at a place are inputs.
    is_input: &'p dyn Fn(Span) -> bool,
    /// Whether the values of globals at the beginning are inputs.
    globals_are_inputs: bool,
    /// The bodies of each procedure.
    bodies: Vec<Box<[u32]>>,
}

/// Compiles a program that starts with a procedure. The last body is the start.
pub(crate) fn compile(
    program: &hir::Program,
    entry: ProcedureId,
    is_input: &dyn Fn(Span) -> bool,
) -> Code {
    let mut bodies = Vec::new();
    let mut next = 0;
    for procedure in &program.procedures {
        let count = u32::try_from(procedure.implementations.len().max(1)).unwrap_or(u32::MAX);
        bodies.push((next..next + count).collect());
        next += count;
    }
    let compiler = Compiler {
        program,
        expressions: Expressions {
            background: &program.background,
        },
        is_input,
        globals_are_inputs: false,
        bodies,
    };
    compiler.code(entry)
}

impl Compiler<'_> {
    /// Everything but the bodies: global variables, constants, functions; and which axioms have
    /// become definitions of functions.
    fn head(&self) -> (Code, Vec<usize>) {
        let background = &self.program.background;
        let mut code = Code::default();
        for global in &self.program.globals {
            code.globals.push(named(&global.name, &global.ty));
        }
        for constant in &background.constants {
            code.globals.push(named(&constant.name, &constant.ty));
        }
        let mut used = Vec::new();
        code.functions = functions(
            background,
            &self.expressions,
            self.program.globals.len(),
            &mut used,
        );
        (code, used)
    }

    fn code(&self, entry: ProcedureId) -> Code {
        let (mut code, used) = self.head();
        for (index, procedure) in self.program.procedures.iter().enumerate() {
            let id = ProcedureId::new(index);
            if procedure.implementations.is_empty() {
                code.bodies.push(self.contract(id, procedure));
            }
            for implementation in &procedure.implementations {
                let implementation = &self.program.implementations[implementation.index()];
                code.bodies
                    .push(self.implementation(id, procedure, implementation));
            }
        }
        let start = self.start(entry, &used);
        code.bodies.push(start);
        code
    }

    fn scope(&self, locals: usize) -> Scope {
        Scope::new(locals, self.program.globals.len())
    }

    /// Gives constants, globals and parameters any values that are allowed, and calls the procedure.
    fn start(&self, entry: ProcedureId, used: &[usize]) -> Body {
        let procedure = &self.program.procedures[entry.index()];
        let mut body = BodyBuilder::new(self, entry, None);
        background(
            &mut body,
            &self.program.background,
            self.program.globals.len(),
            used,
        );
        let globals: Vec<VarRef> = (0..self.program.globals.len())
            .map(|index| VarRef::Global(hir::GlobalId::new(index)))
            .collect();
        body.havoc(&globals, procedure.span, self.globals_are_inputs);
        let ins: Vec<VarRef> = (0..procedure.ins.len())
            .map(|index| VarRef::Local(hir::LocalId::new(index)))
            .collect();
        body.havoc(&ins, procedure.span, (self.is_input)(procedure.span));
        for condition in &procedure.requires {
            body.assume(&condition.expr, condition.span);
        }
        let locals = |range: std::ops::Range<usize>| {
            range.map(|index| Variable::Local(u32::try_from(index).unwrap_or(u32::MAX)))
        };
        let ins = procedure.ins.len();
        let call = Instr::Call {
            bodies: self.bodies[entry.index()].clone(),
            args: locals(0..ins).map(Expr::Variable).collect(),
            results: locals(ins..ins + procedure.outs.len()).collect(),
            free: true,
        };
        body.push(call, procedure.span);
        body.push(Instr::Leave, procedure.span);
        body.finish("", procedure)
    }

    /// What a procedure without a body does: anything that its contract allows.
    fn contract(&self, id: ProcedureId, procedure: &hir::Procedure) -> Body {
        let mut body = BodyBuilder::new(self, id, None);
        body.requires(procedure, Callee::Declared);
        let mut changed: Vec<VarRef> = procedure
            .modifies
            .iter()
            .map(|id| VarRef::Global(*id))
            .collect();
        let ins = procedure.ins.len();
        changed.extend(
            (ins..ins + procedure.outs.len()).map(|index| VarRef::Local(hir::LocalId::new(index))),
        );
        body.havoc(&changed, procedure.span, (self.is_input)(procedure.span));
        body.ensures(procedure, Callee::Declared);
        body.push(Instr::Leave, procedure.span);
        body.finish(&procedure.name, procedure)
    }

    fn implementation(
        &self,
        id: ProcedureId,
        procedure: &hir::Procedure,
        implementation: &hir::Implementation,
    ) -> Body {
        let mut body = BodyBuilder::new(self, id, Some(implementation));
        body.requires(procedure, Callee::Body);
        // All have values before what their clauses say is assumed: these may be about each other.
        let first = implementation.ins.len();
        let own = implementation.outs.len() + implementation.locals.len();
        let constrained: Vec<VarRef> = (first..first + own)
            .map(|index| VarRef::Local(hir::LocalId::new(index)))
            .filter(|&variable| body.where_clause(variable).is_some())
            .collect();
        body.havoc(&constrained, implementation.span, false);
        let end = body.label();
        body.statements(&implementation.body, end);
        body.place(end);
        body.ensures(procedure, Callee::Body);
        body.push(Instr::Leave, implementation.end);
        body.finish(&procedure.name, procedure)
    }
}

/// A variable as people know it.
pub(crate) fn named(name: &str, ty: &Type) -> Named {
    Named {
        name: name.into(),
        ty: Rc::new(ty.clone()),
    }
}

/// Functions, with definitions from their bodies or from axioms that are definitions; the numbers of those axioms.
pub(crate) fn functions(
    background: &hir::Background,
    expressions: &Expressions<'_>,
    globals: usize,
    used: &mut Vec<usize>,
) -> Vec<Function> {
    let mut definitions: FxHashMap<usize, (&[hir::Bound], Vec<hir::BoundId>, &hir::Expr)> =
        FxHashMap::default();
    for (number, axiom) in background.axioms.iter().enumerate() {
        if let Some((function, bound, params, value)) = definition(&axiom.formula)
            && let Some(declared) = background.functions.get(function)
            && declared.body.is_none()
            && builtin::named(&declared.attributes).is_none()
            && !definitions.contains_key(&function)
        {
            definitions.insert(function, (bound, params, value));
            used.push(number);
        }
    }
    let compiled = background.functions.iter().enumerate().map(|(number, f)| {
        let mut scope = Scope::new(0, globals);
        let body = match (&f.body, definitions.get(&number)) {
            (Some(body), _) => {
                for param in &f.params {
                    scope.bind(param.id);
                }
                Some(expressions.expr(&mut scope, body))
            }
            (None, Some((_, params, value))) => {
                for param in params {
                    scope.bind(*param);
                }
                Some(expressions.expr(&mut scope, value))
            }
            (None, None) => None,
        };
        Function {
            name: f.name.as_str().into(),
            locals: scope.locals().max(f.params.len()),
            body,
            result: Rc::new(f.result.clone()),
        }
    });
    compiled.collect()
}

/// Takes `forall x, y :: f(x, y) == e` apart if `e` does not mention `f`.
fn definition(
    formula: &hir::Expr,
) -> Option<(usize, &[hir::Bound], Vec<hir::BoundId>, &hir::Expr)> {
    let ExprKind::Quantifier {
        kind: QuantifierKind::Forall,
        type_params,
        bound,
        body,
        ..
    } = &formula.kind
    else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) = &body.kind else {
        return None;
    };
    let ExprKind::Call { function, args, .. } = &left.kind else {
        return None;
    };
    let mut params = Vec::new();
    for arg in args {
        match arg.kind {
            ExprKind::Var(VarRef::Bound(id))
                if bound.iter().any(|bound| bound.id == id) && !params.contains(&id) =>
            {
                params.push(id);
            }
            _ => return None,
        }
    }
    let mut recursive = false;
    right.visit(&mut |e| {
        recursive |=
            matches!(e.kind, ExprKind::Call { function: called, .. } if called == *function);
    });
    (type_params.is_empty() && params.len() == bound.len() && !recursive).then_some((
        function.index(),
        &**bound,
        params,
        &**right,
    ))
}

/// Gives constants values that the axioms allow, as far as those can be evaluated.
pub(crate) fn background(
    body: &mut BodyBuilder<'_>,
    background: &hir::Background,
    globals: usize,
    used: &[usize],
) {
    let Some(first) = background.constants.first() else {
        axioms(body, background, used);
        return;
    };
    let span = first.span;
    let place = |index: usize| Variable::Global(u32::try_from(globals + index).unwrap_or(u32::MAX));
    let mut open = Vec::new();
    let mut unique: BTreeMap<String, Vec<Variable>> = BTreeMap::new();
    for (index, constant) in background.constants.iter().enumerate() {
        let variable = place(index);
        if let Type::Constructor(..) = constant.ty {
            let element = u64::try_from(index + 1).unwrap_or(u64::MAX);
            let value = Expr::Value(Value::Element(element));
            body.write(variable, value, constant.span);
            continue;
        }
        open.push((variable, Rc::new(constant.ty.clone())));
        if constant.unique {
            let group = unique.entry(format!("{:?}", constant.ty)).or_default();
            group.push(variable);
        }
    }
    body.havoc_variables(open, span, false);
    for group in unique.values().filter(|group| group.len() <= UNIQUE) {
        for (number, a) in group.iter().enumerate() {
            for b in &group[..number] {
                let differ = Box::new([Expr::Variable(*a), Expr::Variable(*b)]);
                let differ = Expr::Binary(crate::code::Binary::Neq, differ);
                body.push(Instr::Assume(differ), span);
            }
        }
    }
    axioms(body, background, used);
}

fn axioms(body: &mut BodyBuilder<'_>, background: &hir::Background, used: &[usize]) {
    for (number, axiom) in background.axioms.iter().enumerate() {
        if !used.contains(&number) {
            body.axiom(&axiom.formula, axiom.span);
        }
    }
}
