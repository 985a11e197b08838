//! Type inference by unification.
//!
//! Unknowns are [`Type::Var`]s in a range of their own. An unknown is either *general*, it stands for what a type
//! parameter is instantiated with, or *numeric*, it is the type of a division of two ints: `int` or `real`. Boogie says
//! `real`, Ultimate's older reading says `int`; so the context decides, and `real` it is where the context is silent.

use crate::hir::{MapType, Type, TypeVarId};
use crate::resolve::types::{
    self, INFER, SKOLEM, free_vars, is_infer, substitute, substitute_params,
};
use crate::span::Span;
use crate::stack::ensure_stack;

/// The table of unknowns of one formula or statement.
#[derive(Debug, Default)]
pub struct Infer {
    vars: Vec<Unknown>,
    trail: Vec<Undo>,
    skolems: u32,
}

/// An unknown.
#[derive(Debug)]
struct Unknown {
    /// What it stands for, once known; possibly another unknown.
    binding: Option<Type>,
    /// Whether it is `int` or `real`.
    numeric: bool,
    /// Numeric unknowns which are operands of the division whose type this is: if this is `int`, so are they.
    operands: Vec<TypeVarId>,
    /// Divisions that have this as an operand: if this is `real`, so are they.
    divisions: Vec<TypeVarId>,
    /// Whether somebody has been told that it is ambiguous.
    reported: bool,
    /// Where it came into being.
    span: Span,
    /// The name of the type parameter.
    name: std::sync::Arc<str>,
}

#[derive(Debug)]
enum Undo {
    Bind(usize),
    /// The lists of relations were so long.
    Relations(usize, usize, usize),
}

/// An unknown that nothing determines.
#[derive(Debug)]
pub struct Ambiguous {
    /// Where it came into being.
    pub span: Span,
    /// The name of the type parameter.
    pub name: std::sync::Arc<str>,
}

impl Infer {
    /// Forgets all unknowns; nobody may hold one any more.
    pub fn clear(&mut self) {
        self.vars.clear();
        self.trail.clear();
    }

    fn add(
        &mut self,
        numeric: bool,
        operands: Vec<TypeVarId>,
        span: Span,
        name: std::sync::Arc<str>,
    ) -> TypeVarId {
        let index = u32::try_from(self.vars.len()).unwrap_or(u32::MAX);
        let var = TypeVarId(INFER.saturating_add(index));
        for operand in &operands {
            let operand = self.index(*operand);
            self.vars[operand].divisions.push(var);
        }
        self.vars.push(Unknown {
            binding: None,
            numeric,
            operands,
            divisions: Vec::new(),
            reported: false,
            span,
            name,
        });
        var
    }

    /// A new general unknown, for the type parameter of that name.
    pub fn fresh(&mut self, span: Span, name: std::sync::Arc<str>) -> Type {
        Type::Var(self.add(false, Vec::new(), span, name))
    }

    /// The unknown type of a division; `operands` are the shallow types of its operands, each `int` or numeric.
    pub fn fresh_division(&mut self, operands: [&Type; 2], span: Span) -> Type {
        let operands = operands
            .into_iter()
            .filter_map(|ty| match ty {
                Type::Var(var) if is_infer(*var) => Some(*var),
                _ => None,
            })
            .collect();
        Type::Var(self.add(true, operands, span, "/".into()))
    }

    fn index(&self, var: TypeVarId) -> usize {
        (var.0 - INFER) as usize
    }

    /// The table's entry. There is none for an unknown of a formula that is finished, which nobody should hold.
    fn unknown(&self, var: TypeVarId) -> Option<&Unknown> {
        if !is_infer(var) {
            return None;
        }
        self.vars.get(self.index(var))
    }

