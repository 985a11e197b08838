//! Expressions (C11 6.5).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use crate::ir::{BinaryOp, Expr, ExprKind, StmtKind, Storage, UnaryOp};
use crate::syntax::{self as c, Node};
use crate::types::{FunctionType, Length, Type};

use super::scope::Binding;
use super::{Elaborator, Operand, int, unsupported, void};

impl Elaborator {
    /// What an expression stands for. If its value is not `used`, only its side effects matter.
    pub(super) fn operand(&mut self, node: &Node<c::Expression>, used: bool) -> Operand {
        let place = node.span;
        ensure_stack(|| match &node.node {
            c::Expression::Identifier(name) => self.identifier(&name.node.name, place),
            c::Expression::Constant(constant) => {
                Operand::Value(self.constant(&constant.node, place))
            }
            c::Expression::StringLiteral(parts) => {
                let text = self.string(&parts.node, place);
                Operand::Place(self.string_object(&text, place))
            }
            c::Expression::GenericSelection(selection) => {
                self.generic_selection(&selection.node, used, place)
            }
            c::Expression::Member(member) => self.member_access(&member.node, place),
            c::Expression::Call(call) => self.call(&call.node, used, place),
            c::Expression::CompoundLiteral(literal) => {
                Operand::Place(self.compound_literal(&literal.node, place))
            }
            c::Expression::SizeOfTy(name) => {
                let mark = self.out.len();
                let ty = self.type_name(&name.node);
                // C11 6.7.6.2p5: whether a length that does not matter is computed is not said.
                if !matches!(ty, Type::Array(..)) && !self.changes_nothing(mark) {
                    self.out.truncate(mark);
                    self.not_covered(
                        "`sizeof` a pointer to an array whose length has effects",
                        place,
                    );
                }
                Operand::Value(self.size_of(&ty, place))
            }
            c::Expression::SizeOfVal(value) => {
                let ty = self.evaluated_type_of(value, false);
                Operand::Value(self.size_of(&ty, place))
            }
            c::Expression::AlignOf(name) => {
                let (ty, own) = self.unevaluated(|this| this.aligned_type_name(&name.node));
                let align = self.layout().align(&ty, true);
                let align = own.unwrap_or(align);
                let size = Type::Int(self.program.model.size_type());
                Operand::Value(int(i128::from(align), size, place))
            }
            c::Expression::PreferredAlignOf(name) => {
                Operand::Value(self.preferred_alignment(&name.node, place))
            }
            c::Expression::PreferredAlignOfVal(_) => {
                let size = Type::Int(self.program.model.size_type());
                Operand::Value(unsupported("the alignment of an expression", size, place))
            }
            c::Expression::TypesCompatible(types) => {
                let (left, right) = &**types;
                Operand::Value(self.types_compatible(&left.node, &right.node, place))
            }
            c::Expression::LabelAddress(label) => Operand::Value(self.label_address(label, place)),
            c::Expression::UnaryOperator(operation) => {
                self.unary_operation(&operation.node, used, place)
            }
            c::Expression::Cast(cast) => Operand::Value(self.cast(&cast.node, place)),
            c::Expression::BinaryOperator(operation) => {
                self.binary_operation(&operation.node, used, place)
            }
            c::Expression::Conditional(conditional) => {
                self.conditional(&conditional.node, used, place)
            }
            c::Expression::Comma(list) => self.comma(list, used, place),
            c::Expression::OffsetOf(offset) => Operand::Value(self.offset_of(&offset.node, place)),
            c::Expression::VaArg(arg) => self.va_arg(&arg.node, place),
            c::Expression::Statement(statement) => {
                self.statement_expression(statement, used, place)
            }
        })
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, node: &Node<c::Expression>) -> Expr {
        let operand = self.operand(node, true);
        let mut value = self.decay(operand);
        value.span = node.span;
        value
    }

