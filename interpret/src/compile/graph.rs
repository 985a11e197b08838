//! Program graphs: an edge's formula becomes statements.
//!
//! `x' == e` is an assignment as soon as `e` has a value; what no equation determines is chosen; what is left of the
//! formula is assumed. Values for the state after the step are collected first and written at the end.

use std::collections::BTreeSet;

use ult_lang::hir;
use ult_lang::hir::{BinaryOp, ExprKind, GraphVariableId, LocationId, ProcedureId, Type, VarRef};

use super::Compiler;
use super::body::{BodyBuilder, Target};
use super::expr::{Expressions, conjuncts};
use crate::code::{Code, Expr, Instr, Obligation, Variable};
use crate::value::Value;

/// Compiles a graph of a program. The last body is the start.
pub(crate) fn graph(program: &hir::GraphProgram, graph: &hir::Graph) -> Code {
    // A graph is run as the body of a procedure that changes global variables.
    let background = &program.background;
    let procedure = hir::Procedure {
        name: graph.name.clone(),
        type_params: Vec::new(),
        ins: Vec::new(),
        outs: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        modifies: Vec::new(),
        declared_modifies: Vec::new(),
        attributes: Vec::new(),
        implementations: Vec::new(),
        span: graph.span,
    };
    let globals = graph.variables.iter().map(|variable| hir::Global {
        name: variable.name.clone(),
        ty: variable.ty.clone(),
        where_clause: None,
        attributes: Vec::new(),
        span: variable.span,
    });
    let around = hir::Program {
        background: background.clone(),
        globals: globals.collect(),
        procedures: vec![procedure],
        implementations: Vec::new(),
    };
    let compiler = Compiler {
        program: &around,
        expressions: Expressions { background },
        is_input: &|_| true,
        globals_are_inputs: true,
        bodies: vec![Box::new([0])],
    };
    let (mut code, used) = compiler.head();
    let mut body = BodyBuilder::new(&compiler, ProcedureId(0), None);
    Walk {
        graph,
        body: &mut body,
    }
    .locations();
    code.bodies
        .push(body.finish(&graph.name, &around.procedures[0]));
    code.bodies.push(compiler.start(ProcedureId(0), &used));
    code
}

struct Walk<'g, 'b, 'c> {
    graph: &'g hir::Graph,
    body: &'b mut BodyBuilder<'c>,
}

/// A name whose value the step determines, and how.
struct Open<'g> {
    name: VarRef,
    ty: &'g Type,
    /// For a named formula: the formula.
    value: Option<&'g hir::Expr>,
}

impl<'g> Walk<'g, '_, '_> {
    fn locations(&mut self) {
        let graph = self.graph;
        let targets: Vec<Target> = graph.locations.iter().map(|_| self.body.label()).collect();
        let target = |id: LocationId| targets.get(id.index()).copied();
        let initial: Vec<Target> = graph.initial.iter().filter_map(|id| target(*id)).collect();
        self.body.choose(&initial, graph.span);
        for (number, location) in graph.locations.iter().enumerate() {
            let id = LocationId::new(number);
            self.body.place(targets[number]);
            if graph.errors.contains(&id) {
                let message = location.description.as_deref().unwrap_or(&location.name);
                let assert = Instr::Assert {
                    condition: Expr::Value(Value::Bool(false)),
                    obligation: Obligation::Location,
                    message: Some(message.into()),
                };
                self.body.push(assert, location.span);
            }
            let edges: Vec<&hir::Edge> = graph.edges.iter().filter(|e| e.source == id).collect();
            if edges.is_empty() {
                self.body.push(Instr::Leave, location.span);
                continue;
            }
            let ways: Vec<Target> = edges.iter().map(|_| self.body.label()).collect();
            self.body.choose(&ways, location.span);
            for (edge, way) in edges.into_iter().zip(ways) {
                self.body.place(way);
                self.edge(edge);
                if let Some(target) = target(edge.target) {
                    self.body.jump(target, edge.span);
                }
            }
        }
    }

