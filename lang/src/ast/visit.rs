//! Visitors of syntax trees.
//!
//! A visitor overrides the methods of the nodes that it is about. Whatever it does not override visits the parts of the
//! node, in the order of the text; so does the function `walk_...` of the node, for visitors that go on inside. [`Visit`]
//! reads, [`mutable::VisitMut`] changes.
//!
//! Deep trees need no attention: the walks through expressions, types and statements grow the stack. Only who goes from
//! one of these to what is inside of it without calling its walk has to see to that, with
//! [`ensure_stack`].

use super::*;
use crate::span::Span;
use crate::stack::ensure_stack;
use crate::visit::{each, maybe, visitors};

/// What a name does where it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is declared. What it stands for tells the node around it.
    Declared,
    /// It is declared, a type parameter.
    TypeParameter,
    /// A type is meant.
    Type,
    /// A variable or constant is meant, and its value is read.
    Read,
    /// A variable is meant, and it gets a value.
    Written,
    /// A variable or constant of top level is meant: in a `modifies` clause or among the parents of a constant.
    Global,
    /// A function or constructor is meant.
    Callable,
    /// A field is meant.
    Field,
    /// A procedure is meant.
    Procedure,
    /// A label is meant.
    Label,
    /// A location is meant.
    Location,
    /// It is the name of an attribute, which belongs to no name space.
    Attribute,
}

