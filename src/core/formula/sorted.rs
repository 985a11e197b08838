//! What the sorts of a node's arguments have to be.
//!
//! The constructors of terms do not look. Who believes nobody (the checker, readers of texts) does.

use super::sort::Sort;
use super::term::{BinderKind, BvOp, Node, Op, Term, Terms, Version};

impl Terms {
    /// Whether the arguments of a node have the sorts that its operator asks for, and the node the one that follows from
    /// them. Whether the symbols in it are declared is another question.
    pub fn is_well_sorted(&self, node: &Node) -> bool {
        let sorts: Vec<&Sort> = node.args.iter().map(|&t| self.sort(t)).collect();
        let all = |expected: &Sort| sorts.iter().all(|sort| *sort == expected);
        match (&node.op, &sorts[..], &node.sort) {
            (Op::Bool(_), [], Sort::Bool)
            | (Op::Int(_), [], Sort::Int)
            | (Op::Real(_), [], Sort::Real)
            | (Op::Var(_), [], _) => true,
            (Op::BitVec(value), [], Sort::BitVec(width)) => value.bits() <= u64::from(*width),
            (Op::Apply(function), args, result) => {
                function.result == *result && function.params.iter().eq(args.iter().copied())
            }
            // What SMT-LIB asks of the arguments is the solver's to check.
            (Op::Builtin(builtin), _, result) => builtin.result == *result,
            (Op::Not, [_], Sort::Bool) => all(&Sort::Bool),
            (Op::And | Op::Or, [_, ..], Sort::Bool) => all(&Sort::Bool),
            (Op::Ite, [condition, a, b], result) => {
                **condition == Sort::Bool && *a == result && *b == result
            }
            (Op::Eq, [a, b], Sort::Bool) => a == b,
            (Op::Distinct, [first, ..], Sort::Bool) => all(first),
            (Op::Add | Op::Mul, [_, ..], Sort::Int | Sort::Real) => all(&node.sort),
            (Op::Div | Op::Mod, [Sort::Int, Sort::Int], Sort::Int)
            | (Op::RealDiv, [Sort::Real, Sort::Real], Sort::Real)
            | (Op::ToReal, [Sort::Int], Sort::Real)
            | (Op::ToInt, [Sort::Real], Sort::Int) => true,
            (Op::Le | Op::Lt, [a, b], Sort::Bool) => a == b && a.is_arithmetic(),
            (Op::Bv(op), args, result) => bit_vectors(*op, args, result),
            (Op::Extract { high, low }, [Sort::BitVec(width)], Sort::BitVec(result)) => {
                low < high && high <= width && *result == high - low
            }
            (
                Op::ZeroExtend(by) | Op::SignExtend(by),
                [Sort::BitVec(width)],
                Sort::BitVec(result),
            ) => width.checked_add(*by) == Some(*result),
            (Op::Select, [Sort::Map(map), indices @ ..], result) => {
                map.range == *result && map.domain.iter().eq(indices.iter().copied())
            }
            (Op::Store, [Sort::Map(map), indices @ .., value], result) => {
                sorts[0] == result
                    && **value == map.range
                    && map.domain.iter().eq(indices.iter().copied())
            }
            (Op::ConstMap, [value], Sort::Map(map)) => **value == map.range,
            (Op::Construct(constructor), fields, Sort::Datatype(datatype)) => {
                let declared = datatype.constructor(*constructor);
                declared.is_some_and(|constructor| {
                    let same = |(sort, field): (Sort, &&Sort)| sort == **field;
                    constructor.sorts().len() == fields.len()
                        && constructor.sorts().zip(fields).all(same)
                })
            }
            (Op::Field { constructor, field }, [Sort::Datatype(datatype)], result) => {
                datatype.field(*constructor, *field).as_ref() == Some(result)
            }
            (Op::Is(constructor), [Sort::Datatype(datatype)], Sort::Bool) => {
                datatype.constructor(*constructor).is_some()
            }
            (Op::Bind(binder), [body, patterns @ ..], result) => {
                let bound = |&var: &Term| {
                    self.as_var(var)
                        .is_some_and(|v| matches!(v.version, Version::Bound(_)))
                };
                let fits = match (binder.kind, result) {
                    (BinderKind::Forall | BinderKind::Exists, Sort::Bool) => **body == Sort::Bool,
                    (BinderKind::Lambda, Sort::Map(map)) => {
                        **body == map.range
                            && map
                                .domain
                                .iter()
                                .eq(binder.vars.iter().map(|&v| self.sort(v)))
                    }
                    _ => false,
                };
                fits && !binder.vars.is_empty()
                    && binder.vars.iter().all(bound)
                    && binder.patterns.iter().sum::<usize>() == patterns.len()
            }
            _ => false,
        }
    }
}

fn bit_vectors(op: BvOp, args: &[&Sort], result: &Sort) -> bool {
    match (op, args) {
        (BvOp::Not | BvOp::Neg, [Sort::BitVec(_)]) => args[0] == result,
        (BvOp::Concat, [Sort::BitVec(a), Sort::BitVec(b)]) => {
            a.checked_add(*b).map(Sort::BitVec).as_ref() == Some(result)
        }
        (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, [Sort::BitVec(a), Sort::BitVec(b)]) => {
            a == b && *result == Sort::Bool
        }
        (BvOp::Not | BvOp::Neg | BvOp::Concat, _) => false,
        (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, _) => false,
        (_, [Sort::BitVec(a), Sort::BitVec(b)]) => a == b && args[0] == result,
        _ => false,
    }
}
