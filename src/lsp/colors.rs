//! Semantic tokens: what each word of a text is.

use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};
use ult_lang::db::Database;
use ult_lang::names::{Found, Kind, Usage};
use ult_lang::span::Span;
use ult_lang::token::{Token, comments::comments, tokenize};

use super::document::Document;

/// The types of tokens; a token's type is an index into this list.
const TYPES: [SemanticTokenType; 15] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::TYPE,
    SemanticTokenType::TYPE_PARAMETER,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::MACRO,
    SemanticTokenType::NAMESPACE,
];

/// The modifiers; a token's modifiers are bits with these numbers.
const MODIFIERS: [SemanticTokenModifier; 4] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::MODIFICATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::STATIC,
];

/// What the numbers mean.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

/// The tokens between two offsets, each relative to the one before, as the protocol wants it.
pub fn tokens(document: &Document, db: &Database, within: Span) -> Vec<SemanticToken> {
    let Some(index) = document.index(db) else {
        return Vec::new();
    };
    let text = document.text.as_str();
    let (tokens, _) = tokenize(text, document.lexicon());
    let kinds = index.kinds();
    let mut places: Vec<(Span, SemanticTokenType, u32)> = Vec::new();
    let mut names = index.all().peekable();
    for token in &tokens {
        while names
            .next_if(|name| name.span.start < token.span.start)
            .is_some()
        {}
        let name = names.next_if(|name| name.span == token.span);
        let place = match name {
            Some(name) => kinds.get(&name.symbol).map(|kind| of_name(*kind, &name)),
            None => of_token(token.token).map(|kind| (kind, 0)),
        };
        if let Some((kind, modifiers)) = place {
            places.push((token.span, kind, modifiers));
        }
    }
    for comment in comments(text, &tokens) {
        places.push((comment.span, SemanticTokenType::COMMENT, 0));
    }
    places.retain(|(span, ..)| span.start < within.end && within.start < span.end);
    places.sort_by_key(|(span, ..)| *span);
    encode(document, &places)
}

fn of_token(token: Token) -> Option<SemanticTokenType> {
    use Token::*;
    Some(match token {
        BoolType | IntType | RealType => SemanticTokenType::TYPE,
        True | False | Int | BitVector | Real | Float | RoundingMode => SemanticTokenType::NUMBER,
        String => SemanticTokenType::STRING,
        ForallSign | ExistsSign | LambdaSign => SemanticTokenType::KEYWORD,
        Assign | Arrow | Iff | Implies | Explies | And | Or | EqualsEquals | NotEquals | Less
        | LessEquals | Greater | GreaterEquals | Subtype | PlusPlus | Plus | Minus | Star
        | StarStar | Slash | Percent | Not => SemanticTokenType::OPERATOR,
        word if word.is_word() => SemanticTokenType::KEYWORD,
        _ => return None,
    })
}

fn of_name(kind: Kind, name: &Found) -> (SemanticTokenType, u32) {
    let token = match kind {
        Kind::Type | Kind::Datatype => SemanticTokenType::TYPE,
        Kind::TypeParameter => SemanticTokenType::TYPE_PARAMETER,
        Kind::Constructor | Kind::Location => SemanticTokenType::ENUM_MEMBER,
        Kind::Field => SemanticTokenType::PROPERTY,
        Kind::Parameter => SemanticTokenType::PARAMETER,
        Kind::Constant | Kind::Global | Kind::Result | Kind::Local | Kind::Bound | Kind::State => {
            SemanticTokenType::VARIABLE
        }
        Kind::Function => SemanticTokenType::FUNCTION,
        Kind::Procedure => SemanticTokenType::METHOD,
        Kind::Label => SemanticTokenType::MACRO,
        Kind::Graph => SemanticTokenType::NAMESPACE,
    };
    let usage = match name.usage {
        Usage::Declared => 1,
        Usage::Written => 2,
        Usage::Read => 0,
    };
    let nature = match kind {
        Kind::Constant => 4 | 8,
        Kind::Global => 8,
        Kind::Parameter | Kind::Bound => 4,
        _ => 0,
    };
    (token, usage | nature)
}

/// Tokens of one line each: those of several lines are cut.
fn encode(document: &Document, places: &[(Span, SemanticTokenType, u32)]) -> Vec<SemanticToken> {
    let mut encoded = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (span, kind, modifiers) in places {
        let token_type = TYPES.iter().position(|own| own == kind);
        let token_type = token_type.and_then(|i| u32::try_from(i).ok()).unwrap_or(0);
        let range = document.text.range(*span);
        for at in range.start.line..=range.end.line {
            let start = match at == range.start.line {
                true => range.start.character,
                false => 0,
            };
            let end = match at == range.end.line {
                true => range.end.character,
                false => document.text.end_of_line(at).character,
            };
            if start >= end {
                continue;
            }
            let delta_start = if at == line { start - column } else { start };
            encoded.push(SemanticToken {
                delta_line: at - line,
                delta_start,
                length: end - start,
                token_type,
                token_modifiers_bitset: *modifiers,
            });
            (line, column) = (at, start);
        }
    }
    encoded
}
