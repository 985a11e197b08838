//! Sorts as SMT-LIB text.

use ult_lang::hir::{Background, Type};

/// A type as SMT-LIB writes it.
pub(crate) fn sort(background: &Background, ty: &Type) -> String {
    let with = |name: &str, args: &[Type]| match args.is_empty() {
        true => name.to_owned(),
        false => {
            let args: Vec<String> = args.iter().map(|arg| sort(background, arg)).collect();
            format!("({name} {})", args.join(" "))
        }
    };
    match ty {
        Type::Bool => "Bool".to_owned(),
        Type::Int => "Int".to_owned(),
        Type::Real => "Real".to_owned(),
        Type::BitVec(width) => format!("(_ BitVec {width})"),
        Type::Float {
            significand,
            exponent,
        } => format!("(_ FloatingPoint {exponent} {significand})"),
        Type::RoundingMode => "RoundingMode".to_owned(),
        Type::Constructor(id, args) => {
            let known = background.types.get(id.index());
            with(known.map_or("?", |known| &known.name), args)
        }
        Type::Datatype(id, args) => {
            let known = background.datatypes.get(id.index());
            with(known.map_or("?", |known| &known.name), args)
        }
        Type::Map(map) => {
            let mut args = map.domain.clone();
            args.push(map.range.clone());
            with("Array", &args)
        }
        Type::String | Type::Regex | Type::Var(_) | Type::Error => "?".to_owned(),
    }
}
