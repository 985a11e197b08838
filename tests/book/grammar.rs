//! The grammars of `grammar/*.lalrpop` as the book shows them: rules without actions, in an extended Backus-Naur form.
//!
//! Left out are the alternatives that read on behind an error. A rule that begins with itself becomes a repetition.

use std::fmt::Write as _;

/// One symbol of an alternative.
#[derive(Clone, Debug, PartialEq)]
enum Symbol {
    Word(String),
    Rule(String, Vec<Symbol>),
    /// The suffixes `?`, `*` and `+`.
    Repeated(Box<Symbol>, char),
    Group(Vec<Symbol>),
    /// Where the parser picks up again behind an error.
    Error,
    /// An offset, which reads nothing.
    Nothing,
}

struct Rule {
    name: String,
    parameters: Vec<String>,
    alternatives: Vec<Vec<Symbol>>,
}

/// The rules of a grammar file, as text.
pub fn listing(lalrpop: &str) -> String {
    let mut reader = Reader::new(lalrpop);
    let mut text = String::new();
    while let Some(rule) = reader.rule() {
        // These say how lists are read; the listing writes lists as repetitions.
        if !["List", "Comma", "Comma1", "Skipped"].contains(&&*rule.name) {
            text += &shown(&rule);
        }
    }
    text
}

fn shown(rule: &Rule) -> String {
    let mut name = rule.name.clone();
    if !rule.parameters.is_empty() {
        let _ = write!(name, "<{}>", rule.parameters.join(", "));
    }
    let sound: Vec<&Vec<Symbol>> = rule
        .alternatives
        .iter()
        .filter(|symbols| !symbols.iter().any(is_error))
        .collect();
    let begins_with_itself = |symbols: &Vec<Symbol>| matches!(symbols.first(), Some(Symbol::Rule(first, _)) if *first == rule.name);
    let (tails, bases): (Vec<&Vec<Symbol>>, Vec<&Vec<Symbol>>) = sound
        .into_iter()
        .partition(|symbols| begins_with_itself(symbols));
    let bases: Vec<String> = bases.iter().map(|symbols| sequence(symbols)).collect();
    let tails: Vec<String> = tails
        .iter()
        .map(|symbols| sequence(&symbols[1..]))
        .collect();
    if bases.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = if tails.is_empty() {
        bases
    } else {
        let repeated = format!("{{ {} }}", tails.join(" | "));
        match &*bases.join(" | ") {
            "" => vec![repeated],
            first if bases.len() == 1 => vec![format!("{first} {repeated}")],
            first => vec![format!("( {first} ) {repeated}")],
        }
    };
    let mut text = String::new();
    for (i, line) in wrapped(&lines).iter().enumerate() {
        let sign = if i == 0 { '=' } else { '|' };
        let head = if i == 0 { &*name } else { "" };
        let _ = writeln!(text, "{head:<18} {sign} {line}");
    }
    text
}

/// Alternatives of one word each share lines.
fn wrapped(lines: &[String]) -> Vec<String> {
    if lines.iter().any(|line| line.contains(' ')) {
        return lines.to_vec();
    }
    let mut wrapped: Vec<String> = Vec::new();
    for line in lines {
        match wrapped.last_mut() {
            Some(last) if last.len() + line.len() < 90 => {
                let _ = write!(last, " | {line}");
            }
            _ => wrapped.push(line.clone()),
        }
    }
    wrapped
}

fn is_error(symbol: &Symbol) -> bool {
    match symbol {
        Symbol::Error => true,
        Symbol::Rule(name, arguments) => name == "Skipped" || arguments.iter().any(is_error),
        Symbol::Group(symbols) => symbols.iter().any(is_error),
        Symbol::Repeated(symbol, _) => is_error(symbol),
        Symbol::Word(_) | Symbol::Nothing => false,
    }
}

fn sequence(symbols: &[Symbol]) -> String {
    let words: Vec<String> = symbols
        .iter()
        .map(phrase)
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn phrase(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Word(word) => match &**word {
            "integer" | "bit-vector" | "decimal" | "float" | "string" | "identifier"
            | "rounding mode" => word.replace([' ', '-'], "_").to_uppercase(),
            "error" => "\"error\"".to_owned(),
            _ => format!("\"{word}\""),
        },
        Symbol::Rule(name, arguments) => {
            let item = || arguments.first().map(phrase).unwrap_or_default();
            match (&**name, arguments.len()) {
                ("List", 1) => format!("{{ {} }}", item()),
                ("Comma1", 1) => format!("{0} {{ \",\" {0} }}", item()),
                ("Comma", 1) => format!("[ {0} {{ \",\" {0} }} ]", item()),
                (_, 0) => name.clone(),
                _ => {
                    let arguments: Vec<String> = arguments.iter().map(phrase).collect();
                    format!("{name}<{}>", arguments.join(", "))
                }
            }
        }
        Symbol::Repeated(symbol, '?') => format!("[ {} ]", bare(symbol)),
        Symbol::Repeated(symbol, '+') => format!("{0} {{ {0} }}", bare(symbol)),
        Symbol::Repeated(symbol, _) => format!("{{ {} }}", bare(symbol)),
        Symbol::Group(symbols) => format!("( {} )", sequence(symbols)),
        Symbol::Error | Symbol::Nothing => String::new(),
    }
}

/// Without the brackets of a group, where others are put around it.
fn bare(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Group(symbols) => sequence(symbols),
        other => phrase(other),
    }
}

