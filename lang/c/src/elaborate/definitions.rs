//! Function definitions (C11 6.9.1).

use std::collections::{HashMap, HashSet};

use ult_lang::diagnostic::Id;
use ult_lang::span::Span;

use crate::ir::{BlockId, FunctionId, LabelId, StmtKind, Storage, VarId};
use crate::syntax as c;
use crate::types::{FunctionType, Length, Type};

use super::declarators::{Parameters, adjusted};
use super::lifetimes::{Exit, Lifetimes};
use super::scope::Binding;
use super::specifiers::Class;
use super::{Elaborator, int};

/// The function whose body is read.
pub(super) struct FunctionContext {
    pub(super) id: FunctionId,
    pub(super) result: Type,
    /// Labels by their names, with the place of a use of those that are not defined yet.
    pub(super) labels: HashMap<String, (LabelId, Option<Span>)>,
    pub(super) next_block: u32,
    /// What `break` leaves, innermost last.
    pub(super) breaks: Vec<Exit>,
    /// What `continue` leaves.
    pub(super) continues: Vec<Exit>,
    /// Blocks that are left somewhere.
    pub(super) left: HashSet<BlockId>,
    pub(super) switches: Vec<super::switch::Switch>,
    /// The variable `__func__`, once it was needed.
    pub(super) name: Option<VarId>,
    pub(super) lifetimes: Lifetimes,
    /// The labels that only inner blocks know, innermost last: their names, and what they are called in `labels`.
    pub(super) local_labels: Vec<(String, String)>,
    /// The variables whose addresses are the values of labels.
    pub(super) label_values: Vec<(String, VarId)>,
}

impl Elaborator {
    pub(super) fn function_definition(&mut self, definition: &c::FunctionDefinition) {
        let specifiers = self.declaration_specifiers(&definition.specifiers);
        let mut attributes = specifiers.attributes.clone();
        self.attributes(&definition.declarator.node.extensions, &mut attributes);
        let declared = self.declarator(specifiers.ty.clone(), &definition.declarator.node);
        let place = definition.declarator.span;
        if let Some(what) = &attributes.unsupported {
            let what = what.clone();
            self.not_covered(&what, place);
        }
        let (Some((name, place)), Type::Function(ty), Some(parameters)) =
            (declared.name, &declared.ty, declared.parameters)
        else {
            self.error(
                Id::C_BAD_DECLARATION,
                "a body after what is not a function",
                place,
                "a parameter list is missing",
            );
            return;
        };
        let ty = (**ty).clone();
        // gnu_inline: a definition for inlining only, which another one may follow.
        let inline = specifiers.class == Class::Extern && specifiers.inline;
        if let Some(&id) = self.functions.get(&name)
            && self.inline_definitions.remove(&id)
        {
            let known = &mut self.program.functions[id.0 as usize];
            known.body = None;
            known.labels.clear();
        }
        self.define(&name, place, ty, parameters, definition);
        if let Some(&id) = self.functions.get(&name) {
            self.attribute_function(id, &attributes);
            self.links_function(id, &specifiers);
            self.symbol(super::refused::Symbol::Function(id), &attributes);
        }
        if inline && let Some(&id) = self.functions.get(&name) {
            self.inline_definitions.insert(id);
        }
    }

    /// gcc's functions within functions: their names are known, and calls of them are not covered.
    pub(super) fn nested_function(&mut self, definition: &c::FunctionDefinition) {
        let specifiers = self.declaration_specifiers(&definition.specifiers);
        let declared = self.declarator(specifiers.ty, &definition.declarator.node);
        if let Some((name, _)) = declared.name {
            self.bind(&name, Binding::Nested(declared.ty));
        }
    }

