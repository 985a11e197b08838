//! A C file that gives a program the inputs of a run: compiled together with the program, it reaches the violation.
//!
//! It defines the functions that the program declares only, as far as they are inputs (`__VERIFIER_nondet_int` and the
//! like, and functions that were taken to return anything), and those by which verification tasks speak
//! (`__VERIFIER_assume`, `reach_error`). Each call returns the next one of the values that the run has for the function.

use std::fmt::Write as _;

use ult_c::ir::Origin;
use ult_c::types::{DataModel, FloatType, Type};

use super::write::constant;
use ult_driver::{ObligationReport, Report};

/// What a run gives to its program.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The functions that the program declares only and that a harness defines.
    pub functions: Vec<Fed>,
    /// The calls in the order of the run: each the index of a function.
    pub order: Vec<usize>,
    /// Functions of which the run has results that cannot be written as constants: they return zero instead.
    pub missing: Vec<String>,
    /// Whether the program has a function `main`.
    pub has_main: bool,
    /// Whether that has parameters.
    pub has_arguments: bool,
    /// Functions that the program defines although their names are the C library's (C11 7.1.3): the compiler and its
    /// sanitizers may take them for those.
    pub reserved: Vec<String>,
}

/// A function that a harness defines.
#[derive(Clone, Debug)]
pub struct Fed {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The values that it returns, as constants of C.
    pub values: Vec<String>,
}

/// What a function that a harness defines is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It ends the program silently if its argument is zero.
    Assume,
    /// Nobody should call it.
    Error,
    /// It returns an input of this type, or nothing.
    Input(Option<String>),
    /// It returns something that is no number.
    NotCovered,
}

/// The inputs of the run that violates an obligation of a C program.
pub fn inputs(report: &Report, violated: &ObligationReport, model: DataModel) -> Inputs {
    let text = &report.source.text;
    let parsed = ult_c::parse::parse(text);
    let (program, _) = parsed.with_stack(|| ult_c::elaborate(&parsed, model));
    let mut inputs = Inputs::default();
    let unknown = &report.basis.unknown_functions;
    for function in &program.functions {
        let name = &function.name;
        if name == "main" && function.body.is_some() {
            inputs.has_main = true;
            inputs.has_arguments = !function.params.is_empty();
        }
        let is_own = function.origin == Origin::Program && function.body.is_some();
        if is_own && ult_c::functions::is_of_library(name) {
            inputs.reserved.push(name.clone());
        }
        let is_ours = name.starts_with("__VERIFIER_")
            || matches!(&**name, "reach_error")
            || unknown.contains(name);
        // Each translation unit may declare it.
        let is_known = inputs.functions.iter().any(|fed| fed.name == *name);
        if function.body.is_some() || !is_ours || is_known {
            continue;
        }
        let role = match (&**name, &function.ty.result) {
            ("__VERIFIER_assume", _) => Role::Assume,
            ("__VERIFIER_error" | "reach_error", _) => Role::Error,
            (_, Type::Void) => Role::Input(None),
            // A structure: no numbers are asked for.
            (_, result) => match written(result) {
                Some(ty) => Role::Input(Some(ty)),
                None => Role::NotCovered,
            },
        };
        inputs.functions.push(Fed {
            name: name.clone(),
            role,
            values: Vec::new(),
        });
    }
    for step in violated.run.iter() {
        let Some((call, input)) = &step.input else {
            continue;
        };
        let call = text.get(call.range()).unwrap_or_default();
        let callee = call.split('(').next().unwrap_or_default().trim();
        let mut functions = inputs.functions.iter_mut().enumerate();
        let fed = functions.find(|(_, fed)| fed.name == callee);
        let Some((index, fed)) = fed else {
            continue;
        };
        // A place in the program is no number, but for the null pointer.
        let value = match &fed.role {
            Role::Input(Some(ty)) if ty.ends_with('*') => {
                constant(callee, input).filter(|value| value == "0")
            }
            Role::Input(Some(_)) => constant(callee, input),
            Role::Input(None) | Role::Assume | Role::Error | Role::NotCovered => continue,
        };
        if value.is_none() && !inputs.missing.iter().any(|name| name == callee) {
            inputs.missing.push(callee.to_owned());
        }
        fed.values.push(value.unwrap_or_else(|| "0".to_owned()));
        inputs.order.push(index);
    }
    inputs
}

/// The file for the first violation of a report; `None` if there is none.
pub fn harness(report: &Report, model: DataModel) -> Option<String> {
    let violated = report
        .obligations()
        .find(|obligation| obligation.verdict.is_unsafe())?;
    let inputs = inputs(report, violated, model);
    let place = report.source.start(violated.span);
    let mut harness = format!(
        "/* The inputs of a counterexample of {} that violates line {}. Compile {} together:\n   \
         the program ends by a signal where the property is violated. */\n\
         extern void abort(void);\nextern void exit(int);\nextern int puts(const char *);\n",
        comment(&report.source.name),
        place.line,
        match &report.basis.linked[..] {
            [] => "both".to_owned(),
            files => comment(&format!("it, {}", files.join(", "))),
        }
    );
    if !inputs.has_main {
        harness += "#error \"the program has no function main: call its functions as the counterexample does\"\n";
    }
    for Fed { name, role, values } in &inputs.functions {
        match role {
            Role::Assume => {
                let _ = writeln!(
                    harness,
                    "\nvoid {name}(int condition) {{\n  if (!condition) exit(0);\n}}"
                );
            }
            Role::Error => {
                let _ = writeln!(
                    harness,
                    "\nvoid {name}(void) {{\n  puts(\"{name}\");\n  abort();\n}}"
                );
            }
            Role::Input(ty) => harness += &input(name, ty.as_deref(), values),
            Role::NotCovered => {
                let _ = writeln!(
                    harness,
                    "\n/* {name} returns something that is not covered here. */"
                );
            }
        }
    }
    Some(harness)
}

/// A function that returns one value after the other, then zero.
fn input(name: &str, ty: Option<&str>, values: &[String]) -> String {
    let Some(ty) = ty else {
        return format!("\nvoid {name}() {{\n}}\n");
    };
    if values.is_empty() {
        return format!("\n{ty} {name}() {{\n  return 0;\n}}\n");
    }
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
