//! Expressions that choose or sequence: `?:`, the comma, `_Generic` and statement expressions.

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::{self as c, Node};
use crate::types::Type;

use super::{Elaborator, Operand, read, unsupported, void};

impl Elaborator {
    /// C11 6.5.17.
    pub(super) fn comma(
        &mut self,
        list: &[Node<c::Expression>],
        used: bool,
        place: Span,
    ) -> Operand {
        let Some((last, rest)) = list.split_last() else {
            return Operand::Value(void(place));
        };
        for expression in rest {
            self.effect(expression);
        }
        if used {
            Operand::Value(self.value(last))
        } else {
            self.operand(last, false)
        }
    }

    /// C11 6.5.15.
    pub(super) fn conditional(
        &mut self,
        conditional: &c::ConditionalExpression,
        used: bool,
        place: Span,
    ) -> Operand {
        let condition = self.condition(&conditional.condition);
        // gcc's `a ?: b`: the condition is evaluated once.
        let chosen = conditional.then_expression.as_deref();
        if !used {
            let (then, ()) = self.collect(|this| {
                if let Some(chosen) = chosen {
                    this.effect(chosen);
                }
            });
            let (otherwise, ()) = self.collect(|this| this.effect(&conditional.else_expression));
            if then.is_empty() && otherwise.is_empty() {
                self.discard_value(condition);
            } else {
                let at = condition.span;
                self.emit_if(condition, then, otherwise, at);
            }
            return Operand::Value(void(place));
        }
        let condition = if chosen.is_none() && !self.is_stable(&condition) {
            self.save(condition)
        } else {
            condition
        };
        let (then_effects, then) = self.collect(|this| match chosen {
            Some(chosen) => this.value(chosen),
            None => condition.clone(),
        });
        let (else_effects, otherwise) =
            self.collect(|this| this.value(&conditional.else_expression));
        Operand::Value(self.select(
            condition,
            (then_effects, then),
            (else_effects, otherwise),
            place,
        ))
    }

    fn select(
        &mut self,
        condition: Expr,
        (mut then_effects, then): (Vec<Stmt>, Expr),
        (mut else_effects, otherwise): (Vec<Stmt>, Expr),
        place: Span,
    ) -> Expr {
        let Some(ty) = self.common_type(&then, &otherwise) else {
            self.mismatch(
                &otherwise,
                format!(
                    "the other value of this `?:` is a `{}`",
                    self.show(&then.ty)
                ),
            );
            return unsupported("a choice between types that do not fit", then.ty, place);
        };
        let at = condition.span;
        if ty == Type::Void {
            for (effects, value) in [(&mut then_effects, then), (&mut else_effects, otherwise)] {
                let (mut evaluate, ()) = self.collect(|this| this.discard_value(value));
                effects.append(&mut evaluate);
            }
            if then_effects.is_empty() && else_effects.is_empty() {
                self.discard_value(condition);
            } else {
                self.emit_if(condition, then_effects, else_effects, at);
            }
            return void(place);
        }
        let convert = |this: &mut Elaborator, value: Expr| {
            let value = if ty.is_arithmetic() {
                this.promote(value)
            } else {
                value
            };
            this.convert(value, &ty)
        };
        let then = convert(self, then);
        let otherwise = convert(self, otherwise);
        if let ExprKind::Int(constant) = condition.kind {
            let (mut effects, value, dropped) = if constant != 0 {
                (then_effects, then, else_effects)
            } else {
                (else_effects, otherwise, then_effects)
            };
            if !super::statements::has_label(&dropped) {
                self.out.append(&mut effects);
                return Expr {
                    span: place,
                    ..value
                };
            }
            // Something jumps into what is not chosen.
            return unsupported("labels in a choice", ty, place);
        }
        if then_effects.is_empty() && else_effects.is_empty() && ty.is_scalar() {
            return Expr {
                kind: ExprKind::Conditional(
                    Box::new(condition),
                    Box::new(then),
                    Box::new(otherwise),
                ),
                ty,
                span: place,
            };
        }
        let result = self.temporary(ty, place);
        for (effects, value) in [(&mut then_effects, then), (&mut else_effects, otherwise)] {
            let (mut assign, ()) = self.collect(|this| {
                this.out.append(effects);
                let at = value.span;
                this.emit_assign(result.clone(), value, at);
            });
            effects.append(&mut assign);
        }
        self.emit(StmtKind::If(condition, then_effects, else_effects), at);
        read(result)
    }

