//! Walks over syntax trees.

use super::{
    ArraySize, BlockItem, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind,
    DerivedDeclarator, Designator, Expression, ExternalDeclaration, ForInitializer,
    FunctionDefinition, GenericAssociation, Initializer, InitializerListItem, Label, Node,
    OffsetMember, SpecifierQualifier, Statement, StructDeclaration, TranslationUnit, TypeName,
    TypeOf, TypeSpecifier,
};

/// What is done with the parts of a tree. What does not go on by itself calls the function of the same name.
#[expect(missing_docs, reason = "the names say it")]
pub trait Visit {
    fn function(&mut self, node: &Node<FunctionDefinition>) {
        function(self, node);
    }

    fn declarator(&mut self, node: &Node<Declarator>) {
        declarator(self, node);
    }

    fn block_item(&mut self, node: &Node<BlockItem>) {
        block_item(self, node);
    }

    fn statement(&mut self, node: &Node<Statement>) {
        statement(self, node);
    }

    fn expression(&mut self, node: &Node<Expression>) {
        expression(self, node);
    }
}

/// All declarations.
pub fn unit<V: Visit + ?Sized>(visit: &mut V, unit: &TranslationUnit) {
    for node in &unit.0 {
        match &node.node {
            ExternalDeclaration::Declaration(node) => declaration(visit, &node.node),
            ExternalDeclaration::StaticAssert(node) => visit.expression(&node.node.expression),
            ExternalDeclaration::FunctionDefinition(node) => visit.function(node),
        }
    }
}

/// Specifiers, declarator and body.
pub fn function<V: Visit + ?Sized>(visit: &mut V, node: &Node<FunctionDefinition>) {
    let function = &node.node;
    specifiers(visit, &function.specifiers);
    visit.declarator(&function.declarator);
    for node in &function.declarations {
        declaration(visit, &node.node);
    }
    visit.statement(&function.statement);
}

fn declaration<V: Visit + ?Sized>(visit: &mut V, node: &Declaration) {
    specifiers(visit, &node.specifiers);
    for declared in &node.declarators {
        visit.declarator(&declared.node.declarator);
        if let Some(value) = &declared.node.initializer {
            initializer(visit, &value.node);
        }
    }
}

fn specifiers<V: Visit + ?Sized>(visit: &mut V, list: &[Node<DeclarationSpecifier>]) {
    for node in list {
        if let DeclarationSpecifier::TypeSpecifier(ty) = &node.node {
            type_specifier(visit, &ty.node);
        }
    }
}

fn qualified<V: Visit + ?Sized>(visit: &mut V, list: &[Node<SpecifierQualifier>]) {
    for node in list {
        if let SpecifierQualifier::TypeSpecifier(ty) = &node.node {
            type_specifier(visit, &ty.node);
        }
    }
}

fn type_specifier<V: Visit + ?Sized>(visit: &mut V, node: &TypeSpecifier) {
    match node {
        TypeSpecifier::Atomic(name) => type_name(visit, &name.node),
        TypeSpecifier::TypeOf(node) => match &node.node {
            TypeOf::Expression(node) => visit.expression(node),
            TypeOf::Type(name) => type_name(visit, &name.node),
        },
        TypeSpecifier::Enum(node) => {
            let values = node
                .node
                .enumerators
                .iter()
                .filter_map(|it| it.node.expression.as_ref());
            values.for_each(|value| visit.expression(value));
        }
        TypeSpecifier::Struct(node) => {
            for member in node.node.declarations.iter().flatten() {
                let StructDeclaration::Field(field) = &member.node else {
                    continue;
                };
                qualified(visit, &field.node.specifiers);
                for declared in &field.node.declarators {
                    if let Some(node) = &declared.node.declarator {
                        visit.declarator(node);
                    }
                    if let Some(width) = &declared.node.bit_width {
                        visit.expression(width);
                    }
                }
            }
        }
        _ => {}
    }
}

fn type_name<V: Visit + ?Sized>(visit: &mut V, name: &TypeName) {
    qualified(visit, &name.specifiers);
    if let Some(node) = &name.declarator {
        visit.declarator(node);
    }
}

/// The declarator inside, lengths and parameters.
pub fn declarator<V: Visit + ?Sized>(visit: &mut V, node: &Node<Declarator>) {
    if let DeclaratorKind::Declarator(inner) = &node.node.kind.node {
        visit.declarator(inner);
    }
    for derived in &node.node.derived {
        match &derived.node {
            DerivedDeclarator::Array(array) => match &array.node.size {
                ArraySize::VariableExpression(length) | ArraySize::StaticExpression(length) => {
                    visit.expression(length);
                }
                ArraySize::Unknown | ArraySize::VariableUnknown => {}
            },
            DerivedDeclarator::Function(function) => {
                for parameter in &function.node.parameters {
                    specifiers(visit, &parameter.node.specifiers);
                    if let Some(node) = &parameter.node.declarator {
                        visit.declarator(node);
                    }
                }
            }
            DerivedDeclarator::Pointer(_) | DerivedDeclarator::KRFunction(_) => {}
        }
    }
}

fn initializer<V: Visit + ?Sized>(visit: &mut V, node: &Initializer) {
    match node {
        Initializer::Expression(value) => visit.expression(value),
        Initializer::List(list) => items(visit, list),
    }
}

