//! The words for syntax errors.
//!
//! lalrpop says which tokens could have come. What a person wants to know is which construct was being read, what is
//! missing from it, and which habit from another language led astray. Everything here is read off the tokens around the
//! error.

use super::Tokens;
use crate::diagnostic::{Diagnostic, Id};
use crate::token::nesting::innermost_open;
use crate::token::{Language, Spanned, Token};

/// The diagnostic for an unexpected token at the offset, or for the unexpected end of the text. `None` if another
/// diagnostic says it already.
pub(super) fn diagnostic(
    text: &str,
    language: Language,
    tokens: Tokens<'_>,
    place: u32,
    expected: &[String],
) -> Option<Diagnostic> {
    let index = tokens.partition_point(|t| t.span.start < place);
    let before = &tokens[..index];
    let found = tokens.get(index).copied();
    let Some(found) = found else {
        return at_end(text, tokens);
    };
    let expected = Expected::new(expected, before);
    if let Some(diagnostic) = mismatched_bracket(text, before, found) {
        return Some(diagnostic);
    }
    let found_text = quote(text, found);
    let message = match expected.words(before) {
        Some(words) => format!("expected {words}, found {found_text}"),
        None => format!("unexpected {found_text}"),
    };
    let diagnostic = match before.last() {
        // What is missing belongs behind the token before, which may be lines above.
        Some(last) if expected.is_missing_punctuation() => Diagnostic::error(
            Id::SYNTAX,
            message,
            last.span.after(),
            format!("{} is missing here", expected.list()),
        ),
        _ => Diagnostic::error(Id::SYNTAX, message, found.span, "unexpected"),
    };
    let diagnostic = match unclosed_brace(before, found) {
        Some(open) => diagnostic.with_label(open.span, "this `{` is still open"),
        None => diagnostic,
    };
    Some(
        match help(
            text,
            language,
            before,
            found,
            &tokens[index + 1..],
            &expected,
        ) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        },
    )
}

/// The text ends too early: something is not closed, or the last construct is not complete.
fn at_end(text: &str, tokens: Tokens<'_>) -> Option<Diagnostic> {
    let last = tokens.last()?;
    // The lexer has said it: the text ends because of an open comment or because it was too deeply nested.
    if last.token == Token::Error {
        return None;
    }
    let place = last.span.after();
    if let Some(open) = innermost_open(tokens) {
        let open_text = quote(text, open);
        return Some(
            Diagnostic::error(
                Id::UNCLOSED_BRACKET,
                format!("{open_text} is never closed"),
                open.span,
                "opened here",
            )
            .with_label(
                place,
                format!("the text ends without its `{}`", closing(open.token)),
            ),
        );
    }
    let (_, noun) = construct(tokens);
    Some(Diagnostic::error(
        Id::SYNTAX,
        format!("the text ends in the middle of {noun}"),
        place,
        "the end",
    ))
}

/// A closing bracket that does not belong to the bracket that is open.
fn mismatched_bracket(text: &str, before: Tokens<'_>, found: Spanned) -> Option<Diagnostic> {
    if !matches!(
        found.token,
        Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightCode
    ) {
        return None;
    }
    let found_text = quote(text, found);
    match innermost_open(before) {
        None => Some(
            Diagnostic::error(
                Id::MISMATCHED_BRACKET,
                format!("{found_text} closes nothing"),
                found.span,
                "no bracket is open here",
            )
            .with_help("remove it, or look for a bracket above that was closed too early"),
        ),
        Some(open) if closing(open.token) != found.token.text() => Some(
            Diagnostic::error(
                Id::MISMATCHED_BRACKET,
                format!("expected `{}`, found {found_text}", closing(open.token)),
                found.span,
                "does not close what is open",
            )
            .with_label(open.span, "opened here"),
        ),
        Some(_) => None,
    }
}

fn closing(open: Token) -> &'static str {
    match open {
        Token::LeftParen => ")",
        Token::LeftBracket => "]",
        Token::LeftCode => "}|",
        _ => "}",
    }
}

