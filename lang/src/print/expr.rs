//! Types and expressions.

use super::Printer;
use crate::ast::*;
use crate::stack::ensure_stack;

impl Printer {
    pub(super) fn ty(&mut self, ty: &Type) {
        ensure_stack(|| match &ty.kind {
            TypeKind::Bool => self.text("bool"),
            TypeKind::Int => self.text("int"),
            TypeKind::Real => self.text("real"),
            TypeKind::BitVector(width) => self.text(&format!("bv{width}")),
            TypeKind::Float(format) => {
                self.text(&format!("float{}e{}", format.significand, format.exponent))
            }
            TypeKind::Named { name, args } => {
                self.name(name);
                for arg in args {
                    self.text(" ");
                    self.type_atom(arg);
                }
            }
            TypeKind::Map {
                params,
                domain,
                range,
            } => {
                self.type_params(params);
                self.text("[");
                self.comma(domain, Self::ty);
                self.text("]");
                self.ty(range);
            }
            TypeKind::Error => self.text("/* unreadable type */"),
        });
    }

    /// A type that ends where it ends: an argument of a type constructor, or a type with an operator behind it.
    fn type_atom(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Named { name, args } if args.is_empty() => self.hard_name(name),
            TypeKind::Named { .. } | TypeKind::Map { .. } => {
                self.text("(");
                self.ty(ty);
                self.text(")");
            }
            _ => self.ty(ty),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        ensure_stack(|| self.expr_kind(&expr.kind));
    }

    /// An operand that must bind at least as strongly as asked for.
    fn operand(&mut self, expr: &Expr, least: Precedence) {
        if precedence(&expr.kind).is_some_and(|p| p >= least) {
            self.expr(expr);
        } else {
            self.text("(");
            self.expr(expr);
            self.text(")");
        }
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Ident(name) => self.name(name),
            ExprKind::Primed(name) => {
                self.name(name);
                self.text("'");
            }
            ExprKind::Call { name, args } => {
                self.name(name);
                self.text("(");
                self.exprs(args);
                self.text(")");
            }
            ExprKind::Unary { op, operand } => {
                self.text(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                });
                self.operand(operand, Precedence::Unary);
            }
            ExprKind::Chain { first, rest } => {
                let own = rest
                    .first()
                    .map_or(Precedence::Iff, |link| link.op.precedence());
                let least = above(own);
                self.operand(first, least);
                for link in rest {
                    self.text(" ");
                    self.text(link.op.text());
                    self.text(" ");
                    self.operand(&link.operand, least);
                }
            }
            ExprKind::Select { map, indices } => {
                self.operand(map, Precedence::Postfix);
                self.text("[");
                self.exprs(indices);
                self.text("]");
            }
            ExprKind::Store {
                map,
                indices,
                value,
            } => {
                self.operand(map, Precedence::Postfix);
                self.text("[");
                self.exprs(indices);
                if !indices.is_empty() {
                    self.text(" ");
                }
                self.text(":= ");
                self.expr(value);
                self.text("]");
            }
            ExprKind::Extract { operand, high, low } => {
                self.operand(operand, Precedence::Postfix);
                self.text(&format!("[{high}:{low}]"));
            }
            ExprKind::Field { operand, field } => {
                self.operand(operand, Precedence::Postfix);
                self.text("->");
                self.name(field);
            }
            ExprKind::FieldUpdate {
                operand,
                field,
                value,
            } => {
                self.operand(operand, Precedence::Postfix);
                self.text("->(");
                self.name(field);
                self.text(" := ");
                self.expr(value);
                self.text(")");
            }
            ExprKind::Is {
                operand,
                constructor,
            } => {
                self.operand(operand, Precedence::Unary);
                self.text(" is ");
                self.name(constructor);
            }
            ExprKind::IfThenElse {
                branches,
                otherwise,
            } => {
                for (condition, value) in branches {
                    self.text("if ");
                    self.expr(condition);
                    self.text(" then ");
                    self.expr(value);
                    self.text(" else ");
                }
                match otherwise.kind {
                    // Without parentheses it would be a further branch.
                    ExprKind::IfThenElse { .. } => self.operand(otherwise, Precedence::Iff),
                    _ => self.expr(otherwise),
                }
            }
            ExprKind::Old(operand) => self.function("old", operand),
            ExprKind::ToInt(operand) => self.function("int", operand),
            ExprKind::ToReal(operand) => self.function("real", operand),
            ExprKind::Ascription { operand, ty } => {
                self.operand(operand, Precedence::Postfix);
                self.text(": ");
                self.type_atom(ty);
            }
            ExprKind::Quantifier(quantifier) => self.quantifier(quantifier),
            ExprKind::Let(binding) => self.let_expr(binding),
            ExprKind::Code(code) => self.code(code),
            ExprKind::Error => self.text("/* unreadable expression */"),
        }
    }

    fn function(&mut self, name: &str, operand: &Expr) {
        self.text(name);
        self.text("(");
        self.expr(operand);
        self.text(")");
    }

    fn quantifier(&mut self, quantifier: &Quantifier) {
        self.text(match quantifier.binder {
            Binder::Forall => "(forall",
            Binder::Exists => "(exists",
            Binder::Lambda => "(lambda",
        });
        self.type_params(&quantifier.type_params);
        if !quantifier.vars.is_empty() {
            self.text(" ");
            self.groups(&quantifier.vars);
        }
        self.text(" :: ");
        self.attributes(&quantifier.attributes);
        for trigger in &quantifier.triggers {
            self.text("{");
            self.exprs(&trigger.exprs);
            self.text("} ");
        }
        self.expr(&quantifier.body);
        self.text(")");
    }

    fn let_expr(&mut self, binding: &Let) {
        self.text("(var ");
        self.comma(&binding.names, |printer, (attributes, name)| {
            printer.attributes(attributes);
            printer.name(name);
        });
        self.text(" := ");
        self.exprs(&binding.values);
        self.text("; ");
        self.attributes(&binding.attributes);
        self.expr(&binding.body);
        self.text(")");
    }

    fn code(&mut self, code: &CodeExpr) {
        self.text("|{\n");
        self.indent += 1;
        for local in &code.locals {
            self.var_decl(local);
        }
        self.stmts(&code.stmts);
        self.indent -= 1;
        self.begin();
        self.text("}|");
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Bool(value) => self.text(if *value { "true" } else { "false" }),
            Literal::Int(value) => self.text(&value.to_string()),
            Literal::Real(value) => self.decimal(value),
            Literal::BitVector { value, width } => self.text(&format!("{value}bv{width}")),
            Literal::Float(literal) => self.float(literal),
            Literal::String(text) => self.string(text),
            Literal::RoundingMode(mode) => self.text(match mode {
                RoundingMode::NearestTiesToEven => "RNE",
                RoundingMode::NearestTiesToAway => "RNA",
                RoundingMode::TowardPositive => "RTP",
                RoundingMode::TowardNegative => "RTN",
                RoundingMode::TowardZero => "RTZ",
            }),
        }
    }

    /// With a point if there are few digits behind it, otherwise with an exponent.
    fn decimal(&mut self, value: &Decimal) {
        if (-40..0).contains(&value.exponent) {
            let (whole, fraction) =
                split_digits(value.mantissa.to_string(), value.exponent.unsigned_abs());
            self.text(&format!("{whole}.{fraction}"));
        } else {
            self.text(&format!("{}e{}", value.mantissa, value.exponent));
        }
    }

    fn float(&mut self, literal: &FloatLiteral) {
        match &literal.value {
            FloatValue::Hex {
                mantissa,
                fraction_digits,
                exponent,
            } => {
                let (whole, fraction) = split_digits(mantissa.to_str_radix(16), *fraction_digits);
                let fraction = if fraction.is_empty() { "0" } else { &fraction };
                self.text(&format!("0x{whole}.{fraction}e{exponent}f"));
            }
            FloatValue::NaN => self.text("0NaN"),
            FloatValue::Infinity { negative: false } => self.text("0+oo"),
            FloatValue::Infinity { negative: true } => self.text("0-oo"),
        }
        self.text(&format!(
            "{}e{}",
            literal.format.significand, literal.format.exponent
        ));
    }
}

