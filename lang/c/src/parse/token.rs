//! The tokens of C (C11 6.4), by crate `logos`.

use logos::Logos;
use ult_lang::span::Span;

/// Declares the tokens that are always written the same way, or in one of a few ways.
macro_rules! tokens {
    ($($name:ident = $($text:literal)|+,)*) => {
        /// What a token is.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\x0B\x0C]+")]
        pub(super) enum Kind {
            $($(#[token($text)])+ $name,)*
            /// A name. Whether it is that of a type depends on where it stands.
            #[regex(r"(?:[A-Za-z_$]|[^\x00-\x7F]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})(?:[0-9A-Za-z_$]|[^\x00-\x7F]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*")]
            Identifier,
            /// A preprocessing number (6.4.8).
            #[regex(r"\.?[0-9](?:[eEpP][+\-]|[0-9A-Za-z_.])*")]
            Number,
            #[regex(r"(?:L|u8|u|U)?'(?:[^'\\\n]|\\[^\n])*'")]
            Character,
            #[regex(r#"(?:L|u8|u|U)?"(?:[^"\\\n]|\\[^\n])*""#)]
            String,
            /// What is no token of C.
            Unknown,
            /// The text is over.
            End,
        }
    };
}

tokens! {
    OpenParen = "(",
    CloseParen = ")",
    OpenBracket = "[" | "<:",
    CloseBracket = "]" | ":>",
    OpenBrace = "{" | "<%",
    CloseBrace = "}" | "%>",
    Dot = ".",
    Ellipsis = "...",
    Arrow = "->",
    Increment = "++",
    Decrement = "--",
    And = "&",
    Star = "*",
    Plus = "+",
    Minus = "-",
    Tilde = "~",
    Not = "!",
    Slash = "/",
    Percent = "%",
    ShiftLeft = "<<",
    ShiftRight = ">>",
    Less = "<",
    Greater = ">",
    LessOrEqual = "<=",
    GreaterOrEqual = ">=",
    Equals = "==",
    NotEquals = "!=",
    Caret = "^",
    Bar = "|",
    AndAnd = "&&",
    OrOr = "||",
    Question = "?",
    Colon = ":",
    ColonColon = "::",
    Semicolon = ";",
    Comma = ",",
    Assign = "=",
    AssignMultiply = "*=",
    AssignDivide = "/=",
    AssignModulo = "%=",
    AssignPlus = "+=",
    AssignMinus = "-=",
    AssignShiftLeft = "<<=",
    AssignShiftRight = ">>=",
    AssignAnd = "&=",
    AssignXor = "^=",
    AssignOr = "|=",
    // Of assertions in comments.
    Implies = "==>",
    Alignas = "_Alignas",
    Alignof = "_Alignof",
    PreferredAlignof = "__alignof__" | "__alignof",
    Asm = "asm" | "__asm" | "__asm__",
    AtomicWord = "_Atomic",
    Attribute = "__attribute__" | "__attribute",
    Auto = "auto",
    AutoType = "__auto_type",
    Bool = "_Bool",
    Break = "break",
    Case = "case",
    Char = "char",
    Complex = "_Complex" | "__complex__" | "__complex",
    Const = "const" | "__const" | "__const__",
    Continue = "continue",
    Default = "default",
    Do = "do",
    Double = "double",
    Else = "else",
    Enum = "enum",
    Extension = "__extension__",
    Extern = "extern",
    Float = "float",
    FixedFloat = "_Float16" | "_Float32" | "_Float32x" | "_Float64" | "_Float64x" | "_Float128" | "_Float128x"
        | "__float128" | "_Decimal32" | "_Decimal64" | "_Decimal64x" | "_Decimal128" | "_Decimal128x",
    For = "for",
    Generic = "_Generic",
    Goto = "goto",
    If = "if",
    Imag = "__imag__" | "__imag",
    Inline = "inline" | "__inline" | "__inline__",
    Int = "int",
    Int128 = "__int128" | "__int128_t",
    Uint128 = "__uint128_t",
    LocalLabel = "__label__",
    Long = "long",
    Noreturn = "_Noreturn",
    OffsetOf = "__builtin_offsetof",
    Real = "__real__" | "__real",
    Register = "register",
    Restrict = "restrict" | "__restrict" | "__restrict__",
    Return = "return",
    Short = "short",
    Signed = "signed" | "__signed" | "__signed__",
    Sizeof = "sizeof",
    Static = "static",
    StaticAssert = "_Static_assert",
    Struct = "struct",
    Switch = "switch",
    ThreadLocal = "_Thread_local" | "__thread",
    TypesCompatible = "__builtin_types_compatible_p",
    Typedef = "typedef",
    Typeof = "typeof" | "__typeof" | "__typeof__",
    Union = "union",
    Unsigned = "unsigned",
    VaArg = "__builtin_va_arg",
    Void = "void",
    Volatile = "volatile" | "__volatile" | "__volatile__",
    While = "while",
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The tokens of a part of a text without comments and directives, by offsets in the whole, and [`Kind::End`] at its end.
pub(super) fn tokens(text: &str, part: std::ops::Range<usize>) -> Vec<Token> {
    let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let mut tokens = Vec::with_capacity(part.len() / 4);
    for (kind, range) in Kind::lexer(&text[part.clone()]).spanned() {
        tokens.push(Token {
            kind: kind.unwrap_or(Kind::Unknown),
            span: Span::new(at(part.start + range.start), at(part.start + range.end)),
        });
    }
    let end = at(part.end);
    tokens.push(Token {
        kind: Kind::End,
        span: Span::new(end, end),
    });
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = tokens(text, 0..text.len())
            .iter()
            .map(|token| token.kind)
            .collect();
        assert_eq!(kinds.pop(), Some(Kind::End));
        kinds
    }

    #[test]
    fn tokens_are_as_long_as_they_can_be() {
        use Kind::{
            AssignShiftRight, Character, Decrement, Dot, Ellipsis, Greater, Identifier, Minus,
            Number, String, Unknown,
        };
        for (text, expected) in [
            (
                "x--->y",
                vec![Identifier, Decrement, Kind::Arrow, Identifier],
            ),
            (
                "a>>=b...",
                vec![Identifier, AssignShiftRight, Identifier, Ellipsis],
            ),
            (
                "0x1p-3-0x1e-3 .5e+1f 1..2",
                vec![Number, Minus, Number, Number, Number],
            ),
            ("a.b", vec![Identifier, Dot, Identifier]),
            (
                "L'\\'' u8\"\\\"x\" U'a' L",
                vec![Character, String, Character, Identifier],
            ),
            ("gr\u{f6}\u{df}e \\u00e4$ __int128x", vec![Identifier; 3]),
            (
                "<: <% %> :>",
                vec![
                    Kind::OpenBracket,
                    Kind::OpenBrace,
                    Kind::CloseBrace,
                    Kind::CloseBracket,
                ],
            ),
            ("@ >", vec![Unknown, Greater]),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }
}
