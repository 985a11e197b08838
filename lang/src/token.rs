//! Tokens, shared by both languages.
//!
//! The lexer (logos) knows characters, numbers, strings and comments. What it finds to be a word becomes a keyword or a
//! name afterwards, by the language: names of the Boogie language may contain `'` and backticks, which in the graph
//! language mark primed variables and quote unusual names.

pub mod comments;
mod literal;
pub(crate) mod nesting;

pub(crate) use literal::{
    Reason, parse_bit_vector, parse_float, parse_format, parse_int, parse_real, parse_size,
    rounding_mode, unescape, unescape_backticks,
};

use crate::diagnostic::{Diagnostic, Id};
use crate::span::Span;
use logos::{FilterResult, Lexer, Logos};

/// Which of the two languages a text is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// Boogie programs, `.bpl`.
    #[default]
    Boogie,
    /// Program graphs, `.ult`.
    Graph,
}

/// What the lexer found wrong with an [`Token::Error`] token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LexError {
    /// A character that no token begins with.
    #[default]
    Character,
    /// A comment without its end.
    Comment,
    /// A string without its end on the same line.
    String,
    /// A name in backticks without its end on the same line, or an empty one.
    Backtick,
}

/// Declares the tokens: those that logos recognises, and the words.
macro_rules! tokens {
    (
        symbols { $($(#[$attribute:meta])* $symbol:ident = $symbol_text:literal,)* }
        words { $($word:ident = $word_text:literal in $language:ident,)* }
    ) => {
        /// A kind of token. Its text is what the source has at its place.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(extras = Language)]
        #[logos(error = LexError)]
        #[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
        #[logos(skip(r"//[^\n\r]*", allow_greedy = true))]
        #[allow(missing_docs)]
        pub enum Token {
            $($(#[$attribute])* $symbol,)*
            $($word,)*
        }

        impl Token {
            /// How the token is written, or what it is when that varies. The grammars call the tokens so.
            pub fn text(self) -> &'static str {
                match self {
                    $(Token::$symbol => $symbol_text,)*
                    $(Token::$word => $word_text,)*
                }
            }

            /// Whether it is a word with a meaning of its own.
            pub fn is_word(self) -> bool {
                matches!(self, $(Token::$word)|*)
            }

            /// All words with a meaning of their own, of both languages.
            pub const WORDS: &'static [Token] = &[$(Token::$word),*];

            /// The keyword of a language with this text.
            pub fn keyword(text: &str, language: Language) -> Option<Token> {
                match text {
                    $($word_text if words_of::$language(language) => Some(Token::$word),)*
                    _ => None,
                }
            }
        }
    };
}

/// Which words belong to which language.
mod words_of {
    #![allow(non_snake_case)]
    use super::Language;

    pub(super) fn Both(_: Language) -> bool {
        true
    }

    pub(super) fn Boogie(language: Language) -> bool {
        language == Language::Boogie
    }

    pub(super) fn Graph(language: Language) -> bool {
        language == Language::Graph
    }
}

tokens! {
    symbols {
        #[token("(")] LeftParen = "(",
        #[token(")")] RightParen = ")",
        #[token("[")] LeftBracket = "[",
        #[token("]")] RightBracket = "]",
        #[token("{")] LeftBrace = "{",
        #[token("}")] RightBrace = "}",
        // An attribute begins with two characters, which nobody separates; one token keeps the grammars simple.
        #[regex(r"\{[ \t\r\n]*:")] AttributeBrace = "{:",
        #[token("|{")] LeftCode = "|{",
        #[token("}|")] RightCode = "}|",
        #[token(",")] Comma = ",",
        #[token(";")] Semicolon = ";",
        #[token(":")] Colon = ":",
        #[token("::")] #[token("•")] ColonColon = "::",
        #[token(":=")] #[token("≔")] Assign = ":=",
        #[token("=")] Equals = "=",
        #[token("->")] Arrow = "->",
        #[token("|")] Bar = "|",
        #[token("<==>")] #[token("⇔")] #[token("≡")] Iff = "<==>",
        #[token("==>")] #[token("⇒")] Implies = "==>",
        #[token("<==")] #[token("⇐")] Explies = "<==",
        #[token("&&")] #[token("∧")] And = "&&",
        #[token("||")] #[token("∨")] Or = "||",
        #[token("==")] EqualsEquals = "==",
        #[token("!=")] #[token("≠")] NotEquals = "!=",
        #[token("<")] Less = "<",
        #[token("<=")] #[token("≤")] LessEquals = "<=",
        #[token(">")] Greater = ">",
        #[token(">=")] #[token("≥")] GreaterEquals = ">=",
        #[token("<:")] Subtype = "<:",
        #[token("++")] PlusPlus = "++",
        #[token("+")] Plus = "+",
        #[token("-")] Minus = "-",
        #[token("*")] Star = "*",
        #[token("**")] StarStar = "**",
        #[token("/")] Slash = "/",
        #[token("%")] Percent = "%",
        #[token("!")] #[token("¬")] Not = "!",
        #[token("∀")] ForallSign = "∀",
        #[token("∃")] ExistsSign = "∃",
        #[token("λ")] LambdaSign = "λ",
        #[regex(r"[0-9]+")] Int = "integer",
        #[regex(r"[0-9]+bv[0-9]+")] BitVector = "bit-vector",
        #[regex(r"[0-9]+(\.[0-9]+)?e-?[0-9]+")] #[regex(r"[0-9]+\.[0-9]+")] Real = "decimal",
        #[regex(r"0x[0-9a-fA-F]+\.[0-9a-fA-F]+e-?[0-9]+f[0-9]+e[0-9]+")]
        #[regex(r"0(NaN|nan|\+oo|-oo)[0-9]+e[0-9]+")]
        Float = "float",
        #[token("\"", string)] String = "string",
        // Produced by the word callback
        RoundingMode = "rounding mode",
// Which of the characters outside of ASCII are letters, the callback decides.
        #[regex(r"[a-zA-Z~#$^_.?\\]", word)]
        #[regex(r"[^\x00-\x7F]", word, priority = 1)]
        #[token("'", prime)]
        #[token("`", backtick)]
        Ident = "identifier",
        Prime = "'",
        #[token("/*", comment)] Error = "unreadable text",
    }
    words {
        Type = "type" in Both,
        Const = "const" in Both,
        Function = "function" in Both,
        Axiom = "axiom" in Both,
        Var = "var" in Both,
        Procedure = "procedure" in Boogie,
        Implementation = "implementation" in Boogie,
        Datatype = "datatype" in Both,
        Unique = "unique" in Both,
        Extends = "extends" in Both,
        Complete = "complete" in Both,
        Uses = "uses" in Both,
        Returns = "returns" in Both,
        Where = "where" in Both,
        Free = "free" in Boogie,
        Requires = "requires" in Boogie,
        Ensures = "ensures" in Boogie,
        Modifies = "modifies" in Boogie,
        Invariant = "invariant" in Boogie,
        Assert = "assert" in Boogie,
        Assume = "assume" in Boogie,
        Havoc = "havoc" in Both,
        Call = "call" in Boogie,
        Async = "async" in Boogie,
        Par = "par" in Boogie,
        While = "while" in Boogie,
        Break = "break" in Boogie,
        Return = "return" in Boogie,
        Goto = "goto" in Boogie,
        Yield = "yield" in Boogie,
        Atomic = "atomic" in Boogie,
        Hide = "hide" in Boogie,
        Reveal = "reveal" in Boogie,
        Push = "push" in Boogie,
        Pop = "pop" in Boogie,
        Pure = "pure" in Boogie,
        Hideable = "hideable" in Boogie,
        Revealed = "revealed" in Boogie,
        Measure = "measure" in Boogie,
        If = "if" in Both,
        Then = "then" in Both,
        Else = "else" in Both,
        Old = "old" in Both,
        Forall = "forall" in Both,
        Exists = "exists" in Both,
        Lambda = "lambda" in Both,
        Div = "div" in Both,
        Mod = "mod" in Both,
        Is = "is" in Both,
        True = "true" in Both,
        False = "false" in Both,
        BoolType = "bool" in Both,
        IntType = "int" in Both,
        RealType = "real" in Both,
        Graph = "graph" in Graph,
        Init = "init" in Graph,
        Location = "location" in Graph,
        ErrorLocation = "error" in Graph,
        Local = "local" in Graph,
        Let = "let" in Graph,
    }
}

impl Token {
    /// Words that are names everywhere but in a few places. They are keywords in one dialect and names in another.
    pub fn is_soft(self) -> bool {
        use Token::*;
        matches!(
            self,
            Extends
                | Complete
                | Uses
                | Par
                | Atomic
                | Hide
                | Reveal
                | Push
                | Pop
                | Pure
                | Hideable
                | Revealed
                | Measure
                | Is
        )
    }
}

/// A character that names may begin with: reads the rest of the word.
fn word(lexer: &mut Lexer<'_, Token>) -> Result<Token, LexError> {
    let escaped = lexer.slice() == "\\";
    if !escaped && !is_word(lexer.slice(), lexer.extras) {
        return Err(LexError::Character);
    }
    bump_word(lexer);
    Ok(match lexer.slice() {
        _ if escaped => Token::Ident,
        text if rounding_mode(text).is_some() => Token::RoundingMode,
        text => Token::keyword(text, lexer.extras).unwrap_or(Token::Ident),
    })
}

/// Extends the token over all characters that names may contain.
fn bump_word(lexer: &mut Lexer<'_, Token>) {
    let language = lexer.extras;
    let rest = lexer.remainder();
    let length = rest
        .find(|c| !continues_word(c, language))
        .unwrap_or(rest.len());
    lexer.bump(length);
}

/// Whether names of the language may contain the character behind their first.
pub(crate) fn continues_word(c: char, language: Language) -> bool {
    starts_word(c, language) || c.is_ascii_digit()
}

/// Whether names of the language may begin with the character.
pub(crate) fn starts_word(c: char, language: Language) -> bool {
    match c {
        '~' | '#' | '$' | '^' | '_' | '.' | '?' => true,
        '\'' | '`' => language == Language::Boogie,
        'λ' => false,
        _ => c.is_alphabetic(),
    }
}

/// Whether a text is a name of the language as it stands, keywords included.
pub fn is_word(text: &str, language: Language) -> bool {
    text.chars()
        .next()
        .is_some_and(|c| starts_word(c, language))
        && text.chars().all(|c| continues_word(c, language))
}

/// `'`: a character of names in the Boogie language, the mark of primed variables in the graph language.
fn prime(lexer: &mut Lexer<'_, Token>) -> Result<Token, LexError> {
    match lexer.extras {
        Language::Boogie => word(lexer),
        Language::Graph => Ok(Token::Prime),
    }
}

/// A backtick: a character of names in the Boogie language, the beginning of a quoted name in the graph language.
fn backtick(lexer: &mut Lexer<'_, Token>) -> Result<Token, LexError> {
    if lexer.extras == Language::Boogie {
        return word(lexer);
    }
    let mut chars = lexer.remainder().char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        match c {
            '\n' | '\r' => break,
            '`' if chars.peek().is_some_and(|next| next.1 == '`') => {
                chars.next();
            }
            '`' => {
                lexer.bump(offset + 1);
                return if offset > 0 {
                    Ok(Token::Ident)
                } else {
                    Err(LexError::Backtick)
                };
            }
            _ => {}
        }
    }
    Err(LexError::Backtick)
}

/// A string ends on its line. A backslash protects the character behind it.
fn string(lexer: &mut Lexer<'_, Token>) -> Result<(), LexError> {
    let mut chars = lexer.remainder().char_indices();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => {
                lexer.bump(offset + 1);
                return Ok(());
            }
            '\n' | '\r' => break,
            '\\' if matches!(chars.clone().next(), Some((_, '"' | '\\'))) => {
                chars.next();
            }
            _ => {}
        }
    }
    Err(LexError::String)
}

/// A comment `/* ... */`; comments nest.
fn comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), LexError> {
    let rest = lexer.remainder().as_bytes();
    let mut depth = 1;
    let mut i = 0;
    while i + 1 < rest.len() {
        match &rest[i..i + 2] {
            b"/*" => {
                depth += 1;
                i += 2;
            }
            b"*/" => {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    lexer.bump(i);
                    return FilterResult::Skip;
                }
            }
            _ => i += 1,
        }
    }
    // The rest of the text is the comment; go to its end so that it is not read as program.
    lexer.bump(lexer.remainder().len());
    FilterResult::Error(LexError::Comment)
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spanned {
    /// The token.
    pub token: Token,
    /// Its place.
    pub span: Span,
}