    /// The type of `?:` with these values.
    fn common_type(&mut self, then: &Expr, otherwise: &Expr) -> Option<Type> {
        match (&then.ty, &otherwise.ty) {
            (a, b) if a.is_arithmetic() && b.is_arithmetic() => {
                let (then, _) = self.balance(then.clone(), otherwise.clone());
                Some(then.ty)
            }
            // gcc lets one of them have a value.
            (Type::Void, _) | (_, Type::Void) => Some(Type::Void),
            (a, b) if a == b => Some(a.clone()),
            (Type::Pointer(a), Type::Pointer(b)) => Some(if Elaborator::is_null(then) {
                Type::Pointer(b.clone())
            } else if Elaborator::is_null(otherwise) {
                Type::Pointer(a.clone())
            } else if **b == Type::Void {
                otherwise.ty.clone()
            } else {
                then.ty.clone()
            }),
            (Type::Pointer(_), b) if b.is_integer() => Some(then.ty.clone()),
            (a, Type::Pointer(_)) if a.is_integer() => Some(otherwise.ty.clone()),
            _ => None,
        }
    }

    /// C11 6.5.1.1. Types of the same width and signedness are one here, and qualifiers are not known: where that
    /// could matter, the choice is not covered.
    pub(super) fn generic_selection(
        &mut self,
        selection: &c::GenericSelection,
        used: bool,
        place: Span,
    ) -> Operand {
        let ty = self
            .unevaluated(|this| this.value(&selection.expression))
            .ty;
        let mut default = None;
        let mut matching = Vec::new();
        for association in &selection.associations {
            match &association.node {
                c::GenericAssociation::Default(expression) => default = Some(expression),
                c::GenericAssociation::Type(association) => {
                    let named = self.type_name(&association.node.type_name.node);
                    if named == ty {
                        matching.push(&association.node.expression);
                    }
                }
            }
        }
        match (matching.as_slice(), default) {
            // Without a default, one of them must fit.
            ([expression], None) => self.operand(expression, used),
            ([expression], Some(_)) if self.is_unmistakable(&ty) => self.operand(expression, used),
            ([], Some(expression)) => self.operand(expression, used),
            ([], None) => {
                self.error(
                    Id::C_TYPES,
                    format!("`_Generic` has nothing for the type `{}`", self.show(&ty)),
                    selection.expression.span,
                    "no association fits",
                );
                Operand::Value(unsupported("a generic selection", Type::INT, place))
            }
            ([expression, ..], _) => {
                let ty = self.type_of(expression);
                let words = "a generic selection between types that are not distinguished";
                Operand::Value(unsupported(words, super::declarators::adjusted(ty), place))
            }
        }
    }