/// A declaration inside a body: probably the body lacks its closing brace.
fn unclosed_brace(before: Tokens<'_>, found: Spanned) -> Option<Spanned> {
    use Token::*;
    if !matches!(
        found.token,
        Procedure | Implementation | Axiom | Const | Function | Type | Datatype | Graph
    ) {
        return None;
    }
    innermost_open(before).filter(|open| open.token == LeftBrace)
}

/// A token as it is quoted in messages.
fn quote(text: &str, spanned: Spanned) -> String {
    let slice = &text[spanned.span.range()];
    let shown: String = slice
        .chars()
        .take(40)
        .flat_map(char::escape_debug)
        .collect();
    let dots = if slice.chars().nth(40).is_some() {
        "..."
    } else {
        ""
    };
    let shown = shown.replace("\\\"", "\"").replace("\\'", "'");
    match spanned.token.is_word() {
        true => format!("the keyword `{shown}`"),
        false => format!("`{shown}{dots}`"),
    }
}

/// What could have come, summed up.
struct Expected {
    expression: bool,
    ty: bool,
    statement: bool,
    declaration: bool,
    name: bool,
    /// The tokens that are left when all of the above, operators, and attributes are taken away.
    tokens: Vec<String>,
}

const SOFT: &[&str] = &[
    "extends", "complete", "uses", "par", "atomic", "hide", "reveal", "push", "pop", "pure",
    "hideable", "revealed", "is",
];

const EXPRESSION: &[&str] = &[
    "(",
    "!",
    "-",
    "if",
    "old",
    "int",
    "real",
    "true",
    "false",
    "integer",
    "decimal",
    "bit-vector",
    "float",
    "string",
    "rounding mode",
    "|{",
    "identifier",
];

const TYPE: &[&str] = &["bool", "int", "real", "(", "[", "<", "identifier"];

const STATEMENT: &[&str] = &[
    "assert",
    "assume",
    "havoc",
    "goto",
    "return",
    "break",
    "if",
    "while",
    "free",
    "call",
    "async",
    "yield",
    "var",
    "identifier",
];

const DECLARATION: &[&str] = &[
    "type",
    "const",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
    "datatype",
    "graph",
    "pure",
    "hideable",
    "revealed",
];

const OPERATOR: &[&str] = &[
    "<==>", "==>", "<==", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "<:", "++", "+", "-", "*",
    "**", "/", "%", "div", "mod", "is", "[", "->", ":", "'",
];

const BINDER: &[&str] = &["forall", "exists", "lambda", "∀", "∃", "λ"];

impl Expected {
    fn new(expected: &[String], before: Tokens<'_>) -> Expected {
        let mut tokens: Vec<String> = expected
            .iter()
            .map(|name| name.trim_matches('"').to_owned())
            .collect();
        let has = |tokens: &[String], names: &[&str]| {
            names.iter().all(|name| tokens.iter().any(|t| t == name))
        };
        let take = |tokens: &mut Vec<String>, names: &[&str]| {
            tokens.retain(|t| !names.contains(&t.as_str()))
        };
        let expression = has(&tokens, &["integer", "true", "("]);
        let ty = !expression && has(&tokens, &["bool", "real", "["]);
        let statement = has(&tokens, &["assert", "assume"]);
        let declaration = has(&tokens, &["axiom", "type"]);
        let operator = has(&tokens, &["+", "*", "=="]);
        // Words that are names everywhere but in a few places are expected wherever names are.
        let name = tokens.iter().any(|t| t == "identifier");
        if name || statement || declaration {
            take(&mut tokens, SOFT);
        }
        if expression {
            take(&mut tokens, EXPRESSION);
            take(&mut tokens, BINDER);
        }
        if ty {
            take(&mut tokens, TYPE);
        }
        if statement {
            take(&mut tokens, STATEMENT);
        }
        if declaration {
            take(&mut tokens, DECLARATION);
        }
        if operator {
            take(&mut tokens, OPERATOR);
        }
        take(&mut tokens, &["{:", "identifier", "unreadable text"]);
        // Between what could go on and what must end it, the end is the better guess.
        let ends = [";", ")", "]", "::"];
        if tokens.iter().any(|t| ends.contains(&t.as_str())) {
            take(&mut tokens, &[","]);
        }
        // A bracket or separator of an unfinished list says nothing when its next item is missing.
        if matches!(before.last(), Some(last) if last.token == Token::Comma) {
            tokens.clear();
        }
        let name = name && !expression && !ty && !statement;
        Expected {
            expression,
            ty,
            statement,
            declaration,
            name,
            tokens,
        }
    }

    fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = [
            (self.declaration, "a declaration"),
            (self.statement, "a statement"),
            (self.expression, "an expression"),
            (self.ty, "a type"),
            (self.name, "a name"),
        ]
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, noun)| noun.to_owned())
        .collect();
        let room = 4usize.saturating_sub(kinds.len());
        // A long rest is a list of possible continuations that helps nobody when something better is known.
        if self.tokens.len() <= room || kinds.is_empty() {
            kinds.extend(self.tokens.iter().map(|t| match t.as_str() {
                "integer" => "a numeral".to_owned(),
                "string" => "a string".to_owned(),
                token => format!("`{token}`"),
            }));
        }
        kinds
    }

    fn list(&self) -> String {
        let kinds = self.kinds();
        match kinds.split_last() {
            None => "something else".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }

    /// What is expected and where, in words.
    fn words(&self, before: Tokens<'_>) -> Option<String> {
        if self.kinds().is_empty() || self.tokens.len() > 8 {
            return None;
        }
        let (is_begun, noun) = construct(before);
        Some(match () {
            () if !is_begun => self.list(),
            () if self.tokens == [";"] && self.is_missing_punctuation() => {
                format!("`;` after {noun}")
            }
            () => format!("{} in {noun}", self.list()),
        })
    }

    /// Only punctuation could have come.
    fn is_missing_punctuation(&self) -> bool {
        !(self.expression || self.ty || self.statement || self.declaration || self.name)
            && !self.tokens.is_empty()
            && self.tokens.len() <= 2
            && self
                .tokens
                .iter()
                .all(|t| [";", ")", "]", "}", "}|", ",", "::", ":="].contains(&t.as_str()))
    }

    fn has(&self, token: &str) -> bool {
        self.tokens.iter().any(|t| t == token)
    }
}

/// Which construct was being read behind these tokens, and whether it has begun: the innermost statement, clause or
/// declaration, found by its first tokens.
fn construct(before: Tokens<'_>) -> (bool, &'static str) {
    let tokens = current(before);
    let Some(first) = tokens.first() else {
        return (false, "the program");
    };
    let noun = match first.token {
        Token::Assert => "the assertion",
        Token::Assume => "the assumption",
        Token::Havoc => "the havoc statement",
        Token::Goto => "the goto statement",
        Token::Return => "the return statement",
        Token::Break => "the break statement",
        Token::Call | Token::Async | Token::Par => "the call",
        Token::If => "the if statement",
        Token::Else => "the else branch",
        Token::While => "the while statement",
        Token::Invariant => "the loop invariant",
        Token::Requires => "the precondition",
        Token::Ensures => "the postcondition",
        Token::Modifies => "the modifies clause",
        Token::Free => "the free clause",
        Token::Var => "the variable declaration",
        Token::Const => "the constant declaration",
        Token::Axiom => "the axiom",
        Token::Function => "the function declaration",
        Token::Type => "the type declaration",
        Token::Datatype => "the datatype declaration",
        Token::Procedure => "the procedure's head",
        Token::Implementation => "the implementation's head",
        Token::Graph => "the graph's head",
        Token::Init | Token::Location | Token::ErrorLocation => "the location declaration",
        Token::Local => "the declaration of auxiliary variables",
        Token::Let => "the let binding",
        _ if tokens.iter().any(|t| t.token == Token::Assign) => "the assignment",
        _ if tokens.get(1).is_some_and(|t| t.token == Token::Arrow) => "the edge",
        _ => "the statement",
    };
    (true, noun)
}