    /// The side effects of an expression; its value is computed and dropped.
    pub(super) fn effect(&mut self, node: &Node<c::Expression>) {
        let operand = self.operand(node, false);
        self.discard(operand);
    }

    /// The value of an expression that is compared with zero.
    pub(super) fn condition(&mut self, node: &Node<c::Expression>) -> Expr {
        let value = self.value(node);
        if value.ty.is_scalar() {
            return value;
        }
        self.mismatch(&value, "a condition needs a scalar".to_owned());
        unsupported("a condition of the wrong type", Type::INT, value.span)
    }

    /// Elaborates what is not evaluated: its statements are dropped, and so are the variables made up for it.
    pub(super) fn unevaluated<R>(&mut self, f: impl FnOnce(&mut Elaborator) -> R) -> R {
        let before = self.program.variables.len();
        self.unevaluated += 1;
        let (_, result) = self.collect(f);
        self.unevaluated -= 1;
        let only_made_up = self.program.variables[before..]
            .iter()
            .all(|variable| match &variable.storage {
                // Nothing refers to them but the value, of which only a type or a number is used; lengths of arrays
                // are of the type `size_t`.
                Storage::Automatic { temporary, .. } => {
                    *temporary && variable.ty != Type::Int(self.program.model.size_type())
                }
                Storage::Static { .. } => false,
            });
        if only_made_up {
            self.program.variables.truncate(before);
        }
        result
    }

    /// The type of an expression that is not evaluated; arrays and functions do not decay.
    pub(super) fn type_of(&mut self, node: &Node<c::Expression>) -> Type {
        let operand = self.unevaluated(|this| this.operand(node, true));
        let ty = match operand {
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty,
            Operand::Function(id, _) => {
                return Type::Function(self.program.function(id).ty.clone().into());
            }
        };
        match ty {
            // Elements of a flexible array member do not count.
            Type::Record(id) => Type::Record(*self.without_elements.get(&id).unwrap_or(&id)),
            ty => ty,
        }
    }

    /// The type of an expression that is evaluated only if that type is of variable length (C11 6.5.3.4), or `typeof` asks
    /// for it and it is variably modified.
    pub(super) fn evaluated_type_of(&mut self, node: &Node<c::Expression>, modified: bool) -> Type {
        let ty = self.type_of(node);
        let variable = match &ty {
            Type::Pointer(target) => modified && self.is_variable(target),
            ty => self.is_variable(ty),
        };
        if !variable {
            return ty;
        }
        let operand = self.operand(node, true);
        let ty = match &operand {
            Operand::Place(place) => place.ty.clone(),
            Operand::Value(value) => value.ty.clone(),
            Operand::Function(..) => ty,
        };
        // An object is found, but not read.
        match operand {
            Operand::Place(object) => {
                let address = self.address(object);
                self.discard_value(address);
            }
            other => self.discard(other),
        }
        ty
    }

    fn identifier(&mut self, name: &str, place: Span) -> Operand {
        match self.lookup(name).cloned() {
            Some(Binding::Variable(id)) => {
                if self.volatile.contains(&id) {
                    self.meets_volatile();
                }
                let object = self.variable_place(id, place);
                Operand::Place(object)
            }
            Some(Binding::Function(id)) => Operand::Function(id, place),
            Some(Binding::Constant(value, ty)) => Operand::Value(int(value, ty, place)),
            Some(Binding::Parameter(ty)) => {
                Operand::Value(unsupported("a parameter of a prototype", ty, place))
            }
            Some(Binding::Nested(ty)) => {
                let words = "a function within a function";
                Operand::Value(unsupported(words, ty.pointer(), place))
            }
            Some(Binding::Typedef(..)) => {
                self.error(
                    Id::C_TYPES,
                    format!("`{name}` is a type"),
                    place,
                    "a value is needed here",
                );
                Operand::Value(unsupported("a type as a value", Type::INT, place))
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                match self.function_name(place) {
                    Some(id) => Operand::Place(self.variable_place(id, place)),
                    None => Operand::Value(unsupported("a name of no function", Type::INT, place)),
                }
            }
            None if name == "__null" => Operand::Value(int(0, Type::Void.pointer(), place)),
            None => match self.builtin_function(name, place) {
                Some(id) => Operand::Function(id, place),
                None => {
                    self.error(
                        Id::C_UNDECLARED,
                        format!("`{name}` is not declared"),
                        place,
                        "not declared",
                    );
                    // One message for each name and block.
                    self.bind(name, Binding::Parameter(Type::INT));
                    Operand::Value(unsupported("an undeclared name", Type::INT, place))
                }
            },
        }
    }

