//! Declarations of variables, functions and types (C11 6.7, 6.9).

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{Expr, ExprKind, Function, FunctionId, Initial, Origin, StmtKind, Storage, VarId};
use crate::syntax::{self as c, Node};
use crate::types::{FunctionType, Length, Type};

use super::Elaborator;
use super::declarators::Declared;
use super::refused::Symbol;
use super::scope::Binding;
use super::specifiers::{Class, Specifiers};

impl Elaborator {
    pub(super) fn external_declaration(&mut self, node: &Node<c::ExternalDeclaration>) {
        match &node.node {
            c::ExternalDeclaration::Declaration(declaration) => {
                self.declaration(&declaration.node);
            }
            c::ExternalDeclaration::StaticAssert(assertion) => self.static_assert(&assertion.node),
            c::ExternalDeclaration::FunctionDefinition(definition) => {
                self.function_definition(&definition.node);
            }
        }
        // What only the operands of `sizeof` and the like would do at this level is not done.
        self.out.clear();
    }

    /// C11 6.7.10.
    pub(super) fn static_assert(&mut self, assertion: &c::StaticAssert) {
        if self.constant_expression(&assertion.expression) == Some(0) {
            self.error(
                Id::C_BAD_DECLARATION,
                "a static assertion that does not hold",
                assertion.expression.span,
                "this is zero",
            );
        }
    }

    pub(super) fn declaration(&mut self, declaration: &c::Declaration) {
        let specifiers = self.declaration_specifiers(&declaration.specifiers);
        if declaration.declarators.is_empty() {
            for specifier in &declaration.specifiers {
                if let c::DeclarationSpecifier::TypeSpecifier(ty) = &specifier.node
                    && let c::TypeSpecifier::Struct(record) = &ty.node
                    && declaration.specifiers.len() == 1
                {
                    self.forward_record(&record.node);
                }
            }
            return;
        }
        for declarator in &declaration.declarators {
            self.init_declarator(&specifiers, &declarator.node);
        }
    }

    fn init_declarator(&mut self, specifiers: &Specifiers, declarator: &c::InitDeclarator) {
        let mut attributes = specifiers.attributes.clone();
        self.attributes(&declarator.declarator.node.extensions, &mut attributes);
        let mut declared = self.declarator(specifiers.ty.clone(), &declarator.declarator.node);
        if let Some(mode) = attributes.mode {
            declared.ty = super::specifiers::with_mode(&declared.ty, mode);
        }
        let Some((name, place)) = declared.name.clone() else {
            return;
        };
        if specifiers.deduced {
            let value = match declarator.initializer.as_ref().map(|node| &node.node) {
                Some(c::Initializer::Expression(value)) if !declared.derived => value,
                _ => {
                    self.not_covered("`__auto_type` without a value", place);
                    return;
                }
            };
            declared.ty = self.unevaluated(|this| this.value(value)).ty;
        }
        if let Some(what) = attributes.unsupported.take() {
            self.not_covered(&what, place);
        }
        if specifiers.class == Class::Typedef {
            let of_elements = self.align_of_elements(specifiers, &declared.ty);
            let align = attributes.align.or(of_elements);
            self.bind(&name, Binding::Typedef(declared.ty, align));
            return;
        }
        if let Type::Function(ty) = &declared.ty {
            let ty = (**ty).clone();
            if specifiers.automatic && !self.at_file_scope() {
                // gcc: it is defined in this block.
                self.bind(&name, Binding::Nested(declared.ty));
                return;
            }
            let id = self.declare_function(&name, ty, place);
            self.attribute_function(id, &attributes);
            self.links_function(id, specifiers);
            self.symbol(Symbol::Function(id), &attributes);
            self.bind(&name, Binding::Function(id));
            return;
        }
        if self.at_file_scope() || specifiers.class == Class::Extern {
            self.file_scope_variable(specifiers, &declared, &name, place, declarator);
        } else {
            self.local_variable(specifiers, declared.ty, &name, place, declarator);
        }
        if let Some(Binding::Variable(id)) = self.lookup(&name) {
            let id = *id;
            self.symbol(Symbol::Variable(id), &attributes);
            if specifiers.volatile || is_volatile(&declarator.declarator.node) {
                self.volatile.insert(id);
            }
        }
    }

