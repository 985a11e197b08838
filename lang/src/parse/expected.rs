//! The words for syntax errors.
//!
//! lalrpop says which tokens could have come. What a person wants to know is which construct was being read, what is
//! missing from it, and which habit from another language led astray. Everything here is read off the tokens around the
//! error.

mod habits;

pub(super) use habits::counting_loop;

use super::Tokens;
use crate::diagnostic::{Diagnostic, Id};
use crate::token::nesting::{closing, open_brackets};
use crate::token::{Language, Spanned, Token};

/// The diagnostic for an unexpected token with the index, or for the unexpected end of the text. `None` if another
/// diagnostic says it already.
pub(super) fn diagnostic(
    text: &str,
    language: Language,
    tokens: Tokens<'_>,
    index: usize,
    expected: &[String],
) -> Option<Diagnostic> {
    let (before, behind) = tokens.split_at(index.min(tokens.len()));
    let context = Context {
        text,
        language,
        before,
        behind,
        open: open_brackets(before),
        construct: construct(before, language),
    };
    let expected = Expected::new(expected, before);
    match behind.first() {
        None => context.at_end(&expected),
        Some(found) => Some(context.at_token(*found, &expected)),
    }
}

/// What stands around an error.
struct Context<'t> {
    text: &'t str,
    language: Language,
    /// All tokens before the unexpected one.
    before: Tokens<'t>,
    /// The unexpected token and all behind it.
    behind: Tokens<'t>,
    /// The brackets that are open, outermost first.
    open: Vec<Spanned>,
    construct: Construct<'t>,
}