    /// The function at hand uses a volatile object: it may change in ways that nobody here knows (C11 6.7.3).
    pub(super) fn meets_volatile(&mut self) {
        if let Some(context) = &self.function
            && self.unevaluated == 0
        {
            self.program.volatile.insert(context.id);
        }
    }

    /// A function that is called without a declaration, if gcc lets that pass.
    pub(super) fn implicit_function(&mut self, name: &str, place: Span) -> Operand {
        if self.lookup(name).is_some() {
            return self.identifier(name, place);
        }
        if let Some(id) = self.builtin_function(name, place) {
            return Operand::Function(id, place);
        }
        if ["__builtin_", "__sync_", "__atomic_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            // Unlike functions that are only declared, it may do anything.
            let words = format!("the built-in function `{name}`");
            if self.function.is_some() {
                self.emit(StmtKind::Unsupported(words), place);
            }
            let ty = Type::Function(FunctionType::unknown().into()).pointer();
            return Operand::Value(int(0, ty, place));
        }
        if let Some(ty) = self.nondet_function(name) {
            let id = self.declare_function(name, ty, place);
            self.implicit_functions.insert(id);
            return Operand::Function(id, place);
        }
        self.warning(
            Id::C_IMPLICIT_FUNCTION,
            format!("the function `{name}` is called without a declaration"),
            place,
            "taken as `int` with unknown parameters",
        );
        let id = self.declare_function(name, FunctionType::unknown(), place);
        self.implicit_functions.insert(id);
        Operand::Function(id, place)
    }

    /// `sizeof` a type (C11 6.5.3.4).
    pub(super) fn size_of(&mut self, ty: &Type, place: Span) -> Expr {
        let size = Type::Int(self.program.model.size_type());
        if let Some(bytes) = self.layout().size(ty) {
            return int(i128::from(bytes), size, place);
        }
        if let Type::Array(element, length) = ty {
            let length = match length {
                Length::Variable(id) => {
                    let object = self.variable_place(*id, place);
                    Some(super::read(object))
                }
                Length::Known(length) => Some(int(i128::from(*length), size.clone(), place)),
                Length::Unknown => None,
            };
            if let Some(length) = length {
                let element = self.size_of(element, place);
                return self.arithmetic(BinaryOp::Multiply, length, element, place);
            }
        }
        if self.prototypes > 0 {
            return unsupported("a size that is not known", size, place);
        }
        self.error(
            Id::C_TYPES,
            format!("the size of `{}` is not known", self.show(ty)),
            place,
            "the type is incomplete",
        );
        unsupported("an unknown size", size, place)
    }