    /// A function by its name, with this type unless an earlier declaration knows more.
    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: FunctionType,
        place: Span,
    ) -> FunctionId {
        if let Some(&id) = self.functions.get(name) {
            let known = &self.program.function(id).ty;
            if !compatible(known, &ty) {
                if !self.implicit_functions.contains(&id) {
                    let message = format!(
                        "`{name}` was declared as `{}` before",
                        self.show(&Type::Function(known.clone().into()))
                    );
                    let label = format!(
                        "this is a `{}`",
                        self.show(&Type::Function(ty.clone().into()))
                    );
                    self.error(Id::C_TYPES, message, place, label);
                    return id;
                }
                self.program.functions[id.0 as usize].ty = ty;
            } else if ty.prototyped {
                // A prototype says more than none.
                let known = &mut self.program.functions[id.0 as usize];
                if !known.ty.prototyped || known.body.is_none() {
                    known.ty = ty;
                }
            }
            self.implicit_functions.remove(&id);
            return id;
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            labels: Vec::new(),
            span: place,
            origin: Origin::Program,
            returns: true,
            lock: None,
            constructor: None,
            strings_are_read: false,
        });
        self.functions.insert(name.to_owned(), id);
        self.bind_global(name, Binding::Function(id));
        id
    }

    /// A variable of the file, or one that a block declares `extern`.
    fn file_scope_variable(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared,
        name: &str,
        place: Span,
        declarator: &c::InitDeclarator,
    ) {
        let external = specifiers.class == Class::Extern;
        let id = match self.globals.get(name) {
            Some(&id) => {
                self.merge_variable(id, &declared.ty, place);
                id
            }
            None => {
                let storage = Storage::Static {
                    function: None,
                    initial: Initial::Unknown,
                };
                let id = self.new_variable(name.to_owned(), declared.ty.clone(), storage, place);
                self.globals.insert(name.to_owned(), id);
                id
            }
        };
        self.bind(name, Binding::Variable(id));
        self.links_variable(id, specifiers, specifiers.constant);
        if let Some(initialiser) = &declarator.initializer {
            self.static_initialiser(id, initialiser, specifiers.constant && !declared.derived);
            self.program.variables[id.0 as usize].span = place;
        } else if !external
            && let Storage::Static { initial, .. } =
                &mut self.program.variables[id.0 as usize].storage
            && matches!(initial, Initial::Unknown)
        {
            // A tentative definition (C11 6.9.2).
            *initial = Initial::Values(Vec::new());
        }
        if self.program.variable(id).ty == Type::Void {
            self.error(
                Id::C_BAD_DECLARATION,
                format!("the variable `{name}` has the type `void`"),
                place,
                "it has no value",
            );
        }
    }

    /// Another declaration of the same variable.
    fn merge_variable(&mut self, id: VarId, ty: &Type, place: Span) {
        let known = &self.program.variable(id).ty;
        match composite(known, ty) {
            Some(ty) => self.program.variables[id.0 as usize].ty = ty,
            None => {
                let message = format!(
                    "`{}` was declared as `{}` before",
                    self.program.variable(id).name,
                    self.show(known)
                );
                let label = format!("this is a `{}`", self.show(ty));
                self.error(Id::C_TYPES, message, place, label);
            }
        }
    }

    fn local_variable(
        &mut self,
        specifiers: &Specifiers,
        ty: Type,
        name: &str,
        place: Span,
        declarator: &c::InitDeclarator,
    ) {
        let Some(function) = self.function.as_ref().map(|context| context.id) else {
            return;
        };
        if specifiers.class == Class::Static || specifiers.thread {
            let storage = Storage::Static {
                function: Some(function),
                initial: Initial::Values(Vec::new()),
            };
            let constant = specifiers.constant && !matches!(ty, Type::Pointer(_) | Type::Array(..));
            let id = self.new_variable(name.to_owned(), ty, storage, place);
            self.bind(name, Binding::Variable(id));
            if let Some(initialiser) = &declarator.initializer {
                self.static_initialiser(id, initialiser, constant);
            }
            self.complete(id, place);
            return;
        }
        let storage = Storage::Automatic {
            function,
            parameter: false,
            temporary: false,
        };
        let id = self.new_variable(name.to_owned(), ty, storage, place);
        self.bind(name, Binding::Variable(id));
        self.lives_here(id);
        self.emit(StmtKind::Declare(id), place);
        if let Some(initialiser) = &declarator.initializer {
            let object = self.variable_place(id, place);
            self.full_initialiser(object, initialiser);
        }
        self.complete(id, place);
    }

    /// Says so if the size of a variable is not known.
    fn complete(&mut self, id: VarId, place: Span) {
        let ty = self.program.variable(id).ty.clone();
        let known = self.layout().size(&ty).is_some() || self.is_variable(&ty);
        if !known || ty == Type::Void {
            let message = format!("a variable of the type `{}`", self.show(&ty));
            self.error(
                Id::C_BAD_DECLARATION,
                message,
                place,
                "its size is not known",
            );
        }
    }

    /// The contents of a static variable from its initialiser.
    fn static_initialiser(&mut self, id: VarId, node: &Node<c::Initializer>, constant: bool) {
        let place = self.program.variable(id).span;
        let object = self.variable_place(id, place);
        let initial = self.static_values(object, node);
        if constant
            && let Initial::Values(values) = &initial
            && self.program.variable(id).ty.is_arithmetic()
        {
            let ty = self.program.variable(id).ty.clone();
            let value = match values.as_slice() {
                [] => Some(Expr {
                    kind: ExprKind::Int(0),
                    ty: ty.clone(),
                    span: place,
                }),
                [(path, value)] if path.is_empty() => Some(value.clone()),
                _ => None,
            };
            if let Some(value) = value
                && ty.is_integer()
            {
                self.constants.insert(id, value);
            }
        }
        if let Storage::Static { initial: known, .. } =
            &mut self.program.variables[id.0 as usize].storage
        {
            *known = initial;
        }
    }

    /// Arrays without a length that are defined (C11 6.9.2, paragraph 5): as if they had one element.
    pub(super) fn complete_arrays(&mut self) {
        for variable in &mut self.program.variables {
            let is_defined = matches!(&variable.storage, Storage::Static { initial, .. }
                if !matches!(initial, Initial::Unknown));
            if let Type::Array(element, Length::Unknown) = &variable.ty
                && is_defined
            {
                variable.ty = Type::Array(element.clone(), Length::Known(1));
            }
        }
    }

    /// What can only be said at the end of the file.
    pub(super) fn finish(&mut self) {
        self.complete_arrays();
        let mut incomplete = Vec::new();
        for (index, variable) in self.program.variables.iter().enumerate() {
            let Storage::Static { initial, .. } = &variable.storage else {
                continue;
            };
            let defined = !matches!(initial, Initial::Unknown);
            if let Type::Record(id) = &variable.ty
                && defined
                && self.program.records[id.0 as usize].fields.is_none()
            {
                incomplete.push(index);
            }
        }
        for index in incomplete {
            let place = self.program.variables[index].span;
            self.complete(VarId(index as u32), place);
        }
        self.reconcile();
    }
}

