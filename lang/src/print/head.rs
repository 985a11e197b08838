//! Declarations without their bodies, as they are shown to people.

use super::Printer;
use crate::ast::{Constructor, Expr, FunctionDecl, ProcedureDecl, TypeDeclItem};
use crate::token::Language;

/// A longer term is not shown in full.
const LONGEST: usize = 200;

/// `type Seq a = [int]a`
pub(crate) fn type_item(item: &TypeDeclItem, language: Language) -> String {
    let mut printer = Printer::new(language);
    printer.text("type ");
    printer.type_item(item);
    printer.out
}

/// `Node(left: Tree, right: Tree)`
pub(crate) fn constructor(constructor: &Constructor, language: Language) -> String {
    let mut printer = Printer::new(language);
    printer.constructor(constructor);
    printer.out
}

/// `function f(x: int) returns (int)`
pub(crate) fn function_head(decl: &FunctionDecl, language: Language) -> String {
    let mut printer = Printer::new(language);
    printer.function_signature(decl);
    printer.out
}

/// Head and contract of a procedure, a clause a line.
pub(crate) fn procedure_head(decl: &ProcedureDecl) -> String {
    let mut printer = Printer::new(Language::Boogie);
    printer.procedure_signature(decl);
    printer.text("\n");
    printer.specs(&decl.specs);
    printer.out.trim_end().to_owned()
}

/// A term, or the beginning of a long one.
pub(crate) fn short_expr(expr: &Expr, language: Language) -> String {
    let text = super::expr(expr, language);
    if text.chars().count() <= LONGEST {
        return text;
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut}...")
}
