//! A blank between two tokens of a line, or none.

use super::elements::{Element, Role};
use crate::token::Token;

/// Whether there is a blank between two elements, neither of which is a comment to the end of the line.
pub(super) fn has_blank(a: &Element<'_>, b: &Element<'_>) -> bool {
    use Token::*;
    match b.token {
        Some(Comma | Semicolon | RightParen | RightBracket | Prime | Colon) => return false,
        Some(RightBrace) => {
            return b.role.is_block() && a.token != Some(LeftBrace);
        }
        _ => {}
    }
    match (b.token, b.role) {
        (_, Role::Field) | (Some(Greater), Role::TypeParameters) => return false,
        (Some(Less), Role::TypeParameters) => {
            let is_behind_name = a.token.is_some_and(|token| {
                is_name(token)
                    || matches!(
                        token,
                        Forall | Exists | Lambda | ForallSign | ExistsSign | LambdaSign
                    )
            });
            return !(is_behind_name || opens(a) || a.token == Some(RightBracket));
        }
        _ => {}
    }
    if opens(a) {
        return false;
    }
    match (a.token, b.token) {
        (Some(Not), _) => false,
        _ if matches!(a.role, Role::Sign | Role::Field | Role::Bits) => false,
        (Some(Less), _) if a.role == Role::TypeParameters => false,
        (Some(Greater), Some(LeftParen | LeftBracket)) if a.role == Role::TypeParameters => false,
        (Some(Prime | RightParen | RightBracket), Some(LeftBracket)) => false,
        (Some(Old), Some(LeftParen)) => false,
        // `f(x)` is a call, `Seq (T int)` a type with an argument.
        (Some(name), Some(LeftParen | LeftBracket))
            if is_name(name) || matches!(name, IntType | RealType | BoolType) =>
        {
            b.blanks > 0
        }
        // A map type. In an expression there is an operator behind `]`.
        (Some(RightBracket), Some(Ident | BoolType | IntType | RealType | LeftParen)) => false,
        _ => true,
    }
}

/// Whether nothing stands between the element and what is inside of it.
fn opens(element: &Element<'_>) -> bool {
    use Token::*;
    match element.token {
        Some(LeftParen | LeftBracket | AttributeBrace) => true,
        // Triggers are tight.
        Some(LeftBrace) => !element.role.is_block(),
        _ => false,
    }
}

fn is_name(token: Token) -> bool {
    token == Token::Ident || token.is_soft() && token != Token::Is
}