/// The tokens since the last `;` or brace that is not inside brackets, labels left out.
fn current(before: Tokens<'_>) -> Tokens<'_> {
    let mut closed = 0usize;
    let mut start = 0;
    for (index, spanned) in before.iter().enumerate().rev() {
        use Token::*;
        match spanned.token {
            RightBrace | RightCode if closed == 0 && !closes_attribute(&before[..=index]) => {
                start = index + 1;
                break;
            }
            RightParen | RightBracket | RightBrace | RightCode => closed += 1,
            LeftBrace | LeftCode if closed == 0 => {
                start = index + 1;
                break;
            }
            LeftParen | LeftBracket | LeftBrace | AttributeBrace | LeftCode => {
                closed = closed.saturating_sub(1)
            }
            Semicolon if closed == 0 => {
                start = index + 1;
                break;
            }
            _ => {}
        }
    }
    let mut tokens = &before[start..];
    while let [name, colon, rest @ ..] = tokens
        && name.token == Token::Ident
        && colon.token == Token::Colon
    {
        tokens = rest;
    }
    tokens
}

/// Whether the last of the tokens, a `}`, ends an attribute.
fn closes_attribute(tokens: Tokens<'_>) -> bool {
    let inside = &tokens[..tokens.len().saturating_sub(1)];
    innermost_open(inside).is_some_and(|open| open.token == Token::AttributeBrace)
}

/// Advice for habits from other languages and common slips.
fn help(
    text: &str,
    language: Language,
    before: Tokens<'_>,
    found: Spanned,
    behind: Tokens<'_>,
    expected: &Expected,
) -> Option<String> {
    use Token::*;
    let last = before.last().map(|t| t.token);
    let next = behind.first().map(|t| t.token);
    let current = current(before);
    let first = current.first().map(|t| t.token);
    let help = match found.token {
        Equals if first == Some(Const) => {
            "the value of a constant is given by an axiom: `axiom c == 5;`"
        }
        Equals if first == Some(Var) => {
            "a variable gets its first value by an assignment: `x := 5;`"
        }
        Assign if first == Some(Var) => {
            "a variable gets its first value by an assignment of its own: `var x: int;` and then `x := 5;`"
        }
        Equals if next == Some(Greater) => "implication is written `==>`",
        Equals if matches!(last, Some(Plus | Minus | Star | Slash)) => {
            "write the assignment in full: `x := x + 1;`"
        }
        Equals if expected.has(":=") => "an assignment is written `x := e;`",
        Equals => "equality is written `==`",
        Plus | Minus | PlusPlus | Star | Slash if expected.has(":=") => {
            "write the assignment in full: `x := x + 1;`"
        }
        Semicolon if expected.has(":=") && last == Some(RightParen) => {
            "a procedure is called by `call f(x);`"
        }
        Forall | Exists | Lambda | ForallSign | ExistsSign | LambdaSign => {
            "quantified expressions stand in parentheses: `(forall x: int :: x < x + 1)`"
        }
        IntType | BoolType | RealType if expected.statement => {
            "variables are declared by `var x: int;`"
        }
        IntType | BoolType | RealType if first == Some(Var) || expected.has(":") => {
            "the type stands behind the name: `x: int`"
        }
        _ if expected.has("(") && matches!(last, Some(If | While)) => {
            "the condition stands in parentheses"
        }
        _ if expected.has("(") && last == Some(Returns) => {
            "the result stands in parentheses: `returns (r: int)`"
        }
        _ if expected.has("{") && matches!(first, Some(If | Else | While)) => {
            "the statements of a branch or loop stand in braces"
        }
        Else => "an `else` follows the closing brace of its `if` directly",
        Requires | Ensures | Modifies if expected.statement => "contracts stand before the body",
        Invariant if expected.statement => {
            "loop invariants stand between the loop's condition and its body"
        }
        Procedure | Implementation | Axiom | Const | Function | Type | Datatype | Graph
            if expected.statement =>
        {
            "a closing brace may be missing above"
        }
        Ident if expected.declaration => match &text[found.span.range()] {
            "yield" | "atomic" | "left" | "right" | "both" | "action" => {
                "layered concurrent programs (Civl) are not supported"
            }
            _ => return None,
        },
        Ident if expected.statement && matches!(&text[found.span.range()], "fork" | "join") => {
            "threads are not supported"
        }
        token if token.is_word() && expected.name => {
            let word = &text[found.span.range()];
            return Some(match language {
                Language::Boogie => {
                    format!("`{word}` is a keyword; as a name it is written `\\{word}`")
                }
                Language::Graph => {
                    format!("`{word}` is a keyword; as a name it is written `` `{word}` ``")
                }
            });
        }
        _ => return None,
    };
    Some(help.to_owned())
}