/// Cuts a text into tokens.
///
/// What is no token becomes [`Token::Error`] with a diagnostic; adjacent errors of the same kind become one. If brackets
/// are nested too deeply, the tokens end there.
pub fn tokenize(text: &str, language: Language) -> (Vec<Spanned>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    if u32::try_from(text.len()).is_err() {
        let end = Span::new(0, 0);
        diagnostics.push(Diagnostic::error(
            Id::LIMIT,
            "the text is longer than 4 GiB",
            end,
            "begins here",
        ));
        return (Vec::new(), diagnostics);
    }
    let mut tokens: Vec<Spanned> = Vec::new();
    let mut errors: Vec<(LexError, Span)> = Vec::new();
    let mut lexer = Token::lexer_with_extras(text, language);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start as u32, range.end as u32);
        match result {
            Ok(token) => tokens.push(Spanned { token, span }),
            Err(error) => {
                match errors.last_mut() {
                    Some(last)
                        if last.0 == error
                            && error == LexError::Character
                            && last.1.end == span.start =>
                    {
                        last.1.end = span.end;
                    }
                    _ => errors.push((error, span)),
                }
                match tokens.last_mut() {
                    Some(last) if last.token == Token::Error && last.span.end == span.start => {
                        last.span.end = span.end
                    }
                    _ => tokens.push(Spanned {
                        token: Token::Error,
                        span,
                    }),
                }
            }
        }
    }
    diagnostics.extend(
        errors
            .into_iter()
            .map(|(error, span)| lex_diagnostic(text, error, span)),
    );
    if let Some((index, diagnostic)) = nesting::check(&tokens) {
        // What stands behind is not read; the last token tells the parser that this is no proper end.
        tokens.truncate(index);
        tokens.push(Spanned {
            token: Token::Error,
            span: diagnostic.span(),
        });
        diagnostics.push(diagnostic);
    }
    (tokens, diagnostics)
}

