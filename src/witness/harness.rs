//! A C file that gives a program the inputs of a run: compiled together with the program, it reaches the violation.
//!
//! It defines the functions that the program declares only, as far as they are inputs (`__VERIFIER_nondet_int` and the
//! like, and functions that were taken to return anything), and those by which verification tasks speak
//! (`__VERIFIER_assume`, `reach_error`). Each call returns the next one of the values that the run has for the function.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ult_c::types::{DataModel, FloatType, Type};

use super::write::constant;
use crate::program::Report;

/// The file for the first violation of a report; `None` if there is none.
pub fn harness(report: &Report, model: DataModel) -> Option<String> {
    let violated = report
        .obligations()
        .find(|obligation| obligation.verdict.is_unsafe())?;
    let text = &report.source.text;
    let mut values: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for step in &violated.run {
        let Some((call, input)) = &step.input else {
            continue;
        };
        let call = text.get(call.range()).unwrap_or_default();
        let callee = call.split('(').next().unwrap_or_default().trim();
        if let Some(value) = constant(callee, input) {
            values.entry(callee).or_default().push(value);
        }
    }
    let parsed = ult_c::parse::parse(text);
    let (program, _) = parsed.with_stack(|| ult_c::elaborate(&parsed, model));
    let place = report.source.start(violated.span);
    let mut harness = format!(
        "/* The inputs of a run of {} that violates line {}. Compile both together:\n   \
         the program ends by a signal where the property is violated. */\n\
         extern void abort(void);\nextern void exit(int);\nextern int puts(const char *);\n",
        comment(&report.source.name),
        place.line
    );
    let is_main =
        |function: &ult_c::ir::Function| function.name == "main" && function.body.is_some();
    if !program.functions.iter().any(is_main) {
        harness +=
            "#error \"the program has no function main: call its functions as the run does\"\n";
    }
    let unknown = &report.basis.unknown_functions;
    for function in &program.functions {
        let is_ours = function.name.starts_with("__VERIFIER_")
            || matches!(&*function.name, "reach_error")
            || unknown.contains(&function.name);
        if function.body.is_some() || !is_ours {
            continue;
        }
        let name = &function.name;
        match &**name {
            "__VERIFIER_assume" => {
                let _ = writeln!(
                    harness,
                    "\nvoid {name}(int condition) {{\n  if (!condition) exit(0);\n}}"
                );
            }
            "__VERIFIER_error" | "reach_error" => {
                let _ = writeln!(
                    harness,
                    "\nvoid {name}(void) {{\n  puts(\"{name}\");\n  abort();\n}}"
                );
            }
            _ => harness += &input(name, &function.ty.result, values.get(&**name)),
        }
    }
    Some(harness)
}

/// A function that returns one value after the other, then zero.
fn input(name: &str, result: &Type, values: Option<&Vec<String>>) -> String {
    let Some(ty) = written(result) else {
        // A structure, or nothing: no numbers are asked for.
        return match result {
            Type::Void => format!("\nvoid {name}() {{\n}}\n"),
            _ => format!("\n/* {name} returns something that is not covered here. */\n"),
        };
    };
    let Some(values) = values else {
        return format!("\n{ty} {name}() {{\n  return 0;\n}}\n");
    };
    format!(
        "\n{ty} {name}() {{\n  static const {ty} values[] = {{{}}};\n  static unsigned next;\n  \
         return next < {} ? values[next++] : 0;\n}}\n",
        values.join(", "),
        values.len()
    )
}

/// A type of the same size and kind.
fn written(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Bool => "_Bool".into(),
        Type::Int(int) => {
            let name = match int.bits {
                8 => "char",
                16 => "short",
                32 => "int",
                64 => "long long",
                128 => "__int128",
                _ => return None,
            };
            format!("{} {name}", if int.signed { "signed" } else { "unsigned" })
        }
        Type::Pointer(_) => "void *".into(),
        Type::Float(FloatType::Single) => "float".into(),
        Type::Float(FloatType::Double) => "double".into(),
        Type::Float(FloatType::Extended) => "long double".into(),
        Type::Float(FloatType::Quad) => "_Float128".into(),
        Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => return None,
    })
}

/// A name in a comment.
fn comment(name: &str) -> String {
    name.replace("*/", "* /")
}
