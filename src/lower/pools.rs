//! Pools: terms with which quantifiers are to be instantiated, by name.
//!
//! `(forall {:pool "A"} x: T :: ..)` says that `x` is to be tried with all that is in the pool `A`, and
//! `assert {:add_to_pool "A", e} ..;` puts the value of `e` there; assumptions, clauses and quantifiers can do the same.
//! For solvers a pool is a function `pool_A(x: T): bool` of which an axiom says that it is true of everything. Then
//! everything may be said of it without a change of meaning, and terms with it are what triggers match:
//!
//! * a quantifier whose variables all have pools gets these as one more trigger;
//! * `e` is put into the pool by `pool_A(e)`, before what is proved and beside what is assumed;
//! * an assignment of a lambda says of the new map what the lambda says, with its pools as the trigger.
//!
//! As in Boogie, elements of a pool are tried for variables of their own type only.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use ult_lang::hir::visit::mutable::{self, VisitMut};
use ult_lang::hir::visit::{self, Visit};
use ult_lang::hir::{
    Attribute, AttributeArgument, Axiom, BinaryOp, Bound, BoundId, Condition, Expr, ExprKind,
    Function, FunctionId, NaryOp, Program, QuantifierKind, Stmt, StmtKind, Trigger, Type, VarRef,
};
use ult_lang::span::Span;

/// How many choices of pools for its variables become triggers of one quantifier.
const MAX_TRIGGERS: usize = 16;

/// The program in which pools are functions; the same program if it has none.
pub fn with_pools(program: &Program) -> Cow<'_, Program> {
    let mut look = Look::default();
    look.visit_program(program);
    if !look.has_pools {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    let functions = &program.background.functions;
    let mut pools = Pools {
        names: functions
            .iter()
            .map(|f| f.name.clone())
            .chain(look.names(&program))
            .collect(),
        first: functions.len(),
        known: HashMap::new(),
        functions: Vec::new(),
        axioms: Vec::new(),
        next_bound: look.next_bound,
    };
    pools.visit_program(&mut program);
    program.background.functions.append(&mut pools.functions);
    program.background.axioms.append(&mut pools.axioms);
    Cow::Owned(program)
}

/// What has to be known before.
#[derive(Default)]
struct Look {
    has_pools: bool,
    next_bound: u32,
}

impl Look {
    /// The names, besides those of functions, that a function may not have.
    fn names(&self, program: &Program) -> Vec<String> {
        let constants = program.background.constants.iter().map(|c| &c.name);
        let globals = program.globals.iter().map(|g| &g.name);
        constants.chain(globals).cloned().collect()
    }
}

impl<'p> Visit<'p> for Look {
    fn visit_bound(&mut self, bound: &'p Bound) {
        self.has_pools |= bound.attributes.iter().any(|a| a.name == "pool");
        visit::walk_bound(self, bound);
    }

    fn visit_bound_id(&mut self, id: &'p BoundId) {
        self.next_bound = self.next_bound.max(id.0.saturating_add(1));
    }
}

/// Turns pools into functions.
struct Pools {
    /// All names that are taken.
    names: BTreeSet<String>,
    /// The number of the first new function.
    first: usize,
    known: HashMap<(String, Type), FunctionId>,
    functions: Vec<Function>,
    axioms: Vec<Axiom>,
    next_bound: u32,
}

impl Pools {
    /// The function that stands for a pool of elements of this type.
    fn pool(&mut self, name: &str, ty: &Type, span: Span) -> FunctionId {
        let key = (name.to_owned(), ty.clone());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = FunctionId::new(self.first + self.functions.len());
        self.known.insert(key, id);
        let [param, bound] = [(); 2].map(|()| {
            let id = BoundId(self.next_bound);
            self.next_bound += 1;
            Bound {
                id,
                name: "x".to_owned(),
                ty: ty.clone(),
                attributes: Vec::new(),
                span,
            }
        });
        let name = self.unused(name);
        self.functions.push(Function {
            name,
            type_params: Vec::new(),
            params: vec![param],
            result: Type::Bool,
            body: None,
            attributes: Vec::new(),
            span,
        });
        let in_pool = in_pool(id, variable(&bound));
        let everything = ExprKind::Quantifier {
            kind: QuantifierKind::Forall,
            type_params: Vec::new(),
            bound: vec![bound],
            triggers: vec![Trigger {
                positive: true,
                terms: vec![in_pool.clone()],
                span,
            }],
            body: Box::new(in_pool),
            attributes: Vec::new(),
        };
        self.axioms.push(Axiom {
            formula: truth(everything, span),
            attributes: Vec::new(),
            span,
        });
        id
    }