fn lex_diagnostic(text: &str, error: LexError, span: Span) -> Diagnostic {
    match error {
        LexError::Character => {
            let found = &text[span.range()];
            let shown: String = found.chars().take(20).flat_map(char::escape_debug).collect();
            let diagnostic = if found.chars().nth(1).is_some() {
                Diagnostic::error(Id::UNEXPECTED_CHARACTER, format!("unexpected characters `{shown}`"), span, "not part of the language")
            } else {
                Diagnostic::error(Id::UNEXPECTED_CHARACTER, format!("unexpected character `{shown}`"), span, "not part of the language")
            };
            match found {
                "&" => diagnostic.with_help("the logical operator is written `&&`"),
                _ => diagnostic,
            }
        }
        LexError::Comment => {
            let open = Span::new(span.start, span.start + 2);
            Diagnostic::error(Id::UNCLOSED_COMMENT, "this comment is never closed", open, "the comment begins here")
                .with_help("comments `/* ... */` nest: each `/*` needs its own `*/`")
        }
        LexError::String => {
            Diagnostic::error(Id::UNCLOSED_STRING, "this string is not closed on its line", span, "the string begins here")
                .with_help("end it with `\"`; a quote inside is written `\\\"`")
        }
        LexError::Backtick => {
            Diagnostic::error(Id::UNCLOSED_STRING, "this quoted name is empty or not closed on its line", span, "the name begins here")
                .with_help("a name between backticks has at least one character; a backtick inside is written twice")
        }
    }
}