fn items<V: Visit + ?Sized>(visit: &mut V, list: &[Node<InitializerListItem>]) {
    for item in list {
        for designator in &item.node.designation {
            match &designator.node {
                Designator::Index(index) => visit.expression(index),
                Designator::Range(range) => {
                    visit.expression(&range.node.from);
                    visit.expression(&range.node.to);
                }
                Designator::Member(_) => {}
            }
        }
        initializer(visit, &item.node.initializer.node);
    }
}

/// What stands in a block.
pub fn block_item<V: Visit + ?Sized>(visit: &mut V, node: &Node<BlockItem>) {
    match &node.node {
        BlockItem::Declaration(node) => declaration(visit, &node.node),
        BlockItem::StaticAssert(node) => visit.expression(&node.node.expression),
        BlockItem::Statement(node) => visit.statement(node),
        BlockItem::Function(node) => visit.function(node),
        BlockItem::LocalLabels(_) => {}
    }
}

/// The parts of a statement, in the order of the text.
pub fn statement<V: Visit + ?Sized>(visit: &mut V, node: &Node<Statement>) {
    match &node.node {
        Statement::Labeled(node) => {
            match &node.node.label.node {
                Label::Case(value) => visit.expression(value),
                Label::CaseRange(range) => {
                    visit.expression(&range.node.low);
                    visit.expression(&range.node.high);
                }
                Label::Identifier(_) | Label::Default => {}
            }
            visit.statement(&node.node.statement);
        }
        Statement::Compound(items) => items.iter().for_each(|item| visit.block_item(item)),
        Statement::Expression(value) | Statement::Return(value) => {
            value.iter().for_each(|value| visit.expression(value));
        }
        Statement::ComputedGoto(value) => visit.expression(value),
        Statement::If(node) => {
            visit.expression(&node.node.condition);
            visit.statement(&node.node.then_statement);
            if let Some(otherwise) = &node.node.else_statement {
                visit.statement(otherwise);
            }
        }
        Statement::Switch(node) => {
            visit.expression(&node.node.expression);
            visit.statement(&node.node.statement);
        }
        Statement::While(node) => {
            visit.expression(&node.node.expression);
            visit.statement(&node.node.statement);
        }
        Statement::DoWhile(node) => {
            visit.statement(&node.node.statement);
            visit.expression(&node.node.expression);
        }
        Statement::For(node) => {
            match &node.node.initializer.node {
                ForInitializer::Expression(value) => visit.expression(value),
                ForInitializer::Declaration(node) => declaration(visit, &node.node),
                ForInitializer::StaticAssert(node) => visit.expression(&node.node.expression),
                ForInitializer::Empty => {}
            }
            let parts = node.node.condition.iter().chain(&node.node.step);
            parts.for_each(|part| visit.expression(part));
            visit.statement(&node.node.statement);
        }
        Statement::Asm(node) => {
            let operands = node.node.outputs.iter().chain(&node.node.inputs);
            operands.for_each(|operand| visit.expression(&operand.node.variable_name));
        }
        Statement::Goto(_) | Statement::Continue | Statement::Break => {}
    }
}

/// The operands of an expression, in the order of the text.
pub fn expression<V: Visit + ?Sized>(visit: &mut V, node: &Node<Expression>) {
    match &node.node {
        Expression::Identifier(_)
        | Expression::Constant(_)
        | Expression::StringLiteral(_)
        | Expression::LabelAddress(_) => {}
        Expression::GenericSelection(node) => {
            visit.expression(&node.node.expression);
            for association in &node.node.associations {
                match &association.node {
                    GenericAssociation::Type(node) => {
                        type_name(visit, &node.node.type_name.node);
                        visit.expression(&node.node.expression);
                    }
                    GenericAssociation::Default(value) => visit.expression(value),
                }
            }
        }
        Expression::Member(node) => visit.expression(&node.node.expression),
        Expression::Call(node) => {
            visit.expression(&node.node.callee);
            node.node
                .arguments
                .iter()
                .for_each(|argument| visit.expression(argument));
        }
        Expression::CompoundLiteral(node) => {
            type_name(visit, &node.node.type_name.node);
            items(visit, &node.node.initializer_list);
        }
        Expression::SizeOfTy(name)
        | Expression::AlignOf(name)
        | Expression::PreferredAlignOf(name) => type_name(visit, &name.node),
        Expression::SizeOfVal(value) | Expression::PreferredAlignOfVal(value) => {
            visit.expression(value)
        }
        Expression::UnaryOperator(node) => visit.expression(&node.node.operand),
        Expression::Cast(node) => {
            type_name(visit, &node.node.type_name.node);
            visit.expression(&node.node.expression);
        }
        Expression::BinaryOperator(node) => {
            visit.expression(&node.node.lhs);
            visit.expression(&node.node.rhs);
        }
        Expression::Conditional(node) => {
            visit.expression(&node.node.condition);
            if let Some(chosen) = &node.node.then_expression {
                visit.expression(chosen);
            }
            visit.expression(&node.node.else_expression);
        }
        Expression::Comma(list) => list.iter().for_each(|part| visit.expression(part)),
        Expression::OffsetOf(node) => {
            type_name(visit, &node.node.type_name.node);
            for member in &node.node.designator.node.members {
                if let OffsetMember::Index(index) = &member.node {
                    visit.expression(index);
                }
            }
        }
        Expression::VaArg(node) => {
            visit.expression(&node.node.va_list);
            type_name(visit, &node.node.type_name.node);
        }
        Expression::TypesCompatible(types) => {
            type_name(visit, &types.0.node);
            type_name(visit, &types.1.node);
        }
        Expression::Statement(node) => visit.statement(node),
    }
}