visitors! {
    /// Visits a syntax tree. See the [module](crate::ast::visit).
    |visitor|

    /// A Boogie program.
    fn visit_program / walk_program(program: Program) {
        let Program { decls } = program;
        each!(visitor.visit_decl(decls));
    }

    /// A file of the graph language.
    fn visit_graph_file / walk_graph_file(file: GraphFile) {
        let GraphFile { decls, graphs } = file;
        each!(visitor.visit_decl(decls));
        each!(visitor.visit_graph(graphs));
    }

    // Declarations.

    /// A declaration.
    fn visit_decl / walk_decl(decl: Decl) {
        match decl {
            Decl::Type(decl) => visitor.visit_type_decl(decl),
            Decl::Datatype(decl) => visitor.visit_datatype_decl(decl),
            Decl::Const(decl) => visitor.visit_const_decl(decl),
            Decl::Function(decl) => visitor.visit_function_decl(decl),
            Decl::Axiom(decl) => visitor.visit_axiom_decl(decl),
            Decl::Var(decl) => visitor.visit_var_decl(decl),
            Decl::Procedure(decl) => visitor.visit_procedure_decl(decl),
            Decl::Implementation(decl) => visitor.visit_implementation_decl(decl),
            Decl::Error(span) => visitor.visit_span(span),
        }
    }

    /// A declaration of types.
    fn visit_type_decl / walk_type_decl(decl: TypeDecl) {
        let TypeDecl { attributes, finite: _, items, span } = decl;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_type_decl_item(items));
        visitor.visit_span(span);
    }

    /// One type of a declaration of types.
    fn visit_type_decl_item / walk_type_decl_item(item: TypeDeclItem) {
        let TypeDeclItem { name, params, synonym, span } = item;
        visitor.visit_ident(name, Role::Declared);
        each!(visitor.visit_ident(params, Role::TypeParameter));
        maybe!(visitor.visit_type(synonym));
        visitor.visit_span(span);
    }

    /// A declaration of a datatype.
    fn visit_datatype_decl / walk_datatype_decl(decl: DatatypeDecl) {
        let DatatypeDecl { attributes, name, type_params, constructors, span } = decl;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_ident(name, Role::Declared);
        each!(visitor.visit_ident(type_params, Role::TypeParameter));
        each!(visitor.visit_constructor(constructors));
        visitor.visit_span(span);
    }

    /// A constructor of a datatype.
    fn visit_constructor / walk_constructor(constructor: Constructor) {
        let Constructor { name, fields, span } = constructor;
        visitor.visit_ident(name, Role::Declared);
        each!(visitor.visit_typed_idents(fields));
        visitor.visit_span(span);
    }

    /// A declaration of constants.
    fn visit_const_decl / walk_const_decl(decl: ConstDecl) {
        let ConstDecl { attributes, unique: _, names, ty, parents, complete: _, uses, span } = decl;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_ident(names, Role::Declared));
        visitor.visit_type(ty);
        if let Some(parents) = parents {
            each!(visitor.visit_const_parent(parents));
        }
        each!(visitor.visit_axiom_decl(uses));
        visitor.visit_span(span);
    }

    /// A parent of constants.
    fn visit_const_parent / walk_const_parent(parent: ConstParent) {
        let ConstParent { unique: _, name } = parent;
        visitor.visit_ident(name, Role::Global);
    }

    /// A declaration of a function.
    fn visit_function_decl / walk_function_decl(decl: FunctionDecl) {
        let FunctionDecl { attributes, name, type_params, params, result, body, uses, span } = decl;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_ident(name, Role::Declared);
        each!(visitor.visit_ident(type_params, Role::TypeParameter));
        each!(visitor.visit_typed_idents(params));
        visitor.visit_typed_idents(result);
        maybe!(visitor.visit_expr(body));
        each!(visitor.visit_axiom_decl(uses));
        visitor.visit_span(span);
    }

    /// An axiom.
    fn visit_axiom_decl / walk_axiom_decl(decl: AxiomDecl) {
        let AxiomDecl { attributes, expr, span } = decl;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_expr(expr);
        visitor.visit_span(span);
    }

    /// A declaration of variables, global or local.
    fn visit_var_decl / walk_var_decl(decl: VarDecl) {
        let VarDecl { attributes, groups, span } = decl;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_typed_idents(groups));
        visitor.visit_span(span);
    }

    /// A procedure.
    fn visit_procedure_decl / walk_procedure_decl(decl: ProcedureDecl) {
        let ProcedureDecl { pure_: _, signature, specs, body, span } = decl;
        visitor.visit_signature(signature, Role::Declared);
        each!(visitor.visit_spec(specs));
        maybe!(visitor.visit_body(body));
        visitor.visit_span(span);
    }

    /// An implementation.
    fn visit_implementation_decl / walk_implementation_decl(decl: ImplementationDecl) {
        let ImplementationDecl { signature, body, span } = decl;
        visitor.visit_signature(signature, Role::Procedure);
        visitor.visit_body(body);
        visitor.visit_span(span);
    }

    /// The head of a procedure or implementation. The role is that of its name.
    fn visit_signature / walk_signature(signature: Signature, role: Role) {
        let Signature { attributes, name, type_params, params, results, span } = signature;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_ident(name, role);
        each!(visitor.visit_ident(type_params, Role::TypeParameter));
        each!(visitor.visit_typed_idents(params));
        each!(visitor.visit_typed_idents(results));
        visitor.visit_span(span);
    }

    /// A clause of a contract.
    fn visit_spec / walk_spec(spec: Spec) {
        let Spec { free: _, attributes, kind, span } = spec;
        each!(visitor.visit_attribute(attributes));
        match kind {
            SpecKind::Requires(expr) | SpecKind::Ensures(expr) => visitor.visit_expr(expr),
            SpecKind::Modifies(names) => each!(visitor.visit_ident(names, Role::Global)),
            SpecKind::Measure(exprs) => each!(visitor.visit_expr(exprs)),
        }
        visitor.visit_span(span);
    }

    /// A body with its local variables.
    fn visit_body / walk_body(body: Body) {
        let Body { locals, block, span } = body;
        each!(visitor.visit_var_decl(locals));
        visitor.visit_block(block);
        visitor.visit_span(span);
    }

    /// A group of names of one type.
    fn visit_typed_idents / walk_typed_idents(group: TypedIdents) {
        let TypedIdents { attributes, names, ty, where_clause, span } = group;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_ident(names, Role::Declared));
        visitor.visit_type(ty);
        maybe!(visitor.visit_expr(where_clause));
        visitor.visit_span(span);
    }

    /// An attribute.
    fn visit_attribute / walk_attribute(attribute: Attribute) {
        let Attribute { name, args, span } = attribute;
        visitor.visit_ident(name, Role::Attribute);
        each!(visitor.visit_expr(args));
        visitor.visit_span(span);
    }

    // Statements.

    /// A list of statements.
    fn visit_block / walk_block(block: Block) {
        let Block { stmts, span } = block;
        each!(visitor.visit_stmt(stmts));
        visitor.visit_span(span);
    }

    /// A statement.
    fn visit_stmt / walk_stmt(stmt: Stmt) {
        let Stmt { kind, attributes, span } = stmt;
        each!(visitor.visit_attribute(attributes));
        ensure_stack(|| visitor.visit_stmt_kind(kind));
        visitor.visit_span(span);
    }

    /// A statement without its attributes and its place.
    fn visit_stmt_kind / walk_stmt_kind(kind: StmtKind) {
        match kind {
            StmtKind::Label(name) => visitor.visit_ident(name, Role::Declared),
            StmtKind::Assert(expr) | StmtKind::Assume(expr) => visitor.visit_expr(expr),
            StmtKind::Havoc(names) => each!(visitor.visit_ident(names, Role::Written)),
            StmtKind::Assign { targets, values } => {
                each!(visitor.visit_assign_target(targets));
                each!(visitor.visit_expr(values));
            }
            StmtKind::Unpack { constructor, targets, value } => {
                visitor.visit_ident(constructor, Role::Callable);
                each!(visitor.visit_ident(targets, Role::Written));
                visitor.visit_expr(value);
            }
            StmtKind::Call { free: _, call } => visitor.visit_call(call),
            StmtKind::CallForall { name, args } => {
                visitor.visit_ident(name, Role::Procedure);
                each!(visitor.visit_call_arg(args));
            }
            StmtKind::If { branches, otherwise } => {
                for (guard, block) in branches {
                    visitor.visit_guard(guard);
                    visitor.visit_block(block);
                }
                maybe!(visitor.visit_block(otherwise));
            }
            StmtKind::Measure(exprs) => each!(visitor.visit_expr(exprs)),
            StmtKind::While { guard, invariants, measures, body } => {
                visitor.visit_guard(guard);
                each!(visitor.visit_invariant(invariants));
                each!(visitor.visit_measure(measures));
                visitor.visit_block(body);
            }
            StmtKind::Break(label) => maybe!(visitor.visit_ident(label, Role::Label)),
            StmtKind::Goto(labels) => each!(visitor.visit_ident(labels, Role::Label)),
            StmtKind::Return(value) => maybe!(visitor.visit_expr(value)),
            StmtKind::Unsupported(what) => visitor.visit_unsupported(what),
            StmtKind::Error => {}
        }
    }

    /// A statement that is read and then refused.
    fn visit_unsupported / walk_unsupported(what: Unsupported) {
        match what {
            Unsupported::AsyncCall(call) => visitor.visit_call(call),
            Unsupported::ParallelCall(calls) => each!(visitor.visit_call(calls)),
            Unsupported::Atomic(block) => visitor.visit_block(block),
            Unsupported::Visibility { reveal: _, name } => {
                maybe!(visitor.visit_ident(name, Role::Callable));
            }
            Unsupported::Yield | Unsupported::Push | Unsupported::Pop => {}
        }
    }

    /// A call of a procedure.
    fn visit_call / walk_call(call: Call) {
        let Call { attributes, targets, name, args, span } = call;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_ident(targets, Role::Written));
        visitor.visit_ident(name, Role::Procedure);
        each!(visitor.visit_expr(args));
        visitor.visit_span(span);
    }

    /// An argument of `call forall`.
    fn visit_call_arg / walk_call_arg(arg: CallArg) {
        match arg {
            CallArg::Any(span) => visitor.visit_span(span),
            CallArg::Expr(expr) => visitor.visit_expr(expr),
        }
    }

    /// The condition of an `if` or `while`.
    fn visit_guard / walk_guard(guard: Guard) {
        match guard {
            Guard::Any(span) => visitor.visit_span(span),
            Guard::Expr(expr) => visitor.visit_expr(expr),
        }
    }

    /// The measure of a loop.
    fn visit_measure / walk_measure(measure: Measure) {
        let Measure { attributes, exprs, span } = measure;
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_expr(exprs));
        visitor.visit_span(span);
    }

    /// A loop invariant.
    fn visit_invariant / walk_invariant(invariant: Invariant) {
        let Invariant { free: _, attributes, expr, span } = invariant;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_expr(expr);
        visitor.visit_span(span);
    }

    /// The left side of an assignment.
    fn visit_assign_target / walk_assign_target(target: AssignTarget) {
        let AssignTarget { name, path, span } = target;
        visitor.visit_ident(name, Role::Written);
        each!(visitor.visit_path_step(path));
        visitor.visit_span(span);
    }

    /// A step into a value, on the left side of an assignment.
    fn visit_path_step / walk_path_step(step: PathStep) {
        match step {
            PathStep::Index(indices, span) => {
                each!(visitor.visit_expr(indices));
                visitor.visit_span(span);
            }
            PathStep::Field(field) => visitor.visit_ident(field, Role::Field),
        }
    }

    // Expressions.

    /// An expression.
    fn visit_expr / walk_expr(expr: Expr) {
        let Expr { kind, span } = expr;
        ensure_stack(|| visitor.visit_expr_kind(kind));
        visitor.visit_span(span);
    }

    /// An expression without its place.
    fn visit_expr_kind / walk_expr_kind(kind: ExprKind) {
        match kind {
            ExprKind::Literal(_) | ExprKind::Error => {}
            ExprKind::Ident(name) | ExprKind::Primed(name) => visitor.visit_ident(name, Role::Read),
            ExprKind::Call { name, args } => {
                visitor.visit_ident(name, Role::Callable);
                each!(visitor.visit_expr(args));
            }
            ExprKind::Unary { op: _, operand }
            | ExprKind::Extract { operand, high: _, low: _ }
            | ExprKind::Old(operand)
            | ExprKind::ToInt(operand)
            | ExprKind::ToReal(operand) => visitor.visit_expr(operand),
            ExprKind::Chain { first, rest } => {
                visitor.visit_expr(first);
                each!(visitor.visit_chain_link(rest));
            }
            ExprKind::Select { map, indices } => {
                visitor.visit_expr(map);
                each!(visitor.visit_expr(indices));
            }
            ExprKind::Store { map, indices, value } => {
                visitor.visit_expr(map);
                each!(visitor.visit_expr(indices));
                visitor.visit_expr(value);
            }
            ExprKind::Field { operand, field } => {
                visitor.visit_expr(operand);
                visitor.visit_ident(field, Role::Field);
            }
            ExprKind::FieldUpdate { operand, field, value } => {
                visitor.visit_expr(operand);
                visitor.visit_ident(field, Role::Field);
                visitor.visit_expr(value);
            }
            ExprKind::Is { operand, constructor } => {
                visitor.visit_expr(operand);
                visitor.visit_ident(constructor, Role::Callable);
            }
            ExprKind::IfThenElse { branches, otherwise } => {
                for (condition, value) in branches {
                    visitor.visit_expr(condition);
                    visitor.visit_expr(value);
                }
                visitor.visit_expr(otherwise);
            }
            ExprKind::Ascription { operand, ty } => {
                visitor.visit_expr(operand);
                visitor.visit_type(ty);
            }
            ExprKind::Quantifier(quantifier) => visitor.visit_quantifier(quantifier),
            ExprKind::Let(binding) => visitor.visit_let(binding),
            ExprKind::Code(code) => visitor.visit_code(code),
        }
    }

    /// An operator of a chain with its right operand.
    fn visit_chain_link / walk_chain_link(link: ChainLink) {
        let ChainLink { op: _, op_span, operand } = link;
        visitor.visit_span(op_span);
        visitor.visit_expr(operand);
    }

    /// A quantifier or lambda.
    fn visit_quantifier / walk_quantifier(quantifier: Quantifier) {
        let Quantifier { binder: _, type_params, vars, attributes, triggers, body } = quantifier;
        each!(visitor.visit_ident(type_params, Role::TypeParameter));
        each!(visitor.visit_typed_idents(vars));
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_trigger(triggers));
        visitor.visit_expr(body);
    }

    /// A trigger.
    fn visit_trigger / walk_trigger(trigger: Trigger) {
        let Trigger { exprs, span } = trigger;
        each!(visitor.visit_expr(exprs));
        visitor.visit_span(span);
    }

    /// Names for values, and the expression that they are for.
    fn visit_let / walk_let(binding: Let) {
        let Let { names, values, attributes, body } = binding;
        for (attributes, name) in names {
            each!(visitor.visit_attribute(attributes));
            visitor.visit_ident(name, Role::Declared);
        }
        each!(visitor.visit_expr(values));
        each!(visitor.visit_attribute(attributes));
        visitor.visit_expr(body);
    }

    /// A code expression.
    fn visit_code / walk_code(code: CodeExpr) {
        let CodeExpr { locals, stmts } = code;
        each!(visitor.visit_var_decl(locals));
        each!(visitor.visit_stmt(stmts));
    }

    // Types.

    /// A type.
    fn visit_type / walk_type(ty: Type) {
        let Type { kind, span } = ty;
        ensure_stack(|| visitor.visit_type_kind(kind));
        visitor.visit_span(span);
    }

    /// A type without its place.
    fn visit_type_kind / walk_type_kind(kind: TypeKind) {
        match kind {
            TypeKind::Named { name, args } => {
                visitor.visit_ident(name, Role::Type);
                each!(visitor.visit_type(args));
            }
            TypeKind::Map { params, domain, range } => {
                each!(visitor.visit_ident(params, Role::TypeParameter));
                each!(visitor.visit_type(domain));
                visitor.visit_type(range);
            }
            TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Real
            | TypeKind::BitVector(_)
            | TypeKind::Float(_)
            | TypeKind::Error => {}
        }
    }

    // Program graphs.

    /// A program graph.
    fn visit_graph / walk_graph(graph: Graph) {
        let Graph { attributes, name, vars, locations, edges, span } = graph;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_ident(name, Role::Declared);
        each!(visitor.visit_typed_idents(vars));
        each!(visitor.visit_location_decl(locations));
        each!(visitor.visit_edge(edges));
        visitor.visit_span(span);
    }

    /// A declaration of a location.
    fn visit_location_decl / walk_location_decl(decl: LocationDecl) {
        let LocationDecl { kind: _, attributes, name, description: _, span } = decl;
        each!(visitor.visit_attribute(attributes));
        visitor.visit_ident(name, Role::Declared);
        visitor.visit_span(span);
    }

    /// An edge.
    fn visit_edge / walk_edge(edge: Edge) {
        let Edge { attributes, from, to, locals, havocs, lets, formula, span } = edge;
        visitor.visit_ident(from, Role::Location);
        visitor.visit_ident(to, Role::Location);
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_local_group(locals));
        each!(visitor.visit_ident(havocs, Role::Written));
        each!(visitor.visit_let_binding(lets));
        maybe!(visitor.visit_expr(formula));
        visitor.visit_span(span);
    }

    /// Variables of an edge.
    fn visit_local_group / walk_local_group(group: LocalGroup) {
        let LocalGroup { names, ty, span } = group;
        each!(visitor.visit_ident(names, Role::Declared));
        visitor.visit_type(ty);
        visitor.visit_span(span);
    }

    /// A name for a term of an edge.
    fn visit_let_binding / walk_let_binding(binding: LetBinding) {
        let LetBinding { name, value, span } = binding;
        visitor.visit_ident(name, Role::Declared);
        visitor.visit_expr(value);
        visitor.visit_span(span);
    }

    // Leaves.

    /// A name.
    fn visit_ident / walk_ident(ident: Ident, role: Role) {
        let Ident { name: _, span } = ident;
        visitor.visit_span(span);
    }

    /// A place.
    fn visit_span / walk_span(span: Span) {}
}

/// The labels that statements declare, nested ones included, each with the place of its statement, in the order of the
/// text. Those of code expressions are not among them: they belong to these alone.
pub fn labels(stmts: &[Stmt]) -> Vec<(&Ident, Span)> {
    struct Labels<'t>(Vec<(&'t Ident, Span)>);

    impl<'t> Visit<'t> for Labels<'t> {
        fn visit_stmt(&mut self, stmt: &'t Stmt) {
            match &stmt.kind {
                StmtKind::Label(name) => self.0.push((name, stmt.span)),
                _ => walk_stmt(self, stmt),
            }
        }

        fn visit_attribute(&mut self, _: &'t Attribute) {}
        fn visit_expr(&mut self, _: &'t Expr) {}
    }

    let mut labels = Labels(Vec::new());
    each!(labels.visit_stmt(stmts));
    labels.0
}
