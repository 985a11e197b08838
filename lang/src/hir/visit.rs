//! Visitors of typed programs.
//!
//! A visitor overrides the methods of the nodes that it is about. Whatever it does not override visits the parts of the
//! node; so does the function `walk_...` of the node, for visitors that go on inside. [`Visit`] reads,
//! [`mutable::VisitMut`] changes.
//!
//! The place of a node comes first, then its type and the types in it, then what it binds, then its attributes, then all
//! else in the order of the text. Indices into the vectors of the program are no nodes; variables are
//! ([`Visit::visit_var`]), and so are the numbers of what is bound ([`Visit::visit_bound_id`], [`Visit::visit_type_var`]).
//!
//! Deep programs need no attention: the walks through expressions, statements and types grow the stack. Only who goes from
//! one of these to what is inside of it without calling its walk has to see to that, with
//! [`ensure_stack`]. For what concerns each expression or each statement alone there are
//! [`Expr::visit`] and [`statements`], which need no visitor.

use super::*;
use crate::span::Span;
use crate::stack::ensure_stack;
use crate::visit::{each, maybe, visitors};

visitors! {
    /// Visits a typed program. See the [module](crate::hir::visit).
    |visitor|

    /// A Boogie program.
    fn visit_program / walk_program(program: Program) {
        let Program { background, globals, procedures, implementations } = program;
        visitor.visit_background(background);
        each!(visitor.visit_global(globals));
        each!(visitor.visit_procedure(procedures));
        each!(visitor.visit_implementation(implementations));
    }

    /// A program-graph text.
    fn visit_graph_program / walk_graph_program(program: GraphProgram) {
        let GraphProgram { background, graphs } = program;
        visitor.visit_background(background);
        each!(visitor.visit_graph(graphs));
    }

    /// The rigid part of a program.
    fn visit_background / walk_background(background: Background) {
        let Background { types, datatypes, constants, functions, axioms } = background;
        each!(visitor.visit_type_constructor(types));
        each!(visitor.visit_datatype(datatypes));
        each!(visitor.visit_constant(constants));
        each!(visitor.visit_function(functions));
        each!(visitor.visit_axiom(axioms));
    }

    // Declarations.

    /// A type constructor.
    fn visit_type_constructor / walk_type_constructor(constructor: TypeConstructor) {
        let TypeConstructor { name: _, arity: _, attributes, span } = constructor;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
    }

    /// A datatype.
    fn visit_datatype / walk_datatype(datatype: Datatype) {
        let Datatype { name: _, type_params, constructors, fields, attributes, span } = datatype;
        visitor.visit_span(span);
        each!(visitor.visit_type_parameter(type_params));
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_constructor(constructors));
        each!(visitor.visit_field(fields));
    }

    /// A constructor of a datatype.
    fn visit_constructor / walk_constructor(constructor: Constructor) {
        let Constructor { name: _, fields: _, span } = constructor;
        visitor.visit_span(span);
    }

    /// A field of a datatype.
    fn visit_field / walk_field(field: Field) {
        let Field { name: _, ty, positions: _, span } = field;
        visitor.visit_span(span);
        visitor.visit_type(ty);
    }

    /// A constant.
    fn visit_constant / walk_constant(constant: Constant) {
        let Constant { name: _, ty, unique: _, order: _, attributes, span } = constant;
        visitor.visit_span(span);
        visitor.visit_type(ty);
        each!(visitor.visit_attribute(attributes));
    }

    /// A function.
    fn visit_function / walk_function(function: Function) {
        let Function { name: _, type_params, params, result, body, attributes, span } = function;
        visitor.visit_span(span);
        each!(visitor.visit_type_parameter(type_params));
        each!(visitor.visit_bound(params));
        visitor.visit_type(result);
        each!(visitor.visit_attribute(attributes));
        maybe!(visitor.visit_expr(body));
    }

    /// An axiom.
    fn visit_axiom / walk_axiom(axiom: Axiom) {
        let Axiom { formula, attributes, span } = axiom;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
        visitor.visit_expr(formula);
    }

    /// A global variable.
    fn visit_global / walk_global(global: Global) {
        let Global { name: _, ty, where_clause, attributes, span } = global;
        visitor.visit_span(span);
        visitor.visit_type(ty);
        each!(visitor.visit_attribute(attributes));
        maybe!(visitor.visit_expr(where_clause));
    }

    /// A procedure.
    fn visit_procedure / walk_procedure(procedure: Procedure) {
        let Procedure {
            name: _,
            type_params,
            ins,
            outs,
            requires,
            ensures,
            modifies: _,
            declared_modifies: _,
            attributes,
            implementations: _,
            span,
        } = procedure;
        visitor.visit_span(span);
        each!(visitor.visit_type_parameter(type_params));
        each!(visitor.visit_variable(ins));
        each!(visitor.visit_variable(outs));
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_condition(requires));
        each!(visitor.visit_condition(ensures));
    }

    /// A body of a procedure.
    fn visit_implementation / walk_implementation(implementation: Implementation) {
        let Implementation {
            procedure: _,
            ins,
            outs,
            locals,
            labels,
            body,
            attributes,
            span,
            end,
        } = implementation;
        visitor.visit_span(span);
        each!(visitor.visit_variable(ins));
        each!(visitor.visit_variable(outs));
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_variable(locals));
        each!(visitor.visit_label(labels));
        each!(visitor.visit_stmt(body));
        visitor.visit_span(end);
    }

    /// A parameter or local variable.
    fn visit_variable / walk_variable(variable: Variable) {
        let Variable { name: _, ty, where_clause, attributes, span } = variable;
        visitor.visit_span(span);
        visitor.visit_type(ty);
        each!(visitor.visit_attribute(attributes));
        maybe!(visitor.visit_expr(where_clause));
    }

    /// A label.
    fn visit_label / walk_label(label: Label) {
        let Label { name: _, span } = label;
        visitor.visit_span(span);
    }

    /// A clause of a contract, or a loop invariant.
    fn visit_condition / walk_condition(condition: Condition) {
        let Condition { expr, free: _, attributes, span } = condition;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
        visitor.visit_expr(expr);
    }

    /// A type parameter where it is declared.
    fn visit_type_parameter / walk_type_parameter(parameter: TypeParameter) {
        let TypeParameter { id, name: _, span } = parameter;
        visitor.visit_span(span);
        visitor.visit_type_var(id);
    }

    /// A bound variable where it is declared.
    fn visit_bound / walk_bound(bound: Bound) {
        let Bound { id, name: _, ty, attributes, span } = bound;
        visitor.visit_span(span);
        visitor.visit_bound_id(id);
        visitor.visit_type(ty);
        each!(visitor.visit_attribute(attributes));
    }

    /// An attribute.
    fn visit_attribute / walk_attribute(attribute: Attribute) {
        let Attribute { name: _, args, span } = attribute;
        visitor.visit_span(span);
        each!(visitor.visit_attribute_argument(args));
    }

    /// An argument of an attribute.
    fn visit_attribute_argument / walk_attribute_argument(argument: AttributeArgument) {
        match argument {
            AttributeArgument::String(_) => {}
            AttributeArgument::Expr(expr) => visitor.visit_expr(expr),
            AttributeArgument::Opaque(span) => visitor.visit_span(span),
        }
    }

    // Statements.

    /// A statement.
    fn visit_stmt / walk_stmt(stmt: Stmt) {
        let Stmt { kind, span } = stmt;
        visitor.visit_span(span);
        ensure_stack(|| visitor.visit_stmt_kind(kind));
    }

    /// A statement without its place.
    fn visit_stmt_kind / walk_stmt_kind(kind: StmtKind) {
        match kind {
            StmtKind::Assert { condition, attributes }
            | StmtKind::Assume { condition, attributes } => {
                each!(visitor.visit_attribute(attributes));
                visitor.visit_expr(condition);
            }
            StmtKind::Havoc(variables) => each!(visitor.visit_var(variables)),
            StmtKind::Assign { pairs } => {
                for (variable, value) in pairs {
                    visitor.visit_var(variable);
                    visitor.visit_expr(value);
                }
            }
            StmtKind::Call { callee: _, type_args, args, results, free: _, attributes } => {
                each!(visitor.visit_type(type_args));
                each!(visitor.visit_attribute(attributes));
                each!(visitor.visit_expr(args));
                each!(visitor.visit_var(results));
            }
            StmtKind::CallForall { callee: _, type_args, args, attributes } => {
                each!(visitor.visit_type(type_args));
                each!(visitor.visit_attribute(attributes));
                for arg in args {
                    maybe!(visitor.visit_expr(arg));
                }
            }
            StmtKind::If { id: _, condition, then, otherwise } => {
                maybe!(visitor.visit_expr(condition));
                each!(visitor.visit_stmt(then));
                each!(visitor.visit_stmt(otherwise));
            }
            StmtKind::While { id: _, condition, invariants, body } => {
                maybe!(visitor.visit_expr(condition));
                each!(visitor.visit_condition(invariants));
                each!(visitor.visit_stmt(body));
            }
            StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return
            | StmtKind::Unsupported { what: _ } => {}
        }
    }

    // Expressions.

    /// An expression.
    fn visit_expr / walk_expr(expr: Expr) {
        let Expr { kind, ty, span } = expr;
        visitor.visit_span(span);
        visitor.visit_type(ty);
        ensure_stack(|| visitor.visit_expr_kind(kind));
    }

    /// An expression without its type and its place.
    fn visit_expr_kind / walk_expr_kind(kind: ExprKind) {
        match kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::BitVec { value: _, width: _ }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::RoundingMode(_)
            | ExprKind::Unsupported { what: _ }
            | ExprKind::Error => {}
            ExprKind::Var(variable) => visitor.visit_var(variable),
            ExprKind::Old(operand)
            | ExprKind::Not(operand)
            | ExprKind::Neg(operand)
            | ExprKind::IntToReal(operand)
            | ExprKind::RealToInt(operand) => visitor.visit_expr(operand),
            ExprKind::Extract { value, high: _, low: _ }
            | ExprKind::Field { datatype: _, field: _, value }
            | ExprKind::Is { datatype: _, constructor: _, value } => visitor.visit_expr(value),
            ExprKind::Binary(_, left, right) | ExprKind::Concat(left, right) => {
                visitor.visit_expr(left);
                visitor.visit_expr(right);
            }
            ExprKind::Code { all, some } => {
                visitor.visit_expr(all);
                visitor.visit_expr(some);
            }
            ExprKind::Nary(_, operands) => each!(visitor.visit_expr(operands)),
            ExprKind::Call { function: _, type_args, args } => {
                each!(visitor.visit_type(type_args));
                each!(visitor.visit_expr(args));
            }
            ExprKind::Construct { datatype: _, constructor: _, args } => {
                each!(visitor.visit_expr(args));
            }
            ExprKind::Select { map, type_args, indices } => {
                each!(visitor.visit_type(type_args));
                visitor.visit_expr(map);
                each!(visitor.visit_expr(indices));
            }
            ExprKind::Store { map, type_args, indices, value } => {
                each!(visitor.visit_type(type_args));
                visitor.visit_expr(map);
                each!(visitor.visit_expr(indices));
                visitor.visit_expr(value);
            }
            ExprKind::If { condition, then, otherwise } => {
                visitor.visit_expr(condition);
                visitor.visit_expr(then);
                visitor.visit_expr(otherwise);
            }
            ExprKind::Quantifier { kind: _, type_params, bound, triggers, body, attributes } => {
                each!(visitor.visit_type_parameter(type_params));
                each!(visitor.visit_bound(bound));
                each!(visitor.visit_attribute(attributes));
                each!(visitor.visit_trigger(triggers));
                visitor.visit_expr(body);
            }
            ExprKind::Lambda { type_params, bound, body, attributes } => {
                each!(visitor.visit_type_parameter(type_params));
                each!(visitor.visit_bound(bound));
                each!(visitor.visit_attribute(attributes));
                visitor.visit_expr(body);
            }
            ExprKind::Let { bound, values, body, attributes } => {
                each!(visitor.visit_bound(bound));
                each!(visitor.visit_attribute(attributes));
                each!(visitor.visit_expr(values));
                visitor.visit_expr(body);
            }
            ExprKind::FieldUpdate { datatype: _, field: _, value, new } => {
                visitor.visit_expr(value);
                visitor.visit_expr(new);
            }
        }
    }

    /// A trigger.
    fn visit_trigger / walk_trigger(trigger: Trigger) {
        let Trigger { positive: _, terms, span } = trigger;
        visitor.visit_span(span);
        each!(visitor.visit_expr(terms));
    }

    // Types.

    /// A type.
    fn visit_type / walk_type(ty: Type) {
        match ty {
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::BitVec(_)
            | Type::Float { significand: _, exponent: _ }
            | Type::String
            | Type::Regex
            | Type::RoundingMode
            | Type::Error => {}
            Type::Var(variable) => visitor.visit_type_var(variable),
            Type::Constructor(_, args) | Type::Datatype(_, args) => {
                ensure_stack(|| each!(visitor.visit_type(args)));
            }
            Type::Map(map) => ensure_stack(|| visitor.visit_map_type(map)),
        }
    }

    /// A map type.
    fn visit_map_type / walk_map_type(map: MapType) {
        let MapType { type_params, domain, range } = map;
        each!(visitor.visit_type_var(type_params));
        each!(visitor.visit_type(domain));
        visitor.visit_type(range);
    }

    // Program graphs.

    /// A program graph.
    fn visit_graph / walk_graph(graph: Graph) {
        let Graph { name: _, variables, locations, initial: _, errors: _, edges, attributes, span } = graph;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_graph_variable(variables));
        each!(visitor.visit_location(locations));
        each!(visitor.visit_edge(edges));
    }

    /// A state variable of a program graph.
    fn visit_graph_variable / walk_graph_variable(variable: GraphVariable) {
        let GraphVariable { name: _, ty, attributes, span } = variable;
        visitor.visit_span(span);
        visitor.visit_type(ty);
        each!(visitor.visit_attribute(attributes));
    }

    /// A location.
    fn visit_location / walk_location(location: Location) {
        let Location { name: _, description: _, attributes, span } = location;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
    }

    /// An edge.
    fn visit_edge / walk_edge(edge: Edge) {
        let Edge { source: _, target: _, locals, lets, havoc: _, formula, attributes, span } = edge;
        visitor.visit_span(span);
        each!(visitor.visit_attribute(attributes));
        each!(visitor.visit_edge_local(locals));
        each!(visitor.visit_edge_let(lets));
        visitor.visit_expr(formula);
    }

    /// A variable of an edge.
    fn visit_edge_local / walk_edge_local(local: EdgeLocal) {
        let EdgeLocal { name: _, ty, span } = local;
        visitor.visit_span(span);
        visitor.visit_type(ty);
    }

    /// A named term of an edge.
    fn visit_edge_let / walk_edge_let(binding: EdgeLet) {
        let EdgeLet { name: _, value, span } = binding;
        visitor.visit_span(span);
        visitor.visit_expr(value);
    }

    // Leaves.

    /// A variable, constant or let-name where it is used: in expressions, and where statements give it a value.
    fn visit_var / walk_var(variable: VarRef) {
        match variable {
            VarRef::Bound(id) => visitor.visit_bound_id(id),
            VarRef::Global(_)
            | VarRef::Local(_)
            | VarRef::Constant(_)
            | VarRef::Unprimed(_)
            | VarRef::Primed(_)
            | VarRef::EdgeLocal(_)
            | VarRef::EdgeLet(_) => {}
        }
    }

    /// The number of a bound variable, where it is declared and where it is used.
    fn visit_bound_id / walk_bound_id(id: BoundId) {}

    /// The number of a type parameter, where it is declared and where it is used.
    fn visit_type_var / walk_type_var(id: TypeVarId) {}

    /// A place.
    fn visit_span / walk_span(span: Span) {}
}

/// Calls `f` with each statement and what is nested in it, outermost first, in the order of the text. Needs no stack in
/// proportion to the depth.
pub fn statements<'t>(body: &'t [Stmt], f: &mut dyn FnMut(&'t Stmt)) {
    /// Collects the statements directly inside of a statement.
    struct Inside<'o, 't>(&'o mut Vec<&'t Stmt>);

    impl<'t> Visit<'t> for Inside<'_, 't> {
        fn visit_stmt(&mut self, stmt: &'t Stmt) {
            self.0.push(stmt);
        }

        fn visit_expr(&mut self, _: &'t Expr) {}
        fn visit_attribute(&mut self, _: &'t Attribute) {}
        fn visit_type(&mut self, _: &'t Type) {}
    }

    let mut open: Vec<&Stmt> = body.iter().rev().collect();
    while let Some(stmt) = open.pop() {
        f(stmt);
        let first = open.len();
        walk_stmt_kind(&mut Inside(&mut open), &stmt.kind);
        open[first..].reverse();
    }
}