/// Reads the part of LALRPOP's notation that the grammars use.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text }
    }

    fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") {
                self.rest = self.rest.split_once('\n').map_or("", |(_, behind)| behind);
            } else {
                return;
            }
        }
    }

    fn eats(&mut self, text: &str) -> bool {
        self.blanks();
        match self.rest.strip_prefix(text) {
            Some(behind) => {
                self.rest = behind;
                true
            }
            None => false,
        }
    }

    fn needs(&mut self, text: &str) {
        assert!(self.eats(text), "no `{text}` at {:.60}", self.rest);
    }

    fn name(&mut self) -> &'a str {
        self.blanks();
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (name, behind) = self.rest.split_at(end);
        self.rest = behind;
        name
    }

    /// Skips Rust: up to one of the characters, outside of all brackets and literals.
    fn skip_to(&mut self, ends: &[char]) {
        let mut depth = 0usize;
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            if depth == 0 && ends.contains(&c) {
                self.rest = &self.rest[at..];
                return;
            }
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '"' => {
                    while let Some((_, c)) = chars.next() {
                        match c {
                            '\\' => drop(chars.next()),
                            '"' => break,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        panic!("none of {ends:?} in {:.60}", self.rest);
    }

    /// The next rule; whatever else stands before it is skipped.
    fn rule(&mut self) -> Option<Rule> {
        loop {
            self.blanks();
            if self.rest.is_empty() {
                return None;
            }
            match self.name() {
                "use" | "grammar" => {
                    self.skip_to(&[';']);
                    self.needs(";");
                }
                "extern" => {
                    self.needs("{");
                    self.skip_to(&['}']);
                    self.needs("}");
                }
                "pub" => {}
                name => return Some(self.rule_named(name)),
            }
        }
    }

    fn rule_named(&mut self, name: &str) -> Rule {
        assert!(!name.is_empty(), "no rule at {:.60}", self.rest);
        let mut parameters = Vec::new();
        if self.eats("<") {
            while !self.eats(">") {
                parameters.push(self.name().to_owned());
                self.eats(",");
            }
        }
        if self.eats(":") {
            self.skip_to(&['=']);
        }
        self.needs("=");
        let mut alternatives = Vec::new();
        if self.eats("{") {
            while !self.eats("}") {
                alternatives.push(self.alternative(&[',', '}']));
                self.eats(",");
            }
            self.eats(";");
        } else {
            alternatives.push(self.alternative(&[';']));
            self.needs(";");
        }
        Rule {
            name: name.to_owned(),
            parameters,
            alternatives,
        }
    }

    fn alternative(&mut self, ends: &[char]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        loop {
            self.blanks();
            if self.eats("=>") {
                self.eats("?");
                self.skip_to(ends);
                return symbols;
            }
            if self.rest.starts_with(ends) {
                return symbols;
            }
            let symbol = self.symbol();
            if symbol != Symbol::Nothing {
                symbols.push(symbol);
            }
        }
    }

    fn symbol(&mut self) -> Symbol {
        self.blanks();
        let symbol = if self.eats("\"") {
            let (word, behind) = self.rest.split_once('"').expect("a closed literal");
            self.rest = behind;
            Symbol::Word(word.to_owned())
        } else if self.eats("<") {
            self.eats("mut ");
            let before = self.rest;
            let bound = !self.name().is_empty() && self.eats(":");
            if !bound {
                self.rest = before;
            }
            let symbol = self.symbol();
            self.needs(">");
            symbol
        } else if self.eats("@") {
            self.name();
            return Symbol::Nothing;
        } else if self.eats("!") {
            Symbol::Error
        } else if self.eats("(") {
            let mut symbols = Vec::new();
            while !self.eats(")") {
                symbols.push(self.symbol());
            }
            Symbol::Group(symbols)
        } else {
            let name = self.name().to_owned();
            assert!(!name.is_empty(), "no symbol at {:.60}", self.rest);
            let mut arguments = Vec::new();
            // Arguments follow without a blank; behind a blank, `<` begins the next symbol.
            if self.rest.starts_with('<') {
                self.needs("<");
                while !self.eats(">") {
                    arguments.push(self.symbol());
                    self.eats(",");
                }
            }
            Symbol::Rule(name, arguments)
        };
        match self.rest.chars().next() {
            Some(suffix @ ('?' | '*' | '+')) => {
                self.rest = &self.rest[1..];
                Symbol::Repeated(symbol.into(), suffix)
            }
            _ => symbol,
        }
    }
}

#[test]
fn rules_lose_their_actions_and_keep_their_meaning() {
    let text = r#"
        use x::y;
        grammar<'b>(b: &'b B);
        extern { enum Token { "a" => A, } }
        // A list.
        pub Items: Vec<Item> = {
            => vec![],
            <items:Items> <item:Item> => push(items, [item, b"}"]),
            <items:Items> Skipped ";",
        };
        Item: Item = <l:@L> "a" <b:("b" <Items>)?> <rest:Comma<Pair<Item, Name>>> <r:@R> => Item { l, r };
        Pair<A, B>: Pair = { <a:A> ":" <b:B> => (a, b), "integer" };
    "#;
    assert_eq!(
        listing(text),
        "Items              = { Item }\n\
         Item               = \"a\" [ \"b\" Items ] [ Pair<Item, Name> { \",\" Pair<Item, Name> } ]\n\
         Pair<A, B>         = A \":\" B\n\
         \u{20}                  | INTEGER\n"
    );
}