    fn define(
        &mut self,
        name: &str,
        place: Span,
        mut ty: FunctionType,
        parameters: Parameters,
        definition: &c::FunctionDefinition,
    ) {
        let Parameters { names, scope } = parameters;
        self.scopes.push(scope);
        if !ty.prototyped {
            ty.params = self.old_style_types(&names, definition);
        }
        let id = self.declare_function(name, ty.clone(), place);
        let known = &mut self.program.functions[id.0 as usize];
        if known.body.is_some() {
            self.error(
                Id::C_BAD_DECLARATION,
                format!("the function `{name}` is defined twice"),
                place,
                "it is defined above",
            );
            self.scopes.pop();
            return;
        }
        known.span = place;
        // A prototype above tells more than a definition without one.
        let prototyped = known.ty.prototyped && known.ty.params.len() == ty.params.len();
        known.ty = FunctionType {
            prototyped: ty.prototyped || prototyped,
            ..ty.clone()
        };
        known.body = Some(Vec::new());
        self.function = Some(FunctionContext {
            id,
            result: ty.result.clone(),
            labels: HashMap::new(),
            next_block: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            left: HashSet::new(),
            switches: Vec::new(),
            name: None,
            lifetimes: Lifetimes::default(),
            local_labels: Vec::new(),
            label_values: Vec::new(),
        });
        self.declare_label_values(&definition.label_addresses);
        let (mut body, params) = self.collect(|this| {
            let params = this.bind_parameters(id, &ty, &names, definition);
            match &definition.statement.node {
                // The parameters belong to the outermost block.
                c::Statement::Compound(items) => this.block_items(items),
                _ => this.statement(&definition.statement),
            }
            params
        });
        if name == "main" && ty.result == Type::INT {
            // C11 5.1.2.2.3.
            let end = definition.statement.span;
            let end = Span::new(end.end.saturating_sub(1).max(end.start), end.end);
            body.push(crate::ir::Stmt {
                kind: StmtKind::Return(Some(int(0, Type::INT, end))),
                span: end,
            });
        }
        self.check_labels();
        let body = self.settle(body);
        self.function = None;
        self.scopes.pop();
        let function = &mut self.program.functions[id.0 as usize];
        function.params = params;
        function.body = Some(body);
    }

    /// The types of the parameters of a definition without a prototype.
    fn old_style_types(
        &mut self,
        names: &[Option<(String, Span)>],
        definition: &c::FunctionDefinition,
    ) -> Vec<Type> {
        let mut types = HashMap::new();
        for declaration in &definition.declarations {
            let specifiers = self.declaration_specifiers(&declaration.node.specifiers);
            for declarator in &declaration.node.declarators {
                let declared =
                    self.declarator(specifiers.ty.clone(), &declarator.node.declarator.node);
                if let Some((name, _)) = declared.name {
                    types.insert(name, adjusted(declared.ty));
                }
            }
        }
        let mut result = Vec::new();
        for (name, place) in names.iter().flatten() {
            let ty = types.get(name).cloned().unwrap_or_else(|| {
                self.warning(
                    Id::C_IMPLICIT_INT,
                    format!("the parameter `{name}` is not declared"),
                    *place,
                    "taken as `int`",
                );
                Type::INT
            });
            result.push(ty);
        }
        result
    }

    fn bind_parameters(
        &mut self,
        function: FunctionId,
        ty: &FunctionType,
        names: &[Option<(String, Span)>],
        definition: &c::FunctionDefinition,
    ) -> Vec<VarId> {
        let declarations = outermost_function(&definition.declarator.node);
        let mut params = Vec::new();
        for (index, param) in ty.params.iter().enumerate() {
            let name = names.get(index).cloned().flatten();
            let mut param = param.clone();
            let declaration = declarations.and_then(|d| d.parameters.get(index));
            // Lengths are computed now, each once (C11 6.9.1p10), also that of a parameter that is written as an array,
            // which does not matter.
            if let Some(node) = declaration
                && (has_unknown_length(&param) || computes_length(&node.node))
            {
                param = self.parameter(&node.node).1;
            }
            let (name, place) =
                name.unwrap_or_else(|| (format!("unnamed{index}"), definition.declarator.span));
            let storage = Storage::Automatic {
                function,
                parameter: true,
                temporary: false,
            };
            let id = self.new_variable(name.clone(), param, storage, place);
            self.bind(&name, Binding::Variable(id));
            params.push(id);
            if declaration.is_some_and(|node| is_volatile_parameter(&node.node)) {
                self.volatile.insert(id);
            }
        }
        params
    }

    /// The variable `__func__` (C11 6.4.2.2).
    pub(super) fn function_name(&mut self, place: Span) -> Option<VarId> {
        let context = self.function.as_ref()?;
        if let Some(id) = context.name {
            return Some(id);
        }
        let name = self.program.function(context.id).name.clone();
        let text = super::literals::Text {
            elements: name.bytes().map(u32::from).collect(),
            element: crate::types::IntType::CHAR,
        };
        let object = self.string_object(&text, place);
        let crate::ir::Base::Variable(id) = object.base else {
            return None;
        };
        if let Some(context) = &mut self.function {
            context.name = Some(id);
        }
        Some(id)
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        match &mut self.function {
            Some(context) => {
                context.next_block += 1;
                BlockId(context.next_block - 1)
            }
            None => BlockId(0),
        }
    }

