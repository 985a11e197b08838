//! What attributes change: layouts and types. All others are hints, or are refused where they change the meaning.

use crate::ir::{ExprKind, FunctionId, LockRole};
use crate::syntax::{self as c, Node};

use super::Elaborator;

/// Attributes that change what is declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    /// `packed`
    pub(super) packed: bool,
    /// `aligned`, in bytes.
    pub(super) align: Option<u64>,
    /// `mode`: the width of the type in bits.
    pub(super) mode: Option<Mode>,
    /// `transparent_union`
    pub(super) transparent: bool,
    /// `noreturn`, or `_Noreturn`
    pub(super) no_return: bool,
    /// `annotate("acquires")` and `annotate("releases")`
    pub(super) lock: Option<LockRole>,
    /// `constructor`, with its priority.
    pub(super) constructor: Option<u32>,
    /// `weak`
    pub(super) weak: bool,
    /// The name for the assembler.
    pub(super) label: Option<String>,
    /// What is not covered and changes the meaning, in words.
    pub(super) unsupported: Option<String>,
}

/// The priority of constructors that have no other one.
const LAST: u32 = 65_535;

/// A machine mode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// An integer of this many bits.
    Int(u32),
    /// A float of this many bits.
    Float(u32),
}

impl Elaborator {
    /// Reads attributes and adds them to the others.
    pub(super) fn attributes(
        &mut self,
        extensions: &[Node<c::Extension>],
        attributes: &mut Attributes,
    ) {
        for extension in extensions {
            let attribute = match &extension.node {
                c::Extension::Attribute(attribute) => attribute,
                c::Extension::AsmLabel(label) => {
                    let parts = label.node.iter().map(|part| part.trim_matches('"'));
                    attributes.label = Some(parts.collect());
                    continue;
                }
            };
            let name = attribute.name.node.trim_matches('_');
            match name {
                "packed" => attributes.packed = true,
                "weak" => attributes.weak = true,
                "noreturn" => attributes.no_return = true,
                "annotate" => {
                    let text = attribute.arguments.first().map(|text| match &text.node {
                        c::Expression::StringLiteral(text) => text.node.concat(),
                        _ => String::new(),
                    });
                    match text.unwrap_or_default().trim_matches('"') {
                        "acquires" => attributes.lock = Some(LockRole::Acquire),
                        "releases" => attributes.lock = Some(LockRole::Release),
                        _ => {}
                    }
                }
                "transparent_union" => attributes.transparent = true,
                "aligned" => {
                    let align = match attribute.arguments.first() {
                        Some(argument) => self.constant_expression(argument),
                        None => Some(16),
                    };
                    if let Some(align) = align.and_then(|align| u64::try_from(align).ok())
                        && align.is_power_of_two()
                    {
                        attributes.align = attributes.align.max(Some(align));
                    }
                }
                "mode" => {
                    let mode = attribute.arguments.first().and_then(mode_name);
                    match mode.and_then(|mode| self.mode(&mode)) {
                        Some(mode) => attributes.mode = Some(mode),
                        None => attributes.unsupported = Some("this machine mode".to_owned()),
                    }
                }
                "constructor" => {
                    let priority = match attribute.arguments.first() {
                        Some(argument) => self.constant_expression(argument),
                        None => Some(LAST.into()),
                    };
                    attributes.constructor = priority.and_then(|number| number.try_into().ok());
                }
                "vector_size"
                | "ext_vector_type"
                | "scalar_storage_order"
                | "alias"
                | "ifunc"
                | "weakref"
                | "cleanup"
                | "destructor"
                | "ms_struct" => {
                    attributes.unsupported = Some(format!("the attribute `{name}`"));
                }
                _ => {}
            }
        }
    }

    /// What attributes say about a function, besides its other declarations.
    pub(super) fn attribute_function(&mut self, id: FunctionId, attributes: &Attributes) {
        let function = &mut self.program.functions[id.0 as usize];
        function.returns &= !attributes.no_return;
        function.lock = attributes.lock.or(function.lock);
        if attributes.constructor.is_some() {
            function.constructor = attributes.constructor;
            if !function.ty.params.is_empty() || function.ty.variadic {
                let span = function.span;
                self.not_covered("a constructor with parameters", span);
            }
        }
    }

    fn mode(&self, name: &str) -> Option<Mode> {
        Some(match name.trim_matches('_') {
            "QI" | "byte" => Mode::Int(8),
            "HI" => Mode::Int(16),
            "SI" => Mode::Int(32),
            "DI" => Mode::Int(64),
            "TI" => Mode::Int(128),
            "word" | "pointer" | "unwind_word" => Mode::Int(self.program.model.word()),
            "SF" => Mode::Float(32),
            "DF" => Mode::Float(64),
            "XF" => Mode::Float(80),
            "TF" => Mode::Float(128),
            _ => return None,
        })
    }

    /// The value of an integer constant expression; says so if it is none.
    pub(super) fn constant_expression(&mut self, expression: &Node<c::Expression>) -> Option<i128> {
        let value = self.unevaluated(|this| this.value(expression));
        match value.kind {
            ExprKind::Int(number) if value.ty.is_integer() => Some(number),
            ExprKind::Unsupported(_) => None,
            _ => {
                self.error(
                    ult_lang::diagnostic::Id::C_CONSTANT,
                    "an integer constant is needed here",
                    expression.span,
                    "its value is not known before the program runs",
                );
                None
            }
        }
    }
}

/// The mode's name, which is read as an identifier.
fn mode_name(argument: &Node<c::Expression>) -> Option<String> {
    match &argument.node {
        c::Expression::Identifier(identifier) => Some(identifier.node.name.clone()),
        _ => None,
    }
}