/// Whether a pointer in the declarator is volatile.
pub(super) fn is_volatile(declarator: &c::Declarator) -> bool {
    declarator
        .derived
        .iter()
        .any(|derived| match &derived.node {
            c::DerivedDeclarator::Pointer(qualifiers) => qualifiers.iter().any(|qualifier| {
                matches!(&qualifier.node, c::PointerQualifier::TypeQualifier(qualifier)
                if matches!(qualifier.node, c::TypeQualifier::Volatile))
            }),
            _ => false,
        })
}

/// Whether two types of one function are compatible (C11 6.7.6.3); pointers count as the same.
pub(super) fn compatible(known: &FunctionType, other: &FunctionType) -> bool {
    let same = |a: &Type, b: &Type| a == b || (a.is_pointer() && b.is_pointer());
    let params = !(known.prototyped && other.prototyped)
        || (known.variadic == other.variadic
            && known.params.len() == other.params.len()
            && known
                .params
                .iter()
                .zip(&other.params)
                .all(|(a, b)| same(a, b)));
    params && same(&known.result, &other.result)
}

/// The composite of two types of one variable (C11 6.2.7); `None` if they are not compatible.
pub(super) fn composite(known: &Type, other: &Type) -> Option<Type> {
    match (known, other) {
        (a, b) if a == b => Some(a.clone()),
        (Type::Array(a, length), Type::Array(b, other)) => {
            let element = composite(a, b)?;
            let length = match (length, other) {
                (Length::Unknown, length) | (length, Length::Unknown) => *length,
                (a, b) if a == b => *a,
                _ => return None,
            };
            Some(Type::Array(element.into(), length))
        }
        // Functions without a prototype, arrays without a length.
        (Type::Pointer(a), Type::Pointer(b)) => match (&**a, &**b) {
            (Type::Function(a), Type::Function(b)) => Some(if b.prototyped { b } else { a })
                .map(|ty| Type::Function(ty.clone()).pointer()),
            (a, b) => composite(a, b).map(Type::pointer),
        },
        _ => None,
    }
}
