//! S-expressions with their places, read without recursion.

use std::ops::Range;

/// An s-expression. Its parts are [`Expr`]s of the same [`Exprs`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
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
pub struct Expr(usize);

impl Expr {
    /// Its number in the order of [`Exprs::all`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// All expressions of one text.
#[derive(Debug, Default)]
pub struct Exprs {
    nodes: Vec<Node>,
    places: Vec<Range<usize>>,
}

/// Why a text is not a sequence of s-expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The bytes that are to blame.
    pub place: Range<usize>,
    /// What is wrong with them.
    pub what: &'static str,
}

impl Exprs {
    /// Reads a text that is one expression and nothing else; `None` if it is not.
    pub fn read(text: &str) -> Option<(Exprs, Expr)> {
        let (exprs, top, wrong) = Exprs::read_all(text);
        (wrong.is_empty() && top.len() == 1).then(|| (exprs, top[0]))
    }

    /// Reads all expressions of a text, in order, and what is wrong with it. What cannot be read is
    /// left out; a list that is never closed ends with the text.
    pub fn read_all(text: &str) -> (Exprs, Vec<Expr>, Vec<Unreadable>) {
        let mut exprs = Exprs::default();
        let mut wrong = Vec::new();
        let mut open: Vec<(usize, Vec<Expr>)> = Vec::new();
        let mut top = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            let (token, length) = token(rest);
            let place = start..start + length;
            rest = rest[length..].trim_start();
            let (place, node) = match token {
                Ok(Token::Comment) => continue,
                Ok(Token::Open) => {
                    open.push((start, Vec::new()));
                    continue;
                }
                Ok(Token::Close) => match open.pop() {
                    Some((opened, parts)) => (opened..place.end, Node::List(parts)),
                    None => {
                        let what = "nothing is open that this could close";
                        wrong.push(Unreadable { place, what });
                        continue;
                    }
                },
                Ok(Token::Node(node)) => (place, node),
                Err(what) => {
                    wrong.push(Unreadable { place, what });
                    continue;
                }
            };
            let expr = exprs.add(place, node);
            open.last_mut()
                .map_or(&mut top, |(_, list)| list)
                .push(expr);
        }
        if let Some((opened, _)) = open.last() {
            let place = *opened..opened + 1;
            let what = "this is never closed";
            wrong.push(Unreadable { place, what });
        }
        while let Some((opened, parts)) = open.pop() {
            let expr = exprs.add(opened..text.len(), Node::List(parts));
            open.last_mut()
                .map_or(&mut top, |(_, list)| list)
                .push(expr);
        }
        (exprs, top, wrong)
    }

    fn add(&mut self, place: Range<usize>, node: Node) -> Expr {
        self.nodes.push(node);
        self.places.push(place);
        Expr(self.nodes.len() - 1)
    }

    /// All expressions; the parts of a list come before the list.
    pub fn all(&self) -> impl Iterator<Item = Expr> + use<> {
        (0..self.nodes.len()).map(Expr)
    }

    /// The bytes of an expression in the text.
    pub fn place(&self, expr: Expr) -> Range<usize> {
        self.places[expr.0].clone()
    }

    /// What an expression is.
    pub fn node(&self, expr: Expr) -> &Node {
        // Made by `read` alone, which returns it together with this.
        &self.nodes[expr.0]
    }

    /// The parts of a list.
    pub fn list(&self, expr: Expr) -> Option<&[Expr]> {
        match self.node(expr) {
            Node::List(parts) => Some(parts),
            _ => None,
        }
    }

    /// The name of a symbol.
    pub fn symbol(&self, expr: Expr) -> Option<&str> {
        match self.node(expr) {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// A numeral that is small enough to be an index.
    pub fn index(&self, expr: Expr) -> Option<u32> {
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

/// The first token of a text that begins with one, or what is wrong with it, and its length.
fn token(text: &str) -> (Result<Token, &'static str>, usize) {
    match text.as_bytes()[0] {
        b'(' => (Ok(Token::Open), 1),
        b')' => (Ok(Token::Close), 1),
        b';' => (
            Ok(Token::Comment),
            text.find(['\n', '\r']).unwrap_or(text.len()),
        ),
        b'|' => match text[1..].find('|') {
            Some(end) => {
                let name = text[1..=end].to_string();
                (Ok(Token::Node(Node::Symbol(name))), end + 2)
            }
            None => (Err("this name is never closed"), text.len()),
        },
        b'"' => {
            // `""` inside stands for one quote.
            let mut end = 1;
            loop {
                match text[end..].find('"') {
                    Some(quote) => end += quote + 1,
                    None => return (Err("this string is never closed"), text.len()),
                }
                if !text[end..].starts_with('"') {
                    break;
                }
                end += 1;
            }
            let content = text[1..end - 1].replace("\"\"", "\"");
            (Ok(Token::Node(Node::Text(content))), end)
        }
        _ => {
            let end = text
                .find(|c: char| c.is_whitespace() || "()|\";".contains(c))
                .unwrap_or(text.len());
            (word_node(&text[..end]).map(Token::Node), end)
        }
    }
}

fn word_node(word: &str) -> Result<Node, &'static str> {
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
            _ => Err("neither a name nor a literal"),
        };
    }
    Ok(Node::Symbol(word.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written again, one blank between parts.
    fn again(text: &str) -> Option<String> {
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
        Some(write(&exprs, expr))
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
            assert!(Exprs::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let text = "(".repeat(500_000) + &")".repeat(500_000);
        assert!(Exprs::read(&text).is_some());
    }
}