    /// `__builtin_types_compatible_p(A, B)`
    pub(super) fn types_compatible(
        &mut self,
        left_node: &c::TypeName,
        right_node: &c::TypeName,
        place: Span,
    ) -> Expr {
        let mut ty = |name: &c::TypeName| self.unevaluated(|this| this.type_name(name));
        let (left, right) = (ty(left_node), ty(right_node));
        if super::declarations::composite(&left, &right).is_none() {
            return super::int(0, Type::INT, place);
        }
        // An enumeration is another type than the integers that represent it, and than every other one.
        let plain = |name: &c::TypeName| {
            name.specifiers
                .iter()
                .all(|specifier| match &specifier.node {
                    c::SpecifierQualifier::TypeSpecifier(ty) => !matches!(
                        ty.node,
                        c::TypeSpecifier::Enum(_)
                            | c::TypeSpecifier::TypedefName(_)
                            | c::TypeSpecifier::TypeOf(_)
                    ),
                    _ => true,
                })
        };
        let spelled = !left.is_integer() || (plain(left_node) && plain(right_node));
        if spelled && self.is_unmistakable(&left) {
            return super::int(1, Type::INT, place);
        }
        let words = "a comparison of types that are not distinguished";
        unsupported(words, Type::INT, place)
    }

    /// gcc's `__alignof__(T)`: the alignment that variables get, which is more than `_Alignof` says for some types of 32 bits.
    pub(super) fn preferred_alignment(&mut self, name: &c::TypeName, place: Span) -> Expr {
        let size = Type::Int(self.program.model.size_type());
        let align = self.unevaluated(|this| {
            let specifiers = this.qualified_specifiers(&name.specifiers);
            match &name.declarator {
                Some(declarator) => {
                    let ty = this.declarator(specifiers.ty, &declarator.node).ty;
                    super::layout::alignment(&ty, this.layout())
                }
                None => specifiers
                    .align
                    .unwrap_or_else(|| super::layout::alignment(&specifiers.ty, this.layout())),
            }
        });
        super::int(i128::from(align), size, place)
    }

    /// Whether no other C type is represented in the same way.
    fn is_unmistakable(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => {
                int.bits != 8 && int.bits != 64 && int.bits < self.program.model.word()
            }
            Type::Bool | Type::Float(_) | Type::Record(_) | Type::Void => true,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => false,
        }
    }

    /// gcc's `({ … })`: the value of its last statement.
    pub(super) fn statement_expression(
        &mut self,
        statement: &Node<c::Statement>,
        used: bool,
        place: Span,
    ) -> Operand {
        if self.function.is_none() {
            self.error(
                Id::C_CONSTANT,
                "statements outside of functions",
                place,
                "a constant is needed here",
            );
            return Operand::Value(unsupported("statements", Type::INT, place));
        }
        let c::Statement::Compound(items) = &statement.node else {
            return Operand::Value(void(place));
        };
        self.in_block(place, |this| {
            let Some((last, rest)) = items.split_last() else {
                return Operand::Value(void(place));
            };
            this.block_items(rest);
            if let c::BlockItem::Statement(statement) = &last.node
                && let Some(expression) = this.labelled_value(statement)
            {
                let operand = if used {
                    Operand::Value(this.value(expression))
                } else {
                    this.operand(expression, false)
                };
                return this.out_of_block(operand);
            }
            this.block_item(last);
            Operand::Value(void(place))
        })
    }

    /// The expression that a statement is, after its labels, which are set; `None` if it is another statement: then nothing is.
    fn labelled_value<'a>(
        &mut self,
        statement: &'a Node<c::Statement>,
    ) -> Option<&'a Node<c::Expression>> {
        match &statement.node {
            c::Statement::Expression(expression) => expression.as_deref(),
            c::Statement::Labeled(labeled) if is_value(&labeled.node.statement) => {
                self.set_label(&labeled.node.label);
                self.labelled_value(&labeled.node.statement)
            }
            _ => None,
        }
    }
}

/// Whether a statement is an expression, after labels.
fn is_value(statement: &Node<c::Statement>) -> bool {
    match &statement.node {
        c::Statement::Expression(expression) => expression.is_some(),
        c::Statement::Labeled(labeled) => is_value(&labeled.node.statement),
        _ => false,
    }
}

/// Whether the expression is this name, which stands for something that the parser does not know.
pub(super) fn is_name(expression: &Node<c::Expression>, name: &str) -> bool {
    matches!(&expression.node, c::Expression::Identifier(found) if found.node.name == name)
}
