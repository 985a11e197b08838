//! Sorts of SMT-LIB, as types of the typed program.

use ult_lang::hir::Type;
use ult_lang::stack::ensure_stack;
use ult_smtlib::sexpr;

use crate::names::SortName;
use crate::reader::Reader;
use crate::terms::float;
use ult_lang::diagnostic::Reported;

/// Synonyms of sorts may be used so deep inside of each other.
const DEEPEST_SYNONYM: usize = 64;

impl Reader<'_> {
    /// The type that a sort is.
    pub(crate) fn sort(&mut self, at: sexpr::Expr) -> Result<Type, Reported> {
        self.sort_with(at, &[], 0)
    }

    fn sort_with(
        &mut self,
        at: sexpr::Expr,
        params: &[(String, Type)],
        depth: usize,
    ) -> Result<Type, Reported> {
        if depth > DEEPEST_SYNONYM {
            return Err(self.not_supported("a sort that is defined so deep", at));
        }
        ensure_stack(|| self.sort_here(at, params, depth))
    }

    fn sort_here(
        &mut self,
        at: sexpr::Expr,
        params: &[(String, Type)],
        depth: usize,
    ) -> Result<Type, Reported> {
        let exprs = self.exprs;
        if let Some(name) = exprs.symbol(at) {
            if let Some((_, ty)) = params.iter().find(|(param, _)| param == name) {
                return Ok(ty.clone());
            }
            return match name {
                "Bool" => Ok(Type::Bool),
                "Int" => Ok(Type::Int),
                "Real" => Ok(Type::Real),
                "RoundingMode" => Ok(Type::RoundingMode),
                "Float16" => Ok(float(5, 11)),
                "Float32" => Ok(float(8, 24)),
                "Float64" => Ok(float(11, 53)),
                "Float128" => Ok(float(15, 113)),
                _ => self.named_sort(name, &[], at, depth),
            };
        }
        let Some([head, rest @ ..]) = exprs.list(at) else {
            return Err(self.syntax("a sort is expected here", at));
        };
        match (exprs.symbol(*head), rest) {
            (Some("_"), [name, indices @ ..]) => {
                let indices = self.numbers(indices);
                match (exprs.symbol(*name), indices.as_deref()) {
                    (Some("BitVec"), Some(&[width])) if width > 0 => Ok(Type::BitVec(width)),
                    (Some("FloatingPoint"), Some(&[exponent, significand]))
                        if exponent > 1 && significand > 1 =>
                    {
                        Ok(float(exponent, significand))
                    }
                    _ => Err(self.not_supported("this sort", at)),
                }
            }
            (Some("Array"), [index, element]) => {
                let index = self.sort_with(*index, params, depth);
                let element = self.sort_with(*element, params, depth);
                Ok(Type::map(vec![index?], element?))
            }
            (Some(name), args) if !args.is_empty() => {
                let args: Result<Vec<Type>, Reported> = args
                    .iter()
                    .map(|&arg| self.sort_with(arg, params, depth))
                    .collect();
                self.named_sort(name, &args?, at, depth)
            }
            _ => Err(self.syntax("a sort is expected here", at)),
        }
    }

    fn named_sort(
        &mut self,
        name: &str,
        args: &[Type],
        at: sexpr::Expr,
        depth: usize,
    ) -> Result<Type, Reported> {
        let wanted = match self.names.sort(name) {
            Some(SortName::Constructor(id, arity)) if *arity == args.len() => {
                return Ok(Type::Constructor(*id, args.to_vec()));
            }
            Some(SortName::Datatype(id)) if args.is_empty() => {
                return Ok(Type::Datatype(*id, Vec::new()));
            }
            Some(SortName::Synonym(params, body)) if params.len() == args.len() => {
                let params: Vec<_> = params.iter().cloned().zip(args.to_vec()).collect();
                return self.sort_with(*body, &params, depth + 1);
            }
            Some(SortName::Broken) => return Err(Reported),
            Some(SortName::Constructor(_, arity)) => *arity,
            Some(SortName::Synonym(params, _)) => params.len(),
            Some(SortName::Datatype(_)) => 0,
            None => return Err(self.unknown("sort", name, at)),
        };
        let message = format!("the sort `{name}` takes {wanted} sorts, not {}", args.len());
        Err(self.sorts(message, at, "other arguments"))
    }

    /// A type as SMT-LIB writes it.
    pub(crate) fn written(&self, ty: &Type) -> String {
        ensure_stack(|| crate::print::sort(&self.names.background, ty))
    }
}