    /// gcc's `__label__ a, b;`. A label whose address is taken keeps its name, so that there can be one of them.
    pub(super) fn declare_local_labels(&mut self, labels: &[c::Node<c::Identifier>]) {
        for label in labels {
            let name = &label.node.name;
            let Some(context) = &self.function else {
                return;
            };
            let is_value = context.label_values.iter().any(|(known, _)| known == name);
            let own = match is_value && !context.labels.contains_key(name) {
                true => name.clone(),
                false => format!("{name}~{}", context.labels.len()),
            };
            let id = self.new_label(name.clone());
            if let Some(context) = &mut self.function {
                context.labels.insert(own.clone(), (id, Some(label.span)));
                context.local_labels.push((name.clone(), own));
            }
        }
    }

    /// What a label is called among those of its function.
    pub(super) fn own_label(&self, name: &str) -> String {
        let locals = self
            .function
            .iter()
            .flat_map(|context| context.local_labels.iter().rev());
        let mut known = locals.filter(|(local, _)| local == name);
        known.next().map_or(name, |(_, own)| own).to_owned()
    }

    /// The label of this name; a definition says so.
    pub(super) fn label(&mut self, name: &str, place: Span, defined: bool) -> Option<LabelId> {
        let own = self.own_label(name);
        let name = name.to_owned();
        let context = self.function.as_mut()?;
        if let Some((id, used)) = context.labels.get_mut(&own) {
            let id = *id;
            if defined && used.is_none() {
                self.error(
                    Id::C_BAD_DECLARATION,
                    format!("the label `{name}` is defined twice"),
                    place,
                    "it is defined above",
                );
                return Some(id);
            }
            if defined {
                *used = None;
            }
            return Some(id);
        }
        let labels = &mut self.program.functions[context.id.0 as usize].labels;
        let id = LabelId(labels.len() as u32);
        labels.push(name);
        context
            .labels
            .insert(own, (id, (!defined).then_some(place)));
        Some(id)
    }

    /// A label that the program does not name.
    pub(super) fn new_label(&mut self, name: String) -> LabelId {
        let Some(context) = &self.function else {
            return LabelId(0);
        };
        let labels = &mut self.program.functions[context.id.0 as usize].labels;
        let id = LabelId(labels.len() as u32);
        labels.push(name);
        id
    }

    fn check_labels(&mut self) {
        let Some(context) = &self.function else {
            return;
        };
        let mut missing: Vec<(Span, String)> = context
            .labels
            .iter()
            .filter_map(|(name, (_, used))| used.map(|place| (place, name.clone())))
            .collect();
        missing.sort();
        for (place, name) in missing {
            self.error(
                Id::C_UNDECLARED,
                format!(
                    "there is no label `{}`",
                    name.split('~').next().unwrap_or(&name)
                ),
                place,
                "not in this function",
            );
        }
    }
}

fn is_volatile_parameter(parameter: &c::ParameterDeclaration) -> bool {
    let specifiers = parameter.specifiers.iter();
    specifiers
        .map(|specifier| &specifier.node)
        .any(|specifier| {
            matches!(specifier, c::DeclarationSpecifier::TypeQualifier(qualifier)
            if matches!(qualifier.node, c::TypeQualifier::Volatile))
        })
        || parameter
            .declarator
            .as_ref()
            .is_some_and(|declarator| super::declarations::is_volatile(&declarator.node))
}

/// The parameter list that belongs to the name.
fn outermost_function(declarator: &c::Declarator) -> Option<&c::FunctionDeclarator> {
    if let c::DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = outermost_function(&inner.node)
    {
        return Some(found);
    }
    declarator
        .derived
        .iter()
        .find_map(|derived| match &derived.node {
            c::DerivedDeclarator::Function(function) => Some(&function.node),
            _ => None,
        })
}

fn has_unknown_length(ty: &Type) -> bool {
    match ty {
        Type::Array(_, Length::Unknown) => true,
        Type::Array(inner, _) | Type::Pointer(inner) => has_unknown_length(inner),
        _ => false,
    }
}

/// Whether the declaration of a parameter has lengths of arrays that are no numbers.
fn computes_length(parameter: &c::ParameterDeclaration) -> bool {
    fn within(declarator: &c::Declarator) -> bool {
        let inner = match &declarator.kind.node {
            c::DeclaratorKind::Declarator(inner) => within(&inner.node),
            _ => false,
        };
        inner
            || declarator.derived.iter().any(|derived| {
                let c::DerivedDeclarator::Array(array) = &derived.node else {
                    return false;
                };
                match &array.node.size {
                    c::ArraySize::VariableExpression(length)
                    | c::ArraySize::StaticExpression(length) => {
                        !matches!(length.node, c::Expression::Constant(_))
                    }
                    c::ArraySize::Unknown | c::ArraySize::VariableUnknown => false,
                }
            })
    }
    let declarator = parameter.declarator.as_ref();
    declarator.is_some_and(|declarator| within(&declarator.node))
}
