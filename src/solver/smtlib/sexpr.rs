//! S-expressions, read without recursion.

use crate::solver::Failure;

/// An s-expression. Its parts are [`Expr`]s of the same [`Exprs`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A name, without bars if it had any.
    Symbol(String),
    /// Digits.
    Numeral(String),
    /// Digits, a point, digits.
    Decimal(String),
    /// The digits of `#b...`.
    Binary(String),
    /// The digits of `#x...`.
    Hexadecimal(String),
    /// What stood between double quotes.
    Text(String),
    /// `:name`
    Keyword(String),
    /// `( ... )`
    List(Vec<Expr>),
}

/// A reference to an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expr(usize);

/// All expressions of one text.
#[derive(Debug, Default)]
pub(super) struct Exprs {
    nodes: Vec<Node>,
}

impl Exprs {
    /// Reads a text that is one expression and nothing else.
    pub(super) fn read(text: &str) -> Result<(Exprs, Expr), Failure> {
        let mut exprs = Exprs::default();
        let mut open: Vec<Vec<Expr>> = vec![Vec::new()];
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (token, after) = token(rest)?;
            rest = after.trim_start();
            let node = match token {
                Token::Comment => continue,
                Token::Open => {
                    open.push(Vec::new());
                    continue;
                }
                Token::Close => match open.pop() {
                    Some(parts) if !open.is_empty() => Node::List(parts),
                    _ => return Err(unreadable(text)),
                },
                Token::Node(node) => node,
            };
            exprs.nodes.push(node);
            let expr = Expr(exprs.nodes.len() - 1);
            open.last_mut().ok_or_else(|| unreadable(text))?.push(expr);
        }
        match &open[..] {
            [top] if top.len() == 1 => Ok((exprs, top[0])),
            _ => Err(unreadable(text)),
        }
    }

    pub(super) fn node(&self, expr: Expr) -> &Node {
        // Made by `read` alone, which returns it together with this.
        &self.nodes[expr.0]
    }

    /// The parts of a list.
    pub(super) fn list(&self, expr: Expr) -> Option<&[Expr]> {
        match self.node(expr) {
            Node::List(parts) => Some(parts),
            _ => None,
        }
    }

    /// The name of a symbol.
    pub(super) fn symbol(&self, expr: Expr) -> Option<&str> {
        match self.node(expr) {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// A numeral that is small enough to be an index.
    pub(super) fn index(&self, expr: Expr) -> Option<u32> {
        match self.node(expr) {
            Node::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

enum Token {
    Open,
    Close,
    Comment,
    Node(Node),
}

/// The first token of a text that begins with one, and what comes after it.
fn token(text: &str) -> Result<(Token, &str), Failure> {
    let cut = |end: usize| (&text[..end], &text[end..]);
    match text.as_bytes()[0] {
        b'(' => Ok((Token::Open, &text[1..])),
        b')' => Ok((Token::Close, &text[1..])),
        b';' => {
            let end = text.find('\n').unwrap_or(text.len());
            Ok((Token::Comment, cut(end).1))
        }
        b'|' => {
            let end = text[1..].find('|').ok_or_else(|| unreadable(text))?;
            let name = text[1..=end].to_string();
            Ok((Token::Node(Node::Symbol(name)), &text[end + 2..]))
        }
        b'"' => {
            // `""` inside stands for one quote.
            let mut end = 1;
            loop {
                end += text[end..].find('"').ok_or_else(|| unreadable(text))? + 1;
                if !text[end..].starts_with('"') {
                    break;
                }
                end += 1;
            }
            let content = text[1..end - 1].replace("\"\"", "\"");
            Ok((Token::Node(Node::Text(content)), &text[end..]))
        }
        _ => {
            let end = text
                .find(|c: char| c.is_whitespace() || "()|\";".contains(c))
                .unwrap_or(text.len());
            let (word, rest) = cut(end);
            Ok((Token::Node(word_node(word)?), rest))
        }
    }
}

fn word_node(word: &str) -> Result<Node, Failure> {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if let Some(bits) = word.strip_prefix("#b").filter(|bits| digits(bits, 2)) {
        return Ok(Node::Binary(bits.to_string()));
    }
    if let Some(nibbles) = word.strip_prefix("#x").filter(|text| digits(text, 16)) {
        return Ok(Node::Hexadecimal(nibbles.to_string()));
    }
    if let Some(name) = word.strip_prefix(':') {
        return Ok(Node::Keyword(name.to_string()));
    }
    if digits(word, 10) {
        return Ok(Node::Numeral(word.to_string()));
    }
    if word.starts_with(|c: char| c.is_ascii_digit() || c == '#') {
        return match word.split_once('.') {
            Some((whole, fraction)) if digits(whole, 10) && digits(fraction, 10) => {
                Ok(Node::Decimal(word.to_string()))
            }
            _ => Err(unreadable(word)),
        };
    }
    Ok(Node::Symbol(word.to_string()))
}

fn unreadable(text: &str) -> Failure {
    super::unexpected(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written again, one blank between parts.
    fn again(text: &str) -> Result<String, Failure> {
        fn write(exprs: &Exprs, expr: Expr) -> String {
            match exprs.node(expr) {
                Node::List(parts) => {
                    let parts: Vec<String> = parts.iter().map(|&p| write(exprs, p)).collect();
                    format!("({})", parts.join(" "))
                }
                other => format!("{other:?}"),
            }
        }
        let (exprs, expr) = Exprs::read(text)?;
        Ok(write(&exprs, expr))
    }

    #[test]
    fn all_kinds_of_tokens() {
        assert_eq!(
            again("(a|b c|#b01 #xfF 12 1.50 \"a \"\" (b\" :k;c )\n(  ))").unwrap(),
            "(Symbol(\"a\") Symbol(\"b c\") Binary(\"01\") Hexadecimal(\"fF\") Numeral(\"12\") \
             Decimal(\"1.50\") Text(\"a \\\" (b\") Keyword(\"k\") ())"
        );
        assert_eq!(again("||").unwrap(), "Symbol(\"\")");
    }

    #[test]
    fn what_is_not_one_expression_is_refused() {
        for text in [
            "", "a b", "(", ")", "(a", "a)", "() ()", "\"a", "|a", "1a", "1.", "#", "#b2", "#x",
        ] {
            assert!(Exprs::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let text = "(".repeat(500_000) + &")".repeat(500_000);
        assert!(Exprs::read(&text).is_ok());
    }
}