    /// C11 6.5.4.
    fn cast(&mut self, cast: &c::CastExpression, place: Span) -> Expr {
        let ty = self.type_name(&cast.type_name.node);
        let is_volatile = |specifier: &Node<c::SpecifierQualifier>| {
            matches!(&specifier.node, c::SpecifierQualifier::TypeQualifier(qualifier)
                if matches!(qualifier.node, c::TypeQualifier::Volatile))
        };
        if cast.type_name.node.specifiers.iter().any(is_volatile) {
            self.meets_volatile();
        }
        if ty == Type::Void {
            self.effect(&cast.expression);
            return void(place);
        }
        let mut value = self.value(&cast.expression);
        value.span = place;
        if value.ty == ty {
            // A bit-field loses its width by a cast.
            if let ExprKind::Read(object) = &value.kind
                && self.program.bit_field(object).is_some()
            {
                return Expr {
                    kind: ExprKind::Convert(Box::new(value)),
                    ty,
                    span: place,
                };
            }
            return value;
        }
        let fits = match (&value.ty, &ty) {
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            (from, to) => from.is_scalar() && to.is_scalar(),
        };
        if fits {
            return self.convert(value, &ty);
        }
        if let Type::Record(id) = ty
            && let Some(result) = self.cast_to_union(&value, id, place)
        {
            return result;
        }
        let shown = self.show(&ty);
        self.mismatch(&value, format!("this cannot be cast to `{shown}`"));
        unsupported("a cast between types that do not fit", ty, place)
    }

    /// gcc's cast of a value to a union with a member of its type.
    pub(super) fn cast_to_union(
        &mut self,
        value: &Expr,
        id: crate::types::RecordId,
        place: Span,
    ) -> Option<Expr> {
        let record = self.program.record(id);
        if !record.union || self.function.is_none() {
            return None;
        }
        let fields = record.fields.as_ref()?;
        let same = fields.iter().position(|field| field.ty == value.ty);
        let pointer = || {
            fields
                .iter()
                .position(|field| field.ty.is_pointer() && value.ty.is_pointer())
        };
        let number = same.or_else(pointer)?;
        let ty = fields[number].ty.clone();
        let value = self.convert(value.clone(), &ty);
        let object = self.temporary(Type::Record(id), place);
        let mut member = object.clone();
        member.path.push(crate::ir::Step::Field(id, number));
        member.ty = ty;
        self.emit(StmtKind::Zero(object.clone()), place);
        self.emit(StmtKind::Assign(member, value), place);
        Some(super::read(object))
    }

    fn unary_operation(
        &mut self,
        operation: &c::UnaryOperatorExpression,
        used: bool,
        place: Span,
    ) -> Operand {
        let operand = &operation.operand;
        match operation.operator.node {
            c::UnaryOperator::PostIncrement => self.step(operand, false, true, used, place),
            c::UnaryOperator::PostDecrement => self.step(operand, true, true, used, place),
            c::UnaryOperator::PreIncrement => self.step(operand, false, false, used, place),
            c::UnaryOperator::PreDecrement => self.step(operand, true, false, used, place),
            c::UnaryOperator::Address => Operand::Value(self.address_of(operand, place)),
            c::UnaryOperator::Indirection => self.indirection(operand, place),
            c::UnaryOperator::Plus => {
                let value = self.value(operand);
                self.need_arithmetic(&value, "+");
                let mut value = self.promote(value);
                value.span = place;
                Operand::Value(value)
            }
            c::UnaryOperator::Minus => {
                let value = self.value(operand);
                self.need_arithmetic(&value, "-");
                let value = self.promote(value);
                Operand::Value(self.unary(UnaryOp::Negate, value, place))
            }
            c::UnaryOperator::Complement => {
                let value = self.value(operand);
                if !value.ty.is_integer() {
                    self.mismatch(&value, "`~` needs an integer".to_owned());
                }
                let value = self.promote(value);
                Operand::Value(self.unary(UnaryOp::Complement, value, place))
            }
            c::UnaryOperator::Negate => {
                let value = self.condition(operand);
                Operand::Value(self.not(value, place))
            }
            c::UnaryOperator::Real | c::UnaryOperator::Imaginary => {
                let ty = Type::Float(crate::types::FloatType::Double);
                Operand::Value(unsupported("a complex number", ty, place))
            }
        }
    }

    fn need_arithmetic(&mut self, value: &Expr, operator: &str) {
        if !value.ty.is_arithmetic() {
            self.mismatch(value, format!("`{operator}` needs a number"));
        }
    }
}