/// Cuts a number's digits so many digits before their end, with zeros put before it so that both parts are nonempty.
fn split_digits(digits: String, fraction: u32) -> (String, String) {
    let fraction = fraction as usize;
    let padded = format!("{digits:0>width$}", width = fraction + 1);
    let (whole, fraction) = padded.split_at(padded.len() - fraction);
    (whole.to_owned(), fraction.to_owned())
}

/// The precedence of an expression's outermost operator; none for if-then-else, which is no operand without parentheses.
fn precedence(kind: &ExprKind) -> Option<Precedence> {
    match kind {
        ExprKind::IfThenElse { .. } => None,
        ExprKind::Chain { rest, .. } => rest.first().map(|link| link.op.precedence()),
        ExprKind::Is { .. } => Some(Precedence::Is),
        ExprKind::Unary { .. } => Some(Precedence::Unary),
        ExprKind::Ascription { .. } => Some(Precedence::Ascription),
        ExprKind::Select { .. }
        | ExprKind::Store { .. }
        | ExprKind::Extract { .. }
        | ExprKind::Field { .. }
        | ExprKind::FieldUpdate { .. } => Some(Precedence::Postfix),
        _ => Some(Precedence::Atom),
    }
}

/// The next stronger precedence of binary operators.
fn above(precedence: Precedence) -> Precedence {
    match precedence {
        Precedence::Iff => Precedence::Implies,
        Precedence::Implies => Precedence::Logical,
        Precedence::Logical => Precedence::Relation,
        Precedence::Relation => Precedence::Concat,
        Precedence::Concat => Precedence::Sum,
        Precedence::Sum => Precedence::Product,
        Precedence::Product => Precedence::Power,
        Precedence::Power => Precedence::Is,
        Precedence::Is => Precedence::Unary,
        Precedence::Unary => Precedence::Ascription,
        Precedence::Ascription => Precedence::Postfix,
        Precedence::Postfix | Precedence::Atom => Precedence::Atom,
    }
}