    /// Follows the bindings of an unknown to what is known about the outermost constructor.
    pub fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Var(var) = ty
            && is_infer(*var)
            && let Some(binding) = self
                .vars
                .get(self.index(*var))
                .and_then(|unknown| unknown.binding.as_ref())
        {
            ty = binding;
        }
        ty.clone()
    }

    /// Whether this shallow type is an unknown.
    pub fn is_unknown(&self, ty: &Type) -> bool {
        matches!(ty, Type::Var(var) if is_infer(*var))
    }

    /// Whether this shallow type is the unknown type of a division.
    pub fn is_numeric_unknown(&self, ty: &Type) -> bool {
        matches!(ty, Type::Var(var) if self.unknown(*var).is_some_and(|unknown| unknown.numeric))
    }

    /// Where a shallow type that is not known came into being, and the name of the type parameter.
    pub fn origin(&self, shallow: &Type) -> Option<(Span, std::sync::Arc<str>)> {
        let Type::Var(var) = shallow else { return None };
        let unknown = self.unknown(*var)?;
        Some((unknown.span, unknown.name.clone()))
    }

    /// Makes two types equal if possible; otherwise nothing changes.
    pub fn unify(&mut self, left: &Type, right: &Type) -> bool {
        let mark = self.trail.len();
        let done = self.unify_part(left, right);
        if !done {
            self.undo(mark);
        }
        done
    }

    /// Whether values of the two types might be equal when the opaque type variables in them are instantiated. This
    /// is what Boogie demands of the operands of `==`. Binds nothing.
    pub fn may_be_equal(&mut self, left: &Type, right: &Type) -> bool {
        let mark = self.trail.len();
        let vars = self.vars.len();
        let mut opaque = Vec::new();
        let (left, right) = (self.expand(left), self.expand(right));
        free_vars(&left, &mut opaque);
        free_vars(&right, &mut opaque);
        opaque.retain(|var| var.0 < SKOLEM);
        let unknowns: Vec<Type> = opaque
            .iter()
            .map(|_| self.fresh(Span::default(), "".into()))
            .collect();
        let left = substitute_params(&left, &opaque, &unknowns);
        let right = substitute_params(&right, &opaque, &unknowns);
        let possible = self.unify_part(&left, &right);
        self.undo(mark);
        self.vars.truncate(vars);
        possible
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Bind(index)) => self.vars[index].binding = None,
                Some(Undo::Relations(index, operands, divisions)) => {
                    self.vars[index].operands.truncate(operands);
                    self.vars[index].divisions.truncate(divisions);
                }
                None => return,
            }
        }
    }

    fn unify_part(&mut self, left: &Type, right: &Type) -> bool {
        let left = self.shallow(left);
        let right = self.shallow(right);
        ensure_stack(|| match (&left, &right) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Var(a), Type::Var(b)) if a == b => true,
            (Type::Var(a), _) if self.unknown(*a).is_some() => self.bind(*a, &right),
            (_, Type::Var(b)) if self.unknown(*b).is_some() => self.bind(*b, &left),
            (Type::Constructor(a, args), Type::Constructor(b, others)) => {
                a == b && self.unify_all(args, others)
            }
            (Type::Datatype(a, args), Type::Datatype(b, others)) => {
                a == b && self.unify_all(args, others)
            }
            (Type::Map(a), Type::Map(b)) => self.unify_maps(a, b),
            _ => left == right,
        })
    }

    fn unify_all(&mut self, left: &[Type], right: &[Type]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| self.unify_part(a, b))
    }

    fn unify_maps(&mut self, left: &MapType, right: &MapType) -> bool {
        if left.type_params.len() != right.type_params.len()
            || left.domain.len() != right.domain.len()
        {
            return false;
        }
        if left.type_params.is_empty() {
            return self.unify_all(&left.domain, &right.domain)
                && self.unify_part(&left.range, &right.range);
        }
        // Bound variables are numbered by first occurrence, so the n-th of one is the n-th of the other.
        let first = self.skolems;
        let skolems: Vec<Type> = left
            .type_params
            .iter()
            .map(|_| {
                let skolem = TypeVarId(SKOLEM.saturating_add(self.skolems));
                self.skolems = (self.skolems + 1) % SKOLEM;
                Type::Var(skolem)
            })
            .collect();
        let mark = self.trail.len();
        let parts = |map: &MapType| -> Vec<Type> {
            map.domain
                .iter()
                .chain([&map.range])
                .map(|part| substitute_params(part, &map.type_params, &skolems))
                .collect()
        };
        if !self.unify_all(&parts(left), &parts(right)) {
            return false;
        }
        // A stand-in must not get out: no unknown may depend on a bound variable.
        let bound: Vec<usize> = self.trail[mark..]
            .iter()
            .filter_map(|undo| match undo {
                Undo::Bind(index) => Some(*index),
                Undo::Relations(..) => None,
            })
            .collect();
        bound.into_iter().all(|index| {
            let Some(binding) = self.vars[index].binding.clone() else {
                return true;
            };
            let mut free = Vec::new();
            free_vars(&self.expand(&binding), &mut free);
            !free
                .iter()
                .any(|var| (SKOLEM.saturating_add(first)..INFER).contains(&var.0))
        })
    }

    /// Binds an unbound unknown to a shallow type other than itself.
    fn bind(&mut self, var: TypeVarId, ty: &Type) -> bool {
        let index = self.index(var);
        if let Type::Var(other) = ty
            && self.unknown(*other).is_some()
        {
            let other = self.index(*other);
            // The numeric one stays; of two numeric ones the second takes over the first one's relations.
            let (from, to) = if self.vars[index].numeric && !self.vars[other].numeric {
                (other, index)
            } else {
                (index, other)
            };
            let relations = &self.vars[to];
            self.trail.push(Undo::Relations(
                to,
                relations.operands.len(),
                relations.divisions.len(),
            ));
            let (operands, divisions) = (
                self.vars[from].operands.clone(),
                self.vars[from].divisions.clone(),
            );
            self.vars[to].operands.extend(operands);
            self.vars[to].divisions.extend(divisions);
            let to = TypeVarId(INFER.saturating_add(u32::try_from(to).unwrap_or(u32::MAX)));
            self.set(from, Type::Var(to));
            return true;
        }
        if self.vars[index].numeric {
            let related = match ty {
                Type::Int => self.vars[index].operands.clone(),
                Type::Real => self.vars[index].divisions.clone(),
                _ => return false,
            };
            self.set(index, ty.clone());
            return related
                .into_iter()
                .all(|var| self.unify_part(&Type::Var(var), ty));
        }
        if self.occurs(var, ty) {
            return false;
        }
        self.set(index, ty.clone());
        true
    }

    fn set(&mut self, index: usize, ty: Type) {
        self.vars[index].binding = Some(ty);
        self.trail.push(Undo::Bind(index));
    }

    fn occurs(&self, var: TypeVarId, ty: &Type) -> bool {
        ensure_stack(|| match &self.shallow(ty) {
            Type::Var(other) => *other == var,
            ty => ty.parts().any(|part| self.occurs(var, part)),
        })
    }

    /// The type with all bound unknowns replaced; unbound ones stay. [`Type::Error`] if it exceeds the limits on types.
    pub fn expand(&self, ty: &Type) -> Type {
        let mut free = Vec::new();
        free_vars(ty, &mut free);
        if !free.iter().any(|var| is_infer(*var)) {
            return ty.clone();
        }
        let mut budget = types::MAX_SIZE;
        self.expand_part(ty, 1, &mut budget).unwrap_or(Type::Error)
    }

    fn expand_part(&self, ty: &Type, depth: usize, budget: &mut usize) -> Option<Type> {
        *budget = budget.checked_sub(1)?;
        if depth > types::MAX_DEPTH {
            return None;
        }
        self.shallow(ty)
            .try_map_parts(&mut |part| self.expand_part(part, depth + 1, budget))
    }

    /// The final type: unknowns replaced, numeric ones that nothing determines by `real`, general ones by `int`; the
    /// latter are added to `ambiguous`. [`Type::Error`] if it exceeds the limits on types.
    pub fn finish(&mut self, ty: &Type, ambiguous: &mut Vec<Ambiguous>) -> Type {
        let expanded = self.expand(ty);
        let mut free = Vec::new();
        free_vars(&expanded, &mut free);
        free.retain(|var| is_infer(*var));
        if free.is_empty() {
            return match expanded {
                Type::Map(_) | Type::Constructor(..) | Type::Datatype(..) => {
                    types::canonical(&expanded)
                }
                _ => expanded,
            };
        }
        for var in &free {
            let index = self.index(*var);
            let Some(unknown) = self.vars.get_mut(index) else {
                continue;
            };
            if !unknown.numeric && !unknown.reported {
                unknown.reported = true;
                ambiguous.push(Ambiguous {
                    span: unknown.span,
                    name: unknown.name.clone(),
                });
            }
        }
        types::canonical(&substitute(&expanded, &|var| {
            if !is_infer(var) {
                return None;
            }
            let numeric = self.unknown(var).is_some_and(|unknown| unknown.numeric);
            Some(if numeric { Type::Real } else { Type::Int })
        }))
    }
}