    fn edge(&mut self, edge: &'g hir::Edge) {
        self.body.scope.of_edge.clear();
        let mut formulas = Vec::new();
        conjuncts(&edge.formula, &mut formulas);
        let (mut open, primed) = self.open(edge);
        loop {
            // Whatever can be checked is checked, so that an edge that cannot be taken is found at once.
            formulas.retain(|formula| {
                let ready = is_known(formula, &open);
                if ready {
                    self.body.assume(formula, formula.span);
                }
                !ready
            });
            if open.is_empty() {
                break;
            }
            let next = open.iter().position(|name| match name.value {
                Some(value) => is_known(value, &open),
                None => formulas
                    .iter()
                    .any(|formula| equation(formula, name.name, &open).is_some()),
            });
            match next {
                Some(at) => {
                    let value = match open[at].value {
                        Some(value) => value,
                        None => {
                            let found =
                                formulas.iter().enumerate().find_map(|(number, formula)| {
                                    Some((number, equation(formula, open[at].name, &open)?))
                                });
                            let Some((number, value)) = found else { break };
                            formulas.remove(number);
                            value
                        }
                    };
                    let value = self.body.expr(value);
                    let place = self.place(open[at].name);
                    self.body.write(place, value, edge.span);
                    open.remove(at);
                }
                None => {
                    // One more choice, if need be of something that formulas with names wait for.
                    let at = open
                        .iter()
                        .position(|name| name.value.is_none())
                        .unwrap_or(0);
                    let name = open.remove(at);
                    let place = self.place(name.name);
                    let choice = vec![(place, std::rc::Rc::new(name.ty.clone()))];
                    self.body.havoc_variables(choice, edge.span, true);
                }
            }
        }
        for id in primed {
            let place = self.place(VarRef::Primed(id));
            self.body
                .write(Variable::Global(id.0), Expr::Variable(place), edge.span);
        }
    }

    /// The names of an edge, and which variables the step may change.
    fn open(&self, edge: &'g hir::Edge) -> (Vec<Open<'g>>, BTreeSet<GraphVariableId>) {
        let mut primed: BTreeSet<GraphVariableId> = edge.havoc.iter().copied().collect();
        let mut collect = |e: &hir::Expr| {
            e.visit(&mut |e| {
                if let ExprKind::Var(VarRef::Primed(id)) = e.kind {
                    primed.insert(id);
                }
            });
        };
        collect(&edge.formula);
        edge.lets.iter().for_each(|bound| collect(&bound.value));
        let mut open = Vec::new();
        for id in &primed {
            if let Some(variable) = self.graph.variable(*id) {
                open.push(Open {
                    name: VarRef::Primed(*id),
                    ty: &variable.ty,
                    value: None,
                });
            }
        }
        for (number, local) in edge.locals.iter().enumerate() {
            open.push(Open {
                name: VarRef::EdgeLocal(hir::EdgeLocalId::new(number)),
                ty: &local.ty,
                value: None,
            });
        }
        for (number, bound) in edge.lets.iter().enumerate() {
            open.push(Open {
                name: VarRef::EdgeLet(hir::EdgeLetId::new(number)),
                ty: &bound.value.ty,
                value: Some(&bound.value),
            });
        }
        (open, primed)
    }

    /// The local that keeps the value of a name.
    fn place(&mut self, name: VarRef) -> Variable {
        if let Some(local) = self.body.scope.of_edge.get(&name) {
            return Variable::Local(*local);
        }
        let local = self.body.scope.local();
        self.body.scope.of_edge.insert(name, local);
        Variable::Local(local)
    }
}

/// Whether an expression mentions nothing that is open.
fn is_known(e: &hir::Expr, open: &[Open<'_>]) -> bool {
    let mut known = true;
    e.visit(&mut |e| {
        if let ExprKind::Var(var) = e.kind {
            known &= open.iter().all(|open| open.name != var);
        }
    });
    known
}

/// The other side of an equation whose one side is the name, if it is known.
fn equation<'e>(formula: &'e hir::Expr, name: VarRef, open: &[Open<'_>]) -> Option<&'e hir::Expr> {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = &formula.kind else {
        return None;
    };
    let is_name = |e: &hir::Expr| matches!(e.kind, ExprKind::Var(var) if var == name);
    if is_name(a) && is_known(b, open) {
        Some(b)
    } else if is_name(b) && is_known(a, open) {
        Some(a)
    } else {
        None
    }
}