impl Context<'_> {
    /// The text ends too early: something is not closed, or the last construct is not complete.
    fn at_end(&self, expected: &Expected) -> Option<Diagnostic> {
        let last = self.before.last()?;
        // The lexer has said it: the text ends because of an open comment or because it was too deeply nested.
        if last.token == Token::Error {
            return None;
        }
        let place = last.span.after();
        if let Some(open) = self.open.last() {
            let open_text = self.quote(*open);
            let closing = closing(open.token).text();
            return Some(
                Diagnostic::error(
                    Id::UNCLOSED_BRACKET,
                    format!("{open_text} is never closed"),
                    open.span,
                    "opened here",
                )
                .with_label(place, format!("the text ends without its `{closing}`")),
            );
        }
        let noun = self.construct.noun;
        Some(if expected.is_missing_punctuation() {
            let message = format!(
                "expected {} after {noun}, found the end of the text",
                expected.list()
            );
            Diagnostic::error(
                Id::SYNTAX,
                message,
                place,
                format!("{} is missing here", expected.list()),
            )
        } else {
            Diagnostic::error(
                Id::SYNTAX,
                format!("the text ends in the middle of {noun}"),
                place,
                "the end",
            )
        })
    }

    fn at_token(&self, found: Spanned, expected: &Expected) -> Diagnostic {
        if let Some(diagnostic) = self.mismatched_bracket(found) {
            return diagnostic;
        }
        let found_text = self.quote(found);
        let message = match self.construct.words(expected) {
            Some(words) => format!("expected {words}, found {found_text}"),
            None => format!("unexpected {found_text} in {}", self.construct.noun),
        };
        let mut diagnostic = match self.before.last() {
            // What is missing belongs behind the token before, which may be lines above.
            Some(last) if expected.is_missing_punctuation() && found.token != Token::Equals => {
                let label = format!("{} is missing here", expected.list());
                Diagnostic::error(Id::SYNTAX, message, last.span.after(), label)
            }
            _ => Diagnostic::error(Id::SYNTAX, message, found.span, "unexpected"),
        };
        if let Some(open) = self.open.last()
            && is_declaration(found.token)
            && !expected.name
            && closing(open.token) == Token::RightBrace
        {
            diagnostic = diagnostic.with_label(open.span, "this `{` is still open");
        }
        let habit = self.habit(found, expected);
        diagnostic.help = habit.or_else(|| self.help(found, expected));
        diagnostic
    }

    /// A closing bracket that does not belong to the bracket that is open.
    fn mismatched_bracket(&self, found: Spanned) -> Option<Diagnostic> {
        if !matches!(
            found.token,
            Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightCode
        ) {
            return None;
        }
        let found_text = self.quote(found);
        let Some(open) = self.open.last() else {
            let message = format!("{found_text} closes nothing");
            return Some(
                Diagnostic::error(
                    Id::MISMATCHED_BRACKET,
                    message,
                    found.span,
                    "no bracket is open here",
                )
                .with_help("remove it, or look for a bracket above that was closed too early"),
            );
        };
        let closing = closing(open.token);
        (closing != found.token).then(|| {
            let message = format!("expected `{}`, found {found_text}", closing.text());
            Diagnostic::error(
                Id::MISMATCHED_BRACKET,
                message,
                found.span,
                "does not close what is open",
            )
            .with_label(open.span, "opened here")
        })
    }

    /// A token as it is quoted in messages.
    fn quote(&self, spanned: Spanned) -> String {
        let slice = &self.text[spanned.span.range()];
        let shown: String = slice
            .chars()
            .take(40)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let dots = if slice.chars().nth(40).is_some() {
            "..."
        } else {
            ""
        };
        match spanned.token.is_word() {
            true => format!("the keyword `{shown}`"),
            false => format!("`{shown}{dots}`"),
        }
    }

    /// Advice for habits from other languages and common slips.
    fn help(&self, found: Spanned, expected: &Expected) -> Option<String> {
        use Token::*;
        let last = self.before.last().map(|t| t.token);
        let next = self.behind.get(1).map(|t| t.token);
        let tokens = self.construct.tokens;
        let first = tokens.first().map(|t| t.token);
        let word = &self.text[found.span.range()];
        let help = match found.token {
            Equals if first == Some(Const) => {
                "the value of a constant is given by an axiom: `axiom c == 5;`"
            }
            Equals | Assign if first == Some(Var) => {
                "a variable gets its first value by an assignment of its own: `var x: int;` and then `x := 5;`"
            }
            Equals
                if next == Some(Greater)
                    && expected.has("->")
                    && self.language == Language::Graph =>
            {
                "an edge is written `a -> b: formula;`"
            }
            Equals if next == Some(Greater) => "implication is written `==>`",
            Equals if first == Some(Let) => "a binding is written `let d := e;`",
            Equals if expected.has(":=") => "an assignment is written `x := e;`",
            Equals => "equality is written `==`",
            Plus | Minus | PlusPlus | Star | Slash if expected.has(":=") => {
                "write the assignment in full: `x := x + 1;`"
            }
            Forall | Exists | Lambda | ForallSign | ExistsSign | LambdaSign => {
                "quantified expressions stand in parentheses: `(forall x: int :: x < x + 1)`"
            }
            ColonColon if expected.has(":") => {
                "bound variables have types: `(forall x: int :: x < x + 1)`"
            }
            IntType | BoolType | RealType if expected.statement => {
                "variables are declared by `var x: int;`"
            }
            IntType | BoolType | RealType if expected.has(":") => {
                "the type stands after a colon: `x: int`"
            }
            IntType | BoolType | RealType if expected.name && first == Some(Procedure) => {
                "parameters of procedures have names: `x: int`"
            }
            Ident if expected.statement && matches!(word, "fork" | "join") => {
                "threads are not supported"
            }
            _ if matches!(tokens, [name, ..] if matches!(&self.text[name.span.range()], "fork" | "join")) => {
                "threads are not supported"
            }
            _ if matches!(tokens, [name, paren, ..] if name.token == Ident && paren.token == LeftParen)
                && self.language == Language::Boogie =>
            {
                "a procedure is called by `call f(x);`"
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
            Var if expected.declaration && self.language == Language::Graph => {
                "variables belong to a graph: declare them inside of `graph NAME { ... }`"
            }
            Semicolon if last == Some(RightBrace) => "no `;` stands after a closing brace",
            Else => "an `else` follows the closing brace of its `if` directly",
            Requires | Ensures | Modifies if expected.statement => {
                "contracts stand before the body"
            }
            Invariant if expected.statement => {
                "loop invariants stand between the loop's condition and its body"
            }
            token if is_declaration(token) && expected.statement => {
                "a closing brace may be missing above"
            }
            _ if expected.declaration
                && matches!(
                    word,
                    "yield" | "atomic" | "left" | "right" | "both" | "action"
                ) =>
            {
                "layered concurrent programs (Civl) are not supported"
            }
            token if token.is_word() && expected.name => {
                return Some(match self.language {
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
}

/// Whether only declarations begin with the token.
fn is_declaration(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Procedure | Implementation | Axiom | Const | Function | Type | Datatype | Graph
    )
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
    "forall",
    "exists",
    "lambda",
    "∀",
    "∃",
    "λ",
];

const TYPE: &[&str] = &["bool", "int", "real", "(", "[", "<"];

const STATEMENT: &[&str] = &[
    "assert", "assume", "havoc", "goto", "return", "break", "if", "else", "while", "free", "call",
    "async", "yield", "var",
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
];

/// What may follow a complete expression and continues it.
const CONTINUATION: &[&str] = &[
    "<==>", "==>", "<==", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "<:", "++", "+", "-", "*",
    "**", "/", "%", "div", "mod", "is", "[", "->", ":", "'", "(",
];

/// What is expected besides these more often than they are: the ends of constructs, and what begins an assignment.
const LIKELY: &[&str] = &[";", ")", "]", "::", ":=", ":"];

const UNLIKELY: &[&str] = &[
    ",", "(", "[", "->", "where", "<:", "extends", "complete", "uses", "string", "+", "-", "*",
    "/", "|",
];

const PUNCTUATION: &[&str] = &[";", ")", "]", "}", "}|", ",", ":", "::", ":="];

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
        let name = has(&tokens, &["identifier"]) && !expression && !ty && !statement;
        if has(&tokens, &["+", "*", "=="]) {
            take(&mut tokens, CONTINUATION);
        }
        // Words that are names everywhere but in a few places are expected wherever names are.
        if has(&tokens, &["identifier"]) || declaration {
            tokens.retain(|t| !Token::keyword(t, Language::Boogie).is_some_and(Token::is_soft));
        }
        for (is, names) in [
            (expression, EXPRESSION),
            (ty, TYPE),
            (statement, STATEMENT),
            (declaration, DECLARATION),
        ] {
            if is {
                take(&mut tokens, names);
            }
        }
        take(&mut tokens, &["{:", "identifier", "unreadable text"]);
        // A name at the beginning of a statement may be a label, but an assignment is the better guess.
        if has(&tokens, &[":=", ":"]) {
            take(&mut tokens, &[":"]);
        }
        if tokens.iter().any(|t| LIKELY.contains(&t.as_str())) {
            take(&mut tokens, UNLIKELY);
        }
        // When an item of a list is missing, it is not the end of the list that is expected.
        if before.last().is_some_and(|last| last.token == Token::Comma) {
            tokens.clear();
        }
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

    /// Only punctuation could have come.
    fn is_missing_punctuation(&self) -> bool {
        let is_more = self.expression || self.ty || self.statement || self.declaration || self.name;
        let is_punctuation = |t: &String| PUNCTUATION.contains(&t.as_str());
        !is_more && matches!(self.tokens.len(), 1 | 2) && self.tokens.iter().all(is_punctuation)
    }

    fn has(&self, token: &str) -> bool {
        self.tokens.iter().any(|t| t == token)
    }
}

/// The innermost statement, clause or declaration that is being read.
struct Construct<'t> {
    /// Its tokens so far, labels left out.
    tokens: Tokens<'t>,
    /// What it is called, with an article.
    noun: &'static str,
}

impl Construct<'_> {
    /// What is expected and where, in words.
    fn words(&self, expected: &Expected) -> Option<String> {
        if expected.kinds().is_empty() || expected.tokens.len() > 8 {
            return None;
        }
        Some(match () {
            () if self.tokens.is_empty() => expected.list(),
            () if expected.tokens == [";"] && expected.is_missing_punctuation() => {
                format!("`;` after {}", self.noun)
            }
            () => format!("{} in {}", expected.list(), self.noun),
        })
    }
}

/// Which construct was being read behind these tokens, found by its first tokens.
fn construct(before: Tokens<'_>, language: Language) -> Construct<'_> {
    let (start, tokens) = current(before);
    let noun = match tokens.first().map(|t| t.token) {
        None => "the program",
        Some(Token::Assert) => "the assertion",
        Some(Token::Assume) => "the assumption",
        Some(Token::Havoc) => "the havoc statement",
        Some(Token::Goto) => "the goto statement",
        Some(Token::Return) => "the return statement",
        Some(Token::Break) => "the break statement",
        Some(Token::Call | Token::Async | Token::Par) => "the call",
        Some(Token::If) => "the if statement",
        Some(Token::Else) => "the else branch",
        Some(Token::While) => "the while statement",
        Some(Token::Invariant) => "the loop invariant",
        Some(Token::Requires) => "the precondition",
        Some(Token::Ensures) => "the postcondition",
        Some(Token::Modifies) => "the modifies clause",
        Some(Token::Free) => "the free clause",
        Some(Token::Var) => "the variable declaration",
        Some(Token::Const) => "the constant declaration",
        Some(Token::Axiom) => "the axiom",
        Some(Token::Function) => "the function declaration",
        Some(Token::Type) => "the type declaration",
        Some(Token::Datatype) => "the datatype declaration",
        Some(Token::Procedure) => "the procedure declaration",
        Some(Token::Implementation) => "the implementation",
        Some(Token::Graph) => "the graph declaration",
        Some(Token::Init | Token::Location | Token::ErrorLocation) => "the location declaration",
        Some(Token::Local) => "the declaration of auxiliary variables",
        Some(Token::Let) => "the let binding",
        Some(_) if tokens.iter().any(|t| t.token == Token::Assign) => "the assignment",
        Some(_) if tokens.get(1).is_some_and(|t| t.token == Token::Arrow) => "the edge",
        // Expressions and lists in braces belong to what stands before the brace.
        Some(_) => match before[..start]
            .last()
            .map(|_| current(&before[..start - 1]).1)
        {
            Some([function, ..]) if function.token == Token::Function => "the function's body",
            Some([datatype, ..]) if datatype.token == Token::Datatype => "the datatype declaration",
            Some([_, arrow, ..]) if arrow.token == Token::Arrow => "the edge",
            _ if language == Language::Graph => "the edge",
            _ => "the statement",
        },
    };
    Construct { tokens, noun }
}

/// The tokens since the last `;` or brace that is not inside brackets, labels left out; before them the index of the
/// first.
fn current(before: Tokens<'_>) -> (usize, Tokens<'_>) {
    use Token::*;
    let open = open_brackets(before);
    // The last brace that is open and no trigger inside of parentheses
    let is_inside =
        |index: usize| index > 0 && matches!(open[index - 1].token, LeftParen | LeftBracket);
    let brace = (0..open.len())
        .rev()
        .find(|&index| match open[index].token {
            LeftCode => true,
            LeftBrace => !is_inside(index),
            _ => false,
        });
    let from = brace.map_or(0, |brace| {
        before.partition_point(|t| t.span.start <= open[brace].span.start)
    });
    // Of what is inside of that brace, only the last part counts.
    let mut start = from;
    let mut depth = 0usize;
    let mut is_attribute = Vec::new();
    for (index, spanned) in before.iter().enumerate().skip(from) {
        match spanned.token {
            LeftParen | LeftBracket => depth += 1,
            RightParen | RightBracket => depth = depth.saturating_sub(1),
            LeftBrace | LeftCode | AttributeBrace => {
                is_attribute.push(spanned.token == AttributeBrace || depth > 0)
            }
            RightBrace | RightCode
                if is_attribute.pop() != Some(true) && is_attribute.is_empty() =>
            {
                start = index + 1;
                depth = 0;
            }
            Semicolon if is_attribute.is_empty() => {
                start = index + 1;
                depth = 0;
            }
            // Clauses end what stands before them.
            Requires | Ensures | Modifies | Invariant if depth == 0 && is_attribute.is_empty() => {
                start = index
            }
            _ => {}
        }
    }
    let mut tokens = &before[start..];
    while let [name, colon, rest @ ..] = tokens
        && name.token == Ident
        && colon.token == Colon
    {
        tokens = rest;
    }
    (start, tokens)
}