    /// A name for the function of a pool.
    fn unused(&mut self, pool: &str) -> String {
        let letters = pool.chars().filter(char::is_ascii_alphanumeric);
        let base: String = "pool_".chars().chain(letters).collect();
        let numbered = (1..).map(|n| format!("{base}_{n}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let name = names
            .find(|name| !self.names.contains(name))
            .unwrap_or(base);
        self.names.insert(name.clone());
        name
    }

    /// What puts terms into pools, as the attributes want it.
    fn additions(&mut self, attributes: &[Attribute]) -> Vec<Expr> {
        let mut additions = Vec::new();
        for attribute in attributes.iter().filter(|a| a.name == "add_to_pool") {
            let [AttributeArgument::String(pool), elements @ ..] = &attribute.args[..] else {
                continue;
            };
            for element in elements {
                if let AttributeArgument::Expr(element) = element
                    && is_closed(&element.ty)
                {
                    let function = self.pool(pool, &element.ty, attribute.span);
                    additions.push(in_pool(function, element.clone()));
                }
            }
        }
        additions
    }

    /// The triggers that a quantifier has by the pools of its variables; none if one of them has no pool.
    fn triggers(&mut self, bound: &[Bound]) -> Vec<Trigger> {
        let mut choices: Vec<Vec<Expr>> = vec![Vec::new()];
        for variable_ in bound {
            let attributes = variable_.attributes.iter().filter(|a| a.name == "pool");
            let names = attributes
                .flat_map(|a| &a.args)
                .filter_map(|arg| match arg {
                    AttributeArgument::String(name) => Some(name),
                    _ => None,
                });
            if !is_closed(&variable_.ty) {
                return Vec::new();
            }
            let terms: Vec<Expr> = names
                .map(|name| {
                    let function = self.pool(name, &variable_.ty, variable_.span);
                    in_pool(function, variable(variable_))
                })
                .collect();
            let longer = choices.iter().flat_map(|choice| {
                let with = |term: &Expr| choice.iter().chain([term]).cloned().collect();
                terms.iter().map(with).collect::<Vec<Vec<Expr>>>()
            });
            choices = longer.take(MAX_TRIGGERS).collect();
        }
        let trigger = |terms: Vec<Expr>| Trigger {
            positive: true,
            span: terms[0].span,
            terms,
        };
        let choices = choices.into_iter().filter(|terms| !terms.is_empty());
        choices.map(trigger).collect()
    }

    /// What an assignment of lambdas says of the elements of the new maps, with their pools as triggers.
    fn elements(&mut self, pairs: &[(VarRef, Expr)]) -> Vec<Stmt> {
        let targets: Vec<VarRef> = pairs.iter().map(|(target, _)| *target).collect();
        let mut statements = Vec::new();
        for (target, value) in pairs {
            let ExprKind::Lambda {
                type_params,
                bound,
                body,
                ..
            } = &value.kind
            else {
                continue;
            };
            let mut reads_target = false;
            body.visit(&mut |e| {
                reads_target |= matches!(e.kind, ExprKind::Var(read) if targets.contains(&read));
            });
            if reads_target || !type_params.is_empty() {
                continue;
            }
            let triggers = self.triggers(bound);
            if triggers.is_empty() {
                continue;
            }
            let map = Expr::new(ExprKind::Var(*target), value.ty.clone(), value.span);
            let element = ExprKind::Select {
                map: Box::new(map),
                type_args: Vec::new(),
                indices: bound.iter().map(variable).collect(),
            };
            let element = Expr::new(element, body.ty.clone(), value.span);
            let equal = ExprKind::Binary(BinaryOp::Eq, Box::new(element), body.clone());
            let all = ExprKind::Quantifier {
                kind: QuantifierKind::Forall,
                type_params: Vec::new(),
                bound: bound.clone(),
                triggers,
                body: Box::new(truth(equal, value.span)),
                attributes: Vec::new(),
            };
            let assumption = StmtKind::Assume {
                condition: truth(all, value.span),
                attributes: Vec::new(),
            };
            statements.push(Stmt::new(assumption, value.span));
        }
        statements
    }

    /// What is said of new maps goes behind their assignments.
    fn statements(&mut self, statements: &mut Vec<Stmt>) {
        let mut longer = Vec::new();
        for statement in statements.drain(..) {
            let elements = match &statement.kind {
                StmtKind::Assign { pairs } => self.elements(pairs),
                _ => Vec::new(),
            };
            longer.push(statement);
            longer.extend(elements);
        }
        *statements = longer;
    }
}

impl VisitMut for Pools {
    fn visit_implementation(&mut self, implementation: &mut ult_lang::hir::Implementation) {
        mutable::walk_implementation(self, implementation);
        self.statements(&mut implementation.body);
    }

    fn visit_stmt_kind(&mut self, kind: &mut StmtKind) {
        mutable::walk_stmt_kind(self, kind);
        match kind {
            StmtKind::Assert {
                condition,
                attributes,
            } => {
                let additions = self.additions(attributes);
                implied(additions, condition);
            }
            StmtKind::Assume {
                condition,
                attributes,
            } => {
                let additions = self.additions(attributes);
                conjoined(additions, condition);
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::While { body, .. } => self.statements(body),
            _ => {}
        }
    }

    fn visit_condition(&mut self, condition: &mut Condition) {
        mutable::walk_condition(self, condition);
        let additions = self.additions(&condition.attributes);
        implied(additions, &mut condition.expr);
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        mutable::walk_expr(self, expr);
        let span = expr.span;
        let ExprKind::Quantifier {
            kind,
            type_params,
            bound,
            triggers,
            body,
            attributes,
        } = &mut expr.kind
        else {
            return;
        };
        let additions = self.additions(attributes);
        match kind {
            QuantifierKind::Forall => implied(additions, body),
            QuantifierKind::Exists => conjoined(additions, body),
        }
        if !type_params.is_empty() {
            return;
        }
        let by_pools = self.triggers(bound);
        if by_pools.is_empty() {
            return;
        }
        if triggers.iter().any(|trigger| trigger.positive) {
            triggers.extend(by_pools);
            return;
        }
        // With a trigger, solvers look for no others by themselves, so it is said once with and once without.
        let together = match kind {
            QuantifierKind::Forall => NaryOp::And,
            QuantifierKind::Exists => NaryOp::Or,
        };
        let without = expr.clone();
        if let ExprKind::Quantifier { triggers, .. } = &mut expr.kind {
            *triggers = by_pools;
        }
        let with = std::mem::replace(expr, Expr::error(span));
        *expr = truth(ExprKind::Nary(together, vec![without, with]), span);
    }
}

/// Whether a type mentions no type parameter.
fn is_closed(ty: &Type) -> bool {
    match ty {
        Type::Var(_) | Type::Error => false,
        Type::Map(map) if !map.type_params.is_empty() => false,
        _ => ty.parts().all(is_closed),
    }
}

fn truth(kind: ExprKind, span: Span) -> Expr {
    Expr::new(kind, Type::Bool, span)
}

fn variable(bound: &Bound) -> Expr {
    let kind = ExprKind::Var(VarRef::Bound(bound.id));
    Expr::new(kind, bound.ty.clone(), bound.span)
}

fn in_pool(function: FunctionId, element: Expr) -> Expr {
    let span = element.span;
    let call = ExprKind::Call {
        function,
        type_args: Vec::new(),
        args: vec![element],
    };
    truth(call, span)
}

/// `additions ==> condition`.
fn implied(additions: Vec<Expr>, condition: &mut Expr) {
    for addition in additions {
        let span = condition.span;
        let then = std::mem::replace(condition, Expr::error(span));
        let implication = ExprKind::Binary(BinaryOp::Implies, Box::new(addition), Box::new(then));
        *condition = truth(implication, span);
    }
}

/// `additions && condition`.
fn conjoined(additions: Vec<Expr>, condition: &mut Expr) {
    if additions.is_empty() {
        return;
    }
    let span = condition.span;
    let own = std::mem::replace(condition, Expr::error(span));
    let all = additions.into_iter().chain([own]).collect();
    *condition = truth(ExprKind::Nary(NaryOp::And, all), span);
}
